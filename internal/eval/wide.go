package eval

import (
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file evaluates expressions whose values do not fit in a word: long double, __int128, complex numbers and
// vectors. A value is the slice of bytes that it has in memory.

// Bytes evaluates an expression of a scalar, wide or vector type.
func Bytes(m Memory, x cfront.Expr) ([]byte, error) {
	t := x.Type()
	if t.IsScalar() {
		w, err := Value(m, x)
		out := make([]byte, t.Size)
		ctype.Store(t, out, w)
		return out, err
	}
	if !t.IsWide() {
		return nil, fmt.Errorf("%w: %s is no number", ErrSupport, cfront.Text(x))
	}
	switch x := x.(type) {
	case *cfront.WideConst:
		return x.Bytes, nil
	case *cfront.Ref, *cfront.Deref, *cfront.Member, *cfront.Index:
		return loadBytes(m, x)
	case *cfront.Cast:
		return cast(m, x)
	case *cfront.Unary:
		b, err := Bytes(m, x.X)
		if err != nil {
			return nil, err
		}
		return ctype.WideUnary(x.Op, t, b)
	case *cfront.Binary:
		return wideBinary(m, x)
	case *cfront.Cond:
		c, err := Truth(m, x.C)
		if err != nil {
			return nil, err
		}
		if c {
			return Bytes(m, x.A)
		}
		return Bytes(m, x.B)
	case *cfront.Comma:
		if err := Do(m, x.X); err != nil {
			return nil, err
		}
		return Bytes(m, x.Y)
	case *cfront.Assign:
		return assignBytes(m, x)
	case *cfront.IncDec:
		return incDecBytes(m, x)
	case *cfront.Call:
		c, ok := m.(Caller)
		if !ok {
			break
		}
		a, err := c.Call(x)
		if err != nil {
			return nil, err
		}
		return loadAll(m, a, t)
	}
	return nil, fmt.Errorf("%w: %s", ErrSupport, cfront.Text(x))
}

// cast converts from or to a wide type. A number that does not fit gets the value that the processor gives it.
func cast(m Memory, x *cfront.Cast) ([]byte, error) {
	b, err := Bytes(m, x.X)
	if err != nil {
		return nil, err
	}
	return converted(x.X.Type(), x.Type(), b)
}

func converted(from, to *ctype.Type, b []byte) ([]byte, error) {
	out, err := ctype.WideConvert(from, to, b)
	if err == ctype.ErrFloatInt {
		err = nil
	}
	return out, err
}

// narrow returns the value of a scalar, given as bytes, as a word.
func narrow(t *ctype.Type, bytes func() ([]byte, error)) (ctype.Word, error) {
	b, err := bytes()
	if err != nil {
		return 0, err
	}
	return ctype.Load(t, b), nil
}

func loadBytes(m Memory, x cfront.Expr) ([]byte, error) {
	a, err := Addr(m, x)
	if err != nil {
		return nil, err
	}
	return loadAll(m, a, x.Type())
}

func loadAll(m Memory, a ctype.Word, t *ctype.Type) ([]byte, error) {
	return BytesAt(a, t, func(a ctype.Word, t *ctype.Type) (ctype.Word, error) {
		w, ok := m.Load(a, t)
		if !ok {
			return 0, accessError(a)
		}
		return w, nil
	})
}

// BytesAt reads a value at an address word by word. Padding stays zero.
func BytesAt(a ctype.Word, t *ctype.Type, load func(a ctype.Word, t *ctype.Type) (ctype.Word, error)) ([]byte, error) {
	out := make([]byte, t.Size)
	err := byWords(t, func(at int64, word *ctype.Type) error {
		w, err := load(a+ctype.Word(at), word)
		ctype.Store(word, out[at:], w)
		return err
	})
	return out, err
}

func storeBytes(m Memory, a ctype.Word, t *ctype.Type, b []byte) error {
	return byWords(t, func(at int64, word *ctype.Type) error {
		if !m.Store(a+ctype.Word(at), word, ctype.Load(word, b[at:])) {
			return accessError(a)
		}
		return nil
	})
}

// byWords visits the words of a value in the order of their addresses.
func byWords(t *ctype.Type, visit func(at int64, word *ctype.Type) error) error {
	for at := int64(0); at < t.Size; {
		part, word := t, t
		if t.Kind == ctype.Complex || t.Kind == ctype.Vector {
			part, word = t.Elem, t.Elem
		}
		next := at + part.Size
		switch {
		case part.Kind == ctype.Int128:
			word, next = ctype.ULongT, at+8
		case part.Kind == ctype.LongDouble && at%part.Size == 0: // it has ten bytes: a word and two more
			word, next = ctype.ULongT, at+8
		case part.Kind == ctype.LongDouble:
			word, next = ctype.UShortT, at+8
		}
		if err := visit(at, word); err != nil {
			return err
		}
		at = next
	}
	return nil
}

// wideBinary computes a binary operation with a wide operand.
func wideBinary(m Memory, x *cfront.Binary) ([]byte, error) {
	a, err := Bytes(m, x.X)
	if err != nil {
		return nil, err
	}
	b, err := Bytes(m, x.Y)
	if err != nil {
		return nil, err
	}
	return ctype.WideBinary(x.Op, x.X.Type(), x.Y.Type(), a, b)
}

// assignBytes executes an assignment to a wide lvalue, or one with an operation on a wide type. It returns the bytes
// assigned.
func assignBytes(m Memory, x *cfront.Assign) ([]byte, error) {
	t := x.L.Type()
	b, err := Bytes(m, x.R)
	if err != nil {
		return nil, err
	}
	a, err := Addr(m, x.L)
	if err != nil {
		return nil, err
	}
	if bits, ok := x.L.(*cfront.Member); ok && bits.Field.BitLen > 0 {
		return nil, fmt.Errorf("%w: %s", ErrSupport, cfront.Text(x))
	}
	if x.HasOp {
		old, err := loadAll(m, a, t)
		if err != nil {
			return nil, err
		}
		if old, err = converted(t, x.OpType, old); err != nil {
			return nil, err
		}
		from := x.R.Type()
		if b, err = ctype.WideBinary(x.Op, x.OpType, from, old, b); err != nil {
			return nil, err
		}
		if b, err = converted(ctype.WideResult(x.Op, x.OpType, from), t, b); err != nil {
			return nil, err
		}
	}
	return b, storeBytes(m, a, t, b)
}

// incDecBytes executes ++ or -- on a wide value.
func incDecBytes(m Memory, x *cfront.IncDec) ([]byte, error) {
	t := x.X.Type()
	a, err := Addr(m, x.X)
	if err != nil {
		return nil, err
	}
	old, err := loadAll(m, a, t)
	if err != nil {
		return nil, err
	}
	one := make([]byte, ctype.IntT.Size)
	ctype.Store(ctype.IntT, one, 1)
	op := ctype.Add
	if x.Dec {
		op = ctype.Sub
	}
	now, err := ctype.WideBinary(op, t, ctype.IntT, old, one)
	if err == nil {
		err = storeBytes(m, a, t, now)
	}
	if x.Post {
		return old, err
	}
	return now, err
}
