package x86_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"gulo/internal/x86"
)

// plain is an Env of 64 bytes of memory at address 4096.
type plain struct{ memory [64]byte }

var errOutside = errors.New("outside of memory")

func (p *plain) Load(addr uint64, to []byte) error {
	if addr < 4096 || addr+uint64(len(to)) > 4160 {
		return errOutside
	}
	copy(to, p.memory[addr-4096:])
	return nil
}

func (p *plain) Store(addr uint64, from []byte) error {
	if addr < 4096 || addr+uint64(len(from)) > 4160 {
		return errOutside
	}
	copy(p.memory[addr-4096:], from)
	return nil
}

func (p *plain) Time() uint64                              { return 1 }
func (p *plain) Stack() uint64                             { return 8192 }
func (p *plain) Syscall(uint64, [6]uint64) (uint64, error) { return 0, nil }
func (p *plain) Trap() error                               { return errors.New("trap") }
func run(t *testing.T, text string, x uint64) (uint64, error) {
	t.Helper()
	st := &x86.Statement{Template: text, Operands: []x86.Operand{{Constraint: "+r", Size: 8}}, Outs: 1}
	code, err := x86.Decode(string(st.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	var out uint64
	err = code.Run(&plain{}, []uint64{0}, func(int) ([]byte, error) { return binary.LittleEndian.AppendUint64(nil, x), nil },
		func(_ int, v []byte) error { out = binary.LittleEndian.Uint64(v); return nil })
	return out, err
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		text    string
		x, want uint64
	}{
		{"incq %0", 41, 42},
		{"movl $-1, %k0", 0, 0xffffffff},
		{"movb $1, %h0", 0, 0x100},
		{"rclq %0; rclq %0", 1 << 63, 1},
		{"movq $4096, %%rcx; movq %0, (%%rcx); movl 4(%%rcx), %k0", 7 << 32, 7},
		{"1: decq %0; jnz 1b", 1000, 0},
		{"lzcnt %0, %0", 1, 63},
		{"cmpq $5, %0; sbbq %0, %0", 4, ^uint64(0)},
	} {
		if got, err := run(t, c.text, c.x); err != nil || got != c.want {
			t.Errorf("%s of %#x is %#x, %v; want %#x", c.text, c.x, got, err, c.want)
		}
	}
}

func TestFaults(t *testing.T) {
	if _, err := run(t, "movq (%0), %0", 0); !errors.Is(err, errOutside) {
		t.Errorf("a load of address 0 gives %v", err)
	}
	if _, err := run(t, "movq $0, %%rdx; divq %0", 0); !errors.Is(err, x86.ErrDivide) {
		t.Errorf("a division by 0 gives %v", err)
	}
	if _, err := run(t, "popq %0", 0); !errors.Is(err, x86.ErrStack) {
		t.Errorf("a pop of nothing gives %v", err)
	}
}

func TestRefused(t *testing.T) {
	for _, text := range []string{"fldz", "movl %%fs:0, %k0", "movq (%%rsp), %0", "call f", "jmp *%0", "vaddps %%ymm0, %%ymm0, %%ymm0", "incq %1", "jmp 1f", "addq %0, $1", "addq (%0), (%0)", "int $3"} {
		st := &x86.Statement{Template: text, Operands: []x86.Operand{{Constraint: "+r", Size: 8}}, Outs: 1}
		if _, err := st.Parse(); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
	st := &x86.Statement{Template: "nop", Operands: []x86.Operand{{Constraint: "=t", Size: 8}}, Outs: 1}
	if _, err := st.Parse(); err == nil {
		t.Error("a register of the x87 is accepted")
	}
}
