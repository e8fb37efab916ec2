package schema

import (
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file takes edits from outside: what the difference between what is printed and
// what is wanted suggests, and templates of mistakes.

// Where says where a suggestion stands.
type Where uint8

// The places of suggestions.
const (
	Instead Where = iota // the text in place of a statement or an expression
	Behind               // a statement behind a statement
	Before               // a statement at the beginning of a block
	Gone                 // two statements become one: Text in place of Node, nothing in place of Next
)

// Suggested is an edit that is tried before, or without, those of the whole space.
type Suggested struct {
	Func  *cfront.Func
	Where Where
	Node  cfront.Node // a cfront.Stmt or cfront.Expr
	Next  cfront.Stmt // for Gone
	Block *cfront.Block
	Text  string
	What  string
	Cost  int

	Changes []Change // what changes in the text; nil: Text stands in place of Node
}

// suggested lists edits from outside.
func (s *space) suggested(list []Suggested) {
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
			e.suggested = true
		}
	}
	for _, m := range s.moves {
		m.suggested = true
	}
	s.suggestedMoves = len(s.moves)
}

// unreal is a real number where an integer must be, or a cast of what is assigned to.
var unreal = regexp.MustCompile(`\[[^][]*(\(double\)|[0-9]\.[0-9])[^][]*\]|\(double\) [\w.>\[\]-]+ [-+*/%]?= `)

// sensible reports whether a suggestion, which is made without looking at types and scopes, can
// be compiled as far as is easily seen. One edit that gcc refuses costs the time of all.
func (s *space) sensible(x Suggested) bool {
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
		if _, ok := x.Next.(*cfront.Decl); ok { // others behind it may name the variable
			return false
		}
		old += x.Next.Range().Text()
	}
	if unreal.MatchString(x.Text) && !unreal.MatchString(old) {
		return false
	}
	return s.known(x.Text, old, x.Func, r.File, at)
}

func (s *space) instead(x Suggested) *Edit {
	r := x.Node.Range()
	kind, end := value, r.End
	if _, ok := x.Node.(cfront.Stmt); ok {
		kind, end = statement, wholeEnd(r.File, r.End)
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

// joined makes one statement of two.
func (s *space) joined(x Suggested, p place) {
	f, start := x.Next.Range().File, x.Next.Range().Start
	end := wholeEnd(f, x.Next.Range().End)
	gone := s.add(statement, x.Func, f, start, end, "", &Edit{What: x.What, Cost: alone, Changes: []Change{deletion(f, start, end)}})
	come := s.instead(x)
	if gone != nil && come != nil {
		s.hidden(come)
		gone.suggested, come.suggested = true, true
		s.move(gone, come, x.Cost, x.What)
	}
}

// Insert is text around a range of a program, or, when that is empty, at a place.
type Insert struct {
	File       *source.File
	Start, End int
	Open       string
	Close      string
}

// Instrument writes a program with text around ranges and with steps counted, as package
// native needs it.
func Instrument(tree *cfront.Program, ins []Insert) map[string]string {
	texts := map[string]string{}
	for _, f := range tree.Files {
		if !strings.HasSuffix(f.Name, ".c") {
			texts[f.Name] = string(f.Text)
			continue
		}
		spans := steps(tree, f)
		for i, x := range ins {
			if x.File == f {
				spans = append(spans, span{start: x.Start, end: x.End, rank: 4 + i, open: x.Open, close: x.Close})
			}
		}
		texts[f.Name], _ = weave(f, spans)
	}
	return texts
}

// StepLimit is how many steps an edited program may make where the program itself makes n; 0
// for one that did not end.
func StepLimit(n int64) int64 {
	if n == 0 {
		n = 100_000
	}
	return stepsFor(n)
}
