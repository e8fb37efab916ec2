package schema

import (
	"strings"

	"gulo/internal/repair/textedit"
)

// This file counts loop iterations and jumps in the text of an edit like those of the program, so that an edit with an
// endless loop costs no more than any other. It also estimates the length of runs that nobody has seen end.

// counted adds a step to each loop and goto in a statement's text.
func counted(alt string) string {
	if !strings.Contains(alt, "while") && !strings.Contains(alt, "for") && !strings.Contains(alt, "goto") {
		return alt
	}
	var b strings.Builder
	for i := 0; i < len(alt); {
		n := textedit.Token(alt[i:])
		word := alt[i : i+n]
		if word == "goto" {
			b.WriteString(countedGoto)
		}
		b.WriteString(word)
		i += n
		if word != "while" && word != "for" {
			continue
		}
		open := i
		for open < len(alt) && alt[open] == ' ' {
			open++
		}
		if open == len(alt) || alt[open] != '(' {
			continue
		}
		at := open + 1
		if word == "for" {
			if at = semicolon(alt, at); at < 0 {
				continue
			}
		}
		// The text before the condition may have a loop, too, in GNU C.
		b.WriteString(counted(alt[i:at]))
		b.WriteString(" gulo_step(), ")
		i = at
		if rest := strings.TrimLeft(alt[i:], " "); strings.HasPrefix(rest, ";") { // for (;;)
			b.WriteString("1")
		}
	}
	return b.String()
}

// semicolon returns the offset after the first semicolon in the head of a for; -1 if there is none.
func semicolon(s string, at int) int {
	for depth := 0; at < len(s); {
		n := textedit.Token(s[at:])
		switch s[at : at+n] {
		case "(", "{", "[":
			depth++
		case ")", "}", "]":
			if depth--; depth < 0 {
				return -1
			}
		case ";":
			if depth == 0 {
				return at + 1
			}
		}
		at += n
	}
	return -1
}

const mostLikelySteps = 100_000
