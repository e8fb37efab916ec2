package cfront

import (
	"gulo/internal/ctype"

	"modernc.org/cc/v4"
)

// This file converts _Generic and decides whether types are compatible, qualifiers included.

// generic converts the association that _Generic selects (C11 6.5.1.1, with
// the lvalue conversion of DR 481). The others are not even given types.
func (c *converter) generic(n *cc.GenericSelection) Expr {
	c.dry++
	t := c.decay(c.lvalue(n.AssignmentExpression)).Type()
	c.dry--
	var other cc.ExpressionNode
	for l := n.GenericAssociationList; l != nil; l = l.GenericAssociationList {
		a := l.GenericAssociation
		if a.Case == cc.GenericAssociationDefault {
			other = a.AssignmentExpression
			continue
		}
		if u, q := c.typeName(a.TypeName); q&^ctype.Atomic == 0 && c.compatible(t, u) {
			return c.lvalue(a.AssignmentExpression)
		}
	}
	if other == nil {
		c.refuse(n, "_Generic has no association for %s", t)
	}
	return c.lvalue(other)
}

// compatible reports whether two types are compatible (C11 6.2.7).
func (c *converter) compatible(a, b *ctype.Type) bool {
	if a == b {
		return true
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case ctype.Int:
		if a.Enum && b.Enum {
			return a == b || a.Name == b.Name && a.Name != "enum "
		}
		return a.Width() == b.Width() && underlying(a) == underlying(b)
	case ctype.Float, ctype.LongDouble:
		return a.Name == b.Name
	case ctype.Int128:
		return a.Signed == b.Signed
	case ctype.Complex:
		return c.compatible(a.Elem, b.Elem)
	case ctype.Vector:
		return a.Len == b.Len && c.compatible(a.Elem, b.Elem)
	case ctype.Pointer:
		const seen = ctype.Const | ctype.Volatile | ctype.Restrict | ctype.Atomic
		return a.ElemQual&seen == b.ElemQual&seen && c.compatible(a.Elem, b.Elem)
	case ctype.Array:
		return (a.Len == b.Len || a.Len < 0 || b.Len < 0) && a.ElemQual == b.ElemQual && c.compatible(a.Elem, b.Elem)
	case ctype.Struct, ctype.Union:
		return false // one definition is one type
	case ctype.Func:
		return c.compatibleFunctions(a, b)
	}
	return true
}

// underlying returns the name of an integer type, for an enum that of its compatible integer type.
func underlying(t *ctype.Type) string {
	if !t.Enum {
		return t.Name
	}
	names := map[int64]*ctype.Type{1: ctype.SCharT, 2: ctype.ShortT, 4: ctype.IntT, 8: ctype.LongT}
	if !t.Signed {
		names = map[int64]*ctype.Type{1: ctype.UCharT, 2: ctype.UShortT, 4: ctype.UIntT, 8: ctype.ULongT}
	}
	return names[t.Size].Name
}

func (c *converter) compatibleFunctions(a, b *ctype.Type) bool {
	if !c.compatible(a.Result, b.Result) {
		return false
	}
	if a.NoProto && b.NoProto {
		return true
	}
	if a.NoProto {
		a, b = b, a
	}
	if b.NoProto {
		if a.Variadic {
			return false
		}
		for _, p := range a.Params {
			if p.IsInteger() && ctype.Promote(p) != p || p.Kind == ctype.Float && p.Size == 4 {
				return false
			}
		}
		return true
	}
	if len(a.Params) != len(b.Params) || a.Variadic != b.Variadic {
		return false
	}
	for i := range a.Params {
		if !c.compatible(a.Params[i], b.Params[i]) {
			return false
		}
	}
	return true
}
