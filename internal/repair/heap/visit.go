package heap

import (
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

// This file executes the trace while it searches: one function for every kind
// of item. All of them leave the state as they found it and report nothing:
// leaves are collected.

func (s *search) stop() bool {
	s.nodes++
	if s.nodes&0xff == 0 && (time.Now().After(s.deadline) || s.ctx.Err() != nil) {
		s.timedOut = true
	}
	if s.p.MaxNodes > 0 && s.nodes >= s.p.MaxNodes {
		s.timedOut = true
	}
	return s.timedOut || len(s.leaves) >= maxLeaves
}

// segment continues with a segment.
func (s *search) segment(k int) {
	if k == len(s.p.Segments) {
		s.leaf()
		return
	}
	s.gaps(k, -1, s.p.Segments[k].Before, 0)
}

func (s *search) item(k, i int) {
	seg, t := s.p.Segments[k], s.traces[k]
	if i == len(seg.Items) {
		if t.Ends() {
			s.segment(k + 1)
		}
		return
	}
	if s.stop() || s.hopeless(k, i) {
		return
	}
	it := &seg.Items[i]
	st := s.p.Program.Stmts[it.Stmt]
	switch {
	case it.Concrete != nil || it.Kind == spec.Leave:
		mark := t.Im.Mark()
		_, _ = t.Exec(i, nil)
		s.gaps(k, i, it.Gaps, 0)
		t.Im.Rollback(mark)
	case st.Kind == lower.Cond && it.Kind == spec.Whole:
		s.cond(k, i, it, s.unit(it.Stmt))
	default:
		s.statement(k, i, it, s.unit(it.Stmt))
	}
}

// cond visits a condition: its decision is given.
func (s *search) cond(k, i int, it *spec.Item, u *unit) {
	t := s.traces[k]
	if s.deferred[it.Stmt] && it.Forced {
		s.gaps(k, i, it.Gaps, 0)
		return
	}
	want := it.Decision == 1
	old, oldOut := u.gvs, u.gout
	mark := t.Im.Mark()
	defer t.Im.Rollback(mark)
	origOK := false
	if !u.gout {
		got, err := t.Exec(i, u.Base)
		origOK = err == nil && got == want
	}
	if u.Locked || s.bG == 0 && !u.gout || t.Im.Mark() != mark {
		if origOK {
			s.gaps(k, i, it.Gaps, 0)
		}
		return
	}
	u.Build()
	next := make(bitset, (len(u.Conds)+63)/64)
	if old == nil {
		old = full(len(u.Conds))
	}
	old.each(func(c int) {
		if v, err := eval.Truth(t.At(i), u.Conds[c]); err == nil && v == want {
			next.set(c)
		}
		t.Im.Rollback(mark)
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
	t := s.traces[k]
	if u.Locked || !u.out && !u.gout && s.bS == 0 && s.bG == 0 {
		mark := t.Im.Mark()
		if _, err := t.Exec(i, u.Base); err == nil {
			s.gaps(k, i, it.Gaps, 0)
		}
		t.Im.Rollback(mark)
		return
	}
	u.Build()
	if len(u.Conds) == 0 || !u.gout && s.bG == 0 {
		s.execute(k, i, it, u)
		return
	}
	saved := u.gvs
	yes, no := s.split(t.At(i), u)
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

// split parts a place's remaining guards into those that hold and those that
// do not.
func (s *search) split(m eval.Memory, u *unit) (yes, no bitset) {
	all := u.gvs
	if all == nil {
		all = full(len(u.Conds))
	}
	yes, no = make(bitset, len(all)), make(bitset, len(all))
	all.each(func(c int) {
		t, err := eval.Truth(m, u.Conds[c])
		switch {
		case err != nil:
		case t:
			yes.set(c)
		default:
			no.set(c)
		}
	})
	return yes, no
}

// execute visits a statement whose guard holds.
func (s *search) execute(k, i int, it *spec.Item, u *unit) {
	t := s.traces[k]
	mark := t.Im.Mark()
	var orig effect
	origOK, simple := false, false
	if !u.out {
		if it.Kind == spec.Whole {
			orig, simple = s.originalEffect(t.At(i), u)
		}
		_, err := t.Exec(i, u.Base)
		origOK = err == nil
		if origOK && s.bS == 0 {
			s.gaps(k, i, it.Gaps, 0)
			t.Im.Rollback(mark)
			return
		}
		t.Im.Rollback(mark)
		if s.bS == 0 {
			return
		}
	}
	groups := s.group(t.At(i), t.Im, u)
	wholes := s.wholes(k, i, u)
	saved := u.vs
	if origOK {
		u.vs = make(bitset, (u.Pairs+len(u.Wholes)+63)/64)
		if simple {
			for _, p := range groups[orig] {
				u.vs.set(int(p))
			}
		}
		if _, err := t.Exec(i, u.Base); err == nil {
			key := t.Im.Since(mark)
			for _, w := range wholes {
				if w.key == key {
					for _, j := range w.members {
						u.vs.set(u.Pairs + j)
					}
				}
			}
			s.gaps(k, i, it.Gaps, 0)
		}
		t.Im.Rollback(mark)
		u.vs = saved
		delete(groups, orig)
	}
	s.classes(k, i, it.Gaps, 0, u, groups, &s.bS)
	s.tryWholes(k, i, it.Gaps, 0, u, wholes, &s.bS)
	u.vs = saved
}

// alike is a group of whole statements with one effect.
type alike struct {
	key     string
	members []int
}

// wholes groups a place's remaining whole statements by what they do at item i.
func (s *search) wholes(k, i int, u *unit) []alike {
	t := s.traces[k]
	var out []alike
	at := map[string]int{}
	for j := range u.Wholes {
		if u.vs != nil && !u.vs.has(u.Pairs+j) {
			continue
		}
		mark := t.Im.Mark()
		if s.whole(k, i, u, j) == nil {
			key := t.Im.Since(mark)
			n, ok := at[key]
			if !ok {
				n = len(out)
				at[key] = n
				out = append(out, alike{key: key})
			}
			out[n].members = append(out[n].members, j)
		}
		t.Im.Rollback(mark)
	}
	return out
}

// whole executes a whole statement at item i, or in the gaps after it.
func (s *search) whole(k, i int, u *unit, j int) error {
	t := s.traces[k]
	if u.Gap != nil {
		return eval.Do(t.AtGap(i), u.Wholes[j])
	}
	_, err := t.Exec(i, &repair.Edit{New: u.Wholes[j]})
	return err
}

// tryWholes tries every group of whole statements.
func (s *search) tryWholes(k, i int, gaps []int32, next int, u *unit, groups []alike, budget *int) {
	t := s.traces[k]
	was, saved := u.out, u.vs
	if !was {
		if *budget == 0 || len(groups) == 0 {
			return
		}
		*budget--
		u.out = true
	}
	for _, g := range groups {
		if s.timedOut {
			break
		}
		mark := t.Im.Mark()
		if s.whole(k, i, u, g.members[0]) == nil {
			u.vs = make(bitset, (u.Pairs+len(u.Wholes)+63)/64)
			for _, j := range g.members {
				u.vs.set(u.Pairs + j)
			}
			s.gaps(k, i, gaps, next)
		}
		t.Im.Rollback(mark)
	}
	u.vs = saved
	if !was {
		*budget++
		u.out = false
	}
}

// classes tries every group of candidates with one effect. next says where to
// go on: after gap number next-1 of the item.
func (s *search) classes(k, i int, gaps []int32, next int, u *unit, groups map[effect][]int32, budget *int) {
	im := s.traces[k].Im
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
			u.vs = make(bitset, (u.Pairs+len(u.Wholes)+63)/64)
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
func (s *search) originalEffect(m eval.Memory, u *unit) (effect, bool) {
	if b := u.Base; b != nil && (b.Delete || b.Guard != nil) {
		return effect{}, false
	}
	var l, r cfront.Expr
	switch u.Stmt.Kind {
	case lower.Decl:
		l, r = cfront.NewRef(u.Stmt.Decl.Var), u.Original()
	case lower.Return:
		l, r = cfront.NewRef(u.Stmt.Func.Result), u.Original()
	default:
		a, ok := u.Original().(*cfront.Assign)
		if !ok || a.HasOp {
			return effect{}, false
		}
		l, r = a.L, a.R
	}
	if !l.Type().IsScalar() || !cfront.Pure(r) || !cfront.Pure(l) {
		return effect{}, false
	}
	w, err := eval.Value(m, r)
	if err != nil {
		return effect{}, false
	}
	w, _ = ctype.Convert(r.Type(), l.Type(), w)
	addr, err := eval.Addr(m, l)
	return effect{addr, w & mask(l.Type().Size), l.Type().Size}, err == nil
}

func mask(size int64) ctype.Word {
	if size >= 8 {
		return ^ctype.Word(0)
	}
	return 1<<(8*size) - 1
}

// group sorts a unit's remaining candidates by effect.
func (s *search) group(m eval.Memory, im *heap.Image, u *unit) map[effect][]int32 {
	if u.Pairs == 0 {
		return nil
	}
	type val struct {
		w  ctype.Word
		ok bool
	}
	addrs, vals := make([]val, len(u.Lhs)), make([]val, len(u.Rhs))
	for i, l := range u.Lhs {
		a, err := eval.Addr(m, l)
		if err == nil {
			_, ok := im.Load(a, l.Type())
			addrs[i] = val{a, ok}
		}
	}
	for i, r := range u.Rhs {
		w, err := eval.Value(m, r)
		vals[i] = val{w, err == nil && s.known(im, r)}
	}
	groups := map[effect][]int32{}
	for ci := range u.Classes {
		c := &u.Classes[ci]
		for a, li := range c.L {
			if !addrs[li].ok {
				continue
			}
			size := u.Lhs[li].Type().Size
			for b, ri := range c.R {
				k := c.Base + a*len(c.R) + b
				if !vals[ri].ok || u.vs != nil && !u.vs.has(k) {
					continue
				}
				w := vals[ri].w
				if rt := u.Rhs[ri].Type(); rt.Size != size {
					w, _ = ctype.Convert(rt, u.Lhs[li].Type(), w)
				}
				e := effect{addrs[li].w, w & mask(size), size}
				groups[e] = append(groups[e], int32(k))
			}
		}
	}
	return groups
}

// known reports whether a path reads memory that was written.
func (s *search) known(im *heap.Image, x cfront.Expr) bool {
	switch x.(type) {
	case *cfront.Ref, *cfront.Member, *cfront.Deref, *cfront.Index:
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
	t := s.traces[k]
	if u.Base != nil {
		mark := t.Im.Mark()
		if u.Base.Run(t.AtGap(i)) == nil {
			s.gaps(k, i, gaps, j+1)
		}
		t.Im.Rollback(mark)
		return
	}
	free := !u.Locked && (u.out || s.bI > 0)
	if free && s.p.Rich {
		s.guarded(k, i, gaps, j, u)
		return
	}
	if !u.out {
		u.skipped++
		s.gaps(k, i, gaps, j+1)
		u.skipped--
		if !free || u.skipped > 0 || s.stop() {
			return
		}
	}
	s.fill(k, i, gaps, j, u)
}

// fill inserts into a gap.
func (s *search) fill(k, i int, gaps []int32, j int, u *unit) {
	u.Build()
	t := s.traces[k]
	groups := s.group(t.AtGap(i), t.Im, u)
	s.classes(k, i, gaps, j+1, u, groups, &s.bI)
	s.tryWholes(k, i, gaps, j+1, u, s.wholes(k, i, u), &s.bI)
}

// guarded visits a gap whose insertion may have a guard: the visits at which it
// is not executed narrow the guards that are left. A gap that nothing was
// inserted into yet keeps what its guards would have said.
func (s *search) guarded(k, i int, gaps []int32, j int, u *unit) {
	if s.stop() {
		return
	}
	u.Build()
	saved := u.gvs
	yes, no := s.split(s.traces[k].AtGap(i), u)
	if !u.out || no.any() {
		u.gvs = no
		u.skipped++
		s.gaps(k, i, gaps, j+1)
		u.skipped--
	}
	switch {
	case yes.any():
		u.gvs = yes
		s.fill(k, i, gaps, j, u)
	}
	u.gvs = saved
}
