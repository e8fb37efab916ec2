package cases

import (
	"context"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file takes the calls that a program makes of one of its functions in whole runs, where a
// condition says what is right of them and no reference does.

// ownRuns bounds the runs whose calls are taken, ownTime the time for making them up and, twice
// as much, for taking the calls.
const (
	ownRuns = 120
	ownTime = time.Second
)

// CallsOfRuns returns the different states in which a program calls f, run by run: in the run in
// hand first, then in runs made from it, on which the program may fail as well. A state that was
// met in an earlier run is left out.
func CallsOfRuns(ctx context.Context, p *lower.Program, f *cfront.Func, j *job.Job) ([][]*oracle.State, error) {
	if p.IR.Main < 0 {
		return nil, nil
	}
	seed := Input{Args: j.Args, Stdin: j.Stdin}
	ex, err := Explore(ctx, p, []Input{seed}, Config{Seed: j.Seed, Want: ownRuns, Limit: ownTime})
	if err != nil {
		return nil, err
	}
	inputs := []Input{seed}
	for _, r := range ex.Runs {
		inputs = append(inputs, r.Input)
	}
	inputs = append(inputs, Kindred(j.Seed+1, []Input{seed}, LanguageOf(p.Tree).Words, ownRuns)...)
	var out [][]*oracle.State
	seen, known := map[string]bool{}, map[string]bool{}
	until := time.Now().Add(2 * ownTime)
	for i, in := range inputs {
		if i > 0 && time.Now().After(until) {
			break
		}
		if k := in.key(); seen[k] {
			continue
		} else {
			seen[k] = true
		}
		of := "the run"
		if text := in.String(); i > 0 || text != "" {
			of = "the run with " + text
		}
		states, err := oracle.Met(ctx, p, f, oracle.Start{Args: in.Args, Stdin: in.Stdin}, of, metCalls)
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
