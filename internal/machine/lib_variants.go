package machine

import (
	"math"
	"slices"
	"strings"

	"gulo/internal/ctype"
)

// This file is what C23 and TS 18661 add to math.h, for the three types, and the names of all its functions for the types
// _FloatN. It is initialized after the files with those functions.

func init() {
	for name, takes := range map[string]func(a, b ctype.Ext) bool{"fmaximum": greater, "fminimum": func(a, b ctype.Ext) bool { return greater(b, a) }} {
		for _, mag := range []bool{false, true} {
			for _, num := range []bool{false, true} {
				full := name
				if mag {
					full += "_mag"
				}
				if num {
					full += "_num"
				}
				each(full, extreme(takes, mag, num))
			}
		}
	}
	for name, sign := range map[string]int{"fmaxmag": 1, "fminmag": -1} {
		each(name, extreme(func(a, b ctype.Ext) bool { n, _ := a.Compare(b); return n == sign }, true, true))
	}
	each("nextup", next(math.Inf(1)))
	each("nextdown", next(math.Inf(-1)))
	each("canonicalize", libCanonicalize)
	each("totalorder", libTotalOrder)
	each("totalordermag", libTotalOrder)
	for suffix, like := range map[string]string{"f32": "f", "f64": "", "f32x": "", "f64x": "l"} {
		for _, name := range floatNames {
			if b := builtins[name+like]; b != nil && builtins[name+suffix] == nil {
				builtins[name+suffix] = func(m *Machine, c *libCall) (ctype.Word, *Fault) {
					to := *c
					to.name = name + like
					v, f := b(m, &to)
					c.entered = to.entered
					return v, f
				}
			}
		}
	}
}

// floatNames are the functions that there are for the types _FloatN.
var floatNames = strings.Fields(`acos acosh asin asinh atan atan2 atanh canonicalize cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 expm1 fabs fdim floor
	fma fmax fmaximum fmaximum_mag fmaximum_mag_num fmaximum_num fmaxmag fmin fminimum fminimum_mag fminimum_mag_num fminimum_num fminmag fmod frexp hypot ilogb j0 j1 jn
	ldexp lgamma lgamma_r llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nextdown nextup pow remainder remquo rint round
	roundeven scalbln scalbn sin sincos sinh sqrt tan tanh tgamma totalorder totalordermag trunc y0 y1 yn cabs carg cimag conj cproj creal cexp clog cpow csqrt csin ccos ctan
	`)

// greater reports whether a is above b, where 0 is above -0.
func greater(a, b ctype.Ext) bool {
	n, _ := a.Compare(b)
	return n > 0 || n == 0 && b.Signbit() && !a.Signbit()
}

// extreme is a function that gives one of two numbers: the one that takes prefers, or whose magnitude it prefers. With
// num a NaN counts only where both are.
func extreme(takes func(a, b ctype.Ext) bool, mag, num bool) func(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
	return func(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
		k := wideFirst(t)
		a, f := realArg(m, c, k, t)
		if f != nil {
			return 0, f
		}
		b, f := realArg(m, c, k+1, t)
		if f != nil {
			return 0, f
		}
		pick := func() ctype.Ext {
			switch {
			case a.IsNaN() && b.IsNaN():
				return a
			case a.IsNaN():
				return choice(num, b, a)
			case b.IsNaN():
				return choice(num, a, b)
			case mag:
				if n, _ := a.Abs().Compare(b.Abs()); n != 0 {
					return choice(takes(a.Abs(), b.Abs()), a, b)
				}
			}
			return choice(takes(a, b), a, b)
		}
		return giveComplex(m, c, t, realBytes(t, pick()))
	}
}

func choice[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

// next is nextup and nextdown.
func next(to float64) func(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
	return func(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
		x, f := realArg(m, c, wideFirst(t), t)
		if f != nil {
			return 0, f
		}
		switch v := x.Float64(); {
		case x.IsNaN():
		case t.Kind == ctype.LongDouble:
			x = x.Next(ctype.ExtOfFloat(to))
		case t.Size == 4:
			x = ctype.ExtOfFloat(float64(math.Nextafter32(float32(v), float32(to))))
		default:
			x = ctype.ExtOfFloat(math.Nextafter(v, to))
		}
		return giveComplex(m, c, t, realBytes(t, x))
	}
}

// libCanonicalize copies a number.
func libCanonicalize(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
	b, f := m.bytes(c.arg(1), realSize(t), true)
	if f != nil {
		return 0, f
	}
	return 0, m.putBytes(c.arg(0), slices.Clone(b))
}

// realSize is the number of bytes of a type that hold its value.
func realSize(t *ctype.Type) int64 {
	if t.Kind == ctype.LongDouble {
		return 10
	}
	return t.Size
}

// libTotalOrder orders numbers as their bits do: -NaN, the numbers, NaN.
func libTotalOrder(m *Machine, c *libCall, t *ctype.Type) (ctype.Word, *Fault) {
	var keys [2][]byte
	for i := range keys {
		b, f := m.bytes(c.arg(i), realSize(t), true)
		if f != nil {
			return 0, f
		}
		k := slices.Clone(b)
		slices.Reverse(k)
		if strings.HasPrefix(c.name, "totalordermag") {
			k[0] &= 0x7f
		}
		if k[0]&0x80 != 0 {
			for j := range k {
				k[j] = ^k[j]
			}
		} else {
			k[0] |= 0x80
		}
		keys[i] = k
	}
	return b2w(slices.Compare(keys[0], keys[1]) <= 0), nil
}
