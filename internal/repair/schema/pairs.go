package schema

import (
	"context"
	"slices"
	"sort"
	"time"

	"gulo/internal/budget"
	"gulo/internal/native"
	"gulo/internal/plural"
	"gulo/internal/repair/textedit"
	"gulo/internal/timing"
)

// This file searches pairs of edits, for programs with two faults. Half of such a repair can be recognized by its
// effect on the tests: some failing tests pass and none breaks; or it only changes what failing tests do; or, if the
// faults hide each other, it breaks others. Bases are taken in this order, and every other edit is tried on top of
// each.

// Bounds of the search for pairs.
const (
	mostAlikeBases = 3 // bases with the same behaviour
	mostHalves     = 4000
	mostTogether   = 24  // bases in one process
	mostWeighed    = 300 // bases that are run on held-back tests
	mostWeights    = 50  // of these tests
	costlyHalf     = 12  // edits that cost more are not tried as half of a pair
)

// base is an edit on top of which others are tried.
type base struct {
	native.Profiled
	order          []int // tests to which Met refers
	mended, broken int
	cost           int
	distance       int // of the output from the expected one, if known
}

func (s *Search) pairs(ctx context.Context) error {
	defer timing.Begin(ctx, "schema: pairs").End("")
	if len(s.p.Held) > 0 && !s.sorted { // with many runs halves can be recognized, and one of the two is usually cheap
		if s.cheap == nil {
			var err error
			if s.cheap, err = s.bases(ctx, textedit.Cheapest); err != nil || s.res.Cut {
				return err
			}
			if err := s.climb(ctx, s.cheap); err != nil || s.ended() {
				return err
			}
		}
		if err := s.onTop(ctx, &s.cheap, s.until); err != nil || s.ended() {
			return err
		}
	}
	if !s.sorted && len(s.p.Held) == 0 {
		if err := s.mistaken(ctx); err != nil || s.ended() {
			return err
		}
	}
	if !s.sorted {
		all, err := s.bases(ctx, costlyHalf)
		if err != nil || s.res.Cut {
			return err
		}
		s.sorted = true
		s.halves = slices.DeleteFunc(slices.Clone(all), func(b base) bool { return b.H != 0 || len(s.p.Held) > 0 && b.cost <= textedit.Cheapest })
		if s.deeper, err = s.nearer(ctx, all); err != nil || s.ended() {
			return err
		}
		if err := s.climb(ctx, all); err != nil || s.ended() {
			return err
		}
		if s.p.Step && s.climbed { // the next step looked for pairs
			return nil
		}
	}
	if len(s.p.Held) == 0 { // with few runs, outputs tell the halves
		if err := s.goDeeper(ctx, false); err != nil || s.ended() || s.p.Quick {
			return err
		}
		if len(s.deeper) > 0 { // pairs come before triples
			if err := s.onTop(ctx, &s.halves, budget.Part(ctx, s.until, 2)); err != nil || s.ended() {
				return err
			}
			if err := s.goDeeper(ctx, true); err != nil || s.ended() {
				return err
			}
		}
	}
	if err := s.onTop(ctx, &s.halves, s.until); err != nil || s.ended() {
		return err
	}
	return s.goDeeper(ctx, true)
}

// Bounds of pairs of a known mistake and a minor change.
const (
	mistakenCost = 3
	mostMistaken = 4000
)

// mistaken tries known mistakes together with edits of literals and operators. Each of the two may break what the other
// corrects: a newline that one removes is missing until the other adds one. With few tests the halves cannot be
// recognized.
func (s *Search) mistaken(ctx context.Context) error {
	var jobs []job
	for g := 1; g < len(s.byID); g++ {
		a := s.byID[g]
		if !a.Suggested || a.Cost > mistakenCost {
			continue
		}
		for h := 1; h < len(s.byID); h++ {
			if b := s.byID[h]; b.Cost <= textedit.CostLiteral && b.Site != a.Site && !(b.Suggested && h < g) {
				jobs = append(jobs, job{g, h})
			}
		}
	}
	if len(jobs) == 0 || len(jobs) > mostMistaken {
		return nil
	}
	a, err := s.runAll(ctx, s.p.Tests, []ask{{0, jobs, s.order}}, false)
	if err != nil {
		return err
	}
	var met []job
	for _, x := range a.Screened {
		if x.Failing == len(s.order) {
			met = append(met, job{x.G, x.H})
		}
	}
	return s.report(ctx, s.waiting(met))
}

// ended reports whether the search has found enough or no time is left.
func (s *Search) ended() bool { return s.done || len(s.res.Repairs) > 0 || s.res.Cut }

// onTop tries every edit on top of bases until a time. It removes these bases from the list.
func (s *Search) onTop(ctx context.Context, list *[]base, until time.Time) error {
	s.p.Progress("trying pairs on top of %s", plural.N(len(*list), "edit"))
	for n := 2; len(*list) > 0; n = min(2*n, mostTogether) {
		if budget.Over(ctx, until) {
			s.res.Cut = s.res.Cut || budget.Over(ctx, s.until)
			return nil
		}
		some := (*list)[:min(n, len(*list))]
		if err := s.build(ctx, some); err != nil || s.ended() {
			return err
		}
		*list = (*list)[len(some):]
	}
	return nil
}

// goDeeper starts searches on top of edits that bring the output nearer: for one more edit or, with two, for two, after
// which these edits are done.
func (s *Search) goDeeper(ctx context.Context, two bool) (err error) {
	list := s.deeper
	if s.p.Nearer == nil || len(list) == 0 || !two && s.topped {
		return nil
	}
	if s.topped = true; two {
		s.deeper = nil
	}
	s.done, err = s.p.Nearer(ctx, list, two)
	return err
}

// bases lists the edits up to a cost that change what the tests do, at most mostAlikeBases for each behaviour, the most
// promising first.
func (s *Search) bases(ctx context.Context, most int) ([]base, error) {
	var jobs []job
	for id := 1; id < len(s.byID); id++ {
		if e := s.byID[id]; e.Cost <= most {
			jobs = append(jobs, job{id, 0})
		}
	}
	if s.p.Nearer != nil && most > textedit.Cheapest {
		for j := range s.moves {
			jobs = append(jobs, j)
		}
	}
	sort.SliceStable(jobs, func(a, b int) bool {
		if x, y := s.cost(jobs[a]), s.cost(jobs[b]); x != y {
			return x < y
		}
		return jobs[a].g < jobs[b].g || jobs[a].g == jobs[b].g && jobs[a].h < jobs[b].h
	})
	jobs = append([]job{{0, 0}}, s.hopeful(jobs)...)
	list, err := s.profiled(ctx, jobs)
	if err != nil {
		return nil, err
	}
	var plain uint64
	for _, p := range list {
		if p.G == 0 {
			plain = p.All
		}
	}
	s.luck = lucky(list, plain, s.bad)
	var out []base
	for _, p := range list {
		if p.G == 0 || p.All == plain {
			continue
		}
		b := base{Profiled: p, order: slices.Clone(s.order), cost: s.cost(job{p.G, p.H})}
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
	if most > textedit.Cheapest {
		if s.plain, err = s.distances(ctx, out); err != nil {
			return nil, err
		}
	}
	s.sortBases(out)
	if err := s.weigh(ctx, out[:min(len(out), mostWeighed)]); err != nil {
		return nil, err
	}
	s.sortBases(out)
	seen := map[uint64]int{}
	out = slices.DeleteFunc(out, func(b base) bool {
		seen[b.All]++
		return seen[b.All] > mostAlikeBases
	})
	return append([]base{}, out...), nil
}

// profiled runs jobs on all tests, except those whose result is known.
func (s *Search) profiled(ctx context.Context, jobs []job) ([]native.Profiled, error) {
	var out []native.Profiled
	var rest []job
	for _, j := range jobs {
		if x, ok := s.known[j]; ok && len(x.Met) == len(s.order) {
			out = append(out, x)
		} else {
			rest = append(rest, j)
		}
	}
	if len(rest) == 0 {
		return out, nil
	}
	a, err := s.runAll(ctx, s.p.Tests, []ask{{0, rest, s.order}}, true)
	if err != nil {
		return nil, err
	}
	return append(out, a.Profiled...), nil
}

// mostNearer bounds the edits that are tried in pairs because each alone brings the output nearer to the expected one.
const mostNearer = 200

// mostDeeper bounds the edits on top of which a search of its own is made.
const mostDeeper = 6

// nearer tries pairs of edits that each bring the output nearer. It returns the edits that bring it nearest, for
// searches on top of them.
func (s *Search) nearer(ctx context.Context, bases []base) (deeper []Repair, err error) {
	var some []base
	for _, b := range bases {
		if b.broken == 0 && b.distance < s.plain {
			some = append(some, b)
		}
	}
	sort.SliceStable(some, func(i, k int) bool { return some[i].distance < some[k].distance })
	some = some[:min(len(some), mostNearer)]
	var jobs []job
	for i := range some {
		for k := range i {
			if some[i].H == 0 && some[k].H == 0 && s.byID[some[i].G].Site != s.byID[some[k].G].Site {
				jobs = append(jobs, job{some[k].G, some[i].G})
			}
		}
	}
	seen := map[uint64]bool{}
	for _, b := range some {
		if seen[b.All] || len(deeper) == mostDeeper {
			continue
		}
		seen[b.All] = true
		if r, ok := s.half(b); ok {
			deeper = append(deeper, r)
		}
	}
	if len(jobs) == 0 {
		return deeper, nil
	}
	s.p.Progress("trying %s of %s that bring the output nearer", plural.N(len(jobs), "pair"), plural.N(len(some), "edit"))
	a, err := s.runAll(ctx, s.p.Tests, []ask{{0, jobs, s.order}}, false)
	if err != nil {
		return deeper, err
	}
	var met []job
	for _, x := range a.Screened {
		if x.Failing == len(s.order) {
			met = append(met, job{x.G, x.H})
		}
	}
	return deeper, s.report(ctx, s.waiting(met))
}

// hopeful keeps the cheapest jobs, and of the others those that change the first failing test.
func (s *Search) hopeful(jobs []job) []job {
	if len(jobs) <= mostHalves {
		return jobs
	}
	first, times := map[job]uint64{}, map[uint64]int{}
	for _, x := range s.single {
		first[job{x.G, x.H}] = x.First
		times[x.First]++
	}
	plain := uint64(0) // most edits do not change it
	for h, n := range times {
		if n > times[plain] || n == times[plain] && h < plain {
			plain = h
		}
	}
	out := slices.Clone(jobs[:mostHalves])
	for _, j := range jobs[mostHalves:] {
		if h, ok := first[j]; ok && h != plain && len(out) < 2*mostHalves {
			out = append(out, j)
		}
	}
	return out
}

// sortBases sorts bases: those that correct most and break nothing come first.
func (s *Search) sortBases(list []base) {
	rank := func(b *base) int { // of those that correct nothing and break tests, the least broken come first
		switch {
		case b.mended > 0 && b.broken == 0:
			return -1000 - b.mended
		case b.mended > 3*b.broken:
			return -500 - b.mended + 3*b.broken
		case b.broken == 0 && b.distance < s.plain:
			return -60
		case b.broken == 0:
			return -50
		}
		return b.broken - b.mended
	}
	sort.SliceStable(list, func(a, b int) bool {
		x, y := rank(&list[a]), rank(&list[b])
		if x != y {
			return x < y
		}
		if x == -60 && list[a].distance != list[b].distance {
			return list[a].distance < list[b].distance
		}
		if list[a].cost != list[b].cost {
			return list[a].cost < list[b].cost
		}
		return list[a].G < list[b].G
	})
}

// weigh also counts what bases correct and break of the held-back tests: few tests fail because of one fault alone, but
// of many some do.
func (s *Search) weigh(ctx context.Context, list []base) error {
	if len(s.p.Held) == 0 || len(list) == 0 {
		return nil
	}
	var tests []native.Test
	for i := 0; i < len(s.p.Held); i += max(1, len(s.p.Held)/mostWeights) {
		tests = append(tests, s.p.Held[i])
	}
	jobs := []job{{0, 0}}
	at := map[int]*base{}
	for i := range list {
		jobs = append(jobs, job{list[i].G, 0})
		at[list[i].G] = &list[i]
	}
	prof, err := s.runAll(ctx, tests, []ask{{0, jobs, identity(len(tests))}}, true)
	if err != nil {
		return err
	}
	var plain []bool
	for _, p := range prof.Profiled {
		if p.G == 0 {
			plain = p.Met
		}
	}
	for _, p := range prof.Profiled {
		b := at[p.G]
		if b == nil || len(plain) != len(p.Met) {
			continue
		}
		for i, ok := range p.Met {
			switch {
			case ok && !plain[i]:
				b.mended++
			case !ok && plain[i]:
				b.broken++
			}
		}
	}
	return nil
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
			if e := s.byID[id]; e.Cost < textedit.HalfCost && e.Site != s.byID[b.G].Site {
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
	more, err := s.beside(ctx, met)
	if err != nil {
		return err
	}
	return s.report(ctx, s.waiting(append(met, more...)))
}

// mostBeside bounds the pairs around which others are tried.
const mostBeside = 4

// beside tries other edits, not more expensive, at the places of the cheapest pairs that meet all tests: a pair's first
// half is only the one that was tried early.
func (s *Search) beside(ctx context.Context, met []job) (more []job, err error) {
	known := map[job]bool{}
	for _, j := range met {
		known[j], known[job{j.h, j.g}] = true, true
	}
	met = slices.Clone(met)
	sort.SliceStable(met, func(a, b int) bool { return s.cost(met[a]) < s.cost(met[b]) })
	var jobs []job
	for _, j := range met[:min(len(met), mostBeside)] {
		for _, half := range [][2]int{{j.g, j.h}, {j.h, j.g}} {
			for _, e := range s.byID[half[0]].Site.Edits {
				k := job{e.ID, half[1]}
				if e.ID > 0 && e.Cost <= s.byID[half[0]].Cost && !known[k] {
					known[k], known[job{k.h, k.g}] = true, true
					jobs = append(jobs, k)
				}
			}
		}
	}
	if len(jobs) == 0 {
		return nil, nil
	}
	a, err := s.screen(ctx, jobs, s.order)
	for _, x := range a {
		if x.Failing == len(s.order) {
			more = append(more, job{x.G, x.H})
		}
	}
	return more, err
}

// unmetFirst orders the tests: those that a base fails come first.
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

// Bounds on measuring how near an edit comes.
const (
	mostShown = 250 // behaviours that are measured
	mostAsked = 2   // failing tests that are run
	tooFar    = 1 << 20
)

// distances sets how far the output with each base is from the expected one, and returns this distance without a base.
// Bases with the same behaviour have the same distance.
func (s *Search) distances(ctx context.Context, list []base) (plain int, err error) {
	if s.p.Distance == nil {
		return 0, nil
	}
	var shown []int // indices of bases
	seen := map[uint64]int{}
	for i := range list {
		if _, ok := seen[list[i].All]; !ok && len(shown) < mostShown {
			seen[list[i].All] = len(shown)
			shown = append(shown, i)
		}
	}
	ask := s.order[:min(s.bad, mostAsked)]
	ses := s.session(s.p.Tests)
	for _, n := range ask {
		ses.Show(0, 0, n)
	}
	for _, i := range shown {
		for _, n := range ask {
			ses.Show(list[i].G, list[i].H, n)
		}
	}
	a, err := s.prog.Run(ctx, ses, s.left(ctx))
	if err != nil {
		return 0, err
	}
	of := func(k int) int {
		sum := 0
		for j, n := range ask {
			if x := k*len(ask) + j; x >= len(a.Printed) || !a.Printed[x].Ended() {
				sum += tooFar
			} else {
				sum += s.p.Distance(a.Printed[x].Stdout, s.p.Tests[n].Stdout)
			}
		}
		return sum
	}
	far := make([]int, len(shown))
	for k := range shown {
		far[k] = of(k + 1)
	}
	for i := range list {
		list[i].distance = 2 * tooFar
		if k, ok := seen[list[i].All]; ok {
			list[i].distance = far[k]
		}
	}
	return of(0), nil
}
