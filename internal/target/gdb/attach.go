package gdb

import (
	"context"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/target"
)

// This file attaches to a process that somebody else has compiled and started. It must have
// been compiled by gcc with -g and without optimization, so that every variable is in memory
// where the debug information says, and have one thread. Its heap is read off the C library's
// own (heap.go). It carries nothing of gulo's: nodes cannot be made or freed from outside,
// nothing tells which bytes were never written, and it cannot be started again. Its input
// and output are its own. Closing the target leaves it running, and so does gulo's end by
// SIGKILL.

// Executable returns the file that a process runs. The file may have been replaced since: what
// the process runs is still found there.
func Executable(pid int) (string, error) {
	exe := fmt.Sprintf("/proc/%d/exe", pid)
	if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err != nil {
		return "", fmt.Errorf("there is no process %d", pid)
	}
	f, err := os.Open(exe)
	if err != nil {
		return "", fmt.Errorf("process %d cannot be looked at: %w", pid, errors.Unwrap(err))
	}
	return exe, f.Close()
}

// Attach attaches to a process, whose sources are p's.
func Attach(ctx context.Context, p *lower.Program, pid int, name string) (t *Target, err error) {
	if err := usable(); err != nil {
		return nil, err
	}
	exe, err := Executable(pid)
	if err != nil {
		return nil, err
	}
	bias, err := compiled(exe, pid, p)
	if err != nil {
		return nil, err
	}
	dir, err := process.TempDir("gulo-")
	if err != nil {
		return nil, err
	}
	t = &Target{p: p, cfg: Config{Name: name}, dir: dir, breaks: map[uint64]string{}, attached: pid}
	defer func() {
		if err != nil {
			t.Close()
			t = nil
		}
	}()
	if t.c, err = startClient(0, nil); err != nil {
		return t, &cfront.ToolError{Tool: "gdb", Err: err, Hint: "install it with: apt-get install gdb"}
	}
	shown := filepath.Join(dir, "program.lines")
	if t.info, err = readDebugInfo(exe, shown, p, true); err != nil {
		return t, err
	}
	t.info.move(bias)
	for _, cmd := range []string{
		"-gdb-set confirm off", "-gdb-set width 0", "-gdb-set stack-cache off", "-gdb-set code-cache off",
		"-file-exec-and-symbols " + strconv.Quote(shown), // with two files gdb 13 does not find the libraries
	} {
		if _, err = t.c.send(ctx, "%s", cmd); err != nil {
			return t, err
		}
	}
	return t, t.c.console(ctx, withholding)
}

// compiled checks that a program was compiled in a way that can be followed, from the sources
// as they are, and returns how far it has been moved.
func compiled(exe string, pid int, p *lower.Program) (bias uint64, err error) {
	f, err := elf.Open(exe)
	if err != nil {
		return 0, fmt.Errorf("process %d runs no program that can be read: %w", pid, err)
	}
	defer f.Close()
	if f.Machine != elf.EM_X86_64 || f.Class != elf.ELFCLASS64 {
		return 0, fmt.Errorf("process %d runs a program for another processor than x86-64", pid)
	}
	d, err := f.DWARF()
	if err != nil {
		return 0, fmt.Errorf("the program of process %d has no debug information: %w", pid, err)
	}
	if err := followable(d, "start it again"); err != nil {
		return 0, err
	}
	if err := unchanged(exe, p, fmt.Sprintf("the program of process %d was built; build it and start it again", pid)); err != nil {
		return 0, err
	}
	entry, err := auxiliary(pid, 9) // AT_ENTRY
	if err != nil {
		return 0, err
	}
	return entry - f.Entry, nil
}

// unchanged checks that the sources are those that a program was built from.
func unchanged(exe string, p *lower.Program, since string) error {
	made, err := os.Stat(exe)
	if err != nil {
		return err
	}
	for _, s := range p.Tree.Files {
		if st, err := os.Stat(s.Name); err == nil && st.ModTime().After(made.ModTime()) {
			return fmt.Errorf("%s has been changed since %s", s.Name, since)
		}
	}
	return nil
}

var errOptimized = errors.New("leaves variables where they cannot be followed")

// followable returns an error unless the whole program was compiled by gcc, without
// optimization and with frame pointers; again tells the user what to do after building it so.
func followable(d *dwarf.Data, again string) error {
	r := d.Reader()
	for {
		e, err := r.Next()
		if err != nil || e == nil {
			return err
		}
		switch e.Tag {
		case dwarf.TagCompileUnit:
			by, _ := e.Val(dwarf.AttrProducer).(string)
			name, _ := e.Val(dwarf.AttrName).(string)
			if strings.HasPrefix(by, "GNU AS") {
				r.SkipChildren()
				continue
			}
			if !strings.HasPrefix(by, "GNU C") {
				return fmt.Errorf("%s was compiled by %q; what gcc has compiled can be followed", name, by)
			}
			for _, w := range strings.Fields(by) {
				if strings.HasPrefix(w, "-O") && w != "-O0" || w == "-fomit-frame-pointer" {
					return fmt.Errorf("%s was compiled with %s, which %w; build the program with -g -O0 and %s", name, w, errOptimized, again)
				}
			}
		case dwarf.TagSubprogram:
			if base, ok := e.Val(dwarf.AttrFrameBase).([]byte); ok && (len(base) != 1 || base[0] != 0x9c) { // DW_OP_call_frame_cfa
				return errors.New("the program's variables are not where gcc puts them; what gcc has compiled with -g can be followed")
			}
			r.SkipChildren()
		default:
			r.SkipChildren()
		}
	}
}

// auxiliary returns an entry of what the kernel told a process at its start.
func auxiliary(pid int, key uint64) (uint64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/auxv", pid))
	if err != nil {
		return 0, fmt.Errorf("process %d cannot be looked at: %w", pid, errors.Unwrap(err))
	}
	for ; len(b) >= 16; b = b[16:] {
		if binary.LittleEndian.Uint64(b) == key {
			return binary.LittleEndian.Uint64(b[8:]), nil
		}
	}
	return 0, fmt.Errorf("process %d does not say where its program is", pid)
}

// move adds to every address how far the program has been moved.
func (in *debugInfo) move(by uint64) {
	for i := range in.funcs {
		in.funcs[i].low += by
		in.funcs[i].high += by
	}
	for v := range in.globals {
		in.globals[v] += by
	}
	for i := range in.entries {
		in.entries[i].addr += by
	}
	for id := range in.start {
		in.start[id] += by
	}
	for _, list := range in.starts {
		for i := range list {
			list[i] += by
		}
	}
	stub := map[uint64]bool{}
	for a := range in.stub {
		stub[a+by] = true
	}
	in.stub = stub
	moved := symbols{}
	for a, name := range in.linked {
		moved[a+by] = name
	}
	in.linked = moved
	in.anon.rodata += by
	for i := range in.anon.literals {
		in.anon.literals[i].Addr += by
	}
}

// begin stops the process where it is. It is in the middle of a statement then, or in no
// function of the program at all.
func (t *Target) begin(ctx context.Context) (target.Stop, error) {
	if err := t.c.watch(t.attached); err != nil {
		return target.Stop{}, &cfront.ToolError{Tool: "sh", Err: err}
	}
	if _, err := t.c.send(ctx, "-target-attach %d", t.attached); err != nil {
		return target.Stop{}, &cfront.ToolError{Tool: "gdb", Err: err, Hint: "a process can be traced by its owner, once, and where /proc/sys/kernel/yama/ptrace_scope is 0, or by root"}
	}
	if _, err := t.await(ctx); err != nil {
		return target.Stop{}, err
	}
	t.running, t.pid = true, t.attached
	var err error
	if err = t.openMemory(); err != nil {
		return target.Stop{}, &cfront.ToolError{Tool: "gdb", Err: err}
	}
	if err := t.registers(ctx); err != nil {
		return target.Stop{}, err
	}
	if err := t.syncThreads(ctx); err != nil {
		return target.Stop{}, err
	}
	if n := len(t.threads.list); n != 1 {
		return target.Stop{}, fmt.Errorf("process %d has %s; attach takes programs with one (gulo debug runs them with several)", t.attached, plural.N(n, "thread"))
	}
	t.threads.cur, t.threads.held = t.threads.list[0].number, "none"
	t.readArguments()
	if r, err := t.c.send(ctx, "-break-insert _exit"); err == nil {
		t.exitBreak, _ = r.tuple("bkpt")["number"].(string)
	}
	if err := t.locate(); err != nil {
		return target.Stop{}, err
	}
	return t.standing()
}

// leave lets a process go that was attached to.
func (t *Target) leave() {
	if t.mem == nil && !t.running {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), sendLimit)
	defer cancel()
	for range 2 {
		if _, err := t.c.send(ctx, "-target-detach"); err == nil || errors.Is(err, errDied) {
			return // without gdb it would get the signal itself
		}
		t.kill(syscall.SIGINT) // it runs; gdb does not pass the signal on
		_, _ = t.await(ctx)
	}
}

// Attached returns the process that was attached to; 0 for none.
func (t *Target) Attached() int { return t.attached }
