package schema

import (
	"fmt"
	"slices"
	"sort"

	"gulo/internal/repair/textedit"
)

// This file chooses among repairs that meet all tests. Many edits do, and the right one is not always the cheapest. Two
// things count as well: how natural the program is with the repair (textedit.Words), and what it does on inputs near
// the tests. That features of a patch and its surroundings distinguish right patches from those that only meet the
// tests is the idea of Prophet (Long and Rinard, "Automatic patch generation by learning correct code", POPL 2016). We
// learn no weights: each is a constant below or in textedit that can be read, and a repair's score is their sum. The
// suspiciousness of the place by a spectrum is not among them: measured on thirty programs it made the order worse,
// since code that every run executes is the most frequent place of faults. Constants that the runs determine are
// preferred to those in whose place any other would do as well.

// Scores, in tenths of a cost. The lowest is the most natural.
const (
	// Changes of the output on inputs near the tests, of which the program handles most correctly. A repair that
	// changes the output on all of them costs oddChanged. One that changes no larger share than that of the failing
	// tests costs a quarter of that.
	oddChanged  = 80
	oddExpected = 20

	oddNothing = 5 // no input near the tests shows the edit

	agreeing   = 2 // bonus for each other place where an edit behaves the same on all these inputs
	mostAgree  = 3 // places that count for the bonus
	nearly     = 2 * textedit.PerCost
	sameInsert = 3 // extra bonus if it is the same statement: its place hardly matters then
)

// score is the value by which repairs are ordered.
func (w *waiting) score() int {
	return textedit.PerCost*w.Cost + w.odd + oddChanged*w.excess/hundred + oddExpected*(w.changes-w.excess)/hundred - w.agree
}

// hundred is the scale of shares of inputs in waiting.
const hundred = 100

// order sorts repairs by their scores.
func order(list []waiting) {
	sort.SliceStable(list, func(a, b int) bool { return list[a].score() < list[b].score() })
}

// agreements gives a bonus to repairs if others at other places behave the same. groups has the behaviour of each job
// on the inputs near the tests. Only repairs nearly as natural as the best count, because there are many ways to write
// nonsense.
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

// words returns the vocabulary of the program's own files.
func (s *Search) words() *textedit.Words {
	if s.vocabulary == nil {
		s.vocabulary = textedit.WordsOf(s.p.Tree)
	}
	return s.vocabulary
}

// loose is the penalty for a constant in whose place another one meets all runs, too.
const loose = 2 * textedit.PerCost

// pinned penalizes constants in whose place another one meets everything known as well, including the held-back runs.
// The runs do not determine such a constant, and code that computes the value is preferred.
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
