package machine

import (
	"math"
	"math/big"
	"strings"

	"gulo/internal/ctype"
)

// This file is gcc's built-in functions that are no functions of the C library.

func init() {
	register(map[string]builtin{
		"alloca": libAlloca, "__builtin_alloca_with_align": libAlloca,
		"__builtin_unreachable": func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			return 0, m.fault(Unreachable, 0, "__builtin_unreachable is reached")
		},
		"__builtin_trap": func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			f := m.fault(Signalled, 0, "the program calls __builtin_trap")
			f.Number = sigILL
			return 0, f
		},
	})
	for _, op := range []string{"add", "sub", "mul"} {
		builtins["__builtin_"+op+"_overflow"] = libOverflow
		builtins["__builtin_"+op+"_overflow_p"] = libOverflow
		for _, t := range []string{"s", "sl", "sll", "u", "ul", "ull"} {
			builtins["__builtin_"+t[:1]+op+t[1:]+"_overflow"] = libOverflow
		}
	}
}

// libAlloca takes memory that lives as long as the caller.
func libAlloca(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.long(0)
	if n < 0 || n > 64<<20 {
		return 0, m.fault(BadLibraryCall, 0, "alloca of %d bytes", n)
	}
	align := int64(alignment)
	if len(c.args) > 1 { // __builtin_alloca_with_align, in bits
		align = c.long(1) / 8
	}
	b := m.newAligned(Stack, n, align)
	b.Init = initBits(n)
	b.Name = "memory of alloca"
	fr := &m.frames[len(m.frames)-1]
	fr.vlas = append(fr.vlas, b.ID)
	return b.Addr, nil
}

// libOverflow computes with infinite precision and reports whether the result
// does not fit.
func libOverflow(m *Machine, c *libCall) (ctype.Word, *Fault) {
	number := func(i int) *big.Int {
		if t := c.info.Types[i]; t.Signed {
			return big.NewInt(int64(c.arg(i)))
		}
		return new(big.Int).SetUint64(c.arg(i))
	}
	x, y := number(0), number(1)
	switch {
	case strings.Contains(c.name, "add"):
		x.Add(x, y)
	case strings.Contains(c.name, "sub"):
		x.Sub(x, y)
	default:
		x.Mul(x, y)
	}
	t := c.info.Types[2]
	if t.Kind == ctype.Pointer {
		t = t.Elem
	}
	low := new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	w := ctype.Wrap(t, low)
	back := new(big.Int).SetUint64(w)
	if t.Signed {
		back = big.NewInt(int64(w))
	}
	if strings.HasSuffix(c.name, "_p") {
		return b2w(back.Cmp(x) != 0), nil
	}
	return b2w(back.Cmp(x) != 0), m.store(c.arg(2), t, w)
}
