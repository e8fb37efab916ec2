package textedit

import (
	"regexp"
	"slices"

	"gulo/internal/cfront"
)

// This file takes edits from outside this package, such as edits derived from the difference between the actual and the
// wanted output, and templates of mistakes.

// Where says where a suggestion's text goes.
type Where uint8

// The places of suggestions.
const (
	Instead Where = iota // in place of a statement or an expression
	Behind               // a statement after another one
	Before               // a statement at the beginning of a block
	Gone                 // two statements become one: Text in place of Node, nothing in place of Next
)

// Suggested is an edit from outside. It is tried ahead of the edits of the space unless Common is set.
type Suggested struct {
	Func  *cfront.Func
	Where Where
	Node  cfront.Node // a cfront.Stmt or cfront.Expr
	Next  cfront.Stmt // for Gone
	Block *cfront.Block
	Text  string
	What  string
	From  string // the program that the text comes from, in words; empty: none
	Cost  int

	Common bool // tried with the edits of the space, not ahead of them

	Changes []Change // the changes of the text; nil: Text replaces Node
}

// Suggest lists edits from outside, except those that cannot be compiled as far as that is easily seen.
func (s *Space) Suggest(list []Suggested) {
	for _, x := range list {
		if !s.sensible(x) {
			continue
		}
		p := place{fn: x.Func, block: x.Block}
		if p.block == nil {
			p.block = &cfront.Block{}
		}
		var e *Edit
		switch x.Where {
		case Behind:
			if st, ok := x.Node.(cfront.Stmt); ok {
				e = s.after(st, p, x.Cost, x.What, x.Text)
			}
		case Before:
			if b, ok := x.Node.(*cfront.Block); ok {
				e = s.first(b, p, x.Cost, x.What, x.Text)
			}
		case Gone:
			s.joined(x, p)
		default:
			e = s.instead(x)
		}
		if e != nil {
			if e.Suggested = !x.Common; e.What == x.What {
				e.From = x.From
			}
		}
	}
	for _, m := range s.Moves {
		m.Suggested = true
	}
	s.SuggestedMoves = len(s.Moves)
}

// unreal matches an index with a real number in it, and a cast of an assignment's left side.
var unreal = regexp.MustCompile(`\[[^][]*(\(double\)|[0-9]\.[0-9])[^][]*\]|\(double\) [\w.>\[\]-]+ [-+*/%]?= `)

// sensible reports whether a suggestion can be compiled, as far as that is easily seen. Suggestions are made without a
// look at types and scopes, and each edit that gcc refuses delays all others.
func (s *facts) sensible(x Suggested) bool {
	r := x.Node.Range()
	if !r.Valid() {
		return false
	}
	old, at := r.Text(), r.Start
	switch x.Where {
	case Behind:
		old, at = "", r.End
	case Before:
		old, at = "", r.Start+1
	case Gone:
		if _, ok := x.Next.(*cfront.Decl); ok { // later statements may name the variable
			return false
		}
		old += x.Next.Range().Text()
	}
	if unreal.MatchString(x.Text) && !unreal.MatchString(old) {
		return false
	}
	return s.known(x.Text, old, x.Func, r.File, at)
}

func (s *Space) instead(x Suggested) *Edit {
	r := x.Node.Range()
	kind, end := Value, r.End
	if _, ok := x.Node.(cfront.Stmt); ok {
		kind, end = Statement, WholeEnd(r.File, r.End)
	}
	if !r.Valid() {
		return nil
	}
	ch := Change{r.File, r.Start, end, x.Text}
	if st, ok := x.Node.(cfront.Stmt); ok && x.Text == ";" && x.Block != nil && slices.Contains(x.Block.List, st) {
		ch = deletion(r.File, r.Start, end)
	}
	chs := x.Changes
	if chs == nil {
		chs = []Change{ch}
	}
	return s.add(kind, x.Func, r.File, r.Start, end, x.Text, &Edit{What: x.What, Cost: x.Cost, Changes: chs})
}

// joined lists an edit that makes one statement of two.
func (s *Space) joined(x Suggested, p place) {
	f, start := x.Next.Range().File, x.Next.Range().Start
	end := WholeEnd(f, x.Next.Range().End)
	gone := s.add(Statement, x.Func, f, start, end, "", &Edit{What: x.What, Cost: HalfCost, Changes: []Change{deletion(f, start, end)}})
	come := s.instead(x)
	if gone != nil && come != nil {
		s.hidden(come)
		gone.Suggested, come.Suggested = true, true
		s.move(gone, come, x.Cost, x.What)
	}
}
