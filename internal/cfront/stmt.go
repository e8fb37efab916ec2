package cfront

import (
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
	saved := c.scopeEnd
	c.scopeEnd = b.rng.End
	for l := n.BlockItemList; l != nil; l = l.BlockItemList {
		it := l.BlockItem
		switch it.Case {
		case cc.BlockItemDecl:
			b.List = append(b.List, c.localDecl(it.Declaration)...)
		case cc.BlockItemStmt:
			b.List = append(b.List, c.statement(it.Statement))
		case cc.BlockItemFuncDef:
			c.refuse(it.Declarator, "nested functions are not supported")
		default:
			c.refuse(n, "local label declarations are not supported")
		}
	}
	c.scopeEnd = saved
	return b
}

func (c *converter) localDecl(d *cc.Declaration) []Stmt {
	if d.Case == cc.DeclarationAssert {
		return nil
	}
	if d.Case == cc.DeclarationAuto {
		c.refuse(d, "__auto_type is not supported")
	}
	if d.DeclarationSpecifiers != nil {
		if t := d.DeclarationSpecifiers.Type(); t != nil && (t.Kind() == cc.Struct || t.Kind() == cc.Union) {
			c.ctype(t, d)
		}
	}
	var out []Stmt
	whole := source.Range{}
	if semi, macro := c.token(d.Token); !macro && semi.Valid() {
		whole = semi
		p := d.Position()
		if f := c.file(p.Filename); f == semi.File {
			whole.Start = min(whole.Start, p.Offset)
		}
	}
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		dd := l.InitDeclarator.Declarator
		switch {
		case dd.Name() == "__func__":
			c.funcName(dd)
			continue
		case dd.IsTypename():
			continue
		case dd.Type().Kind() == cc.Function:
			c.function(dd)
			continue
		case dd.StorageDuration() == cc.Static:
			v := c.global(dd)
			if l.InitDeclarator.Initializer != nil {
				v.Init = c.initializer(l.InitDeclarator.Initializer, v.Type)
				c.completeArray(v, v.Init, dd)
			}
			continue
		}
		s := c.localVar(dd, l.InitDeclarator)
		s.Word = whole
		out = append(out, s)
	}
	return out
}

// funcName declares __func__ as the static it is.
func (c *converter) funcName(d *cc.Declarator) {
	name := []byte(c.fn.Name + "\x00")
	v := &Var{Name: "__func__", Storage: Static, Func: c.fn, Type: ctype.ArrayOf(ctype.CharT, int64(len(name))), AddrTaken: true}
	x := &String{Bytes: name}
	x.typ = v.Type
	v.Init = []Init{{Type: v.Type, X: x}}
	c.vars[d] = v
	if d.ReadCount() > 0 || d.SizeofCount() > 0 {
		c.globalOrder = append(c.globalOrder, v)
	}
}

func (c *converter) localVar(d *cc.Declarator, in *cc.InitDeclarator) *Decl {
	s := &Decl{}
	v := &Var{Name: d.Name(), Storage: Local, Func: c.fn, AddrTaken: d.AddressTaken()}
	v.Range, _ = c.token(d.NameTok())
	v.Scope = source.Range{File: v.Range.File, Start: v.Range.Start, End: c.scopeEnd}
	c.vars[d] = v
	c.fn.Locals = append(c.fn.Locals, v)
	s.Var, s.rng = v, v.Range
	if a, ok := d.Type().(*cc.ArrayType); ok && a.IsVLA() {
		v.Type = ctype.ArrayOf(c.ctype(a.Elem(), d), -1)
		if v.Type.Elem.Size == 0 {
			c.refuse(d, "variable-length arrays of several dimensions are not supported")
		}
		v.VLALen = c.convertTo(c.expr(a.SizeExpression()), ctype.LongT)
		s.rng = s.rng.Union(v.VLALen.Range())
		return s
	}
	v.Type = c.ctype(d.Type(), d)
	if in.Initializer == nil {
		return s
	}
	s.Init = c.initializer(in.Initializer, v.Type)
	c.completeArray(v, s.Init, d)
	s.Zero = !v.Type.IsScalar() && in.Initializer.Case == cc.InitializerInitList || len(s.Init) == 0
	if len(s.Init) == 1 {
		if str, ok := s.Init[0].X.(*String); ok && v.Type.Kind == ctype.Array {
			s.Zero = int64(len(str.Bytes)) < v.Type.Size
		}
	}
	for _, i := range s.Init {
		s.rng = s.rng.Union(i.X.Range())
	}
	if in.Initializer.Case == cc.InitializerInitList {
		s.rng = s.rng.Union(c.span(in.Initializer.Token, in.Initializer.Token3))
	}
	return s
}

func (c *converter) statement(n *cc.Statement) Stmt {
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
	c.refuse(n, "inline assembly is not supported")
	return nil
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

// body converts what an if or a loop governs. A plain statement becomes a block
// of its own, so that there is a place for others beside it.
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
	c.scopeEnd = saved
	s.rng = s.Head.Union(s.Body.Range())
	return s
}

func (c *converter) jump(n *cc.JumpStatement) Stmt {
	s := &Jump{}
	s.rng = c.span(n.Token)
	switch n.Case {
	case cc.JumpStatementGoto:
		s.Kind, s.Label = Goto, n.Token2.SrcStr()
		s.rng = s.rng.Union(c.span(n.Token2))
	case cc.JumpStatementBreak:
		s.Kind = Break
	case cc.JumpStatementContinue:
		s.Kind = Continue
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
		if semi, macro := c.token(n.Token2); !macro && semi.Valid() {
			r.rng = r.rng.Union(semi)
		}
		return r
	default:
		c.refuse(n, "computed goto is not supported")
	}
	return s
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
		s := &Label{Name: n.Token.SrcStr(), Body: body}
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

func (c *converter) caseValue(x cc.ExpressionNode) int64 {
	switch v := x.Value().(type) {
	case cc.Int64Value:
		return c.label(uint64(v))
	case cc.UInt64Value:
		return c.label(uint64(v))
	}
	c.refuse(x, "case label is not a constant")
	return 0
}

// label converts a case label to the type of its switch (C11 6.8.4.2p5).
func (c *converter) label(w ctype.Word) int64 {
	if n := len(c.switches); n > 0 {
		w = ctype.Wrap(c.switches[n-1].X.Type(), w)
	}
	return int64(w)
}
