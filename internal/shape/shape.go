// Package shape finds what the outputs of a program have in common: lines that are the same except for numbers, and for
// words that were read.
package shape

import (
	"regexp"
	"slices"
	"strings"
)

// least is how many texts are needed to show a shape.
const least = 4

// Text is what a program read, and what it then printed.
type Text struct{ Read, Printed string }

// Shape is what texts have in common.
type Shape struct {
	echoes bool            // numbers that were read are told apart from others
	fixed  map[string]bool // numbers that all outputs have
	lines  map[string]bool
	counts map[string]int // how often a line occurs, for lines that all outputs have equally often
}

var (
	numberInText = regexp.MustCompile(`-?[0-9]+(?:\.[0-9]+)?`)
	wordInText   = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
	numbersInRow = regexp.MustCompile(`([#@])(?:[ \t,;:]+[#@])+`)
)

// Of finds the shape of texts. It returns nil if they are few, or if too many do not have the shape that the others
// show.
func Of(texts []Text) *Shape {
	if len(texts) < least {
		return nil
	}
	for _, echoes := range []bool{true, false} {
		fits := 0
		for i := range texts {
			if learn(slices.Concat(texts[:i], texts[i+1:]), echoes).Has(texts[i].Read, texts[i].Printed) {
				fits++
			}
		}
		if most := len(texts); echoes && fits == most || !echoes && fits >= most-most/least {
			return learn(texts, echoes)
		}
	}
	return nil
}

// allLines stands for the number of lines among those of single ones.
const allLines = "\n"

func learn(texts []Text, echoes bool) *Shape {
	f := &Shape{echoes: echoes, fixed: map[string]bool{}, lines: map[string]bool{}, counts: map[string]int{}}
	for i := range texts {
		now := map[string]bool{}
		for _, n := range numberInText.FindAllString(texts[i].Printed, -1) {
			now[n] = i == 0 || f.fixed[n]
		}
		f.fixed = now
	}
	for n, all := range f.fixed {
		if !all {
			delete(f.fixed, n)
		}
	}
	for i := range texts {
		list := f.linesOf(texts[i].Read, texts[i].Printed)
		count := map[string]int{allLines: len(list)}
		for _, l := range list {
			f.lines[l] = true
			count[l]++
		}
		if i == 0 {
			f.counts = count
			continue
		}
		for l, n := range f.counts {
			if count[l] != n { // the line of an empty list may be missing
				delete(f.counts, l)
			}
		}
	}
	return f
}

// linesOf returns the lines of an output with signs for what changes: # for a number, @ for one that was read, $ for a
// word that was read.
func (f *Shape) linesOf(read, out string) []string {
	numbers, words := map[string]bool{}, map[string]bool{}
	for _, n := range numberInText.FindAllString(read, -1) {
		numbers[n] = f.echoes
	}
	for _, w := range wordInText.FindAllString(read, -1) {
		words[w] = true
	}
	lines := strings.Split(out, "\n")
	for i, l := range lines {
		l = wordInText.ReplaceAllStringFunc(l, func(w string) string {
			if words[w] {
				return "$"
			}
			return w
		})
		l = numberInText.ReplaceAllStringFunc(l, func(n string) string {
			switch {
			case f.fixed[n]:
				return n
			case numbers[n]:
				return "@"
			}
			return "#"
		})
		lines[i] = numbersInRow.ReplaceAllString(l, "$1")
	}
	return lines
}

// Has reports whether an output has the shape.
func (f *Shape) Has(read, out string) bool {
	list := f.linesOf(read, out)
	count := map[string]int{allLines: len(list)}
	for _, l := range list {
		if count[l]++; !f.lines[l] {
			return false
		}
	}
	for l, n := range f.counts {
		if count[l] != n {
			return false
		}
	}
	return true
}
