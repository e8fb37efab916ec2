package schema

import (
	"context"
	"math"
	"slices"
	"time"

	"gulo/internal/budget"
	"gulo/internal/native"
	"gulo/internal/timing"
)

// This file orders repairs that meet all tests by what they do on inputs near the tests. What is right there is
// unknown. But if the program passes a part of its tests, it is right on most inputs, and a repair that changes the
// output on nearly all of them is less likely than one that keeps most. A repair that changes as large a share of them
// as that of the failing tests is not suspicious.

// Bounds on this comparison.
const (
	mostLikely = 300 // repairs that are compared
	likelyTime = 500 * time.Millisecond
)

// likely sorts repairs by their scores, which include how much they change.
func (s *Search) likely(ctx context.Context, list []waiting) ([]waiting, error) {
	if s.bad >= len(s.order) && len(s.p.Held) == 0 && s.p.Hints == nil { // the program is right on no test, but the form of the expected outputs is known
		err := s.shapely(ctx, list)
		order(list)
		return list, err
	}
	if len(list) == 0 || len(list) == 1 && !s.more || len(s.p.Near) == 0 || s.bad >= len(s.order) {
		return list, nil
	}
	if known := s.liked.of(s, list); known != nil {
		return known, nil
	}
	defer timing.Begin(ctx, "schema: likely").End("%d", len(list))
	end := s.until
	defer func() { s.until = end }()
	if soon := budget.After(ctx, likelyTime); end.Before(soon) { // found at the last moment
		s.until = soon
	}
	near, err := s.neighbours(ctx)
	if err != nil || len(near) == 0 {
		return list, err
	}
	n := min(len(list), mostLikely)
	var jobs []job
	for _, w := range list[:n] {
		jobs = append(jobs, w.job)
	}
	a, err := s.runAll(ctx, near, []ask{{0, jobs, identity(len(near))}}, true)
	if err != nil {
		return nil, err
	}
	more, groups := map[job]int{}, map[job]uint64{}
	for _, x := range a.Profiled {
		more[job{x.G, x.H}], groups[job{x.G, x.H}] = count(x.Met, false), x.All
	}
	for i := range list[:n] {
		w := &list[i]
		k, ok := more[w.job]
		if !ok {
			continue // there was no time
		}
		w.changes = hundred * k / len(near)
		w.excess = max(w.changes-s.expected(), 0)
		if w.unseen = k == 0; w.unseen {
			w.odd += oddNothing
		}
	}
	some := list[:n]
	order(some)
	if len(s.p.Held) == 0 {
		s.expect(some[:1])
	}
	if err := s.steady(ctx, near, some); err != nil {
		return nil, err
	}
	if len(s.p.Held) == 0 && s.p.Hints == nil { // with a reference, other inputs say more
		if err := s.shapely(ctx, some); err != nil {
			return nil, err
		}
		if err := s.disused(ctx, some); err != nil {
			return nil, err
		}
		byChance(some, groups)
	}
	agreements(some, groups)
	disguised(some, groups)
	order(some)
	s.liked = liked{list: slices.Clone(list), tests: len(s.p.Tests)}
	return list, nil
}

// liked is the last list of repairs that was sorted: the cheapest are judged first, and the list is asked for again for
// the others.
type liked struct {
	list  []waiting
	tests int // number of tests at that time
}

// of returns the sorted list if it has the same repairs as list; else nil.
func (l *liked) of(s *Search, list []waiting) []waiting {
	if len(l.list) != len(list) || l.tests != len(s.p.Tests) {
		return nil
	}
	jobs := map[job]bool{}
	for i := range l.list {
		jobs[l.list[i].job] = true
	}
	for i := range list {
		if !jobs[list[i].job] {
			return nil
		}
	}
	return slices.Clone(l.list)
}

// expected returns on how many of a hundred inputs a repair may change the output: the share of the failing tests, plus
// its standard deviation, since few tests determine it only roughly.
func (s *Search) expected() int {
	n := float64(len(s.order))
	p := float64(s.bad) / n
	return int(hundred * (p + math.Sqrt(p*(1-p)/n)))
}

// neighbours returns the inputs near the tests on which the program ends, with its output.
func (s *Search) neighbours(ctx context.Context) ([]native.Test, error) {
	if s.near != nil {
		return s.near, nil
	}
	s.near = []native.Test{}
	ses := s.session(s.p.Near)
	for i := range s.p.Near {
		ses.Print(i)
	}
	a, err := s.prog.Run(ctx, ses, s.left(ctx))
	if err != nil {
		return nil, err
	}
	for i, o := range a.Printed {
		if o.Ended() {
			t := s.p.Near[i]
			t.Stdout, t.Exit = o.Stdout, o.Status
			s.near = append(s.near, t)
		}
	}
	return s.near, nil
}
