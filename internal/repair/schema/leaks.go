package schema

import (
	"context"
	"slices"

	"gulo/internal/native"
	"gulo/internal/timing"
)

// This file speaks against repairs that lose memory. Of what meets all tests a part only leaves out
// what freed a block twice, or leaves before it: the program then does what the tests want, and blocks
// are left at its end. Where another repair leaves none, that one is meant.

const (
	oddLeft  = 80 // blocks are left at the end of a test on which another repair leaves none
	mostLeft = 48 // repairs that are looked at, the likeliest
)

// leaks puts repairs back that leave blocks at the end of some test where another one leaves none at the
// end of any. Blocks are counted on a heap that guards.
func (s *Search) leaks(ctx context.Context, list []waiting) error {
	if len(list) < 2 || s.p.Heap != native.Guarding {
		return nil
	}
	tests := slices.Clone(s.p.Tests)
	for i := range tests {
		tests[i].Blocks = 1
	}
	some := list[:min(len(list), mostLeft)]
	var jobs []job
	for _, w := range some {
		jobs = append(jobs, w.job)
	}
	defer timing.Begin(ctx, "schema: leaks").End("%d", len(jobs))
	a, err := s.runAll(ctx, tests, []ask{{0, jobs, identity(len(tests))}}, false)
	if err != nil {
		return err
	}
	clean := map[job]bool{}
	for _, x := range a.Screened {
		clean[job{x.G, x.H}] = x.Failing >= len(tests)
	}
	free := func(w waiting) bool { return clean[w.job] }
	if !slices.ContainsFunc(some, free) {
		return nil
	}
	for i := range some {
		if freed, ran := clean[some[i].job]; ran && !freed {
			some[i].odd += oddLeft
		}
	}
	order(list)
	return nil
}
