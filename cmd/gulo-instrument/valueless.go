//go:build llvm19

package main

import "tinygo.org/x/go-llvm"

// This file finds functions that end without a value which their callers use (C11 6.9.1p12). Such a function tells
// the runtime how it ends, and a caller that uses its value asks.
//
// Both are marked before anything is optimized. Until then, clang keeps the value of a function with several ends in
// a variable retval, which each return statement stores to. Structs are left out: clang builds them in place, so that
// no store tells.

// Marks of the places, which become calls of the runtime when the function is instrumented.
const (
	endMark = "gulo_end_mark" // (was a value stored, the function)
	useMark = "gulo_use_mark" // (the function that was called)
)

// isMark has the marks of this file and of bounds.go.
var isMark = map[string]bool{endMark: true, useMark: true, boundMark: true, nullMark: true}

// markValues inserts the marks.
func markValues(ctx llvm.Context, m llvm.Module) {
	b := ctx.NewBuilder()
	defer b.Dispose()
	ptr, i32 := llvm.PointerType(ctx.Int8Type(), 0), ctx.Int32Type()
	end, use := declareMark(ctx, m, b, endMark, i32, ptr), declareMark(ctx, m, b, useMark, ptr)
	open := map[llvm.Value]bool{}
	for _, f := range defined(m) {
		if result := openResult(f); !result.IsNil() {
			open[f] = true
			head := f.FirstBasicBlock().FirstInstruction()
			b.SetInsertPointBefore(head)
			valued := b.CreateAlloca(i32, "valued")
			b.CreateStore(llvm.ConstInt(i32, 0, false), valued)
			for u := result.FirstUse(); !u.IsNil(); u = u.NextUse() {
				if s := u.User(); !s.IsAStoreInst().IsNil() {
					b.SetInsertPointBefore(s)
					b.CreateStore(llvm.ConstInt(i32, 1, false), valued)
				}
			}
			for block := f.FirstBasicBlock(); !block.IsNil(); block = llvm.NextBasicBlock(block) {
				if r := block.LastInstruction(); !r.IsAReturnInst().IsNil() {
					b.SetInsertPointBefore(r)
					end(r, b.CreateLoad(i32, valued, ""), f)
				}
			}
		}
	}
	for _, f := range defined(m) {
		for block := f.FirstBasicBlock(); !block.IsNil(); block = llvm.NextBasicBlock(block) {
			for i := block.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
				if mayLackValue(i, open) && usedAtAll(i, map[llvm.Value]bool{}) {
					b.SetInsertPointBefore(llvm.NextInstruction(i))
					use(i, callee(i))
				}
			}
		}
	}
}

// declareMark declares a mark. It returns a function that inserts the mark where b stands, with the place of the
// instruction at.
func declareMark(ctx llvm.Context, m llvm.Module, b llvm.Builder, name string, args ...llvm.Type) func(at llvm.Value, args ...llvm.Value) {
	t := llvm.FunctionType(ctx.VoidType(), args, false)
	f := llvm.AddFunction(m, name, t)
	// Nothing that the program sees depends on it: only its place counts.
	const inaccessible = 3 << 2
	f.AddFunctionAttr(ctx.CreateEnumAttribute(llvm.AttributeKindID("memory"), inaccessible))
	for _, a := range []string{"nounwind", "willreturn"} {
		f.AddFunctionAttr(ctx.CreateEnumAttribute(llvm.AttributeKindID(a), 0))
	}
	return func(at llvm.Value, args ...llvm.Value) {
		c := b.CreateCall(t, f, args, "")
		c.InstructionSetDebugLoc(at.InstructionDebugLoc())
	}
}

// openResult returns the variable that a function keeps its value in, if the function may end without a store to it;
// otherwise nil. It leaves out main, which returns 0 then, and functions with inline assembly, which may set the
// value.
func openResult(f llvm.Value) llvm.Value {
	none, result := llvm.Value{}, llvm.Value{}
	for i := f.FirstBasicBlock().FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
		if !i.IsAAllocaInst().IsNil() && i.Name() == "retval" {
			result = i
		}
	}
	if result.IsNil() || f.Name() == "main" {
		return none
	}
	switch result.AllocatedType().TypeKind() {
	case llvm.IntegerTypeKind, llvm.PointerTypeKind, llvm.FloatTypeKind, llvm.DoubleTypeKind, llvm.X86_FP80TypeKind:
	default:
		return none
	}
	seen, ends := map[llvm.BasicBlock]bool{}, false
	var walk func(b llvm.BasicBlock)
	walk = func(b llvm.BasicBlock) {
		if seen[b] {
			return
		}
		seen[b] = true
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			if !i.IsAStoreInst().IsNil() && i.Operand(1) == result {
				return
			}
		}
		ends = ends || !b.LastInstruction().IsAReturnInst().IsNil()
		for _, s := range successors(b) {
			walk(s)
		}
	}
	walk(f.FirstBasicBlock())
	if !ends || hasAssembler(f) {
		return none
	}
	return result
}

func hasAssembler(f llvm.Value) bool {
	for b := f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			if !i.IsACallInst().IsNil() && !callee(i).IsAInlineAsm().IsNil() {
				return true
			}
		}
	}
	return false
}

// mayLackValue reports whether a call may end without a value: its callee is in open, or is not defined in this file
// and not of the system.
func mayLackValue(i llvm.Value, open map[llvm.Value]bool) bool {
	if i.IsACallInst().IsNil() || i.Type().TypeKind() == llvm.VoidTypeKind {
		return false
	}
	to := callee(i)
	switch {
	case !to.IsAInlineAsm().IsNil():
		return false
	case to.IsAFunction().IsNil():
		return true
	case to.IsDeclaration():
		return !fromSystem(to)
	}
	return open[to]
}

// usedAtAll reports whether anything uses a value. To be passed on as part of a value that nobody uses does not
// count, as with c ? f(0) : f(1);
func usedAtAll(v llvm.Value, seen map[llvm.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for u := v.FirstUse(); !u.IsNil(); u = u.NextUse() {
		if x := u.User(); !carries(x, v) || usedAtAll(x, seen) {
			return true
		}
	}
	return false
}

// marked replaces a mark by the call of the runtime that it stands for; false if the call is no mark.
func (f *function) marked(i llvm.Value, name string) bool {
	f.b.SetInsertPointBefore(i)
	switch name {
	case endMark:
		f.call(i, "gulo_valued_end", i.Operand(0), i.Operand(1), f.at(i, "end"))
	case useMark:
		f.call(i, "gulo_value_used", i.Operand(0), f.at(i, "used"))
	case boundMark:
		f.call(i, "gulo_index", i.Operand(0), i.Operand(1), i.Operand(2), f.at(i, "index"))
	case nullMark:
		f.call(i, "gulo_not_null", i.Operand(0), i.Operand(1), f.at(i, "null"))
	default:
		return false
	}
	i.EraseFromParentAsInstruction()
	return true
}
