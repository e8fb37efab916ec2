// Package schema repairs programs by running thousands of edited programs natively.
//
// All edits of a program are written into one text, each with a number (a mutant schema: Untch, Offutt and Harrold,
// "Mutation analysis using mutant schemata", ISSTA 1993), which is compiled once. Package native then runs it with one
// edit after the other on the tests, some ten thousand runs a second. An edit of the text can be anything: a moved
// statement, two statements exchanged, a loop copied from elsewhere, another text printed. Programs that the abstract
// machine rejects are repaired, too. The cheapest edits, a tenth of all, are compiled and tried first.
//
// Two faults are found by pairs of edits. Every other edit is tried on top of edits with which some failing tests pass
// and none breaks, then on top of those that change what a failing test does, then on top of the rest.
//
// Package textedit lists the edits and their costs; the cheapest repairs are judged first.
//
// Not supported: edits of declarations and of macro expansions; tests other than whole runs.
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
	Options cfront.Options // compiler options
	Funcs   []*cfront.Func
	Free    func(f *source.File, line int) bool // reports whether a line may change; nil: all may
	Tests   []native.Test
	Held    []native.Test        // tests on which repairs are checked before Try sees them
	Forget  func(t native.Test)  // is called with those of Held that turn out to say nothing; nil: nobody else asks them
	Near    []native.Test        // inputs near the tests, for which the right output is unknown
	Alike   func() []native.Test // makes inputs that have the form of the tests'; nil: none
	Steps   int64                // limit on loop iterations and calls in a run; 0: it is measured
	Limit   time.Duration        // 0 means 10 s
	Single  bool                 // no pairs of edits
	Heap    native.Heap          // for edited programs
	Ends    []source.Range       // statements at which the runs to be repaired end in errors of memory
	Spare   bool                 // a processor is idle: all edits are compiled in the background while the cheapest are tried
	Screens bool                 // two compilers agree on the program from which this one was made, so that the fast one measures it
	Quick   bool                 // of pairs, try only those whose edits each bring the output nearer

	Suggested []textedit.Suggested // edits suggested by the caller
	Only      bool                 // try no other edits

	// Distance measures how far an output is from the expected one. Halves of repairs that reduce it are tried first.
	// nil: unknown.
	Distance func(got, want string) int

	// Nearer is called if no single edit is a repair, with edits that each bring the output nearer to the expected one,
	// the nearest first. It searches one more edit on top of each, and in a later call two. It reports whether enough
	// was found. May be nil.
	Nearer func(ctx context.Context, list []Repair, two bool) (bool, error)

	// Climb is called if no single edit is a repair, with edits that each make failing tests pass and break none, those
	// of most tests first. It searches on top of each, and so on as long as more tests pass, and reports whether enough
	// was found. May be nil.
	Climb func(ctx context.Context, list []Repair) (bool, error)
	Step  bool // the program is a step of Climb: pairs are only searched if no edit makes more tests pass

	// Hints are additional tests that need not all be met. With hints, a few of Held may be broken. nil: there are
	// none.
	Hints *Hints

	// Expect is called with repairs that meet all tests before they are checked further; may be nil.
	Expect func(list []Repair)

	// Try judges a repair that meets all tests; the cheapest come first. nil: the first twelve are accepted.
	Try func(ctx context.Context, r *Repair) (Verdict, error)

	Progress func(format string, args ...any) // reports what is being done; may be nil
}

// Verdict is the judgement of Try on a repair.
type Verdict struct {
	Refuted bool
	By      *native.Test // a test to learn: repairs that fail it are not tried again; may be nil
	Enough  bool         // the search may end
	Kept    bool         // refuted, but kept as the answer unless something better is found
	Base    bool         // refuted, but other edits are tried on top of it
}

// Repair is edits with which all tests are met.
type Repair struct {
	Edits []*textedit.Edit
	Cost  int
	Texts map[string]string // of the changed files
	Loses *Loss             // an input on which it loses the form of the output; nil: none is known

	// Chance is the estimated number of pairs of edits that meet all tests by chance. 0: the repair is not a pair nor
	// based on one half of a pair (see Nearer), or it is unknown.
	Chance float64

	Stepwise bool // its first edit was found alone, by its effect on an error, and the others on top of it
}

// Result is what a search has found.
type Result struct {
	Repairs []Repair // not refuted, in the order in which they were found
	Rival   *Rival   // nearly as likely as the last repair; nil: none is known
	Refuted int
	Failing int // tests that the program fails
	Edits   int // number of edits that were tried
	Pairs   int // number of pairs that were tried
	Runs    int
	Cut     bool // the time was up
}

// Search is a search that is prepared in the background: the program with all its edits is compiled, and each edit is
// tried.
type Search struct {
	p          *Problem
	until      time.Time
	prog       *native.Program
	sp         *textedit.Space
	more       bool             // only the cheapest edits were tried so far
	liked      liked            // with the current numbers of edits
	own        []native.Outcome // what the program does on the first of the known tests
	agreed     bool             // the program behaves the same under both compilers
	parts      bool             // the program behaves differently under the two compilers
	tally      tally            // edits that were tried
	within     []*cfront.Func   // functions that failing tests may execute
	covered    *cover           // which tests execute what; nil: unknown
	ranked     *ranked          // functions that are tried one after the other; nil: all at once, or done
	early      *early           // all edits, being compiled; nil: not begun, or taken
	byID       []*textedit.Edit
	places     []int // for each edit from 1: the number of the first edit at the same place
	order      []int // of the tests: failing ones first
	bad        int
	steps      int64
	res        *Result
	moves      map[job]*textedit.Edit
	plain      int           // distance of the output from the expected one
	luck       float64       // estimated pairs of edits that meet all tests by chance; 0: unknown
	near       []native.Test // inputs near the tests with the program's output; nil: not run yet
	single     []native.Screened
	known      map[job]native.Profiled // what single edits do to all tests, as far as it was asked
	good       []job                   // jobs that met all tests alone, before any test was learned
	tried      map[string]bool         // texts that were judged
	halves     []base                  // bases on top of which pairs were not yet tried
	cheap      []base                  // the cheapest bases; nil: not known yet
	sorted     bool                    // the bases are known
	deeper     []Repair                // single edits on top of which Nearer searches; nil: none, or done
	climbed    bool                    // Climb was called
	topped     bool                    // Nearer has searched one more edit on top of each
	learned    int                     // number of tests that were learned
	tested     bool                    // the suggested edits were tried
	untried    bool                    // other compiled edits were not, because a suggested one met all tests
	first      First                   // what is judged now
	vocabulary *textedit.Words         // nil: not read yet
	done       bool                    // enough was found
	hints      []native.Test           // nil: not made yet
	telling    int                     // number of hints, the first ones, that say most
	kept       *waiting                // the best repair that was kept
	lossy      int                     // number of repairs with Base that were not kept
	far        bool                    // no hint of those that say most remains with the kept repair
	best       float64                 // share of the hints met by the best repair that was kept

	ready   *budget.Event // every edit was tried alone, or none can be
	told    *budget.Event // it is known whether a suggested edit meets all tests
	refused bool          // none does; set before told happens
	asked   chan struct{} // closed when edits may be compiled
	askedAt time.Time     // time of that
	cancel  context.CancelFunc
	err     error
}

// Solve searches for repairs. If no test fails, it returns none.
func Solve(ctx context.Context, p *Problem) (*Result, error) {
	s := Start(ctx, p)
	defer s.Close()
	return s.Solve(ctx, nil, !p.Single, s.until)
}

// Start begins a search in the background. The caller must close it.
func Start(ctx context.Context, p *Problem) *Search {
	s := Prepare(ctx, p)
	s.Compile(ctx, p.Suggested)
	return s
}

// Prepare begins a search in the background, up to running the unedited program. Edits are made and compiled when
// Compile is called. The caller must close it.
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

// Compile lets a prepared search make its edits, including those suggested, and compile them. It must be called at most
// once.
func (s *Search) Compile(ctx context.Context, suggested []textedit.Suggested) {
	s.p.Suggested, s.askedAt = suggested, budget.Now(ctx)
	close(s.asked)
}

// Wait waits until a time for the search to be ready, and reports whether it is.
func (s *Search) Wait(ctx context.Context, until time.Time) bool {
	return s.ready.Await(ctx, until)
}

// Refused waits until a time for the result of the suggested edits, and reports whether none of them meets all tests.
func (s *Search) Refused(ctx context.Context, until time.Time) bool {
	return s.told.Await(ctx, until) && s.refused
}

// Met returns how many edits meet all tests alone. Precondition: the search is ready.
func (s *Search) Met() int { return len(s.good) }

// Fails reports whether a test fails natively. Precondition: the search is ready.
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

// Solve waits for the search to be ready and judges its repairs. more are tests that were learned meanwhile. With
// pairs, if no single edit is a repair, pairs are searched until the time is up. It may be called again: nothing is
// judged twice, and the search for pairs continues where it stopped.
func (s *Search) Solve(ctx context.Context, more []native.Test, pairs bool, until time.Time) (*Result, error) {
	if !s.Wait(ctx, until) { // the caller may ask again
		return &Result{Cut: true}, nil
	}
	s.until = until
	if s.err != nil || s.bad == 0 || s.prog == nil {
		return s.res, s.err
	}
	err := s.run(ctx, more, pairs)
	if len(s.res.Repairs) == 0 { // a part of the search may have run out of time without saying so
		s.res.Cut = s.res.Cut || budget.Over(ctx, until)
	}
	return s.res, err
}

// First selects edits that are judged before others.
type First uint8

// Which edits are judged first.
const (
	OfAll       First = iota
	OfSuggested       // those suggested by the caller
	OfCheapest        // the cheapest, unless they change much that is not known to be wrong
)

// SolveFirst waits for the search to be ready and judges some of its repairs of one edit. Solve continues from there.
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

// prepare does everything that needs no judge.
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

// rest tries the compiled edits that were not tried because a suggested one met all tests.
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

// The cheapest edits are compiled first: they are a tenth of all, take a tenth of the time, and include most
// single-edit repairs.
const fewEdits = 1500 // up to this number all are compiled at once

// all tries every edit or, if functions are tried one after the other, those of the next functions.
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

// try compiles the edits of some sites, and tries each of them and each move alone; only the suggested ones if one of
// these meets all tests.
func (s *Search) try(ctx context.Context, sites []*textedit.Site, moves []*textedit.Edit) error {
	if err := s.compile(ctx, sites); err != nil {
		return err
	}
	return s.tryCompiled(ctx, moves)
}

// tryCompiled is try for edits that are compiled already.
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

// runTime bounds one run in processor time. Steps should decide: nearly all endless runs reach their limit first,
// because near a time limit the outcome would depend on the machine.
const runTime = 2 * time.Second

// measured is what the unedited program does on the tests.
type measured struct {
	cover   *cover           // which tests execute what; nil: unknown
	forced  []*textedit.Site // where forcing an outcome makes a failing test pass
	printed []textedit.Printed
}

// mostPrinted bounds the failing tests whose outputs are used.
const mostPrinted = 4

// measure runs the unedited program to find out which tests fail, and how. If all pass, the error may be hidden by the
// library's heap, which has room after a block; then edited programs run on the guarding heap.
func (s *Search) measure(ctx context.Context) (*measured, error) {
	defer timing.Begin(ctx, "schema: measure").End("")
	m, err := s.once(ctx)
	if err == nil && s.bad == 0 && s.p.Heap == native.Plain && !s.res.Cut {
		s.p.Heap, s.order = native.Guarding, nil
		m, err = s.once(ctx)
	}
	return m, err
}

// once runs the unedited program on the current heap.
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
		if len(m.printed) < mostPrinted && !t.Any { // what a run printed before its error may be lost natively
			m.printed = append(m.printed, textedit.Printed{Got: o.Stdout, Want: t.Stdout})
		}
	}
	// Runs that do not end cost most, so that they come last.
	cost := func(i int) int64 {
		if o := &a.Printed[i]; o.Ended() {
			return o.Steps
		}
		return s.steps
	}
	sort.SliceStable(s.order, func(i, k int) bool { return cost(s.order[i]) < cost(s.order[k]) })
	if s.p.Steps == 0 && most >= 0 {
		for _, i := range s.order { // it ends early because it is wrong, and a right one may count up to a number that it reads
			most = max(most, min(counts(&s.p.Tests[i]), mostCounted))
		}
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
	if len(marks) > mostAtOnce { // outcomes are forced later, in functions that failing tests execute
		s.ranked = s.rank(m.cover)
		return m, nil
	}
	m.forced, err = s.forced(ctx, prog, marks, m.cover)
	return m, err
}

// Bounds on runs that take longer than expected.
const (
	patientSteps = 20_000_000
	mostPatient  = 2 // that are waited for in vain
)

// patient waits for runs that took more steps than expected: a test may count up to a number in two nested loops. If
// none of them ends, nothing changes.
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

// alone tries those single edits and moves for which some returns true.
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
	if len(s.order) > fewTests || len(jobs) < len(s.byID)-1 { // many tests, or only some of the edits: no profiles
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

// meetAll adds to s.good the edits that meet all tests without any other edit.
func (s *Search) meetAll() {
	for _, x := range s.single {
		if x.Failing == len(s.order) {
			s.good = append(s.good, job{x.G, x.H})
		}
	}
}

// fewTests is the number of tests up to which all are run with every edit.
const fewTests = 4

// findEdit returns the edit of a site with a given text; nil if it did not compile.
func findEdit(st *textedit.Site, alt string) *textedit.Edit {
	for _, e := range st.Edits {
		if e.Alt == alt {
			return e
		}
	}
	return nil
}

// run judges single edits, then searches pairs.
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

// singles judges edits that meet all tests alone.
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
