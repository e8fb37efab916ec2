package gdb

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/process"
	"gulo/internal/source"
)

// This file compiles the program for debugging: with the user's own flags and ours behind
// them, so that every variable is in memory where the debug information says. What
// __LINE__ and assert say is untouched.

//go:embed runtime/alloc.c
var allocSource []byte

var compileFlags = []string{"-O0", "-g", "-gdwarf-4", "-gno-as-locview-support", "-gcolumn-info", "-gno-split-dwarf", "-fno-lto", "-fno-stack-protector", "-fcf-protection=none",
	"-fno-pie", "-fno-pic", "-fno-omit-frame-pointer", "-mno-red-zone", "-fno-stack-clash-protection", "-w", "-pipe", inMemory}

// inMemory makes gcc keep variables in memory that are declared as register: without optimization those alone are in
// registers. A file that names the register, as in register long a asm("rdi"), needs the word.
const inMemory = "-Dregister="

// build compiles and links the program into dir and returns the binary's path.
func build(ctx context.Context, p *lower.Program, files []string, opt cfront.Options, dir string) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	objs := make([]string, len(files)+1)
	errs := make([]error, len(files)+1)
	store := openCache()
	err := process.Parallel(ctx, runtime.GOMAXPROCS(0), len(objs), func(ctx context.Context, i int) error {
		objs[i] = filepath.Join(dir, fmt.Sprintf("f%d.o", i))
		if i == len(files) {
			errs[i] = store.make(store.key(allocSource), objs[i], func() error { return compileAlloc(ctx, dir, objs[i]) })
			return nil
		}
		u := opt.Unit(files[i])
		digest := p.Tree.Digest[files[i]]
		var key string
		if digest != "" && (len(files) >= keepFiles || size(files[i]) >= keepBytes) {
			key = store.unit(&u, digest)
		}
		errs[i] = store.make(key, objs[i], func() error { return compile(ctx, &u, objs[i]) })
		return nil // what is wrong with the other files is said, too
	})
	if err != nil {
		return "", err
	}
	if err := errors.Join(errs...); err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "program")
	return bin, gcc(ctx, nil, slices.Concat([]string{"-o", bin}, objs, opt.Link, libraries(opt.Flags), []string{"-Wl,--wrap=pthread_create,--wrap=thrd_create", "-lm", "-no-pie"})...)
}

// Compile returns a function for Options.Accept (package cfront), which compiles a file before the
// program is built and keeps the object, so that the build finds it. Instead of compiling, it takes the
// object of the program's own build if that can be used. Compile returns nil if objects are not kept.
func Compile() func(ctx context.Context, u cfront.Unit, digest string, texts []string) error {
	store := openCache()
	if store.dir == "" {
		return nil
	}
	return func(ctx context.Context, u cfront.Unit, digest string, texts []string) error {
		dir, err := process.TempDir("gulo-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		key := ""
		if digest != "" {
			key = store.unit(&u, digest)
		}
		obj := filepath.Join(dir, "f.o")
		return store.make(key, obj, func() error {
			if own(ctx, &u, texts, obj) {
				return nil
			}
			return compile(ctx, &u, obj)
		})
	}
}

// Objects are kept of programs of at least keepFiles files, and of files of at least keepBytes
// bytes: others are compiled in no time.
const (
	keepFiles = 4
	keepBytes = 50_000
)

func size(name string) int64 {
	st, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return st.Size()
}

func compileAlloc(ctx context.Context, dir, obj string) error {
	alloc := filepath.Join(dir, "gulo-alloc.c")
	if err := os.WriteFile(alloc, allocSource, 0o600); err != nil {
		return err
	}
	return gcc(ctx, nil, "-O1", "-w", "-fno-builtin", "-fno-pie", "-c", alloc, "-o", obj)
}

// libraries are the flags that the linker needs, too.
func libraries(flags []string) []string {
	var out []string
	for _, f := range flags {
		if strings.HasPrefix(f, "-l") || strings.HasPrefix(f, "-L") || f == "-pthread" {
			out = append(out, f)
		}
	}
	return out
}

func gcc(ctx context.Context, stdin []byte, args ...string) error {
	_, err := gccOutput(ctx, "", stdin, args...)
	return err
}

func gccOutput(ctx context.Context, dir string, stdin []byte, args ...string) ([]byte, error) {
	cmd := process.Command(ctx, "gcc", args...)
	cmd.Dir = dir
	remove, err := process.Scratch(cmd)
	if err != nil {
		return nil, err
	}
	defer remove()
	var out, errOut bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &errOut
	if err := cmd.Run(); err != nil {
		if died := process.Died("gcc", err, errOut.Bytes()); died != nil && ctx.Err() == nil {
			return nil, died
		}
		if errOut.Len() > 0 {
			return nil, &source.Error{List: []source.Diagnostic{{Message: strings.TrimSpace(errOut.String()), Raw: true}}}
		}
		return nil, &cfront.ToolError{Tool: "gcc", Err: err}
	}
	return out.Bytes(), nil
}

func compile(ctx context.Context, u *cfront.Unit, obj string) error {
	args := slices.Concat(u.Flags, compileFlags, []string{"-S", "-o", "-", "-x", "c", u.Name})
	asm, err := gccOutput(ctx, u.Dir, nil, args...)
	if err != nil && ctx.Err() == nil {
		asm, err = gccOutput(ctx, u.Dir, nil, slices.DeleteFunc(args, func(a string) bool { return a == inMemory })...)
	}
	if err != nil {
		return err
	}
	return gcc(ctx, fillFrames(asm), "-x", "assembler", "-c", "-", "-o", obj)
}

// What gcc writes where a function has its frame, and where it makes room for an array of variable
// length, or for alloca: %rax bytes.
const (
	framed = "\tmovq\t%rsp, %rbp\n"
	grown  = "\tsubq\t%rax, %rsp\n"
)

// fillFrames makes every function begin with target.Fill in all its locals, and fills every array of
// variable length when it is made, so that what an earlier call left on the stack is never taken for a
// local's value. gcc's -ftrivial-auto-var-init=pattern is no substitute: it fills when a declaration is
// reached, and it makes a _Bool 0. %r11 is free in a prologue; %al, which counts a variadic call's
// vectors, is kept.
func fillFrames(asm []byte) []byte {
	out := make([]byte, 0, len(asm)+len(asm)/8)
	k := 0
	framing := false // between the two instructions that make a frame
	for line := range bytes.Lines(asm) {
		out = append(out, line...)
		switch {
		case string(line) == grown:
			k++
			out = fmt.Appendf(out, "\tmovq\t%%rax, %%r11\n\tshrq\t$2, %%r11\n\tjz\t.Lgulo_filled%d\n.Lgulo_fill%d:\n\tmovl\t$0xFEFEFEFE, -4(%%rsp,%%r11,4)\n\tdecq\t%%r11\n\tjnz\t.Lgulo_fill%d\n.Lgulo_filled%d:\n", k, k, k, k)
			framing = false
		case string(line) == framed:
			framing = true
		case framing && !inPrologue(line):
			framing = false
			if n := frameBytes(line); n > 0 {
				k++
				out = fmt.Appendf(out, "\tmovl\t$%d, %%r11d\n.Lgulo_fill%d:\n\tmovl\t$0xFEFEFEFE, -4(%%rsp,%%r11,4)\n\tdecq\t%%r11\n\tjnz\t.Lgulo_fill%d\n", n/4, k, k)
			}
		}
	}
	return out
}

// inPrologue reports whether a line may stand between the two instructions that make a frame.
func inPrologue(line []byte) bool {
	for _, p := range []string{"\t.cfi_", "\t.loc ", "\tpushq\t%r"} {
		if bytes.HasPrefix(line, []byte(p)) {
			return true
		}
	}
	return false
}

// frameBytes is how many bytes an instruction makes room for: subq $N, %rsp, or addq $-128, %rsp,
// which is shorter; 0 for others.
func frameBytes(line []byte) int {
	if string(line) == "\taddq\t$-128, %rsp\n" {
		return 128
	}
	number, ok := bytes.CutPrefix(line, []byte("\tsubq\t$"))
	if !ok {
		return 0
	}
	if number, ok = bytes.CutSuffix(number, []byte(", %rsp\n")); !ok {
		return 0
	}
	n, _ := strconv.Atoi(string(number))
	return n
}
