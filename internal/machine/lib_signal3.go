package machine

import "gulo/internal/ctype"

// This file is signals that are taken or sent with what is known of them, the stack for handlers, and calls that wait
// with other signals blocked.

func init() {
	register(map[string]builtin{
		"sigaltstack": libSigaltstack, "sigtimedwait": libSigtimedwait, "sigwaitinfo": libSigtimedwait, "sigqueue": libSigqueue, "pthread_sigqueue": libThreadSignal, "pthread_kill": libThreadSignal,
		"ppoll": withMask(3, libPoll), "pselect": withMask(5, libSelect), "epoll_pwait": withMask(4, libEpollWait),
	})
}

// altStack is what sigaltstack was given. Handlers run on the machine's own stack.
type altStack struct {
	at    ctype.Word
	size  ctype.Word
	flags ctype.Word
}

const (
	stackDisabled = 2
	minStack      = 2048
	codeQueued    = -1 // SI_QUEUE
)

func libSigaltstack(m *Machine, c *libCall) (ctype.Word, *Fault) {
	old := m.lib.signals.stack
	if old.at == 0 {
		old.flags = stackDisabled
	}
	if c.arg(0) != 0 {
		var s altStack
		var f *Fault
		if s.flags, f = m.load(c.arg(0)+8, ctype.IntT); f != nil {
			return 0, f
		}
		s.flags = ctype.Word(uint32(s.flags))
		if s.flags&stackDisabled == 0 {
			if s.at, f = m.load(c.arg(0), ctype.ULongT); f != nil {
				return 0, f
			}
			if s.size, f = m.load(c.arg(0)+16, ctype.ULongT); f != nil {
				return 0, f
			}
		}
		switch {
		case s.flags&^3 != 0:
			return m.failed(errINVAL)
		case s.flags == 0 && s.size < minStack:
			return m.failed(errNOMEM)
		}
		m.lib.signals.stack = s
	}
	if c.arg(1) == 0 {
		return 0, nil
	}
	b := make([]byte, 24)
	ctype.Store(ctype.ULongT, b, old.at)
	ctype.Store(ctype.IntT, b[8:], old.flags)
	ctype.Store(ctype.ULongT, b[16:], old.size)
	return 0, m.putBytes(c.arg(1), b)
}

// siginfo is the siginfo_t of a signal that has arrived.
func (sg *signals) siginfo(n int64) []byte {
	b := make([]byte, 128)
	ctype.Store(ctype.IntT, b[0:], ctype.Word(n))
	how, ok := sg.sent[n]
	if !ok {
		how = sent{pid: sg.m.pid(), code: -6} // SI_TKILL
	}
	ctype.Store(ctype.IntT, b[8:], ctype.Word(how.code))
	ctype.Store(ctype.IntT, b[16:], ctype.Word(how.pid))
	ctype.Store(ctype.IntT, b[20:], 1000)
	ctype.Store(ctype.IntT, b[24:], ctype.Word(how.status))
	if how.code == codeQueued {
		ctype.Store(ctype.ULongT, b[24:], how.value)
	}
	if how.code == codeTimer {
		ctype.Store(ctype.IntT, b[20:], ctype.Word(how.status))
		ctype.Store(ctype.ULongT, b[24:], how.value)
	}
	return b
}

// libSigtimedwait is sigtimedwait and sigwaitinfo.
func libSigtimedwait(m *Machine, c *libCall) (ctype.Word, *Fault) {
	set, f := m.load(c.arg(0), ctype.ULongT)
	if f != nil {
		return 0, f
	}
	nanos, ok := int64(forever), true
	if c.name == "sigtimedwait" {
		nanos, ok, f = m.interval(c.arg(2), 1)
	}
	if f != nil {
		return 0, f
	}
	if !ok {
		return m.failed(errINVAL)
	}
	n := m.lib.signals.takeSignal(set)
	if n == 0 {
		if m.several() || m.procs != nil {
			if over, v, f := m.waitReady(c, nanos, false); !over {
				return v, f
			}
			return m.failed(errAGAIN)
		}
		if n, f = m.lib.signals.awaitSignal(c, set, nanos); n == 0 {
			return ^ctype.Word(0), f
		}
	}
	m.th.doneWaiting()
	if c.arg(1) != 0 {
		if f = m.putBytes(c.arg(1), m.lib.signals.siginfo(n)); f != nil {
			return 0, f
		}
	}
	return ctype.Word(n), nil
}

// awaitSignal lets time pass for the only thread until a timer sends a signal of a set. It returns 0, and sets errno,
// where none comes in time.
func (sg *signals) awaitSignal(c *libCall, set ctype.Word, nanos int64) (int64, *Fault) {
	m := sg.m
	end := int64(forever)
	if nanos != forever {
		end = m.nanos() + nanos
	}
	for {
		if n := sg.takeSignal(set); n != 0 {
			return n, nil
		}
		if sg.interrupts() {
			m.set(errINTR)
			_, f := sg.interrupted(c, ^ctype.Word(0))
			return 0, f
		}
		next := end
		if due := sg.nextDue(); due > 0 {
			next = min(next, due)
		}
		if next == forever {
			return 0, m.fault(Unsupported, 0, "%s for a signal that nothing will send is not supported", c.name)
		}
		m.slept += max(next-m.nanos(), 0)
		if next == end && sg.nextDue() != end {
			m.set(errAGAIN)
			return 0, nil
		}
	}
}

func libSigqueue(m *Machine, c *libCall) (ctype.Word, *Fault) {
	pid, n := int(c.int(0)), c.int(1)
	switch {
	case n < 0 || n >= nSignals:
		return m.failed(errINVAL)
	case pid != m.pid():
		return 0, m.fault(Unsupported, 0, "sigqueue to another process is not supported")
	case n > 31 && m.lib.signals.pending>>(n-1)&1 != 0:
		return 0, m.fault(Unsupported, 0, "sigqueue of a signal that is pending already is not supported")
	case n == 0:
		return 0, nil
	}
	m.lib.signals.pending |= 1 << (n - 1)
	m.lib.signals.noteSent(n, sent{pid: pid, code: codeQueued, value: c.arg(2)})
	return m.lib.signals.delivering(c)
}

// libThreadSignal is pthread_kill of the present thread.
func libThreadSignal(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.int(1)
	switch {
	case n < 0 || n >= nSignals:
		return errINVAL, nil
	case c.name == "pthread_sigqueue", m.several() && c.arg(0) != ctype.Word(m.Thread()):
		return 0, m.fault(Unsupported, 0, "%s of another thread is not supported", c.name)
	}
	return m.lib.signals.send(c, n)
}

// withMask is a call that waits and takes, as argument i, the set of signals that are blocked meanwhile, or NULL.
func withMask(i int, call builtin) builtin {
	return func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		if c.arg(i) == 0 {
			return call(m, c)
		}
		set, f := m.load(c.arg(i), ctype.ULongT)
		if f != nil {
			return 0, f
		}
		mask := m.lib.signals.blocked
		if set == mask {
			return call(m, c)
		}
		if m.several() || m.procs.several() {
			return 0, m.fault(Unsupported, 0, "%s with a set of signals is not supported where there are other threads or processes", c.name)
		}
		m.lib.signals.blocked = set
		depth := len(m.frames)
		v, f := call(m, c)
		if len(m.frames) > depth {
			m.frames[depth].mask = &mask // the handler that runs last
		} else {
			m.lib.signals.blocked = mask
		}
		return v, f
	}
}
