package source

import "strings"

// OneLine returns code on one line: each run of white space becomes one blank. The text of string and character
// literals is kept.
func OneLine(code string) string {
	var b strings.Builder
	quote := byte(0)
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
		if blank && b.Len() > 0 {
			b.WriteByte(' ')
		}
		blank = false
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
