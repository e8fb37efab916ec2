package schema

import (
	"context"
	"errors"
	"sort"
	"time"

	"gulo/internal/native"
)

// This file asks what single edits do to tests, for localization: an edit with which a
// failing test is met and none breaks stands where the fault is, or near.

// Effect is what one edit does to the tests.
type Effect struct {
	Edit   *Edit
	Mended int  // failing tests that are met with it
	Broken int  // met tests that are not with it
	Moved  bool // the first failing test fails in another way
}

// Effects is what became of the tests.
type Effects struct {
	List    []Effect // edits that do anything to a failing test, as a repair would most first
	Failing int      // tests that the program does not meet
	Tests   int
	Edits   int // that were tried
	Cut     bool
}

// mostMended bounds the edits that all tests are run with, by behaviour on the first failing
// test.
const mostMended = 300

// Measure tries every edit alone. With no failing test there are no effects. The error is a
// *native.CompileError where gcc takes the program with its edits in no way.
func Measure(ctx context.Context, p *Problem) (*Effects, error) {
	if p.Limit == 0 {
		p.Limit = 10 * time.Second
	}
	s := &search{p: p, until: time.Now().Add(p.Limit), res: &Result{}, tried: map[string]bool{}}
	sp := newSpace(p)
	var err error
	if sp.hints, err = s.measure(ctx); err != nil || s.bad == 0 {
		return &Effects{Tests: len(p.Tests), Cut: s.res.Cut}, err
	}
	for _, f := range p.Funcs {
		sp.function(f)
	}
	if err := s.compile(ctx, sp); err != nil {
		return nil, err
	}
	defer s.prog.Close()
	e := &Effects{Failing: s.bad, Tests: len(s.order), Edits: len(s.byID) - 1}
	err = s.effects(ctx, e)
	e.Cut = s.res.Cut
	return e, err
}

// effects screens all edits by each failing test and runs all tests with those that mend one.
func (s *search) effects(ctx context.Context, e *Effects) error {
	var jobs []job
	for id := 1; id < len(s.byID); id++ {
		jobs = append(jobs, job{id, 0})
	}
	sort.SliceStable(jobs, func(a, b int) bool { return s.byID[jobs[a].g].Cost < s.byID[jobs[b].g].Cost })
	moved, mends := map[int]bool{}, map[int]int{}
	until := s.until
	s.until = time.Now().Add(time.Until(until) * 2 / 3) // the rest is for the profiles
	for k := range min(s.bad, mostScreens) {
		a, err := s.runAll(ctx, jobs, []int{s.order[k]}, false)
		if err != nil {
			return err
		}
		usual := commonest(a.Screened)
		for _, x := range a.Screened {
			if x.Failing > 0 {
				mends[x.G]++
			}
			if x.First != usual {
				moved[x.G] = true
			}
		}
		if s.res.Cut {
			break
		}
	}
	s.until = until
	var asked []job
	for _, j := range jobs {
		if mends[j.g] > 0 {
			asked = append(asked, j)
		}
	}
	sort.SliceStable(asked, func(a, b int) bool { return mends[asked[a].g] > mends[asked[b].g] })
	asked = asked[:min(len(asked), mostMended)]
	a, err := s.runAll(ctx, asked, s.order, true)
	if err != nil {
		return err
	}
	for _, x := range a.Profiled {
		f := Effect{Edit: s.byID[x.G], Moved: true}
		for i, ok := range x.Met {
			switch {
			case i < s.bad && ok:
				f.Mended++
			case i >= s.bad && !ok:
				f.Broken++
			}
		}
		e.List = append(e.List, f)
		delete(moved, x.G)
	}
	for _, j := range jobs {
		if moved[j.g] {
			e.List = append(e.List, Effect{Edit: s.byID[j.g], Moved: true})
		}
	}
	sort.SliceStable(e.List, func(a, b int) bool {
		x, y := e.List[a], e.List[b]
		if x.Mended != y.Mended {
			return x.Mended > y.Mended
		}
		if x.Broken != y.Broken {
			return x.Broken < y.Broken
		}
		return x.Edit.Cost < y.Edit.Cost
	})
	return nil
}

// mostScreens bounds the failing tests that every edit is tried on.
const mostScreens = 4

// commonest is what becomes of a test with most edits: what becomes of it without any.
func commonest(list []native.Screened) uint64 {
	n := map[uint64]int{}
	var usual uint64
	for _, x := range list {
		n[x.First]++
	}
	for h, k := range n {
		if k > n[usual] || k == n[usual] && h < usual {
			usual = h
		}
	}
	return usual
}

// Unbuildable reports whether an error says that gcc does not take the program.
func Unbuildable(err error) bool {
	var ce *native.CompileError
	return errors.As(err, &ce)
}
