package machine

import (
	"maps"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file is threads. One of them runs at a time. Another one goes on when that one waits or ends,
// or after a number of instructions, at the next jump or call of the library. So runs are repeatable,
// and what happens between two such points is atomic. The thread that goes on is always the next one,
// in the order of their creation, that can.
//
// A library function that has to wait is called again when its thread goes on.

// sliceSteps is how many instructions a thread executes at least, and less than twice as many,
// before another one goes on. The number varies, as a loop might otherwise always be left at one place.
const sliceSteps = 1000

// nextSlice gives the present thread its time.
func (m *control) nextSlice() {
	th := m.th
	th.seed = th.seed*1664525 + 1013904223
	th.slice = m.steps + sliceSteps + int64(th.seed>>16)%sliceSteps
}

// maxThreads bounds the threads of a run.
const maxThreads = 1 << 14

// threads are the threads of a program that has made one.
type threads struct {
	m       *Machine
	list    []*thread // by number, from 1
	cur     *thread
	seed    uint32
	slice   int64 // instructions at which another one goes on
	lastKey int
	keys    map[int]ctype.Word // destructors of thread-specific values
	order   map[uint64]clock   // by address of an object that was released: what happened before
	shadow  map[uint32]*shadow
	failed  *Fault // of a thread's end
}

// condition says whether a thread can go on.
type condition uint8

const (
	ready   condition = iota
	waiting           // until another one wakes it
	over
)

// thread is what a thread has of its own. Of the one that runs, the machine has what park keeps.
type thread struct {
	number int
	state  condition
	call   string     // waiting: in which function
	why    string     // waiting: for what
	on     ctype.Word // and its address
	at     int32      // the statement
	until  int64      // waiting: at this time, in nanoseconds, it goes on in any case; 0 for none
	queued int64      // pthread_cond_wait: its place among those that wait
	woken  bool       // and it has been signalled
	late   bool       // until has come
	inside bool       // the call that waits has begun
	kept   ctype.Word // sigsuspend: the signals that were blocked
	child  int        // system, pclose: the process that is waited for; 0 for none
	poured int        // how much of what it writes is in the pipe

	routine
	others        map[int]*routine // that it has left, by number
	made          int              // how many routines makecontext has made it
	errno, locale ctype.Word       // of uselocale
	masked        ctype.Word       // signals
	own           []uint32         // blocks of its own copies of globals, in the order of perThread

	pid   int  // the process of clone that it is; 0 for none
	quiet bool // and whose end no signal tells

	result           ctype.Word
	detached, joined bool
	joiner           int                // the thread that waits for its end; 0 for none
	values           map[int]ctype.Word // thread-specific ones, by key
	destroyed        int                // how many of them
	clock            clock
	leaving
}

// routine is calls that are active: those of a thread, or of a context of makecontext that it runs instead.
type routine struct {
	number          int // 0 for the thread's own
	frames          []frame
	regs            []ctype.Word
	origin, numbers []int32 // of tracer
	fn              *code
	pc              int
	stmt            int32
	low             int
	link            ctype.Word // the context that follows, an address; 0 for none
}

func (r *routine) clone() routine {
	u := *r
	u.frames = copyFrames(nil, r.frames)
	u.regs = slices.Clone(r.regs)
	u.origin, u.numbers = slices.Clone(r.origin), slices.Clone(r.numbers)
	return u
}

// runsThreads reports whether a program calls what makes threads.
func (m *loaded) runsThreads() bool {
	for _, f := range m.prog.IR.Funcs {
		if f.Blocks != nil {
			continue
		}
		switch f.Name {
		case "pthread_create", "thrd_create", "makecontext", "__gulo_clone_thread":
			return true
		}
	}
	return false
}

// several reports whether a second thread has been made.
func (m *control) several() bool { return m.th != nil && len(m.th.list) > 1 }

// threading returns the threads; the first call makes main's one of them.
func (m *Machine) threading() *threads {
	if m.th == nil {
		main := &thread{number: 1, errno: m.lib.errno, values: map[int]ctype.Word{}, clock: clock{0, 1}}
		for _, i := range m.perThread() {
			main.own = append(main.own, m.globals[i])
		}
		m.th = &threads{m: m, list: []*thread{main}, cur: main, order: map[uint64]clock{}, shadow: map[uint32]*shadow{}}
	}
	return m.th
}

// perThread returns the indexes of the globals that each thread has its own copy of.
func (m *loaded) perThread() []int {
	var out []int
	for i := range m.prog.IR.Globals {
		if v, ok := m.prog.IR.Globals[i].Var.(*cfront.Var); ok && v != nil && v.PerThread {
			out = append(out, i)
		}
	}
	return out
}

// newThread makes a thread that will call a function.
func (m *Machine) newThread(fn *code, arg ctype.Word) (*thread, *Fault) {
	th := m.threading()
	now := th.cur
	t := &thread{number: len(th.list) + 1, values: map[int]ctype.Word{}, masked: m.lib.signals.blocked}
	for _, i := range m.perThread() {
		b := m.newBlock(Global, m.prog.IR.Globals[i].Size)
		b.Name, b.Obj = m.prog.IR.Globals[i].Name, m.prog.IR.Globals[i].Type
		m.initGlobal(b, i)
		t.own = append(t.own, b.ID)
	}
	e := m.newBlock(Global, 4)
	e.Name = "errno"
	t.errno = ctype.MakePointer(e.ID, 0)
	m.th.park()
	m.th.unpark(t)
	f := m.push(fn, []ctype.Word{arg}, -1, 0)
	m.th.park()
	m.th.unpark(now)
	if f != nil {
		return nil, f
	}
	t.clock = now.clock.with(t.number, 1)
	now.clock = now.clock.with(now.number, now.clock.of(now.number)+1)
	th.list = append(th.list, t)
	return t, nil
}

// activeFrames calls yield for the active calls of all threads.
func (m *control) activeFrames(yield func(*frame) bool) {
	for i := range m.frames {
		if !yield(&m.frames[i]) {
			return
		}
	}
	if m.th == nil {
		return
	}
	for _, t := range m.th.list {
		for i := range t.frames {
			if t != m.th.cur && !yield(&t.frames[i]) {
				return
			}
		}
		for _, r := range t.others {
			for i := range r.frames {
				if !yield(&r.frames[i]) {
					return
				}
			}
		}
	}
}

// park moves what the machine has of the running thread into its thread.
func (th *threads) park() {
	m := th.m
	t := th.cur
	t.frames, t.regs, t.fn, t.pc, t.stmt, t.low = m.frames, m.regs, m.fn, m.pc, m.stmtID, m.low
	t.masked, t.locale = m.lib.signals.blocked, m.lib.locale
	if m.tr != nil {
		t.origin = m.tr.regs
		if m.tr.nums != nil {
			t.numbers = m.tr.nums.regs
		}
	}
}

// unpark makes t the thread that runs, and gives the machine what it has.
func (th *threads) unpark(t *thread) {
	m := th.m
	m.frames, m.regs, m.fn, m.pc, m.stmtID, m.low = t.frames, t.regs, t.fn, t.pc, t.stmt, t.low
	m.lib.signals.blocked, m.lib.errno, m.lib.locale = t.masked, t.errno, t.locale
	if m.tr != nil {
		m.tr.regs = t.origin
		if m.tr.nums != nil {
			m.tr.nums.regs = t.numbers
			m.tr.numberRegisters(len(m.regs))
		}
	}
	m.ownGlobals(t)
	th.cur = t
	m.nextSlice()
	m.moved = true
}

// ownGlobals makes the globals that each thread has its own copy of those of t.
func (m *Machine) ownGlobals(t *thread) {
	if len(t.own) == 0 {
		return
	}
	for k, i := range m.perThread() {
		m.globals[i] = t.own[k]
	}
}

// nanos is the time of the program: what it has executed, and what it has slept.
func (m *control) nanos() int64 { return m.steps*10 + m.slept }

// schedule lets the next thread go on that can; the present one may be it.
func (th *threads) schedule() *Fault {
	m := th.m
	if m.procs != nil {
		return m.procs.schedule()
	}

	for {
		var first *thread
		n := len(th.list)
		for i := range n {
			t := th.list[(th.cur.number+i)%n]
			if t.state == waiting && t.until > 0 && t.until <= m.nanos() {
				t.state, t.late = ready, true
			}
			if t.state == ready {
				if t != th.cur {
					th.park()
					th.unpark(t)
				}
				m.nextSlice()
				return nil
			}
			if t.state == waiting && t.until > 0 && (first == nil || t.until < first.until) {
				first = t
			}
		}
		if first == nil {
			return th.deadlock()
		}
		m.slept += first.until - m.nanos()
	}
}

// preempt lets another thread go on when the present one has had its time.
func (m *Machine) preempt() *Fault {
	turn := m.several() && m.steps >= m.th.slice || m.procs.several() && m.steps >= m.procs.slice
	if !turn {
		return nil
	}
	if m.exitW != 0 && !m.procs.several() { // what runs at the end of the program
		m.nextSlice()
		return nil
	}
	return m.th.schedule()
}

// deadlock returns the fault of a program in which all threads wait.
func (th *threads) deadlock() *Fault {
	m := th.m
	var parts []string
	for _, t := range th.list {
		if t.state != waiting {
			continue
		}
		s := sprintf("thread %d waits for %s at %s", t.number, t.why, m.where(t.at))
		if owner, ok := ownerOf(m, t); ok {
			s += sprintf(", which thread %d holds", owner)
		}
		parts = append(parts, s)
	}
	f := m.fault(Deadlock, 0, "no thread can go on: %s", strings.Join(parts, "; "))
	for _, t := range th.list {
		if t.state == waiting {
			f.Stmt, f.Pos = t.at, m.position(t.at)
			if t.fn != nil && t != th.cur {
				f.Func = t.fn.name
			}
			break
		}
	}
	return f
}

// wait makes the present thread wait in a library function, which is called again when it goes on.
func (m *Machine) wait(c *libCall, why string, on ctype.Word, until int64) (ctype.Word, *Fault) {
	t := m.threading().cur
	if m.procs != nil && m.lib.signals.interrupts() {
		return m.breakOff(c)
	}
	t.state, t.why, t.on, t.until, t.late, t.at, t.call = waiting, why, on, until, false, m.at(), c.name
	c.entered, m.moved = true, true
	return 0, m.th.schedule()
}

// wake lets the threads go on that wait for something at an address.
func (m *Machine) wake(on ctype.Word) {
	if m.procs.several() && m.lib.mappings.shared() { // others may wait at the same address
		m.wakeAll(on)
		return
	}
	m.th.wakeOwn(on)
}

// wakeOwn is wake for the threads of the present process.
func (th *threads) wakeOwn(on ctype.Word) {
	if th == nil {
		return
	}
	for _, t := range th.list {
		if t.state == waiting && t.on == on {
			t.state = ready
		}
	}
}

// returns lets a library call return v at once, so that what it has changed of the threads counts
// for the next instruction.
func (m *recording) returns(c *libCall, v ctype.Word) {
	if c.dst >= 0 {
		base := m.frames[len(m.frames)-1].base
		m.regs[base+int(c.dst)] = v
		if m.tr != nil {
			m.tr.regs[base+int(c.dst)] = 0
		}
	}
	m.pc++
	c.entered, m.moved = true, true
}

// endThread ends the present thread, of which no call is active any more, when the last of its
// values has been given to its destructor. It reports whether that is the end of the program.
func (th *threads) endThread(v ctype.Word) bool {
	m := th.m
	t := th.cur
	if t.state != over {
		if !t.inside {
			t.inside, t.result = true, v
		}
		if th.destroyValues(t) {
			return false
		}
		t.state = over
		t.clock = t.clock.with(t.number, t.clock.of(t.number)+1)
		if t.joiner != 0 {
			th.list[t.joiner-1].state = ready
		}
	}
	if !slices.ContainsFunc(th.list, func(t *thread) bool { return t.state != over }) {
		t.state, m.exitW = ready, 1<<63
		return m.finish(0)
	}
	th.failed = th.schedule()
	return false
}

// cloned copies threads for a saved state. What was accessed before is left out: a race is found
// where both accesses come after the state.
func (th *threads) cloned() *threads {
	if th == nil {
		return nil
	}
	c := *th
	c.list = make([]*thread, len(th.list))
	c.shadow = map[uint32]*shadow{}
	c.order = maps.Clone(th.order)
	for i, t := range th.list {
		u := *t
		u.routine = t.clone()
		u.others = maps.Clone(t.others)
		for n, r := range u.others {
			x := r.clone()
			u.others[n] = &x
		}
		u.values = maps.Clone(t.values)
		c.list[i] = &u
		if t == th.cur {
			c.cur = &u
		}
	}
	return &c
}

// Thread is the number of the thread that runs; main's is 1.
func (m *control) Thread() int {
	if m.th == nil {
		return 1
	}
	return m.th.cur.number
}

// Threads are the numbers of the threads that have not ended, in order.
func (m *control) Threads() []int {
	if m.th == nil {
		return []int{1}
	}
	var out []int
	for _, t := range m.th.list {
		if t.state != over {
			out = append(out, t.number)
		}
	}
	return out
}

// Alive reports whether a thread has not ended.
func (m *control) Alive(n int) bool { return slices.Contains(m.Threads(), n) }

// SwitchTo makes a thread that has not ended the one that goes on. If it waits, it does so again.
func (m *Machine) SwitchTo(n int) {
	if n == m.Thread() {
		return
	}
	m.th.park()
	m.th.unpark(m.th.list[n-1])
	m.moved = false
	if m.th.cur.state == waiting {
		m.th.cur.state = ready
	}
}

// Within calls f while a thread that has not ended is the one that goes on.
func (m *Machine) Within(n int, f func()) {
	if n == m.Thread() {
		f()
		return
	}
	now, slice := m.th.cur, m.th.slice
	m.th.park()
	m.th.unpark(m.th.list[n-1])
	f()
	m.th.park()
	m.th.unpark(now)
	m.moved, m.th.slice = false, slice
}

// Begun reports whether the present thread has begun a statement.
func (m *control) Begun() bool { return m.stmtID != 0 || len(m.frames) > 1 }
