package machine

import (
	"bytes"
	"slices"

	"gulo/internal/ctype"
)

// This file is pipes between the threads and processes of a program. A pipe is a queue of pages, as in Linux
// (fs/pipe.c): a write adds to the last page what fits into it and takes new pages for the rest; a page is free when all
// of it was read. So a pipe is full here when it is full natively.

const (
	pageSize  = 4096
	pipePages = 16
	errPIPE   = 32
	sigPIPE   = 13
)

// pipe is the queue. Its ends are the streams that have it.
type pipe struct {
	number int // from 1 on
	pages  []pipePage
	most   int // of these; 0 for pipePages
	puts   int // how often something was written to it, and read from it
	takes  int
}

// pipePage is a page of a pipe. Saved states share data, which is never changed in place.
type pipePage struct {
	data []byte // what has not been read
	end  int    // how much of the page was written
}

func (p *pipe) clone() *pipe { q := *p; q.pages = slices.Clone(p.pages); return &q }

// key is what a thread waits on (thread.on) when it waits for this pipe. It is the address of no object.
func (p *pipe) key() ctype.Word { return pollKey + ctype.Word(p.number) }

// pollKey is what a thread waits on when it waits for any pipe.
const pollKey = ctype.Word(1) << 63

func (p *pipe) size() int {
	n := 0
	for i := range p.pages {
		n += len(p.pages[i].data)
	}
	return n
}

func (p *pipe) full() bool {
	if p.most > 0 {
		return len(p.pages) >= p.most
	}
	return len(p.pages) >= pipePages
}

// put writes as much as there is room for; only the first part of a write may go into a page that was begun.
func (p *pipe) put(data []byte, first bool) (n int) {
	p.puts++
	if last := len(p.pages) - 1; first && last >= 0 {
		if odd := len(data) % pageSize; odd > 0 && p.pages[last].end+odd <= pageSize {
			page := &p.pages[last]
			page.data = append(slices.Clip(page.data), data[:odd]...)
			page.end += odd
			n = odd
		}
	}
	for n < len(data) && !p.full() {
		k := min(pageSize, len(data)-n)
		p.pages = append(p.pages, pipePage{slices.Clone(data[n : n+k]), k})
		n += k
	}
	return n
}

// take reads up to n bytes.
func (p *pipe) take(n int) []byte {
	var out []byte
	p.takes++
	for len(p.pages) > 0 && len(out) < n {
		page := &p.pages[0]
		k := min(n-len(out), len(page.data))
		out = append(out, page.data[:k]...)
		if page.data = page.data[k:]; len(page.data) == 0 {
			p.pages = slices.Delete(p.pages, 0, 1)
		}
	}
	return out
}

// hasEnd reports whether the read end of a pipe, or its write end, is open anywhere.
func (p *pipe) hasEnd(m *Machine, write bool) bool {
	for o := range m.descriptions {
		if write && o.writes() && o.target() == p || !write && o.reads() && o.pipe == p {
			return true
		}
	}
	for o := range m.procs.outlets {
		if write && o.target() == p {
			return true
		}
	}
	return p.awaitsOpening(m, write)
}

// pipeWaits is a kind of Fault that never leaves the machine: the call that returns it waits for a pipe, and is made again.
const pipeWaits FaultKind = "a pipe"

// waitsFor returns the fault that makes the present call wait until something is read from a pipe or written to it.
func (p *pipe) waitsFor(m *Machine, why string) *Fault {
	return &Fault{Kind: pipeWaits, Message: why, Pointer: p.key()}
}

// waitPipe makes the present thread wait for a pipe. If it is the only one and a timer is set, it waits for the timer's
// signal, as nothing else can happen.
func (m *Machine) waitPipe(c *libCall, f *Fault) (ctype.Word, *Fault) {
	if m.several() || m.procs != nil || m.lib.signals.nextDue() == 0 {
		return m.wait(c, f.Message, f.Pointer, f.Size)
	}
	m.lib.signals.sleepUntil(m.lib.signals.nextDue())
	if again := m.lib.signals.restarts(); again {
		c.entered, m.moved = true, true
		return 0, m.lib.signals.deliver(m.pc)
	}
	m.set(errINTR)
	return m.lib.signals.interrupted(c, ^ctype.Word(0))
}

// restarts reports whether a call that waits is made again after the handlers of the signals that are pending.
func (sg *signals) restarts() bool {
	for n := 1; n < nSignals; n++ {
		if sg.pending&^sg.blocked>>(n-1)&1 != 0 && sg.actions[n].flags&saRestart == 0 {
			return false
		}
	}
	return true
}

// changed lets the threads go on that wait for a pipe.
func (p *pipe) changed(m *Machine) {
	if p != nil {
		m.wakeAll(p.key())
		m.wakeAll(pollKey)
	}
}

// draw reads up to n bytes from a pipe. It returns none at the end, and with an errno.
func (s *stream) draw(m *Machine, n int) (b []byte, errno ctype.Word, f *Fault) {
	p := s.pipe
	switch {
	case n == 0:
		return nil, 0, nil
	case s.socket != nil && !s.socket.connected:
		return nil, errNOTCONN, nil
	case s.socket != nil && s.socket.noRead:
		return nil, 0, nil
	case len(p.pages) == 0 && !p.hasEnd(m, true):
		return nil, 0, nil
	case len(p.pages) == 0 && s.nonblock:
		return nil, errAGAIN, nil
	case len(p.pages) == 0 && s.socket != nil:
		return nil, 0, p.waitsFor(m, "something to be sent to the socket")
	case len(p.pages) == 0:
		return nil, 0, p.waitsFor(m, "something to be written to the pipe")
	}
	b = p.take(n)
	if m.several() {
		m.th.acquire(p.key())
	}
	p.changed(m)
	return b, 0, nil
}

// pour writes to a pipe. When the pipe is full, the call waits and is made again for the rest. It returns how much was
// written, and an errno if nothing could be written or the pipe is broken.
func (s *stream) pour(m *Machine, data []byte) (n int, errno ctype.Word, f *Fault) {
	p := s.target()
	if m.th != nil {
		n, m.th.cur.poured = m.th.cur.poured, 0
	}
	if m.lib.stdio.written += int64(len(data)); n == 0 && m.lib.stdio.written > m.cfg.MaxOutput {
		return 0, 0, m.outputLimit()
	}
	if !s.writes() || !p.hasEnd(m, false) {
		if !m.quietPipe {
			m.lib.signals.brokenPipe()
		}
		return n, errPIPE, nil
	}
	if k := p.put(data[n:], n == 0); k > 0 {
		n += k
		if m.several() {
			m.th.release(p.key())
		}
		p.changed(m)
	}
	switch {
	case n == len(data), s.nonblock && n > 0:
		return n, 0, nil
	case s.nonblock:
		return 0, errAGAIN, nil
	}
	m.threading().cur.poured = n
	m.lib.stdio.written -= int64(len(data))
	if s.socket != nil {
		return 0, 0, p.waitsFor(m, "something to be received from the socket, which is full")
	}
	return 0, 0, p.waitsFor(m, "something to be read from the pipe, which is full")
}

// brokenPipe sends the program SIGPIPE.
func (sg *signals) brokenPipe() {
	sg.pending |= 1 << (sigPIPE - 1)
	sg.broken = true
}

// holdPipe puts what is printed to a pipe into the stream's buffer, and writes the buffer to the pipe when it is full.
func (s *stream) holdPipe(m *Machine, data []byte) *Fault {
	if !s.write {
		s.bad = true
		m.set(errBADF)
		return nil
	}
	all := slices.Concat(s.held, data)
	n := len(all)
	switch {
	case s.direct:
	case s.lines:
		n = bytes.LastIndexByte(all, '\n') + 1
	case n <= bufferSize:
		n = 0
	default:
		n = n / bufferSize * bufferSize
	}
	if n == 0 {
		s.held = all
		return nil
	}
	return s.drain(m, all, n)
}

// drain writes the first n bytes of what a stream holds to its pipe.
func (s *stream) drain(m *Machine, all []byte, n int) *Fault {
	if n == 0 {
		return nil
	}
	k, errno, f := s.pour(m, all[:n])
	if f != nil {
		return f
	}
	if errno != 0 {
		s.bad = true
		m.set(errno)
	}
	s.held = slices.Clone(all[k:])
	if errno == errPIPE {
		s.held = nil
	}
	return nil
}

// refill reads into the buffer of a stream that is the end of a pipe; false at its end, or where there is nothing.
func (s *stream) refill(m *Machine) (bool, *Fault) {
	b, errno, f := s.draw(m, bufferSize)
	switch {
	case f != nil:
		return false, f
	case errno != 0:
		s.bad = true
		m.set(errno)
	case len(b) == 0:
		s.eof = true
	}
	s.putBack(b)
	return len(b) > 0, nil
}

// libPipe is pipe and pipe2.
func libPipe(m *Machine, c *libCall) (ctype.Word, *Fault) {
	flags := ctype.Word(0)
	if c.name == "pipe2" {
		flags = ctype.Word(uint32(c.arg(1)))
	}
	switch {
	case flags&^(openNonblock|openCloexec|openDirect) != 0:
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	case flags&openDirect != 0:
		return 0, m.fault(Unsupported, 0, "pipe2 with O_DIRECT is not supported")
	case int64(len(m.lib.fs.streams)+len(m.lib.stdio.standard)+2) > m.lib.limits.descriptors():
		m.set(errMFILE)
		return ^ctype.Word(0), nil
	}
	m.lib.fs.pipes++
	p := &pipe{number: m.lib.fs.pipes}
	for i := range 2 {
		s := m.lib.stdio.open(nil)
		s.pipe, s.read, s.write, s.nonblock = p, i == 0, i == 1, flags&openNonblock != 0
		m.lib.fs.setCloexec(s.fd, flags&openCloexec != 0)
		if f := m.store(c.arg(0)+ctype.Word(4*i), ctype.IntT, ctype.Word(s.fd)); f != nil {
			return 0, f
		}
	}
	return 0, nil
}

// drainAll writes what the streams of all pipes hold.
func (st *stdio) drainAll() *Fault {
	for s := range st.all {
		if s.pipe != nil {
			if f := s.drain(st.m, s.held, len(s.held)); f != nil {
				return f
			}
		}
	}
	return nil
}
