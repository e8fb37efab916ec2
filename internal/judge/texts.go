package judge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/report"
	"gulo/internal/source"
	"gulo/internal/timing"
)

// This file judges repaired texts: on the machine, if it can load them, and natively with the sanitizers.

// DescribeText judges a repair of the text and makes its report. c is the case that refutes it, or nil.
func (t *Judge) DescribeText(ctx context.Context, r *schema.Repair) (out report.Repair, c *oracle.Case, err error) {
	defer timing.Begin(ctx, "judge: on the machine").End("")
	if out.Diff, err = patch.DiffTexts(t.Prog, r.Texts); err != nil {
		return out, nil, err
	}
	for _, e := range r.Edits {
		out.Edits = append(out.Edits, TextEdit(e))
	}
	if out.Changes = report.Changes(t.Prog, r.Texts); !report.Keeps(out.Changes, t.Job.Lock) {
		return out, nil, nil // Natively refuses it
	}
	t.forget(r.Texts)
	t.expect(ctx, r.Texts)
	defer func() {
		if c != nil || err != nil {
			t.forget(nil)
		}
		if c != nil {
			t.Job.Best.Drop(r.Texts)
		}
	}()
	ev := &out.Evidence
	*ev = t.facts()
	t.offer(report.Meets, &out, r.Texts) // it met the cases natively
	p, err := t.Reloaded(ctx, r.Texts)
	if err != nil {
		return out, nil, err
	}
	t.expectBeside(ctx, p)
	if p != nil {
		for _, s := range []*oracle.Suite{t.Given, t.Held} {
			if s == nil {
				continue
			}
			x := *s
			x.Prog, x.Edited = p, nil
			met := &ev.HeldMet
			if s == t.Given {
				met = nil
			}
			if t.relaxed && s == t.Held {
				if c, err = t.mostly(&x, ev); c != nil || err != nil {
					return out, c, err
				}
				continue
			}
			left := 0
			if c, left, err = refutedBy(&x, nil, met, true); c != nil || err != nil {
				return out, c, err
			}
			if s == t.Held {
				ev.Held -= left
			} else {
				ev.Alone += left
			}
		}
		if ev.Near, err = t.nearby(p, nil); err != nil {
			return out, nil, err
		}
	} else {
		ev.Held = 0 // the machine cannot load the repaired program, although gcc accepts it
	}
	first := out.Edits[0]
	out.Hints = []string{
		fmt.Sprintf("look at %s", r.Edits[0].Func.Name),
		fmt.Sprintf("look at line %d of %s", first.Line, first.File),
		report.Hint(first),
	}
	if len(r.Edits) > 1 {
		out.Hints = append(out.Hints, fmt.Sprintf("%s must change in all", plural.N(len(r.Edits), "place")))
	}
	return out, nil, nil
}

// Reloaded loads a repaired program for the machine. It returns nil if gcc or the machine rejects it.
func (t *Judge) Reloaded(ctx context.Context, texts map[string]string) (*lower.Program, error) {
	return t.recent.load(texts, func() (*lower.Program, error) { return Load(ctx, t.Job, texts) })
}

// Load loads the program of a job with changed texts. It returns nil if gcc or the machine rejects it.
func Load(ctx context.Context, j *job.Job, texts map[string]string) (*lower.Program, error) {
	dir, err := process.TempDir("gulo-text")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	budget.Spend(ctx, budget.Load)
	for _, text := range texts {
		budget.Spend(ctx, budget.Byte*int64(len(text)))
	}
	var refused *native.CompileError
	if err := native.Compile(ctx, dir, j.Files, j.Options, texts, "-fsyntax-only"); errors.As(err, &refused) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	tree, err := cfront.Edited(j.Files, j.Options, texts)
	var p *lower.Program
	if err == nil {
		p, err = lower.Lower(tree, j.Lowered())
	}
	var bad *source.Error
	if errors.As(err, &bad) {
		return nil, nil
	}
	return p, err
}

// mostRecent bounds the candidates that are kept loaded. A candidate is asked for several times while it is judged, and
// rarely afterwards.
const mostRecent = 4

// recent keeps the candidates that were loaded last.
type recent struct {
	sync.Mutex
	keys  []string
	progs []*lower.Program // nil: the machine cannot load it
}

// load returns the program of some texts, and calls load only if it is not kept. Errors are not kept.
func (r *recent) load(texts map[string]string, load func() (*lower.Program, error)) (*lower.Program, error) {
	r.Lock()
	defer r.Unlock()
	key := fmt.Sprintf("%q", texts) // in the order of names
	if i := slices.Index(r.keys, key); i >= 0 {
		return r.progs[i], nil
	}
	p, err := load()
	if err != nil {
		return nil, err
	}
	if len(r.keys) == mostRecent {
		r.keys, r.progs = r.keys[1:], r.progs[1:]
	}
	r.keys, r.progs = append(r.keys, key), append(r.progs, p)
	return p, nil
}

// TextEdit converts an edit of the text to the form of reports.
func TextEdit(e *textedit.Edit) report.Changed {
	c := e.Changes[0]
	p := c.File.Position(c.Start)
	before := source.OneLine(string(c.File.Text[c.Start:c.End]))
	after := source.OneLine(c.Text)
	if after == textedit.Removed {
		after = ""
	}
	if before == "" { // an insertion stands in the line that follows
		for i := 0; i < len(c.Text) && (c.Text[i] == '\n' || c.Text[i] == ' ' || c.Text[i] == '\t'); i++ {
			if c.Text[i] == '\n' {
				p.Line++
				break
			}
		}
	}
	return report.Changed{File: p.File, Line: p.Line, Before: before, After: after, What: e.What}
}

// sanitized returns the texts and the configuration with which a repaired program is compiled for the sanitizers.
func (t *Judge) sanitized(ctx context.Context, texts map[string]string) (map[string]string, native.Config) {
	all := map[string]string{}
	for _, f := range t.Prog.Tree.Files {
		all[f.Name] = string(f.Text)
		if x, ok := texts[f.Name]; ok {
			all[f.Name] = x
		}
	}
	return all, native.Config{Units: t.Prog.Tree.Units(), Options: t.Job.Options, Sanitize: true, Unset: true, Refuse: t.unmeant.unwarned(ctx, t)}
}

// expect starts to compile a repaired program for Natively, while the machine judges it. If t judges a part, it tells
// Foreseen instead.
func (t *Judge) expect(ctx context.Context, texts map[string]string) {
	if t.part {
		if t.Foreseen != nil {
			t.Foreseen(texts)
		}
		return
	}
	if t.begun.needless() {
		return
	}
	all, conf := t.sanitized(ctx, texts)
	t.begun.add(texts, native.Begin(ctx, all, conf))
}

// Foresee starts to compile a repaired program that will probably be judged next.
func (t *Judge) Foresee(ctx context.Context, texts map[string]string) {
	t.forget(texts)
	t.expect(ctx, texts)
}

// expectBeside starts to compile a repaired program for Fight.
func (t *Judge) expectBeside(ctx context.Context, p *lower.Program) {
	if t.duel == nil || p == nil || t.part {
		return
	}
	if same, err := t.same(ctx, p); same || err != nil {
		return
	}
	t.duel.begin()
	texts, conf := counted(p, t.Job.Options)
	t.begun.add(texts, native.Begin(ctx, texts, conf))
}

// forget drops programs whose compilation was started and that nobody asked for, except those of the given texts.
func (t *Judge) forget(but map[string]string) { t.begun.forget(but) }

// mostNeedless is after how many programs in a row that nobody asked for no more are compiled ahead.
const mostNeedless = 3

// begun holds programs that are compiled before they are asked for.
type begun struct {
	sync.Mutex
	list  []compiling
	drops int // programs since the last one that was asked for
}

// needless reports whether programs are mostly refused before they are asked for.
func (b *begun) needless() bool {
	b.Lock()
	defer b.Unlock()
	return b.drops >= mostNeedless
}

// needed records that a program is asked for.
func (b *begun) needed() {
	b.Lock()
	defer b.Unlock()
	b.drops = 0
}

// compiling is a program that is being compiled from texts. Its forget drops it.
type compiling struct {
	texts  map[string]string
	forget func() bool
}

func (b *begun) add(texts map[string]string, forget func() bool) {
	b.Lock()
	defer b.Unlock()
	b.list = append(b.list, compiling{texts, forget})
}

func (b *begun) forget(but map[string]string) {
	b.Lock()
	var kept, list []compiling
	for _, c := range b.list {
		if but != nil && maps.Equal(c.texts, but) {
			kept = append(kept, c)
		} else {
			list = append(list, c)
		}
	}
	b.list = kept
	b.Unlock()
	for _, c := range list {
		if c.forget() {
			b.Lock()
			b.drops++
			b.Unlock()
		}
	}
}

// around is what the unrepaired program does on the neighbours of the tests, with the sanitizers; nil until asked.
type around struct {
	sync.Mutex
	outcomes []native.Outcome
}

// mostSanitized is about how many held-back runs a repair is run on with the sanitizers.
const mostSanitized = 60

// Natively runs a repaired program, compiled with the sanitizers, on the given runs, on some held-back ones and on the
// neighbours of tests. ok is true if it does what it should on all of them. A division by zero or an overflow on a
// neighbour, which may be no valid input, does not make it false: the evidence names it for the caller. The evidence
// says what was run.
func (t *Judge) Natively(ctx context.Context, texts map[string]string, out *report.Repair) (ok bool, err error) {
	defer timing.Begin(ctx, "judge: natively").End("")
	if !report.Keeps(report.Changes(t.Prog, texts), t.Job.Lock) || !t.Job.MeetsAlso(texts) {
		return false, nil
	}
	t.begun.needed()
	sources, conf := t.sanitized(ctx, texts)
	p, err := native.Build(ctx, sources, conf)
	if _, bad := err.(*native.CompileError); bad {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer p.Close()
	var tests []native.Test
	for _, c := range t.WithAside() {
		tests = append(tests, Test(c))
	}
	if t.Held != nil {
		for i := 0; i < len(t.Held.Cases); i += max(1, len(t.Held.Cases)/mostSanitized) {
			if c := t.Held.Cases[i]; !slices.Contains(t.excused, c) {
				tests = append(tests, Test(c))
			}
		}
	}
	all := slices.Clone(tests)
	for i := range t.Around {
		all = append(all, native.Test{Args: t.Around[i].Args, Stdin: t.Around[i].Stdin})
	}
	printed, err := t.printed(ctx, p, all, len(tests))
	if err != nil {
		return false, err
	}
	ev := &out.Evidence
	ev.Ended = max(len(printed)-len(tests), 0)
	for i, o := range printed {
		switch {
		case i < len(tests) && !tests[i].Met(&o):
			return false, nil
		case i < len(tests) || o.Ended():
		case o.DividedByZero():
			if ev.Ended--; ev.Zero == "" {
				ev.Zero = t.Around[i-len(tests)].String()
			}
		case o.Overflowed():
			if ev.Ended--; ev.Overflow == "" {
				ev.Overflow = t.Around[i-len(tests)].String()
			}
		default:
			fails, err := t.failsNatively(ctx, i-len(tests))
			if err != nil || !fails && !(t.Waits && o.Endless()) {
				return false, err
			}
			ev.Ended-- // the unrepaired program fails on it, too, or waits for input: it says nothing about the repair
		}
	}
	if still, err := t.stillFails(ctx, p, texts); still || err != nil {
		return false, err
	}
	ev.Compiled, ev.Guarded = true, min(len(tests), len(printed))
	ev.Text = ev.String()
	return true, nil
}

// failsNatively reports whether the unrepaired program, compiled with the sanitizers, fails on a neighbour of the
// tests. The sanitizers see more than the machine, such as that m[0][20] is outside of int m[20][20].
func (t *Judge) failsNatively(ctx context.Context, neighbour int) (bool, error) {
	t.around.Lock()
	defer t.around.Unlock()
	if t.around.outcomes == nil {
		sources, conf := t.sanitized(ctx, nil)
		p, err := native.Build(ctx, sources, conf)
		if _, bad := err.(*native.CompileError); bad {
			t.around.outcomes = []native.Outcome{}
			return false, nil
		}
		if err != nil {
			return false, err
		}
		defer p.Close()
		if t.around.outcomes, err = t.printed(ctx, p, t.NeighbourTests(), 0); err != nil {
			return false, err
		}
	}
	return neighbour < len(t.around.outcomes) && !t.around.outcomes[neighbour].Ended(), nil
}

// printed returns what a program does on tests, for as many of the first ones as time allows. All but the first given of them are
// demanded of nobody, so that those on which it does not end soon are not waited for. Several processes share
// the tests if there are enough of them; beside a duel it takes more tests to start another process.
func (t *Judge) printed(ctx context.Context, p *native.Program, tests []native.Test, given int) ([]native.Outcome, error) {
	few := fewRuns
	if t.duel != nil {
		few = fewBeside
	}
	n := max(1, min(runtime.GOMAXPROCS(0), len(tests)/few))
	parts := make([][]native.Outcome, n)
	err := process.Parallel(ctx, n, n, func(ctx context.Context, i int) error {
		ses := &native.Session{}
		from, to := i*len(tests)/n, (i+1)*len(tests)/n
		part := max(min(given, to), from)
		ses.Limit(givenTime, 0)
		ses.PrintAll(tests[from:part])
		ses.Limit(nearTime, 0)
		ses.PrintAll(tests[part:to])
		a, err := p.Run(ctx, ses, max(budget.Until(ctx, t.Until), 3*time.Second))
		if err == nil {
			parts[i] = a.Printed
		}
		return err
	})
	var out []native.Outcome
	for i, x := range parts {
		if out = append(out, x...); len(out) < (i+1)*len(tests)/n { // the time was up
			break
		}
	}
	return out, err
}

// Limits of a run with the sanitizers: of one that is given, and of another.
const (
	givenTime = 2 * time.Second
	nearTime  = 200 * time.Millisecond
)

// fewRuns is how many tests make another process worth starting; fewBeside is the number if a duel runs, too.
const (
	fewRuns   = 10
	fewBeside = 30
)
