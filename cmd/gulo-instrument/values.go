//go:build llvm19

package main

import (
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file follows values that were never written from where they are loaded to
// where they are used; only there they are an error. Beside such a value goes a
// number, 0 when it was written, otherwise that of a note which the runtime took
// when it was loaded.

// looked reports whether a value is used for more than being stored, passed
// through joins or taken apart.
func looked(v llvm.Value, seen map[llvm.Value]bool) bool {
	if seen[v] || strings.Contains(v.Name(), "coerce") {
		return false
	}
	seen[v] = true
	for u := v.FirstUse(); !u.IsNil(); u = u.NextUse() {
		if x := u.User(); looksAt(x, v) || carries(x, v) && looked(x, seen) {
			return true
		}
	}
	return false
}

// lookedNearby reports whether a value, or bits of it, is used in the block and the line where it is loaded: then the
// check can be made there.
func lookedNearby(v, load llvm.Value) bool {
	if strings.Contains(v.Name(), "coerce") {
		return false
	}
	for u := v.FirstUse(); !u.IsNil(); u = u.NextUse() {
		x := u.User()
		if x.IsAInstruction().IsNil() || x.InstructionParent() != load.InstructionParent() || !x.IsAPHINode().IsNil() {
			continue
		}
		if to := usedAt(x, 0); looksAt(x, v) && (to.IsNil() || lineOf(to) == lineOf(load)) || takesApart(x) && lookedNearby(x, load) {
			return true
		}
	}
	return false
}

// usedAt returns an instruction whose place is that of a use of a value by i: i itself, or where i has no place, one
// that uses its result; nil if there is none.
func usedAt(i llvm.Value, deep int) llvm.Value {
	if !i.InstructionDebugLoc().IsNil() {
		return i
	}
	for u := i.FirstUse(); !u.IsNil() && deep < mostUses; u = u.NextUse() {
		if x := u.User(); !x.IsAInstruction().IsNil() {
			if to := usedAt(x, deep+1); !to.IsNil() {
				return to
			}
		}
	}
	return llvm.Value{}
}

// mostUses bounds how far usedAt looks.
const mostUses = 4

func lineOf(i llvm.Value) uint {
	if l := i.InstructionDebugLoc(); !l.IsNil() {
		return l.LocationLine()
	}
	return 0
}

// strays reports whether a value is stored away from its load, so that the bytes that it was loaded from may have
// been written since, or is stored after a join.
func strays(v, load llvm.Value, seen map[llvm.Value]bool) bool {
	if seen[v] || strings.Contains(v.Name(), "coerce") {
		return false
	}
	seen[v] = true
	for u := v.FirstUse(); !u.IsNil(); u = u.NextUse() {
		x := u.User()
		if !x.IsAStoreInst().IsNil() && x.Operand(0) == v && (v != load || !nearby(load, x)) || carries(x, v) && strays(x, load, seen) {
			return true
		}
	}
	return false
}

// carries reports whether the result of x may be v, one of its operands, or bits of it.
func carries(x, v llvm.Value) bool {
	return !x.IsAPHINode().IsNil() || !x.IsASelectInst().IsNil() && x.Operand(0) != v || takesApart(x)
}

// replaced are calls of the runtime that stand for the program's own.
var replaced = func() map[string]bool {
	out := map[string]bool{"gulo_index": true, boundMark: true, "gulo_scan": true, "gulo_vscan": true, "gulo_room": true}
	for _, r := range replacements {
		out[r.name] = true
	}
	return out
}()

func looksAt(x, v llvm.Value) bool {
	switch {
	case !x.IsAStoreInst().IsNil():
		return x.Operand(1) == v
	case !x.IsACallInst().IsNil():
		n := callee(x).Name()
		return replaced[n] || !strings.HasPrefix(n, "gulo_") && !strings.HasPrefix(n, "llvm.dbg") && !strings.HasPrefix(n, "llvm.lifetime")
	}
	return !carries(x, v)
}

// takesApart reports whether an instruction only moves bits.
func takesApart(x llvm.Value) bool {
	switch x.InstructionOpcode() {
	case llvm.Trunc, llvm.ZExt, llvm.SExt, llvm.BitCast, llvm.PtrToInt, llvm.IntToPtr:
		return true
	case llvm.LShr, llvm.Shl, llvm.Or, llvm.And:
		return !x.Operand(1).IsAConstantInt().IsNil() || x.InstructionOpcode() == llvm.Or
	}
	return false
}

// hole returns the number of the note that goes beside a value; nil when there is none.
func (f *function) hole(v llvm.Value) llvm.Value {
	if h, ok := f.holes[v]; ok {
		return h
	}
	none := llvm.Value{}
	f.holes[v] = none
	if v.IsAInstruction().IsNil() || strings.Contains(v.Name(), "coerce") || !f.fromLoad(v, map[llvm.Value]bool{}) {
		return none
	}
	or0 := func(v llvm.Value) llvm.Value {
		if h := f.hole(v); !h.IsNil() {
			return h
		}
		return f.c32(0)
	}
	switch {
	case !v.IsAPHINode().IsNil():
		f.b.SetInsertPointBefore(v)
		p := f.b.CreatePHI(f.i32, "")
		f.holes[v] = p
		for k := 0; k < v.IncomingCount(); k++ {
			p.AddIncoming([]llvm.Value{or0(v.IncomingValue(k))}, []llvm.BasicBlock{v.IncomingBlock(k)})
		}
	case !v.IsASelectInst().IsNil():
		a, c := or0(v.Operand(1)), or0(v.Operand(2))
		f.b.SetInsertPointBefore(v)
		f.holes[v] = f.b.CreateSelect(v.Operand(0), a, c, "")
	case v.InstructionOpcode() == llvm.Or:
		a, c := or0(v.Operand(0)), or0(v.Operand(1))
		f.b.SetInsertPointBefore(v)
		f.holes[v] = f.b.CreateSelect(f.b.CreateICmp(llvm.IntNE, a, f.c32(0), ""), a, c, "")
	default:
		f.holes[v] = f.hole(v.Operand(0))
	}
	return f.holes[v]
}

// fromLoad reports whether a value may come from a load that a note is taken of.
func (f *function) fromLoad(v llvm.Value, seen map[llvm.Value]bool) bool {
	if h := f.holes[v]; !h.IsNil() {
		return true
	}
	if seen[v] || v.IsAInstruction().IsNil() || v.IsAPHINode().IsNil() && v.IsASelectInst().IsNil() && !takesApart(v) {
		return false
	}
	seen[v] = true
	for k := 0; k < v.OperandsCount(); k++ {
		if (k > 0 || v.IsASelectInst().IsNil()) && f.fromLoad(v.Operand(k), seen) {
			return true
		}
	}
	return false
}

// values inserts checks where values are used that may never have been written.
func (f *function) values() {
	var list []llvm.Value
	for b := f.f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			list = append(list, i)
		}
	}
	var block llvm.BasicBlock
	done := map[llvm.Value]bool{} // in the present block
	for _, i := range list {
		if b := i.InstructionParent(); b != block {
			block, done = b, map[llvm.Value]bool{}
		}
		if i.IsAPHINode().IsNil() && i.IsAAllocaInst().IsNil() && !f.ours[i] {
			f.operands(i, done)
		}
	}
}

// head returns the place at which to ask for a note that instruction i uses: before everything that was inserted in
// front of i, but after the note itself.
func (f *function) head(i, note llvm.Value) llvm.Value {
	before, ok := f.after[i]
	if !ok {
		return i
	}
	at := i.InstructionParent().FirstInstruction()
	if !before.IsNil() {
		at = llvm.NextInstruction(before)
	}
	for x := at; x != i; x = llvm.NextInstruction(x) {
		if x == note || !x.IsAPHINode().IsNil() {
			at = llvm.NextInstruction(x)
		}
	}
	return at
}

func (f *function) operands(i llvm.Value, done map[llvm.Value]bool) {
	n := i.OperandsCount()
	if !i.IsACallInst().IsNil() {
		n--
	}
	for k := 0; k < n; k++ {
		v := i.Operand(k)
		if v.IsAInstruction().IsNil() {
			continue
		}
		h := f.hole(v)
		if h.IsNil() || done[h] {
			continue
		}
		switch {
		case looksAt(i, v):
			site := llvm.ConstNull(f.ptr)
			if to := usedAt(i, 0); !to.IsNil() && (i.IsAReturnInst().IsNil() || v.IsAPHINode().IsNil() && v.IsASelectInst().IsNil()) { // a joined value may come from any of several return statements
				site = f.at(to, "used")
			}
			f.b.SetInsertPointBefore(f.head(i, h))
			f.call(i, "gulo_used", h, site)
			done[h] = true
		case !i.IsAStoreInst().IsNil() && !(f.moves[v] && nearby(v, i)):
			f.b.SetInsertPointBefore(llvm.NextInstruction(i))
			f.call(i, "gulo_spread", h, i.Operand(1), f.c64(f.data.TypeStoreSize(v.Type())))
		}
	}
}
