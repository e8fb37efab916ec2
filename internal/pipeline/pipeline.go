// Package pipeline repairs: it asks every engine that accepts a job, and checks what they find against everything that
// is known about right behaviour.
//
// The engines are calls in states (package repair/states), whole runs (repair/runs), logic (logic) and evidence on
// error traces (package pwp). If the user's run fails and others can be made from it, whole runs are asked first: they
// show the reported failure, and all their states are reachable. With a reference, functions that differ from its own
// are repaired one at a time first. Then single edits are searched, on the machine and in the text, and for a part of
// the time pairs of edits. With tests alone, what outputs suggest comes first and edits of the text next. Then come
// evidence, if there is a contract, and the engine that fits the program's data, for a part of the time. The rest of
// the time goes to edits of the text. The same seed gives the same answer unless the time is up.
//
// Several specifications count as one: a repair is checked against those that its engine does not understand (see
// judge.go). If one engine repairs what another cannot see, their edits are combined.
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

// Answer is the report of the engine that answers. Logic or Evidence is set if that engine answered.
type Answer struct {
	Report   *report.Report
	Logic    *logic.Answer
	Evidence *pwp.Answer

	engine  string
	final   bool // the last word, whatever other engines may say
	besides bool // it changes runs that already keep the contract
	vague   bool // it only says that the error is not where the engine looked

	stepsDone int // edits already made, each of which ended one error
}

// unlike turns an answer that nothing is wrong into Unknown, because a run breaks the contract.
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
	if p.j.ByContract() && p.inHand() { // leave time to check repairs against whole runs, and to compile them, after the search
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

// heldShare: one in so many parts of the time is left to check repairs by a contract against whole runs.
const heldShare = 6

// opaque adds to a report without a repair the parts of the program that were not searched and may hold the error.
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

// tried adds to a report that ended at the time limit how far the search of whole runs had come.
func (p *pipe) tried(rep *report.Report) {
	if p.runs == nil || rep == nil || rep.Result != report.Unknown || rep.Cause != report.TimeLimit || !p.fails {
		return
	}
	if n := p.runs.Tried(); !slices.Contains(rep.Notes, n) {
		rep.Notes = append(rep.Notes, n)
	}
}

// pipe is a job and the state of its repair.
type pipe struct {
	j          *job.Job
	until      time.Time
	logic      bool            // logic is to be asked
	unanswered bool            // logic was asked and has no answer: repairers that waited for it are asked now
	runs       *runs.Search    // nil: there are none
	fails      bool            // the program fails some of them
	best       *Answer         // the best answer so far
	besides    *Answer         // a repair that keeps the contract but changes runs that kept it already: used if there is no better one
	met        *Answer         // the answer of an engine that found nothing wrong
	halves     []half          // repairs that correct a part of what is wrong
	deep       bool            // a partial repair is being repaired further: partial repairs are not combined again
	steps      int             // edits that were made before, each of which ended one error
	declined   []string        // engines that were not asked, and why
	why        error           // the refusal that is reported if no engine answers
	called     bool            // the runs are calls of a function
	searched   bool            // an engine took the job, with or without a result
	comparer   *logic.Comparer // answers the judge of whole runs; nil: not asked yet
	wholes     *pwp.Wholes     // runs with the contract checked; nil: not made yet
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
	if p.best == nil && p.searched && budget.Over(ctx, p.until) { // the engines that accepted the job found no answer
		p.best = &Answer{Report: &report.Report{Result: report.Unknown, Cause: report.TimeLimit, Repairs: []report.Repair{}}}
	}
	if p.best == nil {
		return nil, p.nothing()
	}
	return p.best, nil
}

// ask asks one engine and checks what it finds against everything else that is known. done reports whether that is the
// final answer.
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
		} else if why != "" { // the engine did not look at that run
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
			p.met = a // a run or another specification may contradict it
		}
		return false, nil
	}
	return p.keep(a), nil
}

// timely changes an answer that there is no repair to Unknown if the time is up: a part of the search may have ended
// early.
func (p *pipe) timely(ctx context.Context, a *Answer) {
	if a.Report.Result == report.None && len(a.Report.Repairs) == 0 && budget.Over(ctx, p.until) {
		r := *a.Report
		r.Result, r.Cause = report.Unknown, report.TimeLimit
		a.Report = &r
	}
}

// put keeps the first repair that keeps the contract but changes other runs.
func (p *pipe) put(a *Answer) {
	p.offer(report.Aside, a)
	if p.besides == nil {
		p.besides = a
	}
}

// doubts reports whether an answer that nothing is wrong is not final: a run fails, or there are specifications that
// the engine did not look at.
func (p *pipe) doubts() bool { return p.fails || p.j.Several() }

// settle answers that nothing is wrong if no engine found anything else. confirm then checks that against the runs.
func (p *pipe) settle() {
	if p.best != nil {
		return
	}
	if p.met == nil && !p.fails && p.runs != nil && p.j.Asks("runs") {
		p.met = &Answer{Report: p.runs.Met(), engine: "runs"}
	}
	p.best = p.met
}

// nothing returns the error for a job that no engine answers.
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

// decline records why an engine was not asked, once for each engine.
func (p *pipe) decline(engine string, err error) {
	begin := engine + ": "
	if engine != "" && !slices.ContainsFunc(p.declined, func(s string) bool { return strings.HasPrefix(s, begin) }) {
		p.declined = append(p.declined, begin+err.Error())
	}
}

func (p *pipe) share(ctx context.Context, n int) time.Duration {
	return max(budget.Until(ctx, p.until)/time.Duration(n), 10*time.Millisecond)
}

// refused reports whether an error means that the engine cannot do this job.
func refused(err error) bool {
	var use *job.UsageError
	var mis *oracle.Mismatch
	var un *symbolic.Unsupported
	var other *declined
	return errors.As(err, &other) || errors.As(err, &use) || errors.As(err, &mis) || errors.As(err, &un)
}

// prepare makes the whole runs. They do not judge an engine that is asked for alone: its own report says what it looked
// at.
func (p *pipe) prepare(ctx context.Context) error {
	if !p.j.ByRuns() || p.j.Alone() && !p.j.Asks("runs") && !p.j.Several() {
		return nil
	}
	if p.j.Spec.Tests != "" && !p.j.Folder() {
		return nil // the tests are calls, so that states are compared
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

// keep records an answer if it is better than the one so far. done reports whether it is the final one.
func (p *pipe) keep(a *Answer) (done bool) {
	switch {
	case a.Report.Result == report.Repaired:
		p.best = a
		return true
	case p.best == nil || p.best.Report.Met() && !a.Report.Met() || p.best.vague:
		p.best = a
	case len(p.best.Report.Repairs) > 0: // the answer so far holds the nearest repair
	case len(a.Report.Repairs) > 0:
		p.best = a
	case p.best.engine == a.engine && p.best.Report.Result == report.Unknown && a.Report.Result == report.None:
		p.best = a // the later search was complete
	}
	return false
}

// states reports whether calls of a function in given states are compared.
func (p *pipe) states() bool {
	s := &p.j.Spec
	return p.j.Asks("heap") && (len(s.Reference) > 0 || p.j.Alone() && s.Tests != "")
}

// waiting reports whether edits of the text are still to be searched.
func (p *pipe) waiting() bool { return p.runs != nil && p.fails && p.j.Asks("runs") }

// miss records a refusal: the first one, or with whole runs the last.
func (p *pipe) miss(err error) {
	if p.why == nil || p.runs != nil {
		p.why = err
	}
}
