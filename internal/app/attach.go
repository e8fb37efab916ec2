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

// This file attaches to processes.

// attachLimit bounds how long one command lets a program run outside of scripts, attached or started here. A server may
// wait for hours, so that the user interrupts what should end sooner.
const attachLimit = 24 * time.Hour

// sourcesOf finds the sources of a process: the files given, or else those that its debug information names.
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

// attachTo loads the program of a process and attaches to the process.
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
