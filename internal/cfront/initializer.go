package cfront

import (
	"gulo/internal/ctype"

	"modernc.org/cc/v4"
)

// This file flattens initializers.

// initializer returns the leaves of an initializer for an object of type t.
func (c *converter) initializer(n *cc.Initializer, t *ctype.Type) []Init {
	if n.Case == cc.InitializerExpr {
		x := c.expr(n.AssignmentExpression)
		return []Init{c.leaf(n, 0, t, x)}
	}
	var out []Init
	if t.IsScalar() {
		for l := n.InitializerList; l != nil; l = l.InitializerList {
			return c.initializer(l.Initializer, t)
		}
		return []Init{{Type: t, X: c.convertTo(c.zero(n), t)}}
	}
	c.initList(n.InitializerList, &out)
	if out == nil {
		out = []Init{}
	}
	return out
}

func (c *converter) initList(l *cc.InitializerList, out *[]Init) {
	for ; l != nil; l = l.InitializerList {
		in := l.Initializer
		if in == nil {
			continue
		}
		if in.Case == cc.InitializerInitList {
			c.initList(in.InitializerList, out)
			continue
		}
		t := c.ctype(in.Type(), in)
		*out = append(*out, c.leaf(in, in.Offset(), t, c.expr(in.AssignmentExpression)))
	}
}

func (c *converter) leaf(n *cc.Initializer, off int64, t *ctype.Type, x Expr) Init {
	in := Init{Offset: off, Type: t}
	if f := n.Field(); f != nil && f.IsBitfield() {
		bit := off*8 + int64(f.OffsetBits())
		in.Field = &ctype.Field{Name: f.Name(), Type: t, BitOff: int(bit % 8), BitLen: int(f.ValueBits())}
		in.Offset = bit / 8
	}
	if d, ok := x.(*Decay); ok && t.Kind == ctype.Array {
		x = d.X
	}
	if _, ok := x.(*String); ok && t.Kind == ctype.Array {
		in.X = x
		return in
	}
	in.X = c.convertTo(x, t)
	return in
}

func (c *converter) zero(at cc.Node) Expr {
	return &Const{expr: expr{typ: ctype.IntT}, Spell: "0"}
}
