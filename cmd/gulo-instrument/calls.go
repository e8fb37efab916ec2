//go:build llvm19

package main

import (
	"strconv"
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file instruments calls: of the allocator, of library functions whose use
// of memory is known (model.go), of others without instrumentation, and of the
// program's own.

func (f *function) callee(i llvm.Value) {
	to := callee(i)
	if !to.IsAInlineAsm().IsNil() {
		f.forget()
		return
	}
	known := !to.IsAFunction().IsNil()
	name := ""
	if known {
		name = to.Name()
	}
	if strings.HasPrefix(name, "gulo_") {
		return
	}
	if strings.HasPrefix(name, "llvm.") {
		f.intrinsic(i, name)
		return
	}
	if setjmps[name] {
		f.unwound(i, llvm.NextInstruction(i), i)
	}
	if known && f.calm[to] {
		f.init = nothing().init
	} else {
		f.forget()
	}
	library := known && ofLibrary(to)
	if library {
		f.watchedCall(i, name)
	}
	if known && f.allocator(i, name) {
		return
	}
	if library && f.moved(i, name) {
		return
	}
	if name == "exit" && f.watched["main"] != 0 {
		f.b.SetInsertPointBefore(i)
		f.call(i, "gulo_leave", f.c32(f.watched["main"]), f.word(i.Operand(0)), f.at(i, "exit"))
	}
	if m, ok := models[name]; ok && library {
		f.modelled(i, name, m)
		return
	}
	if library && f.library[name] {
		f.unknown(i)
		return
	}
	f.pass(i)
}

// pass gives the meta words of arguments to a function of the program.
func (f *function) pass(i llvm.Value) {
	if !f.c.Meta {
		return
	}
	var args, metas []llvm.Value
	for k := 0; k < i.OperandsCount()-1; k++ {
		if a := i.Operand(k); isPointer(a) {
			args, metas = append(args, a), append(metas, f.metaAt(a, i))
		}
	}
	f.b.SetInsertPointBefore(i)
	for k, a := range args {
		if k < slots {
			f.call(i, "gulo_set_arg", f.c32(k), a, metas[k], f.at(i, "passed"))
		}
	}
	to := callee(i)
	if !f.c.Written || !to.IsAFunction().IsNil() && !to.IsDeclaration() {
		return
	}
	name := to.Name()
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

// moved instruments a call that copies or fills memory.
func (f *function) moved(i llvm.Value, name string) bool {
	switch name {
	case "memcpy", "memmove":
		to, from := f.metaAt(i.Operand(0), i), f.metaAt(i.Operand(1), i)
		f.call(i, "gulo_copy", i.Operand(0), i.Operand(1), f.wide(i.Operand(2)), to, from, f.at(i, "copied"))
		f.metas[i] = to
	case "memset":
		m := f.metaAt(i.Operand(0), i)
		f.call(i, "gulo_fill", i.Operand(0), f.wide(i.Operand(2)), m, f.at(i, "filled"))
		f.metas[i] = m
	default:
		return false
	}
	return true
}

func (f *function) intrinsic(i llvm.Value, name string) {
	if strings.HasPrefix(name, "llvm.mem") && variadic(i.Operand(1)) {
		f.b.SetInsertPointBefore(i)
		f.call(i, "gulo_foreign_memory", i.Operand(1), f.wide(i.Operand(2)))
	}
	switch {
	case strings.HasPrefix(name, "llvm.stackrestore"):
		f.restored(i)
	case (strings.HasPrefix(name, "llvm.memcpy") || strings.HasPrefix(name, "llvm.memmove")) && f.words(i):
	case strings.HasPrefix(name, "llvm.memcpy"), strings.HasPrefix(name, "llvm.memmove"):
		to, from := f.metaAt(i.Operand(0), i), f.metaAt(i.Operand(1), i)
		f.call(i, "gulo_copy", i.Operand(0), i.Operand(1), f.wide(i.Operand(2)), to, from, f.at(i, "copied"))
		f.init = nothing().init
	case strings.HasPrefix(name, "llvm.memset"):
		m := f.metaAt(i.Operand(0), i)
		f.call(i, "gulo_fill", i.Operand(0), f.wide(i.Operand(2)), m, f.at(i, "filled"))
	case strings.HasPrefix(name, "llvm.va_start"), strings.HasPrefix(name, "llvm.va_copy"):
		f.b.SetInsertPointBefore(llvm.NextInstruction(i))
		f.call(i, "gulo_foreign_memory", i.Operand(0), f.c64(24))
	}
}

// watchedCall tells of the call of a function that rules ask about and that has no
// instrumentation of its own.
func (f *function) watchedCall(i llvm.Value, name string) {
	n := f.watched[name]
	if n == 0 || !f.fromLibrary(name) {
		return
	}
	var first llvm.Value
	if i.OperandsCount() > 1 {
		first = i.Operand(0)
	}
	f.b.SetInsertPointBefore(i)
	f.call(i, "gulo_enter", f.c32(n), f.word(first), f.at(i, "call"))
	var result llvm.Value
	if i.Type().TypeKind() != llvm.VoidTypeKind {
		result = i
	}
	f.b.SetInsertPointBefore(after(i))
	f.call(i, "gulo_leave", f.c32(n), f.word(result), f.at(i, "return"))
}

// setjmps return a second time, when locals of calls in between are no more.
var setjmps = map[string]bool{"setjmp": true, "_setjmp": true, "sigsetjmp": true, "__sigsetjmp": true}

// restored ends the arrays of variable length of a scope that is left.
func (f *function) restored(i llvm.Value) {
	if s := i.Operand(0); !s.IsACallInst().IsNil() {
		f.unwound(s, i, i)
	}
}

// words instruments a copy of a few words, as of small structs and unions; false
// when it is none.
func (f *function) words(i llvm.Value) bool {
	n := i.Operand(2)
	if n.IsAConstantInt().IsNil() || n.ZExtValue() > 32 || n.ZExtValue()%8 != 0 || aligned(i, 1) < 8 || aligned(i, 2) < 8 || strings.HasPrefix(callee(i).Name(), "llvm.memmove") {
		return false
	}
	size := n.ZExtValue()
	to, from := i.Operand(0), i.Operand(1)
	f.test(i, from, size, 0)
	f.test(i, to, size, 1)
	m := f.metaAt(from, i)
	site := f.at(i, "copied")
	f.b.SetInsertPointBefore(i)
	for k := uint64(0); k < size; k += 8 {
		at := []llvm.Value{f.c64(k)}
		f.call(i, "gulo_copy_word", f.b.CreateGEP(f.i8, to, at, ""), f.b.CreateGEP(f.i8, from, at, ""), m, site)
	}
	f.init = nothing().init
	return true
}

// aligned is the alignment that a copy says of an argument, from 1.
func aligned(i llvm.Value, k int) uint64 {
	a := i.GetCallSiteEnumAttribute(k, llvm.AttributeKindID("align"))
	if a.IsNil() {
		return 1
	}
	return uint64(a.GetEnumValue())
}

// variadic reports whether a pointer is to an argument of a function with a variable
// number of them: to where the caller put it, without shadow. clang names it.
func variadic(p llvm.Value) bool {
	return strings.HasPrefix(p.Name(), "vaarg.addr") || strings.HasPrefix(p.Name(), "overflow_arg_area")
}

// allocator replaces calls of malloc and its kin.
func (f *function) allocator(i llvm.Value, name string) bool {
	var c llvm.Value
	switch name {
	case "malloc":
		f.b.SetInsertPointBefore(i)
		c = f.call(i, "gulo_malloc", i.Operand(0), f.at(i, "malloc"))
	case "calloc":
		f.b.SetInsertPointBefore(i)
		c = f.call(i, "gulo_calloc", i.Operand(0), i.Operand(1), f.at(i, "calloc"))
	case "realloc":
		m := f.metaAt(i.Operand(0), i)
		c = f.call(i, "gulo_realloc", i.Operand(0), i.Operand(1), m, f.at(i, "realloc"))
	case "free":
		m := f.metaAt(i.Operand(0), i)
		f.call(i, "gulo_free", i.Operand(0), m, f.at(i, "freed"))
		i.EraseFromParentAsInstruction()
		return true
	case "mmap", "mmap64":
		f.b.SetInsertPointBefore(after(i))
		m := f.call(i, "gulo_mapped", i, i.Operand(1), f.at(i, "mmap"))
		if f.c.Meta {
			f.metas[i] = m
		}
		return true
	case "munmap":
		f.b.SetInsertPointBefore(i)
		f.call(i, "gulo_unmapped", i.Operand(0), i.Operand(1), f.at(i, "unmapped"))
		return true
	default:
		return false
	}
	i.ReplaceAllUsesWith(c)
	delete(f.metas, i)
	i.EraseFromParentAsInstruction()
	if f.c.Meta {
		f.b.SetInsertPointBefore(after(c))
		f.metas[c] = f.call(c, "gulo_get_result", c)
	}
	return true
}

// unknown is a call of a library function that nothing is known of: it may write
// what its arguments point to.
func (f *function) unknown(i llvm.Value) {
	n := i.OperandsCount() - 1
	metas := make([]llvm.Value, n)
	for k := 0; k < n; k++ {
		if isPointer(i.Operand(k)) {
			metas[k] = f.metaAt(i.Operand(k), i)
		}
	}
	f.b.SetInsertPointBefore(i)
	if f.c.Meta {
		f.call(i, "gulo_before_extern")
	}
	for k := 0; k < n && f.c.Written; k++ {
		if a := i.Operand(k); isPointer(a) && a.IsAFunction().IsNil() {
			f.call(i, "gulo_unknown", a, metas[k], f.at(i, callee(i).Name()))
		}
	}
}

// modelled is a call of a library function whose use of memory is known.
func (f *function) modelled(i llvm.Value, name string, m model) {
	n := i.OperandsCount() - 1
	metas := make([]llvm.Value, n)
	for k := 0; k < n; k++ {
		if isPointer(i.Operand(k)) {
			metas[k] = f.metaAt(i.Operand(k), i)
		}
	}
	site := f.at(i, name)
	f.b.SetInsertPointBefore(i)
	for k, u := range m.args {
		if k < n && isPointer(i.Operand(k)) {
			f.use(i, i.Operand(k), metas[k], u, site)
		}
	}
	if m.copies != 0 && n >= 2 {
		f.call(i, "gulo_string_copy", i.Operand(0), i.Operand(1), metas[0], metas[1], f.c32(m.copies-1), site)
	}
	if m.format > 0 && m.format <= n {
		for k := m.format; k < n; k++ {
			if a := i.Operand(k); isPointer(a) && !m.scan {
				f.call(i, "gulo_printed", i.Operand(m.format-1), f.c32(k-m.format), a, metas[k], site)
			}
		}
	}
	if f.c.Meta {
		f.call(i, "gulo_before_extern")
	}
	for k, u := range m.args {
		if k >= n || !f.c.Meta || !isPointer(i.Operand(k)) {
			continue
		}
		f.b.SetInsertPointBefore(after(i))
		switch u {
		case "e1":
			f.call(i, "gulo_out_pointer", i.Operand(k), metas[0], site)
		case "l":
			f.call(i, "gulo_own_pointer", i.Operand(k), site)
		}
	}
	if m.scan {
		f.b.SetInsertPointBefore(after(i))
		for k := m.format; k < n; k++ {
			if a := i.Operand(k); isPointer(a) {
				f.call(i, "gulo_scanned", i.Operand(m.format-1), f.c32(k-m.format), a, metas[k], site)
			}
		}
	}
	if m.returns > 0 && isPointer(i) && f.c.Meta {
		f.metas[i] = f.sameBlock(i, metas[m.returns-1])
	}
}

// sameBlock is the meta word of a result that points into an argument's block,
// or is NULL.
func (f *function) sameBlock(i, meta llvm.Value) llvm.Value {
	f.b.SetInsertPointBefore(after(i))
	null := f.b.CreateIsNull(i, "")
	none := f.c64(0)
	if f.c.Chains {
		none = f.call(i, "gulo_made_null", f.at(i, "returned by "+callee(i).Name()))
	}
	return f.b.CreateSelect(null, none, meta, "")
}

// use inserts what an argument's use does.
func (f *function) use(i, a, meta llvm.Value, u string, site llvm.Value) {
	arg := func(c byte) llvm.Value { return f.wide(i.Operand(int(c - '1'))) }
	switch {
	case u == "s":
		f.call(i, "gulo_string", a, f.c64(^uint64(0)), meta, site)
	case strings.HasPrefix(u, "s"):
		f.call(i, "gulo_string", a, arg(u[1]), meta, site)
	case u == "r8:":
		f.call(i, "gulo_touch", a, f.c64(8), meta, site, f.c32(0))
	case strings.HasPrefix(u, "r"), strings.HasPrefix(u, "w"):
		size := arg(u[1])
		if len(u) > 3 && u[2] == '*' {
			size = f.b.CreateMul(size, arg(u[3]), "")
		}
		write := 0
		if u[0] == 'w' {
			write = 1
		}
		f.call(i, "gulo_touch", a, size, meta, site, f.c32(write))
	case strings.HasPrefix(u, "o"):
		n, err := strconv.ParseUint(u[1:], 10, 64)
		if err != nil {
			panic("model of " + callee(i).Name() + ": " + u)
		}
		f.call(i, "gulo_out", a, f.c64(n), meta, site)
	case u == "h":
		f.call(i, "gulo_touch", a, f.c64(1), meta, site, f.c32(0))
	case u == "m":
		f.call(i, "gulo_until", a, i.Operand(1), f.wide(i.Operand(2)), meta, site)
	case u == "l":
		f.call(i, "gulo_out", a, f.c64(8), meta, site)
	case u == "f":
		f.call(i, "gulo_filled", a, meta, site)
	case u == "e1":
		f.call(i, "gulo_out", a, f.c64(8), meta, site)
	case u == "d": // pointed to, of unknown size
		f.call(i, "gulo_touch", a, f.c64(1), meta, site, f.c32(1))
		f.call(i, "gulo_filled", a, meta, site)
	}
}
