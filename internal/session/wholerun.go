package session

import (
	"context"
	"slices"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/oracle"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/trace"
	"gulo/internal/spec"
)

// This file looks at the run from its beginning. A user who draws what the right program would show also draws what
// went wrong before the call in hand: in an earlier call, or in a function that one of them calls. No change of this
// call alone gives that, but the right program, run from its beginning, does.

// point is an assertion that can be checked in a whole run.
type point struct {
	call
	at     int32 // the next statement
	inside bool  // at the end of the call, still in it
	img    *heap.Image
	result *ctype.Word
	counts map[*cfront.Var]bool   // variables of the innermost function that are asserted
	leads  []map[*cfront.Var]bool // by active function: the variables that it still reads
	seg    *spec.Segment          // that ends there
	run    *oracle.Start          // what an earlier run, with other arguments, was given; nil for the one in hand
	under  *repair.Patch          // the patch in force when it was recorded

	// Of an assertion in the middle of a call, or of main: visit counts the visits of the statement, level the
	// functions below the call's own. In main, visits are counted from the first halt, at from with the picture seen.
	visit, level int
	from         int32
	seen         *heap.Image
	halted       []*heap.Image // pictures of the other halts of main before that
}

// pointAt describes an assertion at the next statement; inside says that it is at the end of call c.
func (s *recorder) pointAt(c *call, inside bool) point {
	st := s.stmt()
	p := point{call: *c, at: st.ID, inside: inside, img: s.asDrawn(), counts: map[*cfront.Var]bool{}, leads: s.stillRead(), under: s.patch}
	if inside {
		if w, ok := s.tgt.Result(); ok && c.fn.Result != nil {
			p.result = &w
		}
		return p
	}
	live := s.prog.Live(st.Func)[st.ID]
	for _, v := range s.graph.Vars {
		if v.Frame == 0 && (!v.Var.Type.IsScalar() || v.Var.AddrTaken || live[v.Var] || s.fresh[v.Name]) {
			p.counts[v.Var] = true
		}
	}
	return p
}

// stillRead returns, for each active function, the variables that it reads after the functions it called have returned.
// If the user drew in a node, all pointers count, as they may lead to it.
func (s *recorder) stillRead() []map[*cfront.Var]bool {
	var out []map[*cfront.Var]bool
	for i, f := range s.img.Frames {
		reads := map[*cfront.Var]bool{}
		if i > 0 && f.Stmt > 0 && s.prog.Stmts[f.Stmt] != nil && s.prog.Stmts[f.Stmt].Func == f.Func {
			live := s.prog.Live(f.Func)
			for _, e := range s.prog.Edges(s.prog.Stmts[f.Stmt]) {
				for v := range live[e.Next] {
					reads[v] = true
				}
			}
		}
		if s.drewInNode() {
			for _, v := range s.graph.Vars {
				if v.Frame == i && v.Var.Type.Kind == ctype.Pointer {
					reads[v.Var] = true
				}
			}
		}
		out = append(out, reads)
	}
	return out
}

// drewInNode reports whether the user drew in a node. The node is asserted even if only dead variables lead to it.
func (s *recorder) drewInNode() bool {
	for k := range s.fresh {
		if strings.Contains(k, "->") {
			return true
		}
	}
	return false
}

// noteMiddle records an assertion that is not at the end of a call. It counts the visits of the statement since the
// call began; in main, since the program halted in it first.
func (s *recorder) noteMiddle(seg *spec.Segment) {
	if len(s.untracked()) > 0 || s.call != nil && s.call.dirty {
		return
	}
	st := s.stmt()
	in, chain := s.call, []*spec.Segment{seg}
	for i := len(s.segs) - 1; i >= 0 && chain[0].From != "" && s.segs[i].Call == seg.Call && s.segs[i].Label == chain[0].From; i-- {
		chain = append([]*spec.Segment{s.segs[i]}, chain...)
	}
	first := chain[0].Start
	if in == nil {
		if st.Func.Name != "main" || s.stop.Depth != 1 || len(first.Frames) != 1 || first.Frames[0].Stmt <= 0 {
			return
		}
		in = &call{fn: st.Func, depth: s.stop.Depth}
	}
	p := s.pointAt(in, false)
	p.seg, p.level = seg, s.stop.Depth-in.depth
	began := s.call == nil || len(first.Frames) > 0 && s.isFirst(s.prog.Stmts[first.Frames[0].Stmt])
	if p.visit, began = visits(chain, st.ID, s.stop.Depth, in.depth, began); !began {
		return
	}
	if s.call == nil {
		p.from, p.seen = first.Frames[0].Stmt, first
		p.halted = slices.DeleteFunc(slices.Clone(s.halted), func(im *heap.Image) bool { return im == first || im.Frames[0].Stmt <= 0 })
	}
	s.points = append(s.points, p)
}

// visits counts, from 1, the visits of a statement up to the end of a chain of segments. The chain ends now calls deep,
// and the call is in calls deep. Visits count from where the call begins: inside the chain, or, if began says so, at
// its start. ok is false if the chain starts in the middle of the call.
func visits(chain []*spec.Segment, stmt int32, now, in int, began bool) (n int, ok bool) {
	depth := now
	for _, g := range chain {
		for i := range g.Items {
			switch g.Items[i].Kind {
			case spec.Enter:
				depth--
			case spec.Leave:
				depth++
			}
		}
	}
	n, ok = 1, began && depth == in
	for _, g := range chain {
		for i := range g.Items {
			it := &g.Items[i]
			if it.Stmt == stmt && depth == now && (it.Kind == spec.Whole || it.Kind == spec.Enter) {
				n++
			}
			switch it.Kind {
			case spec.Enter:
				if depth++; depth == in {
					n, ok = 1, true
				}
			case spec.Leave:
				depth--
			}
		}
	}
	return n, ok
}

// asserts reports whether a variable of an active function is part of the assertion. Variables of callers count if
// other functions can reach them, as in cells.
func (p *point) asserts(v *cfront.Var, frame int) bool {
	switch {
	case frame == 0 && p.inside:
		return false // the end of a function drops its locals
	case frame == 0:
		return p.counts[v]
	}
	return v.Exposed()
}

// leadsOn reports whether what a caller's variable leads to is asserted, though the variable itself is not.
func (p *point) leadsOn(v *cfront.Var, frame int) bool {
	return frame >= 0 && frame < len(p.leads) && p.leads[frame][v]
}

// fromStart turns the assertions into cases of whole runs. It leaves out those that the run from its beginning does not
// reach by itself, since the user corrected a picture before. The function reports whether a segment is covered.
func (s *searcher) fromStart(ctx context.Context) (*oracle.Suite, func(*spec.Segment) bool) {
	suite := &oracle.Suite{Prog: s.prog, Env: s.environment()}
	met := map[*spec.Segment]bool{}
	if len(s.unsaid) > 0 {
		return suite, s.within(met)
	}
	for i := range s.points {
		p := &s.points[i]
		begin := s.beginOf(p)
		n, visit, ok := s.whereIs(ctx, p, begin)
		if !ok {
			continue
		}
		met[p.seg] = true
		suite.Cases = append(suite.Cases, &oracle.Case{
			Name: "the run from its beginning", Args: begin.Args, Stdin: begin.Stdin, Want: oracle.AsDrawn(),
			Until: &oracle.Until{Func: p.fn, Call: n, Stmt: p.at, Inside: p.inside, Visit: visit, Level: p.level, Want: p.img, Result: p.result, Counts: p.asserts, Leads: p.leadsOn, Begin: p.start},
		})
	}
	return suite, s.within(met)
}

// whereIs finds the call, or in main the visit, at which a point stands in the run from its beginning. The run was made with
// the patch that was in force when the point was recorded, or before that was found.
func (s *searcher) whereIs(ctx context.Context, p *point, begin oracle.Start) (call, visit int, ok bool) {
	for _, with := range p.recordedWith(s.patch) {
		edits, err := natural.Overlays(s.prog, with)
		if err != nil {
			continue
		}
		if p.seen != nil {
			if before, _ := oracle.Visit(ctx, s.prog, begin, edits, p.from, p.seen, p.at); before >= 0 {
				return 1, p.visit + before, true
			}
		} else if n := oracle.CallNumber(ctx, s.prog, p.fn, begin, edits, p.start); n > 0 {
			return n, p.visit, true
		}
	}
	return 0, 0, false
}

// recordedWith returns the patches with which a process may have come to a point: that of then, the present one, and none.
func (p *point) recordedWith(now *repair.Patch) []*repair.Patch {
	out := []*repair.Patch{now}
	if p.under != nil && p.under != now {
		out = []*repair.Patch{p.under, now}
	}
	if !slices.ContainsFunc(out, (*repair.Patch).Empty) {
		out = append(out, repair.NewPatch())
	}
	return out
}

// beginOf returns what the run was given in which a point was recorded.
func (s *searcher) beginOf(p *point) oracle.Start {
	out := s.begins()
	if p.run != nil {
		out = *p.run
	}
	out.Spend = s.spend
	return out
}

// kept returns the points for a new run with other arguments: each remembers what its own run was given.
func (s *recorder) kept() []point {
	begin := s.begins()
	out := slices.Clone(s.points)
	for i := range out {
		if out[i].run == nil {
			out[i].run = &begin
		}
	}
	return out
}

// within returns a function that reports whether a segment is in some, or belongs to a call whose end one of these
// asserts.
func (s *recorder) within(some map[*spec.Segment]bool) func(*spec.Segment) bool {
	calls := map[int]bool{}
	for i := range s.points {
		if p := &s.points[i]; p.visit == 0 && some[p.seg] {
			calls[p.id] = true
		}
	}
	return func(seg *spec.Segment) bool { return some[seg] || seg.Call != 0 && calls[seg.Call] }
}

// byRun searches for repairs with which the run from its beginning meets the assertions: first in the functions under
// repair, then in those that they call.
func (t *trial) byRun(ctx context.Context, f repairFlags, suite *oracle.Suite, met func(*spec.Segment) bool, most, runs int) (*answer, error) {
	s := t.s
	until := budget.After(ctx, f.within(ctx, callsLimit))
	callees := s.callees()
	for _, scope := range []map[*cfront.Func]bool{s.scope, callees} {
		if len(scope) == 0 {
			continue
		}
		free, freeGap, err := s.inScope(f, scope)
		if err != nil {
			return nil, err
		}
		if f.slots == 0 {
			freeGap = func(int32) bool { return false }
		}
		s.progress("looking at the run from its beginning")
		for _, numbers := range []bool{true, false} { // first single edits, also of array elements and sums
			edits := most
			if numbers {
				edits = 1
			}
			res, err := natural.Solve(ctx, &natural.Problem{
				Prog: s.prog, Suite: suite, Funcs: s.under(scope), Free: free, FreeGap: freeGap, MaxEdits: edits,
				Limit: max(budget.Until(ctx, until), time.Millisecond), Want: maxFound, Workers: 1, MaxRuns: runs, Numbers: numbers,
				Found: t.told(&answer{base: repair.NewPatch(), where: "over the run from its beginning" + s.among(scope), natural: true, fromStart: true, count: 1, cost: 1}, func(p *repair.Patch) bool { return s.others(met, p) }),
			})
			if err != nil || len(res.Repairs) == 0 {
				continue
			}
			a := &answer{base: repair.NewPatch(), where: "over the run from its beginning" + s.among(scope), natural: true}
			for _, r := range res.Repairs {
				if s.others(met, r.Patch) {
					a.repairs = append(a.repairs, trace.Repair{Patch: r.Patch, Cost: len(r.Patch.Edits()), Distance: r.Distance})
				}
			}
			if len(a.repairs) > 0 {
				a.count, a.cost = len(a.repairs), a.repairs[0].Cost
				return a, nil
			}
		}
	}
	return nil, nil
}

// among names the functions of a scope that the user did not step into.
func (s *searcher) among(scope map[*cfront.Func]bool) string {
	var names []string
	for _, f := range s.under(scope) {
		if !s.scope[f] {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	if len(names) > 3 {
		return ", also in functions that you did not step into"
	}
	return ", in " + joinAnd(names) + ", which you did not step into"
}

// comes reports whether the run from its beginning meets all cases of a suite with patch p.
func (s *searcher) comes(suite *oracle.Suite, p *repair.Patch) bool {
	os, err := natural.Overlays(s.prog, p)
	run, err2 := s.runner(suite)
	if err != nil || err2 != nil {
		return false
	}
	for _, c := range suite.Cases {
		if s.stopped() {
			return false
		}
		if r, err := run.Run(c, os); err != nil || !r.Meets(c.Want) {
			return false
		}
	}
	return true
}

// callees returns the functions that those under repair call, directly or not.
func (s *searcher) callees() map[*cfront.Func]bool {
	out := map[*cfront.Func]bool{}
	var add func(f *cfront.Func)
	add = func(f *cfront.Func) {
		if f.Body == nil {
			return
		}
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if r, ok := y.(*cfront.FuncRef); ok && r.Func.Body != nil && !out[r.Func] && !s.scope[r.Func] {
					out[r.Func] = true
					add(r.Func)
				}
				if c, ok := y.(*cfront.Call); ok {
					for _, g := range s.through(c) {
						if !out[g] && !s.scope[g] {
							out[g] = true
							add(g)
						}
					}
				}
				return true
			})
		})
	}
	for f := range s.scope {
		add(f)
	}
	own := map[*cfront.Func]bool{}
	for _, f := range s.prog.Tree.Funcs { // not those of the library
		if out[f] {
			own[f] = true
		}
	}
	return own
}

// through lists the functions that a call through a pointer may mean: those of its type that are used as values.
func (s *searcher) through(c *cfront.Call) []*cfront.Func {
	t := c.Fun.Type()
	if _, ok := cfront.Skip(c.Fun).(*cfront.FuncRef); ok || t == nil {
		return nil
	}
	if t.Kind == ctype.Pointer {
		t = t.Elem
	}
	if s.pointed == nil {
		s.pointed = pointedTo(s.prog.Tree)
	}
	var out []*cfront.Func
	for _, f := range s.pointed {
		if ctype.Same(f.Type, t) {
			out = append(out, f)
		}
	}
	return out
}

// pointedTo lists the functions that are used as values, in the order of the program.
func pointedTo(tree *cfront.Program) []*cfront.Func {
	met := map[*cfront.Func]bool{}
	look := func(x cfront.Expr) {
		called := map[cfront.Expr]bool{}
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Call:
				called[cfront.Skip(y.Fun)] = true
			case *cfront.FuncRef:
				if !called[y] {
					met[y.Func] = true
				}
			}
			return true
		})
	}
	for _, f := range tree.Funcs {
		if f.Body != nil {
			cfront.WalkStmt(f.Body, nil, look)
		}
	}
	for _, v := range tree.Globals {
		for _, i := range v.Init {
			look(i.X)
		}
	}
	out := []*cfront.Func{}
	for _, f := range tree.Funcs {
		if met[f] && f.Body != nil {
			out = append(out, f)
		}
	}
	return out
}

// segments returns the asserted segments without those that are settled by the run from its beginning.
func (s *recorder) segments() []*spec.Segment {
	if len(s.settled) == 0 {
		return s.segs
	}
	var out []*spec.Segment
	for _, seg := range s.segs {
		if !s.settled[seg] {
			out = append(out, seg)
		}
	}
	return out
}

// overRun settles the segments that the patch in force does not meet when they are replayed alone: the patch was found
// in the run from its beginning.
func (s *searcher) overRun() {
	at := map[*spec.Segment]bool{}
	for i := range s.points {
		at[s.points[i].seg] = true
	}
	in := s.within(at)
	settled := map[*spec.Segment]bool{}
	for _, seg := range s.segs {
		if in(seg) && (s.settled[seg] || s.misses([]*spec.Segment{seg}, s.patch) >= 0) {
			settled[seg] = true
		}
	}
	s.settled = settled
}

// wrongBefore names up to three asserted entities that had another value at the start of their segment and that the
// segment leaves alone: they went wrong before.
func (s *recorder) wrongBefore() string {
	var out []string
	for _, seg := range s.segments() {
		if seg.Holds() {
			continue
		}
		t := repair.NewTrace(s.prog, seg, s.patch)
		t.Run(trace.Deferred(s.prog, s.segments()))
		for _, c := range seg.End {
			was, ok := seg.Start.Load(c.Addr, c.Type)
			now, ok2 := t.Im.Load(c.Addr, c.Type)
			if ok && ok2 && was == now && was != c.Word && seg.Start.Known(c.Addr, c.Type.Size) {
				out = append(out, c.Key)
			}
		}
	}
	if len(out) > 3 {
		out = out[:3]
	}
	return strings.Join(out, ", ")
}
