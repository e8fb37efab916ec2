package check

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"gulo/internal/process"
)

// This file is gulo cc: a compiler as make and configure expect one. C files are compiled with instrumentation;
// everything else is passed to clang.

// invocation is the parsed command line of a compiler.
type invocation struct {
	sources []string
	flags   []string // for compiling
	all     []string // for linking: everything but sources, in order; an empty string stands for each source
	output  string
	compile bool // -c
	other   bool // -E, -S, -M, --version, no input ...: passed to clang
	shared  bool
}

// takesArgument lists flags whose argument is the next word.
var takesArgument = map[string]bool{
	"-o": true, "-I": true, "-D": true, "-U": true, "-include": true, "-isystem": true, "-idirafter": true, "-iquote": true, "-L": true, "-l": true, "-x": true,
	"-MF": true, "-MT": true, "-MQ": true, "-Xlinker": true, "-Xclang": true, "-u": true, "-T": true, "-arch": true, "-Xpreprocessor": true, "-imacros": true, "-z": true,
}

func parseArgs(args []string) *invocation {
	v := &invocation{}
	for i := 0; i < len(args); i++ {
		a := args[i]
		arg := ""
		if takesArgument[a] && i+1 < len(args) {
			i++
			arg = args[i]
		}
		switch {
		case a == "-o":
			v.output = arg
			continue
		case a == "-c":
			v.compile = true
			continue
		case a == "-E" || a == "-S" || a == "-M" || a == "-MM" || a == "-fsyntax-only" || a == "--version" || a == "-v" || a == "-dumpmachine" || strings.HasPrefix(a, "-print"):
			v.other = true
		case a == "-shared":
			v.shared = true
		case !strings.HasPrefix(a, "-") && strings.HasSuffix(a, ".c"):
			v.sources = append(v.sources, a)
			v.all = append(v.all, "")
			continue
		case strings.HasPrefix(a, "-O"), strings.HasPrefix(a, "-g"), a == "-flto", strings.HasPrefix(a, "-flto="), strings.HasPrefix(a, "-fsanitize"):
			continue // the debugger has a check of its own
		}
		v.all = append(v.all, a)
		if arg != "" {
			v.all = append(v.all, arg)
		}
		if forCompiler(a) {
			v.flags = append(v.flags, a)
			if arg != "" {
				v.flags = append(v.flags, arg)
			}
		}
	}
	v.other = v.other || len(v.sources) == 0 && v.compile
	return v
}

// forCompiler reports whether a flag concerns compiling.
func forCompiler(a string) bool {
	if !strings.HasPrefix(a, "-") || a == "-shared" || a == "-static" || a == "-pie" || a == "-no-pie" || a == "-rdynamic" || a == "-s" {
		return false
	}
	for _, p := range []string{"-l", "-L", "-Wl,", "-Xlinker", "-u", "-T", "-z"} {
		if strings.HasPrefix(a, p) {
			return false
		}
	}
	return true
}

// CC does what a compiler called with args does, but with instrumentation. It returns the exit status.
func CC(ctx context.Context, d *Debugger, args []string) (int, error) {
	v := parseArgs(args)
	if v.other || strings.HasPrefix(filepath.Base(first(v.sources)), "conftest") { // configure tests the system with such a file
		return pass(ctx, args)
	}
	tmp, err := process.TempDir("gulo-cc-")
	if err != nil {
		return 0, &ToolError{err.Error()}
	}
	defer os.RemoveAll(tmp)
	var objs []string
	for i, s := range v.sources {
		obj := filepath.Join(tmp, strings.TrimSuffix(filepath.Base(s), ".c")+string(rune('a'+i%26))+".o")
		if v.compile {
			obj = v.output
			if obj == "" {
				obj = strings.TrimSuffix(filepath.Base(s), ".c") + ".o"
			}
		}
		if v.shared {
			v.flags = append(v.flags, "-fPIC") // unless it is there, the code can only become part of a program
		}
		if err := d.Compile(ctx, "", s, obj, v.flags); err != nil {
			return 1, err
		}
		objs = append(objs, obj)
	}
	if v.compile {
		return 0, nil
	}
	link := []string{}
	if !v.shared {
		link = append(link, d.Objects()...) // first, since .preinit_array keeps this order
	}
	k := 0
	for _, a := range v.all {
		if a == "" {
			a = objs[k]
			k++
		}
		link = append(link, a)
	}
	if v.output != "" {
		link = append(link, "-o", v.output)
	}
	return pass(ctx, link)
}

func first(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return s[0]
}

// pass runs clang with the same arguments.
func pass(ctx context.Context, args []string) (int, error) {
	c := process.Program(ctx, Clang, args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := c.Run()
	if c.ProcessState == nil {
		return 0, &ToolError{err.Error()}
	}
	return c.ProcessState.ExitCode(), nil
}
