package native

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"gulo/internal/cfront"
	"gulo/internal/process"
	"gulo/internal/timing"
)

// This file calls gcc: nobody else compiles programs to run them. (Package cfront asks gcc
// whether a text is C, and target/gdb compiles for a debugger.)

// compileLimit bounds one run of gcc over a program as people write them.
const compileLimit = 20 * time.Second

// CompileError is what gcc said of a program that it refuses.
type CompileError struct {
	Text string
	Late bool // it needed too long, which may be the machine's fault
}

func (e *CompileError) Error() string { return e.Text }

// First is the first line of what gcc said.
func (e *CompileError) First() string {
	s, _, _ := strings.Cut(strings.TrimSpace(e.Text), "\n")
	return s
}

// saidError is an error message of gcc with its place.
var saidError = regexp.MustCompile(`(?m)^([^\s:][^:\n]*):\d+(?::\d+)?: (?:fatal )?error: (.*)$`)

// linkError is what a linker objects to. Before it stand the linker's path and that of an object file with a random name.
var linkError = regexp.MustCompile(`(?m)\b((?:undefined reference to|multiple definition of) .*)$`)

// Reason says the first error and the name of its file, without the line: the text may be one that gulo wrote.
func (e *CompileError) Reason() string {
	if m := linkError.FindStringSubmatch(e.Text); m != nil {
		return "the linker says: " + m[1]
	}
	if m := saidError.FindStringSubmatch(e.Text); m != nil {
		return fmt.Sprintf("gcc says of %s: %s", m[1], m[2])
	}
	return "gcc says: " + e.First()
}

// GCC runs gcc in a folder; empty means the current one. The error is a *CompileError where
// gcc does not take what it is given, or needs too long for it; any other is the world's:
// the end of the context, gcc missing or killed.
func GCC(ctx context.Context, dir string, args ...string) error {
	limited, cancel := context.WithTimeout(ctx, compileLimit)
	defer cancel()
	err := gcc(limited, dir, args...)
	if ctx.Err() == nil && limited.Err() != nil {
		return &CompileError{Text: fmt.Sprintf("gcc needs more than %v", compileLimit), Late: true}
	}
	return err
}

// gcc is GCC without a limit of its own.
func gcc(ctx context.Context, dir string, args ...string) error { return gated(ctx, nil, dir, args...) }

// leastRoom is what gcc needs at least for the program and for files of its own, in bytes.
const leastRoom = 1 << 20

// crowded reports whether a folder that gcc writes to has so little room that what it said may not
// be about the program.
func crowded(c *exec.Cmd) bool {
	dirs := []string{c.Dir}
	for _, v := range c.Env {
		if dir, ok := strings.CutPrefix(v, "TMPDIR="); ok {
			dirs = append(dirs[:1], dir) // the last TMPDIR counts
		}
	}
	return slices.ContainsFunc(dirs, func(dir string) bool {
		var fs unix.Statfs_t
		return dir != "" && unix.Statfs(dir, &fs) == nil && fs.Bavail*uint64(fs.Bsize) < leastRoom
	})
}

// gated is gcc, which a gate may halt.
func gated(ctx context.Context, gate *Gate, dir string, args ...string) error {
	span := timing.Begin(ctx, "gcc")
	cmd := process.Command(ctx, "gcc", args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "LC_ALL=C.UTF-8")
	remove, err := process.Scratch(cmd)
	if err != nil {
		return err
	}
	defer remove()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err = cmd.Start()
	if err == nil {
		gate.enter(cmd.Process.Pid)
		gate.leave(cmd.Process.Pid)
		err = cmd.Wait()
	}
	out := said.Bytes()
	span.Used(cmd.ProcessState)
	span.End("")
	var exit *exec.ExitError
	switch died := process.Died("gcc", err, out); {
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // it has succeeded; only its output was late
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case died != nil:
		return died
	case errors.As(err, &exit) && crowded(cmd):
		return &cfront.ToolError{Tool: "gcc", Err: syscall.ENOSPC, Hint: "free some space, or set TMPDIR to a folder with more"}
	case errors.As(err, &exit):
		return &CompileError{Text: string(out)}
	}
	return &cfront.ToolError{Tool: "gcc", Err: err, Hint: "install it with: apt-get install gcc"}
}
