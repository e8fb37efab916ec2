package runs

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/native"
	"gulo/internal/patch"
	"gulo/internal/plural"
	"gulo/internal/repair"
	"gulo/internal/repair/mistakes"
	"gulo/internal/repair/natural"
	"gulo/internal/report"
)

// This file searches edits that are executed on the machine, and judges those found.

// ByMachine searches edits that are executed on the machine.
func (w *Search) ByMachine(ctx context.Context, until time.Time) (*report.Report, error) {
	rep, err := w.report()
	if err == nil {
		err = w.byDeclarations(ctx, rep)
	}
	if w.t.WrittenApart() { // the machine's search must meet all generated runs, which this reference does not justify
		if err == nil && w.text == nil {
			w.suggested, err = w.offers(ctx)
			w.suggested = append(mistakes.Suggest(w.t.Prog.Tree, w.t.TextScope(), known(w.t.Job)), w.suggested...)
			if err == nil {
				err = w.Begin(ctx)
			}
		}
		if rep.Result == "" {
			rep.Result, rep.Cause = report.Unknown, report.TimeLimit
		}
		rep.Millis = w.millis()
		return rep, err
	}
	if err == nil && rep.Result == "" && w.text == nil && w.t.Ref != nil { // without a reference the cheapest edit is preferred
		if err = w.measure(ctx); err == nil {
			err = w.byMachine(ctx, rep, budget.Earlier(until, budget.After(ctx, headStart)))
		}
	}
	if err == nil && rep.Result != report.Repaired {
		err = w.Begin(ctx)
		if err == nil && rep.Result != report.None { // the first search was not complete
			err = w.byMachine(ctx, rep, until)
		}
	}
	if err != nil {
		return nil, err
	}
	rep.Millis = w.millis()
	return rep, nil
}

// adds reports whether a patch adds lines to the program: a new statement, or a condition around one.
func (w *Search) adds(p *repair.Patch) bool {
	texts, err := patch.Rewrite(w.t.Prog, p)
	if err != nil {
		return false
	}
	for _, f := range w.t.Prog.Tree.Files {
		if x, ok := texts[f.Name]; ok && strings.Count(x, "\n") > strings.Count(string(f.Text), "\n") {
			return true
		}
	}
	return false
}

// headStart is the time for edits on the machine before the text edits are compiled, while the program is measured.
// Many small repairs are found in it, and compiling takes one of two processors.
const headStart = 60 * time.Millisecond

// addsShare is the part of the time that an edit which adds something waits for text edits.
const addsShare = 2

// afterText is the minimum time for a search on the machine after no text edit met all runs; it may also take as long
// as everything before.
const afterText = 400 * time.Millisecond

// machineRounds bounds how often the search starts again with the runs that refuted its repairs.
const machineRounds = 12

// byMachine searches edits that are executed on the machine.
func (w *Search) byMachine(ctx context.Context, rep *report.Report, until time.Time) error {
	t := w.t
	stops := w.text != nil // text edits are faster, once they were tried
	if stops && native.Screening() && w.text.Wait(ctx, until) {
		if w.text.Met() > 0 { // they had both processors
			if _, err := w.ByOneEdit(ctx, rep); err != nil || len(rep.Repairs) > 0 {
				return err
			}
		}
		if t.Job.Memory && !w.text.Fails() { // the error shows only on the machine, where the edits that people make also cost least
			if err := w.byWoven(ctx, rep); err != nil || len(rep.Repairs) > 0 {
				return err
			}
		}
		stops = false
		if t := budget.After(ctx, max(afterText, budget.Since(ctx, w.begin))); t.Before(until) {
			until = t
		}
	}
	workers := runtime.GOMAXPROCS(0)
	if stops {
		workers = max(1, workers-1) // the others compile
	}
	late := func() bool { return stops && w.text.Wait(ctx, budget.Now(ctx)) }
	for round := 0; round < machineRounds && !late() && !budget.Over(ctx, until); round++ {
		t.Job.Say("looking for repairs that meet %s", plural.N(len(t.Given.Cases), "run"))
		res, err := natural.Solve(ctx, &natural.Problem{
			Prog: t.Prog, Suite: t.Given, Funcs: t.Scope, MaxEdits: t.Job.MaxEdits,
			Limit: max(budget.Until(ctx, until), 10*time.Millisecond), Want: 12, Probe: t.Probe,
			Workers: workers, Stop: late,
			Free: func(id int32) bool { return !t.Job.Locked(t.Prog.Stmts[id]) },
		})
		if err != nil {
			return err
		}
		if round == 0 {
			rep.Failing = max(rep.Failing, res.Failing)
		}
		if w.text != nil && !late() {
			t.Prepare() // the text search goes on by itself
		}
		if w.text != nil && len(res.Repairs) > 0 && ctx.Err() == nil {
			// A few tests distinguish little: the cheapest edit is preferred.
			if _, err := w.ByOneEdit(ctx, rep); err != nil || len(rep.Repairs) > 0 {
				return err
			}
		}
		first := w.text == nil
		if first && len(res.Repairs) > 0 && w.adds(res.Repairs[0].Patch) {
			// New code meets many runs by chance: cheaper edits are looked for first.
			if err := w.Begin(ctx); err != nil {
				return err
			}
			t.Prepare()
			if w.text.Wait(ctx, budget.Part(ctx, w.until, addsShare)) {
				if _, err := w.ByOneEdit(ctx, rep); err != nil || len(rep.Repairs) > 0 {
					return err
				}
			}
			first = false
		}
		learned := false
		for i, r := range res.Repairs {
			if w.severalErrors() {
				rep.Result, rep.Cause = report.Unknown, "time limit"
				return nil
			}
			if late() && ctx.Err() == nil && w.text.Met() > 0 {
				w.unjudged = res.Repairs[i:] // judging one takes as long as finding another
				break
			}
			done, news, err := w.judgeMachine(ctx, rep, r.Patch, first)
			if learned = learned || news; done || err != nil {
				return err
			}
		}
		if len(rep.Repairs) > 0 {
			return nil
		}
		if !learned {
			rep.Result, rep.Cause = report.None, fmt.Sprintf("no repair of up to %s was found in %s", plural.N(max(t.Job.MaxEdits, 3), "edit"), cases.Names(t.Scope))
			if res.Cause != "" {
				rep.Result, rep.Cause = report.Unknown, res.Cause
			}
			return nil
		}
	}
	rep.Result, rep.Cause = report.Unknown, report.TimeLimit
	return nil
}

// judgeMachine judges a repair by the machine's search on runs that the search did not see. first says that no text
// edit was tried before. done reports whether nothing else is to be judged; learned reports whether the run that
// refutes it became a case.
func (w *Search) judgeMachine(ctx context.Context, rep *report.Report, p *repair.Patch, first bool) (done, learned bool, err error) {
	t := w.t
	w.refused++
	texts, err := patch.Rewrite(t.Prog, p)
	if err != nil {
		return false, false, nil
	}
	one, _, refuting, err := t.Describe(ctx, p)
	if err != nil {
		return false, false, err
	}
	if w.outweighed(len(one.Edits)) {
		return true, false, nil
	}
	if refuting == nil && one.Evidence.Compiled {
		ok, c, err := w.t.Holds(ctx, texts, &one)
		if err != nil {
			return false, false, err
		}
		if c != nil && w.t.Unlike(c) {
			w.differs(ctx, c, &one, texts, nil)
		}
		note := ""
		if refuting = c; ok {
			hidden, err := w.hides(ctx, texts, one.Edits[0])
			if ok = !hidden; err != nil {
				return false, false, err
			}
		}
		if ok {
			skips, before, said, err := w.skips(ctx, nil, texts, one.Edits[0])
			if note, ok = said, !skips; err != nil {
				return false, false, err
			}
			if _, shown, err := w.instead(ctx, rep, before); shown {
				rep.Result, rep.Cause = report.Repaired, ""
				return true, false, err
			}
		}
		if ok {
			if ok, err = w.shows(ctx, &one, texts); err != nil {
				return false, false, err
			}
		}
		if ok && first && w.adds(p) {
			// New code meets many runs by chance: cheaper edits are looked for first.
			if err := w.Begin(ctx); err != nil {
				return false, false, err
			}
			if _, err := w.ByOneEdit(ctx, rep); err != nil || len(rep.Repairs) > 0 {
				return true, false, err
			}
		}
		if ok {
			w.note(rep, note)
			rep.Result, rep.Cause = report.Repaired, ""
			rep.Repairs, rep.Texts = append(rep.Repairs, one), append(rep.Texts, texts)
			done = len(rep.Repairs) >= max(t.Job.Repairs, 1)
		}
	}
	if refuting != nil && !slices.Contains(t.Given.Cases, refuting) {
		t.Given.Cases = append(t.Given.Cases, refuting)
		learned = true
	}
	return done, learned, nil
}

// ByOneOnMachine searches single edits of links on the machine, if no text edit is a repair. Text edits are tried
// first, because they are what people write; the machine can also compose new links. It accepts no edits of numbers,
// because many of these meet a few tests.
func (w *Search) ByOneOnMachine(ctx context.Context, until time.Time) (*report.Report, error) {
	rep, err := w.report()
	if err != nil {
		return nil, err
	}
	t := w.t
	rep.Result = report.None
	if w.text == nil || !w.text.Wait(ctx, until) || !w.text.Fails() {
		return rep, nil
	}
	if w.text.Met() > 0 { // text edits that meet all runs are judged first, for the machine's may do so by luck
		if _, err := w.ByOneEdit(ctx, rep); err != nil || len(rep.Repairs) > 0 {
			return rep, err
		}
		rep.Result, rep.Cause = report.None, ""
	}
	for round := 0; round < machineRounds && !budget.Over(ctx, until) && rep.Result != report.Repaired; round++ {
		res, err := natural.Solve(ctx, &natural.Problem{
			Prog: t.Prog, Suite: t.Given, Funcs: t.Scope, MaxEdits: 1, Limit: max(budget.Until(ctx, until), 10*time.Millisecond), Want: 12, Probe: t.Probe,
			Free: func(id int32) bool { return !t.Job.Locked(t.Prog.Stmts[id]) },
		})
		if err != nil {
			return nil, err
		}
		news := false
		for _, r := range res.Repairs {
			if !linking(r.Patch) {
				continue
			}
			done, learned, err := w.judgeMachine(ctx, rep, r.Patch, false)
			if err != nil {
				return nil, err
			}
			if news = news || learned; done {
				break
			}
		}
		if !news {
			break
		}
	}
	rep.Millis = w.millis()
	return rep, nil
}

// linking reports whether an edit of a patch stores, returns or compares pointers.
func linking(p *repair.Patch) bool {
	pointer := func(x cfront.Expr) bool { return x != nil && x.Type() != nil && x.Type().Kind == ctype.Pointer }
	return slices.ContainsFunc(p.Edits(), func(e *repair.Edit) bool {
		if e.New == nil || e.Guard != nil {
			return false
		}
		links := pointer(e.New)
		cfront.Walk(e.New, func(x cfront.Expr) bool {
			switch x := x.(type) {
			case *cfront.Assign:
				links = links || pointer(x.L)
			case *cfront.Binary:
				links = links || pointer(x.X) && pointer(x.Y)
			}
			return !links
		})
		return links
	})
}
