package machine

import (
	"encoding/binary"

	"gulo/internal/ctype"
)

// This file is ucontext.h. A context keeps what a jmp_buf does, in the place of its general registers. One of
// makecontext has calls of its own, a routine; its stack stays unused.

func init() {
	register(map[string]builtin{"makecontext": libMakecontext, "setcontext": libSetcontext})
}

// The parts of a ucontext_t, and of its registers: behind what a jmp_buf has are the routine, and for one that has not
// begun the function, the number of arguments, and these.
const (
	contextLink  = 8
	contextRegs  = 40
	contextMask  = 296
	regsSize     = 184
	atRoutine    = 40
	atEntry      = 48
	atCount      = 56
	atArguments  = 64
	mostPassed   = (regsSize - atArguments) / 8
	contextMagic = 0x74786374
)

// keepContext stores the place behind the present call.
func keepContext(m *Machine, c *libCall, at ctype.Word) *Fault {
	b := append(jumpTarget(m, c), make([]byte, regsSize-jumpSize)...)
	binary.LittleEndian.PutUint64(b[atRoutine:], uint64(m.threading().cur.routine.number))
	if f := m.putBytes(at+contextRegs, b); f != nil {
		return f
	}
	return m.store(at+contextMask, ctype.ULongT, m.lib.signals.blocked)
}

func libGetcontext(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return 0, keepContext(m, c, c.arg(0))
}

// libMakecontext makes a context call a function in place of returning.
func libMakecontext(m *Machine, c *libCall) (ctype.Word, *Fault) {
	at, n := c.arg(0), int(c.int(2))
	if n < 0 || n > mostPassed {
		return 0, m.fault(Unsupported, 0, "makecontext with more than %d arguments is not supported", mostPassed)
	}
	if _, f := m.bytes(at+contextRegs, 4, true); f != nil {
		return 0, f
	}
	b := make([]byte, regsSize)
	binary.LittleEndian.PutUint32(b, contextMagic)
	binary.LittleEndian.PutUint64(b[atEntry:], c.arg(1))
	binary.LittleEndian.PutUint64(b[atCount:], uint64(n))
	for i := range n {
		binary.LittleEndian.PutUint64(b[atArguments+8*i:], c.arg(3+i))
	}
	return 0, m.putBytes(at+contextRegs, b)
}

func libSetcontext(m *Machine, c *libCall) (ctype.Word, *Fault) {
	c.entered = true
	return 0, enterContext(m, c, c.arg(0))
}

func libSwapcontext(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if f := keepContext(m, c, c.arg(0)); f != nil {
		return 0, f
	}
	c.entered = true
	return 0, enterContext(m, c, c.arg(1))
}

// enterContext goes on with a context.
func enterContext(m *Machine, c *libCall, at ctype.Word) *Fault {
	b, f := m.bytes(at+contextRegs, regsSize, true)
	if f != nil {
		return f
	}
	mask, f := m.load(at+contextMask, ctype.ULongT)
	if f != nil {
		return f
	}
	switch magic := binary.LittleEndian.Uint32(b); magic {
	case contextMagic:
		f = m.th.beginRoutine(c, at, b)
	case jumpMagic:
		if f = m.th.switchRoutine(c, at, int(binary.LittleEndian.Uint64(b[atRoutine:]))); f == nil {
			f = goBack(m, c, at, b, 0)
		}
	default:
		f = m.fault(BadLibraryCall, at, "%s with something that getcontext has not filled", c.name)
	}
	if f != nil {
		return f
	}
	m.lib.signals.blocked = mask
	return m.lib.signals.deliver(m.pc)
}

// beginRoutine calls the function of a context of makecontext, in a new routine.
func (th *threads) beginRoutine(c *libCall, at ctype.Word, b []byte) *Fault {
	m := th.m
	entry := binary.LittleEndian.Uint64(b[atEntry:])
	id, off := ctype.SplitPointer(entry)
	i, ok := m.fnOf[id]
	if !ok || off != 0 || m.funcs[i].code == nil {
		return m.fault(BadLibraryCall, entry, "%s of something that is no function of the program", c.name)
	}
	link, f := m.load(at+contextLink, ctype.VoidPtrT)
	if f != nil {
		return f
	}
	var args []ctype.Word
	for k := range int(binary.LittleEndian.Uint64(b[atCount:])) {
		args = append(args, binary.LittleEndian.Uint64(b[atArguments+8*k:]))
	}
	th.park()
	t := th.cur
	t.setAside()
	t.made++
	t.routine = routine{number: t.made, link: link}
	th.unpark(t)
	return m.push(m.funcs[i], args, -1, 0)
}

// setAside keeps what a thread has of the routine that it leaves.
func (t *thread) setAside() {
	if t.others == nil {
		t.others = map[int]*routine{}
	}
	old := t.routine
	t.others[old.number] = &old
}

// switchRoutine goes on with another routine of the present thread.
func (th *threads) switchRoutine(c *libCall, at ctype.Word, n int) *Fault {
	t := th.cur
	if n == t.routine.number {
		return nil
	}
	to := t.others[n]
	if to == nil {
		return th.m.fault(BadLibraryCall, at, "%s to a context whose function has returned", c.name)
	}
	th.park()
	t.setAside()
	delete(t.others, n)
	t.routine = *to
	th.unpark(t)
	return nil
}

// endRoutine goes on with the context that follows the one whose function has returned v. If there is none, the
// program is over, with the status that is returned.
func (th *threads) endRoutine(v ctype.Word) (status ctype.Word, over bool) {
	m := th.m
	t := th.cur
	link := t.routine.link
	th.park()
	t.routine = routine{}
	if own := t.others[0]; own != nil {
		t.routine = *own
		delete(t.others, 0)
	}
	th.unpark(t)
	if link != 0 && m.exitW == 0 {
		th.failed = enterContext(m, &libCall{name: "the end of a context's function"}, link)
		return 0, false
	}
	for len(m.frames) > 0 {
		m.pop()
	}
	if m.exitW == 0 {
		v = 0
	}
	return v, true
}
