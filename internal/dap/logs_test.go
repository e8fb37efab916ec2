package dap_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const counts = `#include <stdio.h>
int twice(int x)
{
    int y = x + x;
    return y;
}
int sum(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += twice(i);
    return s;
}
int main(void)
{
    int a = sum(3);
    a += sum(2);
    printf("%d\n", a);
    return 0;
}
`

// TestLogPoints: a log point prints its message at every visit and stops neither a run nor a step.
func TestLogPoints(t *testing.T) {
	path := filepath.Join(t.TempDir(), "counts.c")
	if err := os.WriteFile(path, []byte(counts), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, engine := range []string{"machine", "gdb"} {
		t.Run(engine, func(t *testing.T) {
			c := connect(t)
			if caps := c.must("initialize", map[string]any{"adapterID": "gulo"}); caps["supportsLogPoints"] != true {
				t.Errorf("capabilities: %v", caps)
			}
			c.must("launch", map[string]any{"program": path, "engine": engine, "stopOnEntry": true})
			c.event("initialized")
			log := func(points ...any) {
				t.Helper()
				for _, b := range c.must("setBreakpoints", map[string]any{"source": map[string]any{"path": path}, "breakpoints": points})["breakpoints"].([]any) {
					if b.(map[string]any)["verified"] != true {
						t.Errorf("log point: %v", b)
					}
				}
			}
			says := func(want string) {
				t.Helper()
				if got := c.console.String(); got != want {
					t.Errorf("the console shows %q, not %q", got, want)
				}
				c.console.Reset()
			}
			log(map[string]any{"line": 5, "logMessage": "x is {x}, y is {y}, {no such}"})
			c.must("configurationDone", nil)
			c.stopped()
			c.at("next", thread(), "step", "main", 17) // over two calls
			if got := c.console.String(); strings.Count(got, "x is ") != 3 || !strings.Contains(got, "x is 2, y is 4, {") {
				t.Errorf("the console shows %q", got)
			}
			c.console.Reset()
			log(map[string]any{"line": 5, "logMessage": "{y}", "condition": "x == 1"}, map[string]any{"line": 12})
			c.at("continue", thread(), "breakpoint", "sum", 12)
			says("2\n")
			c.at("stepBack", thread(), "step", "twice", 5) // to the log point that was passed
			c.at("continue", thread(), "breakpoint", "sum", 12)
			says("")
			c.at("stepOut", thread(), "step", "main", 18)
			log(map[string]any{"line": 18, "logMessage": "a is {a}"})
			c.must("continue", thread())
			c.event("exited")
			c.event("terminated")
			says("")
			if got := c.output.String(); got != "8\n" {
				t.Errorf("the program writes %q", got)
			}
		})
	}
}

// TestLateQuestions: what an editor asks or cancels after the program has moved on does no harm.
func TestLateQuestions(t *testing.T) {
	path, err := filepath.Abs("../../examples/reverse.c")
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t)
	c.must("initialize", map[string]any{"adapterID": "gulo"})
	c.must("launch", map[string]any{"program": path, "engine": "machine", "stopOnEntry": true})
	c.event("initialized")
	c.must("configurationDone", nil)
	c.stopped()
	c.at("next", thread(), "step", "main", 41)
	globals := c.scopes()["Globals"]
	if vars, _ := c.variables(globals); vars["head"] != "n1" {
		t.Errorf("globals: %v", vars)
	}
	c.at("next", thread(), "step", "main", 42)
	if vars, _ := c.variables(globals); len(vars) != 0 {
		t.Errorf("a reference of before has variables: %v", vars)
	}
	if now := c.scopes()["Globals"]; now == globals {
		t.Errorf("the reference %d comes again", now)
	}
	if _, why := c.ask("setVariable", map[string]any{"variablesReference": globals, "name": "head", "value": "null"}); !strings.Contains(why, "the program has moved") {
		t.Errorf("a variable of before is set: %q", why)
	}
}

const sleeps = `#include <unistd.h>
int main(void)
{
    usleep(600000);
    usleep(600000);
    for (;;)
        usleep(1000);
    return 0;
}
`

// TestCancel: cancelling a question that was answered, as editors do when the user steps on, does not stop the step that goes on
// by then; cancelling the step does.
func TestCancel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sleeps.c")
	if err := os.WriteFile(path, []byte(sleeps), 0o600); err != nil {
		t.Fatal(err)
	}
	c := connect(t)
	c.must("initialize", map[string]any{"adapterID": "gulo"})
	c.must("launch", map[string]any{"program": path, "engine": "gdb", "stopOnEntry": true})
	c.event("initialized")
	c.must("configurationDone", nil)
	c.stopped()
	cancelled := func(command string, of func() int, reason string, line int) {
		t.Helper()
		c.must("variables", map[string]any{"variablesReference": c.scopes()["Locals"]})
		before := c.seq
		c.must(command, thread())
		time.Sleep(200 * time.Millisecond) // the program runs
		c.send("cancel", map[string]any{"requestId": before + of()})
		got := c.event("stopped")["reason"]
		if m := c.next(); m["command"] != "cancel" || m["success"] != true {
			t.Errorf("cancel is answered with %v", m)
		}
		f := c.must("stackTrace", thread())["stackFrames"].([]any)[0].(map[string]any)
		if got != reason || f["line"] != float64(line) {
			t.Errorf("%s stops for %v at %v, not for %s at %d", command, got, f["line"], reason, line)
		}
	}
	cancelled("next", func() int { return 0 }, "step", 5)
	cancelled("next", func() int { return 0 }, "step", 7)
	cancelled("continue", func() int { return 1 }, "pause", 7)
}
