package textedit

import (
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file reads C as text: its tokens, its lines, the ends of its statements.

var tokenOf = regexp.MustCompile(`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|[0-9][\w.]*|<<=|>>=|->|\+\+|--|<<|>>|[<>=!]=|&&|\|\||[-+*/%&|^]=|\S`)

// lexeme is a token of C in a text.
type lexeme struct {
	text       string
	start, end int
}

func lexemes(t string) []lexeme {
	var out []lexeme
	for _, x := range tokenOf.FindAllStringIndex(t, -1) {
		out = append(out, lexeme{t[x[0]:x[1]], x[0], x[1]})
	}
	return out
}

// Token returns the length of the name, literal or single character that a text begins with.
func Token(s string) int {
	switch c := s[0]; {
	case c == '"' || c == '\'':
		n := 1
		for n < len(s) && s[n] != c {
			if s[n] == '\\' {
				n++
			}
			n++
		}
		return min(n+1, len(s))
	case Letter(c):
		n := 1
		for n < len(s) && (Letter(s[n]) || s[n] >= '0' && s[n] <= '9') {
			n++
		}
		return n
	}
	return 1
}

// Letter reports whether a character may begin a name.
func Letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// OneLine removes line breaks and comments from C text, so that it fits on a line of its own. ok is false if the text
// contains a directive, or a literal or comment that does not end.
func OneLine(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\'':
			j := i + 1
			for j < len(s) && s[j] != c {
				if s[j] == '\\' {
					j++
				}
				j++
			}
			if j >= len(s) {
				return "", false
			}
			b.WriteString(s[i : j+1])
			i = j
		case c == '/' && strings.HasPrefix(s[i:], "//"):
			for i < len(s) && s[i] != '\n' {
				i++
			}
			b.WriteByte(' ')
		case c == '/' && strings.HasPrefix(s[i:], "/*"):
			j := strings.Index(s[i+2:], "*/")
			if j < 0 {
				return "", false
			}
			i += j + 3
			b.WriteByte(' ')
		case c == '#':
			return "", false
		case c == '\n' || c == '\r' || c == '\\':
			b.WriteByte(' ')
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// WholeEnd returns the end of a statement with its semicolon.
func WholeEnd(f *source.File, end int) int {
	if end > 0 && (f.Text[end-1] == ';' || f.Text[end-1] == '}') {
		return end
	}
	for i := end; i < len(f.Text); i++ {
		switch f.Text[i] {
		case ' ', '\t', '\n', '\r':
		case ';':
			return i + 1
		default:
			return end
		}
	}
	return end
}

// InMacro reports whether a block comes from the expansion of a macro.
func InMacro(b *cfront.Block) bool { return !strings.HasPrefix(b.Range().Text(), "{") }

// ofMacro reports whether an expression is the whole expansion of a macro, so that the macro's use stands for it as
// text: ROOM, or SQUARE(x). The text put around it compiles whatever the macro expands to.
func ofMacro(x cfront.Expr) bool {
	r := x.Range()
	if !r.Valid() {
		return false
	}
	name, args, call := strings.Cut(r.Text(), "(")
	return constantName.MatchString(strings.TrimSpace(name)) && (!call || strings.HasSuffix(args, ")") && balanced(args[:len(args)-1]))
}
