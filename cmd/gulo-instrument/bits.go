//go:build llvm19

package main

import (
	"math/bits"
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file finds out which bytes of a loaded or stored word count: where a mask is applied, those that it leaves; of
// a bit-field, those that it lies in. The bytes beside them may be loaded though they were never written.

// mostNeeded bounds how far needed follows a value.
const mostNeeded = 12

// all returns a mask of the bits of a number of size bytes.
func all(size uint64) uint64 {
	if size >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*size) - 1
}

// neededOf returns which bytes of a load are looked at: the offset of the first, and how many. It returns none where
// a word with bit-fields is only loaded to be stored again with one of them changed.
func (f *function) neededOf(i llvm.Value) (off, n uint64) {
	size := f.data.TypeStoreSize(i.Type())
	if passedUnion(i) {
		return 0, 1
	}
	if i.Type().TypeKind() != llvm.IntegerTypeKind || size > 8 {
		return 0, size
	}
	m := f.needed(i, mostNeeded) & all(size)
	if m == 0 {
		return 0, 0
	}
	off = uint64(bits.TrailingZeros64(m)) / 8
	return off, uint64(bits.Len64(m)-1)/8 + 1 - off
}

// passedUnion reports whether a load takes a union whole to pass it: of its members only one need be written.
func passedUnion(i llvm.Value) bool {
	p := i.Operand(0)
	if p.IsAAllocaInst().IsNil() || p.AllocatedType().TypeKind() != llvm.StructTypeKind || !strings.HasPrefix(p.AllocatedType().StructName(), "union.") {
		return false
	}
	for u := i.FirstUse(); !u.IsNil(); u = u.NextUse() {
		if x := u.User(); x.IsACallInst().IsNil() || strings.HasPrefix(callee(x).Name(), "llvm.") {
			return false
		}
	}
	return isPointer(i)
}

// needed returns the bits of a number that its uses look at.
func (f *function) needed(v llvm.Value, deep int) (m uint64) {
	if deep == 0 {
		return ^uint64(0)
	}
	for u := v.FirstUse(); !u.IsNil() && m != ^uint64(0); u = u.NextUse() {
		m |= f.neededBy(u.User(), v, deep-1)
	}
	return m
}

func (f *function) neededBy(x, v llvm.Value, deep int) uint64 {
	by := func() (k uint64, ok bool) {
		c := x.Operand(1)
		if c.IsAConstantInt().IsNil() || x.Operand(0) != v || c.Type().IntTypeWidth() > 64 {
			return 0, false
		}
		return c.ZExtValue(), true
	}
	width := func(t llvm.Type) uint64 { return all(uint64(t.IntTypeWidth()+7) / 8) }
	switch {
	case !x.IsAStoreInst().IsNil() && x.Operand(0) == v:
		if _, ok := changed(v); ok && f.samePlace(v, x.Operand(1)) {
			return 0
		}
		return ^uint64(0)
	case !x.IsACallInst().IsNil() && strings.HasPrefix(callee(x).Name(), "llvm.dbg"):
		return 0
	}
	const top = 1 << 63
	switch x.InstructionOpcode() {
	case llvm.And:
		if c, ok := by(); ok {
			return f.needed(x, deep) & c
		}
	case llvm.Or:
		if strings.HasPrefix(x.Name(), "bf.set") {
			return f.needed(x, deep)
		}
	case llvm.LShr, llvm.AShr:
		if k, ok := by(); ok && k < 64 {
			m := f.needed(x, deep) & width(v.Type()) << k
			if x.InstructionOpcode() == llvm.AShr {
				m |= 1 << (v.Type().IntTypeWidth() - 1)
			}
			return m
		}
	case llvm.Shl:
		if k, ok := by(); ok && k < 64 {
			return f.needed(x, deep) & width(v.Type()) >> k
		}
	case llvm.Trunc:
		return f.needed(x, deep) & width(x.Type())
	case llvm.ZExt:
		return f.needed(x, deep) & width(v.Type())
	}
	return ^uint64(0)
}

// changed returns which bits of a word with bit-fields are replaced, and whether v is such a word: clang loads it as
// bf.load, clears some bits (bf.clear) and puts others there (bf.set).
func changed(v llvm.Value) (m uint64, ok bool) {
	switch {
	case v.IsAInstruction().IsNil():
		return 0, false
	case !v.IsALoadInst().IsNil():
		return 0, strings.HasPrefix(v.Name(), "bf.load")
	case v.InstructionOpcode() == llvm.Or && strings.HasPrefix(v.Name(), "bf.set"):
		for k := range 2 {
			if m, ok := changed(v.Operand(k)); ok {
				return m, true
			}
		}
	case v.InstructionOpcode() == llvm.And && strings.HasPrefix(v.Name(), "bf.clear") && !v.Operand(1).IsAConstantInt().IsNil():
		m, ok = changed(v.Operand(0))
		return m | ^v.Operand(1).ZExtValue(), ok
	}
	return 0, false
}

// samePlace reports whether a word with bit-fields was loaded from where it is stored.
func (f *function) samePlace(v, to llvm.Value) bool {
	for v.IsALoadInst().IsNil() {
		next := v.Operand(0)
		if _, ok := changed(next); !ok {
			next = v.Operand(1)
		}
		v = next
	}
	a, from := f.fixed(v.Operand(0))
	b, there := f.fixed(to)
	return a == b && from == there
}

// changedBytes returns which bytes of a word a store changes, without those of bit-fields beside: the offset of the
// first, and how many.
func (f *function) changedBytes(v, to llvm.Value, size uint64) (off, n uint64) {
	m, ok := changed(v)
	if m &= all(size); !ok || m == 0 || size > 8 || !f.samePlace(v, to) {
		return 0, size
	}
	off = uint64(bits.TrailingZeros64(m)) / 8
	return off, uint64(bits.Len64(m)-1)/8 + 1 - off
}
