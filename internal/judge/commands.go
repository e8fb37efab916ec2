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
	saidRuns      = 60  // of which the words are taken that the reference prints
	mostSaid      = 60
	idleShare     = 2 // one in so many outputs tells that a word does nothing of its own
	trialShare    = 3 // of the trials one in so many must look alike: the program is wrong somewhere
)

// commands makes runs with commands that the program and its reference know and no run in hand has. A
// line is one where both print as many lines of as many words: what is no command one of them
// reports, and the other passes over. A word of another shape must make a difference besides, and neither cut anything off nor change
// the exit status: where it is none, both may stop reading. Nor may both do with it what
// they do with a sign that neither asks for.
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
	var did [][2][]string // by a shape: what both print
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

// among reports whether most of some outputs are those of some runs, too.
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

// trials are runs with each of some commands; ends is where those of each end.
func (t *Judge) trials(list []cases.Command, said []string) (inputs []cases.Input, ends []int) {
	for i := range list {
		inputs = append(inputs, cases.WithCommands(t.Job.Seed, t.InHand(), list[i:i+1], said, commandTrials)...)
		ends = append(ends, len(inputs))
	}
	return inputs, ends
}

// plainOutputs is what the reference prints in the runs in hand.
type plainOutputs struct {
	outputs map[string]bool
	least   int // words of the shortest
	status  int // of the first
}

// goesOn reports whether a run prints no less than those in hand, and ends as they do.
func (h *plainOutputs) goesOn(o *native.Outcome) bool {
	return len(strings.Fields(o.Stdout)) >= h.least && o.Status == h.status
}

// said lists words that the reference prints in the runs in hand and in some that are like them.
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

// printed is what a program does on inputs; nil where that cannot be said.
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
