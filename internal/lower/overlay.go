package lower

import (
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/source"
)

// This file lowers single edits: the code of a changed or inserted statement,
// as a piece that a machine lays over the function's own code. The function is
// not lowered again, so that thousands of candidates a second can be run.

// Overlay is code that is executed instead of what stands at one place of a
// function, or before it.
type Overlay struct {
	Func      int32
	Block, At int32 // the place; for an insertion what stands there is executed afterwards
	Insert    bool
	// Code has the overlay's blocks after those of the function, registers and
	// constants numbered after the function's. The overlay starts at block
	// Entry; a jump to block Leave goes on at To (an insertion: at the place).
	Code         *ir.Func
	Entry, Leave int32
	To, ToAt     int32
}

// Change is one edit, as package repair has it.
type Change struct {
	Stmt, Gap int32       // Gap counts when Stmt is 0
	New       cfront.Expr // nil: as it is
	Guard     cfront.Expr // nil: always
	Delete    bool
	Return    bool // Gap: return New, or nothing when New is nil
}

// Overlay lowers an edit. Precondition: the program was lowered with
// Options.Memory. It may be called from several goroutines.
func (p *Program) Overlay(c Change) (o *Overlay, err error) {
	p.overlay.Lock()
	defer p.overlay.Unlock()
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*source.Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	var f *cfront.Func
	if c.Stmt != 0 {
		f = p.Stmts[c.Stmt].Func
	} else {
		f = p.Gaps[c.Gap].Func
	}
	b, orig := p.overlayBuilder(f)
	o = &Overlay{Code: b.f}
	o.Func, _ = p.FuncIndex(f)
	o.Entry, o.Leave = b.newBlock(), b.newBlock()
	b.setBlock(o.Entry)
	b.stmt, b.pending = c.Stmt, true
	if c.Stmt != 0 {
		err = b.changed(o, p.Stmts[c.Stmt], c)
	} else {
		err = b.inserted(o, p.Gaps[c.Gap], c)
	}
	if err != nil {
		return nil, err
	}
	if len(b.f.Objects) > orig {
		return nil, fmt.Errorf("an edit at %s needs memory of its own", f.Name)
	}
	b.f.Blocks[o.Leave].Instrs = nil
	for _, bl := range b.f.Blocks[o.Entry:] {
		if n := len(bl.Instrs); n == 0 || !bl.Instrs[n-1].Op.IsTerminator() {
			bl.Instrs = append(bl.Instrs, ir.Instr{Op: ir.Jump, Dst: ir.NoReg, A: ir.NoReg, B: ir.NoReg, Target: o.Leave, Stmt: c.Stmt})
		}
	}
	return o, nil
}

// Reserve makes the functions that an edit may call part of the program. It
// must be done before machines run and overlays are made in several goroutines.
func (p *Program) Reserve(x cfront.Expr) {
	cfront.Walk(x, func(y cfront.Expr) bool {
		switch y := y.(type) {
		case *cfront.FuncRef:
			p.function(y.Func)
		case *cfront.String:
			p.stringObject(y)
		}
		return true
	})
}

// overlayBuilder returns a builder that appends to a copy of a function, and
// how many objects the function has.
func (p *Program) overlayBuilder(f *cfront.Func) (*builder, int) {
	at, _ := p.FuncIndex(f)
	own := p.IR.Funcs[at]
	c := *own
	c.Blocks = own.Blocks[:len(own.Blocks):len(own.Blocks)]
	c.Objects = own.Objects[:len(own.Objects):len(own.Objects)]
	c.Consts = nil
	b := &builder{
		p: p, tree: f, f: &c, opt: Options{Memory: true, Bounds: p.bounds}, overlay: true,
		regs: map[*cfront.Var]ir.Reg{}, objects: map[*cfront.Var]int64{}, consts: map[ctype.Word]ir.Reg{},
		byRange: map[source.Range]*Stmt{}, labels: map[string]int32{}, exit: 1, ret: ir.NoReg,
	}
	for i, o := range own.Objects {
		if v, ok := o.Var.(*cfront.Var); ok {
			b.objects[v] = int64(i)
		}
	}
	for v, r := range own.VarReg {
		b.regs[v.(*cfront.Var)] = r
	}
	if exit := own.Blocks[1].Instrs; len(exit) > 0 {
		b.ret = exit[len(exit)-1].A
	}
	return b, len(own.Objects)
}

// guard lowers a guard and opens the block where it holds.
func (b *builder) guard(x cfront.Expr, otherwise int32) {
	if x == nil {
		return
	}
	yes := b.newBlock()
	b.cond(x, yes, otherwise)
	b.setBlock(yes)
}

func (b *builder) changed(o *Overlay, s *Stmt, c Change) error {
	o.Block, o.At, o.To, o.ToAt = s.Block, s.At, s.EndBlock, s.EndAt
	x := c.New
	if x == nil {
		x = s.X
	}
	switch s.Kind {
	case Cond:
		switch {
		case c.Delete:
			b.jump(s.False)
		default:
			b.guard(c.Guard, s.False)
			b.cond(x, s.True, s.False)
		}
		return nil
	case Expr, Post:
		if s.Jumps() {
			return fmt.Errorf("a computed goto cannot be edited")
		}
		if !c.Delete {
			b.guard(c.Guard, o.Leave)
			b.discard(x)
		}
		b.jump(o.Leave)
		return nil
	case Decl:
		if c.New == nil || c.Delete || c.Guard != nil {
			return fmt.Errorf("a declaration can only be given another value")
		}
		b.discard(cfront.NewAssign(cfront.NewRef(s.Decl.Var), x))
		b.jump(o.Leave)
		return nil
	case Return:
		if c.Delete || c.Guard != nil || b.ret == ir.NoReg || hasCleanup(s.Func) {
			return fmt.Errorf("this return cannot be edited")
		}
		b.returns(x)
		return nil
	}
	return fmt.Errorf("a statement of this kind cannot be edited")
}

func (b *builder) inserted(o *Overlay, g *Gap, c Change) error {
	o.Block, o.At, o.Insert = g.In, g.At, true
	b.guard(c.Guard, o.Leave)
	if c.Return && hasCleanup(g.Func) {
		return fmt.Errorf("a return cannot be inserted into %s, which has variables with the attribute cleanup", g.Func.Name)
	}
	switch {
	case c.Return && c.New != nil && b.ret == ir.NoReg:
		return fmt.Errorf("a return of a struct cannot be inserted into %s", g.Func.Name)
	case c.Return && c.New == nil:
		b.jump(b.exit)
	case c.Return:
		b.returns(c.New)
	default:
		b.discard(c.New)
		b.jump(o.Leave)
	}
	return nil
}

// returns makes x what the function returns, and goes to its end.
func (b *builder) returns(x cfront.Expr) {
	t := b.f.Type.Result
	r := b.value(x)
	if !ctype.Same(x.Type(), t) {
		r = b.emit(ir.Instr{Op: ir.Conv, T: x.Type(), T2: t, Dst: b.newReg(), A: r, B: ir.NoReg})
	}
	b.emit(ir.Instr{Op: ir.Move, Dst: b.ret, A: r, B: ir.NoReg})
	b.jump(b.exit)
}
