package textedit

import (
	"regexp"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file tells counters from data. The bound of a counter is often one too large or too small. A comparison between
// data is not: who looks for the greatest of some numbers never means the greatest plus one.

// costData is added to the cost of "one more" and "one less" in a comparison where neither side counts.
const costData = 12

// comparesData records the operands of a comparison between two variables of which neither counts.
func (s *facts) comparesData(b *cfront.Binary, fn *cfront.Func) {
	if !b.Op.IsCompare() {
		return
	}
	x, y := cfront.Skip(b.X), cfront.Skip(b.Y)
	for _, z := range []cfront.Expr{x, y} {
		v := variableOf(z)
		if v == nil || s.counters(fn)[v] {
			return
		}
	}
	if s.data == nil {
		s.data = map[cfront.Expr]bool{}
	}
	for _, z := range []cfront.Expr{b.X, b.Y, x, y} {
		s.data[z] = true
	}
}

// variableOf returns the variable that x reads, directly or by an index; nil for any other expression.
func variableOf(x cfront.Expr) *cfront.Var {
	for {
		switch y := cfront.Skip(x).(type) {
		case *cfront.Ref:
			return y.Var
		case *cfront.Index:
			x = y.X
		case *cfront.Decay:
			x = y.X
		default:
			return nil
		}
	}
}

// counters returns the variables of a function that are counted up or down, and those that they are compared with.
func (s *facts) counters(fn *cfront.Func) map[*cfront.Var]bool {
	if c, ok := s.counting[fn]; ok {
		return c
	}
	c := map[*cfront.Var]bool{}
	each := func(do func(x cfront.Expr)) {
		cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				do(y)
				return true
			})
		})
	}
	each(func(x cfront.Expr) {
		switch x := x.(type) {
		case *cfront.IncDec:
			if v := variableOf(x.X); v != nil {
				c[v] = true
			}
		case *cfront.Assign:
			if v := variableOf(x.L); v != nil && counts(x, v) {
				c[v] = true
			}
		}
	})
	bounds := map[*cfront.Var]bool{}
	each(func(x cfront.Expr) {
		b, ok := x.(*cfront.Binary)
		if !ok || !b.Op.IsCompare() {
			return
		}
		if x, y := variableOf(b.X), variableOf(b.Y); x != nil && y != nil && c[x] != c[y] {
			bounds[x], bounds[y] = true, true
		}
	})
	for v := range bounds {
		c[v] = true
	}
	if s.counting == nil {
		s.counting = map[*cfront.Func]map[*cfront.Var]bool{}
	}
	s.counting[fn] = c
	return c
}

// counts reports whether an assignment adds a constant to v, or subtracts one: v += 2, v = v - 1.
func counts(a *cfront.Assign, v *cfront.Var) bool {
	r := cfront.Skip(a.R)
	if a.HasOp {
		_, constant := r.(*cfront.Const)
		return constant && (a.Op == ctype.Add || a.Op == ctype.Sub)
	}
	b, ok := r.(*cfront.Binary)
	if !ok || b.Op != ctype.Add && b.Op != ctype.Sub {
		return false
	}
	_, constant := cfront.Skip(b.Y).(*cfront.Const)
	return constant && variableOf(b.X) == v
}

// comparedNames matches a comparison of two names.
var comparedNames = regexp.MustCompile(`^(\w+) ?(?:[<>]=?|[!=]=) ?(\w+)$`)

// mixes reports whether a condition such as i > max compares a counter with a variable that is not one.
func (s *facts) mixes(cond string, vars []*cfront.Var, fn *cfront.Func) bool {
	m := comparedNames.FindStringSubmatch(cond)
	if m == nil {
		return false
	}
	var found []*cfront.Var
	for _, name := range m[1:] {
		if i := slices.IndexFunc(vars, func(v *cfront.Var) bool { return v.Name == name }); i >= 0 {
			found = append(found, vars[i])
		}
	}
	c := s.counters(fn)
	return len(found) == 2 && c[found[0]] != c[found[1]]
}

// sumsConstant records a sum that has a constant among its terms, and its terms. One more or one less of any of them is
// the same edit as another constant.
func (s *facts) sumsConstant(b *cfront.Binary) {
	if s.summed[b] {
		return
	}
	terms, number := []cfront.Expr{b}, false
	var walk func(x cfront.Expr)
	walk = func(x cfront.Expr) {
		y := cfront.Skip(x)
		terms = append(terms, x, y)
		switch z := y.(type) {
		case *cfront.Binary:
			if z.Op == ctype.Add || z.Op == ctype.Sub {
				walk(z.X)
				walk(z.Y)
			}
		case *cfront.Const:
			number = number || z.Editable()
		}
	}
	walk(b)
	if !number {
		return
	}
	if s.summed == nil {
		s.summed = map[cfront.Expr]bool{}
	}
	for _, x := range terms {
		s.summed[x] = true
	}
}
