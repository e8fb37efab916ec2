package machine

import (
	"gulo/internal/ctype"
	"gulo/internal/plural"
)

// This file is the memory of the abstract machine: the heap H, the freed set F
// and the stack S of Wang, Neamtiu and Gupta ("Generating Sound and Effective
// Memory Debuggers", ISMM 2013, section 3.2). A block has an id that is never
// used again, and an address that follows from it (ctype.Base). Ids of
// ended stack blocks keep no record beyond being dead.

// BlockKind says what kind of object a block holds.
type BlockKind uint8

const (
	Heap BlockKind = iota
	Stack
	Global
	Code // a function; its address may be called, not read
)

// Block is one object.
type Block struct {
	ID       uint32
	Kind     BlockKind
	ReadOnly bool
	Freed    bool
	closed   bool   // Freed is set because the program may not access it: mprotect, PROT_NONE
	clean    bool   // to be written only after soil: it is shared, it is large, or something is known of its unions
	kept     bool   // it is shared with states or with callers of Changed or Share; of a large block its pages say that
	large    *pages // its memory; nil for a block that is not large
	Addr     ctype.Word
	Size     int64
	room     int64 // how large it may become, where that is more
	Data     []byte
	Init     []byte // a bit a byte: written since allocation; nil when all are
	Time     int64  // k: when it was made
	Seq      int    // heap blocks: order of allocation, from 1
	Alloc    int32  // statement that made it
	Free     int32  // statement that freed it
	Printed  int64  // bytes that were printed when it was freed
	Steps    int64  // steps that were made when it was freed
	Name     string
	Func     int32       // Code: index of the function
	Obj      *ctype.Type // the declared type, nil for heap blocks
	Var      any         // of variables: the declaration (*cfront.Var), nil where there is none
	unions   *unions     // nil where nothing is known of any, see member.go
}

// perBlock is about what a block costs beside its contents, in bytes: without it
// small blocks could be allocated without end.
const perBlock = 128

// maxBlocks bounds the cells of blocks that were ever made.
const maxBlocks = int(ctype.MaxCells / 16 * 15)

// alignment is that of all blocks, as malloc has it.
const alignment = 16

func (m *memory) newBlock(kind BlockKind, size int64) *Block {
	return m.newAligned(kind, size, alignment)
}

// newAligned makes a block whose address is a multiple of align, a power of two.
func (m *memory) newAligned(kind BlockKind, size, align int64) *Block {
	b := &Block{Kind: kind, Size: size}
	if b.enlarge(false) {
		m.large = append(m.large, b.large)
	} else {
		b.Data = make([]byte, size)
	}
	m.adopt(b, align)
	return b
}

// newUnset makes a block without values: what is in it counts as never written.
func (m *memory) newUnset(kind BlockKind, size, align int64) *Block {
	b := &Block{Kind: kind, Size: size}
	if b.enlarge(true) {
		m.large = append(m.large, b.large)
	} else {
		b.Data, b.Init = make([]byte, size), initBits(size)
		if m.cfg.Fill != 0 {
			for i := range b.Data {
				b.Data[i] = m.cfg.Fill
			}
		}
	}
	m.adopt(b, align)
	return b
}

// adopt gives a block the next id whose address is a multiple of align.
func (m *memory) adopt(b *Block, align int64) {
	b.ID = uint32(len(m.blocks))
	if b.Kind == Stack {
		b.ID |= ctype.StackBlock
	}
	b.Addr = ctype.Base(b.ID)
	for align > alignment && b.Addr&ctype.Word(align-1) != 0 && len(m.blocks) < maxBlocks {
		m.blocks = append(m.blocks, nil)
		b.ID++
		b.Addr = ctype.Base(b.ID)
	}
	b.Time = m.steps
	b.Alloc = m.at()
	m.blocks = append(m.blocks, b)
	for range ctype.Cells(b.ID, b.Size) - 1 {
		m.blocks = append(m.blocks, b)
	}
	if b.Kind == Global || b.Kind == Code {
		m.fixed = append(m.fixed, b.ID)
	}
	if m.cfg.Monitor != nil && b.Kind != Code {
		m.cfg.Monitor.Made(b)
		if b.Kind == Global {
			m.wrote(b)
		}
	}
}

// wrote tells the monitor that all of a block has values.
func (m *loaded) wrote(b *Block) {
	if m.cfg.Monitor != nil {
		m.cfg.Monitor.Wrote(b.Addr, b.Size)
	}
}

// fill makes the cells of a block hold another one.
func (m *memory) fill(of, with *Block) {
	i := int(of.ID &^ ctype.StackBlock)
	m.blocks[i] = with
	for n := ctype.Cells(of.ID, max(of.Size, of.room)); n > 1; n-- {
		m.blocks[i+n-1] = with
	}
}

func initBits(size int64) []byte { return make([]byte, (size+7)/8) }

// Block returns the block with an id; nil when it never was or is a stack
// block that has ended.
func (m *memory) Block(id uint32) *Block {
	if id &^= ctype.StackBlock; int(id) < len(m.blocks) {
		return m.blocks[id]
	}
	return nil
}

// Find returns the block that an address is in or near, and the offset there; nil for none.
func (m *memory) Find(w ctype.Word) (*Block, int64) {
	b, off := m.cell(w)
	if off < -(1<<32) || off > 1<<40 { // the address is one of the stack and the block is not, or the other way round
		return nil, 0
	}
	return b, off
}

// access returns the block and offset for an access of n bytes, or the fault
// that the access is; all n bytes are then read or written.
func (m *memory) access(w ctype.Word, n int64, write bool) (*Block, int64, *Fault) {
	if m.racing() {
		if f := m.raced(w, n, write); f != nil {
			return nil, 0, f
		}
	}
	if m.cfg.Monitor == nil {
		return m.reach(w, n, write)
	}
	kind := ReadAccess
	if write {
		kind = WriteAccess
	}
	if f := m.cfg.Monitor.Accessing(w, n, kind); f != nil {
		return nil, 0, f
	}
	b, off, f := m.reach(w, n, write)
	if f == nil && write {
		m.cfg.Monitor.Wrote(w, n)
		if m.numbering() {
			m.numberWritten(b, off, n)
		}
	}
	return b, off, f
}

// reach is access without a monitor and without a look for races. A negative n is a size_t beyond what any object has.
func (m *memory) reach(w ctype.Word, n int64, write bool) (*Block, int64, *Fault) {
	if b, off := m.cell(w); b != nil && !b.Freed && uint64(off) <= uint64(b.Size) && uint64(n) <= uint64(b.Size-off) && b.Kind != Code && (!write || !b.ReadOnly) {
		if write && b.clean {
			b, f := m.soil(b, off, n)
			return b, off, f
		}
		return b, off, nil
	}
	if m.cfg.Forgiving {
		if b, off := m.forgive(w, n, write); b != nil {
			return b, off, nil
		}
	}
	return nil, 0, m.badAccess(w, n, write)
}

// badAccess names the error state that an access of n bytes at w leads to.
func (m *memory) badAccess(w ctype.Word, n int64, write bool) *Fault {
	id, _ := ctype.SplitPointer(w)
	b, off := m.Find(w)
	access, verb := "read", "read of"
	if write {
		access, verb = "write", "write to"
	}
	switch {
	case w < 1<<16:
		return m.fault(NullDeref, w, "%s through a null pointer", access)
	case b == nil && id&ctype.StackBlock != 0 && id != ctype.StackBlock && int(id&^ctype.StackBlock) < len(m.blocks):
		return m.fault(DanglingDeref, w, "%s a local variable after the end of its block or function", verb)
	case b == nil:
		return m.fault(WildDeref, w, "%s through a pointer to what is no object", access)
	case b.Kind == Code:
		return m.fault(WildDeref, w, "%s the code of function %s", verb, b.Name)
	case b.closed:
		return m.fault(WildDeref, w, "%s %s, to which no access is allowed since %s", verb, b.describe(), m.where(b.Free))
	case b.Freed && b.Kind == Global:
		return m.fault(DanglingDeref, w, "%s %s, unmapped at %s", verb, b.describe(), m.where(b.Free))
	case b.Freed:
		f := m.fault(DanglingDeref, w, "%s %s, freed at %s", verb, b.describe(), m.where(b.Free))
		f.Freed, f.Printed, f.Sound = true, b.Printed, b.Steps
		return f
	case write && b.ReadOnly && off >= 0 && off <= b.Size && uint64(n) <= uint64(b.Size-off):
		if b.Obj == nil {
			return m.fault(ReadOnlyWrite, w, "write to %s, which may only be read", b.Name)
		}
		return m.fault(ReadOnlyWrite, w, "write to a string literal %s", b.Name)
	default:
		kind := map[BlockKind]FaultKind{Heap: HeapOverflow, Stack: StackOverflow, Global: GlobalOverflow}[b.Kind]
		f := m.fault(kind, w, "%s %s at offset %d of %s", verb, plural.N(uint64(n), "byte"), off, b.describe())
		f.Literal = b.Kind == Global && b.ReadOnly && !write && off >= 0
		return f
	}
}

func (b *Block) describe() string {
	switch {
	case b.Kind == Heap:
		return sprintf("heap block n%d of %s", b.Seq, plural.N(b.Size, "byte"))
	case b.Name != "":
		size := b.Size
		if b.ReadOnly && b.Obj != nil { // without what may be read behind it
			size = b.Obj.Size
		}
		return sprintf("%s of %s", b.Name, plural.N(size, "byte"))
	}
	return sprintf("a block of %s", plural.N(b.Size, "byte"))
}

// initialized reports whether n bytes at off were all written.
func (b *Block) initialized(off, n int64) bool {
	if b.Init == nil {
		return true
	}
	if i := off & 7; i+n <= 8 {
		mask := byte((1<<n - 1) << i)
		return b.Init[off>>3]&mask == mask
	}
	if b.Init[off>>3]|(1<<(off&7)-1) != 0xff || b.Init[(off+n-1)>>3]|^byte(1<<((off+n-1)&7+1)-1) != 0xff {
		return false
	}
	for _, x := range b.Init[off>>3+1 : (off+n-1)>>3] {
		if x != 0xff {
			return false
		}
	}
	return true
}

func (b *Block) markInit(off, n int64) {
	if b.Init == nil {
		return
	}
	if i := off & 7; i+n <= 8 {
		b.Init[off>>3] |= byte((1<<n - 1) << i)
		return
	}
	b.Init[off>>3] |= 0xff << (off & 7)
	b.Init[(off+n-1)>>3] |= byte(1<<((off+n-1)&7+1) - 1)
	for i := off>>3 + 1; i < (off+n-1)>>3; i++ {
		b.Init[i] = 0xff
	}
}

// copyBits copies n bits, at least one, from so to do; the ranges may overlap.
func copyBits(dst []byte, do int64, src []byte, so, n int64) {
	if do&7 != so&7 || n < 16 {
		bits := make([]bool, n)
		for i := range bits {
			bits[i] = src[(so+int64(i))>>3]&(1<<((so+int64(i))&7)) != 0
		}
		for i, b := range bits {
			o := do + int64(i)
			dst[o>>3] &^= 1 << (o & 7)
			if b {
				dst[o>>3] |= 1 << (o & 7)
			}
		}
		return
	}
	// The first byte and the last one have bits that stay.
	d, from := dst[do>>3:(do+n-1)>>3+1], src[so>>3:(so+n-1)>>3+1]
	k := len(d) - 1
	begins, ends := byte(0xff)<<(do&7), byte(1<<((do+n-1)&7+1)-1)
	first, last := d[0]&^begins|from[0]&begins, d[k]&^ends|from[k]&ends
	copy(d[1:k], from[1:k])
	d[0], d[k] = first, last
}

// bytesAStep is how many bytes a copy may move for one step, so that copying megabytes counts as many.
const bytesAStep = 4096

// copyBytes copies n bytes with what is known about them: whether they were
// written, and where their values came from. The ranges may overlap.
func (m *memory) copyBytes(dst, src ctype.Word, n int64) *Fault {
	if n == 0 {
		return nil
	}
	if mon := m.cfg.Monitor; mon != nil {
		if f := mon.Accessing(src, n, MoveAccess); f != nil {
			return f
		}
	}
	if m.racing() {
		if f := m.raced(src, n, false); f != nil {
			return f
		}
		if f := m.raced(dst, n, true); f != nil {
			return f
		}
	}
	s, so, f := m.reach(src, n, false)
	if f != nil {
		return f
	}
	if mon := m.cfg.Monitor; mon != nil {
		if f := mon.Accessing(dst, n, WriteAccess); f != nil {
			return f
		}
	}
	d, do, f := m.reach(dst, n, true)
	if f != nil {
		return f
	}
	if s.Init == nil {
		d.markInit(do, n)
	} else if d.Init != nil || !s.initialized(so, n) {
		d.unmark(do, 0)
		copyBits(d.Init, do, s.Init, so, n)
		m.copyCopies(d, do, s, so, n)
	}
	if m.tr != nil {
		m.tr.copyOrigins(d.ID, do, s.ID, so, n, m.at(), m.steps)
		if m.numbering() {
			m.tr.nums.copied(d.ID, do, s.ID, so, n)
		}
	}
	copy(d.Data[do:do+n], s.Data[so:so+n])
	if s.unions != nil {
		d.copyMembers(do, s, so, n)
	}
	m.steps += n / bytesAStep
	if m.cfg.Monitor != nil {
		m.cfg.Monitor.Copied(dst, src, n)
	}
	return nil
}

// Read copies memory at w into buf, whether or not it was written. It reports
// whether all of it lies in one object whose contents are there: a live one or,
// with Config.KeepFreed, a freed one.
func (m *memory) Read(w ctype.Word, buf []byte) bool {
	b, off := m.Find(w)
	if b == nil || b.Freed && b.Data == nil || off < 0 || off+int64(len(buf)) > b.Size {
		return false
	}
	copy(buf, b.Data[off:])
	return true
}

// Initialized reports whether n bytes at w have all been written.
func (m *memory) Initialized(w ctype.Word, n int64) bool {
	b, off := m.Find(w)
	return b != nil && (!b.Freed || m.cfg.KeepFreed) && off >= 0 && off+n <= b.Size && b.initialized(off, n)
}

// Write stores bytes at w and reports whether they lie in one live object.
func (m *memory) Write(w ctype.Word, data []byte) bool {
	b, off, f := m.reach(w, int64(len(data)), true)
	if f != nil {
		return false
	}
	copy(b.Data[off:], data)
	b.markInit(off, int64(len(data)))
	return true
}

// HeapBlocks returns the heap blocks, live and freed, in order of allocation.
func (m *memory) HeapBlocks() []*Block { return m.heap }

// Malloc allocates a heap block as malloc does or, with zero, as calloc does.
func (m *Machine) Malloc(size int64, zero bool) (ctype.Word, *Fault) {
	return m.allocate(size, alignment, zero)
}

func (m *Machine) allocate(size, align int64, zero bool) (ctype.Word, *Fault) {
	need := size
	if size >= largeBlock && size <= maxRoom {
		need = 0 // what is written of it counts
	}
	if size < 0 || need > m.cfg.MaxMemory || m.heapBytes+need+perBlock > m.cfg.MaxMemory || m.mapped+size-need > maxRoom {
		if size > 1<<40 || size < 0 {
			m.set(errNOMEM)
			return 0, nil // as glibc: no such amount of memory
		}
		if m.mapped+size-need > maxRoom {
			return 0, m.fault(LimitFault, 0, "more than %d GiB of memory from malloc", int64(maxRoom)>>30)
		}
		return 0, m.fault(LimitFault, 0, "memory limit of %d MiB reached", m.cfg.MaxMemory>>20)
	}
	m.heapBytes += need + perBlock
	m.mapped += size - need
	make := m.newUnset
	if zero {
		make = m.newAligned
	}
	b := make(Heap, size, align)
	if need < size && b.large == nil { // the system maps no more
		m.heapBytes += size
		m.mapped -= size
	}
	m.heap = append(m.heap, b)
	b.Seq = len(m.heap)
	p := b.Addr
	if zero {
		m.wrote(b)
	}
	m.event(EvMalloc, p, ctype.Word(size))
	return p, nil
}

// FreePtr frees a heap block as free does.
func (m *Machine) FreePtr(w ctype.Word) *Fault {
	if w == 0 {
		return nil
	}
	if m.cfg.Monitor != nil {
		if f := m.cfg.Monitor.Freeing(w); f != nil {
			return f
		}
	}
	b, off := m.Find(w)
	switch {
	case m.cfg.Forgiving && (b == nil || b.Kind != Heap || b.Freed || off != 0):
		return nil
	case b != nil && b.Kind == Heap && b.Freed && off == 0:
		return m.fault(DoubleFree, w, "free of %s, already freed at %s", b.describe(), m.where(b.Free))
	case b == nil || b.Kind != Heap:
		return m.fault(UnmatchedFree, w, "free of a pointer that malloc did not return")
	case b.Freed:
		return m.fault(UnmatchedFree, w, "free of a pointer into %s, freed at %s", b.describe(), m.where(b.Free))
	case off != 0:
		return m.fault(UnmatchedFree, w, "free of a pointer to offset %d of %s", off, b.describe())
	}
	if m.racing() {
		if f := m.freeRaced(w, b); f != nil {
			return f
		}
	}
	m.event(EvFree, w, ctype.Word(b.Size))
	if b.clean {
		b = m.replace(b)
	}
	b.Freed, b.Free, b.Printed, b.Steps = true, m.at(), m.lib.stdio.printed, m.steps
	if m.cfg.Monitor != nil {
		m.cfg.Monitor.Ended(b)
	}
	if m.heapBytes -= perBlock; b.large == nil {
		m.heapBytes -= b.Size
	} else {
		m.mapped -= b.Size
		m.forget(b)
	}
	if !m.cfg.KeepFreed {
		b.Data, b.Init, b.large = nil, nil, nil
	}
	return nil
}
