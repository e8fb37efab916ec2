package cfront

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/workdir"
)

// This file is how the files of a program are compiled.

// Options are how a program is compiled. The zero value is one that is compiled in the
// current folder without flags.
type Options struct {
	Flags []string        // of every file that Units does not name: -I, -D, -std=, -f..., as gcc takes them
	Units map[string]Unit // by file name, of a program whose files are compiled each in its own way
	Link  []string        // what the linker is given besides the program's own objects, in its order

	// Accept, if not nil, asks gcc about a file of a program of several, of which digest tells apart
	// the texts, which are those of the files texts: who compiles the files anyway need not have gcc read them twice. A large file that gcc
	// has just accepted is compiled while it is parsed. It is called from several goroutines. nil asks
	// about syntax alone.
	Accept func(ctx context.Context, u Unit, digest string, texts []string) error

	// Reading, if not nil, is told how many of how many files have been read, after each.
	Reading func(done, of int)

	// Nested has nested functions converted, for what runs on the machine. Natively they are
	// called otherwise, so that what looks at a program under gdb leaves them opaque.
	Nested bool

	Work *workdir.Files // that the program finds in its working folder; nil: nobody says
}

// Unit is how one file is compiled.
type Unit struct {
	Flags []string // in the order in which gcc gets them
	Dir   string   // the folder that gcc is started in; "" is the current one
	Name  string   // the file as gcc is given it; "" is its name

	// Object is what the program's own build has made of the file, with these flags and no others; "" where nobody knows.
	Object string
}

// Unit returns how a file is compiled.
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

// Path returns where a name leads that the compiler of a unit is given; "" is the folder.
func (u *Unit) Path(name string) string {
	if u.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(u.Dir, name)
}

// Same reports whether two files can be given to one run of gcc.
func (u *Unit) Same(v *Unit) bool { return u.Dir == v.Dir && slices.Equal(u.Flags, v.Flags) }

// With returns options under which every file is compiled with more flags, in front of its own.
func (o Options) With(flags ...string) Options {
	units := o.Units
	o.Flags, o.Units = slices.Concat(flags, o.Flags), nil
	for name, u := range units {
		u.Flags = slices.Concat(flags, u.Flags)
		o.put(name, u)
	}
	return o
}

// As returns options under which a file is compiled as another one is.
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
