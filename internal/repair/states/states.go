// Package states repairs by calls of a function in given states of memory. It searches for edits that meet all given
// cases on the machine (repair/natural) and checks them on held-back cases. Those that refute a repair become given
// cases. Whole runs can be cases, too.
//
// FixBy takes another Search over the same cases.
package states

import (
	"context"
	"fmt"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/repair"
	"gulo/internal/repair/declared"
	"gulo/internal/repair/natural"
	"gulo/internal/report"
)

// Search is a way to find patches with which a program meets cases.
type Search struct {
	// Solve searches. refuted returns a held-back case that a patch does not meet, or nil; Solve may add that case to
	// the problem's.
	Solve func(ctx context.Context, p *natural.Problem, refuted func([]*lower.Overlay) (*oracle.Case, error)) (*natural.Result, error)
	None  func() string // why a complete Solve found nothing
	Calls string        // why Solve cannot deal with whole runs; "" if it can
	Want  int           // number of repairs wanted
}

// maxRounds bounds how often the search learns from held-back inputs.
const maxRounds = 4

// engine searches by the cases of a job.
type engine struct{ *judge.Judge }

// smallest is the search for the fewest edits.
func (t *engine) smallest() *Search {
	return &Search{
		Solve: func(ctx context.Context, p *natural.Problem, _ func([]*lower.Overlay) (*oracle.Case, error)) (*natural.Result, error) {
			return natural.Solve(ctx, p)
		},
		None: func() string {
			return fmt.Sprintf("no repair of up to %s was found in %s", plural.N(max(t.Job.MaxEdits, 3), "edit"), cases.Names(t.Scope))
		},
		Want: 12,
	}
}

// Fix repairs a program.
func Fix(ctx context.Context, req *job.Job) (*report.Report, error) { return FixBy(ctx, req, nil) }

// FixBy repairs a program by another search; nil means the search for the fewest edits.
func FixBy(ctx context.Context, req *job.Job, by *Search) (*report.Report, error) {
	begin, clock := budget.Now(ctx), time.Now()
	if by != nil && by.Calls != "" && req.Entry == "main" {
		return nil, job.Usage("%s", by.Calls)
	}
	set, err := cases.Make(ctx, req)
	if cases.IsNoRuns(err) {
		return &report.Report{Result: report.Unknown, Cause: err.Error(), Entry: "main", Repairs: []report.Repair{}}, nil
	}
	if err != nil {
		return nil, err
	}
	t := &engine{&judge.Judge{Set: set}}
	if by == nil {
		by = t.smallest()
	}
	if by.Calls != "" && t.Given.Entry == nil {
		return nil, job.Usage("%s", by.Calls)
	}
	if req.Limit == 0 {
		req.Limit = cases.DefaultLimit
	}
	rep := &report.Report{Cases: len(t.Given.Cases), Notes: t.Notes}
	if t.Entry != nil {
		rep.Entry = t.Entry.Name
	}
	if err = declared.Try(ctx, t.Judge, rep, nil); err == nil && rep.Result == "" {
		err = t.rounds(ctx, rep, by, begin.Add(req.Limit))
	}
	rep.Millis = float64(time.Since(clock).Microseconds()) / 1000
	return rep, err
}

// rounds searches, checks the repairs on held-back inputs, and searches again with those that refuted them.
func (t *engine) rounds(ctx context.Context, rep *report.Report, by *Search, until time.Time) error {
	for round := 0; round < maxRounds; round++ {
		cases := len(t.Given.Cases)
		t.Job.Say("looking for repairs that meet %s", plural.N(cases, "case"))
		res, err := by.Solve(ctx, &natural.Problem{
			Prog: t.Prog, Suite: t.Given, Funcs: t.Scope, MaxEdits: t.Job.MaxEdits,
			Limit: max(budget.Until(ctx, until), 10*time.Millisecond), Want: by.Want, Probe: t.Probe,
			Free: func(id int32) bool { return !t.Job.Locked(t.Prog.Stmts[id]) },
		}, func(os []*lower.Overlay) (*oracle.Case, error) {
			c, err := t.Refuted(os, nil, nil)
			if err != nil {
				return nil, err
			}
			return t.first(ctx, os, c)
		})
		if err != nil {
			return err
		}
		if rep.Failing == 0 { // perhaps only a held-back case fails
			rep.Failing, rep.Cases = res.Failing, cases
			if res.Failing > 0 {
				if err = t.Show(ctx, rep); err != nil {
					return err
				}
				t.Job.Best.About(rep)
			}
		}
		if res.Failing == 0 {
			again, err := t.Refuted(nil, nil, nil)
			if err != nil {
				return err
			}
			whole := again
			if again, err = t.first(ctx, nil, again); err != nil {
				return err
			}
			if whole != nil && again == nil {
				rep.Result, rep.Cause = report.None, fmt.Sprintf("%s of %s %s met; a whole run is not: %s", plural.All(cases, "call"), t.Entry.Name, plural.Verb(cases, "is", "are"), whole.Name)
				return nil
			}
			if again == nil {
				t.Unrefuted(rep)
				rep.Notes = append(rep.Notes, t.Unvaried()...)
				return nil
			}
			t.Given.Cases = append(t.Given.Cases, again)
			continue
		}
		if len(res.Repairs) == 0 {
			rep.Result, rep.Cause = report.None, by.None()
			if res.Cause != "" {
				rep.Result, rep.Cause = report.Unknown, res.Cause
			}
			return nil
		}
		learn, err := t.judge(ctx, rep, res.Repairs)
		if err != nil || learn == nil || budget.Over(ctx, until) {
			return err
		}
		if round+1 < maxRounds {
			rep.Repairs, rep.Texts = nil, nil
			t.Given.Cases = append(t.Given.Cases, learn...)
		}
	}
	return nil
}

// first returns the first case that can be learned from what refutes a patch; nil if there is none.
func (t *engine) first(ctx context.Context, os []*lower.Overlay, c *oracle.Case) (*oracle.Case, error) {
	list, err := t.Learned(ctx, os, c)
	if len(list) == 0 || err != nil {
		return nil, err
	}
	return list[0], nil
}

// likelier moves repairs with as few edits as the first, and with which functions read like the reference's, to the
// front.
func (t *engine) likelier(rs []natural.Repair) []natural.Repair {
	if len(rs) < 2 || t.Ref == nil {
		return rs
	}
	n := len(rs[0].Patch.Edits())
	var as, other []natural.Repair
	for _, r := range rs {
		if len(r.Patch.Edits()) == n && t.AsReference(r.Patch) {
			as = append(as, r)
		} else {
			other = append(other, r)
		}
	}
	return append(as, other...)
}

// judge reports the repairs that hold. learn are held-back cases that refute all of them.
func (t *engine) judge(ctx context.Context, rep *report.Report, rs []natural.Repair) (learn []*oracle.Case, err error) {
	type judged struct {
		r  report.Repair
		to map[string]string
		c  *oracle.Case
		p  *repair.Patch
	}
	var good, bad []judged
	natively := "" // what refutes a repair natively that holds on the machine
	for _, r := range t.likelier(rs) {
		one, to, refuting, err := t.Describe(ctx, r.Patch)
		if err == nil && refuting != nil {
			one.Evidence.Compiled, err = t.Compiles(ctx, to)
		}
		if err != nil {
			return nil, err
		}
		switch {
		case !one.Evidence.Compiled:
		case refuting == nil:
			why, err := t.Tried(ctx, to, &one)
			if err != nil {
				return nil, err
			}
			if why != "" {
				t.Job.Best.Drop(to)
				natively = why
				continue
			}
			good = append(good, judged{one, to, nil, r.Patch})
		default:
			bad = append(bad, judged{one, to, refuting, r.Patch})
		}
		if len(good) >= max(t.Job.Repairs, 1) {
			break
		}
	}
	keep := good
	if len(good) == 0 {
		keep = bad
		seen := map[*oracle.Case]bool{}
		for _, b := range bad {
			if seen[b.c] || len(learn) >= 5 {
				continue
			}
			seen[b.c] = true
			os, err := natural.Overlays(t.Prog, b.p)
			if err != nil {
				return nil, err
			}
			more, err := t.Learned(ctx, os, b.c)
			if err != nil {
				return nil, err
			}
			learn = append(learn, more...)
		}
	}
	rep.Result = report.Repaired
	for _, k := range keep[:min(len(keep), max(t.Job.Repairs, 1))] {
		rep.Repairs, rep.Texts = append(rep.Repairs, k.r), append(rep.Texts, k.to)
	}
	switch {
	case len(good) > 0:
	case len(bad) > 0:
		rep.Result, rep.Cause = report.None, fmt.Sprintf("every edit that meets the %s fails on others: %s", plural.N(len(t.Given.Cases), "given case"), bad[0].c.Name)
	case natively != "":
		rep.Result, rep.Cause = report.None, "every edit that meets the given cases on the machine fails when compiled with the sanitizers: "+natively
	default:
		rep.Result, rep.Cause = report.None, "gcc accepts none of the changes with which the given cases are met"
	}
	return learn, nil
}
