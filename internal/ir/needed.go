package ir

import (
	"math/bits"

	"gulo/internal/ctype"
)

// FindNeeded sets NeedOff and NeedLen of every integer load that is used only in part: those bytes that a mask, a shift
// or a narrowing conversion keeps. The other bytes may be uninitialized. A value that is used outside its basic block
// counts as used in full.
func (f *Func) FindNeeded() {
	uses := make([]int32, f.NumRegs)
	f.eachUse(func(r Reg) { uses[r]++ })
	n := needs{f: f, uses: uses, consts: map[Reg]ctype.Word{}}
	for _, c := range f.Consts {
		n.consts[c.Reg] = c.Value
	}
	for _, b := range f.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			if in.Op != Load || in.T.Size < 2 || in.T.Size > 8 || in.T.Kind != ctype.Int || in.Dst == NoReg {
				continue
			}
			all := onesOf(in.T)
			if m := n.of(b, i, in.Dst, mostNeeded) & all; m != all && m != 0 {
				off := bits.TrailingZeros64(m) / 8
				in.NeedOff, in.NeedLen = uint8(off), uint8((bits.Len64(m)-1)/8+1-off)
			}
		}
	}
}

// eachUse calls do for every register that is read.
func (f *Func) eachUse(do func(Reg)) {
	for _, b := range f.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].reads(do)
		}
	}
}

func (in *Instr) reads(do func(Reg)) {
	for _, r := range []Reg{in.A, in.B} {
		if r != NoReg {
			do(r)
		}
	}
	if in.CallX != nil {
		for _, r := range in.CallX.Args {
			if r != NoReg {
				do(r)
			}
		}
	}
}

// mostNeeded bounds how many instructions deep a value is followed.
const mostNeeded = 6

// needs finds out which bits of registers are looked at.
type needs struct {
	f      *Func
	uses   []int32
	consts map[Reg]ctype.Word
}

const everyBit = ^uint64(0)

func onesOf(t *ctype.Type) uint64 {
	if t.Size >= 8 {
		return everyBit
	}
	return 1<<(8*t.Size) - 1
}

// of returns the bits of register r that are used, when instruction i of block b sets it. These are all bits if r is
// used outside b.
func (n *needs) of(b *Block, i int, r Reg, deep int) (m uint64) {
	seen := int32(0)
	for k := i + 1; k < len(b.Instrs) && seen < n.uses[r]; k++ {
		in := &b.Instrs[k]
		used := int32(0)
		in.reads(func(x Reg) {
			if x == r {
				used++
			}
		})
		if used > 0 {
			m |= n.by(b, k, in, r, deep)
			seen += used
		}
	}
	if seen < n.uses[r] {
		return everyBit
	}
	return m
}

// by returns the bits of a register that an instruction looks at.
func (n *needs) by(b *Block, k int, in *Instr, r Reg, deep int) uint64 {
	if deep == 0 || in.Dst == NoReg || in.T == nil || in.T.Kind != ctype.Int || in.T.Size > 8 {
		return everyBit
	}
	after := func() uint64 { return n.of(b, k, in.Dst, deep-1) }
	switch {
	case in.Op == Conv && in.T2 != nil && in.T2.Kind == ctype.Int && in.T2.Size <= 8 && in.T2.Bits == 0 && in.T.Bits == 0:
		to := onesOf(in.T2)
		m := after()
		if in.T.Signed && in.T2.Size > in.T.Size { // the sign bit is copied into every added bit
			from := onesOf(in.T)
			if m&^from != 0 {
				m |= from + 1>>1
			}
			return m & from
		}
		return m & to & onesOf(in.T)
	case in.Op != Bin || in.A == in.B || in.T.Bits > 0:
		return everyBit
	case in.BinOp == ctype.And:
		other := in.A
		if other == r {
			other = in.B
		}
		if c, ok := n.consts[other]; ok {
			return uint64(c) & after()
		}
	case in.A == r && (in.BinOp == ctype.Shl || in.BinOp == ctype.Shr):
		c, ok := n.consts[in.B]
		if !ok || c >= 64 {
			return everyBit
		}
		all := onesOf(in.T)
		if in.BinOp == ctype.Shl {
			return after() & all >> c
		}
		m := after() & all << c & all
		if in.T.Signed {
			m |= (all + 1) >> 1
			if all == everyBit {
				m |= 1 << 63
			}
		}
		return m
	}
	return everyBit
}
