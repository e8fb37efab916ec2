package cases

import (
	"fmt"

	"gulo/internal/oracle"
)

// This file holds runs back that other programs were asked about: where nobody gave a reference,
// what most of those do that meet the tests says what is right on runs made from them.

// mostBeyond bounds the runs without the tests' form that a repair is held against.
const mostBeyond = 40

// agreed takes those runs. A program that meets the tests stays right, whatever others do; where
// it differs from them a note says so. Where it fails a test, runs on which it fails and that do not
// have the tests' form are kept apart: it may have been asked for something else there.
func (t *Set) agreed() error {
	if t.Job.Agreed == "" {
		return nil
	}
	tests, err := LoadTests(t.Job.Agreed)
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
	beyond := held
	form := FormOf(seeds)
	for _, c := range all.Cases {
		r, err := run.Run(c, nil)
		if err != nil {
			return err
		}
		differs := r.Unmodelled() == "" && !r.Meets(c.Want)
		switch {
		case meets && differs:
			t.Notes = append(t.Notes, fmt.Sprintf("it meets the tests, and differs from most of %d other programs that do on %s: %s; no test says which is right", t.Job.Others, c.Name, r.Differs(c.Want)))
			return nil
		case r.Unmodelled() != "":
		case differs && !form.Has(&Input{Args: c.Args, Stdin: c.Stdin}):
			if len(beyond.Cases) < mostBeyond {
				beyond.Cases = append(beyond.Cases, c)
			}
		default:
			held.Cases = append(held.Cases, c)
		}
	}
	if meets {
		return nil
	}
	if len(held.Cases) > 0 {
		t.Held, t.Others = &held, true
	}
	if len(beyond.Cases) > 0 {
		t.Beyond = &beyond
	}
	return nil
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
