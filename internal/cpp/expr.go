package cpp

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file evaluates the expressions of #if.

// value is an integer of 64 bits.
type value struct {
	n        int64
	unsigned bool
}

type evaluator struct {
	p    *pp
	at   Token
	tok  Token
	end  bool
	dead int // depth of operands that are not evaluated
}

// evaluate reports whether the expression of an #if is not zero.
func (p *pp) evaluate(at Token, toks []Token) bool {
	p.stack = append(p.stack, context{toks: toks, wall: true})
	n := len(p.stack)
	e := &evaluator{p: p, at: at}
	e.advance()
	v := e.comma()
	for !e.end {
		e.advance()
	}
	p.stack = p.stack[:n-1]
	return v.n != 0
}

func (e *evaluator) advance() {
	t, ok := e.p.expanded()
	e.tok, e.end = t, !ok
}

func (e *evaluator) raw() Token {
	t, ok := e.p.next()
	if !ok {
		e.p.fail(e.at, "this #if is not complete")
	}
	return t
}

func (e *evaluator) accept(op string) bool {
	if e.end || !e.tok.is(op) {
		return false
	}
	e.advance()
	return true
}

func (e *evaluator) comma() value {
	v := e.conditional()
	for e.accept(",") {
		v = e.conditional()
	}
	return v
}

func (e *evaluator) conditional() value {
	c := e.binary(1)
	if !e.accept("?") {
		return c
	}
	a := e.guarded(c.n == 0, e.comma)
	e.accept(":")
	b := e.guarded(c.n != 0, e.conditional)
	v := b
	if c.n != 0 {
		v = a
	}
	v.unsigned = a.unsigned || b.unsigned
	return v
}

func (e *evaluator) guarded(dead bool, f func() value) value {
	if dead {
		e.dead++
		defer func() { e.dead-- }()
	}
	return f()
}

var precedence = map[string]int{"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}

func (e *evaluator) binary(min int) value {
	x := e.unary()
	for !e.end && e.tok.Kind == Punct {
		op := e.tok.Text
		prec := precedence[op]
		if prec < min || prec == 0 {
			break
		}
		e.advance()
		dead := op == "||" && x.n != 0 || op == "&&" && x.n == 0
		y := e.guarded(dead, func() value { return e.binary(prec + 1) })
		x = apply(op, x, y)
	}
	return x
}

func truth(b bool) value {
	if b {
		return value{n: 1}
	}
	return value{}
}

func apply(op string, x, y value) value {
	u := x.unsigned || y.unsigned
	switch op {
	case "||":
		return truth(x.n != 0 || y.n != 0)
	case "&&":
		return truth(x.n != 0 && y.n != 0)
	case "==":
		return truth(x.n == y.n)
	case "!=":
		return truth(x.n != y.n)
	case "<", ">", "<=", ">=":
		less, more := x.n < y.n, x.n > y.n
		if u {
			less, more = uint64(x.n) < uint64(y.n), uint64(x.n) > uint64(y.n)
		}
		return truth(map[string]bool{"<": less, ">": more, "<=": !more, ">=": !less}[op])
	case "<<", ">>":
		return shift(op == "<<", x, y)
	case "|":
		return value{x.n | y.n, u}
	case "^":
		return value{x.n ^ y.n, u}
	case "&":
		return value{x.n & y.n, u}
	case "+":
		return value{x.n + y.n, u}
	case "-":
		return value{x.n - y.n, u}
	case "*":
		return value{x.n * y.n, u}
	}
	switch {
	case y.n == 0, y.n == -1 && !u && op == "%":
		return value{0, u}
	case y.n == -1 && !u:
		return value{-x.n, u}
	case u && op == "/":
		return value{int64(uint64(x.n) / uint64(y.n)), u}
	case u:
		return value{int64(uint64(x.n) % uint64(y.n)), u}
	case op == "/":
		return value{x.n / y.n, u}
	}
	return value{x.n % y.n, u}
}

func shift(left bool, x, y value) value {
	n := y.n
	if !y.unsigned && n < 0 {
		left, n = !left, -n
	}
	switch {
	case left && n > 63:
		x.n = 0
	case left:
		x.n <<= uint(n)
	case x.unsigned && n > 63:
		x.n = 0
	case x.unsigned:
		x.n = int64(uint64(x.n) >> uint(n))
	default:
		x.n >>= uint(min(n, 63))
	}
	return x
}

func (e *evaluator) unary() value {
	if e.end {
		return value{}
	}
	t := e.tok
	switch {
	case e.accept("!"):
		return truth(e.unary().n == 0)
	case e.accept("~"):
		v := e.unary()
		return value{^v.n, v.unsigned}
	case e.accept("-"):
		v := e.unary()
		return value{-v.n, v.unsigned}
	case e.accept("+"):
		return e.unary()
	case e.accept("("):
		v := e.comma()
		e.accept(")")
		return v
	case t.Kind == Number:
		e.advance()
		return number(t.Text)
	case t.Kind == Char:
		e.advance()
		return character(t.Text, e.p.macros["__CHAR_UNSIGNED__"] != nil)
	case t.Kind == Ident:
		return e.ident(t)
	}
	e.advance()
	return value{}
}

// ident evaluates a name: an operator of the preprocessor, or else an undefined name, which is zero.
func (e *evaluator) ident(t Token) value {
	switch t.Text {
	case "defined":
		name := e.raw()
		if name.is("(") {
			name = e.raw()
			e.raw()
		}
		e.advance()
		return truth(e.p.defined(name.Text))
	case "__has_include", "__has_include_next":
		return e.hasInclude(t)
	case "__has_attribute", "__has_cpp_attribute", "__has_c_attribute", "__has_builtin":
		var name strings.Builder
		depth := 0
		for {
			u := e.raw()
			if u.is("(") {
				depth++
			} else if u.is(")") {
				if depth--; depth == 0 {
					break
				}
			} else {
				name.WriteString(u.Text)
			}
		}
		e.advance()
		if e.dead > 0 || e.p.cfg.Has == nil {
			return value{}
		}
		return value{n: int64(e.p.cfg.Has(t.Text, name.String(), string(e.p.unit.Files[e.at.File].Text)))}
	}
	e.advance()
	return value{}
}

func (e *evaluator) hasInclude(op Token) value {
	open := e.raw()
	if !open.is("(") {
		e.p.fail(open, "%s without a name", op.Text)
	}
	t, ok := e.p.expanded()
	name, quote := "", false
	switch {
	case !ok:
	case t.Kind == String:
		name, quote = strings.Trim(t.Text, `"`), true
		e.raw()
	default:
		h, plain := e.p.angled([]Token{t})
		for depth := 1; depth > 0; {
			u := e.raw()
			if u.is(">") && depth == 1 {
				e.raw()
				break
			}
			if !plain {
				h += u.Text
			}
		}
		name = h
	}
	e.advance()
	if name == "" || e.dead > 0 {
		return value{}
	}
	_, _, found := e.p.find(name, quote, op.Text == "__has_include_next")
	return truth(found)
}

func number(s string) value {
	s = strings.ReplaceAll(s, "'", "")
	u := strings.TrimRight(s, "uUlL")
	v := value{unsigned: strings.ContainsAny(s[len(u):], "uU")}
	n, err := strconv.ParseUint(strings.TrimSpace(u), 0, 64)
	if err != nil {
		if e, ok := err.(*strconv.NumError); ok && e.Err == strconv.ErrRange {
			n = 1<<64 - 1
		}
	}
	v.n = int64(n)
	v.unsigned = v.unsigned || n > 1<<63-1
	return v
}

// character returns the value of a character constant.
func character(s string, unsigned bool) value {
	wide := s[0] != '\''
	s = strings.TrimSuffix(s[strings.IndexByte(s, '\'')+1:], "'")
	n, count := int64(0), 0
	for len(s) > 0 {
		c, size := escape(s)
		s = s[size:]
		if count++; wide {
			n = c
		} else {
			n = n<<8 | c&0xff
		}
	}
	if !wide {
		n = int64(int32(n))
		if count == 1 && !unsigned {
			n = int64(int8(n))
		}
	}
	return value{n: n}
}

var escapes = map[byte]int64{'n': '\n', 't': '\t', 'r': '\r', 'a': 7, 'b': 8, 'f': 12, 'v': 11, 'e': 27, 'E': 27}

// escape returns the value of the first character or escape sequence of s and its length in s.
func escape(s string) (int64, int) {
	if s[0] != '\\' || len(s) < 2 {
		if r, n := utf8.DecodeRuneInString(s); r != utf8.RuneError {
			return int64(r), n
		}
		return int64(s[0]), 1
	}
	c := s[1]
	if v, ok := escapes[c]; ok {
		return v, 2
	}
	i, base := 2, 16
	switch {
	case c >= '0' && c <= '7':
		i, base = 1, 8
	case c == 'x' || c == 'u' || c == 'U':
	default:
		return int64(c), 2
	}
	start := i
	for i < len(s) && (base == 16 || i < start+3) {
		if _, err := strconv.ParseUint(s[i:i+1], base, 8); err != nil {
			break
		}
		i++
	}
	n, _ := strconv.ParseUint(s[start:i], base, 64)
	return int64(n), i
}
