package session

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file handles types that the program itself does not have: of a plugin that it loads, of a library without
// sources in its build, or of a layout that somebody has written down as C. view can read blocks as them.

// lent is a file of types that is no part of the program.
type lent struct {
	file  string
	tree  *cfront.Program
	names []string // those that the program does not have
}

// loadTypes reads the types of a C file or header, which is compiled as the program's files are.
func (s *drawing) loadTypes(ctx context.Context, file string) (text string, err error) {
	tree, err := cfront.Load(ctx, []string{file}, s.optionsNear(file))
	if err != nil {
		return "", err
	}
	x := lent{file: file, tree: tree}
	own := s.prog.Tree.TypeNames()
	for _, name := range tree.TypeNames() {
		if t, err := tree.ParseType(name); err == nil && t.IsAggregate() && t.Size > 0 && !slices.Contains(own, name) {
			x.names = append(x.names, name)
		}
	}
	if x.names == nil {
		return fmt.Sprintf("%s defines no struct or union that the program lacks\n", file), nil
	}
	s.lent = append(slices.DeleteFunc(s.lent, func(o lent) bool { return o.file == file }), x)
	return fmt.Sprintf("types of %s: %s\n", file, strings.Join(x.names, ", ")), nil
}

// optionsNear returns the compiler options of the program's file that is nearest to another file.
func (s *drawing) optionsNear(file string) cfront.Options {
	o := cfront.Options{Flags: s.cfg.Options.Flags}
	names := slices.Sorted(maps.Keys(s.cfg.Options.Units))
	best := -1
	for _, name := range names {
		if n := shared(name, file); n > best {
			best, o.Units = n, map[string]cfront.Unit{file: {Flags: s.cfg.Options.Units[name].Flags, Dir: s.cfg.Options.Units[name].Dir}}
		}
	}
	for name, u := range o.Units {
		if abs, err := filepath.Abs(name); u.Dir != "" && err == nil {
			u.Name = abs
			o.Units[name] = u
		}
	}
	return o
}

// shared returns how many leading elements the paths of two files have in common.
func shared(a, b string) (n int) {
	a, _ = filepath.Abs(a)
	b, _ = filepath.Abs(b)
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}

// parseType returns the type with a name, of the program or of a lent file; nil if there is none.
func (s *drawing) parseType(text string) *ctype.Type {
	if t, err := s.prog.Tree.ParseType(text); err == nil {
		return t
	}
	for _, x := range s.lent {
		if t, err := x.tree.ParseType(text); err == nil {
			return t
		}
	}
	return nil
}
