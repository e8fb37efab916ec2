package timing

import (
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, x := range []struct {
		list []float64
		want float64
	}{{nil, 0}, {[]float64{7}, 7}, {[]float64{9, 1, 4}, 4}, {[]float64{8, 1, 2, 4}, 3}} {
		before := slices.Clone(x.list)
		if got := Median(x.list); got != x.want || !slices.Equal(before, x.list) {
			t.Errorf("%v: %v, want %v", before, got, x.want)
		}
	}
}
