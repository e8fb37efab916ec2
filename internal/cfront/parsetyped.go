package cfront

import (
	"slices"
	"strconv"
	"strings"

	"gulo/internal/ctype"
)

// This file parses what expressions in a session have in addition to ParseExpr: casts,
// sizeof and calls, with the types and functions of a program.

// ParseTyped is ParseExpr with casts, sizeof and calls. It knows the library functions that can be
// computed without running the program (pureLibrary): strlen, strcmp, abs, sqrt and others. An expression with
// a call is not Pure.
func (p *Program) ParseTyped(text string, lookup func(name string) *Var) (Expr, error) {
	return parse(&exprParser{s: text, lookup: lookup, prog: p, c: newConverter()})
}

// ParseType reads the name of a type of the program, or a basic one: struct node, node_t *, int [4].
func (p *Program) ParseType(text string) (*ctype.Type, error) {
	q := &exprParser{s: text, lookup: func(string) *Var { return nil }, prog: p, c: newConverter()}
	var t *ctype.Type
	err := q.guarded(func() {
		if t = q.typeName(); t == nil {
			q.fail("no type of the program")
		}
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// TypeNames lists the names of the program's types as ParseType takes them.
func (p *Program) TypeNames() []string {
	var out []string
	for _, t := range p.Structs {
		if t.Tag != "" {
			out = append(out, t.String())
		}
	}
	for name := range p.Typedefs {
		out = append(out, name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sizeof parses the operand of sizeof.
func (p *exprParser) sizeof() Expr {
	t := p.bracketed()
	if t == nil {
		t = p.unary().Type()
	}
	if t.Size == 0 || t.Kind == ctype.Void || t.Kind == ctype.Func {
		p.fail("the size of %s is not known", t)
	}
	return NewSizeof(t)
}

// cast parses (type) and its operand. It returns nil if the text does not begin with a type in brackets.
func (p *exprParser) cast() Expr {
	t := p.bracketed()
	if t == nil {
		return nil
	}
	x := p.c.decay(p.unary())
	from := x.Type()
	pointers := t.Kind == ctype.Pointer && from.Kind == ctype.Float || t.Kind == ctype.Float && from.Kind == ctype.Pointer
	wide := t.IsWide() || from.IsWide()
	if wide && !(t.IsNumber() && from.IsNumber()) || !wide && (!t.IsScalar() || !from.IsScalar()) || pointers {
		p.fail("a cast of %s to %s", from, t)
	}
	e := &Cast{X: x}
	e.typ = t
	return e
}

// bracketed reads a type in brackets. It returns nil and reads nothing if there is none.
func (p *exprParser) bracketed() *ctype.Type {
	start := p.i
	if p.accept("(") {
		if t := p.typeName(); t != nil {
			if !p.accept(")") {
				p.fail("missing )")
			}
			return t
		}
	}
	p.i = start
	return nil
}

// basicTypes are the basic types by their words, which are sorted alphabetically.
var basicTypes = map[string]*ctype.Type{
	"void": ctype.VoidT, "_Bool": ctype.BoolT, "bool": ctype.BoolT, "float": ctype.FloatT, "double": ctype.DoubleT,
	"char": ctype.CharT, "char signed": ctype.SCharT, "char unsigned": ctype.UCharT,
	"short": ctype.ShortT, "int short": ctype.ShortT, "short signed": ctype.ShortT, "int short signed": ctype.ShortT,
	"short unsigned": ctype.UShortT, "int short unsigned": ctype.UShortT,
	"int": ctype.IntT, "signed": ctype.IntT, "int signed": ctype.IntT, "unsigned": ctype.UIntT, "int unsigned": ctype.UIntT,
	"long": ctype.LongT, "int long": ctype.LongT, "long signed": ctype.LongT, "int long signed": ctype.LongT,
	"long unsigned": ctype.ULongT, "int long unsigned": ctype.ULongT,
	"long long": ctype.LLongT, "int long long": ctype.LLongT, "long long signed": ctype.LLongT, "int long long signed": ctype.LLongT,
	"long long unsigned": ctype.ULLongT, "int long long unsigned": ctype.ULLongT,
	"double long": ctype.LongDoubleT, "__int128": ctype.Int128T, "__int128 signed": ctype.Int128T, "__int128 unsigned": ctype.UInt128T,
}

// typeName reads a type: a name or words, qualifiers, stars, and the lengths of an array.
// It returns nil if no type begins here.
func (p *exprParser) typeName() *ctype.Type {
	var words []string
	var t *ctype.Type
	for {
		at := p.i
		w := p.ident()
		switch {
		case w == "const" || w == "volatile":
			continue
		case w == "struct" || w == "union" || w == "enum":
			tag := p.ident()
			if t = p.prog.tagged(w, tag); t == nil {
				p.fail("no %s %s", w, tag)
			}
			continue
		case strings.Contains(" char double float int long short signed unsigned void _Bool bool __int128 ", " "+w+" ") && w != "":
			words = append(words, w)
			continue
		case w != "" && t == nil && len(words) == 0 && p.lookup(w) == nil && p.prog.Typedefs[w] != nil:
			t = p.prog.Typedefs[w]
			continue
		}
		p.i = at
		break
	}
	if len(words) > 0 {
		if t = basicTypes[sorted(words)]; t == nil {
			p.fail("no type %s", strings.Join(words, " "))
		}
	}
	if t == nil {
		return nil
	}
	return p.lengths(p.stars(t))
}

func sorted(words []string) string {
	words = append([]string(nil), words...)
	for i := range words { // a few words
		for j := i; j > 0 && words[j] < words[j-1]; j-- {
			words[j], words[j-1] = words[j-1], words[j]
		}
	}
	return strings.Join(words, " ")
}

func (p *exprParser) stars(t *ctype.Type) *ctype.Type {
	for p.accept("*") {
		t = ctype.PointerTo(t)
		for p.word("const") || p.word("volatile") || p.word("restrict") {
			continue
		}
	}
	return t
}

// word accepts a word as a whole.
func (p *exprParser) word(w string) bool {
	at := p.i
	if p.ident() == w {
		return true
	}
	p.i = at
	return false
}

// lengths reads [N]...
func (p *exprParser) lengths(t *ctype.Type) *ctype.Type {
	if !p.accept("[") {
		return t
	}
	n, ok := Constant(p.conditional())
	if !ok || int64(n) <= 0 || n > 1<<30 || !p.accept("]") {
		p.fail("the length of an array is a number above 0")
	}
	return ctype.ArrayOf(p.lengths(t), int64(n))
}

// tagged finds struct, union or enum TAG.
func (p *Program) tagged(word, tag string) *ctype.Type {
	if word == "enum" {
		return p.Typedefs["enum "+tag]
	}
	kind := ctype.Struct
	if word == "union" {
		kind = ctype.Union
	}
	for _, t := range p.Structs {
		if t.Tag == tag && t.Kind == kind && tag != "" {
			return t
		}
	}
	return nil
}

// pureLibrary are library functions without side effects, which can be evaluated without running the program.
var pureLibrary = map[string]*Func{}

func init() {
	s, d := ctype.PointerTo(ctype.CharT), ctype.DoubleT
	for name, types := range map[string][]*ctype.Type{
		"strlen": {ctype.ULongT, s}, "strcmp": {ctype.IntT, s, s}, "strncmp": {ctype.IntT, s, s, ctype.ULongT}, "abs": {ctype.IntT, ctype.IntT},
		"labs": {ctype.LongT, ctype.LongT}, "toupper": {ctype.IntT, ctype.IntT}, "tolower": {ctype.IntT, ctype.IntT},
		"difftime": {d, ctype.LongT, ctype.LongT}, "sqrt": {d, d}, "fabs": {d, d}, "floor": {d, d}, "ceil": {d, d}, "trunc": {d, d},
		"round": {d, d}, "fmod": {d, d, d},
	} {
		pureLibrary[name] = &Func{Name: name, Type: &ctype.Type{Kind: ctype.Func, Result: types[0], Params: types[1:]}}
	}
}

// offsetof parses the arguments of offsetof, whose opening bracket has been read.
func (p *exprParser) offsetof() Expr {
	t := p.typeName()
	if t == nil || !p.accept(",") {
		p.fail("offsetof takes a type and a member")
	}
	off := int64(0)
	for first := true; !p.accept(")"); first = false {
		switch {
		case t.Kind == ctype.Array && p.accept("["):
			i := p.c.decay(p.conditional())
			n, ok := Constant(i)
			if !ok || !i.Type().IsInteger() || !p.accept("]") {
				p.fail("offsetof takes constants in [ ]")
			}
			t = t.Elem
			off += int64(n) * t.Size
		case first || p.accept("."):
			name := p.ident()
			f, ok := t.Field(name)
			if !ok || f.BitLen > 0 {
				p.fail("%s has no member %q that has an address", t, name)
			}
			off, t = off+f.Offset, f.Type
		default:
			p.fail("missing )")
		}
	}
	return NewConst(ctype.ULongT, ctype.Word(off))
}

// call parses a call of a function or macro, whose opening bracket has been read.
func (p *exprParser) call(name string) Expr {
	f := p.prog.Func(name)
	if f == nil {
		if x := p.expansion(name, true); x != nil {
			return x
		}
	}
	if f == nil && name == "offsetof" {
		return p.offsetof()
	}
	if f == nil {
		if f = pureLibrary[name]; f == nil {
			p.fail("no function %q that can be computed here", name)
		}
	}
	return NewCall(f, p.arguments(name, f.Type))
}

// callable reports whether a value can be called.
func (p *exprParser) callable(x Expr) bool {
	t := x.Type()
	return t.Kind == ctype.Func || t.Kind == ctype.Pointer && t.Elem.Kind == ctype.Func
}

// callThrough parses a call through a function pointer x, whose opening bracket has been read.
func (p *exprParser) callThrough(x Expr) Expr {
	for {
		d, ok := x.(*Deref)
		if !ok || d.Type().Kind != ctype.Func {
			break
		}
		x = d.X
	}
	x = p.c.decay(x)
	e := &Call{Fun: x}
	e.Args = p.arguments(Text(x), x.Type().Elem)
	e.typ = x.Type().Elem.Result
	return e
}

// functionName returns a use of a function's name as a value: a pointer to the function.
func functionName(f *Func) Expr {
	r := &FuncRef{Func: f}
	r.typ = f.Type
	d := &Decay{X: r}
	d.typ = ctype.PointerTo(f.Type)
	return d
}

// text parses a string literal whose prefix has been read.
func (p *exprParser) text(prefix string) Expr {
	q, err := strconv.QuotedPrefix(p.s[p.i:])
	if err != nil {
		p.fail("expected a text at %q", p.s[p.i:])
	}
	t, err := strconv.Unquote(q)
	if err != nil {
		p.fail("expected a text at %q", p.s[p.i:])
	}
	p.i += len(q)
	elem := literalTypes[prefix]
	s := &String{}
	for _, w := range append(ctype.Characters(t, elem), 0) {
		for i := range elem.Size {
			s.Bytes = append(s.Bytes, byte(w>>(8*i)))
		}
	}
	s.typ = ctype.ArrayOf(elem, int64(len(s.Bytes))/elem.Size)
	return p.c.decay(s)
}

// arguments parses the arguments of a call, whose opening bracket has been read, and converts them to the parameters
// of function type ft.
func (p *exprParser) arguments(name string, ft *ctype.Type) []Expr {
	var args []Expr
	for !p.accept(")") {
		if len(args) > 0 && !p.accept(",") {
			p.fail("missing )")
		}
		args = append(args, p.c.decay(p.conditional()))
	}
	if ft.NoProto {
		return args
	}
	if n := len(ft.Params); len(args) < n || len(args) > n && !ft.Variadic {
		plural := "s"
		if n == 1 {
			plural = ""
		}
		p.fail("%s takes %d argument%s, not %d", name, n, plural, len(args))
	}
	for i, t := range ft.Params {
		from := args[i].Type()
		both := t.Kind == ctype.Pointer && from.Kind == ctype.Pointer
		null, constant := Constant(args[i])
		switch {
		case t.IsArith() && from.IsArith() || t.Kind == ctype.Pointer && from.IsInteger() && constant && null == 0:
		case both && (ctype.Same(t, from) || t.Elem.Kind == ctype.Void || from.Elem.Kind == ctype.Void || t.Elem.Size == 1 && from.Elem.Size == 1):
		case ctype.Same(t, from):
		default:
			p.fail("argument %d of %s is of type %s, not %s", i+1, name, t, from)
		}
		args[i] = p.c.convertTo(args[i], t)
	}
	return args
}
