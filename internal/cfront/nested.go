package cfront

import (
	"fmt"
	"slices"

	"gulo/internal/ctype"
	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file converts nested functions (GNU C) into functions at file scope by closure conversion.
// A function with nested functions has an array, its chain, of the addresses of those of its variables
// that they use. The first element is the chain of the function around it.
// A nested function gets the chain of the function around it as its first parameter. The address of a
// nested function is the address of a variable of the function around it, its closure. The closure holds
// ClosureMark, the function and the chain. A call through such a pointer passes the chain; gcc's trampolines
// do the same with code. A goto out of a nested function is a longjmp to a computed goto.
//
// This is done only for programs that run on the machine (Options.Nested): under gdb a nested function is opaque.

// ClosureMark is the first word of a closure, which the address of a nested function points to. The second word is
// the address of a function, the third its first argument.
const ClosureMark = 0x6f6c75672e706d74

// ClosureSize is the size of a closure in bytes.
const ClosureSize = 24

// closure describes a nested function.
type closure struct {
	parent  *Func       // the function around it
	visible *ctype.Type // its type as it is written
	slot    *Var        // variable of parent that holds the closure; nil until the function's address is taken
	defined bool
}

// chain describes the chain of a function f that has nested functions or is one.
type chain struct {
	f     *Func
	up    *chain // of the function around f, nil at file scope
	link  *Var   // the parameter of f that holds the chain of the function around f
	array *Var   // the chain of f; nil if f has no nested functions
	vars  []*Var // the variables whose addresses are in array, from element 1 on
	fills []Expr // assignments to array, evaluated on entry
	late  []Expr // assignments to array, evaluated where the next nested function is defined
	slots []*closure
	funcs []*Func // the functions of slots
	jump  *Var    // the jmp_buf for a goto out of a nested function
	to    *Var    // the address of the label that such a goto leads to
	base  int     // number of elements of converter.labels that belong to functions around f
}

// chainOf returns the chain of the current function, which it makes if there is none.
func (c *converter) chainOf() *chain {
	if c.chain == nil || c.chain.f != c.fn {
		c.chain = &chain{f: c.fn, up: c.chain, base: len(c.labels)}
	}
	return c.chain
}

// hidden makes a variable without a name.
func hidden(f *Func, t *ctype.Type, s Storage) *Var {
	return &Var{Type: t, Storage: s, Func: f, AddrTaken: s == Local}
}

// announced returns the nested function of this name that the innermost block has declared but not defined, or a new
// one.
func (c *converter) announced(name string) (*Func, *closure) {
	top := c.scopes[len(c.scopes)-1].names
	if s := top[name]; s != nil && s.f != nil {
		if k := c.closures[s.f]; k != nil && !k.defined {
			return s.f, k
		}
	}
	if ch := c.chainOf(); ch.array == nil {
		ch.array = hidden(c.fn, ctype.ArrayOf(ctype.VoidPtrT, 1), Local)
	}
	c.unlabel++
	g, k := &Func{Name: fmt.Sprintf("%s.%d", name, c.unlabel), Static: true}, &closure{parent: c.fn}
	if c.closures == nil {
		c.closures = map[*Func]*closure{}
	}
	c.closures[g] = k
	c.funcOrder = append(c.funcOrder, g)
	return g, k
}

// announce declares a nested function with type t, at an auto declaration or at its definition.
func (c *converter) announce(g *Func, k *closure, name cc.Token, t *ctype.Type) {
	k.visible = t
	g.Range, _ = c.token(name)
	if r := t.Result; g.Result == nil && r != nil && r.IsScalar() {
		g.Result = &Var{Name: "result", Type: r, Func: g}
	}
	c.linked(g, t)
	c.declare(name.SrcStr(), &symbol{f: g})
}

// linked gives a nested function its type at file scope: t with the chain as first parameter.
func (c *converter) linked(g *Func, t *ctype.Type) {
	with := *t
	with.Params = slices.Insert(slices.Clone(t.Params), 0, ctype.PointerTo(ctype.VoidPtrT))
	g.Type = &with
}

// nestedDef converts the definition of a nested function. It returns the statements to run in the place of the
// definition.
func (c *converter) nestedDef(it *cc.BlockItem) []Stmt {
	ch := c.chainOf()
	fn, switches, end, pending, none, labels := c.fn, c.switches, c.scopeEnd, c.pending, c.noLocals, len(c.labels)
	s := c.declSpecifiers(it.DeclarationSpecifiers)
	dd := &declarator1{s: s, node: it.Declarator, attrs: s.attrs}
	outer, scope := c.chain, c.funcScope
	restore := func() {
		c.fn, c.switches, c.scopeEnd, c.pending, c.noLocals, c.labels, c.chain, c.funcScope = fn, switches, end, pending, none, c.labels[:labels], outer, scope
	}
	e := caught(func() {
		g, k := c.announced(it.Declarator.Name())
		link := hidden(g, ctype.PointerTo(ctype.VoidPtrT), Param)
		c.pending, c.noLocals, c.switches = nil, nil, nil
		c.fn, c.chain = g, &chain{f: g, up: ch, link: link, base: len(c.labels)}
		dd.declared = c.declarator(it.Declarator, s.typ, s.qual)
		if dd.params == nil {
			c.refuse(it.Declarator, "a function defined through a type name is not supported")
		}
		c.announce(g, k, dd.name, dd.typ)
		k.defined = true
		g.Type = dd.typ
		stop, _ := c.token(it.CompoundStatement.Token2)
		c.funcScope = len(c.scopes)
		def := &cc.FunctionDefinition{DeclarationSpecifiers: it.DeclarationSpecifiers, Declarator: it.Declarator, CompoundStatement: it.CompoundStatement}
		c.push()
		c.funcName()
		c.body1(g, dd.params, def, stop.End, true)
		c.pop()
		k.visible = g.Type
		c.linked(g, g.Type)
		g.Params = slices.Insert(g.Params, 0, link)
		g.Whole = g.Range.Union(g.Body.Range())
	})
	restore()
	if e != nil {
		panic(e)
	}
	var out []Stmt
	if len(ch.late) > 0 {
		out = []Stmt{&Sizes{X: ch.late}}
		ch.late = nil
	}
	return out
}

// closeChain ends the conversion of a function: it puts the statements that fill the chain in front of the body.
func (c *converter) closeChain(f *Func, body *Block) {
	ch := c.chain
	if ch == nil || ch.f != f {
		return
	}
	c.chain = ch.up
	if ch.array == nil {
		return
	}
	at := f.Range
	n := int64(len(ch.vars) + 1)
	ch.array.Type.Len, ch.array.Type.Size = n, n*8
	f.Locals = append(f.Locals, ch.array)
	own := func() Expr { return c.decay(refTo(ch.array, at)) }
	fills := ch.fills
	if ch.link != nil {
		fills = append(fills, assigned(c.element(own(), 0), cast(refTo(ch.link, at), ctype.VoidPtrT)))
	}
	for i, k := range ch.slots {
		f.Locals = append(f.Locals, k.slot)
		g := &FuncRef{Func: ch.funcs[i]}
		g.typ = ch.funcs[i].Type
		inherit(&g.expr, refTo(k.slot, at))
		for j, x := range []Expr{c.number(ClosureMark, at), cast(c.decay(g), ctype.ULongT), cast(own(), ctype.ULongT)} {
			fills = append(fills, assigned(c.element(c.decay(refTo(k.slot, at)), int64(j)), x))
		}
	}
	first := []Stmt{&Sizes{X: fills}}
	if ch.jump != nil {
		f.Locals = append(f.Locals, ch.jump, ch.to)
		set := c.library("_setjmp", &ctype.Type{Kind: ctype.Func, Size: 1, Align: 1, Result: ctype.IntT, Params: []*ctype.Type{ctype.VoidPtrT}})
		g := &ComputedGoto{X: refTo(ch.to, at)}
		g.rng = at
		jump := &If{Cond: called(set, at, cast(c.decay(refTo(ch.jump, at)), ctype.VoidPtrT)), Then: g, Head: at}
		jump.rng = at
		first = append(first, jump)
	}
	body.List = append(first, body.List...)
}

// reach returns a use of a variable of the current function or of one around it.
func (c *converter) reach(v *Var, at source.Range) Expr {
	if c.fn == nil || v.Func == c.fn || v.Func == nil || v.Storage != Local && v.Storage != Param || c.chain == nil {
		return refTo(v, at)
	}
	ch := c.chain
	if ch.f != c.fn {
		return refTo(v, at)
	}
	var p Expr
	for ; ch.f != v.Func; ch = ch.up {
		if p == nil {
			p = refTo(ch.link, at)
		} else {
			p = cast(c.element(p, 0), ctype.PointerTo(ctype.VoidPtrT))
		}
		if ch.up == nil {
			return refTo(v, at)
		}
	}
	i := slices.Index(ch.vars, v)
	if i < 0 {
		i = len(ch.vars)
		ch.vars = append(ch.vars, v)
		c.fill(ch, v, int64(i)+1, at)
	}
	to := ctype.PointerTo(v.Type)
	to.ElemQual = v.Qual
	d := &Deref{X: cast(c.element(p, int64(i)+1), to)}
	d.typ, d.rng, d.macro = v.Type, at, true
	return d
}

// fill stores the address of a variable in element i of the chain of its function. A variable of variable size has no
// address before it is declared, so its address is stored late.
func (c *converter) fill(ch *chain, v *Var, i int64, at source.Range) {
	v.AddrTaken = true
	var address Expr
	if v.VLALen != nil && v.Type.Kind == ctype.Array {
		address = c.decay(refTo(v, at))
	} else {
		a := &Addr{X: refTo(v, at)}
		a.typ, a.rng, a.macro = ctype.PointerTo(v.Type), at, true
		address = a
	}
	set := assigned(c.element(c.decay(refTo(ch.array, at)), i), cast(address, ctype.VoidPtrT))
	if v.VLALen != nil {
		ch.late = append(ch.late, set)
	} else {
		ch.fills = append(ch.fills, set)
	}
}

// chainFor returns the chain of f, which is the current function or one around it.
func (c *converter) chainFor(f *Func, at source.Range) Expr {
	var p Expr
	ch := c.chain
	for ; ch.f != f; ch = ch.up {
		if p == nil {
			p = refTo(ch.link, at)
		} else {
			p = cast(c.element(p, 0), ctype.PointerTo(ctype.VoidPtrT))
		}
	}
	if p == nil {
		p = c.decay(refTo(ch.array, at))
	}
	return p
}

// nestedAddress returns the value of a nested function's name where it is not called: its closure as an lvalue of the
// function's type.
func (c *converter) nestedAddress(g *Func, k *closure, at source.Range) Expr {
	if k.slot == nil {
		ch := c.chain
		for ch.f != k.parent {
			ch = ch.up
		}
		k.slot = hidden(k.parent, ctype.ArrayOf(ctype.ULongT, ClosureSize/8), Local)
		ch.slots, ch.funcs = append(ch.slots, k), append(ch.funcs, g)
	}
	d := &Deref{X: cast(c.decay(c.reach(k.slot, at)), ctype.PointerTo(k.visible))}
	d.typ, d.rng, d.macro = k.visible, at, true
	return d
}

// jumpOut converts a goto to a label of f, a function around the current one.
func (c *converter) jumpOut(f *Func, label string, at source.Range) Stmt {
	ch := c.chain
	for ch.f != f {
		ch = ch.up
	}
	if ch.jump == nil {
		ch.jump = hidden(f, ctype.ArrayOf(ctype.CharT, 256), Local)
		ch.jump.Align = 16
		ch.to = hidden(f, ctype.VoidPtrT, Local)
	}
	l := labelOf(f, label)
	l.rng, l.macro = at, true
	long := c.library("longjmp", &ctype.Type{Kind: ctype.Func, Size: 1, Align: 1, Result: ctype.VoidT, Params: []*ctype.Type{ctype.VoidPtrT, ctype.IntT}})
	one := c.number(1, at)
	one.(*Const).typ = ctype.IntT
	x := c.andThen(assigned(c.reach(ch.to, at), l), called(long, at, cast(c.decay(c.reach(ch.jump, at)), ctype.VoidPtrT), one))
	s := &ExprStmt{X: x}
	s.rng = at
	return s
}

// outerLabel returns the function around the current one that declares a label by __label__, and
// the label's unique name there. It returns nil if there is none.
func (c *converter) outerLabel(name string) (*Func, string) {
	ch := c.chain
	if ch == nil || ch.f != c.fn {
		return nil, ""
	}
	for i := len(c.labels) - 1; i >= 0; i-- {
		if s, ok := c.labels[i][name]; ok {
			for i < ch.base && ch.up != nil {
				ch = ch.up
			}
			if ch.f == c.fn {
				return nil, ""
			}
			return ch.f, s
		}
	}
	return nil, ""
}

// element returns p[i] of a pointer to pointers or to words.
func (c *converter) element(p Expr, i int64) Expr {
	k := c.number(uint64(i), p.Range())
	k.(*Const).typ = ctype.LongT
	e := &Index{X: p, I: k}
	e.typ, e.rng, e.macro = p.Type().Elem, p.Range(), true
	return e
}

func (c *converter) number(w uint64, at source.Range) Expr {
	k := &Const{Value: w, Spell: fmt.Sprint(w)}
	k.typ, k.rng, k.macro = ctype.ULongT, at, true
	return k
}

func refTo(v *Var, at source.Range) Expr {
	r := &Ref{Var: v}
	r.typ, r.rng, r.macro = v.Type, at, true
	return r
}

func cast(x Expr, t *ctype.Type) Expr {
	e := &Cast{X: x, Implicit: true}
	e.typ = t
	inherit(&e.expr, x)
	return e
}

func assigned(l, r Expr) Expr {
	a := &Assign{L: l, R: r}
	a.typ = l.Type()
	inherit(&a.expr, l)
	return a
}

func called(f *Func, at source.Range, args ...Expr) Expr {
	g := &FuncRef{Func: f}
	g.typ, g.rng, g.macro = f.Type, at, true
	e := &Call{Fun: g, Args: args}
	e.typ, e.rng, e.macro = f.Type.Result, at, true
	return e
}

// callee converts the function operand of a call. The name of a nested function is not replaced by its closure here.
func (c *converter) callee(n cc.ExpressionNode) Expr {
	p, ok := n.(*cc.PrimaryExpression)
	if !ok || p.Case != cc.PrimaryExpressionIdent || c.closures == nil {
		return c.expr(n)
	}
	s := c.lookup(p.Token.SrcStr())
	if s == nil || c.closures[s.f] == nil {
		return c.expr(n)
	}
	f := &FuncRef{Func: s.f}
	f.typ = c.closures[s.f].visible
	c.setRange(&f.expr, p.Token)
	return c.decay(f)
}
