package pwp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/locate/evidence"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/plural"
	"gulo/internal/repair"
	"gulo/internal/repair/modify"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/states"
	"gulo/internal/report"
)

// This file repairs from calls whose right result is known: what the reference leaves is the postcondition for that one
// call. Cases, held-back cases and the report come from packages cases and repair/states; the search is here.

// FixCases locates and repairs a fault from the calls that package cases makes of a request with a reference. It
// changes one statement. With dices it first tries statements that a failing call executes and a passing one does not.
func FixCases(ctx context.Context, req *job.Job, dices bool) (*Answer, error) {
	s := &search{req: req, dices: dices, why: map[report.Changed]string{}}
	got, err := states.FixBy(ctx, req, &states.Search{
		Solve: s.solve, None: s.none, Want: max(req.Repairs, 1),
		Calls: "evidence is looked for on calls of a function: give --reference and an --entry that is not main; whole runs say what is printed, not what memory should hold",
	})
	if err != nil {
		return nil, err
	}
	rep := &Answer{Report: *got, Explanation: s.words, Trace: s.listing, Tried: s.tried}
	if rep.Repairs == nil {
		rep.Repairs = []report.Repair{}
	}
	if rep.Explanation == nil {
		rep.Explanation = []string{}
	}
	if rep.Result == report.Repaired {
		rep.Rounds = 1
	}
	for i := range rep.Repairs {
		r := &rep.Repairs[i]
		if len(r.Edits) == 0 {
			continue
		}
		r.Evidence.Why = s.why[r.Edits[0]]
		r.Evidence.Text = r.Evidence.String()
	}
	rep.Notes = append(rep.Notes, s.notes...)
	return rep, nil
}

// refuter returns a held-back case that a patch fails, or nil.
type refuter = func([]*lower.Overlay) (*oracle.Case, error)

// search looks for modifications that evidence asks for.
type search struct {
	req     *job.Job
	dices   bool
	why     map[report.Changed]string // why a modification was made, by its edit
	words   []string                  // explanation of the first trace
	listing string
	tried   int
	notes   []string

	// Valid during one call of solve:
	p      *natural.Problem
	run    *oracle.Runner
	bad    []*oracle.Case // counterexamples to modifications first, then short ones
	good   []*oracle.Case
	until  time.Time
	unsure []string // modifications that met the given cases and were refuted
	traces int
}

// none says why no repair was found.
func (s *search) none() string {
	switch {
	case len(s.unsure) > 0:
		return fmt.Sprintf("%s met all given cases and failed on some that were held back, as %s", plural.N(len(s.unsure), "modification"), s.unsure[0])
	case s.traces == 0:
		return "no failing call leaves a trace on which evidence can be looked for"
	case s.tried == 0:
		return "the evidences ask for no modification of one statement that may change"
	}
	return fmt.Sprintf("%s of one statement that evidences ask for %s tried, and none meets all cases", plural.N(s.tried, "modification"), plural.Verb(s.tried, "was", "were"))
}

// solve implements states.Search.Solve.
func (s *search) solve(ctx context.Context, p *natural.Problem, refuted refuter) (*natural.Result, error) {
	s.p, s.until, s.unsure, s.traces = p, budget.After(ctx, p.Limit), nil, 0
	res := &natural.Result{}
	var err error
	if s.run, err = oracle.NewRunner(p.Suite); err != nil {
		return nil, err
	}
	s.run.Spend = func(n int64) { budget.Spend(ctx, n) }
	if err := s.sort(); err != nil {
		return nil, err
	}
	if res.Failing = len(s.bad); res.Failing == 0 {
		return res, nil
	}
	traces := s.record(ctx)
	if s.traces = len(traces); s.traces > 0 && s.listing == "" {
		s.listing, s.words = traces[0].Listing(), explain(traces[0])
	}
	if s.over(ctx) {
		// What was not recorded was not examined, so nothing is said about evidence.
		res.Cause = "time limit"
		return res, ctx.Err()
	}
	frees, err := s.free()
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, free := range frees {
		for n, tr := range traces {
			s.req.Say("error trace %d of %d", n+1, len(traces))
			if err := s.follow(ctx, tr, free, seen, res, refuted); err != nil {
				return nil, err
			}
			if len(res.Repairs) >= p.Want || res.Cause != "" {
				return res, nil
			}
		}
	}
	return res, nil
}

// follow tries the modifications that the evidence of a trace asks for, unless they were seen before.
func (s *search) follow(ctx context.Context, tr *evidence.Trace, free func(*lower.Stmt) bool, seen map[string]bool, res *natural.Result, refuted refuter) error {
	for _, m := range modify.Modifications(s.p.Prog, tr, free) {
		if s.over(ctx) {
			res.Cause = "time limit"
			return ctx.Err()
		}
		k := m.Edit.Describe(s.p.Prog)
		if seen[k] {
			continue
		}
		seen[k] = true
		r, err := s.try(ctx, m, refuted)
		if err != nil {
			return err
		}
		if r != nil {
			if res.Repairs = append(res.Repairs, *r); len(res.Repairs) >= s.p.Want {
				return nil
			}
		}
	}
	return nil
}

func (s *search) over(ctx context.Context) bool {
	return ctx.Err() != nil || budget.Over(ctx, s.until)
}

// sort runs the unrepaired program and sorts the cases into failing and passing ones.
func (s *search) sort() error {
	s.bad, s.good = nil, nil
	steps := map[*oracle.Case]int64{}
	for _, c := range s.p.Suite.Cases {
		r, err := s.run.Run(c, nil)
		if err != nil {
			return err
		}
		if r.Meets(c.Want) {
			s.good = append(s.good, c)
		} else {
			s.bad, steps[c] = append(s.bad, c), r.Steps
		}
	}
	slices.SortStableFunc(s.bad, func(a, b *oracle.Case) int { return cmp.Compare(steps[a], steps[b]) })
	return nil
}

// record makes error traces of failing calls, each along another way.
func (s *search) record(ctx context.Context) []*evidence.Trace {
	var out []*evidence.Trace
	seen := map[string]bool{}
	for _, c := range s.bad {
		if len(out) >= mostTraces || s.over(ctx) {
			break
		}
		tr, err := evidence.RecordWanted(s.run, c)
		if err != nil {
			if text := err.Error(); !slices.Contains(s.notes, text) {
				s.notes = append(s.notes, text)
			}
			continue
		}
		if k := tr.Way(); !seen[k] {
			seen[k] = true
			out = append(out, tr)
		}
	}
	return out
}

// free returns, for each pass of the search, which statements may change.
func (s *search) free() ([]func(*lower.Stmt) bool, error) {
	may := map[*cfront.Func]bool{}
	for _, f := range s.p.Funcs {
		may[f] = true
	}
	all := func(st *lower.Stmt) bool { return may[st.Func] && (s.p.Free == nil || s.p.Free(st.ID)) }
	if !s.dices {
		return []func(*lower.Stmt) bool{all}, nil
	}
	if _, err := s.run.Cover(s.bad[0], nil); err != nil {
		return nil, err
	}
	fails := s.run.Covered
	var best map[int32]bool
	for _, c := range s.good {
		if _, err := s.run.Cover(c, nil); err != nil {
			return nil, err
		}
		best = larger(best, fails, s.run.Covered)
	}
	if len(best) == 0 {
		return []func(*lower.Stmt) bool{all}, nil
	}
	dice := func(st *lower.Stmt) bool { return best[st.ID] && all(st) }
	return []func(*lower.Stmt) bool{dice, all}, nil
}

// try returns a modification as a repair if it meets all cases, given and held back, and gcc accepts it. A held-back
// case that refutes it becomes a given one.
func (s *search) try(ctx context.Context, m modify.Modification, refuted refuter) (*natural.Repair, error) {
	s.tried++
	p := repair.NewPatch(m.Edit)
	os, err := natural.Overlays(s.p.Prog, p)
	if err != nil {
		return nil, nil // the edit does not fit there
	}
	for _, list := range [][]*oracle.Case{s.bad, s.good} {
		for _, c := range list {
			r, err := s.run.Run(c, os)
			if err != nil {
				return nil, err
			}
			if !r.Meets(c.Want) {
				return nil, nil
			}
		}
	}
	counter, err := refuted(os)
	if err != nil {
		return nil, err
	}
	if counter != nil {
		s.p.Suite.Cases = append(s.p.Suite.Cases, counter)
		s.bad = append([]*oracle.Case{counter}, s.bad...)
		s.unsure = append(s.unsure, m.Edit.Describe(s.p.Prog))
		return nil, nil
	}
	texts, err := patch.Rewrite(s.p.Prog, p)
	if err != nil || !report.Keeps(report.Changes(s.p.Prog, texts), s.req.Lock) {
		return nil, nil
	}
	ok, err := patch.Compiles(ctx, s.req.Files, s.req.Options, texts)
	if err != nil || !ok {
		return nil, err
	}
	s.why[report.EditOf(s.p.Prog, m.Edit)] = m.Why
	return &natural.Repair{Patch: p, Distance: m.Distance}, nil
}
