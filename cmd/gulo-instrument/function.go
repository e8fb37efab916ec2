//go:build llvm19

package main

import (
	"strings"

	"tinygo.org/x/go-llvm"
)

// function is a function being instrumented.
type function struct {
	*module
	f     llvm.Value
	name  string
	file  string
	first llvm.Value                // the first instruction behind the variables
	site  llvm.Value                // of a wrapper: where it is called
	metas map[llvm.Value]llvm.Value // meta words of pointers
	local map[llvm.Value]bool       // variables that only plain loads and stores use
	heads map[llvm.Value]bool       // variables that the function begins with; true: of known size
	frame frame
	known                           // at the present place
	moves map[llvm.Value]bool       // loads whose value is only stored again
	holes map[llvm.Value]llvm.Value // what tells whether a value was never written
	loop  map[llvm.BasicBlock]*loop // the smallest loop that a block is in
	ours  map[llvm.Value]bool       // instructions that compute something again for a test
	after map[llvm.Value]llvm.Value // by load, store and return: what stood before it and before all that is inserted in front of it
	late  map[llvm.Value]bool       // loads and stores that may come after the end of their variable's scope

	aggregates map[llvm.Value][]llvm.Value // meta words of structs that are values
	bits       map[llvm.Value]llvm.Value   // by struct that is loaded: which bytes were never written
	stored     map[llvm.Value]llvm.Value   // the same by parameter and result, for where they are stored
	list       llvm.Value                  // what is kept of variable arguments
	depth      llvm.Value                  // how many calls are on the stack
}

func newFunction(x *module, f llvm.Value) *function {
	return &function{
		module: x, f: f, name: f.Name(), metas: map[llvm.Value]llvm.Value{}, local: map[llvm.Value]bool{}, heads: map[llvm.Value]bool{},
		known: nothing(), moves: map[llvm.Value]bool{}, holes: map[llvm.Value]llvm.Value{}, ours: map[llvm.Value]bool{}, after: map[llvm.Value]llvm.Value{},
		aggregates: map[llvm.Value][]llvm.Value{}, bits: map[llvm.Value]llvm.Value{}, stored: map[llvm.Value]llvm.Value{},
	}
}

func (f *function) instrument() {
	var list []llvm.Value
	wrapper, isWrapper := f.wrappers[f.f]
	for b := f.f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		if isWrapper && b == wrapper.plain {
			continue
		}
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			list = append(list, i)
			if l := i.InstructionDebugLoc(); f.file == "" && !l.IsNil() {
				f.file = fileOf(l)
			}
		}
	}
	f.first = f.f.FirstBasicBlock().FirstInstruction()
	for !f.first.IsAAllocaInst().IsNil() {
		f.heads[f.first] = !f.first.Operand(0).IsAConstantInt().IsNil()
		f.first = llvm.NextInstruction(f.first)
	}
	if isWrapper {
		f.site, f.first = wrapper.site, llvm.NextInstruction(wrapper.site)
	}
	f.b.SetInsertPointBefore(f.first)
	f.depth = f.call(llvm.Value{}, "gulo_depth_here")
	f.arguments()
	f.variables(list)
	f.late = f.afterEnds(list)
	flow := newFlow(f)
	f.planLoops(flow)
	var block llvm.BasicBlock
	for _, i := range list {
		if b := i.InstructionParent(); b != block {
			flow.leave(block, f.known)
			block = b
			f.known = flow.enter(b)
		}
		if !i.IsAStoreInst().IsNil() || !i.IsALoadInst().IsNil() || !i.IsAReturnInst().IsNil() {
			f.after[i] = llvm.PrevInstruction(i)
		}
		f.instruction(i)
	}
	if f.c.Written && !f.c.AtRead {
		f.values()
	}
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
	if !f.site.IsNil() {
		return f.site
	}
	return f.through(i, what, llvm.ConstPointerNull(f.ptr))
}

// through is at with the first of the steps of the pointer that the site is about.
func (f *function) through(i llvm.Value, what string, via llvm.Value) llvm.Value {
	file, line, column := f.file, uint(0), uint(0)
	if l := i.InstructionDebugLoc(); !l.IsNil() {
		line, column = l.LocationLine(), l.LocationColumn()
		if n := fileOf(l); n != "" {
			file = n
		}
	} else if d := f.f.Subprogram(); !d.IsNil() {
		line = d.SubprogramLine()
	}
	return f.newSite(f.placed(file, f.name, what, line, column, via))
}

// call inserts a call of the runtime where the builder stands.
func (f *function) call(at llvm.Value, name string, args ...llvm.Value) llvm.Value {
	for k, t := range f.types[name].ParamTypes() {
		args[k] = f.converted(args[k], t)
	}
	c := f.b.CreateCall(f.types[name], f.funcs[name], args, "")
	if !at.IsNil() {
		c.InstructionSetDebugLoc(at.InstructionDebugLoc())
	}
	return c
}

// word converts a value to 64 bits for a rule; 0 for other types and for no value.
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

func (f *function) wide(v llvm.Value) llvm.Value {
	if v.Type() == f.i64 {
		return v
	}
	return f.b.CreateZExt(v, f.i64, "")
}

func callee(c llvm.Value) llvm.Value { return c.Operand(c.OperandsCount() - 1) }

// fixed strips constant offsets from an address; it returns the base and the sum of the offsets.
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
	v, _ = threadLocal(v)
	return v, off
}

// meta returns the meta word of a pointer, computed where the pointer is made; use is the instruction that uses it,
// which becomes the origin of a constant NULL.
func (f *function) meta(v, use llvm.Value) llvm.Value {
	if !f.c.Meta {
		return f.c64(0)
	}
	if !isPointer(v) && !isWord(v) {
		return f.c64(0)
	}
	if !v.IsAConstantPointerNull().IsNil() {
		if use.IsNil() || !f.c.Chains {
			return f.c64(0)
		}
		return f.null(use, use)
	}
	if m, ok := f.metas[v]; ok {
		return m
	}
	if !v.IsAConstant().IsNil() {
		base, _ := f.fixed(v)
		if m, ok := f.globals[base]; ok && !base.IsThreadLocal() {
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
	case v.InstructionOpcode() == llvm.PtrToInt, v.InstructionOpcode() == llvm.IntToPtr:
		f.b.SetInsertPointBefore(v)
		m = f.meta(v.Operand(0), v)
	case isWord(v) && !v.IsABinaryOperator().IsNil():
		m = f.arithmetic(v)
	case !v.IsALoadInst().IsNil():
		f.b.SetInsertPointBefore(after(v))
		word := v
		if !isPointer(v) {
			word = f.b.CreateIntToPtr(v, f.ptr, "")
		}
		m = f.call(v, "gulo_load_meta", v.Operand(0), word)
	case !v.IsAExtractValueInst().IsNil():
		first, _ := f.under(v.Operand(0).Type(), v.Indices())
		m = f.parts(v.Operand(0))[first]
	case !v.IsACallInst().IsNil():
		f.b.SetInsertPointBefore(after(v))
		if g, ok := threadLocal(v); ok {
			if f.c.Globals && !g.IsDeclaration() {
				m = f.call(v, "gulo_thread_local", v, f.c64(f.data.TypeAllocSize(g.GlobalValueType())), f.ownBlock(g), f.place("", "", "variable "+g.Name(), 0, 0))
			}
		} else if to := callee(v); !to.IsAFunction().IsNil() && f.ofLibrary(to) && f.fromLibrary(to.Name()) {
			own := 0
			if allocating[plain(to.Name())] {
				own = 1
			}
			m = f.call(v, "gulo_from_library", v, f.c32(own), f.at(v, "returned"))
		} else {
			m = f.call(v, "gulo_get_result", v)
		}
	}
	f.metas[v] = m
	return m
}

// isWord reports whether a value is a number of a pointer's size.
func isWord(v llvm.Value) bool {
	return v.Type().TypeKind() == llvm.IntegerTypeKind && v.Type().IntTypeWidth() == 64
}

// arithmetic is the meta word of a number computed from a pointer and a constant:
// tags put into low bits and taken out, offsets added.
func (f *function) arithmetic(v llvm.Value) llvm.Value {
	switch v.InstructionOpcode() {
	case llvm.Add, llvm.Sub, llvm.And, llvm.Or, llvm.Xor:
	default:
		return f.c64(0)
	}
	f.b.SetInsertPointBefore(v)
	if !v.Operand(1).IsAConstant().IsNil() {
		return f.meta(v.Operand(0), v)
	}
	// With a number that is not constant the result may be anything, as in a list that keeps the exclusive or of two
	// pointers: gulo_near finds out whether it points into the block.
	for k := range 2 {
		if x := v.Operand(k); x.IsAInstruction().IsNil() || x.InstructionOpcode() != llvm.PtrToInt {
			continue
		}
		if y := v.Operand(1 - k); y.IsAInstruction().IsNil() || y.InstructionOpcode() != llvm.PtrToInt {
			m := f.meta(v.Operand(k), v)
			f.b.SetInsertPointBefore(after(v))
			return f.call(v, "gulo_near", v, m)
		}
	}
	return f.c64(0)
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
			if in := v.IncomingValue(k); in.IsAConstantPointerNull().IsNil() || !f.c.Chains || !f.c.Meta {
				m = f.meta(in, end)
			} else {
				m = f.null(v, end)
			}
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
