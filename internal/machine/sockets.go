package machine

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"path/filepath"

	"gulo/internal/ctype"
)

// This file is sockets between the processes and threads of a program: pairs, names in the file system and abstract
// ones, and the loopback addresses of IPv4. There is no other network. A stream is two pipes, one in each direction.

const (
	familyUnix = 1
	familyInet = 2

	kindStream  = 1
	kindPackets = 2
	kindOrdered = 5 // SOCK_SEQPACKET

	socketPages = 52  // of a stream's queue in one direction
	mostPackets = 256 // that wait at a socket
	mostWaiting = 4096

	errCONNREFUSED = 111
	errINUSE       = 98
	errNOTCONN     = 107
	errISCONN      = 106
	errINPROGRESS  = 115
	errAFNOSUPPORT = 97
	errNOTSOCK     = 88
	errDESTREQ     = 89
	errMSGSIZE     = 90
	errOPNOTSUPP   = 95
	errADDRNOTAV   = 99
)

// socket is what an open file description of a socket has besides.
type socket struct {
	family, kind int
	out          *pipe   // what a stream writes to
	peer         *socket // that packets go to
	local, other []byte  // addresses, as struct sockaddr has them; nil for none
	bound        bool
	listening    bool
	connected    bool
	noRead       bool // shutdown
	noWrite      bool
	waiting      []*opened // connections that nobody has accepted
	packets      []packet
	trouble      ctype.Word // what SO_ERROR says
	options      map[[2]int64]int64
	changes      int
}

// packet is what a socket that is no stream receives at once.
type packet struct {
	from []byte
	data []byte
}

// newSocket makes the description of a socket.
func (st *stdio) newSocket(family, kind int) *opened {
	m := st.m
	m.lib.fs.pipes += 2
	return &opened{
		device: -1, read: true, write: true, pipe: &pipe{number: m.lib.fs.pipes - 1, most: socketPages},
		socket: &socket{family: family, kind: kind, out: &pipe{number: m.lib.fs.pipes, most: socketPages}, options: map[[2]int64]int64{}},
	}
}

// connect makes two sockets the ends of one connection.
func connect(a, b *opened) {
	a.pipe.most, b.pipe.most = socketPages, socketPages
	a.socket.out, b.socket.out = b.pipe, a.pipe
	a.socket.peer, b.socket.peer = b.socket, a.socket
	a.socket.connected, b.socket.connected = true, true
	a.socket.other, b.socket.other = b.socket.local, a.socket.local
}

// reads reports whether something may be read through a description.
func (o *opened) reads() bool { return o.read && (o.socket == nil || !o.socket.noRead) }

// writes reports whether something may be written through a description.
func (o *opened) writes() bool { return o.write && (o.socket == nil || !o.socket.noWrite) }

// target is the pipe that is written to through a description: that of a pipe, or a socket's other one.
func (o *opened) target() *pipe {
	if o.socket != nil {
		return o.socket.out
	}
	return o.pipe
}

// packetwise reports whether a description is a socket without a stream.
func (o *opened) packetwise() bool { return o.socket != nil && o.socket.kind != kindStream }

// descriptions calls yield for the open file descriptions of all processes, and for the connections that wait at them.
func (m *Machine) descriptions(yield func(*opened) bool) {
	for l := range m.libraries {
		for s := range l.stdio.all {
			if !yield(s.opened) {
				return
			}
			if s.socket == nil {
				continue
			}
			for _, w := range s.socket.waiting {
				if !yield(w) {
					return
				}
			}
		}
	}
}

// isLive reports whether some descriptor has a socket.
func (x *socket) isLive(m *Machine) bool {
	for o := range m.descriptions {
		if o.socket == x {
			return true
		}
	}
	return false
}

// boundAt is the socket that has an address, nil for none.
func (m *Machine) boundAt(family, kind int, address []byte) *opened {
	for o := range m.descriptions {
		x := o.socket
		if x != nil && x.bound && x.family == family && x.kind == kind && (x.listening || x.kind != kindStream) && sameAddress(family, x.local, address) {
			return o
		}
	}
	return nil
}

// sameAddress reports whether what is sent to an address comes to a socket.
func sameAddress(family int, of, to []byte) bool {
	if family != familyInet || len(of) < 8 || len(to) < 8 {
		return bytes.Equal(of, to)
	}
	any := func(a []byte) bool { return bytes.Equal(a[4:8], []byte{0, 0, 0, 0}) }
	return bytes.Equal(of[2:4], to[2:4]) && (any(of) || any(to) || bytes.Equal(of[4:8], to[4:8]))
}

// socketOf returns the socket of a descriptor; nil, and errno, for none.
func (st *stdio) socketOf(fd int64) *stream {
	m := st.m
	s := st.streamOf(int(fd))
	switch {
	case s == nil:
		m.set(errBADF)
		return nil
	case s.socket == nil:
		m.set(errNOTSOCK)
		return nil
	}
	return s
}

// addressAt reads a struct sockaddr for a socket; errno says what is wrong with it.
func addressAt(m *Machine, c *libCall, x *socket, at ctype.Word, n int64) (a []byte, errno ctype.Word, f *Fault) {
	if n < 2 || n > 128 {
		return nil, errINVAL, nil
	}
	family, f := m.load(at, ctype.UShortT)
	if f != nil {
		return nil, 0, f
	}
	switch {
	case int(family) == familyInet && x.family == familyInet:
		if n < 16 {
			return nil, errINVAL, nil
		}
		b, f := m.bytes(at, 8, true)
		if f != nil {
			return nil, 0, f
		}
		a = append(append(a, b...), make([]byte, 8)...)
		if a[4] != 127 && !bytes.Equal(a[4:8], []byte{0, 0, 0, 0}) {
			ip, _ := netip.AddrFromSlice(a[4:8])
			return nil, 0, m.fault(Unsupported, 0, "%s with the address %s: the program has the loopback network alone", c.name, ip)
		}
		return a, 0, nil
	case int(family) != familyUnix || x.family != familyUnix:
		return nil, errAFNOSUPPORT, nil
	}
	a = []byte{familyUnix, 0}
	if n == 2 {
		return a, 0, nil
	}
	first, f := m.load(at+2, ctype.CharT)
	if f != nil {
		return nil, 0, f
	}
	if byte(first) == 0 { // an abstract name
		b, f := m.bytes(at+2, n-2, false)
		return append(a, b...), 0, f
	}
	path, f := m.textUntil(at+2, func(byte) bool { return false })
	if f != nil {
		return nil, 0, f
	}
	return append(append(a, path[:min(int64(len(path)), n-2)]...), 0), 0, nil
}

// putAddress stores an address at at, cut to the size that length points to, and puts its full size there.
func putAddress(m *Machine, a []byte, family int, at, length ctype.Word) *Fault {
	if at == 0 || length == 0 {
		return nil
	}
	n, f := m.load(length, ctype.UIntT)
	if f != nil {
		return f
	}
	if a == nil {
		if a = []byte{byte(family), 0}; family == familyInet {
			a = append(a, make([]byte, 14)...)
		}
	}
	if f := m.putBytes(at, a[:min(len(a), int(n))]); f != nil {
		return f
	}
	return m.store(length, ctype.UIntT, ctype.Word(len(a)))
}

// pathOf returns the file that the address of a socket names; "" for an address of another kind.
func pathOf(m *Machine, a []byte) string {
	if len(a) < 4 || a[0] != familyUnix || a[2] == 0 {
		return ""
	}
	path := string(bytes.TrimRight(a[2:], "\x00"))
	if m.cfg.Files == nil {
		return filepath.Clean(path)
	}
	rel, _ := m.lib.fs.local(path)
	return rel
}

// bind gives a socket an address.
func (o *opened) bind(m *Machine, a []byte) (errno ctype.Word) {
	x := o.socket
	switch {
	case x.bound:
		return errINVAL
	case x.family == familyInet && a[2] == 0 && a[3] == 0:
		for port := uint16(40001); ; port++ {
			binary.BigEndian.PutUint16(a[2:], port)
			if !x.taken(m, a) {
				break
			}
		}
	case x.family == familyUnix && len(a) == 2: // a name of the system's choice
		m.lib.fs.pipes++
		a = append(a, []byte(sprintf("\x00%05x", m.lib.fs.pipes))...)
	case x.taken(m, a):
		return errINUSE
	}
	if path := pathOf(m, a); path != "" {
		if m.lib.fs.names[path] != nil {
			return errINUSE
		}
		m.lib.fs.names[path] = &memFile{name: path, isSocket: true}
	}
	x.local, x.bound = a, true
	return 0
}

// taken reports whether a socket other than x has the address a.
func (x *socket) taken(m *Machine, a []byte) bool {
	if pathOf(m, a) != "" {
		return false // the file says
	}
	for o := range m.descriptions {
		if y := o.socket; y != nil && y != x && y.bound && y.family == x.family && y.kind == x.kind && (y.listening || !y.connected) && sameAddress(x.family, y.local, a) {
			return true
		}
	}
	return false
}

// dial connects a stream to one that listens at an address.
func (o *opened) dial(m *Machine, a []byte) (errno ctype.Word) {
	x := o.socket
	if x.connected {
		return errISCONN
	}
	if path := pathOf(m, a); path != "" && m.lib.fs.names[path] == nil {
		return errNOENT
	}
	l := m.boundAt(x.family, x.kind, a)
	switch {
	case l == nil || !l.socket.listening:
		return errCONNREFUSED
	case len(l.socket.waiting) >= mostWaiting:
		return errAGAIN
	}
	if x.family == familyInet && !x.bound {
		_ = o.bind(m, []byte{familyInet, 0, 0, 0, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0})
	}
	other := m.lib.stdio.newSocket(x.family, x.kind)
	other.socket.local, other.socket.bound = l.socket.local, l.socket.bound
	if x.family == familyInet {
		other.socket.local = bytes.Clone(a)
		if a[4] == 0 {
			copy(other.socket.local[4:], []byte{127, 0, 0, 1})
		}
	}
	connect(o, other)
	l.socket.waiting = append(l.socket.waiting, other)
	l.socket.changes++
	l.pipe.changed(m)
	return 0
}

// sendPacket sends to a socket that is no stream.
func (s *opened) sendPacket(m *Machine, to []byte, data []byte, now bool) (errno ctype.Word, f *Fault) {
	x := s.socket
	peer := x.peer
	var there *opened
	if to != nil {
		if path := pathOf(m, to); path != "" && m.lib.fs.names[path] == nil {
			return errNOENT, nil
		}
		if there = m.boundAt(x.family, x.kind, to); there == nil {
			if x.family == familyInet {
				return 0, nil // it is lost
			}
			return errCONNREFUSED, nil
		}
		peer = there.socket
	}
	switch {
	case x.noWrite:
		return errPIPE, nil
	case peer == nil && x.other != nil && x.family == familyInet:
		if there = m.boundAt(x.family, x.kind, x.other); there == nil {
			return 0, nil
		}
		peer = there.socket
	case peer == nil:
		return errDESTREQ, nil
	case len(data) > 65507:
		return errMSGSIZE, nil
	}
	for o := range m.descriptions {
		if o.socket == peer {
			there = o
		}
	}
	if there == nil {
		if x.kind == kindOrdered {
			return errPIPE, nil
		}
		return errCONNREFUSED, nil
	}
	if len(peer.packets) >= mostPackets {
		if now {
			return errAGAIN, nil
		}
		return 0, there.pipe.waitsFor(m, "something to be received from the socket, which is full")
	}
	if m.lib.stdio.written += int64(len(data)); m.lib.stdio.written > m.cfg.MaxOutput {
		return 0, m.outputLimit()
	}
	if x.family == familyInet && !x.bound {
		_ = s.bind(m, []byte{familyInet, 0, 0, 0, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0})
	}
	peer.packets = append(peer.packets[:len(peer.packets):len(peer.packets)], packet{x.local, bytes.Clone(data)})
	peer.changes++
	if m.several() {
		m.th.release(there.pipe.key())
	}
	there.pipe.changed(m)
	return 0, nil
}

// receivePacket takes a packet from a socket, or leaves it there with keep. With now it does not wait. An empty packet
// and no errno is the end of a connection.
func (s *opened) receivePacket(m *Machine, now, keep bool) (p packet, errno ctype.Word, f *Fault) {
	x := s.socket
	if len(x.packets) > 0 {
		p = x.packets[0]
		if m.several() {
			m.th.acquire(s.pipe.key())
		}
		if !keep {
			x.packets = x.packets[1:]
			s.pipe.changed(m)
		}
		return p, 0, nil
	}
	switch {
	case x.noRead, x.kind == kindOrdered && x.peer != nil && !x.peer.isLive(m):
		return p, 0, nil
	case now:
		return p, errAGAIN, nil
	}
	return p, 0, s.pipe.waitsFor(m, "something to be sent to the socket")
}

// readiness is the events of a socket.
func (o *opened) readiness(m *Machine) (events int16) {
	const peerClosed = 0x2000
	x := o.socket
	switch {
	case x.listening:
		if len(x.waiting) > 0 {
			events = pollReads
		}
		return events
	case x.kind != kindStream:
		if len(x.packets) > 0 || x.noRead {
			events = pollReads
		}
		if x.kind == kindOrdered && x.peer != nil && !x.peer.isLive(m) {
			events |= pollReads | pollHup | peerClosed
		}
		return events | pollWrites
	case !x.connected:
		events = pollWrites | pollHup
		if x.trouble != 0 {
			events |= pollReads | pollErr
		}
		return events
	}
	over := !o.pipe.hasEnd(m, true)
	if len(o.pipe.pages) > 0 || over || x.noRead {
		events = pollReads
	}
	if over {
		events |= peerClosed
		if x.noWrite || x.family == familyUnix && !x.peer.isLive(m) {
			events |= pollHup
		}
	}
	if !x.out.full() || !x.out.hasEnd(m, false) {
		events |= pollWrites
	}
	return events
}
