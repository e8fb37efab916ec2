package machine

import (
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/ctype"
)

// This file is the functions of stdio.h and unistd.h that open, move in, close and
// remove files.

func init() {
	register(map[string]builtin{
		"fopen": libFopen, "fopen64": libFopen, "freopen": libFreopen, "fdopen": libFdopen, "tmpfile": libTmpfile,
		"fclose": libFclose, "fseek": libFseek, "fseeko": libFseek, "ftell": libFtell, "ftello": libFtell, "rewind": libRewind,
		"fgetpos": libFgetpos, "fsetpos": libFsetpos, "remove": libRemove, "unlink": libRemove, "rename": libRename,
		"open": libOpen, "open64": libOpen, "creat": libOpen, "creat64": libOpen, "lseek64": libLseek, "fseeko64": libFseek, "ftello64": libFtell, "ftruncate64": libFtruncate, "close": libClose, "lseek": libLseek, "access": libAccess, "tmpnam": libTmpnam, "mkstemp": libMkstemp,
		"getcwd": libGetcwd, "ftruncate": libFtruncate, "fmemopen": libFmemopen, "open_memstream": libOpenMemstream,
	})
}

// fileOf makes the FILE of a stream.
func (st *stdio) fileOf(s *stream) ctype.Word {
	b := st.m.newBlock(Global, 216)
	b.Name = "a FILE"
	st.files[b.ID] = s.fd
	return ctype.MakePointer(b.ID, 0)
}

// stream returns the stream that a FILE is.
func (st *stdio) stream(c *libCall, w ctype.Word) (*stream, *Fault) {
	fd, f := st.descriptor(c, w)
	if f != nil {
		return nil, f
	}
	s := st.fileStream(fd)
	if s.cookie != nil && moves[strings.TrimSuffix(c.name, "64")] {
		return nil, st.m.fault(Unsupported, 0, "%s on a stream of fopencookie is not supported", c.name)
	}
	return s, nil
}

// moves are the functions about the position in a stream.
var moves = map[string]bool{"fseek": true, "fseeko": true, "ftell": true, "ftello": true, "fgetpos": true, "fsetpos": true, "rewind": true}

// streamOf returns the stream of a descriptor, nil for none.
func (st *stdio) streamOf(fd int) *stream {
	if fd >= 0 && fd < len(st.standard) {
		if st.standard[fd].opened == noDescriptor {
			return nil
		}
		return &st.standard[fd]
	}
	return st.m.lib.fs.streams[fd]
}

// fileStream returns the stream of a FILE. It returns a standard stream even if that is closed.
func (st *stdio) fileStream(fd int) *stream {
	if fd >= 0 && fd < len(st.standard) {
		return &st.standard[fd]
	}
	return st.m.lib.fs.streams[fd]
}

func libFopen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	mode, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	s, f := m.lib.fs.fopen(c, path, mode)
	if f != nil || s == nil {
		return 0, f
	}
	return m.lib.stdio.fileOf(s), nil
}

// fopen opens a file; if it cannot, it sets errno and returns nil.
func (fsys *fileSystem) fopen(c *libCall, path, mode string) (*stream, *Fault) {
	m := fsys.m
	var s opened
	create, truncate, exclusive, ok := s.mode(mode)
	if !ok {
		m.set(errINVAL)
		return nil, nil
	}
	var file *memFile
	var errno ctype.Word
	var f *Fault
	if create {
		file, errno, f = fsys.create(c, path, exclusive, truncate)
	} else {
		file, errno, f = fsys.find(c, path)
	}
	if f != nil || errno != 0 {
		m.set(errno)
		return nil, f
	}
	if file.fifo != nil {
		return file.fifo.openEnd(m, s.read, s.write, false)
	}
	o := m.lib.stdio.open(file)
	o.read, o.write, o.appending = s.read, s.write, s.appending
	return o, nil
}

func libFreopen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	old, f := m.lib.stdio.stream(c, c.arg(2))
	if f != nil {
		return 0, f
	}
	if c.arg(0) == 0 {
		return m.lib.stdio.reopen(c, old)
	}
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	mode, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	if old.fd == 1 {
		m.lib.stdio.flush()
	}
	s, f := m.lib.fs.fopen(c, path, mode)
	if f != nil || s == nil {
		return 0, f
	}
	if old.file != nil && old.write {
		old.settle()
		m.lib.fs.flush(old.file)
	}
	o := s.opened
	if s.fd != old.fd {
		m.lib.stdio.unlink(s.fd)
	}
	defer old.pipe.changed(m)
	old.held = nil
	m.lib.stdio.describe(old.fd, o)
	old.eof, old.bad, old.unget, old.stdio = false, false, nil, false
	return c.arg(2), nil
}

func libFdopen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.streamOf(int(c.int(0)))
	if s == nil {
		m.set(errBADF)
		return 0, nil
	}
	return m.lib.stdio.fileOf(s), nil
}

func libTmpfile(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.open(&memFile{name: "a temporary file"})
	s.read, s.write = true, true
	return m.lib.stdio.fileOf(s), nil
}

// libFclose closes a stream; the descriptor of a standard stream stays open.
func libFclose(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(0))
	if f != nil {
		return 0, f
	}
	if entered, f := m.lib.stdio.drains(c, s); entered {
		return 0, f
	}
	if s.cookie != nil {
		return 0, enterCookie(m, c, s, s.cookie.close, c.dst, m.pc+1)
	}
	id, _ := ctype.SplitPointer(c.arg(0))
	if s.pipe != nil {
		if f := s.drain(m, s.held, len(s.held)); f != nil {
			return 0, f
		}
		defer s.target().changed(m)
		defer s.pipe.changed(m)
	}
	taken := s.fd != 1 || m.lib.stdio.flush()
	if f := s.syncText(m); f != nil {
		return 0, f
	}
	m.lib.stdio.release(m, s)
	if s.fd > 2 {
		delete(m.lib.stdio.files, id)
		m.lib.stdio.closed[id] = true
	}
	return flushed(taken), nil
}

// release closes a descriptor, except that of a standard stream.
func (st *stdio) release(m *Machine, s *stream) {
	if s.file != nil && s.write {
		s.settle()
		m.lib.fs.flush(s.file)
	}
	if s.fd > 2 {
		st.unlink(s.fd)
	}
}

func libClose(m *Machine, c *libCall) (ctype.Word, *Fault) {
	fd := int(c.int(0))
	s := m.lib.stdio.streamOf(fd)
	if s == nil {
		m.set(errBADF)
		return ^ctype.Word(0), nil
	}
	m.lib.stdio.closeDescriptor(m, s)
	return 0, nil
}

// closeDescriptor closes a descriptor, also that of a standard stream.
func (st *stdio) closeDescriptor(m *Machine, s *stream) {
	p, target := s.pipe, s.target()
	if s.fd > 2 {
		st.release(m, s)
	} else {
		st.unlink(s.fd)
	}
	p.changed(m)
	target.changed(m)
}

// seek moves a stream; false when it cannot.
func (s *stream) seek(m *Machine, off, whence int64) bool {
	if s.file == nil {
		m.set(errSPIPE)
		return false
	}
	s.settle()
	switch whence {
	case 1:
		off += s.pos - int64(len(s.unget))
	case 2:
		off += int64(len(s.file.data))
	}
	if off < 0 || whence < 0 || whence > 2 {
		m.set(errINVAL)
		return false
	}
	s.pos, s.eof, s.unget = off, false, nil
	return true
}

func libFseek(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(0))
	if f != nil {
		return 0, f
	}
	if !s.seek(m, c.long(1), c.int(2)) {
		return ^ctype.Word(0), nil
	}
	return 0, s.syncText(m)
}

func libFtell(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(0))
	if f != nil {
		return 0, f
	}
	if s.file == nil {
		m.set(errSPIPE)
		return ^ctype.Word(0), nil
	}
	return ctype.Word(s.at() - int64(len(s.unget))), nil
}

func libRewind(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(0))
	if f == nil && s.file != nil {
		s.seek(m, 0, 0)
		s.bad = false
	}
	return 0, f
}

func libFgetpos(m *Machine, c *libCall) (ctype.Word, *Fault) {
	w, f := libFtell(m, c)
	if f != nil || int64(w) < 0 {
		return w, f
	}
	return 0, m.store(c.arg(1), ctype.LongT, w)
}

func libFsetpos(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(0))
	if f != nil {
		return 0, f
	}
	w, f := m.load(c.arg(1), ctype.LongT)
	if f != nil || s.seek(m, int64(w), 0) {
		return 0, f
	}
	return ^ctype.Word(0), nil
}

func libLseek(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.streamOf(int(c.int(0)))
	if s == nil {
		m.set(errBADF)
		return ^ctype.Word(0), nil
	}
	if !s.seek(m, c.long(1), c.int(2)) {
		return ^ctype.Word(0), nil
	}
	return ctype.Word(s.pos), nil
}

func libRemove(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	file, errno, f := m.lib.fs.find(c, path)
	if f != nil || errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	rel, _ := m.lib.fs.localOf(c, path)
	m.lib.fs.names[rel] = nil
	if m.lib.fs.root != nil && (file.disk || file.isLink() && m.lib.fs.onDisk(rel)) {
		_ = m.lib.fs.root.Remove(rel) // it may be in memory alone
	}
	if file.linked {
		m.lib.fs.rename(file)
	}
	return 0, nil
}

func libRename(m *Machine, c *libCall) (ctype.Word, *Fault) {
	from, to, f := twoTexts(m, c)
	if f != nil {
		return 0, f
	}
	file, errno, f := m.lib.fs.find(c, from)
	if f != nil || errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	if done, f := m.lib.fs.renameLink(c, file, from, to); done || f != nil {
		return 0, f
	}
	target, errno, f := m.lib.fs.create(c, to, false, true)
	if f != nil || errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	if target != file {
		file.shared, target.data, target.shared, target.mapped = true, file.data, true, ""
		if file.mapped == file.name && file.disk && m.lib.fs.root.Rename(file.name, target.name) == nil {
			target.mapped = target.name
		}
		m.lib.fs.flush(target)
		m.lib.fs.names[file.name] = nil
		if file.disk && m.lib.fs.root != nil {
			_ = m.lib.fs.root.Remove(file.name)
		}
	}
	return 0, nil
}

// libOpen is open and creat, with Linux's flags.
func libOpen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	flags := c.int(1)
	if strings.HasPrefix(c.name, "creat") {
		flags = 0o1101
	}
	access := flags & 3
	if at, _ := m.lib.fs.linkAt(path); at != nil && flags&openNoFollow != 0 {
		m.set(errLOOP)
		return ^ctype.Word(0), nil
	}
	if m.cfg.Files != nil && path != "" {
		if rel, below := m.lib.fs.local(path); below && m.lib.fs.hasFolder(rel) {
			if access != 0 || flags&0o100 != 0 {
				m.set(errISDIR)
				return ^ctype.Word(0), nil
			}
			return ctype.Word(m.lib.fs.openDir(rel).fd), nil
		}
	}
	var file *memFile
	var errno ctype.Word
	if flags&0o100 != 0 {
		file, errno, f = m.lib.fs.create(c, path, flags&0o200 != 0, flags&0o1000 != 0)
	} else if file, errno, f = m.lib.fs.find(c, path); f == nil && errno == 0 && flags&0o1000 != 0 && access != 0 {
		file.data, file.shared, file.mapped = nil, false, ""
	}
	if f != nil || errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	if flags&openFolderIs != 0 {
		m.set(errNOTDIR)
		return ^ctype.Word(0), nil
	}
	if file.fifo != nil {
		s, f := file.fifo.openEnd(m, access != 1, access != 0, flags&openNonblock != 0)
		if f != nil || s == nil {
			return ^ctype.Word(0), f
		}
		m.lib.fs.setCloexec(s.fd, flags&openCloexec != 0)
		return ctype.Word(s.fd), nil
	}
	s := m.lib.stdio.open(file)
	s.read, s.write, s.appending, s.nonblock = access != 1, access != 0, flags&openAppend != 0, flags&openNonblock != 0
	m.lib.fs.setCloexec(s.fd, flags&openCloexec != 0)
	return ctype.Word(s.fd), nil
}

func libAccess(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	_, errno, f := m.lib.fs.find(c, path)
	if f != nil || errno == 0 || errno == errISDIR {
		return 0, f
	}
	m.set(errno)
	return ^ctype.Word(0), nil
}

func (fsys *fileSystem) temporaryName() string {
	fsys.made++
	return sprintf("/tmp/gulo%06d", fsys.made)
}

func libTmpnam(m *Machine, c *libCall) (ctype.Word, *Fault) {
	name := m.lib.fs.temporaryName()
	if c.arg(0) == 0 {
		return m.lib.text("what tmpnam returns", name), nil
	}
	return c.arg(0), m.putString(c.arg(0), name)
}

func libMkstemp(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	if !strings.HasSuffix(path, "XXXXXX") {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	m.lib.fs.made++
	path = strings.TrimSuffix(path, "XXXXXX") + sprintf("%06d", m.lib.fs.made)
	file, errno, f := m.lib.fs.create(c, path, true, true)
	if f != nil || errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	s := m.lib.stdio.open(file)
	s.read, s.write = true, true
	return ctype.Word(s.fd), m.putString(c.arg(0), path)
}

func libGetcwd(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if m.cfg.Files == nil {
		return 0, m.lib.fs.noFiles("getcwd")
	}
	if m.cfg.Files.Given != nil {
		return 0, m.fault(Unsupported, 0, "getcwd: these runs have a folder of their own each")
	}
	dir, err := filepath.Abs(m.cfg.Files.Dir)
	if err != nil {
		m.set(errNOENT)
		return 0, nil
	}
	dir = absolute(dir, m.lib.fs.cwd)
	p := c.arg(0)
	if p == 0 {
		var f *Fault
		if p, f = m.Malloc(max(int64(len(dir)+1), c.long(1)), false); f != nil {
			return 0, f
		}
	} else if c.arg(1) <= ctype.Word(len(dir)) {
		m.set(34)
		return 0, nil
	}
	return p, m.putString(p, dir)
}

func libFtruncate(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.streamOf(int(c.int(0)))
	n := c.long(1)
	if s == nil || s.file == nil || !s.write || n < 0 || n > m.cfg.MaxMemory {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	data := make([]byte, n)
	copy(data, s.file.data)
	s.file.data, s.file.shared, s.file.mapped = data, false, ""
	return 0, nil
}

// libFmemopen opens a program's own memory.
func libFmemopen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	mode, f := m.cstring(c.arg(2))
	if f != nil {
		return 0, f
	}
	var s opened
	_, truncate, _, ok := s.mode(mode)
	if !ok {
		m.set(errINVAL)
		return 0, nil
	}
	file := &memFile{name: "memory"}
	if c.arg(0) != 0 && !truncate {
		b, f := m.bytes(c.arg(0), c.long(1), !m.cfg.UninitOK && s.read)
		if f != nil {
			return 0, f
		}
		file.data = append([]byte(nil), b...)
		if s.write {
			if i := strings.IndexByte(string(b), 0); i >= 0 {
				file.data = file.data[:i]
			}
		}
	}
	o := m.lib.stdio.open(file)
	o.read, o.write, o.appending = s.read, s.write, s.appending
	o.text = &textStream{at: c.arg(0), room: c.long(1)}
	return m.lib.stdio.fileOf(o), nil
}

func libOpenMemstream(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.open(&memFile{name: "memory"})
	s.write = true
	s.text = &textStream{buf: c.arg(0), size: c.arg(1)}
	return m.lib.stdio.fileOf(s), s.syncText(m)
}

// syncText brings the program's memory in step with a stream into it, as fflush
// does.
func (s *stream) syncText(m *Machine) *Fault {
	t := s.text
	switch {
	case t == nil || !s.write:
		return nil
	case t.buf == 0:
		if t.at == 0 {
			return nil
		}
		data := append([]byte(nil), s.file.data...)
		if int64(len(data)) < t.room {
			data = append(data, 0)
		}
		return m.putBytes(t.at, data[:min(int64(len(data)), t.room)])
	}
	data, unit := s.file.data, int64(1)
	if t.wide {
		data, unit = nil, 4
		for _, b := range s.file.data {
			data = append(data, b, 0, 0, 0)
		}
	}
	p, f := m.Malloc(int64(len(data))+unit, false)
	if f != nil {
		return f
	}
	if t.at != 0 {
		if f := m.FreePtr(t.at); f != nil {
			return f
		}
	}
	t.at = p
	if f := m.putBytes(p, append(slices.Clip(data), make([]byte, unit)...)); f != nil {
		return f
	}
	if f := m.store(t.buf, ctype.VoidPtrT, p); f != nil {
		return f
	}
	return m.store(t.size, ctype.ULongT, ctype.Word(s.pos))
}
