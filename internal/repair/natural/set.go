package natural

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/repair/space"
)

// This file defines candidate sets: edits of one place that have behaved alike in everything executed so far.

// kind says what the members of a set do.
type kind uint8

const (
	assign    kind = iota // the statement becomes l = r
	condition             // the condition becomes another one
	guard                 // the statement is executed only under a condition
	insert                // l = r is inserted, possibly under a condition
	give                  // return r is inserted under a condition
	whole                 // the statement, or the insertion, is one of the whole statements
)

// place is a place for edits: a statement or a gap.
type place struct {
	unit *space.Unit
	fn   int32
	stay bool             // no return is inserted
	rets []int32          // of a gap: right sides that the function can return
	code []*lower.Overlay // of the whole statements; nil where one cannot be lowered
}

func (p *place) number() int32 {
	if p.unit.Gap != nil {
		return -1 - p.unit.ID
	}
	return p.unit.ID
}

// set is a product: every left side with every right side under every condition. Sets are immutable.
type set struct {
	p     *place
	kind  kind
	class int
	l, r  []int32 // indices of the unit's Lhs and Rhs
	conds []int32 // indices of its Conds; nil: no condition (insert)
	whole int
	acted bool // insert, give: some visit executed the insertion
}

// size returns the number of members.
func (s *set) size() int {
	n := 1
	if s.kind == assign || s.kind == insert {
		n = len(s.l) * len(s.r)
	}
	if s.kind == give && len(s.r) > 0 {
		n = len(s.r)
	}
	if s.conds != nil {
		n *= len(s.conds)
	}
	return n
}

func all(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

func widen(in []int) []int32 {
	out := make([]int32, len(in))
	for i, x := range in {
		out[i] = int32(x)
	}
	return out
}

// sets returns the sets of a place before anything is executed. With rich, insertions are under a condition.
func (p *place) sets(rich bool) []set {
	u := p.unit
	u.Build()
	var out []set
	conds := all(len(u.Conds))
	if u.Stmt != nil && u.Stmt.Kind == lower.Cond {
		if len(conds) > 0 {
			out = append(out, set{p: p, kind: condition, conds: conds})
		}
		return out
	}
	k := assign
	if u.Gap != nil {
		k = insert
	}
	for c := range u.Classes {
		l, r := widen(u.Classes[c].L), widen(u.Classes[c].R)
		if k == insert && rich {
			out = append(out, set{p: p, kind: k, class: c, l: l, r: r, conds: conds})
			continue
		}
		out = append(out, set{p: p, kind: k, class: c, l: l, r: r})
	}
	if u.Gap == nil && len(conds) > 0 && u.Stmt.Kind == lower.Expr {
		out = append(out, set{p: p, kind: guard, conds: conds})
	}
	if u.Gap != nil && rich && !p.stay && (len(p.rets) > 0 || u.Gap.Func.Type.Result.Kind == ctype.Void) {
		out = append(out, set{p: p, kind: give, r: p.rets, conds: conds})
	}
	for w := range u.Wholes {
		out = append(out, set{p: p, kind: whole, whole: w})
	}
	return out
}

// member is one edit of a set, with its distance from the program.
type member struct {
	edit repair.Edit
	dist int
}

// maxMembers bounds how many members of a set are listed.
const maxMembers = 8

// members returns the edits of a set that read best, the nearest first.
func (s *set) members() []member {
	u := s.p.unit
	base := repair.Edit{Gap: u.ID}
	var orig cfront.Expr
	extra := 3
	if u.Stmt != nil {
		base = repair.Edit{Stmt: u.ID}
		orig, extra = u.Original(), 0
	}
	var out []member
	switch s.kind {
	case whole:
		base.New = u.Wholes[s.whole]
		return []member{{base, space.Distance(orig, base.New) + extra}}
	case condition:
		for _, c := range s.conds {
			e := base
			e.New = u.Conds[c]
			out = append(out, member{e, space.Distance(orig, e.New) + oddity(orig, e.New)})
		}
		return nearest(out)
	case guard:
		return nearest(s.guards(base))
	}
	guards := []member{{base, 0}}
	if s.conds != nil {
		guards = nearest(s.guards(base))
	}
	if s.kind == give {
		guards[0].edit.Return = true
		if len(s.r) == 0 {
			return []member{{guards[0].edit, guards[0].dist + 3}}
		}
		for _, r := range s.r {
			e := guards[0].edit
			e.New = u.Rhs[r]
			out = append(out, member{e, guards[0].dist + space.Distance(nil, e.New) + extra})
		}
		return nearest(out)
	}
	for _, l := range s.l {
		for _, r := range s.r {
			e := guards[0].edit
			e.New = s.pair(l, r)
			out = append(out, member{e, guards[0].dist + space.Distance(orig, e.New) + extra})
		}
	}
	out = nearest(out)
	for _, g := range guards[1:] {
		e := g.edit
		e.New = out[0].edit.New
		out = append(out, member{e, out[0].dist - guards[0].dist + g.dist})
	}
	return nearest(out)
}

// oddity is added to the distance to rank equally near conditions. It counts against conditions that no longer compare
// with a constant, or newly do, and against those that order pointers.
func oddity(orig, x cfront.Expr) int {
	a, ok := orig.(*cfront.Binary)
	b, ok2 := x.(*cfront.Binary)
	if !ok || !ok2 {
		return 0
	}
	n := 0
	if constant(a.Y) != constant(b.Y) {
		n++
	}
	if b.Op != ctype.Eq && b.Op != ctype.Ne && b.X.Type().Kind == ctype.Pointer {
		n += 2
	}
	if b.Op == ctype.Ne && a.Op.IsCompare() && a.Op != ctype.Eq && a.Op != ctype.Ne {
		n++ // who means >= often writes >, but seldom !=
	}
	return n
}

func constant(x cfront.Expr) bool {
	_, ok := cfront.Skip(x).(*cfront.Const)
	return ok
}

func (s *set) pair(l, r int32) cfront.Expr {
	u := s.p.unit
	x := cfront.NewAssign(u.Lhs[l], u.Rhs[r])
	if u.Stmt != nil && (u.Stmt.Kind == lower.Decl || u.Stmt.Kind == lower.Return) {
		return x.(*cfront.Assign).R
	}
	return x
}

func (s *set) guards(base repair.Edit) []member {
	var out []member
	for _, c := range s.conds {
		e := base
		if k, ok := s.p.unit.Conds[c].(*cfront.Const); ok && k.Value == 0 {
			e.Delete = true
			out = append(out, member{e, 2})
			continue
		}
		e.Guard = s.p.unit.Conds[c]
		out = append(out, member{e, 3 + 2*space.TokenDistance("", cfront.Text(e.Guard))})
	}
	return out
}

// nearest moves the nearest members to the front, in order, and returns them.
func nearest(ms []member) []member {
	n := min(len(ms), maxMembers)
	for i := 0; i < n; i++ {
		best := i
		for j := i + 1; j < len(ms); j++ {
			if ms[j].dist < ms[best].dist {
				best = j
			}
		}
		m := ms[best]
		copy(ms[i+1:best+1], ms[i:best])
		ms[i] = m
	}
	return ms[:n]
}
