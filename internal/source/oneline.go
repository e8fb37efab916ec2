package source

import "strings"

// OneLine returns code on one line: each run of white space becomes one blank. The text of string and character
// literals is kept.
func OneLine(code string) string {
	return spaced(code, func(byte, byte) bool { return true })
}

// Squeeze returns code with white space only where two tokens would otherwise be one, and inside of string and character
// literals. So two texts of C that differ in layout are equal, and two that print different blanks are not.
func Squeeze(code string) string {
	return spaced(code, func(before, after byte) bool {
		return word(before) && word(after) || before == after && strings.IndexByte("+-&|<>=", after) >= 0 || before == '/' && after == '*'
	})
}

// word reports whether a byte can be part of a name or number.
func word(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// spaced writes code without its white space outside of literals, but for one blank between two bytes for which keep says so.
func spaced(code string, keep func(before, after byte) bool) string {
	var b strings.Builder
	quote, last := byte(0), byte(0)
	blank := false
	for i := 0; i < len(code); i++ {
		c := code[i]
		if c == '\n' { // what is not closed ends with its line
			quote = 0
		}
		if quote == 0 && strings.IndexByte(" \t\r\n\f\v", c) >= 0 {
			blank = true
			continue
		}
		if blank && b.Len() > 0 && keep(last, c) {
			b.WriteByte(' ')
		}
		blank, last = false, c
		b.WriteByte(c)
		switch {
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote != 0 && c == '\\' && i+1 < len(code):
			i++
			b.WriteByte(code[i])
		case c == quote:
			quote = 0
		}
	}
	return b.String()
}
