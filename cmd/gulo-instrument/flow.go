//go:build llvm19

package main

import (
	"maps"
	"strings"

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

// meet keeps what is known on both ways.
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

// flow is the graph of a function's blocks, with what is known at the end of each block that was done.
type flow struct {
	before map[llvm.BasicBlock][]llvm.BasicBlock
	end    map[llvm.BasicBlock]known
	loses  map[llvm.BasicBlock]loss
}

// loss says what part of the knowledge before a block does not hold after it.
type loss int

const (
	lossNone loss = iota
	lossInit      // what is written
	lossAll
)

func newFlow(f *function) *flow {
	w := &flow{predecessors(f.f), map[llvm.BasicBlock]known{}, map[llvm.BasicBlock]loss{}}
	for b := f.f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			w.loses[b] = max(w.loses[b], f.loss(i))
		}
	}
	return w
}

func (f *function) loss(i llvm.Value) loss {
	if i.IsACallInst().IsNil() {
		return lossNone
	}
	to := callee(i)
	switch name := to.Name(); {
	case to.IsAFunction().IsNil():
		return lossAll
	case strings.HasPrefix(name, "llvm.lifetime") && !f.local[i.Operand(1)]:
		if strings.HasPrefix(name, "llvm.lifetime.start") {
			return lossInit
		}
		return lossAll
	case strings.HasPrefix(name, "gulo_"), remembers(name):
		return lossNone
	case strings.HasPrefix(name, "llvm.stackrestore"), !f.calm[to]:
		return lossAll
	}
	return lossInit
}

func predecessors(f llvm.Value) map[llvm.BasicBlock][]llvm.BasicBlock {
	out := map[llvm.BasicBlock][]llvm.BasicBlock{}
	for b := f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		for _, s := range successors(b) {
			out[s] = append(out[s], b)
		}
	}
	return out
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
// know. At the beginning of a loop that is what the loop does not lose.
func (w *flow) enter(b llvm.BasicBlock) known {
	lost := lossNone
	var k *known
	for _, p := range w.before[b] {
		end, done := w.end[p]
		switch {
		case !done:
			lost = max(lost, w.round(b, p))
		case k == nil:
			c := end.clone()
			k = &c
		default:
			k.meet(end)
		}
	}
	switch {
	case k == nil || lost == lossAll:
		return nothing()
	case lost == lossInit:
		k.init = nothing().init
	}
	return *k
}

// round returns what is lost on the way from the beginning of a loop to the block from which it begins again. It
// returns lossAll when that is no loop, since some way there does not pass the beginning.
func (w *flow) round(head, last llvm.BasicBlock) loss {
	lost := w.loses[head]
	seen := map[llvm.BasicBlock]bool{head: true}
	for todo := []llvm.BasicBlock{last}; len(todo) > 0; {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		lost = max(lost, w.loses[b])
		if len(w.before[b]) == 0 || lost == lossAll {
			return lossAll
		}
		todo = append(todo, w.before[b]...)
	}
	return lost
}
