package source

import "testing"

func TestLargestNumber(t *testing.T) {
	for want, texts := range map[int64][]string{
		0:    {"", "no number"},
		7:    {"3 -7", "2.5"},
		1000: {"12 1000\n", "99999999999999999999 4"},
	} {
		if got := LargestNumber(texts...); got != want {
			t.Errorf("%q: %d instead of %d", texts, got, want)
		}
	}
}
