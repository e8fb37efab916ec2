package gdb

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/process"
	"gulo/internal/target"
)

const reading = `#include <stdio.h>
int main(void)
{
    int a = 0, b = 0;
    scanf("%d", &a);
    scanf("%d", &b);
    return a + b;
}
`

// TestSlowTerminal: a program whose terminal takes its time to hand a line on does not wait for another one. The
// terminal is given what is written to a pipe, 300 ms later: an idle system does that at once, a busy one when it comes to it.
func TestSlowTerminal(t *testing.T) {
	ctx := context.Background()
	p, file := loaded(t, reading)
	tgt, err := New(ctx, p, Config{Files: []string{file}, Name: "r"})
	if err != nil {
		t.Fatal(err)
	}
	defer tgt.Close()
	if _, err := tgt.Start(ctx); err != nil {
		t.Fatal(err)
	}
	tgt.tty.to = slowly(t, tgt.tty.fd)
	resume := func(mode target.Mode, want target.Reason) target.Stop {
		t.Helper()
		s, err := tgt.Resume(ctx, mode, nil)
		if err != nil || s.Reason != want {
			t.Fatalf("%v, %v, want %v", s.Reason, err, want)
		}
		return s
	}
	resume(target.Continue, target.NeedInput)
	tgt.Input("3\n")
	resume(target.Wait, target.NeedInput)
	if s := tgt.input.save(tgt.tty); s.read != 2 {
		t.Errorf("it waits again, and has read %d bytes", s.read)
	}
	tgt.Input("4\n")
	if s := resume(target.Wait, target.Exited); s.Status != 7 {
		t.Errorf("status %d", s.Status)
	}
}

// slowly returns a file; what is written to it reaches fd later.
func slowly(t *testing.T, fd int) int {
	t.Helper()
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(ends[1]) })
	process.Go(func() {
		defer func() { _ = unix.Close(ends[0]) }()
		buf := make([]byte, 64)
		for {
			n, err := unix.Read(ends[0], buf)
			if n <= 0 || err != nil {
				return
			}
			time.Sleep(300 * time.Millisecond)
			_, _ = unix.Write(fd, buf[:n])
		}
	})
	return ends[1]
}

// loaded returns a program that is run under gdb, and the name of its file.
func loaded(t *testing.T, text string) (*lower.Program, string) {
	t.Helper()
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skip("gdb is not installed: nothing was run")
	}
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.LoadNative(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p, file
}
