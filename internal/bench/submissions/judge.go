package submissions

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
)

// This file runs programs natively, and makes up inputs on which repairs are checked.

// runTime bounds one run of a submission.
const runTime = 2 * time.Second

func tests(ts []oracle.Test) []native.Test {
	var out []native.Test
	for _, t := range ts {
		out = append(out, native.Test{Args: t.Args, Stdin: t.Stdin, Stdout: t.Stdout, Exit: t.Exit})
	}
	return out
}

func meets(o *native.Outcome, t *native.Test) bool {
	return o.Status == t.Exit && o.Stdout == t.Stdout
}

// agrees reports whether an outcome on a made-up input is the reference's. If no test has an exit status, the status is
// left to the student, for example for input that the program rejects.
func (a *Assignment) agrees(o *native.Outcome, t *native.Test) bool {
	if a.Statuses() {
		return meets(o, t)
	}
	return o.Ended() && o.Stdout == t.Stdout
}

// Statuses reports whether a test expects an exit status other than 0.
func (a *Assignment) Statuses() bool {
	asks := func(t oracle.Test) bool { return t.Exit != 0 }
	return slices.ContainsFunc(a.Given, asks) || slices.ContainsFunc(a.Held, asks)
}

// outcomes runs a program on tests; nil if it does not compile.
func outcomes(ctx context.Context, text, dir string, ts []native.Test, sanitize bool) ([]native.Outcome, error) {
	p, err := native.Build(ctx, map[string]string{filepath.Join(dir, "program.c"): text}, native.Config{Sanitize: sanitize, Options: cfront.Options{Flags: []string{"-std=gnu99"}}})
	var ce *native.CompileError
	if errors.As(err, &ce) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer p.Close()
	runs := func(ts []native.Test) ([]native.Outcome, error) {
		s := &native.Session{}
		s.Limit(runTime, 0)
		for i := range ts {
			s.Print(s.Add(&ts[i]))
		}
		a, err := p.Run(ctx, s, time.Duration(len(ts)+4)*runTime)
		if err != nil {
			return nil, err
		}
		for len(a.Printed) < len(ts) { // the time was up
			a.Printed = append(a.Printed, native.Outcome{Status: native.Steps})
		}
		return a.Printed, nil
	}
	out, err := runs(ts)
	if err == nil || ctx.Err() != nil {
		return out, err
	}
	for i := range ts { // a run overwrote the memory of the process that runs them all
		one, err := runs(ts[i : i+1])
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			one = []native.Outcome{{Status: native.Steps}}
		}
		out = append(out, one[0])
	}
	return out, nil
}

// Bounds for made-up inputs: how many right submissions run on them, which part of these must print what the reference
// prints (if they disagree, the assignment does not define the input), and the time for exploring the reference.
const (
	mostJudges = 12
	agreeing   = 0.9
	exploring  = 4 * time.Second
)

// invent makes up inputs: it starts from the tests and explores the reference, and keeps inputs on which most right
// submissions agree with it.
func (r *run) invent(ctx context.Context, a *Assignment) ([]native.Test, error) {
	if a.Reference == "" {
		return nil, nil
	}
	ref, err := lower.Load(ctx, []string{a.Reference}, cfront.Options{})
	if err != nil {
		return nil, err
	}
	var seeds []cases.Input
	known := map[string]bool{}
	for _, t := range append(append([]oracle.Test(nil), a.Given...), a.Held...) {
		in := cases.Input{Args: t.Args, Stdin: t.Stdin}
		seeds, known[in.String()] = append(seeds, in), true
	}
	ex, err := cases.Explore(ctx, ref, seeds, cases.Config{Seed: r.Seed + 1000, Want: 5*r.Made + len(seeds), Steps: budget.Of(exploring)})
	if err != nil {
		return nil, err
	}
	var made []native.Test
	for _, x := range ex.Runs {
		if !known[x.Input.String()] {
			made = append(made, native.Test{Args: x.Args, Stdin: x.Stdin, Stdout: x.Test.Stdout, Exit: x.Test.Exit})
		}
	}
	agree, judges := make([]int, len(made)), 0
	for _, f := range a.Right[:min(len(a.Right), mostJudges)] {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		outs, err := outcomes(ctx, string(text), filepath.Dir(f), made, false)
		if err != nil {
			return nil, err
		}
		if outs == nil {
			continue
		}
		judges++
		for i, o := range outs {
			if a.agrees(&o, &made[i]) {
				agree[i]++
			}
		}
	}
	var kept []native.Test
	for i, t := range made {
		if float64(agree[i]) >= agreeing*float64(judges) {
			kept = append(kept, t)
		}
	}
	var out []native.Test // of all sizes
	for i := 0; i < len(kept) && len(out) < r.Made; i++ {
		out = append(out, kept[i*max(len(kept), 1)/min(r.Made, len(kept))%len(kept)])
	}
	return out, nil
}
