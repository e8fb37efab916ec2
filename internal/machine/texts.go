package machine

import (
	"gulo/internal/ctype"
)

// This file reads and writes texts and rows of bytes in the program's memory, for functions of the library.

// cstring reads a zero-terminated string.
func (m *memory) cstring(w ctype.Word) (string, *Fault) {
	return m.textUntil(w, func(byte) bool { return false })
}

// textUntil reads a text as far as a function looks at it: to its end, or to a byte at which ends holds.
func (m *memory) textUntil(w ctype.Word, ends func(byte) bool) (string, *Fault) {
	b, off, f := m.access(w, 1, false)
	if f != nil {
		return "", f
	}
	for i := off; i < b.Size; i++ {
		if i > off && m.watching() {
			if _, _, f = m.access(w+ctype.Word(i-off), 1, false); f != nil {
				return "", f
			}
		}
		if !b.initialized(i, 1) && !m.cfg.UninitOK {
			return "", m.badLoad(w+ctype.Word(i-off), 1)
		}
		if b.Data[i] == 0 || ends(b.Data[i]) {
			return string(b.Data[off:i]), nil
		}
	}
	if _, _, f = m.access(w+ctype.Word(b.Size-off), 1, false); f == nil { // the block has become larger
		return m.textUntil(w, ends)
	}
	return "", f
}

// bytes reads n bytes; never-written ones are a fault when strict.
func (m *memory) bytes(w ctype.Word, n int64, strict bool) ([]byte, *Fault) {
	if n == 0 {
		return nil, nil
	}
	b, off, f := m.reading(w, n, strict)
	if f != nil {
		return nil, f
	}
	if strict && !m.cfg.UninitOK {
		for i := int64(0); i < n; i++ {
			if !b.initialized(off+i, 1) {
				return nil, m.badLoad(w+ctype.Word(i), 1)
			}
		}
	}
	return b.Data[off : off+n], nil
}

// given reads n bytes that leave the program. Some of them may be uninitialized,
// such as padding and the rest of a buffer, but not all.
func (m *memory) given(w ctype.Word, n int64) ([]byte, *Fault) {
	if n == 0 {
		return nil, nil
	}
	b, off, f := m.reading(w, n, false)
	if f != nil {
		return nil, f
	}
	for i := off; i < off+n; i++ {
		if b.initialized(i, 1) {
			return b.Data[off : off+n], nil
		}
	}
	return m.bytes(w, n, true)
}

// reading is access for reading n bytes. Without strict they are only moved, and
// some may be uninitialized.
func (m *memory) reading(w ctype.Word, n int64, strict bool) (*Block, int64, *Fault) {
	if m.racing() {
		if f := m.raced(w, n, false); f != nil {
			return nil, 0, f
		}
	}
	if m.cfg.Monitor != nil {
		kind := MoveAccess
		if strict {
			kind = ReadAccess
		}
		if f := m.cfg.Monitor.Accessing(w, n, kind); f != nil {
			return nil, 0, f
		}
	}
	return m.reach(w, n, false)
}

func (m *memory) putBytes(w ctype.Word, data []byte) *Fault {
	if len(data) == 0 {
		return nil
	}
	b, off, f := m.access(w, int64(len(data)), true)
	if f != nil {
		return f
	}
	copy(b.Data[off:], data)
	b.markInit(off, int64(len(data)))
	return nil
}

func (m *memory) putString(w ctype.Word, s string) *Fault {
	return m.putBytes(w, append([]byte(s), 0))
}

// wide reads a wide string.
func (m *memory) wide(w ctype.Word) ([]uint32, *Fault) {
	var out []uint32
	for ; ; w += 4 {
		c, f := m.load(w, ctype.UIntT)
		if f != nil || c == 0 {
			return out, f
		}
		out = append(out, uint32(c))
	}
}

// wideText is a wide string as printf writes it in the C locale; prec is the
// most characters, -1 for all.
func (m *memory) wideText(w ctype.Word, prec int, name string) (string, *Fault) {
	var out []byte
	for ; prec != 0; prec-- {
		c, f := m.load(w, ctype.UIntT)
		if f != nil {
			return "", f
		}
		if c == 0 {
			break
		}
		if c > 127 {
			return "", m.fault(Unsupported, 0, "%s: a wide character beyond ASCII is not supported", name)
		}
		out = append(out, byte(c))
		w += 4
	}
	return string(out), nil
}
