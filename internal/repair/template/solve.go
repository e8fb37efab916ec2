// Package template corrects components of a program: it looks for expressions with which the program meets its
// specification for all inputs (Koenighofer and Bloem, "Automated Error Localization and Correction for Imperative
// Programs", FMCAD 2011, sections III-E to III-G).
//
// The neighbourhood of the present expression comes first, then templates whose parameters a solver finds. Both are
// refined by counterexamples (Fig. 3): a candidate that meets the inputs collected so far (Eq. 5) is checked on all
// others by the solver (Eq. 6). In the paper the solver finds every candidate. Here, candidates of the neighbourhood
// are tried by computing the formula on the collected inputs, which takes microseconds.
package template

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"sort"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/sat"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// Hole is an evaluation of a component in the executed program.
type Hole struct {
	Component int // index in Problem.Components
	At        *symbolic.Hole
	Symbol    *smt.Term // of the width of its type
}

// Problem is a diagnosis to be corrected. The holes are those of its components only, in the order of execution. Pass
// is a formula over inputs and the holes' symbols.
type Problem struct {
	Engine     *symbolic.Engine
	Tree       *cfront.Program
	Components []*Component
	Holes      []Hole
	Pass       *smt.Term
	Assume     *smt.Term // assumption about the inputs
	Inputs     []symbolic.Input
	Tests      []smt.Model // initial inputs, failing ones first; Solve adds counterexamples

	// Result is what the program returns. Kept is what it returned before on some of the tests, by index: a repair that
	// keeps these results is preferred to one that does not, for example because it ends before the assertion.
	Result *smt.Term
	Kept   map[int]uint64

	// Evades reports whether the candidate that is bound to the holes' symbols bypasses the assertions instead of
	// meeting them. It may be nil.
	Evades func(*smt.Lazy) bool
}

// Options are the limits and the switches of a search.
type Options struct {
	Repairs     int             // wanted for one diagnosis; 0 means 1
	Iterations  int             // refinements of one template; 0 means 10
	Until       time.Time       // zero: no limit
	Plain       bool            // do not prefer simple candidates
	Meek        bool            // do not look for nasty counterexamples
	Only        map[string]bool // names of templates; nil: all
	Own         []string        // the user's templates, tried first
	NoNear      bool            // do not search the neighbourhood, like the paper
	NoTemplates bool            // search only the neighbourhood
	MaxCost     int             // maximum cost in the neighbourhood; 0: none
	MinCost     int             // cheaper candidates were tried before
	Lists       [][]Candidate   // candidates by component, instead of the neighbourhood
	Seed        int64
	Progress    func(string)
}

// Repair has an expression for each component.
type Repair struct {
	X       []cfront.Expr
	What    string
	Checked bool   // the solver proved that it fails on no input
	Unknown string // why that is unknown
	Cost    int
	Changed int // number of passing inputs on which it returns another result than the program
}

// Step is an iteration: a candidate, and whether it was correct (as shown in section V).
type Step struct {
	Text    string
	Correct bool
}

// Result is the result of a search.
type Result struct {
	Repairs []Repair
	Steps   []Step // candidates that met all inputs collected at the time
	Tried   int    // number of all candidates
	Queries int
	Evading int    // candidates that hold only because they bypass the assertions
	Why     string // why there may be more repairs; "" if the whole space was searched
}

type search struct {
	ctx    context.Context // of the call of Solve or Promising
	p      *Problem
	opt    Options
	ask    *smt.Solver // checks candidates on all inputs
	fill   *smt.Solver // finds the parameters of templates
	tests  []smt.Model
	lazy   *smt.Lazy
	exprs  []*symbolic.Expressions // by hole
	index  map[*smt.Term]int       // index of its hole, by symbol
	xs     []cfront.Expr           // the current candidate
	depth  int                     // nesting depth of components in functions that components call
	now    []value                 // by hole: its value with the current candidate
	params map[*cfront.Var]*smt.Term
	order  []int // order of the tests: those that refuted a candidate recently come first
	out    *Result
	rnd    *rand.Rand
	since  int
	shown  map[string]bool
}

type value struct{ v, def *smt.Term }

// Solve looks for repairs. It uses up both solvers.
func Solve(ctx context.Context, p *Problem, ask, fill *smt.Solver, opt Options) (*Result, error) {
	if opt.Repairs == 0 {
		opt.Repairs = 1
	}
	if opt.Iterations == 0 {
		opt.Iterations = 10
	}
	s := newSearch(ctx, p, opt)
	s.ask, s.fill = ask, fill
	ask.Reset()
	before := ask.Queries + fill.Queries
	err := s.run(ctx)
	p.Tests = s.tests
	s.out.Queries = ask.Queries + fill.Queries - before
	return s.out, err
}

func newSearch(ctx context.Context, p *Problem, opt Options) *search {
	s := &search{
		ctx: ctx, p: p, opt: opt, tests: p.Tests, out: &Result{}, rnd: rand.New(rand.NewSource(opt.Seed + 1)),
		index: map[*smt.Term]int{}, now: make([]value, len(p.Holes)), params: map[*cfront.Var]*smt.Term{}, shown: map[string]bool{},
	}
	s.lazy = &smt.Lazy{Bind: s.bind}
	for i, h := range p.Holes {
		s.index[h.Symbol] = i
		x := p.Engine.Expressions(ctx, h.At.State)
		x.Vars = func(v *cfront.Var) *smt.Term { return s.params[v] }
		x.Nested = s.nested
		s.exprs = append(s.exprs, x)
	}
	for i := range s.tests {
		s.order = append(s.order, i)
	}
	return s
}

func (s *search) bind(t *smt.Term) *smt.Term {
	if i, ok := s.index[t]; ok {
		return s.p.Engine.Terms.Extract(s.now[i].v, 0, t.Width)
	}
	return nil
}

func (s *search) done(ctx context.Context) bool {
	s.spend()
	switch {
	case len(s.out.Repairs) >= s.opt.Repairs:
		return true
	case ctx.Err() != nil, !s.opt.Until.IsZero() && budget.Over(ctx, s.opt.Until):
		s.out.Why = "time"
		return true
	}
	return false
}

// spend charges the terms computed and made since the last call to the budget.
func (s *search) spend() {
	s.lazy.Spend(s.ctx)
	s.p.Engine.Terms.Spend(s.ctx)
}

func (s *search) run(ctx context.Context) error {
	if !s.opt.NoNear {
		if err := s.near(ctx); err != nil || s.done(ctx) {
			return err
		}
	}
	if s.opt.NoTemplates {
		return nil
	}
	return s.templates(ctx)
}

// Bounds on combining candidates of several components.
const (
	maxPairs = 1500 // candidates of one component
	maxAlike = 2    // candidates with the same values on the inputs compared
	classes  = 12   // inputs compared

	maxPromising = 40 // candidates of one component that correct some input
)

// different keeps those candidates of a component that give other values than cheaper ones, with the other components
// unchanged.
func (s *search) different(component int, list []Candidate) []Candidate {
	xs := make([]cfront.Expr, len(s.p.Components))
	cheapest := 1 // lowest cost of a change to the other components
	for i, c := range s.p.Components {
		xs[i] = c.X
	}
	var tests []smt.Model
	for i := 0; len(tests) < classes && i < len(s.tests); i++ {
		tests = append(tests, s.tests[i])
	}
	alike := map[string]int{}
	var out []Candidate
	for _, c := range list {
		if s.opt.MaxCost > 0 && c.Cost > s.opt.MaxCost-cheapest || len(out) >= maxPairs {
			break
		}
		xs[component] = c.X
		if !s.set(xs) {
			continue
		}
		var b strings.Builder
		for _, t := range tests {
			s.lazy.Use(t)
			for i, h := range s.p.Holes {
				if h.Component != component || s.lazy.Value(h.At.State.PC) != 1 {
					continue
				}
				if s.lazy.Value(s.now[i].def) != 1 {
					b.WriteString("?,")
					continue
				}
				fmt.Fprintf(&b, "%x,", s.lazy.Value(s.now[i].v))
			}
		}
		if alike[b.String()]++; alike[b.String()] <= maxAlike {
			out = append(out, c)
		}
	}
	return out
}

// near tries the neighbourhood. For several components it tries all combinations, the cheapest first.
func (s *search) near(ctx context.Context) error {
	lists := s.opt.Lists
	for i := 0; lists == nil || i < len(s.p.Components) && s.opt.Lists == nil; i++ {
		lists = append(lists, Neighbours(s.p.Components[i], s.p.Tree))
	}
	if len(lists) > 1 && s.opt.Lists == nil {
		for i := range lists {
			if lists[i] = s.different(i, lists[i]); len(lists[i]) == 0 {
				return nil
			}
		}
	}
	return combine(lists, s.opt.MinCost, s.opt.MaxCost, func(cs []Candidate) (bool, error) {
		if s.done(ctx) {
			return false, nil
		}
		return true, s.try(ctx, cs)
	})
}

// combine calls f for combinations of candidates in the order of their total costs, until f returns false.
func combine(lists [][]Candidate, least, most int, f func([]Candidate) (bool, error)) error {
	greatest := 0
	for _, l := range lists {
		if len(l) == 0 {
			return nil
		}
		greatest += l[len(l)-1].Cost
	}
	if most == 0 {
		most = greatest
	}
	pick := make([]Candidate, len(lists))
	for total := least; total <= min(most, greatest); total++ {
		var walk func(i, left int) (bool, error)
		walk = func(i, left int) (bool, error) {
			if i == len(lists) {
				if left > 0 {
					return true, nil
				}
				return f(pick)
			}
			l := lists[i]
			from := 0
			if i == len(lists)-1 {
				from = sort.Search(len(l), func(k int) bool { return l[k].Cost >= left })
			}
			for _, c := range l[from:] {
				if c.Cost > left {
					break
				}
				pick[i] = c
				if more, err := walk(i+1, left-c.Cost); err != nil || !more {
					return more, err
				}
			}
			return true, nil
		}
		if more, err := walk(0, total); err != nil || !more {
			return err
		}
	}
	return nil
}

// Promising lists candidates for the only component of a problem that make some failing input pass and no passing one
// fail. mends says which of the problem's inputs each of them corrects. Together with a change elsewhere they may be a
// repair.
func Promising(ctx context.Context, p *Problem, most int, until time.Time) (out []Candidate, mends [][]bool) {
	s := newSearch(ctx, p, Options{})
	if !s.set([]cfront.Expr{p.Components[0].X}) {
		return nil, nil
	}
	bad := make([]bool, len(s.tests))
	for i, t := range s.tests {
		bad[i] = !s.meets(t)
	}
	alike := map[string]bool{}
	for _, c := range Neighbours(p.Components[0], p.Tree) {
		if c.Cost > most || len(out) >= maxPromising || budget.Over(ctx, until) {
			break
		}
		s.spend()
		if !s.set([]cfront.Expr{c.X}) {
			continue
		}
		key := make([]byte, len(s.tests))
		some, breaks := false, false
		m := make([]bool, len(s.tests))
		for _, i := range s.order {
			good := s.meets(s.tests[i])
			if breaks = !good && !bad[i]; breaks {
				s.front(i)
				break
			}
			if m[i] = good && bad[i]; m[i] {
				some, key[i] = true, 1
			}
		}
		if some && !breaks && !alike[string(key)+c.What] {
			alike[string(key)+c.What] = true
			out, mends = append(out, c), append(mends, m)
		}
	}
	return out, mends
}

// front moves an input to the front of the order.
func (s *search) front(i int) {
	k := slices.Index(s.order, i)
	copy(s.order[1:k+1], s.order[:k])
	s.order[0] = i
}

// nested computes a component in a function that the expression of another component calls.
func (s *search) nested(h *symbolic.Hole) *smt.Term {
	if s.depth++; s.depth > 2 { // the candidate calls itself
		s.depth--
		return nil
	}
	defer func() { s.depth-- }()
	x := s.p.Engine.Expressions(s.ctx, h.State)
	x.Vars, x.Nested = func(v *cfront.Var) *smt.Term { return s.params[v] }, s.nested
	v, _, err := x.Value(s.xs[h.ID-1])
	if err != nil {
		return nil
	}
	return v
}

// set computes the holes for the expressions xs; false if that is not supported.
func (s *search) set(xs []cfront.Expr) bool {
	s.xs = xs
	for i, h := range s.p.Holes {
		v, def, err := s.exprs[i].Value(xs[h.Component])
		if err != nil {
			var limit *symbolic.LimitError
			if errors.As(err, &limit) {
				s.out.Why = limit.What
			}
			return false
		}
		s.now[i] = value{v, def}
	}
	return true
}

// meets reports whether the current candidate passes on an input.
func (s *search) meets(in smt.Model) bool {
	s.lazy.Use(in)
	if s.lazy.Value(s.p.Pass) != 1 {
		return false
	}
	for i, h := range s.p.Holes {
		if s.now[i].def.Op == smt.OpConst && s.now[i].def.K == 1 {
			continue
		}
		if s.lazy.Value(h.At.State.PC) == 1 && s.lazy.Value(s.now[i].def) != 1 {
			return false
		}
	}
	return true
}

// meetsAll reports whether the current candidate passes on all collected inputs. It tries the one that refuted last
// first.
func (s *search) meetsAll() bool {
	for _, i := range s.order {
		if !s.meets(s.tests[i]) {
			s.front(i)
			return false
		}
	}
	return true
}

func (s *search) learn(in smt.Model) {
	s.tests = append(s.tests, in)
	s.order = append([]int{len(s.tests) - 1}, s.order...)
}

// try judges a candidate of the neighbourhood.
func (s *search) try(ctx context.Context, cs []Candidate) error {
	s.out.Tried++
	xs := make([]cfront.Expr, len(cs))
	cost := 0
	for i, c := range cs {
		xs[i], cost = c.X, cost+c.Cost
	}
	if !s.set(xs) || !s.meetsAll() {
		return nil
	}
	return s.judge(ctx, xs, cs[0].What, cost)
}

// judge checks a candidate that meets all collected inputs on all others.
func (s *search) judge(ctx context.Context, xs []cfront.Expr, what string, cost int) error {
	text := ""
	for i, x := range xs {
		if i > 0 {
			text += ", "
		}
		text += cfront.Text(x)
	}
	if s.shown[text] {
		return nil
	}
	s.shown[text] = true
	if s.opt.Progress != nil {
		s.opt.Progress(text)
	}
	r, in, err := s.counterexample(ctx)
	if err != nil {
		return err
	}
	s.out.Steps = append(s.out.Steps, Step{text, r == sat.Unsatisfiable})
	rep := Repair{X: xs, What: what, Cost: cost, Checked: r == sat.Unsatisfiable}
	switch r {
	case sat.Satisfiable:
		s.learn(s.nasty(in))
		return nil
	case sat.Unknown:
		rep.Unknown = "the solver does not know whether it holds for all inputs (" + s.ask.Cause + ")"
	}
	if s.p.Evades != nil && s.p.Evades(s.lazy) {
		s.out.Evading++
		return nil
	}
	for i, v := range s.p.Kept {
		s.lazy.Use(s.tests[i])
		if s.lazy.Value(s.p.Result) != v {
			rep.Changed++
		}
	}
	s.out.Repairs = append(s.out.Repairs, rep)
	return nil
}

// whole returns the condition, over the inputs only, under which the current candidate passes.
func (s *search) whole() *smt.Term {
	ts := s.p.Engine.Terms
	known := map[*smt.Term]*smt.Term{}
	put := func(t *smt.Term) *smt.Term {
		return ts.Substitute(t, func(v *smt.Term) *smt.Term { return known[v] })
	}
	good := ts.True
	for i, h := range s.p.Holes {
		known[h.Symbol] = put(ts.Extract(s.now[i].v, 0, h.Symbol.Width))
		good = ts.And(good, ts.Implies(put(h.At.State.PC), put(s.now[i].def)))
	}
	return ts.And(good, put(s.p.Pass))
}

// counterexample looks for an input on which the current candidate fails (Eq. 6).
func (s *search) counterexample(ctx context.Context) (sat.Result, smt.Model, error) {
	ts := s.p.Engine.Terms
	if s.since++; s.since%64 == 0 {
		s.ask.Reset()
	}
	bad := ts.And(s.p.Assume, ts.Not(s.whole()))
	r, _, err := s.ask.Check(ctx, bad)
	if err != nil || r != sat.Satisfiable {
		return r, nil, err
	}
	in := smt.Model{}
	for _, i := range s.p.Inputs {
		in[i.Name] = s.ask.Model()[i.Name]
	}
	return r, in, nil
}

// nasty makes a counterexample's numbers large and unrelated, as long as it remains one (section III-G does this by
// MAX-SAT and then at random; here it is only at random).
func (s *search) nasty(in smt.Model) smt.Model {
	if s.opt.Meek {
		return in
	}
	for range 2 {
		for _, i := range s.p.Inputs {
			old := in[i.Name]
			in[i.Name] = s.rnd.Uint64() & (1<<(i.Term.Width-1)<<1 - 1)
			if s.rnd.Intn(2) == 0 {
				in[i.Name] = uint64(s.rnd.Intn(4000)-2000) & (1<<(i.Term.Width-1)<<1 - 1)
			}
			s.lazy.Use(in)
			if s.lazy.Value(s.p.Assume) != 1 || s.meets(in) {
				in[i.Name] = old
			}
		}
	}
	return in
}
