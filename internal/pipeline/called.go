package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/report"
)

// This file repairs a function by a reference that has no main, or when no run of the program is known. Calls of the
// function become whole runs of the program and of the reference, each with a main appended to its text, so that all
// edits of the text can be searched.

// byCalled searches edits of the text by calls of a function that are compared with the reference's.
type byCalled struct{}

func (byCalled) Engine() string { return "runs" }
func (byCalled) Accepts(p *pipe) error {
	s := &p.j.Spec
	return unless(p.runs == nil && len(s.Reference) > 0 && !s.Folder() && !p.j.Several() && p.j.Inputs == "" && p.j.Entry != "main",
		"it makes runs of calls of a function beside a reference where there are no whole runs")
}

// Bounds of the calls that become runs.
const (
	givenCalls   = 60
	calledRounds = 3
	calledKept   = 3 // repairs among which one is chosen
	leastRound   = 500 * time.Millisecond
)

func (byCalled) Search(ctx context.Context, p *pipe) (*Answer, error) {
	j := *p.j
	j.Limit = p.share(ctx, 1)
	set, err := cases.Make(ctx, &j)
	if err != nil {
		return nil, err
	}
	if set.Entry == nil || set.Entry.Name == "main" || set.Given.Entry == nil {
		return nil, nil
	}
	c := &called{p: p, j: &judge.Judge{Set: set, Until: p.until}}
	if c.runs, err = c.j.CallRuns(givenCalls); err != nil || c.runs.Failing == 0 {
		return nil, err
	}
	var a *Answer
	for range calledRounds {
		learned := false
		if a, learned, err = c.round(ctx); err != nil || !learned || p.share(ctx, 1) < leastRound {
			break
		}
	}
	return a, err
}

// called is the state of a search by calls that become runs.
type called struct {
	p    *pipe
	j    *judge.Judge
	runs *judge.CallRuns
}

// round searches once. learned reports whether a call that refuted a repair has become a test.
func (c *called) round(ctx context.Context) (a *Answer, learned bool, err error) {
	dir, err := process.TempDir("gulo-called-")
	if err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(dir)
	b, err := c.runs.Behind(ctx, c.p.j, dir)
	var no *judge.UnwrittenError
	if errors.As(err, &no) {
		return nil, false, &declined{err}
	}
	if b == nil || err != nil {
		return nil, false, err
	}
	one := b.Job
	one.Limit, one.Engines, one.Progress = c.p.share(ctx, 1), []string{"runs"}, c.p.j.Progress
	one.Repairs, one.Best = max(c.p.j.Repairs, calledKept), c.p.own(ctx, b, "call", "the reference")
	next := &pipe{j: b.Job.Keeping(), until: c.p.until, called: true}
	found, err := next.fix(ctx)
	var use *job.UsageError
	if errors.As(err, &use) {
		return nil, false, &declined{err}
	}
	if err != nil {
		return nil, false, err
	}
	out := &report.Report{Result: found.Report.Result, Cause: found.Report.Cause, Entry: c.j.Entry.Name, Cases: len(c.j.Given.Cases), Notes: c.j.Notes, Repairs: []report.Repair{}}
	if out.Example, out.Failing, err = c.j.Example(); err != nil {
		return nil, false, err
	}
	if out.Failing == 0 { // one of the calls held back fails
		out.Failing = c.runs.Failing
	}
	if out.Result != report.Repaired {
		return &Answer{Report: out}, false, nil
	}
	refuted := ""
	for i := range found.Report.Repairs {
		texts := b.Texts(found.Report.Sources(i))
		if texts == nil {
			refuted = "it changes more than the function"
			continue
		}
		one, refuting, err := c.j.JudgeText(ctx, texts)
		if err != nil {
			return nil, false, err
		}
		if refuting != nil {
			refuted = refuting.Name
			learned = c.runs.Learn(refuting) || learned
			continue
		}
		why := ""
		if one.Evidence.Compiled {
			why, err = c.j.Tried(ctx, texts, &one)
		}
		if err != nil {
			return nil, false, err
		}
		if why != "" {
			refuted = why
		}
		if !one.Evidence.Compiled || why != "" || !report.Keeps(one.Changes, c.p.j.Lock) {
			continue
		}
		b.Rename(&found.Report.Repairs[i])
		one.Edits, one.Hints = found.Report.Repairs[i].Edits, found.Report.Repairs[i].Hints
		if out.Repairs, out.Texts = append(out.Repairs, one), append(out.Texts, texts); len(out.Repairs) >= max(c.p.j.Repairs, 1) {
			break
		}
	}
	if len(out.Repairs) == 0 {
		out.Result, out.Cause = report.None, fmt.Sprintf("every edit that meets the %s fails on others: %s", plural.N(out.Cases, "given case"), refuted)
		return &Answer{Report: out}, learned, nil
	}
	return &Answer{Report: out}, false, nil
}
