// Package formal localizes and corrects by logic: from assertions or a reference
// implementation, over all inputs. It drives symbolic execution (package symbolic),
// model-based diagnosis (locate/diagnosis) and correction by templates
// (repair/template) as in Fig. 1 of Koenighofer and Bloem, "Automated Error
// Localization and Correction for Imperative Programs" (FMCAD 2011), then holds what
// it found against the compiler and native runs.
//
// It is for what shows in numbers: integers, conditions, arrays, structs. Faults in
// the shape of a heap are package batch's.
package formal

import (
	"context"
	"fmt"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/repair/template"
	"gulo/internal/smt"
	"gulo/internal/source"
	"gulo/internal/symbolic"
)

// Request is a program with its specification.
type Request struct {
	Files     []string
	Reference []string // files of the right implementation; empty: assertions in the program
	Entry     string   // empty: found out
	Inputs    string   // file that describes the inputs; may be empty
	Options   cfront.Options
	Limit     time.Duration // 0 means 60 s
	Repairs   int           // 0 means 1

	NoConditions bool // conditions are no components
	Parts        bool // every expression is one
	Lock         []int
	Size         int  // members of a diagnosis; 0 means 2
	Failing      int  // inputs for the diagnosis; 0 means 8
	Eq7          bool // what may pass is all but what is known to fail
	Wrap         bool // signed overflow wraps
	Unroll       int  // 0 means 32
	Templates    []string
	Plain, Meek  bool // without the heuristics of section III-G
	NoNear       bool // without the neighbourhood
	Random       int  // native runs on random inputs; 0 means 2,000, negative none
	Seed         int64
	Progress     func(text string)
}

// UsageError is a request that makes no sense.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

func usage(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

func (r *Request) progress(format string, args ...any) {
	if r.Progress != nil {
		r.Progress(fmt.Sprintf(format, args...))
	}
}

// task is a request made ready.
type task struct {
	req        *Request
	tree       *cfront.Program
	prog       *lower.Program
	ref        *lower.Program
	entry      *cfront.Func
	refEntry   *cfront.Func
	own        map[*cfront.Func]bool // the functions that the entry leads to
	terms      *smt.Terms
	inputs     *inputs
	outputs    []output
	components []*template.Component
	prune      *smt.Solver
	ask, fill  *smt.Solver
	pool       []*smt.Solver // of the diagnosis, one for each failing input
	until      time.Time
	refRun     *run // the reference's, once
	notes      []string
}

func (t *task) close() {
	for _, s := range append(t.pool, t.prune, t.ask, t.fill) {
		if s != nil {
			s.Close()
		}
	}
}

// solver returns one of the diagnosis' solvers.
func (t *task) solver(i int) (*smt.Solver, error) {
	for len(t.pool) <= i {
		s, err := smt.NewSolver()
		if err != nil {
			return nil, err
		}
		t.pool = append(t.pool, s)
	}
	return t.pool[i], nil
}

func load(ctx context.Context, files []string, opt cfront.Options) (*lower.Program, error) {
	tree, err := cfront.Load(ctx, files, opt)
	if err != nil {
		return nil, err
	}
	return lower.Lower(tree, lower.Options{Memory: true})
}

func prepare(ctx context.Context, r *Request) (*task, error) { return prepareWith(ctx, r, false) }

// prepareWith makes a request ready; free ones need no specification.
func prepareWith(ctx context.Context, r *Request, free bool) (_ *task, err error) {
	t := &task{req: r, terms: smt.NewTerms()}
	if r.Limit == 0 {
		r.Limit = time.Minute
	}
	if r.Size == 0 {
		r.Size = 2
	}
	t.until = time.Now().Add(r.Limit)
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	if t.prog, err = load(ctx, r.Files, r.Options); err != nil {
		return nil, err
	}
	t.tree = t.prog.Tree
	if len(r.Reference) > 0 {
		if t.ref, err = load(ctx, r.Reference, r.Options); err != nil {
			return nil, err
		}
	}
	for _, s := range []**smt.Solver{&t.prune, &t.ask, &t.fill} {
		if *s, err = smt.NewSolver(); err != nil {
			return nil, err
		}
	}
	if err = t.findEntry(free); err != nil {
		return nil, err
	}
	if t.inputs, err = t.makeInputs(); err != nil {
		return nil, err
	}
	if err = t.findOutputs(); err != nil {
		return nil, err
	}
	t.components = t.listComponents()
	return t, nil
}

func (t *task) listComponents() []*template.Component {
	var fs []*cfront.Func
	for _, f := range t.tree.Funcs {
		if t.own[f] && (f.Name != "main" || f == t.entry) {
			fs = append(fs, f)
		}
	}
	locked := map[int]bool{}
	for _, l := range t.req.Lock {
		locked[l] = true
	}
	return template.Components(fs, template.Choice{
		Conditions: !t.req.NoConditions, Parts: t.req.Parts,
		Locked: func(p source.Position) bool { return locked[p.Line] },
	})
}

// run is one symbolic execution.
type run struct {
	engine   *symbolic.Engine
	outs     []symbolic.Outcome
	holes    []*symbolic.Hole
	symbols  []*smt.Term // of the holes
	suspects map[int32]*smt.Term
	passed   *smt.Term // ends well
	failed   *smt.Term // ends in an error or a failed assertion
	complete bool
}

// result returns what the entry returns on the ways that pass; nil for nothing.
func (r *run) result(ts *smt.Terms) *smt.Term {
	var v *smt.Term
	for _, o := range r.outs {
		switch {
		case o.Kind != symbolic.Passed || o.Result == nil:
		case v == nil:
			v = o.Result
		default:
			v = ts.Ite(o.Cond, o.Result, v)
		}
	}
	return v
}

// execute runs a program on symbols; components are those whose values are unknown,
// with negative numbers those that are not computed either.
func (t *task) execute(ctx context.Context, p *lower.Program, entry *cfront.Func, components map[cfront.Expr]int32, unroll int) (*run, error) {
	if len(components) > 0 {
		var err error
		if p, err = lower.Lower(p.Tree, lower.Options{Memory: true, Components: components}); err != nil {
			return nil, err
		}
	}
	t.prune.Reset()
	assume := t.inputs.assume
	e := symbolic.New(p, t.terms, symbolic.Options{Unroll: unroll, Wrap: t.req.Wrap, Feasible: func(c *smt.Term) bool {
		return t.feasible(ctx, t.terms.And(assume, c))
	}})
	r := &run{engine: e, suspects: map[int32]*smt.Term{}}
	if len(components) == 0 {
		e.Reached = map[int32]*smt.Term{}
	} else {
		e.OnSuspect = func(id int32) *smt.Term {
			r.suspects[id] = t.terms.Var(fmt.Sprintf("wrong%d", id), 0)
			return r.suspects[id]
		}
		e.OnHole = func(h *symbolic.Hole) *smt.Term {
			sym := t.terms.Var(fmt.Sprintf("r%d of %d", h.N, h.ID), uint8(8*h.Type.Size))
			r.holes, r.symbols = append(r.holes, h), append(r.symbols, sym)
			return e.Wide(sym, h.Type)
		}
	}
	st, args, err := t.inputs.start(e, entry)
	if err != nil {
		return nil, err
	}
	if r.outs, err = e.Run(ctx, st, entry, args); err != nil {
		return nil, err
	}
	r.passed, r.failed, r.complete = symbolic.Pass(t.terms, r.outs)
	return r, nil
}

// correct returns the condition under which a run meets the specification, and that
// under which it is known not to (Eq. 1 and Eq. 7).
func (t *task) correct(ctx context.Context, r *run) (pass, fail *smt.Term, err error) {
	ts := t.terms
	if t.ref == nil {
		return r.passed, r.failed, nil
	}
	if t.refRun == nil {
		if t.refRun, err = t.execute(ctx, t.ref, t.refEntry, nil, 4*t.unroll()); err != nil {
			return nil, nil, fmt.Errorf("the reference: %w", err)
		}
		fails := t.feasible(ctx, ts.And(t.inputs.assume, t.refRun.failed))
		t.inputs.assume = ts.And(t.inputs.assume, t.refRun.passed)
		if fails {
			t.notes = append(t.notes, "inputs on which the reference fails are left out")
		}
	}
	pass, fail = ts.False, r.failed
	for _, o := range r.outs {
		if o.Kind != symbolic.Passed {
			continue
		}
		for _, q := range t.refRun.outs {
			if q.Kind != symbolic.Passed {
				continue
			}
			both := ts.And(o.Cond, q.Cond)
			same := t.same(r.engine, &o, t.refRun.engine, &q)
			pass = ts.Or(pass, ts.And(both, same))
			fail = ts.Or(fail, ts.And(both, ts.Not(same)))
		}
	}
	return pass, fail, nil
}

func (t *task) unroll() int {
	if t.req.Unroll > 0 {
		return t.req.Unroll
	}
	return 32
}
