package schema

import (
	"cmp"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file counts what was tried, for the report of a search that the time limit ended.

// tally has the edits that were tried alone, identified by their text, since the same edit may be listed and tried
// again.
type tally map[tried]*cfront.Func

type tried struct {
	file       *source.File
	start, end int
	kind       textedit.Kind
	alt        string
}

// count adds the edits that were tried last.
func (s *Search) count() {
	if s.tally == nil {
		s.tally = tally{}
	}
	for _, x := range s.single {
		for _, e := range s.edits(job{x.G, x.H}) {
			s.tally[tried{e.Site.File, e.Site.Start, e.Site.End, e.Site.Kind, e.Alt}] = e.Func
		}
	}
}

// Tried is what was tried of a program.
type Tried struct {
	Edits int
	Funcs []FuncTried // functions with the most edits first
	Left  int         // number of functions that failing tests execute and of which no edit was tried
}

// FuncTried is the number of edits of a function that were tried.
type FuncTried struct {
	Func  *cfront.Func
	Edits int
}

// Tried returns which edits were tried alone. Precondition: the search is ready or closed.
func (s *Search) Tried() Tried {
	n := map[*cfront.Func]int{}
	for _, f := range s.tally {
		n[f]++
	}
	t := Tried{Edits: len(s.tally)}
	for f, k := range n {
		t.Funcs = append(t.Funcs, FuncTried{f, k})
	}
	slices.SortFunc(t.Funcs, func(a, b FuncTried) int {
		return cmp.Or(b.Edits-a.Edits, cmp.Compare(a.Func.Name, b.Func.Name))
	})
	for _, f := range s.within {
		if n[f] == 0 && s.covered != nil && len(s.covered.in[f]) > 0 { // else it is unknown
			t.Left++
		}
	}
	return t
}
