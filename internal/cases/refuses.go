package cases

import (
	"slices"

	"gulo/internal/oracle"
)

// This file recognizes programs that refuse a number that is too small or too large: they print nothing, or ask for
// another one. If no given run has such a number, a reference that accepts it says only that the task may do without
// the check.

// answers describes what a program does in the given runs.
type answers struct {
	asks        map[string]bool // scanf formats that the input does not match in them
	silent      bool            // it prints nothing in some
	bounds      []int64         // numbers that the program compares with
	least, most int64           // among the numbers in these runs
}

// mayRefuse learns what the program does in the given runs.
func (t *Set) mayRefuse(every []*oracle.Case, did []*oracle.Run) {
	t.answers = nil
	a := &answers{asks: map[string]bool{}, bounds: LanguageOf(t.Prog.Tree).bounds}
	var all []int64
	for i, c := range every {
		if did[i] == nil || !t.InHandCase(c) {
			continue
		}
		for _, f := range did[i].Misread {
			a.asks[f] = true
		}
		a.silent = a.silent || did[i].Output == ""
		in := Input{Args: c.Args, Stdin: c.Stdin}
		_, values := in.numerals()
		all = append(all, values...)
	}
	if len(all) > 0 && len(a.bounds) > 0 {
		a.least, a.most, t.answers = slices.Min(all), slices.Max(all), a
	}
}

// Refuses reports whether the program differs from the reference in a made-up run because it refuses a number: a
// comparison with a constant separates that number from all numbers in the given runs.
func (t *Set) Refuses(c *oracle.Case, did *oracle.Run) bool {
	a := t.answers
	if a == nil || t.InHandCase(c) {
		return false
	}
	asks := slices.ContainsFunc(did.Misread, func(f string) bool { return !a.asks[f] })
	if !asks && (a.silent || did.Output != "" || did.Fault != nil || c.Want.Output == "") {
		return false
	}
	in := Input{Args: c.Args, Stdin: c.Stdin}
	_, values := in.numerals()
	return slices.ContainsFunc(values, func(n int64) bool {
		return slices.ContainsFunc(a.bounds, func(k int64) bool {
			return n <= k && k <= a.least && n < a.least || n >= k && k >= a.most && n > a.most
		})
	})
}
