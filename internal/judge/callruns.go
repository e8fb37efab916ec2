package judge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file turns calls of a function with a reference into whole runs, by a main appended to its text. Searches that
// need whole runs can then use calls.

// otherCalls bounds the calls that are added to the tests and that only runs made from the tests may use.
const otherCalls = 60

// CallRuns is a list of calls that become runs.
type CallRuns struct {
	Failing int // how many calls fail, of all known

	j     *Judge
	calls []*oracle.Case // the first tests of them are tests
	tests int
}

// UnwrittenError says why calls cannot be written as C.
type UnwrittenError struct{ Why error }

func (e *UnwrittenError) Error() string { return e.Why.Error() }
func (e *UnwrittenError) Unwrap() error { return e.Why }

// CallRuns chooses at most most calls as tests, some that fail and some that pass, and up to otherCalls more that are
// used only for runs made from the tests.
func (t *Judge) CallRuns(most int) (*CallRuns, error) {
	c := &CallRuns{j: t}
	var bad, good []*oracle.Case
	for _, s := range []*oracle.Suite{t.Given, t.Held} {
		if s == nil {
			continue
		}
		run, err := oracle.NewRunner(s)
		if err != nil {
			return nil, err
		}
		for _, x := range s.Cases {
			r, err := run.Run(x, nil)
			if err != nil {
				return nil, err
			}
			switch {
			case r.Meets(x.Want):
				good = append(good, x)
			default:
				bad = append(bad, x)
			}
		}
	}
	c.Failing = len(bad)
	n := min(len(bad), max(most/2, most-len(good)))
	m := min(len(good), most-n)
	c.calls = append(append(c.calls, bad[:n]...), good[:m]...)
	c.tests = len(c.calls)
	rest := append(append([]*oracle.Case(nil), bad[n:]...), good[m:]...)
	for i := 0; i < len(rest) && len(c.calls) < c.tests+otherCalls; i += max(1, len(rest)/otherCalls) {
		c.calls = append(c.calls, rest[i])
	}
	return c, nil
}

// Learn makes a call one of the tests. It returns false if it already was one.
func (c *CallRuns) Learn(x *oracle.Case) bool {
	for i, y := range c.calls {
		if x == y {
			if i < c.tests {
				return false
			}
			c.calls = append(c.calls[:i], c.calls[i+1:]...)
			break
		}
	}
	c.calls = append([]*oracle.Case{x}, c.calls...)
	c.tests++
	return true
}

// Behind writes to dir the program of a job and its reference, each with a main appended that makes the calls, and the
// tests. It returns nil if no test can be made of any call.
func (c *CallRuns) Behind(ctx context.Context, j *job.Job, dir string) (*Behind, error) {
	mine, theirs := filepath.Join(dir, "program"), filepath.Join(dir, "reference")
	tests := filepath.Join(dir, "tests")
	if err := errors.Join(os.Mkdir(mine, 0o700), os.Mkdir(theirs, 0o700)); err != nil {
		return nil, err
	}
	own, err := ShownCalls(c.j.Prog, c.j.Entry, c.j.Given, c.calls)
	if err != nil {
		return nil, &UnwrittenError{Why: err}
	}
	b, err := PutBehind(j, c.j.Entry, own, mine)
	if err != nil {
		return nil, err
	}
	text, err := ShownCalls(c.j.Ref.Prog, c.j.Ref.Entry, c.j.Given, c.calls)
	if err != nil {
		return nil, &UnwrittenError{Why: err}
	}
	right := *b.Job
	right.Files, right.Lock = j.Reference, nil
	r, err := PutBehind(&right, c.j.Ref.Entry, text, theirs)
	if err != nil {
		return nil, err
	}
	one := b.Job
	one.Spec = job.Spec{Reference: r.Job.Files, Tests: tests}
	one.Options, one.Args, one.Stdin, one.Texts = r.Job.Options, nil, "", nil
	if text == own && len(j.Lock) == 0 && c.alone() { // then statements may be copied from the reference
		one.Entry, one.Lock = "", nil
	}
	p, err := lower.Load(ctx, r.Job.Files, r.Job.Options)
	if err != nil {
		return nil, err
	}
	var list []oracle.Test
	for i := range c.tests {
		x, _, ok, err := oracle.Expect(p, fmt.Sprintf("call%02d", i), []string{fmt.Sprint(i)}, "", -1)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	return b, cases.SaveTests(tests, list)
}

// alone reports whether every function that differs from the reference's is in the scope of the repair.
func (c *CallRuns) alone() bool {
	for _, f := range cases.Written(c.j.Prog) {
		g := c.j.Ref.Prog.Tree.Func(f.Name)
		if (g == nil || cases.Text(f) != cases.Text(g)) && !slices.Contains(c.j.Scope, f) {
			return false
		}
	}
	return true
}
