package cfront

// Rewrite returns a copy of an expression in which at replaces nodes, outer ones first. If at returns true, its
// expression takes the place of the node, whose operands are not visited. ok is false if at replaces a node by nil,
// or if a node cannot be copied: a compound literal, a statement expression, va_arg and the like.
func Rewrite(root Expr, at func(Expr) (Expr, bool)) (out Expr, ok bool) {
	if y, done := at(root); done {
		return y, y != nil
	}
	switch x := root.(type) {
	case *Const, *String, *Ref, *FuncRef, *WideConst, *SizeofVLA:
		return root, true
	case *Decay:
		return copied(x, at, func(z *Decay) []*Expr { return []*Expr{&z.X} })
	case *Cast:
		return copied(x, at, func(z *Cast) []*Expr { return []*Expr{&z.X} })
	case *Unary:
		return copied(x, at, func(z *Unary) []*Expr { return []*Expr{&z.X} })
	case *LogicalNot:
		return copied(x, at, func(z *LogicalNot) []*Expr { return []*Expr{&z.X} })
	case *Deref:
		return copied(x, at, func(z *Deref) []*Expr { return []*Expr{&z.X} })
	case *Addr:
		return copied(x, at, func(z *Addr) []*Expr { return []*Expr{&z.X} })
	case *Member:
		return copied(x, at, func(z *Member) []*Expr { return []*Expr{&z.X} })
	case *IncDec:
		return copied(x, at, func(z *IncDec) []*Expr { return []*Expr{&z.X} })
	case *Index:
		return copied(x, at, func(z *Index) []*Expr { return []*Expr{&z.X, &z.I} })
	case *Binary:
		return copied(x, at, func(z *Binary) []*Expr { return []*Expr{&z.X, &z.Y} })
	case *Logical:
		return copied(x, at, func(z *Logical) []*Expr { return []*Expr{&z.X, &z.Y} })
	case *Comma:
		return copied(x, at, func(z *Comma) []*Expr { return []*Expr{&z.X, &z.Y} })
	case *Assign:
		return copied(x, at, func(z *Assign) []*Expr { return []*Expr{&z.L, &z.R} })
	case *Cond:
		return copied(x, at, func(z *Cond) []*Expr { return []*Expr{&z.C, &z.A, &z.B} })
	case *Call:
		return copied(x, at, func(z *Call) []*Expr {
			z.Args = append([]Expr(nil), z.Args...)
			list := []*Expr{&z.Fun}
			for i := range z.Args {
				list = append(list, &z.Args[i])
			}
			return list
		})
	}
	return nil, false
}

func copied[T any, P interface {
	*T
	Expr
	base() *expr
}](x P, at func(Expr) (Expr, bool), operands func(P) []*Expr) (Expr, bool) {
	z := P(clone(x))
	*z.base() = expr{typ: x.Type()}
	for _, s := range operands(z) {
		y, ok := Rewrite(*s, at)
		if !ok {
			return nil, false
		}
		*s = y
	}
	return z, true
}
