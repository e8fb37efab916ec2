package machine

import "gulo/internal/ctype"

// This file is pipes that have a name: mkfifo, and what mknod makes.

func init() {
	register(map[string]builtin{"mkfifo": libMkfifo, "mknod": libMknod, "mkfifoat": libAt, "mknodat": libAt})
}

const (
	errNXIO  = 6
	modeKind = 0o170000
)

// fifo is a pipe with a name.
type fifo struct {
	*pipe
	opens [2]int // how often it was opened for reading, and for writing
	held  [2]int // threads that wait to open it so
}

func libMkfifo(m *Machine, c *libCall) (ctype.Word, *Fault) { return m.lib.fs.makeNode(c, modeFIFO) }

func libMknod(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return m.lib.fs.makeNode(c, c.arg(1)&modeKind)
}

// makeNode makes a pipe with a name or an empty file.
func (fsys *fileSystem) makeNode(c *libCall, kind ctype.Word) (ctype.Word, *Fault) {
	m := fsys.m
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	switch kind {
	case 0, modeFile, modeFIFO:
	case modeFolder:
		return m.failed(errPERM)
	default:
		return m.failed(errPERM)
	}
	if m.cfg.Files != nil {
		if rel, below := fsys.local(path); below && fsys.hasFolder(rel) {
			return m.failed(errEXIST)
		}
	}
	file, errno, f := fsys.create(c, path, true, true)
	if f != nil || errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	const mask = 0o22
	file.mode = uint32(c.arg(1)&0o7777&^mask) + 1
	if kind == modeFIFO {
		fsys.pipes++
		file.fifo, file.disk = &fifo{pipe: &pipe{number: fsys.pipes}}, false
		return 0, nil
	}
	fsys.flush(file)
	return 0, nil
}

// openEnd opens a pipe with a name. To open one end waits until the other one is open. It returns nil with errno set
// where it cannot.
func (x *fifo) openEnd(m *Machine, read, write, nonblock bool) (*stream, *Fault) {
	end, other := 0, 1
	if write {
		end, other = 1, 0
	}
	t := m.threading().cur
	switch {
	case read && write:
		x.opens[0]++
	case t.inside:
		if int64(x.opens[other]) == t.queued && !x.pipe.hasEnd(m, !write) && x.held[other] == 0 {
			return nil, x.pipe.waitsFor(m, "the other end of a pipe to be opened")
		}
		t.inside = false
		x.held[end]--
	case x.pipe.hasEnd(m, !write) || x.held[other] > 0 || nonblock && read:
	case nonblock:
		m.set(errNXIO)
		return nil, nil
	default:
		x.held[end]++
		t.inside, t.queued = true, int64(x.opens[other])
		x.pipe.changed(m)
		return nil, x.pipe.waitsFor(m, "the other end of a pipe to be opened")
	}
	x.opens[end]++
	s := m.lib.stdio.open(nil)
	s.pipe, s.read, s.write, s.nonblock = x.pipe, read, write, nonblock
	x.pipe.changed(m)
	return s, nil
}

// awaitsOpening reports whether a thread waits to open an end of a pipe with a name.
func (p *pipe) awaitsOpening(m *Machine, write bool) bool {
	for _, f := range m.lib.fs.names {
		if f != nil && f.fifo != nil && f.fifo.pipe == p {
			return f.fifo.held[b2w(write)] > 0
		}
	}
	return false
}
