package spectrum

import "testing"

// TestRank uses the example that the literature starts with: statement 3 is
// executed by the failing runs alone, 2 by one passing run more, 1 by all.
func TestRank(t *testing.T) {
	runs := []Run{
		{map[int32]bool{1: true, 2: true, 3: true}, true},
		{map[int32]bool{1: true, 2: true, 3: true}, true},
		{map[int32]bool{1: true, 2: true}, false},
		{map[int32]bool{1: true}, false},
	}
	for _, m := range Methods {
		got := Rank(m, runs, []int32{1, 2, 3})
		if m == Random {
			if got[0].Rank != 2 || got[2].Rank != 2 {
				t.Errorf("%s: all ranks should be 2: %v", m, got)
			}
			continue
		}
		if got[0].Stmt != 3 || got[1].Stmt != 2 || got[2].Stmt != 1 || got[0].Rank != 1 {
			t.Errorf("%s: %v", m, got)
		}
	}
	if s := Ochiai.score(counts{2, 1, 0, 1}); s < 0.816 || s > 0.817 {
		t.Errorf("Ochiai of 2 of 2 failing and 1 passing run: %v", s)
	}
}
