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

// This file is about a search that ends before it has come to its end: it shows the best that it has in hand.

// interim answers with what is in hand where the time was up before there was an answer.
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

// offer shows who waits what an engine answers with, while it is held against everything else.
func (p *pipe) offer(stage report.Stage, a *Answer) {
	if a.Report.Result == report.Repaired {
		p.j.Best.About(a.Report)
		p.j.Best.Offer(stage, a.Report.Repairs[0], a.Report.Sources(0))
	}
}

// own is for a search of the program with another main, by so many cases of a kind: what it finds is shown as what it is
// of the program itself.
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

// onTop is for a search of the program with an edit in it.
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

// translated is for a search whose candidates become the program's own by as, which gives them their texts and places.
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
