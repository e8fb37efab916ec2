package app

import (
	"fmt"
	"io"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/plural"
	"gulo/internal/project"

	"github.com/spf13/cobra"
)

// This file holds the compiler flags that commands on C files take, in gcc's form.

// sourceFlags are compiler flags in the order given, which matters to gcc.
type sourceFlags struct {
	list []string
	left []string // flags that are dropped
}

// flagValue appends a flag with its value to the list.
type flagValue struct {
	to     *[]string
	prefix string
}

func (v flagValue) String() string { return "" }
func (v flagValue) Type() string   { return map[string]string{"": "flag", "-I": "dir"}[v.prefix] }
func (v flagValue) Set(s string) error {
	*v.to = append(*v.to, v.prefix+s)
	return nil
}

// cflagValue is a flag for gcc. Flags that are dropped are collected in left.
type cflagValue struct {
	flagValue
	left *[]string
}

func (v cflagValue) Set(s string) error {
	if project.Sanitizer(s) {
		*v.left = append(*v.left, s)
		return nil
	}
	return v.flagValue.Set(s)
}

func (f *sourceFlags) register(c *cobra.Command) {
	c.PreRun = func(c *cobra.Command, _ []string) { noteLeft(c.ErrOrStderr(), f.left) }
	c.Flags().VarP(flagValue{&f.list, "-I"}, "include", "I", "`DIR`: a directory to search for header files")
	c.Flags().VarP(flagValue{&f.list, "-D"}, "define", "D", "`NAME`: a macro to define, NAME or NAME=VALUE")
	c.Flags().VarP(flagValue{&f.list, "-U"}, "undefine", "U", "`NAME`: a macro to undefine")
	c.Flags().Var(cflagValue{flagValue{&f.list, ""}, &f.left}, "cflag", "`FLAG`: another flag for gcc; -std=... -include FILE -isystem DIR -f... -m... -pthread -l... may be given directly")
}

func (f *sourceFlags) options() cfront.Options { return cfront.Options{Flags: f.list} }

// noteLeft prints which flags are dropped: those of sanitizers, whose own code would show in every picture and every
// run.
func noteLeft(w io.Writer, left []string) {
	if len(left) > 0 {
		fmt.Fprintf(w, "gulo: compiled without %s; gulo run and gulo check look for such errors themselves\n", strings.Join(left, " "))
	}
}

// noteClosed prints which libraries of a build are used as they are.
func noteClosed(w io.Writer, closed []string) {
	if len(closed) > 0 {
		fmt.Fprintf(w, "gulo: it is not known from which sources %s was compiled, so its functions are not shown; build it under gulo, too\n", strings.Join(closed, ", "))
	}
}

// noteForeign prints which files of a build are not C.
func noteForeign(w io.Writer, foreign []string) {
	if n := len(foreign); n > 0 {
		fmt.Fprintf(w, "gulo: %s %s not C: linked as its build compiled it, so %s functions are not shown, and cannot be run on the machine\n", some(foreign), plural.Verb(n, "is", "are"), plural.Verb(n, "its", "their"))
	}
}

// noteLost prints which files are missing from the program.
func noteLost(w io.Writer, lost, gone []string) {
	if n := len(lost); n > 0 {
		fmt.Fprintf(w, "gulo: %s %s not C, and %s not found: what %s defined is missing from the program; rebuild everything under gulo, as in: gulo debug -- make -B\n", strings.Join(lost, ", "),
			plural.Verb(n, "is", "are"), plural.Verb(n, "its object is", "their objects are"), plural.Verb(n, "it", "they"))
	}
	if n := len(gone); n > 0 {
		fmt.Fprintf(w, "gulo: %s %s not there any more: what %s defined is missing from the program\n", strings.Join(gone, ", "), plural.Verb(n, "is", "are"), plural.Verb(n, "it", "they"))
	}
}

// some names the first file and counts the others.
func some(files []string) string {
	if n := len(files) - 1; n > 0 {
		return fmt.Sprintf("%s and %s", files[0], plural.N(n, "other file"))
	}
	return files[0]
}

// onSources are the commands that take gcc's flags.
var onSources = map[string]bool{"debug": true, "run": true, "fix": true, "locate": true, "explore": true, "check": true, "inject": true, "web": true, "why-opaque": true}

// gccFlags rewrites gcc's flags that gulo has no flag for as values of --cflag.
func gccFlags(args []string) []string {
	if len(args) == 0 || !onSources[args[0]] {
		return args
	}
	out := []string{args[0]}
	for i := 1; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(out, args[i:]...)
		}
		switch {
		case a == "-include" || a == "-imacros" || a == "-isystem" || a == "-iquote" || a == "-idirafter":
			out = append(out, "--cflag="+a)
			if i+1 < len(args) {
				i++
				out = append(out, "--cflag="+args[i])
			}
		case isGccFlag(a):
			out = append(out, "--cflag="+a)
		default:
			out = append(out, a)
		}
	}
	return out
}

func isGccFlag(a string) bool {
	switch a {
	case "-ansi", "-pthread", "-w", "-g", "-O", "-pedantic", "-nostdinc", "-undef", "-trigraphs":
		return true
	}
	if len(a) < 3 || a[0] != '-' || a[1] == '-' {
		return false
	}
	return strings.HasPrefix(a, "-std=") || strings.IndexByte("fmWOglL", a[1]) >= 0 || strings.HasPrefix(a, "-pedantic") || strings.HasPrefix(a, "-isystem") || strings.HasPrefix(a, "-include")
}
