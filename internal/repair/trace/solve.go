// Package trace repairs heap manipulations: given segments of a trace with a
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
package trace

import (
	"context"
	"sort"
	"time"

	"gulo/internal/budget"
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
	Base     *repair.Patch        // edits in force already
	Free     func(id int32) bool  // statements that may change; nil: all
	FreeGap  func(gap int32) bool // gaps that may be filled; nil: all
	MaxCost  int                  // maximum number of edits; 0 means 4
	Slots    int                  // maximum number of insertions
	Limit    time.Duration        // 0 means 10 s
	MaxNodes int64                // states visited; 0 for no limit. Unlike Limit it gives the same answer on every machine
	More     int64                // states visited for further repairs after the first, in addition to a quarter of those for the first; 0 for no limit
	Rich     bool                 // also search guards on insertions, and calls of helpers
	Temps    []*cfront.Var        // temporaries that edits may use
}

// Repair is one repair.
type Repair struct {
	Patch    *repair.Patch // the new edits only
	Cost     int
	Distance int // number of tokens changed
}

// Result is the result of a search.
type Result struct {
	Repairs  []Repair // of minimal cost, best first
	Count    int      // number of repairs of that cost, as far as counted
	Cost     int
	Nodes    int64
	Complete bool // the space up to the bounds was searched
	Cause    string
}

type search struct {
	p         *Problem
	space     *space.Space
	units     map[int32]*unit
	slotUnits map[int32]*unit
	traces    []*repair.Trace
	start     []int // marks of their images at the start
	later     []*lookahead
	deferred  map[int32]bool

	left     int  // edits that the current segment must still use
	rest     int  // edits left for the segments after it
	inserts  int  // insertions left, of both
	passed   bool // the current segment has ended as asserted
	thorough bool // also change segments that need no change by themselves
	rel      *relevance
	fails    []bool // by segment: it does not end as asserted without an edit
	only     bool   // one segment is searched alone
	solved   bool   // that segment can be made to end as asserted
	grouper  grouper
	nodes    int64
	limit    int64 // limit of nodes while one segment is searched; 0 for none
	first    int64 // number of nodes when the first repair was found
	deadline time.Time
	ctx      context.Context
	timedOut bool
	leaves   []Repair
	count    int
	seen     map[string]bool
}

// maxLeaves bounds the repairs of one cost that are collected.
const maxLeaves = 200

// Solve searches for repairs of minimal total cost.
func Solve(ctx context.Context, p *Problem) *Result {
	if p.MaxCost == 0 {
		p.MaxCost = 4
	}
	if p.Limit == 0 {
		p.Limit = 10 * time.Second
	}
	s := &search{p: p, units: map[int32]*unit{}, slotUnits: map[int32]*unit{}, deadline: budget.After(ctx, p.Limit), ctx: ctx, deferred: Deferred(p.Program, p.Segments)}
	s.p = s.failingFirst(p)
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
	least := s.atLeast()
	for n := 0; n < 2*(p.MaxCost+1-least) && !s.timedOut; n++ {
		tot := least + n
		if tot > p.MaxCost { // once more, with edits in segments that need none
			tot, s.thorough = least+n-(p.MaxCost+1-least), true
		}
		s.leaves, s.count, s.seen, s.first = nil, 0, map[string]bool{}, 0
		s.left, s.rest, s.inserts = 0, tot, p.Slots
		s.reset()
		s.segment(0)
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

// Bounds on searching one segment alone.
const (
	aloneCost  = 2
	aloneNodes = 4_000
)

// atLeast finds out how many edits each failing segment needs alone, puts those that need few first, and returns the
// largest number.
func (s *search) atLeast() int {
	need, bound := make([]int, len(s.later)), 0
	for k := range s.later {
		if !s.fails[k] {
			continue
		}
		for need[k] = 1; need[k] <= aloneCost; need[k]++ {
			fits, sure := s.alone(k, need[k])
			if fits || !sure {
				break
			}
		}
		bound = max(bound, need[k])
	}
	for k, n := range need {
		s.later[k].need = n
	}
	s.sortSegments()
	for k, l := range s.later {
		l.apart = make([]bool, len(s.later))
		for r, m := range s.later {
			l.apart[r] = k != r && l.apartFrom(m)
		}
	}
	return max(bound, s.together(-1, 0))
}

// together returns how many edits are needed by segments, from number from on, that visit no common place with each
// other or with segment k.
func (s *search) together(k, from int) int {
	n := 0
	var taken []int
	for r := from; r < len(s.later) && s.later[r].need > 0; r++ {
		l := s.later[r]
		apart := k < 0 || l.apart[k]
		for _, q := range taken {
			apart = apart && l.apart[q]
		}
		if need := s.lacking(l); apart && need > 0 {
			n += need
			taken = append(taken, r)
		}
	}
	return n
}

// sortSegments sorts the failing segments first, those that need few edits before others.
func (s *search) sortSegments() {
	order := make([]int, len(s.later))
	for k := range order {
		order[k] = k
	}
	sort.SliceStable(order, func(a, b int) bool {
		x, y := order[a], order[b]
		if s.fails[x] != s.fails[y] {
			return s.fails[x]
		}
		return s.fails[x] && s.later[x].need < s.later[y].need
	})
	segs, traces, start, later := make([]*spec.Segment, len(order)), make([]*repair.Trace, len(order)), make([]int, len(order)), make([]*lookahead, len(order))
	for to, from := range order {
		segs[to], traces[to], start[to], later[to] = s.p.Segments[from], s.traces[from], s.start[from], s.later[from]
	}
	s.p.Segments, s.traces, s.start, s.later = segs, traces, start, later
}

// alone reports whether a segment alone can be made to end as asserted with a number of edits. sure is false if the
// search was not complete.
func (s *search) alone(k, edits int) (fits, sure bool) {
	limit, slots := s.limit, s.p.Slots
	s.limit = s.nodes + aloneNodes
	s.only, s.solved = true, false
	s.left, s.rest, s.inserts = 0, edits, slots
	s.reset()
	s.segment(k)
	fits, sure = s.solved, !s.timedOut
	s.limit, s.only, s.solved = limit, false, false
	s.timedOut = s.over()
	return fits, sure
}

// failingFirst puts the failing segments first: they determine what must change, and the others only narrow it down.
// Segments share only the program's text.
func (s *search) failingFirst(p *Problem) *Problem {
	q := *p
	var good []*spec.Segment
	q.Segments = nil
	for _, seg := range p.Segments {
		if repair.NewTrace(p.Program, seg, p.Base).Run(s.deferred) {
			good = append(good, seg)
		} else {
			q.Segments = append(q.Segments, seg)
		}
	}
	s.fails = make([]bool, len(p.Segments))
	for k := range q.Segments {
		s.fails[k] = true
	}
	q.Segments = append(q.Segments, good...)
	return &q
}

func (s *search) reset() {
	for _, u := range s.units {
		u.out, u.gout, u.vs, u.gvs, u.skipped = false, false, nil, nil, 0
	}
	for _, u := range s.slotUnits {
		u.out, u.gout, u.vs, u.gvs, u.skipped = false, false, nil, nil, 0
	}
	for k, t := range s.traces {
		t.Im.Rollback(s.start[k])
	}
}

// unit is a place with the state of the search.
type unit struct {
	*space.Unit
	out     bool   // the original behaviour was abandoned
	vs      bitset // candidates that are still consistent; nil means all
	gout    bool   // the same for its condition or guard
	gvs     bitset
	goutAt  [2]int      // segment and item of that; earlier visits behave like the original
	skipped int         // for a gap: number of visits without an insertion
	dists   map[int]int // distances of candidates from the original, as far as computed
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
	u, ok := s.slotUnits[id]
	if !ok {
		u = &unit{Unit: s.space.Slot(id)}
		s.slotUnits[id] = u
	}
	return u
}
