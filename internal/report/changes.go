package report

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"gulo/internal/lower"
	"gulo/internal/patch"
)

// This file finds what a repair changes in texts: the exact regions, and whether it leaves locked lines alone.

// Change is a file before and after a repair.
type Change struct {
	File          string
	Before, After string
}

// Changes returns what texts, given by file name, change in a program.
func Changes(prog *lower.Program, texts map[string]string) []Change {
	var out []Change
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if f := patch.FileOf(prog, name); f != nil && texts[name] != string(f.Text) {
			out = append(out, Change{name, string(f.Text), texts[name]})
		}
	}
	return out
}

// Replacement replaces a region by a text. Lines and columns count from 1, columns in characters; the end is the first
// place after the region.
type Replacement struct {
	StartLine, StartColumn int
	EndLine, EndColumn     int
	Text                   string
}

// Replacements lists the regions that a change replaces, in order and without overlap.
func (c *Change) Replacements() []Replacement {
	var out []Replacement
	for _, e := range udiff.Lines(c.Before, c.After) {
		old := c.Before[e.Start:e.End]
		head := prefix(old, e.New)
		tail := prefix(reversed(old[head:]), reversed(e.New[head:]))
		r := Replacement{Text: e.New[head : len(e.New)-tail]}
		r.StartLine, r.StartColumn = place(c.Before[:e.Start+head])
		r.EndLine, r.EndColumn = place(c.Before[:e.End-tail])
		out = append(out, r)
	}
	return out
}

// place returns the line and column at the end of a text.
func place(before string) (line, column int) {
	at := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[at:]) + 1
}

// prefix returns the length in bytes of the common prefix of two texts, in whole characters.
func prefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) {
		x, k := utf8.DecodeRuneInString(a[n:])
		y, m := utf8.DecodeRuneInString(b[n:])
		if x != y || k != m || a[n:n+k] != b[n:n+m] {
			break
		}
		n += k
	}
	return n
}

func reversed(s string) string {
	r := []rune(s)
	if string(r) != s {
		return "" // not valid UTF-8: no common suffix is looked for
	}
	slices.Reverse(r)
	return string(r)
}

// Keeps reports whether changes leave the given lines alone, in every file.
func Keeps(changes []Change, lines []int) bool {
	if len(lines) == 0 {
		return true
	}
	for i := range changes {
		c := &changes[i]
		for _, e := range udiff.Lines(c.Before, c.After) {
			first, _ := place(c.Before[:e.Start])
			after, _ := place(c.Before[:e.End])
			if e.End > e.Start && c.Before[e.End-1] != '\n' {
				after++ // the last line has no newline
			}
			for _, l := range lines {
				if first <= l && l < after {
					return false
				}
			}
		}
	}
	return true
}
