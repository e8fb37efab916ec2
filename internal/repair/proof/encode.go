package proof

import (
	"errors"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/repair/space"
	"gulo/internal/smt"
	"gulo/internal/spec"
)

// This file is the repair constraint: Φspec, Φsem and the selectors of Algorithm 3. Every place has a selector r for
// its guard and s for its statement, and every gap a selector t. A false selector keeps the program's own text. All
// visits of a place share its unknowns.

// place is a unit with its unknowns.
type place struct {
	u       *space.Unit
	r, s, t int   // selectors; the false literal if the place has none
	conds   []int // choices of the guard
	left    []int // choices of the left side, by index in Lhs
	right   [][]int
	wholes  []int
	holes   []string // by class: an integer constant that the solver chooses
}

type encoder struct {
	*gates
	z        *smt.Process // nil if the solver is propositional
	p        *Problem
	space    *space.Space
	places   map[int32]*place
	slots    map[int32]*place
	deferred map[int32]bool

	active []int   // by segment: literal under which its constraints hold
	ends   [][]int // literals by segment and asserted cell
	seg    int     // the segment being encoded

	told    map[string]bool // sets of values that were asserted to exclude each other
	partial bool            // some choices were ruled out that may be correct
	paid    int             // propositions that were charged to the budget
	depth   int             // of inlined functions
	scratch ctype.Word      // bytes used for their locals
}

// maxVars bounds the size of a query: some hundred megabytes.
const maxVars = 2_000_000

func (e *encoder) place(id int32) *place {
	if p, ok := e.places[id]; ok {
		return p
	}
	p := &place{u: e.space.Unit(id), r: e.no(), s: e.no()}
	e.places[id] = p
	if p.u.Locked {
		return p
	}
	if st := p.u.Stmt; st.Kind == lower.Cond && !cfront.Pure(p.u.Original()) {
		return p
	}
	p.u.Build()
	if len(p.u.Conds) > 0 {
		p.r = e.s.Fresh()
		p.conds = e.choices(len(p.u.Conds))
		e.oneOf(p.r, p.conds)
	}
	if p.u.Pairs+len(p.u.Wholes) > 0 {
		p.s = e.s.Fresh()
		e.statements(p, p.s)
	}
	return p
}

func (e *encoder) slot(id int32) *place {
	if p, ok := e.slots[id]; ok {
		return p
	}
	p := &place{u: e.space.Slot(id), t: e.no()}
	e.slots[id] = p
	if p.u.Locked || p.u.Base != nil || e.p.Slots == 0 {
		return p
	}
	p.u.Build()
	if p.u.Pairs+len(p.u.Wholes) > 0 {
		p.t = e.s.Fresh()
		e.statements(p, p.t)
	}
	return p
}

func (e *encoder) choices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = e.s.Fresh()
	}
	return out
}

// statements makes the unknowns for a statement: a left side and a right side of the same class, or a whole statement.
// One is chosen if on holds.
func (e *encoder) statements(p *place, on int) {
	p.left = make([]int, len(p.u.Lhs))
	p.wholes = e.choices(len(p.u.Wholes))
	heads := append([]int(nil), p.wholes...)
	for ci := range p.u.Classes {
		c := &p.u.Classes[ci]
		var mine []int
		for _, l := range c.L {
			p.left[l] = e.s.Fresh()
			mine = append(mine, p.left[l])
		}
		heads = append(heads, mine...)
		rs := e.choices(len(c.R))
		hole := ""
		if e.z != nil && e.p.Constants && len(c.L) > 0 && p.u.Lhs[c.L[0]].Type().IsInteger() {
			hole = e.z.Term(wrap(e.z.Term(""), p.u.Lhs[c.L[0]].Type()))
			rs = append(rs, e.s.Fresh())
		}
		p.holes = append(p.holes, hole)
		p.right = append(p.right, rs)
		e.oneOf(e.any(mine), rs)
	}
	e.oneOf(on, heads)
}

// encode builds the constraint for all segments.
func (e *encoder) encode() error {
	for k, seg := range e.p.Segments {
		e.seg = k
		e.active = append(e.active, e.s.Fresh())
		e.ends = append(e.ends, nil)
		if err := e.segment(seg); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) segment(seg *spec.Segment) error {
	t := repair.NewTrace(e.p.Program, seg, e.p.Base)
	s := newState(e, t)
	if err := e.gaps(s, -1, seg.Before); err != nil {
		return err
	}
	for i := range seg.Items {
		n, _ := e.s.Size()
		budget.Spend(e.p.ctx, int64(n-e.paid)*propositionCost)
		e.paid = n
		switch {
		case e.over():
			return errTime
		case n > maxVars:
			return unsupported("more than %d propositions", maxVars)
		}
		if err := e.item(s, i); err != nil {
			return err
		}
		if err := e.gaps(s, i, seg.Items[i].Gaps); err != nil {
			return err
		}
	}
	for _, c := range seg.End {
		got, ok, err := s.lookup(c.Addr, c.Type)
		if err != nil {
			return err
		}
		var hold []int
		for _, a := range got.v.alts {
			if a.w == c.Word && !a.undef {
				hold = append(hold, a.lit)
			}
		}
		holds := e.any(hold)
		if got.v.term != "" {
			holds = e.z.Prop("(= " + got.v.term + " " + smt.Word(c.Word) + ")")
		}
		a := e.s.Fresh()
		e.ends[e.seg] = append(e.ends[e.seg], a)
		e.assert(-a, e.and(holds, ok))
	}
	for _, a := range seg.Freed {
		live, set := s.live[a]
		if o := s.im.Find(a); !set {
			live = e.constant(o != nil && o.Live)
		}
		e.must(-live)
	}
	return nil
}

// evaluator returns an evaluator for the expressions of the statement that item i of the trace executes. It knows the
// results of those calls in the statement that the trace executes as items of their own.
func (e *encoder) evaluator(s *state, i int) (*evaluator, error) {
	it := &s.t.Seg.Items[i]
	w := s.t.At(i)
	v := &evaluator{s: s, e: e}
	if it.Kind == spec.Enter || it.Kind == spec.Finish {
		v.inner = w.Elsewhere
		for _, a := range it.Results {
			r := value{alts: []alt{{lit: e.yes}}}
			if o := s.im.Find(a); o != nil {
				c, _, err := s.lookup(a, o.Var.Type)
				if err != nil {
					return nil, err
				}
				r = c.v
			}
			v.known = append(v.known, r)
		}
	}
	return v, nil
}

func (e *encoder) item(s *state, i int) error {
	it := &s.t.Seg.Items[i]
	st := e.p.Program.Stmts[it.Stmt]
	switch {
	case it.Concrete != nil:
		return e.concrete(s, it.Concrete)
	case it.Kind == spec.Leave:
		s.t.Pop(it.Frame)
		for v, a := range it.Frame.Vars {
			if it.Frame.Owns(v) && v != it.Frame.Func.Result {
				delete(s.cells, a)
			}
		}
		return nil
	case it.Kind == spec.Enter:
		return e.enter(s, i, it, e.place(it.Stmt))
	case st.Kind == lower.Cond:
		return e.cond(s, i, it, e.place(it.Stmt))
	}
	return e.statement(s, i, e.place(it.Stmt))
}

func (e *encoder) concrete(s *state, d *spec.Delta) error {
	for _, n := range d.New {
		s.live[n.Addr] = e.yes
		s.taken[n.Addr] = e.yes
	}
	for _, w := range d.Writes {
		if err := s.bytes(w.Addr, w.Bytes); err != nil {
			return err
		}
	}
	for _, l := range d.Live {
		s.live[l.Addr] = e.constant(l.Live)
	}
	return nil
}

// cond asserts the decision of a condition.
func (e *encoder) cond(s *state, i int, it *spec.Item, p *place) error {
	if e.deferred[it.Stmt] && it.Forced {
		return nil
	}
	v, err := e.evaluator(s, i)
	if err != nil {
		return err
	}
	want := func(t int) int {
		if it.Decision == 1 {
			return t
		}
		return -t
	}
	st := p.u.Stmt
	x := st.X
	var orig int
	if b := p.u.Base; b != nil && b.Delete {
		orig = want(e.no())
	} else {
		if b != nil && b.New != nil {
			x = b.New
		}
		t, ok, err := v.truth(-p.r, x)
		if err != nil {
			return err
		}
		orig = e.and(want(t), ok)
	}
	e.must(p.r, orig)
	for c, choice := range p.conds {
		t, ok, err := v.again().truth(choice, p.u.Conds[c])
		if errors.Is(err, errUnsupported) {
			e.exclude(err, -choice)
			continue
		}
		if err != nil {
			return err
		}
		e.must(-choice, e.and(want(t), ok))
	}
	return nil
}

// statement executes a statement: the original if its selectors are false, otherwise the chosen one.
func (e *encoder) statement(s *state, i int, p *place) error {
	v, err := e.evaluator(s, i)
	if err != nil {
		return err
	}
	run := e.yes // literal that the guard holds
	if len(p.conds) > 0 {
		var hold []int
		for c, choice := range p.conds {
			t, ok, err := v.again().truth(e.no(), p.u.Conds[c])
			if errors.Is(err, errUnsupported) {
				e.exclude(err, -choice)
				continue
			}
			if err != nil {
				return err
			}
			e.must(-choice, ok)
			hold = append(hold, e.and(choice, t))
		}
		run = e.or(-p.r, e.any(hold))
	}
	change, err := e.chosen(v, p, e.and(run, p.s))
	if err != nil {
		return err
	}
	if err := e.original(v.again(), p, e.and(run, -p.s)); err != nil {
		return err
	}
	return change.apply(s)
}

// original executes the program's own statement under the guard g.
func (e *encoder) original(v *evaluator, p *place, g int) error {
	if g == e.no() {
		return nil
	}
	st, b := p.u.Stmt, p.u.Base
	if b != nil && b.Delete {
		return nil
	}
	if b != nil && b.Guard != nil {
		t, ok, err := v.truth(g, b.Guard)
		if err != nil {
			return err
		}
		e.must(-g, ok)
		g = e.and(g, t)
	}
	if st.Kind == lower.End {
		return nil
	}
	x := st.X
	if b != nil && b.New != nil {
		x = b.New
	} else if st.Kind == lower.Decl {
		return e.declare(v, st.Decl, g)
	}
	return e.perform(v, p, x, g)
}

func (e *encoder) declare(v *evaluator, d *cfront.Decl, g int) error {
	base, ok := v.s.im.VarAddr(d.Var)
	if !ok {
		return errAbsent
	}
	if d.Zero {
		if g != e.yes {
			return unsupported("the declaration of %s", d.Var.Name)
		}
		if err := v.s.bytes(base, make([]byte, d.Var.Type.Size)); err != nil {
			return err
		}
	}
	for _, in := range d.Init {
		if !in.Type.IsScalar() || in.Field != nil {
			return unsupported("the initializer of %s", d.Var.Name)
		}
		w, ok, err := v.value(g, in.X)
		if err != nil {
			return err
		}
		e.must(-g, ok)
		if err := v.s.set(g, base+ctype.Word(in.Offset), in.Type, w); err != nil {
			return err
		}
	}
	return nil
}

// enter executes a statement up to a call that the trace enters.
func (e *encoder) enter(s *state, i int, it *spec.Item, p *place) error {
	v, err := e.evaluator(s, i)
	if err != nil {
		return err
	}
	params := it.Frame.Func.Params
	mixers := make([]*mixer, len(params))
	for k := range mixers {
		mixers[k] = e.mixer()
	}
	try := func(x cfront.Expr, g int) error {
		_, _, err := v.again().value(e.no(), x)
		if !errors.Is(err, errEnter) {
			if err == nil {
				e.must(-g)
				return nil
			}
			if errors.Is(err, errUnsupported) {
				e.exclude(err, -g)
				return nil
			}
			return err
		}
		e.must(-g, v.argOK)
		for k := range params {
			if k < len(v.args) {
				mixers[k].add(g, v.args[k])
			}
		}
		return nil
	}
	orig := p.u.Stmt.X
	if p.u.Stmt.Kind == lower.Decl {
		orig = p.u.Stmt.Decl.Init[0].X
	}
	if b := p.u.Base; b != nil && b.New != nil {
		orig = b.New
	}
	if err := try(orig, -p.s); err != nil {
		return err
	}
	for j, choice := range p.wholes {
		if err := try(p.u.Wholes[j], choice); err != nil {
			return err
		}
	}
	for _, a := range it.Frame.Vars {
		delete(s.cells, a)
	}
	s.t.Push(it.Frame)
	for k, x := range params {
		w, err := mixers[k].value()
		if err != nil {
			return err
		}
		if err := s.set(e.yes, it.Frame.Vars[x], x.Type, w); err != nil {
			return err
		}
	}
	return nil
}

// gaps executes the insertions after item i.
func (e *encoder) gaps(s *state, i int, gaps []int32) error {
	for _, id := range gaps {
		p := e.slot(id)
		s.t.AtGap(i)
		v := &evaluator{s: s, e: e}
		if b := p.u.Base; b != nil {
			g := e.yes
			if b.Guard != nil {
				t, ok, err := v.truth(g, b.Guard)
				if err != nil {
					return err
				}
				e.must(ok)
				g = t
			}
			if err := e.perform(v, p, b.New, g); err != nil {
				return err
			}
			continue
		}
		if p.t == e.no() {
			continue
		}
		c, err := e.chosen(v, p, p.t)
		if err != nil {
			return err
		}
		if err := c.apply(s); err != nil {
			return err
		}
	}
	return nil
}
