package judge

import (
	"regexp"
	"slices"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/report"
)

// This file distinguishes repairs that fix a memory error from those that only keep the failing runs away from it, by a
// condition that no longer holds or a call that is skipped. If all that is asked for is the absence of errors, such a
// repair meets everything.

// mostHidden bounds the given runs that are looked at.
const mostHidden = 8

// Hides returns the function in which a memory error occurs, if the repaired program calls it in none of the failing
// runs. It is empty if there is none, if the function is main, or if the job is not about memory.
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

// Avoids finds what a repair of main makes the program do less of, in a run that fails in another function. It returns
// that function if only constants of main are changed and less of it is executed, or a call that main makes less often,
// not counting the call that failed. It is empty if there is nothing: asking for less fixes no error.
func (t *Judge) Avoids(repaired *lower.Program, e report.Changed) (string, error) {
	if !t.Job.Memory || repaired == nil || t.Given == nil || t.Entry != nil || !t.inMain(e) {
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
		if errs[i].in == "main" {
			continue
		}
		_, done, err := run.Count(&oracle.Case{Args: c.Args, Stdin: c.Stdin})
		if err != nil {
			return "", err
		}
		if in := errs[i].in; onlyConstants(e) && in != "" && executed(repaired, in, done) < executed(t.Prog, in, errs[i].done) {
			return in, nil
		}
		failed := int32(1)
		if errs[i].kind == cases.Lost {
			failed = 0
		}
		now, stands := callsOf(repaired, done)
		was, _ := callsOf(t.Prog, errs[i].done)
		for call, n := range was {
			if stands[call] && now[call] < n-failed {
				return call, nil
			}
		}
	}
	return "", nil
}

// callsOf counts how often main executed each of its statements that call functions of the program, by text. stands has
// all such statements, executed or not.
func callsOf(p *lower.Program, done map[int32]int32) (n map[string]int32, stands map[string]bool) {
	n, stands = map[string]int32{}, map[string]bool{}
	for id, s := range p.Stmts {
		if s == nil || s.Func == nil || s.Func.Name != "main" || !s.Range.Valid() {
			continue
		}
		x, ok := s.Node.(*cfront.ExprStmt)
		if !ok {
			continue
		}
		own := false
		cfront.Walk(x.X, func(e cfront.Expr) bool {
			if r, ok := e.(*cfront.FuncRef); ok {
				own = own || r.Func.Body != nil
			}
			return true
		})
		if own {
			text := s.Range.Text()
			stands[text], n[text] = true, n[text]+done[int32(id)]
		}
	}
	return n, stands
}

// Elsewhere returns the function in which a memory error occurs, if it is not main but all edits are in main. Such a
// repair only changes how the faulty function is used. Otherwise it is empty.
func (t *Judge) Elsewhere(edits []report.Changed) (string, error) {
	if !t.Job.Memory || t.Given == nil || t.Entry != nil || slices.ContainsFunc(edits, func(e report.Changed) bool { return !t.inMain(e) }) {
		return "", nil
	}
	_, errs, err := t.failingRuns(1)
	if len(errs) == 0 || errs[0].in == "main" || err != nil {
		return "", err
	}
	return errs[0].in, nil
}

// constant matches a literal: a string, a character or a number.
var constant = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b[0-9][0-9A-Za-z.]*\b`)

// onlyConstants reports whether an edit changes nothing but constants.
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
