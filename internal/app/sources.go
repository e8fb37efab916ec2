package app

import (
	"strings"

	"gulo/internal/cfront"

	"github.com/spf13/cobra"
)

// This file is the compiler flags that commands on C files take, as gcc takes them.

// sourceFlags are flags in the order in which they were given: it matters to gcc.
type sourceFlags struct {
	list []string
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

func (f *sourceFlags) register(c *cobra.Command) {
	c.Flags().VarP(flagValue{&f.list, "-I"}, "include", "I", "`DIR`: a directory to search for header files")
	c.Flags().VarP(flagValue{&f.list, "-D"}, "define", "D", "`NAME`: a macro to define, NAME or NAME=VALUE")
	c.Flags().VarP(flagValue{&f.list, "-U"}, "undefine", "U", "`NAME`: a macro to undefine")
	c.Flags().Var(flagValue{&f.list, ""}, "cflag", "`FLAG`: another flag for gcc; -std=... -include FILE -isystem DIR -f... -m... -pthread -l... may be given directly")
}

func (f *sourceFlags) options() cfront.Options {
	var flags []string
	for _, x := range f.list {
		if !strings.HasPrefix(x, "-fsanitize") { // puts other code into the program; memory errors are found anyway
			flags = append(flags, x)
		}
	}
	return cfront.Options{Flags: flags}
}

// onSources are the commands that take flags of gcc's.
var onSources = map[string]bool{"debug": true, "run": true, "fix": true, "locate": true, "explore": true, "check": true, "inject": true, "web": true, "why-opaque": true}

// gccFlags writes gcc's flags that are no letters of ours as values of --cflag.
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
