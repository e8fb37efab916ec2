//go:build llvm19

package main

import (
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file checks indices into arrays that are members of structs, rows of other arrays, or behind a pointer to an
// array (C11 6.5.6p8). An index outside of such an array may still lead into its variable or block, so that the check
// of the access sees nothing. Clang compares each index (-fsanitize=array-bounds) and branches to a trap. Here each
// branch becomes a mark, so that loops keep their form, and the mark becomes a call of the runtime when the function
// is instrumented. An array that is a whole variable is left to the check of the access, which says more.

// boundMark marks the use of an index: (index, limit that it has to be below, elements of the array).
const boundMark = "gulo_bound_mark"

// markBounds replaces clang's checks of indices by marks.
func markBounds(ctx llvm.Context, m llvm.Module) {
	b := ctx.NewBuilder()
	defer b.Dispose()
	i64 := ctx.Int64Type()
	mark := declareMark(ctx, m, b, boundMark, i64, i64, i64)
	data := llvm.NewTargetData(m.DataLayout())
	defer data.Dispose()
	for _, f := range defined(m) {
		for block := f.FirstBasicBlock(); !block.IsNil(); block = llvm.NextBasicBlock(block) {
			br := block.LastInstruction()
			if br.IsABranchInst().IsNil() || br.OperandsCount() != 3 {
				continue
			}
			trap, next := successors(block)[0], successors(block)[1] // LLVM keeps the false way first
			if !isTrap(trap) {
				continue
			}
			b.SetInsertPointBefore(br)
			at := innerElement(data, next)
			if c := br.Operand(0); !at.IsNil() && (c.IsAConstantInt().IsNil() || c.ZExtValue() == 0) {
				n := llvm.ConstInt(i64, uint64(at.GEPSourceElementType().ArrayLength()), false)
				index, limit := at.Operand(2), n
				if !c.IsAICmpInst().IsNil() {
					index, limit = c.Operand(0), c.Operand(1)
					if c.IntPredicate() == llvm.IntULE && !accessed(at) { // one past the end is allowed where only the address is taken; clang allows it for x++, too
						limit = b.CreateAdd(limit, llvm.ConstInt(i64, 1, false), "")
					}
				}
				mark(at, index, limit, n)
			}
			b.CreateBr(next)
			br.EraseFromParentAsInstruction()
		}
	}
	// The data of clang's reports lies in variables that nothing uses any more.
	for g := m.FirstGlobal(); !g.IsNil(); {
		next := llvm.NextGlobal(g)
		if g.Linkage() == llvm.PrivateLinkage && g.FirstUse().IsNil() {
			g.EraseFromParentAsGlobal()
		}
		g = next
	}
}

// accessed reports whether an address is loaded from or stored to.
func accessed(at llvm.Value) bool {
	for u := at.FirstUse(); !u.IsNil(); u = u.NextUse() {
		if x := u.User(); !x.IsALoadInst().IsNil() || !x.IsAStoreInst().IsNil() && x.Operand(1) == at {
			return true
		}
	}
	return false
}

// isTrap reports whether a block is where clang's checks fail.
func isTrap(b llvm.BasicBlock) bool {
	i := b.FirstInstruction()
	return !i.IsNil() && !i.IsACallInst().IsNil() && strings.HasPrefix(callee(i).Name(), "llvm.ubsantrap")
}

// innerElement returns the address that an index was checked for; nil if it is in no array, or if the array is a
// whole variable.
func innerElement(data llvm.TargetData, b llvm.BasicBlock) llvm.Value {
	for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
		if i.IsAGetElementPtrInst().IsNil() {
			continue
		}
		array := i.GEPSourceElementType()
		if array.TypeKind() != llvm.ArrayTypeKind || i.OperandsCount() != 3 {
			return llvm.Value{}
		}
		var whole llvm.Type
		switch v := i.Operand(0); {
		case !v.IsAAllocaInst().IsNil():
			whole = v.AllocatedType()
		case !v.IsAGlobalVariable().IsNil(): // the type of days[12] = {31} is that of its initializer, a struct of the given values and zeros
			whole = v.GlobalValueType()
		}
		if whole.C != nil && data.TypeAllocSize(whole) == data.TypeAllocSize(array) {
			return llvm.Value{}
		}
		return i
	}
	return llvm.Value{}
}
