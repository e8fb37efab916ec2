package machine

import "gulo/internal/ctype"

// This file is signal.h's functions of POSIX, on one thread that gets no signals
// but its own.

func init() {
	register(map[string]builtin{
		"sigaction": libSigaction, "sigemptyset": libSigset, "sigfillset": libSigset, "sigaddset": libSigset, "sigdelset": libSigset, "sigismember": libSigset,
		"sigprocmask": libSigprocmask, "pthread_sigmask": libSigprocmask, "__sysv_signal": libSignal, "bsd_signal": libSignal, "siginterrupt": constant(0),
		"killpg": libKill,
	})
}

// libSigaction sets a handler. struct sigaction begins with the handler; its flags
// are at 136, of which SA_SIGINFO is refused.
func libSigaction(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.int(0)
	if n < 1 || n >= nSignals || c.arg(1) != 0 && (n == sigKILL || n == sigSTOP) {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	old := m.lib.handlers[n]
	if c.arg(1) != 0 {
		h, f := m.load(c.arg(1), ctype.ULongT)
		if f != nil {
			return 0, f
		}
		flags, f := m.load(c.arg(1)+136, ctype.IntT)
		if f != nil {
			return 0, f
		}
		if flags&4 != 0 {
			return 0, m.fault(Unsupported, 0, "sigaction with SA_SIGINFO is not supported")
		}
		m.lib.handlers[n] = h
		m.lib.once[n] = flags&0x80000000 != 0
	}
	if c.arg(2) != 0 {
		if f := m.putBytes(c.arg(2), make([]byte, 152)); f != nil {
			return 0, f
		}
		return 0, m.store(c.arg(2), ctype.ULongT, old)
	}
	return 0, nil
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

// libSigprocmask keeps the set of blocked signals; sending one of them is refused.
func libSigprocmask(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.arg(2) != 0 {
		if f := m.putBytes(c.arg(2), make([]byte, 128)); f != nil {
			return 0, f
		}
		if f := m.store(c.arg(2), ctype.ULongT, m.lib.blocked); f != nil {
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
		m.lib.blocked |= w
	case 1:
		m.lib.blocked &^= w
	default:
		m.lib.blocked = w
	}
	return 0, nil
}
