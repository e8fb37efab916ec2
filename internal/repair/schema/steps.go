package schema

import "strings"

// This file counts the rounds of loops that stand in an edit's text, as those of the program
// are counted: an edit with a loop that does not end is as cheap to refuse as any other.

// counted is a statement's text with a step in each of its loops.
func counted(alt string) string {
	if !strings.Contains(alt, "while") && !strings.Contains(alt, "for") {
		return alt
	}
	var b strings.Builder
	for i := 0; i < len(alt); {
		n := token(alt[i:])
		word := alt[i : i+n]
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
		// What stands before the condition is looked at, too: it may have a loop in GNU C.
		b.WriteString(counted(alt[i:at]))
		b.WriteString(" gulo_step(), ")
		i = at
		if rest := strings.TrimLeft(alt[i:], " "); strings.HasPrefix(rest, ";") { // for (;;)
			b.WriteString("1")
		}
	}
	return b.String()
}

// token is how long a word, a literal or any other character at the beginning of a text is.
func token(s string) int {
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
	case letter(c):
		n := 1
		for n < len(s) && (letter(s[n]) || s[n] >= '0' && s[n] <= '9') {
			n++
		}
		return n
	}
	return 1
}

func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// semicolon is where the first semicolon of a for ends that begins at a place; -1 for none.
func semicolon(s string, at int) int {
	for depth := 0; at < len(s); {
		n := token(s[at:])
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
