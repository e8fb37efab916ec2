//go:build llvm19

package main

import (
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file has indices checked into arrays that are members of structs, rows of others or behind a pointer to an
// array (C11 6.5.6p8): what leaves them may be inside the variable or block all the same. Clang compares each index
// (-fsanitize=array-bounds) and branches to a trap; here the branch becomes a mark, so that loops stay as they are, and
// the mark a call of the runtime when the function is instrumented. Where the array is a whole variable the check of the
// access says more.

// boundMark marks the use of an index: (index, how many it may be, elements of the array).
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
			trap, next := successors(block)[0], successors(block)[1] // as LLVM has them
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
					if c.IntPredicate() == llvm.IntULE && !accessed(at) { // only its address is taken; clang says so of x++, too
						limit = b.CreateAdd(limit, llvm.ConstInt(i64, 1, false), "")
					}
				}
				mark(at, index, limit, n)
			}
			b.CreateBr(next)
			br.EraseFromParentAsInstruction()
		}
	}
	// What clang's reports would say is in variables that nothing uses.
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

// innerElement returns the address that an index was checked for, nil where it is in no array or that is a whole variable.
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
		case !v.IsAGlobalVariable().IsNil(): // of days[12] = {31} the type is that of the initializer: a struct of what is given and zeros
			whole = v.GlobalValueType()
		}
		if whole.C != nil && data.TypeAllocSize(whole) == data.TypeAllocSize(array) {
			return llvm.Value{}
		}
		return i
	}
	return llvm.Value{}
}
