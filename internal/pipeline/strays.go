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

// This file holds a program that meets the runs in hand against its reference on runs made from
// them. No repair is looked for.

// Stray is a run, made from those in hand, on which a program does not do what its reference does.
type Stray struct {
	oracle.Test        // with what the reference does
	Chosen      bool   // Fix makes the same run of the same job
	Error       string // an error of memory, say, that the program comes to; empty: it only does something else
}

// Crash draws the memory of a whole run where it fails; nil where it does not, or nothing is on the heap.
func Crash(ctx context.Context, prog *lower.Program, title string, t *oracle.Test) (*report.Picture, error) {
	return judge.Crash(ctx, prog, title, t.Args, t.Stdin)
}

// mostStrays bounds the runs that Strays returns.
const mostStrays = 5

// Beside is a program beside its reference.
type Beside struct {
	Strays  []Stray      // runs on which they differ, short ones first
	Same    int          // runs on which they do the same
	Refused *oracle.Test // one on which they differ because the program refuses a number that no run in hand has; nil: none
}

// Strays holds a program against its reference. A run that does not have the form of those in hand says nothing.
// The error is a *UsageError where no runs can be made up.
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
	if !chosen { // thousands more, natively
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

// shorter orders cases by what is to be read of them.
func shorter(a, b *oracle.Case) int { return len(asTest(a).Name) - len(asTest(b).Name) }

// asTest is a case as a test with what the reference does.
func asTest(c *oracle.Case) oracle.Test {
	in := cases.Input{Args: c.Args, Stdin: c.Stdin}
	return oracle.Test{Name: strings.TrimSpace(in.String()), Args: c.Args, Stdin: c.Stdin, Stdout: c.Want.Output, Exit: c.Want.Status}
}
