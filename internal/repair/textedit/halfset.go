package textedit

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file sets the members of a new block that are forgotten where others of it are set.

const costHalfSet = costUnset + 1

// mostHalfSet bounds the members of one block.
const mostHalfSet = 4

// halfSet lists, for each pointer to a struct that a block of statements allocates and sets members of, those that it
// does not set.
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

// linked finds the statement of a block, from one on, that lets something of a type lead to what v does, as head = v:
// what it led to before is lost where no member of the new block has it. It returns its index, 0 for none.
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

// setsAll reports whether an expression may set all members of what a pointer leads to: it stores a whole struct, or
// hands the pointer to a function other than free.
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

// allocates returns the variable that a statement lets point to a new struct whose members are not set; nil: none.
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

// isVar reports whether an expression is a variable.
func isVar(x cfront.Expr, v *cfront.Var) bool {
	r, ok := cfront.Skip(x).(*cfront.Ref)
	return ok && r.Var == v
}
