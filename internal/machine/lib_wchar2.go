package machine

import (
	"slices"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/plural"
)

// This file is the rest of wchar.h and wctype.h, in the locale "C": characters
// beyond ASCII have no class and no multibyte form.

func init() {
	register(map[string]builtin{
		"wcsncat": libWcsncat, "wcsncpy": libWcsncpy, "wcsncmp": libWcsncmp, "wmemcmp": libWcsncmp, "wcscoll": libWcscmp, "wcsrchr": libWcsrchr, "wcsstr": libWcsstr,
		"wcspbrk": libWcspbrk, "wcsspn": libWcspbrk, "wcscspn": libWcspbrk, "wmemset": libWmemset, "wmemcpy": libWmemcpy, "wmemmove": libWmemcpy, "wmemchr": libWmemchr,
		"wcsdup": libWcsdup, "wcsnlen": libWcsnlen, "wcstok": libWcstok, "wcscasecmp": libWcscasecmp,
		"wcstol": libWcsto, "wcstoul": libWcsto, "wcstoll": libWcsto, "wcstoull": libWcsto, "wcstod": libWcsto, "wcstof": libWcsto,
		"swprintf": libSwprintf, "vswprintf": libSwprintf, "btowc": libBtowc, "wctob": libBtowc,
		"mbrtowc": libMbtowc, "wcrtomb": libWctomb, "mbrlen": libMblen, "mbsinit": constant(1),
		"towlower": libTow, "towupper": libTow, "wctype": libWctype, "iswctype": libIswctype, "wctrans": libWctrans, "towctrans": libTow,
		"wprintf": libWprintf, "fwprintf": libWprintf, "vwprintf": libWprintf, "vfwprintf": libWprintf, "fputws": libFputws, "putwchar": libPutwc, "putwc": libPutwc, "fputwc": libPutwc,
		"fgetws": libFgetws, "fgetwc": libFgetwc, "getwc": libFgetwc, "getwchar": libFgetwc,
		"wcpcpy": libWcpcpy, "wcpncpy": libWcpcpy, "wcsncasecmp": libWcscasecmp, "wcsxfrm": libWcsxfrm, "wcstoimax": libWcsto, "wcstoumax": libWcsto,
	})
	for name, f := range ctypeFuncs {
		if strings.HasPrefix(name, "is") && name != "isascii" {
			builtins["isw"+name[2:]] = func(m *Machine, c *libCall) (ctype.Word, *Fault) {
				x := int64(uint32(c.arg(0)))
				return b2w(x < 128 && f(x)), nil
			}
		}
	}
}

// widePrefix reads at most n characters of a wide string.
func (m *memory) widePrefix(w ctype.Word, n ctype.Word) ([]uint32, *Fault) {
	var out []uint32
	for ; n > 0; n-- {
		c, f := m.load(w, ctype.UIntT)
		if f != nil || c == 0 {
			return out, f
		}
		out = append(out, uint32(c))
		w += 4
	}
	return out, nil
}

func (m *memory) putWide(w ctype.Word, s []uint32) *Fault {
	b := make([]byte, 0, 4*len(s))
	for _, u := range s {
		b = append(b, byte(u), byte(u>>8), byte(u>>16), byte(u>>24))
	}
	return m.putBytes(w, b)
}

func libWcsncat(m *Machine, c *libCall) (ctype.Word, *Fault) {
	d, f := m.wide(c.arg(0))
	if f != nil {
		return 0, f
	}
	s, f := m.widePrefix(c.arg(1), c.arg(2))
	if f != nil {
		return 0, f
	}
	return c.arg(0), m.putWide(c.arg(0)+ctype.Word(4*len(d)), append(s, 0))
}

func libWcsncpy(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.widePrefix(c.arg(1), c.arg(2))
	if f != nil || c.arg(2) > 1<<28 {
		return 0, f
	}
	return c.arg(0), m.putWide(c.arg(0), append(s, make([]uint32, int(c.arg(2))-len(s))...))
}

func libWcsncmp(m *Machine, c *libCall) (ctype.Word, *Fault) {
	for i := ctype.Word(0); i < c.arg(2); i++ {
		a, f := m.load(c.arg(0)+4*i, ctype.IntT)
		if f != nil {
			return 0, f
		}
		b, f := m.load(c.arg(1)+4*i, ctype.IntT)
		switch {
		case f != nil:
			return 0, f
		case int64(a) < int64(b):
			return ^ctype.Word(0), nil
		case int64(a) > int64(b):
			return 1, nil
		case a == 0 && c.name == "wcsncmp":
			return 0, nil
		}
	}
	return 0, nil
}

func libWcsrchr(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.wide(c.arg(0))
	if f != nil {
		return 0, f
	}
	s = append(s, 0)
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == uint32(c.arg(1)) {
			return c.arg(0) + ctype.Word(4*i), nil
		}
	}
	return 0, nil
}

// twoWide reads two wide strings.
func twoWide(m *Machine, c *libCall) (a, b []uint32, f *Fault) {
	if a, f = m.wide(c.arg(0)); f != nil {
		return nil, nil, f
	}
	b, f = m.wide(c.arg(1))
	return a, b, f
}

func libWcsstr(m *Machine, c *libCall) (ctype.Word, *Fault) {
	a, b, f := twoWide(m, c)
	if f != nil {
		return 0, f
	}
	for i := 0; i+len(b) <= len(a); i++ {
		if slices.Equal(a[i:i+len(b)], b) {
			return c.arg(0) + ctype.Word(4*i), nil
		}
	}
	return 0, nil
}

// libWcspbrk is wcspbrk, wcsspn and wcscspn.
func libWcspbrk(m *Machine, c *libCall) (ctype.Word, *Fault) {
	a, b, f := twoWide(m, c)
	if f != nil {
		return 0, f
	}
	i := 0
	for i < len(a) && slices.Contains(b, a[i]) == (c.name == "wcsspn") {
		i++
	}
	if c.name != "wcspbrk" {
		return ctype.Word(i), nil
	}
	if i == len(a) {
		return 0, nil
	}
	return c.arg(0) + ctype.Word(4*i), nil
}

func libWmemset(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.arg(2) > 1<<28 {
		return 0, m.fault(BadLibraryCall, c.arg(0), "wmemset of %s", plural.N(c.arg(2), "character"))
	}
	return c.arg(0), m.putWide(c.arg(0), slices.Repeat([]uint32{uint32(c.arg(1))}, int(c.arg(2))))
}

func libWmemcpy(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return c.arg(0), m.copyBytes(c.arg(0), c.arg(1), 4*c.long(2))
}

func libWmemchr(m *Machine, c *libCall) (ctype.Word, *Fault) {
	for i := ctype.Word(0); i < c.arg(2); i++ {
		w, f := m.load(c.arg(0)+4*i, ctype.UIntT)
		if f != nil {
			return 0, f
		}
		if uint32(w) == uint32(c.arg(1)) {
			return c.arg(0) + 4*i, nil
		}
	}
	return 0, nil
}

func libWcsdup(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.wide(c.arg(0))
	if f != nil {
		return 0, f
	}
	p, f := m.Malloc(int64(4*len(s)+4), false)
	if f != nil || p == 0 {
		return 0, f
	}
	return p, m.putWide(p, append(s, 0))
}

func libWcsnlen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.widePrefix(c.arg(0), c.arg(1))
	return ctype.Word(len(s)), f
}

func libWcstok(m *Machine, c *libCall) (ctype.Word, *Fault) {
	p := c.arg(0)
	var f *Fault
	if p == 0 {
		if p, f = m.load(c.arg(2), ctype.VoidPtrT); f != nil || p == 0 {
			return 0, f
		}
	}
	s, f := m.wide(p)
	if f != nil {
		return 0, f
	}
	sep, f := m.wide(c.arg(1))
	if f != nil {
		return 0, f
	}
	i := 0
	for i < len(s) && slices.Contains(sep, s[i]) {
		i++
	}
	if i == len(s) {
		return 0, m.store(c.arg(2), ctype.VoidPtrT, 0)
	}
	j := i
	for j < len(s) && !slices.Contains(sep, s[j]) {
		j++
	}
	next := ctype.Word(0)
	if j < len(s) {
		next = p + ctype.Word(4*j+4)
		if f := m.putWide(next-4, []uint32{0}); f != nil {
			return 0, f
		}
	}
	return p + ctype.Word(4*i), m.store(c.arg(2), ctype.VoidPtrT, next)
}

func libWcscasecmp(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.name == "wcsncasecmp" {
		return wideWithoutCase(m, c)
	}
	a, b, f := twoWide(m, c)
	if f != nil {
		return 0, f
	}
	low := func(s []uint32) []uint32 {
		out := slices.Clone(s)
		for i, u := range out {
			if u < 128 {
				out[i] = uint32(lowerCase(byte(u)))
			}
		}
		return out
	}
	return ctype.Word(int64(slices.Compare(low(a), low(b)))), nil
}

// wideWithoutCase is wcsncasecmp, which reads as far as the strings agree.
func wideWithoutCase(m *Machine, c *libCall) (ctype.Word, *Fault) {
	for i := ctype.Word(0); i < c.arg(2); i++ {
		var u [2]int64
		for k := range u {
			w, f := m.load(c.arg(k)+4*i, ctype.IntT)
			if f != nil {
				return 0, f
			}
			if u[k] = int64(w); between(u[k], 'A', 'Z') {
				u[k] += 'a' - 'A'
			}
		}
		if u[0] != u[1] || u[0] == 0 {
			return ctype.Word(u[0] - u[1]), nil
		}
	}
	return 0, nil
}

// libWcpcpy is wcscpy and wcsncpy that return the end.
func libWcpcpy(m *Machine, c *libCall) (ctype.Word, *Fault) {
	most := ^ctype.Word(0)
	do := libWcscpy
	if c.name == "wcpncpy" {
		most, do = c.arg(2), libWcsncpy
	}
	s, f := m.widePrefix(c.arg(1), most)
	if f == nil {
		_, f = do(m, c)
	}
	return c.arg(0) + ctype.Word(4*len(s)), f
}

// libWcsxfrm copies, as in the locale "C".
func libWcsxfrm(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.wide(c.arg(1))
	if f == nil && c.arg(2) > 0 {
		f = m.putWide(c.arg(0), append(s, 0)[:min(ctype.Word(len(s)+1), c.arg(2))])
	}
	return ctype.Word(len(s)), f
}

// libWcsto is wcstol and its relatives: of the string's ASCII.
func libWcsto(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.wide(c.arg(0))
	if f != nil {
		return 0, f
	}
	var text []byte
	for _, u := range s {
		if u > 127 {
			break
		}
		text = append(text, byte(u))
	}
	n := 0
	var w ctype.Word
	outside := false
	switch name := strings.Replace(c.name, "wcs", "str", 1); name {
	case "strtod", "strtof":
		x := splitFloat(string(text))
		if n = x.end; n > 0 {
			w, outside = x.value(map[string]*ctype.Type{"strtod": ctype.DoubleT, "strtof": ctype.FloatT}[name])
		}
	default:
		signed := !strings.Contains(name, "u")
		neg, v, used, fits := scanInt(string(text), int(c.int(2)))
		n, w = used, saturated(neg, v, fits, signed)
		outside = !fits || signed && (neg && v > 1<<63 || !neg && v > 1<<63-1)
	}
	if outside {
		m.set(34)
	}
	if c.arg(1) != 0 {
		return w, m.store(c.arg(1), ctype.VoidPtrT, c.arg(0)+ctype.Word(4*n))
	}
	return w, nil
}

// wideFormat makes the text of a wide printf: the format's ASCII, with %s for
// narrow strings and %ls for wide ones as in the narrow functions.
func wideFormat(m *Machine, c *libCall, at int) ([]byte, *Fault) {
	s, f := m.wide(c.arg(at))
	if f != nil {
		return nil, f
	}
	var format []byte
	for _, u := range s {
		if u > 127 {
			return nil, m.fault(Unsupported, 0, "%s: a wide character beyond ASCII is not supported", c.name)
		}
		format = append(format, byte(u))
	}
	a := &argList{m: m, c: c, next: at + 1}
	if c.name[0] == 'v' {
		a.list = c.arg(at + 1)
	}
	return formatAll(m, string(format), a)
}

func libSwprintf(m *Machine, c *libCall) (ctype.Word, *Fault) {
	out, f := wideFormat(m, c, 2)
	if f != nil {
		return 0, f
	}
	if ctype.Word(len(out)) >= c.arg(1) {
		return ^ctype.Word(0), nil
	}
	var s []uint32
	for _, b := range out {
		s = append(s, uint32(b))
	}
	return ctype.Word(len(out)), m.putWide(c.arg(0), append(s, 0))
}

func libWprintf(m *Machine, c *libCall) (ctype.Word, *Fault) {
	fd, at := 1, 0
	if strings.Contains(c.name, "fw") {
		var f *Fault
		if fd, f = m.lib.stdio.descriptor(c, c.arg(0)); f != nil {
			return 0, f
		}
		at = 1
	}
	out, f := wideFormat(m, c, at)
	if f != nil {
		return 0, f
	}
	return ctype.Word(len(out)), m.lib.stdio.write(fd, out)
}

func libFputws(m *Machine, c *libCall) (ctype.Word, *Fault) {
	fd, f := m.lib.stdio.descriptor(c, c.arg(1))
	if f != nil {
		return 0, f
	}
	s, f := m.wideText(c.arg(0), -1, c.name)
	if f != nil {
		return 0, f
	}
	return 1, m.lib.stdio.write(fd, []byte(s))
}

// libFgetws reads a line of ASCII.
func libFgetws(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(2))
	if f != nil || c.int(1) <= 0 {
		return 0, f
	}
	b, f := m.lib.stdio.until(s, '\n', int(c.int(1))-1)
	if f != nil || len(b) == 0 && c.int(1) > 1 {
		return 0, f
	}
	wide := make([]uint32, len(b)+1)
	for i, x := range b {
		if wide[i] = uint32(x); x > 127 {
			return 0, m.fault(Unsupported, 0, "%s: a wide character beyond ASCII is not supported", c.name)
		}
	}
	return c.arg(0), m.putWide(c.arg(0), wide)
}

func libFgetwc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := &m.lib.stdio.standard[0]
	if c.name != "getwchar" {
		var f *Fault
		if s, f = m.lib.stdio.stream(c, c.arg(0)); f != nil {
			return 0, f
		}
	}
	x, f := m.lib.stdio.getc(s)
	switch {
	case f != nil:
		return 0, f
	case x < 0:
		return 0xffffffff, nil
	case x > 127:
		return 0, m.fault(Unsupported, 0, "%s: a wide character beyond ASCII is not supported", c.name)
	}
	return ctype.Word(x), nil
}

func libPutwc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	fd := 1
	if c.name != "putwchar" {
		var f *Fault
		if fd, f = m.lib.stdio.descriptor(c, c.arg(1)); f != nil {
			return 0, f
		}
	}
	if uint32(c.arg(0)) > 127 {
		return 0, m.fault(Unsupported, 0, "%s: a wide character beyond ASCII is not supported", c.name)
	}
	return c.arg(0), m.lib.stdio.write(fd, []byte{byte(c.arg(0))})
}

func libBtowc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if x := c.int(0); x >= 0 && x < 128 {
		return ctype.Word(x), nil
	}
	return 0xffffffff, nil
}

func libTow(m *Machine, c *libCall) (ctype.Word, *Fault) {
	w, name := c.arg(0), c.name
	if name == "towctrans" {
		name = map[ctype.Word]string{1: "towlower", 2: "towupper"}[c.arg(1)]
	}
	switch x := int64(uint32(w)); {
	case name == "towlower" && between(x, 'A', 'Z'):
		return w + 32, nil
	case name == "towupper" && between(x, 'a', 'z'):
		return w - 32, nil
	}
	return w, nil
}

func libWctrans(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(0))
	return map[string]ctype.Word{"tolower": 1, "toupper": 2}[s], f
}

// libWctype returns a number for each class.
func libWctype(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(0))
	for i, k := range ctypeBits {
		if k.name == "is"+s {
			return ctype.Word(i + 1), f
		}
	}
	return 0, f
}

func libIswctype(m *Machine, c *libCall) (ctype.Word, *Fault) {
	i, x := int(c.long(1))-1, int64(uint32(c.arg(0)))
	return b2w(i >= 0 && i < len(ctypeBits) && x < 128 && ctypeFuncs[ctypeBits[i].name](x)), nil
}
