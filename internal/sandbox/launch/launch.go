// Package launch is the helper's side of package sandbox: a process that finds an order in
// its environment sets its own limits and becomes the program.
//
// It does so while it is initialized. It imports syscall and nothing else, so that its turn
// comes before that of nearly all packages of a large executable, whose own preparations
// would cost more than all that is done here: a repair starts a dozen programs.
package launch

import (
	"runtime"
	"syscall"
	"unsafe"
)

// Variable is the environment variable that holds an order.
const Variable = "GULO_SANDBOX"

// Limit is a resource limit: what and how much, as for prlimit.
type Limit struct{ What, Max int64 }

// Order is what a helper process is told.
type Order struct {
	Path      string
	Args, Env []string // Args without the name of the program
	Dir       string
	Scratch   int64 // bytes of a file system of its own, mounted as Dir/scratch, where the program begins; 0: none
	Limits    []Limit
	Last      []Limit // set when nothing is allocated any more
	User      int64   // that the process becomes; 0: who she is
	Nice      int64   // 0: as it is
}

func init() { Begin() }

// Begin makes the process the program when it was started for that, or ends it; else it
// does nothing.
func Begin() {
	told, ok := syscall.Getenv(Variable)
	if !ok || told == "" {
		return
	}
	runtime.LockOSThread() // what is said of the parent's death is said of a thread
	o, ok := Decode(told)
	why := "the order cannot be read"
	if ok {
		why = o.become()
	}
	_, _ = syscall.Write(2, []byte("sandbox: "+why+"\n"))
	syscall.Exit(126)
}

// become sets the limits and executes the program; it returns only with what went wrong.
func (o *Order) become() string {
	if o.Scratch > 0 {
		// Mounts of the new namespace must not be seen outside.
		if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
			return "mounts: " + err.Error()
		}
		o.Dir += "/scratch"
		if err := syscall.Mkdir(o.Dir, 0o755); err != nil && err != syscall.EEXIST {
			return o.Dir + ": " + err.Error()
		}
		opts := "size=" + decimal(o.Scratch) + ",nr_inodes=2000,mode=1777"
		if err := syscall.Mount("tmpfs", o.Dir, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, opts); err != nil {
			return "scratch directory: " + err.Error()
		}
	}
	if err := syscall.Chdir(o.Dir); err != nil {
		return o.Dir + ": " + err.Error()
	}
	for _, l := range o.Limits {
		if err := syscall.Setrlimit(int(l.What), &syscall.Rlimit{Cur: uint64(l.Max), Max: uint64(l.Max)}); err != nil {
			return "limits: " + err.Error()
		}
	}
	if why := o.leave(); why != "" {
		return why
	}
	return o.execute().Error()
}

// leave gives up rights.
func (o *Order) leave() string {
	if u := int(o.User); u != 0 {
		// What package syscall has for this stops all threads to tell each; of a process that
		// executes a program only the thread that does so is left.
		if _, _, e := syscall.RawSyscall(syscall.SYS_SETGROUPS, 0, 0, 0); e != 0 {
			return "groups: " + e.Error()
		}
		if _, _, e := syscall.RawSyscall(syscall.SYS_SETRESGID, uintptr(u), uintptr(u), uintptr(u)); e != 0 {
			return "group: " + e.Error()
		}
		if _, _, e := syscall.RawSyscall(syscall.SYS_SETRESUID, uintptr(u), uintptr(u), uintptr(u)); e != 0 {
			return "user: " + e.Error()
		}
	}
	// The kernel has forgotten this when the user changed.
	if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0, 0, 0, 0); e != 0 {
		return "the parent's death: " + e.Error()
	}
	if o.Nice > 0 {
		if err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, int(o.Nice)); err != nil {
			return "priority: " + err.Error()
		}
	}
	const noNewPrivileges = 38 // PR_SET_NO_NEW_PRIVS, which package syscall does not have
	if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0); e != 0 {
		return "privileges: " + e.Error()
	}
	return ""
}

// execute sets the last limits, those of the address space and of processes among them, and
// becomes the program. Nothing is allocated behind them, because the Go runtime maps more
// than they allow.
func (o *Order) execute() syscall.Errno {
	path, err := syscall.BytePtrFromString(o.Path)
	if err != nil {
		return syscall.EINVAL
	}
	argv, err := syscall.SlicePtrFromStrings(append([]string{o.Path}, o.Args...))
	if err != nil {
		return syscall.EINVAL
	}
	envv, err := syscall.SlicePtrFromStrings(o.Env)
	if err != nil {
		return syscall.EINVAL
	}
	limits := make([]syscall.Rlimit, len(o.Last))
	for i, l := range o.Last {
		limits[i] = syscall.Rlimit{Cur: uint64(l.Max), Max: uint64(l.Max)}
	}
	for i := range limits {
		if _, _, e := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, 0, uintptr(o.Last[i].What), uintptr(unsafe.Pointer(&limits[i])), 0, 0, 0); e != 0 {
			return e
		}
	}
	_, _, e := syscall.RawSyscall(syscall.SYS_EXECVE, uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&envv[0])))
	return e
}
