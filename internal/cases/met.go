package cases

import (
	"context"
	"slices"
	"time"

	"gulo/internal/budget"
	"gulo/internal/oracle"
)

// This file uses the calls in runs as cases, whatever the shape of their states: arenas, heaps in arrays, nodes that
// hold texts, structs passed by value. If no inputs can be made for a function, these are the only ones.

// Bounds of the calls that are taken.
const (
	metMost  = givenInputs + heldInputs
	metCalls = 10          // calls of one run
	metTime  = time.Second // nominally
)

// met returns the states in which the reference calls the entry, in the given run and in runs made from it. Every
// second call of the made runs is held back.
func (t *Set) met(ctx context.Context) (given, held []*oracle.State, err error) {
	if t.Ref.Prog.IR.Main < 0 {
		return nil, nil, nil
	}
	seed := Input{Args: t.Job.Args, Stdin: t.Job.Stdin}
	ex, err := Explore(ctx, t.Ref.Prog, []Input{seed}, Config{Seed: t.Job.Seed, Want: madeRuns, Steps: budget.Of(metTime)})
	if err != nil {
		return nil, nil, err
	}
	t.asMet = true
	t.Notes = append(t.Notes, t.Entry.Name+AsMetNote)
	if t.onlyScope() {
		t.Runs = t.SuiteOf(ex.Runs)
	}
	known := map[string]bool{}
	n := 0
	left := budget.For(2 * metTime)
	for i, r := range ex.Runs {
		if i > 0 && (n >= metMost || left.Over()) {
			break
		}
		of := "the run"
		if r.Input.String() != seed.String() {
			of = "the run with " + r.Input.String()
		}
		states, err := t.callsIn(ctx, r.Input, of, left.Spend)
		if err != nil {
			return nil, nil, err
		}
		states = slices.DeleteFunc(states, func(s *oracle.State) bool {
			id := s.Identity()
			was := known[id]
			known[id] = true
			return was
		})
		for _, s := range states {
			if i > 0 && n%2 == 1 {
				held = append(held, s)
			} else {
				given = append(given, s)
			}
			n++
		}
	}
	if len(given) > givenInputs {
		given, held = given[:givenInputs], append(held, given[givenInputs:]...)
	}
	return given, held, nil
}

// ofTheRun adds the calls of the given run, since an error there may not show in made calls.
func (t *Set) ofTheRun(ctx context.Context, given []*oracle.State) ([]*oracle.State, error) {
	if t.Ref.Prog.IR.Main < 0 || len(t.Job.Args) == 0 && t.Job.Stdin == "" {
		return given, nil
	}
	calls, err := t.callsIn(ctx, Input{Args: t.Job.Args, Stdin: t.Job.Stdin}, "the run", nil)
	if err != nil {
		return nil, err
	}
	for _, s := range calls {
		if !slices.ContainsFunc(given, func(g *oracle.State) bool { return g.Identity() == s.Identity() }) {
			given = append(given, s)
		}
	}
	return given, nil
}

// callsIn returns the states in which the reference calls the entry in one run.
func (t *Set) callsIn(ctx context.Context, in Input, of string, spend func(int64)) ([]*oracle.State, error) {
	return oracle.Met(ctx, t.Ref.Prog, t.Ref.Entry, oracle.Start{Args: in.Args, Stdin: in.Stdin, Spend: spend}, of, metCalls)
}

// onlyScope reports whether every function that differs from the reference's may change.
func (t *Set) onlyScope() bool {
	for _, f := range Written(t.Prog) {
		g := t.Ref.Prog.Tree.Func(f.Name)
		if !slices.Contains(t.Scope, f) && (g == nil || Text(f) != Text(g)) {
			return false
		}
	}
	return true
}

// CallsOf returns the calls of the entry that the reference makes in a whole run, as cases.
func (t *Set) CallsOf(ctx context.Context, run *oracle.Case) ([]*oracle.Case, error) {
	in := Input{Args: run.Args, Stdin: run.Stdin}
	states, err := t.callsIn(ctx, in, "the run with "+in.String(), nil)
	if err != nil {
		return nil, err
	}
	s, _, err := t.Ref.Suite(t.Prog, states)
	if err != nil {
		return nil, err
	}
	return s.Cases, nil
}

// AsMetNote ends the note that says where states come from. It follows the function's name.
const AsMetNote = " is called in the states that runs came to, not in made ones"
