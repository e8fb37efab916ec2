// Package runs repairs by whole runs: the given ones and, with a reference, others made from them. What outputs suggest
// (repair/output) is tried first. Then two engines search: one executes edits on the machine (repair/natural), the
// other executes edited texts natively (repair/schema). Their repairs are checked on runs that neither saw, and with
// gcc's sanitizers.
package runs

import (
	"cmp"
	"context"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/native"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/output"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/report"
)

// Search is a search by whole runs.
type Search struct {
	t     *judge.Judge
	until time.Time
	begin time.Time
	clock time.Time // when it began by the clock, for reports

	suggested []textedit.Suggested // edits that the program's outputs suggest

	declared bool // declarations that differ from the reference's were tried

	text     *schema.Search   // search for text edits, in the background; nil: not begun
	ahead    *schema.Search   // the same search while it only measures the program; nil: not begun
	known    int              // number of the given cases that the text search knows
	failing  int              // number of the given cases that the program fails
	rep      *report.Report   // report to which judging a text edit writes
	aside    []aside          // repairs with a flaw, such as a division by zero near the tests
	other    []aside          // repairs that differ from the reference only on inputs unlike those in hand
	topped   int              // number of repairs in other on top of which edits were searched
	onTop    bool             // edits on top of the best of these were tried
	wait     time.Time        // end of the time for finding something better than these; zero: there are none
	relaxed  *judge.Judge     // judges only by demands; nil: not used
	unjudged []natural.Repair // repairs found on the machine but not judged, because text edits were ready
	fits     bool             // a repair that only fits the given tests was left out
	hidden   bool             // a repair that may only hide the error was left out
	lenders  []*donor         // other right programs from which statements are taken; nil: not looked for
	rewrites bool             // the repair with statements of the reference leaves little of the program
	guess    *guess           // a repair that is no better than another one; nil: none
	begun    []func()         // functions that drop what was compiled ahead
	refused  int              // number of repairs that were judged in vain
	patient  bool             // single edits were tried on the machine, which shows whether there are several errors
	errors   *errorSearch     // that search; nil: the machine cannot run the program with all edits, or no memory rule fires
}

// New makes cases from whole runs. The job's arguments and standard input are the run in hand.
func New(ctx context.Context, req *job.Job) (*Search, error) {
	if req.Limit == 0 {
		req.Limit = cases.DefaultLimit
	}
	w := &Search{begin: budget.Now(ctx), clock: time.Now()}
	w.until = w.begin.Add(req.Limit)
	Learn(req.Mistakes)
	t, err := cases.OfRuns(ctx, req, func(t *cases.Set) { w.compile(ctx, t) })
	if err != nil {
		w.forget()
		return nil, err
	}
	w.t = &judge.Judge{Set: t, Until: w.until}
	return w, nil
}

// compile starts compiling what is needed first, while runs are generated. Errors are reported when the result is
// needed.
func (w *Search) compile(ctx context.Context, t *cases.Set) {
	native.Warm(ctx, true)
	w.begun = append(w.begun, judge.Begin(ctx, t))
	w.begun = append(w.begun, schema.Begin(ctx, problem(t)))
	if t.Ref == nil || t.Job.Folder() { // with a reference, small edits are tried before outputs are analyzed
		w.begun = append(w.begun, output.Begin(ctx, &output.Problem{Tree: t.Prog.Tree, Options: t.Job.Options}))
	}
}

// forget drops what was compiled ahead and not used.
func (w *Search) forget() {
	for _, forget := range w.begun {
		forget()
	}
}

// Close ends the work in the background.
func (w *Search) Close() {
	if w != nil && w.ahead != nil {
		w.ahead.Close()
	}
	if w != nil {
		w.forget()
		w.t.Close()
		if w.relaxed != nil {
			w.relaxed.Close()
		}
	}
}

// Fix repairs a program by whole runs.
func Fix(ctx context.Context, req *job.Job) (*report.Report, error) {
	ctx = budget.Begin(ctx, cmp.Or(req.Limit, cases.DefaultLimit))
	w, err := New(ctx, req)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	right, err := w.t.Right()
	if err != nil {
		return nil, err
	}
	if right {
		return w.Met(), nil
	}
	rep, err := w.ByOutput(ctx, budget.Part(ctx, w.until, outputShare))
	if err != nil || rep.Result == report.Repaired {
		return rep, err
	}
	rep, err = w.ByMachine(ctx, budget.Part(ctx, w.until, naturalShare))
	if err != nil || rep.Result == report.Repaired {
		return rep, err
	}
	return w.ByText(ctx)
}

// naturalShare: the search on the machine gets one in so many parts of the time, before the search of text edits.
const naturalShare = 5

// outputShare: what outputs suggest gets one in so many parts of the time.
const outputShare = 2

// Judge returns the judge of repairs.
func (w *Search) Judge() *judge.Judge { return w.t }

// Met returns the answer for a program that meets every run.
func (w *Search) Met() *report.Report {
	rep := &report.Report{Cases: len(w.t.Given.Cases), Notes: w.t.Notes, Repairs: []report.Repair{}}
	w.t.Unrefuted(rep)
	rep.Millis = w.millis()
	return rep
}

// Took returns how long the search has taken so far.
func (w *Search) Took(ctx context.Context) time.Duration { return budget.Since(ctx, w.begin) }

// Avoids says how several edits together only keep main from reaching a memory error, or cause another; "" if they do
// neither.
func (w *Search) Avoids(ctx context.Context, texts map[string]string) (string, error) {
	if why, err := w.t.Recurs(ctx, texts); why != "" || err != nil {
		return why, err
	}
	p, err := w.t.Reloaded(ctx, texts)
	if p == nil || err != nil {
		return "", err
	}
	if why := judge.Vacant(w.t.Prog.Tree, p.Tree); why != "" {
		return "with it " + why, nil
	}
	return w.t.Breaks(ctx, p)
}
