package textedit

import (
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file writes statements for the other side. In a list linked both ways, a tree or a queue with two ends, each
// link has a counterpart, and what is done to one link may be forgotten for the other: the missing statement is the one
// next to it, with next for prev, or head for tail. In the same way a statement that copies one member is repeated for
// another member.

// Bounds.
const (
	mostMirrored  = 8
	mirroredBytes = 200
	costMirror    = costPath
)

// antonyms are pairs of words that name two sides, as parts of names.
var antonyms = [][2]string{
	{"next", "prev"}, {"head", "tail"}, {"first", "last"}, {"left", "right"}, {"front", "back"}, {"front", "rear"},
	{"begin", "end"}, {"start", "end"}, {"top", "bottom"}, {"up", "down"}, {"north", "south"}, {"east", "west"}, {"low", "high"},
	{"lo", "hi"}, {"min", "max"}, {"above", "below"}, {"before", "after"}, {"older", "newer"}, {"old", "new"}, {"succ", "pred"},
	{"parent", "child"}, {"flink", "blink"}, {"forward", "backward"}, {"nxt", "prv"}, {"row", "col"}, {"rows", "cols"},
}

// antonymous reports whether two names differ only by opposite words, or by a last letter that numbers two of a kind.
func antonymous(a, b string) bool {
	if n := len(a) - 1; n > 1 && len(b) == n+1 && a[:n] == b[:n] {
		switch min(a[n:], b[n:]) + max(a[n:], b[n:]) {
		case "ab", "AB", "12", "01", "xy":
			return true
		}
	}
	for _, w := range antonyms {
		for _, x := range [][2]string{w, {w[1], w[0]}} {
			if len(x[0]) < 3 && a != x[0] {
				continue // a short word is part of many names
			}
			if strings.Contains(a, x[0]) && strings.Replace(a, x[0], x[1], 1) == b {
				return true
			}
		}
	}
	return false
}

// sides returns the pairs of names that are exchanged to write n for the other side. ok is false if n names a link that
// has no counterpart.
func (s *facts) sides(n cfront.Node, p place, f *source.File, at int) (out []exchange, ok bool) {
	ok = true
	put := func(x exchange) {
		if !slices.Contains(out, x) && !slices.Contains(out, exchange{x.b, x.a, x.member}) {
			out = append(out, x)
		}
	}
	vars := Visible(s.tree, p.fn, f, at)
	look := func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Member:
				t := baseOf(y)
				links := 0
				for _, m := range t.Fields {
					if sameType(elemOf(m.Type), t) {
						links++
					}
				}
				link, before := sameType(elemOf(y.Field.Type), t), len(out)
				self := links == 2 && link
				for _, m := range t.Fields {
					if m.Name != y.Field.Name && sameType(m.Type, y.Field.Type) && (self || antonymous(y.Field.Name, m.Name)) {
						put(exchange{y.Field.Name, m.Name, true})
					}
				}
				known := func(x exchange) bool { return x.member && (x.a == y.Field.Name || x.b == y.Field.Name) }
				ok = ok && (!link || len(out) > before || slices.ContainsFunc(out, known))
			case *cfront.Ref:
				for _, v := range vars {
					if v != y.Var && sameType(v.Type, y.Var.Type) && antonymous(y.Var.Name, v.Name) && v.Qual&ctype.Const == 0 {
						put(exchange{y.Var.Name, v.Name, false})
					}
				}
			}
			return true
		})
	}
	switch n := n.(type) {
	case cfront.Expr:
		look(n)
	case cfront.Stmt:
		cfront.WalkStmt(n, nil, look)
	}
	return out, ok
}

// mirrored returns a statement written for the other side. ok is false if that is impossible or changes nothing.
func (s *facts) mirrored(st cfront.Stmt, p place) (text string, ok bool) {
	switch st.(type) {
	case *cfront.ExprStmt, *cfront.If:
	default:
		return "", false
	}
	r := st.Range()
	if !r.Valid() || !standsAsWritten(st) || hasLabel(st) {
		return "", false
	}
	old := cut(r.File, r.Start, WholeEnd(r.File, r.End))
	if len(old) > mirroredBytes || strings.ContainsAny(old, "#\"") {
		return "", false
	}
	sides, ok := s.sides(st, p, r.File, r.Start)
	if text = old; !ok {
		return "", false
	}
	if i, is := st.(*cfront.If); is && i.Else != nil && i.Then.Range().Valid() {
		if x, assigns := only(i.Else); assigns && there(x.L.Range().Text(), sides) == x.L.Range().Text() {
			text = cut(r.File, r.Start, WholeEnd(r.File, i.Then.Range().End)) // the else branch has no counterpart (a head without a tail), so it is left out
		}
	}
	text = there(text, sides)
	return text, text != old
}

// there exchanges all pairs of names in a text.
func there(text string, sides []exchange) string {
	for _, x := range sides {
		text = x.in(text)
	}
	return text
}

// only returns the assignment that a statement consists of.
func only(st cfront.Stmt) (*cfront.Assign, bool) {
	if b, ok := st.(*cfront.Block); ok && len(b.List) == 1 {
		st = b.List[0]
	}
	if e, ok := st.(*cfront.ExprStmt); ok {
		a, ok := e.X.(*cfront.Assign)
		return a, ok
	}
	return nil, false
}

// armOf returns the condition of the if that block b is a branch of; nil if it is none.
func armOf(fn *cfront.Func, b *cfront.Block) (guard cfront.Expr) {
	cfront.WalkStmt(fn.Body, func(s cfront.Stmt) {
		if i, ok := s.(*cfront.If); ok && (i.Then == cfront.Stmt(b) || i.Else == cfront.Stmt(b)) {
			guard = i.Cond
		}
	}, nil)
	return guard
}

// mirrors lists statements of a block, written for the other side, that may be missing at a place in it.
func (s *facts) mirrors(p place, f *source.File, at int, add func(cost int, what, text string)) {
	body := source.OneLine(p.fn.Whole.Text())
	n, guard := 0, armOf(p.fn, p.block)
	for i, st := range p.block.List {
		t, ok := s.mirrored(st, p)
		if !ok || n == mostMirrored || st.Range().File != f {
			continue
		}
		if guard != nil {
			if sides, _ := s.sides(st, p, f, at); there(guard.Range().Text(), sides) != guard.Range().Text() {
				continue // the other side has a condition of its own
			}
		}
		n++
		cost := costMirror + strings.Count(t, ";") - 1
		near := WholeEnd(f, st.Range().End) == at || i > 0 && WholeEnd(f, p.block.List[i-1].Range().End) == at || i == 0 && at <= st.Range().Start
		if !near {
			cost += 2
		}
		if strings.Contains(body, source.OneLine(t)) {
			cost += 3 // the function has this statement already
		}
		add(cost, "insert", t)
	}
}

// turnedRound replaces a statement by its form for the other side, where it may be a copy that was changed only in
// part.
func (s *facts) turnedRound(st cfront.Stmt, p place, replace func(cost int, what, alt string) *Edit) {
	if t, ok := s.mirrored(st, p); ok && differing(lexemes(cut(st.Range().File, st.Range().Start, st.Range().End)), lexemes(t)) > 1 {
		replace(costMirror+1, "the other side", t)
	}
}

// askable returns the functions of the program that take a pointer to the struct of member x and return a value of x's
// type: a sum over children may need the sum of each child, not its number.
func (s *facts) askable(x *cfront.Member, fn *cfront.Func) (out []string) {
	if !x.Arrow || !x.Type().IsInteger() && x.Type().Kind != ctype.Float {
		return nil
	}
	of := baseOf(x)
	for _, g := range s.tree.Funcs {
		t := g.Type
		if g.Body == nil || !own(g) || t.Result == nil || len(g.Params) != 1 || t.Variadic || !sameType(elemOf(g.Params[0].Type), of) {
			continue
		}
		if !sameType(t.Result, x.Type()) && !(t.Result.IsInteger() && x.Type().IsInteger()) {
			continue
		}
		if g == fn || s.declared(g, x.Range().File, x.Range().Start) {
			out = append(out, g.Name)
		}
	}
	return out
}

// differing counts the words that differ. If only one does, another edit lists the change.
func differing(a, b []lexeme) (n int) {
	for i := range min(len(a), len(b)) {
		if a[i].text != b[i].text {
			n++
		}
	}
	return n
}

// mostCopied bounds the members that one statement is repeated for.
const mostCopied = 6

// copied lists the statement before the place again, for another member of the same type, if it copies a member: a name
// is copied, and the text beside it is forgotten.
func (s *facts) copied(p place, f *source.File, at int, add func(cost int, what, text string)) {
	body := source.OneLine(p.fn.Whole.Text())
	for _, st := range p.block.List {
		r := st.Range()
		a, ok := only(st)
		if !ok || !r.Valid() || r.File != f || WholeEnd(f, r.End) != at || a.HasOp || !standsAsWritten(st) || hasLabel(st) {
			continue
		}
		to, ok := cfront.Skip(a.L).(*cfront.Member)
		text := cut(f, r.Start, at)
		if !ok || len(text) > mirroredBytes || strings.Contains(text, "#") {
			continue
		}
		copies := false
		cfront.Walk(a.R, func(x cfront.Expr) bool {
			m, ok := x.(*cfront.Member)
			copies = copies || ok && m.Field.Name == to.Field.Name && sameType(baseOf(m), baseOf(to))
			return true
		})
		n := 0
		for _, m := range baseOf(to).Fields {
			if !copies || n == mostCopied || m.Name == to.Field.Name || !sameType(m.Type, to.Field.Type) || word(m.Name).MatchString(text) {
				continue
			}
			t := exchange{to.Field.Name, m.Name, true}.in(text)
			if strings.Contains(body, source.OneLine(t)) {
				continue
			}
			n++
			add(costPath, "insert", t)
		}
	}
}

// exchange is a pair of names that change places, either of members or of variables. A member may have the same name as
// a variable or a function, so the kinds are kept apart.
type exchange struct {
	a, b   string
	member bool
}

// in exchanges the two names in a text. Names of called functions stay.
func (x exchange) in(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		n := Token(text[i:])
		t := text[i : i+n]
		before := strings.TrimRight(text[:i], " \t\n")
		member := strings.HasSuffix(before, "->") || strings.HasSuffix(before, ".")
		called := strings.HasPrefix(strings.TrimLeft(text[i+n:], " \t\n"), "(")
		switch {
		case member != x.member || called:
		case t == x.a:
			t = x.b
		case t == x.b:
			t = x.a
		}
		out.WriteString(t)
		i += n
	}
	return out.String()
}
