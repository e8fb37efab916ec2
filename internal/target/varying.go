package target

import (
	"strconv"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file is types whose sizes are computed in each call: arrays of variable length, pointers to
// them, and the structs and unions of GNU C with such members.

// maxVarying bounds the bytes of such a type. A larger size is taken for garbage, read from memory that was not written.
const maxVarying = 64 << 20

// Fitter makes such types with the sizes of a call. Equal sizes give the same *ctype.Type.
type Fitter struct {
	known map[fitted]*ctype.Type
}

type fitted struct {
	v       *cfront.Varying
	lengths string
}

// Type returns v with the sizes of a call, nil where they are not known. length returns how many elements an array has
// whose elements have elem bytes each; it is negative where that is not known.
func (f *Fitter) Type(v *cfront.Varying, length func(array *cfront.Varying, elem int64) int64) *ctype.Type {
	if f.known == nil {
		f.known = map[fitted]*ctype.Type{}
	}
	// Structs lead to themselves: their sizes come first, as an array's length may depend on its element's size.
	m := measure{length: length, sizes: map[*cfront.Varying]int64{}}
	if m.reach(v); m.bad {
		return nil
	}
	return f.make(v, &m)
}

// measure computes the sizes of types in a call.
type measure struct {
	length func(*cfront.Varying, int64) int64
	sizes  map[*cfront.Varying]int64
	bad    bool
}

// reach measures all that a type leads to.
func (m *measure) reach(v *cfront.Varying) {
	if _, ok := m.sizes[v]; ok {
		return
	}
	m.size(v)
	if v.Elem != nil {
		m.reach(v.Elem)
	}
	for _, p := range v.Parts {
		if p.Type != nil {
			m.reach(p.Type)
		}
	}
}

// size returns the size of a type in bytes. For a pointer the size of its element is not needed.
func (m *measure) size(v *cfront.Varying) int64 {
	if n, ok := m.sizes[v]; ok {
		return n
	}
	n := int64(0)
	switch v.Type.Kind {
	case ctype.Pointer:
		n = v.Type.Size
	case ctype.Array:
		elem := v.Type.Elem.Size
		if v.Elem != nil {
			elem = m.size(v.Elem)
		}
		k := m.len(v, elem)
		if n = k * elem; k < 0 || k > maxVarying || n > maxVarying {
			m.bad = true
		}
	default:
		_, n = m.place(v)
	}
	m.sizes[v] = n
	return n
}

func (m *measure) len(v *cfront.Varying, elem int64) int64 {
	if !v.Computed {
		return v.Type.Len
	}
	return m.length(v, elem)
}

// place lays a struct or union out.
func (m *measure) place(v *cfront.Varying) (offsets []int64, size int64) {
	end := v.Fixed
	for _, p := range v.Parts {
		off := p.Field.Offset
		if p.Placed {
			off = roundUp(end, p.Align)
		}
		n := p.Field.Type.Size
		if p.Type != nil {
			n = m.size(p.Type)
		}
		end = max(end, off+n)
		offsets = append(offsets, off)
	}
	return offsets, roundUp(end, v.Type.Align)
}

func roundUp(n, to int64) int64 {
	to = max(to, 1)
	return (n + to - 1) / to * to
}

// key identifies a type with the sizes of this call: its own and those of all that it leads to.
func (m *measure) key(v *cfront.Varying) fitted {
	var out []byte
	seen := map[*cfront.Varying]bool{}
	var walk func(*cfront.Varying)
	walk = func(v *cfront.Varying) {
		if v == nil || seen[v] {
			return
		}
		seen[v] = true
		out = strconv.AppendInt(append(out, ' '), m.sizes[v], 10)
		walk(v.Elem)
		for _, p := range v.Parts {
			walk(p.Type)
		}
	}
	walk(v)
	return fitted{v, string(out)}
}

func (f *Fitter) make(v *cfront.Varying, m *measure) *ctype.Type {
	k := m.key(v)
	if t := f.known[k]; t != nil {
		return t
	}
	t := *v.Type
	f.known[k] = &t
	if t.Size = m.sizes[v]; v.Elem != nil {
		t.Elem = f.make(v.Elem, m)
	}
	if t.Kind == ctype.Array {
		t.Len = m.len(v, t.Elem.Size)
	}
	if t.IsAggregate() {
		offsets, _ := m.place(v)
		t.Fields = nil
		for i, p := range v.Parts {
			field := p.Field
			if field.Offset = offsets[i]; p.Type != nil {
				field.Type = f.make(p.Type, m)
			}
			t.Fields = append(t.Fields, field)
		}
	}
	return &t
}
