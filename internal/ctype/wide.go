package ctype

import (
	"encoding/binary"
	"math"
	"math/big"
)

// This file implements the arithmetic of types whose values do not fit in a word:
// __int128, long double, complex numbers and GNU C's vectors. A value is represented
// by its bytes in memory.

// The wide basic types.
var (
	Int128T     = &Type{Kind: Int128, Size: 16, Align: 16, Signed: true, Name: "__int128"}
	UInt128T    = &Type{Kind: Int128, Size: 16, Align: 16, Name: "unsigned __int128"}
	LongDoubleT = &Type{Kind: LongDouble, Size: 16, Align: 16, Signed: true, Name: "long double"}
)

// ComplexOf returns the complex type whose parts have type t.
func ComplexOf(t *Type) *Type {
	return &Type{Kind: Complex, Size: 2 * t.Size, Align: t.Align, Elem: t, Name: "_Complex " + t.Name}
}

// VectorOf returns GNU C's vector of n elements of type t.
func VectorOf(t *Type, n int64) *Type {
	return &Type{Kind: Vector, Size: n * t.Size, Align: n * t.Size, Elem: t, Len: n, Name: "__vector " + t.Name}
}

// IsWide reports whether t is of a wide kind: __int128, long double, a complex type or a vector.
func (t *Type) IsWide() bool { return t.Kind >= Int128 }

// InMemory reports whether the value of an expression of type t is represented by its address.
func (t *Type) InMemory() bool { return t.IsAggregate() || t.IsWide() }

// IsWhole reports whether t is an integer type, __int128 included.
func (t *Type) IsWhole() bool { return t.IsInteger() || t.Kind == Int128 }

// IsReal reports whether t is a real type, wide ones included.
func (t *Type) IsReal() bool { return t.IsArith() || t.Kind == Int128 || t.Kind == LongDouble }

// IsNumber reports whether t is an arithmetic type of C, wide ones included.
func (t *Type) IsNumber() bool { return t.IsReal() || t.Kind == Complex }

// Padding reports whether byte i of a wide value is padding: a long double uses ten of its 16 bytes.
func (t *Type) Padding(i int64) bool {
	return t.part().Kind == LongDouble && i%LongDoubleT.Size >= 10
}

// part returns the type of the parts of a complex type or vector, and any other type itself.
func (t *Type) part() *Type {
	if t.Kind == Complex || t.Kind == Vector {
		return t.Elem
	}
	return t
}

// commonWide is Common for types of which at least one is wide.
func commonWide(a, b *Type) *Type {
	if a.Kind == Complex || b.Kind == Complex {
		p := Common(a.part(), b.part())
		switch {
		case a.Kind == Complex && a.Elem == p:
			return a
		case b.Kind == Complex && b.Elem == p:
			return b
		}
		return ComplexOf(p)
	}
	switch {
	case a.Kind == LongDouble || b.Kind == LongDouble:
		return LongDoubleT
	case a.Kind == Float:
		return a
	case b.Kind == Float:
		return b
	case a.Kind == Int128 && !a.Signed || b.Kind == Int128 && !b.Signed:
		return UInt128T
	}
	return Int128T
}

// WideResult returns the type of a op b if at least one of the types is wide. A comparison of
// vectors gives a vector of signed integers.
func WideResult(op Op, a, b *Type) *Type {
	switch {
	case a.Kind == Vector || b.Kind == Vector:
		v := a
		if a.Kind != Vector {
			v = b
		}
		if op.IsCompare() {
			return VectorOf(map[int64]*Type{1: SCharT, 2: ShortT, 4: IntT, 8: LongT, 16: Int128T}[v.Elem.Size], v.Len)
		}
		return v
	case op.IsCompare():
		return IntT
	case op == Shl || op == Shr:
		return a
	}
	return commonWide(a, b)
}

// WideBinary computes a op b for values of types ta and tb. With ErrOverflow it also
// returns the wrapped result.
func WideBinary(op Op, ta, tb *Type, a, b []byte) ([]byte, error) {
	t := WideResult(op, ta, tb)
	switch {
	case t.Kind == Vector:
		return vectorBinary(op, t, ta, tb, a, b)
	case ta.Kind == Complex || tb.Kind == Complex:
		return complexBinary(op, ta, tb, a, b)
	case op == Shl || op == Shr:
		n, err := WideConvert(tb, IntT, b)
		if err != nil {
			return nil, err
		}
		return scalarShift(op, ta, a, Load(IntT, n))
	}
	c := Common(ta, tb)
	x, err := WideConvert(ta, c, a)
	if err != nil {
		return nil, err
	}
	y, err := WideConvert(tb, c, b)
	if err != nil {
		return nil, err
	}
	return scalarBinary(op, c, x, y)
}

// ofWord returns the bytes of a word of type t.
func ofWord(t *Type, w Word) []byte {
	b := make([]byte, t.Size)
	Store(t, b, w)
	return b
}

// scalarBinary computes with two values of one real type.
func scalarBinary(op Op, t *Type, a, b []byte) ([]byte, error) {
	switch t.Kind {
	case LongDouble:
		x, y := LoadExt(a), LoadExt(b)
		if op.IsCompare() {
			c, ok := x.Compare(y)
			return ofWord(IntT, ordered(op, c, ok)), nil
		}
		out := make([]byte, 16)
		ExtBinary(op, x, y).Store(out)
		return out, nil
	case Int128:
		return int128Binary(op, t, a, b)
	}
	w, err := Binary(op, t, Load(t, a), Load(t, b))
	if op.IsCompare() {
		return ofWord(IntT, w), err
	}
	return ofWord(t, w), err
}

// ordered returns the result of comparison op for operands that compare as c. If they are unordered (!ok), only !=
// holds.
func ordered(op Op, c int, ok bool) Word {
	if !ok {
		return truth(op == Ne)
	}
	switch op {
	case Eq:
		return truth(c == 0)
	case Ne:
		return truth(c != 0)
	case Lt:
		return truth(c < 0)
	case Le:
		return truth(c <= 0)
	case Gt:
		return truth(c > 0)
	}
	return truth(c >= 0)
}

// LoadInt returns the value of the bytes of an integer type.
func LoadInt(t *Type, b []byte) *big.Int {
	if t.Kind != Int128 {
		return IntOf(t, Load(t, b))
	}
	i := new(big.Int).SetUint64(binary.LittleEndian.Uint64(b[8:]))
	i.Lsh(i, 64).Or(i, new(big.Int).SetUint64(binary.LittleEndian.Uint64(b)))
	if t.Signed && i.Bit(127) == 1 {
		i.Sub(i, two128)
	}
	return i
}

// IntOf returns the value of a word of integer type.
func IntOf(t *Type, w Word) *big.Int {
	if t.Signed {
		return big.NewInt(int64(w))
	}
	return new(big.Int).SetUint64(w)
}

var (
	two128 = new(big.Int).Lsh(big.NewInt(1), 128)
	low64  = new(big.Int).SetUint64(math.MaxUint64)
)

// StoreInt returns i wrapped to integer type t, as bytes, and reports whether i fits in t.
func StoreInt(t *Type, i *big.Int) (b []byte, fits bool) {
	m := new(big.Int).And(i, new(big.Int).Sub(two128, big.NewInt(1)))
	lo := new(big.Int).And(m, low64).Uint64()
	hi := new(big.Int).Rsh(m, 64).Uint64()
	if t.Kind == Int128 {
		b = make([]byte, 16)
		binary.LittleEndian.PutUint64(b, lo)
		binary.LittleEndian.PutUint64(b[8:], hi)
	} else {
		b = ofWord(t, Wrap(t, lo))
	}
	return b, LoadInt(t, b).Cmp(i) == 0
}

func int128Binary(op Op, t *Type, a, b []byte) ([]byte, error) {
	x, y := LoadInt(t, a), LoadInt(t, b)
	switch op {
	case Add:
		x.Add(x, y)
	case Sub:
		x.Sub(x, y)
	case Mul:
		x.Mul(x, y)
	case Div, Rem:
		if y.Sign() == 0 {
			return make([]byte, 16), ErrDivide
		}
		if op == Div {
			x.Quo(x, y)
		} else {
			x.Rem(x, y)
		}
	case And:
		x.And(x, y)
	case Or:
		x.Or(x, y)
	case Xor:
		x.Xor(x, y)
	default:
		return ofWord(IntT, ordered(op, x.Cmp(y), true)), nil
	}
	out, fits := StoreInt(t, x)
	if !fits && t.Signed {
		return out, ErrOverflow
	}
	return out, nil
}

func scalarShift(op Op, t *Type, a []byte, n Word) ([]byte, error) {
	if t.Kind != Int128 {
		w, err := Binary(op, t, Load(t, a), n)
		return ofWord(t, w), err
	}
	if n >= 128 {
		return append([]byte{}, a...), ErrShift
	}
	x := LoadInt(t, a)
	if op == Shl {
		x.Lsh(x, uint(n))
	} else {
		x.Rsh(x, uint(n)) // of a negative number it rounds down, as an arithmetic shift does
	}
	out, _ := StoreInt(t, x)
	return out, nil
}

// vectorBinary computes a op b element by element. A scalar operand stands for a vector whose elements all have its
// value.
func vectorBinary(op Op, t, ta, tb *Type, a, b []byte) ([]byte, error) {
	v := ta
	if ta.Kind != Vector {
		v = tb
	}
	elem := func(ty *Type, x []byte, i int64) ([]byte, error) {
		if ty.Kind == Vector {
			return x[i*ty.Elem.Size : (i+1)*ty.Elem.Size], nil
		}
		return WideConvert(ty, v.Elem, x)
	}
	var out []byte
	for i := range v.Len {
		x, err := elem(ta, a, i)
		if err != nil {
			return nil, err
		}
		y, err := elem(tb, b, i)
		if err != nil {
			return nil, err
		}
		var r []byte
		if op == Shl || op == Shr {
			r, err = scalarShift(op, v.Elem, x, Load(v.Elem, y))
		} else {
			r, err = scalarBinary(op, v.Elem, x, y)
		}
		if err != nil && err != ErrOverflow { // the elements of a vector wrap
			return nil, err
		}
		if op.IsCompare() {
			w := Load(IntT, r)
			r = make([]byte, t.Elem.Size)
			for k := range r {
				r[k] = byte(-w)
			}
		}
		out = append(out, r...)
	}
	return out, nil
}

// WideUnary computes -a or ~a. For a complex number ~ is the conjugate.
func WideUnary(op Op, t *Type, a []byte) ([]byte, error) {
	switch t.Kind {
	case LongDouble:
		out := make([]byte, 16)
		LoadExt(a).Neg().Store(out)
		return out, nil
	case Int128:
		x := LoadInt(t, a)
		if op == Neg {
			x.Neg(x)
		} else {
			x.Not(x)
		}
		out, fits := StoreInt(t, x)
		if !fits && t.Signed {
			return out, ErrOverflow
		}
		return out, nil
	case Complex, Vector:
		var out []byte
		for i := int64(0); i < t.Size; i += t.Elem.Size {
			p := a[i : i+t.Elem.Size]
			if t.Kind == Complex && op == Not {
				if i == 0 {
					out = append(out, p...)
					continue
				}
				r, err := WideUnary(Neg, t.Elem, p)
				if err != nil {
					return nil, err
				}
				out = append(out, r...)
				continue
			}
			r, err := WideUnary(op, t.Elem, p)
			if err != nil && err != ErrOverflow {
				return nil, err
			}
			out = append(out, r...)
		}
		return out, nil
	}
	w, err := Unary(op, t, Load(t, a))
	return ofWord(t, w), err
}

// WideTruth reports whether a value is not zero.
func WideTruth(t *Type, a []byte) bool {
	switch t.Kind {
	case LongDouble:
		return !LoadExt(a).IsZero()
	case Complex:
		return WideTruth(t.Elem, a[:t.Elem.Size]) || WideTruth(t.Elem, a[t.Elem.Size:])
	case Int128:
		return binary.LittleEndian.Uint64(a)|binary.LittleEndian.Uint64(a[8:]) != 0
	}
	return Truth(t, Load(t, a))
}

// WideConvert converts between any two scalar or wide types. A conversion from or to a vector keeps the bits.
func WideConvert(from, to *Type, a []byte) ([]byte, error) {
	switch {
	case from == to:
		return a, nil
	case from.Kind == Vector || to.Kind == Vector: // the same bits
		out := make([]byte, to.Size)
		copy(out, a)
		return out, nil
	case to.Kind == Bool:
		return ofWord(BoolT, truth(WideTruth(from, a))), nil
	case to.Kind == Complex:
		im := make([]byte, from.part().Size)
		if from.Kind == Complex {
			a, im = a[:from.Elem.Size], a[from.Elem.Size:]
		}
		re, err := WideConvert(from.part(), to.Elem, a)
		if err != nil {
			return nil, err
		}
		if from.Kind != Complex {
			return append(append([]byte{}, re...), make([]byte, to.Elem.Size)...), nil
		}
		im, err = WideConvert(from.part(), to.Elem, im)
		return append(append([]byte{}, re...), im...), err
	case from.Kind == Complex:
		return WideConvert(from.Elem, to, a[:from.Elem.Size])
	case !from.IsWide() && !to.IsWide():
		w, err := Convert(from, to, Load(from, a))
		return ofWord(to, w), err
	case from.Kind == LongDouble:
		return extTo(to, LoadExt(a))
	case to.Kind == LongDouble:
		out := make([]byte, 16)
		switch from.Kind {
		case Float:
			ExtOfFloat(FloatOf(from, Load(from, a))).Store(out)
		default:
			ExtOfInt(LoadInt(asInteger(from), a)).Store(out)
		}
		return out, nil
	case from.Kind == Int128 && to.Kind == Float:
		f := new(big.Float).SetInt(LoadInt(from, a))
		if to.Size == 4 {
			v, _ := f.Float32()
			return ofWord(to, Word(math.Float32bits(v))), nil
		}
		v, _ := f.Float64()
		return ofWord(to, math.Float64bits(v)), nil
	case from.Kind == Float:
		return extTo(to, ExtOfFloat(FloatOf(from, Load(from, a))))
	}
	out, _ := StoreInt(asInteger(to), LoadInt(asInteger(from), a))
	return out, nil
}

// asInteger returns the integer type that represents pointers or _Bool; other types are returned as they are.
func asInteger(t *Type) *Type {
	switch t.Kind {
	case Pointer:
		return ULongT
	case Bool:
		return UCharT
	}
	return t
}

// extTo converts a long double to another real type, or to a pointer.
func extTo(to *Type, x Ext) ([]byte, error) {
	switch {
	case to.Kind == LongDouble:
		out := make([]byte, 16)
		x.Store(out)
		return out, nil
	case to.Kind == Float && to.Size == 4:
		return ofWord(to, Word(math.Float32bits(x.Float32()))), nil
	case to.Kind == Float:
		return ofWord(to, math.Float64bits(x.Float64())), nil
	}
	i, ok := x.Int()
	out, fits := StoreInt(asInteger(to), i)
	if ok && fits {
		return out, nil
	}
	// The x87 stores its integer indefinite value.
	if to.Size >= 8 {
		out = make([]byte, to.Size)
		out[to.Size-1] = 0x80
	}
	return out, ErrFloatInt
}
