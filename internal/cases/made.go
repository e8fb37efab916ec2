package cases

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/process"
)

// This file makes cases of whole runs: from the tests or the given run and, if there is a reference, from runs made
// from these.

// Numbers of runs.
const (
	givenRuns = 14
	madeRuns  = 500
	nearRuns  = 60 // made from tests, if nobody knows what is right on them
)

// OfRuns makes cases of whole runs. The job's arguments and standard input are the given run. loaded, if not nil, is
// called when the programs are loaded and before runs are made up: from then on the set knows which functions may
// change.
func OfRuns(ctx context.Context, req *job.Job, loaded func(*Set)) (*Set, error) {
	begin := budget.Now(ctx)
	t, err := programs(ctx, req)
	if err != nil {
		return nil, err
	}
	until := begin.Add(t.limit())
	if t.Prog.IR.Main < 0 {
		return nil, job.Usage("the program has no function main, so that no run can be compared")
	}
	if t.Ref != nil {
		if err := t.runScope(); err != nil {
			return nil, err
		}
	}
	if loaded == nil {
		loaded = func(*Set) {}
	}
	if t.Ref == nil && req.Memory {
		return t, t.fromMemory(ctx, until)
	}
	if t.Ref == nil {
		if err := t.fromRuns(ctx); err != nil {
			return nil, err
		}
		loaded(t)
		t.inHand = len(t.Given.Cases)
		if err := t.agreed(); err != nil {
			return nil, err
		}
		return t, t.neighbours(ctx, until)
	}
	loaded(t)
	return t, t.made(ctx, until)
}

// limit returns the time limit of the job.
func (t *Set) limit() time.Duration { return cmp.Or(t.Job.Limit, DefaultLimit) }

// part returns the n-th part of the steps that can be done in the job's time.
func (t *Set) part(n int) int64 { return budget.Of(t.limit()) / int64(n) }

// FormSeeds is how many tests are enough to see a form in them. The length of one or two tests, and the order of signs
// in them, is chance.
const FormSeeds = 3

// made makes cases of runs of the reference.
func (t *Set) made(ctx context.Context, until time.Time) error {
	if t.Ref.Prog.IR.Main < 0 {
		return job.Usage("the reference has no function main, so that no run can be compared")
	}
	seeds := []Input{{Args: t.Job.Args, Stdin: t.Job.Stdin}}
	if info, err := os.Stat(t.Job.Tests); t.Job.Tests != "" && err == nil && info.IsDir() {
		if err := t.referenceRuns(ctx); err != nil {
			return err
		}
		tests, err := t.load(t.Job.Tests)
		if err != nil {
			return err
		}
		if len(t.Job.Args) == 0 && t.Job.Stdin == "" {
			seeds = nil
		}
		for _, x := range tests {
			seeds = append(seeds, Input{Args: x.Args, Stdin: x.Stdin})
		}
		if len(seeds) >= FormSeeds { // nobody asked what the reference does with input of another form
			t.Form = FormOf(seeds)
			t.Form.Speak(LanguageOf(t.Ref.Prog.Tree).With(LanguageOf(t.Prog.Tree)).Words, seeds)
			t.Notes = append(t.Notes, "runs that are made up have the form of the tests")
			t.Like = t.Form
		} else {
			t.Like = FormOf(seeds)
			t.Like.Learn(LanguageOf(t.Ref.Prog.Tree), seeds)
			if t.signs, err = t.newSigns(seeds); err == nil {
				err = t.signs.learn(t.Like)
			}
			if err != nil {
				return err
			}
		}
	}
	ex, err := Explore(ctx, t.Ref.Prog, seeds, Config{Seed: t.Job.Seed, Want: madeRuns, Form: t.Form, Like: t.few(), Steps: t.part(8), Until: until})
	if err != nil {
		return err
	}
	if len(ex.Runs) == 0 {
		return t.noRuns(ex.Tried, seeds)
	}
	t.seeds = seeds
	t.readings(ex.Runs)
	unmodelled, first := 0, ""
	if t.Explored, unmodelled, first, err = t.divide(append(ex.Runs, t.doubted...)); err != nil {
		return err
	}
	if ex.LeftOut > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d of %s that were tried %s left out because %s", ex.LeftOut, plural.N(ex.Tried, "run"), plural.Verb(ex.LeftOut, "is", "are"), t.why()))
	}
	if t.unread > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s on which the program fails %s left out because scanf finds something else there than the reference reads; in none of the given runs it does", plural.N(t.unread, "run"), plural.Verb(t.unread, "is", "are")))
	}
	if t.left > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s on which the program fails %s left out because the reference does not read all of the input there; of the given runs it does", plural.N(t.left, "run"), plural.Verb(t.left, "is", "are")))
	}
	if n := len(t.Refused); n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s %s left out because the program refuses a number there that is smaller or larger than those of the given runs", plural.N(n, "run"), plural.Verb(n, "is", "are")))
	}
	t.By = "the reference" + t.partMade()
	return t.leftOut(unmodelled, first)
}

// noRuns returns the error for a reference that ends properly on no input that was tried. It says how the reference
// ends on the first.
func (t *Set) noRuns(tried int, seeds []Input) error {
	if len(seeds) == 0 {
		seeds = []Input{{}}
	}
	run, err := oracle.NewRunner(oracle.Runs(t.Ref.Prog, []oracle.Test{{Args: seeds[0].Args, Stdin: seeds[0].Stdin}}, 0))
	if err != nil {
		return err
	}
	c := *run.Suite.Cases[0]
	c.Want = nil
	r, err := run.Run(&c, nil)
	if err != nil {
		return err
	}
	why := t.why()
	if r.Fault != nil {
		why = fmt.Sprintf("on %s the reference ends with: %v", &seeds[0], r.Fault)
	}
	return job.Usage("neither the given run nor any of the %d made from it can be a case: %s", tried, why)
}

// divide divides runs of the reference into cases that a search sees and cases that are held back. It leaves out runs
// in which the program reaches something that gulo does not model: out counts them, and first says what the first one
// reaches. It also leaves out failing runs that say nothing: the input is read in another way than the given ones,
// looks unlike them, or has a number that the program refuses.
func (t *Set) divide(made []*Run) (runs []*Run, out int, first string, err error) {
	all := t.SuiteOf(made)
	run, err := oracle.NewRunner(all)
	if err != nil {
		return nil, 0, "", err
	}
	every := all.Cases
	for i, c := range every {
		c.Want.Heap, c.Want.Frees = made[i].Heap, true
	}
	did, err := t.patiently(run, func(i int) bool { return t.given(&made[i].Input) })
	if err != nil {
		return nil, 0, "", err
	}
	all.Cases, t.asked = nil, map[*oracle.Case]bool{}
	t.mayRefuse(every, did)
	var fails []bool
	frees, shows := true, false
	for i, c := range every {
		r := did[i]
		if r == nil {
			continue
		}
		if made[i].doubted && r.Fault != nil { // like the reference
			continue
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
		if fail && !t.Readable(&made[i].Test) {
			if made[i].Test.Unread {
				t.left++
			} else {
				t.unread++
			}
			runs, all.Cases = runs[:len(runs)-1], all.Cases[:len(all.Cases)-1]
			continue
		}
		asked := true
		if fail {
			if asked, err = t.Asks(&made[i].Input); err != nil {
				return nil, 0, "", err
			}
		}
		if !asked { // nobody says what is right there
			t.beyond++
			runs, all.Cases = runs[:len(runs)-1], all.Cases[:len(all.Cases)-1]
			continue
		}
		if fail && t.Refuses(c, r) {
			t.Refused = append(t.Refused, c)
			runs, all.Cases = runs[:len(runs)-1], all.Cases[:len(all.Cases)-1]
			continue
		}
		if fails = append(fails, fail); fail {
			t.Failing++
		}
		t.asked[c] = fail
		shows = shows || fail && t.given(&made[i].Input)
		frees = frees && (fail || !left)
	}
	for _, c := range all.Cases { // a program that always frees less has another aim
		c.Want.Frees = frees || t.Job.Memory
	}
	if !frees && !t.Job.Memory {
		t.Notes = append(t.Notes, "the program frees less memory than the reference also where it is right; that was not looked at")
	}
	inHand := map[string]bool{}
	for i := range t.seeds {
		inHand[t.seeds[i].String()] = true
	}
	given, held := Chosen(runs, fails, max(givenRuns, len(t.seeds)+4), func(r *Run) bool {
		if !inHand[r.Input.String()] {
			return false
		}
		t.inHand++
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
	t.Given, t.Held = pick(given), pick(held)
	t.apart = shows && t.writtenApart()
	return runs, out, first, nil
}

// Bounds of long runs of the program.
const (
	mostPatience = 40_000_000 // extra steps for all long runs together
	heavySteps   = 400_000    // a slow program's longer runs are left out, as others tell as much
	fewCases     = 50         // cases per goroutine that make another one worthwhile
)

// patiently runs the program on the cases of its suite, which are runs of programs that are right. A run that does not
// end gets many more steps. If some such run then ends, the program is merely slow: the runs that are still too long or
// heavy become nil, except the given ones, since nothing says that they do not end.
func (t *Set) patiently(run *oracle.Runner, given func(i int) bool) ([]*oracle.Run, error) {
	did := make([]*oracle.Run, len(run.Suite.Cases))
	n := max(1, min(runtime.GOMAXPROCS(0), len(did)/fewCases))
	err := process.Parallel(context.Background(), n, n, func(_ context.Context, k int) (err error) {
		own := run
		if k > 0 {
			if own, err = oracle.NewRunner(run.Suite); err != nil {
				return err
			}
		}
		for i := k; i < len(did) && err == nil; i += n {
			did[i], err = own.Run(run.Suite.Cases[i], nil)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	left, slow := int64(mostPatience), false
	for i, c := range run.Suite.Cases {
		if !did[i].Endless() || left <= 0 {
			continue
		}
		if did[i], err = run.Patient(c, nil, oracle.Patience); err != nil {
			return nil, err
		}
		left -= did[i].Steps
		slow = slow || !did[i].Endless()
		t.slowest = max(t.slowest, c.Own)
	}
	if !slow {
		return did, nil
	}
	for i, r := range did {
		if (r.Endless() || r.Steps > heavySteps) && !given(i) {
			did[i] = nil
		}
	}
	return did, nil
}

// Slow reports whether some run of the program was given more steps because it seemed not to end.
func (t *Set) Slow() bool { return t.slowest > 0 }

// readings learns how the reference reads the given runs. If both programs read alike, they should answer alike, and
// nothing is learned, so that no run is left out.
func (t *Set) readings(made []*Run) {
	if nothing(t.seeds) || t.readAlike() {
		return
	}
	t.reading = ReadingOf(made, t.seeds)
}

// reader matches library functions that read.
var reader = regexp.MustCompile(`scanf|getchar|getc\b|gets|getline|fread|\bread\b`)

// readAlike reports whether the functions that read have the same texts in both programs.
func (t *Set) readAlike() bool {
	texts := func(p *lower.Program) (out []string) {
		for _, f := range Written(p) {
			if reader.MatchString(Text(f)) {
				out = append(out, Text(f))
			}
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(texts(t.Prog), texts(t.Ref.Prog))
}

// given reports whether an input is a given run.
func (t *Set) given(in *Input) bool {
	return slices.ContainsFunc(t.seeds, func(s Input) bool { return s.String() == in.String() })
}

// Readable reports whether the reference reads a run as it reads the given ones.
func (t *Set) Readable(x *oracle.Test) bool { return t.reading.Has(x) }

// neighbours makes runs near the tests. What is right on them is unknown, but if the program ends on one without an
// error, a repaired program must, too.
func (t *Set) neighbours(ctx context.Context, until time.Time) error {
	var seeds []Input
	for _, c := range t.Given.Cases {
		seeds = append(seeds, Input{Args: c.Args, Stdin: c.Stdin})
	}
	ex, err := Explore(ctx, t.Prog, seeds, Config{Seed: t.Job.Seed, Want: nearRuns + len(seeds), Steps: t.part(20), Until: until})
	if err != nil {
		return err
	}
	t.Waits = ex.Endless > 0
	for _, r := range ex.Runs {
		given := func(in Input) bool { return in.String() == r.Input.String() }
		if !slices.ContainsFunc(seeds, given) {
			t.Around = append(t.Around, r.Input)
		}
	}
	return nil
}

// Alike makes up to n inputs that have the form of the tests and differ from all of them. It returns none if there are
// too few tests to show a form.
func (t *Set) Alike(n int) (out []Input) {
	var seeds []Input
	seen := map[string]bool{}
	for i := range t.Tests {
		in := Input{Args: t.Tests[i].Args, Stdin: t.Tests[i].Stdin}
		seeds, seen[in.key()] = append(seeds, in), true
	}
	if len(seeds) < FormSeeds {
		return nil
	}
	form, speaks := FormOf(seeds), LanguageOf(t.Prog.Tree)
	form.Speak(speaks.Words, seeds)
	kindred := Kindred(t.Job.Seed+13, seeds, speaks.Words, alikeTries*n)
	more := MoreOf(form, t.Job.Seed+17, seeds, speaks, n, alikeTries*n)
	for i := range max(len(kindred), len(more)) { // in turn
		for _, list := range [][]Input{kindred, more} {
			if i < len(list) && len(out) < n && !seen[list[i].key()] && form.Has(&list[i]) {
				seen[list[i].key()] = true
				out = append(out, list[i])
			}
		}
	}
	return out
}

// alikeTries is how many inputs are made for each one wanted, as some lack the form.
const alikeTries = 4

// Among returns the cases for another program, which has one function of the given program, from runs made before. req
// asks for the repair of that function.
func (t *Set) Among(req *job.Job, prog *lower.Program, fn *cfront.Func) (*Set, error) {
	x := &Set{Job: req, Prog: prog, Ref: t.Ref, By: t.By, seeds: t.seeds, reading: t.reading}
	if fn != nil {
		x.Scope = []*cfront.Func{fn}
	}
	var err error
	x.Explored, _, _, err = x.divide(t.Explored)
	return x, err
}

// SuiteOf makes a suite of runs. Its step limits are generous: a program slower than the reference is not wrong.
func (t *Set) SuiteOf(runs []*Run) *oracle.Suite {
	s := &oracle.Suite{Prog: t.Prog, Edited: t.Scope}
	for _, r := range runs {
		c := &oracle.Case{
			Name: r.Test.Name, Args: r.Args, Stdin: r.Stdin, Own: t.slowest,
			Want: &oracle.Run{Output: r.Test.Stdout, Status: r.Test.Exit, Steps: max(r.Steps, 1_000)},
		}
		s.Cases = append(s.Cases, c.Judge(t.Job.Space == job.SpaceJudge))
	}
	return s
}

// runScope sets the functions that may change when whole runs are compared: those that the entry calls or, without an
// entry, those that differ from the reference's or that the reference does not have. If none differ, it is all.
func (t *Set) runScope() error {
	ref := t.Ref.Prog.Tree
	t.Scope = nil
	if name := t.Job.Entry; name != "" {
		if t.Entry = t.Prog.Tree.Func(name); t.Entry == nil {
			return job.Usage("no function %s in %s", name, t.Job.Files[0])
		}
		for f := range cfront.Callees(t.Entry) {
			t.Scope = append(t.Scope, f)
		}
		sortFuncs(t.Scope)
		return nil
	}
	for _, f := range Written(t.Prog) {
		if g := ref.Func(f.Name); g == nil || g.Body == nil || Text(f) != Text(g) {
			t.Scope = append(t.Scope, f)
		}
	}
	if len(t.Scope) == 0 {
		t.Scope = Written(t.Prog)
	}
	return nil
}

func sortFuncs(fs []*cfront.Func) {
	slices.SortFunc(fs, func(a, b *cfront.Func) int { return cmp.Compare(a.Name, b.Name) })
}

// Telling reports whether there are enough runs to search by them first.
func (t *Set) Telling() bool {
	return t.Held != nil && len(t.Given.Cases)+len(t.Held.Cases) >= tellingRuns
}

// tellingRuns is how many runs are enough to distinguish most repairs.
const tellingRuns = 25

// TextScope returns the functions whose text may change. main is one of them if only tests say what is right, as small
// programs do their work there, unless it is a driver.
func (t *Set) TextScope() []*cfront.Func {
	main := t.Prog.Tree.Func("main")
	if t.Ref != nil || t.Job.Entry != "" || main == nil || main.Body == nil || slices.Contains(t.Scope, main) || t.Driver() != nil {
		return cfront.Once(t.Scope)
	}
	return cfront.Once(append(slices.Clone(t.Scope), main))
}

// Driver returns main if it only calls the program's functions on constants: no test has any input. Such a main belongs
// to the tests, as in exercises that come with one, and changing it could make any output. The result is nil if main
// may be wrong itself, or if the user names an entry.
func (t *Set) Driver() *cfront.Func {
	main := t.Prog.Tree.Func("main")
	if t.Ref != nil || t.Job.Entry != "" || main == nil || main.Body == nil || len(t.Tests) == 0 || len(t.Scope) == 0 || slices.Contains(t.Scope, main) {
		return nil
	}
	for _, x := range t.Tests {
		if len(x.Args) > 0 || x.Stdin != "" {
			return nil
		}
	}
	calls := cfront.Callees(main)
	if !slices.ContainsFunc(t.Scope, func(f *cfront.Func) bool { return calls[f] }) {
		return nil
	}
	return main
}

// mostSpectrum bounds the held-back runs in a spectrum.
const mostSpectrum = 150

// Spectral returns the suite for spectrum-based fault localization, with the given runs first.
func (t *Set) Spectral() *oracle.Suite {
	s := *t.Given
	s.Cases = slices.Clone(s.Cases)
	if t.Held != nil {
		s.Cases = append(s.Cases, t.Held.Cases[:min(len(t.Held.Cases), mostSpectrum)]...)
	}
	return &s
}
