package runs

import (
	"regexp"
	"slices"
	"strings"
)

// This file recognizes another kind of repair that only fits the given tests: it changes which variable gets which part
// of the input.

// reads matches a statement that reads input.
var reads = regexp.MustCompile(`\b(?:scanf|getchar|fgets|gets|getc|fgetc)\s*\([^;{}]*\)\s*;`)

// exchanged returns an input statement that a repair moves before or after others, so that each variable gets another
// part of the input; else "".
func exchanged(before, after string) string {
	at := reads.FindAllStringIndex(before, -1)
	was, now := reads.FindAllString(before, -1), reads.FindAllString(after, -1)
	if len(was) != len(now) {
		return ""
	}
	first, last := -1, -1
	for i := range was {
		if was[i] != now[i] {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return ""
	}
	between := reads.ReplaceAllString(before[at[first][0]:at[last][1]], "")
	a, b := slices.Sorted(slices.Values(was)), slices.Sorted(slices.Values(now))
	if !slices.Equal(a, b) || strings.TrimSpace(between) != "" {
		return ""
	}
	return strings.TrimSuffix(was[first], ";")
}
