package machine

import (
	"strings"

	"gulo/internal/ctype"
)

// This file is semaphores, locks for reading and writing, barriers, and the attributes of threads.

func init() {
	register(map[string]builtin{
		"sem_init": libSemInit, "sem_destroy": constant(0), "sem_wait": libSemWait, "sem_trywait": libSemWait, "sem_timedwait": libSemWait, "sem_clockwait": libSemWait, "sem_post": libSemPost, "sem_getvalue": libSemValue,

		"pthread_rwlock_init": libRWInit, "pthread_rwlock_destroy": constant(0), "pthread_rwlock_rdlock": libRWLock, "pthread_rwlock_tryrdlock": libRWLock,
		"pthread_rwlock_wrlock": libRWLock, "pthread_rwlock_trywrlock": libRWLock,
		"pthread_rwlock_timedrdlock": libRWLock, "pthread_rwlock_timedwrlock": libRWLock, "pthread_rwlock_clockrdlock": libRWLock, "pthread_rwlock_clockwrlock": libRWLock,
		"pthread_rwlock_unlock": libRWUnlock,

		"pthread_barrier_init": libBarrierInit, "pthread_barrier_wait": libBarrierWait, "pthread_barrier_destroy": constant(0),

		"pthread_attr_init": libAttrInit, "pthread_attr_destroy": constant(0), "pthread_attr_setdetachstate": libAttrDetach, "pthread_attr_getdetachstate": libAttrDetached,
	})
}

const errAGAIN = 11

func libSemInit(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if f := m.clearLock(c.arg(0), 32); f != nil {
		return 0, f
	}
	return 0, m.setLockWord(c.arg(0), int32(c.int(2)))
}

func libSemWait(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n, f := m.lockWord(c.arg(0))
	if f != nil {
		return 0, f
	}
	if n > 0 {
		if m.several() {
			m.th.acquire(c.arg(0))
		}
		return 0, m.setLockWord(c.arg(0), n-1)
	}
	switch c.name {
	case "sem_trywait":
		m.set(errAGAIN)
		return ^ctype.Word(0), nil
	case "sem_timedwait", "sem_clockwait":
		t := m.threading().cur
		if t.late {
			t.late = false
			m.set(errTIMEDOUT)
			return ^ctype.Word(0), nil
		}
		until, f := waitUntil(m, c, 1)
		if f != nil {
			return 0, f
		}
		return m.wait(c, "a semaphore", c.arg(0), until)
	}
	return m.wait(c, "a semaphore", c.arg(0), 0)
}

func libSemPost(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n, f := m.lockWord(c.arg(0))
	if f != nil {
		return 0, f
	}
	if m.several() {
		m.th.release(c.arg(0))
		m.wake(c.arg(0))
	}
	return 0, m.setLockWord(c.arg(0), n+1)
}

func libSemValue(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n, f := m.lockWord(c.arg(0))
	if f != nil {
		return 0, f
	}
	return 0, m.store(c.arg(1), ctype.IntT, ctype.Word(int64(n)))
}

// A lock for reading and writing: how many read, and who writes.

func libRWInit(m *Machine, c *libCall) (ctype.Word, *Fault) { return 0, m.clearLock(c.arg(0), 56) }

func libRWLock(m *Machine, c *libCall) (ctype.Word, *Fault) {
	readers, f := m.lockWord(c.arg(0))
	if f != nil {
		return 0, f
	}
	writer, f := m.lockWord(c.arg(0) + 4)
	if f != nil {
		return 0, f
	}
	try := strings.Contains(c.name, "_try")
	write := strings.HasSuffix(c.name, "wrlock")
	switch {
	case writer == int32(m.Thread()) && !try:
		return errDEADLK, nil
	case (writer != 0 || write && readers > 0) && try:
		return errBUSY, nil
	case writer != 0 || write && readers > 0:
		return waitRW(m, c)
	}
	if m.several() {
		m.th.acquire(c.arg(0))
	}
	if write {
		return 0, m.setLockWord(c.arg(0)+4, int32(m.Thread()))
	}
	return 0, m.setLockWord(c.arg(0), readers+1)
}

// waitRW waits for a lock for reading and writing.
func waitRW(m *Machine, c *libCall) (ctype.Word, *Fault) {
	until, t := int64(0), m.threading().cur
	if strings.Contains(c.name, "_timed") || strings.Contains(c.name, "_clock") {
		if t.late {
			t.late = false
			return errTIMEDOUT, nil
		}
		var f *Fault
		if until, f = waitUntil(m, c, 1); f != nil {
			return 0, f
		}
	}
	return m.wait(c, "a lock for reading and writing", c.arg(0), until)
}

func libRWUnlock(m *Machine, c *libCall) (ctype.Word, *Fault) {
	readers, f := m.lockWord(c.arg(0))
	if f != nil {
		return 0, f
	}
	if m.several() {
		m.th.release(c.arg(0))
		m.wake(c.arg(0))
	}
	if readers > 0 {
		return 0, m.setLockWord(c.arg(0), readers-1)
	}
	return 0, m.setLockWord(c.arg(0)+4, 0)
}

// A barrier: how many it is for, how many have come, and how often it has opened.

func libBarrierInit(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.int(2) == 0 {
		return errINVAL, nil
	}
	if f := m.clearLock(c.arg(0), 32); f != nil {
		return 0, f
	}
	return 0, m.setLockWord(c.arg(0), int32(c.int(2)))
}

func libBarrierWait(m *Machine, c *libCall) (ctype.Word, *Fault) {
	var v [3]int32
	for i := range v {
		n, f := m.lockWord(c.arg(0) + ctype.Word(4*i))
		if f != nil {
			return 0, f
		}
		v[i] = n
	}
	t := m.threading().cur
	if t.inside {
		if int64(v[2]) == t.queued {
			return m.wait(c, "a barrier", c.arg(0), 0)
		}
		t.inside = false
		m.th.acquire(c.arg(0))
		return 0, nil
	}
	m.th.release(c.arg(0))
	if v[1]+1 < v[0] {
		t.inside, t.queued = true, int64(v[2])
		if f := m.setLockWord(c.arg(0)+4, v[1]+1); f != nil {
			return 0, f
		}
		return m.wait(c, "a barrier", c.arg(0), 0)
	}
	m.th.acquire(c.arg(0))
	m.wake(c.arg(0))
	if f := m.setLockWord(c.arg(0)+4, 0); f != nil {
		return 0, f
	}
	return ^ctype.Word(0), m.setLockWord(c.arg(0)+8, v[2]+1) // PTHREAD_BARRIER_SERIAL_THREAD
}

func libAttrInit(m *Machine, c *libCall) (ctype.Word, *Fault) { return 0, m.clearLock(c.arg(0), 56) }

func libAttrDetach(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.int(1) != 0 && c.int(1) != 1 {
		return errINVAL, nil
	}
	return 0, m.setLockWord(c.arg(0), int32(c.int(1)))
}

func libAttrDetached(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n, f := m.lockWord(c.arg(0))
	if f != nil {
		return 0, f
	}
	return 0, m.store(c.arg(1), ctype.IntT, ctype.Word(n))
}
