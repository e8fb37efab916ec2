// Package proof finds repairs with a solver: proof-guided widening, Algorithm 3 of Wolverine2 (Verma and Roy,
// "Debug-Localize-Repair: A Symbiotic Construction for Heap Manipulations", Formal Methods in System Design 58, 2021,
// section 4), its variant AlgVar, and a strategy that keeps the cost minimal.
//
// The trace is executed over sets of guarded values, instead of passing formulas over states to the solver. The
// remaining constraint is propositional and is solved by gini. If integers have too many values, they become
// bit-vectors and Z3 solves the constraint. Package space defines the edits, so that this package answers the same
// question as the enumeration of repair/trace.
//
// Where we differ from the paper: there is a slot in every gap instead of the placing function ξ (which gives the same
// programs for one insertion in each gap); "Σ < τ" is read as "Σ ≤ τ", with τ = 0 at first; the asserted entities are
// assumptions, too, so that a core names the checkpoints that cannot be met together.
package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"sort"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/repair/space"
	"gulo/internal/sat"
	"gulo/internal/smt"
	"gulo/internal/spec"
)

// Strategy is the way in which the bounds are widened.
type Strategy uint8

// The strategies.
const (
	Minimal    Strategy = iota // by total cost, skipping bounds that a core has refuted
	Algorithm3                 // as the core directs: guards, then statements, then insertions
	AlgVar                     // relaxes one random constraint of the core
)

// Engine selects the solver.
type Engine uint8

// The engines.
const (
	SAT Engine = iota
	Z3
)

// Problem is a repair query.
type Problem struct {
	Program   *lower.Program
	Segments  []*spec.Segment
	Base      *repair.Patch
	Free      func(id int32) bool
	FreeGap   func(gap int32) bool
	Deferred  map[int32]bool // forced loop conditions that need not hold yet, see trace.Deferred
	MaxCost   int            // for Minimal; 0 means 4
	Slots     int            // maximum number of insertions
	Tries     int            // for the other strategies; 0 means 60
	Limit     time.Duration  // of the search itself; 0 means 10 s
	Guard     time.Duration  // by the clock; 0 means Limit
	Strategy  Strategy
	Engine    Engine
	Explain   bool  // make the core of a refutation small
	Constants bool  // Z3: integers may be assigned constants that the program does not mention
	Seed      int64 // AlgVar

	ctx   context.Context
	until time.Time
}

// Result is the result of a search.
type Result struct {
	Patch    *repair.Patch // nil: none was found
	Cost     int
	Proved   bool       // there is no repair: within the bounds, or none at all if Conflict is set
	More     bool       // the core contains the bound on insertions: more slots could help
	Conflict []Conflict // assertions that cannot be met together
	Cause    string     // why the result is unknown
	Partial  bool       // some edits could not be encoded: a smaller repair may exist
	Checks   int
	Vars     int
	Clauses  int
}

// Conflict is an asserted cell in a core.
type Conflict struct {
	Segment int
	Cell    spec.Cell
}

// Solve searches for a repair.
func Solve(ctx context.Context, p *Problem) *Result {
	q := *p
	if q.MaxCost == 0 {
		q.MaxCost = 4
	}
	if q.Tries == 0 {
		q.Tries = 60
	}
	if q.Limit == 0 {
		q.Limit = 10 * time.Second
	}
	q.until = budget.After(ctx, q.Limit)
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(q.Guard, q.Limit))
	defer cancel()
	q.ctx = ctx
	e := &encoder{p: &q, places: map[int32]*place{}, slots: map[int32]*place{}, deferred: q.Deferred, told: map[string]bool{}}
	if q.Engine == Z3 {
		z, err := smt.Start()
		if err != nil {
			return &Result{Cause: err.Error()}
		}
		e.z = z
		e.gates = newGates(z)
	} else {
		e.gates = newGates(sat.New())
	}
	defer e.s.Close()
	e.space = space.New(space.Config{Program: q.Program, Segments: q.Segments, Base: q.Base, Free: q.Free, FreeGap: q.FreeGap})
	if err := e.encode(); err != nil {
		return &Result{Cause: err.Error()}
	}
	w := &widening{e: e, res: &Result{}}
	w.selectors()
	switch q.Strategy {
	case Minimal:
		w.minimal()
	case Algorithm3:
		w.algorithm3()
	case AlgVar:
		w.algVar()
	}
	w.res.Partial = e.partial
	if e.partial && w.res.Patch == nil && w.res.Cause == "" {
		w.res.Proved, w.res.Cause = false, "edits that the solver does not support"
	}
	w.res.Vars, w.res.Clauses = e.s.Size()
	return w.res
}

// widening relaxes the bounds until the constraint is satisfiable.
type widening struct {
	e          *encoder
	res        *Result
	rs, ss, ts []int
	rc, sc, tc []int // counters of the selectors
	hard       []int // assumptions for the specification
}

func (w *widening) selectors() {
	e := w.e
	collect := func(m map[int32]*place, f func(p *place)) {
		var ids []int32
		for id := range m {
			ids = append(ids, id)
		}
		sort.Slice(ids, func(i, j int) bool { return ids[i] < ids[j] })
		for _, id := range ids {
			f(m[id])
		}
	}
	add := func(list *[]int, l int) {
		if l != e.no() {
			*list = append(*list, l)
		}
	}
	collect(e.places, func(p *place) { add(&w.rs, p.r); add(&w.ss, p.s) })
	collect(e.slots, func(p *place) { add(&w.ts, p.t) })
	limit := max(e.p.MaxCost, e.p.Tries) + 1
	w.rc, w.sc, w.tc = e.counter(w.rs, limit), e.counter(w.ss, limit), e.counter(w.ts, limit)
	w.hard = append(w.hard, e.active...)
	for _, ends := range e.ends {
		w.hard = append(w.hard, ends...)
	}
}

// atMost returns the assumption that at most k of the counted literals hold; false if there is no such bound.
func (w *widening) atMost(counter []int, k int) (int, bool) {
	if k >= len(counter) || counter[k] == w.e.no() {
		return 0, false
	}
	return -counter[k], true
}

// check solves the constraint within bounds. usedG, usedS and usedT say which bounds are in the core.
func (w *widening) check(g, s, t int) (r sat.Result, usedG, usedS, usedT bool, core []int) {
	assume := append([]int(nil), w.hard...)
	lg, okG := w.atMost(w.rc, g)
	ls, okS := w.atMost(w.sc, s)
	lt, okT := w.atMost(w.tc, t)
	for _, b := range []struct {
		lit int
		ok  bool
	}{{lg, okG}, {ls, okS}, {lt, okT}} {
		if b.ok {
			assume = append(assume, b.lit)
		}
	}
	r, core = w.solve(assume)
	for _, l := range core {
		usedG = usedG || okG && l == lg
		usedS = usedS || okS && l == ls
		usedT = usedT || okT && l == lt
	}
	return r, usedG, usedS, usedT, core
}

func (w *widening) solve(assume []int) (sat.Result, []int) {
	w.res.Checks++
	if w.e.over() {
		w.res.Cause = errTime.Error()
		return sat.Unknown, nil
	}
	_, clauses := w.e.s.Size()
	budget.Spend(w.e.p.ctx, int64(clauses)*clauseCost)
	unit, most := w.e.unit(), int64(0)
	if budget.Counted(w.e.p.ctx) {
		most = max(1, budget.Of(budget.Until(w.e.p.ctx, w.e.p.until))/unit)
	}
	r, core, work, err := w.e.s.Solve(w.e.p.ctx, assume, most)
	budget.Spend(w.e.p.ctx, work*unit)
	if err != nil {
		w.res.Cause = err.Error()
		return sat.Unknown, nil
	}
	if r == sat.Unknown {
		w.res.Cause = errTime.Error()
	}
	return r, core
}

// unit returns how many steps of a search a unit of the solver's work is.
func (e *encoder) unit() int64 {
	if e.z != nil {
		return budget.PerSecond / smt.PropositionsPerSecond
	}
	return budget.PerSecond / sat.PerSecond
}

// errTime is the cause if the time is up.
var errTime = errors.New("time limit")

// Costs in steps of package budget: of making a proposition, and of each clause in a query.
const (
	propositionCost = 100
	clauseCost      = 50
)

// minimal looks for a cheapest patch: it raises the bounds on the numbers of changed guards, changed statements and
// insertions in the order of their sum, and at equal sums allows more changed guards before statements, and statements
// before insertions. It skips bounds that an earlier unsatisfiable core already rules out.
func (w *widening) minimal() {
	if w.e.p.Explain && w.hopeless() {
		return
	}
	type budget struct{ g, s, t int }
	var refuted []budget
	const unbounded = 1 << 20
	for tot := 0; tot <= w.e.p.MaxCost; tot++ {
		for t := 0; t <= min(tot, w.e.p.Slots); t++ {
			for s := 0; s <= tot-t; s++ {
				b := budget{tot - t - s, s, t}
				known := false
				for _, x := range refuted {
					known = known || b.g <= x.g && b.s <= x.s && b.t <= x.t
				}
				if known {
					continue
				}
				r, ug, us, ut, core := w.check(b.g, b.s, b.t)
				switch r {
				case sat.Unknown:
					return
				case sat.Satisfiable:
					w.res.Patch, w.res.Cost = w.patch(), tot
					return
				}
				if !ug && !us && !ut {
					w.refute(core)
					return
				}
				x := budget{unbounded, unbounded, unbounded}
				if ug {
					x.g = b.g
				}
				if us {
					x.s = b.s
				}
				if ut {
					x.t = b.t
				}
				refuted = append(refuted, x)
			}
		}
	}
	w.exhausted()
}

// algorithm3 is the paper's loop.
func (w *widening) algorithm3() {
	g, s, t := 0, 0, 0
	for try := 0; try < w.e.p.Tries; try++ {
		r, ug, us, ut, core := w.check(g, s, t)
		switch {
		case r == sat.Unknown:
			return
		case r == sat.Satisfiable:
			w.res.Patch = w.patch()
			w.res.Cost = len(w.res.Patch.Edits())
			return
		case ug:
			g++
		case us:
			s++
		case ut && t < w.e.p.Slots:
			t++
		case ut:
			w.res.Proved, w.res.More = true, true
			return
		default:
			w.refute(core)
			return
		}
	}
	w.res.Cause = "tries exceeded"
}

// algVar relaxes one random constraint of the core at a time.
func (w *widening) algVar() {
	rnd := rand.New(rand.NewSource(w.e.p.Seed))
	kept := map[int]bool{}
	soft := append(append(append([]int(nil), w.rs...), w.ss...), w.ts...)
	for _, l := range soft {
		kept[-l] = true
	}
	for try := 0; try < w.e.p.Tries; try++ {
		assume := append([]int(nil), w.hard...)
		for _, l := range soft {
			if kept[-l] {
				assume = append(assume, -l)
			}
		}
		if l, ok := w.atMost(w.tc, w.e.p.Slots); ok {
			assume = append(assume, l)
		}
		r, core := w.solve(assume)
		switch r {
		case sat.Unknown:
			return
		case sat.Satisfiable:
			w.res.Patch = w.patch()
			w.res.Cost = len(w.res.Patch.Edits())
			return
		}
		var relax []int
		for _, l := range core {
			if kept[l] {
				relax = append(relax, l)
			}
		}
		if len(relax) == 0 {
			w.refute(core)
			return
		}
		sort.Ints(relax)
		delete(kept, relax[rnd.Intn(len(relax))])
	}
	w.res.Cause = "tries exceeded"
}

// hopeless solves the constraint with only the insertions bounded. If it is unsatisfiable, no edits meet the
// assertions, and it reports whether more insertions could help, or which assertions conflict. It returns false if the
// constraint is satisfiable.
func (w *widening) hopeless() bool {
	r, _, _, ut, core := w.check(len(w.rs), len(w.ss), w.e.p.Slots)
	switch {
	case r != sat.Unsatisfiable:
		return r == sat.Unknown
	case ut:
		w.res.Proved, w.res.More = true, true
	default:
		w.refute(core)
	}
	return true
}

// exhausted is called when all bounds were refuted.
func (w *widening) exhausted() {
	if !w.hopeless() {
		w.res.Proved = true // within the bounds
	}
}

// refute reports the assertions of a core, reduced by leaving out one at a time.
func (w *widening) refute(core []int) {
	w.res.Proved = true
	inCore := map[int]bool{}
	for _, l := range core {
		inCore[l] = true
	}
	if l, ok := w.atMost(w.tc, w.e.p.Slots); ok && !inCore[l] {
		core = append(core, l)
		inCore[l] = true
	}
	for _, l := range append([]int(nil), core...) {
		if len(core) > 200 || !w.e.p.Explain {
			break
		}
		var rest []int
		for _, m := range core {
			if m != l {
				rest = append(rest, m)
			}
		}
		if r, smaller := w.solve(rest); r == sat.Unsatisfiable {
			core = smaller
		}
	}
	inCore = map[int]bool{}
	for _, l := range core {
		inCore[l] = true
	}
	for k, seg := range w.e.p.Segments {
		n := len(w.res.Conflict)
		for j, l := range w.e.ends[k] {
			if inCore[l] {
				w.res.Conflict = append(w.res.Conflict, Conflict{k, seg.End[j]})
			}
		}
		if inCore[w.e.active[k]] && len(w.res.Conflict) == n {
			w.res.Conflict = append(w.res.Conflict, Conflict{Segment: k})
		}
	}
}

// patch reads the chosen edits from the model.
func (w *widening) patch() *repair.Patch {
	e := w.e
	var edits []*repair.Edit
	for id, p := range e.places {
		if ed := e.edit(p, &repair.Edit{Stmt: id}); ed != nil {
			edits = append(edits, ed)
		}
	}
	for id, p := range e.slots {
		if p.t != e.no() && e.s.Value(p.t) {
			edits = append(edits, &repair.Edit{Gap: id, New: e.statementOf(p)})
		}
	}
	return repair.NewPatch(edits...)
}

func (e *encoder) edit(p *place, ed *repair.Edit) *repair.Edit {
	changed := false
	if p.s != e.no() && e.s.Value(p.s) {
		changed = true
		ed.New = e.statementOf(p)
	}
	if p.r != e.no() && e.s.Value(p.r) {
		changed = true
		for c, l := range p.conds {
			if !e.s.Value(l) {
				continue
			}
			k, isConst := p.u.Conds[c].(*cfront.Const)
			switch {
			case isConst && k.Value == 0:
				ed.Delete, ed.New = true, nil
			case p.u.Stmt.Kind == lower.Cond:
				ed.New = p.u.Conds[c]
			default:
				ed.Guard = p.u.Conds[c]
				if ed.New == nil && p.u.Base != nil {
					ed.New = p.u.Base.New
				}
			}
		}
	}
	if !changed {
		return nil
	}
	return ed
}

// statementOf returns the statement chosen at a place.
func (e *encoder) statementOf(p *place) cfront.Expr {
	for j, l := range p.wholes {
		if e.s.Value(l) {
			return p.u.Wholes[j]
		}
	}
	for ci := range p.u.Classes {
		c := &p.u.Classes[ci]
		for a, li := range c.L {
			if !e.s.Value(p.left[li]) {
				continue
			}
			for b := range p.right[ci] {
				if !e.s.Value(p.right[ci][b]) {
					continue
				}
				if b == len(c.R) { // a constant chosen by the solver
					t := p.u.Lhs[li].Type()
					x := cfront.NewConst(t, e.z.TermValue(p.holes[ci]))
					if p.u.Stmt != nil && (p.u.Stmt.Kind == lower.Decl || p.u.Stmt.Kind == lower.Return) {
						return x
					}
					return cfront.NewAssign(p.u.Lhs[li], x)
				}
				return p.u.Candidate(c.Base + a*len(c.R) + b)
			}
		}
	}
	panic(fmt.Sprintf("proof: no statement chosen for place %d", p.u.ID))
}
