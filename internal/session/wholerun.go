package session

import (
	"context"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/oracle"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/trace"
	"gulo/internal/spec"
)

// This file looks at the run from its beginning. Who draws what the right program
// would show draws also what went wrong before the call in hand: in an earlier call, or
// in a function that one of them calls. No change of this call alone gives that, but a
// run from the beginning of the right program comes to it.

// point is where the end of a call was asserted.
type point struct {
	call
	at     int32 // the statement there
	inside bool  // in the call, at its end
	img    *heap.Image
	result *ctype.Word
	counts map[*cfront.Var]bool // variables of the innermost function that are asserted
}

// pointAt describes the assertion being made at the end of a call.
func (s *Session) pointAt(c *call, inside bool) point {
	st := s.stmt()
	p := point{call: *c, at: st.ID, inside: inside, img: s.img, counts: map[*cfront.Var]bool{}}
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

// asserts reports whether a variable of an active function is part of what is asserted:
// as in cells, those of callers count where somebody else can reach them.
func (p *point) asserts(v *cfront.Var, frame int) bool {
	switch {
	case frame == 0 && p.inside:
		return false // the end of a function drops its locals
	case frame == 0:
		return p.counts[v]
	}
	return v.AddrTaken
}

// fromStart makes the assertions at the ends of calls cases of whole runs; those that
// the run from its beginning does not come to by itself, since the user corrected the
// picture before, are left out.
func (s *Session) fromStart(ctx context.Context) (*oracle.Suite, map[int]bool) {
	suite := &oracle.Suite{Prog: s.prog}
	ids := map[int]bool{}
	if len(s.unsaid) > 0 {
		return suite, ids
	}
	edits, err := natural.Overlays(s.prog, s.patch)
	if err != nil {
		return suite, ids
	}
	stdin := s.cfg.Input + s.typed
	for i := range s.points {
		p := &s.points[i]
		n := oracle.CallNumber(ctx, s.prog, p.fn, s.cfg.Args, stdin, edits, p.start)
		if n == 0 {
			continue
		}
		ids[p.id] = true
		suite.Cases = append(suite.Cases, &oracle.Case{
			Name: "the run from its beginning", Args: s.cfg.Args, Stdin: stdin, Want: oracle.AsDrawn(),
			Until: &oracle.Until{Func: p.fn, Call: n, Stmt: p.at, Inside: p.inside, Want: p.img, Result: p.result, Counts: p.asserts},
		})
	}
	return suite, ids
}

// byRun looks for repairs with which the run from its beginning comes to what is
// asserted: in the functions under repair, then in those that they call as well.
func (t *trial) byRun(ctx context.Context, f repairFlags, suite *oracle.Suite, ids map[int]bool, most, runs int) (*answer, error) {
	s := t.s
	until := time.Now().Add(f.within(callsLimit))
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
		for _, numbers := range []bool{true, false} { // one edit, of elements of arrays and sums as well
			edits := most
			if numbers {
				edits = 1
			}
			res, err := natural.Solve(ctx, &natural.Problem{
				Prog: s.prog, Suite: suite, Funcs: s.under(scope), Free: free, FreeGap: freeGap, MaxEdits: edits,
				Limit: max(time.Until(until), time.Millisecond), Want: maxFound, Workers: 1, MaxRuns: runs, Numbers: numbers,
			})
			if err != nil || len(res.Repairs) == 0 {
				continue
			}
			a := &answer{base: repair.NewPatch(), where: "over the run from its beginning" + s.among(scope), natural: true}
			for _, r := range res.Repairs {
				if s.others(ids, r.Patch) {
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

// among names the functions that were not stepped into.
func (s *Session) among(scope map[*cfront.Func]bool) string {
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
		return ", in what the functions stepped into call"
	}
	return ", in " + joinAnd(names) + ", which you did not step into"
}

// comes reports whether the run from its beginning comes to what is asserted.
func (s *Session) comes(suite *oracle.Suite, p *repair.Patch) bool {
	os, err := natural.Overlays(s.prog, p)
	run, err2 := oracle.NewRunner(suite)
	if err != nil || err2 != nil {
		return false
	}
	for _, c := range suite.Cases {
		if r, err := run.Run(c, os); err != nil || !r.Meets(c.Want) {
			return false
		}
	}
	return true
}

// callees returns the functions that those under repair call, directly or not.
func (s *Session) callees() map[*cfront.Func]bool {
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

// segments returns what is asserted of the ways from one picture to the next, without
// what the run from its beginning has settled.
func (s *Session) segments() []*spec.Segment {
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

// overRun notes the segments that the patch in force meets only in the run from its
// beginning.
func (s *Session) overRun() {
	ids := map[int]bool{}
	for i := range s.points {
		ids[s.points[i].id] = true
	}
	settled := map[*spec.Segment]bool{}
	for _, seg := range s.segs {
		if ids[seg.Call] && (s.settled[seg] || trace.Replay(s.prog, []*spec.Segment{seg}, s.patch) >= 0) {
			settled[seg] = true
		}
	}
	s.settled = settled
}

// wrongBefore names what is drawn and was as it is now already when the call began, and which
// nothing in it sets: it went wrong before.
func (s *Session) wrongBefore() string {
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
