package cfront

import (
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
		w, ok = Constant(x.X)
		return truth(!ctype.Truth(x.X.Type(), w)), ok
	case *Binary:
		return constantBinary(x)
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
	case *Addr:
		return constantAddress(x.X)
	case *Decay:
		return constantAddress(x.X)
	}
	return 0, false
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

// constantAddress is for what offsetof expands to: the address of a member of
// an object at a constant address.
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
