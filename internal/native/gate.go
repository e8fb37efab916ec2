package native

import (
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Gate halts a compilation that is ahead of need while something that is needed now wants the processors. gcc takes
// one of two processors for half a second; a low priority does not prevent that where the others are many processes
// that live for a tenth of a millisecond. The zero Gate is open, and nil is a gate that is never closed. One
// compilation at a time may use it.
type Gate struct {
	mu     sync.Mutex
	closed bool
	group  int // process group of gcc; 0: none runs
}

// Close halts the compilation until Open.
func (g *Gate) Close() { g.set(true, syscall.SIGSTOP) }

// Open lets the compilation go on.
func (g *Gate) Open() { g.set(false, syscall.SIGCONT) }

func (g *Gate) set(closed bool, signal syscall.Signal) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed == closed {
		return
	}
	g.closed = closed
	if g.group != 0 {
		_ = syscall.Kill(-g.group, signal) // it may have ended
	}
}

// enter tells the gate of a process group that was started.
func (g *Gate) enter(group int) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.group = group; g.closed {
		_ = syscall.Kill(-group, syscall.SIGSTOP)
	}
}

// leave waits for a process to end and forgets its group. It does so before anybody reaps the process, since its
// number may be that of another one afterwards.
func (g *Gate) leave(process int) {
	if g == nil {
		return
	}
	for unix.Waitid(unix.P_PID, process, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.group = 0
}
