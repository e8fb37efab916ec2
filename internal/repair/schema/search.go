package schema

import (
	"context"
	"slices"
	"time"

	"gulo/internal/budget"
	"gulo/internal/native"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file is what all parts of a search ask of it: its problem, its sessions with the harness, what it costs, what is
// left.

// number numbers the edits of sites.
func number(sites []*textedit.Site) (byID []*textedit.Edit) {
	byID = []*textedit.Edit{nil}
	for _, s := range sites {
		for _, e := range s.Edits {
			e.ID = len(byID)
			byID = append(byID, e)
		}
	}
	return byID
}

// placesOf lists for each edit the number of the first edit at its place.
func placesOf(sites []*textedit.Site) (out []int) {
	for _, st := range sites {
		for range st.Edits {
			out = append(out, st.Edits[0].ID)
		}
	}
	return out
}

func size(t *native.Test) int {
	n := len(t.Stdin)
	for _, a := range t.Args {
		n += len(a) + 1
	}
	return n
}

// refuse announces that no suggested edit meets all tests.
func (s *Search) refuse() {
	s.refused = true
	s.told.Happens()
}

// wanted keeps the repairs that are to be judged now.
func (s *Search) wanted(list []waiting) []waiting {
	return slices.DeleteFunc(list, func(w waiting) bool {
		switch {
		case s.first == OfSuggested: // an edit that changes nothing but failing tests is often chance
			return w.unseen || slices.ContainsFunc(w.Edits, func(e *textedit.Edit) bool { return !e.Suggested })
		case s.first == OfCheapest || s.more && s.ranked == nil: // others may be better than those that change much
			return w.score() > textedit.PerCost*(textedit.Cheapest+1)
		}
		return false
	})
}

// cheap returns copies of sites with only their cheapest and their suggested edits, and makes these edits point to the
// copies.
func cheap(sites []*textedit.Site) []*textedit.Site {
	var out []*textedit.Site
	for _, st := range sites {
		c := *st
		c.Edits = nil
		for _, e := range st.Edits {
			if e.Cost <= textedit.Cheapest || e.Suggested {
				c.Edits = append(c.Edits, e)
				e.Site = &c
			}
		}
		if len(c.Edits) > 0 {
			out = append(out, &c)
		}
	}
	return out
}

// stepsFor returns the limit on steps for edited programs if the most steps seen in a run are n. The factor is larger
// for small n, because every edit that does not end costs the whole limit.
func stepsFor(n int64) int64 { return min(12*n, 2*n+1_000_000) + 4_000 }

// space configures which edits are listed.
func (p *Problem) space(m *measured) textedit.Config {
	return textedit.Config{Tree: p.Tree, Free: p.Free, Tests: p.Tests, Printed: m.printed, Away: m.cover.away, Forced: m.forced}
}

func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func (s *Search) left(ctx context.Context) time.Duration {
	return max(budget.Until(ctx, s.until), 50*time.Millisecond)
}

// session begins a session with tests.
func (s *Search) session(tests []native.Test) *native.Session {
	ses := &native.Session{}
	ses.Limit(runTime, s.steps)
	for i := range tests {
		ses.Add(&tests[i])
	}
	return ses
}

// cost returns the cost of an edit, a move, or two edits.
func (s *Search) cost(j job) int {
	if m := s.moves[j]; m != nil {
		return m.Cost
	}
	c := s.byID[j.g].Cost
	if j.h != 0 {
		c += s.byID[j.h].Cost
	}
	return c
}

// edits returns the edits of a job.
func (s *Search) edits(j job) []*textedit.Edit {
	switch m := s.moves[j]; {
	case m != nil:
		return []*textedit.Edit{m}
	case j.h == 0:
		return []*textedit.Edit{s.byID[j.g]}
	}
	return []*textedit.Edit{s.byID[j.g], s.byID[j.h]}
}

// StepLimit returns the limit on steps for edited programs if the unedited one makes n steps; n is 0 if it did not end.
func StepLimit(n int64) int64 {
	if n == 0 {
		n = 100_000
	}
	return stepsFor(n)
}

// likelySteps estimates how many loop iterations and calls the tests take if nobody has seen them end. Programs with
// small inputs and outputs make few, but they may count up to a number that is read. Edits of a program that ends on no
// test are tried with this estimate, and most of them do not end either.
func likelySteps(tests []native.Test) int64 {
	n := int64(2_000)
	for i := range tests {
		t := &tests[i]
		n = max(n, int64(100*(size(t)+len(t.Stdout))), 20*min(counts(t), mostLikelySteps))
	}
	return min(n, mostLikelySteps)
}

// counts returns the number up to which a right program may count on a test: the largest of its input and output.
func counts(t *native.Test) int64 {
	return source.LargestNumber(append([]string{t.Stdin, t.Stdout}, t.Args...)...)
}

// mostCounted is the most that a program is expected to count up to, if nothing but the numbers that it reads says so.
const mostCounted = 10_000

// expect announces the repairs that will be judged.
func (s *Search) expect(list []waiting) {
	if s.p.Expect == nil || len(list) == 0 {
		return
	}
	var all []Repair
	for _, w := range list {
		all = append(all, w.Repair)
	}
	s.p.Expect(all)
}
