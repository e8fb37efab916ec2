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

// This file sets repairs aside that meet everything given, but against which something speaks. They are shown if no
// repair as small is found.

// aside is a repair with a flaw: it divides by zero or overflows on a run near the tests on which the program does not,
// it only delays a memory error, other memory errors stay, it stores a made-up number, it loses memory, or it changes main although the error is elsewhere. It may well be
// right: n % m for m % n.
type aside struct {
	report.Repair
	texts map[string]string

	edits *schema.Repair // edits of the text; nil: of the machine
	by    *oracle.Case   // the run that speaks against it; nil: something else does

	mended float64 // share of the hints that it meets
}

// shows reports whether a repair is shown at once. If something speaks against it, it is set aside.
func (w *Search) shows(ctx context.Context, one *report.Repair, texts map[string]string) (bool, error) {
	p, err := w.t.Reloaded(ctx, texts)
	if err != nil {
		return false, err
	}
	span := timing.Begin(ctx, "judge: put off")
	one.Evidence.Later, one.Evidence.Still, err = w.t.PutOff(ctx, p)
	one.Evidence.Rules = w.t.Job.Memory && w.t.Tests == nil
	span.End("")
	if err != nil {
		return false, err
	}
	if one.Evidence.Alters, err = w.t.Alters(ctx, p); err != nil {
		return false, err
	}
	if p != nil {
		if one.Evidence.Invents, err = w.t.Invents(p.Tree); err != nil {
			return false, err
		}
	}
	if one.Evidence.Leaks, err = w.t.Leaks(p); err != nil {
		return false, err
	}
	if one.Evidence.Driver, err = w.t.Elsewhere(one.Edits); err != nil {
		return false, err
	}
	if one.Evidence.Driver == "" && one.Evidence.Zero == "" && one.Evidence.Overflow == "" && one.Evidence.Later == "" && one.Evidence.Still == "" && one.Evidence.Invents == "" && one.Evidence.Leaks == "" {
		return true, nil
	}
	if one.Evidence.Leaks+one.Evidence.Still+one.Evidence.Invents != "" && w.wait.IsZero() { // apart from that it is right
		w.wait = budget.After(ctx, max(betterTime, betterShare*budget.Since(ctx, w.begin)))
	}
	one.Evidence.Text = one.Evidence.String()
	w.aside = append(w.aside, aside{Repair: *one, texts: texts})
	w.t.Job.Best.Offer(report.Aside, *one, texts)
	return false, nil
}

// isAside reports whether a repair with these texts was set aside.
func (w *Search) isAside(texts map[string]string) bool {
	same := func(a aside) bool { return maps.Equal(a.texts, texts) }
	return slices.ContainsFunc(w.aside, same) || slices.ContainsFunc(w.other, same)
}

// consider inserts the first repair that was set aside before repairs with more edits.
func (w *Search) consider(rep *report.Report) {
	if len(w.aside) == 0 || len(rep.Repairs) > 0 && len(rep.Repairs[0].Edits) <= len(w.aside[0].Edits) {
		return
	}
	a := w.aside[0]
	rep.Repairs, rep.Texts = slices.Insert(rep.Repairs, 0, a.Repair), slices.Insert(rep.Texts, 0, a.texts)
}

// Bounds on searching for a better repair after one that differs from the reference only on inputs unlike the runs in
// hand: as a multiple of the time so far, and at least.
const (
	betterShare = 1
	betterTime  = 2 * time.Second
)

// differs sets a repair aside that is refuted only by a run unlike those in hand.
func (w *Search) differs(ctx context.Context, c *oracle.Case, one *report.Repair, texts map[string]string, edits *schema.Repair) {
	if len(w.other) == mostOther {
		return
	}
	one.Evidence.Beyond = c.Name
	one.Evidence.Text = one.Evidence.String()
	mended := 1.0 // of the runs like those in hand
	if w.t.Job.Suggest {
		mended = float64(one.Evidence.HeldMet) / float64(one.Evidence.Held)
	}
	w.keep(ctx, aside{Repair: *one, texts: texts, edits: edits, by: c, mended: mended})
}

// outweighed reports whether a repair that differs from other programs needs fewer edits than n. The other programs may
// be wrong, and a larger repair that follows them would hide it.
func (w *Search) outweighed(n int) bool {
	return w.t.Job.Suggest && len(w.other) > 0 && len(best(w.other).Edits) < n
}

// mostOther bounds the repairs that are set aside because they differ.
const mostOther = 8

// further looks for a second mistake if a repair differs from the reference only on inputs unlike the runs in hand: for
// edits on top of that repair that meet those runs, too.
func (w *Search) further(ctx context.Context, rep *report.Report) error {
	if w.topped >= len(w.other) || w.other[w.topped].edits == nil || w.t.Job.Suggest {
		return nil
	}
	base := w.other[w.topped]
	w.topped = len(w.other)
	if w.t.Instead(base.by).Unlike { // it is unknown whether the task defines such an input
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

// SetAside reports whether repairs were set aside because they differ from the reference.
func (w *Search) SetAside() bool { return len(w.other) > 0 }

// found sets the result for the repairs found. A repair that corrects only a part does not count as Repaired, nor does one
// after which the error that only memory rules are about still happens.
func found(rep *report.Report) {
	ev := &rep.Repairs[0].Evidence
	switch {
	case ev.Later != "" && ev.Rules: // the error that was asked about is still there
		rep.Result = report.Unknown
		rep.Cause = "what was found meets the given runs, and the same error still happens on others"
	case ev.Invents != "":
		rep.Result = report.Unknown
		rep.Cause = "what was found ends the error by a number that nothing says is meant"
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

// settle shows the best repair that was set aside, if there is no other.
func (w *Search) settle(rep *report.Report) {
	if len(rep.Repairs) > 0 || len(w.other) == 0 {
		return
	}
	best := best(w.other)
	rep.Repairs, rep.Texts = append(rep.Repairs, best.Repair), append(rep.Texts, best.texts)
}
