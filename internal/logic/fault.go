package logic

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/report"
	"gulo/internal/sat"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// This file finds inputs on which the program fails.

func (t *task) feasible(ctx context.Context, c *smt.Term) bool {
	if c == t.terms.False {
		return false
	}
	if t.prune.Queries%200 == 199 {
		t.prune.Reset() // its terms only grow
	}
	r, _, err := t.prune.Check(ctx, c)
	if t.spent != nil && *t.prune.Left <= 0 {
		t.spent()
	}
	return err != nil || r != sat.Unsatisfiable
}

// failure is what is wrong with the program as it is.
type failure struct {
	run     *run
	inputs  []symbolic.Input // those on which the program or the reference depends
	all     []symbolic.Input
	covers  *Covers
	failing []smt.Model
	passing []smt.Model
	fail    *smt.Term
	Result  string // "wrong", report.Right, report.Alike or report.Unknown
	Why     string
	Proved  bool

	elsewhere bool // the rest can be compared by cases
	Example   string
}

// findFailure finds inputs on which the program fails. If it only runs longer than the reference there, it counts as
// failing only if the compiled programs differ, too.
func (t *task) findFailure(ctx context.Context) (*failure, error) {
	f, err := t.findFailing(ctx)
	if err != nil || f.Result != "wrong" || t.bound == 0 {
		return f, err
	}
	var long []smt.Model
	lazy := &smt.Lazy{}
	for _, in := range f.failing {
		lazy.Use(in)
		for _, o := range f.run.outs {
			if o.Kind == symbolic.Cut && lazy.Value(o.Cond) == 1 {
				long = append(long, in)
			}
		}
	}
	if len(long) == 0 {
		return f, nil
	}
	if len(f.run.engine.Inputs) == 0 {
		own, err1 := t.calls(ctx, t.req.Files, t.req.Options, f, long, false, patient)
		ref, err2 := t.calls(ctx, t.req.Reference, t.req.Options, f, long, true, patient)
		var ended *endedError
		if errors.As(err1, &ended) && err2 == nil {
			return f, ctx.Err()
		}
		same := err1 != nil || err2 != nil
		for i := range own {
			same = same || i < len(ref) && own[i] == ref[i]
		}
		if !same {
			return f, nil
		}
	}
	t.bound, t.notes = 0, slices.DeleteFunc(t.notes, func(s string) bool { return strings.HasPrefix(s, startNote) })
	return t.findFailing(ctx)
}

// startNote starts the note that the first call of a run does not fail.
const startNote = "the first call of a run does not fail"

// findFailing executes the unchanged program and looks for inputs on which it fails.
func (t *task) findFailing(ctx context.Context) (*failure, error) {
	t.req.Say("executing %s on symbols", t.called())
	if err := t.reference(ctx); err != nil {
		return nil, err
	}
	r, err := t.execute(ctx, t.prog, t.entry, nil, t.far())
	if err != nil {
		return nil, err
	}
	if err := t.unknowable(r, t.entry); err != nil {
		return nil, err
	}
	f := &failure{run: r}
	left := map[string]bool{}
	r.note = func(what string) { left[what] = true }
	if _, f.fail, err = t.correct(ctx, r); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil { // the rest looks at the whole formula
		return nil, err
	}
	t.chooseInputs(f)
	f.covers = t.coverage(r, left)
	if t.tryInputs(ctx, f); len(f.failing) > 0 {
		f.Result = "wrong"
		t.ask.Reset()
		t.ask.Assert(t.inputs.assume)
		if err := t.fromStart(ctx, f); err != nil {
			return nil, err
		}
		f.Example = t.explain(f, t.small(f, f.failing[0]))
		t.ask.Reset()
		t.ask.Assert(t.inputs.assume)
		return f, t.collect(ctx, f)
	}
	t.ask.Reset()
	t.ask.Assert(t.inputs.assume)
	ans, _, err := t.ask.Check(ctx, f.fail)
	switch {
	case err != nil:
		return nil, err
	case ans == sat.Unknown:
		f.Result, f.Why = report.Unknown, "the solver does not know whether the program fails ("+t.ask.Cause+")"
		return f, nil
	case ans == sat.Unsatisfiable:
		f.Result, f.Proved = report.Right, t.complete(r)
		if err := t.reached(ctx, r, f.covers); err != nil {
			return nil, err
		}
		if t.gaps, err = t.pointerGaps(ctx, r, f.covers); err != nil {
			return nil, err
		}
		switch {
		case !f.Proved:
			f.covers.Rounds = t.far()
			f.Result, f.Why = report.Unknown, "no input fails within the limits: "+limitText(r.outs)
		case len(f.covers.Left) > 0:
			f.Result, f.Proved, f.elsewhere = report.Unknown, false, len(left)+len(f.covers.Initial) > 0
			f.Why = "no difference was found, but these are not compared on symbols: " + enumerated(f.covers.Left)
		default:
			if out := t.leaves(); len(out) > 0 {
				f.bounded(out)
			}
		}
		return f, nil
	}
	first := t.taken(f)
	if !t.certain(r, first) {
		f.Result, f.Why = report.Unknown, "whether the program prints the same as the reference is not known: they print it in other pieces, as "+describe(f.inputs, first)
		return f, nil
	}
	f.Result = "wrong"
	f.failing = append(f.failing, first)
	if err := t.fromStart(ctx, f); err != nil {
		return nil, err
	}
	f.Example = t.explain(f, t.small(f, f.failing[0]))
	return f, t.collect(ctx, f)
}

// chooseInputs sets the inputs, and those that matter.
func (t *task) chooseInputs(f *failure) {
	f.all = t.inputs.symbols(f.run.engine)
	t.mattering = t.mentions(f.run, t.refRun)
	for _, v := range smt.Vars(f.fail, t.inputs.assume) {
		t.mattering[v.Name] = true
	}
	for _, s := range f.all {
		if t.mattering[s.Name] {
			f.inputs = append(f.inputs, s)
		}
	}
	for _, in := range t.inputs.list { // arguments always matter, so that calls can be shown
		if in.store != nil {
			continue
		}
		for _, s := range in.terms {
			if s.Term.Op == smt.OpVar && !t.mattering[s.Name] {
				t.mattering[s.Name] = true
				f.inputs = append(f.inputs, s)
			}
		}
	}
}

// fromStart looks for a failing input with the initial values of static storage and puts it first. If there is none, a
// note says so.
func (t *task) fromStart(ctx context.Context, f *failure) error {
	at := t.terms.True
	var other []string
	e := f.run.engine
	st := e.Start()
	for _, in := range t.inputs.list {
		if in.store == nil {
			continue
		}
		v := in.store.in(e.Prog.Tree)
		if v == nil || v.Storage == cfront.Global && len(v.Init) == 0 && !in.store.assigned {
			continue // another file may set it, so its initial value is unknown
		}
		for k, c := range in.store.cells {
			x, _, ok := e.Read(st, v, c.off, c.typ)
			if !ok || !t.mattering[in.terms[k].Name] {
				continue
			}
			at = t.terms.And(at, t.terms.Eq(in.terms[k].Term, x))
			if first, ok := x.IsConst(); ok && f.failing[0][in.terms[k].Name] != first && len(other) < 4 {
				other = append(other, in.terms[k].Name)
			}
		}
	}
	if len(other) == 0 {
		return nil
	}
	ans, _, err := t.ask.Check(ctx, f.fail, at)
	if err != nil {
		return err
	}
	if ans == sat.Satisfiable {
		if in := t.taken(f); t.certain(f.run, in) {
			f.failing = append([]smt.Model{in}, f.failing...)
			return nil
		}
	}
	t.notes = append(t.notes, fmt.Sprintf(startNote+"; it takes other values of %s than those at the start, and whether a run comes to them was not looked at", enumerated(other)))
	return nil
}

// taken returns the inputs in the solver's model.
func (t *task) taken(f *failure) smt.Model {
	in := smt.Model{}
	for _, s := range f.all {
		in[s.Name] = t.ask.Model()[s.Name]
	}
	return in
}

// Bounds of the inputs that are tried before the solver is asked.
const (
	triedInputs = 400
	triedTerms  = 16_000_000 // terms computed, about 400 ms
	passingMost = 25
)

// tryInputs makes random inputs and collects failing and passing ones.
func (t *task) tryInputs(ctx context.Context, f *failure) {
	lazy := &smt.Lazy{}
	defer lazy.Spend(ctx)
	want := t.wanted()
	for _, in := range t.randomInputs(ctx, f, f.inputs, triedInputs) {
		if lazy.Computed > triedTerms {
			return
		}
		lazy.Use(in)
		switch bad := lazy.Value(f.fail) == 1; {
		case bad && !t.certain(f.run, in):
		case bad && len(f.failing) < want:
			f.failing = append(f.failing, in)
		case !bad && len(f.passing) < passingMost:
			f.passing = append(f.passing, in)
		}
	}
}

// wanted returns the number of failing inputs for a diagnosis.
func (t *task) wanted() int {
	if t.req.Failing > 0 {
		return t.req.Failing
	}
	return 8
}

func limitText(outs []symbolic.Outcome) string {
	for _, o := range outs {
		if o.Kind == symbolic.Cut {
			return o.Message
		}
	}
	return "of the reference"
}

// collectTime bounds all solver questions of collect together, in solver steps.
const collectTime = 2 * time.Second

// collect finds several failing inputs that have little in common, and some passing ones.
func (t *task) collect(ctx context.Context, f *failure) error {
	rnd := rand.New(rand.NewSource(t.req.Seed + 7))
	want := t.wanted()
	lazy := &smt.Lazy{}
	defer lazy.Spend(ctx)
	holds := func(c *smt.Term, in smt.Model) bool {
		lazy.Use(in)
		return lazy.Value(t.inputs.assume) == 1 && lazy.Value(c) == 1
	}
	seen := map[string]bool{}
	keep := func(in smt.Model) {
		if k := describe(f.inputs, in); !seen[k] {
			seen[k] = true
			f.failing = append(f.failing, in)
		}
	}
	for _, in := range f.failing {
		seen[describe(f.inputs, in)] = true
	}
	limit, all := t.ask.Limit, t.ask.Left
	left := smt.Units(collectTime)
	t.ask.Limit, t.ask.Left = min(limit, time.Second), &left
	defer func() { t.ask.Limit, t.ask.Left = limit, all }()
	for n := 0; len(f.failing) < want && n < 3*want && left > 0; n++ {
		var wish []*smt.Term
		if len(f.inputs) > 0 { // one number differs from an earlier input, another one exceeds a bound
			s := f.inputs[rnd.Intn(len(f.inputs))]
			old := f.failing[rnd.Intn(len(f.failing))][s.Name]
			wish = append(wish, t.terms.Not(t.terms.Eq(s.Term, t.terms.Value(old, s.Term.Width))))
			if s2 := f.inputs[rnd.Intn(len(f.inputs))]; s2.Term.Width > 1 {
				wish = append(wish, t.terms.Less(t.terms.Const(uint64(rnd.Intn(1200)-200), s2.Term.Width), s2.Term, true, rnd.Intn(2) == 0))
			}
		}
		var ans sat.Result
		var err error
		for k := len(wish); k >= 0; k-- {
			if ans, _, err = t.ask.Check(ctx, append([]*smt.Term{f.fail}, wish[:k]...)...); err != nil {
				return err
			}
			if ans == sat.Satisfiable {
				break
			}
		}
		if ans != sat.Satisfiable {
			continue
		}
		in := t.taken(f)
		if !t.certain(f.run, in) {
			continue
		}
		for _, s := range f.inputs { // try random values while it still fails
			old := in[s.Name]
			if rnd.Intn(2) == 0 {
				in[s.Name] = uint64(rnd.Intn(3000)-1000) & maskOf(s)
			}
			if !holds(f.fail, in) || !t.certain(f.run, in) {
				in[s.Name] = old
			}
		}
		keep(in)
	}
	pass := t.terms.Not(f.fail)
	if err := t.everywhere(ctx, f, pass, &left); err != nil {
		return err
	}
	for n, most := 0, len(f.passing)+passingMost; len(f.passing) < most && n < 300; n++ {
		in := smt.Model{}
		for k, v := range f.failing[rnd.Intn(len(f.failing))] {
			in[k] = v
		}
		for _, s := range f.inputs {
			switch rnd.Intn(3) {
			case 0:
				in[s.Name] = uint64(rnd.Intn(1500)-300) & maskOf(s)
			case 1:
				in[s.Name] = uint64(rnd.Intn(6)-1) & maskOf(s)
			}
		}
		if holds(pass, in) {
			f.passing = append(f.passing, in)
		}
	}
	return nil
}

// everywhere finds passing inputs that together execute every statement that a passing input can execute.
func (t *task) everywhere(ctx context.Context, f *failure, pass *smt.Term, left *int64) error {
	var stmts []int32
	for s := range f.run.engine.Reached {
		stmts = append(stmts, s)
	}
	slices.Sort(stmts)
	lazy := &smt.Lazy{}
	defer lazy.Spend(ctx)
	for _, s := range stmts {
		if *left <= 0 {
			break
		}
		here := f.run.engine.Reached[s]
		if slices.ContainsFunc(f.passing, func(in smt.Model) bool { lazy.Use(in); return lazy.Value(here) == 1 }) {
			continue
		}
		ans, _, err := t.ask.Check(ctx, pass, here)
		if err != nil {
			return err
		}
		if ans == sat.Satisfiable {
			f.passing = append(f.passing, t.taken(f))
		}
	}
	return nil
}

func maskOf(s symbolic.Input) uint64 { return 1<<(s.Term.Width-1)<<1 - 1 }

// explain says what goes wrong on an input.
func (t *task) explain(f *failure, in smt.Model) string {
	lazy := &smt.Lazy{}
	lazy.Use(in)
	at := "on " + describe(f.inputs, in)
	if len(f.inputs) == 0 {
		at = "in the only run"
	}
	for _, o := range f.run.outs {
		if lazy.Value(o.Cond) != 1 {
			continue
		}
		switch o.Kind {
		case symbolic.Failed:
			if t.specifies(f.run.engine.Prog.Stmts[o.Stmt].Func) {
				return fmt.Sprintf("%s: the postcondition of %s does not hold", at, t.of.Name)
			}
			return fmt.Sprintf("%s: %s: %s", at, f.run.engine.Prog.Stmts[o.Stmt].Range.Position(), o.Message)
		case symbolic.Cut:
			return fmt.Sprintf("%s: %s: %s; the reference ends sooner", at, f.run.engine.Prog.Stmts[o.Stmt].Range.Position(), o.Message)
		}
		if a, b, ok := t.ends(f.run, lazy); ok && o.Kind == symbolic.Passed {
			return at + ": " + t.differs(a, b, lazy)
		}
	}
	return at
}
