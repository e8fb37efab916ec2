package gdb

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"gulo/internal/target"
)

// This file asks the kernel which pages a process has written.
//
// Linux 6.7 and later tell this of memory that a userfaultfd of the process watches without
// holding anybody up (UFFD_FEATURE_WP_ASYNC): the ioctl PAGEMAP_SCAN lists the pages that were
// written, or given back and made anew, since they were protected last, and protects them again.
// The process makes the userfaultfd (runtime/alloc.c) and gulo takes a copy of it, with which it
// watches the process's mappings. Where that is not to be had all memory is read.
//
// Reference: Linux's Documentation/admin-guide/mm/pagemap.rst and userfaultfd.rst.

// writes is the kernel's record of a process. A nil writes knows nothing.
type writes struct {
	uffd    int
	pagemap *os.File
	found   [256]scanRegion // room for answers; the kernel is told where it is
}

// Of the kernel's interface.
const (
	uffdRegister = 0xC020AA00 // UFFDIO_REGISTER
	uffdWP       = 1 << 1     // UFFDIO_REGISTER_MODE_WP
	pagemapScan  = 0xC0606610 // PAGEMAP_SCAN
	scanProtect  = 1 << 0     // PM_SCAN_WP_MATCHING
	scanWatched  = 1 << 1     // PM_SCAN_CHECK_WPASYNC
	pageWritten  = 1 << 1     // PAGE_IS_WRITTEN
)

// scanArg is struct pm_scan_arg.
type scanArg struct {
	size, flags, start, end, walkEnd, vec, vecLen, maxPages, inverted, mask, anyOf, returned uint64
}

// scanRegion is struct page_region.
type scanRegion struct{ start, end, categories uint64 }

// openWrites opens a copy of the userfaultfd of a process, whose descriptor stands at an address; nil where there is none, or
// it cannot be had.
func openWrites(pid int, m *memory, at uint64) *writes {
	var b [4]byte
	if !m.read(at, b[:]) {
		return nil
	}
	n := int(int32(binary.LittleEndian.Uint32(b[:])))
	if n < 0 {
		return nil
	}
	p, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(p)
	w := &writes{}
	if w.uffd, err = unix.PidfdGetfd(p, n, 0); err != nil {
		return nil
	}
	if w.pagemap, err = os.Open(fmt.Sprintf("/proc/%d/pagemap", pid)); err != nil {
		_ = unix.Close(w.uffd)
		return nil
	}
	return w
}

func (w *writes) close() {
	if w != nil {
		_ = unix.Close(w.uffd)
		_ = w.pagemap.Close()
	}
}

func ioctl(fd int, request uintptr, arg unsafe.Pointer) (uintptr, unix.Errno) {
	r, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(arg))
	runtime.KeepAlive(arg)
	return r, e
}

// watch begins to watch a mapping: what is written from now on is in the next answer of since.
func (w *writes) watch(lo, hi uint64) {
	if w == nil {
		return
	}
	arg := struct{ start, len, mode, ioctls uint64 }{lo, hi - lo, uffdWP, 0}
	if _, e := ioctl(w.uffd, uffdRegister, unsafe.Pointer(&arg)); e == 0 {
		w.since(lo, hi)
	}
}

// since returns the pages that were written since it was asked last; ok is false where that is
// not known. What it has returned once it does not return again.
func (w *writes) since(lo, hi uint64) (list []target.Extent, ok bool) {
	if w == nil {
		return nil, false
	}
	for lo < hi {
		arg := scanArg{
			flags: scanProtect | scanWatched, start: lo, end: hi, vec: uint64(uintptr(unsafe.Pointer(&w.found[0]))), vecLen: uint64(len(w.found)),
			mask: pageWritten, returned: pageWritten,
		}
		arg.size = uint64(unsafe.Sizeof(arg))
		n, e := ioctl(int(w.pagemap.Fd()), pagemapScan, unsafe.Pointer(&arg))
		if e != 0 || arg.walkEnd <= lo {
			return nil, false
		}
		for _, r := range w.found[:n] {
			list = append(list, target.Extent{Addr: r.start, End: r.end})
		}
		lo = arg.walkEnd
	}
	return list, true
}
