package session

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/target"
)

// This file reads variables that are too large for the picture from the program's memory.

// undrawn finds a variable of the program that the picture leaves out, such as an array of more than a megabyte.
func (s *drawing) undrawn(v *cfront.Var) (target.Variable, bool) {
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

// undrawn finds a variable that the picture leaves out by its name; nil for none.
func (n *names) undrawn(s *drawing, name string) *cfront.Var {
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

// neverWritten reports whether some of these bytes were never written, as far as the target can tell. gdb's engine can
// tell it only for four bytes at a time.
func (s *drawing) neverWritten(a ctype.Word, size int64) bool {
	from := a &^ 3
	data := make([]byte, (a+ctype.Word(size)-from+3)&^3)
	if !s.tgt.Read(from, data) {
		return false
	}
	marks := s.tgt.Undefined(from, data)
	return marks != nil && slices.Contains(marks[a-from:a-from+ctype.Word(size)], true)
}

// tooLarge returns the name of the block or variable that contains an address, if the picture leaves it out for its
// size.
func (s *drawing) tooLarge(a ctype.Word) (string, bool) {
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
