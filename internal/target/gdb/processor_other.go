//go:build !amd64

package gdb

import (
	"errors"
	"runtime"

	"gulo/internal/cfront"

	"golang.org/x/sys/unix"
)

// This file stands for what the package does not know of other processors than x86-64: their registers and how they
// call functions. Nothing of the package is begun there.

// Supported is why there is no session under gdb on this processor; nil where there is.
func Supported() error {
	return &cfront.ToolError{Tool: "gdb", Err: errors.New("sessions under gdb are for x86-64, and this gulo is for " + runtime.GOARCH), Hint: "use --engine machine"}
}

// System calls that only some processors have: no call has these numbers.
const (
	callPoll   = -1
	callSelect = -1
)

// stackOf is asked on x86-64 alone.
func stackOf(*unix.PtraceRegs) uint64 { return 0 }
