package textedit

import (
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file lists initial values for a search for the least or the greatest value: the first of the values, or one that
// every other beats. A search for the least value that begins with best = 0 finds nothing; that is among the most
// frequent mistakes of beginners.

// limit is a limit of a type, and the number that people write for it where its header is not included.
type limit struct{ header, name, plain string }

// extreme returns the text of the largest value of a type if most is set, else of the smallest; "" where nobody writes
// such a value.
func (s *facts) extreme(t *ctype.Type, most bool) string {
	var l limit
	switch {
	case t.Kind == ctype.Float && most:
		l = limit{"float.h", "DBL_MAX", "1e30"}
	case t.Kind == ctype.Float:
		l = limit{"float.h", "-DBL_MAX", "-1e30"}
	case !t.IsInteger() || t.Size < 4 || !most && !t.Signed:
		return ""
	case t.Size == 4 && !t.Signed:
		l = limit{"limits.h", "UINT_MAX", "4294967295u"}
	case t.Size == 4 && most:
		l = limit{"limits.h", "INT_MAX", "2147483647"}
	case t.Size == 4:
		l = limit{"limits.h", "INT_MIN", "-2147483647"}
	case !t.Signed:
		l = limit{"limits.h", "ULONG_MAX", "18446744073709551615u"}
	case most:
		l = limit{"limits.h", "LONG_MAX", "9223372036854775807"}
	default:
		l = limit{"limits.h", "LONG_MIN", "-9223372036854775807"}
	}
	for _, f := range s.tree.Files {
		if strings.Contains(string(f.Text), "<"+l.header+">") {
			return l.name
		}
	}
	return l.plain
}

// extremes looks for a search for the least or the greatest value, if (x < best) best = x, and lists initial values of
// best.
func (s *Space) extremes(st *cfront.If, fn *cfront.Func) {
	for _, z := range statementsOf(st.Then) {
		e, ok := z.(*cfront.ExprStmt)
		if !ok {
			continue
		}
		a, ok := e.X.(*cfront.Assign)
		if !ok || a.HasOp || !within(a.L, a) || !within(a.R, a) {
			continue
		}
		v, ok := cfront.Skip(a.L).(*cfront.Ref)
		if !ok || v.Var.Storage != cfront.Local {
			continue
		}
		x := cfront.Skip(a.R)
		if least, found := beats(st.Cond, x, v.Var); found {
			s.begin(v.Var, x, s.extreme(v.Var.Type, least), fn)
		}
	}
}

// beats reports whether a condition compares x with v by an order (found), and whether it holds when x is less (less).
func beats(cond, x cfront.Expr, v *cfront.Var) (less, found bool) {
	cfront.Walk(cond, func(y cfront.Expr) bool {
		c, ok := y.(*cfront.Binary)
		if !ok || !within(c.X, c) || !within(c.Y, c) {
			return true
		}
		op := operatorOf(c)
		if op == "" || !strings.Contains("< <= > >=", op) {
			return true
		}
		is := func(y cfront.Expr) bool { r, ok := cfront.Skip(y).(*cfront.Ref); return ok && r.Var == v }
		same := func(y cfront.Expr) bool { return cfront.Skip(y).Range().Text() == x.Range().Text() }
		switch {
		case is(c.Y) && same(c.X):
			less, found = op[0] == '<', true
		case is(c.X) && same(c.Y):
			less, found = op[0] == '>', true
		}
		return !found
	})
	return less, found
}

// begin lists replacements for the constants that v is set to: the extreme, and the array's first element if x is an
// array element.
func (s *Space) begin(v *cfront.Var, x cfront.Expr, extreme string, fn *cfront.Func) {
	first := ""
	if i, ok := x.(*cfront.Index); ok && within(i.X, i) {
		first = i.X.Range().Text() + "[0]"
	}
	list := func(old cfront.Expr) {
		constant := true
		cfront.Walk(old, func(y cfront.Expr) bool {
			switch y.(type) {
			case *cfront.Ref, *cfront.Call, *cfront.FuncRef:
				constant = false
			}
			return constant
		})
		if !constant || !old.Editable() {
			return
		}
		for _, t := range []string{extreme, first} {
			if t != "" && s.known(t, "", fn, old.Range().File, old.Range().Start) {
				s.replaced(old, fn, costStep+1, "what a search begins with", t, t)
			}
		}
	}
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		switch st := st.(type) {
		case *cfront.Decl:
			if st.Var == v && len(st.Init) == 1 {
				list(st.Init[0].X)
			}
		case *cfront.ExprStmt:
			if a, ok := st.X.(*cfront.Assign); ok && !a.HasOp {
				if r, ok := cfront.Skip(a.L).(*cfront.Ref); ok && r.Var == v {
					list(a.R)
				}
			}
		}
	}, nil)
}
