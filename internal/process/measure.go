package process

import (
	"bytes"
	"context"
	"os/exec"
	"syscall"
	"time"
)

// This file runs a command as a measurement does: what it prints, how it ends and what it uses.

// endTime is what a command has to end after it was asked to.
const endTime = 2 * time.Second

// Usage is what a command printed and used.
type Usage struct {
	Out, Errs []byte
	Exit      int
	Late      bool    // it was asked to end, after the limit
	Millis    float64 // by the clock
	CPU       float64 // milliseconds of the processors, with what it started and waited for
	Memory    int64   // the greatest resident memory of the command itself, in KiB
}

// Measure runs a command, and asks it to end after a limit. start starts it; nil: it is started as
// it is. The error is of what cannot be started, or of ctx.
func Measure(ctx context.Context, limit time.Duration, start func(*exec.Cmd) error, name string, args ...string) (*Usage, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := Command(limited, name, args...)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = endTime
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if start == nil {
		start = (*exec.Cmd).Start
	}
	begin := time.Now()
	err := start(c)
	if err == nil {
		err = c.Wait()
	}
	u := &Usage{Millis: float64(time.Since(begin).Microseconds()) / 1000}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	p := c.ProcessState
	if p == nil {
		return nil, err
	}
	u.Out, u.Errs, u.Exit, u.Late = out.Bytes(), errs.Bytes(), p.ExitCode(), limited.Err() != nil
	u.CPU = float64((p.UserTime() + p.SystemTime()).Microseconds()) / 1000
	if r, ok := p.SysUsage().(*syscall.Rusage); ok {
		u.Memory = r.Maxrss
	}
	return u, nil
}
