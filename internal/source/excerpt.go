package source

import (
	"strings"
	"unicode/utf8"
)

const (
	excerptRunes = 60 // most characters of a text that a message quotes
	beforeRunes  = 20 // most characters before the first difference of two long texts
	cut          = "..."
)

// Excerpt shortens a text to what a message can quote: 60 characters, with "..." where text is left out.
func Excerpt(s string) string {
	if r := []rune(s); len(r) > excerptRunes {
		return string(r[:excerptRunes-len(cut)]) + cut
	}
	return s
}

// Excerpts shortens two texts for a message that compares them. If their excerpts would be the same, both
// begin with "..." and a few characters before the first difference, in the same line.
func Excerpts(a, b string) (string, string) {
	x, y := Excerpt(a), Excerpt(b)
	if x != y || a == b {
		return x, y
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n--
	}
	from := strings.LastIndexByte(a[:n], '\n') + 1
	if r := []rune(a[from:n]); len(r) > beforeRunes {
		from = n - len(string(r[len(r)-beforeRunes:]))
	}
	return Excerpt(cut + a[from:]), Excerpt(cut + b[from:])
}
