package gdb

import (
	"debug/dwarf"
	"encoding/binary"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/target"
)

// This file is arrays of variable length. gcc keeps their addresses and the highest index of every
// dimension in the frame, and describes where: DW_OP_fbreg N, DW_OP_deref (DWARF 4, 5.13).

const (
	opDeref = 0x06
	opPlus  = 0x22
)

// maxStack is how far from its frame's base an array is looked for.
const maxStack = 64 << 20

// sized is an array of variable length.
type sized struct {
	at    int64    // where its address is, from the frame base
	lens  []length // of its dimensions, the outermost first
	parts []part   // of a struct or union with members of variable size, its members
}

// part is such a member.
type part struct {
	off  int64 // in the whole; -1 where it varies
	at   int64 // where the offset is, from the frame base
	lens []length
}

// length is how many elements there are.
type length struct {
	n  int64 // as it is written; 0 where it varies
	at int64 // where the highest index is, from the frame base
}

// typeOf is the type of an entry, without the names that it has; rd stands behind it.
func (r *dwarfReader) typeOf(e *dwarf.Entry) (t *dwarf.Entry, rd *dwarf.Reader) {
	rd = r.d.Reader()
	for t = e; ; {
		at, ok := t.Val(dwarf.AttrType).(dwarf.Offset)
		if !ok {
			return nil, nil
		}
		rd.Seek(at)
		var err error
		if t, err = rd.Next(); err != nil || t == nil {
			return nil, nil
		}
		if t.Tag != dwarf.TagTypedef && t.Tag != dwarf.TagConstType && t.Tag != dwarf.TagVolatileType {
			return t, rd
		}
	}
}

// parts reads where the members of a variable's type are. gcc adds an offset that varies to the address of the
// whole: DW_OP_fbreg N, DW_OP_deref, DW_OP_plus.
func (r *dwarfReader) parts(e *dwarf.Entry) []part {
	t, rd := r.typeOf(e)
	if t == nil || !t.Children || t.Tag != dwarf.TagStructType && t.Tag != dwarf.TagUnionType {
		return nil
	}
	var out []part
	for {
		m, err := rd.Next()
		if err != nil || m == nil || m.Tag == 0 {
			return out
		}
		if m.Tag != dwarf.TagMember {
			if m.Children {
				rd.SkipChildren()
			}
			continue
		}
		p := part{lens: r.lengths(m)}
		switch at := m.Val(dwarf.AttrDataMemberLoc).(type) {
		case nil: // of a union
		case int64:
			p.off = at
		case []byte:
			off, n := fromFrame(at)
			if n == 0 || len(at) != n+2 || at[n] != opDeref || at[n+1] != opPlus {
				return nil
			}
			p.off, p.at = -1, off
		}
		out = append(out, p)
	}
}

// lengths reads the dimensions of a variable's type.
func (r *dwarfReader) lengths(e *dwarf.Entry) []length {
	t, rd := r.typeOf(e)
	if t == nil || t.Tag != dwarf.TagArrayType || !t.Children {
		return nil
	}
	var out []length
	for {
		d, err := rd.Next()
		if err != nil || d == nil || d.Tag == 0 {
			return out
		}
		switch most := d.Val(dwarf.AttrUpperBound).(type) {
		case int64:
			out = append(out, length{n: most + 1})
		case []byte:
			off, n := fromFrame(most)
			if n == 0 || len(most) <= n || most[len(most)-1] != opDeref {
				return nil
			}
			out = append(out, length{at: off})
		default:
			return nil
		}
	}
}

// arrays lists the arrays of variable length that a frame has where it is; low is where the
// stack of the frame ends.
func (t *Target) arrays(r *rawFrame, low uint64, stmt int32) []target.Variable {
	var out []target.Variable
	for _, v := range r.fi.fn.Locals {
		x, ok := r.fi.arrays[v]
		if !ok || stmt <= 0 || !target.Visible(v, t.p.Stmts[stmt]) {
			continue
		}
		word := func(off int64) (int64, bool) {
			var buf [8]byte
			ok := t.Read(r.bp+16+uint64(off), buf[:])
			return int64(binary.LittleEndian.Uint64(buf[:])), ok
		}
		a, ok := word(x.at)
		if !ok {
			continue
		}
		count := func(list []length) []int64 {
			lens := make([]int64, len(list))
			for i, l := range list {
				if lens[i] = l.n; l.n == 0 {
					most, _ := word(l.at)
					lens[i] = most + 1
				}
			}
			return lens
		}
		typ := ofLengths(v.Type, count(x.lens))
		if v.VLAParts != nil {
			typ = ofParts(v, x.parts, count, word)
		}
		if typ == nil || uint64(a) < low || uint64(a)+uint64(typ.Size) > r.bp {
			continue
		}
		out = append(out, target.Variable{Var: v, Addr: ctype.Word(a), Type: typ})
	}
	return out
}

// ofParts is the type of a struct or union with members of variable size.
func ofParts(v *cfront.Var, parts []part, count func([]length) []int64, word func(int64) (int64, bool)) *ctype.Type {
	if len(parts) != len(v.VLAParts) {
		return nil
	}
	var fields []ctype.Field
	end := int64(0)
	for i, p := range v.VLAParts {
		f := p.Field
		if f.BitLen == 0 {
			f.Offset = parts[i].off
		}
		if parts[i].off < 0 {
			f.Offset, _ = word(parts[i].at)
		}
		if len(p.Sizes) > 0 {
			f.Type = ofLengths(f.Type, count(parts[i].lens))
		}
		if f.Type == nil {
			return nil
		}
		end = max(end, f.Offset+f.Type.Size)
		fields = append(fields, f)
	}
	return target.Placed(v.Type, (end+v.Type.Align-1)/v.Type.Align*v.Type.Align, fields)
}

// ofLengths is the type of an array of variable length.
func ofLengths(t *ctype.Type, lens []int64) *ctype.Type {
	for range lens {
		if t == nil || t.Kind != ctype.Array {
			return nil
		}
		t = t.Elem
	}
	if len(lens) == 0 || t == nil || t.Size <= 0 {
		return nil
	}
	const most = 1 << 20
	for i := len(lens) - 1; i >= 0; i-- {
		if lens[i] <= 0 || lens[i] > most || t.Size > most {
			return nil
		}
		t = ctype.ArrayOf(t, lens[i])
	}
	return t
}
