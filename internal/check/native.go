package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"gulo/internal/process"
	"gulo/internal/rules"
	"gulo/internal/rules/gen"
	"gulo/internal/rules/rt"
	"gulo/internal/source"
)

// This file builds native memory debuggers. The generated detectors and the runtime are compiled once for each set of
// rules and kept in the user's cache.

// ToolError says that a tool is missing or failed.
type ToolError struct{ Text string }

func (e *ToolError) Error() string { return e.Text }

// rejected is what clang says of a program that it does not compile.
type rejected struct{ error }

func (e rejected) Unwrap() error { return e.error }

// Rejected reports whether an error is clang's about a program that gcc may take all the same, such as one with nested
// functions, and that the machine may run.
func Rejected(err error) bool {
	var e rejected
	return errors.As(err, &e)
}

// lacking is a ToolError for a tool that is not installed.
type lacking struct{ *ToolError }

func (e lacking) Unwrap() error { return e.ToolError }

// Lacks reports whether an error means that native debuggers cannot be built here. The machine still works.
func Lacks(err error) bool { return errors.As(err, new(lacking)) }

// Clang is the compiler that native debuggers are built with.
const Clang = "clang-19"

// Debugger is a built native debugger, ready to be linked into programs.
type Debugger struct {
	Dir    string
	Output *gen.Output

	instrument string
}

// Build makes the native debugger for rules. With strict, uninitialized memory is reported where it is read, otherwise
// where the value is used.
func Build(ctx context.Context, files []*rules.File, names map[string]string, strict bool) (*Debugger, error) {
	out, err := Generate(files, names)
	if err != nil {
		return nil, err
	}
	out.Config.AtRead = strict
	d := &Debugger{Output: out}
	if _, err := exec.LookPath(Clang); err != nil {
		return nil, lacking{&ToolError{"native memory debuggers need " + Clang + "; install it with: apt-get install " + Clang}}
	}
	if d.instrument, err = Instrumenter(); err != nil {
		return nil, err
	}
	src, sum, err := sources(out)
	if err != nil {
		return nil, err
	}
	if d.Dir, err = kept("debugger-" + sum); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(d.Dir, "done")); err == nil {
		return d, nil
	}
	return d, d.compile(ctx, src)
}

// kept returns the folder where a debugger is cached, or a temporary folder of this process if the user has no writable
// cache.
func kept(name string) (string, error) {
	if cache, err := os.UserCacheDir(); err == nil {
		parent := filepath.Join(cache, "gulo")
		at := filepath.Join(parent, name)
		if _, err := os.Stat(filepath.Join(at, "done")); err == nil {
			return at, nil
		}
		if os.MkdirAll(parent, 0o755) == nil && unix.Access(parent, unix.W_OK|unix.X_OK) == nil {
			return at, nil
		}
	}
	tmp, err := process.TempDir("gulo-debugger-")
	if err != nil {
		return "", &ToolError{err.Error()}
	}
	return filepath.Join(tmp, name), nil
}

// Generate generates the native debugger of rules.
func Generate(files []*rules.File, names map[string]string) (*gen.Output, error) {
	if names["ts"] == "" {
		files = withoutTS(files)
	}
	out, err := gen.Generate(files, names)
	if err != nil {
		return nil, &UsageError{Text: err.Error(), cause: err}
	}
	return out, nil
}

// withoutTS drops the rules about the function of --ts, which was not given.
func withoutTS(files []*rules.File) []*rules.File {
	var out []*rules.File
	for _, f := range files {
		some := *f
		some.Rules = slices.DeleteFunc(slices.Clone(f.Rules), func(r *rules.Rule) bool { return r.Point.Func == "ts" })
		out = append(out, &some)
	}
	return out
}

// runtimeFiles are linked into every program, in addition to the detectors.
var runtimeFiles = []string{"blocks.c", "runtime.c", "stack.c", "reach.c", "report.c", "model.c", "system.c", "format.c", "sort.c", "trace.c", "crash.c"}

// Instrumenter finds gulo-instrument: next to gulo, where Debian's package installs it (lib/gulo next to gulo's bin),
// or on the PATH.
func Instrumenter() (string, error) {
	if p := os.Getenv("GULO_INSTRUMENT"); p != "" {
		return p, nil
	}
	if self, err := os.Executable(); err == nil {
		for _, dir := range []string{".", "../lib/gulo"} {
			p := filepath.Join(filepath.Dir(self), dir, "gulo-instrument")
			if _, err := os.Stat(p); err == nil {
				return p, nil
			}
		}
	}
	p, err := exec.LookPath("gulo-instrument")
	if err != nil {
		return "", lacking{&ToolError{"native memory debuggers need gulo-instrument; install clang-19 and llvm-19-dev and run make instrument"}}
	}
	return p, nil
}

// sources returns the files to compile, and a checksum that identifies them.
func sources(out *gen.Output) (map[string][]byte, string, error) {
	src := map[string][]byte{"detectors.c": []byte(out.Detectors), "config.json": out.Config.JSON(), "library": libraryNames()}
	h := sha256.New()
	for _, n := range append([]string{"gulo.h", "inline.c"}, runtimeFiles...) {
		text, err := rt.Files.ReadFile("src/" + n)
		if err != nil {
			return nil, "", err
		}
		src[n] = text
		h.Write(text)
	}
	h.Write(src["detectors.c"])
	h.Write(src["config.json"])
	h.Write(src["library"])
	return src, hex.EncodeToString(h.Sum(nil))[:16], nil
}

// libraryNames lists the functions that the C library exports.
func libraryNames() []byte {
	names := map[string]bool{}
	for _, n := range []string{"libc.so.6", "libm.so.6"} {
		for _, dir := range []string{"/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib"} {
			f, err := elf.Open(filepath.Join(dir, n))
			if err != nil {
				continue
			}
			list, _ := f.DynamicSymbols()
			f.Close()
			for _, s := range list {
				if t := elf.ST_TYPE(s.Info); s.Section != elf.SHN_UNDEF && (t == elf.STT_FUNC || t == elf.STT_GNU_IFUNC) {
					names[s.Name] = true
				}
			}
			break
		}
	}
	return []byte(strings.Join(slices.Sorted(maps.Keys(names)), "\n") + "\n")
}

func (d *Debugger) compile(ctx context.Context, src map[string][]byte) error {
	parent := filepath.Dir(d.Dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return &ToolError{err.Error()}
	}
	tmp, err := os.MkdirTemp(parent, "new-")
	if err != nil {
		return &ToolError{err.Error()}
	}
	defer os.RemoveAll(tmp)
	for n, text := range src {
		if err := os.WriteFile(filepath.Join(tmp, n), text, 0o644); err != nil {
			return &ToolError{err.Error()}
		}
	}
	flags := []string{"-O2", "-fPIE", "-w", "-fno-builtin", "-DGULO_SAME=gulo_compile_this_again_" + strings.TrimPrefix(filepath.Base(d.Dir), "debugger-")}
	for name, on := range map[string]bool{"CHAINS": d.Output.Config.Chains, "WRITTEN": d.Output.Config.Written, "TIMES": d.Output.Config.Times} {
		if on {
			flags = append(flags, "-DGULO_"+name)
		}
	}
	list := append([]string{inlined, inlinedInProgram, "detectors.c"}, runtimeFiles...)
	err = process.Parallel(ctx, runtime.GOMAXPROCS(0), len(list), func(ctx context.Context, i int) error {
		n := list[i]
		args := append([]string{"-DGULO_IN_PROGRAM", "-c", n, "-o", strings.TrimSuffix(n, ".c") + ".o"}, flags...)
		if n == inlined || n == inlinedInProgram {
			args = append([]string{"-c", "-emit-llvm", "inline.c", "-o", n, "-O1", "-fPIC", "-w"}, flags[4:]...)
		}
		if n == inlinedInProgram {
			args = append(args, "-DGULO_IN_PROGRAM")
		}
		return run(ctx, tmp, nil, Clang, args...)
	})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(tmp, "done"), nil, 0o644); err != nil {
		return &ToolError{err.Error()}
	}
	if err := os.Rename(tmp, d.Dir); err != nil {
		if _, serr := os.Stat(filepath.Join(d.Dir, "done")); serr == nil {
			return nil // another gulo built it first
		}
		return &ToolError{err.Error()}
	}
	return nil
}

// What is inlined into instrumented code: for any code, and for code that can only become part of a program, which
// reaches the threads' own variables faster.
const (
	inlined          = "inline.bc"
	inlinedInProgram = "inline-program.bc"
)

// inlinedFor returns which of these code with a compiler's flags gets.
func inlinedFor(flags []string) string {
	for _, f := range flags {
		if f == "-fPIC" || f == "-fpic" {
			return inlined
		}
	}
	return inlinedInProgram
}

// Objects returns the objects that are linked into a program in addition to its own.
func (d *Debugger) Objects() []string {
	var out []string
	for _, n := range append([]string{"detectors.c"}, runtimeFiles...) {
		out = append(out, filepath.Join(d.Dir, strings.TrimSuffix(n, ".c")+".o"))
	}
	return out
}

// run runs a tool. If it fails, the error is its output.
func run(ctx context.Context, dir string, env []string, tool string, args ...string) error {
	_, err := saying(ctx, dir, env, tool, args...)
	return err
}

// saying is run, and also returns the output of a tool that succeeds.
func saying(ctx context.Context, dir string, env []string, tool string, args ...string) (string, error) {
	c := process.Command(ctx, tool, args...)
	c.Dir = dir
	c.Env = append(c.Env, env...)
	remove, err := process.Scratch(c)
	if err != nil {
		return "", err
	}
	defer remove()
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil {
		if out.Len() > 0 {
			return "", &source.Error{List: []source.Diagnostic{{Message: strings.TrimSpace(out.String()), Raw: true}}}
		}
		return "", &ToolError{fmt.Sprintf("%s: %v", tool, err)}
	}
	return out.String(), nil
}

// asGCC keeps clang from rejecting what gcc accepts with a warning: undeclared functions, implicit int, integers for
// pointers, return without a value. The user's own flags follow and take precedence.
var asGCC = []string{
	"-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion",
	"-Wno-error=incompatible-function-pointer-types", "-Wno-error=return-type", "-Wno-error=return-mismatch",
}

// clangChecks are the checks of clang that gulo-instrument turns into its own (bounds.go, null.go).
const clangChecks = "array-bounds,nonnull-attribute,returns-nonnull-attribute"

// Compile compiles one C file to an object with the debugger's instrumentation. flags are the compiler flags for this
// file.
func (d *Debugger) Compile(ctx context.Context, dir, file, obj string, flags []string) error {
	tmp, err := process.TempDir("gulo-cc-")
	if err != nil {
		return &ToolError{err.Error()}
	}
	defer os.RemoveAll(tmp)
	bc, done := filepath.Join(tmp, "in.bc"), filepath.Join(tmp, "out.bc")
	front := append(slices.Clone(asGCC), slices.DeleteFunc(slices.Clone(flags), func(f string) bool { return f == "-w" })...)
	front = append(front, "-O1", "-Xclang", "-disable-llvm-passes", "-g", "-fno-discard-value-names", "-fno-builtin", "-fno-delete-null-pointer-checks", "-fsanitize="+clangChecks, "-fsanitize-trap="+clangChecks, "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=0", "-D__NO_INLINE__=1")
	if err := frontEnd(ctx, dir, file, bc, front); err != nil {
		var e *source.Error
		if errors.As(err, &e) {
			return rejected{err}
		}
		return err
	}
	args := []string{"-config", filepath.Join(d.Dir, "config.json"), "-inline", filepath.Join(d.Dir, inlinedFor(flags)), "-library", filepath.Join(d.Dir, "library"), "-o", done}
	if folder := os.Getenv("GULO_TRACE_INFO"); folder != "" {
		sum := sha256.Sum256([]byte(dir + "\x00" + file + "\x00" + obj))
		args = append(args, "-trace", filepath.Join(folder, hex.EncodeToString(sum[:8])+".json"))
	}
	if err := run(ctx, dir, nil, d.instrument, append(args, bc)...); err != nil {
		return err
	}
	back := []string{"-O2", "-mllvm", "-enable-nontrivial-unswitch", "-mllvm", "-unswitch-threshold=300", "-g", "-w", "-fno-builtin", "-c", done, "-o", obj}
	for _, f := range flags {
		if strings.HasPrefix(f, "-fPIC") || strings.HasPrefix(f, "-fpic") || strings.HasPrefix(f, "-fPIE") || strings.HasPrefix(f, "-m") {
			back = append(back, f)
		}
	}
	return run(ctx, dir, nil, Clang, back...)
}
