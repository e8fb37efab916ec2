// Package eval evaluates expressions of package cfront over the memory of somebody else: of a stopped program, or of a
// state of the repair search. It uses the arithmetic of package ctype, so it agrees with the abstract machine.
//
// Calls need a Caller, such as World. Compound literals, statement expressions, variable-length arrays and initializers
// of bit-fields are not supported.
package eval

import (
	"errors"
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// Memory holds the values of variables and objects.
type Memory interface {
	// Load reads a scalar. ok is false if there is no live object at the address.
	Load(addr ctype.Word, t *ctype.Type) (w ctype.Word, ok bool)
	Store(addr ctype.Word, t *ctype.Type, w ctype.Word) bool
	// VarAddr returns the current address of a variable.
	VarAddr(v *cfront.Var) (ctype.Word, bool)
}

// Bounded is Memory that knows where its objects end. Two objects may be adjacent, as string literals are.
type Bounded interface {
	// Room returns the number of bytes from an address to the end of the object that contains it.
	Room(addr ctype.Word) (n ctype.Word, ok bool)
}

// Literals is Memory that knows the addresses of the program's string literals.
type Literals interface {
	Literal(s *cfront.String) (addr ctype.Word, ok bool)
}

// Functions is Memory that knows the addresses of the program's functions. Names of functions can be evaluated in it,
// and so can calls through pointers.
type Functions interface {
	FuncAddr(f *cfront.Func) (ctype.Word, bool)
	FuncAt(addr ctype.Word) *cfront.Func
}

func funcAddr(m Memory, x *cfront.FuncRef) (ctype.Word, error) {
	if fs, ok := m.(Functions); ok {
		if a, ok := fs.FuncAddr(x.Func); ok {
			return a, nil
		}
	}
	return 0, fmt.Errorf("%w: %s", ErrSupport, cfront.Text(x))
}

// Errors that a caller may distinguish.
var (
	ErrNull    = errors.New("null pointer dereference")
	ErrAccess  = errors.New("access outside live memory")
	ErrSupport = errors.New("expression cannot be evaluated here")
)

// Value evaluates a scalar expression with its side effects.
func Value(m Memory, x cfront.Expr) (ctype.Word, error) {
	if x.Type().IsWide() {
		return 0, fmt.Errorf("%w: %s is no word", ErrSupport, cfront.Text(x))
	}
	switch x := x.(type) {
	case *cfront.Const:
		return x.Value, nil
	case *cfront.Ref, *cfront.Deref, *cfront.Member, *cfront.Index, *cfront.Part:
		return load(m, x)
	case *cfront.Decay:
		if f, ok := x.X.(*cfront.FuncRef); ok {
			return funcAddr(m, f)
		}
		return Addr(m, x.X)
	case *cfront.Addr:
		if w, ok := cfront.Constant(x); ok { // offsetof, as it is written by hand
			return w, nil
		}
		return Addr(m, x.X)
	case *cfront.Cast:
		if x.X.Type().IsWide() {
			return narrow(x.Type(), func() ([]byte, error) { return cast(m, x) })
		}
		w, err := Value(m, x.X)
		if err != nil {
			return 0, err
		}
		w, _ = ctype.Convert(x.X.Type(), x.Type(), w)
		return w, nil
	case *cfront.Unary:
		w, err := Value(m, x.X)
		if err != nil {
			return 0, err
		}
		return ctype.Unary(x.Op, x.Type(), w)
	case *cfront.LogicalNot:
		t, err := Truth(m, x.X)
		return word(!t), err
	case *cfront.Binary:
		return binary(m, x)
	case *cfront.Logical:
		t, err := Truth(m, x)
		return word(t), err
	case *cfront.Cond:
		t, err := Truth(m, x.C)
		if err != nil {
			return 0, err
		}
		if t {
			return Value(m, x.A)
		}
		return Value(m, x.B)
	case *cfront.Comma:
		if _, err := Value(m, x.X); err != nil {
			return 0, err
		}
		return Value(m, x.Y)
	case *cfront.Assign:
		return assign(m, x)
	case *cfront.IncDec:
		return incDec(m, x)
	case *cfront.Call:
		if c, ok := m.(Caller); ok {
			return c.Call(x)
		}
	case *cfront.FuncRef:
		return funcAddr(m, x)
	case *cfront.String, *cfront.Compound:
	}
	return 0, fmt.Errorf("%w: %s", ErrSupport, cfront.Text(x))
}

func word(b bool) ctype.Word {
	if b {
		return 1
	}
	return 0
}

// Truth evaluates a condition.
func Truth(m Memory, x cfront.Expr) (bool, error) {
	if l, ok := x.(*cfront.Logical); ok {
		t, err := Truth(m, l.X)
		if err != nil || t != l.And {
			return t, err
		}
		return Truth(m, l.Y)
	}
	if x.Type().IsWide() {
		b, err := Bytes(m, x)
		return err == nil && ctype.WideTruth(x.Type(), b), err
	}
	w, err := Value(m, x)
	return ctype.Truth(x.Type(), w), err
}

func load(m Memory, x cfront.Expr) (ctype.Word, error) {
	if !x.Type().IsScalar() {
		return 0, fmt.Errorf("%w: %s is no scalar", ErrSupport, cfront.Text(x))
	}
	a, err := Addr(m, x)
	if err != nil {
		return 0, err
	}
	return loadAt(m, x, a)
}

// loadAt reads the lvalue x, whose address a is known. To evaluate the address again would repeat its side effects.
func loadAt(m Memory, x cfront.Expr, a ctype.Word) (ctype.Word, error) {
	if mem, ok := x.(*cfront.Member); ok && mem.Field.BitLen > 0 {
		return loadBits(m, a, mem)
	}
	w, ok := m.Load(a, x.Type())
	if !ok {
		return 0, accessError(a)
	}
	return w, nil
}

func accessError(a ctype.Word) error {
	if a < 4096 {
		return ErrNull
	}
	return ErrAccess
}

func loadBits(m Memory, a ctype.Word, x *cfront.Member) (ctype.Word, error) {
	var w ctype.Word
	for i := 0; i < x.Field.BitLen; i++ {
		bit := x.Field.BitOff + i
		b, ok := m.Load(a+ctype.Word(bit/8), ctype.UCharT)
		if !ok {
			return 0, accessError(a)
		}
		w |= b >> (bit % 8) & 1 << i
	}
	if s := 64 - x.Field.BitLen; x.Type().Signed {
		w = ctype.Word(int64(w<<s) >> s)
	}
	return w, nil
}

// Addr evaluates the address of an lvalue.
func Addr(m Memory, x cfront.Expr) (ctype.Word, error) {
	switch x := x.(type) {
	case *cfront.Ref:
		a, ok := m.VarAddr(x.Var)
		if !ok {
			return 0, fmt.Errorf("%w: variable %s is not here", ErrSupport, x.Var.Name)
		}
		return a, nil
	case *cfront.Deref:
		p, err := Value(m, x.X)
		if err == nil && p < 4096 {
			err = ErrNull
		}
		return p, err
	case *cfront.Member:
		var a ctype.Word
		var err error
		if x.Arrow {
			if a, err = Value(m, x.X); err == nil && a < 4096 {
				err = ErrNull
			}
		} else {
			a, err = Addr(m, x.X)
		}
		return a + ctype.Word(x.Field.Offset), err
	case *cfront.Part:
		a, err := Addr(m, x.X)
		if x.Imag {
			a += ctype.Word(x.Type().Size)
		}
		return a, err
	case *cfront.Index:
		p, err := Value(m, x.X)
		if err != nil {
			return 0, err
		}
		i, err := Value(m, x.I)
		return p + i*ctype.Word(x.Type().Size), err
	case *cfront.String:
		if l, ok := m.(Literals); ok {
			if a, ok := l.Literal(x); ok {
				return a, nil
			}
		}
	case *cfront.Call: // it returns a struct, which is kept until the evaluation ends
		if c, ok := m.(Caller); ok && x.Type().IsAggregate() {
			return c.Call(x)
		}
	}
	return 0, fmt.Errorf("%w: %s has no address", ErrSupport, cfront.Text(x))
}

func binary(m Memory, x *cfront.Binary) (ctype.Word, error) {
	if x.X.Type().IsWide() || x.Y.Type().IsWide() {
		return narrow(x.Type(), func() ([]byte, error) { return wideBinary(m, x) })
	}
	a, err := Value(m, x.X)
	if err != nil {
		return 0, err
	}
	b, err := Value(m, x.Y)
	if err != nil {
		return 0, err
	}
	t := x.X.Type()
	if t.Kind == ctype.Pointer && !x.Op.IsCompare() {
		size := max(t.Elem.Size, 1)
		switch {
		case x.Y.Type().Kind == ctype.Pointer:
			return ctype.Word(int64(a-b) / size), nil
		case x.Op == ctype.Sub:
			return a - b*ctype.Word(size), nil
		}
		return a + b*ctype.Word(size), nil
	}
	return ctype.Binary(x.Op, t, a, b)
}

// store writes w to the lvalue l at address a. It returns the value that l has then, which has fewer bits for a
// bit-field.
func store(m Memory, l cfront.Expr, a, w ctype.Word) (ctype.Word, error) {
	if mem, ok := l.(*cfront.Member); ok && mem.Field.BitLen > 0 {
		for i := 0; i < mem.Field.BitLen; i++ {
			bit := mem.Field.BitOff + i
			at := a + ctype.Word(bit/8)
			b, ok := m.Load(at, ctype.UCharT)
			if !ok {
				return 0, accessError(a)
			}
			b = b&^(1<<(bit%8)) | (w>>i&1)<<(bit%8)
			m.Store(at, ctype.UCharT, b)
		}
		return loadBits(m, a, mem)
	}
	if !m.Store(a, l.Type(), w) {
		return 0, accessError(a)
	}
	return w, nil
}

func assign(m Memory, x *cfront.Assign) (ctype.Word, error) {
	t := x.L.Type()
	if x.HasOp && x.OpType.IsWide() {
		return narrow(t, func() ([]byte, error) { return assignBytes(m, x) })
	}
	if !t.IsScalar() {
		return 0, copyObject(m, x.L, x.R)
	}
	r, err := Value(m, x.R)
	if err != nil {
		return 0, err
	}
	a, err := Addr(m, x.L)
	if err != nil {
		return 0, err
	}
	if x.HasOp {
		old, err := loadAt(m, x.L, a)
		if err != nil {
			return 0, err
		}
		if t.Kind == ctype.Pointer {
			n := r * ctype.Word(max(t.Elem.Size, 1))
			if x.Op == ctype.Sub {
				n = -n
			}
			r = old + n
		} else {
			old, _ = ctype.Convert(t, x.OpType, old)
			if r, err = ctype.Binary(x.Op, x.OpType, old, r); err != nil {
				return 0, err
			}
			r, _ = ctype.Convert(x.OpType, t, r)
		}
	}
	return store(m, x.L, a, r)
}

func copyObject(m Memory, l, r cfront.Expr) error {
	to, err := Addr(m, l)
	if err != nil {
		return err
	}
	from, err := Addr(m, r)
	if err != nil {
		return err
	}
	return copyTo(m, to, from, l.Type().Size)
}

// copyTo copies n bytes. Bytes of an interpreted function's own variables that were never written are left out.
func copyTo(m Memory, to, from ctype.Word, n int64) error {
	buf := make([]ctype.Word, n)
	known := make([]bool, n)
	for i := range buf {
		at := from + ctype.Word(i)
		if buf[i], known[i] = m.Load(at, ctype.UCharT); !known[i] {
			if w, ok := m.(*World); !ok || !w.Own(at) {
				return accessError(from)
			}
		}
	}
	for i, b := range buf {
		if known[i] && !m.Store(to+ctype.Word(i), ctype.UCharT, b) {
			return accessError(to)
		}
	}
	return nil
}

func incDec(m Memory, x *cfront.IncDec) (ctype.Word, error) {
	t := x.X.Type()
	a, err := Addr(m, x.X)
	if err != nil {
		return 0, err
	}
	old, err := loadAt(m, x.X, a)
	if err != nil {
		return 0, err
	}
	var v ctype.Word
	switch {
	case t.Kind == ctype.Pointer:
		v = old + ctype.Word(t.Elem.Size)
		if x.Dec {
			v = old - ctype.Word(t.Elem.Size)
		}
	case t.Kind == ctype.Float:
		d := 1.0
		if x.Dec {
			d = -1
		}
		v = ctype.OfFloat(t, ctype.FloatOf(t, old)+d)
	default:
		op := ctype.Add
		if x.Dec {
			op = ctype.Sub
		}
		if v, err = ctype.Binary(op, ctype.Promote(t), old, 1); err != nil {
			return 0, err
		}
		v = ctype.Wrap(t, v)
	}
	now, err := store(m, x.X, a, v)
	if x.Post {
		return old, err
	}
	return now, err
}

// Init executes the initializer of a declaration.
func Init(m Memory, d *cfront.Decl) error {
	base, ok := m.VarAddr(d.Var)
	if !ok {
		return fmt.Errorf("%w: variable %s is not here", ErrSupport, d.Var.Name)
	}
	if d.Zero {
		for i := int64(0); i < d.Var.Type.Size; i++ {
			if !m.Store(base+ctype.Word(i), ctype.UCharT, 0) {
				return accessError(base)
			}
		}
	}
	for _, in := range d.Init {
		if in.Type.IsAggregate() && in.Field == nil {
			from, err := Addr(m, in.X)
			if err == nil {
				err = copyTo(m, base+ctype.Word(in.Offset), from, in.Type.Size)
			}
			if err != nil {
				return err
			}
			continue
		}
		if in.Type.IsWide() && in.Field == nil {
			b, err := Bytes(m, in.X)
			if err == nil {
				err = storeBytes(m, base+ctype.Word(in.Offset), in.Type, b)
			}
			if err != nil {
				return err
			}
			continue
		}
		if !in.Type.IsScalar() || in.Field != nil {
			return fmt.Errorf("%w: initializer of %s", ErrSupport, d.Var.Name)
		}
		w, err := Value(m, in.X)
		if err != nil {
			return err
		}
		if !m.Store(base+ctype.Word(in.Offset), in.Type, w) {
			return accessError(base)
		}
	}
	return nil
}
