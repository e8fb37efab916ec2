package logic

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/sat"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// This file compares a program that passed all runs with the reference, for all inputs and function by function. If a
// function does what the reference's function of the same name does, its callers cannot tell them apart. If it does
// not, or that is unknown, its callers are compared, which may never call it in a way that differs.

// Comparer compares programs with one reference. It is not safe for concurrent use, and must be closed.
type Comparer struct {
	job        *job.Job
	ref        *lower.Program
	funcs      map[string]*cfront.Func // functions that the reference can reach
	digests    map[string]string       // digests of funcs
	prune, ask *smt.Solver             // nil until needed
	last       *Equality               // the last result, which may still be asked for inputs
	left       int64                   // units left for the solvers
}

// NewComparer returns a comparer for a job's reference.
func NewComparer(j *job.Job, ref *lower.Program) *Comparer {
	c := &Comparer{job: j, ref: ref, funcs: reachable(ref), digests: map[string]string{}}
	for n, f := range c.funcs {
		c.digests[n] = digest(f)
	}
	return c
}

// Close stops the solvers.
func (c *Comparer) Close() {
	for _, s := range []*smt.Solver{c.prune, c.ask} {
		if s != nil {
			s.Close()
		}
	}
}

// Equality is what is known about a program compared with the reference.
type Equality struct {
	proof  []string
	unseen []string
	pair   *counterparts // the outermost compared functions that differ; nil: none are known
	stale  bool          // the solver has been reset for other questions
}

// Proof says in words for which inputs the program does what the reference does. It is empty if that is not known.
func (e *Equality) Proof() string {
	if e == nil {
		return ""
	}
	return strings.Join(e.proof, "; ")
}

// Unseen lists what a proof leaves out.
func (e *Equality) Unseen() []string { return e.unseen }

// Entry returns the reference's function that does something else than the program's on some inputs, which no run may
// reach. It is nil if none is known.
func (e *Equality) Entry() *cfront.Func {
	if e == nil || e.pair == nil {
		return nil
	}
	return e.pair.refEntry
}

// same is the proof for a program whose functions all mean the same as the reference's.
const same = "proved for all inputs: with it, every function means what the reference's means"

// compareTime bounds all solver questions about one program, in solver steps.
const compareTime = 2 * time.Second

// Compare compares a program with the reference. It stops at the given time at the latest.
func (c *Comparer) Compare(ctx context.Context, p *lower.Program, until time.Time) (*Equality, error) {
	out := &Equality{}
	if c.last != nil {
		c.last.stale = true
	}
	own, ok := c.comparable(p)
	if !ok {
		return out, nil
	}
	differ, ok := c.differing(own)
	switch {
	case !ok:
		return out, nil
	case len(differ) == 0:
		out.proof = []string{same}
		return out, nil
	case !smt.Available():
		return out, nil
	}
	c.left = smt.Units(compareTime)
	ctx, cancel := budget.WithDeadline(ctx, until)
	defer cancel()
	err := c.climb(ctx, out, p, own, differ, until)
	if len(out.proof) > 0 {
		out.pair = nil
	}
	c.last = out
	var un *symbolic.Unsupported
	var lim *symbolic.LimitError
	if errors.As(err, &un) || errors.As(err, &lim) || errors.Is(err, smt.ErrMissing) || ctx.Err() != nil {
		err = nil
	}
	return out, err
}

// comparable returns the functions that a program can reach. ok is false if the program does not start with the same
// functions as the reference, or if one of them has parts that cannot be read or compared by name.
func (c *Comparer) comparable(p *lower.Program) (own map[string]*cfront.Func, ok bool) {
	if len(p.Tree.Opaque)+len(c.ref.Tree.Opaque) > 0 || !told(p) || !told(c.ref) {
		return nil, false
	}
	name := func(fs []*cfront.Func) (out []string) {
		for _, f := range fs {
			out = append(out, f.Name)
		}
		return out
	}
	if p.Tree.Func("main") != nil && !slices.Equal(name(roots(p)), name(roots(c.ref))) {
		return nil, false
	}
	own = reachable(p)
	return own, maps.Equal(uncalled(p, own), uncalled(c.ref, c.funcs))
}

// uncalled returns the digests of the functions that are visible to other files and that the program does not reach.
// The library may call one that replaces its own, such as malloc.
func uncalled(p *lower.Program, called map[string]*cfront.Func) map[string]string {
	out := map[string]string{}
	for _, f := range p.Tree.Funcs {
		if written(f) && !f.Static && called[f.Name] == nil {
			out[f.Name] = digest(f)
		}
	}
	return out
}

// told reports whether functions and variables of a program are distinguished by their names: no two files have statics
// of the same name, and there are no aliases or weak symbols.
func told(p *lower.Program) bool {
	names := map[string]bool{}
	once := func(name string) bool {
		seen := names[name]
		names[name] = true
		return !seen
	}
	for _, f := range p.Tree.Funcs {
		if f.Alias != nil || f.Weak || f.Body != nil && !once(f.Name+"()") {
			return false
		}
	}
	for _, v := range p.Tree.Globals {
		if v.Weak || v.Func == nil && !once(v.Name) {
			return false
		}
	}
	return true
}

// differing lists the functions that do not mean the same as the reference's, by name. ok is false if main is one of
// them, since it has no callers to compare.
func (c *Comparer) differing(own map[string]*cfront.Func) (out []string, ok bool) {
	for n, f := range own {
		if d, there := c.digests[n]; !there || digest(f) != d {
			out = append(out, n)
		}
	}
	for n := range c.funcs {
		if own[n] == nil {
			out = append(out, n)
		}
	}
	sort.Strings(out)
	return out, !slices.Contains(out, "main")
}

// mostPairs bounds the pairs of functions that are compared for one program.
const mostPairs = 8

// climb compares the functions that differ, innermost first, and then the callers of those for which nothing is proved.
// It sets the proof if no function is left.
func (c *Comparer) climb(ctx context.Context, out *Equality, p *lower.Program, own map[string]*cfront.Func, differ []string, until time.Time) error {
	named := pointed(own)
	for n := range pointed(c.funcs) {
		named[n] = true
	}
	var proofs, unseen []string
	done := map[string]bool{}
	for pairs := 0; ; pairs++ {
		name, ok := innermostOf(differ, done, own)
		if !ok {
			out.proof, out.unseen = proofs, unseen
			return nil
		}
		done[name] = true
		if pairs == mostPairs || ctx.Err() != nil {
			return ctx.Err()
		}
		if f, g := own[name], c.funcs[name]; f != nil && g != nil && numeric(f, g) {
			x, err := c.compare(ctx, p, f, g, until)
			if err != nil {
				return err
			}
			if x != nil && x.proof != "" {
				proofs, unseen = append(proofs, x.proof), append(unseen, x.leaves...)
				continue
			}
			if x != nil && x.counter != nil {
				out.pair = x
			}
		}
		callers := append(callersOf(own, name), callersOf(c.funcs, name)...)
		if named[name] || slices.Contains(callers, "main") || slices.ContainsFunc(roots(p), func(r *cfront.Func) bool { return r.Name == name }) {
			return nil
		}
		differ = append(differ, callers...)
	}
}

// innermostOf returns the function of a list that is not done and leads to the fewest others.
func innermostOf(list []string, done map[string]bool, own map[string]*cfront.Func) (string, bool) {
	best, size := "", 0
	for _, n := range list {
		if done[n] {
			continue
		}
		k := 0
		if f := own[n]; f != nil {
			k = len(cfront.Callees(f))
		}
		if best == "" || k < size {
			best, size = n, k
		}
	}
	return best, best != ""
}

// numeric reports whether two functions have the same signature and probably can be executed on symbols: they work on
// integers and arrays of integers, not on linked structures.
func numeric(f, g *cfront.Func) bool {
	if f.Type.Variadic || sameSignature(g, f) != nil {
		return false
	}
	if r := f.Type.Result; r.Kind != ctype.Void && !r.IsInteger() {
		return false
	}
	for _, p := range f.Params {
		if t := p.Type; !t.IsInteger() && !(t.Kind == ctype.Pointer && t.Elem.IsInteger()) {
			return false
		}
	}
	for _, entry := range []*cfront.Func{f, g} {
		fs, _ := reach(entry)
		for x := range fs {
			if !plain(x) {
				return false
			}
		}
	}
	return true
}

// plain reports whether a function uses neither floating-point numbers nor pointers to linked structs.
func plain(f *cfront.Func) bool {
	ok := true
	cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch t := y.Type(); {
			case t == nil:
			case t.Kind == ctype.Float || t.Kind == ctype.Complex || t.Kind == ctype.LongDouble || t.Kind == ctype.Vector:
				ok = false
			case t.Kind == ctype.Pointer && t.Elem.Kind == ctype.Struct && linked(t.Elem):
				ok = false
			}
			return ok
		})
	})
	return ok
}

// linked reports whether a struct has pointers to structs.
func linked(t *ctype.Type) bool {
	return slices.ContainsFunc(t.Fields, func(f ctype.Field) bool {
		return f.Type.Kind == ctype.Pointer && f.Type.Elem.IsAggregate()
	})
}

// counterparts are a function and the reference's function of the same name.
type counterparts struct {
	*task
	f       *failure
	proof   string   // in words; empty: not proved
	leaves  []string // what the proof leaves out
	counter smt.Model
	aloud   *smt.Term // condition under which it returns or prints something else; nil if no difference is known
}

// compare compares two functions. It returns nil if they cannot be executed on symbols.
func (c *Comparer) compare(ctx context.Context, p *lower.Program, f, g *cfront.Func, until time.Time) (*counterparts, error) {
	for _, s := range []**smt.Solver{&c.prune, &c.ask} {
		if *s == nil {
			var err error
			if *s, err = smt.NewSolver(); err != nil {
				return nil, err
			}
		}
	}
	c.prune.Reset()
	c.ask.Reset()
	c.prune.Limit, c.ask.Limit = pruneLimit, compareTime
	c.prune.Left, c.ask.Left = &c.left, &c.left
	req := *c.job
	req.Entry = f.Name
	t := &task{
		req: &req, terms: smt.NewTerms(), file: &job.Inputs{}, prog: p, tree: p.Tree, ref: c.ref, entry: f, refEntry: g,
		prune: c.prune, ask: c.ask, until: until,
	}
	t.own, _ = reach(f)
	t.findStorage()
	x, err := t.compared(ctx)
	var un *symbolic.Unsupported
	var use *job.UsageError
	if errors.As(err, &un) || errors.As(err, &use) {
		return nil, nil
	}
	return x, err
}

// compared decides whether the entries do the same on all inputs.
func (t *task) compared(ctx context.Context) (*counterparts, error) {
	var err error
	if t.inputs, err = t.makeInputs(ctx); err != nil {
		return nil, err
	}
	t.ranges = t.inputs.assume
	if err := t.reference(ctx); err != nil {
		return nil, err
	}
	x := &counterparts{task: t, f: &failure{}}
	if x.f.run, err = t.execute(ctx, t.prog, t.entry, nil, t.far()); err != nil {
		return nil, err
	}
	if err := t.unknowable(x.f.run, t.entry); err != nil {
		return nil, err
	}
	left := map[string]bool{}
	x.f.run.note = func(what string) { left[what] = true }
	if _, x.f.fail, err = t.correct(ctx, x.f.run); err != nil {
		return nil, err
	}
	t.chooseInputs(x.f)
	proof, covers, counter, err := t.decide(ctx, x.f, x.f.run, x.f.fail, left)
	if err != nil {
		return nil, err
	}
	switch {
	case counter != nil:
		x.counter = counter
		t.aloud = true
		_, x.aloud, err = t.correct(ctx, x.f.run)
		t.aloud = false
		if err != nil {
			return nil, err
		}
	case proof == "proved":
		x.proof = fmt.Sprintf("proved: %s does what the reference's does for %s", t.entry.Name, covers)
	case proof == "bounded":
		x.proof = fmt.Sprintf("holds up to a bound: %s does what the reference's does for %s", t.entry.Name, covers)
	}
	x.leaves = append(t.unlooked(), t.gaps...)
	return x, nil
}

// Differing returns values of the entry's arguments and of variables, by name, with which the entry does something else
// than the reference's. Those in given are fixed. It prefers inputs on which the entry returns or prints something
// else, as a program may never show what is left in variables, and it tries to make the values small. It returns nil if
// it finds none.
func (e *Equality) Differing(ctx context.Context, given map[string]int64) (map[string]int64, error) {
	if e.Entry() == nil || e.stale {
		return nil, nil
	}
	out, err := e.pair.model(ctx, e.pair.aloud, given)
	if out == nil && err == nil {
		out, err = e.pair.model(ctx, e.pair.f.fail, given)
	}
	return out, err
}

// model returns small values of inputs for which a condition holds, with some given. It returns nil if it finds none.
func (x *counterparts) model(ctx context.Context, fail *smt.Term, given map[string]int64) (map[string]int64, error) {
	ts := x.terms
	for _, s := range x.f.all {
		if v, ok := given[s.Name]; ok && s.Term.Width > 0 {
			fail = ts.And(fail, ts.Eq(s.Term, ts.Value(uint64(v)&maskOf(s), s.Term.Width)))
		}
	}
	x.ask.Reset()
	x.ask.Assert(x.inputs.assume)
	ans, _, err := x.ask.Check(ctx, fail)
	if err != nil || ans != sat.Satisfiable {
		return nil, err
	}
	one := *x.f
	one.fail = fail
	m := x.small(&one, x.taken(&one))
	out := map[string]int64{}
	for _, s := range x.f.inputs {
		out[s.Name] = decimal(s, m)
	}
	return out, nil
}
