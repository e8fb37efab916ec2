package runs

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/judge"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/repair/schema"
	"gulo/internal/report"
)

// This file searches with a reference that was written separately: on inputs that the task does not define, even a
// right program need not do what the reference does (cases.Set.Demands).

const (
	mostHints  = 1500            // hints that are made
	lostWeight = 3               // number of hints that one lost run outweighs
	metTests   = 6               // runs that the program already meets, added to the tests of a search
	onTopTime  = 5 * time.Second // minimum time for edits on top of a repair that was set aside; otherwise as long as the search took so far
	editShare  = 0.25            // share of the remaining failures that each further edit must correct
	mostFar    = 0.4             // share of the hints unlike the run in hand from which on the others must be met, too
	fewLeft    = 5               // fewer remaining failures on runs like the one in hand may be another mistake
	nearlyAll  = 0.97            // share of the hints from which on a repair is shown at once
)

// relax sets the runs that a search for text edits must meet. If the reference is the program with its mistakes
// corrected, these are all runs; otherwise they are the demands, and the other runs become hints.
func (w *Search) relax(p *schema.Problem) error {
	t := w.t
	if t.WrittenApart() {
		j, hints, err := t.Relaxed()
		if err != nil {
			return err
		}
		if len(hints) > 0 {
			t, w.relaxed = j, j
			p.Hints = &schema.Hints{Try: func(ctx context.Context, r *schema.Repair, met float64) (schema.Verdict, error) {
				return w.tryRelaxed(ctx, w.rep, r, met)
			}, Tests: func(ctx context.Context) ([]native.Test, int, error) {
				more, plain, err := j.Hints(ctx, mostHints)
				return append(more, judge.Natives(hints)...), plain, err
			}}
		}
	}
	p.Tests = judge.Natives(t.WithAside())
	if t.Held != nil {
		p.Held = judge.Natives(t.Held.Cases)
		p.Forget = func(x native.Test) {
			t.Held.Cases = slices.DeleteFunc(slices.Clone(t.Held.Cases), func(c *oracle.Case) bool { return c.Stdin == x.Stdin && slices.Equal(c.Args, x.Args) })
			in := cases.Input{Args: x.Args, Stdin: x.Stdin}
			if w.rep != nil {
				w.rep.Notes = append(slices.Clip(w.rep.Notes), fmt.Sprintf("a made-up run is left out, on which a memory rule fires and no repair that was tried comes to its end: %s", in.String()))
			}
		}
	}
	if p.Hints != nil { // runs that are met distinguish edits that do the same on the runs in hand
		n := min(len(p.Held), metTests)
		p.Tests, p.Held = append(p.Tests, p.Held[:n]...), p.Held[n:]
	}
	return nil
}

// tryRelaxed judges a repair of the text that meets the demands and a part of the hints.
func (w *Search) tryRelaxed(ctx context.Context, rep *report.Report, r *schema.Repair, met float64) (schema.Verdict, error) {
	r = cleaned(r)
	if w.overfit(r) {
		return schema.Verdict{Refuted: true}, nil
	}
	one, c, err := w.relaxed.DescribeText(ctx, r)
	if err != nil {
		return schema.Verdict{}, err
	}
	ok := false
	if c == nil {
		ok, c, err = w.relaxed.Holds(ctx, r.Texts, &one)
	}
	switch {
	case err != nil:
		return schema.Verdict{}, err
	case c != nil:
		x := judge.Test(c)
		return schema.Verdict{Refuted: true, By: &x}, nil
	case !ok:
		return schema.Verdict{Refuted: true}, nil
	}
	ev := &one.Evidence
	n := ev.Mended + ev.Left
	if n > 0 {
		met = float64(ev.Mended-lostWeight*ev.Lost) / float64(n)
	}
	enough := n > 0 && met >= nearlyAll && ev.Left < fewLeft && ev.PlainLeft == 0
	if far := ev.FarMended + ev.FarLeft; far > 0 {
		// If the repair agrees with the reference on many of the runs unlike the one in hand, the rest may be another
		// mistake. If it agrees on few, those runs are not part of the task.
		other := float64(ev.FarMended) / float64(far)
		enough = enough && (other < mostFar || other >= nearlyAll)
		met = (met + other) / 2
	}
	if enough {
		rep.Repairs, rep.Texts = append(rep.Repairs, one), append(rep.Texts, r.Texts)
		return schema.Verdict{Enough: len(rep.Repairs) >= max(w.t.Job.Repairs, 1)}, nil
	}
	w.keep(ctx, aside{Repair: one, texts: r.Texts, mended: met})
	return schema.Verdict{Refuted: true, Kept: ev.Lost == 0, Base: true}, nil // only repairs that lose no run are kept as a base
}

// keep sets aside a repair that is not shown at once, since it may still differ from the reference on some runs. If
// more than mostOther are then set aside, it drops the one with the lowest aside.mended. From then on the search has
// limited time to find a better one.
func (w *Search) keep(ctx context.Context, a aside) {
	w.t.Job.Best.Offer(report.Aside, a.Repair, a.texts)
	if w.other = append(w.other, a); len(w.other) > mostOther {
		least := 0
		for i := range w.other {
			if w.other[i].mended <= w.other[least].mended { // among equals the last
				least = i
			}
		}
		w.other = slices.Delete(w.other, least, least+1)
	}
	if w.wait.IsZero() {
		w.wait = budget.After(ctx, max(betterTime, betterShare*budget.Since(ctx, w.begin)))
	}
}

// best selects among repairs that were set aside: of those with the fewest edits the one that meets most hints. A
// further edit is worth it if it corrects a quarter of the remaining failures, or all remaining ones on plain runs, and
// loses no additional run. If no failures remain, further edits are not worth it.
func best(list []aside) *aside {
	order := indices(list)
	slices.SortStableFunc(order, func(i, k int) int {
		a, b := &list[i], &list[k]
		return cmp.Or(len(a.Edits)-len(b.Edits), cmp.Compare(b.mended, a.mended))
	})
	best := &list[order[0]]
	left := func(a *aside) int {
		if best.Evidence.Plain && best.Evidence.Left >= fewLeft { // these runs say most
			return a.Evidence.Left
		}
		return a.Evidence.Left + a.Evidence.FarLeft
	}
	for _, i := range order[1:] {
		a := &list[i]
		extra := len(a.Edits) - len(best.Edits)
		mends := float64(left(a)) <= float64(left(best))*math.Pow(1-editShare, float64(extra))
		if like := best.Evidence.PlainLeft; like > 0 && like < fewLeft {
			mends = a.Evidence.PlainLeft == 0
		}
		if extra > 0 && left(best) > 0 && a.Evidence.Lost <= best.Evidence.Lost && mends || extra == 0 && a.mended > best.mended {
			best = a
		}
	}
	return best
}

func indices(list []aside) []int {
	out := make([]int, len(list))
	for i := range out {
		out[i] = i
	}
	return out
}
