package native

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/cfront"
)

// This file compiles the units of a program, each in its own folder and with its own flags, and links them.

// LinkFiles makes a program of files that are compiled as opt says, and of what else gcc is given: flags, and files
// with absolute paths. The error is that of GCC.
func LinkFiles(ctx context.Context, dir, name string, files []string, opt cfront.Options, args ...string) (*Binary, error) {
	b := &Binary{dir: dir, path: filepath.Join(dir, name)}
	c := &compilation{files: files, opt: opt, objects: dir, flags: append(linker(ctx), "-w"), link: []string{"-o", b.path}}
	c.own = append(c.own, args...)
	if err := c.run(ctx, GCC); err != nil {
		return nil, err
	}
	if err := b.Give(opt.Work); err != nil {
		return nil, err
	}
	return b, errors.Join(os.Chmod(dir, 0o755), os.Chmod(b.path, 0o755)) // it runs as a user of its own
}

// compilation is a set of units to be compiled and linked.
type compilation struct {
	files   []string
	opt     cfront.Options
	objects string   // the folder for objects, where each unit is compiled by itself
	flags   []string // in front of each unit's own
	names   []string // those of flags that give functions other names
	own     []string // of every unit, behind its own; also files that are compiled and linked
	link    []string // for the linker alone
	fast    bool     // without the optimizations that the units ask for
}

// compiler runs gcc in a folder.
type compiler func(ctx context.Context, dir string, args ...string) error

// units returns how each of the files is compiled.
func (c *compilation) units() []cfront.Unit {
	var out []cfront.Unit
	for _, f := range c.files {
		u := c.opt.Unit(f)
		if c.fast {
			u.Flags = slices.DeleteFunc(slices.Clone(u.Flags), func(f string) bool { return strings.HasPrefix(f, "-O") })
		}
		out = append(out, u)
	}
	return out
}

// run compiles and links, in one run of gcc where all units are compiled alike.
func (c *compilation) run(ctx context.Context, gcc compiler) error {
	units := c.units()
	if !slices.ContainsFunc(units, func(u cfront.Unit) bool { return !u.Same(&units[0]) }) && len(units) > 0 {
		var names []string
		for _, u := range units {
			names = append(names, u.Name)
		}
		return gcc(ctx, units[0].Dir, slices.Concat(names, c.flags, units[0].Flags, c.own, c.opt.Link, c.link, []string{"-lm"})...)
	}
	var objects []string
	for i, u := range units {
		object := filepath.Join(c.objects, fmt.Sprintf("unit%d.o", i))
		if err := gcc(ctx, u.Dir, slices.Concat(c.flags, u.Flags, flagsOf(c.own), []string{"-c", u.Name, "-o", object})...); err != nil {
			return err
		}
		objects = append(objects, object)
	}
	return c.linked(ctx, gcc, objects)
}

// linked links the objects that the units were compiled to.
func (c *compilation) linked(ctx context.Context, gcc compiler, objects []string) error {
	return gcc(ctx, c.objects, slices.Concat(objects, c.flags, c.own, c.opt.Flags, c.opt.Link, c.link, []string{"-lm"})...)
}

// flagsOf returns the flags among arguments, without the inputs, which have absolute paths.
func flagsOf(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(a string) bool { return filepath.IsAbs(a) })
}

// Compile has gcc compile the units of a program with changed texts, with more flags, such as -c or -fsyntax-only; what
// is made is thrown away. dir is a folder for the texts. The error is that of GCC.
func Compile(ctx context.Context, dir string, units []string, opt cfront.Options, texts map[string]string, flags ...string) error {
	m, err := NewMirror(filepath.Join(dir, "at"), units, opt, texts)
	if err != nil {
		return err
	}
	gcc := m.naming(GCC)
	for list := m.Files; len(list) > 0; {
		u := m.Options.Unit(list[0])
		var names, rest []string
		for _, f := range list {
			if v := m.Options.Unit(f); v.Same(&u) {
				names = append(names, v.Name)
			} else {
				rest = append(rest, f)
			}
		}
		list = rest
		if err := gcc(ctx, u.Dir, slices.Concat([]string{"-w"}, flags, u.Flags, names)...); err != nil {
			return err
		}
	}
	return nil
}

// naming returns a compiler whose errors call the files by the names that the program has for them.
func (m *Mirror) naming(gcc compiler) compiler {
	return func(ctx context.Context, dir string, args ...string) error {
		err := gcc(ctx, dir, args...)
		var no *CompileError
		if errors.As(err, &no) {
			return &CompileError{Text: m.said(no.Text, dir), Late: no.Late}
		}
		return err
	}
}
