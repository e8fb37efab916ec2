package session

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/repair"
	"gulo/internal/repair/mistakes"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/woven"
	"gulo/internal/source"
	"gulo/internal/spec"
)

// This file searches for edits of the source text (package repair/schema): what people forget, swap and copy, and
// statements with a condition. They complement the searches over statements.

// Bounds of that search.
const (
	textRuns  = 30_000
	textLimit = 10 * time.Second
)

// rewritten is a repair that is an edit of the text.
type rewritten struct {
	shown string
	texts map[string]string
	at    source.Position
	line  string // the source line at that position
	edits int    // number of edits; 0: the cost of the search

	prog *lower.Program // the edited program, once read is set; see Session.program
	read bool
}

// byText returns edits of the text with which the run from its beginning meets the assertions, and says of each whether
// the pictures before stay the same. upon, if somebody waits, is called with each edit when it is found.
func (s *searcher) byText(ctx context.Context, f repairFlags, r *fromMain, upon func(choice)) ([]choice, error) {
	scope := s.under(s.scope)
	for _, fn := range s.under(s.callees()) {
		if !slices.Contains(scope, fn) {
			scope = append(scope, fn)
		}
	}
	free, _, err := s.inScope(f, s.scope)
	if err != nil {
		return nil, err
	}
	fixed := map[string]bool{} // lines that may not change
	for _, st := range s.prog.Stmts {
		if st != nil && s.scope[st.Func] && !free(st.ID) && (s.locked[st.ID] || s.concrete[st.ID] || f.scope != "") {
			fixed[st.Range.Position().String()] = true
		}
	}
	lines := map[*source.File]map[int]bool{}
	for _, st := range s.prog.Stmts {
		if p := st; p != nil && fixed[p.Range.Position().String()] {
			if lines[p.Range.File] == nil {
				lines[p.Range.File] = map[int]bool{}
			}
			lines[p.Range.File][p.Range.Position().Line] = true
		}
	}
	key := fmt.Sprint(len(s.segs), len(s.points), s.current, f.scope, fixed, r.all)
	if l := s.lastTexts; l != nil && l.key == key && l.patch == s.patch && len(s.segs) > 0 && l.seg == s.segs[len(s.segs)-1] {
		return slices.Clone(l.found), nil
	}
	s.progress("looking for edits of the text")
	problem := &woven.Problem{
		Prog: s.prog, Options: s.cfg.Options, Funcs: scope, Suite: r.suite, Before: r.before,
		Limit: f.within(ctx, textLimit), MaxRuns: textRuns, Want: 2 * maxFound,
		Free:    func(f *source.File, line int) bool { return !lines[f][line] },
		Suggest: append(mistakes.Suggest(s.prog.Tree, scope, mistakes.Builtin()), drawnNumbers(s.segments(), scope)...),
	}
	led := s.ledAgainst()
	if s.chasing != nil && upon != nil {
		problem.Found = func(x *woven.Repair) {
			if c, ok := s.textual(r, x, led); ok {
				upon(c)
			}
		}
	}
	if out, err := s.onTop(ctx, problem, r); err != nil || len(out) > 0 {
		return out, err
	}
	res, err := woven.Solve(ctx, problem)
	if err != nil {
		return nil, err
	}
	s.lastTexts = nil
	var out []choice
	for i := range res.Repairs {
		if c, ok := s.textual(r, &res.Repairs[i], led); ok {
			out = append(out, c)
		}
	}
	if !res.Cut && ctx.Err() == nil && len(s.segs) > 0 { // an unfinished search is not kept
		s.lastTexts = &lastTexts{key, s.patch, s.segs[len(s.segs)-1], slices.Clone(out)}
	}
	return out, nil
}

// textual turns an edit of the text into a choice; led are the conditions that the user forced against their value. ok
// is false if some assertion is not known to be met.
func (s *searcher) textual(r *fromMain, x *woven.Repair, led []source.Range) (c choice, ok bool) {
	c = choice{patch: x.Patch, distance: x.Cost, odd: x.Odd, other: !x.Same, end: endingOf(x.Run)}
	if at := x.Edit.Site; len(led) > 0 && !slices.ContainsFunc(led, func(r source.Range) bool { return r.File == at.File && r.Start <= at.Start && at.End <= r.End }) {
		c.distance += elsewhereCost
	}
	if c.patch == nil || !s.comes(r.suite, c.patch) || !s.others(r.met, c.patch) {
		if !r.all {
			return c, false // assertions outside of this run cannot be checked with it
		}
		c.patch, c.text = repair.NewPatch(), retold(x)
	}
	return c, true
}

// elsewhereCost is added to an edit if the user has forced conditions against their value and the edit is of none of
// them.
const elsewhereCost = 6

// ledAgainst lists the conditions that the user forced against their value.
func (s *recorder) ledAgainst() (out []source.Range) {
	met := map[int32]bool{}
	for _, seg := range s.segments() {
		for i := range seg.Items {
			it := &seg.Items[i]
			st := s.prog.Stmts[it.Stmt]
			if !it.Forced || st.X == nil || met[st.ID] {
				continue
			}
			met[st.ID] = true
			if _, ok := s.disagrees(st); ok {
				out = append(out, st.X.Range())
			}
		}
	}
	return out
}

// onTop searches for edits of the text in addition to the patch in force: there may be a second fault.
func (s *searcher) onTop(ctx context.Context, p *woven.Problem, r *fromMain) ([]choice, error) {
	if s.patch.Empty() || s.retold != nil {
		return nil, nil
	}
	base, err := patch.Rewrite(s.prog, s.patch)
	if err != nil {
		return nil, nil
	}
	q := *p
	q.Base, q.Found = base, nil
	res, err := woven.Solve(ctx, &q)
	if err != nil {
		return nil, err
	}
	var out []choice
	for i := range res.Repairs {
		x := &res.Repairs[i]
		if x.Patch == nil {
			continue
		}
		both := s.patch.Merge(x.Patch)
		if len(both.Edits()) == len(s.patch.Edits())+len(x.Patch.Edits()) && s.comes(r.suite, both) && s.others(r.met, both) {
			out = append(out, choice{patch: both, distance: x.Cost, odd: x.Odd, other: !x.Same, end: endingOf(x.Run)})
		}
	}
	return out, nil
}

func retold(x *woven.Repair) *rewritten {
	f := x.Edit.Site.File
	at := f.Position(x.Edit.Site.Start)
	return &rewritten{shown: x.Edit.Shown(), texts: x.Texts, at: at, line: strings.TrimSpace(f.Line(at.Line))}
}

// lastTexts is the result of the last search for edits of the text. It is kept since locate and repair do the same
// search.
type lastTexts struct {
	key   string
	patch *repair.Patch
	seg   *spec.Segment
	found []choice
}

// fromMain holds the assertions as cases of whole runs.
type fromMain struct {
	suite  *oracle.Suite
	before *oracle.Suite // the pictures at the beginning of the asserted calls, which should stay
	whole  *oracle.Case  // the run to the end of main
	met    func(*spec.Segment) bool
	all    bool // all segments are checked by suite
}

// runs returns the assertions as whole runs; nil if no run from the beginning reaches one of them.
func (s *searcher) runs(ctx context.Context) *fromMain {
	r := &fromMain{all: true}
	if r.suite, r.met = s.fromStart(ctx); len(r.suite.Cases) == 0 {
		return nil
	}
	for _, seg := range s.segments() {
		r.all = r.all && r.met(seg)
	}
	r.before = &oracle.Suite{Prog: s.prog, Env: r.suite.Env}
	c := r.suite.Cases[0]
	for _, x := range r.suite.Cases {
		if b := beginning(s.prog, x); b != nil {
			r.before.Cases = append(r.before.Cases, b)
			if x == c {
				s.asPrinted(r.before)
			}
		}
	}
	r.before.Cases = append(r.before.Cases, s.haltsOfMain(ctx, c)...)
	if r.whole = oracle.ToEnd(s.prog, c); r.whole == nil {
		r.whole = &oracle.Case{Name: c.Name, Args: c.Args, Stdin: c.Stdin}
	}
	return r
}

// haltsOfMain returns cases in which main reaches the places where it halted, with the same pictures.
func (s *searcher) haltsOfMain(ctx context.Context, c *oracle.Case) []*oracle.Case {
	var out []*oracle.Case
	met := map[*heap.Image]bool{}
	for i := range s.points {
		for _, im := range s.points[i].halted {
			if met[im] {
				continue
			}
			met[im] = true
			at := im.Frames[0].Stmt
			begin := s.beginOf(&s.points[i])
			for _, with := range s.points[i].recordedWith(s.patch) {
				edits, err := natural.Overlays(s.prog, with)
				if err != nil {
					continue
				}
				if n, visits := oracle.Visit(ctx, s.prog, begin, edits, at, im, at); n >= 0 {
					x := *c
					x.Args, x.Stdin = begin.Args, begin.Stdin
					x.Until = &oracle.Until{Func: s.prog.Stmts[at].Func, Call: 1, Stmt: at, Inside: true, Visit: visits, Want: im, Counts: func(*cfront.Var, int) bool { return true }}
					out = append(out, &x)
					break
				}
			}
		}
	}
	return out
}

// weighed returns c with the cost of what it does in the run from its beginning: it may change pictures that the user
// accepted, and the run may fail.
func (s *searcher) weighed(r *fromMain, c choice) choice {
	if s.doubled(c.patch) {
		c.odd = 10 * doubledCost
	}
	if !s.comes(r.before, c.patch) {
		c.distance += woven.OtherCost
		c.other = true
	}
	if edits, err := natural.Overlays(s.prog, c.patch); err == nil {
		if run, err := s.runner(r.suite); err == nil {
			if x, err := run.Run(r.whole, edits); err == nil {
				if c.end = endingOf(x); c.end != nil && c.end.fault {
					c.distance += woven.FailCost
				}
			}
		}
	}
	return c
}

// asPrinted adds to cases what the program prints up to their end before anything is asserted. The user has read that,
// so a repair that prints something else is no better than one that changes a picture.
func (s *searcher) asPrinted(suite *oracle.Suite) {
	edits, err := natural.Overlays(s.prog, s.patch)
	if err != nil || len(suite.Cases) == 0 {
		return
	}
	run, err := s.runner(suite)
	if err != nil {
		return
	}
	for _, c := range suite.Cases {
		if r, err := run.Run(c, edits); err == nil && r.Meets(c.Want) {
			c.Until.Printed = &r.Printed
		}
	}
}

// ending says how the run from its beginning ends with a repair.
type ending struct {
	fault   bool // it ends in an error or at a limit
	endless bool // at the limit of steps
	lost    int  // blocks of memory that nothing leads to where main ends; -1 where that is not known
	printed string
}

func endingOf(r *oracle.Run) *ending {
	if r == nil || r.Unmodelled() != "" {
		return nil
	}
	e := &ending{fault: r.Fault != nil, endless: r.Endless(), lost: r.Lost, printed: r.Output + r.Printed}
	if e.fault {
		e.lost = -1
	}
	return e
}

// bad reports whether the run is known to end in an error or at a limit.
func (e *ending) bad() bool { return e != nil && (e.fault || e.endless) }

// lossCost is added to a repair with which the run loses memory that it does not lose with another one.
const lossCost = 6

// weigh orders repairs by weight, with those last that change a picture that the user accepted.
func weigh(list []choice) {
	least := -1
	for i := range list {
		if e := list[i].end; e != nil && e.lost >= 0 && (least < 0 || e.lost < least) {
			least = e.lost
		}
	}
	for i := range list {
		e := list[i].end
		list[i].loses = e != nil && e.lost > least
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		if a.other != b.other { // a change of a picture that the user accepted comes last
			return b.other
		}
		return a.weight() < b.weight() || a.weight() == b.weight() && a.text == nil && b.text != nil
	})
}

// weight is what repairs are ordered by, in tenths of a cost.
func (c *choice) weight() int {
	w := 10*c.distance + c.odd
	if c.loses {
		w += 10 * lossCost
	}
	return w
}

// plain reports whether a repair is good enough to end the search: it replaces a single expression by a similar one.
func (s *searcher) plain(c choice) bool {
	list := c.patch.Edits()
	if len(list) != 1 || c.distance > plainDistance {
		return false
	}
	e := list[0]
	return e.Stmt != 0 && e.New != nil && e.Guard == nil && s.unlikely(c.patch) == 0 && !s.byChance(e) && !s.doubled(c.patch)
}

// doubledCost is added to a repair that applies an operator to the same operand twice.
const doubledCost = 4

// doubled reports whether a patch makes both operands of an operator the same, as in h + h or a < a. People write that
// only on purpose, and it was not there before.
func (s *searcher) doubled(p *repair.Patch) bool {
	count := func(x cfront.Expr) (n int) {
		if x == nil {
			return 0
		}
		cfront.Walk(x, func(y cfront.Expr) bool {
			if b, ok := y.(*cfront.Binary); ok && cfront.Text(b.X) == cfront.Text(b.Y) {
				n++
			}
			return true
		})
		return n
	}
	return slices.ContainsFunc(p.Edits(), func(e *repair.Edit) bool {
		if e.Stmt == 0 || e.New == nil {
			return false
		}
		st := s.prog.Stmts[e.Stmt]
		old := st.X
		if st.Kind == lower.Decl {
			old = st.Decl.Init[0].X
		}
		return count(e.New) > count(old)
	})
}

// byChance reports whether an edit makes an assignment store an integer that is read from a variable not read there
// before. Some variable in scope nearly always has the number that was drawn.
func (s *searcher) byChance(e *repair.Edit) bool {
	was, ok := cfront.Skip(s.prog.Stmts[e.Stmt].X).(*cfront.Assign)
	is, ok2 := cfront.Skip(e.New).(*cfront.Assign)
	if !ok || !ok2 || !is.L.Type().IsInteger() {
		return false
	}
	asked, other := map[*cfront.Var]bool{}, false
	cfront.Walk(was.R, func(x cfront.Expr) bool {
		if r, ok := x.(*cfront.Ref); ok {
			asked[r.Var] = true
		}
		return true
	})
	cfront.Walk(is.R, func(x cfront.Expr) bool {
		r, ok := x.(*cfront.Ref)
		other = other || ok && !asked[r.Var] && !forgotten(s.prog.Stmts[e.Stmt].Func, r.Var)
		return true
	})
	return other
}

// forgotten reports whether v is a local variable of fn that fn never names: somebody meant to use it.
func forgotten(fn *cfront.Func, v *cfront.Var) bool {
	if v.Func != fn || fn == nil || fn.Body == nil {
		return false
	}
	named := false
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			r, ok := y.(*cfront.Ref)
			named = named || ok && r.Var == v
			return !named
		})
	})
	return !named
}

// plainDistance bounds the distance of a plain repair.
const plainDistance = 4

// texts adds edits of the text to the repairs found, unless one of these is plain, and orders all.
func (h *holding) texts(ctx context.Context, s *searcher, f repairFlags, a *answer) (*answer, error) {
	r := s.runs(ctx)
	if r == nil {
		return a, nil
	}
	var come []choice
	for _, c := range h.found {
		if s.comes(r.suite, c.patch) {
			come = append(come, s.weighed(r, c))
		}
	}
	if len(come) > 0 {
		h.found = come
	}
	weigh(h.found)
	if len(come) > 0 && !h.relaxed && s.plain(h.found[0]) {
		a.count = len(h.found)
		return a, nil
	}
	if len(come) > 0 {
		h.soFar(s, a)
	}
	list, err := s.byText(ctx, f, r, func(c choice) {
		if c.other || c.end.bad() {
			return
		}
		h.cameUpon(ctx, s, &answer{base: s.patch, textual: true, fromStart: true, count: 1, cost: 1, where: "among edits of the text"}, c)
	})
	if err != nil || len(list) == 0 {
		return a, err
	}
	if len(come) == 0 {
		h.found = nil
	}
	known := map[string]bool{}
	for i := range list {
		known[s.textOf(&list[i])] = true
	}
	for _, c := range h.found {
		if k := s.textOf(&c); !known[k] {
			known[k] = true
			list = append(list, c)
		}
	}
	s.tellApart(r, list)
	weigh(list)
	h.found, h.run, h.relaxed, h.why = list[:min(len(list), maxFound)], true, false, ""
	b := *a
	b.err, b.textual, b.count = nil, true, len(h.found)
	b.cost = max(1, len(h.found[0].patch.Edits()))
	if b.where != "" {
		b.where += " and "
	}
	b.where += "among edits of the text"
	h.soFar(s, &b)
	return &b, nil
}

// sameCost is added to a repair with which a function gives the same answer to every call.
const sameCost = 8

// tellApart adds sameCost to repairs of functions that write nothing, if the run prints the same answer for every call
// with them but not with another repair: nobody writes a function that tells nothing apart. Answers are the words of
// the output in which the program as it is and the repairs do not all agree.
func (s *searcher) tellApart(r *fromMain, list []choice) {
	for i := range s.given {
		if w := s.writtenBy(s.given[i].fn); w == nil || len(w.statics) > 0 {
			return
		}
	}
	now := s.wholeEnding(r)
	if now == nil || now.fault || len(s.given) == 0 {
		return
	}
	prints, at := [][]string{strings.Fields(now.printed)}, []int{-1} // of the program as it is, and of repairs, with their index
	for i := range list {
		if e := list[i].end; e != nil && !e.fault {
			if words := strings.Fields(e.printed); len(words) == len(prints[0]) {
				prints, at = append(prints, words), append(at, i)
			}
		}
	}
	met := make([]map[string]bool, len(prints))
	for i := range met {
		met[i] = map[string]bool{}
	}
	for k, word := range prints[0] {
		if slices.ContainsFunc(prints, func(w []string) bool { return w[k] != word }) {
			for i := range prints {
				met[i][prints[i][k]] = true
			}
		}
	}
	if !slices.ContainsFunc(met[1:], func(m map[string]bool) bool { return len(m) > 1 }) {
		return
	}
	for i := 1; i < len(met); i++ {
		if len(met[i]) == 1 {
			list[at[i]].odd += 10 * sameCost
		}
	}
}

// wholeEnding says how the run from its beginning ends with the patch in force; nil if not known.
func (s *searcher) wholeEnding(r *fromMain) *ending {
	edits, err := natural.Overlays(s.prog, s.patch)
	if err != nil {
		return nil
	}
	run, err := s.runner(r.suite)
	if err != nil {
		return nil
	}
	x, err := run.Run(r.whole, edits)
	if err != nil {
		return nil
	}
	return endingOf(x)
}

// textOf returns the program with a repair, without white space, as a key for comparing repairs.
func (s *searcher) textOf(c *choice) string {
	var texts map[string]string
	if c.text != nil {
		texts = c.text.texts
	} else {
		var err error
		if texts, err = patch.Rewrite(s.prog, c.patch); err != nil {
			return err.Error()
		}
	}
	var names []string
	for n := range texts {
		names = append(names, n)
	}
	sort.Strings(names)
	var b strings.Builder
	for _, n := range names {
		b.WriteString(n + source.Squeeze(texts[n]))
	}
	return b.String()
}

// beginning returns the case that the asserted call begins with the same picture; nil if that picture is not known.
func beginning(p *lower.Program, c *oracle.Case) *oracle.Case {
	u := *c.Until
	im := u.Begin
	if im == nil || len(im.Frames) == 0 || im.Frames[0].Stmt <= 0 {
		return nil
	}
	u.Want, u.Stmt, u.Level, u.Visit, u.Inside, u.Result = im, im.Frames[0].Stmt, 0, 1, true, nil
	u.Counts = func(v *cfront.Var, frame int) bool { return true }
	out := *c
	out.Until = &u
	return &out
}
