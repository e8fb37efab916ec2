package cfront

import (
	"fmt"

	"gulo/internal/ctype"
	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file converts declarations and places. Refusals travel as panics with a
// *source.Error and are recovered in unit.

type converter struct {
	prog  *Program
	files map[string]*source.File

	types   map[cc.Type]*ctype.Type // of the current source file
	structs map[string]*ctype.Type

	funcs       map[string]*Func // by name; statics with their file in front
	funcOrder   []*Func
	globals     map[string]*Var
	globalOrder []*Var

	unitName string
	vars     map[*cc.Declarator]*Var
	fn       *Func
	scopeEnd int // where the innermost open block ends
	switches []*Switch
}

func newConverter() *converter {
	return &converter{
		prog:    &Program{},
		files:   map[string]*source.File{},
		structs: map[string]*ctype.Type{},
		funcs:   map[string]*Func{},
		globals: map[string]*Var{},
	}
}

// refuse gives up on the input; at is a cc.Node or a Node, or nil.
func (c *converter) refuse(at any, format string, args ...any) {
	pos := source.Position{File: c.unitName}
	switch n := at.(type) {
	case cc.Node:
		p := n.Position()
		pos = source.Position{File: p.Filename, Line: p.Line, Column: p.Column}
	case Node:
		pos = n.Range().Position()
	}
	panic(source.Errorf(pos, format, args...))
}

func (c *converter) unit(f *source.File, ast *cc.AST) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*source.Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	c.unitName = f.Name
	c.types = map[cc.Type]*ctype.Type{}
	c.vars = map[*cc.Declarator]*Var{}
	for l := ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		ed := l.ExternalDeclaration
		if p := ed.Position(); p.Filename == "<predefined>" || p.Filename == "<builtin>" {
			continue
		}
		switch ed.Case {
		case cc.ExternalDeclarationFuncDef:
			c.funcDef(ed.FunctionDefinition)
		case cc.ExternalDeclarationDecl:
			c.fileDecl(ed.Declaration)
		case cc.ExternalDeclarationAsmStmt:
			c.refuse(ed, "inline assembly is not supported")
		}
	}
	return nil
}

// token returns the bytes of a token and whether it came out of a macro.
func (c *converter) token(t cc.Token) (source.Range, bool) {
	p := t.Position()
	f := c.file(p.Filename)
	if f == nil || p.Offset >= len(f.Text) {
		return source.Range{}, false
	}
	s := t.SrcStr()
	if end := p.Offset + len(s); end <= len(f.Text) && string(f.Text[p.Offset:end]) == s {
		return source.Range{File: f, Start: p.Offset, End: end}, false
	}
	if f.Text[p.Offset] == '"' || f.Text[p.Offset] == 'L' {
		return source.Range{File: f, Start: p.Offset, End: stringsEnd(f.Text, p.Offset)}, false
	}
	return source.Range{File: f, Start: p.Offset, End: invocationEnd(f.Text, p.Offset)}, true
}

func (c *converter) setRange(e *expr, toks ...cc.Token) {
	for _, t := range toks {
		r, m := c.token(t)
		e.rng = e.rng.Union(r)
		e.macro = e.macro || m
	}
}

// cover widens e over its operands. An operand with the very bytes of its
// parent stands inside one macro invocation and cannot be edited by itself.
func cover(e *expr, xs ...Expr) {
	for _, x := range xs {
		e.rng = e.rng.Union(x.Range())
	}
	for _, x := range xs {
		b := x.(interface{ base() *expr }).base()
		if b.rng == e.rng {
			if b.macro || e.macro {
				markMacro(x)
			}
		}
	}
	e.macro = false
}

func markMacro(x Expr) {
	Walk(x, func(y Expr) bool {
		y.(interface{ base() *expr }).base().macro = true
		return true
	})
}

func (c *converter) fileDecl(d *cc.Declaration) {
	if d.Case == cc.DeclarationAssert {
		return
	}
	if d.Case == cc.DeclarationAuto {
		c.refuse(d, "__auto_type is not supported")
	}
	if d.DeclarationSpecifiers != nil {
		if t := d.DeclarationSpecifiers.Type(); t != nil && (t.Kind() == cc.Struct || t.Kind() == cc.Union) {
			c.ctype(t, d)
		}
	}
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		dd := l.InitDeclarator.Declarator
		if dd.IsTypename() {
			if t := dd.Type(); t.Kind() == cc.Struct || t.Kind() == cc.Union {
				c.ctype(t, dd)
			}
			continue
		}
		if dd.Type().Kind() == cc.Function {
			c.function(dd)
			continue
		}
		v := c.global(dd)
		if l.InitDeclarator.Initializer != nil {
			v.Init = c.initializer(l.InitDeclarator.Initializer, v.Type)
			c.completeArray(v, v.Init, dd)
		}
	}
}

// function returns the Func that a declarator names.
func (c *converter) function(d *cc.Declarator) *Func {
	key := d.Name()
	static := d.Linkage() == cc.Internal
	if static {
		key = c.unitName + ":" + key
	} else if f, ok := c.funcs[c.unitName+":"+key]; ok {
		return f
	}
	f, ok := c.funcs[key]
	if !ok {
		f = &Func{Name: d.Name(), Static: static}
		f.Range, _ = c.token(d.NameTok())
		c.funcs[key] = f
		c.funcOrder = append(c.funcOrder, f)
	}
	if t := c.ctype(d.Type(), d); f.Type == nil || f.Type.NoProto {
		f.Type = t
	}
	if r := f.Type.Result; f.Result == nil && r != nil && r.IsScalar() {
		f.Result = &Var{Name: "result", Type: r, Func: f}
	}
	return f
}

// global returns the variable of static storage that a declarator names.
func (c *converter) global(d *cc.Declarator) *Var {
	if v, ok := c.vars[d]; ok {
		return v
	}
	v := &Var{Name: d.Name(), Type: c.ctype(d.Type(), d), AddrTaken: true}
	v.Range, _ = c.token(d.NameTok())
	elem := v.Type
	for elem.Kind == ctype.Array {
		elem = elem.Elem
	}
	v.Const, v.Volatile = d.IsConst() && elem.Kind != ctype.Pointer, d.IsVolatile()
	key := d.Name()
	switch {
	case c.fn != nil && d.IsStatic():
		v.Storage, v.Func = Static, c.fn
		v.Scope = source.Range{File: v.Range.File, Start: v.Range.Start, End: c.scopeEnd}
		key = fmt.Sprintf("%s:%d", c.unitName, v.Range.Start)
	case d.Linkage() == cc.Internal:
		v.Storage = Static
		key = c.unitName + ":" + key
	default:
		v.Storage = Global
		if w, ok := c.globals[c.unitName+":"+key]; ok {
			c.vars[d] = w
			return w
		}
	}
	if w, ok := c.globals[key]; ok {
		if w.Type.Size == 0 && v.Type.Size > 0 || w.Type.Len < 0 {
			w.Type = v.Type
		}
		c.vars[d] = w
		return w
	}
	c.globals[key] = v
	if !libraryVar[v.Name] || !d.IsExtern() {
		c.globalOrder = append(c.globalOrder, v)
	}
	c.vars[d] = v
	return v
}

// libraryVar names the variables that the C library defines.
var libraryVar = map[string]bool{"stdin": true, "stdout": true, "stderr": true, "optarg": true, "optind": true, "environ": true}

// completeArray gives an array its length from its initializer.
func (c *converter) completeArray(v *Var, init []Init, at cc.Node) {
	if v.Type.Kind != ctype.Array || v.Type.Len >= 0 {
		return
	}
	end := int64(0)
	for _, in := range init {
		size := in.Type.Size
		if s, ok := in.X.(*String); ok && in.Type.Kind == ctype.Array {
			size = int64(len(s.Bytes))
		}
		end = max(end, in.Offset+size)
	}
	if v.Type.Elem.Size == 0 {
		c.refuse(at, "array of an incomplete type")
	}
	n := (end + v.Type.Elem.Size - 1) / v.Type.Elem.Size
	v.Type = ctype.ArrayOf(v.Type.Elem, n)
	for i, in := range init {
		if s, ok := in.X.(*String); ok && in.Type.Kind == ctype.Array && in.Type.Len < 0 {
			init[i].Type = ctype.ArrayOf(in.Type.Elem, int64(len(s.Bytes))/in.Type.Elem.Size)
		}
	}
}

func (c *converter) funcDef(d *cc.FunctionDefinition) {
	f := c.function(d.Declarator)
	if f.Body != nil { // an inline function of a header, seen in an earlier file
		return
	}
	f.Type = c.ctype(d.Declarator.Type(), d)
	f.Range, _ = c.token(d.Declarator.NameTok())
	c.fn = f
	body, _ := c.token(d.CompoundStatement.Token)
	end, _ := c.token(d.CompoundStatement.Token2)
	f.Whole = f.Range
	if f.Range.File == body.File {
		start := f.Range.File.Position(f.Range.Start)
		if p := d.DeclarationSpecifiers; p != nil {
			if pos := p.Position(); pos.Filename == f.Range.File.Name && pos.Line > 0 {
				start = source.Position{File: pos.Filename, Line: pos.Line, Column: pos.Column}
			}
		}
		if o, ok := f.Range.File.Offset(start.Line, start.Column); ok {
			f.Whole = source.Range{File: f.Range.File, Start: o, End: end.End}
		}
	}
	if ft, ok := d.Declarator.Type().(*cc.FunctionType); ok {
		c.params(f, ft, end.End)
	}
	f.Body = c.block(d.CompoundStatement)
	c.fn = nil
}

func (c *converter) params(f *Func, ft *cc.FunctionType, end int) {
	for i, p := range ft.Parameters() {
		if i >= len(f.Type.Params) {
			break
		}
		v := &Var{Type: f.Type.Params[i], Storage: Param, Func: f, Name: p.Name()}
		if p.Declarator != nil {
			v.AddrTaken = p.Declarator.AddressTaken()
			v.Range, _ = c.token(p.Declarator.NameTok())
			v.Scope = source.Range{File: v.Range.File, Start: v.Range.Start, End: end}
			c.vars[p.Declarator] = v
		}
		f.Params = append(f.Params, v)
	}
}

// invocationEnd returns the end of a macro's name and, when a parenthesis
// follows, of its arguments.
func invocationEnd(text []byte, i int) int {
	for i < len(text) && (text[i] == '_' || text[i] == '$' || text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z' || text[i] >= '0' && text[i] <= '9') {
		i++
	}
	j := i
	for j < len(text) && (text[j] == ' ' || text[j] == '\t') {
		j++
	}
	if j >= len(text) || text[j] != '(' {
		return i
	}
	depth := 0
	for ; j < len(text); j++ {
		switch text[j] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return j + 1
			}
		case '"', '\'':
			j = literalEnd(text, j) - 1
		}
	}
	return i
}

// literalEnd returns the end of the string or character literal at i.
func literalEnd(text []byte, i int) int {
	quote := text[i]
	for i++; i < len(text) && text[i] != quote && text[i] != '\n'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(text))
}

// stringsEnd returns the end of a run of adjacent string literals.
func stringsEnd(text []byte, i int) int {
	end := i
	for i < len(text) {
		switch text[i] {
		case '"':
			i = literalEnd(text, i)
			end = i
		case ' ', '\t', '\n', '\r', '\\', 'L':
			i++
		default:
			return end
		}
	}
	return end
}
