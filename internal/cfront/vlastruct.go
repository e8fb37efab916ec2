package cfront

import (
	"slices"

	"gulo/internal/ctype"

	"modernc.org/cc/v4"
)

// This file handles structs and unions with members of variable size (GNU C), which only functions can
// declare. The Fields of the type end before the first member of variable size. This member and those after
// it are accessed at computed offsets, which are kept in hidden variables, like the size of the type
// (vla.go).

// placed is a member of such a type with its offset.
type placed struct {
	field ctype.Field
	off   func() Expr // nil if the offset is constant: field.Offset
	align int64
}

// variableMembers lays out a struct or union with members of variable size; it returns false if there are none.
func (c *converter) variableMembers(own *tag, members []ctype.Member, l ctype.Layout, at *cc.StructOrUnionSpecifier) bool {
	t := own.t
	first := slices.IndexFunc(members, func(m ctype.Member) bool { return c.sized(m.Type) != nil })
	if first < 0 {
		return false
	}
	if c.fn == nil && len(c.scopes) == 1 || c.isComplete[t] {
		c.refuse(at, "a member of variable size is not supported here")
	}
	fixed := members[:first]
	if t.Kind == ctype.Union {
		fixed = slices.DeleteFunc(slices.Clone(members), func(m ctype.Member) bool { return c.sized(m.Type) != nil })
	}
	c.complete(own, fixed, l, at)
	var out []placed
	for _, f := range t.Fields {
		out = append(out, placed{field: f, align: 1})
	}
	w := writer{c: c, like: c.sized(members[first].Type)}
	var end Expr // offset after the members placed so far
	if t.Kind == ctype.Struct {
		unpadded := &ctype.Type{Kind: ctype.Struct}
		bytes := slices.Clone(fixed)
		unpadded.Complete(append(bytes, ctype.Member{Field: ctype.Field{Name: " ", Type: ctype.CharT}, Bits: -1}), ctype.Layout{Packed: l.Packed, Pack: l.Pack, Units: l.Units})
		c.before[t] = unpadded.Fields[len(unpadded.Fields)-1].Offset
		end = w.number(c.before[t])
	} else {
		end = w.number(t.Size)
	}
	for i, m := range members {
		size := c.sized(m.Type)
		if t.Kind == ctype.Union && size == nil || i < first {
			continue
		}
		if m.Bits >= 0 {
			c.refuse(at, "a bit-field behind a member of variable size is not supported")
		}
		align := memberAlign(&m, l)
		m.Align = align
		t.Align = max(t.Align, align)
		if size == nil {
			size = w.number(m.Type.Size)
		}
		if t.Kind == ctype.Union {
			out = append(out, placed{field: m.Field, align: 1})
			end = w.greater(end, size)
			continue
		}
		start := w.keep(w.roundUp(end, align))
		out = append(out, placed{m.Field, start, align})
		end = w.keep(c.binary(ctype.Add, start(), size))()
	}
	c.sizes[t] = w.keep(w.roundUp(end, t.Align))
	c.placedIn[t] = out
	return true
}

// Varying describes a type whose size is computed in each call, or that contains or points to such a type.
type Varying struct {
	Type     *ctype.Type
	Computed bool          // an array whose size is computed: Type.Size does not hold
	Bytes    *Var          // the hidden variable with the size of such an array; nil if only VLALen of its variable has it
	Elem     *Varying      // of an array or pointer; nil if the element type is not varying
	Parts    []VaryingPart // members of a struct or union
	Fixed    int64         // bytes of the members of a struct or union before the first of variable size
}

// VaryingPart is a member of such a struct or union.
type VaryingPart struct {
	Field  ctype.Field
	Type   *Varying // nil if the type is Field.Type
	Placed bool     // the offset is computed; else it is Field.Offset
	Align  int64
}

// varying describes a type that is declared in a function. It returns nil if leadsTo does not hold.
func (c *converter) varying(t *ctype.Type) *Varying {
	if len(c.sizes) == 0 || !c.leadsTo(t, map[*ctype.Type]bool{}) {
		return nil
	}
	if v := c.shapes[t]; v != nil {
		return v
	}
	v := &Varying{Type: t}
	c.shapes[t] = v
	switch t.Kind {
	case ctype.Array:
		size := c.sized(t)
		v.Computed = size != nil
		if r, ok := size.(*Ref); ok {
			v.Bytes = r.Var
		}
		v.Elem = c.varying(t.Elem)
	case ctype.Pointer:
		v.Elem = c.varying(t.Elem)
	default:
		v.Fixed = t.Size
		if c.placedIn[t] == nil {
			for _, f := range t.Fields {
				v.Parts = append(v.Parts, VaryingPart{Field: f, Type: c.varying(f.Type)})
			}
		}
		for _, p := range c.placedIn[t] {
			v.Parts = append(v.Parts, VaryingPart{Field: p.field, Type: c.varying(p.field.Type), Placed: p.off != nil, Align: p.align})
		}
		if n, ok := c.before[t]; ok {
			v.Fixed = n
		}
	}
	return v
}

// leadsTo reports whether the size of a type is computed, or that of a type that it contains or points to.
func (c *converter) leadsTo(t *ctype.Type, seen map[*ctype.Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind {
	case ctype.Array, ctype.Pointer:
		return t.Kind == ctype.Array && c.sizes[t] != nil || c.leadsTo(t.Elem, seen)
	case ctype.Struct, ctype.Union:
		return c.placedIn[t] != nil || c.inFunction[t] && slices.ContainsFunc(t.Fields, func(f ctype.Field) bool { return c.leadsTo(f.Type, seen) })
	}
	return false
}

// memberAlign returns the alignment of a member that is not a bit-field.
func memberAlign(m *ctype.Member, l ctype.Layout) int64 {
	align := m.Type.Align
	if l.Packed || m.Packed {
		align = 1
	}
	align = max(align, m.UserAlign)
	if l.Pack > 0 {
		align = min(align, l.Pack)
	}
	return align
}

// writer makes expressions that are not in the source; they get the range of like.
type writer struct {
	c    *converter
	like Expr
}

func (w writer) number(n int64) Expr {
	return w.c.number(uint64(n), w.like.Range())
}

// keep assigns x to a hidden variable where the type is declared, and returns a function that makes a use of the
// variable.
func (w writer) keep(x Expr) func() Expr {
	if b, ok := x.(*Binary); ok {
		inherit(&b.expr, w.like)
		b.macro = true
	}
	set, use := w.c.temporary(x)
	w.c.pending = append(w.c.pending, set)
	return use
}

func (w writer) roundUp(x Expr, to int64) Expr {
	if to <= 1 {
		return x
	}
	return w.c.binary(ctype.And, w.c.binary(ctype.Add, x, w.number(to-1)), w.number(-to))
}

func (w writer) greater(x, y Expr) Expr {
	a, b := w.keep(x), w.keep(y)
	k := &Cond{C: w.c.binary(ctype.Gt, a(), b()), A: a(), B: b()}
	k.typ = ctype.ULongT
	inherit(&k.expr, w.like)
	k.macro = true
	return w.keep(k)()
}

// placedMember finds a member of any struct or union, also in unnamed members. off is nil if the offset is constant, and
// then it is f.Offset.
func (c *converter) placedMember(t *ctype.Type, name string) (f ctype.Field, off Expr, ok bool) {
	if c.placedIn[t] == nil {
		f, ok = t.Field(name)
		return f, nil, ok
	}
	for _, p := range c.placedIn[t] {
		switch g, inner, ok := p.field, Expr(nil), p.field.Name == name; {
		case !ok && p.field.Name == "" && p.field.Type.IsAggregate():
			if g, inner, ok = c.placedMember(p.field.Type, name); ok {
				return c.within(p, g, inner)
			}
		case ok:
			if p.off != nil {
				off = p.off()
			}
			return g, off, true
		}
	}
	return f, nil, false
}

// within returns member f of unnamed member p with its offset in the struct around p. inner is the offset of f in p if
// that is computed.
func (c *converter) within(p placed, f ctype.Field, inner Expr) (ctype.Field, Expr, bool) {
	if p.off == nil {
		f.Offset += p.field.Offset
		if inner != nil && p.field.Offset > 0 {
			inner = c.binary(ctype.Add, inner, c.number(uint64(p.field.Offset), inner.Range()))
		}
		return f, inner, true
	}
	off := p.off()
	switch {
	case inner != nil:
		off = c.binary(ctype.Add, off, inner)
	case f.Offset > 0:
		off = c.binary(ctype.Add, off, c.number(uint64(f.Offset), off.Range()))
	}
	return f, off, true
}

// memberAt converts x.f or x->f, given as e, to an access at computed offset off. It returns e if off is nil.
func (c *converter) memberAt(n cc.Node, e *Member, off Expr) Expr {
	if off == nil {
		return e
	}
	if e.Field.BitLen > 0 {
		c.refuse(n, "a bit-field behind a member of variable size is not supported")
	}
	base := e.X
	if !e.Arrow {
		c.inPlace(n, e.X)
		a := &Addr{X: e.X}
		a.typ = ctype.PointerTo(e.X.Type())
		inherit(&a.expr, e.X)
		base = a
	}
	sum := c.binary(ctype.Add, cast(base, ctype.CharPtrT), c.convertTo(off, ctype.LongT))
	inherit(&sum.expr, e)
	p := ctype.PointerTo(e.typ)
	p.ElemQual = qualifiers(e)
	back := cast(sum, p)
	markMacro(back)
	d := &Deref{X: back}
	d.typ = e.typ
	inherit(&d.expr, e)
	return d
}

// copied converts l = r for a struct or union of variable size to a call of memmove.
func (c *converter) copied(n cc.Node, l, r, size Expr) Expr {
	c.inPlace(n, r)
	address := func(x Expr) Expr {
		a := &Addr{X: x}
		a.typ = ctype.PointerTo(x.Type())
		inherit(&a.expr, x)
		return cast(a, ctype.VoidPtrT)
	}
	t := &ctype.Type{Kind: ctype.Func, Size: 1, Align: 1, Result: ctype.VoidPtrT, Params: []*ctype.Type{ctype.VoidPtrT, ctype.VoidPtrT, ctype.ULongT}}
	move := called(c.library("memmove", t), l.Range().Union(r.Range()), address(l), address(r), size)
	d := &Deref{X: cast(move, ctype.PointerTo(l.Type()))}
	d.typ = l.Type()
	cover(&d.expr, l, r)
	return d
}

// inPlace refuses structs of variable size that are not lvalues, such as results of calls and ?:.
func (c *converter) inPlace(n cc.Node, x Expr) {
	if x.Type().IsAggregate() && c.sized(x.Type()) != nil {
		switch x.(type) {
		case *Ref, *Deref, *Member, *Index:
		default:
			c.refuse(n, "this use of a struct of variable size is not supported")
		}
	}
}

// fixedSize refuses arguments that are structs of variable size; it returns args.
func (c *converter) fixedSize(n cc.Node, args []Expr) []Expr {
	for _, a := range args {
		if a.Type().IsAggregate() && c.sized(a.Type()) != nil {
			c.refuse(n, "a struct of variable size as an argument is not supported")
		}
	}
	return args
}
