package lower

import (
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ir"
)

// This file lowers GNU C's computed goto, and inline assembly as far as it is
// without instructions.

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

// asm lowers inline assembly without instructions. An output that is tied to an
// input gets its value. Outputs with + or m keep theirs, as they do with the
// compilers that programs are tested with; others are refused.
func (b *builder) asm(s *cfront.Asm) {
	b.begin(&Stmt{Kind: Expr, Range: s.Range(), Node: s, Stop: len(s.Out) > 0})
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

// matching is the number of the operand that a constraint refers to, -1 for none.
func matching(constraint string) int {
	for _, r := range constraint {
		if r >= '0' && r <= '9' {
			return int(r - '0')
		}
	}
	return -1
}
