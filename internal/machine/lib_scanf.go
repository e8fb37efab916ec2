package machine

import (
	"slices"
	"strings"

	"gulo/internal/ctype"
)

// This file is the scanf family.

// input is what a scanf reads: a string or a stream.
type input struct {
	l    *library
	from *stream
	s    string
	str  bool
	pos  int
	took []byte // read from the stream so far; put back if the program has to wait for more
	fail *Fault
}

func (in *input) get() int {
	if in.str {
		if in.pos >= len(in.s) {
			in.pos++
			return -1
		}
		in.pos++
		return int(in.s[in.pos-1])
	}
	if in.fail != nil {
		return -1
	}
	b, f := in.l.stdio.getc(in.from)
	if f != nil {
		in.fail = f
		in.from.putBack(in.took)
		return -1
	}
	in.pos++
	if b >= 0 {
		in.took = append(in.took, byte(b))
	}
	return b
}

func (in *input) unget(b int) {
	in.pos--
	if !in.str && b >= 0 {
		in.took = in.took[:len(in.took)-1]
		in.from.unget = append(in.from.unget, byte(b))
	}
}

func (in *input) skipSpace() {
	b := in.get()
	for b >= 0 && isSpace(byte(b)) {
		b = in.get()
	}
	in.unget(b)
}

func libScanf(m *Machine, c *libCall) (ctype.Word, *Fault) {
	at := 0
	in := &input{l: m.lib, from: &m.lib.stdio.standard[0]}
	c.name = strings.TrimPrefix(c.name, "__isoc99_")
	name := strings.TrimPrefix(c.name, "v")
	if name != "scanf" {
		at = 1
		if name == "sscanf" || name == "swscanf" {
			s, f := scanned(m, c, c.arg(0))
			if f != nil {
				return 0, f
			}
			in.s, in.str = s, true
		} else {
			s, f := m.lib.stdio.stream(c, c.arg(0))
			if f != nil {
				return 0, f
			}
			in.from = s
		}
	}
	format, f := scanned(m, c, c.arg(at))
	if f != nil {
		return 0, f
	}
	a := &argList{m: m, c: c, next: at + 1}
	if c.name[0] == 'v' {
		a.list = c.arg(at + 1)
	}
	n, f := scanInput(m, in, format, a)
	if in.fail != nil {
		return 0, in.fail
	}
	if want := conversions(format); f == nil && n < want && !in.str && in.from == &m.lib.stdio.standard[0] {
		if how := misreading(format, n); !slices.Contains(m.lib.stdio.misread, how) {
			m.lib.stdio.misread = append(slices.Clone(m.lib.stdio.misread), how) // a snapshot may have the old ones
		}
	}
	return ctype.Word(int64(n)), f
}

// scanned reads a string argument of the scanf family; swscanf and its kin have wide strings.
func scanned(m *Machine, c *libCall, w ctype.Word) (string, *Fault) {
	if strings.Contains(c.name, "wscanf") {
		return m.wideText(w, -1, c.name)
	}
	return m.cstring(w)
}

// conversions counts the conversions of a scanf format that store something.
func conversions(format string) (n int) {
	for i := 0; i+1 < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		if i++; format[i] != '%' && format[i] != '*' {
			n++
		}
	}
	return n
}

// misreading describes how standard input did not match a format: the input had ended (n < 0), or
// something else stood there.
func misreading(format string, n int) string {
	if n < 0 {
		return format + AtEnd
	}
	return format
}

// AtEnd is the suffix of misreadings where the input had ended (see Machine.Misread).
const AtEnd = " at the end"

// Misread returns what scanf found not to match on standard input, each misreading once.
func (m *Machine) Misread() []string { return m.lib.stdio.misread }

func scanInput(m *Machine, in *input, format string, a *argList) (int, *Fault) {
	done := 0
	for i := 0; i < len(format); i++ {
		ch := format[i]
		if isSpace(ch) {
			in.skipSpace()
			continue
		}
		if ch == '%' && i+1 < len(format) && format[i+1] != '%' {
			ok, n, f := scanOne(m, in, format[i+1:], a, &done)
			if f != nil {
				return 0, f
			}
			if !ok {
				if done == 0 && n < 0 {
					return -1, nil
				}
				return done, nil
			}
			i += n
			continue
		}
		if ch == '%' {
			i++
			in.skipSpace()
		}
		b := in.get()
		if b != int(ch) {
			in.unget(b)
			if b < 0 && done == 0 {
				return -1, nil
			}
			return done, nil
		}
	}
	return done, nil
}

// conversion is a conversion specification of scanf, up to its verb.
type conversion struct {
	width  int // 0: none given
	skip   bool
	own    bool // %ms: the text goes to a new block, whose address is stored
	length string
	verb   byte
	at     int // of the verb
}

// parseConversion reads what stands before the verb; ok is false when none follows.
func parseConversion(s string) (c conversion, ok bool) {
	i := 0
	if s[i] == '*' {
		c.skip = true
		i++
	}
	for i < len(s) && (s[i] == '\'' || s[i] == 'I') { // as the C locale has them
		i++
	}
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		c.width = c.width*10 + int(s[i]-'0')
		i++
	}
	if c.own = i < len(s) && s[i] == 'm'; c.own {
		i++
	}
	for i < len(s) && strings.IndexByte("hljztLq", s[i]) >= 0 {
		c.length += string(s[i])
		i++
	}
	if i >= len(s) {
		return c, false
	}
	c.verb, c.at = s[i], i
	return c, true
}

// scanOne does one conversion; n is the length of its specification, or -1
// when the input had ended.
func scanOne(m *Machine, in *input, s string, a *argList, done *int) (ok bool, n int, f *Fault) {
	conv, ok := parseConversion(s)
	if !ok {
		return false, 0, nil
	}
	i, width, skip, own, length := conv.at, conv.width, conv.skip, conv.own, conv.length
	verb := conv.verb
	if strings.IndexByte("cn[", verb) < 0 {
		in.skipSpace()
	}
	sp := spec{length: length}
	put := func(f func(p ctype.Word) *Fault) *Fault {
		if skip {
			return nil
		}
		p, ft := a.word()
		if ft != nil {
			return ft
		}
		if verb != 'n' {
			*done++
		}
		return f(p)
	}
	wide := length == "l" && strings.IndexByte("sc[", verb) >= 0
	text := func(b []byte) func(p ctype.Word) *Fault {
		return func(p ctype.Word) (f *Fault) {
			if wide {
				if b, f = widened(m, b, a.c.name); f != nil {
					return f
				}
			}
			return storeText(m, p, b, own)
		}
	}
	ended := func(text string) bool { return text == "" }
	switch verb {
	case 'd', 'i', 'u', 'x', 'X', 'o', 'p':
		base := map[byte]int{'d': 10, 'u': 10, 'i': 0, 'x': 16, 'X': 16, 'p': 16, 'o': 8}[verb]
		signed := verb == 'd' || verb == 'i'
		text, base, ended := in.integer(width, base)
		neg, v, used, fits := scanInt(text, base)
		if used == 0 {
			return false, mark(ended), nil
		}
		v = saturated(neg, v, fits, signed)
		t := sp.intType(signed)
		if verb == 'p' {
			t = ctype.VoidPtrT
		}
		return true, i + 1, put(func(p ctype.Word) *Fault { return m.store(p, t, v) })
	case 'f', 'F', 'e', 'g', 'a', 'E', 'G', 'A':
		text, ended := in.real(width)
		x := splitFloat(text)
		if x.end == 0 {
			return false, mark(ended), nil
		}
		return true, i + 1, put(func(p ctype.Word) *Fault { return storeReal(m, p, x, length) })
	case 's':
		t := in.collect(width, func(t string, b byte) bool { return !isSpace(b) })
		if ended(t) {
			return false, in.endMark(t), nil
		}
		return true, i + 1, put(text(append([]byte(t), 0)))
	case 'c':
		w := max(width, 1)
		t := in.collect(w, func(t string, b byte) bool { return true })
		if ended(t) { // fewer than wanted are taken
			return false, in.endMark(t), nil
		}
		return true, i + 1, put(text([]byte(t)))
	case 'n':
		pos := in.pos
		return true, i + 1, put(func(p ctype.Word) *Fault { return m.store(p, sp.intType(true), ctype.Word(pos)) })
	case '[':
		set, inverse, end := scanSet(s[i:])
		t := in.collect(width, func(t string, b byte) bool { return set[b] != inverse })
		if ended(t) {
			return false, in.endMark(t), nil
		}
		return true, i + end, put(text(append([]byte(t), 0)))
	}
	return false, 0, m.fault(BadLibraryCall, 0, "%s: conversion %%%c is not supported", a.c.name, verb)
}

// storeReal stores a number at an address, as the length of its conversion says.
func storeReal(m *Machine, p ctype.Word, x floatText, length string) *Fault {
	if length == "L" {
		v, _ := x.extended()
		return m.putBytes(p, extBytes(v)[:10])
	}
	t := ctype.FloatT
	if length == "l" {
		t = ctype.DoubleT
	}
	v, _ := x.value(t)
	return m.store(p, t, v)
}

// storeText stores a text at an address; with own in a block of its own, whose address is stored.
func storeText(m *Machine, p ctype.Word, b []byte, own bool) *Fault {
	if !own {
		return m.putBytes(p, b)
	}
	q, f := m.Malloc(int64(len(b)), false)
	if f != nil {
		return f
	}
	if f := m.store(p, ctype.VoidPtrT, q); f != nil {
		return f
	}
	return m.putBytes(q, b)
}

// widened converts bytes to wide characters, as the locale C has them.
func widened(m *Machine, b []byte, name string) ([]byte, *Fault) {
	out := make([]byte, 0, 4*len(b))
	for _, x := range b {
		if x > 127 {
			return nil, m.fault(Unsupported, 0, "%s: a wide character beyond ASCII is not supported", name)
		}
		out = append(out, x, 0, 0, 0)
	}
	return out, nil
}

// mark is -1 when the input had ended before the first byte.
func mark(ended bool) int {
	if ended {
		return -1
	}
	return 0
}

// taker reads the bytes of one conversion, at most as many as its width allows.
type taker struct {
	in   *input
	left int // bytes left, negative for no limit
	text []byte
}

func (in *input) taker(width int) *taker {
	if width == 0 {
		width = -1
	}
	return &taker{in: in, left: width}
}

// accept takes the next byte, in lower case, if ok says so.
func (t *taker) accept(ok func(b byte) bool) bool {
	if t.left == 0 {
		return false
	}
	b := t.in.get()
	if b < 0 || !ok(lowerCase(byte(b))) {
		t.in.unget(b)
		return false
	}
	t.left--
	t.text = append(t.text, lowerCase(byte(b)))
	return true
}

func (t *taker) oneOf(set string) bool {
	return t.accept(func(b byte) bool { return strings.IndexByte(set, b) >= 0 })
}

func lowerCase(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}

func (in *input) atEnd() bool {
	b := in.get()
	in.unget(b)
	return b < 0
}

// integer reads what glibc's scanf takes for an integer, and returns the base
// that its prefix says. 0x without a digit is taken, too, and has the value 0.
func (in *input) integer(width, base int) (text string, _ int, ended bool) {
	ended = in.atEnd()
	t := in.taker(width)
	t.oneOf("+-")
	if t.oneOf("0") {
		zero := len(t.text)
		if (base == 0 || base == 16) && t.oneOf("x") {
			base, t.text = 16, t.text[:zero]
		} else if base == 0 {
			base = 8
		}
	}
	if base == 0 {
		base = 10
	}
	for t.accept(func(b byte) bool { return digit(b) < base }) {
	}
	return string(t.text), base, ended
}

// real reads what glibc's scanf takes for a real: more than strtod may make use
// of, such as an exponent without digits.
func (in *input) real(width int) (text string, ended bool) {
	ended = in.atEnd()
	t := in.taker(width)
	t.oneOf("+-")
	sign := len(t.text)
	word := func(s string) bool {
		for i := range len(s) {
			if !t.oneOf(s[i : i+1]) {
				return false
			}
		}
		return true
	}
	switch {
	case t.oneOf("n"):
		if !word("an") {
			return "", false
		}
		return string(t.text), false
	case t.oneOf("i"):
		if !word("nf") || t.oneOf("i") && !word("nity") {
			return "", false
		}
		return string(t.text), false
	}
	exp, hex, digits := byte('e'), false, false
	if t.oneOf("0") {
		// glibc looks behind the x before it takes it for a prefix.
		if hex = t.left != 1 && t.oneOf("x"); hex {
			exp = 'p'
		} else {
			digits = true
		}
	}
	dot, e := false, false
	for t.accept(func(b byte) bool {
		switch {
		case digit(b) < 10 || hex && !e && digit(b) < 16:
			digits = true
		case e && t.text[len(t.text)-1] == exp && (b == '-' || b == '+'):
		case digits && !e && b == exp:
			e, dot = true, true
		case !dot && b == '.':
			dot = true
		default:
			return false
		}
		return true
	}) {
	}
	if hex && len(t.text) == sign+2 {
		return "", false
	}
	return string(t.text), ended
}

func (in *input) collect(width int, ok func(t string, b byte) bool) string {
	var t []byte
	for width == 0 || len(t) < width {
		b := in.get()
		if b < 0 || !ok(string(t), byte(b)) {
			in.unget(b)
			break
		}
		t = append(t, byte(b))
	}
	return string(t)
}

// endMark is -1 when nothing was read because the input had ended.
func (in *input) endMark(text string) int {
	if text != "" {
		return 0
	}
	b := in.get()
	in.unget(b)
	if b < 0 {
		return -1
	}
	return 0
}

// scanSet parses "[...]"; end is its length.
func scanSet(s string) (set [256]bool, inverse bool, end int) {
	i := 1
	if i < len(s) && s[i] == '^' {
		inverse = true
		i++
	}
	for first := true; i < len(s) && (s[i] != ']' || first); first = false {
		if i+2 < len(s) && s[i+1] == '-' && s[i+2] != ']' {
			for b := int(s[i]); b <= int(s[i+2]); b++ {
				set[b] = true
			}
			i += 3
			continue
		}
		set[s[i]] = true
		i++
	}
	return set, inverse, i + 1
}
