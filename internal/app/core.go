package app

import (
	"context"
	"errors"
	"fmt"
	"os"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/project"
	"gulo/internal/target"
	"gulo/internal/target/gdb"
)

// This file opens core files.

// coreOf finds the program and the sources of a core file. The core file itself names its program.
func coreOf(files, rest []string, src *sourceFlags) (*origin, error) {
	usage := func(format string, args ...any) (*origin, error) {
		return nil, &exitError{exitUsage, fmt.Sprintf(format, args...)}
	}
	exe, name := "", files[len(files)-1]
	switch {
	case len(rest) > 0:
		return usage("%s shows a process as it was; it takes no arguments", name)
	case len(files) > 2 || !gdb.IsCore(name):
		return usage("name a core file after its program: gulo debug PROGRAM CORE")
	case len(files) == 2:
		exe = files[0]
	}
	c, err := gdb.OpenCore(name)
	if err != nil {
		return usage("%v", err)
	}
	defer c.Close()
	if exe == "" {
		exe = c.Exe
		if _, err := os.Stat(exe); err != nil {
			return usage("%s is of the program %s, which is not there; name it: gulo debug PROGRAM %s", name, exe, name)
		}
	}
	if !project.IsProgram(exe) {
		return usage("%s is no program; name a core file after its program: gulo debug PROGRAM CORE", exe)
	}
	p, err := project.FromBinary(exe)
	if err != nil {
		return usage("%v", err)
	}
	o := given(p, nil, src)
	o.name, o.core = exe, name
	return o, nil
}

// on checks that an engine can open what the command line names.
func (o *origin) on(engine string) error {
	if o.core != "" && engine != "gdb" {
		return &exitError{exitUsage, "core files are for gdb; the machine runs programs itself"}
	}
	return nil
}

// openCore opens a core file of a program.
func openCore(ctx context.Context, p *lower.Program, exe, name string) (target.Target, error) {
	c, err := gdb.OpenCore(name)
	if err != nil {
		return nil, &exitError{exitUsage, err.Error()}
	}
	t, err := gdb.NewCore(ctx, p, exe, c)
	var tool *cfront.ToolError
	switch {
	case errors.As(err, &tool):
		return nil, err
	case err != nil:
		return nil, &exitError{exitUsage, err.Error()}
	}
	return t, nil
}
