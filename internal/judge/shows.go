package judge

import (
	_ "embed"
	"fmt"
	"slices"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file writes C that prints what a call leaves: its result, and what its arguments and the global variables lead
// to. A program and its reference print the same if they leave the same, even if the members of their structs are in
// another order.

//go:embed native/shows.c
var showsRuntime string

// leaving writes C functions that print values, one for each type that is reached.
type leaving struct {
	suite *oracle.Suite
	types []*ctype.Type
}

// ShownCalls writes calls as C, to be appended to the text of the file that has the function. Its main makes the call
// with the given number and prints what it leaves. suite says which arguments and globals count. The error says which
// state cannot be written.
func ShownCalls(p *lower.Program, entry *cfront.Func, suite *oracle.Suite, cases []*oracle.Case) (string, error) {
	text, err := (&driver{prog: p, entry: entry, shows: &leaving{suite: suite}}).text(cases)
	if err != nil {
		return "", err
	}
	return "\n" + text + showsRuntime, nil
}

// number returns the number of the function that prints a type.
func (s *leaving) number(t *ctype.Type) int {
	if i := slices.IndexFunc(s.types, func(u *ctype.Type) bool { return ctype.Same(t, u) }); i >= 0 {
		return i
	}
	s.types = append(s.types, t)
	return len(s.types) - 1
}

// declare writes the functions that print all that a call leads to.
func (s *leaving) declare(d *driver) string {
	s.reach(d.entry.Type.Result)
	for _, p := range d.entry.Params {
		s.reach(p.Type)
	}
	for _, v := range s.globals(d) {
		s.reach(v.Type)
	}
	var heads, bodies strings.Builder
	for i := 0; i < len(s.types); i++ {
		fmt.Fprintf(&heads, "static void gulo_show%d(char *p);\n", i)
		fmt.Fprintf(&bodies, "static void gulo_show%d(char *p)\n{\n", i)
		paths, offsets, types := oracle.Scalars(s.types[i])
		order := make([]int, len(paths))
		for k := range order {
			order[k] = k
		}
		sort.SliceStable(order, func(a, b int) bool { return paths[order[a]] < paths[order[b]] })
		for _, k := range order {
			fmt.Fprintf(&bodies, "    %s\n", s.scalar(fmt.Sprintf("p + %d", offsets[k]), types[k]))
		}
		bodies.WriteString("    (void)p;\n}\n")
	}
	return "void gulo_root(const char *);\nvoid gulo_whole(long long);\nvoid gulo_real(double);\nvoid gulo_bits(char *, unsigned long, int, int, int);\n" +
		"void gulo_float(char *, unsigned long);\nvoid gulo_to(char *, void (*)(char *), unsigned long, int);\n" + heads.String() + bodies.String()
}

// reach numbers a type and all types that it leads to.
func (s *leaving) reach(t *ctype.Type) {
	if t.Kind == ctype.Void {
		return
	}
	for i := s.number(t); i < len(s.types); i++ {
		_, _, types := oracle.Scalars(s.types[i])
		for _, u := range types {
			if u.Kind == ctype.Pointer && shown(u.Elem) {
				s.number(u.Elem)
			}
		}
	}
}

// shown reports whether the target of a pointer to t is printed.
func shown(t *ctype.Type) bool { return t.Kind != ctype.Void && t.Kind != ctype.Func && t.Size > 0 }

// scalar returns the C call that prints a scalar at an address.
func (s *leaving) scalar(at string, t *ctype.Type) string {
	signed := map[bool]int{true: 1}[t.Signed]
	switch {
	case t.Place > 0:
		return fmt.Sprintf("gulo_bits(%s, %d, %d, %d, %d);", at, t.Size, t.Place-1, t.Bits, signed)
	case t.Kind == ctype.Float:
		return fmt.Sprintf("gulo_float(%s, %d);", at, t.Size)
	case t.Kind == ctype.Pointer && shown(t.Elem):
		letters := t.Elem.Kind == ctype.CharT.Kind && t.Elem.String() == ctype.CharT.String()
		return fmt.Sprintf("gulo_to(%s, gulo_show%d, %d, %d);", at, s.number(t.Elem), t.Elem.Size, map[bool]int{true: 1}[letters])
	case t.Kind == ctype.Pointer:
		return fmt.Sprintf("gulo_to(%s, 0, 0, 0);", at)
	}
	return fmt.Sprintf("gulo_bits(%s, %d, 0, %d, %d);", at, t.Size, 8*t.Size, signed)
}

// globals returns the global variables that are printed, by name.
func (s *leaving) globals(d *driver) (out []*cfront.Var) {
	for _, v := range d.prog.Tree.Globals {
		if v.Func == nil && v.Range.Valid() && v.Range.File == d.entry.Range.File && !v.Const && slices.Contains(s.suite.Globals, v.Name) {
			out = append(out, v)
		}
	}
	sort.SliceStable(out, func(a, b int) bool { return out[a].Name < out[b].Name })
	return out
}

// call writes a call, and the C that prints what it leaves.
func (s *leaving) call(d *driver, call string) string {
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, "    "+format+"\n", args...) }
	switch r := d.entry.Type.Result; {
	case r.Kind == ctype.Void:
		add("%s;", call)
	case r.IsInteger():
		add("long long gulo_r = (long long)%s;\n    gulo_root(\"result\");\n    gulo_whole(gulo_r);", call)
	case r.Kind == ctype.Float:
		add("double gulo_r = %s;\n    gulo_root(\"result\");\n    gulo_real(gulo_r);", call)
	case r.Kind == ctype.Pointer:
		add("void *gulo_r = (void *)%s;\n    gulo_root(\"result\");\n    %s", call, s.scalar("(char *)&gulo_r", r))
	default:
		add("__typeof__(%s) gulo_r = %s;\n    gulo_root(\"result\");\n    gulo_show%d((char *)&gulo_r);", r, call, s.number(r))
	}
	for _, i := range s.suite.Args {
		// Freed memory must not be read.
		add("if (!(gulo_freed[n] & %d)) {\n        gulo_root(\"argument %d\");\n        gulo_show%d((char *)&gulo_a%d);\n    }", 1<<i, i+1, s.number(d.entry.Params[i].Type), i)
	}
	for _, v := range s.globals(d) {
		add("gulo_root(%q);\n    gulo_show%d((char *)&%s);", v.Name, s.number(v.Type), v.Name)
	}
	return b.String()
}
