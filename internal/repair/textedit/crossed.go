package textedit

import (
	"cmp"
	"slices"

	"gulo/internal/cfront"
)

// This file exchanges the bounds of nested loops. Who walks a matrix by rows where it should be
// walked by columns has the two sizes the wrong way round everywhere in the loops: in both
// conditions, and in what asks for the last column.

// Bounds and costs of crossed.
const (
	mostCrossed  = 4 // pairs of bounds of one nest
	crossedBytes = 1200
	costCrossed  = costFlip + 1
)

// crossed exchanges two variables that bound a loop and one inside it, in all of the loop.
func (s *Space) crossed(st *cfront.For, p place) {
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	if st.Cond == nil || st.Body == nil || end-start > crossedBytes || hasLabel(st) {
		return
	}
	var inner []*cfront.Var
	cfront.WalkStmt(st.Body, func(x cfront.Stmt) {
		switch x := x.(type) {
		case *cfront.For:
			inner = append(inner, bounds(x.Cond)...)
		case *cfront.While:
			inner = append(inner, bounds(x.Cond)...)
		}
	}, nil)
	n := 0
	seen := map[*cfront.Var]bool{}
	for _, a := range bounds(st.Cond) {
		for _, b := range inner {
			if a == b || seen[b] || !sameType(a.Type, b.Type) || n == mostCrossed {
				continue
			}
			seen[b] = true
			changes, ok := crossing(st, a, b)
			if !ok {
				continue
			}
			n++
			alt, at := "", start
			for _, c := range changes {
				alt += cut(f, at, c.Start) + c.Text
				at = c.End
			}
			s.add(Statement, p.fn, f, start, end, alt+cut(f, at, end), &Edit{What: "the bounds of the two loops are swapped", Cost: costCrossed, Changes: changes})
		}
	}
}

// bounds are the integers that a condition compares with.
func bounds(x cfront.Expr) (out []*cfront.Var) {
	c, ok := x.(*cfront.Binary)
	if !ok || operatorOf(c) == "" {
		return nil
	}
	cfront.Walk(c.Y, func(y cfront.Expr) bool {
		if r, ok := y.(*cfront.Ref); ok && r.Var.Type.IsInteger() && !slices.Contains(out, r.Var) {
			out = append(out, r.Var)
		}
		return true
	})
	return out
}

// crossing lists the changes that write one variable for another in a statement, in the order of
// the text; ok is false where they are not only read there, or a macro writes them.
func crossing(st cfront.Stmt, a, b *cfront.Var) (out []Change, ok bool) {
	ok = true
	f := st.Range().File
	cfront.WalkStmt(st, func(x cfront.Stmt) {
		if d, is := x.(*cfront.Decl); is && (d.Var.Name == a.Name || d.Var.Name == b.Name) {
			ok = false // another variable of the name
		}
	}, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Assign:
				ok = ok && !refers(y.L, a) && !refers(y.L, b)
			case *cfront.IncDec:
				ok = ok && !refers(y.X, a) && !refers(y.X, b)
			case *cfront.Ref:
				name := b.Name
				if y.Var == b {
					name = a.Name
				}
				if r := y.Range(); y.Var == a || y.Var == b {
					ok = ok && y.Editable() && r.File == f
					out = append(out, Change{r.File, r.Start, r.End, name})
				}
			}
			return true
		})
	})
	slices.SortFunc(out, func(x, y Change) int { return cmp.Compare(x.Start, y.Start) })
	for i := 1; i < len(out); i++ {
		ok = ok && out[i].Start >= out[i-1].End
	}
	return out, ok
}
