//go:build llvm19

package main

import (
	"fmt"
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file keeps which variables a pointer went through that is in none any more. Cleanup turns most variables into
// registers, and an assignment to one is no instruction then; but it is a step of the pointer's chain. So each
// assignment is a copy while cleanup runs (llvm.ssa.copy, which LLVM looks through, but leaves in place). Afterwards the
// copies go away, and it is kept for each use of a pointer which assignments lie between the pointer and the use. Sites
// have these steps as constants: they take no time while the program runs.

// use is the k-th operand of an instruction.
type use struct {
	user llvm.Value
	k    int
}

const ssaCopy = "llvm.ssa.copy.p0"

// copySteps makes the assignments of pointers to variables copies.
func copySteps(ctx llvm.Context, m llvm.Module) {
	b := ctx.NewBuilder()
	defer b.Dispose()
	p := llvm.PointerType(ctx.Int8Type(), 0)
	t := llvm.FunctionType(p, []llvm.Type{p}, false)
	f := m.NamedFunction(ssaCopy)
	if f.IsNil() {
		f = llvm.AddFunction(m, ssaCopy, t)
	}
	for _, g := range defined(m) {
		for block := g.FirstBasicBlock(); !block.IsNil(); block = llvm.NextBasicBlock(block) {
			for i := block.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
				if i.IsAStoreInst().IsNil() || i.IsVolatile() || i.Operand(0).Type() != p || !i.Operand(0).IsAArgument().IsNil() || !isRegister(i.Operand(1)) {
					continue
				}
				b.SetInsertPointBefore(i)
				c := b.CreateCall(t, f, []llvm.Value{i.Operand(0)}, "")
				c.InstructionSetDebugLoc(i.InstructionDebugLoc())
				i.SetOperand(0, c)
			}
		}
	}
}

// isRegister reports whether a pointer is of a variable that only loads and stores use.
func isRegister(v llvm.Value) bool {
	if v.IsAAllocaInst().IsNil() {
		return false
	}
	for u := v.FirstUse(); !u.IsNil(); u = u.NextUse() {
		if x := u.User(); x.IsALoadInst().IsNil() && (x.IsAStoreInst().IsNil() || x.Operand(0) == v) && (x.IsACallInst().IsNil() || !strings.HasPrefix(callee(x).Name(), "llvm.")) {
			return false
		}
	}
	return true
}

// copiesIn lists the copies of a function.
func copiesIn(f llvm.Value) (out []llvm.Value) {
	for b := f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			if !i.IsACallInst().IsNil() && callee(i).Name() == ssaCopy {
				out = append(out, i)
			}
		}
	}
	return out
}

// dropSteps removes the copies that nothing uses.
func dropSteps(m llvm.Module) {
	for _, f := range defined(m) {
		for again := true; again; {
			again = false
			for _, c := range copiesIn(f) {
				if c.FirstUse().IsNil() {
					c.EraseFromParentAsInstruction()
					again = true
				}
			}
		}
	}
}

// takeSteps removes the copies, and returns the places of those that each use had before it, the last one first.
func takeSteps(m llvm.Module) map[use][]llvm.Metadata {
	out := map[use][]llvm.Metadata{}
	for _, f := range defined(m) {
		list := copiesIn(f)
		isCopy := map[llvm.Value]bool{}
		for _, c := range list {
			isCopy[c] = true
		}
		for _, c := range list {
			var steps []llvm.Metadata
			for x := c; isCopy[x]; x = x.Operand(0) {
				if l := x.InstructionDebugLoc(); !l.IsNil() && l.LocationLine() > 0 {
					steps = append(steps, l)
				}
			}
			for u := c.FirstUse(); !u.IsNil(); u = u.NextUse() {
				for k := 0; k < u.User().OperandsCount() && !isCopy[u.User()]; k++ {
					if u.User().Operand(k) == c {
						out[use{u.User(), k}] = steps
					}
				}
			}
		}
		for _, c := range list {
			c.ReplaceAllUsesWith(c.Operand(0))
			c.EraseFromParentAsInstruction()
		}
	}
	return out
}

// stepsTo lists the assignments between where a pointer comes from and its use as the k-th operand of i, the last one
// first: to where it is loaded, returned, passed or joined with others.
func (f *function) stepsTo(i llvm.Value, k int) []llvm.Metadata {
	out := f.steps[use{i, k}]
	for v := i.Operand(k); !v.IsAGetElementPtrInst().IsNil(); v = v.Operand(0) {
		out = append(out[:len(out):len(out)], f.steps[use{v, 0}]...)
	}
	return out
}

// from makes the site of an instruction whose k-th operand is the pointer that it is about.
func (f *function) from(i llvm.Value, k int, what string) llvm.Value {
	if !f.site.IsNil() || !f.c.Chains {
		return f.at(i, what)
	}
	via := llvm.ConstPointerNull(f.ptr)
	list := f.stepsTo(i, k)
	key := ""
	for n := len(list) - 1; n >= 0; n-- {
		l := list[n]
		key += fmt.Sprintf("%s:%s:%d:%d ", fileOf(l), f.name, l.LocationLine(), l.LocationColumn())
		old, ok := f.ways[key]
		if !ok {
			old = llvm.AddGlobal(f.m, f.module.site, "gulo.step")
			old.SetInitializer(f.placed(fileOf(l), f.name, "stored", l.LocationLine(), l.LocationColumn(), via))
			old.SetLinkage(llvm.PrivateLinkage)
			old.SetGlobalConstant(true)
			f.ways[key] = old
		}
		via = old
	}
	return f.through(i, what, via)
}

// null is the meta word of the constant NULL as an operand of i: it comes from the assignment that the operand went
// through, otherwise from the instruction at.
func (f *function) null(i, at llvm.Value) llvm.Value {
	for k := range i.OperandsCount() {
		if list := f.steps[use{i, k}]; f.site.IsNil() && len(list) > 0 && !i.Operand(k).IsAConstantPointerNull().IsNil() {
			l := list[len(list)-1]
			none := llvm.ConstPointerNull(f.ptr)
			return f.call(at, "gulo_made_null", f.newSite(f.placed(fileOf(l), f.name, "NULL", l.LocationLine(), l.LocationColumn(), none)))
		}
	}
	return f.call(at, "gulo_made_null", f.at(at, "NULL"))
}
