package schema

import (
	"slices"

	"gulo/internal/native"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file penalizes repairs that meet the tests by chance. A random number generator or a hash whose arithmetic is
// changed in any way gives other numbers, and with some of these the faulty code is not executed. Then many edits of
// one statement meet all tests, and each behaves differently on other inputs. At the fault itself the tests allow few
// values. pinned does the same for constants only.

// Penalties, in tenths of a cost.
const (
	oddChance  = 30
	eachChance = 5 // for each behaviour beyond fewChances
	mostChance = 60
)

// fewChances is the number of behaviours, by edits of one statement that meet all tests, from which on they count as
// chance.
const fewChances = 3

// byChance penalizes repairs of arithmetic if other repairs of the same statement behave differently. groups has the
// behaviour of each job on the inputs near the tests.
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

// lucky estimates how many pairs of edits meet all tests by chance. Some edits that change the output meet a given
// failing test, and some keep a passing one. A pair is taken to meet a failing test if one of its edits does, and to
// keep a passing test if both do. plain is the behaviour of the unedited program; the first bad tests are those it
// fails. Edits with the same behaviour count once. The tests are not independent, so that more pairs meet all of them
// than estimated.
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
