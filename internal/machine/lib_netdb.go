package machine

import (
	"encoding/binary"
	"math/bits"
	"net/netip"
	"strconv"

	"gulo/internal/ctype"
)

// This file is arpa/inet.h and netdb.h: numbers and addresses of the network, and names as far as no server has to be
// asked: numeric ones and localhost.

func init() {
	register(map[string]builtin{
		"htons": libSwap16, "ntohs": libSwap16, "htonl": libSwap32, "ntohl": libSwap32,
		"inet_addr": libInetAddr, "inet_aton": libInetAddr, "inet_pton": libInetPton, "inet_ntop": libInetNtop, "inet_ntoa": libInetNtoa,
		"getaddrinfo": libGetaddrinfo, "freeaddrinfo": libFreeaddrinfo, "gai_strerror": libGaiError, "getnameinfo": libGetnameinfo, "gethostbyname": libGethostbyname,
	})
}

func libSwap16(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return ctype.Word(bits.ReverseBytes16(uint16(c.arg(0)))), nil
}

func libSwap32(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return ctype.Word(bits.ReverseBytes32(uint32(c.arg(0)))), nil
}

// inetNumber reads an address as inet_aton does: up to four parts, of which the last one fills what is left.
func inetNumber(s string) (b [4]byte, ok bool) {
	var parts []uint64
	for s != "" {
		i := 0
		for i < len(s) && s[i] != '.' {
			i++
		}
		n, err := strconv.ParseUint(s[:i], 0, 32)
		if err != nil || i == 0 || s[0] == '+' {
			return b, false
		}
		if parts = append(parts, n); i == len(s) {
			break
		}
		if s = s[i+1:]; s == "" {
			return b, false
		}
	}
	k := len(parts)
	if k == 0 || k > 4 {
		return b, false
	}
	value := uint64(0)
	for i, n := range parts {
		if i < k-1 {
			if n > 255 {
				return b, false
			}
			value |= n << (24 - 8*i)
		} else {
			if n >= 1<<(32-8*(k-1)) {
				return b, false
			}
			value |= n
		}
	}
	binary.BigEndian.PutUint32(b[:], uint32(value))
	return b, true
}

// libInetAddr is inet_addr and inet_aton.
func libInetAddr(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	b, ok := inetNumber(s)
	if c.name == "inet_addr" {
		if !ok {
			return 0xffffffff, nil
		}
		return ctype.Word(binary.LittleEndian.Uint32(b[:])), nil
	}
	if !ok {
		return 0, nil
	}
	return 1, m.putBytes(c.arg(1), b[:])
}

const familyInet6 = 10

func libInetPton(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	family := c.int(0)
	if family != familyInet && family != familyInet6 {
		return m.failed(errAFNOSUPPORT)
	}
	ip, err := netip.ParseAddr(s)
	if err != nil || ip.Is4() != (family == familyInet) || ip.Zone() != "" {
		return 0, nil
	}
	return 1, m.putBytes(c.arg(2), ip.AsSlice())
}

func libInetNtop(m *Machine, c *libCall) (ctype.Word, *Fault) {
	size := map[int64]int64{familyInet: 4, familyInet6: 16}[c.int(0)]
	if size == 0 {
		m.set(errAFNOSUPPORT)
		return 0, nil
	}
	b, f := m.bytes(c.arg(1), size, true)
	if f != nil {
		return 0, f
	}
	ip, _ := netip.AddrFromSlice(b)
	s := ip.String()
	if int64(len(s)) >= int64(uint32(c.arg(3))) {
		m.set(28) // ENOSPC
		return 0, nil
	}
	return c.arg(2), m.putString(c.arg(2), s)
}

func libInetNtoa(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b, f := m.bytes(c.arg(0), 4, true) // a structure is passed by its address
	if f != nil {
		return 0, f
	}
	return m.lib.text("what inet_ntoa returns", netip.AddrFrom4([4]byte(b)).String()), nil
}

// Results of getaddrinfo.
const (
	noFlags   = -1 // EAI_BADFLAGS
	noName    = -2
	noFamily  = -6
	noKind    = -7
	noService = -8
	noRoom    = -12 // EAI_OVERFLOW
)

var services = map[string]uint16{"echo": 7, "discard": 9, "daytime": 13, "ftp": 21, "ssh": 22, "telnet": 23, "smtp": 25, "domain": 53, "http": 80, "pop3": 110, "ntp": 123, "imap2": 143, "https": 443}

var gaiErrors = map[int64]string{
	0: "Success", noFlags: "Bad value for ai_flags", noName: "Name or service not known", -3: "Temporary failure in name resolution", -4: "Non-recoverable failure in name resolution",
	-5: "No address associated with hostname", noFamily: "ai_family not supported", noKind: "ai_socktype not supported", noService: "Servname not supported for ai_socktype",
	-9: "Address family for hostname not supported", -10: "Memory allocation failure", -11: "System error", noRoom: "Result too large for supplied buffer",
}

func libGaiError(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, ok := gaiErrors[c.int(0)]
	if !ok {
		s = "Unknown error"
	}
	return m.lib.text("what gai_strerror returns", s), nil
}

// hostOf is the address of a host that needs no server; ok is false for another one.
func hostOf(name string) (b [4]byte, ok bool) {
	if name == "localhost" || name == hostName {
		return [4]byte{127, 0, 0, 1}, true
	}
	return inetNumber(name)
}

// optionalText reads a string where there is one.
func optionalText(m *Machine, at ctype.Word) (s string, given bool, f *Fault) {
	if at == 0 {
		return "", false, nil
	}
	s, f = m.cstring(at)
	return s, true, f
}

// portOf is the port of a service; wrong is the result of getaddrinfo where there is none.
func portOf(service string, numeric bool) (port uint16, wrong int) {
	n, err := strconv.ParseUint(service, 10, 16)
	p, ok := services[service]
	switch {
	case err == nil:
		return uint16(n), 0
	case service == "":
		return 0, 0
	case ok && !numeric:
		return p, 0
	case numeric:
		return 0, noName
	}
	return 0, noService
}

// libGetaddrinfo is getaddrinfo for IPv4. A name that a server would have to be asked for is not known. struct addrinfo is flags, family, kind and protocol, the size of the address,
// the address at 24, the name at 32 and the next one at 40.
func libGetaddrinfo(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const passive, canonical, numericService = 1, 2, 0x400
	node, named, f := optionalText(m, c.arg(0))
	if f != nil {
		return 0, f
	}
	service, asked, f := optionalText(m, c.arg(1))
	if f != nil {
		return 0, f
	}
	var hints [4]int64
	if c.arg(2) != 0 {
		for i := range hints {
			w, f := m.load(c.arg(2)+ctype.Word(4*i), ctype.IntT)
			if f != nil {
				return 0, f
			}
			hints[i] = int64(int32(w))
		}
	}
	flags, family, kind, protocol := hints[0], hints[1], hints[2], hints[3]
	word := func(n int) (ctype.Word, *Fault) { return ctype.Word(int64(n)), nil }
	ip := [4]byte{127, 0, 0, 1}
	switch {
	case !named && !asked:
		return word(noName)
	case family != 0 && family != familyInet && family != familyInet6:
		return word(noFamily)
	case !named && flags&passive != 0:
		ip = [4]byte{}
	case named:
		var ok bool
		if ip, ok = hostOf(node); !ok {
			return word(noName)
		}
	}
	if family == familyInet6 {
		return word(noName)
	}
	port, wrong := portOf(service, flags&numericService != 0)
	if wrong != 0 {
		return word(wrong)
	}
	kinds := [][2]int64{{kindStream, 6}, {kindPackets, 17}, {3, 0}}
	var out, last ctype.Word
	for _, k := range kinds {
		if kind != 0 && k[0] != kind || protocol != 0 && k[1] != protocol && k[0] != 3 {
			continue
		}
		p, f := m.Malloc(48+16, true)
		if f != nil {
			return 0, f
		}
		b := make([]byte, 64)
		for i, v := range []int64{flags, familyInet, k[0], k[1], 16} {
			ctype.Store(ctype.IntT, b[4*i:], ctype.Word(v))
		}
		ctype.Store(ctype.VoidPtrT, b[24:], p+48)
		b[48] = familyInet
		binary.BigEndian.PutUint16(b[50:], port)
		copy(b[52:], ip[:])
		if out == 0 && flags&canonical != 0 && named {
			name, f := m.Malloc(int64(len(node)+1), false)
			if f != nil {
				return 0, f
			}
			if f = m.putString(name, node); f != nil {
				return 0, f
			}
			ctype.Store(ctype.VoidPtrT, b[32:], name)
		}
		if f := m.putBytes(p, b); f != nil {
			return 0, f
		}
		if last != 0 {
			f = m.store(last+40, ctype.VoidPtrT, p)
		} else {
			out = p
		}
		if last = p; f != nil {
			return 0, f
		}
	}
	if out == 0 {
		return word(noKind)
	}
	return 0, m.store(c.arg(3), ctype.VoidPtrT, out)
}

func libFreeaddrinfo(m *Machine, c *libCall) (ctype.Word, *Fault) {
	for at := c.arg(0); at != 0; {
		next, f := m.load(at+40, ctype.VoidPtrT)
		if f != nil {
			return 0, f
		}
		name, f := m.load(at+32, ctype.VoidPtrT)
		if f != nil {
			return 0, f
		}
		for _, p := range [2]ctype.Word{name, at} {
			if p != 0 {
				if f := m.FreePtr(p); f != nil {
					return 0, f
				}
			}
		}
		at = next
	}
	return 0, nil
}

// libGetnameinfo is getnameinfo for IPv4.
func libGetnameinfo(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const numericHost, numericService = 1, 2
	b, f := m.bytes(c.arg(0), 8, true)
	if f != nil {
		return 0, f
	}
	flags := c.int(6)
	if b[0] != familyInet {
		return ctype.Word(^uint64(5)), nil // EAI_FAMILY
	}
	ip, _ := netip.AddrFromSlice(b[4:8])
	host, port := ip.String(), strconv.Itoa(int(binary.BigEndian.Uint16(b[2:])))
	if host == "127.0.0.1" && flags&numericHost == 0 {
		host = hostName
	}
	for name, p := range services {
		if strconv.Itoa(int(p)) == port && flags&numericService == 0 {
			port = name
		}
	}
	for _, x := range []struct {
		at, n ctype.Word
		s     string
	}{{c.arg(2), c.arg(3), host}, {c.arg(4), c.arg(5), port}} {
		if x.at == 0 || uint32(x.n) == 0 {
			continue
		}
		if len(x.s) >= int(uint32(x.n)) {
			return ctype.Word(^uint64(11)), nil
		}
		if f := m.putString(x.at, x.s); f != nil {
			return 0, f
		}
	}
	return 0, nil
}

// libGethostbyname returns a struct hostent: a name, the other ones at 8, the family at 16, the size of an address at 20,
// and the addresses at 24.
func libGethostbyname(m *Machine, c *libCall) (ctype.Word, *Fault) {
	name, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	ip, ok := hostOf(name)
	if !ok {
		return 0, m.fault(Unsupported, 0, "gethostbyname of %q: no server is asked for names; numeric ones and localhost are known", name)
	}
	block := func(n int64) (ctype.Word, *Block) {
		b := m.newBlock(Global, n)
		b.Name = "what gethostbyname returns"
		return ctype.MakePointer(b.ID, 0), b
	}
	address, a := block(4)
	copy(a.Data, ip[:])
	list, l := block(16)
	ctype.Store(ctype.VoidPtrT, l.Data, address)
	none, _ := block(8)
	w, h := block(32)
	ctype.Store(ctype.VoidPtrT, h.Data, m.lib.text("what gethostbyname returns", name))
	ctype.Store(ctype.VoidPtrT, h.Data[8:], none)
	ctype.Store(ctype.IntT, h.Data[16:], familyInet)
	ctype.Store(ctype.IntT, h.Data[20:], 4)
	ctype.Store(ctype.VoidPtrT, h.Data[24:], list)
	return w, nil
}
