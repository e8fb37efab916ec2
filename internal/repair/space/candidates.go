package space

import (
	"bytes"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/source"
)

// This file makes the candidates at one place: paths, assignments, conditions. Every candidate type-checks.

// scope holds the objects that can be named at a place.
type scope struct {
	vars  []*cfront.Var
	extra []cfront.Expr // array elements that the function mentions

	file *source.File // of the place
	off  int
}

func (s *Space) scopeAt(f *cfront.Func, file *source.File, off int, in *cfront.Block) *scope {
	sc := &scope{file: file, off: off}
	add := func(v *cfront.Var) {
		if v.Name != "" && v.Range.Valid() && !hidden(v) {
			sc.vars = append(sc.vars, v)
		}
	}
	for _, v := range f.Params {
		add(v)
	}
	within := func(v *cfront.Var) bool {
		return v.Scope.File == file && v.Range.Start < off && (off < v.Scope.End || off == v.Scope.End && in != nil && around(v, in))
	}
	for _, v := range f.Locals {
		if within(v) {
			add(v)
		}
	}
	for _, v := range s.Temps {
		if v.Func == f {
			sc.vars = append(sc.vars, v)
		}
	}
	for _, v := range s.Program.Tree.Globals {
		if v.Func == nil && v.DeclaredIn(file) && (v.Range.File != file || v.Range.Start < off) || v.Func == f && within(v) {
			add(v)
		}
	}
	sc.elements(f)
	if s.Numbers {
		sc.indexed()
	}
	return sc
}

// hidden reports whether a variable's name comes from the body of a macro, so that code elsewhere cannot name it.
func hidden(v *cfront.Var) bool {
	r := v.Range
	return !strings.HasPrefix(r.Text(), v.Name) && !strings.HasSuffix(r.Text(), v.Name)
}

// declares reports whether a function is declared before the place. A call before any declaration would conflict with
// its later definition.
func (s *scope) declares(f *cfront.Func) bool {
	if f.Range.File == s.file && f.Range.Start < s.off || f.Range.File != s.file && strings.HasSuffix(f.Range.File.Name, ".h") {
		return true
	}
	text := s.file.Text[:min(s.off, len(s.file.Text))]
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(f.Name))
		if i < 0 {
			return false
		}
		i += at
		at = i + len(f.Name)
		rest := bytes.TrimLeft(text[at:], " \t\n")
		if (i == 0 || !strings.ContainsRune(wordRunes, rune(text[i-1]))) && bytes.HasPrefix(rest, []byte("(")) && s.outside(i) {
			return true
		}
	}
}

const wordRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

// outside reports whether an offset of the file is outside of all braces, so that a function's name there declares it.
func (s *scope) outside(at int) bool {
	before := s.file.Text[:at]
	return bytes.Count(before, []byte("{")) == bytes.Count(before, []byte("}"))
}

// around reports whether block b is the body, without braces, of the loop whose head declares v.
func around(v *cfront.Var, b *cfront.Block) bool {
	return v.Range.Start < b.Range().Start && b.Range().End <= v.Scope.End
}

// Variables returns the variables that are visible at a statement.
func (s *Space) Variables(st *lower.Stmt) []*cfront.Var {
	return s.scopeAt(st.Func, st.Range.File, st.Range.Start, nil).vars
}

// elements collects the array elements that a function mentions and whose variables are all in scope.
func (s *scope) elements(f *cfront.Func) {
	in, seen := map[*cfront.Var]bool{}, map[string]bool{}
	for _, v := range s.vars {
		in[v] = true
	}
	cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			i, ok := y.(*cfront.Index)
			if !ok || !cfront.Pure(i) || !i.Type().IsScalar() || !cfront.Writable(i) || seen[cfront.Text(i)] {
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

// paths returns the scalars that are variables followed by up to steps field selections, the shortest first.
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
			if k < steps && st.IsAggregate() && !st.Private() {
				for _, f := range st.Fields {
					if f.Name != "" && (f.Type.IsScalar() || f.Type.IsAggregate()) {
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

// Class is a set of assignments of one type: every left side with every right side.
type Class struct {
	L, R []int // indices in Lhs and Rhs
	Base int   // number of the first pair
}

// constants returns 0, 1, -1 and the integer constants that a function mentions.
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

// writable returns the paths that may be assigned to.
func writable(paths []cfront.Expr) []cfront.Expr {
	return slices.DeleteFunc(slices.Clone(paths), cfront.ReadOnly)
}

// assignments adds the candidates l = r to a unit.
func (u *Unit) assignments(sc *scope, fixedL cfront.Expr, f *cfront.Func) {
	lhs := writable(sc.paths(2))
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
		c := Class{Base: u.Pairs}
		for _, l := range lhs {
			if ctype.Same(l.Type(), t) {
				c.L = append(c.L, len(u.Lhs))
				u.Lhs = append(u.Lhs, l)
			}
		}
		for _, r := range rhs {
			if ctype.Same(r.Type(), t) || t.IsInteger() && r.Type().IsInteger() {
				c.R = append(c.R, len(u.Rhs))
				u.Rhs = append(u.Rhs, r)
			}
		}
		if t.Kind == ctype.Pointer {
			c.R = append(c.R, len(u.Rhs))
			u.Rhs = append(u.Rhs, cfront.NewConst(t, 0))
		} else {
			u.arithmetic(&c, t, rhs, consts)
		}
		u.Pairs += len(c.L) * len(c.R)
		u.Classes = append(u.Classes, c)
		if u.Pairs > 60_000 {
			break
		}
	}
}

// arithmetic adds constants, path + 1 and path - 1 to the right sides of an integer class.
func (u *Unit) arithmetic(c *Class, t *ctype.Type, rhs []cfront.Expr, consts []ctype.Word) {
	add := func(x cfront.Expr) {
		c.R = append(c.R, len(u.Rhs))
		u.Rhs = append(u.Rhs, x)
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

// Pair returns the two sides of the k-th assignment.
func (u *Unit) Pair(k int) (l, r cfront.Expr) {
	for i := len(u.Classes) - 1; i >= 0; i-- {
		c := &u.Classes[i]
		if k >= c.Base && len(c.R) > 0 {
			k -= c.Base
			return u.Lhs[c.L[k/len(c.R)]], u.Rhs[c.R[k%len(c.R)]]
		}
	}
	return nil, nil
}

var compares = []ctype.Op{ctype.Eq, ctype.Ne, ctype.Lt, ctype.Le, ctype.Gt, ctype.Ge}

// atoms returns comparisons of paths in scope: pointers with null and with each other, integers with constants and with
// each other.
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

// conditions returns replacements for a condition.
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
		for _, x := range operands(sc, l.X) {
			out = append(out, cfront.NewLogical(l.And, x, l.Y))
		}
		for _, y := range operands(sc, l.Y) {
			out = append(out, cfront.NewLogical(l.And, l.X, y))
		}
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

// operands returns replacements for a comparison inside a compound condition: another operator, or a path of two steps
// on one side.
func operands(sc *scope, x cfront.Expr) []cfront.Expr {
	b, ok := x.(*cfront.Binary)
	if !ok || !b.Op.IsCompare() {
		return nil
	}
	var out []cfront.Expr
	for _, op := range SameKind(b.Op, b.X.Type()) {
		if b.X.Type().Kind == ctype.Pointer && op != ctype.Eq && op != ctype.Ne {
			continue
		}
		if y := cfront.NewBinary(op, b.X, b.Y); y != nil {
			out = append(out, y)
		}
	}
	for _, p := range sc.paths(2) {
		if steps(p) < 2 {
			continue // paths of one step are in atoms
		}
		if y := cfront.NewBinary(b.Op, p, b.Y); y != nil && fits(p, b.Y) {
			out = append(out, y)
		}
		if y := cfront.NewBinary(b.Op, b.X, p); y != nil && fits(b.X, p) {
			out = append(out, y)
		}
	}
	return out
}

func steps(x cfront.Expr) int {
	switch x := x.(type) {
	case *cfront.Member:
		return 1 + steps(x.X)
	case *cfront.Deref:
		return 1 + steps(x.X)
	}
	return 0
}

func fits(a, b cfront.Expr) bool {
	s, t := a.Type(), cfront.Skip(b).Type()
	return ctype.Same(s, t) || s.IsInteger() && t.IsInteger() || s.Kind == ctype.Pointer && cfront.IsNull(b)
}
