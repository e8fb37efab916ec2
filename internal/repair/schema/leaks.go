package schema

import (
	"context"
	"slices"

	"gulo/internal/native"
	"gulo/internal/timing"
)

// This file penalizes repairs that leak memory. Some repairs that meet all tests only remove the free that was done
// twice, or return before it: the output is right, but blocks remain at the end. A repair that leaves none is
// preferred.

const (
	oddLeft  = 80 // penalty if blocks remain at the end of a test although another repair leaves none
	mostLeft = 48 // repairs that are checked, the likeliest
)

// leaks penalizes repairs that leave blocks at the end of some test, if another repair leaves none in any test. Blocks
// are counted only on the guarding heap.
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
