// Package schema repairs programs by running thousands of edited programs natively.
//
// All edits of a program are written into one text, each behind its number (a mutant
// schema: Untch, Offutt and Harrold, "Mutation analysis using mutant schemata", ISSTA
// 1993), which is compiled once; package native then runs it with one edit after the
// other on the tests, a thousand runs a second. An edit of the text can be anything: a
// statement moved, two exchanged, a loop copied from elsewhere, another text printed.
// Programs that the abstract machine refuses are repaired, too.
//
// Two faults are found by pairs: an edit with which more tests are met, or which
// changes what becomes of a failing test without breaking others, and any other.
//
// Not supported: edits of declarations, of initializers of static data and of what
// macros expand to; tests other than whole runs.
package schema

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sort"
	"sync"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/process"
	"gulo/internal/source"
)

// Problem is a program with tests.
type Problem struct {
	Tree   *cfront.Program
	Flags  []string // for gcc
	Dir    string   // for includes
	Funcs  []*cfront.Func
	Free   func(f *source.File, line int) bool // lines that may change; nil: all
	Tests  []native.Test
	Steps  int64         // loops and calls that a run may make; 0: measured
	Limit  time.Duration // 0 means 10 s
	Single bool          // no pairs

	// Try judges a repair that meets all tests, the cheapest first. nil: the first twelve
	// are taken.
	Try func(ctx context.Context, r *Repair) (Verdict, error)
}

// Verdict is what Try says of a repair.
type Verdict struct {
	Refuted bool
	By      *native.Test // is learned: nothing that does not meet it comes again; may be nil
	Enough  bool         // the search may end
}

// Repair is edits with which all tests are met.
type Repair struct {
	Edits []*Edit
	Cost  int
	Texts map[string]string // of the files that change
}

// Result is what a search found.
type Result struct {
	Repairs []Repair // that were not refuted, in the order found
	Refuted int
	Failing int // tests that the program does not meet
	Edits   int // that were looked at
	Runs    int
	Cut     bool // the time was up
}

// search is a schema made ready.
type search struct {
	p      *Problem
	until  time.Time
	prog   *native.Program
	byID   []*Edit
	order  []int // of tests: failing ones first
	bad    int
	steps  int64
	res    *Result
	single []native.Screened
	tried  map[string]bool // texts
	done   bool            // enough was found
}

// Solve searches for repairs. With no failing test it returns none.
func Solve(ctx context.Context, p *Problem) (*Result, error) {
	if p.Limit == 0 {
		p.Limit = 10 * time.Second
	}
	if p.Try == nil {
		n := 0
		p.Try = func(context.Context, *Repair) (Verdict, error) {
			n++
			return Verdict{Enough: n >= 12}, nil
		}
	}
	s := &search{p: p, until: time.Now().Add(p.Limit), res: &Result{}, tried: map[string]bool{}}
	sp := newSpace(p)
	var hints *hints
	var err error
	if hints, err = s.measure(ctx); err != nil || s.bad == 0 {
		return s.res, err
	}
	sp.hints = hints
	for _, f := range p.Funcs {
		sp.function(f)
	}
	if err := s.compile(ctx, sp); err != nil {
		return nil, err
	}
	defer s.prog.Close()
	return s.res, s.run(ctx, sp)
}

func newSpace(p *Problem) *space {
	free := p.Free
	if free == nil {
		free = func(*source.File, int) bool { return true }
	}
	return &space{tree: p.Tree, free: free, sites: map[siteKey]*site{}, seen: map[string]*Edit{}, donors: map[*cfront.Func]*donors{}}
}

// stepsFor is how many steps a run may make when the most that was seen are n.
func stepsFor(n int64) int64 { return 20*n + 20_000 }

// runTime bounds one run; steps end nearly all that do not end.
const runTime = 400 * time.Millisecond

// measure runs the program as it is: which tests fail, and how.
func (s *search) measure(ctx context.Context) (*hints, error) {
	texts, _ := schemata(s.p.Tree, nil)
	prog, err := native.Build(ctx, texts, native.Config{Flags: s.p.Flags, Dir: s.p.Dir})
	if err != nil {
		return nil, err
	}
	defer prog.Close()
	if s.steps = s.p.Steps; s.steps == 0 {
		s.steps = stepsFor(100_000)
	}
	ses := s.session(identity(len(s.p.Tests)))
	for i := range s.p.Tests {
		ses.Print(i)
	}
	a, err := prog.Run(ctx, ses, s.left())
	if err != nil {
		return nil, err
	}
	h := &hints{}
	var good []int
	most := int64(-1)
	for i, o := range a.Printed {
		t := &s.p.Tests[i]
		if o.Ended() {
			most = max(most, o.Steps)
		}
		if o.Status == t.Exit && o.Stdout == t.Stdout {
			good = append(good, i)
			continue
		}
		s.order = append(s.order, i)
		if len(h.pairs) < mostPairs {
			h.pairs = append(h.pairs, pair{o.Stdout, t.Stdout})
		}
	}
	if s.p.Steps == 0 && most >= 0 {
		s.steps = stepsFor(most)
	}
	if s.res.Cut = a.Cut; a.Cut {
		return h, nil
	}
	s.bad = len(s.order)
	s.res.Failing = s.bad
	s.order = append(s.order, good...)
	return h, nil
}

func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func (s *search) left() time.Duration { return max(time.Until(s.until), 50*time.Millisecond) }

// session begins one with the tests in an order.
func (s *search) session(order []int) *native.Session {
	ses := &native.Session{}
	ses.Limit(runTime, s.steps)
	for _, i := range order {
		ses.Add(&s.p.Tests[i])
	}
	return ses
}

// compileRounds is how often edits that gcc refuses are taken out.
const compileRounds = 6

// compile makes the schema; edits that gcc refuses are left out.
func (s *search) compile(ctx context.Context, sp *space) error {
	for round := 0; ; round++ {
		s.byID = number(sp.order)
		texts, lines := schemata(s.p.Tree, sp.order)
		var err error
		s.prog, err = native.Build(ctx, texts, native.Config{Flags: s.p.Flags, Dir: s.p.Dir})
		var ce *native.CompileError
		if err == nil || !errors.As(err, &ce) {
			return err
		}
		bad := culprits(ce.Text, lines)
		if len(bad) == 0 || round == compileRounds {
			return err
		}
		for _, id := range bad {
			st := s.byID[id].site
			e := s.byID[id]
			st.edits = slices.DeleteFunc(st.edits, func(x *Edit) bool { return x == e })
			e.id = 0
		}
	}
}

// job is an edit, or two.
type job struct{ g, h int }

// runAll asks for jobs on all processors; the answers come in the order of jobs as far as time
// allows.
func (s *search) runAll(ctx context.Context, jobs []job, order []int, profile bool) (*native.Answers, error) {
	n := max(1, min(runtime.GOMAXPROCS(0), len(jobs)/20))
	parts := make([]*native.Answers, n)
	errs := make([]error, n)
	var wg sync.WaitGroup
	for k := range n {
		wg.Add(1)
		process.Go(func() {
			defer wg.Done()
			ses := s.session(order)
			for i := k; i < len(jobs); i += n {
				if profile {
					ses.Profile(jobs[i].g, jobs[i].h)
				} else {
					ses.Screen(jobs[i].g, jobs[i].h)
				}
			}
			parts[k], errs[k] = s.prog.Run(ctx, ses, s.left())
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
	s.res.Runs += len(out.Screened) + len(out.Profiled)
	s.res.Cut = s.res.Cut || out.Cut
	return out, nil
}

// run tries single edits, then moves, then pairs.
func (s *search) run(ctx context.Context, sp *space) error {
	var jobs []job
	for id := 1; id < len(s.byID); id++ {
		jobs = append(jobs, job{id, 0})
	}
	moves := map[job]*Edit{}
	for _, m := range sp.moves {
		g, h := findEdit(m.site, m.alt), findEdit(m.with.site, m.with.alt)
		if g != nil && h != nil {
			j := job{g.id, h.id}
			moves[j] = m
			jobs = append(jobs, j)
		}
	}
	s.res.Edits = len(jobs)
	cost := func(j job) int {
		if m := moves[j]; m != nil {
			return m.Cost
		}
		return s.byID[j.g].Cost
	}
	sort.SliceStable(jobs, func(a, b int) bool { return cost(jobs[a]) < cost(jobs[b]) })
	a, err := s.runAll(ctx, jobs, s.order, false)
	if err != nil {
		return err
	}
	var met []job
	for _, x := range a.Screened {
		if x.Failing == len(s.order) {
			met = append(met, job{x.G, x.H})
		}
	}
	s.single = a.Screened
	err = s.report(ctx, met, func(j job) []*Edit {
		if m := moves[j]; m != nil {
			return []*Edit{m}
		}
		return []*Edit{s.byID[j.g]}
	})
	if err != nil || len(s.res.Repairs) > 0 || s.done || s.p.Single || s.res.Cut {
		return err
	}
	return s.pairs(ctx)
}

// findEdit returns the edit of a site that has a text; nil when it did not compile.
func findEdit(st *site, alt string) *Edit {
	for _, e := range st.edits {
		if e.alt == alt {
			return e
		}
	}
	return nil
}

// report has repairs judged, the cheapest first, one for each text. What refutes one is
// asked of those that wait.
func (s *search) report(ctx context.Context, met []job, edits func(job) []*Edit) error {
	var list []waiting
	for _, j := range met {
		r := Repair{Edits: edits(j)}
		for _, e := range r.Edits {
			r.Cost += e.Cost
		}
		if r.Cost >= alone {
			continue
		}
		var ok bool
		if r.Texts, ok = Apply(r.Edits...); ok {
			list = append(list, waiting{r, j})
		}
	}
	sort.SliceStable(list, func(a, b int) bool { return list[a].Cost < list[b].Cost })
	for len(list) > 0 && !s.done {
		if time.Now().After(s.until) {
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
		v, err := s.p.Try(ctx, &w.Repair)
		if err != nil {
			return err
		}
		s.done = v.Enough
		if !v.Refuted {
			s.res.Repairs = append(s.res.Repairs, w.Repair)
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

// waiting is a repair that meets all tests known.
type waiting struct {
	Repair
	job job
}

func (s *search) key(r *Repair) string {
	k := ""
	for _, f := range s.p.Tree.Files {
		k += r.Texts[f.Name] + "\x00"
	}
	return k
}

// learn adds a test and returns the repairs that meet it. A test that is known, because
// something else than its output was wrong, teaches nothing.
func (s *search) learn(ctx context.Context, t native.Test, list []waiting) ([]waiting, error) {
	for i := range s.p.Tests {
		if o := &s.p.Tests[i]; o.Stdin == t.Stdin && slices.Equal(o.Args, t.Args) {
			return list, nil
		}
	}
	n := len(s.p.Tests)
	s.p.Tests = append(s.p.Tests, t)
	s.order = append([]int{n}, s.order...)
	s.bad++ // the program itself may meet it, what is cheap to ask first counts
	var jobs []job
	for _, w := range list {
		jobs = append(jobs, w.job)
	}
	a, err := s.runAll(ctx, jobs, []int{n}, false)
	if err != nil {
		return nil, err
	}
	meets := map[job]bool{}
	for _, x := range a.Screened {
		meets[job{x.G, x.H}] = x.Failing > 0
	}
	return slices.DeleteFunc(list, func(w waiting) bool { return !meets[w.job] }), nil
}

// Bounds of the search for pairs.
const (
	mostBases = 60
	mostHalf  = 400 // edits that change what becomes of the first failing test
)

// pairs tries two edits: the first one changes what becomes of a failing test, and
// breaks none that is met.
func (s *search) pairs(ctx context.Context) error {
	outcomes := map[uint64]int{}
	for _, x := range s.single {
		outcomes[x.First]++
	}
	var usual uint64 // what becomes of most: no difference
	for h, n := range outcomes {
		if n > outcomes[usual] || n == outcomes[usual] && h < usual {
			usual = h
		}
	}
	seen := map[uint64]int{}
	var halves []job
	for _, x := range s.single {
		if x.H == 0 && (x.First != usual || x.Failing > 0) && seen[x.First] < 3 && s.byID[x.G].Cost < alone && len(halves) < mostHalf {
			seen[x.First]++
			halves = append(halves, job{x.G, 0})
		}
	}
	// Edits that mend another failing test leave the first one as it is.
	rest, err := s.runAll(ctx, s.others(halves), append(append([]int(nil), s.order[1:]...), s.order[0]), false)
	if err != nil {
		return err
	}
	for _, x := range rest.Screened {
		if x.Failing > 0 && s.bad > 1 {
			halves = append(halves, job{x.G, 0})
		}
	}
	prof, err := s.runAll(ctx, halves[:min(len(halves), 2*mostHalf)], s.order, true)
	if err != nil {
		return err
	}
	bases := s.bases(prof.Profiled)
	return s.build(ctx, bases)
}

// others returns the single edits that are not among some.
func (s *search) others(in []job) []job {
	if s.bad < 2 {
		return nil
	}
	have := map[job]bool{}
	for _, j := range in {
		have[j] = true
	}
	var out []job
	for id := 1; id < len(s.byID); id++ {
		if j := (job{id, 0}); !have[j] && s.byID[id].Cost < alone {
			out = append(out, j)
		}
	}
	return out
}

// bases chooses what pairs are built on: what breaks nothing and meets most, one or
// two of each behaviour.
func (s *search) bases(ps []native.Profiled) []native.Profiled {
	gain := func(p *native.Profiled) int {
		n := 0
		for i, ok := range p.Met {
			switch {
			case i < s.bad && ok:
				n++
			case i >= s.bad && !ok:
				n -= 100
			}
		}
		return n
	}
	sort.SliceStable(ps, func(a, b int) bool {
		x, y := gain(&ps[a]), gain(&ps[b])
		if x != y {
			return x > y
		}
		return s.byID[ps[a].G].Cost < s.byID[ps[b].G].Cost
	})
	seen := map[uint64]int{}
	var out []native.Profiled
	for _, p := range ps {
		if gain(&p) >= 0 && seen[p.All] < 2 && len(out) < mostBases {
			seen[p.All]++
			out = append(out, p)
		}
	}
	return out
}

// build tries every edit on top of each base, until a base gives repairs.
func (s *search) build(ctx context.Context, bases []native.Profiled) error {
	for _, b := range bases {
		if time.Now().After(s.until) {
			s.res.Cut = true
			return nil
		}
		// The tests that the base does not meet come first.
		var order []int
		for _, want := range []bool{false, true} {
			for i, ok := range b.Met {
				if ok == want {
					order = append(order, s.order[i])
				}
			}
		}
		var jobs []job
		for id := 1; id < len(s.byID); id++ {
			if e := s.byID[id]; e.Cost < alone && e.site != s.byID[b.G].site {
				jobs = append(jobs, job{b.G, id})
			}
		}
		sort.SliceStable(jobs, func(x, y int) bool { return s.byID[jobs[x].h].Cost < s.byID[jobs[y].h].Cost })
		a, err := s.runAll(ctx, jobs, order, false)
		if err != nil {
			return err
		}
		var met []job
		for _, x := range a.Screened {
			if x.Failing == len(order) {
				met = append(met, job{x.G, x.H})
			}
		}
		err = s.report(ctx, met, func(j job) []*Edit { return []*Edit{s.byID[j.g], s.byID[j.h]} })
		if err != nil || s.done || len(s.res.Repairs) > 0 {
			return err
		}
	}
	return nil
}
