//go:build llvm19

package main

import (
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file finds the global variables that may hold an uninitialized value although they are written: those that a
// value is copied to which was loaded from elsewhere. Of other global variables that are read by name it is known that
// they are written, and nothing is tested.

// copiedTo returns the global variables that values are copied to. A copy from a global variable counts only if that
// one may hold an uninitialized value itself.
func (x *module) copiedTo() map[llvm.Value]bool {
	f := &function{module: x}
	type move struct{ from, to llvm.Value }
	var moves []move
	for _, g := range defined(x.m) {
		for b := g.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
			for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
				p, q, ok := copyOf(i)
				if !ok {
					continue
				}
				if to := variableOf(p); !to.IsNil() {
					from, _ := f.fixed(q)
					moves = append(moves, move{from, to})
				}
			}
		}
	}
	out := map[llvm.Value]bool{}
	for again := true; again; {
		again = false
		for _, m := range moves {
			if !out[m.to] && (m.from.IsAGlobalVariable().IsNil() || out[m.from]) {
				out[m.to], again = true, true
			}
		}
	}
	return out
}

// Pointers are left out: programs keep the heads of their lists and stacks in global variables, read them all the time,
// and where one was never written the access through it says so.

// mayBeUnset reports whether a global variable may hold an uninitialized value, so that a store has to tell that it is
// written: values are copied to it here, or maybe in another file.
func (x *module) mayBeUnset(g llvm.Value) bool {
	return x.copied[g] || !isPointerVariable(g) && g.Linkage() != llvm.InternalLinkage && g.Linkage() != llvm.PrivateLinkage && !g.IsThreadLocal()
}

func isPointerVariable(g llvm.Value) bool {
	return g.GlobalValueType().TypeKind() == llvm.PointerTypeKind
}

// copyOf returns to where and from where an instruction copies; false if it does not.
func copyOf(i llvm.Value) (to, from llvm.Value, ok bool) {
	switch {
	case !i.IsAStoreInst().IsNil() && !i.Operand(0).IsALoadInst().IsNil() && !isPointer(i.Operand(0)):
		return i.Operand(1), i.Operand(0).Operand(0), true
	case !i.IsACallInst().IsNil() && i.OperandsCount() > 3:
		name := callee(i).Name()
		if strings.HasPrefix(name, "llvm.memcpy") || strings.HasPrefix(name, "llvm.memmove") || movers[name] && !strings.HasSuffix(name, "set") {
			return i.Operand(0), i.Operand(1), true
		}
	}
	return to, from, false
}

// variableOf returns the global variable that an address is in, at any place; nil for none.
func variableOf(p llvm.Value) llvm.Value {
	for !p.IsAGetElementPtrInst().IsNil() || !p.IsAConstantExpr().IsNil() && p.Opcode() == llvm.GetElementPtr {
		p = p.Operand(0)
	}
	if p.IsAGlobalVariable().IsNil() {
		return llvm.Value{}
	}
	return p
}
