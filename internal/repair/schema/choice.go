package schema

import (
	"fmt"
	"slices"
	"sort"

	"gulo/internal/repair/textedit"
)

// This file chooses among repairs that meet all tests. Tests are met by many edits, and the one that is
// meant is not always the one that costs least: what counts besides is how natural the program is with it
// (textedit.Words), and what it does on inputs like those of the tests. That features of a patch and its
// surroundings tell right ones from those that only meet the tests is the idea of Prophet (Long and Rinard,
// "Automatic patch generation by learning correct code", POPL 2016). We learn no weights: each is a
// constant below or in textedit that can be read, and a repair's score is their sum. How suspicious a
// spectrum finds the place is none of them: measured on thirty programs it made the order worse, since
// code that every run executes is the most frequent place of faults. Constants that runs pin down are told
// from those of which any other would do as well.

// Scores are in tenths of a cost. The lowest is the most natural.
const (
	// What an edit changes on inputs like those of the tests, where the program is right on most: a
	// repair that changes the output on all of them costs so much, one that changes no larger a part
	// than fails of the tests a quarter for that.
	oddChanged  = 80
	oddExpected = 20

	oddNothing = 5 // none of the inputs like those of the tests shows the edit

	agreeing   = 2 // taken off for each other place where an edit does the same on all of these inputs
	mostAgree  = 3 // places that count
	nearly     = 2 * textedit.PerCost
	sameInsert = 3 // taken off besides where it is the same statement: where it stands hardly matters
)

// score is what repairs are ordered by.
func (w *waiting) score() int {
	return textedit.PerCost*w.Cost + w.odd + oddChanged*w.excess/hundred + oddExpected*(w.changes-w.excess)/hundred - w.agree
}

// hundred is the scale of the parts of inputs in waiting.
const hundred = 100

// order sorts repairs by their scores.
func order(list []waiting) {
	sort.SliceStable(list, func(a, b int) bool { return list[a].score() < list[b].score() })
}

// agreements takes off scores where repairs at several places behave alike. groups tells behaviours
// on the inputs like those of the tests apart. Only what is nearly as natural as the best counts:
// there are many ways to write nonsense.
func agreements(list []waiting, groups map[job]uint64) {
	if len(list) == 0 {
		return
	}
	limit := list[0].score() + nearly
	type member struct {
		place int
		alt   string
	}
	by := map[uint64][]member{}
	of := func(w *waiting) member {
		e := w.Edits[0]
		return member{e.Changes[0].Start, e.Alt}
	}
	for i := range list {
		w := &list[i]
		if g, ok := groups[w.job]; ok && len(w.Edits) == 1 && w.score() <= limit {
			by[g] = append(by[g], of(w))
		}
	}
	for i := range list {
		w := &list[i]
		g, ok := groups[w.job]
		if !ok || len(w.Edits) != 1 {
			continue
		}
		own, places, same := of(w), map[int]bool{}, false
		for _, m := range by[g] {
			if m.place != own.place {
				places[m.place] = true
				same = same || m.alt == own.alt
			}
		}
		if w.agree = agreeing * min(len(places), mostAgree); same {
			w.agree += sameInsert
		}
	}
}

// words reads the program's own files.
func (s *Search) words() *textedit.Words {
	if s.vocabulary == nil {
		s.vocabulary = textedit.WordsOf(s.p.Tree)
	}
	return s.vocabulary
}

// loose is what speaks against a constant in whose place another one meets all runs, too.
const loose = 2 * textedit.PerCost

// pinned puts constants back of which another one at their place meets all that is known as well,
// the runs held back among it: those do not say which is right, and what computes the value does.
func pinned(list []waiting) []waiting {
	key := func(w *waiting, but *textedit.Edit) string {
		k := ""
		for _, e := range w.Edits {
			if e == but {
				k += fmt.Sprintf(" %s:%d", e.Site.File.Name, e.Site.Start)
			} else {
				k += fmt.Sprintf(" %p", e)
			}
		}
		return k
	}
	alts := map[string][]string{}
	each := func(do func(w *waiting, k, alt string)) {
		for i := range list {
			for _, e := range list[i].Edits {
				if e.What == textedit.AnotherConstant && e.Site != nil {
					do(&list[i], key(&list[i], e), e.Alt)
				}
			}
		}
	}
	each(func(_ *waiting, k, alt string) {
		if !slices.Contains(alts[k], alt) {
			alts[k] = append(alts[k], alt)
		}
	})
	each(func(w *waiting, k, _ string) {
		if len(alts[k]) > 1 {
			w.odd += loose
		}
	})
	order(list)
	return list
}
