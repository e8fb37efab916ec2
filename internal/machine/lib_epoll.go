package machine

import (
	"maps"
	"slices"

	"gulo/internal/ctype"
)

// This file is epoll: a set of descriptors that is asked which of them are ready, in the order of their numbers.

func init() {
	register(map[string]builtin{
		"epoll_create": libEpollCreate, "epoll_create1": libEpollCreate, "epoll_ctl": libEpollControl, "epoll_wait": libEpollWait,
	})
}

// epoll is the set.
type epoll struct {
	interest map[int]watchedFd
}

// watchedFd is a descriptor of the set.
type watchedFd struct {
	opened *opened
	events uint32
	data   ctype.Word
	off    bool   // EPOLLONESHOT: it was reported, and is not any more
	seen   int    // EPOLLET: opened.changes() when it was reported last; -1 before
	last   uint32 // the events reported last
}

const (
	epollEvent   = 12 // bytes of struct epoll_event, which is packed
	epollOneShot = 1 << 30
	epollEdge    = 1 << 31
)

func (e *epoll) clone(c *copying) *epoll {
	if e == nil {
		return nil
	}
	out := &epoll{interest: map[int]watchedFd{}}
	for fd, w := range e.interest {
		w.opened = c.description(w.opened)
		out.interest[fd] = w
	}
	return out
}

// changes counts what has happened to a description.
func (o *opened) changes() int {
	n := 0
	if o.pipe != nil {
		n += o.pipe.puts + o.target().takes
	}
	if o.socket != nil {
		n += o.socket.changes
	}
	if o.event != nil {
		n += o.event.changes
	}
	return n
}

func libEpollCreate(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.name == "epoll_create" && c.int(0) <= 0 || c.name == "epoll_create1" && c.arg(0)&^openCloexec != 0 {
		return m.failed(errINVAL)
	}
	s := m.lib.stdio.describe(m.lib.stdio.free(0), &opened{device: -1, read: true, write: true, epoll: &epoll{interest: map[int]watchedFd{}}})
	m.lib.fs.setCloexec(s.fd, c.name == "epoll_create1" && c.arg(0)&openCloexec != 0)
	return ctype.Word(s.fd), nil
}

// epollOf is the set of a descriptor; nil, and errno, for none.
func (st *stdio) epollOf(fd int64) *epoll {
	m := st.m
	s := st.streamOf(int(fd))
	switch {
	case s == nil:
		m.set(errBADF)
		return nil
	case s.epoll == nil:
		m.set(errINVAL)
		return nil
	}
	return s.epoll
}

func libEpollControl(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const add, del, mod = 1, 2, 3
	e := m.lib.stdio.epollOf(c.int(0))
	if e == nil {
		return ^ctype.Word(0), nil
	}
	fd := int(c.int(2))
	s := m.lib.stdio.streamOf(fd)
	if s == nil {
		return m.failed(errBADF)
	}
	_, there := e.interest[fd]
	if there && e.interest[fd].opened != s.opened {
		there = false // it was closed, and opened anew
	}
	op := c.int(1)
	switch {
	case s.epoll == e, op < add, op > mod:
		return m.failed(errINVAL)
	case s.file != nil && !s.file.null:
		return m.failed(errPERM)
	case op == add && there:
		return m.failed(errEXIST)
	case op != add && !there:
		return m.failed(errNOENT)
	case op == del:
		delete(e.interest, fd)
		return 0, nil
	}
	events, f := m.load(c.arg(3), ctype.UIntT)
	if f != nil {
		return 0, f
	}
	b, f := m.bytes(c.arg(3)+4, 8, false)
	if f != nil {
		return 0, f
	}
	e.interest[fd] = watchedFd{opened: s.opened, events: uint32(events), data: ctype.Load(ctype.ULongT, b), seen: -1}
	m.wakeAll(pollKey)
	return 0, nil
}

// ready returns the descriptors of a set that are ready, in order. It removes those whose description no process
// has open any more.
func (e *epoll) ready(m *Machine) (ready []int) {
	open := map[*opened]bool{}
	for o := range m.descriptions {
		open[o] = true
	}
	for _, fd := range slices.Sorted(maps.Keys(e.interest)) {
		w := e.interest[fd]
		if !open[w.opened] {
			delete(e.interest, fd)
			continue
		}
		if events := w.asked(m); events != 0 && !w.off && (w.events&epollEdge == 0 || w.seen != w.opened.changes() || events&^w.last != 0) {
			ready = append(ready, fd)
		}
	}
	return ready
}

// asked is what has happened to a descriptor that the program asks for.
func (w watchedFd) asked(m *Machine) uint32 {
	events, _ := (&stream{opened: w.opened}).readiness(m)
	return uint32(uint16(events)) & (w.events | pollErr | pollHup)
}

// libEpollWait is epoll_wait and epoll_pwait.
func libEpollWait(m *Machine, c *libCall) (ctype.Word, *Fault) {
	e := m.lib.stdio.epollOf(c.int(0))
	most := c.int(2)
	if e == nil {
		return ^ctype.Word(0), nil
	}
	if most <= 0 {
		return m.failed(errINVAL)
	}
	ready := e.ready(m)
	if len(ready) == 0 {
		nanos := int64(forever)
		if c.int(3) >= 0 {
			nanos = c.int(3) * 1e6
		}
		silent := slices.ContainsFunc(slices.Collect(maps.Values(e.interest)), func(w watchedFd) bool {
			_, none := (&stream{opened: w.opened}).readiness(m)
			return none && w.events&pollReads != 0
		})
		if over, v, f := m.waitReady(c, nanos, silent); !over {
			return v, f
		}
	}
	m.th.doneWaiting()
	n := 0
	for _, fd := range ready {
		if int64(n) >= most {
			break
		}
		w := e.interest[fd]
		b := make([]byte, epollEvent)
		w.last = w.asked(m)
		ctype.Store(ctype.UIntT, b, ctype.Word(w.last))
		ctype.Store(ctype.ULongT, b[4:], w.data)
		if f := m.putBytes(c.arg(1)+ctype.Word(n*epollEvent), b); f != nil {
			return 0, f
		}
		w.seen, w.off = w.opened.changes(), w.events&epollOneShot != 0
		e.interest[fd] = w
		n++
	}
	if m.several() && n > 0 {
		for _, fd := range ready {
			if p := e.interest[fd].opened.pipe; p != nil {
				m.th.acquire(p.key())
			}
		}
	}
	return ctype.Word(n), nil
}
