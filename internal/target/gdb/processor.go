package gdb

import (
	"os/exec"
	"strings"

	"gulo/internal/cfront"
)

// generalRegs are the registers of x86-64 that a saved state has.
var generalRegs = strings.Fields("rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip eflags")

// usable is why no session under gdb can begin here; nil where one can.
func usable() error {
	if err := Supported(); err != nil {
		return err
	}
	if _, err := exec.LookPath("gdb"); err != nil {
		return &cfront.ToolError{Tool: "gdb", Err: err, Hint: "install it with: apt-get install gdb, or use --engine machine"}
	}
	return nil
}
