package schema

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/native"
	"gulo/internal/timing"
)

// This file speaks against repairs with which the output loses its shape. The outputs that tests want
// are made of lines that are alike but for their numbers. On an input that has the form of the tests'
// inputs nobody knows what is right, but what is printed there is hardly of another shape: an answer
// that is missing, or two of them. Where the program is right on half of the tests, and whatever it gets
// wrong there is of another shape, what it prints of the right one stays as it is.

// Bounds.
const (
	leastShaped = 4  // tests that show a shape
	leastAlike  = 8  // inputs like theirs that say something
	mostShaped  = 60 // repairs that are looked at, the likeliest
)

// Scores of repairs.
const (
	oddShapeless = 150 // of which no output on such inputs has the shape
	oddBroken    = 20  // of which one has it no longer
	oddAllBroken = 100 // more, of which none has
	oddTurned    = 200 // that print something else wherever the program prints what is right
)

// Loss is an input of the form of the tests' whose output has the shape that tests want, and with a
// repair another one.
type Loss struct {
	Input     native.Test // Stdout and Exit are of no meaning
	Was, Does native.Outcome
}

// lostShare is the part of such inputs on which a repair that loses a shape does so at least.
const lostShare = 8

// outputShape is what outputs have in common.
type outputShape struct {
	echoes bool            // numbers that were read are told from others
	fixed  map[string]bool // numbers that all outputs have
	lines  map[string]bool
	counts map[string]int // of lines that all outputs have as often
}

var (
	numberInText = regexp.MustCompile(`-?[0-9]+(?:\.[0-9]+)?`)
	wordInText   = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
	numbersInRow = regexp.MustCompile(`([#@])(?:[ \t,;:]+[#@])+`)
)

// shapeOfOutputs finds the shape of the outputs that tests want; nil where each has another one, which
// is seen by leaving one out.
func shapeOfOutputs(tests []native.Test) *outputShape {
	if len(tests) < leastShaped {
		return nil
	}
	for _, echoes := range []bool{true, false} {
		fits := 0
		for i := range tests {
			if learnShape(slices.Concat(tests[:i], tests[i+1:]), echoes).has(&tests[i], tests[i].Stdout) {
				fits++
			}
		}
		if most := len(tests); echoes && fits == most || !echoes && fits >= most-most/leastShaped {
			return learnShape(tests, echoes)
		}
	}
	return nil
}

func learnShape(tests []native.Test, echoes bool) *outputShape {
	f := &outputShape{echoes: echoes, fixed: map[string]bool{}, lines: map[string]bool{}, counts: map[string]int{}}
	for i := range tests {
		now := map[string]bool{}
		for _, n := range numberInText.FindAllString(tests[i].Stdout, -1) {
			now[n] = i == 0 || f.fixed[n]
		}
		f.fixed = now
	}
	for n, all := range f.fixed {
		if !all {
			delete(f.fixed, n)
		}
	}
	for i := range tests {
		count := map[string]int{}
		for _, l := range f.linesOf(&tests[i], tests[i].Stdout) {
			f.lines[l] = true
			count[l]++
		}
		if i == 0 {
			f.counts = count
			continue
		}
		for l, n := range f.counts {
			if count[l] != n { // an empty list is one, too
				delete(f.counts, l)
			}
		}
	}
	return f
}

// linesOf are the lines of an output with signs for what changes: # for a number, @ for one that was
// read, $ for a word that was read.
func (f *outputShape) linesOf(in *native.Test, out string) []string {
	read := in.Stdin + " " + strings.Join(in.Args, " ")
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

// has reports whether an output has the shape.
func (f *outputShape) has(in *native.Test, out string) bool {
	count := map[string]int{}
	for _, l := range f.linesOf(in, out) {
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

// shapely marks repairs with which outputs have another shape than the tests want.
func (s *Search) shapely(ctx context.Context, list []waiting) error {
	list = list[:min(len(list), mostShaped)]
	if s.p.Alike == nil || len(list) < 2 {
		return nil
	}
	f := shapeOfOutputs(s.p.Tests)
	if f == nil {
		return nil
	}
	alike := s.p.Alike()
	if len(alike) < leastAlike {
		return nil
	}
	defer timing.Begin(ctx, "schema: shapely").End("%d on %d", len(list), len(alike))
	jobs := []job{{}}
	for _, w := range list {
		jobs = append(jobs, w.job)
	}
	ses := s.session(alike)
	for _, j := range jobs {
		for n := range alike {
			ses.Show(j.g, j.h, n)
		}
	}
	a, err := s.prog.Run(ctx, ses, s.left())
	if err != nil || len(a.Printed) < len(jobs)*len(alike) {
		return err
	}
	right, sure, err := s.trusted(ctx, f)
	if err != nil {
		return err
	}
	n := len(alike)
	own := a.Printed[:n]
	has := func(i, k int) bool {
		o := &a.Printed[i*n+k]
		return o.Ended() && f.has(&alike[k], o.Stdout)
	}
	for i := range list {
		without, broken, turned, had := 0, 0, 0, 0
		var lost *Loss
		for k := range alike {
			now, was := has(i+1, k), has(0, k)
			if !now {
				without++
			}
			if !was || !right {
				continue
			}
			if had++; !now {
				if o := &a.Printed[(i+1)*n+k]; lost == nil && o.Ended() {
					lost = &Loss{alike[k], own[k], *o}
				}
				broken++
			} else if sure && a.Printed[(i+1)*n+k].Stdout != own[k].Stdout {
				turned++
			}
		}
		w := &list[i]
		w.odd += oddShapeless * without / n
		if broken > 0 {
			w.odd += oddBroken + oddAllBroken*broken/had
			if sure && broken*lostShare >= had {
				w.Loses = lost
			}
		}
		if turned > 0 {
			w.odd += oddTurned * turned / had
		}
	}
	return nil
}

// trusted reports whether the program is right on half of the tests, so that what it prints elsewhere says
// something; sure: and whether it prints what is of another shape wherever it fails one.
func (s *Search) trusted(ctx context.Context, f *outputShape) (right, sure bool, err error) {
	ses := s.session(s.p.Tests)
	for i := range s.p.Tests {
		ses.Print(i)
	}
	a, err := s.prog.Run(ctx, ses, s.left())
	if err != nil || len(a.Printed) < len(s.p.Tests) {
		return false, false, err
	}
	sure = true
	met := 0
	for i := range a.Printed {
		switch t := &s.p.Tests[i]; {
		case t.Met(&a.Printed[i]):
			met++
		case f.has(t, a.Printed[i].Stdout):
			sure = false
		}
	}
	right = 2*met >= len(s.p.Tests)
	return right, right && sure, nil
}
