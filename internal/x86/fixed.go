package x86

import (
	"math/big"
	"math/bits"
	"strings"
)

// This file executes multiplication, division, jumps, and the instructions with fixed registers.

func (s *state) multiply(in *instr) error {
	size := in.size
	if len(in.args) > 1 {
		a := &in.args[0]
		x, err := s.get(a, size)
		if err != nil {
			return err
		}
		y, err := s.get(&in.args[1], size)
		if err != nil {
			return err
		}
		p := new(big.Int).Mul(big.NewInt(signed(x, size)), big.NewInt(signed(y, size)))
		v := uint64(signed(x, size)) * uint64(signed(y, size))
		s.cf = p.Cmp(big.NewInt(signed(v, size))) != 0
		s.of = s.cf
		return s.put(&in.args[len(in.args)-1], v, size)
	}
	x, err := s.get(&in.args[0], size)
	if err != nil {
		return err
	}
	y := s.r[0] & mask(size)
	var high, low uint64
	if in.name == "mul" {
		high, low = bits.Mul64(x, y)
	} else {
		p := new(big.Int).Mul(big.NewInt(signed(x, size)), big.NewInt(signed(y, size)))
		low = uint64(signed(x, size)) * uint64(signed(y, size))
		high = new(big.Int).And(new(big.Int).Rsh(p, 64), new(big.Int).SetUint64(^uint64(0))).Uint64()
	}
	if size < 8 {
		high = low >> (8 * size)
	}
	if size == 1 {
		s.r[0] = s.r[0]&^0xffff | low&0xffff
	} else if err := s.both(low, high, size); err != nil {
		return err
	}
	if in.name == "mul" {
		s.cf = high&mask(size) != 0
	} else {
		s.cf = signed(high, size) != signed(low, size)>>63
	}
	s.of = s.cf
	return nil
}

// both sets the pair of rdx and rax.
func (s *state) both(low, high uint64, size int64) error {
	_ = s.put(&arg{kind: register, reg: 0}, low, size)
	return s.put(&arg{kind: register, reg: 2}, high, size)
}

func (s *state) divide(in *instr) error {
	size := in.size
	d, err := s.get(&in.args[0], size)
	if err != nil {
		return err
	}
	low, high := s.r[0]&mask(size), s.r[2]&mask(size)
	if size == 1 {
		low, high = s.r[0]&0xff, s.r[0]>>8&0xff
	}
	if d == 0 {
		return ErrDivide
	}
	width := uint(8 * size)
	n := new(big.Int).Or(new(big.Int).Lsh(new(big.Int).SetUint64(high), width), new(big.Int).SetUint64(low))
	by := new(big.Int).SetUint64(d)
	least, most := new(big.Int), new(big.Int).SetUint64(mask(size))
	if in.name == "idiv" {
		if signed(high, size) < 0 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 2*width))
		}
		by.SetInt64(signed(d, size))
		most.Rsh(most, 1)
		least.Not(most)
	}
	q, r := new(big.Int).QuoRem(n, by, new(big.Int))
	if q.Cmp(least) < 0 || q.Cmp(most) > 0 {
		return ErrDivide
	}
	word := func(x *big.Int) uint64 {
		if x.Sign() < 0 {
			return uint64(x.Int64())
		}
		return x.Uint64()
	}
	if size == 1 {
		s.r[0] = s.r[0]&^0xffff | word(q)&0xff | word(r)&0xff<<8
		return nil
	}
	return s.both(word(q), word(r), size)
}

func (s *state) holds(cond byte) bool {
	var v bool
	switch cond >> 1 {
	case 0:
		v = s.of
	case 1:
		v = s.cf
	case 2:
		v = s.zf
	case 3:
		v = s.cf || s.zf
	case 4:
		v = s.sf
	case 5:
		v = s.pf
	case 6:
		v = s.sf != s.of
	case 7:
		v = s.zf || s.sf != s.of
	}
	return v != (cond&1 == 1)
}

func (s *state) set(in *instr) error {
	v := uint64(0)
	if s.holds(in.cond) {
		v = 1
	}
	return s.put(&in.args[0], v, 1)
}

func (s *state) moveIf(in *instr) error {
	v, err := s.get(&in.args[0], in.size)
	if err != nil {
		return err
	}
	if !s.holds(in.cond) {
		if v, err = s.get(&in.args[1], in.size); err != nil {
			return err
		}
	}
	return s.put(&in.args[1], v, in.size)
}

func (s *state) jump(in *instr) error {
	s.next = in.jump
	return nil
}

func (s *state) jumpIf(in *instr) error {
	if s.holds(in.cond) {
		s.next = in.jump
	}
	return nil
}

func (s *state) carry(in *instr) error {
	switch in.name {
	case "clc":
		s.cf = false
	case "stc":
		s.cf = true
	default:
		s.cf = !s.cf
	}
	return nil
}

// extendA extends the lower part of rax, of a size, to twice the size.
func extendA(size int64) action {
	return func(s *state, in *instr) error {
		return s.put(&arg{kind: register, reg: 0}, uint64(signed(s.r[0]&mask(size), size)), 2*size)
	}
}

// extendD fills rdx with the sign of rax.
func extendD(size int64) action {
	return func(s *state, in *instr) error {
		return s.put(&arg{kind: register, reg: 2}, uint64(signed(s.r[0]&mask(size), size)>>63), size)
	}
}

// cpuid describes the least processor for x86-64.
func (s *state) cpuid(*instr) error {
	switch uint32(s.r[0]) {
	case 0:
		s.r[0], s.r[3], s.r[2], s.r[1] = 1, 0x756e6547, 0x49656e69, 0x6c65746e // GenuineIntel
	case 1: // FPU, TSC, CX8, CMOV, MMX, FXSR, SSE, SSE2
		s.r[0], s.r[3], s.r[1], s.r[2] = 0x60f0, 0, 0, 1|1<<4|1<<8|1<<15|1<<23|1<<24|1<<25|1<<26
	case 0x80000000:
		s.r[0], s.r[3], s.r[1], s.r[2] = 0x80000001, 0, 0, 0
	case 0x80000001: // SYSCALL, long mode
		s.r[0], s.r[3], s.r[1], s.r[2] = 0, 0, 0, 1<<11|1<<29
	default:
		s.r[0], s.r[3], s.r[1], s.r[2] = 0, 0, 0, 0
	}
	return nil
}

func (s *state) rdtsc(in *instr) error {
	t := s.env.Time()
	s.r[0], s.r[2] = t&mask(4), t>>32
	if in.name == "rdtscp" {
		s.r[1] = 0
	}
	return nil
}

func (s *state) syscall(*instr) (err error) {
	s.r[0], err = s.env.Syscall(s.r[0], [6]uint64{s.r[7], s.r[6], s.r[2], s.r[10], s.r[8], s.r[9]})
	s.r[1], s.r[11] = 0, s.flags()
	return err
}

func (s *state) trap(*instr) error { return s.env.Trap() }

// block is the instructions on blocks of memory, upwards, once or as often as rcx says.
func (s *state) block(in *instr) error {
	size := in.size
	source, to := uint64(0), uint64(0)
	if in.name != "stos" && in.name != "scas" {
		source = uint64(size)
	}
	if in.name != "lods" {
		to = uint64(size)
	}
	for steps := 0; in.again == "" || s.r[1] != 0; steps++ {
		if steps > StepLimit {
			return ErrSteps
		}
		v, err := s.r[0]&mask(size), error(nil)
		if source > 0 {
			if v, err = s.load(s.r[6], size); err != nil {
				return err
			}
		}
		switch in.name {
		case "movs", "stos":
			err = s.store(s.r[7], v, size)
		case "lods":
			err = s.put(&arg{kind: register}, v, size)
		default:
			var w uint64
			w, err = s.load(s.r[7], size)
			s.compute("cmp", v, w, size)
		}
		if err != nil {
			return err
		}
		s.r[6] += source
		s.r[7] += to
		if in.again == "" {
			return nil
		}
		s.r[1]--
		if (in.name == "scas" || in.name == "cmps") && s.zf == strings.HasPrefix(in.again, "repn") {
			return nil
		}
	}
	return nil
}
