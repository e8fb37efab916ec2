// Package sandbox runs strangers' programs with limits: time, memory, processes,
// file sizes, a scratch directory of bounded size and, where the system lets us,
// no network and no view of other processes.
//
// A program is started through the executable itself (see Main), which sets the
// limits of its own process and then becomes the program. With the rights of
// root the program runs as a user of its own in namespaces of its own; without them in a
// user namespace; where that is refused too, Run fails with ErrNoIsolation
// unless Limits.Weak allows it.
package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
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
}

// ErrNoIsolation says that the system gives no namespaces.
var ErrNoIsolation = errors.New("the system gives no namespaces to run a stranger's program in")

// order is what the helper process is told, in an environment variable.
type order struct {
	Path   string
	Args   []string
	Dir    string
	Env    []string
	Limits Limits
	Nobody bool // become User, whom nothing belongs to
	User   int
	Mount  bool
}

const variable = "GULO_SANDBOX"

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
	o := order{Path: path, Args: args, Dir: dir, Limits: l, Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + dir, "LANG=C.UTF-8", "TMPDIR=" + dir}}
	attr.Cloneflags = syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWIPC | syscall.CLONE_NEWNET
	if os.Geteuid() == 0 {
		o.Nobody, o.User = !l.Own, firstUser+(os.Getpid()*97+int(runs.Add(1)))%users
	} else {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	o.Mount = true
	r, err := start(ctx, &l, attr, o, stdin)
	if err != nil && (errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL)) && attr.Cloneflags != 0 {
		if !l.Weak {
			return nil, fmt.Errorf("%w: %v", ErrNoIsolation, err)
		}
		o.Mount = false
		attr.Cloneflags, attr.UidMappings, attr.GidMappings = 0, nil, nil
		return start(ctx, &l, attr, o, stdin)
	}
	return r, err
}

func start(ctx context.Context, l *Limits, attr *syscall.SysProcAttr, o order, stdin string) (*Result, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	told, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, l.Time)
	defer cancel()
	full := false
	cmd := exec.CommandContext(ctx, self)
	stop := func() { full = true; cancel() }
	out, errOut := &capped{max: l.Output, full: stop}, &capped{max: l.Output, full: stop}
	// The runtime maps memory and starts threads when it likes. With one processor, without
	// preemption and without collections nothing but execute runs behind its limits.
	cmd.Env = []string{variable + "=" + string(told), "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1", "GOGC=off"}
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

// Main makes the process the sandboxed program when it was started for that. It
// must be the first thing that main, or a test's TestMain, calls.
func Main() {
	told := os.Getenv(variable)
	if told == "" {
		return
	}
	runtime.LockOSThread() // what is said of the parent's death is said of a thread
	var o order
	err := json.Unmarshal([]byte(told), &o)
	if err == nil {
		err = o.become()
	}
	fmt.Fprintf(os.Stderr, "sandbox: %v\n", err)
	os.Exit(126)
}

// become sets the limits and executes the program; it returns only with an error.
func (o *order) become() error {
	l := &o.Limits
	if o.Mount {
		// Mounts of the new namespace must not be seen outside.
		if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
			return fmt.Errorf("mounts: %w", err)
		}
		scratch := o.Dir + "/scratch"
		if err := os.MkdirAll(scratch, 0o755); err != nil {
			return err
		}
		opts := fmt.Sprintf("size=%d,nr_inodes=2000,mode=1777", l.Disk)
		if err := unix.Mount("tmpfs", scratch, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, opts); err != nil {
			return fmt.Errorf("scratch directory: %w", err)
		}
		for i, e := range o.Env {
			if strings.HasPrefix(e, "TMPDIR=") {
				o.Env[i] = "TMPDIR=" + scratch
			}
		}
		o.Dir = scratch
	}
	if err := os.Chdir(o.Dir); err != nil {
		return err
	}
	limit := func(what int, n uint64) error {
		return unix.Setrlimit(what, &unix.Rlimit{Cur: n, Max: n})
	}
	secs := uint64(l.Time/time.Second) + 1
	for _, x := range []struct {
		what int
		n    uint64
	}{{unix.RLIMIT_CPU, secs}, {unix.RLIMIT_FSIZE, uint64(l.FileSize)}, {unix.RLIMIT_NOFILE, 64}, {unix.RLIMIT_CORE, 0}} {
		if err := limit(x.what, x.n); err != nil {
			return err
		}
	}
	if o.Nobody {
		if err := unix.Setgroups(nil); err != nil {
			return err
		}
		if err := unix.Setresgid(o.User, o.User, o.User); err != nil {
			return err
		}
		if err := unix.Setresuid(o.User, o.User, o.User); err != nil {
			return err
		}
	}
	// The kernel has forgotten this when the user changed.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	if l.Nice > 0 {
		if err := unix.Setpriority(unix.PRIO_PROCESS, 0, l.Nice); err != nil {
			return err
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	return o.execute()
}

// execute limits the address space and becomes the program. The limit comes last
// and nothing is allocated behind it, because the Go runtime maps more than it
// allows.
func (o *order) execute() error {
	path, err := unix.BytePtrFromString(o.Path)
	if err != nil {
		return err
	}
	argv, err := syscall.SlicePtrFromStrings(append([]string{o.Path}, o.Args...))
	if err != nil {
		return err
	}
	envv, err := syscall.SlicePtrFromStrings(o.Env)
	if err != nil {
		return err
	}
	n := uint64(o.Limits.Memory)
	lim := unix.Rlimit{Cur: n, Max: n}
	procs := unix.Rlimit{Cur: uint64(o.Limits.Processes), Max: uint64(o.Limits.Processes)}
	var e syscall.Errno
	if !o.Limits.Own {
		_, _, e = unix.RawSyscall6(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_NPROC, uintptr(unsafe.Pointer(&procs)), 0, 0, 0)
	}
	if e == 0 {
		_, _, e = unix.RawSyscall6(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_AS, uintptr(unsafe.Pointer(&lim)), 0, 0, 0)
	}
	if e == 0 {
		_, _, e = unix.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&envv[0])))
	}
	return e
}
