package source

import (
	"regexp"
	"strconv"
)

var number = regexp.MustCompile(`[0-9]+`)

// LargestNumber returns the largest decimal number that fits into 64 bits of some texts, and 0 if they have none.
func LargestNumber(texts ...string) (n int64) {
	for _, t := range texts {
		for _, w := range number.FindAllString(t, -1) {
			if v, err := strconv.ParseInt(w, 10, 64); err == nil {
				n = max(n, v)
			}
		}
	}
	return n
}
