package machine

import (
	"maps"
	"slices"
	"strings"

	"gulo/internal/ctype"
)

// This file is signal.h: how signals are sent to the program itself and handled.
// Errors of the program are faults, never signals that a handler gets.

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

	ownProcess = 4242 // what getpid says
)

var signalNames = map[int64]string{
	1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 10: "SIGUSR1",
	11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM", 16: "SIGSTKFLT", 17: "SIGCHLD", 18: "SIGCONT", 19: "SIGSTOP",
	20: "SIGTSTP", 21: "SIGTTIN", 22: "SIGTTOU", 23: "SIGURG", 24: "SIGXCPU", 25: "SIGXFSZ", 26: "SIGVTALRM", 27: "SIGPROF", 28: "SIGWINCH",
	29: "SIGIO", 30: "SIGPWR", 31: "SIGSYS",
}

// quiet are the signals that are ignored by default, stopping those that stop the
// process by default.
var (
	quiet    = map[int64]bool{17: true, 18: true, 23: true, 28: true}
	stopping = map[int64]bool{19: true, 20: true, 21: true, 22: true}
)

// signals is what a process has of signals and timers: what happens on them, which are blocked, which have been sent.
type signals struct {
	m       *Machine
	actions [nSignals]action
	blocked ctype.Word      // set of signals; those of the present thread
	pending ctype.Word      // those sent and not delivered yet
	sent    map[int64]sent  // who sent signals; not changed in place
	timers  [3]timer        // of setitimer
	alarms  []numberedTimer // of timer_create; not changed in place
	stack   altStack        // of sigaltstack
	broken  bool            // the present call has written to a pipe that nobody reads
}

// action is what happens on a signal.
type action struct {
	handler ctype.Word
	mask    ctype.Word // blocked besides while the handler runs
	flags   ctype.Word
}

// Flags of an action.
const (
	saSiginfo   = 4
	saRestart   = 0x10000000
	saNodefer   = 0x40000000
	saResethand = 0x80000000
)

func libSignal(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.int(0)
	if n < 1 || n >= nSignals || n == sigKILL || n == sigSTOP {
		return ^ctype.Word(0), m.store(m.lib.errno, ctype.IntT, errINVAL)
	}
	a := action{handler: c.arg(1), flags: saRestart}
	if strings.HasSuffix(c.name, "sysv_signal") {
		a.flags = saResethand | saNodefer
	}
	old := m.lib.signals.actions[n].handler
	m.lib.signals.actions[n] = a
	return old, nil
}

func libRaise(m *Machine, c *libCall) (ctype.Word, *Fault) { return m.lib.signals.send(c, c.int(0)) }

// send delivers a signal to the program before the call returns 0, or leaves it pending.
func (sg *signals) send(c *libCall, n int64) (ctype.Word, *Fault) {
	m := sg.m
	if n < 0 || n >= nSignals {
		return ^ctype.Word(0), m.store(m.lib.errno, ctype.IntT, errINVAL)
	}
	if n == 0 {
		return 0, nil
	}
	sg.pending |= 1 << (n - 1)
	if sg.sent[n] != (sent{}) {
		sg.sent = maps.Clone(sg.sent)
		delete(sg.sent, n)
	}
	return sg.delivering(c)
}

// delivering delivers the signals that are pending and not blocked; then the call c returns 0.
func (sg *signals) delivering(c *libCall) (ctype.Word, *Fault) {
	m := sg.m
	depth, base := len(m.frames), m.frames[len(m.frames)-1].base
	f := sg.deliver(m.pc + 1)
	if c.entered = len(m.frames) > depth; c.entered && c.dst >= 0 {
		m.regs[base+int(c.dst)] = 0
	}
	return 0, f
}

// deliver calls the handlers of the signals that are pending and not blocked; the last of
// them returns to an instruction. As with Linux the signal with the greatest number runs first:
// each is handled on top of those before.
func (sg *signals) deliver(retPC int) *Fault {
	m := sg.m
	for n := int64(1); n < nSignals; n++ {
		bit := ctype.Word(1) << (n - 1)
		if sg.pending&bit == 0 || sg.blocked&bit != 0 && n != sigKILL && n != sigSTOP {
			continue
		}
		sg.pending &^= bit
		a := &sg.actions[n]
		switch {
		case a.handler == sigIGN || a.handler == sigDFL && quiet[n]:
			continue
		case a.handler == sigDFL && stopping[n] && m.procs.several():
			m.procs.stop(n)
			continue
		case a.handler == sigDFL && stopping[n]:
			return m.fault(Unsupported, 0, "%s would stop the program: that is not supported", signalNames[n])
		case a.handler == sigDFL:
			f := m.fault(Signalled, 0, "%s", sg.ends(n))
			f.Number = int(n)
			return f
		}
		h := *a
		if h.flags&saResethand != 0 {
			a.handler = sigDFL
		}
		if f := sg.handle(h, n, retPC); f != nil {
			return f
		}
		retPC = m.pc
	}
	return nil
}

// ends returns the message for a signal that ends the program.
func (sg *signals) ends(n int64) string {
	m := sg.m
	if sg.broken && n == sigPIPE {
		return "SIGPIPE arrives, as nothing reads the pipe that is written to, and the program does not handle it"
	}
	if slices.Contains(ofTimer[:], n) {
		return sg.signalName(n) + " arrives, and the program does not handle it"
	}
	if how, ok := sg.sent[n]; ok {
		if p := m.procs.find(how.pid); p != nil {
			return sprintf("%s sends %s, and the program does not handle it", m.procs.name(p), sg.signalName(n))
		}
		return "a process that has ended has sent " + sg.signalName(n) + ", and the program does not handle it"
	}
	return "the program sends itself " + sg.signalName(n)
}

func (sg *signals) signalName(n int64) string {
	if s, ok := signalNames[n]; ok {
		return s
	}
	return sprintf("signal %d", n)
}

// handle calls a handler, which returns to instruction retPC. The signals of its mask are blocked until then.
func (sg *signals) handle(a action, n int64, retPC int) *Fault {
	m := sg.m
	id, off := ctype.SplitPointer(a.handler)
	i, ok := m.fnOf[id]
	if !ok || off != 0 || m.funcs[i].code == nil {
		return m.fault(BadCall, a.handler, "the handler of %s is no function of the program", sg.signalName(n))
	}
	args := []ctype.Word{ctype.Word(n)}
	if a.flags&saSiginfo != 0 {
		info := m.newBlock(Global, 128)
		info.Name = "the siginfo_t of " + sg.signalName(n)
		context := m.newBlock(Global, 968)
		context.Name = "the context of " + sg.signalName(n)
		args = append(args, ctype.MakePointer(info.ID, 0), ctype.MakePointer(context.ID, 0))
		if f := m.putBytes(args[1], sg.siginfo(n)); f != nil {
			return f
		}
	}
	old := sg.blocked
	sg.blocked |= a.mask
	if a.flags&saNodefer == 0 {
		sg.blocked |= 1 << (n - 1)
	}
	f := m.push(m.funcs[i], args[:min(len(args), len(m.funcs[i].ir.Params))], -1, retPC)
	if f == nil {
		m.frames[len(m.frames)-1].mask = &old
	}
	return f
}

// unmask takes back the signals that a handler blocked, when it has returned.
func (sg *signals) unmask(mask *ctype.Word) *Fault {
	sg.blocked = *mask
	return sg.deliver(sg.m.pc)
}

// libAbort ends the program, after the handler of SIGABRT if it has one.
func libAbort(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if a := m.lib.signals.actions[sigABRT]; a.handler != sigDFL && a.handler != sigIGN {
		m.lib.signals.actions[sigABRT].handler = sigDFL
		c.entered = true
		return 0, m.lib.signals.handle(a, sigABRT, m.pc) // and abort again
	}
	return 0, m.fault(Aborted, 0, "the program called abort")
}
