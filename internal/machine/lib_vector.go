package machine

import (
	"gulo/internal/ctype"
)

// This file is gcc's builtin functions on vectors, and those about the stack.

func init() {
	register(map[string]builtin{
		"__builtin_shuffle": libShuffle, "__builtin_shufflevector": libShuffleVector, "__builtin_convertvector": libConvertVector,
		"__builtin_return_address": libStackAddress, "__builtin_frame_address": libStackAddress, "__builtin_stack_address": libStackAddress,
		"__builtin_bswap128": libBswap128,
	})
	each("powi", func(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
		k := wideFirst(t)
		x, f := realArg(m, c, k, t)
		if f != nil {
			return 0, f
		}
		// As libgcc multiplies: by squaring, the reciprocal last.
		n := c.int(k + 1)
		neg := n < 0
		if neg {
			n = -n
		}
		op := func(o ctype.Op, a, b ctype.Ext) ctype.Ext {
			out, _ := ctype.WideBinary(o, t, t, realBytes(t, a), realBytes(t, b))
			out, _ = ctype.WideConvert(t, ctype.LongDoubleT, out)
			return ctype.LoadExt(out)
		}
		one := ctype.ExtOfFloat(1)
		r := one
		if n&1 == 1 {
			r = x
		}
		for n >>= 1; n > 0; n >>= 1 {
			x = op(ctype.Mul, x, x)
			if n&1 == 1 {
				r = op(ctype.Mul, r, x)
			}
		}
		if neg {
			r = op(ctype.Div, one, r)
		}
		return giveComplex(m, c, t, realBytes(t, r))
	})
	for suffix := range realTypes {
		builtins["__builtin_powi"+suffix] = builtins["powi"+suffix]
		delete(builtins, "powi"+suffix)
	}
}

// vectorElements splits a vector argument into its elements.
func vectorElements(m *Machine, c *libCall, i int) (t *ctype.Type, out [][]byte, f *Fault) {
	t = c.info.Types[i]
	b, f := m.operand(t, c.arg(i))
	if f != nil {
		return nil, nil, f
	}
	for k := int64(0); k < t.Size; k += t.Elem.Size {
		out = append(out, append([]byte(nil), b[k:k+t.Elem.Size]...))
	}
	return t, out, nil
}

func giveVector(m *Machine, c *libCall, parts [][]byte) (ctype.Word, *Fault) {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return c.arg(0), m.putBytes(c.arg(0), all)
}

// libShuffle picks elements of one vector or two by a mask; the indices wrap.
func libShuffle(m *Machine, c *libCall) (ctype.Word, *Fault) {
	var from [][]byte
	last := len(c.args) - 1
	for i := 1; i < last; i++ {
		_, v, f := vectorElements(m, c, i)
		if f != nil {
			return 0, f
		}
		from = append(from, v...)
	}
	mt, mask, f := vectorElements(m, c, last)
	if f != nil {
		return 0, f
	}
	var out [][]byte
	for _, b := range mask {
		out = append(out, from[ctype.Load(mt.Elem, b)&ctype.Word(len(from)-1)])
	}
	return giveVector(m, c, out)
}

func libShuffleVector(m *Machine, c *libCall) (ctype.Word, *Fault) {
	_, from, f := vectorElements(m, c, 1)
	if f != nil {
		return 0, f
	}
	_, more, f := vectorElements(m, c, 2)
	if f != nil {
		return 0, f
	}
	from = append(from, more...)
	var out [][]byte
	for i := 3; i < len(c.args); i++ {
		k := c.long(i)
		if k < 0 {
			k = 0 // any value will do
		}
		if k >= int64(len(from)) {
			return 0, m.fault(BadLibraryCall, 0, "%s: there is no element %d", c.name, k)
		}
		out = append(out, from[k])
	}
	return giveVector(m, c, out)
}

func libConvertVector(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t, v, f := vectorElements(m, c, 1)
	if f != nil {
		return 0, f
	}
	to := c.info.Type.Result.Elem
	for i := range v {
		v[i], _ = ctype.WideConvert(t.Elem, to, v[i])
	}
	return giveVector(m, c, v)
}

// libStackAddress is an address that is not null and can only be compared.
func libStackAddress(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.int(0) > 0 && int(c.int(0)) >= len(m.frames) {
		return 0, nil
	}
	b := m.newBlock(Code, 1)
	b.Name = "an address on the stack"
	return ctype.MakePointer(b.ID, 0), nil
}

func libBswap128(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b, f := m.operand(ctype.UInt128T, c.arg(1))
	if f != nil {
		return 0, f
	}
	out := make([]byte, 16)
	for i := range out {
		out[i] = b[15-i]
	}
	return c.arg(0), m.putBytes(c.arg(0), out)
}
