package runs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"gulo/internal/budget"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/repair/schema"
	"gulo/internal/report"
	"gulo/internal/timing"
)

// This file sets repairs aside that meet all there is and that something speaks against: they
// are shown where nothing as small is found.

// aside is a repair that divides by zero, or gets too large numbers, on a run near the tests on
// which the program does not, that only puts an error of memory off, that loses memory, or
// that changes what main does where the error is not. It may well be right: n % m for m % n.
type aside struct {
	report.Repair
	texts map[string]string

	edits *schema.Repair // of the text; nil: of the machine
	by    *oracle.Case   // what speaks against it, where that is a run

	mended float64 // the part of the hints that it meets
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
	if one.Evidence.Leaks, err = w.t.Leaks(p); err != nil {
		return false, err
	}
	if one.Evidence.Driver, err = w.t.Elsewhere(one.Edits); err != nil {
		return false, err
	}
	if one.Evidence.Driver == "" && one.Evidence.Zero == "" && one.Evidence.Overflow == "" && one.Evidence.Later == "" && one.Evidence.Leaks == "" {
		return true, nil
	}
	if one.Evidence.Leaks != "" && w.wait.IsZero() { // it is right but for that
		w.wait = budget.After(ctx, max(betterTime, betterShare*budget.Since(ctx, w.begin)))
	}
	one.Evidence.Text = one.Evidence.String()
	w.aside = append(w.aside, aside{Repair: *one, texts: texts})
	w.t.Job.Best.Offer(report.Aside, *one, texts)
	return false, nil
}

// isAside reports whether a repair was set aside.
func (w *Search) isAside(texts map[string]string) bool {
	same := func(a aside) bool { return maps.Equal(a.texts, texts) }
	return slices.ContainsFunc(w.aside, same) || slices.ContainsFunc(w.other, same)
}

// consider puts the first of what was set aside before repairs that need more edits.
func (w *Search) consider(rep *report.Report) {
	if len(w.aside) == 0 || len(rep.Repairs) > 0 && len(rep.Repairs[0].Edits) <= len(w.aside[0].Edits) {
		return
	}
	a := w.aside[0]
	rep.Repairs, rep.Texts = slices.Insert(rep.Repairs, 0, a.Repair), slices.Insert(rep.Texts, 0, a.texts)
}

// Where a repair differs from the reference on inputs unlike the runs in hand alone, what meets
// those, too, is looked for as long as it took to come there, and a while.
const (
	betterShare = 1
	betterTime  = 2 * time.Second
)

// differs sets a repair aside that a run refutes which is unlike those in hand.
func (w *Search) differs(ctx context.Context, c *oracle.Case, one *report.Repair, texts map[string]string, edits *schema.Repair) {
	if len(w.other) == mostOther {
		return
	}
	one.Evidence.Beyond = c.Name
	one.Evidence.Text = one.Evidence.String()
	mended := 1.0 // of all that is like those in hand
	if w.t.Job.Suggest {
		mended = float64(one.Evidence.HeldMet) / float64(one.Evidence.Held)
	}
	w.keep(ctx, aside{Repair: *one, texts: texts, edits: edits, by: c, mended: mended})
}

// outweighed reports whether a repair that differs from what other programs do needs fewer edits than n: they
// may be wrong, and more edits that follow them would hide it.
func (w *Search) outweighed(n int) bool {
	return w.t.Job.Suggest && len(w.other) > 0 && len(best(w.other).Edits) < n
}

// mostOther are remembered of them.
const mostOther = 8

// further looks for what else is wrong with the program where a repair differs from the reference
// on inputs unlike the runs in hand alone: edits on top of it that mend those runs, too.
func (w *Search) further(ctx context.Context, rep *report.Report) error {
	if w.topped >= len(w.other) || w.other[w.topped].edits == nil || w.t.Job.Suggest {
		return nil
	}
	base := w.other[w.topped]
	w.topped = len(w.other)
	if w.t.Instead(base.by).Unlike { // whether others are asked for the same there nobody knows
		return nil
	}
	given := w.t.Given.Cases
	w.t.Given.Cases = append(slices.Clone(given), base.by)
	defer func() { w.t.Given.Cases = given }()
	o := &outputs{w: w, rep: rep, until: w.wait}
	if w.until.Before(o.until) {
		o.until = w.until
	}
	_, err := o.deeper(ctx, []schema.Repair{*base.edits}, together)
	return err
}

// SetAside reports whether there are repairs that were set aside so.
func (w *Search) SetAside() bool { return len(w.other) > 0 }

// found says that repairs were found, or that no more was found than one which mends a part.
func found(rep *report.Report) {
	ev := &rep.Repairs[0].Evidence
	switch {
	case !ev.Part:
		rep.Result, rep.Cause = report.Repaired, ""
	case ev.Left > 0:
		rep.Result = report.Unknown
		rep.Cause = fmt.Sprintf("what was found mends a part, as far as the reference says: of %s like the given one it still differs on %d", plural.N(ev.Mended+ev.Left, "made-up run"), ev.Left)
	default:
		rep.Result = report.Unknown
		rep.Cause = fmt.Sprintf("what was found loses something: on %s the program does what the reference does, and with it no longer", plural.N(ev.Lost, "made-up run"))
	}
}

// settle shows what was set aside by differs where no one or two edits were found that do better:
// what needs fewest edits, the first of those.
func (w *Search) settle(rep *report.Report) {
	if len(rep.Repairs) > 0 || len(w.other) == 0 {
		return
	}
	best := best(w.other)
	rep.Repairs, rep.Texts = append(rep.Repairs, best.Repair), append(rep.Texts, best.texts)
}
