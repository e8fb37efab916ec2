package campaign

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

// This file compiles programs with gcc and runs them natively, with limits and without
// network.

// Limits of native work: of one compilation, and of one run when nobody knows how long
// the reference takes.
const (
	compileLimit = 20 * time.Second
	runLimit     = 3 * time.Second
)

// refused is what gcc does not take, with its first error.
type refused struct{ message string }

func (e *refused) Error() string { return e.message }

// gcc runs gcc in the job's folder.
func (j *job) gcc(ctx context.Context, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, compileLimit)
	defer cancel()
	cmd := process.Command(ctx, "gcc", args...)
	cmd.Dir = j.dir
	cmd.Env = append(cmd.Environ(), "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() == context.DeadlineExceeded:
		return &refused{fmt.Sprintf("gcc needs more than %v", compileLimit)}
	case ctx.Err() != nil:
		return ctx.Err()
	case process.Died("gcc", err, out) != nil:
		return process.Died("gcc", err, out)
	case errors.As(err, &exit):
		return &refused{strings.ReplaceAll(firstLine(string(out)), j.dir+"/", "")}
	case err != nil:
		return &cfront.ToolError{Tool: "gcc", Err: err, Hint: "install it with: apt-get install gcc"}
	}
	return nil
}

// program is a compiled program in a folder of its own.
type program struct{ dir, bin string }

// build compiles and links files of the job's folder. The error is a *refused when gcc
// does not take them.
func (j *job) build(ctx context.Context, files ...string) (*program, error) {
	j.built++
	dir := filepath.Join(j.dir, fmt.Sprintf("run%d", j.built))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	p := &program{dir, filepath.Join(dir, "program")}
	args := append(append([]string{"-w", "-o", p.bin}, files...), "-lm")
	return p, j.gcc(ctx, args...)
}

// observed is what a native run did.
type observed struct {
	out     string
	status  int
	stopped string // why it was stopped; empty when it ended by itself
	took    time.Duration
}

// run runs a program. The error is sandbox.ErrNoIsolation where the system gives none.
func (p *program) run(ctx context.Context, limit time.Duration, stdin string, args ...string) (*observed, error) {
	r, err := sandbox.Run(ctx, sandbox.Limits{Time: limit, Nice: 10}, p.dir, stdin, p.bin, args...)
	if err != nil {
		return nil, err
	}
	return &observed{r.Stdout, r.Status, r.Stopped, r.Took}, nil
}

// endless reports whether a run had to be stopped.
func (o *observed) endless() bool { return o.stopped == "time" || o.stopped == "output" }

// String says what a run did, in words.
func (o *observed) String() string {
	switch {
	case o.stopped == "time":
		return fmt.Sprintf("stopped after %v", o.took.Round(time.Second))
	case o.stopped == "output":
		return "stopped: it prints without end"
	case o.stopped != "":
		return "stopped by " + strings.TrimPrefix(o.stopped, "signal: ")
	}
	return fmt.Sprintf("exits with %d", o.status)
}

// differs says how a run differs from what a test wants, "" when it does not.
func (o *observed) differs(t *oracle.Test) string {
	switch {
	case o.stopped != "":
		return "it is " + o.String()
	case o.out != t.Stdout:
		return fmt.Sprintf("it prints %q instead of %q", clip(o.out), clip(t.Stdout))
	case o.status != t.Exit:
		return fmt.Sprintf("it exits with %d instead of %d", o.status, t.Exit)
	}
	return ""
}

func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "..."
	}
	return s
}

// open makes a path readable for whom programs become in the sandbox.
func open(dir string) {
	for d := dir; d != "/" && d != "."; d = filepath.Dir(d) {
		if info, err := os.Stat(d); err == nil && info.Mode().Perm()&0o011 != 0o011 {
			_ = os.Chmod(d, info.Mode().Perm()|0o011)
		}
	}
}
