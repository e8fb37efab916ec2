package machine

import (
	"errors"
	"math"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"gulo/internal/ctype"
)

// This file is poll and select. Files are always ready. A pipe is ready if a call on it would not wait, standard input
// if there is input or its end.

func init() {
	register(map[string]builtin{"poll": libPoll, "select": libSelect})
}

// Events of poll.
const (
	pollIn       = 1
	pollOut      = 4
	pollErr      = 8
	pollHup      = 16
	pollNval     = 32
	pollInToo    = 64  // POLLRDNORM
	pollOutToo   = 256 // POLLWRNORM
	pollReads    = pollIn | pollInToo
	pollWrites   = pollOut | pollOutToo
	pollfdSize   = 8
	selectedMost = 1024
)

// inputReady reports whether standard input has something to read or has ended. It waits for that up to patience of real
// time, or without end if patience is negative.
func (st *stdio) inputReady(patience time.Duration) bool {
	m := st.m
	l := m.lib
	if l.stdio.standard[0].eof || len(l.stdio.standard[0].unget) > 0 || l.stdio.in.Buffered() > 0 {
		return true
	}
	file, ok := m.cfg.Stdin.(interface{ Fd() uintptr })
	if !ok {
		if _, err := l.stdio.in.Peek(1); errors.Is(err, ErrNoInput) {
			return false
		}
		return true
	}
	end := time.Now().Add(patience)
	for {
		wait := -1
		if patience >= 0 {
			wait = int(max(time.Until(end).Milliseconds(), 0))
		}
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(file.Fd()), Events: unix.POLLIN}}, wait)
		switch {
		case errors.Is(err, unix.EINTR): // the runtime's own signals
			continue
		case n == 0 && err == nil:
			return false
		}
		return true
	}
}

// readiness returns the events of a stream. silent reports that it is standard input and has nothing to read yet.
func (s *stream) readiness(m *Machine) (events int16, silent bool) {
	switch {
	case s.epoll != nil:
		if len(s.epoll.ready(m)) > 0 {
			events = pollReads
		}
		return events, false
	case s.event != nil:
		return s.event.readiness(m), false
	case s.socket != nil:
		return s.opened.readiness(m), false
	case s.pipe != nil && s.read:
		if len(s.pipe.pages) > 0 {
			events = pollReads
		}
		if !s.pipe.hasEnd(m, true) {
			events |= pollHup
		}
		return events, false
	case s.pipe != nil:
		if !s.pipe.full() {
			events = pollWrites
		}
		if !s.pipe.hasEnd(m, false) {
			events |= pollErr
		}
		return events, false
	case s.file == nil && s.device == 0:
		if !m.lib.stdio.inputReady(0) {
			return 0, true
		}
		return pollReads, false
	case s.file == nil:
		return pollWrites, false
	}
	return pollReads | pollWrites, false
}

// forever is the timeout of a call that has none; timeouts are in nanoseconds.
const forever = math.MaxInt64

// waitReady lets a call wait that has found no descriptor ready; it is made again later. over reports that its time is
// up and it has to return now. silent says that it also waits for standard input, which has nothing yet.
func (m *Machine) waitReady(c *libCall, nanos int64, silent bool) (over bool, v ctype.Word, f *Fault) {
	if !m.several() && m.procs == nil {
		return m.waitAlone(c, nanos, silent)
	}
	t := m.th.cur
	if t.inside && t.late || nanos == 0 {
		t.inside, t.late = false, false
		return true, 0, nil
	}
	if silent && nanos == forever {
		if m.othersGoOn() {
			c.entered, m.moved = true, true
			return false, 0, m.th.schedule()
		}
		v, f = m.awaitInput(c)
		return false, v, f
	}
	until := t.until
	if !t.inside {
		if until = 0; nanos != forever {
			until = m.nanos() + max(nanos, 1)
		}
	}
	t.inside = true
	v, f = m.wait(c, "a descriptor to be ready", pollKey, until)
	return false, v, f
}

// othersGoOn reports whether a thread besides the present one will go on by itself.
func (m *Machine) othersGoOn() bool {
	for l := range m.libraries {
		for _, t := range l.threads(m) {
			if t != m.th.cur && (t.state == ready || t.state == waiting && t.until > 0) {
				return true
			}
		}
	}
	return false
}

// awaitInput waits for standard input, and makes the call again.
func (m *Machine) awaitInput(c *libCall) (ctype.Word, *Fault) {
	m.lib.stdio.flush()
	if !m.lib.stdio.inputReady(-1) {
		return 0, m.fault(NeedInput, 0, "the program waits for input")
	}
	c.entered, m.moved = true, true
	return 0, nil
}

// waitAlone is waitReady for the only thread.
func (m *Machine) waitAlone(c *libCall, nanos int64, silent bool) (over bool, v ctype.Word, f *Fault) {
	due := m.lib.signals.nextDue()
	if m.th != nil && m.th.cur.inside && nanos != forever {
		nanos = max(m.th.cur.until-m.nanos(), 0)
	}
	if next := m.lib.stdio.nextEvent(); next > 0 && (nanos == forever || next <= m.nanos()+nanos) && (due == 0 || next <= due) && nanos != 0 && !silent {
		return m.waitForEvent(c, next, nanos)
	}
	switch {
	case nanos == forever && due > 0 && !m.lib.signals.sleepUntil(due) && (!m.lib.signals.expire() || !m.lib.signals.interrupts()):
		c.entered, m.moved = true, true // a timer whose signal is ignored
		return false, 0, nil
	case nanos == forever && due > 0:
		nanos = 0
	case nanos == forever && silent:
		v, f = m.awaitInput(c)
		return false, v, f
	case nanos == forever:
		v, f = m.wait(c, "a descriptor to be ready", pollKey, 0)
		return false, v, f
	case silent && due == 0 && nanos > 0:
		m.lib.stdio.flush()
		if m.lib.stdio.inputReady(time.Duration(nanos)) {
			c.entered, m.moved = true, true
			return false, 0, nil
		}
	}
	if !m.lib.signals.sleepUntil(m.nanos() + nanos) {
		return true, 0, nil
	}
	m.th.doneWaiting()
	m.set(errINTR)
	v, f = m.lib.signals.interrupted(c, ^ctype.Word(0))
	return false, v, f
}

// waitForEvent lets time pass until a timer of a descriptor is due, and makes the call again.
func (m *Machine) waitForEvent(c *libCall, next, nanos int64) (over bool, v ctype.Word, f *Fault) {
	if t := m.threading().cur; nanos != forever && !t.inside {
		t.inside, t.until = true, m.nanos()+nanos
	}
	if m.lib.signals.sleepUntil(next) {
		m.th.doneWaiting()
		m.set(errINTR)
		v, f = m.lib.signals.interrupted(c, ^ctype.Word(0))
		return false, v, f
	}
	for s := range m.lib.stdio.all {
		if e := s.event; e != nil && e.kind == eventTimer {
			e.tick(m)
		}
	}
	c.entered, m.moved = true, true
	return false, 0, nil
}

// doneWaiting is to be called when a call of poll or select ends.
func (th *threads) doneWaiting() {
	if th != nil {
		th.cur.inside, th.cur.late = false, false
	}
}

// interval reads a struct timespec, or a timeval where unit is 1000 nanoseconds; a null pointer means forever. ok is
// false for an invalid time.
func (m *memory) interval(at ctype.Word, unit int64) (nanos int64, ok bool, f *Fault) {
	if at == 0 {
		return forever, true, nil
	}
	s, f := m.load(at, ctype.LongT)
	if f != nil {
		return 0, false, f
	}
	n, f := m.load(at+8, ctype.LongT)
	if f != nil {
		return 0, false, f
	}
	seconds, parts := int64(s), int64(n)
	if unit > 1 && parts >= 1e6 { // select takes these
		seconds, parts = seconds+parts/1e6, parts%1e6
	}
	if seconds < 0 || parts < 0 || parts >= 1e9/unit {
		return 0, false, nil
	}
	return min(seconds, 1e9)*1e9 + parts*unit, true, nil
}

// libPoll is poll and ppoll. struct pollfd is the descriptor, the events that are asked for and those that were seen.
func libPoll(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.long(1)
	if n < 0 || n > m.lib.limits.descriptors() {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	nanos, ok := int64(forever), true
	var f *Fault
	if c.name == "ppoll" {
		nanos, ok, f = m.interval(c.arg(2), 1)
	} else if c.int(2) >= 0 {
		nanos = c.int(2) * 1e6
	}
	if f != nil {
		return 0, f
	}
	if !ok {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	seen := make([]int16, n)
	some, silent := 0, false
	for i := range seen {
		at := c.arg(0) + ctype.Word(i*pollfdSize)
		fd, f := m.load(at, ctype.IntT)
		if f != nil {
			return 0, f
		}
		asked, f := m.load(at+4, ctype.ShortT)
		if f != nil {
			return 0, f
		}
		if int32(fd) < 0 {
			continue
		}
		s := m.lib.stdio.streamOf(int(int32(fd)))
		if seen[i] = pollNval; s != nil {
			events, none := s.readiness(m)
			seen[i] = events & (int16(asked) | pollErr | pollHup) // POLLRDHUP where it is asked for
			silent = silent || none && int16(asked)&pollReads != 0
		}
		if seen[i] != 0 {
			some++
		}
	}
	if some == 0 {
		if over, v, f := m.waitReady(c, nanos, silent); !over {
			return v, f
		}
	}
	m.th.doneWaiting()
	for i, events := range seen {
		if f := m.store(c.arg(0)+ctype.Word(i*pollfdSize+6), ctype.ShortT, ctype.Word(events)); f != nil {
			return 0, f
		}
	}
	return ctype.Word(some), nil
}

// selection is the three sets of select: what can be read, what can be written to, and what has something urgent, which
// nothing has.
type selection [3][]byte

func (s *selection) has(set, fd int) bool { return s[set] != nil && s[set][fd/8]>>(fd%8)&1 != 0 }

// libSelect is select and pselect.
func libSelect(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := int(c.int(0))
	unit := int64(1000)
	if strings.HasPrefix(c.name, "p") {
		unit = 1
	}
	nanos, ok, f := m.interval(c.arg(4), unit)
	if f != nil {
		return 0, f
	}
	if !ok || n < 0 || n > selectedMost {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	var in, out selection
	for i := range in {
		if at := c.arg(1 + i); at != 0 && n > 0 {
			b, f := m.bytes(at, int64((n+63)/64*8), true)
			if f != nil {
				return 0, f
			}
			in[i], out[i] = b, make([]byte, len(b))
		}
	}
	some, silent, known := selectReady(m, n, &in, &out)
	if !known {
		m.th.doneWaiting()
		m.set(errBADF)
		return ^ctype.Word(0), nil
	}
	left := nanos
	if m.th != nil && m.th.cur.inside && nanos != forever {
		left = max(m.th.cur.until-m.nanos(), 0)
	}
	if some == 0 {
		over, v, f := m.waitReady(c, nanos, silent)
		if !over {
			return v, f
		}
		left = 0
	}
	m.th.doneWaiting()
	for i := range out {
		if f := m.putBytes(c.arg(1+i), out[i]); f != nil {
			return 0, f
		}
	}
	if c.arg(4) == 0 || unit == 1 {
		return ctype.Word(some), nil
	}
	if f := m.store(c.arg(4), ctype.LongT, ctype.Word(left/1e9)); f != nil {
		return 0, f
	}
	return ctype.Word(some), m.store(c.arg(4)+8, ctype.LongT, ctype.Word(left%1e9/unit))
}

// selectReady fills the sets of what is ready; known is false when a descriptor is not open.
func selectReady(m *Machine, n int, in, out *selection) (some int, silent, known bool) {
	for fd := range n {
		if !in.has(0, fd) && !in.has(1, fd) && !in.has(2, fd) {
			continue
		}
		s := m.lib.stdio.streamOf(fd)
		if s == nil {
			return 0, false, false
		}
		events, none := s.readiness(m)
		silent = silent || none && in.has(0, fd)
		for set, of := range [2]int16{pollReads | pollHup | pollErr, pollWrites | pollErr} {
			if in.has(set, fd) && events&of != 0 {
				out[set][fd/8] |= 1 << (fd % 8)
				some++
			}
		}
	}
	return some, silent, true
}
