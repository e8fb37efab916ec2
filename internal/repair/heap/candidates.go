package heap

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/source"
)

// This file makes the space of edits at one place: paths, assignments,
// conditions. Every candidate type-checks. The space is that of the paper
// (assignment, getfield, putfield; guards that compare two variables) widened
// to paths of up to two field steps, integers and compound conditions.

// scope is what can be named at a place.
type scope struct {
	vars  []*cfront.Var
	extra []cfront.Expr // array elements that the function mentions
}

func scopeAt(p *lower.Program, f *cfront.Func, file *source.File, off int) *scope {
	s := &scope{}
	add := func(v *cfront.Var) {
		if v.Name != "" && v.Range.Valid() {
			s.vars = append(s.vars, v)
		}
	}
	for _, v := range f.Params {
		add(v)
	}
	for _, v := range f.Locals {
		if v.Scope.File == file && v.Range.Start < off && off <= v.Scope.End {
			add(v)
		}
	}
	for _, v := range p.Tree.Globals {
		if v.Func == nil || v.Func == f {
			add(v)
		}
	}
	s.elements(f)
	return s
}

// elements collects the array elements a function mentions whose variables are
// all in scope.
func (s *scope) elements(f *cfront.Func) {
	in, seen := map[*cfront.Var]bool{}, map[string]bool{}
	for _, v := range s.vars {
		in[v] = true
	}
	cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			i, ok := y.(*cfront.Index)
			if !ok || !cfront.Pure(i) || !i.Type().IsScalar() || seen[cfront.Text(i)] {
				return true
			}
			named := true
			cfront.Walk(i, func(z cfront.Expr) bool {
				if r, ok := z.(*cfront.Ref); ok && !in[r.Var] {
					named = false
				}
				return true
			})
			if named {
				seen[cfront.Text(i)] = true
				s.extra = append(s.extra, i)
			}
			return true
		})
	})
}

// paths returns variables followed by up to steps field selections, scalars
// only, shortest first.
func (s *scope) paths(steps int) []cfront.Expr {
	var out, level []cfront.Expr
	for _, v := range s.vars {
		level = append(level, cfront.NewRef(v))
	}
	level = append(level, s.extra...)
	for k := 0; ; k++ {
		var next []cfront.Expr
		for _, x := range level {
			t := x.Type()
			if t.IsScalar() {
				out = append(out, x)
			}
			st := t
			if t.Kind == ctype.Pointer {
				st = t.Elem
				if st.IsScalar() && st.Kind == ctype.Pointer && k < steps { // struct node **p
					next = append(next, cfront.NewDeref(x))
				}
			}
			if k < steps && st.IsAggregate() {
				for _, f := range st.Fields {
					if f.Name != "" && (f.Type.IsScalar() && f.BitLen == 0 || f.Type.IsAggregate()) {
						next = append(next, cfront.NewMember(x, f))
					}
				}
			}
		}
		if k == steps || len(out) > 400 {
			return out
		}
		level = next
	}
}

// class is the assignments of one type: every left side with every right side.
type class struct {
	ls, rs []int // indices in unit.lhs, unit.rhs
	base   int   // number of the first pair
}

// constants returns the integer constants a function mentions, and the usual.
func constants(f *cfront.Func) []ctype.Word {
	seen := map[ctype.Word]bool{}
	var out []ctype.Word
	add := func(w ctype.Word) {
		if !seen[w] && len(out) < 12 {
			seen[w] = true
			out = append(out, w)
		}
	}
	add(0)
	add(1)
	add(^ctype.Word(0))
	cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if c, ok := y.(*cfront.Const); ok && c.Type().IsInteger() {
				add(c.Value)
			}
			return true
		})
	})
	return out
}

// assignments fills in a unit's candidates l = r.
func (u *unit) assignments(sc *scope, fixedL cfront.Expr, f *cfront.Func) {
	lhs := sc.paths(2)
	rhs := sc.paths(2)
	if fixedL != nil {
		lhs = []cfront.Expr{fixedL}
	}
	var types []*ctype.Type
	for _, l := range lhs {
		known := false
		for _, t := range types {
			known = known || ctype.Same(t, l.Type())
		}
		if !known {
			types = append(types, l.Type())
		}
	}
	consts := constants(f)
	for _, t := range types {
		if t.Kind == ctype.Float || t.IsFuncPointer() {
			continue
		}
		c := class{base: u.pairs}
		for _, l := range lhs {
			if ctype.Same(l.Type(), t) {
				c.ls = append(c.ls, len(u.lhs))
				u.lhs = append(u.lhs, l)
			}
		}
		for _, r := range rhs {
			if ctype.Same(r.Type(), t) || t.IsInteger() && r.Type().IsInteger() {
				c.rs = append(c.rs, len(u.rhs))
				u.rhs = append(u.rhs, r)
			}
		}
		if t.Kind == ctype.Pointer {
			c.rs = append(c.rs, len(u.rhs))
			u.rhs = append(u.rhs, cfront.NewConst(t, 0))
		} else {
			u.arithmetic(&c, t, rhs, consts)
		}
		u.pairs += len(c.ls) * len(c.rs)
		u.classes = append(u.classes, c)
		if u.pairs > 60_000 {
			break
		}
	}
}

// arithmetic adds constants and path ± 1 to the right sides of an integer class.
func (u *unit) arithmetic(c *class, t *ctype.Type, rhs []cfront.Expr, consts []ctype.Word) {
	add := func(x cfront.Expr) {
		c.rs = append(c.rs, len(u.rhs))
		u.rhs = append(u.rhs, x)
	}
	for _, w := range consts {
		add(cfront.NewConst(t, ctype.Wrap(t, w)))
	}
	for _, r := range rhs {
		if !r.Type().IsInteger() {
			continue
		}
		for _, op := range []ctype.Op{ctype.Add, ctype.Sub} {
			if x := cfront.NewBinary(op, r, cfront.NewConst(ctype.IntT, 1)); x != nil {
				add(x)
			}
		}
	}
}

// pair returns the two sides of a candidate.
func (u *unit) pair(k int) (l, r cfront.Expr) {
	for i := len(u.classes) - 1; i >= 0; i-- {
		c := &u.classes[i]
		if k >= c.base && len(c.rs) > 0 {
			k -= c.base
			return u.lhs[c.ls[k/len(c.rs)]], u.rhs[c.rs[k%len(c.rs)]]
		}
	}
	return nil, nil
}

var compares = []ctype.Op{ctype.Eq, ctype.Ne, ctype.Lt, ctype.Le, ctype.Gt, ctype.Ge}

// atoms returns comparisons of what can be named: paths with null, with each
// other, integers with constants.
func atoms(sc *scope, f *cfront.Func) []cfront.Expr {
	paths := sc.paths(1)
	var out []cfront.Expr
	add := func(op ctype.Op, a, b cfront.Expr) {
		if x := cfront.NewBinary(op, a, b); x != nil && len(out) < 3000 {
			out = append(out, x)
		}
	}
	for i, a := range paths {
		t := a.Type()
		switch {
		case t.Kind == ctype.Pointer && !t.IsFuncPointer():
			add(ctype.Ne, a, cfront.NewConst(t, 0))
			add(ctype.Eq, a, cfront.NewConst(t, 0))
			for _, b := range paths[i+1:] {
				if ctype.Same(t, b.Type()) {
					add(ctype.Ne, a, b)
					add(ctype.Eq, a, b)
				}
			}
		case t.IsInteger():
			for _, op := range compares {
				for _, w := range constants(f) {
					add(op, a, cfront.NewConst(ctype.IntT, w))
				}
				for _, b := range paths[i+1:] {
					if b.Type().IsInteger() {
						add(op, a, b)
					}
				}
			}
		}
	}
	return out
}

// conditions returns what a condition may be changed into.
func conditions(sc *scope, f *cfront.Func, orig cfront.Expr) []cfront.Expr {
	as := atoms(sc, f)
	out := append([]cfront.Expr{cfront.NewNot(orig)}, as...)
	if b, ok := orig.(*cfront.Binary); ok && b.Op.IsCompare() {
		for _, op := range compares {
			if op != b.Op {
				if x := cfront.NewBinary(op, b.X, b.Y); x != nil {
					out = append(out, x)
				}
			}
		}
		for _, p := range sc.paths(2) {
			if x := cfront.NewBinary(b.Op, p, b.Y); x != nil && fits(p, b.Y) {
				out = append(out, x)
			}
			if x := cfront.NewBinary(b.Op, b.X, p); x != nil && fits(b.X, p) {
				out = append(out, x)
			}
		}
	}
	if l, ok := orig.(*cfront.Logical); ok {
		out = append(out, l.X, l.Y, cfront.NewLogical(!l.And, l.X, l.Y), cfront.NewLogical(l.And, l.Y, l.X))
		for _, a := range as {
			out = append(out, cfront.NewLogical(l.And, a, l.Y), cfront.NewLogical(l.And, l.X, a))
		}
	}
	for _, a := range as {
		out = append(out, cfront.NewLogical(true, a, orig), cfront.NewLogical(true, orig, a), cfront.NewLogical(false, orig, a))
	}
	return out
}

func fits(a, b cfront.Expr) bool {
	s, t := a.Type(), cfront.Skip(b).Type()
	return ctype.Same(s, t) || s.IsInteger() && t.IsInteger() || s.Kind == ctype.Pointer && cfront.IsNull(b)
}

// unit is one place that a repair may change.
type unit struct {
	stmt *lower.Stmt // nil for a gap
	gap  *lower.Gap
	base *repair.Edit // the edit in force already; nil for none

	lhs, rhs []cfront.Expr
	classes  []class
	pairs    int
	mutants  []cfront.Expr // whole statements; numbered after the pairs
	conds    []cfront.Expr // Cond: replacements; others: guards (the first is false)
	built    bool
	locked   bool

	// search state
	out     bool   // the original behaviour has been left
	vs      bitset // candidates consistent so far; nil means all
	gout    bool
	gvs     bitset
	skipped int // gap: visits that inserted nothing
}

type bitset []uint64

func full(n int) bitset {
	b := make(bitset, (n+63)/64)
	for i := range b {
		b[i] = ^uint64(0)
	}
	if n%64 != 0 && n > 0 {
		b[len(b)-1] = 1<<(n%64) - 1
	}
	return b
}

func (b bitset) has(i int) bool { return b[i>>6]>>(i&63)&1 != 0 }
func (b bitset) set(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) any() bool {
	for _, w := range b {
		if w != 0 {
			return true
		}
	}
	return false
}

func (b bitset) each(f func(i int)) {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			f(i<<6 + trailing(w))
		}
	}
}
