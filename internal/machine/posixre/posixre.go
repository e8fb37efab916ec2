// Package posixre is the regular expressions of POSIX (regex.h), basic and extended: they are translated into those of
// package regexp, which then finds the leftmost longest match. What that has no equal of is refused: back references,
// repetitions of repetitions, characters that are not of ASCII.
package posixre

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Flags of regcomp.
const Extended, IgnoreCase, Newline, NoSub = 1, 2, 4, 8

// Results of regcomp.
const (
	badClass         = 4
	trailingEscape   = 5
	unmatchedBracket = 7
	unmatchedParen   = 8
	unmatchedBrace   = 9
	badRange         = 11
	badRepeat        = 13
)

// Expression is a compiled expression. The Regexp is nil if one of Errno, Refused and Unknown says why.
type Expression struct {
	*regexp.Regexp
	Groups  int
	Errno   int    // what regcomp returns
	Refused string // what has no equal
	Unknown string // what package regexp says of the translation
}

// key is an expression with its flags.
type key struct {
	text  string
	flags int64
}

var compiled sync.Map // of *regexp.Regexp by key

// Compile compiles an expression; flags are those of regcomp.
func Compile(text string, flags int64) *Expression {
	t := translate(text, flags)
	x := &Expression{Groups: t.groups, Errno: t.errno, Refused: t.refused}
	if t.refused != "" || t.errno != 0 {
		return x
	}
	k := key{text, flags &^ NoSub}
	if r, ok := compiled.Load(k); ok {
		x.Regexp = r.(*regexp.Regexp)
		return x
	}
	r, err := regexp.Compile(t.out.String())
	if err != nil {
		switch what := err.Error(); {
		case !strings.Contains(what, "invalid character class range"):
			x.Unknown = what
		case strings.Contains(what, "[:"):
			x.Errno = badClass
		default:
			x.Errno = badRange
		}
		return x
	}
	r.Longest()
	compiled.Store(k, r)
	x.Regexp = r
	return x
}

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
	t := &translation{in: text, extended: flags&Extended != 0, newline: flags&Newline != 0}
	mode := ""
	if flags&IgnoreCase != 0 {
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
		t.errno = unmatchedParen
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
			t.errno = trailingEscape
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
			t.errno = badRepeat
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
		t.errno = unmatchedBrace
		return len(t.in)
	case !t.atom:
		t.errno = badRepeat
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
			t.errno = unmatchedBracket
			return i
		case t.in[i] == ']' && !first:
			b.WriteByte(']')
			t.out.WriteString(b.String())
			t.atom = true
			return i + 1
		case strings.HasPrefix(t.in[i:], "[:"):
			end := strings.Index(t.in[i:], ":]")
			if end < 0 {
				t.errno = unmatchedBracket
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
			b.WriteString(`\x` + fmt.Sprintf("%02x", t.in[i]))
		}
		i++
	}
}
