package schema

import (
	"context"
	"slices"

	"gulo/internal/budget"
	"gulo/internal/native"
	"gulo/internal/repair/textedit"
	"gulo/internal/timing"
)

// This file judges the repairs that meet all known tests, the cheapest first. The judge also makes up tests.

// waiting is a repair that meets all known tests and is to be judged.
type waiting struct {
	Repair
	job     job
	changes int // percentage of the inputs near the tests on which it changes the output
	excess  int // by which this exceeds the share of the failing tests
	odd     int // penalty for its text and its behaviour
	agree   int // bonus: other repairs behave the same

	mended float64 // share of the hints that it meets, if there are hints
	told   int     // number of the hints that say most that it meets, on top of a kept repair that leaves some of these
	unseen bool    // it changes nothing on inputs near the tests
}

// waiting makes repairs of jobs, the cheapest first.
func (s *Search) waiting(met []job) []waiting {
	var list []waiting
	for _, j := range met {
		r := Repair{Edits: s.edits(j), Cost: s.cost(j)}
		if r.Cost >= textedit.HalfCost {
			continue
		}
		if j.g != 0 && j.h != 0 {
			r.Chance = s.luck
		}
		var ok bool
		if r.Texts, ok = textedit.Apply(r.Edits...); ok {
			list = append(list, waiting{Repair: r, job: j, odd: s.words().Oddity(r.Edits)})
		}
	}
	order(list)
	return list
}

// report judges repairs, the cheapest first, and each text once. A test that refutes one is run on those that wait.
func (s *Search) report(ctx context.Context, list []waiting) error {
	s.early.halt()
	defer func() {
		if !s.done {
			s.early.resume()
		}
	}()
	s.expect(list)
	list, err := s.hold(ctx, list)
	if err != nil {
		return err
	}
	if list, err = s.likely(ctx, list); err != nil {
		return err
	}
	if err = s.leaks(ctx, list); err != nil {
		return err
	}
	s.elsewhere(list)
	list = s.wanted(list)
	if list, err = s.hinted(ctx, list); err != nil {
		return err
	}
	for len(list) > 0 && !s.done {
		if budget.Over(ctx, s.until) {
			s.res.Cut = true
			return nil
		}
		w := list[0]
		list = list[1:]
		k := s.key(&w.Repair)
		if s.tried[k] {
			continue
		}
		s.tried[k] = true
		if err := s.confirmed(ctx, &w); err != nil {
			return err
		}
		span := timing.Begin(ctx, "judge")
		v, err := s.judge(ctx, &w)
		span.End("refuted: %v, cost %d", v.Refuted, w.Cost)
		if err != nil {
			return err
		}
		s.done = v.Enough
		if !v.Refuted {
			s.res.Repairs = append(s.res.Repairs, w.Repair)
			if s.done && len(s.p.Held) == 0 && len(s.p.Near) > 0 {
				s.res.Rival, err = s.rival(ctx, &w, list)
				return err
			}
			continue
		}
		s.res.Refuted++
		if v.By == nil {
			continue
		}
		if list, err = s.learn(ctx, *v.By, list); err != nil {
			return err
		}
	}
	return nil
}

// mostLearned bounds the held-back tests that become tests at a time.
const mostLearned = 6

// hold checks repairs natively on the held-back tests. Up to mostLearned of the tests that refute one become known
// tests.
func (s *Search) hold(ctx context.Context, list []waiting) ([]waiting, error) {
	if len(list) == 0 || len(s.p.Held) == 0 || s.p.Hints != nil { // with hints, a few held-back tests may be broken
		return list, nil
	}
	var jobs []job
	for _, w := range list {
		jobs = append(jobs, w.job)
	}
	defer timing.Begin(ctx, "schema: hold").End("%d on %d", len(jobs), len(s.p.Held))
	a, err := s.held(ctx, jobs)
	if err != nil {
		return nil, err
	}
	by := map[job]int{}
	for _, x := range a.Screened {
		by[job{x.G, x.H}] = x.Failing
	}
	var learn []int
	left := slices.DeleteFunc(list, func(w waiting) bool {
		n, ok := by[w.job]
		if ok && n < len(s.p.Held) && !slices.Contains(learn, n) {
			learn = append(learn, n)
		}
		return ok && n < len(s.p.Held)
	})
	left = pinned(left)
	s.expect(left)
	s.res.Refuted += len(jobs) - len(left)
	for i := 0; i < len(learn) && i < mostLearned; i++ {
		if left, err = s.learn(ctx, s.p.Held[learn[i]], left); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// mostForgotten bounds the held-back tests that turn out to say nothing.
const mostForgotten = 3

// held screens jobs on the held-back tests. One whose output is unknown, because the program itself ends in an error there, is
// forgotten if no job that comes to it ends within the steps, of two or more: what a right program does there may take longer.
func (s *Search) held(ctx context.Context, jobs []job) (*native.Answers, error) {
	for n := 0; ; n++ {
		if len(s.p.Held) == 0 {
			return &native.Answers{}, nil
		}
		a, err := s.runAll(ctx, s.p.Held, []ask{{0, jobs, identity(len(s.p.Held))}}, false)
		if err != nil || n == mostForgotten {
			return a, err
		}
		failing, later := map[int][]job{}, 0
		for _, x := range a.Screened {
			failing[x.Failing] = append(failing[x.Failing], job{x.G, x.H})
			later = max(later, x.Failing)
		}
		if list := failing[later]; later == len(s.p.Held) || len(list) < 2 || !s.p.Held[later].Any || !s.endless(ctx, list, later) {
			return a, nil
		}
		if s.p.Forget != nil {
			s.p.Forget(s.p.Held[later])
		}
		s.p.Held = slices.Delete(slices.Clone(s.p.Held), later, later+1)
	}
}

// endless reports whether no job ends on a held-back test.
func (s *Search) endless(ctx context.Context, jobs []job, test int) bool {
	ses := s.session(s.p.Held)
	for _, j := range jobs {
		ses.Show(j.g, j.h, test)
	}
	a, err := s.prog.Run(ctx, ses, s.left(ctx))
	return err == nil && len(a.Printed) == len(jobs) && !slices.ContainsFunc(a.Printed, func(o native.Outcome) bool { return !o.Endless() })
}

func (s *Search) key(r *Repair) string {
	k := ""
	for _, f := range s.p.Tree.Files {
		k += r.Texts[f.Name] + "\x00"
	}
	return k
}

// learn adds a test and returns the repairs that meet it. A known test, which refuted a repair by something other than
// its output, teaches nothing.
func (s *Search) learn(ctx context.Context, t native.Test, list []waiting) ([]waiting, error) {
	for i := range s.p.Tests {
		if o := &s.p.Tests[i]; o.Stdin == t.Stdin && slices.Equal(o.Args, t.Args) {
			return list, nil
		}
	}
	n := len(s.p.Tests)
	s.p.Tests = append(s.p.Tests, t)
	a, err := s.screen(ctx, []job{{0, 0}}, []int{n})
	if err != nil {
		return nil, err
	}
	if len(a) == 1 && a[0].Failing > 0 {
		s.order = append(s.order, n)
	} else {
		s.order = slices.Insert(s.order, 0, n)
		s.bad++
	}
	s.learned++
	return s.meeting(ctx, list, []int{n})
}

// meeting keeps the repairs that meet some tests.
func (s *Search) meeting(ctx context.Context, list []waiting, tests []int) ([]waiting, error) {
	if len(list) == 0 {
		return list, nil
	}
	var jobs []job
	for _, w := range list {
		jobs = append(jobs, w.job)
	}
	a, err := s.screen(ctx, jobs, tests)
	if err != nil {
		return nil, err
	}
	meets := map[job]bool{}
	for _, x := range a {
		meets[job{x.G, x.H}] = x.Failing == len(tests)
	}
	return slices.DeleteFunc(list, func(w waiting) bool { return !meets[w.job] }), nil
}
