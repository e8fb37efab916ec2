package cfront

import (
	"sort"

	"gulo/internal/ctype"
	"gulo/internal/plural"

	"modernc.org/cc/v4"
)

// This file flattens initializers (C11 6.7.9, GNU's ranges and flexible
// arrays included): a list of leaves in the order of their places, which is
// the order in which gcc evaluates them.

// leaves collects the leaves of one initializer.
type leaves struct {
	c   *converter
	out []Init
	// end is the end of the furthest element met of the outermost object, for
	// arrays without a length.
	end        int64
	designated bool  // a designator was seen; without one no initializer overrides another
	top        int64 // the first bit after all leaves
	// members says which member of a union at a place has been initialized.
	members map[unionAt]int
}

type unionAt struct {
	off int64
	t   *ctype.Type
}

// position is where the next initializer of a braced list goes: element idx of an aggregate of type t at offset off.
type position struct {
	t   *ctype.Type
	off int64
	idx int64
}

// initializer returns the leaves of an initializer for an object of type t, and
// t itself, with its length when it is an array that had none.
func (c *converter) initializer(n *cc.Initializer, t *ctype.Type) ([]Init, *ctype.Type) {
	l := &leaves{c: c, members: map[unionAt]int{}, out: []Init{}}
	if n.Case == cc.InitializerExpr {
		x := c.lvalue(n.AssignmentExpression)
		if !l.whole(t, 0, nil, x, n) {
			c.refuse(n, "an initializer of type %s for an object of type %s", x.Type(), t)
		}
	} else {
		l.braced(n, t, 0)
	}
	return l.finish(t)
}

func (c *converter) literalInit(list *cc.InitializerList, at cc.Node, t *ctype.Type) ([]Init, *ctype.Type) {
	l := &leaves{c: c, members: map[unionAt]int{}, out: []Init{}}
	l.list(list, at, t, 0)
	return l.finish(t)
}

func (l *leaves) finish(t *ctype.Type) ([]Init, *ctype.Type) {
	sort.SliceStable(l.out, func(i, j int) bool {
		a, b := &l.out[i], &l.out[j]
		return a.Offset < b.Offset || a.Offset == b.Offset && a.bit() < b.bit()
	})
	if t.Kind == ctype.Array && t.Len < 0 {
		if t.Elem.Size > 0 {
			q := t.ElemQual
			t = ctype.ArrayOf(t.Elem, (l.end+t.Elem.Size-1)/t.Elem.Size)
			t.ElemQual = q
		}
		for i := range l.out {
			if s, ok := l.out[i].X.(*String); ok && l.out[i].Type.Kind == ctype.Array && l.out[i].Type.Len < 0 {
				l.out[i].Type = s.typ
			}
		}
	}
	return l.out, t
}

func (in *Init) bit() int {
	if in.Field != nil {
		return in.Field.BitOff
	}
	return 0
}

// braced handles a list in braces for an object.
func (l *leaves) braced(n *cc.Initializer, t *ctype.Type, off int64) {
	if n.Case == cc.InitializerExpr {
		l.one(t, off, nil, l.c.lvalue(n.AssignmentExpression), n)
		return
	}
	l.list(n.InitializerList, n, t, off)
}

func (l *leaves) list(list *cc.InitializerList, at cc.Node, t *ctype.Type, off int64) {
	if list == nil || list.Initializer == nil {
		if t.IsScalar() || t.IsWide() && t.Kind != ctype.Vector {
			l.add(Init{Offset: off, Type: t, X: l.c.convertTo(l.c.zero(), t)})
		}
		return
	}
	if t.IsScalar() || t.IsWide() && t.Kind != ctype.Vector {
		l.braced(list.Initializer, t, off)
		return
	}
	if in := list.Initializer; list.InitializerList == nil && list.Designation == nil && in.Case == cc.InitializerExpr && t.Kind == ctype.Array {
		// char s[] = {"text"}
		if p := stringNode(in.AssignmentExpression); p != nil && t.Elem.IsInteger() {
			l.one(t, off, nil, l.c.lvalue(in.AssignmentExpression), in)
			return
		}
	}
	path := []position{{t: t, off: off}}
	for ; list != nil; list = list.InitializerList {
		if list.Initializer == nil {
			continue
		}
		if list.Designation == nil {
			for len(path) > 1 && !path[len(path)-1].more() {
				path = path[:len(path)-1]
			}
			if path[len(path)-1].more() { // gcc ignores excess elements, too
				path = l.element(path, list.Initializer, -1)
			}
			continue
		}
		for again := l.inner(list); again != nil; again = again.next() {
			var last int64
			if path, last = l.designate(path[:1], list.Designation, again.at); path[len(path)-1].more() {
				path = l.element(path, list.Initializer, last)
			}
		}
	}
}

// ranges iterates over the ranges of a designation that are followed by another designator, as in [0 ... 3].x. It holds
// one index of each range at a time.
type ranges struct {
	list     []*cc.Designator
	from, to map[*cc.Designator]int64
	at       map[*cc.Designator]int64
}

// inner finds the ranges of a designation that are followed by another designator.
func (l *leaves) inner(list *cc.InitializerList) *ranges {
	r := &ranges{from: map[*cc.Designator]int64{}, to: map[*cc.Designator]int64{}, at: map[*cc.Designator]int64{}}
	times := int64(1)
	for dl := list.Designation.DesignatorList; dl != nil; dl = dl.DesignatorList {
		g := dl.Designator
		if g.Case != cc.DesignatorIndex2 || dl.DesignatorList == nil {
			continue
		}
		r.list = append(r.list, g)
		r.from[g], r.to[g] = l.c.constInt(g.ConstantExpression), l.c.constInt(g.ConstantExpression2)
		r.at[g] = r.from[g]
		if times *= r.to[g] - r.from[g] + 1; times > 1<<20 {
			l.c.refuse(g, "a range of %s in an initializer is not supported", plural.N(times, "element"))
		}
	}
	if in := list.Initializer; times > 1 && in.Case == cc.InitializerExpr && !Pure(l.c.lvalue(in.AssignmentExpression)) {
		l.c.refuse(in, "a side effect in the initializer of a range is not supported")
	}
	return r
}

// next steps to the next combination of indices; it returns nil after the last.
func (r *ranges) next() *ranges {
	for i := len(r.list) - 1; i >= 0; i-- {
		g := r.list[i]
		if r.at[g]++; r.at[g] <= r.to[g] {
			return r
		}
		r.at[g] = r.from[g]
	}
	return nil
}

// stringNode returns the string literal that an expression is.
func stringNode(n cc.ExpressionNode) *cc.PrimaryExpression {
	p, ok := n.(*cc.PrimaryExpression)
	switch {
	case !ok:
	case p.Case == cc.PrimaryExpressionString || p.Case == cc.PrimaryExpressionLString:
		return p
	case p.Case == cc.PrimaryExpressionExpr:
		return stringNode(p.ExpressionList)
	}
	return nil
}

func (p *position) more() bool {
	switch p.t.Kind {
	case ctype.Array, ctype.Vector:
		return p.t.Len < 0 || p.idx < p.t.Len
	case ctype.Union:
		return p.idx < int64(len(p.t.Fields)) && p.idx >= 0
	}
	return p.idx < int64(len(p.t.Fields))
}

// next steps to the next element; a union has only the one that was met.
func (p *position) next() {
	if p.t.Kind == ctype.Union {
		p.idx = int64(len(p.t.Fields))
		return
	}
	p.idx++
}

// at returns the element that a position is at.
func (p *position) at() (t *ctype.Type, off int64, f *ctype.Field) {
	if p.t.Kind == ctype.Array || p.t.Kind == ctype.Vector {
		return p.t.Elem, p.off + p.idx*p.t.Elem.Size, nil
	}
	f = &p.t.Fields[p.idx]
	return f.Type, p.off + f.Offset, f
}

// element gives one initializer to the element at the end of path. It descends into the element as far as the
// initializer requires, and returns the path to the next element. If last >= 0, the initializer is for all array
// elements up to last.
func (l *leaves) element(path []position, n *cc.Initializer, last int64) []position {
	var x Expr
	if n.Case == cc.InitializerExpr {
		x = l.c.lvalue(n.AssignmentExpression)
	}
	if last >= 0 {
		return l.span(path, n, x, last)
	}
	for {
		p := &path[len(path)-1]
		t, off, f := p.at()
		l.chosen(path)
		if x == nil {
			l.clear(off, t, f)
			l.braced(n, t, off)
			p.next()
			return path
		}
		if l.whole(t, off, f, x, n) {
			path[len(path)-1].next()
			return path
		}
		switch {
		case t.IsAggregate() && len(t.Fields) == 0: // it takes no initializer
			p.next()
			for len(path) > 1 && !path[len(path)-1].more() {
				path = path[:len(path)-1]
			}
			if !path[len(path)-1].more() {
				return path
			}
			continue
		case !t.IsAggregate() && t.Kind != ctype.Array && t.Kind != ctype.Vector:
			l.c.refuse(n, "an initializer of type %s for an element of type %s", x.Type(), t)
		}
		p.next()
		path = append(path, position{t: t, off: off})
	}
}

// span initializes the elements up to last with the same value.
func (l *leaves) span(path []position, n *cc.Initializer, x Expr, last int64) []position {
	p := &path[len(path)-1]
	if p.t.Kind != ctype.Array {
		l.c.refuse(n, "a range in an initializer of type %s", p.t)
	}
	if x != nil && !Pure(x) {
		l.c.refuse(n, "a side effect in the initializer of a range is not supported")
	}
	if last-p.idx > 1<<20 {
		l.c.refuse(n, "a range of %s in an initializer is not supported", plural.N(last-p.idx+1, "element"))
	}
	for ; p.idx <= last; p.idx++ {
		t, off, f := p.at()
		l.chosen(path)
		if x == nil {
			l.clear(off, t, f)
			l.braced(n, t, off)
		} else if !l.whole(t, off, f, x, n) {
			l.c.refuse(n, "a range of %s without braces is not supported", t)
		}
	}
	return path
}

// designate returns the path to the element that a designation names. last is the end of a range, -1
// without one. For ranges that are followed by another designator, at has the index.
func (l *leaves) designate(path []position, d *cc.Designation, at map[*cc.Designator]int64) ([]position, int64) {
	last := int64(-1)
	l.designated = true
	for dl := d.DesignatorList; dl != nil; dl = dl.DesignatorList {
		if dl != d.DesignatorList {
			p := &path[len(path)-1]
			t, off, _ := p.at()
			l.chosen(path)
			p.next()
			path = append(path, position{t: t, off: off})
		}
		p := &path[len(path)-1]
		switch g := dl.Designator; g.Case {
		case cc.DesignatorIndex, cc.DesignatorIndex2:
			p.idx = l.c.constInt(g.ConstantExpression)
			if i, ok := at[g]; ok {
				p.idx = i
			} else if g.Case == cc.DesignatorIndex2 {
				last = l.c.constInt(g.ConstantExpression2)
			}
		case cc.DesignatorField:
			path = l.field(path, g.Token2.SrcStr(), g)
		default:
			path = l.field(path, g.Token.SrcStr(), g)
		}
	}
	return path, last
}

// field extends path to a member, which may be in anonymous structs and unions.
func (l *leaves) field(path []position, name string, at cc.Node) []position {
	p := &path[len(path)-1]
	for i, f := range p.t.Fields {
		if f.Name == name {
			p.idx = int64(i)
			return path
		}
		if f.Name == "" && f.Type.IsAggregate() {
			if _, ok := f.Type.Field(name); ok {
				p.idx = int64(i)
				l.chosen(path)
				off := p.off + f.Offset
				p.next()
				return l.field(append(path, position{t: f.Type, off: off}), name, at)
			}
		}
	}
	l.c.refuse(at, "%s has no member %s", p.t, name)
	return path
}

// chosen notes which member of a union the end of a path is in. Initializers of another
// member of the union are dropped.
func (l *leaves) chosen(path []position) {
	p := &path[len(path)-1]
	_, off, _ := p.at()
	if len(path) == 1 {
		t, _, f := p.at()
		size := t.Size
		if f != nil && f.BitLen > 0 {
			size = 0
		}
		l.end = max(l.end, off+size)
	}
	if p.t.Kind != ctype.Union {
		return
	}
	key := unionAt{p.off, p.t}
	if old, ok := l.members[key]; ok && old != int(p.idx) {
		l.clear(p.off, p.t, nil)
	}
	l.members[key] = int(p.idx)
}

// whole initializes an object by one expression. It returns false if x is not a value for the whole object, and then
// does nothing.
func (l *leaves) whole(t *ctype.Type, off int64, f *ctype.Field, x Expr, at cc.Node) bool {
	switch {
	case t.IsScalar():
	case t.Kind == ctype.Vector:
		if x.Type().Kind != ctype.Vector {
			return false
		}
	case t.IsWide():
	case t.Kind == ctype.Array:
		s := literal(x)
		if s == nil || !t.Elem.IsInteger() || t.Elem.Size != s.typ.Elem.Size {
			return false
		}
	case t.IsAggregate():
		if xt := x.Type(); xt != t && !(xt.Kind == t.Kind && ctype.Same(xt, t)) {
			return false
		}
	default:
		return false
	}
	l.one(t, off, f, x, at)
	return true
}

// literal returns the string literal that x is, or the one that a compound
// literal of an array holds.
func literal(x Expr) *String {
	switch x := x.(type) {
	case *String:
		return x
	case *Compound:
		if len(x.Init) == 1 && x.Init[0].Type.Kind == ctype.Array {
			if s, ok := x.Init[0].X.(*String); ok && s.typ.Len == x.typ.Len {
				return s
			}
		}
	}
	return nil
}

// one adds the leaf of a scalar, string or whole struct.
func (l *leaves) one(t *ctype.Type, off int64, f *ctype.Field, x Expr, at cc.Node) {
	l.clear(off, t, f)
	in := Init{Offset: off, Type: t}
	if f != nil && f.BitLen > 0 {
		g := *f
		in.Field = &g
	}
	if t.Kind == ctype.Array {
		in.X = literal(x)
		if in.X == (*String)(nil) || in.X == nil {
			l.c.refuse(at, "an initializer of type %s for an array", x.Type())
		}
		l.end = max(l.end, off+pick(t.Len < 0, literal(x).typ.Size, t.Size))
	} else {
		in.X = l.c.convertTo(l.c.decay(x), t)
	}
	l.add(in)
}

func (l *leaves) add(in Init) {
	end := in.Offset + in.Type.Size
	if in.Field != nil {
		end = in.Offset + max(in.Type.Size, 8)
	}
	l.top = max(l.top, 8*end)
	l.out = append(l.out, in)
}

// clear removes the leaves that an initializer overrides.
func (l *leaves) clear(off int64, t *ctype.Type, f *ctype.Field) {
	lo, hi := 8*off, 8*(off+t.Size)
	if f != nil && f.BitLen > 0 {
		lo = 8*off + int64(f.BitOff)
		hi = lo + int64(f.BitLen)
	}
	if lo >= l.top || !l.designated {
		return
	}
	kept := l.out[:0:0]
	for _, in := range l.out {
		a := 8*in.Offset + int64(in.bit())
		b := 8 * (in.Offset + in.Type.Size)
		if in.Field != nil {
			b = a + int64(in.Field.BitLen)
		}
		switch {
		case a >= lo && b <= hi && (a < hi || a == lo):
		case a < hi && b > lo:
			l.c.refuse(in.X, "an initializer that is overridden in part is not supported")
		default:
			kept = append(kept, in)
		}
	}
	if len(kept) != len(l.out) {
		l.out = kept
	}
}

func (c *converter) zero() Expr {
	return &Const{expr: expr{typ: ctype.IntT}, Spell: "0"}
}
