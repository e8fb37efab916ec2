package cfront

import (
	"strings"

	"gulo/internal/source"
)

// Replace returns root with the node old replaced by new. It copies the nodes on the path to old, which lose
// their source range and are rendered anew. All other nodes are shared.
func Replace(root, old, new Expr) Expr {
	if root == old {
		return new
	}
	switch x := root.(type) {
	case *Decay:
		return swap(x, old, new, func(z *Decay) []*Expr { return []*Expr{&z.X} })
	case *Cast:
		return swap(x, old, new, func(z *Cast) []*Expr { return []*Expr{&z.X} })
	case *Unary:
		return swap(x, old, new, func(z *Unary) []*Expr { return []*Expr{&z.X} })
	case *LogicalNot:
		return swap(x, old, new, func(z *LogicalNot) []*Expr { return []*Expr{&z.X} })
	case *Deref:
		return swap(x, old, new, func(z *Deref) []*Expr { return []*Expr{&z.X} })
	case *Addr:
		return swap(x, old, new, func(z *Addr) []*Expr { return []*Expr{&z.X} })
	case *Member:
		return swap(x, old, new, func(z *Member) []*Expr { return []*Expr{&z.X} })
	case *IncDec:
		return swap(x, old, new, func(z *IncDec) []*Expr { return []*Expr{&z.X} })
	case *Index:
		return swap(x, old, new, func(z *Index) []*Expr { return []*Expr{&z.X, &z.I} })
	case *Binary:
		return swap(x, old, new, func(z *Binary) []*Expr { return []*Expr{&z.X, &z.Y} })
	case *Logical:
		return swap(x, old, new, func(z *Logical) []*Expr { return []*Expr{&z.X, &z.Y} })
	case *Comma:
		return swap(x, old, new, func(z *Comma) []*Expr { return []*Expr{&z.X, &z.Y} })
	case *Assign:
		return swap(x, old, new, func(z *Assign) []*Expr { return []*Expr{&z.L, &z.R} })
	case *Cond:
		return swap(x, old, new, func(z *Cond) []*Expr { return []*Expr{&z.C, &z.A, &z.B} })
	case *Call:
		return swap(x, old, new, func(z *Call) []*Expr {
			z.Args = append([]Expr(nil), z.Args...)
			out := []*Expr{&z.Fun}
			for i := range z.Args {
				out = append(out, &z.Args[i])
			}
			return out
		})
	}
	return root
}

// swap applies Replace to the operands of x; it returns x itself if nothing changed.
func swap[T any, P interface {
	*T
	Expr
	base() *expr
}](x P, old, new Expr, operands func(P) []*Expr) Expr {
	z := P(clone(x))
	changed := false
	for _, s := range operands(z) {
		if y := Replace(*s, old, new); y != *s {
			*s = y
			changed = true
		}
	}
	if !changed {
		return x
	}
	*z.base() = expr{typ: x.Type(), spelt: passing(x, old, new)}
	return z
}

// passing returns the text of macro call x with old replaced by new in an argument. It returns "" if x is not a macro
// call, or if old is not in an argument that occurs exactly once in the expansion.
func passing(x, old, new Expr) string {
	r := x.Range()
	if !x.Editable() || old.Range() != r {
		return ""
	}
	use := r.Text()
	for _, a := range MacroArguments(use) {
		var in Expr
		times := 0
		arg := source.Squeeze(use[a[0]:a[1]])
		Walk(x, func(y Expr) bool {
			if y != x && y.Range() == r && !made(y) && source.Squeeze(Text(y)) == arg {
				in = y
				times++
			}
			return true
		})
		if times != 1 {
			continue
		}
		if y := Replace(in, old, new); y != in {
			return use[:a[0]] + text(y, precAssign) + use[a[1]:]
		}
	}
	return ""
}

// MacroArguments returns the ranges of the arguments in the text of a macro call NAME(a, b), without the
// blanks around them. It returns nil for a text of another form.
func MacroArguments(use string) (out [][2]int) {
	open := strings.IndexByte(use, '(')
	if open <= 0 || !strings.HasSuffix(use, ")") || strings.Trim(use[:open], nameBytes+" \t") != "" {
		return nil
	}
	from, depth := open+1, 0
	for i := from; i < len(use); i++ {
		switch c := use[i]; c {
		case '"', '\'':
			for i++; i < len(use) && use[i] != c; i++ {
				if use[i] == '\\' {
					i++
				}
			}
			continue
		case '(', '[', '{':
			depth++
			continue
		case ')', ']', '}':
			if depth--; depth >= 0 {
				continue
			}
			if i < len(use)-1 {
				return nil // f(a) + g(b)
			}
		case ',':
			if depth > 0 {
				continue
			}
		default:
			continue
		}
		arg := use[from:i]
		start := from + len(arg) - len(strings.TrimLeft(arg, " \t\r\n"))
		out = append(out, [2]int{start, start + len(strings.TrimSpace(arg))})
		from = i + 1
	}
	return out
}

const nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

// made reports whether an expression is an implicit conversion.
func made(x Expr) bool {
	switch x := x.(type) {
	case *Cast:
		return x.Implicit
	case *Decay:
		return true
	}
	return false
}

func clone[T any](x *T) *T {
	z := *x
	return &z
}

// WithOp returns a copy of a binary operation or assignment, changed by set, or a copy of an
// increment made a decrement and the other way round. The copy has no source range.
func WithOp(x Expr, set func(b *Binary, a *Assign)) Expr {
	switch x := x.(type) {
	case *Binary:
		z := clone(x)
		z.expr = expr{typ: x.typ}
		set(z, nil)
		return z
	case *Assign:
		z := clone(x)
		z.expr = expr{typ: x.typ}
		set(nil, z)
		return z
	case *IncDec:
		z := clone(x)
		z.expr = expr{typ: x.typ}
		z.Dec = !z.Dec
		return z
	}
	return x
}
