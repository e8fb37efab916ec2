package cfront

import (
	"fmt"
	"slices"

	"gulo/internal/ctype"
	"gulo/internal/source"

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

// inherit gives an implicit node the range of its operand.
func inherit(e *expr, x Expr) {
	b := x.(interface{ base() *expr }).base()
	e.rng, e.macro = b.rng, b.macro
}

// convertTo adds the implicit conversion to t where one is needed.
func (c *converter) convertTo(x Expr, t *ctype.Type) Expr {
	f := x.Type()
	if t.IsAggregate() || t.Kind == ctype.Array || f.IsAggregate() || f == t || ctype.Same(f, t) {
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
	if z := c.variableArithmetic(op, x, y); z != nil {
		return z
	}
	e := c.binary(op, x, y)
	cover(&e.expr, x, y)
	return e
}

// binary builds x op y with its conversions.
func (c *converter) binary(op ctype.Op, x, y Expr) *Binary {
	if x.Type().IsWide() || y.Type().IsWide() {
		return c.wideBinary(op, x, y)
	}
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
	if n.ExpressionList == nil {
		return c.elvis(n)
	}
	e := &Cond{C: c.expr(n.LogicalOrExpression)}
	return c.choose(e, c.expr(n.ExpressionList), c.expr(n.ConditionalExpression))
}

// choose completes c ? a : b (C11 6.5.15).
func (c *converter) choose(e *Cond, a, b Expr) Expr {
	cover(&e.expr, e.C, a, b)
	at, bt := a.Type(), b.Type()
	ap, bp := at.Kind == ctype.Pointer, bt.Kind == ctype.Pointer
	switch {
	case at.IsNumber() && bt.IsNumber():
		a, b = c.promote(a), c.promote(b)
		e.typ = ctype.Common(a.Type(), b.Type())
	case at.Kind == ctype.Void || bt.Kind == ctype.Void:
		e.typ = ctype.VoidT
	case ap && IsNull(b):
		e.typ = at
	case bp && IsNull(a):
		e.typ = bt
	case ap && bp:
		p := *pick(bt.Elem.Kind == ctype.Void && at.Elem.Kind != ctype.Void, bt, at)
		p.ElemQual = at.ElemQual | bt.ElemQual
		e.typ = &p
	case bp:
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

// elvis converts x ?: y: x is evaluated once.
func (c *converter) elvis(n *cc.ConditionalExpression) Expr {
	x, y := c.expr(n.LogicalOrExpression), c.expr(n.ConditionalExpression)
	if Pure(x) {
		return c.choose(&Cond{C: x}, c.expr(n.LogicalOrExpression), y)
	}
	set, use := c.temporary(x)
	return c.andThen(set, c.choose(&Cond{C: use()}, use(), y))
}

// temporary makes a new variable. It returns the assignment of x to it, and a function that makes a use of it.
func (c *converter) temporary(x Expr) (set Expr, use func() Expr) {
	v := &Var{Type: x.Type(), Storage: Local, Func: c.fn}
	if c.fn != nil {
		c.fn.Locals = append(c.fn.Locals, v)
	} else {
		c.noLocals = append(c.noLocals, v)
	}
	use = func() Expr {
		if c.chain != nil && v.Func != c.fn {
			return c.reach(v, x.Range())
		}
		r := &Ref{Var: v}
		r.typ = v.Type
		inherit(&r.expr, x)
		r.macro = true // it does not stand in the source by itself
		return r
	}
	a := &Assign{L: use(), R: x}
	a.typ = v.Type
	inherit(&a.expr, x)
	a.macro = true
	return a, use
}

// andThen returns the comma expression x, y for a comma that is not in the source.
func (c *converter) andThen(x, y Expr) Expr {
	e := &Comma{X: x, Y: y}
	e.typ = y.Type()
	inherit(&e.expr, y)
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
		if size := c.sized(l.Type()); size != nil {
			return c.copied(n, l, r, size)
		}
		e.R = c.convertTo(r, l.Type())
		return e
	}
	e.HasOp, e.Op = true, assignOps[n.Case]
	lp := c.promote(l).Type()
	if lp.Kind == ctype.Pointer && c.sized(lp.Elem) != nil {
		if !Pure(l) {
			c.refuse(n, "an assignment to a pointer to a type of variable size with a side effect is not supported")
		}
		e.HasOp, e.R = false, c.variableArithmetic(e.Op, l, r)
		return e
	}
	switch {
	case l.Type().Kind == ctype.Pointer:
		e.OpType, e.R = l.Type(), c.convertTo(r, ctype.LongT)
	case e.Op == ctype.Shl || e.Op == ctype.Shr:
		e.OpType, e.R = lp, c.promote(r)
	case l.Type().Kind == ctype.Vector || r.Type().Kind == ctype.Vector:
		e.OpType, e.R = l.Type(), r
		if r.Type().Kind != ctype.Vector {
			e.R = c.convertTo(r, l.Type().Elem)
		}
	case l.Type().Kind == ctype.Complex || r.Type().Kind == ctype.Complex:
		e.OpType, e.R = ctype.Common(lp, r.Type()), r
		if r.Type().Kind != ctype.Complex {
			e.R = c.convertTo(r, e.OpType.Elem)
		}
	default:
		r = c.promote(r)
		e.OpType = ctype.Common(lp, r.Type())
		e.R = c.convertTo(r, e.OpType)
	}
	return e
}

func (c *converter) cast(n *cc.CastExpression) Expr {
	mark := len(c.pending)
	t := c.typeNameVLA(n.TypeName).typ
	if pending := c.sizesSince(mark); len(pending) > 0 {
		e := &Cast{X: c.expr(n.CastExpression)}
		e.typ = t
		c.setRange(&e.expr, n.Token)
		cover(&e.expr, e.X)
		return c.inOrder(pending, e)
	}
	x := c.expr(n.CastExpression)
	if t.IsAggregate() {
		if ctype.Same(t, x.Type()) {
			return x
		}
		return c.castUnion(n, t, x)
	}
	if x.Type().IsAggregate() && t.Kind != ctype.Void {
		c.refuse(n, "a cast of %s to %s", x.Type(), t)
	}
	c.noteCast(x.Type(), t)
	e := &Cast{X: x}
	e.typ = t
	c.setRange(&e.expr, n.Token)
	cover(&e.expr, x)
	return e
}

// castUnion converts a GNU cast to a union: a compound literal of the member of
// x's type.
func (c *converter) castUnion(n *cc.CastExpression, t *ctype.Type, x Expr) Expr {
	for _, f := range t.Fields {
		if t.Kind == ctype.Union && c.compatible(f.Type, x.Type()) {
			return c.literal(n, t, []Init{{Type: f.Type, X: x}})
		}
	}
	c.refuse(n, "a cast of %s to %s", x.Type(), t)
	return nil
}

func (c *converter) unary(n *cc.UnaryExpression) Expr {
	switch n.Case {
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		x := c.lvalue(n.UnaryExpression)
		if t := x.Type(); t.Kind == ctype.Pointer && c.sized(t.Elem) != nil {
			return c.variableStep(n, x, n.Case == cc.UnaryExpressionDec, false, c.sized(t.Elem))
		}
		e := &IncDec{X: x, Dec: n.Case == cc.UnaryExpressionDec}
		e.typ = x.Type()
		c.setRange(&e.expr, n.Token)
		cover(&e.expr, x)
		return e
	case cc.UnaryExpressionAddrof:
		x := c.lvalue(n.CastExpression)
		if stars(n.CastExpression) > derefs(x) {
			return x // &*f of a pointer to a function
		}
		e := &Addr{X: x}
		e.typ = ctype.PointerTo(x.Type())
		e.typ.ElemQual = qualifiers(x)
		taken(x)
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
		if va, ok := Skip(x).(*Cast); ok {
			if y, ok := va.X.(*VaArg); ok {
				y.Arg = x.Type().Elem
				if d := y.Arg; d.Kind == ctype.Array {
					c.refuse(n, "va_arg with an array type is not supported")
				}
			}
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
	case cc.UnaryExpressionReal, cc.UnaryExpressionImag:
		return c.part(n)
	case cc.UnaryExpressionLabelAddr:
		return c.labelAddr(n)
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
		mark := len(c.pending)
		x := c.unevaluated(n.UnaryExpression)
		cover(&e.expr, x)
		pending := c.sizesSince(mark)
		if r, ok := x.(*Ref); ok && r.Var.VLALen != nil && !r.Var.VLABytes {
			v := &SizeofVLA{Var: r.Var}
			v.typ, v.rng = ctype.ULongT, e.rng
			return v
		}
		if size := c.sized(x.Type()); size != nil {
			if d, ok := x.(*Deref); ok && !Pure(d.X) { // of variable size: it is evaluated
				pending = append(pending, d.X)
			}
			return c.inOrder(pending, standsAt(size, e.rng))
		}
		c.noVLA(n, x.Type(), "sizeof of this variable-length array")
		e.Value = uint64(c.size(n, x.Type()))
	case cc.UnaryExpressionSizeofType:
		mark := len(c.pending)
		d := c.typeNameVLA(n.TypeName)
		c.setRange(&e.expr, n.Token3)
		pending := c.sizesSince(mark)
		if size := c.sized(d.typ); size != nil && (d.vla == nil || d.vla.elem != nil) {
			return c.inOrder(pending, standsAt(size, e.rng))
		}
		if d.vla != nil {
			return c.sizeofVLA(n, d, e)
		}
		e.Value = uint64(c.size(n, d.typ))
	case cc.UnaryExpressionAlignofExpr:
		e.Value = uint64(c.alignof(c.unevaluated(n.UnaryExpression)))
	default:
		t, _ := c.typeName(n.TypeName)
		e.Value = uint64(t.Align)
		if i, ok := c.where(n.Token); ok && c.src.Tokens[i].Text == "_Alignof" {
			e.Value = uint64(c.dialect.leastAlign(t))
		}
		c.setRange(&e.expr, n.Token3)
	}
	e.macro = false
	return e
}

// sizeofVLA is sizeof(T[n]): n is evaluated.
func (c *converter) sizeofVLA(n *cc.UnaryExpression, d declared, at *Const) Expr {
	if d.vla.elem != nil || d.vla.n == nil {
		c.refuse(n, "sizeof of a variable-length array type of several dimensions is not supported")
	}
	size := &Const{Value: uint64(c.size(n, d.typ.Elem)), Spell: fmt.Sprint(d.typ.Elem.Size)}
	size.typ = ctype.ULongT
	e := c.binary(ctype.Mul, c.convertTo(d.vla.n, ctype.ULongT), size)
	e.rng, e.macro = at.rng, at.macro
	return e
}

func (c *converter) size(at cc.Node, t *ctype.Type) int64 {
	if t.Kind == ctype.Array && t.Len < 0 || t.IsAggregate() && !c.isComplete[t] && t.Size == 0 {
		c.refuse(at, "sizeof of the incomplete type %s", t)
	}
	return t.Size
}

// alignof returns the alignment of the object that x names if it has one of its own, else that of its type.
func (c *converter) alignof(x Expr) int64 {
	switch x := x.(type) {
	case *Ref:
		if x.Var.Align > 0 {
			return x.Var.Align
		}
	case *Member:
		if x.Field.Align > 0 {
			return x.Field.Align
		}
	case *String:
		return 1
	}
	return x.Type().Align
}

// unevaluated converts an operand of sizeof or typeof.
func (c *converter) unevaluated(n cc.ExpressionNode) Expr {
	c.dry++
	x := c.lvalue(n)
	c.dry--
	return x
}

// qualifiers returns the qualifiers of an lvalue.
func qualifiers(x Expr) ctype.Qual {
	switch x := x.(type) {
	case *Ref:
		return x.Var.Qual
	case *Deref:
		return element(x.X)
	case *Index:
		return element(x.X)
	case *Part:
		return qualifiers(x.X)
	case *Member:
		if x.Arrow {
			return x.Field.Qual | x.X.Type().ElemQual
		}
		return x.Field.Qual | qualifiers(x.X)
	}
	return 0
}

// element returns the qualifiers of what a pointer leads to: the elements of an array in a
// const struct are const, whatever the array's type says.
func element(x Expr) ctype.Qual {
	q := x.Type().ElemQual
	if d, ok := x.(*Decay); ok {
		q |= qualifiers(d.X)
	}
	return q
}

// taken notes that the address of an lvalue is taken.
func taken(x Expr) {
	switch y := x.(type) {
	case *Ref:
		y.Var.AddrTaken = true
	case *Part:
		taken(y.X)
	case *Member:
		if !y.Arrow {
			taken(y.X)
		}
	}
}

func (c *converter) postfix(n *cc.PostfixExpression) Expr {
	switch n.Case {
	case cc.PostfixExpressionIndex:
		x, i := c.expr(n.PostfixExpression), c.expr(n.ExpressionList)
		if x.Type().Kind == ctype.Vector {
			x = c.vectorIndex(x)
		} else if i.Type().Kind == ctype.Vector {
			i = c.vectorIndex(i)
		}
		if x.Type().Kind != ctype.Pointer {
			x, i = i, x
		}
		if size := c.sized(x.Type().Elem); size != nil {
			return c.variableIndex(x, i, size)
		}
		e := &Index{X: x}
		e.typ = x.Type().Elem
		c.setRange(&e.expr, n.Token2)
		cover(&e.expr, x, i)
		e.I = c.convertTo(i, ctype.LongT)
		e.Count = c.count(x)
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
		f, off, ok := c.placedMember(st, n.Token2.SrcStr())
		if !ok {
			c.refuse(n, "%s has no member %s", st, n.Token2.SrcStr())
		}
		e.Field, e.typ = f, f.ValueType()
		c.setRange(&e.expr, n.Token2)
		cover(&e.expr, e.X)
		return c.memberAt(n, e, off)
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		x := c.lvalue(n.PostfixExpression)
		if t := x.Type(); t.Kind == ctype.Pointer && c.sized(t.Elem) != nil {
			return c.variableStep(n, x, n.Case == cc.PostfixExpressionDec, true, c.sized(t.Elem))
		}
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
	d := c.typeNameVLA(n.TypeName)
	if d.vla != nil {
		c.refuse(n, "a compound literal of variable size is not supported")
	}
	init, t := c.literalInit(n.InitializerList, n, d.typ)
	e := c.literal(n, t, init)
	e.Var.Qual = d.qual
	return e
}

// literal makes a compound literal; outside functions it is a static variable.
func (c *converter) literal(n cc.Node, t *ctype.Type, init []Init) *Compound {
	e := &Compound{}
	e.Var = &Var{Type: t, Storage: Local, Func: c.fn, AddrTaken: true}
	e.typ = t
	switch p := n.(type) {
	case *cc.PostfixExpression:
		c.setRange(&e.expr, p.Token, p.Token4, p.Token5)
	case *cc.CastExpression:
		c.setRange(&e.expr, p.Token)
		cover(&e.expr, init[0].X)
	}
	e.macro = false
	switch {
	case c.fn == nil:
		e.Var.Storage, e.Var.Init = Static, init
		e.Var.Range = e.rng
		c.globalOrder = append(c.globalOrder, e.Var)
	case c.dry == 0:
		c.fn.Locals = append(c.fn.Locals, e.Var)
	}
	e.Init = init
	return e
}

func (c *converter) call(n *cc.PostfixExpression) Expr {
	if p, ok := n.PostfixExpression.(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionIdent {
		if x := c.builtin(n, p.Token.SrcStr()); x != nil {
			return x
		}
		if c.lookup(p.Token.SrcStr()) == nil {
			c.implicit(p)
		}
	}
	args := c.fixedSize(n, c.arguments(n))
	fun := c.callee(n.PostfixExpression)
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
	c.arity(n, ft, len(args))
	for i, a := range args {
		switch {
		case i < len(ft.Params) && !ft.NoProto && c.transparent[ft.Params[i]] && !ctype.Same(a.Type(), ft.Params[i]):
			a = c.transparentArgument(n, a, ft.Params[i])
		case i < len(ft.Params) && !ft.NoProto:
			a = c.convertTo(a, ft.Params[i])
		case a.Type().Kind == ctype.Float:
			a = c.convertTo(a, ctype.DoubleT)
		case a.Type().IsInteger():
			a = c.promote(a)
		}
		e.Args = append(e.Args, a)
	}
	if f, ok := e.Fun.(*FuncRef); ok && c.closures[f.Func] != nil {
		e.Args = slices.Insert(e.Args, 0, c.chainFor(c.closures[f.Func].parent, e.rng))
	}
	return e
}

func (c *converter) primary(n *cc.PrimaryExpression) Expr {
	switch n.Case {
	case cc.PrimaryExpressionIdent:
		return c.ident(n)
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar, cc.PrimaryExpressionFloat:
		return c.constant(n)
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		return c.stringLiteral(n)
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
		if c.fn == nil {
			c.refuse(n, "a statement expression outside functions")
		}
		e := &StmtExpr{Body: c.block(n.CompoundStatement)}
		e.typ = ctype.VoidT
		unlabelLast(e.Body)
		if k := len(e.Body.List); k > 0 {
			if s, ok := e.Body.List[k-1].(*ExprStmt); ok {
				e.typ = s.X.Type()
			}
		}
		c.setRange(&e.expr, n.Token, n.Token2)
		return e
	case cc.PrimaryExpressionGeneric:
		return c.generic(n.GenericSelection)
	}
	c.refuse(n, "this expression is not supported")
	return nil
}

func (c *converter) ident(n *cc.PrimaryExpression) Expr {
	name := n.Token.SrcStr()
	outer := c.using
	if c.using == nil {
		c.using = n
	}
	s := c.lookup(name)
	c.using = outer
	switch {
	case s == nil && name == "__func__" && c.fn != nil:
		return c.ref(c.funcName(), n.Token)
	case s == nil:
		c.refuse(n, "cannot resolve %s", name)
	case s.v != nil:
		return c.ref(s.v, n.Token)
	case s.f != nil:
		if k := c.closures[s.f]; k != nil {
			return c.nestedAddress(s.f, k, c.span(n.Token))
		}
		e := &FuncRef{Func: s.f}
		e.typ = s.f.Type
		c.setRange(&e.expr, n.Token)
		return e
	case s.constant != nil:
		e := &Const{Value: s.constant.Value, Spell: name}
		e.typ = s.constant.typ
		c.setRange(&e.expr, n.Token)
		return e
	}
	c.refuse(n, "%s is no variable and no function here", name)
	return nil
}

// implicit declares a function that is called without a declaration. A built-in function of gcc gets its own type,
// any other one int().
func (c *converter) implicit(n *cc.PrimaryExpression) {
	name := n.Token.SrcStr()
	if b := c.lookup("__builtin_" + name); b != nil && b.f != nil {
		c.scopes[0].names[name] = &symbol{f: b.f}
		return
	}
	t := &ctype.Type{Kind: ctype.Func, Size: 1, Align: 1, Result: ctype.IntT, NoProto: true}
	c.atFileScope(func() { c.namedFunction(name, t, false, source.Range{}, false) })
}

func (c *converter) ref(v *Var, t cc.Token) Expr {
	if c.chain != nil && v.Func != c.fn {
		return c.reach(v, c.span(t))
	}
	e := &Ref{Var: v}
	e.typ = v.Type
	c.setRange(&e.expr, t)
	return e
}
