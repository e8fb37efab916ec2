package symbolic

import (
	"context"
	"math/rand"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/sat"
	"gulo/internal/smt"
)

// This file executes path by path, concolically: a run with an input gives the branches of its path. Each of them is
// negated once, after the branches before it (Godefroid, Klarlund and Sen, "DART", PLDI 2005; the bound keeps a path
// from being executed twice).

// Search is an order of paths.
type Search string

// The orders in which branches are negated.
const (
	Depth    Search = "depth"
	Breadth  Search = "breadth"
	Coverage Search = "coverage" // first those that lead to an edge that no path has taken
	Random   Search = "random"
)

// Branch is a decision of a path.
type Branch struct {
	Cond  *smt.Term
	Taken bool
	Stmt  int32
}

// Path is one path that was executed.
type Path struct {
	Inputs   smt.Model // an input that takes it
	Branches []Branch
	Outcome  Outcome
	New      int // statements that no earlier path executed
}

// Condition returns the path condition.
func (p *Path) Condition(ts *smt.Terms) *smt.Term {
	c := ts.True
	for _, b := range p.Branches {
		c = ts.And(c, literal(ts, b))
	}
	return c
}

func literal(ts *smt.Terms, b Branch) *smt.Term {
	if b.Taken {
		return b.Cond
	}
	return ts.Not(b.Cond)
}

// Exploration is what Explore found.
type Exploration struct {
	Paths    []Path
	Complete bool   // every path was executed, none was cut
	Why      string // why it is not complete
	Asked    int    // questions to the solver
}

// Limits end an exploration.
type Limits struct {
	Paths    int // 0 means 400, as in the paper
	Branches int // in one path; 0 means 2,000
	Time     time.Duration
	Search   Search
	Seed     int64
	Progress func(paths, waiting int)
}

// path is the state of the run of one path.
type path struct {
	tape     *smt.Tape
	inputs   smt.Model
	branches []Branch
	most     int
}

// decide records a branch and reports whether the input takes it.
func (p *path) decide(e *Engine, st *State, c *smt.Term, stmt int32) bool {
	if k, ok := c.IsConst(); ok {
		return k == 1
	}
	p.tape.Add(c)
	p.tape.Run(p.inputs)
	taken := p.tape.Value(c) == 1
	for _, b := range p.branches {
		if b.Cond == c {
			return taken // decided before
		}
	}
	p.branches = append(p.branches, Branch{c, taken, stmt})
	if len(p.branches) > p.most {
		panic(&LimitError{"a path has more branches than the limit"})
	}
	return taken
}

// turn is a branch that waits to be negated.
type turn struct {
	prefix []Branch
	bound  int
	inputs smt.Model
}

// Explore executes a function path by path. start makes the initial state and the arguments of a run. Only inputs that
// meet assume are tried (nil: all).
func (e *Engine) Explore(ctx context.Context, s *smt.Solver, lim Limits, f *cfront.Func, start func() (*State, []*smt.Term), assume *smt.Term) (*Exploration, error) {
	if lim.Paths == 0 {
		lim.Paths = 400
	}
	if lim.Branches == 0 {
		lim.Branches = 2000
	}
	if assume == nil {
		assume = e.Terms.True
	}
	out := &Exploration{}
	s.Reset()
	s.Assert(assume)
	first, _, err := s.Check(ctx)
	if err != nil {
		return nil, err
	}
	if first != sat.Satisfiable {
		out.Why = "no input meets what is assumed of the inputs"
		return out, nil
	}
	rnd := rand.New(rand.NewSource(lim.Seed))
	begin := budget.Now(ctx)
	todo := []turn{{inputs: s.Model()}}
	seen := map[[2]int32]bool{}
	cut := ""
	for len(todo) > 0 {
		if lim.Progress != nil {
			lim.Progress(len(out.Paths), len(todo))
		}
		switch {
		case len(out.Paths) >= lim.Paths:
			out.Why = "the limit of paths was reached"
			return out, nil
		case lim.Time > 0 && budget.Since(ctx, begin) > lim.Time, ctx.Err() != nil:
			out.Why = "time is up"
			return out, nil
		}
		t := pick(&todo, lim.Search, rnd, seen)
		if n := len(t.prefix); n > 0 {
			ok, why := e.solve(ctx, s, &t)
			out.Asked++
			if why != "" {
				cut = why
			}
			if !ok {
				continue
			}
		}
		p, err := e.one(ctx, t.inputs, lim.Branches, f, start)
		if err != nil {
			return out, err
		}
		if p.Outcome.Kind == Cut {
			cut = p.Outcome.Message
		}
		out.Paths = append(out.Paths, *p)
		for i, b := range p.Branches {
			seen[edge(b, b.Taken)] = true
			if i < t.bound {
				continue
			}
			prefix := append(append([]Branch(nil), p.Branches[:i]...), Branch{b.Cond, !b.Taken, b.Stmt})
			todo = append(todo, turn{prefix: prefix, bound: i + 1})
		}
	}
	out.Complete, out.Why = cut == "", cut
	return out, nil
}

func edge(b Branch, taken bool) [2]int32 {
	if taken {
		return [2]int32{b.Stmt, 1}
	}
	return [2]int32{b.Stmt, 0}
}

// pick removes and returns the next branch to be negated.
func pick(todo *[]turn, by Search, rnd *rand.Rand, seen map[[2]int32]bool) turn {
	list := *todo
	i := len(list) - 1
	switch by {
	case Breadth:
		i = 0
	case Random:
		i = rnd.Intn(len(list))
	case Coverage:
		for k := len(list) - 1; k >= 0; k-- {
			if n := len(list[k].prefix); n > 0 && !seen[edge(list[k].prefix[n-1], list[k].prefix[n-1].Taken)] {
				i = k
				break
			}
		}
	}
	t := list[i]
	*todo = append(list[:i:i], list[i+1:]...)
	return t
}

// solve finds an input that takes the prefix of a branch. ok is false if there is none, or if the solver fails, and
// then why says so.
func (e *Engine) solve(ctx context.Context, s *smt.Solver, t *turn) (ok bool, why string) {
	var list []*smt.Term
	for _, b := range t.prefix {
		list = append(list, literal(e.Terms, b))
	}
	r, _, err := s.Check(ctx, list...)
	switch {
	case err != nil:
		return false, err.Error()
	case r == sat.Unknown:
		return false, "the solver does not know whether a path can be taken (" + s.Cause + ")"
	case r == sat.Unsatisfiable:
		return false, ""
	}
	t.inputs = smt.Model{}
	for k, v := range s.Model() {
		t.inputs[k] = v
	}
	return true, ""
}

// one executes the path that an input takes.
func (e *Engine) one(ctx context.Context, inputs smt.Model, most int, f *cfront.Func, start func() (*State, []*smt.Term)) (*Path, error) {
	before := len(e.Covered)
	st, args := start()
	e.path = &path{tape: smt.NewTape(), inputs: inputs, most: most}
	defer func() { e.path = nil }()
	e.Inputs, e.taken = nil, nil
	outs, err := e.Run(ctx, st, f, args)
	p := &Path{Inputs: inputs, Branches: e.path.branches, New: len(e.Covered) - before}
	if lim, ok := err.(*LimitError); ok {
		p.Outcome = Outcome{Kind: Cut, Cond: e.Terms.True, Message: lim.What}
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	if len(outs) == 0 {
		p.Outcome = Outcome{Kind: Cut, Cond: e.Terms.True, Message: "a path has no end"}
		return p, nil
	}
	p.Outcome = outs[0]
	return p, nil
}
