// Package natural repairs programs without the user stepping through them. Given cases that a program must meet (calls
// with the states they must lead to, or whole runs with their output), it finds edits that make the program meet them
// all. The control flow is that of the edited program itself.
//
// The space of edits is that of repair/space, with guarded insertions, inserted returns and moved statements. Like
// repair/trace it executes with version spaces: at every visit of a place the edits are grouped by their effect, so
// that thousands of them are one run. Wolverine2's query (Verma and Roy, "Debug-Localize-Repair", section 4) is asked
// without the user's decisions. Several faults are found by a best-first search over edits that bring the runs closer
// to what is wanted.
//
// Not supported: new variables, and edits of statements that come from macros.
package natural

import (
	"context"
	"fmt"
	"gulo/internal/budget"
	"gulo/internal/plural"
	"gulo/internal/timing"
	"runtime"
	"slices"
	"sort"
	"sync"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
	"gulo/internal/process"
	"gulo/internal/repair"
	"gulo/internal/repair/space"
	"gulo/internal/source"
)

// Problem is a repair query.
type Problem struct {
	Prog     *lower.Program
	Suite    *oracle.Suite
	Funcs    []*cfront.Func      // functions that may change
	Free     func(id int32) bool // statements that may change; nil: all
	FreeGap  func(id int32) bool
	MaxEdits int           // 0 means 3
	Limit    time.Duration // 0 means 10 s
	Want     int           // repairs wanted; 0 means 10
	Workers  int           // 0: one for each processor
	MaxRuns  int           // 0 means no limit. With one worker it gives the same answer on every machine, unlike Limit
	Stay     bool          // no return is inserted, so that a repair cannot skip a statement by returning
	Stop     func() bool   // asked between jobs: the search shall end. May be nil
	Numbers  bool          // also edits for numeric programs (space.Config)

	// Probe, if set, has calls without expectations. Repairs that fail on fewer of them come first.
	Probe *oracle.Suite

	// Found, if set, is called with repairs of one edit while the search goes on, by the worker that found them. The
	// repairs that the search returns may be better.
	Found func(r Repair)
}

// Repair is one answer: it meets every case.
type Repair struct {
	Patch    *repair.Patch
	Distance int
}

// Result is the outcome of a search.
type Result struct {
	Repairs []Repair // of the fewest edits found, best first
	Failing int      // cases that the program did not meet
	Bases   int      // patches that were extended
	Runs    int64
	Cause   string // why the search ended without a repair; "" if the space was exhausted
}

type search struct {
	p        *Problem
	ctx      context.Context
	deadline time.Time
	in       map[*cfront.Func]bool // functions that edits are listed for
	places   []*place              // of these functions; nil: not listed yet
	rich     []*place
	workers  []*worker
	cases    []*oracle.Case // failing ones first; among these, short ones first
	failing  int
	sample   []int // indices of the cases that scores are computed from
	mu       sync.Mutex

	alike map[conduct]int // number of patches queued with this behaviour
	seen  map[string]bool // descriptions of patches that were queued
}

// over reports whether the search must not start more jobs. It is asked between jobs, so its answers can be repeated.
func (s *search) over() bool {
	return s.stopped() || budget.Over(s.ctx, s.deadline) || s.p.Stop != nil && s.p.Stop()
}

// stopped reports whether the search must end at once.
func (s *search) stopped() bool {
	if s.p.MaxRuns > 0 {
		n := 0
		for _, w := range s.workers {
			n += w.total
		}
		if n >= s.p.MaxRuns {
			return true
		}
	}
	return s.ctx.Err() != nil || budget.Stopped(s.ctx, s.deadline)
}

// Solve searches for repairs.
func Solve(ctx context.Context, p *Problem) (*Result, error) {
	span := timing.Begin(ctx, "edits on the machine")
	s, err := begin(ctx, p)
	if err != nil {
		return nil, err
	}
	res := &Result{}
	if err := s.sortCases(); err != nil {
		return nil, err
	}
	if res.Failing = s.failing; s.failing == 0 {
		return res, nil
	}
	err = s.inGroups(res)
	for _, w := range s.workers {
		res.Runs += int64(w.total)
	}
	span.End("%s, %d found", plural.N(res.Runs, "run"), len(res.Repairs))
	if s.over() && len(res.Repairs) == 0 {
		res.Cause = "time limit"
	}
	return res, err
}

// begin returns a search with its workers.
func begin(ctx context.Context, p *Problem) (*search, error) {
	if p.MaxEdits == 0 {
		p.MaxEdits = 3
	}
	if p.Limit == 0 {
		p.Limit = 10 * time.Second
	}
	if p.Want == 0 {
		p.Want = 10
	}
	if p.Workers == 0 {
		p.Workers = runtime.GOMAXPROCS(0)
	}
	s := &search{p: p, ctx: ctx, deadline: budget.After(ctx, p.Limit)}
	for i := 0; i < p.Workers; i++ {
		r, err := oracle.NewRunner(p.Suite)
		if err != nil {
			return nil, err
		}
		r.Spend = func(n int64) { budget.Spend(ctx, n) }
		s.workers = append(s.workers, &worker{s: s, run: r})
	}
	return s, nil
}

// sortCases runs the unchanged program and sorts the cases: failing ones first, short ones first.
func (s *search) sortCases() error {
	cases, err := s.scaled()
	if err != nil {
		return err
	}
	var bad, good []*oracle.Case
	for _, c := range cases {
		r, err := s.workers[0].run.Run(c, nil)
		if err != nil {
			return err
		}
		if r.Meets(c.Want) {
			good = append(good, c)
		} else {
			bad = append(bad, c)
		}
	}
	bySize(bad)
	bySize(good)
	s.cases, s.failing = append(bad, good...), len(bad)
	return nil
}

// mostCounted is the most that a right program is expected to count up to because it reads or prints such a number.
const mostCounted = 10_000

// scaled returns the suite's cases. If a case is a whole run and its number of steps is only guessed, its limit is
// lowered to the most that any terminating run needs, or to which a right one may count (mostCounted), because many edited programs never end. Single calls keep their
// limits: a program that fails early does not show how long a correct one runs.
func (s *search) scaled() ([]*oracle.Case, error) {
	all := s.p.Suite.Cases
	if s.p.Suite.Entry != nil || !slices.ContainsFunc(all, func(c *oracle.Case) bool { return c.Want.Guessed }) {
		return all, nil // calls, or the reference program gave the number of steps
	}
	most := int64(1_000)
	for _, c := range all {
		r, err := s.workers[0].run.Run(c, nil)
		if err != nil {
			return nil, err
		}
		if r.Fault != nil && r.Fault.Kind == machine.LimitFault {
			continue
		}
		most = max(most, r.Steps, min(source.LargestNumber(append([]string{c.Stdin, c.Want.Output}, c.Args...)...), mostCounted))
	}
	out := make([]*oracle.Case, len(all))
	for i, c := range all {
		out[i] = c
		if c.Want.Guessed && c.Want.Steps > most {
			x, want := *c, *c.Want
			want.Steps = most
			x.Want, out[i] = &want, &x
		}
	}
	return out, nil
}

// placesOf returns the places of some functions with their edits. With rich these include guards for insertions and
// calls of helpers.
func (s *search) placesOf(in map[*cfront.Func]bool, rich bool) []*place {
	prog := s.p.Prog
	sp := space.New(space.Config{Program: prog, Free: s.p.Free, FreeGap: s.p.FreeGap, Rich: rich, Mallocs: true, Frees: true, Donors: true, Numbers: s.p.Numbers})
	var out []*place
	for _, st := range prog.Stmts {
		if st == nil || !in[st.Func] || !st.Stop {
			continue
		}
		if s.over() {
			return out
		}
		if u := sp.Unit(st.ID); !u.Locked {
			out = append(out, s.place(u))
		}
	}
	for _, g := range prog.Gaps {
		if in[g.Func] && !s.over() {
			if u := sp.Slot(g.ID); !u.Locked {
				out = append(out, s.place(u))
			}
		}
	}
	return out
}

func (s *search) place(u *space.Unit) *place {
	p := &place{unit: u, stay: s.p.Stay}
	u.Build()
	for _, x := range u.Wholes {
		s.p.Prog.Reserve(x)
	}
	p.code = make([]*lower.Overlay, len(u.Wholes))
	f := (*cfront.Func)(nil)
	if u.Gap != nil {
		f = u.Gap.Func
		for i, r := range u.Rhs {
			if t := f.Type.Result; t.IsScalar() && ctype.Same(r.Type(), t) {
				p.rets = append(p.rets, int32(i))
			}
		}
	} else {
		f = u.Stmt.Func
	}
	p.fn, _ = s.p.Prog.FuncIndex(f)
	for w := range u.Wholes {
		one := set{p: p, kind: whole, whole: w}
		m := one.members()
		p.code[w], _ = s.overlay(&m[0].edit) // nil: cannot be lowered
	}
	return p
}

// overlay lowers an edit.
func (s *search) overlay(e *repair.Edit) (*lower.Overlay, error) {
	return s.p.Prog.Overlay(lower.Change{Stmt: e.Stmt, Gap: e.Gap, New: e.New, Guard: e.Guard, Delete: e.Delete, Return: e.Return})
}

// overlays lowers a patch.
func (s *search) overlays(p *repair.Patch) ([]*lower.Overlay, error) {
	var out []*lower.Overlay
	for _, e := range p.Edits() {
		o, err := s.overlay(e)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// someJobs is the number of jobs done before the time is checked again.
const someJobs = 64

// each calls do for every index below n on all workers, and waits. It stops early when the search is over.
func (s *search) each(n int, do func(w *worker, i int) error) error {
	for from := 0; from < n && !s.over(); from += someJobs {
		if err := s.some(from, min(from+someJobs, n), do); err != nil {
			return err
		}
	}
	return nil
}

func (s *search) some(from, to int, do func(w *worker, i int) error) error {
	var wg sync.WaitGroup
	next := from
	var first error
	for _, w := range s.workers {
		wg.Add(1)
		process.Go(func() {
			defer wg.Done()
			for {
				s.mu.Lock()
				i := next
				next++
				stop := i >= to || first != nil || s.stopped()
				s.mu.Unlock()
				if stop {
					return
				}
				if err := do(w, i); err != nil {
					s.mu.Lock()
					first = err
					s.mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return first
}

// partial is a set of candidates with one behaviour on the focus case. It does not meet that case, or it meets it and
// fails another one.
type partial struct {
	set   set
	close int
	seq   int    // index of its job; makes the order repeatable
	key   string // outcome of the focus case
	dist  int    // distance of the nearest member
	score int
}

// expand looks for single edits on top of a base. It returns the sets that meet every case, and those that change the
// outcome of the focus case without meeting them all.
func (s *search) expand(b *node, rich bool) (good []set, parts []partial, err error) {
	var jobs []set
	for _, p := range s.listed(rich) {
		if !b.touches(p) {
			jobs = append(jobs, p.sets(rich)...)
		}
	}
	found := make([][]set, len(jobs))
	near := make([][]partial, len(jobs))
	focus := s.cases[b.focus]
	err = s.each(len(jobs), func(w *worker, i int) error {
		var met []set
		err := w.explore(focus, b.overlays, jobs[i], func(t set, r *oracle.Run) {
			switch d := r.Closeness(focus.Want); {
			case d == 0:
				met = append(met, t)
			case outcome(r, d) != b.outcome:
				near[i] = append(near[i], partial{set: t, close: d, seq: i, key: outcome(r, d)})
			}
		})
		if err != nil {
			return err
		}
		for _, t := range met {
			ok, best, err := s.filter(w, b, t)
			if err == nil && len(ok) > 0 && b.depth == 0 {
				err = s.tell(w, b, ok[0])
			}
			if err != nil {
				return err
			}
			found[i] = append(found[i], ok...)
			if len(ok) == 0 {
				near[i] = append(near[i], partial{set: best, seq: i})
			}
		}
		return nil
	})
	for i := range jobs {
		good = append(good, found[i]...)
		parts = append(parts, near[i]...)
	}
	return good, parts, err
}

// tell calls Found with the nearest member of a set that meets every case.
func (s *search) tell(w *worker, b *node, t set) error {
	list := t.members()
	if s.p.Found == nil || len(list) == 0 {
		return nil
	}
	m := list[0]
	r := Repair{b.patch.Merge(repair.NewPatch(&m.edit)), b.dist + m.dist}
	ok, err := s.check(w, r.Patch)
	if ok {
		s.p.Found(r)
	}
	return err
}

// outcome describes a run so that different behaviour is told apart: by its final state and output or, after a fault,
// by the place of the fault and the distance from the wanted state.
func outcome(r *oracle.Run, closeness int) string {
	if r.Fault == nil {
		return r.State + r.Output
	}
	return fmt.Sprint(r.Fault.Kind, r.Fault.Stmt, closeness, r.Output)
}

// filter runs a set on all cases and returns the subsets that meet them all. best is the subset that met the most cases
// in order.
func (s *search) filter(w *worker, b *node, t set) (ok []set, best set, err error) {
	ok, best = []set{t}, t
	for i, c := range s.cases {
		if i == b.focus {
			continue
		}
		var next []set
		for _, t := range ok {
			err := w.explore(c, b.overlays, t, func(u set, r *oracle.Run) {
				if r.Meets(c.Want) {
					next = append(next, u)
				}
			})
			if err != nil {
				return nil, best, err
			}
		}
		if len(next) == 0 {
			return nil, best, nil
		}
		ok, best = next, next[0]
	}
	return ok, best, nil
}

// repairs turns sets that meet every case into repairs and checks them.
func (s *search) repairs(b *node, sets []set) ([]Repair, error) {
	var all []Repair
	for i := range sets {
		for _, m := range sets[i].members() {
			e := m.edit
			all = append(all, Repair{b.patch.Merge(repair.NewPatch(&e)), b.dist + m.dist})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Distance < all[j].Distance })
	seen := map[string]bool{}
	var out []Repair
	for _, r := range all {
		if len(out) >= s.p.Want || s.ctx.Err() != nil {
			break
		}
		key := fmt.Sprint(Describe(s.p.Prog, r.Patch))
		if seen[key] {
			continue
		}
		seen[key] = true
		ok, err := s.check(s.workers[0], r.Patch)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, r)
		}
	}
	return out, s.probe(out)
}

// probe sorts repairs by how often they fail, or leak memory, on the calls without expectations.
func (s *search) probe(rs []Repair) error {
	if s.p.Probe == nil || len(rs) < 2 {
		return nil
	}
	run, err := oracle.NewRunner(s.p.Probe)
	if err != nil {
		return err
	}
	bad := map[*repair.Patch]int{}
	for _, r := range rs {
		os, err := s.overlays(r.Patch)
		if err != nil {
			return err
		}
		for _, c := range s.p.Probe.Cases {
			got, err := run.Run(c, os)
			if err != nil {
				return err
			}
			if got.Fault != nil {
				bad[r.Patch] += 3
			} else if got.Lost > 0 {
				bad[r.Patch]++
			}
		}
	}
	sort.SliceStable(rs, func(i, j int) bool { return bad[rs[i].Patch] < bad[rs[j].Patch] })
	return nil
}

// Describe says in words what the edits of a patch do.
func Describe(p *lower.Program, pt *repair.Patch) []string {
	var out []string
	for _, e := range pt.Edits() {
		out = append(out, e.Describe(p))
	}
	return out
}

// check reports whether a patch meets every case, run with its own code.
func (s *search) check(w *worker, p *repair.Patch) (bool, error) {
	os, err := s.overlays(p)
	if err != nil {
		return false, nil // it cannot be lowered, so it is no repair
	}
	for _, c := range s.cases {
		r, err := w.run.Run(c, os)
		if err != nil {
			return false, err
		}
		if !r.Meets(c.Want) {
			return false, nil
		}
	}
	return true, nil
}

// Overlays lowers a patch, so that its cases can be run.
func Overlays(p *lower.Program, pt *repair.Patch) ([]*lower.Overlay, error) {
	return (&search{p: &Problem{Prog: p}}).overlays(pt)
}
