package runs

import (
	"context"
	"gulo/internal/timing"
	"slices"

	"gulo/internal/report"
)

// This file sets repairs aside that meet all there is and that something speaks against: they
// are shown where nothing as small is found.

// aside is a repair that divides by zero, or gets too large numbers, on a run near the tests on
// which the program does not, or that only puts an error of memory off. It may well be right: n % m for m % n.
type aside struct {
	report.Repair
	texts map[string]string
}

// shows reports whether a repair is shown at once; what speaks against it sets it aside.
func (w *Search) shows(ctx context.Context, one *report.Repair, texts map[string]string) (bool, error) {
	p, err := w.t.Reloaded(ctx, texts)
	if err != nil {
		return false, err
	}
	span := timing.Begin(ctx, "judge: put off")
	one.Evidence.Later, err = w.t.PutOff(p)
	span.End("")
	if err != nil {
		return false, err
	}
	if one.Evidence.Zero == "" && one.Evidence.Overflow == "" && one.Evidence.Later == "" {
		return true, nil
	}
	one.Evidence.Text = one.Evidence.String()
	w.aside = append(w.aside, aside{*one, texts})
	return false, nil
}

// consider puts the first of what was set aside before repairs that need more edits.
func (w *Search) consider(rep *report.Report) {
	if len(w.aside) == 0 || len(rep.Repairs) > 0 && len(rep.Repairs[0].Edits) <= len(w.aside[0].Edits) {
		return
	}
	a := w.aside[0]
	rep.Repairs, rep.Texts = slices.Insert(rep.Repairs, 0, a.Repair), slices.Insert(rep.Texts, 0, a.texts)
}
