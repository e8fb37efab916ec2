package machine

import (
	"math"

	"gulo/internal/ctype"
)

// This file is the signals of timers, and waiting for signals. Time is that of the program (nanos), so
// that a signal arrives at the same instruction in every run.

func init() {
	register(map[string]builtin{
		"alarm": libAlarm, "ualarm": libAlarm, "setitimer": libSetitimer, "getitimer": libSetitimer, "pause": libPause, "sigsuspend": libPause,
		"getrandom": libGetrandom, "getentropy": libGetrandom, "arc4random": libGetrandom, "arc4random_buf": libGetrandom,
	})
}

const (
	sigALRM = 14
	errINTR = 4
)

// timer sends a signal when it is due, and every so often after that; times are in nanoseconds.
type timer struct {
	due, every int64 // 0 for none
}

// ofTimer are the signals of ITIMER_REAL, ITIMER_VIRTUAL and ITIMER_PROF.
var ofTimer = [3]int64{sigALRM, 26, 27}

// elapsed returns the time that a timer goes by. Only for the first one, ITIMER_REAL, does it include
// what the program has slept and what other processes have executed.
func (sg *signals) elapsed(which int) int64 {
	m := sg.m
	if which == 0 {
		return m.nanos()
	}
	return m.nanos() - m.slept - m.away*10
}

// nextTimer returns the number of executed instructions (steps) at which the next timer is due.
func (sg *signals) nextTimer() int64 {
	m := sg.m
	next := int64(math.MaxInt64)
	for i := range sg.timers {
		if due := sg.timers[i].due; due > 0 {
			next = min(next, m.steps+max((due-sg.elapsed(i)+9)/10, 0))
		}
	}
	for i := range sg.alarms {
		if t := &sg.alarms[i]; t.due > 0 {
			next = min(next, m.steps+max((t.due-sg.elapsed(t.which)+9)/10, 0))
		}
	}
	return next
}

// expire makes the signals of timers that are due pending, and reports whether there are any.
func (sg *signals) expire() bool {
	some := false
	for i := range sg.timers {
		t := &sg.timers[i]
		now := sg.elapsed(i)
		if t.due == 0 || t.due > now {
			continue
		}
		if i == 0 && sg.actions[sigALRM].handler == sigIGN {
			t.due = 0 // Linux sets it again when the signal is taken, which never happens
			continue
		}
		some = true
		sg.pending |= 1 << (ofTimer[i] - 1)
		t.pass(now)
	}
	return sg.expireNumbered() || some
}

// arrived delivers pending signals, among them those of timers that are due, before the next instruction.
func (sg *signals) arrived() *Fault {
	m := sg.m
	sg.expire()
	depth := len(m.frames)
	f := sg.deliver(m.pc)
	m.moved = m.moved || len(m.frames) > depth
	return f
}

// interrupts reports whether a signal is pending that ends a call which waits.
func (sg *signals) interrupts() bool {
	for n := int64(1); n < nSignals; n++ {
		h := sg.actions[n].handler
		if sg.pending&^sg.blocked>>(n-1)&1 != 0 && h != sigIGN && (h != sigDFL || !quiet[n]) {
			return true
		}
	}
	return false
}

// sleepUntil lets time pass until end, or until a signal that interrupts.
func (sg *signals) sleepUntil(end int64) (interrupted bool) {
	m := sg.m
	for {
		if sg.expire(); sg.interrupts() {
			return true
		}
		next := end
		if due := sg.nextDue(); due > 0 {
			next = min(next, due)
		}
		m.slept += max(next-m.nanos(), 0)
		if next == end {
			return false
		}
	}
}

// sleepAlone lets time pass for the only thread.
func (sg *signals) sleepAlone(c *libCall, nanos int64) (ctype.Word, *Fault) {
	m := sg.m
	end := m.nanos() + max(nanos, 0)
	if !sg.sleepUntil(end) {
		return 0, nil
	}
	return sg.sleepEnds(c, max(end-m.nanos(), 0))
}

// sleepEnds ends a sleeping call that a signal has interrupted with left nanoseconds to go.
func (sg *signals) sleepEnds(c *libCall, left int64) (ctype.Word, *Fault) {
	m := sg.m
	v, rem := ^ctype.Word(0), ctype.Word(0)
	switch c.name {
	case "sleep":
		v = ctype.Word(left / 1e9)
	case "nanosleep", "thrd_sleep":
		rem = c.arg(1)
	case "clock_nanosleep":
		if v = errINTR; c.int(1) == 0 {
			rem = c.arg(3)
		}
	}
	if c.name == "usleep" || c.name == "nanosleep" {
		m.set(errINTR)
	}
	if rem != 0 {
		for i, n := range []int64{left / 1e9, left % 1e9} {
			if f := m.store(rem+ctype.Word(8*i), ctype.LongT, ctype.Word(n)); f != nil {
				return 0, f
			}
		}
	}
	return sg.interrupted(c, v)
}

// interrupted lets a call return v after the handlers of the pending signals have run.
func (sg *signals) interrupted(c *libCall, v ctype.Word) (ctype.Word, *Fault) {
	m := sg.m
	depth, base := len(m.frames), m.frames[len(m.frames)-1].base
	f := sg.deliver(m.pc + 1)
	if c.entered = len(m.frames) > depth; c.entered && c.dst >= 0 {
		m.regs[base+int(c.dst)] = v
	}
	return v, f
}

// libPause is pause and sigsuspend.
func libPause(m *Machine, c *libCall) (ctype.Word, *Fault) {
	mask := m.lib.signals.blocked
	if t := m.threading().cur; m.procs != nil && t.inside {
		mask = t.kept
	} else if c.name == "sigsuspend" {
		w, f := m.load(c.arg(0), ctype.ULongT)
		if f != nil {
			return 0, f
		}
		m.lib.signals.blocked = w
	}
	if m.lib.signals.expire(); m.procs != nil {
		t := m.th.cur
		if t.inside, t.kept = true, mask; !m.lib.signals.interrupts() {
			return m.wait(c, "a signal", signalKey, 0)
		}
		t.inside = false
	}
	for !m.lib.signals.interrupts() {
		due := m.lib.signals.nextDue()
		if due == 0 || m.several() {
			m.lib.signals.blocked = mask
			return 0, m.fault(Unsupported, 0, "%s waits for a signal, and none is on its way: signals from other processes are not supported", c.name)
		}
		m.slept += max(due-m.nanos(), 0)
		m.lib.signals.expire()
	}
	m.set(errINTR)
	depth := len(m.frames)
	v, f := m.lib.signals.interrupted(c, math.MaxUint64)
	if len(m.frames) > depth {
		m.frames[depth].mask = &mask // the handler that runs last
	} else {
		m.lib.signals.blocked = mask
	}
	return v, f
}

func libAlarm(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t := &m.lib.signals.timers[0]
	left := int64(0)
	if t.due > 0 {
		left = max(t.due-m.nanos(), 1000)
	}
	if c.name == "ualarm" {
		*t = m.lib.signals.timerIn(0, int64(uint32(c.arg(0)))*1000, int64(uint32(c.arg(1)))*1000)
		return ctype.Word(left / 1000), nil
	}
	*t = m.lib.signals.timerIn(0, int64(uint32(c.arg(0)))*1e9, 0)
	seconds := (left + 5e8) / 1e9 // as Linux rounds
	if left > 0 && seconds == 0 {
		seconds = 1
	}
	return ctype.Word(seconds), nil
}

// timerIn returns a timer that is due in so many nanoseconds (0: never), and moves on behind the present call.
func (sg *signals) timerIn(which int, in, every int64) timer {
	m := sg.m
	m.pc, m.moved = m.pc+1, true // exec asks nextLook again
	if in == 0 {
		return timer{}
	}
	return timer{sg.elapsed(which) + in, every}
}

// libSetitimer is setitimer and getitimer. struct itimerval is the interval and the time that is left, each in
// seconds and microseconds.
func libSetitimer(m *Machine, c *libCall) (ctype.Word, *Fault) {
	which := c.int(0)
	if which < 0 || which >= int64(len(m.lib.signals.timers)) {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	t := &m.lib.signals.timers[which]
	given, old := c.arg(1), ctype.Word(0)
	if c.name == "getitimer" {
		given, old = 0, c.arg(1)
	} else {
		old = c.arg(2)
	}
	was := *t
	if c.name == "setitimer" {
		var times [4]int64
		for i := range times {
			if given != 0 {
				w, f := m.load(given+ctype.Word(8*i), ctype.LongT)
				if f != nil {
					return 0, f
				}
				times[i] = int64(w)
			}
		}
		if times[0] < 0 || times[2] < 0 || uint64(times[1]) >= 1e6 || uint64(times[3]) >= 1e6 {
			m.set(errINVAL)
			return ^ctype.Word(0), nil
		}
		*t = m.lib.signals.timerIn(int(which), times[2]*1e9+times[3]*1000, times[0]*1e9+times[1]*1000)
	}
	if old == 0 {
		return 0, nil
	}
	left := int64(0)
	if was.due > 0 {
		left = max(was.due-m.lib.signals.elapsed(int(which)), 1000)
	}
	for i, n := range []int64{was.every / 1e9, was.every % 1e9 / 1000, left / 1e9, left % 1e9 / 1000} {
		if f := m.store(old+ctype.Word(8*i), ctype.LongT, ctype.Word(n)); f != nil {
			return 0, f
		}
	}
	return 0, nil
}

// libGetrandom is the functions that give random bytes.
func libGetrandom(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.name == "arc4random" {
		w := ctype.Word(0)
		for range 4 {
			w = w<<8 | ctype.Word(m.lib.fs.chance())
		}
		return w, nil
	}
	n := c.arg(1)
	if n > 256 && c.name == "getentropy" {
		m.set(errIO)
		return ^ctype.Word(0), nil
	}
	if n > ctype.Word(m.cfg.MaxMemory) {
		return 0, m.fault(LimitFault, 0, "%s of more than %d MiB", c.name, m.cfg.MaxMemory>>20)
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = m.lib.fs.chance()
	}
	if c.name != "getrandom" {
		n = 0
	}
	return n, m.putBytes(c.arg(0), b)
}
