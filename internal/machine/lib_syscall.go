package machine

import "gulo/internal/ctype"

// This file is syscall: system calls by their numbers on x86-64. Those are known that a library function makes with the
// same arguments.

func init() { register(map[string]builtin{"syscall": libSyscall}) }

// systemCalls are the library functions of system calls.
var systemCalls = map[int64]string{
	0: "read", 1: "write", 2: "open", 3: "close", 4: "stat", 5: "fstat", 6: "lstat", 7: "poll", 8: "lseek", 9: "mmap", 10: "mprotect", 11: "munmap", 12: "brk",
	16: "ioctl", 17: "pread", 18: "pwrite", 19: "readv", 20: "writev", 21: "access", 22: "pipe", 23: "select", 24: "sched_yield", 25: "mremap", 26: "msync", 27: "mincore", 28: "madvise",
	29: "shmget", 30: "shmat", 31: "shmctl", 32: "dup", 33: "dup2", 34: "pause", 35: "nanosleep", 36: "getitimer", 37: "alarm", 38: "setitimer", 39: "getpid", 40: "sendfile",
	41: "socket", 42: "connect", 43: "accept", 44: "sendto", 45: "recvfrom", 46: "sendmsg", 47: "recvmsg", 48: "shutdown", 49: "bind", 50: "listen", 51: "getsockname", 52: "getpeername",
	53: "socketpair", 54: "setsockopt", 55: "getsockopt", 57: "fork", 59: "execve", 60: "_exit", 61: "wait4", 62: "kill", 63: "uname", 67: "shmdt", 72: "fcntl", 73: "flock", 74: "fsync", 75: "fdatasync",
	76: "truncate", 77: "ftruncate", 80: "chdir", 81: "fchdir", 82: "rename", 83: "mkdir", 84: "rmdir", 85: "creat", 86: "link", 87: "unlink", 88: "symlink", 89: "readlink", 90: "chmod", 91: "fchmod",
	92: "chown", 93: "fchown", 94: "lchown", 95: "umask", 96: "gettimeofday", 97: "getrlimit", 98: "getrusage", 99: "sysinfo", 100: "times", 102: "getuid", 104: "getgid", 105: "setuid", 106: "setgid",
	107: "geteuid", 108: "getegid", 109: "setpgid", 110: "getppid", 111: "getpgrp", 112: "setsid", 113: "setreuid", 114: "setregid", 115: "getgroups", 116: "setgroups", 117: "setresuid",
	118: "getresuid", 119: "setresgid", 120: "getresgid", 121: "getpgid", 124: "getsid", 131: "sigaltstack", 132: "utime", 137: "statfs", 138: "fstatfs", 140: "getpriority", 141: "setpriority",
	149: "mlock", 150: "munlock", 151: "mlockall", 152: "munlockall", 160: "setrlimit", 162: "sync", 170: "sethostname", 186: "gettid", 201: "time", 202: "futex", 213: "epoll_create",
	228: "clock_gettime", 229: "clock_getres", 230: "clock_nanosleep", 231: "_exit", 232: "epoll_wait", 233: "epoll_ctl", 234: "tgkill", 235: "utimes", 257: "openat", 258: "mkdirat", 260: "fchownat",
	261: "futimesat", 262: "fstatat", 263: "unlinkat", 264: "renameat", 265: "linkat", 266: "symlinkat", 267: "readlinkat", 268: "fchmodat", 269: "faccessat", 280: "utimensat",
	283: "timerfd_create", 286: "timerfd_settime", 287: "timerfd_gettime",
	284: "eventfd", 288: "accept4", 290: "eventfd", 291: "epoll_create1", 292: "dup3", 293: "pipe2", 302: "prlimit", 318: "getrandom", 319: "memfd_create", 332: "statx",
}

// libSyscall is syscall.
func libSyscall(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.long(0)
	name := systemCalls[n]
	if n < 0 || n > 462 {
		return m.failed(38) // ENOSYS
	}
	call := builtins[name]
	if name == "futex" {
		call = libFutex
	}
	if call == nil {
		return 0, m.fault(Unsupported, 0, "system call %d is not supported", n)
	}
	to := *c
	to.name, to.args = name, append([]ctype.Word(nil), c.args[1:]...)
	if name == "brk" {
		to.name = "syscall"
	}
	v, f := call(m, &to)
	c.entered = to.entered
	return v, f
}

// libFutex is the system call futex, as far as a thread waits for another one to wake it.
func libFutex(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const wait, wake, private, realtime = 0, 1, 128, 256
	at, op := c.arg(0), c.int(1)&^(private|realtime)
	if at%4 != 0 {
		return m.failed(errINVAL)
	}
	t := m.threading().cur
	switch op {
	case wait:
		if t.inside { // it has been woken
			t.inside = false
			return 0, nil
		}
		v, f := m.lockWord(at)
		if f != nil {
			return 0, f
		}
		if uint32(v) != uint32(c.arg(2)) {
			return m.failed(errAGAIN)
		}
		if c.arg(3) != 0 {
			return 0, m.fault(Unsupported, 0, "a futex that waits with a time limit is not supported")
		}
		t.inside = true
		return m.wait(c, "a futex", at, 0)
	case wake:
		n := ctype.Word(0)
		for _, t := range m.th.list {
			if n < c.arg(2) && t.state == waiting && t.on == at {
				t.state = ready
				n++
			}
		}
		return n, nil
	}
	return 0, m.fault(Unsupported, 0, "the operation %d of futex is not supported", op)
}
