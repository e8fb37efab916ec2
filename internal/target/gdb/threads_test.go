package gdb

import (
	"context"
	"io"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"gulo/internal/process"
)

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
