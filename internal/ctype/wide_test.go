package ctype

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func extOfDouble(v float64) Ext { return ExtOfFloat(v) }

// TestExtAgainstExact: results are the nearest of the exact ones, ties to even.
func TestExtAgainstExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	value := func() Ext {
		x := Ext{uint16(r.IntN(80) + extBias - 40), r.Uint64() | 1<<63}
		if r.IntN(4) == 0 {
			x.m &= 0xffff << 48
		}
		return x.signed(r.IntN(2) == 0)
	}
	for range 2000 {
		x, y := value(), value()
		a, _ := x.Big().Rat(nil)
		b, _ := y.Big().Rat(nil)
		for op, exact := range map[Op]*big.Rat{
			Add: new(big.Rat).Add(a, b), Sub: new(big.Rat).Sub(a, b), Mul: new(big.Rat).Mul(a, b), Div: new(big.Rat).Quo(a, b),
		} {
			got := ExtBinary(op, x, y)
			want := new(big.Float).SetPrec(64).SetRat(exact)
			if got.Big().Cmp(want) != 0 {
				t.Fatalf("%v %s %v = %v, not %v", x, op, y, got.Big(), want)
			}
		}
	}
}

func TestExtEdges(t *testing.T) {
	most := Ext{extMaxExp - 1, math.MaxUint64}
	least := Ext{0, 1}
	if !ExtBinary(Add, most, most).IsInf() || !ExtBinary(Mul, most, extOfDouble(-2)).IsInf() {
		t.Error("no overflow to infinity")
	}
	if half := ExtBinary(Div, least, extOfDouble(2)); !half.IsZero() {
		t.Error("half of the smallest number is a tie and goes to zero:", half)
	}
	if x := ExtBinary(Mul, Ext{0, 3}, extOfDouble(0.5)); x != (Ext{0, 2}) {
		t.Error("one and a half of the smallest number is a tie and goes to two:", x)
	}
	if x := ExtBinary(Sub, Ext{1, 1 << 63}, least); x != (Ext{0, 1<<63 - 1}) {
		t.Error("the greatest subnormal:", x)
	}
	if x := ExtBinary(Sub, extOfDouble(1), extOfDouble(1)); x.Signbit() || !x.IsZero() {
		t.Error("1 - 1 is", x)
	}
	for _, x := range []Ext{ExtBinary(Div, Ext{}, Ext{}), extOfDouble(-1).Sqrt(), ExtBinary(Sub, extInf(false), extInf(false))} {
		if !x.IsNaN() || !x.Signbit() {
			t.Error("the x87's NaN is negative:", x)
		}
	}
	for text, want := range map[string]Ext{
		"1": {extBias, 1 << 63}, "0x1p-16445": {0, 1}, "0x1.8p1": {extBias + 1, 3 << 62}, "1e5000": extInf(false), "1e-5000": {},
		"3.6451995318824746025e-4951": {0, 1}, "1.18973149535723176502e4932": most,
	} {
		if got, _, ok := ParseExt(text); !ok || got != want {
			t.Errorf("%s is %v, not %v", text, got, want)
		}
	}
	x := extOfDouble(1)
	if y := x.Next(extInf(true)).Next(extInf(false)); y != x {
		t.Error("down and up again from 1:", y)
	}
}

func TestInt128(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		a, b := make([]byte, 16), make([]byte, 16)
		for i := range 16 {
			a[i], b[i] = byte(r.Uint32()), byte(r.Uint32())
		}
		if r.IntN(2) == 0 {
			clear(b[8:])
		}
		for _, ty := range []*Type{Int128T, UInt128T} {
			x, y := LoadInt(ty, a), LoadInt(ty, b)
			sum, err := WideBinary(Add, ty, ty, a, b)
			exact := new(big.Int).Add(x, y)
			if fits := LoadInt(ty, sum).Cmp(exact) == 0; ty.Signed && fits != (err == nil) {
				t.Fatal(x, y, err)
			}
			if new(big.Int).Sub(exact, LoadInt(ty, sum)).Bit(0) != 0 {
				t.Fatal("the low bits of a sum")
			}
			if y.Sign() != 0 {
				q, err1 := WideBinary(Div, ty, ty, a, b)
				m, err2 := WideBinary(Rem, ty, ty, a, b)
				if err1 == nil && err2 == nil {
					back := new(big.Int).Mul(LoadInt(ty, q), y)
					if back.Add(back, LoadInt(ty, m)).Cmp(x) != 0 {
						t.Fatal(x, y)
					}
				}
			}
		}
	}
}
