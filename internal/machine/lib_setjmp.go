package machine

import (
	"encoding/binary"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/lower"
)

// This file is setjmp.h. What setjmp keeps lies in the jmp_buf: the call it was
// called in, and where in its code. Variables keep the values that they have at
// the longjmp, as they do without optimization.

func init() {
	for _, n := range lower.ReturnsTwice {
		builtins[n] = libSetjmp
	}
	for _, n := range []string{"longjmp", "_longjmp", "siglongjmp", "__builtin_longjmp", "__longjmp_chk"} {
		builtins[n] = libLongjmp
	}
}

const (
	jumpMagic = 0x706d756a
	jumpSize  = 40
)

func libSetjmp(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := len(m.frames) - 1
	var b [jumpSize]byte
	binary.LittleEndian.PutUint32(b[0:], jumpMagic)
	binary.LittleEndian.PutUint32(b[4:], uint32(n))
	binary.LittleEndian.PutUint64(b[8:], uint64(m.frames[n].serial))
	binary.LittleEndian.PutUint32(b[16:], uint32(m.pc+1))
	binary.LittleEndian.PutUint32(b[20:], uint32(c.dst))
	if strings.HasSuffix(c.name, "sigsetjmp") && c.int(1) != 0 {
		binary.LittleEndian.PutUint64(b[24:], 1)
		binary.LittleEndian.PutUint64(b[32:], m.lib.blocked)
	}
	return 0, m.putBytes(c.arg(0), b[:])
}

func libLongjmp(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b, f := m.bytes(c.arg(0), jumpSize, true)
	if f != nil {
		return 0, f
	}
	n := int(binary.LittleEndian.Uint32(b[4:]))
	if binary.LittleEndian.Uint32(b) != jumpMagic {
		return 0, m.fault(BadLibraryCall, c.arg(0), "%s with something that setjmp has not filled", c.name)
	}
	if n >= len(m.frames) || m.frames[n].serial != int64(binary.LittleEndian.Uint64(b[8:])) {
		return 0, m.fault(BadLibraryCall, c.arg(0), "%s to a call that has returned", c.name)
	}
	pc, dst := int(binary.LittleEndian.Uint32(b[16:])), int32(binary.LittleEndian.Uint32(b[20:]))
	for len(m.frames)-1 > n {
		m.pop()
	}
	v := ctype.Word(int64(int32(c.arg(1))))
	if v == 0 || c.name == "__builtin_longjmp" {
		v = 1
	}
	if dst >= 0 {
		m.regs[m.frames[n].base+int(dst)] = v
		if m.tr != nil {
			m.tr.regs[m.frames[n].base+int(dst)] = 0
		}
	}
	m.pc, m.moved, c.entered = pc, true, true
	if binary.LittleEndian.Uint64(b[24:]) != 0 {
		m.lib.blocked = binary.LittleEndian.Uint64(b[32:])
		return 0, m.deliver(pc)
	}
	return 0, nil
}
