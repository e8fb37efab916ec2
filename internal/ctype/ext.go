package ctype

import (
	"encoding/binary"
	"math"
	"math/big"
	"strings"
)

// This file implements long double, the x87's format of 80 bits, in software. Every
// operation is computed exactly, or with enough bits to recognize a tie, and
// rounded once, to nearest and ties to even.

// Ext is a value of type long double.
type Ext struct {
	se uint16 // sign and biased exponent
	m  uint64 // significand with its leading bit
}

const (
	extBias   = 16383
	extMaxExp = 0x7fff
	extLeast  = -extBias - 62 // exponent of the smallest subnormal's only bit
)

// extNaN is the result of the x87 for an invalid operation.
var extNaN = Ext{0xffff, 0xc000000000000000}

// LoadExt reads the ten bytes of a long double.
func LoadExt(b []byte) Ext {
	return Ext{binary.LittleEndian.Uint16(b[8:]), binary.LittleEndian.Uint64(b)}
}

// Store writes the ten bytes of a long double to the start of b; the padding after them is not changed.
func (x Ext) Store(b []byte) {
	binary.LittleEndian.PutUint64(b, x.m)
	binary.LittleEndian.PutUint16(b[8:], x.se)
}

// Neg returns x with the other sign, also for a NaN.
func (x Ext) Neg() Ext { return Ext{x.se ^ 0x8000, x.m} }

// Abs returns x without its sign.
func (x Ext) Abs() Ext { return Ext{x.se & 0x7fff, x.m} }

// Signbit reports whether x has the sign of a negative number.
func (x Ext) Signbit() bool { return x.se>>15 != 0 }

func (x Ext) exp() int { return int(x.se & 0x7fff) }

// IsNaN, IsInf and IsZero classify x.
func (x Ext) IsNaN() bool  { return x.exp() == extMaxExp && x.m<<1 != 0 }
func (x Ext) IsInf() bool  { return x.exp() == extMaxExp && x.m<<1 == 0 }
func (x Ext) IsZero() bool { return x.m == 0 && x.exp() != extMaxExp }

// IsNormal reports whether x is finite, not zero and not subnormal.
func (x Ext) IsNormal() bool { return x.exp() != extMaxExp && x.exp() != 0 && x.m != 0 }

func extInf(neg bool) Ext { return Ext{extMaxExp, 1 << 63}.signed(neg) }

func extZero(neg bool) Ext { return Ext{}.signed(neg) }

func (x Ext) signed(neg bool) Ext {
	x.se &= 0x7fff
	if neg {
		x.se |= 0x8000
	}
	return x
}

// CopySign returns x with y's sign.
func (x Ext) CopySign(y Ext) Ext { return x.signed(y.Signbit()) }

// Big returns the value of x.
// Precondition: x is finite.
func (x Ext) Big() *big.Float {
	f := new(big.Float).SetPrec(64).SetUint64(x.m)
	f.SetMantExp(f, max(x.exp(), 1)-extBias-63)
	if x.Signbit() {
		f.Neg(f)
	}
	return f
}

// ExtOfBig rounds f to long double. f may be infinite.
func ExtOfBig(f *big.Float) Ext {
	neg := f.Signbit()
	switch {
	case f.IsInf():
		return extInf(neg)
	case f.Sign() == 0:
		return extZero(neg)
	}
	q := max(f.MantExp(nil)-64, extLeast) // exponent of the last bit that is kept
	if q > extBias {
		return extInf(neg)
	}
	g := new(big.Float).SetMantExp(new(big.Float).Abs(f), -q)
	n, _ := g.Int(nil)
	rest := new(big.Float).SetPrec(g.Prec()+64).Sub(g, new(big.Float).SetInt(n))
	if c := rest.Cmp(big.NewFloat(0.5)); c > 0 || c == 0 && n.Bit(0) == 1 {
		n.Add(n, big.NewInt(1))
	}
	if n.BitLen() > 64 {
		n.Rsh(n, 1)
		q++
	}
	m := n.Uint64()
	e := 0
	if m>>63 != 0 {
		e = q + 63 + extBias
	}
	if e >= extMaxExp {
		return extInf(neg)
	}
	return Ext{uint16(e), m}.signed(neg)
}

// ExtOfFloat returns the value of a double.
func ExtOfFloat(v float64) Ext {
	switch {
	case math.IsNaN(v):
		return Ext{extMaxExp, math.Float64bits(v)<<11 | 3<<62}.signed(math.Signbit(v))
	case math.IsInf(v, 0):
		return extInf(v < 0)
	case v == 0:
		return extZero(math.Signbit(v))
	}
	return ExtOfBig(big.NewFloat(v))
}

// Float64 rounds x to double.
func (x Ext) Float64() float64 {
	switch {
	case x.IsNaN():
		return math.Copysign(math.NaN(), x.sign())
	case x.IsInf():
		return math.Copysign(math.Inf(1), x.sign())
	case x.IsZero():
		return math.Copysign(0, x.sign())
	}
	v, _ := x.Big().Float64()
	return v
}

// Float32 rounds x to float.
func (x Ext) Float32() float32 {
	if x.IsNaN() || x.IsInf() || x.IsZero() {
		return float32(x.Float64())
	}
	v, _ := x.Big().Float32()
	return v
}

func (x Ext) sign() float64 {
	if x.Signbit() {
		return -1
	}
	return 1
}

// ExtOfInt rounds an integer to long double.
func ExtOfInt(i *big.Int) Ext { return ExtOfBig(new(big.Float).SetInt(i)) }

// Int truncates x to an integer; ok is false if x is infinite or a NaN.
func (x Ext) Int() (i *big.Int, ok bool) {
	if x.exp() == extMaxExp {
		return new(big.Int), false
	}
	if x.exp() > extBias+200 { // out of range of every integer type
		return new(big.Int).Lsh(big.NewInt(int64(x.sign())), 200), true
	}
	i, _ = x.Big().Int(nil)
	return i, true
}

// Compare returns -1, 0 or 1; ok is false when the two are unordered.
func (x Ext) Compare(y Ext) (c int, ok bool) {
	switch {
	case x.IsNaN() || y.IsNaN():
		return 0, false
	case x.IsZero() && y.IsZero():
		return 0, true
	case x.Signbit() != y.Signbit():
		return int(x.sign()), true
	}
	switch {
	case x.exp() != y.exp():
		c = 1
		if x.exp() < y.exp() {
			c = -1
		}
	case x.m > y.m:
		c = 1
	case x.m < y.m:
		c = -1
	}
	return c * int(x.sign()), true
}

// ExtBinary computes x op y for Add, Sub, Mul and Div.
func ExtBinary(op Op, x, y Ext) Ext {
	switch {
	case x.IsNaN():
		return Ext{x.se, x.m | 1<<62}
	case y.IsNaN():
		return Ext{y.se, y.m | 1<<62}
	}
	switch op {
	case Add:
		return extAdd(x, y)
	case Sub:
		return extAdd(x, y.Neg())
	case Mul:
		return extMul(x, y)
	case Div:
		return extDiv(x, y)
	}
	panic("ctype: operator " + op.String() + " on long double")
}

func extAdd(x, y Ext) Ext {
	switch {
	case x.IsInf() && y.IsInf() && x.Signbit() != y.Signbit():
		return extNaN
	case x.IsInf():
		return x
	case y.IsInf():
		return y
	case x.IsZero() && y.IsZero():
		return extZero(x.Signbit() && y.Signbit())
	case x.IsZero():
		return y
	case y.IsZero():
		return x
	}
	if x.Abs().exp() < y.Abs().exp() {
		x, y = y, x
	}
	a, b := x.Big(), y.Big()
	if d := a.MantExp(nil) - b.MantExp(nil); d > 140 { // b only affects the rounding: any tiny value of its sign will do
		b.SetMantExp(new(big.Float).SetPrec(64).SetFloat64(y.sign()), a.MantExp(nil)-140)
	}
	s := new(big.Float).SetPrec(256).Add(a, b)
	if s.Sign() == 0 {
		return extZero(false)
	}
	return ExtOfBig(s)
}

func extMul(x, y Ext) Ext {
	neg := x.Signbit() != y.Signbit()
	switch {
	case x.IsInf() && y.IsZero() || x.IsZero() && y.IsInf():
		return extNaN
	case x.IsInf() || y.IsInf():
		return extInf(neg)
	case x.IsZero() || y.IsZero():
		return extZero(neg)
	}
	return ExtOfBig(new(big.Float).SetPrec(128).Mul(x.Big(), y.Big()))
}

func extDiv(x, y Ext) Ext {
	neg := x.Signbit() != y.Signbit()
	switch {
	case x.IsInf() && y.IsInf() || x.IsZero() && y.IsZero():
		return extNaN
	case x.IsInf() || y.IsZero():
		return extInf(neg)
	case x.IsZero() || y.IsInf():
		return extZero(neg)
	}
	return ExtOfBig(new(big.Float).SetPrec(200).Quo(x.Big(), y.Big()))
}

// Sqrt returns the square root of x.
func (x Ext) Sqrt() Ext {
	switch {
	case x.IsNaN() || x.IsZero():
		return x
	case x.Signbit():
		return extNaN
	case x.IsInf():
		return x
	}
	return ExtOfBig(new(big.Float).SetPrec(200).Sqrt(x.Big()))
}

// Mod returns fmodl(x, y): the remainder of x / y with x's sign.
func (x Ext) Mod(y Ext) Ext {
	switch {
	case x.IsNaN() || y.IsNaN():
		return ExtBinary(Add, x, y)
	case x.IsInf() || y.IsZero():
		return extNaN
	case y.IsInf() || x.IsZero():
		return x
	}
	ex, ey := max(x.exp(), 1), max(y.exp(), 1)
	a, b := new(big.Int).SetUint64(x.m), new(big.Int).SetUint64(y.m)
	e := ey
	if ex >= ey {
		a.Mul(a, new(big.Int).Exp(big.NewInt(2), big.NewInt(int64(ex-ey)), b))
	} else {
		b.Lsh(b, uint(ey-ex))
		e = ex
	}
	a.Mod(a, b)
	f := new(big.Float).SetPrec(200).SetInt(a)
	f.SetMantExp(f, e-extBias-63)
	return ExtOfBig(f).signed(x.Signbit())
}

// Remainder computes remquol(x, y). rest is x minus n*y, where n is the integer nearest to x / y, the even
// one of two. quo has the last three bits of n, with the sign of x / y.
func (x Ext) Remainder(y Ext) (rest Ext, quo int) {
	switch {
	case x.IsNaN() || y.IsNaN():
		return ExtBinary(Add, x, y), 0
	case x.IsInf() || y.IsZero():
		return extNaN, 0
	case y.IsInf() || x.IsZero():
		return x, 0
	}
	ex, ey := max(x.exp(), 1), max(y.exp(), 1)
	a, b, e := new(big.Int).SetUint64(x.m), new(big.Int).SetUint64(y.m), min(ex, ey)
	a.Lsh(a, uint(ex-e))
	b.Lsh(b, uint(ey-e))
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if c := new(big.Int).Lsh(r, 1).Cmp(b); c > 0 || c == 0 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(1))
		r.Sub(r, b)
	}
	quo = int(new(big.Int).And(q, big.NewInt(7)).Int64())
	if x.Signbit() != y.Signbit() {
		quo = -quo
	}
	if r.Sign() == 0 {
		return extZero(x.Signbit()), quo
	}
	f := new(big.Float).SetPrec(200).SetInt(r)
	rest = ExtOfBig(f.SetMantExp(f, e-extBias-63))
	return rest.signed(rest.Signbit() != x.Signbit()), quo
}

// Scale returns x times 2 to the n.
func (x Ext) Scale(n int) Ext {
	if x.exp() == extMaxExp || x.IsZero() {
		return x
	}
	n = min(max(n, -40000), 40000)
	f := x.Big()
	return ExtOfBig(f.SetMantExp(f, n))
}

// Frexp returns a fraction in [0.5, 1), with the sign of x, and the exponent of 2 that give x.
func (x Ext) Frexp() (Ext, int) {
	if x.exp() == extMaxExp || x.IsZero() {
		return x, 0
	}
	f := x.Big()
	e := f.MantExp(f)
	return ExtOfBig(f), e
}

// Round returns x as an integral value; mode is one of "floor", "ceil",
// "trunc", "round" (half away from zero) and "rint" (half to even).
func (x Ext) Round(mode string) Ext {
	if x.exp() >= extBias+63 || x.IsZero() {
		return x
	}
	i, _ := x.Big().Int(nil)
	t := new(big.Float).SetPrec(64).SetInt(i)
	rest := new(big.Float).SetPrec(128).Sub(x.Big(), t)
	half := rest.Cmp(big.NewFloat(0.5))
	if rest.Signbit() {
		half = -rest.Cmp(big.NewFloat(-0.5))
	}
	away := false
	switch mode {
	case "floor":
		away = rest.Sign() < 0
	case "ceil":
		away = rest.Sign() > 0
	case "round":
		away = half >= 0
	case "rint":
		away = half > 0 || half == 0 && i.Bit(0) == 1
	}
	if away {
		i.Add(i, big.NewInt(int64(x.sign())))
	}
	return ExtOfInt(i).signed(x.Signbit())
}

// Next returns the neighbour of x in the direction of y.
func (x Ext) Next(y Ext) Ext {
	c, ok := x.Compare(y)
	switch {
	case !ok:
		return ExtBinary(Add, x, y)
	case c == 0:
		return y
	case x.IsZero():
		return Ext{0, 1}.signed(y.Signbit())
	}
	up := (c < 0) != x.Signbit() // away from zero
	switch {
	case up && x.m == math.MaxUint64:
		x.m, x.se = 1<<63, x.se+1
	case up && x.exp() == 0 && x.m == 1<<63-1:
		x.m, x.se = 1<<63, x.se+1
	case up:
		x.m++
	case x.IsInf():
		x.m, x.se = math.MaxUint64, x.se-1
	case x.m == 1<<63 && x.exp() > 1:
		x.m, x.se = math.MaxUint64, x.se-1
	case x.m == 1<<63:
		x.m, x.se = 1<<63-1, x.se-1
	default:
		x.m--
	}
	return x
}

// Bits returns the biased exponent and the significand.
func (x Ext) Bits() (exp int, m uint64) { return x.exp(), x.m }

// ParseExt parses a floating constant without sign, suffix or spaces: decimal,
// hexadecimal, "inf" or "nan". outside reports that the result is too large, or that it is
// subnormal or zero and not exact.
func ParseExt(s string) (x Ext, outside, ok bool) {
	s = strings.ToLower(s)
	switch s {
	case "inf", "infinity":
		return extInf(false), false, true
	case "nan":
		return Ext{extMaxExp, 0xc000000000000000}, false, true
	}
	f, ok := parseReal(s)
	if !ok {
		return Ext{}, false, false
	}
	x = ExtOfBig(f)
	inexact := func() bool { return x.IsInf() || x.Big().Cmp(f) != 0 }
	return x, x.IsInf() || f.Sign() != 0 && x.exp() == 0 && inexact(), true
}

// parseReal parses a constant with more bits of precision than any type has.
func parseReal(s string) (*big.Float, bool) {
	const most = 6000 // beyond which every type has infinity or zero
	base, mark := 10, "e"
	if rest, hex := strings.CutPrefix(s, "0x"); hex {
		base, mark, s = 16, "p", rest
	}
	digits, exp, _ := strings.Cut(s, mark)
	e := new(big.Int)
	if exp != "" {
		if _, ok := e.SetString(exp, 10); !ok {
			return nil, false
		}
	}
	whole, frac, _ := strings.Cut(digits, ".")
	m, ok := new(big.Int).SetString(whole+frac, base)
	if !ok {
		return nil, false
	}
	if m.Sign() == 0 {
		return new(big.Float), true
	}
	scale := int64(len(frac))
	if base == 16 {
		scale *= 4
	}
	e.Sub(e, big.NewInt(scale))
	size := int64(len(whole) + len(frac))
	switch limit := big.NewInt(most*4 + 4*size); {
	case e.Cmp(limit) > 0:
		return new(big.Float).SetInf(false), true
	case e.Cmp(limit.Neg(limit)) < 0:
		return new(big.Float).SetMantExp(big.NewFloat(1), -100000), true
	}
	f := new(big.Float).SetPrec(uint(max(512, m.BitLen()+64))).SetInt(m)
	n := e.Int64()
	if base == 16 {
		return f.SetMantExp(f, int(n)), true
	}
	ten := new(big.Int).Exp(big.NewInt(10), new(big.Int).Abs(e), nil)
	t := new(big.Float).SetInt(ten)
	if n < 0 {
		return f.Quo(f, t), true
	}
	return new(big.Float).SetPrec(f.Prec()+t.Prec()).Mul(f, t), true
}
