package gate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/oracle"
)

// This file compares calls of functions. A pair without tests has only one run, that of its driver, which reads no
// input.

// called compares the functions that the driver calls with those of the right version, in states like those that the
// driver passes.
func (t *trial) called(ctx context.Context, text []byte) error {
	right, err := t.write("right", t.Program.Right)
	if err != nil {
		return err
	}
	fixed, err := t.write("fixed", text)
	if err != nil {
		return err
	}
	for _, name := range t.interfaces(ctx, right) {
		s, err := cases.Make(ctx, &job.Job{Files: fixed, Spec: job.Spec{Reference: right}, Entry: name, Seed: t.Seed})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var usage *job.UsageError
		if errors.As(err, &usage) { // it is not known what the function may be called with
			continue
		}
		if err != nil {
			return err
		}
		if err := t.compare(s); err != nil || t.rec.Class == Overfit {
			return err
		}
	}
	return nil
}

// interfaces returns the functions of the right version that other files name or, if the right version has main, those
// that main names.
func (t *trial) interfaces(ctx context.Context, files []string) (names []string) {
	tree, err := cfront.Load(ctx, files, cfront.Options{})
	if err != nil {
		return nil
	}
	own := func(f *cfront.Func) bool {
		return f != nil && f.Body != nil && filepath.Base(f.Range.File.Name) == "right.c"
	}
	alone := own(tree.Func("main"))
	for _, f := range tree.Funcs {
		if f.Body == nil || own(f) != alone || alone && f.Name != "main" {
			continue
		}
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if r, ok := y.(*cfront.FuncRef); ok && own(r.Func) && r.Func.Name != "main" && !slices.Contains(names, r.Func.Name) {
					names = append(names, r.Func.Name)
				}
				return true
			})
		})
	}
	return names
}

// compare runs the calls of a set. The first call on which the programs differ refutes the repair; a call that loses
// memory makes it leak.
func (t *trial) compare(s *cases.Set) error {
	for _, suite := range []*oracle.Suite{s.Given, s.Held} {
		run, err := oracle.NewRunner(suite)
		if err != nil {
			return err
		}
		for _, c := range suite.Cases {
			r, err := run.Run(c, nil)
			if err != nil {
				return err
			}
			if r.Unmodelled() != "" {
				continue
			}
			t.rec.Further++
			if r.Meets(c.Want) {
				continue
			}
			freed := *r
			freed.Lost = c.Want.Lost
			t.rec.Class, t.rec.Why = Leaking, fmt.Sprintf("on a call of %s made from those of the driver, %s: %s", s.Entry.Name, c.Name, r.Differs(c.Want))
			if !freed.Meets(c.Want) {
				t.rec.Class = Overfit
				return nil
			}
		}
	}
	return nil
}
