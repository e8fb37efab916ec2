package pipeline

import (
	"context"
	"slices"
	"strings"
	"time"

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

// Strays returns runs on which a program differs from its reference, short ones first, and on
// how many both do the same. A run that does not have the form of those in hand says nothing.
// The error is a *UsageError where no runs can be made up.
func Strays(ctx context.Context, j *Job) (out []Stray, same int, err error) {
	if len(j.Reference) == 0 {
		return nil, 0, job.Usage("there is no reference")
	}
	set, err := cases.OfRuns(ctx, j, nil)
	if err != nil {
		return nil, 0, err
	}
	var found []*oracle.Case
	for _, s := range []*oracle.Suite{set.Given, set.Held} {
		for _, c := range s.Cases {
			differs, err := set.Hinting(c)
			if err != nil {
				return nil, 0, err
			}
			if differs {
				found = append(found, c)
			} else {
				same++
			}
		}
	}
	chosen := len(found) > 0
	if !chosen { // thousands more, natively
		one := &judge.Judge{Set: set, Until: time.Now().Add(j.Limit)}
		one.Challenge(ctx)
		defer one.Close()
		c, met, err := one.Fight(ctx, set.Prog)
		if err != nil {
			return nil, 0, err
		}
		if same += met; c != nil && !one.Unlike(c) {
			found = append(found, c)
		}
	}
	name := func(c *oracle.Case) string {
		in := cases.Input{Args: c.Args, Stdin: c.Stdin}
		return strings.TrimSpace(in.String())
	}
	slices.SortStableFunc(found, func(a, b *oracle.Case) int { return len(name(a)) - len(name(b)) })
	run, err := oracle.NewRunner(&oracle.Suite{Prog: set.Prog})
	if err != nil {
		return nil, 0, err
	}
	for _, c := range found[:min(len(found), mostStrays)] {
		r, err := run.Run(c, nil)
		if err != nil {
			return nil, 0, err
		}
		x := Stray{Test: oracle.Test{Name: name(c), Args: c.Args, Stdin: c.Stdin, Stdout: c.Want.Output, Exit: c.Want.Status}, Chosen: chosen}
		if r.Fault != nil && !r.Endless() && r.Unmodelled() == "" {
			x.Error = r.Differs(c.Want)
		}
		out = append(out, x)
	}
	return out, same, nil
}
