package schema

import (
	"context"
	"strings"

	"gulo/internal/native"
	"gulo/internal/shape"
	"gulo/internal/timing"
)

// This file speaks against repairs with which the output loses its shape. The outputs that tests want
// are made of lines that are alike but for their numbers. On an input that has the form of the tests'
// inputs nobody knows what is right, but what is printed there is hardly of another shape: an answer
// that is missing, or two of them. Where the program is right on half of the tests, and whatever it gets
// wrong there is of another shape, what it prints of the right one stays as it is.

// Bounds.
const (
	leastAlike = 8  // inputs like theirs that say something
	mostShaped = 60 // repairs that are looked at, the likeliest
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

// printed are what tests want of what they give.
func printed(tests []native.Test) (out []shape.Text) {
	for i := range tests {
		out = append(out, shape.Text{Read: read(&tests[i]), Printed: tests[i].Stdout})
	}
	return out
}

// read is all that a program may read in a test.
func read(t *native.Test) string { return t.Stdin + " " + strings.Join(t.Args, " ") }

// shapely marks repairs with which outputs have another shape than the tests want.
func (s *Search) shapely(ctx context.Context, list []waiting) error {
	list = list[:min(len(list), mostShaped)]
	if s.p.Alike == nil || len(list) < 2 {
		return nil
	}
	f := shape.Of(printed(s.p.Tests))
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
	a, err := s.prog.Run(ctx, ses, s.left(ctx))
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
		return o.Ended() && f.Has(read(&alike[k]), o.Stdout)
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
func (s *Search) trusted(ctx context.Context, f *shape.Shape) (right, sure bool, err error) {
	if n := len(s.own); n < len(s.p.Tests) { // more were learned
		ses := s.session(s.p.Tests[n:])
		for i := range s.p.Tests[n:] {
			ses.Print(i)
		}
		a, err := s.prog.Run(ctx, ses, s.left(ctx))
		if err != nil {
			return false, false, err
		}
		if s.own = append(s.own, a.Printed...); len(s.own) < len(s.p.Tests) {
			return false, false, nil
		}
	}
	sure = true
	met := 0
	for i := range s.own {
		switch t := &s.p.Tests[i]; {
		case t.Met(&s.own[i]):
			met++
		case f.Has(read(t), s.own[i].Stdout):
			sure = false
		}
	}
	right = 2*met >= len(s.p.Tests)
	return right, right && sure, nil
}
