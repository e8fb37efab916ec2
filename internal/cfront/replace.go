package cfront

// Replace returns root with the node old replaced by new; what is not on the
// way to it is shared. Nodes on the way lose their bytes and print anew.
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

// swap is Replace below x; it returns x itself when nothing changed.
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
	*z.base() = expr{typ: x.Type()}
	return z
}

func clone[T any](x *T) *T {
	z := *x
	return &z
}

// WithOp returns a copy of a binary operation or compound assignment with its
// operator changed by set, or of an increment with its direction turned.
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
