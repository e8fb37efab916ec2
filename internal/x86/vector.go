package x86

import (
	"bytes"
	"encoding/binary"
	"math"
)

// This file executes instructions on the registers xmm.

var vectors = map[string]form{}

func init() {
	for name, size := range map[string]int64{
		"movdqa": 16, "movdqu": 16, "movaps": 16, "movups": 16, "movapd": 16, "movupd": 16, "lddqu": 16, "movntdq": 16, "movss": 4, "movsd": 8, "movd": 4,
	} {
		vectors[name] = form{2, 2, moveVector(size)}
	}
	vectors["movq"] = form{2, 2, func(s *state, in *instr) error {
		if in.args[0].kind != vector && in.args[1].kind != vector {
			in.size = 8
			return s.move(in)
		}
		return moveVector(8)(s, in)
	}}
	for _, p := range []string{"pxor", "xorps", "xorpd"} {
		vectors[p] = lanes(8, func(a, b uint64) uint64 { return a ^ b })
	}
	for _, p := range []string{"por", "orps", "orpd"} {
		vectors[p] = lanes(8, func(a, b uint64) uint64 { return a | b })
	}
	for _, p := range []string{"pand", "andps", "andpd"} {
		vectors[p] = lanes(8, func(a, b uint64) uint64 { return a & b })
	}
	for _, p := range []string{"pandn", "andnps", "andnpd"} {
		vectors[p] = lanes(8, func(a, b uint64) uint64 { return ^a & b })
	}
	for i, letter := range []string{"b", "w", "d", "q"} {
		size := int64(1) << i
		vectors["padd"+letter] = lanes(size, func(a, b uint64) uint64 { return a + b })
		vectors["psub"+letter] = lanes(size, func(a, b uint64) uint64 { return a - b })
		if i < 3 {
			vectors["pcmpeq"+letter] = lanes(size, func(a, b uint64) uint64 { return choose(a == b, ^uint64(0), 0) })
			vectors["pcmpgt"+letter] = lanes(size, func(a, b uint64) uint64 { return choose(signed(a, size) > signed(b, size), ^uint64(0), 0) })
		}
	}
	for name, f := range map[string]func(a, b float64) float64{
		"add": func(a, b float64) float64 { return a + b }, "sub": func(a, b float64) float64 { return a - b }, "mul": func(a, b float64) float64 { return a * b },
		"div": func(a, b float64) float64 { return a / b }, "sqrt": func(_, b float64) float64 { return math.Sqrt(b) },
		"min": func(a, b float64) float64 { return choose(a < b, a, b) }, "max": func(a, b float64) float64 { return choose(a > b, a, b) },
	} {
		double := func(a, b uint64) uint64 { return math.Float64bits(f(math.Float64frombits(a), math.Float64frombits(b))) }
		single := func(a, b uint64) uint64 {
			return uint64(math.Float32bits(float32(f(float64(math.Float32frombits(uint32(a))), float64(math.Float32frombits(uint32(b)))))))
		}
		vectors[name+"ss"], vectors[name+"sd"] = first(4, single), first(8, double)
		vectors[name+"ps"], vectors[name+"pd"] = lanes(4, single), lanes(8, double)
	}
	vectors["pmovmskb"] = form{2, 2, func(s *state, in *instr) error {
		v, err := s.vector(&in.args[0], 16)
		m := uint64(0)
		for i, b := range v {
			m |= uint64(b>>7) << i
		}
		if err != nil || in.args[1].kind != register {
			return err
		}
		return s.put(&in.args[1], m, 4)
	}}
}

func choose[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

// vector reads an operand; of a general register and a constant the bytes above it are zero.
func (s *state) vector(a *arg, size int64) (v [16]byte, err error) {
	switch a.kind {
	case vector:
		return s.x[a.reg], nil
	case memory:
		err = s.env.Load(s.address(a), v[:size])
	default:
		var w uint64
		w, err = s.get(a, min(size, 8))
		binary.LittleEndian.PutUint64(v[:], w)
	}
	return v, err
}

// moveVector moves a number of bytes. Those above are cleared, but kept by movss and movsd between registers.
func moveVector(size int64) action {
	return func(s *state, in *instr) error {
		v, err := s.vector(&in.args[0], size)
		if err != nil {
			return err
		}
		switch to := &in.args[1]; to.kind {
		case vector:
			x := &s.x[to.reg]
			if kept := bytes.Clone(x[size:]); in.args[0].kind == vector && (in.name == "movss" || in.name == "movsd") {
				copy(v[size:], kept)
			} else {
				clear(v[size:])
			}
			*x = v
			return nil
		case memory:
			return s.env.Store(s.address(to), v[:size])
		default:
			return s.put(to, binary.LittleEndian.Uint64(v[:]), size)
		}
	}
}

// lanes is an operation on all lanes of a size; the first operand of f is the destination.
func lanes(size int64, f func(a, b uint64) uint64) form { return across(size, 16, f) }

// first is an operation on the lowest lane.
func first(size int64, f func(a, b uint64) uint64) form { return across(size, size, f) }

func across(size, all int64, f func(a, b uint64) uint64) form {
	return form{2, 2, func(s *state, in *instr) error {
		b, err := s.vector(&in.args[0], all)
		if err != nil {
			return err
		}
		x := &s.x[in.args[1].reg]
		lane := func(v []byte) uint64 {
			var w [8]byte
			copy(w[:], v[:size])
			return binary.LittleEndian.Uint64(w[:])
		}
		for i := int64(0); i < all; i += size {
			v := binary.LittleEndian.AppendUint64(nil, f(lane(x[i:]), lane(b[i:])))
			copy(x[i:i+size], v[:size])
		}
		return nil
	}}
}
