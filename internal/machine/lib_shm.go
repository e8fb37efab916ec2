package machine

import (
	"maps"

	"gulo/internal/ctype"
)

// This file is shared memory of System V (sys/shm.h), and klogctl, which a program may not use.

func init() {
	register(map[string]builtin{
		"shmget": libShmget, "shmat": libShmat, "shmdt": libShmdt, "shmctl": libShmctl, "ftok": libFtok,
		"klogctl": libNotPermitted, "settimeofday": libNotPermitted, "clock_settime": libNotPermitted, "stime": libNotPermitted, "sethostname": libNotPermitted,
		"setdomainname": libNotPermitted, "reboot": libNotPermitted, "chroot": libPathNotPermitted,
	})
}

// segment is shared memory by its number. It is not changed in place.
type segment struct {
	file    *memFile
	key     int32
	mode    ctype.Word
	removed bool // it ends when nobody has it
	size    int64
}

// libNotPermitted is a function that only a privileged user may call.
func libNotPermitted(m *Machine, c *libCall) (ctype.Word, *Fault) { return m.failed(errPERM) }

// libPathNotPermitted is such a function of a path.
func libPathNotPermitted(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if _, f := m.cstring(c.arg(0)); f != nil {
		return 0, f
	}
	return m.failed(errPERM)
}

// setSegment changes what is known of a segment; nil removes it.
func (s *disk) setSegment(id int, x *segment) {
	t := maps.Clone(s.segments)
	if t == nil {
		t = map[int]*segment{}
	}
	if t[id] = x; x == nil {
		delete(t, id)
	}
	s.segments = t
}

func libShmget(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const create, exclusive = 0o1000, 0o2000
	key, size, flags := int32(c.arg(0)), c.long(1), c.int(2)
	fs := m.lib.fs
	for id, x := range fs.segments {
		if key == 0 || x.key != key || x.removed {
			continue
		}
		switch {
		case flags&(create|exclusive) == create|exclusive:
			return m.failed(errEXIST)
		case size > x.size:
			return m.failed(errINVAL)
		}
		return ctype.Word(id), nil
	}
	switch {
	case key != 0 && flags&create == 0:
		return m.failed(errNOENT)
	case size <= 0:
		return m.failed(errINVAL)
	case size > m.cfg.MaxMemory:
		return 0, m.fault(LimitFault, 0, "memory limit of %d MiB reached", m.cfg.MaxMemory>>20)
	}
	fs.shms++
	fs.setSegment(fs.shms-1, &segment{file: &memFile{name: "shared memory", data: make([]byte, wholePages(size))}, key: key, mode: ctype.Word(flags & 0o777), size: size})
	return ctype.Word(fs.shms - 1), nil
}

func libShmat(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const readOnly, round = 0o10000, 0o20000
	id := int(c.int(0))
	x := m.lib.fs.segments[id]
	switch {
	case x == nil:
		return m.mapFailed(errINVAL)
	case c.arg(1) != 0 || c.int(2)&^(readOnly|round) != 0:
		return 0, m.fault(Unsupported, 0, "shmat at an address that is given is not supported")
	}
	m.lib.mappings.store()
	prot := int64(protRead | protWrite)
	if c.int(2)&readOnly != 0 {
		prot = protRead
	}
	return m.lib.mappings.mapNew(mappedMemory{file: x.file, shared: true, shm: id + 1}, int64(len(x.file.data)), prot)
}

func libShmdt(m *Machine, c *libCall) (ctype.Word, *Fault) {
	x, b, off := m.lib.mappings.at(c.arg(0))
	if x == nil || off != 0 || x.shm == 0 {
		return m.failed(errINVAL)
	}
	id := x.shm - 1
	f := m.lib.mappings.unmap(x, b)
	if s := m.lib.fs.segments[id]; s != nil && s.removed && m.attached(id) == 0 {
		m.lib.fs.setSegment(id, nil)
	}
	return 0, f
}

// attached counts the mappings of a segment in all processes.
func (m *Machine) attached(id int) (n int) {
	for l := range m.libraries {
		for _, x := range l.mappings.maps {
			if x.shm == id+1 {
				n++
			}
		}
	}
	return n
}

// libShmctl is shmctl. struct shmid_ds is the permissions (key, uid, gid, cuid, cgid, mode, ...), the size at 48, times,
// the processes at 80 and 84, and the number of mappings at 88.
func libShmctl(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const remove, stat, lock, unlock, limits, statIndex, info = 0, 2, 11, 12, 3, 13, 14
	id := int(c.int(0))
	x := m.lib.fs.segments[id]
	switch cmd := c.int(1); {
	case cmd == limits || cmd == info:
		return segmentsInfo(m, c, cmd == info)
	case x == nil:
		return m.failed(errINVAL)
	}
	switch c.int(1) {
	case remove:
		y := *x
		if y.removed = true; m.attached(id) == 0 {
			m.lib.fs.setSegment(id, nil)
		} else {
			m.lib.fs.setSegment(id, &y)
		}
		return 0, nil
	case lock, unlock:
		return 0, nil
	case stat, statIndex:
		b := make([]byte, 112)
		ctype.Store(ctype.IntT, b, ctype.Word(uint32(x.key)))
		for _, at := range []int{4, 8, 12, 16} {
			ctype.Store(ctype.UIntT, b[at:], 1000)
		}
		mode := x.mode
		if x.removed {
			mode |= 0o1000 // SHM_DEST
		}
		ctype.Store(ctype.UIntT, b[20:], mode)
		ctype.Store(ctype.ULongT, b[48:], ctype.Word(x.size))
		ctype.Store(ctype.LongT, b[72:], ctype.Word(m.now()))
		ctype.Store(ctype.IntT, b[80:], ownProcess)
		ctype.Store(ctype.ULongT, b[88:], ctype.Word(m.attached(id)))
		if c.int(1) == stat {
			id = 0
		}
		return ctype.Word(id), m.putBytes(c.arg(2), b)
	}
	return 0, m.fault(Unsupported, 0, "shmctl with the command %d is not supported", c.int(1))
}

// segmentsInfo is what shmctl says of all segments: with SHM_INFO how many there are and their pages, else the limits. It
// returns the highest index of one.
func segmentsInfo(m *Machine, c *libCall, used bool) (ctype.Word, *Fault) {
	last, total := 0, int64(0)
	for id, x := range m.lib.fs.segments {
		last, total = max(last, id), total+int64(len(x.file.data))/page
	}
	if used { // struct shm_info
		b := make([]byte, 48)
		ctype.Store(ctype.IntT, b, ctype.Word(len(m.lib.fs.segments)))
		ctype.Store(ctype.ULongT, b[8:], ctype.Word(total))
		ctype.Store(ctype.ULongT, b[16:], ctype.Word(total))
		return ctype.Word(last), m.putBytes(c.arg(2), b)
	}
	b := make([]byte, 72) // struct shminfo
	for i, v := range []int64{m.cfg.MaxMemory, 1, 4096, 4096, m.cfg.MaxMemory / page} {
		ctype.Store(ctype.ULongT, b[8*i:], ctype.Word(v))
	}
	return ctype.Word(last), m.putBytes(c.arg(2), b)
}

// libFtok is a key for a file that there is.
func libFtok(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	to := *c
	to.name = "stat"
	s, errno, f := m.lib.fs.lookAt(&to, path)
	if f != nil || errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	inode := ctype.Load(ctype.ULongT, s.bytes()[8:])
	return ctype.Word(int64(int32(inode&0xffff | 1<<16 | c.arg(1)&0xff<<24))), nil
}
