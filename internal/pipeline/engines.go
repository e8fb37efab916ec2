package pipeline

import (
	"context"
	"errors"

	"gulo/internal/budget"
	"gulo/internal/job"
	"gulo/internal/logic"
	"gulo/internal/pwp"
	"gulo/internal/repair/states"
	"gulo/internal/report"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// This file is the table of engines, each behind the interface Repairer.

// Engine is the name by which a job can ask for an engine, and lines of help about it.
type Engine struct{ Name, Does string }

// Engines are all engines in the order of the help.
var Engines = []Engine{
	{"heap", "calls of one function, on lists, trees and arrays like those that\nthe program passes to it"},
	{"runs", "whole runs: those given (ARG, --stdin, --tests) and others made from\nthem; edits statements and the program text"},
	{"template", "for programs of numbers: finds expressions that are right for all\ninputs, and proves that with Z3"},
	{"evidence", "works backwards from failing calls to the values that would have to\ndiffer"},
}

// Names lists the names of the engines.
func Names() (out []string) {
	for _, e := range Engines {
		out = append(out, e.Name)
	}
	return out
}

// Repairer is one way to search for repairs of a job. The pipe is the job with what earlier repairers found.
type Repairer interface {
	// Engine is the engine's name in the table; several repairers may be one engine.
	Engine() string
	// Accepts returns nil, or why the repairer cannot take the job. These reasons are the answer if no engine takes it.
	Accepts(p *pipe) error
	// Search looks for repairs, which the caller (pipe.ask) then judges. A nil answer means that the repairer has
	// nothing to say; an error for which refused holds means that it cannot do this job.
	Search(ctx context.Context, p *pipe) (*Answer, error)
}

// order returns the repairers in the order in which they are asked for a specification. Partial repairs are combined
// both before and after the search of text edits, which costs most.
func order(s *job.Spec) []Repairer {
	switch {
	case len(s.Reference) > 0 && s.Folder() && !s.Several(): // whole programs with their tests
		return []Repairer{byOutput{}, byTwoEdits{}, byReference{}, byText{}, byMachine{}, byEvidence{}, byLogic{}, byStates{}, together{}}
	case len(s.Reference) > 0: // generated runs distinguish small edits, and these are quick to try
		return []Repairer{byParts{}, byMachine{}, byTwoEdits{}, byOutput{}, byEvidence{}, byLogic{}, withoutLogic{byTwoEdits{}}, byStates{}, byCalled{}, together{}, byReference{}, byText{}, together{}}
	case s.Memory && !s.ByContract() && !s.Assert: // what the program prints counts as right, if anybody knows it
		return []Repairer{byMachine{}, byErrors{}, byText{}}
	case !s.ByContract() && !s.Assert: // tests alone: edits that people make come before those that only the machine can try
		return []Repairer{byOutput{}, byOneOnMachine{}, byErrors{}, byReference{}, byText{}, byMachine{}, byStates{}}
	}
	return []Repairer{byOutput{}, byMachine{}, byCalls{linked: true}, byEvidence{}, byLogic{}, byAsserts{}, byCalls{}, byStates{}, together{}, byText{}, together{}}
}

// Parts of the remaining time: one in so many.
const (
	partsShare    = 2 // repair of one function at a time
	pairsShare    = 3 // two edits of the text together, when other engines wait
	outputShare   = 2 // what the outputs suggest
	borrowShare   = 2 // statements taken from the reference, after small edits
	rewriteShare  = 2 // small edits, when what was taken from the reference amounts to a program of its own
	machineShare  = 5 // edits executed on the machine in whole runs
	evidenceShare = 2 // evidence, when other engines wait
	engineShare   = 3 // the engine that fits the data, when other engines wait
	calledShare   = 2 // logic or states, when byCalled or byAsserts waits
)

// declined is an error of one engine that does not stop the others.
type declined struct{ error }

func (e *declined) Unwrap() error { return e.error }

// byOutput compares what is printed with what should be. If a literal in the output is wrong, nothing else has to be
// searched.
type byOutput struct{}

func (byOutput) Engine() string        { return "runs" }
func (byOutput) Accepts(p *pipe) error { return p.tellingRuns() }

func (byOutput) Search(ctx context.Context, p *pipe) (*Answer, error) {
	rep, err := p.runs.ByOutput(ctx, budget.After(ctx, p.share(ctx, outputShare)))
	if err != nil || rep.Result != report.Repaired {
		return nil, err
	}
	return &Answer{Report: rep}, nil
}

// byMachine searches edits on the machine by whole runs, if these say enough.
type byMachine struct{}

func (byMachine) Engine() string        { return "runs" }
func (byMachine) Accepts(p *pipe) error { return p.tellingRuns() }

func (byMachine) Search(ctx context.Context, p *pipe) (*Answer, error) {
	rep, err := p.runs.ByMachine(ctx, budget.After(ctx, p.share(ctx, machineShare)))
	if err == nil && rep.Result != report.Repaired && !p.logic { // if logic is to be asked, text edits wait: repairs found by logic are proved
		rep, err = p.runs.ByOneEdit(ctx, rep)
	}
	if err != nil {
		return nil, err
	}
	return &Answer{Report: rep}, nil
}

// byOneOnMachine searches single edits on the machine, before pairs of text edits.
type byOneOnMachine struct{}

func (byOneOnMachine) Engine() string        { return "runs" }
func (byOneOnMachine) Accepts(p *pipe) error { return p.tellingRuns() }

func (byOneOnMachine) Search(ctx context.Context, p *pipe) (*Answer, error) {
	rep, err := p.runs.ByOneOnMachine(ctx, budget.After(ctx, p.share(ctx, machineShare)))
	if err != nil || rep.Result != report.Repaired {
		return nil, err
	}
	return &Answer{Report: rep}, nil
}

// byParts repairs the functions that differ from the reference's, one at a time.
type byParts struct{}

func (byParts) Engine() string { return "runs" }
func (byParts) Accepts(p *pipe) error {
	if err := p.failing(); err != nil {
		return err
	}
	return unless(p.runs.Parts(), "no two functions differ from the reference's")
}

func (byParts) Search(ctx context.Context, p *pipe) (*Answer, error) {
	rep, err := p.runs.ByParts(ctx, budget.After(ctx, p.share(ctx, partsShare)))
	if err != nil || rep.Result != report.Repaired {
		return nil, err // later engines look at the program as a whole
	}
	return &Answer{Report: rep}, nil
}

// byReference takes over statements of the reference, after small edits were tried.
type byReference struct{}

func (byReference) Engine() string { return "runs" }
func (byReference) Accepts(p *pipe) error {
	if err := p.failing(); err != nil {
		return err
	}
	if p.runs.SetAside() {
		return errors.New("a small repair differs from the reference only on inputs unlike the given ones")
	}
	return unless(p.runs.Borrows(), "nothing can be taken over from a reference or from other programs")
}

func (byReference) Search(ctx context.Context, p *pipe) (*Answer, error) {
	rep, err := p.runs.ByReference(ctx, budget.After(ctx, p.share(ctx, borrowShare)))
	if err != nil || rep.Result != report.Repaired {
		return nil, err
	}
	if p.runs.Rewrites() { // as much time again goes to pairs of edits, which leave more of the program as it is
		small, err := p.runs.ByTwoEdits(ctx, budget.After(ctx, min(p.runs.Took(ctx), p.share(ctx, rewriteShare))))
		if err != nil || small.Result == report.Repaired {
			return &Answer{Report: small}, err
		}
	}
	return &Answer{Report: rep}, nil
}

// byTwoEdits searches pairs of text edits, if there are enough runs to recognize half a repair.
type byTwoEdits struct{}

func (byTwoEdits) Engine() string { return "runs" }
func (byTwoEdits) Accepts(p *pipe) error {
	if err := p.failing(); err != nil {
		return err
	}
	return unless(!p.logic && p.runs.Judge().Telling(), "another specification says more than whole runs")
}

func (byTwoEdits) Search(ctx context.Context, p *pipe) (*Answer, error) {
	rep, err := p.runs.ByTwoEdits(ctx, budget.After(ctx, p.share(ctx, pairsShare)))
	if err != nil || rep.Result != report.Repaired {
		return nil, err
	}
	return &Answer{Report: rep}, nil
}

// withoutLogic is a repairer that runs only if logic was asked and has no answer: answers of logic are proved.
type withoutLogic struct{ Repairer }

func (w withoutLogic) Accepts(p *pipe) error {
	if !p.unanswered {
		return errors.New("it did not wait for logic")
	}
	return w.Repairer.Accepts(p)
}

// failing returns nil if a whole run fails, else why none does.
func (p *pipe) failing() error {
	if p.runs == nil {
		return errors.New("there are no whole runs to compare")
	}
	return unless(p.fails, "all whole runs are met")
}

// tellingRuns returns nil if whole runs fail and say no less than logic or states would.
func (p *pipe) tellingRuns() error {
	if err := p.failing(); err != nil {
		return err
	}
	whole := p.j.Folder() && !p.j.Several() // the user gave these tests as the specification
	return unless(p.runs.Judge().Telling() || whole || !p.logic && !p.states(), "another specification says more than whole runs")
}

// unless returns the reason why, as an error, if ok is false.
func unless(ok bool, why string) error {
	if ok {
		return nil
	}
	return errors.New(why)
}

// byEvidence analyses error traces of a contract or, if it is the only engine asked for, of a reference.
type byEvidence struct{}

func (byEvidence) Engine() string { return "evidence" }
func (byEvidence) Accepts(p *pipe) error {
	if p.j.Assert && !p.j.ByContract() && len(p.j.Reference) == 0 {
		return errors.New("it works from a contract or a reference, not from assertions")
	}
	return unless(p.j.ByContract() || p.j.Alone(), "no contract is given")
}

func (byEvidence) Search(ctx context.Context, p *pipe) (*Answer, error) {
	r := *p.j
	r.Limit = p.share(ctx, 1)
	var rep *pwp.Answer
	var err error
	if p.j.ByContract() {
		if p.logic || p.waiting() {
			r.Limit = p.share(ctx, evidenceShare)
		}
		rep, err = pwp.Fix(ctx, evidence(&r))
	} else {
		rep, err = pwp.FixCases(ctx, &r, p.j.Dices)
	}
	if err != nil {
		return nil, err
	}
	return &Answer{Report: &rep.Report, Evidence: rep, final: rep.Met() && !p.doubts(), besides: rep.Besides}, nil
}

// byLogic asks logic. If logic answers, states are not asked.
type byLogic struct{}

func (byLogic) Engine() string { return "template" }
func (byLogic) Accepts(p *pipe) error {
	return unless(p.logic, "it needs assertions, a contract, or a reference of a program of numbers, and z3")
}

func (byLogic) Search(ctx context.Context, p *pipe) (*Answer, error) {
	r := forLogic(p.j)
	switch r.Limit = p.share(ctx, 1); {
	case p.waiting():
		r.Limit = p.share(ctx, engineShare)
	case p.j.Asks("runs") && ((byCalled{}).Accepts(p) == nil || (byAsserts{}).Accepts(p) == nil):
		r.Limit = p.share(ctx, calledShare)
	}
	ctx, free := budget.Guarded(ctx, r.Limit, p.until)
	defer free()
	rep, err := logic.Fix(ctx, r)
	if err != nil {
		var lim *symbolic.LimitError
		others := p.waiting() || p.states() && !p.j.Alone() || p.best != nil
		if others && (errors.As(err, &lim) || errors.Is(err, smt.ErrMissing)) {
			err = &declined{err}
		}
		return nil, err
	}
	if rep.Elsewhere && !p.j.Alone() && len(p.j.Reference) > 0 {
		return nil, nil
	}
	return &Answer{Report: &rep.Report, Logic: rep, final: rep.Result == report.Right && !p.doubts()}, nil
}

// byStates compares calls of a function in given states (package repair/states).
type byStates struct{}

func (byStates) Engine() string { return "heap" }
func (byStates) Accepts(p *pipe) error {
	return unless(p.states() && (p.best == nil || p.best.Logic == nil), "no reference is given whose calls could be compared")
}

func (byStates) Search(ctx context.Context, p *pipe) (*Answer, error) {
	r := *p.j
	switch r.Limit = p.share(ctx, 1); {
	case p.waiting():
		r.Limit = p.share(ctx, engineShare)
	case p.j.Asks("runs") && (byCalled{}).Accepts(p) == nil:
		r.Limit = p.share(ctx, calledShare)
	}
	rep, err := states.Fix(ctx, &r)
	if err != nil {
		return nil, err
	}
	return &Answer{Report: rep, final: rep.Met() && !p.doubts()}, nil
}

// byText searches edits of the text by whole runs.
type byText struct{}

func (byText) Engine() string { return "runs" }
func (byText) Accepts(p *pipe) error {
	if p.runs != nil && p.best == nil {
		return nil
	}
	return p.failing()
}

func (byText) Search(ctx context.Context, p *pipe) (*Answer, error) {
	if !p.fails { // nothing known says that anything is wrong
		a := p.met
		if a == nil {
			a = &Answer{Report: p.runs.Met()}
		}
		a.final = true
		return a, nil
	}
	if p.met != nil && !p.j.Several() && (p.j.Entry != "" || !p.runs.Judge().Telling()) {
		// The entry does what the reference's does, so that the failing run has its cause elsewhere. An edit of the
		// entry that makes up for it is no repair.
		p.met.final = true
		return p.met, nil
	}
	rep, err := p.runs.ByText(ctx)
	if err != nil {
		return nil, err
	}
	return &Answer{Report: rep}, nil
}

// together repairs candidates that repair only a part further: one engine finds what another cannot.
type together struct{}

func (together) Engine() string { return "" }
func (together) Accepts(p *pipe) error {
	return unless(!p.deep && len(p.halves) > 0, "no candidate mends a part")
}

func (together) Search(ctx context.Context, p *pipe) (*Answer, error) {
	list := p.halves
	p.halves = nil
	for _, h := range list {
		if budget.Over(ctx, p.until) {
			return nil, nil
		}
		a, err := p.mend(ctx, h)
		if err != nil && !refused(err) {
			return nil, err
		}
		if a != nil {
			a.final = true
			return a, nil
		}
	}
	return nil, nil
}
