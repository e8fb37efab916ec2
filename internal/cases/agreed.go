package cases

import (
	"cmp"
	"fmt"
	"slices"

	"gulo/internal/oracle"
	"gulo/internal/plural"
)

// This file uses runs that other programs were asked about. If there is no reference, what most other programs that
// pass the tests do says what is right on runs made from the tests.

// mostHints bounds the runs on which a program differs that a repair is checked on.
const mostHints = 150

// agreed loads those runs. A program that passes the tests stays right, whatever the others do: a note names a run on
// which it differs from them. If it fails a test, the runs on which it agrees are held back, and the runs on which it
// differs become hints. A hint may show another mistake or, if the run lacks the form of the tests, something that
// nobody asked for.
func (t *Set) agreed() error {
	if t.Job.Agreed == "" {
		return nil
	}
	tests, err := t.load(t.Job.Agreed)
	if err != nil {
		return err
	}
	var seeds []Input
	for _, c := range t.Given.Cases {
		seeds = append(seeds, Input{Args: c.Args, Stdin: c.Stdin})
	}
	for i := range tests {
		in := Input{Args: tests[i].Args, Stdin: tests[i].Stdin}
		tests[i].Name = in.String()
	}
	meets, err := meets(t.Given)
	if err != nil {
		return err
	}
	all := oracle.Runs(t.Prog, tests, 0)
	run, err := oracle.NewRunner(all)
	if err != nil {
		return err
	}
	held := *all
	held.Cases, held.Edited = nil, t.Scope
	hints := held
	does, others := map[*oracle.Case]Instead{}, "most of "+plural.N(t.Job.Others, "other program")+" that do"
	if t.Job.Others == 1 {
		others = "another program that does"
	}
	form := FormOf(seeds)
	did, err := t.patiently(run, func(int) bool { return false })
	if err != nil {
		return err
	}
	for i, c := range all.Cases {
		r := did[i]
		if r == nil {
			continue
		}
		differs := r.Unmodelled() == "" && !r.Meets(c.Want)
		switch {
		case meets && differs:
			t.Notes = append(t.Notes, fmt.Sprintf("it meets the tests, and differs from %s on %s: %s; no test says which is right", others, c.Name, r.Differs(c.Want)))
			return nil
		case r.Unmodelled() != "":
		case differs && len(hints.Cases) == mostHints:
		case differs:
			hints.Cases = append(hints.Cases, c)
			does[c] = Instead{Output: r.Output, Ends: r.Fault == nil, Unlike: !form.Has(&Input{Args: c.Args, Stdin: c.Stdin})}
		default:
			held.Cases = append(held.Cases, c)
		}
	}
	if meets {
		return nil
	}
	if t.Others = len(held.Cases)+len(hints.Cases) > 0; len(held.Cases) > 0 {
		t.Held = &held
	}
	if len(hints.Cases) > 0 {
		slices.SortStableFunc(hints.Cases, func(a, b *oracle.Case) int { // those like the tests first
			return cmp.Compare(order(does[a].Unlike), order(does[b].Unlike))
		})
		t.Hints = &Hints{Suite: &hints, Does: does}
	}
	return nil
}

// order returns a sort key that puts the values marked last behind the others.
func order(last bool) int {
	if last {
		return 1
	}
	return 0
}

// meets reports whether a suite's program meets all its cases.
func meets(s *oracle.Suite) (bool, error) {
	run, err := oracle.NewRunner(s)
	if err != nil {
		return false, err
	}
	for _, c := range s.Cases {
		if r, err := run.Run(c, nil); err != nil || !r.Meets(c.Want) {
			return false, err
		}
	}
	return true, nil
}
