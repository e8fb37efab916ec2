package machine

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"

	"gulo/internal/ctype"
)

// This file turns reals into text and back where glibc does it otherwise than
// package strconv: %a, strtod and its errors. glibc rounds to nearest, ties to
// even, in the type that is asked for.

// hexFloat formats a real that is not negative as %a does, with prec digits; -1
// for as many as it takes. The first digit is that of the number's own
// representation, so a carry makes it 2 and a subnormal number has 0.
func hexFloat(v float64, prec int, alt bool) string {
	bits := math.Float64bits(v)
	exp, frac := int(bits>>52&0x7ff)-1023, bits&(1<<52-1)
	lead := uint64(1)
	if exp == -1023 {
		lead, exp = 0, -1022
		if frac == 0 {
			exp = 0
		}
	}
	m := lead<<52 | frac
	digits := ""
	if prec >= 0 && prec < 13 {
		drop := uint(4 * (13 - prec))
		half, rest := uint64(1)<<(drop-1), m&(1<<drop-1)
		m >>= drop
		if rest > half || rest == half && m&1 == 1 {
			m++
		}
		if prec > 0 {
			digits = strconv.FormatUint(m&(1<<(4*prec)-1)|1<<(4*prec), 16)[1:]
		}
		lead = m >> (4 * prec)
	} else {
		digits = strconv.FormatUint(frac|1<<52, 16)[1:]
		if prec < 0 {
			digits = strings.TrimRight(digits, "0")
		} else {
			digits += strings.Repeat("0", prec-13)
		}
	}
	s := "0x" + strconv.FormatUint(lead, 10)
	if digits != "" || alt {
		s += "." + digits
	}
	if exp >= 0 {
		return s + "p+" + strconv.Itoa(exp)
	}
	return s + "p" + strconv.Itoa(exp)
}

// floatText is the prefix of a string that strtod reads.
type floatText struct {
	text   string // without white space and sign, as strconv reads it
	neg    bool
	end    int  // length of the prefix; 0 when there is no number
	digits bool // it is no infinity and no NaN
}

// splitFloat finds the longest prefix that is a floating constant.
func splitFloat(s string) (f floatText) {
	i := 0
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		f.neg = s[i] == '-'
		i++
	}
	rest := strings.ToLower(s[i:])
	switch {
	case strings.HasPrefix(rest, "infinity"):
		f.text, f.end = "inf", i+8
	case strings.HasPrefix(rest, "inf"):
		f.text, f.end = "inf", i+3
	case strings.HasPrefix(rest, "nan"):
		f.text, f.end = "nan", i+3
		if j := 3; j < len(rest) && rest[j] == '(' {
			for j++; j < len(rest) && (rest[j] == '_' || digit(rest[j]) < 36); j++ {
			}
			if j < len(rest) && rest[j] == ')' {
				f.end = i + j + 1
			}
		}
	default:
		n, hex := constantEnd(rest)
		if n == 0 {
			return floatText{}
		}
		f.text, f.end, f.digits = rest[:n], i+n, true
		if hex && !strings.Contains(f.text, "p") {
			f.text += "p0"
		}
	}
	return f
}

// constantEnd returns the length of the floating constant that s, in lower
// case, begins with, and whether it is hexadecimal.
func constantEnd(s string) (n int, hex bool) {
	base, i := 10, 0
	if strings.HasPrefix(s, "0x") && len(s) > 2 && (digit(s[2]) < 16 || s[2] == '.' && len(s) > 3 && digit(s[3]) < 16) {
		base, i, hex = 16, 2, true
	}
	found := false
	for dot := false; i < len(s) && (digit(s[i]) < base || s[i] == '.' && !dot); i++ {
		if s[i] == '.' {
			dot = true
		} else {
			found = true
		}
	}
	if !found {
		return 0, false
	}
	if i < len(s) && s[i] == map[bool]byte{false: 'e', true: 'p'}[hex] {
		j := i + 1
		if j < len(s) && (s[j] == '-' || s[j] == '+') {
			j++
		}
		if j < len(s) && digit(s[j]) < 10 {
			for i = j; i < len(s) && digit(s[i]) < 10; i++ {
			}
		}
	}
	return i, hex
}

// value returns the number in type t, float or double, and whether errno becomes ERANGE.
func (f *floatText) value(t *ctype.Type) (w ctype.Word, outside bool) {
	size := int(8 * t.Size)
	v, err := strconv.ParseFloat(f.text, size)
	var num *strconv.NumError
	if errors.As(err, &num) && errors.Is(num.Err, strconv.ErrSyntax) {
		v = 0
	}
	if f.digits {
		least := 0x1p-1022
		if size == 32 {
			least = 0x1p-126
		}
		outside = math.IsInf(v, 0) || v < least && !f.exactly(v)
	}
	if f.neg {
		v = math.Copysign(v, -1)
	}
	return ctype.OfFloat(t, v), outside
}

// extended returns the number as a long double, and whether errno becomes ERANGE.
func (f *floatText) extended() (x ctype.Ext, outside bool) {
	x, outside, _ = ctype.ParseExt(f.text)
	if f.neg {
		x = x.Neg()
	}
	return x, outside
}

// exactly reports whether a subnormal or zero is the very number that was read.
func (f *floatText) exactly(v float64) bool {
	if v == 0 {
		mantissa, _, _ := strings.Cut(strings.TrimPrefix(f.text, "0x"), map[bool]string{false: "e", true: "p"}[strings.HasPrefix(f.text, "0x")])
		return strings.Trim(mantissa, "0.") == ""
	}
	if len(f.text) > 2000 {
		return false
	}
	r, ok := new(big.Rat).SetString(f.text)
	return ok && r.Cmp(new(big.Rat).SetFloat64(v)) == 0
}

func libStrtod(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.textUntil(c.arg(0), numberEnds(false, floating))
	if f != nil {
		return 0, f
	}
	t := ctype.DoubleT
	if c.name == "strtof" {
		t = ctype.FloatT
	}
	x := splitFloat(s)
	if c.name != "atof" && c.arg(1) != 0 {
		if f := m.store(c.arg(1), ctype.VoidPtrT, c.arg(0)+ctype.Word(x.end)); f != nil {
			return 0, f
		}
	}
	if x.end == 0 {
		return 0, nil
	}
	w, outside := x.value(t)
	if outside {
		_ = m.store(m.lib.errno, ctype.IntT, 34)
	}
	return w, nil
}
