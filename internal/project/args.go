package project

import (
	"gulo/internal/process"
	"gulo/internal/source"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file takes command lines of compilers apart.

// run is a command taken apart.
type run struct {
	dir     string
	tool    string   // cc or ar; "" for others
	stop    byte     // c, S, E: what ends before linking; 0 links
	shared  bool     // makes a library that is loaded at run time
	output  string   // as given
	flags   []string // of the compiler: what changes how a file is read
	left    []string // of sanitizers
	link    []string // of the linker, with the inputs in their places
	sources []string // C files, as given
	foreign []string // files of other languages
	made    int64    // as Command.Made
	since   int64    // as Database.since
	earlier bool     // of a build before the one that was watched
}

// with are flags whose value is the next word.
var with = map[string]bool{
	"-o": true, "-x": true, "-I": true, "-D": true, "-U": true, "-include": true, "-imacros": true, "-isystem": true, "-iquote": true,
	"-idirafter": true, "-iprefix": true, "-iwithprefix": true, "-isysroot": true, "-MF": true, "-MT": true, "-MQ": true, "-Xlinker": true,
	"-Xassembler": true, "-Xpreprocessor": true, "-T": true, "-u": true, "-z": true, "--param": true, "-aux-info": true, "-L": true, "-l": true,
	"-arch": true, "-B": true, "-dumpbase": true, "-dumpdir": true, "-target": true,
}

// reads are those of them that change how a file is read.
var reads = []string{"-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix", "-iwithprefix", "-isysroot", "-Xpreprocessor", "--param", "-B"}

// toolOf tells compilers and ar by their names; a version or a target may stand around.
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

// isForeign reports whether a file is, by its name, in a language that is compiled to objects and is not C.
func isForeign(name string) bool {
	return slices.Contains([]string{".cc", ".cpp", ".cxx", ".c++", ".C", ".s", ".S", ".asm", ".f", ".f90", ".m", ".mm"}, filepath.Ext(name))
}

// wrapsCompilers are programs that are given a compiler with its arguments.
var wrapsCompilers = map[string]bool{"ccache": true, "sccache": true, "distcc": true, "icecc": true, "buildcache": true}

// compiler takes what stands in front of a compiler off its command: a wrapper such as ccache, the assignments of an
// environment. libtool says that libtool stood there, with which mode; tool is "" where there is no compiler.
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

// besideList is the object that libtool makes for the list x.lo that it is asked for: with code for a library, .libs/x.o,
// or, where it makes only one for programs, x.o.
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

// parse takes a command apart.
func parse(c *Command) run {
	r := run{dir: c.Directory}
	tool, args, libtool := compiler(c.Arguments)
	if r.tool = tool; tool == "" || libtool != "" && libtool != "compile" {
		r.tool = "" // what libtool links, it says in calls of its own
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

// Sanitizer reports whether a flag puts the checks of a sanitizer into a program.
func Sanitizer(flag string) bool {
	return strings.HasPrefix(flag, "-fsanitize") || strings.HasPrefix(flag, "-fno-sanitize")
}

// flag sorts a flag that is one word.
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
	case strings.HasPrefix(a, "-M") || strings.HasPrefix(a, "-Wp,-M") || strings.HasPrefix(a, "-save-temps"): // dependencies
	case Sanitizer(a):
		r.left = append(r.left, a)
	case a == "-pg" || a == "-p" || a == "--coverage" || strings.HasPrefix(a, "-fprofile") || strings.HasPrefix(a, "-ftest-coverage") ||
		strings.HasPrefix(a, "-flto") || strings.HasPrefix(a, "-fdump") || a == "-pipe" || a == "-v" || a == "-gsplit-dwarf":
		// what would put other code into the program
	default:
		r.flags = append(r.flags, a)
	}
}

// archive reads the arguments of ar: members that go into a library.
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

// respond puts the words of response files in their places.
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
