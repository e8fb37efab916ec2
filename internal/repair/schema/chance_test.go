package schema

import (
	"math"
	"testing"

	"gulo/internal/native"
)

// TestLucky counts edits that do the same once, and expects few pairs to meet many tests by chance.
func TestLucky(t *testing.T) {
	edit := func(all uint64, met ...bool) native.Profiled { return native.Profiled{G: int(all), Met: met, All: all} }
	list := []native.Profiled{
		{All: 9}, edit(9, false, true), // the program, and an edit that does nothing
		edit(1, true, true), edit(2, false, true), edit(3, false, false), edit(4, true, false), edit(4, true, false),
	}
	// Six pairs of four; the failing test is met by two of four each, the other one kept by two of four.
	if got := lucky(list, 9, 1); math.Abs(got-6*1*0.25) > 1e-9 {
		t.Error(got)
	}
	var many []native.Profiled
	for i := range 1000 {
		met := make([]bool, 6)
		for k := range met { // one of a hundred meets a test
			met[k] = (i+17*k)%100 == 0
		}
		many = append(many, edit(uint64(i), met...))
	}
	if got := lucky(many, 5000, 6); got > 0.001 {
		t.Error(got)
	}
	if lucky(nil, 1, 0) != 0 {
		t.Error("of nothing")
	}
}
