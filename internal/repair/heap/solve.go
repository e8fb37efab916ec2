// Package heap repairs heap manipulations: given segments of a trace with a
// concrete state at both ends, it finds the smallest edits that make every
// segment end in its asserted state.
//
// The query is Wolverine2's (Verma and Roy, "Debug-Localize-Repair: A Symbiotic
// Construction for Heap Manipulations", Formal Methods in System Design 58,
// 2021, section 4): guards,
// statements and insertion slots may change, loop iterations share their
// statements, and closeness to the program is kept by bounds that are widened.
// Where we differ: instead of one SMT formula the trace is executed concretely
// with version spaces. Every place keeps the set of edits still consistent
// with the behaviour chosen so far; the edits are grouped by effect; a place is
// charged when its original leaves the set. Bounds are widened in order of
// total cost, so the first repair is minimal. There is a slot in every gap
// instead of the placing function ξ: the same programs for one insertion a gap.
//
// A guard that the user forced true is not pinned down before the trace has
// left its loop: until then every condition that is always true would do.
package heap

import (
	"context"
	"sort"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/repair/space"
	"gulo/internal/spec"
)

// Problem is a repair query.
type Problem struct {
	Program  *lower.Program
	Segments []*spec.Segment
	Base     *repair.Patch        // edits in force
	Free     func(id int32) bool  // statements that may change; nil: all
	FreeGap  func(gap int32) bool // gaps that may be filled; nil: all
	MaxCost  int                  // edits; 0 means 4
	Slots    int                  // insertions; default 2
	Limit    time.Duration        // 0 means 10 s
	MaxNodes int64                // states looked at; 0 for no limit. Unlike Limit it gives the same answer everywhere
	Rich     bool                 // also guards on insertions and calls of helpers
	Temps    []*cfront.Var        // temporaries that edits may use
}

// Repair is one answer.
type Repair struct {
	Patch    *repair.Patch // the new edits only
	Cost     int
	Distance int // tokens changed
}

// Result is what a search found.
type Result struct {
	Repairs  []Repair // of minimal cost, best first
	Count    int      // how many repairs of that cost there are, as far as counted
	Cost     int
	Nodes    int64
	Complete bool // the space up to the bounds was searched
	Cause    string
}

type search struct {
	p        *Problem
	space    *space.Space
	units    map[int32]*unit
	slots    map[int32]*unit
	traces   []*repair.Trace
	start    []int // marks of their images
	later    []*lookahead
	deferred map[int32]bool

	bG, bS, bI int
	nodes      int64
	deadline   time.Time
	ctx        context.Context
	timedOut   bool
	leaves     []Repair
	count      int
	seen       map[string]bool
}

// maxLeaves bounds how many repairs of one cost are collected.
const maxLeaves = 200

// Solve searches for repairs of minimal total cost.
func Solve(ctx context.Context, p *Problem) *Result {
	if p.MaxCost == 0 {
		p.MaxCost = 4
	}
	if p.Limit == 0 {
		p.Limit = 10 * time.Second
	}
	s := &search{p: p, units: map[int32]*unit{}, slots: map[int32]*unit{}, deadline: time.Now().Add(p.Limit), ctx: ctx, deferred: Deferred(p.Program, p.Segments)}
	s.p = failingFirst(p, s.deferred)
	p = s.p
	s.space = space.New(space.Config{Program: p.Program, Segments: p.Segments, Base: p.Base, Free: p.Free, FreeGap: p.FreeGap, Rich: p.Rich, Donors: p.Rich, Temps: p.Temps})
	for _, seg := range p.Segments {
		t := repair.NewTrace(p.Program, seg, p.Base)
		repair.AddTemps(t.Im, p.Temps)
		s.start = append(s.start, t.Im.Mark())
		s.traces = append(s.traces, t)
		s.later = append(s.later, s.lookahead(seg, t.Im))
	}
	res := &Result{}
	for tot := 0; tot <= p.MaxCost && !s.timedOut; tot++ {
		s.leaves, s.count, s.seen = nil, 0, map[string]bool{}
		for i := 0; i <= min(tot, p.Slots); i++ {
			for st := 0; st <= tot-i; st++ {
				s.bG, s.bS, s.bI = tot-i-st, st, i
				s.reset()
				s.segment(0)
			}
		}
		if len(s.leaves) > 0 {
			sort.SliceStable(s.leaves, func(a, b int) bool { return s.leaves[a].Distance < s.leaves[b].Distance })
			res.Repairs, res.Count, res.Cost = s.leaves, s.count, tot
			break
		}
	}
	res.Nodes, res.Complete = s.nodes, !s.timedOut
	if s.timedOut {
		res.Cause = "time limit"
		if p.MaxNodes > 0 && s.nodes >= p.MaxNodes {
			res.Cause = "search limit"
		}
	}
	return res
}

// failingFirst orders the segments, which share nothing but the program's text,
// so that those that fail come first: they decide what must change, the others
// only narrow it down.
func failingFirst(p *Problem, deferred map[int32]bool) *Problem {
	q := *p
	var good []*spec.Segment
	q.Segments = nil
	for _, seg := range p.Segments {
		if repair.NewTrace(p.Program, seg, p.Base).Run(deferred) {
			good = append(good, seg)
		} else {
			q.Segments = append(q.Segments, seg)
		}
	}
	q.Segments = append(q.Segments, good...)
	return &q
}

// Deferred returns the loop conditions that were forced but whose loop the
// trace never leaves.
func Deferred(p *lower.Program, segs []*spec.Segment) map[int32]bool {
	forced, left := map[int32]bool{}, map[int32]bool{}
	for _, seg := range segs {
		for i := range seg.Items {
			it := &seg.Items[i]
			s := p.Stmts[it.Stmt]
			if s.Kind != lower.Cond || !s.Loop {
				continue
			}
			if it.Forced && it.Decision == 1 {
				forced[it.Stmt] = true
			}
			if it.Decision == 0 {
				left[it.Stmt] = true
			}
		}
	}
	for id := range left {
		delete(forced, id)
	}
	return forced
}

func (s *search) reset() {
	for _, u := range s.units {
		u.out, u.gout, u.vs, u.gvs, u.skipped = false, false, nil, nil, 0
	}
	for _, u := range s.slots {
		u.out, u.gout, u.vs, u.gvs, u.skipped = false, false, nil, nil, 0
	}
	for k, t := range s.traces {
		t.Im.Rollback(s.start[k])
	}
}

// unit is a place with the state of the search.
type unit struct {
	*space.Unit
	out     bool   // the original behaviour has been left
	vs      bitset // candidates consistent so far; nil means all
	gout    bool   // the same for its condition or guard
	gvs     bitset
	skipped int // gap: visits that inserted nothing
}

func (s *search) unit(id int32) *unit {
	u, ok := s.units[id]
	if !ok {
		u = &unit{Unit: s.space.Unit(id)}
		s.units[id] = u
	}
	return u
}

func (s *search) slot(id int32) *unit {
	u, ok := s.slots[id]
	if !ok {
		u = &unit{Unit: s.space.Slot(id)}
		s.slots[id] = u
	}
	return u
}
