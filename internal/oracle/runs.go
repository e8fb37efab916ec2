package oracle

import (
	"strings"

	"gulo/internal/lower"
	"gulo/internal/source"
)

// This file is suites of whole runs: arguments and standard input, and what must
// be printed.

// Test is one whole run with what is expected of it.
type Test struct {
	Name   string
	Args   []string
	Stdin  string
	Stdout string
	Exit   int
	Judged bool // white space at the ends of lines and of Stdout does not count (source.Judged)
	Any    bool // any end without an error will do, whatever is printed behind Stdout

	// Where that was looked at:
	Misread []string // formats of scanf that Stdin did not meet
	Unread  bool     // something of Stdin but white space was left
}

// Judge makes a whole run one that is compared as judges do, or as it is written.
func (c *Case) Judge(judged bool) *Case {
	if c.Judged = judged; judged {
		c.Want.Output, c.Want.Begins = source.Judged(c.Want.Output), source.Judged(c.Want.Begins)
	}
	return c
}

// Runs makes a suite of tests. steps bounds what a run may execute; 0 means the
// usual.
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

// Unread reports whether a whole run left something of its standard input but white space.
func (r *Run) Unread(stdin string) bool {
	return strings.TrimSpace(stdin[max(len(stdin)-r.Rest, 0):]) != ""
}

// Expect runs a program and returns what it does as a test; ok is false when it
// ends in an error state or exits with the status given in skip.
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
