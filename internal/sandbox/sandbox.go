// Package sandbox runs untrusted programs with limits: time, memory, processes,
// file sizes, a scratch directory of bounded size and, where the system lets us,
// no network and no view of other processes.
//
// A program is started through the executable itself (see package launch), which sets the
// limits of its own process and then becomes the program. With the rights of
// root the program runs as a user of its own in namespaces of its own; without them in a
// user namespace; where that is refused too, with its limits and with what the kernel gives
// to anybody: files are closed by Landlock, the network by seccomp. Missing says what is
// lacking then. Where not even the network can be closed, Run fails with ErrNoIsolation
// unless Limits.Weak allows it.
//
// What keeps a program from being started is a *StartError and never a Result: it says
// nothing about the program.
package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"gulo/internal/sandbox/launch"
)

// Limits bound one run.
type Limits struct {
	Time      time.Duration // on the clock; 0 means 5 s
	Processor time.Duration // of a processor, a whole number of seconds for each process; 0 means a second more than Time
	Memory    int64         // bytes of address space; 0 means 512 MiB
	Processes int           // 0 means 8
	FileSize  int64         // bytes of one file; 0 means 8 MiB
	Disk      int64         // bytes in the scratch directory; 0 means 16 MiB
	Output    int           // bytes of each stream kept; 0 means 1 MiB
	Weak      bool          // go on where the system does not let us close the network
	Own       bool          // our own helper: the user stays who she is and may start processes
	From      string        // a folder with files that the program finds in its scratch directory
	Given     []string      // their names; those of folders, which come first, end with a slash
	Nice      int           // the niceness that the program has at least: what it burns, others do not miss
}

// Result is what became of a run.
type Result struct {
	Stdout, Stderr string
	Status         int    // exit status, -1 when stopped
	Stopped        string // why it was stopped: "time", "output", "signal: ..."; empty when it ended by itself
	Took           time.Duration
	CPU            time.Duration // of processors, user and system
}

func (l *Limits) fill() {
	set := func(p *int64, v int64) {
		if *p == 0 {
			*p = v
		}
	}
	if l.Time == 0 {
		l.Time = 5 * time.Second
	}
	if l.Processor == 0 {
		l.Processor = l.Time + time.Second
	}
	set(&l.Memory, 512<<20)
	set(&l.FileSize, 8<<20)
	set(&l.Disk, 16<<20)
	if l.Processes == 0 {
		l.Processes = 8
	}
	if l.Output == 0 {
		l.Output = 1 << 20
	}
}

// capped keeps the first bytes of a stream and calls full when there are more.
type capped struct {
	buf  bytes.Buffer
	max  int
	full func()
}

func (c *capped) Write(p []byte) (int, error) {
	if left := c.max - c.buf.Len(); len(p) > left {
		c.buf.Write(p[:max(left, 0)])
		c.full()
		return len(p), nil
	}
	c.buf.Write(p)
	return len(p), nil
}

// Run runs path in dir, which becomes its scratch directory. Precondition: the
// program calls Main before anything else.
func Run(ctx context.Context, l Limits, dir, stdin, path string, args ...string) (*Result, error) {
	l.fill()
	for i, a := range args {
		if strings.IndexByte(a, 0) >= 0 {
			return nil, fmt.Errorf("argument %d holds a zero byte, which no program can be given: %q", i+1, a)
		}
	}
	o := &launch.Order{Path: path, Args: args, Dir: dir, Nice: int64(l.Nice), From: l.From, Given: l.Given}
	return l.ladder().climb(func(p protection) (*Result, error) { return p.run(ctx, l, *o, stdin) })
}

// tell puts the limits and the environment into an order.
func (l *Limits) tell(o *launch.Order) {
	tmp := o.Dir
	if o.Scratch > 0 {
		tmp += "/scratch"
	}
	o.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + o.Dir, "LANG=C.UTF-8", "TMPDIR=" + tmp}
	o.Limits = []launch.Limit{
		{What: unix.RLIMIT_CPU, Max: int64(l.Processor / time.Second)},
		{What: unix.RLIMIT_FSIZE, Max: l.FileSize},
		{What: unix.RLIMIT_NOFILE, Max: 64},
		{What: unix.RLIMIT_CORE, Max: 0},
	}
	o.Last = []launch.Limit{{What: unix.RLIMIT_AS, Max: l.Memory}}
	if !l.Own {
		o.Last = append(o.Last, launch.Limit{What: unix.RLIMIT_NPROC, Max: int64(l.Processes)})
	}
}

// launchTime is what a helper may take to become the program, on a machine that is busy with others.
const launchTime = 2 * time.Minute

// Why a run was ended.
var (
	errTime   = errors.New("time")
	errOutput = errors.New("output")
	errLaunch = errors.New("launch")
)

// start starts a helper with an order and waits for the program that it becomes.
func start(ctx context.Context, l *Limits, attr *syscall.SysProcAttr, o *launch.Order, stdin string) (*Result, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	l.tell(o)
	told, tells, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer told.Close()
	defer tells.Close()
	within, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := exec.CommandContext(within, self)
	full := func() { cancel(errOutput) }
	out, errOut := &capped{max: l.Output, full: full}, &capped{max: l.Output, full: full}
	// The runtime maps memory and starts threads when it likes. With one processor, without
	// preemption and without collections nothing but execute runs behind its limits.
	cmd.Env = []string{launch.Variable + "=" + o.Encode(), "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1", "GOGC=off"}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader([]byte(stdin)), out, errOut
	cmd.ExtraFiles = []*os.File{tells}
	cmd.SysProcAttr = attr
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return nil, unstarted(err, attr.Cloneflags != 0)
	}
	tells.Close()
	late := time.AfterFunc(launchTime, func() { cancel(errLaunch) })
	words, _ := io.ReadAll(told) // it ends when the program begins
	late.Stop()
	begin := time.Now()
	clock := time.AfterFunc(l.Time, func() { cancel(errTime) })
	defer clock.Stop()
	err = cmd.Wait()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left behind
	why := context.Cause(within)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		why = errTime
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	r := &Result{Stdout: out.buf.String(), Stderr: errOut.buf.String(), Took: time.Since(begin)}
	if p := cmd.ProcessState; p != nil {
		r.CPU = p.UserTime() + p.SystemTime()
	}
	if failed := read(words, cmd.ProcessState); failed != nil && ctx.Err() == nil {
		return nil, failed
	}
	if err := r.ended(why, err); err != nil {
		return nil, err
	}
	if r.Stopped == "signal: SIGKILL" && l.Processor < l.Time && r.CPU > l.Processor/2 { // which is counted in ticks
		r.Stopped = errTime.Error()
	}
	return r, nil
}

// unstarted says why there is no helper.
func unstarted(err error, spaces bool) error {
	var e syscall.Errno
	switch {
	case !errors.As(err, &e) || e == syscall.E2BIG: // which is about the arguments
		return err
	case spaces && (e == syscall.ENOSPC || e == syscall.EUSERS):
		return &StartError{namespaces, errors.New("there are as many as /proc/sys/user allows")}
	case spaces && slices.Contains(unavailable, e):
		return &StartError{namespaces, e}
	}
	return &StartError{begin, e}
}

// ended says how a program ended, by why it was stopped and by what Wait says.
func (r *Result) ended(why, err error) error {
	var exit *exec.ExitError
	switch {
	case why != nil:
		r.Status, r.Stopped = -1, why.Error()
	case errors.As(err, &exit):
		r.Status = exit.ExitCode()
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			r.Status, r.Stopped = -1, "signal: "+unix.SignalName(ws.Signal())
		}
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return err
	}
	return nil
}

// Main makes the process the sandboxed program when it was started for that. Package launch
// does so while packages are initialized, as a rule before others; a program that runs
// others calls Main before it does anything else, whatever the order was.
func Main() { launch.Begin() }
