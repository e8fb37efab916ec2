package machine

import (
	"gulo/internal/ctype"
)

// This file records the trace σ and the value origins f of the calculus
// (Wang, Neamtiu and Gupta, ISMM 2013, section 3.2). f maps a value in a
// register or in memory to the event that put it there, which names the place
// the value was taken from: following it backwards is a value propagation
// chain (section 2.1). Recording is on with Config.Trace.

// EventKind is the kind of an Event.
type EventKind uint8

const (
	EvMalloc EventKind = iota
	EvFree
	EvRead
	EvWrite
	EvCall
	EvRet
)

var eventNames = [...]string{"malloc", "free", "read", "write", "call", "ret"}

func (k EventKind) String() string { return eventNames[k] }

// Event is one entry of σ.
type Event struct {
	Time    int64 // k
	Kind    EventKind
	Stmt    int32
	Pointer ctype.Word
	Value   ctype.Word // read, write: the value; malloc: the size
}

// Link is one step of a value propagation chain.
type Link struct {
	Stmt int32
	Time int64
	What string // "stored", "loaded", "made" ...
}

type origin struct {
	parent int32 // index of the origin it came from, 0 for none
	stmt   int32
	time   int64
	what   string
}

type tracer struct {
	max     int
	events  []Event
	dropped int64
	org     []origin           // org[0] is "unknown"
	regs    []int32            // parallel to Machine.regs
	mem     map[uint64][]int32 // by block id: origin of each 8-byte word
	nums    *numbers           // nil without Config.Numbers

	jump   int32 // statement that jumped last
	jumped int64 // serial number of its call
}

func newTracer(max int) *tracer {
	return &tracer{max: max, org: make([]origin, 1), mem: map[uint64][]int32{}}
}

func (t *tracer) node(parent, stmt int32, time int64, what string) int32 {
	if p := t.org[parent]; parent != 0 && p.stmt == stmt && p.what == what {
		return parent
	}
	t.org = append(t.org, origin{parent, stmt, time, what})
	return int32(len(t.org) - 1)
}

func (t *tracer) word(block uint32, off int64, make_ bool) *int32 {
	w := t.mem[uint64(block)]
	i := int(off >> 3)
	if i >= len(w) {
		if !make_ {
			return nil
		}
		w = append(w, make([]int32, i+1-len(w))...)
		t.mem[uint64(block)] = w
	}
	return &w[i]
}

func (t *tracer) copyOrigins(dst uint32, do int64, src uint32, so, n int64, stmt int32, time int64) {
	for i := int64(0); i+8 <= n; i += 8 {
		if p := t.word(src, so+i, false); p != nil && *p != 0 {
			*t.word(dst, do+i, true) = t.node(*p, stmt, time, "copied")
		}
	}
}

func (t *tracer) chain(o int32) []Link {
	var out []Link
	for o != 0 && len(out) < 1000 {
		x := t.org[o]
		out = append(out, Link{x.stmt, x.time, x.what})
		o = x.parent
	}
	return out
}

func (m *recording) event(k EventKind, p, v ctype.Word) {
	if m.tr == nil {
		return
	}
	if len(m.tr.events) >= m.tr.max {
		half := len(m.tr.events) / 2
		m.tr.dropped += int64(half)
		m.tr.events = append(m.tr.events[:0], m.tr.events[half:]...)
	}
	m.tr.events = append(m.tr.events, Event{m.steps, k, m.at(), p, v})
}

// Events returns the recorded trace, oldest first, and how many older events
// were dropped to keep memory bounded.
func (m *recording) Events() (events []Event, dropped int64) {
	if m.tr == nil {
		return nil, 0
	}
	return m.tr.events, m.tr.dropped
}
