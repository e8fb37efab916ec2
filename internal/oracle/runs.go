package oracle

import (
	"strings"

	"gulo/internal/lower"
	"gulo/internal/source"
)

// This file makes suites of whole runs: arguments and standard input, with the expected output.

// Test is one whole run with what is expected of it.
type Test struct {
	Name   string
	Args   []string
	Stdin  string
	Stdout string
	Exit   int
	Judged bool // white space at the ends of lines and of Stdout does not count (source.Judged)
	Any    bool // any end without an error is accepted, and any output that starts with Stdout

	// If known:
	Misread []string // formats of scanf that Stdin did not match
	Unread  bool     // a part of Stdin was not read that is not white space
}

// Compared returns an output as it is compared with Stdout.
func (t *Test) Compared(output string) string {
	if t.Judged {
		return source.Judged(output)
	}
	return output
}

// Judge makes the output of a whole run be compared as judges do, or exactly.
func (c *Case) Judge(judged bool) *Case {
	if c.Judged = judged; judged {
		c.Want.Output, c.Want.Begins = source.Judged(c.Want.Output), source.Judged(c.Want.Begins)
	}
	return c
}

// Runs makes a suite of tests. steps bounds the steps of a run; 0 means the usual limit.
func Runs(p *lower.Program, tests []Test, steps int64) *Suite {
	guessed := steps == 0
	if guessed {
		steps = maxSteps / 20
	}
	s := &Suite{Prog: p}
	for _, t := range tests {
		want := &Run{Output: t.Stdout, Status: t.Exit, Steps: steps, Guessed: guessed}
		if t.Any {
			want = &Run{Any: true, Begins: t.Stdout, Steps: steps, Guessed: guessed}
		}
		s.Cases = append(s.Cases, (&Case{Name: t.Name, Args: t.Args, Stdin: t.Stdin, Want: want}).Judge(t.Judged))
	}
	return s
}

// Unread reports whether a whole run left a part of its standard input unread that is not white space.
func (r *Run) Unread(stdin string) bool {
	return strings.TrimSpace(stdin[max(len(stdin)-r.Rest, 0):]) != ""
}

// Expect runs a program and returns what it does as a test. ok is false if it ends in an error or exits with status
// skip.
func Expect(p *lower.Program, name string, args []string, stdin string, skip int) (t Test, steps int64, ok bool, err error) {
	s := &Suite{Prog: p}
	r, err := NewRunner(s)
	if err != nil {
		return t, 0, false, err
	}
	run, err := r.Run(&Case{Name: name, Args: args, Stdin: stdin}, nil)
	if err != nil {
		return t, 0, false, err
	}
	t = Test{Name: name, Args: args, Stdin: stdin, Stdout: run.Output, Exit: run.Status, Misread: run.Misread, Unread: run.Unread(stdin)}
	return t, run.Steps, run.Fault == nil && run.Status != skip, nil
}
