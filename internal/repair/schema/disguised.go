package schema

import (
	"slices"
	"strings"
)

// This file speaks against deletions in disguise: n = n, or a condition that never holds. Where leaving the
// statement out does the same on the inputs like those of the tests, that is what is shown.

// disguised puts what only undoes a statement behind its deletion. groups tells behaviours on the inputs
// like those of the tests apart.
func disguised(list []waiting, groups map[job]uint64) {
	var gone []*waiting
	for i := range list {
		w := &list[i]
		if len(w.Edits) == 1 && w.Edits[0].With == nil && w.Edits[0].Deletes() && !w.unseen && strings.Count(w.Edits[0].Site.Text(), ";") == 1 {
			gone = append(gone, w)
		}
	}
	for i := range list {
		w := &list[i]
		if len(w.Edits) != 1 || w.Edits[0].With != nil || w.Edits[0].Deletes() {
			continue
		}
		for _, d := range gone {
			if a, ok := groups[w.job]; !ok || a != groups[d.job] || !inside(w, d) {
				continue
			}
			if more := d.score() + 1 - w.score(); more > 0 {
				w.odd += more
			}
		}
	}
}

// inside reports whether all that a repair changes stands in the statement that another one deletes.
func inside(w, d *waiting) bool {
	st := d.Edits[0].Site
	for _, c := range w.Edits[0].Changes {
		if c.File != st.File || c.Start < st.Start || c.End > st.End {
			return false
		}
	}
	return !slices.Contains(w.Edits, d.Edits[0])
}
