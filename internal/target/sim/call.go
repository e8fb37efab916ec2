package sim

import (
	"errors"
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/target"
)

// This file calls functions of the library from outside of the program.

// texts are string literals that were added to the program, by their bytes.
type texts map[string]ctype.Word

// Text implements target.Caller.
func (t *Target) Text(s *cfront.String) (ctype.Word, bool) {
	if t.m == nil {
		return 0, false
	}
	if a, ok := t.texts[string(s.Bytes)]; ok {
		return a, true
	}
	a := t.m.Allocate(int64(len(s.Bytes)))
	if err := t.Write(a, s.Bytes); err != nil {
		return 0, false
	}
	if t.texts == nil {
		t.texts = texts{}
	}
	t.texts[string(s.Bytes)] = a
	return a, true
}

// CallLibrary implements target.Caller.
func (t *Target) CallLibrary(f *cfront.Func, types []*ctype.Type, args []ctype.Word) (ctype.Word, error) {
	if t.m == nil || t.ended {
		return 0, target.ErrEnded
	}
	before, err := t.Save()
	if err != nil {
		return 0, err
	}
	w, fault := t.m.CallLibrary(f, types, args)
	_, exited := t.m.Exited()
	switch {
	case fault != nil:
		err = errors.New(fault.Message)
	case exited:
		err = fmt.Errorf("the program ends in %s", f.Name)
	default:
		return w, nil
	}
	return 0, errors.Join(err, t.Restore(before))
}
