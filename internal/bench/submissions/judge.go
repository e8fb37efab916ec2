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

// This file runs programs natively, and makes up inputs that assignments are held
// against.

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

// agrees reports whether an outcome on an input that was made up is the reference's. Where
// no test asks for an exit status, whether input that is refused ends with one is left to
// the student.
func (a *Assignment) agrees(o *native.Outcome, t *native.Test) bool {
	if a.Statuses() {
		return meets(o, t)
	}
	return o.Ended() && o.Stdout == t.Stdout
}

// Statuses reports whether a test asks for an exit status.
func (a *Assignment) Statuses() bool {
	asks := func(t oracle.Test) bool { return t.Exit != 0 }
	return slices.ContainsFunc(a.Given, asks) || slices.ContainsFunc(a.Held, asks)
}

// outcomes runs a program on tests; nil where it does not compile.
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
	for i := range ts { // one of them overwrote what runs the others
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

// Right submissions that a made-up input is held against, and how many of them must print
// what the reference prints: an input on which they disagree is none of the assignment's.
const (
	mostJudges = 12
	agreeing   = 0.9
	exploring  = 4 * time.Second
)

// invent makes up inputs from the tests, in front of the reference.
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
	var out []native.Test // small ones and large ones
	for i := 0; i < len(kept) && len(out) < r.Made; i++ {
		out = append(out, kept[i*max(len(kept), 1)/min(r.Made, len(kept))%len(kept)])
	}
	return out, nil
}
