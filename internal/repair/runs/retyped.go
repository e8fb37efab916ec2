package runs

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/native"
	"gulo/internal/process"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/report"
)

// This file tries other types for variables, and larger arrays, if the failures suggest that.

// mostRetyped bounds the declarations that are tried, because each is compiled.
const mostRetyped = 12

var (
	realNumber = regexp.MustCompile(`[0-9]\.[0-9]`)
	number     = regexp.MustCompile(`[0-9]{5,18}`)
)

// wrongTypes says which types could be wrong, by the expected outputs and the failures.
func (o *outputs) wrongTypes(own *base) textedit.Retype {
	var r textedit.Retype
	crash := len(own.a.Failing) == 0 // the error shows only on the machine
	for _, i := range own.a.Failing {
		crash = crash || !own.a.Outcomes[i].Ended()
	}
	r.Bounds = crash || strings.Contains(o.rep.Example, "overflow")
	line := 0 // length of the longest line of all inputs, in bytes
	for _, t := range o.tests() {
		for _, l := range strings.Split(t.Stdin, "\n") {
			line = max(line, len(l))
		}
		r.Real = r.Real || realNumber.MatchString(t.Stdout)
		for _, n := range number.FindAllString(t.Stdin+" "+t.Stdout, -1) {
			x, err := strconv.ParseInt(n, 10, 64)
			r.Large = r.Large || err == nil && x > 1<<31-1
			r.Small = r.Small || err == nil && x > 1<<15-1
		}
	}
	r.Bounds = r.Bounds || shortText(own, line)
	r.Small = r.Small || crash || smallNumbers(own)
	return r
}

// shortText reports whether a local character array is too short for a line of that length.
func shortText(own *base, line int) bool {
	for _, f := range own.funcs {
		for _, v := range f.Locals {
			if t := v.Type; t.Kind == ctype.Array && t.Elem.IsInteger() && t.Elem.Size == 1 && t.Len <= int64(line) {
				return true
			}
		}
	}
	return false
}

var charNumber = regexp.MustCompile(`\b(char|short|u?int(8|16)_t)\b`)

// smallNumbers reports whether a program has variables of small integer types.
func smallNumbers(own *base) bool {
	for _, f := range own.funcs {
		if charNumber.MatchString(f.Body.Range().Text()) {
			return true
		}
	}
	return slices.ContainsFunc(own.tree.Globals, func(v *cfront.Var) bool {
		return v.Func == nil && v.Range.Valid() && v.Type.IsInteger() && v.Type.Size <= 2
	})
}

// retyped tries edits of declarations, and literals on top of them.
func (o *outputs) retyped(ctx context.Context, own *base) (done bool, err error) {
	c := textedit.Config{Tree: own.tree, Free: o.free}
	var list []schema.Repair
	for _, e := range textedit.Retyped(c, own.funcs, o.wrongTypes(own)) {
		r := schema.Repair{Edits: []*textedit.Edit{e}, Cost: e.Cost}
		var ok bool
		if r.Texts, ok = textedit.Apply(e); ok {
			list = append(list, r)
		}
	}
	return o.each(ctx, own, list[:min(len(list), mostRetyped)])
}

// byLength makes arrays of the program larger where a given run leaves one and natively nothing shows it: the machine, which
// tries edits of statements then, cannot try those of declarations.
func (w *Search) byLength(ctx context.Context, rep *report.Report) error {
	if outside, err := w.outside(); !outside || err != nil {
		return err
	}
	o := &outputs{w: w, rep: rep, until: w.until}
	n := 0
	for _, e := range textedit.Retyped(textedit.Config{Tree: w.t.Prog.Tree, Free: o.free}, w.t.TextScope(), textedit.Retype{Bounds: true}) {
		r := schema.Repair{Edits: []*textedit.Edit{e}, Cost: e.Cost}
		var ok bool
		if r.Texts, ok = textedit.Apply(e); !ok {
			continue
		}
		if n++; n > mostRetyped || budget.Over(ctx, o.until) {
			break
		}
		if v, err := o.judged(ctx, &r, nil); err != nil || v.Enough {
			if err == nil {
				found(rep)
			}
			return err
		}
	}
	return nil
}

// mostMistyped bounds the declarations on top of which other edits are searched.
const mostMistyped = 3

// mistyped returns bases for a program that prints an integer as a real number or the reverse: with another type that
// corrects this, and the best literals, those with the nearest outputs first. That mistake must be corrected in any
// case.
func (o *outputs) mistyped(ctx context.Context, own *base) (bases []*base, err error) {
	wrong := textedit.Mismatched(own.funcs)
	if wrong == 0 {
		return nil, nil
	}
	want := o.wrongTypes(own)
	want.Bounds = false
	for i, e := range textedit.Retyped(textedit.Config{Tree: own.tree, Free: o.free}, own.funcs, want) {
		texts, ok := textedit.Apply(e)
		if !ok || i == mostRetyped || budget.Over(ctx, o.until) {
			continue
		}
		b, err := o.parsed(ctx, own, &base{edits: []*textedit.Edit{e}, texts: own.over(texts)})
		var ce *native.CompileError
		if err != nil && !errors.As(err, &ce) {
			return nil, err
		}
		if err != nil || b == nil || textedit.Mismatched(b.funcs) >= wrong {
			continue
		}
		best, err := o.other(ctx, b)
		if err != nil {
			return nil, err
		}
		if best != nil {
			b = best
		}
		bases = append(bases, b)
	}
	slices.SortStableFunc(bases, func(a, b *base) int { return cmp.Compare(a.a.Guesses.Distance, b.a.Guesses.Distance) })
	return bases[:min(len(bases), mostMistyped)], nil
}

// addressed tries edits that pass addresses to functions instead of copies.
func (o *outputs) addressed(ctx context.Context, own *base) (done bool, err error) {
	var list []schema.Repair
	for _, e := range textedit.Addressed(textedit.Config{Tree: own.tree, Free: o.free}, own.funcs) {
		r := schema.Repair{Edits: []*textedit.Edit{e}, Cost: e.Cost}
		var ok bool
		if r.Texts, ok = textedit.Apply(e); ok {
			list = append(list, r)
		}
	}
	return o.each(ctx, own, list)
}

// each compiles edits of a program and judges them, and literals on top of them.
func (o *outputs) each(ctx context.Context, own *base, list []schema.Repair) (done bool, err error) {
	for len(list) > 0 && !budget.Over(ctx, o.until) {
		some := list[:min(len(list), runtime.GOMAXPROCS(0))] // in parallel
		list = list[len(some):]
		bases := make([]*base, len(some))
		err := process.Parallel(ctx, len(some), len(some), func(ctx context.Context, i int) error {
			b, err := o.parsed(ctx, own, &base{edits: some[i].Edits, texts: some[i].Texts})
			var ce *native.CompileError
			if errors.As(err, &ce) {
				return nil
			}
			bases[i] = b
			return err
		})
		if err != nil {
			return false, err
		}
		for i, b := range bases {
			if b == nil {
				continue
			}
			if done, err := o.onTop(ctx, &some[i], b); done || err != nil {
				return done, err
			}
		}
	}
	return false, nil
}

// onTop judges an edited declaration; if it does not meet the tests, it judges literals on top of it. b is the program
// with the edit.
func (o *outputs) onTop(ctx context.Context, r *schema.Repair, b *base) (done bool, err error) {
	if len(b.a.Failing) > 0 {
		return o.literals(ctx, b)
	}
	v, err := o.judged(ctx, r, nil)
	return v.Enough, err
}

// literals judges the literals with which a base prints what is expected.
func (o *outputs) literals(ctx context.Context, b *base) (done bool, err error) {
	for i := range b.a.Guesses.Literals {
		g := &b.a.Guesses.Literals[i]
		if g.Distance > 0 || i == mostLiterals || budget.Over(ctx, o.until) {
			break
		}
		r := schema.Repair{Edits: b.a.Edits(g), Cost: g.Cost}
		var ok bool
		if r.Texts, ok = textedit.Apply(r.Edits...); !ok {
			continue
		}
		on := b
		if b == o.own {
			on = nil
		}
		if v, err := o.judged(ctx, &r, on); err != nil || v.Enough {
			return true, err
		}
	}
	return false, nil
}
