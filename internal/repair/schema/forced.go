package schema

import (
	"context"

	"gulo/internal/native"
	"gulo/internal/plural"
	"gulo/internal/repair/textedit"
	"gulo/internal/timing"
)

// This file finds out, when the program is measured, where forcing an outcome makes a failing test pass.

// Bounds on forcing.
const (
	mostForced      = 500 // places
	mostForcedTests = 3   // failing tests that are run, those with the fewest steps
	forcedShare     = 5   // of the time that is left
)

// forced returns the places at which forcing an outcome in some way makes a failing test pass.
func (s *Search) forced(ctx context.Context, prog *native.Program, sites []*textedit.Site, c *cover) (out []*textedit.Site, err error) {
	span := timing.Begin(ctx, "schema: forced")
	defer func() { span.End("%s", plural.N(len(out), "place")) }()
	failing := s.order[:min(s.bad, mostForcedTests)]
	ses := s.session(s.p.Tests)
	ses.Sites(placesOf(sites))
	asked := 0
	for _, t := range failing {
		ses.Order([]int{t})
		for _, st := range sites {
			if st.Forced && !c.idle(st) {
				for _, e := range st.Edits {
					ses.Screen(e.ID, 0)
					asked++
				}
			}
		}
	}
	if asked == 0 {
		return nil, nil
	}
	a, err := prog.Run(ctx, ses, s.left(ctx)/forcedShare)
	if err != nil {
		return nil, err
	}
	mends := map[int]bool{}
	for _, x := range a.Screened {
		if x.Failing == 1 {
			mends[x.G] = true
		}
	}
	for _, st := range sites {
		for _, e := range st.Edits {
			if st.Forced && mends[e.ID] {
				out = append(out, st)
				break
			}
		}
	}
	return out, nil
}
