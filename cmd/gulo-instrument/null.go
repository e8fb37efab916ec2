//go:build llvm19

package main

import "tinygo.org/x/go-llvm"

// This file checks that no null pointer is passed to a parameter, or returned by a function, that the program itself
// says is never null (the attributes nonnull and returns_nonnull). Clang compares (-fsanitize=nonnull-attribute and
// returns-nonnull-attribute) and branches to a trap; the branch becomes a mark, as those of bounds.go do. What the
// headers of the system say of their functions is left to the models of these: memcpy(NULL, p, 0) is no error.

// nullMark marks a pointer that must not be null: (pointer, what it is).
const nullMark = "gulo_null_mark"

// The kinds of traps that are about null pointers, as clang numbers its checks.
const (
	nullArgument = 16
	nullResult   = 17
)

// trapKind is the number of the check that a trap is of.
func trapKind(trap llvm.BasicBlock) uint64 { return trap.FirstInstruction().Operand(0).ZExtValue() }

// markNulls returns a function that inserts a mark for a branch to a trap of a kind.
func markNulls(ctx llvm.Context, m llvm.Module, b llvm.Builder) func(br llvm.Value, next llvm.BasicBlock, kind uint64) {
	ptr, i32 := llvm.PointerType(ctx.Int8Type(), 0), ctx.Int32Type()
	mark := declareMark(ctx, m, b, nullMark, ptr, i32)
	return func(br llvm.Value, next llvm.BasicBlock, kind uint64) {
		c := br.Operand(0)
		if c.IsAICmpInst().IsNil() {
			return
		}
		p := c.Operand(0)
		at := br
		if kind == nullArgument {
			if at = taker(next, p); at.IsNil() {
				return
			}
		}
		b.SetInsertPointBefore(br)
		mark(at, p, llvm.ConstInt(i32, kind, false))
	}
}

// taker returns the call that is given a pointer, in a block or where it leads; nil where it is of a function of the
// system.
func taker(block llvm.BasicBlock, p llvm.Value) llvm.Value {
	for range 16 { // checks of other arguments
		for i := block.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			if i.IsACallInst().IsNil() {
				continue
			}
			for k := range i.OperandsCount() - 1 {
				if i.Operand(k) == p {
					to := callee(i)
					if !to.IsAFunction().IsNil() && to.IsDeclaration() && fromSystem(to) {
						return llvm.Value{}
					}
					return i
				}
			}
		}
		br := block.LastInstruction()
		if br.IsABranchInst().IsNil() {
			return llvm.Value{}
		}
		block = successors(block)[len(successors(block))-1]
	}
	return llvm.Value{}
}
