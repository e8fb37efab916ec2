// Package plural writes numbers of things: "1 run", "2 runs". All messages count with it;
// package archtest looks for formats that do not.
package plural

import (
	"fmt"
	"strings"
)

// integer is what things are counted in.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// N is a number of things with a noun in the singular, before which adjectives may stand.
func N[I integer](n I, noun string) string { return fmt.Sprintf("%d %s", n, Noun(n, noun)) }

// Noun is a noun, given in the singular, as it stands behind a number.
func Noun[I integer](n I, noun string) string {
	if n == 1 {
		return noun
	}
	for _, end := range []string{"s", "x", "ch", "sh"} {
		if strings.HasSuffix(noun, end) {
			return noun + "es"
		}
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok && strings.LastIndexAny(stem, "aeiou") != len(stem)-1 {
		return stem + "ies"
	}
	return noun + "s"
}

// All is a whole set of things.
func All[I integer](n I, noun string) string {
	if n == 1 {
		return "the only " + noun
	}
	return "all " + N(n, noun)
}

// Verb is the form of a verb behind a number of things: one, such as "is", or many, such as "are".
func Verb[I integer](n I, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
