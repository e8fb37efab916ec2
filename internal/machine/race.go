package machine

import (
	"slices"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/plural"
)

// This file finds data races: two threads access one object, one of them writes, and nothing
// orders the two. Order is known by vector clocks (Fidge 1988, Mattern 1989), as in
// Flanagan and Freund, "FastTrack: Efficient and Precise Dynamic Race Detection" (PLDI 2009,
// https://doi.org/10.1145/1542476.1542490): for each byte only the thread and time of the last write
// are kept and, while the reads are ordered, those of the last read. Where we differ: atomic
// operations on one object are ordered as they happen, whatever memory order they name, and so are
// threads that lock a rwlock for reading. That may hide a race, but reports no false one. Objects
// of the heap and globals are looked at, local variables are not.

// clock is a vector clock: by number of a thread, the time up to which what it did has happened
// before. It is never changed in place.
type clock []uint32

func (c clock) of(t int) uint32 {
	if t < len(c) {
		return c[t]
	}
	return 0
}

// with returns c with another time of one thread.
func (c clock) with(t int, time uint32) clock {
	out := make(clock, max(len(c), t+1))
	copy(out, c)
	out[t] = time
	return out
}

// joined returns the clock that has, of each thread, the later time of c and d.
func (c clock) joined(d clock) clock {
	if len(d) > len(c) {
		c, d = d, c
	}
	for i, n := range d {
		if n > c[i] {
			out := slices.Clone(c)
			for ; i < len(d); i++ {
				out[i] = max(out[i], d[i])
			}
			return out
		}
	}
	return c
}

// acquire orders what came before the releases of an object before all that the present thread
// does from now on.
func (th *threads) acquire(object ctype.Word) {
	if c, ok := th.order[object]; ok {
		th.cur.clock = th.cur.clock.joined(c)
	}
}

func (th *threads) release(object ctype.Word) {
	t := th.cur
	th.order[object] = t.clock.joined(th.order[object])
	t.clock = t.clock.with(t.number, t.clock.of(t.number)+1)
}

// reader is a thread's last read of a byte that several threads have read in no order.
type reader struct {
	thread, time uint32
	stmt         int32
}

// accessed is what is known of a byte: who wrote it last, and who has read it since.
type accessed struct {
	writer, wrote uint32 // thread and time; 0 for none
	reader, read  uint32
	wroteAt       int32 // statements
	readAt        int32
	readers       *[]reader // where the reads are in no order, instead of the one
}

const shadowPart = 64

// shadow is what is known of the bytes of a block.
type shadow []*[shadowPart]accessed

// racing reports whether accesses are looked at.
func (m *control) racing() bool { return m.several() && !m.cfg.Races }

// ordered orders a call of an atomic function among those on the same object. The function that it
// returns has to be called after the call.
func (m *control) ordered(c *libCall) func() {
	var object ctype.Word
	switch {
	case strings.HasSuffix(c.name, "_fence") || c.name == "__sync_synchronize":
		object = 1
	case strings.HasPrefix(c.name, "__atomic_") || strings.HasPrefix(c.name, "__sync_"):
		object = c.arg(0)
	default:
		return func() {}
	}
	th := m.th
	th.acquire(object)
	return func() { th.release(object) } // the call may have let another process go on
}

// raced notes an access of n bytes. It returns a fault if another thread's access is not ordered before it.
func (m *memory) raced(w ctype.Word, n int64, write bool) *Fault {
	b, off := m.Find(w)
	if b == nil || b.Freed || b.Kind == Stack || b.constant() || off < 0 || n <= 0 || n > b.Size || off > b.Size-n {
		return nil
	}
	sh := m.th.shadow[b.ID]
	if sh == nil {
		s := make(shadow, (b.Size+shadowPart-1)/shadowPart)
		sh = &s
		m.th.shadow[b.ID] = sh
	}
	t := m.th.cur
	me, now, at := uint32(t.number), t.clock.of(t.number), m.at()
	for i := off; i < off+n; i++ {
		part := (*sh)[i/shadowPart]
		if part == nil {
			part = new([shadowPart]accessed)
			(*sh)[i/shadowPart] = part
		}
		a := &part[i%shadowPart]
		if a.writer != 0 && a.writer != me && a.wrote > t.clock.of(int(a.writer)) {
			return m.race(w, n, b, off, write, a.writer, true, a.wroteAt)
		}
		if write {
			if r, ok := a.unordered(t); ok {
				return m.race(w, n, b, off, true, r.thread, false, r.stmt)
			}
			*a = accessed{writer: me, wrote: now, wroteAt: at}
			continue
		}
		a.reads(t, me, now, at)
	}
	return nil
}

// unordered returns a read that does not come before what a thread does now.
func (a *accessed) unordered(t *thread) (reader, bool) {
	if a.readers != nil {
		for _, r := range *a.readers {
			if r.thread != uint32(t.number) && r.time > t.clock.of(int(r.thread)) {
				return r, true
			}
		}
		return reader{}, false
	}
	if a.reader != 0 && a.reader != uint32(t.number) && a.read > t.clock.of(int(a.reader)) {
		return reader{a.reader, a.read, a.readAt}, true
	}
	return reader{}, false
}

// reads notes a read.
func (a *accessed) reads(t *thread, me, now uint32, at int32) {
	switch {
	case a.readers != nil:
		for i := range *a.readers {
			if r := &(*a.readers)[i]; r.thread == me {
				r.time, r.stmt = now, at
				return
			}
		}
		*a.readers = append(*a.readers, reader{me, now, at})
	case a.reader == 0 || a.reader == me || a.read <= t.clock.of(int(a.reader)):
		a.reader, a.read, a.readAt = me, now, at
	default:
		a.readers = &[]reader{{a.reader, a.read, a.readAt}, {me, now, at}}
	}
}

func (m *control) race(w ctype.Word, n int64, b *Block, off int64, write bool, other uint32, wrote bool, at int32) *Fault {
	now, before := "reads", "read"
	if write {
		now = "writes to"
	}
	if wrote {
		before = "wrote to"
	}
	return m.fault(DataRace, w, "thread %d %s %s at offset %d of %s, which thread %d %s at %s; nothing orders the two", m.th.cur.number, now, plural.N(n, "byte"), off, b.describe(), other, before, m.where(at))
}

// freeRaced returns a fault if another thread's access to a block is not ordered before the present one frees it.
func (m *control) freeRaced(w ctype.Word, b *Block) *Fault {
	t := m.th.cur
	sh := m.th.shadow[b.ID]
	if sh == nil {
		return nil
	}
	for _, part := range *sh {
		if part == nil {
			continue
		}
		for i := range part {
			a := &part[i]
			r, unordered := a.unordered(t)
			verb := "read"
			if a.writer != 0 && a.writer != uint32(t.number) && a.wrote > t.clock.of(int(a.writer)) {
				r, unordered, verb = reader{a.writer, a.wrote, a.wroteAt}, true, "wrote to"
			}
			if unordered {
				return m.fault(DataRace, w, "thread %d frees %s, which thread %d %s at %s; nothing orders the two", t.number, b.describe(), r.thread, verb, m.where(r.stmt))
			}
		}
	}
	delete(m.th.shadow, b.ID)
	return nil
}
