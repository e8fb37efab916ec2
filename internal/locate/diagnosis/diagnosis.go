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
	"sort"

	"gulo/internal/sat"
	"gulo/internal/smt"
)

// Hole is a value that a component computed: the paper's repair symbol r with
// CmpOf(r) and Org(r).
type Hole struct {
	Component int
	Symbol    *smt.Term
	Org       *smt.Term // of the symbol's width; nil when the program does not compute it
}

// Data are the paper's diagnostic data (Definition 1).
type Data struct {
	Terms      *smt.Terms
	Components int // numbered from 0
	Holes      []Hole
	Pass       *smt.Term // over inputs and the holes' symbols
}

// Options set limits.
type Options struct {
	Size int // members of a diagnosis; 0 means 2
	Max  int // diagnoses; 0 means 50
}

// Diagnosis is a set of components.
type Diagnosis struct {
	Components []int
	Conflicts  int // how many of the conflicts found have one of its members: all
}

// Result is what was found. Conflicts explain the diagnoses: of each at least one
// member must change.
type Result struct {
	Diagnoses []Diagnosis
	Conflicts [][]int
	Unknown   string // why there may be others, or one may be none; empty when all is certain
	Checks    int    // questions to the solver
}

// Diagnose finds the minimal diagnoses for failing inputs, in order of their size.
// All inputs are in one question (Eq. 3). The solver is left reset.
func Diagnose(ctx context.Context, s *smt.Solver, d *Data, failing []smt.Model, opt Options) (*Result, error) {
	if opt.Size == 0 {
		opt.Size = 2
	}
	if opt.Max == 0 {
		opt.Max = 50
	}
	q := newQuestion(s, d, failing)
	defer s.Reset()
	r := &Result{}
	var failed error
	HittingSets(func(without []int) ([]int, bool) {
		if failed != nil {
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
		if failed != nil {
			return false
		}
		if len(set) == 0 {
			return true // no conflict at all: nothing is wrong with these inputs
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

// rank puts smaller diagnoses first, of equals those whose members are in more
// conflicts.
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

// question is Eq. 3: the fixed part is asserted, the components are assumptions.
type question struct {
	s      *smt.Solver
	n      int
	assume []*smt.Term // by component; nil when it has no hole
	index  map[*smt.Term]int
	checks int
}

func newQuestion(s *smt.Solver, d *Data, failing []smt.Model) *question {
	ts := d.Terms
	s.Reset()
	q := &question{s: s, n: d.Components, assume: make([]*smt.Term, d.Components), index: map[*smt.Term]int{}}
	holes := map[*smt.Term]bool{}
	for _, h := range d.Holes {
		holes[h.Symbol] = true
	}
	correct := make([]*smt.Term, d.Components)
	for i, in := range failing {
		// The inputs become numbers, the symbols of holes those of this input.
		at := func(t *smt.Term) *smt.Term {
			return ts.Substitute(t, func(v *smt.Term) *smt.Term {
				if !holes[v] {
					return ts.Value(in[v.Name], v.Width)
				}
				return ts.Var(fmt.Sprintf("%s@%d", v.Name, i), v.Width)
			})
		}
		s.Assert(at(d.Pass))
		for _, h := range d.Holes {
			if h.Org == nil {
				continue
			}
			eq := ts.Eq(at(h.Symbol), at(h.Org))
			if correct[h.Component] == nil {
				correct[h.Component] = ts.True
			}
			correct[h.Component] = ts.And(correct[h.Component], eq)
		}
	}
	for c, t := range correct {
		if t == nil {
			continue
		}
		a := ts.Var(fmt.Sprintf("correct%d", c), 0)
		s.Assert(ts.Implies(a, t))
		q.assume[c] = a
		q.index[a] = c
	}
	return q
}

// inconsistent asks whether components cannot all be correct; core is the part of
// them that the solver used.
func (q *question) inconsistent(ctx context.Context, members []int, r *Result) (core []int, yes bool, err error) {
	q.checks++
	var list []*smt.Term
	for _, m := range members {
		if q.assume[m] != nil {
			list = append(list, q.assume[m])
		}
	}
	ans, terms, err := q.s.Check(ctx, list...)
	switch {
	case err != nil:
		return nil, false, err
	case ans == sat.Unknown:
		// What is not known to be a conflict counts as none: a diagnosis more
		// rather than one less.
		r.Unknown = "the solver does not know (" + q.s.Cause + ")"
		return nil, false, ctx.Err()
	case ans == sat.Satisfiable:
		return nil, false, nil
	}
	for _, t := range terms {
		if c, ok := q.index[t]; ok {
			core = append(core, c)
		}
	}
	sort.Ints(core)
	return core, true, nil
}

// conflict returns a minimal conflict without some components.
func (q *question) conflict(ctx context.Context, without []int, r *Result) ([]int, bool, error) {
	skip := map[int]bool{}
	for _, w := range without {
		skip[w] = true
	}
	var members []int
	for c := 0; c < q.n; c++ {
		if !skip[c] && q.assume[c] != nil {
			members = append(members, c)
		}
	}
	core, yes, err := q.inconsistent(ctx, members, r)
	if err != nil || !yes {
		return nil, false, err
	}
	small, err := q.explain(ctx, nil, len(core) == 0, core, r)
	sort.Ints(small)
	return small, err == nil, err
}

// explain is QuickXplain: the members of a minimal conflict that are not in the
// background.
func (q *question) explain(ctx context.Context, background []int, changed bool, members []int, r *Result) ([]int, error) {
	if changed {
		_, yes, err := q.inconsistent(ctx, background, r)
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
	db, err := q.explain(ctx, append(append([]int(nil), background...), a...), len(a) > 0, b, r)
	if err != nil {
		return nil, err
	}
	da, err := q.explain(ctx, append(append([]int(nil), background...), db...), len(db) > 0, a, r)
	return append(da, db...), err
}
