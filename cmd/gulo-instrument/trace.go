//go:build llvm19

package main

import (
	"encoding/json"
	"hash/fnv"
	"os"
	"strings"

	"gulo/internal/slice"

	"tinygo.org/x/go-llvm"
)

// This file makes programs write what they execute, for dynamic slices: a record for every call, basic block and
// access to memory. The instructions with their operands do not change, and go to a second file (internal/slice reads
// both).

// tracer inserts the records of a module, and writes its instructions to out.
type tracer struct {
	x   *module
	out *os.File
	fn  llvm.Value
	typ llvm.Type
}

func newTracer(x *module, path string) (*tracer, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	t := llvm.FunctionType(x.void, []llvm.Type{x.i64, x.i64}, false)
	return &tracer{x, f, llvm.AddFunction(x.m, "gulo_trace", t), t}, nil
}

func (t *tracer) function(f llvm.Value) error {
	out := slice.Function{Name: f.Name()}
	index := map[llvm.Value]int{}
	blocks := map[llvm.BasicBlock]int{}
	var list []llvm.Value
	for b := f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		blocks[b] = len(out.Blocks)
		out.Blocks = append(out.Blocks, len(list))
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			index[i] = len(list)
			list = append(list, i)
			if l := i.InstructionDebugLoc(); out.File == "" && !l.IsNil() {
				out.File = fileOf(l)
			}
		}
	}
	for k, p := range f.Params() {
		index[p] = -1 - k
	}
	for b := f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		s := []int{}
		for _, n := range successors(b) {
			s = append(s, blocks[n])
		}
		out.Succ = append(out.Succ, s)
	}
	h := fnv.New64a()
	h.Write([]byte(out.File + ":" + out.Name))
	out.ID = h.Sum64()
	for _, i := range list {
		out.Insts = append(out.Insts, t.inst(i, index, blocks))
	}
	for n, i := range list {
		t.records(i, n, &out, blocks)
	}
	return json.NewEncoder(t.out).Encode(out)
}

func (t *tracer) inst(i llvm.Value, index map[llvm.Value]int, blocks map[llvm.BasicBlock]int) slice.Inst {
	d := slice.Inst{Op: "value"}
	if l := i.InstructionDebugLoc(); !l.IsNil() {
		d.Line = l.LocationLine()
	}
	operand := func(v llvm.Value) int {
		if k, ok := index[v]; ok {
			return k
		}
		return slice.NoOperand
	}
	n := i.OperandsCount()
	switch {
	case !i.IsAPHINode().IsNil():
		d.Op = "phi"
		for k := 0; k < i.IncomingCount(); k++ {
			d.Ops, d.From = append(d.Ops, operand(i.IncomingValue(k))), append(d.From, blocks[i.IncomingBlock(k)])
		}
		return d
	case !i.IsALoadInst().IsNil():
		d.Op = "load"
	case !i.IsAStoreInst().IsNil():
		d.Op = "store"
	case !i.IsACallInst().IsNil():
		d.Op = "call"
		n--
		if name := callee(i).Name(); strings.HasPrefix(name, "llvm.") {
			d.Op = "value"
			if copying(i) {
				d.Op = "copy"
			}
		} else if copying(i) {
			d.Op = "copy"
		}
	case !i.IsAReturnInst().IsNil():
		d.Op = "return"
	case !i.IsABranchInst().IsNil(), !i.IsASwitchInst().IsNil():
		d.Op = "branch"
	}
	for k := 0; k < n; k++ {
		if o := operand(i.Operand(k)); o != slice.NoOperand || d.Op == "call" {
			d.Ops = append(d.Ops, o)
		}
	}
	return d
}

// copying reports whether a call copies memory of a size that it is given.
func copying(i llvm.Value) bool {
	n := callee(i).Name()
	return strings.HasPrefix(n, "llvm.memcpy") || strings.HasPrefix(n, "llvm.memmove") || n == "memcpy" || n == "memmove"
}

// records inserts the calls that write an instruction's records.
func (t *tracer) records(i llvm.Value, n int, fn *slice.Function, blocks map[llvm.BasicBlock]int) {
	x := t.x
	b := blocks[i.InstructionParent()]
	if n == fn.Blocks[b] {
		at := i
		for !at.IsAPHINode().IsNil() || !at.IsAAllocaInst().IsNil() {
			at = llvm.NextInstruction(at)
		}
		x.b.SetInsertPointBefore(at)
		if b == 0 {
			t.write(slice.RecordEnter, 0, 0, x.c64(fn.ID))
		}
		t.write(slice.RecordBlock, 0, b, x.c64(fn.ID))
	}
	x.b.SetInsertPointBefore(i)
	addr := func(v llvm.Value) llvm.Value { return x.b.CreatePtrToInt(v, x.i64, "") }
	switch {
	case !i.IsALoadInst().IsNil():
		t.write(slice.RecordLoad, x.data.TypeStoreSize(i.Type()), n, addr(i.Operand(0)))
	case !i.IsAStoreInst().IsNil():
		t.write(slice.RecordStore, x.data.TypeStoreSize(i.Operand(0).Type()), n, addr(i.Operand(1)))
	case !i.IsAReturnInst().IsNil():
		t.write(slice.RecordReturn, 0, n, x.c64(0))
	case i.IsACallInst().IsNil():
	case copying(i):
		size := i.Operand(2)
		if size.Type() != x.i64 {
			size = x.b.CreateZExt(size, x.i64, "")
		}
		t.write(slice.RecordLoad, 0, n, addr(i.Operand(1)))
		t.write(slice.RecordStore, 0, n, addr(i.Operand(0)))
		t.write(slice.RecordCall, 0, n, size)
	case !strings.HasPrefix(callee(i).Name(), "llvm.") && i.OperandsCount() > 0 && i.IsAInvokeInst().IsNil():
		t.write(slice.RecordCall, 0, n, x.c64(0))
	}
}

func (t *tracer) write(kind int, size uint64, n int, v llvm.Value) {
	word := uint64(kind)<<56 | min(size, 0xffff)<<32 | uint64(uint32(n))
	t.x.b.CreateCall(t.typ, t.fn, []llvm.Value{t.x.c64(word), v}, "")
}
