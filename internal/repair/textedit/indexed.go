package textedit

import (
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file follows links that are indices of a table, as oneStepMore follows pointers: pool[at].next for at, where the
// step was forgotten, and at for pool[at].next. It also exchanges the two indices of a matrix.

// mostIndexed bounds the tables that one index is looked up in.
const mostIndexed = 6

// tableStep is an expression that looks an index up in a table, with its text before and after the index.
type tableStep struct {
	x              cfront.Expr // pool[at].next
	before, behind string      // "pool[" and "].next"
	index          string
	member         bool // of an element, not the element itself
}

// tables returns the integers that a function reads from tables and that may themselves be indices of a table, each
// text once.
func (s *facts) tables(fn *cfront.Func) []tableStep {
	if list, ok := s.tabled[fn]; ok {
		return list
	}
	var out []tableStep
	seen := map[string]bool{}
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if t, ok := stepOf(y); ok && !seen[t.x.Range().Text()] {
				if _, ok := fragmentOf(t.x, fn); ok {
					seen[t.x.Range().Text()] = true
					out = append(out, t)
				}
			}
			return true
		})
	})
	if s.tabled == nil {
		s.tabled = map[*cfront.Func][]tableStep{}
	}
	s.tabled[fn] = out
	return out
}

// stepOf reads an expression as a step from one index of a table to another; false if it is none.
func stepOf(x cfront.Expr) (tableStep, bool) {
	if !integer(x) || !x.Editable() || impure(x) || calls(x) {
		return tableStep{}, false
	}
	at, isElement := x.(*cfront.Index)
	m, isMember := x.(*cfront.Member)
	if isMember && !m.Arrow {
		at, isElement = cfront.Skip(m.X).(*cfront.Index)
	}
	if !isElement || !within(at.I, x) || !at.I.Type().IsInteger() {
		return tableStep{}, false
	}
	r, i := x.Range(), at.I.Range()
	text := r.Text()
	if strings.Contains(text, "\n") || len(text) > 2*longestNamed {
		return tableStep{}, false
	}
	return tableStep{x, text[:i.Start-r.Start], text[i.End-r.Start:], i.Text(), isMember}, true
}

// indexed lists lookups of x in the tables of the function. A lookup that the function has already costs less. In a
// table of plain numbers only such lookups are listed, because most numbers are no indices.
func (s *Space) indexed(x cfront.Expr, fn *cfront.Func) {
	r := x.Range()
	text := r.Text()
	n := 0
	for _, t := range s.tables(fn) {
		if n == mostIndexed {
			return
		}
		if !sameType(t.x.Type(), x.Type()) || encloses(t.x, x) {
			continue
		}
		next := t.before + text + t.behind
		switch {
		case t.index == text:
			n++
			s.replaced(x, fn, costPath, "one step more", next, next)
		case t.member && s.known(next, text, fn, r.File, r.Start):
			n++
			s.replaced(x, fn, costPath+1, "one step more", next, next)
		}
	}
}

// indexedInstead replaces an index with something added by the link at that index: pool[at].next for at + 1.
func (s *Space) indexedInstead(x *cfront.Binary, fn *cfront.Func) {
	if x.Op.IsCompare() || !integer(x) || impure(x) {
		return
	}
	n := 0
	for _, t := range s.tables(fn) {
		for _, part := range []cfront.Expr{x.X, x.Y} {
			if within(part, x) && t.index == cfront.Skip(part).Range().Text() && sameType(t.x.Type(), x.Type()) && n < mostIndexed && !encloses(t.x, x) {
				n++
				next := t.x.Range().Text()
				s.replaced(x, fn, costPath+1, "the link of a place in a table", next, next)
			}
		}
	}
}

// memberAsIndex replaces a variable used as an index by a member that the function reads: degree[e->to] for degree[v].
// The edit costs less if the function reads that member in a nearby line.
func (s *Space) memberAsIndex(x *cfront.Index, fn *cfront.Func) {
	i, ok := cfront.Skip(x.I).(*cfront.Ref)
	if !ok || !i.Editable() {
		return
	}
	r := i.Range()
	in := map[*cfront.Var]bool{}
	for _, v := range Visible(s.tree, fn, r.File, r.Start) {
		in[v] = true
	}
	n, line := 0, r.Position().Line
	for k := range s.objects(fn) {
		o := &s.objects(fn)[k]
		if o.suffix != "" || !sameType(o.typ, i.Type()) || n == mostIndexed || slices.ContainsFunc(o.refs, func(y *cfront.Ref) bool { return !in[y.Var] }) {
			continue
		}
		cost, text := costPath+1, o.x.Range().Text()
		if strings.Contains(text, x.X.Range().Text()) { // heap[heap[i].key]: what an element holds is seldom an index of its own array
			continue
		}
		n++
		if at := o.x.Range().Position().Line; o.x.Range().File == r.File && at >= line-1 && at <= line+1 {
			cost = costPath - 1
		}
		s.replaced(i, fn, cost, "a member", text, text)
	}
}

// opposite lists the opposite of a condition. The opposite of a comparison is another comparison, which is listed with
// the operators.
func (s *Space) opposite(x cfront.Expr, fn *cfront.Func) {
	if b, ok := cfront.Skip(x).(*cfront.Binary); ok && b.Op.IsCompare() && within(b.X, b) && within(b.Y, b) {
		if t := b.X.Type(); t.IsInteger() && b.Y.Type().IsInteger() || t.Kind == ctype.Pointer && (b.Op == ctype.Eq || b.Op == ctype.Ne) {
			return
		}
	}
	s.replaced(x, fn, costFlip+1, "negate", "!("+x.Range().Text()+")", negation(x))
}

func encloses(x, part cfront.Expr) bool {
	a, b := x.Range(), part.Range()
	return a.File == b.File && a.Start <= b.Start && b.End <= a.End
}

// lookedUp lists an index in place of a lookup with it: at for pool[at].next.
func (s *Space) lookedUp(x cfront.Expr, fn *cfront.Func) {
	if t, ok := stepOf(x); ok && sameType(indexOf(x).Type(), x.Type()) {
		s.replaced(x, fn, costPath, "one step less", t.index, t.index)
	}
}

func indexOf(x cfront.Expr) cfront.Expr {
	if m, ok := x.(*cfront.Member); ok {
		x = cfront.Skip(m.X)
	}
	return cfront.Skip(x.(*cfront.Index).I)
}

// mostIndices bounds the other ways to compute an index.
const mostIndices = 6

// simpleName matches a name in an index.
var simpleName = regexp.MustCompile(`[A-Za-z_]\w*`)

// indexAsElsewhere lists, for an index, the sums that index the same array elsewhere. A name that is not visible is
// replaced by one of the index's own: line[(first + count) % room], where line[(first + i) % room] stands
// elsewhere.
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

// arrayOf returns the variable at file scope that is indexed; nil for other arrays.
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

// indices returns the texts of the computed indices that the program uses with an array at file scope.
func (s *facts) indices(v *cfront.Var) (out []string) {
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
