package session

import (
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/repair"
	"gulo/internal/target"
)

// This file is the stopped program as expressions see it that the session evaluates itself.

// memory is the stopped program as eval.Memory.
type memory struct {
	s        *drawing
	executes bool // it is for a statement of a patch, which may do what the statements of the program do
}

func (m memory) VarAddr(v *cfront.Var) (ctype.Word, bool) {
	if repair.IsTemp(v) {
		for i, t := range m.s.patch.Temps() {
			if t == v {
				return repair.TempAddr(i), true
			}
		}
	}
	if a, ok := m.s.img.VarAddr(v); ok {
		return a, true
	}
	u, ok := m.s.undrawn(v)
	return u.Addr, ok
}

func (m memory) Load(a ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	if w, ok := m.s.temps[a]; ok {
		return w, true
	}
	w, err := target.LoadScalar(m.s.tgt, a, t)
	return w, err == nil
}

func (m memory) Store(a ctype.Word, t *ctype.Type, w ctype.Word) bool {
	if a >= repair.TempAddr(0) {
		m.s.temps[a] = w
		return true
	}
	var b [8]byte
	if t.Place > 0 && !m.s.tgt.Read(a, b[:t.Size]) { // keep the bits beside a bit-field
		return false
	}
	ctype.Store(t, b[:], w)
	m.s.seen, m.s.shot = nil, nil
	return m.s.tgt.Write(a, b[:t.Size]) == nil
}

// Literal implements eval.Literals.
func (m memory) Literal(x *cfront.String) (ctype.Word, bool) {
	a, ok := m.s.tgt.Literal(x)
	if c, can := m.s.tgt.(target.Caller); can && !ok && m.executes { // an edit has a text that the program does not have
		return c.Text(x)
	}
	return a, ok
}

// CallLibrary implements eval.Library.
func (m memory) CallLibrary(f *cfront.Func, types []*ctype.Type, args []ctype.Word) (ctype.Word, error) {
	if c, ok := m.s.tgt.(target.Caller); ok && m.executes {
		m.s.seen, m.s.shot = nil, nil
		return c.CallLibrary(f, types, args)
	}
	return 0, fmt.Errorf("%w: a call of %s", eval.ErrSupport, f.Name)
}

// Malloc and Free implement eval.Heap.
func (m memory) Malloc(size int64, zero bool) (ctype.Word, error) {
	a, err := m.s.tgt.Alloc(size)
	if err == nil && zero {
		m.s.seen, m.s.shot = nil, nil
		err = m.s.tgt.Write(a, make([]byte, size))
	}
	return a, err
}

func (m memory) Free(a ctype.Word) error { return m.s.tgt.Free(a) }

// world is the stopped program as memory in which the program's functions can
// be interpreted, as the patch in force has them.
func (s *drawing) world() *eval.World {
	return s.worldFor(false)
}

// executing is the stopped program as statements of the patch see it: they may print, and have texts of their own.
func (s *drawing) executing() *eval.World { return s.worldFor(true) }

func (s *drawing) worldFor(executes bool) *eval.World {
	w := &eval.World{Heap: memory{s, executes}}
	s.patch.Patched(s.prog, w)
	return w
}
