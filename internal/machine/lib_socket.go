package machine

import (
	"gulo/internal/ctype"
)

// This file is the functions of sys/socket.h, and readv and writev.

func init() {
	register(map[string]builtin{
		"socket": libSocket, "socketpair": libSocketpair, "bind": libBind, "listen": libListen, "accept": libAccept, "accept4": libAccept, "connect": libConnect,
		"shutdown": libShutdown, "getsockname": libSocketName, "getpeername": libSocketName, "setsockopt": libSetOption, "getsockopt": libGetOption,
		"send": libSend, "sendto": libSend, "sendmsg": libSendMessage, "recv": libReceive, "recvfrom": libReceive, "recvmsg": libReceiveMessage,
		"readv": libVector, "writev": libVector,
	})
}

// Flags of send and recv.
const (
	messagePeek     = 2
	messageTrunc    = 0x20
	messageDontwait = 0x40
	messageAll      = 0x100
	messageNosignal = 0x4000
)

const (
	socketNonblock = openNonblock
	socketCloexec  = openCloexec
)

// failed is the result -1, with errno.
func (m *Machine) failed(errno ctype.Word) (ctype.Word, *Fault) {
	m.set(errno)
	return ^ctype.Word(0), nil
}

// socketKind reads the first three arguments of socket.
func (st *stdio) socketKind(c *libCall, pair bool) (family, kind int, errno ctype.Word) {
	m := st.m
	family, kind = int(c.int(0)), int(c.int(1))&0xf
	protocol := c.int(2)
	switch {
	case family != familyUnix && (family != familyInet || pair):
		if pair && family == familyInet {
			return 0, 0, errOPNOTSUPP
		}
		return 0, 0, errAFNOSUPPORT
	case kind != kindStream && kind != kindPackets && (kind != kindOrdered || family != familyUnix):
		return 0, 0, 94 // ESOCKTNOSUPPORT
	case protocol != 0 && (family != familyInet || protocol != map[int]int64{kindStream: 6, kindPackets: 17}[kind]):
		return 0, 0, 93 // EPROTONOSUPPORT
	case int64(len(m.lib.fs.streams)+len(st.standard)+2) > m.lib.limits.descriptors():
		return 0, 0, errMFILE
	}
	return family, kind, 0
}

// openSocket gives a socket a descriptor.
func (st *stdio) openSocket(o *opened, flags ctype.Word) int {
	s := st.describe(st.free(0), o)
	s.eof, s.bad = false, false
	o.nonblock = flags&socketNonblock != 0
	st.m.lib.fs.setCloexec(s.fd, flags&socketCloexec != 0)
	return s.fd
}

func libSocket(m *Machine, c *libCall) (ctype.Word, *Fault) {
	family, kind, errno := m.lib.stdio.socketKind(c, false)
	if errno != 0 {
		return m.failed(errno)
	}
	return ctype.Word(m.lib.stdio.openSocket(m.lib.stdio.newSocket(family, kind), c.arg(1))), nil
}

func libSocketpair(m *Machine, c *libCall) (ctype.Word, *Fault) {
	family, kind, errno := m.lib.stdio.socketKind(c, true)
	if errno != 0 {
		return m.failed(errno)
	}
	a, b := m.lib.stdio.newSocket(family, kind), m.lib.stdio.newSocket(family, kind)
	connect(a, b)
	for i, o := range [2]*opened{a, b} {
		fd := m.lib.stdio.openSocket(o, c.arg(1))
		if f := m.store(c.arg(3)+ctype.Word(4*i), ctype.IntT, ctype.Word(fd)); f != nil {
			return 0, f
		}
	}
	return 0, nil
}

func libBind(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.socketOf(c.int(0))
	if s == nil {
		return ^ctype.Word(0), nil
	}
	a, errno, f := addressAt(m, c, s.socket, c.arg(1), int64(uint32(c.arg(2))))
	if f != nil {
		return 0, f
	}
	if errno == 0 {
		errno = s.opened.bind(m, a)
	}
	if errno != 0 {
		return m.failed(errno)
	}
	return 0, nil
}

func libListen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.socketOf(c.int(0))
	switch {
	case s == nil:
		return ^ctype.Word(0), nil
	case s.packetwise() && s.socket.kind != kindOrdered:
		return m.failed(errOPNOTSUPP)
	case s.socket.connected, s.socket.family == familyUnix && !s.socket.bound:
		return m.failed(errINVAL)
	case !s.socket.bound:
		_ = s.opened.bind(m, make([]byte, 16))
		s.socket.local[0] = familyInet
	}
	s.socket.listening = true
	return 0, nil
}

// libAccept is accept and accept4.
func libAccept(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.socketOf(c.int(0))
	switch {
	case s == nil:
		return ^ctype.Word(0), nil
	case !s.socket.listening:
		return m.failed(errINVAL)
	case len(s.socket.waiting) == 0 && s.nonblock:
		return m.failed(errAGAIN)
	case len(s.socket.waiting) == 0:
		return 0, s.pipe.waitsFor(m, "a connection to the socket")
	case int64(len(m.lib.fs.streams)+len(m.lib.stdio.standard)+1) > m.lib.limits.descriptors():
		return m.failed(errMFILE)
	}
	o := s.socket.waiting[0]
	s.socket.waiting = append([]*opened(nil), s.socket.waiting[1:]...)
	if m.several() {
		m.th.acquire(s.pipe.key())
	}
	flags := ctype.Word(0)
	if c.name == "accept4" {
		flags = c.arg(3)
	}
	fd := m.lib.stdio.openSocket(o, flags)
	return ctype.Word(fd), putAddress(m, o.socket.other, o.socket.family, c.arg(1), c.arg(2))
}

func libConnect(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.socketOf(c.int(0))
	if s == nil {
		return ^ctype.Word(0), nil
	}
	x := s.socket
	family, f := m.load(c.arg(1), ctype.UShortT)
	if f != nil {
		return 0, f
	}
	if family == 0 && s.packetwise() { // AF_UNSPEC
		x.peer, x.other = nil, nil
		return 0, nil
	}
	a, errno, f := addressAt(m, c, x, c.arg(1), int64(uint32(c.arg(2))))
	switch {
	case f != nil:
		return 0, f
	case errno != 0:
		return m.failed(errno)
	case x.kind == kindPackets:
		to := m.boundAt(x.family, x.kind, a)
		if to == nil && x.family == familyUnix {
			if path := pathOf(m, a); path != "" && m.lib.fs.names[path] == nil {
				return m.failed(errNOENT)
			}
			return m.failed(errCONNREFUSED)
		}
		if x.other = a; to != nil && x.family == familyUnix {
			x.peer = to.socket
		}
		return 0, nil
	}
	begun := x.options[[2]int64{-1, 0}] != 0
	if begun { // connect was called before and returned EINPROGRESS
		delete(x.options, [2]int64{-1, 0})
		if errno = x.trouble; errno == 0 {
			return 0, nil
		}
		x.trouble = 0
		return m.failed(errno)
	}
	if m.several() {
		m.th.release(s.pipe.key())
	}
	errno = s.opened.dial(m, a)
	switch {
	case s.nonblock && x.family == familyInet && (errno == 0 || errno == errCONNREFUSED):
		x.options[[2]int64{-1, 0}] = 1
		x.trouble = errno
		return m.failed(errINPROGRESS)
	case errno != 0:
		return m.failed(errno)
	}
	return 0, nil
}

func libShutdown(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, how := m.lib.stdio.socketOf(c.int(0)), c.int(1)
	switch {
	case s == nil:
		return ^ctype.Word(0), nil
	case how < 0 || how > 2:
		return m.failed(errINVAL)
	case !s.socket.connected && !s.socket.listening && s.socket.other == nil:
		return m.failed(errNOTCONN)
	}
	s.socket.noRead = s.socket.noRead || how != 1
	s.socket.noWrite = s.socket.noWrite || how != 0
	s.pipe.changed(m)
	s.target().changed(m)
	return 0, nil
}

// libSocketName is getsockname and getpeername.
func libSocketName(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.socketOf(c.int(0))
	if s == nil {
		return ^ctype.Word(0), nil
	}
	a := s.socket.local
	if c.name == "getpeername" {
		if a = s.socket.other; !s.socket.connected && a == nil {
			return m.failed(errNOTCONN)
		}
	}
	return 0, putAddress(m, a, s.socket.family, c.arg(1), c.arg(2))
}

// Options at SOL_SOCKET.
const (
	levelSocket     = 1
	optionType      = 3
	optionError     = 4
	optionSend      = 7
	optionReceive   = 8
	optionTimeout   = 20
	optionTimeout2  = 21
	optionListening = 30
	optionProtocol  = 38
	optionDomain    = 39
)

func libSetOption(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.socketOf(c.int(0))
	if s == nil {
		return ^ctype.Word(0), nil
	}
	level, name, n := c.int(1), c.int(2), c.int(4)
	if level == levelSocket && (name == optionTimeout || name == optionTimeout2) {
		nanos, _, f := m.interval(c.arg(3), 1000)
		if f == nil && nanos != 0 {
			f = m.fault(Unsupported, 0, "setsockopt with a timeout is not supported")
		}
		return 0, f
	}
	if n < 4 {
		return m.failed(errINVAL)
	}
	w, f := m.load(c.arg(3), ctype.IntT)
	if f != nil {
		return 0, f
	}
	v := int64(int32(w))
	switch {
	case level == levelSocket && (name == optionSend || name == optionReceive):
		v = max(2*v, 2304) // as Linux counts
	case v != 0 && n == 4 && level == levelSocket && (name == 2 || name == 9 || name == 15 || name == 6):
		v = 1
	}
	s.socket.options[[2]int64{level, name}] = v
	return 0, nil
}

func libGetOption(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.socketOf(c.int(0))
	if s == nil {
		return ^ctype.Word(0), nil
	}
	x := s.socket
	level, name := c.int(1), c.int(2)
	v := x.options[[2]int64{level, name}]
	if level == levelSocket {
		switch name {
		case optionType:
			v = int64(x.kind)
		case optionError:
			v = int64(x.trouble)
			x.trouble = 0
			delete(x.options, [2]int64{-1, 0})
		case optionListening:
			v = int64(b2w(x.listening))
		case optionDomain:
			v = int64(x.family)
		case optionProtocol:
			if x.family == familyInet {
				v = map[int]int64{kindStream: 6, kindPackets: 17}[x.kind]
			}
		case optionSend, optionReceive:
			if v == 0 {
				v = 212992
			}
		}
	}
	n, f := m.load(c.arg(4), ctype.UIntT)
	if f != nil {
		return 0, f
	}
	b := make([]byte, 4)
	ctype.Store(ctype.IntT, b, ctype.Word(v))
	if f := m.putBytes(c.arg(3), b[:min(n, 4)]); f != nil {
		return 0, f
	}
	return 0, m.store(c.arg(4), ctype.UIntT, min(n, 4))
}

// sendOn sends through a socket.
func (s *stream) sendOn(m *Machine, data, to []byte, flags ctype.Word) (ctype.Word, *Fault) {
	now := s.nonblock || flags&messageDontwait != 0
	if s.packetwise() {
		errno, f := s.opened.sendPacket(m, to, data, now)
		if f != nil {
			return 0, f
		}
		if errno == errPIPE && flags&messageNosignal == 0 {
			m.lib.signals.brokenPipe()
		}
		if errno != 0 {
			return m.failed(errno)
		}
		return ctype.Word(len(data)), nil
	}
	if !s.socket.connected && s.socket.family == familyUnix {
		return m.failed(errNOTCONN)
	}
	was := s.nonblock
	s.nonblock = now
	m.quietPipe = flags&messageNosignal != 0
	n, errno, f := s.pour(m, data)
	s.nonblock, m.quietPipe = was, false
	switch {
	case f != nil:
		return 0, f
	case errno != 0 && n == 0:
		return m.failed(errno)
	}
	return ctype.Word(n), nil
}

// libSend is send and sendto.
func libSend(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.socketOf(c.int(0))
	if s == nil {
		return ^ctype.Word(0), nil
	}
	b, f := m.given(c.arg(1), c.long(2))
	if f != nil {
		return 0, f
	}
	var to []byte
	if c.name == "sendto" && c.arg(4) != 0 {
		if s.socket.connected && s.socket.kind == kindStream {
			return m.failed(errISCONN)
		}
		var errno ctype.Word
		if to, errno, f = addressAt(m, c, s.socket, c.arg(4), int64(uint32(c.arg(5)))); f != nil {
			return 0, f
		}
		if errno != 0 {
			return m.failed(errno)
		}
	}
	return s.sendOn(m, b, to, c.arg(3))
}

// receiveOn receives up to n bytes. from is the address of the sender, cut how many more bytes the packet had.
func (s *stream) receiveOn(m *Machine, n int, flags ctype.Word) (b, from []byte, cut int, errno ctype.Word, f *Fault) {
	now := s.nonblock || flags&messageDontwait != 0
	if s.packetwise() {
		p, errno, f := s.opened.receivePacket(m, now, flags&messagePeek != 0)
		k := min(n, len(p.data))
		return p.data[:k], p.from, len(p.data) - k, errno, f
	}
	if flags&messageAll != 0 && !now && s.pipe.size() < n && s.pipe.hasEnd(m, true) && s.pipe.size() > 0 && !s.pipe.full() {
		return nil, nil, 0, 0, s.pipe.waitsFor(m, "all to be sent to the socket that was asked for")
	}
	was := s.nonblock
	s.nonblock = now
	if flags&messagePeek != 0 {
		q := *s.opened
		q.pipe = s.pipe.clone()
		b, errno, f = (&stream{opened: &q}).draw(m, n)
		if len(s.pipe.pages) == 0 && f == nil && errno == 0 {
			b, errno, f = s.draw(m, n)
		} else if f != nil {
			f = s.pipe.waitsFor(m, f.Message)
		}
	} else {
		b, errno, f = s.draw(m, n)
	}
	s.nonblock = was
	return b, nil, 0, errno, f
}

// libReceive is recv and recvfrom.
func libReceive(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.socketOf(c.int(0))
	if s == nil {
		return ^ctype.Word(0), nil
	}
	b, from, cut, errno, f := s.receiveOn(m, int(min(c.arg(2), ctype.Word(m.cfg.MaxMemory))), c.arg(3))
	switch {
	case f != nil:
		return 0, f
	case errno != 0:
		return m.failed(errno)
	}
	if f := m.putBytes(c.arg(1), b); f != nil {
		return 0, f
	}
	if c.name == "recvfrom" && c.arg(4) != 0 {
		switch {
		case from != nil:
			f = putAddress(m, from, s.socket.family, c.arg(4), c.arg(5))
		case c.arg(5) != 0:
			f = m.store(c.arg(5), ctype.UIntT, 0)
		}
		if f != nil {
			return 0, f
		}
	}
	n := len(b)
	if c.arg(3)&messageTrunc != 0 {
		n += cut
	}
	return ctype.Word(n), nil
}

// vectorParts reads a vector of struct iovec.
func vectorParts(m *Machine, at ctype.Word, n int64) (list [][2]ctype.Word, size int64, ok bool, f *Fault) {
	if n < 0 || n > 1024 {
		return nil, 0, false, nil
	}
	for i := range n {
		base, f := m.load(at+ctype.Word(16*i), ctype.VoidPtrT)
		if f != nil {
			return nil, 0, false, f
		}
		length, f := m.load(at+ctype.Word(16*i+8), ctype.ULongT)
		if f != nil {
			return nil, 0, false, f
		}
		if size += int64(length); int64(length) < 0 || size < 0 || size > m.cfg.MaxMemory {
			return nil, 0, false, nil
		}
		list = append(list, [2]ctype.Word{base, length})
	}
	return list, size, true, nil
}

// gather is what the parts of a vector hold.
func gather(m *Machine, list [][2]ctype.Word) ([]byte, *Fault) {
	var all []byte
	for _, p := range list {
		b, f := m.given(p[0], int64(p[1]))
		if f != nil {
			return nil, f
		}
		all = append(all, b...)
	}
	return all, nil
}

// scatter stores bytes in the parts of a vector.
func scatter(m *Machine, list [][2]ctype.Word, b []byte) *Fault {
	for _, p := range list {
		n := min(int(p[1]), len(b))
		if f := m.putBytes(p[0], b[:n]); f != nil {
			return f
		}
		b = b[n:]
	}
	return nil
}

// libVector is readv and writev.
func libVector(m *Machine, c *libCall) (ctype.Word, *Fault) {
	list, size, ok, f := vectorParts(m, c.arg(1), c.int(2))
	if f != nil {
		return 0, f
	}
	if !ok {
		return m.failed(errINVAL)
	}
	if c.name == "writev" {
		b, f := gather(m, list)
		if f != nil {
			return 0, f
		}
		return m.lib.stdio.writeTo(int(c.int(0)), b)
	}
	b, errno, f := m.lib.stdio.readFrom(int(c.int(0)), size)
	switch {
	case f != nil:
		return 0, f
	case errno != 0:
		return m.failed(errno)
	}
	return ctype.Word(len(b)), scatter(m, list, b)
}

// messageAt is struct msghdr: an address and its size, a vector and its number, control data and its size, and flags.
func messageAt(m *Machine, at ctype.Word) (w [7]ctype.Word, f *Fault) {
	for i, x := range [7]struct {
		off ctype.Word
		t   *ctype.Type
	}{{0, ctype.VoidPtrT}, {8, ctype.UIntT}, {16, ctype.VoidPtrT}, {24, ctype.ULongT}, {32, ctype.VoidPtrT}, {40, ctype.ULongT}} {
		if x.t == nil {
			break
		}
		if (i == 1 && w[0] == 0) || (i == 5 && w[4] == 0) {
			continue
		}
		if w[i], f = m.load(at+x.off, x.t); f != nil {
			return w, f
		}
	}
	return w, nil
}

func libSendMessage(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.socketOf(c.int(0))
	if s == nil {
		return ^ctype.Word(0), nil
	}
	h, f := messageAt(m, c.arg(1))
	if f != nil {
		return 0, f
	}
	if h[4] != 0 && h[5] != 0 {
		return 0, m.fault(Unsupported, 0, "sendmsg with control data, such as descriptors, is not supported")
	}
	list, _, ok, f := vectorParts(m, h[2], int64(h[3]))
	if f != nil {
		return 0, f
	}
	if !ok {
		return m.failed(errINVAL)
	}
	b, f := gather(m, list)
	if f != nil {
		return 0, f
	}
	var to []byte
	if h[0] != 0 {
		var errno ctype.Word
		if to, errno, f = addressAt(m, c, s.socket, h[0], int64(h[1])); f != nil {
			return 0, f
		}
		if errno != 0 {
			return m.failed(errno)
		}
	}
	return s.sendOn(m, b, to, c.arg(2))
}

func libReceiveMessage(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.socketOf(c.int(0))
	if s == nil {
		return ^ctype.Word(0), nil
	}
	h, f := messageAt(m, c.arg(1))
	if f != nil {
		return 0, f
	}
	list, size, ok, f := vectorParts(m, h[2], int64(h[3]))
	if f != nil {
		return 0, f
	}
	if !ok {
		return m.failed(errINVAL)
	}
	b, from, cut, errno, f := s.receiveOn(m, int(size), c.arg(2))
	switch {
	case f != nil:
		return 0, f
	case errno != 0:
		return m.failed(errno)
	}
	if f := scatter(m, list, b); f != nil {
		return 0, f
	}
	if h[0] != 0 {
		if f := m.putBytes(h[0], from[:min(len(from), int(h[1]))]); f != nil {
			return 0, f
		}
		if f := m.store(c.arg(1)+8, ctype.UIntT, ctype.Word(len(from))); f != nil {
			return 0, f
		}
	}
	flags := ctype.Word(0)
	if cut > 0 {
		flags = messageTrunc
	}
	if f := m.store(c.arg(1)+40, ctype.ULongT, 0); f != nil {
		return 0, f
	}
	n := len(b)
	if c.arg(2)&messageTrunc != 0 {
		n += cut
	}
	return ctype.Word(n), m.store(c.arg(1)+48, ctype.IntT, flags)
}
