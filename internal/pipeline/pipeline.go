// Package pipeline repairs: it asks every engine that accepts a job, and judges what they
// find by all that is known of what is right.
//
// The engines are cases of states and of whole runs (package batch), logic (package logic)
// and evidence on error traces (package pwp). Where the run that the user has in hand
// fails and others can be made up from it, whole runs are asked first: they are what was
// complained about, and no state in them is invented. What outputs suggest is tried beside
// them: before them where only tests say what is right, after them where a reference tells
// small edits apart. Then come evidence, where there is a
// contract, and the engine that fits the program's data, for a part of the time. Edits of
// the text, which find most and cost most, come last. The same seed gives the same answer
// unless the time is up.
//
// Several specifications are one: what an engine does not honour its candidates are held
// against (see judge.go), and where one engine mends what another cannot see, their edits
// are put together.
package pipeline

import (
	"context"
	"errors"
	"time"

	"gulo/internal/batch"
	"gulo/internal/contract"
	"gulo/internal/job"
	"gulo/internal/logic"
	"gulo/internal/oracle"
	"gulo/internal/pwp"
	"gulo/internal/report"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// Answer is the report of the engine that answers. Logic or Evidence is set when it is
// that one.
type Answer struct {
	Report   *report.Report
	Logic    *logic.Report
	Evidence *pwp.Report

	engine string
}

// Sources returns the repaired text of the files that the first repair changes.
func (a *Answer) Sources() map[string]string {
	if a.Report.Result != report.Repaired {
		return nil
	}
	return a.Report.Sources(0)
}

// Shares of the time that is left.
const (
	partsShare    = 2 // functions one at a time
	pairsShare    = 3 // two edits of the text together, when others wait
	outputShare   = 2 // what outputs suggest
	machineShare  = 5 // whole runs, edits executed on the machine
	evidenceShare = 2 // evidence, when others wait
	engineShare   = 3 // the engine that fits the data, when others wait
)

// Fix repairs a program.
func Fix(ctx context.Context, j *job.Job) (*Answer, error) {
	if err := j.Check(); err != nil {
		return nil, err
	}
	one := *j
	if one.Limit == 0 {
		one.Limit = 20 * time.Second
	}
	p := &pipe{j: &one, until: time.Now().Add(one.Limit)}
	a, err := p.fix(ctx)
	if err != nil {
		return nil, err
	}
	return a, p.confirm(ctx, a)
}

// pipe is a job on its way.
type pipe struct {
	j      *job.Job
	until  time.Time
	logic  bool        // logic is asked
	runs   *batch.Runs // nil: there are none
	fails  bool        // the program fails on some of them
	best   *Answer     // the most telling so far
	met    *Answer     // of an engine that found nothing wrong
	halves []half      // candidates that mend a part of what is wrong
	deep   bool        // a candidate is being mended: nothing is put together again
	why    error       // what the first engine said that has no answer
}

func (p *pipe) fix(ctx context.Context) (*Answer, error) {
	var err error
	if p.logic, err = wantsLogic(ctx, p.j); err != nil {
		return nil, err
	}
	defer func() { p.runs.Close() }()
	if err := p.prepare(ctx); err != nil {
		return nil, err
	}
	if p.runs != nil && p.fails && !p.j.Several() {
		rep, err := p.runs.Unattempted()
		if err != nil || rep != nil {
			return &Answer{Report: rep, engine: "runs"}, err
		}
	}
	for _, step := range p.steps() {
		if done, err := step(ctx); err != nil {
			return nil, err
		} else if done {
			return p.best, nil
		}
	}
	if p.best == nil {
		return nil, p.nothing()
	}
	return p.best, nil
}

// steps are the engines in the order in which they are asked.
func (p *pipe) steps() []func(context.Context) (bool, error) {
	type step = func(context.Context) (bool, error)
	s := &p.j.Spec
	switch {
	case len(s.Reference) > 0 && s.Folder() && !p.j.Several(): // whole programs with their tests
		return []step{p.byOutput, p.byText, p.runsFirst, p.byEvidence, p.byLogic, p.byStates, p.together}
	case len(s.Reference) > 0: // made-up runs tell small edits apart, and those are quick
		return []step{p.byParts, p.runsFirst, p.byTwoEdits, p.byOutput, p.byEvidence, p.byLogic, p.byStates, p.together, p.byText, p.together}
	case !s.ByContract() && !s.Assert: // tests alone: what people write comes before what the machine can
		return []step{p.byOutput, p.byText, p.runsFirst}
	}
	return []step{p.byOutput, p.runsFirst, p.byEvidence, p.byLogic, p.byStates, p.together, p.byText, p.together}
}

// nothing is the error when no engine answers.
func (p *pipe) nothing() error {
	if p.why != nil {
		return p.why
	}
	return job.Usage("no engine accepts what is given")
}

func (p *pipe) share(n int) time.Duration {
	return max(time.Until(p.until)/time.Duration(n), 10*time.Millisecond)
}

// refused reports whether an engine says that a job is not for it.
func refused(err error) bool {
	var use *job.UsageError
	var mis *oracle.Mismatch
	var un *symbolic.Unsupported
	return errors.As(err, &use) || errors.As(err, &mis) || errors.As(err, &un)
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
	if p.runs, err = batch.NewRuns(ctx, r); err != nil {
		p.runs = nil
		if !refused(err) {
			return err
		}
		p.why = err
		return nil
	}
	right, err := p.runs.Right()
	p.fails = !right
	return err
}

// keep remembers an answer; done says whether it is the last word.
func (p *pipe) keep(a *Answer) (done bool) {
	switch {
	case a.Report.Result == report.Repaired:
		p.best = a
		return true
	case p.best == nil || p.best.Report.Met() && !a.Report.Met():
		p.best = a
	case p.best.engine == a.engine && p.best.Report.Result == report.Unknown && a.Report.Result == report.None:
		p.best = a // its search came to an end
	}
	return false
}

// byOutput looks at what is printed and what should be. Where a literal is wrong, nothing
// else has to be searched.
func (p *pipe) byOutput(ctx context.Context) (bool, error) {
	if p.runs == nil || !p.fails || !p.j.Asks("runs") || p.untold() {
		return false, nil
	}
	rep, err := p.runs.ByOutput(ctx, time.Now().Add(p.share(outputShare)))
	if err != nil || rep.Result != report.Repaired {
		return false, err
	}
	return p.held(ctx, &Answer{Report: rep, engine: "runs"})
}

// byParts repairs functions that differ from the reference's one at a time.
func (p *pipe) byParts(ctx context.Context) (bool, error) {
	if p.runs == nil || !p.fails || !p.j.Asks("runs") || !p.runs.Parts() {
		return false, nil
	}
	rep, err := p.runs.ByParts(ctx, time.Now().Add(p.share(partsShare)))
	if err != nil || rep.Result != report.Repaired {
		return false, err // others look at the program as a whole
	}
	return p.held(ctx, &Answer{Report: rep, engine: "runs"})
}

// untold reports whether whole runs tell less than logic or states would.
func (p *pipe) untold() bool {
	whole := p.j.Folder() && !p.j.Several() // the tests are what was asked for
	return !p.runs.Telling() && !whole && (p.logic || p.states())
}

// runsFirst searches by whole runs on the machine when they tell enough.
func (p *pipe) runsFirst(ctx context.Context) (bool, error) {
	if p.runs == nil || !p.fails || !p.j.Asks("runs") {
		return false, nil
	}
	if p.untold() {
		return false, nil
	}
	rep, err := p.runs.ByMachine(ctx, time.Now().Add(p.share(machineShare)))
	if err == nil && rep.Result != report.Repaired && !p.logic { // what logic finds is proved
		rep, err = p.runs.ByOneEdit(ctx, rep)
	}
	if err != nil {
		return false, err
	}
	a := &Answer{Report: rep, engine: "runs"}
	if rep.Result == report.Repaired {
		return p.held(ctx, a)
	}
	return p.keep(a), nil
}

// byTwoEdits searches two edits of the text where many runs tell which may be a half.
func (p *pipe) byTwoEdits(ctx context.Context) (bool, error) {
	if p.runs == nil || !p.fails || p.logic || !p.j.Asks("runs") || !p.runs.Telling() {
		return false, nil
	}
	rep, err := p.runs.ByTwoEdits(ctx, time.Now().Add(p.share(pairsShare)))
	if err != nil || rep.Result != report.Repaired {
		return false, err
	}
	return p.held(ctx, &Answer{Report: rep, engine: "runs"})
}

// states reports whether calls of a function in states are compared.
func (p *pipe) states() bool {
	s := &p.j.Spec
	return p.j.Asks("heap") && (len(s.Reference) > 0 || p.j.Alone() && s.Tests != "")
}

// waiting reports whether edits of the text come after this one.
func (p *pipe) waiting() bool { return p.runs != nil && p.fails && p.j.Asks("runs") }

// byEvidence asks what error traces of a contract say, or alone, of a reference.
func (p *pipe) byEvidence(ctx context.Context) (bool, error) {
	contract := p.j.ByContract()
	if !p.j.Asks("evidence") || !contract && !p.j.Alone() {
		return false, nil
	}
	var rep *pwp.Report
	var err error
	if contract {
		r := evidence(p.j)
		r.Limit = p.share(1)
		if p.logic || p.waiting() {
			r.Limit = p.share(evidenceShare)
		}
		rep, err = pwp.Fix(ctx, r)
	} else {
		q := *p.j
		r := &q
		r.Limit = p.share(1)
		rep, err = pwp.FixCases(ctx, r, p.j.Dices)
	}
	var bad *contractError
	switch {
	case errors.As(err, &bad): // nobody else reads it better
		return false, err
	case refused(err):
		p.miss(err)
		return false, nil
	case err != nil:
		return false, err
	}
	a := &Answer{Report: &rep.Report, Evidence: rep, engine: "evidence"}
	if rep.Result == report.Repaired {
		return p.held(ctx, a)
	}
	if rep.Met() && (p.fails || p.j.Several()) {
		p.met = a // others may say otherwise
		return false, nil
	}
	p.keep(a)
	return rep.Met(), nil
}

type contractError = contract.Error

// byLogic asks logic. Where it has an answer, states are not asked.
func (p *pipe) byLogic(ctx context.Context) (bool, error) {
	if !p.logic {
		return false, nil
	}
	r := forLogic(p.j)
	if r.Limit = p.share(1); p.waiting() {
		r.Limit = p.share(engineShare)
	}
	rep, err := logic.Fix(ctx, r)
	if err != nil {
		var lim *symbolic.LimitError
		others := p.waiting() || p.states() && !p.j.Alone() || p.best != nil
		if refused(err) || (errors.As(err, &lim) || errors.Is(err, smt.ErrMissing)) && others {
			p.miss(err)
			return false, nil
		}
		return false, err
	}
	if rep.Elsewhere && !p.j.Alone() && len(p.j.Spec.Reference) > 0 {
		return false, nil
	}
	a := &Answer{Report: &rep.Report, Logic: rep, engine: "template"}
	if rep.Result == report.Repaired {
		return p.held(ctx, a)
	}
	if rep.Met() && (p.fails || p.j.Several()) {
		if p.met == nil {
			p.met = a // a run says otherwise, or another specification may
		}
		return false, nil
	}
	p.keep(a)
	return rep.Result == report.Right && !p.fails, nil
}

// miss remembers the first refusal.
func (p *pipe) miss(err error) {
	if p.why == nil || p.runs != nil {
		p.why = err
	}
}

// byStates asks cases of states.
func (p *pipe) byStates(ctx context.Context) (bool, error) {
	if !p.states() || p.best != nil && p.best.Logic != nil {
		return false, nil
	}
	q := *p.j
	r := &q
	if r.Limit = p.share(1); p.waiting() {
		r.Limit = p.share(engineShare)
	}
	rep, err := batch.Fix(ctx, r)
	if refused(err) {
		p.miss(err)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	a := &Answer{Report: rep, engine: "heap"}
	if rep.Result == report.Repaired {
		return p.held(ctx, a)
	}
	if rep.Met() && (p.fails || p.j.Several()) {
		if p.met == nil {
			p.met = a
		}
		return false, nil
	}
	p.keep(a)
	return rep.Met() && !p.fails, nil
}

// byText searches edits of the text by whole runs.
func (p *pipe) byText(ctx context.Context) (bool, error) {
	if p.runs == nil || !p.j.Asks("runs") {
		return p.unfailing()
	}
	if !p.fails {
		if p.best == nil && p.met == nil {
			p.met = &Answer{Report: p.runs.Met(), engine: "runs"}
		}
		return p.unfailing()
	}
	if p.met != nil && !p.j.Several() && (p.j.Entry != "" || !p.runs.Telling()) {
		// The entry does what the reference's does: what a run shows lies elsewhere, and an
		// edit of the entry that makes up for it is no repair.
		p.best = p.met
		return true, nil
	}
	rep, err := p.runs.ByText(ctx)
	if err != nil {
		return false, err
	}
	a := &Answer{Report: rep, engine: "runs"}
	if rep.Result == report.Repaired {
		return p.held(ctx, a)
	}
	return p.keep(a), nil
}

// unfailing answers that nothing is wrong when that is all that engines say.
func (p *pipe) unfailing() (bool, error) {
	if p.best == nil && p.met != nil && !p.fails {
		p.best = p.met
		return true, nil
	}
	return false, nil
}
