package schema

import (
	"testing"

	"gulo/internal/native"
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
