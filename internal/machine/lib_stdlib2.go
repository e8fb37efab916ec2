package machine

import (
	"math"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/machine/random"
)

// This file is the less common half of stdlib.h, and ctype.h's tables as glibc's
// headers use them.

func init() {
	register(map[string]builtin{
		"strtold": libStrtold, "__strtold_internal": libStrtold, "strtoq": libStrtol, "strtouq": libStrtol,
		"__isoc23_strtol": libStrtol, "__isoc23_strtoll": libStrtol, "__isoc23_strtoul": libStrtol, "__isoc23_strtoull": libStrtol,
		"imaxabs": libAbs, "imaxdiv": libDiv, "quick_exit": libQuickExit, "at_quick_exit": libAtQuickExit, "on_exit": libOnExit, "__cxa_atexit": libAtexit,
		"drand48": libRand48, "lrand48": libRand48, "mrand48": libRand48, "erand48": libRand48, "nrand48": libRand48, "jrand48": libRand48,
		"srand48": libSrand48, "seed48": libSrand48, "__ctype_b_loc": libCtypeTable, "__ctype_tolower_loc": libCtypeTable, "__ctype_toupper_loc": libCtypeTable,
		"__ctype_get_mb_cur_max": func(m *Machine, c *libCall) (ctype.Word, *Fault) { return 1, nil },
		"getuid":                 constant(1000), "geteuid": constant(1000), "getgid": constant(1000), "getegid": constant(1000),
		"alarm": constant(0), "getpagesize": constant(4096), "umask": constant(0o22),
		"a64l": libA64l, "mblen": libMblen, "mbtowc": libMbtowc, "wctomb": libWctomb, "mbstowcs": libMbstowcs, "wcstombs": libWcstombs,
	})
}

func constant(w ctype.Word) builtin {
	return func(m *Machine, c *libCall) (ctype.Word, *Fault) { return w, nil }
}

// libStrtold stores its result, a long double, where its first argument points.
func libStrtold(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.textUntil(c.arg(1), numberEnds(false, floating))
	if f != nil {
		return 0, f
	}
	x := splitFloat(s)
	if c.arg(2) != 0 {
		if f := m.store(c.arg(2), ctype.VoidPtrT, c.arg(1)+ctype.Word(x.end)); f != nil {
			return 0, f
		}
	}
	var v ctype.Ext
	outside := false
	if x.end > 0 {
		v, outside = x.extended()
	}
	if outside {
		m.set(34)
	}
	return c.arg(0), m.putBytes(c.arg(0), extBytes(v))
}

func libQuickExit(m *Machine, c *libCall) (ctype.Word, *Fault) {
	m.lib.stdio.forget()
	m.atexit = m.lib.quick
	return libExit(m, c)
}

func libAtQuickExit(m *Machine, c *libCall) (ctype.Word, *Fault) {
	m.lib.quick = append(m.lib.quick[:len(m.lib.quick):len(m.lib.quick)], c.arg(0))
	return 0, nil
}

func libOnExit(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return 0, m.fault(Unsupported, 0, "library function on_exit is not supported")
}

func libRand48(m *Machine, c *libCall) (ctype.Word, *Fault) {
	x := m.lib.generators.rand48
	own := c.name[0] == 'e' || c.name[0] == 'n' || c.name[0] == 'j'
	if own {
		b, f := m.bytes(c.arg(0), 6, true)
		if f != nil {
			return 0, f
		}
		x = 0
		for i := 5; i >= 0; i-- {
			x = x<<8 | uint64(b[i])
		}
	}
	x = random.Next48(x)
	if own {
		b := make([]byte, 6)
		for i := range b {
			b[i] = byte(x >> (8 * i))
		}
		if f := m.putBytes(c.arg(0), b); f != nil {
			return 0, f
		}
	} else {
		m.lib.generators.rand48 = x
	}
	switch c.name[0] {
	case 'd', 'e':
		return math.Float64bits(float64(x) / (1 << 48)), nil
	case 'l', 'n':
		return ctype.Word(x >> 17), nil
	}
	return ctype.Word(int64(int32(x >> 16))), nil
}

func libSrand48(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.name == "seed48" {
		return 0, m.fault(Unsupported, 0, "library function seed48 is not supported")
	}
	m.lib.generators.rand48 = uint64(uint32(c.arg(0)))<<16 | 0x330e
	return 0, nil
}

// The bits of glibc's table of characters.
var ctypeBits = []struct {
	name string
	bit  uint
}{{"isupper", 8}, {"islower", 9}, {"isalpha", 10}, {"isdigit", 11}, {"isxdigit", 12}, {"isspace", 13}, {"isprint", 14}, {"isgraph", 15},
	{"isblank", 0}, {"iscntrl", 1}, {"ispunct", 2}, {"isalnum", 3}}

// libCtypeTable returns a pointer to a pointer into the middle of a table: it has
// entries from -128 on.
func libCtypeTable(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if p := m.lib.tables[c.name]; p != 0 {
		return p, nil
	}
	size := int64(4)
	if c.name == "__ctype_b_loc" {
		size = 2
	}
	b := m.newBlock(Global, 384*size)
	b.Name = "the table of characters"
	for x := int64(-128); x < 256; x++ {
		v := ctype.Word(x)
		switch {
		case size == 2:
			v = 0
			for _, k := range ctypeBits {
				if x >= 0 && ctypeFuncs[k.name](x) {
					v |= 1 << k.bit
				}
			}
		case x < -1:
			v = ctype.Word(x + 256)
		case strings.Contains(c.name, "lower") && between(x, 'A', 'Z'):
			v += 32
		case strings.Contains(c.name, "upper") && between(x, 'a', 'z'):
			v -= 32
		}
		ctype.Store(&ctype.Type{Kind: ctype.Int, Size: size}, b.Data[(x+128)*size:], v)
	}
	b.ReadOnly = true
	p := m.newBlock(Global, 8)
	p.Name = "a pointer to the table of characters"
	ctype.Store(ctype.ULongT, p.Data, ctype.MakePointer(b.ID, int32(128*size)))
	return m.lib.keep(c.name, ctype.MakePointer(p.ID, 0)), nil
}

func libA64l(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.prefix(c.arg(0), 6)
	const digits = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	v := uint32(0)
	for i := range len(s) {
		k := strings.IndexByte(digits, s[i])
		if k < 0 {
			break
		}
		v |= uint32(k) << (6 * i)
	}
	return ctype.Word(int64(int32(v))), f
}

// Multibyte characters of the locale "C" are bytes.

const illegal = 84 // EILSEQ

func libMblen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	c.args = []ctype.Word{0, c.arg(0), c.arg(1)}
	return libMbtowc(m, c)
}

func libMbtowc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.arg(1) == 0 {
		return 0, nil
	}
	if c.arg(2) == 0 {
		return ^ctype.Word(0), nil
	}
	w, f := m.load(c.arg(1), ctype.UCharT)
	if f != nil {
		return 0, f
	}
	if w > 127 {
		m.set(illegal)
		return ^ctype.Word(0), nil
	}
	if c.arg(0) != 0 {
		if f := m.store(c.arg(0), ctype.IntT, w); f != nil {
			return 0, f
		}
	}
	return b2w(w != 0), nil
}

func libWctomb(m *Machine, c *libCall) (ctype.Word, *Fault) {
	switch {
	case c.arg(0) == 0:
		return 0, nil
	case uint32(c.arg(1)) > 127:
		m.set(illegal)
		return ^ctype.Word(0), nil
	}
	return 1, m.putBytes(c.arg(0), []byte{byte(c.arg(1))})
}

func libMbstowcs(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	for i := range len(s) + 1 {
		if c.arg(0) != 0 && ctype.Word(i) >= c.arg(2) {
			return c.arg(2), nil
		}
		u := ctype.Word(0)
		if i < len(s) {
			u = ctype.Word(s[i])
		}
		if u > 127 {
			m.set(illegal)
			return ^ctype.Word(0), nil
		}
		if c.arg(0) != 0 {
			if f := m.store(c.arg(0)+ctype.Word(4*i), ctype.IntT, u); f != nil {
				return 0, f
			}
		}
	}
	return ctype.Word(len(s)), nil
}

func libWcstombs(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.wide(c.arg(1))
	if f != nil {
		return 0, f
	}
	var out []byte
	for _, u := range s {
		if u > 127 {
			m.set(illegal)
			return ^ctype.Word(0), nil
		}
		out = append(out, byte(u))
	}
	n := ctype.Word(len(out))
	if c.arg(0) == 0 {
		return n, nil
	}
	if out = append(out, 0); ctype.Word(len(out)) > c.arg(2) {
		out = out[:c.arg(2)]
		n = c.arg(2)
	}
	return n, m.putBytes(c.arg(0), out)
}
