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
// is instrumented. In an array that is a whole variable an access is left to the check of the access, which says more;
// an address that is only computed is checked there, too.

// boundMark marks the use of an index: (index, limit that it has to be below, elements of the array).
const boundMark = "gulo_bound_mark"

// markBounds replaces clang's checks of indices by marks.
func markBounds(ctx llvm.Context, m llvm.Module) {
	b := ctx.NewBuilder()
	defer b.Dispose()
	i64 := ctx.Int64Type()
	mark := declareMark(ctx, m, b, boundMark, i64, i64, i64)
	null := markNulls(ctx, m, b)
	data := llvm.NewTargetData(m.DataLayout())
	defer data.Dispose()
	for _, f := range defined(m) {
		done := map[llvm.Value]bool{}
		for block := f.FirstBasicBlock(); !block.IsNil(); block = llvm.NextBasicBlock(block) {
			br := block.LastInstruction()
			if br.IsABranchInst().IsNil() || br.OperandsCount() != 3 {
				continue
			}
			trap, next := successors(block)[0], successors(block)[1] // LLVM keeps the false way first
			if !isTrap(trap) {
				continue
			}
			if k := trapKind(trap); k == nullArgument || k == nullResult {
				null(br, next, k)
			} else if x, index, n, ok := fixedOutside(data, br.Operand(0), next); ok {
				b.SetInsertPointBefore(x)
				mark(x, index, llvm.ConstInt(i64, n+1, false), llvm.ConstInt(i64, n, false))
			} else if e, ok := subscriptIn(data, next); ok {
				done[e.at] = true
				if index, limit, n, ok := e.compared(b, br.Operand(0)); ok && !(e.whole && reached(e.at)) {
					mark(e.at, index, limit, n)
				}
			}
			b.SetInsertPointBefore(br)
			b.CreateBr(next)
			br.EraseFromParentAsInstruction()
		}
		for _, at := range lastMembers(f) {
			index, n := at.Operand(2), uint64(at.GEPSourceElementType().ArrayLength())
			if c := index.IsAConstantInt(); done[at] || !c.IsNil() && c.ZExtValue() < n {
				continue
			}
			limit := n
			if !reached(at) {
				limit++
			}
			b.SetInsertPointBefore(at)
			mark(at, index, llvm.ConstInt(i64, limit, false), llvm.ConstInt(i64, n, false))
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

// fixedOutside returns the instruction that uses the address of an element outside a variable where clang computes that
// address itself, as it does of &table[-1]: the index, and how many elements there are. An access by such an address is
// left to the check of the access.
func fixedOutside(data llvm.TargetData, c llvm.Value, b llvm.BasicBlock) (i, index llvm.Value, n uint64, ok bool) {
	if c.IsAConstantInt().IsNil() || c.ZExtValue() != 0 {
		return i, index, 0, false
	}
	f := &function{module: &module{data: data}}
	outside := func(e, base llvm.Value, t llvm.Type, off int64) bool {
		if t.TypeKind() != llvm.ArrayTypeKind {
			return false
		}
		size := int64(data.TypeAllocSize(t.ElementType()))
		if n = uint64(t.ArrayLength()); size > 0 && (off < 0 || off > size*int64(n)) {
			index = llvm.ConstInt(e.Type().Context().Int64Type(), uint64(off/size), true)
			return true
		}
		return false
	}
	before := true // the first address that is computed when the program runs
	for i = b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
		if !i.IsAGetElementPtrInst().IsNil() {
			before = false
			if base, off := f.fixed(i); !base.IsAAllocaInst().IsNil() && !reached(i) && outside(i, base, base.AllocatedType(), off) {
				return i, index, n, true
			}
		}
		for k := 0; before && k < i.OperandsCount(); k++ {
			e := i.Operand(k)
			if e.IsAConstantExpr().IsNil() || e.Opcode() != llvm.GetElementPtr || !i.IsALoadInst().IsNil() || !i.IsAStoreInst().IsNil() && k == 1 {
				continue
			}
			if base, off := f.fixed(e); !base.IsAGlobalVariable().IsNil() && outside(e, base, base.GlobalValueType(), off) {
				return i, index, n, true
			}
		}
	}
	return i, index, 0, false
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

// subscript is an index that clang compares.
type subscript struct {
	at    llvm.Value // the address of the element
	row   llvm.Value // of an array of variable length whose elements are such arrays: how many numbers each has
	n     uint64     // elements, where the type says it
	whole bool       // the array is a whole variable
}

// subscriptIn returns the subscript that an index was compared for: its address is the first that the block behind the
// comparison computes.
func subscriptIn(data llvm.TargetData, b llvm.BasicBlock) (subscript, bool) {
	at := b.FirstInstruction()
	for !at.IsNil() && at.IsAGetElementPtrInst().IsNil() {
		at = llvm.NextInstruction(at)
	}
	if at.IsNil() {
		return subscript{}, false
	}
	e, base := subscript{at: at}, at.Operand(0)
	array := at.GEPSourceElementType()
	switch {
	case array.TypeKind() == llvm.ArrayTypeKind && at.OperandsCount() == 3:
		e.n = uint64(array.ArrayLength())
		var whole llvm.Type
		switch {
		case !base.IsAAllocaInst().IsNil():
			whole = base.AllocatedType()
		case !base.IsAGlobalVariable().IsNil(): // the type of days[12] = {31} is that of its initializer, a struct of the given values and zeros
			whole = base.GlobalValueType()
		}
		e.whole = whole.C != nil && data.TypeAllocSize(whole) == data.TypeAllocSize(array)
	case at.OperandsCount() == 2: // an array of variable length has the type of its elements
		e.whole = !base.IsAAllocaInst().IsNil()
		if step := at.Operand(1); !step.IsABinaryOperator().IsNil() && step.InstructionOpcode() == llvm.Mul && step.InstructionParent() == b {
			e.row = step.Operand(1)
		}
	default:
		return e, false
	}
	return e, true
}

// compared returns what the mark of a subscript has, from what clang compares; false if there is nothing to compare. It
// moves b.
func (e subscript) compared(b llvm.Builder, c llvm.Value) (index, limit, n llvm.Value, ok bool) {
	constant := !c.IsAConstantInt().IsNil()
	if constant && c.ZExtValue() != 0 || e.n == 0 && c.IsAICmpInst().IsNil() {
		return index, limit, n, false
	}
	b.SetInsertPointBefore(e.at)
	var address bool // one past the end is allowed where only the address is taken; clang allows it for x++, too
	if constant {    // clang has compared
		index = e.at.Operand(2)
		limit = llvm.ConstInt(index.Type(), e.n, false)
	} else {
		index, limit = c.Operand(0), c.Operand(1)
		address = c.IntPredicate() == llvm.IntULE && !accessed(e.at) && (e.row.IsNil() || !reached(e.at))
	}
	if !e.row.IsNil() { // clang compares with the length of all rows together
		limit = b.CreateUDiv(limit, e.row, "")
	}
	if n = limit; address {
		limit = b.CreateAdd(limit, llvm.ConstInt(limit.Type(), 1, false), "")
	}
	return index, limit, n, true
}

// reached reports whether an element, or something in it, is accessed.
func reached(at llvm.Value) bool {
	for u := at.FirstUse(); !u.IsNil(); u = u.NextUse() {
		switch x := u.User(); {
		case !x.IsAGetElementPtrInst().IsNil():
			if reached(x) {
				return true
			}
		case !x.IsACallInst().IsNil() && strings.HasPrefix(callee(x).Name(), "llvm.mem"):
			return true
		}
	}
	return accessed(at)
}

// lastMembers returns the addresses of elements of arrays that are the last member of a struct, where something else is
// known to follow the array. Clang does not look at their indices, since such an array may be a flexible one, whatever
// its length says; but not if the struct is an element of an array that is a variable, or is itself a member of a
// struct, and not the last.
func lastMembers(f llvm.Value) (out []llvm.Value) {
	for block := f.FirstBasicBlock(); !block.IsNil(); block = llvm.NextBasicBlock(block) {
		for i := block.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			if i.IsAGetElementPtrInst().IsNil() || i.OperandsCount() != 3 || i.GEPSourceElementType().TypeKind() != llvm.ArrayTypeKind || i.GEPSourceElementType().ArrayLength() == 0 {
				continue
			}
			if p := i.Operand(0); !p.IsAGetElementPtrInst().IsNil() && p.GEPSourceElementType().TypeKind() == llvm.StructTypeKind && followedBy(p, i.GEPSourceElementType(), false) {
				out = append(out, i)
			}
		}
	}
	return out
}

// followedBy reports whether something is known to follow what is at p, which is of type t; element says that it is an
// element of an array or part of one.
func followedBy(p llvm.Value, t llvm.Type, element bool) bool {
	switch {
	case !p.IsAAllocaInst().IsNil():
		return element && p.AllocatedType() == t
	case !p.IsAGlobalVariable().IsNil():
		return element && p.GlobalValueType() == t
	case p.IsAGetElementPtrInst().IsNil() || p.OperandsCount() != 3:
		return false
	}
	in := p.GEPSourceElementType()
	switch in.TypeKind() {
	case llvm.ArrayTypeKind:
		return in.ElementType() == t && followedBy(p.Operand(0), in, true)
	case llvm.StructTypeKind:
		k, all := int(p.Operand(2).ZExtValue()), in.StructElementTypes()
		last := len(all) - 1
		if pad := all[last]; pad.TypeKind() == llvm.ArrayTypeKind && pad.ElementType() == pad.Context().Int8Type() && k == last-1 {
			last-- // what clang fills an aligned struct up with
		}
		return all[k] == t && (k < last || followedBy(p.Operand(0), in, element))
	}
	return false
}
