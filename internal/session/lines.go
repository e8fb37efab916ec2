package session

import "strings"

// This file parses lines of commands.

// comment is where a comment begins: at a # outside quotes; -1 for none.
func comment(line string) int {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch {
		case !quoted && line[i] == '\'':
			i += character(line[i:])
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
		switch {
		case !quoted && line[i] == '\'':
			i += character(line[i:])
		case line[i] == '"':
			quoted = !quoted
		}
	}
	return out
}

// character returns how many characters of a text follow its first one in the character constant that it begins with, as in
// 'a' or '\n'; 0 where it begins with none.
func character(text string) int {
	for _, n := range []int{2, 3} {
		if len(text) > n && text[n] == '\'' && (n == 3) == (text[1] == '\\') {
			return n
		}
	}
	return 0
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

// Writes reports whether a command line writes a file.
func Writes(line string) bool {
	for _, text := range splitCommands(line) {
		f := strings.Fields(text)
		c, err := find(f[0])
		if err == nil && (c.Name == "rewrite" || c.Name == "share" || c.Name == "state" && len(f) > 2) {
			return true
		}
	}
	return false
}
