package judge

import (
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file finds conditions and comparisons that have the same value whatever the input. A repair that introduces such a condition is
// a deletion of code in disguise. It ends an error by never reaching it, and so meets everything if nobody says what
// should be done there.

// Vacant names a condition that a repair made constant: of an if, or of a loop that is then never entered, or a
// comparison of something with itself. It is empty if there is none.
func Vacant(own, repaired *cfront.Program) string {
	was, now := decided(own), decided(repaired)
	for text, n := range now {
		if n > was[text] {
			return text
		}
	}
	return ""
}

// decided counts the constant conditions of a program, by their description.
func decided(p *cfront.Program) map[string]int {
	out := map[string]int{}
	for _, f := range p.Funcs {
		if f.Body == nil {
			continue
		}
		cfront.WalkStmt(f.Body, func(s cfront.Stmt) {
			switch s := s.(type) {
			case *cfront.Block:
				for i, next := range s.List {
					if i > 0 && departs(s.List[i-1]) && !labelled(next) {
						out[fmt.Sprintf("%s of %s is never executed", next.Range().Text(), f.Name)]++
					}
				}
			case *cfront.If:
				if w, ok := cfront.Constant(s.Cond); ok {
					out[fmt.Sprintf("the condition %s of %s is always %v", cfront.Text(s.Cond), f.Name, ctype.Truth(s.Cond.Type(), w))]++
				}
			case *cfront.While:
				if w, ok := cfront.Constant(s.Cond); ok && !s.Do && !ctype.Truth(s.Cond.Type(), w) {
					out[fmt.Sprintf("no run enters the loop of %s with %s", f.Name, cfront.Text(s.Cond))]++
				}
			case *cfront.For:
				if s.Cond == nil {
					return
				}
				first := beginning(s)
				if w, ok := cfront.Constant(first); ok && !ctype.Truth(s.Cond.Type(), w) {
					out[fmt.Sprintf("no run enters the loop of %s with %s, which is %s at its beginning", f.Name, cfront.Text(s.Cond), cfront.Text(first))]++
				}
			}
		}, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if a, b := comparands(y); a != nil && cfront.Text(a) == cfront.Text(b) && cfront.Pure(a) {
					out[fmt.Sprintf("%s of %s compares something with itself", cfront.Text(y), f.Name)]++
				}
				return true
			})
		})
	}
	return out
}

// departs reports whether control never goes on behind a statement.
func departs(s cfront.Stmt) bool {
	switch s.(type) {
	case *cfront.Return, *cfront.Jump:
		return true
	}
	return false
}

// labelled reports whether control may come to a statement from elsewhere, or it is none.
func labelled(s cfront.Stmt) bool {
	switch s := s.(type) {
	case *cfront.Label, *cfront.Case, *cfront.Decl:
		return true
	case *cfront.Block:
		return len(s.List) == 0 || labelled(s.List[0])
	case *cfront.ExprStmt:
		return s.X == nil
	}
	return false
}

// compares are the functions of the library that compare what their first two arguments point to.
var compares = map[string]bool{"strcmp": true, "strncmp": true, "strcasecmp": true, "strncasecmp": true, "strcoll": true, "memcmp": true, "wcscmp": true, "wcsncmp": true, "wmemcmp": true}

// comparands returns what an expression compares; nil if it does not compare.
func comparands(x cfront.Expr) (a, b cfront.Expr) {
	switch x := x.(type) {
	case *cfront.Binary:
		if x.Op.IsCompare() && x.X.Type().Kind != ctype.Float && x.X.Type().Kind != ctype.LongDouble { // a real number that is not equal to itself is none
			return x.X, x.Y
		}
	case *cfront.Call:
		if f, ok := x.Fun.(*cfront.FuncRef); ok && compares[f.Func.Name] && f.Func.Body == nil && len(x.Args) > 1 {
			return x.Args[0], x.Args[1]
		}
	}
	return nil, nil
}

// beginning returns the condition of a loop with its variables replaced by their constant initial values.
func beginning(s *cfront.For) cfront.Expr {
	first := map[*cfront.Var]cfront.Expr{}
	cfront.WalkStmt(s.Init, func(t cfront.Stmt) {
		if d, ok := t.(*cfront.Decl); ok && len(d.Init) == 1 && d.Var.Type.IsScalar() {
			first[d.Var] = d.Init[0].X
		}
	}, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if a, ok := y.(*cfront.Assign); ok && !a.HasOp {
				if l, ok := a.L.(*cfront.Ref); ok {
					first[l.Var] = a.R
				}
			}
			return true
		})
	})
	out := s.Cond
	cfront.Walk(s.Cond, func(x cfront.Expr) bool {
		if r, ok := x.(*cfront.Ref); ok {
			if v := first[r.Var]; v != nil {
				if w, ok := cfront.Constant(v); ok {
					out = cfront.Replace(out, r, cfront.NewConst(r.Type(), w))
				}
			}
		}
		return true
	})
	return out
}
