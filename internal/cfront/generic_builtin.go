package cfront

import (
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/plural"

	"modernc.org/cc/v4"
)

// This file converts calls of gcc's built-in functions whose types depend on
// their arguments.

// sameTypes returns a call of a library function whose arguments are not converted.
func (c *converter) sameTypes(n *cc.PostfixExpression, name string, result *ctype.Type, args []Expr) Expr {
	t := &ctype.Type{Kind: ctype.Func, Size: 1, Align: 1, Result: result, NoProto: true}
	e := &Call{Args: args}
	f := &FuncRef{Func: c.library(name, t)}
	if f.Func.Type.Result != result {
		f.Func = c.library(name+" "+result.String(), t)
		f.Func.Name = name
	}
	f.typ = t
	c.place(n, &e.expr, result, e.Args...)
	if p, ok := n.PostfixExpression.(*cc.PrimaryExpression); ok {
		c.setRange(&e.expr, p.Token)
	}
	e.Fun = f
	return e
}

// forEffect returns an expression that evaluates the arguments with side effects, in order, and then has a constant
// value.
func (c *converter) forEffect(n *cc.PostfixExpression, t *ctype.Type, w ctype.Word) Expr {
	v := &Const{Value: w, Spell: "0"}
	v.typ = ctype.IntT
	var x Expr = v
	args := c.arguments(n)
	for i := len(args) - 1; i >= 0; i-- {
		if !Pure(args[i]) {
			x = c.andThen(args[i], x)
		}
	}
	e := &Cast{X: x, Implicit: true}
	c.place(n, &e.expr, t)
	return e
}

// atomic converts __sync and __atomic functions. Values have the type that the
// first argument points to.
func (c *converter) atomic(n *cc.PostfixExpression, name string) Expr {
	args := c.arguments(n)
	if strings.HasSuffix(name, "_lock_free") {
		size, ok := Constant(args[0])
		return c.forEffect(n, ctype.BoolT, truth(ok && size > 0 && size <= 8 && size&(size-1) == 0))
	}
	if strings.HasSuffix(name, "_fence") || name == "__sync_synchronize" {
		return c.sameTypes(n, name, ctype.VoidT, args)
	}
	if len(args) == 0 || args[0].Type().Kind != ctype.Pointer {
		c.refuse(n, "%s without a pointer", name)
	}
	t := args[0].Type().Elem
	value := func(i int) {
		if i < len(args) {
			args[i] = c.convertTo(args[i], t)
		}
	}
	result := t
	switch {
	case name == "__atomic_load_n":
	case name == "__atomic_store_n":
		value(1)
		result = ctype.VoidT
	case name == "__atomic_exchange_n", strings.Contains(name, "fetch"), name == "__sync_lock_test_and_set":
		value(1)
	case strings.HasSuffix(name, "_compare_and_swap"):
		value(1)
		value(2)
		if strings.Contains(name, "bool") {
			result = ctype.BoolT
		}
	case name == "__atomic_compare_exchange_n":
		value(2)
		result = ctype.BoolT
	case name == "__atomic_compare_exchange", name == "__atomic_test_and_set":
		result = ctype.BoolT
	case name == "__atomic_load", name == "__atomic_store", name == "__atomic_exchange", name == "__atomic_clear", name == "__sync_lock_release":
		result = ctype.VoidT
	default:
		c.refuse(n, "%s is not supported", name)
	}
	if t.IsWide() || strings.HasSuffix(name, "_n") && !t.IsScalar() {
		c.refuse(n, "%s on a %s is not supported", name, t)
	}
	if t.Kind == ctype.Pointer && strings.Contains(name, "fetch") { // in bytes
		value := &Cast{X: args[1], Implicit: true}
		value.typ = ctype.ULongT
		inherit(&value.expr, args[1])
		args[1] = value
	}
	return c.sameTypes(n, name, result, args)
}

// classOf returns __builtin_classify_type of a type.
func classOf(t *ctype.Type) ctype.Word {
	switch t.Kind {
	case ctype.Void:
		return 0
	case ctype.Int, ctype.Bool, ctype.Int128:
		return 1
	case ctype.Pointer:
		return 5
	case ctype.Float, ctype.LongDouble:
		return 8
	case ctype.Complex:
		return 9
	case ctype.Struct:
		return 12
	case ctype.Union:
		return 13
	}
	return ^ctype.Word(0)
}

// objectSize folds __builtin_object_size as gcc does without optimization: the size is known only if the argument
// names the object itself, or an array plus a constant.
func (c *converter) objectSize(n *cc.PostfixExpression, constant func(ctype.Word, *ctype.Type) Expr) Expr {
	c.dry++
	a := c.arguments(n)
	c.dry--
	k, _ := Constant(a[1])
	var x Expr
	switch p := skipCasts(a[0]).(type) {
	case *Decay:
		x = p.X
	case *Addr:
		x = p.X
	case *Binary: // of an array and a constant
		d, isDecay := skipCasts(p.X).(*Decay)
		if _, known := Constant(p.Y); known && isDecay && p.Op == ctype.Add && d.X.Type().Kind == ctype.Array {
			e := &Index{X: d, I: p.Y}
			e.typ = d.X.Type().Elem
			x = e
		}
	}
	if whole, sub, off, ok := extent(x); ok {
		if k&1 == 1 {
			return constant(ctype.Word(sub), ctype.ULongT)
		}
		return constant(ctype.Word(max(whole-off, 0)), ctype.ULongT)
	}
	return constant(pick[uint64](k < 2, ^uint64(0), 0), ctype.ULongT)
}

func skipCasts(x Expr) Expr {
	for {
		y, ok := x.(*Cast)
		if !ok {
			return x
		}
		x = y.X
	}
}

// extent describes the place of an lvalue: whole is the size of the object that it is part of, sub the bytes from the
// place to the end of the innermost part, and off the offset of the place in the object.
func extent(x Expr) (whole, sub, off int64, ok bool) {
	switch x := x.(type) {
	case *Ref:
		if x.Var.VLALen != nil {
			return 0, 0, 0, false
		}
		return x.typ.Size, x.typ.Size, 0, x.typ.Size > 0
	case *String:
		return x.typ.Size, x.typ.Size, 0, true
	case *Member:
		if !x.Arrow {
			whole, _, off, ok = extent(x.X)
			return whole, x.typ.Size, off + x.Field.Offset, ok
		}
	case *Index:
		d, isDecay := x.X.(*Decay)
		i, known := Constant(x.I)
		if isDecay && known {
			whole, sub, off, ok = extent(d.X)
			at := int64(i) * x.typ.Size
			if at < 0 || at > sub {
				return 0, 0, 0, false
			}
			return whole, sub - at, off + at, ok
		}
	}
	return 0, 0, 0, false
}

// makeComplex converts __builtin_complex(re, im) to a compound literal.
func (c *converter) makeComplex(n *cc.PostfixExpression) Expr {
	a := c.arguments(n)
	t := ctype.ComplexOf(a[0].Type())
	return c.literal(n, t, []Init{{Type: t.Elem, X: a[0]}, {Offset: t.Elem.Size, Type: t.Elem, X: c.convertTo(a[1], t.Elem)}})
}

// shuffle converts __builtin_shuffle(v, mask), (a, b, mask) and shufflevector.
func (c *converter) shuffle(n *cc.PostfixExpression, name string) Expr {
	args := c.arguments(n)
	if len(args) < 2 || args[0].Type().Kind != ctype.Vector {
		c.refuse(n, "__builtin_%s without a vector", name)
	}
	t := args[0].Type()
	if name == "shufflevector" {
		t = ctype.VectorOf(t.Elem, int64(len(args)-2))
		if t.Len&(t.Len-1) != 0 || t.Len == 0 {
			c.refuse(n, "__builtin_shufflevector to %s is not supported", plural.N(t.Len, "element"))
		}
	}
	return c.sameTypes(n, "__builtin_"+name, t, args)
}

// convertVector converts __builtin_convertvector(v, type), element by element.
func (c *converter) convertVector(n *cc.PostfixExpression) Expr {
	l := n.ArgumentExpressionList
	x := c.expr(l.AssignmentExpression)
	t := c.literalType(l.ArgumentExpressionList.AssignmentExpression)
	if x.Type().Kind != ctype.Vector || t.Kind != ctype.Vector || t.Len != x.Type().Len {
		c.refuse(n, "__builtin_convertvector of %s to %s", x.Type(), t)
	}
	return c.sameTypes(n, "__builtin_convertvector", t, []Expr{x})
}

// lineOf is the line on which a node is written.
func (c *converter) lineOf(n cc.Node) int {
	r, _ := c.at(n)
	return r.Position().Line
}

// arity refuses a call with more or fewer arguments than a function takes.
func (c *converter) arity(n *cc.PostfixExpression, ft *ctype.Type, args int) {
	if !ft.NoProto && (args < len(ft.Params) || args > len(ft.Params) && !ft.Variadic) {
		c.refuse(n, "call with %s of a function with %s", plural.N(args, "argument"), plural.N(len(ft.Params), "parameter"))
	}
}

// transparentArgument converts an argument for a parameter that is a transparent union. It initializes the first member
// that the argument can be assigned to.
func (c *converter) transparentArgument(n *cc.PostfixExpression, a Expr, t *ctype.Type) Expr {
	fits := func(f *ctype.Type) bool {
		at := a.Type()
		if f.Kind != ctype.Pointer || at.Kind != ctype.Pointer {
			return f.Kind == ctype.Pointer && IsNull(a) || f.Kind == at.Kind && ctype.Same(f, at)
		}
		return ctype.Same(f.Elem, at.Elem) || f.Elem.Kind == ctype.Void || at.Elem.Kind == ctype.Void
	}
	for _, f := range t.Fields {
		if fits(f.Type) {
			x := c.literal(n, t, []Init{{Type: f.Type, X: c.convertTo(a, f.Type)}})
			inherit(&x.expr, a)
			x.macro = true
			return x
		}
	}
	c.refuse(n, "an argument of type %s for %s", a.Type(), t)
	return nil
}

// tgmath converts __builtin_tgmath(f, g, ..., x, y). Only the arguments for parameters whose types differ between the
// functions count. The function is called whose parameters there have the common type of these arguments.
func (c *converter) tgmath(n *cc.PostfixExpression) Expr {
	all := c.arguments(n)
	var funcs []Expr
	for _, a := range all {
		if t := a.Type(); t.Kind != ctype.Pointer || t.Elem.Kind != ctype.Func {
			break
		}
		funcs = append(funcs, a)
	}
	if len(funcs) == 0 {
		c.refuse(n, "this use of __builtin_tgmath is not supported")
	}
	args := all[len(funcs):]
	params := func(i int) []*ctype.Type { return funcs[i].Type().Elem.Params }
	differs := make([]bool, len(args))
	for i := range funcs {
		if len(params(i)) != len(args) {
			c.refuse(n, "this use of __builtin_tgmath is not supported")
		}
		for k, t := range params(i) {
			differs[k] = differs[k] || !c.compatible(t, params(0)[k])
		}
	}
	rank, isComplex := 0, false
	for k, a := range args {
		if differs[k] {
			r, z := realRank(a.Type())
			rank, isComplex = max(rank, r), isComplex || z
		}
	}
	for _, want := range []bool{isComplex, true} {
		for i := range funcs {
			fits := true
			for k, t := range params(i) {
				r, z := realRank(t)
				fits = fits && (!differs[k] || r == rank && z == want)
			}
			if fits {
				return c.tgmathCall(n, funcs[i], args)
			}
		}
	}
	c.refuse(n, "this use of __builtin_tgmath is not supported")
	return nil
}

// tgmathCall calls the function that was chosen.
func (c *converter) tgmathCall(n *cc.PostfixExpression, f Expr, args []Expr) Expr {
	t := f.Type().Elem
	for k := range args {
		args[k] = c.convertTo(args[k], t.Params[k])
	}
	e := &Call{Fun: f, Args: args}
	c.place(n, &e.expr, t.Result, args...)
	return e
}

// realRank orders the types of numbers as tgmath.h does: integers count as double.
func realRank(t *ctype.Type) (rank int, isComplex bool) {
	if t.Kind == ctype.Complex {
		rank, _ = realRank(t.Elem)
		return rank, true
	}
	switch {
	case t.Kind == ctype.Float && t.Size == 4:
		return 1, false
	case t.Kind == ctype.LongDouble:
		return 3, false
	}
	return 2, false
}
