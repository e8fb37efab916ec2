package cfront

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/workdir"
)

// This file describes how the files of a program are compiled.

// Options says how a program is compiled. The zero value means in the current folder, without flags.
type Options struct {
	Flags []string        // of every file that Units does not name: -I, -D, -std=, -f..., as gcc takes them
	Units map[string]Unit // by file name, for files that are compiled each in their own way
	Link  []string        // arguments of the linker besides the program's own objects, in order

	// Accept, if not nil, asks gcc whether it accepts a unit. texts are the files that the unit is made of, and digest is
	// a digest of their texts. A caller that compiles the files anyway does so here, so that gcc reads them only
	// once. A large file that gcc has just accepted is passed too, and is parsed meanwhile. Accept is called from
	// several goroutines. If it is nil, gcc checks the syntax only.
	Accept func(ctx context.Context, u Unit, digest string, texts []string) error

	// Reading, if not nil, is told how many of how many files have been read, after each.
	Reading func(done, of int)

	// Nested says to convert nested functions, for programs that run on the machine. Native code calls them
	// differently, so they stay opaque for a program that is examined under gdb.
	Nested bool

	Work *workdir.Files // files that the program finds in its working folder; nil if that is not known
}

// Unit is how one file is compiled.
type Unit struct {
	Flags []string // in the order in which gcc gets them
	Dir   string   // the folder that gcc is started in; "" is the current one
	Name  string   // the file's name on gcc's command line; "" for the name that it has in the program

	// Object is the object file that the program's own build has made of the file, with exactly these flags; "" if unknown.
	Object string
}

// Unit returns how a file is compiled, with Name set.
func (o *Options) Unit(name string) Unit {
	u, ok := o.Units[name]
	if !ok {
		u.Flags = o.Flags
	}
	if u.Name == "" {
		u.Name = name
	}
	if strings.HasPrefix(u.Name, "-") {
		u.Name = "./" + u.Name
	}
	return u
}

// Path resolves a name on the command line of a unit's compiler: a relative name lies in Dir.
func (u *Unit) Path(name string) string {
	if u.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(u.Dir, name)
}

// Same reports whether two files can be given to one run of gcc.
func (u *Unit) Same(v *Unit) bool { return u.Dir == v.Dir && slices.Equal(u.Flags, v.Flags) }

// With returns options with more flags in front of those of every file.
func (o Options) With(flags ...string) Options {
	units := o.Units
	o.Flags, o.Units = slices.Concat(flags, o.Flags), nil
	for name, u := range units {
		u.Flags = slices.Concat(flags, u.Flags)
		o.put(name, u)
	}
	return o
}

// As returns options under which file name is compiled in the same way as file like.
func (o Options) As(name, like string) Options {
	u, ok := o.Units[like]
	if !ok {
		return o
	}
	u.Name = ""
	if abs, err := filepath.Abs(name); err == nil {
		u.Name = abs
	}
	units := o.Units
	o.Units = nil
	for n, v := range units {
		o.put(n, v)
	}
	o.put(name, u)
	return o
}

func (o *Options) put(name string, u Unit) {
	if o.Units == nil {
		o.Units = map[string]Unit{}
	}
	o.Units[name] = u
}
