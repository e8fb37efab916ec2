package textedit

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file sets members of a newly allocated struct that are forgotten where its other members are set.

const costHalfSet = costUnset + 1

// mostHalfSet bounds the members set for one struct.
const mostHalfSet = 4

// halfSet looks for pointers to a struct that a block of statements allocates and fills. It lists assignments to the
// members that are not set.
func (s *Space) halfSet(b *cfront.Block, p place) {
	for i, st := range b.List {
		v := allocates(st)
		if v == nil {
			continue
		}
		set, last, whole := map[string]bool{}, -1, false
		for k := i + 1; k < len(b.List); k++ {
			cfront.WalkStmt(b.List[k], nil, func(x cfront.Expr) {
				cfront.Walk(x, func(y cfront.Expr) bool {
					whole = whole || setsAll(y, v)
					m, ok := cfront.Skip(cfront.Stored(y)).(*cfront.Member)
					if ok && m.Arrow && isVar(m.X, v) {
						set[m.Field.Name] = true
						if x, ok := b.List[k].(*cfront.ExprStmt); ok && x.X == y {
							last = k
						}
					}
					return true
				})
			})
		}
		if last < 0 || whole {
			continue
		}
		n := 0
		for _, m := range v.Type.Elem.Fields {
			if m.Name == "" || set[m.Name] || m.Qual&ctype.Const != 0 || !m.Type.IsScalar() || n == mostHalfSet {
				continue
			}
			n++
			value := "0"
			if m.Type.Kind == ctype.Pointer {
				value = "NULL"
			}
			q := p
			q.block, q.index = b, last
			s.after(b.List[last], q, costHalfSet, "a member that is not set", v.Name+"->"+m.Name+" = "+value+";")
			if k, to := linked(b, i+1, v, m.Type); k > 0 {
				q.index = k - 1
				s.after(b.List[k-1], q, costHalfSet, "a member that is not set", v.Name+"->"+m.Name+" = "+to+";")
			}
		}
	}
}

// linked finds the first statement, from index from on, that assigns v to something of type t, as in head = v. What
// head pointed to before is lost unless a member of the new struct keeps it. linked returns the index and the text of
// the target; 0 if there is none.
func linked(b *cfront.Block, from int, v *cfront.Var, t *ctype.Type) (at int, to string) {
	for k := from; k < len(b.List); k++ {
		x, ok := b.List[k].(*cfront.ExprStmt)
		if !ok {
			continue
		}
		if a, ok := x.X.(*cfront.Assign); ok && !a.HasOp && isVar(a.R, v) && sameType(a.L.Type(), t) && a.L.Range().Valid() {
			return k, a.L.Range().Text()
		}
	}
	return 0, ""
}

// setsAll reports whether an expression may set all members of the struct that v points to: it stores a whole struct,
// or passes v to a function other than free.
func setsAll(x cfront.Expr, v *cfront.Var) bool {
	if d, ok := cfront.Skip(cfront.Stored(x)).(*cfront.Deref); ok && isVar(d.X, v) {
		return true
	}
	c, ok := x.(*cfront.Call)
	if !ok {
		return false
	}
	if f, ok := cfront.Skip(c.Fun).(*cfront.FuncRef); ok && f.Func.Name == "free" {
		return false
	}
	return slices.ContainsFunc(c.Args, func(a cfront.Expr) bool { return isVar(a, v) })
}

// allocates returns the variable that a statement makes point to a new, uninitialized struct; nil if it does not.
func allocates(st cfront.Stmt) *cfront.Var {
	var v *cfront.Var
	var from cfront.Expr
	switch st := st.(type) {
	case *cfront.Decl:
		if len(st.Init) == 1 {
			v, from = st.Var, st.Init[0].X
		}
	case *cfront.ExprStmt:
		if a, ok := st.X.(*cfront.Assign); ok && !a.HasOp {
			if r, ok := cfront.Skip(a.L).(*cfront.Ref); ok {
				v, from = r.Var, a.R
			}
		}
	}
	if v == nil || v.Type.Kind != ctype.Pointer || !v.Type.Elem.IsAggregate() || v.Type.Elem.Kind == ctype.Array {
		return nil
	}
	for {
		c, ok := from.(*cfront.Cast)
		if !ok {
			break
		}
		from = c.X
	}
	c, ok := cfront.Skip(from).(*cfront.Call)
	if !ok {
		return nil
	}
	if f, ok := cfront.Skip(c.Fun).(*cfront.FuncRef); !ok || f.Func.Body != nil || f.Func.Name != "malloc" && f.Func.Name != "realloc" {
		return nil
	}
	return v
}

// isVar reports whether an expression is the variable v.
func isVar(x cfront.Expr, v *cfront.Var) bool {
	r, ok := cfront.Skip(x).(*cfront.Ref)
	return ok && r.Var == v
}
