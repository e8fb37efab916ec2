package machine

import (
	"math"
	"strconv"
	"strings"

	"gulo/internal/ctype"
)

// This file is the printf family.

// argList yields the variable arguments of a printf or scanf.
type argList struct {
	m    *Machine
	c    *libCall
	next int
	list ctype.Word   // address of a va_list; 0 for plain arguments
	read []ctype.Word // arguments read so far, of a format with positions

	texts []argText
}

// argText is a string argument of which n bytes were read.
type argText struct {
	at ctype.Word
	n  int
}

// at returns argument n of a format with positions, from 1.
func (a *argList) at(n int) (ctype.Word, *Fault) {
	if n < 1 || n > 64 {
		return 0, a.m.fault(BadLibraryCall, 0, "%s: argument %d of the format", a.c.name, n)
	}
	for len(a.read) < n {
		w, f := a.word()
		if f != nil {
			return 0, f
		}
		a.read = append(a.read, w)
	}
	return a.read[n-1], nil
}

// wide returns the bytes of the next argument, of a type that does not fit in a word.
func (a *argList) wide(t *ctype.Type) ([]byte, *Fault) {
	if a.list != 0 {
		p, f := a.m.vaArg(a.list, argumentSize(t), argumentAlign(t))
		if f != nil {
			return nil, f
		}
		return a.m.operand(t, p)
	}
	if i := a.next; i < len(a.c.args) && a.c.info != nil && i < len(a.c.info.Types) && a.c.info.Types[i].Kind != t.Kind {
		return nil, a.m.fault(BadLibraryCall, 0, "%s: the format wants a %s, the argument is of type %s", a.c.name, t, a.c.info.Types[i])
	}
	w, f := a.word()
	if f != nil {
		return nil, f
	}
	return a.m.operand(t, w)
}

func (a *argList) word() (ctype.Word, *Fault) {
	if a.list != 0 {
		p, f := a.m.vaArg(a.list, 8, 8)
		if f != nil {
			return 0, f
		}
		return a.m.load(p, ctype.ULongT)
	}
	if a.next >= len(a.c.args) {
		return 0, a.m.fault(BadLibraryCall, 0, "%s: the format wants more arguments than are given", a.c.name)
	}
	w := a.c.args[a.next]
	a.next++
	return w, nil
}

// formatAt is the index of the argument that is the format.
var formatAt = map[string]int{"printf": 0, "fprintf": 1, "sprintf": 1, "snprintf": 2, "dprintf": 1, "asprintf": 1}

// formatted returns what a call of the printf family prints. Argument at is the format; the values follow it, in a
// va_list if the function's name begins with v.
func formatted(m *Machine, c *libCall, at int) ([]byte, *argList, *Fault) {
	a := &argList{m: m, c: c, next: at + 1}
	if c.name[0] == 'v' {
		a.list = c.arg(at + 1)
	}
	format, f := m.cstring(c.arg(at))
	if f != nil {
		return nil, nil, f
	}
	out, f := formatAll(m, format, a)
	return out, a, f
}

// apartFrom returns a fault if the n bytes that a call writes overlap a string that it reads.
func apartFrom(m *Machine, c *libCall, a *argList, n int) *Fault {
	for _, t := range a.texts {
		if f := checkApart(m, c, c.arg(0), n, t.at, t.n); f != nil {
			return f
		}
	}
	return nil
}

// libPrintf is the whole printf family.
func libPrintf(m *Machine, c *libCall) (ctype.Word, *Fault) {
	name := strings.TrimPrefix(c.name, "v")
	at := formatAt[name]
	out, a, f := formatted(m, c, at)
	if f != nil {
		return 0, f
	}
	n := ctype.Word(len(out))
	switch name {
	case "printf":
		return n, m.lib.stdio.write(1, out)
	case "fprintf":
		fd, f := m.lib.stdio.descriptor(c, c.arg(0))
		if f != nil {
			return 0, f
		}
		return n, m.lib.stdio.write(fd, out)
	case "dprintf":
		return m.lib.stdio.writeTo(int(c.int(0)), out)
	case "sprintf":
		if f := apartFrom(m, c, a, len(out)+1); f != nil {
			return 0, f
		}
		return n, m.putString(c.arg(0), string(out))
	case "asprintf":
		p, f := m.Malloc(int64(len(out)+1), false)
		if f != nil {
			return 0, f
		}
		if f := m.store(c.arg(0), ctype.VoidPtrT, p); f != nil {
			return 0, f
		}
		return n, m.putString(p, string(out))
	}
	if size := c.arg(1); size > 0 {
		if ctype.Word(len(out)) >= size {
			out = out[:size-1]
		}
		if f := apartFrom(m, c, a, len(out)+1); f != nil {
			return 0, f
		}
		return n, m.putString(c.arg(0), string(out))
	}
	return n, nil
}

// spec is one conversion specification.
type spec struct {
	minus, plus, space, alt, zero bool
	width, prec                   int // prec -1: none
	position                      int // of the argument, from 1; 0 for the next one
	length                        string
	verb                          byte
}

func formatAll(m *Machine, s string, a *argList) ([]byte, *Fault) {
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out = append(out, s[i])
			continue
		}
		i++
		sp, n, f := parseSpec(m, s[i:], a)
		if f != nil {
			return nil, f
		}
		i += n - 1
		if sp.verb == '%' {
			out = append(out, '%')
			continue
		}
		text, f := convert(m, sp, a, len(out))
		if f != nil {
			return nil, f
		}
		out = append(out, text...)
	}
	return out, nil
}

func parseSpec(m *Machine, s string, a *argList) (spec, int, *Fault) {
	sp := spec{prec: -1}
	i := 0
	// position reads n$.
	position := func() int {
		n, j := 0, i
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			n = min(n*10+int(s[j]-'0'), 1<<20)
			j++
		}
		if n == 0 || j >= len(s) || s[j] != '$' {
			return 0
		}
		i = j + 1
		return n
	}
	sp.position = position()
flags:
	for ; i < len(s); i++ {
		switch s[i] {
		case '-':
			sp.minus = true
		case '+':
			sp.plus = true
		case ' ':
			sp.space = true
		case '#':
			sp.alt = true
		case '0':
			sp.zero = true
		case '\'', 'I': // as the C locale has them
		default:
			break flags
		}
	}
	number := func() (int, *Fault) {
		if i < len(s) && s[i] == '*' {
			i++
			if k := position(); k > 0 {
				w, f := a.at(k)
				return int(int32(w)), f
			}
			w, f := a.word()
			return int(int32(w)), f
		}
		n := 0
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			n = min(n*10+int(s[i]-'0'), maxPadding+1)
			i++
		}
		return n, nil
	}
	var f *Fault
	if sp.width, f = number(); f != nil {
		return sp, i, f
	}
	if sp.width < 0 {
		sp.minus, sp.width = true, -sp.width
	}
	if i < len(s) && s[i] == '.' {
		i++
		if sp.prec, f = number(); f != nil {
			return sp, i, f
		}
		sp.prec = max(sp.prec, -1)
	}
	if sp.width > maxPadding || sp.prec > maxPadding {
		return sp, i, m.fault(LimitFault, 0, "%s: a width or precision over %d", a.c.name, maxPadding)
	}
	for i < len(s) && strings.IndexByte("hljztLq", s[i]) >= 0 {
		sp.length += string(s[i])
		i++
	}
	if i >= len(s) {
		return sp, i, m.fault(BadLibraryCall, 0, "%s: the format ends in the middle of a conversion", a.c.name)
	}
	sp.verb = s[i]
	return sp, i + 1, nil
}

func convert(m *Machine, sp spec, a *argList, sofar int) (string, *Fault) {
	if sp.verb == 'm' {
		e, _ := m.load(m.lib.errno, ctype.IntT)
		return sp.pad("", errorText(int64(e)), false), nil
	}
	if sp.length == "L" && strings.IndexByte("fFeEgGaA", sp.verb) >= 0 && sp.position == 0 {
		b, f := a.wide(ctype.LongDoubleT)
		if f != nil {
			return "", f
		}
		return sp.extended(ctype.LoadExt(b)), nil
	}
	w, f := ctype.Word(0), (*Fault)(nil)
	if sp.position > 0 {
		w, f = a.at(sp.position)
	} else {
		w, f = a.word()
	}
	if f != nil {
		return "", f
	}
	if sp.verb == 'S' || sp.verb == 'C' {
		sp.length, sp.verb = "l", sp.verb|0x20
	}
	switch sp.verb {
	case 'd', 'i':
		v := int64(ctype.Wrap(sp.intType(true), w))
		neg := v < 0
		u := uint64(v)
		if neg {
			u = -u
		}
		return sp.pad(sp.sign(neg), sp.digits(strconv.FormatUint(u, 10)), sp.prec < 0), nil
	case 'u':
		return sp.pad("", sp.digits(strconv.FormatUint(ctype.Wrap(sp.intType(false), w), 10)), sp.prec < 0), nil
	case 'o', 'x', 'X':
		return sp.unsigned(ctype.Wrap(sp.intType(false), w)), nil
	case 'c':
		if sp.length == "l" && uint32(w) > 127 {
			return "", m.fault(Unsupported, 0, "%s: a wide character beyond ASCII is not supported", a.c.name)
		}
		return sp.pad("", string([]byte{byte(w)}), false), nil
	case 'p':
		if w == 0 {
			return sp.pad("", "(nil)", false), nil
		}
		return sp.pad(sp.sign(false)+"0x", sp.digits(strconv.FormatUint(w, 16)), sp.prec < 0), nil
	case 's':
		if w == 0 {
			s := "(null)"
			if sp.prec >= 0 && sp.prec < 6 {
				s = ""
			}
			return sp.pad("", s, false), nil
		}
		var s string
		if sp.length == "l" {
			s, f = m.wideText(w, sp.prec, a.c.name)
		} else if sp.prec >= 0 {
			s, f = m.prefix(w, int64(sp.prec))
		} else {
			s, f = m.cstring(w)
		}
		a.texts = append(a.texts, argText{w, len(s) + 1})
		return sp.pad("", s, false), f
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A':
		return sp.float(math.Float64frombits(w)), nil
	case 'n':
		return "", m.store(w, sp.intType(true), ctype.Word(sofar))
	}
	return "", m.fault(BadLibraryCall, 0, "%s: conversion %%%c is not supported", a.c.name, sp.verb)
}

func (sp *spec) intType(signed bool) *ctype.Type {
	switch sp.length {
	case "hh":
		return pickType(signed, ctype.SCharT, ctype.UCharT)
	case "h":
		return pickType(signed, ctype.ShortT, ctype.UShortT)
	case "":
		return pickType(signed, ctype.IntT, ctype.UIntT)
	}
	return pickType(signed, ctype.LongT, ctype.ULongT)
}

func pickType(b bool, x, y *ctype.Type) *ctype.Type {
	if b {
		return x
	}
	return y
}

func (sp *spec) sign(neg bool) string {
	switch {
	case neg:
		return "-"
	case sp.plus:
		return "+"
	case sp.space:
		return " "
	}
	return ""
}

// maxPadding bounds widths and precisions.
const maxPadding = 1 << 26

func (sp *spec) digits(d string) string {
	if sp.prec == 0 && d == "0" {
		return ""
	}
	if len(d) < sp.prec {
		d = strings.Repeat("0", sp.prec-len(d)) + d
	}
	return d
}

func (sp *spec) unsigned(v uint64) string {
	prefix := ""
	var d string
	if sp.verb == 'o' {
		d = sp.digits(strconv.FormatUint(v, 8))
		if sp.alt && !strings.HasPrefix(d, "0") {
			d = "0" + d
		}
	} else {
		d = sp.digits(strconv.FormatUint(v, 16))
		if sp.alt && v != 0 {
			prefix = "0x"
		}
		if sp.verb == 'X' {
			d, prefix = strings.ToUpper(d), strings.ToUpper(prefix)
		}
	}
	return sp.pad(prefix, d, sp.prec < 0)
}

// pad brings prefix and body to the width; zeros go between them.
func (sp *spec) pad(prefix, body string, zeros bool) string {
	n := sp.width - len(prefix) - len(body)
	switch {
	case n <= 0:
		return prefix + body
	case sp.minus:
		return prefix + body + strings.Repeat(" ", n)
	case sp.zero && zeros:
		return prefix + strings.Repeat("0", n) + body
	}
	return strings.Repeat(" ", n) + prefix + body
}

func (sp *spec) float(v float64) string {
	sign := sp.sign(math.Signbit(v))
	v = math.Abs(v)
	verb := sp.verb | 0x20
	if math.IsInf(v, 0) || math.IsNaN(v) {
		s := "inf"
		if math.IsNaN(v) {
			s = "nan"
		}
		if sp.verb < 'a' {
			s = strings.ToUpper(s)
		}
		return sp.pad(sign, s, false)
	}
	prec := sp.prec
	if prec < 0 && verb != 'a' {
		prec = 6
	}
	var s string
	switch verb {
	case 'f', 'e':
		s = strconv.FormatFloat(v, verb, prec, 64)
		if sp.alt && prec == 0 {
			if verb == 'f' {
				s += "."
			} else {
				s = strings.Replace(s, "e", ".e", 1)
			}
		}
	case 'g':
		s = formatG(v, max(prec, 1), sp.alt)
		if prec == 0 {
			s = formatG(v, 1, sp.alt)
		}
	case 'a':
		s = hexFloat(v, prec, sp.alt)
	}
	return sp.real(sign, s)
}

// real brings the text of a floating number to the width; with %a, zeros go behind the 0x.
func (sp *spec) real(sign, s string) string {
	if sp.verb < 'a' {
		s = strings.ToUpper(s)
	}
	if sp.verb|0x20 == 'a' {
		sign, s = sign+s[:2], s[2:]
	}
	return sp.pad(sign, s, true)
}

func formatG(v float64, prec int, alt bool) string {
	e := strconv.FormatFloat(v, 'e', prec-1, 64)
	exp, _ := strconv.Atoi(e[strings.IndexByte(e, 'e')+1:])
	if exp < -4 || exp >= prec {
		i := strings.IndexByte(e, 'e')
		return shortest(e[:i], alt) + e[i:]
	}
	return shortest(strconv.FormatFloat(v, 'f', prec-1-exp, 64), alt)
}

// shortest is a number of %g without the zeros at its end; with alt (%#g) it keeps them, and has a point.
func shortest(s string, alt bool) string {
	switch {
	case alt && !strings.Contains(s, "."):
		return s + "."
	case alt || !strings.Contains(s, "."):
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// FormatNumber returns what printf prints for one conversion of a number; ok is false for any
// other conversion and for one with a star.
func FormatNumber(conversion string, w ctype.Word) (text string, ok bool) {
	n := len(conversion)
	if n < 2 || conversion[0] != '%' || strings.IndexByte("diuoxXcfFeEgGaA", conversion[n-1]) < 0 || strings.Contains(conversion, "*") {
		return "", false
	}
	a := &argList{c: &libCall{name: "printf", args: []ctype.Word{w}}}
	var m *Machine // conversions of numbers do not use it
	sp, used, f := parseSpec(m, conversion[1:], a)
	if f != nil || used != n-1 {
		return "", false
	}
	text, f = convert(m, sp, a, 0)
	return text, f == nil
}
