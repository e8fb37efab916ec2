package heap

import (
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/repair/space"
)

// This file turns the version spaces at the end of a search into ranked repairs.

// leaf turns the version spaces into repairs: the best member of every space
// together, and the other good members one at a time.
func (s *search) leaf() {
	type choice struct {
		u     *unit
		edits []ranked
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
	for _, id := range sortedKeys(s.slots) {
		u := s.slots[id]
		if u.out {
			es, n := u.ranked(id)
			all = append(all, choice{u, es})
			count *= n
		}
	}
	s.count += count
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

// ranked is an edit with its distance from the original.
type ranked struct {
	edit repair.Edit
	dist int
}

// maxAlternatives bounds how many members of one version space are listed.
const maxAlternatives = 8

// ranked lists a unit's edits, nearest first, and how many there are in all.
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
		out = append(out, ranked{e, space.Distance(orig, e.New) + extra + guards[0].dist})
	})
	return nearestFirst(out), n * members
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
