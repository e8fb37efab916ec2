package runs

import (
	"context"
	"errors"
	"slices"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/repair/mistakes"
	"gulo/internal/repair/output"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/report"
	"gulo/internal/source"
)

// This file repairs by the difference between actual and expected output: first literals, then what the difference
// suggests about the program, and then all edits of the program with its literals corrected.

// Parts of the time for the searches after literals: one in so many. Then other bounds.
const (
	suggestedShare = 1 // this search ends by itself
	literalsShare  = 2
	deeperShare    = 2               // edits on top of those that bring the output nearer
	waitShare      = 4               // waiting for edits that are being tried
	othersTime     = 5 * time.Second // for what other programs do on inputs unlike the tests
	mostUnset      = 6               // initial values that are tried
	mostSeparated  = 2               // ways to change all separators that become a base
	mostLiterals   = 8               // guesses of literals with which all outputs are right
)

// ByOutput searches what outputs suggest.
func (w *Search) ByOutput(ctx context.Context, until time.Time) (*report.Report, error) {
	rep, err := w.report()
	if err != nil {
		return nil, err
	}
	if err := w.byDeclarations(ctx, rep); err != nil || rep.Result == report.Repaired {
		rep.Millis = w.millis()
		return rep, err
	}
	o := &outputs{w: w, rep: rep, until: until}
	err = o.search(ctx)
	var ce *native.CompileError
	if errors.As(err, &ce) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if len(rep.Repairs) > 0 {
		found(rep)
	} else if rep.Result != report.Repaired {
		rep.Result, rep.Cause = report.None, "no other text, and nothing that the outputs suggest, meets all runs"
		if o.cut {
			rep.Result, rep.Cause = report.Unknown, report.TimeLimit
		}
	}
	rep.Millis, rep.Notes = w.millis(), w.t.Notes
	return rep, nil
}

// outputs is a search by outputs.
type outputs struct {
	w     *Search
	rep   *report.Report
	until time.Time
	cut   bool
	own   *base
}

// base is a program on which edits are searched: the original, or one with other edits in it already.
type base struct {
	tree  *cfront.Program
	funcs []*cfront.Func
	edits []*textedit.Edit // the edits in it
	texts map[string]string
	a     *output.Analysis

	chance  float64 // see schema.Repair
	screens bool    // see schema.Problem
}

func (o *outputs) search(ctx context.Context) error {
	t := o.w.t
	own := &base{tree: t.Prog.Tree}
	o.own = own
	if err := o.w.measure(ctx); err != nil { // measured in the background, for the text edits
		return err
	}
	if done, err := o.analyzeBeside(ctx, own); err != nil || done {
		return err
	}
	if len(own.a.Failing) == 0 {
		if err := o.unset(ctx); err != nil || len(o.rep.Repairs) > 0 {
			return err
		}
		_, err := o.retyped(ctx, own)
		return err
	}
	o.rep.Failing = len(own.a.Failing)
	t.Job.Say("looking at what is printed and what should be")
	if done, err := o.literals(ctx, own); err != nil || done {
		return err
	}
	if done, err := o.addressed(ctx, own); err != nil || done {
		return err
	}
	offers, err := o.w.offers(ctx)
	if err != nil {
		return err
	}
	o.w.suggested = append(o.suggestions(own), offers...)
	if err := o.w.Begin(ctx); err != nil { // compiled when it is needed
		return err
	}
	if done, err := o.joint(ctx, own); err != nil || done {
		return err
	}
	// Everything else has to be compiled and run several times.
	if err := o.w.byFirst(ctx, o.rep, schema.OfSuggested, budget.Until(ctx, o.until)); err != nil || len(o.rep.Repairs) > 0 {
		return err
	}
	if err := o.w.byFirst(ctx, o.rep, schema.OfCheapest, budget.Until(ctx, o.until)/waitShare); err != nil || len(o.rep.Repairs) > 0 {
		return err
	}
	if o.w.t.Set.Hints != nil && !o.w.t.Job.Suggest && !o.w.wait.IsZero() { // other programs show a further mistake that no test shows
		o.w.wait = budget.After(ctx, othersTime)
		if err := o.w.further(ctx, o.rep); err != nil || len(o.rep.Repairs) > 0 {
			return err
		}
	}
	if o.w.text.Wait(ctx, budget.Now(ctx)) && o.w.text.ByRank() { // for a large program everything that follows takes a compilation each, and a single edit is nearer
		if _, err := o.w.ByOneEdit(ctx, o.rep); err != nil || len(o.rep.Repairs) > 0 {
			return err
		}
	}
	bases, err := o.initialized(ctx)
	if err != nil {
		return err
	}
	b, err := o.other(ctx, own)
	if err != nil {
		return err
	}
	if b != nil {
		bases = append(bases, b)
	}
	if b, err = o.separated(ctx, own); err != nil {
		return err
	}
	if b != nil {
		bases = append(bases, b)
	}
	return o.onBases(ctx, own, bases)
}

// onBases searches edits of types, of programs with other literals or initial values, and, if there is such a program,
// also single edits and pairs of edits of the original.
func (o *outputs) onBases(ctx context.Context, own *base, bases []*base) error {
	for _, b := range bases {
		if done, err := o.joint(ctx, b); err != nil || done {
			return err
		}
		done, err := o.solve(ctx, b, suggested, suggestedShare)
		if err != nil || done {
			return err
		}
	}
	if done, err := o.retyped(ctx, own); err != nil || done {
		return err
	}
	typed, err := o.mistyped(ctx, own)
	if err != nil {
		return err
	}
	bases = append(bases, typed...)
	if len(bases) == 0 { // nothing else is suggested by the outputs
		return nil
	}
	if rep, err := o.w.ByOneEdit(ctx, o.rep); err != nil || len(rep.Repairs) > 0 {
		return err // a single edit is nearer than other literals and an edit
	}
	for _, b := range bases {
		if done, err := o.solve(ctx, b, alone, literalsShare); err != nil || done {
			return err
		}
	}
	for _, b := range typed { // the output of the original says nothing about what it computes
		if done, err := o.solve(ctx, b, together, literalsShare*len(typed)); err != nil || done {
			return err
		}
	}
	bases = bases[:len(bases)-len(typed)]
	// Two edits are as near as other literals and an edit, and nearer than other literals and two edits.
	if err := o.w.byText(ctx, o.rep, true, budget.Part(ctx, o.until, literalsShare)); err != nil || len(o.rep.Repairs) > 0 {
		return err
	}
	for _, b := range bases {
		if done, err := o.solve(ctx, b, together, literalsShare); err != nil || done {
			return err
		}
	}
	return nil
}

// analyzeBeside analyzes a base. If text edits were tried in the background by then, and some meet all tests, the
// cheapest of these are judged first; done reports whether one is a repair.
func (o *outputs) analyzeBeside(ctx context.Context, b *base) (done bool, err error) {
	if err := o.analyze(ctx, b); err != nil || o.w.text == nil || !o.w.text.Wait(ctx, budget.Now(ctx)) || o.w.text.Met() == 0 {
		return false, err
	}
	err = o.w.byFirst(ctx, o.rep, schema.OfCheapest, budget.Until(ctx, o.until))
	return len(o.rep.Repairs) > 0, err
}

func (o *outputs) free(_ *source.File, line int) bool { return !slices.Contains(o.w.t.Job.Lock, line) }

// separated returns a base with all separators changed at once, if that brings the outputs nearer although another
// mistake remains; else nil.
func (o *outputs) separated(ctx context.Context, own *base) (best *base, err error) {
	least := own.a.Guesses.Distance
	for i, es := range own.a.Joint() {
		texts, ok := textedit.Apply(es...)
		if !ok || i == mostSeparated || budget.Over(ctx, o.until) {
			continue
		}
		b, err := o.parsed(ctx, own, &base{edits: append(slices.Clone(own.edits), es...), texts: own.over(texts)})
		var ce *native.CompileError
		if err != nil && !errors.As(err, &ce) {
			return nil, err
		}
		if err == nil && b != nil && b.a.Guesses.Distance < least {
			best, least = b, b.a.Guesses.Distance
		}
	}
	return best, nil
}

// unset tries initial values if the program meets all tests natively: the mistake may be a read of uninitialized
// memory.
func (o *outputs) unset(ctx context.Context) error {
	t := o.w.t
	n := 0
	for _, e := range textedit.Unset(textedit.Config{Tree: t.Prog.Tree, Free: o.free}, o.own.funcs) {
		if n == mostUnset || budget.Over(ctx, o.until) {
			break
		}
		r := schema.Repair{Edits: []*textedit.Edit{e}, Cost: e.Cost}
		var ok bool
		if r.Texts, ok = textedit.Apply(e); !ok {
			continue
		}
		n++
		if v, err := o.judged(ctx, &r, nil); err != nil || v.Enough {
			return err
		}
	}
	return nil
}

// joint tries to change all separators of a base at once.
func (o *outputs) joint(ctx context.Context, b *base) (done bool, err error) {
	for _, es := range b.a.Joint() {
		r := schema.Repair{Edits: es}
		var ok bool
		if r.Texts, ok = textedit.Apply(es...); !ok {
			continue
		}
		meets, err := o.meets(ctx, b, r.Texts)
		if err != nil {
			return false, err
		}
		if !meets {
			continue
		}
		base := b
		if b == o.own {
			base = nil
		}
		if v, err := o.judged(ctx, &r, base); err != nil || v.Enough {
			return true, err
		}
	}
	return false, nil
}

// meets reports whether a base with changed texts meets all tests.
func (o *outputs) meets(ctx context.Context, b *base, texts map[string]string) (bool, error) {
	all := map[string]string{}
	for _, f := range b.tree.Files {
		all[f.Name] = string(f.Text)
		if x, ok := texts[f.Name]; ok {
			all[f.Name] = x
		}
	}
	p, err := native.Build(ctx, all, native.Config{Units: b.tree.Units(), Options: o.w.t.Job.Options, Unset: true})
	var ce *native.CompileError
	if errors.As(err, &ce) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer p.Close()
	ses := &native.Session{}
	ses.Limit(time.Second, 0)
	tests := o.tests()
	ses.PrintAll(tests)
	a, err := p.Run(ctx, ses, max(budget.Until(ctx, o.until), time.Second))
	if err != nil || len(a.Printed) < len(tests) {
		return false, err
	}
	for i, out := range a.Printed {
		if out.Status != tests[i].Exit || out.Stdout != tests[i].Stdout {
			return false, nil
		}
	}
	return true, nil
}

// reach says which edits of a base are searched.
type reach int

const (
	suggested reach = iota // what outputs and known mistakes suggest, single edits
	alone                  // all single edits
	together               // all edits, single and in pairs
	climbing               // all edits, on top of those with which more tests pass, too
)

// suggestions returns the edits of a base that outputs and known mistakes suggest.
func (o *outputs) suggestions(b *base) []textedit.Suggested {
	return append(append(b.a.Suggest(), mistakes.Suggest(b.tree, b.funcs, known(o.w.t.Job))...), textedit.Rounds(b.funcs)...)
}

// solve searches edits of a base in 1/share of the time.
func (o *outputs) solve(ctx context.Context, b *base, r reach, share int) (done bool, err error) {
	left := budget.Until(ctx, o.until)
	if left <= 0 {
		o.cut = true
		return true, nil
	}
	list := o.suggestions(b)
	p := &schema.Problem{
		Tree: b.tree, Options: o.w.t.Job.Options, Funcs: b.funcs, Tests: o.tests(), Limit: left / time.Duration(share), Free: o.free,
		Suggested: list, Only: r == suggested, Single: r != together, Quick: true, Screens: b.screens, Near: o.w.t.NeighbourTests(), Distance: output.Distance,
		Try: func(ctx context.Context, r *schema.Repair) (schema.Verdict, error) { return o.judged(ctx, r, b) },
	}
	if r == suggested && len(p.Suggested) == 0 {
		return false, nil
	}
	if r == climbing {
		p.Quick, p.Single, p.Step = false, false, true
		p.Climb = func(ctx context.Context, list []schema.Repair) (bool, error) { return o.climb(ctx, b, list[:1]) }
	}
	res, err := schema.Solve(ctx, p)
	var ce *native.CompileError
	if errors.As(err, &ce) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	o.cut = o.cut || res.Cut
	o.w.consider(o.rep)
	return len(o.rep.Repairs) > 0, nil
}
