package timing

import "slices"

// Median returns the middle value of a list, or the mean of the two middle ones. It returns 0 for an empty list. The
// list is not changed.
func Median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	x := slices.Sorted(slices.Values(list))
	if n := len(x); n%2 == 0 {
		return (x[n/2-1] + x[n/2]) / 2
	}
	return x[len(x)/2]
}
