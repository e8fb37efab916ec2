package machine

import (
	"maps"

	"gulo/internal/ctype"
)

// This file is fork, wait and its relatives, kill, and the groups and sessions of processes.

func init() {
	register(map[string]builtin{
		"fork": libFork, "__fork": libFork, "vfork": libVfork, "__builtin_fork": libFork,
		"wait": libWait, "waitpid": libWait, "wait3": libWait, "wait4": libWait, "waitid": libWaitid,
		"getpid": libGetpid, "gettid": libGettid, "tgkill": libTgkill, "getppid": libGetpid, "getpgrp": libGetpgid, "getpgid": libGetpgid, "getsid": libGetpgid, "setpgid": libSetpgid, "setpgrp": libSetpgid, "setsid": libSetsid,
		"tcgetpgrp": libForeground, "tcsetpgrp": libForeground,
	})
}

const (
	errCHILD = 10

	waitNoHang    = 1
	waitNoThread  = 1 << 29
	waitAll       = 1 << 30
	waitClone     = -1 << 31
	waitStopped   = 2
	waitExited    = 4
	waitContinued = 8
	waitNoWait    = 0x1000000

	sigCHLD = 17
	sigCONT = 18

	saNoChildWait = 2
)

// exitStatus converts a status of wait into the exit status that a shell reports.
func exitStatus(status int) int {
	if status&0x7f != 0 {
		return 128 + status&0x7f
	}
	return status >> 8 & 0xff
}

// sent is what a signal's siginfo_t says beside its number.
type sent struct {
	pid, code, status int
	value             ctype.Word // of sigqueue
}

func libFork(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if m.lib.alone != "" {
		return 0, m.fault(Unsupported, 0, "%s", m.lib.alone)
	}
	_, f := m.fork(c)
	return 0, f
}

// libVfork is fork; the parent goes on when the child has called exec or has ended. What the child writes to memory the
// parent does not see.
func libVfork(m *Machine, c *libCall) (ctype.Word, *Fault) {
	q, f := m.fork(c)
	if f != nil {
		return 0, f
	}
	q.vforked = true
	t := m.th.cur
	t.state, t.why, t.on, t.until, t.at = waiting, "the child that vfork made to call exec or to end", vforkKey+ctype.Word(q.number), 0, q.made
	return 0, m.th.schedule()
}

// end ends a process that has nothing to execute any more.
func (ps *processes) end(p *process, status int) {
	p.state, p.status = ending, status
	ps.finish(p)
}

// finish writes to pipes what a process has printed, and ends the process once all is written.
func (ps *processes) finish(p *process) {
	m := ps.m
	l := m.one(p).lib
	for s := range l.stdio.all {
		if s.pipe == nil || !s.write || len(s.held) == 0 || !s.target().hasEnd(m, false) {
			continue
		}
		n := s.target().put(s.held, true)
		if s.held = s.held[n:]; n > 0 {
			s.target().changed(m)
		}
		if len(s.held) > 0 {
			return
		}
	}
	p.state = gone
	m.lib.systemV.undoAll(l)
	ps.closeAllOf(l)
	defer func() {
		if p != ps.cur && p.number > 1 {
			p.own = Machine{}
		}
	}()
	if p.vforked {
		p.vforked = false
		m.wakeAll(vforkKey + ctype.Word(p.number))
	}
	for _, q := range ps.list {
		if q.parent == p.pid {
			if q.parent = initProcess; q.state == zombie {
				q.state = gone
			}
		}
	}
	code := 1 // CLD_EXITED
	if p.status&0x7f != 0 {
		code = 2
	}
	if parent := ps.find(p.parent); parent != nil && parent.state == alive {
		a := m.one(parent).lib.signals.actions[sigCHLD]
		if a.handler != sigIGN && a.flags&saNoChildWait == 0 {
			p.state = zombie
		}
		ps.tellParent(parent, p, code, p.status)
	}
}

// tellParent sends a process SIGCHLD and lets it see what became of a child.
func (ps *processes) tellParent(parent, p *process, code, status int) {
	if status&0x7f == stoppedBy || code == 1 {
		status >>= 8
	}
	ps.post(parent, sigCHLD, sent{pid: p.pid, code: code, status: status & 0xff})
	ps.m.one(parent).wake(childKey)
}

// closeAllOf closes the descriptors of a process.
func (ps *processes) closeAllOf(l *library) {
	var pipes []*pipe
	for s := range l.stdio.all {
		if s.pipe != nil {
			pipes = append(pipes, s.pipe, s.target())
		}
	}
	for i := range l.stdio.standard {
		l.stdio.standard[i].opened = noDescriptor
	}
	clear(l.fs.streams)
	for _, p := range pipes {
		p.changed(ps.m)
	}
}

// post sends a signal to a process.
func (ps *processes) post(p *process, n int64, how sent) {
	m := ps.m
	if p.state != alive {
		return
	}
	if p.program != nil {
		ps.signalProgram(p, n)
		return
	}
	x := m.one(p)
	l := x.lib
	bit := ctype.Word(1) << (n - 1)
	if n == sigCONT && p.stopped {
		p.stopped, p.news = false, continued
		ps.changedState(p, 6)
	}
	if a := l.signals.actions[n]; l.signals.blocked&bit == 0 && (a.handler == sigIGN || a.handler == sigDFL && quiet[n]) {
		return
	}
	l.signals.pending |= bit
	l.signals.sent = maps.Clone(l.signals.sent)
	if l.signals.sent == nil {
		l.signals.sent = map[int64]sent{}
	}
	l.signals.sent[n] = how
	if n == sigKILL {
		p.stopped = false
	}
	if x == m {
		m.moved = true
	}
	x.rouse()
}

// stop stops the present process until it is sent SIGCONT.
func (ps *processes) stop(n int64) {
	p := ps.cur
	p.stopped, p.news = true, int(n)<<8|stoppedBy
	ps.changedState(p, 5)
}

// changedState tells a process's parent that it was stopped or goes on.
func (ps *processes) changedState(p *process, code int) {
	m := ps.m
	parent := ps.find(p.parent)
	if parent == nil || parent.state != alive {
		return
	}
	const noChildStop = 1
	if m.one(parent).lib.signals.actions[sigCHLD].flags&noChildStop != 0 {
		m.one(parent).wake(childKey)
		return
	}
	status := p.news
	if code == 6 {
		status = sigCONT
	}
	ps.tellParent(parent, p, code, status)
}

// child finds a child that a call of wait may report: the one with the number pid, any one for -1, one of the own group
// for 0, and one of group -pid for other negative numbers. p is nil if none has news; any reports whether there are such
// children at all.
func (ps *processes) child(pid, options int) (p *process, any bool) {
	if ps == nil {
		return nil, false
	}
	now := ps.cur
	for _, p := range ps.list {
		switch {
		case p.parent != now.pid || p.state == gone:
			continue
		case pid > 0 && p.pid != pid, pid == 0 && p.group != now.group, pid < -1 && p.group != -pid:
			continue
		}
		any = true
		switch {
		case p.state == zombie && options&waitExited != 0,
			p.news != 0 && p.news != continued && options&waitStopped != 0,
			p.news == continued && options&waitContinued != 0:
			return p, true
		}
	}
	return nil, any
}

// reap returns what wait reports of a child and, without WNOWAIT, notes that it was reported.
func (p *process) reap(options int) (status int) {
	if p.state == zombie {
		if options&waitNoWait == 0 {
			p.state = gone
		}
		return p.status
	}
	status = p.news
	if options&waitNoWait == 0 {
		p.news = 0
	}
	return status
}

// waitChild finds the child that a call of wait reports. done is false if the call has to wait; p is nil if there is
// nothing to report, and v is then the result of the call.
func waitChild(m *Machine, c *libCall, pid, options int) (p *process, done bool, v ctype.Word, f *Fault) {
	p, any := m.procs.child(pid, options)
	switch {
	case p != nil:
		return p, true, 0, nil
	case !any:
		m.set(errCHILD)
		return nil, true, ^ctype.Word(0), nil
	case options&waitNoHang != 0:
		return nil, true, 0, nil
	}
	v, f = m.wait(c, "the end of a child", childKey, 0)
	return nil, false, v, f
}

// libWait is wait, waitpid, wait3 and wait4.
func libWait(m *Machine, c *libCall) (ctype.Word, *Fault) {
	pid, status, options, usage := int64(-1), c.arg(0), int64(0), ctype.Word(0)
	switch c.name {
	case "waitpid":
		pid, status, options = c.int(0), c.arg(1), c.int(2)
	case "wait3":
		options, usage = c.int(1), c.arg(2)
	case "wait4":
		pid, status, options, usage = c.int(0), c.arg(1), c.int(2), c.arg(3)
	}
	kinds := options & (waitClone | waitAll | waitNoThread)
	if options = int64(uint32(options &^ kinds)); options&^(waitNoHang|waitStopped|waitContinued) != 0 {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	if pid > 0 && kinds&waitAll == 0 && m.isQuiet(int(pid)) != (kinds&waitClone != 0) {
		m.set(errCHILD)
		return ^ctype.Word(0), nil
	}
	p, done, v, f := waitChild(m, c, int(pid), int(options)|waitExited)
	if p == nil || !done || f != nil {
		return v, f
	}
	w := p.reap(int(options) | waitExited)
	m.joinCloned(p.pid)
	if usage != 0 {
		if f := m.putBytes(usage, make([]byte, 144)); f != nil {
			return 0, f
		}
	}
	if status != 0 {
		if f := m.store(status, ctype.IntT, ctype.Word(w)); f != nil {
			return 0, f
		}
	}
	return ctype.Word(p.pid), nil
}

// libWaitid is waitid. siginfo_t begins with the signal; the code is at 8, the process at 16, the user at 20, the status
// at 24.
func libWaitid(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const all, one, group = 0, 1, 2
	pid, options := -1, int(c.int(3))
	switch c.int(0) {
	case all:
	case one:
		pid = int(c.int(1))
	case group:
		if pid = -int(c.int(1)); pid == 0 && m.procs != nil {
			pid = -m.procs.cur.group
		}
	default:
		options = 0
	}
	if options&(waitExited|waitStopped|waitContinued) == 0 || options&^(waitNoHang|waitStopped|waitExited|waitContinued|waitNoWait) != 0 || c.int(0) == one && pid <= 0 {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	p, done, v, f := waitChild(m, c, pid, options)
	if !done || f != nil || v != 0 {
		return v, f
	}
	b := make([]byte, 128)
	if p != nil {
		w := p.reap(options)
		code := 1
		switch {
		case w == continued:
			code, w = 6, sigCONT
		case w&0x7f == stoppedBy:
			code, w = 5, w>>8
		case w&0x7f != 0:
			code = 2
		default:
			w >>= 8
		}
		for at, x := range map[int]int{0: sigCHLD, 8: code, 16: p.pid, 20: 1000, 24: w & 0xff} {
			ctype.Store(ctype.IntT, b[at:], ctype.Word(x))
		}
	}
	if c.arg(2) == 0 {
		return 0, nil
	}
	return 0, m.putBytes(c.arg(2), b)
}

// libGetpid is getpid and getppid.
func libGetpid(m *Machine, c *libCall) (ctype.Word, *Fault) {
	switch {
	case c.name == "getpid":
		return ctype.Word(m.pid()), nil
	case m.procs == nil:
		return firstParent, nil
	}
	return ctype.Word(m.procs.cur.parent), nil
}

// processOf is the process with a number, 0 for the present one; nil and errno where there is none.
func processOf(m *Machine, pid int) *process {
	ps := m.processing()
	if pid == 0 {
		return ps.cur
	}
	p := ps.find(pid)
	if p == nil {
		m.set(errSRCH)
	}
	return p
}

// libGetpgid is getpgrp, getpgid and getsid.
func libGetpgid(m *Machine, c *libCall) (ctype.Word, *Fault) {
	pid := 0
	if c.name != "getpgrp" {
		pid = int(c.int(0))
	}
	p := processOf(m, pid)
	switch {
	case p == nil:
		return ^ctype.Word(0), nil
	case c.name == "getsid":
		return ctype.Word(p.session), nil
	}
	return ctype.Word(p.group), nil
}

// libSetpgid is setpgid and setpgrp.
func libSetpgid(m *Machine, c *libCall) (ctype.Word, *Fault) {
	pid, group := 0, 0
	if c.name == "setpgid" {
		pid, group = int(c.int(0)), int(c.int(1))
	}
	if group < 0 {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	p := processOf(m, pid)
	if p == nil {
		return ^ctype.Word(0), nil
	}
	if group == 0 {
		group = p.pid
	}
	now := m.procs.cur
	there := group == p.pid
	for _, q := range m.procs.list {
		there = there || q.state != gone && q.group == group && q.session == p.session
	}
	switch {
	case p != now && p.parent != now.pid:
		m.set(errSRCH)
		return ^ctype.Word(0), nil
	case p.session == p.pid, p.session != now.session, !there:
		m.set(errPERM)
		return ^ctype.Word(0), nil
	case p.program != nil:
		m.set(errACCES)
		return ^ctype.Word(0), nil
	}
	p.group = group
	return 0, nil
}

func libSetsid(m *Machine, c *libCall) (ctype.Word, *Fault) {
	p := m.processing().cur
	if p.group == p.pid {
		m.set(errPERM)
		return ^ctype.Word(0), nil
	}
	p.group, p.session = p.pid, p.pid
	return ctype.Word(p.pid), nil
}

// libForeground is tcgetpgrp and tcsetpgrp: no descriptor is a terminal.
func libForeground(m *Machine, c *libCall) (ctype.Word, *Fault) {
	noTerminal(m, c)
	return ^ctype.Word(0), nil
}

// libKill is kill and killpg.
func libKill(m *Machine, c *libCall) (ctype.Word, *Fault) {
	pid, n := int(c.int(0)), c.int(1)
	if n < 0 || n >= nSignals {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	if c.name == "killpg" {
		if pid < 0 {
			m.set(errINVAL)
			return ^ctype.Word(0), nil
		}
		pid = -pid
	}
	if m.procs == nil && (pid == ownProcess || pid == 0 || pid == -1) {
		return m.lib.signals.send(c, n)
	}
	ps := m.processing()
	any, self := false, false
	for _, p := range ps.list {
		switch {
		case p.state == gone:
			continue
		case pid > 0 && p.pid != pid, pid == 0 && p.group != ps.cur.group, pid < -1 && p.group != -pid, pid == -1 && p == ps.cur:
			continue
		}
		any = true
		switch {
		case n == 0:
		case p == ps.cur:
			self = true
		default:
			m.procs.post(p, n, sent{pid: ps.cur.pid})
		}
	}
	switch {
	case !any && (pid == firstParent || pid == initProcess):
		return 0, m.fault(Unsupported, 0, "%s of a process that the program did not make is not supported", c.name)
	case !any:
		m.set(errSRCH)
		return ^ctype.Word(0), nil
	case self:
		return m.lib.signals.send(c, n)
	}
	return 0, nil
}

// threadNumbers is what the numbers of threads that are not main's begin behind.
const threadNumbers = 100000

// libGettid is gettid: for main it is the process's number.
func libGettid(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if n := m.Thread(); n > 1 {
		return ctype.Word(threadNumbers + n), nil
	}
	return ctype.Word(m.pid()), nil
}

// libTgkill is tgkill for the present thread.
func libTgkill(m *Machine, c *libCall) (ctype.Word, *Fault) {
	own, _ := libGettid(m, c)
	switch {
	case c.int(0) <= 0 || c.int(1) <= 0 || c.int(2) < 0 || c.int(2) >= nSignals:
		return m.failed(errINVAL)
	case int(c.int(0)) != m.pid() || ctype.Word(c.int(1)) != own:
		return 0, m.fault(Unsupported, 0, "tgkill of another thread is not supported")
	}
	return m.lib.signals.send(c, c.int(2))
}
