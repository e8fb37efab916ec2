package textedit

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file keeps a value that a statement overwrites although the next one needs it: in an exchange of two values, or
// where the next number of a series is computed from both old ones.

// swapped keeps the value that a statement overwrites, where the next statement should exchange two values or still
// reads the old value.
func (s *Space) swapped(st cfront.Stmt, p place) {
	first := assigned(st)
	if first == nil || p.block.Implicit || !standsAsWritten(st) || p.index+1 >= len(p.block.List) {
		return
	}
	after := p.block.List[p.index+1]
	if next := assigned(after); next != nil && standsAsWritten(after) {
		r := cfront.Skip(next.R)
		if next.L.Range().Text() == cfront.Skip(first.R).Range().Text() && r.Range().Text() == first.L.Range().Text() {
			s.across(st, after, p.fn, first.L, r, "exchange two values")
		}
	}
	if use := readOf(after, first.L); use != nil {
		s.across(st, after, p.fn, first.L, use, "what was there is still needed")
	}
}

// readOf returns the only place where an assignment to something else reads what l names; nil if there is none or more
// than one.
func readOf(st cfront.Stmt, l cfront.Expr) (use cfront.Expr) {
	x, ok := st.(*cfront.ExprStmt)
	if !ok || !standsAsWritten(st) {
		return nil
	}
	a, ok := x.X.(*cfront.Assign)
	if !ok || a.HasOp || !within(a.R, a) || a.L.Range().Text() == l.Range().Text() {
		return nil
	}
	n := 0
	cfront.Walk(a.R, func(y cfront.Expr) bool {
		if y.Editable() && within(y, a.R) && y.Range().Text() == l.Range().Text() && path(cfront.Skip(y)) {
			n++
			use = y
			return false
		}
		return true
	})
	if n != 1 {
		return nil
	}
	return use
}

// across keeps the value of l in a new variable before st overwrites it, and reads that variable at use, in the
// statement after st.
func (s *Space) across(st, after cfront.Stmt, fn *cfront.Func, l, use cfront.Expr, what string) {
	if k := l.Type().Kind; !l.Type().IsScalar() || k == ctype.Pointer && l.Type().IsFuncPointer() {
		return
	}
	f, start := st.Range().File, st.Range().Start
	last := after.Range()
	name := s.fresh(fn)
	keep := l.Type().Decl(name) + " = " + l.Range().Text() + ";"
	r := use.Range()
	end := WholeEnd(last.File, last.End)
	alt := "{ " + keep + " " + string(f.Text[start:r.Start]) + name + string(f.Text[r.End:end]) + " }"
	// In the schema the two statements become one, at the place of the first.
	gone := s.add(Statement, fn, f, last.Start, end, "", &Edit{What: what, Cost: HalfCost, Changes: []Change{}})
	come := s.add(Statement, fn, f, start, WholeEnd(f, st.Range().End), alt, &Edit{What: what, Cost: HalfCost, Changes: []Change{}})
	if gone == nil || come == nil {
		return
	}
	changes := []Change{{f, start, start, keep + "\n" + f.Indent(start)}, {f, r.Start, r.End, name}}
	s.Moves = append(s.Moves, &Edit{What: what, Cost: costPath, Func: fn, Changes: changes, Site: gone.Site, Alt: gone.Alt,
		With: &Edit{What: what, Func: fn, Site: come.Site, Alt: come.Alt}})
}

// assigned returns the plain assignment that a statement consists of, if its right side is an object; else nil.
func assigned(st cfront.Stmt) *cfront.Assign {
	x, ok := st.(*cfront.ExprStmt)
	if !ok {
		return nil
	}
	a, ok := x.X.(*cfront.Assign)
	if !ok || a.HasOp || !within(a.L, a) || !within(a.R, a) || !path(cfront.Skip(a.R)) || !cfront.Skip(a.R).Editable() {
		return nil
	}
	return a
}

// firstOf lists replacements for the link of a node that becomes the head of a list: the old head, which a later
// statement overwrites.
func (s *facts) firstOf(x *cfront.Assign, p place, replace func(cfront.Node, int, string, string)) {
	m, ok := x.L.(*cfront.Member)
	if !ok || x.HasOp || m.Type().Kind != ctype.Pointer || !within(m.X, m) || p.block == nil || p.index >= len(p.block.List) {
		return
	}
	node := m.X.Range().Text()
	for _, st := range p.block.List[p.index+1:] {
		e, ok := st.(*cfront.ExprStmt)
		if !ok {
			continue
		}
		y, ok := e.X.(*cfront.Assign)
		if !ok || y.HasOp || !within(y.L, y) || !within(y.R, y) || !sameType(y.L.Type(), m.Type()) || y.R.Range().Text() != node {
			continue
		}
		if _, plain := y.L.(*cfront.Ref); !plain { // plain variables are listed with the values
			replace(x.R, costPath, "what the list begins with", y.L.Range().Text())
		}
	}
}
