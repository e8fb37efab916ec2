package cfront

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/plural"

	"gulo/internal/x86"

	"modernc.org/cc/v4"
)

// This file converts types and expressions whose values do not fit in a word: long
// double, __int128, complex numbers and GNU C's vectors.

// wideBasic returns the type of words that include _Complex or __int128, nil for other words.
func (c *converter) wideBasic(s *specifiers) *ctype.Type {
	w := s.words
	unsigned := w[cc.TypeSpecifierUnsigned] > 0
	switch {
	case w[cc.TypeSpecifierUint128] > 0:
		return ctype.UInt128T
	case w[cc.TypeSpecifierInt128] > 0:
		return pick(unsigned, ctype.UInt128T, ctype.Int128T)
	case w[cc.TypeSpecifierComplex] == 0:
		return nil
	}
	delete(w, cc.TypeSpecifierComplex)
	part := &specifiers{words: w, at: s.at, where: s.where}
	if len(w) == 0 {
		w[cc.TypeSpecifierDouble] = 1
	}
	c.basic(part)
	return ctype.ComplexOf(part.typ)
}

// vectorOf applies __attribute__((vector_size)) to t. For a pointer, array or function it applies to the element or
// result type.
func (c *converter) vectorOf(t *ctype.Type, as []attribute) *ctype.Type {
	a := find(as, "vector_size")
	if a == nil || len(a.args) != 1 {
		return t
	}
	n := c.constInt(a.args[0])
	var apply func(t *ctype.Type) *ctype.Type
	apply = func(t *ctype.Type) *ctype.Type {
		u := *t
		switch t.Kind {
		case ctype.Pointer:
			u.Elem = apply(t.Elem)
			return &u
		case ctype.Array:
			v := ctype.ArrayOf(apply(t.Elem), t.Len)
			v.ElemQual = t.ElemQual
			return v
		case ctype.Func:
			u.Result = apply(t.Result)
			return &u
		case ctype.Vector:
			return t // an earlier declarator of the same declaration has done it
		}
		if !t.IsReal() || t.Kind == ctype.Bool || t.Size == 0 || n < t.Size || n%t.Size != 0 || n&(n-1) != 0 || n > 1<<16 {
			c.refuse(a.tok, "a vector of %s of type %s is not supported", plural.N(n, "byte"), t)
		}
		return ctype.VectorOf(t, n/t.Size)
	}
	return apply(t)
}

// wideBinary builds x op y where one of the types is wide.
func (c *converter) wideBinary(op ctype.Op, x, y Expr) *Binary {
	e := &Binary{Op: op}
	xt, yt := x.Type(), y.Type()
	vector := func(t *ctype.Type) bool { return t.Kind == ctype.Vector }
	switch {
	case vector(xt) || vector(yt):
		if !vector(xt) {
			x = c.convertTo(x, yt.Elem)
		} else if !vector(yt) {
			y = c.convertTo(y, xt.Elem)
		}
		e.typ = ctype.WideResult(op, x.Type(), y.Type())
	case !xt.IsNumber() || !yt.IsNumber():
		c.refuse(x, "operator %s on %s and %s", op, xt, yt)
	case op == ctype.Shl || op == ctype.Shr:
		x, y = c.promote(x), c.promote(y)
		if y.Type().IsWide() {
			y = c.convertTo(y, ctype.IntT)
		}
		e.typ = x.Type()
	default:
		x, y = c.promote(x), c.promote(y)
		t := ctype.Common(x.Type(), y.Type())
		side := func(z Expr) Expr {
			if t.Kind == ctype.Complex && z.Type().Kind != ctype.Complex {
				return c.convertTo(z, t.Elem) // real operands stay real
			}
			return c.convertTo(z, t)
		}
		x, y = side(x), side(y)
		e.typ = pick(op.IsCompare(), ctype.IntT, t)
	}
	e.X, e.Y = x, y
	return e
}

// part converts __real__ x and __imag__ x.
func (c *converter) part(n *cc.UnaryExpression) Expr {
	x := c.lvalue(n.UnaryExpression)
	imag := n.Case == cc.UnaryExpressionImag
	if x.Type().Kind != ctype.Complex {
		if !imag {
			return x
		}
		zero := c.convertTo(c.zero(), x.Type())
		if Pure(x) {
			return zero
		}
		return c.andThen(x, zero)
	}
	e := &Part{X: x, Imag: imag}
	e.typ = x.Type().Elem
	c.setRange(&e.expr, n.Token)
	cover(&e.expr, x)
	return e
}

// vectorIndex returns a vector as a pointer to its first element, so that v[i] is an lvalue as for an array.
func (c *converter) vectorIndex(x Expr) Expr {
	a := ctype.ArrayOf(x.Type().Elem, x.Type().Len)
	taken(x)
	m := &Member{X: x, Field: ctype.Field{Type: a}}
	m.typ = a
	inherit(&m.expr, x)
	m.macro = true
	return c.decay(m)
}

// wideFloating reads a floating constant of type long double or, with imaginary
// set, of a complex type.
func (c *converter) wideFloating(n cc.Node, e *Const, digits string, t *ctype.Type, imaginary bool) Expr {
	w := &WideConst{Spell: e.Spell}
	w.expr = e.expr
	part := make([]byte, t.Size)
	if t.Kind == ctype.LongDouble {
		x, _, ok := ctype.ParseExt(digits)
		if !ok {
			c.refuse(n, "the constant %s is not supported", e.Spell)
		}
		x.Store(part)
	} else {
		ctype.Store(t, part, e.Value)
	}
	w.typ, w.Bytes = t, part
	if imaginary {
		w.typ = ctype.ComplexOf(t)
		w.Bytes = append(make([]byte, t.Size), part...)
	}
	return w
}

// wideValue returns a constant of a wide type without a spelling, for a call of a built-in function.
func (c *converter) wideValue(t *ctype.Type, x ctype.Ext) *WideConst {
	w := &WideConst{Bytes: make([]byte, t.Size)}
	w.typ = t
	x.Store(w.Bytes)
	return w
}

// cutImaginary removes the i or j of a GNU imaginary constant from its suffix.
func cutImaginary(suffix string) (rest string, imaginary bool) {
	if i := strings.IndexAny(suffix, "ij"); i >= 0 {
		return suffix[:i] + suffix[i+1:], true
	}
	return suffix, false
}

var infExt, nanExt = ctype.ExtOfFloat(math.Inf(1)), ctype.ExtOfFloat(math.NaN())

// asmStatement converts inline assembly. Without instructions, or with idle ones only, it is a barrier, or
// a way to hide a value from the optimizer. It refuses instructions that package x86 does not know.
func (c *converter) asmStatement(n *cc.Asm, at cc.Node) Stmt {
	s := &Asm{}
	s.rng = c.span(n.Token, n.Token2, n.Token3, n.Token4)
	for q := n.AsmQualifierList; q != nil; q = q.AsmQualifierList {
		if q.AsmQualifier.Case == cc.AsmQualifierGoto {
			c.refuse(at, "inline assembly is not supported")
		}
	}
	st := &x86.Statement{Template: c.asmText(n.Token3, at)}
	var lists []*cc.AsmExpressionList
	for l := n.AsmArgList; l != nil; l = l.AsmArgList {
		lists = append(lists, l.AsmExpressionList)
	}
	for i, l := range lists {
		for ; l != nil; l = l.AsmExpressionList {
			if i >= 2 {
				if str := stringNode(l.AssignmentExpression); str != nil {
					st.Clobbers = append(st.Clobbers, strings.Trim(str.Token.SrcStr(), `"`))
				}
				continue
			}
			o := c.asmOperand(l, at, i == 0)
			st.Operands = append(st.Operands, x86.Operand{Name: operandName(l)})
			if i == 0 {
				s.Out = append(s.Out, o)
				continue
			}
			for k := range s.Out {
				if name := st.Operands[k].Name; name != "" {
					o.Constraint = strings.ReplaceAll(o.Constraint, "["+name+"]", strconv.Itoa(k))
				}
			}
			s.In = append(s.In, o)
		}
	}
	if st.Outs = len(s.Out); !onlyComment(st.Template) && !doesNothing(st.Template) {
		for i, o := range append(slices.Clone(s.Out), s.In...) {
			st.Operands[i].Constraint, st.Operands[i].Size = o.Constraint, o.X.Type().Size
		}
		if _, err := st.Parse(); err != nil {
			c.refuse(at, "inline assembly is not supported")
		}
		s.Code = st
	}
	return s
}

// asmText is the template of inline assembly.
func (c *converter) asmText(t cc.Token, at cc.Node) string {
	var b []byte
	for _, lit := range c.literals(t) {
		if lit[0] != '"' {
			c.refuse(at, "inline assembly is not supported")
		}
		for _, u := range c.decode(at, lit[1:len(lit)-1], "") {
			b = append(b, byte(u))
		}
	}
	return string(b)
}

// idle are instructions that change no value of a program: they wait, or order memory accesses, which
// the machine executes in order anyway.
var idle = []string{"", "nop", "pause", "mfence", "lfence", "sfence", "rep nop", "rep", "endbr64", "cld"}

// doesNothing reports whether all instructions of an assembly text are idle.
func doesNothing(text string) bool {
	for _, in := range strings.Split(strings.ReplaceAll(text, "\n", ";"), ";") {
		if !slices.Contains(idle, strings.Join(strings.Fields(in), " ")) {
			return false
		}
	}
	return true
}

func onlyComment(text string) bool {
	t := strings.TrimSpace(text)
	return strings.HasPrefix(t, "#") && !strings.Contains(t, "\n")
}

func (c *converter) asmOperand(l *cc.AsmExpressionList, at cc.Node, out bool) AsmOperand {
	p, ok := l.AssignmentExpression.(*cc.PostfixExpression)
	if !ok || p.Case != cc.PostfixExpressionCall {
		c.refuse(at, "inline assembly with these operands is not supported")
	}
	str := stringNode(p.PostfixExpression)
	if str == nil || p.ArgumentExpressionList == nil {
		c.refuse(at, "inline assembly with these operands is not supported")
	}
	o := AsmOperand{Constraint: strings.Trim(str.Token.SrcStr(), `"`)}
	if out || (x86.Operand{Constraint: o.Constraint}).Memory() {
		o.X = c.lvalue(p.ArgumentExpressionList.AssignmentExpression)
		return o
	}
	o.X = c.expr(p.ArgumentExpressionList.AssignmentExpression)
	return o
}

// operandName returns the symbolic name of an operand of inline assembly, "" for none.
func operandName(l *cc.AsmExpressionList) string {
	if l.AsmIndex == nil {
		return ""
	}
	list, ok := l.AsmIndex.ExpressionList.(*cc.PrimaryExpression)
	if !ok {
		return ""
	}
	return list.Token.SrcStr()
}

// labelAddr converts &&label.
func (c *converter) labelAddr(n *cc.UnaryExpression) Expr {
	if c.fn == nil {
		c.refuse(n, "the address of a label outside functions")
	}
	e := labelOf(c.fn, c.labelName(n.Token2))
	c.setRange(&e.expr, n.Token, n.Token2)
	return e
}

// labelOf returns the address of a label of f and adds the label to f.LabelAddrs.
func labelOf(f *Func, name string) *LabelAddr {
	e := &LabelAddr{Func: f, Label: name, Index: slices.Index(f.LabelAddrs, name)}
	e.typ = ctype.VoidPtrT
	if e.Index < 0 {
		e.Index = len(f.LabelAddrs)
		f.LabelAddrs = append(f.LabelAddrs, name)
	}
	return e
}
