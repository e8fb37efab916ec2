package cfront

// Replace returns root with the node old replaced by new; what is not on the
// way to it is shared. Nodes on the way lose their bytes and print anew.
func Replace(root, old, new Expr) Expr {
	if root == old {
		return new
	}
	sub := func(x Expr) (Expr, bool) {
		if x == nil {
			return x, false
		}
		y := Replace(x, old, new)
		return y, y != x
	}
	fresh := func(e *expr) { *e = expr{typ: e.typ} }
	switch x := root.(type) {
	case *Decay:
		if y, ok := sub(x.X); ok {
			z := *x
			z.X = y
			fresh(&z.expr)
			return &z
		}
	case *Cast:
		if y, ok := sub(x.X); ok {
			z := *x
			z.X = y
			fresh(&z.expr)
			return &z
		}
	case *Unary:
		if y, ok := sub(x.X); ok {
			z := *x
			z.X = y
			fresh(&z.expr)
			return &z
		}
	case *LogicalNot:
		if y, ok := sub(x.X); ok {
			z := *x
			z.X = y
			fresh(&z.expr)
			return &z
		}
	case *Deref:
		if y, ok := sub(x.X); ok {
			z := *x
			z.X = y
			fresh(&z.expr)
			return &z
		}
	case *Member:
		if y, ok := sub(x.X); ok {
			z := *x
			z.X = y
			fresh(&z.expr)
			return &z
		}
	case *IncDec:
		if y, ok := sub(x.X); ok {
			z := *x
			z.X = y
			fresh(&z.expr)
			return &z
		}
	case *Index:
		a, ok1 := sub(x.X)
		b, ok2 := sub(x.I)
		if ok1 || ok2 {
			z := *x
			z.X, z.I = a, b
			fresh(&z.expr)
			return &z
		}
	case *Binary:
		a, ok1 := sub(x.X)
		b, ok2 := sub(x.Y)
		if ok1 || ok2 {
			z := *x
			z.X, z.Y = a, b
			fresh(&z.expr)
			return &z
		}
	case *Logical:
		a, ok1 := sub(x.X)
		b, ok2 := sub(x.Y)
		if ok1 || ok2 {
			z := *x
			z.X, z.Y = a, b
			fresh(&z.expr)
			return &z
		}
	case *Comma:
		a, ok1 := sub(x.X)
		b, ok2 := sub(x.Y)
		if ok1 || ok2 {
			z := *x
			z.X, z.Y = a, b
			fresh(&z.expr)
			return &z
		}
	case *Assign:
		a, ok1 := sub(x.L)
		b, ok2 := sub(x.R)
		if ok1 || ok2 {
			z := *x
			z.L, z.R = a, b
			fresh(&z.expr)
			return &z
		}
	}
	return root
}

// WithOp returns a copy of a binary operation or compound assignment with
// another operator of the same kind.
func WithOp(x Expr, set func(b *Binary, a *Assign)) Expr {
	switch x := x.(type) {
	case *Binary:
		z := *x
		z.expr = expr{typ: x.typ}
		set(&z, nil)
		return &z
	case *Assign:
		z := *x
		z.expr = expr{typ: x.typ}
		set(nil, &z)
		return &z
	case *IncDec:
		z := *x
		z.expr = expr{typ: x.typ}
		z.Dec = !z.Dec
		return &z
	}
	return x
}
