// Package schema repairs programs by running thousands of edited programs natively.
//
// All edits of a program are written into one text, each behind its number (a mutant
// schema: Untch, Offutt and Harrold, "Mutation analysis using mutant schemata", ISSTA
// 1993), which is compiled once; package native then runs it with one edit after the
// other on the tests, some ten thousand runs a second. An edit of the text can be anything: a
// statement moved, two exchanged, a loop copied from elsewhere, another text printed.
// Programs that the abstract machine refuses are repaired, too. The cheapest edits, a tenth,
// are compiled and tried by themselves before all are.
//
// Two faults are found by pairs: on top of edits with which some failing tests are met and
// none breaks, then of those that change what becomes of a failing test, then of the
// rest, every other edit is tried.
//
// Which edits there are and what they cost is said by package textedit; the cheapest repairs are
// judged first.
//
// Not supported: edits of declarations and of what macros expand to; tests other than
// whole runs.
package schema

import (
	"context"
	"slices"
	"sort"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
	"gulo/internal/timing"
)

// Problem is a program with tests.
type Problem struct {
	Tree    *cfront.Program
	Options cfront.Options // how it is compiled
	Funcs   []*cfront.Func
	Free    func(f *source.File, line int) bool // lines that may change; nil: all
	Tests   []native.Test
	Held    []native.Test        // what repairs are held against before Try sees them
	Near    []native.Test        // inputs like those of the tests; what is right on them nobody knows
	Alike   func() []native.Test // makes inputs that have the form of the tests'; nil: none are made
	Steps   int64                // loops and calls that a run may make; 0: measured
	Limit   time.Duration        // 0 means 10 s
	Single  bool                 // no pairs
	Heap    native.Heap          // that edited programs run on
	Spare   bool                 // a processor has nothing to do: all edits are compiled while the cheapest are tried
	Screens bool                 // it was made of a program that does the same as another compiler makes it: it is measured as that does
	Quick   bool                 // of pairs only those of edits that bring the output nearer each

	Suggested []textedit.Suggested // edits from outside
	Only      bool                 // no others

	// Distance is how far an output is from what is wanted; halves of repairs with which it is
	// smaller are tried first. nil: nothing is known.
	Distance func(got, want string) int

	// Nearer is given edits that alone bring what is printed nearer to what is wanted, the
	// nearest first, when no single edit is a repair, to search one more on top of each, and later
	// two. It says whether enough was found. May be nil.
	Nearer func(ctx context.Context, list []Repair, two bool) (bool, error)

	// Hints are more tests, which need not all be met. A few of Held may be broken then. nil: there
	// are none.
	Hints *Hints

	// Expect is told of repairs that meet all tests before they are held against others; may be nil.
	Expect func(list []Repair)

	// Try judges a repair that meets all tests, the cheapest first. nil: the first twelve
	// are taken.
	Try func(ctx context.Context, r *Repair) (Verdict, error)

	Progress func(format string, args ...any) // what is being done; may be nil
}

// Verdict is what Try says of a repair.
type Verdict struct {
	Refuted bool
	By      *native.Test // is learned: nothing that does not meet it comes again; may be nil
	Enough  bool         // the search may end
	Kept    bool         // although it is refuted something better must come
	Base    bool         // although it is refuted other edits are tried on top of it
}

// Repair is edits with which all tests are met.
type Repair struct {
	Edits []*textedit.Edit
	Cost  int
	Texts map[string]string // of the files that change
	Loses *Loss             // nil: nothing is known of one

	// Chance is how many pairs of edits are expected to meet all tests by chance; 0: it is no pair nor
	// one of two (see Nearer), or nobody knows.
	Chance float64

	Stepwise bool // its first edit was found alone, by what it does to an error; the others on top of it
}

// Result is what a search found.
type Result struct {
	Repairs []Repair // that were not refuted, in the order found
	Rival   *Rival   // that is nearly as likely as the last one; nil: none is known
	Refuted int
	Failing int // tests that the program does not meet
	Edits   int // that were looked at
	Pairs   int // of them that were tried together
	Runs    int
	Cut     bool // the time was up
}

// Search is one that is prepared in the background: the program with all its edits is
// compiled, and each edit is tried.
type Search struct {
	p          *Problem
	until      time.Time
	prog       *native.Program
	sp         *textedit.Space
	more       bool             // only the cheapest edits were tried so far
	liked      liked            // with the numbers that edits have now
	own        []native.Outcome // what the program does on the first of the tests known
	agreed     bool             // as another compiler makes it, the program does what it does as gcc makes it
	parts      bool             // it does something else
	tally      tally            // edits that were tried
	within     []*cfront.Func   // functions that failing tests may execute
	covered    *cover           // what tests execute; nil: not known
	ranked     *ranked          // functions that are tried one after the other; nil: all at once, or done
	early      *early           // all edits, being compiled; nil: not begun, or taken
	byID       []*textedit.Edit
	places     []int // of edits from 1: the number of the first edit at the same place
	order      []int // of tests: failing ones first
	bad        int
	steps      int64
	res        *Result
	moves      map[job]*textedit.Edit
	plain      int           // how far the output is from what is wanted
	luck       float64       // pairs of edits that meet all tests by chance; 0: nobody knows
	near       []native.Test // neighbours; nil: not asked yet
	single     []native.Screened
	known      map[job]native.Profiled // what single edits do to all tests, where that was asked
	good       []job                   // that met all tests alone before any was learned
	tried      map[string]bool         // texts
	halves     []base                  // that pairs were not yet searched on top of
	cheap      []base                  // the cheapest of them; nil: not known yet
	sorted     bool                    // they are known
	deeper     []Repair                // single edits that others search on top of; nil: none, or done
	topped     bool                    // one more was searched on top of each
	learned    int                     // tests that were learned
	tested     bool                    // the edits suggested were tried
	untried    bool                    // and no others that are compiled, because one met all tests
	first      First                   // what is judged now
	vocabulary *textedit.Words         // nil: not read yet
	done       bool                    // enough was found
	hints      []native.Test           // nil: not made yet
	telling    int                     // so many of them, the first ones, say most
	kept       *waiting                // the best repair that was kept
	lossy      int                     // repairs that were kept and lose a run
	far        bool                    // of the hints left by the one kept none is of those that say most
	best       float64                 // the part of the hints that the best repair meets which was kept

	ready   *budget.Event // every edit was tried alone, or none can be
	told    *budget.Event // it is known whether one of those suggested meets all tests
	refused bool          // none does; set before it is told
	asked   chan struct{} // closed when edits may be compiled
	askedAt time.Time     // then
	cancel  context.CancelFunc
	err     error
}

// Solve searches for repairs. With no failing test it returns none.
func Solve(ctx context.Context, p *Problem) (*Result, error) {
	s := Start(ctx, p)
	defer s.Close()
	return s.Solve(ctx, nil, !p.Single, s.until)
}

// Start begins a search in the background. The caller closes it.
func Start(ctx context.Context, p *Problem) *Search {
	s := Prepare(ctx, p)
	s.Compile(ctx, p.Suggested)
	return s
}

// Prepare begins a search in the background, so far that the program as it is has run. Edits are
// made and compiled once Compile is called. The caller closes it.
func Prepare(ctx context.Context, p *Problem) *Search {
	if p.Limit == 0 {
		p.Limit = 10 * time.Second
	}
	if p.Progress == nil {
		p.Progress = func(string, ...any) {}
	}
	if p.Try == nil {
		n := 0
		p.Try = func(context.Context, *Repair) (Verdict, error) {
			n++
			return Verdict{Enough: n >= 12}, nil
		}
	}
	s := &Search{p: p, until: budget.After(ctx, p.Limit), res: &Result{}, tried: map[string]bool{}, moves: map[job]*textedit.Edit{}, asked: make(chan struct{})}
	ctx, s.cancel = context.WithCancel(budget.Beside(ctx))
	s.ready, s.told = budget.NewEvent(ctx), budget.NewEvent(ctx)
	process.Go(func() {
		defer s.ready.Happens()
		defer s.told.Happens()
		s.err = s.prepare(ctx)
	})
	return s
}

// Compile lets a search that measures make its edits, those suggested among them, and compile them.
// It is called once.
func (s *Search) Compile(ctx context.Context, suggested []textedit.Suggested) {
	s.p.Suggested, s.askedAt = suggested, budget.Now(ctx)
	close(s.asked)
}

// Wait waits for the search to be ready until a time, and reports whether it is.
func (s *Search) Wait(ctx context.Context, until time.Time) bool {
	return s.ready.Await(ctx, until)
}

// Refused waits until a time for what becomes of the edits suggested, and reports whether none of them meets all tests.
func (s *Search) Refused(ctx context.Context, until time.Time) bool {
	return s.told.Await(ctx, until) && s.refused
}

// refuse says that none does.
func (s *Search) refuse() {
	s.refused = true
	s.told.Happens()
}

// Met is how many edits meet all tests alone. Precondition: the search is ready.
func (s *Search) Met() int { return len(s.good) }

// Fails reports whether a test is not met natively. Precondition: the search is ready.
func (s *Search) Fails() bool { return s.bad > 0 }

// Close ends a search.
func (s *Search) Close() {
	s.cancel()
	s.ready.Wait(context.Background())
	s.early.close()
	if s.prog != nil {
		s.prog.Close()
	}
}

// Solve waits for the search to be ready and has its repairs judged. more are tests
// that were learned in the meantime. With pairs, two edits at once are searched until the
// time is up where none alone is a repair. It may be called again: what was judged once is
// not judged again, and pairs are searched from where they were left.
func (s *Search) Solve(ctx context.Context, more []native.Test, pairs bool, until time.Time) (*Result, error) {
	if !s.Wait(ctx, until) { // it may be asked again
		return &Result{Cut: true}, nil
	}
	s.until = until
	if s.err != nil || s.bad == 0 || s.prog == nil {
		return s.res, s.err
	}
	err := s.run(ctx, more, pairs)
	if len(s.res.Repairs) == 0 { // a part of it may have ended for want of time and not have said so
		s.res.Cut = s.res.Cut || budget.Over(ctx, until)
	}
	return s.res, err
}

// First are edits that are judged ahead of others.
type First uint8

// What is judged first.
const (
	OfAll       First = iota
	OfSuggested       // those from outside
	OfCheapest        // the cheapest, and they do not change much that is not known to be wrong
)

// SolveFirst waits for the search to be ready and has some of its repairs of one edit judged;
// Solve goes on from there.
func (s *Search) SolveFirst(ctx context.Context, more []native.Test, first First, until time.Time) (*Result, error) {
	s.ready.Wait(ctx)
	s.until = until
	if s.err != nil || s.bad == 0 || s.prog == nil {
		return s.res, s.err
	}
	if first != OfSuggested {
		if err := s.rest(ctx); err != nil {
			return s.res, err
		}
	}
	s.first = first
	defer func() { s.first = OfAll }()
	s.done, s.res.Repairs, s.res.Cut = false, nil, false
	return s.res, s.singles(ctx, more)
}

// wanted keeps the repairs that are to be judged now.
func (s *Search) wanted(list []waiting) []waiting {
	return slices.DeleteFunc(list, func(w waiting) bool {
		switch {
		case s.first == OfSuggested: // what changes a failing test alone is as often chance
			return w.unseen || slices.ContainsFunc(w.Edits, func(e *textedit.Edit) bool { return !e.Suggested })
		case s.first == OfCheapest || s.more && s.ranked == nil: // others may be better than those that change much
			return w.score() > textedit.PerCost*(textedit.Cheapest+1)
		}
		return false
	})
}

// prepare does what needs no judge.
func (s *Search) prepare(ctx context.Context) error {
	seen, err := s.measure(ctx)
	if err != nil || s.bad == 0 {
		return err
	}
	if s.ranked != nil {
		s.ranked.seen = seen
	}
	sp := textedit.New(s.p.space(seen))
	select {
	case <-s.asked:
	case <-ctx.Done():
		return ctx.Err()
	}
	budget.Meet(ctx, s.askedAt)
	if len(s.p.Suggested) == 0 {
		s.refuse()
	}
	if s.ranked != nil && !s.p.Only {
		return s.byRank(ctx)
	}
	span := timing.Begin(ctx, "schema: space")
	sp.Suggest(s.p.Suggested)
	for _, f := range s.p.Funcs {
		if !s.p.Only {
			sp.Function(f)
		}
	}
	n := sp.Total
	sp.Prune(s.mostEdits())
	span.End("%s of %d", plural.N(sp.Total, "edit"), n)
	if s.sp, s.more = sp, true; sp.Total >= fewEdits {
		if s.p.Spare && (s.parts || !native.Screening()) {
			s.early = s.begin(ctx)
		}
		if err := s.try(ctx, cheap(sp.Sites), sp.Moves[:sp.SuggestedMoves]); err != nil || len(s.good) > 0 {
			return err
		}
	}
	return s.all(ctx)
}

func suggested(e *textedit.Edit) bool { return e.Suggested }

func every(*textedit.Edit) bool { return true }

// rest tries the edits that are compiled where only those suggested were tried.
func (s *Search) rest(ctx context.Context) error {
	if !s.untried {
		return nil
	}
	s.untried = false
	moves := s.sp.Moves
	if s.more {
		moves = moves[:s.sp.SuggestedMoves]
	}
	return s.alone(ctx, moves, every)
}

// The cheapest edits are compiled by themselves: they are a tenth, compiled in a tenth of the
// time, and mend most of what one edit mends.
const fewEdits = 1500 // are compiled at once

// cheap returns sites with the cheapest of their edits and those suggested, which take them for theirs.
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

// all tries every edit; where functions are tried one after the other, the next ones.
func (s *Search) all(ctx context.Context) error {
	if s.ranked != nil {
		return s.byRank(ctx)
	}
	s.more, s.untried = false, false
	s.sp.Prune(s.mostEdits()) // gcc may have to compile them
	for _, st := range s.sp.Sites {
		st.Edits = slices.DeleteFunc(st.Edits, func(e *textedit.Edit) bool { return e.Refused })
		for _, e := range st.Edits {
			e.Site = st
		}
	}
	if s.early != nil {
		if err := s.early.take(ctx, s); err != nil {
			return err
		}
		return s.tryCompiled(ctx, s.sp.Moves)
	}
	return s.try(ctx, s.sp.Sites, s.sp.Moves)
}

// try compiles the edits of some sites and tries each alone, and moves; only those suggested where
// one of them meets all tests.
func (s *Search) try(ctx context.Context, sites []*textedit.Site, moves []*textedit.Edit) error {
	if err := s.compile(ctx, sites); err != nil {
		return err
	}
	return s.tryCompiled(ctx, moves)
}

// tryCompiled is try of the edits that are compiled.
func (s *Search) tryCompiled(ctx context.Context, moves []*textedit.Edit) error {
	if len(s.p.Suggested) > 0 && !s.tested {
		s.tested = true
		if err := s.alone(ctx, moves, suggested); err != nil || len(s.good) > 0 {
			s.untried = err == nil
			return err
		}
		s.refuse()
	}
	err := s.alone(ctx, moves, every)
	s.p.Progress("tried %d, %d meet all", len(s.single), len(s.good))
	return err
}

// stepsFor is how many steps a run may make when the most that was seen are n: of few many times
// as many, and of many twice as many, since what does not end is waited for with every edit.
func stepsFor(n int64) int64 { return min(12*n, 2*n+1_000_000) + 4_000 }

// runTime bounds one run, by the processor; steps end nearly all that do not end. A run that
// takes about as long may be ended or not: what decides is to be steps.
const runTime = 2 * time.Second

// measured is what the program as it is does with the tests.
type measured struct {
	cover   *cover           // what tests execute; nil: not known
	forced  []*textedit.Site // where a forced outcome mends a failing test
	printed []textedit.Printed
}

// mostPrinted are the failing tests whose outputs are looked at.
const mostPrinted = 4

// space says for what edits are listed.
func (p *Problem) space(m *measured) textedit.Config {
	return textedit.Config{Tree: p.Tree, Free: p.Free, Tests: p.Tests, Printed: m.printed, Away: m.cover.away, Forced: m.forced}
}

// measure runs the program as it is: which tests fail, and how. Where all are met, what fails
// elsewhere may be hidden by the library's heap, which has room behind a block: then edited
// programs run on the heap that shows errors.
func (s *Search) measure(ctx context.Context) (*measured, error) {
	defer timing.Begin(ctx, "schema: measure").End("")
	m, err := s.once(ctx)
	if err == nil && s.bad == 0 && s.p.Heap == native.Plain && !s.res.Cut {
		s.p.Heap, s.order = native.Guarding, nil
		m, err = s.once(ctx)
	}
	return m, err
}

// once runs the program on the heap that is set.
func (s *Search) once(ctx context.Context) (*measured, error) {
	prog, marks, err := s.withMarks(ctx)
	if err != nil {
		return nil, err
	}
	defer prog.Close()
	if s.steps = s.p.Steps; s.steps == 0 {
		s.steps = stepsFor(likelySteps(s.p.Tests))
	}
	ses := s.session(s.p.Tests)
	for i := range s.p.Tests {
		ses.Print(i)
	}
	a, err := prog.Run(ctx, ses, s.left(ctx))
	if err != nil {
		return nil, err
	}
	if err := s.patient(ctx, prog, a); err != nil {
		return nil, err
	}
	s.own = a.Printed
	m := &measured{}
	var good []int
	most := int64(-1)
	for i, o := range a.Printed {
		t := &s.p.Tests[i]
		if o.Ended() {
			most = max(most, o.Steps)
		}
		if t.Met(&o) {
			good = append(good, i)
			continue
		}
		s.order = append(s.order, i)
		if len(m.printed) < mostPrinted {
			m.printed = append(m.printed, textedit.Printed{Got: o.Stdout, Want: t.Stdout})
		}
	}
	// What does not end costs most: it is asked last.
	cost := func(i int) int64 {
		if o := &a.Printed[i]; o.Ended() {
			return o.Steps
		}
		return s.steps
	}
	sort.SliceStable(s.order, func(i, k int) bool { return cost(s.order[i]) < cost(s.order[k]) })
	if s.p.Steps == 0 && most >= 0 {
		s.steps = stepsFor(most)
	}
	if s.res.Cut = a.Cut; a.Cut {
		return m, nil
	}
	s.bad = len(s.order)
	s.res.Failing = s.bad
	s.order = append(s.order, good...)
	if m.cover, err = s.covers(ctx, prog, marks); err != nil {
		return m, err
	}
	s.within, s.covered = m.cover.executed(s.p.Funcs), m.cover
	if len(marks) > mostAtOnce { // places are forced among what failing tests execute, when all edits are listed
		s.ranked = s.rank(m.cover)
		return m, nil
	}
	m.forced, err = s.forced(ctx, prog, marks, m.cover)
	return m, err
}

// Bounds of runs that take longer than programs of that size do.
const (
	patientSteps = 20_000_000
	mostPatient  = 2 // that are waited for in vain
)

// patient waits for runs that took more steps than was thought likely: a test may count up to a
// number in two nested loops. Where none of them ends nothing is changed.
func (s *Search) patient(ctx context.Context, prog *native.Program, a *native.Answers) error {
	for i, vain := 0, 0; i < len(a.Printed) && vain < mostPatient && s.p.Steps == 0; i++ {
		if a.Printed[i].Status != native.Steps {
			continue
		}
		ses := &native.Session{}
		ses.Limit(runTime, patientSteps)
		ses.Print(ses.Add(&s.p.Tests[i]))
		one, err := prog.Run(ctx, ses, s.left(ctx))
		if err != nil {
			return err
		}
		if len(one.Printed) == 0 || !one.Printed[0].Ended() {
			vain++
			continue
		}
		a.Printed[i] = one.Printed[0]
	}
	return nil
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

// session begins one with tests.
func (s *Search) session(tests []native.Test) *native.Session {
	ses := &native.Session{}
	ses.Limit(runTime, s.steps)
	for i := range tests {
		ses.Add(&tests[i])
	}
	return ses
}

// alone tries those single edits and moves that some are.
func (s *Search) alone(ctx context.Context, moves []*textedit.Edit, some func(*textedit.Edit) bool) error {
	var jobs []job
	for id := 1; id < len(s.byID); id++ {
		if some(s.byID[id]) {
			jobs = append(jobs, job{id, 0})
		}
	}
	for _, m := range moves {
		if !some(m) {
			continue
		}
		g, h := findEdit(m.Site, m.Alt), findEdit(m.With.Site, m.With.Alt)
		if g != nil && h != nil {
			j := job{g.ID, h.ID}
			s.moves[j] = m
			jobs = append(jobs, j)
		}
	}
	s.res.Edits = max(s.res.Edits, len(jobs))
	sort.SliceStable(jobs, func(a, b int) bool { return s.cost(jobs[a]) < s.cost(jobs[b]) })
	s.p.Progress("trying %s", plural.N(len(jobs), "edit"))
	span := timing.Begin(ctx, "schema: alone")
	defer func() { span.End("%d of %d meet all", len(s.good), len(jobs)) }()
	s.single, s.good, s.known = nil, nil, map[job]native.Profiled{}
	if len(s.order) > fewTests || len(jobs) < len(s.byID)-1 { // what some do alone is not asked again
		var err error
		s.single, err = s.screen(ctx, jobs, s.order)
		s.count()
		s.meetAll()
		return err
	}
	a, err := s.runAll(ctx, s.p.Tests, []ask{{0, append([]job{{0, 0}}, jobs...), s.order}}, true)
	if err != nil {
		return err
	}
	for _, x := range a.Profiled {
		j := job{x.G, x.H}
		s.known[j] = x
		if n := slices.Index(x.Met, false); j.g == 0 {
		} else if n < 0 {
			s.single = append(s.single, native.Screened{G: x.G, H: x.H, Failing: len(x.Met)})
		} else {
			s.single = append(s.single, native.Screened{G: x.G, H: x.H, Failing: n})
		}
	}
	s.count()
	s.meetAll()
	return nil
}

// meetAll lists the edits that meet all tests alone.
func (s *Search) meetAll() {
	for _, x := range s.single {
		if x.Failing == len(s.order) {
			s.good = append(s.good, job{x.G, x.H})
		}
	}
}

// fewTests are so few that all of them are asked at once.
const fewTests = 4

// cost is that of an edit or a move alone, or of two edits.
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

// edits returns what a job is made of.
func (s *Search) edits(j job) []*textedit.Edit {
	switch m := s.moves[j]; {
	case m != nil:
		return []*textedit.Edit{m}
	case j.h == 0:
		return []*textedit.Edit{s.byID[j.g]}
	}
	return []*textedit.Edit{s.byID[j.g], s.byID[j.h]}
}

// findEdit returns the edit of a site that has a text; nil when it did not compile.
func findEdit(st *textedit.Site, alt string) *textedit.Edit {
	for _, e := range st.Edits {
		if e.Alt == alt {
			return e
		}
	}
	return nil
}

// run has single edits judged, then looks for pairs.
func (s *Search) run(ctx context.Context, more []native.Test, pairs bool) error {
	s.done, s.res.Repairs, s.res.Cut = false, nil, false
	if err := s.rest(ctx); err != nil {
		return err
	}
	for {
		if err := s.singles(ctx, more); err != nil || len(s.res.Repairs) > 0 || s.done || s.res.Cut {
			return err
		}
		if !s.more {
			break
		}
		if err := s.all(ctx); err != nil {
			return err
		}
	}
	if err := s.lenient(ctx); err != nil || s.ended() {
		return err
	}
	if !pairs {
		return nil
	}
	if err := s.onKept(ctx); err != nil || s.ended() {
		return err
	}
	return s.pairs(ctx)
}

// singles has edits judged that meet all tests alone.
func (s *Search) singles(ctx context.Context, more []native.Test) (err error) {
	list := s.waiting(s.good)
	if s.learned > 0 {
		if list, err = s.meeting(ctx, list, s.order); err != nil {
			return err
		}
	}
	s.p.Progress("judging %s", plural.N(len(list), "repair"))
	for _, t := range more {
		if list, err = s.learn(ctx, t, list); err != nil {
			return err
		}
	}
	return s.report(ctx, list)
}
