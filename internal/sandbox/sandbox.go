// Package sandbox runs untrusted programs with limits: time, memory, processes,
// file sizes, a scratch directory of bounded size and, where the system lets us,
// no network and no view of other processes.
//
// A program is started through the executable itself (see package launch), which sets the
// limits of its own process and then becomes the program. With the rights of
// root the program runs as a user of its own in namespaces of its own; without them in a
// user namespace; where that is refused too, Run fails with ErrNoIsolation
// unless Limits.Weak allows it.
package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"gulo/internal/sandbox/launch"
)

// Limits bound one run.
type Limits struct {
	Time      time.Duration // on the clock; 0 means 5 s
	Memory    int64         // bytes of address space; 0 means 512 MiB
	Processes int           // 0 means 8
	FileSize  int64         // bytes of one file; 0 means 8 MiB
	Disk      int64         // bytes in the scratch directory; 0 means 16 MiB
	Output    int           // bytes of each stream kept; 0 means 1 MiB
	Weak      bool          // go on without namespaces where the system refuses them
	Own       bool          // our own helper: the user stays who she is and may start processes
	Nice      int           // added to the program's niceness: what it burns, others do not miss
}

// Result is what became of a run.
type Result struct {
	Stdout, Stderr string
	Status         int    // exit status, -1 when stopped
	Stopped        string // why it was stopped: "time", "output", "signal: ..."; empty when it ended by itself
	Took           time.Duration
	CPU            time.Duration // of processors, user and system
}

// ErrNoIsolation says that the system gives no namespaces.
var ErrNoIsolation = errors.New("the system gives no namespaces to run a stranger's program in")

// Users that strangers' programs become: a number of its own for each, because the
// limit on processes counts those of a user.
const (
	firstUser = 200_000
	users     = 50_000
)

var runs atomic.Int64

func (l *Limits) fill() {
	set := func(p *int64, v int64) {
		if *p == 0 {
			*p = v
		}
	}
	if l.Time == 0 {
		l.Time = 5 * time.Second
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
	attr := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	o := &launch.Order{Path: path, Args: args, Dir: dir, Nice: int64(l.Nice)}
	attr.Cloneflags = syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWIPC | syscall.CLONE_NEWNET
	if os.Geteuid() == 0 {
		if !l.Own {
			o.User = int64(firstUser + (os.Getpid()*97+int(runs.Add(1)))%users)
		}
	} else {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	o.Scratch = l.Disk
	r, err := start(ctx, &l, attr, o, stdin)
	if err != nil && (errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL)) && attr.Cloneflags != 0 {
		if !l.Weak {
			return nil, fmt.Errorf("%w: %v", ErrNoIsolation, err)
		}
		o.Scratch = 0
		attr.Cloneflags, attr.UidMappings, attr.GidMappings = 0, nil, nil
		return start(ctx, &l, attr, o, stdin)
	}
	return r, err
}

// tell puts the limits and the environment into an order.
func (l *Limits) tell(o *launch.Order) {
	tmp := o.Dir
	if o.Scratch > 0 {
		tmp += "/scratch"
	}
	o.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + o.Dir, "LANG=C.UTF-8", "TMPDIR=" + tmp}
	o.Limits = []launch.Limit{
		{What: unix.RLIMIT_CPU, Max: int64(l.Time/time.Second) + 1},
		{What: unix.RLIMIT_FSIZE, Max: l.FileSize},
		{What: unix.RLIMIT_NOFILE, Max: 64},
		{What: unix.RLIMIT_CORE, Max: 0},
	}
	o.Last = []launch.Limit{{What: unix.RLIMIT_AS, Max: l.Memory}}
	if !l.Own {
		o.Last = append(o.Last, launch.Limit{What: unix.RLIMIT_NPROC, Max: int64(l.Processes)})
	}
}

func start(ctx context.Context, l *Limits, attr *syscall.SysProcAttr, o *launch.Order, stdin string) (*Result, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	l.tell(o)
	told := o.Encode()
	if strings.IndexByte(told, 0) >= 0 {
		return &Result{Status: 126, Stderr: "sandbox: an argument has a zero byte\n"}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, l.Time)
	defer cancel()
	full := false
	cmd := exec.CommandContext(ctx, self)
	stop := func() { full = true; cancel() }
	out, errOut := &capped{max: l.Output, full: stop}, &capped{max: l.Output, full: stop}
	// The runtime maps memory and starts threads when it likes. With one processor, without
	// preemption and without collections nothing but execute runs behind its limits.
	cmd.Env = []string{launch.Variable + "=" + told, "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1", "GOGC=off"}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader([]byte(stdin)), out, errOut
	cmd.SysProcAttr = attr
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	err = cmd.Wait()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left behind
	r := &Result{Stdout: out.buf.String(), Stderr: errOut.buf.String(), Took: time.Since(begin)}
	if p := cmd.ProcessState; p != nil {
		r.CPU = p.UserTime() + p.SystemTime()
	}
	var exit *exec.ExitError
	switch {
	case full:
		r.Status, r.Stopped = -1, "output"
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		r.Status, r.Stopped = -1, "time"
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &exit):
		r.Status = exit.ExitCode()
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			r.Status, r.Stopped = -1, "signal: "+unix.SignalName(ws.Signal())
		}
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return nil, err
	}
	return r, nil
}

// Main makes the process the sandboxed program when it was started for that. Package launch
// does so while packages are initialized, as a rule before others; a program that runs
// others calls Main before it does anything else, whatever the order was.
func Main() { launch.Begin() }
