package schema

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"gulo/internal/budget"
	"gulo/internal/native"
	"gulo/internal/process"
)

// This file runs many edits on all processors while there is time.

// job is one edit, or two together.
type job struct{ g, h int }

// ask is jobs and the tests on which they are tried, in order.
type ask struct {
	base  int // an edit that is in most of the jobs; 0: none
	jobs  []job
	order []int
}

// screen finds for each job the first of some tests that fails.
func (s *Search) screen(ctx context.Context, jobs []job, order []int) ([]native.Screened, error) {
	a, err := s.runAll(ctx, s.p.Tests, []ask{{0, jobs, order}}, false)
	if err != nil {
		return nil, err
	}
	return a.Screened, nil
}

// fewRuns is the number of runs below which another process would take longer than it saves.
const fewRuns = 2000

// runAll runs asks on tests. When the time is up, answers are missing.
func (s *Search) runAll(ctx context.Context, tests []native.Test, asks []ask, profile bool) (*native.Answers, error) {
	out := &native.Answers{}
	for most := s.mostAtOnce(); len(asks) > 0 && !out.Cut; {
		var some []ask
		if some, asks = first(asks, most); budget.Over(ctx, s.until) {
			out.Cut = true
			break
		}
		a, err := s.runSome(ctx, tests, some, profile)
		if err != nil {
			return nil, err
		}
		out.Screened, out.Profiled, out.Cut = append(out.Screened, a.Screened...), append(out.Profiled, a.Profiled...), a.Cut
	}
	s.res.Runs += len(out.Screened) + len(out.Profiled)
	for i := range out.Screened {
		if out.Screened[i].H != 0 {
			s.res.Pairs++
		}
	}
	s.res.Cut = s.res.Cut || out.Cut
	return out, nil
}

// mostAtOnce returns how many runs are made before the time is checked: as many as take a second if one in twenty does
// not end.
func (s *Search) mostAtOnce() int {
	return int(min(max(20*budget.PerSecond/max(s.steps*budget.Round, 1), 10*fewRuns), 200*fewRuns))
}

// runs returns the number of runs that an ask needs at most.
func (a *ask) runs() int { return len(a.jobs) * len(a.order) }

// first splits off asks with at most so many runs, and one job more.
func first(asks []ask, most int) (some, rest []ask) {
	for i := range asks {
		a := asks[i]
		if n := a.runs(); n <= most {
			most -= n
			continue
		}
		n := min(most/len(a.order)+1, len(a.jobs))
		rest = slices.Clone(asks[i:])
		rest[0].jobs = a.jobs[n:]
		a.jobs = a.jobs[:n]
		return append(slices.Clone(asks[:i]), a), rest
	}
	return asks, nil
}

// runSome runs asks on all processors.
func (s *Search) runSome(ctx context.Context, tests []native.Test, asks []ask, profile bool) (*native.Answers, error) {
	runs := 0
	for i := range asks {
		runs += asks[i].runs()
	}
	n := max(1, min(runtime.GOMAXPROCS(0), runs/fewRuns))
	left := s.left(ctx) / time.Duration(n)
	parts := make([]*native.Answers, n)
	errs := make([]error, n)
	var wg sync.WaitGroup
	for k := range n {
		wg.Add(1)
		process.Go(func() {
			defer wg.Done()
			ses := s.session(tests)
			ses.Sites(s.places)
			for _, a := range asks {
				ses.Order(a.order)
				ses.Base(a.base)
				for i := k; i < len(a.jobs); i += n {
					if profile {
						ses.Profile(a.jobs[i].g, a.jobs[i].h)
					} else {
						ses.Screen(a.jobs[i].g, a.jobs[i].h)
					}
				}
			}
			parts[k], errs[k] = s.prog.Run(ctx, ses, left)
		})
	}
	wg.Wait()
	out := &native.Answers{}
	for k, a := range parts {
		if errs[k] != nil {
			return nil, errs[k]
		}
		out.Screened, out.Profiled, out.Cut = append(out.Screened, a.Screened...), append(out.Profiled, a.Profiled...), out.Cut || a.Cut
	}
	return out, nil
}
