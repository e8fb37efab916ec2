package textedit

import (
	"slices"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file makes the same change at all operands that are alike, as one edit. To count leap years up to the year
// before y, all three terms of y/4 - y/100 + y/400 must change. A change of only one of them is marked uneven and tried
// later.

// Bounds.
const (
	mostJoint    = 60           // edits for one expression
	jointCost    = costPath + 1 // highest cost of a change that is made several times
	leastTokens  = 3            // of an operand; i and n are too short to be alike
	mostWrappers = 3            // functions that both sides of a comparison are passed to
)

// shapeOf returns the form of an operand: names are x and numbers are 0. Operands of the same form are alike.
func shapeOf(ts []lexeme) string {
	var b strings.Builder
	for _, t := range ts {
		switch c := t.text[0]; {
		case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			b.WriteString("x ")
		case c >= '0' && c <= '9':
			b.WriteString("0 ")
		default:
			b.WriteString(t.text + " ")
		}
	}
	return b.String()
}

// jointly lists edits that change all alike operands, for each chain of operands in an expression. The edits of the
// single operands must be listed already.
func (s *Space) jointly(root cfront.Expr, fn *cfront.Func) {
	part := map[cfront.Expr]bool{} // of a chain that was visited
	cfront.Walk(root, func(x cfront.Expr) bool {
		if b, ok := x.(*cfront.Binary); ok {
			s.wrapped(b, fn)
		}
		ops := chain(x, part)
		if part[x] || len(ops) < 2 || !x.Editable() || !balanced(x.Range().Text()) || strings.Contains(x.Range().Text(), "\n") {
			return true
		}
		groups := map[string][]cfront.Expr{}
		var shapes []string
		for _, o := range ops {
			if !within(o, x) {
				continue
			}
			ts := lexemes(o.Range().Text())
			k := shapeOf(ts)
			if len(ts) < leastTokens {
				continue
			}
			if groups[k] == nil {
				shapes = append(shapes, k)
			}
			groups[k] = append(groups[k], o)
		}
		for _, k := range shapes {
			if len(groups[k]) > 1 {
				s.alike(x, groups[k], fn)
			}
		}
		return true
	})
}

// chain returns the operands of x and of its parts that are joined by the same kind of operator. It marks those parts
// in part.
func chain(x cfront.Expr, part map[cfront.Expr]bool) []cfront.Expr {
	same := func(y cfront.Expr) (a, b cfront.Expr, ok bool) {
		switch x := x.(type) {
		case *cfront.Logical:
			if y, is := y.(*cfront.Logical); is && y.And == x.And {
				return y.X, y.Y, true
			}
		case *cfront.Binary:
			sum := func(op ctype.Op) bool { return op == ctype.Add || op == ctype.Sub }
			if y, is := y.(*cfront.Binary); is && (y == x && x.Op.IsCompare() || sum(y.Op) && sum(x.Op)) {
				return y.X, y.Y, true
			}
		}
		return nil, nil, false
	}
	var out []cfront.Expr
	var collect func(y cfront.Expr)
	collect = func(y cfront.Expr) {
		z := cfront.Skip(y)
		a, b, ok := same(z)
		if !ok {
			out = append(out, z)
			return
		}
		if z != x {
			part[z] = true
		}
		collect(a)
		collect(b)
	}
	if _, _, ok := same(x); ok {
		collect(x)
	}
	return out
}

// alike makes joint edits for operands that are alike, out of the edits listed for the first of them.
func (s *Space) alike(x cfront.Expr, ops []cfront.Expr, fn *cfront.Func) {
	first := ops[0].Range()
	f, before := first.File, first.Text()
	n := 0
	for _, e := range s.inside(first.Start, first.End, ops[0]) {
		ch := e.Changes[0]
		after := before[:ch.Start-first.Start] + ch.Text + before[ch.End-first.Start:]
		a, b := lexemes(before), lexemes(after)
		p, q := common(a, b)
		if p+q == len(a) && q > 0 { // the text put in stands before something
			q--
		}
		old, text := a[p:len(a)-q], ""
		if len(old) == 0 || n == mostJoint {
			continue
		}
		if p < len(b)-q {
			text = after[b[p].start:b[len(b)-q-1].end]
		}
		var changes []Change
		for _, o := range ops {
			r := o.Range()
			ts := lexemes(r.Text())
			if len(ts) != len(a) || !slices.EqualFunc(ts[p:len(ts)-q], old, func(x, y lexeme) bool { return x.text == y.text }) {
				changes = nil
				break
			}
			changes = append(changes, Change{f, r.Start + ts[p].start, r.Start + ts[len(ts)-q-1].end, text})
		}
		if len(changes) < 2 {
			continue
		}
		n++
		e.uneven = true
		s.jointEdit(x, fn, e, changes)
	}
}

// jointEdit lists changes of parts of x as one edit; it costs one more than e.
func (s *Space) jointEdit(x cfront.Expr, fn *cfront.Func, e *Edit, changes []Change) {
	sort.Slice(changes, func(i, k int) bool { return changes[i].Start < changes[k].Start })
	r := x.Range()
	var b strings.Builder
	at := r.Start
	for _, c := range changes {
		if c.Start < at || c.End > r.End || c.Start > 0 && r.File.Text[c.Start-1] == '-' && strings.HasPrefix(c.Text, "-") {
			return // it would read c--1
		}
		b.Write(r.File.Text[at:c.Start])
		b.WriteString(c.Text)
		at = c.End
	}
	b.Write(r.File.Text[at:r.End])
	if e := s.add(Value, fn, r.File, r.Start, r.End, b.String(), &Edit{What: e.What + ", in all that are alike", Cost: e.Cost + 1, Changes: changes}); e != nil {
		e.Site.Integer = promoted(x.Type())
	}
}

// inside returns the cheap edits of expressions in a range, the cheapest first.
func (s *Space) inside(start, end int, x cfront.Expr) []*Edit {
	var out []*Edit
	for _, st := range s.Sites {
		if st.Kind != Value || st.File != x.Range().File || st.Start < start || st.End > end {
			continue
		}
		for _, e := range st.Edits {
			if e.Cost <= jointCost && len(e.Changes) == 1 && !e.Suggested && e.Changes[0].Start >= start && e.Changes[0].End <= end {
				out = append(out, e)
			}
		}
	}
	sort.SliceStable(out, func(i, k int) bool { return out[i].Cost < out[k].Cost })
	return out
}

// wrapped lists comparisons with one or both sides passed to a library function that the program calls:
// fabs(a) > fabs(b), tolower(c) == tolower(d).
func (s *Space) wrapped(x *cfront.Binary, fn *cfront.Func) {
	if !x.Op.IsCompare() || !within(x.X, x) || !within(x.Y, x) || x.X.Range().End > x.Y.Range().Start || impure(x) {
		return
	}
	if _, constant := cfront.Skip(x.Y).(*cfront.Const); constant {
		return
	}
	a, b := cfront.Skip(x.X), cfront.Skip(x.Y)
	if !sameType(a.Type(), b.Type()) || !a.Type().IsInteger() && a.Type().Kind != ctype.Float {
		return
	}
	r, l, k := x.Range(), x.X.Range(), x.Y.Range()
	n := 0
	for _, g := range s.oneArgument() {
		if n == mostWrappers || g.ret.Kind != a.Type().Kind || !g.fits(a) || strings.HasPrefix(l.Text(), g.name+"(") || strings.HasPrefix(k.Text(), g.name+"(") {
			continue
		}
		n++
		put := func(first, second bool, cost int) {
			in := func(yes bool, t string) string {
				if yes {
					return g.name + "(" + t + ")"
				}
				return t
			}
			t := in(first, l.Text()) + string(r.File.Text[l.End:k.Start]) + in(second, k.Text())
			s.replaced(x, fn, cost, "by "+g.name, t, t)
		}
		put(true, true, costPath+1)
		put(true, false, costPath+3)
		put(false, true, costPath+3)
	}
}

// wrapper is a library function that takes a value and returns one of the same kind.
type wrapper struct {
	name string
	ret  *ctype.Type
	arg  cfront.Expr // an argument that the program passes to it
}

// fits reports whether an expression has the type of w.arg, an argument that the program already passes to the
// function.
func (w *wrapper) fits(x cfront.Expr) bool { return sameType(cfront.Skip(w.arg).Type(), x.Type()) }

// oneArgument returns the library functions that the program calls with one number.
func (s *facts) oneArgument() []wrapper {
	if s.wrappers != nil {
		return s.wrappers
	}
	s.wrappers = []wrapper{}
	for _, g := range s.tree.Funcs {
		if !own(g) {
			continue
		}
		cfront.WalkStmt(g.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				c, ok := y.(*cfront.Call)
				if !ok || len(c.Args) != 1 || !c.Editable() || c.Type() == nil || !c.Args[0].Editable() {
					return true
				}
				ref, ok := cfront.Skip(c.Fun).(*cfront.FuncRef)
				arg := cfront.Skip(c.Args[0]).Type()
				if !ok || ref.Func.Body != nil || arg == nil || !c.Type().IsInteger() && c.Type().Kind != ctype.Float || c.Type().Kind != arg.Kind || strings.HasPrefix(ref.Func.Name, "is") {
					return true
				}
				w := wrapper{ref.Func.Name, c.Type(), c.Args[0]}
				if !slices.ContainsFunc(s.wrappers, func(o wrapper) bool { return o.name == w.name && o.fits(cfront.Skip(w.arg)) }) {
					s.wrappers = append(s.wrappers, w)
				}
				return true
			})
		})
	}
	return s.wrappers
}
