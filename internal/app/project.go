package app

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/project"
	"gulo/internal/screen"
	"gulo/internal/target/gdb"

	"github.com/spf13/cobra"
)

// This file finds the program of a command line: C files, a recorded build, or a build that is watched.

// origin is the program that a command line names.
type origin struct {
	files, args []string
	opt         cfront.Options
	left        []string       // flags of its build that are dropped
	closed      []string       // libraries of its build that are linked as they are
	foreign     []string       // files of its build that are not C
	lost        []string       // like foreign, but their objects are missing
	gone        []string       // C files of its build that no longer exist
	guessed     []string       // files whose flags are known only from debug information
	name        string         // of the program
	pid         int            // a process that already runs it; 0: none
	core        string         // a core file of it; "": none
	folder      string         // where it may read and write files on the machine; "": the default
	terminal    string         // its own terminal under gdb; "": none
	follow      string         // the process that is followed after a fork, under gdb
	views       string         // a file of views; "": none
	screen      *screen.Screen // its own screen under gdb; nil: none
}

// buildFlag is the flag -p.
type buildFlag struct {
	dir   string
	found *origin // the program, once it was found
}

func (b *buildFlag) register(c *cobra.Command) {
	c.Flags().StringVarP(&b.dir, "build", "p", "", "`DIR`: the directory of a build, with its compile_commands.json (or that file itself), Ninja files or CMake makefiles; the argument is then the name of a program of the build, or its source file with main. Without -p and without a file before --, what follows -- is a build command")
}

// origin finds the program that a command line names, and prints which flags and files of its build are left out.
func (s *streams) origin(c *cobra.Command, args []string, src *sourceFlags, b *buildFlag) (*origin, error) {
	o, err := s.named(c, args, src, b)
	if err == nil {
		o.note(s.err)
		if len(o.guessed) > 0 {
			s.guessed = fmt.Sprintf("gulo knows the flags of %s from the debug information only, which has no -D; rebuild everything under gulo, as in: gulo debug -- make -B", some(o.guessed))
		}
	}
	return o, err
}

// note prints what is left out of a build, and what is taken as it is.
func (o *origin) note(w io.Writer) {
	noteLeft(w, o.left)
	noteClosed(w, o.closed)
	noteForeign(w, o.foreign)
	noteLost(w, o.lost, o.gone)
}

// program is origin for commands that need the program's text. A build is run only once.
func (s *streams) program(c *cobra.Command, args []string, src *sourceFlags, b *buildFlag) (*origin, error) {
	if b.found != nil {
		return b.found, nil
	}
	o, err := s.origin(c, args, src, b)
	if err == nil && o.core != "" {
		return nil, &exitError{exitUsage, fmt.Sprintf("%s is a core file, which shows one moment; open it with: gulo debug %s", o.core, strings.Join(args, " "))}
	}
	if err == nil {
		o.opt.Work = job.Work(o.files, o.args, "", "")
	}
	b.found = o
	return o, err
}

// options returns the program's options, with the files that runs find if tests are run in a folder.
func (o *origin) options(f *specFlags, stdin string) cfront.Options {
	opt := o.opt
	if f.tests != "" || stdin != "" {
		opt.Work = job.Work(o.files, o.args, stdin, f.tests)
	}
	return opt
}

func (s *streams) named(c *cobra.Command, args []string, src *sourceFlags, b *buildFlag) (*origin, error) {
	dash := c.ArgsLenAtDash()
	switch {
	case b.dir != "":
		db, err := project.Open(b.dir)
		if err != nil {
			return nil, &exitError{exitUsage, err.Error()}
		}
		names, rest := args, []string(nil)
		if dash >= 0 {
			names, rest = args[:dash], args[dash:]
		}
		if len(names) > 1 {
			return nil, &exitError{exitUsage, "-p takes the name of one program; the program's arguments go after --"}
		}
		return found(db, strings.Join(names, ""), rest, src)
	case dash == 0 && len(args) > 0:
		return s.watchBuild(c, args, src)
	}
	files, rest, err := split(c, args)
	if err != nil {
		return nil, err
	}
	switch {
	case slices.ContainsFunc(files, gdb.IsCore):
		return coreOf(files, rest, src)
	case project.IsProgram(project.Behind(files[0])):
		files[0] = project.Behind(files[0])
		return s.built(files, rest, src)
	}
	return &origin{files: files, args: rest, opt: src.options(), name: files[0]}, nil
}

// found returns a program of a build. Flags of the command line follow those of the build.
func found(db *project.Database, name string, rest []string, src *sourceFlags) (*origin, error) {
	p, err := db.Program(name)
	if err != nil {
		return nil, &exitError{exitUsage, err.Error()}
	}
	return given(p, rest, src), nil
}

// given combines a program of a build with flags of the command line.
func given(p *project.Program, rest []string, src *sourceFlags) *origin {
	o := &origin{files: p.Files, args: rest, opt: p.Options, left: p.Left, closed: p.Closed, foreign: p.Foreign, lost: p.Lost, gone: p.Gone, guessed: p.Guessed, name: p.Name}
	for n, u := range o.opt.Units {
		if len(src.list) > 0 {
			u.Flags = append(append([]string(nil), u.Flags...), src.list...)
			u.Object = "" // the object was compiled without these flags
		}
		o.opt.Units[n] = u
	}
	o.opt.Flags = src.list // for the linker
	return o
}

// built returns the program of a binary: its sources are compiled again, for debugging.
func (s *streams) built(files, rest []string, src *sourceFlags) (*origin, error) {
	if len(files) > 1 {
		return nil, &exitError{exitUsage, "name one program, or one program and its core file; the program's arguments go after --"}
	}
	p, err := project.FromBinary(files[0])
	if err != nil {
		return nil, &exitError{exitUsage, err.Error()}
	}
	fmt.Fprintf(s.err, "gulo: %s: its %s %s recompiled without optimization where the object files of its build cannot be used\n", files[0], plural.N(len(p.Files), "C file"), plural.Verb(len(p.Files), "is", "are"))
	return given(p, rest, src), nil
}

// watchBuild runs a build and returns the program that it makes.
func (s *streams) watchBuild(c *cobra.Command, command []string, src *sourceFlags) (*origin, error) {
	db, err := project.Record(c.Context(), command, s.err)
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed) && db != nil:
		// The build may have failed after the program was made, for example at the manual.
		o, e := found(db, "", nil, src)
		if e != nil {
			return nil, &exitError{exitUsage, fmt.Sprintf("%s: %v", strings.Join(command, " "), failed)}
		}
		fmt.Fprintf(s.err, "gulo: %s: %v; %s had been made before\n", strings.Join(command, " "), failed, o.name)
		return o, nil
	case errors.Is(err, exec.ErrNotFound):
		return nil, &exitError{exitUsage, fmt.Sprintf("%s: there is no such command; a program's arguments go after its files: %s FILE.c -- ARG", command[0], c.CommandPath())}
	case process.Outside(err):
		return nil, err
	case err != nil:
		return nil, &exitError{exitUsage, err.Error()}
	}
	if len(db.Commands) == 0 {
		if db, err = db.Known(command); err != nil {
			return nil, &exitError{exitUsage, fmt.Sprintf("%s compiled nothing, and how the program was compiled is not known; clean the build first, or open what it has made: %s ./PROGRAM", strings.Join(command, " "), c.CommandPath())}
		}
		fmt.Fprintf(s.err, "gulo: %s compiled nothing; how the program was compiled is known from before\n", strings.Join(command, " "))
	} else {
		fmt.Fprintf(s.err, "gulo: what was compiled, and how, is noted in %s\n", project.Recorded)
	}
	o, err := found(db, db.Asked(command), nil, src)
	if err != nil {
		return nil, &exitError{exitUsage, fmt.Sprintf("%v; go on with: %s -p . PROGRAM", err, c.CommandPath())}
	}
	return o, nil
}
