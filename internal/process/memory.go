package process

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// This file ends the process before the system refuses it memory: Go then stops
// with the stacks of all goroutines, or the kernel kills it without a word.

// MemoryVariable names the environment variable that bounds memory, in MiB.
const MemoryVariable = "GULO_MEMORY"

// maxStacks is what the stacks of all goroutines may have, in bytes: one that
// doubles from 512 MiB, which is where Go itself would stop with a trace.
const maxStacks = 1 << 30

const (
	memoryTick = 20 * time.Millisecond
	softMemory = 1500 << 20 // from here on saving memory counts more than saving time
	loadMemory = 800 << 20  // and from here while a program is loaded
)

// LimitMemory sees to it that the process ends, with a message, when it needs
// more memory than it may have: GULO_MEMORY, or four fifths of what the
// machine, the control group or the resource limit gives; and when a recursion
// of ours over what the user gave has filled maxStacks.
func LimitMemory() error {
	limit, mapped := available()
	if v := os.Getenv(MemoryVariable); v != "" {
		n, err := strconv.ParseInt(v, 10, 32)
		if err != nil || n < 64 {
			return fmt.Errorf("%s=%s: a number of MiB, 64 or more, is wanted", MemoryVariable, v)
		}
		limit = n << 20
	}
	given := os.Getenv("GOMEMLIMIT") != ""
	soft := softLimit(0, limit)
	if !given {
		debug.SetMemoryLimit(soft)
	}
	debug.SetMaxStack(1 << 40) // the watch ends it first, with a message
	Go(func() { watchMemory(limit, mapped, soft, given) })
	return nil
}

// How far the heap may grow beyond what is in use before it is collected, in percent of that:
// most programs of ours are small, and collecting costs more than memory does; of a large heap
// four times as much again would be too much.
const (
	MostGarbage  = 400
	leastGarbage = 30
	garbage      = 384 << 20 // in bytes, between the two
	loadGarbage  = 800 << 20 // instead, while a program is loaded
)

// loading counts the calls of Loading that have not ended.
var loading atomic.Int32

// Loading says that a program is being loaded, until end is called: what that needs is given back
// soon, and to collect meanwhile takes longer than it is worth.
func Loading() (end func()) {
	loading.Add(1)
	return func() { loading.Add(-1) }
}

// garbagePercent is what the collector is told when so many bytes are in use.
func garbagePercent(live uint64) int {
	room := uint64(garbage)
	if loading.Load() > 0 {
		room = loadGarbage
	}
	return int(max(leastGarbage, min(MostGarbage, room*100/max(live, 1))))
}

// softLimit is what the collector is told to stay below when so many bytes are in use. A limit below
// what is in use would keep it working without end.
func softLimit(live uint64, limit int64) int64 {
	l := int64(min(live, 1<<60))
	soft := min(softMemory, limit/4*3)
	if loading.Load() > 0 {
		if soft = min(loadMemory, soft); l > soft/32*31 {
			soft = max(soft, min(l/4*5, limit/10*9))
		}
	} else if l > soft/4*3 {
		soft = max(soft, min(l/4*7, limit/10*9))
	}
	return soft
}

// watchMemory keeps what the collector is told (soft is what it has been told) in step with what is in use.
func watchMemory(limit, mapped, soft int64, given bool) {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}, {Name: "/gc/heap/live:bytes"}}
	percent := MostGarbage
	for range time.Tick(memoryTick) {
		metrics.Read(s)
		if p := garbagePercent(s[3].Value.Uint64()); p < percent*7/8 || p > percent*8/7 {
			percent = p
			debug.SetGCPercent(percent)
		}
		if n := softLimit(s[3].Value.Uint64(), limit); !given && (n > soft || n < soft/8*7) {
			soft = n
			debug.SetMemoryLimit(soft)
		}
		used := int64(s[0].Value.Uint64() - s[1].Value.Uint64())
		if s[2].Value.Uint64() >= maxStacks {
			fmt.Fprintln(os.Stderr, "gulo: out of stack: the source text, or the data that the program builds, is nested too deep")
			Exit(3)
		}
		if used <= limit && (mapped == math.MaxInt64 || addressSpace() <= mapped) {
			continue
		}
		what := fmt.Sprintf("it needs more than %d MiB; bound the program or the search, or set %s to a larger number of MiB", limit>>20, MemoryVariable)
		if used <= limit {
			what = "the limit on address space (ulimit -v) is near"
		}
		fmt.Fprintln(os.Stderr, "gulo: out of memory: "+what)
		Exit(3)
	}
}

// available returns how much memory may be used, and how much address space.
func available() (memory, mapped int64) {
	memory, mapped = math.MaxInt64, math.MaxInt64
	var si unix.Sysinfo_t
	if unix.Sysinfo(&si) == nil {
		memory = int64(si.Totalram) * int64(si.Unit)
	}
	b, _ := os.ReadFile("/proc/self/cgroup")
	for _, l := range strings.Split(string(b), "\n") {
		f := strings.SplitN(l, ":", 3)
		if len(f) < 3 {
			continue
		}
		root, file := "/sys/fs/cgroup", "memory.max"
		if f[1] == "memory" {
			root, file = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		} else if f[1] != "" {
			continue
		}
		for dir := f[2]; ; dir = filepath.Dir(dir) {
			t, err := os.ReadFile(filepath.Join(root, dir, file))
			if n, e := strconv.ParseInt(strings.TrimSpace(string(t)), 10, 64); err == nil && e == nil {
				memory = min(memory, n)
			}
			if dir == "/" || dir == "." {
				break
			}
		}
	}
	var r unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &r) == nil && r.Cur < math.MaxInt64 {
		own := addressSpace() // much of it is only reserved
		mapped = own + (int64(r.Cur)-own)/5*4
	}
	return memory / 5 * 4, mapped
}

// addressSpace returns how much is mapped, in bytes.
func addressSpace() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(strings.SplitN(string(b), " ", 2)[0], 10, 64)
	return n * int64(os.Getpagesize())
}
