package source

import "testing"

// TestNumber: one is one.
func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0 runs", 1: "1 run", 2: "2 runs", 21: "21 runs"} {
		if got := Number(n, "run"); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
