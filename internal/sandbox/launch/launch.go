// Package launch is the helper's side of package sandbox: a process that finds an order in
// its environment sets its own limits and becomes the program.
//
// It does so while it is initialized. It imports syscall and nothing else, so that its turn
// comes before that of nearly all packages of a large executable, whose own preparations
// would cost more than all that is done here: a repair starts a dozen programs.
//
// What the helper itself has to say goes through a pipe that the program does not inherit:
// a program can print anything and exit with any status.
package launch

import (
	"runtime"
	"syscall"
	"unsafe"
)

// Variable is the environment variable that holds an order.
const Variable = "GULO_SANDBOX"

// Pipe is the descriptor that a helper tells on, one Word a line.
const Pipe = 3

// Word begins a line on the pipe; the stage and the number of an error follow it.
type Word string

// Words.
const (
	Failed Word = "failed" // the program was not begun
	Lacks  Word = "lacks"  // it begins without this protection
	Begins Word = "begins" // the program takes over; what follows says that it could not
)

// Stage is a part of a helper's work.
type Stage string

// Stages.
const (
	ReadOrder   Stage = "order"
	Mounts      Stage = "mounts"
	Scratch     Stage = "scratch"
	Enter       Stage = "folder"
	SetLimits   Stage = "limits"
	ChangeUser  Stage = "user"
	ParentDeath Stage = "parent"
	Privileges  Stage = "privileges"
	Network     Stage = "network"
	Files       Stage = "files"
	Execute     Stage = "program"
)

// Limit is a resource limit: what and how much, as for prlimit.
type Limit struct{ What, Max int64 }

// Order is what a helper process is told.
type Order struct {
	Path      string
	Args, Env []string // Args without the name of the program
	Dir       string
	From      string   // a folder that files are copied from to where the program begins
	Given     []string // their names; those of folders end with a slash
	Scratch   int64    // bytes of a file system of its own, mounted as Dir/scratch, where the program begins; 0: none
	Limits    []Limit
	Last      []Limit // set when nothing is allocated any more
	User      int64   // that the process becomes; 0: it keeps its own
	Nice      int64   // the niceness that it has at least; 0: as it is
	ReadOnly  int64   // 1: files outside the folder where the program begins cannot be written
	Filter    int64   // 1: sockets cannot be made, in place of a network of its own
	Drop      int64   // 1: no capabilities
	Map       int64   // 1: it is in a new user namespace, where root is to be this user and this group
	UID, GID  int64
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
	syscall.CloseOnExec(Pipe)
	stage, e := ReadOrder, syscall.EINVAL
	if o, ok := Decode(told); ok {
		stage, e = o.become()
	}
	if !tell(Failed, stage, e) { // nobody listens
		_, _ = syscall.Write(2, []byte("sandbox: "+string(stage)+": "+e.Error()+"\n"))
	}
	syscall.Exit(126)
}

// tell writes a line to whoever gave the order.
func tell(w Word, s Stage, e syscall.Errno) bool {
	_, err := syscall.Write(Pipe, []byte(string(w)+" "+string(s)+" "+decimal(int64(e))+"\n"))
	return err == nil
}

// become sets the limits and executes the program; it returns only with what went wrong.
func (o *Order) become() (Stage, syscall.Errno) {
	readOnly := o.ReadOnly == 0
	if o.Map != 0 {
		if e := o.mapUser(); e != 0 {
			return ChangeUser, e
		}
	}
	if o.Scratch > 0 {
		// Mounts of the new namespace must not be seen outside.
		if e := mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); e != 0 {
			return Mounts, e
		}
		o.Dir += "/scratch"
		if err := syscall.Mkdir(o.Dir, 0o755); err != nil && err != syscall.EEXIST {
			return Scratch, number(err)
		}
		readOnly = readOnly || freeze()
		opts := "size=" + decimal(o.Scratch) + ",nr_inodes=2000,mode=1777"
		if e := mount("tmpfs", o.Dir, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, opts); e != 0 {
			return Scratch, e
		}
		if o.ReadOnly != 0 { // shared memory and semaphores that have names; some systems have no such folder
			_ = mount("tmpfs", "/dev/shm", "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, opts)
		}
	}
	if err := syscall.Chdir(o.Dir); err != nil {
		return Enter, number(err)
	}
	if e := o.copies(); e != 0 {
		return Enter, e
	}
	for _, l := range o.Limits {
		r := l.allowed()
		if err := syscall.Setrlimit(int(l.What), &r); err != nil {
			return SetLimits, number(err)
		}
	}
	if stage, e := o.leave(); e != 0 {
		return stage, e
	}
	if !readOnly {
		if e := confine(o.Dir); e != 0 {
			tell(Lacks, Files, e)
		}
	}
	if o.Filter != 0 {
		if e := closeNetwork(); e != 0 {
			return Network, e
		}
	}
	return o.execute()
}

// copies copies the files that the program is given. Whichever user it becomes may write to them.
func (o *Order) copies() syscall.Errno {
	mask := syscall.Umask(0)
	defer syscall.Umask(mask)
	b := make([]byte, 64<<10)
	for _, name := range o.Given {
		if name[len(name)-1] == '/' {
			if err := syscall.Mkdir(name, 0o777); err != nil {
				return number(err)
			}
			continue
		}
		if err := copyFile(o.From+"/"+name, name, b); err != nil {
			return number(err)
		}
	}
	return 0
}

func copyFile(from, to string, b []byte) error {
	in, err := syscall.Open(from, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(in) }()
	out, err := syscall.Open(to, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL|syscall.O_CLOEXEC, 0o666)
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(out) }()
	for {
		n, err := syscall.Read(in, b)
		if n <= 0 || err != nil {
			return err
		}
		for done := 0; done < n; {
			k, err := syscall.Write(out, b[done:n])
			if err != nil {
				return err
			}
			done += k
		}
	}
}

// mapUser makes the user and the group root of the new user namespace.
func (o *Order) mapUser() syscall.Errno {
	write := func(file, text string) syscall.Errno {
		fd, err := syscall.Open("/proc/self/"+file, syscall.O_WRONLY|syscall.O_CLOEXEC, 0)
		if err != nil {
			return number(err)
		}
		defer func() { _ = syscall.Close(fd) }()
		if _, err = syscall.Write(fd, []byte(text)); err != nil {
			return number(err)
		}
		return 0
	}
	if e := write("setgroups", "deny"); e != 0 && e != syscall.ENOENT { // older kernels do not ask for it
		return e
	}
	if e := write("uid_map", "0 "+decimal(o.UID)+" 1"); e != 0 {
		return e
	}
	return write("gid_map", "0 "+decimal(o.GID)+" 1")
}

// number is the number of an error of package syscall.
func number(err error) syscall.Errno {
	if e, ok := err.(syscall.Errno); ok {
		return e
	}
	return syscall.EINVAL
}

func mount(source, target, kind string, flags uintptr, options string) syscall.Errno {
	if err := syscall.Mount(source, target, kind, flags, options); err != nil {
		return number(err)
	}
	return 0
}

// allowed is the limit as far as this process may set it: what it has itself cannot be raised.
func (l Limit) allowed() syscall.Rlimit {
	own := syscall.Rlimit{Max: ^uint64(0)}
	_ = syscall.Getrlimit(int(l.What), &own)
	n := min(uint64(l.Max), own.Max)
	return syscall.Rlimit{Cur: n, Max: n}
}

// leave gives up rights.
func (o *Order) leave() (Stage, syscall.Errno) {
	if u := uintptr(o.User); u != 0 {
		// What package syscall has for this stops all threads to tell each; of a process that
		// executes a program only the thread that does so is left.
		if _, _, e := syscall.RawSyscall(syscall.SYS_SETGROUPS, 0, 0, 0); e != 0 {
			return ChangeUser, e
		}
		if _, _, e := syscall.RawSyscall(syscall.SYS_SETRESGID, u, u, u); e != 0 {
			return ChangeUser, e
		}
		if _, _, e := syscall.RawSyscall(syscall.SYS_SETRESUID, u, u, u); e != 0 {
			return ChangeUser, e
		}
	}
	// The kernel has forgotten this when the user changed.
	if e := prctl(syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0); e != 0 {
		return ParentDeath, e
	}
	yield(int(o.Nice))
	const noNewPrivileges = 38 // PR_SET_NO_NEW_PRIVS, which package syscall does not have
	if e := prctl(noNewPrivileges, 1, 0); e != 0 {
		return Privileges, e
	}
	if o.Drop != 0 {
		if e := dropCapabilities(); e != 0 {
			return Privileges, e
		}
	}
	return "", 0
}

func prctl(what, a, b uintptr) syscall.Errno {
	_, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, what, a, b, 0, 0, 0)
	return e
}

// yield lowers the priority of the process where it is higher. Nobody may raise it again
// without rights, and a program that runs with another priority is the same program.
func yield(nice int) {
	if nice <= 0 {
		return
	}
	// The system call answers with 20 minus the niceness.
	if r, _, e := syscall.RawSyscall(syscall.SYS_GETPRIORITY, syscall.PRIO_PROCESS, 0, 0); e == 0 && 20-int(r) < nice {
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, nice)
	}
}

// execute sets the last limits, those of the address space and of processes among them, and
// becomes the program. Nothing is allocated behind them, because the Go runtime maps more
// than they allow.
func (o *Order) execute() (Stage, syscall.Errno) {
	path, err := syscall.BytePtrFromString(o.Path)
	if err != nil {
		return Execute, syscall.EINVAL
	}
	argv, err := syscall.SlicePtrFromStrings(append([]string{o.Path}, o.Args...))
	if err != nil {
		return Execute, syscall.EINVAL
	}
	envv, err := syscall.SlicePtrFromStrings(o.Env)
	if err != nil {
		return Execute, syscall.EINVAL
	}
	limits := make([]syscall.Rlimit, len(o.Last))
	for i, l := range o.Last {
		limits[i] = l.allowed()
	}
	if !tell(Begins, Execute, 0) {
		return Execute, syscall.EPIPE
	}
	for i := range limits {
		if _, _, e := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, 0, uintptr(o.Last[i].What), uintptr(unsafe.Pointer(&limits[i])), 0, 0, 0); e != 0 {
			return SetLimits, e
		}
	}
	_, _, e := syscall.RawSyscall(syscall.SYS_EXECVE, uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&envv[0])))
	return Execute, e
}
