package cfront

import (
	"fmt"

	"gulo/internal/ctype"
	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file converts statements.

func (c *converter) span(toks ...cc.Token) source.Range {
	var e expr
	c.setRange(&e, toks...)
	return e.rng
}

func (c *converter) block(n *cc.CompoundStatement) *Block {
	b := &Block{}
	b.rng = c.span(n.Token, n.Token2)
	saved, labels := c.scopeEnd, len(c.labels)
	c.scopeEnd = b.rng.End
	c.push()
	for l := n.BlockItemList; l != nil; l = l.BlockItemList {
		it := l.BlockItem
		switch it.Case {
		case cc.BlockItemDecl:
			b.List = append(b.List, c.declarations(it.Declaration)...)
		case cc.BlockItemStmt:
			b.List = append(b.List, c.statement(it.Statement))
		case cc.BlockItemFuncDef:
			b.List = append(b.List, c.nestedFunction(it)...)
		default:
			c.localLabels(it.LabelDeclaration)
		}
	}
	c.pop()
	c.scopeEnd, c.labels = saved, c.labels[:labels]
	return b
}

// localLabels gives the labels of a __label__ declaration unique names.
func (c *converter) localLabels(d *cc.LabelDeclaration) {
	m := map[string]string{}
	for l := d.IdentifierList; l != nil; l = l.IdentifierList {
		for _, t := range []cc.Token{l.Token, l.Token2} {
			if name := t.SrcStr(); name != "" && name != "," {
				c.unlabel++
				m[name] = fmt.Sprintf("%s#%d", name, c.unlabel)
			}
		}
	}
	c.labels = append(c.labels, m)
}

// labelName returns the unique name of a label.
func (c *converter) labelName(t cc.Token) string {
	name := t.SrcStr()
	for i := len(c.labels) - 1; i >= 0; i-- {
		if s, ok := c.labels[i][name]; ok {
			return s
		}
	}
	return name
}

// nestedFunction converts a nested function. If that is refused, the function becomes opaque, and so does every use of
// it.
func (c *converter) nestedFunction(it *cc.BlockItem) (out []Stmt) {
	st := c.save()
	e := caught(func() {
		if !c.nested {
			c.refuse(it.Declarator, "nested functions are not supported")
		}
		out = c.nestedDef(it)
	})
	if e == nil {
		return out
	}
	c.restore(st)
	c.poisonName(it.Declarator.Name(), e)
	if i, ok := c.token1(it); ok {
		open, end := i, i
		for ; open < len(c.src.Tokens) && c.src.Tokens[open].Text != "{"; open++ {
			if c.src.Tokens[open].Text == "(" {
				open = c.src.closing(open) - 1
			}
		}
		if open < len(c.src.Tokens) {
			end = c.src.closing(open)
		}
		c.note(c.src.span(i, end), e, true)
	}
	return nil
}

// declarations converts a declaration in a block.
func (c *converter) declarations(d *cc.Declaration) []Stmt {
	st := c.save()
	return c.guarded(d, func() (out []Stmt) {
		if e := caught(func() { out = c.localDecl(d) }); e != nil {
			c.restore(st)
			c.poison(d, e)
			panic(e)
		}
		return out
	})
}

func (c *converter) localDecl(d *cc.Declaration) []Stmt {
	var out []Stmt
	whole := source.Range{}
	if semi, macro := c.token(d.Token); !macro && semi.Valid() && d.Case == cc.DeclarationDecl {
		whole = semi
		if r, _ := c.at(d); r.File == semi.File {
			whole.Start = min(whole.Start, r.Start)
		}
	}
	mark := len(c.pending)
	flush := func() {
		if x := c.sizesSince(mark); len(x) > 0 {
			out = append(out, &Sizes{X: x})
		}
	}
	c.declaration(d, func(dd *declarator1) {
		if dd.vla != nil && dd.vla.elem == nil && dd.vla.n != nil { // VLALen holds the length
			c.pending = c.pending[:len(c.pending)-1]
		}
		flush()
		s := c.localVar(dd)
		s.Word = whole
		out = append(out, s)
	})
	flush()
	return out
}

// funcName declares __func__ as a static variable of the current function.
func (c *converter) funcName() *Var {
	name := []byte(c.fn.Name + "\x00")
	v := &Var{Name: "__func__", Storage: Static, Func: c.fn, Type: ctype.ArrayOf(c.dialect.char(), int64(len(name))), AddrTaken: true}
	v.Type.ElemQual = ctype.Const
	x := &String{Bytes: name}
	x.typ = v.Type
	v.Init = []Init{{Type: v.Type, X: x}}
	c.globalOrder = append(c.globalOrder, v)
	c.scopes[max(c.funcScope, 1)].names["__func__"] = &symbol{v: v}
	return v
}

func (c *converter) localVar(d *declarator1) *Decl {
	s := &Decl{Cleanup: c.cleanup(d.attrs)}
	v := &Var{Name: d.name.SrcStr(), Storage: Local, Func: c.fn, Type: d.typ, Qual: d.qual, Align: max(d.s.align, c.alignment(d.attrs))}
	v.AddrTaken = s.Cleanup != nil
	v.Range, _ = c.token(d.name)
	c.setScope(v)
	c.declare(v.Name, &symbol{v: v})
	c.fn.Locals = append(c.fn.Locals, v)
	s.Var, s.rng = v, v.Range
	switch size := c.sized(v.Type); {
	case d.vla != nil && d.vla.elem == nil && d.vla.n != nil && (v.Type.Elem.Size > 0 || v.Type.Elem.IsAggregate()):
		v.VLALen = d.vla.n
		s.rng = s.rng.Union(v.VLALen.Range())
		c.sizes[v.Type] = func() Expr {
			x := &SizeofVLA{Var: v}
			x.typ = ctype.ULongT
			return x
		}
		return s
	case size != nil:
		v.VLALen, v.VLABytes = size, true
		if at := size.Range(); at.File == v.Range.File && at.Start > v.Range.Start { // not a size in a type declared earlier
			s.rng = s.rng.Union(at)
		}
		return s
	case d.vla != nil:
		c.refuse(d.node, "this variable-length array is not supported")
	}
	if d.init == nil {
		return s
	}
	braces := d.init.Case == cc.InitializerInitList
	s.Init, v.Type = c.initializer(d.init, v.Type)
	s.Zero = !v.Type.IsScalar() && (!v.Type.IsWide() || v.Type.Kind == ctype.Vector) && braces || len(s.Init) == 0
	if len(s.Init) == 1 {
		if str, ok := s.Init[0].X.(*String); ok && v.Type.Kind == ctype.Array && s.Init[0].Type.Size == v.Type.Size {
			s.Zero = int64(len(str.Bytes)) < v.Type.Size
		}
	}
	for _, i := range s.Init {
		s.rng = s.rng.Union(i.X.Range())
	}
	if braces {
		s.rng = s.rng.Union(c.span(d.init.Token, d.init.Token3))
	}
	return s
}

func (c *converter) statement(n *cc.Statement) Stmt {
	return c.guarded(n, func() []Stmt { return []Stmt{c.plain(n)} })[0]
}

func (c *converter) plain(n *cc.Statement) Stmt {
	switch n.Case {
	case cc.StatementCompound:
		return c.block(n.CompoundStatement)
	case cc.StatementExpr:
		return c.exprStmt(n.ExpressionStatement)
	case cc.StatementSelection:
		return c.selection(n.SelectionStatement)
	case cc.StatementIteration:
		return c.iteration(n.IterationStatement)
	case cc.StatementJump:
		return c.jump(n.JumpStatement)
	case cc.StatementLabeled:
		return c.labeled(n.LabeledStatement)
	}
	return c.asmStatement(n.AsmStatement.Asm, n)
}

func (c *converter) exprStmt(n *cc.ExpressionStatement) Stmt {
	if n.ExpressionList == nil {
		s := &Empty{}
		s.rng = c.span(n.Token)
		return s
	}
	s := &ExprStmt{X: c.expr(n.ExpressionList)}
	s.rng = s.X.Range()
	if r, macro := c.token(n.Token); !macro {
		s.rng = s.rng.Union(r)
	}
	return s
}

func (c *converter) selection(n *cc.SelectionStatement) Stmt {
	cond := c.expr(n.ExpressionList)
	head := c.span(n.Token).Union(cond.Range()).Union(c.span(n.Token3))
	if n.Case == cc.SelectionStatementSwitch {
		s := &Switch{X: c.promote(cond), Head: head}
		c.switches = append(c.switches, s)
		s.Body = c.statement(n.Statement)
		c.switches = c.switches[:len(c.switches)-1]
		s.rng = head.Union(s.Body.Range())
		return s
	}
	s := &If{Cond: cond, Head: head, Then: c.body(n.Statement)}
	s.rng = head.Union(s.Then.Range())
	if n.Statement2 != nil {
		s.Else = c.body(n.Statement2)
		s.rng = s.rng.Union(s.Else.Range())
	}
	return s
}

// body converts the statement that an if or a loop controls. A simple statement becomes a block
// of its own, so that edits can put others beside it.
func (c *converter) body(n *cc.Statement) Stmt {
	s := c.statement(n)
	b := &Block{Implicit: true, List: []Stmt{s}}
	b.rng = s.Range()
	switch s.(type) {
	case *Empty:
		b.List = nil
	case *ExprStmt, *Return, *Jump:
	default:
		return s
	}
	if !b.rng.Valid() {
		return s
	}
	return b
}

func (c *converter) iteration(n *cc.IterationStatement) Stmt {
	opt := func(x cc.ExpressionNode) Expr {
		if x == nil {
			return nil
		}
		return c.expr(x)
	}
	switch n.Case {
	case cc.IterationStatementWhile:
		s := &While{Cond: c.expr(n.ExpressionList)}
		s.Head = c.span(n.Token).Union(s.Cond.Range()).Union(c.span(n.Token3))
		s.Body = c.body(n.Statement)
		s.rng = s.Head.Union(s.Body.Range())
		return s
	case cc.IterationStatementDo:
		s := &While{Do: true}
		s.Body = c.body(n.Statement)
		s.Cond = c.expr(n.ExpressionList)
		s.Head = c.span(n.Token2).Union(s.Cond.Range()).Union(c.span(n.Token4))
		s.rng = c.span(n.Token).Union(s.Head)
		return s
	}
	s := &For{}
	s.Head = c.span(n.Token)
	saved := c.scopeEnd
	c.push()
	if n.Case == cc.IterationStatementForDecl {
		c.scopeEnd = 1 << 40
		k := len(c.fn.Locals)
		b := &Block{List: c.localDecl(n.Declaration)}
		for _, d := range b.List {
			b.rng = b.rng.Union(d.Range())
		}
		s.Init = b
		s.Cond, s.Post = opt(n.ExpressionList), opt(n.ExpressionList2)
		s.Body = c.body(n.Statement)
		for _, v := range c.fn.Locals[k:] {
			if v.Scope.End == 1<<40 {
				v.Scope.End = s.Body.Range().End
			}
		}
	} else {
		if x := opt(n.ExpressionList); x != nil {
			e := &ExprStmt{X: x}
			e.rng = x.Range()
			s.Init = e
		}
		s.Cond, s.Post = opt(n.ExpressionList2), opt(n.ExpressionList3)
		s.Body = c.body(n.Statement)
	}
	c.pop()
	c.scopeEnd = saved
	s.rng = s.Head.Union(s.Body.Range())
	return s
}

func (c *converter) jump(n *cc.JumpStatement) Stmt {
	s := &Jump{}
	s.rng = c.span(n.Token)
	switch n.Case {
	case cc.JumpStatementGoto:
		if f, label := c.outerLabel(n.Token2.SrcStr()); f != nil {
			return c.jumpOut(f, label, c.span(n.Token, n.Token2))
		}
		s.Kind, s.Label = Goto, c.labelName(n.Token2)
		s.rng = s.rng.Union(c.span(n.Token2))
		c.semicolon(&s.rng, n.Token3)
	case cc.JumpStatementBreak:
		s.Kind = Break
		c.semicolon(&s.rng, n.Token2)
	case cc.JumpStatementContinue:
		s.Kind = Continue
		c.semicolon(&s.rng, n.Token2)
	case cc.JumpStatementReturn:
		r := &Return{}
		r.rng = s.rng
		if n.ExpressionList != nil {
			x := c.expr(n.ExpressionList)
			if t := c.fn.Type.Result; t.Kind != ctype.Void {
				x = c.convertTo(x, t)
			}
			r.X = x
			r.rng = r.rng.Union(x.Range())
		}
		c.semicolon(&r.rng, n.Token2)
		return r
	default:
		g := &ComputedGoto{X: c.expr(n.ExpressionList)}
		g.rng = s.rng.Union(g.X.Range())
		return g
	}
	return s
}

// semicolon extends the range of a statement to its semicolon t, unless that comes out of a macro.
func (c *converter) semicolon(r *source.Range, t cc.Token) {
	if semi, macro := c.token(t); !macro && semi.Valid() && r.Valid() && semi.File == r.File {
		*r = r.Union(semi)
	}
}

func (c *converter) labeled(n *cc.LabeledStatement) Stmt {
	var body Stmt
	if n.Statement != nil {
		body = c.statement(n.Statement)
	} else {
		body = &Empty{}
	}
	rng := c.span(n.Token).Union(body.Range())
	if n.Case == cc.LabeledStatementLabel {
		s := &Label{Name: c.labelName(n.Token), Body: body}
		s.rng = rng
		return s
	}
	s := &Case{Body: body, Default: n.Case == cc.LabeledStatementDefault}
	s.rng = rng
	if !s.Default {
		s.Lo = c.caseValue(n.ConstantExpression)
		s.Hi = s.Lo
		if n.Case == cc.LabeledStatementRange {
			s.Hi = c.caseValue(n.ConstantExpression2)
		}
	}
	return s
}

func (c *converter) caseValue(n cc.ExpressionNode) int64 {
	x := c.expr(n)
	return c.label(c.constValue(n, x))
}

// label converts a case label to the type of its switch (C11 6.8.4.2p5).
func (c *converter) label(w ctype.Word) int64 {
	if n := len(c.switches); n > 0 {
		w = ctype.Wrap(c.switches[n-1].X.Type(), w)
	}
	return int64(w)
}

// unlabelLast moves the labels of the last expression in a statement expression to an empty statement
// before it. The expression is the value even with a label.
func unlabelLast(b *Block) {
	if len(b.List) == 0 {
		return
	}
	l, ok := b.List[len(b.List)-1].(*Label)
	if !ok {
		return
	}
	for {
		next, ok := l.Body.(*Label)
		if !ok {
			break
		}
		l = next
	}
	if x, ok := l.Body.(*ExprStmt); ok {
		l.Body = &Empty{}
		b.List = append(b.List, x)
	}
}
