package cfront

import (
	"slices"

	"gulo/internal/ctype"
)

// This file infers which types a void * points to. C does not say it, but the program converts other pointers to
// void * to store them, and back to use them: `l->next = top`, `Link *at = l->next`, `push(list, person)` with a
// parameter void *. Copies from one void * to another are followed, also into functions and out of them. What is
// stored in an array of void * is not followed.

// mostLeads bounds the types that one void * may point to. One with more is taken to point to anything.
const mostLeads = 4

// MarkGeneric sets Leads of variables and members that are void *.
func (p *Program) MarkGeneric() {
	g := &generics{types: map[any][]*ctype.Type{}, flows: map[any][]any{}}
	for _, f := range p.Funcs {
		WalkStmt(f.Body, func(s Stmt) { g.stmt(f, s) }, func(x Expr) {
			Walk(x, func(y Expr) bool {
				g.expr(y)
				return true
			})
		})
	}
	for _, v := range p.Globals {
		g.initialized(v, v.Init)
	}
	g.spread()
	for h, list := range g.types {
		if len(list) > mostLeads {
			list = nil
		}
		switch h := h.(type) {
		case *Var:
			h.Leads = list
		case *ctype.Field:
			h.Leads = list
		}
	}
}

// generics collects the types that the void * of a program point to. A place of a void * is a *Var, a *ctype.Field or a
// *Func, for its result.
type generics struct {
	types map[any][]*ctype.Type // by place
	flows map[any][]any         // by place: the places that its value is copied to
	order []any                 // keys of flows in the order in which they were met
}

func (g *generics) stmt(f *Func, s Stmt) {
	switch s := s.(type) {
	case *Decl:
		g.initialized(s.Var, s.Init)
	case *Return:
		if s.X != nil && generic(s.X.Type()) {
			g.stores(f, s.X)
		}
	}
}

func (g *generics) initialized(v *Var, init []Init) {
	for _, in := range init {
		if in.X == nil || !generic(in.X.Type()) {
			continue
		}
		if generic(v.Type) {
			g.stores(v, in.X)
		} else if f := fieldAt(v.Type, in.Offset); f != nil {
			g.stores(f, in.X)
		}
	}
}

// fieldAt returns the void * member of a struct at an offset, nil if there is none. Nested structs are not searched.
func fieldAt(t *ctype.Type, off int64) *ctype.Field {
	if t.Kind != ctype.Struct {
		return nil
	}
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Offset == off && generic(f.Type) {
			return f
		}
	}
	return nil
}

func (g *generics) expr(x Expr) {
	switch x := x.(type) {
	case *Assign:
		if h := place(x.L); h != nil && !x.HasOp {
			g.stores(h, x.R)
		}
	case *Cast:
		if t := x.Type(); t.Kind == ctype.Pointer && generic(x.X.Type()) {
			for _, h := range g.places(x.X, nil) {
				g.add(h, t.Elem, true)
			}
		}
	case *Call:
		r, ok := Skip(x.Fun).(*FuncRef)
		if !ok || r.Func.Body == nil {
			return
		}
		for i, a := range x.Args {
			if i < len(r.Func.Params) && generic(r.Func.Params[i].Type) {
				g.stores(r.Func.Params[i], a)
			}
		}
	}
}

func generic(t *ctype.Type) bool { return t.Kind == ctype.Pointer && t.Elem.Kind == ctype.Void }

// place returns the place that an expression of type void * names, nil for one that is not followed.
func place(x Expr) any {
	if !generic(x.Type()) {
		return nil
	}
	switch x := x.(type) {
	case *Ref:
		return x.Var
	case *Member:
		t := x.X.Type()
		if t.Kind == ctype.Pointer {
			t = t.Elem
		}
		for i := range t.Fields {
			if f := &t.Fields[i]; f.Name == x.Field.Name {
				return f
			}
		}
	case *Call:
		if r, ok := Skip(x.Fun).(*FuncRef); ok && r.Func.Body != nil {
			return r.Func
		}
	}
	return nil
}

// places returns the places whose values an expression may have. It calls typed, if not nil, with the target types of
// other pointers that are converted to void * in the expression.
func (g *generics) places(x Expr, typed func(*ctype.Type)) []any {
	switch y := x.(type) {
	case *Cast:
		if t := y.X.Type(); t.Kind == ctype.Pointer && !generic(t) {
			if typed != nil {
				typed(t.Elem)
			}
			return nil
		}
		return g.places(y.X, typed)
	case *Cond:
		return append(g.places(y.A, typed), g.places(y.B, typed)...)
	case *Comma:
		return g.places(y.Y, typed)
	case *Assign:
		return g.places(y.R, typed)
	}
	if h := place(x); h != nil {
		return []any{h}
	}
	return nil
}

// stores notes that an expression's value is stored in a place.
func (g *generics) stores(to any, x Expr) {
	for _, from := range g.places(x, func(t *ctype.Type) { g.add(to, t, false) }) {
		if g.flows[from] == nil {
			g.order = append(g.order, from)
		}
		g.flows[from] = append(g.flows[from], to)
	}
}

// add notes that a place points to a type, and reports whether that is new. A read through a pointer to a type of one
// byte says nothing: it may read the bytes of anything.
func (g *generics) add(h any, t *ctype.Type, read bool) bool {
	if t.Kind == ctype.Func || t.Size == 0 || read && t.Size == 1 {
		return false
	}
	if slices.ContainsFunc(g.types[h], func(u *ctype.Type) bool { return ctype.Same(t, u) }) || len(g.types[h]) > mostLeads {
		return false
	}
	g.types[h] = append(g.types[h], t)
	return true
}

// spread propagates the types along the flows until nothing changes.
func (g *generics) spread() {
	for again := true; again; {
		again = false
		for _, from := range g.order {
			for _, to := range g.flows[from] {
				for _, t := range g.types[from] {
					again = g.add(to, t, false) || again
				}
			}
		}
	}
}
