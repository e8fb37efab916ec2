//go:build llvm19

package main

import (
	"maps"
	"strconv"
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file is the models of calls of the system whose memory the other letters of model do not describe:
//
//	A3       the address of a socket, whose length argument 3 is
//	Y3/a     writes at most as many bytes as the number at argument 3 says, which gets the length of what came
//	E3/e     writes at most so many events of epoll_wait
//	G1/G     writes at most so many numbers of 4 bytes, and returns how many
//	X3/m     a message of msgrcv, with at most so many bytes behind its type
//	O4       an option of setsockopt of so many bytes
//	p0+4,8+8 reads members of an object, by offset and length, unless it is NULL
//	v        a list of strings that NULL ends
//	t        the two times that utimensat sets
//	b1       a set of as many descriptors as argument 1 says
//	F2       what fcntl is given with the command of argument 2
//	D1       what prctl is given with the option of argument 1
//	T        a struct sigevent
//	K2:112   the state of a message queue or of shared memory, of 112 bytes, as the command of argument 2 says
//	j3       what semctl is given with the command of argument 3
//	J3       a message of msgsnd, with so many bytes behind its type
//	y        what setjmp has filled, for longjmp
//	i1, a1   reads, writes an address of the Internet, of the family of argument 1
var systemModels = map[string]model{
	// Sockets.
	"bind": args("-", "A3"), "connect": args("-", "A3"), "sendto": args("-", "g3", "-", "-", "A6"), "recvfrom": args("-", "W3/r", "-", "-", "Y6/a", "-"),
	"accept": args("-", "Y3/a", "-"), "accept4": args("-", "Y3/a", "-", "-"), "getsockname": args("-", "Y3/a", "-"), "getpeername": args("-", "Y3/a", "-"), "getsockopt": args("-", "-", "-", "Y5/a", "-"),
	"setsockopt": args("-", "-", "-", "O5"), "listen": args(), "shutdown": args(), "socketpair": args("-", "-", "-", "o8"),
	"inet_ntop": returning(3, "-", "i1", "W4/s"), "inet_pton": args("-", "s", "a1"), "getnameinfo": args("A2", "-", "W4/z?", "-", "W6/z?"),

	// Events and waiting.
	"epoll_create": args(), "epoll_create1": args(), "epoll_ctl": args("-", "-", "-", "p0+4"), "epoll_wait": args("-", "E3/e"), "epoll_pwait": args("-", "E3/e", "-", "-", "q8"),
	"select": args("-", "b1", "b1", "b1", "q16"), "pselect": args("-", "b1", "b1", "b1", "q16", "q8"), "ppoll": args("P2", "-", "q16", "q8"),
	"clock_nanosleep": args("-", "-", "r16:", "o16"), "wait3": args("o4", "-", "o144"), "wait4": args("-", "o4", "-", "o144"), "waitid": args("-", "-", "o128"),
	"timer_create": args("-", "T", "o8"), "settimeofday": args("q16", "-"), "clock_settime": args("-", "r16:"),

	// Signals. Of a set, sigaddset and its kin touch a word.
	"sigaction": args("-", "p0+8,8+8,136+4", "o152"), "sigaddset": args("r8:"), "sigdelset": args("r8:"), "sigismember": args("r8:"), "pthread_sigmask": args("-", "q8", "o128"), "sigsuspend": args("r8:"),
	"sigaltstack": args("p8+4", "o24"),

	"setjmp": args("o200"), "_setjmp": args("o200"), "sigsetjmp": args("o200"), "longjmp": args("y"), "_longjmp": args("y"), "siglongjmp": args("y"),

	// Files.
	"fcntl": args("-", "-", "F2"), "fcntl64": args("-", "-", "F2"), "utime": args("s", "q16"), "utimes": args("s", "q32"), "lutimes": args("s", "q32"), "futimes": args("-", "q32"), "utimensat": args("-", "s", "t"), "futimens": args("-", "t"),
	"chroot": args("s"), "mount": args("z", "s", "z", "-", "z"), "umount": args("s"), "umount2": args("s"), "sethostname": args("r2"), "setdomainname": args("r2"),
	"setxattr": args("s", "s", "r4"), "lsetxattr": args("s", "s", "r4"), "fsetxattr": args("-", "s", "r4"), "removexattr": args("s", "s"), "tcsetattr": args("-", "-", "r17:"), "tcgetattr": args("-", "o60"),

	// Processes.
	"execv": args("s", "v"), "execvp": args("s", "v"), "execve": args("s", "v", "v"), "execvpe": args("s", "v", "v"), "execl": args("s", "s", "z", "z", "z", "z", "z", "z", "z", "z"), "execlp": args("s", "s", "z", "z", "z", "z", "z", "z", "z", "z"),
	"posix_spawn": args("o4", "s", "-", "-", "v", "v"), "posix_spawnp": args("o4", "s", "-", "-", "v", "v"), "prctl": args("-", "D1"),
	"getgroups": args("-", "G1/G"), "setgroups": args("-", "r1x4"), "sched_setparam": args("-", "r4:"), "sched_getparam": args("-", "o4"), "sched_setscheduler": args("-", "-", "r4:"), "sched_getaffinity": args("-", "-", "w2"), "sched_setaffinity": args("-", "-", "r2"),
	"mincore": args(), "msync": args(), "madvise": args(), "mprotect": args(), "mlock": args(), "munlock": args(),

	// Messages, semaphores and shared memory.
	"semop": args("-", "r3x6"), "semtimedop": args("-", "r3x6", "-", "q16"), "semctl": args("-", "-", "-", "j3"), "msgsnd": args("-", "J3"), "msgrcv": args("-", "X3/m"), "msgctl": args("-", "-", "K2:120"), "shmctl": args("-", "-", "K2:112"),
}

// direct are the system calls that take what functions of the library take, by their numbers for syscall.
var direct = map[uint64]string{
	0: "read", 1: "write", 2: "open", 3: "close", 4: "stat", 5: "fstat", 6: "lstat", 7: "poll", 17: "pread", 18: "pwrite", 20: "writev", 21: "access", 22: "pipe", 35: "nanosleep", 36: "getitimer", 38: "setitimer",
	42: "connect", 44: "sendto", 45: "recvfrom", 46: "sendmsg", 49: "bind", 51: "getsockname", 52: "getpeername", 53: "socketpair", 54: "setsockopt", 55: "getsockopt", 59: "execve", 61: "wait4", 65: "semop", 69: "msgsnd", 70: "msgrcv",
	72: "fcntl", 76: "truncate", 80: "chdir", 82: "rename", 83: "mkdir", 84: "rmdir", 85: "creat", 86: "link", 87: "unlink", 88: "symlink", 89: "readlink", 90: "chmod", 92: "chown", 94: "lchown", 96: "gettimeofday", 97: "getrlimit", 98: "getrusage",
	100: "times", 115: "getgroups", 116: "setgroups", 132: "utime", 137: "statfs", 138: "fstatfs", 160: "setrlimit", 161: "chroot", 165: "mount", 170: "sethostname", 203: "sched_setaffinity", 228: "clock_gettime", 230: "clock_nanosleep",
	232: "epoll_wait", 233: "epoll_ctl", 235: "utimes", 257: "openat", 258: "mkdirat", 263: "unlinkat", 267: "readlinkat", 269: "faccessat", 280: "utimensat", 293: "pipe2", 318: "getrandom", 319: "memfd_create",
}

// called returns the model of a call of syscall, by the number of the system call: its arguments are one place farther.
func (f *function) called(i llvm.Value) (model, bool) {
	if i.OperandsCount() < 2 || i.Operand(0).IsAConstantInt().IsNil() {
		return model{}, false
	}
	m, ok := models[direct[i.Operand(0).ZExtValue()]]
	if !ok {
		return m, false
	}
	list := []string{"-"}
	for _, u := range m.args {
		list = append(list, farther(u))
	}
	return model{args: list}, true
}

// farther is the use of an argument in a call whose arguments are one place farther.
func farther(u string) string {
	if strings.HasSuffix(u, ":") || len(u) < 2 || strings.ContainsRune("oqp", rune(u[0])) {
		return u
	}
	b := []byte(u)
	b[1]++
	if len(b) > 3 && b[2] == '*' {
		b[3]++
	}
	return string(b)
}

func init() {
	maps.Copy(models, systemModels)
	for _, n := range []string{"accept", "accept4", "connect", "epoll_wait", "epoll_pwait", "pselect", "ppoll", "clock_nanosleep", "wait3", "wait4", "waitid", "sigsuspend", "semtimedop", "msgrcv", "recvfrom", "setjmp", "_setjmp", "sigsetjmp", "longjmp", "_longjmp", "siglongjmp"} {
		ending[n] = true
	}
}

// rooms are the letters of uses that write no more than what comes.
const rooms = "WVYEGX"

// roomBySystem is room for the letters of this file.
func (f *function) roomBySystem(i llvm.Value, k int, u string, meta llvm.Value) (room, bool) {
	n := i.Operand(int(u[1] - '1'))
	r := room{to: i.Operand(k), unit: f.c64(0), meta: meta, kind: u[len(u)-1]}
	nullable := 0
	switch u[0] {
	case 'Y':
		if !isPointer(n) {
			return r, false
		}
		r.bytes = f.call(i, "gulo_length_given", r.to, n, f.metaAt(n, i), f.at(i, callee(i).Name()))
		r.unit, nullable = f.b.CreatePtrToInt(n, f.i64, ""), 1
	case 'E':
		r.bytes = f.b.CreateMul(f.wide(n), f.c64(epollSize), "")
	case 'G':
		r.bytes = f.b.CreateMul(f.wide(n), f.c64(4), "")
	case 'X':
		r.bytes = f.b.CreateAdd(f.wide(n), f.c64(8), "")
	default:
		return r, false
	}
	r.instead = f.call(i, "gulo_room", r.to, r.bytes, meta, f.c32(nullable))
	i.SetOperand(k, r.instead)
	return r, true
}

// epollSize is the size of a struct epoll_event.
const epollSize = 12

// useBySystem is use for the letters of this file.
func (f *function) useBySystem(i, a, meta llvm.Value, u string, site llvm.Value) {
	arg := func(c byte) llvm.Value { return f.wide(i.Operand(int(c - '1'))) }
	number := func(c byte) llvm.Value { return f.b.CreateTrunc(arg(c), f.i32, "") }
	switch u[0] {
	case 'A':
		f.call(i, "gulo_address", a, arg(u[1]), meta, site)
	case 'O':
		f.call(i, "gulo_option", a, arg(u[1]), meta, site)
	case 'p':
		f.call(i, "gulo_members", a, f.members(u[1:]), meta, site)
	case 'v':
		f.call(i, "gulo_strings", a, meta, site)
	case 't':
		f.call(i, "gulo_file_times", a, meta, site)
	case 'b':
		f.call(i, "gulo_file_set", a, arg(u[1]), meta, site)
	case 'F':
		f.call(i, "gulo_file_command", a, arg(u[1]), meta, site)
	case 'D':
		f.call(i, "gulo_process_option", a, arg(u[1]), meta, site)
	case 'T':
		f.call(i, "gulo_event", a, meta, site)
	case 'K':
		f.call(i, "gulo_shared_state", a, arg(u[1]), f.c64(sizeOf(callee(i), u[3:])), meta, site)
	case 'j':
		f.call(i, "gulo_semaphores", a, number('1'), number(u[1]), meta, site)
	case 'J':
		f.call(i, "gulo_queued", a, arg(u[1]), meta, site)
	case 'y':
		f.call(i, "gulo_jump", a, meta, site)
	case 'i':
		f.call(i, "gulo_host", a, arg(u[1]), f.c32(0), meta, site)
	case 'a':
		f.call(i, "gulo_host", a, arg(u[1]), f.c32(1), meta, site)
	}
}

// members returns the list of offsets and lengths that gulo_members is given.
func (x *module) members(text string) llvm.Value {
	var list []llvm.Value
	for _, m := range strings.Split(text, ",") {
		off, n, _ := strings.Cut(m, "+")
		for _, t := range []string{off, n} {
			k, err := strconv.Atoi(t)
			if err != nil {
				panic("model with the members " + text)
			}
			list = append(list, x.c32(k))
		}
	}
	c := llvm.ConstArray(x.i32, append(list, x.c32(0), x.c32(0)))
	g := llvm.AddGlobal(x.m, c.Type(), "gulo.members")
	g.SetInitializer(c)
	g.SetLinkage(llvm.PrivateLinkage)
	g.SetGlobalConstant(true)
	return g
}
