package proof

import (
	"errors"
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/repair/space"
)

// This file evaluates the choices at a place: for each class all assignments at once, by left and right side; and whole
// statements.

// change is the effect of the chosen statement at a place. It is computed in the state before, and applied after the
// original was executed.
type change struct {
	stores []pending
	wholes func(s *state) error
}

type pending struct {
	addr ctype.Word
	typ  *ctype.Type
	g    int
	v    value
}

// apply makes all stores at once; they exclude each other.
func (c *change) apply(s *state) error {
	e := s.e
	type target struct {
		addr ctype.Word
		size int64
	}
	by := map[target][]pending{}
	var order []target
	for _, p := range c.stores {
		t := target{p.addr, p.typ.Size}
		if by[t] == nil {
			order = append(order, t)
		}
		by[t] = append(by[t], p)
	}
	for _, t := range order {
		ps := by[t]
		old, _, err := s.lookup(t.addr, ps[0].typ)
		if err != nil {
			return err
		}
		m := e.mixer()
		var any []int
		for _, p := range ps {
			m.add(p.g, defined(p.v))
			any = append(any, p.g)
		}
		m.add(-e.any(any), old.v)
		if old.v, err = m.value(); err != nil {
			return err
		}
		s.cells[t.addr] = old
	}
	return c.wholes(s)
}

// pureStore evaluates a whole statement that is one store of a value without side effects; ok is false for other
// statements.
func (e *encoder) pureStore(v *evaluator, p *place, x cfront.Expr, g int) (out []pending, ok bool, err error) {
	var a, w value
	var typ *ctype.Type
	var good int
	assign, isAssign := x.(*cfront.Assign)
	dst := p.destination()
	switch {
	case dst != nil && cfront.Pure(x):
		if w, good, err = v.value(e.no(), x); err != nil {
			return nil, true, err
		}
		typ = dst.Type
		if w, err = v.convert(w, x.Type(), typ); err != nil {
			return nil, true, err
		}
		at, here := v.s.im.VarAddr(dst)
		if !here {
			return nil, true, errAbsent
		}
		a = e.single(at)
	case isAssign && !assign.HasOp && assign.L.Type().IsScalar() && cfront.Pure(assign.L) && cfront.Pure(assign.R):
		if w, good, err = v.value(e.no(), assign.R); err != nil {
			return nil, true, err
		}
		var good2 int
		if a, good2, err = v.addr(e.no(), assign.L); err != nil {
			return nil, true, err
		}
		typ, good = assign.L.Type(), e.and(good, good2)
	default:
		return nil, false, nil
	}
	e.must(-g, good)
	if a.term != "" {
		return nil, true, unsupported("an address that is computed")
	}
	for _, x := range a.alts {
		_, can, err := v.s.lookup(x.w, typ)
		if err != nil {
			return nil, true, err
		}
		e.must(-g, -x.lit, can)
		out = append(out, pending{x.w, typ, e.and(g, x.lit), w})
	}
	return out, true, nil
}

// destination returns the variable in which the statement at a place stores its value, for declarations and returns;
// nil for others.
func (p *place) destination() *cfront.Var {
	switch {
	case p.u.Stmt == nil:
	case p.u.Stmt.Kind == lower.Decl:
		return p.u.Stmt.Decl.Var
	case p.u.Stmt.Kind == lower.Return:
		return p.u.Stmt.Func.Result
	}
	return nil
}

// exclude rules out a choice that cannot be evaluated. The search is then partial, unless the choice names something
// that does not exist there.
func (e *encoder) exclude(err error, lits ...int) {
	if !errors.Is(err, errAbsent) {
		e.partial = true
	}
	e.must(lits...)
}

// chosen evaluates the choices at a place under the guard g.
func (e *encoder) chosen(v *evaluator, p *place, g int) (*change, error) {
	out := &change{wholes: func(*state) error { return nil }}
	if g == e.no() {
		return out, nil
	}
	var rest []int
	for j, choice := range p.wholes {
		h := e.and(g, choice)
		stores, ok, err := e.pureStore(v.again(), p, p.u.Wholes[j], h)
		switch {
		case errors.Is(err, errUnsupported):
			e.exclude(err, -h)
		case err != nil:
			return nil, err
		case !ok:
			rest = append(rest, j)
		}
		out.stores = append(out.stores, stores...)
	}
	out.wholes = func(*state) error {
		for _, j := range rest {
			h := e.and(g, p.wholes[j])
			err := e.perform(v.again(), p, p.u.Wholes[j], h)
			if errors.Is(err, errUnsupported) || errors.Is(err, errEnter) {
				e.exclude(err, -h)
				continue
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	type result struct {
		v    value
		good int
	}
	rights := make([]result, len(p.u.Rhs))
	for k, x := range p.u.Rhs {
		w, ok, err := v.again().value(e.no(), x)
		if errors.Is(err, errUnsupported) {
			e.partial = e.partial || !errors.Is(err, errAbsent)
			rights[k].good = e.no()
			continue
		}
		if err != nil {
			return nil, err
		}
		rights[k] = result{w, e.and(ok, e.known(w))}
	}
	for ci := range p.u.Classes {
		c := &p.u.Classes[ci]
		if len(c.L) == 0 {
			continue
		}
		typ := p.u.Lhs[c.L[0]].Type()
		m := e.mixer()
		for b, ri := range c.R {
			choice := p.right[ci][b]
			r := rights[ri]
			e.must(-choice, -g, r.good)
			if r.good == e.no() {
				continue
			}
			w := r.v
			if rt := p.u.Rhs[ri].Type(); rt.Size != typ.Size || rt.Signed != typ.Signed {
				var err error
				if w, err = v.convert(w, rt, typ); err != nil {
					e.exclude(err, -choice, -g)
					continue
				}
			}
			m.add(choice, w)
		}
		if p.holes[ci] != "" {
			m.add(p.right[ci][len(c.R)], value{term: p.holes[ci]})
		}
		assigned, err := m.value()
		if err != nil {
			return nil, err
		}
		if err := e.targets(v, p, c, g, typ, assigned, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// targets evaluates which cells the chosen left side of a class assigns to.
func (e *encoder) targets(v *evaluator, p *place, c *space.Class, g int, typ *ctype.Type, w value, out *change) error {
	hit := map[ctype.Word][]int{}
	var order []ctype.Word
	for _, li := range c.L {
		choice := p.left[li]
		a, ok, err := v.again().addr(e.no(), p.u.Lhs[li])
		if errors.Is(err, errUnsupported) {
			e.exclude(err, -choice, -g)
			continue
		}
		if err != nil {
			return err
		}
		e.must(-choice, -g, ok)
		for _, x := range a.alts {
			_, can, err := v.s.lookup(x.w, typ)
			if err != nil {
				return err
			}
			e.must(-choice, -g, -x.lit, can)
			if hit[x.w] == nil {
				order = append(order, x.w)
			}
			hit[x.w] = append(hit[x.w], e.and(choice, x.lit))
		}
	}
	sort.Slice(order, func(i, j int) bool { return order[i] < order[j] })
	for _, a := range order {
		out.stores = append(out.stores, pending{a, typ, e.and(g, e.any(hit[a])), w})
	}
	return nil
}

// perform executes an expression as the statement of a place under the guard g.
func (e *encoder) perform(v *evaluator, p *place, x cfront.Expr, g int) error {
	w, ok, err := v.value(g, x)
	if err != nil {
		return err
	}
	e.must(-g, ok)
	dst := p.destination()
	if dst == nil {
		return nil
	}
	if w, err = v.convert(w, x.Type(), dst.Type); err != nil {
		return err
	}
	a, ok2 := v.s.im.VarAddr(dst)
	if !ok2 {
		return errAbsent
	}
	return v.s.set(g, a, dst.Type, w)
}
