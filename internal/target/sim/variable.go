package sim

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/machine"
	"gulo/internal/target"
)

// This file is types of variable size: how large they are in a call is kept in variables that nobody names.

// noteWhole notes what the innermost call, which is at its end, returns, if that is no scalar.
func (t *Target) noteWhole() {
	c := t.m.Innermost()
	f, ok := c.Func.Decl.(*cfront.Func)
	if !ok || !f.Type.Result.InMemory() {
		return
	}
	data := make([]byte, f.Type.Result.Size)
	if a, ok := t.m.ResultAddr(); ok && t.m.Read(a, data) {
		t.whole = &target.Whole{Data: data, Undef: t.Undefined(a, data)}
	}
}

// kept reads a variable that keeps a size in a call; ok is false where it cannot.
func (t *Target) kept(c machine.FrameInfo, v *cfront.Var) (int64, bool) {
	for i, o := range c.Func.Objects {
		if o.Var == any(v) {
			var buf [8]byte
			ok := t.m.Read(t.m.ObjectAddr(c, i), buf[:v.Type.Size])
			return int64(ctype.Load(v.Type, buf[:])), ok
		}
	}
	return 0, false
}

// fitted returns the type of a variable in a call, nil where it is not known. size is taken for those of its arrays whose
// size is not kept in a variable.
func (t *Target) fitted(c machine.FrameInfo, v *cfront.Var, size int64) *ctype.Type {
	return t.fitter.Type(v.Varying, func(a *cfront.Varying, elem int64) int64 {
		n := size
		if a.Bytes != nil {
			var ok bool
			if n, ok = t.kept(c, a.Bytes); !ok {
				return -1
			}
		}
		if elem <= 0 || n%elem != 0 {
			return -1
		}
		return n / elem
	})
}
