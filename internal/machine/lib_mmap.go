package machine

import (
	"bytes"
	"slices"

	"gulo/internal/ctype"
	"gulo/internal/plural"
)

// This file is sys/mman.h. A mapping is one block of whole pages. Of a shared one that can be written, the file has what
// the program wrote when a function is called that may look at the file, and when another process goes on; then the
// mapping has what was written to the file, too.

func init() {
	register(map[string]builtin{
		"mmap": libMmap, "mmap64": libMmap, "munmap": libMunmap, "mprotect": libMprotect, "msync": libMsync, "mremap": libMremap,
		"madvise": libMadvise, "posix_madvise": libMadvise, "mlock": libLocked, "munlock": libLocked, "mlock2": libLocked,
		"mlockall": constant(0), "munlockall": constant(0), "mincore": libMincore, "memfd_create": libMemfd,
		"shm_open": libShmOpen, "shm_unlink": libShmUnlink,
	})
}

// mappings is the memory that a process has from mmap, shmat and sbrk.
type mappings struct {
	m    *Machine
	maps []mappedMemory // of mmap and shmat; not changed in place
	brk  uint32         // the block of sbrk; 0 until it is asked for
}

// mappedMemory is what mmap or shmat has made. It is not changed in place.
type mappedMemory struct {
	block  uint32
	file   *memFile // nil for private memory
	off    int64    // in the file
	shared bool     // with other processes or with the file
	closed bool     // it can neither be read nor written
	shm    int      // the segment of shmat; 0 for none
}

// Protections and flags of mmap.
const (
	protRead, protWrite                      = 1, 2
	mapShared, mapPrivate, mapFixed, mapAnon = 1, 2, 0x10, 0x20
	mapHarmless                              = 0x4000 | 0x20000 | 0x8000 | 0x2000 | 0x10000 | 0x800 | 0x1000 // NORESERVE, STACK, POPULATE, LOCKED, NONBLOCK, DENYWRITE, EXECUTABLE
	errNODEV                                 = 19
)

// wholePages rounds a number of bytes up to whole pages.
func wholePages(n int64) int64 { return (n + page - 1) &^ (page - 1) }

// make makes a block of zeros for a mapping; nil, and errno, where there is no such amount of memory.
func (mp *mappings) make(size int64, name string) (*Block, *Fault) {
	m := mp.m
	if size < 0 || size > 1<<40 {
		m.set(errNOMEM)
		return nil, nil
	}
	need := size
	if size >= largeBlock && size <= maxRoom {
		need = 0 // what is written of it counts
	}
	switch {
	case m.mapped+size-need > maxRoom:
		return nil, m.fault(LimitFault, 0, "more than %d GiB of memory from mmap", int64(maxRoom)>>30)
	case m.heapBytes+need+perBlock > m.cfg.MaxMemory:
		return nil, m.fault(LimitFault, 0, "memory limit of %d MiB reached", m.cfg.MaxMemory>>20)
	}
	m.heapBytes += need + perBlock
	m.mapped += size - need
	b := m.newAligned(Global, size, page)
	b.Name = name
	if need < size && b.large == nil {
		m.heapBytes += size
		m.mapped -= size
	}
	return b, nil
}

// end ends a block of memory.
func (mp *mappings) end(b *Block) {
	m := mp.m
	c := *b
	c.Freed, c.Free, c.unions = true, m.at(), nil
	c.Printed, c.Steps = m.lib.stdio.printed, m.steps
	m.fill(&c, &c)
	if m.cfg.Monitor != nil {
		m.cfg.Monitor.Ended(&c)
	}
	if m.heapBytes -= perBlock; c.large == nil {
		m.heapBytes -= c.Size
	} else {
		m.mapped -= c.Size
		m.forget(&c)
	}
	if !m.cfg.KeepFreed {
		c.Data, c.Init, c.large = nil, nil, nil
	}
}

// at returns the mapping that an address is in, with its block and the offset there; nil for none.
func (mp *mappings) at(w ctype.Word) (x *mappedMemory, b *Block, off int64) {
	b, off = mp.m.Find(w)
	if b == nil || b.Kind != Global || off < 0 || off >= b.Size {
		return nil, nil, 0
	}
	for i := range mp.maps {
		if mp.maps[i].block == b.ID {
			return &mp.maps[i], b, off
		}
	}
	return nil, nil, 0
}

func (mp *mappings) add(x mappedMemory) { mp.maps = append(slices.Clip(mp.maps), x) }

func (mp *mappings) drop(block uint32) {
	mp.maps = slices.DeleteFunc(slices.Clone(mp.maps), func(x mappedMemory) bool { return x.block == block })
}

// mapFailed is the result of a call of mmap that fails.
func (m *Machine) mapFailed(errno ctype.Word) (ctype.Word, *Fault) {
	m.set(errno)
	return ^ctype.Word(0), nil
}

func libMmap(m *Machine, c *libCall) (ctype.Word, *Fault) {
	size, prot, flags, off := wholePages(c.long(1)), c.int(2), c.int(3), c.long(5)
	how := flags & 3
	switch {
	case how != mapShared && how != mapPrivate && how != 3, c.long(1) == 0, off&(page-1) != 0:
		return m.mapFailed(errINVAL)
	case flags&^(3|mapFixed|mapAnon|mapHarmless) != 0:
		return 0, m.fault(Unsupported, 0, "mmap with the flags %#x is not supported", flags)
	case c.long(1) < 0:
		return m.mapFailed(errNOMEM)
	case flags&mapFixed != 0:
		return m.lib.mappings.mapOver(c, size)
	}
	x := mappedMemory{shared: how != mapPrivate, off: off}
	if flags&mapAnon == 0 {
		file, errno, f := m.lib.mappings.mappable(c, size, x.shared && prot&protWrite != 0)
		if f != nil || errno != 0 {
			m.set(errno)
			return ^ctype.Word(0), f
		}
		x.file = file
	} else if x.shared {
		x.file, x.off = &memFile{name: "shared memory", data: make([]byte, size)}, 0
	}
	return m.lib.mappings.mapNew(x, size, prot)
}

// mapNew makes the block of a mapping.
func (mp *mappings) mapNew(x mappedMemory, size, prot int64) (ctype.Word, *Fault) {
	b, f := mp.make(size, "memory of mmap")
	if b == nil {
		return ^ctype.Word(0), f
	}
	x.block = b.ID
	if x.file != nil && x.off < int64(len(x.file.data)) {
		data := x.file.data[x.off:min(x.off+size, int64(len(x.file.data)))]
		if b, f = mp.m.soft(b, int64(len(data))); f != nil {
			return 0, f
		}
		copy(b.Data, data)
	}
	if !x.shared {
		x.file = nil
	}
	mp.add(x)
	mp.protect(&mp.maps[len(mp.maps)-1], b, prot)
	return ctype.MakePointer(b.ID, 0), nil
}

// soft returns a block of which the library may change the first n bytes.
func (m *memory) soft(b *Block, n int64) (*Block, *Fault) {
	if b.ReadOnly && b.large == nil { // saved states have this one
		c := *b
		c.Data = slices.Clone(b.Data)
		m.fill(&c, &c)
		return &c, nil
	}
	if b.clean {
		return m.soil(b, 0, n)
	}
	return b, nil
}

// mappable is the file that mmap is given a descriptor of; errno says why it cannot be mapped.
func (mp *mappings) mappable(c *libCall, size int64, writing bool) (*memFile, ctype.Word, *Fault) {
	m := mp.m
	s := m.lib.stdio.streamOf(int(c.int(4)))
	switch {
	case s == nil:
		return nil, errBADF, nil
	case s.file == nil || s.folder != nil:
		return nil, errNODEV, nil
	case !s.read, writing && !s.write:
		return nil, errACCES, nil
	case s.file.null && s.file.name == "/dev/zero":
		return &memFile{name: "shared memory", data: make([]byte, size)}, 0, nil
	case s.file.null:
		return nil, errNODEV, nil
	}
	s.settle()
	if end := wholePages(int64(len(s.file.data))); c.long(5)+size > end {
		return nil, 0, m.fault(Unsupported, 0, "%s of more pages than the file has is not supported: it has %s", c.name, plural.N(end/page, "page"))
	}
	return s.file, 0, nil
}

// mapOver is mmap with MAP_FIXED: private memory in the place of a whole mapping.
func (mp *mappings) mapOver(c *libCall, size int64) (ctype.Word, *Fault) {
	m := mp.m
	x, b, off := mp.at(c.arg(0))
	if x == nil || off != 0 || b.Size != size || c.int(3)&mapAnon == 0 || c.int(3)&3 != mapPrivate || x.shm != 0 {
		return 0, m.fault(Unsupported, 0, "mmap at an address that is given is not supported, except of private memory in the place of one whole mapping")
	}
	if f := mp.unmapped(x, b); f != nil {
		return 0, f
	}
	n := *b
	n.Freed, n.ReadOnly, n.large, n.Init, n.Data, n.clean, n.kept = false, false, nil, nil, nil, false, false
	if n.enlarge(false) {
		m.large = append(m.large, n.large)
	} else {
		n.Data = make([]byte, size)
	}
	m.forget(b)
	m.fill(&n, &n)
	y := mappedMemory{block: n.ID}
	mp.drop(n.ID)
	mp.add(y)
	mp.protect(&mp.maps[len(mp.maps)-1], &n, c.int(2))
	return c.arg(0), nil
}

// protect sets how a mapping may be accessed.
func (mp *mappings) protect(x *mappedMemory, b *Block, prot int64) {
	m := mp.m
	closed, readOnly := prot&^4 == 0 && prot == 0, prot&protWrite == 0
	if b.ReadOnly == readOnly && x.closed == closed {
		return
	}
	n := *b
	if b.large != nil {
		b.large.shared = true // saved states may have it, and a block that is read only is not copied
	} else {
		n.Data = slices.Clone(b.Data)
	}
	n.ReadOnly, n.kept = readOnly, false
	if n.Freed = closed; closed {
		n.Free = m.at()
	}
	n.closed = closed
	m.fill(&n, &n)
	maps := slices.Clone(mp.maps)
	for i := range maps {
		if maps[i].block == n.ID {
			maps[i].closed = closed
		}
	}
	mp.maps = maps
}

// ranged is the mapping that a call's range of pages is in; nil, after setting errno, where it is in none. whole says
// whether it is all of it.
func (mp *mappings) ranged(c *libCall) (x *mappedMemory, b *Block, whole bool) {
	m := mp.m
	if c.arg(0)&(page-1) != 0 {
		m.set(errINVAL)
		return nil, nil, false
	}
	x, b, off := mp.at(c.arg(0))
	size := wholePages(c.long(1))
	if x == nil || size < 0 || off+size > b.Size {
		m.set(errNOMEM)
		return nil, nil, false
	}
	return x, b, off == 0 && size == b.Size
}

// outside is the result of a call on pages that are in no mapping: those of other objects are refused.
func (mp *mappings) outside(c *libCall) (ctype.Word, *Fault) {
	m := mp.m
	if b, off := m.Find(c.arg(0)); m.Errno() == errNOMEM && b != nil && off >= 0 && off < b.Size {
		return 0, m.fault(Unsupported, 0, "%s of pages that are not of one mapping is not supported", c.name)
	}
	return ^ctype.Word(0), nil
}

func libMunmap(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.arg(0)&(page-1) != 0 || c.long(1) <= 0 {
		return m.failed(errINVAL)
	}
	b, _ := m.Find(c.arg(0))
	x, _, whole := m.lib.mappings.ranged(c)
	switch {
	case x == nil && b != nil && b.Freed && b.Kind == Global:
		return 0, nil // again: there is nothing to unmap
	case x == nil:
		return m.lib.mappings.outside(c)
	case !whole:
		return 0, m.fault(Unsupported, 0, "munmap of a part of a mapping is not supported")
	}
	return 0, m.lib.mappings.unmap(x, b)
}

// unmap ends a mapping.
func (mp *mappings) unmap(x *mappedMemory, b *Block) *Fault {
	if f := mp.unmapped(x, b); f != nil {
		return f
	}
	mp.drop(x.block)
	mp.end(b)
	return nil
}

// unmapped brings what was written to a mapping to its file.
func (mp *mappings) unmapped(x *mappedMemory, b *Block) *Fault {
	mp.store()
	if x.shared && x.file.disk {
		mp.m.lib.fs.flush(x.file)
	}
	return nil
}

func libMprotect(m *Machine, c *libCall) (ctype.Word, *Fault) {
	x, b, whole := m.lib.mappings.ranged(c)
	prot := c.int(2)
	switch {
	case x == nil:
		return m.lib.mappings.outside(c)
	case prot&^7 != 0:
		return 0, m.fault(Unsupported, 0, "mprotect with the protection %#x is not supported", prot)
	case whole:
		m.lib.mappings.protect(x, b, prot)
	case prot&protRead == 0 || (prot&protWrite == 0) != b.ReadOnly || x.closed:
		return 0, m.fault(Unsupported, 0, "mprotect that sets a part of a mapping apart is not supported")
	}
	return 0, nil
}

func libMsync(m *Machine, c *libCall) (ctype.Word, *Fault) {
	x, _, _ := m.lib.mappings.ranged(c)
	if x == nil {
		return ^ctype.Word(0), nil
	}
	if x.shared && x.file.disk {
		m.lib.fs.flush(x.file)
	}
	return 0, nil
}

func libMremap(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const mayMove = 1
	x, b, whole := m.lib.mappings.ranged(c)
	size := wholePages(c.long(2))
	switch {
	case x == nil:
		return ^ctype.Word(0), nil
	case c.long(2) <= 0 || c.int(3)&^mayMove != 0 || !whole || x.shared || x.closed || b.ReadOnly:
		return 0, m.fault(Unsupported, 0, "mremap is supported for the whole of a private mapping, with no flag but MREMAP_MAYMOVE")
	case size == b.Size:
		return c.arg(0), nil
	case c.int(3)&mayMove == 0 && size > b.Size:
		return m.mapFailed(errNOMEM)
	case c.int(3)&mayMove == 0:
		return 0, m.fault(Unsupported, 0, "mremap that makes a mapping smaller where it is is not supported")
	}
	old := b.Size
	p, f := m.lib.mappings.mapNew(mappedMemory{}, size, protRead|protWrite)
	if f != nil || p == ^ctype.Word(0) {
		return p, f
	}
	if f = m.copyBytes(p, c.arg(0), min(old, size)); f != nil {
		return 0, f
	}
	x, b, _ = m.lib.mappings.at(c.arg(0))
	return p, m.lib.mappings.unmap(x, b)
}

// libMadvise is madvise and posix_madvise. Advice changes nothing, except that pages which are not needed are zeros.
func libMadvise(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const dontNeed, free, remove, dontFork, wipeOnFork = 4, 8, 9, 10, 18
	posix := c.name == "posix_madvise"
	x, b, _ := m.lib.mappings.ranged(c)
	advice := c.int(2)
	switch {
	case x == nil && posix:
		return ctype.Word(m.Errno()), nil
	case x == nil:
		return m.lib.mappings.outside(c)
	case posix || advice == free || advice >= 0 && advice < dontNeed || advice >= 12 && advice <= 17 || advice >= 20 && advice <= 23:
		return 0, nil
	case advice != dontNeed || x.shared || x.closed || b.ReadOnly:
		return 0, m.fault(Unsupported, 0, "madvise with the advice %d is not supported here", advice)
	}
	return 0, m.putBytes(c.arg(0), make([]byte, wholePages(c.long(1))))
}

// libLocked is mlock, mlock2 and munlock: all memory is always there.
func libLocked(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if b, off := m.Find(c.arg(0)); b == nil || b.Freed || off < 0 || off+c.long(1) > wholePages(b.Size) {
		return m.failed(errNOMEM)
	}
	return 0, nil
}

func libMincore(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if x, _, _ := m.lib.mappings.ranged(c); x == nil {
		return ^ctype.Word(0), nil
	}
	return 0, m.putBytes(c.arg(2), bytes.Repeat([]byte{1}, int(wholePages(c.long(1))/page)))
}

func libMemfd(m *Machine, c *libCall) (ctype.Word, *Fault) {
	name, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	if c.arg(1)&^3 != 0 {
		return 0, m.fault(Unsupported, 0, "memfd_create with the flags %#x is not supported", uint32(c.arg(1)))
	}
	s := m.lib.stdio.open(&memFile{name: "/memfd:" + name})
	s.read, s.write = true, true
	m.lib.fs.setCloexec(s.fd, c.arg(1)&1 != 0)
	return ctype.Word(s.fd), nil
}

// shmFolder is where the objects of shm_open are. They are in memory alone.
const shmFolder = "/dev/shm/"

// shmName is the file of a shared memory object; errno says why there can be none.
func (fsys *fileSystem) shmName(c *libCall) (path string, errno ctype.Word, f *Fault) {
	name, f := fsys.m.cstring(c.arg(0))
	for len(name) > 0 && name[0] == '/' {
		name = name[1:]
	}
	switch {
	case f != nil:
	case name == "" || bytes.ContainsRune([]byte(name), '/'):
		errno = errINVAL
	case len(name) > nameMax:
		errno = errNAMELONG
	}
	return shmFolder + name, errno, f
}

func libShmOpen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, errno, f := m.lib.fs.shmName(c)
	flags := c.int(1)
	file := m.lib.fs.names[path]
	switch {
	case f != nil:
		return 0, f
	case errno != 0:
		return m.failed(errno)
	case file == nil && flags&0o100 == 0:
		return m.failed(errNOENT)
	case file != nil && flags&0o300 == 0o300:
		return m.failed(errEXIST)
	case file == nil:
		file = &memFile{name: path, mode: uint32(c.arg(2)&0o777) + 1}
		m.lib.fs.names[path] = file
	case flags&0o1000 != 0:
		file.data, file.shared = nil, false
	}
	s := m.lib.stdio.open(file)
	s.read, s.write = true, flags&3 != 0
	m.lib.fs.setCloexec(s.fd, true)
	return ctype.Word(s.fd), nil
}

func libShmUnlink(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, errno, f := m.lib.fs.shmName(c)
	switch {
	case f != nil:
		return 0, f
	case errno == 0 && m.lib.fs.names[path] == nil:
		errno = errNOENT
	}
	if errno != 0 {
		return m.failed(errno)
	}
	m.lib.fs.names[path] = nil
	return 0, nil
}

// store brings what the program has written to shared mappings to their files.
func (mp *mappings) store() {
	for i := range mp.maps {
		x := &mp.maps[i]
		b := mp.m.Block(x.block)
		if !x.shared || b == nil || b.Data == nil || b.ReadOnly || x.closed {
			continue
		}
		n := min(b.Size, max(int64(len(x.file.data))-x.off, 0))
		if n == 0 || bytes.Equal(b.Data[:n], x.file.data[x.off:x.off+n]) {
			continue
		}
		if x.file.shared {
			x.file.data, x.file.shared, x.file.mapped = slices.Clone(x.file.data), false, ""
		}
		copy(x.file.data[x.off:], b.Data[:n])
	}
}

// load brings what was written to the files of shared mappings to these.
func (mp *mappings) load() *Fault {
	m := mp.m
	for i := range mp.maps {
		x := &mp.maps[i]
		b := m.Block(x.block)
		if !x.shared || b == nil || b.Data == nil || x.closed {
			continue
		}
		n := min(b.Size, max(int64(len(x.file.data))-x.off, 0))
		if n == 0 || bytes.Equal(b.Data[:n], x.file.data[x.off:x.off+n]) {
			continue
		}
		b, f := m.soft(b, n)
		if f != nil {
			return f
		}
		copy(b.Data, x.file.data[x.off:x.off+n])
		b.markInit(0, n)
	}
	return nil
}

// shared reports whether the program has a shared mapping.
func (mp *mappings) shared() bool {
	return slices.ContainsFunc(mp.maps, func(x mappedMemory) bool { return x.shared })
}

// ownMemory are functions that look at no file: what they do in between is not seen in shared mappings.
var ownMemory = func() map[string]bool {
	set := map[string]bool{}
	for _, n := range []string{"malloc", "calloc", "realloc", "free", "printf", "puts", "putchar", "strlen", "strcmp", "strcpy", "strncmp", "memcpy", "memmove", "memset", "memcmp", "snprintf", "sprintf", "rand", "abs"} {
		set[n] = true
	}
	return set
}()

// withMaps calls a function that may look at files which are mapped, or change them.
func (m *Machine) withMaps(lib builtin, c *libCall) (ctype.Word, *Fault) {
	m.lib.mappings.store()
	v, f := lib(m, c)
	if f == nil && !m.exited {
		f = m.lib.mappings.load()
	}
	return v, f
}
