package machine

import (
	"bytes"
	"slices"
	"strings"

	"gulo/internal/ctype"
)

// This file is the parts of string.h and strings.h that are not in the standard,
// and some that programs rarely call.

func init() {
	register(map[string]builtin{
		"mempcpy": libMempcpy, "__mempcpy": libMempcpy, "memccpy": libMemccpy, "memrchr": libMemrchr, "rawmemchr": libRawmemchr, "__rawmemchr": libRawmemchr,
		"memmem": libMemmem, "strchrnul": libStrchrnul, "strsep": libStrsep, "__strsep": libStrsep, "stpncpy": libStpncpy, "strcasestr": libStrcasestr,
		"strxfrm": libStrxfrm, "strerror_r": libStrerrorR, "__xpg_strerror_r": libStrerrorR, "strsignal": libStrsignal, "strverscmp": libStrverscmp,
		"basename": libBasename, "bcopy": libBcopy, "bzero": libBzero, "explicit_bzero": libBzero, "bcmp": libMemcmp, "index": libStrchr, "rindex": libStrchr,
		"swab": libSwab, "__strtok_r": libStrtok, "__stpcpy": libStrcpy, "__strdup": libStrdup, "__strndup": libStrdup, "strcoll_l": libStrcmp,
		"toascii": func(m *Machine, c *libCall) (ctype.Word, *Fault) { return c.arg(0) & 0x7f, nil },
		"strlcpy": libStrlcpy, "strlcat": libStrlcpy,
	})
}

func libMempcpy(m *Machine, c *libCall) (ctype.Word, *Fault) {
	w, f := libMemcpy(m, c)
	return w + c.arg(2), f
}

func libMemccpy(m *Machine, c *libCall) (ctype.Word, *Fault) {
	for i := ctype.Word(0); i < c.arg(3); i++ {
		w, f := m.load(c.arg(1)+i, ctype.UCharT)
		if f != nil {
			return 0, f
		}
		if f := m.store(c.arg(0)+i, ctype.UCharT, w); f != nil {
			return 0, f
		}
		if w == c.arg(2)&0xff {
			return c.arg(0) + i + 1, nil
		}
	}
	return 0, nil
}

func libMemrchr(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b, f := m.bytes(c.arg(0), c.long(2), true)
	if i := bytes.LastIndexByte(b, byte(c.arg(1))); f == nil && i >= 0 {
		return c.arg(0) + ctype.Word(i), nil
	}
	return 0, f
}

func libRawmemchr(m *Machine, c *libCall) (ctype.Word, *Fault) {
	for p := c.arg(0); ; p++ {
		w, f := m.load(p, ctype.UCharT)
		if f != nil || w == c.arg(1)&0xff {
			return p, f
		}
	}
}

func libMemmem(m *Machine, c *libCall) (ctype.Word, *Fault) {
	a, f := m.bytes(c.arg(0), c.long(1), true)
	if f != nil {
		return 0, f
	}
	b, f := m.bytes(c.arg(2), c.long(3), true)
	if i := bytes.Index(a, b); f == nil && i >= 0 {
		return c.arg(0) + ctype.Word(i), nil
	}
	return 0, f
}

func libStrchrnul(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.textUntil(c.arg(0), func(b byte) bool { return b == byte(c.arg(1)) })
	return c.arg(0) + ctype.Word(len(s)), f
}

func libStrsep(m *Machine, c *libCall) (ctype.Word, *Fault) {
	p, f := m.load(c.arg(0), ctype.VoidPtrT)
	if f != nil || p == 0 {
		return 0, f
	}
	s, f := m.cstring(p)
	if f != nil {
		return 0, f
	}
	set, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	next := ctype.Word(0)
	if i := slices.IndexFunc([]byte(s), func(b byte) bool { return strings.IndexByte(set, b) >= 0 }); i >= 0 {
		next = p + ctype.Word(i) + 1
		if f := m.putBytes(next-1, []byte{0}); f != nil {
			return 0, f
		}
	}
	return p, m.store(c.arg(0), ctype.VoidPtrT, next)
}

func libStpncpy(m *Machine, c *libCall) (ctype.Word, *Fault) {
	w, f := libStrncpy(m, c)
	if f != nil {
		return 0, f
	}
	s, f := m.prefix(w, c.long(2))
	return w + ctype.Word(len(s)), f
}

func libStrcasestr(m *Machine, c *libCall) (ctype.Word, *Fault) {
	a, b, f := twoTexts(m, c)
	if i := strings.Index(asciiLower(a), asciiLower(b)); f == nil && i >= 0 {
		return c.arg(0) + ctype.Word(i), nil
	}
	return 0, f
}

func asciiLower(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = lowerCase(b[i])
	}
	return string(b)
}

func libStrxfrm(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(1))
	if f != nil || ctype.Word(len(s)) >= c.arg(2) {
		return ctype.Word(len(s)), f
	}
	return ctype.Word(len(s)), m.putString(c.arg(0), s)
}

// libStrerrorR is strerror_r: GNU's returns the text, the standard's 0.
func libStrerrorR(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := errorText(c.int(0))
	if c.name == "strerror_r" && c.info.Type != nil && c.info.Type.Result.Kind == ctype.Pointer {
		return m.lib.text("what strerror_r returns", s), nil
	}
	if c.long(2) <= int64(len(s)) {
		return 34, nil
	}
	return 0, m.putString(c.arg(1), s)
}

func libStrsignal(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, ok := signalTexts[c.int(0)]
	if !ok {
		s = sprintf("Unknown signal %d", c.int(0))
	}
	return m.lib.text("what strsignal returns", s), nil
}

var signalTexts = map[int64]string{1: "Hangup", 2: "Interrupt", 3: "Quit", 4: "Illegal instruction", 5: "Trace/breakpoint trap", 6: "Aborted", 7: "Bus error",
	8: "Floating point exception", 9: "Killed", 10: "User defined signal 1", 11: "Segmentation fault", 12: "User defined signal 2", 13: "Broken pipe",
	14: "Alarm clock", 15: "Terminated", 17: "Child exited", 18: "Continued", 19: "Stopped (signal)", 20: "Stopped"}

// libStrverscmp compares as versions: digits as numbers, and with leading zeros as
// fractions.
func libStrverscmp(m *Machine, c *libCall) (ctype.Word, *Fault) {
	a, b, f := twoTexts(m, c)
	if f != nil || a == b {
		return 0, f
	}
	isDigit := func(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	start := i
	for start > 0 && isDigit(a, start-1) {
		start--
	}
	at := func(s string) int {
		if i < len(s) {
			return int(s[i])
		}
		return 0
	}
	plain := ctype.Word(int64(at(a) - at(b)))
	if start == i && !(isDigit(a, i) && isDigit(b, i)) || !isDigit(a, i) && !isDigit(b, i) {
		return plain, nil
	}
	// A run that begins with zeros is a fraction: shorter is greater, digit by digit.
	zeros := start
	for zeros < i && a[zeros] == '0' {
		zeros++
	}
	if start < i && zeros == i || start < i && a[start] == '0' || start == i && (a[i] == '0' || b[i] == '0') {
		if start < i && zeros == i && (isDigit(a, i) != isDigit(b, i)) {
			if isDigit(a, i) {
				return ^ctype.Word(0), nil
			}
			return 1, nil
		}
		return plain, nil
	}
	n, k := i, i
	for isDigit(a, n) {
		n++
	}
	for isDigit(b, k) {
		k++
	}
	switch {
	case n > k:
		return 1, nil
	case n < k:
		return ^ctype.Word(0), nil
	}
	return plain, nil
}

func libBasename(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(0))
	return c.arg(0) + ctype.Word(strings.LastIndexByte(s, '/')+1), f
}

func libBcopy(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return 0, m.copyBytes(c.arg(1), c.arg(0), c.long(2))
}

func libBzero(m *Machine, c *libCall) (ctype.Word, *Fault) {
	c.args = []ctype.Word{c.arg(0), 0, c.arg(1)}
	return libMemset(m, c)
}

func libSwab(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b, f := m.bytes(c.arg(0), c.long(2)&^1, true)
	if f != nil {
		return 0, f
	}
	out := make([]byte, len(b))
	for i := 0; i+1 < len(b); i += 2 {
		out[i], out[i+1] = b[i+1], b[i]
	}
	return 0, m.putBytes(c.arg(1), out)
}

// libStrlcpy is strlcpy and strlcat of the BSDs.
func libStrlcpy(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	at, size := ctype.Word(0), c.arg(2)
	if c.name == "strlcat" {
		d, f := m.prefix(c.arg(0), int64(size))
		if f != nil {
			return 0, f
		}
		at = ctype.Word(len(d))
	}
	n := at + ctype.Word(len(s))
	if at < size {
		f = m.putString(c.arg(0)+at, s[:min(ctype.Word(len(s)), size-at-1)])
	}
	return n, f
}
