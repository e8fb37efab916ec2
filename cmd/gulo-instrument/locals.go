//go:build llvm19

package main

import (
	"maps"
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file finds the local variables that need a block of their own.

// frame describes the variables of a call that have blocks.
type frame struct {
	metas  []llvm.Value // their meta words, in order
	top    llvm.Value   // how many locals there were before the call
	unwind bool         // an unknown number of variables begins inside the function
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
		if !f.pinned[i] && !escapes(i) && (f.heads[i] || !f.accessedOutside(i)) {
			f.local[i] = true
			continue
		}
		if !f.c.Stack {
			continue
		}
		if i.Alignment() < 8 {
			i.SetAlignment(8) // which bytes are written is kept in bits, and set for eight bytes at once
		}
		if f.frame.top.IsNil() {
			f.frame.top = f.call(llvm.Value{}, "gulo_locals")
		}
		if !f.heads[i] {
			f.frame.unwind = true
			continue // dynamic begins it where it stands
		}
		fixed = append(fixed, i)
	}
	for _, v := range fixed {
		name := v.Name()
		if name == "" {
			name = "?"
		}
		size := f.c64(f.data.TypeAllocSize(v.AllocatedType()) * v.Operand(0).ZExtValue())
		f.metas[v] = f.call(llvm.Value{}, "gulo_local", v, size, f.at(f.declared(v), "variable "+name))
		f.frame.metas = append(f.frame.metas, f.metas[v])
	}
}

// declared returns an instruction at the place where a variable is declared: the mark of clang that its scope begins,
// or else the first instruction.
func (f *function) declared(v llvm.Value) llvm.Value {
	for u := v.FirstUse(); !u.IsNil(); u = u.NextUse() {
		if x := u.User(); !x.IsACallInst().IsNil() && strings.HasPrefix(callee(x).Name(), "llvm.lifetime.start") && !x.InstructionDebugLoc().IsNil() {
			return x
		}
	}
	return f.first
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
	what := "variable " + v.Name()
	if v.Name() == "" {
		what = "memory of alloca"
	}
	f.metas[v] = f.call(v, "gulo_local_array", v, size, f.at(v, what))
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

// scope ends a variable where its scope is left, and begins it again where the scope is entered again. Clang marks
// both places, which AddressSanitizer goes by, too.
func (f *function) scope(i llvm.Value, name string) {
	v := i.Operand(1)
	if v.IsAAllocaInst().IsNil() || !f.heads[v] || !f.c.Stack || f.local[v] {
		return
	}
	if strings.HasPrefix(name, "llvm.lifetime.end") {
		if f.forget(); !returnsAfter(i) {
			f.b.SetInsertPointBefore(i)
			f.call(i, "gulo_end_scope", f.metas[v], f.at(i, "end of scope"))
		}
		return
	}
	f.init = nothing().init
	for o := f.f.FirstBasicBlock().FirstInstruction(); ; o = llvm.NextInstruction(o) { // no scope was left before: it is as it began with the function
		if o == i {
			return
		}
		if o.IsNil() || !o.IsACallInst().IsNil() && strings.HasPrefix(callee(o).Name(), "llvm.lifetime.end") {
			break
		}
	}
	f.b.SetInsertPointBefore(after(i))
	f.call(i, "gulo_begin_scope", v, f.c64(f.data.TypeAllocSize(v.AllocatedType())*v.Operand(0).ZExtValue()), f.metas[v])
}

// afterEnds finds the loads and stores of variables that may be executed when the scope of the variable has been left and
// not been entered again.
func (f *function) afterEnds(list []llvm.Value) map[llvm.Value]bool {
	out := map[llvm.Value]bool{}
	lifetime := func(i llvm.Value, what string) (llvm.Value, bool) {
		if i.IsACallInst().IsNil() || !strings.HasPrefix(callee(i).Name(), "llvm.lifetime."+what) {
			return llvm.Value{}, false
		}
		return i.Operand(1), true
	}
	seen := map[llvm.Value]map[llvm.BasicBlock]bool{}
	for _, i := range list {
		v, ok := lifetime(i, "end")
		if !ok || v.IsAAllocaInst().IsNil() || f.local[v] {
			continue
		}
		if seen[v] == nil {
			seen[v] = map[llvm.BasicBlock]bool{}
		}
		open := []llvm.Value{llvm.NextInstruction(i)}
		for len(open) > 0 {
			at := open[len(open)-1]
			open = open[:len(open)-1]
			block := at.InstructionParent()
			for ; !at.IsNil(); at = llvm.NextInstruction(at) {
				if w, ok := lifetime(at, "start"); ok && w == v {
					break
				}
				p := llvm.Value{}
				switch {
				case !at.IsALoadInst().IsNil():
					p = at.Operand(0)
				case !at.IsAStoreInst().IsNil():
					p = at.Operand(1)
				}
				if !p.IsNil() {
					if base, _ := f.fixed(p); base == v {
						out[at] = true
					}
				}
			}
			if !at.IsNil() {
				continue
			}
			for _, s := range successors(block) {
				if !seen[v][s] {
					seen[v][s] = true
					open = append(open, s.FirstInstruction())
				}
			}
		}
	}
	return out
}

// returnsAfter reports whether a function does no more than return after an instruction.
func returnsAfter(i llvm.Value) bool {
	for n := 0; n < 100; n++ {
		switch i = llvm.NextInstruction(i); {
		case i.IsNil():
			return false
		case !i.IsAReturnInst().IsNil():
			return true
		case !i.IsABranchInst().IsNil() && i.OperandsCount() == 1:
			i = i.Operand(0).AsBasicBlock().FirstInstruction()
			if i.IsNil() || i.IsAPHINode().IsNil() && i.IsAReturnInst().IsNil() && (i.IsACallInst().IsNil() || !strings.HasPrefix(callee(i).Name(), "llvm.lifetime.end")) {
				return false
			}
			if !i.IsAReturnInst().IsNil() {
				return true
			}
		case !i.IsACallInst().IsNil() && strings.HasPrefix(callee(i).Name(), "llvm.lifetime.end"):
		case !i.IsACallInst().IsNil() && strings.HasPrefix(callee(i).Name(), "gulo_"):
		default:
			return false
		}
	}
	return false
}

// unwound inserts code that ends the locals begun since control passed before, when it comes to after: where longjmp
// leads back to setjmp, and at the end of a scope with arrays of variable length.
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

// accessedOutside reports whether a variable is accessed at a constant place that is not in it; true, too, if its
// size is not known.
func (f *function) accessedOutside(v llvm.Value) bool {
	if v.Operand(0).IsAConstantInt().IsNil() {
		return true
	}
	return f.anyOutside(v, int64(f.data.TypeAllocSize(v.AllocatedType())*v.Operand(0).ZExtValue()))
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

// unset returns the variables that may be read before they are written, and the loads that do so; the variables are kept in
// memory, where such a read is
// seen. For each variable, unset follows which bytes are written on all ways. Words of a struct that another function
// gives do not count as written, since that function may not have written them.
func (f *function) unset(fn llvm.Value) (vars map[llvm.Value]bool, reads []llvm.Value) {
	open := map[llvm.Value]bytes{} // variables that are followed, with the bytes that are no padding
	for i := fn.FirstBasicBlock().FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
		if !i.IsAAllocaInst().IsNil() && f.followed(i) {
			var data bytes
			for _, l := range f.leaves(i.AllocatedType()) {
				data.add(int64(l.off), f.data.TypeStoreSize(l.t))
			}
			open[i] = data
		}
	}
	var blocks []llvm.BasicBlock
	for b := fn.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		blocks = append(blocks, b)
	}
	before := predecessors(fn)
	written := map[llvm.BasicBlock]map[llvm.Value]bytes{} // at the end of blocks
	vars = map[llvm.Value]bool{}
	step := func(b llvm.BasicBlock, report bool) map[llvm.Value]bytes {
		now := map[llvm.Value]bytes{}
		for v, data := range open {
			in := data
			if len(before[b]) == 0 {
				in = bytes{}
			}
			for _, p := range before[b] {
				if w, done := written[p]; done {
					in = in.and(w[v])
				}
			}
			now[v] = in
		}
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			switch {
			case !i.IsAStoreInst().IsNil():
				base, off := f.fixed(i.Operand(1))
				if _, ok := open[base]; ok && !ofStruct(i.Operand(0)) {
					w := now[base]
					w.add(off, f.data.TypeStoreSize(i.Operand(0).Type()))
					now[base] = w.and(open[base])
				}
			case !i.IsALoadInst().IsNil() && report:
				base, off := f.fixed(i.Operand(0))
				if data, ok := open[base]; ok {
					var read bytes
					read.add(off, f.data.TypeStoreSize(i.Type()))
					if read = read.and(data); read.and(now[base]) != read {
						vars[base], reads = true, append(reads, i)
					}
				}
			}
		}
		return now
	}
	for again := len(open) > 0; again; {
		again = false
		for _, b := range blocks {
			if now := step(b, false); written[b] == nil || !maps.Equal(now, written[b]) {
				written[b], again = now, true
			}
		}
	}
	for _, b := range blocks {
		if len(open) > 0 {
			step(b, true)
		}
	}
	return vars, reads
}

// followed reports whether unset follows a variable: one of at most 256 bytes whose address does not escape, and none
// that clang made to pass a value.
func (f *function) followed(v llvm.Value) bool {
	t := v.AllocatedType()
	if strings.Contains(v.Name(), "coerce") || v.Name() == "retval" && t.TypeKind() != llvm.StructTypeKind || v.Operand(0).IsAConstantInt().IsNil() || v.Operand(0).ZExtValue() != 1 {
		return false
	}
	return f.data.TypeAllocSize(t) <= 64*uint64(len(bytes{})) && !escapes(v)
}

// bytes is a set of the bytes of a small variable.
type bytes [4]uint64

func (b *bytes) add(off int64, n uint64) {
	for k := max(off, 0); k < off+int64(n) && k < int64(64*len(b)); k++ {
		b[k/64] |= 1 << (k % 64)
	}
}

func (b bytes) and(o bytes) bytes {
	for k := range b {
		b[k] &= o[k]
	}
	return b
}

// expandAlloca makes room on the stack where alloca is called. Clang does it for the macro of alloca.h; a program that
// declares the function itself would not link, as there is none.
func expandAlloca(ctx llvm.Context, m llvm.Module) {
	f := m.NamedFunction("alloca")
	if f.IsNil() || !f.IsDeclaration() {
		return
	}
	b := ctx.NewBuilder()
	defer b.Dispose()
	var calls []llvm.Value
	for u := f.FirstUse(); !u.IsNil(); u = u.NextUse() {
		c := u.User()
		if !c.IsACallInst().IsNil() && callee(c) == f && c.OperandsCount() == 2 && isPointer(c) && c.Operand(0).Type().TypeKind() == llvm.IntegerTypeKind {
			calls = append(calls, c)
		}
	}
	for _, c := range calls {
		b.SetInsertPointBefore(c)
		room := b.CreateArrayAlloca(ctx.Int8Type(), c.Operand(0), "")
		room.SetAlignment(16)
		room.InstructionSetDebugLoc(c.InstructionDebugLoc())
		c.ReplaceAllUsesWith(room)
		c.EraseFromParentAsInstruction()
	}
}
