package space

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file makes insertions out of what the function does elsewhere: its
// statements that are more than one assignment of paths, as they are and about
// other variables; and calls of the program's own helpers with variables.

const maxDonors = 120

func (s *Space) donors(sc *scope, f *cfront.Func) []cfront.Expr {
	in := map[*cfront.Var]bool{}
	for _, v := range sc.vars {
		in[v] = true
	}
	var out []cfront.Expr
	seen := map[string]bool{}
	add := func(x cfront.Expr) {
		ok := len(out) < maxDonors && x != nil && !seen[cfront.Text(x)]
		cfront.Walk(x, func(y cfront.Expr) bool {
			if r, is := y.(*cfront.Ref); is && !in[r.Var] {
				ok = false
			}
			return ok
		})
		if ok {
			seen[cfront.Text(x)] = true
			out = append(out, x)
		}
	}
	for _, st := range s.Program.Stmts {
		if st == nil || st.Func != f || st.X == nil || !editable(st) {
			continue
		}
		switch x := st.X.(type) {
		case *cfront.Assign, *cfront.IncDec, *cfront.Call:
			if a, ok := x.(*cfront.Assign); ok && plain(a) {
				continue // every assignment of paths is a candidate anyway
			}
			add(x)
			for _, v := range variables(x) {
				for _, w := range sc.vars {
					if w != v && ctype.Same(v.Type, w.Type) {
						add(renamed(x, v, w))
					}
				}
			}
		}
	}
	for _, x := range s.helpers(sc, f) {
		add(x)
	}
	return out
}

func plain(a *cfront.Assign) bool {
	_, _, l := splitPath(a.L)
	_, _, r := splitPath(a.R)
	return !a.HasOp && l && (r || cfront.IsNull(a.R))
}

func variables(x cfront.Expr) []*cfront.Var {
	var out []*cfront.Var
	seen := map[*cfront.Var]bool{}
	cfront.Walk(x, func(y cfront.Expr) bool {
		if r, ok := y.(*cfront.Ref); ok && !seen[r.Var] {
			seen[r.Var] = true
			out = append(out, r.Var)
		}
		return true
	})
	return out
}

// renamed returns x about w where it is about v.
func renamed(x cfront.Expr, v, w *cfront.Var) cfront.Expr {
	for {
		var old cfront.Expr
		cfront.Walk(x, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.Ref); ok && r.Var == v {
				old = y
			}
			return old == nil
		})
		if old == nil {
			return x
		}
		x = cfront.Replace(x, old, cfront.NewRef(w))
	}
}

// helpers returns calls of the program's functions of one argument whose result
// goes into a variable.
func (s *Space) helpers(sc *scope, f *cfront.Func) []cfront.Expr {
	var out []cfront.Expr
	for _, h := range s.Program.Tree.Funcs {
		r := h.Type.Result
		if h == f || h.Name == "main" || r == nil || !r.IsScalar() || len(h.Params) != 1 || !h.Range.Valid() || h.Range.File.Name[0] == '@' {
			continue
		}
		for _, a := range sc.vars {
			if !ctype.Same(a.Type, h.Params[0].Type) {
				continue
			}
			for _, l := range sc.vars {
				if ctype.Same(l.Type, r) {
					out = append(out, cfront.NewAssign(cfront.NewRef(l), cfront.NewCall(h, []cfront.Expr{cfront.NewRef(a)})))
				}
			}
		}
	}
	return out
}
