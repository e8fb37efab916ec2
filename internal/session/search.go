package session

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/locate/gradient"
	"gulo/internal/lower"
	"gulo/internal/plural"
	"gulo/internal/repair"
	"gulo/internal/repair/proof"
	"gulo/internal/repair/trace"
	"gulo/internal/smt"
	"gulo/internal/trust"
)

// This file has the command repair: the search engines, in the order in which they are tried, and how their answers are
// reported.

// Limits of the parts of one search.
const (
	confinedProof = 1500 * time.Millisecond
	openLimit     = 1500 * time.Millisecond
	proofLimit    = 5 * time.Second

	// Enumeration is bounded by states, so that the answer is the same on any machine. Its time limit is for states
	// that take long.
	enumerationLimit = 12 * time.Second
	maxFound         = 20

	// How long the search goes on for a better repair once it has one. Where inputs can tell repairs apart, many are
	// useful.
	thoroughNodes = 100_000
	hastyNodes    = 2_000

	// confinedNodes bounds enumeration among the suspicious statements, before a solver is asked.
	confinedNodes = 50_000
	firstNodes    = 15_000  // before something is inserted
	openNodes     = 150_000 // anywhere
)

// answer is what a search found.
type answer struct {
	base      *repair.Patch // what the repairs are added to
	repairs   []trace.Repair
	count     int
	cost      int
	where     string
	revised   bool
	textual   bool  // edits of the text are among them
	natural   bool  // found over whole calls: the program may leave the recorded traces
	fromStart bool  // the run from its beginning comes to what is asserted
	err       error // why there is none
}

// hunt is one search in progress.
type hunt struct {
	s   *searcher
	ctx context.Context
	f   repairFlags
	p   *trace.Problem // the problem without a restriction to suspicious statements
	a   *answer
}

const anywhere = "anywhere in the functions stepped into"

// search looks for the smallest patches that meet every assertion: among the suspicious statements first, then
// anywhere, then with the solvers. other, if not nil, is another search that is asked before the slow ones; if it
// reports that it found something, search ends.
func (s *searcher) search(ctx context.Context, f repairFlags, other func() (bool, error)) (*answer, error) {
	free, freeGap, err := s.inScope(f, s.scope)
	if err != nil {
		return nil, err
	}
	h := &hunt{s: s, ctx: ctx, f: f, a: &answer{base: s.patch}}
	h.p = &trace.Problem{Program: s.prog, Segments: s.segments(), Base: s.patch, Free: free, FreeGap: freeGap, Slots: f.slots, More: thoroughNodes}
	if f.noVerify {
		h.p.More = hastyNodes
	}
	if !f.noLocate && h.confined() {
		return h.a, nil
	}
	s.progress("looking anywhere in the functions stepped into")
	h.p.Limit, h.p.MaxNodes = enumerationLimit, openNodes
	first := s.enumerate(ctx, f, h.p)
	if h.take(first, anywhere) {
		h.cheaper(first.Cost)
		return h.a, nil
	}
	if !s.patch.Empty() { // the patches in force may be wrong
		q := *h.p
		q.Base = nil
		if h.take(s.enumerate(ctx, f, &q), anywhere) {
			h.a.base, h.a.revised = repair.NewPatch(), true
			return h.a, nil
		}
	}
	if other != nil {
		if found, err := other(); found || err != nil {
			h.a.err = s.noRepair(ctx, f, first, &proof.Result{})
			return h.a, err
		}
	}
	h.deeper(first)
	return h.a, nil
}

// take makes a result the answer if it has a repair.
func (h *hunt) take(r *trace.Result, where string) bool {
	if len(r.Repairs) == 0 {
		return false
	}
	h.a.repairs, h.a.count, h.a.cost, h.a.where = r.Repairs, r.Count, r.Cost, where
	return true
}

// cheaper looks for fewer edits with a new variable.
func (h *hunt) cheaper(cost int) {
	if cost > 2 {
		h.take(h.s.withTemporary(h.ctx, h.p, h.f, cost-1), anywhere+", with a new temporary")
	}
}

// confined searches among the suspicious statements, and reports whether it has found a repair.
func (h *hunt) confined() bool {
	s := h.s
	loc := gradient.Locate(s.prog, s.segments(), s.patch)
	if len(loc.Suspects) == 0 {
		return false
	}
	q := *h.p
	q.Free = func(id int32) bool { return h.p.Free(id) && loc.Suspicious(id) }
	if !loc.Missing {
		// Nothing says for certain that a statement is missing.
		q.FreeGap, q.Limit = func(int32) bool { return false }, enumerationLimit
		q.MaxNodes = firstNodes
		if loc.MayMiss {
			q.MaxCost = 2
		}
		s.progress("looking among %s", plural.N(len(loc.Suspects), "suspicious statement"))
		if r := s.enumerate(h.ctx, h.f, &q); h.take(r, "among the suspicious statements") {
			h.cheaper(r.Cost)
			return true
		}
		// Before something is inserted, try a single edit of any other statement.
		free := q.Free
		q.Free, q.MaxCost = h.p.Free, 1
		if h.take(s.enumerate(h.ctx, h.f, &q), anywhere) {
			return true
		}
		q.Free, q.FreeGap, q.MaxCost = free, h.p.FreeGap, h.p.MaxCost
	}
	q.Limit, q.MaxNodes = enumerationLimit, confinedNodes
	s.progress("looking among %s", plural.N(len(loc.Suspects), "suspicious statement"))
	r := s.enumerate(h.ctx, h.f, &q)
	if h.take(r, "among the suspicious statements") {
		h.cheaper(r.Cost)
		return true
	}
	if r.Cause == "" || h.f.over(h.ctx) {
		return false
	}
	// A solver may be quick where enumeration takes long.
	s.progress("asking for a proof")
	pr := s.prove(h.ctx, &q, proof.SAT, h.f, confinedProof)
	return pr.Patch != nil && h.take(s.around(h.ctx, h.f, &q, pr), "among the suspicious statements, guided by proofs")
}

// deeper asks the solvers and widens the space after enumeration has found
// nothing; at the end the answer says why there is no repair.
func (h *hunt) deeper(first *trace.Result) {
	s := h.s
	if x, y, ok := s.contradiction(); ok {
		h.a.err = negative("no repair exists: the assertions contradict each other at %s and %s", x, y)
		return
	}
	if h.f.over(h.ctx) {
		first.Cause = "time limit"
		h.a.err = s.noRepair(h.ctx, h.f, first, &proof.Result{Cause: "time limit"})
		return
	}
	s.progress("asking for a proof")
	pr := s.prove(h.ctx, h.p, proof.SAT, h.f, proofLimit)
	if pr.Patch != nil && h.take(s.around(h.ctx, h.f, h.p, pr), anywhere+", guided by proofs") {
		return
	}
	if len(pr.Conflict) == 0 || pr.Cause != "" {
		q := *h.p
		q.Rich, q.Limit = true, openLimit
		s.progress("looking for guarded insertions and calls")
		if h.take(s.enumerate(h.ctx, h.f, &q), anywhere+", with guards and calls") {
			return
		}
	}
	if h.take(s.withTemporary(h.ctx, h.p, h.f, 0), anywhere+", with a new temporary") {
		return
	}
	if smt.Available() && !h.f.over(h.ctx) {
		s.progress("asking about integers")
		z := s.prove(h.ctx, h.p, proof.Z3, h.f, proofLimit)
		if len(z.Conflict) > 0 {
			pr = z // z3 considers more edits: constants that the program does not mention
		}
		if z.Patch != nil && h.take(s.around(h.ctx, h.f, h.p, z), anywhere+", guided by proofs about integers") {
			return
		}
	}
	if first.Cause != "" && len(pr.Conflict) == 0 && !h.f.over(h.ctx) {
		q := *h.p
		q.Limit, q.MaxNodes = proofLimit, 0
		if h.f.limit > 0 {
			q.Limit = h.f.limit
		}
		s.progress("looking anywhere once more, for longer")
		if h.take(s.enumerate(h.ctx, h.f, &q), anywhere) {
			return
		}
	}
	h.a.err = s.noRepair(h.ctx, h.f, first, pr)
}

// progress tells the user at a terminal what is being done.
func (s *searcher) progress(format string, args ...any) {
	if s.cfg.Progress != nil {
		s.cfg.Progress(fmt.Sprintf(format, args...))
	}
}

// withTemporary looks for repairs that use a new variable; maxCost 0 means the
// usual bound.
func (s *searcher) withTemporary(ctx context.Context, p *trace.Problem, f repairFlags, maxCost int) *trace.Result {
	q := *p
	if q.Temps = s.temporaries(); len(q.Temps) == 0 || f.over(ctx) {
		return &trace.Result{}
	}
	s.progress("looking for repairs with a temporary")
	q.MaxCost, q.Limit = maxCost, openLimit
	return s.enumerate(ctx, f, &q)
}

// temporaries returns one variable for every type of pointer that the functions
// under repair have.
func (s *searcher) temporaries() []*cfront.Var {
	out := s.patch.Temps()
	for _, f := range s.prog.Tree.Funcs {
		if !s.scope[f] {
			continue
		}
		for _, v := range append(append([]*cfront.Var(nil), f.Params...), f.Locals...) {
			t := v.Type
			if t.Kind != ctype.Pointer || !t.Elem.IsAggregate() || slices.ContainsFunc(out, func(o *cfront.Var) bool { return o.Func == f && ctype.Same(o.Type, t) }) {
				continue
			}
			out = append(out, repair.NewTemp(s.prog, f, t, out))
		}
	}
	return out
}

// prove asks a solver for a repair, or for the assertions that no repair can meet.
func (s *searcher) prove(ctx context.Context, p *trace.Problem, e proof.Engine, f repairFlags, limit time.Duration) *proof.Result {
	limit = f.within(ctx, limit)
	return proof.Solve(ctx, &proof.Problem{
		Program: s.prog, Segments: p.Segments, Base: p.Base, Free: p.Free, FreeGap: p.FreeGap, Slots: p.Slots,
		Deferred: trace.Deferred(s.prog, p.Segments), MaxCost: 6, Engine: e, Constants: true, Explain: true, Limit: limit,
		Guard: min(max(3*s.patient(limit), time.Second), budget.Guard(ctx, limit)), // the solvers count their work
	})
}

// around enumerates edits at the places that a solver's repair changes, the nearest first. If there are none it returns
// the solver's repair.
func (s *searcher) around(ctx context.Context, f repairFlags, p *trace.Problem, r *proof.Result) *trace.Result {
	q := *p
	q.Free = func(id int32) bool { return r.Patch.Stmts[id] != nil }
	q.FreeGap = func(g int32) bool { return r.Patch.Gaps[g] != nil }
	q.MaxCost, q.Limit = max(r.Cost, 1), 2*time.Second
	if res := s.enumerate(ctx, f, &q); len(res.Repairs) > 0 {
		return res
	}
	return &trace.Result{Repairs: []trace.Repair{{Patch: r.Patch, Cost: r.Cost}}, Count: 1, Cost: r.Cost}
}

// noRepair says why there is none.
func (s *searcher) noRepair(ctx context.Context, f repairFlags, first *trace.Result, pr *proof.Result) error {
	var labels []string
	var cells []string
	for _, c := range pr.Conflict {
		l := s.segments()[c.Segment].Label
		if len(labels) == 0 || labels[len(labels)-1] != l {
			labels = append(labels, l)
		}
		if c.Cell.Key != "" {
			cells = append(cells, c.Cell.Key+" = "+c.Cell.Text)
		}
	}
	switch {
	case len(labels) > 1:
		return negative("no repair found: none of the edits searched gives all of %s at %s; check these assertions, as they may contradict each other", strings.Join(cells, ", "), joinAnd(labels))
	case len(labels) == 1 && len(cells) > 0:
		return negative("no repair found: none of the edits searched gives %s at %s; check that assertion, or allow more with unlock and --scope", joinAnd(cells), labels[0])
	case len(labels) == 1:
		return negative("no repair found: none of the edits searched makes the program take the branches that you forced before %s", labels[0])
	case pr.More:
		return negative("no repair exists with %s; allow more with --slots", plural.N(f.slots, "inserted statement"))
	case first.Cause == "time limit" && f.limit > 0 && f.over(ctx):
		return negative("no repair found within the time limit of %v; assert more states in between, lock lines that are right, or allow more with --limit", f.limit)
	case first.Cause == "time limit":
		return negative("no repair found in the time that one part of the search may take; assert more states in between, lock lines that are right, or allow more with --limit")
	case first.Cause != "":
		return negative("no repair found within the %s; assert more states in between, or lock lines that are right", first.Cause)
	}
	return negative("no repair exists within %d edits and the paths searched; check the assertions, or allow more with --slots", 4)
}

func joinAnd(list []string) string {
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
	return strings.Join(list, "")
}

// repair finds a patch and goes on with it.
func (s *Session) repair(ctx context.Context, args string) error {
	f, err := parseRepairFlags(args)
	if err != nil {
		return err
	}
	s.warnUnsaid()
	begin, before := time.Now(), s.result
	if len(s.printing) > 0 {
		err = s.repairPrinted(ctx, f)
	} else if err = s.asserted(); err == nil {
		err = s.repairDrawn(ctx, f)
	}
	if s.result != before {
		s.result.took = time.Since(begin)
	}
	return err
}

// repairDrawn finds a patch that leads to what is drawn.
func (s *Session) repairDrawn(ctx context.Context, f repairFlags) error {
	ctx, done := s.searching(ctx, f.limit)
	defer done()
	if f.limit > 0 {
		f.until = budget.After(ctx, f.limit)
	}
	v, shown, err := s.searched(ctx, f)
	s.progress("")
	stopped := ctx.Err() != nil
	switch {
	case shown:
		return nil
	case stopped && (err != nil || v.a.err != nil):
		return errStopped("repair")
	case err != nil:
		return err
	}
	a, held, j := v.a, v.held, v.j
	if a.err != nil {
		s.wholeNote()
		if odds := s.atOdds(); odds != "" {
			return negative("no repair found: %s", odds)
		}
		return a.err
	}
	if a.cost == 0 {
		s.nothing()
		return nil
	}
	if a.revised {
		s.printf("the earlier patches do not meet all assertions and are revised\n")
	}
	s.result = &lastSearch{count: a.count, cost: a.cost, where: a.where}
	if s.harmful(&s.found[0]) {
		s.bad(ctx, v)
		return nil
	}
	var like *comparison
	if j != nil && j.judge == nil { // no generated inputs have told them apart
		like = s.compareFound()
	}
	s.printf("Found a repair:\n")
	s.take(&s.found[0])
	s.printf("It %s; searched %s.\n", trust.States(len(s.segs)), a.where)
	held.say(&s.searcher)
	if n := max(a.count, len(s.found)); n > 1 { // variants with a null check may have been added
		s.printf("there are %s of this size: patches lists the best, choose N takes another.\n", plural.N(n, "repair"))
	}
	if stopped {
		s.printf("the search was stopped: there may be a better repair, and this one was not tried on everything\n")
	}
	s.evidence(j)
	said := (j == nil || j.differs == 0) && s.sayPrints()
	if !said && like != nil && like.differ > 0 {
		s.printf("repairs 1 and %d behave differently on an input near this one; patches draws it\n", like.differ+1)
	}
	if s.retold != nil {
		s.printf("note: %s; rewrite FILE writes the repaired one\n", AsWritten)
	}
	s.sayDeferred()
	return nil
}

// sayDeferred names loop conditions that are not repaired yet, because the user led the run into the loop and has not
// left it.
func (s *recorder) sayDeferred() {
	for _, id := range slices.Sorted(maps.Keys(trace.Deferred(s.prog, s.segments()))) {
		st := s.prog.Stmts[id]
		if d, ok := s.disagrees(st); ok {
			s.printf("note: the condition %s, which you had to force %s, is not asserted until the run has left the loop\n", Show(st), d)
		}
	}
}

// nothing says that the assertions are met already, and what to do with a repair that the user does not want.
func (s *recorder) nothing() {
	if s.patch.Empty() {
		s.printf("nothing to repair in this run: the program %s, and no other run was looked at\n", trust.States(len(s.segs)))
		s.sayDeferred()
		return
	}
	s.printf("nothing to repair in this run: the repaired program %s, and no other run was looked at\n", trust.States(len(s.segs)))
	s.printf("if this is not the repair that you want: patches lists the others and choose N takes one; unpatch removes it; another picture, asserted with spec, tells repairs apart\n")
}

// warnUnsaid names the changes that no spec followed.
func (s *recorder) warnUnsaid() {
	for _, u := range s.unsaid {
		s.printf("note: no spec followed your change of %s: the run goes on from there, and nothing is asserted of what came before\n", u)
	}
	if len(s.fresh) > 0 {
		s.printf("note: no spec followed your change of %s: it is not asserted; use spec and repair again\n", s.freshNames())
	}
}

// decides reports whether a patch changes a condition, and so perhaps the path of the run.
func (s *searcher) decides(p *repair.Patch) bool {
	for _, e := range p.Edits() {
		if e.Stmt != 0 && s.prog.Stmts[e.Stmt].Kind == lower.Cond {
			return true
		}
	}
	return false
}

// deletes reports whether a patch only deletes statements. That, too, may change how often a loop runs.
func deletes(p *repair.Patch) bool {
	return !slices.ContainsFunc(p.Edits(), func(e *repair.Edit) bool { return !e.Delete })
}

// unlikely returns the extra distance of edits that people rarely write: a constant in place of a computed value, which
// fits the example alone, and an inserted assignment of a constant to a counter.
func (s *searcher) unlikely(p *repair.Patch) int {
	n := 0
	for _, e := range p.Edits() {
		if e.New == nil {
			continue
		}
		if e.Stmt == 0 {
			if a, ok := cfront.Skip(e.New).(*cfront.Assign); ok && !a.HasOp {
				if w, is := cfront.Constant(a.R); is && w != 0 && s.counted(a.L) {
					n += 6
				}
			}
			continue
		}
		st := s.prog.Stmts[e.Stmt]
		old := st.X
		if st.Kind == lower.Decl {
			old = st.Decl.Init[0].X
		}
		_, was := cfront.Constant(old)
		if _, is := cfront.Constant(e.New); is && !was {
			n += 6
		}
	}
	return n
}

// counted reports whether the program counts with an integer variable or member: whether some statement consists of ++,
// -- or an assignment with an operator, as +=, that changes it.
func (s *searcher) counted(l cfront.Expr) bool {
	if !l.Type().IsInteger() {
		return false
	}
	same := func(x cfront.Expr) bool {
		switch x := cfront.Skip(x).(type) {
		case *cfront.Ref:
			r, ok := cfront.Skip(l).(*cfront.Ref)
			return ok && r.Var == x.Var
		case *cfront.Member:
			m, ok := cfront.Skip(l).(*cfront.Member)
			return ok && m.Field.Name == x.Field.Name && m.Field.Offset == x.Field.Offset && m.Field.Type == x.Field.Type
		}
		return false
	}
	for _, st := range s.prog.Stmts {
		if st == nil || st.X == nil {
			continue
		}
		switch x := cfront.Skip(st.X).(type) {
		case *cfront.IncDec:
			if same(x.X) {
				return true
			}
		case *cfront.Assign:
			if x.HasOp && same(x.L) {
				return true
			}
		}
	}
	return false
}

// replayed returns the repairs that meet the assertions when they are replayed, independently of the search.
func (s *searcher) replayed(a *answer) []choice {
	var out []choice
	for _, r := range a.repairs {
		c := choice{patch: a.base.Merge(r.Patch), distance: r.Distance}
		if s.misses(s.segments(), c.patch) < 0 {
			out = append(out, c)
		}
		if len(out) == maxFound {
			break
		}
	}
	return out
}
