package machine

import (
	"fmt"

	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/lower"
)

// This file runs edited programs without linking them again: the code of an
// edit is laid over the function's own and taken away after the run. It also
// enters functions other than main, with a heap that somebody else has built.

// overlayRegs is how many registers overlays of a function may use.
const overlayRegs = 256

// laid remembers what an overlay changed.
type laid struct {
	c    *code
	at   int32
	old  inst
	size int
}

// Overlay lays an edit over its function. Edits that are laid later come
// first where both stand at one place. Precondition: Config.Overlays.
func (m *loaded) Overlay(o *lower.Overlay) error {
	c := m.funcs[o.Func]
	if o.Code.NumRegs > c.nregs {
		return fmt.Errorf("the edit of %s needs too many registers", c.name)
	}
	c.own()
	at := c.place[o.Block][o.At]
	l := laid{c, at, c.code[at], len(c.code)}
	begin := int32(len(c.code))
	for _, k := range o.Code.Consts {
		c.code = append(c.code, inst{op: oConst, dst: int32(k.Reg), imm: int64(k.Value)})
	}
	start := make([]int32, int32(len(o.Code.Blocks))-o.Entry)
	for i, b := range o.Code.Blocks[o.Entry:] {
		start[i] = int32(len(c.code))
		if o.Entry+int32(i) == o.Leave {
			c.code = m.leave(c, o, l)
			continue
		}
		for j := range b.Instrs {
			in := &b.Instrs[j]
			if in.Start && m.cfg.Debug && in.Stmt != 0 {
				c.code = append(c.code, inst{op: oStmt, stmt: in.Stmt})
			}
			if in.Again && m.cfg.Debug && in.Stmt != 0 {
				c.code = append(c.code, inst{op: oAgain, stmt: in.Stmt})
			}
			if in.Op == ir.Nop && in.T == nil {
				continue
			}
			x := m.translate(in)
			if x.op == oJump || x.op == oBranch {
				x.target |= unresolved
				x.other |= unresolved
			}
			c.code = append(c.code, x)
		}
	}
	resolve := func(t int32) int32 {
		if t &^= unresolved; t >= o.Entry {
			return start[t-o.Entry]
		}
		return c.start[t]
	}
	for i := begin; i < int32(len(c.code)); i++ {
		if x := &c.code[i]; (x.op == oJump || x.op == oBranch) && x.target&unresolved != 0 {
			x.target, x.other = resolve(x.target), resolve(x.other)
		}
	}
	c.code[at] = inst{op: oJump, target: begin, stmt: l.old.stmt}
	c.holdAgain()
	m.overlays = append(m.overlays, l)
	return nil
}

const unresolved = int32(1) << 30

// leave appends what is executed when an overlay is done.
func (m *loaded) leave(c *code, o *lower.Overlay, l laid) []inst {
	if o.Insert {
		return append(c.code, l.old, inst{op: oJump, target: l.at + 1})
	}
	return append(c.code, inst{op: oJump, target: c.place[o.To][o.ToAt]})
}

// RemoveOverlays takes all overlays away.
func (m *loaded) RemoveOverlays() {
	for i := len(m.overlays) - 1; i >= 0; i-- {
		l := m.overlays[i]
		l.c.code[l.at] = l.old
		l.c.code = l.c.code[:l.size]
		l.c.holdAgain()
	}
	m.overlays = m.overlays[:0]
}

// Enter calls a function of the program; Run then ends when it returns, and
// Returned has its result. Precondition: Config.Idle, and no function is active.
func (m *memory) Enter(fn int32, args []ctype.Word) error {
	m.entryArgs = append([]ctype.Word(nil), args...)
	if f := m.push(m.funcs[fn], args, -1, 0); f != nil {
		return f
	}
	return nil
}

// EntryArgs returns what Enter was called with.
func (m *control) EntryArgs() []ctype.Word { return m.entryArgs }

// useRoom takes over the memory that another machine has allocated for registers, frames and
// blocks. The other one must not be used again.
func (m *memory) useRoom(o *Machine) {
	if cap(o.regs) > cap(m.regs) {
		m.regs = append(o.regs[:0], m.regs...)
	}
	if cap(o.frames) > cap(m.frames) {
		m.frames = append(o.frames[:0], m.frames...)
	}
	if cap(o.blocks) > cap(m.blocks) {
		clear(o.blocks)
		m.blocks = append(o.blocks[:0], m.blocks...)
	}
	for i, c := range m.funcs {
		if i >= len(o.funcs) || o.funcs[i].ir != c.ir {
			continue
		}
		for k := range c.pool {
			if len(c.pool[k]) == 0 && k < len(o.funcs[i].pool) {
				c.pool[k], o.funcs[i].pool[k] = o.funcs[i].pool[k], nil // a block is in one pool
			}
		}
	}
}

// Adopt makes the machine continue in the state of another one of the same
// program and configuration, which must not be used again.
func (m *Machine) Adopt(o *Machine) {
	if len(m.overlays) == 0 && m.tr == nil && o.tr == nil { // it becomes that one
		cfg, in := m.cfg, m.lib.stdio.in
		cfg.Args = o.cfg.Args
		o.useRoom(m)
		*m = *o
		m.cfg, m.lib.stdio.in, m.lib.m = cfg, in, m
		m.lib.attach(m)
		if m.procs != nil {
			m.procs.m = m
		}
		return
	}
	funcs, lib, laid := m.funcs, m.lib, m.overlays
	s := o.Save()
	for i, fr := range s.m.frames {
		for k, c := range o.funcs {
			if c == fr.fn {
				s.m.frames[i].fn = funcs[k]
			}
		}
	}
	if n := len(s.m.frames); n > 0 {
		s.m.fn = s.m.frames[n-1].fn
	}
	s.m.funcs, s.m.isLib = funcs, m.isLib
	m.lib, m.overlays = lib, laid
	m.cfg.Args = o.cfg.Args
	m.Restore(s)
	m.lib.stdio.files, m.lib.stdio.closed = o.lib.stdio.files, o.lib.stdio.closed
}

// Unread returns how many bytes of standard input were read from Config.Stdin but
// not by the program.
func (m *Machine) Unread() int { return m.lib.stdio.in.Buffered() }

// PutBack returns how many bytes of standard input were read and put back, as scanf does with
// what does not belong to a number.
func (m *Machine) PutBack() int { return len(m.lib.stdio.standard[0].unget) }

// Reread makes the machine take what comes next from Config.Stdin.
func (m *Machine) Reread() { m.lib.stdio.in.Reset(m.cfg.Stdin) }

// ResetInput makes the machine read its standard input anew.
func (m *Machine) ResetInput() {
	m.lib.stdio.in.Reset(m.cfg.Stdin)
	m.lib.stdio.standard[0].eof, m.lib.stdio.standard[0].unget = false, nil
}

// Returned returns what the outermost function returned.
func (m *control) Returned() ctype.Word { return m.result }

// SetLimit bounds the instructions that may be executed from now on.
func (m *control) SetLimit(n int64) { m.cfg.MaxSteps = m.steps + n }

// SetOutputLimit bounds the bytes that may have been written to standard output
// in all.
func (m *loaded) SetOutputLimit(n int64) { m.cfg.MaxOutput = n }

// Allocate makes an object outside of the heap, which is initialized to zero.
func (m *memory) Allocate(size int64) ctype.Word {
	return ctype.MakePointer(m.newBlock(Global, size).ID, 0)
}

// Forget makes bytes count as never written.
func (m *memory) Forget(w ctype.Word, n int64) {
	id, off := ctype.SplitPointer(w)
	b := m.Block(id)
	if b == nil {
		return
	}
	if b.clean {
		var f *Fault
		if b, f = m.soil(b, 0, 0); f != nil {
			return
		}
	}
	b.unmark(int64(off), n)
	m.forgetCopies(b, int64(off), n)
}

// Mark makes RunUntil stop before an instruction of a function, with the number
// given (a negative one, so that it is no statement). It is taken away like an
// overlay.
func (m *loaded) Mark(fn, block, at, number int32) {
	c := m.funcs[fn]
	c.own()
	p := c.place[block][at]
	l := laid{c, p, c.code[p], len(c.code)}
	c.code = append(c.code, inst{op: oStmt, stmt: number}, l.old, inst{op: oJump, target: p + 1})
	c.code[p] = inst{op: oJump, target: int32(l.size), stmt: l.old.stmt}
	c.holdAgain()
	m.overlays = append(m.overlays, l)
}
