package textedit

import "gulo/internal/cfront"

// This file lists a variable in the place of an expression that it was computed by: the expression is written
// again where the variable, which may have been changed since, is meant.

// holder is a variable and where the expression stands that it was given.
type holder struct {
	v     *cfront.Var
	start int
}

// holders returns, by their text, the expressions that local variables of a function are given.
func (s *Space) holders(fn *cfront.Func) map[string][]holder {
	if h, ok := s.held[fn]; ok {
		return h
	}
	out := map[string][]holder{}
	given := func(v *cfront.Var, x cfront.Expr) {
		if b, ok := cfront.Skip(x).(*cfront.Binary); ok && v != nil && v.Storage == cfront.Local && b.Editable() {
			r := b.Range()
			out[collapsed(r.Text())] = append(out[collapsed(r.Text())], holder{v, r.Start})
		}
	}
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		if d, ok := st.(*cfront.Decl); ok && len(d.Init) == 1 {
			given(d.Var, d.Init[0].X)
		}
	}, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if a, ok := y.(*cfront.Assign); ok && !a.HasOp {
				if r, ok := a.L.(*cfront.Ref); ok {
					given(r.Var, a.R)
				}
			}
			return true
		})
	})
	if s.held == nil {
		s.held = map[*cfront.Func]map[string][]holder{}
	}
	s.held[fn] = out
	return out
}

// asHeld lists the variables that were given what an expression computes again.
func (s *Space) asHeld(x *cfront.Binary, fn *cfront.Func) {
	r := x.Range()
	for _, h := range s.holders(fn)[collapsed(r.Text())] {
		if h.start < r.Start && sameType(h.v.Type, x.Type()) {
			s.replaced(x, fn, costPath, "the variable that was computed so", h.v.Name, h.v.Name)
		}
	}
}
