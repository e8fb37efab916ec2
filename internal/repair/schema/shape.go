package schema

import (
	"context"
	"strings"

	"gulo/internal/native"
	"gulo/internal/shape"
	"gulo/internal/source"
	"gulo/internal/timing"
)

// This file penalizes repairs with which the output loses its form. Expected outputs consist of lines that are alike
// except for their numbers. On an input of the form of the tests' inputs the right output is unknown, but it hardly has
// another form, such as a missing answer or two of them. If the program passes half of the tests, and all its wrong
// outputs have another form, then its outputs of the right form must not change.

// Bounds on this check.
const (
	leastAlike = 8  // inputs of that form that are needed
	mostShaped = 60 // repairs that are checked, the likeliest
)

// Penalties of repairs, in tenths of a cost.
const (
	oddShapeless = 150 // if no output on such inputs has the form
	oddBroken    = 20  // if one output loses the form
	oddAllBroken = 100 // in addition, if all do
	oddTurned    = 200 // if it changes all outputs that have the right form
)

// Loss is an input of the form of the tests' on which the output has the expected form, but with a repair another one.
type Loss struct {
	Input     native.Test // its Stdout and Exit mean nothing
	Was, Does native.Outcome
}

// lostShare: a repair loses a form if it does so on at least one in so many of these inputs.
const lostShare = 8

// printed returns the expected outputs of tests with their inputs.
func printed(tests []native.Test) (out []shape.Text) {
	for i := range tests {
		out = append(out, shape.Text{Read: read(&tests[i]), Printed: compared(tests[i].Stdout, tests)})
	}
	return out
}

// compared returns an output as the tests compare it.
func compared(out string, tests []native.Test) string {
	if len(tests) > 0 && tests[0].Judged {
		return source.Judged(out)
	}
	return out
}

// read returns everything that a program can read in a test.
func read(t *native.Test) string { return t.Stdin + " " + strings.Join(t.Args, " ") }

// shapely penalizes repairs with which outputs have another form than expected.
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
	if err != nil {
		return err
	}
	if list = list[:max(0, min(len(list), len(a.Printed)/len(alike)-1))]; len(list) == 0 { // there was no time for the others
		return nil
	}
	right, sure, err := s.trusted(ctx, f)
	if err != nil {
		return err
	}
	n := len(alike)
	own := a.Printed[:n]
	has := func(i, k int) bool {
		o := &a.Printed[i*n+k]
		return o.Ended() && f.Has(read(&alike[k]), compared(o.Stdout, s.p.Tests))
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

// trusted reports whether the program passes half of the tests, so that its other outputs mean something. sure reports
// whether also all its wrong outputs have another form.
func (s *Search) trusted(ctx context.Context, f *shape.Shape) (right, sure bool, err error) {
	if n := len(s.own); n < len(s.p.Tests) { // more tests were learned
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
		case f.Has(read(t), compared(s.own[i].Stdout, s.p.Tests)):
			sure = false
		}
	}
	right = 2*met >= len(s.p.Tests)
	return right, right && sure, nil
}
