package machine

import (
	"math/big"
	"slices"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/plural"
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
		return 0, m.fault(BadLibraryCall, 0, "alloca of %s", plural.N(n, "byte"))
	}
	align := int64(alignment)
	if len(c.args) > 1 { // __builtin_alloca_with_align, in bits
		align = c.long(1) / 8
	}
	b := m.newUnset(Stack, n, align)
	b.Name = "memory of alloca"
	fr := &m.frames[len(m.frames)-1]
	fr.vlas = append(fr.vlas, b.ID)
	return b.Addr, nil
}

// libOverflow computes with infinite precision and reports whether the result
// does not fit.
func libOverflow(m *Machine, c *libCall) (ctype.Word, *Fault) {
	x, f := bigInteger(m, c, 0)
	if f != nil {
		return 0, f
	}
	y, f := bigInteger(m, c, 1)
	if f != nil {
		return 0, f
	}
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
	var back *big.Int
	var low []byte
	if t.InMemory() {
		low = make([]byte, t.Size)
		rest := new(big.Int).And(x, mask(128))
		slices.Reverse(rest.FillBytes(low))
		back = integerOf(low, t.Signed)
	} else {
		low = make([]byte, 8)
		w := ctype.Wrap(t, new(big.Int).And(x, mask(64)).Uint64())
		ctype.Store(t, low, w)
		low = low[:t.Size]
		back = new(big.Int).SetUint64(w)
		if t.Signed {
			back = big.NewInt(int64(w))
		}
	}
	if strings.HasSuffix(c.name, "_p") {
		return b2w(back.Cmp(x) != 0), nil
	}
	return b2w(back.Cmp(x) != 0), m.putBytes(c.arg(2), low)
}

// mask returns the number whose low bits are ones, that many of them.
func mask(bits uint) *big.Int {
	one := big.NewInt(1)
	return new(big.Int).Sub(new(big.Int).Lsh(one, bits), one)
}

// bigInteger returns the value of an argument of integer type.
func bigInteger(m *Machine, c *libCall, i int) (*big.Int, *Fault) {
	t := c.info.Types[i]
	switch {
	case t.InMemory():
		b, f := m.operand(t, c.arg(i))
		if f != nil {
			return nil, f
		}
		return integerOf(b, t.Signed), nil
	case t.Signed:
		return big.NewInt(int64(c.arg(i))), nil
	}
	return new(big.Int).SetUint64(c.arg(i)), nil
}

// integerOf returns the integer that little-endian bytes represent.
func integerOf(b []byte, signed bool) *big.Int {
	b = slices.Clone(b)
	slices.Reverse(b)
	x := new(big.Int).SetBytes(b)
	if bits := uint(8 * len(b)); signed && x.Bit(int(bits)-1) == 1 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), bits))
	}
	return x
}
