package machine

import (
	"maps"
	"slices"

	"gulo/internal/ctype"
)

// This file is saved states. The machine shares a heap block with all states that were saved since
// the block last changed. Such a block is marked clean, and the machine copies it before it writes
// to it. So a state costs only what has changed since the last one. Other blocks are few, change
// all the time, and are copied.

// State is a copy of everything a run changes.
type State struct {
	m     Machine
	lib   library
	procs *savedProcesses // nil where there is one process

	heap   table // heap blocks by number; nobody changes them
	count  int   // of these
	others []*Block
	ids    []uint32 // of the others, in order
	made   int      // how many ids were taken
	own    int      // bytes that no earlier state shares
}

// table has the heap blocks of a state, by number from 1 on. It is not changed once it is made:
// tables of one run share what they have in common.
type table []*[tablePart]*Block

const tablePart = 256

func (t table) at(seq int) *Block { return t[(seq-1)/tablePart][(seq-1)%tablePart] }

// with returns the table of all blocks of a heap. It is t, which has the first known ones, with
// those whose numbers are in changed replaced and later ones added.
func (t table) with(heap []*Block, known int, changed []int32) table {
	if len(changed) == 0 && known == len(heap) {
		return t
	}
	out := slices.Clone(t)
	own := map[int]bool{}
	put := func(seq int) {
		i := (seq - 1) / tablePart
		for i >= len(out) {
			own[len(out)] = true
			out = append(out, new([tablePart]*Block))
		}
		if !own[i] {
			part := *out[i]
			out[i], own[i] = &part, true
		}
		out[i][(seq-1)%tablePart] = heap[seq-1]
	}
	for _, seq := range changed {
		if int(seq) <= known {
			put(int(seq))
		}
	}
	for seq := known + 1; seq <= len(heap); seq++ {
		put(seq)
	}
	return out
}

// soil returns a block of which n bytes at off may be written: b, or a copy in its place if b is
// shared. Precondition: b is clean.
func (m *memory) soil(b *Block, off, n int64) (*Block, *Fault) {
	switch {
	case b.large != nil:
		var f *Fault
		if b, f = m.soilLarge(b, off, n); f != nil {
			return nil, f
		}
	case b.kept:
		b = m.replace(b)
		b.Data = append(make([]byte, 0, len(b.Data)), b.Data...)
		if b.Init != nil {
			b.Init = append(make([]byte, 0, len(b.Init)), b.Init...)
		}
	}
	b.forgetMembers(off, n)
	return b, nil
}

// replace puts a new block in the place of b, with the same contents, and returns it.
func (m *memory) replace(b *Block) *Block {
	c := *b
	c.unions = b.unions.clone()
	c.kept, c.clean = false, c.large != nil || c.unions != nil
	m.fill(&c, &c)
	if c.Kind != Heap {
		return &c
	}
	m.heap[c.Seq-1] = &c
	if c.Seq <= m.savedTo {
		m.unsaved = append(m.unsaved, int32(c.Seq))
	}
	if m.noting && c.Seq <= m.known {
		m.soiled = append(m.soiled, int32(c.Seq))
	}
	return &c
}

// Changed returns the heap blocks that are new or have changed since it was called last. If it has
// not been called before, or a state was restored since, it returns all of them and ok is false.
// The machine does not change these Blocks any more.
func (m *memory) Changed() (changed []*Block, ok bool) {
	if ok = m.noting; ok {
		slices.Sort(m.soiled)
		for _, seq := range slices.Compact(m.soiled) {
			changed = append(changed, m.heap[seq-1])
		}
		changed = append(changed, m.heap[m.known:]...)
	} else {
		changed = m.heap
	}
	for _, b := range changed {
		b.keep()
	}
	if len(m.unsaved) > len(m.heap) {
		slices.Sort(m.unsaved)
		m.unsaved = slices.Compact(m.unsaved)
	}
	m.soiled, m.known, m.noting = nil, len(m.heap), true
	return changed, ok
}

// Share returns the contents of a heap block of n bytes at w. They never change, since the machine
// copies them before it writes to the block. ok is false for anything else, for a large block, and
// if an uninitialized byte is not 0.
func (m *memory) Share(w ctype.Word, n int64) (data []byte, ok bool) {
	b, off := m.Find(w)
	if b == nil || b.Kind != Heap || b.large != nil || off != 0 || n != b.Size || int64(len(b.Data)) != n {
		return nil, false
	}
	if b.Init != nil {
		for i, c := range b.Data {
			if c != 0 && b.Init[i>>3]&(1<<(i&7)) == 0 {
				return nil, false
			}
		}
	}
	b.keep()
	return b.Data[:n:n], true
}

// Save copies the state of the machine.
func (m *Machine) Save() *State {
	c := copyAll()
	s := m.saveOne(c)
	s.procs = m.procs.saved(m, c)
	return s
}

// saveOne copies the state of the present process.
func (m *Machine) saveOne(c *copying) *State {
	s := &State{made: len(m.blocks), count: len(m.heap)}
	m.lib.copyTo(&s.lib, c)
	for _, seq := range m.unsaved {
		s.own += m.share(m.heap[seq-1])
	}
	for _, b := range m.heap[m.savedTo:] {
		s.own += m.share(b)
	}
	m.saved = m.saved.with(m.heap, m.savedTo, m.unsaved)
	m.unsaved, m.savedTo = nil, len(m.heap)
	s.heap = m.saved
	s.own += 8 * len(s.heap)
	s.saveOthers(m)
	s.m = *m
	s.m.blocks, s.m.heap, s.m.soiled, s.m.large = nil, nil, nil, nil
	m.large = slices.DeleteFunc(m.large, func(p *pages) bool { return p.shared })
	s.m.regs = append([]ctype.Word(nil), m.regs...)
	s.m.atexit = append([]ctype.Word(nil), m.atexit...)
	s.m.frames = copyFrames(nil, m.frames)
	s.m.unset, s.m.spots = maps.Clone(m.unset), maps.Clone(m.spots)
	s.m.th = m.th.cloned()
	return s
}

// share marks a heap block as one that a state has; it returns what that costs.
func (m *loaded) share(b *Block) int {
	b.keep()
	return b.bytes()
}

// saveOthers copies the blocks that are not on the heap. What nobody can write to is shared.
func (s *State) saveOthers(m *Machine) {
	s.ids = make([]uint32, 0, len(m.fixed)+16)
	for _, id := range m.fixed {
		if m.Block(id) != nil {
			s.ids = append(s.ids, id)
		}
	}
	if len(s.ids) < len(m.fixed) {
		m.fixed = slices.Clone(s.ids)
	}
	m.fixed = slices.Clip(m.fixed)
	for fr := range m.activeFrames {
		for _, id := range fr.objs {
			if id != 0 {
				s.ids = append(s.ids, id)
			}
		}
		s.ids = append(s.ids, fr.vlas...)
		if fr.varargs != 0 {
			s.ids = append(s.ids, fr.varargs)
		}
	}
	slices.Sort(s.ids)
	s.others = make([]*Block, len(s.ids))
	for i, id := range s.ids {
		b := m.Block(id)
		switch {
		case b.constant():
		case b.large != nil:
			b.keep()
			s.own += b.bytes()
		default:
			b = b.copy()
			s.own += b.bytes()
		}
		s.others[i] = b
	}
	s.own += 12 * len(s.ids)
}

// constant reports whether nobody can write to a block.
func (b *Block) constant() bool { return b.ReadOnly || b.Kind == Code }

// copy returns a block as it is now.
func (b *Block) copy() *Block {
	c := *b
	c.Data = append([]byte(nil), b.Data...)
	if b.Init != nil {
		c.Init = append([]byte(nil), b.Init...)
	}
	c.unions = b.unions.clone()
	return &c
}

// Bytes is about how much memory a state takes.
func (s *State) Bytes() int64 { return int64(s.own) }

// find returns the block of a state that has an address, and the offset there; nil for one that
// it does not have.
func (s *State) find(w ctype.Word) (*Block, int64) {
	id, _ := ctype.SplitPointer(w)
	i, ok := slices.BinarySearch(s.ids, id)
	if !ok {
		i-- // a block may take several cells
	}
	if i >= 0 && s.others[i].contains(w) {
		return s.others[i], int64(w - s.others[i].Addr)
	}
	lo, hi := 1, s.count+1 // the first that comes later
	for lo < hi {
		mid := (lo + hi) / 2
		if s.heap.at(mid).ID <= id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo > 1 && s.heap.at(lo-1).contains(w) {
		return s.heap.at(lo - 1), int64(w - s.heap.at(lo-1).Addr)
	}
	return nil, 0
}

// contains reports whether an address is in a block or right behind it.
func (b *Block) contains(w ctype.Word) bool { return w-b.Addr <= ctype.Word(b.Size) }

// Peek reads a scalar of a saved state that was in one live object and written.
func (s *State) Peek(w ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	b, off := s.find(w)
	if b == nil || b.Freed || b.Kind == Code || off < 0 || off+t.Size > b.Size || !b.initialized(off, t.Size) {
		return 0, false
	}
	return ctype.Load(t, b.Data[off:]), true
}

// copyFrames copies frames into those of out, whose room is used again.
func copyFrames(out, in []frame) []frame {
	old := out[:cap(out)]
	out = slices.Grow(out[:0], len(in))[:len(in)]
	for i := range in {
		var objs []uint32
		if i < len(old) {
			objs = old[i].objs[:0]
		}
		out[i] = in[i]
		out[i].objs = append(objs, in[i].objs...)
		out[i].extra = append([]ctype.Word(nil), out[i].extra...)
		out[i].vlas = append([]uint32(nil), out[i].vlas...)
	}
	return out
}

// Restore brings back a saved state; the state can be restored again. What the machine has
// allocated for calls is used again: most runs are short.
func (m *Machine) Restore(s *State) {
	c := copyAll()
	m.restoreOne(s, c)
	m.procs = s.procs.restored(m, c)
}

// restoreOne brings back the state of one process.
func (m *Machine) restoreOne(s *State, c *copying) {
	tr, lib, cfg, laid, th := m.tr, m.lib, m.cfg, m.overlays, m.th
	regs, frames, blocks, heap, large := m.regs, m.frames, m.blocks, m.heap, m.large
	*m = s.m
	m.large = large
	m.dropLarge()
	m.tr, m.lib, m.cfg, m.overlays = tr, lib, cfg, laid
	s.lib.copyTo(m.lib, c)
	m.lib.m = m
	m.regs = append(regs[:0], s.m.regs...)
	m.atexit = append([]ctype.Word(nil), s.m.atexit...)
	m.unset, m.spots = maps.Clone(s.m.unset), maps.Clone(s.m.spots)
	m.frames = copyFrames(frames, s.m.frames)
	if m.th = s.m.th.cloned(); m.th != nil {
		m.ownGlobals(m.th.cur)
	} else if th != nil {
		m.ownGlobals(th.list[0])
	}
	m.lib.attach(m)
	clear(blocks)
	m.blocks = slices.Grow(blocks[:0], s.made)[:s.made]
	clear(m.blocks)
	clear(heap)
	m.heap = slices.Grow(heap[:0], s.count)[:s.count]
	s.blocksTo(m)
	m.nameCode(s.others)
	m.soiled, m.noting = nil, false
	for _, f := range m.funcs {
		for i := range f.pool {
			f.pool[i] = nil
		}
	}
}

// nameCode gives functions the addresses that they have in the blocks of a state. Addresses that
// were given out after the state was saved are forgotten, as other blocks may get their numbers.
func (m *memory) nameCode(blocks []*Block) {
	if len(m.fnBlocks) > 0 {
		m.fnBlocks, m.fnOf = map[int32]uint32{}, map[uint32]int32{} // other machines may have the old ones
	}
	for _, b := range blocks {
		if b.Kind != Code || b.Name != m.prog.IR.Funcs[b.Func].Name { // or an address on the stack
			continue
		}
		if len(m.fnBlocks) == 0 {
			m.fnBlocks, m.fnOf = map[int32]uint32{}, map[uint32]int32{}
		}
		m.fnBlocks[b.Func], m.fnOf[b.ID] = b.ID, b.Func
	}
}

// copiedHeap bounds the heap blocks that are copied when a state is restored, all at once: to do
// that for each when it is written to would take longer. Repair restores states of few blocks
// very often.
const copiedHeap = 64

// blocksTo gives a machine the blocks of a state.
func (s *State) blocksTo(m *Machine) {
	size, n := 0, 0
	eager := s.count <= copiedHeap
	count := func(b *Block) {
		if !b.constant() && b.large == nil {
			size += len(b.Data) + len(b.Init)
			n++
		}
	}
	for _, b := range s.others {
		count(b)
	}
	for seq := 1; eager && seq <= s.count; seq++ {
		count(s.heap.at(seq))
	}
	copies, data := make([]Block, 0, n), make([]byte, 0, size)
	room := func(from []byte) []byte {
		n := len(data)
		data = append(data, from...)
		return data[n:len(data):len(data)]
	}
	own := func(b *Block) *Block {
		if b.constant() || b.large != nil {
			return b
		}
		copies = append(copies, *b)
		c := &copies[len(copies)-1]
		c.Data, c.unions = room(b.Data), b.unions.clone()
		c.kept, c.clean = false, c.unions != nil
		if b.Init != nil {
			c.Init = room(b.Init)
		}
		return c
	}
	for _, b := range s.others {
		b = own(b)
		m.fill(b, b)
	}
	for seq := 1; seq <= s.count; seq++ {
		b := s.heap.at(seq)
		if eager {
			b = own(b)
		}
		m.heap[seq-1] = b
		m.fill(b, b)
	}
	if eager {
		m.saved, m.unsaved, m.savedTo = nil, nil, 0
	}
}
