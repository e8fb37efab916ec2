package cfront

import (
	"bytes"
	"math/bits"
	"strings"

	"gulo/internal/ctype"

	"modernc.org/cc/v4"
)

// This file evaluates integer constant expressions.

// Constant evaluates an expression of constants; ok reports whether it is one.
func Constant(x Expr) (w ctype.Word, ok bool) {
	switch x := x.(type) {
	case *Const:
		return x.Value, true
	case *Cast:
		if x.X.Type().IsWide() {
			return wideWord(x)
		}
		w, ok = Constant(x.X)
		if !ok || !x.typ.IsScalar() || !x.X.Type().IsScalar() {
			return 0, false
		}
		w, _ = ctype.Convert(x.X.Type(), x.typ, w)
		return w, true
	case *Unary:
		w, ok = Constant(x.X)
		if ok {
			w, _ = ctype.Unary(x.Op, x.typ, w)
		}
		return w, ok
	case *LogicalNot:
		if x.X.Type().IsWide() {
			b, ok := ConstantBytes(x.X, Constant)
			return truth(ok && !ctype.WideTruth(x.X.Type(), b)), ok
		}
		w, ok = Constant(x.X)
		return truth(!ctype.Truth(x.X.Type(), w)), ok
	case *Binary:
		if x.X.Type().IsWide() || x.Y.Type().IsWide() {
			return wideWord(x)
		}
		return constantBinary(x)
	case *Part:
		return wideWord(x)
	case *Logical:
		if w, ok = Constant(x.X); !ok {
			return 0, false
		}
		if t := ctype.Truth(x.X.Type(), w); t != x.And {
			return truth(t), true
		}
		w, ok = Constant(x.Y)
		return truth(ctype.Truth(x.Y.Type(), w)), ok
	case *Cond:
		if w, ok = Constant(x.C); !ok {
			return 0, false
		}
		return Constant(pick(ctype.Truth(x.C.Type(), w), x.A, x.B))
	case *Call:
		return Folded(x, Constant)
	case *Addr:
		return constantAddress(x.X)
	case *Decay:
		return constantAddress(x.X)
	}
	return 0, false
}

// wideWord evaluates a scalar constant expression with wide operands.
func wideWord(x Expr) (ctype.Word, bool) {
	b, ok := ConstantBytes(x, Constant)
	if !ok || !x.Type().IsScalar() {
		return 0, false
	}
	return ctype.Load(x.Type(), b), true
}

// ConstantBytes evaluates a constant expression of any scalar or wide type. It calls word for scalar subexpressions
// that it does not evaluate itself.
func ConstantBytes(x Expr, word func(Expr) (ctype.Word, bool)) ([]byte, bool) {
	t := x.Type()
	switch x := x.(type) {
	case *WideConst:
		return x.Bytes, true
	case *Cast:
		if a, ok := ConstantBytes(x.X, word); ok && !x.X.Type().IsAggregate() && (t.IsScalar() || t.IsWide()) {
			out, err := ctype.WideConvert(x.X.Type(), t, a)
			return out, err == nil || err == ctype.ErrFloatInt
		}
		return nil, false
	case *Unary:
		if a, ok := ConstantBytes(x.X, word); ok {
			out, err := ctype.WideUnary(x.Op, x.X.Type(), a)
			return out, err == nil || err == ctype.ErrOverflow
		}
		return nil, false
	case *Binary:
		if x.X.Type().Kind == ctype.Pointer {
			break
		}
		l, ok := ConstantBytes(x.X, word)
		if !ok {
			return nil, false
		}
		r, ok := ConstantBytes(x.Y, word)
		if !ok {
			return nil, false
		}
		out, err := ctype.WideBinary(x.Op, x.X.Type(), x.Y.Type(), l, r)
		return out, err == nil || err == ctype.ErrOverflow
	case *Cond:
		c, ok := ConstantBytes(x.C, word)
		if !ok {
			return nil, false
		}
		return ConstantBytes(pick(ctype.WideTruth(x.C.Type(), c), x.A, x.B), word)
	case *Part:
		if x.X.Type().Kind != ctype.Complex {
			break
		}
		a, ok := ConstantBytes(x.X, word)
		if !ok || int64(len(a)) < 2*t.Size {
			return nil, false
		}
		if x.Imag {
			return a[t.Size : 2*t.Size], true
		}
		return a[:t.Size], true
	}
	if !t.IsScalar() {
		return nil, false
	}
	w, ok := word(x)
	if !ok {
		return nil, false
	}
	out := make([]byte, t.Size)
	ctype.Store(t, out, w)
	return out, true
}

func truth(b bool) ctype.Word { return pick[ctype.Word](b, 1, 0) }

func constantBinary(x *Binary) (ctype.Word, bool) {
	a, ok1 := Constant(x.X)
	b, ok2 := Constant(x.Y)
	if !ok1 || !ok2 {
		return 0, false
	}
	if t := x.X.Type(); t.Kind == ctype.Pointer && !x.Op.IsCompare() {
		size := ctype.Word(max(t.Elem.Size, 1))
		switch {
		case x.Op == ctype.Add:
			return a + b*size, true
		case x.Y.Type().Kind == ctype.Pointer:
			return ctype.Word(int64(a-b) / int64(size)), true
		}
		return a - b*size, true
	}
	w, err := ctype.Binary(x.Op, x.X.Type(), a, b)
	return w, err == nil || err == ctype.ErrOverflow
}

// constantAddress returns the address of an lvalue that lies in an object at a constant address. It evaluates what
// offsetof expands to.
func constantAddress(x Expr) (ctype.Word, bool) {
	switch x := x.(type) {
	case *Deref:
		return Constant(x.X)
	case *Member:
		w, ok := ctype.Word(0), false
		if x.Arrow {
			w, ok = Constant(x.X)
		} else {
			w, ok = constantAddress(x.X)
		}
		return w + ctype.Word(x.Field.Offset), ok && x.Field.BitLen == 0
	case *Index:
		w, ok := Constant(x.X)
		i, ok2 := Constant(x.I)
		return w + i*ctype.Word(x.typ.Size), ok && ok2
	}
	return 0, false
}

// constValue is the value of x, which has to be an integer constant.
func (c *converter) constValue(at cc.Node, x Expr) ctype.Word {
	w, ok := Constant(x)
	if !ok {
		c.refuse(at, "this is not a constant expression that gulo can evaluate")
	}
	return w
}

func (c *converter) constInt(n cc.ExpressionNode) int64 {
	x := c.expr(n)
	return int64(c.constValue(n, x))
}

// Folded evaluates a call of a built-in function that gcc folds where a constant is needed. The function of
// evaluates an argument.
func Folded(x *Call, of func(Expr) (ctype.Word, bool)) (ctype.Word, bool) {
	f, ok := x.Fun.(*FuncRef)
	if !ok || f.Func.Body != nil || len(x.Args) != 1 {
		return 0, false
	}
	name := strings.TrimPrefix(f.Func.Name, "__builtin_")
	if name == "strlen" {
		d, _ := Skip(x.Args[0]).(*String)
		if d == nil || d.typ.Elem.Size != 1 {
			return 0, false
		}
		n := bytes.IndexByte(d.Bytes, 0)
		return ctype.Word(max(n, 0)), n >= 0
	}
	w, ok := of(x.Args[0])
	if !ok || !x.Args[0].Type().IsInteger() {
		return 0, false
	}
	short := strings.TrimRight(name, "l")
	size := 32
	if name != short {
		size = 64
	}
	if size == 32 {
		w = ctype.Word(uint32(w))
	}
	switch short {
	case "clz":
		return ctype.Word(bits.LeadingZeros64(w) - (64 - size)), w != 0
	case "ctz":
		return ctype.Word(bits.TrailingZeros64(w)), w != 0
	case "ffs":
		return ctype.Word((bits.TrailingZeros64(w) + 1) % 65), true
	case "popcount":
		return ctype.Word(bits.OnesCount64(w)), true
	case "parity":
		return ctype.Word(bits.OnesCount64(w) & 1), true
	case "clrsb":
		if size == 32 {
			w = ctype.Word(int64(int32(w)))
		}
		return ctype.Word(bits.LeadingZeros64(w^ctype.Word(int64(w)>>63)) - (64 - size) - 1), true
	case "bswap16":
		return ctype.Word(bits.ReverseBytes16(uint16(w))), true
	case "bswap32":
		return ctype.Word(bits.ReverseBytes32(uint32(w))), true
	case "bswap64":
		full, _ := of(x.Args[0])
		return bits.ReverseBytes64(full), true
	}
	return 0, false
}
