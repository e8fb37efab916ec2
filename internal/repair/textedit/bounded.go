package textedit

import (
	"fmt"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file puts the ends of an array in front of a condition: where the condition, or the loop that it belongs to,
// looks at an element of an array, or at what a pointer leads to that was set to a place in one.

// Bounds of what is listed.
const (
	mostBounded = 12 // ends for one condition
	costBound   = 5  // what people forget: it is what the condition needs anyway
)

// bounded lists ends for a condition; body belongs to it, nil if nothing does.
func (s *Space) bounded(x cfront.Expr, body cfront.Stmt, fn *cfront.Func) {
	if !x.Editable() {
		return
	}
	r, t := x.Range(), x.Range().Text()
	var ends []string
	put := func(format string, args ...any) {
		if c := fmt.Sprintf(format, args...); len(ends) < mostBounded && !slices.Contains(ends, c) && c != t {
			ends = append(ends, c)
		}
	}
	cfront.Walk(x, func(e cfront.Expr) bool {
		switch e := e.(type) {
		case *cfront.Index:
			s.indexEnds(e, fn, put)
			s.pointerEnds(e.X, fn, r.Start, put)
		case *cfront.Deref:
			s.pointerEnds(e.X, fn, r.Start, put)
		}
		return true
	})
	if body != nil {
		eachExpr(body, func(e cfront.Expr) {
			if i, ok := e.(*cfront.Index); ok {
				if step, ok := cfront.Skip(i.I).(*cfront.IncDec); ok { // a[n++]
					s.indexEnds(&cfront.Index{X: i.X, I: step.X}, fn, put)
				}
			}
		})
	}
	for _, c := range ends {
		s.replaced(x, fn, costBound, "and", "("+c+") && ("+t+")", c+" && "+operand(x, true))
	}
}

// indexEnds passes the ends of the array whose element is looked at.
func (s *facts) indexEnds(e *cfront.Index, fn *cfront.Func, put func(string, ...any)) {
	i := cfront.Skip(e.I)
	if _, ok := i.(*cfront.Const); ok || !e.I.Range().Valid() {
		return
	}
	at := e.I.Range().Text()
	switch b, ok := i.(*cfront.Binary); {
	case ok && b.Op == ctype.Sub && b.X.Range().Valid() && b.Y.Range().Text() == "1":
		put("%s > 0", operandText(b.X))
		at = operandText(e.I)
	case ok:
		at = operandText(e.I)
	default:
		put("%s >= 0", at)
		put("%s > 0", at)
	}
	if ref, ok := cfront.Skip(e.X).(*cfront.Ref); ok {
		if d := s.dimensionsOf(fn, ref.Var); len(d) > 0 {
			put("%s < %s", at, d[0].size)
		}
	}
}

// pointerEnds passes the ends of what a pointer variable was set to.
func (s *facts) pointerEnds(x cfront.Expr, fn *cfront.Func, at int, put func(string, ...any)) {
	x = cfront.Skip(x)
	if step, ok := x.(*cfront.IncDec); ok {
		x = cfront.Skip(step.X)
	}
	ref, ok := x.(*cfront.Ref)
	if !ok || ref.Var.Type.Kind != ctype.Pointer || fn.Body == nil {
		return
	}
	p := ref.Var
	from := func(e cfront.Expr) {
		cfront.Walk(e, func(e cfront.Expr) bool {
			q, ok := e.(*cfront.Ref)
			if !ok || q.Var == p || q.Var.Name == "" || !slices.Contains(Visible(s.tree, fn, fn.Body.Range().File, at), q.Var) {
				return true
			}
			switch q.Var.Type.Kind {
			case ctype.Pointer, ctype.Array:
				if ctype.Same(q.Var.Type.Elem, p.Type.Elem) {
					put("%s > %s", p.Name, q.Var.Name)
					put("%s >= %s", p.Name, q.Var.Name)
				}
			}
			if d := s.dimensionsOf(fn, q.Var); len(d) == 1 && ctype.Same(q.Var.Type.Elem, p.Type.Elem) {
				put("%s < %s + %s", p.Name, q.Var.Name, d[0].size)
			}
			return true
		})
	}
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		if d, ok := st.(*cfront.Decl); ok && d.Var == p && len(d.Init) == 1 {
			from(d.Init[0].X)
		}
	}, nil)
	eachExpr(fn.Body, func(e cfront.Expr) {
		if a, ok := e.(*cfront.Assign); ok && !a.HasOp && refers(a.L, p) {
			from(a.R)
		}
	})
}

// eachExpr calls f for every expression in a statement.
func eachExpr(st cfront.Stmt, f func(cfront.Expr)) {
	cfront.WalkStmt(st, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(e cfront.Expr) bool {
			f(e)
			return true
		})
	})
}
