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

// This file makes whole runs of the calls of a contract: a main that makes one of the calls, and
// asserts the postcondition, stands behind the text of the program. Whoever repairs
// programs by their tests can then repair by contracts.

// Calls are calls of a contract's function that meet the precondition.
type Calls struct {
	t     *task
	cases []*oracle.Case // failing ones first
}

// mostRuns bounds the calls that become runs.
const mostRuns = 60

// ErrMet says that no call breaks the contract.
var ErrMet = errors.New("no call breaks the contract")

// MakeCalls generates or reads calls. The error is ErrMet where none of them fails.
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

// Few keeps so many of the calls, half of them failing ones where there are as many.
func (c *Calls) Few(most int) {
	bad := min(c.t.bad, max(most/2, most-(len(c.cases)-c.t.bad)))
	good := min(len(c.cases)-c.t.bad, most-bad)
	c.cases = slices.Concat(c.cases[:bad], c.cases[c.t.bad:c.t.bad+good])
}

// toRun are the tests, and some calls that were held back.
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
	t.spend = nil // who makes them counts what they take
	return c, nil
}

// Whole reports whether there are runs that keep the contract as the program is.
func (c *Calls) Whole() (bool, error) {
	err := c.t.wholes()
	return slices.ContainsFunc(c.t.whole, func(w whole) bool { return w.kept }), err
}

// Linked reports whether the function is given lists or trees.
func (c *Calls) Linked() bool {
	return slices.ContainsFunc(c.t.ct.Func.Params, func(v *cfront.Var) bool {
		t := v.Type
		for t.Kind == ctype.Pointer && t.Elem.Kind == ctype.Pointer {
			t = t.Elem
		}
		return t.Kind == ctype.Pointer && t.Elem.Kind == ctype.Struct && len(cases.Links(t.Elem)) > 0
	})
}

// ends is what every run prints that comes to its end: runs without output tell less.
const ends = "kept\n"

//go:embed native/asruns.c
var runtime string

// Runs writes into a folder the program with a main that makes the calls, and tests of them; with whole also
// of runs of its own main that keep the contract as it is.
// What was put behind the text of a file is locked. An error says why that cannot be.
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

// elements is how many elements an array has that a parameter leads to, at most.
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

// mostElements bounds the arrays that are kept.
const mostElements = 4096

// Far is how far a repair goes beyond what fails.
type Far int

// How far, in the order in which repairs are shown.
const (
	Same    Far = iota // calls that keep the contract without it leave what they left
	Other              // they leave something else
	Stores             // and a function that only reads what it is given writes to it
	Besides            // whole runs that keep the contract without it do something else
	Refuted            // it is none
)

// stores reports whether a function assigns to what it is given, or to what is not its own.
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

// Judge holds repaired texts against the contract, on the machine and natively, and fills in
// the diff and the evidence. refuted: something refutes them. What no contract asks for, but
// most repairs do, tells how far they go.
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

// keptBy makes the calls in another program; given are the tests that keep the contract, held
// how many others, -1 where one does not.
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

// contractIn is the contract in another program; nil where its text has none.
func (t *task) contractIn(p *lower.Program) (*contract.Contract, error) {
	if t.req.Contract == "" {
		return contract.Of(p.Tree, p.Tree.Func(t.ct.Func.Name))
	}
	return contract.Read(t.req.Contract, p.Tree, t.req.Entry)
}

// leavesAlike reports whether another program leaves what this one does, in calls that keep the
// contract here.
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

// mostAlike bounds the calls that are compared.
const mostAlike = 100

// Describe says of a report what it is about: the function, how many calls there are, and one that fails.
func (c *Calls) Describe(rep *report.Report) {
	rep.Entry, rep.Cases, rep.Failing, rep.Notes = c.t.ct.Func.Name, len(c.t.tests), c.t.bad, c.t.notes
	if text, err := c.t.example(); err == nil {
		rep.Example = text
	}
}
