package batch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/process"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/output"
	"gulo/internal/repair/schema"
	"gulo/internal/report"
	"gulo/internal/source"
)

// This file repairs by whole runs: the tests or the run in hand, and with a reference
// others made up from it. Two engines search: edits executed on the machine
// (repair/natural) and edited texts executed natively (repair/schema). What either
// finds is held against runs that neither saw, and run with gcc's sanitizers.

// Numbers of runs.
const (
	givenRuns = 14
	madeRuns  = 500
	nearRuns  = 60 // made from tests, where nobody knows what is right
)

// Runs is a program with whole runs as its specification.
type Runs struct {
	t      *task
	near   []native.Test // runs near the tests: no repair may fail on them
	until  time.Time
	begin  time.Time
	inHand int // cases that the user gave
	seen   map[string]bool

	suggested []schema.Suggested // edits of the program that its outputs suggest
	explored  []*cases.Run       // of the reference
	seeds     []cases.Input      // the runs in hand
	failing   int                // of those explored, the program does not meet

	declared bool // what differs beside functions has been tried

	text  *schema.Search // edits of the text, tried in the background; nil: not begun
	known int            // given cases that it was told
	rep   *report.Report // that its judge writes to
	aside []aside        // what divides by zero on neighbours of the tests
	fits  bool           // a repair that fits the given tests only was left out
	duel  *duel          // nil without a reference
}

// Begin begins to search for edits of the text in the background: compiling them takes
// a second in which edits can be executed on the machine. The caller closes the runs.
func (w *Runs) Begin(ctx context.Context) error {
	if w.text != nil {
		return nil
	}
	t := w.t
	abs, err := filepath.Abs(filepath.Dir(t.req.Files[0]))
	if err != nil {
		return err
	}
	native.Warm(ctx, true)
	w.challenge(ctx)
	p := &schema.Problem{
		Tree: t.prog.Tree, Flags: t.req.Options.Flags, Dir: abs, Funcs: t.textScope(), Limit: time.Until(w.until),
		Free:     func(_ *source.File, line int) bool { return !slices.Contains(t.req.Lock, line) },
		Try:      func(ctx context.Context, r *schema.Repair) (schema.Verdict, error) { return w.try(ctx, w.rep, r) },
		Progress: func(string, ...any) {}, // the machine's search speaks
		Near:     w.near, Distance: output.Distance, Suggested: w.suggested,
		Nearer: func(ctx context.Context, list []schema.Repair) (bool, error) {
			o := &outputs{w: w, rep: w.rep, until: w.until}
			return o.deeper(ctx, list)
		},
	}
	for _, c := range t.given.Cases {
		p.Tests = append(p.Tests, testOf(c))
	}
	if t.held != nil {
		for _, c := range t.held.Cases {
			p.Held = append(p.Held, testOf(c))
		}
	}
	w.known = len(t.given.Cases)
	w.text = schema.Start(ctx, p)
	return nil
}

// challenge begins to make the reference's runs, in the background.
func (w *Runs) challenge(ctx context.Context) {
	if w.t.ref != nil && w.duel == nil {
		w.duel = newDuel(ctx, w)
	}
}

// textScope are the functions whose text may change: main too where only tests say what is
// right, since small programs do their work there.
func (t *task) textScope() []*cfront.Func {
	main := t.prog.Tree.Func("main")
	if t.ref != nil || t.req.Entry != "" || main == nil || main.Body == nil || slices.Contains(t.scope, main) {
		return t.scope
	}
	return append(slices.Clone(t.scope), main)
}

// Close ends what goes on in the background.
func (w *Runs) Close() {
	if w != nil && w.text != nil {
		w.text.Close()
	}
	if w != nil && w.duel != nil {
		w.duel.close()
	}
}

// NewRuns makes cases of whole runs. Arguments and standard input of the request are
// the run in hand.
func NewRuns(ctx context.Context, req *job.Job) (*Runs, error) {
	w := &Runs{begin: time.Now(), seen: map[string]bool{}}
	t, err := load(ctx, req)
	if err != nil {
		return nil, err
	}
	if req.Limit == 0 {
		req.Limit = 20 * time.Second
	}
	w.t, w.until = t, w.begin.Add(req.Limit)
	if t.prog.IR.Main < 0 {
		return nil, job.Usage("the program has no function main, so that no run can be compared")
	}
	if t.ref == nil {
		if err := t.fromRuns(ctx); err != nil {
			return nil, err
		}
		w.inHand = len(t.given.Cases)
		return w, w.neighbours(ctx)
	}
	return w, w.made(ctx)
}

// made makes cases of runs of the reference.
func (w *Runs) made(ctx context.Context) error {
	t := w.t
	if t.ref.Prog.IR.Main < 0 {
		return job.Usage("the reference has no function main, so that no run can be compared")
	}
	seeds := []cases.Input{{Args: t.req.Args, Stdin: t.req.Stdin}}
	if info, err := os.Stat(t.req.Tests); t.req.Tests != "" && err == nil && info.IsDir() {
		if err := t.referenceRuns(); err != nil {
			return err
		}
		tests, err := LoadTests(t.req.Tests)
		if err != nil {
			return err
		}
		if len(t.req.Args) == 0 && t.req.Stdin == "" {
			seeds = nil
		}
		for _, x := range tests {
			seeds = append(seeds, cases.Input{Args: x.Args, Stdin: x.Stdin})
		}
		// What a reference does with input of another form nobody has asked for.
		t.form = cases.FormOf(seeds)
		t.notes = append(t.notes, "runs that are made up have the form of the tests")
	}
	ex, err := cases.Explore(ctx, t.ref.Prog, seeds, cases.Config{Seed: t.req.Seed, Want: madeRuns, Form: t.form, Limit: max(time.Until(w.until)/8, 200*time.Millisecond)})
	if err != nil {
		return err
	}
	if len(ex.Runs) == 0 {
		return job.Usage("neither the run in hand nor any of the %d made from it can be a case: %s", ex.Tried, t.why())
	}
	if err := t.runScope(); err != nil {
		return err
	}
	w.seeds = seeds
	unmodelled, first := 0, ""
	if w.explored, unmodelled, first, err = w.divide(ex.Runs); err != nil {
		return err
	}
	if ex.LeftOut > 0 {
		t.notes = append(t.notes, fmt.Sprintf("%d of %d runs that were tried are left out because %s", ex.LeftOut, ex.Tried, t.why()))
	}
	t.by = fmt.Sprintf("the reference, %d of them in hand", w.inHand)
	return t.leftOut(unmodelled, first)
}

// divide makes cases of runs of the reference: some that a search sees, some that are held
// back. Runs on which the program comes to what gulo has no model of are left out; it
// returns the others, how many are left out, and what the first one comes to.
func (w *Runs) divide(made []*cases.Run) (runs []*cases.Run, out int, first string, err error) {
	t := w.t
	all := t.suiteOf(made)
	run, err := oracle.NewRunner(all)
	if err != nil {
		return nil, 0, "", err
	}
	every := all.Cases
	all.Cases = nil
	var fails []bool
	frees := true
	for i, c := range every {
		c.Want.Heap, c.Want.Frees = made[i].Heap, true
		r, err := run.Run(c, nil)
		if err != nil {
			return nil, 0, "", err
		}
		if why := r.Unmodelled(); why != "" {
			if out++; first == "" {
				first = why
			}
			continue
		}
		runs, all.Cases = append(runs, made[i]), append(all.Cases, c)
		left := r.Heap > c.Want.Heap
		c.Want.Frees = false
		fail := !r.Meets(c.Want)
		if fails = append(fails, fail); fail {
			w.failing++
		}
		frees = frees && (fail || !left)
	}
	for _, c := range all.Cases { // a program that frees less all the time has another aim
		c.Want.Frees = frees
	}
	if !frees {
		t.notes = append(t.notes, "the program frees less memory than the reference also where it is right; that was not looked at")
	}
	inHand := map[string]bool{}
	for i := range w.seeds {
		inHand[w.seeds[i].String()] = true
	}
	given, held := cases.Chosen(runs, fails, max(givenRuns, len(w.seeds)+4), func(r *cases.Run) bool {
		if !inHand[r.Input.String()] {
			return false
		}
		w.inHand++
		return true
	})
	pick := func(ns []int) *oracle.Suite {
		s := *all
		s.Cases = nil
		for _, n := range ns {
			s.Cases = append(s.Cases, all.Cases[n])
		}
		return &s
	}
	t.given, t.held = pick(given), pick(held)
	return runs, out, first, nil
}

// neighbours makes runs near the tests. What is right on them nobody knows, but where
// the program comes to an end without an error, a repair must.
func (w *Runs) neighbours(ctx context.Context) error {
	var seeds []cases.Input
	for _, c := range w.t.given.Cases {
		seeds = append(seeds, cases.Input{Args: c.Args, Stdin: c.Stdin})
	}
	ex, err := cases.Explore(ctx, w.t.prog, seeds, cases.Config{Seed: w.t.req.Seed, Want: nearRuns + len(seeds), Limit: max(time.Until(w.until)/20, 100*time.Millisecond)})
	if err != nil {
		return err
	}
	for _, r := range ex.Runs {
		given := func(in cases.Input) bool { return in.String() == r.Input.String() }
		if !slices.ContainsFunc(seeds, given) {
			w.near = append(w.near, native.Test{Args: r.Args, Stdin: r.Stdin})
		}
	}
	return nil
}

// suiteOf makes a suite of runs. A program may take many more steps than the
// reference: being slower is not being wrong.
func (t *task) suiteOf(runs []*cases.Run) *oracle.Suite {
	s := &oracle.Suite{Prog: t.prog, Edited: t.scope}
	for _, r := range runs {
		s.Cases = append(s.Cases, &oracle.Case{
			Name: r.Test.Name, Args: r.Args, Stdin: r.Stdin,
			Want: &oracle.Run{Output: r.Test.Stdout, Status: r.Test.Exit, Steps: max(r.Steps, 1_000)},
		})
	}
	return s
}

// runScope is what may change when whole runs are compared: functions that differ from
// the reference's, or that the reference does not have.
func (t *task) runScope() error {
	ref := t.ref.Prog.Tree
	t.scope = nil
	if name := t.req.Entry; name != "" {
		if t.entry = t.prog.Tree.Func(name); t.entry == nil {
			return job.Usage("no function %s in %s", name, t.req.Files[0])
		}
		for f := range cfront.Callees(t.entry) {
			t.scope = append(t.scope, f)
		}
		sortFuncs(t.scope)
		return nil
	}
	for _, f := range written(t.prog) {
		if g := ref.Func(f.Name); g == nil || g.Body == nil || text(f) != text(g) {
			t.scope = append(t.scope, f)
		}
	}
	if len(t.scope) == 0 {
		t.scope = written(t.prog)
	}
	return nil
}

func sortFuncs(fs []*cfront.Func) {
	slices.SortFunc(fs, func(a, b *cfront.Func) int {
		switch {
		case a.Name < b.Name:
			return -1
		case a.Name > b.Name:
			return 1
		}
		return 0
	})
}

// Telling reports whether the runs say enough to search by them first: they are many,
// and the program fails on some.
func (w *Runs) Telling() bool {
	return w.t.held != nil && len(w.t.given.Cases)+len(w.t.held.Cases) >= tellingRuns
}

// tellingRuns are enough runs to tell most repairs from most others.
const tellingRuns = 25

// Right reports whether the program meets every run in hand and every run made from
// them.
func (w *Runs) Right() (bool, error) {
	for _, s := range []*oracle.Suite{w.t.given, w.t.held} {
		c, err := refutedBy(s, nil, nil)
		if c != nil || err != nil {
			return false, err
		}
	}
	return true, nil
}

// report begins the document.
func (w *Runs) report() (*report.Report, error) {
	rep := &report.Report{Cases: len(w.t.given.Cases), Notes: w.t.notes, Repairs: []report.Repair{}}
	if w.t.entry != nil {
		rep.Entry = w.t.entry.Name
	}
	var err error
	rep.Example, err = w.t.example()
	return rep, err
}

// FixRuns repairs a program by whole runs.
func FixRuns(ctx context.Context, req *job.Job) (*report.Report, error) {
	w, err := NewRuns(ctx, req)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	right, err := w.Right()
	if err != nil {
		return nil, err
	}
	if right {
		return w.Met(), nil
	}
	rep, err := w.ByOutput(ctx, time.Now().Add(time.Until(w.until)/outputShare))
	if err != nil || rep.Result == report.Repaired {
		return rep, err
	}
	rep, err = w.ByMachine(ctx, time.Now().Add(time.Until(w.until)/naturalShare))
	if err != nil || rep.Result == report.Repaired {
		return rep, err
	}
	return w.ByText(ctx)
}

// naturalShare is the part of the time after which the search on the machine makes way
// for that in texts.
const naturalShare = 5

// outputShare is the part of the time for what outputs suggest.
const outputShare = 2

// Met is the answer when the program meets every run.
func (w *Runs) Met() *report.Report {
	rep := &report.Report{Cases: len(w.t.given.Cases), Notes: w.t.notes, Repairs: []report.Repair{}}
	w.t.unrefuted(rep)
	rep.Millis = w.millis()
	return rep
}

func (w *Runs) millis() float64 { return float64(time.Since(w.begin).Microseconds()) / 1000 }

// ByMachine searches edits that are executed on the machine.
func (w *Runs) ByMachine(ctx context.Context, until time.Time) (*report.Report, error) {
	rep, err := w.report()
	if err == nil {
		err = w.byDeclarations(ctx, rep)
	}
	if err == nil && rep.Result == "" && w.text == nil {
		w.challenge(ctx)
		err = w.byMachine(ctx, rep, w.ahead(until))
	}
	if err == nil && rep.Result != report.Repaired {
		err = w.Begin(ctx)
		if err == nil && rep.Result != report.None { // its search did not come to an end
			err = w.byMachine(ctx, rep, until)
		}
	}
	if err != nil {
		return nil, err
	}
	rep.Millis = w.millis()
	return rep, nil
}

// headStart is what edits on the machine have before those of the text are compiled: most
// small repairs are found in it, and a compilation takes a processor of the two there are.
const headStart = 600 * time.Millisecond

// ahead returns when the text joins a search that ends at until.
func (w *Runs) ahead(until time.Time) time.Time {
	if t := time.Now().Add(headStart); t.Before(until) {
		return t
	}
	return until
}

// ByOneEdit searches edits of the text, one alone, where the search for them has begun.
func (w *Runs) ByOneEdit(ctx context.Context, rep *report.Report) (*report.Report, error) {
	if w.text == nil {
		return rep, nil
	}
	if <-w.text.Ready(); w.text.Met() > 0 {
		if err := w.byText(ctx, rep, false, w.until); err != nil {
			return nil, err
		}
		rep.Millis = w.millis()
	}
	return rep, nil
}

// ByTwoEdits searches edits of the text, one and two together, until a time; ByText goes on
// from there. The search has begun.
func (w *Runs) ByTwoEdits(ctx context.Context, until time.Time) (*report.Report, error) {
	rep, err := w.report()
	if err == nil && w.text != nil {
		err = w.byText(ctx, rep, true, until)
	}
	if err != nil {
		return nil, err
	}
	rep.Millis = w.millis()
	return rep, nil
}

// ByText searches edits of the text, until the time is up.
func (w *Runs) ByText(ctx context.Context) (*report.Report, error) {
	rep, err := w.report()
	if err == nil {
		err = w.byDeclarations(ctx, rep)
	}
	if err == nil && rep.Result == "" {
		err = w.byText(ctx, rep, true, w.until)
	}
	if err != nil {
		return nil, err
	}
	rep.Millis, rep.Notes = w.millis(), w.t.notes
	return rep, nil
}

// Refutes returns a run that a repaired program does not meet, nil for none.
func (w *Runs) Refutes(ctx context.Context, texts map[string]string) (*oracle.Case, error) {
	p, err := w.t.reloaded(ctx, texts)
	if err != nil || p == nil {
		return nil, err
	}
	for _, s := range []*oracle.Suite{w.t.given, w.t.held} {
		if s == nil {
			continue
		}
		x := *s
		x.Prog, x.Edited = p, nil
		if c, err := refutedBy(&x, nil, nil); c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// machineRounds bounds how often the search begins again with what refuted its answers.
const machineRounds = 12

// byMachine searches edits that are executed on the machine.
func (w *Runs) byMachine(ctx context.Context, rep *report.Report, until time.Time) error {
	t := w.t
	short, stop := context.WithCancel(ctx)
	defer stop()
	workers := runtime.GOMAXPROCS(0)
	if w.text != nil {
		workers = max(1, workers-1) // the others compile
		process.Go(func() {         // edits of the text, once they are compiled, are faster
			select {
			case <-w.text.Ready():
				stop()
			case <-short.Done():
			}
		})
	}
	for round := 0; round < machineRounds && short.Err() == nil && time.Now().Before(until); round++ {
		t.req.Say("looking for repairs that meet %d runs", len(t.given.Cases))
		res, err := natural.Solve(short, &natural.Problem{
			Prog: t.prog, Suite: t.given, Funcs: t.scope, MaxEdits: t.req.MaxEdits,
			Limit: max(time.Until(until), 10*time.Millisecond), Want: 12, Probe: t.probe,
			Workers: workers,
			Free:    func(id int32) bool { return !t.req.Locked(t.prog.Stmts[id]) },
		})
		if err != nil {
			return err
		}
		if round == 0 {
			rep.Failing = res.Failing
		}
		if t.ref == nil && w.text != nil && len(res.Repairs) > 0 && ctx.Err() == nil {
			// A few tests tell little apart: what costs least of all is meant.
			if _, err := w.ByOneEdit(ctx, rep); err != nil || len(rep.Repairs) > 0 {
				return err
			}
		}
		learned := false
		for _, r := range res.Repairs {
			if short.Err() != nil && ctx.Err() == nil && w.text.Met() > 0 {
				break // to judge one takes as long as to find another
			}
			texts, err := patch.Rewrite(t.prog, r.Patch)
			if err != nil {
				continue
			}
			one, _, refuting, err := t.describe(ctx, r.Patch)
			if err != nil {
				return err
			}
			if refuting == nil && one.Evidence.Compiled {
				ok, c, err := w.holds(ctx, texts, &one)
				if err != nil {
					return err
				}
				if refuting = c; ok && one.Evidence.Zero != "" {
					w.aside, ok = append(w.aside, aside{one, texts}), false
				}
				if ok {
					rep.Result = report.Repaired
					rep.Repairs, rep.Texts = append(rep.Repairs, one), append(rep.Texts, texts)
					if len(rep.Repairs) >= max(t.req.Repairs, 1) {
						return nil
					}
				}
			}
			if refuting != nil && !slices.Contains(t.given.Cases, refuting) {
				t.given.Cases = append(t.given.Cases, refuting)
				learned = true
			}
		}
		if len(rep.Repairs) > 0 {
			return nil
		}
		if !learned {
			rep.Result, rep.Cause = report.None, fmt.Sprintf("no repair of up to %d edits was found in %s", max(t.req.MaxEdits, 3), names(t.scope))
			if res.Cause != "" {
				rep.Result, rep.Cause = report.Unknown, res.Cause
			}
			return nil
		}
	}
	rep.Result, rep.Cause = report.Unknown, "time limit"
	return nil
}

func testOf(c *oracle.Case) native.Test {
	return native.Test{Args: c.Args, Stdin: c.Stdin, Stdout: c.Want.Output, Exit: c.Want.Status}
}

// byText searches edited texts natively, one edit or, with pairs, two, until the time is up.
func (w *Runs) byText(ctx context.Context, rep *report.Report, pairs bool, until time.Time) error {
	t := w.t
	if err := w.Begin(ctx); err != nil {
		return err
	}
	t.req.Say("looking for edits of the text that meet %d runs", len(t.given.Cases))
	w.rep = rep
	var more []native.Test // learned by other engines
	for _, c := range t.given.Cases[w.known:] {
		more = append(more, testOf(c))
	}
	res, err := w.text.Solve(ctx, more, pairs, until)
	var ce *native.CompileError
	if errors.As(err, &ce) {
		t.notes = append(t.notes, "the program's edits cannot be compiled together; only edits on the machine were tried")
		return nil
	}
	if err != nil {
		return err
	}
	rep.Failing = max(rep.Failing, res.Failing)
	w.rival(rep, res.Rival)
	w.consider(rep)
	switch {
	case len(rep.Repairs) > 0:
		rep.Result, rep.Cause = report.Repaired, ""
	case !pairs: // what other engines said stands
	case res.Cut:
		rep.Result, rep.Cause = report.Unknown, "time limit"
	default:
		rep.Result, rep.Cause = report.None, fmt.Sprintf("none of %d edits of the text of %s, alone or two together, meets all runs", res.Edits, names(t.scope))
	}
	return nil
}

// rival notes that another repair meets the tests as well, with an input on which the two
// differ.
func (w *Runs) rival(rep *report.Report, r *schema.Rival) {
	if r == nil {
		return
	}
	e := textEdit(r.Edits[0])
	in := &cases.Input{Args: r.Input.Args, Stdin: r.Input.Stdin}
	does := func(o *native.Outcome) string { return became(&oracle.Run{Output: o.Stdout, Status: o.Status}) }
	what := fmt.Sprintf("%q for %q", short(e.After), short(e.Before))
	switch {
	case e.Before == "":
		what = fmt.Sprintf("%q inserted", short(e.After))
	case e.After == "":
		what = fmt.Sprintf("%q deleted", short(e.Before))
	}
	w.t.notes = append(w.t.notes, fmt.Sprintf("another repair meets all tests as well: line %d, %s. On %s %s with that one, and with the one shown %s; nothing given says which is right", e.Line, what, in, does(&r.Does), does(&r.Found)))
	rep.Notes = w.t.notes
}

// try judges a repair of the text.
func (w *Runs) try(ctx context.Context, rep *report.Report, r *schema.Repair) (schema.Verdict, error) {
	if w.overfit(r) {
		return schema.Verdict{Refuted: true}, nil
	}
	one, c, err := w.describeText(ctx, r)
	if err != nil {
		return schema.Verdict{}, err
	}
	if c != nil {
		x := testOf(c)
		return schema.Verdict{Refuted: true, By: &x}, nil
	}
	if len(w.aside) > 0 && len(w.aside[0].Edits) < len(r.Edits) {
		return schema.Verdict{Refuted: true, Enough: true}, nil
	}
	ok, c, err := w.holds(ctx, r.Texts, &one)
	switch {
	case err != nil:
		return schema.Verdict{}, err
	case c != nil:
		x := testOf(c)
		return schema.Verdict{Refuted: true, By: &x}, nil
	case !ok:
		return schema.Verdict{Refuted: true}, nil
	case one.Evidence.Zero != "":
		w.aside = append(w.aside, aside{one, r.Texts})
		return schema.Verdict{Refuted: true}, nil
	}
	rep.Repairs, rep.Texts = append(rep.Repairs, one), append(rep.Texts, r.Texts)
	return schema.Verdict{Enough: len(rep.Repairs) >= max(w.t.req.Repairs, 1)}, nil
}

// aside is a repair that divides by zero on a run near the tests on which the program
// does not. It may well be right: n % m for m % n.
type aside struct {
	report.Repair
	texts map[string]string
}

// consider puts the first of what was set aside before repairs that need more edits.
func (w *Runs) consider(rep *report.Report) {
	if len(w.aside) == 0 || len(rep.Repairs) > 0 && len(rep.Repairs[0].Edits) <= len(w.aside[0].Edits) {
		return
	}
	a := w.aside[0]
	rep.Repairs, rep.Texts = slices.Insert(rep.Repairs, 0, a.Repair), slices.Insert(rep.Texts, 0, a.texts)
}
