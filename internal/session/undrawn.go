package session

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/repair"
	"gulo/internal/target"
)

// This file is memory that is too large for the picture: it is read where the program has it.

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

// undrawn finds a variable of the program that the picture leaves out, as it leaves out arrays of more than a
// megabyte.
func (s *Session) undrawn(v *cfront.Var) (target.Variable, bool) {
	if !s.started || s.stop.Reason == target.Exited {
		return target.Variable{}, false
	}
	for _, g := range s.tgt.Globals() {
		if g.Var == v {
			return g, true
		}
	}
	if frames, err := s.tgt.Frames(); err == nil && s.frame < len(frames) {
		for _, l := range frames[s.frame].Vars {
			if l.Var == v {
				return l, true
			}
		}
	}
	return target.Variable{}, false
}

// undrawn finds such a variable by its name.
func (n *names) undrawn(s *Session, name string) *cfront.Var {
	st := s.standing()
	if st == nil {
		return nil
	}
	v, ok := s.undrawn(s.named(st)(name))
	if !ok {
		return nil
	}
	w := &cfront.Var{Name: name, Type: v.TypeOf(), Storage: cfront.Local}
	n.at[w] = v.Addr
	return w
}

// neverWritten reports whether nothing was written to some of these bytes, as far as the engine can tell: gdb's looks
// at four at a time.
func (s *Session) neverWritten(a ctype.Word, size int64) bool {
	from := a &^ 3
	data := make([]byte, (a+ctype.Word(size)-from+3)&^3)
	if !s.tgt.Read(from, data) {
		return false
	}
	marks := s.tgt.Undefined(from, data)
	return marks != nil && slices.Contains(marks[a-from:a-from+ctype.Word(size)], true)
}

// tooLarge says what memory of the program an address is in that the picture leaves out.
func (s *Session) tooLarge(a ctype.Word) (string, bool) {
	for i := range s.img.Large {
		switch l := &s.img.Large[i]; {
		case a-l.Addr >= ctype.Word(l.Size):
		case l.Name != "":
			return l.Name, true
		default:
			return "a block of " + l.String(), true
		}
	}
	return "", false
}
