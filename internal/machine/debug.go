package machine

import (
	"slices"

	"gulo/internal/ctype"
	"gulo/internal/ir"
)

// This file is what a debugger needs of the machine.

// RunUntil runs until stop returns true at the start of a statement of the
// program; nil means to the end. Library functions that are written in C are called through
// too; library tells them apart.
func (m *Machine) RunUntil(stop func(stmt int32, library bool) bool) *Fault {
	if stop == nil {
		return m.exec(nil)
	}
	return m.exec(func(s int32) bool { return stop(s, m.library(s)) })
}

// MarkDepth starts watching how far calls return; LowDepth tells.
func (m *Machine) MarkDepth() { m.low = len(m.frames) }

// LowDepth returns the fewest active calls since MarkDepth.
func (m *Machine) LowDepth() int { return m.low }

// CurrentStmt returns the statement about to start, 0 when the machine is in
// the middle of one.
func (m *Machine) CurrentStmt() int32 {
	if m.exited || m.fn == nil || m.pc >= len(m.fn.code) {
		return 0
	}
	if x := m.fn.code[m.pc]; x.op == oStmt {
		return x.stmt
	}
	return 0
}

// StmtAt returns the statement that the active call at a depth, from 1, has begun.
func (m *Machine) StmtAt(depth int) int32 { return m.frames[depth-1].stmt }

// FrameInfo describes an active call, innermost first.
type FrameInfo struct {
	Func    *ir.Func
	Stmt    int32
	Serial  int
	Library bool
	frame   int
}

// Calls returns the active calls, innermost first.
func (m *Machine) Calls() []FrameInfo {
	var out []FrameInfo
	for i := len(m.frames) - 1; i >= 0; i-- {
		fr := &m.frames[i]
		s := fr.stmt
		if i == len(m.frames)-1 {
			if s = m.CurrentStmt(); s == 0 {
				s = m.at()
			}
		}
		lib := len(fr.fn.code) > 0 && m.library(fr.fn.code[0].stmt)
		out = append(out, FrameInfo{Func: fr.fn.ir, Stmt: s, Serial: i, Library: lib, frame: i})
	}
	return out
}

// ObjectAddr returns the address of a variable of an active call.
func (m *Machine) ObjectAddr(c FrameInfo, object int) ctype.Word {
	fr := &m.frames[c.frame]
	return ctype.MakePointer(m.object(fr, object).ID, 0)
}

// GotoBlock makes instruction at of a block the next one of the innermost call.
func (m *Machine) GotoBlock(block, at int32) {
	p := m.fn.place[block]
	if int(at) < len(p) {
		m.pc = int(p[at])
	} else {
		m.pc = int(m.fn.start[block])
	}
}

// SetResult makes w what the innermost call returns, when the next thing it
// does is to return.
func (m *Machine) SetResult(w ctype.Word) bool {
	r, ok := m.resultReg()
	if ok {
		*r = w
	}
	return ok
}

// Result returns what the innermost call is about to return.
func (m *Machine) Result() (ctype.Word, bool) {
	r, ok := m.resultReg()
	if !ok {
		return 0, false
	}
	return *r, true
}

func (m *Machine) resultReg() (*ctype.Word, bool) {
	for pc := m.pc; pc < len(m.fn.code); pc++ {
		switch in := m.fn.code[pc]; in.op {
		case oStmt, oNop:
		case oRet:
			if in.a < 0 {
				return nil, false
			}
			return &m.regs[m.frames[len(m.frames)-1].base+int(in.a)], true
		default:
			return nil, false
		}
	}
	return nil, false
}

// FuncAddr returns the address of a function of the ir.
func (m *Machine) FuncAddr(i int32) ctype.Word { return m.funcAddr(i) }

// FuncName returns the name of the function at an address.
func (m *Machine) FuncName(w ctype.Word) string {
	id, off := ctype.SplitPointer(w)
	if b := m.Block(id); b != nil && b.Kind == Code && off == 0 {
		return b.Name
	}
	return ""
}

// State is a copy of everything a run changes.
type State struct {
	m      Machine
	lib    library
	random glibcRandom
	blocks []*Block // contents; parallel to the ids in ids; heap blocks are shared by states between which they did not change
	ids    []uint32
	made   int // blocks that were, and so how many ids are taken
	size   int // of all contents that a run can change
	own    int // bytes that no earlier state shares
}

// Save copies the state of the machine.
func (m *Machine) Save() *State {
	s := &State{m: *m, lib: *m.lib, random: *m.lib.random}
	s.random.s = append([]uint32(nil), m.lib.random.s...)
	s.lib.saveFiles(m.lib)
	s.lib.out = append([]byte(nil), m.lib.out...)
	s.m.blocks, s.m.heap, s.m.soiled, s.made = nil, nil, nil, len(m.blocks)
	s.m.regs = append([]ctype.Word(nil), m.regs...)
	s.m.atexit = append([]ctype.Word(nil), m.atexit...)
	s.m.frames = copyFrames(nil, m.frames)
	s.ids = make([]uint32, 0, len(m.blocks))
	s.blocks = make([]*Block, 0, len(m.blocks))
	for id, b := range m.blocks {
		if b == nil {
			continue
		}
		c := b.kept
		if c == nil {
			c = b.copy()
			s.own += perBlock + len(c.Data) + len(c.Init)
		}
		if b.Kind == Heap {
			b.kept, b.clean = c, true
		}
		if !b.ReadOnly {
			s.size += len(b.Data) + len(b.Init)
		}
		s.ids = append(s.ids, uint32(id))
		s.blocks = append(s.blocks, c)
	}
	return s
}

// copy returns a block as it is now, for a state.
func (b *Block) copy() *Block {
	c := *b
	if !b.ReadOnly {
		c.Data = append([]byte(nil), b.Data...)
		c.Init = append([]byte(nil), b.Init...)
	}
	if b.Init == nil {
		c.Init = nil
	}
	c.clean, c.noted = false, false
	return &c
}

// Bytes is about how much memory a state takes.
func (s *State) Bytes() int64 { return int64(s.own) + 12*int64(len(s.blocks)) }

// Peek reads a scalar of a saved state that was in one live object and written.
func (s *State) Peek(w ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	id, o := ctype.SplitPointer(w)
	i, ok := slices.BinarySearch(s.ids, id)
	if !ok {
		return 0, false
	}
	b, off := s.blocks[i], int64(o)
	if b.Freed || b.Kind == Code || off < 0 || off+t.Size > b.Size || !b.initialized(off, t.Size) {
		return 0, false
	}
	return ctype.Load(t, b.Data[off:]), true
}

// copyFrames copies frames into those of out, whose room is used again.
func copyFrames(out, in []frame) []frame {
	old := out[:cap(out)]
	out = slices.Grow(out[:0], len(in))[:len(in)]
	for i := range in {
		var objs []uint32
		if i < len(old) {
			objs = old[i].objs[:0]
		}
		out[i] = in[i]
		out[i].objs = append(objs, in[i].objs...)
		out[i].extra = append([]ctype.Word(nil), out[i].extra...)
		out[i].vlas = append([]uint32(nil), out[i].vlas...)
	}
	return out
}

// Restore brings back a saved state; the state can be restored again. What the machine has
// allocated for calls is used again: most runs are short.
func (m *Machine) Restore(s *State) {
	tr, lib, cfg, laid := m.tr, m.lib, m.cfg, m.overlays
	regs, frames, blocks := m.regs, m.frames, m.blocks
	*m = s.m
	m.tr, m.lib, m.cfg, m.overlays = tr, lib, cfg, laid
	in := lib.in
	*m.lib = s.lib
	m.lib.in, m.lib.m = in, m
	m.lib.saveFiles(&s.lib)
	m.lib.out = append([]byte(nil), s.lib.out...)
	r := s.random
	r.s = append([]uint32(nil), s.random.s...)
	m.lib.random = &r
	m.regs = append(regs[:0], s.m.regs...)
	m.atexit = append([]ctype.Word(nil), s.m.atexit...)
	m.frames = copyFrames(frames, s.m.frames)
	clear(blocks)
	m.blocks = slices.Grow(blocks[:0], s.made)[:s.made]
	clear(m.blocks)
	m.heap = nil
	copies := make([]Block, len(s.blocks))
	data := make([]byte, 0, s.size)
	room := func(from []byte) []byte {
		n := len(data)
		data = append(data, from...)
		return data[n:len(data):len(data)]
	}
	for i, id := range s.ids {
		b := &copies[i]
		*b = *s.blocks[i]
		if !b.ReadOnly {
			b.Data = room(b.Data)
			if b.Init != nil {
				b.Init = room(b.Init)
			}
		}
		m.blocks[id] = b
		if b.Kind == Heap {
			b.kept, b.clean = s.blocks[i], true
			m.heap = append(m.heap, b)
		}
	}
	m.soiled, m.noting = nil, false
	for _, f := range m.funcs {
		for i := range f.pool {
			f.pool[i] = nil
		}
	}
}

// Innermost describes the innermost active call.
func (m *Machine) Innermost() FrameInfo {
	i := len(m.frames) - 1
	return FrameInfo{Func: m.frames[i].fn.ir, Serial: i, frame: i}
}

// Peek reads a scalar that is in one live object and was written.
func (m *Machine) Peek(w ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	id, o := ctype.SplitPointer(w)
	b := m.Block(id)
	off := int64(o)
	if b == nil || b.Freed || b.Kind == Code || off < 0 || off+t.Size > b.Size || !b.initialized(off, t.Size) {
		return 0, false
	}
	return ctype.Load(t, b.Data[off:]), true
}

// Writable reports whether n bytes at w lie in one live object.
func (m *Machine) Writable(w ctype.Word, n int64) bool {
	id, o := ctype.SplitPointer(w)
	b := m.Block(id)
	off := int64(o)
	return b != nil && !b.Freed && !b.ReadOnly && b.Kind != Code && off >= 0 && off+n <= b.Size
}

// SkipMark goes on behind a mark that an overlay set, see Mark.
func (m *Machine) SkipMark() { m.pc++ }
