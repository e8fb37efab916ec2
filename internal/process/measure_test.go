package process

import (
	"context"
	"os/exec"
	"testing"
	"time"
)

// TestMeasure: what a command prints, its status, where it runs, and that it was asked to end.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	in := func(c *exec.Cmd) error {
		c.Dir = dir
		return c.Start()
	}
	for _, x := range []struct {
		script, out, errs string
		exit              int
		limit             time.Duration
		late              bool
	}{
		{"pwd; echo no >&2; exit 3", dir + "\n", "no\n", 3, time.Minute, false},
		{"trap 'echo ended; exit 4' TERM; echo begun; while :; do sleep 0.01; done", "begun\nended\n", "", 4, 300 * time.Millisecond, true},
	} {
		u, err := Measure(context.Background(), x.limit, in, "sh", "-c", x.script)
		if err != nil {
			t.Fatal(err)
		}
		if string(u.Out) != x.out || string(u.Errs) != x.errs || u.Exit != x.exit || u.Late != x.late || u.Memory == 0 || u.Millis <= 0 {
			t.Errorf("%s: %q, %q, %+v", x.script, u.Out, u.Errs, u)
		}
	}
	if _, err := Measure(context.Background(), time.Minute, nil, "/nowhere/sh"); err == nil {
		t.Error("there is no such command")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Measure(ctx, time.Minute, nil, "true"); err == nil {
		t.Error("nobody waits for it any more")
	}
}
