// Package process is gulo as a process among others: how it ends, the processes
// it starts, the temporary folders and files it writes.
//
// Main is called once, by the command. It turns signals into the end of
// Context, and when the work does not end within a moment, ends the process
// itself. Whichever way gulo ends, short of SIGKILL, what was given to AtExit
// is done, every process below it is killed (also one that made itself a
// daemon) and its temporary folders are removed. Without Main, as in tests,
// everything works but nobody listens to signals.
//
// Go cannot recover from an exhausted stack or from memory that the system
// refuses: LimitMemory ends the process before it comes to that.
package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// grace is how long work may take to end after a signal.
const grace = time.Second

// Signal is the cause of a context that a signal has ended.
type Signal struct{ Number syscall.Signal }

func (s Signal) Error() string { return "stopped by " + unix.SignalName(s.Number) }

// Code is the exit code: 128 and the signal's number, as shells have it.
func (s Signal) Code() int { return 128 + int(s.Number) }

// state is what a process has one of.
var state = struct {
	sync.Mutex
	ctx       context.Context
	atExit    map[int]func()
	next      int
	interrupt func()
	main      bool
	temp      string
	held      *os.File // temp, locked
	ending    bool
}{ctx: context.Background(), atExit: map[int]func(){}}

// Context ends with a Signal as its cause when the process is told to end.
func Context() context.Context {
	state.Lock()
	defer state.Unlock()
	return state.ctx
}

// Main does the work of a process, and cleans up behind it.
func Main(work func() int) int {
	// Orphans among the processes below come to us and can be found at the end.
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	ctx, cancel := context.WithCancelCause(context.Background())
	state.Lock()
	state.ctx, state.main = ctx, true
	state.Unlock()
	told := make(chan os.Signal, 8)
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		if !signal.Ignored(s) { // nohup, and a shell's background jobs
			signal.Notify(told, s)
		}
	}
	// Asked for, SIGPIPE does not end the process; writing fails with EPIPE.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go listen(told, cancel)
	defer Recover()
	code := work()
	HoldIfEnding()
	cleanUp()
	return code
}

func listen(told <-chan os.Signal, cancel context.CancelCauseFunc) {
	defer Recover()
	var first *Signal
	for s := range told {
		n, _ := s.(syscall.Signal)
		state.Lock()
		f := state.interrupt
		state.Unlock()
		switch {
		case n == syscall.SIGINT && f != nil && first == nil:
			f()
		case first == nil:
			first = &Signal{n}
			cancel(*first)
			time.AfterFunc(grace, func() { end(*first) })
		default:
			end(*first)
		}
	}
}

func end(s Signal) {
	claimEnd()
	fmt.Fprintln(os.Stderr, "gulo: "+s.Error())
	finish(s.Code())
}

// OnInterrupt has SIGINT call f instead of ending the process, until the
// function returned is called.
func OnInterrupt(f func()) (restore func()) {
	state.Lock()
	defer state.Unlock()
	old := state.interrupt
	state.interrupt = f
	return func() {
		state.Lock()
		defer state.Unlock()
		state.interrupt = old
	}
}

// AtExit has f called when the process ends, unless forget is called before.
func AtExit(f func()) (forget func()) {
	state.Lock()
	defer state.Unlock()
	n := state.next
	state.next++
	state.atExit[n] = f
	return func() {
		state.Lock()
		defer state.Unlock()
		delete(state.atExit, n)
	}
}

// Exit cleans up and ends the process.
func Exit(code int) {
	claimEnd()
	finish(code)
}

// claimEnd returns to the first caller only: one alone says why gulo ends.
func claimEnd() {
	state.Lock()
	if state.ending {
		state.Unlock()
		select {} // the other caller is about to end it
	}
	state.ending = true
	state.Unlock()
}

func finish(code int) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		cleanUp()
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second): // a file system that hangs
	}
	os.Exit(code)
}

// HoldIfEnding stops the goroutine for good when the process is about to end: tools
// are killed then, and nothing that follows from that is to be said or done.
func HoldIfEnding() {
	state.Lock()
	ending := state.ending
	state.Unlock()
	if ending {
		select {}
	}
}

func cleanUp() {
	state.Lock()
	fs := state.atExit
	state.atExit = map[int]func(){}
	temp := state.temp
	state.temp = ""
	state.Unlock()
	for _, f := range fs {
		attempt(f)
	}
	killAll()
	if temp != "" {
		_ = os.RemoveAll(temp)
	}
}

// attempt calls f; a panic in it must not keep the process from ending.
func attempt(f func()) {
	defer func() { _ = recover() }()
	f()
}

// Outside reports whether an error is the system's and not the user's: no
// space, no memory, too many files, or one whose method Outside says so.
func Outside(err error) bool {
	var of interface{ Outside() bool }
	if errors.As(err, &of) && of.Outside() {
		return true
	}
	for _, e := range []error{
		syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE, syscall.EROFS, syscall.EFBIG, syscall.EAGAIN, syscall.EPIPE,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
