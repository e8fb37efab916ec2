package machine

import (
	"bytes"
	"encoding/binary"

	"gulo/internal/ctype"
)

// This file is the requests of ioctl about the interfaces of the network (netdevice). There is one, the loopback.

const (
	ifreqSize  = 40
	ifNameSize = 16
)

// ifRequest answers a request of ioctl on a socket; ok is false for a request that is not of this kind. struct ifconf is
// the size and, at 8, the address of the list; struct ifreq is a name and what is asked for.
func ifRequest(m *Machine, request uint32, at ctype.Word) (v ctype.Word, ok bool, f *Fault) {
	if request == 0x8912 { // SIOCGIFCONF
		f = ifList(m, at)
		return 0, true, f
	}
	answer := make([]byte, ifreqSize-ifNameSize)
	address := func(b ...byte) {
		binary.LittleEndian.PutUint16(answer, familyInet)
		copy(answer[4:], b)
	}
	switch request {
	case 0x8913: // SIOCGIFFLAGS
		binary.LittleEndian.PutUint16(answer, 0x49) // up, loopback, running
	case 0x8915, 0x8919: // SIOCGIFADDR, SIOCGIFBRDADDR
		address(127, 0, 0, 1)
	case 0x891b: // SIOCGIFNETMASK
		address(255, 0, 0, 0)
	case 0x891d: // SIOCGIFMETRIC
	case 0x8921: // SIOCGIFMTU
		binary.LittleEndian.PutUint32(answer, 65536)
	case 0x8927: // SIOCGIFHWADDR
		binary.LittleEndian.PutUint16(answer, 772)
	case 0x8933: // SIOCGIFINDEX
		binary.LittleEndian.PutUint32(answer, 1)
	default:
		return 0, false, nil
	}
	name, f := m.textUntil(at, func(byte) bool { return false })
	if f != nil {
		return 0, true, f
	}
	if name != "lo" {
		v, f = m.failed(errNODEV)
		return v, true, f
	}
	return 0, true, m.putBytes(at+ifNameSize, answer)
}

// ifList answers SIOCGIFCONF: where the address of the list is NULL, with the size that it would have.
func ifList(m *Machine, at ctype.Word) *Fault {
	n, f := m.load(at, ctype.IntT)
	if f != nil {
		return f
	}
	list, f := m.load(at+8, ctype.VoidPtrT)
	if f != nil {
		return f
	}
	size := ctype.Word(ifreqSize)
	switch {
	case list == 0:
	case int32(n) < ifreqSize:
		size = 0
	default:
		b := bytes.NewBuffer(make([]byte, 0, ifreqSize))
		b.WriteString("lo")
		b.Write(make([]byte, ifNameSize-2))
		b.Write([]byte{familyInet, 0, 0, 0, 127, 0, 0, 1})
		b.Write(make([]byte, ifreqSize-b.Len()))
		if f = m.putBytes(list, b.Bytes()); f != nil {
			return f
		}
	}
	return m.store(at, ctype.IntT, size)
}
