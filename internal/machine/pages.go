package machine

import (
	"math/bits"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"

	"gulo/internal/ctype"
)

// This file is large blocks. A program may declare far more memory than it uses: what a large
// block costs is the pages that were written, and so do its copies. Its memory is mapped and not
// the garbage collector's, which would count all of it.
//
// Large blocks are always clean, so that every write goes through soil, which counts the pages.
// States share them, and the machine makes a copy at the first write after that.

const (
	largeBlock = 256 << 10 // blocks of this size or more are large
	maxRoom    = 16 << 30  // bytes of addresses that the large blocks of a program may take
)

// pages is the memory of a large block.
type pages struct {
	all        []byte   // what is mapped
	data, init []byte   // parts of it; init only where the block began without values
	written    []uint64 // a bit a page
	count      int64    // of these
	shared     bool     // a state has it: it is not changed any more
	cleanup    runtime.Cleanup
}

// extent is memory that is mapped, in bytes of addresses and of pages that were written. When it
// has grown much, newPages runs the garbage collector, as a part of it may be garbage.
var extent struct{ mapped, used, lastMapped, lastUsed atomic.Int64 }

const (
	moreMapped = 64 << 30
	moreUsed   = 512 << 20
)

// newPages maps memory for a block; nil where the system has none.
func newPages(size int64, init bool) *pages {
	if extent.mapped.Load()-extent.lastMapped.Load() > moreMapped || extent.used.Load()-extent.lastUsed.Load() > moreUsed {
		runtime.GC()
		extent.lastMapped.Store(extent.mapped.Load())
		extent.lastUsed.Store(extent.used.Load())
	}
	n := size
	if init {
		n += (size + 7) / 8
	}
	all, err := syscall.Mmap(-1, 0, int(n), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		return nil
	}
	p := &pages{all: all, data: all[:size:size], written: make([]uint64, (size+page-1)/page/64+1)}
	if init {
		p.init = all[size:]
	}
	extent.mapped.Add(n)
	p.cleanup = runtime.AddCleanup(p, unmap, mapping{all, p.written})
	return p
}

// mapping is what unmap gives back to the system.
type mapping struct {
	all     []byte
	written []uint64
}

func unmap(x mapping) {
	var n int64
	for _, w := range x.written {
		n += int64(bits.OnesCount64(w))
	}
	extent.mapped.Add(-int64(len(x.all)))
	extent.used.Add(-n * page)
	_ = syscall.Munmap(x.all) // it was mapped
}

// release gives memory back that nobody shares and nobody will use.
func (p *pages) release() {
	if !p.shared {
		p.cleanup.Stop()
		unmap(mapping{p.all, p.written})
	}
}

// copy returns pages with the same contents.
func (p *pages) copy() *pages {
	c := newPages(int64(len(p.data)), p.init != nil)
	if c == nil {
		return nil
	}
	for i, w := range p.written {
		for ; w != 0; w &= w - 1 {
			from := (int64(i)*64 + int64(bits.TrailingZeros64(w))) * page
			copy(c.data[from:], p.data[from:min(from+page, int64(len(p.data)))])
			if p.init != nil {
				copy(c.init[from/8:], p.init[from/8:min((from+page)/8, int64(len(p.init)))])
			}
		}
	}
	copy(c.written, p.written)
	c.count = p.count
	extent.used.Add(p.count * page)
	return c
}

// has reports whether the pages of n bytes at off were written before.
func (p *pages) has(off, n int64) bool {
	for k := off / page; k <= (off+n-1)/page; k++ {
		if p.written[k/64]&(1<<(k%64)) == 0 {
			return false
		}
	}
	return true
}

// write notes that n bytes at off are written, and returns how many pages are written for the first time.
func (p *pages) write(off, n int64) int64 {
	was := p.count
	for k := off / page; k <= (off+n-1)/page; k++ {
		if p.written[k/64]&(1<<(k%64)) == 0 {
			p.written[k/64] |= 1 << (k % 64)
			p.count++
		}
	}
	extent.used.Add((p.count - was) * page)
	return p.count - was
}

// enlarge maps memory for a new block if it is large, and reports whether it has done so.
func (b *Block) enlarge(init bool) bool {
	if b.Size < largeBlock {
		return false
	}
	p := newPages(b.Size, init)
	if p == nil {
		return false
	}
	b.setPages(p)
	return true
}

func (b *Block) setPages(p *pages) {
	b.large, b.Data, b.clean = p, p.data, true
	if p.init != nil {
		b.Init = p.init
	}
}

// keep marks the contents of a block as shared: from now on they are copied before they change.
func (b *Block) keep() {
	switch {
	case b.large != nil && !b.large.shared:
		b.large.shared = true
	case b.large == nil && !b.kept: // a shared block is not even marked again: others may be reading it
		b.kept, b.clean = true, true
	}
}

// bytes is about what a copy of a block takes.
func (b *Block) bytes() int {
	if b.large != nil {
		return perBlock + int(b.large.count)*(page+page/8)
	}
	return perBlock + len(b.Data) + len(b.Init)
}

// soilLarge returns a large block of which n bytes at off may be written: b, or a copy if its pages
// are shared. It is a fault if there is no memory for that.
func (m *memory) soilLarge(b *Block, off, n int64) (*Block, *Fault) {
	if b.large.shared {
		p := b.large.copy()
		if p == nil {
			return nil, m.fault(LimitFault, 0, "the system has no more memory")
		}
		own := b.Init != nil && b.large.init == nil // marks that came later
		b = m.replace(b)
		b.setPages(p)
		if own {
			b.Init = slices.Clone(b.Init)
		}
		m.large = append(m.large, p)
	}
	if n <= 0 {
		return b, nil
	}
	if more := b.large.write(off, n); more > 0 {
		if m.heapBytes += more * page; m.heapBytes > m.cfg.MaxMemory {
			return nil, m.fault(LimitFault, b.Addr+ctype.Word(off), "memory limit of %d MiB reached", m.cfg.MaxMemory>>20)
		}
	}
	return b, nil
}

// forget takes the pages of a large block that has ended out of the counts.
func (m *memory) forget(b *Block) {
	if b.large == nil {
		return
	}
	m.heapBytes -= b.large.count * page
	if i := slices.Index(m.large, b.large); i >= 0 {
		m.large = slices.Delete(m.large, i, i+1)
	}
}

// dropLarge gives the memory of large blocks back that only the machine has. Precondition: none of
// them is used again.
func (m *memory) dropLarge() {
	for _, p := range m.large {
		p.release()
	}
	clear(m.large)
	m.large = m.large[:0]
}
