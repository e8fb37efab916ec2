package textedit

import (
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file makes up conditions for places where a forced outcome makes a failing test pass. A condition compares two
// values that the function has, or a value with a constant that numbers of its kind are compared with elsewhere.
// Numbers of different kinds (kinds.go) are not compared.

// Bounds.
const (
	mostValues      = 14  // at a place
	mostComparisons = 160 // at a place, where few places are forced
	allComparisons  = 480 // at all places together
	fewComparisons  = 40  // at a place, where many places are forced
	longestCompared = 24  // bytes of a value's text
)

// Costs of made-up conditions.
const (
	costCompared = costGuard     // between two values
	costConstant = costGuard + 1 // with a constant: there are many, and most of them pass the tests as well
)

// madeCondition is a made-up condition.
type madeCondition struct {
	text string
	cost int
}

// comparisons lists the conditions that can be made up at a place; values that the node of names come first.
func (s *facts) comparisons(fn *cfront.Func, f *source.File, at int, of cfront.Node) (out []madeCondition) {
	k := s.numbers()
	values := s.valuesAt(fn, f, at, of)
	seen := map[string]bool{}
	most := max(fewComparisons, min(mostComparisons, allComparisons/max(1, len(s.forced))))
	put := func(cost int, a, op, b string) {
		t := a + " " + op + " " + b
		if len(out) < most && !seen[t] {
			seen[t] = true
			out = append(out, madeCondition{t, cost})
		}
	}
	for i, a := range values {
		for _, b := range values[i+1:] {
			if !comparable(a.t, b.t) || k.apart(fn, a.text, b.text) {
				continue
			}
			x, xok := k.text(fn, a.text)
			y, yok := k.text(fn, b.text)
			cost := costCompared
			if !xok || !yok || x != y {
				cost += 2 // no evidence that they are of one kind
			}
			ops := []string{"<", ">", "<=", ">=", "==", "!="}
			if a.t.Kind == ctype.Pointer || a.truth {
				ops = ops[4:]
			}
			if a.truth != b.truth {
				continue
			}
			for _, op := range ops {
				put(cost, a.text, op, b.text)
			}
		}
	}
	for _, a := range values {
		switch {
		case a.t.Kind == ctype.Pointer:
		case a.truth:
			put(costCompared, a.text, "!=", "0")
			put(costCompared, a.text, "==", "0")
		default:
			for _, c := range s.constantsFor(fn, a.text) {
				for _, op := range []string{"==", "!=", ">", "<"} {
					put(costConstant, a.text, op, c)
				}
			}
		}
	}
	return out
}

// valued is a value that can be read at a place.
type valued struct {
	text  string
	t     *ctype.Type
	truth bool
}

func comparable(a, b *ctype.Type) bool {
	if a.Kind == ctype.Pointer || b.Kind == ctype.Pointer {
		return sameType(a, b)
	}
	return a.IsInteger() && b.IsInteger() && (a.Size > 1) == (b.Size > 1)
}

// valuesAt returns the integers and pointers that a function reads and that can be read at a place, too: first those in
// the statement or condition of, then those that stand nearest.
func (s *facts) valuesAt(fn *cfront.Func, f *source.File, at int, of cfront.Node) (out []valued) {
	type found struct {
		valued
		far int
	}
	var all []found
	seen := map[string]bool{}
	own := of.Range()
	look := func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y.(type) {
			case *cfront.Ref, *cfront.Member, *cfront.Index, *cfront.Deref:
			default:
				return true
			}
			r, t := y.Range(), y.Type()
			if !r.Valid() || r.File != f || !y.Editable() || impure(y) || t == nil || !t.IsInteger() && t.Kind != ctype.Pointer {
				return true
			}
			text := r.Text()
			if _, ok := fragmentOf(y, fn); !ok || len(text) > longestCompared || seen[text] || strings.ContainsAny(text, "\n(") || !s.known(text, "", fn, f, at) {
				return true
			}
			if !s.nameable(refsIn(y), fn, f, at) {
				return true
			}
			seen[text] = true
			far := max(at-r.Start, r.Start-at)
			if own.Start <= r.Start && r.End <= own.End {
				far = 0
			}
			all = append(all, found{valued{text, t, s.ofTruth(y)}, far})
			return true
		})
	}
	cfront.WalkStmt(fn.Body, nil, look)
	for _, v := range Visible(s.tree, fn, f, at) {
		if v.Func == fn && v.Type.IsInteger() && !seen[v.Name] && len(v.Name) <= longestCompared {
			seen[v.Name] = true
			all = append(all, found{valued{v.Name, v.Type, s.truthVar(v)}, 1})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return a.far - b.far })
	for _, x := range all[:min(len(all), mostValues)] {
		out = append(out, x.valued)
	}
	return out
}

// refsIn returns the variables that an expression names.
func refsIn(x cfront.Expr) (out []*cfront.Var) {
	cfront.Walk(x, func(y cfront.Expr) bool {
		if r, ok := y.(*cfront.Ref); ok {
			out = append(out, r.Var)
		}
		return true
	})
	return out
}

// constantsFor returns the constants that the program compares numbers of text's kind with, then 0, 1 and 2.
func (s *facts) constantsFor(fn *cfront.Func, text string) (out []string) {
	k := s.numbers()
	own, ok := k.text(fn, text)
	if ok {
		out = append(out, s.comparedWith[own]...)
	}
	for _, c := range []string{"0", "1", "2"} {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// mostComparedWith bounds the constants per kind of number.
const mostComparedWith = 4

// numbers returns the kinds of the program's numbers; they are inferred once.
func (s *facts) numbers() *numberKinds {
	if s.numberKinds != nil {
		return s.numberKinds
	}
	s.numberKinds, s.comparedWith = inferKinds(s.tree), map[kind][]string{}
	for _, fn := range s.tree.Funcs {
		if !own(fn) {
			continue
		}
		cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				b, ok := y.(*cfront.Binary)
				if !ok || !b.Op.IsCompare() || !within(b.X, b) || !within(b.Y, b) {
					return true
				}
				for _, side := range [][2]cfront.Expr{{b.X, b.Y}, {b.Y, b.X}} {
					c, ok := cfront.Skip(side[1]).(*cfront.Const)
					if !ok || !c.Range().Valid() {
						continue
					}
					if a, ok := s.numberKinds.text(fn, cfront.Skip(side[0]).Range().Text()); ok {
						if t := c.Range().Text(); !slices.Contains(s.comparedWith[a], t) && len(s.comparedWith[a]) < mostComparedWith && len(t) < longestCompared {
							s.comparedWith[a] = append(s.comparedWith[a], t)
						}
					}
				}
				return true
			})
		})
	}
	return s.numberKinds
}

// madeUp lists made-up conditions in place of a condition, and combined with it by && and ||.
func (s *Space) madeUp(x cfront.Expr, fn *cfront.Func) {
	if !s.mends(Value, x) {
		return
	}
	r := x.Range()
	t := r.Text()
	for _, c := range s.comparisons(fn, r.File, r.Start, x) {
		if c.text == t {
			continue
		}
		s.replaced(x, fn, c.cost, "and", "("+t+") && ("+c.text+")", operand(x, true)+" && "+c.text)
		s.replaced(x, fn, c.cost, "or", "("+t+") || ("+c.text+")", ored(t)+" || "+c.text)
		s.replaced(x, fn, c.cost+1, "another condition", c.text, c.text)
	}
}

// guardsFor passes to put the made-up conditions that a statement may be put under.
func (s *facts) guardsFor(st cfront.Stmt, fn *cfront.Func, put func(cost int, cond string)) {
	if _, ok := st.(*cfront.ExprStmt); !ok || !s.mends(Statement, st) {
		return
	}
	r := st.Range()
	for _, c := range s.comparisons(fn, r.File, r.Start, st) {
		put(c.cost, c.text)
	}
}
