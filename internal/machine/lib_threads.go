package machine

import (
	"maps"
	"slices"
	"strings"

	"gulo/internal/ctype"
)

// This file is pthread.h, semaphore.h and threads.h on top of the scheduler. The state of a mutex
// or a semaphore lies in the program's memory, in a layout of our own; who waits for it is noted
// in the threads.

func init() {
	register(map[string]builtin{
		"pthread_create": libThreadCreate, "thrd_create": libThreadCreate, "pthread_join": libThreadJoin, "thrd_join": libThreadJoin,
		"pthread_timedjoin_np": libThreadJoin, "pthread_clockjoin_np": libThreadJoin, "pthread_tryjoin_np": libThreadJoin,
		"pthread_detach": libThreadDetach, "thrd_detach": libThreadDetach,
		"pthread_self": libThreadSelf, "thrd_current": libThreadSelf, "pthread_equal": libThreadEqual, "thrd_equal": libThreadEqual,
		"sched_yield": libYield, "pthread_yield": libYield, "thrd_yield": libYield,
		"sleep": libSleep(1e9), "usleep": libSleep(1e3), "nanosleep": libNanosleep, "thrd_sleep": libNanosleep, "clock_nanosleep": libNanosleep,

		"pthread_mutex_init": libMutexInit, "mtx_init": libMutexInit, "pthread_mutex_lock": libMutexLock, "mtx_lock": libMutexLock,
		"pthread_mutex_timedlock": libMutexLock, "mtx_timedlock": libMutexLock, "pthread_mutex_clocklock": libMutexLock,
		"pthread_mutex_trylock": libMutexTry, "mtx_trylock": libMutexTry, "pthread_mutex_unlock": libMutexUnlock, "mtx_unlock": libMutexUnlock,
		"pthread_mutex_destroy": libMutexDestroy, "mtx_destroy": libMutexDestroy,
		"pthread_spin_init": libSpinInit, "pthread_spin_lock": libMutexLock, "pthread_spin_trylock": libMutexTry, "pthread_spin_unlock": libMutexUnlock, "pthread_spin_destroy": constant(0),

		"pthread_cond_init": libCondInit, "cnd_init": libCondInit, "pthread_cond_destroy": constant(0), "cnd_destroy": constant(0),
		"pthread_cond_wait": libCondWait, "cnd_wait": libCondWait, "pthread_cond_timedwait": libCondWait, "pthread_cond_clockwait": libCondWait, "cnd_timedwait": libCondWait,
		"pthread_cond_signal": libCondSignal(1), "cnd_signal": libCondSignal(1), "pthread_cond_broadcast": libCondSignal(maxThreads), "cnd_broadcast": libCondSignal(maxThreads),

		"__gulo_once_begin": libOnceBegin, "__gulo_once_end": libOnceEnd,
		"pthread_key_create": libKeyCreate, "tss_create": libKeyCreate, "pthread_key_delete": libKeyDelete, "tss_delete": libKeyDelete,
		"pthread_setspecific": libKeySet, "tss_set": libKeySet, "pthread_getspecific": libKeyGet, "tss_get": libKeyGet,
	})
}

const (
	errDEADLK   = 35
	errPERM     = 1
	errSRCH     = 3
	errBUSY     = 16
	errTIMEDOUT = 110
)

// result is what a function returns for an error: those of threads.h have codes of their own.
func (c *libCall) result(e ctype.Word) ctype.Word {
	if strings.HasPrefix(c.name, "pthread_") || e == 0 {
		return e
	}
	switch e {
	case errBUSY:
		return 1 // thrd_busy
	case errTIMEDOUT:
		return 4
	}
	return 2 // thrd_error
}

// lockWord reads an int of a lock, which is no access of the program's.
func (m *memory) lockWord(w ctype.Word) (int32, *Fault) {
	b, off, f := m.reach(w, 4, false)
	if f != nil {
		return 0, f
	}
	if !b.initialized(off, 4) && !m.cfg.UninitOK {
		return 0, m.badLoad(w, 4)
	}
	return int32(ctype.Load(ctype.IntT, b.Data[off:])), nil
}

func (m *memory) setLockWord(w ctype.Word, v int32) *Fault {
	b, off, f := m.reach(w, 4, true)
	if f != nil {
		return f
	}
	ctype.Store(ctype.IntT, b.Data[off:], ctype.Word(int64(v)))
	b.markInit(off, 4)
	return nil
}

// clearLock sets the n bytes of a lock to zero.
func (m *memory) clearLock(w ctype.Word, n int64) *Fault {
	b, off, f := m.reach(w, n, true)
	if f != nil {
		return f
	}
	clear(b.Data[off : off+n])
	b.markInit(off, n)
	return nil
}

func libThreadCreate(m *Machine, c *libCall) (ctype.Word, *Fault) {
	start, arg := c.arg(2), c.arg(3)
	detached := false
	if c.name == "thrd_create" {
		start, arg = c.arg(1), c.arg(2)
	} else if c.arg(1) != 0 {
		n, f := m.lockWord(c.arg(1))
		if f != nil {
			return 0, f
		}
		detached = n == 1
	}
	id, off := ctype.SplitPointer(start)
	i, ok := m.fnOf[id]
	if !ok || off != 0 || m.funcs[i].code == nil {
		return 0, m.fault(BadLibraryCall, start, "%s of something that is no function of the program", c.name)
	}
	if len(m.threading().list) >= maxThreads {
		return 0, m.fault(LimitFault, 0, "more than %d threads", maxThreads)
	}
	t, f := m.newThread(m.funcs[i], arg)
	if f != nil {
		return 0, f
	}
	t.detached = detached
	if f := m.store(c.arg(0), ctype.ULongT, ctype.Word(t.number)); f != nil {
		return 0, f
	}
	m.returns(c, 0)
	return 0, nil
}

// threadOf is the thread that a pthread_t names.
func threadOf(m *Machine, c *libCall) (*thread, *Fault) {
	n := c.arg(0)
	th := m.threading()
	if n == 0 || n > ctype.Word(len(th.list)) {
		return nil, m.fault(BadLibraryCall, 0, "%s of %d, which is no thread", c.name, n)
	}
	if t := th.list[n-1]; !t.joined {
		return t, nil
	}
	return nil, m.fault(BadLibraryCall, 0, "%s of thread %d, which has been joined", c.name, n)
}

func libThreadJoin(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t, f := threadOf(m, c)
	if f != nil {
		return 0, f
	}
	cur := m.th.cur
	switch {
	case t == cur:
		return c.result(errDEADLK), nil
	case t.detached || t.joiner != 0 && t.joiner != cur.number:
		return c.result(errINVAL), nil
	case t.state != over && (c.name == "pthread_tryjoin_np" || cur.late):
		if t.joiner = 0; cur.late {
			cur.late = false
			return errTIMEDOUT, nil
		}
		return errBUSY, nil
	case t.state != over:
		until := int64(0)
		if c.name == "pthread_timedjoin_np" || c.name == "pthread_clockjoin_np" {
			if until, f = waitUntil(m, c, 2); f != nil {
				return 0, f
			}
		}
		t.joiner = cur.number
		return m.wait(c, sprintf("the end of thread %d", t.number), 0, until)
	}
	cur.clock = cur.clock.joined(t.clock)
	if to := c.arg(1); to != 0 {
		size := ctype.ULongT
		if c.name == "thrd_join" {
			size = ctype.IntT
		}
		if f := m.store(to, size, t.result); f != nil {
			return 0, f
		}
	}
	t.joined = true
	return 0, nil
}

func libThreadDetach(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t, f := threadOf(m, c)
	if f != nil {
		return 0, f
	}
	if t.detached {
		return c.result(errINVAL), nil
	}
	t.detached = true
	return 0, nil
}

func libThreadSelf(m *Machine, c *libCall) (ctype.Word, *Fault) { return ctype.Word(m.Thread()), nil }

func libThreadEqual(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return b2w(c.arg(0) == c.arg(1)), nil
}

func libYield(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if !m.several() && !m.procs.several() {
		return 0, nil
	}
	if m.procs != nil {
		m.procs.slice = m.steps
	}
	m.returns(c, 0)
	return 0, m.th.schedule()
}

// sleepFor lets the present thread go on after some time.
func sleepFor(m *Machine, c *libCall, nanos int64) (ctype.Word, *Fault) {
	if !m.several() && m.procs == nil {
		return m.lib.signals.sleepAlone(c, nanos)
	}
	t := m.th.cur
	const why = "some time to pass"
	if t.inside && t.late {
		t.inside, t.late = false, false
		return 0, nil
	}
	if t.inside {
		return m.wait(c, why, 0, t.until)
	}
	t.inside = true
	return m.wait(c, why, 0, m.nanos()+max(nanos, 1))
}

func libSleep(unit int64) builtin {
	return func(m *Machine, c *libCall) (ctype.Word, *Fault) { return sleepFor(m, c, int64(uint32(c.arg(0)))*unit) }
}

func libNanosleep(m *Machine, c *libCall) (ctype.Word, *Fault) {
	at, absolute := c.arg(0), false
	if c.name == "clock_nanosleep" {
		at, absolute = c.arg(2), c.int(1) != 0
	}
	n, f := m.timespec(at)
	if f != nil {
		return 0, f
	}
	if absolute {
		if n -= m.nanos(); c.int(0) == 0 {
			n -= firstSecond * 1e9
		}
	}
	return sleepFor(m, c, n)
}

// timespec reads a time in nanoseconds.
func (m *memory) timespec(w ctype.Word) (int64, *Fault) {
	s, f := m.load(w, ctype.LongT)
	if f != nil {
		return 0, f
	}
	n, f := m.load(w+8, ctype.LongT)
	return int64(s)*1e9 + int64(n), f
}

// deadline reads when a call of a clock is to end, as nanos tells the time.
func (m *memory) deadline(at ctype.Word, clock int64) (int64, *Fault) {
	n, f := m.timespec(at)
	if clock == 0 { // CLOCK_REALTIME
		n -= firstSecond * 1e9
	}
	return max(n, 1), f
}

// waitUntil is the deadline that a call has as argument i, or behind the clock that is argument i.
func waitUntil(m *Machine, c *libCall, i int) (int64, *Fault) {
	if strings.Contains(c.name, "clock") {
		return m.deadline(c.arg(i+1), c.int(i))
	}
	return m.deadline(c.arg(i), 0)
}

// untilOf is the deadline of a wait for a condition, whose own clock counts; 0 for none.
func untilOf(m *Machine, c *libCall) (int64, *Fault) {
	switch {
	case strings.HasSuffix(c.name, "clockwait"):
		return waitUntil(m, c, 2)
	case !strings.HasSuffix(c.name, "timedwait"):
		return 0, nil
	}
	clock, f := m.lockWord(c.arg(0) + condClock)
	if f != nil {
		return 0, f
	}
	return m.deadline(c.arg(2), int64(clock))
}

// A mutex: how often it is held, by which thread, of which kind. A spin lock has the first two
// in its one word.
const (
	mutexCount = 4
	mutexOwner = 8
	mutexKind  = 16
	mutexSize  = 40

	kindRecursive = 1
	kindChecking  = 2
)

type mutex struct {
	at                 ctype.Word
	count, owner, kind int32
	spin               bool
}

func mutexAt(m *Machine, c *libCall, at ctype.Word) (x mutex, f *Fault) {
	x.at = at
	if x.spin = strings.Contains(c.name, "_spin_"); x.spin {
		x.owner, f = m.lockWord(at)
		x.count = min(x.owner, 1)
		return x, f
	}
	if x.count, f = m.lockWord(at + mutexCount); f == nil {
		x.owner, f = m.lockWord(at + mutexOwner)
	}
	if f == nil {
		x.kind, f = m.lockWord(at + mutexKind)
	}
	x.kind &= 3
	return x, f
}

func (x *mutex) set(m *Machine, count, owner int32) *Fault {
	if x.spin {
		return m.setLockWord(x.at, owner)
	}
	if f := m.setLockWord(x.at, min(count, 1)); f != nil {
		return f
	}
	if f := m.setLockWord(x.at+mutexCount, count); f != nil {
		return f
	}
	return m.setLockWord(x.at+mutexOwner, owner)
}

// ownerOf is the thread that holds the mutex for which a thread waits.
func ownerOf(m *Machine, t *thread) (int32, bool) {
	if t.why != waitsForMutex {
		return 0, false
	}
	n, f := m.lockWord(t.on + mutexOwner)
	return n, f == nil && n != 0
}

const waitsForMutex = "a mutex"

func libMutexInit(m *Machine, c *libCall) (ctype.Word, *Fault) {
	kind := int32(0)
	if c.name == "mtx_init" {
		kind = int32(c.int(1)) & kindRecursive
	} else if c.arg(1) != 0 {
		k, f := m.lockWord(c.arg(1))
		if f != nil {
			return 0, f
		}
		kind = k & 3
	}
	if f := m.clearLock(c.arg(0), mutexSize); f != nil {
		return 0, f
	}
	return 0, m.setLockWord(c.arg(0)+mutexKind, kind)
}

func libSpinInit(m *Machine, c *libCall) (ctype.Word, *Fault) { return 0, m.setLockWord(c.arg(0), 0) }

// take gives a mutex to the present thread if it may have it, and returns 0, else an errno.
func (x *mutex) take(m *Machine) (ctype.Word, *Fault) {
	me := int32(m.Thread())
	switch {
	case x.count == 0:
	case x.owner == me && x.kind == kindRecursive:
	case x.owner == me && x.kind == kindChecking:
		return errDEADLK, nil
	default:
		return errBUSY, nil
	}
	if m.several() {
		m.th.acquire(x.at)
	}
	return 0, x.set(m, x.count+1, me)
}

func libMutexLock(m *Machine, c *libCall) (ctype.Word, *Fault) {
	x, f := mutexAt(m, c, c.arg(0))
	if f != nil {
		return 0, f
	}
	e, f := x.take(m)
	if f != nil || e != errBUSY {
		return c.result(e), f
	}
	until := int64(0)
	if strings.HasSuffix(c.name, "timedlock") || strings.HasSuffix(c.name, "clocklock") {
		t := m.threading().cur
		if t.late {
			t.late = false
			return c.result(errTIMEDOUT), nil
		}
		if until, f = waitUntil(m, c, 1); f != nil {
			return 0, f
		}
	}
	if x.spin {
		return m.wait(c, "a spin lock", x.at, 0)
	}
	return m.wait(c, waitsForMutex, x.at, until)
}

func libMutexTry(m *Machine, c *libCall) (ctype.Word, *Fault) {
	x, f := mutexAt(m, c, c.arg(0))
	if f != nil {
		return 0, f
	}
	e, f := x.take(m)
	if e == errDEADLK {
		e = errBUSY
	}
	return c.result(e), f
}

func libMutexUnlock(m *Machine, c *libCall) (ctype.Word, *Fault) {
	x, f := mutexAt(m, c, c.arg(0))
	if f != nil {
		return 0, f
	}
	return c.unlock(m, &x)
}

func (c *libCall) unlock(m *Machine, x *mutex) (ctype.Word, *Fault) {
	if (x.count == 0 || x.owner != int32(m.Thread())) && x.kind != 0 {
		return c.result(errPERM), nil
	}
	if x.count == 0 {
		return 0, nil // undefined; glibc says nothing
	}
	if m.several() && x.owner != int32(m.Thread()) && !x.spin {
		return 0, m.fault(BadLibraryCall, x.at, "%s of a mutex that thread %d holds", c.name, x.owner)
	}
	if x.count > 1 {
		return 0, x.set(m, x.count-1, x.owner)
	}
	if m.several() {
		m.th.release(x.at)
		m.wake(x.at)
	}
	return 0, x.set(m, 0, 0)
}

func libMutexDestroy(m *Machine, c *libCall) (ctype.Word, *Fault) {
	x, f := mutexAt(m, c, c.arg(0))
	if x.count > 0 {
		return c.result(errBUSY), f
	}
	return 0, f
}

// condClock is where a condition has the clock that waits on it end by; a pthread_condattr_t is that number.
const condClock = 40

func libCondInit(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if f := m.clearLock(c.arg(0), 48); f != nil || c.name != "pthread_cond_init" || c.arg(1) == 0 {
		return 0, f
	}
	clock, f := m.lockWord(c.arg(1))
	if f != nil {
		return 0, f
	}
	return 0, m.setLockWord(c.arg(0)+condClock, clock)
}

// libCondWait is called again whenever its thread goes on. The first call releases the mutex and
// waits to be signalled, later ones wait for the mutex.
func libCondWait(m *Machine, c *libCall) (ctype.Word, *Fault) {
	x, f := mutexAt(m, c, c.arg(1))
	if f != nil {
		return 0, f
	}
	t := m.threading().cur
	if !t.inside {
		if x.count == 0 || x.owner != int32(t.number) {
			return 0, m.fault(BadLibraryCall, x.at, "%s with a mutex that thread %d does not hold", c.name, t.number)
		}
		until := int64(0)
		if until, f = untilOf(m, c); f != nil {
			return 0, f
		}
		if _, f = c.unlock(m, &x); f != nil {
			return 0, f
		}
		t.inside, t.woken, t.queued = true, false, m.steps
		return m.wait(c, "a condition", c.arg(0), until)
	}
	if !t.woken && !t.late {
		return m.wait(c, "a condition", c.arg(0), t.until)
	}
	late := t.late && !t.woken
	if e, f := x.take(m); f != nil || e != 0 {
		v, f := m.wait(c, waitsForMutex, x.at, 0)
		t.late = late
		return v, f
	}
	if t.woken {
		m.th.acquire(c.arg(0))
	}
	t.inside, t.woken, t.late = false, false, false
	if t.ends() && strings.HasPrefix(c.name, "pthread_") {
		return 0, quitThread(m, c, cancelled)
	}
	if late {
		return c.result(errTIMEDOUT), nil
	}
	return 0, nil
}

func libCondSignal(most int) builtin {
	return func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		if !m.several() {
			return 0, nil
		}
		m.th.release(c.arg(0))
		var list []*thread
		for _, t := range m.th.list {
			if t.state == waiting && t.inside && !t.woken && t.on == c.arg(0) {
				list = append(list, t)
			}
		}
		slices.SortStableFunc(list, func(a, b *thread) int { return int(a.queued - b.queued) })
		for _, t := range list[:min(most, len(list))] {
			t.state, t.woken = ready, true
		}
		return 0, nil
	}
}

// libOnceBegin reports whether the present thread is to call the function of a pthread_once_t.
func libOnceBegin(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n, f := m.lockWord(c.arg(0))
	switch {
	case f != nil:
		return 0, f
	case n == 0:
		return 1, m.setLockWord(c.arg(0), 1)
	case n == 1:
		return m.wait(c, "the end of a function that is called once", c.arg(0), 0)
	}
	if m.several() {
		m.th.acquire(c.arg(0))
	}
	return 0, nil
}

func libOnceEnd(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if m.several() {
		m.th.release(c.arg(0))
		m.wake(c.arg(0))
	}
	return 0, m.setLockWord(c.arg(0), 2)
}

func libKeyCreate(m *Machine, c *libCall) (ctype.Word, *Fault) {
	th := m.threading()
	th.lastKey++
	th.keys = maps.Clone(th.keys)
	if th.keys == nil {
		th.keys = map[int]ctype.Word{}
	}
	th.keys[th.lastKey] = c.arg(1)
	return 0, m.store(c.arg(0), ctype.UIntT, ctype.Word(th.lastKey))
}

func libKeyDelete(m *Machine, c *libCall) (ctype.Word, *Fault) {
	th := m.threading()
	if _, ok := th.keys[int(c.int(0))]; !ok {
		return c.result(errINVAL), nil
	}
	th.keys = maps.Clone(th.keys)
	delete(th.keys, int(c.int(0)))
	return 0, nil
}

func libKeySet(m *Machine, c *libCall) (ctype.Word, *Fault) {
	th := m.threading()
	if _, ok := th.keys[int(c.int(0))]; !ok {
		return c.result(errINVAL), nil
	}
	th.cur.values[int(c.int(0))] = c.arg(1)
	return 0, nil
}

func libKeyGet(m *Machine, c *libCall) (ctype.Word, *Fault) {
	th := m.threading()
	if _, ok := th.keys[int(c.int(0))]; !ok {
		return 0, nil
	}
	return th.cur.values[int(c.int(0))], nil
}

// destroyValues calls the destructor of one of a thread's values; false when there is none left.
func (th *threads) destroyValues(t *thread) bool {
	m := th.m
	for _, k := range slices.Sorted(maps.Keys(t.values)) {
		v := t.values[k]
		delete(t.values, k)
		id, off := ctype.SplitPointer(th.keys[k])
		if i, ok := m.fnOf[id]; v != 0 && ok && off == 0 && m.funcs[i].code != nil && t.destroyed < maxDestroyed {
			t.destroyed++
			m.moved = true
			return m.push(m.funcs[i], []ctype.Word{v}, -1, 0) == nil
		}
	}
	return false
}

// maxDestroyed bounds the destructors of one thread, which may set values again.
const maxDestroyed = 4096
