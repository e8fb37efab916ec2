package cfront

import (
	"strings"

	"gulo/internal/ctype"

	"modernc.org/cc/v4"
)

// This file converts expressions. Types are computed here from the types of
// the leaves; every conversion becomes a Cast.

func (c *converter) expr(n cc.ExpressionNode) Expr {
	return c.decay(c.lvalue(n))
}

// decay turns arrays and functions into pointers.
func (c *converter) decay(x Expr) Expr {
	t := x.Type()
	if t.Kind != ctype.Array && t.Kind != ctype.Func {
		return x
	}
	d := &Decay{X: x}
	d.typ = t.Decay()
	inherit(&d.expr, x)
	return d
}

// inherit gives a node that nobody wrote the bytes of its operand.
func inherit(e *expr, x Expr) {
	b := x.(interface{ base() *expr }).base()
	e.rng, e.macro = b.rng, b.macro
}

// convertTo adds the implicit conversion to t where one is needed.
func (c *converter) convertTo(x Expr, t *ctype.Type) Expr {
	f := x.Type()
	if t.IsAggregate() || t.Kind == ctype.Array || f == t || ctype.Same(f, t) {
		return x
	}
	e := &Cast{X: x, Implicit: true}
	e.typ = t
	inherit(&e.expr, x)
	return e
}

func (c *converter) promote(x Expr) Expr {
	return c.convertTo(x, ctype.Promote(x.Type()))
}

func (c *converter) bin(op ctype.Op, l, r cc.ExpressionNode) Expr {
	x, y := c.expr(l), c.expr(r)
	e := c.binary(op, x, y)
	cover(&e.expr, x, y)
	return e
}

// binary builds x op y with its conversions.
func (c *converter) binary(op ctype.Op, x, y Expr) *Binary {
	e := &Binary{Op: op}
	xp, yp := x.Type().Kind == ctype.Pointer, y.Type().Kind == ctype.Pointer
	switch {
	case op.IsCompare():
		e.typ = ctype.IntT
		switch {
		case xp && yp:
		case xp:
			y = c.convertTo(y, x.Type())
		case yp:
			x = c.convertTo(x, y.Type())
		default:
			t := ctype.Common(c.promote(x).Type(), c.promote(y).Type())
			x, y = c.convertTo(c.promote(x), t), c.convertTo(c.promote(y), t)
		}
	case op == ctype.Shl || op == ctype.Shr:
		x, y = c.promote(x), c.promote(y)
		e.typ = x.Type()
	case xp && yp:
		e.typ = ctype.LongT
	case xp:
		e.typ, y = x.Type(), c.convertTo(y, ctype.LongT)
	case yp:
		x, y = c.convertTo(y, y.Type()), c.convertTo(x, ctype.LongT)
		e.typ = x.Type()
	default:
		if !x.Type().IsArith() || !y.Type().IsArith() {
			c.refuse(x, "operator %s on %s and %s", op, x.Type(), y.Type())
		}
		x, y = c.promote(x), c.promote(y)
		t := ctype.Common(x.Type(), y.Type())
		x, y = c.convertTo(x, t), c.convertTo(y, t)
		e.typ = t
	}
	e.X, e.Y = x, y
	return e
}

// lvalue converts an expression without decay.
func (c *converter) lvalue(n cc.ExpressionNode) Expr {
	switch n := n.(type) {
	case *cc.AdditiveExpression:
		return c.bin(pick(n.Case == cc.AdditiveExpressionAdd, ctype.Add, ctype.Sub), n.AdditiveExpression, n.MultiplicativeExpression)
	case *cc.MultiplicativeExpression:
		op := map[cc.MultiplicativeExpressionCase]ctype.Op{cc.MultiplicativeExpressionMul: ctype.Mul, cc.MultiplicativeExpressionDiv: ctype.Div, cc.MultiplicativeExpressionMod: ctype.Rem}[n.Case]
		return c.bin(op, n.MultiplicativeExpression, n.CastExpression)
	case *cc.AndExpression:
		return c.bin(ctype.And, n.AndExpression, n.EqualityExpression)
	case *cc.ExclusiveOrExpression:
		return c.bin(ctype.Xor, n.ExclusiveOrExpression, n.AndExpression)
	case *cc.InclusiveOrExpression:
		return c.bin(ctype.Or, n.InclusiveOrExpression, n.ExclusiveOrExpression)
	case *cc.ShiftExpression:
		return c.bin(pick(n.Case == cc.ShiftExpressionLsh, ctype.Shl, ctype.Shr), n.ShiftExpression, n.AdditiveExpression)
	case *cc.EqualityExpression:
		return c.bin(pick(n.Case == cc.EqualityExpressionEq, ctype.Eq, ctype.Ne), n.EqualityExpression, n.RelationalExpression)
	case *cc.RelationalExpression:
		op := map[cc.RelationalExpressionCase]ctype.Op{cc.RelationalExpressionLt: ctype.Lt, cc.RelationalExpressionGt: ctype.Gt, cc.RelationalExpressionLeq: ctype.Le, cc.RelationalExpressionGeq: ctype.Ge}[n.Case]
		return c.bin(op, n.RelationalExpression, n.ShiftExpression)
	case *cc.LogicalAndExpression:
		return c.logical(true, n.LogicalAndExpression, n.InclusiveOrExpression)
	case *cc.LogicalOrExpression:
		return c.logical(false, n.LogicalOrExpression, n.LogicalAndExpression)
	case *cc.ConditionalExpression:
		return c.conditional(n)
	case *cc.ConstantExpression:
		return c.lvalue(n.ConditionalExpression)
	case *cc.ExpressionList:
		return c.comma(n)
	case *cc.AssignmentExpression:
		return c.assign(n)
	case *cc.CastExpression:
		return c.cast(n)
	case *cc.UnaryExpression:
		return c.unary(n)
	case *cc.PostfixExpression:
		return c.postfix(n)
	case *cc.PrimaryExpression:
		return c.primary(n)
	}
	c.refuse(n, "expression %T is not supported", n)
	return nil
}

func pick[T any](b bool, x, y T) T {
	if b {
		return x
	}
	return y
}

func (c *converter) logical(and bool, l, r cc.ExpressionNode) Expr {
	e := &Logical{And: and, X: c.expr(l), Y: c.expr(r)}
	e.typ = ctype.IntT
	cover(&e.expr, e.X, e.Y)
	return e
}

func (c *converter) conditional(n *cc.ConditionalExpression) Expr {
	e := &Cond{C: c.expr(n.LogicalOrExpression)}
	if n.ExpressionList == nil {
		c.refuse(n, "?: without a middle operand is not supported")
	}
	a, b := c.expr(n.ExpressionList), c.expr(n.ConditionalExpression)
	cover(&e.expr, e.C, a, b)
	at, bt := a.Type(), b.Type()
	switch {
	case at.IsArith() && bt.IsArith():
		a, b = c.promote(a), c.promote(b)
		e.typ = ctype.Common(a.Type(), b.Type())
	case at.Kind == ctype.Void || bt.Kind == ctype.Void:
		e.typ = ctype.VoidT
	case at.Kind == ctype.Pointer && (IsNull(b) || bt.Kind == ctype.Pointer && bt.Elem.Kind != ctype.Void):
		e.typ = at
		if IsNull(a) && bt.Kind == ctype.Pointer {
			e.typ = bt
		}
	case bt.Kind == ctype.Pointer:
		e.typ = bt
	default:
		e.typ = at
	}
	if e.typ.Kind != ctype.Void {
		a, b = c.convertTo(a, e.typ), c.convertTo(b, e.typ)
	}
	e.A, e.B = a, b
	return e
}

func (c *converter) comma(n *cc.ExpressionList) Expr {
	x := c.lvalue(n.AssignmentExpression)
	if n.ExpressionList == nil {
		return x
	}
	for l := n.ExpressionList; l != nil; l = l.ExpressionList {
		y := c.expr(l.AssignmentExpression)
		e := &Comma{X: c.decay(x), Y: y}
		e.typ = y.Type()
		cover(&e.expr, x, y)
		x = e
	}
	return x
}

var assignOps = map[cc.AssignmentExpressionCase]ctype.Op{
	cc.AssignmentExpressionMul: ctype.Mul, cc.AssignmentExpressionDiv: ctype.Div, cc.AssignmentExpressionMod: ctype.Rem,
	cc.AssignmentExpressionAdd: ctype.Add, cc.AssignmentExpressionSub: ctype.Sub, cc.AssignmentExpressionLsh: ctype.Shl,
	cc.AssignmentExpressionRsh: ctype.Shr, cc.AssignmentExpressionAnd: ctype.And, cc.AssignmentExpressionXor: ctype.Xor,
	cc.AssignmentExpressionOr: ctype.Or,
}

func (c *converter) assign(n *cc.AssignmentExpression) Expr {
	l, r := c.lvalue(n.UnaryExpression), c.expr(n.AssignmentExpression)
	e := &Assign{L: l}
	e.typ = l.Type()
	cover(&e.expr, l, r)
	if n.Case == cc.AssignmentExpressionAssign {
		e.R = c.convertTo(r, l.Type())
		return e
	}
	e.HasOp, e.Op = true, assignOps[n.Case]
	lp := c.promote(l).Type()
	switch {
	case l.Type().Kind == ctype.Pointer:
		e.OpType, e.R = l.Type(), c.convertTo(r, ctype.LongT)
	case e.Op == ctype.Shl || e.Op == ctype.Shr:
		e.OpType, e.R = lp, c.promote(r)
	default:
		r = c.promote(r)
		e.OpType = ctype.Common(lp, r.Type())
		e.R = c.convertTo(r, e.OpType)
	}
	return e
}

func (c *converter) cast(n *cc.CastExpression) Expr {
	x := c.expr(n.CastExpression)
	e := &Cast{X: x}
	e.typ = c.ctype(n.TypeName.Type(), n)
	c.setRange(&e.expr, n.Token)
	cover(&e.expr, x)
	return e
}

func (c *converter) unary(n *cc.UnaryExpression) Expr {
	switch n.Case {
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		x := c.lvalue(n.UnaryExpression)
		e := &IncDec{X: x, Dec: n.Case == cc.UnaryExpressionDec}
		e.typ = x.Type()
		c.setRange(&e.expr, n.Token)
		cover(&e.expr, x)
		return e
	case cc.UnaryExpressionAddrof:
		x := c.lvalue(n.CastExpression)
		e := &Addr{X: x}
		e.typ = ctype.PointerTo(x.Type())
		c.setRange(&e.expr, n.Token)
		cover(&e.expr, x)
		return e
	case cc.UnaryExpressionDeref:
		x := c.expr(n.CastExpression)
		if x.Type().Kind != ctype.Pointer {
			c.refuse(n, "* on a value of type %s", x.Type())
		}
		if x.Type().Elem.Kind == ctype.Func {
			return x
		}
		e := &Deref{X: x}
		e.typ = x.Type().Elem
		c.setRange(&e.expr, n.Token)
		cover(&e.expr, x)
		return e
	case cc.UnaryExpressionPlus:
		return c.promote(c.expr(n.CastExpression))
	case cc.UnaryExpressionMinus, cc.UnaryExpressionCpl:
		x := c.expr(n.CastExpression)
		e := &Unary{Op: pick(n.Case == cc.UnaryExpressionMinus, ctype.Neg, ctype.Not)}
		c.setRange(&e.expr, n.Token)
		cover(&e.expr, x)
		e.X = c.promote(x)
		e.typ = e.X.Type()
		return e
	case cc.UnaryExpressionNot:
		e := &LogicalNot{X: c.expr(n.CastExpression)}
		e.typ = ctype.IntT
		c.setRange(&e.expr, n.Token)
		cover(&e.expr, e.X)
		return e
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
		return c.sizeof(n)
	}
	c.refuse(n, "operator %s is not supported", n.Token.SrcStr())
	return nil
}

func (c *converter) sizeof(n *cc.UnaryExpression) Expr {
	e := &Const{}
	e.typ = ctype.ULongT
	c.setRange(&e.expr, n.Token)
	switch n.Case {
	case cc.UnaryExpressionSizeofExpr:
		x := c.lvalue(n.UnaryExpression)
		cover(&e.expr, x)
		if r, ok := x.(*Ref); ok && r.Var.VLALen != nil {
			v := &SizeofVLA{Var: r.Var}
			v.typ, v.rng = ctype.ULongT, e.rng
			return v
		}
		e.Value = uint64(x.Type().Size)
	case cc.UnaryExpressionSizeofType:
		if a, ok := n.TypeName.Type().(*cc.ArrayType); ok && a.IsVLA() {
			c.refuse(n, "sizeof of a variable-length array type is not supported")
		}
		e.Value = uint64(c.ctype(n.TypeName.Type(), n).Size)
		c.setRange(&e.expr, n.Token3)
	case cc.UnaryExpressionAlignofExpr:
		e.Value = uint64(c.lvalue(n.UnaryExpression).Type().Align)
	default:
		e.Value = uint64(c.ctype(n.TypeName.Type(), n).Align)
		c.setRange(&e.expr, n.Token3)
	}
	e.macro = false
	return e
}

func (c *converter) postfix(n *cc.PostfixExpression) Expr {
	switch n.Case {
	case cc.PostfixExpressionIndex:
		x, i := c.expr(n.PostfixExpression), c.expr(n.ExpressionList)
		if x.Type().Kind != ctype.Pointer {
			x, i = i, x
		}
		e := &Index{X: x}
		e.typ = x.Type().Elem
		c.setRange(&e.expr, n.Token2)
		cover(&e.expr, x, i)
		e.I = c.convertTo(i, ctype.LongT)
		return e
	case cc.PostfixExpressionCall:
		return c.call(n)
	case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		e := &Member{Arrow: n.Case == cc.PostfixExpressionPSelect}
		st := (*ctype.Type)(nil)
		if e.Arrow {
			e.X = c.expr(n.PostfixExpression)
			st = e.X.Type().Elem
		} else {
			e.X = c.lvalue(n.PostfixExpression)
			st = e.X.Type()
		}
		f, ok := st.Field(n.Token2.SrcStr())
		if !ok {
			c.refuse(n, "%s has no member %s", st, n.Token2.SrcStr())
		}
		e.Field, e.typ = f, f.ValueType()
		c.setRange(&e.expr, n.Token2)
		cover(&e.expr, e.X)
		return e
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		x := c.lvalue(n.PostfixExpression)
		e := &IncDec{X: x, Dec: n.Case == cc.PostfixExpressionDec, Post: true}
		e.typ = x.Type()
		c.setRange(&e.expr, n.Token)
		cover(&e.expr, x)
		return e
	case cc.PostfixExpressionComplit:
		return c.compound(n)
	}
	c.refuse(n, "this expression is not supported")
	return nil
}

func (c *converter) compound(n *cc.PostfixExpression) Expr {
	e := &Compound{}
	t := c.ctype(n.TypeName.Type(), n)
	e.Var = &Var{Type: t, Storage: Local, Func: c.fn, AddrTaken: true}
	if c.fn == nil {
		c.refuse(n, "compound literals outside functions are not supported")
	}
	c.initList(n.InitializerList, &e.Init)
	c.completeArray(e.Var, e.Init, n)
	c.fn.Locals = append(c.fn.Locals, e.Var)
	e.typ = e.Var.Type
	c.setRange(&e.expr, n.Token, n.Token4, n.Token5)
	e.macro = false
	return e
}

func (c *converter) call(n *cc.PostfixExpression) Expr {
	var args []Expr
	for l := n.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		args = append(args, c.expr(l.AssignmentExpression))
	}
	if p, ok := n.PostfixExpression.(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionIdent {
		if x := c.builtin(n, p.Token.SrcStr(), args); x != nil {
			return x
		}
	}
	fun := c.expr(n.PostfixExpression)
	ft := fun.Type()
	if ft.Kind != ctype.Pointer || ft.Elem.Kind != ctype.Func {
		c.refuse(n, "call of a value of type %s", ft)
	}
	ft = ft.Elem
	e := &Call{Fun: fun}
	e.typ = ft.Result
	c.setRange(&e.expr, n.Token2)
	cover(&e.expr, append([]Expr{fun}, args...)...)
	if d, ok := fun.(*Decay); ok {
		if f, ok := d.X.(*FuncRef); ok {
			e.Fun = f
			if f.Func.Name == "assert" && len(args) == 1 {
				e.Args = args
				return e
			}
		}
	}
	if !ft.NoProto && (len(args) < len(ft.Params) || len(args) > len(ft.Params) && !ft.Variadic) {
		c.refuse(n, "call with %d arguments of a function with %d parameters", len(args), len(ft.Params))
	}
	for i, a := range args {
		switch {
		case i < len(ft.Params):
			a = c.convertTo(a, ft.Params[i])
		case a.Type().Kind == ctype.Float:
			a = c.convertTo(a, ctype.DoubleT)
		case a.Type().IsInteger():
			a = c.promote(a)
		}
		e.Args = append(e.Args, a)
	}
	return e
}

// builtin converts calls that are not calls.
func (c *converter) builtin(n *cc.PostfixExpression, name string, args []Expr) Expr {
	place := func(e *expr, t *ctype.Type) {
		e.typ = t
		c.setRange(e, n.Token2)
		cover(e, args...)
	}
	if strings.HasPrefix(name, "__builtin_va_") && len(args) > 0 {
		if r, ok := args[0].(*Ref); ok {
			r.Var.AddrTaken = true
		}
	}
	switch name {
	case "__builtin_va_start", "__builtin_va_end":
		e := &VaStart{X: args[0], End: name == "__builtin_va_end"}
		place(&e.expr, ctype.VoidT)
		return e
	case "__builtin_va_arg_impl":
		e := &VaArg{X: args[0]}
		place(&e.expr, ctype.VoidPtrT)
		return e
	case "__builtin_expect":
		return c.convertTo(args[0], ctype.LongT)
	case "__builtin_inf", "__builtin_huge_val", "__builtin_nan", "__builtin_inff", "__builtin_nanf":
		bits := uint64(0x7ff0000000000000)
		if name == "__builtin_nan" || name == "__builtin_nanf" {
			bits = 0x7ff8000000000000
		}
		e := &Const{Value: bits}
		place(&e.expr, ctype.DoubleT)
		c.setRange(&e.expr, n.Token)
		return e
	}
	return nil
}

func (c *converter) primary(n *cc.PrimaryExpression) Expr {
	switch n.Case {
	case cc.PrimaryExpressionIdent:
		return c.ident(n)
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar, cc.PrimaryExpressionFloat:
		return c.constant(n)
	case cc.PrimaryExpressionString:
		s, ok := n.Value().(cc.StringValue)
		if !ok {
			c.refuse(n, "string literal without a value")
		}
		e := &String{Bytes: []byte(s)}
		e.typ = ctype.ArrayOf(ctype.CharT, int64(len(s)))
		c.setRange(&e.expr, n.Token)
		return e
	case cc.PrimaryExpressionExpr:
		x := c.lvalue(n.ExpressionList)
		b := x.(interface{ base() *expr }).base()
		open, m1 := c.token(n.Token)
		end, m2 := c.token(n.Token2)
		if !m1 && !m2 {
			b.rng = b.rng.Union(open).Union(end)
		}
		return x
	case cc.PrimaryExpressionStmt:
		e := &StmtExpr{Body: c.block(n.CompoundStatement)}
		e.typ = ctype.VoidT
		if k := len(e.Body.List); k > 0 {
			if s, ok := e.Body.List[k-1].(*ExprStmt); ok {
				e.typ = s.X.Type()
			}
		}
		c.setRange(&e.expr, n.Token, n.Token2)
		return e
	case cc.PrimaryExpressionGeneric:
		if a := n.GenericSelection.Associated(); a != nil {
			return c.lvalue(a.AssignmentExpression)
		}
	}
	c.refuse(n, "this expression is not supported")
	return nil
}

func (c *converter) constant(n *cc.PrimaryExpression) Expr {
	e := &Const{Spell: n.Token.SrcStr()}
	e.typ = c.ctype(n.Type(), n)
	c.setRange(&e.expr, n.Token)
	switch v := n.Value().(type) {
	case cc.Int64Value:
		e.Value = ctype.Wrap(e.typ, uint64(v))
	case cc.UInt64Value:
		e.Value = ctype.Wrap(e.typ, uint64(v))
	case cc.Float64Value:
		e.Value = ctype.OfFloat(e.typ, float64(v))
	default:
		c.refuse(n, "constant of type %s is not supported", n.Type())
	}
	return e
}

func (c *converter) ident(n *cc.PrimaryExpression) Expr {
	switch d := n.ResolvedTo().(type) {
	case *cc.Declarator:
		if d.Type().Kind() == cc.Function {
			e := &FuncRef{Func: c.function(d)}
			e.typ = e.Func.Type
			c.setRange(&e.expr, n.Token)
			return e
		}
		v, ok := c.vars[d]
		if !ok {
			if d.StorageDuration() != cc.Static {
				c.refuse(n, "variable %s has no declaration here", d.Name())
			}
			v = c.global(d)
		}
		return c.ref(v, n.Token)
	case *cc.Parameter:
		if v, ok := c.vars[d.Declarator]; ok {
			return c.ref(v, n.Token)
		}
	case *cc.Enumerator:
		e := &Const{Spell: n.Token.SrcStr()}
		e.typ = ctype.IntT
		c.setRange(&e.expr, n.Token)
		switch v := d.Value().(type) {
		case cc.Int64Value:
			e.Value = uint64(v)
		case cc.UInt64Value:
			e.Value = uint64(v)
		}
		if int64(e.Value) != int64(int32(e.Value)) {
			e.typ = ctype.LongT
		}
		return e
	case nil:
		name := n.Token.SrcStr()
		f, ok := c.funcs[name]
		if !ok {
			f = &Func{Name: name, Type: &ctype.Type{Kind: ctype.Func, Size: 1, Align: 1, Result: ctype.IntT, NoProto: true}}
			c.funcs[name] = f
			c.funcOrder = append(c.funcOrder, f)
		}
		e := &FuncRef{Func: f}
		e.typ = f.Type
		c.setRange(&e.expr, n.Token)
		return e
	}
	c.refuse(n, "cannot resolve %s", n.Token.SrcStr())
	return nil
}

func (c *converter) ref(v *Var, t cc.Token) Expr {
	e := &Ref{Var: v}
	e.typ = v.Type
	c.setRange(&e.expr, t)
	return e
}
