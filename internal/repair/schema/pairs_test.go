package schema

import (
	"testing"

	"gulo/internal/native"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// TestHopeful keeps costly edits that change what becomes of the first failing test.
func TestHopeful(t *testing.T) {
	s := &Search{}
	var jobs []job
	for i := range mostHalves + 100 {
		j := job{i + 1, 0}
		jobs = append(jobs, j)
		x := native.Screened{G: j.g, First: 7}
		if i%50 == 0 {
			x.First = uint64(1000 + i)
		}
		s.single = append(s.single, x)
	}
	got := s.hopeful(jobs)
	if want := mostHalves + 2; len(got) != want {
		t.Fatalf("%d edits, want %d", len(got), want)
	}
	if a, b := got[mostHalves].g, got[mostHalves+1].g; a != mostHalves+1 || b != mostHalves+51 {
		t.Errorf("edits %d and %d", a, b)
	}
	if few := s.hopeful(jobs[:10]); len(few) != 10 {
		t.Errorf("of ten edits %d", len(few))
	}
}

// TestAccidents lets others go before those at a place where three met a test by accident.
func TestAccidents(t *testing.T) {
	f := source.NewFile("a.c", []byte("int x;\n"))
	of := func(start int) *waiting {
		return &waiting{Repair: Repair{Edits: []*textedit.Edit{{Site: &textedit.Site{File: f, Start: start, End: start + 1}}}}}
	}
	s := &Search{}
	for range mostAccidents {
		if s.accidental(of(3)) {
			t.Error("too early")
		}
		s.accident(of(3))
	}
	if !s.accidental(of(3)) || s.accidental(of(4)) {
		t.Error("the place is not told from another one")
	}
}
