//go:build llvm19

package main

import (
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file finds the local variables that need a block of their own.

// frame is the variables of a call that have blocks.
type frame struct {
	metas  []llvm.Value // in order
	top    llvm.Value   // how many locals there were before
	unwind bool         // there are variables of unknown number
}

// variables gives variables whose address is used blocks of their own.
func (f *function) variables(list []llvm.Value) {
	f.b.SetInsertPointBefore(f.first)
	fixed := []llvm.Value{}
	for _, i := range list {
		if i.IsAAllocaInst().IsNil() {
			continue
		}
		f.metas[i] = f.c64(0)
		if !f.pinned[i] && !escapes(i) {
			f.local[i] = true
			continue
		}
		if !f.c.Stack {
			continue
		}
		if i.Alignment() < 8 {
			i.SetAlignment(8) // what was written has a bit a byte, and these are set by the eight
		}
		if f.frame.top.IsNil() {
			f.frame.top = f.call(llvm.Value{}, "gulo_locals")
		}
		if !f.heads[i] {
			f.frame.unwind = true
			continue // begun where it stands
		}
		fixed = append(fixed, i)
	}
	for _, v := range fixed {
		name := v.Name()
		if name == "" {
			name = "?"
		}
		size := f.c64(f.data.TypeAllocSize(v.AllocatedType()) * v.Operand(0).ZExtValue())
		f.metas[v] = f.call(llvm.Value{}, "gulo_local", v, size, f.at(f.first, "variable "+name))
		f.frame.metas = append(f.frame.metas, f.metas[v])
	}
}

// dynamic begins a variable of variable length, which lives until the function
// returns or its scope is left.
func (f *function) dynamic(v llvm.Value) {
	if f.local[v] || !f.c.Stack || f.frame.top.IsNil() || f.heads[v] {
		return
	}
	next := llvm.NextInstruction(v)
	f.b.SetInsertPointBefore(next)
	size := f.b.CreateMul(f.c64(f.data.TypeAllocSize(v.AllocatedType())), f.wide(v.Operand(0)), "")
	f.metas[v] = f.call(v, "gulo_local", v, size, f.at(v, "variable "+v.Name()))
}

// endFrame ends the variables of a call.
func (f *function) endFrame(i llvm.Value) {
	if f.frame.top.IsNil() {
		return
	}
	f.b.SetInsertPointBefore(i)
	site := f.at(i, "return")
	if f.frame.unwind {
		f.call(i, "gulo_unwind", f.frame.top, site)
		return
	}
	for k, m := range f.frame.metas {
		f.call(i, "gulo_end_local", m, f.b.CreateAdd(f.frame.top, f.c32(k), ""), site)
	}
	f.call(i, "gulo_end_locals", f.frame.top)
}

// unwound inserts what ends the locals begun between a place and what comes back
// to it: longjmp to setjmp, and the end of a scope with arrays of variable length.
func (f *function) unwound(before, after, at llvm.Value) {
	if !f.c.Stack {
		return
	}
	f.b.SetInsertPointBefore(before)
	top := f.call(at, "gulo_locals")
	f.b.SetInsertPointBefore(after)
	f.call(at, "gulo_unwind", top, f.at(at, "left"))
}

// escapes reports whether a variable's address is used beyond loads and stores at
// fixed places in it.
func escapes(v llvm.Value) bool {
	for u := v.FirstUse(); !u.IsNil(); u = u.NextUse() {
		x := u.User()
		switch {
		case !x.IsALoadInst().IsNil():
		case !x.IsAStoreInst().IsNil():
			if x.Operand(0) == v {
				return true
			}
		case !x.IsAGetElementPtrInst().IsNil():
			for k := 1; k < x.OperandsCount(); k++ {
				if x.Operand(k).IsAConstantInt().IsNil() {
					return true
				}
			}
			if escapes(x) {
				return true
			}
		case !x.IsACallInst().IsNil() && strings.HasPrefix(callee(x).Name(), "llvm.lifetime"):
		default:
			return true
		}
	}
	return false
}

// accessedOutside reports whether a variable is accessed at a constant place that
// is not in it.
func (f *function) accessedOutside(v llvm.Value) bool {
	size := int64(f.data.TypeAllocSize(v.AllocatedType()))
	return f.anyOutside(v, size)
}

func (f *function) anyOutside(v llvm.Value, size int64) bool {
	for u := v.FirstUse(); !u.IsNil(); u = u.NextUse() {
		x := u.User()
		switch {
		case !x.IsALoadInst().IsNil():
			if _, off := f.fixed(x.Operand(0)); off < 0 || off+int64(f.data.TypeStoreSize(x.Type())) > size {
				return true
			}
		case !x.IsAStoreInst().IsNil():
			if _, off := f.fixed(x.Operand(1)); off < 0 || off+int64(f.data.TypeStoreSize(x.Operand(0).Type())) > size {
				return true
			}
		case !x.IsAGetElementPtrInst().IsNil():
			if f.anyOutside(x, size) {
				return true
			}
		}
	}
	return false
}

// unset returns variables that may be read before they are written, so that they
// are kept in memory, where that is seen. Variables are followed by the places in
// them that are accessed.
func (f *function) unset(fn llvm.Value) map[llvm.Value]bool {
	type place struct {
		v        llvm.Value
		off, end int64
	}
	index := map[place]int{}
	of := func(p llvm.Value, size uint64) (place, bool) {
		base, off := f.fixed(p)
		k := place{base, off, off + int64(size)}
		if base.IsAAllocaInst().IsNil() || strings.Contains(base.Name(), "coerce") || base.Name() == "retval" || size > 16 || f.data.TypeAllocSize(base.AllocatedType()) > 256 || escapes(base) {
			return k, false
		}
		if _, ok := index[k]; !ok {
			index[k] = len(index)
		}
		return k, true
	}
	var blocks []llvm.BasicBlock
	for b := fn.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		blocks = append(blocks, b)
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			if !i.IsALoadInst().IsNil() {
				of(i.Operand(0), f.data.TypeStoreSize(i.Type()))
			}
		}
	}
	// written[b] is what is written on every way to the end of b.
	written := map[llvm.BasicBlock]map[place]bool{}
	before := predecessors(fn)
	out := map[llvm.Value]bool{}
	step := func(b llvm.BasicBlock, report bool) map[place]bool {
		now := map[place]bool{}
		for k := range index {
			in := len(before[b]) > 0
			for _, p := range before[b] {
				if w, done := written[p]; done && !w[k] {
					in = false
				}
			}
			if in {
				now[k] = true
			}
		}
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			switch {
			case !i.IsAStoreInst().IsNil():
				base, off := f.fixed(i.Operand(1))
				end := off + int64(f.data.TypeStoreSize(i.Operand(0).Type()))
				for k := range index {
					if k.v == base && off <= k.off && end >= k.end {
						now[k] = true
					}
				}
			case !i.IsALoadInst().IsNil() && report:
				if k, ok := of(i.Operand(0), f.data.TypeStoreSize(i.Type())); ok && !now[k] {
					out[k.v] = true
				}
			}
		}
		return now
	}
	for again := len(index) > 0; again; {
		again = false
		for _, b := range blocks {
			if now := step(b, false); written[b] == nil || len(now) != len(written[b]) {
				written[b], again = now, true
			}
		}
	}
	for _, b := range blocks {
		if len(index) > 0 {
			step(b, true)
		}
	}
	return out
}
