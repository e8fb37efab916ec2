package machine

import (
	"cmp"

	"gulo/internal/ctype"
	"gulo/internal/plural"
)

// This file is the allocator's family.

func init() {
	register(map[string]builtin{
		"malloc": func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			if f := fits(m, c, c.long(0)); f != nil {
				return 0, f
			}
			return m.Malloc(c.long(0), false)
		},
		"valloc": func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			if f := fits(m, c, c.long(0)); f != nil {
				return 0, f
			}
			return m.allocate(c.long(0), page, false)
		},
		"pvalloc": func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			if f := fits(m, c, c.long(0)); f != nil {
				return 0, f
			}
			return m.allocate((c.long(0)+page-1)&^(page-1), page, false)
		},
		"aligned_alloc": libMemalign, "memalign": libMemalign,
		"free":   func(m *Machine, c *libCall) (ctype.Word, *Fault) { return 0, m.FreePtr(c.arg(0)) },
		"calloc": libCalloc, "realloc": libRealloc, "reallocarray": libReallocarray, "posix_memalign": libPosixMemalign,
		"malloc_usable_size": libUsable,
		"__gulo_scratch":     libScratch, "__gulo_scratch_free": libScratchFree, "__gulo_moving": libMoving,
		"__gulo_refuse": libRefuse, "__gulo_alone": libAlone,
		"__gulo_heap": func(m *Machine, c *libCall) (ctype.Word, *Fault) { return ctype.Word(m.heapBytes), nil },
	})
}

const page = 4096

// fits returns the fault of asking for a block of a size that none can have: a number below 0, or a product that is too
// large. Only a monitored run is stopped there; in others the call fails, as it does natively.
func fits(m *Machine, c *libCall, size int64) *Fault {
	if size >= 0 || m.cfg.Monitor == nil {
		return nil
	}
	return m.fault(BadLibraryCall, 0, "%s with a size that no block can have, such as a number below 0", c.name)
}

// isAlignment returns the fault of an alignment that is no power of two, or less than the least, in a monitored run.
func isAlignment(m *Machine, c *libCall, align, least ctype.Word) *Fault {
	if align >= least && align&(align-1) == 0 || m.cfg.Monitor == nil {
		return nil
	}
	return m.fault(BadLibraryCall, 0, "%s with an alignment that is no power of two, or too small", c.name)
}

// libMemalign takes the next power of two for an alignment that is none, as glibc does.
func libMemalign(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if f := cmp.Or(isAlignment(m, c, c.arg(0), 1), fits(m, c, c.long(1))); f != nil {
		return 0, f
	}
	align := int64(alignment)
	for align < c.long(0) && align < 1<<40 {
		align *= 2
	}
	return allocateAt(m, c.long(1), align)
}

// mostAligned bounds the alignment that a block can have.
const mostAligned = 1 << 30

// allocateAt allocates a block whose address is a multiple of align.
func allocateAt(m *Machine, size, align int64) (ctype.Word, *Fault) {
	if align > mostAligned {
		return 0, m.fault(LimitFault, 0, "an alignment of %s", plural.N(align, "byte"))
	}
	return m.allocate(size, align, false)
}

// product is a size of n items; false when it is too large.
func product(n, size ctype.Word) (int64, bool) {
	if size != 0 && n > (1<<63-1)/size {
		return 0, false
	}
	return int64(n * size), true
}

func libCalloc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n, ok := product(c.arg(0), c.arg(1))
	if !ok {
		if f := fits(m, c, -1); f != nil {
			return 0, f
		}
		m.set(errNOMEM)
		return 0, nil
	}
	return m.Malloc(n, true)
}

func libRealloc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if b, off := m.Find(c.arg(0)); c.arg(0) == 0 || b != nil && b.Kind == Heap && !b.Freed && off == 0 {
		if f := fits(m, c, c.long(1)); f != nil {
			return 0, f
		}
	}
	return m.resize(c.arg(0), c.long(1))
}

func libReallocarray(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n, ok := product(c.arg(1), c.arg(2))
	if !ok {
		if f := fits(m, c, -1); f != nil {
			return 0, f
		}
		m.set(errNOMEM)
		return 0, nil
	}
	return m.resize(c.arg(0), n)
}

// resize is realloc. As glibc has it, with size 0 it frees the block and returns NULL.
func (m *Machine) resize(old ctype.Word, n int64) (ctype.Word, *Fault) {
	if old == 0 {
		return m.Malloc(n, false)
	}
	if m.cfg.Forgiving {
		return m.resizeForgiving(old, n)
	}
	b, off := m.Find(old)
	if b == nil || b.Kind != Heap || b.Freed || off != 0 || n == 0 {
		return 0, m.FreePtr(old) // with the fault that free would be
	}
	p, f := m.Malloc(n, false)
	if f != nil || p == 0 {
		return 0, f
	}
	if f := m.copyBytes(p, old, min(n, b.Size)); f != nil {
		return 0, f
	}
	return p, m.FreePtr(old)
}

func libPosixMemalign(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const invalid = 22
	if f := cmp.Or(isAlignment(m, c, c.arg(1), 8), fits(m, c, c.long(2))); f != nil {
		return 0, f
	}
	if a := c.arg(1); a < 8 || a&(a-1) != 0 {
		return invalid, nil
	}
	p, f := allocateAt(m, c.long(2), c.long(1))
	if f != nil {
		return 0, f
	}
	if p == 0 {
		return errNOMEM, nil
	}
	return 0, m.store(c.arg(0), ctype.VoidPtrT, p)
}

// libUsable says as much as was asked for, which is all that a program may count on.
func libUsable(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.arg(0) == 0 {
		return 0, nil
	}
	b, off := m.Find(c.arg(0))
	if b == nil || b.Kind != Heap || b.Freed || off != 0 {
		return 0, m.fault(UnmatchedFree, c.arg(0), "the size of what malloc did not return")
	}
	return ctype.Word(b.Size), nil
}

// libScratch allocates memory for library code written in C. It is not part of the program's heap.
func libScratch(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.long(0)
	if n < 0 || n > m.cfg.MaxMemory { // there is no array of such a size
		return 0, m.fault(BadLibraryCall, 0, "no array has %s", plural.N(n, "byte"))
	}
	b := m.newUnset(Global, n, alignment)
	b.Name = "library memory"
	return ctype.MakePointer(b.ID, 0), nil
}

func libScratchFree(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if b, _ := m.Find(c.arg(0)); b != nil {
		m.fill(b, nil)
		m.forget(b)
	}
	return 0, nil
}

// libRefuse is called by library code written in C where a function is not modelled, with the message.
func libRefuse(m *Machine, c *libCall) (ctype.Word, *Fault) {
	why, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	return 0, m.fault(Unsupported, 0, "%s", why)
}

// libAlone is called by library code written in C that has something which a child process would not share: fork is
// refused from then on, for that reason.
func libAlone(m *Machine, c *libCall) (ctype.Word, *Fault) {
	why, f := m.cstring(c.arg(0))
	m.lib.alone = why
	return 0, f
}

// libMoving is called by library code written in C before it moves bytes, so that a monitor and the search for races know
// of it.
func libMoving(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.long(1) <= 0 {
		return 0, nil
	}
	_, _, f := m.reading(c.arg(0), c.long(1), false)
	return 0, f
}
