//go:build llvm19

package main

import (
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file instruments loads, stores, returns and what moves memory.

// Opcodes of llvm-c that the binding does not name.
const (
	fence         llvm.Opcode = 55
	atomicCmpXchg llvm.Opcode = 56
	atomicRMW     llvm.Opcode = 57
)

func (f *function) instruction(i llvm.Value) {
	switch {
	case !i.IsAAllocaInst().IsNil():
		f.dynamic(i)
	case !i.IsALoadInst().IsNil():
		f.load(i)
	case !i.IsAStoreInst().IsNil():
		f.store(i)
	case !i.IsAReturnInst().IsNil():
		f.leave(i)
	case !i.IsACallInst().IsNil():
		f.callee(i)
	case i.InstructionOpcode() == atomicRMW, i.InstructionOpcode() == atomicCmpXchg:
		p := i.Operand(0)
		size := f.data.TypeStoreSize(i.Operand(1).Type())
		if f.test(i, p, size, 1) && f.c.Written {
			if !i.FirstUse().IsNil() { // what was there is used
				m := f.metaAt(p, i)
				f.call(i, "gulo_check_written", p, f.c64(size), m, f.from(i, 0, "read"))
			}
			f.b.SetInsertPointBefore(i)
			f.call(i, "gulo_wrote", p, f.c64(size))
		}
	}
}

// test inserts the check of an access, if one is needed. It returns false where whether bytes are written need not be
// tested either: for a variable that only plain loads and stores use, and inside a global variable to which nothing is
// copied.
func (f *function) test(i, p llvm.Value, size uint64, write int) bool {
	base, off := f.fixed(p)
	if f.local[base] {
		return false
	}
	if !base.IsAGlobalVariable().IsNil() && off >= 0 && uint64(off)+size <= f.data.TypeAllocSize(base.GlobalValueType()) {
		return write == 0 && f.copied[base] // inside a global variable
	}
	if !f.late[i] && !base.IsAAllocaInst().IsNil() && !base.Operand(0).IsAConstantInt().IsNil() && off >= 0 &&
		uint64(off)+size <= f.data.TypeAllocSize(base.AllocatedType())*base.Operand(0).ZExtValue() {
		return true // inside a variable of this function
	}
	if f.c.Deref == "" {
		return true
	}
	if f.c.Deref != "always" {
		c, ok := f.read[base]
		if ok && off >= c.from && off+int64(size) <= c.to {
			return true
		}
		if !ok {
			c = checked{off, off + int64(size)}
		}
		f.read[base] = checked{min(c.from, off), max(c.to, off+int64(size))}
	}
	m := f.metaAt(p, i)
	name := map[string]string{"null": "gulo_check_null", "bounds": "gulo_check", "always": "gulo_check_always"}[f.c.Deref]
	if name == "gulo_check" && !m.IsAConstantInt().IsNil() {
		name = "gulo_check_null"
	}
	sure := llvm.Value{}
	if name == "gulo_check" {
		sure = f.sure(i, p, size)
	}
	f.unless(sure, i, name, p, f.c64(size), m, f.from(i, addressOf(i), "used"), f.c32(write))
	return true
}

func (f *function) load(i llvm.Value) {
	p := i.Operand(0)
	size := f.data.TypeStoreSize(i.Type())
	if !f.test(i, p, size, 0) || !f.c.Written || f.init[p] >= size || f.whole(i) {
		return
	}
	off, n := f.neededOf(i)
	if n == 0 {
		return
	}
	sure := f.sureWritten(i, p, size)
	at := func() llvm.Value {
		if off == 0 {
			return p
		}
		return f.b.CreateGEP(f.i8, p, []llvm.Value{f.c64(off)}, "")
	}
	if !f.c.AtRead && !lookedNearby(i, i) {
		f.moves[i] = n == size
		if size <= 8 && (looked(i, map[llvm.Value]bool{}) || strays(i, i, map[llvm.Value]bool{})) {
			m := f.metaAt(p, i)
			f.b.SetInsertPointBefore(after(i))
			f.holes[i] = f.unless(sure, i, "gulo_read", at(), f.c64(n), m, f.from(i, 0, "read"))
		}
		return
	}
	m := f.metaAt(p, i)
	if !f.c.AtRead { // the accesses of the other operands come before the use
		f.b.SetInsertPointBefore(firstUse(i))
	}
	f.unless(sure, i, "gulo_check_written", at(), f.c64(n), m, f.from(i, 0, "read"))
	f.b.SetInsertPointBefore(i)
	if n == size {
		f.init[p] = size
	}
}

func (f *function) store(i llvm.Value) {
	v, p := i.Operand(0), i.Operand(1)
	size := f.data.TypeStoreSize(v.Type())
	checked := f.test(i, p, size, 1)
	base, _ := f.fixed(p)
	if f.c.Meta {
		words, leaves := f.wordsOf(v, i), f.leaves(v.Type())
		for k := 0; len(words) > 0; k++ {
			if !hasWord(leaves[k].t) {
				continue
			}
			at := p
			if leaves[k].off > 0 {
				at = f.b.CreateGEP(f.i8, p, []llvm.Value{f.c64(leaves[k].off)}, "")
			}
			f.call(i, "gulo_store_meta", at, words[0].v, words[0].meta, f.from(i, 0, "stored"))
			words = words[1:]
		}
	}
	if !f.c.Written || f.local[base] || !checked && !base.IsAGlobalVariable().IsNil() && !f.mayBeUnset(base) {
		return
	}
	f.b.SetInsertPointBefore(i)
	bits, part := f.stored[v]
	switch {
	case part:
		f.call(i, "gulo_stored_part", p, f.c64(size), bits)
		delete(f.init, p)
	case f.moves[v] && nearby(v, i):
		m := f.metaAt(v.Operand(0), i)
		f.call(i, "gulo_copied", p, v.Operand(0), f.c64(size), m)
	case f.init[p] < size:
		off, n := f.changedBytes(v, p, size)
		to := p
		if off > 0 {
			to = f.b.CreateGEP(f.i8, p, []llvm.Value{f.c64(off)}, "")
		}
		f.unless(f.sureWritten(i, p, size), i, "gulo_wrote", to, f.c64(n))
		if n == size {
			f.init[p] = size
		}
	}
}

// addressOf tells which operand of an access is the address.
func addressOf(i llvm.Value) int {
	if i.IsAStoreInst().IsNil() {
		return 0
	}
	return 1
}

// frameAddress is the address of the function's frame: two words behind it the frames of its callers begin.
func (f *function) frameAddress(i llvm.Value) llvm.Value {
	const name = "llvm.frameaddress.p0"
	t := llvm.FunctionType(f.ptr, []llvm.Type{f.i32}, false)
	g := f.m.NamedFunction(name)
	if g.IsNil() {
		g = llvm.AddFunction(f.m, name, t)
	}
	c := f.b.CreateCall(t, g, []llvm.Value{f.c32(0)}, "")
	c.InstructionSetDebugLoc(i.InstructionDebugLoc())
	return c
}

func (f *function) leave(i llvm.Value) {
	var v llvm.Value
	if i.OperandsCount() == 1 {
		v = i.Operand(0)
	}
	if n := f.watched[f.name]; n != 0 {
		f.b.SetInsertPointBefore(i)
		f.call(i, "gulo_leave", f.c32(n), f.word(v), f.at(i, "return"), f.frameAddress(i))
	}
	if !v.IsNil() {
		f.returned(v, i)
	}
	f.endFrame(i)
	if f.c.Written && (f.f.Linkage() != llvm.InternalLinkage || addressTaken(f.f)) {
		f.b.SetInsertPointBefore(i)
		f.call(i, "gulo_left_by", f.f)
	}
}

// whole reports whether a load takes a struct, or part of one, as a number in order to pass or return it; there may
// be padding in it. It recognizes such loads of clang by an alignment smaller than the number's size, by variables
// and values named coerce, and by types without a name (nameWhole).
func (f *function) whole(i llvm.Value) bool {
	base, _ := f.fixed(i.Operand(0))
	if k := i.Type().TypeKind(); (k == llvm.IntegerTypeKind || k == llvm.VectorTypeKind) && uint64(i.Alignment()) < f.data.TypeStoreSize(i.Type()) {
		return true
	}
	if strings.Contains(i.Name(), "coerce") || strings.Contains(i.Operand(0).Name(), "coerce") || strings.Contains(base.Name(), "coerce") {
		return true
	}
	return base.Name() == "retval" && !base.IsAAllocaInst().IsNil() && base.AllocatedType().TypeKind() == llvm.StructTypeKind
}

// nameWhole names the loads that whole looks for, before cleanup takes their types away. It also names calls whose
// result is a struct in one word: clang stores such a result to a variable as a whole.
func nameWhole(i llvm.Value) {
	if !i.IsAStoreInst().IsNil() && !i.Operand(0).IsACallInst().IsNil() {
		to := i.Operand(1)
		if !to.IsAAllocaInst().IsNil() && to.AllocatedType().TypeKind() == llvm.StructTypeKind || strings.HasPrefix(to.Name(), "coerce.dive") {
			i.Operand(0).SetName("coerce")
		}
		return
	}
	if i.IsALoadInst().IsNil() || i.Operand(0).IsAGetElementPtrInst().IsNil() {
		return
	}
	if t := i.Operand(0).GEPSourceElementType(); t.TypeKind() == llvm.StructTypeKind && t.StructName() == "" {
		i.SetName("coerce")
	}
}

// addressTaken reports whether a function is used other than by calling it.
func addressTaken(fn llvm.Value) bool {
	for u := fn.FirstUse(); !u.IsNil(); u = u.NextUse() {
		if x := u.User(); x.IsACallInst().IsNil() || callee(x) != fn {
			return true
		}
	}
	return false
}

// firstUse returns the first instruction that uses the value of a load, or bits of it: it stands in the same block, and
// nothing in between stores, calls or loads the same again. Otherwise firstUse returns the load.
func firstUse(load llvm.Value) llvm.Value {
	moved := map[llvm.Value]bool{load: true}
	for i := llvm.NextInstruction(load); !i.IsNil(); i = llvm.NextInstruction(i) {
		for k := range i.OperandsCount() {
			if !moved[i.Operand(k)] {
				continue
			}
			if !takesApart(i) {
				return i
			}
			moved[i] = true
		}
		if !i.IsAStoreInst().IsNil() || !i.IsALoadInst().IsNil() && i.Operand(0) == load.Operand(0) || !i.IsACallInst().IsNil() && !quiet(i) {
			break
		}
	}
	return load
}

// nearby reports whether a load is near the store of its value, with nothing in
// between that could change what was written where it loaded.
func nearby(load, store llvm.Value) bool {
	if load.InstructionParent() != store.InstructionParent() {
		return false
	}
	for i := load; i != store; i = llvm.NextInstruction(i) {
		if i.IsNil() {
			return false
		}
		if i != load && !i.IsAStoreInst().IsNil() {
			return false
		}
		if !i.IsACallInst().IsNil() && !quiet(i) {
			return false
		}
	}
	return true
}

// quiet reports whether a call is of the runtime, or only tells debuggers something.
func quiet(call llvm.Value) bool {
	name := callee(call).Name()
	return strings.HasPrefix(name, "gulo_") || strings.HasPrefix(name, "llvm.dbg")
}

// mayPoint reports whether a number may hold a pointer: it was computed from one, or it was only moved (loaded,
// passed, returned), as members of unions are.
func mayPoint(v llvm.Value) bool {
	switch {
	case !v.IsALoadInst().IsNil(), !v.IsACallInst().IsNil(), !v.IsAExtractValueInst().IsNil():
		return true
	case v.IsAInstruction().IsNil():
		return !v.IsAArgument().IsNil()
	case v.InstructionOpcode() == llvm.PtrToInt:
		return true
	case !v.IsABinaryOperator().IsNil():
		return !v.Operand(1).IsAConstant().IsNil() && v.Operand(0).IsALoadInst().IsNil() && mayPoint(v.Operand(0))
	}
	return false
}
