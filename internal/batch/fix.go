package batch

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
	"gulo/internal/report"
)

// Search looks for patches with which a program meets cases.
type Search struct {
	// Solve does. refuted returns a held-back case that a patch does not meet, nil for none;
	// Solve may add it to the problem's cases.
	Solve func(ctx context.Context, p *natural.Problem, refuted func([]*lower.Overlay) (*oracle.Case, error)) (*natural.Result, error)
	None  func() string // why Solve found nothing, when it tried all
	Calls string        // what cannot be done with whole runs; empty when it can
	Want  int           // repairs wanted
}

// smallest searches for the fewest edits.
func (t *task) smallest() *Search {
	return &Search{
		Solve: func(ctx context.Context, p *natural.Problem, _ func([]*lower.Overlay) (*oracle.Case, error)) (*natural.Result, error) {
			return natural.Solve(ctx, p)
		},
		None: func() string {
			return fmt.Sprintf("no repair of up to %d edits was found in %s", max(t.req.MaxEdits, 3), names(t.scope))
		},
		Want: 12,
	}
}

// Fix repairs a program.
func Fix(ctx context.Context, req *job.Job) (*report.Report, error) { return FixBy(ctx, req, nil) }

// FixBy repairs a program by another search; nil stands for that of the fewest edits.
func FixBy(ctx context.Context, req *job.Job, by *Search) (*report.Report, error) {
	begin := time.Now()
	if by != nil && by.Calls != "" && req.Entry == "main" {
		return nil, job.Usage("%s", by.Calls)
	}
	t, err := prepare(ctx, req)
	if isNoRuns(err) {
		return &report.Report{Result: report.Unknown, Cause: err.Error(), Entry: "main", Repairs: []report.Repair{}}, nil
	}
	if err != nil {
		return nil, err
	}
	if by == nil {
		by = t.smallest()
	}
	if by.Calls != "" && t.given.Entry == nil {
		return nil, job.Usage("%s", by.Calls)
	}
	if req.Limit == 0 {
		req.Limit = 20 * time.Second
	}
	rep := &report.Report{Cases: len(t.given.Cases), Notes: t.notes}
	if t.entry != nil {
		rep.Entry = t.entry.Name
	}
	if err = t.byDeclarations(ctx, rep, nil); err == nil && rep.Result == "" {
		err = t.rounds(ctx, rep, by, begin.Add(req.Limit))
	}
	rep.Millis = float64(time.Since(begin).Microseconds()) / 1000
	return rep, err
}

// rounds searches, holds the repairs against inputs that were held back, and
// searches again with what refuted them.
func (t *task) rounds(ctx context.Context, rep *report.Report, by *Search, until time.Time) error {
	for round := 0; round < maxRounds; round++ {
		cases := len(t.given.Cases)
		t.req.Say("looking for repairs that meet %d cases", cases)
		res, err := by.Solve(ctx, &natural.Problem{
			Prog: t.prog, Suite: t.given, Funcs: t.scope, MaxEdits: t.req.MaxEdits,
			Limit: max(time.Until(until), 10*time.Millisecond), Want: by.Want, Probe: t.probe,
			Free: func(id int32) bool { return !t.req.Locked(t.prog.Stmts[id]) },
		}, func(os []*lower.Overlay) (*oracle.Case, error) { return t.refuted(os, nil, nil) })
		if err != nil {
			return err
		}
		if rep.Failing == 0 { // none of the first cases may fail, and one that was held back
			rep.Failing, rep.Cases = res.Failing, cases
			if res.Failing > 0 {
				if rep.Example, err = t.example(); err != nil {
					return err
				}
			}
		}
		if res.Failing == 0 {
			again, err := t.refuted(nil, nil, nil)
			if err != nil {
				return err
			}
			if again == nil {
				t.unrefuted(rep)
				rep.Notes = append(rep.Notes, t.unvaried()...)
				return nil
			}
			t.given.Cases = append(t.given.Cases, again)
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
		if err != nil || learn == nil || time.Now().After(until) {
			return err
		}
		if round+1 < maxRounds {
			rep.Repairs, rep.Texts = nil, nil
			t.given.Cases = append(t.given.Cases, learn...)
		}
	}
	return nil
}

// unrefuted answers when every case is met. That nothing is wrong is known when the
// tests are all that was asked, or the text is the reference's.
func (t *task) unrefuted(rep *report.Report) {
	f := t.facts()
	f.HeldMet, f.AllMet, f.Compiled = f.Held, f.All, true
	rep.Result, rep.Evidence = report.Alike, &f
	switch {
	case t.ref == nil:
		rep.Result, f.Text = report.Right, f.Met()
	case t.same():
		rep.Result, f.Unseen, f.Proof = report.Right, nil, "proved: the text is the reference's"
		f.Text = f.Proof
	default:
		f.Text = f.NoDifference()
		rep.Cause = f.Text
	}
}

// judge reports the repairs that hold; learn are held-back cases that refute all
// of them.
func (t *task) judge(ctx context.Context, rep *report.Report, rs []natural.Repair) (learn []*oracle.Case, err error) {
	type judged struct {
		r  report.Repair
		to map[string]string
		c  *oracle.Case
	}
	var good, bad []judged
	natively := "" // what refutes a repair that holds on the machine
	for _, r := range rs {
		one, to, refuting, err := t.describe(ctx, r.Patch)
		if err != nil {
			return nil, err
		}
		switch {
		case !one.Evidence.Compiled:
		case refuting == nil:
			why, err := t.tried(ctx, to, &one)
			if err != nil {
				return nil, err
			}
			if why != "" {
				natively = why
				continue
			}
			good = append(good, judged{one, to, nil})
		default:
			bad = append(bad, judged{one, to, refuting})
		}
		if len(good) >= max(t.req.Repairs, 1) {
			break
		}
	}
	keep := good
	if len(good) == 0 {
		keep = bad
		seen := map[*oracle.Case]bool{}
		for _, b := range bad {
			if !seen[b.c] && len(learn) < 5 {
				seen[b.c] = true
				learn = append(learn, b.c)
			}
		}
	}
	rep.Result = report.Repaired
	for _, k := range keep[:min(len(keep), max(t.req.Repairs, 1))] {
		rep.Repairs, rep.Texts = append(rep.Repairs, k.r), append(rep.Texts, k.to)
	}
	switch {
	case len(good) > 0:
	case len(bad) > 0:
		rep.Result, rep.Cause = report.None, fmt.Sprintf("what meets the %d given cases fails on others: %s", len(t.given.Cases), bad[0].c.Name)
	case natively != "":
		rep.Result, rep.Cause = report.None, "what meets the given cases on the machine fails compiled with the sanitizers: "+natively
	default:
		rep.Result, rep.Cause = report.None, "gcc accepts none of the changes with which the given cases are met"
	}
	return learn, nil
}

// refuted returns the first held-back case that a patch does not meet.
func (t *task) refuted(os []*lower.Overlay, held, all *int) (*oracle.Case, error) {
	c, err := refutedBy(t.held, os, held)
	if c == nil && err == nil {
		c, err = refutedBy(t.all, os, all)
	}
	return c, err
}

func refutedBy(s *oracle.Suite, os []*lower.Overlay, met *int) (*oracle.Case, error) {
	if s == nil {
		return nil, nil
	}
	run, err := oracle.NewRunner(s)
	if err != nil {
		return nil, err
	}
	for _, c := range s.Cases {
		r, err := run.Run(c, os)
		if err != nil {
			return nil, err
		}
		if !r.Meets(c.Want) {
			return c, nil
		}
		if met != nil {
			*met++
		}
	}
	return nil, nil
}

// describe makes the report of one repair.
func (t *task) describe(ctx context.Context, p *repair.Patch) (report.Repair, map[string]string, *oracle.Case, error) {
	var out report.Repair
	diff, err := patch.Diff(t.prog, p)
	if err != nil {
		return out, nil, nil, nil // a patch that cannot be written is none
	}
	texts, err := patch.Rewrite(t.prog, p)
	if err != nil {
		return out, nil, nil, nil
	}
	out.Diff, out.Changes = diff, report.Changes(t.prog, texts)
	if !report.Keeps(out.Changes, t.req.Lock) {
		return out, nil, nil, nil
	}
	for _, e := range p.Edits() {
		out.Edits = append(out.Edits, report.EditOf(t.prog, e))
	}
	os, err := natural.Overlays(t.prog, p)
	if err != nil {
		return out, nil, nil, err
	}
	ev := &out.Evidence
	*ev = t.facts()
	c, err := t.refuted(os, &ev.HeldMet, &ev.AllMet)
	if err != nil {
		return out, nil, nil, err
	}
	if c != nil {
		ev.Counter = c.Name
	}
	if ev.Exercise, err = t.exercise(p, os); err != nil {
		return out, nil, nil, err
	}
	if ev.Near, err = t.near(os); err != nil {
		return out, nil, nil, err
	}
	ev.Compiled, err = patch.Compiles(ctx, t.req.Files, t.req.Options, texts)
	if err != nil {
		return out, nil, nil, err
	}
	ev.Text = ev.String()
	out.Hints = report.Hints(t.prog, p)
	return out, texts, c, nil
}

// example describes the first failing case.
func (t *task) example() (string, error) {
	run, err := oracle.NewRunner(t.given)
	if err != nil {
		return "", err
	}
	var c *oracle.Case
	var r *oracle.Run
	for _, x := range t.given.Cases {
		got, err := run.Run(x, nil)
		if err != nil {
			return "", err
		}
		if !got.Meets(x.Want) && (c == nil || len(x.Name) < len(c.Name)) {
			c, r = x, got
		}
	}
	if c == nil {
		return "", nil
	}
	if c, r, err = t.shrunk(c, r); err != nil {
		return "", err
	}
	name := c.Name
	if name == "" {
		name = "a call without arguments"
	}
	return fmt.Sprintf("on %s: %s", name, r.Differs(c.Want)), nil
}

func names(fs []*cfront.Func) string {
	var out []string
	for _, f := range fs {
		out = append(out, f.Name)
	}
	sort.Strings(out)
	return strings.Join(out, ", ")
}
