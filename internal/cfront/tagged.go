package cfront

import (
	"slices"

	"gulo/internal/ctype"
)

// This file finds the numbers of eight bytes that hold tagged pointers, and the types that these point to. Examples
// are `(Node *)(n->parent & ~3)` and NaN boxes such as `(Value)(SIGN | QNAN | (uint64_t)(uintptr_t)object)`. The
// evidence is in casts with masks, sums and shifts. A number computed from a pointer marks the place where it is
// stored. A number that is converted to a pointer marks the place where it is read. Both are followed through
// assignments, calls, results, and pointers to such numbers, so that the elements of an array are known, too.

// boxes collects the types that tagged pointers in numbers of eight bytes point to. A place of a number is a *Var, a
// *ctype.Field or a *Func, for its result. An array of numbers or a pointer to numbers is one place for all of them.
type boxes struct {
	made, read marks // types of the pointers that are stored in a place; of those that are read from it
	flows      []flow
	joined     map[*ctype.Type]bool // unions that overlap has joined
	tags       []ctype.Word         // see Program.Tags
}

// marks are types by place; order has the places in the order in which they were marked.
type marks struct {
	types map[any][]*ctype.Type
	order []any
}

// flow says that a number is copied from one place to another.
type flow struct{ from, to any }

// markTagged sets Leads of variables and members that hold tagged pointers, and Tags. MarkGeneric sets Leads of others.
func (p *Program) markTagged() {
	b := &boxes{made: marks{types: map[any][]*ctype.Type{}}, read: marks{types: map[any][]*ctype.Type{}}, joined: map[*ctype.Type]bool{}}
	for _, f := range p.Funcs {
		WalkStmt(f.Body, func(s Stmt) {
			switch s := s.(type) {
			case *Decl:
				b.initialized(s.Var, s.Init)
			case *Return:
				if s.X != nil && carries(s.X.Type()) {
					b.stores(f, s.X)
				}
			}
		}, func(x Expr) {
			Walk(x, func(y Expr) bool {
				b.expr(y)
				return true
			})
		})
	}
	for _, v := range p.Globals {
		b.initialized(v, v.Init)
	}
	b.spread()
	b.mark()
	p.Tags = b.tags
}

// carries reports whether a type is a number that has room for a tagged pointer, or an array of or pointer to such
// numbers.
func carries(t *ctype.Type) bool {
	for t.Kind == ctype.Array || t.Kind == ctype.Pointer {
		t = t.Elem
	}
	return t.HoldsTagged()
}

func (b *boxes) initialized(v *Var, init []Init) {
	for _, in := range init {
		if in.X == nil || !carries(in.X.Type()) {
			continue
		}
		if carries(v.Type) {
			b.stores(v, in.X)
		} else if f := b.carrierAt(v.Type, in.Offset); f != nil {
			b.stores(f, in.X)
		}
	}
}

// carrierAt returns the member at an offset of a type, possibly in a nested struct, for which carries holds; nil if
// there is none.
func (b *boxes) carrierAt(t *ctype.Type, off int64) *ctype.Field {
	if t.Kind == ctype.Array && t.Elem.Size > 0 {
		return b.carrierAt(t.Elem, off%t.Elem.Size)
	}
	b.overlap(t)
	for i := range t.Fields {
		f := &t.Fields[i]
		switch in := off - f.Offset; {
		case f.BitLen > 0 || in < 0 || in >= f.Type.Size:
		case carries(f.Type):
			return f
		default:
			if g := b.carrierAt(f.Type, in); g != nil {
				return g
			}
		}
	}
	return nil
}

func (b *boxes) expr(x Expr) {
	switch x := x.(type) {
	case *Assign:
		if carries(x.L.Type()) && (!x.HasOp || x.Op == ctype.Or || x.Op == ctype.Add) {
			for _, to := range b.places(x.L) {
				b.stores(to, x.R)
				b.combined(to, x.R, x.HasOp)
			}
		}
	case *Compound:
		b.initialized(x.Var, x.Init)
	case *Cast:
		if t := x.Type(); t.Kind == ctype.Pointer && x.X.Type().Size == 8 && x.X.Type().IsInteger() {
			for _, from := range b.unmasked(x.X, false) {
				b.read.add(from, t.Elem)
			}
		}
	case *Call:
		b.call(x)
	}
}

// call notes the flows of arguments to parameters. memcpy and memmove copy numbers from one place to another.
func (b *boxes) call(x *Call) {
	r, ok := Skip(x.Fun).(*FuncRef)
	if !ok {
		return
	}
	if r.Func.Body == nil {
		if (r.Func.Name == "memcpy" || r.Func.Name == "memmove") && len(x.Args) == 3 {
			for _, to := range b.places(x.Args[0]) {
				for _, from := range b.places(x.Args[1]) {
					b.flows = append(b.flows, flow{from, to})
				}
			}
		}
		return
	}
	for i, a := range x.Args {
		if i < len(r.Func.Params) && carries(r.Func.Params[i].Type) {
			b.stores(r.Func.Params[i], a)
		}
	}
}

// stores notes that an expression's value is stored in a place. Pointers to the same numbers share them, so for a
// pointer the flow goes both ways.
func (b *boxes) stores(to any, x Expr) {
	for _, from := range b.places(x) {
		b.flows = append(b.flows, flow{from, to})
		if t := x.Type(); t.Kind == ctype.Pointer || t.Kind == ctype.Array {
			b.flows = append(b.flows, flow{to, from})
		}
	}
	b.combined(to, x, false)
}

// combined notes the pointers in x, which is stored in a place, that are operands of | or +. within says that x is
// itself an operand of one.
func (b *boxes) combined(to any, x Expr, within bool) {
	if !within {
		if tag, pointer := tagGiven(x); pointer && !slices.Contains(b.tags, tag) {
			b.tags = append(b.tags, tag)
		}
	}
	switch y := x.(type) {
	case *Cast:
		if t := y.X.Type(); t.Kind == ctype.Pointer && y.Type().IsInteger() && y.Type().Size == 8 {
			if within {
				b.made.add(to, t.Elem)
			}
			return
		}
		if y.Type().IsInteger() {
			b.combined(to, y.X, within)
		}
	case *Binary:
		if !y.Type().IsInteger() || y.Op.IsCompare() {
			return
		}
		within = within || y.Op == ctype.Or || y.Op == ctype.Add
		if within || y.Op == ctype.And || y.Op == ctype.Xor {
			b.combined(to, y.X, within)
			b.combined(to, y.Y, within)
		}
	case *Cond:
		b.combined(to, y.A, within)
		b.combined(to, y.B, within)
	case *Comma:
		b.combined(to, y.Y, within)
	}
}

// tagGiven returns the bits that constants in an expression add to a pointer. pointer is false if the expression adds
// anything else, or has no pointer.
func tagGiven(x Expr) (tag ctype.Word, pointer bool) {
	switch y := x.(type) {
	case *Cast:
		if t := y.X.Type(); t.Kind == ctype.Pointer {
			return 0, y.Type().IsInteger() && y.Type().Size == 8
		}
		if y.Type().IsInteger() && y.X.Type().IsInteger() {
			return tagGiven(y.X)
		}
	case *Binary:
		if y.Op != ctype.Or && y.Op != ctype.Add {
			return 0, false
		}
		for _, two := range [2][2]Expr{{y.X, y.Y}, {y.Y, y.X}} {
			if k, ok := uncast(two[1]).(*Const); ok && k.Type().IsInteger() {
				tag, pointer = tagGiven(two[0])
				return tag | k.Value, pointer
			}
		}
	}
	return 0, false
}

// unmasked returns the places whose numbers are operands of &, ^, - or a shift in x. within says that x is itself an
// operand of one.
func (b *boxes) unmasked(x Expr, within bool) []any {
	switch y := x.(type) {
	case *Cast:
		if y.X.Type().IsInteger() && y.X.Type().Size == 8 {
			return b.unmasked(y.X, within)
		}
		return nil
	case *Binary:
		switch y.Op {
		case ctype.And, ctype.Xor:
			return append(b.unmasked(y.X, true), b.unmasked(y.Y, true)...)
		case ctype.Sub, ctype.Shl, ctype.Shr:
			return b.unmasked(y.X, true)
		}
		return nil
	}
	if within {
		return b.places(x)
	}
	return nil
}

// places returns the places whose numbers may be the value of an expression, or which it may point to.
func (b *boxes) places(x Expr) []any {
	switch y := x.(type) {
	case *Ref:
		if carries(y.Var.Type) {
			return []any{y.Var}
		}
	case *Member:
		t := y.X.Type()
		if t.Kind == ctype.Pointer {
			t = t.Elem
		}
		b.overlap(t)
		for i := range t.Fields {
			if f := &t.Fields[i]; f.Name == y.Field.Name && f.Offset == y.Field.Offset && f.BitLen == 0 && carries(f.Type) {
				return []any{f}
			}
		}
	case *Index:
		return b.places(y.X)
	case *Deref:
		return b.places(y.X)
	case *Decay:
		return b.places(y.X)
	case *Addr:
		return b.places(y.X)
	case *IncDec:
		return b.places(y.X)
	case *Assign:
		return b.places(y.L)
	case *Comma:
		return b.places(y.Y)
	case *Cond:
		return append(b.places(y.A), b.places(y.B)...)
	case *Binary:
		if y.Type().Kind == ctype.Pointer && carries(y.Type()) {
			return b.places(y.X)
		}
	case *Cast:
		if t := y.X.Type(); carries(t) && (t.Kind == ctype.Pointer) == (y.Type().Kind == ctype.Pointer) && (t.Kind == ctype.Float) == (y.Type().Kind == ctype.Float) {
			return b.places(y.X)
		}
	case *Call:
		if r, ok := Skip(y.Fun).(*FuncRef); ok && r.Func.Body != nil && carries(r.Func.Type.Result) {
			return []any{r.Func}
		}
	}
	return nil
}

// overlap notes that the members of a union that hold numbers share their values.
func (b *boxes) overlap(t *ctype.Type) {
	if t.Kind != ctype.Union || b.joined[t] {
		return
	}
	b.joined[t] = true
	var first *ctype.Field
	for i := range t.Fields {
		f := &t.Fields[i]
		switch {
		case !f.Type.HoldsTagged() || f.BitLen > 0:
		case first == nil:
			first = f
		default:
			b.flows = append(b.flows, flow{first, f}, flow{f, first})
		}
	}
}

// add notes that a place holds pointers to a type, and reports whether that is new. A type of at most one byte counts
// as void: it says nothing.
func (m *marks) add(h any, t *ctype.Type) bool {
	if t.Kind == ctype.Func {
		return false
	}
	if t.Size <= 1 {
		t = ctype.VoidT
	}
	list := m.types[h]
	if len(list) > mostLeads || slices.ContainsFunc(list, func(u *ctype.Type) bool { return ctype.Same(t, u) }) {
		return false
	}
	if list == nil {
		m.order = append(m.order, h)
	}
	m.types[h] = append(list, t)
	return true
}

// follow adds the types of each place to the places that next leads to, until nothing changes.
func (m *marks) follow(next map[any][]any) {
	for todo := slices.Clone(m.order); len(todo) > 0; todo = todo[1:] {
		for _, to := range next[todo[0]] {
			added := false
			for _, t := range m.types[todo[0]] {
				added = m.add(to, t) || added
			}
			if added {
				todo = append(todo, to)
			}
		}
	}
}

// spread propagates the types of stored pointers along the flows, and those of read pointers against them.
func (b *boxes) spread() {
	forward, backward := map[any][]any{}, map[any][]any{}
	for _, f := range b.flows {
		forward[f.from] = append(forward[f.from], f.to)
		backward[f.to] = append(backward[f.to], f.from)
	}
	b.made.follow(forward)
	b.read.follow(backward)
}

// mark sets Leads of variables and members. A place with no known type, or with more than mostLeads types, may lead
// to anything.
func (b *boxes) mark() {
	all := marks{types: map[any][]*ctype.Type{}}
	for _, m := range []marks{b.made, b.read} {
		for _, h := range m.order {
			for _, t := range m.types[h] {
				all.add(h, t)
			}
		}
	}
	for _, h := range all.order {
		list := slices.DeleteFunc(all.types[h], func(t *ctype.Type) bool { return t.Kind == ctype.Void })
		if len(list) == 0 || len(list) > mostLeads {
			list = []*ctype.Type{ctype.VoidT} // to anything
		}
		switch h := h.(type) {
		case *Var:
			h.Leads = list
		case *ctype.Field:
			h.Leads = list
		}
	}
}
