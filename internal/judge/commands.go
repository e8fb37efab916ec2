package judge

import (
	"context"
	"slices"
	"strings"

	"gulo/internal/cases"
	"gulo/internal/native"
)

// This file makes runs with commands that occur in no given run, for a program whose reference was written
// independently.

const (
	commandTrials = 12  // runs made to see whether a line is a command
	commandRuns   = 500 // runs made with known commands
	saidRuns      = 60  // runs whose reference output gives words for arguments
	mostSaid      = 60
	idleShare     = 2 // a word is idle if one output in so many is also printed with a line that is no command
	trialShare    = 3 // one trial in so many must look alike; not all, as the program is wrong somewhere
)

// commands makes runs with commands that the program and its reference know and that occur in no given run.
//
// A line is taken for a command if both programs print equally many lines of equally many words: if it were not one,
// typically one program would report it and the other ignore it. A line of a new shape must meet two more conditions.
// It must change the output without cutting it short or changing the exit status, as both programs may stop reading at
// a line that is no command. And the programs must not do the same as on a line that neither knows.
func (t *Judge) commands(ctx context.Context, own, ref *native.Program, plain []cases.Input) []cases.Input {
	said, hand := t.said(ctx, ref, plain)
	speaks, refSpeaks := cases.LanguageOf(t.Prog.Tree), cases.LanguageOf(t.Ref.Prog.Tree)
	list := slices.Concat(cases.Commands(t.InHand(), speaks, refSpeaks), cases.Shapes(t.InHand(), speaks, refSpeaks))
	inputs, ends := t.trials(list, said)
	a, b := printed(ctx, own, inputs), printed(ctx, ref, inputs)
	if a == nil || b == nil {
		return nil
	}
	var known, shapes, idle []cases.Command
	var did [][2][]string // for each of shapes, what both programs print
	at := 0
	for i, c := range list {
		var alike [2][]string
		told := false
		for k := at; k < ends[i]; k++ {
			if a[k].Ended() && b[k].Ended() && slices.Equal(wordsOf(a[k].Stdout), wordsOf(b[k].Stdout)) && (!c.Shape() || hand.goesOn(&b[k])) {
				alike[0], alike[1] = append(alike[0], a[k].Stdout), append(alike[1], b[k].Stdout)
				told = told || !hand.outputs[b[k].Stdout]
			}
		}
		switch n, all := len(alike[0]), ends[i]-at; {
		case n == 0 || trialShare*n < all:
		case !c.Shape():
			known = append(known, c)
		case told:
			did, shapes, idle = append(did, alike), append(shapes, c), append(idle, cases.Idle(c, speaks, refSpeaks))
		}
		at = ends[i]
	}
	inputs, ends = t.trials(idle, said)
	a, b = printed(ctx, own, inputs), printed(ctx, ref, inputs)
	at = 0
	for i := range shapes {
		if a == nil || b == nil {
			break
		}
		if part := func(list []native.Outcome) []native.Outcome { return list[at:ends[i]] }; !among(did[i][0], part(a)) || !among(did[i][1], part(b)) {
			known = append(known, shapes[i])
		}
		at = ends[i]
	}
	return cases.WithCommands(t.Job.Seed+17, slices.Concat(t.InHand(), plain), known, said, commandRuns)
}

// among reports whether at least one in idleShare of some outputs is also the output of one of some runs.
func among(outputs []string, runs []native.Outcome) bool {
	of := map[string]bool{}
	for i := range runs {
		of[runs[i].Stdout] = true
	}
	n := 0
	for _, out := range outputs {
		if of[out] {
			n++
		}
	}
	return idleShare*n >= len(outputs)
}

// trials makes runs with each of some commands. The runs of command i end before inputs[ends[i]].
func (t *Judge) trials(list []cases.Command, said []string) (inputs []cases.Input, ends []int) {
	for i := range list {
		inputs = append(inputs, cases.WithCommands(t.Job.Seed, t.InHand(), list[i:i+1], said, commandTrials)...)
		ends = append(ends, len(inputs))
	}
	return inputs, ends
}

// plainOutputs describes what the reference prints in the given runs.
type plainOutputs struct {
	outputs map[string]bool
	least   int // words in the shortest output
	status  int // exit status of the first run
}

// goesOn reports whether a run prints at least as many words as the shortest given run, with the same exit status.
func (h *plainOutputs) goesOn(o *native.Outcome) bool {
	return len(strings.Fields(o.Stdout)) >= h.least && o.Status == h.status
}

// said lists words that the reference prints in the given runs and in some runs like them, and describes its outputs in
// the given runs.
func (t *Judge) said(ctx context.Context, ref *native.Program, plain []cases.Input) (words []string, hand plainOutputs) {
	hand.outputs = map[string]bool{}
	for i, r := range printed(ctx, ref, slices.Concat(t.InHand(), plain[:min(len(plain), saidRuns)])) {
		if i < len(t.InHand()) {
			n := len(strings.Fields(r.Stdout))
			if i == 0 {
				hand.least, hand.status = n, r.Status
			}
			hand.least = min(hand.least, n)
			hand.outputs[r.Stdout] = true
		}
		for _, w := range strings.Fields(r.Stdout) {
			if len(words) < mostSaid && len(w) < 20 && !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	return words, hand
}

// printed returns what a program does on inputs. It is nil if there are none or they could not all be run.
func printed(ctx context.Context, p *native.Program, inputs []cases.Input) []native.Outcome {
	if len(inputs) == 0 {
		return nil
	}
	ses := &native.Session{}
	ses.Limit(duelTime, duelSteps)
	tests := make([]native.Test, len(inputs))
	for i := range inputs {
		tests[i] = native.Test{Args: inputs[i].Args, Stdin: inputs[i].Stdin}
	}
	ses.PrintAll(tests)
	a, err := p.Run(ctx, ses, duelLimit)
	if err != nil || len(a.Printed) != len(inputs) {
		return nil
	}
	return a.Printed
}

// wordsOf counts the words of each line.
func wordsOf(text string) (out []int) {
	for _, l := range strings.Split(text, "\n") {
		out = append(out, len(strings.Fields(l)))
	}
	return out
}
