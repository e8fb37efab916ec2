package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/process"
	"gulo/internal/report"
)

// This file repairs a function by a reference that has no main, or where nobody knows what to run
// the program with: calls of the function become whole runs of the program and of the
// reference, each with a main behind its text, so that all edits of the text are searched.

// byCalled searches edits of the text by calls of a function beside a reference.
type byCalled struct{}

func (byCalled) Engine() string { return "runs" }
func (byCalled) Accepts(p *pipe) error {
	s := &p.j.Spec
	return unless(p.runs == nil && len(s.Reference) > 0 && !s.Folder() && !p.j.Several() && p.j.Inputs == "" && p.j.Entry != "main",
		"it makes runs of calls of a function beside a reference where there are no whole runs")
}

// Bounds of the calls that become runs.
const (
	givenCalls   = 60
	otherCalls   = 60 // that runs made from those may make
	calledRounds = 3
	calledKept   = 3 // repairs of which one is chosen
	leastRound   = 500 * time.Millisecond
)

func (byCalled) Search(ctx context.Context, p *pipe) (*Answer, error) {
	j := *p.j
	j.Limit = p.share(1)
	set, err := cases.Make(ctx, &j)
	if err != nil {
		return nil, err
	}
	if set.Entry == nil || set.Entry.Name == "main" || set.Given.Entry == nil {
		return nil, nil
	}
	c := &called{p: p, j: &judge.Judge{Set: set, Until: p.until}}
	if err := c.choose(); err != nil || c.failing == 0 {
		return nil, err
	}
	var a *Answer
	for range calledRounds {
		learned := false
		if a, learned, err = c.round(ctx); err != nil || !learned || p.share(1) < leastRound {
			break
		}
	}
	return a, err
}

// called are the calls that become runs.
type called struct {
	p       *pipe
	j       *judge.Judge
	calls   []*oracle.Case // the first ones are tests
	tests   int
	failing int
}

// choose takes calls that fail, others, and some that only runs made from them make.
func (c *called) choose() error {
	var bad, good []*oracle.Case
	for _, s := range []*oracle.Suite{c.j.Given, c.j.Held} {
		if s == nil {
			continue
		}
		run, err := oracle.NewRunner(s)
		if err != nil {
			return err
		}
		for _, x := range s.Cases {
			r, err := run.Run(x, nil)
			if err != nil {
				return err
			}
			switch {
			case r.Meets(x.Want):
				good = append(good, x)
			default:
				bad = append(bad, x)
			}
		}
	}
	c.failing = len(bad)
	n := min(len(bad), max(givenCalls/2, givenCalls-len(good)))
	m := min(len(good), givenCalls-n)
	c.calls = append(append(c.calls, bad[:n]...), good[:m]...)
	c.tests = len(c.calls)
	rest := append(append([]*oracle.Case(nil), bad[n:]...), good[m:]...)
	for i := 0; i < len(rest) && len(c.calls) < c.tests+otherCalls; i += max(1, len(rest)/otherCalls) {
		c.calls = append(c.calls, rest[i])
	}
	return nil
}

// round searches once; learned says that a call which refutes what was found is a test now.
func (c *called) round(ctx context.Context) (a *Answer, learned bool, err error) {
	dir, err := process.TempDir("gulo-called-")
	if err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(dir)
	b, err := c.behind(ctx, dir)
	if b == nil || err != nil {
		return nil, false, err
	}
	next := &pipe{j: b.Job.Keeping(), until: c.p.until, called: true}
	found, err := next.fix(ctx)
	var use *job.UsageError
	if errors.As(err, &use) {
		return nil, false, &declined{err}
	}
	if err != nil {
		return nil, false, err
	}
	out := &report.Report{Result: found.Report.Result, Cause: found.Report.Cause, Entry: c.j.Entry.Name, Cases: len(c.j.Given.Cases), Notes: c.j.Notes, Repairs: []report.Repair{}}
	if out.Example, out.Failing, err = c.j.Example(); err != nil {
		return nil, false, err
	}
	if out.Failing == 0 { // one that was held back does
		out.Failing = c.failing
	}
	if out.Result != report.Repaired {
		return &Answer{Report: out}, false, nil
	}
	refuted := ""
	for i := range found.Report.Repairs {
		texts := b.Texts(found.Report.Sources(i))
		if texts == nil {
			refuted = "it changes more than the function"
			continue
		}
		one, refuting, err := c.j.JudgeText(ctx, texts)
		if err != nil {
			return nil, false, err
		}
		if refuting != nil {
			refuted = refuting.Name
			learned = c.learn(refuting) || learned
			continue
		}
		why := ""
		if one.Evidence.Compiled {
			why, err = c.j.Tried(ctx, texts, &one)
		}
		if err != nil {
			return nil, false, err
		}
		if why != "" {
			refuted = why
		}
		if !one.Evidence.Compiled || why != "" || !report.Keeps(one.Changes, c.p.j.Lock) {
			continue
		}
		b.Rename(&found.Report.Repairs[i])
		one.Edits, one.Hints = found.Report.Repairs[i].Edits, found.Report.Repairs[i].Hints
		if out.Repairs, out.Texts = append(out.Repairs, one), append(out.Texts, texts); len(out.Repairs) >= max(c.p.j.Repairs, 1) {
			break
		}
	}
	if len(out.Repairs) == 0 {
		out.Result, out.Cause = report.None, fmt.Sprintf("what meets the %d given cases fails on others: %s", out.Cases, refuted)
		return &Answer{Report: out}, learned, nil
	}
	return &Answer{Report: out}, false, nil
}

// learn makes a call one of the tests; false: it was one.
func (c *called) learn(x *oracle.Case) bool {
	for i, y := range c.calls {
		if x == y {
			if i < c.tests {
				return false
			}
			c.calls = append(c.calls[:i], c.calls[i+1:]...)
			break
		}
	}
	c.calls = append([]*oracle.Case{x}, c.calls...)
	c.tests++
	return true
}

// behind puts a main behind the program and the reference, and makes tests of calls; nil: none
// can be made.
func (c *called) behind(ctx context.Context, dir string) (*judge.Behind, error) {
	mine, theirs := filepath.Join(dir, "program"), filepath.Join(dir, "reference")
	tests := filepath.Join(dir, "tests")
	if err := errors.Join(os.Mkdir(mine, 0o700), os.Mkdir(theirs, 0o700)); err != nil {
		return nil, err
	}
	own, err := judge.ShownCalls(c.j.Prog, c.j.Entry, c.j.Given, c.calls)
	if err != nil {
		return nil, &declined{err} // what cannot be written as C
	}
	b, err := judge.PutBehind(c.p.j, c.j.Entry, own, mine)
	if err != nil {
		return nil, err
	}
	text, err := judge.ShownCalls(c.j.Ref.Prog, c.j.Ref.Entry, c.j.Given, c.calls)
	if err != nil {
		return nil, &declined{err}
	}
	right := *b.Job
	right.Files, right.Lock = c.p.j.Reference, nil
	r, err := judge.PutBehind(&right, c.j.Ref.Entry, text, theirs)
	if err != nil {
		return nil, err
	}
	one := b.Job
	one.Spec = job.Spec{Reference: r.Job.Files, Tests: tests}
	one.Options, one.Args, one.Stdin, one.Texts = r.Job.Options, nil, "", nil
	one.Limit, one.Engines, one.Progress = c.p.share(1), []string{"runs"}, c.p.j.Progress
	one.Repairs = max(c.p.j.Repairs, calledKept)
	if text == own && len(c.p.j.Lock) == 0 && c.alone() { // statements of the reference may be taken over
		one.Entry, one.Lock = "", nil
	}
	p, err := lower.Load(ctx, r.Job.Files, r.Job.Options)
	if err != nil {
		return nil, err
	}
	var list []oracle.Test
	for i := range c.tests {
		x, _, ok, err := oracle.Expect(p, fmt.Sprintf("call%02d", i), []string{fmt.Sprint(i)}, "", -1)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	return b, cases.SaveTests(tests, list)
}

// alone reports whether nothing differs from the reference but what the entry leads to.
func (c *called) alone() bool {
	for _, f := range cases.Written(c.j.Prog) {
		g := c.j.Ref.Prog.Tree.Func(f.Name)
		if (g == nil || cases.Text(f) != cases.Text(g)) && !slices.Contains(c.j.Scope, f) {
			return false
		}
	}
	return true
}
