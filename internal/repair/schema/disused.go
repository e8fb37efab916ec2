package schema

import (
	"context"
	"slices"

	"gulo/internal/native"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
	"gulo/internal/timing"
)

// This file penalizes repairs that put code out of use: statements that tests execute without the repair, but not with
// it. Many programs that meet all tests only bypass the faulty part: with a condition that never holds, or a search
// that always ends at once (Qi, Long, Achour and Rinard, "An analysis of patch plausibility and correctness for
// generate-and-validate patch generation systems", ISSTA 2015). What an edit deletes itself does not count here,
// because its cost includes that.

// Bounds on this check.
const (
	mostDisused  = 24 // repairs that are checked, the likeliest
	mostExecuted = 24 // tests that are run
)

// Penalties, in tenths of a cost.
const (
	oddDisused   = 20 // for a repair that puts code out of use
	eachDisused  = 5  // for each line out of use
	linesDisused = 8  // lines that count
	mayBeWrong   = 1  // lines executed only by failing tests that may be lost freely: such as the report of an error that is not one
)

// disused penalizes repairs with which no test executes code that tests execute without them.
func (s *Search) disused(ctx context.Context, list []waiting) error {
	list = list[:min(len(list), mostDisused)]
	passing, tests := s.order[s.bad:], s.order
	if len(list) == 0 || len(tests) > mostExecuted {
		return nil
	}
	defer timing.Begin(ctx, "schema: disused").End("%d", len(list))
	ses := s.session(s.p.Tests)
	ses.Sites(s.places)
	ses.Order(passing)
	ses.Reach(0, 0)
	ses.Order(tests)
	ses.Reach(0, 0)
	for i := range list {
		ses.Reach(list[i].job.g, list[i].job.h)
	}
	a, err := s.prog.Run(ctx, ses, s.left(ctx))
	if err != nil {
		return err
	}
	for i := range list[:max(0, min(len(list), len(a.Reached)-2))] { // there was no time for the others
		after := &a.Reached[i+2]
		n := s.lost(&list[i], &a.Reached[0], after)
		if all := s.lost(&list[i], &a.Reached[1], after); all > n+mayBeWrong {
			n = all
		}
		list[i].odd += Disuse(n)
	}
	return nil
}

// Disuse returns the penalty for a repair that puts so many lines out of use, in tenths of a cost.
func Disuse(lines int) int {
	if lines == 0 {
		return 0
	}
	return oddDisused + eachDisused*min(lines, linesDisused)
}

// lost counts the lines that are executed without a repair but not with it, except in statements and conditions that it
// changes.
func (s *Search) lost(w *waiting, before, after *native.Reached) int {
	type line struct {
		file *source.File
		n    int
	}
	lines := map[line]bool{}
	for id := 1; id < len(s.byID); id++ {
		st := s.byID[id].Site
		if st.Edits[0].ID != id || id >= len(after.Places) || !before.Places[id] || after.Places[id] {
			continue
		}
		if !slices.ContainsFunc(w.Edits, func(e *textedit.Edit) bool { return changes(e, st) }) {
			lines[line{st.File, st.File.Position(st.Start).Line}] = true
		}
	}
	return len(lines)
}

// changes reports whether an edit changes the statement or condition that holds a place. It also returns true if the
// edit contains a copy of that statement, in which places are not counted.
func changes(e *textedit.Edit, st *textedit.Site) bool {
	for _, h := range e.Halves() {
		if s := h.Site; s.Kind == textedit.Statement && s.File == st.File && s.Start <= st.Start && st.End <= s.End && guardOf(s, h.Alt) == "" && !h.Deletes() {
			return true
		}
		for _, c := range h.Changes {
			start, end := textedit.Surroundings(c.File, c.Start, c.End)
			if c.File == st.File && st.Start >= start && st.End <= end {
				return true
			}
		}
	}
	return false
}
