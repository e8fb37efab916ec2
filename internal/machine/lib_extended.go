package machine

import (
	"math/big"
	"strconv"
	"strings"

	"gulo/internal/ctype"
)

// This file is how printf writes a long double.

// extended formats a long double for the verbs f, e, g and a.
func (sp *spec) extended(x ctype.Ext) string {
	sign := sp.sign(x.Signbit())
	if x.IsInf() || x.IsNaN() {
		s := "inf"
		if x.IsNaN() {
			s = "nan"
		}
		if sp.verb < 'a' {
			s = strings.ToUpper(s)
		}
		return sp.pad(sign, s, false)
	}
	verb, prec := sp.verb|0x20, sp.prec
	if prec < 0 && verb != 'a' {
		prec = 6
	}
	v := x.Abs().Big()
	var s string
	switch verb {
	case 'f', 'e':
		s = v.Text(verb, prec)
		if sp.alt && prec == 0 {
			if verb == 'f' {
				s += "."
			} else {
				s = strings.Replace(s, "e", ".e", 1)
			}
		}
	case 'g':
		s = extendedG(v, max(prec, 1), sp.alt)
	case 'a':
		s = hexExtended(x, prec, sp.alt)
	}
	return sp.real(sign, s)
}

func extendedG(v *big.Float, prec int, alt bool) string {
	e := v.Text('e', prec-1)
	i := strings.IndexByte(e, 'e')
	exp, _ := strconv.Atoi(e[i+1:])
	if exp < -4 || exp >= prec {
		return shortest(e[:i], alt) + e[i:]
	}
	return shortest(v.Text('f', prec-1-exp), alt)
}

// hexExtended is %La as glibc has it on x86-64: the first digit is the
// significand's four highest bits.
func hexExtended(x ctype.Ext, prec int, alt bool) string {
	exp, m := x.Bits()
	e := max(exp, 1) - 16383 - 3
	if m == 0 {
		e = 0
	}
	lead, frac := m>>60, m&(1<<60-1)
	digits := strconv.FormatUint(frac|1<<60, 16)[1:]
	switch {
	case prec < 0:
		digits = strings.TrimRight(digits, "0")
	case prec >= 15:
		digits += strings.Repeat("0", prec-15)
	default:
		drop := uint(4 * (15 - prec))
		half, rest := uint64(1)<<(drop-1), m&(1<<drop-1)
		kept := m >> drop
		if rest > half || rest == half && kept&1 == 1 {
			kept++
		}
		if kept == 0 && m != 0 { // a carry out of the highest digit
			lead, digits, e = 1, strings.Repeat("0", prec), e+4
			break
		}
		lead = kept >> (4 * prec)
		digits = ""
		if prec > 0 {
			digits = strconv.FormatUint(kept&(1<<(4*prec)-1)|1<<(4*prec), 16)[1:]
		}
	}
	s := "0x" + strconv.FormatUint(lead, 16)
	if lead == 16 { // as a carry shows in glibc
		s = "0x1"
		e += 4
	}
	if digits != "" || alt {
		s += "." + digits
	}
	if e >= 0 {
		return s + "p+" + strconv.Itoa(e)
	}
	return s + "p" + strconv.Itoa(e)
}
