package runs

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/judge"
	"gulo/internal/native"
	"gulo/internal/repair/output"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/timing"
)

// This file reads what the runs print.

// over returns the texts of a base, replaced by others where these exist.
func (b *base) over(texts map[string]string) map[string]string {
	out := maps.Clone(b.texts)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, texts)
	return out
}

// other returns a base with the best literals; nil if none is better than the present ones.
func (o *outputs) other(ctx context.Context, own *base) (*base, error) {
	gs := own.a.Guesses.Literals
	if len(gs) == 0 || gs[0].Distance >= own.a.Guesses.Distance {
		return nil, nil
	}
	edits := own.a.Edits(&gs[0])
	texts, ok := textedit.Apply(edits...)
	if !ok {
		return nil, nil
	}
	b := &base{edits: append(slices.Clone(own.edits), edits...), texts: own.over(texts)}
	return o.parsed(ctx, own, b)
}

// parsed parses the texts of a base and analyzes it; nil if they cannot be parsed.
func (o *outputs) parsed(ctx context.Context, own, b *base) (*base, error) {
	var err error
	if b.tree, err = cfront.Edited(own.tree.Units(), o.w.t.Job.Options, b.texts); err != nil {
		return nil, nil
	}
	return b, o.analyze(ctx, b)
}

// analyze runs a base on the tests and analyzes its outputs.
func (o *outputs) analyze(ctx context.Context, b *base) error {
	t := o.w.t
	names := map[string]bool{}
	if t.Job.Entry != "" || t.Ref != nil || t.Driver() != nil { // functions that the reference has, too, print what they should
		for _, f := range t.Scope {
			names[f.Name] = true
		}
	}
	b.funcs = nil
	for _, f := range cfront.Once(b.tree.Funcs) {
		if f.Body != nil && f.Range.Valid() && !strings.HasPrefix(f.Range.File.Name, "@") && (len(names) == 0 || names[f.Name]) {
			b.funcs = append(b.funcs, f)
		}
	}
	var err error
	defer timing.Begin(ctx, "outputs").End("")
	b.a, err = output.Analyze(ctx, &output.Problem{Tree: b.tree, Options: t.Job.Options, Funcs: b.funcs, Free: o.free, Tests: o.tests(), Limit: budget.Until(ctx, o.until), Screens: b.screens})
	return err
}

func (o *outputs) tests() []native.Test {
	t := o.w.t
	if o.w.relaxed != nil {
		t = o.w.relaxed
	}
	return judge.Natives(t.WithAside())
}

// climb searches on top of edits of a base with which more tests pass, and on top of those that it finds there.
func (o *outputs) climb(ctx context.Context, own *base, list []schema.Repair) (bool, error) {
	return o.onEach(ctx, own, list, climbing)
}

// deeper searches on top of edits that bring the output nearer to the expected one: with several mistakes, each such
// edit corrects one.
func (o *outputs) deeper(ctx context.Context, list []schema.Repair, r reach) (bool, error) {
	return o.onEach(ctx, &base{tree: o.w.t.Prog.Tree}, list, r)
}

// onEach searches on top of each of some edits of a base.
func (o *outputs) onEach(ctx context.Context, own *base, list []schema.Repair, r reach) (bool, error) {
	until := budget.Part(ctx, o.until, deeperShare)
	for i := range list {
		if budget.Over(ctx, until) {
			return false, nil
		}
		b, err := o.parsed(ctx, own, &base{edits: append(slices.Clone(own.edits), list[i].Edits...), texts: own.over(list[i].Texts), chance: max(own.chance, list[i].Chance), screens: o.w.text != nil && o.w.text.Agrees(ctx)})
		var ce *native.CompileError
		if b == nil || errors.As(err, &ce) {
			continue
		}
		if err != nil {
			return false, err
		}
		one := *o
		one.until = until
		if done, err := one.solve(ctx, b, r, 1); err != nil || done && len(o.rep.Repairs) > 0 {
			return true, err
		}
	}
	return false, nil
}
