// Package extmath is the functions of long double, whose 64 bits of precision package math does not have: computed with
// more than twice the digits that it has, and rounded once. The x87's own results differ from that in the last bit at
// times.
package extmath

import (
	"math"
	"math/big"

	"gulo/internal/ctype"
)

const precision = 192 // bits that the functions compute with

func bigNew() *big.Float             { return new(big.Float).SetPrec(precision) }
func bigInt(n int64) *big.Float      { return bigNew().SetInt64(n) }
func mul(a, b *big.Float) *big.Float { return bigNew().Mul(a, b) }
func quo(a, b *big.Float) *big.Float { return bigNew().Quo(a, b) }
func add(a, b *big.Float) *big.Float { return bigNew().Add(a, b) }
func sub(a, b *big.Float) *big.Float { return bigNew().Sub(a, b) }

func bigConstant(s string) *big.Float {
	f, _, err := big.ParseFloat(s, 10, 20000, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return f
}

var (
	bigPi  = bigConstant("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651328230664709384460955058223172535940812848111745028410270193852110555964462294895493038196442881097566593344612847564823378678316527120190914564856692346034861045432664821339360726024914127372458700660631558817488152092096282925409171536436789259036001133053054882046652138414695194151160943305727036575959195309218611738193261179310511854807446237996274956735188575272489122793818301194912")
	bigLn2 = bigConstant("0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863326996418687")
)

// bigExp is e to the x.
func bigExp(x *big.Float) *big.Float {
	k, _ := quo(x, bigLn2).Int64()
	r := sub(x, mul(bigInt(k), bigLn2))
	const halvings = 12
	r.SetMantExp(r, -halvings)
	sum, term := bigInt(1), bigInt(1)
	for i := int64(1); i < 30; i++ {
		term = quo(mul(term, r), bigInt(i))
		sum = add(sum, term)
	}
	for range halvings {
		sum = mul(sum, sum)
	}
	return bigNew().SetMantExp(sum, int(k))
}

// bigLog is the natural logarithm of x, which is above 0.
func bigLog(x *big.Float) *big.Float {
	m := bigNew()
	e := x.MantExp(m)
	v, _ := m.Float64()
	y := bigNew().SetFloat64(math.Log(v))
	for range 3 { // Halley: three times the digits each
		p := bigExp(y)
		y = add(y, quo(mul(bigInt(2), sub(m, p)), add(m, p)))
	}
	return add(y, mul(bigInt(int64(e)), bigLn2))
}

// bigSinCos are sine and cosine of x.
func bigSinCos(x *big.Float) (sin, cos *big.Float) {
	prec := uint(precision + max(x.MantExp(nil), 0))
	half := new(big.Float).SetPrec(prec).Quo(bigPi, bigInt(2))
	q := new(big.Float).SetPrec(prec).Quo(x, half)
	n := new(big.Int)
	q.Add(q, big.NewFloat(math.Copysign(0.5, float64(q.Sign())))).Int(n)
	r := new(big.Float).SetPrec(prec)
	r.Sub(x, r.Mul(new(big.Float).SetPrec(prec).SetInt(n), half))
	r.SetPrec(precision)
	series := func(first int64) *big.Float {
		term := bigInt(1)
		if first == 1 {
			term = bigNew().Set(r)
		}
		sum, square := bigNew().Set(term), mul(r, r)
		for i := first + 1; i < 60; i += 2 {
			term = quo(mul(term, square), bigInt(-i*(i+1)))
			sum = add(sum, term)
		}
		return sum
	}
	s, c := series(1), series(0)
	switch new(big.Int).And(n, big.NewInt(3)).Int64() {
	case 1:
		return c, bigNew().Neg(s)
	case 2:
		return bigNew().Neg(s), bigNew().Neg(c)
	case 3:
		return bigNew().Neg(c), s
	}
	return s, c
}

// bigAtan is the arc tangent of x.
func bigAtan(x *big.Float) *big.Float {
	r := bigNew().Set(x)
	const halvings = 10
	for range halvings {
		r = quo(r, add(bigInt(1), bigNew().Sqrt(add(bigInt(1), mul(r, r)))))
	}
	sum, power, square := bigNew().Set(r), bigNew().Set(r), mul(r, r)
	for i := int64(3); i < 40; i += 2 {
		power = bigNew().Neg(mul(power, square))
		sum = add(sum, quo(power, bigInt(i)))
	}
	return bigNew().SetMantExp(sum, halvings)
}

// bigAtan2 is the angle of the point x, y, which is not 0, 0.
func bigAtan2(y, x *big.Float) *big.Float {
	switch {
	case x.Sign() == 0:
		return bigNew().Mul(quo(bigPi, bigInt(2)), bigInt(int64(y.Sign())))
	case x.Sign() > 0:
		return bigAtan(quo(y, x))
	case y.Signbit():
		return sub(bigAtan(quo(y, x)), bigPi)
	}
	return add(bigAtan(quo(y, x)), bigPi)
}

// functions are the functions of one number. They return nil outside their domain, where the double's version has to
// answer.
var functions = map[string]func(x *big.Float) *big.Float{
	"exp":   func(x *big.Float) *big.Float { return bigExp(x) },
	"exp2":  func(x *big.Float) *big.Float { return bigExp(mul(x, bigLn2)) },
	"exp10": func(x *big.Float) *big.Float { return bigExp(mul(x, bigLog(bigInt(10)))) },
	"expm1": func(x *big.Float) *big.Float { return sub(bigExp(x), bigInt(1)) },
	"log":   positive(bigLog),
	"log2":  positive(func(x *big.Float) *big.Float { return quo(bigLog(x), bigLn2) }),
	"log10": positive(func(x *big.Float) *big.Float { return quo(bigLog(x), bigLog(bigInt(10))) }),
	"log1p": func(x *big.Float) *big.Float { return positive(bigLog)(add(x, bigInt(1))) },
	"sin":   func(x *big.Float) *big.Float { s, _ := bigSinCos(x); return s },
	"cos":   func(x *big.Float) *big.Float { _, c := bigSinCos(x); return c },
	"tan":   func(x *big.Float) *big.Float { s, c := bigSinCos(x); return quo(s, c) },
	"atan":  bigAtan,
	"asin": inside(func(x *big.Float) *big.Float {
		return bigAtan2(x, bigNew().Sqrt(sub(bigInt(1), mul(x, x))))
	}),
	"acos": inside(func(x *big.Float) *big.Float {
		if y := bigNew().Sqrt(sub(bigInt(1), mul(x, x))); y.Sign() != 0 || x.Sign() < 0 {
			return bigAtan2(y, x)
		}
		return bigInt(0)
	}),
	"sinh": func(x *big.Float) *big.Float { e := bigExp(x); return quo(sub(e, quo(bigInt(1), e)), bigInt(2)) },
	"cosh": func(x *big.Float) *big.Float { e := bigExp(x); return quo(add(e, quo(bigInt(1), e)), bigInt(2)) },
	"tanh": func(x *big.Float) *big.Float {
		e := bigExp(mul(x, bigInt(2)))
		return quo(sub(e, bigInt(1)), add(e, bigInt(1)))
	},
	"cbrt": func(x *big.Float) *big.Float {
		y := bigExp(quo(bigLog(bigNew().Abs(x)), bigInt(3)))
		if x.Sign() < 0 {
			y.Neg(y)
		}
		return y
	},
}

func positive(f func(*big.Float) *big.Float) func(*big.Float) *big.Float {
	return func(x *big.Float) *big.Float {
		if x.Sign() <= 0 {
			return nil
		}
		return f(x)
	}
}

func inside(f func(*big.Float) *big.Float) func(*big.Float) *big.Float {
	return func(x *big.Float) *big.Float {
		if bigNew().Abs(x).Cmp(bigInt(1)) > 0 {
			return nil
		}
		return f(x)
	}
}

// Elementary computes a function of one long double, named as the one of double is (exp). Infinities, NaN, zeros and
// numbers outside the domain go to short, the double's version.
func Elementary(name string, x ctype.Ext, short func(float64) float64) ctype.Ext {
	exact := functions[name]
	v := x.Float64()
	// Near zero these functions are x itself, whose bits would be lost beside the 1 in their formulas.
	small := (name == "expm1" || name == "log1p" || name == "tanh" || name == "sinh") && math.Abs(v) < 1e-30
	switch {
	case exact == nil || x.IsNaN() || x.IsInf() || x.IsZero():
		return ctype.ExtOfFloat(short(v))
	case small:
		return x
	}
	if grows := name[0] == 'e' || name == "sinh" || name == "cosh" || name == "tanh"; grows && math.Abs(v) > 20000 {
		if name == "tanh" || name == "expm1" && v < 0 {
			return ctype.ExtOfFloat(math.Copysign(1, v))
		}
		return ctype.ExtOfFloat(short(v))
	}
	y := exact(x.Big())
	if y == nil {
		return ctype.ExtOfFloat(short(v))
	}
	return ctype.ExtOfBig(y)
}

// Atan2 is atan2l.
func Atan2(y, x ctype.Ext) ctype.Ext {
	if y.IsNaN() || x.IsNaN() || y.IsInf() || x.IsInf() || y.IsZero() {
		v := math.Atan2(y.Float64(), x.Float64())
		if math.Abs(v) == math.Pi {
			return ctype.ExtOfBig(bigPi).CopySign(y)
		}
		return ctype.ExtOfFloat(v)
	}
	return ctype.ExtOfBig(bigAtan2(y.Big(), x.Big()))
}

// Pow is powl: by squaring for whole exponents, else by a logarithm.
func Pow(a, b ctype.Ext) ctype.Ext {
	i, ok := b.Int()
	if k, _ := b.Compare(b.Round("trunc")); k != 0 && !a.Signbit() && !a.IsInf() && !a.IsNaN() && !a.IsZero() && !b.IsInf() && !b.IsNaN() {
		if e := mul(b.Big(), bigLog(a.Big())); e.MantExp(nil) < 15 {
			return ctype.ExtOfBig(bigExp(e))
		}
	}
	if n, _ := b.Compare(b.Round("trunc")); !ok || n != 0 || !i.IsInt64() || i.Int64() > 1<<20 || i.Int64() < -1<<20 || a.IsInf() || a.IsNaN() || a.IsZero() {
		return ctype.ExtOfFloat(math.Pow(a.Float64(), b.Float64()))
	}
	n := i.Int64()
	neg := n < 0
	if neg {
		n = -n
	}
	r, x := new(big.Float).SetPrec(256).SetInt64(1), new(big.Float).SetPrec(256).Set(a.Big())
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			r.Mul(r, x)
		}
		x.Mul(x, x)
	}
	if neg {
		r.Quo(new(big.Float).SetPrec(256).SetInt64(1), r)
	}
	return ctype.ExtOfBig(r)
}

// Hypot is hypotl. It scales both numbers first, so that their squares do not overflow.
func Hypot(a, b ctype.Ext) ctype.Ext {
	a, b = a.Abs(), b.Abs()
	switch {
	case a.IsInf() || b.IsInf():
		return ctype.ExtOfFloat(math.Inf(1))
	case a.IsNaN() || b.IsNaN():
		return ctype.ExtBinary(ctype.Add, a, b)
	}
	if c, _ := a.Compare(b); c < 0 {
		a, b = b, a
	}
	_, e := a.Frexp()
	a, b = a.Scale(-e), b.Scale(-e)
	s := ctype.ExtBinary(ctype.Add, ctype.ExtBinary(ctype.Mul, a, a), ctype.ExtBinary(ctype.Mul, b, b))
	return s.Sqrt().Scale(e)
}
