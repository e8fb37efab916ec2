package schema

import (
	"strconv"

	"gulo/internal/native"
)

// This file guesses how long runs are of which nobody has seen one end.

// likelySteps is how many loops and calls tests may take that nobody has seen end: programs with small
// inputs and outputs make few, but they may count up to a number that is read. Edits of a program that
// ends on no test are tried with that, and most of them do not end either.
func likelySteps(tests []native.Test) int64 {
	n := int64(2_000)
	for i := range tests {
		t := &tests[i]
		n = max(n, int64(100*(size(t)+len(t.Stdout))))
		for _, text := range append([]string{t.Stdin, t.Stdout}, t.Args...) {
			for _, w := range printedNumber.FindAllString(text, -1) {
				if v, err := strconv.ParseInt(w, 10, 64); err == nil {
					n = max(n, 20*min(v, mostLikelySteps))
				}
			}
		}
	}
	return min(n, mostLikelySteps)
}

const mostLikelySteps = 100_000
