package schema

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"gulo/internal/native"
	"gulo/internal/repair/textedit"
	"gulo/internal/timing"
)

// This file chooses by hints: tests that the program fails and whose expected output is uncertain. Of the repairs that
// meet the demands, those that meet most hints are judged first, and afterwards only repairs that meet clearly more.

// Hints are additional tests of a problem that need not all be met.
type Hints struct {
	// Tests makes the hints, once, when the first repair meets the demands. The returned number of tests at the
	// beginning are those that say most.
	Tests func(context.Context) ([]native.Test, int, error)

	// Try judges a repair; met is the share of the hints that it meets.
	Try func(ctx context.Context, r *Repair, met float64) (Verdict, error)
}

// Bounds on using hints.
const (
	hintRuns    = 8000 // runs for a list of repairs
	fewHints    = 60   // hints on which each repair is run at least
	leastHints  = 3    // hints that a repair must meet at least
	heldRuns    = 60   // of the passing and held-back tests
	brokenShare = 30   // one in so many of these may be broken
	unasked     = 0.2  // share of the hints, beyond the best repair's, that a repair is assumed to meet if it was not run
	mostLossy   = 3    // repairs that lose a run are judged up to this number; then only those that meet more hints
	hintLevels  = 20   // levels between none and the best repair's hints: smaller differences mean nothing
)

// hinted keeps repairs that break hardly any passing test and meet more hints than any judged so far, those with the
// most hints first.
func (s *Search) hinted(ctx context.Context, list []waiting) ([]waiting, error) {
	if s.p.Hints == nil || len(list) == 0 {
		return list, nil
	}
	defer timing.Begin(ctx, "schema: hints").End("%d", len(list))
	held := sample(s.met(), heldRuns)
	kept, err := s.meets(ctx, list, held)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(w waiting) bool {
		met, asked := kept[w.job]
		return asked && (len(held)-count(met, true))*brokenShare > len(held)
	})
	if len(list) == 0 {
		return nil, nil
	}
	if s.hints == nil {
		if s.hints, s.telling, err = s.p.Hints.Tests(ctx); err != nil {
			return nil, err
		}
	}
	hints := sample(s.hints, max(hintRuns/len(list), fewHints))
	mended, err := s.meets(ctx, list, hints)
	if err != nil {
		return nil, err
	}
	telling := 0 // number of those drawn that say most
	for telling < len(hints) && telling*len(s.hints)/len(hints) < s.telling {
		telling++
	}
	most, mostTold := 0, 0
	for i := range list {
		w := &list[i]
		n := count(mended[w.job], true)
		most = max(most, n)
		if s.kept != nil && !s.far && len(mended[w.job]) > 0 {
			w.told = count(mended[w.job][:telling], true)
			mostTold = max(mostTold, w.told)
		}
		if w.mended = float64(n) / float64(max(len(hints), 1)); n < leastHints {
			w.mended = 0
		}
		if _, asked := mended[w.job]; !asked { // there was no time; the judge will count
			w.mended = s.best + unasked
		}
	}
	list = slices.DeleteFunc(list, func(w waiting) bool { return !s.better(&w) })
	level := func(n float64, most int) int { return int(hintLevels * n / float64(max(most, 1))) }
	all := func(w *waiting) int { return level(w.mended*float64(len(hints)), most) }
	told := func(w *waiting) int { return level(float64(w.told), mostTold) }
	slices.SortStableFunc(list, func(v, w waiting) int { return cmp.Or(told(&w)-told(&v), all(&w)-all(&v)) })
	return list, nil
}

// met returns the tests that the program meets: those known, and those held back.
func (s *Search) met() []native.Test {
	var out []native.Test
	for _, n := range s.order[min(s.bad, len(s.order)):] {
		out = append(out, s.p.Tests[n])
	}
	return append(out, s.p.Held...)
}

// lenient judges edits with which all failing tests pass, but not all passing tests: even a right program may not meet
// these.
func (s *Search) lenient(ctx context.Context) error {
	if s.p.Hints == nil || s.bad == len(s.order) || s.learned > 0 {
		return nil
	}
	defer timing.Begin(ctx, "schema: leniently").End("")
	var jobs []job
	for _, x := range s.single {
		if x.Failing >= s.bad && x.Failing < len(s.order) { // the failing tests come first, and all of them pass
			jobs = append(jobs, job{x.G, x.H})
		}
	}
	return s.report(ctx, s.waiting(jobs))
}

// meets returns which of some tests each repair meets. Repairs for which there was no time are missing.
func (s *Search) meets(ctx context.Context, list []waiting, tests []native.Test) (map[job][]bool, error) {
	out := map[job][]bool{}
	if len(tests) == 0 {
		return out, nil
	}
	var jobs []job
	for _, w := range list {
		jobs = append(jobs, w.job)
	}
	a, err := s.runAll(ctx, tests, []ask{{0, jobs, identity(len(tests))}}, true)
	if err != nil {
		return nil, err
	}
	for _, x := range a.Profiled {
		out[job{x.G, x.H}] = x.Met
	}
	return out, nil
}

// sample draws up to n tests at equal distances.
func sample(tests []native.Test, n int) []native.Test {
	if len(tests) <= n {
		return tests
	}
	out := make([]native.Test, 0, n)
	for i := range n {
		out = append(out, tests[i*len(tests)/n])
	}
	return out
}

// better reports whether a repair meets clearly more hints than any that was kept. An edit on top of the kept repair
// needs to meet only a few more: most remaining hints cannot be met, and what the edit breaks is checked.
func (s *Search) better(w *waiting) bool {
	if s.kept != nil && s.far && slices.ContainsFunc(w.Edits, func(e *textedit.Edit) bool { return e.Cost >= farCost && !slices.Contains(s.kept.Edits, e) }) {
		return false
	}
	if s.kept != nil && len(w.Edits) > len(s.kept.Edits) && w.mended > s.best+onTopShare*(1-s.best) {
		return true
	}
	return hintLevels*w.mended > (hintLevels+1)*s.best || w.mended == 1 && s.best < 1
}

// judge judges a repair.
func (s *Search) judge(ctx context.Context, w *waiting) (Verdict, error) {
	if s.p.Hints == nil {
		return s.p.Try(ctx, &w.Repair)
	}
	if !s.better(w) {
		return Verdict{Refuted: true}, nil
	}
	v, err := s.p.Hints.Try(ctx, &w.Repair, w.mended)
	if err == nil && v.By == nil && (!v.Refuted || v.Kept) {
		s.best, s.kept = w.mended, w
	}
	if err == nil && v.By == nil && v.Base && !v.Kept { // another repair that meets as many hints may lose nothing
		if s.lossy++; s.lossy == mostLossy {
			s.best = max(s.best, w.mended)
		}
		if s.kept == nil {
			s.kept = w
		}
	}
	return v, err
}

// Bounds of the search on top of a repair that meets a part of the hints.
const (
	leftHints  = 8                       // remaining hints that are used
	asideRuns  = 400                     // runs to find them
	farCost    = textedit.CostInsert + 1 // edits cost less than this if none of the hints that say most remains
	onTopShare = 0.01                    // share of the remaining hints that one more edit must meet
)

// onKept tries every edit on top of the best kept repair, if that is a single edit. With two faults, one shows in the
// run in hand, and the other in the hints that remain.
func (s *Search) onKept(ctx context.Context) error {
	k := s.kept
	if k == nil || len(k.Edits) != 1 || s.moves[k.job] != nil {
		return nil
	}
	g := k.Edits[0].ID // it may have been compiled again since
	if g == 0 || g >= len(s.byID) || s.byID[g] != k.Edits[0] {
		return nil
	}
	defer timing.Begin(ctx, "schema: on top of what mends a part").End("")
	left, most, err := s.leftBy(ctx, g)
	if err != nil {
		return err
	}
	s.far = most == farCost
	var jobs []job
	for id := 1; id < len(s.byID); id++ {
		if e := s.byID[id]; e.Cost < most && e.Site != k.Edits[0].Site {
			jobs = append(jobs, job{g, id})
		}
	}
	sort.SliceStable(jobs, func(a, b int) bool { return s.cost(jobs[a]) < s.cost(jobs[b]) })
	met := map[job]bool{}
	for i := range left {
		tests := append([]native.Test{left[i]}, s.p.Tests...)
		a, err := s.runAll(ctx, tests, []ask{{g, jobs, identity(len(tests))}}, false)
		if err != nil {
			return err
		}
		for _, x := range a.Screened {
			if x.Failing == len(tests) {
				met[job{x.G, x.H}] = true
			}
		}
	}
	var list []job
	for _, j := range jobs {
		if met[j] {
			list = append(list, j)
		}
	}
	return s.report(ctx, s.waiting(list))
}

// leftBy returns hints that an edit does not meet, more of those that say most than of others. If only others remain,
// costly edits are no answer to them: edits on top must cost less than most.
func (s *Search) leftBy(ctx context.Context, g int) (out []native.Test, most int, err error) {
	most = farCost
	for i, some := range [][]native.Test{s.hints[:s.telling], s.hints[s.telling:]} {
		hints := sample(some, asideRuns)
		if len(hints) == 0 {
			continue
		}
		a, err := s.runAll(ctx, hints, []ask{{0, []job{{g, 0}}, identity(len(hints))}}, true)
		if err != nil || len(a.Profiled) != 1 {
			return nil, 0, err
		}
		var left []native.Test
		for k, ok := range a.Profiled[0].Met {
			if !ok {
				left = append(left, hints[k])
			}
		}
		n := leftHints
		if i == 0 && len(left) > 0 {
			most = textedit.HalfCost
		}
		if i == 1 && len(out) > 0 {
			n = leftHints / 4
		}
		sort.SliceStable(left, func(i, k int) bool { return size(&left[i]) < size(&left[k]) })
		out = append(out, sample(left[:(2*len(left)+2)/3], n)...) // in short runs a third mistake is unlikely
	}
	return out, most, nil
}
