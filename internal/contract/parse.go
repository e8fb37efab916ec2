package contract

import (
	"errors"
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file parses and checks conditions.

// add parses a condition and appends it to a list.
func (c *Contract) add(tree *cfront.Program, to *[]Clause, text string, pos source.Position, post bool) error {
	if c.Terms == nil {
		c.Terms = map[*cfront.Var]*Term{}
		if t := c.Func.Type.Result; t.IsScalar() {
			c.Result = &cfront.Var{Name: "result", Type: t, Storage: cfront.Param}
		}
	}
	p := &parser{c: c, tree: tree, post: post, text: text}
	x, err := cfront.ParseWith(text, p.lookup, p.special)
	if err != nil {
		var e *cfront.ExprError
		if errors.As(err, &e) {
			pos.Column += e.Column - 1
			return &Error{pos, e.Message}
		}
		return &Error{pos, err.Error()}
	}
	x = p.reach(x)
	if what := p.whole(x); what != "" {
		return &Error{pos, what}
	}
	if !x.Type().IsScalar() {
		return &Error{pos, fmt.Sprintf("a condition is a number or a pointer, not a %s", x.Type())}
	}
	mixed := ""
	cfront.Walk(x, func(y cfront.Expr) bool {
		if b, ok := y.(*cfront.Binary); ok && b.Op.IsCompare() {
			l, r := cfront.Skip(b.X), cfront.Skip(b.Y)
			if (l.Type().Kind == ctype.Pointer || l.Type().Kind == ctype.Array) != (r.Type().Kind == ctype.Pointer || r.Type().Kind == ctype.Array) && !cfront.IsNull(l) && !cfront.IsNull(r) {
				mixed = fmt.Sprintf("%s compares a %s with a %s", c.Text(b), l.Type(), r.Type())
			}
		}
		return mixed == ""
	})
	if mixed != "" {
		return &Error{pos, mixed}
	}
	if !cfront.Pure(x) {
		return &Error{pos, "a condition must not change anything"}
	}
	*to = append(*to, Clause{x, text, pos})
	return nil
}

type parser struct {
	c     *Contract
	tree  *cfront.Program
	post  bool
	old   int // nesting depth of old(...)
	text  string
	bound []*cfront.Var
}

func (p *parser) lookup(name string) *cfront.Var {
	for i := len(p.bound) - 1; i >= 0; i-- {
		if p.bound[i].Name == name {
			return p.bound[i]
		}
	}
	if name == "result" && p.post && p.old == 0 && p.c.Result != nil {
		return p.c.Result
	}
	for _, v := range p.c.Func.Params {
		if v.Name == name {
			return v
		}
	}
	for _, v := range p.tree.Globals {
		if v.Func == nil && v.Name == name {
			return v
		}
	}
	return nil
}

// special parses a name with arguments into a term.
func (p *parser) special(name string, a *cfront.Arguments) cfront.Expr {
	t := &Term{Text: name}
	typ := ctype.IntT
	switch name {
	case "forall", "exists", "sum", "count":
		t.Kind = map[string]Kind{"forall": Forall, "exists": Exists, "sum": Sum, "count": Count}[name]
		t.Var = &cfront.Var{Name: a.Name(), Type: ctype.IntT, Storage: cfront.Local}
		bound := func() {
			if !a.More() {
				a.Fail("%s has no bound: it wants a variable, where it begins, where it ends, and what is said of it", name)
			}
		}
		p.bound = append(p.bound, t.Var)
		bound()
		t.Lo = p.expr(a)
		bound()
		t.Hi = p.expr(a)
		bound()
		t.X = p.expr(a)
		p.bound = p.bound[:len(p.bound)-1]
		for _, x := range []cfront.Expr{t.Lo, t.Hi} {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if r, ok := y.(*cfront.Ref); ok && r.Var == t.Var {
					a.Fail("the bounds of %s depend on %s", name, t.Var.Name)
				}
				return true
			})
			if !x.Type().IsInteger() {
				a.Fail("%s goes from an integer to an integer, not to a %s", name, x.Type())
			}
		}
		if name == "sum" {
			if !t.X.Type().IsInteger() {
				a.Fail("sum adds integers, not %s", t.X.Type())
			}
			typ = ctype.LongT
		}
	case "implies":
		t.Kind, t.X, t.Y = Implies, p.expr(a), p.expr(a)
	case "old":
		if !p.post {
			a.Fail("old(...) belongs into a postcondition")
		}
		p.old++
		t.Kind, t.X = Old, p.expr(a)
		p.old--
		typ = t.X.Type()
	case "sorted":
		t.Kind, t.X = Sorted, p.pointer(a, name)
		if a.More() {
			t.Lo, t.Hi = p.integer(a, name), p.integer(a, name)
		} else {
			p.list(a, t.X, name)
		}
	case "permutation":
		if !p.post {
			a.Fail("permutation(...) speaks of what was before: it belongs into a postcondition")
		}
		t.Kind, t.X, t.Lo, t.Hi = Permutation, p.pointer(a, name), p.integer(a, name), p.integer(a, name)
		if p.root(t.X) != nil {
			a.Fail("permutation(...) compares with what was by itself: leave old(...) away")
		}
	case "acyclic", "length":
		t.Kind, t.X = Acyclic, p.pointer(a, name)
		if name == "length" {
			t.Kind = Length
		}
		p.list(a, t.X, name)
	case "contains":
		t.Kind, t.X, t.Y = Contains, p.pointer(a, name), p.integer(a, name)
		p.list(a, t.X, name)
	default:
		return nil
	}
	switch name {
	case "sorted", "length", "contains", "acyclic":
		return p.listed(t, typ)
	}
	return p.stand(t, typ)
}

// stand makes the variable that stands for a term.
func (p *parser) stand(t *Term, typ *ctype.Type) cfront.Expr {
	v := &cfront.Var{Name: fmt.Sprintf("%s#%d", t.Text, len(p.c.Terms)), Type: typ, Storage: cfront.Local}
	p.c.Terms[v] = t
	return cfront.NewRef(v)
}

// expr parses an argument.
func (p *parser) expr(a *cfront.Arguments) cfront.Expr { return p.reach(a.Expr()) }

// whole reports a struct that is used as a value, which is not possible in a condition; "" if there is none.
func (p *parser) whole(x cfront.Expr) (what string) {
	cfront.Walk(x, func(y cfront.Expr) bool {
		if r, ok := y.(*cfront.Ref); ok && what == "" {
			if t := p.c.Terms[r.Var]; t != nil && t.Kind == Old && r.Type().Kind == ctype.Struct {
				what = "old(...) of a struct: name a member of it"
			}
		}
		return what == ""
	})
	return what
}

func (p *parser) integer(a *cfront.Arguments, name string) cfront.Expr {
	x := p.expr(a)
	if !x.Type().IsInteger() {
		a.Fail("%s wants an integer, not a %s", name, x.Type())
	}
	return x
}

func (p *parser) pointer(a *cfront.Arguments, name string) cfront.Expr {
	x := p.expr(a)
	if x.Type().Kind != ctype.Pointer {
		a.Fail("%s wants an array or a list, not a %s", name, x.Type())
	}
	return x
}

func (p *parser) list(a *cfront.Arguments, x cfront.Expr, name string) {
	if next, _ := Links(x.Type().Elem); next == nil {
		a.Fail("%s wants a list, and %s has no pointer to its own kind", name, x.Type().Elem)
	}
}

// Links returns the field with the next pointer of a list node, and its first integer field; nil for one that does not
// exist.
func Links(t *ctype.Type) (next, key *ctype.Field) {
	if t == nil || t.Kind != ctype.Struct {
		return nil, nil
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		switch {
		case f.Type.Kind == ctype.Pointer && ctype.Same(f.Type.Elem, t) && (next == nil || next.Name == "prev"):
			next = f
		case f.Type.IsInteger() && key == nil && f.BitLen == 0:
			key = f
		}
	}
	return next, key
}
