package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/logic"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/pwp"
	"gulo/internal/repair/states"
	"gulo/internal/report"
	"gulo/internal/symbolic"
	"gulo/internal/trust"
)

// This file judges answers. A repair is checked against every specification that its engine did not look at. An answer
// that nothing is wrong is checked against the whole runs.

// half is a repair that was refuted, but may correct a part of what is wrong.
type half struct {
	a     *Answer
	texts map[string]string
}

// mostHalves bounds the partial repairs that are repaired further.
const mostHalves = 3

// held checks a repair against everything that its engine did not look at, and reports whether it is the final answer.
func (p *pipe) held(ctx context.Context, a *Answer) (bool, error) {
	texts := a.Sources()
	p.offer(report.Meets, a)
	v := &verdict{p: p, engine: a.engine, logic: a.Logic != nil}
	if err := v.judge(ctx, texts); err != nil {
		return false, err
	}
	if v.counter == "" {
		if ev := &a.Report.Repairs[0].Evidence; v.found.Besides != "" {
			ev.Besides = v.found.Besides
			ev.Text = ev.String()
			p.put(a)
			return false, nil
		} else if v.found.Proof+v.found.Apart != "" {
			ev.Proof, ev.Apart, ev.Unseen = v.found.Proof, v.found.Apart, append(ev.Unseen, v.found.Unseen...)
			ev.Text = ev.String()
		}
		for i := range a.Report.Repairs {
			if len(v.notes) > 0 {
				a.Report.Repairs[i].Evidence.Text += "; " + strings.Join(v.notes, "; ")
			}
		}
		return p.keep(a), nil
	}
	if p.j.Several() && len(p.halves) < mostHalves {
		one := *a
		rep := *a.Report
		one.Report = &rep
		p.halves = append(p.halves, half{&one, texts})
	}
	a.refute(v.counter)
	p.j.Best.Drop(texts)
	p.keep(a)
	return false, nil
}

// refute turns an answer with a repair into one without, for the counterexample given.
func (a *Answer) refute(counter string) {
	rep := a.Report
	rep.Result, rep.Cause = report.None, fmt.Sprintf("every edit that meets the %s fails elsewhere: %s", plural.N(rep.Cases, "given case"), counter)
	if a.Logic != nil {
		a.Logic.Proof = ""
	}
	for i := range rep.Repairs {
		ev := &rep.Repairs[i].Evidence
		ev.Proof, ev.Counter = "", counter
		ev.Text = ev.String()
	}
}

// verdict is the judgement of one candidate.
type verdict struct {
	p       *pipe
	engine  string
	logic   bool
	counter string      // what refutes it; "": nothing
	notes   []string    // what else it was checked against
	found   trust.Facts // what logic says about it
}

func (v *verdict) judge(ctx context.Context, texts map[string]string) error {
	p := v.p
	if p.runs != nil && v.engine != "runs" {
		c, err := p.runs.Judge().Refutes(ctx, texts)
		if err != nil {
			return err
		}
		if c != nil {
			v.counter = "on a whole run, " + c.Name
			return nil
		}
		if len(p.j.Reference) > 0 && !v.logic { // calls in generated states say little about the states that runs reach
			c, met, err := p.runs.Judge().Beside(ctx, texts)
			if err != nil {
				return err
			}
			if c != nil && !p.runs.Judge().Unlike(c) {
				v.counter = "on a whole run beside the reference, " + c.Name
				return nil
			}
			var one report.Repair
			if c, err = p.runs.Judge().ByLogic(ctx, texts, &one); err != nil {
				return err
			}
			if c != nil && !p.runs.Judge().Unlike(c) {
				v.counter = "on a whole run beside the reference, " + c.Name
				return nil
			}
			v.found = one.Evidence
			if met > 0 {
				v.notes = append(v.notes, fmt.Sprintf("does the same as the reference on %s", plural.N(met, "whole run")))
			}
		}
	}
	s := &p.j.Spec
	if s.ByContract() && v.logic && p.inHand() { // logic begins in states that runs may never reach
		w, err := p.ofContract(ctx)
		if err != nil {
			return err
		}
		if v.counter, v.found.Besides, err = w.Spoilt(ctx, texts); err != nil || v.counter != "" {
			return err
		}
	}
	if s.Assert && !s.ByContract() && v.logic && p.inHand() {
		var err error
		if v.counter, err = p.inRuns(ctx, texts); err != nil || v.counter != "" {
			return err
		}
	}
	ranged := len(s.Reference) > 0 && p.j.Inputs != "" && !v.logic && v.found.Proof == ""
	if !ranged && !p.j.Several() {
		return nil
	}
	dir, err := process.TempDir("gulo-candidate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	j := *p.j
	j.Best = nil
	if j.Files, j.Options, err = patch.WriteTo(dir, p.j.Files, p.j.Options, texts); err != nil {
		return err
	}
	if ranged {
		if err := v.byInputs(ctx, &j); err != nil || v.counter != "" {
			return err
		}
	}
	if !p.j.Several() {
		return nil
	}
	byContract := v.engine == "evidence" || v.logic && len(s.Reference) == 0
	if s.ByContract() && !byContract {
		if err := v.byContract(ctx, &j); err != nil || v.counter != "" {
			return err
		}
	}
	if s.Assert && !v.logic {
		if err := v.byAssertions(ctx, &j); err != nil || v.counter != "" {
			return err
		}
	}
	if len(s.Reference) > 0 && (v.engine == "evidence" || v.engine == "runs") {
		return v.byStates(ctx, &j)
	}
	return nil
}

// inHand reports whether the user gave a run.
func (p *pipe) inHand() bool { return len(p.j.Args) > 0 || p.j.Stdin != "" }

// ofContract makes runs like the run in hand, once, and checks the contract in each.
func (p *pipe) ofContract(ctx context.Context) (*pwp.Wholes, error) {
	var err error
	if p.wholes == nil {
		p.wholes, err = pwp.MakeWholes(ctx, evidence(p.j))
	}
	return p.wholes, err
}

// broken says how the run in hand, or one like it, breaks the contract, or how an assertion fails in the run in hand.
// It returns "" if nothing is known to.
func (p *pipe) broken(ctx context.Context) (string, error) {
	switch {
	case !p.inHand():
	case p.j.ByContract():
		w, err := p.ofContract(ctx)
		if err != nil {
			return "", err
		}
		return w.Broken()
	case p.j.Assert:
		prog, err := p.j.Load(ctx)
		if err != nil {
			return "", err
		}
		run, err := oracle.NewRunner(&oracle.Suite{Prog: prog})
		if err != nil {
			return "", err
		}
		c := &oracle.Case{Name: "the given run", Args: p.j.Args, Stdin: p.j.Stdin}
		if r, err := run.Run(c, nil); err != nil || r.Asserted() {
			return fmt.Sprintf("in %s %s", c.Name, r.Differs(&oracle.Run{})), err
		}
	}
	return "", nil
}

// rangedCalls is the number of native calls with inputs that the user has described.
const rangedCalls = 20_000

// byInputs calls the entry and the reference's entry natively, with inputs that --inputs allows. Whole runs say little
// about these inputs if the program reads nothing.
func (v *verdict) byInputs(ctx context.Context, j *job.Job) error {
	r := forLogic(j)
	r.Logic.Random = rangedCalls
	n, bad, err := logic.Compare(ctx, r)
	var lim *symbolic.LimitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case refused(err), errors.As(err, &lim):
	case err != nil:
		v.notes = append(v.notes, "the inputs were not tried: "+err.Error())
	case bad != "":
		v.counter = bad
	default:
		v.notes = append(v.notes, fmt.Sprintf("does what the reference does on %s with the inputs described", plural.N(n, "call")))
	}
	return nil
}

// byContract checks the contract on all small calls.
func (v *verdict) byContract(ctx context.Context, j *job.Job) error {
	n, bad, err := pwp.Check(ctx, evidence(j))
	var use *job.UsageError
	switch {
	case errors.As(err, &use):
		v.notes = append(v.notes, "the contract was not looked at: "+use.Message)
	case err != nil:
		return err
	case bad != "":
		v.counter = "the contract is broken by " + bad
	default:
		v.notes = append(v.notes, fmt.Sprintf("keeps the contract on %s", plural.All(n, "small call")))
	}
	return nil
}

// assertTime bounds the check whether the assertions hold with a candidate.
const assertTime = 5 * time.Second

// byAssertions asks logic whether assertions hold.
func (v *verdict) byAssertions(ctx context.Context, j *job.Job) error {
	r := forLogic(j)
	r.Reference, r.Contract, r.Contracts, r.Limit, r.Repairs = nil, "", false, min(assertTime, v.p.share(ctx, 2)), 1
	ctx, free := budget.Guarded(ctx, r.Limit, v.p.until)
	defer free()
	rep, err := logic.Fix(ctx, r)
	var lim *symbolic.LimitError
	switch {
	case refused(err), errors.As(err, &lim):
		v.notes = append(v.notes, "the assertions were not decided: "+err.Error())
	case err != nil:
		return err
	case rep.Result == report.Right:
		v.notes = append(v.notes, "the assertions hold, "+rep.Proof)
	case rep.Result == report.Alike:
		v.notes = append(v.notes, "no input was found on which an assertion fails")
	case rep.Example != "":
		v.counter = "an assertion fails " + rep.Example
	default:
		v.notes = append(v.notes, "the assertions were not decided: "+rep.Cause)
	}
	return nil
}

// byStates compares calls in given states with those of the reference.
func (v *verdict) byStates(ctx context.Context, j *job.Job) error {
	q := *j
	r := &q
	if r.Folder() {
		r.Tests = ""
	}
	r.Limit = v.p.share(ctx, 2)
	rep, err := states.Fix(ctx, r)
	switch {
	case refused(err):
		return nil // whole runs have judged it
	case err != nil:
		return err
	case rep.Met():
		v.notes = append(v.notes, fmt.Sprintf("does what the reference does on %s", plural.N(rep.Cases, "call")))
	default:
		v.counter = rep.Example
	}
	return nil
}

// mend repairs a partial repair further. It returns nil if that fails.
func (p *pipe) mend(ctx context.Context, h half) (*Answer, error) {
	dir, err := process.TempDir("gulo-candidate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	j := *p.j
	if j.Files, j.Options, err = patch.WriteTo(dir, p.j.Files, p.j.Options, h.texts); err != nil {
		return nil, err
	}
	if len(j.Lock) > 0 { // line numbers have changed, and nothing maps the locked lines to the new ones
		return nil, nil
	}
	j.Limit, j.Best = p.share(ctx, 2), p.onTop(ctx, &j, &h.a.Report.Repairs[0], h.texts)
	next := &pipe{j: &j, until: budget.After(ctx, j.Limit), deep: true}
	a, err := next.fix(ctx)
	if err != nil || a.Report.Result != report.Repaired {
		return nil, err
	}
	texts := maps.Clone(h.texts)
	own := map[string]string{}
	for i, name := range j.Files {
		own[name] = p.j.Files[i]
		if t, ok := a.Sources()[name]; ok {
			texts[p.j.Files[i]] = t
		}
	}
	return p.joined(ctx, h, a, texts, own)
}

// joined makes one answer of a partial repair and the repair on top of it.
func (p *pipe) joined(ctx context.Context, h half, a *Answer, texts, own map[string]string) (*Answer, error) {
	prog, err := p.j.Load(ctx)
	if err != nil {
		return nil, err
	}
	rep := *h.a.Report
	one, more := h.a.Report.Repairs[0], a.Report.Repairs[0]
	if one.Diff, err = patch.DiffTexts(prog, texts); err != nil {
		return nil, err
	}
	one.Edits = append([]report.Changed(nil), one.Edits...)
	for _, e := range more.Edits {
		if name, ok := own[e.File]; ok {
			e.File = name
		}
		one.Edits = append(one.Edits, e)
	}
	one.Hints = append(append([]string(nil), one.Hints...), more.Hints...)
	one.Evidence = more.Evidence // evidence for both together: the first alone was refuted
	one.Changes = report.Changes(prog, texts)
	rep.Result, rep.Cause, rep.Repairs, rep.Texts = report.Repaired, "", []report.Repair{one}, []map[string]string{texts}
	return &Answer{Report: &rep}, nil
}

// confirm checks an answer that nothing is wrong against the whole runs in hand, natively. If one of them differs, that
// becomes the answer.
func (p *pipe) confirm(ctx context.Context, a *Answer) error {
	if a == nil || !a.Report.Met() {
		return nil
	}
	if p.j.Several() { // check the specifications that its engine did not look at
		v := &verdict{p: p, engine: a.engine, logic: a.Logic != nil}
		if err := v.judge(ctx, nil); err != nil {
			return err
		}
		a.Report.Notes = append(a.Report.Notes, v.notes...)
		if v.counter != "" {
			a.Report.Result, a.Report.Cause, a.Report.Example = report.None, v.counter, v.counter
			return nil
		}
	}
	if p.j.Unrun {
		return nil
	}
	w := &judge.Whole{Files: p.j.Files, Reference: p.j.Spec.Reference, Options: p.j.Options, Args: p.j.Args, Stdin: p.j.Stdin}
	if p.j.Folder() {
		var err error
		if w.Tests, err = cases.LoadTests(p.j.Spec.Tests); err != nil {
			return err
		}
		if p.j.Space == job.SpaceJudge {
			cases.Judged(w.Tests)
		}
	}
	d, n, err := w.Differs(ctx)
	if err != nil {
		return err
	}
	if d == nil {
		a.Report.Runs = n
		return nil
	}
	a.Report.Result, a.Report.Run = report.None, d.String()
	a.Report.Cause = "a whole run differs, and nothing that was compared shows why"
	return nil
}
