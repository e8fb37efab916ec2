// Package pwp locates and repairs faults from a contract and tests, or from calls whose right result a reference shows.
// It finds tests that break the contract, looks for evidence on their traces (locate/evidence), tries the modifications
// that remove it (repair/modify) on all tests, and checks those that pass on inputs that the search did not see. It is
// the algorithm of Figure 2 of He and Gupta, "Automated Debugging Using Path-Based Weakest Preconditions" (FASE 2004).
package pwp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/contract"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/locate/evidence"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
	"gulo/internal/report"
)

// Answer is the result of a request, with what error traces add.
type Answer struct {
	report.Report
	Explanation []string `json:"explanation"` // evidence of the first failing trace, in words
	Trace       string   `json:"-"`           // the first error trace
	Tried       int      `json:"tried"`
	Outside     int      `json:"outside"` // tests outside of the precondition
	Rounds      int      `json:"rounds"`  // number of errors that were corrected one after the other

	// Besides says that the repair changes runs that kept the contract before. A repair that does not is better.
	Besides bool `json:"-"`
	quarter int  // number of quarters of these runs that it changes

	// For Locate: input for other methods.
	Spectrum []report.Suspect  `json:"-"`
	Traces   []*evidence.Trace `json:"-"`
	Suite    *oracle.Suite     `json:"-"`
	Calls    *Calls            `json:"-"`
}

// task is a prepared request.
type task struct {
	req   *job.Job
	prog  *lower.Program
	ct    *contract.Contract
	run   *oracle.Runner
	tests []*oracle.Case // calls that meet the precondition, failing ones first
	bad   int            // number of failing tests
	held  []*oracle.Case // calls that the search does not see
	asMet bool           // the tests are calls from runs of the program
	out   int
	notes []string
	until time.Time
	spend func(steps int64) // charges the cost of runs to the search; may be nil
	calls *judge.Calls      // makes calls natively; nil until needed

	inputs []cases.Input  // inputs of whole runs, the given one first
	whole  []whole        // nil until needed
	near   []*oracle.Case // calls with other numbers; nil until needed
	spoilt string         // the first modification that keeps the contract on all calls and breaks it in whole runs
	soft   []soft         // modifications that keep the contract and change other runs
	joint  []joint        // the same, for two errors
}

func prepare(ctx context.Context, r *job.Job) (*task, error) {
	if r.Limit == 0 {
		r.Limit = 30 * time.Second
	}
	t := &task{req: r, until: budget.After(ctx, r.Limit), spend: func(n int64) { budget.Spend(ctx, n) }}
	var err error
	if t.prog, err = r.Load(ctx); err != nil {
		return nil, err
	}
	if err := r.CheckLock(); err != nil {
		return nil, err
	}
	if err := t.readContract(); err != nil {
		return nil, err
	}
	return t, t.makeTests(ctx)
}

func (t *task) readContract() (err error) {
	t.ct, err = contract.Find(t.prog.Tree, t.req.Contract, t.req.Entry)
	var choice *contract.ChoiceError
	if errors.As(err, &choice) {
		return job.Usage("%s", choice.Message)
	}
	return err
}

// values returns a maker of calls that knows the numbers in the contract.
func (t *task) values() (*cases.Values, error) {
	said, err := job.ParseInputs(t.ct.Inputs, t.req.Contract)
	if err != nil {
		return nil, err
	}
	g, err := cases.NewValues(t.prog, t.ct.Func, said, t.req.Contract)
	if err != nil {
		return nil, err
	}
	for _, list := range [][]contract.Clause{t.ct.Pre, t.ct.Post} {
		for _, c := range list {
			g.Note(c.X)
		}
	}
	for _, x := range t.ct.Terms {
		for _, y := range []cfront.Expr{x.X, x.Y} {
			if y != nil {
				g.Note(y)
			}
		}
	}
	return g, nil
}

// mostBound bounds the calls that Check makes.
const mostBound = 20_000

// makeTests reads calls, takes them from runs or generates them, and sorts out the failing ones.
func (t *task) makeTests(ctx context.Context) error {
	suite := &oracle.Suite{Prog: t.prog, Entry: t.ct.Func}
	var err error
	if t.run, err = t.runner(suite); err != nil {
		return err
	}
	g, err := t.values()
	if err != nil {
		return err
	}
	var states []*oracle.State
	if t.req.Tests != "" {
		if states, err = cases.Calls(t.req.Tests, t.ct.Func, g.Outputs()); err != nil {
			return err
		}
		if len(states) == 0 {
			return job.Usage("%s: there is no call in it", t.req.Tests)
		}
	}
	if len(states) > 0 {
		t.tests, t.bad, t.out, err = t.judge(states)
	} else {
		err = t.make(ctx, g)
	}
	if err != nil {
		return err
	}
	if len(t.tests) == 0 {
		return job.Usage("%s: no test meets the precondition of %s", t.ct.Pre[0].Pos, t.ct.Func.Name)
	}
	if t.asMet {
		return nil
	}
	held := g.States(heldTests, t.req.Seed+1000)
	for _, s := range held {
		t.held = append(t.held, &oracle.Case{Name: s.Text, State: s})
	}
	return nil
}

// generate makes more and more calls until enough of them meet the precondition. Few may do so: a random number is
// seldom a position in a list. It gives up if no more calls can be made, or after more than heldTests of them. Of those
// that meet the precondition it keeps as many as the search gets.
func (t *task) generate(g *cases.Values) error {
	for n := givenTests; ; n *= 4 {
		states := g.States(n, t.req.Seed+1)
		if len(states) == 0 {
			return nil
		}
		var err error
		if t.tests, t.bad, t.out, err = t.judge(states); err != nil {
			return err
		}
		if len(t.tests) >= enoughTests || n > heldTests || len(states) < n {
			break
		}
	}
	t.choose()
	return nil
}

// choose keeps as many tests as the search gets: failing ones, and some that pass. It returns the others.
func (t *task) choose() (rest []*oracle.Case) {
	if more := len(t.tests) - givenTests; more > 0 {
		bad := min(t.bad, givenTests-givenTests/3)
		bad = max(bad, givenTests-(len(t.tests)-t.bad))
		good := t.bad + givenTests - bad
		rest = append(slices.Clone(t.tests[bad:t.bad]), t.tests[good:]...)
		t.tests = append(slices.Clone(t.tests[:bad]), t.tests[t.bad:good]...)
		t.bad = bad
	}
	return rest
}

// Numbers of generated calls.
const (
	givenTests  = 15
	enoughTests = 10
	heldTests   = 400
)

// runner returns a runner that charges its cost to the search.
func (t *task) runner(s *oracle.Suite) (*oracle.Runner, error) {
	r, err := oracle.NewRunner(s)
	if err == nil {
		r.Spend = t.spent
	}
	return r, err
}

func (t *task) spent(steps int64) {
	if t.spend != nil {
		t.spend(steps)
	}
}

// hold runs a call and checks the contract. It returns an error if the unrepaired program reaches something that gulo
// does not model, since it is unknown then whether the contract is kept.
func (t *task) hold(c *oracle.Case, os []*lower.Overlay) (*oracle.Kept, error) {
	k, err := t.run.Hold(c, os, t.ct, nil)
	if err == nil && os == nil && !k.Outside {
		if why := k.Unmodelled(); why != "" {
			return nil, job.Usage("%s: whether %s keeps its contract is not known, since gulo has no model of what it comes to", why, t.ct.Func.Name)
		}
	}
	return k, err
}

// judge runs calls and makes tests of them, failing ones first. outside counts the calls outside of the precondition,
// which are left out.
func (t *task) judge(states []*oracle.State) (tests []*oracle.Case, bad, outside int, err error) {
	var good, wrong []*oracle.Case
	for _, s := range states {
		c := &oracle.Case{Name: s.Text, State: s}
		k, err := t.hold(c, nil)
		if err != nil {
			return nil, 0, 0, err
		}
		c.Want = &oracle.Run{Any: true, Steps: 2000}
		switch {
		case k.Outside:
			outside++
		case k.Passed():
			c.Want.Steps = k.Steps
			good = append(good, c)
		default:
			wrong = append(wrong, c)
		}
	}
	return bounded(wrong, good), len(wrong), outside, nil
}

// bounded puts failing calls before others. It sets one limit of steps for all: three times those of the longest call
// that keeps its contract.
func bounded(wrong, good []*oracle.Case) []*oracle.Case {
	most := int64(500)
	for _, c := range good {
		most = max(most, 3*c.Want.Steps)
	}
	for _, c := range append(good, wrong...) {
		c.Want.Steps = most
	}
	return append(wrong, good...)
}

// passes reports whether a patch passes all tests. mended counts the failing tests that it corrects; it is 0 if the
// patch breaks a passing one.
func (t *task) passes(os []*lower.Overlay) (all bool, mended int, err error) {
	all = true
	for i, c := range t.tests {
		k, err := t.hold(c, os)
		if err != nil {
			return false, 0, err
		}
		switch {
		case k.Passed():
			if i < t.bad {
				mended++
			}
		case i >= t.bad:
			return false, 0, nil
		default:
			all = false
			if mended == 0 && i >= 2 {
				return false, 0, nil
			}
		}
	}
	return all, mended, nil
}

// refuted returns a held-back call on which a patch breaks the contract, or nil, and the number of calls before it that
// keep it.
func (t *task) refuted(os []*lower.Overlay) (*oracle.Case, int, error) {
	n := 0
	for _, c := range t.held {
		if c.Want == nil {
			c.Want = &oracle.Run{Any: true, Steps: t.tests[0].Want.Steps}
		}
		k, err := t.hold(c, os)
		if err != nil {
			return nil, n, err
		}
		if k.Outside {
			continue
		}
		if !k.Passed() {
			return c, n, nil
		}
		n++
	}
	return nil, n, nil
}

func (t *task) overlays(p *repair.Patch) ([]*lower.Overlay, error) {
	return natural.Overlays(t.prog, p)
}

// traces records failing tests, one for each way through the program, and returns the shortest first.
func (t *task) traces(most int) ([]*evidence.Trace, error) {
	var out []*evidence.Trace
	seen := map[string]bool{}
	for _, c := range t.tests[:t.bad] {
		if len(out) >= most {
			break
		}
		tr, err := evidence.Record(t.run, c, t.ct)
		if err != nil {
			if text := err.Error(); !slices.Contains(t.notes, text) {
				t.notes = append(t.notes, text)
			}
			continue
		}
		if key := tr.Way(); !seen[key] {
			seen[key] = true
			out = append(out, tr)
		}
	}
	slices.SortStableFunc(out, func(a, b *evidence.Trace) int { return len(a.Inst) - len(b.Inst) }) // short ones are easier to follow
	return out, nil
}

func (t *task) example() (string, error) {
	c := t.tests[0]
	k, err := t.hold(c, nil)
	if err != nil {
		return "", err
	}
	name := strings.TrimSpace(c.Name)
	if k.Violation != nil {
		return k.String(), nil
	}
	return fmt.Sprintf("on %s: %s", name, k), nil
}

// Check checks a program by its contract, on all calls up to a bound. bad is the first call that breaks it, and n
// counts the calls before it that meet the precondition.
func Check(ctx context.Context, req *job.Job) (n int, bad string, err error) {
	t := &task{req: req, spend: func(n int64) { budget.Spend(ctx, n) }}
	if t.prog, err = req.Load(ctx); err != nil {
		return 0, "", err
	}
	if err = t.readContract(); err != nil {
		return 0, "", err
	}
	if t.run, err = t.runner(&oracle.Suite{Prog: t.prog, Entry: t.ct.Func}); err != nil {
		return 0, "", err
	}
	g, err := t.values()
	if err != nil {
		return 0, "", err
	}
	for _, s := range g.Every(mostBound) {
		c := &oracle.Case{Name: s.Text, State: s, Want: &oracle.Run{Any: true, Steps: 2000}}
		k, err := t.hold(c, nil)
		switch {
		case err != nil:
			return n, "", err
		case k.Outside:
		case !k.Passed():
			return n, s.Text, nil
		default:
			n++
		}
	}
	return n, "", nil
}
