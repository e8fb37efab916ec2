package schema

import (
	"slices"

	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file prefers repairs elsewhere than where runs end in an error of memory: what goes wrong at an access was mostly
// decided before it, by a condition or by the size of a block.

// OddAtEnd is the penalty, in tenths of a cost, for changing the statement of the access: of two repairs that are as
// likely otherwise, the other one comes first.
const OddAtEnd = 5

// elsewhere penalizes repairs that change a statement at which runs end (Problem.Ends).
func (s *Search) elsewhere(list []waiting) {
	if len(s.p.Ends) == 0 {
		return
	}
	for i := range list {
		for _, id := range []int{list[i].job.g, list[i].job.h} {
			if id <= 0 || id >= len(s.byID) {
				continue
			}
			if AtEnd(s.p.Ends, s.byID[id]) {
				list[i].odd += OddAtEnd
				break
			}
		}
	}
	order(list)
}

// AtEnd reports whether an edit changes a value of one of the statements.
func AtEnd(ends []source.Range, e *textedit.Edit) bool {
	at := e.Site
	return at != nil && at.Kind == textedit.Value && slices.ContainsFunc(ends, func(r source.Range) bool { return r.File == at.File && r.Start <= at.Start && at.End <= r.End })
}
