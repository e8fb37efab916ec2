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
	builtins["getcontext"], builtins["swapcontext"] = libGetcontext, libSwapcontext
	for _, n := range []string{"longjmp", "_longjmp", "siglongjmp", "__builtin_longjmp", "__longjmp_chk"} {
		builtins[n] = libLongjmp
	}
}

const (
	jumpMagic = 0x706d756a
	jumpSize  = 40
)

func libSetjmp(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b := jumpTarget(m, c)
	if strings.HasSuffix(c.name, "sigsetjmp") && c.int(1) != 0 {
		binary.LittleEndian.PutUint64(b[24:], 1)
		binary.LittleEndian.PutUint64(b[32:], m.lib.signals.blocked)
	}
	return 0, m.putBytes(c.arg(0), b)
}

// jumpTarget is what is kept of the place behind the present call.
func jumpTarget(m *Machine, c *libCall) []byte {
	n := len(m.frames) - 1
	b := make([]byte, jumpSize)
	binary.LittleEndian.PutUint32(b[0:], jumpMagic)
	binary.LittleEndian.PutUint32(b[4:], uint32(n))
	binary.LittleEndian.PutUint64(b[8:], uint64(m.frames[n].serial))
	binary.LittleEndian.PutUint32(b[16:], uint32(m.pc+1))
	binary.LittleEndian.PutUint32(b[20:], uint32(c.dst))
	return b
}

// land lets the call in the present frame that has the register dst return v.
func (m *Machine) land(pc int, dst int32, v ctype.Word) {
	if at := m.frames[len(m.frames)-1].base + int(dst); dst >= 0 {
		m.regs[at] = v
		if m.tr != nil {
			m.tr.regs[at] = 0
		}
	}
	m.pc, m.moved = pc, true
}

func libLongjmp(m *Machine, c *libCall) (ctype.Word, *Fault) {
	v := ctype.Word(int64(int32(c.arg(1))))
	if v == 0 || c.name == "__builtin_longjmp" {
		v = 1
	}
	return 0, longJump(m, c, c.arg(0), v)
}

// longJump goes on where a jmp_buf says, with v as the result there.
func longJump(m *Machine, c *libCall, to, v ctype.Word) *Fault {
	b, f := m.bytes(to, jumpSize, true)
	if f != nil {
		return f
	}
	if binary.LittleEndian.Uint32(b) != jumpMagic {
		return m.fault(BadLibraryCall, to, "%s with something that setjmp has not filled", c.name)
	}
	mask, blocked := binary.LittleEndian.Uint64(b[24:]) != 0, binary.LittleEndian.Uint64(b[32:])
	c.entered = true
	if f := goBack(m, c, to, b, v); f != nil || !mask {
		return f
	}
	m.lib.signals.blocked = blocked
	return m.lib.signals.deliver(m.pc)
}

// goBack leaves the calls behind the place that b describes, and lets the call there return v.
func goBack(m *Machine, c *libCall, at ctype.Word, b []byte, v ctype.Word) *Fault {
	n := int(binary.LittleEndian.Uint32(b[4:]))
	if n >= len(m.frames) || m.frames[n].serial != int64(binary.LittleEndian.Uint64(b[8:])) {
		return m.fault(BadLibraryCall, at, "%s to a call that has returned", c.name)
	}
	pc, dst := int(binary.LittleEndian.Uint32(b[16:])), int32(binary.LittleEndian.Uint32(b[20:]))
	for len(m.frames)-1 > n {
		m.pop()
	}
	m.land(pc, dst, v)
	return nil
}
