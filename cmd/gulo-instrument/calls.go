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
	if f.marked(i, name) || strings.HasPrefix(name, "gulo_") {
		return
	}
	if strings.HasPrefix(name, "llvm.") {
		f.intrinsic(i, name)
		return
	}
	if setjmps[name] {
		to.AddFunctionAttr(f.ctx.CreateEnumAttribute(llvm.AttributeKindID("returns_twice"), 0)) // clang says it only of builtins
		f.unwound(i, llvm.NextInstruction(i), i)
	}
	if known && f.calm[to] {
		f.init = nothing().init
	} else {
		f.forget()
	}
	library := known && f.ofLibrary(to)
	if library {
		f.watchedCall(i, name)
	}
	if !library || takesFunction(i) || setjmps[name] {
		f.onStack(i)
	}
	if library && (f.replace(i, name) || f.mapped(i, name) || f.moved(i, name)) {
		return
	}
	if name == "exit" && f.watched["main"] != 0 {
		f.b.SetInsertPointBefore(i)
		f.call(i, "gulo_exits", f.c32(f.watched["main"]), f.word(i.Operand(0)), f.at(i, "exit"))
	}
	if m, ok := modelOf(name); ok && library {
		f.modelled(i, name, m)
		return
	}
	if m, ok := f.called(i); ok && library && name == "syscall" {
		f.modelled(i, name, m)
		return
	}
	if library && f.library[name] {
		f.unknown(i)
		return
	}
	f.pass(i)
}

// takesFunction reports whether a call is given a function, which it may call.
func takesFunction(i llvm.Value) bool {
	for k := range i.OperandsCount() - 1 {
		if !i.Operand(k).IsAFunction().IsNil() {
			return true
		}
	}
	return false
}

// onStack puts a call on the call stack of its thread until it returns.
func (f *function) onStack(i llvm.Value) {
	if !f.site.IsNil() {
		return // in a wrapper: the call of the wrapper is there
	}
	f.b.SetInsertPointBefore(i)
	f.call(i, "gulo_call_begins", f.depth, f.at(i, "called from"))
	f.b.SetInsertPointBefore(after(i))
	f.call(i, "gulo_call_ends", f.depth)
}

// wideSize is the size of wchar_t.
const wideSize = 4

// movers are the functions that moved knows.
var movers = map[string]bool{"memcpy": true, "memmove": true, "mempcpy": true, "memset": true, "wmemcpy": true, "wmemmove": true, "wmempcpy": true, "wmemset": true}

// moved instruments a call that copies or fills memory.
func (f *function) moved(i llvm.Value, name string) bool {
	unit := uint64(1)
	if strings.HasPrefix(plain(name), "wmem") {
		unit = wideSize
	}
	size := func() llvm.Value {
		n := f.wide(i.Operand(2))
		if unit > 1 {
			n = f.b.CreateMul(n, f.c64(unit), "")
		}
		return n
	}
	switch plain(name) {
	case "memcpy", "memmove", "mempcpy", "wmemcpy", "wmemmove", "wmempcpy":
		to, from := f.metaAt(i.Operand(0), i), f.metaAt(i.Operand(1), i)
		n := size()
		f.call(i, "gulo_copy", i.Operand(0), i.Operand(1), n, to, from, f.at(i, "copied"))
		if !strings.HasSuffix(plain(name), "memmove") { // memmove may overlap
			f.call(i, "gulo_apart", i.Operand(0), n, i.Operand(1), n, f.at(i, plain(name)))
		}
		f.metas[i] = to
	case "memset", "wmemset":
		m := f.metaAt(i.Operand(0), i)
		f.call(i, "gulo_fill", i.Operand(0), size(), m, f.at(i, "filled"))
		f.metas[i] = m
	default:
		return false
	}
	return true
}

func (f *function) intrinsic(i llvm.Value, name string) {
	switch {
	case strings.HasPrefix(name, "llvm.lifetime"):
		f.scope(i, name)
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
		if !f.list.IsNil() && strings.HasPrefix(name, "llvm.va_start") {
			f.call(i, "gulo_list_start", i.Operand(0), f.list)
		}
	}
}

// watchedCall reports, before and after, a call of a library function that rules ask about.
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
	f.call(i, "gulo_leave", f.c32(n), f.word(result), f.at(i, "return"), llvm.ConstPointerNull(f.ptr))
}

// setjmps are functions that return a second time, when the locals of calls in between have ended.
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

// aligned returns the alignment that a call states for its k-th argument, from 1; 1 if it states none.
func aligned(i llvm.Value, k int) uint64 {
	a := i.GetCallSiteEnumAttribute(k, llvm.AttributeKindID("align"))
	if a.IsNil() {
		return 1
	}
	return uint64(a.GetEnumValue())
}

// mapped reports to the runtime what mmap gives and munmap takes back; false for other functions.
func (f *function) mapped(i llvm.Value, name string) bool {
	switch name {
	case "mmap", "mmap64":
		f.b.SetInsertPointBefore(after(i))
		m := f.call(i, "gulo_mapped", i, i.Operand(1), f.at(i, "mmap"))
		if f.c.Meta {
			f.metas[i] = m
		}
	case "munmap":
		f.b.SetInsertPointBefore(i)
		f.call(i, "gulo_unmapped", i.Operand(0), i.Operand(1), f.at(i, "unmapped"))
	default:
		return false
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
	f.strings(i, m, metas, site)
	if kind, ok := scans[plain(name)]; ok {
		f.scan(i, kind, metas, site)
		return
	}
	if m.format > 0 && m.format <= n {
		f.printed(i, m, metas, site)
	}
	var all []room
	for k, u := range m.args {
		if k < n && isPointer(i.Operand(k)) && strings.ContainsRune(rooms, rune(u[0])) {
			all = append(all, f.room(i, k, u, metas[k]))
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
		case "L":
			f.call(i, "gulo_line_came", i.Operand(k), f.word(i), site)
		}
	}
	result := i
	for _, r := range all {
		if isPointer(i) {
			result = f.sameResult(i, r) // before others look at it
		}
		f.b.SetInsertPointBefore(after(i))
		f.call(i, "gulo_came", r.to, r.instead, f.c32(int(r.kind)), f.word(i), r.bytes, r.unit, r.meta, site)
	}
	if m.returns == 0 && isPointer(i) && allocating[plain(name)] {
		f.meta(i, i) // the block is known even if nothing uses the pointer
	}
	if m.returns > 0 && isPointer(i) && f.c.Meta {
		meta := f.sameBlock(i, metas[m.returns-1])
		if allocating[plain(name)] { // unless it was given NULL
			own := f.call(i, "gulo_from_library", i, f.c32(1), f.at(i, "returned"))
			meta = f.b.CreateSelect(f.b.CreateIsNull(i.Operand(m.returns-1), ""), own, meta, "")
		}
		f.metas[i], f.metas[result] = meta, meta
	}
}

// strings instruments functions that copy or compare strings.
func (f *function) strings(i llvm.Value, m model, metas []llvm.Value, site llvm.Value) {
	if m.copies == 0 && m.compare == 0 {
		return
	}
	most := f.c64(^uint64(0))
	if m.copies&bounded != 0 || m.compare != 0 {
		most = f.wide(i.Operand(2))
	}
	name := "gulo_string_copy"
	if m.compare != 0 {
		name = "gulo_compared"
	}
	f.call(i, name, i.Operand(0), i.Operand(1), most, metas[0], metas[1], f.c32((m.copies|m.compare)&(appending|wide|noCase)), site)
}

// printed instruments what printf and its kin do with what their formats say.
func (f *function) printed(i llvm.Value, m model, metas []llvm.Value, site llvm.Value) {
	n, format := i.OperandsCount()-1, i.Operand(m.format-1)
	if m.list {
		f.call(i, "gulo_vprinted", format, i.Operand(m.format), site)
		if m.text {
			f.call(i, "gulo_touch", i.Operand(0), f.call(i, "gulo_vmeasure", format, i.Operand(m.format)), metas[0], site, f.c32(1))
		}
		return
	}
	for k := m.format; k < n; k++ {
		a := i.Operand(k)
		if !isPointer(a) {
			continue
		}
		before := f.c32(-1)
		if b := i.Operand(k - 1); k > m.format && b.Type() == f.i32 {
			before = b
		}
		f.call(i, "gulo_printed", format, f.c32(k-m.format), before, a, metas[k], site)
	}
	apart := func(length, most llvm.Value) {
		for k := m.format; k < n; k++ {
			if a := i.Operand(k); isPointer(a) {
				f.call(i, "gulo_printed_apart", format, f.c32(k-m.format), a, i.Operand(0), length, most, site)
			}
		}
	}
	if !m.text {
		if plain(callee(i).Name()) == "snprintf" {
			apart(f.c32(-1), f.wide(i.Operand(1)))
		}
		return
	}
	// How long the text is, a call of snprintf without a buffer tells before.
	t := llvm.FunctionType(f.i32, []llvm.Type{f.ptr, f.i64, f.ptr}, true)
	snprintf := f.m.NamedFunction("snprintf")
	if snprintf.IsNil() {
		snprintf = llvm.AddFunction(f.m, "snprintf", t)
	}
	args := []llvm.Value{llvm.ConstPointerNull(f.ptr), f.c64(0), format}
	for k := m.format; k < n; k++ {
		args = append(args, i.Operand(k))
	}
	f.b.SetInsertPointBefore(i)
	c := f.b.CreateCall(t, snprintf, args, "")
	c.InstructionSetDebugLoc(i.InstructionDebugLoc())
	f.ours[c] = true
	f.call(i, "gulo_written_text", i.Operand(0), c, metas[0], site)
	apart(c, f.c64(^uint64(0)))
}

// scans are the functions of scanf's kind, by where they read: standard input, a
// stream, a string.
var scans = map[string]int{"scanf": 0, "fscanf": 1, "sscanf": 2, "vscanf": 0, "vfscanf": 1, "vsscanf": 2}

// scan replaces a call of scanf by one of the runtime, which is given the meta
// words of all arguments beside them.
func (f *function) scan(i llvm.Value, kind int, metas []llvm.Value, site llvm.Value) {
	from, k := llvm.ConstPointerNull(f.ptr), 0
	if kind > 0 {
		from, k = i.Operand(0), 1
	}
	format, n := i.Operand(k), i.OperandsCount()-1
	if f.c.Meta {
		f.call(i, "gulo_before_extern")
	}
	var c llvm.Value
	if plain(callee(i).Name())[0] == 'v' {
		c = f.call(i, "gulo_vscan", f.c32(kind), from, format, i.Operand(k+1), site)
	} else {
		args := []llvm.Value{f.c32(kind), from, format, site, f.c32(n - k - 1)}
		for a := k + 1; a < n; a++ {
			if isPointer(i.Operand(a)) {
				args = append(args, i.Operand(a), metas[a])
			} else {
				args = append(args, f.b.CreateIntToPtr(i.Operand(a), f.ptr, ""), f.c64(0))
			}
		}
		c = f.b.CreateCall(f.types["gulo_scan"], f.funcs["gulo_scan"], args, "")
		c.InstructionSetDebugLoc(i.InstructionDebugLoc())
	}
	f.standsFor(c, i)
}

// room is memory that a function may write to, but not all of it.
type room struct {
	to, instead, bytes, unit, meta llvm.Value
	kind                           byte
}

// room lets a function write to other memory where what it is given is smaller than what may come: how much does come
// is known only afterwards.
func (f *function) room(i llvm.Value, k int, u string, meta llvm.Value) room {
	nullable := 0
	if strings.HasSuffix(u, "?") {
		nullable, u = 1, strings.TrimSuffix(u, "?")
	}
	if r, ok := f.roomBySystem(i, k, u, meta); ok {
		return r
	}
	unit := f.wide(i.Operand(int(u[1] - '1')))
	r := room{to: i.Operand(k), bytes: unit, unit: unit, meta: meta, kind: u[len(u)-1]}
	if u[2] == '*' {
		r.bytes = f.b.CreateMul(unit, f.wide(i.Operand(int(u[3]-'1'))), "")
	}
	if u[0] == 'V' {
		r.bytes = f.b.CreateMul(unit, f.c64(4), "")
	}
	r.instead = f.call(i, "gulo_room", r.to, r.bytes, meta, f.c32(nullable))
	i.SetOperand(k, r.instead)
	return r
}

// sameResult gives the program its own pointer where a function returns the one that room gave it instead.
func (f *function) sameResult(i llvm.Value, r room) llvm.Value {
	f.b.SetInsertPointBefore(after(i))
	same := f.b.CreateICmp(llvm.IntEQ, i, r.instead, "")
	result := f.b.CreateSelect(same, r.to, i, "")
	var uses []llvm.Value
	for u := i.FirstUse(); !u.IsNil(); u = u.NextUse() {
		uses = append(uses, u.User())
	}
	for _, x := range uses {
		if x == same || x == result {
			continue
		}
		for k := 0; k < x.OperandsCount(); k++ {
			if x.Operand(k) == i {
				x.SetOperand(k, result)
			}
		}
	}
	return result
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

// sizeOf parses the number of bytes in a model.
func sizeOf(of llvm.Value, text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		panic("model of " + of.Name() + ": " + text)
	}
	return n
}

// use inserts what one use of an argument needs; model lists the uses.
func (f *function) use(i, a, meta llvm.Value, u string, site llvm.Value) {
	arg := func(c byte) llvm.Value { return f.wide(i.Operand(int(c - '1'))) }
	switch {
	case u == "s":
		f.call(i, "gulo_string", a, f.c64(^uint64(0)), meta, site)
	case strings.HasPrefix(u, "s"):
		f.call(i, "gulo_string", a, arg(u[1]), meta, site)
	case strings.HasPrefix(u, "c"):
		f.call(i, "gulo_string", a, arg(u[1]), meta, site)
		f.call(i, "gulo_string_apart", i.Operand(0), arg(u[1]), a, site)
	case strings.HasPrefix(u, "C"):
		f.call(i, "gulo_wide_string", a, arg(u[1]), meta, site)
		f.call(i, "gulo_wide_string_apart", i.Operand(0), arg(u[1]), a, site)
	case strings.HasSuffix(u, ":"):
		f.call(i, "gulo_touch", a, f.c64(sizeOf(callee(i), u[1:len(u)-1])), meta, site, f.c32(0))
	case u == "S":
		f.call(i, "gulo_wide_string", a, f.c64(^uint64(0)), meta, site)
	case strings.HasPrefix(u, "S"):
		f.call(i, "gulo_wide_string", a, arg(u[1]), meta, site)
	case u == "L":
		f.call(i, "gulo_line_room", a, i.Operand(1), meta, f.metaAt(i.Operand(1), i), site)
	case strings.HasPrefix(u, "g"):
		size := arg(u[1])
		if len(u) > 3 {
			size = f.b.CreateMul(size, arg(u[3]), "")
		}
		f.call(i, "gulo_given", a, size, meta, site)
	case strings.HasPrefix(u, "r"), strings.HasPrefix(u, "w"):
		size := arg(u[1])
		if len(u) > 3 && u[2] == '*' {
			size = f.b.CreateMul(size, arg(u[3]), "")
		} else if len(u) > 3 && u[2] == 'x' { // elements of so many bytes
			size = f.b.CreateMul(size, f.c64(sizeOf(callee(i), u[3:])), "")
		} else if strings.HasSuffix(u, "w") {
			size = f.b.CreateMul(size, f.c64(wideSize), "")
		}
		write := 0
		if u[0] == 'w' {
			write = 1
		}
		f.call(i, "gulo_touch", a, size, meta, site, f.c32(write))
	case strings.HasPrefix(u, "Q"):
		f.call(i, "gulo_request", a, arg(u[1]), meta, site)
	case u == "z":
		f.call(i, "gulo_string_given", a, meta, site)
	case strings.HasPrefix(u, "q"):
		f.call(i, "gulo_in", a, f.c64(sizeOf(callee(i), u[1:])), meta, site)
	case strings.HasPrefix(u, "o"):
		f.call(i, "gulo_out", a, f.c64(sizeOf(callee(i), u[1:])), meta, site)
	case u == "h":
		f.call(i, "gulo_touch", a, f.c64(1), meta, site, f.c32(0))
	case u == "u":
		f.call(i, "gulo_string_until", a, i.Operand(1), meta, site)
	case u == "n":
		f.call(i, "gulo_number", a, f.c32(10), meta, site)
	case strings.HasPrefix(u, "n"):
		f.call(i, "gulo_number", a, i.Operand(int(u[1]-'1')), meta, site)
	case u == "N":
		f.call(i, "gulo_number", a, f.c32(-1), meta, site)
	case u == "m":
		f.call(i, "gulo_until", a, i.Operand(1), f.wide(i.Operand(2)), meta, site)
	case u == "M":
		f.call(i, "gulo_wide_until", a, i.Operand(1), f.wide(i.Operand(2)), meta, site)
	case u == "H":
		f.call(i, "gulo_message", a, meta, site)
	case strings.HasPrefix(u, "I"):
		f.call(i, "gulo_gathered", a, arg(u[1]), meta, site)
	case strings.HasPrefix(u, "P"):
		f.call(i, "gulo_polled", a, arg(u[1]), meta, site)
	case u == "l":
		f.call(i, "gulo_out", a, f.c64(8), meta, site)
	case u == "f":
		f.call(i, "gulo_filled", a, meta, site)
	case u == "k":
		f.call(i, "gulo_filled", a, meta, site)
		f.call(i, "gulo_kept_there", meta)
	case u == "e1":
		f.call(i, "gulo_out", a, f.c64(8), meta, site)
	case u == "d": // pointed to, of unknown size
		f.call(i, "gulo_touch", a, f.c64(1), meta, site, f.c32(1))
		f.call(i, "gulo_filled", a, meta, site)
	default:
		f.useBySystem(i, a, meta, u, site)
	}
}
