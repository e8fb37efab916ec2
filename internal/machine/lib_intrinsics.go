package machine

import (
	"gulo/internal/ctype"
	"gulo/internal/x86"
)

// This file is gcc's built-in functions for the instructions of x86.

func init() {
	for name, x := range x86.Intrinsics {
		builtins["__builtin_ia32_"+name] = func(m *Machine, c *libCall) (ctype.Word, *Fault) { return libIntrinsic(m, c, x) }
	}
	builtins["__builtin_ia32_rdtsc"] = func(m *Machine, _ *libCall) (ctype.Word, *Fault) { return nextTick(m), nil }
}

// nextTick is the counter of rdtsc: it grows with each step, and with each time that it is read.
func nextTick(m *Machine) ctype.Word {
	m.lib.ticks++
	return ctype.Word(m.steps) + m.lib.ticks
}

func libIntrinsic(m *Machine, c *libCall, x x86.Intrinsic) (ctype.Word, *Fault) {
	from := 0
	if len(x.Result) == 1 || x.Stores > 0 { // the first argument is where the result goes
		from = 1
	}
	var args [][]byte
	for i := from; i < len(c.args); i++ {
		var b []byte
		var f *Fault
		if x.Loads > 0 && i == len(c.args)-1 {
			b, f = m.bytes(c.arg(i), x.Loads, true)
		} else {
			b, f = m.operand(c.info.Types[i], c.arg(i))
		}
		if f != nil {
			return 0, f
		}
		args = append(args, b)
	}
	v := x.Do(args)
	switch {
	case x.Stores > 0:
		return 0, m.putBytes(c.arg(0), v[:x.Stores])
	case from == 1:
		return c.arg(0), m.putBytes(c.arg(0), v)
	case v == nil:
		return 0, nil
	}
	return ctype.Load(ctype.ULongT, v), nil
}
