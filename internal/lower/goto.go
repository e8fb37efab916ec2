package lower

import (
	"slices"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
)

// This file lowers GNU C's computed goto, and inline assembly.

// computedGoto jumps to the label whose address an expression gives: one of
// those of the function whose addresses are taken.
func (b *builder) computedGoto(s *cfront.ComputedGoto) {
	b.begin(&Stmt{Kind: Expr, Range: s.Range(), X: s.X, Node: s, Stop: true})
	if hasCleanup(b.tree) {
		refuse(s, "computed goto in a function with variables with the attribute cleanup is not supported")
	}
	v := b.value(s.X)
	in := ir.Instr{Op: ir.Goto, Dst: ir.NoReg, A: v, B: ir.NoReg}
	for i, name := range b.tree.LabelAddrs {
		in.Table = append(in.Table, ir.SwitchCase{Lo: int64(i), Hi: int64(i), Target: b.label(name)})
	}
	if len(in.Table) == 0 { // nothing can be jumped to
		b.effect(ir.Unreachable, nil, ir.NoReg, ir.NoReg, 0)
		return
	}
	b.emit(in)
}

// asm lowers inline assembly. Without instructions, an output that is tied to an
// input gets its value. Outputs with + or m keep theirs, as they do with the
// compilers that programs are tested with; others are refused.
func (b *builder) asm(s *cfront.Asm) {
	b.begin(&Stmt{Kind: Expr, Range: s.Range(), Node: s, Stop: len(s.Out) > 0})
	if s.Code != nil {
		b.instructions(s)
		return
	}
	values := make([]ir.Reg, len(s.In))
	for i, in := range s.In {
		if in.X.Type().InMemory() || strings.ContainsAny(in.Constraint, "m") {
			continue
		}
		values[i] = b.value(in.X)
	}
	for _, in := range s.In {
		to := matching(in.Constraint)
		if to < 0 {
			continue
		}
		if to >= len(s.Out) || in.X.Type().InMemory() || s.Out[to].X.Type().InMemory() {
			refuse(s, "inline assembly is not supported")
		}
	}
	tied := map[int]int{}
	for i, in := range s.In {
		if to := matching(in.Constraint); to >= 0 {
			tied[to] = i
		}
	}
	var outs []int
	for to := range tied {
		outs = append(outs, to)
	}
	sort.Ints(outs)
	for _, to := range outs {
		i := tied[to]
		b.store(b.place(s.Out[to].X), b.conv(values[i], s.In[i].X.Type(), s.Out[to].X.Type()))
	}
	for i, out := range s.Out {
		if _, ok := tied[i]; !ok && !strings.ContainsAny(out.Constraint, "+m") {
			refuse(s, "inline assembly with an output that nothing sets is not supported")
		}
	}
	b.effect(ir.Nop, nil, ir.NoReg, ir.NoReg, 0)
}

// instructions lowers inline assembly to a call that has the addresses of the outputs, the addresses of inputs in
// memory, and the values of the other inputs as its arguments. An output that is in no memory gets a temporary.
func (b *builder) instructions(s *cfront.Asm) {
	t := &ctype.Type{Kind: ctype.Func, Size: 1, Align: 1, Result: ctype.VoidT, NoProto: true}
	f := &cfront.Func{Name: AsmCall, Type: t}
	info := &ir.CallInfo{Func: b.p.function(f), Type: t, Text: string(s.Code.Encode())}
	var after []func()
	address := func(o cfront.AsmOperand, out bool) ir.Reg {
		if !out && !lvalue(o.X) {
			r := b.temp(o.X.Type())
			b.store(place{base: r, typ: o.X.Type()}, b.value(o.X))
			return r
		}
		p := b.place(o.X)
		if p.base != ir.NoReg && p.bits == nil {
			return b.at(p)
		}
		r := b.temp(p.typ)
		held := place{base: r, typ: p.typ}
		if !out || strings.Contains(o.Constraint, "+") {
			b.store(held, b.load(p))
		}
		if out {
			after = append(after, func() { b.store(p, b.load(held)) })
		}
		return r
	}
	for i, o := range append(slices.Clone(s.Out), s.In...) {
		r, t := ir.NoReg, o.X.Type()
		if i < len(s.Out) || s.Code.Operands[i].Memory() || t.InMemory() {
			r, t = address(o, i < len(s.Out)), ctype.PointerTo(t)
		} else {
			r = b.value(o.X)
		}
		info.Args = append(info.Args, r)
		info.Types = append(info.Types, t)
	}
	b.emit(ir.Instr{Op: ir.Call, Dst: b.newReg(), A: ir.NoReg, B: ir.NoReg, CallX: info})
	for _, f := range after {
		f()
	}
}

// AsmCall is the name of the library function that inline assembly is lowered to. ir.CallInfo.Text has the statement.
const AsmCall = "inline assembly"

// lvalue reports whether an expression names an object.
func lvalue(x cfront.Expr) bool {
	switch x.(type) {
	case *cfront.Ref, *cfront.Deref, *cfront.Member, *cfront.Index, *cfront.Part, *cfront.Compound, *cfront.String:
		return true
	}
	return x.Type().InMemory()
}

// matching is the number of the operand that a constraint refers to, -1 for none.
func matching(constraint string) int {
	for _, r := range constraint {
		if r >= '0' && r <= '9' {
			return int(r - '0')
		}
	}
	return -1
}
