package pipeline

import (
	"context"
	"slices"
	"strings"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/report"
)

// This file compares a program that meets the runs in hand with its reference on runs made from them. It does not look
// for a repair.

// Stray is a generated run on which a program and its reference differ.
type Stray struct {
	oracle.Test        // its output and exit status are the reference's
	Chosen      bool   // Fix generates the same run from the same job
	Error       string // an error that the program ends in, such as one of memory; "": only its behaviour differs
}

// Crash draws the memory of a whole run at the point of failure; nil if it does not fail or the heap is empty.
func Crash(ctx context.Context, prog *lower.Program, title string, t *oracle.Test) (*report.Picture, error) {
	return judge.Crash(ctx, prog, title, t.Args, t.Stdin)
}

// mostStrays bounds the runs that Strays returns.
const mostStrays = 5

// Beside is the comparison of a program with its reference.
type Beside struct {
	Strays  []Stray      // runs on which they differ, the shortest first
	Same    int          // number of runs on which they agree
	Refused *oracle.Test // a run on which they differ because the program rejects a number that no run in hand has; nil: none
}

// Strays compares a program with its reference. Runs that do not have the form of those in hand are ignored. The error
// is a *UsageError if no runs can be generated.
func Strays(ctx context.Context, j *Job) (*Beside, error) {
	if len(j.Reference) == 0 {
		return nil, job.Usage("there is no reference")
	}
	ctx = budget.Begin(ctx, j.Guarded())
	set, err := cases.OfRuns(ctx, j, nil)
	if err != nil {
		return nil, err
	}
	out := &Beside{}
	var found []*oracle.Case
	for _, s := range []*oracle.Suite{set.Given, set.Held} {
		for _, c := range s.Cases {
			differs, err := set.Hinting(c)
			if err != nil {
				return nil, err
			}
			if differs {
				found = append(found, c)
			} else {
				out.Same++
			}
		}
	}
	chosen := len(found) > 0
	if !chosen { // thousands more, run natively
		one := &judge.Judge{Set: set, Until: budget.After(ctx, j.Limit)}
		one.Challenge(ctx)
		defer one.Close()
		c, met, err := one.Fight(ctx, set.Prog)
		if err != nil {
			return nil, err
		}
		if out.Same += met; c != nil && !one.Unlike(c) {
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, shorter)
	run, err := oracle.NewRunner(&oracle.Suite{Prog: set.Prog})
	if err != nil {
		return nil, err
	}
	for _, c := range found[:min(len(found), mostStrays)] {
		r, err := run.Run(c, nil)
		if err != nil {
			return nil, err
		}
		x := Stray{Test: asTest(c), Chosen: chosen}
		if r.Fault != nil && !r.Endless() && r.Unmodelled() == "" {
			x.Error = r.Differs(c.Want)
		}
		out.Strays = append(out.Strays, x)
	}
	if len(set.Refused) > 0 {
		x := asTest(slices.MinFunc(set.Refused, shorter))
		out.Refused = &x
	}
	return out, nil
}

// shorter orders cases by the length of their inputs as they are shown.
func shorter(a, b *oracle.Case) int { return len(asTest(a).Name) - len(asTest(b).Name) }

// asTest turns a case into a test that expects what the reference does.
func asTest(c *oracle.Case) oracle.Test {
	in := cases.Input{Args: c.Args, Stdin: c.Stdin}
	return oracle.Test{Name: strings.TrimSpace(in.String()), Args: c.Args, Stdin: c.Stdin, Stdout: c.Want.Output, Exit: c.Want.Status}
}
