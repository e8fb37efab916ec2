//go:build llvm19

package main

import (
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file tests accesses that walk through a block once before their loop, instead of every time round. Such a loop
// has to be left only at its end, by a counter that reaches a limit known before. Then all addresses of an access
// whose place changes by the same step each time lie between its first and its last. When that range is not inside
// one block, or not all written, every access is tested as anywhere else, and the error is seen where it happens.

// loop is a loop of a function.
type loop struct {
	in      llvm.BasicBlock // the block that leads to it
	head    llvm.BasicBlock
	last    llvm.BasicBlock // the block from which it begins again, or is left
	body    map[llvm.BasicBlock]bool
	forgets bool // something in it may make bytes unwritten

	rounds llvm.Value            // how often it goes round, 0 if that is not known or too seldom; nil: never known
	sure   llvm.Value            // not 0 when none of the accesses below can fail; nil without any
	covers map[llvm.Value]uint64 // by address, how many bytes of it
}

// loops finds the loops that are entered in one place and left in one. It returns the smallest loop that each block
// is in.
func (f *function) loops(flow *flow) map[llvm.BasicBlock]*loop {
	out := map[llvm.BasicBlock]*loop{}
	for h, before := range flow.before {
		if len(before) != 2 {
			continue
		}
		for k, last := range before {
			l := flow.loop(h, last, before[1-k])
			if l == nil {
				continue
			}
			l.forgets = f.forgets(l)
			for b := range l.body {
				if o := out[b]; o == nil || len(l.body) < len(o.body) {
					out[b] = l
				}
			}
		}
	}
	return out
}

// loop returns the loop from head to last, from which it begins again. It returns nil if there is none, or if
// something in it may end blocks of memory.
func (w *flow) loop(head, last, in llvm.BasicBlock) *loop {
	l := &loop{in: in, head: head, last: last, body: map[llvm.BasicBlock]bool{head: true}, covers: map[llvm.Value]uint64{}}
	for todo := []llvm.BasicBlock{last}; len(todo) > 0; {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if l.body[b] {
			continue
		}
		l.body[b] = true
		todo = append(todo, w.before[b]...)
	}
	if l.body[in] {
		return nil // reached past the head: no loop, or one entered elsewhere too
	}
	for b := range l.body {
		if w.loses[b] == lossAll || len(w.before[b]) == 0 {
			return nil
		}
		for _, s := range successors(b) {
			if !l.body[s] && b != last {
				return nil
			}
		}
	}
	return l
}

// forgets reports whether something in a loop may make bytes unwritten: a call, or
// storing what was loaded.
func (f *function) forgets(l *loop) bool {
	for b := range l.body {
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			if f.loss(i) != lossNone || !i.IsAStoreInst().IsNil() && mayBeLoaded(i.Operand(0), map[llvm.Value]bool{}) {
				return true
			}
		}
	}
	return false
}

func mayBeLoaded(v llvm.Value, seen map[llvm.Value]bool) bool {
	if seen[v] || v.IsAInstruction().IsNil() {
		return false
	}
	seen[v] = true
	if !v.IsALoadInst().IsNil() {
		return true
	}
	if v.IsAPHINode().IsNil() && v.IsASelectInst().IsNil() && !takesApart(v) {
		return false
	}
	for k := 0; k < v.OperandsCount(); k++ {
		if mayBeLoaded(v.Operand(k), seen) {
			return true
		}
	}
	return false
}

// sure returns a value computed before the loop that an access is in: not 0 when the access cannot fail. It returns
// nil if there is none.
func (f *function) sure(i, p llvm.Value, size uint64) llvm.Value {
	if l := f.loop[i.InstructionParent()]; l != nil && l.covers[p] >= size {
		return l.sure
	}
	return llvm.Value{}
}

// sureWritten is sure for the test whether bytes are written; nil in a loop that may make bytes unwritten.
func (f *function) sureWritten(i, p llvm.Value, size uint64) llvm.Value {
	if l := f.loop[i.InstructionParent()]; l == nil || l.forgets {
		return llvm.Value{}
	}
	return f.sure(i, p, size)
}

// unless inserts a test of an access, which is skipped when sure, if there is one, is not 0.
func (f *function) unless(sure, i llvm.Value, name string, args ...llvm.Value) llvm.Value {
	if sure.IsNil() {
		return f.call(i, name, args...)
	}
	return f.call(i, name+"_unless", append([]llvm.Value{sure}, args...)...)
}

// planLoops finds a function's loops and inserts, before each, the tests of its
// accesses.
func (f *function) planLoops(flow *flow) {
	if f.c.Deref != "bounds" {
		return
	}
	f.loop = f.loops(flow)
	done := map[*loop]bool{}
	for b := f.f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		if l := f.loop[b]; l != nil && !done[l] {
			done[l] = true
			f.plan(l)
		}
	}
}

func (f *function) plan(l *loop) {
	end := l.in.LastInstruction()
	before := llvm.PrevInstruction(end)
	defer func() { f.own(before, end) }()
	if l.rounds = f.rounds(l); l.rounds.IsNil() {
		return
	}
	for b := f.f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		if f.loop[b] != l {
			continue
		}
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			switch {
			case !i.IsALoadInst().IsNil():
				f.cover(l, i.Operand(0), f.data.TypeStoreSize(i.Type()))
			case !i.IsAStoreInst().IsNil():
				f.cover(l, i.Operand(1), f.data.TypeStoreSize(i.Operand(0).Type()))
			}
		}
	}
}

// cover adds an access to those that are tested before a loop.
func (f *function) cover(l *loop, p llvm.Value, size uint64) {
	step, exts, ok := l.step(f, p)
	if !ok || step == 0 || exts > 1 || l.covers[p] >= size {
		return
	}
	written := f.c.Written && !l.forgets
	if far := max(step, -step); far > 1<<16 || written && far > 2*int64(size) {
		return
	}
	root := p
	for !root.IsAGetElementPtrInst().IsNil() && l.contains(root) {
		root = root.Operand(0)
	}
	if start, _, ok := l.counter(f, root); ok {
		root = start
	}
	end := l.in.LastInstruction()
	m := f.metaAt(root, end)
	if !m.IsAConstant().IsNil() {
		return
	}
	first := l.value(f, p, f.c64(0))
	last := l.value(f, p, f.b.CreateSub(l.rounds, f.c64(1), ""))
	if l.sure.IsNil() {
		l.sure = f.c32(1)
	}
	l.sure = f.call(llvm.Value{}, "gulo_inside", l.sure, first, last, f.c64(uint64(step)), f.c64(size), l.rounds, m)
	if written {
		l.sure = f.call(llvm.Value{}, "gulo_inside_written", l.sure, first, last, f.c64(size))
	}
	l.covers[p] = size
}

// own records the instructions between two as inserted: the program has none of them, so that nothing is tested for
// them.
func (f *function) own(before, end llvm.Value) {
	i := end.InstructionParent().FirstInstruction()
	if !before.IsNil() {
		i = llvm.NextInstruction(before)
	}
	for ; i != end; i = llvm.NextInstruction(i) {
		f.ours[i] = true
	}
}

// contains reports whether a value is computed in a loop.
func (l *loop) contains(v llvm.Value) bool {
	return !v.IsAInstruction().IsNil() && l.body[v.InstructionParent()]
}

// counter returns the first value and the step of a value that changes by the same constant each round.
func (l *loop) counter(f *function, v llvm.Value) (start llvm.Value, step int64, ok bool) {
	if v.IsAPHINode().IsNil() || v.InstructionParent() != l.head || v.IncomingCount() != 2 {
		return start, 0, false
	}
	next := v.IncomingValue(0)
	start = v.IncomingValue(1)
	if v.IncomingBlock(0) != l.last {
		next, start = start, next
	}
	if next.IsAInstruction().IsNil() || next.OperandsCount() != 2 || next.Operand(0) != v || next.Operand(1).IsAConstantInt().IsNil() {
		return start, 0, false
	}
	c := next.Operand(1).SExtValue()
	switch {
	case next.InstructionOpcode() == llvm.Add:
		return start, c, true
	case next.InstructionOpcode() == llvm.Sub:
		return start, -c, true
	case next.InstructionOpcode() == llvm.GetElementPtr:
		return start, c * int64(f.data.TypeAllocSize(next.GEPSourceElementType())), true
	}
	return start, 0, false
}

// step returns by how much a value changes each round, and how often a narrower number is extended on the way: there
// a counter that wraps would jump.
func (l *loop) step(f *function, v llvm.Value) (step int64, exts int, ok bool) {
	if !l.contains(v) {
		return 0, 0, true
	}
	if _, c, ok := l.counter(f, v); ok {
		return c, 0, true
	}
	two := func(sign int64) (int64, int, bool) {
		a, m, ok1 := l.step(f, v.Operand(0))
		b, n, ok2 := l.step(f, v.Operand(1))
		return a + sign*b, m + n, ok1 && ok2
	}
	constant := func(scale func(a, c int64) int64) (int64, int, bool) {
		a, m, ok := l.step(f, v.Operand(0))
		c := v.Operand(1)
		if !ok || c.IsAConstantInt().IsNil() || c.SExtValue() < 0 || c.SExtValue() > 1<<16 {
			return 0, 0, false
		}
		return scale(a, c.SExtValue()), m, a < 1<<32 && a > -1<<32
	}
	switch v.InstructionOpcode() {
	case llvm.Add:
		return two(1)
	case llvm.Sub:
		return two(-1)
	case llvm.Mul:
		return constant(func(a, c int64) int64 { return a * c })
	case llvm.Shl:
		return constant(func(a, c int64) int64 { return a << min(c, 30) })
	case llvm.SExt, llvm.ZExt:
		a, m, ok := l.step(f, v.Operand(0))
		if a != 0 {
			m++
		}
		return a, m, ok
	case llvm.GetElementPtr:
		return l.stepOfPlace(f, v)
	}
	return 0, 0, false
}

func (l *loop) stepOfPlace(f *function, v llvm.Value) (step int64, exts int, ok bool) {
	step, exts, ok = l.step(f, v.Operand(0))
	t := v.GEPSourceElementType()
	for k := 1; ok && k < v.OperandsCount(); k++ {
		x := v.Operand(k)
		if k > 1 && t.TypeKind() == llvm.StructTypeKind {
			t = t.StructElementTypes()[x.SExtValue()]
			continue
		}
		if k > 1 {
			t = t.ElementType()
		}
		if x.IsAConstantInt().IsNil() && !isWord(x) {
			return 0, 0, false // extended by the computation of the address
		}
		a, m, same := l.step(f, x)
		step, exts, ok = step+a*int64(f.data.TypeAllocSize(t)), exts+m, same
	}
	return step, exts, ok
}

// value computes, before the loop, what a value is after a number of rounds.
func (l *loop) value(f *function, v, rounds llvm.Value) llvm.Value {
	if !l.contains(v) {
		return v
	}
	if start, step, ok := l.counter(f, v); ok {
		d := f.b.CreateMul(rounds, f.c64(uint64(step)), "")
		if isPointer(v) {
			return f.b.CreateGEP(f.i8, start, []llvm.Value{d}, "")
		}
		if v.Type() != f.i64 {
			d = f.b.CreateTrunc(d, v.Type(), "")
		}
		return f.b.CreateAdd(start, d, "")
	}
	var ops []llvm.Value
	for k := 0; k < v.OperandsCount(); k++ {
		ops = append(ops, l.value(f, v.Operand(k), rounds))
	}
	switch v.InstructionOpcode() {
	case llvm.Add:
		return f.b.CreateAdd(ops[0], ops[1], "")
	case llvm.Sub:
		return f.b.CreateSub(ops[0], ops[1], "")
	case llvm.Mul:
		return f.b.CreateMul(ops[0], ops[1], "")
	case llvm.Shl:
		return f.b.CreateShl(ops[0], ops[1], "")
	case llvm.SExt:
		return f.b.CreateSExt(ops[0], v.Type(), "")
	case llvm.ZExt:
		return f.b.CreateZExt(ops[0], v.Type(), "")
	}
	return f.b.CreateGEP(v.GEPSourceElementType(), ops[0], ops[1:], "")
}

// Bits of gulo_rounds' last argument.
const (
	roundsDown     = 1
	roundsEqual    = 2 // one more when the limit is met
	roundsUnsigned = 4
	roundsUnequal  = 8  // until the limit is met exactly
	roundsBefore   = 16 // the counter is compared before it is changed
)

// rounds computes, before the loop, how often it goes round; nil when that cannot
// be told.
func (f *function) rounds(l *loop) llvm.Value {
	t := l.last.LastInstruction()
	if t.InstructionOpcode() != llvm.Br || t.OperandsCount() != 3 || t.Operand(0).IsAICmpInst().IsNil() {
		return llvm.Value{}
	}
	cmp := t.Operand(0)
	x, limit, pred := cmp.Operand(0), cmp.Operand(1), cmp.IntPredicate()
	if l.contains(limit) {
		x, limit, pred = limit, x, mirrored[pred]
	}
	if t.Operand(2).AsBasicBlock() != l.head { // the last operand is where true leads
		pred = inverse[pred]
	}
	kind, ok := rounding[pred]
	if !ok || l.contains(limit) || !l.contains(x) {
		return llvm.Value{}
	}
	counter := x
	if _, _, ok := l.counter(f, x); ok {
		kind |= roundsBefore
	} else if x.OperandsCount() > 0 {
		counter = x.Operand(0)
	}
	start, step, ok := l.counter(f, counter)
	if !ok || step == 0 || counter != x && x != l.next(counter) || step > 1<<16 || step < -1<<16 {
		return llvm.Value{}
	}
	if kind&roundsUnequal != 0 && step < 0 {
		kind |= roundsDown
	}
	if (step < 0) != (kind&roundsDown != 0) {
		return llvm.Value{}
	}
	end := l.in.LastInstruction()
	f.b.SetInsertPointBefore(end)
	wide := func(v llvm.Value) llvm.Value {
		switch {
		case isPointer(v):
			return f.b.CreatePtrToInt(v, f.i64, "")
		case v.Type() == f.i64:
			return v
		case kind&(roundsUnsigned|roundsUnequal) != 0:
			return f.b.CreateZExt(v, f.i64, "")
		}
		return f.b.CreateSExt(v, f.i64, "")
	}
	return f.call(llvm.Value{}, "gulo_rounds", wide(start), wide(limit), f.c64(uint64(max(step, -step))), f.c64(edge(x, step, kind)), f.c32(kind))
}

// next is the value of a counter for the next round.
func (l *loop) next(counter llvm.Value) llvm.Value {
	if counter.IncomingBlock(0) == l.last {
		return counter.IncomingValue(0)
	}
	return counter.IncomingValue(1)
}

// edge returns the last limit from which one more step does not wrap.
func edge(x llvm.Value, step int64, kind int) uint64 {
	bits := 64
	if !isPointer(x) {
		bits = x.Type().IntTypeWidth()
	}
	low, high := uint64(0), uint64(1)<<(bits-1)<<1-1
	if kind&roundsUnsigned == 0 {
		high >>= 1
		low = ^high
	}
	if max(step, -step) == 1 && kind&roundsEqual == 0 {
		step = 0 // stops at the limit exactly
	}
	if kind&roundsDown != 0 {
		return low + uint64(-step)
	}
	return high - uint64(step)
}

var rounding = map[llvm.IntPredicate]int{
	llvm.IntNE:  roundsUnequal,
	llvm.IntSLT: 0, llvm.IntSLE: roundsEqual, llvm.IntSGT: roundsDown, llvm.IntSGE: roundsDown | roundsEqual,
	llvm.IntULT: roundsUnsigned, llvm.IntULE: roundsUnsigned | roundsEqual,
	llvm.IntUGT: roundsUnsigned | roundsDown, llvm.IntUGE: roundsUnsigned | roundsDown | roundsEqual,
}

var mirrored = map[llvm.IntPredicate]llvm.IntPredicate{
	llvm.IntEQ: llvm.IntEQ, llvm.IntNE: llvm.IntNE,
	llvm.IntSLT: llvm.IntSGT, llvm.IntSLE: llvm.IntSGE, llvm.IntSGT: llvm.IntSLT, llvm.IntSGE: llvm.IntSLE,
	llvm.IntULT: llvm.IntUGT, llvm.IntULE: llvm.IntUGE, llvm.IntUGT: llvm.IntULT, llvm.IntUGE: llvm.IntULE,
}

var inverse = map[llvm.IntPredicate]llvm.IntPredicate{
	llvm.IntEQ: llvm.IntNE, llvm.IntNE: llvm.IntEQ,
	llvm.IntSLT: llvm.IntSGE, llvm.IntSLE: llvm.IntSGT, llvm.IntSGT: llvm.IntSLE, llvm.IntSGE: llvm.IntSLT,
	llvm.IntULT: llvm.IntUGE, llvm.IntULE: llvm.IntUGT, llvm.IntUGT: llvm.IntULE, llvm.IntUGE: llvm.IntULT,
}

// remembers reports whether an intrinsic function leaves memory alone.
func remembers(name string) bool {
	if !strings.HasPrefix(name, "llvm.") {
		return false
	}
	for _, p := range []string{"llvm.mem", "llvm.lifetime", "llvm.va_", "llvm.stack", "llvm.eh", "llvm.masked"} {
		if strings.HasPrefix(name, p) {
			return false
		}
	}
	return true
}
