package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/locate/gradient"
	"gulo/internal/oracle"
	"gulo/internal/repair"
)

// This file continues the search when the best repair fails on many generated inputs: it gives what was drawn, but not
// in the way that people mean. The lines that locate ranks are searched one by one, and repairs that hold on more
// inputs come first.

// Bounds of that search.
const (
	rankedLines    = 8
	likeliestLines = 3
	lineLimit      = 5 * time.Second
	linesLimit     = 20 * time.Second
)

// doubted: a repair that fails on one in so many inputs, or more, is not trusted.
const doubted = 10

// failing reports whether a repair fails on many of the inputs that it was tried on.
func (s *searcher) failing(c *choice) bool {
	v := c.verdict
	if v == nil || v.Unknown != "" {
		return false
	}
	bad := v.Errors + v.Unkept
	return bad > 0 && bad*doubted >= len(v.Outcomes)-v.Outside
}

// doubtful reports whether a repair fails on many inputs, or spoils an input that the program as written does not
// spoil: it loses nodes there, or leaves another shape.
func (s *searcher) doubtful(c *choice) bool {
	v := c.verdict
	if v == nil || v.Unknown != "" {
		return false
	}
	if s.failing(c) {
		return true
	}
	if s.asWritten == nil {
		return false
	}
	spoilt := func(o oracle.Outcome) bool { return o.Error == "" && (o.Shape != "" || o.Lost > 0 && v.Usual == 0) }
	for i, o := range v.Outcomes {
		if i < len(s.asWritten.Outcomes) {
			if was := s.asWritten.Outcomes[i]; was.Error == "" && spoilt(o) && !spoilt(was) {
				return true
			}
		}
	}
	return false
}

// harmful reports whether a repair ends in an error on many of the inputs on which the program as
// written does not, or loses nodes there although the run that was drawn loses none.
func (s *searcher) harmful(c *choice) bool {
	v, was := c.verdict, s.asWritten
	if v == nil || was == nil {
		return false
	}
	bad, all := 0, 0
	for i, o := range v.Outcomes {
		if i >= len(was.Outcomes) || was.Outcomes[i].Error != "" {
			continue
		}
		if all++; o.Error != "" || v.Usual == 0 && lost(&o, was, i) > 0 {
			bad++
		}
	}
	return bad > 0 && bad*doubted >= all
}

// verdicts is the result of a search, with how the repairs were tried.
type verdicts struct {
	a    *answer
	held *holding
	j    *judgement // nil: not tried
}

// tried searches, tries the repairs on generated inputs, and searches on if the best one fails on many. The repairs are
// in s.found; there are none if the answer has an error or its cost is 0.
func (s *searcher) tried(ctx context.Context, f repairFlags) (*verdicts, error) {
	defer s.inHand(ctx)()
	g := f
	if f.limit > 0 && !f.noVerify { // the rest is for trying the repairs
		g.until = f.until.Add(-f.limit / 4)
	}
	a, held, err := s.answers(ctx, g)
	s.chasing = nil
	if err != nil {
		return nil, err
	}
	out := &verdicts{a: a, held: held}
	if a.err != nil || a.cost == 0 {
		return out, nil
	}
	if len(held.found) == 0 {
		return nil, errorf("no repair found: what the search proposed did not hold when executed again; this is a bug in gulo, please report it")
	}
	s.found = s.asReturned(s.readably(held.found))
	a.count = max(a.count-(len(held.found)-len(s.found)), len(s.found))
	if g := s.guarded(ctx, s.found); len(g) > 0 {
		n := len(s.found)
		s.found = s.joined(g, s.found)
		a.count += len(s.found) - n
		s.found = s.found[:min(len(s.found), maxFound)]
	}
	s.tightly()
	if f.noVerify {
		return out, nil
	}
	out.j = s.verify(ctx, f.left(ctx))
	if f.scope != "" || !s.doubtful(&s.found[0]) {
		return out, nil
	}
	if err := s.searchOn(ctx, f, out); err != nil {
		return nil, err
	}
	return out, nil
}

// searchOn searches the lines that locate ranks, one by one, until the best repair is no longer doubtful. It first
// tries insertions at the likeliest lines, since a repair that replaces a statement gives up what that did. Other edits
// are only tried while the best repair fails on many inputs.
func (s *searcher) searchOn(ctx context.Context, f repairFlags, v *verdicts) error {
	end := budget.After(ctx, f.within(ctx, linesLimit))
	before := v.j
	ask := func(line int, inserts bool) (*answer, *holding, error) {
		g := f
		g.scope, g.limit, g.inserts = fmt.Sprintf("%d-%d", line, line), lineLimit, inserts
		g.until = budget.Earlier(budget.After(ctx, g.limit), end)
		s.progress("what was found fails on other inputs; looking at line %d", line)
		if inserts {
			return s.inserted(ctx, g)
		}
		return s.answers(ctx, g)
	}
	lines := s.ranked(ctx)
	for _, inserts := range []bool{true, false} {
		for i, line := range lines {
			if ctx.Err() != nil || budget.Over(ctx, end) || inserts && i >= likeliestLines || !inserts && !s.failing(&s.found[0]) {
				break
			}
			a, held, err := ask(line, inserts)
			if err != nil {
				return err
			}
			if a.err != nil || a.cost == 0 || len(held.found) == 0 {
				continue
			}
			if s.better(ctx, f, v, a, held, line); !s.doubtful(&s.found[0]) {
				return nil
			}
		}
	}
	if v.j == before {
		v.j = s.verify(ctx, f.left(ctx)) // the trials in between have replaced the results of the program as written
	}
	return nil
}

// inserted searches for a single insertion: over whole calls, and among the fallbacks of repairs found before, which
// assign a pointer only where it is null.
func (s *searcher) inserted(ctx context.Context, f repairFlags) (*answer, *holding, error) {
	t := s.newTrial(ctx)
	h := &holding{before: t.before, untold: t.untold, equal: t.equal}
	a, err := t.byCalls(ctx, f, 1, fewerRuns, false)
	if err != nil {
		return nil, nil, err
	}
	_, free, err := s.inScope(f, s.scope)
	if err != nil {
		return nil, nil, err
	}
	if a == nil {
		a = &answer{base: s.patch, cost: 1}
	}
	h.join(s, a, a)
	list := s.fallbacks(append(slices.Clone(s.found), h.found...))
	list = slices.DeleteFunc(list, func(c choice) bool { return !free(s.onlyEdit(&c).Gap) })
	held, relaxed, _ := t.hold(list)
	if !relaxed {
		h.found = s.joined(held, h.found)
	}
	if r := s.runs(ctx); r != nil {
		for i := range h.found {
			h.found[i] = s.weighed(r, h.found[i])
		}
	}
	a.count = len(h.found)
	return a, h, nil
}

// better adds the repairs found at a line if they beat the ones so far; otherwise it leaves these as they are.
func (s *searcher) better(ctx context.Context, f repairFlags, v *verdicts, a *answer, held *holding, line int) {
	old := s.found
	found := s.asReturned(s.readably(held.found))
	s.found = s.joined(found, old)
	j := s.verify(ctx, f.left(ctx))
	first := s.found[0].verdict
	if j.judge == nil || first == nil || !s.leads(found) || s.doubtful(&s.found[0]) && old[0].verdict != nil && !first.Better(old[0].verdict) {
		s.found = old
		return
	}
	v.a, v.held, v.j = a, held, j
	a.count, a.cost = len(s.found), len(s.found[0].patch.Edits())
	a.where = fmt.Sprintf("line %d, since what was found first does worse on other inputs", line)
	held.found = s.found
}

// leads reports whether the best repair of the session, s.found[0], is one of list.
func (s *searcher) leads(list []choice) bool {
	first := s.textOf(&s.found[0])
	for i := range list {
		if s.textOf(&list[i]) == first {
			return true
		}
	}
	return false
}

// joined concatenates two lists of repairs and drops duplicates.
func (s *searcher) joined(a, b []choice) []choice {
	var out []choice
	met := map[string]bool{}
	for _, list := range [][]choice{a, b} {
		for _, c := range list {
			if k := s.textOf(&c); !met[k] {
				met[k] = true
				out = append(out, c)
			}
		}
	}
	return out
}

// ranked lists the lines that locate ranks, the likeliest first.
func (s *searcher) ranked(ctx context.Context) []int {
	var out []int
	met := map[int]bool{}
	for _, x := range s.places(gradient.Locate(s.prog, s.segments(), s.patch), s.single1(ctx, func([]choice) {})) {
		if l := x.at.Line; !met[l] && len(out) < rankedLines {
			met[l] = true
			out = append(out, l)
		}
	}
	return out
}

// bad shows a repair that is not applied, since it does harm on many inputs, and says what to do.
func (s *searcher) bad(ctx context.Context, v *verdicts) {
	s.printf("Repair found, but a bad one: it is not applied\n")
	for i, l := range s.lines(&s.found[0]) {
		if i == 0 {
			l = "1. " + l
		} else {
			l = "   " + l
		}
		s.printf("  %s\n", l)
	}
	s.evidence(v.j)
	s.printf("the repair gives what you drew, but fails or loses nodes where the program as written does not; what to do:\n")
	s.printf("  look at your picture again: undo takes a spec back\n")
	s.printf("  draw another picture, of another call or in the middle of this one, and repair again\n")
	if lines := s.lockedLines(); lines != "" {
		s.printf("  unlock %s: locked lines are not searched\n", lines)
	}
	if line := s.elsewhere(ctx); line > 0 {
		s.printf("  repair --scope %d-%d searches other lines; locate says which are suspicious\n", line, line)
	}
	s.printf("  patches lists all that was found, and choose 1 takes this one all the same\n")
}

// elsewhere is the likeliest line that is neither locked nor edited by the first of the repairs found; 0 for none.
func (s *searcher) elsewhere(ctx context.Context) int {
	not := map[int]bool{}
	for id, on := range s.locked {
		if on {
			not[s.prog.Stmts[id].Range.Position().Line] = true
		}
	}
	for _, e := range s.found[0].patch.Edits() {
		if e.Stmt != 0 {
			not[s.prog.Stmts[e.Stmt].Range.Position().Line] = true
		} else {
			p, _ := repair.GapPosition(s.prog.Gaps[e.Gap])
			not[p.Line] = true
		}
	}
	for _, l := range s.ranked(ctx) {
		if !not[l] {
			return l
		}
	}
	return 0
}

// lockedLines lists the lines that are locked, as unlock takes them; empty for none.
func (s *recorder) lockedLines() string {
	var lines []int
	for id, on := range s.locked {
		if l := s.prog.Stmts[id].Range.Position().Line; on && !slices.Contains(lines, l) {
			lines = append(lines, l)
		}
	}
	slices.Sort(lines)
	var out []string
	for _, l := range lines {
		out = append(out, strconv.Itoa(l))
	}
	return strings.Join(out, ", unlock ")
}

// lines describes what a repair changes, one line for each edit.
func (s *inferior) lines(c *choice) []string {
	if c.text != nil {
		return []string{c.text.shown}
	}
	var out []string
	for _, e := range c.patch.Edits() {
		out = append(out, e.Describe(s.prog))
	}
	return out
}

// beside reports whether an insertion would be directly before or after a locked line.
func (s *searcher) beside(id int32) bool {
	g := s.prog.Gaps[id]
	list := g.Block.List
	for i := max(g.Index-1, 0); i < min(g.Index+1, len(list)); i++ {
		r := list[i].Range()
		for id, on := range s.locked {
			if st := s.prog.Stmts[id]; on && st.Range.File == r.File && r.Start <= st.Range.Start && st.Range.End <= r.End {
				first, last := r.Position().Line, r.File.Position(r.End-1).Line
				at := st.Range.Position().Line
				if i < g.Index && at == last || i >= g.Index && at == first {
					return true
				}
			}
		}
	}
	return false
}
