package runs

import (
	"context"
	"errors"
	"time"

	"gulo/internal/budget"
	"gulo/internal/judge"
	"gulo/internal/native"
	"gulo/internal/repair/schema"
	"gulo/internal/report"
)

// This file judges some edits of the text before all others, as soon as they were tried.

// unknown returns the tests that other engines have learned. If the search is relaxed, only those that are demands.
func (w *Search) unknown() (more []native.Test) {
	for _, c := range w.t.Given.Cases[w.known:] {
		if w.relaxed != nil {
			if hint, err := w.t.Hinting(c); hint || err != nil {
				continue
			}
		}
		more = append(more, judge.Test(c))
	}
	return more
}

// byFirst judges the single edits that come before others, if the search for text edits has begun and is ready within a
// time.
func (w *Search) byFirst(ctx context.Context, rep *report.Report, first schema.First, wait time.Duration) error {
	if w.text == nil {
		return nil
	}
	late := budget.After(ctx, wait)
	if first == schema.OfSuggested && w.text.Refused(ctx, late) || !w.text.Wait(ctx, late) {
		return nil // there is nothing to judge, or endless runs take all the time
	}
	if w.text.Met() == 0 {
		return nil
	}
	w.rep = rep
	res, err := w.text.SolveFirst(ctx, w.unknown(), first, w.until)
	var ce *native.CompileError
	if errors.As(err, &ce) {
		return nil
	}
	if err != nil {
		return err
	}
	rep.Failing = max(rep.Failing, res.Failing)
	if err := w.rival(ctx, rep, res.Rival); err != nil {
		return err
	}
	if len(rep.Repairs) > 0 {
		found(rep)
	}
	return nil
}
