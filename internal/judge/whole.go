package judge

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/process"
	"gulo/internal/sandbox"
	"gulo/internal/source"
)

// This file checks an answer that nothing is wrong by the given whole runs. The program and the reference run natively,
// as compiled by gcc.

// Whole is a program with the whole runs that are given.
type Whole struct {
	Files, Reference []string
	Options          cfront.Options
	Args             []string // of the run that is compared with the reference
	Stdin            string
	Tests            []oracle.Test // with their expected outcomes
}

// Difference is a run in which a program does something wrong.
type Difference struct {
	Run  string // "the run with 3 4", "test empty"
	What string // what it does, and what would be right
}

// String returns the difference as one phrase.
func (d *Difference) String() string { return d.Run + ": " + d.What }

// Limits of one whole run.
const (
	wholeTime   = 4 * time.Second
	wholeMemory = 512 << 20
)

// Differs runs the program natively on all given runs and returns the first difference, or nil: from what a test
// expects, from the reference or, if there is neither, that the program is ended by a signal. n counts the runs that
// were compared. A run on which the reference is stopped, or does not do the same twice, says nothing. Precondition: as
// sandbox.Run.
func (w *Whole) Differs(ctx context.Context) (d *Difference, n int, err error) {
	dir, err := process.TempDir("gulo-whole-")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	own, err := w.build(ctx, dir, "program", w.Files)
	if own == nil || err != nil {
		return nil, 0, err
	}
	for _, t := range w.Tests {
		got, err := w.run(ctx, own, t.Args, t.Stdin)
		if err != nil {
			return nil, n, err
		}
		n++
		if t.Any {
			continue // whether it ends properly is checked with its cases
		}
		if t.Judged {
			got.Stdout = source.Judged(got.Stdout)
		}
		if what := got.Differs(t.Stdout, t.Exit); what != "" {
			return &Difference{"test " + t.Name, what}, n, nil
		}
	}
	name := "the run without arguments"
	if len(w.Args) > 0 {
		name = "the run with " + strings.Join(w.Args, " ")
	}
	if len(w.Reference) == 0 {
		if len(w.Tests) > 0 {
			return nil, n, nil
		}
		got, err := w.run(ctx, own, w.Args, w.Stdin)
		if err == nil && strings.HasPrefix(got.Stopped, "signal: ") {
			d = &Difference{name, "it ends with " + strings.TrimPrefix(got.Stopped, "signal: ")}
		}
		return d, n + 1, err
	}
	ref, err := w.build(ctx, dir, "reference", w.Reference)
	if ref == nil || err != nil {
		return nil, n, err
	}
	want, err := w.run(ctx, ref, w.Args, w.Stdin)
	if err != nil || want.Stopped != "" {
		return nil, n, err
	}
	again, err := w.run(ctx, ref, w.Args, w.Stdin)
	if err != nil || !again.Same(want) {
		return nil, n, err
	}
	got, err := w.run(ctx, own, w.Args, w.Stdin)
	if err != nil {
		return nil, n, err
	}
	if what := got.Differs(want.Stdout, want.Status); what != "" {
		d = &Difference{name, what}
	}
	return d, n + 1, nil
}

// build compiles a program. It returns nil if gcc rejects it, for example because it has no main.
func (w *Whole) build(ctx context.Context, dir, name string, files []string) (*native.Binary, error) {
	b, err := native.LinkFiles(ctx, dir, name, files, w.Options, "-O1", "-fwrapv")
	var no *native.CompileError
	if errors.As(err, &no) {
		return nil, nil
	}
	return b, err
}

func (w *Whole) run(ctx context.Context, b *native.Binary, args []string, stdin string) (*native.Process, error) {
	return b.Run(ctx, sandbox.Limits{Time: wholeTime, Memory: wholeMemory, Weak: true}, stdin, args...)
}
