package lower

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
)

// This file lowers operations on values that do not fit in a word. As of
// structs, the value of such an expression is its address.

// result returns the frame object that a wide result goes to, -1 for a word.
func (b *builder) result(t *ctype.Type) int64 {
	if !t.IsWide() {
		return -1
	}
	b.f.Objects = append(b.f.Objects, ir.Object{Type: t, Size: t.Size, Align: t.Align})
	return int64(len(b.f.Objects) - 1)
}

// any returns the word of x or, of what is in memory, its address.
func (b *builder) any(x cfront.Expr) ir.Reg {
	if x.Type().InMemory() {
		return b.address(x)
	}
	return b.value(x)
}

// kept is any for an operand that is used after others have been evaluated: a
// value that lies in a variable is copied when they may change it.
func (b *builder) kept(x cfront.Expr, later ...cfront.Expr) ir.Reg {
	r := b.any(x)
	if !x.Type().IsWide() {
		return r
	}
	for _, l := range later {
		if !cfront.Pure(l) {
			t := b.temp(x.Type())
			b.effect(ir.Copy, nil, t, r, x.Type().Size)
			return t
		}
	}
	return r
}

func (b *builder) wideBinary(op ctype.Op, lt, rt *ctype.Type, l, r ir.Reg) ir.Reg {
	t := ctype.WideResult(op, lt, rt)
	return b.emit(ir.Instr{Op: ir.WideBin, BinOp: op, T: lt, T2: rt, Dst: b.newReg(), A: l, B: r, Imm: b.result(t)})
}

func (b *builder) wideConv(r ir.Reg, from, to *ctype.Type) ir.Reg {
	return b.emit(ir.Instr{Op: ir.WideConv, T: from, T2: to, Dst: b.newReg(), A: r, B: ir.NoReg, Imm: b.result(to)})
}

func (b *builder) wideBool(r ir.Reg, t *ctype.Type, not int64) ir.Reg {
	return b.emit(ir.Instr{Op: ir.WideBool, T: t, Dst: b.newReg(), A: r, B: ir.NoReg, Imm: not})
}

// moved returns how many bytes of a value an assignment copies: of a long double not the padding.
func moved(t *ctype.Type) int64 {
	if t.Kind == ctype.LongDouble {
		return 10
	}
	return t.Size
}

// wideAddress is address for the operations that only wide types have.
func (b *builder) wideAddress(x cfront.Expr) (ir.Reg, bool) {
	switch x := x.(type) {
	case *cfront.WideConst:
		return b.op(ir.Global, nil, ir.NoReg, ir.NoReg, int64(b.p.wideObject(x.Type(), x.Bytes))), true
	case *cfront.Unary:
		return b.emit(ir.Instr{Op: ir.WideUn, BinOp: x.Op, T: x.X.Type(), Dst: b.newReg(), A: b.any(x.X), B: ir.NoReg, Imm: b.result(x.Type())}), true
	case *cfront.Binary:
		l := b.kept(x.X, x.Y)
		return b.wideBinary(x.Op, x.X.Type(), x.Y.Type(), l, b.any(x.Y)), true
	case *cfront.Cast:
		if !x.X.Type().IsAggregate() && !ctype.Same(x.X.Type(), x.Type()) {
			return b.wideConv(b.any(x.X), x.X.Type(), x.Type()), true
		}
	case *cfront.IncDec:
		return b.wideIncDec(x), true
	case *cfront.Assign:
		if x.HasOp {
			return b.wideAssign(x), true
		}
	}
	return 0, false
}

// wideAssign lowers l op= r where l, or the operation, is wide.
func (b *builder) wideAssign(x *cfront.Assign) ir.Reg {
	var r ir.Reg
	first := cfront.HasCall(x.R)
	if first {
		r = b.any(x.R)
	}
	p := b.place(x.L)
	if !first {
		r = b.any(x.R)
	}
	lt, rt := x.L.Type(), x.R.Type()
	v := b.loadAny(p)
	at := lt
	if !lt.IsWide() {
		at = x.OpType
		v = b.convAny(v, lt, at)
	}
	res := ctype.WideResult(x.Op, at, rt)
	return b.storeAny(p, b.convAny(b.wideBinary(x.Op, at, rt, v, r), res, lt))
}

func (b *builder) wideIncDec(x *cfront.IncDec) ir.Reg {
	p := b.place(x.X)
	old := b.at(p)
	if x.Post {
		o := b.temp(x.Type())
		b.effect(ir.Copy, nil, o, old, x.Type().Size)
		old = o
	}
	op := ctype.Add
	if x.Dec {
		op = ctype.Sub
	}
	v := b.wideBinary(op, x.Type(), ctype.IntT, old, b.constant(1))
	b.storeAny(p, v)
	if x.Post {
		return old
	}
	return v
}

// loadAny returns the word at a place or, of what is in memory, its address.
func (b *builder) loadAny(p place) ir.Reg {
	if p.typ.InMemory() {
		return b.at(p)
	}
	return b.load(p)
}

func (b *builder) storeAny(p place, v ir.Reg) ir.Reg {
	if !p.typ.InMemory() {
		return b.store(p, v)
	}
	dst := b.at(p)
	b.effect(ir.Copy, nil, dst, v, moved(p.typ))
	b.wrote(p)
	return dst
}

func (b *builder) convAny(r ir.Reg, from, to *ctype.Type) ir.Reg {
	switch {
	case ctype.Same(from, to):
		return r
	case from.IsWide() || to.IsWide():
		return b.wideConv(r, from, to)
	}
	return b.conv(r, from, to)
}

// wideObject returns the read-only object of a constant.
func (p *Program) wideObject(t *ctype.Type, data []byte) int32 {
	key := t.Name + " " + string(data)
	p.index.Lock()
	defer p.index.Unlock()
	if i, ok := p.strings[key]; ok {
		return i
	}
	i := int32(len(p.IR.Globals))
	p.strings[key] = i
	p.IR.Globals = append(p.IR.Globals, ir.Object{Name: "a constant", Type: t, Size: t.Size, Align: t.Align, ReadOnly: true, Data: data})
	return i
}

// constantBytes evaluates a constant expression of any scalar or wide type.
func (p *Program) constantBytes(x cfront.Expr) ([]byte, bool) {
	return cfront.ConstantBytes(x, func(x cfront.Expr) (ctype.Word, bool) {
		c, ok := p.tryConstant(x)
		return c.word, ok && !c.reloc
	})
}

// wideOperand reports whether one of the operands is of a wide type.
func wideOperand(xs ...cfront.Expr) bool {
	for _, x := range xs {
		if x.Type().IsWide() {
			return true
		}
	}
	return false
}
