package formal

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"time"

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
	return err != nil || r != sat.Unsatisfiable
}

// failure is what is wrong with the program as it is.
type failure struct {
	run     *run
	inputs  []symbolic.Input
	failing []smt.Model
	passing []smt.Model
	fail    *smt.Term
	Result  string // "wrong", Right or Unknown
	Why     string
	Proved  bool
	Example string
}

// findFailure executes the program as it is and asks for inputs on which it fails.
func (t *task) findFailure(ctx context.Context) (*failure, error) {
	t.req.progress("executing %s on symbols", t.called())
	if err := t.reference(ctx); err != nil {
		return nil, err
	}
	r, err := t.execute(ctx, t.prog, t.entry, nil, t.far())
	if err != nil {
		return nil, err
	}
	f := &failure{run: r}
	if _, f.fail, err = t.correct(ctx, r); err != nil {
		return nil, err
	}
	f.inputs = t.inputs.symbols(r.engine)
	if t.tryInputs(f); len(f.failing) > 0 {
		f.Result = "wrong"
		f.Example = t.explain(f, f.failing[0])
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
		f.Result, f.Why = Unknown, "the solver does not know whether the program fails ("+t.ask.Cause+")"
		return f, nil
	case ans == sat.Unsatisfiable:
		f.Result, f.Proved = Right, t.complete(r)
		if !f.Proved {
			f.Result, f.Why = Unknown, "no input fails within the limits: "+limitText(r.outs)
		}
		return f, nil
	}
	f.Result = "wrong"
	first := t.taken(f)
	f.Example = t.explain(f, first)
	f.failing = append(f.failing, first)
	return f, t.collect(ctx, f)
}

// taken returns the inputs of the solver's model.
func (t *task) taken(f *failure) smt.Model {
	in := smt.Model{}
	for _, s := range f.inputs {
		in[s.Name] = t.ask.Model()[s.Name]
	}
	return in
}

// Inputs that are made before a solver is asked for any.
const (
	triedInputs = 400
	triedTime   = 400 * time.Millisecond
	passingMost = 25
)

// tryInputs makes inputs at random and looks which fail.
func (t *task) tryInputs(f *failure) {
	lazy := &smt.Lazy{}
	want := t.wanted()
	begin := time.Now()
	for _, in := range t.randomInputs(f, triedInputs) {
		if time.Since(begin) > triedTime {
			return
		}
		lazy.Use(in)
		switch bad := lazy.Value(f.fail) == 1; {
		case bad && len(f.failing) < want:
			f.failing = append(f.failing, in)
		case !bad && len(f.passing) < passingMost:
			f.passing = append(f.passing, in)
		}
	}
}

// wanted is how many failing inputs a diagnosis is made for.
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

// collect finds several failing inputs that have little in common, and some that
// pass.
func (t *task) collect(ctx context.Context, f *failure) error {
	rnd := rand.New(rand.NewSource(t.req.Seed + 7))
	want := t.wanted()
	lazy := &smt.Lazy{}
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
	limit := t.ask.Limit
	t.ask.Limit = min(limit, time.Second)
	defer func() { t.ask.Limit = limit }()
	until := time.Now().Add(time.Until(t.until) / 10)
	for n := 0; len(f.failing) < want && n < 3*want && time.Now().Before(until); n++ {
		var wish []*smt.Term
		if len(f.inputs) > 0 { // others than before, and some larger than something
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
		for _, s := range f.inputs { // large and unrelated, while it still fails
			old := in[s.Name]
			if rnd.Intn(2) == 0 {
				in[s.Name] = uint64(rnd.Intn(3000)-1000) & maskOf(s)
			}
			if !holds(f.fail, in) {
				in[s.Name] = old
			}
		}
		keep(in)
	}
	pass := t.terms.Not(f.fail)
	if err := t.everywhere(ctx, f, pass, until); err != nil {
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

// everywhere finds passing inputs that come to every statement that can be passed.
func (t *task) everywhere(ctx context.Context, f *failure, pass *smt.Term, until time.Time) error {
	var stmts []int32
	for s := range f.run.engine.Reached {
		stmts = append(stmts, s)
	}
	slices.Sort(stmts)
	lazy := &smt.Lazy{}
	for _, s := range stmts {
		if time.Now().After(until) {
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
		if o.Kind == symbolic.Passed && t.refRun != nil {
			for _, q := range t.refRun.outs {
				if q.Kind == symbolic.Passed && lazy.Value(q.Cond) == 1 {
					return at + ": " + t.differs(f.run.engine, &o, t.refRun.engine, &q, lazy)
				}
			}
		}
	}
	return at
}

func (t *task) differs(e *symbolic.Engine, o *symbolic.Outcome, re *symbolic.Engine, q *symbolic.Outcome, lazy *smt.Lazy) string {
	if o.Result != nil && q.Result != nil && lazy.Value(o.Result) != lazy.Value(q.Result) {
		return fmt.Sprintf("%s returns %d, the reference %d", t.entry.Name, int64(lazy.Value(o.Result)), int64(lazy.Value(q.Result)))
	}
	for _, out := range t.outputs {
		for k, c := range out.cells {
			a, _, ok1 := e.Read(o.State, out.own, c.off, c.typ)
			b, _, ok2 := re.Read(q.State, out.ref, c.off, c.typ)
			if ok1 && ok2 && lazy.Value(a) != lazy.Value(b) {
				name := out.own.Name
				if len(out.cells) > 1 {
					name = fmt.Sprintf("%s[%d]", name, k)
				}
				return fmt.Sprintf("%s is %d, the reference's %d", name, int64(lazy.Value(e.Wide(a, c.typ))), int64(lazy.Value(e.Wide(b, c.typ))))
			}
		}
	}
	for _, in := range t.inputs.list {
		if in.block == nil {
			continue
		}
		for i := range in.terms {
			a, _, _ := e.ReadBlock(o.State, in.block[e], int64(i)*in.typ.Size, in.typ)
			b, _, _ := re.ReadBlock(q.State, in.block[re], int64(i)*in.typ.Size, in.typ)
			if a != nil && b != nil && lazy.Value(a) != lazy.Value(b) {
				return fmt.Sprintf("%s[%d] is %d, the reference's %d", in.name, i, int64(lazy.Value(e.Wide(a, in.typ))), int64(lazy.Value(e.Wide(b, in.typ))))
			}
		}
	}
	return "it differs from the reference"
}
