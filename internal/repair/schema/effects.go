package schema

import (
	"context"
	"errors"
	"sort"
	"time"

	"gulo/internal/budget"
	"gulo/internal/native"
	"gulo/internal/repair/textedit"
)

// This file finds out what single edits do to the tests, for localization: an edit with which a failing test passes and
// no test breaks is at the fault or near it.

// Effect is what one edit does to the tests.
type Effect struct {
	Edit   *textedit.Edit
	Mended int // failing tests that pass with it
	Broken int // passing tests that fail with it; half of them if that is unknown because the time was up
}

// Effects are the effects of all edits.
type Effects struct {
	List    []Effect // edits that change a failing test, those that come closest to a repair first
	Failing int      // tests that the program fails
	Tests   int
	Edits   int // edits that were tried
	Cut     bool
}

// Measure tries every edit alone. If no test fails, there are no effects. The error is a *native.CompileError if gcc
// rejects the program with its edits in every form.
func Measure(ctx context.Context, p *Problem) (*Effects, error) {
	if p.Limit == 0 {
		p.Limit = 10 * time.Second
	}
	if p.Progress == nil {
		p.Progress = func(string, ...any) {}
	}
	s := &Search{p: p, until: budget.After(ctx, p.Limit), res: &Result{}, tried: map[string]bool{}}
	seen, err := s.measure(ctx)
	if err != nil || s.bad == 0 {
		return &Effects{Tests: len(p.Tests), Cut: s.res.Cut}, err
	}
	c, funcs := p.space(seen), p.Funcs
	if s.ranked != nil { // too many for all edits: only the cheapest, in functions that failing tests execute
		c.Cheap, funcs = true, s.ranked.all
	}
	sp := textedit.New(c)
	for _, f := range funcs {
		if s.ranked == nil || sp.Total < mostListedAtOnce {
			sp.Function(f)
		}
	}
	sp.Prune(textedit.MostEdits)
	s.sp = sp
	if err := s.compile(ctx, sp.Sites); err != nil {
		return nil, err
	}
	defer s.prog.Close()
	e := &Effects{Failing: s.bad, Tests: len(s.order), Edits: len(s.byID) - 1}
	err = s.effects(ctx, e)
	e.Cut = s.res.Cut
	return e, err
}

// effects runs all tests with every edit.
func (s *Search) effects(ctx context.Context, e *Effects) error {
	jobs := []job{{0, 0}}
	for id := 1; id < len(s.byID); id++ {
		if s.byID[id].Cost < textedit.HalfCost { // half of an edit has no effect by itself
			jobs = append(jobs, job{id, 0})
		}
	}
	sort.SliceStable(jobs[1:], func(a, b int) bool { return s.byID[jobs[1+a].g].Cost < s.byID[jobs[1+b].g].Cost })
	failing, err := s.runAll(ctx, s.p.Tests, []ask{{0, jobs, s.order[:s.bad]}}, true)
	if err != nil {
		return err
	}
	var plain uint64
	for _, x := range failing.Profiled {
		if x.G == 0 {
			plain = x.All
		}
	}
	at := map[int]int{}
	var moved []job
	for _, x := range failing.Profiled {
		if x.All != plain {
			at[x.G] = len(e.List)
			e.List = append(e.List, Effect{Edit: s.byID[x.G], Mended: count(x.Met, true)})
			moved = append(moved, job{x.G, 0})
		}
	}
	if len(s.order) > s.bad {
		sort.SliceStable(moved, func(a, b int) bool { return e.List[at[moved[a].g]].Mended > e.List[at[moved[b].g]].Mended })
		for i := range e.List {
			e.List[i].Broken = (len(s.order) - s.bad + 1) / 2
		}
		met, err := s.runAll(ctx, s.p.Tests, []ask{{0, moved, s.order[s.bad:]}}, true)
		if err != nil {
			return err
		}
		for _, x := range met.Profiled {
			e.List[at[x.G]].Broken = count(x.Met, false)
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

func count(list []bool, what bool) int {
	n := 0
	for _, x := range list {
		if x == what {
			n++
		}
	}
	return n
}

// Unbuildable says why gcc rejects the program with its edits, if the error is about that.
func Unbuildable(err error) (why string, ok bool) {
	var ce *native.CompileError
	if ok = errors.As(err, &ce); ok {
		why = ce.Reason()
	}
	return why, ok
}
