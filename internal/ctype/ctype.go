// Package ctype is the type system of C on x86-64 Linux: sizes, alignments,
// fields, conversions, and the arithmetic of scalar values.
//
// A scalar value is a 64-bit Word: integers are sign- or zero-extended from
// their type's width, floats are their IEEE bits (a float in the low 32), a
// pointer is an address (see MakePointer). This package is the only place
// that defines what an operator does to words, so that the abstract machine,
// the expression evaluator and repair search cannot disagree.
//
// A value that does not fit in a word (__int128, long double, complex numbers, GNU C's
// vectors) is its bytes in memory, with operations of its own (WideBinary and others).
//
// Not supported: _Float16, __float128, decimal floating types.
package ctype

import (
	"fmt"
	"strings"
)

// Kind classifies a type.
type Kind uint8

const (
	Void Kind = iota
	Bool
	Int // all integers and enums
	Float
	Pointer
	Array
	Struct
	Union
	Func

	// The wide kinds, see IsWide.
	Int128
	LongDouble
	Complex // Elem is the type of the two parts
	Vector  // of Len elements of type Elem
)

// Type is a C type. Types are compared with Same; scalar types and pointers
// may exist in several copies.
type Type struct {
	Kind   Kind
	Size   int64 // bytes; 0 when incomplete
	Align  int64
	Signed bool

	Elem     *Type   // Pointer, Array
	Len      int64   // Array; -1 when unknown or variable
	Fields   []Field // Struct, Union
	Tag      string  // Struct, Union; "" when anonymous
	Typedef  string  // a typedef's name for an anonymous struct or union
	Params   []*Type // Func
	Result   *Type   // Func
	Variadic bool
	NoProto  bool // declared with an empty parameter list

	Name string // spelling of a basic type
	Enum bool

	Enums []Enumerator // of an enum, in the order of their declaration
	Text  string       // prefix of the literals of wchar_t (L), char16_t (u) and char32_t (U); "" for other types
	Bits  int          // Int: width of a bit-field if it is not the whole width of a type, else 0
	Place int          // Int, Bool: 1 + the first bit of a bit-field in memory, see Field.Stored; 0 for other types

	// ElemQual are the qualifiers of the target of a Pointer or of the elements of an
	// Array. Qualifiers are not part of a type's identity, see Same.
	ElemQual Qual
}

// Enumerator is a name of an enum's value.
type Enumerator struct {
	Name  string
	Value Word
}

// Qual is a set of type qualifiers.
type Qual uint8

// The qualifiers.
const (
	Const Qual = 1 << iota
	Volatile
	Restrict
	Atomic
)

// Field is a member of a struct or union.
type Field struct {
	Name   string // "" for an anonymous struct or union member
	Type   *Type
	Offset int64 // bytes from the start of the struct; for a bit-field, of the byte that it begins in
	BitOff int   // bit-fields: first bit above Offset*8
	BitLen int   // bit-fields: width; 0 for ordinary members
	Align  int64 // alignment inside the struct; 0 for bit-fields
	Qual   Qual

	Address bool    // an integer of eight bytes that holds addresses; see cfront.Program.MarkAddresses
	Leads   []*Type // types that a void * points to (cfront.Program.MarkGeneric), or the tagged pointers in a number (cfront.Program.MarkAddresses)
}

// ValueType returns the type that a member has as an expression. In gcc a
// bit-field has an integer type of exactly its width and declared sign. Values
// that are assigned, incremented or computed have that width unless they are
// promoted (C11 6.7.2.1p10 leaves this open for widths above int's).
func (f *Field) ValueType() *Type {
	t := f.Type
	if f.BitLen == 0 || t.Kind != Int || int64(f.BitLen) == 8*t.Size {
		return t
	}
	size := int64(1)
	for 8*size < int64(f.BitLen) {
		size *= 2
	}
	return &Type{Kind: Int, Size: size, Align: size, Signed: t.Signed, Bits: f.BitLen, Name: fmt.Sprintf("%s:%d", t, f.BitLen)}
}

// Stored returns a type t for access to a bit-field in memory: Load and Store with t read and write only its
// bits. t covers all bytes that the bit-field has a part of; they begin at offset in the struct. ok
// is false for a member that is not a bit-field, and if these bytes do not fit in a word.
func (f *Field) Stored() (t *Type, offset int64, ok bool) {
	first := f.BitOff % 8
	size := int64(first+f.BitLen+7) / 8
	if f.BitLen == 0 || !f.Type.IsInteger() || size > 8 {
		return nil, 0, false
	}
	c := *f.Type
	c.Size, c.Align, c.Bits, c.Place = size, 1, f.BitLen, first+1
	if !c.Enum {
		c.Name = fmt.Sprintf("%s:%d", f.Type, f.BitLen)
	}
	return &c, f.Offset + int64(f.BitOff/8), true
}

// Width returns the number of bits of a value of a scalar type.
func (t *Type) Width() int {
	if t.Bits > 0 {
		return t.Bits
	}
	return int(8 * t.Size)
}

func basic(name string, k Kind, size int64, signed bool) *Type {
	return &Type{Kind: k, Size: size, Align: max(size, 1), Signed: signed, Name: name}
}

func character(name string, size int64, signed bool, prefix string) *Type {
	t := basic(name, Int, size, signed)
	t.Text = prefix
	return t
}

// IsText reports whether a type is an array of characters, wide ones included, which is shown as a string.
func (t *Type) IsText() bool {
	return t.Kind == Array && t.Elem.Kind == Int && (t.Elem.Size == 1 || t.Elem.Text != "")
}

// The basic types.
var (
	VoidT       = basic("void", Void, 1, false)
	BoolT       = basic("_Bool", Bool, 1, false)
	CharT       = basic("char", Int, 1, true)
	PlainUCharT = basic("char", Int, 1, false) // under -funsigned-char
	SCharT      = basic("signed char", Int, 1, true)
	UCharT      = basic("unsigned char", Int, 1, false)
	ShortT      = basic("short", Int, 2, true)
	UShortT     = basic("unsigned short", Int, 2, false)
	IntT        = basic("int", Int, 4, true)
	UIntT       = basic("unsigned int", Int, 4, false)
	LongT       = basic("long", Int, 8, true)
	ULongT      = basic("unsigned long", Int, 8, false)
	LLongT      = basic("long long", Int, 8, true)
	ULLongT     = basic("unsigned long long", Int, 8, false)
	FloatT      = basic("float", Float, 4, true)
	DoubleT     = basic("double", Float, 8, true)
	VoidPtrT    = PointerTo(VoidT)
	CharPtrT    = PointerTo(CharT)
	WCharT      = character("int", 4, true, "L")
	Char16T     = character("unsigned short", 2, false, "u")
	Char32T     = character("unsigned int", 4, false, "U")
)

// PointerTo returns the type of a pointer to t.
func PointerTo(t *Type) *Type {
	return &Type{Kind: Pointer, Size: 8, Align: 8, Elem: t}
}

// ArrayOf returns an array type of n elements; n is -1 when unknown.
func ArrayOf(t *Type, n int64) *Type {
	return &Type{Kind: Array, Size: t.Size * max(n, 0), Align: t.Align, Elem: t, Len: n}
}

// IsInteger reports whether t is an integer, enum or _Bool type.
func (t *Type) IsInteger() bool { return t.Kind == Int || t.Kind == Bool }

// IsArith reports whether t is an integer or floating type.
func (t *Type) IsArith() bool { return t.IsInteger() || t.Kind == Float }

// IsScalar reports whether a value of t fits in one word.
func (t *Type) IsScalar() bool { return t.IsArith() || t.Kind == Pointer }

// IsAggregate reports whether t is a struct or union.
func (t *Type) IsAggregate() bool { return t.Kind == Struct || t.Kind == Union }

// HoldsTagged reports whether a number of the type has room for a pointer and its tag: an integer or a double of eight
// bytes.
func (t *Type) HoldsTagged() bool {
	return t.Size == 8 && (t.Kind == Int && len(t.Enums) == 0 || t.Kind == Float)
}

// IsFuncPointer reports whether t points to a function.
func (t *Type) IsFuncPointer() bool { return t.Kind == Pointer && t.Elem.Kind == Func }

// Decay returns the type of a value of type t in an expression: arrays and
// functions become pointers.
func (t *Type) Decay() *Type {
	switch t.Kind {
	case Array:
		p := PointerTo(t.Elem)
		p.ElemQual = t.ElemQual
		return p
	case Func:
		return PointerTo(t)
	}
	return t
}

// Field returns the member called name, looking into anonymous members; its
// Offset is from the start of t.
func (t *Type) Field(name string) (Field, bool) {
	for _, f := range t.Fields {
		if f.Name == name && name != "" {
			return f, true
		}
		if f.Name == "" && f.Type.IsAggregate() {
			if g, ok := f.Type.Field(name); ok {
				g.Offset += f.Offset
				return g, true
			}
		}
	}
	return Field{}, false
}

// Same reports whether two types are the same for assignment and comparison of
// pointers; qualifiers are not part of types here.
func Same(a, b *Type) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case Void, Bool:
		return true
	case Int:
		return a.Width() == b.Width() && a.Signed == b.Signed
	case Float:
		return a.Size == b.Size
	case Int128:
		return a.Signed == b.Signed
	case LongDouble:
		return true
	case Complex:
		return Same(a.Elem, b.Elem)
	case Vector:
		return a.Len == b.Len && Same(a.Elem, b.Elem)
	case Pointer:
		return Same(a.Elem, b.Elem)
	case Array:
		return Same(a.Elem, b.Elem) && (a.Len == b.Len || a.Len < 0 || b.Len < 0)
	case Struct, Union:
		return a.TagName() == b.TagName() && a.TagName() != "" && (a.Size == b.Size || a.Size == 0 || b.Size == 0)
	case Func:
		if !Same(a.Result, b.Result) || a.NoProto || b.NoProto {
			return Same(a.Result, b.Result)
		}
		if len(a.Params) != len(b.Params) || a.Variadic != b.Variadic {
			return false
		}
		for i := range a.Params {
			if !Same(a.Params[i], b.Params[i]) {
				return false
			}
		}
		return true
	}
	return false
}

// TagName returns what people call a struct or union: its tag or, when it has
// none, its typedef.
func (t *Type) TagName() string {
	if t.Tag != "" {
		return t.Tag
	}
	return t.Typedef
}

func (t *Type) String() string { return t.Decl("") }

// Decl returns a C declaration of name with type t, without the semicolon.
func (t *Type) Decl(name string) string {
	return strings.TrimRight(t.decl(name), " ")
}

func (t *Type) decl(inner string) string {
	sp := func(s string) string {
		if inner == "" {
			return s
		}
		return s + " " + inner
	}
	switch t.Kind {
	case Pointer:
		if t.Elem.Kind == Array || t.Elem.Kind == Func {
			return t.Elem.decl("(*" + inner + ")")
		}
		return t.Elem.decl("*" + inner)
	case Array:
		if t.Len < 0 {
			return t.Elem.decl(inner + "[]")
		}
		return t.Elem.decl(fmt.Sprintf("%s[%d]", inner, t.Len))
	case Func:
		ps := make([]string, len(t.Params))
		for i, p := range t.Params {
			ps[i] = p.String()
		}
		if t.Variadic {
			ps = append(ps, "...")
		}
		if len(ps) == 0 && !t.NoProto {
			ps = []string{"void"}
		}
		return t.Result.decl(inner + "(" + strings.Join(ps, ", ") + ")")
	case Struct, Union:
		kw := "struct "
		if t.Kind == Union {
			kw = "union "
		}
		if t.Tag == "" && t.Typedef != "" {
			return sp(t.Typedef)
		}
		if t.Tag == "" {
			return sp(kw + "{...}")
		}
		return sp(kw + t.Tag)
	}
	return sp(t.Name)
}

// Basics returns all basic types, wide ones included, and void * and char *, always in the same order.
func Basics() []*Type {
	return []*Type{
		VoidT, BoolT, CharT, PlainUCharT, SCharT, UCharT, ShortT, UShortT, IntT, UIntT, LongT, ULongT, LLongT, ULLongT, FloatT, DoubleT,
		VoidPtrT, CharPtrT, Int128T, UInt128T, LongDoubleT, WCharT, Char16T, Char32T,
	}
}
