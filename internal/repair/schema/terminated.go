package schema

import (
	"gulo/internal/cfront"
)

// copying are functions that copy so many characters and end no text.
var copying = map[string]bool{"strncpy": true, "memcpy": true, "memmove": true}

// terminated is the statement that ends a text behind what an expression writes: a[n] = 0 where
// n characters are copied to a, or a[n++] is stored to; "" for others.
func terminated(x cfront.Expr, fn *cfront.Func, in map[*cfront.Var]bool) string {
	here := func(parts ...cfront.Expr) bool {
		for _, p := range parts {
			fr, ok := fragmentOf(p, fn)
			for _, r := range fr.refs {
				ok = ok && in[r.Var]
			}
			if !ok || !p.Editable() || impure(p) || calls(p) {
				return false
			}
		}
		return true
	}
	end := func(to, n cfront.Expr) string { return to.Range().Text() + "[" + n.Range().Text() + "] = '\\0';" }
	switch x := x.(type) {
	case *cfront.Call:
		f, ok := x.Fun.(*cfront.FuncRef)
		if !ok || !copying[f.Func.Name] || len(x.Args) != 3 {
			return ""
		}
		to, n := cfront.Skip(x.Args[0]), cfront.Skip(x.Args[2])
		if d, ok := to.(*cfront.Decay); ok {
			to = d.X
		}
		t := to.Type().Elem
		if _, constant := n.(*cfront.Const); constant || !path(to) || !here(to, n) || t == nil || t.Size != 1 {
			return ""
		}
		return end(to, n)
	case *cfront.Index:
		step, ok := cfront.Skip(x.I).(*cfront.IncDec)
		if !ok || step.Dec || !x.Type().IsInteger() || x.Type().Size != 1 || !within(x.X, x) || !here(step.X) {
			return ""
		}
		to := x.X
		if d, ok := to.(*cfront.Decay); ok {
			to = d.X
		}
		if !here(to) {
			return ""
		}
		return end(to, step.X)
	}
	return ""
}
