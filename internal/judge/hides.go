package judge

import (
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file tells repairs of memory errors that mend the error from those that keep the failing runs away from it:
// a condition that no longer holds, a call that is skipped. Where nothing but the absence of errors is asked for,
// such a repair meets everything.

// mostHidden bounds the failing runs that are looked at.
const mostHidden = 8

// Hides returns the function in which a memory error occurs and which a repaired program calls in none of the
// failing runs; empty: there is none, or something else is asked for. main is always called.
func (t *Judge) Hides(repaired *lower.Program) (string, error) {
	if !t.Job.Memory || repaired == nil || t.Given == nil || t.Entry != nil {
		return "", nil
	}
	run, err := oracle.NewRunner(t.Given)
	if err != nil {
		return "", err
	}
	s := *t.Given
	s.Prog, s.Edited = repaired, nil
	then, err := oracle.NewRunner(&s)
	if err != nil {
		return "", err
	}
	failing, called := "", map[string]bool{}
	for n, c := range t.Given.Cases {
		if n == mostHidden {
			break
		}
		r, err := run.Run(c, nil)
		if err != nil {
			return "", err
		}
		if r.Fault == nil || r.Fault.Func == "main" || t.Prog.Tree.Func(r.Fault.Func) == nil {
			continue
		}
		if failing == "" {
			failing = r.Fault.Func
		}
		if _, err := then.Cover(c, nil); err != nil {
			return "", err
		}
		for id := range then.Covered {
			if st := repaired.Stmts[id]; st != nil {
				called[st.Func.Name] = true
			}
		}
	}
	if called[failing] {
		return "", nil
	}
	return failing, nil
}
