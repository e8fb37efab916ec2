package runs

import (
	"context"
	"maps"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/repair/textedit"
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
