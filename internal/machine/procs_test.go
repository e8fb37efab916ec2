package machine_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gulo/internal/lower"
	"gulo/internal/machine"

	"golang.org/x/tools/txtar"
)

// This file tests processes that end badly, processes in saved states, and those that become real programs. Others
// are in testdata/meaning_processes.txtar, compared with gcc.

const processHead = `#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int f[2];
static char c;
`

var processFaults = []struct{ name, text, want string }{
	{"bomb", `int main(void) { for (;;) fork(); }`, `limit: fork: the program has 256 processes at once, which is the limit at .*:8:`},
	{"endless child", `int main(void) { if (fork() == 0) for (;;) ; return 0; }`, `limit: in process 2, which was made at .*:8:22, step limit of 10000000 reached`},
	{"error of a child", `int main(void) { int *p = malloc(4); if (fork() == 0) { free(p); *p = 1; } wait(NULL); free(p); return 0; }`,
		`dangling_pointer_deref: in process 2, which was made at .*:8:42, write to heap block n1 of 4 bytes`},
	{"both wait", `int main(void) { pipe(f); if (fork() == 0) return (int)read(f[0], &c, 1); wait(NULL); return 0; }`,
		`deadlock: no process can go on: process 1, the program's first one, waits for the end of a child at .*; process 2, which was made at .*, waits for something to be written to the pipe at .*:8:`},
	{"left behind", `int main(void) { pipe(f); if (fork() == 0) return (int)read(f[0], &c, 1); return 0; }`,
		`deadlock: the first process has ended, and no other one can go on: process 2, `},
	{"killed by a child", `int main(void) { if (fork() == 0) kill(getppid(), SIGTERM); else wait(NULL); return 0; }`,
		`signal: process 2, which was made at .*, sends SIGTERM, and the program does not handle it`},
	{"a stranger", `int main(void) { return kill(getppid(), SIGTERM); }`, `unsupported: kill of a process that the program did not make is not supported`},
	{"no programs", `int main(void) { if (fork() == 0) execlp("true", "true", (char *)NULL); wait(NULL); return 0; }`,
		`unsupported: in process 2, .* execlp of true: other programs are not started here; gulo run --exec starts them`},
}

// TestProcessFaults: a fault that stops a program's processes is reported for the process that it is about.
func TestProcessFaults(t *testing.T) {
	for _, c := range processFaults {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, file := threadProgram(t, processHead+c.text)
			m, err := machine.New(p, machine.Config{Name: file, Stdin: strings.NewReader(""), Stdout: io.Discard, MaxSteps: 10_000_000})
			if err != nil {
				t.Fatal(err)
			}
			_, err = m.Run()
			var f *machine.Fault
			if !errors.As(err, &f) {
				t.Fatalf("no fault: %v", err)
			}
			if got := fmt.Sprintf("%s: %s at %s", f.Kind, f.Message, f.Pos); !regexp.MustCompile(c.want).MatchString(got) {
				t.Errorf("%q is not %q", got, c.want)
			}
			if m.InChild() {
				t.Error("the machine is left as the child")
			}
		})
	}
}

// TestProcessStates: a program goes on from each state that was saved in its first process, with its children and
// what they have exchanged.
func TestProcessStates(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/meaning_processes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"proc_fork.c", "proc_status.c"} {
		var text string
		for _, f := range ar.Files {
			if f.Name == name {
				text = string(f.Data)
			}
		}
		p, file := threadProgram(t, text)
		var out bytes.Buffer
		m, err := machine.New(p, machine.Config{Name: file, Stdout: &out, Stderr: io.Discard, Debug: true})
		if err != nil {
			t.Fatal(err)
		}
		var states []*machine.State
		n := 0
		end := m.RunUntil(func(_ int32, lib bool) bool {
			if n++; !lib && !m.InChild() && n%3 == 0 {
				states = append(states, m.Save())
			}
			return false
		})
		m.FlushOutput()
		want := out.String()
		if end != nil || len(states) < 10 {
			t.Fatalf("%s: %v after %d states", name, end, len(states))
		}
		for i := len(states) - 1; i >= 0; i-- {
			out.Reset()
			m.Restore(states[i])
			f := m.RunUntil(nil)
			m.FlushOutput()
			if got := out.String(); f != nil || got == "" || !strings.HasSuffix(want, got) {
				t.Fatalf("%s: from state %d of %d it ends with %v and prints %q", name, i, len(states), f, got)
			}
		}
	}
}

// TestPrograms: programs that start other programs print on the machine what they print natively, each in a folder of
// its own.
func TestPrograms(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/processes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	commands := string(ar.Files[0].Data)
	for _, f := range ar.Files[1:] {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, f.Name)
			if err := os.WriteFile(file, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
			bin := filepath.Join(dir, "program")
			if msg, err := exec.Command("gcc", "-O0", "-w", "-o", bin, file).CombinedOutput(); err != nil {
				t.Fatalf("gcc: %v\n%s", err, msg)
			}
			var want, got [2]bytes.Buffer
			cmd := exec.CommandContext(t.Context(), bin)
			cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = t.TempDir(), strings.NewReader(commands), &want[0], &want[1]
			_ = cmd.Run()
			m, err := machine.New(load(t, lower.Options{}, file), machine.Config{
				Name: bin, Stdin: strings.NewReader(commands), Stdout: &got[0], Stderr: &got[1], Env: os.Environ(), Context: t.Context(),
				Files: &machine.Files{Dir: t.TempDir(), Write: true}, Programs: func(c *exec.Cmd) error { c.SysProcAttr.Setpgid = true; return c.Start() },
			})
			if err != nil {
				t.Fatal(err)
			}
			status, err := m.Run()
			if err != nil || status != cmd.ProcessState.ExitCode() || got[0].String() != want[0].String() || got[1].String() != want[1].String() {
				t.Errorf("machine: %v, status %d\n%s%s\nnatively: status %d\n%s%s", err, status, &got[0], &got[1], cmd.ProcessState.ExitCode(), &want[0], &want[1])
			}
		})
	}
}
