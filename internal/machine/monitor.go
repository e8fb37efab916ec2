package machine

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/lower"
)

// This file is how something outside watches a run. It is told of what is about to
// happen, so that it can stop the machine, and of what has happened.

// AccessKind is what an access does with memory.
type AccessKind uint8

// Access kinds. A Move is half of a copy: the values are not looked at. A Load puts a value into a register. Whether the
// value is used is known only later, and so a monitor reports on it then (Deferred).
const (
	ReadAccess AccessKind = iota
	WriteAccess
	MoveAccess
	LoadAccess
)

// Monitor watches a machine. What is about to happen may be stopped with a
// fault, which the machine then returns.
type Monitor interface {
	// Accessing comes before n bytes at p are accessed, Freeing before free(p)
	// with p not null, Calling and Returning before a function is entered or
	// left; library functions included.
	Accessing(p ctype.Word, n int64, kind AccessKind) *Fault
	Freeing(p ctype.Word) *Fault
	Calling(name string, args []ctype.Word) *Fault
	Returning(name string, v ctype.Word) *Fault

	// Made comes when a block was made, Ended when it has ended, while its contents can still be read. Wrote says
	// that bytes get values, Copied that n bytes have got those of others.
	Made(b *Block)
	Ended(b *Block)
	Wrote(p ctype.Word, n int64)
	Copied(dst, src ctype.Word, n int64)

	// Deferred returns a note on the last load, nil for none. Used gets this note before the value is used; ways is
	// where the value was read and copied, newest first. Unset comes after bytes have got an uninitialized value.
	Deferred() any
	Used(note any, ways []Link) *Fault
	Unset(p ctype.Word, n int64)
}

// Origin returns where the value in the register that the present instruction takes the pointer p from came from, newest
// first; with Config.Trace.
func (m *recording) Origin(p ctype.Word) []Link {
	if m.tr == nil || len(m.frames) == 0 || m.monReg < 0 {
		return nil
	}
	fr := &m.frames[len(m.frames)-1]
	reg := m.monReg
	if m.monCall != nil {
		reg = m.argument(fr, m.monCall, p)
	}
	return m.tr.chain(m.tr.regs[fr.base+int(reg)])
}

// At returns the statement being executed, the caller's for library code.
func (m *control) At() int32 { return m.at() }

// Leaves returns the return statement by which the innermost call is about to end, with Config.Trace; At if there is
// none.
func (m *recording) Leaves() int32 {
	at := m.at()
	if m.tr == nil || len(m.frames) == 0 || m.prog.Stmts[at].Kind != lower.End || m.tr.jumped != m.frames[len(m.frames)-1].serial {
		return at
	}
	if s := m.prog.Stmts[m.tr.jump]; s != nil && s.Func == m.prog.Stmts[at].Func {
		if _, ok := s.Node.(*cfront.Return); ok {
			return s.ID
		}
	}
	return at
}

// Callers returns the statements whose calls led to At, at most most of them, the innermost first. Of the calls by which
// a function has called itself it lists only the last one.
func (m *control) Callers(most int) (out []int32) {
	const far = 64 // calls that are looked at: a function that calls itself may have done so very often
	var callee *cfront.Func
	n, itself := 0, false
	for s := range m.active() {
		f := m.prog.Stmts[s].Func
		again := n > 0 && f == callee
		callee = f
		if n++; n == 1 || again && itself && n <= far {
			continue
		}
		if itself = again; n > far || len(out) == most {
			break
		}
		out = append(out, s)
	}
	return out
}

// Fault makes a fault of the present statement.
func (m *control) Fault(kind FaultKind, p ctype.Word, message string) *Fault {
	return m.fault(kind, p, "%s", message)
}

// Roots calls yield for every word that could be a pointer in global variables
// and variables of active functions, and for the buffers of streams, until it
// returns false. Registers are left out, as they keep what no variable does any
// more; so are the variables of a function that is returning.
func (m *Machine) Roots(yield func(w ctype.Word) bool) {
	var gone []uint32
	if m.leaving {
		gone = m.frames[len(m.frames)-1].objs
	}
	if !m.lib.stdio.buffers(yield) {
		return
	}
	for i, b := range m.blocks {
		if b != nil && i == int(b.ID&^ctype.StackBlock) && !b.Freed && (b.Kind == Global || b.Kind == Stack) && !slices.Contains(gone, b.ID) && !b.Words(yield) {
			return
		}
	}
}

// Leaving calls yield for the variables of a function that is returning.
func (m *memory) Leaving(yield func(b *Block)) {
	if !m.leaving {
		return
	}
	for _, id := range m.frames[len(m.frames)-1].objs {
		if b := m.Block(id); id != 0 && b != nil {
			yield(b)
		}
	}
}

// Words calls yield for every aligned word of a live block.
func (m *memory) Words(id uint32, yield func(w ctype.Word) bool) {
	if b := m.Block(id); b != nil && !b.Freed && b.Kind != Code {
		b.Words(yield)
	}
}

// Words calls yield for every aligned word of a block, until it returns false.
func (b *Block) Words(yield func(w ctype.Word) bool) bool {
	for off := int64(0); off+8 <= b.Size; off += 8 {
		if b.initialized(off, 8) && !yield(ctype.Load(ctype.ULongT, b.Data[off:])) {
			return false
		}
	}
	return true
}

// watching reports whether accesses are looked at before they happen.
func (m *control) watching() bool { return m.cfg.Monitor != nil || m.racing() }

// watchLoad is watch for a load. The values of bytes that are loaded but not used do not count (ir.FindNeeded).
func (m *memory) watchLoad(in *ir.Instr, p ctype.Word, reg int32) *Fault {
	if in.NeedLen == 0 {
		return m.watch(p, in.T.Size, LoadAccess, reg)
	}
	if f := m.watch(p, in.T.Size, MoveAccess, reg); f != nil {
		return f
	}
	return m.watch(p+ctype.Word(in.NeedOff), int64(in.NeedLen), LoadAccess, reg)
}

// watch looks at an access that the present instruction makes with the pointer in a register.
func (m *memory) watch(p ctype.Word, n int64, kind AccessKind, reg int32) *Fault {
	m.monReg, m.monCall = reg, nil
	if m.cfg.Monitor != nil {
		if f := m.cfg.Monitor.Accessing(p, n, kind); f != nil {
			return f
		}
	}
	if !m.racing() {
		return nil
	}
	if m.fn.code[m.pc].in.Atomic {
		m.th.acquire(p)
		defer m.th.release(p)
	}
	return m.raced(p, n, kind == WriteAccess)
}
