package source

import "strings"

// This file compares the output of programs as judges of programming contests do.

// Judged returns a text without the white space that such judges ignore: blanks and carriage returns at
// the ends of lines, and newlines at the end. The harness of native runs does the same (harness.c, judged).
func Judged(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t\r\v\f")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// Noise reports whether two texts differ in white space that judges ignore: in carriage returns, in newlines at the
// end, or in blanks at the ends of lines. They may differ in other ways, too. It is false if a text is empty.
func Noise(a, b string) bool {
	if a == b || a == "" || b == "" {
		return false
	}
	if Judged(a) == Judged(b) {
		return true
	}
	end := func(s string) int { return len(s) - len(strings.TrimRight(s, "\r\n")) }
	blank := func(s string) bool {
		for l := range strings.SplitSeq(s, "\n") {
			if l = strings.TrimRight(l, "\r"); l != strings.TrimRight(l, " \t\v\f") {
				return true
			}
		}
		return false
	}
	return strings.Contains(a, "\r") != strings.Contains(b, "\r") || min(1, end(a)) != min(1, end(b)) || blank(a) != blank(b)
}
