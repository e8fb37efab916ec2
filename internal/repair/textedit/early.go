package textedit

import (
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
)

// This file lists what goes wrong where a search walks through an array: it ends with the first element
// whatever that says, the place is counted on instead of computed from the counter, or the index is not
// computed as it is elsewhere.

// Bounds.
const (
	mostCounted = 4 // counters that a place is computed from
	mostIndices = 6 // other ways to compute an index
)

// firstOnly returns from a loop only where a condition holds: if (found) return 1; for return found;
func (s *Space) firstOnly(st *cfront.Return, p place) {
	if p.loop == nil || st.X == nil || !st.X.Editable() || !s.ofTruth(st.X) || hasLabel(st) {
		return
	}
	body := repeated(p.loop)
	if b, ok := body.(*cfront.Block); ok && len(b.List) > 0 {
		body = b.List[len(b.List)-1]
	}
	if body != cfront.Stmt(st) {
		return
	}
	r := st.Range()
	end := WholeEnd(r.File, r.End)
	t, in := st.X.Range().Text(), inner(r.File, r.Start)
	put := func(cost int, c, v string) {
		s.add(Statement, p.fn, r.File, r.Start, end, "if ("+c+") return "+v+";", &Edit{What: "only where it holds", Cost: cost, Changes: []Change{{r.File, r.Start, end, "if (" + c + ")\n" + in + "return " + v + ";"}}})
	}
	put(costFlip, t, "1")
	put(costFlip, negation(st.X), "0")
}

// repeated is what a loop repeats.
func repeated(loop cfront.Stmt) cfront.Stmt {
	switch l := loop.(type) {
	case *cfront.While:
		return l.Body
	case *cfront.For:
		return l.Body
	}
	return nil
}

// computedPlace computes what is counted on from another counter: place = i + 1; for place++;
func (s *Space) computedPlace(st *cfront.ExprStmt, p place) {
	x, ok := st.X.(*cfront.IncDec)
	if !ok || p.loop == nil || !integer(x.X) || !x.X.Editable() || impure(x.X) {
		return
	}
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	l, n := x.X.Range().Text(), 0
	for _, v := range Visible(s.tree, p.fn, f, start) {
		if v.Func != p.fn || v.Name == l || !v.Type.IsInteger() || !sameType(v.Type, cfront.Skip(x.X).Type()) || n == mostCounted || !word(v.Name).MatchString(p.loop.Range().Text()) {
			continue
		}
		n++
		for _, r := range []string{v.Name, v.Name + " + 1"} {
			t := l + " = " + r + ";"
			s.add(Statement, p.fn, f, start, end, t, &Edit{What: "computed from a counter", Cost: costMove, Changes: []Change{{f, start, end, t}}})
		}
	}
}

// simpleName is the only name or member that an index is, or to which something is added.
var simpleName = regexp.MustCompile(`[A-Za-z_]\w*`)

// indexAsElsewhere computes an index as that of the same array is computed elsewhere, with a name of its own
// in the place of one that is not visible: line[(first + count) % room] after line[(first + i) % room].
func (s *Space) indexAsElsewhere(x *cfront.Index, fn *cfront.Func) {
	if !within(x.I, x) || !within(x.X, x) || !integer(x.I) || impure(x.I) {
		return
	}
	s.memberAsIndex(x, fn)
	base := arrayOf(x)
	if base == nil {
		return
	}
	r := x.I.Range()
	own := simpleName.FindAllString(r.Text(), -1)
	n := 0
	for _, t := range s.indices(base) {
		if t == r.Text() || n >= mostIndices {
			continue
		}
		var strange []string
		for _, w := range simpleName.FindAllString(t, -1) {
			if !s.known(w, "", fn, r.File, r.Start) && len(strange) == 0 || len(strange) == 1 && strange[0] == w {
				strange = append(strange[:0], w)
			}
		}
		if len(strange) == 0 {
			n++
			s.replaced(x.I, fn, costPath+1, "the index as elsewhere", t, t)
			continue
		}
		for _, w := range own {
			u := word(strange[0]).ReplaceAllString(t, w)
			if u != r.Text() && !strings.Contains(u, w+" + "+w) && n < mostIndices {
				n++
				s.replaced(x.I, fn, costPath+1, "the index as elsewhere", u, u)
			}
		}
	}
}

// arrayOf is the variable at file scope that is indexed; nil for others.
func arrayOf(x *cfront.Index) *cfront.Var {
	y := cfront.Skip(x.X)
	if d, ok := y.(*cfront.Decay); ok {
		y = cfront.Skip(d.X)
	}
	if r, ok := y.(*cfront.Ref); ok && r.Var.Func == nil {
		return r.Var
	}
	return nil
}

// indices are the texts of what is computed as an index of an array at file scope.
func (s *Space) indices(v *cfront.Var) (out []string) {
	if list, ok := s.indexTexts[v]; ok {
		return list
	}
	if s.indexTexts == nil {
		s.indexTexts = map[*cfront.Var][]string{}
		for _, fn := range s.tree.Funcs {
			if !own(fn) {
				continue
			}
			cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
				cfront.Walk(x, func(y cfront.Expr) bool {
					i, ok := y.(*cfront.Index)
					if !ok || !within(i.I, i) || impure(i.I) {
						return true
					}
					b := arrayOf(i)
					if _, sum := cfront.Skip(i.I).(*cfront.Binary); b == nil || !sum {
						return true
					}
					if _, fine := fragmentOf(i.I, fn); !fine {
						return true
					}
					t := i.I.Range().Text()
					if have := s.indexTexts[b]; len(t) <= longestSimilar && !strings.ContainsAny(t, "\n") && !slices.Contains(have, t) {
						s.indexTexts[b] = append(have, t)
					}
					return true
				})
			})
		}
	}
	return s.indexTexts[v]
}
