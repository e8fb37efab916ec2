package machine

import (
	"errors"

	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/x86"
)

// This file runs inline assembly.

func init() { register(map[string]builtin{lower.AsmCall: libAsm}) }

func libAsm(m *Machine, c *libCall) (ctype.Word, *Fault) {
	code, err := x86.Decode(c.info.Text)
	if err != nil {
		return 0, m.fault(Unsupported, 0, "inline assembly is not supported: %v", err)
	}
	err = code.Run(outsideAsm{m, c}, c.args, func(i int) ([]byte, error) {
		w, t := c.arg(i), c.info.Types[i]
		if !code.Given(i) {
			b := make([]byte, 8)
			ctype.Store(ctype.ULongT, b, w)
			return b, nil
		}
		return faulty(m.bytes(w, t.Elem.Size, true))
	}, func(i int, v []byte) error { return faultError(m.putBytes(c.arg(i), v)) })
	var f *Fault
	switch {
	case err == nil || errors.As(err, &f):
	case errors.Is(err, x86.ErrDivide):
		f = m.fault(Signalled, 0, "%v", err)
		f.Number = 8 // SIGFPE
	case errors.Is(err, x86.ErrSteps):
		f = m.fault(LimitFault, 0, "%v", err)
	default:
		f = m.fault(Unsupported, 0, "%v", err)
	}
	return 0, f
}

// outsideAsm is what inline assembly meets outside of its registers.
type outsideAsm struct {
	m *Machine
	c *libCall
}

// faultError is a fault as an error, nil for none.
func faultError(f *Fault) error {
	if f == nil {
		return nil
	}
	return f
}

func faulty(b []byte, f *Fault) ([]byte, error) { return b, faultError(f) }

func (e outsideAsm) Load(addr uint64, to []byte) error {
	b, f := e.m.bytes(addr, int64(len(to)), true)
	copy(to, b)
	return faultError(f)
}

func (e outsideAsm) Store(addr uint64, from []byte) error {
	return faultError(e.m.putBytes(addr, from))
}

func (e outsideAsm) Time() uint64 { return nextTick(e.m) }

func (e outsideAsm) Stack() uint64 {
	w, _ := libStackAddress(e.m, &libCall{})
	return w
}

func (e outsideAsm) Trap() error {
	f := e.m.fault(Signalled, 0, "the program executes ud2")
	f.Number = sigILL
	return f
}

// Syscall makes a system call, whose failure is the negated number of the error.
func (e outsideAsm) Syscall(n uint64, args [6]uint64) (uint64, error) {
	info := *e.c.info
	info.Types = nil
	for range 7 {
		info.Types = append(info.Types, ctype.LongT)
	}
	before, f := e.m.load(e.m.lib.errno, ctype.IntT)
	if f != nil {
		before = 0
	}
	to := &libCall{name: "syscall", args: append([]uint64{n}, args[:]...), info: &info, dst: e.c.dst}
	v, f := libSyscall(e.m, to)
	if f != nil {
		return 0, f
	}
	if int64(v) == -1 {
		if v, f = e.m.load(e.m.lib.errno, ctype.IntT); f != nil {
			return 0, f
		}
		v = -v
		e.m.set(before)
	}
	e.c.entered = to.entered
	return v, nil
}
