package gdb

import (
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// This file finds out that the program waits for its terminal: its main thread sleeps in a system call that ends when
// something is typed.

// asking is how a program waits for what is typed.
type asking struct {
	waits bool
	spell time.Duration // the call ends by itself after this time; 0 for never
	pid   int           // of the process that sleeps in the call
	slept int64         // how often it has gone to sleep
}

// asks tells whether a process of the program sleeps until something is typed: in a read of its terminal, or in a poll or
// select on the terminal alone, without a timeout. A process that waits for a time, or for other files as well, has work of
// its own. A read that ends by itself (VTIME), as editors read their keys, counts.
func (t *Target) asks(pid int) asking {
	a := t.sleepsFor(pid)
	if a.waits {
		a.pid, a.slept = pid, slept(pid)
	}
	return a
}

// slept is how often a process has gone to sleep: its voluntary context switches.
func slept(pid int) int64 {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(b), "\nvoluntary_ctxt_switches:")
	line, _, _ := strings.Cut(rest, "\n")
	n, _ := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
	return n
}

// sleepsFor is asks without the process.
func (t *Target) sleepsFor(pid int) asking {
	none := asking{}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", pid))
	if err != nil {
		return none
	}
	f := strings.Fields(string(b))
	if len(f) < 7 {
		return none // it runs
	}
	var args [6]uint64
	for i := range args {
		if args[i], err = strconv.ParseUint(f[i+1], 0, 64); err != nil {
			return none
		}
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // one that gdb has stopped may wait, too
	_, rest, _ := strings.Cut(string(stat), ") ")
	if err != nil || !strings.HasPrefix(rest, "S") {
		return none
	}
	call, _ := strconv.Atoi(f[0])
	switch {
	case call == unix.SYS_READ && t.isTerminal(pid, int(args[0])):
		if m := t.tty.modes(); m != nil && m.Lflag&unix.ICANON == 0 && m.Cc[unix.VMIN] == 0 {
			return asking{waits: true, spell: time.Duration(m.Cc[unix.VTIME]) * time.Second / 10}
		}
		return asking{waits: true}
	case (call == callPoll && int32(args[2]) < 0 || call == unix.SYS_PPOLL && args[2] == 0) && args[1] <= mostFiles:
		return asking{waits: t.onlyTerminal(pid, t.polled(pid, args[0], int(args[1])))}
	case (call == callSelect || call == unix.SYS_PSELECT6) && args[4] == 0 && args[2] == 0 && args[0] <= mostFiles:
		return asking{waits: t.onlyTerminal(pid, t.chosen(pid, args[1], int(args[0])))}
	}
	return none
}

// mostFiles bounds the files that are looked at of those that a program waits for.
const mostFiles = 1024

// polled are the files of a vector of struct pollfd.
func (t *Target) polled(pid int, at uint64, n int) (out []int) {
	buf := make([]byte, 8*n)
	if n == 0 || !t.readOf(pid, at, buf) {
		return nil
	}
	for ; len(buf) > 0; buf = buf[8:] {
		if fd := int32(binary.LittleEndian.Uint32(buf)); fd >= 0 {
			out = append(out, int(fd))
		}
	}
	return out
}

// chosen are the files of an fd_set.
func (t *Target) chosen(pid int, at uint64, n int) (out []int) {
	buf := make([]byte, (n+63)/64*8)
	if at == 0 || n == 0 || !t.readOf(pid, at, buf) {
		return nil
	}
	for fd := range n {
		if buf[fd/8]>>(fd%8)&1 != 0 {
			out = append(out, fd)
		}
	}
	return out
}

// onlyTerminal reports whether files are the terminal, and there are some.
func (t *Target) onlyTerminal(pid int, fds []int) bool {
	for _, fd := range fds {
		if !t.isTerminal(pid, fd) {
			return false
		}
	}
	return len(fds) > 0
}

// isTerminal reports whether a file of the program's is its terminal.
func (t *Target) isTerminal(pid, fd int) bool {
	to, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", pid, fd))
	return err == nil && (to == t.tty.name || to == "/dev/tty")
}

// readOf reads memory of a process of the program.
func (t *Target) readOf(pid int, at uint64, buf []byte) bool {
	if pid == t.pid {
		return t.mem.read(at, buf)
	}
	f, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.ReadAt(buf, int64(at))
	return err == nil
}

// settles is how long a program that asks again and again must have drawn nothing until it counts as one that waits.
const settles = 60 * time.Millisecond

// needsInput reports whether the program waits for what is typed, and nothing is left that could be given to it.
func (t *Target) needsInput() bool {
	if t.pid == 0 || t.tty == nil {
		return false
	}
	if t.input.wrote < len(t.input.given) {
		before := sleeper(t.pid)
		if t.input.offer(t.tty) {
			t.input.roused = before
		}
	}
	if t.input.fresh {
		return false
	}
	a := t.asks(t.pid)
	if !a.waits {
		a = t.childAsks()
	}
	if t.resume.spell = a.spell; !a.waits || t.tty.unread() || t.tty.draws() {
		return false
	}
	if a.spell > 0 && min(t.tty.quiet(), time.Since(t.resume.since)) < a.spell+settles {
		return false
	}
	if r := &t.input.roused; r.pid == a.pid && r.slept == a.slept && t.input.rouses(t.tty) && time.Since(r.at) < rousing {
		return false
	}
	if !t.input.more(t.tty) {
		return true
	}
	t.input.roused = roused{a.pid, a.slept, time.Now()}
	return false
}

// roused is a process whose terminal was given something. If it sleeps in a call that ends with that, it wakes when the
// system has handed it on, which takes the system its own time: on a busy machine the process may sleep on, with nothing
// in its terminal.
type roused struct {
	pid   int
	slept int64 // how often it had gone to sleep before
	at    time.Time
}

func sleeper(pid int) roused { return roused{pid, slept(pid), time.Now()} }

// rousing is how long a process may sleep on.
const rousing = 10 * time.Second
