package machine_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/ir"
	"gulo/internal/lower"
	"gulo/internal/machine"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// This file compares the machine with the real compiler. Every program of the archive runs natively and on the
// machine, and must print the same, end with the same status, or fail in the way that it announces.

var directive = regexp.MustCompile(`/\* (fault|stdin|args): (.*?) \*/`)

type program struct {
	name, path         string
	fault, stdin, args string
}

func programs(t testing.TB) []program {
	dir := t.TempDir()
	var out []program
	for _, f := range archives(t) {
		p := program{name: strings.TrimSuffix(f.Name, ".c"), path: filepath.Join(dir, f.Name)}
		if err := os.WriteFile(p.path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		if m := directive.FindStringSubmatch(string(f.Data)); m != nil {
			switch m[1] {
			case "fault":
				p.fault = m[2]
			case "stdin":
				p.stdin = m[2]
			case "args":
				p.args = m[2]
			}
		}
		out = append(out, p)
	}
	return out
}

// archives returns the programs of testdata: programs.txtar, and random.txtar, which has reduced programs that random
// testing has found.
func archives(t testing.TB) []txtar.File {
	var files []txtar.File
	for _, name := range []string{"programs", "random"} {
		ar, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, ar.Files...)
	}
	return files
}

func load(t testing.TB, opt lower.Options, files ...string) *lower.Program {
	t.Helper()
	tree, err := cfront.Load(context.Background(), files, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Check(p.IR); err != nil {
		t.Fatal(err)
	}
	return p
}

// native runs the program as gcc compiles it.
func native(t *testing.T, p program) (out string, status int, signal syscall.Signal) {
	t.Helper()
	bin := strings.TrimSuffix(p.path, ".c")
	if msg, err := exec.Command("gcc", "-O0", "-w", "-o", bin, p.path, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, msg)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, strings.Fields(p.args)...)
	cmd.Stdin = strings.NewReader(p.stdin)
	var buf bytes.Buffer
	cmd.Stdout = &buf
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	ws := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ws.Signaled() {
		return buf.String(), 0, ws.Signal()
	}
	return buf.String(), ws.ExitStatus(), 0
}

func onMachine(t *testing.T, p program, opt lower.Options) (string, int, *machine.Fault) {
	t.Helper()
	var out bytes.Buffer
	m, err := machine.New(load(t, opt, p.path), machine.Config{
		Name: p.path, Args: strings.Fields(p.args), Stdin: strings.NewReader(p.stdin), Stdout: &out, MaxSteps: 500_000_000,
	})
	if err != nil {
		t.Fatal(err)
	}
	status, err := m.Run()
	var f *machine.Fault
	errors.As(err, &f)
	return out.String(), status, f
}

func TestNative(t *testing.T) {
	for _, p := range programs(t) {
		for _, opt := range []lower.Options{{}, {Memory: true}} {
			name := p.name
			if opt.Memory {
				name += "/memory"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				out, status, fault := onMachine(t, p, opt)
				if p.fault != "" {
					if fault == nil || string(fault.Kind) != p.fault {
						t.Fatalf("expected %s, got %v", p.fault, fault)
					}
					if fault.Pos.Line == 0 {
						t.Errorf("the fault has no place: %v", fault)
					}
					if want := fault.Signal(); want != 0 && !opt.Memory {
						// What glibc does with a pointer it did not make depends on
						// the garbage before it: it aborts or reads wild memory.
						_, st, sig := native(t, p)
						wild := fault.Kind == machine.UnmatchedFree && sig == syscall.SIGSEGV
						if int(sig) != want && !wild {
							t.Errorf("the machine expects signal %d, the native run gave signal %d status %d", want, sig, st)
						}
					}
					return
				}
				if fault != nil {
					t.Fatalf("unexpected fault: %v", fault)
				}
				if opt.Memory {
					return
				}
				wantOut, wantStatus, sig := native(t, p)
				if sig != 0 || status != wantStatus {
					t.Errorf("status %d, native %d (signal %d)", status, wantStatus, sig)
				}
				if d := cmp.Diff(wantOut, out); d != "" {
					t.Errorf("output (-native +machine):\n%s", d)
				}
			})
		}
	}
}
