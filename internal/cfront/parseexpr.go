package cfront

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file parses expressions that a person types in a session: C expressions over
// variables, without string literals. parsetyped.go adds casts, sizeof, calls and string literals.

// ParseExpr parses an expression; lookup finds variables by name.
func ParseExpr(text string, lookup func(name string) *Var) (x Expr, err error) {
	return ParseWith(text, lookup, nil)
}

// ExprError is what is wrong with an expression, and where.
type ExprError struct {
	Text    string
	Column  int // from 1
	Message string
}

func (e *ExprError) Error() string { return fmt.Sprintf("in %q: %s", e.Text, e.Message) }

// Arguments reads the arguments of a special form name(...) in order; see ParseWith.
type Arguments struct {
	p *exprParser
	n int
}

func (a *Arguments) next() {
	if a.n++; a.n > 1 && !a.p.accept(",") {
		a.p.fail("an argument is missing")
	}
}

// Expr reads an expression.
func (a *Arguments) Expr() Expr {
	a.next()
	return a.p.c.decay(a.p.conditional())
}

// Name reads an identifier that need not be declared.
func (a *Arguments) Name() string {
	a.next()
	n := a.p.ident()
	if n == "" || n[0] >= '0' && n[0] <= '9' {
		a.p.fail("expected a name at %q", a.p.s[a.p.i:])
	}
	return n
}

// More reports whether there is another argument.
func (a *Arguments) More() bool {
	a.p.space()
	return !strings.HasPrefix(a.p.s[a.p.i:], ")")
}

// Fail ends the parse with an error: it panics, and ParseWith returns the error.
func (a *Arguments) Fail(format string, args ...any) { a.p.fail(format, args...) }

// ParseWith is ParseExpr with special forms: special makes the expression for name(...), and
// returns nil for a name that it does not know.
func ParseWith(text string, lookup func(name string) *Var, special func(name string, a *Arguments) Expr) (Expr, error) {
	return parse(&exprParser{s: text, lookup: lookup, special: special, c: newConverter()})
}

// parse reads all of the text.
func parse(p *exprParser) (x Expr, err error) {
	err = p.guarded(func() { x = p.whole() })
	if err != nil {
		return nil, err
	}
	return x, nil
}

// guarded runs read, a part of the parser, and returns the error that it fails with. It is an error if read does not
// read all of the text.
func (p *exprParser) guarded(read func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*source.Error)
			if !ok {
				panic(r)
			}
			err = &ExprError{p.s, p.i + 1, e.List[0].Message}
		}
	}()
	read()
	p.space()
	if p.i < len(p.s) {
		p.noAssignment()
		p.fail("unexpected %q", p.s[p.i:])
	}
	return nil
}

// assigns matches the operators that change their operand. It also matches ==, which begins like =.
var assigns = regexp.MustCompile(`^(?:==|\+\+|--|<<=|>>=|[-+*/%&|^]?=)`)

// noAssignment fails in a session if an assignment operator stands at the current place.
func (p *exprParser) noAssignment() {
	if op := assigns.FindString(p.s[p.i:]); op != "" && op != "==" && p.prog != nil {
		p.fail("%q would change the program, which is done by the command change; == compares", op)
	}
}

// whole parses an expression; in a session it may contain the comma operator.
func (p *exprParser) whole() Expr {
	x := p.conditional()
	for p.prog != nil && p.accept(",") {
		x = p.c.andThen(p.c.decay(x), p.c.decay(p.conditional()))
	}
	return x
}

type exprParser struct {
	s      string
	i      int
	depth  int
	macros int // how many macros are being expanded here
	lookup func(string) *Var
	c      *converter

	special func(string, *Arguments) Expr
	prog    *Program // whose types and functions can be named; nil for none
}

func (p *exprParser) fail(format string, args ...any) { p.c.refuse(nil, format, args...) }

func (p *exprParser) space() {
	for p.i < len(p.s) && strings.IndexByte(" \t", p.s[p.i]) >= 0 {
		p.i++
	}
}

func (p *exprParser) accept(tok string) bool {
	p.space()
	if strings.HasPrefix(p.s[p.i:], tok) {
		p.i += len(tok)
		return true
	}
	return false
}

// conditional parses c ? a : b or a binary expression.
func (p *exprParser) conditional() Expr {
	if p.depth++; p.depth > 200 {
		p.fail("nested too deeply")
	}
	defer func() { p.depth-- }()
	c := p.binary(0)
	if !p.accept("?") {
		return c
	}
	a := p.conditional()
	if !p.accept(":") {
		p.fail("a : is missing after ?")
	}
	b := p.conditional()
	c, a, b = p.c.decay(c), p.c.decay(a), p.c.decay(b)
	if p.prog != nil {
		return p.chosen(c, a, b)
	}
	if !c.Type().IsScalar() || !ctype.Same(a.Type(), b.Type()) && !(a.Type().IsInteger() && b.Type().IsInteger()) {
		p.fail("the values of ? : do not fit")
	}
	x := NewCond(c, a, b)
	if x == nil {
		p.fail("the values of ? : are integers here, not %s", a.Type())
	}
	return x
}

// chosen returns c ? a : b for any types that C allows. If a and b are structs they must be lvalues.
func (p *exprParser) chosen(c, a, b Expr) Expr {
	at, bt := a.Type(), b.Type()
	pointers := at.Kind == ctype.Pointer && bt.Kind == ctype.Pointer && (ctype.Same(at, bt) || at.Elem.Kind == ctype.Void || bt.Elem.Kind == ctype.Void)
	null := at.Kind == ctype.Pointer && IsNull(b) || bt.Kind == ctype.Pointer && IsNull(a)
	switch {
	case !c.Type().IsScalar():
		p.fail("%s is no condition", c.Type())
	case at.IsNumber() && bt.IsNumber() || pointers || null:
		return p.c.choose(&Cond{C: c}, a, b)
	case at.IsAggregate() && at == bt:
		whole := func(x Expr) Expr {
			if d, ok := x.(*Deref); ok {
				return d.X
			}
			y := &Addr{X: x}
			y.typ = ctype.PointerTo(x.Type())
			return y
		}
		for _, x := range []Expr{a, b} {
			switch x.(type) {
			case *Ref, *Deref, *Member, *Index:
			default:
				p.fail("the values of ? : are of type %s and in no place", at)
			}
		}
		d := &Deref{X: p.c.choose(&Cond{C: c}, whole(a), whole(b))}
		d.typ = at
		return d
	}
	p.fail("the values of ? : do not fit: %s and %s", at, bt)
	return nil
}

var exprOps = []struct {
	text string
	prec int
	op   ctype.Op
}{
	{"||", 1, 0}, {"&&", 2, 0}, {"==", 6, ctype.Eq}, {"!=", 6, ctype.Ne}, {"<<", 8, ctype.Shl}, {">>", 8, ctype.Shr},
	{"<=", 7, ctype.Le}, {">=", 7, ctype.Ge}, {"<", 7, ctype.Lt}, {">", 7, ctype.Gt}, {"|", 3, ctype.Or}, {"^", 4, ctype.Xor}, {"&", 5, ctype.And},
	{"+", 9, ctype.Add}, {"-", 9, ctype.Sub}, {"*", 10, ctype.Mul}, {"/", 10, ctype.Div}, {"%", 10, ctype.Rem},
}

func (p *exprParser) binary(min int) Expr {
	if p.depth++; p.depth > 200 {
		p.fail("nested too deeply")
	}
	defer func() { p.depth-- }()
	x := p.unary()
next:
	for {
		p.space()
		p.noAssignment()
		for _, o := range exprOps {
			if o.prec > min && strings.HasPrefix(p.s[p.i:], o.text) && !strings.HasPrefix(p.s[p.i:], "->") && !p.doubled(o.text) {
				p.i += len(o.text)
				y := p.binary(o.prec)
				if a, b := p.c.decay(x).Type(), p.c.decay(y).Type(); !takes(o.text, a, b) {
					p.fail("%s on values of types %s and %s", o.text, a, b)
				}
				switch o.text {
				case "||":
					x = NewLogical(false, x, y)
				case "&&":
					x = NewLogical(true, x, y)
				default:
					x = p.c.binary(o.op, p.c.decay(x), p.c.decay(y))
				}
				continue next
			}
		}
		return x
	}
}

// takes reports whether an operator may be applied to values of types a and b (C11 6.5.5 to 6.5.12).
func takes(op string, a, b *ctype.Type) bool {
	if a.Kind == ctype.Vector || b.Kind == ctype.Vector {
		return true
	}
	number, points := a.IsNumber() && b.IsNumber(), a.Kind == ctype.Pointer && b.Kind == ctype.Pointer
	switch op {
	case "%", "<<", ">>", "&", "|", "^":
		return a.IsWhole() && b.IsWhole()
	case "*", "/":
		return number
	case "+":
		return number || a.Kind == ctype.Pointer && b.IsWhole() || a.IsWhole() && b.Kind == ctype.Pointer
	case "-":
		return number || points || a.Kind == ctype.Pointer && b.IsWhole()
	}
	return true
}

// doubled reports whether op is & or | and the text here is && or ||.
func (p *exprParser) doubled(op string) bool {
	return (op == "&" || op == "|") && strings.HasPrefix(p.s[p.i+1:], op)
}

func (p *exprParser) unary() Expr {
	if p.depth++; p.depth > 200 {
		p.fail("nested too deeply")
	}
	defer func() { p.depth-- }()
	p.space()
	p.noAssignment()
	switch {
	case p.accept("!"):
		return NewNot(p.c.decay(p.unary()))
	case p.accept("*"):
		x := p.c.decay(p.unary())
		if x.Type().Kind != ctype.Pointer {
			p.fail("* on a value of type %s", x.Type())
		}
		return NewDeref(x)
	case p.prog != nil && p.accept("&&"):
		name := p.ident()
		v := p.lookup("&&" + name)
		if v == nil {
			p.fail("no label %q of this function has its address taken", name)
		}
		return NewRef(v)
	case p.accept("&"):
		x := p.unary()
		if d, ok := x.(*Decay); ok && d.X.Type().Kind == ctype.Func {
			return x
		}
		switch x.(type) {
		case *Ref, *Member, *Index, *Deref:
		default:
			p.fail("& of something that has no address")
		}
		e := &Addr{X: x}
		e.typ = ctype.PointerTo(x.Type())
		return e
	case p.prog != nil && p.accept("+"):
		x := p.c.promote(p.c.decay(p.unary()))
		if !x.Type().IsNumber() {
			p.fail("+ on a value of type %s", x.Type())
		}
		return x
	case p.accept("-"):
		x := p.c.promote(p.c.decay(p.unary()))
		if !x.Type().IsNumber() {
			p.fail("- on a value of type %s", x.Type())
		}
		e := &Unary{Op: ctype.Neg, X: x}
		e.typ = x.Type()
		return e
	case p.accept("~"):
		x := p.c.promote(p.c.decay(p.unary()))
		if !x.Type().IsWhole() {
			p.fail("~ on a value of type %s", x.Type())
		}
		e := &Unary{Op: ctype.Not, X: x}
		e.typ = x.Type()
		return e
	case p.prog != nil && p.word("sizeof"):
		return p.sizeof()
	}
	if p.prog != nil {
		if x := p.cast(); x != nil {
			return x
		}
	}
	return p.postfix()
}

func (p *exprParser) postfix() Expr {
	x := p.primary()
	for {
		switch {
		case p.accept("->"), p.accept("."):
			x = p.member(p.c.decay(x))
		case p.accept("["):
			i := p.c.decay(p.conditional())
			if !p.accept("]") {
				p.fail("missing ]")
			}
			if x.Type().Kind == ctype.Vector {
				x = p.c.vectorIndex(x)
			}
			x = p.c.decay(x)
			if x.Type().Kind != ctype.Pointer || !i.Type().IsInteger() || x.Type().Elem.Size == 0 {
				p.fail("[] on a value of type %s", x.Type())
			}
			e := &Index{X: x, I: p.c.convertTo(i, ctype.LongT)}
			e.typ = x.Type().Elem
			x = e
		case p.prog != nil && p.callable(x) && p.accept("("):
			x = p.callThrough(x)
		default:
			return x
		}
	}
}

// member accepts . and -> for both: people mix them up.
func (p *exprParser) member(x Expr) Expr {
	name := p.ident()
	st := x.Type()
	if st.Kind == ctype.Pointer {
		st = st.Elem
	}
	f, ok := st.Field(name)
	if !ok {
		p.fail("%s has no member %q", x.Type(), name)
	}
	return NewMember(x, f)
}

func (p *exprParser) ident() string {
	p.space()
	start := p.i
	for p.i < len(p.s) && (p.s[p.i] == '_' || p.s[p.i] >= '0' && p.s[p.i] <= '9' || p.s[p.i]|0x20 >= 'a' && p.s[p.i]|0x20 <= 'z') {
		p.i++
	}
	return p.s[start:p.i]
}

// real parses the floating constant that begins with word w; it returns nil for an integer constant.
func (p *exprParser) real(w string) Expr {
	hex := strings.HasPrefix(w, "0x") || strings.HasPrefix(w, "0X")
	dot := p.i < len(p.s) && p.s[p.i] == '.'
	if hex || !dot && !strings.ContainsAny(w, "eE") {
		return nil
	}
	begin := p.i - len(w)
	if dot {
		p.i++
		for p.i < len(p.s) && (p.s[p.i] >= '0' && p.s[p.i] <= '9' || p.s[p.i]|0x20 >= 'a' && p.s[p.i]|0x20 <= 'z') {
			p.i++
		}
	}
	if p.s[p.i-1]|0x20 == 'e' && p.i < len(p.s) && (p.s[p.i] == '-' || p.s[p.i] == '+') {
		p.i++
		for p.i < len(p.s) && p.s[p.i] >= '0' && p.s[p.i] <= '9' {
			p.i++
		}
	}
	text, t := p.s[begin:p.i], ctype.DoubleT
	digits := text
	if last := text[len(text)-1] | 0x20; last == 'f' {
		digits, t = text[:len(text)-1], ctype.FloatT
	}
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		p.fail("%q is no number", text)
	}
	return NewSpelled(t, ctype.OfFloat(t, v), text)
}

func (p *exprParser) primary() Expr {
	if p.accept("(") {
		x := p.whole()
		if !p.accept(")") {
			p.fail("missing )")
		}
		return x
	}
	w := p.ident()
	switch {
	case (w == "" || literalTypes[w] != nil) && p.i < len(p.s) && p.s[p.i] == '\'':
		return p.character(w)
	case (w == "" || literalTypes[w] != nil) && p.prog != nil && p.i < len(p.s) && p.s[p.i] == '"':
		return p.text(w)
	case w == "":
		p.fail("expected an expression at %q", p.s[p.i:])
	case w == "NULL" || w == "null":
		return NewConst(ctype.VoidPtrT, 0)
	case w[0] >= '0' && w[0] <= '9':
		if x := p.real(w); x != nil {
			return x
		}
		return p.integer(w)
	}
	if p.special != nil && p.accept("(") {
		x := p.special(w, &Arguments{p: p})
		if x == nil {
			p.fail("nothing is known of %s(...)", w)
		}
		if !p.accept(")") {
			p.fail("missing )")
		}
		return x
	}
	v := p.lookup(w)
	if v == nil && p.prog != nil && p.accept("(") {
		return p.call(w)
	}
	if v == nil && p.prog != nil && p.prog.Enumerators[w] != nil {
		k := p.prog.Enumerators[w]
		return NewSpelled(k.Type(), k.Value, w)
	}
	if v == nil && p.prog != nil {
		if f := p.prog.Func(w); f != nil {
			return functionName(f)
		}
	}
	if v == nil && p.prog != nil {
		if x := p.expansion(w, false); x != nil {
			return x
		}
	}
	if v == nil {
		p.i -= len(w)
		p.fail("no variable %q here", w)
	}
	return NewRef(v)
}

// integer returns the integer constant w, with its suffix.
func (p *exprParser) integer(w string) Expr {
	digits := strings.TrimRight(w, "uUlL")
	suffix := strings.ToLower(w[len(digits):])
	v, err := strconv.ParseUint(digits, 0, 64)
	unsigned := strings.Contains(suffix, "u")
	rest := strings.Trim(suffix, "u")
	if err != nil || strings.Contains(digits, "_") || strings.Count(suffix, "u") > 1 || rest != "" && rest != "l" && rest != "ll" {
		p.fail("%q is no integer", w)
	}
	t := ctype.IntT
	switch decimal := digits[0] != '0'; {
	case rest != "" || v > 1<<32-1 || !unsigned && v > 1<<31-1 && (decimal || v > 1<<32-1):
		t = pick(unsigned || v > 1<<63-1, ctype.ULongT, ctype.LongT)
	case unsigned || v > 1<<31-1:
		t = ctype.UIntT
	}
	return NewConst(t, ctype.Word(v))
}

// character parses a character constant whose prefix has been read.
func (p *exprParser) character(prefix string) Expr {
	start := p.i
	r, _, rest, err := strconv.UnquoteChar(p.s[p.i+1:], '\'')
	if strings.HasPrefix(p.s[p.i:], `'\0'`) {
		r, rest, err = 0, p.s[p.i+3:], nil
	}
	if err != nil || r > 127 && (prefix == "" || prefix == "u8") || !strings.HasPrefix(rest, "'") {
		p.fail("expected a character at %q", p.s[p.i:])
	}
	p.i = len(p.s) - len(rest) + 1
	if t := literalTypes[prefix]; t != ctype.CharT {
		return NewSpelled(t, ctype.Wrap(t, ctype.Word(r)), prefix+p.s[start:p.i])
	}
	return NewSpelled(ctype.IntT, ctype.Word(r), p.s[start:p.i])
}
