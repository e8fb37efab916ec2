package gdb

import (
	"debug/dwarf"
	"encoding/binary"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/target"
)

// This file is types whose sizes are computed in each call. gcc keeps the address of a variable of such a type and
// the highest index of every dimension in the frame, and describes where: DW_OP_fbreg N, DW_OP_deref (DWARF 4, 5.13).
// Where members are follows from that.

const opDeref = 0x06

// maxStack is how far from its frame's base an array is looked for.
const maxStack = 64 << 20

// length is how many elements an array has.
type length struct {
	n  int64 // as it is written; 0 where it varies
	at int64 // where the highest index is, from the frame base
}

// typeOf returns the type of an entry without typedefs and qualifiers, and a reader that stands behind it; nil for none.
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
		if t.Tag != dwarf.TagTypedef && t.Tag != dwarf.TagConstType && t.Tag != dwarf.TagVolatileType && t.Tag != dwarf.TagRestrictType {
			return t, rd
		}
	}
}

// lengths notes the lengths of the arrays in the type of an entry, and in what that leads to.
func (r *dwarfReader) lengths(v *cfront.Varying, e *dwarf.Entry, out map[*cfront.Varying]length, seen map[*cfront.Varying]bool) {
	if v == nil || seen[v] {
		return
	}
	seen[v] = true
	t, rd := r.typeOf(e)
	if t == nil {
		return
	}
	switch t.Tag {
	case dwarf.TagPointerType:
		if v.Type.Kind == ctype.Pointer {
			r.lengths(v.Elem, t, out, seen)
		}
	case dwarf.TagArrayType:
		for _, l := range dimensions(t, rd) {
			if v == nil || v.Type.Kind != ctype.Array {
				return
			}
			out[v], seen[v], v = l, true, v.Elem
		}
		r.lengths(v, t, out, seen)
	case dwarf.TagStructType, dwarf.TagUnionType:
		if v.Type.IsAggregate() && t.Children {
			r.members(v, rd, out, seen)
		}
	}
}

// members notes the lengths of the arrays in members.
func (r *dwarfReader) members(v *cfront.Varying, rd *dwarf.Reader, out map[*cfront.Varying]length, seen map[*cfront.Varying]bool) {
	parts := slices.Clone(v.Parts) // a union's are in another order
	for {
		m, err := rd.Next()
		if err != nil || m == nil || m.Tag == 0 {
			return
		}
		if m.Children {
			rd.SkipChildren()
		}
		name, _ := m.Val(dwarf.AttrName).(string)
		i := slices.IndexFunc(parts, func(p cfront.VaryingPart) bool { return p.Field.Name == name })
		if m.Tag != dwarf.TagMember || i < 0 {
			continue
		}
		r.lengths(parts[i].Type, m, out, seen)
		parts = slices.Delete(parts, i, i+1) // the next without a name is another one
	}
}

// dimensions reads the lengths of an array's dimensions, the outermost first, up to one that it does not understand.
func dimensions(t *dwarf.Entry, rd *dwarf.Reader) []length {
	var out []length
	for t.Children {
		d, err := rd.Next()
		if err != nil || d == nil || d.Tag == 0 {
			break
		}
		switch most := d.Val(dwarf.AttrUpperBound).(type) {
		case int64:
			out = append(out, length{n: most + 1})
		case []byte:
			off, n := fromFrame(most)
			if n == 0 || len(most) <= n || most[len(most)-1] != opDeref {
				return out
			}
			out = append(out, length{at: off})
		default:
			return out
		}
	}
	return out
}

// fitted is the type of a variable in a call, nil where it is not known.
func (t *Target) fitted(r *rawFrame, v *cfront.Var) *ctype.Type {
	return t.fitter.Type(v.Varying, func(a *cfront.Varying, _ int64) int64 {
		l, ok := r.fi.lengths[a]
		if !ok {
			return -1
		}
		if l.n > 0 {
			return l.n
		}
		most, ok := t.frameWord(r, l.at)
		if !ok {
			return -1
		}
		return most + 1
	})
}

// frameWord reads a word of a frame.
func (t *Target) frameWord(r *rawFrame, off int64) (int64, bool) {
	var buf [8]byte
	ok := t.Read(r.bp+16+uint64(off), buf[:])
	return int64(binary.LittleEndian.Uint64(buf[:])), ok
}

// arrays lists the variables of variable size that a frame has where it is; low is where the
// stack of the frame ends.
func (t *Target) arrays(r *rawFrame, low uint64, stmt int32) []target.Variable {
	var out []target.Variable
	for _, v := range r.fi.fn.Locals {
		at, ok := r.fi.arrays[v]
		if !ok || v.Varying == nil || stmt <= 0 || !target.Visible(v, t.p.Stmts[stmt]) {
			continue
		}
		a, ok := t.frameWord(r, at)
		if !ok {
			continue
		}
		typ := t.fitted(r, v)
		if typ == nil || typ.Size == 0 || uint64(a) < low || uint64(a)+uint64(typ.Size) > r.bp {
			continue
		}
		out = append(out, target.Variable{Var: v, Addr: ctype.Word(a), Type: typ})
	}
	return out
}
