package runs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/ctype"
	"gulo/internal/judge"
	"gulo/internal/machine"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/repair/woven"
	"gulo/internal/report"
	"gulo/internal/source"
	"gulo/internal/timing"
)

// This file searches single edits of the text on the machine, which sees errors that a native run hides: a read of
// uninitialized memory, an access just beyond a variable. All edits are in one program (package woven). If no edit is a
// repair, an edit may still be a step: it removes the error of the run in hand, and the run continues to another error
// that the first one hid, or to wrong output by another mistake.

// Bounds of the search.
const (
	mostWoven   = 4_000           // edits
	wovenTime   = 3 * time.Second // nominal time of all runs with one edit, and of all runs with one edit on top of a step
	wovenMargin = 3               // by how much the cost of a repair may exceed that of the cheapest
	mostWhole   = 12              // repairs that are judged
	mostAdvance = 8               // steps that are judged
	mostAimed   = 60              // steps on top of which edits of the statement at fault are tried, if tests can tell whether both are a repair
	mostAtFault = 50              // edits of that statement, for each step
	mostOnTop   = 4               // steps on top of which single edits are tried, if tests can tell whether both are a repair
	mostOpen    = 3               // steps that are continued from separately, if tests can tell in the end which was right
)

// Step is an edit that removes the error of the run in hand and leaves another one, or with which the run prints more
// of the expected output before the error.
type Step struct {
	Repair report.Repair
	Texts  map[string]string
	Gone   string // the error that it removes
	Sure   bool   // the run in hand now does everything that is expected of it; else only repairs on top of the step can confirm it
}

// failure is how a run of the woven program ends in a memory error.
type failure struct {
	kind   machine.FaultKind
	stmt   int32
	object string // the object at fault and, where that tells errors apart, the place in it; "": unknown
}

// same reports whether two failures are, as far as known, the same error: they occur at the same statement, where an
// edit may have changed the kind, or with the same object.
func (f *failure) same(g *failure) bool {
	return f.stmt == g.stmt || f.kind == g.kind && f.object != "" && f.object == g.object
}

// errorSearch is a search in progress.
type errorSearch struct {
	w      *Search
	prog   *woven.Program
	run    *oracle.Runner
	base   []*oracle.Run  // runs of the given cases without an edit
	failed []*failure     // by case; nil: it does not end in a memory error
	asked  int            // index of the case whose error is to be repaired
	way    *woven.Way     // what that case executes up to the error
	near   int            // as advance.near, without an edit
	pace   int64          // steps of the woven program for one of the program
	left   budget.Steps   // steps of the machine that are left
	own    map[int32]bool // statements that the given runs execute
	tries  int            // number of edits that were tried
	cut    bool           // not all edits could be tried
	steps  []advance      // edits that may be steps
}

// advance is an edit that is a repair or may be a step.
type advance struct {
	schema.Choice
	on    *advance // the step on top of which it is tried; nil: none
	texts map[string]string
	odd   int
	far   int    // number of statements that the run in hand executes after those up to the error; the maximum if it ends without an error
	news  int    // number of statements up to there that the run does not execute without the edit
	left  int    // blocks not freed at its end
	whole bool   // the run in hand does everything that is expected of it
	near  int    // length of the correct beginnings of all outputs, in bytes
	same  bool   // the error that is to be repaired is still there
	ends  string // how the runs end
}

// ByErrors searches edits for a program in which a memory rule fires, by running each edited program on the abstract
// machine (package machine). It tries single edits and, if there are tests, single edits on top of a step. The report
// has a repair if one was found. Otherwise steps are returned, the most likely first. Of steps after which the runs end
// in the same way only one is returned.
func (w *Search) ByErrors(ctx context.Context) (*report.Report, []*Step, error) {
	rep, err := w.report()
	if err != nil {
		return nil, nil, err
	}
	rep.Result, rep.Cause = report.None, "no single edit of the text is a repair on the machine"
	if err := w.byWoven(ctx, rep); err != nil || w.errors == nil {
		return rep, nil, err
	}
	if len(rep.Repairs) > 0 {
		rep.Millis = w.millis()
		return rep, nil, nil
	}
	open, most := []*Step{}, 1
	if len(w.t.Tests) > 0 {
		most = mostOpen
		if err := w.byTwoSteps(ctx, rep); err != nil || len(rep.Repairs) > 0 {
			rep.Millis = w.millis()
			return rep, nil, err
		}
	}
	ends := map[string]bool{}
	for _, a := range w.errors.steps[:min(len(w.errors.steps), mostAdvance)] {
		if ends[a.ends] || len(w.t.Tests) > 0 && !a.whole { // there are many uncertain steps, and the time is for pairs
			continue
		}
		step, err := w.errors.step(ctx, &a)
		if err != nil {
			return rep, nil, err
		}
		if step != nil {
			ends[a.ends] = true
			open = append(open, step)
		}
		if len(open) == most {
			break
		}
	}
	return rep, open, nil
}

// byTwoSteps searches single edits on top of the most likely steps, if there are tests that tell whether both are a
// repair: first edits of the statement at fault then, on top of many steps, then all edits on top of a few. Of these, of
// steps after which the runs end in the same way only one is tried.
func (w *Search) byTwoSteps(ctx context.Context, rep *report.Report) error {
	s, ends := w.errors, map[string]bool{}
	s.left = budget.For(wovenTime)
	var aimed []advance
	for i := range s.steps[:min(len(s.steps), mostAimed)] {
		whole, _, err := s.all(ctx, &s.steps[i], true)
		if err != nil {
			return err
		}
		aimed = append(aimed, whole...)
	}
	slices.SortStableFunc(aimed, fewest)
	if err := w.judgeWoven(ctx, rep, aimed); err != nil || len(rep.Repairs) > 0 {
		return err
	}
	s.left = budget.For(wovenTime)
	for i := range s.steps {
		a := &s.steps[i]
		if ends[a.ends] {
			continue
		}
		ends[a.ends] = true
		whole, _, err := s.all(ctx, a, false)
		if err != nil {
			return err
		}
		if err := w.judgeWoven(ctx, rep, whole); err != nil || len(rep.Repairs) > 0 || len(ends) == mostOnTop {
			return err
		}
	}
	return nil
}

// Fires reports whether a memory rule fires in a given run, so that single edits are tried on the machine.
func (w *Search) Fires() (bool, error) {
	return w.anyEnds(func(r *oracle.Run, c *oracle.Case) bool {
		return r.Fault != nil && cases.OfMemory(r.Fault.Kind) || leaks(r, c)
	})
}

// outside reports whether a given run leaves an array of the program.
func (w *Search) outside() (bool, error) {
	return w.anyEnds(func(r *oracle.Run, _ *oracle.Case) bool {
		return r.Fault != nil && (r.Fault.Kind == machine.StackOverflow || r.Fault.Kind == machine.GlobalOverflow || r.Fault.Kind == machine.ArrayBounds)
	})
}

// anyEnds reports whether some given run of the program ends in a certain way; false with a reference, and for calls.
func (w *Search) anyEnds(so func(*oracle.Run, *oracle.Case) bool) (bool, error) {
	t := w.t
	if t.Given == nil || t.Given.Entry != nil || t.Ref != nil {
		return false, nil
	}
	run, err := oracle.NewRunner(t.Given)
	if err != nil {
		return false, err
	}
	for _, c := range t.Given.Cases {
		r, err := run.Run(c, nil)
		if err != nil {
			return false, err
		}
		if so(r, c) {
			return true, nil
		}
	}
	return false, nil
}

// byWoven searches single edits of the text on the machine, once, and judges the repairs found.
func (w *Search) byWoven(ctx context.Context, rep *report.Report) error {
	if w.patient {
		return nil
	}
	w.patient = true
	s, err := w.errorSearch(ctx)
	if s == nil || err != nil {
		return err
	}
	w.errors = s
	whole, steps, err := s.all(ctx, nil, false)
	if err != nil {
		return err
	}
	s.steps = steps
	err = w.judgeWoven(ctx, rep, whole)
	order(s.steps, len(w.t.Tests) > 0)
	return err
}

// judgeWoven judges the first repairs of whole, which met the given cases on the abstract machine (package machine). A
// single edit after which a memory rule still fires in the run to be repaired is noted as a possible step.
func (w *Search) judgeWoven(ctx context.Context, rep *report.Report, whole []advance) error {
	s := w.errors
	for _, a := range whole[:min(len(whole), mostWhole)] {
		if fires, err := w.t.Fires(ctx, a.texts, w.t.Given.Cases[s.asked]); fires || err != nil {
			if err != nil {
				return err
			}
			if a.on == nil {
				s.steps = append(s.steps, a) // it leaves another error, which the first search does not see
			}
			continue
		}
		v, err := w.try(ctx, rep, a.repair())
		if err != nil {
			return err
		}
		if v.Enough {
			break
		}
	}
	if len(rep.Repairs) > 0 {
		found(rep)
	}
	return nil
}

// onMachineOnly says why nothing was found if no native run shows the error.
func (w *Search) onMachineOnly() string {
	const hidden = "what is wrong does not show when the program runs natively; "
	switch s := w.errors; {
	case s == nil || s.tries == 0:
		return hidden + "edits of statements were tried on the machine, and no edit of the text could be"
	case s.cut:
		return hidden + fmt.Sprintf("on the machine %s of the text could be tried in the time there was, one at a time, and none of them is a repair", plural.N(s.tries, "edit"))
	default:
		return hidden + fmt.Sprintf("on the machine none of %s of the text, one at a time, is a repair", plural.N(s.tries, "edit"))
	}
}

// errorSearch prepares a search. It returns nil if the program with all edits cannot be compiled or run on the machine,
// or if no memory rule fires in a given run.
func (w *Search) errorSearch(ctx context.Context) (*errorSearch, error) {
	t := w.t
	if fires, err := w.Fires(); !fires || err != nil {
		return nil, err
	}
	s := &errorSearch{w: w, asked: -1, left: budget.For(wovenTime)}
	free := func(_ *source.File, line int) bool { return !slices.Contains(t.Job.Lock, line) }
	var err error
	span := timing.Begin(ctx, "weave edits for the machine")
	defer func() { span.End("") }()
	if s.prog, err = woven.Weave(ctx, t.Prog.Tree, t.Job.Options, t.TextScope(), free, nil, mostWoven); s.prog == nil || err != nil {
		return nil, nil // gcc or the parser rejects all edits together
	}
	if s.run, err = oracle.NewRunner(&oracle.Suite{Prog: s.prog.Prog}); err != nil {
		return nil, err
	}
	s.run.Spend = func(n int64) { budget.Spend(ctx, n) }
	if s.pace, err = s.measured(); err != nil {
		return nil, err
	}
	for i, c := range t.Given.Cases {
		r, err := s.prog.Run(s.run, c, woven.None)
		if err != nil {
			return nil, err
		}
		s.near += reached(r, c)
		s.base, s.failed = append(s.base, r), append(s.failed, s.failure(r))
		if bad := s.failed[i] != nil || leaks(r, c); bad && (s.asked < 0 || t.InHandCase(c) && !t.InHandCase(t.Given.Cases[s.asked])) {
			s.asked = i
		}
	}
	if s.asked < 0 {
		return nil, nil
	}
	return s, nil
}

// measured returns how many steps of the woven program are one of the program's.
func (s *errorSearch) measured() (int64, error) {
	run, err := oracle.NewRunner(s.w.t.Given)
	if err != nil {
		return 0, err
	}
	most := int64(1)
	for _, c := range s.w.t.Given.Cases {
		one, err := run.Run(c, nil)
		if err != nil {
			return 0, err
		}
		other, err := s.prog.Run(s.run, c, woven.None)
		if err != nil {
			return 0, err
		}
		if one.Steps > 0 && !one.Endless() && !other.Endless() {
			most = max(most, (other.Steps+one.Steps-1)/one.Steps)
		}
	}
	return most, nil
}

// leaks reports whether a run does everything expected except free its memory.
func leaks(r *oracle.Run, c *oracle.Case) bool {
	if r.Fault != nil || !c.Want.Frees || r.Heap <= c.Want.Heap {
		return false
	}
	want := *c.Want
	want.Frees = false
	return r.Meets(&want)
}

// failure returns how the last run ended; nil if not in a memory error.
func (s *errorSearch) failure(r *oracle.Run) *failure {
	f := r.Fault
	if f == nil || !cases.OfMemory(f.Kind) {
		return nil
	}
	out := &failure{kind: f.Kind, stmt: f.Stmt}
	id, off := ctype.SplitPointer(f.Pointer)
	if b := s.run.M.Block(id); b != nil && f.Pointer != 0 {
		out.object = fmt.Sprintf("%d %s %d %d", b.Kind, b.Name, b.Alloc, b.Free)
		switch f.Kind {
		case machine.Uninitialized, machine.HeapOverflow, machine.StackOverflow, machine.GlobalOverflow:
			out.object += fmt.Sprintf(" %d", off)
		}
	}
	return out
}

// all tries every edit at a statement that the run in hand executes or, on top of a step, that any given run executes;
// those of the statement at which a run then ends in a memory error first, and with aimed only these. Repairs that leave the fewest
// blocks come first, then the cheapest.
func (s *errorSearch) all(ctx context.Context, on *advance, aimed bool) (whole, steps []advance, err error) {
	span, tries := timing.Begin(ctx, "woven edits on the machine"), s.tries
	defer func() {
		span.End("%s tried, %s", plural.N(s.tries-tries, "edit"), plural.N(len(steps), "step"))
	}()
	c := s.w.t.Given.Cases[s.asked]
	seen, at, next := map[int]bool{}, int32(0), s.asked // the statement and the case of the error that is next
	for i, x := range s.w.t.Given.Cases {
		if on == nil && i != s.asked {
			continue
		}
		r, err := s.prog.Run(s.run, x, append([]int{0}, on.numbers()...)...)
		if err != nil {
			return nil, nil, err
		}
		s.left.Spend(budget.Run + r.Steps)
		if f := s.failure(r); f != nil && at == 0 {
			at, next = f.stmt, i
		}
		if err := s.prog.Reached(s.run, seen); err != nil {
			return nil, nil, err
		}
	}
	s.w.t.Job.Say("trying %s on the machine", plural.N(len(s.prog.Choices), "edit"))
	if s.way, err = s.prog.Follow(s.run, c, 0, woven.None); err != nil {
		return nil, nil, err
	}
	known := map[string]bool{}
	first := math.MaxInt // cost of the cheapest repair
	for _, c := range s.choices(at, aimed) {
		if first < math.MaxInt && textedit.PerCost*(c.Cost-wovenMargin) > first {
			continue
		}
		if s.cut = s.left.Over() || ctx.Err() != nil || budget.Over(ctx, s.w.until); s.cut {
			break
		}
		if !s.prog.Touches(c, seen) {
			continue
		}
		a := advance{Choice: c, on: on, odd: s.prog.Oddity(c.Edit)}
		if on != nil && (s.prog.Meet(on.Choice, c) || len(a.numbers()) > len(schema.Chosen)) {
			continue
		}
		s.tries++
		met, ok, err := s.tried(&a, next)
		if err != nil {
			return nil, nil, err
		}
		if !ok || on != nil && !met {
			continue
		}
		if !a.whole || leaks(s.base[s.asked], s.w.t.Given.Cases[s.asked]) { // repairs that do less are rejected by the judge
			if less, err := s.doesLess(&a); less || err != nil {
				if err != nil {
					return nil, nil, err
				}
				continue
			}
		}
		texts, applied := textedit.Apply(a.edits()...)
		if key := fmt.Sprintf("%q", texts); !applied || known[key] {
			continue
		} else {
			known[key] = true
		}
		if a.texts = texts; met {
			if err := s.disused(&a); err != nil {
				return nil, nil, err
			}
			whole, first = append(whole, a), min(first, a.costs())
		} else {
			steps = append(steps, a)
		}
	}
	slices.SortStableFunc(whole, fewest)
	return whole, steps, nil
}

// choices lists the edits, the cheapest first, those of a statement before the others; aimed: only some of those.
func (s *errorSearch) choices(at int32, aimed bool) (list []schema.Choice) {
	var others []schema.Choice
	for _, c := range s.prog.Choices {
		if s.prog.Within(at, c.Edit) {
			list = append(list, c)
		} else {
			others = append(others, c)
		}
	}
	if aimed {
		return list[:min(len(list), mostAtFault)]
	}
	return append(list, others...)
}

// repair returns the edits as a repair to be judged.
func (a *advance) repair() *schema.Repair {
	r := &schema.Repair{Edits: a.edits(), Texts: a.texts, Stepwise: a.on != nil}
	for x := a; x != nil; x = x.on {
		r.Cost += x.Cost
	}
	return r
}

// edits returns the edit and those that it is on top of.
func (a *advance) edits() []*textedit.Edit {
	if a == nil {
		return nil
	}
	return append(a.on.edits(), a.Edit)
}

// numbers returns the numbers of these edits in the woven program.
func (a *advance) numbers() []int {
	if a == nil {
		return nil
	}
	list := append(a.on.numbers(), a.First)
	if a.Second != 0 {
		list = append(list, a.Second)
	}
	return list
}

func truth(x bool) int {
	if x {
		return 1
	}
	return 0
}

// costs returns what speaks against an edit, in tenths of a cost.
func (a *advance) costs() int { return textedit.PerCost*a.Cost + a.odd }

func cheaper(a, b advance) int { return cmp.Compare(a.costs(), b.costs()) }

// fewest compares repairs by the blocks that they leave, then by cost.
func fewest(a, b advance) int { return cmp.Or(cmp.Compare(a.left, b.left), cheaper(a, b)) }

// disused adds to the cost of an edit for each statement that the given runs execute without it but not with it, as
// package repair/schema does.
func (s *errorSearch) disused(a *advance) error {
	if s.own == nil {
		s.own = map[int32]bool{}
		for _, c := range s.w.t.Given.Cases {
			way, err := s.prog.Follow(s.run, c, 0, woven.None)
			if err != nil {
				return err
			}
			for id := range way.Times {
				s.own[id] = true
			}
		}
	}
	lost := maps.Clone(s.own)
	for _, c := range s.w.t.Given.Cases {
		now, err := s.prog.Follow(s.run, c, 0, a.numbers()...)
		if err != nil {
			return err
		}
		maps.DeleteFunc(lost, func(id int32, _ bool) bool { return now.Times[id] > 0 })
	}
	out := ""
	if f := s.failed[s.asked]; f != nil {
		out = s.wayOut(f.stmt, a.Edit)
	}
	maps.DeleteFunc(lost, func(id int32, _ bool) bool {
		return out != "" && s.prog.Prog.Stmts[id].Func.Name == out || slices.ContainsFunc(a.edits(), func(e *textedit.Edit) bool { return s.prog.Within(id, e) })
	})
	a.odd += schema.Disuse(len(lost))
	ends, err := s.w.ends()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(a.edits(), func(e *textedit.Edit) bool { return schema.AtEnd(ends, e) }) {
		a.odd += schema.OddAtEnd
	}
	return nil
}

// order sorts steps. If expected output is known, those with the most correct output come first, then the cheapest.
// Otherwise those come first after which the run gets farthest, then those after which it takes its former path.
func order(steps []advance, told bool) {
	slices.SortStableFunc(steps, func(a, b advance) int {
		if told {
			return cmp.Or(cmp.Compare(b.near, a.near), cmp.Compare(truth(a.same), truth(b.same)), cheaper(a, b))
		}
		return cmp.Or(cmp.Compare(b.far, a.far), cmp.Compare(a.news, b.news), cmp.Compare(a.left, b.left), cheaper(a, b))
	})
}

// doesLess reports whether, with an edit, the run in hand skips a statement that it executes without it: the error may
// be gone only for that reason. Otherwise it fills in a.news and a.far.
func (s *errorSearch) doesLess(a *advance) (bool, error) {
	at, times := int32(0), 0
	if f := s.failed[s.asked]; f != nil {
		at, times = f.stmt, s.way.Times[f.stmt]
		if s.prog.Within(at, a.Edit) && removes(a.Edit) { // the failing statement itself is removed
			return true, nil
		}
	}
	now, err := s.prog.Follow(s.run, s.w.t.Given.Cases[s.asked], at, a.numbers()...)
	if err != nil {
		return false, err
	}
	out := s.wayOut(at, a.Edit)
	for id := range s.way.First {
		if now.Times[id] == 0 && !s.prog.Within(id, a.Edit) && (out == "" || s.prog.Prog.Stmts[id].Func.Name != out) {
			return true, nil
		}
	}
	end, ok := now.Nth(at, times)
	if !ok { // the failing statement was replaced
		end = s.way.Count
	}
	for id, n := range now.First {
		if s.way.Times[id] == 0 && n < end {
			a.news++
		}
	}
	if a.far != math.MaxInt {
		a.far = now.Count - end
	}
	return false, nil
}

// wayOut returns the function of a statement if an edit changes the condition of a way out there (judge.WayOut): the
// function took it too late, and what lies behind it is not to be executed. Otherwise it returns "".
func (s *errorSearch) wayOut(at int32, e *textedit.Edit) string {
	if at == 0 || s.prog.Prog.Stmts[at] == nil {
		return ""
	}
	name := s.prog.Prog.Stmts[at].Func.Name
	for _, st := range s.w.t.Prog.Stmts {
		if st != nil && judge.WayOut(st) && st.Func.Name == name && schema.AtEnd([]source.Range{st.Range}, e) {
			return name
		}
	}
	return ""
}

// removes reports whether an edit only removes.
func removes(e *textedit.Edit) bool {
	for _, h := range e.Halves() {
		for _, c := range h.Changes {
			if text := strings.TrimSpace(c.Text); text != "" && text != textedit.Removed {
				return false
			}
		}
	}
	return true
}

// tried runs the given cases with an edit, the one whose error is next first. met reports whether all are met; ok
// reports whether the error is gone, or more output is correct, and nothing else got worse. On top of a step a case that
// is not met decides. A run that comes to no end is made again with more time if all others are met.
func (s *errorSearch) tried(a *advance, next int) (met, ok bool, err error) {
	order := []int{next}
	for i := range s.base {
		if i != next {
			order = append(order, i)
		}
	}
	defer func() { s.run.Pace = 1 }()
	met = true
	for k := 0; k < len(order); k++ {
		i, again := order[k], k >= len(s.base)
		if again && met {
			s.run.Pace = s.pace
		} else {
			s.run.Pace = 1
		}
		c := s.w.t.Given.Cases[i]
		r, err := s.prog.Run(s.run, c, a.numbers()...)
		if err != nil {
			return false, false, err
		}
		s.left.Spend(budget.Run + r.Steps)
		if r.Endless() && met && !again && s.pace > 1 {
			order = append(order, i)
			continue
		}
		if i == s.asked {
			if a.left, a.whole = r.Heap, !c.Want.Any && r.Meets(c.Want); r.Fault == nil {
				a.far = math.MaxInt
			}
		}
		a.near += reached(r, c)
		a.ends += fmt.Sprintf("%q", r.Output)
		if r.Fault != nil {
			a.ends += fmt.Sprintf("%s %d", r.Fault.Kind, r.Fault.Stmt)
		}
		if r.Meets(c.Want) {
			continue
		}
		if met = false; a.on != nil {
			return false, false, nil
		}
		worse, same := s.worse(i, r)
		if a.same = a.same || same; worse {
			return false, false, nil
		}
	}
	return met, !a.same || a.near > s.near, nil
}

// worse compares two runs of case i: r, which has an edit and does not meet the case, and the run without the edit.
// worse reports whether r is worse, for example because it gets less far, leaks more or ends in an error of another
// kind. If the case to be repaired only leaks, leaking as much as before counts as worse, too. same reports whether r
// still ends in the error that is to be repaired.
func (s *errorSearch) worse(i int, r *oracle.Run) (worse, same bool) {
	c, base, was := s.w.t.Given.Cases[i], s.base[i], s.failed[i]
	switch {
	case base.Meets(c.Want), r.Unmodelled() != "":
		return true, false
	case leaks(base, c): // it leaks, and must lose no more than before
		return !leaks(r, c) || r.Heap > base.Heap || i == s.asked && r.Heap == base.Heap, false
	case !farther(base, r, c.Want):
		return true, false
	case was == nil: // the output is wrong, or the run ends in an error of another kind
		return (base.Fault != nil || r.Fault != nil || r.Heap > base.Heap) && (base.Fault == nil || r.Fault == nil || base.Fault.Kind != r.Fault.Kind), false
	case r.Fault == nil:
		return false, false
	}
	now := s.failure(r)
	if now == nil || r.Steps < base.Steps {
		return true, false
	}
	if !now.same(was) {
		_, _, own := s.prog.StatementAt(now.stmt) // an error in the edit itself does not count as progress
		return !own, false
	}
	asked := s.failed[s.asked] // nil: it only leaks
	return false, asked != nil && was.same(asked)
}

// farther reports whether a run's output is still as good as before: it begins with the previous output or, if the
// expected output is known, agrees with that at least as far. What is wrong in it may be due to another mistake.
func farther(base, r, want *oracle.Run) bool {
	if want.Any {
		return strings.HasPrefix(r.Output, base.Output)
	}
	return want.Mute || common(r.Output, want.Output) >= common(base.Output, want.Output)
}

// reached returns how much of a case's expected output is printed, in bytes.
func reached(r *oracle.Run, c *oracle.Case) int {
	if c.Want.Any || c.Want.Mute {
		return 0
	}
	return common(r.Output, c.Want.Output)
}

// common returns the length of the common beginning of two texts, in bytes.
func common(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// step judges a possible step; nil if it is not one.
func (s *errorSearch) step(ctx context.Context, a *advance) (*Step, error) {
	t := s.w.t
	c := t.Given.Cases[s.asked]
	one, ok, err := t.Advances(ctx, a.texts, c)
	if !ok || err != nil {
		return nil, err
	}
	one.Edits = []report.Changed{judge.TextEdit(a.Edit)}
	if t.Job.Memory {
		p, err := t.Reloaded(ctx, a.texts)
		if err != nil {
			return nil, err
		}
		if why, err := s.w.avoids(ctx, p, a.texts, one.Edits[0]); why != "" || err != nil {
			return nil, err
		}
	}
	one.Hints = []string{fmt.Sprintf("look at %s", a.Func.Name), fmt.Sprintf("look at line %d of %s", one.Edits[0].Line, one.Edits[0].File), report.Hint(one.Edits[0])}
	run, err := oracle.NewRunner(t.Given)
	if err != nil {
		return nil, err
	}
	was, err := run.Run(c, nil)
	if err != nil {
		return nil, err
	}
	if a.same {
		was.Fault = nil
	}
	return &Step{Repair: one, Texts: a.texts, Gone: was.Differs(c.Want), Sure: len(t.Tests) == 0 || a.whole}, nil
}
