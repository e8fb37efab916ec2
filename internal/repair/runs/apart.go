package runs

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"gulo/internal/budget"
	"gulo/internal/judge"
	"gulo/internal/native"
	"gulo/internal/repair/schema"
	"gulo/internal/report"
)

// This file searches beside a reference that somebody else wrote: on input that the task says
// nothing of, even the right program need not do what it does (cases.Set.Demands).

const (
	mostHints  = 1500            // that are made
	lostWeight = 3               // hints that one run weighs which is lost
	metTests   = 6               // runs that the program meets, among the tests of a search
	onTopTime  = 5 * time.Second // for edits on top of what was set aside, and as long as it took to come there
	editShare  = 0.25            // of what is left one more edit must mend
	mostFar    = 0.4             // of the hints unlike the run in hand: where so many are met, the others are asked for, too
	fewLeft    = 5               // runs like the one in hand that are left may be another mistake
	nearlyAll  = 0.97            // of the hints: what mends so many is shown at once
)

// relax sets what a search for edits of the text must meet: every run where the reference is the
// program with its mistakes mended, else what is demanded, and hints.
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
	}
	if p.Hints != nil { // runs that are met tell edits apart that do the same on those in hand
		n := min(len(p.Held), metTests)
		p.Tests, p.Held = append(p.Tests, p.Held[:n]...), p.Held[n:]
	}
	return nil
}

// tryRelaxed judges a repair of the text that meets what is demanded, and a part of the hints.
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
		// Where it does what the reference does on most of those unlike the run in hand, what is left
		// may be another mistake; else nobody asks for it.
		other := float64(ev.FarMended) / float64(far)
		enough = enough && (other < mostFar || other >= nearlyAll)
		met = (met + other) / 2
	}
	if enough {
		rep.Repairs, rep.Texts = append(rep.Repairs, one), append(rep.Texts, r.Texts)
		return schema.Verdict{Enough: len(rep.Repairs) >= max(w.t.Job.Repairs, 1)}, nil
	}
	w.keep(ctx, aside{Repair: one, texts: r.Texts, mended: met})
	return schema.Verdict{Refuted: true, Kept: ev.Lost == 0, Base: true}, nil // what mends as much may lose nothing
}

// keep sets aside a repair that still differs from the reference where the program differs from it, too. The
// search then has a limited time to find a better one.
func (w *Search) keep(ctx context.Context, a aside) {
	w.t.Job.Best.Offer(report.Aside, a.Repair, a.texts)
	if w.other = append(w.other, a); len(w.other) > mostOther {
		least := 0
		for i := range w.other {
			if w.other[i].mended <= w.other[least].mended { // of those alike the last
				least = i
			}
		}
		w.other = slices.Delete(w.other, least, least+1)
	}
	if w.wait.IsZero() {
		w.wait = budget.After(ctx, max(betterTime, betterShare*budget.Since(ctx, w.begin)))
	}
}

// best is what is shown of what was set aside: of those with the fewest edits what meets most hints.
// One more edit must mend a quarter of what is left without it, or all that is left of those that
// keep to the conventions of the run in hand, and lose no run more; where nothing is left that was
// counted it mends nothing.
func best(list []aside) *aside {
	order := indices(list)
	slices.SortStableFunc(order, func(i, k int) int {
		a, b := &list[i], &list[k]
		return cmp.Or(len(a.Edits)-len(b.Edits), cmp.Compare(b.mended, a.mended))
	})
	best := &list[order[0]]
	left := func(a *aside) int {
		if best.Evidence.Plain && best.Evidence.Left >= fewLeft { // those that say most
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
