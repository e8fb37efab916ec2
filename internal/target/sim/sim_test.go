package sim

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/target"
)

// This file tests what is the machine's alone; what both engines must do alike is in
// target/target_test.go.

const adding = `#include <stdio.h>
int main(void)
{
    int n, sum = 0;
    while (scanf("%d", &n) == 1)
        sum += n;
    printf("%d\n", sum);
    while (sum > 100)
        sum = sum + 0;
    return sum;
}
`

func start(t *testing.T, steps int64) *Target {
	t.Helper()
	file := filepath.Join(t.TempDir(), "adding.c")
	if err := os.WriteFile(file, []byte(adding), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := New(p, Config{Name: "adding", MaxSteps: steps})
	t.Cleanup(s.Close)
	if _, err := s.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

func resume(t *testing.T, s *Target, mode target.Mode, want target.Reason) target.Stop {
	t.Helper()
	stop, err := s.Resume(context.Background(), mode, nil)
	if err != nil {
		t.Fatal(err)
	}
	if stop.Reason != want {
		t.Fatalf("stopped with reason %d (%s), not %d", stop.Reason, stop.Message, want)
	}
	return stop
}

// TestInput: where standard input runs dry the program waits, and goes on with what it is given.
func TestInput(t *testing.T) {
	s := start(t, 0)
	s.Input("3 ")
	resume(t, s, target.Continue, target.NeedInput)
	s.Input("4\n")
	resume(t, s, target.Wait, target.NeedInput)
	s.EndInput()
	if stop := resume(t, s, target.Wait, target.Exited); stop.Status != 7 {
		t.Errorf("exit status %d, not 7", stop.Status)
	}
	if out := s.Output(); out != "7\n" {
		t.Errorf("it wrote %q", out)
	}
	if again := s.Output(); again != "" {
		t.Errorf("it wrote %q once more", again)
	}
}

// TestEndless: a resume takes no more steps than it is allowed, and the program can be looked at.
func TestEndless(t *testing.T) {
	s := start(t, 50_000)
	s.Input("101\n")
	s.EndInput()
	resume(t, s, target.Continue, target.TimedOut)
	frames, err := s.Frames()
	if err != nil || len(frames) != 1 || frames[0].Func.Name != "main" {
		t.Errorf("frames %v, %v", frames, err)
	}
}

// TestInterrupt: a program that does not come to its end is stopped by another goroutine.
func TestInterrupt(t *testing.T) {
	s := start(t, 0)
	s.Input("101\n")
	s.EndInput()
	done := make(chan struct{})
	go func() { // Resume forgets an interrupt that came before it
		for {
			select {
			case <-done:
				return
			default:
				s.Interrupt()
				time.Sleep(time.Millisecond)
			}
		}
	}()
	defer close(done)
	resume(t, s, target.Continue, target.Interrupted)
}
