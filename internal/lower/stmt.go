package lower

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/source"
)

// This file lowers statements.

func (b *builder) block(s *cfront.Block) {
	if s.Implicit {
		b.implicit(s)
		return
	}
	depth := len(b.cleanups)
	for i, t := range s.List {
		if d, ok := t.(*cfront.Decl); (!ok || d.Init != nil) && between(s, i) {
			b.gap(s, i)
		}
		b.stmtNode(t)
	}
	if between(s, len(s.List)) {
		b.gap(s, len(s.List))
	}
	b.leaveScope(depth)
}

// between reports whether a statement can be written before a block's statement number i: not in
// the body of a macro, and not between the variables of one declaration.
func between(s *cfront.Block, i int) bool {
	if r := s.Range(); r.Start < r.End && r.File != nil && r.File.Text[r.Start] != '{' {
		return false
	}
	if i == 0 || i == len(s.List) {
		return true
	}
	if s.List[i-1].Range() == s.List[i].Range() { // what one macro makes
		return false
	}
	declared := func(i, step int) source.Range {
		for ; i >= 0 && i < len(s.List); i += step {
			switch t := s.List[i].(type) {
			case *cfront.Sizes:
				continue
			case *cfront.Decl:
				return t.Word
			}
			break
		}
		return source.Range{}
	}
	w := declared(i-1, -1)
	return !w.Valid() || w != declared(i, 1)
}

// implicit lowers a block without braces. It has one gap, or none if one macro expands to it and the statement around it.
func (b *builder) implicit(s *cfront.Block) {
	leaves := false
	for _, t := range s.List {
		switch t.(type) {
		case *cfront.Return, *cfront.Jump:
			leaves = true
		}
	}
	n := len(b.around)                                   // the block is the last of them
	whole := n > 1 && b.around[n-2].Range() == s.Range() // a macro makes the if or the loop with it
	if (leaves || len(s.List) == 0) && !whole {
		b.gap(s, 0)
	}
	for _, t := range s.List {
		b.stmtNode(t)
	}
	if !leaves && len(s.List) > 0 && !whole {
		b.gap(s, len(s.List))
	}
}

func (b *builder) stmtNode(s cfront.Stmt) {
	outer := b.around
	b.around = append(b.around[:len(b.around):len(b.around)], s)
	b.stmt1(s)
	b.around = outer
}

// opaque lowers a statement of which nothing is known.
func (b *builder) opaque(s cfront.Stmt) {
	st := b.begin(&Stmt{Kind: Opaque, Range: s.Range(), Node: s, Stop: true})
	b.effect(ir.Opaque, nil, ir.NoReg, ir.NoReg, 0)
	b.end(st)
	cfront.WalkStmt(s, func(t cfront.Stmt) {
		if l, ok := t.(*cfront.Label); ok { // what jumps there does not know either
			next := b.newBlock()
			b.jump(next)
			b.setBlock(b.label(l.Name))
			b.effect(ir.Opaque, nil, ir.NoReg, ir.NoReg, 0)
			b.jump(next)
			b.setBlock(next)
		}
	}, func(cfront.Expr) {})
}

func (b *builder) stmt1(s cfront.Stmt) {
	if b.p.refused[s] != nil {
		b.opaque(s)
		return
	}
	switch s := s.(type) {
	case *cfront.Opaque:
		b.opaque(s)
	case *cfront.ExprStmt:
		st := b.begin(&Stmt{Kind: Expr, Range: s.Range(), X: s.X, Node: s, Stop: !cfront.Pure(s.X)})
		b.discard(s.X)
		b.end(st)
	case *cfront.Decl:
		b.decl(s)
	case *cfront.Block:
		b.ends(declared(s))
		b.block(s)
		b.ends(declared(s))
	case *cfront.If:
		b.ifStmt(s)
	case *cfront.While:
		b.while(s)
	case *cfront.For:
		b.forLoop(s)
	case *cfront.Switch:
		b.switchStmt(s)
	case *cfront.Case:
		b.caseStmt(s)
	case *cfront.Label:
		l := b.label(s.Name)
		b.jump(l)
		b.setBlock(l)
		b.stmtNode(s.Body)
	case *cfront.Jump:
		b.jumpStmt(s)
	case *cfront.Return:
		b.returnStmt(s)
	case *cfront.Sizes:
		for _, x := range s.X {
			b.discard(x)
		}
	case *cfront.ComputedGoto:
		b.computedGoto(s)
	case *cfront.Asm:
		b.asm(s)
	}
}

func (b *builder) label(name string) int32 {
	l, ok := b.labels[name]
	if !ok {
		l = b.newBlock()
		b.labels[name] = l
	}
	return l
}

func (b *builder) jumpStmt(s *cfront.Jump) {
	b.begin(&Stmt{Kind: Jump, Range: s.Range(), Node: s})
	leave := func(stack []exit) {
		if len(stack) == 0 {
			refuse(s, "break or continue outside a loop")
		}
		to := stack[len(stack)-1]
		b.cleanup(to.depth)
		b.jump(to.block)
	}
	switch s.Kind {
	case cfront.Goto:
		b.cleanup(b.labelDepth(s))
		b.ends(b.left(s))
		b.jump(b.label(s.Label))
	case cfront.Break:
		leave(b.breaks)
	case cfront.Continue:
		leave(b.continues)
	}
}

func (b *builder) returnStmt(s *cfront.Return) {
	kind := Return
	if s.X == nil {
		kind = Jump
	}
	b.begin(&Stmt{Kind: kind, Range: s.Range(), X: s.X, Node: s, Stop: s.X != nil})
	switch {
	case s.X == nil:
		if b.valued() {
			b.effect(ir.NoValue, nil, ir.NoReg, ir.NoReg, 0)
		}
	case b.f.SRet != ir.NoReg:
		src := b.address(s.X)
		b.effect(ir.Copy, nil, b.f.SRet, src, moved(s.X.Type()))
	case b.ret == ir.NoReg:
		b.discard(s.X)
	default:
		r := b.value(s.X)
		b.emit(ir.Instr{Op: ir.Move, Dst: b.ret, A: r, B: ir.NoReg})
	}
	b.cleanup(0)
	b.jump(b.exit)
}

func (b *builder) decl(s *cfront.Decl) {
	v := s.Var
	if s.Cleanup != nil {
		defer func() { b.cleanups = append(b.cleanups, s) }()
	}
	if v.VLALen == nil && s.Init == nil {
		return
	}
	st := b.begin(&Stmt{Kind: Decl, Range: s.Range(), Decl: s, Node: s, Stop: true})
	defer func() { b.end(st) }()
	if v.VLALen != nil {
		n, elem, size := b.value(v.VLALen), v.Type, int64(1)
		if elem.Kind == ctype.Array {
			elem = elem.Elem
		}
		if !v.VLABytes {
			size = elem.Size
		}
		b.move(b.vlaLength(v), n)
		a := b.op(ir.Alloca, elem, n, ir.NoReg, size)
		b.emit(ir.Instr{Op: ir.Move, Dst: b.regs[v], A: a, B: ir.NoReg})
		return
	}
	if r, ok := b.regs[v]; ok {
		b.emit(ir.Instr{Op: ir.Move, Dst: r, A: b.value(s.Init[0].X), B: ir.NoReg})
		return
	}
	base := b.op(ir.Local, nil, ir.NoReg, ir.NoReg, b.objects[v])
	b.initAt(base, s.Init, s.Zero, v.Type)
}

// initAt stores an initializer at an address.
func (b *builder) initAt(base ir.Reg, init []cfront.Init, zero bool, t *ctype.Type) {
	size := t.Size
	if zero && size > 0 {
		b.effect(ir.Zero, nil, base, ir.NoReg, size)
	}
	for _, in := range init {
		pl := place{base: base}
		if ways, ok := in.UnionsIn(t); ok && b.opt.Memory {
			pl.enter(ways)
		}
		pl.off, pl.typ, pl.bits = in.Offset, in.Type, in.Field
		if s, ok := in.X.(*cfront.String); ok && in.Type.Kind == ctype.Array {
			src := b.op(ir.Global, nil, ir.NoReg, ir.NoReg, int64(b.p.stringObject(s)))
			b.effect(ir.Copy, nil, b.at(pl), src, min(in.Type.Size, int64(len(s.Bytes))))
			b.wrote(pl)
			continue
		}
		if in.Type.InMemory() {
			b.effect(ir.Copy, nil, b.at(pl), b.address(in.X), moved(in.Type))
			b.wrote(pl)
			continue
		}
		b.store(pl, b.value(in.X))
	}
}

// condition lowers a condition as a statement of its own. What gcc decides by
// itself has no code and is no stop.
func (b *builder) condition(x cfront.Expr, s *Stmt, yes, no int32) {
	if c, ok := b.p.tryConstant(x); ok && !c.reloc {
		if ctype.Truth(x.Type(), c.word) {
			b.jump(yes)
		} else {
			b.jump(no)
		}
		return
	}
	s.Kind, s.X, s.Stop, s.Range = Cond, x, true, x.Range()
	s = b.begin(s)
	s.True, s.False = yes, no
	b.cond(x, yes, no)
}

func (b *builder) ifStmt(s *cfront.If) {
	then, end := b.newBlock(), b.newBlock()
	other := end
	if s.Else != nil {
		other = b.newBlock()
	}
	b.condition(s.Cond, &Stmt{Node: s, Match: []source.Range{s.Head}}, then, other)
	b.setBlock(then)
	b.stmtNode(s.Then)
	b.jump(end)
	if s.Else != nil {
		b.setBlock(other)
		b.stmtNode(s.Else)
		b.jump(end)
	}
	b.setBlock(end)
}

func (b *builder) loopBody(body cfront.Stmt, brk, cont int32) {
	b.breaks, b.continues = append(b.breaks, exit{brk, len(b.cleanups)}), append(b.continues, exit{cont, len(b.cleanups)})
	b.stmtNode(body)
	b.breaks, b.continues = b.breaks[:len(b.breaks)-1], b.continues[:len(b.continues)-1]
}

func (b *builder) while(s *cfront.While) {
	test, body, end := b.newBlock(), b.newBlock(), b.newBlock()
	if s.Do {
		b.jump(body)
		b.setBlock(body)
		b.loopBody(s.Body, end, test)
		b.jump(test)
		b.setBlock(test)
		b.condition(s.Cond, &Stmt{Node: s, Loop: true, Match: []source.Range{s.Head}}, body, end)
	} else {
		b.jump(test)
		b.setBlock(test)
		b.condition(s.Cond, &Stmt{Node: s, Loop: true, Match: []source.Range{s.Head}}, body, end)
		b.setBlock(body)
		b.loopBody(s.Body, end, test)
		b.jump(test)
	}
	b.setBlock(end)
	b.ends(within(s.Body))
}

func (b *builder) forLoop(s *cfront.For) {
	depth := len(b.cleanups)
	defer func() { b.leaveScope(depth) }()
	if decls, ok := s.Init.(*cfront.Block); ok {
		for _, d := range decls.List {
			b.stmtNode(d)
		}
	} else if s.Init != nil {
		b.stmtNode(s.Init)
	}
	test, body, post, end := b.newBlock(), b.newBlock(), b.newBlock(), b.newBlock()
	b.jump(test)
	b.setBlock(test)
	if s.Cond != nil {
		b.condition(s.Cond, &Stmt{Node: s, Loop: true, Match: []source.Range{s.Head}}, body, end)
	} else {
		b.jump(body)
	}
	b.setBlock(body)
	b.loopBody(s.Body, end, post)
	b.jump(post)
	b.setBlock(post)
	if s.Post != nil {
		st := b.begin(&Stmt{Kind: Post, Range: s.Post.Range(), X: s.Post, Node: s, Stop: !cfront.Pure(s.Post)})
		b.discard(s.Post)
		b.end(st)
	}
	b.jump(test)
	b.setBlock(end)
	b.ends(within(s))
}

func (b *builder) switchStmt(s *cfront.Switch) {
	b.begin(&Stmt{Kind: Switch, Range: s.X.Range(), X: s.X, Node: s, Stop: true, Match: []source.Range{s.Head}})
	v := b.value(s.X)
	end := b.newBlock()
	head := b.cur
	at := len(head.Instrs)
	b.emit(ir.Instr{Op: ir.Switch, T: s.X.Type(), Dst: ir.NoReg, A: v, B: ir.NoReg, Target: end})
	saved := b.sw
	b.sw = &switchCtx{def: end, depth: len(b.cleanups)}
	b.setBlock(b.newBlock())
	b.breaks = append(b.breaks, exit{end, len(b.cleanups)})
	b.stmtNode(s.Body)
	b.breaks = b.breaks[:len(b.breaks)-1]
	b.jump(end)
	head.Instrs[at].Table, head.Instrs[at].Target = b.sw.table, b.sw.def
	b.sw = saved
	b.setBlock(end)
	b.ends(within(s.Body))
}

func (b *builder) caseStmt(s *cfront.Case) {
	if b.sw == nil {
		refuse(s, "case outside a switch")
	}
	if len(b.cleanups) > b.sw.depth {
		refuse(s, "a case label behind a variable with the attribute cleanup is not supported")
	}
	id := b.newBlock()
	if s.Default {
		b.sw.def = id
	} else {
		b.sw.table = append(b.sw.table, ir.SwitchCase{Lo: s.Lo, Hi: s.Hi, Target: id})
	}
	b.jump(id)
	b.setBlock(id)
	b.stmtNode(s.Body)
}
