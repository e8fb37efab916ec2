package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gulo/internal/native"
	"gulo/internal/sandbox"
)

// This file compiles programs with gcc and runs them natively, with limits and without network.

// runLimit bounds a run if it is not known how long the reference takes.
const runLimit = 3 * time.Second

// refused is gcc's first error for a program that it rejects.
type refused struct{ message string }

func (e *refused) Error() string { return e.message }

// gcc runs gcc in the job's folder.
func (j *job) gcc(ctx context.Context, args ...string) error {
	return j.said(native.GCC(ctx, j.dir, args...))
}

// said turns a compile error into a *refused.
func (j *job) said(err error) error {
	var ce *native.CompileError
	if errors.As(err, &ce) && !ce.Late { // gcc may be in time at the next run
		return &refused{strings.ReplaceAll(firstLine(ce.Text), j.dir+"/", "")}
	}
	return err
}

// program is a compiled program in a folder of its own.
type program struct{ *native.Binary }

// build compiles and links files of the job's folder. The error is a *refused if gcc rejects them.
func (j *job) build(ctx context.Context, files ...string) (*program, error) {
	j.built++
	dir := filepath.Join(j.dir, fmt.Sprintf("run%d", j.built))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	b, err := native.Link(ctx, dir, "program", files...)
	if err == nil {
		err = b.Give(j.work)
	}
	return &program{b}, j.said(err)
}

// run runs a program. The error is sandbox.ErrNoIsolation if the system allows no isolation.
func (p *program) run(ctx context.Context, limit time.Duration, stdin string, args ...string) (*native.Process, error) {
	return p.Run(ctx, sandbox.Limits{Time: limit, Nice: 10}, stdin, args...)
}

// open lets the users that sandboxed programs run as enter a folder.
func open(dir string) error { return os.Chmod(dir, 0o711) }
