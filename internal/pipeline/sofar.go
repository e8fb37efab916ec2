package pipeline

import (
	"context"
	"maps"

	"gulo/internal/budget"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/patch"
	"gulo/internal/report"
)

// This file answers for a search that the time limit ends: with the best candidate that it has so far.

// interim replaces an answer that the time limit cut short by the best candidate so far, if there is one.
func (p *pipe) interim(ctx context.Context, a *Answer) *Answer {
	rep := a.Report
	over := rep.Result == report.Unknown && rep.Cause == report.TimeLimit || budget.Over(ctx, p.until)
	if !over || rep.Result == report.Repaired || rep.Met() || a.final {
		return a
	}
	best := p.j.Best.Report(report.TimeLimit)
	if best == nil {
		return a
	}
	if best.Example == "" {
		best.Entry, best.Failing, best.Cases, best.Example = rep.Entry, rep.Failing, rep.Cases, rep.Example
	}
	best.Notes, best.Millis = rep.Notes, rep.Millis
	return &Answer{Report: best, engine: a.engine}
}

// offer shows a repair to whoever waits, while it is still being checked against everything else.
func (p *pipe) offer(stage report.Stage, a *Answer) {
	if a.Report.Result == report.Repaired {
		p.j.Best.About(a.Report)
		p.j.Best.Offer(stage, a.Report.Repairs[0], a.Report.Sources(0))
	}
}

// own is for a search of the program with another main, whose tests are of a kind and come from from. A candidate is
// shown as the edit of the original program.
func (p *pipe) own(ctx context.Context, b *judge.Behind, kind, from string) *report.SoFar {
	return p.translated(ctx, func(c *report.Candidate) bool {
		if c.Texts = b.Texts(c.Texts); c.Texts == nil {
			return false
		}
		b.Rename(&c.Repair)
		c.Repair.Evidence.Kind, c.Repair.Evidence.From = kind, from
		return true
	})
}

// onTop is for a search of the program with a first edit already made. A candidate is shown with that edit.
func (p *pipe) onTop(ctx context.Context, edited *job.Job, first *report.Repair, texts map[string]string) *report.SoFar {
	return p.translated(ctx, func(c *report.Candidate) bool {
		all := maps.Clone(texts)
		own := map[string]string{}
		for i, name := range edited.Files {
			own[name] = p.j.Files[i]
			if t, ok := c.Texts[name]; ok {
				all[p.j.Files[i]] = t
			}
		}
		c.Texts = all
		edits := append([]report.Changed(nil), first.Edits...)
		for _, e := range c.Repair.Edits {
			if name, ok := own[e.File]; ok {
				e.File = name
			}
			edits = append(edits, e)
		}
		c.Repair.Edits = edits
		c.Repair.Hints = append(append([]string(nil), first.Hints...), c.Repair.Hints...)
		return true
	})
}

// translated is for a search of a changed program. as turns each candidate into one of the original program: its texts
// and places.
func (p *pipe) translated(ctx context.Context, as report.Translate) *report.SoFar {
	prog, err := p.j.Load(ctx)
	if err != nil {
		return nil
	}
	return p.j.Best.Within(func(c *report.Candidate) bool {
		if !as(c) {
			return false
		}
		c.Repair.Changes = report.Changes(prog, c.Texts)
		c.Repair.Diff, err = patch.DiffTexts(prog, c.Texts)
		return err == nil && report.Keeps(c.Repair.Changes, p.j.Lock)
	})
}
