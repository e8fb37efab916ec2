package cfront

import (
	"fmt"

	"gulo/internal/ctype"

	"modernc.org/cc/v4"
)

// This file converts types. A struct or union met in several source files, or
// before and after its definition, is one *ctype.Type.

var basics = map[cc.Kind]*ctype.Type{
	cc.Void: ctype.VoidT, cc.Bool: ctype.BoolT, cc.Char: ctype.CharT, cc.SChar: ctype.SCharT,
	cc.UChar: ctype.UCharT, cc.Short: ctype.ShortT, cc.UShort: ctype.UShortT, cc.Int: ctype.IntT,
	cc.UInt: ctype.UIntT, cc.Long: ctype.LongT, cc.ULong: ctype.ULongT, cc.LongLong: ctype.LLongT,
	cc.ULongLong: ctype.ULLongT, cc.Float: ctype.FloatT, cc.Double: ctype.DoubleT,
}

func (c *converter) ctype(t cc.Type, at cc.Node) *ctype.Type {
	if t == nil {
		c.refuse(at, "an expression without a type")
	}
	if r, ok := c.types[t]; ok {
		return r
	}
	if t.VectorSize() > 0 {
		c.refuse(at, "vector types are not supported")
	}
	if b, ok := basics[t.Kind()]; ok {
		return b
	}
	switch x := t.(type) {
	case *cc.EnumType:
		return c.enum(x)
	case *cc.PointerType:
		r := &ctype.Type{Kind: ctype.Pointer, Size: 8, Align: 8}
		c.types[t] = r
		r.Elem = c.ctype(x.Elem(), at)
		return r
	case *cc.ArrayType:
		n := x.Len()
		if x.IsVLA() || x.IsIncomplete() {
			n = -1
		}
		return ctype.ArrayOf(c.ctype(x.Elem(), at), n)
	case *cc.FunctionType:
		return c.funcType(x, at)
	case *cc.StructType:
		return c.aggregate(ctype.Struct, x, tagName(x.Tag()), x.NumFields(), x.FieldByIndex, at)
	case *cc.UnionType:
		return c.aggregate(ctype.Union, x, tagName(x.Tag()), x.NumFields(), x.FieldByIndex, at)
	}
	c.refuse(at, "type %s is not supported", t)
	return nil
}

func (c *converter) enum(x *cc.EnumType) *ctype.Type {
	u := *ctype.UIntT
	if x.Min() < 0 {
		u = *ctype.IntT
	}
	if x.Size() == 8 {
		u = *ctype.LongT
	}
	u.Enum = true
	u.Name = "enum " + tagName(x.Tag())
	return &u
}

func (c *converter) funcType(x *cc.FunctionType, at cc.Node) *ctype.Type {
	r := &ctype.Type{Kind: ctype.Func, Size: 1, Align: 1, Variadic: x.IsVariadic()}
	c.types[x] = r
	r.Result = c.ctype(x.Result(), at)
	ps := x.Parameters()
	if len(ps) == 1 && ps[0].Type().Kind() == cc.Void {
		return r
	}
	for _, p := range ps {
		r.Params = append(r.Params, c.ctype(p.Type(), at).Decay())
	}
	r.NoProto = len(ps) == 0 && x.MaxArgs() != 0
	return r
}

// aggregate converts a struct or union; complete definitions fill in earlier
// incomplete ones.
func (c *converter) aggregate(k ctype.Kind, t cc.Type, tag string, n int, field func(int) *cc.Field, at cc.Node) *ctype.Type {
	td := ""
	if d := t.Typedef(); d != nil {
		td = d.Name()
	}
	key := c.aggregateKey(k, t, tag, n, field)
	r, ok := c.structs[key]
	if !ok {
		r = &ctype.Type{Kind: k, Tag: tag, Align: 1}
		c.structs[key] = r
		c.prog.Structs = append(c.prog.Structs, r)
	}
	c.types[t] = r
	if r.Typedef == "" {
		r.Typedef = td
	}
	if r.Size > 0 || t.IsIncomplete() {
		return r
	}
	r.Size, r.Align = t.Size(), int64(t.Align())
	for i := 0; i < n; i++ {
		f := field(i)
		if f == nil {
			continue
		}
		g := ctype.Field{Name: f.Name(), Type: c.ctype(f.Type(), at), Offset: f.Offset()}
		if f.IsBitfield() {
			bit := g.Offset*8 + int64(f.OffsetBits())
			g.Offset, g.BitOff, g.BitLen = bit/8, int(bit%8), int(f.ValueBits())
			if g.BitLen == 0 {
				continue
			}
		}
		r.Fields = append(r.Fields, g)
	}
	return r
}

func (c *converter) aggregateKey(k ctype.Kind, t cc.Type, tag string, n int, field func(int) *cc.Field) string {
	if tag != "" {
		return fmt.Sprint(k, " ", tag, c.localTag(t))
	}
	for i := 0; i < n; i++ {
		if f := field(i); f != nil && f.Declarator() != nil {
			p := f.Declarator().Position()
			return fmt.Sprint(k, " @", p.Filename, p.Offset, f.Name())
		}
	}
	return fmt.Sprint(k, " ", t.String())
}

// localTag tells apart equal tags of different functions.
func (c *converter) localTag(t cc.Type) string {
	var s *cc.Scope
	switch x := t.(type) {
	case *cc.StructType:
		s = x.LexicalScope()
	case *cc.UnionType:
		s = x.LexicalScope()
	}
	if s == nil || s.Parent == nil || t.IsIncomplete() {
		return ""
	}
	if c.fn != nil {
		return "@" + c.fn.Name
	}
	return ""
}

func tagName(t cc.Token) string { return t.SrcStr() }
