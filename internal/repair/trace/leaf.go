package trace

import (
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/repair/space"
	"gulo/internal/spec"
)

// This file turns the version spaces at the end of a search into ranked repairs.

// leaf turns the version spaces into repairs: the best members of all spaces together, and the other good members one
// at a time.
func (s *search) leaf() {
	type choice struct {
		u     *unit
		edits []ranked
	}
	restore, ok := s.recheck()
	defer restore()
	if !ok {
		return
	}
	var all []choice
	count := 1
	for _, id := range sortedKeys(s.units) {
		u := s.units[id]
		if u.out || u.gout {
			es, n := u.ranked(id)
			all = append(all, choice{u, es})
			count *= n
		}
	}
	for _, id := range sortedKeys(s.slotUnits) {
		u := s.slotUnits[id]
		if u.out {
			es, n := u.ranked(id)
			all = append(all, choice{u, es})
			count *= n
		}
	}
	s.count += count
	if s.first == 0 {
		s.first = s.nodes
	}
	pick := func(which, k int) {
		var edits []*repair.Edit
		dist := 0
		key := ""
		for i, c := range all {
			r := c.edits[0]
			if i == which {
				r = c.edits[k]
			}
			e := r.edit
			edits = append(edits, &e)
			dist += r.dist
			key += e.Describe(s.p.Program) + "\n"
		}
		if !s.seen[key] {
			s.seen[key] = true
			s.leaves = append(s.leaves, Repair{Patch: repair.NewPatch(edits...), Cost: len(edits), Distance: dist})
		}
	}
	pick(-1, 0)
	for i, c := range all {
		for k := 1; k < len(c.edits); k++ {
			pick(i, k)
		}
	}
}

// recheck narrows conditions and guards to those that agree with the originals at the visits before the first visit at
// which the original was wrong: only at the end of the search is it known which visits these are. The segments are
// executed again with one member of every other version space, since all members do the same. It reports whether any
// guards are left, and returns how to restore the version spaces.
func (s *search) recheck() (restore func(), ok bool) {
	old := map[*unit]bitset{}
	restore = func() {
		for u, vs := range old {
			u.gvs = vs
		}
	}
	var edits []*repair.Edit
	for id, u := range s.units {
		if u.gout {
			old[u] = u.gvs
		}
		if u.out {
			edits = append(edits, &repair.Edit{Stmt: id, New: u.Candidate(u.vs.first())})
		}
	}
	if len(old) == 0 {
		return restore, true
	}
	for id, u := range s.slotUnits {
		if !u.out {
			continue
		}
		e := &repair.Edit{Gap: id, New: u.Candidate(u.vs.first())}
		if u.gvs != nil && u.skipped > 0 {
			e.Guard = u.Conds[u.gvs.first()]
		}
		edits = append(edits, e)
	}
	for u := range old {
		if u.Stmt.Kind != lower.Cond { // a guarded statement
			e := &repair.Edit{Stmt: u.ID, Guard: u.Conds[u.gvs.first()]}
			for _, o := range edits {
				if o.Stmt == u.ID {
					o.Guard, e = e.Guard, nil
					break
				}
			}
			if e != nil {
				edits = append(edits, e)
			}
		}
	}
	patch := s.p.Base.Merge(repair.NewPatch(edits...))
	for k := range s.p.Segments {
		if !s.again(k, patch, old) {
			return restore, false
		}
	}
	return restore, true
}

// again executes a segment for recheck.
func (s *search) again(k int, patch *repair.Patch, left map[*unit]bitset) bool {
	visits := false
	for u := range left {
		visits = visits || len(s.later[k].visits[u.ID]) > 0
	}
	if !visits {
		return true
	}
	seg := s.p.Segments[k]
	t := repair.NewTrace(s.p.Program, seg, patch)
	repair.AddTemps(t.Im, s.p.Temps)
	_ = t.Fill(-1, seg.Before)
	for i := range seg.Items {
		it := &seg.Items[i]
		u := s.units[it.Stmt]
		_, watched := left[u]
		early := watched && (k < u.goutAt[0] || k == u.goutAt[0] && i < u.goutAt[1])
		st := s.p.Program.Stmts[it.Stmt]
		isCond := st.Kind == lower.Cond && it.Kind == spec.Whole
		if early && !(isCond && s.deferred[it.Stmt] && it.Forced) {
			mark := t.Im.Mark()
			yes, no := s.split(t.At(i), u)
			t.Im.Rollback(mark)
			if u.gvs = yes; isCond && it.Decision == 0 {
				u.gvs = no
			}
			if !u.gvs.any() {
				return false
			}
		}
		e := patch.Stmts[it.Stmt]
		if early && e != nil && !isCond { // the guard may have been ruled out
			o := *e
			o.Guard = nil
			if e = &o; o.New == nil && !o.Delete {
				e = nil
			}
		}
		_, _ = t.Exec(i, e)
		_ = t.Fill(i, it.Gaps)
	}
	return true
}

// ranked is an edit with its distance from the original.
type ranked struct {
	edit repair.Edit
	dist int
}

// maxAlternatives bounds the members of one version space that are listed.
const maxAlternatives = 8

// ranked lists a unit's edits, the nearest first, and how many there are in all.
func (u *unit) ranked(id int32) ([]ranked, int) {
	base := repair.Edit{Stmt: id}
	if u.Stmt == nil {
		base = repair.Edit{Gap: id}
	}
	guards := []ranked{{base, 0}}
	n := 1
	if u.gout || u.Gap != nil && u.gvs != nil && u.skipped > 0 {
		guards, n = u.rankedGuards(base)
	}
	if !u.out {
		if u.Base != nil {
			for i := range guards {
				if guards[i].edit.New == nil {
					guards[i].edit.New = u.Base.New
				}
			}
		}
		return guards, n
	}
	var orig cfront.Expr
	extra := 3
	if u.Stmt != nil {
		orig, extra = u.Original(), 0
	}
	var out []ranked
	members := 0
	u.vs.each(func(k int) {
		members++
		e := guards[0].edit
		e.New = u.Candidate(k)
		out = append(out, ranked{e, u.distance(k, orig, e.New) + extra + guards[0].dist})
	})
	return nearestFirst(out), n * members
}

// distance returns how far candidate k is from the original.
func (u *unit) distance(k int, orig, x cfront.Expr) int {
	if u.dists == nil {
		u.dists = map[int]int{}
	}
	d, ok := u.dists[k]
	if !ok {
		d = space.Distance(orig, x)
		u.dists[k] = d
	}
	return d
}

func (u *unit) rankedGuards(base repair.Edit) ([]ranked, int) {
	var out []ranked
	var orig cfront.Expr
	if u.Stmt != nil && u.Stmt.Kind == lower.Cond {
		orig = u.Original()
	}
	u.gvs.each(func(k int) {
		e := base
		c, isConst := u.Conds[k].(*cfront.Const)
		switch {
		case isConst && c.Value == 0:
			e.Delete = true
			out = append(out, ranked{e, 2})
		case orig != nil:
			e.New = u.Conds[k]
			out = append(out, ranked{e, space.Distance(orig, e.New)})
		default:
			e.Guard = u.Conds[k]
			out = append(out, ranked{e, 3 + 2*space.TokenDistance("", cfront.Text(e.Guard))})
		}
	})
	return nearestFirst(out), len(out)
}

func nearestFirst(rs []ranked) []ranked {
	sort.SliceStable(rs, func(i, j int) bool { return rs[i].dist < rs[j].dist })
	if len(rs) > maxAlternatives {
		rs = rs[:maxAlternatives]
	}
	return rs
}

func sortedKeys(m map[int32]*unit) []int32 {
	out := make([]int32, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}
