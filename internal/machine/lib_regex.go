package machine

import (
	"regexp"
	"strings"
	"sync"

	"gulo/internal/ctype"
)

// This file is regex.h: the expressions of POSIX are translated into those of package regexp, which then finds the leftmost
// longest match. What that has no equal of is refused.

func init() {
	register(map[string]builtin{"regcomp": libRegcomp, "regexec": libRegexec, "regfree": libRegfree, "regerror": libRegerror})
}

// Flags of regcomp and regexec, and their results.
const (
	regExtended, regIgnoreCase, regNewline, regNoSub = 1, 2, 4, 8
	regNotBOL, regNotEOL, regStartEnd                = 1, 2, 4
	regNoMatch, regBadPattern, regBracket, regParen  = 1, 2, 7, 8
	regBrace, regBadRepeat, regEscape                = 9, 13, 5
	regexSize, regexNsub                             = 64, 48
)

var regexErrors = []string{"Success", "No match", "Invalid regular expression", "Invalid collation character", "Invalid character class name", "Trailing backslash",
	"Invalid back reference", "Unmatched [, [^, [:, [., or [=", "Unmatched ( or \\(", "Unmatched \\{", "Invalid content of \\{\\}", "Invalid range end",
	"Memory exhausted", "Invalid preceding regular expression", "Premature end of regular expression", "Regular expression too big", "Unmatched ) or \\)"}

// regexKey is an expression with its flags.
type regexKey struct {
	text  string
	flags int64
}

var regexes sync.Map // of *regexp.Regexp by regexKey

// translation is an expression of POSIX on its way into one of package regexp.
type translation struct {
	in       string
	extended bool
	newline  bool
	out      strings.Builder
	depth    int
	groups   int
	atom     bool   // something comes before that can be repeated
	errno    int    // why it is no expression; 0 for none
	refused  string // what has no equal
}

// translate returns an expression for package regexp and the number of its groups.
func translate(text string, flags int64) *translation {
	t := &translation{in: text, extended: flags&regExtended != 0, newline: flags&regNewline != 0}
	mode := ""
	if flags&regIgnoreCase != 0 {
		mode += "i"
	}
	if !t.newline {
		mode += "s"
	} else {
		mode += "m"
	}
	t.out.WriteString("(?" + mode + ")")
	for i := 0; i < len(text) && t.errno == 0 && t.refused == ""; {
		i = t.step(i)
	}
	if t.errno == 0 && t.depth > 0 {
		t.errno = regParen
	}
	return t
}

func (t *translation) literal(c byte) {
	if c >= 0x80 {
		t.refused = "a character that is not of ASCII"
	}
	t.out.WriteString(regexp.QuoteMeta(string(rune(c))))
	t.atom = true
}

// step translates what begins at i and returns where the rest begins.
func (t *translation) step(i int) int {
	c := t.in[i]
	op, n := c, 1
	special := strings.IndexByte("\\^$.[*", c) >= 0
	if t.extended {
		special = special || strings.IndexByte("(){}+?|", c) >= 0
	}
	if c == '\\' {
		if i+1 == len(t.in) {
			t.errno = regEscape
			return i + 1
		}
		op, n = t.in[i+1], 2
		switch {
		case op >= '1' && op <= '9':
			t.refused = "a back reference"
			return i + 2
		case strings.IndexByte("wWsSbB", op) >= 0:
			t.out.WriteString(`\` + string(rune(op)))
			t.atom = op != 'b' && op != 'B'
			return i + 2
		case strings.IndexByte("<>`'", op) >= 0:
			t.refused = `the operator \` + string(rune(op))
			return i + 2
		case t.extended || strings.IndexByte("(){}+?|", op) < 0:
			t.literal(op)
			return i + 2
		}
	} else if !special {
		t.literal(c)
		return i + 1
	}
	return t.operator(op, i, i+n)
}

// operator translates an operator at i, behind which the rest begins at next.
func (t *translation) operator(op byte, i, next int) int {
	switch op {
	case '.':
		t.out.WriteByte('.')
		t.atom = true
	case '[':
		return t.bracket(next)
	case '(':
		t.depth++
		t.groups++
		t.out.WriteByte('(')
		t.atom = false
	case ')':
		if t.depth == 0 {
			if t.extended {
				t.literal(')')
			} else {
				t.errno = 16
			}
			break
		}
		t.depth--
		t.out.WriteByte(')')
		t.atom = true
	case '|':
		t.out.WriteByte('|')
		t.atom = false
	case '^':
		if !t.extended && !t.begins(i) {
			t.literal('^')
			break
		}
		t.anchor(`\A`, "^")
	case '$':
		if !t.extended && !t.ends(next) {
			t.literal('$')
			break
		}
		t.anchor(`\z`, "$")
	case '{':
		return t.counted(next)
	case '}':
		t.literal('}')
	default: // * + ?
		if t.atom {
			t.repeat(string(rune(op)))
		} else if t.extended {
			t.errno = regBadRepeat
		} else {
			t.literal(op)
		}
	}
	return next
}

// repeat writes a repetition. One of another is one of a group.
func (t *translation) repeat(op string) {
	s := t.out.String()
	if strings.HasSuffix(s, "*") && !strings.HasSuffix(s, `\*`) || strings.HasSuffix(s, "+") && !strings.HasSuffix(s, `\+`) || strings.HasSuffix(s, "?") && !strings.HasSuffix(s, `\?`) || strings.HasSuffix(s, "}") && !strings.HasSuffix(s, `\}`) {
		t.refused = "a repetition of a repetition"
	}
	t.out.WriteString(op)
}

func (t *translation) anchor(whole, line string) {
	if t.newline {
		whole = line
	}
	t.out.WriteString(whole)
	t.atom = false
}

// begins and ends report whether a basic expression's ^ or $ is an anchor.
func (t *translation) begins(i int) bool {
	return i == 0 || strings.HasSuffix(t.in[:i], `\(`) || strings.HasSuffix(t.in[:i], `\|`) || strings.HasSuffix(t.in[:i], "\n")
}

func (t *translation) ends(next int) bool {
	return next == len(t.in) || strings.HasPrefix(t.in[next:], `\)`) || strings.HasPrefix(t.in[next:], `\|`)
}

// counted translates what is between braces.
func (t *translation) counted(i int) int {
	closing := `\}`
	if t.extended {
		closing = "}"
	}
	n := strings.Index(t.in[i:], closing)
	switch {
	case n < 0:
		t.errno = regBrace
		return len(t.in)
	case !t.atom:
		t.errno = regBadRepeat
		return len(t.in)
	}
	text := t.in[i : i+n]
	if strings.HasPrefix(text, ",") {
		text = "0" + text
	}
	if text == "" || strings.Trim(text, "0123456789,") != "" || strings.Count(text, ",") > 1 {
		t.errno = 10
		return len(t.in)
	}
	t.repeat("{" + text + "}")
	return i + n + len(closing)
}

// bracket translates what begins behind [.
func (t *translation) bracket(i int) int {
	var b strings.Builder
	b.WriteByte('[')
	if i < len(t.in) && t.in[i] == '^' {
		b.WriteByte('^')
		if t.newline {
			b.WriteString(`\n`)
		}
		i++
	}
	for first := true; ; first = false {
		switch {
		case i >= len(t.in):
			t.errno = regBracket
			return i
		case t.in[i] == ']' && !first:
			b.WriteByte(']')
			t.out.WriteString(b.String())
			t.atom = true
			return i + 1
		case strings.HasPrefix(t.in[i:], "[:"):
			end := strings.Index(t.in[i:], ":]")
			if end < 0 {
				t.errno = regBracket
				return len(t.in)
			}
			b.WriteString(t.in[i : i+end+2])
			i += end + 2
			continue
		case strings.HasPrefix(t.in[i:], "[.") || strings.HasPrefix(t.in[i:], "[="), t.in[i] >= 0x80:
			t.refused = "a bracket expression with more than characters of ASCII, ranges and classes"
			return i
		case t.in[i] == '-' && i+1 < len(t.in) && t.in[i+1] != ']' && !first && !strings.HasSuffix(b.String(), ":]"):
			b.WriteByte('-') // of a range
		default:
			b.WriteString(`\x` + sprintf("%02x", t.in[i]))
		}
		i++
	}
}

// regexOf compiles an expression.
func regexOf(m *Machine, c *libCall, text string, flags int64) (*regexp.Regexp, *translation, *Fault) {
	t := translate(text, flags)
	if t.refused != "" {
		return nil, nil, m.fault(Unsupported, 0, "%s of an expression with %s is not supported", c.name, t.refused)
	}
	if t.errno != 0 {
		return nil, t, nil
	}
	key := regexKey{text, flags &^ regNoSub}
	if r, ok := regexes.Load(key); ok {
		return r.(*regexp.Regexp), t, nil
	}
	r, err := regexp.Compile(t.out.String())
	if err != nil {
		what := err.Error()
		switch {
		case strings.Contains(what, "invalid character class range"):
			t.errno = 11
			if strings.Contains(what, "[:") {
				t.errno = 4
			}
			return nil, t, nil
		}
		return nil, nil, m.fault(Unsupported, 0, "%s of this expression is not supported: %s", c.name, what)
	}
	r.Longest()
	regexes.Store(key, r)
	return r, t, nil
}

// libRegcomp keeps the text and the flags: regex_t has the address of the text at 0, the flags at 8 and the number of
// groups at 48.
func libRegcomp(m *Machine, c *libCall) (ctype.Word, *Fault) {
	text, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	_, t, f := regexOf(m, c, text, c.int(2))
	if f != nil {
		return 0, f
	}
	b := make([]byte, regexSize)
	if t.errno == 0 {
		ctype.Store(ctype.VoidPtrT, b, m.lib.text("what regcomp has made", text))
		ctype.Store(ctype.ULongT, b[8:], ctype.Word(c.int(2)))
		ctype.Store(ctype.ULongT, b[regexNsub:], ctype.Word(t.groups))
	}
	if f = m.putBytes(c.arg(0), b); f != nil {
		return 0, f
	}
	return ctype.Word(t.errno), nil
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
	r, _, f := regexOf(m, c, pattern, flags)
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
	at := r.FindStringSubmatchIndex(text)
	if at == nil {
		return regNoMatch, nil
	}
	if flags&regNoSub != 0 {
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
