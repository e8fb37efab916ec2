// Package heap repairs heap manipulations: given segments of a trace with a
// concrete state at both ends, it finds the smallest edits that make every
// segment end in its asserted state.
//
// The query is Wolverine2's (Verma and Roy, "Debug-Localize-Repair: A Symbiotic
// Construction for Heap Manipulations", Formal Methods in System Design 58,
// 2021, section 4): guards,
// statements and insertion slots may change, loop iterations share their
// statements, and closeness to the program is kept by bounds that are widened.
// Where we differ: instead of one SMT formula the trace is executed concretely
// with version spaces. Every place keeps the set of edits still consistent
// with the behaviour chosen so far; the edits are grouped by effect; a place is
// charged when its original leaves the set. Bounds are widened in order of
// total cost, so the first repair is minimal. There is a slot in every gap
// instead of the placing function ξ: the same programs for one insertion a gap.
//
// A guard that the user forced true is not pinned down before the trace has
// left its loop: until then every condition that is always true would do.
package heap

import (
	"context"
	"math/bits"
	"sort"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/spec"
)

func trailing(w uint64) int { return bits.TrailingZeros64(w) }

// Problem is a repair query.
type Problem struct {
	Program  *lower.Program
	Segments []*spec.Segment
	Base     *repair.Patch        // edits in force
	Free     func(id int32) bool  // statements that may change; nil: all
	FreeGap  func(gap int32) bool // gaps that may be filled; nil: all
	MaxCost  int                  // edits; 0 means 4
	Slots    int                  // insertions; default 2
	Limit    time.Duration        // 0 means 10 s
}

// Repair is one answer.
type Repair struct {
	Patch    *repair.Patch // the new edits only
	Cost     int
	Distance int // tokens changed
}

// Result is what a search found.
type Result struct {
	Repairs  []Repair // of minimal cost, best first
	Count    int      // how many repairs of that cost there are, as far as counted
	Cost     int
	Nodes    int64
	Complete bool // the space up to the bounds was searched
	Cause    string
}

type search struct {
	p        *Problem
	units    map[int32]*unit
	slots    map[int32]*unit
	imgs     []*heap.Image
	later    []*lookahead
	deferred map[int32]bool

	bG, bS, bI int
	nodes      int64
	deadline   time.Time
	ctx        context.Context
	timedOut   bool
	leaves     []Repair
	count      int
	seen       map[string]bool
}

// maxLeaves bounds how many repairs of one cost are collected.
const maxLeaves = 200

// Solve searches for repairs of minimal total cost.
func Solve(ctx context.Context, p *Problem) *Result {
	if p.MaxCost == 0 {
		p.MaxCost = 4
	}
	if p.Limit == 0 {
		p.Limit = 10 * time.Second
	}
	s := &search{p: p, units: map[int32]*unit{}, slots: map[int32]*unit{}, deadline: time.Now().Add(p.Limit), ctx: ctx, deferred: Deferred(p.Program, p.Segments)}
	s.p = failingFirst(p, s.deferred)
	p = s.p
	for _, seg := range p.Segments {
		s.imgs = append(s.imgs, seg.Prepare())
		s.later = append(s.later, s.lookahead(seg, s.imgs[len(s.imgs)-1]))
	}
	res := &Result{}
	for tot := 0; tot <= p.MaxCost && !s.timedOut; tot++ {
		s.leaves, s.count, s.seen = nil, 0, map[string]bool{}
		for i := 0; i <= min(tot, p.Slots); i++ {
			for st := 0; st <= tot-i; st++ {
				s.bG, s.bS, s.bI = tot-i-st, st, i
				s.reset()
				s.segment(0)
			}
		}
		if len(s.leaves) > 0 {
			sort.SliceStable(s.leaves, func(a, b int) bool { return s.leaves[a].Distance < s.leaves[b].Distance })
			res.Repairs, res.Count, res.Cost = s.leaves, s.count, tot
			break
		}
	}
	res.Nodes, res.Complete = s.nodes, !s.timedOut
	if s.timedOut {
		res.Cause = "time limit"
	}
	return res
}

// failingFirst orders the segments, which share nothing but the program's text,
// so that those that fail come first: they decide what must change, the others
// only narrow it down.
func failingFirst(p *Problem, deferred map[int32]bool) *Problem {
	q := *p
	base := p.Base
	if base == nil {
		base = repair.NewPatch()
	}
	var good []*spec.Segment
	q.Segments = nil
	for _, seg := range p.Segments {
		if replay(p.Program, seg, base, deferred) {
			good = append(good, seg)
		} else {
			q.Segments = append(q.Segments, seg)
		}
	}
	q.Segments = append(q.Segments, good...)
	return &q
}

// Deferred returns the loop conditions that were forced but whose loop the
// trace never leaves.
func Deferred(p *lower.Program, segs []*spec.Segment) map[int32]bool {
	forced, left := map[int32]bool{}, map[int32]bool{}
	for _, seg := range segs {
		for i := range seg.Items {
			it := &seg.Items[i]
			s := p.Stmts[it.Stmt]
			if s.Kind != lower.Cond || !s.Loop {
				continue
			}
			if it.Forced && it.Decision == 1 {
				forced[it.Stmt] = true
			}
			if it.Decision == 0 {
				left[it.Stmt] = true
			}
		}
	}
	for id := range left {
		delete(forced, id)
	}
	return forced
}

func (s *search) reset() {
	for _, u := range s.units {
		u.out, u.gout, u.vs, u.gvs, u.skipped = false, false, nil, nil, 0
	}
	for _, u := range s.slots {
		u.out, u.gout, u.vs, u.gvs, u.skipped = false, false, nil, nil, 0
	}
	for _, im := range s.imgs {
		im.Rollback(0)
	}
}

func (s *search) unit(id int32) *unit {
	u, ok := s.units[id]
	if ok {
		return u
	}
	st := s.p.Program.Stmts[id]
	u = &unit{stmt: st}
	if s.p.Base != nil {
		u.base = s.p.Base.Stmts[id]
	}
	u.locked = s.p.Free != nil && !s.p.Free(id) || !editable(st)
	s.units[id] = u
	return u
}

// editable reports whether the statement's bytes are the user's.
func editable(st *lower.Stmt) bool {
	switch st.Kind {
	case lower.Cond, lower.Expr, lower.Post:
		return st.X.Editable()
	case lower.Decl:
		return len(st.Decl.Init) == 1 && st.Decl.Init[0].X.Editable() && st.Decl.Var.Type.IsScalar()
	}
	return false
}

func (s *search) slot(id int32) *unit {
	u, ok := s.slots[id]
	if ok {
		return u
	}
	g := s.p.Program.Gaps[id]
	u = &unit{gap: g, locked: s.p.FreeGap != nil && !s.p.FreeGap(id)}
	if s.p.Base != nil {
		u.base = s.p.Base.Gaps[id]
	}
	s.slots[id] = u
	return u
}

// build makes a unit's candidates when they are first needed.
func (s *search) build(u *unit) {
	if u.built {
		return
	}
	u.built = true
	if u.gap != nil {
		file, off := repair.GapOffset(u.gap)
		u.assignments(scopeAt(s.p.Program, u.gap.Func, file, off), nil, u.gap.Func)
		return
	}
	st := u.stmt
	sc := scopeAt(s.p.Program, st.Func, st.Range.File, st.Range.Start)
	switch st.Kind {
	case lower.Cond:
		orig := st.X
		if u.base != nil && u.base.New != nil {
			orig = u.base.New
		}
		u.conds = conditions(sc, st.Func, orig)
	case lower.Decl:
		u.assignments(sc, cfront.NewRef(st.Decl.Var), st.Func)
		u.conds = nil
	default:
		u.assignments(sc, nil, st.Func)
		u.mutants = mutants(sc, st.Func, original(u))
		u.conds = append([]cfront.Expr{cfront.NewConst(ctype.IntT, 0)}, atoms(sc, st.Func)...)
	}
}

func (s *search) stop() bool {
	s.nodes++
	if s.nodes&0xff == 0 && (time.Now().After(s.deadline) || s.ctx.Err() != nil) {
		s.timedOut = true
	}
	return s.timedOut || len(s.leaves) >= maxLeaves
}

// segment continues with a segment. All search functions leave state as they
// found it and report nothing: leaves are collected.
func (s *search) segment(k int) {
	if k == len(s.p.Segments) {
		s.leaf()
		return
	}
	s.gaps(k, -1, s.p.Segments[k].Before, 0)
}

func (s *search) item(k, i int) {
	seg := s.p.Segments[k]
	im := s.imgs[k]
	if i == len(seg.Items) {
		for j := range seg.End {
			c := &seg.End[j]
			if !im.Holds(c.Addr, c.Type, c.Word) {
				return
			}
		}
		s.segment(k + 1)
		return
	}
	if s.stop() || s.hopeless(k, i) {
		return
	}
	it := &seg.Items[i]
	im.SetVars(it.Vars)
	st := s.p.Program.Stmts[it.Stmt]
	mark := im.Mark()
	switch {
	case it.Concrete != nil:
		it.Concrete.Apply(im)
		s.gaps(k, i, it.Gaps, 0)
		im.Rollback(mark)
	case st.Kind == lower.Cond:
		s.cond(k, i, it, s.unit(it.Stmt))
	default:
		s.statement(k, i, it, s.unit(it.Stmt))
	}
}

// cond visits a condition: its decision is given.
func (s *search) cond(k, i int, it *spec.Item, u *unit) {
	im := s.imgs[k]
	if s.deferred[it.Stmt] && it.Forced {
		s.gaps(k, i, it.Gaps, 0)
		return
	}
	want := it.Decision == 1
	old, oldOut := u.gvs, u.gout
	origOK := false
	if !u.gout {
		got, err := repair.Exec(im, u.stmt, u.base)
		origOK = err == nil && got == want
	}
	if u.locked || s.bG == 0 && !u.gout {
		if origOK {
			s.gaps(k, i, it.Gaps, 0)
		}
		return
	}
	s.build(u)
	next := make(bitset, (len(u.conds)+63)/64)
	if old == nil {
		old = full(len(u.conds))
	}
	old.each(func(c int) {
		if t, err := eval.Truth(im, u.conds[c]); err == nil && t == want {
			next.set(c)
		}
	})
	saved := u.gvs
	u.gvs = next
	if origOK {
		s.gaps(k, i, it.Gaps, 0)
	} else if next.any() {
		if !oldOut {
			s.bG--
			u.gout = true
		}
		s.gaps(k, i, it.Gaps, 0)
		if !oldOut {
			s.bG++
			u.gout = false
		}
	}
	u.gvs = saved
}

// effect is what an assignment does: one word stored.
type effect struct {
	addr, word ctype.Word
	size       int64
}

// statement visits a statement that is executed or, by a changed guard, not.
func (s *search) statement(k, i int, it *spec.Item, u *unit) {
	im := s.imgs[k]
	if u.locked || !u.out && !u.gout && s.bS == 0 && s.bG == 0 {
		mark := im.Mark()
		if _, err := repair.Exec(im, u.stmt, u.base); err == nil {
			s.gaps(k, i, it.Gaps, 0)
		}
		im.Rollback(mark)
		return
	}
	s.build(u)
	if len(u.conds) == 0 || !u.gout && s.bG == 0 {
		s.execute(k, i, it, u)
		return
	}
	saved := u.gvs
	all := saved
	if all == nil {
		all = full(len(u.conds))
	}
	yes, no := make(bitset, len(all)), make(bitset, len(all))
	all.each(func(c int) {
		t, err := eval.Truth(im, u.conds[c])
		switch {
		case err != nil:
		case t:
			yes.set(c)
		default:
			no.set(c)
		}
	})
	if !u.gout || yes.any() {
		u.gvs = yes
		s.execute(k, i, it, u)
	}
	if no.any() && (u.gout || s.bG > 0) {
		u.gvs = no
		was := u.gout
		if !was {
			s.bG--
			u.gout = true
		}
		s.gaps(k, i, it.Gaps, 0)
		if !was {
			s.bG++
			u.gout = false
		}
	}
	u.gvs = saved
}

// execute visits a statement whose guard holds.
func (s *search) execute(k, i int, it *spec.Item, u *unit) {
	im := s.imgs[k]
	mark := im.Mark()
	var orig effect
	origOK, simple := false, false
	if !u.out {
		if orig, simple = s.originalEffect(im, u); simple {
			origOK = true
		}
		if _, err := repair.Exec(im, u.stmt, u.base); err == nil {
			origOK = true
			if s.bS == 0 {
				s.gaps(k, i, it.Gaps, 0)
				im.Rollback(mark)
				return
			}
		} else {
			origOK = false
		}
		im.Rollback(mark)
		if s.bS == 0 {
			return
		}
	}
	groups := s.group(im, u)
	saved := u.vs
	if origOK {
		u.vs = make(bitset, (u.pairs+len(u.mutants)+63)/64)
		if simple {
			for _, p := range groups[orig] {
				u.vs.set(int(p))
			}
		}
		if _, err := repair.Exec(im, u.stmt, u.base); err == nil {
			s.gaps(k, i, it.Gaps, 0)
		}
		im.Rollback(mark)
		u.vs = saved
		delete(groups, orig)
	}
	s.classes(k, i, it.Gaps, 0, u, groups, &s.bS)
	s.mutate(k, i, it, u)
	u.vs = saved
}

// mutate tries the mutants of a statement, grouped by what they store.
func (s *search) mutate(k, i int, it *spec.Item, u *unit) {
	im := s.imgs[k]
	var keys []string
	groups := map[string][]int{}
	for j, x := range u.mutants {
		if u.vs != nil && !u.vs.has(u.pairs+j) {
			continue
		}
		mark := im.Mark()
		if _, err := repair.Exec(im, u.stmt, &repair.Edit{New: x}); err == nil {
			key := im.Since(mark)
			if groups[key] == nil {
				keys = append(keys, key)
			}
			groups[key] = append(groups[key], j)
		}
		im.Rollback(mark)
	}
	was, saved := u.out, u.vs
	if !was {
		if s.bS == 0 {
			return
		}
		s.bS--
		u.out = true
	}
	for _, key := range keys {
		if s.timedOut {
			break
		}
		mark := im.Mark()
		_, _ = repair.Exec(im, u.stmt, &repair.Edit{New: u.mutants[groups[key][0]]})
		u.vs = make(bitset, (u.pairs+len(u.mutants)+63)/64)
		for _, j := range groups[key] {
			u.vs.set(u.pairs + j)
		}
		s.gaps(k, i, it.Gaps, 0)
		im.Rollback(mark)
	}
	u.vs = saved
	if !was {
		s.bS++
		u.out = false
	}
}

// classes tries every group of candidates with one effect. next says where to
// go on: after gap number next-1 of the item.
func (s *search) classes(k, i int, gaps []int32, next int, u *unit, groups map[effect][]int32, budget *int) {
	im := s.imgs[k]
	was := u.out
	if !was {
		if *budget == 0 {
			return
		}
		*budget--
		u.out = true
	}
	saved := u.vs
	for _, e := range order(groups) {
		mark := im.Mark()
		t := wordType(e.size)
		if im.Store(e.addr, t, e.word) {
			u.vs = make(bitset, (u.pairs+len(u.mutants)+63)/64)
			for _, p := range groups[e] {
				u.vs.set(int(p))
			}
			s.gaps(k, i, gaps, next)
		}
		im.Rollback(mark)
		if s.timedOut {
			break
		}
	}
	u.vs = saved
	if !was {
		*budget++
		u.out = false
	}
}

// order makes the search repeatable.
func order(groups map[effect][]int32) []effect {
	out := make([]effect, 0, len(groups))
	for e := range groups {
		out = append(out, e)
	}
	sort.Slice(out, func(i, j int) bool { return groups[out[i]][0] < groups[out[j]][0] })
	return out
}

func wordType(size int64) *ctype.Type {
	switch size {
	case 1:
		return ctype.UCharT
	case 2:
		return ctype.UShortT
	case 4:
		return ctype.UIntT
	}
	return ctype.ULongT
}

// originalEffect returns the one store that the original statement does, when
// it is of that form.
func (s *search) originalEffect(im *heap.Image, u *unit) (effect, bool) {
	x := u.stmt.X
	if u.base != nil && u.base.New != nil {
		x = u.base.New
	}
	if u.stmt.Kind == lower.Decl {
		a, ok := im.VarAddr(u.stmt.Decl.Var)
		if u.base == nil || u.base.New == nil {
			x = u.stmt.Decl.Init[0].X
		}
		w, err := eval.Value(im, x)
		return effect{a, w & mask(u.stmt.Decl.Var.Type.Size), u.stmt.Decl.Var.Type.Size}, ok && err == nil
	}
	a, ok := x.(*cfront.Assign)
	if !ok || a.HasOp || !a.L.Type().IsScalar() || !cfront.Pure(a.R) || !cfront.Pure(a.L) {
		return effect{}, false
	}
	w, err := eval.Value(im, a.R)
	if err != nil {
		return effect{}, false
	}
	addr, err := eval.Addr(im, a.L)
	return effect{addr, w & mask(a.L.Type().Size), a.L.Type().Size}, err == nil
}

func mask(size int64) ctype.Word {
	if size >= 8 {
		return ^ctype.Word(0)
	}
	return 1<<(8*size) - 1
}

// group sorts a unit's remaining candidates by effect.
func (s *search) group(im *heap.Image, u *unit) map[effect][]int32 {
	type val struct {
		w  ctype.Word
		ok bool
	}
	addrs, vals := make([]val, len(u.lhs)), make([]val, len(u.rhs))
	for i, l := range u.lhs {
		a, err := eval.Addr(im, l)
		if err == nil {
			_, ok := im.Load(a, l.Type())
			addrs[i] = val{a, ok}
		}
	}
	for i, r := range u.rhs {
		w, err := eval.Value(im, r)
		vals[i] = val{w, err == nil && s.known(im, r)}
	}
	groups := map[effect][]int32{}
	for ci := range u.classes {
		c := &u.classes[ci]
		for a, li := range c.ls {
			if !addrs[li].ok {
				continue
			}
			size := u.lhs[li].Type().Size
			for b, ri := range c.rs {
				k := c.base + a*len(c.rs) + b
				if !vals[ri].ok || u.vs != nil && !u.vs.has(k) {
					continue
				}
				e := effect{addrs[li].w, vals[ri].w & mask(size), size}
				groups[e] = append(groups[e], int32(k))
			}
		}
	}
	return groups
}

// known reports whether a path reads memory that was written.
func (s *search) known(im *heap.Image, x cfront.Expr) bool {
	switch x.(type) {
	case *cfront.Ref, *cfront.Member, *cfront.Deref:
		a, err := eval.Addr(im, x)
		return err == nil && im.Known(a, x.Type().Size)
	}
	return true
}

// gaps visits the gaps after item i from number j on, then the next item.
func (s *search) gaps(k, i int, gaps []int32, j int) {
	if j == len(gaps) {
		s.item(k, i+1)
		return
	}
	u := s.slot(gaps[j])
	im := s.imgs[k]
	if u.base != nil {
		mark := im.Mark()
		if _, err := eval.Value(im, u.base.New); err == nil {
			s.gaps(k, i, gaps, j+1)
		}
		im.Rollback(mark)
		return
	}
	if !u.out {
		u.skipped++
		s.gaps(k, i, gaps, j+1)
		u.skipped--
		if s.bI == 0 || u.skipped > 0 || u.locked || s.stop() {
			return
		}
	}
	s.build(u)
	s.classes(k, i, gaps, j+1, u, s.group(im, u), &s.bI)
}
