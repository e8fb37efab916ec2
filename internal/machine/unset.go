package machine

import (
	"maps"

	"gulo/internal/ctype"
	"gulo/internal/ir"
)

// This file follows uninitialized values through registers. Copying one is no error, as for Memcheck and
// MemorySanitizer: the memory that it is stored to counts as never written, too. Using one is an error: computing with it,
// branching on it, accessing the address that it is, passing or returning it.
//
// A register that holds such a value has a record (unset). The instructions of its function that read or set the register
// are replaced by oHeld, as a debugger replaces instructions by breakpoints: what a load of such a value costs
// is paid by these instructions, and by nothing where no such value is loaded.

// unset is what is known of an uninitialized value in a register.
type unset struct {
	mask   uint64 // the bits that were never written
	fault  *Fault
	note   any     // the monitor's, see Monitor.Deferred
	copied *copied // how it came to where it was read
}

// place is a register of a call.
type place struct {
	serial int64 // the call's
	reg    int32
}

// copied is the last copy of an uninitialized value.
type copied struct {
	stmt int32
	size int64   // bytes
	from *copied // the copy before; nil if there was none, or where noteCopy cuts the chain
	deep int
	note any // the monitor's on the first load, from where nothing had been stored; nil for none
}

// spot is where such a copy went.
type spot struct {
	block uint32
	off   int64
}

const (
	mostCopied = 16      // copies of one value that are told
	mostSpots  = 1 << 12 // copies that are remembered in all
	fewUnset   = 64      // records that are kept before those of calls that have ended are dropped
)

// deferred returns the monitor's note on the last load, for when the value is used.
func (m *loaded) deferred() any {
	if m.cfg.Monitor == nil {
		return nil
	}
	return m.cfg.Monitor.Deferred()
}

// loadUnset is a load of bytes that were not all written, or of a value on which the monitor has a note.
func (m *memory) loadUnset(x *inst, fr *frame, w ctype.Word, r []ctype.Word, note any) *Fault {
	t := x.in.T
	b, off, f := m.reach(w, t.Size, false)
	if f != nil {
		return m.chained(f, fr, x.a)
	}
	u := unset{mask: b.unwritten(off, t.Size), note: note}
	if m.cfg.UninitOK || b.enough(x.in, off) {
		u.mask = 0
	}
	if u.mask != 0 {
		if u.copied = m.copyAt(b, off, t.Size); u.copied != nil && u.copied.note != nil && note != nil {
			u.note = u.copied.note
		}
		u.fault = m.chained(m.badLoad(w, t.Size), fr, x.a)
		if m.OnUnset != nil {
			m.OnUnset(m.at())
		}
	} else if u.note != nil {
		u.fault = m.fault(Uninitialized, w, "")
	}
	r[x.dst] = ctype.Load(t, b.Data[off:])
	if m.tr != nil {
		m.traceLoad(x, fr, b, off, w, r)
	}
	if u.fault == nil {
		return nil
	}
	if t.Size > 8 || x.dst == fr.fn.result() {
		return m.used(&u)
	}
	m.setUnset(fr, x.dst, u)
	return nil
}

// unwritten returns which bits of n bytes at off were never written. For more than 8 bytes the mask only says, by not being
// 0, that some were not.
func (b *Block) unwritten(off, n int64) (mask uint64) {
	if n > 8 && !b.initialized(off, n) {
		return 1
	}
	for i := int64(0); i < min(n, 8); i++ {
		if !b.initialized(off+i, 1) {
			mask |= 0xff << (8 * i)
		}
	}
	return mask
}

// result is the register that a function returns, -1 for none.
func (c *code) result() int32 {
	if !c.returns.known {
		c.returns.reg, c.returns.known = -1, true
		for _, b := range c.ir.Blocks {
			if in := &b.Instrs[len(b.Instrs)-1]; in.Op == ir.Ret {
				c.returns.reg = int32(in.A)
			}
		}
	}
	return c.returns.reg
}

// setUnset notes what a register holds.
func (m *memory) setUnset(fr *frame, reg int32, u unset) {
	if len(m.unset) > m.mostUnset {
		active := map[int64]bool{}
		for fr := range m.activeFrames {
			active[fr.serial] = true
		}
		maps.DeleteFunc(m.unset, func(p place, _ unset) bool { return !active[p.serial] })
		m.mostUnset = 2*len(m.unset) + fewUnset
	}
	if m.unset == nil {
		m.unset, m.mostUnset = map[place]unset{}, fewUnset
	}
	m.unset[place{fr.serial, reg}] = u
	fr.fn.hold(reg)
}

// hold makes the instructions of a function that read or set a register oHeld.
func (c *code) hold(reg int32) {
	if c.held[reg] {
		return
	}
	if c.held == nil {
		c.held = map[int32]bool{}
	}
	c.held[reg] = true
	c.holdAgain()
}

// holdAgain does for instructions that were added to the code what hold has done for the others.
func (c *code) holdAgain() {
	if c.held == nil {
		return
	}
	c.own()
	for i := range c.code {
		x := &c.code[i]
		if x.op == oHeld {
			continue
		}
		touched := c.held[x.sets()]
		x.reads(func(reg int32) { touched = touched || c.held[reg] })
		if touched {
			x.was, x.op = x.op, oHeld
		}
	}
}

// does returns the opcode of an instruction, whether or not it is held.
func (x *inst) does() opcode {
	if x.op == oHeld {
		return x.was
	}
	return x.op
}

// sets is the register that an instruction sets, -1 for none.
func (x *inst) sets() int32 {
	switch op := x.does(); {
	case op == oNop, op == oStmt, op == oAgain, op == oJump, op >= oPut32 && op <= oIfLeU:
		return -1
	}
	return x.dst
}

// reads calls f for each register that an instruction reads.
func (x *inst) reads(f func(reg int32)) {
	switch op := x.does(); {
	case op >= oPut32 && op <= oPut16:
		f(x.dst)
		f(x.a)
		f(x.b)
	case op >= oAtS32 && op <= oIfLeU:
		f(x.a)
		f(x.b)
	case x.in == nil, op == oJump:
	case op == oCall:
		if x.in.CallX.Func < 0 {
			f(x.a)
		}
		for _, a := range x.in.CallX.Args {
			f(int32(a))
		}
	default:
		switch x.in.Op {
		case ir.Nop, ir.Local, ir.Global, ir.FuncAddr, ir.LabelAddr, ir.Unreachable, ir.Opaque, ir.NoValue:
			return
		case ir.Bin, ir.Store, ir.StoreBits, ir.Copy, ir.PtrAdd, ir.PtrSub, ir.WideBin:
			f(x.b)
		}
		if x.a >= 0 {
			f(x.a)
		}
	}
}

// stored returns the registers of the value that an instruction stores and of the address; ok is false for one that is no
// store.
func (x *inst) stored() (value int32, address []int32, ok bool) {
	switch op := x.was; {
	case op >= oPut32 && op <= oPut16:
		return x.dst, []int32{x.a, x.b}, true
	case op == oStore, op == oStore8, op == oStore16, op == oStore32, op == oStore64:
		return x.b, []int32{x.a}, true
	}
	return 0, nil, false
}

// held is executed before an instruction that reads or sets a register which has held an uninitialized value. done reports
// that nothing of the instruction is left to do.
func (m *memory) held(x *inst, fr *frame, r []ctype.Word) (done bool, f *Fault) {
	var bad *unset
	read := func(reg int32) bool {
		u, ok := m.unset[place{fr.serial, reg}]
		if ok && bad == nil {
			bad = &u
		}
		return ok
	}
	if value, address, ok := x.stored(); ok {
		for _, reg := range address {
			read(reg)
		}
		if bad == nil && read(value) {
			return true, m.storeUnset(x, fr, r, value, bad)
		}
	} else {
		x.reads(func(reg int32) { read(reg) })
	}
	set := x.sets()
	if bad != nil {
		u, ok := m.carried(x, fr, *bad)
		if !ok {
			if f := m.used(bad); f != nil {
				return false, f
			}
		} else if u.mask != 0 || u.note != nil {
			m.setUnset(fr, set, u)
			return false, nil
		}
	}
	if set >= 0 {
		delete(m.unset, place{fr.serial, set})
	}
	return false, nil
}

// carried returns what is known of the result of an instruction that has an uninitialized operand; false if the instruction
// uses the operand. Moves, conversions between integers, shifts, and masks are no uses: they only move or drop bits.
func (m *memory) carried(x *inst, fr *frame, u unset) (unset, bool) {
	in := x.in
	if in == nil || x.dst == fr.fn.result() {
		return u, false
	}
	switch {
	case x.was == oMove:
		return u, true
	case in.Op == ir.Conv && wordOnly(in.T) && wordOnly(in.T2) && (in.T2.Kind != ctype.Bool || in.T.Kind == ctype.Bool):
		n := 8 * in.T.Size
		if in.T2.Size > in.T.Size && in.T.Signed && u.mask>>(n-1)&1 != 0 { // the sign
			u.mask |= ^uint64(0) << n
		}
		return u.only(ones(in.T2)), true
	case in.Op == ir.Bin && in.T.Kind == ctype.Int && in.T.Size <= 8:
		by, constant := fr.fn.constant(x.b)
		switch {
		case in.BinOp == ctype.Or && constant:
			return u.only(^by), true
		case in.BinOp == ctype.Or:
			a, b := m.unset[place{fr.serial, x.a}], m.unset[place{fr.serial, x.b}]
			u.mask = a.mask | b.mask
			return u, true
		case in.BinOp == ctype.And && constant:
			return u.only(by), true
		case in.BinOp == ctype.Shl && constant && by < 64:
			u.mask <<= by
			return u.only(ones(in.T)), true
		case in.BinOp == ctype.Shr && constant && by < 64 && !in.T.Signed:
			u.mask >>= by
			return u.only(ones(in.T)), true
		}
	}
	return u, false
}

// only keeps some of the bits. If no uninitialized one is left of those that there were, the monitor's note is dropped.
func (u unset) only(bits uint64) unset {
	if had := u.mask; had != 0 {
		if u.mask &= bits; u.mask == 0 {
			u.note = nil
		}
	}
	return u
}

// ones has the bits of a type of 8 bytes at most.
func ones(t *ctype.Type) uint64 { return ^uint64(0) >> (64 - 8*min(t.Size, 8)) }

func wordOnly(t *ctype.Type) bool {
	return t.Kind == ctype.Int || t.Kind == ctype.Bool || t.Kind == ctype.Pointer
}

// constant returns what is in a register that never changes; ok is false for others.
func (c *code) constant(reg int32) (v uint64, ok bool) {
	for _, k := range c.ir.Consts {
		if int32(k.Reg) == reg {
			return k.Value, true
		}
	}
	return 0, false
}

// used returns the fault of using an uninitialized value. A value on which only the monitor has a note is a fault if the
// monitor says so, else it returns nil.
func (m *control) used(u *unset) *Fault {
	if u.note != nil {
		if f := m.cfg.Monitor.Used(u.note, m.copies(u)); f != nil {
			return f
		}
	}
	if u.mask == 0 {
		return nil
	}
	f := m.fault(Uninitialized, u.fault.Pointer, "%s", u.fault.Message)
	if from := u.fault.Stmt; from != f.Stmt && m.position(from).Line != f.Pos.Line {
		f.Message += ", read at " + m.where(from)
	}
	f.Size, f.Chain = u.fault.Size, u.fault.Chain
	return f
}

// copies lists where a value was read and copied, newest first.
func (m *control) copies(u *unset) (out []Link) {
	if at := m.at(); u.fault.Stmt != at && u.fault.Stmt > 0 {
		out = append(out, Link{Stmt: u.fault.Stmt, What: "read"})
	}
	for c := u.copied; c != nil; c = c.from {
		out = append(out, Link{Stmt: c.stmt, What: "copied"})
	}
	return out
}

// storeUnset is a store of an uninitialized value: the memory counts as never written afterwards.
func (m *memory) storeUnset(x *inst, fr *frame, r []ctype.Word, value int32, u *unset) *Fault {
	w := r[x.a] + ctype.Word(x.imm)
	if x.was >= oPut32 && x.was <= oPut16 {
		w = r[x.a] + r[x.b]*ctype.Word(x.imm) + ctype.Word(x.other)
	}
	n := x.in.T.Size
	if m.watching() {
		if f := m.watch(w, n, WriteAccess, x.a); f != nil {
			return f
		}
	}
	b, off, f := m.reach(w, n, true)
	if f != nil {
		return m.chained(f, fr, x.a)
	}
	ctype.Store(x.in.T, b.Data[off:], r[value])
	b.markInit(off, n)
	if m.tr != nil {
		m.traceStore(x, fr, b, off, w, r)
	}
	if m.cfg.Monitor != nil {
		m.cfg.Monitor.Wrote(w, n)
	}
	for i := int64(0); i < n; i++ {
		if u.mask>>(8*i)&0xff != 0 {
			b.unmark(off+i, 1)
			if m.cfg.Monitor != nil {
				m.cfg.Monitor.Unset(w+ctype.Word(i), 1)
			}
		}
	}
	if u.mask != 0 {
		m.noteCopy(b, off, n, u.copied, u.note)
	}
	return nil
}

// unmark makes n bytes at off count as never written.
func (b *Block) unmark(off, n int64) {
	if b.Init == nil {
		b.Init = initBits(b.Size)
		for i := range b.Init {
			b.Init[i] = 0xff
		}
	}
	for i := off; i < off+n && i < b.Size; i++ {
		b.Init[i>>3] &^= 1 << (i & 7)
	}
}

// noteCopy remembers that the present statement has copied an uninitialized value of n bytes, on which the monitor has a
// note.
func (m *memory) noteCopy(b *Block, off, n int64, from *copied, note any) {
	m.forgetCopies(b, off, n)
	if len(m.spots) >= mostSpots {
		return
	}
	c := &copied{stmt: m.at(), size: n, from: from, deep: 1, note: note}
	if from != nil {
		if c.deep = from.deep + 1; c.deep > mostCopied || from.stmt == c.stmt {
			c.from, c.deep = nil, 1
		}
	}
	if m.spots == nil {
		m.spots = map[spot]*copied{}
	}
	m.spots[spot{b.ID, off}] = c
}

// copyAt returns the copy that put a value of n bytes at off, nil for none.
func (m *memory) copyAt(b *Block, off, n int64) *copied {
	for i := off - 7; i < off+n && len(m.spots) > 0; i++ {
		if c := m.spots[spot{b.ID, i}]; c != nil && i+c.size > off {
			return c
		}
	}
	return nil
}

// forgetCopies drops what is known of copies to n bytes at off.
func (m *memory) forgetCopies(b *Block, off, n int64) {
	if len(m.spots) == 0 {
		return
	}
	maps.DeleteFunc(m.spots, func(s spot, c *copied) bool { return s.block == b.ID && s.off < off+n && s.off+c.size > off })
}

// copyCopies takes along what is known of copies when n bytes are copied.
func (m *memory) copyCopies(d *Block, do int64, s *Block, so, n int64) {
	if len(m.spots) == 0 {
		return
	}
	moved := map[spot]*copied{}
	for at, c := range m.spots {
		if at.block == s.ID && at.off >= so && at.off+c.size <= so+n {
			moved[spot{d.ID, at.off - so + do}] = c
		}
	}
	m.forgetCopies(d, do, n)
	maps.Copy(m.spots, moved)
}
