package timing

import "slices"

// Median is the middle of a list, or of its two middle ones the mean; 0 of none. The list stays as it is.
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
