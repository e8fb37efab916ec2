package machine

import (
	"gulo/internal/cfront"
	"slices"

	"gulo/internal/ctype"
	"gulo/internal/ir"
)

// This file is what a debugger needs of the machine.

// RunUntil runs until stop returns true at the start of a statement; with a nil
// stop it runs to the end. stop is also called for statements of library
// functions written in C and of child processes; library is true for these.
func (m *Machine) RunUntil(stop func(stmt int32, library bool) bool) *Fault {
	if stop == nil {
		return m.exec(nil)
	}
	return m.exec(func(s int32) bool { return stop(s, m.library(s) || m.InChild()) })
}

// MarkDepth starts recording the lowest call depth, which LowDepth returns.
func (m *control) MarkDepth() { m.low = len(m.frames) }

// LowDepth returns the fewest active calls since MarkDepth.
func (m *control) LowDepth() int { return m.low }

// CurrentStmt returns the statement about to start, 0 when the machine is in
// the middle of one.
func (m *control) CurrentStmt() int32 {
	if m.exited || m.fn == nil || m.pc >= len(m.fn.code) {
		return 0
	}
	if x := m.fn.code[m.pc]; x.op == oStmt || x.op == oAgain && m.stmtID != x.stmt {
		return x.stmt
	}
	return 0
}

// StmtAt returns the statement that the active call at a depth, from 1, has begun.
func (m *control) StmtAt(depth int) int32 { return m.frames[depth-1].stmt }

// FrameInfo describes an active call.
type FrameInfo struct {
	Func    *ir.Func
	Stmt    int32
	Serial  int
	Library bool
	frame   int
}

// Calls returns the active calls, innermost first.
func (m *control) Calls() []FrameInfo {
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
func (m *memory) ObjectAddr(c FrameInfo, object int) ctype.Word {
	fr := &m.frames[c.frame]
	return ctype.MakePointer(m.object(fr, object).ID, 0)
}

// Array returns the memory of a variable-length array of an active call. Register r holds its
// address; ok is false while the array has no memory yet.
func (m *memory) Array(c FrameInfo, r ir.Reg) (a ctype.Word, size int64, ok bool) {
	fr := &m.frames[c.frame]
	a = m.regs[fr.base+int(r)]
	id, _ := ctype.SplitPointer(a)
	if b := m.Block(id); b != nil && slices.Contains(fr.vlas, id) {
		return a, b.Size, true
	}
	return 0, 0, false
}

// Stacked calls yield for the blocks of the stack that an active call has: variables, compound literals, arrays of variable
// length and what alloca gave.
func (m *memory) Stacked(c FrameInfo, yield func(addr ctype.Word, size int64)) {
	fr := &m.frames[c.frame]
	for _, ids := range [2][]uint32{fr.objs, fr.vlas} {
		for _, id := range ids {
			if b := m.Block(id); id != 0 && b != nil && !b.Freed {
				yield(b.Addr, b.Size)
			}
		}
	}
}

// GotoBlock makes instruction at of a block the next one of the innermost call.
func (m *control) GotoBlock(block, at int32) {
	p := m.fn.place[block]
	if int(at) < len(p) {
		m.pc = int(p[at])
	} else {
		m.pc = int(m.fn.start[block])
	}
}

// SetResult makes w the result of the innermost call. It reports false if that
// call is not just about to return a value.
func (m *control) SetResult(w ctype.Word) bool {
	r, ok := m.resultReg()
	if ok {
		*r = w
	}
	return ok
}

// Result returns what the innermost call is about to return; false if it is not about to return a value.
func (m *control) Result() (ctype.Word, bool) {
	r, ok := m.resultReg()
	if !ok {
		return 0, false
	}
	return *r, true
}

// ResultAddr returns where the innermost call puts what it returns, if that is no scalar.
func (m *control) ResultAddr() (ctype.Word, bool) {
	fr := &m.frames[len(m.frames)-1]
	if fr.fn.ir.SRet == ir.NoReg {
		return 0, false
	}
	return m.regs[fr.base+int(fr.fn.ir.SRet)], true
}

func (m *control) resultReg() (*ctype.Word, bool) {
	for pc := m.pc; pc < len(m.fn.code); pc++ {
		switch in := m.fn.code[pc]; in.does() {
		case oStmt, oAgain, oNop:
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
func (m *memory) FuncAddr(i int32) ctype.Word { return m.funcAddr(i) }

// FuncName returns the name of the function at an address, or that of a label whose address is taken: &&again.
func (m *memory) FuncName(w ctype.Word) string {
	b, off := m.Find(w)
	if b != nil && b.Kind == Code && off == 0 {
		return b.Name
	}
	if id, off := ctype.SplitPointer(w); off > 0 {
		if i, ok := m.fnOf[id]; ok {
			if f, ok := m.funcs[i].ir.Decl.(*cfront.Func); ok && int(off) <= len(f.LabelAddrs) {
				return "&&" + f.LabelAddrs[off-1]
			}
		}
	}
	return ""
}

// AnyStream is the name of every stream that is not one of the three standard streams.
const AnyStream = "FILE"

// StreamName returns the name of the open stream that w points to: stdin, stdout, stderr or AnyStream;
// "" if w points to none.
func (m *Machine) StreamName(w ctype.Word) string {
	id, off := ctype.SplitPointer(w)
	if _, ok := m.lib.stdio.files[id]; !ok || off != 0 {
		return ""
	}
	for i, n := range [...]string{"stdin", "stdout", "stderr"} {
		if m.lib.stdio.std[i] == w {
			return n
		}
	}
	return AnyStream
}

// Environment returns where the vector of environment strings is; 0 until somebody has asked for it.
func (m *Machine) Environment() ctype.Word { return m.lib.variables.env }

// Stream returns a pointer to the stream of that name; for AnyStream a new one that is empty.
func (m *Machine) Stream(name string) (ctype.Word, bool) {
	if w, ok := m.lib.libraryVariable(name); ok && m.StreamName(w) == name {
		return w, true
	}
	if name != AnyStream {
		return 0, false
	}
	w, f := libTmpfile(m, &libCall{})
	return w, f == nil
}

// Innermost describes the innermost active call.
func (m *control) Innermost() FrameInfo {
	i := len(m.frames) - 1
	return FrameInfo{Func: m.frames[i].fn.ir, Serial: i, frame: i}
}

// Peek reads a scalar that is in one live object and was written.
func (m *memory) Peek(w ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	b, off := m.Find(w)
	if b == nil || b.Freed || b.Kind == Code || off < 0 || off+t.Size > b.Size || !b.initialized(off, t.Size) {
		return 0, false
	}
	return ctype.Load(t, b.Data[off:]), true
}

// Writable reports whether n bytes at w lie in one live object that may be written.
func (m *memory) Writable(w ctype.Word, n int64) bool {
	b, off := m.Find(w)
	return b != nil && !b.Freed && !b.ReadOnly && b.Kind != Code && off >= 0 && off+n <= b.Size
}

// SkipMark steps over a mark that an overlay set; see Mark.
func (m *control) SkipMark() { m.pc++ }
