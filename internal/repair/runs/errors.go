package runs

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

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
)

// This file searches single edits of the text on the machine, which sees errors that a native run hides: a read of
// what was never written, an access just behind a variable. All edits stand in one program (package woven). Where no
// edit is a repair, one may still be a step: with it the error of the run in hand is gone, and the run goes on to
// another error, which the first one hid.

// Bounds of the search.
const (
	mostWoven   = 4_000       // edits
	wovenSteps  = 300_000_000 // instructions of the machine, in all runs
	wovenMargin = 3           // how much dearer than the first that does may others be
	mostWhole   = 12          // repairs that are judged
	mostAdvance = 8           // steps that are judged
)

// Step is an edit after which the error of the run in hand is gone, and another one is left.
type Step struct {
	Repair report.Repair
	Texts  map[string]string
	Gone   string // the error
}

// failure is how a run ends in an error of memory, with the numbers of the woven program.
type failure struct {
	kind   machine.FaultKind
	stmt   int32
	object string // at fault; empty: not known
}

// same reports whether two failures are one error, for all that is known: they come up at one place, where an edit
// may have made another kind of it, or with one object.
func (f *failure) same(g *failure) bool {
	return f.stmt == g.stmt || f.kind == g.kind && f.object != "" && f.object == g.object
}

// errorSearch is one in progress.
type errorSearch struct {
	w      *Search
	prog   *woven.Program
	run    *oracle.Runner
	base   []*oracle.Run // of the given cases, without an edit
	failed []*failure    // nil: it does not end in an error
	asked  int           // the case whose error has to go
	way    *woven.Way    // what it executes up to there
	spent  int64         // instructions of the machine
	tries  int           // edits that were tried
	cut    bool          // there were more of them than time or steps
	steps  []advance     // edits that may be steps
}

// advance is an edit that is a repair or a step.
type advance struct {
	schema.Choice
	texts map[string]string
	odd   int
	far   int // how many statements the run in hand executes after those up to the error; without another error the most there is
	news  int // how many statements of the program it executes up to there that it does not execute without the edit
	left  int // blocks at its end
}

// ByErrors searches a single edit on the machine, for a program in which a memory rule fires: a repair, or else a step.
func (w *Search) ByErrors(ctx context.Context, until time.Time) (*report.Report, *Step, error) {
	rep, err := w.report()
	if err != nil {
		return nil, nil, err
	}
	rep.Result, rep.Cause = report.None, "no single edit of the text is a repair on the machine"
	if err := w.byWoven(ctx, rep, until); err != nil || w.errors == nil {
		return rep, nil, err
	}
	if len(rep.Repairs) > 0 {
		rep.Millis = w.millis()
		return rep, nil, nil
	}
	steps := w.errors.steps
	order(steps)
	for _, a := range steps[:min(len(steps), mostAdvance)] {
		step, err := w.errors.step(ctx, &a)
		if step != nil || err != nil {
			return rep, step, err
		}
	}
	return rep, nil, nil
}

// byWoven searches a single edit of the text on the machine, once, and has what it finds judged.
func (w *Search) byWoven(ctx context.Context, rep *report.Report, until time.Time) error {
	if w.patient {
		return nil
	}
	w.patient = true
	s, err := w.errorSearch(ctx)
	if s == nil || err != nil {
		return err
	}
	w.errors = s
	whole, steps, err := s.all(ctx, until)
	if err != nil {
		return err
	}
	s.steps = steps
	for _, a := range whole[:min(len(whole), mostWhole)] {
		if fires, err := w.t.Fires(ctx, a.texts, w.t.Given.Cases[s.asked]); fires || err != nil {
			if s.steps = append(s.steps, a); err != nil { // it leaves another error, that nobody counts
				return err
			}
			continue
		}
		v, err := w.try(ctx, rep, &schema.Repair{Edits: []*textedit.Edit{a.Edit}, Cost: a.Cost, Texts: a.texts})
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

// onMachineOnly is why nothing was found where no native run shows what is wrong.
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

// errorSearch prepares a search; nil where the machine does not take the program with its edits, or no memory rule
// fires on a given run.
func (w *Search) errorSearch(ctx context.Context) (*errorSearch, error) {
	t := w.t
	if t.Given == nil || t.Given.Entry != nil || t.Ref != nil {
		return nil, nil
	}
	s := &errorSearch{w: w, asked: -1}
	free := func(_ *source.File, line int) bool { return !slices.Contains(t.Job.Lock, line) }
	var err error
	if s.prog, err = woven.Weave(ctx, t.Prog.Tree, t.Job.Options, t.TextScope(), free, mostWoven); s.prog == nil || err != nil {
		return nil, nil // gcc or the parser does not take all edits together
	}
	if s.run, err = oracle.NewRunner(&oracle.Suite{Prog: s.prog.Prog}); err != nil {
		return nil, err
	}
	for i, c := range t.Given.Cases {
		r, err := s.prog.Run(s.run, c, 0, 0)
		if err != nil {
			return nil, err
		}
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

// leaks reports whether a run does all that is wanted but free its memory.
func leaks(r *oracle.Run, c *oracle.Case) bool {
	if r.Fault != nil || !c.Want.Frees || r.Heap <= c.Want.Heap {
		return false
	}
	want := *c.Want
	want.Frees = false
	return r.Meets(&want)
}

// failure is how the last run ended; nil: not in an error of memory.
func (s *errorSearch) failure(r *oracle.Run) *failure {
	f := r.Fault
	if f == nil || !cases.OfMemory(f.Kind) {
		return nil
	}
	out := &failure{kind: f.Kind, stmt: f.Stmt}
	id, off := ctype.SplitPointer(f.Pointer)
	if b := s.run.M.Block(id); b != nil && f.Pointer != 0 {
		out.object = fmt.Sprintf("%d %s %d %d", b.Kind, b.Name, b.Alloc, b.Free)
		if f.Kind == machine.Uninitialized {
			out.object += fmt.Sprintf(" %d", off)
		}
	}
	return out
}

// all tries every edit at a place that the run in hand executes. Repairs come first that leave least, then the cheapest.
func (s *errorSearch) all(ctx context.Context, until time.Time) (whole, steps []advance, err error) {
	seen := map[int]bool{}
	if _, err := s.prog.Run(s.run, s.w.t.Given.Cases[s.asked], 0, 0); err != nil {
		return nil, nil, err
	}
	if err := s.prog.Reached(s.run, seen); err != nil {
		return nil, nil, err
	}
	s.w.t.Job.Say("trying %s on the machine", plural.N(len(s.prog.Choices), "edit"))
	if s.way, err = s.prog.Follow(s.run, s.w.t.Given.Cases[s.asked], 0, 0, 0); err != nil {
		return nil, nil, err
	}
	known := map[string]bool{}
	for _, c := range s.prog.Choices {
		if len(whole) > 0 && c.Cost > whole[0].Cost+wovenMargin {
			break
		}
		if s.cut = s.spent > wovenSteps || ctx.Err() != nil || time.Now().After(until); s.cut {
			break
		}
		if !s.prog.Touches(c, seen) {
			continue
		}
		s.tries++
		a := advance{Choice: c, odd: s.prog.Oddity(c.Edit)}
		met, ok, err := s.tried(&a)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			continue
		}
		if !met || s.w.t.Given.Cases[s.asked].Want.Any { // the judge does not take those that do less
			if less, err := s.doesLess(&a); less || err != nil {
				if err != nil {
					return nil, nil, err
				}
				continue
			}
		}
		texts, applied := textedit.Apply(c.Edit)
		if key := fmt.Sprintf("%q", texts); !applied || known[key] {
			continue
		} else {
			known[key] = true
		}
		if a.texts = texts; met {
			whole = append(whole, a)
		} else {
			steps = append(steps, a)
		}
	}
	slices.SortStableFunc(whole, func(a, b advance) int { return cmp.Or(cmp.Compare(a.left, b.left), cheaper(a, b)) })
	return whole, steps, nil
}

func cheaper(a, b advance) int { return cmp.Compare(10*a.Cost+a.odd, 10*b.Cost+b.odd) }

// order sorts steps: those that come farthest first, and of these the ones with which the run goes on as it did.
func order(steps []advance) {
	slices.SortStableFunc(steps, func(a, b advance) int {
		return cmp.Or(cmp.Compare(b.far, a.far), cmp.Compare(a.news, b.news), cmp.Compare(a.left, b.left), cheaper(a, b))
	})
}

// doesLess reports whether the run that is asked leaves a statement out with an edit that it executes without it: what
// fails may be gone because of that. Else the edit is measured.
func (s *errorSearch) doesLess(a *advance) (bool, error) {
	at, times := int32(0), 0
	if f := s.failed[s.asked]; f != nil {
		at, times = f.stmt, s.way.Times[f.stmt]
		if s.prog.Within(at, a.Edit) && removes(a.Edit) { // what fails is left out
			return true, nil
		}
	}
	now, err := s.prog.Follow(s.run, s.w.t.Given.Cases[s.asked], a.First, a.Second, at)
	if err != nil {
		return false, err
	}
	for id := range s.way.First {
		if now.Times[id] == 0 && !s.prog.Within(id, a.Edit) {
			return true, nil
		}
	}
	end, ok := now.Nth(at, times)
	if !ok { // another statement stands for it
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

// removes reports whether an edit puts nothing in the place of what it takes out.
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

// tried runs the given cases with an edit, the one that is asked first. met: it is what is wanted of all of them; ok:
// the error that is asked is gone, and nothing else is worse than it was.
func (s *errorSearch) tried(a *advance) (met, ok bool, err error) {
	met = true
	order := append([]int{s.asked}, make([]int, 0, len(s.base))...)
	for i := range s.base {
		if i != s.asked {
			order = append(order, i)
		}
	}
	for _, i := range order {
		c := s.w.t.Given.Cases[i]
		r, err := s.prog.Run(s.run, c, a.First, a.Second)
		if err != nil {
			return false, false, err
		}
		s.spent += r.Steps
		if i == s.asked {
			if a.left = r.Heap; r.Fault == nil {
				a.far = math.MaxInt
			}
		}
		if r.Meets(c.Want) {
			continue
		}
		if met = false; !s.better(i, r) {
			return false, false, nil
		}
	}
	return met, true, nil
}

// better reports whether a case that is not met has come farther than it did without an edit, or, where its error is
// another one than is asked, as far.
func (s *errorSearch) better(i int, r *oracle.Run) bool {
	c, base, was := s.w.t.Given.Cases[i], s.base[i], s.failed[i]
	switch {
	case base.Meets(c.Want), r.Unmodelled() != "":
		return false
	case leaks(base, c): // it goes on to lose something else
		return leaks(r, c) && (r.Heap < base.Heap || i != s.asked && r.Heap == base.Heap)
	case was == nil: // what is printed is wrong, or another error ends it
		return base.Fault == nil && r.Fault == nil && r.Heap <= base.Heap || base.Fault != nil && r.Fault != nil && base.Fault.Kind == r.Fault.Kind
	case !strings.HasPrefix(r.Output, base.Output) || !s.fits(i, r):
		return false
	case r.Fault == nil:
		return true
	}
	now := s.failure(r)
	if now == nil || r.Steps < base.Steps {
		return false
	}
	if !now.same(was) {
		_, _, own := s.prog.StatementAt(now.stmt) // an edit brings no error of its own
		return own
	}
	return !was.same(s.failed[s.asked])
}

// fits reports whether a run's output is as far as it goes what is wanted. That of a test may be wrong by another mistake.
func (s *errorSearch) fits(i int, r *oracle.Run) bool {
	c := s.w.t.Given.Cases[i]
	switch {
	case c.Want.Any || len(s.w.t.Tests) > 0 && s.w.t.InHandCase(c):
		return true
	case r.Fault != nil:
		return strings.HasPrefix(c.Want.Output, r.Output)
	}
	return r.Output == c.Want.Output && r.Status == c.Want.Status
}

// step has a step judged; nil where it is none.
func (s *errorSearch) step(ctx context.Context, a *advance) (*Step, error) {
	t := s.w.t
	c := t.Given.Cases[s.asked]
	one, ok, err := t.Advances(ctx, a.texts, c)
	if !ok || err != nil {
		return nil, err
	}
	one.Edits = []report.Changed{judge.TextEdit(a.Edit)}
	one.Hints = []string{fmt.Sprintf("look at %s", a.Func.Name), fmt.Sprintf("look at line %d of %s", one.Edits[0].Line, one.Edits[0].File), report.Hint(one.Edits[0])}
	run, err := oracle.NewRunner(t.Given)
	if err != nil {
		return nil, err
	}
	was, err := run.Run(c, nil)
	if err != nil {
		return nil, err
	}
	return &Step{Repair: one, Texts: a.texts, Gone: was.Differs(c.Want)}, nil
}
