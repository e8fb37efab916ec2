package schema

import (
	"testing"

	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// TestPinned puts constants back that are as good as another one at their place, and no others.
func TestPinned(t *testing.T) {
	f := source.NewFile("a.c", []byte("int best = 0; int more = 1;"))
	here, there := &textedit.Site{Kind: textedit.Value, File: f, Start: 11, End: 12}, &textedit.Site{Kind: textedit.Value, File: f, Start: 25, End: 26}
	edit := func(st *textedit.Site, what, alt string) waiting {
		e := &textedit.Edit{What: what, Cost: 4, Site: st, Alt: alt}
		return waiting{Repair: Repair{Edits: []*textedit.Edit{e}, Cost: e.Cost}}
	}
	n := edit(here, "a variable", "n")
	n.odd = 5
	first := func(list ...waiting) string { return pinned(list)[0].Edits[0].Alt }
	if got := first(edit(here, textedit.AnotherConstant, "3"), edit(here, textedit.AnotherConstant, "10"), n); got != "n" {
		t.Errorf("first is %s where two constants are as good", got)
	}
	if got := first(edit(here, textedit.AnotherConstant, "3"), edit(there, textedit.AnotherConstant, "10"), n); got != "3" {
		t.Errorf("first is %s where one constant alone is good", got)
	}
	same := edit(here, textedit.AnotherConstant, "3")
	if got := first(same, same, n); got != "3" {
		t.Errorf("first is %s where a constant is there twice", got)
	}
	pair := func(c string, with *textedit.Edit) waiting {
		w := edit(here, textedit.AnotherConstant, c)
		w.Edits = append(w.Edits, with)
		return w
	}
	a, b := &textedit.Edit{Site: there, Alt: "x"}, &textedit.Edit{Site: there, Alt: "y"}
	if got := first(pair("3", a), pair("4", b), n); got != "3" {
		t.Errorf("first is %s where each constant is good beside something else", got)
	}
}
