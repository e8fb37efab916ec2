package schema

import (
	"testing"

	"gulo/internal/source"
)

// TestPinned puts constants back that are as good as another one at their place, and no others.
func TestPinned(t *testing.T) {
	f := source.NewFile("a.c", []byte("int best = 0; int more = 1;"))
	here, there := &site{kind: value, file: f, start: 11, end: 12}, &site{kind: value, file: f, start: 25, end: 26}
	edit := func(st *site, what, alt string) waiting {
		e := &Edit{What: what, Cost: 4, site: st, alt: alt}
		return waiting{Repair: Repair{Edits: []*Edit{e}, Cost: e.Cost}}
	}
	n := edit(here, "a variable", "n")
	n.odd = 5
	first := func(list ...waiting) string { return pinned(list)[0].Edits[0].alt }
	if got := first(edit(here, anotherConstant, "3"), edit(here, anotherConstant, "10"), n); got != "n" {
		t.Errorf("first is %s where two constants are as good", got)
	}
	if got := first(edit(here, anotherConstant, "3"), edit(there, anotherConstant, "10"), n); got != "3" {
		t.Errorf("first is %s where one constant alone is good", got)
	}
	same := edit(here, anotherConstant, "3")
	if got := first(same, same, n); got != "3" {
		t.Errorf("first is %s where a constant is there twice", got)
	}
	pair := func(c string, with *Edit) waiting {
		w := edit(here, anotherConstant, c)
		w.Edits = append(w.Edits, with)
		return w
	}
	a, b := &Edit{site: there, alt: "x"}, &Edit{site: there, alt: "y"}
	if got := first(pair("3", a), pair("4", b), n); got != "3" {
		t.Errorf("first is %s where each constant is good beside something else", got)
	}
}
