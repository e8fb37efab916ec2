package gdb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"

	"gulo/internal/target"
)

// This file reads the heap of a process that was attached to, or of a core file: glibc's malloc, from 2.32 on, as
// it is in memory.
//
// Reference: glibc's malloc/malloc.c, "Vital statistics" and tcache_perthread_struct; tried
// with 2.36. The main arena begins at the mapping [heap] with a chunk that holds the thread's
// cache. Chunks follow one another; a chunk is free when the next one says so, when the cache
// has it, or a fast bin of the arena. Sizes are those of chunks: malloc(20) and malloc(24)
// look alike. Blocks that were mapped each on its own (128 KiB and more) and heaps that are
// not glibc's are not seen.

// Bits of a chunk's size.
const (
	chunkInUse = 1 // the chunk before it is in use
	chunkBits  = 7
)

// chunk is a chunk of the heap; addr is what malloc returned.
type chunk struct {
	addr, size uint64
	free       bool // the next chunk says so: it is in no cache
}

// heapBlocks lists the blocks of the heap. Numbers are given at first sight, by address; a
// block that was seen freed and is in use again is another one.
func (t *Target) heapBlocks() ([]target.Block, error) {
	if t.mem == nil {
		return nil, nil
	}
	m, err := t.heapMaps()
	if err != nil || m.lo == m.hi {
		return nil, err
	}
	lo, hi := m.lo, m.hi
	lo += firstChunk(t.mem, lo, hi)
	data := make([]byte, hi-lo)
	if !t.mem.read(lo, data) {
		return nil, errors.New("cannot read the heap")
	}
	list, top, err := chunks(data, lo)
	if err != nil {
		return nil, err
	}
	cached, err := t.cached(data, lo)
	if err != nil {
		return nil, err
	}
	own := t.libraryUse(m, top, cached)
	if t.seen == nil {
		t.seen = map[uint64]target.Block{}
	}
	var out []target.Block
	for _, c := range list[1:] { // the first is the cache itself
		if own[c.addr] || c.free {
			continue
		}
		live := !cached[c.addr]
		b, known := t.seen[c.addr]
		switch {
		case !known && !live && t.core == nil:
			continue // freed before anybody looked
		case !known || b.Size != int64(c.size) || live && !b.Live:
			t.numbers++
			b = target.Block{Addr: c.addr, Size: int64(c.size), Seq: t.numbers, Round: true}
		}
		b.Live = live
		t.seen[c.addr] = b
		out = append(out, b)
	}
	return out, nil
}

// cacheChunk is the size, with its bits, of the chunk that a heap begins with.
const cacheChunk = 0x290 | chunkInUse

// heapMaps is where the heap is, and the writable data of glibc and of the program.
type heapMaps struct {
	lo, hi  uint64
	libc    []segment
	program []segment // below the heap
}

// add notes a writable mapping that is not the heap; isLibc says that it is of glibc's file. near
// says that the mapping before is: glibc's zero-initialized data is in one without a name behind it.
func (m *heapMaps) add(s segment, name string, near bool) (isLibc bool) {
	isLibc = isLibcName(name)
	switch {
	case isLibc || near && name == "":
		m.libc = append(m.libc, s)
	case m.lo == 0:
		m.program = append(m.program, s)
	}
	return isLibc
}

// firstChunk returns how far into its mapping a heap begins: where the C library is linked
// statically, its own data comes first.
func firstChunk(m *memory, lo, hi uint64) uint64 {
	b := make([]byte, min(hi-lo, 2*pageSize))
	if m.read(lo, b) {
		for i := 0; i+16 <= len(b); i += 16 {
			if binary.LittleEndian.Uint64(b[i:]) == 0 && binary.LittleEndian.Uint64(b[i+8:]) == cacheChunk {
				return uint64(i)
			}
		}
	}
	return 0
}

func (t *Target) heapMaps() (*heapMaps, error) {
	if t.core != nil {
		return t.core.maps(t.mem), nil
	}
	return mapsOf(t.pid)
}

func mapsOf(pid int) (*heapMaps, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil, err
	}
	m, near := &heapMaps{}, false
	for _, l := range strings.Split(string(b), "\n") {
		f := strings.Fields(l)
		if len(f) < 5 {
			continue
		}
		var s segment
		if _, err := fmt.Sscanf(f[0], "%x-%x", &s.lo, &s.hi); err != nil {
			return nil, err
		}
		name := ""
		if len(f) > 5 {
			name = f[5]
		}
		switch {
		case name == "[heap]":
			m.lo, m.hi, near = s.lo, s.hi, false
		case strings.HasPrefix(f[1], "rw"):
			near = m.add(s, name, near)
		default:
			near = false
		}
	}
	return m, nil
}

// chunks walks the heap; top is the chunk that is left at its end.
func chunks(data []byte, lo uint64) (list []chunk, top uint64, err error) {
	for at := uint64(0); at+16 <= uint64(len(data)); {
		field := binary.LittleEndian.Uint64(data[at+8:])
		size := field &^ chunkBits
		if size < 32 || at+size > uint64(len(data)) {
			return nil, 0, errors.New("the heap of the process is not as glibc's malloc leaves it")
		}
		if n := len(list); n > 0 {
			list[n-1].free = field&chunkInUse == 0
		}
		if at+size == uint64(len(data)) {
			if len(list) == 0 {
				break
			}
			return list, lo + at, nil
		}
		list = append(list, chunk{addr: lo + at + 16, size: size - 8})
		at += size
	}
	return nil, 0, errors.New("the heap of the process is not as glibc's malloc leaves it")
}

// cached returns the blocks in the thread's cache.
func (t *Target) cached(data []byte, lo uint64) (map[uint64]bool, error) {
	const bins = 64
	if len(data) < 0x290 || binary.LittleEndian.Uint64(data[8:])&^chunkBits != cacheChunk&^chunkBits {
		return nil, errors.New("the heap of the process is not that of glibc 2.32 to 2.41, and cannot be read")
	}
	out := map[uint64]bool{}
	for i := range bins {
		n := binary.LittleEndian.Uint16(data[16+2*i:])
		p := binary.LittleEndian.Uint64(data[16+2*bins+8*i:])
		for ; n > 0 && p != 0; n-- {
			if p < lo || p+8 > lo+uint64(len(data)) || out[p] {
				return nil, errors.New("the cache of freed blocks is damaged")
			}
			out[p] = true
			p = p>>12 ^ binary.LittleEndian.Uint64(data[p-lo:]) // links are hidden in this way
		}
	}
	return out, nil
}

// libraryUse returns the blocks that the C library itself points to, such as buffers, and puts
// the blocks of the fast bins among the cached ones. The arena is found by its pointer to the
// top chunk, and by the bins behind it, which point to themselves while they are empty. Where the
// C library is linked statically its data is among the program's, and its blocks are not told from
// others.
func (t *Target) libraryUse(m *heapMaps, top uint64, cached map[uint64]bool) map[uint64]bool {
	own := map[uint64]bool{}
	lo, hi, segs := m.lo, m.hi, m.libc
	if len(segs) == 0 {
		segs = m.program
	}
	for _, s := range segs {
		data := make([]byte, s.hi-s.lo)
		if !t.mem.read(s.lo, data) {
			continue
		}
		word := func(i int) uint64 { return binary.LittleEndian.Uint64(data[i:]) }
		for i := 0; i+8 <= len(data); i += 8 {
			w := word(i)
			if w == top && i >= 80 && i+16+2*8*127 < len(data) && t.arenaAt(s.lo, i, word) {
				for k := range 10 {
					t.fast(word(i-80+8*k), lo, hi, cached)
				}
				continue
			}
			if w >= lo && w < hi && len(m.libc) > 0 {
				own[w] = true
			}
		}
	}
	return own
}

// arenaAt reports whether the bins behind a pointer to the top chunk are an arena's.
func (t *Target) arenaAt(base uint64, i int, word func(int) uint64) bool {
	self := 0
	for k := range 127 {
		at := i + 16 + 16*k
		if here := base + uint64(at) - 16; word(at) == here && word(at+8) == here {
			self++
		}
	}
	return self > 64
}

// fast follows a fast bin.
func (t *Target) fast(p, lo, hi uint64, cached map[uint64]bool) {
	for n := 0; p >= lo && p+24 <= hi && n < 1<<20; n++ {
		if cached[p+16] {
			return
		}
		cached[p+16] = true
		next, ok := t.mem.word(p + 16)
		if !ok {
			return
		}
		p = (p+16)>>12 ^ next
	}
}
