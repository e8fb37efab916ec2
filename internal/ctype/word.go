package ctype

import (
	"errors"
	"math"
)

// Word is a scalar value; see the package comment for its forms.
type Word = uint64

// Op is a binary or unary operator of C.
type Op uint8

const (
	Add Op = iota
	Sub
	Mul
	Div
	Rem
	And
	Or
	Xor
	Shl
	Shr
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	Neg // unary
	Not // unary ~
)

var opText = [...]string{"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "-", "~"}

func (o Op) String() string { return opText[o] }

// IsCompare reports whether the operator yields a truth value.
func (o Op) IsCompare() bool { return o >= Eq && o <= Ge }

// Errors of arithmetic that C leaves undefined.
var (
	ErrOverflow = errors.New("signed integer overflow")
	ErrDivide   = errors.New("division by zero")
	ErrShift    = errors.New("shift amount out of range")
	ErrFloatInt = errors.New("floating-point value out of range of the integer type")
)

// Wrap reduces an integer to the width of type t and extends it to a word; a _Bool becomes 0 or 1. Words of other types
// are returned as they are.
func Wrap(t *Type, w Word) Word {
	switch t.Kind {
	case Bool:
		if w != 0 {
			return 1
		}
		return 0
	case Int:
		if t.Bits > 0 {
			return extend(w, t.Bits, t.Signed)
		}
		switch t.Size {
		case 1:
			if t.Signed {
				return Word(int64(int8(w)))
			}
			return Word(uint8(w))
		case 2:
			if t.Signed {
				return Word(int64(int16(w)))
			}
			return Word(uint16(w))
		case 4:
			if t.Signed {
				return Word(int64(int32(w)))
			}
			return Word(uint32(w))
		}
	}
	return w
}

// extend returns the lowest bits of w, sign- or zero-extended.
func extend(w Word, bits int, signed bool) Word {
	s := 64 - bits
	if signed {
		return Word(int64(w<<s) >> s)
	}
	return w << s >> s
}

// FloatOf returns the value of a word of floating type t.
func FloatOf(t *Type, w Word) float64 {
	if t.Size == 4 {
		return float64(math.Float32frombits(uint32(w)))
	}
	return math.Float64frombits(w)
}

// OfFloat returns v as a word of floating type t.
func OfFloat(t *Type, v float64) Word {
	if t.Size == 4 {
		return Word(math.Float32bits(float32(v)))
	}
	return math.Float64bits(v)
}

// Truth reports whether a word of type t is non-zero.
func Truth(t *Type, w Word) bool {
	if t.Kind == Float {
		return FloatOf(t, w) != 0
	}
	return w != 0
}

func truth(b bool) Word {
	if b {
		return 1
	}
	return 0
}

// Binary applies op to two words of type t. For shifts, b is a count of any
// integer type, in the form that Wrap returns. The result of a comparison is an
// int. With ErrOverflow the word is the wrapped result, as x86-64 computes it.
func Binary(op Op, t *Type, a, b Word) (Word, error) {
	if t.Kind == Float {
		return floatBinary(op, t, a, b), nil
	}
	switch op {
	case Add, Sub, Mul:
		return addSubMul(op, t, a, b)
	case Div, Rem:
		return divide(op, t, a, b)
	case And:
		return a & b, nil
	case Or:
		return a | b, nil
	case Xor:
		return a ^ b, nil
	case Shl, Shr:
		return shift(op, t, a, b)
	case Eq:
		return truth(a == b), nil
	case Ne:
		return truth(a != b), nil
	}
	return compare(op, t, a, b), nil
}

func compare(op Op, t *Type, a, b Word) Word {
	less := a < b
	if t.Signed {
		less = int64(a) < int64(b)
	}
	switch op {
	case Lt:
		return truth(less)
	case Le:
		return truth(less || a == b)
	case Gt:
		return truth(!less && a != b)
	}
	return truth(!less)
}

func addSubMul(op Op, t *Type, a, b Word) (Word, error) {
	var r Word
	over := false
	switch op {
	case Add:
		r = a + b
		over = (int64(a^r) & int64(b^r)) < 0
	case Sub:
		r = a - b
		over = (int64(a^b) & int64(a^r)) < 0
	case Mul:
		r = a * b
		if t.Signed && a != 0 {
			over = (int64(a) == -1 && int64(b) == math.MinInt64) || (int64(a) != -1 && int64(r)/int64(a) != int64(b))
		}
	}
	w := Wrap(t, r)
	if t.Signed && (over || w != r) {
		return w, ErrOverflow
	}
	return w, nil
}

func divide(op Op, t *Type, a, b Word) (Word, error) {
	if b == 0 {
		return 0, ErrDivide
	}
	if !t.Signed {
		if op == Div {
			return a / b, nil
		}
		return a % b, nil
	}
	if int64(b) == -1 {
		if op == Rem {
			return 0, overflowIf(a == Wrap(t, 1<<(t.Width()-1)))
		}
		r := Wrap(t, -a)
		return r, overflowIf(r == a && a != 0)
	}
	if op == Div {
		return Word(int64(a) / int64(b)), nil
	}
	return Word(int64(a) % int64(b)), nil
}

func overflowIf(b bool) error {
	if b {
		return ErrOverflow
	}
	return nil
}

func shift(op Op, t *Type, a, b Word) (Word, error) {
	if b >= Word(t.Width()) {
		return Wrap(t, a), ErrShift
	}
	if op == Shl {
		// gcc defines left shifts of negative values and into the sign bit.
		return Wrap(t, a<<b), nil
	}
	if t.Signed {
		return Word(int64(a) >> b), nil
	}
	return a >> b, nil
}

func floatBinary(op Op, t *Type, a, b Word) Word {
	x, y := FloatOf(t, a), FloatOf(t, b)
	switch op {
	case Add:
		return OfFloat(t, x+y)
	case Sub:
		return OfFloat(t, x-y)
	case Mul:
		return OfFloat(t, x*y)
	case Div:
		return OfFloat(t, x/y)
	case Eq:
		return truth(x == y)
	case Ne:
		return truth(x != y)
	case Lt:
		return truth(x < y)
	case Le:
		return truth(x <= y)
	case Gt:
		return truth(x > y)
	case Ge:
		return truth(x >= y)
	}
	panic("ctype: operator " + op.String() + " on floating type")
}

// Unary applies Neg or Not to a word of type t.
func Unary(op Op, t *Type, a Word) (Word, error) {
	switch {
	case op == Not:
		return Wrap(t, ^a), nil
	case t.Kind == Float:
		return OfFloat(t, -FloatOf(t, a)), nil
	}
	return addSubMul(Sub, t, 0, a)
}

// Convert converts a word between scalar types.
func Convert(from, to *Type, w Word) (Word, error) {
	switch {
	case to.Kind == Void:
		return 0, nil
	case to.Kind == Bool:
		return truth(Truth(from, w)), nil
	case to.Kind == Float && from.Kind == Float:
		if to.Size == from.Size {
			return w, nil
		}
		return OfFloat(to, FloatOf(from, w)), nil
	case to.Kind == Float:
		if from.Signed {
			if to.Size == 4 {
				return Word(math.Float32bits(float32(int64(w)))), nil
			}
			return OfFloat(to, float64(int64(w))), nil
		}
		if to.Size == 4 {
			return Word(math.Float32bits(float32(w))), nil
		}
		return OfFloat(to, float64(w)), nil
	case from.Kind == Float:
		return floatToInt(to, FloatOf(from, w))
	}
	return Wrap(to, w), nil
}

// floatToInt converts f to an integer type by truncation. With ErrFloatInt the word is what
// x86-64 computes.
func floatToInt(to *Type, f float64) (Word, error) {
	f = math.Trunc(f)
	bits := float64(to.Width())
	lo, hi := 0.0, math.Pow(2, bits)
	if to.Signed {
		lo, hi = -math.Pow(2, bits-1), math.Pow(2, bits-1)
	}
	if math.IsNaN(f) || f < lo || f >= hi {
		return Wrap(to, truncate(to, f)), ErrFloatInt
	}
	if to.Signed {
		return Word(int64(f)), nil
	}
	return Word(f), nil
}

// truncate converts a value that is out of range as x86-64 does: cvttsd2si
// gives the smallest integer, of the width that gcc uses for type to.
func truncate(to *Type, f float64) Word {
	fits := func(f float64) Word {
		if f >= -0x1p63 && f < 0x1p63 {
			return Word(int64(f))
		}
		return 1 << 63
	}
	switch {
	case to.Size == 8 && !to.Signed && f >= 0x1p63:
		return fits(f-0x1p63) ^ 1<<63
	case to.Size == 8 || to.Size == 4 && !to.Signed:
		return fits(f)
	case f >= -0x1p31 && f < 0x1p31:
		return Word(int64(f))
	}
	return 1 << 31
}

// Load decodes a little-endian scalar of type t from the start of b, which
// must hold t.Size bytes.
func Load(t *Type, b []byte) Word {
	var w Word
	for i := int(t.Size) - 1; i >= 0; i-- {
		w = w<<8 | Word(b[i])
	}
	if t.Place > 0 {
		w >>= t.Place - 1
		w &= 1<<t.Bits - 1
	}
	if t.Kind == Int {
		return Wrap(t, w)
	}
	return w
}

// Store encodes w as a little-endian scalar of type t at the start of b. For a bit-field it writes only the
// bits of the field.
func Store(t *Type, b []byte, w Word) {
	if t.Place > 0 {
		for i := range t.Bits {
			at := t.Place - 1 + i
			b[at/8] = b[at/8]&^(1<<(at%8)) | byte(w>>i&1)<<(at%8)
		}
		return
	}
	for i := 0; i < int(t.Size); i++ {
		b[i] = byte(w >> (8 * i))
	}
}

// Promote returns the type after integer promotion.
func Promote(t *Type) *Type {
	if t.Kind == Bool || t.Kind == Int && (t.Width() < 32 || t.Bits == 32 && t.Signed) {
		return IntT
	}
	if t.Text != "" { // the result is a number, not a character
		if t.Signed {
			return IntT
		}
		return UIntT
	}
	return t
}

// Common returns the type of the usual arithmetic conversions.
func Common(a, b *Type) *Type {
	if a.IsWide() || b.IsWide() {
		return commonWide(a, b)
	}
	if a.Kind == Float || b.Kind == Float {
		if a.Kind == Float && a.Size == 8 || b.Kind == Float && b.Size == 8 {
			return DoubleT
		}
		return FloatT
	}
	a, b = Promote(a), Promote(b)
	if a.Width() < b.Width() {
		a, b = b, a
	}
	if a.Width() == b.Width() && isLong(b) && isLongLong(a) {
		a, b = b, a
	}
	switch {
	case a.Width() > b.Width():
		return a
	case isLong(a) && isLongLong(b): // the widths are the same, and b has the higher rank
		if !a.Signed || !b.Signed {
			return ULLongT
		}
		return b
	case a.Signed && !b.Signed:
		return b
	}
	return a
}

func isLong(t *Type) bool     { return t == LongT || t == ULongT }
func isLongLong(t *Type) bool { return t == LLongT || t == ULLongT }
