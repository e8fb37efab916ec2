package machine

import (
	"encoding/binary"
	"math"

	"gulo/internal/ctype"
)

// This file is the interpreter loop of merged code (merge.go). It does the same for an instruction as
// exec, which is easier to read. Here nothing is traced or watched, and steps are counted where
// control jumps.

// quick runs until the program ends or a fault.
//
// Like exec it is one switch; it is long because a call for each instruction would cost as much
// as the instruction.
func (m *Machine) quick() *Fault {
	fn := m.fn
	code := fn.code
	fr := &m.frames[len(m.frames)-1]
	r := m.regs[fr.base : fr.base+fn.nregs]
	pc := m.pc
	limit := m.nextLook()
	wrap := m.cfg.Wrap
	for {
		x := &code[pc]
		pc++
	again:
		switch x.op {
		case oNop:
			continue
		case oMove:
			r[x.dst] = r[x.a]
			continue
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
			continue
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
			continue
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
			continue
		case oAdd64:
			a, b := r[x.a], r[x.b]
			v := a + b
			if !wrap && int64((a^v)&(b^v)) < 0 {
				m.pc = pc - 1
				return m.overflow(x, r)
			}
			r[x.dst] = v
			continue
		case oSub64:
			a, b := r[x.a], r[x.b]
			v := a - b
			if !wrap && int64((a^b)&(a^v)) < 0 {
				m.pc = pc - 1
				return m.overflow(x, r)
			}
			r[x.dst] = v
			continue
		case oAddU:
			r[x.dst] = r[x.a] + r[x.b]
			continue
		case oSubU:
			r[x.dst] = r[x.a] - r[x.b]
			continue
		case oMulU64:
			r[x.dst] = r[x.a] * r[x.b]
			continue
		case oAddU32:
			r[x.dst] = uint64(uint32(r[x.a] + r[x.b]))
			continue
		case oSubU32:
			r[x.dst] = uint64(uint32(r[x.a] - r[x.b]))
			continue
		case oMulU32:
			r[x.dst] = uint64(uint32(r[x.a] * r[x.b]))
			continue
		case oAnd:
			r[x.dst] = r[x.a] & r[x.b]
			continue
		case oOr:
			r[x.dst] = r[x.a] | r[x.b]
			continue
		case oXor:
			r[x.dst] = r[x.a] ^ r[x.b]
			continue
		case oShlS32, oShlU32, oShl64, oShrS, oShrU, oDivS, oDivU, oRemS, oRemU:
			if !shiftOrDivide(x, r) {
				m.pc = pc - 1
				if f := m.general(x, r); f != nil {
					return f
				}
			}
			continue
		case oAddF:
			r[x.dst] = math.Float64bits(math.Float64frombits(r[x.a]) + math.Float64frombits(r[x.b]))
			continue
		case oSubF:
			r[x.dst] = math.Float64bits(math.Float64frombits(r[x.a]) - math.Float64frombits(r[x.b]))
			continue
		case oMulF:
			r[x.dst] = math.Float64bits(math.Float64frombits(r[x.a]) * math.Float64frombits(r[x.b]))
			continue
		case oDivF:
			r[x.dst] = math.Float64bits(math.Float64frombits(r[x.a]) / math.Float64frombits(r[x.b]))
			continue
		case oEq:
			r[x.dst] = b2w(r[x.a] == r[x.b])
			continue
		case oNe:
			r[x.dst] = b2w(r[x.a] != r[x.b])
			continue
		case oLtS:
			r[x.dst] = b2w(int64(r[x.a]) < int64(r[x.b]))
			continue
		case oLeS:
			r[x.dst] = b2w(int64(r[x.a]) <= int64(r[x.b]))
			continue
		case oGtS:
			r[x.dst] = b2w(int64(r[x.a]) > int64(r[x.b]))
			continue
		case oGeS:
			r[x.dst] = b2w(int64(r[x.a]) >= int64(r[x.b]))
			continue
		case oLtU:
			r[x.dst] = b2w(r[x.a] < r[x.b])
			continue
		case oLeU:
			r[x.dst] = b2w(r[x.a] <= r[x.b])
			continue
		case oGtU:
			r[x.dst] = b2w(r[x.a] > r[x.b])
			continue
		case oGeU:
			r[x.dst] = b2w(r[x.a] >= r[x.b])
			continue
		case oBin, oUn, oConv:
			m.pc = pc - 1
			if f := m.arith(x, r); f != nil {
				return f
			}
			continue
		case oSext32:
			r[x.dst] = uint64(int64(int32(r[x.a])))
			continue
		case oWrapU8:
			r[x.dst] = uint64(uint8(r[x.a]))
			continue
		case oWrapS8:
			r[x.dst] = uint64(int64(int8(r[x.a])))
			continue
		case oWrapU16:
			r[x.dst] = uint64(uint16(r[x.a]))
			continue
		case oWrapS16:
			r[x.dst] = uint64(int64(int16(r[x.a])))
			continue
		case oWrapU32:
			r[x.dst] = uint64(uint32(r[x.a]))
			continue
		case oBool:
			r[x.dst] = b2w(ctype.Truth(x.in.T, r[x.a]) == (x.imm == 0))
			continue
		case oLoadS32:
			w := r[x.a] + uint64(x.imm)
			if b, off := m.cell(w); b.has(off, 4) && b.known(off, 4) {
				r[x.dst] = uint64(int64(int32(binary.LittleEndian.Uint32(b.Data[off:]))))
				continue
			}
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, w, r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oLoadU32:
			w := r[x.a] + uint64(x.imm)
			if b, off := m.cell(w); b.has(off, 4) && b.known(off, 4) {
				r[x.dst] = uint64(binary.LittleEndian.Uint32(b.Data[off:]))
				continue
			}
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, w, r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oLoad64:
			w := r[x.a] + uint64(x.imm)
			if b, off := m.cell(w); b.has(off, 8) && b.known(off, 8) {
				r[x.dst] = binary.LittleEndian.Uint64(b.Data[off:])
				continue
			}
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, w, r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oLoadU8:
			w := r[x.a] + uint64(x.imm)
			if b, off := m.cell(w); b.has(off, 1) && b.known(off, 1) {
				r[x.dst] = uint64(b.Data[off])
				continue
			}
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, w, r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oLoadS8:
			w := r[x.a] + uint64(x.imm)
			if b, off := m.cell(w); b.has(off, 1) && b.known(off, 1) {
				r[x.dst] = uint64(int64(int8(b.Data[off])))
				continue
			}
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, w, r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oLoadU16:
			w := r[x.a] + uint64(x.imm)
			if b, off := m.cell(w); b.has(off, 2) && b.known(off, 2) {
				r[x.dst] = uint64(binary.LittleEndian.Uint16(b.Data[off:]))
				continue
			}
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, w, r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oLoadS16:
			w := r[x.a] + uint64(x.imm)
			if b, off := m.cell(w); b.has(off, 2) && b.known(off, 2) {
				r[x.dst] = uint64(int64(int16(binary.LittleEndian.Uint16(b.Data[off:]))))
				continue
			}
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, w, r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oAtS32:
			w := r[x.a] + r[x.b]*uint64(x.imm) + uint64(x.other)
			if b, off := m.cell(w); b.has(off, 4) && b.known(off, 4) {
				r[x.dst] = uint64(int64(int32(binary.LittleEndian.Uint32(b.Data[off:]))))
				continue
			}
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, w, r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oAt64:
			w := r[x.a] + r[x.b]*uint64(x.imm) + uint64(x.other)
			if b, off := m.cell(w); b.has(off, 8) && b.known(off, 8) {
				r[x.dst] = binary.LittleEndian.Uint64(b.Data[off:])
				continue
			}
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, w, r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oAtU8:
			w := r[x.a] + r[x.b]*uint64(x.imm) + uint64(x.other)
			if b, off := m.cell(w); b.has(off, 1) && b.known(off, 1) {
				r[x.dst] = uint64(b.Data[off])
				continue
			}
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, w, r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oAtU32:
			w := r[x.a] + r[x.b]*uint64(x.imm) + uint64(x.other)
			if b, off := m.cell(w); b.has(off, 4) && b.known(off, 4) {
				r[x.dst] = uint64(binary.LittleEndian.Uint32(b.Data[off:]))
				continue
			}
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, w, r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oAtU16:
			w := r[x.a] + r[x.b]*uint64(x.imm) + uint64(x.other)
			if b, off := m.cell(w); b.has(off, 2) && b.known(off, 2) {
				r[x.dst] = uint64(binary.LittleEndian.Uint16(b.Data[off:]))
				continue
			}
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, w, r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oAtS8:
			w := r[x.a] + r[x.b]*uint64(x.imm) + uint64(x.other)
			if b, off := m.cell(w); b.has(off, 1) && b.known(off, 1) {
				r[x.dst] = uint64(int64(int8(b.Data[off])))
				continue
			}
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, w, r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oAtS16:
			w := r[x.a] + r[x.b]*uint64(x.imm) + uint64(x.other)
			if b, off := m.cell(w); b.has(off, 2) && b.known(off, 2) {
				r[x.dst] = uint64(int64(int16(binary.LittleEndian.Uint16(b.Data[off:]))))
				continue
			}
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, w, r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oStore32:
			w := r[x.a] + uint64(x.imm)
			if b, off := m.cell(w); b.takes(off, 4) && b.known(off, 4) {
				binary.LittleEndian.PutUint32(b.Data[off:], uint32(r[x.b]))
				continue
			}
			m.pc = pc - 1
			if f := m.hardStore(x, w, r[x.b]); f != nil {
				return f
			}
			continue
		case oStore64:
			w := r[x.a] + uint64(x.imm)
			if b, off := m.cell(w); b.takes(off, 8) && b.known(off, 8) {
				binary.LittleEndian.PutUint64(b.Data[off:], r[x.b])
				continue
			}
			m.pc = pc - 1
			if f := m.hardStore(x, w, r[x.b]); f != nil {
				return f
			}
			continue
		case oStore8:
			w := r[x.a] + uint64(x.imm)
			if b, off := m.cell(w); b.takes(off, 1) && b.known(off, 1) {
				b.Data[off] = byte(r[x.b])
				continue
			}
			m.pc = pc - 1
			if f := m.hardStore(x, w, r[x.b]); f != nil {
				return f
			}
			continue
		case oStore16:
			w := r[x.a] + uint64(x.imm)
			if b, off := m.cell(w); b.takes(off, 2) && b.known(off, 2) {
				binary.LittleEndian.PutUint16(b.Data[off:], uint16(r[x.b]))
				continue
			}
			m.pc = pc - 1
			if f := m.hardStore(x, w, r[x.b]); f != nil {
				return f
			}
			continue
		case oPut32:
			w := r[x.a] + r[x.b]*uint64(x.imm) + uint64(x.other)
			if b, off := m.cell(w); b.takes(off, 4) && b.known(off, 4) {
				binary.LittleEndian.PutUint32(b.Data[off:], uint32(r[x.dst]))
				continue
			}
			m.pc = pc - 1
			if f := m.hardStore(x, w, r[x.dst]); f != nil {
				return f
			}
			continue
		case oPut64:
			w := r[x.a] + r[x.b]*uint64(x.imm) + uint64(x.other)
			if b, off := m.cell(w); b.takes(off, 8) && b.known(off, 8) {
				binary.LittleEndian.PutUint64(b.Data[off:], r[x.dst])
				continue
			}
			m.pc = pc - 1
			if f := m.hardStore(x, w, r[x.dst]); f != nil {
				return f
			}
			continue
		case oPut8:
			w := r[x.a] + r[x.b]*uint64(x.imm) + uint64(x.other)
			if b, off := m.cell(w); b.takes(off, 1) && b.known(off, 1) {
				b.Data[off] = byte(r[x.dst])
				continue
			}
			m.pc = pc - 1
			if f := m.hardStore(x, w, r[x.dst]); f != nil {
				return f
			}
			continue
		case oPut16:
			w := r[x.a] + r[x.b]*uint64(x.imm) + uint64(x.other)
			if b, off := m.cell(w); b.takes(off, 2) && b.known(off, 2) {
				binary.LittleEndian.PutUint16(b.Data[off:], uint16(r[x.dst]))
				continue
			}
			m.pc = pc - 1
			if f := m.hardStore(x, w, r[x.dst]); f != nil {
				return f
			}
			continue
		case oLoad:
			m.pc = pc - 1
			if f := m.hardLoad(x, fr, r[x.a]+uint64(x.imm), r); f != nil {
				return f
			}
			code = fn.code
			continue
		case oStore:
			m.pc = pc - 1
			if f := m.hardStore(x, r[x.a]+uint64(x.imm), r[x.b]); f != nil {
				return f
			}
			continue
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
			continue
		case oGlobal:
			r[x.dst] = ctype.Base(m.globals[x.imm])
			continue
		case oFuncAddr:
			r[x.dst] = m.funcAddr(int32(x.imm))
			continue
		case oPtrAdd:
			r[x.dst] = r[x.a] + r[x.b]*uint64(x.imm)
			continue
		case oPtrSub:
			r[x.dst] = uint64(int64(r[x.a]-r[x.b]) / x.imm)
			continue
		case oCall:
			m.pc = pc - 1
			if f := m.call(x, fr, r); f != nil {
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
				if m.moved { // timers are set
					m.moved, limit = false, m.nextLook()
				}
			}
			r = m.regs[fr.base : fr.base+fn.nregs]
			continue
		case oRet:
			m.pc = pc - 1
			var v ctype.Word
			if x.a >= 0 {
				v = r[x.a]
			}
			dst, mask := fr.dst, fr.mask
			m.pop()
			if len(m.frames) == 0 {
				if m.finish(v) {
					return nil
				}
			} else if dst >= 0 {
				m.regs[m.frames[len(m.frames)-1].base+int(dst)] = v
			}
			if mask != nil {
				if f := m.lib.signals.unmask(mask); f != nil {
					return f
				}
			}
			fn = m.fn
			code = fn.code
			fr = &m.frames[len(m.frames)-1]
			pc = m.pc
			r = m.regs[fr.base : fr.base+fn.nregs]
			continue
		case oJump:
			pc = int(x.target)
		case oBranch:
			pc = int(x.target)
			if v := r[x.a]; v == 0 || x.imm != 0 && !ctype.Truth(x.in.T, v) {
				pc = int(x.other)
			}
		case oIfEq:
			pc = int(x.target)
			if r[x.a] != r[x.b] {
				pc = int(x.other)
			}
		case oIfNe:
			pc = int(x.target)
			if r[x.a] == r[x.b] {
				pc = int(x.other)
			}
		case oIfLtS:
			pc = int(x.target)
			if int64(r[x.a]) >= int64(r[x.b]) {
				pc = int(x.other)
			}
		case oIfLeS:
			pc = int(x.target)
			if int64(r[x.a]) > int64(r[x.b]) {
				pc = int(x.other)
			}
		case oIfLtU:
			pc = int(x.target)
			if r[x.a] >= r[x.b] {
				pc = int(x.other)
			}
		case oIfLeU:
			pc = int(x.target)
			if r[x.a] > r[x.b] {
				pc = int(x.other)
			}
		case oSwitch:
			pc = int(m.switchTo(fn, x, r[x.a]))
		case oGoto:
			m.pc = pc - 1
			to, f := m.gotoLabel(fn, x, r[x.a])
			if f != nil {
				return f
			}
			pc = int(to)
		case oHeld:
			m.pc = pc - 1
			done, f := m.held(x, fr, r)
			if f != nil {
				return f
			}
			if code = fn.code; done {
				continue
			}
			was := *x
			was.op = x.was
			x = &was
			goto again
		default:
			m.pc = pc - 1
			if f := m.rare(x, fr, r); f != nil {
				return f
			}
			continue
		}
		// Control has jumped.
		if m.steps += int64(x.steps); m.steps > limit {
			m.pc = pc
			if f := m.look(); f != nil {
				return f
			}
			limit = m.nextLook()
			if m.moved { // into the handler of a signal
				fn, fr, r, pc = m.resumed()
				code = fn.code
			}
		}
	}
}

// cell returns the block whose cell an address is in, and the offset there, which need not be inside
// the block. It returns nil and -1 if there is no block.
func (m *memory) cell(w ctype.Word) (*Block, int64) {
	if i := ctype.Cell(w); i < ctype.Word(len(m.blocks)) {
		if b := m.blocks[i]; b != nil {
			return b, int64(w - b.Addr)
		}
	}
	return nil, -1
}

// has reports whether n bytes at off can be read.
func (b *Block) has(off, n int64) bool {
	return off >= 0 && !b.Freed && b.Kind != Code && off+n <= int64(len(b.Data))
}

// takes reports whether n bytes at off can be written and nobody has to be told.
func (b *Block) takes(off, n int64) bool {
	return off >= 0 && !b.Freed && b.Kind != Code && !b.ReadOnly && off+n <= int64(len(b.Data)) && (!b.clean || b.large != nil && !b.large.shared && b.large.has(off, n))
}

// known reports whether n bytes at off were all written. It looks at one byte of Init only, and may say
// false of bytes that were.
func (b *Block) known(off, n int64) bool {
	return b.Init == nil || b.Init[off>>3]>>(off&7)&byte(1<<n-1) == byte(1<<n-1)
}

// hardLoad is a load that is not as simple as most.
func (m *memory) hardLoad(x *inst, fr *frame, w ctype.Word, r []ctype.Word) *Fault {
	t := x.in.T
	b, off, f := m.reach(w, t.Size, false)
	if f != nil {
		return f
	}
	if b.initialized(off, t.Size) || m.cfg.UninitOK || b.enough(x.in, off) {
		r[x.dst] = ctype.Load(t, b.Data[off:])
		return nil
	}
	return m.loadUnset(x, fr, w, r, nil)
}

// hardStore is a store that is not as simple as most.
func (m *memory) hardStore(x *inst, w, v ctype.Word) *Fault { return m.store(w, x.in.T, v) }

// general computes what an instruction does by its type and operator; the faults are arith's.
func (m *control) general(x *inst, r []ctype.Word) *Fault {
	g := *x
	g.op = oBin
	return m.arith(&g, r)
}

// shiftOrDivide does what has a result by C's rules; else it returns false.
func shiftOrDivide(x *inst, r []ctype.Word) bool {
	a, b := r[x.a], r[x.b]
	switch x.op {
	case oShlS32, oShlU32:
		if b >= 32 {
			return false
		}
		if r[x.dst] = uint64(uint32(a << b)); x.op == oShlS32 {
			r[x.dst] = uint64(int64(int32(a << b)))
		}
	case oShl64:
		if b >= 64 {
			return false
		}
		r[x.dst] = a << b
	case oShrS, oShrU:
		if b >= uint64(x.in.T.Size*8) {
			return false
		}
		if r[x.dst] = a >> b; x.op == oShrS {
			r[x.dst] = uint64(int64(a) >> b)
		}
	case oDivS, oRemS:
		if b == 0 || int64(b) == -1 {
			return false
		}
		if x.op == oDivS {
			r[x.dst] = uint64(int64(a) / int64(b))
		} else {
			r[x.dst] = uint64(int64(a) % int64(b))
		}
	case oDivU, oRemU:
		if b == 0 {
			return false
		}
		if x.op == oDivU {
			r[x.dst] = a / b
		} else {
			r[x.dst] = a % b
		}
	}
	return true
}
