package machine

import (
	"math"
	"math/cmplx"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/machine/extmath"
)

// This file is complex.h. Functions that do more than take a number apart use
// package math/cmplx, whose results may differ from glibc's in the last bits.

func init() {
	for name, f := range map[string]func(complex128) complex128{
		"csqrt": cmplx.Sqrt, "cexp": cmplx.Exp, "clog": cmplx.Log, "csin": cmplx.Sin, "ccos": cmplx.Cos, "ctan": cmplx.Tan,
		"casin": cmplx.Asin, "cacos": cmplx.Acos, "catan": cmplx.Atan, "csinh": cmplx.Sinh, "ccosh": cmplx.Cosh, "ctanh": cmplx.Tanh,
		"casinh": cmplx.Asinh, "cacosh": cmplx.Acosh, "catanh": cmplx.Atanh,
	} {
		complexFunc(name, func(a, _ complex128) complex128 { return f(a) })
	}
	complexFunc("cpow", func(a, b complex128) complex128 { return cmplx.Pow(a, b) })
	for _, suffix := range []string{"", "f", "l"} {
		builtins["creal"+suffix] = complexPart
		builtins["cimag"+suffix] = complexPart
		builtins["conj"+suffix] = complexBytes(ctype.Not)
		builtins["cproj"+suffix] = libCproj
		builtins["cabs"+suffix] = libCabs
		builtins["carg"+suffix] = libCarg
	}
}

// complexType is the type that a function of complex.h works with.
func complexType(name string) *ctype.Type {
	switch {
	case strings.HasSuffix(name, "l"):
		if name == "creal" {
			break
		}
		return ctype.LongDoubleT
	case strings.HasSuffix(name, "f"):
		return ctype.FloatT
	}
	return ctype.DoubleT
}

// complexArg reads the parts of an argument.
func complexArg(m *Machine, c *libCall, i int, t *ctype.Type) (re, im []byte, f *Fault) {
	b, f := m.operand(ctype.ComplexOf(t), c.arg(i))
	if f != nil {
		return nil, nil, f
	}
	return b[:t.Size], b[t.Size:], nil
}

// giveComplex returns a value from a library function. A wide value is stored where the first argument points.
func giveComplex(m *Machine, c *libCall, t *ctype.Type, b []byte) (ctype.Word, *Fault) {
	if !t.InMemory() {
		return ctype.Load(t, b), nil
	}
	return c.arg(0), m.putBytes(c.arg(0), b)
}

func complexPart(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t := complexType(c.name)
	at := 0
	if t.IsWide() {
		at = 1
	}
	re, im, f := complexArg(m, c, at, t)
	if f != nil {
		return 0, f
	}
	if strings.HasPrefix(c.name, "cimag") {
		re = im
	}
	return giveComplex(m, c, t, re)
}

func complexBytes(op ctype.Op) builtin {
	return func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		t := ctype.ComplexOf(complexType(c.name))
		b, f := m.operand(t, c.arg(1))
		if f != nil {
			return 0, f
		}
		out, _ := ctype.WideUnary(op, t, b)
		return giveComplex(m, c, t, out)
	}
}

func toFloat(t *ctype.Type, b []byte) float64 {
	out, _ := ctype.WideConvert(t, ctype.DoubleT, b)
	return ctype.FloatOf(ctype.DoubleT, ctype.Load(ctype.DoubleT, out))
}

func ofFloat(t *ctype.Type, v float64) []byte {
	b := make([]byte, 8)
	ctype.Store(ctype.DoubleT, b, math.Float64bits(v))
	out, _ := ctype.WideConvert(ctype.DoubleT, t, b)
	return out
}

// complexFunc registers a function on complex numbers for its three types.
func complexFunc(name string, f func(a, b complex128) complex128) {
	for _, suffix := range []string{"", "f", "l"} {
		builtins[name+suffix] = func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			t := map[string]*ctype.Type{"": ctype.DoubleT, "f": ctype.FloatT, "l": ctype.LongDoubleT}[suffix]
			var z [2]complex128
			for i := range z[:len(c.args)-1] {
				re, im, ft := complexArg(m, c, i+1, t)
				if ft != nil {
					return 0, ft
				}
				z[i] = complex(toFloat(t, re), toFloat(t, im))
			}
			r := f(z[0], z[1])
			return giveComplex(m, c, ctype.ComplexOf(t), append(append([]byte{}, ofFloat(t, real(r))...), ofFloat(t, imag(r))...))
		}
	}
}

func libCproj(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t := complexType(c.name)
	re, im, f := complexArg(m, c, 1, t)
	if f != nil {
		return 0, f
	}
	a, b := toFloat(t, re), toFloat(t, im)
	if math.IsInf(a, 0) || math.IsInf(b, 0) {
		re, im = ofFloat(t, math.Inf(1)), ofFloat(t, math.Copysign(0, b))
	}
	return giveComplex(m, c, ctype.ComplexOf(t), append(append([]byte{}, re...), im...))
}

func libCabs(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t := complexType(c.name)
	at := 0
	if t.IsWide() {
		at = 1
	}
	re, im, f := complexArg(m, c, at, t)
	if f != nil {
		return 0, f
	}
	if t.IsWide() {
		return giveComplex(m, c, t, extBytes(extmath.Hypot(ctype.LoadExt(re), ctype.LoadExt(im))))
	}
	return giveComplex(m, c, t, ofFloat(t, math.Hypot(toFloat(t, re), toFloat(t, im))))
}

func libCarg(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t := complexType(c.name)
	at := 0
	if t.IsWide() {
		at = 1
	}
	re, im, f := complexArg(m, c, at, t)
	if f != nil {
		return 0, f
	}
	return giveComplex(m, c, t, ofFloat(t, math.Atan2(toFloat(t, im), toFloat(t, re))))
}

func extBytes(x ctype.Ext) []byte {
	b := make([]byte, 16)
	x.Store(b)
	return b
}
