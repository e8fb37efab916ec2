package random

import "testing"

// TestFirst holds the numbers that glibc's random gives without a seed, and that a copy goes on alone.
func TestFirst(t *testing.T) {
	g := First()
	for i, want := range []int32{1804289383, 846930886, 1681692777, 1714636915, 1957747793} {
		if got := g.Next(); got != want {
			t.Errorf("number %d is %d, not %d", i+1, got, want)
		}
	}
	a, b := g.Clone(), g.Clone()
	for i := 0; i < 5000; i++ {
		a.Next()
	}
	for i := 0; i < 5000; i++ {
		if b.Next() != g.Next() {
			t.Fatalf("number %d differs after a copy was used", i+6)
		}
	}
}

// TestSeeds holds that seeds 0 and 1 are one, and that others give other numbers.
func TestSeeds(t *testing.T) {
	zero, one, two := New(0).Next(), New(1).Next(), New(2).Next()
	if zero != one || one == two {
		t.Errorf("seeds 0, 1 and 2 begin with %d, %d and %d", zero, one, two)
	}
}
