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

// This file is what a repair changes in texts: exact regions, and whether lines that are
// locked stay as they are.

// Change is a file before and after a repair.
type Change struct {
	File          string
	Before, After string
}

// Changes returns what texts, by file name, change of a program.
func Changes(prog *lower.Program, texts map[string]string) []Change {
	var out []Change
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if f := patch.FileOf(prog, name); f != nil && texts[name] != string(f.Text) {
			out = append(out, Change{name, string(f.Text), texts[name]})
		}
	}
	return out
}

// Replacement puts a text in the place of a region. Lines and columns count from 1,
// columns in characters; the end is the first place that stays.
type Replacement struct {
	StartLine, StartColumn int
	EndLine, EndColumn     int
	Text                   string
}

// Replacements lists a change's regions in order; they do not overlap.
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

// place is where a text ends.
func place(before string) (line, column int) {
	at := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[at:]) + 1
}

// prefix is how many bytes of whole characters two texts begin with alike.
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
		return "" // no text; nothing is found alike
	}
	slices.Reverse(r)
	return string(r)
}

// Keeps reports whether lines stay what they are, in every file.
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
				after++ // the last line has no end
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
