package mine

import (
	"strings"
	"unicode/utf8"
)

// This file splits C text into tokens. It is called for the text of every edit of a program, some ten thousand times
// for each correction. Therefore it makes one pass and copies no strings.

// token is a word, a literal or a sign. A brace that is not in the text has an empty range.
type token struct {
	text       string
	start, end int
}

// scan appends the tokens of a text to a list, without comments. A backslash outside literals is skipped: it joins
// lines.
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

// comment returns the length of the comment at the beginning of a text; 0 if there is none that ends.
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

// length returns the length of the token at the beginning of a text.
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

// literal returns the length of a literal that begins with a quote; 0 if it does not end on its line.
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

// number returns the length of a number in the sense of the preprocessor.
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

// signs are the signs of more than one character, by their first, the longest first.
var signs = [256][]string{
	'<': {"<<=", "<<", "<="}, '>': {">>=", ">>", ">="}, '.': {"..."}, '-': {"->", "--", "-="}, '+': {"++", "+="}, '=': {"=="}, '!': {"!="},
	'&': {"&&", "&="}, '|': {"||", "|="}, '*': {"*="}, '/': {"/="}, '%': {"%="}, '^': {"^="}, '#': {"##"},
}

// sign returns the length of a sign.
func sign(s string) int {
	for _, x := range signs[s[0]] {
		if strings.HasPrefix(s, x) {
			return len(x)
		}
	}
	return 1
}
