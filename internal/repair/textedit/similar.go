package textedit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file replaces an expression by one that the function computes elsewhere from the same variables. Of two similar
// lines people correct one and forget the other. It also adds the remainder that wraps an index around a ring.

// Bounds.
const (
	mostSimilar    = 8  // replacements for one expression
	longestSimilar = 60 // bytes of a replacement
)

// similar lists the sums, products and the like that the function computes elsewhere from the same variables.
func (s *Space) similar(x *cfront.Binary, fn *cfront.Func) {
	if x.Op.IsCompare() || !integer(x) {
		return
	}
	own, names := x.Range().Text(), namesIn(x)
	if names == "" {
		return
	}
	n := 0
	for _, y := range s.computed(fn).of[names] {
		t := y.Range().Text()
		if t == own || strings.ContainsAny(t, "\n") || !sameType(y.Type(), x.Type()) || n == mostSimilar {
			continue
		}
		n++
		s.grouped(x, fn, costPath+1, "as elsewhere", t)
	}
}

// wholes replaces an operand by an operation that uses it elsewhere: w < d[v] becomes d[u] + w < d[v], where
// d[v] = d[u] + w follows.
func (s *Space) wholes(x cfront.Expr, fn *cfront.Func) {
	if t := x.Type(); !t.IsInteger() && t.Kind != ctype.Float || ofSign(x) {
		return
	}
	own := x.Range()
	text, n := own.Text(), 0
	for _, b := range s.computed(fn).with[text] {
		r := b.Range()
		if n == mostSimilar || r.File == own.File && r.Start <= own.Start && own.End <= r.End || !sameType(b.Type(), x.Type()) {
			continue
		}
		if t := r.Text(); !strings.Contains(t, "\n") && s.known(t, text, fn, own.File, own.Start) {
			n++
			s.grouped(x, fn, costPath+1, "as elsewhere", t)
		}
	}
}

// computed holds the arithmetic expressions of a function, each text once.
type computed struct {
	of   map[string][]*cfront.Binary // by the variables in it
	with map[string][]*cfront.Binary // by the text of an operand, except divisors and shift counts
}

// computed returns the arithmetic expressions of a function.
func (s *facts) computed(fn *cfront.Func) *computed {
	if c, ok := s.sums[fn]; ok {
		return c
	}
	c := &computed{map[string][]*cfront.Binary{}, map[string][]*cfront.Binary{}}
	seen := map[string]bool{}
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			b, ok := y.(*cfront.Binary)
			if !ok || !b.Editable() || b.Op.IsCompare() || !within(b.X, b) || !within(b.Y, b) || impure(b) {
				return true
			}
			t := b.Range().Text()
			if _, ok := fragmentOf(b, fn); ok && len(t) <= longestSimilar && balanced(t) && !seen[t] {
				seen[t] = true
				c.of[namesIn(b)] = append(c.of[namesIn(b)], b)
			}
			return true
		})
	})
	for _, names := range slices.Sorted(maps.Keys(c.of)) {
		for _, b := range c.of[names] {
			x, y := cfront.Skip(b.X).Range().Text(), cfront.Skip(b.Y).Range().Text()
			c.with[x] = append(c.with[x], b)
			switch b.Op {
			case ctype.Div, ctype.Rem, ctype.Shl, ctype.Shr: // the right operand only changes the left one
			default:
				if x != y {
					c.with[y] = append(c.with[y], b)
				}
			}
		}
	}
	if s.sums == nil {
		s.sums = map[*cfront.Func]*computed{}
	}
	s.sums[fn] = c
	return c
}

// namesIn returns the names of the variables in an expression, sorted.
func namesIn(x cfront.Expr) string {
	var out []string
	cfront.Walk(x, func(y cfront.Expr) bool {
		if r, ok := y.(*cfront.Ref); ok && !slices.Contains(out, r.Var.Name) {
			out = append(out, r.Var.Name)
		}
		return true
	})
	slices.Sort(out)
	return strings.Join(out, " ")
}

// mostWraps bounds the ring sizes that are tried.
const mostWraps = 6

// around wraps a counter around a ring: i = (i + 1) % n for i++.
func (s *facts) around(x *cfront.IncDec, p place, replace func(cfront.Node, int, string, string)) {
	if x.Dec || !x.X.Type().IsInteger() {
		return
	}
	r := x.Range()
	for _, t := range s.sizesOfRings(p.fn, r.File, r.Start) {
		replace(x, costPath, "around a ring", fmt.Sprintf("%s = (%s + 1) %% %s", x.X.Range().Text(), x.X.Range().Text(), t))
	}
}

// aroundRing wraps a sum around a ring: (i + 1) % n for i + 1.
func (s *Space) aroundRing(x *cfront.Binary, fn *cfront.Func) {
	if x.Op != ctype.Add || !integer(x) || impure(x) {
		return
	}
	r := x.Range()
	for _, t := range s.sizesOfRings(fn, r.File, r.Start) {
		s.grouped(x, fn, costPath, "around a ring", fmt.Sprintf("(%s) %% %s", r.Text(), t))
	}
}

// sizesOfRings returns the right operands of the program's % operators, as they can be written at a place.
func (s *facts) sizesOfRings(fn *cfront.Func, f *source.File, at int) (out []string) {
	vars := Visible(s.tree, fn, f, at)
	for _, g := range append([]*cfront.Func{fn}, s.tree.Funcs...) {
		if !own(g) || g.Body == nil {
			continue
		}
		cfront.WalkStmt(g.Body, nil, func(y cfront.Expr) {
			cfront.Walk(y, func(z cfront.Expr) bool {
				b, ok := z.(*cfront.Binary)
				if !ok || b.Op != ctype.Rem || impure(b.Y) {
					return true
				}
				for _, t := range s.instancesOf(b, g, vars, fn) {
					if len(out) < mostWraps && !containsText(out, t) {
						out = append(out, t)
					}
				}
				return true
			})
		})
	}
	return out
}

// instancesOf returns the texts of the right operand of a % with the variables at a place. The name of a macro stays as
// it is.
func (s *facts) instancesOf(b *cfront.Binary, g *cfront.Func, vars []*cfront.Var, fn *cfront.Func) []string {
	if c, ok := cfront.Skip(b.Y).(*cfront.Const); ok && c.Range().Valid() && constantName.MatchString(c.Range().Text()) {
		return []string{c.Range().Text()}
	}
	if !within(b.Y, b) {
		return nil
	}
	fr, ok := fragmentOf(b.Y, g)
	if !ok {
		return nil
	}
	return fr.instances(vars, fn, 2)
}
