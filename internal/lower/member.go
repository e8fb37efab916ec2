package lower

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
)

// This file notes the members of unions that are stored to by their names, for debuggers (Options.Memory): an ir.Nop behind
// the store says it.

// member is one of a union that is at base + off.
type member struct {
	union *ctype.Type
	index int32
	base  ir.Reg
	off   int64
}

// within notes that a place is a member of a union. The place is still that of the union.
func (b *builder) within(p *place, x *cfront.Member) {
	t := x.X.Type()
	if x.Arrow {
		t, p.members = t.Elem, nil
	}
	if b.opt.Memory && p.base != ir.NoReg {
		named(p, t, x.Field.Name, p.off)
	}
}

// named notes the unions on the way to a member of a t at off, which members without names lead to; found is false where
// there is none of that name.
func named(p *place, t *ctype.Type, name string, off int64) (found bool) {
	for i := range t.Fields {
		f := &t.Fields[i]
		n := len(p.members)
		if t.Kind == ctype.Union && len(t.Fields) > 1 {
			p.members = append(p.members, member{t, int32(i), p.base, off})
		}
		if f.Name == name || f.Name == "" && f.Type.IsAggregate() && named(p, f.Type, name, off+f.Offset) {
			return true
		}
		p.members = p.members[:n]
	}
	return false
}

// memberOf is the place of the array that is a member and whose element is taken.
func (b *builder) memberOf(x *cfront.Index) (place, bool) {
	d, ok := x.X.(*cfront.Decay)
	if !ok || !b.opt.Memory {
		return place{}, false
	}
	if _, ok := b.opt.Components[x.X]; ok {
		return place{}, false
	}
	if _, ok := d.X.(*cfront.Member); !ok {
		return place{}, false
	}
	return b.place(d.X), true
}

// initialized lists the members of unions in a t at base + off that an initializer gives a value, where its place and type
// tell them apart.
func (b *builder) initialized(t *ctype.Type, in *cfront.Init, base ir.Reg, off int64, out []member) []member {
	if !b.opt.Memory {
		return nil
	}
	for t.Kind == ctype.Array && t.Elem.Size > 0 {
		if t.IsText() && ctype.Same(t, in.Type) {
			return out
		}
		off += (in.Offset - off) / t.Elem.Size * t.Elem.Size
		t = t.Elem
	}
	if !t.IsAggregate() || ctype.Same(t, in.Type) && off == in.Offset {
		return out
	}
	found := -1
	for i := range t.Fields {
		f := &t.Fields[i]
		if !initializes(f.Type, in, off+f.Offset) {
			continue
		}
		if found >= 0 {
			return out
		}
		found = i
	}
	if found < 0 {
		return out
	}
	if t.Kind == ctype.Union && len(t.Fields) > 1 {
		out = append(out, member{t, int32(found), base, off})
	}
	f := &t.Fields[found]
	return b.initialized(f.Type, in, base, off+f.Offset, out)
}

// initializes reports whether an initializer may be that of a t at off, or of a part of it.
func initializes(t *ctype.Type, in *cfront.Init, off int64) bool {
	switch {
	case in.Offset < off || in.Offset >= off+max(t.Size, 1):
		return false
	case in.Field != nil && !t.IsAggregate():
		return ctype.Same(t, in.Type)
	case ctype.Same(t, in.Type):
		return in.Offset == off
	case t.Kind == ctype.Array && t.Elem.Size > 0:
		return initializes(t.Elem, in, off+(in.Offset-off)/t.Elem.Size*t.Elem.Size)
	}
	for i := range t.Fields {
		if t.IsAggregate() && initializes(t.Fields[i].Type, in, off+t.Fields[i].Offset) {
			return true
		}
	}
	return false
}

// wrote says that something has been stored to a place.
func (b *builder) wrote(p place) {
	for _, m := range p.members {
		b.emit(ir.Instr{Op: ir.Nop, T: m.union, Dst: ir.NoReg, A: m.base, B: p.base, Imm: m.off, Else: int32(p.off), Target: m.index})
	}
}
