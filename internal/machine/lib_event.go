package machine

import (
	"encoding/binary"
	"maps"

	"gulo/internal/ctype"
)

// This file is descriptors that stand for something to wait for: counters (eventfd), timers (timerfd) and signals
// (signalfd).

func init() {
	register(map[string]builtin{
		"eventfd": libEventfd, "eventfd_read": libEventfdRead, "eventfd_write": libEventfdWrite,
		"timerfd_create": libTimerfdCreate, "timerfd_settime": libTimerfdSet, "timerfd_gettime": libTimerfdGet, "signalfd": libSignalfd,
	})
}

// event is what such a descriptor stands for.
type event struct {
	kind       eventKind
	count      uint64 // of a counter
	semaphore  bool   // reading takes 1 of the counter
	due, every int64  // of a timer, in nanoseconds; 0 for none
	clock      int64
	signals    ctype.Word // that are read
	changes    int        // how often it was read and written
}

type eventKind uint8

const (
	eventCounter eventKind = iota
	eventTimer
	eventSignals
)

const (
	eventSize     = 8
	signalfdSize  = 128
	mostOfCounter = ^uint64(0) - 1
)

// openEvent makes a descriptor; flags are those of open.
func (st *stdio) openEvent(e *event, flags ctype.Word) ctype.Word {
	s := st.describe(st.free(0), &opened{device: -1, read: true, write: e.kind == eventCounter, event: e, nonblock: flags&openNonblock != 0})
	st.m.lib.fs.setCloexec(s.fd, flags&openCloexec != 0)
	return ctype.Word(s.fd)
}

// tick counts how often a timer was due.
func (e *event) tick(m *Machine) {
	now := m.nanos()
	if e.due == 0 || e.due > now {
		return
	}
	if e.every == 0 {
		e.count, e.due = e.count+1, 0
		return
	}
	n := (now-e.due)/e.every + 1
	e.count, e.due = e.count+uint64(n), e.due+n*e.every
}

// readiness is what poll says of an event.
func (e *event) readiness(m *Machine) (events int16) {
	switch e.kind {
	case eventTimer:
		e.tick(m)
	case eventSignals:
		m.lib.signals.expire()
		if m.lib.signals.pending&e.signals != 0 {
			events |= pollReads
		}
		return events
	}
	if e.count > 0 {
		events |= pollReads
	}
	if e.kind == eventCounter && e.count < mostOfCounter {
		events |= pollWrites
	}
	return events
}

// readEvent reads an event; a call that finds nothing waits.
func (s *stream) readEvent(m *Machine, n int64) (b []byte, errno ctype.Word, f *Fault) {
	e := s.event
	switch {
	case e.kind == eventSignals && n < signalfdSize, n < eventSize:
		return nil, errINVAL, nil
	case e.readiness(m)&pollReads != 0:
		e.changes++
		defer m.wakeAll(pollKey)
		if e.kind == eventSignals {
			return e.readSignals(m, n), 0, nil
		}
		v := e.count
		if e.semaphore {
			v = 1
		}
		e.count -= v
		return binary.LittleEndian.AppendUint64(nil, v), 0, nil
	case s.nonblock:
		return nil, errAGAIN, nil
	case e.kind == eventTimer && e.due > 0 && !m.several() && m.procs == nil:
		if m.lib.signals.sleepUntil(e.due) {
			return nil, errINTR, nil
		}
		return s.readEvent(m, n)
	}
	return nil, 0, &Fault{Kind: pipeWaits, Message: "an event", Pointer: pollKey, Size: e.due}
}

// readSignals takes pending signals, as many as there is room for.
func (e *event) readSignals(m *Machine, n int64) (out []byte) {
	for n >= signalfdSize {
		k := m.lib.signals.takeSignal(e.signals)
		if k == 0 {
			break
		}
		info := m.lib.signals.siginfo(k)
		b := make([]byte, signalfdSize)
		copy(b, info[:4])
		copy(b[8:], info[8:12])   // the code
		copy(b[12:], info[16:24]) // who has sent it
		copy(b[40:], info[24:28]) // the status of a child, or a number
		if how := m.lib.signals.sent[k]; how.code == codeQueued {
			copy(b[44:], info[24:28])
			copy(b[48:], info[24:32])
			clear(b[40:44])
			copy(b[44:48], info[24:28])
		}
		out, n = append(out, b...), n-signalfdSize
	}
	return out
}

// writeEvent adds to a counter; a call that finds it full waits.
func (s *stream) writeEvent(m *Machine, b []byte) (n int, errno ctype.Word, f *Fault) {
	e := s.event
	if e.kind != eventCounter || len(b) < eventSize {
		return 0, errINVAL, nil
	}
	v := binary.LittleEndian.Uint64(b)
	switch {
	case v == ^uint64(0):
		return 0, errINVAL, nil
	case v <= mostOfCounter-e.count:
		e.count += v
		e.changes++
		m.wakeAll(pollKey)
		return eventSize, 0, nil
	case s.nonblock:
		return 0, errAGAIN, nil
	}
	return 0, 0, &Fault{Kind: pipeWaits, Message: "a counter to be read", Pointer: pollKey}
}

func libEventfd(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const semaphore = 1
	flags := ctype.Word(uint32(c.arg(1)))
	if flags&^(openNonblock|openCloexec|semaphore) != 0 {
		return m.failed(errINVAL)
	}
	return m.lib.stdio.openEvent(&event{count: uint64(uint32(c.arg(0))), semaphore: flags&semaphore != 0}, flags), nil
}

// eventOf is the event of a descriptor; nil, and errno, for none of that kind.
func (st *stdio) eventOf(fd int64, kind eventKind) *stream {
	m := st.m
	s := st.streamOf(int(fd))
	switch {
	case s == nil:
		m.set(errBADF)
		return nil
	case s.event == nil || s.event.kind != kind:
		m.set(errINVAL)
		return nil
	}
	return s
}

func libEventfdRead(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.eventOf(c.int(0), eventCounter)
	if s == nil {
		return ^ctype.Word(0), nil
	}
	b, errno, f := s.readEvent(m, eventSize)
	if f != nil || errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	return 0, m.putBytes(c.arg(1), b)
}

func libEventfdWrite(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.eventOf(c.int(0), eventCounter)
	if s == nil {
		return ^ctype.Word(0), nil
	}
	_, errno, f := s.writeEvent(m, binary.LittleEndian.AppendUint64(nil, c.arg(1)))
	if f != nil || errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	return 0, nil
}

func libTimerfdCreate(m *Machine, c *libCall) (ctype.Word, *Fault) {
	flags, clock := ctype.Word(uint32(c.arg(1))), c.int(0)
	if flags&^(openNonblock|openCloexec) != 0 || clock != 0 && clock != 1 && clock != 7 {
		return m.failed(errINVAL)
	}
	return m.lib.stdio.openEvent(&event{kind: eventTimer, clock: clock}, flags), nil
}

// itimerspec reads a struct itimerspec: the interval and the time, each in seconds and nanoseconds; ok is false for an
// invalid one.
func (m *memory) itimerspec(at ctype.Word) (every, in int64, ok bool, f *Fault) {
	var v [4]int64
	for i := range v {
		w, f := m.load(at+ctype.Word(8*i), ctype.LongT)
		if f != nil {
			return 0, 0, false, f
		}
		v[i] = int64(w)
	}
	if v[0] < 0 || v[2] < 0 || uint64(v[1]) >= 1e9 || uint64(v[3]) >= 1e9 {
		return 0, 0, false, nil
	}
	return min(v[0], 1e9)*1e9 + v[1], min(v[2], 4e9)*1e9 + v[3], true, nil
}

// putItimerspec stores how long a timer has to go.
func putItimerspec(m *Machine, at ctype.Word, every, due int64) *Fault {
	left := int64(0)
	if due > 0 {
		left = max(due-m.nanos(), 1)
	}
	for i, v := range []int64{every / 1e9, every % 1e9, left / 1e9, left % 1e9} {
		if f := m.store(at+ctype.Word(8*i), ctype.LongT, ctype.Word(v)); f != nil {
			return f
		}
	}
	return nil
}

// dueAt is when a timer is due that is set to so many nanoseconds, by a clock's own time if absolute; 0 for never.
func dueAt(m *Machine, in, clock int64, absolute bool) int64 {
	switch {
	case in == 0:
		return 0
	case !absolute:
		return m.nanos() + in
	case clock == 0:
		in -= firstSecond * 1e9
	}
	return max(in, 1)
}

func libTimerfdSet(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const absolute = 1
	s := m.lib.stdio.eventOf(c.int(0), eventTimer)
	if s == nil {
		return ^ctype.Word(0), nil
	}
	every, in, ok, f := m.itimerspec(c.arg(2))
	switch {
	case f != nil:
		return 0, f
	case !ok || c.int(1)&^3 != 0:
		return m.failed(errINVAL)
	}
	if s.event.tick(m); c.arg(3) != 0 {
		if f = putItimerspec(m, c.arg(3), s.event.every, s.event.due); f != nil {
			return 0, f
		}
	}
	s.event.every, s.event.count = every, 0
	s.event.due = dueAt(m, in, s.event.clock, c.int(1)&absolute != 0)
	m.wakeAll(pollKey)
	return 0, nil
}

func libTimerfdGet(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.eventOf(c.int(0), eventTimer)
	if s == nil {
		return ^ctype.Word(0), nil
	}
	s.event.tick(m)
	return 0, putItimerspec(m, c.arg(1), s.event.every, s.event.due)
}

func libSignalfd(m *Machine, c *libCall) (ctype.Word, *Fault) {
	w, f := m.load(c.arg(1), ctype.ULongT)
	flags := ctype.Word(uint32(c.arg(2)))
	switch {
	case f != nil:
		return 0, f
	case flags&^(openNonblock|openCloexec) != 0:
		return m.failed(errINVAL)
	}
	w &^= 1<<(sigKILL-1) | 1<<(sigSTOP-1)
	if c.int(0) != -1 {
		s := m.lib.stdio.eventOf(c.int(0), eventSignals)
		if s == nil {
			return ^ctype.Word(0), nil
		}
		s.event.signals = w
		return c.arg(0), nil
	}
	return m.lib.stdio.openEvent(&event{kind: eventSignals, signals: w}, flags), nil
}

// takeSignal takes one of the pending signals of a set; 0 for none.
func (sg *signals) takeSignal(set ctype.Word) int64 {
	sg.expire()
	for n := int64(1); n < nSignals; n++ {
		if sg.pending&set>>(n-1)&1 != 0 {
			sg.pending &^= 1 << (n - 1)
			return n
		}
	}
	return 0
}

// noteSent remembers who has sent a signal.
func (sg *signals) noteSent(n int64, how sent) {
	t := maps.Clone(sg.sent)
	if t == nil {
		t = map[int64]sent{}
	}
	t[n] = how
	sg.sent = t
}

// nextEvent is when the first timer of the process's descriptors is due; 0 for none.
func (st *stdio) nextEvent() (due int64) {
	for s := range st.all {
		if e := s.event; e != nil && e.kind == eventTimer && e.due > 0 && (due == 0 || e.due < due) {
			due = e.due
		}
	}
	return due
}
