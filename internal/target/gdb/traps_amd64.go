package gdb

import "golang.org/x/sys/unix"

// stackOf is the stack pointer.
func stackOf(r *unix.PtraceRegs) uint64 { return r.Rsp }
