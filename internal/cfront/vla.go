package cfront

import (
	"gulo/internal/ctype"
	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file handles types of variable size: arrays of several dimensions, pointers to
// such arrays and typedefs. The size of such a type is kept in a hidden variable, which is
// set where the type is declared (C11 6.7.6.2p5: it does not change
// afterwards). Arithmetic on pointers to such types is done in bytes.

// sized returns the size of a type of variable size, nil when the type is of
// constant size.
func (c *converter) sized(t *ctype.Type) Expr {
	if f := c.sizes[t]; f != nil {
		return f()
	}
	return nil
}

// standsAt sets the range of a generated expression and returns it. A use of a size is part of the statement that uses
// it, not of the declaration that computes it.
func standsAt(x Expr, at source.Range) Expr {
	x.(interface{ base() *expr }).base().rng = at
	return x
}

// keepSize makes a hidden variable for the size of array type t of n elements, and adds its assignment to pending.
func (c *converter) keepSize(t *ctype.Type, n Expr) {
	elem := c.sized(t.Elem)
	if elem == nil {
		k := &Const{Value: uint64(t.Elem.Size)}
		k.typ = ctype.ULongT
		elem = k
	}
	size := c.binary(ctype.Mul, c.convertTo(n, ctype.ULongT), elem)
	inherit(&size.expr, n)
	size.macro = true
	set, use := c.temporary(size)
	c.pending = append(c.pending, set)
	c.sizes[t] = use
}

// sizesSince removes the pending assignments from index mark on and returns them.
func (c *converter) sizesSince(mark int) []Expr {
	out := append([]Expr(nil), c.pending[mark:]...)
	c.pending = c.pending[:mark]
	return out
}

// steps returns x + i or x - i for a pointer x to a type of variable size.
func (c *converter) steps(op ctype.Op, x, i Expr, size Expr) Expr {
	bytes := &Cast{X: x, Implicit: true}
	bytes.typ = ctype.CharPtrT
	inherit(&bytes.expr, x)
	off := c.binary(ctype.Mul, c.convertTo(i, ctype.LongT), c.convertTo(size, ctype.LongT))
	inherit(&off.expr, i)
	sum := c.binary(op, bytes, off)
	cover(&sum.expr, x, i)
	back := &Cast{X: sum, Implicit: true}
	back.typ = x.Type()
	inherit(&back.expr, sum)
	markMacro(back)
	back.macro = false
	return back
}

// variableArithmetic returns x + y or x - y for pointers to types of variable size, nil
// for other operands or operators.
func (c *converter) variableArithmetic(op ctype.Op, x, y Expr) Expr {
	xp, yp := x.Type().Kind == ctype.Pointer, y.Type().Kind == ctype.Pointer
	switch {
	case op != ctype.Add && op != ctype.Sub:
	case xp && yp:
		if size := c.sized(x.Type().Elem); size != nil {
			a, b := &Cast{X: x, Implicit: true}, &Cast{X: y, Implicit: true}
			a.typ, b.typ = ctype.CharPtrT, ctype.CharPtrT
			e := c.binary(ctype.Div, c.binary(ctype.Sub, a, b), c.convertTo(size, ctype.LongT))
			cover(&e.expr, x, y)
			return e
		}
	case xp:
		if size := c.sized(x.Type().Elem); size != nil {
			return c.steps(op, x, y, size)
		}
	case yp:
		if size := c.sized(y.Type().Elem); size != nil {
			return c.steps(op, y, x, size)
		}
	}
	return nil
}

// variableIndex converts x[i] where the elements are of variable size.
func (c *converter) variableIndex(x, i, size Expr) Expr {
	e := &Deref{X: c.steps(ctype.Add, x, i, size)}
	e.typ = x.Type().Elem
	inherit(&e.expr, e.X)
	if Pure(i) {
		e.Index, e.Count = c.convertTo(i, ctype.LongT), c.count(x)
	}
	return e
}

// count returns how many elements the array of variable length has that x was before it became a pointer; nil if x was
// none.
func (c *converter) count(x Expr) Expr {
	d, ok := x.(*Decay)
	if !ok || d.X.Type().Kind != ctype.Array {
		return nil
	}
	size := c.sized(d.X.Type())
	if size == nil {
		return nil
	}
	elem := c.sized(d.X.Type().Elem)
	if elem == nil {
		k := &Const{Value: uint64(max(d.X.Type().Elem.Size, 1))}
		k.typ = ctype.ULongT
		elem = k
	}
	n := c.binary(ctype.Div, c.convertTo(size, ctype.LongT), c.convertTo(elem, ctype.LongT))
	inherit(&n.expr, x)
	n.macro = true
	return n
}

// variableStep converts ++ and -- of a pointer to a type of variable size.
func (c *converter) variableStep(n cc.Node, x Expr, dec, post bool, size Expr) Expr {
	if !Pure(x) {
		c.refuse(n, "++ of a pointer to a type of variable size with a side effect is not supported")
	}
	one := &Const{Value: 1, Spell: "1"}
	one.typ = ctype.LongT
	a := &Assign{L: x, R: c.steps(pick(dec, ctype.Sub, ctype.Add), x, one, size)}
	a.typ = x.Type()
	inherit(&a.expr, x)
	if !post {
		return a
	}
	return c.andThen(a, c.steps(pick(dec, ctype.Add, ctype.Sub), x, one, c.sized(x.Type().Elem)))
}

// inOrder returns an expression that evaluates sizes in order and then x.
func (c *converter) inOrder(sizes []Expr, x Expr) Expr {
	for i := len(sizes) - 1; i >= 0; i-- {
		x = c.andThen(sizes[i], x)
	}
	return x
}
