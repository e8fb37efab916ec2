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

// This file runs programs as they are: each run is a process. Where the harness does, it is
// a thousand times faster.

// Binary is a program as gcc makes it. The folder is the caller's.
type Binary struct {
	dir, path string
	from      string   // folder with the files that it finds
	given     []string // their names
}

// Link makes a program in a folder of what gcc is given: files and flags. The error is
// that of GCC.
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

// Run runs the program once in package sandbox, whose errors and precondition are these.
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

// Endless reports whether it had to be stopped.
func (p *Process) Endless() bool { return p.Stopped == "time" || p.Stopped == "output" }

// Same reports whether two runs did the same, stopped or not.
func (p *Process) Same(o *Process) bool {
	return p.Stopped == o.Stopped && p.Stdout == o.Stdout && p.Status == o.Status
}

// String says how it ended, in words.
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
