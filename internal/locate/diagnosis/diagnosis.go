// Package diagnosis finds the sets of components that a program can be corrected
// in: model-based diagnosis (Reiter 1987) with the notion of conflict of Koenighofer
// and Bloem, "Automated Error Localization and Correction for Imperative Programs"
// (FMCAD 2011), sections III-C and III-D. A set of components is a diagnosis when
// for every failing input there are values of these components, and of no others,
// with which the program meets its specification.
//
// The data come from package symbolic: holes for the components, and the condition
// under which the program passes. Conflicts are minimal: unsatisfiable cores,
// minimised by QuickXplain (Junker, AAAI 2004).
package diagnosis

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"
	"sync"

	"gulo/internal/budget"
	"gulo/internal/process"
	"gulo/internal/sat"
	"gulo/internal/smt"
)

// Hole is a value that a component computes: the paper's repair symbol r with CmpOf(r) and Org(r).
type Hole struct {
	Component int
	Symbol    *smt.Term
	// Org is what the symbol equals if the component is correct: the value that the program computes or, for a symbol
	// that says that a component is wrong, false. If it is nil, the symbol may have any value; then another symbol of
	// the component says whether it matters.
	Org *smt.Term
}

// Data are the paper's diagnostic data (Definition 1).
type Data struct {
	Terms      *smt.Terms
	Components int // numbered from 0
	Holes      []Hole
	Pass       *smt.Term // condition over inputs and the symbols of holes
}

// Options set limits.
type Options struct {
	Size int // members of a diagnosis; 0 means 2
	Max  int // diagnoses; 0 means 50
	// Work bounds all questions together, in z3's units (smt.Units); 0: no limit. When it is used up, diagnoses of
	// several components are no longer sought, and a single component for which nothing is known counts as a diagnosis.
	Work int64
}

// Diagnosis is a set of components.
type Diagnosis struct {
	Components []int
	Conflicts  int // number of known conflicts that its members are in, counted for each member
}

// Result is what was found. The conflicts explain the diagnoses: at least one member of each conflict must change.
type Result struct {
	Diagnoses []Diagnosis
	Conflicts [][]int
	Unknown   string // why the result may be incomplete or have a set that is no diagnosis; empty if it is certain
	Checks    int    // questions to the solver
}

// Diagnose finds the minimal diagnoses for failing inputs, smaller ones first. Input i is decided by the solver
// pool(i), which is reset.
func Diagnose(ctx context.Context, pool func(int) (*smt.Solver, error), d *Data, failing []smt.Model, opt Options) (*Result, error) {
	if opt.Size == 0 {
		opt.Size = 2
	}
	if opt.Max == 0 {
		opt.Max = 50
	}
	// Single components are found equally fast without minimal conflicts: each member is examined once in any case.
	q := &question{n: d.Components, rough: opt.Size == 1}
	for i, in := range failing {
		s, err := pool(i)
		if err != nil {
			return nil, err
		}
		q.inputs = append(q.inputs, observe(s, d, in, i))
		q.order = append(q.order, i)
	}
	q.warm(ctx)
	left := opt.Work
	spent := func() bool { return opt.Work > 0 && left <= 0 }
	if opt.Work > 0 {
		defer q.bound(&left)()
	}
	r := &Result{}
	var failed error
	late := false
	HittingSets(func(without []int) ([]int, bool) {
		if failed != nil {
			return nil, false
		}
		if len(without) > 1 && spent() {
			r.Unknown, late = "there may be more diagnoses of several components: "+smt.OutOfSteps, true
			return nil, false
		}
		c, ok, err := q.conflict(ctx, without, r)
		if err != nil {
			failed = err
		}
		if ok {
			r.Conflicts = append(r.Conflicts, c)
		}
		return c, ok
	}, opt.Size, func(set []int) bool {
		if failed != nil || late {
			return false
		}
		if len(set) == 0 {
			return true // there is no conflict: the inputs do not fail
		}
		r.Diagnoses = append(r.Diagnoses, Diagnosis{Components: set})
		return len(r.Diagnoses) < opt.Max
	})
	r.Checks = q.checks
	if failed != nil {
		return nil, failed
	}
	rank(r)
	return r, nil
}

// rank puts smaller diagnoses first and, among equals, those whose members are in more conflicts.
func rank(r *Result) {
	in := map[int]int{}
	for _, c := range r.Conflicts {
		for _, m := range c {
			in[m]++
		}
	}
	for i := range r.Diagnoses {
		for _, m := range r.Diagnoses[i].Components {
			r.Diagnoses[i].Conflicts += in[m]
		}
	}
	sort.SliceStable(r.Diagnoses, func(i, j int) bool {
		a, b := r.Diagnoses[i], r.Diagnoses[j]
		if len(a.Components) != len(b.Components) {
			return len(a.Components) < len(b.Components)
		}
		return a.Conflicts > b.Conflicts
	})
}

// question is Eq. 3. As the inputs share no symbols, it splits into one question for each input: a set is inconsistent
// if it is inconsistent for some input. Components that cannot affect an input do not occur in its question.
type question struct {
	rough  bool // cores are not minimised
	n      int
	inputs []observation
	order  []int // inputs, with the one that gave the last conflict first
	checks int
}

// observation is the question for one failing input. It asserts that the input passes, and has for each component that
// matters a symbol that says that it is correct.
type observation struct {
	s      *smt.Solver
	assume map[int]*smt.Term
	index  map[*smt.Term]int
}

func observe(s *smt.Solver, d *Data, in smt.Model, i int) observation {
	ts := d.Terms
	org := map[*smt.Term]int{} // index of the hole, by its symbol for this input
	holes := map[*smt.Term]*smt.Term{}
	for k, h := range d.Holes {
		holes[h.Symbol] = ts.Var(fmt.Sprintf("%s@%d", h.Symbol.Name, i), h.Symbol.Width)
		org[holes[h.Symbol]] = k
	}
	at := func(t *smt.Term) *smt.Term {
		return ts.Substitute(t, func(v *smt.Term) *smt.Term {
			if r, ok := holes[v]; ok {
				return r
			}
			return ts.Value(in[v.Name], v.Width)
		})
	}
	s.Reset()
	o := observation{s: s, assume: map[int]*smt.Term{}, index: map[*smt.Term]int{}}
	pass := at(d.Pass)
	s.Assert(pass)
	correct := map[int]*smt.Term{}
	seen := map[*smt.Term]bool{}
	for todo := smt.Vars(pass); len(todo) > 0; todo = todo[1:] {
		r := todo[0]
		k, ok := org[r]
		if !ok || seen[r] || d.Holes[k].Org == nil {
			continue
		}
		seen[r] = true
		c, x := d.Holes[k].Component, at(d.Holes[k].Org)
		if correct[c] == nil {
			correct[c] = ts.True
		}
		correct[c] = ts.And(correct[c], ts.Eq(r, x))
		todo = append(todo, smt.Vars(x)...)
	}
	for _, c := range slices.Sorted(maps.Keys(correct)) { // in a fixed order, since the solver's work depends on it
		t := correct[c]
		a := ts.Var(fmt.Sprintf("correct%d@%d", c, i), 0)
		s.Assert(ts.Implies(a, t))
		o.assume[c], o.index[a] = a, c
	}
	return o
}

// warm asks every solver once, all in parallel. The first question converts the formula to clauses, which takes most of
// the time.
func (q *question) warm(ctx context.Context) {
	var all sync.WaitGroup
	var beside []context.Context
	for i := range q.inputs {
		o := &q.inputs[i]
		var list []*smt.Term
		for c := range q.n {
			if a := o.assume[c]; a != nil {
				list = append(list, a)
			}
		}
		one := budget.Beside(ctx)
		beside = append(beside, one)
		all.Go(process.Guard(func() { _, _, _ = o.s.Check(one, list...) })) // errors recur later
	}
	all.Wait()
	for _, one := range beside {
		budget.Join(ctx, one)
	}
}

// bound makes the solvers of all inputs draw from one budget, until the function that it returns is called.
func (q *question) bound(left *int64) (free func()) {
	before := make([]*int64, len(q.inputs))
	for i, o := range q.inputs {
		before[i], o.s.Left = o.s.Left, left
	}
	return func() {
		for i, o := range q.inputs {
			o.s.Left = before[i]
		}
	}
}

// inconsistent decides whether the members cannot all be correct for one of the inputs. core is the subset that the
// solver used, and by the index in inputs.
func (q *question) inconsistent(ctx context.Context, members []int, r *Result, inputs []int) (core []int, by int, yes bool, err error) {
	for k, i := range inputs {
		o := &q.inputs[i]
		var list []*smt.Term
		for _, m := range members {
			if a := o.assume[m]; a != nil {
				list = append(list, a)
			}
		}
		q.checks++
		ans, terms, err := o.s.Check(ctx, list...)
		switch {
		case err != nil:
			return nil, 0, false, err
		case ans == sat.Unknown:
			// What is not known to be a conflict does not count as one: this may give a diagnosis too many, but none
			// too few.
			r.Unknown = "the solver does not know (" + o.s.Cause + ")"
			if ctx.Err() != nil {
				return nil, 0, false, ctx.Err()
			}
			continue
		case ans == sat.Satisfiable:
			continue
		}
		for _, t := range terms {
			if c, ok := o.index[t]; ok {
				core = append(core, c)
			}
		}
		sort.Ints(core)
		return core, k, true, nil
	}
	return nil, 0, false, nil
}

// conflict returns a minimal conflict that has none of some components. It returns false if there is none.
func (q *question) conflict(ctx context.Context, without []int, r *Result) ([]int, bool, error) {
	skip := map[int]bool{}
	for _, w := range without {
		skip[w] = true
	}
	var members []int
	for c := 0; c < q.n; c++ {
		if !skip[c] {
			members = append(members, c)
		}
	}
	core, by, yes, err := q.inconsistent(ctx, members, r, q.order)
	if err != nil || !yes {
		return nil, false, err
	}
	input := q.order[by]
	copy(q.order[1:by+1], q.order[:by])
	q.order[0] = input
	if q.rough {
		return core, true, nil
	}
	small, err := q.explain(ctx, nil, len(core) == 0, core, r, []int{input})
	sort.Ints(small)
	return small, err == nil, err
}

// explain is QuickXplain. It returns the members of a minimal conflict that are not in the background.
func (q *question) explain(ctx context.Context, background []int, changed bool, members []int, r *Result, input []int) ([]int, error) {
	if changed {
		_, _, yes, err := q.inconsistent(ctx, background, r, input)
		if err != nil {
			return nil, err
		}
		if yes {
			return nil, nil
		}
	}
	if len(members) <= 1 {
		return members, nil
	}
	half := len(members) / 2
	a, b := members[:half], members[half:]
	db, err := q.explain(ctx, append(append([]int(nil), background...), a...), len(a) > 0, b, r, input)
	if err != nil {
		return nil, err
	}
	da, err := q.explain(ctx, append(append([]int(nil), background...), db...), len(db) > 0, a, r, input)
	return append(da, db...), err
}
