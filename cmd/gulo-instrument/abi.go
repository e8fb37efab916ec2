//go:build llvm19

package main

import (
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file carries what is known of values through calls, in every way in which the ABI passes them (System V ABI
// for x86-64, 3.2.3 and 3.5.7): words in registers and on the stack, structs and unions as words or as copies in
// memory, results of two registers, and variable arguments.
//
// Meta words lie in slots, in the order of the words. A slot also holds the word that it describes, and it counts
// only while the receiver finds that same word. Which bytes of a struct were never written is passed together with
// the address of the function that it is meant for, since the word alone does not show whether it is still the same.

// Bounds that gulo.h has, too.
const (
	slots      = 64 // GULO_SLOTS
	partsTold  = 8  // arguments whose unwritten bytes are passed on
	copied     = 4  // GULO_COPIED
	registers  = 6  // GULO_REGISTERS
	listSlots  = 70 // GULO_LIST
	floatRoom  = 8  // registers for floating point
	wordBytes  = 8
	mostResult = 2 // words of a result, at most
)

// leaf is a scalar in a value, which may be a struct of them.
type leaf struct {
	t    llvm.Type
	off  uint64
	path []int
}

// leaves lists the scalars of a type, in order.
func (x *module) leaves(t llvm.Type) (out []leaf) {
	inner := func(k int, e llvm.Type, off uint64) {
		for _, l := range x.leaves(e) {
			out = append(out, leaf{l.t, off + l.off, append([]int{k}, l.path...)})
		}
	}
	switch t.TypeKind() {
	case llvm.StructTypeKind:
		for k, e := range t.StructElementTypes() {
			inner(k, e, x.data.ElementOffset(t, k))
		}
	case llvm.ArrayTypeKind:
		for k := range t.ArrayLength() {
			inner(k, t.ElementType(), uint64(k)*x.data.TypeAllocSize(t.ElementType()))
		}
	default:
		out = []leaf{{t: t}}
	}
	return out
}

// isAggregate reports whether a value is a struct or an array.
func isAggregate(v llvm.Value) bool {
	k := v.Type().TypeKind()
	return k == llvm.StructTypeKind || k == llvm.ArrayTypeKind
}

// hasWord reports whether a scalar of a type may hold a pointer.
func hasWord(t llvm.Type) bool {
	return t.TypeKind() == llvm.PointerTypeKind || t.TypeKind() == llvm.IntegerTypeKind && t.IntTypeWidth() == 64
}

// under returns the index of the first leaf that a path of indices into a type leads to, and the number of leaves
// there.
func (x *module) under(t llvm.Type, path []uint32) (first, n int) {
	for _, k := range path {
		e := t
		if t.TypeKind() == llvm.StructTypeKind {
			for i, s := range t.StructElementTypes() {
				if e = s; i == int(k) {
					break
				}
				first += len(x.leaves(s))
			}
		} else {
			e = t.ElementType()
			first += int(k) * len(x.leaves(e))
		}
		t = e
	}
	return first, len(x.leaves(t))
}

// part is a scalar of a value, computed where the builder stands.
func (f *function) part(v llvm.Value, l leaf) llvm.Value {
	for _, k := range l.path {
		v = f.b.CreateExtractValue(v, k, "")
	}
	return v
}

// parts returns the meta words of a struct's scalars, computed where it is made.
func (f *function) parts(v llvm.Value) []llvm.Value {
	if out, ok := f.aggregates[v]; ok {
		return out
	}
	list := f.leaves(v.Type())
	out := make([]llvm.Value, len(list))
	for k := range out {
		out[k] = f.c64(0)
	}
	f.aggregates[v] = out
	if v.IsAInstruction().IsNil() {
		return out
	}
	words := 0
	of := func(name string, args func(l leaf) []llvm.Value) {
		f.b.SetInsertPointBefore(after(v))
		for k, l := range list {
			if hasWord(l.t) {
				out[k] = f.call(v, name, args(l)...)
				if words++; name == "gulo_get_result" {
					name = "gulo_get_second"
				} else if words == mostResult && name == "gulo_get_second" {
					return
				}
			}
		}
	}
	switch {
	case !v.IsALoadInst().IsNil():
		of("gulo_load_meta", func(l leaf) []llvm.Value {
			return []llvm.Value{f.b.CreateGEP(f.i8, v.Operand(0), []llvm.Value{f.c64(l.off)}, ""), f.part(v, l)}
		})
	case !v.IsACallInst().IsNil():
		of("gulo_get_result", func(l leaf) []llvm.Value { return []llvm.Value{f.part(v, l)} })
	case !v.IsAInsertValueInst().IsNil():
		copy(out, f.parts(v.Operand(0)))
		first, n := f.under(v.Type(), v.Indices())
		if in := v.Operand(1); isAggregate(in) {
			copy(out[first:first+n], f.parts(in))
		} else {
			out[first] = f.metaAt(in, v)
		}
	case !v.IsAExtractValueInst().IsNil():
		first, n := f.under(v.Operand(0).Type(), v.Indices())
		copy(out, f.parts(v.Operand(0))[first:first+n])
	case !v.IsASelectInst().IsNil():
		a, c := f.parts(v.Operand(1)), f.parts(v.Operand(2))
		f.b.SetInsertPointBefore(v)
		for k := range out {
			out[k] = f.b.CreateSelect(v.Operand(0), a[k], c[k], "")
		}
	case !v.IsAPHINode().IsNil():
		f.b.SetInsertPointBefore(v)
		for k := range out {
			out[k] = f.b.CreatePHI(f.i64, "")
		}
		for n := range v.IncomingCount() {
			for k, m := range f.parts(v.IncomingValue(n)) {
				out[k].AddIncoming([]llvm.Value{m}, []llvm.BasicBlock{v.IncomingBlock(n)})
			}
		}
	}
	return out
}

// word is a scalar of a value that may hold a pointer, with its meta word.
type word struct{ v, meta llvm.Value }

// wordsOf returns the words of a value that may hold a pointer, computed in front of an instruction.
func (f *function) wordsOf(v, i llvm.Value) (out []word) {
	switch {
	case isAggregate(v):
		metas := f.parts(v)
		f.b.SetInsertPointBefore(i)
		for k, l := range f.leaves(v.Type()) {
			if hasWord(l.t) {
				out = append(out, word{f.part(v, l), metas[k]})
			}
		}
	case isPointer(v), isWord(v) && mayPoint(v):
		out = []word{{v, f.metaAt(v, i)}}
	}
	return out
}

// returned tells the caller what is known of a result.
func (f *function) returned(v, i llvm.Value) {
	if f.c.Meta {
		list := f.wordsOf(v, i)
		name := "gulo_set_result"
		for _, w := range list[:min(len(list), mostResult)] {
			f.call(i, name, w.v, w.meta, f.from(i, 0, "returned"))
			name = "gulo_set_second"
		}
	}
	if bits := f.bitsOf(v); !bits.IsNil() {
		f.b.SetInsertPointBefore(i)
		f.call(i, "gulo_result_by", f.f, bits)
	}
}

// bitsOf returns which bytes of a struct were never written, a bit a byte, when the struct was loaded as one or two
// words; it is computed right after the load. It returns nil for other values, and where the memory is of no known
// block.
func (f *function) bitsOf(v llvm.Value) llvm.Value {
	none := llvm.Value{}
	if bits, ok := f.stored[v]; ok {
		return bits // a parameter or a result
	}
	if f.c.Written && !v.IsAInsertValueInst().IsNil() {
		return f.insertedBits(v)
	}
	if !f.c.Written || v.IsALoadInst().IsNil() || !f.whole(v) && !isAggregate(v) {
		return none
	}
	p, size := v.Operand(0), f.data.TypeStoreSize(v.Type())
	if base, _ := f.fixed(p); f.local[base] || size > wordBytes*mostResult {
		return none
	}
	if bits, ok := f.bits[v]; ok {
		return bits
	}
	f.bits[v] = none
	if m := f.metaAt(p, v); m != f.c64(0) {
		f.b.SetInsertPointBefore(after(v))
		bits := f.c64(0)
		for off := uint64(0); off < size; off += wordBytes {
			at := f.b.CreateGEP(f.i8, p, []llvm.Value{f.c64(off)}, "")
			b := f.call(v, "gulo_part_bits", at, f.c64(min(wordBytes, size-off)), m)
			bits = f.b.CreateOr(bits, f.b.CreateShl(b, f.c64(off), ""), "") // a bit a byte
		}
		f.bits[v] = bits
	}
	return f.bits[v]
}

// insertedBits is bitsOf for a struct that is put together by insertvalue.
func (f *function) insertedBits(v llvm.Value) llvm.Value {
	if bits, ok := f.bits[v]; ok {
		return bits
	}
	bits, part := f.bitsOf(v.Operand(0)), f.bitsOf(v.Operand(1))
	if !part.IsNil() {
		first, _ := f.under(v.Type(), v.Indices())
		f.b.SetInsertPointBefore(after(v))
		part = f.b.CreateAnd(part, f.c64(1<<f.data.TypeStoreSize(v.Operand(1).Type())-1), "")
		if part = f.b.CreateShl(part, f.c64(f.leaves(v.Type())[first].off), ""); bits.IsNil() {
			bits = part
		} else {
			bits = f.b.CreateOr(bits, part, "")
		}
	}
	f.bits[v] = bits
	return bits
}

// ofStruct reports whether a value is a struct, or words of a struct, that is a parameter or the result of a call. It
// goes by the names that clang gives to parameters and nameWhole to results.
func ofStruct(v llvm.Value) bool {
	switch {
	case !v.IsAExtractValueInst().IsNil():
		return ofStruct(v.Operand(0))
	case !v.IsACallInst().IsNil():
		return isAggregate(v) || strings.HasPrefix(v.Name(), "coerce")
	}
	return !v.IsAArgument().IsNil() && strings.Contains(v.Name(), ".coerce")
}

// arguments receives what the caller knows of the arguments. It also reports the call when rules watch the function.
func (f *function) arguments() {
	f.b.SetInsertPointBefore(f.first)
	k, copies, told := 0, 0, false
	byval := llvm.AttributeKindID("byval")
	for n, a := range f.f.Params() {
		if t := f.f.GetEnumAttributeAtIndex(n+1, byval); !t.IsNil() {
			f.byValue(a, f.data.TypeAllocSize(t.GetTypeValue()), copies)
			told = told || copies < copied
			copies++
			continue
		}
		if f.c.Written && n < partsTold && ofStruct(a) {
			told = true
		}
		if !hasWord(a.Type()) {
			continue
		}
		f.metas[a] = f.c64(0)
		if f.c.Meta && k < slots {
			f.metas[a] = f.call(llvm.Value{}, "gulo_get_arg", f.c32(k), a)
		}
		k++
	}
	if told && f.c.Written {
		bits := f.call(llvm.Value{}, "gulo_parts_of", f.f)
		for n, a := range f.f.Params() {
			if n < partsTold && ofStruct(a) {
				f.stored[a] = f.b.CreateLShr(bits, f.c64(uint64(n*wordBytes)), "")
			}
		}
	}
	if f.f.GlobalValueType().IsFunctionVarArg() && f.c.Meta && f.wrappers[f.f].site.IsNil() {
		f.list = f.b.CreateAlloca(llvm.ArrayType(f.i64, 2+2*listSlots), "gulo.list")
		f.call(llvm.Value{}, "gulo_list_of", f.f, f.list)
	}
	if n := f.watched[f.name]; n != 0 {
		f.call(llvm.Value{}, "gulo_enter", f.c32(n), f.word(f.f.FirstParam()), f.at(f.first, "call"))
	}
}

// byValue begins a parameter that the caller copied to memory: it is a variable of this call.
func (f *function) byValue(a llvm.Value, size uint64, k int) {
	f.metas[a] = f.c64(0)
	if f.c.Stack {
		if f.frame.top.IsNil() {
			f.frame.top = f.call(llvm.Value{}, "gulo_locals")
		}
		f.metas[a] = f.call(llvm.Value{}, "gulo_local", a, f.c64(size), f.at(f.first, "variable "+a.Name()))
		f.frame.metas = append(f.frame.metas, f.metas[a])
	}
	if k < copied {
		f.call(llvm.Value{}, "gulo_by_value", a, f.c64(size), f.f, f.c32(k))
	} else {
		f.call(llvm.Value{}, "gulo_foreign_memory", a, f.c64(size))
	}
}

// pass tells the callee what is known of the arguments, in a call of a function of the program or through a pointer.
func (f *function) pass(i llvm.Value) {
	to := callee(i)
	_, wrapper := f.wrappers[to]
	if to.IsAFunction().IsNil() || wrapper {
		f.b.SetInsertPointBefore(i)
		f.call(i, "gulo_calling", to, f.at(i, "called"))
	}
	if f.c.Written && !wrapper {
		f.passParts(i)
	}
	if !f.c.Meta {
		return
	}
	var args, metas []llvm.Value
	k := 0
	type set struct {
		k, operand int
		word
	}
	var sets []set
	fixed := len(i.CalledFunctionType().ParamTypes())
	for n := range i.OperandsCount() - 1 {
		a := i.Operand(n)
		if isPointer(a) {
			args, metas = append(args, a), append(metas, f.metaAt(a, i))
		}
		if !hasWord(a.Type()) || f.byValueAt(i, n) > 0 {
			continue
		}
		if n < fixed || !i.CalledFunctionType().IsFunctionVarArg() {
			for _, w := range f.wordsOf(a, i) {
				sets = append(sets, set{k, n, w})
			}
			k++
		}
	}
	f.passList(i)
	f.b.SetInsertPointBefore(i)
	for _, s := range sets {
		if s.k < slots {
			f.call(i, "gulo_set_arg", f.c32(s.k), s.v, s.meta, f.from(i, s.operand, "passed"))
		}
	}
	if !f.c.Written || !to.IsAFunction().IsNil() && !to.IsDeclaration() && !wrapper {
		return
	}
	name := strings.TrimPrefix(to.Name(), "gulo.")
	if to.IsAFunction().IsNil() {
		name = "a function"
	}
	f.b.SetInsertPointBefore(after(i))
	for k, a := range args {
		if a.IsAFunction().IsNil() {
			f.call(i, "gulo_foreign", to, a, metas[k], f.at(i, name))
		}
	}
}

// byValueAt is the size of an argument that a call copies to memory; 0 of others.
func (f *function) byValueAt(i llvm.Value, k int) uint64 {
	if t := i.GetCallSiteEnumAttribute(k+1, llvm.AttributeKindID("byval")); !t.IsNil() {
		return f.data.TypeAllocSize(t.GetTypeValue())
	}
	return 0
}

// passParts tells the callee which bytes of struct arguments were never written, and receives the same about the
// result.
func (f *function) passParts(i llvm.Value) {
	to := callee(i)
	bits, any, copies := f.c64(0), false, 0
	fixed := len(i.CalledFunctionType().ParamTypes())
	for n := range min(i.OperandsCount()-1, fixed) {
		a := i.Operand(n)
		switch {
		case f.byValueAt(i, n) > 0:
			if copies < copied {
				m := f.metaAt(a, i)
				f.call(i, "gulo_copy_for", f.c32(copies), a, m)
				any = true
			}
			copies++
		case n < partsTold && f.data.TypeStoreSize(a.Type()) <= wordBytes:
			if b := f.bitsOf(a); !b.IsNil() {
				f.b.SetInsertPointBefore(i)
				b = f.b.CreateAnd(b, f.c64(1<<wordBytes-1), "")
				bits, any = f.b.CreateOr(bits, f.b.CreateShl(b, f.c64(uint64(n*wordBytes)), ""), ""), true
			}
		}
	}
	f.b.SetInsertPointBefore(i)
	if any {
		f.call(i, "gulo_parts_for", to, bits)
	}
	if !ofStruct(i) || f.data.TypeStoreSize(i.Type()) > wordBytes*mostResult {
		return
	}
	f.call(i, "gulo_result_by", llvm.ConstPointerNull(f.ptr), f.c64(0)) // drops what an earlier call told and nobody asked for
	f.b.SetInsertPointBefore(after(i))
	bits = f.call(i, "gulo_result_of", to)
	if !isAggregate(i) {
		f.stored[i] = bits
		return
	}
	leaves := f.leaves(i.Type())
	for u := i.FirstUse(); !u.IsNil(); u = u.NextUse() {
		if x := u.User(); !x.IsAExtractValueInst().IsNil() {
			first, _ := f.under(i.Type(), x.Indices())
			f.b.SetInsertPointBefore(after(bits))
			f.stored[x] = f.b.CreateLShr(bits, f.c64(leaves[first].off), "")
		}
	}
}

// passList passes the meta words of variable arguments, each in the slot of the register or stack word where va_start
// will lead to the argument.
func (f *function) passList(i llvm.Value) {
	t := i.CalledFunctionType()
	if !t.IsFunctionVarArg() {
		return
	}
	fixed := len(t.ParamTypes())
	general, floating := 0, 0
	stack, named := uint64(0), uint64(0) // bytes
	push := func(size, align uint64) (at uint64) {
		at = (stack + align - 1) / align * align
		stack = at + (size+wordBytes-1)/wordBytes*wordBytes
		return at
	}
	index := func(at uint64) (int, bool) {
		k := registers + int(at-named)/wordBytes
		return k, k < listSlots
	}
	for n := range i.OperandsCount() - 1 {
		if n == fixed {
			named = stack
		}
		a := i.Operand(n)
		size := f.data.TypeAllocSize(a.Type())
		kind := a.Type().TypeKind()
		if bytes := f.byValueAt(i, n); bytes > 0 {
			align := uint64(wordBytes)
			if at := aligned(i, n+1); at > align {
				align = at
			}
			if k, ok := index(push(bytes, align)); ok && n >= fixed {
				f.metaAt(a, i)
				f.call(i, "gulo_list_copy", f.c32(k), a, f.c64(bytes))
			}
			continue
		}
		at, inRegister := uint64(0), true
		switch {
		case kind == llvm.FloatTypeKind || kind == llvm.DoubleTypeKind || kind == llvm.VectorTypeKind:
			if inRegister = floating < floatRoom; inRegister {
				floating++
			} else {
				at = push(size, max(wordBytes, min(size, 16)))
			}
		case kind == llvm.X86_FP80TypeKind || size > wordBytes:
			inRegister, at = false, push(size, 16)
		default:
			if inRegister = general < registers; inRegister {
				at = uint64(general)
				general++
			} else {
				at = push(size, wordBytes)
			}
		}
		if n < fixed || !hasWord(a.Type()) {
			continue
		}
		k, ok := int(at), true
		if !inRegister {
			k, ok = index(at)
		}
		if !ok {
			continue
		}
		for _, w := range f.wordsOf(a, i) {
			f.call(i, "gulo_set_listed", f.c32(k), w.v, w.meta, f.from(i, n, "passed"))
		}
	}
	if fixed >= i.OperandsCount()-1 {
		named = stack
	}
	f.b.SetInsertPointBefore(i)
	f.call(i, "gulo_list_for", callee(i), f.c32(min(int(stack-named)/wordBytes, listSlots-registers)))
}
