package gdb

import "golang.org/x/sys/unix"

// This file is what the package knows of x86-64, the only processor that sessions under gdb know.

// Supported is why there is no session under gdb on this processor; nil where there is.
func Supported() error { return nil }

// System calls that only some processors have.
const (
	callPoll   = unix.SYS_POLL
	callSelect = unix.SYS_SELECT
)

// stackOf is the stack pointer.
func stackOf(r *unix.PtraceRegs) uint64 { return r.Rsp }
