//go:build llvm19

package main

import (
	"maps"

	"tinygo.org/x/go-llvm"
)

// This file makes functions that do not return look as if they did, and their callers as if they used their variables
// afterwards. A leak is a block that nothing points to when exit is called. If clang knew that a caller never goes
// on, it would drop the caller's variables before the call, and their blocks would look lost.

const functionAttributes = -1

// returning removes noreturn from exit and from the program's own functions, and makes callers return after such a
// call.
func (x *module) returning(own []llvm.Value) {
	noreturn := llvm.AttributeKindID("noreturn")
	ends := map[llvm.Value]bool{}
	for f := x.m.FirstFunction(); !f.IsNil(); f = llvm.NextFunction(f) {
		if f.GetEnumFunctionAttribute(noreturn).IsNil() || f.IsDeclaration() && fromSystem(f) && f.Name() != "exit" || !plainTypes(f) {
			continue
		}
		f.RemoveEnumFunctionAttribute(noreturn)
		ends[f] = true
	}
	if len(ends) == 0 {
		return
	}
	for _, f := range own {
		var above map[llvm.BasicBlock]map[llvm.BasicBlock]bool
		for b := f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
			end := b.LastInstruction()
			if end.IsAUnreachableInst().IsNil() {
				continue
			}
			c := llvm.PrevInstruction(end)
			if c.IsNil() || c.IsACallInst().IsNil() || !ends[callee(c)] || c.OperandsCount()-1 != len(c.CalledFunctionType().ParamTypes()) {
				continue
			}
			var args []llvm.Value
			for k := range c.OperandsCount() - 1 {
				args = append(args, c.Operand(k))
			}
			x.b.SetInsertPointBefore(end)
			again := x.b.CreateCall(c.CalledFunctionType(), callee(c), args, "") // without the attributes of the old call
			again.InstructionSetDebugLoc(c.InstructionDebugLoc())
			if above == nil {
				above = dominators(f)
			}
			for _, v := range pointersIn(f, above[b], c) {
				x.b.CreateCall(x.types["gulo_alive"], x.funcs["gulo_alive"], []llvm.Value{v}, "").InstructionSetDebugLoc(again.InstructionDebugLoc())
			}
			var ret llvm.Value
			if t := f.GlobalValueType().ReturnType(); t == x.void {
				ret = x.b.CreateRetVoid()
			} else {
				ret = x.b.CreateRet(llvm.ConstNull(t))
			}
			ret.InstructionSetDebugLoc(again.InstructionDebugLoc())
			end.EraseFromParentAsInstruction()
			if !c.FirstUse().IsNil() {
				c.ReplaceAllUsesWith(again)
			}
			c.EraseFromParentAsInstruction()
		}
	}
}

// dominators returns the dominators of each block: the blocks that every way to it passes, itself included.
func dominators(f llvm.Value) map[llvm.BasicBlock]map[llvm.BasicBlock]bool {
	before, entry := predecessors(f), f.FirstBasicBlock()
	out := map[llvm.BasicBlock]map[llvm.BasicBlock]bool{entry: {entry: true}}
	for again := true; again; {
		again = false
		for b := llvm.NextBasicBlock(entry); !b.IsNil(); b = llvm.NextBasicBlock(b) {
			var now map[llvm.BasicBlock]bool
			for _, p := range before[b] {
				if d, ok := out[p]; ok {
					if now == nil {
						now = maps.Clone(d)
					}
					maps.DeleteFunc(now, func(x llvm.BasicBlock, _ bool) bool { return !d[x] })
				}
			}
			if now == nil {
				continue // nothing leads there yet
			}
			if now[b] = true; len(now) != len(out[b]) {
				out[b], again = now, true
			}
		}
	}
	return out
}

// mostAlive bounds how many pointers pointersIn returns; it keeps the latest.
const mostAlive = 32

// pointersIn lists the pointers that variables may hold at end: parameters, and those computed in the blocks before
// end.
func pointersIn(f llvm.Value, blocks map[llvm.BasicBlock]bool, end llvm.Value) (out []llvm.Value) {
	for _, p := range f.Params() {
		if isPointer(p) {
			out = append(out, p)
		}
	}
	for b := f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		if !blocks[b] {
			continue
		}
		for i := b.FirstInstruction(); !i.IsNil() && i != end; i = llvm.NextInstruction(i) {
			if isPointer(i) && i.IsAAllocaInst().IsNil() && i.IsAGetElementPtrInst().IsNil() {
				out = append(out, i)
			}
		}
	}
	return out[max(0, len(out)-mostAlive):]
}
