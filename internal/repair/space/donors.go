package space

import (
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
)

// This file makes insertions from the function's other statements, as they are and with other variables, except plain
// assignments of paths. It also makes calls of the program's helpers with variables.

const maxDonors = 120

func (s *Space) donors(sc *scope, f *cfront.Func) []cfront.Expr {
	in := map[*cfront.Var]bool{}
	for _, v := range sc.vars {
		in[v] = true
	}
	var out []cfront.Expr
	seen := map[string]bool{}
	most := maxDonors
	if s.Numbers {
		most *= 3
	}
	add := func(x cfront.Expr) {
		ok := len(out) < most && x != nil && !seen[cfront.Text(x)] && !WritesConstant(x)
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Ref:
				ok = ok && in[y.Var]
			case *cfront.Const:
				ok = ok && sizesIn(y, f, in)
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
				continue // every assignment of paths is a candidate already
			}
			add(x)
			for _, v := range variables(x) {
				for _, w := range sc.vars {
					if w != v && len(out) < most && ctype.Same(v.Type, w.Type) {
						add(renamed(x, v, w))
					}
				}
			}
		}
	}
	for _, x := range s.helpers(sc, f) {
		add(x)
	}
	if s.Numbers {
		for _, st := range s.Program.Stmts {
			if st != nil && st.Func == f && st.Kind == lower.Expr && editable(st) {
				for _, x := range rescaled(st.X) {
					add(x)
				}
			}
		}
	}
	return out
}

// word matches a name in C.
var word = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9]*`)

// sizesIn reports whether the text of a constant with sizeof names only those local variables of f that are in scope.
func sizesIn(c *cfront.Const, f *cfront.Func, in map[*cfront.Var]bool) bool {
	text := cfront.Text(c)
	if !strings.Contains(text, "sizeof") {
		return true
	}
	for _, w := range word.FindAllString(text, -1) {
		for _, v := range append(append([]*cfront.Var(nil), f.Params...), f.Locals...) {
			if v.Name == w && !in[v] {
				return false
			}
		}
	}
	return true
}

// rescaled returns variants of a statement with one of its integers doubled, halved, plus one or minus one.
func rescaled(x cfront.Expr) []cfront.Expr {
	var out []cfront.Expr
	cfront.Walk(x, func(y cfront.Expr) bool {
		c, ok := y.(*cfront.Const)
		if !ok || !c.Type().IsInteger() || c.Value == 0 {
			return true
		}
		for _, w := range []ctype.Word{2 * c.Value, c.Value / 2, c.Value + 1, c.Value - 1} {
			out = append(out, cfront.Replace(x, c, cfront.NewConst(c.Type(), ctype.Wrap(c.Type(), w))))
		}
		return true
	})
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

// renamed returns x with variable v replaced by w.
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

// helpers returns assignments of the result of one of the program's functions with one parameter to a variable.
func (s *Space) helpers(sc *scope, f *cfront.Func) []cfront.Expr {
	var out []cfront.Expr
	for _, h := range s.Program.Tree.Funcs {
		r := h.Type.Result
		if h == f || h.Name == "main" || r == nil || !r.IsScalar() || len(h.Params) != 1 || !h.Range.Valid() || h.Range.File.Name[0] == '@' || !sc.declares(h) {
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

// donorConditions returns the conditions that a function has elsewhere and their opposites, also with the null checks
// that make them safe.
func donorConditions(sc *scope, p *lower.Program, f *cfront.Func) []cfront.Expr {
	in := map[*cfront.Var]bool{}
	for _, v := range sc.vars {
		in[v] = true
	}
	var out []cfront.Expr
	seen := map[string]bool{}
	add := func(x cfront.Expr) {
		if x != nil && !seen[cfront.Text(x)] {
			seen[cfront.Text(x)] = true
			out = append(out, x)
		}
	}
	var one func(x cfront.Expr)
	one = func(x cfront.Expr) {
		if l, ok := x.(*cfront.Logical); ok {
			one(l.X)
			one(l.Y)
			return
		}
		for _, v := range variables(x) {
			if !in[v] {
				return
			}
		}
		if cfront.HasCall(x) || !cfront.Pure(x) {
			return
		}
		for _, y := range []cfront.Expr{x, negated(x)} {
			add(y)
			cfront.Walk(x, func(z cfront.Expr) bool {
				if m, ok := z.(*cfront.Member); ok && m.Arrow {
					if g := cfront.NewBinary(ctype.Ne, m.X, cfront.NewConst(m.X.Type(), 0)); g != nil {
						add(cfront.NewLogical(true, g, y))
					}
				}
				return true
			})
		}
	}
	for _, st := range p.Stmts {
		if st != nil && st.Func == f && st.Kind == lower.Cond {
			one(st.X)
		}
	}
	return out
}

// negated returns the opposite of a condition; a comparison gets the opposite operator.
func negated(x cfront.Expr) cfront.Expr {
	b, ok := x.(*cfront.Binary)
	if !ok || !b.Op.IsCompare() {
		return cfront.NewNot(x)
	}
	opposite := map[ctype.Op]ctype.Op{ctype.Eq: ctype.Ne, ctype.Ne: ctype.Eq, ctype.Lt: ctype.Ge, ctype.Ge: ctype.Lt, ctype.Gt: ctype.Le, ctype.Le: ctype.Gt}
	return cfront.WithOp(x, func(b *cfront.Binary, _ *cfront.Assign) { b.Op = opposite[b.Op] })
}
