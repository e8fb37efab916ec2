// Package pipeline repairs: it asks every engine that accepts a job, and judges what they
// find by all that is known of what is right.
//
// The engines are calls in states (package repair/states), whole runs (repair/runs), logic (logic)
// and evidence on error traces (package pwp). If the user's run fails and others can be made
// from it, whole runs are asked first: they show the reported failure, and all their states
// are reachable. With a reference, functions that
// differ from its own are repaired one at a time first, then one edit is looked for, on the
// machine and in the text, and for a part of the time two; with tests alone, what
// outputs suggest comes first and edits of the text next. Then come evidence, where there is
// a contract, and the engine that fits the program's data, for a part of the time. The
// rest belongs to edits of the text. The same seed gives the same answer unless the time is up.
//
// Several specifications are one: an engine's candidates are checked against those that it
// does not understand (see judge.go), and where one engine repairs what another cannot see,
// their edits are combined.
package pipeline

import (
	"context"
	"errors"
	"fmt"
	"gulo/internal/budget"
	"gulo/internal/timing"
	"slices"
	"strings"
	"time"

	"gulo/internal/job"
	"gulo/internal/logic"
	"gulo/internal/oracle"
	"gulo/internal/pwp"
	"gulo/internal/repair/runs"
	"gulo/internal/report"
	"gulo/internal/symbolic"
)

// Answer is the report of the engine that answers. Logic or Evidence is set when it is
// that one.
type Answer struct {
	Report   *report.Report
	Logic    *logic.Answer
	Evidence *pwp.Answer

	engine  string
	final   bool // whatever else may be asked
	besides bool // it changes what runs do that keep the contract
	vague   bool // it only says that what was looked at is not what is wrong

	stepsDone int // edits that are steps, each the end of one error
}

// unlike is an answer that nothing is wrong when a run breaks the contract.
func (a *Answer) unlike(why string) *Answer {
	r := *a.Report
	r.Result, r.Evidence, r.Repairs, r.Texts = report.Unknown, nil, []report.Repair{}, nil
	r.Failing, r.Cases = 1, 1
	r.Cause, r.Example = "everything that was checked is right, but a run is wrong: "+why, why
	return &Answer{Report: &r, engine: a.engine, vague: true}
}

// Sources returns the repaired text of the files that the first repair changes.
func (a *Answer) Sources() map[string]string {
	if a.Report.Result != report.Repaired {
		return nil
	}
	return a.Report.Sources(0)
}

// Fix repairs a program.
func Fix(ctx context.Context, j *job.Job) (*Answer, error) {
	if err := j.Check(); err != nil {
		return nil, err
	}
	one := *j.Keeping()
	if one.Limit == 0 {
		one.Limit = 20 * time.Second
	}
	if one.Best == nil {
		one.Best = report.NewSoFar(ctx)
	}
	ctx = budget.Begin(ctx, one.Guarded())
	p := &pipe{j: &one, until: budget.After(ctx, one.Limit)}
	if p.j.ByContract() && p.inHand() { // what is found is held against whole runs, and compiled, when a search has ended
		p.until = p.until.Add(-one.Limit / heldShare)
	}
	a, err := p.fix(ctx)
	if err != nil {
		return nil, err
	}
	p.opaque(a.Report)
	p.tried(a.Report)
	if err := p.confirm(ctx, a); err != nil {
		return nil, err
	}
	return p.interim(ctx, a), nil
}

// heldShare: one in so many parts of the time is for holding what is found by a contract against whole runs.
const heldShare = 6

// opaque says where no repair was found what it may lie in that was not searched.
func (p *pipe) opaque(rep *report.Report) {
	if p.runs == nil || rep == nil || rep.Result == report.Repaired || rep.Met() {
		return
	}
	for _, n := range p.runs.Judge().LeftOut() {
		if !slices.Contains(rep.Notes, n) {
			rep.Notes = append(rep.Notes, n)
		}
	}
}

// tried says where the time limit ended the search of whole runs how far it had come.
func (p *pipe) tried(rep *report.Report) {
	if p.runs == nil || rep == nil || rep.Result != report.Unknown || rep.Cause != report.TimeLimit || !p.fails {
		return
	}
	if n := p.runs.Tried(); !slices.Contains(rep.Notes, n) {
		rep.Notes = append(rep.Notes, n)
	}
}

// pipe is a job on its way.
type pipe struct {
	j          *job.Job
	until      time.Time
	logic      bool            // logic is asked
	unanswered bool            // it was, and has no answer: what waited for it is asked now
	runs       *runs.Search    // nil: there are none
	fails      bool            // the program fails on some of them
	best       *Answer         // the most telling so far
	besides    *Answer         // keeps the contract, and changes what runs do that keep it: for want of another
	met        *Answer         // of an engine that found nothing wrong
	halves     []half          // candidates that mend a part of what is wrong
	deep       bool            // a candidate is being mended: nothing is put together again
	steps      int             // edits that were made before, each the end of one error
	declined   []string        // engines, and why they were not asked
	why        error           // what the first engine said that has no answer
	called     bool            // the runs are calls of a function
	searched   bool            // an engine took the job, whatever it came to
	comparer   *logic.Comparer // asked by the judge of whole runs; nil: it was not
	wholes     *pwp.Wholes     // with a contract; nil: not made yet
}

func (p *pipe) fix(ctx context.Context) (*Answer, error) {
	p.j.Read(ctx)
	var err error
	if p.logic, err = wantsLogic(ctx, p.j); err != nil {
		return nil, err
	}
	defer func() {
		p.runs.Close()
		if p.comparer != nil {
			p.comparer.Close()
		}
	}()
	if err := p.prepare(ctx); err != nil {
		return nil, err
	}
	if p.runs != nil && p.fails && !p.j.Several() {
		rep, err := p.runs.Unattempted()
		if err != nil || rep != nil {
			return &Answer{Report: rep, engine: "runs"}, err
		}
	}
	list := order(&p.j.Spec)
	if p.called {
		list = []Repairer{byMachine{}, byTwoEdits{}, byReference{}, byText{}}
	}
	for _, e := range list {
		if done, err := p.ask(ctx, e); err != nil {
			return nil, err
		} else if done {
			return p.best, nil
		}
	}
	if p.besides != nil {
		return p.besides, nil
	}
	p.settle()
	if p.best == nil && p.searched && budget.Over(ctx, p.until) { // the engines that accept the job came to no answer
		p.best = &Answer{Report: &report.Report{Result: report.Unknown, Cause: report.TimeLimit, Repairs: []report.Repair{}}}
	}
	if p.best == nil {
		return nil, p.nothing()
	}
	return p.best, nil
}

// ask asks an engine, and holds what it finds against everything else that is known; done
// says whether that is the last word.
func (p *pipe) ask(ctx context.Context, e Repairer) (done bool, err error) {
	name := e.Engine()
	if name != "" && !p.j.Asks(name) {
		return false, nil
	}
	if err := e.Accepts(p); err != nil {
		p.decline(name, err)
		return false, nil
	}
	span := timing.Begin(ctx, strings.TrimPrefix(fmt.Sprintf("%T", e), "pipeline."))
	a, err := e.Search(ctx, p)
	span.End("")
	p.searched = p.searched || !refused(err)
	if name == "template" && a == nil && (err == nil || refused(err)) {
		p.logic, p.unanswered = false, true
	}
	if refused(err) {
		p.miss(err)
		return false, nil
	}
	if a == nil || err != nil {
		return false, err
	}
	if a.engine == "" {
		a.engine = name
	}
	p.timely(ctx, a)
	if a.Report.Met() {
		if why, err := p.broken(ctx); err != nil {
			return false, err
		} else if why != "" { // it looked elsewhere
			return p.keep(a.unlike(why)), nil
		}
	}
	switch {
	case a.final:
		p.best = a
		return true, nil
	case a.Report.Result == report.Repaired && p.runs.Guessed(a.Report) != "":
		r := *a.Report
		r.Result, r.Cause, r.Repairs, r.Texts = report.Unknown, p.runs.Guessed(a.Report), []report.Repair{}, nil
		r.Notes = slices.DeleteFunc(slices.Clone(r.Notes), runs.IsRival)
		p.best = &Answer{Report: &r, engine: a.engine}
		return true, nil
	case a.besides && !p.j.Several():
		p.put(a)
		return false, nil
	case a.Report.Result == report.Repaired:
		return p.held(ctx, a)
	case a.Report.Met() && p.doubts():
		if p.met == nil {
			p.met = a // a run says otherwise, or another specification may
		}
		return false, nil
	}
	return p.keep(a), nil
}

// timely takes an engine's word that there is no repair for what it is when the time is up: a part of its search may
// have ended early.
func (p *pipe) timely(ctx context.Context, a *Answer) {
	if a.Report.Result == report.None && len(a.Report.Repairs) == 0 && budget.Over(ctx, p.until) {
		r := *a.Report
		r.Result, r.Cause = report.Unknown, report.TimeLimit
		a.Report = &r
	}
}

// put remembers a repair that keeps the contract and changes what other runs do, the first.
func (p *pipe) put(a *Answer) {
	p.offer(report.Aside, a)
	if p.besides == nil {
		p.besides = a
	}
}

// doubts reports whether an engine's word that nothing is wrong is not the last: a run
// fails, or there is what it did not look at.
func (p *pipe) doubts() bool { return p.fails || p.j.Several() }

// settle answers that nothing is wrong when that is all that was found; confirm holds
// that against the runs.
func (p *pipe) settle() {
	if p.best != nil {
		return
	}
	if p.met == nil && !p.fails && p.runs != nil && p.j.Asks("runs") {
		p.met = &Answer{Report: p.runs.Met(), engine: "runs"}
	}
	p.best = p.met
}

// nothing is the error when no engine answers.
func (p *pipe) nothing() error {
	if p.why != nil {
		if no := (byAsserts{}).Accepts(p); no != nil && p.j.Asks("runs") && p.j.Assert && !p.j.Several() {
			return fmt.Errorf("%w; no runs were searched: %w", p.why, no)
		}
		return p.why
	}
	if len(p.declined) == 0 {
		return job.Usage("no engine accepts what is given: %s does not work from it", strings.Join(p.j.Engines, ", "))
	}
	return job.Usage("no engine accepts what is given: %s", strings.Join(p.declined, "; "))
}

// decline remembers why an engine was not asked, the first time.
func (p *pipe) decline(engine string, err error) {
	begin := engine + ": "
	if engine != "" && !slices.ContainsFunc(p.declined, func(s string) bool { return strings.HasPrefix(s, begin) }) {
		p.declined = append(p.declined, begin+err.Error())
	}
}

func (p *pipe) share(ctx context.Context, n int) time.Duration {
	return max(budget.Until(ctx, p.until)/time.Duration(n), 10*time.Millisecond)
}

// refused reports whether an engine says that a job is not for it.
func refused(err error) bool {
	var use *job.UsageError
	var mis *oracle.Mismatch
	var un *symbolic.Unsupported
	var other *declined
	return errors.As(err, &other) || errors.As(err, &use) || errors.As(err, &mis) || errors.As(err, &un)
}

// prepare makes the whole runs. An engine that is asked alone is not judged by them: its
// own report says what it looked at.
func (p *pipe) prepare(ctx context.Context) error {
	if !p.j.ByRuns() || p.j.Alone() && !p.j.Asks("runs") && !p.j.Several() {
		return nil
	}
	if p.j.Spec.Tests != "" && !p.j.Folder() {
		return nil // calls: states are what is compared
	}
	q := *p.j
	r := &q
	r.Limit = p.j.Limit
	var err error
	span := timing.Begin(ctx, "prepare runs")
	p.runs, err = runs.New(ctx, r)
	p.j.Space = r.Space
	span.End("")
	if err != nil {
		p.runs = nil
		if !refused(err) {
			return err
		}
		p.why = err
		return nil
	}
	p.compare()
	right, err := p.runs.Judge().Right()
	p.fails = !right
	return err
}

// keep remembers an answer; done says whether it is the last word.
func (p *pipe) keep(a *Answer) (done bool) {
	switch {
	case a.Report.Result == report.Repaired:
		p.best = a
		return true
	case p.best == nil || p.best.Report.Met() && !a.Report.Met() || p.best.vague:
		p.best = a
	case len(p.best.Report.Repairs) > 0: // the nearest
	case len(a.Report.Repairs) > 0:
		p.best = a
	case p.best.engine == a.engine && p.best.Report.Result == report.Unknown && a.Report.Result == report.None:
		p.best = a // its search came to an end
	}
	return false
}

// states reports whether calls of a function in states are compared.
func (p *pipe) states() bool {
	s := &p.j.Spec
	return p.j.Asks("heap") && (len(s.Reference) > 0 || p.j.Alone() && s.Tests != "")
}

// waiting reports whether edits of the text come after this one.
func (p *pipe) waiting() bool { return p.runs != nil && p.fails && p.j.Asks("runs") }

// miss remembers the first refusal.
func (p *pipe) miss(err error) {
	if p.why == nil || p.runs != nil {
		p.why = err
	}
}
