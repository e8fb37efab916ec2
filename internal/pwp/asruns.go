package pwp

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/contract"
	"gulo/internal/ctype"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/report"
)

// This file turns the calls of a contract into whole runs. A main is appended to the program's text that makes one of
// the calls and asserts the postcondition. Searches that repair programs by tests can then repair by contracts.

// Calls are calls of a contract's function that meet the precondition.
type Calls struct {
	t     *task
	cases []*oracle.Case // the first t.bad of them fail
}

// mostRuns bounds the calls that become runs.
const mostRuns = 60

// ErrMet says that no call breaks the contract.
var ErrMet = errors.New("no call breaks the contract")

// MakeCalls generates or reads calls. The error is ErrMet if none of them fails.
func MakeCalls(ctx context.Context, req *job.Job) (*Calls, error) {
	t, err := prepare(ctx, req)
	if err != nil {
		return nil, err
	}
	if err := t.learn(&Answer{}); err != nil {
		return nil, err
	}
	if t.bad == 0 {
		return nil, ErrMet
	}
	return t.toRun()
}

// Few keeps at most most of the calls. Half of them fail if there are as many failing ones.
func (c *Calls) Few(most int) {
	bad := min(c.t.bad, max(most/2, most-(len(c.cases)-c.t.bad)))
	good := min(len(c.cases)-c.t.bad, most-bad)
	c.cases = slices.Concat(c.cases[:bad], c.cases[c.t.bad:c.t.bad+good])
}

// toRun returns the tests, and some of the held-back calls that meet the precondition.
func (t *task) toRun() (*Calls, error) {
	c := &Calls{t: t, cases: slices.Clone(t.tests)}
	for _, h := range t.held {
		if len(c.cases) == mostRuns {
			break
		}
		if h.Want == nil {
			h.Want = &oracle.Run{Any: true, Steps: t.tests[0].Want.Steps}
		}
		k, err := t.hold(h, nil)
		if err != nil {
			return nil, err
		}
		if !k.Outside && !slices.Contains(c.cases, h) {
			c.cases = append(c.cases, h)
		}
	}
	t.spend = nil // the caller counts what its runs take
	return c, nil
}

// Whole reports whether some whole run of the unrepaired program keeps the contract.
func (c *Calls) Whole() (bool, error) {
	err := c.t.wholes()
	return slices.ContainsFunc(c.t.whole, func(w whole) bool { return w.kept }), err
}

// Linked reports whether the function has a parameter that points to lists or trees.
func (c *Calls) Linked() bool {
	return slices.ContainsFunc(c.t.ct.Func.Params, func(v *cfront.Var) bool {
		t := v.Type
		for t.Kind == ctype.Pointer && t.Elem.Kind == ctype.Pointer {
			t = t.Elem
		}
		return t.Kind == ctype.Pointer && t.Elem.Kind == ctype.Struct && len(cases.Links(t.Elem)) > 0
	})
}

// ends is the output of every run that ends properly. Without output a run would tell less.
const ends = "kept\n"

//go:embed native/asruns.c
var runtime string

// Runs writes into a folder the program with an appended main that makes the calls, and tests for them. If whole is
// set, it also makes tests of runs of the program's own main that keep the contract. The appended text is locked. It
// fails with an UnwrittenError if the contract or a call cannot be written as C.
func (c *Calls) Runs(ctx context.Context, dir string, whole bool) (*judge.Behind, error) {
	t := c.t
	ct, err := t.ct.Concrete(c.elements)
	if err != nil {
		return nil, &judge.UnwrittenError{Why: err}
	}
	calls, err := judge.CallsText(t.prog, t.ct.Func, contract.Keeps, c.cases)
	if err != nil {
		return nil, &judge.UnwrittenError{Why: err}
	}
	tests := filepath.Join(dir, "tests")
	var told []oracle.Test
	if whole {
		if told, err = t.told(ctx); err != nil {
			return nil, err
		}
	}
	b, err := judge.PutBehind(t.req, t.ct.Func, "\n"+ct+calls+judge.OwnMain(t.prog)+runtime, dir)
	if err != nil {
		return nil, err
	}
	one := b.Job
	one.Spec = job.Spec{Tests: tests}
	one.Contract, one.Contracts, one.Args, one.Stdin, one.Texts = "", false, nil, "", nil
	if _, err := one.Load(ctx); err != nil {
		return nil, &judge.UnwrittenError{Why: err}
	}
	for i := range c.cases {
		told = append(told, oracle.Test{Name: fmt.Sprintf("call%02d", i), Args: []string{fmt.Sprint(i)}, Stdout: ends})
	}
	return b, cases.SaveTests(tests, told)
}

// elements returns the largest number of elements of the arrays that calls pass for a parameter.
func (c *Calls) elements(p *cfront.Var) int {
	n := int64(1)
	for i, q := range c.t.ct.Func.Params {
		for _, x := range c.cases {
			if q != p || i >= len(x.State.Args) {
				continue
			}
			if o := x.State.Args[i].Object; o > 0 {
				n = max(n, x.State.Objects[o-1].Count)
			}
		}
	}
	return int(min(n, mostElements))
}

// mostElements bounds the result of elements.
const mostElements = 4096

// Far is how much a repair changes besides the failing calls.
type Far int

// The values of Far, in the order in which repairs are shown.
const (
	Same    Far = iota // calls that keep the contract without the repair leave the same with it
	Other              // some of them leave something else
	Stores             // and a function that only read its arguments now writes through them
	Besides            // calls or whole runs that keep the contract without the repair behave differently
	Refuted            // it is no repair
)

// stores reports whether a function assigns through a pointer, or to a variable with static storage.
func stores(f *cfront.Func) (yes bool) {
	to := func(x cfront.Expr) {
		r, ok := cfront.Skip(x).(*cfront.Ref)
		yes = yes || !ok || r.Var.Storage == cfront.Global || r.Var.Storage == cfront.Static
	}
	cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch z := y.(type) {
			case *cfront.Assign:
				to(z.L)
			case *cfront.IncDec:
				to(z.X)
			}
			return true
		})
	})
	return yes
}

// Judge checks repaired texts by the contract, on the machine and natively, and fills in the diff and the evidence. It
// returns Refuted if something refutes them. Otherwise the result says what else they change, which no contract asks
// about.
func (c *Calls) Judge(ctx context.Context, texts map[string]string, out *report.Repair) (far Far, err error) {
	t := c.t
	p, err := judge.Load(ctx, t.req, texts)
	if p == nil || err != nil {
		return Refuted, err
	}
	given, held, err := t.keptBy(p)
	if err != nil || given < len(t.tests) || held < 0 {
		return Refuted, err
	}
	if out.Diff, err = patch.DiffTexts(t.prog, texts); err != nil {
		return Refuted, err
	}
	if out.Changes = report.Changes(t.prog, texts); !report.Keeps(out.Changes, t.req.Lock) {
		return Refuted, nil
	}
	native, err := t.natively(ctx, texts)
	if err != nil || native.Bad != nil {
		return Refuted, err
	}
	ct, err := t.contractIn(p)
	if err != nil {
		return Refuted, err
	}
	x, err := t.spoils(p, ct, nil)
	if err != nil || x.refuted != "" {
		return Refuted, err
	}
	out.Evidence = t.facts(held + x.near - x.left)
	out.Evidence.Guarded, out.Evidence.Missing, out.Evidence.Besides = native.Met, native.Missing, x.String()
	out.Evidence.Text = out.Evidence.String()
	same, err := t.leavesAlike(p)
	switch f := p.Tree.Func(t.ct.Func.Name); {
	case err != nil:
		return Refuted, err
	case x.left+x.other > 0:
		return Besides, nil
	case same:
		return Same, nil
	case stores(f) && !stores(t.ct.Func):
		return Stores, nil
	}
	return Other, nil
}

// keptBy makes the calls in another program. given counts the tests that keep the contract, and held the other calls;
// held is -1 if one of all these breaks it.
func (t *task) keptBy(p *lower.Program) (given, held int, err error) {
	f := p.Tree.Func(t.ct.Func.Name)
	if f == nil {
		return 0, -1, nil
	}
	ct, err := t.contractIn(p)
	if ct == nil || err != nil {
		return 0, -1, err
	}
	run, err := t.runner(&oracle.Suite{Prog: p, Entry: f})
	if err != nil {
		return 0, -1, err
	}
	for _, c := range t.tests {
		k, err := run.Hold(c, nil, ct, nil)
		if err != nil || !k.Passed() {
			return given, -1, err
		}
		given++
	}
	for _, c := range t.held {
		if c.Want == nil {
			c.Want = &oracle.Run{Any: true, Steps: t.tests[0].Want.Steps}
		}
		k, err := run.Hold(c, nil, ct, nil)
		switch {
		case err != nil:
			return given, -1, err
		case k.Outside:
		case !k.Passed():
			return given, -1, nil
		default:
			held++
		}
	}
	return given, held, nil
}

// contractIn returns the contract in another program, or nil if the program has none.
func (t *task) contractIn(p *lower.Program) (*contract.Contract, error) {
	if t.req.Contract == "" {
		return contract.Of(p.Tree, p.Tree.Func(t.ct.Func.Name))
	}
	return contract.Read(t.req.Contract, p.Tree, t.req.Entry)
}

// leavesAlike reports whether another program leaves the same as this one in calls that keep the contract here.
func (t *task) leavesAlike(p *lower.Program) (bool, error) {
	f := p.Tree.Func(t.ct.Func.Name)
	own, err := t.runner(&oracle.Suite{Prog: t.prog, Entry: t.ct.Func})
	if err != nil {
		return false, err
	}
	other, err := t.runner(&oracle.Suite{Prog: p, Entry: f})
	if err != nil {
		return false, err
	}
	n := 0
	for _, c := range append(slices.Clone(t.tests), t.held...) {
		k, err := t.hold(c, nil)
		if err != nil {
			return false, err
		}
		if k.Outside || !k.Passed() {
			continue
		}
		if n++; n > mostAlike {
			break
		}
		one := &oracle.Case{Name: c.Name, State: c.State, Want: &oracle.Run{Steps: c.Want.Steps}}
		want, err := own.Run(one, nil)
		if err != nil {
			return false, err
		}
		got, err := other.Run(one, nil)
		if err != nil || !got.Meets(want) {
			return false, err
		}
	}
	return true, nil
}

// mostAlike bounds the calls that leavesAlike compares.
const mostAlike = 100

// Describe fills in the function, the numbers of calls, and a failing call in a report.
func (c *Calls) Describe(rep *report.Report) {
	rep.Entry, rep.Cases, rep.Failing, rep.Notes = c.t.ct.Func.Name, len(c.t.tests), c.t.bad, c.t.notes
	if text, err := c.t.example(); err == nil {
		rep.Example = text
	}
}
