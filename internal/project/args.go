package project

import (
	"gulo/internal/process"
	"gulo/internal/source"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file parses the command lines of compilers.

// run is a parsed command.
type run struct {
	dir     string
	tool    string   // cc, c++ or ar; "" for others
	stop    byte     // c, S or E if the command stops before linking; 0 if it links
	shared  bool     // it makes a shared library
	output  string   // as given on the command line
	flags   []string // flags that change how a file is compiled
	left    []string // dropped flags: those of sanitizers
	link    []string // flags for the linker, with the inputs in their places
	sources []string // C files, as given on the command line
	foreign []string // files in other languages
	made    int64    // as Command.Made
	since   int64    // as Database.since
	earlier bool     // from a build before the watched one
}

// with has the flags whose value is the next word.
var with = map[string]bool{
	"-o": true, "-x": true, "-I": true, "-D": true, "-U": true, "-include": true, "-imacros": true, "-isystem": true, "-iquote": true,
	"-idirafter": true, "-iprefix": true, "-iwithprefix": true, "-isysroot": true, "-MF": true, "-MT": true, "-MQ": true, "-Xlinker": true,
	"-Xassembler": true, "-Xpreprocessor": true, "-T": true, "-u": true, "-z": true, "--param": true, "-aux-info": true, "-L": true, "-l": true,
	"-arch": true, "-B": true, "-dumpbase": true, "-dumpdir": true, "-target": true,
}

// reads has those flags of with that change how a file is read.
var reads = []string{"-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix", "-iwithprefix", "-isysroot", "-Xpreprocessor", "--param", "-B"}

// toolOf recognizes compilers and ar by their names, which may include a version and a target; "" for others.
func toolOf(path string) string {
	name := filepath.Base(path)
	for _, part := range strings.Split(name, "-") {
		switch part {
		case "gcc", "cc", "c99", "c89", "c17", "clang", "tcc", "icc":
			if strings.HasSuffix(name, "-ar") || strings.HasSuffix(name, "-ranlib") || strings.HasSuffix(name, "-nm") {
				continue
			}
			return "cc"
		}
	}
	if name == "ar" || strings.HasSuffix(name, "-ar") {
		return "ar"
	}
	if name == "g++" || name == "c++" || strings.HasSuffix(name, "-g++") || strings.HasPrefix(name, "clang++") || strings.HasPrefix(name, "g++-") {
		return "c++"
	}
	return ""
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".c") || strings.HasSuffix(name, ".i")
}

// isForeign reports whether a file name is that of a source file in a language other than C.
func isForeign(name string) bool {
	return slices.Contains([]string{".cc", ".cpp", ".cxx", ".c++", ".C", ".s", ".S", ".asm", ".f", ".f90", ".m", ".mm"}, filepath.Ext(name))
}

// wrapsCompilers are programs that run a compiler given as their arguments.
var wrapsCompilers = map[string]bool{"ccache": true, "sccache": true, "distcc": true, "icecc": true, "buildcache": true}

// compiler removes what precedes the compiler in a command: a wrapper such as ccache, or assignments to the
// environment. libtool is the mode if libtool was called; tool is "" if there is no compiler.
func compiler(args []string) (tool string, rest []string, libtool string) {
	for len(args) > 0 && tool == "" {
		tool = toolOf(args[0])
		switch flag := strings.HasPrefix(args[0], "-"); {
		case strings.HasSuffix(filepath.Base(args[0]), "libtool"):
			libtool = "?"
		case flag && libtool == "":
			return "", nil, ""
		case flag:
			if mode, ok := strings.CutPrefix(args[0], "--mode="); ok {
				libtool = mode
			}
		}
		args = args[1:]
	}
	return tool, args, libtool
}

// besideList returns the object that libtool makes for output x.lo: .libs/x.o, with code for a shared library, if it
// exists, or else x.o. Other outputs are returned as they are.
func besideList(dir, output string) string {
	base, ok := strings.CutSuffix(output, ".lo")
	if !ok {
		return output
	}
	at := filepath.Join(filepath.Dir(base), ".libs", filepath.Base(base)+".o")
	if _, err := os.Stat(join(dir, at)); err != nil {
		return base + ".o"
	}
	return at
}

// parse parses a command.
func parse(c *Command) run {
	r := run{dir: c.Directory}
	tool, args, libtool := compiler(c.Arguments)
	if r.tool = tool; tool == "" || libtool != "" && libtool != "compile" {
		r.tool = "" // libtool's own calls of compilers follow
		return r
	}
	if r.tool == "ar" {
		r.archive(args)
		return r
	}
	args = respond(c.Directory, args, 0)
	language := ""
	for i := 0; i < len(args); i++ {
		a := args[i]
		value := ""
		if with[a] {
			if i++; i >= len(args) {
				break
			}
			value = args[i]
		}
		switch {
		case a == "-o":
			r.output = value
		case a == "-x":
			language = value
		case a == "-c" || a == "-S" || a == "-E":
			r.stop = a[1]
		case a == "-M" || a == "-MM" || a == "-fsyntax-only":
			r.stop = 'E'
		case a == "-shared":
			r.shared = true
		case a == "-L" || a == "-l":
			r.link = append(r.link, a+value)
		case value != "" && slices.Contains(reads, a):
			r.flags = append(r.flags, a, value)
		case a == "-Xlinker" || a == "-u" || a == "-z" || a == "-T":
			r.link = append(r.link, a, value)
		case value != "":
		case strings.HasPrefix(a, "-"):
			r.flag(a)
		case isSource(a) && (language == "" || language == "none" || language == "c"):
			r.sources = append(r.sources, a)
			r.link = append(r.link, a)
		default:
			if isForeign(a) {
				r.foreign = append(r.foreign, a)
			}
			r.link = append(r.link, a)
		}
	}
	if libtool != "" {
		r.output = besideList(r.dir, r.output)
	}
	return r
}

// Sanitizer reports whether a flag is about the checks of a sanitizer.
func Sanitizer(flag string) bool {
	return strings.HasPrefix(flag, "-fsanitize") || strings.HasPrefix(flag, "-fno-sanitize")
}

// flag sorts a flag of one word.
func (r *run) flag(a string) {
	switch {
	case a == "-pthread":
		r.flags, r.link = append(r.flags, a), append(r.link, a)
	case strings.HasPrefix(a, "-l") || strings.HasPrefix(a, "-L") || a == "-rdynamic":
		r.link = append(r.link, a)
	case strings.HasPrefix(a, "-Wl,"):
		if a != "-Wl,-s" && a != "-Wl,--strip-all" {
			r.link = append(r.link, a)
		}
	case a == "-s" || a == "-static" || a == "-pie" || a == "-no-pie" || a == "-static-pie" || strings.HasPrefix(a, "-fuse-ld"):
	case strings.HasPrefix(a, "-M") || strings.HasPrefix(a, "-Wp,-M") || strings.HasPrefix(a, "-save-temps"): // flags that write dependencies
	case Sanitizer(a):
		r.left = append(r.left, a)
	case a == "-pg" || a == "-p" || a == "--coverage" || strings.HasPrefix(a, "-fprofile") || strings.HasPrefix(a, "-ftest-coverage") ||
		strings.HasPrefix(a, "-flto") || strings.HasPrefix(a, "-fdump") || a == "-pipe" || a == "-v" || a == "-gsplit-dwarf":
		// these would add other code to the program
	default:
		r.flags = append(r.flags, a)
	}
}

// archive parses the arguments of ar that add members to a library.
func (r *run) archive(args []string) {
	for len(args) > 0 && strings.HasPrefix(args[0], "--") {
		args = args[1:]
	}
	if len(args) < 2 || !strings.ContainsAny(strings.TrimPrefix(args[0], "-"), "rq") {
		r.tool = ""
		return
	}
	r.output = args[1]
	r.link = respond(r.dir, args[2:], 0)
}

// respond replaces response files (@file) by the words in them.
func respond(dir string, args []string, depth int) []string {
	var out []string
	for _, a := range args {
		name, ok := strings.CutPrefix(a, "@")
		if !ok || depth > 8 {
			out = append(out, a)
			continue
		}
		f, err := source.ReadFile(join(dir, name))
		if err != nil {
			out = append(out, a)
			continue
		}
		if ws, err := process.Words(string(f.Text)); err == nil {
			out = append(out, respond(dir, ws, depth+1)...)
		}
	}
	return out
}

func join(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}
