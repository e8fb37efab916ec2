package schema

import (
	"fmt"
	"slices"
)

// This file tells constants that runs pin down from those of which any other would do as well.

// loose is what speaks against a constant in whose place another one meets all runs, too.
const loose = 2 * perCost

const anotherConstant = "another constant"

// pinned puts constants back of which another one at their place meets all that is known as well,
// the runs held back among it: those do not say which is right, and what computes the value does.
func pinned(list []waiting) []waiting {
	key := func(w *waiting, but *Edit) string {
		k := ""
		for _, e := range w.Edits {
			if e == but {
				k += fmt.Sprintf(" %s:%d", e.site.file.Name, e.site.start)
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
				if e.What == anotherConstant && e.site != nil {
					do(&list[i], key(&list[i], e), e.alt)
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
