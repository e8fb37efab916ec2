package gdb

import (
	"context"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gulo/internal/process"
	"gulo/internal/target"
)

// handed is two threads, one after the other.
const handed = `#include <pthread.h>

static int count;

static void *add(void *p)
{
    count += *(int *)p;
    count *= 2;
    return NULL;
}

int main(void)
{
    int one = 1, two = 2;
    pthread_t a, b;
    pthread_create(&a, 0, add, &one);
    pthread_join(a, 0);
    count++;
    pthread_create(&b, 0, add, &two);
    pthread_join(b, 0);
    return count;
}
`

// TestTurns: threads take the same turns when the machine has no time for gdb, when the signal that
// is to stop a thread comes after it has arrived by itself, and when that signal is lost.
func TestTurns(t *testing.T) {
	ctx := context.Background()
	p, file := loaded(t, handed)
	want := []int{14, 14, 16, 17, 18, 19, 20, 21, 22}
	for name, before := range map[string]func(*Target){
		"undisturbed": func(*Target) {},
		"late": func(tgt *Target) {
			if x := tgt.byNumber(tgt.threads.cur); x != nil && unix.Tgkill(tgt.pid, x.tid, unix.SIGSTOP) == nil {
				tgt.threads.nudged = true
			}
		},
		"lost": func(tgt *Target) { tgt.threads.nudged = true },
		"starved": func(tgt *Target) {
			if len(tgt.threads.list) > 1 || tgt.threads.last > 1 { // until the first thread is there
				return
			}
			gdb := tgt.c.cmd.Process.Pid
			if err := syscall.Kill(gdb, syscall.SIGSTOP); err != nil {
				t.Error(err)
			}
			time.AfterFunc(1500*time.Millisecond, func() { _ = syscall.Kill(gdb, syscall.SIGCONT) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tgt, err := New(ctx, p, Config{Files: []string{file}, Name: "h"})
			if err != nil {
				t.Fatal(err)
			}
			defer tgt.Close()
			stop, err := tgt.Start(ctx)
			var lines []int
			for err == nil && stop.Reason == target.Stepped {
				lines = append(lines, p.Stmts[stop.Stmt].Range.Position().Line)
				before(tgt)
				stop, err = tgt.Resume(ctx, target.Next, nil)
			}
			if err != nil || stop.Reason != target.Exited || stop.Status != 10 {
				t.Errorf("%+v, %v", stop, err)
			}
			if !slices.Equal(lines, want) {
				t.Errorf("lines %v, not %v", lines, want)
			}
		})
	}
}

// TestThreads: other children of gulo outlive gdb. The kernel kills them with the thread that they were started on.
func TestThreads(t *testing.T) {
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var cats []*exec.Cmd
	var mu sync.Mutex
	start := func() {
		c := process.Command(ctx, "cat")
		in, err := c.StdinPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Error(err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		cats = append(cats, c)
		t.Cleanup(func() { _, _ = in.Close(), c.Wait() })
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 3 {
				start()
				c, err := startClient(syscall.SIGKILL, nil)
				if err != nil {
					t.Error(err)
					return
				}
				start()
				c.close()
			}
		})
	}
	all.Wait()
	for _, c := range cats {
		if err := c.Process.Signal(syscall.Signal(0)); err != nil {
			t.Errorf("a child has ended: %v", err)
		}
		if state, err := status(c.Process.Pid); err != nil || state == 'Z' {
			t.Errorf("a child was killed: %c %v", state, err)
		}
	}
}

// status is the kernel's letter for a process.
func status(pid int) (byte, error) {
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	if err != nil || len(out) == 0 {
		return 0, io.EOF
	}
	return out[0], nil
}
