package machine

import (
	"gulo/internal/ctype"
)

// This file is signal.h as far as a program sends signals to itself. Errors of
// the program are faults, never signals that a handler gets.

func init() {
	register(map[string]builtin{"signal": libSignal, "raise": libRaise, "kill": libKill, "abort": libAbort})
}

// The signals with names of their own here.
const (
	sigILL   = 4
	sigABRT  = 6
	sigKILL  = 9
	sigSTOP  = 19
	sigDFL   = ctype.Word(0)
	sigIGN   = ctype.Word(1)
	nSignals = 65
	errINVAL = 22
)

var signalNames = map[int64]string{
	1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 10: "SIGUSR1",
	11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM", 16: "SIGSTKFLT", 17: "SIGCHLD", 18: "SIGCONT", 19: "SIGSTOP",
	20: "SIGTSTP", 21: "SIGTTIN", 22: "SIGTTOU", 23: "SIGURG", 24: "SIGXCPU", 25: "SIGXFSZ", 26: "SIGVTALRM", 27: "SIGPROF", 28: "SIGWINCH",
	29: "SIGIO", 30: "SIGPWR", 31: "SIGSYS",
}

// quiet are the signals that do nothing when nobody handles them, stopping
// those that would halt the process.
var (
	quiet    = map[int64]bool{17: true, 18: true, 23: true, 28: true}
	stopping = map[int64]bool{19: true, 20: true, 21: true, 22: true}
)

func libSignal(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.int(0)
	if n < 1 || n >= nSignals || n == sigKILL || n == sigSTOP {
		return ^ctype.Word(0), m.store(m.lib.errno, ctype.IntT, errINVAL)
	}
	old := m.lib.handlers[n]
	m.lib.handlers[n] = c.arg(1)
	return old, nil
}

func libRaise(m *Machine, c *libCall) (ctype.Word, *Fault) { return m.send(c, c.int(0)) }

func libKill(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.int(0) != 4242 && c.int(0) != 0 { // what getpid says
		return 0, m.fault(Unsupported, 0, "kill of another process is not supported")
	}
	return m.send(c, c.int(1))
}

// send delivers a signal to the program before the call returns 0.
func (m *Machine) send(c *libCall, n int64) (ctype.Word, *Fault) {
	if n < 0 || n >= nSignals {
		return ^ctype.Word(0), m.store(m.lib.errno, ctype.IntT, errINVAL)
	}
	h := m.lib.handlers[n]
	if n > 0 && m.lib.blocked>>(n-1)&1 != 0 {
		return 0, m.fault(Unsupported, 0, "sending %s while it is blocked is not supported", m.signalName(n))
	}
	if n > 0 && m.lib.once[n] && h != sigIGN {
		m.lib.handlers[n], m.lib.once[n] = sigDFL, false
	}
	switch {
	case n == 0 || h == sigIGN || h == sigDFL && quiet[n]:
		return 0, nil
	case h == sigDFL && stopping[n]:
		return 0, m.fault(Unsupported, 0, "%s would stop the program: that is not supported", signalNames[n])
	case h == sigDFL:
		f := m.fault(Signalled, 0, "the program sends itself %s", m.signalName(n))
		f.Number = int(n)
		return 0, f
	}
	if c.dst >= 0 {
		m.regs[m.frames[len(m.frames)-1].base+int(c.dst)] = 0
	}
	return 0, m.handle(c, h, n, m.pc+1)
}

func (m *Machine) signalName(n int64) string {
	if s, ok := signalNames[n]; ok {
		return s
	}
	return sprintf("signal %d", n)
}

// handle calls a handler, which returns to an instruction.
func (m *Machine) handle(c *libCall, h ctype.Word, n int64, retPC int) *Fault {
	id, off := ctype.SplitPointer(h)
	i, ok := m.fnOf[id]
	if !ok || off != 0 || m.funcs[i].code == nil {
		return m.fault(BadCall, h, "the handler of %s is no function of the program", m.signalName(n))
	}
	c.entered = true
	args := []ctype.Word{ctype.Word(n)}
	return m.push(m.funcs[i], args[:min(1, len(m.funcs[i].ir.Params))], -1, retPC)
}

// libAbort ends the program, after the handler of SIGABRT if it has one.
func libAbort(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if h := m.lib.handlers[sigABRT]; h != sigDFL && h != sigIGN {
		m.lib.handlers[sigABRT] = sigDFL
		return 0, m.handle(c, h, sigABRT, m.pc) // and abort again
	}
	return 0, m.fault(Aborted, 0, "the program called abort")
}
