package machine

import "gulo/internal/ctype"

// This file is brk and sbrk. What they give is one block, behind which there is room for it to become larger.

func init() {
	register(map[string]builtin{"sbrk": libSbrk, "brk": libBrk})
}

// mostBrk is how large the memory of sbrk can become.
const mostBrk = 256 << 20

// breakBlock returns the block of sbrk; the first call makes it.
func (mp *mappings) breakBlock() (*Block, *Fault) {
	if mp.brk != 0 {
		return mp.m.Block(mp.brk), nil
	}
	b, f := mp.make(mostBrk, "memory of sbrk")
	if b == nil {
		return nil, f
	}
	mp.brk = b.ID
	b.room, b.Size = b.Size, 0
	return b, nil
}

// setBreak makes the block of sbrk n bytes large, and reports whether it can be.
func (m *Machine) setBreak(b *Block, n int64) (bool, *Fault) {
	if n < 0 || n > b.room {
		return false, nil
	}
	if n < b.Size { // what comes there again is zeros
		var f *Fault
		if b, f = m.soft(b, 0); f != nil {
			return false, f
		}
		for at := n; at < b.Size; at += page {
			k := min(page, b.Size-at)
			if b.large == nil || b.large.has(at, k) {
				if b, f = m.soil(b, at, k); f != nil {
					return false, f
				}
				clear(b.Data[at : at+k])
			}
		}
	}
	c := *b // saved states have the old one
	c.Size = n
	if c.large != nil {
		c.large.shared = c.large.shared || b.kept
	}
	m.fill(&c, &c)
	return true, nil
}

func libSbrk(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b, f := m.lib.mappings.breakBlock()
	if f != nil {
		return 0, f
	}
	old := b.Addr + ctype.Word(b.Size)
	if c.long(0) == 0 {
		return old, nil
	}
	ok, f := m.setBreak(b, b.Size+c.long(0))
	if !ok && f == nil {
		m.set(errNOMEM)
		return ^ctype.Word(0), nil
	}
	return old, f
}

// libBrk is brk, and as a system call the one that returns the break.
func libBrk(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b, f := m.lib.mappings.breakBlock()
	if f != nil {
		return 0, f
	}
	ok, f := m.setBreak(b, int64(c.arg(0)-b.Addr))
	switch {
	case f != nil:
		return 0, f
	case c.name == "syscall":
		b = m.Block(m.lib.mappings.brk)
		return b.Addr + ctype.Word(b.Size), nil
	case !ok:
		return m.failed(errNOMEM)
	}
	return 0, nil
}
