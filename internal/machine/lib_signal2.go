package machine

import "gulo/internal/ctype"

// This file is signal.h's functions of POSIX.

func init() {
	register(map[string]builtin{
		"sigaction": libSigaction, "sigemptyset": libSigset, "sigfillset": libSigset, "sigaddset": libSigset, "sigdelset": libSigset, "sigismember": libSigset,
		"sigprocmask": libSigprocmask, "pthread_sigmask": libSigprocmask, "__sysv_signal": libSignal, "sysv_signal": libSignal, "bsd_signal": libSignal, "siginterrupt": libSiginterrupt,
		"killpg": libKill, "sigpending": libSigpending, "sigsetmask": libSigsetmask, "sigblock": libSigsetmask, "sigwait": libSigwait,
	})
}

// libSigaction sets a handler. struct sigaction begins with the handler; the mask is at 8, the
// flags are at 136.
func libSigaction(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.int(0)
	if n < 1 || n >= nSignals || c.arg(1) != 0 && (n == sigKILL || n == sigSTOP) {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	old := m.lib.signals.actions[n]
	if c.arg(1) != 0 {
		var a action
		var f *Fault
		for _, x := range []struct {
			to *ctype.Word
			at ctype.Word
			t  *ctype.Type
		}{{&a.handler, 0, ctype.ULongT}, {&a.mask, 8, ctype.ULongT}, {&a.flags, 136, ctype.UIntT}} {
			if *x.to, f = m.load(c.arg(1)+x.at, x.t); f != nil {
				return 0, f
			}
		}
		m.lib.signals.actions[n] = a
	}
	if c.arg(2) == 0 {
		return 0, nil
	}
	b := make([]byte, 152)
	ctype.Store(ctype.ULongT, b, old.handler)
	ctype.Store(ctype.ULongT, b[8:], old.mask)
	ctype.Store(ctype.UIntT, b[136:], old.flags)
	return 0, m.putBytes(c.arg(2), b)
}

// libSiginterrupt sets whether a call that waits ends with EINTR when a signal comes.
func libSiginterrupt(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.int(0)
	if n < 1 || n >= nSignals || n == sigKILL || n == sigSTOP {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	m.lib.signals.actions[n].flags &^= saRestart
	if c.int(1) == 0 {
		m.lib.signals.actions[n].flags |= saRestart
	}
	return 0, nil
}

// libSigsetmask is BSD's sigsetmask and sigblock, of the first 32 signals.
func libSigsetmask(m *Machine, c *libCall) (ctype.Word, *Fault) {
	old := m.lib.signals.blocked & 0xffffffff
	if m.lib.signals.blocked = c.arg(0) & 0xffffffff; c.name == "sigblock" {
		m.lib.signals.blocked |= old
	}
	depth, base := len(m.frames), m.frames[len(m.frames)-1].base
	f := m.lib.signals.deliver(m.pc + 1)
	if c.entered = len(m.frames) > depth; c.entered && c.dst >= 0 {
		m.regs[base+int(c.dst)] = old
	}
	return old, f
}

func libSigpending(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if f := m.putBytes(c.arg(0), make([]byte, 128)); f != nil {
		return 0, f
	}
	return 0, m.store(c.arg(0), ctype.ULongT, m.lib.signals.pending)
}

// libSigwait takes a pending signal. If there is none, it waits for another process to send one; without other processes
// that is not supported.
func libSigwait(m *Machine, c *libCall) (ctype.Word, *Fault) {
	w, f := m.load(c.arg(0), ctype.ULongT)
	if f != nil {
		return 0, f
	}
	for n := ctype.Word(1); n < nSignals; n++ {
		if m.lib.signals.pending&w>>(n-1)&1 != 0 {
			m.lib.signals.pending &^= 1 << (n - 1)
			return 0, m.store(c.arg(1), ctype.IntT, n)
		}
	}
	if m.procs != nil {
		return m.wait(c, "a signal", signalKey, 0)
	}
	return 0, m.fault(Unsupported, 0, "sigwait for a signal that is not pending is not supported")
}

func libSigset(m *Machine, c *libCall) (ctype.Word, *Fault) {
	switch c.name {
	case "sigemptyset":
		return 0, m.putBytes(c.arg(0), make([]byte, 128))
	case "sigfillset":
		b := make([]byte, 128)
		for i := range 8 {
			b[i] = 0xff
		}
		return 0, m.putBytes(c.arg(0), b)
	}
	n := c.int(1)
	if n < 1 || n >= nSignals {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	w, f := m.load(c.arg(0), ctype.ULongT)
	if f != nil {
		return 0, f
	}
	bit := ctype.Word(1) << (n - 1)
	switch c.name {
	case "sigaddset":
		w |= bit
	case "sigdelset":
		w &^= bit
	default:
		return b2w(w&bit != 0), nil
	}
	return 0, m.store(c.arg(0), ctype.ULongT, w)
}

// libSigprocmask sets the set of blocked signals. Pending ones that it unblocks arrive.
func libSigprocmask(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.arg(2) != 0 {
		if f := m.putBytes(c.arg(2), make([]byte, 128)); f != nil {
			return 0, f
		}
		if f := m.store(c.arg(2), ctype.ULongT, m.lib.signals.blocked); f != nil {
			return 0, f
		}
	}
	if c.arg(1) == 0 {
		return 0, nil
	}
	w, f := m.load(c.arg(1), ctype.ULongT)
	if f != nil {
		return 0, f
	}
	switch c.int(0) {
	case 0:
		m.lib.signals.blocked |= w
	case 1:
		m.lib.signals.blocked &^= w
	case 2:
		m.lib.signals.blocked = w
	default:
		if c.name == "pthread_sigmask" {
			return errINVAL, nil
		}
		return m.failed(errINVAL)
	}
	return m.lib.signals.delivering(c)
}
