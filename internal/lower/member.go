package lower

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
)

// This file notes the members of unions that are stored to by their names, for debuggers (Options.Memory): an ir.Nop behind
// the store says it.

// member is a member of the union at base + off.
type member struct {
	union *ctype.Type
	index int32
	base  ir.Reg
	off   int64
}

// within notes that x is a member of a union. The place p is still that of the union, or of the struct around it.
func (b *builder) within(p *place, x *cfront.Member) {
	if x.Arrow {
		p.members = nil
	}
	if b.opt.Memory && p.base != ir.NoReg {
		p.enter(x.Unions())
	}
}

// enter adds members of unions that are reached from a place.
func (p *place) enter(list []cfront.UnionMember) {
	for _, u := range list {
		p.members = append(p.members, member{u.Union, int32(u.Index), p.base, p.off + u.Off})
	}
}

// memberOf returns the place of the array of which x is an element, if that is a member; false if it is none, and without
// Options.Memory.
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

// wrote says that something has been stored to a place.
func (b *builder) wrote(p place) {
	for _, m := range p.members {
		b.emit(ir.Instr{Op: ir.Nop, T: m.union, Dst: ir.NoReg, A: m.base, B: p.base, Imm: m.off, Else: int32(p.off), Target: m.index})
	}
}
