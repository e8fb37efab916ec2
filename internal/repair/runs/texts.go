package runs

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/native"
	"gulo/internal/plural"
	"gulo/internal/repair/declared"
	"gulo/internal/repair/output"
	"gulo/internal/repair/schema"
	"gulo/internal/report"
	"gulo/internal/source"
)

// This file searches edits of the text: it begins the search beside the others, waits for its results, and judges them.

// Begin starts the search for text edits in the background: compiling them takes a second, during which edits can be
// executed on the machine. The caller must call Close.
func (w *Search) Begin(ctx context.Context) error {
	if w.text != nil {
		return nil
	}
	if err := w.measure(ctx); err != nil {
		return err
	}
	w.text = w.ahead
	w.text.Compile(ctx, w.suggested)
	return nil
}

// ends returns the statements at which the runs in hand end in errors of memory.
func (w *Search) ends() (out []source.Range, err error) {
	at, err := w.t.Faulting()
	for _, st := range at {
		out = append(out, st.Range)
	}
	return out, err
}

// measure starts running the unedited program in the background, with which the search for text edits begins.
func (w *Search) measure(ctx context.Context) error {
	if w.ahead != nil {
		return nil
	}
	t := w.t
	p := problem(t.Set)
	t.Challenge(ctx)
	p.Limit, p.Spare = budget.Until(ctx, w.until), t.Ref == nil && runtime.GOMAXPROCS(0) > 1 // otherwise the machine searches at the same time
	p.Free = func(_ *source.File, line int) bool { return !slices.Contains(t.Job.Lock, line) }
	p.Try = func(ctx context.Context, r *schema.Repair) (schema.Verdict, error) {
		return w.try(ctx, w.rep, cleaned(r))
	}
	p.Progress = func(string, ...any) {} // the machine's search reports progress
	p.Expect = func(list []schema.Repair) {
		var texts []map[string]string
		for _, r := range list {
			texts = append(texts, r.Texts)
		}
		w.t.Expect(ctx, texts)
	}
	if t.Job.Memory {
		var err error
		if p.Ends, err = w.ends(); err != nil {
			return err
		}
	}
	p.Near, p.Distance = w.t.NeighbourTests(), output.Distance
	if t.Ref == nil {
		p.Alike = func() (out []native.Test) {
			for _, in := range t.Alike(mostAlike) {
				out = append(out, native.Test{Args: in.Args, Stdin: in.Stdin})
			}
			return out
		}
	}
	p.Nearer = func(ctx context.Context, list []schema.Repair, two bool) (bool, error) {
		o := &outputs{w: w, rep: w.rep, until: w.until}
		if two {
			return o.deeper(ctx, list, together)
		}
		return o.deeper(ctx, list, alone)
	}
	p.Climb = func(ctx context.Context, list []schema.Repair) (bool, error) {
		o := &outputs{w: w, rep: w.rep, until: w.until}
		return o.climb(ctx, &base{tree: t.Prog.Tree}, list)
	}
	if err := w.relax(p); err != nil {
		return err
	}
	w.known = len(t.Given.Cases)
	w.ahead = schema.Prepare(ctx, p)
	return nil
}

// ByOneEdit searches single text edits, if the search for them has begun.
func (w *Search) ByOneEdit(ctx context.Context, rep *report.Report) (*report.Report, error) {
	if w.text == nil {
		return rep, nil
	}
	until := w.until
	if w.Borrows() { // others wait for their time
		until = budget.Part(ctx, until, 2)
	}
	if w.text.Wait(ctx, until) && w.text.Met() > 0 {
		if err := w.byText(ctx, rep, false, w.until); err != nil {
			return nil, err
		}
		rep.Millis = w.millis()
	}
	return rep, nil
}

// ByTwoEdits searches text edits, single and in pairs, until a time. ByText continues from there. Precondition: the
// search has begun.
func (w *Search) ByTwoEdits(ctx context.Context, until time.Time) (*report.Report, error) {
	rep, err := w.report()
	if err == nil {
		err = w.judgeRest(ctx, rep)
	}
	if err == nil && len(rep.Repairs) == 0 && w.text != nil {
		err = w.byText(ctx, rep, true, until)
	}
	if err != nil {
		return nil, err
	}
	rep.Millis = w.millis()
	return rep, nil
}

// ByText searches text edits until the time is up.
func (w *Search) ByText(ctx context.Context) (*report.Report, error) {
	rep, err := w.report()
	if err == nil {
		err = w.byDeclarations(ctx, rep)
	}
	if err == nil && rep.Result == "" {
		err = w.judgeRest(ctx, rep)
	}
	if err == nil && rep.Result == "" {
		err = w.byText(ctx, rep, true, w.until)
	}
	if err != nil {
		return nil, err
	}
	rep.Millis, rep.Notes = w.millis(), w.t.Notes
	return rep, nil
}

// byText searches edited texts natively until a time: single edits or, with pairs, also two edits together.
func (w *Search) byText(ctx context.Context, rep *report.Report, pairs bool, until time.Time) error {
	t := w.t
	if err := w.Begin(ctx); err != nil {
		return err
	}
	t.Job.Say("looking for edits of the text that meet %s", plural.N(len(t.Given.Cases), "run"))
	w.rep = rep
	if pairs && len(rep.Repairs) == 0 {
		if err := w.further(ctx, rep); err != nil || len(rep.Repairs) > 0 {
			if err == nil {
				found(rep)
			}
			return err
		}
	}
	end := until
	if pairs && !w.wait.IsZero() && w.wait.Before(end) {
		if end = w.wait; w.relaxed != nil && !w.onTop { // the second of two faults is looked for in any case
			w.onTop = true
			end = w.until
			if t := budget.After(ctx, max(onTopTime, budget.Since(ctx, w.begin))); t.Before(end) {
				end = t
			}
		}
	}
	res, err := w.text.Solve(ctx, w.unknown(), pairs, end)
	var ce *native.CompileError
	if errors.As(err, &ce) {
		cause := "the program's edits cannot be compiled together: " + ce.Reason()
		t.Notes = append(t.Notes, cause+"; only edits on the machine were tried")
		if rep.Result == "" && pairs { // no other engine has said anything
			rep.Result, rep.Cause = report.Unknown, cause
		}
		return nil
	}
	if err != nil {
		return err
	}
	rep.Failing = max(rep.Failing, res.Failing)
	if t.Job.Memory && pairs && res.Failing == 0 && !res.Cut {
		if err := w.byLength(ctx, rep); err != nil {
			return err
		}
	}
	if err := w.rival(ctx, rep, res.Rival); err != nil {
		return err
	}
	w.consider(rep)
	if pairs {
		w.settle(rep)
	}
	switch {
	case len(rep.Repairs) > 0:
		found(rep)
	case !pairs: // the result of other engines stands
	case res.Cut:
		rep.Result, rep.Cause = report.Unknown, report.TimeLimit
	case res.Failing == 0:
		rep.Result, rep.Cause = report.None, w.onMachineOnly()
	default:
		rep.Result, rep.Cause = report.None, w.noneMeets(res)
	}
	if rep.Result != report.Repaired && t.Driver() != nil {
		note := "main is taken as given, since no test has any input; --entry main searches it, too"
		if !slices.Contains(rep.Notes, note) {
			rep.Notes = append(rep.Notes, note)
		}
	}
	return nil
}

// noneMeets says why none of the edits that were tried is shown, nor a pair of them.
func (w *Search) noneMeets(res *schema.Result) string {
	tried := fmt.Sprintf("%s of the text of %s", plural.N(res.Edits, "edit"), cases.Names(w.t.Scope))
	if w.fits {
		return fmt.Sprintf("of %s, those that meet all runs may meet nothing else", tried)
	}
	if res.Pairs == 0 {
		return fmt.Sprintf("none of %s meets all runs", tried)
	}
	return fmt.Sprintf("none of %s meets all runs, and none of the %s of them that were tried together", tried, plural.N(res.Pairs, "pair"))
}

// byDeclarations tries the declarations outside functions that differ from the reference's. Only the first call has an
// effect.
func (w *Search) byDeclarations(ctx context.Context, rep *report.Report) error {
	if w.declared {
		return nil
	}
	w.declared = true
	return declared.Try(ctx, w.t, rep, func(texts map[string]string, out *report.Repair) (bool, error) {
		ok, err := w.t.Natively(ctx, texts, out)
		if ok = ok && out.Evidence.Zero == "" && out.Evidence.Overflow == ""; !ok || err != nil {
			return false, err
		}
		c, err := w.t.ByLogic(ctx, texts, out)
		out.Evidence.Text = out.Evidence.String()
		return c == nil, err
	})
}

// judgeRest judges the machine's repairs that were left when text edits were ready.
func (w *Search) judgeRest(ctx context.Context, rep *report.Report) error {
	list := w.unjudged
	w.unjudged = nil
	for _, r := range list {
		done, _, err := w.judgeMachine(ctx, rep, r.Patch, false)
		if done || err != nil {
			return err
		}
	}
	return nil
}

// mostAlike bounds the inputs of the form of the tests whose outputs are compared.
const mostAlike = 40

// problem returns the problem of searching text edits of the program.
func problem(t *cases.Set) *schema.Problem {
	return &schema.Problem{Tree: t.Prog.Tree, Options: t.Job.Options, Funcs: t.TextScope(), Heap: heapOf(t.Job)}
}

// heapOf returns the heap for edited programs.
func heapOf(j *job.Job) native.Heap {
	if j.Memory {
		return native.Guarding
	}
	return native.Plain
}
