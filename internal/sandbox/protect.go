package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"gulo/internal/sandbox/launch"
)

// This file chooses how a program is kept apart from everything else: the strongest way that
// this system allows is found by the first runs and kept for the others.

// ErrNoIsolation says that strangers' programs had better not run here.
var ErrNoIsolation = errors.New("this system does not let gulo close the network to a stranger's program")

// Users that strangers' programs become: a number of its own for each, because the
// limit on processes counts those of a user.
const (
	firstUser = 200_000
	users     = 50_000
)

var runs atomic.Int64

// protection is one way to keep a program apart.
type protection struct {
	spaces bool // namespaces of its own: processes, mounts, System V IPC, network
	user   bool // the namespaces belong to a user namespace
	mounts bool // a scratch folder of bounded size is mounted
	become bool // it becomes a user of its own
	open   bool // the network stays open
}

// ladder is a list of protections, the strongest first. One that the system has refused is left
// out from then on.
type ladder struct {
	sync.Mutex
	list []protection
	made bool
	make func() []protection
}

// ladders has three: own is for helpers of ours (Limits.Own), which keep their user and may start
// strangers' programs themselves; weak is for programs that may run with an open network if need be
// (Limits.Weak); strict is for all others.
var ladders = struct{ own, weak, strict ladder }{
	own: ladder{make: func() []protection {
		list := []protection{{spaces: true, user: true, mounts: true}, {open: true}}
		if os.Geteuid() == 0 {
			list = append([]protection{{spaces: true, mounts: true}}, list...)
		}
		return list
	}},
	weak:   ladder{make: func() []protection { return append(strangers(), alone(protection{open: true})...) }},
	strict: ladder{make: strangers},
}

func (l *Limits) ladder() *ladder {
	switch {
	case l.Own:
		return &ladders.own
	case l.Weak:
		return &ladders.weak
	}
	return &ladders.strict
}

// strangers are the protections of strangers' programs.
func strangers() []protection {
	list := []protection{{spaces: true, user: true, mounts: true}, {spaces: true, user: true}}
	if others() {
		list = append([]protection{{spaces: true, mounts: true, become: true}}, list...)
	}
	return append(list, alone(protection{})...)
}

// alone are the forms of a protection without namespaces.
func alone(p protection) []protection {
	if !others() {
		return []protection{p}
	}
	user := p
	user.become = true
	return []protection{user, p}
}

// others reports whether this process may become the users of strangers' programs: it is root,
// and these users exist in its user namespace.
var others = sync.OnceValue(func() bool {
	return os.Geteuid() == 0 && mapped("/proc/self/uid_map") && mapped("/proc/self/gid_map")
})

// mapped reports whether a map of a user namespace has the users of strangers' programs.
func mapped(file string) bool {
	b, err := os.ReadFile(file)
	if err != nil {
		return true // a kernel without user namespaces, or without /proc
	}
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		first, err1 := strconv.ParseInt(f[0], 10, 64)
		n, err2 := strconv.ParseInt(f[2], 10, 64)
		if err1 == nil && err2 == nil && first <= firstUser && first+n >= firstUser+users {
			return true
		}
	}
	return false
}

// climb runs with the first protection that the system does not refuse.
func (l *ladder) climb(run func(protection) (*Result, error)) (*Result, error) {
	for {
		l.Lock()
		if !l.made {
			l.list, l.made = l.make(), true
		}
		list := l.list
		l.Unlock()
		r, err := run(list[0])
		if !refused(err) {
			return r, failed(err)
		}
		if len(list) == 1 {
			return nil, fmt.Errorf("%w: %w", ErrNoIsolation, err)
		}
		l.Lock()
		if len(l.list) == len(list) { // nobody else was first
			l.list = list[1:]
		}
		l.Unlock()
		note(func(m *missing) { m.why = cause(m.why, err) })
	}
}

// cause keeps the first reason.
func cause(why string, err error) string {
	var s *StartError
	if why == "" && errors.As(err, &s) {
		return s.what() + ": " + s.Err.Error()
	}
	return why
}

// refused reports whether the system refuses a protection, so that another may be tried: namespaces
// are refused where the helper is started, the rest by the helper.
func refused(err error) bool {
	var s *StartError
	if !errors.As(err, &s) {
		return false
	}
	switch s.Stage {
	case launch.Mounts, launch.Scratch, launch.ChangeUser, launch.Network, launch.Privileges:
		return true
	case namespaces:
		return true
	}
	return false
}

// unavailable are the errors with which a kernel refuses namespaces.
var unavailable = []syscall.Errno{syscall.EPERM, syscall.EINVAL, syscall.EACCES, syscall.ENOSYS}

// run runs a program with a protection.
func (p protection) run(ctx context.Context, l Limits, o launch.Order, stdin string) (*Result, error) {
	attr := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if p.spaces {
		attr.Cloneflags = syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWIPC | syscall.CLONE_NEWNET
	}
	if p.user {
		// The helper maps its user itself: in a process namespace we may not find it below /proc.
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN}
		o.Map, o.UID, o.GID = 1, int64(os.Geteuid()), int64(os.Getegid())
	}
	if p.become {
		o.User = int64(firstUser + (os.Getpid()*97+int(runs.Add(1)))%users)
	}
	if p.mounts {
		o.Scratch = l.Disk
	} else if !l.Own {
		dir, err := p.folder(o.Dir)
		if err != nil {
			return nil, &StartError{launch.Enter, err}
		}
		defer os.RemoveAll(dir)
		o.Dir = dir
	}
	if !l.Own {
		if err := l.given(mostAddresses()); err != nil {
			return nil, err
		}
		o.ReadOnly, o.Drop, o.Filter = flag(!p.become), flag(!p.become), flag(!p.spaces && !p.open)
		p.count(&l)
	}
	r, err := start(ctx, &l, attr, &o, stdin)
	if err == nil && !l.Own {
		note(p.lacks)
	}
	return r, err
}

// given checks that a program can have the address space that it is to have, of the most that this process
// may give it: with less it would be another program.
func (l *Limits) given(most uint64) error {
	if uint64(l.Memory) > most {
		return &StartError{addresses, fmt.Errorf("%d MiB of %d", most>>20, l.Memory>>20)}
	}
	return nil
}

// mostAddresses is the limit on the address space of this process and of those that it starts.
func mostAddresses() uint64 {
	own := unix.Rlimit{Max: unix.RLIM_INFINITY}
	_ = unix.Getrlimit(unix.RLIMIT_AS, &own)
	return own.Max
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// folder makes the scratch folder of one run where none can be mounted.
func (p protection) folder(in string) (string, error) {
	dir, err := os.MkdirTemp(in, "scratch")
	if err != nil {
		return "", err
	}
	mode := os.FileMode(0o700)
	if p.become {
		mode = os.ModeSticky | 0o777
	}
	return dir, os.Chmod(dir, mode)
}

// count raises the limit on processes by those that count although they are not the program's:
// without a user of its own they are all of the user's. Since Linux 5.14 those of a user
// namespace are counted apart.
func (p protection) count(l *Limits) {
	if !p.become && !(p.user && countsApart()) {
		l.Processes += tasks.of(os.Getuid())
	}
}

var countsApart = sync.OnceValue(func() bool {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return false
	}
	var major, minor int
	_, err := fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &major, &minor)
	return err == nil && (major > 5 || major == 5 && minor >= 14)
})

// tasks counts the threads of a user, at most once a second.
var tasks counter

type counter struct {
	sync.Mutex
	n    int
	when time.Time
}

func (c *counter) of(user int) int {
	c.Lock()
	defer c.Unlock()
	if time.Since(c.when) < time.Second {
		return c.n
	}
	c.n, c.when = 64, time.Now() // what the user may begin meanwhile
	list, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range list {
		var st unix.Stat_t
		if unix.Stat(dir, &st) == nil && int(st.Uid) == user {
			threads, _ := os.ReadDir(filepath.Join(dir, "task"))
			c.n += len(threads)
		}
	}
	return c.n
}
