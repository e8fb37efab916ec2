package gdb

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"gulo/internal/ctype"
	"gulo/internal/target"
)

// This file is gulo's copy of what the process can write: it is compared with the memory at
// every stop, page by page, so that what looks at the heap need look only at the pages that have
// changed, and saved states share the others. Where the kernel says which pages were written
// (writes.go) only these are read.

// page is a page as it was. It is not changed once it is made.
type page [pageSize]byte

// mirror is the writable memory as it was when it was last compared.
type mirror struct {
	segs    []segment
	asOf    int64           // the client's count of runs then; 0: gulo has written to the memory since
	changed []target.Extent // pages that have changed since Changes was called last
	all     bool            // everything may have changed since then

	log    []logPart
	writes *writes // nil where the kernel does not tell
}

// logPart is a chunk of the allocation log, as it was when it was last read.
type logPart struct {
	addr  uint64
	first int // number of its first block
	count int // blocks of the program in it
	next  uint64
}

// batch is how many pages are read at once.
const batch = 64

// openMemory opens the memory of the process in hand, and forgets the mirror of another one.
func (t *Target) openMemory() (err error) {
	t.mirror.writes.close()
	t.mirror = mirror{all: true}
	if t.mem, err = openMemory(t.pid); err != nil {
		return err
	}
	t.mem.wrote = func() { t.mirror.asOf = 0 }
	if t.info != nil && t.info.written != 0 && t.attached == 0 && !t.forks.entered() { // a child has no such watch
		t.mirror.writes = openWrites(t.pid, t.mem, t.info.written)
	}
	return nil
}

// current reports whether the mirror is what the process has, so that look has nothing to do.
func (t *Target) current() bool { return t.mirror.asOf != 0 && t.mirror.asOf == t.c.runs.Load() }

// look makes the mirror what the process has, and notes what has changed.
func (t *Target) look() error {
	m, runs := &t.mirror, t.c.runs.Load()
	if t.current() {
		return nil
	}
	segs, err := writableMaps(t.pid)
	if err != nil {
		return err
	}
	old := map[uint64]int{}
	for i := range m.segs {
		old[m.segs[i].lo] = i
	}
	buf := make([]byte, batch*pageSize)
	for i := range segs {
		s := &segs[i]
		var was []*page
		if k, ok := old[s.lo]; ok {
			was = m.segs[k].pages
		} else {
			m.all = true // a new mapping; it may be where another was
		}
		if err := t.update(s, was, buf); err != nil {
			m.segs, m.all = nil, true // the kernel does not say twice what was written
			return err
		}
		if len(s.pages) < len(was) {
			m.all = true
		}
	}
	m.all = m.all || len(m.segs) > len(segs)
	m.segs, m.asOf = segs, runs
	return nil
}

// update reads what has been written of a segment; was is its pages as they were, from its
// beginning. The first page is read in any case: that cannot be done when the process has become
// another program.
func (t *Target) update(s *segment, was []*page, buf []byte) error {
	n := int((s.hi - s.lo) / pageSize)
	w := t.mirror.writes
	if old := s.lo + uint64(len(was))*pageSize; s.lo < old && old <= s.hi {
		if list, ok := w.since(s.lo, old); ok {
			s.pages = append(slices.Clone(was), make([]*page, n-len(was))...)
			list = append(list, target.Extent{Addr: s.lo, End: s.lo + pageSize})
			if old < s.hi {
				w.watch(old, s.hi)
				list = append(list, target.Extent{Addr: old, End: s.hi})
			}
			for _, e := range list {
				if err := t.compare(s, was, int((e.Addr-s.lo)/pageSize), int((e.End-s.lo)/pageSize), buf); err != nil {
					return err
				}
			}
			return nil
		}
	}
	w.watch(s.lo, s.hi)
	s.pages = make([]*page, n)
	return t.compare(s, was, 0, n, buf)
}

// compare reads some pages of a segment; was is its pages as they were, from its beginning.
func (t *Target) compare(s *segment, was []*page, from, n int, buf []byte) error {
	shared := was != nil
	for i := from; i < n; i += batch {
		at, b := s.lo+uint64(i)*pageSize, buf[:min(batch, n-i)*pageSize]
		if !t.mem.read(at, b) {
			return fmt.Errorf("cannot read the program's memory at %#x", at)
		}
		for k := range len(b) / pageSize {
			p := b[k*pageSize : (k+1)*pageSize]
			if j := i + k; j < len(was) && bytes.Equal(p, was[j][:]) {
				s.pages[j] = was[j]
				continue
			}
			s.pages[i+k] = (*page)(bytes.Clone(p))
			if shared {
				t.mirror.touched(at + uint64(k)*pageSize)
			}
		}
	}
	return nil
}

// maxExtents bounds how many pages apart are remembered as changed.
const maxExtents = 1 << 14

func (m *mirror) touched(at uint64) {
	if n := len(m.changed); n > 0 && m.changed[n-1].End == at {
		m.changed[n-1].End += pageSize
		return
	}
	if len(m.changed) == maxExtents {
		m.all = true
		return
	}
	m.changed = append(m.changed, target.Extent{Addr: at, End: at + pageSize})
}

// read copies what the mirror has of some memory; ok is false where that is not all.
func (m *mirror) read(addr uint64, buf []byte) (ok bool) {
	i, found := slices.BinarySearchFunc(m.segs, addr, func(s segment, a uint64) int {
		switch {
		case s.hi <= a:
			return -1
		case s.lo > a:
			return 1
		}
		return 0
	})
	if !found || addr+uint64(len(buf)) > m.segs[i].hi {
		return false
	}
	s := &m.segs[i]
	for len(buf) > 0 {
		off := addr - s.lo
		n := copy(buf, s.pages[off/pageSize][off%pageSize:])
		buf, addr = buf[n:], addr+uint64(n)
	}
	return true
}

// Changes implements target.Changer.
func (t *Target) Changes() (target.Changes, bool, error) {
	if t.mem == nil || t.attached != 0 || t.core != nil {
		return target.Changes{}, false, nil
	}
	if err := t.look(); err != nil {
		return target.Changes{}, false, err
	}
	m := &t.mirror
	c := target.Changes{Memory: union(m.changed)}
	ok := !m.all && len(m.log) > 0
	m.changed, m.all = nil, false
	if !ok {
		m.log = nil
	}
	same, err := t.readLog(&c)
	return c, ok && same, err
}

// union puts extents in order, and those together that touch.
func union(list []target.Extent) []target.Extent {
	slices.SortFunc(list, func(a, b target.Extent) int {
		if a.Addr < b.Addr {
			return -1
		}
		return 1
	})
	var out []target.Extent
	for _, e := range list {
		if n := len(out); n > 0 && e.Addr <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, e.End)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// overlaps reports whether bytes between two addresses have changed.
func overlaps(list []target.Extent, from, to ctype.Word) bool {
	i, _ := slices.BinarySearchFunc(list, from, func(e target.Extent, a ctype.Word) int {
		if e.End <= a {
			return -1
		}
		return 1
	})
	return i < len(list) && list[i].Addr < to
}

// readLog adds to c the blocks whose entries in the allocation log have changed, and the count of
// blocks; same is false if the log is not the earlier one with at most more entries at its end.
func (t *Target) readLog(c *target.Changes) (same bool, err error) {
	m := &t.mirror
	same = true
	addr, number := t.info.allocN, 1
	for i := 0; addr != 0; i++ {
		if i < len(m.log) && (m.log[i].addr != addr || m.log[i].first != number) {
			m.log, same = m.log[:i], false
		}
		if i == len(m.log) {
			m.log = append(m.log, logPart{addr: addr, first: number, count: -1})
		}
		p := &m.log[i]
		if p.count < 0 || overlaps(c.Memory, addr, addr+16+chunkBlocks*blockBytes) {
			blocks, next, err := t.logAt(addr, number)
			if err != nil {
				return false, err
			}
			c.Blocks = append(c.Blocks, t.inChanged(blocks, addr, p, c)...)
			p.count, p.next = len(blocks), next
		}
		addr, number = p.next, number+p.count
	}
	c.Count = number - 1
	return same, nil
}

// inChanged returns those blocks of a chunk of the log whose entries have changed; all of them if
// the chunk was not read before.
func (t *Target) inChanged(blocks []logged, addr uint64, p *logPart, c *target.Changes) []target.Block {
	var out []target.Block
	for _, b := range blocks {
		at := addr + 16 + uint64(b.index)*blockBytes
		if p.count < 0 || overlaps(c.Memory, at, at+blockBytes) {
			out = append(out, b.Block)
		}
	}
	return out
}

// logged is a block of the log.
type logged struct {
	target.Block
	index int // in its part
}

// logAt reads the chunk of the log at an address; number is that of its first block. next is the
// address of the next chunk, 0 for none.
func (t *Target) logAt(addr uint64, number int) (out []logged, next uint64, err error) {
	var head [16]byte
	if !t.Read(addr, head[:]) {
		return nil, 0, errors.New("cannot read the allocation log")
	}
	next, n := binary.LittleEndian.Uint64(head[:]), binary.LittleEndian.Uint64(head[8:])
	if n > chunkBlocks {
		return nil, 0, errors.New("the allocation log is damaged")
	}
	buf := make([]byte, n*blockBytes)
	if n > 0 && !t.Read(addr+16, buf) {
		return nil, 0, errors.New("cannot read the allocation log")
	}
	for i := 0; i < len(buf); i += blockBytes {
		if binary.LittleEndian.Uint64(buf[i+24:]) == 0 {
			continue
		}
		b := target.Block{
			Addr: binary.LittleEndian.Uint64(buf[i:]), Size: int64(binary.LittleEndian.Uint64(buf[i+8:])),
			Live: binary.LittleEndian.Uint64(buf[i+16:]) != 0, Seq: number + len(out),
		}
		out = append(out, logged{b, i / blockBytes})
	}
	return out, next, nil
}
