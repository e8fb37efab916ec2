package cases

import (
	"context"
	"slices"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file uses the calls that a program makes of one of its functions in whole runs, for a job in which a condition
// says what is right and there is no reference.

// ownRuns bounds the runs whose calls are used. ownTime is the time for making them up; taking the calls may take twice
// that.
const (
	ownRuns = 120
	ownTime = time.Second // nominally
)

// RunsLike returns inputs for whole runs: the given one first, then some made from it, on which the program may also
// fail. It returns none if there is no main.
func RunsLike(ctx context.Context, p *lower.Program, j *job.Job) ([]Input, error) {
	if p.IR.Main < 0 {
		return nil, nil
	}
	seed := Input{Args: j.Args, Stdin: j.Stdin}
	ex, err := Explore(ctx, p, []Input{seed}, Config{Seed: j.Seed, Want: ownRuns, Steps: budget.Of(ownTime)})
	if err != nil {
		return nil, err
	}
	made := []Input{seed}
	for _, r := range ex.Runs {
		made = append(made, r.Input)
	}
	speaks := LanguageOf(p.Tree)
	made = append(made, Kindred(j.Seed+1, []Input{seed}, speaks.Words, ownRuns)...)
	own := append(Commands([]Input{seed}, speaks, speaks), Shapes([]Input{seed}, speaks, speaks)...)
	made = append(made, WithCommands(j.Seed+2, []Input{seed}, own, nil, ownRuns/2)...)
	seen := map[string]bool{}
	return slices.DeleteFunc(made, func(in Input) bool {
		k := in.key()
		was := seen[k]
		seen[k] = true
		return was
	}), nil
}

// CallsOfRuns returns the states in which a program calls f in whole runs, run by run. A state that occurred before is
// left out, and so is a run without new states.
func CallsOfRuns(ctx context.Context, p *lower.Program, f *cfront.Func, inputs []Input) ([][]*oracle.State, error) {
	var out [][]*oracle.State
	known := map[string]bool{}
	left := budget.For(2 * ownTime)
	for i, in := range inputs {
		if i > 0 && left.Over() {
			break
		}
		of := "the run"
		if text := in.String(); i > 0 || text != "" {
			of = "the run with " + text
		}
		states, err := oracle.Met(ctx, p, f, oracle.Start{Args: in.Args, Stdin: in.Stdin, Spend: left.Spend}, of, metCalls)
		if err != nil {
			return nil, err
		}
		var fresh []*oracle.State
		for _, s := range states {
			if id := s.Identity(); !known[id] {
				known[id] = true
				fresh = append(fresh, s)
			}
		}
		if len(fresh) > 0 {
			out = append(out, fresh)
		}
	}
	return out, nil
}
