package cfront

import (
	"gulo/internal/ctype"

	"modernc.org/cc/v4"
)

// This file converts declarators: pointers, arrays, functions, parameters.

// declared is what a declarator declares.
type declared struct {
	name   cc.Token
	typ    *ctype.Type
	qual   ctype.Qual
	params *parameters // of the function that is declared, nil for other types
	vla    *vla        // nil when the type is of constant size
}

// parameters are the parameters of a function declarator.
type parameters struct {
	typ    *ctype.Type
	vars   []*Var   // in order
	names  []string // K&R: the identifiers
	effect []Expr   // array bounds with side effects, evaluated on entry
	sizes  []Expr   // assignments of the sizes of types of variable size
	tags   map[string]*tag
	consts map[string]*symbol
}

// vla is the length of a variable-length array.
type vla struct {
	n    Expr
	elem *vla // nil when elements are of constant size
}

// declarator applies a declarator to a type with its qualifiers.
func (c *converter) declarator(d *cc.Declarator, t *ctype.Type, q ctype.Qual) declared {
	out := declared{}
	t, q = c.pointer(d.Pointer, t, q)
	c.direct(d.DirectDeclarator, t, q, nil, &out)
	return out
}

func (c *converter) pointer(p *cc.Pointer, t *ctype.Type, q ctype.Qual) (*ctype.Type, ctype.Qual) {
	for ; p != nil; p = p.Pointer {
		if p.Case == cc.PointerBlock {
			c.refuse(p, "blocks are not supported")
		}
		t = ctype.PointerTo(t)
		t.ElemQual, q = q, 0
		for l := p.TypeQualifiers; l != nil; l = l.TypeQualifiers {
			if l.TypeQualifier != nil {
				if l.TypeQualifier.Case == cc.TypeQualifierAttr {
					c.attributes(nil, l.TypeQualifier.AttributeSpecifierList)
				}
				q |= qualOf(l.TypeQualifier)
			}
		}
	}
	return t, q
}

// direct applies the parts of a declarator from the outside in.
func (c *converter) direct(d *cc.DirectDeclarator, t *ctype.Type, q ctype.Qual, v *vla, out *declared) {
	switch d.Case {
	case cc.DirectDeclaratorIdent:
		out.name, out.typ, out.qual, out.vla = d.Token, t, q, v
	case cc.DirectDeclaratorDecl:
		if d.Declarator.Pointer != nil {
			v = nil
		}
		t, q = c.pointer(d.Declarator.Pointer, t, q)
		c.direct(d.Declarator.DirectDeclarator, t, q, v, out)
	case cc.DirectDeclaratorArr, cc.DirectDeclaratorStaticArr, cc.DirectDeclaratorArrStatic, cc.DirectDeclaratorStar:
		var iq ctype.Qual
		for l := d.TypeQualifiers; l != nil; l = l.TypeQualifiers {
			if l.TypeQualifier != nil {
				iq |= qualOf(l.TypeQualifier)
			}
		}
		at, av := c.array(t, q, d.AssignmentExpression, v, d)
		if d.Case == cc.DirectDeclaratorStar {
			at = ctype.ArrayOf(t, -1)
		}
		out.qual = iq
		c.direct(d.DirectDeclarator, at, iq, av, out)
	case cc.DirectDeclaratorFuncParam:
		ps := c.params(d.ParameterTypeList)
		ps.typ.Result = c.result(t, d)
		out.params = nil
		c.direct(d.DirectDeclarator, ps.typ, 0, nil, out)
		if out.typ == ps.typ {
			out.params = ps
		}
	case cc.DirectDeclaratorFuncIdent:
		ps := &parameters{typ: &ctype.Type{Kind: ctype.Func, Size: 1, Align: 1, NoProto: true}}
		ps.typ.Result = c.result(t, d)
		for l := d.IdentifierList; l != nil; l = l.IdentifierList {
			ps.names = append(ps.names, l.Token2.SrcStr())
		}
		c.direct(d.DirectDeclarator, ps.typ, 0, nil, out)
		if out.typ == ps.typ {
			out.params = ps
		}
	default:
		c.refuse(d, "this declarator is not supported")
	}
}

func (c *converter) result(t *ctype.Type, at cc.Node) *ctype.Type {
	if t.Kind == ctype.Array || t.Kind == ctype.Func {
		c.refuse(at, "a function that returns %s", t)
	}
	if c.sized(t) != nil {
		c.refuse(at, "a function that returns a struct of variable size is not supported")
	}
	return t
}

// array returns the type of an array and, when its length or that of its
// elements is variable, its length.
func (c *converter) array(t *ctype.Type, q ctype.Qual, n cc.ExpressionNode, elem *vla, at cc.Node) (*ctype.Type, *vla) {
	out := ctype.ArrayOf(t, -1)
	var v *vla
	if n != nil {
		x := c.convertTo(c.promote(c.expr(n)), ctype.LongT)
		k, ok := Constant(x)
		switch {
		case ok && elem == nil && c.sizes[t] == nil:
			out = ctype.ArrayOf(t, int64(k))
		default:
			if elem == nil && c.sizes[t] != nil {
				elem = &vla{}
			}
			v = &vla{x, elem}
			c.keepSize(out, x)
		}
	} else if elem != nil {
		v = &vla{nil, elem}
	}
	out.ElemQual = q
	c.variable[out] = v != nil
	return out, v
}

// params converts a parameter list in a scope of its own.
func (c *converter) params(l *cc.ParameterTypeList) *parameters {
	ps := &parameters{typ: &ctype.Type{Kind: ctype.Func, Size: 1, Align: 1}}
	if l == nil {
		ps.typ.NoProto = true
		return ps
	}
	ps.typ.Variadic = l.Case == cc.ParameterTypeListVar
	c.push()
	mark := len(c.pending)
	defer func() { ps.sizes = c.sizesSince(mark) }()
	for pl := l.ParameterList; pl != nil; pl = pl.ParameterList {
		p := pl.ParameterDeclaration
		s := c.declSpecifiers(p.DeclarationSpecifiers)
		d := declared{typ: s.typ, qual: s.qual}
		if p.Declarator != nil {
			d = c.declarator(p.Declarator, s.typ, s.qual)
		} else if p.AbstractDeclarator != nil {
			c.abstract(p.AbstractDeclarator, s.typ, s.qual, &d)
		}
		s.attrs = c.attributes(s.attrs, p.AttributeSpecifierList)
		if d.typ.Kind == ctype.Void && ps.vars == nil && pl.ParameterList == nil && d.name.SrcStr() == "" {
			break
		}
		if d.vla != nil {
			if d.vla.n != nil && !Pure(d.vla.n) {
				ps.effect = append(ps.effect, d.vla.n)
			}
			if d.vla.n != nil { // the parameter is a pointer: only its elements' size counts
				c.pending = c.pending[:len(c.pending)-1]
			}
		}
		v := &Var{Name: d.name.SrcStr(), Type: c.mode(d.typ, s.attrs).Decay(), Storage: Param, Qual: d.qual, NonNull: find(s.attrs, "nonnull") != nil}
		if v.Name != "" {
			v.Range, _ = c.token(d.name)
			c.declare(v.Name, &symbol{v: v})
		}
		ps.vars = append(ps.vars, v)
		ps.typ.Params = append(ps.typ.Params, v.Type)
	}
	s := c.scopes[len(c.scopes)-1]
	ps.tags, ps.consts = s.tags, s.names
	c.pop()
	return ps
}

// typeName converts a type name.
func (c *converter) typeName(n *cc.TypeName) (*ctype.Type, ctype.Qual) {
	d := c.typeNameVLA(n)
	c.noVLA(n, d.typ, "a type name of variable size")
	if d.vla != nil {
		c.refuse(n, "a type name of variable size is not supported")
	}
	return d.typ, d.qual
}

func (c *converter) typeNameVLA(n *cc.TypeName) declared {
	s := c.qualifierSpecifiers(n.SpecifierQualifierList)
	d := declared{typ: realigned(s.typ, c.alignment(s.attrs)), qual: s.qual}
	if n.AbstractDeclarator != nil {
		c.abstract(n.AbstractDeclarator, d.typ, d.qual, &d)
	}
	return d
}

func (c *converter) abstract(n *cc.AbstractDeclarator, t *ctype.Type, q ctype.Qual, out *declared) {
	t, q = c.pointer(n.Pointer, t, q)
	out.typ, out.qual = t, q
	if n.DirectAbstractDeclarator != nil {
		c.directAbstract(n.DirectAbstractDeclarator, t, q, nil, out)
	}
}

func (c *converter) directAbstract(d *cc.DirectAbstractDeclarator, t *ctype.Type, q ctype.Qual, v *vla, out *declared) {
	next := func(t *ctype.Type, q ctype.Qual, v *vla) {
		if d.DirectAbstractDeclarator != nil {
			c.directAbstract(d.DirectAbstractDeclarator, t, q, v, out)
			return
		}
		out.typ, out.qual, out.vla = t, q, v
	}
	switch d.Case {
	case cc.DirectAbstractDeclaratorDecl:
		if d.AbstractDeclarator.Pointer != nil {
			v = nil
		}
		t, q = c.pointer(d.AbstractDeclarator.Pointer, t, q)
		if dd := d.AbstractDeclarator.DirectAbstractDeclarator; dd != nil {
			c.directAbstract(dd, t, q, v, out)
			return
		}
		out.typ, out.qual, out.vla = t, q, v
	case cc.DirectAbstractDeclaratorArr, cc.DirectAbstractDeclaratorStaticArr, cc.DirectAbstractDeclaratorArrStatic, cc.DirectAbstractDeclaratorArrStar:
		at, av := c.array(t, q, d.AssignmentExpression, v, d)
		next(at, 0, av)
	case cc.DirectAbstractDeclaratorFunc:
		ps := c.params(d.ParameterTypeList)
		ps.typ.Result = c.result(t, d)
		next(ps.typ, 0, nil)
	default:
		c.refuse(d, "this declarator is not supported")
	}
}

// noVLA refuses types whose size is not a constant.
func (c *converter) noVLA(at cc.Node, t *ctype.Type, what string) {
	for t.Kind == ctype.Array && t.Len >= 0 {
		t = t.Elem
	}
	if t.Kind == ctype.Array && c.variable[t] {
		c.refuse(at, "%s is not supported", what)
	}
}
