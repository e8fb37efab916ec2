package cfront

import (
	"regexp"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/x86"

	"modernc.org/cc/v4"
)

// This file converts calls of gcc's built-in functions that are not calls of a library function.

// onlyBuiltin matches the built-in functions x for which __builtin_x is not another name of a library function x.
var onlyBuiltin = regexp.MustCompile(`^(clz|ctz|popcount|parity|clrsb|bswap|unreachable$|trap$|is(nan|inf|finite|normal|greater|less|unordered|signaling|sub|zero|issignaling)|signbit|fpclassify|.*_overflow|alloca_with_align|powi|bswap128|setjmp$|longjmp$|return_address$|frame_address$|stack_address$|_)`)

func (c *converter) arguments(n *cc.PostfixExpression) []Expr {
	var args []Expr
	for l := n.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		args = append(args, c.expr(l.AssignmentExpression))
	}
	return args
}

// builtin converts a call of a built-in function that has a meaning of its
// own; nil for other functions.
func (c *converter) builtin(n *cc.PostfixExpression, name string) Expr {
	if strings.HasPrefix(name, "__atomic_") || strings.HasPrefix(name, "__sync_") {
		return c.atomic(n, name)
	}
	if name == "dlsym" {
		return c.dlsym(n)
	}
	if !strings.HasPrefix(name, "__builtin_") && !strings.HasPrefix(name, "__ccgo_") {
		return nil
	}
	constant := func(w ctype.Word, t *ctype.Type) Expr {
		e := &Const{Value: w}
		e.typ = t
		c.setRange(&e.expr, n.Token2)
		if p, ok := n.PostfixExpression.(*cc.PrimaryExpression); ok {
			c.setRange(&e.expr, p.Token)
		}
		return e
	}
	if x, ok := x86.Intrinsics[strings.TrimPrefix(name, "__builtin_ia32_")]; ok && strings.HasPrefix(name, "__builtin_ia32_") {
		return c.sameTypes(n, name, intrinsicType(x.Result), c.arguments(n))
	}
	switch short := strings.TrimPrefix(name, "__builtin_"); short {
	case "va_start", "va_end":
		a := c.arguments(n)
		e := &VaStart{X: a[0], End: short == "va_end"}
		c.place(n, &e.expr, ctype.VoidT, a...)
		return e
	case "va_arg_impl":
		a := c.arguments(n)
		e := &VaArg{X: a[0], Arg: ctype.IntT}
		c.place(n, &e.expr, ctype.VoidPtrT, a...)
		return e
	case "expect", "expect_with_probability", "assume_aligned":
		return c.expected(n, name, pick(short == "assume_aligned", ctype.VoidPtrT, ctype.LongT))
	case "constant_p":
		c.dry++
		x := c.arguments(n)[0]
		c.dry--
		_, ok := Constant(x)
		if d, isDecay := x.(*Decay); isDecay && !ok {
			_, ok = d.X.(*String)
		}
		return constant(truth(ok), ctype.IntT)
	case "choose_expr":
		l := n.ArgumentExpressionList
		if c.constInt(l.AssignmentExpression) != 0 {
			return c.lvalue(l.ArgumentExpressionList.AssignmentExpression)
		}
		return c.lvalue(l.ArgumentExpressionList.ArgumentExpressionList.AssignmentExpression)
	case "__ccgo__types_compatible_p":
		l := n.ArgumentExpressionList
		t, u := c.literalType(l.AssignmentExpression), c.literalType(l.ArgumentExpressionList.AssignmentExpression)
		return constant(truth(c.compatible(t, u)), ctype.IntT)
	case "inf", "huge_val", "nan", "nans":
		return constant(pick[uint64](short[0] == 'n', pick[uint64](short == "nans", 0x7ff4000000000000, 0x7ff8000000000000), 0x7ff0000000000000), ctype.DoubleT)
	case "inff", "huge_valf", "nanf", "nansf":
		return constant(pick[uint64](short[0] == 'n', pick[uint64](short == "nansf", 0x7fa00000, 0x7fc00000), 0x7f800000), ctype.FloatT)
	case "infl", "huge_vall", "nanl":
		e := c.wideValue(ctype.LongDoubleT, pick(short == "nanl", nanExt, infExt))
		c.setRange(&e.expr, n.Token2)
		return e
	case "object_size", "dynamic_object_size":
		return c.objectSize(n, constant)
	case "apply", "apply_args", "return", "va_arg_pack", "va_arg_pack_len", "has_attribute", "call_with_static_chain":
		c.refuse(n, "%s is not supported", name)
	case "isnan", "isnanf", "isnanl", "isinf", "isinff", "isinfl", "isinf_sign", "isfinite", "isnormal", "signbit", "signbitf", "signbitl", "fpclassify",
		"isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isunordered":
		return c.sameTypes(n, name, ctype.IntT, c.arguments(n))
	case "classify_type":
		c.dry++
		t := c.arguments(n)[0].Type()
		c.dry--
		return constant(classOf(t), ctype.IntT)
	case "prefetch", "__clear_cache", "cpu_init":
		return c.forEffect(n, ctype.VoidT, 0)
	case "cpu_supports", "cpu_is":
		return constant(0, ctype.IntT)
	case "speculation_safe_value", "assoc_barrier":
		return c.arguments(n)[0]
	case "extract_return_addr", "frob_return_addr":
		return c.convertTo(c.arguments(n)[0], ctype.VoidPtrT)
	case "tgmath":
		return c.tgmath(n)
	case "complex":
		return c.makeComplex(n)
	case "shuffle", "shufflevector":
		return c.shuffle(n, short)
	case "__ccgo__convertvector":
		return c.convertVector(n)
	case "LINE":
		return constant(uint64(c.lineOf(n)), ctype.IntT)
	case "add_overflow", "sub_overflow", "mul_overflow", "add_overflow_p", "sub_overflow_p", "mul_overflow_p":
		return c.overflow(n, short)
	}
	if c.lookup(name) == nil && !strings.HasPrefix(name, "__ccgo_") {
		c.refuse(n, "%s is not supported", name)
	}
	return nil
}

// expected returns the first argument of a call, converted to t. The other arguments are hints for the compiler; side
// effects in them are refused.
func (c *converter) expected(n *cc.PostfixExpression, name string, t *ctype.Type) Expr {
	a := c.arguments(n)
	x := c.convertTo(a[0], t)
	for _, y := range a[1:] {
		if !Pure(y) {
			c.refuse(n, "a side effect in an argument of %s is not supported", name)
		}
	}
	return x
}

// intrinsicType is the type of what an intrinsic function of x86 gives.
func intrinsicType(result string) *ctype.Type {
	switch result {
	case "void":
		return ctype.VoidT
	case "int":
		return ctype.IntT
	case "long":
		return ctype.LongT
	case "ulong":
		return ctype.ULongT
	}
	t := map[string]*ctype.Type{"b": ctype.CharT, "w": ctype.ShortT, "d": ctype.IntT, "q": ctype.LLongT, "f": ctype.FloatT, "g": ctype.DoubleT}[result]
	return ctype.VectorOf(t, 16/t.Size)
}

// dlsym adds the function that a call of dlsym asks for, where that is written as a literal, to its arguments: the
// program may not name it otherwise. With RTLD_NEXT it is the library's. It returns nil for other calls.
func (c *converter) dlsym(n *cc.PostfixExpression) Expr {
	l := n.ArgumentExpressionList
	if d := c.lookup("dlsym"); d == nil || d.f == nil || d.f.Body != nil || l == nil || l.ArgumentExpressionList == nil || l.ArgumentExpressionList.ArgumentExpressionList != nil {
		return nil
	}
	str := stringNode(l.ArgumentExpressionList.AssignmentExpression)
	args := c.arguments(n)
	handle, known := Constant(args[0])
	if str == nil || known && int64(handle) != -1 && handle != 0 {
		return nil
	}
	bytes := c.stringLiteral(str).(*String).Bytes
	name := string(bytes[:len(bytes)-1])
	t := &ctype.Type{Kind: ctype.Func, Size: 1, Align: 1, Result: ctype.IntT, NoProto: true}
	s := c.lookup(name)
	var f *Func
	next := false
	switch {
	case known && int64(handle) == -1:
		f = c.library(name+" of the library", t)
		f.Name, next = name, true
	case s == nil:
		f = c.library(name, t)
	case s.f == nil || s.f.Static:
		return nil
	default:
		f = s.f
	}
	ref := &FuncRef{Func: f}
	ref.typ = f.Type
	c.setRange(&ref.expr, n.Token2)
	if next { // it is not the program's function of that name
		f.Range = ref.rng
	}
	args[0], args[1] = c.convertTo(args[0], ctype.VoidPtrT), c.decay(args[1])
	return c.sameTypes(n, "dlsym", ctype.VoidPtrT, append(args, c.decay(ref)))
}

func (c *converter) place(n *cc.PostfixExpression, e *expr, t *ctype.Type, args ...Expr) {
	e.typ = t
	c.setRange(e, n.Token2)
	cover(e, args...)
}

// literalType returns the type T that is an argument of a built-in function. The parser represents it as the compound
// literal (T){}.
func (c *converter) literalType(n cc.ExpressionNode) *ctype.Type {
	p, ok := n.(*cc.PostfixExpression)
	if !ok || p.Case != cc.PostfixExpressionComplit {
		c.refuse(n, "this argument is no type")
	}
	t, _ := c.typeName(p.TypeName)
	return t
}

// overflow converts a call of a generic overflow function, such as __builtin_add_overflow. The arguments keep their
// types.
func (c *converter) overflow(n *cc.PostfixExpression, name string) Expr {
	t := &ctype.Type{Kind: ctype.Func, Size: 1, Align: 1, Result: ctype.BoolT, NoProto: true}
	e := &Call{Args: c.arguments(n)}
	f := &FuncRef{Func: c.library("__builtin_"+name, t)}
	f.typ = t
	c.place(n, &e.expr, ctype.BoolT, e.Args...)
	c.setRange(&e.expr, n.PostfixExpression.(*cc.PrimaryExpression).Token)
	e.Fun = f
	return e
}

// library returns the function of a name that the machine implements, declared with type t if it is new.
func (c *converter) library(name string, t *ctype.Type) *Func {
	f, ok := c.funcs[name]
	if !ok {
		f = &Func{Name: name, Type: t}
		c.funcs[name] = f
		c.funcOrder = append(c.funcOrder, f)
	}
	return f
}
