// Package logic locates and repairs faults by logic: from assertions, a contract or a reference implementation, over
// all inputs. It drives symbolic execution (package symbolic), model-based diagnosis (locate/diagnosis) and correction
// by templates (repair/template) as in Fig. 1 of Koenighofer and Bloem, "Automated Error Localization and Correction
// for Imperative Programs" (FMCAD 2011), and then checks the result with the compiler and native runs.
//
// It is for programs that work on numbers: integers, conditions, arrays, structs. Faults in the shape of a heap are
// left to repair/states.
package logic

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/repair/template"
	"gulo/internal/smt"
	"gulo/internal/source"
	"gulo/internal/symbolic"
)

// task is a prepared request.
type task struct {
	req        *job.Job
	tree       *cfront.Program
	prog       *lower.Program
	ref        *lower.Program
	entry      *cfront.Func
	refEntry   *cfront.Func
	instead    string                // an entry to try if this one cannot be followed
	own        map[*cfront.Func]bool // functions that the entry leads to
	terms      *smt.Terms
	file       *job.Inputs
	inputs     *inputs
	storage    []*storage
	ghost      map[*cfront.Func]bool // functions that assertions call
	components []*template.Component
	templates  []string // templates of the user
	prune      *smt.Solver
	spent      func() // called when prune has nothing left; nil: there is no bound
	ask, fill  *smt.Solver
	pool       []*smt.Solver // solvers for the diagnosis, one for each failing input
	until      time.Time
	refRun     *run            // the reference's run; nil until it is executed
	refFails   bool            // the reference fails on some inputs
	ranges     *smt.Term       // assumptions about inputs, without the condition that the reference accepts them
	null       map[int]bool    // parameters that are NULL
	gaps       []string        // calls with pointers that the last proof does not cover
	guessed    bool            // numbers were bounded by default
	mattering  map[string]bool // symbols on which either program depends
	aloud      bool            // only results and printed text count, not what is left in variables
	bound      int             // bound for rounds of a loop and nested calls; 0: not known
	notes      []string

	keeps  string       // the contract as C; empty: there is none
	of     *cfront.Func // the contract's function, in the program without the contract
	before string       // position of its precondition; "" without one
	kept   int          // index of the file with that function
	dir    string       // folder for the program with the contract
}

func (t *task) close() {
	if t.dir != "" {
		os.RemoveAll(t.dir)
	}
	for _, s := range append(t.pool, t.prune, t.ask, t.fill) {
		if s != nil {
			s.Close()
		}
	}
}

// Limits of single solver questions, counted in steps (smt.Solver): whether a way is feasible, whether components can
// be right on an input, and whether a program is right.
const (
	pruneLimit       = 300 * time.Millisecond
	observationLimit = 500 * time.Millisecond
	askLimit         = 4 * time.Second
)

// solver returns the i-th solver for the diagnosis.
func (t *task) solver(i int) (*smt.Solver, error) {
	for len(t.pool) <= i {
		s, err := smt.NewSolver()
		if err != nil {
			return nil, err
		}
		s.Limit = observationLimit
		t.pool = append(t.pool, s)
	}
	return t.pool[i], nil
}

func prepare(ctx context.Context, r *job.Job) (*task, error) { return prepareWith(ctx, r, false) }

// prepareWith prepares a request. If free is set, no specification is needed.
func prepareWith(ctx context.Context, r *job.Job, free bool) (_ *task, err error) {
	t := &task{req: r, terms: smt.NewTerms()}
	if r.Limit == 0 {
		r.Limit = time.Minute
	}
	if r.Size == 0 {
		r.Size = 2
	}
	t.until = budget.After(ctx, r.Limit)
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	if t.file, err = job.ReadInputs(r.Inputs); err != nil {
		return nil, err
	}
	if err = t.readContract(ctx); err != nil {
		return nil, err
	}
	r = t.req
	if t.prog, err = t.load(ctx, t.dir, r.Files, r.Options); err != nil {
		return nil, err
	}
	t.tree = t.prog.Tree
	if err := r.CheckLock(); err != nil {
		return nil, err
	}
	if len(r.Reference) > 0 {
		if t.ref, err = r.LoadReference(ctx); err != nil {
			return nil, err
		}
	}
	for _, s := range []**smt.Solver{&t.prune, &t.ask, &t.fill} {
		if *s, err = smt.NewSolver(); err != nil {
			return nil, err
		}
	}
	t.prune.Limit = pruneLimit // if the question is not decided in this time, the way is followed
	t.ask.Limit = askLimit
	if err = t.findEntry(free); err != nil {
		return nil, err
	}
	t.findStorage()
	if t.inputs, err = t.makeInputs(ctx); err != nil {
		return nil, err
	}
	if err = t.possible(ctx); err != nil {
		return nil, err
	}
	t.ranges = t.inputs.assume
	t.ghost = t.asserted()
	if t.components = t.listComponents(); len(t.components) == 0 {
		t.suspectAll()
	}
	return t, t.readTemplates()
}

// suspectAll makes functions that assertions call suspects like all others. It reports whether there are any.
func (t *task) suspectAll() bool {
	some := len(t.ghost) > 0
	t.ghost = nil
	t.components = t.listComponents()
	return some
}

// readTemplates reads the user's templates. A template that fits no component is a usage error.
func (t *task) readTemplates() error {
	name := t.req.TemplateFile
	if name == "" {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return job.Usage("cannot read the templates: %v", err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		var why error
		good := false
		for _, c := range t.components {
			if _, err := template.Parse(line, c, t.tree); err == nil {
				good = true
			} else if why == nil {
				why = err
			}
		}
		if !good {
			if why == nil {
				why = errors.New("there is nothing that a template could stand for")
			}
			return job.Usage("%s:%d: no component can be this: %v", name, i+1, why)
		}
		t.templates = append(t.templates, line)
	}
	return nil
}

func (t *task) listComponents() []*template.Component {
	locked := map[int]bool{}
	for _, l := range t.req.Lock {
		locked[l] = true
	}
	return template.Components(t.editable(), template.Choice{
		Conditions: !t.req.NoConditions, Parts: t.req.Parts,
		Locked: func(p source.Position) bool { return locked[p.Line] },
	})
}

// editable lists the functions that may be wrong. Functions that assertions call say what is right; they are included
// only after suspectAll.
func (t *task) editable() (out []*cfront.Func) {
	for _, f := range t.tree.Funcs {
		if t.own[f] && written(f) && (f.Name != "main" || f == t.entry) && !t.ghost[f] && !t.specifies(f) {
			out = append(out, f)
		}
	}
	return out
}

// asserted lists the functions that assertions call.
func (t *task) asserted() map[*cfront.Func]bool {
	out := map[*cfront.Func]bool{}
	for f := range t.own {
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				c, ok := y.(*cfront.Call)
				if !ok {
					return true
				}
				if r, ok := c.Fun.(*cfront.FuncRef); ok && r.Func.Name == "assert" {
					for _, a := range c.Args {
						cfront.Walk(a, func(z cfront.Expr) bool {
							if g, ok := z.(*cfront.FuncRef); ok && g.Func.Body != nil && g.Func != t.entry {
								out[g.Func] = true
							}
							return true
						})
					}
				}
				return true
			})
		})
	}
	return out
}

// run is one symbolic execution.
type run struct {
	engine   *symbolic.Engine
	entry    *cfront.Func
	outs     []symbolic.Outcome
	holes    []*symbolic.Hole
	symbols  []*smt.Term // values of the holes
	suspects map[int32]*smt.Term
	passed   *smt.Term // condition under which it passes
	failed   *smt.Term // condition under which it ends in an error or a failed assertion
	complete bool
	note     func(string) // called with what cannot be compared with the reference; may be nil
}

// result returns the entry's result on the ways that pass, or nil if there is none.
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

// execute runs a program on symbols. The values of the given components are unknown. A component with a negative number
// is not evaluated at all.
func (t *task) execute(ctx context.Context, p *lower.Program, entry *cfront.Func, components map[cfront.Expr]int32, unroll int) (*run, error) {
	if len(components) > 0 {
		var err error
		if p, err = lower.Lower(p.Tree, lower.Options{Memory: true, Components: components}); err != nil {
			return nil, err
		}
	}
	t.prune.Reset()
	assume := t.inputs.assume
	e := symbolic.New(p, t.terms, symbolic.Options{Unroll: unroll, Depth: t.depth(unroll), Wrap: t.req.Wrap, Null: len(t.null) > 0, Feasible: func(c *smt.Term) bool {
		return t.feasible(ctx, t.terms.And(assume, c))
	}})
	r := &run{engine: e, entry: entry, suspects: map[int32]*smt.Term{}}
	e.Reached = map[int32]*smt.Term{}
	if len(components) > 0 {
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
	st, args, err := t.start(e, entry)
	if err != nil {
		return nil, err
	}
	if r.outs, err = e.Run(ctx, st, entry, args); err != nil {
		return nil, err
	}
	r.passed, r.failed, r.complete = symbolic.Pass(t.terms, r.outs)
	return r, nil
}

// correct returns the condition under which a run meets the specification, and the condition under which it certainly
// does not (Eq. 1 and Eq. 7).
func (t *task) correct(ctx context.Context, r *run) (pass, fail *smt.Term, err error) {
	ts := t.terms
	if t.ref == nil {
		return r.passed, r.failed, nil
	}
	if err := t.reference(ctx); err != nil {
		return nil, nil, err
	}
	pass, fail = ts.False, r.failed
	for _, o := range r.outs {
		if o.Kind == symbolic.Cut && t.bound > 0 {
			// The reference ends long before that.
			fail = ts.Or(fail, o.Cond)
		}
		if o.Kind != symbolic.Passed {
			continue
		}
		for _, q := range t.refRun.outs {
			if q.Kind != symbolic.Passed {
				continue
			}
			both := ts.And(o.Cond, q.Cond)
			same := t.same(end{r.engine, &o}, end{t.refRun.engine, &q}, r.note)
			pass = ts.Or(pass, ts.And(both, same))
			fail = ts.Or(fail, ts.And(both, ts.Not(same)))
		}
	}
	return pass, fail, nil
}

// slack is how many rounds, beyond one and a half times those of the reference, a program may run before it counts as
// not ending.
const slack = 4

// reference executes the reference once. The length of its loops bounds how far the program's loops are followed: a
// program that runs much longer fails.
func (t *task) reference(ctx context.Context) (err error) {
	if t.refRun != nil || t.ref == nil {
		return nil
	}
	if t.refRun, err = t.execute(ctx, t.ref, t.refEntry, nil, t.far()); err != nil {
		return fmt.Errorf("the reference: %w", err)
	}
	if err := t.unknowable(t.refRun, t.refEntry); err != nil {
		return fmt.Errorf("the reference: %w", err)
	}
	fails := t.feasible(ctx, t.terms.And(t.inputs.assume, t.refRun.failed))
	if !t.refRun.complete { // native runs can compare more than symbolic ones
		t.inputs.wide = t.terms.And(t.inputs.assume, t.terms.Not(t.refRun.failed))
	}
	t.inputs.assume = t.terms.And(t.inputs.assume, t.refRun.passed)
	if fails {
		t.refFails = true
		t.notes = append(t.notes, "inputs on which the reference fails are left out")
		if !t.feasible(ctx, t.inputs.assume) {
			return &symbolic.Unsupported{Pos: t.refEntry.Range.Position(), What: fmt.Sprintf("the reference's %s ends in an error on every input that is made for it", t.refEntry.Name)}
		}
	}
	if t.refRun.complete {
		most := max(t.refRun.engine.Rounds, t.refRun.engine.Nested)
		t.bound = most + most/2 + slack
	}
	return nil
}

// depth returns the limit of nested calls for a number of rounds; 0 means the default.
func (t *task) depth(unroll int) int {
	if t.bound == 0 {
		return 0
	}
	return unroll
}

// complete reports whether a run covers all behaviour of a program.
func (t *task) complete(r *run) bool {
	if t.ref == nil {
		return r.complete
	}
	return t.refRun != nil && t.refRun.complete && (r.complete || t.bound > 0)
}

// far returns how many rounds are followed if no component is unknown.
func (t *task) far() int {
	if t.bound > 0 {
		return t.bound
	}
	return 4 * t.unroll()
}

// unroll returns how many rounds of a loop are followed in a search.
func (t *task) unroll() int {
	switch {
	case t.bound > 0:
		return t.bound
	case t.req.Unroll > 0:
		return t.req.Unroll
	}
	return 32
}
