package machine

import (
	"slices"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/plural"
)

// This file is processes. fork makes a second process of the machine's state, as a saved state is made: blocks of the
// heap are shared until one of the two writes to them. The Machine is the process that runs; what the others have is
// kept beside it. As with threads one runs at a time, until it waits or has had its time, and the next one in the order
// of their creation goes on: a program does the same in every run. Steps and time are those of all together.
//
// The run ends when all processes have ended, and its exit status is the first one's. A monitor and a trace follow the
// first process alone.

const (
	maxProcesses = 256                 // that have not ended
	processSteps = 20 * sliceSteps     // that one executes before another one goes on
	childKey     = pollKey | 1<<62     // what a thread waits on (thread.on) for the end of a child
	signalKey    = pollKey | 1<<62 | 1 // for a signal
	vforkKey     = pollKey | 1<<61     // with the child's number added, for the child of vfork
	initProcess  = 1                   // the parent of those whose parent has ended
	firstParent  = 4241                // the first process's parent
	stoppedBy    = 0x7f                // status of a process that a signal has stopped: 0x7f, and the signal above it
	continued    = 0xffff              // status of one that goes on
)

// processes are the processes of a program that has made one.
type processes struct {
	m      *Machine
	list   []*process // by number; some that are gone are left out
	cur    *process
	slice  int64    // instructions at which another one goes on
	made   int      // how many there were
	resume *process // the one that goes on when the run does, nil for the first one
	looked int      // how often the next one was looked for
	outside
}

// processState is the state of a process.
type processState uint8

const (
	alive  processState = iota
	ending              // it has exited, and its buffers are not written yet
	zombie              // nobody has waited for it yet
	gone
)

// process is what the machine keeps of a process. Processes are numbered from 1 in the order in which they were made.
type process struct {
	number         int
	pid, parent    int
	group, session int
	made           int32   // the statement
	own            Machine // while another one runs
	left           int64   // instructions when it ran last
	state          processState
	status         int // as wait gives it
	stopped        bool
	news           int      // what WUNTRACED and WCONTINUED have not said yet: a status, 0 for none
	vforked        bool     // its parent waits until it calls exec or ends
	program        *program // the real program that exec has made it; nil for none
}

// one is the machine of a process.
func (m *Machine) one(p *process) *Machine {
	if m.procs == nil || p == m.procs.cur {
		return m
	}
	return &p.own
}

// processing returns the processes; the first call makes the present one of them.
func (m *Machine) processing() *processes {
	if m.procs == nil {
		m.threading()
		p := &process{number: 1, pid: ownProcess, parent: firstParent, group: ownProcess, session: ownProcess}
		m.procs = &processes{m: m, list: []*process{p}, cur: p, made: 1}
	}
	return m.procs
}

// several reports whether there are processes besides the first one.
func (ps *processes) several() bool { return ps != nil && len(ps.list) > 1 }

// first is the process that the program was started as.
func (ps *processes) first() *process { return ps.list[0] }

// find returns the process with a number, nil for none.
func (ps *processes) find(pid int) *process {
	for _, p := range ps.list {
		if p.pid == pid && p.state != gone {
			return p
		}
	}
	return nil
}

// pid is the number of the present process.
func (m *Machine) pid() int {
	if t := m.cloned(); t != nil {
		return t.pid
	}
	if m.procs == nil {
		return ownProcess
	}
	return m.procs.cur.pid
}

// InChild reports whether the process that runs is not the one that the program was started as.
func (m *Machine) InChild() bool { return m.procs != nil && m.procs.cur.number > 1 }

// libraries calls yield for the libraries of all processes that have not ended.
func (m *Machine) libraries(yield func(*library) bool) {
	if m.procs == nil {
		yield(m.lib)
		return
	}
	for _, p := range m.procs.list {
		if p.state <= ending && !yield(m.one(p).lib) {
			return
		}
	}
}

// become makes another process the one that runs.
func (ps *processes) become(q *process) {
	m := ps.m
	p := ps.cur
	if p == q {
		return
	}
	m.lib.stdio.settleOut()
	m.lib.mappings.store()
	steps, slept, written, cfg := m.steps, m.slept, m.lib.stdio.written, m.cfg
	if p.left = m.steps; p.state <= ending || p.number == 1 {
		p.own = *m
		p.own.lib.attach(&p.own)
	}
	*m, q.own = q.own, Machine{}
	m.away += steps - q.left
	m.steps, m.slept, m.lib.stdio.written, m.lib.m = steps, slept, written, m
	m.cfg.MaxSteps, m.cfg.MaxOutput, m.cfg.Context = cfg.MaxSteps, cfg.MaxOutput, cfg.Context
	m.lib.attach(m)
	ps.cur, m.moved = q, true
}

// fork makes a process that is as the present one, in which the call returns 0.
func (m *Machine) fork(c *libCall) (*process, *Fault) {
	ps := m.processing()
	n, size := 0, int64(0)
	for _, p := range ps.list {
		if p.state <= ending {
			n++
			size += m.one(p).heapBytes + m.one(p).stack
		}
	}
	switch {
	case n >= maxProcesses:
		return nil, m.fault(LimitFault, 0, "%s: the program has %s at once, which is the limit", c.name, plural.N(n, "process"))
	case size+m.heapBytes+m.stack > m.cfg.MaxMemory:
		return nil, m.fault(LimitFault, 0, "%s: the program's processes have more memory than the limit of %d MiB", c.name, m.cfg.MaxMemory>>20)
	}
	m.lib.stdio.readAhead()
	m.lib.stdio.settleOut()
	ps.made++
	q := &process{number: ps.made, pid: ps.first().pid + ps.made - 1, parent: ps.cur.pid, group: ps.cur.group, session: ps.cur.session, made: m.at(), left: m.steps}
	m.returns(c, 0)
	m.copyTo(&q.own)
	q.own.away = m.steps
	if c.dst >= 0 {
		m.regs[m.frames[len(m.frames)-1].base+int(c.dst)] = ctype.Word(q.pid)
	}
	if len(ps.list) > 2*maxProcesses {
		ps.list = slices.DeleteFunc(ps.list, func(p *process) bool { return p.state == gone && p.number > 1 && p != ps.cur })
	}
	if ps.list = append(ps.list, q); len(ps.list) == 2 {
		ps.slice = m.steps + processSteps
	}
	return q, nil
}

// copyTo makes n a copy of the machine, as fork does: it shares the open files, and only the present thread goes on.
func (m *Machine) copyTo(n *Machine) {
	c := &copying{shares: true}
	s := m.saveOne(c)
	n.lib, n.cfg = &library{stdio: stdio{in: m.lib.stdio.in}}, m.cfg
	n.cfg.plain = !m.cfg.quick()
	n.cfg.Monitor, n.cfg.Trace, n.cfg.Numbers = nil, false, 0
	n.restoreOne(s, c)
	n.tr, n.args = nil, nil
	n.globals = slices.Clone(m.globals)
	n.lib.m, n.lib.signals.pending, n.lib.signals.timers, n.lib.signals.alarms, n.lib.systemV.undo = m, 0, [3]timer{}, nil, nil
	for _, t := range n.th.list {
		if t != n.th.cur {
			*t = thread{number: t.number, state: over, joined: t.joined, detached: t.detached}
		}
	}
}

// firstReady is the next thread of a process that can go on, nil for none.
func (ps *processes) firstReady(p *process) *thread {
	m := ps.m
	th := m.one(p).th
	n := len(th.list)
	for i := range n {
		t := th.list[(th.cur.number+i)%n]
		if t.state == waiting && t.until > 0 && t.until <= m.nanos() {
			t.state, t.late = ready, true
		}
		if t.state == ready {
			return t
		}
	}
	return nil
}

// schedule lets the next process go on that can, and of it the next thread. It returns errStop when all have
// ended; the machine is the first process then.
func (ps *processes) schedule() *Fault {
	m := ps.m
	for {
		if ps.looked++; ps.looked%64 == 0 && m.cfg.Context != nil && m.cfg.Context.Err() != nil {
			return m.fault(Interrupted, 0, "%v", m.cfg.Context.Err())
		}
		if ps.looked%16 == 0 {
			if f := ps.pump(0); f != nil {
				return f
			}
		}
		if !slices.ContainsFunc(ps.list, func(p *process) bool { return p.state <= ending }) {
			ps.become(ps.first())
			m.exited, m.status = true, exitStatus(ps.first().status)
			return errStop
		}
		if q, t := ps.next(); q != nil {
			ps.become(q)
			if f := m.lib.mappings.load(); f != nil {
				return f
			}
			if t != m.th.cur {
				m.th.park()
				m.th.unpark(t)
			}
			m.nextSlice()
			m.moved = true
			return m.lib.signals.deadly()
		}
		if f := ps.passTime(); f != nil {
			return f
		}
	}
}

// next is the next process that can go on, and its thread. The present one comes first until it has had its time.
func (ps *processes) next() (*process, *thread) {
	m := ps.m
	k := 1
	if m.steps < ps.slice {
		k = 0
	} else {
		ps.slice = m.steps + processSteps
	}
	n, at := len(ps.list), slices.Index(ps.list, ps.cur)
	for i := range n {
		p := ps.list[(at+k+i)%n]
		switch {
		case p.state == ending:
			ps.finish(p)
		case p.state == alive && !p.stopped && p.program == nil:
			if t := ps.firstReady(p); t != nil {
				if p != ps.cur {
					ps.slice = m.steps + processSteps
				}
				return p, t
			}
		}
	}
	return nil, nil
}

// deadly returns the fault that ends the present process if a pending signal does that by default; else nil.
func (sg *signals) deadly() *Fault {
	for n := int64(1); n < nSignals; n++ {
		if sg.pending>>(n-1)&1 != 0 && (n == sigKILL || sg.blocked>>(n-1)&1 == 0) && sg.actions[n].handler == sigDFL && !quiet[n] && !stopping[n] {
			return sg.deliver(sg.m.pc)
		}
	}
	return nil
}

// passTime lets time pass until a thread of some process goes on, or a real program has done something.
func (ps *processes) passTime() *Fault {
	m := ps.m
	next := int64(0)
	sooner := func(at int64) {
		if at > 0 && (next == 0 || at < next) {
			next = at
		}
	}
	for _, p := range ps.list {
		if p.state != alive || p.stopped || p.program != nil {
			continue
		}
		x := m.one(p)
		sooner(x.lib.signals.nextDue())
		for _, t := range x.th.list {
			if t.state == waiting {
				sooner(t.until)
			}
		}
	}
	switch {
	case len(ps.running) > 0 || len(ps.outs) > 0:
		patience := int64(forever)
		if next > 0 {
			patience = max(next-m.nanos(), 1)
		}
		before := ps.happened
		if f := ps.pump(patience); f != nil || ps.happened > before || next == 0 {
			return f
		}
	case ps.endsAny():
		return nil
	case next == 0:
		return ps.stuck()
	}
	m.slept += max(next-m.nanos(), 0)
	for _, p := range ps.list {
		if x := m.one(p); p.state == alive && x.lib.signals.nextDue() > 0 && x.lib.signals.nextDue() <= m.nanos() {
			x.slept, x.steps = m.slept, m.steps
			x.lib.signals.expire()
			x.rouse()
		}
	}
	return nil
}

// endsAny reports whether some process can go on after all, or all have ended: next may have ended some.
func (ps *processes) endsAny() bool {
	for _, p := range ps.list {
		if p.state == alive && !p.stopped && p.program == nil && ps.firstReady(p) != nil {
			return true
		}
	}
	return !slices.ContainsFunc(ps.list, func(p *process) bool { return p.state <= ending })
}

// rouse lets a thread of a process go on that waits, for a signal that is pending.
func (m *Machine) rouse() {
	for _, t := range m.th.list {
		mask := t.masked
		if t == m.th.cur {
			mask = m.lib.signals.blocked
		}
		if t.state == waiting && (t.on == signalKey || m.lib.signals.pending&^mask != 0) && t.on&^0xffff != vforkKey {
			t.state = ready
		}
	}
}

// wakeAll lets the threads of all processes go on that wait for something.
func (m *Machine) wakeAll(on ctype.Word) {
	if m.procs == nil {
		m.th.wakeOwn(on)
		return
	}
	for _, p := range m.procs.list {
		if p.state == alive && p.program == nil {
			m.one(p).th.wakeOwn(on)
		}
	}
}

// name is what messages call a process.
func (ps *processes) name(p *process) string {
	if p.number == 1 {
		return "process 1, the program's first one,"
	}
	return sprintf("process %d, which was made at %s,", p.number, ps.m.where(p.made))
}

// stuck is the fault of processes of which none can go on.
func (ps *processes) stuck() *Fault {
	m := ps.m
	var parts []string
	var at int32
	for _, p := range ps.list {
		switch {
		case p.state == ending:
			parts = append(parts, ps.name(p)+" has exited and waits for something to be read from the pipe that it has printed to, which is full")
		case p.state != alive:
		case p.stopped:
			parts = append(parts, ps.name(p)+" was stopped by a signal")
		default:
			for _, t := range m.one(p).th.list {
				if t.state != waiting {
					continue
				}
				if at == 0 {
					at = t.at
				}
				who := ps.name(p)
				if m.one(p).several() {
					who = sprintf("thread %d of %s", t.number, who)
				}
				parts = append(parts, sprintf("%s waits for %s at %s", who, t.why, m.where(t.at)))
			}
		}
	}
	what := "no process can go on"
	if ps.first().state > ending {
		what = "the first process has ended, and no other one can go on"
	}
	f := m.fault(Deadlock, 0, "%s: %s", what, strings.Join(parts, "; "))
	f.Stmt, f.Pos = at, m.position(at)
	return f
}

// ended decides how the run goes on when the present process has stopped with a fault, or with none: over is that the
// run stops, too.
func (ps *processes) ended(f *Fault) (fault *Fault, over bool) {
	m := ps.m
	p := ps.cur
	switch {
	case f == errStop:
		ps.stopPrograms()
		return nil, true
	case f == nil && !m.exited:
		ps.resume = p
		ps.become(ps.first())
		return nil, true
	case f == nil:
		ps.end(p, m.status<<8)
	case f.Kind == NeedInput:
		ps.resume = p
		ps.become(ps.first())
		return f, true
	case p.number > 1 && (f.Kind == Signalled || f.Kind == Aborted || f.Kind == AssertFailed):
		m.lib.stdio.forget()
		m.exited = true
		ps.end(p, f.Signal())
	default:
		if p.number > 1 && f.Kind != Interrupted && f.Kind != Deadlock {
			f.Message = "in " + ps.name(p) + " " + f.Message
		}
		ps.stopPrograms()
		ps.become(ps.first())
		return f, true
	}
	if f = ps.schedule(); f == nil {
		return nil, false
	}
	return ps.ended(f)
}

// breakOff interrupts a call that waits, as signals are pending. After their handlers the call returns with EINTR or is
// made again.
func (m *Machine) breakOff(c *libCall) (ctype.Word, *Fault) {
	t := m.th.cur
	locks := strings.HasPrefix(c.name, "pthread_") || strings.HasPrefix(c.name, "sem_") || strings.HasPrefix(c.name, "mtx_") || strings.HasPrefix(c.name, "cnd_")
	if locks || !neverRestarts[c.name] && m.lib.signals.restarts() {
		c.entered, m.moved = true, true
		return 0, m.lib.signals.deliver(m.pc)
	}
	left := max(t.until-m.nanos(), 0)
	t.inside, t.late, t.poured = false, false, 0
	switch c.name {
	case "sleep", "usleep", "nanosleep", "clock_nanosleep", "thrd_sleep":
		return m.lib.signals.sleepEnds(c, left)
	}
	m.set(errINTR)
	v := ^ctype.Word(0)
	if c.name == "fgets" || c.name == "fread" {
		v = 0
	}
	return m.lib.signals.interrupted(c, v)
}

// neverRestarts are the functions that a signal ends even if its action has SA_RESTART.
var neverRestarts = map[string]bool{
	"sleep": true, "usleep": true, "nanosleep": true, "clock_nanosleep": true, "thrd_sleep": true,
	"sigtimedwait": true, "sigwaitinfo": true, "poll": true, "ppoll": true, "select": true, "pselect": true, "epoll_wait": true, "epoll_pwait": true,
}

// savedProcesses is what a saved state has of processes.
type savedProcesses struct {
	processes
	metas  []process
	states []*State // nil for the present one
	resume int      // number of the process that goes on; 0 for none
}

// saved copies processes.
func (ps *processes) saved(m *Machine, c *copying) *savedProcesses {
	if ps == nil {
		return nil
	}
	s := &savedProcesses{processes: processes{slice: ps.slice, made: ps.made}}
	for _, p := range ps.list {
		meta := *p
		meta.own = Machine{}
		var state *State
		if p != ps.cur && p.state <= ending {
			state = p.own.saveOne(c)
		}
		s.metas, s.states = append(s.metas, meta), append(s.states, state)
		if p == ps.cur {
			s.cur = &s.metas[len(s.metas)-1]
		}
		if p == ps.resume {
			s.resume = p.number
		}
	}
	return s
}

// restored brings saved processes back; the machine is the present one already.
func (s *savedProcesses) restored(m *Machine, c *copying) *processes {
	if s == nil {
		return nil
	}
	ps := &processes{m: m, slice: s.slice, made: s.made}
	for i := range s.metas {
		p := s.metas[i]
		if st := s.states[i]; st != nil {
			p.own.lib, p.own.cfg = &library{stdio: stdio{in: m.lib.stdio.in}}, st.m.cfg
			p.own.restoreOne(st, c)
			p.own.lib.m, p.own.procs, p.own.globals = m, ps, slices.Clone(st.m.globals)
			if p.own.th != nil {
				p.own.ownGlobals(p.own.th.cur)
			}
		}
		ps.list = append(ps.list, &p)
		if s.cur.number == p.number {
			ps.cur = &p
		}
		if s.resume == p.number {
			ps.resume = &p
		}
	}
	return ps
}

// threads are the threads of the process that has a library.
func (l *library) threads(m *Machine) []*thread {
	if m.procs == nil {
		return m.th.list
	}
	for _, p := range m.procs.list {
		if x := m.one(p); x.lib == l {
			return x.th.list
		}
	}
	return nil
}
