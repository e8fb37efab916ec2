package pipeline

import (
	"context"
	"fmt"
	"maps"
	"os"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/patch"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/repair/runs"
	"gulo/internal/report"
)

// This file repairs programs with several errors, one after the other, when the first hides the others. Each step is an
// edit that removes the error of the run in hand and makes nothing worse; then the program with that edit is repaired.

// byErrors searches single edits on the machine where a memory rule fires, and continues from the steps found.
type byErrors struct{}

// Bounds of a repair by steps.
const (
	mostSteps = 5
	stepShare = 2 // part of the time for the program after a step
	leastStep = 200 * time.Millisecond
)

// allEdits introduces the evidence for all steps together.
const allEdits = "; with all edits it "

func (byErrors) Engine() string { return "runs" }
func (byErrors) Accepts(p *pipe) error {
	if err := p.tellingRuns(); err != nil {
		return err
	}
	return unless(p.j.Memory || p.j.Folder(), "no memory rules and no tests are given")
}

func (byErrors) Search(ctx context.Context, p *pipe) (*Answer, error) {
	rep, steps, err := p.runs.ByErrors(ctx)
	if err != nil {
		return nil, err
	}
	if rep.Result == report.Repaired {
		return &Answer{Report: rep}, nil
	}
	if p.steps == mostSteps || len(p.j.Lock) > 0 { // line numbers change, and nothing maps the locked lines to the new ones
		return nil, nil
	}
	var best *Answer
	for _, step := range steps {
		a, err := p.further(ctx, rep, step)
		if err != nil {
			return nil, err
		}
		if a != nil && a.Report.Result == report.Repaired {
			if why, err := p.runs.Avoids(ctx, a.Report.Sources(0)); why == "" || err != nil {
				return a, err
			}
			continue
		}
		if a != nil && step.Sure && best == nil {
			best = a
		}
	}
	return best, nil
}

// further repairs the program after a step. If an error remains, the report says which.
func (p *pipe) further(ctx context.Context, rep *report.Report, step *runs.Step) (*Answer, error) {
	dir, err := process.TempDir("gulo-step")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	j := *p.j
	if j.Files, j.Options, err = patch.WriteTo(dir, p.j.Files, p.j.Options, step.Texts); err != nil {
		return nil, err
	}
	p.j.Say("one error is repaired, and another one is left")
	j.Limit, j.Best = max(p.share(ctx, stepShare), leastStep), p.onTop(ctx, &j, &step.Repair, step.Texts)
	next := &pipe{j: &j, until: budget.After(ctx, j.Limit), deep: true, steps: p.steps + 1}
	b, err := next.fix(ctx)
	if err != nil && !refused(err) {
		return nil, err
	}
	one := *rep
	one.Repairs, one.Texts = []report.Repair{step.Repair}, []map[string]string{step.Texts}
	if err != nil || b.Report.Met() {
		return nil, nil // then the step alone was a repair, and was refuted as one
	}
	texts, own := maps.Clone(step.Texts), map[string]string{}
	for i, name := range j.Files {
		own[name] = p.j.Files[i]
		if more := b.Report.Result == report.Repaired || b.stepsDone > 0; more && len(b.Report.Texts) > 0 { // else the further repair was refuted
			if t, ok := b.Report.Sources(0)[name]; ok {
				texts[p.j.Files[i]] = t
			}
		}
	}
	if b.Report.Result == report.Repaired || b.stepsDone > 0 {
		a, err := p.joined(ctx, half{&Answer{Report: &one}, step.Texts}, b, texts, own)
		if err != nil {
			return nil, err
		}
		one = *a.Report
	}
	n := b.stepsDone + 1
	if b.Report.Result == report.Repaired {
		n = b.stepsDone + 2
		ev := &one.Repairs[0].Evidence
		text := ev.Text
		if _, whole, ok := strings.Cut(text, allEdits); ok {
			text = whole
		}
		ev.Text = fmt.Sprintf("%s are repaired one after the other, the first: %s", plural.N(n, "error"), step.Gone) + allEdits + text
		return &Answer{Report: &one, stepsDone: n - 1}, nil
	}
	one.Result = report.None
	left := b.Report.Example
	for from, to := range own {
		left = strings.ReplaceAll(left, from, to)
	}
	one.Cause = fmt.Sprintf("%d of at least %s can be repaired, and no repair was found for the next one: %s", n, plural.N(n+1, "error"), left)
	one.Repairs[0].Evidence.Text = "with this repair the first error is gone, and the program still does what it did right on the given and made-up runs"
	return &Answer{Report: &one, stepsDone: n}, nil
}
