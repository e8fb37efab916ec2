package gate

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
)

// This file makes further inputs from the tests; the right version supplies their output.

// Bounds on making inputs.
const (
	makingTime = 2 * time.Minute  // of work, counted in steps; usually the number of inputs or tries is the bound
	askedGuard = 10 * time.Minute // by the clock, for one version on all inputs
	judgeTime  = 2 * time.Second  // for another right program on one test; the right version takes at most rightBlocks
	triesEach  = 5
	formSeeds  = 3 // number of tests that show the form of an input
)

// further returns inputs that have the form of the tests, with the output of the right version. There are none if the
// machine cannot run it.
func (t *trial) further(ctx context.Context) ([]oracle.Test, error) {
	if t.right == nil || t.Inputs == 0 {
		return nil, nil
	}
	files, err := t.write("right", t.Program.Right)
	if err != nil {
		return nil, err
	}
	prog, err := lower.Load(ctx, files, cfront.Options{})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || prog.IR.Main < 0 {
		return nil, nil
	}
	var seeds []cases.Input
	for _, x := range t.tests {
		seeds = append(seeds, cases.Input{Args: x.Args, Stdin: x.Stdin})
	}
	c := cases.Config{Seed: t.Seed, Want: t.Inputs + len(seeds), Tries: triesEach * (t.Inputs + len(seeds)), Steps: budget.Of(makingTime)}
	if len(seeds) >= formSeeds {
		c.Form = cases.FormOf(seeds)
		c.Form.Speak(cases.LanguageOf(prog.Tree).Words, seeds)
	}
	ex, err := cases.Explore(ctx, prog, seeds, c)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // the machine cannot run the program
		return nil, nil
	}
	known := map[string]bool{}
	for _, in := range seeds {
		known[in.String()] = true
	}
	var made []oracle.Test
	for _, x := range ex.Runs {
		if !known[x.Input.String()] {
			made = append(made, oracle.Test{Name: "made from the tests", Args: x.Args, Stdin: x.Stdin, Stdout: x.Test.Stdout, Exit: x.Test.Exit})
		}
	}
	outs, err := t.outcomes(ctx, "right", t.Program.Right, made, rightTime)
	if err != nil {
		return nil, err
	}
	var out []oracle.Test
	for i := range outs { // keep inputs on which machine and native run agree: else C does not define the result
		if outs[i].Ended() && outs[i].Stdout == made[i].Stdout && outs[i].Status == made[i].Exit {
			out = append(out, made[i])
		}
	}
	return t.agreed(ctx, out)
}

// mostJudges bounds the other right programs that run on an input.
const mostJudges = 5

// agreed drops inputs on which other right programs for the same exercise behave differently: the exercise does not
// define what they should do. Only programs that meet all tests are run; if there are several, one may differ.
func (t *trial) agreed(ctx context.Context, made []oracle.Test) ([]oracle.Test, error) {
	votes, judges := make([]int, len(made)), 0
	for i, text := range t.Judges {
		name := fmt.Sprintf("judge%d", i+1)
		outs, err := t.outcomes(ctx, name, text, t.tests, judgeTime)
		if err != nil {
			return nil, err
		}
		same := func(o *native.Outcome, x *oracle.Test) bool { return o.Ended() && t.same(o.Stdout, x.Stdout) }
		meets := len(outs) == len(t.tests)
		for k := 0; k < len(outs) && meets; k++ {
			meets = same(&outs[k], &t.tests[k])
		}
		if !meets {
			continue
		}
		if outs, err = t.outcomes(ctx, name, text, made, rightTime); err != nil {
			return nil, err
		}
		if len(outs) < len(made) {
			continue
		}
		judges++
		for k := range made {
			if same(&outs[k], &made[k]) {
				votes[k]++
			}
		}
	}
	need := judges
	if judges > 2 {
		need--
	}
	var out []oracle.Test
	for k, x := range made {
		if votes[k] >= need {
			out = append(out, x)
		}
	}
	return out, nil
}

// outcomes runs a version on many inputs in one process, each with a time limit. It returns nil if the version does not
// compile, and fewer outcomes than inputs if one input ends the process.
func (t *trial) outcomes(ctx context.Context, version string, text []byte, inputs []oracle.Test, limit time.Duration) ([]native.Outcome, error) {
	files, err := t.write(version, text)
	if err != nil || len(inputs) == 0 {
		return nil, err
	}
	texts := map[string]string{files[0]: string(text)}
	for name, text := range t.Program.More {
		texts[filepath.Join(filepath.Dir(files[0]), name)] = string(text)
	}
	p, err := native.Build(ctx, texts, native.Config{})
	if _, no := err.(*native.CompileError); no {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer p.Close()
	tests := make([]native.Test, len(inputs))
	for i, x := range inputs {
		tests[i] = native.Test{Args: x.Args, Stdin: x.Stdin}
	}
	s := &native.Session{}
	s.Limit(limit, 0)
	s.PrintAll(tests)
	a, err := p.Run(ctx, s, askedGuard)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // a run overwrote the memory of the process that runs them all
		return nil, nil
	}
	return a.Printed, nil
}
