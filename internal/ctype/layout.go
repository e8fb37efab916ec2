package ctype

// This file lays out structs and unions according to the System V ABI for x86-64 and
// gcc's attributes (gcc 12, stor-layout.cc: place_field, layout_decl).

// Member is a member of a struct or union to be laid out.
type Member struct {
	Field           // Offset, BitOff and Align are computed
	Bits      int   // width of a bit-field, -1 for an ordinary member
	Packed    bool  // __attribute__((packed)) on the member
	UserAlign int64 // __attribute__((aligned)) or _Alignas on the member, in bytes; 0 for none
}

// Layout has the attributes of a struct or union that affect its layout.
type Layout struct {
	Packed bool
	Align  int64 // __attribute__((aligned)), 0 for none
	Pack   int64 // #pragma pack, 0 for none
	Units  bool  // __attribute__((ms_struct)): bit-fields share units of the size of their types, see units
}

// Complete computes size, alignment and fields of a struct or union. Unnamed
// bit-fields take space but are not in Fields.
func (t *Type) Complete(members []Member, l Layout) {
	t.Fields, t.Align = nil, 1
	var pos, size int64 // bits
	var u units
	for i := range members {
		m := &members[i]
		if t.Kind == Union {
			pos = 0
		}
		var start int64
		if l.Units && m.Bits > 0 {
			start, pos = u.place(t, m, pos)
		} else {
			start, pos = t.placeMember(m, pos, l)
			u = units{}
		}
		size = max(size, pos)
		if m.Bits >= 0 && m.Name == "" {
			continue
		}
		f := m.Field
		f.Offset = start / 8
		if m.Bits > 0 {
			f.BitOff, f.BitLen = int(start%8), m.Bits
		}
		t.Fields = append(t.Fields, f)
	}
	t.Align = max(t.Align, l.Align)
	bytes := (size + 7) / 8
	t.Size = (bytes + t.Align - 1) / t.Align * t.Align
}

// placeMember returns the first bit of a member and the first one after it.
func (t *Type) placeMember(m *Member, pos int64, l Layout) (start, end int64) {
	align := m.Type.Align // bytes
	packed := l.Packed || m.Packed
	limit := func(a int64) int64 {
		if l.Pack > 0 {
			a = min(a, l.Pack)
		}
		return a
	}
	switch {
	case m.Bits == 0:
		return pos, roundUp(pos, 8*max(align, m.UserAlign)) // #pragma pack does not apply to bit-fields of width 0
	case m.Bits > 0:
		if m.UserAlign > 0 {
			pos = roundUp(pos, 8*limit(m.UserAlign))
		}
		unit := 8 * align
		if !packed && l.Pack == 0 && (pos%unit+int64(m.Bits)+unit-1)/unit > m.Type.Size/align {
			pos = roundUp(pos, unit)
		}
		if m.Name != "" {
			a := limit(align)
			if packed && l.Pack == 0 { // under #pragma pack the limit counts, not packed
				a = 1
			}
			t.Align = max(t.Align, a, limit(m.UserAlign))
		}
		return pos, pos + int64(m.Bits)
	}
	if packed {
		align = 1
	}
	align = limit(max(align, m.UserAlign))
	m.Align = align
	t.Align = max(t.Align, align)
	pos = roundUp(pos, 8*align)
	return pos, pos + 8*m.Type.Size
}

// units lays out bit-fields as ms_struct does: a bit-field takes a whole unit of the size of its type. The
// next one shares the unit if its type has the same size and it fits.
type units struct {
	size, start, used int64 // bits
}

func (u *units) place(t *Type, m *Member, pos int64) (start, end int64) {
	if size := 8 * m.Type.Size; u.size != size || u.used+int64(m.Bits) > size || t.Kind == Union {
		*u = units{size: size, start: roundUp(pos, 8*m.Type.Align)}
	}
	start = u.start + u.used
	u.used += int64(m.Bits)
	t.Align = max(t.Align, m.Type.Align)
	return start, u.start + u.size
}

func roundUp(n, to int64) int64 { return (n + to - 1) / to * to }
