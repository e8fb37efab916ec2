package schema

import (
	"context"
	"slices"
	"sort"
	"time"

	"gulo/internal/native"
)

// This file looks for two faults at once. An edit that mends one of them is seen by what
// becomes of the failing tests: it meets some and breaks none; or it only changes what
// they do; or, where the faults hide each other, it breaks others. Bases are taken in
// this order, and on top of each every other edit is tried.

// Bounds of the search for pairs.
const (
	mostAlikeBases = 3 // with one behaviour
	mostHalves     = 4000
	mostTogether   = 24 // bases in one process
	costlyHalf     = 12 // edits that cost more are no half of a pair
)

// base is an edit on top of which others are tried.
type base struct {
	native.Profiled
	order          []int // of the tests that Met speaks of
	mended, broken int
	cost           int
}

func (s *Search) pairs(ctx context.Context) error {
	bases, err := s.bases(ctx)
	if err != nil {
		return err
	}
	s.p.Progress("trying pairs on top of %d edits", len(bases))
	for n := 2; len(bases) > 0; n = min(2*n, mostTogether) {
		if time.Now().After(s.until) || s.res.Cut {
			s.res.Cut = true
			return nil
		}
		some := bases[:min(n, len(bases))]
		bases = bases[len(some):]
		if err := s.build(ctx, some); err != nil || s.done || len(s.res.Repairs) > 0 {
			return err
		}
	}
	return nil
}

// bases lists the edits that change what becomes of the tests, one or two of each
// behaviour, the most promising first.
func (s *Search) bases(ctx context.Context) ([]base, error) {
	var jobs []job
	for id := 1; id < len(s.byID); id++ {
		if e := s.byID[id]; e.Cost <= costlyHalf {
			jobs = append(jobs, job{id, 0})
		}
	}
	sort.SliceStable(jobs, func(a, b int) bool { return s.cost(jobs[a]) < s.cost(jobs[b]) })
	jobs = append([]job{{0, 0}}, jobs[:min(len(jobs), mostHalves)]...)
	prof, err := s.runAll(ctx, s.p.Tests, []ask{{0, jobs, s.order}}, true)
	if err != nil {
		return nil, err
	}
	var plain uint64
	for _, p := range prof.Profiled {
		if p.G == 0 {
			plain = p.All
		}
	}
	var out []base
	for _, p := range prof.Profiled {
		if p.G == 0 || p.All == plain {
			continue
		}
		b := base{Profiled: p, order: slices.Clone(s.order), cost: s.byID[p.G].Cost}
		for i, ok := range p.Met {
			switch {
			case i < s.bad && ok:
				b.mended++
			case i >= s.bad && !ok:
				b.broken++
			}
		}
		out = append(out, b)
	}
	rank := func(b *base) int { // of what is known to be no half the least is hoped for
		switch {
		case b.mended > 0 && b.broken == 0:
			return -100 - b.mended
		case b.broken == 0:
			return -50
		}
		return b.broken - b.mended
	}
	sort.SliceStable(out, func(a, b int) bool {
		x, y := rank(&out[a]), rank(&out[b])
		if x != y {
			return x < y
		}
		if out[a].cost != out[b].cost {
			return out[a].cost < out[b].cost
		}
		return out[a].G < out[b].G
	})
	seen := map[uint64]int{}
	return slices.DeleteFunc(out, func(b base) bool {
		seen[b.All]++
		return seen[b.All] > mostAlikeBases
	}), nil
}

// build tries every edit on top of bases.
func (s *Search) build(ctx context.Context, bases []base) error {
	var asks []ask
	length := map[int]int{}
	for i := range bases {
		b := &bases[i]
		a := ask{base: b.G, order: s.unmetFirst(b)}
		length[b.G] = len(a.order)
		for id := 1; id < len(s.byID); id++ {
			if e := s.byID[id]; e.Cost < alone && e.site != s.byID[b.G].site {
				a.jobs = append(a.jobs, job{b.G, id})
			}
		}
		sort.SliceStable(a.jobs, func(x, y int) bool { return s.cost(a.jobs[x]) < s.cost(a.jobs[y]) })
		asks = append(asks, a)
	}
	a, err := s.runAll(ctx, s.p.Tests, asks, false)
	if err != nil {
		return err
	}
	var met []job
	for _, x := range a.Screened {
		if x.Failing == length[x.G] {
			met = append(met, job{x.G, x.H})
		}
	}
	return s.report(ctx, s.waiting(met))
}

// unmetFirst orders the tests: first those that a base does not meet.
func (s *Search) unmetFirst(b *base) []int {
	var order []int
	for _, want := range []bool{false, true} {
		for i, ok := range b.Met {
			if ok == want {
				order = append(order, b.order[i])
			}
		}
	}
	for _, n := range s.order { // learned since
		if !slices.Contains(order, n) {
			order = append(order, n)
		}
	}
	return order
}
