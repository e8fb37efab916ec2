package mine

import (
	"strings"
	"unicode/utf8"
)

// This file takes C text apart into tokens. It is asked for the text of every edit of a program, some ten thousand times a
// correction: it takes one pass and makes no strings.

// token is a word, a literal or a sign; a brace that the text does not have is empty in it.
type token struct {
	text       string
	start, end int
}

// scan appends the tokens of a text, without comments, to a list. A backslash outside literals is none: it
// joins lines.
func scan(out []token, text string) []token {
	for at := 0; at < len(text); {
		if c := text[at]; c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\\' {
			at++
			continue
		}
		if n := comment(text[at:]); n > 0 {
			at += n
			continue
		}
		n := length(text[at:])
		out = append(out, token{text[at : at+n], at, at + n})
		at += n
	}
	return out
}

// comment is how long the comment is that a text begins with; 0: it begins with none that ends.
func comment(s string) int {
	switch {
	case strings.HasPrefix(s, "//"):
		if n := strings.IndexByte(s, '\n'); n >= 0 {
			return n
		}
		return len(s)
	case strings.HasPrefix(s, "/*"):
		if n := strings.Index(s[2:], "*/"); n >= 0 {
			return n + 4
		}
	}
	return 0
}

// length is how long the token is that a text begins with.
func length(s string) int {
	switch c := s[0]; {
	case c == '"' || c == '\'':
		if n := literal(s); n > 0 {
			return n
		}
	case word(c) && !digit(c):
		n := 1
		for n < len(s) && word(s[n]) {
			n++
		}
		return n
	case digit(c) || c == '.' && len(s) > 1 && digit(s[1]):
		return number(s)
	case c >= utf8.RuneSelf:
		_, n := utf8.DecodeRuneInString(s)
		return n
	}
	return sign(s)
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func word(c byte) bool { return c == '_' || digit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }

// literal is how long a literal is, in the quotes that it begins with; 0: its line ends before it does.
func literal(s string) int {
	for n := 1; n < len(s) && s[n] != '\n'; n++ {
		switch s[n] {
		case s[0]:
			return n + 1
		case '\\':
			if n++; n < len(s) && s[n] == '\n' {
				return 0
			}
		}
	}
	return 0
}

// number is how long a number is, as the preprocessor reads one.
func number(s string) int {
	n := 1
	for n < len(s) {
		switch c := s[n]; {
		case c == '+' || c == '-':
			if before := s[n-1] | 0x20; before != 'e' && before != 'p' {
				return n
			}
		case c != '.' && !word(c):
			return n
		}
		n++
	}
	return n
}

// signs of more than one character, the longest first.
var signs = [256][]string{
	'<': {"<<=", "<<", "<="}, '>': {">>=", ">>", ">="}, '.': {"..."}, '-': {"->", "--", "-="}, '+': {"++", "+="}, '=': {"=="}, '!': {"!="},
	'&': {"&&", "&="}, '|': {"||", "|="}, '*': {"*="}, '/': {"/="}, '%': {"%="}, '^': {"^="}, '#': {"##"},
}

// sign is how long a sign is.
func sign(s string) int {
	for _, x := range signs[s[0]] {
		if strings.HasPrefix(s, x) {
			return len(x)
		}
	}
	return 1
}
