package machine

import (
	"math"
	"strconv"
	"strings"

	"gulo/internal/ctype"
)

// This file is stdio.h on the standard streams.

func init() {
	register(map[string]builtin{
		"printf": libPrintf, "fprintf": libPrintf, "sprintf": libPrintf, "snprintf": libPrintf, "dprintf": libPrintf, "asprintf": libPrintf,
		"vprintf": libPrintf, "vfprintf": libPrintf, "vsprintf": libPrintf, "vsnprintf": libPrintf,
		"puts": libPuts, "fputs": libPuts, "putchar": libPutc, "putc": libPutc, "fputc": libPutc, "putchar_unlocked": libPutc,
		"getchar": libGetc, "getc": libGetc, "fgetc": libGetc, "getchar_unlocked": libGetc, "ungetc": libUngetc,
		"fgets": libFgets, "getline": libGetline, "fread": libFread, "fwrite": libFwrite, "read": libRead, "write": libWrite,
		"scanf": libScanf, "fscanf": libScanf, "sscanf": libScanf,
		"fflush": func(m *Machine, c *libCall) (ctype.Word, *Fault) { m.lib.flush(); return 0, nil },
		"feof": func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			d, f := m.lib.descriptor(c, c.arg(0))
			return b2w(d == 0 && m.lib.eof), f
		},
		"ferror":   libStream,
		"clearerr": libStream,
		"fileno":   libStream,
		"setvbuf":  libStream,
		"setbuf":   libStream,
		"fclose":   libStream,
		"perror":   libPerror,
	})
}

// libStream is a function of a stream that has nothing to do here.
func libStream(m *Machine, c *libCall) (ctype.Word, *Fault) {
	d, f := m.lib.descriptor(c, c.arg(0))
	if c.name == "fileno" {
		return ctype.Word(d), f
	}
	return 0, f
}

func libPerror(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	e, _ := m.load(m.lib.errno, ctype.IntT)
	return 0, m.lib.write(2, []byte(s+": "+errorTexts[int64(e)]+"\n"))
}

func libPuts(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	fd := 1
	if c.name == "fputs" {
		if fd, f = m.lib.descriptor(c, c.arg(1)); f != nil {
			return 0, f
		}
	} else {
		s += "\n"
	}
	return 1, m.lib.write(fd, []byte(s))
}

func libPutc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	fd := 1
	if c.name == "putc" || c.name == "fputc" {
		var f *Fault
		if fd, f = m.lib.descriptor(c, c.arg(1)); f != nil {
			return 0, f
		}
	}
	return ctype.Word(byte(c.arg(0))), m.lib.write(fd, []byte{byte(c.arg(0))})
}

func libGetc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.name == "getc" || c.name == "fgetc" {
		if _, f := m.lib.descriptor(c, c.arg(0)); f != nil {
			return 0, f
		}
	}
	b, f := m.lib.getc()
	return ctype.Word(int64(b)), f
}

func libUngetc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	m.lib.unget = append(m.lib.unget, byte(c.arg(0)))
	return c.arg(0), nil
}

// line reads up to max bytes, through a line break.
func (l *library) line(max int) ([]byte, *Fault) {
	var out []byte
	for len(out) < max {
		b, f := l.getc()
		if f != nil {
			for i := len(out) - 1; i >= 0; i-- {
				l.unget = append(l.unget, out[i])
			}
			return nil, f
		}
		if b < 0 {
			break
		}
		out = append(out, byte(b))
		if b == '\n' {
			break
		}
	}
	return out, nil
}

func libFgets(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if _, f := m.lib.descriptor(c, c.arg(2)); f != nil {
		return 0, f
	}
	b, f := m.lib.line(int(c.int(1)) - 1)
	if f != nil || len(b) == 0 {
		return 0, f
	}
	return c.arg(0), m.putString(c.arg(0), string(b))
}

func libGetline(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b, f := m.lib.line(math.MaxInt32)
	if f != nil || len(b) == 0 {
		return ^ctype.Word(0), f
	}
	p, f := m.load(c.arg(0), ctype.VoidPtrT)
	if f != nil {
		return 0, f
	}
	var size ctype.Word
	if p != 0 {
		if size, f = m.load(c.arg(1), ctype.ULongT); f != nil {
			return 0, f
		}
	}
	if size < ctype.Word(len(b)+1) {
		size = max(120, ctype.Word(len(b)+1), 2*size)
		q, f := m.Malloc(int64(size), false)
		if f != nil {
			return 0, f
		}
		if f := m.FreePtr(p); f != nil {
			return 0, f
		}
		p = q
		if f := m.store(c.arg(0), ctype.VoidPtrT, p); f != nil {
			return 0, f
		}
		if f := m.store(c.arg(1), ctype.ULongT, size); f != nil {
			return 0, f
		}
	}
	return ctype.Word(len(b)), m.putString(p, string(b))
}

func (l *library) take(n int) ([]byte, *Fault) {
	var out []byte
	for len(out) < n {
		b, f := l.getc()
		if f != nil {
			return nil, f
		}
		if b < 0 {
			break
		}
		out = append(out, byte(b))
	}
	return out, nil
}

func libFread(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if _, f := m.lib.descriptor(c, c.arg(3)); f != nil || c.arg(1) == 0 {
		return 0, f
	}
	b, f := m.lib.take(int(c.arg(1) * c.arg(2)))
	if f != nil {
		return 0, f
	}
	return ctype.Word(len(b)) / c.arg(1), m.putBytes(c.arg(0), b)
}

func libFwrite(m *Machine, c *libCall) (ctype.Word, *Fault) {
	fd, f := m.lib.descriptor(c, c.arg(3))
	if f != nil {
		return 0, f
	}
	b, f := m.bytes(c.arg(0), int64(c.arg(1)*c.arg(2)), true)
	if f != nil {
		return 0, f
	}
	return c.arg(2), m.lib.write(fd, b)
}

func libRead(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.int(0) != 0 {
		return ^ctype.Word(0), nil
	}
	b, f := m.lib.line(int(c.long(2)))
	if f != nil {
		return 0, f
	}
	return ctype.Word(len(b)), m.putBytes(c.arg(1), b)
}

func libWrite(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b, f := m.bytes(c.arg(1), c.long(2), true)
	if f != nil || c.int(0) != 1 && c.int(0) != 2 {
		return ^ctype.Word(0), f
	}
	if c.int(0) == 1 {
		// write bypasses the buffer of stdout; printed text that waits there comes later.
		held := append([]byte(nil), m.lib.out...)
		m.lib.out = m.lib.out[:0]
		f = m.lib.write(1, b)
		m.lib.flush()
		m.lib.out = append(m.lib.out, held...)
		return ctype.Word(len(b)), f
	}
	return ctype.Word(len(b)), m.lib.write(2, b)
}

// argList yields the variable arguments of a printf or scanf.
type argList struct {
	m    *Machine
	c    *libCall
	next int
	list ctype.Word // address in a va_list; 0 for plain arguments
}

func (a *argList) word() (ctype.Word, *Fault) {
	if a.list != 0 {
		w, f := a.m.load(a.list, ctype.ULongT)
		a.list += 8
		return w, f
	}
	if a.next >= len(a.c.args) {
		return 0, a.m.fault(BadLibraryCall, 0, "%s: the format wants more arguments than are given", a.c.name)
	}
	w := a.c.args[a.next]
	a.next++
	return w, nil
}

// libPrintf is the whole printf family.
func libPrintf(m *Machine, c *libCall) (ctype.Word, *Fault) {
	name := strings.TrimPrefix(c.name, "v")
	at := map[string]int{"printf": 0, "fprintf": 1, "sprintf": 1, "snprintf": 2, "dprintf": 1, "asprintf": 1}[name]
	a := &argList{m: m, c: c, next: at + 1}
	if c.name[0] == 'v' {
		a.list = c.arg(at + 1)
	}
	format, f := m.cstring(c.arg(at))
	if f != nil {
		return 0, f
	}
	out, f := m.format(format, a)
	if f != nil {
		return 0, f
	}
	n := ctype.Word(len(out))
	switch name {
	case "printf":
		return n, m.lib.write(1, out)
	case "fprintf":
		fd, f := m.lib.descriptor(c, c.arg(0))
		if f != nil {
			return 0, f
		}
		return n, m.lib.write(fd, out)
	case "dprintf":
		m.lib.flush()
		return n, m.lib.write(int(c.int(0)), out)
	case "sprintf":
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
		return n, m.putString(c.arg(0), string(out))
	}
	return n, nil
}

// spec is one conversion specification.
type spec struct {
	minus, plus, space, alt, zero bool
	width, prec                   int // prec -1: none
	length                        string
	verb                          byte
}

func (m *Machine) format(s string, a *argList) ([]byte, *Fault) {
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out = append(out, s[i])
			continue
		}
		i++
		sp, n, f := m.parseSpec(s[i:], a)
		if f != nil {
			return nil, f
		}
		i += n - 1
		if sp.verb == '%' {
			out = append(out, '%')
			continue
		}
		text, f := m.convert(sp, a, len(out))
		if f != nil {
			return nil, f
		}
		out = append(out, text...)
	}
	return out, nil
}

func (m *Machine) parseSpec(s string, a *argList) (spec, int, *Fault) {
	sp := spec{prec: -1}
	i := 0
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
		case '\'':
		default:
			break flags
		}
	}
	number := func() (int, *Fault) {
		if i < len(s) && s[i] == '*' {
			i++
			w, f := a.word()
			return int(int32(w)), f
		}
		n := 0
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			n = min(n*10+int(s[i]-'0'), 1<<20)
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

func (m *Machine) convert(sp spec, a *argList, sofar int) (string, *Fault) {
	w, f := a.word()
	if f != nil {
		return "", f
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
		return sp.pad("", string([]byte{byte(w)}), false), nil
	case 'p':
		if w == 0 {
			return sp.pad("", "(nil)", false), nil
		}
		return sp.pad("", "0x"+strconv.FormatUint(w, 16), false), nil
	case 's':
		if w == 0 {
			s := "(null)"
			if sp.prec >= 0 && sp.prec < 6 {
				s = ""
			}
			return sp.pad("", s, false), nil
		}
		var s string
		if sp.prec >= 0 {
			s, f = m.prefix(w, int64(sp.prec))
		} else {
			s, f = m.cstring(w)
		}
		return sp.pad("", s, false), f
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A':
		return sp.float(math.Float64frombits(w)), nil
	case 'n':
		t := ctype.IntT
		if strings.HasPrefix(sp.length, "l") {
			t = ctype.LongT
		}
		return "", m.store(w, t, ctype.Word(sofar))
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
		s = hexFloat(v, prec)
	}
	if sp.verb < 'a' {
		s = strings.ToUpper(s)
	}
	return sp.pad(sign, s, true)
}

func formatG(v float64, prec int, alt bool) string {
	e := strconv.FormatFloat(v, 'e', prec-1, 64)
	exp, _ := strconv.Atoi(e[strings.IndexByte(e, 'e')+1:])
	trim := func(s string) string {
		if alt || !strings.Contains(s, ".") {
			return s
		}
		return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	if exp < -4 || exp >= prec {
		i := strings.IndexByte(e, 'e')
		return trim(e[:i]) + e[i:]
	}
	return trim(strconv.FormatFloat(v, 'f', prec-1-exp, 64))
}

func hexFloat(v float64, prec int) string {
	s := strconv.FormatFloat(v, 'x', prec, 64)
	i := strings.IndexByte(s, 'p')
	exp := s[i+1:]
	sgn := exp[:1]
	exp = strings.TrimLeft(exp[1:], "0")
	if exp == "" {
		exp = "0"
	}
	return s[:i] + "p" + sgn + exp
}

// input is where a scanf reads: a string or standard input.
type input struct {
	l    *library
	s    string
	str  bool
	pos  int
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
	b, f := in.l.getc()
	if f != nil {
		in.fail = f
		return -1
	}
	in.pos++
	return b
}

func (in *input) unget(b int) {
	in.pos--
	if !in.str && b >= 0 {
		in.l.unget = append(in.l.unget, byte(b))
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
	in := &input{l: m.lib}
	if c.name != "scanf" {
		at = 1
		if c.name == "sscanf" {
			s, f := m.cstring(c.arg(0))
			if f != nil {
				return 0, f
			}
			in.s, in.str = s, true
		} else if _, f := m.lib.descriptor(c, c.arg(0)); f != nil {
			return 0, f
		}
	}
	format, f := m.cstring(c.arg(at))
	if f != nil {
		return 0, f
	}
	n, f := m.scan(in, format, &argList{m: m, c: c, next: at + 1})
	if in.fail != nil {
		return 0, in.fail
	}
	return ctype.Word(int64(n)), f
}

func (m *Machine) scan(in *input, format string, a *argList) (int, *Fault) {
	done := 0
	for i := 0; i < len(format); i++ {
		ch := format[i]
		if isSpace(ch) {
			in.skipSpace()
			continue
		}
		if ch == '%' && i+1 < len(format) && format[i+1] != '%' {
			ok, n, f := m.scanOne(in, format[i+1:], a, &done)
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

// scanOne does one conversion; n is the length of its specification, or -1
// when the input had ended.
func (m *Machine) scanOne(in *input, s string, a *argList, done *int) (ok bool, n int, f *Fault) {
	i, width, skip := 0, 0, false
	if s[i] == '*' {
		skip = true
		i++
	}
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		width = width*10 + int(s[i]-'0')
		i++
	}
	length := ""
	for i < len(s) && strings.IndexByte("hljztLq", s[i]) >= 0 {
		length += string(s[i])
		i++
	}
	if i >= len(s) {
		return false, 0, nil
	}
	verb := s[i]
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
	ended := func(text string) bool { return text == "" }
	switch verb {
	case 'd', 'i', 'u', 'x', 'X', 'o', 'p':
		base := map[byte]int{'d': 10, 'u': 10, 'i': 0, 'x': 16, 'X': 16, 'p': 16, 'o': 8}[verb]
		text := in.collect(width, func(t string, b byte) bool {
			return digit(b) < max(base, 10) || base == 0 && digit(b) < 16 || (b == '+' || b == '-') && t == "" ||
				(base == 16 || base == 0) && b|0x20 == 'x' && strings.TrimLeft(t, "+-") == "0"
		})
		neg, v, used, _ := scanInt(text, base)
		if ended(text) || used == 0 {
			return false, in.endMark(text), nil
		}
		if neg {
			v = -v
		}
		return true, i + 1, put(func(p ctype.Word) *Fault { return m.store(p, sp.intType(verb == 'd' || verb == 'i'), v) })
	case 'f', 'e', 'g', 'a', 'E', 'G':
		text := in.collect(width, func(t string, b byte) bool { return strings.IndexByte("0123456789+-.eEinfaNxX", b) >= 0 })
		v, used := scanFloat(text)
		if used == 0 {
			return false, in.endMark(text), nil
		}
		t := ctype.FloatT
		if length == "l" {
			t = ctype.DoubleT
		}
		return true, i + 1, put(func(p ctype.Word) *Fault { return m.store(p, t, ctype.OfFloat(t, v)) })
	case 's':
		text := in.collect(width, func(t string, b byte) bool { return !isSpace(b) })
		if ended(text) {
			return false, in.endMark(text), nil
		}
		return true, i + 1, put(func(p ctype.Word) *Fault { return m.putString(p, text) })
	case 'c':
		w := max(width, 1)
		text := in.collect(w, func(t string, b byte) bool { return true })
		if len(text) < w {
			return false, in.endMark(text), nil
		}
		return true, i + 1, put(func(p ctype.Word) *Fault { return m.putBytes(p, []byte(text)) })
	case 'n':
		pos := in.pos
		return true, i + 1, put(func(p ctype.Word) *Fault { return m.store(p, sp.intType(true), ctype.Word(pos)) })
	case '[':
		set, inverse, end := scanSet(s[i:])
		text := in.collect(width, func(t string, b byte) bool { return set[b] != inverse })
		if ended(text) {
			return false, in.endMark(text), nil
		}
		return true, i + end, put(func(p ctype.Word) *Fault { return m.putString(p, text) })
	}
	return false, 0, m.fault(BadLibraryCall, 0, "%s: conversion %%%c is not supported", a.c.name, verb)
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
