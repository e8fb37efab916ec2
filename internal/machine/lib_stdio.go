package machine

import (
	"math"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/plural"
)

// This file is stdio.h but for printf, scanf and what opens files.

func init() {
	register(map[string]builtin{
		"printf": libPrintf, "fprintf": libPrintf, "sprintf": libPrintf, "snprintf": libPrintf, "dprintf": libPrintf, "asprintf": libPrintf, "vasprintf": libPrintf, "vdprintf": libPrintf,
		"vprintf": libPrintf, "vfprintf": libPrintf, "vsprintf": libPrintf, "vsnprintf": libPrintf,
		"puts": libPuts, "fputs": libPuts, "putchar": libPutc, "putc": libPutc, "fputc": libPutc, "putchar_unlocked": libPutc, "putc_unlocked": libPutc, "fputc_unlocked": libPutc, "_IO_putc": libPutc, "fputs_unlocked": libPuts,
		"getchar": libGetc, "getc": libGetc, "fgetc": libGetc, "getchar_unlocked": libGetc, "getc_unlocked": libGetc, "fgetc_unlocked": libGetc, "_IO_getc": libGetc, "fgets_unlocked": libFgets, "fread_unlocked": libFread, "fwrite_unlocked": libFwrite, "ungetc": libUngetc,
		"fgets": libFgets, "gets": libGets, "getline": libGetline, "getdelim": libGetline, "__getdelim": libGetline, "fread": libFread, "fwrite": libFwrite, "read": libRead, "write": libWrite,
		"swscanf": libScanf, "vswscanf": libScanf, "__isoc99_swscanf": libScanf, "__isoc99_vswscanf": libScanf,
		"scanf": libScanf, "fscanf": libScanf, "sscanf": libScanf, "vscanf": libScanf, "vfscanf": libScanf, "vsscanf": libScanf,
		"__isoc99_scanf": libScanf, "__isoc99_fscanf": libScanf, "__isoc99_sscanf": libScanf, "__isoc99_vscanf": libScanf, "__isoc99_vfscanf": libScanf, "__isoc99_vsscanf": libScanf,
		"fflush": libFflush, "fflush_unlocked": libFflush,
		"feof": libStream, "ferror": libStream, "clearerr": libStream, "fileno": libStream, "setvbuf": libStream, "setbuf": libStream,
		"setlinebuf": libStream, "setbuffer": libStream, "feof_unlocked": libStream, "ferror_unlocked": libStream, "fileno_unlocked": libStream,
		"flockfile": libStream, "funlockfile": libStream,
		"perror": libPerror,
	})
}

// libStream is the functions that ask or tell a stream something.
func libStream(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(0))
	if f != nil {
		return 0, f
	}
	switch strings.TrimSuffix(c.name, "_unlocked") {
	case "fileno":
		return ctype.Word(s.fd), nil
	case "feof":
		return b2w(s.eof), nil
	case "ferror":
		return b2w(s.bad), nil
	case "clearerr":
		s.eof, s.bad = false, false
	case "setvbuf":
		s.direct, s.lines, s.buffer = c.int(2) == unbuffered, c.int(2) == lineBuffered, c.arg(1)
	case "setbuf", "setbuffer":
		s.direct, s.lines, s.buffer = c.arg(1) == 0, false, c.arg(1)
	case "setlinebuf":
		s.direct, s.lines = false, true
	}
	return 0, nil
}

// buffers calls yield for the buffers that the program gave to streams, until it returns false.
func (st *stdio) buffers(yield func(w ctype.Word) bool) bool {
	for i := range st.standard {
		if b := st.standard[i].buffer; b != 0 && !yield(b) {
			return false
		}
	}
	for _, s := range st.m.lib.fs.streams {
		if s.buffer != 0 && !yield(s.buffer) {
			return false
		}
	}
	return true
}

const (
	lineBuffered = 1 // _IOLBF
	unbuffered   = 2 // _IONBF
)

func libFflush(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.arg(0) == 0 {
		for s := range m.lib.stdio.all {
			if entered, f := m.lib.stdio.drains(c, s); entered {
				return 0, f
			}
		}
		if f := m.lib.stdio.drainAll(); f != nil {
			return 0, f
		}
		m.lib.stdio.settleAll()
		return flushed(m.lib.stdio.flush()), nil
	}
	s, f := m.lib.stdio.stream(c, c.arg(0))
	if f != nil {
		return 0, f
	}
	if entered, f := m.lib.stdio.drains(c, s); entered {
		return 0, f
	}
	if s.pipe != nil {
		f := s.drain(m, s.held, len(s.held))
		return flushed(!s.bad), f
	}
	taken := s.file != nil || s.device != 1 || m.lib.stdio.flush() // also through another descriptor
	if s.file != nil && s.write {
		s.settle()
		m.lib.fs.flush(s.file)
	}
	return flushed(taken), s.syncText(m)
}

// flushed is what fflush and fclose return.
func flushed(taken bool) ctype.Word {
	if taken {
		return 0
	}
	return ctype.Wrap(ctype.IntT, ^ctype.Word(0))
}

func libPerror(m *Machine, c *libCall) (ctype.Word, *Fault) {
	e, _ := m.load(m.lib.errno, ctype.IntT)
	text := errorText(int64(e)) + "\n"
	if c.arg(0) != 0 {
		s, f := m.cstring(c.arg(0))
		if f != nil {
			return 0, f
		}
		if s != "" {
			text = s + ": " + text
		}
	}
	return 0, m.lib.stdio.write(2, []byte(text))
}

func libPuts(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	fd := 1
	if strings.HasPrefix(c.name, "fputs") {
		if fd, f = m.lib.stdio.descriptor(c, c.arg(1)); f != nil {
			return 0, f
		}
	} else {
		s += "\n"
		return ctype.Word(len(s)), m.lib.stdio.write(fd, []byte(s))
	}
	return 1, m.lib.stdio.write(fd, []byte(s))
}

func libPutc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	fd := 1
	if !strings.HasPrefix(c.name, "putchar") {
		var f *Fault
		if fd, f = m.lib.stdio.descriptor(c, c.arg(1)); f != nil {
			return 0, f
		}
	}
	f := m.lib.stdio.write(fd, []byte{byte(c.arg(0))})
	if s := m.lib.stdio.streamOf(fd); s != nil && s.bad {
		return ^ctype.Word(0), f
	}
	return ctype.Word(byte(c.arg(0))), f
}

func libGetc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := &m.lib.stdio.standard[0]
	if !strings.HasPrefix(c.name, "getchar") {
		var f *Fault
		if s, f = m.lib.stdio.stream(c, c.arg(0)); f != nil {
			return 0, f
		}
	}
	b, f := m.lib.stdio.getc(s)
	return ctype.Word(int64(b)), f
}

func libUngetc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(1))
	if f != nil {
		return 0, f
	}
	if int32(c.arg(0)) == -1 {
		return ^ctype.Word(0), nil
	}
	s.unget, s.eof = append(s.unget, byte(c.arg(0))), false
	return ctype.Word(byte(c.arg(0))), nil
}

// until reads up to max bytes, or up to and including the byte end.
func (st *stdio) until(s *stream, end byte, max int) ([]byte, *Fault) {
	var out []byte
	for len(out) < max {
		b, f := st.getc(s)
		if f != nil {
			s.putBack(out)
			return nil, f
		}
		if b < 0 {
			break
		}
		out = append(out, byte(b))
		if byte(b) == end {
			break
		}
	}
	return out, nil
}

func libFgets(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(2))
	if f != nil {
		return 0, f
	}
	n := int(c.int(1)) - 1
	if n == 0 {
		return c.arg(0), m.putString(c.arg(0), "")
	}
	b, f := m.lib.stdio.until(s, '\n', n)
	if f != nil || len(b) == 0 {
		return 0, f
	}
	return c.arg(0), m.putString(c.arg(0), string(b))
}

// libGets reads a line of standard input, however much room there is for it.
func libGets(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b, f := m.lib.stdio.until(&m.lib.stdio.standard[0], '\n', math.MaxInt)
	if f != nil || len(b) == 0 {
		return 0, f
	}
	return c.arg(0), m.putString(c.arg(0), strings.TrimSuffix(string(b), "\n"))
}

// libGetline is getline and getdelim.
func libGetline(m *Machine, c *libCall) (ctype.Word, *Fault) {
	end, stream := byte('\n'), c.arg(2)
	if c.name != "getline" {
		end, stream = byte(c.arg(2)), c.arg(3)
	}
	p, f := m.load(c.arg(0), ctype.VoidPtrT)
	if f != nil {
		return 0, f
	}
	var size ctype.Word
	if p != 0 {
		if size, f = m.load(c.arg(1), ctype.ULongT); f != nil {
			return 0, f
		}
	}
	s, f := m.lib.stdio.stream(c, stream)
	if f != nil {
		return 0, f
	}
	b, f := m.lib.stdio.until(s, end, math.MaxInt32)
	if f != nil {
		return 0, f
	}
	if size < ctype.Word(len(b)+1) || p == 0 {
		size = max(120, ctype.Word(len(b)+1), 2*size)
		q, f := m.Malloc(int64(size), false)
		if f != nil {
			return 0, f
		}
		if f := m.FreePtr(p); f != nil {
			return 0, f
		}
		p = q
		if f := m.store(c.arg(0), ctype.VoidPtrT, p); f != nil {
			return 0, f
		}
		if f := m.store(c.arg(1), ctype.ULongT, size); f != nil {
			return 0, f
		}
	}
	if len(b) == 0 {
		return ^ctype.Word(0), nil
	}
	return ctype.Word(len(b)), m.putString(p, string(b))
}

func (st *stdio) take(s *stream, n int) ([]byte, *Fault) {
	s.stdio = true
	if s.file != nil && s.file.source == nil && s.cookie == nil && len(s.unget) == 0 && s.read {
		s.settle()
		k := max(min(int64(n), int64(len(s.file.data))-s.pos), 0)
		out := s.file.data[s.pos : s.pos+k]
		s.pos += k
		s.eof = s.eof || k < int64(n)
		return out, nil
	}
	var out []byte
	for len(out) < n {
		b, f := st.getc(s)
		if f != nil {
			s.putBack(out)
			return nil, f
		}
		if b < 0 {
			break
		}
		out = append(out, byte(b))
	}
	return out, nil
}

// putBack makes bytes that were read the next ones again, for a call that has to wait and is made
// again later.
func (s *stream) putBack(b []byte) {
	for i := len(b) - 1; i >= 0; i-- {
		s.unget = append(s.unget, b[i])
	}
}

func libFread(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(3))
	if f != nil || c.arg(1) == 0 {
		return 0, f
	}
	n, ok := product(c.arg(1), c.arg(2))
	if !ok || n > m.cfg.MaxMemory {
		return 0, m.fault(BadLibraryCall, 0, "%s of %s of %s", c.name, plural.N(c.arg(2), "element"), plural.N(c.arg(1), "byte"))
	}
	b, f := m.lib.stdio.take(s, int(n))
	if f != nil {
		return 0, f
	}
	return ctype.Word(len(b)) / c.arg(1), m.putBytes(c.arg(0), b)
}

func libFwrite(m *Machine, c *libCall) (ctype.Word, *Fault) {
	fd, f := m.lib.stdio.descriptor(c, c.arg(3))
	if f != nil || c.arg(1) == 0 {
		return 0, f
	}
	b, f := m.given(c.arg(0), int64(c.arg(1)*c.arg(2)))
	if f != nil {
		return 0, f
	}
	f = m.lib.stdio.write(fd, b)
	if s := m.lib.stdio.streamOf(fd); s != nil && s.bad {
		return 0, f
	}
	return c.arg(2), f
}

// libRead is read; see readFrom.
func libRead(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b, errno, f := m.lib.stdio.readFrom(int(c.int(0)), c.long(2))
	if errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	if f != nil {
		return 0, f
	}
	return ctype.Word(len(b)), m.putBytes(c.arg(1), b)
}

// readFrom reads up to n bytes from a descriptor, from standard input no more than a line.
func (st *stdio) readFrom(fd int, n int64) (b []byte, errno ctype.Word, f *Fault) {
	m := st.m
	s := st.streamOf(fd)
	if n < 0 {
		n = m.cfg.MaxMemory
	}
	switch {
	case s != nil && s.folder != nil:
		return nil, errISDIR, nil
	case s == nil || !s.read:
		return nil, errBADF, nil
	case s.epoll != nil:
		return nil, errINVAL, nil
	case s.event != nil:
		return s.readEvent(m, n)
	case s.packetwise():
		p, errno, f := s.opened.receivePacket(m, s.nonblock, false)
		return p.data[:min(n, int64(len(p.data)))], errno, f
	case s.pipe != nil:
		return s.draw(m, int(min(n, m.cfg.MaxMemory)))
	case s.nonblock && s.file == nil && !s.eof && n > 0 && len(s.unget) == 0 && !st.inputReady(0):
		return nil, errAGAIN, nil
	}
	stdio := s.stdio
	if s.file != nil {
		b, f = st.take(s, int(min(n, m.cfg.MaxMemory)))
	} else {
		b, f = st.until(s, '\n', int(n))
	}
	s.stdio = stdio
	return b, 0, f
}

func libWrite(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b, f := m.given(c.arg(1), c.long(2))
	if f != nil {
		return 0, f
	}
	return m.lib.stdio.writeTo(int(c.int(0)), b)
}

// writeTo writes to a descriptor, past the buffer of its FILE.
func (st *stdio) writeTo(fd int, b []byte) (ctype.Word, *Fault) {
	m := st.m
	s := st.streamOf(fd)
	if s == nil || !s.write {
		m.set(errBADF)
		return ^ctype.Word(0), nil
	}
	if s.epoll != nil {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	if s.packetwise() {
		return s.sendOn(m, b, nil, 0)
	}
	if s.event != nil {
		n, errno, f := s.writeEvent(m, b)
		if errno != 0 {
			return m.failed(errno)
		}
		return ctype.Word(n), f
	}
	if s.pipe != nil {
		n, errno, f := s.pour(m, b)
		if errno != 0 {
			m.set(errno)
		}
		if errno != 0 && n == 0 {
			return ^ctype.Word(0), f
		}
		return ctype.Word(n), f
	}
	if s.file != nil {
		return ctype.Word(len(b)), s.put(m, b)
	}
	if s.device == 1 {
		// write bypasses the buffer of stdout; printed text that waits there comes later.
		held := append([]byte(nil), st.out...)
		st.out = st.out[:0]
		f := st.write(s.fd, b)
		taken := st.flush()
		st.out = append(st.out, held...)
		if !taken {
			return ^ctype.Word(0), f
		}
		return ctype.Word(len(b)), f
	}
	return ctype.Word(len(b)), st.write(s.fd, b)
}
