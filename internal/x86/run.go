package x86

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"strings"
)

// This file executes instructions on general registers.

// state is the processor.
type state struct {
	env            Env
	code           *Code
	words          []uint64 // of the operands
	r              [16]uint64
	x              [16][16]byte
	cf, zf, sf, of bool
	pf             bool
	stack          []uint64
	next           int
}

// ErrSteps says that a statement has executed StepLimit instructions, or repetitions of one.
var ErrSteps = errors.New("the inline assembly does not end")

// ErrDivide is the processor's exception for a quotient that does not fit.
var ErrDivide = errors.New("division error in inline assembly")

// ErrStack says that a statement pops what it has not pushed.
var ErrStack = errors.New("inline assembly pops what it has not pushed")

// StepLimit is the number of instructions after which a statement is given up.
const StepLimit = 100_000_000

// Run executes the statement. The words are those of the operands: the address of one in memory, else the value. read
// and write move the values of outputs and of operands in vector registers.
func (c *Code) Run(env Env, words []uint64, read func(i int) ([]byte, error), write func(i int, v []byte) error) error {
	s := &state{env: env, code: c, words: words}
	s.r[rsp], s.r[rbp] = env.Stack(), env.Stack()
	for i, o := range c.ops {
		p := c.places[i]
		if p.kind != register && p.kind != vector || i < c.outs && o.Constraint[0] != '+' && !strings.Contains(o.Constraint, "+") {
			continue
		}
		v, err := read(i)
		if err != nil {
			return err
		}
		if p.kind == vector {
			s.x[p.reg] = [16]byte{}
			copy(s.x[p.reg][:], v)
			continue
		}
		var b [8]byte
		copy(b[:], v)
		s.r[p.reg] = binary.LittleEndian.Uint64(b[:])
	}
	for steps := 0; s.next < len(c.list); steps++ {
		if steps > StepLimit {
			return ErrSteps
		}
		in := &c.list[s.next]
		s.next++
		if err := in.do(s, in); err != nil {
			return err
		}
	}
	for i, o := range c.ops[:c.outs] {
		p := c.places[i]
		var v []byte
		switch p.kind {
		case register:
			v = binary.LittleEndian.AppendUint64(nil, s.r[p.reg])
		case vector:
			v = s.x[p.reg][:]
		default:
			continue
		}
		if err := write(i, v[:o.Size]); err != nil {
			return err
		}
	}
	return nil
}

func (s *state) address(a *arg) uint64 {
	p := uint64(a.off)
	if a.operand >= 0 {
		p += s.words[a.operand]
	}
	if a.base >= 0 {
		p += s.r[a.base]
	}
	if a.index >= 0 {
		p += s.r[a.index] * a.scale
	}
	return p
}

func mask(size int64) uint64 { return ^uint64(0) >> (64 - 8*size) }

func signed(v uint64, size int64) int64 { return int64(v<<(64-8*size)) >> (64 - 8*size) }

func (s *state) load(p uint64, size int64) (uint64, error) {
	var b [8]byte
	err := s.env.Load(p, b[:size])
	return binary.LittleEndian.Uint64(b[:]), err
}

func (s *state) store(p uint64, v uint64, size int64) error {
	return s.env.Store(p, binary.LittleEndian.AppendUint64(nil, v)[:size])
}

func (s *state) get(a *arg, size int64) (uint64, error) {
	switch a.kind {
	case immediate:
		v := a.value
		if a.operand >= 0 {
			v = s.words[a.operand]
		}
		return v & mask(size), nil
	case register:
		if a.high {
			return s.r[a.reg] >> 8 & 0xff, nil
		}
		return s.r[a.reg] & mask(size), nil
	}
	return s.load(s.address(a), size)
}

func (s *state) put(a *arg, v uint64, size int64) error {
	if a.kind == memory {
		return s.store(s.address(a), v, size)
	}
	r := &s.r[a.reg]
	switch {
	case a.high:
		*r = *r&^0xff00 | v&0xff<<8
	case size == 4: // clears the upper half
		*r = v & mask(4)
	default:
		*r = *r&^mask(size) | v&mask(size)
	}
	return nil
}

// result sets the flags of a result.
func (s *state) result(v uint64, size int64) {
	v &= mask(size)
	s.zf, s.sf, s.pf = v == 0, signed(v, size) < 0, bits.OnesCount8(uint8(v))&1 == 0
}

func idle(*state, *instr) error { return nil }

func (s *state) move(in *instr) error {
	v, err := s.get(&in.args[0], in.size)
	if err != nil {
		return err
	}
	return s.put(&in.args[1], v, in.size)
}

func (s *state) extend(in *instr) error {
	v, err := s.get(&in.args[0], in.size)
	if err != nil {
		return err
	}
	if in.name == "movs" {
		v = uint64(signed(v, in.size))
	}
	return s.put(&in.args[1], v, in.wide)
}

func (s *state) arithmetic(in *instr) error {
	b, err := s.get(&in.args[0], in.size)
	if err != nil {
		return err
	}
	to := &in.args[1]
	a := b
	if (in.name != "xor" && in.name != "sub") || *to != in.args[0] { // x ^ x does not depend on x
		if a, err = s.get(to, in.size); err != nil {
			return err
		}
	}
	v := s.compute(in.name, a, b, in.size)
	if in.name == "cmp" || in.name == "test" {
		return nil
	}
	return s.put(to, v, in.size)
}

// compute is a op b, with its flags.
func (s *state) compute(name string, a, b uint64, size int64) (v uint64) {
	top := uint64(1) << (8*size - 1)
	carry := uint64(0)
	switch name {
	case "adc", "sbb":
		if s.cf {
			carry = 1
		}
	}
	switch name {
	case "add", "adc":
		v = (a + b + carry) & mask(size)
		s.cf = v < a || carry == 1 && v == a
		s.of = (a^v)&(b^v)&top != 0
	case "sub", "sbb", "cmp":
		v = (a - b - carry) & mask(size)
		s.cf = a < b || carry == 1 && a == b
		s.of = (a^b)&(a^v)&top != 0
	default:
		switch name {
		case "and", "test":
			v = a & b
		case "or":
			v = a | b
		default:
			v = a ^ b
		}
		s.cf, s.of = false, false
	}
	s.result(v, size)
	return v
}

func (s *state) unary(in *instr) error {
	a := &in.args[0]
	v, err := s.get(a, in.size)
	if err != nil {
		return err
	}
	cf := s.cf
	switch in.name {
	case "inc":
		v = s.compute("add", v, 1, in.size)
		s.cf = cf
	case "dec":
		v = s.compute("sub", v, 1, in.size)
		s.cf = cf
	case "neg":
		v = s.compute("sub", 0, v, in.size)
	case "not":
		v = ^v
	case "bswap":
		v = bits.ReverseBytes64(v) >> (64 - 8*in.size)
	}
	return s.put(a, v, in.size)
}

func (s *state) shift(in *instr) error {
	to, n := &in.args[len(in.args)-1], uint64(1)
	var err error
	if len(in.args) == 2 {
		if n, err = s.get(&in.args[0], 1); err != nil {
			return err
		}
	}
	width := uint64(8 * in.size)
	if n &= 31; in.size == 8 {
		var whole uint64
		if len(in.args) == 2 {
			if whole, err = s.get(&in.args[0], 1); err != nil {
				return err
			}
			n = whole & 63
		}
	}
	v, err := s.get(to, in.size)
	if err != nil || n == 0 {
		return err
	}
	top := uint64(1) << (width - 1)
	switch in.name {
	case "shl", "sal":
		s.cf = n <= width && v>>(width-n)&1 == 1
		v = v << n & mask(in.size)
		s.of = (v&top != 0) != s.cf
		s.result(v, in.size)
	case "shr":
		s.of = v&top != 0
		s.cf = v>>(n-1)&1 == 1
		v >>= n
		s.result(v, in.size)
	case "sar":
		x := signed(v, in.size)
		s.of, s.cf = false, x>>(n-1)&1 == 1
		v = uint64(x>>n) & mask(in.size)
		s.result(v, in.size)
	case "rol":
		n %= width
		v = (v<<n | v>>(width-n)) & mask(in.size)
		s.cf = v&1 == 1
		s.of = (v&top != 0) != s.cf
	case "ror":
		n %= width
		v = (v>>n | v<<(width-n)) & mask(in.size)
		s.cf = v&top != 0
		s.of = v&top != v<<1&top
	default: // through the carry flag, bit by bit
		for ; n > 0; n-- {
			c := uint64(0)
			if s.cf {
				c = 1
			}
			if in.name == "rcl" {
				s.cf = v&top != 0
				v = (v<<1 | c) & mask(in.size)
			} else {
				s.cf = v&1 == 1
				v = v>>1 | c<<(width-1)
			}
		}
	}
	return s.put(to, v, in.size)
}

func (s *state) shiftDouble(in *instr) error {
	n, err := s.get(&in.args[0], 1)
	if err != nil {
		return err
	}
	from, err := s.get(&in.args[1], in.size)
	if err != nil {
		return err
	}
	v, err := s.get(&in.args[2], in.size)
	width := uint64(8 * in.size)
	if n &= width - 1; err != nil || n == 0 {
		return err
	}
	if in.name == "shld" {
		s.cf = v>>(width-n)&1 == 1
		v = v<<n | from>>(width-n)
	} else {
		s.cf = v>>(n-1)&1 == 1
		v = v>>n | from<<(width-n)
	}
	s.result(v, in.size)
	return s.put(&in.args[2], v, in.size)
}

// exchange is xchg, xadd and cmpxchg.
func (s *state) exchange(in *instr) error {
	a, b := &in.args[0], &in.args[1]
	x, err := s.get(a, in.size)
	if err != nil {
		return err
	}
	y, err := s.get(b, in.size)
	if err != nil {
		return err
	}
	switch in.name {
	case "xadd":
		x = s.compute("add", y, x, in.size)
		if err := s.put(a, y, in.size); err != nil {
			return err
		}
		return s.put(b, x, in.size)
	case "cmpxchg":
		s.compute("cmp", s.r[0]&mask(in.size), y, in.size)
		if s.zf {
			return s.put(b, x, in.size)
		}
		return s.put(&arg{kind: register}, y, in.size)
	}
	if err := s.put(b, x, in.size); err != nil {
		return err
	}
	return s.put(a, y, in.size)
}

// compareWide is cmpxchg8b and cmpxchg16b.
func (s *state) compareWide(in *instr) error {
	size := int64(8)
	if in.name == "cmpxchg8b" {
		size = 4
	}
	p := s.address(&in.args[0])
	low, err := s.load(p, size)
	if err != nil {
		return err
	}
	high, err := s.load(p+uint64(size), size)
	if err != nil {
		return err
	}
	if s.zf = low == s.r[0]&mask(size) && high == s.r[2]&mask(size); !s.zf {
		s.r[0], s.r[2] = low, high
		return nil
	}
	if err := s.store(p, s.r[3], size); err != nil {
		return err
	}
	return s.store(p+uint64(size), s.r[1], size)
}

func (s *state) lea(in *instr) error { return s.put(&in.args[1], s.address(&in.args[0]), in.size) }

func (s *state) push(in *instr) error {
	v := s.flags()
	if in.name == "push" {
		var err error
		if v, err = s.get(&in.args[0], in.size); err != nil {
			return err
		}
	}
	s.stack = append(s.stack, v)
	return nil
}

func (s *state) pop(in *instr) error {
	n := len(s.stack) - 1
	if n < 0 {
		return ErrStack
	}
	v := s.stack[n]
	s.stack = s.stack[:n]
	if in.name == "pop" {
		return s.put(&in.args[0], v, in.size)
	}
	s.cf, s.pf, s.zf, s.sf, s.of = v&1 != 0, v&4 != 0, v&0x40 != 0, v&0x80 != 0, v&0x800 != 0
	return nil
}

// flags is the register of flags, of which the second bit and that for interrupts are always set.
func (s *state) flags() uint64 {
	v := uint64(0x202)
	for i, on := range map[int]bool{0: s.cf, 2: s.pf, 6: s.zf, 7: s.sf, 11: s.of} {
		if on {
			v |= 1 << i
		}
	}
	return v
}

func (s *state) scan(in *instr) error {
	v, err := s.get(&in.args[0], in.size)
	if err != nil {
		return err
	}
	width := 8 * int(in.size)
	n := 0
	switch in.name {
	case "bsf", "tzcnt":
		n = min(bits.TrailingZeros64(v), width)
	case "bsr":
		n = 63 - bits.LeadingZeros64(v)
	case "lzcnt":
		n = bits.LeadingZeros64(v) - (64 - width)
	case "popcnt":
		n = bits.OnesCount64(v)
	}
	switch in.name {
	case "bsf", "bsr":
		if s.zf = v == 0; s.zf {
			return nil // the destination is kept
		}
	case "popcnt":
		s.cf, s.of, s.sf, s.pf, s.zf = false, false, false, false, v == 0
	default:
		s.cf, s.zf = v == 0, n == 0
	}
	return s.put(&in.args[1], uint64(n), in.size)
}

// bit is bt, bts, btr and btc. In memory the number counts from the address, as far as a signed number goes.
func (s *state) bit(in *instr) error {
	n, err := s.get(&in.args[0], in.size)
	if err != nil {
		return err
	}
	to := in.args[1]
	width := uint64(8 * in.size)
	if to.kind == memory && in.args[0].kind == register {
		to.off += signed(n, in.size) >> (2 + bits.TrailingZeros64(uint64(in.size)) + 1) * in.size
	}
	n &= width - 1
	v, err := s.get(&to, in.size)
	if err != nil {
		return err
	}
	s.cf = v>>n&1 == 1
	switch in.name {
	case "bts":
		v |= 1 << n
	case "btr":
		v &^= 1 << n
	case "btc":
		v ^= 1 << n
	default:
		return nil
	}
	return s.put(&to, v, in.size)
}

// Given reports whether the word of operand i is an address although the operand is a register: of an output, and of
// what does not fit in a word.
func (c *Code) Given(i int) bool { return i < c.outs || c.ops[i].Size > 8 }
