package trace

import (
	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/spec"
)

// This file executes the trace during the search, with one function for every kind of item. All of them restore the
// state before they return, and return nothing: repairs are collected at the leaves.

// perNode is the cost of visiting a state in steps of package budget: 7 µs were measured.
const perNode = 500

func (s *search) stop() bool {
	if s.nodes++; s.nodes&0xff == 0 {
		budget.Spend(s.ctx, 0x100*perNode)
	}
	if s.nodes&0xff == 0 || s.limit > 0 && s.nodes >= s.limit {
		s.timedOut = s.timedOut || s.over() || s.limit > 0 && s.nodes >= s.limit
	}
	return s.halted()
}

// halted reports whether the search must end, for a limit or because enough is known.
func (s *search) halted() bool {
	return s.timedOut || s.solved || s.first > 0 && s.p.More > 0 && s.nodes > s.first+s.first/4+s.p.More || len(s.leaves) >= maxLeaves
}

// segment continues with a segment, with as few edits in it as possible first.
func (s *search) segment(k int) {
	if s.only && s.passed {
		s.solved = true
		return
	}
	if k == len(s.p.Segments) {
		s.leaf()
		return
	}
	if !s.enough(k) {
		return
	}
	left, rest, passed, rel := s.left, s.rest, s.passed, s.rel
	least := s.lacking(s.later[k])
	if s.only {
		least = rest
	}
	most := rest
	if !s.only {
		most -= s.together(k, k+1)
	}
	for a := least; a <= most && !s.halted(); a++ {
		s.left, s.rest, s.passed = a, rest-a, false
		s.relate(k, -1, s.p.Segments[k].Before)
		s.gaps(k, -1, s.p.Segments[k].Before, 0)
		if s.passed && a == 0 && !s.thorough {
			break // nothing has to change here
		}
	}
	s.left, s.rest, s.passed, s.rel = left, rest, passed, rel
}

// enough reports whether the remaining edits suffice for each of the segments from number k on.
func (s *search) enough(k int) bool {
	for _, l := range s.later[k:] {
		if l.need > s.left+s.rest && s.lacking(l) > s.left+s.rest {
			return false
		}
	}
	return true
}

func (s *search) item(k, i int) {
	seg, t := s.p.Segments[k], s.traces[k]
	if i == len(seg.Items) {
		if s.left == 0 && t.Ends() {
			s.passed = true
			s.segment(k + 1)
		}
		return
	}
	if s.stop() || s.rel.dead(i) || s.hopeless(k, i) {
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

// cond visits a condition whose decision is given. As long as the original decides correctly, nothing is recorded; see
// recheck.
func (s *search) cond(k, i int, it *spec.Item, u *unit) {
	t := s.traces[k]
	if s.deferred[it.Stmt] && it.Forced {
		s.gaps(k, i, it.Gaps, 0)
		return
	}
	want := it.Decision == 1
	mark := t.Im.Mark()
	defer t.Im.Rollback(mark)
	if !u.gout {
		if got, err := t.Exec(i, u.Base); err == nil && got == want {
			s.gaps(k, i, it.Gaps, 0)
			return
		}
		if u.Locked || s.left == 0 || !s.rel.condition(i) || t.Im.Mark() != mark {
			return
		}
	}
	u.Build()
	saved, was, rel := u.gvs, u.gout, s.rel
	yes, no := s.split(t.At(i), u)
	t.Im.Rollback(mark)
	if u.gvs = yes; !want {
		u.gvs = no
	}
	if u.gvs.any() {
		s.leave(u, k, i)
		s.relate(k, i, it.Gaps)
		s.gaps(k, i, it.Gaps, 0)
		s.back(u, was)
	}
	u.gvs, s.rel = saved, rel
}

// leave spends an edit on a condition or guard, at its visit as item i.
func (s *search) leave(u *unit, k, i int) {
	if !u.gout {
		u.gout, u.goutAt = true, [2]int{k, i}
		s.left--
	}
}

// back undoes leave.
func (s *search) back(u *unit, was bool) {
	if !was {
		u.gout = false
		s.left++
	}
}

// effect is what an assignment does: one word stored.
type effect struct {
	addr, word ctype.Word
	size       int64
}

// statement visits a statement, which a changed guard may skip.
func (s *search) statement(k, i int, it *spec.Item, u *unit) {
	t := s.traces[k]
	if u.Locked || !u.out && !u.gout && (s.left == 0 || !s.rel.statement(i)) {
		mark := t.Im.Mark()
		if _, err := t.Exec(i, u.Base); err == nil {
			s.gaps(k, i, it.Gaps, 0)
		}
		t.Im.Rollback(mark)
		return
	}
	u.Build()
	removable := u.gout || s.left > 0 && s.rel.removable(i)
	if len(u.Conds) == 0 || !removable {
		s.execute(k, i, it, u)
		return
	}
	saved, was, rel := u.gvs, u.gout, s.rel
	if !u.gout {
		s.execute(k, i, it, u)
	}
	yes, no := s.split(t.At(i), u)
	if u.gout && yes.any() {
		u.gvs = yes
		s.execute(k, i, it, u)
	}
	if no.any() {
		u.gvs = no
		s.leave(u, k, i)
		s.relate(k, i, it.Gaps)
		s.gaps(k, i, it.Gaps, 0)
		s.back(u, was)
	}
	u.gvs, s.rel = saved, rel
}

// once reports whether a statement is visited at most once in all segments: then its guard need not agree with other
// visits.
func (s *search) once(stmt int32) bool {
	n := 0
	for _, l := range s.later {
		if n += len(l.visits[stmt]); n > 1 {
			return false
		}
	}
	return true
}

// execute visits a statement whose guard holds.
func (s *search) execute(k, i int, it *spec.Item, u *unit) {
	t := s.traces[k]
	mark := t.Im.Mark()
	var orig effect
	origOK, simple := false, false
	if !u.out {
		if it.Kind == spec.Whole {
			orig, simple = s.originalEffect(t, i, u)
		}
		_, err := t.Exec(i, u.Base)
		origOK = err == nil
		if origOK && s.left == 0 {
			s.gaps(k, i, it.Gaps, 0)
			t.Im.Rollback(mark)
			return
		}
		t.Im.Rollback(mark)
		if s.left == 0 {
			return
		}
	}
	f := filter{rel: s.rel, at: i}
	if origOK && !s.once(it.Stmt) { // candidates with the same effect here remain possible elsewhere
		f.keep, f.orig = true, orig
	}
	groups := s.group(t.At(i), t.Im, u, &f)
	wholes := s.wholes(k, i, u, &f)
	saved := u.vs
	if origOK {
		u.vs = make(bitset, (u.Pairs+len(u.Wholes)+63)/64)
		if simple {
			for _, g := range groups {
				if g.effect == orig {
					u.vs.add(g.members)
				}
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
		if simple {
			f.skip, f.orig = true, orig
		}
	}
	s.classes(k, i, it.Gaps, 0, u, groups, &f)
	s.tryWholes(k, i, it.Gaps, 0, u, wholes)
	u.vs = saved
}

// alike is a group of whole statements with the same effect.
type alike struct {
	key     string
	members []int
	may     bool // the effect can be the next edit
}

// wholes groups a place's remaining whole statements by their effect at item i.
func (s *search) wholes(k, i int, u *unit, f *filter) []alike {
	if !f.keep && !f.possible() {
		return nil
	}
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
				out = append(out, alike{key: key, may: f.journal(t.Im, mark)})
			}
			out[n].members = append(out[n].members, j)
		}
		t.Im.Rollback(mark)
	}
	return out
}

// whole executes a whole statement at item i, or in a gap after it.
func (s *search) whole(k, i int, u *unit, j int) error {
	t := s.traces[k]
	if u.Gap != nil {
		return eval.Do(t.AtGap(i), u.Wholes[j])
	}
	_, err := t.Exec(i, &repair.Edit{New: u.Wholes[j]})
	return err
}

// tryWholes tries every group of whole statements.
func (s *search) tryWholes(k, i int, gaps []int32, next int, u *unit, groups []alike) {
	t := s.traces[k]
	was, saved, rel := u.out, u.vs, s.rel
	if !was && (s.left == 0 || len(groups) == 0) {
		return
	}
	s.take(u)
	for _, g := range groups {
		if s.halted() {
			break
		}
		if !g.may {
			continue
		}
		mark := t.Im.Mark()
		if s.whole(k, i, u, g.members[0]) == nil {
			u.vs = make(bitset, (u.Pairs+len(u.Wholes)+63)/64)
			for _, j := range g.members {
				u.vs.set(u.Pairs + j)
			}
			s.relate(k, i, gaps[next:])
			s.gaps(k, i, gaps, next)
		}
		t.Im.Rollback(mark)
	}
	u.vs, s.rel = saved, rel
	s.give(u, was)
}

// take spends an edit on a place that has none yet.
func (s *search) take(u *unit) {
	if u.out {
		return
	}
	u.out = true
	s.left--
	if u.Gap != nil {
		s.inserts--
	}
}

// give undoes take.
func (s *search) give(u *unit, was bool) {
	if was {
		return
	}
	u.out = false
	s.left++
	if u.Gap != nil {
		s.inserts++
	}
}

// classes tries groups of candidates at place u, which is item i of trace k or a gap after it. The candidates of a
// group have the same effect, a store. classes performs it and continues the search with the gaps after the item, from
// gaps[next] on. It skips groups that f excludes. It tries none if u is unchanged so far and no further place may be
// changed.
func (s *search) classes(k, i int, gaps []int32, next int, u *unit, groups []group, f *filter) {
	im := s.traces[k].Im
	was, saved, rel := u.out, u.vs, s.rel
	if !was && s.left == 0 || len(groups) == 0 {
		return
	}
	s.take(u)
	for _, g := range groups {
		e := g.effect
		if f.skip && e == f.orig || !f.effect(e) {
			continue
		}
		mark := im.Mark()
		t := wordType(e.size)
		if im.Store(e.addr, t, e.word) {
			u.vs = make(bitset, (u.Pairs+len(u.Wholes)+63)/64)
			u.vs.add(g.members)
			s.relate(k, i, gaps[next:])
			s.gaps(k, i, gaps, next)
		}
		im.Rollback(mark)
		if s.halted() {
			break
		}
	}
	u.vs, s.rel = saved, rel
	s.give(u, was)
}

// originalEffect returns the store of the original statement, if it does exactly one.
func (s *search) originalEffect(t *repair.Trace, i int, u *unit) (effect, bool) {
	m := t.At(i)
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
	if f, ok := bitField(l); ok && err == nil {
		return f.effect(t.Im, addr, w)
	}
	return effect{addr, w & mask(l.Type().Size), l.Type().Size}, err == nil
}

// bitStore is an assignment to a bit-field: it stores all its bytes, including neighbouring fields.
type bitStore struct {
	field *ctype.Type // type of the field as it lies in memory
	off   ctype.Word  // offset of its bytes from the address of the member
	size  int64       // size of the word that holds them
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
	free := !u.Locked && (u.out || s.left > 0 && s.inserts > 0 && s.rel.gap(i))
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
	if s.stop() {
		return
	}
	u.Build()
	t := s.traces[k]
	f := filter{rel: s.rel, at: i, gap: true}
	groups := s.group(t.AtGap(i), t.Im, u, &f)
	s.classes(k, i, gaps, j+1, u, groups, &f)
	s.tryWholes(k, i, gaps, j+1, u, s.wholes(k, i, u, &f))
}

// guarded visits a gap whose insertion may be guarded: visits at which it is not executed narrow the remaining guards.
// This is also recorded for a gap into which nothing was inserted yet.
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
