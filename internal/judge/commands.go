package judge

import (
	"context"
	"slices"
	"strings"

	"gulo/internal/cases"
	"gulo/internal/native"
)

// This file makes runs with commands that no run in hand has, beside a reference written apart.

const (
	commandTrials = 12  // runs that tell whether a line is a command
	commandRuns   = 500 // with those that are
	trialShare    = 3   // of the trials one in so many must look alike: the program is wrong somewhere
)

// commands makes runs with commands that the program and its reference know and no run in hand has. A
// line is one where both print as many lines of as many words: what is no command one of them
// reports, and the other passes over.
func (t *Judge) commands(ctx context.Context, own, ref *native.Program, plain []cases.Input) []cases.Input {
	var known []cases.Command
	list := cases.Commands(t.InHand(), cases.LanguageOf(t.Prog.Tree), cases.LanguageOf(t.Ref.Prog.Tree))
	var trials []cases.Input
	var ends []int
	for i := range list {
		trials = append(trials, cases.WithCommands(t.Job.Seed+int64(i), t.InHand(), list[i:i+1], commandTrials)...)
		ends = append(ends, len(trials))
	}
	if len(trials) == 0 {
		return nil
	}
	a, errA := printed(ctx, own, trials)
	b, errB := printed(ctx, ref, trials)
	if errA != nil || errB != nil || len(a) != len(trials) || len(b) != len(trials) {
		return nil
	}
	at := 0
	for i, end := range ends {
		alike := 0
		for k := at; k < end; k++ {
			if a[k].Ended() && b[k].Ended() && slices.Equal(wordsOf(a[k].Stdout), wordsOf(b[k].Stdout)) {
				alike++
			}
		}
		if n := end - at; n > 0 && trialShare*alike >= n {
			known = append(known, list[i])
		}
		at = end
	}
	return cases.WithCommands(t.Job.Seed+17, slices.Concat(t.InHand(), plain), known, commandRuns)
}

// printed is what a program does on inputs.
func printed(ctx context.Context, p *native.Program, inputs []cases.Input) ([]native.Outcome, error) {
	ses := &native.Session{}
	ses.Limit(duelTime, duelSteps)
	tests := make([]native.Test, len(inputs))
	for i := range inputs {
		tests[i] = native.Test{Args: inputs[i].Args, Stdin: inputs[i].Stdin}
	}
	ses.PrintAll(tests)
	a, err := p.Run(ctx, ses, duelLimit)
	if err != nil {
		return nil, err
	}
	return a.Printed, nil
}

// wordsOf counts the words of each line.
func wordsOf(text string) (out []int) {
	for _, l := range strings.Split(text, "\n") {
		out = append(out, len(strings.Fields(l)))
	}
	return out
}
