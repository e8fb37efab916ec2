package runs

import (
	"context"
	"fmt"
	"slices"

	"gulo/internal/budget"
	"gulo/internal/judge"
	"gulo/internal/repair/output"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/report"
)

// This file tries edits on the runs: one, several errors at once, those that are put off.

// skips reports whether a repair keeps runs away from most of the function with the error although another value in its
// place would not. note says where the runs take another way with another value, or is "". first are values with which
// the runs reach the error's place as before, although with the repair they do not: these are to be judged before it.
func (w *Search) skips(ctx context.Context, edits []*textedit.Edit, texts map[string]string, one report.Changed) (skips bool, first []schema.Repair, note string, err error) {
	if !w.t.Job.Memory {
		return false, nil, "", nil
	}
	list, err := w.invented(edits, texts)
	if len(list) == 0 || err != nil {
		return false, nil, "", err
	}
	p, err := w.t.Reloaded(ctx, texts)
	if p == nil || err != nil {
		return false, nil, "", err
	}
	for _, r := range list {
		q, err := w.t.Reloaded(ctx, r.Texts)
		if q == nil || err != nil {
			if err != nil {
				return false, nil, "", err
			}
			continue
		}
		part, ok, err := w.t.Parting(p, q)
		if err != nil {
			return false, nil, "", err
		}
		if ok && part.Turns {
			first = append(first, r)
		}
		if !ok || part.At == nil {
			continue
		}
		at := w.t.Prog.Tree.At(part.At.Range.Position())
		if part.Skips {
			w.hiding(one, fmt.Sprintf("with it the failing runs only leave %s at %s, and with %s they go on", part.At.Func.Name, at, w.edited(r.Edits)))
			return true, nil, "", nil
		}
		if note == "" && !w.hidden {
			note = fmt.Sprintf("another value ends the error, too: %s. The runs go another way with it at %s; no rule of memory says which is right", w.edited(r.Edits), at)
		}
	}
	return false, first, note, nil
}

// instead judges values that precede a repair; done reports whether one of them is shown in its place.
func (w *Search) instead(ctx context.Context, rep *report.Report, first []schema.Repair) (v schema.Verdict, done bool, err error) {
	n := len(rep.Repairs)
	for i := range first {
		if v, err = w.tryOne(ctx, rep, &first[i]); err != nil || len(rep.Repairs) > n {
			return v, true, err
		}
	}
	return v, false, nil
}

// lookCost is the budget counted for a look at one byte of a repaired text: 20 ns nominally.
const lookCost = 2

// try judges a repair of the text. A refuted repair is no longer shown if the search is stopped.
func (w *Search) try(ctx context.Context, rep *report.Report, r *schema.Repair) (schema.Verdict, error) {
	v, err := w.tried(ctx, rep, r)
	if err == nil && v.Refuted && !w.isAside(r.Texts) {
		w.t.Job.Best.Drop(r.Texts)
	}
	return v, err
}

func (w *Search) tried(ctx context.Context, rep *report.Report, r *schema.Repair) (schema.Verdict, error) {
	for _, text := range r.Texts {
		budget.Spend(ctx, lookCost*int64(len(text)))
	}
	if w.overfit(r) {
		return schema.Verdict{Refuted: true}, nil
	}
	if w.relaxed != nil {
		return w.tryRelaxed(ctx, rep, r, 0)
	}
	if w.severalErrors() {
		return schema.Verdict{Refuted: true, Enough: true}, nil
	}
	w.refused++
	v, done, err := w.complete(ctx, r, func(ctx context.Context, all *schema.Repair) (schema.Verdict, error) { return w.tryOne(ctx, rep, all) })
	if done || err != nil {
		return v, err
	}
	return w.tryOne(ctx, rep, r)
}

// severalErrors reports whether it is time for that check.
func (w *Search) severalErrors() bool {
	return w.t.Job.Memory && w.t.Ref == nil && !w.patient && w.refused >= mostRefused
}

// tryOne judges one repair.
func (w *Search) tryOne(ctx context.Context, rep *report.Report, r *schema.Repair) (schema.Verdict, error) {
	one, c, err := w.t.DescribeText(ctx, r)
	if err != nil {
		return schema.Verdict{}, err
	}
	if c != nil {
		x := judge.Test(c)
		return schema.Verdict{Refuted: true, By: &x}, nil
	}
	if len(w.aside) > 0 && len(w.aside[0].Edits) < len(r.Edits) || w.outweighed(len(r.Edits)) {
		return schema.Verdict{Refuted: true, Enough: true}, nil
	}
	skips, first, note, err := w.skips(ctx, r.Edits, r.Texts, one.Edits[0])
	if err != nil || skips {
		return schema.Verdict{Refuted: true}, err
	}
	if v, done, err := w.instead(ctx, rep, first); done {
		return v, err
	}
	ok, c, err := w.t.Holds(ctx, r.Texts, &one)
	switch {
	case err != nil:
		return schema.Verdict{}, err
	case c != nil:
		if w.t.Unlike(c) {
			w.differs(ctx, c, &one, r.Texts, r)
		}
		if w.t.Instead(c).Unlike { // such an input does not have to be met
			return schema.Verdict{Refuted: true}, nil
		}
		x := judge.Test(c)
		return schema.Verdict{Refuted: true, By: &x}, nil
	case !ok:
		return schema.Verdict{Refuted: true}, nil
	}
	if hidden, err := w.hides(ctx, r.Texts, judge.TextEdit(r.Edits[0])); err != nil || hidden {
		return schema.Verdict{Refuted: true}, err
	}
	if ok, err = w.shows(ctx, &one, r.Texts); err != nil || !ok {
		return schema.Verdict{Refuted: true}, err
	}
	w.note(rep, note)
	w.note(rep, lent(r.Edits))
	rep.Repairs, rep.Texts = append(rep.Repairs, one), append(rep.Texts, r.Texts)
	if len(rep.Repairs) == 1 {
		if err := w.numbers(ctx, rep, r); err != nil {
			return schema.Verdict{}, err
		}
	}
	return schema.Verdict{Enough: len(rep.Repairs) >= max(w.t.Job.Repairs, 1)}, nil
}

// hides reports whether a repair makes code unreachable, or keeps all failing runs away from the function with the
// memory error.
func (w *Search) hides(ctx context.Context, texts map[string]string, e report.Changed) (bool, error) {
	p, err := w.t.Reloaded(ctx, texts)
	if p == nil || err != nil {
		return false, err
	}
	if why := judge.Vacant(w.t.Prog.Tree, p.Tree); why != "" {
		w.leftOut(e.Line, e.After, "with it "+why)
		return true, nil
	}
	name, err := w.t.Hides(p)
	if name != "" {
		w.hiding(e, fmt.Sprintf("with it no failing run calls %s, where the error occurs", name))
	}
	if name != "" || err != nil {
		return name != "", err
	}
	why, err := w.avoids(ctx, p, texts, e)
	if why != "" {
		w.hiding(e, why)
	}
	return why != "", err
}

// judged judges edits of a base, together with those in it.
func (o *outputs) judged(ctx context.Context, r *schema.Repair, b *base) (schema.Verdict, error) {
	all := schema.Repair{Edits: r.Edits, Cost: r.Cost, Chance: r.Chance, Texts: map[string]string{}}
	if b != nil {
		all.Chance = max(r.Chance, b.chance)
		all.Edits = append(slices.Clone(b.edits), r.Edits...)
		for name, text := range b.texts {
			all.Texts[name] = text
		}
	}
	for name, text := range r.Texts {
		all.Texts[name] = output.Clean(text)
	}
	for name, text := range all.Texts {
		all.Texts[name] = output.Clean(text)
	}
	return o.w.try(ctx, o.rep, &all)
}

// mostRefused is the number of repairs judged in vain after which it is checked whether a program has several memory
// errors: a repair of one fails for the others.
const mostRefused = 5
