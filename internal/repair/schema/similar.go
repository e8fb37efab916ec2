package schema

import (
	"slices"
	"strings"

	"gulo/internal/cfront"
)

// This file puts an expression that the function computes elsewhere from the same variables in
// the place of another one: of two lines that are alike one is mended, and the other forgotten.

// Bounds.
const (
	mostSimilar    = 8  // expressions for one
	longestSimilar = 60 // bytes of one
)

// similar lists what the function computes elsewhere from the same variables.
func (s *space) similar(x *cfront.Binary, fn *cfront.Func) {
	if x.Op.IsCompare() || !integer(x) {
		return
	}
	own, names := x.Range().Text(), namesIn(x)
	if names == "" {
		return
	}
	n := 0
	for _, y := range s.computed(fn)[names] {
		t := y.Range().Text()
		if t == own || strings.ContainsAny(t, "\n") || !sameType(y.Type(), x.Type()) || n == mostSimilar {
			continue
		}
		n++
		s.grouped(x, fn, costPath+1, "as elsewhere", t)
	}
}

// computed are the arithmetic expressions of a function, each text once, by the variables in them.
func (s *space) computed(fn *cfront.Func) map[string][]*cfront.Binary {
	if s.sums == nil {
		s.sums = map[*cfront.Func]map[string][]*cfront.Binary{}
	}
	known, ok := s.sums[fn]
	if ok {
		return known
	}
	known = map[string][]*cfront.Binary{}
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
				known[namesIn(b)] = append(known[namesIn(b)], b)
			}
			return true
		})
	})
	s.sums[fn] = known
	return known
}

// namesIn are the variables of an expression, in the order of their names.
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
