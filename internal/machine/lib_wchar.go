package machine

import (
	"gulo/internal/ctype"
)

// This file is wide strings: those of wchar.h that need no locale.

func init() {
	register(map[string]builtin{
		"wcslen": libWcslen, "wcscpy": libWcscpy, "wcscat": libWcscpy, "wcscmp": libWcscmp, "wcschr": libWcschr,
	})
}

func libWcslen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.wide(c.arg(0))
	return ctype.Word(len(s)), f
}

func libWcscpy(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.wide(c.arg(1))
	if f != nil {
		return 0, f
	}
	to := c.arg(0)
	if c.name == "wcscat" {
		old, f := m.wide(to)
		if f != nil {
			return 0, f
		}
		to += ctype.Word(4 * len(old))
	}
	for _, u := range append(s, 0) {
		if f := m.store(to, ctype.UIntT, ctype.Word(u)); f != nil {
			return 0, f
		}
		to += 4
	}
	return c.arg(0), nil
}

func libWcscmp(m *Machine, c *libCall) (ctype.Word, *Fault) {
	for i := ctype.Word(0); ; i += 4 {
		a, f := m.load(c.arg(0)+i, ctype.IntT)
		if f != nil {
			return 0, f
		}
		b, f := m.load(c.arg(1)+i, ctype.IntT)
		if f != nil {
			return 0, f
		}
		switch {
		case int64(a) < int64(b):
			return ^ctype.Word(0), nil
		case int64(a) > int64(b):
			return 1, nil
		case a == 0:
			return 0, nil
		}
	}
}

func libWcschr(m *Machine, c *libCall) (ctype.Word, *Fault) {
	for p := c.arg(0); ; p += 4 {
		w, f := m.load(p, ctype.UIntT)
		switch {
		case f != nil:
			return 0, f
		case uint32(w) == uint32(c.arg(1)):
			return p, nil
		case w == 0:
			return 0, nil
		}
	}
}
