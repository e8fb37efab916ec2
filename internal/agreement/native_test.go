package agreement

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/ir"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/source"
)

// This file runs one program with both judges.

// result is what a run printed and how it ended.
type result struct {
	out    string
	status int
	fault  *machine.Fault // the machine's error, nil when the program ended by itself
}

// errTime says that a native run used up its time.
var errTime = errors.New("the native run takes too long")

// compile builds a program with gcc at -O0 and other flags.
func compile(ctx context.Context, src, bin string, flags ...string) error {
	args := append([]string{"-w", "-fwrapv", "-O0", "-o", bin, src}, flags...)
	if msg, err := exec.CommandContext(ctx, "gcc", append(args, "-lm")...).CombinedOutput(); err != nil {
		return fmt.Errorf("gcc: %w\n%.2000s", err, msg)
	}
	return nil
}

// native runs a binary for some seconds of processor time.
func native(ctx context.Context, bin string, seconds int) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(20*seconds)*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf("ulimit -c 0; ulimit -t %d; exec \"$0\"", seconds), bin)
	cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0", "UBSAN_OPTIONS=halt_on_error=1")
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return result{}, errTime
	case errors.As(err, &exit) && exit.ExitCode() < 0:
		if used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); used >= time.Duration(seconds)*time.Second*9/10 {
			return result{}, errTime
		}
		return result{out: out.String(), status: -1}, nil
	case err != nil && exit == nil:
		return result{}, err
	}
	return result{out: out.String(), status: cmd.ProcessState.ExitCode()}, nil
}

// parse reads a program that gcc has accepted.
func parse(path string, flags ...string) (*cfront.Program, error) {
	f, err := source.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return cfront.Parse([]*source.File{f}, cfront.Options{Flags: flags})
}

// onMachine runs a program on the machine; a crash of ours is an error. With variables in registers
// the code is merged, as gulo run has it; in memory it is not, as debuggers and repair have it.
func onMachine(tree *cfront.Program, opt lower.Options, maxSteps int64) (r result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	prog, err := lower.Lower(tree, opt)
	if err != nil {
		return r, err
	}
	if err := ir.Check(prog.IR); err != nil {
		return r, fmt.Errorf("panic: %w", err)
	}
	var out bytes.Buffer
	m, err := machine.New(prog, machine.Config{
		Name: "p", Stdout: &out, Stderr: &bytes.Buffer{}, MaxSteps: maxSteps, Wrap: true, UninitOK: true, Overlays: opt.Memory,
	})
	if err != nil {
		return r, err
	}
	r.status, err = m.Run()
	r.out = out.String()
	if errors.As(err, &r.fault) {
		err = nil
	}
	return r, err
}

// compare runs a text natively and on the machine, which must agree.
func compare(t *testing.T, text string) {
	t.Helper()
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := compile(t.Context(), src, bin); err != nil {
		t.Fatal(err)
	}
	want, err := native(t.Context(), bin, 20)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := parse(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []lower.Options{{}, {Memory: true}} {
		got, err := onMachine(tree, opt, 1e9)
		if err == nil && got.fault != nil {
			err = got.fault
		}
		if err != nil {
			t.Fatal(err)
		}
		if got.status != want.status {
			t.Errorf("status %d, native %d", got.status, want.status)
		}
		if d := difference(want.out, got.out); d != "" {
			t.Errorf("memory %v: %s", opt.Memory, d)
		}
	}
}

// difference shows the first lines in which two outputs differ.
func difference(native, machine string) string {
	a, b := bytes.Split([]byte(native), []byte("\n")), bytes.Split([]byte(machine), []byte("\n"))
	s, n := "", 0
	for i := 0; i < max(len(a), len(b)) && n < 10; i++ {
		var x, y []byte
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if !bytes.Equal(x, y) {
			n++
			s += fmt.Sprintf("line %d:\n  native  %.200s\n  machine %.200s\n", i+1, x, y)
		}
	}
	return s
}
