package machine

import (
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/machine/posixre"
)

// This file is regex.h, for which package posixre compiles expressions.

func init() {
	register(map[string]builtin{"regcomp": libRegcomp, "regexec": libRegexec, "regfree": libRegfree, "regerror": libRegerror})
}

// Flags of regcomp and regexec, and their results.
const (
	regNotBOL, regNotEOL = 1, 2
	regNoMatch           = 1
	regexSize, regexNsub = 64, 48
)

var regexErrors = []string{"Success", "No match", "Invalid regular expression", "Invalid collation character", "Invalid character class name", "Trailing backslash",
	"Invalid back reference", "Unmatched [, [^, [:, [., or [=", "Unmatched ( or \\(", "Unmatched \\{", "Invalid content of \\{\\}", "Invalid range end",
	"Memory exhausted", "Invalid preceding regular expression", "Premature end of regular expression", "Regular expression too big", "Unmatched ) or \\)"}

// compileRegex compiles an expression; one that is wrong has an Errno.
func compileRegex(m *Machine, c *libCall, text string, flags int64) (*posixre.Expression, *Fault) {
	x := posixre.Compile(text, flags)
	switch {
	case x.Refused != "":
		return nil, m.fault(Unsupported, 0, "%s of an expression with %s is not supported", c.name, x.Refused)
	case x.Unknown != "":
		return nil, m.fault(Unsupported, 0, "%s of this expression is not supported: %s", c.name, x.Unknown)
	}
	return x, nil
}

// libRegcomp keeps the text and the flags: regex_t has the address of the text at 0, the flags at 8 and the number of
// groups at 48.
func libRegcomp(m *Machine, c *libCall) (ctype.Word, *Fault) {
	text, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	x, f := compileRegex(m, c, text, c.int(2))
	if f != nil {
		return 0, f
	}
	b := make([]byte, regexSize)
	if x.Errno == 0 {
		ctype.Store(ctype.VoidPtrT, b, m.lib.text("what regcomp has made", text))
		ctype.Store(ctype.ULongT, b[8:], ctype.Word(c.int(2)))
		ctype.Store(ctype.ULongT, b[regexNsub:], ctype.Word(x.Groups))
	}
	if f = m.putBytes(c.arg(0), b); f != nil {
		return 0, f
	}
	return ctype.Word(x.Errno), nil
}

// compiledRegex returns the expression of a regex_t.
func compiledRegex(m *Machine, c *libCall) (text string, flags int64, f *Fault) {
	p, f := m.load(c.arg(0), ctype.VoidPtrT)
	if f != nil {
		return "", 0, f
	}
	if b, off := m.Find(p); b == nil || off != 0 || b.Freed || b.Name != "what regcomp has made" {
		return "", 0, m.fault(BadLibraryCall, c.arg(0), "%s with what regcomp has not made", c.name)
	}
	w, f := m.load(c.arg(0)+8, ctype.ULongT)
	if f != nil {
		return "", 0, f
	}
	text, f = m.cstring(p)
	return text, int64(w), f
}

func libRegexec(m *Machine, c *libCall) (ctype.Word, *Fault) {
	pattern, flags, f := compiledRegex(m, c)
	if f != nil {
		return 0, f
	}
	x, f := compileRegex(m, c, pattern, flags)
	if f != nil {
		return 0, f
	}
	if c.int(4)&^(regNotBOL|regNotEOL) != 0 {
		return 0, m.fault(Unsupported, 0, "regexec with REG_STARTEND is not supported")
	}
	if c.int(4) != 0 && strings.ContainsAny(pattern, "^$") {
		return 0, m.fault(Unsupported, 0, "regexec with REG_NOTBOL or REG_NOTEOL of an expression with ^ or $ is not supported")
	}
	text, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	for i := range len(text) {
		if text[i] >= 0x80 {
			return 0, m.fault(Unsupported, 0, "regexec of a text that is not of ASCII is not supported")
		}
	}
	at := x.FindStringSubmatchIndex(text)
	if at == nil {
		return regNoMatch, nil
	}
	if flags&posixre.NoSub != 0 {
		return 0, nil
	}
	for i := range c.long(2) {
		from, to := -1, -1
		if int(2*i)+1 < len(at) {
			from, to = at[2*i], at[2*i+1]
		}
		b := make([]byte, 8)
		ctype.Store(ctype.IntT, b, ctype.Word(uint32(from)))
		ctype.Store(ctype.IntT, b[4:], ctype.Word(uint32(to)))
		if f = m.putBytes(c.arg(3)+ctype.Word(8*i), b); f != nil {
			return 0, f
		}
	}
	return 0, nil
}

func libRegfree(m *Machine, c *libCall) (ctype.Word, *Fault) {
	p, f := m.load(c.arg(0), ctype.VoidPtrT)
	if f != nil {
		return 0, f
	}
	if b, _ := m.Find(p); p != 0 && b != nil {
		m.fill(b, nil)
	}
	return 0, m.store(c.arg(0), ctype.VoidPtrT, 0)
}

func libRegerror(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.int(0)
	if n < 0 || n >= int64(len(regexErrors)) {
		return 0, m.fault(BadLibraryCall, 0, "regerror of %d, which is no error of regcomp or regexec", n)
	}
	s := regexErrors[n]
	if size := c.long(3); size > 0 {
		if f := m.putString(c.arg(2), s[:min(int64(len(s)), size-1)]); f != nil {
			return 0, f
		}
	}
	return ctype.Word(len(s) + 1), nil
}
