package gdb

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// This file is the debugged process seen through /proc: memory, its terminal,
// its images.

// memory reads and writes the process's memory while gdb has stopped it.
type memory struct {
	f     memoryFile
	wrote func() // is told of every write
}

// memoryFile is /proc/PID/mem, or a core file.
type memoryFile interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
}

func openMemory(pid int) (*memory, error) {
	f, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return &memory{f: f, wrote: func() {}}, nil
}

func (m *memory) read(addr uint64, buf []byte) bool {
	if addr < 4096 || addr >= 1<<47 {
		return false
	}
	n, err := m.f.ReadAt(buf, int64(addr))
	return err == nil && n == len(buf)
}

func (m *memory) word(addr uint64) (uint64, bool) {
	var b [8]byte
	if !m.read(addr, b[:]) {
		return 0, false
	}
	return binary.LittleEndian.Uint64(b[:]), true
}

func (m *memory) write(addr uint64, data []byte) error {
	m.wrote()
	_, err := m.f.WriteAt(data, int64(addr))
	return err
}

func (m *memory) close() {
	if m != nil {
		_ = m.f.Close()
	}
}

// segment is one writable mapping.
type segment struct {
	lo, hi uint64
	pages  []*page // shared with older images where equal
}

// image is the writable memory of the process and its general registers.
// Vector registers, files and what was already printed are not in it.
type image struct {
	segs []segment
	regs []string
}

const pageSize = 4096

func writableMaps(pid int) ([]segment, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil, err
	}
	var out []segment
	last := "-" // name of the last one
	for _, l := range strings.Split(string(b), "\n") {
		f := strings.Fields(l)
		if len(f) < 5 || !strings.HasPrefix(f[1], "rw") {
			continue
		}
		if len(f) > 5 && strings.HasPrefix(f[5], "[v") {
			continue
		}
		lo, hi, _ := strings.Cut(f[0], "-")
		var s segment
		if s.lo, err = strconv.ParseUint(lo, 16, 64); err != nil {
			return nil, err
		}
		if s.hi, err = strconv.ParseUint(hi, 16, 64); err != nil {
			return nil, err
		}
		name := ""
		if len(f) > 5 {
			name = f[5]
		}
		if n := len(out); n > 0 && (name == "" || name == "[heap]") && name == last && out[n-1].hi == s.lo {
			out[n-1].hi = s.hi // one mapping, of which only a part is watched (writes.go)
			continue
		}
		last = name
		out = append(out, s)
	}
	return out, nil
}

// restoreMemory writes back the pages that differ.
func restoreMemory(m *memory, segs []segment) error {
	cur := make([]byte, pageSize)
	for _, s := range segs {
		for i, p := range s.pages {
			at := s.lo + uint64(i)*pageSize
			if !m.read(at, cur) {
				return fmt.Errorf("memory at %#x, which the saved state has, is no longer mapped", at)
			}
			if !bytes.Equal(cur, p[:]) {
				if err := m.write(at, p[:]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
