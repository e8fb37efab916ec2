package lower

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/source"
)

// This file lowers one function: registers, blocks, statements of the map.

type builder struct {
	p    *Program
	tree *cfront.Func
	f    *ir.Func
	opt  Options

	cur     *ir.Block
	curID   int32
	stmt    int32
	pending bool // the next instruction starts a statement
	again   bool // or a later part of one

	regs    map[*cfront.Var]ir.Reg // promoted variables, addresses of VLAs
	objects map[*cfront.Var]int64
	inMem   map[*cfront.Var]bool // not promoted after all: may be read before written
	consts  map[ctype.Word]ir.Reg
	byRange map[source.Range]*Stmt

	labels    map[string]int32
	breaks    []exit
	continues []exit
	cleanups  []*cfront.Decl // variables in scope with __attribute__((cleanup))
	scopes    map[string][]*cfront.Decl
	inScope   map[cfront.Stmt][]*cfront.Var // at labels and gotos, see left
	targets   map[string]cfront.Stmt        // labels
	vlaLen    map[*cfront.Var]ir.Reg        // number of elements
	sw        *switchCtx
	exit      int32
	ret       ir.Reg
	taken     cfront.Expr // the address of a part of this element is being computed
	access    *cfront.Binary
	overlay   bool          // the function's own code is not touched
	around    []cfront.Stmt // the statements around what is being lowered, outermost first
}

type switchCtx struct {
	table []ir.SwitchCase
	def   int32
	depth int // of cleanups
}

// exit is where break or continue goes, and how many cleanups are in scope there.
type exit struct {
	block int32
	depth int
}

// lowerFunc lowers f. Variables that may be read before they are written are
// kept in memory, where the machine knows which bytes are junk; that is found
// out by lowering once and looking.
func (p *Program) lowerFunc(f *cfront.Func, opt Options) {
	inMem := map[*cfront.Var]bool{}
	stmts, gaps := len(p.Stmts), len(p.Gaps)
	for {
		b := &builder{
			p: p, tree: f, f: p.IR.Funcs[p.funcs[f]], opt: opt, inMem: inMem,
			regs: map[*cfront.Var]ir.Reg{}, objects: map[*cfront.Var]int64{}, consts: map[ctype.Word]ir.Reg{},
			byRange: map[source.Range]*Stmt{}, labels: map[string]int32{}, ret: ir.NoReg,
			vlaLen: map[*cfront.Var]ir.Reg{},
		}
		*b.f = ir.Func{Name: f.Name, Type: f.Type, Decl: f, SRet: ir.NoReg}
		if p.opaque(b) {
			p.Stmts, p.Gaps = p.Stmts[:stmts], p.Gaps[:gaps]
			continue
		}
		b.f.FindNeeded()
		if opt.Memory {
			return
		}
		vars := b.maybeUnset()
		if len(vars) == 0 {
			return
		}
		for _, v := range vars {
			inMem[v] = true
		}
		p.Stmts, p.Gaps = p.Stmts[:stmts], p.Gaps[:gaps]
	}
}

func (b *builder) newReg() ir.Reg {
	b.f.NumRegs++
	return ir.Reg(b.f.NumRegs - 1)
}

func (b *builder) newBlock() int32 {
	b.f.Blocks = append(b.f.Blocks, &ir.Block{})
	return int32(len(b.f.Blocks) - 1)
}

func (b *builder) setBlock(id int32) {
	b.cur, b.curID = b.f.Blocks[id], id
}

func (b *builder) terminated() bool {
	n := len(b.cur.Instrs)
	return n > 0 && b.cur.Instrs[n-1].Op.IsTerminator()
}

// emit appends an instruction; what comes after a terminator is unreachable
// and gets a block of its own.
func (b *builder) emit(in ir.Instr) ir.Reg {
	if b.terminated() {
		b.setBlock(b.newBlock())
	}
	in.Stmt, in.Start, in.Again = b.stmt, b.pending, b.again
	b.pending, b.again = false, false
	if in.Start && !b.overlay {
		s := b.p.Stmts[b.stmt]
		s.Block, s.At = b.curID, int32(len(b.cur.Instrs))
	}
	b.cur.Instrs = append(b.cur.Instrs, in)
	return in.Dst
}

func (b *builder) op(o ir.Op, t *ctype.Type, a, c ir.Reg, imm int64) ir.Reg {
	return b.emit(ir.Instr{Op: o, T: t, Dst: b.newReg(), A: a, B: c, Imm: imm})
}

func (b *builder) effect(o ir.Op, t *ctype.Type, a, c ir.Reg, imm int64) {
	b.emit(ir.Instr{Op: o, T: t, Dst: ir.NoReg, A: a, B: c, Imm: imm})
}

func (b *builder) jump(to int32) {
	if !b.terminated() {
		b.emit(ir.Instr{Op: ir.Jump, Dst: ir.NoReg, A: ir.NoReg, B: ir.NoReg, Target: to})
	}
}

func (b *builder) branch(a ir.Reg, t *ctype.Type, yes, no int32) {
	b.emit(ir.Instr{Op: ir.Branch, T: t, Dst: ir.NoReg, A: a, B: ir.NoReg, Target: yes, Else: no})
}

func (b *builder) constant(w ctype.Word) ir.Reg {
	if r, ok := b.consts[w]; ok {
		return r
	}
	r := b.newReg()
	b.consts[w] = r
	b.f.Consts = append(b.f.Consts, ir.Const{Reg: r, Value: w})
	return r
}

// begin opens a statement of the location map.
func (b *builder) begin(s *Stmt) *Stmt {
	if old, ok := b.byRange[s.Range]; ok && s.Range.Valid() && s.Kind != Entry && s.Kind != End && old.Kind != Entry {
		old.Macro = true
		if b.stmt == old.ID && b.pending {
			return old
		}
		b.stmt = old.ID
		b.pending, b.again = false, true
		return old
	}
	s.ID, s.Func = int32(len(b.p.Stmts)), b.tree
	b.p.Stmts = append(b.p.Stmts, s)
	if s.Range.Valid() {
		b.byRange[s.Range] = s
	}
	b.stmt, b.pending, b.again = s.ID, true, false
	return s
}

// end notes where a statement's code ends.
func (b *builder) end(s *Stmt) { s.EndBlock, s.EndAt = b.curID, int32(len(b.cur.Instrs)) }

func (b *builder) gap(block *cfront.Block, i int) {
	if b.terminated() {
		return
	}
	g := &Gap{ID: int32(len(b.p.Gaps)), Func: b.tree, Block: block, Index: i, In: b.curID, At: int32(len(b.cur.Instrs))}
	b.p.Gaps = append(b.p.Gaps, g)
	b.cur.Gaps = append(b.cur.Gaps, ir.Gap{At: len(b.cur.Instrs), ID: g.ID})
}

func (b *builder) function() {
	f := b.tree
	body := f.Body.Range()
	b.setBlock(b.newBlock())
	b.exit = b.newBlock()
	open, end := body, body
	open.End = open.Start + 1
	end.Start = end.End - 1
	b.begin(&Stmt{Kind: Entry, Range: open, Node: f.Body})
	res := f.Type.Result
	if res.InMemory() {
		b.f.SRet = b.newReg()
	}
	late := b.params()
	for _, v := range f.Locals {
		if v.VLALen != nil || b.promoted(v) {
			b.regs[v] = b.newReg()
		} else {
			b.object(v)
		}
	}
	if res.IsScalar() {
		b.ret = b.newReg()
		if f.Name == "main" {
			b.emit(ir.Instr{Op: ir.Move, Dst: b.ret, A: b.constant(0), B: ir.NoReg})
		}
	}
	late()
	for _, x := range f.Entry {
		b.discard(x)
	}
	b.effect(ir.Nop, nil, ir.NoReg, ir.NoReg, 0)
	b.block(f.Body)
	if !b.terminated() && b.valued() {
		b.effect(ir.NoValue, nil, ir.NoReg, ir.NoReg, 1)
	}
	b.jump(b.exit)
	b.setBlock(b.exit)
	b.begin(&Stmt{Kind: End, Range: end, Stop: true, Node: f.Body})
	b.effect(ir.Nop, nil, ir.NoReg, ir.NoReg, 0)
	b.effect(ir.Ret, nil, b.ret, ir.NoReg, 0)
	for _, bl := range b.f.Blocks {
		if len(bl.Instrs) == 0 || !bl.Instrs[len(bl.Instrs)-1].Op.IsTerminator() {
			bl.Instrs = append(bl.Instrs, ir.Instr{Op: ir.Jump, Dst: ir.NoReg, A: ir.NoReg, B: ir.NoReg, Target: b.exit})
		}
	}
	b.f.VarReg = map[any]ir.Reg{}
	for v, r := range b.regs {
		b.f.VarReg[v] = r
	}
}

// valued reports whether the function has to return a value that its caller may use; main returns 0 by itself.
func (b *builder) valued() bool {
	return b.tree.Type.Result.Kind != ctype.Void && b.tree.Name != "main"
}

func (b *builder) promoted(v *cfront.Var) bool {
	return !b.opt.Memory && !v.AddrTaken && v.Type.IsScalar() && !b.inMem[v]
}

func (b *builder) object(v *cfront.Var) int64 {
	i := int64(len(b.f.Objects))
	if v.Type.Size == 0 && !v.Type.InMemory() && !(v.Type.Kind == ctype.Array && v.Type.Len >= 0) {
		refuse(b.tree.Body, "variable %s has an incomplete type", v.Name)
	}
	b.f.Objects = append(b.f.Objects, ir.Object{Name: v.Name, Type: v.Type, Size: v.Type.Size, Align: max(v.Type.Align, v.Align), Var: v})
	b.objects[v] = i
	return i
}

func (b *builder) temp(t *ctype.Type) ir.Reg {
	b.f.Objects = append(b.f.Objects, ir.Object{Type: t, Size: t.Size, Align: t.Align})
	return b.op(ir.Local, nil, ir.NoReg, ir.NoReg, int64(len(b.f.Objects)-1))
}

// params declares the parameters. A K&R function gets promoted values, which
// late converts.
func (b *builder) params() (late func()) {
	late = func() {}
	for _, v := range b.tree.Params {
		p := ir.Param{Reg: b.newReg(), Object: -1, Type: v.Type}
		if from := promoted(v.Type); b.tree.Type.NoProto && from != v.Type {
			p.Type = from
			b.lateParam(v, p.Reg, from, &late)
		} else if b.promoted(v) {
			b.regs[v] = p.Reg
		} else {
			p.Object = int(b.object(v))
		}
		b.f.Params = append(b.f.Params, p)
	}
	return late
}

// promoted is the type that a value has after the default argument promotions.
func promoted(t *ctype.Type) *ctype.Type {
	if t.Kind == ctype.Float {
		return ctype.DoubleT
	}
	return ctype.Promote(t)
}

func (b *builder) lateParam(v *cfront.Var, reg ir.Reg, from *ctype.Type, late *func()) {
	if b.promoted(v) {
		b.regs[v] = b.newReg()
	} else {
		b.object(v)
	}
	before := *late
	*late = func() {
		before()
		w := b.conv(reg, from, v.Type)
		if r, ok := b.regs[v]; ok {
			b.move(r, w)
			return
		}
		b.effect(ir.Store, v.Type, b.op(ir.Local, nil, ir.NoReg, ir.NoReg, b.objects[v]), w, 0)
	}
}

// maybeUnset returns the promoted variables that some path reads before
// anything is assigned to them: a forward must-analysis over the blocks.
func (b *builder) maybeUnset() []*cfront.Var {
	track := map[ir.Reg]*cfront.Var{}
	for _, v := range b.tree.Locals {
		if r, ok := b.regs[v]; ok && v.VLALen == nil {
			track[r] = v
		}
	}
	if len(track) == 0 {
		return nil
	}
	n := len(b.f.Blocks)
	in := make([]map[ir.Reg]bool, n) // nil: not reached yet
	in[0] = map[ir.Reg]bool{}
	work := []int32{0}
	bad := map[*cfront.Var]bool{}
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		set := make(map[ir.Reg]bool, len(in[id]))
		for r := range in[id] {
			set[r] = true
		}
		use := func(r ir.Reg) {
			if v := track[r]; v != nil && !set[r] {
				bad[v] = true
			}
		}
		bl := b.f.Blocks[id]
		for i := range bl.Instrs {
			x := &bl.Instrs[i]
			use(x.A)
			use(x.B)
			if x.CallX != nil {
				for _, a := range x.CallX.Args {
					use(a)
				}
			}
			if x.Dst != ir.NoReg && track[x.Dst] != nil {
				set[x.Dst] = true
			}
		}
		bl.Succs(func(s int32) {
			if meet(&in[s], set) {
				work = append(work, s)
			}
		})
	}
	var out []*cfront.Var
	for _, v := range b.tree.Locals {
		if bad[v] {
			out = append(out, v)
		}
	}
	return out
}

// meet intersects *dst with src and reports whether it changed.
func meet(dst *map[ir.Reg]bool, src map[ir.Reg]bool) bool {
	if *dst == nil {
		m := make(map[ir.Reg]bool, len(src))
		for r := range src {
			m[r] = true
		}
		*dst = m
		return true
	}
	changed := false
	for r := range *dst {
		if !src[r] {
			delete(*dst, r)
			changed = true
		}
	}
	return changed
}
