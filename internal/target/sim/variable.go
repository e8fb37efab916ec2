package sim

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/machine"
	"gulo/internal/target"
)

// This file is types of variable size: how large they are in a call is kept in variables that nobody names.

// noteWhole keeps what the innermost call, at its end, returns that is no scalar.
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

// kept reads such variables.
func (t *Target) kept(c machine.FrameInfo, list []*cfront.Var) []int64 {
	var out []int64
	for _, v := range list {
		n := int64(0)
		for i, o := range c.Func.Objects {
			if o.Var == any(v) {
				var buf [8]byte
				if t.m.Read(t.m.ObjectAddr(c, i), buf[:v.Type.Size]) {
					n = int64(ctype.Load(v.Type, buf[:]))
				}
			}
		}
		out = append(out, n)
	}
	return out
}

// placed is the type of a struct or union with members of variable size; nil where they are not known.
func (t *Target) placed(c machine.FrameInfo, v *cfront.Var, size int64) *ctype.Type {
	var fields []ctype.Field
	for _, p := range v.VLAParts {
		f := p.Field
		if p.Off != nil {
			f.Offset = t.kept(c, []*cfront.Var{p.Off})[0]
		}
		if n := t.kept(c, p.Sizes); len(n) > 0 {
			f.Type = target.Sized(f.Type, n[0], n[1:])
		}
		fields = append(fields, f)
	}
	return target.Placed(v.Type, size, fields)
}
