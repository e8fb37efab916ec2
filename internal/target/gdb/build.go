package gdb

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/process"
	"gulo/internal/source"
)

// This file compiles the program for debugging. gcc translates the user's
// files as they are to assembly; then every .loc directive, which names a line
// and a column, is rewritten to name a statement of the location map instead
// of a line. gdb's own stepping then goes from statement to statement: several
// on a line, the parts of a for header, one-line loops. What __LINE__ and
// assert say is untouched.

//go:embed runtime/alloc.c
var allocSource []byte

// Code that belongs to no statement is given line noStmt.
const noStmt = 1 << 20

var compileFlags = []string{"-O0", "-g", "-gdwarf-4", "-gno-as-locview-support", "-fno-stack-protector", "-fcf-protection=none",
	"-fno-pie", "-fno-omit-frame-pointer", "-mno-red-zone", "-fno-stack-clash-protection", "-ftrivial-auto-var-init=pattern", "-w", "-pipe"}

// build compiles and links the program into dir and returns the binary's path.
func build(ctx context.Context, p *lower.Program, files []string, opt cfront.Options, dir string) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	alloc := filepath.Join(dir, "gulo-alloc.c")
	if err := os.WriteFile(alloc, allocSource, 0o600); err != nil {
		return "", err
	}
	objs := make([]string, len(files)+1)
	errs := make([]error, len(files)+1)
	err := process.Parallel(ctx, runtime.GOMAXPROCS(0), len(objs), func(ctx context.Context, i int) error {
		objs[i] = filepath.Join(dir, fmt.Sprintf("f%d.o", i))
		if i == len(files) {
			errs[i] = gcc(ctx, nil, "-O1", "-w", "-fno-builtin", "-fno-pie", "-c", alloc, "-o", objs[i])
		} else {
			errs[i] = compile(ctx, p, files[i], opt, objs[i])
		}
		return nil // what is wrong with the other files is said, too
	})
	if err != nil {
		return "", err
	}
	if err := errors.Join(errs...); err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "program")
	return bin, gcc(ctx, nil, slices.Concat([]string{"-no-pie", "-o", bin}, objs, libraries(opt.Flags), []string{"-lm"})...)
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
	_, err := gccOutput(ctx, stdin, args...)
	return err
}

func gccOutput(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	cmd := process.Command(ctx, "gcc", args...)
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

func compile(ctx context.Context, p *lower.Program, file string, opt cfront.Options, obj string) error {
	args := append(append([]string{}, compileFlags...), opt.Flags...)
	name := file
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	asm, err := gccOutput(ctx, nil, append(args, "-S", "-o", "-", name)...)
	if err != nil {
		return err
	}
	return gcc(ctx, relocate(p, fillFrames(asm)), "-x", "assembler", "-c", "-", "-o", obj)
}

var (
	framed   = regexp.MustCompile(`(?m)^\tmovq\t%rsp, %rbp\n(?:\t\.cfi_.*\n|\t\.loc .*\n|\tpushq\t%r\w+\n)*\tsubq\t\$(\d+), %rsp\n`)
	locLine  = regexp.MustCompile(`^\t\.loc (\d+) (\d+) (\d+)`)
	fileLine = regexp.MustCompile(`^\t\.file (\d+) "(.*)"`)
	funcType = regexp.MustCompile(`^\t\.type\t(\S+), @function`)
)

// fillFrames makes every function begin with 0xFE in all its locals, as gcc's
// -ftrivial-auto-var-init does only when a declaration is reached. So what an
// earlier call left on the stack is never taken for a local's value. %r11 is
// free in a prologue; %al, which counts a variadic call's vectors, is kept.
func fillFrames(asm []byte) []byte {
	k := 0
	return framed.ReplaceAllFunc(asm, func(p []byte) []byte {
		n, _ := strconv.Atoi(string(framed.FindSubmatch(p)[1]))
		k++
		return fmt.Appendf(slices.Clip(p), "\tmovl\t$%d, %%r11d\n.Lgulo_fill%d:\n\tmovl\t$0xFEFEFEFE, -4(%%rsp,%%r11,4)\n\tdecq\t%%r11\n\tjnz\t.Lgulo_fill%d\n", n/4, k, k)
	})
}

// relocate rewrites the .loc directives of a translation unit.
func relocate(p *lower.Program, asm []byte) []byte {
	x := newLocator(p)
	byName := map[string]*source.File{}
	for _, f := range p.Tree.Files {
		byName[f.Name] = f
		byName[filepath.Clean(f.Name)] = f
	}
	files := map[string]*source.File{}
	lines := strings.Split(string(asm), "\n")
	for _, l := range lines {
		if m := fileLine.FindStringSubmatch(l); m != nil {
			name := m[2]
			if n, err := strconv.Unquote(`"` + name + `"`); err == nil { // quotes and what is not ASCII is escaped
				name = n
			}
			files[m[1]] = byName[name]
		}
	}
	var out strings.Builder
	last := int32(noStmt)
	for _, l := range lines {
		if funcType.MatchString(l) {
			last = noStmt
		}
		m := locLine.FindStringSubmatch(l)
		if m == nil {
			out.WriteString(l)
			out.WriteByte('\n')
			continue
		}
		id := int32(noStmt)
		if f := files[m[1]]; f != nil {
			line, _ := strconv.Atoi(m[2])
			col, _ := strconv.Atoi(m[3])
			if off, ok := f.Offset(line, col); ok {
				id = x.find(f, off)
			}
		}
		if id == noStmt {
			id = last // no statement of its own: part of what came before
		}
		last = id
		fmt.Fprintf(&out, "\t.loc %s %d 0\n", m[1], id)
	}
	return []byte(out.String())
}

// locator finds the statement at a source offset: the smallest range around it.
type locator struct {
	byFile map[*source.File][]located
}

type located struct {
	r  source.Range
	id int32
}

func newLocator(p *lower.Program) *locator {
	x := &locator{byFile: map[*source.File][]located{}}
	for _, s := range p.Stmts {
		if s == nil {
			continue
		}
		for _, r := range append([]source.Range{s.Range}, s.Match...) {
			if r.Valid() {
				x.byFile[r.File] = append(x.byFile[r.File], located{r, s.ID})
			}
		}
	}
	return x
}

func (x *locator) find(f *source.File, off int) int32 {
	best, size := int32(noStmt), 1<<60
	for _, l := range x.byFile[f] {
		if l.r.Contains(f, off) && l.r.End-l.r.Start < size {
			best, size = l.id, l.r.End-l.r.Start
		}
	}
	return best
}
