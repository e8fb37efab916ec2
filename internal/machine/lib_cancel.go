package machine

import (
	"math"
	"slices"

	"gulo/internal/ctype"
)

// This file is how threads end before their function returns: pthread_exit, pthread_cancel, and the handlers of
// pthread_cleanup_push. The macros of pthread.h call setjmp for each handler; the innermost is run by a jump there.

func init() {
	register(map[string]builtin{
		"pthread_exit": libThreadExit, "thrd_exit": libThreadExit, "pthread_cancel": libThreadCancel, "pthread_testcancel": constant(0),
		"pthread_setcancelstate": libCancelState, "pthread_setcanceltype": libCancelState,
		"__pthread_register_cancel": libCleanupPush, "__pthread_register_cancel_defer": libCleanupPush,
		"__pthread_unregister_cancel": libCleanupPop, "__pthread_unregister_cancel_restore": libCleanupPop, "__pthread_unwind_next": libUnwindNext,
	})
}

// leaving is how a thread can be made to end.
type leaving struct {
	cleanups  []cleanup // not changed in place
	asked     bool      // pthread_cancel was called for it
	held, now bool      // what pthread_setcancelstate and pthread_setcanceltype have set: it does not end, it ends at once
	left      bool      // it is ending
}

// cleanup is a handler that is to run when the thread ends.
type cleanup struct {
	at  ctype.Word // its jmp_buf
	now bool       // leaving.now before it was pushed
}

// cancelled is the result of a thread that was cancelled.
const cancelled = ctype.Word(math.MaxUint64)

// cancellation are the functions in which a thread ends that is to end.
var cancellation = map[string]bool{
	"accept": true, "accept4": true, "clock_nanosleep": true, "close": true, "connect": true, "creat": true, "epoll_wait": true, "epoll_pwait": true, "fcntl": true, "fdatasync": true, "fsync": true,
	"mq_receive": true, "mq_send": true, "mq_timedreceive": true, "mq_timedsend": true, "msgrcv": true, "msgsnd": true, "msync": true, "nanosleep": true, "open": true, "open64": true, "openat": true, "pause": true,
	"poll": true, "ppoll": true, "pread": true, "pselect": true, "pthread_clockjoin_np": true, "pthread_cond_clockwait": true, "pthread_cond_timedwait": true, "pthread_cond_wait": true,
	"pthread_join": true, "pthread_testcancel": true, "pthread_timedjoin_np": true, "pwrite": true, "read": true, "readv": true, "recv": true, "recvfrom": true, "recvmsg": true, "select": true,
	"sem_clockwait": true, "sem_timedwait": true, "sem_wait": true, "send": true, "sendmsg": true, "sendto": true, "sigsuspend": true, "sigtimedwait": true, "sigwait": true, "sigwaitinfo": true,
	"sleep": true, "system": true, "usleep": true, "wait": true, "waitid": true, "waitpid": true, "write": true, "writev": true,
}

// ends reports whether a thread is to end when it can.
func (t *thread) ends() bool { return t.asked && !t.held && !t.left }

// torn reports whether the present thread is to end before the next instruction.
func (th *threads) torn() bool { return th != nil && th.cur.now && th.cur.ends() }

// cancels reports whether the present thread ends at a call. It first gets back the mutex of a condition that it waits for.
func (th *threads) cancels(c *libCall) bool {
	t := th.cur
	return t.ends() && cancellation[c.name] && !(t.inside && isCondWait(c.name))
}

func isCondWait(name string) bool {
	return name == "pthread_cond_wait" || name == "pthread_cond_timedwait" || name == "pthread_cond_clockwait"
}

// quitThread ends the present thread with a result: it runs the innermost cleanup handler, or leaves all calls.
func quitThread(m *Machine, c *libCall, v ctype.Word) *Fault {
	t := m.threading().cur
	t.left, t.result = true, v
	t.inside, t.woken, t.late, t.poured = false, false, false, 0
	c.entered, m.moved = true, true
	if n := len(t.cleanups); n > 0 {
		to := t.cleanups[n-1]
		t.cleanups = slices.Clone(t.cleanups[:n-1])
		return longJump(m, c, to.at, 1)
	}
	t.others, t.routine.number = nil, 0
	for len(m.frames) > 0 {
		m.pop()
	}
	m.th.endThread(v)
	return m.th.failed
}

// libThreadExit ends the thread by leaving all its calls. That goes for the main thread, too.
func libThreadExit(m *Machine, c *libCall) (ctype.Word, *Fault) { return 0, quitThread(m, c, c.arg(0)) }

// libUnwindNext is called behind a cleanup handler.
func libUnwindNext(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return 0, quitThread(m, c, m.threading().cur.result)
}

func libThreadCancel(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t, f := threadOf(m, c)
	if f != nil || t.state == over {
		return 0, f
	}
	t.asked = true
	switch {
	case !t.ends():
	case t.state == waiting && (t.now || cancellation[t.call]):
		if t.state = ready; t.inside && isCondWait(t.call) {
			t.woken = true
		}
	}
	m.returns(c, 0)
	return 0, nil
}

// libCancelState is pthread_setcancelstate and pthread_setcanceltype.
func libCancelState(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if v := c.int(0); v != 0 && v != 1 {
		return errINVAL, nil
	}
	t := m.threading().cur
	what := &t.held
	if c.name == "pthread_setcanceltype" {
		what = &t.now
	}
	old := *what
	*what = c.int(0) == 1
	if c.arg(1) != 0 {
		if f := m.store(c.arg(1), ctype.IntT, b2w(old)); f != nil {
			return 0, f
		}
	}
	m.returns(c, 0)
	return 0, nil
}

func libCleanupPush(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t := m.threading().cur
	t.cleanups = append(slices.Clone(t.cleanups), cleanup{c.arg(0), t.now})
	if c.name == "__pthread_register_cancel_defer" {
		t.now = false
	}
	return 0, nil
}

func libCleanupPop(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t := m.threading().cur
	n := len(t.cleanups) - 1
	if n < 0 {
		return 0, nil
	}
	if c.name == "__pthread_unregister_cancel_restore" {
		t.now = t.cleanups[n].now
	}
	t.cleanups = slices.Clone(t.cleanups[:n])
	return 0, nil
}
