//go:build llvm19

package main

import (
	"maps"

	"tinygo.org/x/go-llvm"
)

// This file carries what was tested from one basic block to the next, so that it
// is not tested twice.

// known is what holds at a place of a function, whatever way led there.
type known struct {
	read map[llvm.Value]checked // of a pointer's base: the offsets that were tested
	init map[llvm.Value]uint64  // how many bytes from a pointer on are written
}

// checked is a range of offsets from a base.
type checked struct{ from, to int64 }

func nothing() known { return known{map[llvm.Value]checked{}, map[llvm.Value]uint64{}} }

func (k known) clone() known { return known{maps.Clone(k.read), maps.Clone(k.init)} }

// forget drops what was tested: memory may have been freed since.
func (k *known) forget() { *k = nothing() }

// meet keeps what both ways have.
func (k *known) meet(o known) {
	for v, a := range k.read {
		b, ok := o.read[v]
		if a.from, a.to = max(a.from, b.from), min(a.to, b.to); !ok || a.from >= a.to {
			delete(k.read, v)
			continue
		}
		k.read[v] = a
	}
	for v, n := range k.init {
		if n = min(n, o.init[v]); n == 0 {
			delete(k.init, v)
		} else {
			k.init[v] = n
		}
	}
}

// flow is the graph of a function's blocks, and what is known where those that
// were done end.
type flow struct {
	before map[llvm.BasicBlock][]llvm.BasicBlock
	end    map[llvm.BasicBlock]known
}

func newFlow(f llvm.Value) *flow {
	w := &flow{map[llvm.BasicBlock][]llvm.BasicBlock{}, map[llvm.BasicBlock]known{}}
	for b := f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		for _, s := range successors(b) {
			w.before[s] = append(w.before[s], b)
		}
	}
	return w
}

func successors(b llvm.BasicBlock) (out []llvm.BasicBlock) {
	t := b.LastInstruction()
	for k := 0; k < t.OperandsCount(); k++ {
		if o := t.Operand(k); o.IsBasicBlock() {
			out = append(out, o.AsBasicBlock())
		}
	}
	return out
}

func (w *flow) leave(b llvm.BasicBlock, k known) {
	if !b.IsNil() {
		w.end[b] = k
	}
}

// enter returns what is known where a block begins: what all blocks before it
// know, and nothing when one of them is yet to come.
func (w *flow) enter(b llvm.BasicBlock) known {
	list := w.before[b]
	for _, p := range list {
		if _, ok := w.end[p]; !ok {
			return nothing()
		}
	}
	if len(list) == 0 {
		return nothing()
	}
	k := w.end[list[0]].clone()
	for _, p := range list[1:] {
		k.meet(w.end[p])
	}
	return k
}
