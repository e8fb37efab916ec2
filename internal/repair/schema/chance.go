package schema

import (
	"slices"

	"gulo/internal/native"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file speaks against repairs that meet the tests by chance. A generator of random numbers or
// a hash whose arithmetic is changed in any way gives other numbers, and with some of them the code
// with the fault is not executed: many edits of one statement meet all tests, and each does
// something else on other inputs. Where the fault is, the tests leave few values. It says of all
// arithmetic what pinned says of constants.

// Scores, in tenths of a cost.
const (
	oddChance  = 30
	eachChance = 5 // for each behaviour more than byChance takes for chance
	mostChance = 60
)

// fewChances is how many behaviours of edits of one statement meet all tests by chance.
const fewChances = 3

// byChance marks repairs of arithmetic at statements where others do as well and behave otherwise.
// groups tells behaviours on the inputs like those of the tests apart.
func byChance(list []waiting, groups map[job]uint64) {
	type statement struct {
		file       *source.File
		start, end int
	}
	of := func(w *waiting) (st statement, ok bool) {
		if len(w.Edits) != 1 || !w.Edits[0].Arithmetic() || len(w.Edits[0].Changes) == 0 {
			return st, false
		}
		c := w.Edits[0].Changes[0]
		start, end := textedit.Surroundings(c.File, c.Start, c.End)
		return statement{c.File, start, end}, true
	}
	by := map[statement][]uint64{}
	for i := range list {
		st, ok := of(&list[i])
		if g, known := groups[list[i].job]; ok && known && !slices.Contains(by[st], g) {
			by[st] = append(by[st], g)
		}
	}
	for i := range list {
		if st, ok := of(&list[i]); ok && len(by[st]) >= fewChances {
			list[i].odd += min(oddChance+eachChance*(len(by[st])-fewChances), mostChance)
		}
	}
}

// lucky is how many pairs of edits are expected to meet all tests by chance. Of edits that change
// what is printed some meet a failing test each, and some keep one that is met; a pair does where
// one of the two does, or both. plain tells the program's own outcomes, the first bad tests are
// those it fails. Edits that do the same count once. As the tests are not independent of each other
// more do than is said here.
func lucky(list []native.Profiled, plain uint64, bad int) float64 {
	seen := map[uint64]bool{plain: true}
	var meets []int
	n := 0
	for _, p := range list {
		if seen[p.All] {
			continue
		}
		if seen[p.All] = true; meets == nil {
			meets = make([]int, len(p.Met))
		}
		n++
		for i, ok := range p.Met {
			if ok && i < len(meets) {
				meets[i]++
			}
		}
	}
	pairs := float64(n) * float64(n-1) / 2
	for i, k := range meets {
		share := float64(k) / float64(n)
		if i < bad {
			pairs *= min(2*share, 1)
		} else {
			pairs *= share * share
		}
	}
	return pairs
}
