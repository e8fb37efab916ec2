package app

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// attachSource is a program that goes on until it is killed, with a struct of eight bytes, for
// which malloc makes room for three.
const attachSource = `#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct node { int v; struct node *next; };
struct pair { int a, b; };
struct node *head;
struct pair *two;
int rounds;

static void push(int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = head;
    head = n;
}

static void drop(void)
{
    struct node *n = head;
    head = n->next;
    free(n);
}

int main(void)
{
    two = malloc(sizeof *two);
    two->a = two->b = 6;
    for (int i = 1; i < 5; i++)
        push(i);
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        usleep(5000);
        push(rounds);
        drop();
        rounds++;
    }
}
`

// attachable compiles the program with flags and starts it, until the test ends.
func attachable(t *testing.T, flags ...string) (pid int, src string) {
	t.Helper()
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "loop.c"), filepath.Join(dir, "loop")
	if err := os.WriteFile(src, []byte(attachSource), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", append(flags, "-o", bin, src)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	old := time.Now().Add(-time.Hour) // whatever the file system's clock does
	if err := os.Chtimes(src, old, old); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(bin)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatal(line, err)
	}
	return c.Process.Pid, src
}

// goesOn fails unless a process runs by itself: nothing traces it, nothing stops it.
func goesOn(t *testing.T, pid int) {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil || !strings.Contains(string(b), "TracerPid:\t0\n") || strings.Contains(string(b), "State:\tT") || strings.Contains(string(b), "State:\tZ") {
		t.Errorf("the process does not go on: %v\n%s", err, b)
	}
}

// TestAttach looks at a process that runs already, position independent or not.
func TestAttach(t *testing.T) {
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skip("gdb is not installed: nothing was attached to")
	}
	for _, flags := range [][]string{{"-g"}, {"-g", "-no-pie", "-O0", "-gdwarf-4"}} {
		t.Run(strings.Join(flags, ""), func(t *testing.T) {
			pid, _ := attachable(t, flags...)
			script := "start\nbreak drop\ncontinue\nnext 2\nprint n->v\nnext\nundo\nprint two->b\nchange n2->v 77\nfinish\nprint head->v\nspec\nstart\nchange head new\nquit\n"
			code, out, errOut := gulo(t, script, "debug", "--attach", fmt.Sprint(pid), "--script", "-")
			for _, want := range []string{fmt.Sprintf("Attached to process %d...", pid), "two->b = 6", "│ v     4 │", "n6 freed", "v  77*", "head->v = ", "cannot be started again", "no room for a fresh node", "loop.c:23: free(n);"} {
				if !strings.Contains(out, want) {
					t.Errorf("no %q", want)
				}
			}
			if strings.Contains(out, "[2]") { // two is one struct, whatever malloc made of it
				t.Error("a struct of eight bytes is shown as an array")
			}
			if strings.Contains(out, "n7") {
				t.Error("undo of free makes another node")
			}
			if code != exitUsage || t.Failed() { // some commands could not be done
				t.Errorf("exit %d\n%s\n%s", code, out, errOut)
			}
			goesOn(t, pid)
		})
	}
}

// TestAttachKilled: a process that was attached to goes on when gulo is killed, whether it was halted or ran with a
// breakpoint in it that it came to all the time.
func TestAttachKilled(t *testing.T) {
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skip("gdb is not installed: nothing was attached to")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{
		"start\nprint two->b\n",
		"start\nbreak drop\ncontinue\nnext 2\nprint two->b\n",
		"start\nprint two->b\nbreak drop if rounds < 0\ncontinue\n",
	} {
		pid, _ := attachable(t, "-g")
		c := exec.Command(self, "debug", "--attach", fmt.Sprint(pid), "--script", "-")
		c.Env = append(os.Environ(), asCommand+"=1")
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(in, script)
		for sc := bufio.NewScanner(out); !strings.Contains(sc.Text(), "two->b = 6"); {
			if !sc.Scan() {
				t.Fatalf("%q: gulo ends by itself", script)
			}
		}
		if strings.HasSuffix(script, "continue\n") {
			runningOn(t, pid)
		}
		_ = c.Process.Kill()
		_ = c.Wait()
		for end := time.Now().Add(2 * time.Minute); strings.Contains(status(pid), "TracerPid:\t") && !strings.Contains(status(pid), "TracerPid:\t0\n"); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%q: gdb holds the process still:\n%s", script, status(pid))
			}
		}
		// It must come to where the breakpoint was, and past it.
		for was, n := switches(pid), 0; n < 20; n++ {
			for end := time.Now().Add(2 * time.Minute); switches(pid) == was && time.Now().Before(end); time.Sleep(time.Millisecond) {
				if s := status(pid); s == "" || strings.Contains(s, "State:\tZ") {
					t.Fatalf("%q: the process has died", script)
				}
			}
			was = switches(pid)
		}
		goesOn(t, pid)
	}
}

func status(pid int) string {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	return string(b)
}

// switches counts how often a process has waited for something.
func switches(pid int) string {
	_, s, _ := strings.Cut(status(pid), "\nvoluntary_ctxt_switches:")
	n, _, _ := strings.Cut(s, "\n")
	return n
}

// runningOn waits until a process that gdb holds runs with the breakpoint in it.
func runningOn(t *testing.T, pid int) {
	t.Helper()
	n := 0
	for end := time.Now().Add(2 * time.Minute); n < 20; time.Sleep(5 * time.Millisecond) {
		if was := switches(pid); time.Now().After(end) {
			t.Fatal("the process does not go on")
		} else if time.Sleep(10 * time.Millisecond); switches(pid) != was {
			n++
		}
	}
}

// TestAttachRefused: what cannot be debugged is refused before the process is touched.
func TestAttachRefused(t *testing.T) {
	pid, _ := attachable(t, "-g", "-O2")
	refused := func(want string, args ...string) {
		t.Helper()
		if code, _, errOut := gulo(t, "start\n", append([]string{"debug", "--script", "-"}, args...)...); code != exitUsage || !strings.Contains(errOut, want) {
			t.Errorf("%v: exit %d, %q, not %q", args, code, errOut, want)
		}
	}
	refused("compiled with -O2", "--attach", fmt.Sprint(pid))
	refused("there is no process", "--attach", "999999999")
	refused("the machine runs programs itself", "--attach", fmt.Sprint(pid), "--engine", "machine")
	goesOn(t, pid)
	pid, src := attachable(t, "-g")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(src, later, later); err != nil {
		t.Fatal(err)
	}
	refused("has been changed since", "--attach", fmt.Sprint(pid))
	pid, _ = attachable(t)
	refused("has no debug information", "--attach", fmt.Sprint(pid))
	goesOn(t, pid)
}

// TestAttachInEditor attaches over the Debug Adapter Protocol.
func TestAttachInEditor(t *testing.T) {
	pid, src := attachable(t, "-g")
	ask := editor(t)
	why := func(m map[string]any, want string) {
		t.Helper()
		if text, _ := m["message"].(string); m["success"] == true || !strings.Contains(text, want) {
			t.Errorf("%v, not %q", m, want)
		}
	}
	ask("initialize", map[string]any{"adapterID": "gulo"}, "initialize")
	why(ask("attach", map[string]any{"processId": pid, "engine": "machine"}, "attach"), "cannot attach to a process")
	why(ask("launch", map[string]any{"processId": pid, "program": src}, "launch"), "belongs to an attach configuration")
	ask("attach", map[string]any{"processId": fmt.Sprint(pid)}, "initialized")
	if m := ask("setBreakpoints", map[string]any{"source": map[string]any{"path": src}, "breakpoints": []any{map[string]any{"line": 22}}}, "setBreakpoints"); m["success"] != true {
		t.Error(m)
	}
	ask("configurationDone", nil, "stopped")
	ask("continue", map[string]any{"threadId": 1}, "stopped")
	m := ask("stackTrace", map[string]any{"threadId": 1}, "stackTrace")
	frame := m["body"].(map[string]any)["stackFrames"].([]any)[0].(map[string]any)
	if frame["name"] != "drop" || frame["line"] != 22.0 {
		t.Errorf("it stops at %v", frame)
	}
	why(ask("restart", nil, "restart"), "cannot be started again")
	why(ask("terminate", nil, "terminate"), "was not started here")
	ask("disconnect", nil, "disconnect")
	goesOn(t, pid)
}
