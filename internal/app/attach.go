package app

import (
	"context"
	"os"
	"strings"
	"time"

	"gulo/internal/lower"
	"gulo/internal/project"
	"gulo/internal/target"
	"gulo/internal/target/gdb"
)

// This file is processes that are attached to.

// attachLimit is how long one command may let such a process run, and any program outside of scripts: a server waits as
// long as it likes. What is to end sooner is interrupted.
const attachLimit = 24 * time.Hour

// sourcesOf finds the sources of a process: those that are named, or else those that its debug
// information names.
func sourcesOf(pid int, files []string, src *sourceFlags) (*origin, error) {
	exe, err := gdb.Executable(pid)
	if err != nil {
		return nil, &exitError{exitUsage, err.Error()}
	}
	name := exe
	if to, err := os.Readlink(exe); err == nil && !strings.HasSuffix(to, " (deleted)") {
		name = to
	}
	if len(files) > 0 {
		return &origin{files: files, opt: src.options(), name: name}, nil
	}
	p, err := project.FromBinary(name)
	if err != nil {
		return nil, &exitError{exitUsage, err.Error()}
	}
	return given(p, nil, src), nil
}

// attachTo opens the program of a process, and the process as its target.
func attachTo(ctx context.Context, pid int, from *origin) (*lower.Program, target.Target, error) {
	p, err := loadProgram(ctx, "gdb", from.files, from.opt)
	if err != nil {
		return nil, nil, err
	}
	t, err := gdb.Attach(ctx, p, pid, from.name)
	if err != nil {
		return nil, nil, &exitError{exitUsage, err.Error()}
	}
	return p, t, nil
}
