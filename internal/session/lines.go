package session

import "strings"

// This file parses lines of commands.

// comment is where a comment begins: at a # outside quotes; -1 for none.
func comment(line string) int {
	quoted := false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == '#' && !quoted:
			return i
		}
	}
	return -1
}

// splitCommands splits at semicolons outside quotes.
func splitCommands(line string) []string {
	var out []string
	start, quoted := 0, false
	for i := 0; i <= len(line); i++ {
		if i == len(line) || line[i] == ';' && !quoted {
			if c := strings.TrimSpace(line[start:i]); c != "" {
				out = append(out, c)
			}
			start = i + 1
			continue
		}
		if line[i] == '"' {
			quoted = !quoted
		}
	}
	return out
}

// sameMove reports whether two commands in a row are steps, so that only the
// last needs a picture.
func sameMove(a, b string) bool {
	move := func(c string) bool {
		f := strings.Fields(c)
		return len(f) > 0 && (f[0] == "next" || f[0] == "n" || f[0] == "step" || f[0] == "s")
	}
	return move(a) && move(b)
}
