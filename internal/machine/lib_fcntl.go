package machine

import "gulo/internal/ctype"

// This file is fcntl, and ioctl as far as it asks about descriptors.

func init() {
	register(map[string]builtin{
		"pipe": libPipe, "pipe2": libPipe, "fcntl": libFcntl, "fcntl64": libFcntl, "ioctl": libIoctl, "isatty": libIsatty, "ttyname": libIsatty,
	})
}

// Flags of open and fcntl.
const (
	openNonblock = 0o4000
	openAppend   = 0o2000
	openDirect   = 0o40000
	openLarge    = 0o100000
	openCloexec  = 0o2000000
	errNOTTY     = 25
)

// setCloexec notes whether exec would close a descriptor.
func (s *fileSystem) setCloexec(fd int, on bool) {
	delete(s.cloexec, fd)
	if on {
		s.cloexec[fd] = true
	}
}

// statusFlags is what F_GETFL says.
func (s *stream) statusFlags() ctype.Word {
	var w ctype.Word
	switch {
	case s.read && s.write:
		w = 2
	case s.write:
		w = 1
	}
	if s.appending {
		w |= openAppend
	}
	if s.nonblock {
		w |= openNonblock
	}
	if s.folder != nil {
		w |= openFolderIs
	}
	if s.file != nil {
		w |= openLarge
	}
	return w
}

// Commands of fcntl.
const (
	fcntlDup        = 0
	fcntlGetFd      = 1
	fcntlSetFd      = 2
	fcntlGetFlags   = 3
	fcntlSetFlags   = 4
	fcntlGetLock    = 5
	fcntlSetLock    = 6
	fcntlWaitLock   = 7
	fcntlDupCloexec = 1030
	fcntlSetPipe    = 1031
	fcntlGetPipe    = 1032
)

// libFcntl is fcntl.
func libFcntl(m *Machine, c *libCall) (ctype.Word, *Fault) {
	fd := int(c.int(0))
	s := m.lib.stdio.streamOf(fd)
	if s == nil {
		m.set(errBADF)
		return ^ctype.Word(0), nil
	}
	switch c.int(1) {
	case fcntlDup, fcntlDupCloexec:
		return m.lib.stdio.dupFrom(s, c.int(2), c.int(1) == fcntlDupCloexec), nil
	case fcntlGetFd:
		return b2w(m.lib.fs.cloexec[fd]), nil
	case fcntlSetFd:
		m.lib.fs.setCloexec(fd, c.arg(2)&1 != 0)
		return 0, nil
	case fcntlGetFlags:
		return s.statusFlags(), nil
	case fcntlSetFlags:
		s.appending, s.nonblock = c.arg(2)&openAppend != 0, c.arg(2)&openNonblock != 0
		return 0, nil
	case fcntlGetLock, fcntlSetLock, fcntlWaitLock:
		return lockFile(m, c, s)
	case fcntlGetPipe:
		if s.pipe == nil {
			m.set(errBADF)
			return ^ctype.Word(0), nil
		}
		return pipePages * pageSize, nil
	}
	if n := c.int(1); n >= 8 && n <= 16 || n >= 36 && n <= 38 || n >= 1024 && n <= 1042 {
		return 0, m.fault(Unsupported, 0, "fcntl with the command %d is not supported", n)
	}
	m.set(errINVAL)
	return ^ctype.Word(0), nil
}

// dupFrom duplicates a descriptor to the first free one from fd on.
func (st *stdio) dupFrom(s *stream, fd int64, cloexec bool) ctype.Word {
	m := st.m
	if fd < 0 || fd >= m.lib.limits.descriptors() {
		m.set(errINVAL)
		return ^ctype.Word(0)
	}
	n := st.free(int(fd))
	if int64(n) >= m.lib.limits.descriptors() {
		m.set(errMFILE)
		return ^ctype.Word(0)
	}
	st.describe(n, s.opened)
	m.lib.fs.setCloexec(n, cloexec)
	return ctype.Word(n)
}

// lockFile is the locks of fcntl. No lock is kept: setting one always succeeds, and F_GETLK finds none, even where a
// child process holds one. struct flock begins with the type; F_UNLCK is 2.
func lockFile(m *Machine, c *libCall, s *stream) (ctype.Word, *Fault) {
	w, f := m.load(c.arg(2), ctype.ShortT)
	if f != nil {
		return 0, f
	}
	kind := int16(w)
	switch {
	case kind < 0 || kind > 2:
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	case c.int(1) == fcntlGetLock:
		return 0, m.store(c.arg(2), ctype.ShortT, 2)
	case kind == 0 && !s.read, kind == 1 && !s.write:
		m.set(errBADF)
		return ^ctype.Word(0), nil
	}
	return 0, nil
}

// libIoctl is ioctl: no descriptor is a terminal.
func libIoctl(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.streamOf(int(c.int(0)))
	if s == nil {
		m.set(errBADF)
		return ^ctype.Word(0), nil
	}
	if s.socket != nil {
		if v, ok, f := ifRequest(m, uint32(c.arg(1)), c.arg(2)); ok {
			return v, f
		}
	}
	switch request := uint32(c.arg(1)); {
	case request == 0x541b && s.pipe != nil && !s.packetwise(): // FIONREAD
		return 0, m.store(c.arg(2), ctype.IntT, ctype.Word(s.pipe.size()))
	case request == 0x541b && s.file != nil && s.folder == nil && !s.file.null:
		return 0, m.store(c.arg(2), ctype.IntT, ctype.Word(int64(len(s.file.data))-s.pos))
	case request == 0x5421: // FIONBIO
		w, f := m.load(c.arg(2), ctype.IntT)
		s.nonblock = w != 0
		return 0, f
	case request == 0x5450 || request == 0x5451: // FIONCLEX, FIOCLEX
		m.lib.fs.setCloexec(int(c.int(0)), request == 0x5451)
		return 0, nil
	case request>>8 == 0x54 && request != 0x541b: // of terminals
		m.set(errNOTTY)
		return ^ctype.Word(0), nil
	}
	return 0, m.fault(Unsupported, 0, "ioctl with the request %#x is not supported", uint32(c.arg(1)))
}

// noTerminal sets errno for a function that needs a terminal; no descriptor is one.
func noTerminal(m *Machine, c *libCall) {
	if m.lib.stdio.streamOf(int(c.int(0))) == nil {
		m.set(errBADF)
	} else {
		m.set(errNOTTY)
	}
}

// libIsatty is isatty and ttyname.
func libIsatty(m *Machine, c *libCall) (ctype.Word, *Fault) {
	noTerminal(m, c)
	return 0, nil
}
