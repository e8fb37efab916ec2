// Package pipeline repairs with several engines, so that what one cannot do another
// does: cases of states and of whole runs (package batch), and logic (package formal).
//
// Where the run that the user has in hand fails and others can be made up from it, whole
// runs are asked first: they are what was complained about, and no state in them is
// invented. Then comes the engine that fits the program's data, for a part of the time,
// and what it finds is held against the whole runs. Edits of the text, which find most
// and cost most, come last. The same seed gives the same answer unless the time is up.
package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gulo/internal/batch"
	"gulo/internal/formal"
	"gulo/internal/oracle"
	"gulo/internal/symbolic"
)

// Request is a program with what is right. Engines that are nil are not asked.
type Request struct {
	Runs   *batch.Request  // by whole runs
	States *batch.Request  // by calls in states
	Logic  *formal.Request // by logic
	Limit  time.Duration   // for all; 0 means 20 s
}

// Answer is the report of the engine that answers. Logic is set when it is that one.
type Answer struct {
	Report *batch.Report
	Logic  *formal.Report
}

// Shares of the time that is left.
const (
	machineShare = 5 // whole runs, edits executed on the machine
	engineShare  = 3 // the engine that fits the data, when others wait
)

// Fix repairs a program.
func Fix(ctx context.Context, r *Request) (*Answer, error) {
	if r.Limit == 0 {
		r.Limit = 20 * time.Second
	}
	p := &pipe{r: r, until: time.Now().Add(r.Limit)}
	if err := p.prepare(ctx); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) (bool, error){p.runsFirst, p.byLogic, p.byStates, p.byText} {
		if done, err := step(ctx); err != nil {
			return nil, err
		} else if done {
			return p.best, nil
		}
	}
	if p.best == nil {
		return nil, p.why
	}
	return p.best, nil
}

// pipe is a request on its way.
type pipe struct {
	r     *Request
	until time.Time
	runs  *batch.Runs // nil: there are none
	fails bool        // the program fails on some of them
	best  *Answer     // the most telling so far
	met   *Answer     // of an engine that found nothing wrong
	why   error       // what the first engine said that has no answer
}

func (p *pipe) share(n int) time.Duration {
	return max(time.Until(p.until)/time.Duration(n), 10*time.Millisecond)
}

// refused reports whether an engine says that a request is not for it.
func refused(err error) bool {
	var use *batch.UsageError
	var logic *formal.UsageError
	var mis *oracle.Mismatch
	var un *symbolic.Unsupported
	return errors.As(err, &use) || errors.As(err, &logic) || errors.As(err, &mis) || errors.As(err, &un)
}

// prepare makes the whole runs.
func (p *pipe) prepare(ctx context.Context) error {
	if p.r.Runs == nil {
		return nil
	}
	p.r.Runs.Limit = p.r.Limit
	var err error
	if p.runs, err = batch.NewRuns(ctx, p.r.Runs); err != nil {
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
	case a.Report.Result == batch.Repaired:
		p.best = a
		return true
	case p.best == nil || p.best.Report.Met() && !a.Report.Met():
		p.best = a
	}
	return false
}

// runsFirst searches by whole runs on the machine when they tell enough.
func (p *pipe) runsFirst(ctx context.Context) (bool, error) {
	if p.runs == nil || !p.fails || !p.runs.Telling() && (p.r.States != nil || p.r.Logic != nil) {
		return false, nil
	}
	rep, err := p.runs.ByMachine(ctx, time.Now().Add(p.share(machineShare)))
	if err != nil {
		return false, err
	}
	return p.keep(&Answer{Report: rep}), nil
}

// waiting reports whether an engine comes after this one.
func (p *pipe) waiting() bool { return p.runs != nil && p.fails }

// limit is the time of the engine that fits the data.
func (p *pipe) limit() time.Duration {
	if p.waiting() {
		return p.share(engineShare)
	}
	return p.share(1)
}

// byLogic asks logic. Where it has an answer, states are not asked.
func (p *pipe) byLogic(ctx context.Context) (bool, error) {
	if p.r.Logic == nil {
		return false, nil
	}
	p.r.Logic.Limit = p.limit()
	rep, err := formal.Fix(ctx, p.r.Logic)
	if err != nil {
		var lim *symbolic.LimitError
		if refused(err) || errors.As(err, &lim) && (p.waiting() || p.r.States != nil) {
			p.miss(err)
			return false, nil
		}
		return false, err
	}
	if rep.Elsewhere {
		return false, nil
	}
	a := &Answer{Report: &rep.Report, Logic: rep}
	if rep.Result == batch.Repaired {
		return p.held(ctx, a, rep.Source())
	}
	if rep.Met() && p.fails {
		p.met = a // a run says otherwise
		return false, nil
	}
	p.keep(a)
	return rep.Result == batch.Right && !p.fails, nil
}

// miss remembers the first refusal.
func (p *pipe) miss(err error) {
	if p.why == nil || p.runs != nil {
		p.why = err
	}
}

// byStates asks cases of states.
func (p *pipe) byStates(ctx context.Context) (bool, error) {
	if p.r.States == nil || p.best != nil && p.best.Logic != nil {
		return false, nil
	}
	p.r.States.Limit = p.limit()
	rep, err := batch.Fix(ctx, p.r.States)
	if refused(err) {
		p.miss(err)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	a := &Answer{Report: rep}
	if rep.Result == batch.Repaired {
		return p.held(ctx, a, rep.Sources(0))
	}
	if rep.Met() && p.fails {
		if p.met == nil {
			p.met = a
		}
		return false, nil
	}
	p.keep(a)
	return rep.Met() && !p.fails, nil
}

// held holds a repair against the whole runs.
func (p *pipe) held(ctx context.Context, a *Answer, texts map[string]string) (bool, error) {
	if p.runs == nil {
		return p.keep(a), nil
	}
	c, err := p.runs.Refutes(ctx, texts)
	if err != nil {
		return false, err
	}
	if c == nil {
		return p.keep(a), nil
	}
	a.Report.Result, a.Report.Cause = batch.None, fmt.Sprintf("what meets the %d given cases fails on a whole run: %s", a.Report.Cases, c.Name)
	if a.Logic != nil {
		a.Logic.Proof = ""
	}
	for i := range a.Report.Repairs {
		ev := &a.Report.Repairs[i].Evidence
		ev.Proof, ev.Counter = "", c.Name
		ev.Text = ev.String()
	}
	p.keep(a)
	return false, nil
}

// byText searches edits of the text by whole runs.
func (p *pipe) byText(ctx context.Context) (bool, error) {
	if p.runs == nil {
		return false, nil
	}
	if !p.fails {
		if p.best == nil {
			p.best = &Answer{Report: p.runs.Met()}
		}
		return true, nil
	}
	if p.met != nil && (p.r.Runs.Entry != "" || !p.runs.Telling()) {
		// The entry does what the reference's does: what a run shows lies elsewhere, and an
		// edit of the entry that makes up for it is no repair.
		p.best = p.met
		return true, nil
	}
	rep, err := p.runs.ByText(ctx)
	if err != nil {
		return false, err
	}
	return p.keep(&Answer{Report: rep}), nil
}
