package gate

import (
	"context"
	"time"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file makes further inputs from the tests. The right version says what is right on them.

// Bounds of what is made.
const (
	makingTime = 2 * time.Minute // a guard: the number of inputs and of tries ends it
	triesEach  = 5
	formSeeds  = 3 // as many tests as it takes to see the form of an input in them
)

// further returns inputs that have the form of the tests, with what the right version does on them. Where the
// machine cannot run it there are none.
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
	c := cases.Config{Seed: t.Seed, Want: t.Inputs + len(seeds), Tries: triesEach * (t.Inputs + len(seeds)), Limit: makingTime}
	if len(seeds) >= formSeeds {
		c.Form = cases.FormOf(seeds)
		c.Form.Speak(cases.LanguageOf(prog.Tree).Words, seeds)
	}
	ex, err := cases.Explore(ctx, prog, seeds, c)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // the machine does not know what the program does
		return nil, nil
	}
	known := map[string]bool{}
	for _, in := range seeds {
		known[in.String()] = true
	}
	var out []oracle.Test
	for _, x := range ex.Runs {
		if known[x.Input.String()] {
			continue
		}
		p, err := run(ctx, t.right, x.Args, x.Stdin)
		if err != nil {
			return nil, err
		}
		if p.Stopped == "" && p.Stdout == x.Test.Stdout && p.Status == x.Test.Exit {
			out = append(out, oracle.Test{Name: "made from the tests", Args: x.Args, Stdin: x.Stdin, Stdout: p.Stdout, Exit: p.Status})
		}
	}
	return out, nil
}
