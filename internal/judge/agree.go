package judge

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/process"
	"gulo/internal/report"
)

// This file asks several programs that pass the tests what the right output is on other inputs. One of them may be
// wrong on some input, so the answer is a majority, not a reference.

// Bounds.
const (
	MostOthers  = 12 // programs asked, at most
	agreedRuns  = 120
	agreedTries = 4 // programs explored at most to make runs, until the machine can run one
	agreedTime  = 800 * time.Millisecond
	agreedRun   = 200 * time.Millisecond
	agreedLimit = 4 * time.Second // for all runs of one program
	testedRun   = 4 * time.Second
	agreedShare = 0.75 // share of the programs that must agree
)

// Asked is a program that is asked for its output.
type Asked struct {
	Name    string
	Files   []string
	Options cfront.Options
}

// Each returns one program for each file.
func Each(files []string, o cfront.Options) (out []Asked) {
	for _, f := range files {
		out = append(out, Asked{f, []string{f}, o})
	}
	return out
}

// Failed is a program that fails a test, or that gcc rejects.
type Failed struct {
	Name, Why string
	Spaced    bool // it may pass if a judge compares its output (cases.JudgedBy)
}

// Agree makes runs from tests and returns those on which at least agreedShare of the programs do the same, with what
// they do as the expected outcome. Only programs that pass the tests are asked, in order and at most MostOthers; met
// lists them. failed lists those that do not pass.
func Agree(ctx context.Context, list []Asked, tests []oracle.Test, seed int64) (agreed []oracle.Test, met []Asked, failed []Failed, err error) {
	var right []*other
	defer func() {
		for _, p := range right {
			p.prog.Close()
		}
	}()
	for len(list) > 0 && len(right) < MostOthers {
		some := list[:min(len(list), MostOthers-len(right))]
		list = list[len(some):]
		asked := make([]*other, len(some))
		err := process.Parallel(ctx, runtime.GOMAXPROCS(0), len(some), func(ctx context.Context, i int) (err error) {
			asked[i], err = ask(ctx, &some[i], tests)
			return err
		})
		for _, p := range asked {
			switch {
			case p == nil:
			case p.why != "":
				failed = append(failed, Failed{p.Name, p.why, p.spaced})
			default:
				right, met = append(right, p), append(met, *p.Asked)
			}
		}
		if err != nil {
			return nil, nil, nil, err
		}
	}
	made, err := invented(ctx, right, tests, seed)
	if err != nil || len(made) == 0 {
		return nil, met, failed, err
	}
	did := make([][]native.Outcome, len(right))
	err = process.Parallel(ctx, runtime.GOMAXPROCS(0), len(right), func(ctx context.Context, i int) (err error) {
		did[i], err = right[i].run(ctx, made, agreedRun, agreedLimit)
		return err
	})
	if err != nil {
		return nil, nil, nil, err
	}
	for i, t := range made {
		votes := map[native.Outcome]int{}
		for _, got := range did {
			if g := &got[i]; g.Ended() {
				votes[native.Outcome{Status: g.Status, Stdout: g.Stdout}]++
			}
		}
		for o, k := range votes {
			if float64(k) >= agreedShare*float64(len(right)) {
				t.Stdout, t.Exit = o.Stdout, o.Status
				agreed = append(agreed, t)
			}
		}
	}
	return agreed, met, failed, nil
}

// besideOthers runs a repaired program on the hints: runs on which other programs agree and the unrepaired program does
// something else. It returns the first hint that the repair fails, or nil. That hint is also put into t.setAside, as it
// may show another mistake or none, in two cases: the run is unlike the tests, or the repair leaves the output of the
// program unchanged there except for white space.
func (t *Judge) besideOthers(ctx context.Context, texts map[string]string, out *report.Repair) (*oracle.Case, error) {
	if t.Set.Hints == nil {
		return nil, nil
	}
	p, err := t.Reloaded(ctx, texts)
	if p == nil || err != nil {
		return nil, err
	}
	s := *t.Set.Hints.Suite
	s.Prog, s.Edited = p, nil
	if t.Job.Suggest {
		return t.suggested(&s, out)
	}
	met := 0
	c, err := RefutedBy(&s, nil, &met)
	if err != nil {
		return nil, err
	}
	if c == nil {
		out.Evidence.Held += met
		out.Evidence.HeldMet += met
		out.Evidence.Text = out.Evidence.String()
		return nil, nil
	}
	run, err := oracle.NewRunner(&s)
	if err != nil {
		return nil, err
	}
	r, err := run.Run(c, nil)
	if err != nil {
		return nil, err
	}
	left := t.Instead(c)
	if left.Unlike || left.Ends && r.Fault == nil && slices.Equal(strings.Fields(left.Output), strings.Fields(r.Output)) {
		if t.setAside == nil {
			t.setAside = map[*oracle.Case]bool{}
		}
		t.setAside[c] = true
	}
	return c, nil
}

// suggested counts the hints that a repaired program meets, sets aside the first that it fails, and returns that one.
func (t *Judge) suggested(hints *oracle.Suite, out *report.Repair) (first *oracle.Case, err error) {
	run, err := oracle.NewRunner(hints)
	if err != nil {
		return nil, err
	}
	for _, c := range hints.Cases {
		r, err := run.Run(c, nil)
		if err != nil {
			return nil, err
		}
		if out.Evidence.Held++; r.Meets(c.Want) {
			out.Evidence.HeldMet++
		} else if first == nil {
			first = c
		}
	}
	out.Evidence.Text = out.Evidence.String()
	if first != nil {
		if t.setAside == nil {
			t.setAside = map[*oracle.Case]bool{}
		}
		t.setAside[first] = true
	}
	return first, nil
}

// invented makes runs by exploring the first of the programs that the machine can run. They have the form of the tests,
// if there are enough to show one, and the program reads them as it reads the tests. It returns none if none of the first
// agreedTries can be run.
func invented(ctx context.Context, right []*other, tests []oracle.Test, seed int64) (out []oracle.Test, err error) {
	var seeds []cases.Input
	known := map[string]bool{}
	judged := false
	for _, t := range tests {
		in := cases.Input{Args: t.Args, Stdin: t.Stdin}
		seeds, known[in.String()], judged = append(seeds, in), true, judged || t.Judged
	}
	for _, x := range right[:min(len(right), agreedTries)] {
		p, err := lower.Load(ctx, x.Files, x.Options)
		if err != nil || p.IR.Main < 0 {
			continue // gcc accepts it, and only gcc is needed to ask it
		}
		var form *cases.Form
		if len(seeds) >= cases.FormSeeds { // nobody asked what they do with input of another form
			form = cases.FormOf(seeds)
			form.Speak(cases.LanguageOf(p.Tree).Words, seeds)
		}
		ex, err := cases.Explore(ctx, p, seeds, cases.Config{Seed: seed + 11, Want: agreedRuns + len(seeds), Form: form, Steps: budget.Of(agreedTime)})
		if err != nil {
			return nil, err
		}
		reading := cases.ReadingOf(ex.Runs, seeds)
		for _, x := range ex.Runs {
			if !known[x.Input.String()] && reading.Has(&x.Test) {
				out = append(out, oracle.Test{Name: x.Input.String(), Args: x.Args, Stdin: x.Stdin, Judged: judged})
			}
		}
		if len(out) > 0 {
			return out, nil
		}
	}
	return nil, nil
}

// other is a program that was built to be asked, or that failed.
type other struct {
	*Asked
	prog   *native.Program // nil if why is set
	why    string          // why it is not asked; empty if it is
	spaced bool            // see Failed
}

// ask builds a program and runs it on the tests. The result's why is set if gcc rejects it or a test fails.
func ask(ctx context.Context, a *Asked, tests []oracle.Test) (*other, error) {
	x := &other{Asked: a}
	p, err := native.Build(ctx, nil, native.Config{Units: a.Files, Options: a.Options, Unset: true})
	var ce *native.CompileError
	if errors.As(err, &ce) {
		x.why = "gcc refuses it"
		return x, nil
	}
	if err != nil {
		return nil, err
	}
	x.prog = p
	got, err := x.run(ctx, tests, testedRun, time.Duration(len(tests)+4)*testedRun)
	for i := 0; i < len(got) && x.why == ""; i++ {
		if got[i].Status != tests[i].Exit || got[i].Stdout != tests[i].Stdout {
			x.why = fmt.Sprintf("it fails test %s", tests[i].Name)
		}
	}
	if err == nil && x.why != "" {
		printed := make([]cases.Printed, len(got))
		for i := range got {
			printed[i] = cases.Printed{Got: got[i].Stdout, Ended: got[i].Ended(), Exit: got[i].Status}
		}
		x.spaced = cases.JudgedBy(tests, printed, true)
	}
	if err != nil || x.why != "" {
		p.Close()
	}
	return x, err
}

// run runs a program on tests, with one limit for each and one for all. A test that no time is left for counts as one
// that does not end.
func (x *other) run(ctx context.Context, tests []oracle.Test, limit, all time.Duration) ([]native.Outcome, error) {
	ses := &native.Session{}
	ses.Limit(limit, 0)
	asked := make([]native.Test, len(tests))
	for i := range tests {
		asked[i] = native.Test{Args: tests[i].Args, Stdin: tests[i].Stdin, Judged: tests[i].Judged}
	}
	ses.PrintAll(asked)
	a, err := x.prog.Run(ctx, ses, all)
	if err != nil {
		return nil, err
	}
	for len(a.Printed) < len(tests) { // the time was up
		a.Printed = append(a.Printed, native.Outcome{Status: native.Steps})
	}
	return a.Printed, nil
}
