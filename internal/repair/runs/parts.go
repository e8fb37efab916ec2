package runs

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/judge"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/process"
	"gulo/internal/report"
)

// This file repairs one function at a time. If several functions differ from the reference's, each is combined with the
// reference's other functions, so that a failure is due to that function alone, and the search is for one fault. The
// repairs are then put together in the program and judged there.

const (
	mostParts   = 8 // functions that may differ
	partsRounds = 3 // rounds of learning from the run that refutes the whole
)

// mixture is a program with one function of the program and the reference's others.
type mixture struct {
	name string
	w    *Search // of that program
	dir  string
	own  *cfront.Func // in the original program
	fn   *cfront.Func // in the mixture
	rep  *report.Report
	text string // the repaired function
}

// Parts reports whether several functions differ from the reference's, so that each can be tried with the reference's
// others.
func (w *Search) Parts() bool {
	t := w.t
	if t.Ref == nil || t.Job.Entry != "" || len(t.Job.Lock) > 0 || len(t.Scope) < 2 || len(t.Scope) > mostParts || len(w.t.Explored) == 0 {
		return false
	}
	return !slices.ContainsFunc(t.Scope, func(f *cfront.Func) bool {
		g := t.Ref.Prog.Tree.Func(f.Name)
		return g == nil || g.Body == nil || cases.Text(f) == cases.Text(g)
	})
}

// ByParts repairs the functions that differ, each in a mixture. Precondition: Parts.
func (w *Search) ByParts(ctx context.Context, until time.Time) (*report.Report, error) {
	rep, err := w.report()
	if err != nil {
		return nil, err
	}
	rep.Result, rep.Cause = report.None, "no repair of the functions that differ from the reference's was found, one at a time"
	w.t.Challenge(ctx)
	mixtures, err := w.guilty(ctx)
	defer func() {
		for _, p := range mixtures {
			p.close()
		}
	}()
	if err != nil || len(mixtures) == 0 {
		return rep, err
	}
	todo := mixtures
	for round := 0; round < partsRounds && len(todo) > 0; round++ {
		if err := w.solveParts(ctx, todo, mixtures, until); err != nil {
			return nil, err
		}
		for _, p := range mixtures {
			if p.rep == nil || p.rep.Result != report.Repaired {
				if p.rep != nil && p.rep.Result == report.Unknown {
					rep.Result, rep.Cause = report.Unknown, p.rep.Cause
				}
				return rep, nil
			}
		}
		c, err := w.whole(ctx, rep, mixtures)
		if c == nil || err != nil {
			rep.Millis = w.millis()
			return rep, err
		}
		if todo, err = blamed(mixtures, c); err != nil {
			return nil, err
		}
	}
	return rep, nil
}

// mixed returns the program's texts with all functions but keep replaced by the reference's.
func (w *Search) mixed(keep *cfront.Func) map[string]string {
	t := w.t
	fs := slices.Clone(t.Scope)
	slices.SortFunc(fs, func(a, b *cfront.Func) int { return b.Whole.Start - a.Whole.Start })
	texts := map[string]string{}
	for _, f := range fs {
		name := f.Whole.File.Name
		if _, ok := texts[name]; !ok {
			texts[name] = string(f.Whole.File.Text)
		}
		if f != keep {
			texts[name] = texts[name][:f.Whole.Start] + t.Ref.Prog.Tree.Func(f.Name).Whole.Text() + texts[name][f.Whole.End:]
		}
	}
	return texts
}

// mixture loads the mixture for a function, or with nil one with all functions of the reference. It returns nil if gcc
// or the machine rejects it.
func (w *Search) mixture(ctx context.Context, f *cfront.Func) (*mixture, error) {
	dir, err := process.TempDir("gulo-mixture")
	if err != nil {
		return nil, err
	}
	p, err := w.mixtureIn(ctx, dir, f)
	if p == nil || err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return p, nil
}

func (w *Search) mixtureIn(ctx context.Context, dir string, f *cfront.Func) (*mixture, error) {
	t := w.t
	req := *t.Job
	req.Repairs, req.Progress, req.Best = 1, nil, nil
	var err error
	if req.Files, req.Options, err = patch.WriteTo(dir, t.Job.Files, t.Job.Options, w.mixed(f)); err != nil {
		return nil, err
	}
	prog, err := lower.Load(ctx, req.Files, req.Options)
	if err != nil {
		return nil, ctx.Err() // the functions do not fit together
	}
	p := &mixture{own: f, dir: dir}
	if f != nil {
		p.name = f.Name
		if p.fn = prog.Tree.Func(f.Name); p.fn == nil || p.fn.Body == nil {
			return nil, nil
		}
	}
	x, err := t.Among(&req, prog, p.fn)
	p.w = &Search{t: t.Part(x, w.until), begin: w.begin, clock: w.clock, until: w.until, declared: true}
	return p, err
}

func (p *mixture) close() {
	p.w.Close()
	os.RemoveAll(p.dir)
}

// wrong reports whether the function fails in the mixture, on the generated runs or on those made natively.
func (p *mixture) wrong(ctx context.Context) (bool, error) {
	if p.w.t.Failing > 0 {
		return true, nil
	}
	c, _, err := p.w.t.Fight(ctx, p.w.t.Prog)
	if c != nil {
		p.w.t.Given.Cases = append(p.w.t.Given.Cases, c)
	}
	return c != nil, err
}

// guilty returns the functions that fail among the reference's; none if the reference's functions do not work in the
// program.
func (w *Search) guilty(ctx context.Context) (out []*mixture, err error) {
	fs := append([]*cfront.Func{nil}, w.t.Scope...)
	all := make([]*mixture, len(fs))
	bad := make([]bool, len(fs))
	err = process.Parallel(ctx, runtime.GOMAXPROCS(0), len(fs), func(ctx context.Context, i int) (err error) {
		if all[i], err = w.mixture(ctx, fs[i]); all[i] == nil || err != nil {
			return err
		}
		if i == 0 { // whether the reference's functions fit is decided by the generated runs alone
			bad[i] = all[i].w.t.Failing > 0
			return nil
		}
		bad[i], err = all[i].wrong(ctx)
		return err
	})
	fits := err == nil && !bad[0] && !slices.Contains(all, nil)
	for i, p := range all {
		switch {
		case fits && bad[i]:
			out = append(out, p)
		case p != nil:
			p.close()
		}
	}
	return out, err
}

// solveParts searches repairs of mixtures in parallel. The program with the likely repairs of all is compiled ahead.
func (w *Search) solveParts(ctx context.Context, mixtures, all []*mixture, until time.Time) error {
	var names []string
	for _, p := range mixtures {
		names = append(names, p.name)
	}
	w.t.Job.Say("looking for repairs of %s, each among the reference's other functions", strings.Join(names, " and "))
	var mu sync.Mutex
	likely := map[*mixture]string{}
	for _, p := range all {
		if p.text != "" {
			likely[p] = p.text
		}
		p.w.t.Foreseen = func(texts map[string]string) {
			text, ok := p.cut(texts)
			mu.Lock()
			defer mu.Unlock()
			if likely[p] = text; ok && len(likely) == len(all) {
				w.t.Foresee(ctx, assembled(likely))
			}
		}
	}
	beside := make([]context.Context, len(mixtures))
	err := process.Parallel(ctx, len(mixtures), len(mixtures), func(one context.Context, i int) error {
		beside[i] = budget.Beside(one)
		return mixtures[i].solve(beside[i], until)
	})
	for _, b := range beside {
		budget.Join(ctx, b)
	}
	return err
}

// solve searches for a repair of the function.
func (p *mixture) solve(ctx context.Context, until time.Time) (err error) {
	w := p.w
	w.until, w.t.Until = until, until
	if p.rep, err = w.ByMachine(ctx, budget.Part(ctx, until, naturalShare)); err == nil && p.rep.Result != report.Repaired {
		p.rep, err = w.ByText(ctx)
	}
	if err != nil || p.rep.Result != report.Repaired {
		return err
	}
	text, ok := p.cut(p.rep.Sources(0))
	if !ok {
		p.rep.Result, p.rep.Cause = report.None, fmt.Sprintf("the repair of %s changes more than the function", p.name)
		return nil
	}
	p.text = text
	return nil
}

// cut returns the function's text from a repaired mixture; false if more than the function was changed.
func (p *mixture) cut(texts map[string]string) (string, bool) {
	f := p.fn.Whole
	text, ok := texts[f.File.Name]
	tail := len(f.File.Text) - f.End
	if !ok || len(text) < f.Start+tail || text[:f.Start] != string(f.File.Text[:f.Start]) || text[len(text)-tail:] != string(f.File.Text[f.End:]) {
		return "", false
	}
	return text[f.Start : len(text)-tail], true
}

// assembled returns the texts of the files that contain functions in mended, with these functions replaced by their
// repaired texts.
func assembled(mended map[*mixture]string) map[string]string {
	byPlace := slices.SortedFunc(maps.Keys(mended), func(a, b *mixture) int { return b.own.Whole.Start - a.own.Whole.Start })
	texts := map[string]string{}
	for _, p := range byPlace {
		f := p.own.Whole
		if _, ok := texts[f.File.Name]; !ok {
			texts[f.File.Name] = string(f.File.Text)
		}
		texts[f.File.Name] = texts[f.File.Name][:f.Start] + mended[p] + texts[f.File.Name][f.End:]
	}
	return texts
}

// whole puts the repairs of the mixtures together. c is the case that refutes the result, if any.
func (w *Search) whole(ctx context.Context, rep *report.Report, mixtures []*mixture) (c *oracle.Case, err error) {
	t := w.t
	mended := map[*mixture]string{}
	for _, p := range mixtures {
		mended[p] = p.text
	}
	texts := assembled(mended)
	out, c, err := t.JudgeText(ctx, texts)
	if c != nil || err != nil || !out.Evidence.Compiled {
		return c, err
	}
	for _, p := range mixtures {
		first := p.rep.Repairs[0]
		line := p.own.Whole.Position().Line - p.fn.Whole.Position().Line
		for _, e := range first.Edits {
			e.File, e.Line = p.own.Whole.File.Name, e.Line+line
			out.Edits = append(out.Edits, e)
		}
		out.Hints = append(out.Hints, first.Hints...)
	}
	ok, c, err := w.t.Holds(ctx, texts, &out)
	if !ok || err != nil {
		return c, err
	}
	rep.Result, rep.Cause = report.Repaired, ""
	rep.Repairs, rep.Texts = append(rep.Repairs, out), append(rep.Texts, texts)
	return nil, nil
}

// blamed returns the mixtures whose repairs do not meet a case, and adds the case to theirs.
func blamed(mixtures []*mixture, c *oracle.Case) (out []*mixture, err error) {
	for _, p := range mixtures {
		prog, err := p.w.t.Reloaded(context.Background(), p.rep.Sources(0))
		if err != nil {
			return nil, err
		}
		if prog == nil {
			continue
		}
		s := p.w.t.SuiteOf([]*cases.Run{{Input: cases.Input{Args: c.Args, Stdin: c.Stdin}, Test: oracle.Test{Name: c.Name, Args: c.Args, Stdin: c.Stdin, Stdout: c.Want.Output, Exit: c.Want.Status}, Steps: c.Want.Steps}})
		own := *s
		own.Prog, own.Edited = prog, nil
		bad, err := judge.RefutedBy(&own, nil, nil)
		if err != nil {
			return nil, err
		}
		if bad != nil {
			p.w.t.Given.Cases = append(p.w.t.Given.Cases, s.Cases...)
			out = append(out, p)
		}
	}
	return out, nil
}
