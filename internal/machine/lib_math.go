package machine

import (
	"math"
	"math/big"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/machine/extmath"
)

// This file is math.h: its functions of double, float and long double. The tables
// of the simple ones are in lib_stdlib.go. Functions of long double that are
// neither exact nor in lib_extmath.go (erfl, tgammal) have a double's precision.

func init() {
	for name, f := range map[string]func(float64) float64{
		"acosh": math.Acosh, "asinh": math.Asinh, "atanh": math.Atanh, "erf": math.Erf, "erfc": math.Erfc, "tgamma": math.Gamma,
		"lgamma": func(x float64) float64 { v, _ := math.Lgamma(x); return v }, "logb": math.Logb, "roundeven": math.RoundToEven,
		"exp10": func(x float64) float64 { return math.Pow(10, x) }, "j0": math.J0, "j1": math.J1, "y0": math.Y0, "y1": math.Y1,
		"significand": func(x float64) float64 { f, _ := math.Frexp(x); return 2 * f },
	} {
		math1[name] = f
	}
	for name, f := range map[string]func(a, b float64) float64{
		"remainder": math.Remainder, "drem": math.Remainder, "fdim": fdim, "nextafter": math.Nextafter,
		"scalb": func(a, b float64) float64 { return math.Ldexp(a, int(b)) },
		"fmax":  fmax, "fmin": fmin,
	} {
		math2[name] = f
	}
	for name, f := range math1 {
		real1(name, f)
	}
	for name, f := range math2 {
		real2(name, f)
	}
	for name, f := range map[string]func(float64) float64{
		"lround": math.Round, "llround": math.Round, "lrint": math.RoundToEven, "llrint": math.RoundToEven,
	} {
		each(name, func(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
			x, f2 := realArg(m, c, 0, t)
			if f2 != nil {
				return 0, f2
			}
			if t.IsWide() {
				mode := map[bool]string{true: "rint", false: "round"}[strings.Contains(name, "rint")]
				i, ok := x.Round(mode).Int()
				if !ok || !i.IsInt64() {
					return 1 << 63, nil
				}
				return ctype.Word(i.Int64()), nil
			}
			w, _ := ctype.Convert(ctype.DoubleT, ctype.LongT, math.Float64bits(f(x.Float64())))
			return w, nil
		})
	}
	initExact()
	initReals()
}

func fdim(a, b float64) float64 {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return a + b
	case a > b:
		return a - b
	}
	return 0
}

// fmax and fmin ignore one NaN.
func fmax(a, b float64) float64 {
	switch {
	case math.IsNaN(a):
		return b
	case math.IsNaN(b) || a > b:
		return a
	case a == b && math.Signbit(b):
		return a
	}
	return b
}

func fmin(a, b float64) float64 { return -fmax(-a, -b) }

var realTypes = map[string]*ctype.Type{"": ctype.DoubleT, "f": ctype.FloatT, "l": ctype.LongDoubleT}

// each registers a function for the three types.
func each(name string, f func(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault)) {
	for suffix, t := range realTypes {
		builtins[name+suffix] = func(m *Machine, c *libCall) (ctype.Word, *Fault) { return f(m, c, t) }
	}
}

// realArg reads argument i, from 0, of type t. Where a result goes to the place
// that argument 0 names, the first real argument is 1; see wideFirst.
func realArg(m *Machine, c *libCall, i int, t *ctype.Type) (ctype.Ext, *Fault) {
	b, f := m.operand(t, c.arg(i))
	if f != nil {
		return ctype.Ext{}, f
	}
	if t.IsWide() {
		return ctype.LoadExt(b), nil
	}
	return ctype.ExtOfFloat(ctype.FloatOf(t, ctype.Load(t, b))), nil
}

// wideFirst is the index of the first real argument of a function that returns t: 1
// for a long double, where argument 0 is the place for the result.
func wideFirst(t *ctype.Type) int {
	if t.IsWide() {
		return 1
	}
	return 0
}

// real1 registers a function of one number for the three types; initExact
// replaces those that are exact in long double.
func real1(name string, f func(float64) float64) {
	builtins[name] = func(m *Machine, c *libCall) (ctype.Word, *Fault) { return math.Float64bits(f(c.float(0))), nil }
	builtins[name+"f"] = func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		return ctype.OfFloat(ctype.FloatT, f(ctype.FloatOf(ctype.FloatT, c.arg(0)))), nil
	}
	builtins[name+"l"] = func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		x, ft := realArg(m, c, 1, ctype.LongDoubleT)
		if ft != nil {
			return 0, ft
		}
		return giveComplex(m, c, ctype.LongDoubleT, extBytes(extmath.Elementary(name, x, f)))
	}
}

func real2(name string, f func(a, b float64) float64) {
	builtins[name] = func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		return math.Float64bits(f(c.float(0), c.float(1))), nil
	}
	builtins[name+"f"] = func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		a, b := ctype.FloatOf(ctype.FloatT, c.arg(0)), ctype.FloatOf(ctype.FloatT, c.arg(1))
		if name == "nextafter" {
			return ctype.OfFloat(ctype.FloatT, float64(math.Nextafter32(float32(a), float32(b)))), nil
		}
		return ctype.OfFloat(ctype.FloatT, f(a, b)), nil
	}
	builtins[name+"l"] = func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		a, ft := realArg(m, c, 1, ctype.LongDoubleT)
		if ft != nil {
			return 0, ft
		}
		b, ft := realArg(m, c, 2, ctype.LongDoubleT)
		if ft != nil {
			return 0, ft
		}
		return giveComplex(m, c, ctype.LongDoubleT, extBytes(ctype.ExtOfFloat(f(a.Float64(), b.Float64()))))
	}
}

// initExact registers the functions of long double that are exact, and hypotl, powl and atan2l.
func initExact() {
	one := map[string]func(ctype.Ext) ctype.Ext{
		"sqrtl": ctype.Ext.Sqrt, "fabsl": ctype.Ext.Abs, "logbl": func(x ctype.Ext) ctype.Ext { _, e := x.Frexp(); return ctype.ExtOfFloat(float64(e - 1)) },
	}
	for _, mode := range []string{"floor", "ceil", "trunc", "round", "rint"} {
		one[mode+"l"] = func(x ctype.Ext) ctype.Ext { return x.Round(mode) }
	}
	one["nearbyintl"], one["roundevenl"] = one["rintl"], one["rintl"]
	for name, f := range one {
		builtins[name] = func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			x, ft := realArg(m, c, 1, ctype.LongDoubleT)
			if ft != nil {
				return 0, ft
			}
			return giveComplex(m, c, ctype.LongDoubleT, extBytes(f(x)))
		}
	}
	less := func(a, b ctype.Ext) bool { n, ok := a.Compare(b); return ok && n < 0 }
	two := map[string]func(a, b ctype.Ext) ctype.Ext{
		"fmodl": ctype.Ext.Mod, "copysignl": ctype.Ext.CopySign, "nextafterl": ctype.Ext.Next, "nexttowardl": ctype.Ext.Next, "hypotl": extmath.Hypot,
		"fmaxl": func(a, b ctype.Ext) ctype.Ext {
			if a.IsNaN() || less(a, b) {
				return b
			}
			return a
		},
		"fminl": func(a, b ctype.Ext) ctype.Ext {
			if a.IsNaN() || less(b, a) {
				return b
			}
			return a
		},
		"fdiml": func(a, b ctype.Ext) ctype.Ext {
			if less(b, a) || a.IsNaN() || b.IsNaN() {
				return ctype.ExtBinary(ctype.Sub, a, b)
			}
			return ctype.Ext{}
		},
		"powl": extmath.Pow, "atan2l": extmath.Atan2,
	}
	for name, f := range two {
		builtins[name] = func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			a, ft := realArg(m, c, 1, ctype.LongDoubleT)
			if ft != nil {
				return 0, ft
			}
			b, ft := realArg(m, c, 2, ctype.LongDoubleT)
			if ft != nil {
				return 0, ft
			}
			return giveComplex(m, c, ctype.LongDoubleT, extBytes(f(a, b)))
		}
	}
}

// initReals registers the functions that take more, or other things, than one or two reals.
func initReals() {
	each("ldexp", libLdexp)
	each("scalbn", libLdexp)
	each("scalbln", libLdexp)
	each("frexp", libFrexp)
	each("modf", libModf)
	each("fma", libFma)
	each("remquo", libRemquo)
	each("ilogb", libIlogb)
	each("nan", libNan)
	each("sincos", libSincos)
	each("lgamma_r", libLgammaR)
	builtins["nexttoward"], builtins["nexttowardf"] = nextToward(ctype.DoubleT), nextToward(ctype.FloatT)
	initClassify()
}

func libFrexp(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
	k := wideFirst(t)
	x, f := realArg(m, c, k, t)
	if f != nil {
		return 0, f
	}
	y, e := x.Frexp()
	if f := m.store(c.arg(k+1), ctype.IntT, ctype.Word(int64(e))); f != nil {
		return 0, f
	}
	return giveComplex(m, c, t, realBytes(t, y))
}

func libModf(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
	k := wideFirst(t)
	x, f := realArg(m, c, k, t)
	if f != nil {
		return 0, f
	}
	whole := x.Round("trunc")
	rest := ctype.ExtBinary(ctype.Sub, x, whole).CopySign(x)
	if x.IsInf() {
		rest = ctype.Ext{}.CopySign(x)
	}
	if f := m.putBytes(c.arg(k+1), realBytes(t, whole)); f != nil {
		return 0, f
	}
	return giveComplex(m, c, t, realBytes(t, rest))
}

func libFma(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
	k := wideFirst(t)
	var x [3]ctype.Ext
	for i := range x {
		var f *Fault
		if x[i], f = realArg(m, c, k+i, t); f != nil {
			return 0, f
		}
		if t.Size == 8 && i == 2 {
			return math.Float64bits(math.FMA(x[0].Float64(), x[1].Float64(), x[2].Float64())), nil
		}
	}
	for _, v := range x {
		if v.IsNaN() || v.IsInf() || v.IsZero() {
			return giveComplex(m, c, t, realBytes(t, ctype.ExtBinary(ctype.Add, ctype.ExtBinary(ctype.Mul, x[0], x[1]), x[2])))
		}
	}
	p := new(big.Float).SetPrec(140).Mul(x[0].Big(), x[1].Big())
	p = new(big.Float).SetPrec(2000).Add(p, x[2].Big())
	if t.Size == 4 {
		v, _ := p.Float32()
		return ctype.Word(math.Float32bits(v)), nil
	}
	return giveComplex(m, c, t, extBytes(ctype.ExtOfBig(p)))
}

func libRemquo(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
	k := wideFirst(t)
	var x [2]ctype.Ext
	for i := range x {
		var f *Fault
		if x[i], f = realArg(m, c, k+i, t); f != nil {
			return 0, f
		}
	}
	rest, q := x[0].Remainder(x[1])
	if f := m.store(c.arg(k+2), ctype.IntT, ctype.Word(q)); f != nil {
		return 0, f
	}
	return giveComplex(m, c, t, realBytes(t, rest))
}

func libIlogb(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
	x, f := realArg(m, c, 0, t)
	if f != nil {
		return 0, f
	}
	switch {
	case x.IsZero() || x.IsNaN():
		return ctype.Word(0xffffffff80000000), nil
	case x.IsInf():
		return math.MaxInt32, nil
	}
	_, e := x.Frexp()
	return ctype.Word(int64(e - 1)), nil
}

func libNan(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
	return giveComplex(m, c, t, realBytes(t, ctype.ExtOfFloat(math.NaN()).Abs()))
}

func libSincos(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
	x, f := realArg(m, c, 0, t)
	if f != nil {
		return 0, f
	}
	if f := m.putBytes(c.arg(1), ofFloat(t, math.Sin(x.Float64()))); f != nil {
		return 0, f
	}
	return 0, m.putBytes(c.arg(2), ofFloat(t, math.Cos(x.Float64())))
}

func libLgammaR(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
	k := wideFirst(t)
	x, f := realArg(m, c, k, t)
	if f != nil {
		return 0, f
	}
	v, sign := math.Lgamma(x.Float64())
	if f := m.store(c.arg(k+1), ctype.IntT, ctype.Word(int64(sign))); f != nil {
		return 0, f
	}
	return giveComplex(m, c, t, ofFloat(t, v))
}

func nextToward(t *ctype.Type) builtin {
	return func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		x := ctype.FloatOf(t, c.arg(0))
		y, f := realArg(m, c, 1, ctype.LongDoubleT)
		if f != nil {
			return 0, f
		}
		n, ok := ctype.ExtOfFloat(x).Compare(y)
		switch {
		case !ok:
			return ctype.OfFloat(t, x+y.Float64()), nil
		case n == 0:
			return ctype.OfFloat(t, y.Float64()), nil
		}
		to := math.Inf(-n)
		if t.Size == 4 {
			return ctype.OfFloat(t, float64(math.Nextafter32(float32(x), float32(to)))), nil
		}
		return ctype.OfFloat(t, math.Nextafter(x, to)), nil
	}
}

func realBytes(t *ctype.Type, x ctype.Ext) []byte {
	out, _ := ctype.WideConvert(ctype.LongDoubleT, t, extBytes(x))
	return out
}

func libLdexp(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
	k := wideFirst(t)
	x, f := realArg(m, c, k, t)
	if f != nil {
		return 0, f
	}
	n := int(c.int(k + 1))
	if strings.HasPrefix(c.name, "scalbln") {
		n = int(min(max(c.long(k+1), -100000), 100000))
	}
	if t.Size == 8 {
		return math.Float64bits(math.Ldexp(x.Float64(), n)), nil
	}
	return giveComplex(m, c, t, realBytes(t, x.Scale(n)))
}

// kinds of fpclassify.
const (
	fpNaN = iota
	fpInfinite
	fpZero
	fpSubnormal
	fpNormal
)

func classify(t *ctype.Type, x ctype.Ext) int {
	switch {
	case x.IsNaN():
		return fpNaN
	case x.IsInf():
		return fpInfinite
	case x.IsZero():
		return fpZero
	}
	if t.IsWide() && !x.IsNormal() {
		return fpSubnormal
	}
	_, e := x.Frexp()
	if t.Size == 8 && e < -1021 || t.Size == 4 && e < -125 {
		return fpSubnormal
	}
	return fpNormal
}

// initClassify registers the classification macros' functions: those of glibc,
// with a suffix for the type, and gcc's builtins, which know the type of their
// argument.
func initClassify() {
	tests := map[string]func(t *ctype.Type, x ctype.Ext) ctype.Word{
		"isnan": func(t *ctype.Type, x ctype.Ext) ctype.Word { return b2w(x.IsNaN()) },
		"isinf": func(t *ctype.Type, x ctype.Ext) ctype.Word {
			if x.IsInf() && x.Signbit() {
				return ^ctype.Word(0)
			}
			return b2w(x.IsInf())
		},
		"finite":     func(t *ctype.Type, x ctype.Ext) ctype.Word { return b2w(classify(t, x) > fpInfinite) },
		"signbit":    func(t *ctype.Type, x ctype.Ext) ctype.Word { return b2w(x.Signbit()) },
		"fpclassify": func(t *ctype.Type, x ctype.Ext) ctype.Word { return ctype.Word(classify(t, x)) },
	}
	for name, f := range tests {
		for suffix, t := range realTypes {
			g := func(m *Machine, c *libCall) (ctype.Word, *Fault) {
				x, ft := realArg(m, c, 0, t)
				return f(t, x), ft
			}
			builtins["__"+name+suffix] = g
			if name != "fpclassify" && name != "signbit" {
				builtins[name+suffix] = g
			}
		}
	}
	generic := func(name string, f func(t *ctype.Type, x ctype.Ext) ctype.Word) {
		builtins["__builtin_"+name] = func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			t := ctype.DoubleT
			if c.info != nil && len(c.info.Types) > 0 {
				t = c.info.Types[0]
			}
			x, ft := realArg(m, c, 0, t)
			return f(t, x), ft
		}
	}
	for _, suffix := range []string{"", "f", "l"} {
		generic("isnan"+suffix, tests["isnan"])
		generic("signbit"+suffix, tests["signbit"])
		generic("finite"+suffix, tests["finite"])
		generic("isinf"+suffix, func(t *ctype.Type, x ctype.Ext) ctype.Word { return b2w(x.IsInf()) })
	}
	generic("isfinite", tests["finite"])
	generic("isnormal", func(t *ctype.Type, x ctype.Ext) ctype.Word { return b2w(classify(t, x) == fpNormal) })
	generic("isinf_sign", tests["isinf"])
	for name, f := range map[string]func(n int, ok bool) bool{
		"isgreater": func(n int, ok bool) bool { return ok && n > 0 }, "isgreaterequal": func(n int, ok bool) bool { return ok && n >= 0 },
		"isless": func(n int, ok bool) bool { return ok && n < 0 }, "islessequal": func(n int, ok bool) bool { return ok && n <= 0 },
		"islessgreater": func(n int, ok bool) bool { return ok && n != 0 }, "isunordered": func(n int, ok bool) bool { return !ok },
	} {
		builtins["__builtin_"+name] = func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			var x [2]ctype.Ext
			for i := range x {
				t := ctype.DoubleT
				if c.info != nil && i < len(c.info.Types) {
					t = c.info.Types[i]
				}
				b, ft := m.operand(t, c.arg(i))
				if ft != nil {
					return 0, ft
				}
				b, _ = ctype.WideConvert(t, ctype.LongDoubleT, b)
				x[i] = ctype.LoadExt(b)
			}
			return b2w(f(x[0].Compare(x[1]))), nil
		}
	}
	builtins["__builtin_fpclassify"] = func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		t := ctype.DoubleT
		if c.info != nil && len(c.info.Types) > 5 {
			t = c.info.Types[5]
		}
		x, ft := realArg(m, c, 5, t)
		return c.arg([]int{fpNaN: 0, fpInfinite: 1, fpZero: 4, fpSubnormal: 3, fpNormal: 2}[classify(t, x)]), ft
	}
}
