package judge

import (
	"regexp"

	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/report"
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

// Avoids returns the function in which a memory error occurs and of which less is executed with a repair that changes
// nothing but constants of main than without it before the error; empty: it is none, or does more. That what main asks for
// is not asked any more mends nothing.
func (t *Judge) Avoids(repaired *lower.Program, e report.Changed) (string, error) {
	if !t.Job.Memory || repaired == nil || t.Given == nil || t.Entry != nil || !onlyConstants(e) || !t.inMain(e) {
		return "", nil
	}
	failing, errs, err := t.failingRuns(mostFailed)
	if err != nil {
		return "", err
	}
	run, err := oracle.NewRunner(&oracle.Suite{Prog: repaired})
	if err != nil {
		return "", err
	}
	for i, c := range failing {
		_, done, err := run.Count(&oracle.Case{Args: c.Args, Stdin: c.Stdin})
		if err != nil {
			return "", err
		}
		if in := errs[i].in; in != "main" && executed(repaired, in, done) < executed(t.Prog, in, errs[i].done) {
			return in, nil
		}
	}
	return "", nil
}

var constant = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b[0-9][0-9A-Za-z.]*\b`)

// onlyConstants reports whether an edit leaves everything but constants as it is.
func onlyConstants(e report.Changed) bool {
	same := func(s string) string { return constant.ReplaceAllString(s, "0") }
	return e.Before != "" && e.Before != e.After && same(e.Before) == same(e.After)
}

// inMain reports whether an edit is in main.
func (t *Judge) inMain(e report.Changed) bool {
	main := t.Prog.Tree.Func("main")
	if main == nil || main.Body == nil {
		return false
	}
	r := main.Body.Range()
	first, last := r.Position().Line, r.File.Position(r.End).Line
	return e.File == r.File.Name && e.Line >= first && e.Line <= last
}
