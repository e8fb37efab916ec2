package cfront

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gulo/internal/cpp"
	"gulo/internal/ctype"

	"modernc.org/cc/v4"
)

// This file reads constants and string literals as gcc does for x86-64.

func (c *converter) constant(n *cc.PrimaryExpression) Expr {
	s := c.literals(n.Token)[0]
	if n.Case == cc.PrimaryExpressionInt || n.Case == cc.PrimaryExpressionFloat {
		s = strings.ReplaceAll(s, "'", "") // between digits
	}
	e := &Const{Spell: s}
	c.setRange(&e.expr, n.Token)
	if i, ok := c.where(n.Token); ok && e.macro {
		e.spelt = c.src.named(i)
	}
	switch n.Case {
	case cc.PrimaryExpressionInt:
		return c.integer(n, e, s)
	case cc.PrimaryExpressionFloat:
		return c.floating(n, e, s)
	default:
		c.character(n, e, s)
	}
	return e
}

// integer reads an integer constant and gives it the first type it fits.
func (c *converter) integer(n cc.Node, e *Const, s string) Expr {
	text := strings.ToLower(s)
	digits := strings.TrimRight(text, "ulij")
	suffix, imaginary := cutImaginary(text[len(digits):])
	base := 10
	switch {
	case strings.HasPrefix(digits, "0x"):
		base, digits = 16, digits[2:]
	case strings.HasPrefix(digits, "0b"):
		base, digits = 2, digits[2:]
	case len(digits) > 1 && digits[0] == '0':
		base = 8
	}
	v, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		c.refuse(n, "the constant %s is not supported", s)
	}
	e.Value = v
	u := strings.Contains(suffix, "u")
	l := strings.Count(suffix, "l")
	types := []*ctype.Type{ctype.IntT, ctype.UIntT, ctype.LongT, ctype.ULongT}
	if l == 1 {
		types = types[2:]
	} else if l == 2 {
		types = []*ctype.Type{ctype.LLongT, ctype.ULLongT}
	}
	for _, t := range types {
		if u && t.Signed || !u && !t.Signed && base == 10 {
			continue
		}
		limit := uint64(1)<<(8*t.Size-1) - 1
		if !t.Signed {
			limit = limit<<1 | 1
		}
		if v <= limit {
			e.typ = t
			if imaginary {
				return c.wideFloating(n, e, digits, t, true)
			}
			return e
		}
	}
	if base == 10 && !u {
		c.refuse(n, "the constant %s fits no integer type but __int128", s)
	}
	e.typ = ctype.ULongT
	return e
}

// formatSuffix matches a floating constant of a type such as _Float64.
var formatSuffix = regexp.MustCompile(`^(0x.*p[+-]?\d+|[\d.]+(?:e[+-]?\d+)?)(f\d+x?[ij]?)$`)

func (c *converter) floating(n cc.Node, e *Const, s string) Expr {
	text := strings.ToLower(s)
	hex := strings.HasPrefix(text, "0x")
	if i := strings.IndexAny(text, "ij"); i >= 0 && !strings.ContainsAny(text, ".p") && (hex || !strings.ContainsAny(text[:i], "ef")) {
		return c.integer(n, e, s) // 2i is a complex integer
	}
	digits, suffix := text, ""
	format := formatSuffix.FindStringSubmatch(text)
	if format != nil {
		digits, suffix = format[1], format[2]
	}
	for len(digits) > 0 && format == nil {
		last := digits[len(digits)-1]
		if last >= '0' && last <= '9' || last == '.' || hex && last >= 'a' && last <= 'f' && !strings.Contains(digits, "p") {
			break
		}
		digits, suffix = digits[:len(digits)-1], digits[len(digits)-1:]+suffix
	}
	e.typ = ctype.DoubleT
	suffix, imaginary := cutImaginary(suffix)
	switch suffix {
	case "", "f64", "f32x":
	case "f", "f32":
		e.typ = ctype.FloatT
	case "l", "f64x", "w":
		return c.wideFloating(n, e, digits, ctype.LongDoubleT, imaginary)
	default:
		c.refuse(n, "the constant %s is not supported", s)
	}
	v, err := strconv.ParseFloat(digits, int(8*e.typ.Size))
	if err != nil && !math.IsInf(v, 0) {
		c.refuse(n, "the constant %s is not supported", s)
	}
	e.Value = ctype.OfFloat(e.typ, v)
	if imaginary {
		return c.wideFloating(n, e, digits, e.typ, true)
	}
	return e
}

// character reads a character constant.
func (c *converter) character(n cc.Node, e *Const, s string) {
	prefix, body := cutPrefix(s)
	units := c.decode(n, body[1:len(body)-1], prefix)
	e.typ = ctype.IntT
	if prefix == "" {
		// Several characters make one int, the last in the low byte.
		v := uint32(0)
		for _, u := range units {
			v = v<<8 | u&0xff
		}
		e.Value = ctype.Wrap(ctype.IntT, ctype.Word(v))
		if len(units) == 1 {
			e.Value = ctype.Wrap(c.dialect.char(), ctype.Word(v))
		}
		return
	}
	e.typ = c.dialect.literalType(prefix)
	if len(units) > 0 {
		e.Value = ctype.Wrap(e.typ, ctype.Word(units[len(units)-1]))
	}
}

var literalTypes = map[string]*ctype.Type{"": ctype.CharT, "u8": ctype.CharT, "u": ctype.Char16T, "U": ctype.Char32T, "L": ctype.WCharT}

// cutPrefix divides a literal into its encoding prefix and the rest.
func cutPrefix(s string) (prefix, rest string) {
	i := strings.IndexAny(s, `"'`)
	return s[:i], s[i:]
}

// decode turns the text between the quotes into code units of the prefix's
// character type.
func (c *converter) decode(n cc.Node, s, prefix string) []uint32 {
	var out []uint32
	wide := prefix != "" && prefix != "u8"
	rune1 := func(r rune) {
		switch {
		case prefix == "u" && r > 0xffff:
			r -= 0x10000
			out = append(out, 0xd800+uint32(r>>10), 0xdc00+uint32(r&0x3ff))
		case wide:
			out = append(out, uint32(r))
		default:
			for _, b := range []byte(string(r)) {
				out = append(out, uint32(b))
			}
		}
	}
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			if !wide {
				out = append(out, uint32(s[i]))
				i++
				continue
			}
			r, k := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && k == 1 {
				c.refuse(n, "a wide literal that is not UTF-8")
			}
			rune1(r)
			i += k
			continue
		}
		i++
		if i >= len(s) {
			break
		}
		v, k, universal, ok := escape(s[i:])
		if !ok {
			c.refuse(n, `the escape sequence \%c is not supported`, s[i])
		}
		i += k
		if universal {
			rune1(rune(v))
		} else {
			out = append(out, v)
		}
	}
	return out
}

var simpleEscapes = map[byte]uint32{'n': 10, 't': 9, 'r': 13, 'a': 7, 'b': 8, 'f': 12, 'v': 11, 'e': 27, 'E': 27, '\\': '\\', '\'': '\'', '"': '"', '?': '?'}

// escape reads what follows a backslash: its value and length, and whether it
// is the number of a character rather than of a code unit.
func escape(s string) (v uint32, n int, universal, ok bool) {
	number := func(i, most, base int) (uint32, int) {
		v := uint32(0)
		k := i
		for k < len(s) && k-i < most {
			d := hexDigit(s[k])
			if d >= base {
				break
			}
			v = v*uint32(base) + uint32(d)
			k++
		}
		return v, k
	}
	switch b := s[0]; {
	case b >= '0' && b <= '7':
		v, n = number(0, 3, 8)
		return v, n, false, true
	case b == 'x':
		v, n = number(1, len(s), 16)
		return v, n, false, n > 1
	case b == 'u':
		v, n = number(1, 4, 16)
		return v, n, true, n == 5
	case b == 'U':
		v, n = number(1, 8, 16)
		return v, n, true, n == 9
	default:
		v, ok = simpleEscapes[b]
		return v, 1, false, ok
	}
}

func hexDigit(b byte) int {
	switch {
	case b >= '0' && b <= '9':
		return int(b - '0')
	case b|0x20 >= 'a' && b|0x20 <= 'f':
		return int(b|0x20-'a') + 10
	}
	return 99
}

// literals returns the texts of the adjacent string literals that a token of the parser stands for, or of the
// one constant.
func (c *converter) literals(t cc.Token) []string {
	i, ok := c.where(t)
	if !ok {
		return []string{t.SrcStr()}
	}
	toks := c.src.Tokens
	out := []string{toks[i].Text}
	for toks[i].Kind == cpp.String && i+1 < len(toks) && toks[i+1].Kind == cpp.String {
		i++
		out = append(out, toks[i].Text)
	}
	return out
}

// stringLiteral reads a string literal, or several that stand side by side.
func (c *converter) stringLiteral(n *cc.PrimaryExpression) Expr {
	prefix := ""
	var bodies []string
	for _, lit := range c.literals(n.Token) {
		p, body := cutPrefix(lit)
		if p != "" && prefix != "" && p != prefix {
			c.refuse(n, "string literals of different kinds side by side are not supported")
		}
		if p != "" {
			prefix = p
		}
		bodies = append(bodies, body[1:len(body)-1])
	}
	t := c.dialect.literalType(prefix)
	e := &String{}
	put := func(u uint32) {
		for i := int64(0); i < t.Size; i++ {
			e.Bytes = append(e.Bytes, byte(u>>(8*i)))
		}
	}
	for _, b := range bodies {
		for _, u := range c.decode(n, b, prefix) {
			put(u)
		}
	}
	put(0)
	e.typ = ctype.ArrayOf(t, int64(len(e.Bytes))/t.Size)
	c.setRange(&e.expr, n.Token)
	return e
}
