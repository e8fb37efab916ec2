package schema

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/plural"
	"gulo/internal/repair/textedit"
	"gulo/internal/timing"
)

// This file searches programs with too many edits to list at once. The functions that a failing test executes are
// ranked by coverage. Their edits are listed, compiled and tried some functions at a time: first the cheapest edits of
// all of them, then all edits of the likeliest functions. Functions that no failing test executes are never listed,
// because no single edit of them is a repair.

// mostAtOnce is the number of a program's statements up to which all edits are listed at once.
const mostAtOnce = 600

// Bounds on what is listed at a time.
const (
	firstStatements = 150 // statements in the first functions that are tried
	moreStatements  = 4   // factor by which that grows each time
)

// ranked are the functions that failing tests execute, the likeliest first.
type ranked struct {
	all  []*cfront.Func
	seen *measured
	sp   *textedit.Space
	next int // index of the function that is tried next
	room int // number of statements that are tried next
	size map[*cfront.Func]int
}

// executed lists the functions that a failing test executes, and those without marked statements; all functions if the
// coverage is unknown.
func (c *cover) executed(funcs []*cfront.Func) (out []*cfront.Func) {
	for _, f := range funcs {
		if c == nil || len(c.in[f]) == 0 || slices.ContainsFunc(c.in[f], func(x *covered) bool { return x.failing > 0 }) {
			out = append(out, f)
		}
	}
	return out
}

// rank ranks the functions that failing tests execute by their likeliest statement; among equals small functions come
// first.
func (s *Search) rank(c *cover) *ranked {
	r := &ranked{all: slices.Clone(s.within), room: firstStatements, size: map[*cfront.Func]int{}}
	best := map[*cfront.Func]float64{}
	for _, f := range r.all {
		r.size[f] = 1
		if c != nil {
			r.size[f] = max(len(c.in[f]), 1)
			for _, x := range c.in[f] {
				best[f] = max(best[f], c.score(x))
			}
		}
	}
	slices.SortStableFunc(r.all, func(f, g *cfront.Func) int { return cmp.Or(cmp.Compare(best[g], best[f]), r.size[f]-r.size[g]) })
	return r
}

// ByRank reports whether functions are tried one after the other and some are left. Precondition: the search is ready.
func (s *Search) ByRank() bool { return s.ranked != nil }

// byRank tries edits of the remaining functions until one meets all tests.
func (s *Search) byRank(ctx context.Context) error {
	r := s.ranked
	for r.next < len(r.all) {
		if budget.Over(ctx, s.until) {
			s.res.Cut = true
			return nil
		}
		if err := s.cheapestOf(ctx, r); err != nil || len(s.good) > 0 {
			return err
		}
	}
	s.ranked = nil
	if !s.refused { // all suggested edits were tried by now
		s.refuse()
	}
	if budget.Over(ctx, s.until) {
		s.res.Cut = true
		return nil
	}
	return s.allOf(ctx, r)
}

// cheapestOf tries the cheapest edits of the next functions.
func (s *Search) cheapestOf(ctx context.Context, r *ranked) error {
	span := timing.Begin(ctx, "schema: space")
	if r.sp == nil {
		c := s.p.space(r.seen)
		c.Cheap = true
		r.sp = textedit.New(c)
		s.tested = true // suggested edits are tried with the others of their functions
	} else {
		r.sp.Clear()
	}
	from := r.next
	for n := 0; r.next < len(r.all) && (n == 0 || n+r.size[r.all[r.next]] <= r.room); r.next++ {
		n += r.size[r.all[r.next]]
	}
	list := r.all[from:r.next]
	r.sp.Suggest(s.p.suggestedFor(list))
	for _, f := range list {
		r.sp.Function(f)
	}
	r.room *= moreStatements
	s.sp, s.more = r.sp, true
	sites := cheap(r.sp.Sites)
	span.End("%s of %s", plural.N(editsAt(sites), "edit"), plural.N(r.next-from, "function"))
	return s.try(ctx, sites, r.sp.Moves[:r.sp.SuggestedMoves])
}

// suggestedFor returns the suggested edits for some functions.
func (p *Problem) suggestedFor(funcs []*cfront.Func) (out []textedit.Suggested) {
	for _, x := range p.Suggested {
		if x.Func == nil || slices.Contains(funcs, x.Func) {
			out = append(out, x)
		}
	}
	return out
}

func editsAt(sites []*textedit.Site) (n int) {
	for _, st := range sites {
		n += len(st.Edits)
	}
	return n
}

// allOf tries all edits of the likeliest functions, as many as can be compiled.
func (s *Search) allOf(ctx context.Context, r *ranked) error {
	if err := s.forcedIn(ctx, r); err != nil {
		return err
	}
	span := timing.Begin(ctx, "schema: space")
	sp := textedit.New(s.p.space(r.seen))
	sp.Suggest(s.p.suggestedFor(r.all))
	n := 0
	for _, f := range r.all {
		if sp.Total < mostListedAtOnce {
			sp.Function(f)
			n++
		}
	}
	listed := sp.Total
	sp.Prune(s.mostEdits())
	span.End("%s of %d, of %s", plural.N(sp.Total, "edit"), listed, plural.N(n, "function"))
	s.sp = sp
	return s.all(ctx)
}

// mostListedAtOnce bounds how many of all edits are listed. If there are more than can be compiled, the most expensive
// are dropped.
const mostListedAtOnce = 2 * textedit.MostQuickly

// forcedIn finds out where forcing an outcome in the likeliest functions makes a failing test pass.
func (s *Search) forcedIn(ctx context.Context, r *ranked) error {
	sites := textedit.Forced(r.all, mostForced)
	number(sites)
	texts, _, _ := schemata(s.p.Tree, sites, true)
	prog, err := native.Build(ctx, texts, s.p.config())
	var ce *native.CompileError
	if errors.As(err, &ce) {
		return nil
	}
	if err != nil {
		return err
	}
	defer prog.Close()
	r.seen.forced, err = s.forced(ctx, prog, sites, r.seen.cover)
	return err
}
