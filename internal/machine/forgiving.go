package machine

import "gulo/internal/ctype"

// This file lets a program go on behind errors of memory as if they did no harm. A block that is accessed outside
// gets larger, so that what is written there belongs to it alone and is read back (Rinard, Cadar, Dumitran, Roy and
// Leu, "A Dynamic Technique for Eliminating Buffer Overflow Vulnerabilities (and Other Memory Errors)", ACSAC 2004,
// section 2: boundless memory blocks). Blocks that are freed stay as they are (Berger and Zorn, "DieHard", PLDI 2006),
// freeing them again or freeing what is no block does nothing, bytes outside a block are zero, and those in it that were never written have one value, Config.Fill.
// Null and wild pointers, and variables of functions that have returned, end a run as before: nobody knows what was
// meant. What a program prints so is what its author may have expected; it is no proof.

// Bounds on what is outside a block, in bytes.
const (
	roomBehind = 1 << 20
	roomBefore = 4096
	moreRoom   = 64 // that a block grows by, at least
)

// forgive returns the block and offset for an access that is an error; nil if it stays one. In front of a block is memory of its own.
func (m *memory) forgive(w ctype.Word, n int64, write bool) (*Block, int64) {
	b, off := m.Find(w)
	if w < 1<<16 || b == nil || b.Kind == Code || b.large != nil || n < 0 || write && b.ReadOnly || b.Data == nil && b.Size > 0 {
		return nil, 0
	}
	if off < 0 {
		if off+n > 0 || off < -roomBefore {
			return nil, 0
		}
		if m.before == nil {
			m.before = map[uint32]*Block{}
		}
		front := m.before[b.ID]
		if front == nil {
			front = &Block{Kind: b.Kind, Size: roomBefore, Data: make([]byte, roomBefore)}
			m.before[b.ID] = front
		}
		return front, off + roomBefore
	}
	if off > b.Size+roomBehind || off+n > b.Size+roomBehind {
		return nil, 0
	}
	if write && b.clean {
		var f *Fault
		if b, f = m.soil(b, 0, 0); f != nil {
			return nil, 0
		}
	}
	if m.widen(b, off+n); off+n > b.Size { // the addresses behind it are another block's
		return nil, 0
	}
	return b, off
}

// widen makes a block at least so large, as far as its addresses go.
func (m *loaded) widen(b *Block, size int64) {
	if size <= b.Size {
		return
	}
	size += moreRoom
	old := b.Size
	was := ctype.Cells(b.ID, old)
	b.Data = append(b.Data[:old:old], make([]byte, size-old)...)
	if b.Init != nil {
		b.Init = append(b.Init[:len(b.Init):len(b.Init)], make([]byte, len(initBits(size))-len(b.Init))...)
	}
	b.Size = size
	if ctype.Cells(b.ID, size) > was { // the cells behind it are another block's
		b.Size = old
		b.Data = b.Data[:old]
	}
}

// resizeForgiving is resize where errors do no harm: what was written behind the block moves with it.
func (m *Machine) resizeForgiving(old ctype.Word, n int64) (ctype.Word, *Fault) {
	b, off := m.Find(old)
	if b == nil || b.Kind != Heap || off != 0 || n == 0 || b.large != nil {
		return old, nil
	}
	p, f := m.Malloc(n, false)
	if f != nil || p == 0 {
		return 0, f
	}
	if to, _ := m.Find(p); to != nil && to.large == nil {
		m.widen(to, min(b.Size, n+roomBehind))
		copy(to.Data, b.Data)
		return p, m.FreePtr(old)
	}
	return p, m.copyBytes(p, old, min(n, b.Size))
}
