package machine

import (
	"context"
	"encoding/binary"
	"errors"

	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/lower"
	"gulo/internal/plural"
)

// This file is the interpreter loop.

// errStop makes exec return without a fault.
var errStop = &Fault{Kind: "stop"}

// exec runs until the program ends, a fault, or stop returns true at the start
// of a statement (with Config.Debug). After a stop m.pc is that start.
func (m *Machine) exec(stop func(stmt int32) bool) *Fault {
	if ps := m.procs; ps != nil && ps.resume != nil {
		q := ps.resume
		ps.resume = nil
		m.procs.become(q)
	}
	for {
		f := m.interpret(stop)
		if m.procs == nil {
			return f
		}
		var over bool
		if f, over = m.procs.ended(f); over {
			return f
		}
	}
}

// interpret runs one process after the other until one ends or has a fault, or
// stop returns true.
//
// It is long because it is one switch over opcodes; every case is a few lines.
func (m *Machine) interpret(stop func(stmt int32) bool) *Fault {
	if m.exited {
		return nil
	}
	m.moved = false
	if m.cfg.quick() {
		return m.quick()
	}
	fn := m.fn
	code := fn.code
	fr := &m.frames[len(m.frames)-1]
	r := m.regs[fr.base : fr.base+fn.nregs]
	pc := m.pc
	limit := m.nextLook()
	wrap := m.cfg.Wrap
	watched := m.watching()
	var f *Fault
	for {
		x := &code[pc]
		pc++
		m.steps++
	again:
		switch x.op {
		case oNop:
		case oStmt, oAgain:
			if stop != nil && (x.op == oStmt || m.stmtID != x.stmt) {
				m.pc = pc - 1
				if stop(x.stmt) {
					return nil
				}
			}
			m.stmtID = x.stmt
		case oMove:
			r[x.dst] = r[x.a]
			if m.tr != nil {
				m.tr.regs[fr.base+int(x.dst)] = m.tracedMove(fr, x, r[x.a])
				if m.numbering() {
					m.tr.nums.regs[fr.base+int(x.dst)] = m.numberGiven(fr, x.a, x.stmt)
				}
			}
		case oAdd32:
			v := int64(r[x.a]) + int64(r[x.b])
			if v != int64(int32(v)) {
				if !wrap {
					m.pc = pc - 1
					return m.overflow(x, r)
				}
				v = int64(int32(v))
			}
			r[x.dst] = uint64(v)
		case oSub32:
			v := int64(r[x.a]) - int64(r[x.b])
			if v != int64(int32(v)) {
				if !wrap {
					m.pc = pc - 1
					return m.overflow(x, r)
				}
				v = int64(int32(v))
			}
			r[x.dst] = uint64(v)
		case oMul32:
			v := int64(r[x.a]) * int64(r[x.b])
			if v != int64(int32(v)) {
				if !wrap {
					m.pc = pc - 1
					return m.overflow(x, r)
				}
				v = int64(int32(v))
			}
			r[x.dst] = uint64(v)
		case oAdd64:
			a, b := r[x.a], r[x.b]
			v := a + b
			if !wrap && int64((a^v)&(b^v)) < 0 {
				m.pc = pc - 1
				return m.overflow(x, r)
			}
			r[x.dst] = v
		case oSub64:
			a, b := r[x.a], r[x.b]
			v := a - b
			if !wrap && int64((a^b)&(a^v)) < 0 {
				m.pc = pc - 1
				return m.overflow(x, r)
			}
			r[x.dst] = v
		case oAddU:
			r[x.dst] = r[x.a] + r[x.b]
		case oSubU:
			r[x.dst] = r[x.a] - r[x.b]
		case oAnd:
			r[x.dst] = r[x.a] & r[x.b]
		case oOr:
			r[x.dst] = r[x.a] | r[x.b]
		case oXor:
			r[x.dst] = r[x.a] ^ r[x.b]
		case oEq:
			r[x.dst] = b2w(r[x.a] == r[x.b])
		case oNe:
			r[x.dst] = b2w(r[x.a] != r[x.b])
		case oLtS:
			r[x.dst] = b2w(int64(r[x.a]) < int64(r[x.b]))
		case oLeS:
			r[x.dst] = b2w(int64(r[x.a]) <= int64(r[x.b]))
		case oGtS:
			r[x.dst] = b2w(int64(r[x.a]) > int64(r[x.b]))
		case oGeS:
			r[x.dst] = b2w(int64(r[x.a]) >= int64(r[x.b]))
		case oLtU:
			r[x.dst] = b2w(r[x.a] < r[x.b])
		case oLeU:
			r[x.dst] = b2w(r[x.a] <= r[x.b])
		case oGtU:
			r[x.dst] = b2w(r[x.a] > r[x.b])
		case oGeU:
			r[x.dst] = b2w(r[x.a] >= r[x.b])
		case oBin, oUn, oConv:
			m.pc = pc - 1
			if f = m.arith(x, r); f != nil {
				return f
			}
		case oConst:
			r[x.dst] = uint64(x.imm)
		case oSext32:
			r[x.dst] = uint64(int64(int32(r[x.a])))
		case oBool:
			t := ctype.Truth(x.in.T, r[x.a])
			r[x.dst] = b2w(t == (x.imm == 0))
		case oLoad, oLoadS32, oLoad64, oLoadU8, oLoadS8:
			w := r[x.a] + uint64(x.imm)
			n := x.in.T.Size
			if watched {
				m.pc = pc - 1
				if f = m.watchLoad(x.in, w, x.a); f != nil {
					return f
				}
				if note := m.deferred(); note != nil {
					if f = m.loadUnset(x, fr, w, r, note); f != nil {
						return f
					}
					code = fn.code
					continue
				}
			}
			if b, off := m.cell(w); off >= 0 && !b.Freed && off+n <= b.Size && b.Kind != Code {
				if b.Init == nil || b.initialized(off, n) || m.cfg.UninitOK || b.enough(x.in, off) {
					switch x.op {
					case oLoadS32:
						r[x.dst] = uint64(int64(int32(binary.LittleEndian.Uint32(b.Data[off:]))))
					case oLoad64:
						r[x.dst] = binary.LittleEndian.Uint64(b.Data[off:])
					case oLoadU8:
						r[x.dst] = uint64(b.Data[off])
					case oLoadS8:
						r[x.dst] = uint64(int64(int8(b.Data[off])))
					default:
						r[x.dst] = ctype.Load(x.in.T, b.Data[off:])
					}
					if m.tr != nil {
						m.pc = pc - 1
						m.traceLoad(x, fr, b, off, w, r)
					}
					continue
				}
			}
			m.pc = pc - 1
			if f = m.loadUnset(x, fr, w, r, nil); f != nil {
				return f
			}
			code = fn.code
		case oStore, oStore32, oStore64, oStore8:
			w := r[x.a] + uint64(x.imm)
			n := x.in.T.Size
			if watched {
				m.pc = pc - 1
				if f = m.watch(w, n, WriteAccess, x.a); f != nil {
					return f
				}
			}
			if b, off := m.cell(w); off >= 0 && !b.Freed && off+n <= b.Size && !b.ReadOnly && b.Kind != Code {
				if b.clean {
					if b, f = m.soil(b, off, n); f != nil {
						m.pc = pc - 1
						return f
					}
				}
				switch x.op {
				case oStore32:
					binary.LittleEndian.PutUint32(b.Data[off:], uint32(r[x.b]))
				case oStore64:
					binary.LittleEndian.PutUint64(b.Data[off:], r[x.b])
				case oStore8:
					b.Data[off] = byte(r[x.b])
				default:
					ctype.Store(x.in.T, b.Data[off:], r[x.b])
				}
				if b.Init != nil {
					b.markInit(off, n)
				}
				if m.tr != nil {
					m.pc = pc - 1
					m.traceStore(x, fr, b, off, w, r)
				}
				if m.cfg.Monitor != nil {
					m.cfg.Monitor.Wrote(w, n)
				}
				continue
			}
			m.pc = pc - 1
			if m.cfg.Forgiving {
				if f = m.store(w, x.in.T, r[x.b]); f != nil {
					return m.chained(f, fr, x.a)
				}
				continue
			}
			return m.chained(m.badAccess(w, n, true), fr, x.a)
		case oLocal:
			id := fr.objs[x.imm]
			if id == 0 {
				m.pc = pc - 1
				id = m.object(fr, int(x.imm)).ID
				if m.stack > m.cfg.MaxStack {
					return m.stackFull()
				}
			}
			r[x.dst] = ctype.Base(id)
		case oGlobal:
			r[x.dst] = ctype.Base(m.globals[x.imm])
		case oFuncAddr:
			r[x.dst] = m.funcAddr(int32(x.imm))
		case oPtrAdd:
			r[x.dst] = r[x.a] + r[x.b]*uint64(x.imm)
			if m.tr != nil {
				m.tr.regs[fr.base+int(x.dst)] = m.tr.regs[fr.base+int(x.a)]
			}
		case oPtrSub:
			r[x.dst] = uint64(int64(r[x.a]-r[x.b]) / x.imm)
		case oJump:
			pc = int(x.target)
			if m.tr != nil {
				m.tr.jump, m.tr.jumped = x.stmt, fr.serial
			}
			if m.steps > limit {
				m.pc = pc
				if f = m.look(); f != nil {
					return f
				}
				limit = m.nextLook()
				if m.moved { // another thread
					fn, fr, r, pc = m.resumed()
					code, watched = fn.code, m.watching()
				}
			}
		case oBranch:
			v := r[x.a]
			if x.imm != 0 && !ctype.Truth(x.in.T, v) {
				v = 0
			}
			if v != 0 {
				pc = int(x.target)
			} else {
				pc = int(x.other)
			}
			if m.steps > limit {
				m.pc = pc
				if f = m.look(); f != nil {
					return f
				}
				limit = m.nextLook()
				if m.moved { // another thread
					fn, fr, r, pc = m.resumed()
					code, watched = fn.code, m.watching()
				}
			}
		case oSwitch:
			pc = int(m.switchTo(fn, x, r[x.a]))
		case oGoto:
			m.pc = pc - 1
			var to int32
			if to, f = m.gotoLabel(fn, x, r[x.a]); f != nil {
				return f
			}
			pc = int(to)
			if m.steps > limit {
				m.pc = pc
				if f = m.look(); f != nil {
					return f
				}
				limit = m.nextLook()
				if m.moved { // another thread
					fn, fr, r, pc = m.resumed()
					code, watched = fn.code, m.watching()
				}
			}
		case oCall:
			m.pc = pc - 1
			if f = m.call(x, fr, r); f != nil {
				if f == errStop {
					return nil
				}
				return f
			}
			if m.exited {
				return nil
			}
			if m.moved || m.fn != fn || len(m.frames) == 0 || &m.frames[len(m.frames)-1] != fr || m.pc != pc-1 {
				fn = m.fn
				code = fn.code
				fr = &m.frames[len(m.frames)-1]
				pc = m.pc
				if m.moved { // another thread may run now, or the program has made its first one
					m.moved, limit, watched = false, m.nextLook(), m.watching()
				}
			}
			r = m.regs[fr.base : fr.base+fn.nregs]
		case oRet:
			m.pc = pc - 1
			var v ctype.Word
			var o, number int32
			if x.a >= 0 {
				v = r[x.a]
				if m.tr != nil {
					o = m.tr.regs[fr.base+int(x.a)]
					if m.numbering() {
						number = m.numberGiven(fr, x.a, 0)
					}
				}
			}
			dst, mask := fr.dst, fr.mask
			m.event(EvRet, 0, v)
			if m.cfg.Monitor != nil {
				m.monReg, m.monCall, m.leaving = x.a, nil, m.cfg.Thorough
				f = m.cfg.Monitor.Returning(fn.name, v)
				if m.leaving = false; f != nil {
					return f
				}
			}
			m.pop()
			if len(m.frames) == 0 {
				if m.finish(v) {
					return nil
				}
				if m.th != nil && m.th.failed != nil {
					return m.th.failed
				}
				m.moved = false
			} else if dst >= 0 {
				base := m.frames[len(m.frames)-1].base
				m.regs[base+int(dst)] = v
				if m.tr != nil {
					m.tr.regs[base+int(dst)] = o
					if m.numbering() {
						m.tr.nums.regs[base+int(dst)] = number
					}
				}
			}
			if mask != nil {
				if f = m.lib.signals.unmask(mask); f != nil {
					return f
				}
			}
			fn = m.fn
			code = fn.code
			fr = &m.frames[len(m.frames)-1]
			pc = m.pc
			r = m.regs[fr.base : fr.base+fn.nregs]
		case oHeld:
			m.pc = pc - 1
			done := false
			if done, f = m.held(x, fr, r); f != nil {
				return f
			}
			if code = fn.code; !done {
				was := *x
				was.op = x.was
				x = &was
				goto again
			}
		default:
			m.pc = pc - 1
			if f = m.rare(x, fr, r); f != nil {
				return f
			}
		}
	}
}

// resumed returns the code, frame, registers and position of the thread that runs now.
func (m *control) resumed() (*code, *frame, []ctype.Word, int) {
	m.moved = false
	fr := &m.frames[len(m.frames)-1]
	return m.fn, fr, m.regs[fr.base : fr.base+m.fn.nregs], m.pc
}

func b2w(b bool) ctype.Word {
	if b {
		return 1
	}
	return 0
}

// lookEvery is how many instructions are executed from one look at the context to
// the next: some milliseconds.
const lookEvery = 1 << 20

// nextLook returns the number of instructions at which look is to be called.
func (m *Machine) nextLook() int64 {
	limit := m.cfg.MaxSteps
	if m.several() {
		limit = min(limit, m.th.slice)
	}
	if m.procs.several() {
		if limit = min(limit, m.procs.slice); m.lib.signals.interrupts() {
			limit = m.steps - 1
		}
	}
	if m.th.torn() {
		return m.steps - 1
	}
	limit = min(limit, m.lib.signals.nextTimer()-1)
	if m.cfg.Context == nil {
		return limit
	}
	return min(limit, m.steps+lookEvery)
}

// look ends a run that is over a limit or whose context is done. Otherwise it
// delivers timers and signals, or lets another thread or process run.
func (m *Machine) look() *Fault {
	switch {
	case m.steps > m.cfg.MaxSteps:
		f := m.fault(LimitFault, 0, "step limit of %d reached", m.cfg.MaxSteps)
		f.Steps = true
		return f
	case m.cfg.Context != nil && m.cfg.Context.Err() != nil:
		return m.fault(Interrupted, 0, "%v", context.Cause(m.cfg.Context))
	case len(m.blocks) > maxBlocks:
		return m.fault(LimitFault, 0, "more than %d objects were made", maxBlocks)
	case m.th.torn():
		return quitThread(m, &libCall{name: "pthread_cancel"}, cancelled)
	case m.lib.signals.nextTimer() <= m.steps:
		return m.lib.signals.arrived()
	case m.procs.several() && m.lib.signals.interrupts():
		return m.lib.signals.arrived()
	case m.several() || m.procs.several():
		return m.preempt()
	}
	return nil
}

func (m *control) stackFull() *Fault {
	return m.fault(StackExhausted, 0, "the stack has more than %d MiB of local variables, in %s", m.cfg.MaxStack>>20, plural.N(len(m.frames), "nested call"))
}

func (m *control) overflow(x *inst, r []ctype.Word) *Fault {
	return m.fault(SignedOverflow, 0, "signed overflow: %d %s %d does not fit in %s", int64(r[x.a]), x.in.BinOp, int64(r[x.b]), x.in.T)
}

// enough reports whether a load uses only some of its bytes (ir.FindNeeded) and these were written.
func (b *Block) enough(in *ir.Instr, off int64) bool {
	return in.NeedLen > 0 && b.initialized(off+int64(in.NeedOff), int64(in.NeedLen))
}

func (m *memory) badLoad(w ctype.Word, n int64) *Fault {
	b, off, f := m.reach(w, n, false)
	if f != nil {
		return f
	}
	what := b.describe()
	if c := m.copyAt(b, off, n); c != nil {
		f = m.fault(Uninitialized, w, "read of %s at offset %d of %s, never written; copied there at %s", plural.N(n, "byte"), off, what, m.where(c.stmt))
		f.Size = n
		return f
	}
	if b.Kind == Stack && b.Name != "" && off == 0 && n == b.Size {
		return m.fault(Uninitialized, w, "variable %s is read before anything was stored in it", b.Name)
	}
	f = m.fault(Uninitialized, w, "read of %s at offset %d of %s, never written", plural.N(n, "byte"), off, what)
	f.Size = n
	return f
}

// arith does the operations that have no opcode of their own.
func (m *control) arith(x *inst, r []ctype.Word) *Fault {
	var v ctype.Word
	var err error
	t := x.in.T
	switch x.op {
	case oBin:
		v, err = ctype.Binary(x.in.BinOp, t, r[x.a], r[x.b])
	case oUn:
		v, err = ctype.Unary(x.in.BinOp, t, r[x.a])
	case oConv:
		v, err = ctype.Convert(t, x.in.T2, r[x.a])
		t = x.in.T2
	}
	switch {
	case err == nil:
	case errors.Is(err, ctype.ErrOverflow):
		if !m.cfg.Wrap || x.in.BinOp == ctype.Div || x.in.BinOp == ctype.Rem {
			return m.fault(SignedOverflow, 0, "signed overflow in %s on %s", x.in.BinOp, t)
		}
	case errors.Is(err, ctype.ErrDivide):
		return m.fault(DivideByZero, 0, "%d %s 0", int64(r[x.a]), x.in.BinOp)
	case errors.Is(err, ctype.ErrShift):
		if !m.cfg.Wrap {
			return m.fault(BadShift, 0, "shift of a %s by %d", t, int64(r[x.b]))
		}
		v, _ = ctype.Binary(x.in.BinOp, t, r[x.a], r[x.b]&ctype.Word(t.Size*8-1))
	case errors.Is(err, ctype.ErrFloatInt):
		if !m.cfg.Wrap {
			return m.fault(FloatRange, 0, "%v does not fit in %s", ctype.FloatOf(x.in.T, r[x.a]), t)
		}
	}
	r[x.dst] = v
	return nil
}

func (m *loaded) switchTo(fn *code, x *inst, v ctype.Word) int32 {
	t := x.in.T
	for i := range x.in.Table {
		c := &x.in.Table[i]
		if t.Signed && int64(v) >= c.Lo && int64(v) <= c.Hi || !t.Signed && v >= ctype.Wrap(t, ctype.Word(c.Lo)) && v <= ctype.Wrap(t, ctype.Word(c.Hi)) {
			return fn.start[c.Target]
		}
	}
	return x.target
}

// rare does the instructions that tight loops do not have.
func (m *memory) rare(x *inst, fr *frame, r []ctype.Word) *Fault {
	switch x.op {
	case oLoadBits:
		n := int64(int(x.in.BitOff)+int(x.in.BitLen)+7) / 8
		w := r[x.a] + ctype.Word(x.imm)
		b, off, f := m.access(w, n, false)
		if f != nil {
			return f
		}
		r[x.dst] = getBits(x.in, b.Data[off:])
	case oStoreBits:
		n := int64(int(x.in.BitOff)+int(x.in.BitLen)+7) / 8
		w := r[x.a] + ctype.Word(x.imm)
		b, off, f := m.access(w, n, true)
		if f != nil {
			return f
		}
		for i := 0; i < int(x.in.BitLen); i++ {
			bit := int(x.in.BitOff) + i
			b.Data[off+int64(bit/8)] &^= 1 << (bit % 8)
			b.Data[off+int64(bit/8)] |= byte(r[x.b]>>i&1) << (bit % 8)
		}
		b.markInit(off, n)
		r[x.dst] = getBits(x.in, b.Data[off:])
	case oCopy:
		return m.copyBytes(r[x.a], r[x.b], x.imm)
	case oZero:
		b, off, f := m.access(r[x.a], x.imm, true)
		if f != nil {
			return f
		}
		clear(b.Data[off : off+x.imm])
		b.markInit(off, x.imm)
	case oAlloca:
		n := int64(r[x.a])
		if n <= 0 || n > m.cfg.MaxStack/max(x.imm, 1) {
			return m.fault(BadLibraryCall, 0, "variable-length array of %s", plural.N(n, "element"))
		}
		if m.arrays += n * x.imm; m.arrays > m.cfg.MaxMemory { // they live until the function returns
			return m.fault(LimitFault, 0, "memory limit of %d MiB reached by variable-length arrays", m.cfg.MaxMemory>>20)
		}
		b := m.newUnset(Stack, n*x.imm, alignment)
		b.Name = "variable-length array"
		fr.vlas = append(fr.vlas, b.ID)
		r[x.dst] = ctype.MakePointer(b.ID, 0)
	case oVaStart:
		return m.vaStart(r[x.a], fr)
	case oMember:
		m.writtenMember(x, r)
	case oWideBin, oWideUn, oWideConv, oWideBool:
		return m.wideOp(x, fr, r)
	case oEnd:
		m.endObject(fr, int(x.imm))
	case oLabelAddr:
		r[x.dst] = m.label(x.target, x.imm)
	case oOpaque:
		return m.opaque(x.stmt)
	case oNoValue:
		return m.noValue(x)
	case oBound:
		limit, n := x.imm, int64(0)
		if x.in.B != ir.NoReg {
			n = int64(r[x.b])
			limit += n
		} else {
			n = x.in.T.Len
		}
		if i := r[x.a]; uint64(i) >= uint64(limit) && !m.cfg.Forgiving {
			f := OutsideArray(int64(i), n)
			return m.fault(f.Kind, 0, "%s", f.Message)
		}
	case oUnreachable:
		return m.fault(Unreachable, 0, "a place is reached that nothing leads to")
	case oVaArg:
		v, f := m.vaArg(r[x.a], x.imm, argumentAlign(x.in.T))
		if f != nil {
			return f
		}
		r[x.dst] = v
	default:
		return m.fault(Unsupported, 0, "instruction %d", x.op)
	}
	return nil
}

func getBits(in *ir.Instr, data []byte) ctype.Word {
	var w ctype.Word
	for i := 0; i < int(in.BitLen); i++ {
		bit := int(in.BitOff) + i
		w |= ctype.Word(data[bit/8]>>(bit%8)&1) << i
	}
	if in.T.Signed && in.BitLen < 64 {
		s := 64 - in.BitLen
		return ctype.Word(int64(w<<s) >> s)
	}
	return w
}

// load and store access memory for the library and for rare instructions.
func (m *memory) load(w ctype.Word, t *ctype.Type) (ctype.Word, *Fault) {
	b, off, f := m.access(w, t.Size, false)
	if f != nil {
		return 0, f
	}
	if !b.initialized(off, t.Size) && !m.cfg.UninitOK {
		return 0, m.badLoad(w, t.Size)
	}
	return ctype.Load(t, b.Data[off:]), nil
}

func (m *memory) store(w ctype.Word, t *ctype.Type, v ctype.Word) *Fault {
	b, off, f := m.access(w, t.Size, true)
	if f != nil {
		return f
	}
	ctype.Store(t, b.Data[off:], v)
	b.markInit(off, t.Size)
	return nil
}

func (m *recording) traceLoad(x *inst, fr *frame, b *Block, off int64, w ctype.Word, r []ctype.Word) {
	m.event(EvRead, w, r[x.dst])
	var o int32
	if x.in.T.Size == 8 {
		if p := m.tr.word(b.ID, off, false); p != nil && *p != 0 {
			o = m.tr.node(*p, m.at(), m.steps, "loaded")
		}
	}
	m.tr.regs[fr.base+int(x.dst)] = o
	if m.numbering() {
		m.numberLoaded(fr, x.dst, b, off)
	}
}

func (m *recording) traceStore(x *inst, fr *frame, b *Block, off int64, w ctype.Word, r []ctype.Word) {
	m.event(EvWrite, w, r[x.b])
	if x.in.T.Size == 8 {
		o := m.tr.regs[fr.base+int(x.b)]
		what := "stored"
		if o == 0 && r[x.b] == 0 {
			what = "null stored"
		}
		*m.tr.word(b.ID, off, true) = m.tr.node(o, m.at(), m.steps, what)
	}
	if m.numbering() {
		m.numberStored(fr, x.b, b, off, x.in.T.Size)
	}
}

// tracedMove returns the trace node of the value that a move copies. A null pointer that has none, in a statement that
// returns a pointer, gets a new node for that statement.
func (m *recording) tracedMove(fr *frame, x *inst, v ctype.Word) int32 {
	o := m.tr.regs[fr.base+int(x.a)]
	if o != 0 || v != 0 || !m.returnsPointer(x.stmt) {
		return o
	}
	return m.tr.node(0, x.stmt, m.steps, "NULL")
}

// returnsPointer reports whether a statement returns a pointer.
func (m *control) returnsPointer(stmt int32) bool {
	if uint(stmt) >= uint(len(m.prog.Stmts)) {
		return false
	}
	s, t := m.prog.Stmts[stmt], m.fn.ir.Type
	return s != nil && s.Kind == lower.Return && t != nil && t.Result != nil && t.Result.Kind == ctype.Pointer
}

// traceArgs notes where the parameters of the call that a statement has just made came from.
func (m *recording) traceArgs(fr *frame, args []ir.Reg, callee *code, stmt int32) {
	base := m.frames[len(m.frames)-1].base
	for i, p := range callee.ir.Params {
		if i < len(args) {
			o := m.tr.regs[fr.base+int(args[i])]
			if o == 0 && m.regs[fr.base+int(args[i])] == 0 && p.Type.Kind == ctype.Pointer {
				o = m.tr.node(0, stmt, m.steps, "null passed")
			}
			m.tr.regs[base+int(p.Reg)] = o
			if p.Object >= 0 {
				if id := m.frames[len(m.frames)-1].objs[p.Object]; id != 0 && o != 0 {
					*m.tr.word(id, 0, true) = m.tr.node(o, stmt, m.steps, "passed")
				}
			}
		}
	}
}

// finish ends the program, atexit functions first in reverse order, or the
// thread if it is not the first. It reports whether the program is over;
// otherwise a frame has been pushed or another thread goes on.
func (m *Machine) finish(v ctype.Word) bool {
	if m.th != nil && m.th.cur.routine.number > 0 {
		var over bool
		if v, over = m.th.endRoutine(v); !over {
			return false
		}
	}
	if m.exitW == 0 && m.several() && m.th.cur.number > 1 {
		return m.th.endThread(v)
	}
	m.result = v
	if m.exitW == 0 {
		m.exitW = v&0xff | 1<<63
	}
	if n := len(m.atexit); n > 0 {
		id, _ := ctype.SplitPointer(m.atexit[n-1])
		m.atexit = m.atexit[:n-1]
		if i, ok := m.fnOf[id]; ok && m.funcs[i].code != nil {
			if m.push(m.funcs[i], nil, -1, 0) == nil {
				return false
			}
		}
	}
	m.status = int(m.exitW & 0xff)
	m.exited = true
	m.lib.stdio.flush()
	m.lib.stdio.closeAll()
	return true
}
