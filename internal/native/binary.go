package native

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gulo/internal/sandbox"
	"gulo/internal/source"
)

// This file runs programs as they are: each run is a process. Runs in the harness are a thousand times faster.

// Binary is a program as gcc makes it. The folder that it is in belongs to the caller.
type Binary struct {
	dir, path string
	from      string   // folder with the files that it finds in its working folder
	given     []string // their names
}

// Link has gcc make a program in a folder, from files and flags. The error is that of GCC.
func Link(ctx context.Context, dir, name string, args ...string) (*Binary, error) {
	b := &Binary{dir: dir, path: filepath.Join(dir, name)}
	args = append(append(append([]string{"-w", "-o", b.path}, linker(ctx)...), args...), "-lm")
	if err := GCC(ctx, "", args...); err != nil {
		return nil, err
	}
	// It runs as a user of its own.
	return b, errors.Join(os.Chmod(dir, 0o755), os.Chmod(b.path, 0o755))
}

// Path is the file of the program.
func (b *Binary) Path() string { return b.path }

// Run runs the program once, in package sandbox: the errors and the precondition are those of sandbox.Run.
func (b *Binary) Run(ctx context.Context, l sandbox.Limits, stdin string, args ...string) (*Process, error) {
	l.From, l.Given = b.from, b.given
	r, err := sandbox.Run(ctx, l, b.dir, stdin, b.path, args...)
	if err != nil {
		return nil, err
	}
	return &Process{*r}, nil
}

// Process is what became of one run of a binary.
type Process struct{ sandbox.Result }

// Endless reports whether the run had to be stopped because it took too long or printed too much.
func (p *Process) Endless() bool { return p.Stopped == "time" || p.Stopped == "output" }

// Same reports whether two runs ended alike, stopped or not, and printed the same.
func (p *Process) Same(o *Process) bool {
	return p.Stopped == o.Stopped && p.Stdout == o.Stdout && p.Status == o.Status
}

// String says in words how the run ended.
func (p *Process) String() string {
	switch {
	case p.Stopped == "time":
		return fmt.Sprintf("stopped after %v", p.Took.Round(time.Second))
	case p.Stopped == "output":
		return "stopped: it prints without end"
	case p.Stopped != "":
		return "stopped by " + strings.TrimPrefix(p.Stopped, "signal: ")
	}
	return fmt.Sprintf("exits with %d", p.Status)
}

// Differs says how a run differs from what is wanted; empty for not at all.
func (p *Process) Differs(stdout string, exit int) string {
	switch {
	case p.Stopped != "":
		return "it is " + p.String()
	case p.Stdout != stdout:
		got, want := source.Excerpts(p.Stdout, stdout)
		return fmt.Sprintf("it prints %q instead of %q", got, want)
	case p.Status != exit:
		return fmt.Sprintf("it exits with %d instead of %d", p.Status, exit)
	}
	return ""
}
