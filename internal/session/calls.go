package session

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/trace"
	"gulo/internal/spec"
	"gulo/internal/target"
)

// This file checks repairs in whole calls of the function under repair. A segment compares a patch along the path that
// the recorded run took. A call starts from the state at entry and compares only its end, whatever path the patched
// program takes. This finds repairs that change how often a loop runs, and repairs that do not break earlier calls.

// call is a recorded call of a function under repair.
type call struct {
	id    int
	fn    *cfront.Func
	start *heap.Image // at its first statement
	depth int
	dirty bool // the user changed the picture inside it and asserted nothing
	over  bool // the program halted after it, so its end was shown
}

// given is a call whose end the user asserted.
type given struct {
	call
	end    *heap.Image
	result *ctype.Word // nil when the picture does not show it
	said   *ctype.Word // what finish printed as its result, if no variable of the picture holds it
	seg    *spec.Segment
}

// noteCall begins a call when a function under repair is entered.
func (s *recorder) noteCall(im *heap.Image) {
	st := s.stmt()
	if s.call != nil && s.stop.Depth < s.call.depth {
		s.leaveGone()
	}
	if st == nil || !s.enters(st) || st.Func.Name == "main" {
		return
	}
	if c := s.call; c != nil && s.stop.Depth > c.depth {
		return // inside the call in hand
	}
	if s.call != nil {
		s.leaveGone() // and the next one begins
	}
	s.callIDs++
	if n := len(s.passed); n > 0 && !s.passed[n-1].done && s.passed[n-1].fn == st.Func {
		s.passed[n-1].id = s.callIDs
	}
	s.call = &call{id: s.callIDs, fn: st.Func, start: im, depth: s.stop.Depth}
}

// leaveGone ends the call in hand, which returned without an assertion.
func (s *recorder) leaveGone() {
	if s.call.over && !s.call.dirty {
		s.gone = append(slices.Clip(s.gone[max(0, len(s.gone)-mostHalted+1):]), *s.call)
	}
	s.call = nil
}

// endCall records an assertion as a case if it was made at the end of the call in hand, or right after it. Elsewhere it
// leaves that to noteMiddle.
func (s *recorder) endCall(seg *spec.Segment) {
	c := s.call
	if c == nil {
		s.noteMiddle(seg)
		return
	}
	st := s.stmt()
	atEnd := st != nil && st.Kind == lower.End && s.stop.Depth == c.depth && st.Func == c.fn
	n := len(seg.Items)
	returned := s.stop.Depth < c.depth && n > 0 && seg.Items[n-1].Kind == spec.Finish && s.stop.Depth == c.depth-1
	if !atEnd && !returned {
		if s.stop.Depth < c.depth {
			s.call = nil
		}
		s.noteMiddle(seg)
		return
	}
	if !c.dirty && len(s.untracked()) == 0 {
		g := given{call: *c, end: s.img, seg: seg}
		if atEnd && c.fn.Result != nil {
			if w, ok := s.tgt.Result(); ok {
				g.result = &w
			}
		} else if returned && c.fn.Result != nil {
			st := s.prog.Stmts[seg.Items[n-1].Stmt]
			g.result = s.assigned(st, c.fn)
			g.end = s.before(st, c)
			if l := s.left; g.result == nil && l != nil && l.f == c.fn && l.whole == nil {
				g.said = &l.w
			}
		}
		// A picture with a drawn string leaves memory open, which a case of one call cannot say.
		if g.end != nil && len(s.texts) == 0 {
			s.given = append(s.given, g)
		}
		p := s.pointAt(c, atEnd)
		p.seg = seg
		s.points = append(s.points, p)
	}
	if returned {
		s.call = nil
	}
}

// assigned returns the result of f that a statement assigned to a variable, as the picture has it now; nil if it
// assigned none.
func (s *recorder) assigned(st *lower.Stmt, f *cfront.Func) *ctype.Word {
	calls := func(x cfront.Expr) bool {
		c, ok := cfront.Skip(x).(*cfront.Call)
		if !ok {
			return false
		}
		r, ok := cfront.Skip(c.Fun).(*cfront.FuncRef)
		return ok && r.Func == f
	}
	var a ctype.Word
	var t *ctype.Type
	switch x := st.X.(type) {
	case *cfront.Assign:
		if x.HasOp || !calls(x.R) {
			return nil
		}
		var err error
		if a, err = eval.Addr(&eval.World{Heap: s.img}, x.L); err != nil {
			return nil
		}
		t = x.L.Type()
	case nil:
		if st.Kind != lower.Decl || len(st.Decl.Init) != 1 || !calls(st.Decl.Init[0].X) {
			return nil
		}
		var ok bool
		if a, ok = s.img.VarAddr(st.Decl.Var); !ok {
			return nil
		}
		t = st.Decl.Var.Type
	default:
		return nil
	}
	if !ctype.Same(t, f.Type.Result) {
		return nil
	}
	w, ok := s.img.Load(a, t)
	if !ok || !s.img.Known(a, t.Size) {
		return nil
	}
	return &w
}

// before returns the picture without the assignment made by the statement that called the function; nil if that cannot
// be told apart from what the function did.
func (s *recorder) before(st *lower.Stmt, c *call) *heap.Image {
	a, ok := st.X.(*cfront.Assign)
	if !ok {
		return s.img
	}
	r, ok := a.L.(*cfront.Ref)
	if !ok {
		return nil
	}
	if r.Var.Storage == cfront.Local || r.Var.Storage == cfront.Param {
		return s.img
	}
	if assigns(c.fn, r.Var, map[*cfront.Func]bool{}) {
		return nil
	}
	im := s.img.Clone()
	at, ok := c.start.VarAddr(r.Var)
	w, ok2 := c.start.Load(at, r.Var.Type)
	if !ok || !ok2 || !im.Store(at, r.Var.Type, w) {
		return nil
	}
	return im
}

// assigns reports whether a function, or one that it calls, may assign to a variable.
func assigns(f *cfront.Func, v *cfront.Var, seen map[*cfront.Func]bool) bool {
	if seen[f] || f.Body == nil {
		return false
	}
	seen[f] = true
	found := v.AddrTaken
	is := func(x cfront.Expr) bool {
		r, ok := cfront.Skip(x).(*cfront.Ref)
		return ok && r.Var == v
	}
	cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Assign:
				found = found || is(y.L)
			case *cfront.IncDec:
				found = found || is(y.X)
			case *cfront.Call:
				r, ok := cfront.Skip(y.Fun).(*cfront.FuncRef)
				found = found || !ok || assigns(r.Func, v, seen)
			}
			return !found
		})
	})
	return found
}

// trial is the set of calls that patches are checked with.
type trial struct {
	s      *searcher
	suites []*oracle.Suite
	runs   []*oracle.Runner
	before int // earlier calls that must end as they did, of all functions
	untold int // earlier calls whose states cannot be made again
	equal  int // calls like one whose end is asserted, after which nothing was asserted

	upon func(a *answer, r natural.Repair) // called with each repair that a search finds; nil: nobody waits for them
}

// newTrial makes cases of the calls of the functions under repair: those whose end is asserted, and those before the
// first of them.
func (s *searcher) newTrial(ctx context.Context) *trial {
	t := &trial{s: s}
	met := map[*cfront.Func]bool{}
	add := func(suite *oracle.Suite) {
		if len(suite.Cases) == 0 {
			return
		}
		if r, err := s.runner(suite); err == nil {
			t.suites, t.runs = append(t.suites, suite), append(t.runs, r)
		}
	}
	for _, c := range s.firsts { // those before it are calls after which nothing was asserted
		if met[c.fn] || !s.scope[c.fn] {
			continue
		}
		met[c.fn] = true
		add(s.askedOf(c.fn))
		add(s.earlier(ctx, &c, t))
		add(s.accepted(c.fn, t))
	}
	return t
}

// begins returns the arguments, input and environment of the run.
func (s *recorder) begins() oracle.Start {
	return oracle.Start{Args: s.cfg.Args, Stdin: s.cfg.Input + s.typed, Env: s.environment()}
}

func (s *inferior) environment() []string {
	if t, ok := s.tgt.(target.Environed); ok {
		return t.Environment()
	}
	return nil
}

// callsOf returns a suite of calls of f without cases, with the run's environment.
func (s *inferior) callsOf(f *cfront.Func, im *heap.Image) *oracle.Suite {
	out := oracle.Calls(s.prog, f, im)
	out.Env = s.environment()
	return out
}

// askedOf returns the calls of f whose end is asserted.
func (s *recorder) askedOf(f *cfront.Func) *oracle.Suite {
	if s.drawnInUnion() {
		return &oracle.Suite{} // states have no unions: a repair that does not change one would seem to meet the picture
	}
	var out *oracle.Suite
	for i := range s.given {
		g := &s.given[i]
		if g.fn != f {
			continue
		}
		if out == nil {
			out = s.callsOf(f, g.start)
		}
		out.NoResult = out.NoResult || g.result == nil && f.Result != nil
	}
	if out == nil {
		return &oracle.Suite{}
	}
	for i := range s.given {
		g := &s.given[i]
		if g.fn != f {
			continue
		}
		st, err := oracle.CallIn(g.start, f)
		if err != nil {
			continue
		}
		result := g.result
		if out.NoResult {
			result = nil
		}
		if want, err := oracle.Left(g.start, g.end, f, result, out); err == nil {
			out.Cases = append(out.Cases, &oracle.Case{Name: fmt.Sprintf("the call of %s whose end is asserted", f.Name), State: st, Want: want})
		}
	}
	return out
}

// asReturned moves the repairs to the end with which a call returns something else than finish printed: the user saw
// that result and did not correct it.
func (s *searcher) asReturned(list []choice) []choice {
	if s.drawnInUnion() || len(list) < 2 {
		return list
	}
	var kept, other []choice
	for _, c := range list {
		if s.returnsOther(c.patch) {
			other = append(other, c)
		} else {
			kept = append(kept, c)
		}
	}
	return append(kept, other...)
}

// returnsOther reports whether with patch p a call returns something else than finish printed.
func (s *searcher) returnsOther(p *repair.Patch) bool {
	os, err := natural.Overlays(s.prog, p)
	if err != nil {
		return false
	}
	for i := range s.given {
		g := &s.given[i]
		if g.said == nil {
			continue
		}
		suite := s.callsOf(g.fn, g.start)
		st, err := oracle.CallIn(g.start, g.fn)
		if err != nil {
			continue
		}
		want, err := oracle.Left(g.start, g.end, g.fn, g.said, suite)
		if err != nil {
			continue
		}
		r, err := s.runner(suite)
		if err != nil {
			continue
		}
		if got, err := r.Run(&oracle.Case{State: st, Want: want}, os); err == nil && !got.Meets(want) && got.Fault == nil && got.Unmodelled() == "" {
			return true
		}
	}
	return false
}

// drawnInUnion reports whether something in the picture is a union or contains one.
func (s *recorder) drawnInUnion() bool {
	for _, n := range s.graph.Nodes {
		if n.Type != nil && hasUnion(n.Type) {
			return true
		}
	}
	return slices.ContainsFunc(s.graph.Vars, func(v *heap.VarInfo) bool { return hasUnion(v.Type) })
}

func hasUnion(t *ctype.Type) bool {
	switch t.Kind {
	case ctype.Union:
		return true
	case ctype.Array:
		return hasUnion(t.Elem)
	case ctype.Struct:
		return slices.ContainsFunc(t.Fields, func(f ctype.Field) bool { return hasUnion(f.Type) })
	}
	return false
}

// earlier returns the calls of a function before the first recorded one. They must end as they did.
func (s *searcher) earlier(ctx context.Context, c *call, t *trial) *oracle.Suite {
	out := s.callsOf(c.fn, c.start)
	begin := s.begins()
	begin.Spend = s.spend
	states, met, err := oracle.EarlierCalls(ctx, s.prog, c.fn, begin, c.start)
	if err != nil {
		return &oracle.Suite{}
	}
	r, err := s.runner(out)
	if err != nil {
		return &oracle.Suite{}
	}
	for _, st := range states {
		cs := &oracle.Case{Name: st.Text, State: st}
		want, err := r.Run(cs, nil)
		if err != nil || want.Fault != nil {
			t.untold++ // it cannot be compared
			continue
		}
		want.Any = !met
		cs.Want = want
		out.Cases = append(out.Cases, cs)
	}
	t.before += len(out.Cases)
	for i := range s.gone {
		if g := &s.gone[i]; g.fn == c.fn && g.id < c.id && oracle.SameCall(s.prog, c.fn, g.start, c.start) {
			t.equal++
		}
	}
	return out
}

// wrong returns the first case that a patch does not meet, and how it fails; nil if it meets all. With strict, earlier
// calls must end as they did; without, they must only end without an error.
func (t *trial) wrong(p *repair.Patch, strict bool) (*oracle.Case, string) {
	os, err := natural.Overlays(t.s.prog, p)
	if err != nil {
		return nil, ""
	}
	for i, r := range t.runs {
		for _, c := range t.suites[i].Cases {
			if t.s.stopped() {
				return nil, ""
			}
			got, err := r.Run(c, os)
			if err != nil || got.Meets(c.Want) || got.Unmodelled() != "" {
				continue
			}
			if !strict && c.State.Text != "" && got.Fault == nil {
				continue
			}
			return c, got.Differs(c.Want)
		}
	}
	return nil, ""
}

// hold returns the repairs that meet the calls. If none meets all, it returns those that only change how earlier calls
// end, and relaxed is true. If there are none of these either, out is nil. why says what the first refuted repair does
// wrong.
func (t *trial) hold(list []choice) (out []choice, relaxed bool, why string) {
	if len(t.runs) == 0 {
		return list, false, ""
	}
	for _, strict := range []bool{true, false} {
		for _, c := range list {
			bad, how := t.wrong(c.patch, strict)
			if bad == nil {
				out = append(out, c)
			} else if why == "" {
				why = bad.Name + ": " + how
			}
		}
		if len(out) > 0 {
			return out, !strict, why
		}
	}
	return nil, false, why
}

// Limits of the search over whole calls. Runs are bounded so that the answer is the same on every machine; time is
// bounded for programs that run long.
const (
	callsRuns  = 100_000
	fewerRuns  = 5_000
	callsLimit = 15 * time.Second
)

// byCalls searches for repairs with which the asserted calls end as asserted, whatever path they take; most bounds
// their edits. It returns nil if there are none.
func (t *trial) byCalls(ctx context.Context, f repairFlags, most, runs int, numbers bool) (*answer, error) {
	s := t.s
	free, freeGap, err := s.inScope(f, s.scope)
	if err != nil {
		return nil, err
	}
	if f.slots == 0 {
		freeGap = func(int32) bool { return false }
	}
	funcs := s.under(s.scope)
	until := budget.After(ctx, f.within(ctx, callsLimit))
	for _, suite := range t.suites {
		if len(suite.Cases) == 0 || suite.Cases[0].State.Text != "" {
			continue
		}
		s.progress("looking for repairs that change the way through %s", suite.Entry.Name)
		res, err := natural.Solve(ctx, &natural.Problem{
			Prog: s.prog, Suite: t.together(suite), Funcs: funcs, Free: free, FreeGap: freeGap, MaxEdits: most,
			Limit: max(budget.Until(ctx, until), time.Millisecond), Want: maxFound, Workers: 1, MaxRuns: runs, Numbers: numbers,
			Found: t.told(&answer{base: repair.NewPatch(), where: "over whole calls of " + suite.Entry.Name, natural: true, count: 1, cost: 1}, t.meets),
		})
		if err != nil || len(res.Repairs) == 0 {
			continue
		}
		a := &answer{base: repair.NewPatch(), where: "over whole calls of " + suite.Entry.Name, natural: true}
		for _, r := range res.Repairs {
			if t.meets(r.Patch) {
				a.repairs = append(a.repairs, trace.Repair{Patch: r.Patch, Cost: len(r.Patch.Edits()), Distance: r.Distance})
			}
		}
		if len(a.repairs) > 0 {
			a.count, a.cost = len(a.repairs), a.repairs[0].Cost
			return a, nil
		}
	}
	return nil, nil
}

// told returns a function that passes repairs for which meets holds on to t.upon; nil if nobody waits for them.
func (t *trial) told(a *answer, meets func(*repair.Patch) bool) func(natural.Repair) {
	if t.upon == nil {
		return nil
	}
	return func(r natural.Repair) {
		if meets(r.Patch) {
			t.upon(a, r)
		}
	}
}

// meets reports whether a patch meets all calls, and all segments outside of them.
func (t *trial) meets(p *repair.Patch) bool {
	bad, _ := t.wrong(p, true)
	return bad == nil && t.segments(p)
}

// under returns the functions of a scope, in the order of the program.
func (s *inferior) under(scope map[*cfront.Func]bool) []*cfront.Func {
	var out []*cfront.Func
	for _, fn := range s.prog.Tree.Funcs {
		if scope[fn] {
			out = append(out, fn)
		}
	}
	return out
}

// together returns a suite with the cases of all suites of the same function.
func (t *trial) together(suite *oracle.Suite) *oracle.Suite {
	all := *suite
	for _, o := range t.suites {
		if o != suite && o.Entry == suite.Entry && !all.NoResult {
			all.Cases = append(all.Cases[:len(all.Cases):len(all.Cases)], o.Cases...)
		}
	}
	return &all
}

// segments reports whether a patch meets the assertions outside of the calls whose end is asserted. Inside of these the
// run may take another path.
func (t *trial) segments(p *repair.Patch) bool {
	s := t.s
	ended := map[int]bool{}
	for i := range s.given {
		ended[s.given[i].id] = true
	}
	return s.others(func(seg *spec.Segment) bool { return ended[seg.Call] }, p)
}

// others reports whether a patch meets all segments for which some is false.
func (s *searcher) others(some func(*spec.Segment) bool, p *repair.Patch) bool {
	for _, seg := range s.segments() {
		if !some(seg) && s.misses([]*spec.Segment{seg}, p) >= 0 {
			return false
		}
	}
	return true
}
