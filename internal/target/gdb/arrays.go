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

const opDeref = 0x06

// maxStack is how far from its frame's base an array is looked for.
const maxStack = 64 << 20

// sized is an array of variable length.
type sized struct {
	at   int64    // where its address is, from the frame base
	lens []length // of its dimensions, the outermost first
}

// length is how many elements there are.
type length struct {
	n  int64 // as it is written; 0 where it varies
	at int64 // where the highest index is, from the frame base
}

// lengths reads the dimensions of a variable's type.
func (r *dwarfReader) lengths(e *dwarf.Entry) []length {
	at, ok := e.Val(dwarf.AttrType).(dwarf.Offset)
	if !ok {
		return nil
	}
	rd := r.d.Reader()
	rd.Seek(at)
	t, err := rd.Next()
	for err == nil && t != nil && (t.Tag == dwarf.TagTypedef || t.Tag == dwarf.TagConstType || t.Tag == dwarf.TagVolatileType) {
		if at, ok = t.Val(dwarf.AttrType).(dwarf.Offset); !ok {
			return nil
		}
		rd.Seek(at)
		t, err = rd.Next()
	}
	if err != nil || t == nil || t.Tag != dwarf.TagArrayType || !t.Children {
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
			if len(most) < 3 || most[0] != 0x91 || most[len(most)-1] != opDeref {
				return nil
			}
			off, _ := sleb(most[1:])
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
		lens := make([]int64, len(x.lens))
		for i, l := range x.lens {
			if lens[i] = l.n; l.n == 0 {
				most, _ := word(l.at)
				lens[i] = most + 1
			}
		}
		typ := ofLengths(v, lens)
		if typ == nil || uint64(a) < low || uint64(a)+uint64(typ.Size) > r.bp {
			continue
		}
		out = append(out, target.Variable{Var: v, Addr: ctype.Word(a), Type: typ})
	}
	return out
}

// ofLengths is the type of an array of variable length.
func ofLengths(v *cfront.Var, lens []int64) *ctype.Type {
	t := v.Type
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
