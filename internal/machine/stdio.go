package machine

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"syscall"

	"gulo/internal/ctype"
)

// This file is the streams of a process: what FILE buffers hold, and which descriptors are open.

// stdio is the streams of a process: those of FILE, and the standard ones, whose descriptors are open from the beginning.
type stdio struct {
	m        *Machine
	in       *bufio.Reader
	out      []byte // printed to standard output, and not handed to its writer yet
	written  int64
	printed  int64           // to standard output
	files    map[uint32]int  // FILE block -> descriptor
	std      [3]ctype.Word   // stdin, stdout, stderr
	standard [3]stream       // of the standard streams
	closed   map[uint32]bool // FILE blocks that were closed
	misread  []string        // formats of scanf that standard input did not meet
	cookies  bool            // fopencookie was called
}

// descriptor returns the descriptor of a FILE pointer, or a fault if it is no open stream.
func (st *stdio) descriptor(c *libCall, w ctype.Word) (int, *Fault) {
	m := st.m
	id, off := ctype.SplitPointer(w)
	if d, ok := st.files[id]; ok && off == 0 {
		return d, nil
	}
	if w == 0 {
		return 0, m.fault(NullDeref, w, "%s on a null stream", c.name)
	}
	if st.closed[id] {
		return 0, m.fault(BadLibraryCall, w, "%s on a stream that was closed", c.name)
	}
	return 0, m.fault(BadLibraryCall, w, "%s on something that is no open stream", c.name)
}

func (st *stdio) write(fd int, data []byte) *Fault {
	m := st.m
	s := st.fileStream(fd)
	if s != nil && s.pipe != nil {
		return s.holdPipe(m, data)
	}
	if s != nil && s.file != nil {
		if !s.write {
			s.bad = true
			m.set(errBADF)
			return nil
		}
		return s.hold(m, data)
	}
	if s != nil && s.opened == noDescriptor {
		s.bad = true
	}
	if s == nil || s.opened == noDescriptor || !s.write && s.device != 0 {
		m.set(errBADF)
		return nil
	}
	st.written += int64(len(data))
	if st.written > m.cfg.MaxOutput {
		return m.outputLimit()
	}
	if s.device == 2 {
		if m.cfg.Stderr != nil {
			_, _ = m.cfg.Stderr.Write(data)
		}
		return nil
	}
	st.out = append(st.out, data...)
	st.printed += int64(len(data))
	switch {
	case m.cfg.LineInput && strings.ContainsRune(string(data), '\n'):
		st.flush()
	case len(st.out) >= 1<<16:
		st.settleOut()
	}
	return nil
}

// settleOut writes out the part of the printed text that would not be in the buffer of stdout any more.
func (st *stdio) settleOut() {
	n := 0
	switch s := &st.standard[1]; {
	case s.direct:
		n = len(st.out)
	case s.lines:
		n = bytes.LastIndexByte(st.out, '\n') + 1
	case len(st.out) > bufferSize:
		n = len(st.out) / bufferSize * bufferSize
	}
	if n > 0 {
		rest := slices.Clone(st.out[n:])
		st.out = st.out[:n]
		st.flush()
		st.out = append(st.out, rest...)
	}
}

// flush writes out what was printed. If that fails, it sets errno and the error flag of stdout, and returns false.
func (st *stdio) flush() (taken bool) {
	m := st.m
	taken = true
	if len(st.out) > 0 && m.cfg.Stdout != nil {
		if _, err := m.cfg.Stdout.Write(st.out); err != nil {
			taken = false
			st.standard[1].bad = true
			errno := ctype.Word(errIO)
			var sys syscall.Errno
			if errors.As(err, &sys) {
				errno = ctype.Word(sys)
			}
			m.set(errno)
		}
	}
	st.out = st.out[:0]
	return taken
}

// getc returns the next byte of a stream, -1 at its end.
func (st *stdio) getc(s *stream) (int, *Fault) {
	m := st.m
	if n := len(s.unget); n > 0 {
		c := s.unget[n-1]
		s.unget = s.unget[:n-1]
		return int(c), nil
	}
	s.stdio = true
	switch {
	case s.eof && s.file == nil:
		return -1, nil
	case !s.read:
		s.bad = true
		m.set(errBADF)
		return -1, nil
	case s.pipe != nil:
		if more, f := s.refill(m); f != nil || !more {
			return -1, f
		}
		return st.getc(s)
	case s.cookie != nil && s.pos >= int64(len(s.file.data)):
		if s.answered || s.eof {
			s.answered = false
			return -1, nil
		}
		return -1, &Fault{Kind: cookieWaits, Pointer: ctype.Word(s.fd)}
	case s.file != nil && s.file.source != nil:
		return int(s.file.source(m.lib.fs.disk)), nil
	case s.file != nil:
		s.settle()
		if s.pos >= int64(len(s.file.data)) {
			s.eof = true
			return -1, nil
		}
		s.pos++
		return int(s.file.data[s.pos-1]), nil
	}
	st.flush()
	b, err := st.in.ReadByte()
	if errors.Is(err, ErrNoInput) {
		st.in.Reset(m.cfg.Stdin)
		return -1, m.fault(NeedInput, 0, "the program waits for input")
	}
	if errors.Is(err, io.EOF) || err != nil {
		s.eof = true
		return -1, nil
	}
	return int(b), nil
}

// open makes a stream, with the first descriptor that is free.
func (st *stdio) open(f *memFile) *stream {
	return st.describe(st.free(0), &opened{file: f})
}

// free returns the first descriptor from fd on that is not open.
func (st *stdio) free(fd int) int {
	for st.streamOf(fd) != nil {
		fd++
	}
	return fd
}

// describe makes o the description of descriptor fd. Output that its FILE still holds back will be written to o.
func (st *stdio) describe(fd int, o *opened) *stream {
	m := st.m
	s := m.lib.fs.streams[fd]
	switch {
	case fd < len(st.standard):
		s = &st.standard[fd]
		if fd == 1 && s.file == nil && s.pipe == nil {
			st.settleOut()
			s.held, st.out = append(s.held, st.out...), nil
		}
	case s == nil:
		s = &stream{fd: fd}
		m.lib.fs.streams[fd] = s
	}
	s.opened = o
	if fd == 1 && o.file == nil && o.pipe == nil && o.device > 0 {
		st.out, s.held = append(st.out, s.held...), nil
	}
	return s
}

// unlink makes a descriptor free.
func (st *stdio) unlink(fd int) {
	m := st.m
	delete(m.lib.fs.cloexec, fd)
	if fd < len(st.standard) {
		st.describe(fd, noDescriptor)
		return
	}
	delete(m.lib.fs.streams, fd)
}

// all calls yield for the descriptors that are open, in order, until it returns false.
func (st *stdio) all(yield func(s *stream) bool) {
	m := st.m
	for i := range st.standard {
		if st.standard[i].opened != noDescriptor && !yield(&st.standard[i]) {
			return
		}
	}
	for _, fd := range slices.Sorted(maps.Keys(m.lib.fs.streams)) {
		if s := m.lib.fs.streams[fd]; s != nil && !yield(s) {
			return
		}
	}
}

// settleAll empties the buffers of all streams.
func (st *stdio) settleAll() {
	for s := range st.all {
		s.settle()
	}
}

// forget drops output that is still in a buffer.
func (st *stdio) forget() {
	st.settleOut()
	st.out = st.out[:0]
	for s := range st.all {
		s.held = nil
	}
}

// closeAll is the end of the program: what is written goes to disk.
func (st *stdio) closeAll() {
	m := st.m
	st.settleAll()
	m.lib.mappings.store()
	for _, x := range m.lib.mappings.maps {
		if x.shared && x.file.disk {
			m.lib.fs.flush(x.file)
		}
	}
	for _, f := range m.lib.fs.names {
		if f != nil && f.disk && m.lib.fs.dirty(f) {
			m.lib.fs.flush(f)
		}
	}
}

// readAhead reads into each input stream what its buffer would hold natively: after a fork both processes have it.
func (st *stdio) readAhead() {
	for s := range st.all {
		switch {
		case !s.stdio || !s.read:
		case s.file != nil && s.file.source == nil && s.folder == nil:
			n := int64(len(s.file.data))
			if end := min((s.pos+bufferSize-1)/bufferSize*bufferSize, n); end > s.pos {
				b := slices.Clone(s.file.data[s.pos:end])
				unget := s.unget
				s.unget = nil
				s.putBack(b)
				s.unget = append(s.unget, unget...)
				s.pos = end
			}
		case s.file == nil && s.pipe == nil && s.device == 0:
			b, _ := st.in.Peek(st.in.Buffered())
			b = slices.Clone(b)
			_, _ = st.in.Discard(len(b))
			unget := s.unget
			s.unget = nil
			s.putBack(b)
			s.unget = append(s.unget, unget...)
		}
	}
}
