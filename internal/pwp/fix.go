package pwp

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/locate/evidence"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/process"
	"gulo/internal/repair"
	"gulo/internal/repair/modify"
	"gulo/internal/report"
	"gulo/internal/trust"
)

// mostTraces bounds the error traces that are examined, and mostErrors the errors that are corrected one after the
// other.
const (
	mostTraces = 6
	mostErrors = 2
)

// Fix locates and repairs the fault.
func Fix(ctx context.Context, req *job.Job) (*Answer, error) {
	begin := time.Now()
	t, err := prepare(ctx, req)
	if err != nil {
		return nil, err
	}
	rep := &Answer{Explanation: []string{}}
	rep.Repairs = []report.Repair{}
	rep.Entry, rep.Failing, rep.Cases, rep.Outside = t.ct.Func.Name, t.bad, len(t.tests), t.out
	if err := t.learn(rep); err != nil {
		return nil, err
	}
	if rep.Result == "" {
		if rep.Example, err = t.example(); err != nil {
			return nil, err
		}
		err = t.fix(ctx, rep, 1)
	}
	rep.Notes = t.notes
	rep.Millis = float64(time.Since(begin).Microseconds()) / 1000
	return rep, err
}

// learn looks for a failing call among the held-back ones if no test fails.
func (t *task) learn(rep *Answer) error {
	if t.bad > 0 {
		return nil
	}
	if t.req.Tests != "" {
		t.unbroken(rep, 0, fmt.Sprintf("%s:1:1: add a call that breaks it", t.req.Tests))
		return nil
	}
	c, n, err := t.refuted(nil)
	if err != nil {
		return err
	}
	if c == nil {
		t.unbroken(rep, n, "")
		return nil
	}
	t.tests, t.bad = append([]*oracle.Case{c}, t.tests...), 1
	rep.Failing, rep.Cases = 1, len(t.tests)
	return nil
}

// unbroken fills in the answer if no call breaks the contract. n is the number of held-back calls that were made.
func (t *task) unbroken(rep *Answer, n int, why string) {
	f := t.facts(n)
	f.Why = why
	f.Text = f.NoDifference()
	rep.Result, rep.Cause, rep.Evidence = report.Alike, f.Text, &f
}

// facts returns what is known about a program that n held-back calls do not refute.
func (t *task) facts(n int) trust.Facts {
	f := trust.Facts{Given: len(t.tests), Kind: "call", From: "the generator", Held: n, HeldMet: n, Compiled: true}
	switch {
	case t.req.Tests != "":
		f.From = t.req.Tests
	case t.asMet:
		f.From = "runs of the program"
	}
	if t.out > 0 {
		f.Unseen = []string{trust.Count(t.out, "call") + " outside the precondition"}
	}
	return f
}

// fix is Figure 2, over all error traces. A modification that corrects some of the failing calls is the basis of
// another round.
func (t *task) fix(ctx context.Context, rep *Answer, round int) error {
	traces, err := t.traces(mostTraces)
	if err != nil {
		return err
	}
	if rep.Trace == "" && len(traces) > 0 {
		rep.Trace = traces[0].Listing()
		rep.Explanation = explain(traces[0])
	}
	type partial struct {
		m      modify.Modification
		mended int
	}
	var halves []partial
	seen := map[string]bool{}
	var unsure []modify.Modification
	dice := t.dice()
	for pass := 0; pass < 2; pass++ {
		if pass == 0 && dice == nil {
			continue
		}
		free := dice
		if pass == 1 {
			free = nil
		}
		for n, tr := range traces {
			t.req.Say("error trace %d of %d", n+1, len(traces))
			for _, m := range modify.Modifications(t.prog, tr, t.unlocked(free)) {
				if ctx.Err() != nil || budget.Over(ctx, t.until) {
					rep.Result, rep.Cause = report.Unknown, "time"
					return t.besides(ctx, rep, round)
				}
				k := m.Edit.Describe(t.prog)
				if seen[k] {
					continue
				}
				seen[k] = true
				rep.Tried++
				os, err := t.overlays(repair.NewPatch(m.Edit))
				if err != nil {
					continue
				}
				all, mended, err := t.passes(os)
				if err != nil {
					return err
				}
				switch {
				case !all && mended > 0:
					halves = append(halves, partial{m, mended})
				case all:
					counter, _, err := t.refuted(os)
					if err != nil {
						return err
					}
					if counter != nil { // it passes the tests and breaks the contract
						t.tests = append([]*oracle.Case{counter}, t.tests...)
						t.bad++
						unsure = append(unsure, m)
						continue
					}
					x, err := t.spoils(t.prog, t.ct, os)
					if err != nil {
						return err
					}
					if x.refuted != "" || x.left+x.other > 0 {
						t.put(m, os, x)
						continue
					}
					if err := t.report(ctx, rep, m, os); err != nil {
						return err
					}
					if len(rep.Repairs) >= max(t.req.Repairs, 1) {
						rep.Result, rep.Rounds = report.Repaired, round
						return nil
					}
				}
			}
		}
	}
	if len(rep.Repairs) > 0 {
		rep.Result, rep.Rounds = report.Repaired, round
		return nil
	}
	most := mostErrors
	if t.req.Errors > 0 {
		most = t.req.Errors
	}
	if round < most && len(t.soft) == 0 {
		slices.SortStableFunc(halves, func(a, b partial) int { return b.mended - a.mended }) // those that correct most first
		for _, h := range halves[:min(len(halves), mostGrounds)] {
			if err := t.again(ctx, rep, h.m, round); err != nil || len(rep.Repairs) > 0 {
				return err
			}
		}
	}
	t.settle(rep, unsure)
	return t.besides(ctx, rep, round)
}

// soft is a modification that keeps the contract, but changes calls or runs that kept the contract before.
type soft struct {
	m  modify.Modification
	os []*lower.Overlay
	*spoilt
}

// joint is a repair of two errors, the second one soft.
type joint struct {
	report.Repair
	texts  map[string]string
	rounds int
}

// put records a modification that whole runs refute, or that changes whole runs.
func (t *task) put(m modify.Modification, os []*lower.Overlay, x *spoilt) {
	switch {
	case x.refuted == "":
		t.soft = append(t.soft, soft{m, os, x})
	case t.spoilt == "":
		t.spoilt = m.Edit.Describe(t.prog) + " keeps the contract on all calls, but " + x.refuted
	}
}

// mostSoft bounds the soft modifications that are reported if there is nothing better.
const mostSoft = 4

// besides reports a soft modification or a joint repair, those that change the fewest calls and runs first. A repair
// may have to change others, as a contract does not say everything.
func (t *task) besides(ctx context.Context, rep *Answer, round int) error {
	slices.SortStableFunc(t.soft, func(a, b soft) int { return cmp.Or(a.left-b.left, a.quarter()-b.quarter()) })
	for _, s := range t.soft[:min(len(t.soft), mostSoft)] {
		if err := t.report(ctx, rep, s.m, s.os); err != nil {
			return err
		}
		if len(rep.Repairs) > 0 {
			rep.Result, rep.Cause, rep.Rounds, rep.Besides, rep.quarter = report.Repaired, "", round, true, s.quarter()
			return nil
		}
	}
	if len(t.joint) > 0 {
		j := t.joint[0]
		rep.Repairs, rep.Texts = append(rep.Repairs, j.Repair), append(rep.Texts, j.texts)
		rep.Result, rep.Cause, rep.Rounds, rep.Besides = report.Repaired, "", j.rounds, true
	}
	return nil
}

// mostGrounds bounds the partly corrected programs that are corrected further.
const mostGrounds = 12

// settle sets the result if no repair holds.
func (t *task) settle(rep *Answer, unsure []modify.Modification) {
	rep.Result, rep.Cause = report.None, "no modification that an evidence asks for passes all tests"
	if t.spoilt != "" {
		rep.Cause = t.spoilt
	} else if len(unsure) > 0 {
		rep.Cause = fmt.Sprintf("%s passed all tests and broke the contract on calls that were held back, as %s", trust.Count(len(unsure), "modification"), unsure[0].Edit.Describe(t.prog))
	}
}

// again corrects a partly corrected program.
func (t *task) again(ctx context.Context, rep *Answer, m modify.Modification, round int) error {
	if budget.Over(ctx, t.until) {
		return nil
	}
	texts, err := patch.Rewrite(t.prog, repair.NewPatch(m.Edit))
	if err != nil {
		return nil
	}
	dir, err := process.TempDir("gulo-ensure-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	next := *t.req
	if next.Files, next.Options, err = patch.WriteTo(dir, t.req.Files, t.req.Options, texts); err != nil {
		return err
	}
	next.Limit, next.Best = budget.Until(ctx, t.until), nil
	if t.req.Contract == "" {
		next.Entry = t.ct.Func.Name
	}
	u, err := prepare(ctx, &next)
	if err != nil || u.bad == 0 {
		return nil
	}
	if err := t.wholes(); err != nil {
		return err
	}
	u.until, u.whole = t.until, t.whole // of the given program
	sub := &Answer{Trace: rep.Trace, Explanation: rep.Explanation}
	if err := u.fix(ctx, sub, round+1); err != nil {
		return err
	}
	rep.Tried += sub.Tried
	if len(sub.Repairs) == 0 {
		if t.spoilt == "" && u.spoilt != "" {
			t.spoilt = m.Edit.Describe(t.prog) + " and " + u.spoilt
			for i, name := range t.req.Files {
				t.spoilt = strings.ReplaceAll(t.spoilt, next.Files[i], name)
			}
		}
		return nil
	}
	// Combine both edits to one patch of the given program.
	final := map[string]string{}
	for i, name := range t.req.Files {
		if text, ok := sub.Texts[0][next.Files[i]]; ok {
			final[name] = text
		} else if text, ok := texts[name]; ok {
			final[name] = text
		}
	}
	r := sub.Repairs[0]
	if r.Changes = report.Changes(t.prog, final); !report.Keeps(r.Changes, t.req.Lock) {
		return nil
	}
	if r.Diff, err = patch.DiffTexts(t.prog, final); err != nil {
		return err
	}
	r.Edits = append([]report.Changed{report.EditOf(t.prog, m.Edit)}, r.Edits...)
	if sub.Besides && sub.quarter > 1 {
		return nil // two edits that fit only few calls are easily found
	}
	if sub.Besides {
		t.joint = append(t.joint, joint{r, final, sub.Rounds})
		return nil
	}
	rep.Repairs, rep.Texts = append(rep.Repairs, r), append(rep.Texts, final)
	rep.Result, rep.Rounds = report.Repaired, sub.Rounds
	return nil
}

// unlocked returns a filter for statements that are free and not locked.
func (t *task) unlocked(free func(*lower.Stmt) bool) func(*lower.Stmt) bool {
	return func(s *lower.Stmt) bool { return (free == nil || free(s)) && !t.req.Locked(s) }
}

// dice returns a filter for statements that a failing test executes and some passing test does not. It is nil if dices
// are not asked for, or contain nothing (section 4).
func (t *task) dice() func(*lower.Stmt) bool {
	if !t.req.Dices {
		return nil
	}
	cover := func(c *oracle.Case) map[int32]bool {
		out := map[int32]bool{}
		_, _ = t.run.Hold(c, nil, t.ct, func(s int32) { out[s] = true })
		return out
	}
	fails := cover(t.tests[0])
	var best map[int32]bool
	for _, c := range t.tests[t.bad:] {
		best = larger(best, fails, cover(c))
	}
	if len(best) == 0 {
		return nil
	}
	return func(s *lower.Stmt) bool { return best[s.ID] }
}

// larger returns the larger of two dices, which misses less: the best so far, and the statements that a failing test
// executes and a passing one does not.
func larger(best, fails, passes map[int32]bool) map[int32]bool {
	d := map[int32]bool{}
	for s := range fails {
		if !passes[s] {
			d[s] = true
		}
	}
	if len(d) > len(best) {
		return d
	}
	return best
}

func explain(tr *evidence.Trace) []string {
	var out []string
	for _, s := range tr.AllStates() {
		for _, e := range s.Evidences() {
			if len(out) < 8 {
				out = append(out, s.Explain(e))
			}
		}
	}
	return out
}

// report adds a modification to the report if it still holds as text and natively.
func (t *task) report(ctx context.Context, rep *Answer, m modify.Modification, os []*lower.Overlay) error {
	p := repair.NewPatch(m.Edit)
	diff, err := patch.Diff(t.prog, p)
	if err != nil {
		return nil
	}
	texts, err := patch.Rewrite(t.prog, p)
	if err != nil {
		return nil
	}
	ok, err := patch.Compiles(ctx, t.req.Files, t.req.Options, texts)
	if err != nil || !ok {
		return err
	}
	r := report.Repair{Diff: diff, Changes: report.Changes(t.prog, texts), Edits: []report.Changed{report.EditOf(t.prog, m.Edit)}, Hints: report.Hints(t.prog, p)}
	if !report.Keeps(r.Changes, t.req.Lock) {
		return nil
	}
	r.Evidence = t.facts(0)
	t.req.Best.About(&rep.Report)
	t.req.Best.Offer(report.Meets, r, texts)
	_, n, err := t.refuted(os)
	if err != nil {
		return err
	}
	x, err := t.spoils(t.prog, t.ct, os)
	if err != nil {
		return err
	}
	r.Evidence = t.facts(n + x.near - x.left)
	r.Evidence.Why, r.Evidence.Besides = m.Why, x.String()
	native, err := t.natively(ctx, texts)
	if err != nil {
		return err
	}
	if native.Bad != nil {
		t.req.Best.Drop(texts)
		t.notes = append(t.notes, fmt.Sprintf("a repair that holds on the machine fails compiled with the sanitizers: on %s it %s; it is not shown", native.Bad.Name, native.How))
		return nil
	}
	r.Evidence.Guarded, r.Evidence.Missing = native.Met, native.Missing
	if r.Evidence.Exercise, err = t.exercise(m.Edit, os); err != nil {
		return err
	}
	r.Evidence.Text = r.Evidence.String()
	rep.Repairs, rep.Texts = append(rep.Repairs, r), append(rep.Texts, texts)
	return nil
}

// mostHeldCalls is about how many held-back calls are made natively.
const mostHeldCalls = 60

// natively makes the calls of the tests, and some of the held-back ones, in a repaired program.
func (t *task) natively(ctx context.Context, texts map[string]string) (*judge.Native, error) {
	if t.calls == nil {
		own := judge.Side{Prog: t.prog, Entry: t.ct.Func, Files: t.req.Files, Options: t.req.Options}
		t.calls = &judge.Calls{Own: own, Control: own}
		t.calls.Fails(t.tests[:t.bad]...)
	}
	cases := slices.Clone(t.tests)
	for i := 0; i < len(t.held); i += max(1, len(t.held)/mostHeldCalls) {
		if c := t.held[i]; c.Want != nil {
			if k, err := t.hold(c, nil); err != nil {
				return nil, err
			} else if !k.Outside {
				if cases = append(cases, c); !k.Passed() {
					t.calls.Fails(c)
				}
			}
		}
	}
	return t.calls.Try(ctx, texts, cases)
}

// exercise names the given calls that never execute the changed statement. It is nil if no calls were given.
func (t *task) exercise(e *repair.Edit, os []*lower.Overlay) ([]string, error) {
	if t.req.Tests == "" || e.Stmt == 0 {
		return nil, nil
	}
	out := []string{}
	for _, c := range t.tests {
		some := false
		for _, edits := range [][]*lower.Overlay{nil, os} {
			if _, err := t.run.Hold(c, edits, t.ct, func(s int32) { some = some || s == e.Stmt }); err != nil {
				return nil, err
			}
		}
		if !some {
			out = append(out, c.Name)
		}
	}
	return out, nil
}

// Locate ranks statements by the evidence on error traces. With spectrum it also ranks them by which tests execute
// them.
func Locate(ctx context.Context, req *job.Job, spectrum bool) (*report.Ranking, *Answer, error) {
	t, err := prepare(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	rep := &Answer{}
	rep.Entry, rep.Failing, rep.Cases, rep.Outside = t.ct.Func.Name, t.bad, len(t.tests), t.out
	out := &report.Ranking{Method: "evidence", Failing: t.bad, Cases: len(t.tests)}
	if err := t.learn(rep); err != nil || rep.Result != "" {
		return out, rep, err
	}
	if rep.Example, err = t.example(); err != nil {
		return nil, nil, err
	}
	traces, err := t.traces(mostTraces)
	if err != nil {
		return nil, nil, err
	}
	if len(traces) > 0 {
		rep.Trace, rep.Explanation = traces[0].Listing(), explain(traces[0])
	}
	rep.Traces, rep.Suite = traces, t.run.Suite
	out.Ranking = report.Unlocked(Ranked(traces, nil), req.Lock)
	out.Notes = t.notes
	if !spectrum {
		return out, rep, nil
	}
	if rep.Spectrum, err = t.spectra(); err != nil {
		return nil, nil, err
	}
	rep.Calls, err = t.toRun()
	return out, rep, err
}

// Ranked ranks statements by the evidence of several traces, by their mean score. in are the functions whose statements
// count; nil: all.
func Ranked(traces []*evidence.Trace, in map[*cfront.Func]bool) []report.Suspect {
	score := map[*lower.Stmt]float64{}
	var order []*lower.Stmt
	for _, tr := range traces {
		for _, s := range tr.Suspects() {
			if in != nil && !in[s.Stmt.Func] {
				continue
			}
			if _, ok := score[s.Stmt]; !ok {
				order = append(order, s.Stmt)
			}
			score[s.Stmt] += s.Score / float64(len(traces))
		}
	}
	slices.SortStableFunc(order, func(a, b *lower.Stmt) int { return cmp.Compare(score[b], score[a]) })
	var out []report.Suspect
	for _, s := range order {
		out = append(out, report.SuspectOf(s, score[s]))
	}
	return out
}
