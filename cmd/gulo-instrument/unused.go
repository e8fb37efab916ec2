//go:build llvm19

package main

import "tinygo.org/x/go-llvm"

// This file keeps what a program reads but does not use: int x = p[1], where nothing looks at x, and the result of
// strlen that is dropped. Such a read may be as wrong as any other, but cleanup takes away instructions whose value
// nothing needs.

// unusedMark marks a value that nothing needs.
const unusedMark = "gulo_unused_mark"

// markUnused uses each value that was read from memory, by a load or by a call that does no more than read, and that
// nothing needs. It is called when variables have become registers, so that a value that is only put into a variable
// counts as well. It returns the mark, whose calls unmark takes away.
func markUnused(ctx llvm.Context, m llvm.Module) llvm.Value {
	t := llvm.FunctionType(ctx.VoidType(), nil, true)
	mark := llvm.AddFunction(m, unusedMark, t)
	const inaccessible = 3 << 2 // nothing that the program sees depends on it
	mark.AddFunctionAttr(ctx.CreateEnumAttribute(llvm.AttributeKindID("memory"), inaccessible))
	for _, a := range []string{"nounwind", "willreturn"} {
		mark.AddFunctionAttr(ctx.CreateEnumAttribute(llvm.AttributeKindID(a), 0))
	}
	b := ctx.NewBuilder()
	defer b.Dispose()
	for _, f := range defined(m) {
		for _, i := range unneeded(f) {
			b.SetInsertPointBefore(after(i))
			c := b.CreateCall(t, mark, []llvm.Value{i}, "")
			c.InstructionSetDebugLoc(i.InstructionDebugLoc())
		}
	}
	return mark
}

// unmark takes the calls of a mark away, and the mark.
func unmark(mark llvm.Value) {
	for u := mark.FirstUse(); !u.IsNil(); u = mark.FirstUse() {
		u.User().EraseFromParentAsInstruction()
	}
	mark.EraseFromParentAsFunction()
}

// unneeded returns the reads of a function whose value nothing needs: no instruction that does more than compute a
// value depends on it.
func unneeded(f llvm.Value) (out []llvm.Value) {
	needed, open := map[llvm.Value]bool{}, []llvm.Value{}
	need := func(i llvm.Value) {
		if !i.IsAInstruction().IsNil() && !needed[i] {
			needed[i] = true
			open = append(open, i)
		}
	}
	var reads []llvm.Value
	for b := f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			switch {
			case onlyReads(i):
				reads = append(reads, i)
			case acts(i):
				need(i)
			}
		}
	}
	if len(reads) == 0 {
		return nil
	}
	for len(open) > 0 {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		for k := range i.OperandsCount() {
			need(i.Operand(k))
		}
	}
	for _, i := range reads {
		if !needed[i] {
			out = append(out, i)
		}
	}
	return out
}

// onlyReads reports whether an instruction reads memory and does nothing else.
func onlyReads(i llvm.Value) bool {
	if !i.IsALoadInst().IsNil() {
		return !i.IsVolatile()
	}
	return !i.IsACallInst().IsNil() && effects(i) == 1
}

// acts reports whether an instruction does more than compute a value.
func acts(i llvm.Value) bool {
	switch {
	case !i.IsACallInst().IsNil():
		return effects(i) > 1
	case !i.IsALoadInst().IsNil():
		return true
	case !i.IsAStoreInst().IsNil(), i == i.InstructionParent().LastInstruction():
		return true
	}
	return i.InstructionOpcode() == atomicRMW || i.InstructionOpcode() == atomicCmpXchg || i.InstructionOpcode() == fence
}

// effects returns what a call may do to memory: 0 nothing, 1 read it, 2 anything, or not return.
func effects(call llvm.Value) int {
	to := callee(call)
	if to.IsAFunction().IsNil() || call.Type().TypeKind() == llvm.VoidTypeKind {
		return 2
	}
	a := to.GetEnumFunctionAttribute(llvm.AttributeKindID("memory"))
	if a.IsNil() {
		return 2
	}
	for _, n := range []string{"nounwind", "willreturn"} {
		if to.GetEnumFunctionAttribute(llvm.AttributeKindID(n)).IsNil() {
			return 2
		}
	}
	switch how := a.GetEnumValue(); {
	case how == 0:
		return 0
	case how&0b101010 == 0:
		return 1
	}
	return 2
}
