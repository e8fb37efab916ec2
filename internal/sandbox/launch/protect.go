package launch

import (
	"runtime"
	"syscall"
	"unsafe"
)

// This file takes from the process what a stranger's program needs for no purpose of its own:
// files of others, the network, capabilities. What needs no rights is done without any:
// Landlock and seccomp work in a container that gives no namespaces.

// Numbers of system calls that are the same on all architectures.
const (
	sysMountSetattr         = 442
	sysLandlockCreate       = 444
	sysLandlockAddRule      = 445
	sysLandlockRestrictSelf = 446
	sysUringSetup           = 425
)

// atCurrent is AT_FDCWD.
const atCurrent = ^uintptr(99)

// freeze makes all mounts of this namespace read-only, and reports whether it could.
func freeze() bool {
	const recursive, readOnly = 0x8000, 1
	attr := [4]uint64{readOnly} // struct mount_attr
	root, _ := syscall.BytePtrFromString("/")
	_, _, e := syscall.RawSyscall6(sysMountSetattr, atCurrent, uintptr(unsafe.Pointer(root)), recursive, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	return e == 0
}

// Rights of Landlock that change files.
const (
	writeFile = 1 << 1
	make13    = 1<<13 - 1<<4 // to remove and to make files of any kind
	refer     = 1 << 13      // since version 2
	truncate  = 1 << 14      // since version 3
)

// confine lets the process write to files below a folder only, and to devices.
func confine(dir string) syscall.Errno {
	const version = 1
	v, _, e := syscall.RawSyscall(sysLandlockCreate, 0, 0, version)
	if e != 0 {
		return e
	}
	rights, device := uint64(writeFile|make13), uint64(writeFile)
	if v >= 2 {
		rights |= refer
	}
	if v >= 3 {
		rights, device = rights|truncate, device|truncate
	}
	set, _, e := syscall.RawSyscall(sysLandlockCreate, uintptr(unsafe.Pointer(&rights)), 8, 0)
	if e != 0 {
		return e
	}
	defer func() { _ = syscall.Close(int(set)) }()
	if e := below(set, dir, rights); e != 0 {
		return e
	}
	if e := below(set, "/dev", device); e != 0 && e != syscall.ENOENT {
		return e
	}
	_, _, e = syscall.RawSyscall(sysLandlockRestrictSelf, set, 0, 0)
	return e
}

// below adds the rule that a folder gives rights.
func below(set uintptr, dir string, rights uint64) syscall.Errno {
	const pathOnly, pathBeneath = 0x200000, 1
	fd, err := syscall.Open(dir, pathOnly|syscall.O_CLOEXEC, 0)
	if err != nil {
		return number(err)
	}
	defer func() { _ = syscall.Close(fd) }()
	// struct landlock_path_beneath_attr, which is packed
	rule := [3]uint32{uint32(rights), uint32(rights >> 32), uint32(fd)}
	_, _, e := syscall.RawSyscall6(sysLandlockAddRule, set, pathBeneath, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	return e
}

// dropCapabilities gives up all capabilities. A program that is executed gets none back, because
// the process may get no new privileges.
func dropCapabilities() syscall.Errno {
	header := struct {
		version uint32
		process int32
	}{version: 0x20080522}
	var none [2]struct{ effective, permitted, inheritable uint32 }
	_, _, e := syscall.RawSyscall(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&none)), 0)
	return e
}

// instruction is one of the kernel's packet filter (struct sock_filter).
type instruction struct {
	code   uint16
	yes    uint8
	no     uint8
	number uint32
}

// architecture is what the filter has to know: the number by which the kernel names the
// architecture, and that of programs of 32 bits and their system calls that make sockets.
type architecture struct {
	own, other            uint32
	otherSocket, multiple uint32
}

func architectureOf(name string) (a architecture, ok bool) {
	switch name {
	case "amd64":
		return architecture{own: 0xC000003E, other: 0x40000003, otherSocket: 359, multiple: 102}, true
	case "arm64":
		return architecture{own: 0xC00000B7, other: 0x40000028, otherSocket: 281, multiple: 281}, true
	}
	return a, false
}

// closeNetwork keeps the process from making sockets. It is for systems where it cannot have a
// network of its own.
func closeNetwork() syscall.Errno {
	a, ok := architectureOf(runtime.GOARCH)
	if !ok {
		return syscall.ENOSYS
	}
	const (
		load, equal, and, answer = 0x20, 0x15, 0x54, 0x06
		allow                    = 0x7fff0000
		refuse                   = 0x00050000 | uint32(syscall.EACCES)
		kill                     = 0x80000000
	)
	filter := []instruction{
		{code: load, number: 4}, // the architecture
		{code: equal, no: 5, number: a.own},
		{code: load, number: 0},               // the system call
		{code: and, number: ^uint32(1 << 30)}, // x32
		{code: equal, yes: 9, number: syscall.SYS_SOCKET},
		{code: equal, yes: 8, number: sysUringSetup},
		{code: answer, number: allow},
		{code: equal, yes: 1, number: a.other},
		{code: answer, number: kill},
		{code: load, number: 0},
		{code: equal, yes: 3, number: sysUringSetup},
		{code: equal, yes: 2, number: a.otherSocket},
		{code: equal, yes: 1, number: a.multiple},
		{code: answer, number: allow},
		{code: answer, number: refuse},
	}
	program := struct {
		length uint16
		filter *instruction
	}{uint16(len(filter)), &filter[0]}
	const setFilter, mode = 22, 2 // PR_SET_SECCOMP, SECCOMP_MODE_FILTER
	return prctl(setFilter, mode, uintptr(unsafe.Pointer(&program)))
}
