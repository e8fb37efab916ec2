package pipeline

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/process"
	"gulo/internal/report"
	"gulo/internal/source"
	"gulo/internal/trust"
)

// This file repairs a program whose specification is its assertions. It searches by tests: in the run in hand, and in
// runs made from it that fail the same assertion, the assertion that failed has to hold, and as many before it as did.
// Runs in which no assertion fails have to print what they print now. Logic is asked first, but cannot deal with
// assertions about lists, tables and texts.

//go:embed native/assert.h
var assertHeader string

//go:embed native/asserted.c
var assertedMain string

// byAsserts searches edits of the text by whole runs with assertions.
type byAsserts struct{}

func (byAsserts) Engine() string { return "runs" }
func (byAsserts) Accepts(p *pipe) error {
	s := &p.j.Spec
	if !s.Assert || s.ByContract() || s.ByRuns() || len(s.Reference) > 0 || s.Tests != "" {
		return errors.New("no assertions alone are given")
	}
	return unless(p.inHand(), "assertions are checked in whole runs only if a run is given (ARG, --stdin)")
}

// Bounds of the search by runs with assertions.
const (
	assertRuns     = 2 * time.Second // for making the runs
	givenUnmet     = 10              // runs of each kind that the search gets as tests
	givenMet       = 10
	assertedRounds = 5
	assertsKept    = 8 // repairs among which one is chosen
)

// asserted is a run of the program that counts its assertions.
type asserted struct {
	in   cases.Input
	held int         // assertions that held before the one that failed
	own  oracle.Test // what the run prints, if no assertion failed
}

// args returns the arguments for the main that is appended to the program: how, then those of the run.
func (a *asserted) args(how ...string) []string { return append(how, a.in.Args...) }

// keeps returns the test for a run whose assertion failed: that assertion and all before it hold.
func (a *asserted) keeps(name string) oracle.Test {
	return oracle.Test{Name: name, Args: a.args("hold", strconv.Itoa(a.held+1)), Stdin: a.in.Stdin, Any: true}
}

// assertions is the state of a search by runs with assertions.
type assertions struct {
	p     *pipe
	prog  *lower.Program
	dir   string
	b     *judge.Behind
	ghost *regexp.Regexp // matches variables that only assertions read; nil: there are none
	line  int            // line of the assertion that fails
	other string         // why the first repair that changed a run without a failing assertion was rejected
	tests []oracle.Test  // given to the search, with those that refuted a repair
	unmet []asserted     // runs in which the assertion fails, the run in hand first
	met   []asserted
}

func (byAsserts) Search(ctx context.Context, p *pipe) (*Answer, error) {
	s, err := asserting(ctx, p)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(s.dir)
	if len(s.unmet) == 0 || len(s.met) == 0 && !s.tested() {
		return nil, nil // without a run that must stay as it is, nothing tells a repair from an edit that skips the assertion
	}
	for i, a := range s.unmet[:min(len(s.unmet), givenUnmet)] {
		s.tests = append(s.tests, a.keeps(fmt.Sprintf("hold%03d", i)))
	}
	for _, a := range s.met[:min(len(s.met), givenMet)] {
		s.tests = append(s.tests, a.own)
	}
	for range assertedRounds {
		learned := len(s.tests)
		if a, err := s.search(ctx, p.share(ctx, 1)); a != nil || err != nil {
			return a, err
		}
		if len(s.tests) == learned || p.share(ctx, 1) < leastRound {
			break
		}
	}
	rep := &report.Report{Result: report.None, Entry: "main", Failing: len(s.unmet), Cases: len(s.unmet) + len(s.met), Example: s.example(), Repairs: []report.Repair{}}
	rep.Cause = fmt.Sprintf("no edit was found with which the assertion of line %d holds in %s", s.line, trust.Count(len(s.unmet), "run"))
	if len(s.met) > 0 {
		rep.Cause += " and that leaves others as they are"
	}
	if s.other != "" {
		rep.Cause = s.other
	}
	return &Answer{Report: rep}, nil
}

// asserting makes runs with assertions. The caller removes the folder dir.
func asserting(ctx context.Context, p *pipe) (*assertions, error) {
	dir, err := process.TempDir("gulo-asserted-")
	if err != nil {
		return nil, err
	}
	s := &assertions{p: p, dir: dir}
	if s.prog, err = p.j.Load(ctx); err == nil {
		err = s.behind()
	}
	if err == nil {
		err = s.runs(ctx)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return s, nil
}

// inRuns checks a repair found by logic against runs with assertions, because the repair may only keep inputs from
// reaching the assertion. It returns what is wrong, or "".
func (p *pipe) inRuns(ctx context.Context, texts map[string]string) (string, error) {
	s, err := asserting(ctx, p)
	if err != nil {
		if refused(err) {
			return "", nil
		}
		return "", err
	}
	defer os.RemoveAll(s.dir)
	if len(s.unmet) == 0 {
		return "", nil
	}
	ok, err := s.judge(ctx, s.b.With(texts), &report.Repair{}, 0)
	if err != nil || ok {
		return "", err
	}
	if s.other != "" {
		return s.other, nil
	}
	return "with it the assertion of line " + strconv.Itoa(s.line) + " fails in a run like the given one, or fewer assertions are reached", nil
}

// tested reports whether the failing assertion stands in main. Such an assertion is a test of what main calls.
func (s *assertions) tested() bool {
	r := s.prog.Tree.Func("main").Whole
	first := r.Position().Line
	return s.line >= first && s.line <= first+strings.Count(r.Text(), "\n")
}

func (s *assertions) example() string {
	return fmt.Sprintf("the assertion of line %d fails in the run with %s", s.line, s.unmet[0].in.String())
}

// behind appends a main to the program that counts assertions. The assertions and what they call are locked.
func (s *assertions) behind() error {
	inc := filepath.Join(s.dir, "include")
	if err := errors.Join(os.Mkdir(inc, 0o700), os.WriteFile(filepath.Join(inc, "assert.h"), []byte(assertHeader), 0o600)); err != nil {
		return err
	}
	f := s.prog.Tree.Func("main")
	if f == nil {
		return job.Usage("there is no main to run")
	}
	j := *s.p.j
	j.Lock = slices.Concat(j.Lock, s.fixed())
	var err error
	if s.b, err = judge.PutBehind(&j, f, "\n"+judge.OwnMain(s.prog)+assertedMain, s.dir); err != nil {
		return err
	}
	one := s.b.Job
	one.Options = one.Options.With("-I" + inc)
	one.Spec = job.Spec{}
	one.Assert, one.Args, one.Stdin, one.Texts = false, nil, "", nil
	return nil
}

// fixed lists the lines that must not change: assertions, functions that they call (but not those that main's
// assertions call), and assignments to variables that only assertions read.
func (s *assertions) fixed() (lines []int) {
	lock := func(r source.Range) {
		first := r.Position().Line
		for n := range strings.Count(strings.TrimRight(r.Text(), "\n"), "\n") + 1 {
			lines = append(lines, first+n)
		}
	}
	reads := map[*cfront.Var]int{} // -1: read elsewhere, too
	for _, f := range s.prog.Tree.Funcs {
		if f.Body == nil {
			continue
		}
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			if a, ok := x.(*cfront.Assign); ok {
				if _, ok := a.L.(*cfront.Ref); ok { // the target of an assignment is not a read
					x = a.R
				}
			}
			cfront.Walk(x, func(y cfront.Expr) bool {
				switch z := y.(type) {
				case *cfront.Ref:
					reads[z.Var] = -1
				case *cfront.Call:
					if r, ok := z.Fun.(*cfront.FuncRef); !ok || r.Func.Name != "assert" {
						return true
					}
					lock(z.Range())
					for _, a := range z.Args {
						cfront.Walk(a, func(q cfront.Expr) bool {
							switch q := q.(type) {
							case *cfront.Ref:
								if reads[q.Var] >= 0 {
									reads[q.Var]++
								}
							case *cfront.FuncRef:
								if q.Func.Body != nil && f.Name != "main" { // main's assertions are tests of the functions that they call
									for g := range cfront.Callees(q.Func) {
										lock(g.Whole)
									}
								}
							}
							return true
						})
					}
					return false
				}
				return true
			})
		})
	}
	var names []string
	for v, n := range reads {
		if n > 0 && v.Storage == cfront.Local {
			names = append(names, regexp.QuoteMeta(v.Name))
			lock(v.Range)
		}
	}
	if len(names) > 0 {
		slices.Sort(names)
		s.ghost = regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// runs makes runs from the run in hand and sorts them into those in which the assertion fails and those in which none
// does.
func (s *assertions) runs(ctx context.Context) error {
	p, err := s.b.Job.Load(ctx)
	if err != nil {
		return &declined{err}
	}
	inputs, err := cases.RunsLike(ctx, s.prog, s.p.j)
	if err != nil {
		return err
	}
	left := budget.For(assertRuns)
	for i, in := range inputs {
		if i > 0 && (left.Over() || budget.Over(ctx, s.p.until)) {
			break
		}
		a := asserted{in: in}
		counted, steps, ok, err := oracle.Expect(p, "counted", a.args("hold", "-1"), in.Stdin, -1)
		if err != nil {
			return err
		}
		left.Spend(2 * (budget.Run + steps))
		lines := strings.Split(strings.TrimRight(counted.Stdout, "\n"), "\n")
		var how string
		var line int
		if _, err := fmt.Sscanf(lines[len(lines)-1], "%d %s %d", &a.held, &how, &line); err != nil || !ok {
			if i == 0 {
				return nil // the run in hand ends in another error
			}
			continue
		}
		switch {
		case how == "unmet" && i == 0:
			s.line = line
			fallthrough
		case how == "unmet" && line == s.line:
			s.unmet = append(s.unmet, a)
		case i == 0:
			return nil // no assertion fails in the run in hand
		case how == "met":
			if a.own, _, ok, err = oracle.Expect(p, fmt.Sprintf("run%03d", i), a.args("run"), in.Stdin, -1); err != nil {
				return err
			}
			if ok {
				s.met = append(s.met, a)
			}
		}
	}
	return nil
}

// search searches once, with the current tests, and returns the repairs that judge accepts.
func (s *assertions) search(ctx context.Context, limit time.Duration) (*Answer, error) {
	given := len(s.tests)
	one := *s.b.Job
	one.Tests = filepath.Join(s.dir, fmt.Sprintf("tests%d", len(s.tests)))
	if err := cases.SaveTests(one.Tests, s.tests); err != nil {
		return nil, err
	}
	one.Limit, one.Engines, one.Progress, one.Repairs = limit, []string{"runs"}, s.p.j.Progress, max(s.p.j.Repairs, assertsKept)
	one.Best = s.p.own(ctx, s.b, "run", "the given run and runs made from it").Within(func(c *report.Candidate) bool { return !s.deceives(&c.Repair) })
	a, err := Fix(ctx, &one)
	var use *job.UsageError
	if errors.As(err, &use) {
		return nil, &declined{err}
	}
	if err != nil || a.Report.Result != report.Repaired {
		return nil, err
	}
	out := *a.Report
	out.Entry, out.Failing, out.Cases, out.Example = "main", len(s.unmet), len(s.unmet)+len(s.met), s.example()
	out.Repairs, out.Texts = []report.Repair{}, nil
	for i := range a.Report.Repairs {
		r := a.Report.Repairs[i]
		texts := s.b.Texts(a.Report.Sources(i))
		if texts == nil {
			continue
		}
		if s.deceives(&r) {
			continue
		}
		s.b.Rename(&r)
		ok, err := s.judge(ctx, a.Report.Sources(i), &r, given)
		if err != nil {
			return nil, err
		}
		if r.Changes = report.Changes(s.prog, texts); !ok || !report.Keeps(r.Changes, s.p.j.Lock) {
			continue
		}
		if r.Diff, err = patch.DiffTexts(s.prog, texts); err != nil {
			return nil, err
		}
		if out.Repairs, out.Texts = append(out.Repairs, r), append(out.Texts, texts); len(out.Repairs) >= max(s.p.j.Repairs, 1) {
			break
		}
	}
	if len(out.Repairs) == 0 {
		return nil, nil
	}
	return &Answer{Report: &out}, nil
}

// deceives reports whether a repair gets round the assertion: it changes a variable that only assertions read, or, if
// bare, inserts or removes a statement.
func (s *assertions) deceives(r *report.Repair) bool {
	return slices.ContainsFunc(r.Edits, func(e report.Changed) bool {
		return s.ghost != nil && s.ghost.MatchString(e.After) || s.bare() && (e.Before == "" || e.After == "")
	})
}

// judge makes all runs with the changed texts. It returns false if an assertion still fails or a run that should stay
// changes; else it sets the repair's evidence.
func (s *assertions) judge(ctx context.Context, texts map[string]string, r *report.Repair, given int) (bool, error) {
	p, err := judge.Load(ctx, s.b.Job, texts)
	if p == nil || err != nil {
		return false, err
	}
	met := 0
	for i, a := range s.unmet {
		want := a.keeps(fmt.Sprintf("hold%03d", i))
		_, _, ok, err := oracle.Expect(p, want.Name, want.Args, want.Stdin, -1)
		if err != nil {
			return false, err
		}
		if !ok {
			s.learn(want)
			return false, nil
		}
		met++
	}
	for _, a := range s.met {
		got, _, ok, err := oracle.Expect(p, a.own.Name, a.own.Args, a.own.Stdin, -1)
		if err != nil {
			return false, err
		}
		if !ok || got.Stdout != a.own.Stdout || got.Exit != a.own.Exit {
			if s.other == "" {
				for _, e := range r.Edits {
					s.other += fmt.Sprintf("%s:%d: %s  =>  %s; ", e.File, e.Line, e.Before, e.After)
				}
				printed, right := source.Excerpts(got.Stdout, a.own.Stdout)
				s.other += fmt.Sprintf("in the run with %s, where no assertion fails as it is, %q is printed instead of %q", a.in.String(), printed, right)
			}
			s.learn(a.own)
			return false, nil
		}
		met++
	}
	ev := &r.Evidence
	*ev = trust.Facts{
		Given: given, Kind: "run", From: "the given run and runs made from it", Held: max(met-given, 0), HeldMet: max(met-given, 0),
		Compiled: true, Guarded: ev.Guarded, Missing: ev.Missing,
	}
	ev.Text = ev.String()
	return true, nil
}

// bare reports whether too little is known of what must stay. Then only the assertion would speak for a statement that
// is inserted or removed, and such an edit may just get round it.
func (s *assertions) bare() bool {
	printed := map[string]bool{}
	for _, a := range s.met {
		printed[a.own.Stdout] = true
	}
	return len(printed) < leastPrinted
}

// leastPrinted is the number of different outputs, of runs in which no assertion fails, from which on bare is false.
const leastPrinted = 3

// learn adds a run that refuted a repair to the tests.
func (s *assertions) learn(x oracle.Test) {
	if !slices.ContainsFunc(s.tests, func(y oracle.Test) bool { return y.Name == x.Name }) {
		s.tests = append(s.tests, x)
	}
}
