package gdb

import (
	"encoding/binary"
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"gulo/internal/process"
)

// This file finds out whether watchpoints of the processor trap. On some virtual machines they do not: gdb sets them, nothing
// fails, and the program runs past every write.

// debugRegisters is where the debug registers are in what ptrace calls the user area (struct user of sys/user.h), on x86-64.
const debugRegisters = 848

// writesOf8 enables the first watchpoint, for writes of eight bytes (Intel SDM, volume 3, 18.2.4).
const writesOf8 = 1 | 1<<16 | 2<<18

// trapping reports whether watchpoints trap. To try it, it watches the word below the stack that the kernel has made for a program:
// the first instructions of the loader call a function, which writes there. If that cannot be tried, they are taken to trap.
var trapping = sync.OnceValue(func() bool {
	if runtime.GOARCH != "amd64" {
		return true
	}
	traps := make(chan bool)
	process.Go(func() {
		runtime.LockOSThread() // who traces a process is a thread; it ends with this function
		traps <- tried()
	})
	return <-traps
})

func tried() bool {
	c := exec.Command("/bin/sh", "-c", ":")
	c.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if c.Start() != nil {
		return true
	}
	pid := c.Process.Pid
	wait := func() (s unix.WaitStatus, err error) {
		for err = unix.EINTR; err == unix.EINTR; {
			_, err = unix.Wait4(pid, &s, 0, nil)
		}
		return s, err
	}
	defer func() {
		_ = unix.Kill(pid, unix.SIGKILL)
		_, _ = wait()
	}()
	s, err := wait()
	var regs unix.PtraceRegs
	if err != nil || !s.Stopped() || unix.PtraceGetRegs(pid, &regs) != nil {
		return true
	}
	put := func(register int, value uint64) error {
		_, err := unix.PtracePokeUser(pid, debugRegisters+8*uintptr(register), binary.NativeEndian.AppendUint64(nil, value))
		return err
	}
	if put(0, stackOf(&regs)-8) != nil || put(7, writesOf8) != nil {
		return false // gdb will not be able to either
	}
	if unix.PtraceCont(pid, 0) != nil {
		return true
	}
	s, err = wait()
	return err != nil || s.Stopped() && s.StopSignal() == unix.SIGTRAP
}
