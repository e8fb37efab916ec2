package pipeline

import (
	"context"
	"errors"
	"os"
	"time"

	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/process"
	"gulo/internal/pwp"
	"gulo/internal/report"
)

// This file repairs by a contract: the calls for which the contract is checked become whole runs, and these are the
// tests.

// byCalls searches edits of the text by calls for which a contract is checked.
type byCalls struct {
	linked bool // only functions of lists and trees: traces and logic say less about those
}

func (byCalls) Engine() string { return "runs" }
func (b byCalls) Accepts(p *pipe) error {
	if !p.j.ByContract() || p.j.Several() {
		return errors.New("no contract alone is given")
	}
	return nil
}

func (b byCalls) Search(ctx context.Context, p *pipe) (*Answer, error) {
	if p.share(ctx, 1) < leastRound { // making the calls alone takes longer
		return nil, nil
	}
	calls, err := pwp.MakeCalls(ctx, evidence(p.j))
	if errors.Is(err, pwp.ErrMet) || err == nil && b.linked && !calls.Linked() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	whole, err := calls.Whole()
	if err != nil {
		return nil, err
	}
	limit := p.share(ctx, 1)
	if b.linked {
		limit = p.share(ctx, engineShare)
	}
	if whole { // repairs that keep other runs unchanged come before repairs that change some
		a, err := b.search(ctx, p, calls, true, limit/2)
		if a != nil || err != nil {
			return a, err
		}
		if limit = min(limit/2, p.share(ctx, 1)); limit < leastRound {
			return nil, nil
		}
	}
	return b.search(ctx, p, calls, false, limit)
}

// search searches by the calls and, if whole is set, also by the program's own runs that keep the contract.
func (b byCalls) search(ctx context.Context, p *pipe, calls *pwp.Calls, whole bool, limit time.Duration) (*Answer, error) {
	dir, err := process.TempDir("gulo-contract-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	runs, err := calls.Runs(ctx, dir, whole)
	if err != nil {
		return nil, &declined{err} // something cannot be written as C
	}
	one := *runs.Job
	one.Limit, one.Engines, one.Progress = limit, []string{"runs"}, p.j.Progress
	one.Repairs, one.Best = max(p.j.Repairs, mostKept), p.own(ctx, runs, "call", "the generator")
	a, err := Fix(ctx, &one)
	var use *job.UsageError
	if errors.As(err, &use) {
		return nil, &declined{err}
	}
	if err != nil || a.Report.Result != report.Repaired {
		return nil, err
	}
	return kept(ctx, calls, runs, a.Report, max(p.j.Repairs, 1), !b.linked)
}

// mostKept bounds the repairs among which one is chosen.
const mostKept = 2

// kept returns an answer with the repairs that keep the contract, those with the smallest change of behaviour first, or
// nil if there are none. last says that no engine is asked after this one, so that repairs which change more are kept,
// too.
func kept(ctx context.Context, calls *pwp.Calls, runs *judge.Behind, rep *report.Report, most int, last bool) (*Answer, error) {
	out := *rep
	out.Repairs, out.Texts = []report.Repair{}, nil
	var found [pwp.Refuted][]int
	for i := range rep.Repairs {
		texts := runs.Texts(rep.Sources(i))
		if texts == nil {
			continue
		}
		runs.Rename(&rep.Repairs[i])
		far, err := calls.Judge(ctx, texts, &rep.Repairs[i])
		if err != nil {
			return nil, err
		}
		if far < pwp.Refuted {
			found[far] = append(found[far], i)
		}
	}
	besides := false
	for far, list := range found {
		for _, i := range list {
			if len(out.Repairs) < most && (far < int(pwp.Stores) || last) && (far < int(pwp.Besides) || len(out.Repairs) == 0) {
				besides = far == int(pwp.Besides)
				out.Repairs, out.Texts = append(out.Repairs, rep.Repairs[i]), append(out.Texts, runs.Texts(rep.Sources(i)))
			}
		}
	}
	if len(out.Repairs) == 0 {
		return nil, nil
	}
	calls.Describe(&out)
	return &Answer{Report: &out, besides: besides}, nil
}
