package machine

import (
	"maps"
	"math"
	"strings"

	"gulo/internal/ctype"
)

// This file is what a program asks of the system that it runs on: its name, its limits, what it has used. The answers
// are those of a Linux with one processor, and the same in every run.

func init() {
	register(map[string]builtin{
		"sysconf": libSysconf, "pathconf": libPathconf, "fpathconf": libPathconf, "getdtablesize": libOpenMax,
		"getrlimit": libGetLimit, "getrlimit64": libGetLimit, "setrlimit": libSetLimit, "setrlimit64": libSetLimit, "prlimit": libPrLimit, "prlimit64": libPrLimit,
		"getrusage": libUsage, "uname": libUname, "gethostname": libHostname,
	})
}

const (
	hostName      = "localhost"
	nameMax       = 255
	pathMax       = 4096
	errNAMELONG   = 36
	posixVersion  = 200809
	limitOfFiles  = 7
	limitOfStack  = 3
	noLimit       = ctype.Word(math.MaxUint64)
	rlimitStruct  = 16
	utsnameMember = 65
)

// limits is what setrlimit has changed.
type limits struct {
	m       *Machine
	changed map[int64][2]ctype.Word // not changed in place
}

// firstLimits are those that a program starts with: the one in force and the one up to which it can be raised. Their order
// is that of the constants RLIMIT_CPU, FSIZE, DATA, STACK, CORE, RSS, NPROC, NOFILE, MEMLOCK, AS, LOCKS, SIGPENDING,
// MSGQUEUE, NICE, RTPRIO and RTTIME.
var firstLimits = [16][2]ctype.Word{
	{noLimit, noLimit}, {noLimit, noLimit}, {noLimit, noLimit}, {8 << 20, noLimit}, {0, noLimit}, {noLimit, noLimit}, {4096, 4096}, {1024, 4096},
	{8 << 20, 8 << 20}, {noLimit, noLimit}, {noLimit, noLimit}, {4096, 4096}, {819200, 819200}, {0, 0}, {0, 0}, {noLimit, noLimit},
}

// of returns the soft and the hard limit that are in force now.
func (lm *limits) of(which int64) [2]ctype.Word {
	if l, ok := lm.changed[which]; ok {
		return l
	}
	l := firstLimits[which]
	if which == limitOfStack {
		l[0] = ctype.Word(lm.m.cfg.MaxStack)
	}
	return l
}

// descriptors is how many descriptors a program can have.
func (lm *limits) descriptors() int64 { return int64(lm.of(limitOfFiles)[0]) }

func libOpenMax(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return ctype.Word(m.lib.limits.descriptors()), nil
}

func (lm *limits) put(at ctype.Word, l [2]ctype.Word) *Fault {
	b := make([]byte, rlimitStruct)
	ctype.Store(ctype.ULongT, b, l[0])
	ctype.Store(ctype.ULongT, b[8:], l[1])
	return lm.m.putBytes(at, b)
}

func libGetLimit(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if which := c.int(0); which >= 0 && which < int64(len(firstLimits)) {
		return 0, m.lib.limits.put(c.arg(1), m.lib.limits.of(which))
	}
	m.set(errINVAL)
	return ^ctype.Word(0), nil
}

func libSetLimit(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return m.lib.limits.set(c, c.int(0), c.arg(1))
}

// set sets a limit. Lowering one is refused where the program could come near it, except those of NOFILE, CORE,
// NICE and RTPRIO: the machine does not enforce the others. So is raising the stack's over Config.MaxStack.
func (lm *limits) set(c *libCall, which int64, at ctype.Word) (ctype.Word, *Fault) {
	m := lm.m
	if which < 0 || which >= int64(len(firstLimits)) {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	var l [2]ctype.Word
	for i := range l {
		w, f := m.load(at+ctype.Word(8*i), ctype.ULongT)
		if f != nil {
			return 0, f
		}
		l[i] = w
	}
	const core, nice, realtime = 4, 13, 14
	old := lm.of(which)
	switch {
	case l[0] > l[1]:
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	case l[1] > old[1]:
		m.set(errPERM)
		return ^ctype.Word(0), nil
	case l[0] < old[0] && which != core && which != nice && which != realtime && which != limitOfFiles && !lm.unseen(which, l[0]):
		return 0, m.fault(Unsupported, 0, "%s that lowers a limit is not supported", c.name)
	case l[0] > old[0] && which == limitOfStack && l[0] > ctype.Word(m.cfg.MaxStack):
		return 0, m.fault(Unsupported, 0, "%s of a stack of more than %d MiB is not supported", c.name, m.cfg.MaxStack>>20)
	}
	lm.changed = maps.Clone(lm.changed)
	if lm.changed == nil {
		lm.changed = map[int64][2]ctype.Word{}
	}
	lm.changed[which] = l
	return 0, nil
}

// unseen reports whether the program cannot come near a limit: the machine's own are far lower.
func (lm *limits) unseen(which int64, soft ctype.Word) bool {
	m := lm.m
	const processor, file, data, addresses = 0, 1, 2, 9
	switch which {
	case processor: // a limit of the machine's steps comes first
		return soft >= 3600
	case file, data, addresses:
		return soft/4 >= ctype.Word(m.cfg.MaxMemory) && soft/4 >= ctype.Word(m.cfg.MaxOutput)
	}
	return false
}

// opening are the functions that need a descriptor, with what they return where no more can be had.
var opening = map[string]ctype.Word{
	"open": math.MaxUint64, "open64": math.MaxUint64, "openat": math.MaxUint64, "openat64": math.MaxUint64, "creat": math.MaxUint64, "fopen": 0, "fopen64": 0, "tmpfile": 0, "opendir": 0,
	"mkstemp": math.MaxUint64, "socket": math.MaxUint64, "accept": math.MaxUint64, "accept4": math.MaxUint64, "dup": math.MaxUint64, "pipe": math.MaxUint64, "pipe2": math.MaxUint64,
	"socketpair": math.MaxUint64, "eventfd": math.MaxUint64, "timerfd_create": math.MaxUint64, "signalfd": math.MaxUint64, "epoll_create": math.MaxUint64, "epoll_create1": math.MaxUint64,
	"memfd_create": math.MaxUint64, "shm_open": math.MaxUint64, "popen": 0,
}

// callWithin calls a function of a program that has lowered or raised a limit.
func (lm *limits) callWithin(lib builtin, c *libCall) (ctype.Word, *Fault) {
	m := lm.m
	if v, ok := opening[c.name]; ok {
		n := m.lib.stdio.free(0)
		if strings.HasPrefix(c.name, "pipe") || c.name == "socketpair" {
			n = m.lib.stdio.free(n + 1)
		}
		if int64(n) >= lm.descriptors() {
			m.set(errMFILE)
			return v, nil
		}
	}
	return lib(m, c)
}

// libPrLimit is prlimit for the program itself.
func libPrLimit(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if pid := c.int(0); pid != 0 && pid != ownProcess {
		return 0, m.fault(Unsupported, 0, "%s of another process is not supported", c.name)
	}
	which := c.int(1)
	if which < 0 || which >= int64(len(firstLimits)) {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	old := m.lib.limits.of(which)
	if c.arg(2) != 0 {
		if w, f := m.lib.limits.set(c, which, c.arg(2)); f != nil || w != 0 {
			return w, f
		}
	}
	if c.arg(3) == 0 {
		return 0, nil
	}
	return 0, m.lib.limits.put(c.arg(3), old)
}

// libUsage is getrusage: the time that the program has executed, and the memory that it has. The other counts are 0, as
// where the system keeps none; so is all of what its children used.
func libUsage(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const self, children, thread = 0, -1, 1
	who := c.int(0)
	if who != self && who != children && who != thread {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	b := make([]byte, 144)
	if who != children {
		t := m.lib.signals.elapsed(1)
		ctype.Store(ctype.LongT, b, ctype.Word(t/1e9))
		ctype.Store(ctype.LongT, b[8:], ctype.Word(t%1e9/1000))
		ctype.Store(ctype.LongT, b[32:], ctype.Word((m.heapBytes+m.stack+1023)>>10))
	}
	return 0, m.putBytes(c.arg(1), b)
}

// libUname fills struct utsname: the system, the host, its release and version, the processor and the domain.
func libUname(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b := make([]byte, 6*utsnameMember)
	for i, s := range []string{"Linux", hostName, "6.1.0", "#1 SMP", "x86_64", "(none)"} {
		copy(b[i*utsnameMember:], s)
	}
	return 0, m.putBytes(c.arg(0), b)
}

func libHostname(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.arg(1) > ctype.Word(len(hostName)) {
		return 0, m.putString(c.arg(0), hostName)
	}
	m.set(errNAMELONG)
	return ^ctype.Word(0), m.putBytes(c.arg(0), []byte(hostName)[:c.arg(1)])
}

// settings are sysconf's answers that are the same in every run, by the number of the constant.
var settings = map[int64]int64{
	0:   2 << 20,      // _SC_ARG_MAX
	2:   100,          // _SC_CLK_TCK
	3:   65536,        // _SC_NGROUPS_MAX
	5:   16,           // _SC_STREAM_MAX
	6:   -1,           // _SC_TZNAME_MAX
	7:   1,            // _SC_JOB_CONTROL
	8:   1,            // _SC_SAVED_IDS
	9:   posixVersion, // _SC_REALTIME_SIGNALS
	10:  posixVersion, // _SC_PRIORITY_SCHEDULING
	11:  posixVersion, // _SC_TIMERS
	12:  posixVersion, // _SC_ASYNCHRONOUS_IO
	13:  posixVersion, // _SC_PRIORITIZED_IO
	14:  posixVersion, // _SC_SYNCHRONIZED_IO
	15:  posixVersion, // _SC_FSYNC
	16:  posixVersion, // _SC_MAPPED_FILES
	17:  posixVersion, // _SC_MEMLOCK
	21:  posixVersion, // _SC_SEMAPHORES
	22:  posixVersion, // _SC_SHARED_MEMORY_OBJECTS
	29:  posixVersion, // _SC_VERSION
	30:  pageSize,     // _SC_PAGESIZE
	43:  2048,         // _SC_LINE_MAX
	46:  posixVersion, // _SC_2_VERSION
	60:  1024,         // _SC_IOV_MAX
	67:  posixVersion, // _SC_THREADS
	68:  posixVersion, // _SC_THREAD_SAFE_FUNCTIONS
	69:  1024,         // _SC_GETGR_R_SIZE_MAX
	70:  1024,         // _SC_GETPW_R_SIZE_MAX
	71:  256,          // _SC_LOGIN_NAME_MAX
	72:  32,           // _SC_TTY_NAME_MAX
	75:  16384,        // _SC_THREAD_STACK_MIN
	149: posixVersion, // _SC_MONOTONIC_CLOCK
	180: 64,           // _SC_HOST_NAME_MAX
	31:  32,           // _SC_RTSIG_MAX
	173: -1,           // _SC_SYMLOOP_MAX
	87:  2147483647,   // _SC_ATEXIT_MAX
	33:  2147483647,   // _SC_SEM_VALUE_MAX
	26:  2147483647,   // _SC_DELAYTIMER_MAX
	74:  1024,         // _SC_THREAD_KEYS_MAX
	83:  1,            // _SC_NPROCESSORS_CONF
	84:  1,            // _SC_NPROCESSORS_ONLN
}

func libSysconf(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const childMax, openMax, physPages, freePages, last = 1, 4, 85, 86, 248
	n := c.int(0)
	if w, ok := settings[n]; ok {
		return ctype.Word(w), nil
	}
	switch {
	case n == childMax:
		return m.lib.limits.of(6)[0], nil
	case n == openMax:
		return ctype.Word(m.lib.limits.descriptors()), nil
	case n == physPages:
		return ctype.Word(m.cfg.MaxMemory / pageSize), nil
	case n == freePages:
		return ctype.Word((m.cfg.MaxMemory - m.heapBytes) / pageSize), nil
	case n < 0 || n > last:
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	return 0, m.fault(Unsupported, 0, "sysconf(%d) is not supported", n)
}

// libPathconf is pathconf and fpathconf.
func libPathconf(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const canonMax, inputMax, names, paths, pipeBuf, chown, trunc, disable, bits = 1, 2, 3, 4, 5, 6, 7, 8, 13
	if c.name == "fpathconf" {
		if m.lib.stdio.streamOf(int(c.int(0))) == nil {
			m.set(errBADF)
			return ^ctype.Word(0), nil
		}
	} else {
		path, f := m.cstring(c.arg(0))
		if f != nil {
			return 0, f
		}
		errno := ctype.Word(errNOENT)
		if asks := c.int(1); path != "" {
			if errno = 0; asks == names || asks == bits {
				_, errno, f = m.lib.fs.lookAt(c, path)
			}
		}
		if errno != 0 || f != nil {
			m.set(errno)
			return ^ctype.Word(0), f
		}
	}
	switch n := c.int(1); n {
	case canonMax, inputMax, names:
		return nameMax, nil
	case paths, pipeBuf:
		return pathMax, nil
	case chown, trunc:
		return 1, nil
	case disable:
		return 0, nil
	case bits:
		return 64, nil
	default:
		if n < 0 || n > 20 {
			m.set(errINVAL)
			return ^ctype.Word(0), nil
		}
		return 0, m.fault(Unsupported, 0, "%s(%d) is not supported", c.name, n)
	}
}
