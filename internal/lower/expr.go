package lower

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
)

// This file lowers expressions.

// place is where an lvalue lives: a promoted variable's register or memory.
type place struct {
	reg  ir.Reg // promoted; then base is NoReg
	base ir.Reg
	off  int64
	typ  *ctype.Type
	bits *ctype.Field
	atom bool // an atomic object

	members []member // of the unions that it is in, the outermost first
}

// at returns the address of a place in memory.
func (b *builder) at(p place) ir.Reg {
	if p.off == 0 {
		return p.base
	}
	return b.emit(ir.Instr{Op: ir.PtrAdd, Dst: b.newReg(), A: p.base, B: b.constant(uint64(p.off)), Imm: 1})
}

func (b *builder) load(p place) ir.Reg {
	switch {
	case p.base == ir.NoReg:
		// A copy: the variable may change before the value is used.
		return b.emit(ir.Instr{Op: ir.Move, Dst: b.newReg(), A: p.reg, B: ir.NoReg})
	case p.bits != nil:
		return b.emit(ir.Instr{Op: ir.LoadBits, T: p.typ, Dst: b.newReg(), A: p.base, B: ir.NoReg, Imm: p.off, BitOff: uint8(p.bits.BitOff), BitLen: uint8(p.bits.BitLen)})
	}
	return b.emit(ir.Instr{Op: ir.Load, T: p.typ, Dst: b.newReg(), A: p.base, B: ir.NoReg, Imm: p.off, Atomic: p.atom})
}

// store stores and returns the value the place then has.
func (b *builder) store(p place, v ir.Reg) ir.Reg {
	switch {
	case p.base == ir.NoReg:
		b.emit(ir.Instr{Op: ir.Move, Dst: p.reg, A: v, B: ir.NoReg})
	case p.bits != nil:
		v = b.emit(ir.Instr{Op: ir.StoreBits, T: p.typ, Dst: b.newReg(), A: p.base, B: v, Imm: p.off, BitOff: uint8(p.bits.BitOff), BitLen: uint8(p.bits.BitLen)})
	default:
		b.emit(ir.Instr{Op: ir.Store, T: p.typ, Dst: ir.NoReg, A: p.base, B: v, Imm: p.off, Atomic: p.atom})
	}
	b.wrote(p)
	return v
}

// place lowers an lvalue.
func (b *builder) place(x cfront.Expr) place {
	p := b.placed(x)
	p.atom = p.base != ir.NoReg && cfront.AtomicAccess(x)
	return p
}

func (b *builder) placed(x cfront.Expr) place {
	switch x := x.(type) {
	case *cfront.Ref:
		return b.varPlace(x)
	case *cfront.Deref:
		return place{base: b.accessed(x.X), typ: x.Type()}
	case *cfront.Member:
		var p place
		if x.Arrow {
			p = place{base: b.accessed(x.X)}
		} else if x.X.Type().InMemory() {
			p = b.place(x.X)
		}
		b.within(&p, x)
		p.off += x.Field.Offset
		p.typ = x.Type()
		if x.Field.BitLen > 0 {
			p.bits = &x.Field
		}
		return p
	case *cfront.Index:
		return b.element(x, 0)
	case *cfront.String:
		return place{base: b.op(ir.Global, nil, ir.NoReg, ir.NoReg, int64(b.p.stringObject(x))), typ: x.Type()}
	case *cfront.Part:
		p := b.place(x.X)
		if x.Imag {
			p.off += x.Type().Size
		}
		p.typ = x.Type()
		return p
	case *cfront.Compound:
		if x.Var.Storage == cfront.Static {
			return place{base: b.op(ir.Global, nil, ir.NoReg, ir.NoReg, int64(b.p.global(x.Var))), typ: x.Type()}
		}
		base := b.op(ir.Local, nil, ir.NoReg, ir.NoReg, b.objects[x.Var])
		b.initAt(base, x.Init, true, x.Var.Type)
		return place{base: base, typ: x.Type()}
	}
	if x.Type().InMemory() {
		return place{base: b.address(x), typ: x.Type()}
	}
	refuse(x, "this expression has no address")
	return place{}
}

func (b *builder) varPlace(x *cfront.Ref) place {
	v := x.Var
	if v.VLALen != nil {
		return place{base: b.regs[v], typ: v.Type}
	}
	if r, ok := b.regs[v]; ok {
		return place{reg: r, base: ir.NoReg, typ: v.Type}
	}
	if o, ok := b.objects[v]; ok {
		return place{base: b.op(ir.Local, nil, ir.NoReg, ir.NoReg, o), typ: v.Type}
	}
	if v.Storage < cfront.Global {
		refuse(x, "variable %s belongs to another function", v.Name)
	}
	if v.Weak { // nobody defines it: its address is null
		return place{base: b.constant(0), typ: v.Type}
	}
	return place{base: b.op(ir.Global, nil, ir.NoReg, ir.NoReg, int64(b.p.global(v))), typ: v.Type}
}

// address returns where an aggregate value lies.
func (b *builder) address(x cfront.Expr) ir.Reg {
	if x.Type().IsWide() {
		if r, ok := b.wideAddress(x); ok {
			return r
		}
	}
	switch x := x.(type) {
	case *cfront.Call:
		dst := b.temp(x.Type())
		b.call(x, dst)
		return dst
	case *cfront.Assign:
		p := b.place(x.L)
		dst := b.at(p)
		b.effect(ir.Copy, nil, dst, b.address(x.R), moved(x.Type()))
		b.wrote(p)
		return dst
	case *cfront.Comma:
		b.discard(x.X)
		return b.address(x.Y)
	case *cfront.Cond:
		dst := b.newReg()
		b.either(x.C, func() {
			b.emit(ir.Instr{Op: ir.Move, Dst: dst, A: b.address(x.A), B: ir.NoReg})
		}, func() {
			b.emit(ir.Instr{Op: ir.Move, Dst: dst, A: b.address(x.B), B: ir.NoReg})
		})
		return dst
	case *cfront.StmtExpr:
		var dst ir.Reg
		b.statements(x, func(last cfront.Expr) {
			dst = b.address(last)
			if len(b.cleanups) > 0 { // which may change what is at the address
				t := b.temp(x.Type())
				b.effect(ir.Copy, nil, t, dst, x.Type().Size)
				dst = t
			}
		})
		return dst
	case *cfront.Cast:
		return b.address(x.X)
	}
	return b.at(b.place(x))
}

// either lowers yes and no under a condition and joins.
func (b *builder) either(c cfront.Expr, yes, no func()) {
	b.join(func(t, f int32) { b.cond(c, t, f) }, yes, no)
}

func (b *builder) join(decide func(t, f int32), yes, no func()) {
	t, f, end := b.newBlock(), b.newBlock(), b.newBlock()
	decide(t, f)
	b.setBlock(t)
	yes()
	b.jump(end)
	b.setBlock(f)
	no()
	b.jump(end)
	b.setBlock(end)
}

// cond lowers a condition as control flow.
func (b *builder) cond(x cfront.Expr, yes, no int32) {
	if _, ok := b.opt.Components[x]; ok {
		b.branch(b.value(x), x.Type(), yes, no)
		return
	}
	b.decide(x, yes, no)
}

func (b *builder) decide(x cfront.Expr, yes, no int32) {
	switch y := x.(type) {
	case *cfront.Logical:
		mid := b.newBlock()
		if y.And {
			b.cond(y.X, mid, no)
		} else {
			b.cond(y.X, yes, mid)
		}
		b.setBlock(mid)
		b.cond(y.Y, yes, no)
	case *cfront.LogicalNot:
		b.cond(y.X, no, yes)
	default:
		if x.Type().IsWide() {
			b.branch(b.wideBool(b.address(x), x.Type(), 0), ctype.IntT, yes, no)
			return
		}
		b.branch(b.operand(x), x.Type(), yes, no)
	}
}

// discard lowers an expression for its effects.
func (b *builder) discard(x cfront.Expr) {
	switch y := x.(type) {
	case *cfront.IncDec:
		z := *y
		z.Post = false
		b.incDec(&z)
		return
	case *cfront.Comma:
		b.discard(y.X)
		b.discard(y.Y)
		return
	case *cfront.Cast:
		if r, ok := y.X.(*cfront.Ref); ok && y.Type().Kind == ctype.Void && r.Var.Qual&ctype.Volatile == 0 {
			b.effect(ir.Nop, nil, ir.NoReg, ir.NoReg, 0) // (void)x reads nothing
			return
		}
		b.discard(y.X)
		return
	case *cfront.Cond:
		if _, ok := b.opt.Components[x]; !ok {
			b.either(y.C, func() { b.discard(y.A) }, func() { b.discard(y.B) })
			return
		}
	}
	if x.Type().InMemory() {
		b.address(x)
	} else {
		b.value(x)
	}
	if _, ok := x.(*cfront.Call); ok {
		if n := len(b.cur.Instrs); n > 0 && b.cur.Instrs[n-1].Op == ir.Call {
			b.cur.Instrs[n-1].CallX.Dropped = true
		}
	}
}

// value lowers a scalar expression (or a call without a value).
func (b *builder) value(x cfront.Expr) ir.Reg {
	id, ok := b.opt.Components[x]
	if !ok {
		return b.computed(x)
	}
	hole := func(id int32) ir.Reg {
		v := b.emit(ir.Instr{Op: ir.Hole, T: x.Type(), Dst: b.newReg(), A: ir.NoReg, B: ir.NoReg, Imm: int64(id)})
		for _, c := range cfront.Drawn(x) { // else later draws would get other numbers
			b.computed(c)
		}
		return v
	}
	if id < 0 {
		return hole(-id)
	}
	dst := b.newReg()
	b.join(func(wrong, right int32) {
		c := b.emit(ir.Instr{Op: ir.Suspect, Dst: b.newReg(), A: ir.NoReg, B: ir.NoReg, Imm: int64(id)})
		b.branch(c, ctype.IntT, wrong, right)
	}, func() { b.move(dst, hole(id)) }, func() { b.move(dst, b.computed(x)) })
	return dst
}

func (b *builder) computed(x cfront.Expr) ir.Reg {
	switch x := x.(type) {
	case *cfront.Const:
		return b.constant(x.Value)
	case *cfront.Ref, *cfront.Deref, *cfront.Member, *cfront.Index, *cfront.Part:
		return b.load(b.place(x))
	case *cfront.LabelAddr:
		return b.emit(ir.Instr{Op: ir.LabelAddr, Dst: b.newReg(), A: ir.NoReg, B: ir.NoReg, Target: b.p.function(x.Func), Imm: int64(x.Index)})
	case *cfront.FuncRef:
		if target(x.Func) == nil {
			return b.constant(0)
		}
		return b.op(ir.FuncAddr, nil, ir.NoReg, ir.NoReg, int64(b.p.function(x.Func)))
	case *cfront.Decay:
		if f, ok := x.X.(*cfront.FuncRef); ok {
			return b.value(f)
		}
		if i, ok := x.X.(*cfront.Index); ok {
			return b.at(b.element(i, 1))
		}
		b.row(x.X, 1)
		return b.address(x.X)
	case *cfront.Addr:
		return b.addrOf(x)
	case *cfront.Unary:
		return b.emit(ir.Instr{Op: ir.Un, BinOp: x.Op, T: x.Type(), Dst: b.newReg(), A: b.value(x.X), B: ir.NoReg})
	case *cfront.LogicalNot:
		if wideOperand(x.X) {
			return b.wideBool(b.address(x.X), x.X.Type(), 1)
		}
		return b.op(ir.Bool, x.X.Type(), b.value(x.X), ir.NoReg, 1)
	case *cfront.Binary:
		return b.binary(x)
	case *cfront.Logical:
		dst := b.newReg()
		b.join(func(t, f int32) { b.decide(x, t, f) }, func() { b.move(dst, b.constant(1)) }, func() { b.move(dst, b.constant(0)) })
		return dst
	case *cfront.Cond:
		dst := b.newReg()
		b.either(x.C, func() { b.moveOrDiscard(dst, x.A) }, func() { b.moveOrDiscard(dst, x.B) })
		return dst
	case *cfront.Comma:
		b.discard(x.X)
		return b.value(x.Y)
	case *cfront.Assign:
		return b.assign(x)
	case *cfront.IncDec:
		return b.incDec(x)
	case *cfront.Call:
		return b.call(x, ir.NoReg)
	case *cfront.Cast:
		return b.cast(x)
	case *cfront.Compound:
		return b.load(b.place(x))
	case *cfront.SizeofVLA:
		size := b.constant(uint64(x.Var.Type.Elem.Size))
		return b.emit(ir.Instr{Op: ir.Bin, BinOp: ctype.Mul, T: ctype.ULongT, Dst: b.newReg(), A: b.vlaLength(x.Var), B: size})
	case *cfront.VaArg:
		return b.op(ir.VaArg, x.Arg, b.value(x.X), ir.NoReg, argumentSize(x.Arg))
	case *cfront.VaStart:
		list := b.value(x.X)
		if !x.End {
			b.effect(ir.VaStart, nil, list, ir.NoReg, 0)
		}
		return b.constant(0)
	case *cfront.StmtExpr:
		return b.stmtExpr(x)
	}
	refuse(x, "expression %T is not supported", x)
	return 0
}

// operand is value for an operand that is used before anything but the pure
// expressions in later is evaluated: a promoted variable needs no copy.
func (b *builder) operand(x cfront.Expr, later ...cfront.Expr) ir.Reg {
	if r, ok := x.(*cfront.Ref); ok {
		for _, l := range later {
			if !cfront.Pure(l) {
				return b.value(x)
			}
		}
		if reg, ok := b.regs[r.Var]; ok && r.Var.VLALen == nil {
			return reg
		}
	}
	return b.value(x)
}

// argumentSize is the room that a variable argument takes.
func argumentSize(t *ctype.Type) int64 {
	if t.InMemory() {
		return (t.Size + 7) / 8 * 8
	}
	return 8
}

func (b *builder) vlaLength(v *cfront.Var) ir.Reg {
	r, ok := b.vlaLen[v]
	if !ok && b.overlay {
		refuse(nil, "sizeof of a variable-length array in an edit is not supported")
	}
	if !ok {
		r = b.newReg()
		b.vlaLen[v] = r
	}
	return r
}

func (b *builder) move(dst, src ir.Reg) {
	b.emit(ir.Instr{Op: ir.Move, Dst: dst, A: src, B: ir.NoReg})
}

func (b *builder) moveOrDiscard(dst ir.Reg, x cfront.Expr) {
	if x.Type().Kind == ctype.Void {
		b.discard(x)
		return
	}
	b.move(dst, b.value(x))
}

func (b *builder) stmtExpr(x *cfront.StmtExpr) ir.Reg {
	n := len(x.Body.List)
	if n == 0 || x.Type().Kind == ctype.Void {
		defer b.inner()()
		b.block(x.Body)
		return b.constant(0)
	}
	var r ir.Reg
	b.statements(x, func(last cfront.Expr) { r = b.value(last) })
	b.ends(declared(x.Body)) // the value of a struct is copied later, from its variable
	return r
}

// statements lowers a statement expression; value is called for its last
// expression, in its scope.
func (b *builder) statements(x *cfront.StmtExpr, value func(last cfront.Expr)) {
	defer b.inner()()
	depth, n := len(b.cleanups), len(x.Body.List)
	for i, t := range x.Body.List[:n-1] {
		if d, ok := t.(*cfront.Decl); (!ok || d.Init != nil) && between(x.Body, i) {
			b.gap(x.Body, i)
		}
		b.stmtNode(t)
	}
	if between(x.Body, n-1) {
		b.gap(x.Body, n-1)
	}
	value(x.Body.List[n-1].(*cfront.ExprStmt).X)
	b.leaveScope(depth)
}

// inner begins the statements of a statement expression, and returns a function that goes back to the statement around
// it. As in compiled code, the outer statement begins behind the inner ones, unless it has done something before them.
func (b *builder) inner() (outer func()) {
	id, begins := b.stmt, b.pending
	if b.overlay || id == 0 {
		return func() {}
	}
	if s := b.p.Stmts[id]; !begins && s.Block == b.curID && b.silent(b.cur.Instrs[min(int(s.At), len(b.cur.Instrs)):], id) {
		b.cur.Instrs[s.At].Start, begins = false, true
	}
	return func() {
		if b.stmt == id && !b.pending {
			return // all that one macro expands to is one statement
		}
		b.stmt, b.pending, b.again = id, begins, !begins
		if begins {
			b.p.Stmts[id].Late = true
		} else {
			b.p.Stmts[id].Macro = true
		}
	}
}

// silent reports whether the first instructions of a statement only take addresses and read variables.
func (b *builder) silent(in []ir.Instr, id int32) bool {
	if len(in) == 0 || !in[0].Start {
		return false
	}
	local := map[ir.Reg]bool{}
	for i := range in {
		x := &in[i]
		switch {
		case x.Stmt != id:
			return false
		case x.Op == ir.Local:
			local[x.Dst] = true
		case x.Op == ir.Global, x.Op == ir.FuncAddr, x.Op == ir.Move, x.Op == ir.Load && local[x.A]:
		default:
			return false
		}
	}
	return true
}

func (b *builder) addrOf(x *cfront.Addr) ir.Reg {
	if f, ok := x.X.(*cfront.FuncRef); ok {
		return b.value(f)
	}
	var p place
	if i, ok := x.X.(*cfront.Index); ok {
		p = b.element(i, 1)
	} else {
		b.row(x.X, 1)
		b.taken = outermost(x.X)
		p = b.place(x.X)
	}
	if p.base == ir.NoReg {
		// The parser did not see that the address is taken.
		b.inMem[cfront.Skip(x.X).(*cfront.Ref).Var] = true
		refuse(x, "address of a register variable")
	}
	return b.at(p)
}

func (b *builder) cast(x *cfront.Cast) ir.Reg {
	if x.Type().Kind == ctype.Void {
		b.discard(x.X)
		return b.constant(0)
	}
	if x.X.Type().IsWide() {
		return b.wideConv(b.address(x.X), x.X.Type(), x.Type())
	}
	if c, ok := x.X.(*cfront.Const); ok && b.opt.Components[x.X] == 0 {
		if w, err := ctype.Convert(c.Type(), x.Type(), c.Value); err == nil {
			return b.constant(w)
		}
	}
	v := b.value(x.X)
	from, to := x.X.Type(), x.Type()
	if to.Kind == ctype.Pointer && (from.Kind == ctype.Pointer || from.Size == 8) ||
		to.Kind == ctype.Int && to.Width() == 64 && from.Kind != ctype.Float {
		return v // the word is the same
	}
	return b.emit(ir.Instr{Op: ir.Conv, T: from, T2: to, Dst: b.newReg(), A: v, B: ir.NoReg})
}

func (b *builder) binary(x *cfront.Binary) ir.Reg {
	if wideOperand(x.X, x.Y) {
		l := b.kept(x.X, x.Y)
		return b.wideBinary(x.Op, x.X.Type(), x.Y.Type(), l, b.any(x.Y))
	}
	l := b.operand(x.X, x.Y)
	r := b.operand(x.Y)
	lt, rt := x.X.Type(), x.Y.Type()
	if lt.Kind == ctype.Pointer && !x.Op.IsCompare() {
		size := max(lt.Elem.Size, 1)
		if rt.Kind == ctype.Pointer {
			return b.op(ir.PtrSub, nil, l, r, size)
		}
		index := r
		if a := arrayOf(x.X); b.opt.Bounds && a != nil && variableItself(x.X) && b.access != x {
			if x.Op == ctype.Sub {
				index = b.emit(ir.Instr{Op: ir.Bin, BinOp: ctype.Sub, T: ctype.LongT, Dst: b.newReg(), A: b.constant(0), B: r})
			}
			b.effect(ir.Bound, a, index, ir.NoReg, a.Len+1)
		}
		if x.Op == ctype.Sub {
			size = -size
		}
		return b.emit(ir.Instr{Op: ir.PtrAdd, Dst: b.newReg(), A: l, B: r, Imm: size})
	}
	return b.emit(ir.Instr{Op: ir.Bin, BinOp: x.Op, T: lt, Dst: b.newReg(), A: l, B: r})
}

func (b *builder) assign(x *cfront.Assign) ir.Reg {
	if x.Type().InMemory() {
		return b.address(x)
	}
	if x.HasOp && (wideOperand(x.R) || x.OpType.IsWide()) {
		return b.wideAssign(x)
	}
	if !x.HasOp {
		// The right side first, as gcc does at -O0.
		if cfront.HasCall(x.R) {
			v := b.value(x.R)
			return b.store(b.place(x.L), v)
		}
		p := b.place(x.L)
		return b.store(p, b.operand(x.R))
	}
	if cfront.HasCall(x.R) {
		r := b.value(x.R)
		return b.compute(x, b.place(x.L), r)
	}
	p := b.place(x.L)
	return b.compute(x, p, b.value(x.R))
}

func (b *builder) compute(x *cfront.Assign, p place, r ir.Reg) ir.Reg {
	lt := x.L.Type()
	old := b.load(p)
	if lt.Kind == ctype.Pointer {
		size := max(lt.Elem.Size, 1)
		if x.Op == ctype.Sub {
			size = -size
		}
		return b.store(p, b.emit(ir.Instr{Op: ir.PtrAdd, Dst: b.newReg(), A: old, B: r, Imm: size}))
	}
	l := b.conv(old, lt, x.OpType)
	v := b.emit(ir.Instr{Op: ir.Bin, BinOp: x.Op, T: x.OpType, Dst: b.newReg(), A: l, B: r})
	return b.store(p, b.conv(v, x.OpType, lt))
}

func (b *builder) conv(r ir.Reg, from, to *ctype.Type) ir.Reg {
	if ctype.Same(from, to) {
		return r
	}
	return b.emit(ir.Instr{Op: ir.Conv, T: from, T2: to, Dst: b.newReg(), A: r, B: ir.NoReg})
}

func (b *builder) incDec(x *cfront.IncDec) ir.Reg {
	if x.Type().IsWide() {
		return b.wideIncDec(x)
	}
	t := x.X.Type()
	p := b.place(x.X)
	old := b.load(p)
	var v ir.Reg
	switch {
	case t.Kind == ctype.Pointer:
		size := max(t.Elem.Size, 1)
		if x.Dec {
			size = -size
		}
		v = b.emit(ir.Instr{Op: ir.PtrAdd, Dst: b.newReg(), A: old, B: b.constant(1), Imm: size})
	default:
		ot, one := ctype.Promote(t), ctype.Word(1)
		if t.Kind == ctype.Float {
			ot, one = t, ctype.OfFloat(t, 1)
		}
		op := ctype.Add
		if x.Dec {
			op = ctype.Sub
		}
		w := b.emit(ir.Instr{Op: ir.Bin, BinOp: op, T: ot, Dst: b.newReg(), A: b.conv(old, t, ot), B: b.constant(one)})
		v = b.conv(w, ot, t)
	}
	v = b.store(p, v)
	if x.Post {
		return old
	}
	return v
}

// call lowers a call; dst is the address for a returned struct.
func (b *builder) call(x *cfront.Call, dst ir.Reg) ir.Reg {
	info := &ir.CallInfo{Func: -1}
	fun := ir.NoReg
	if f, ok := x.Fun.(*cfront.FuncRef); ok {
		if f.Func.Name == "assert" && f.Func.Body == nil && len(x.Args) == 1 {
			return b.assert(x, f)
		}
		info.Func, info.Type = b.p.function(f.Func), f.Func.Type
	} else {
		fun = b.value(x.Fun)
		info.Type = x.Fun.Type().Elem
	}
	// gcc evaluates arguments from the last to the first on x86-64.
	args := make([]ir.Reg, len(x.Args))
	for i := len(args) - 1; i >= 0; i-- {
		if a := x.Args[i]; a.Type().IsWide() {
			args[i] = b.kept(a, x.Args[:i]...)
		} else if a.Type().InMemory() {
			args[i] = b.address(a)
		} else {
			args[i] = b.value(a)
		}
	}
	if dst != ir.NoReg {
		info.Args = append(info.Args, dst)
		info.Types = append(info.Types, ctype.PointerTo(x.Type()))
	}
	for i, a := range x.Args {
		info.Args = append(info.Args, args[i])
		info.Types = append(info.Types, a.Type())
	}
	return b.emit(ir.Instr{Op: ir.Call, Dst: b.newReg(), A: fun, B: ir.NoReg, CallX: info})
}

// assert lowers assert(c): the library function runs only when c is false.
func (b *builder) assert(x *cfront.Call, f *cfront.FuncRef) ir.Reg {
	fail, ok := b.newBlock(), b.newBlock()
	b.cond(x.Args[0], ok, fail)
	b.setBlock(fail)
	info := &ir.CallInfo{Func: b.p.function(f.Func), Type: f.Func.Type, Text: x.Args[0].Range().Text()}
	b.emit(ir.Instr{Op: ir.Call, Dst: b.newReg(), A: ir.NoReg, B: ir.NoReg, CallX: info})
	b.jump(ok)
	b.setBlock(ok)
	b.effect(ir.Nop, nil, ir.NoReg, ir.NoReg, 0)
	return b.constant(0)
}
