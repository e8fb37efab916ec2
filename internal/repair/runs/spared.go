package runs

import (
	"regexp"
	"slices"
	"strings"
)

// This file tells one more repair that only fits the tests given: it changes what is read into what.

// reads is a statement that reads.
var reads = regexp.MustCompile(`\b(?:scanf|getchar|fgets|gets|getc|fgetc)\s*\([^;{}]*\)\s*;`)

// exchanged returns a statement that reads and that a repair puts in front of others that do or
// behind them, so that each variable gets another part of the input; empty for none.
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
