package schema

import (
	"slices"
	"strings"
)

// This file penalizes deletions in disguise, such as n = n or a condition that never holds. If deleting the statement
// does the same on the inputs near the tests, the deletion is shown.

// disguised ranks edits that only disable a statement behind its deletion. groups has the behaviour of each job on the
// inputs near the tests.
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

// inside reports whether a repair changes only text within the statement that d deletes.
func inside(w, d *waiting) bool {
	st := d.Edits[0].Site
	for _, c := range w.Edits[0].Changes {
		if c.File != st.File || c.Start < st.Start || c.End > st.End {
			return false
		}
	}
	return !slices.Contains(w.Edits, d.Edits[0])
}
