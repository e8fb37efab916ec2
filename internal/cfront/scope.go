package cfront

import (
	"gulo/internal/ctype"
	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file handles scopes and names. The parser's own name resolution and types are not
// used: it hardly knows qualifiers, does not know most attributes, and
// takes a tag that is declared again in an inner block for the outer one.

// symbol is what an identifier names: one of v, f, typedef and constant, or none if lazy or err is set.
type symbol struct {
	v        *Var
	f        *Func
	typedef  *ctype.Type
	qual     ctype.Qual
	constant *Const // an enumeration constant

	// lazy converts a declaration of a system header on first use. Headers
	// declare much that is not supported and that the program does not use.
	lazy func()
	err  *source.Error // why the declaration was refused
}

// tag is a struct, union or enum tag.
type tag struct {
	t       *ctype.Type
	defined bool // in this source file
	lazy    func()
	err     *source.Error
}

type scope struct {
	names map[string]*symbol
	tags  map[string]*tag
}

func newScope() *scope { return &scope{map[string]*symbol{}, map[string]*tag{}} }

func (c *converter) push() { c.scopes = append(c.scopes, newScope()) }
func (c *converter) pop()  { c.scopes = c.scopes[:len(c.scopes)-1] }

func (c *converter) declare(name string, s *symbol) {
	c.scopes[len(c.scopes)-1].names[name] = s
}

// elsewhere returns the refusal e of a declaration, with the position of the use of its name.
func (c *converter) elsewhere(e *source.Error) *source.Error {
	if c.using == nil {
		return e
	}
	r, _ := c.at(c.using)
	if !r.Valid() {
		return e
	}
	return source.Errorf(r.Position(), "%s", e.List[0].Message)
}

// lookup returns what a name stands for, nil if it is not declared. It panics with the refusal of its declaration.
func (c *converter) lookup(name string) *symbol {
	for i := len(c.scopes) - 1; i >= 0; i-- {
		s, ok := c.scopes[i].names[name]
		if !ok {
			continue
		}
		if lazy := s.lazy; lazy != nil {
			s.lazy = nil
			if s.err = caught(func() { c.atFileScope(lazy) }); s.err == nil {
				if t := c.scopes[0].names[name]; t != nil {
					return t
				}
			}
		}
		if s.err != nil {
			panic(c.elsewhere(s.err))
		}
		return s
	}
	return nil
}

func (c *converter) lookupTag(name string) *tag {
	for i := len(c.scopes) - 1; i >= 0; i-- {
		if t, ok := c.scopes[i].tags[name]; ok {
			if lazy := t.lazy; lazy != nil {
				t.lazy = nil
				if t.err = caught(func() { c.atFileScope(lazy) }); t.err == nil {
					return c.scopes[i].tags[name] // what the definition made of it
				}
			}
			if t.err != nil {
				panic(c.elsewhere(t.err))
			}
			return t
		}
	}
	return nil
}

// atFileScope runs f with only the file scope, outside of any function.
func (c *converter) atFileScope(f func()) {
	scopes, fn, switches, end := c.scopes, c.fn, c.switches, c.scopeEnd
	defer func() { c.scopes, c.fn, c.switches, c.scopeEnd = scopes, fn, switches, end }()
	c.scopes, c.fn, c.switches = c.scopes[:1:1], nil, nil
	f()
}

// system reports whether a node stands in a system header.
func (c *converter) system(n cc.Node) bool {
	_, system := c.at(n)
	return system
}

// lazyDeclaration registers the names that a declaration in a system header declares. It is converted when one is
// used, or now if it defines an enum or a tag that has been mentioned.
func (c *converter) lazyDeclaration(d *cc.Declaration) {
	if d.Case != cc.DeclarationDecl {
		return
	}
	top := c.scopes[0]
	done := false
	var failed *source.Error
	convert := func() {
		if !done {
			done = true
			failed = caught(func() { c.fileDecl(d) })
		}
		if failed != nil {
			panic(failed)
		}
	}
	for s := d.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
		if s.TypeSpecifier == nil {
			continue
		}
		if u := s.TypeSpecifier.StructOrUnionSpecifier; u != nil && u.Case == cc.StructOrUnionSpecifierDef {
			if name := u.Token.SrcStr(); name != "" {
				if old, ok := top.tags[name]; ok && old.t != nil {
					if e := caught(convert); e != nil { // it has been mentioned before
						c.poison(d, e)
					}
					continue
				}
				top.tags[name] = &tag{lazy: convert}
			}
		}
		if e := s.TypeSpecifier.EnumSpecifier; e != nil && e.Case == cc.EnumSpecifierDef {
			if e := caught(convert); e != nil {
				c.poison(d, e)
			}
			return
		}
	}
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		name := l.InitDeclarator.Declarator.Name()
		if _, ok := top.names[name]; !ok {
			top.names[name] = &symbol{lazy: convert}
		}
	}
}

// lazyFunction registers a function that a system header defines.
func (c *converter) lazyFunction(d *cc.FunctionDefinition) {
	name := d.Declarator.Name()
	if old, ok := c.scopes[0].names[name]; ok && old.lazy == nil {
		return
	}
	c.scopes[0].names[name] = &symbol{lazy: func() { c.funcDef(d) }}
}

// refuse panics with a *source.Error at the position of at, which is a cc.Node, a Node or nil.
func (c *converter) refuse(at any, format string, args ...any) {
	pos, system := source.Position{File: c.unitName}, true
	var r source.Range
	switch n := at.(type) {
	case cc.Node:
		r, system = c.at(n)
	case Node:
		r, system = n.Range(), false
	}
	if r.Valid() {
		pos = r.Position()
	}
	if c.using != nil && system {
		if r, _ := c.at(c.using); r.Valid() {
			pos = r.Position()
		}
	}
	panic(source.Errorf(pos, format, args...))
}
