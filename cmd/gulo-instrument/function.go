//go:build llvm19

package main

import (
	"strings"

	"tinygo.org/x/go-llvm"
)

// function is one being instrumented.
type function struct {
	*module
	f     llvm.Value
	name  string
	file  string
	first llvm.Value                // the first instruction behind the variables
	metas map[llvm.Value]llvm.Value // meta words of pointers
	local map[llvm.Value]bool       // variables that only plain loads and stores use
	ends  []ending
	read  map[llvm.Value]checked // in the present block: what was tested of a pointer's base
	init  map[llvm.Value]uint64  // and how many bytes from a pointer on are written
	moves map[llvm.Value]bool    // loads whose value is only stored again
}

// ending is a variable whose block ends when the function returns.
type ending struct{ v, size, meta llvm.Value }

// checked is the range of offsets from a base that was tested.
type checked struct{ from, to int64 }

func newFunction(x *module, f llvm.Value) *function {
	return &function{
		module: x, f: f, name: f.Name(), metas: map[llvm.Value]llvm.Value{}, local: map[llvm.Value]bool{},
		read: map[llvm.Value]checked{}, init: map[llvm.Value]uint64{}, moves: map[llvm.Value]bool{},
	}
}

func (f *function) instrument() {
	var list []llvm.Value
	for b := f.f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			list = append(list, i)
			if l := i.InstructionDebugLoc(); f.file == "" && !l.IsNil() {
				f.file = fileOf(l)
			}
		}
	}
	f.first = f.f.FirstBasicBlock().FirstInstruction()
	for !f.first.IsAAllocaInst().IsNil() {
		f.first = llvm.NextInstruction(f.first)
	}
	f.arguments()
	for _, i := range list {
		if !i.IsAAllocaInst().IsNil() {
			f.variable(i)
		}
	}
	var block llvm.BasicBlock
	for _, i := range list {
		if b := i.InstructionParent(); b != block {
			block = b
			f.forget()
		}
		f.instruction(i)
	}
}

// forget drops what was tested: memory may have been freed since.
func (f *function) forget() {
	f.read, f.init = map[llvm.Value]checked{}, map[llvm.Value]uint64{}
}

func fileOf(l llvm.Metadata) string {
	s := l.LocationScope()
	if s.IsNil() {
		return ""
	}
	d := s.ScopeFile()
	if d.IsNil() {
		return ""
	}
	name := d.FileFilename()
	if dir := d.FileDirectory(); dir != "" && !strings.HasPrefix(name, "/") {
		return dir + "/" + name
	}
	return name
}

// at makes the site of an instruction.
func (f *function) at(i llvm.Value, what string) llvm.Value {
	var line, column uint
	file := f.file
	if l := i.InstructionDebugLoc(); !l.IsNil() {
		line, column = l.LocationLine(), l.LocationColumn()
		if n := fileOf(l); n != "" {
			file = n
		}
	}
	return f.place(file, f.name, what, line, column)
}

// call inserts a call of the runtime where the builder stands.
func (f *function) call(at llvm.Value, name string, args ...llvm.Value) llvm.Value {
	c := f.b.CreateCall(f.types[name], f.funcs[name], args, "")
	if !at.IsNil() {
		c.InstructionSetDebugLoc(at.InstructionDebugLoc())
	}
	return c
}

// arguments takes the meta words of parameters, and tells of the call.
func (f *function) arguments() {
	f.b.SetInsertPointBefore(f.first)
	k := 0
	for a := f.f.FirstParam(); !a.IsNil(); a = llvm.NextParam(a) {
		if !isPointer(a) {
			continue
		}
		f.metas[a] = f.c64(0)
		if f.c.Meta && k < slots {
			f.metas[a] = f.call(llvm.Value{}, "gulo_get_arg", f.c32(k), a)
		}
		k++
	}
	if n := f.watched[f.name]; n != 0 {
		f.call(llvm.Value{}, "gulo_enter", f.c32(n), f.word(f.f.FirstParam()), f.at(f.first, "call"))
	}
}

// slots is GULO_SLOTS.
const slots = 8

// word makes 64 bits of a value for a rule; 0 of what is none.
func (f *function) word(v llvm.Value) llvm.Value {
	if v.IsNil() {
		return f.c64(0)
	}
	switch v.Type().TypeKind() {
	case llvm.PointerTypeKind:
		return f.b.CreatePtrToInt(v, f.i64, "")
	case llvm.IntegerTypeKind:
		if v.Type().IntTypeWidth() <= 64 {
			return f.b.CreateSExt(v, f.i64, "")
		}
	}
	return f.c64(0)
}

// variable gives a variable whose address is used a block of its own.
func (f *function) variable(v llvm.Value) {
	f.metas[v] = f.c64(0)
	if !f.pinned[v] && !escapes(v) {
		f.local[v] = true
		return
	}
	n := v.Operand(0)
	if !f.c.Stack {
		return
	}
	size := f.c64(f.data.TypeAllocSize(v.AllocatedType()))
	where := f.first
	if n.IsAConstantInt().IsNil() || v.InstructionParent() != f.f.FirstBasicBlock() {
		where = llvm.NextInstruction(v) // of variable length
		f.b.SetInsertPointBefore(where)
		size = f.b.CreateMul(size, f.wide(n), "")
		f.metas[v] = f.call(llvm.Value{}, "gulo_local", v, size, f.at(where, "variable"))
		return // it lives until the function returns; its end is not seen
	}
	size = f.c64(f.data.TypeAllocSize(v.AllocatedType()) * n.ZExtValue())
	f.b.SetInsertPointBefore(where)
	name := v.Name()
	if name == "" {
		name = "?"
	}
	f.metas[v] = f.call(llvm.Value{}, "gulo_local", v, size, f.at(f.first, "variable "+name))
	f.ends = append(f.ends, ending{v, size, f.metas[v]})
}

func (f *function) wide(v llvm.Value) llvm.Value {
	if v.Type() == f.i64 {
		return v
	}
	return f.b.CreateZExt(v, f.i64, "")
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

func callee(c llvm.Value) llvm.Value { return c.Operand(c.OperandsCount() - 1) }

// fixed strips offsets that are constant.
func (f *function) fixed(v llvm.Value) (base llvm.Value, off int64) {
	for !v.IsAGetElementPtrInst().IsNil() || !v.IsAConstantExpr().IsNil() && v.Opcode() == llvm.GetElementPtr {
		t := v.GEPSourceElementType()
		var d int64
		for k := 1; k < v.OperandsCount(); k++ {
			c := v.Operand(k)
			if c.IsAConstantInt().IsNil() {
				return v, off
			}
			n := c.SExtValue()
			switch {
			case k == 1:
				d += n * int64(f.data.TypeAllocSize(t))
			case t.TypeKind() == llvm.StructTypeKind:
				d += int64(f.data.ElementOffset(t, int(n)))
				t = t.StructElementTypes()[n]
			default:
				t = t.ElementType()
				d += n * int64(f.data.TypeAllocSize(t))
			}
		}
		off += d
		v = v.Operand(0)
	}
	return v, off
}

// meta returns the meta word of a pointer, computed where it is made; use is the
// instruction that a NULL is for.
func (f *function) meta(v, use llvm.Value) llvm.Value {
	if !f.c.Meta {
		return f.c64(0)
	}
	if !v.IsAConstantPointerNull().IsNil() {
		if use.IsNil() || !f.c.Chains {
			return f.c64(0)
		}
		return f.call(use, "gulo_made_null", f.at(use, "NULL"))
	}
	if m, ok := f.metas[v]; ok {
		return m
	}
	if !v.IsAConstant().IsNil() {
		base, _ := f.fixed(v)
		if m, ok := f.globals[base]; ok {
			return f.b.CreateLoad(f.i64, m, "")
		}
		return f.c64(0)
	}
	m := f.c64(0)
	switch {
	case !v.IsAGetElementPtrInst().IsNil():
		if v.Operand(0).IsAConstant().IsNil() {
			m = f.meta(v.Operand(0), llvm.Value{})
		} else {
			f.b.SetInsertPointBefore(v)
			m = f.meta(v.Operand(0), llvm.Value{})
		}
	case !v.IsAPHINode().IsNil():
		return f.phi(v)
	case !v.IsASelectInst().IsNil():
		f.b.SetInsertPointBefore(v)
		a := f.meta(v.Operand(1), v)
		f.b.SetInsertPointBefore(v)
		c := f.meta(v.Operand(2), v)
		f.b.SetInsertPointBefore(v)
		m = f.b.CreateSelect(v.Operand(0), a, c, "")
	case !v.IsALoadInst().IsNil():
		f.b.SetInsertPointBefore(after(v))
		m = f.call(v, "gulo_load_meta", v.Operand(0), v)
	case !v.IsACallInst().IsNil():
		f.b.SetInsertPointBefore(after(v))
		if to := callee(v); !to.IsAFunction().IsNil() && to.IsDeclaration() && f.fromLibrary(to.Name()) {
			m = f.call(v, "gulo_from_library", v, f.at(v, "returned"))
		} else {
			m = f.call(v, "gulo_get_result", v)
		}
	}
	f.metas[v] = m
	return m
}

func after(i llvm.Value) llvm.Value {
	n := llvm.NextInstruction(i)
	for !n.IsNil() && !n.IsAPHINode().IsNil() {
		n = llvm.NextInstruction(n)
	}
	return n
}

// phi makes a meta word that follows a pointer through branches.
func (f *function) phi(v llvm.Value) llvm.Value {
	f.b.SetInsertPointBefore(v)
	p := f.b.CreatePHI(f.i64, "")
	f.metas[v] = p
	from := map[llvm.BasicBlock]llvm.Value{} // a switch enters from one block several times
	for k := 0; k < v.IncomingCount(); k++ {
		b := v.IncomingBlock(k)
		m, ok := from[b]
		if !ok {
			end := b.LastInstruction()
			f.b.SetInsertPointBefore(end)
			m = f.meta(v.IncomingValue(k), end)
			from[b] = m
		}
		p.AddIncoming([]llvm.Value{m}, []llvm.BasicBlock{b})
	}
	return p
}

// metaAt is meta with the builder left in front of an instruction.
func (f *function) metaAt(v, i llvm.Value) llvm.Value {
	f.b.SetInsertPointBefore(i)
	m := f.meta(v, i)
	f.b.SetInsertPointBefore(i)
	return m
}
