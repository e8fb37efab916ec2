package textedit

import (
	"fmt"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file puts edits into the space: what makes one, where it goes, and what is no edit.

// library reports whether a function of the C library is declared in the program, or the header that declares it
// included.
func (s *facts) library(name string) bool {
	header := "<string.h>"
	switch {
	case name == "free" || name == "malloc":
		header = "<stdlib.h>"
	case name == "printf":
		header = "<stdio.h>"
	case !strings.HasPrefix(name, "str") && !strings.HasPrefix(name, "mem"):
		header = ""
	}
	for _, f := range s.tree.Funcs {
		if f.Name == name {
			return true
		}
	}
	for _, f := range s.tree.Files {
		if header != "" && strings.HasSuffix(f.Name, ".c") && strings.Contains(string(f.Text), header) {
			return true
		}
	}
	return false
}

// add lists an edit that puts alt in place of the text from start to end. If the same edit is listed already, add
// returns that one, with the lower cost. It returns nil if the edit is refused, for example because its lines must not
// change, because alt has unbalanced brackets or names something out of scope, or because a bound is reached.
func (s *Space) add(k Kind, fn *cfront.Func, f *source.File, start, end int, alt string, e *Edit) *Edit {
	if s.Total >= mostListed || f == nil || !s.free(f, f.Position(start).Line) || end > start && !s.free(f, f.Position(end-1).Line) && k != Statement {
		return nil
	}
	if s.traced {
		e.Listed = listing()
	}
	alt, ok := OneLine(alt)
	if !ok || !balanced(alt) || !s.scoped(alt, string(f.Text[start:end]), scopeAt{fn, f, start}) || s.asksNumber(alt, fn) && !s.asksNumber(string(f.Text[start:end]), fn) {
		return nil
	}
	if s.arms == nil {
		s.arms = ArmsOf(s.tree)
	}
	if s.arms.Same(f, start, end, alt) {
		return nil
	}
	key := siteKey{f, start, end, k}
	st := s.at[key]
	if st == nil {
		st = &Site{Kind: k, File: f, Start: start, End: end, Func: fn}
		s.at[key] = st
		s.Sites = append(s.Sites, st)
	}
	same := fmt.Sprintf("%d %d %d %p %s", key.kind, start, end, f, collapsed(alt))
	if old := s.seen[same]; old != nil {
		switch {
		case old.Cost == HalfCost && e.Cost < HalfCost: // half of one edit is a whole edit by itself
			old.Cost, old.What, old.Listed, old.Changes = e.Cost, e.What, e.Listed, e.Changes
		case e.Cost < old.Cost && len(e.Changes) == len(old.Changes):
			old.Cost, old.What, old.From, old.Listed = e.Cost, e.What, e.From, e.Listed
		}
		return old
	}
	if len(st.Edits) >= mostAtPlace {
		return nil
	}
	s.seen[same] = e
	s.Total++
	e.Alt, e.Site, e.Func = alt, st, fn
	switch k {
	case Statement:
		e.beforeElse()
	case Value:
		e.keptTogether(start, end)
	}
	st.Edits = append(st.Edits, e)
	return e
}

// after lists an edit that inserts a statement after prev. Where prev is an unbraced body, both go into braces.
func (s *Space) after(prev cfront.Stmt, p place, cost int, what, text string) *Edit {
	f := prev.Range().File
	if f == nil { // it has no source text: an expression in an array's size, inside a macro
		return nil
	}
	end := WholeEnd(f, prev.Range().End)
	if d, ok := prev.(*cfront.Decl); ok {
		if end = declarationEnd(f, d); end < 0 {
			return nil
		}
	} else if end == prev.Range().End && f.Text[end-1] != ';' && f.Text[end-1] != '}' {
		return nil
	}
	if p.block.Implicit {
		start := prev.Range().Start
		old := string(f.Text[start:end])
		return s.add(Statement, p.fn, f, start, end, "{ "+old+" "+text+" }", &Edit{What: what, Cost: cost, braced: true, Changes: []Change{inBraces(f, start, end, old, text)}})
	}
	return s.add(Gap, p.fn, f, end, end, text, &Edit{What: what, Cost: cost, Changes: []Change{{f, end, end, "\n" + behindIndent(prev) + text}}})
}

// move lists an edit with two halves: gone deletes a statement at one place, come inserts it at another.
func (s *Space) move(gone, come *Edit, cost int, what string) {
	s.Moves = append(s.Moves, &Edit{What: what, Cost: cost, Func: gone.Func, Changes: gone.Changes, ID: 0, Site: gone.Site, With: &Edit{
		What: what, Func: come.Func, Changes: come.Changes, Site: come.Site, Alt: come.Alt,
	}, Alt: gone.Alt})
}

// nameable reports whether all of vars are visible at a place.
func (s *facts) nameable(vars []*cfront.Var, fn *cfront.Func, f *source.File, at int) bool {
	in := map[*cfront.Var]bool{}
	for _, v := range Visible(s.tree, fn, f, at) {
		in[v] = true
	}
	for _, v := range vars {
		if !in[v] {
			return false
		}
	}
	return true
}

// alternative turns two ifs in a row into if and else if.
func (s *Space) alternative(st *cfront.If, p place) {
	if p.index == 0 || p.block.Implicit {
		return
	}
	prev, ok := p.block.List[p.index-1].(*cfront.If)
	f, start := st.Range().File, st.Range().Start
	if !ok || !standsAsWritten(prev) || hasLabel(prev) || prev.Range().File != f {
		return
	}
	last := prev
	for last.Else != nil {
		next, ok := last.Else.(*cfront.If)
		if !ok {
			return // the chain ends with an else
		}
		last = next
	}
	from, end := prev.Range().Start, WholeEnd(f, st.Range().End)
	prevEnd := WholeEnd(f, prev.Range().End)
	gone := s.add(Statement, p.fn, f, start, end, ";", &Edit{What: "else if", Cost: costElse, Changes: []Change{}})
	come := s.add(Statement, p.fn, f, from, prevEnd, string(f.Text[from:prevEnd])+" else "+string(f.Text[start:end]),
		&Edit{What: "else if", Cost: costElse, Changes: []Change{{f, start, start, "else "}}})
	if gone != nil && come != nil {
		gone.Changes = come.Changes
		s.Moves = append(s.Moves, &Edit{What: "else if", Cost: costElse, Func: p.fn, Changes: come.Changes, Site: gone.Site, Alt: gone.Alt, With: &Edit{What: "else if", Func: p.fn, Site: come.Site, Alt: come.Alt}})
		s.hidden(gone)
		s.hidden(come)
	}
}

// hidden marks an edit as half of a move: alone it makes no sense.
func (s *facts) hidden(e *Edit) { e.Cost = HalfCost }

// fits reports whether a value of type a may replace one of type b. Where the walk is in the target of an assignment, a
// pointer to const does not fit.
func (s *Space) fits(a, b *ctype.Type) bool {
	return sameType(a, b) && !(s.written && a.Kind == ctype.Pointer && a.ElemQual&ctype.Const != 0)
}

// replaced lists an alternative to an expression: alt in the schema, text in the source.
func (s *Space) replaced(x cfront.Expr, fn *cfront.Func, cost int, what, alt, text string) {
	if s.twins[x] == alt && alt != "" { // strcmp(a, a)
		return
	}
	r := x.Range()
	e := s.add(Value, fn, r.File, r.Start, r.End, alt, &Edit{What: what, Cost: cost, Changes: []Change{{r.File, r.Start, r.End, text}}})
	if e == nil {
		return
	}
	if e.Site.Integer = promoted(x.Type()); cfront.IsNull(x) && r.Text() == "NULL" {
		e.Site.Integer = "" // what NULL expands to has no promoted type here
	}
}

// oneStepMore lists the links of the node that an expression points to: p->next for p.
func (s *Space) oneStepMore(x cfront.Expr, text string, cost int, alt func(cost int, what, text string)) {
	t := x.Type()
	if t.Kind != ctype.Pointer || !t.Elem.IsAggregate() {
		return
	}
	for _, f := range t.Elem.Fields {
		if f.Name != "" && f.BitLen == 0 && s.fits(f.Type, t) {
			alt(cost, "one step more", text+"->"+f.Name)
		}
	}
}

// grouped replaces an expression by an operation, in parentheses where the operators around may bind more tightly.
func (s *Space) grouped(x cfront.Expr, fn *cfront.Func, cost int, what, t string) {
	r := x.Range()
	text := t
	if tight(r.File.Text, r.Start, r.End) {
		text = "(" + t + ")"
	}
	s.replaced(x, fn, cost, what, t, text)
}

// first lists an edit that inserts a statement at the beginning of a block.
func (s *Space) first(b *cfront.Block, p place, cost int, what, text string) *Edit {
	f, at := b.Range().File, b.Range().Start+1
	if b.Implicit || at > len(f.Text) || f.Text[at-1] != '{' {
		return nil
	}
	return s.add(Gap, p.fn, f, at, at, text, &Edit{What: what, Cost: cost, Changes: []Change{{f, at, at, "\n" + firstIndent(b) + text}}})
}
