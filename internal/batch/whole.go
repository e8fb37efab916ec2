package batch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/oracle"
	"gulo/internal/process"
	"gulo/internal/sandbox"
)

// This file holds an answer that nothing is wrong against the whole runs that are in
// hand: natively, as gcc compiles the program and the reference.

// Whole is the runs in hand of a program.
type Whole struct {
	Files, Reference []string
	Options          cfront.Options
	Args             []string // of the run that shows what the program does
	Stdin            string
	Tests            []oracle.Test // with what must come of them
}

// Difference is a run on which a program does not do what is right.
type Difference struct {
	Run  string // "the run with 3 4", "test empty"
	What string // what it does, and what is right
}

// String is the difference in a sentence.
func (d *Difference) String() string { return d.Run + ": " + d.What }

// Limits of one whole run.
const (
	wholeTime   = 4 * time.Second
	wholeMemory = 512 << 20
)

// Differs runs the program natively on all runs in hand and returns the first on which
// it differs from the reference, from what a test wants or, without either, ends by a
// signal; nil when there is none. n is how many runs were compared. Runs on which the
// reference does not end by itself or does not do the same twice say nothing.
// Precondition: as sandbox.Run.
func (w *Whole) Differs(ctx context.Context) (d *Difference, n int, err error) {
	dir, err := process.TempDir("gulo-whole-")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, 0, err
	}
	own, err := w.build(ctx, dir, "program", w.Files)
	if own == "" || err != nil {
		return nil, 0, err
	}
	for _, t := range w.Tests {
		got, err := w.run(ctx, dir, own, t.Args, t.Stdin)
		if err != nil {
			return nil, n, err
		}
		n++
		if what := got.differs(&outcome{out: t.Stdout, status: t.Exit}); what != "" {
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
		got, err := w.run(ctx, dir, own, w.Args, w.Stdin)
		if err == nil && strings.HasPrefix(got.stopped, "signal: ") {
			d = &Difference{name, "it ends with " + strings.TrimPrefix(got.stopped, "signal: ")}
		}
		return d, n + 1, err
	}
	ref, err := w.build(ctx, dir, "reference", w.Reference)
	if ref == "" || err != nil {
		return nil, n, err
	}
	want, err := w.run(ctx, dir, ref, w.Args, w.Stdin)
	if err != nil || want.stopped != "" {
		return nil, n, err
	}
	again, err := w.run(ctx, dir, ref, w.Args, w.Stdin)
	if err != nil || again.differs(want) != "" {
		return nil, n, err
	}
	got, err := w.run(ctx, dir, own, w.Args, w.Stdin)
	if err != nil {
		return nil, n, err
	}
	if what := got.differs(want); what != "" {
		d = &Difference{name, what}
	}
	return d, n + 1, nil
}

// build compiles a program; the name is empty when it is none that can be run, for want
// of a main or of something else.
func (w *Whole) build(ctx context.Context, dir, name string, files []string) (string, error) {
	bin := filepath.Join(dir, name)
	limited, cancel := context.WithTimeout(ctx, compileLimit)
	defer cancel()
	args := append(append([]string{"-w", "-O1", "-fwrapv", "-o", bin}, files...), w.Options.Flags...)
	out, err := process.Command(limited, "gcc", append(args, "-lm")...).CombinedOutput()
	var exit *exec.ExitError
	died := process.Died("gcc", err, out)
	switch {
	case died != nil && limited.Err() == nil:
		return "", died
	case errors.Is(err, exec.ErrNotFound):
		return "", &cfront.ToolError{Tool: "gcc", Err: err, Hint: "install it with: apt-get install gcc"}
	case errors.As(err, &exit):
		return "", ctx.Err()
	case err != nil:
		return "", err
	}
	return bin, os.Chmod(bin, 0o755)
}

// outcome is what a whole run did.
type outcome struct {
	out     string
	status  int
	stopped string
}

func (w *Whole) run(ctx context.Context, dir, bin string, args []string, stdin string) (*outcome, error) {
	r, err := sandbox.Run(ctx, sandbox.Limits{Time: wholeTime, Memory: wholeMemory, Weak: true}, dir, stdin, bin, args...)
	if err != nil {
		return nil, err
	}
	return &outcome{r.Stdout, r.Status, r.Stopped}, nil
}

// differs says in words how a run differs from what is wanted; empty for not at all.
func (o *outcome) differs(want *outcome) string {
	switch {
	case o.stopped == "time":
		return fmt.Sprintf("it does not come to an end; %q is right", clip(want.out))
	case o.stopped != want.stopped:
		return fmt.Sprintf("it ends with %s; %q is right", strings.TrimPrefix(o.stopped, "signal: "), clip(want.out))
	case o.out != want.out:
		return fmt.Sprintf("it prints %q, %q is right", clip(o.out), clip(want.out))
	case o.status != want.status:
		return fmt.Sprintf("it exits with %d, %d is right", o.status, want.status)
	}
	return ""
}

// clip shortens a text to where it can be read.
func clip(s string) string {
	if len(s) > 200 {
		s = s[:197] + "..."
	}
	return s
}
