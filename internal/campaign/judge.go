package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/machine"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/pipeline"
	"gulo/internal/process"
	"gulo/internal/repair/runs"
	"gulo/internal/report"
	"gulo/internal/sandbox"
	"gulo/internal/source"
	"gulo/internal/workdir"
)

// This file judges a submission. It has to meet: every call, in states generated from the reference, of the functions
// that were to be written; sequences of such calls; and whole runs, natively and on the machine, which are the tests
// and the example in the reference's main. A submission that meets all of it as handed in is right; one that does so
// after a repair is fixed.

// job is one submission that is being judged.
type job struct {
	sub       *Submission
	out       *Outcome
	dir       string
	file      string            // the submission's file with main
	files     []string          // the submission's files, that one first
	texts     map[string]string // current texts by file; perhaps repaired in part
	ref       string            // the reference's file; "": there is none
	built     int               // number of programs compiled
	reference *program          // compiled, with main; nil: there is none, or nothing runs natively

	tops     []*cfront.Func // functions of the reference that submissions have to write
	refMain  *cfront.Func   // main of the reference; nil: it has none
	runs     []oracle.Test
	space    pipeline.Space           // how outputs are compared
	limits   map[string]time.Duration // of the whole runs, by name
	alone    bool                     // there is no sandbox, so that nothing runs natively
	stateful bool                     // the reference keeps state between calls
	refRows  *program                 // the reference called in sequences; nil: not compiled yet, or it does not compile
	until    time.Time
	endless  bool            // a whole run of the submission as handed in did not end in time
	led      map[string]bool // functions reached from the reference's main
	untold   string          // a function that could not be compared at all
	failing  int             // number of tests that the submission fails as handed in
	notes    []string
	compared bool // the last repair was compared with the reference on runs made from the tests

	read *pipeline.Texts  // cache of parsed programs
	work *workdir.Files   // files that the program finds when it runs
	met  map[string]asMet // by function: the last time that its calls were met
}

// asMet is a function whose calls were met.
type asMet struct {
	program *cfront.Program // the program at that time
	calls   int
}

// wrong is a failed check, with a repair if there is one.
type wrong struct {
	why    string
	rep    *report.Report
	beyond bool // the program cannot be compared with the reference at all
	stray  bool // all tests are met
}

// maxRounds bounds the mistakes that are repaired one after the other.
const maxRounds = 4

// Judge does a job in this process, in a directory of its own. An error concerns the system or the reference; mistakes
// of the submission are in the outcome.
func Judge(ctx context.Context, sub *Submission) (*Outcome, error) {
	begin := time.Now()
	dir, err := process.TempDir("gulo-job")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	j := newJob(sub, dir)
	ctx = j.begin(ctx)
	before := sandbox.Broken()
	if err := j.write(); err != nil {
		return nil, err
	}
	if err := j.judge(ctx); err != nil {
		return nil, err
	}
	if b := sandbox.Broken(); b != before { // the sandbox broke meanwhile: no conclusion holds
		return nil, b
	}
	j.out.Alone = j.alone
	if j.out.Report != nil {
		clean(j.out.Report, dir+"/")
	}
	j.out.Why, j.out.Seen = strings.ReplaceAll(j.out.Why, dir+"/", ""), strings.ReplaceAll(j.out.Seen, dir+"/", "")
	j.out.Notes = j.notes
	j.out.Seconds = time.Since(begin).Seconds()
	return j.out, nil
}

// begin begins the submission's time. It goes by counted work, so that a busy machine judges as an idle one; the guard
// goes by the clock.
func (j *job) begin(ctx context.Context) context.Context {
	ctx = budget.Begin(ctx, guard*j.sub.Limit)
	j.until = budget.After(ctx, j.sub.Limit)
	return ctx
}

func newJob(sub *Submission, dir string) *job {
	within, _, _ := strings.Cut(sub.File, "/")
	if within == sub.File {
		within = ""
	}
	return &job{sub: sub, dir: dir, out: &Outcome{Name: sub.Name, Within: within}, texts: map[string]string{}, limits: map[string]time.Duration{}, led: map[string]bool{}, read: &pipeline.Texts{}, met: map[string]asMet{}}
}

// write writes the job's texts to its folder.
func (j *job) write() error {
	put := func(name string, text []byte) (string, error) {
		path := filepath.Join(j.dir, filepath.Clean("/"+name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		return path, os.WriteFile(path, text, 0o644)
	}
	for base, files := range map[string]map[string][]byte{"": j.sub.Headers, "reference/": j.sub.RefHeads, "tests/": j.sub.Tests, "inputs/": j.sub.Inputs, "agreed/": j.sub.Agreed, rightOnes: j.sub.Right} {
		for name, text := range files {
			if _, err := put(base+name, text); err != nil {
				return err
			}
		}
	}
	var err error
	if len(j.sub.Reference) > 0 {
		if j.ref, err = put("reference/reference.c", j.sub.Reference); err != nil {
			return err
		}
	}
	add := func(name string, text []byte) error {
		path, err := put(name, text)
		j.files, j.texts[path] = append(j.files, path), string(text)
		return err
	}
	if err = add(j.sub.File, j.sub.Text); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(j.sub.More)) {
		if err := add(name, j.sub.More[name]); err != nil {
			return err
		}
	}
	j.file, j.work = j.files[0], j.sub.found(j.sub.Tests)
	return open(j.dir)
}

// options returns the options that the submission is compiled with.
func (j *job) options() cfront.Options {
	o := j.sub.options(j.dir)
	o.Work = j.work
	return o
}

// own returns gcc's arguments for compiling the submission.
func (j *job) own() []string { return append(j.options().Flags, j.files...) }

// written returns all text that the student wrote.
func (j *job) written() string {
	text := string(j.sub.Text)
	for _, name := range slices.Sorted(maps.Keys(j.sub.More)) {
		text += "\n" + string(j.sub.More[name])
	}
	return text
}

// clean removes the job's directory from the paths in a report.
func clean(r *report.Report, dir string) {
	strip := func(s *string) { *s = strings.ReplaceAll(*s, dir, "") }
	strip(&r.Example)
	strip(&r.Cause)
	for i := range r.Pictures {
		strip(&r.Pictures[i].Title)
	}
	for i := range r.Repairs {
		p := &r.Repairs[i]
		for _, side := range []string{"a/", "b/"} {
			p.Diff = strings.ReplaceAll(p.Diff, side+patch.DiffName(dir)+"/", side)
		}
		strip(&p.Diff)
		for k := range p.Edits {
			strip(&p.Edits[k].File)
		}
		for k := range p.Hints {
			strip(&p.Hints[k])
		}
	}
}

// settle sets the category and the reason.
func (j *job) settle(c Category, format string, args ...any) error {
	j.out.Category, j.out.Why = c, fmt.Sprintf(format, args...)
	return nil
}

func (j *job) judge(ctx context.Context) error {
	if err := j.readReference(ctx); err != nil {
		return err
	}
	if j.out.Given = j.given(); blank(j.written()) {
		return j.settle(Empty, "nothing is written in %s", j.sub.File)
	}
	if blank(directive.ReplaceAllString(j.written(), "")) {
		return j.settle(Vacuous, "nothing but lines that begin with # is written in %s", j.sub.File)
	}
	var no *refused
	prog, linked := j.link(ctx)
	if errors.As(linked, &no) && undefined(no.message) == "" {
		return j.settle(NoCompile, "gcc says: %s", no.message)
	} else if linked != nil && no == nil {
		return linked
	}
	tree, err := j.tree(ctx)
	unsupported, err := cannot(err)
	if err != nil {
		return err
	}
	if unsupported == "" {
		if j.whole(tree) {
			j.tops = nil
		}
		if why := j.lacks(tree); why != "" {
			return j.settle(Lacks, "%s", why)
		}
	}
	if no != nil {
		return j.settle(Lacks, "the function %s is called or required, but not defined", undefined(no.message))
	}
	if prog == nil {
		return j.rounds(ctx, nil)
	}
	if err := j.first(ctx, prog); err != nil {
		return err
	}
	if unsupported != "" {
		return j.settle(OutOfScope, "C that is not supported: %s", unsupported)
	}
	return j.rounds(ctx, prog)
}

// first runs the submission as a student would.
func (j *job) first(ctx context.Context, p *program) error {
	r, err := p.run(ctx, runLimit, "")
	switch {
	case errors.Is(err, sandbox.ErrNoIsolation):
		j.alone = true
		j.out.Native = "not run: " + err.Error()
		j.notes = append(j.notes, "nothing was run natively: "+err.Error())
		return nil
	case err != nil:
		return err
	}
	j.out.Native = r.String()
	return nil
}

// rounds checks, repairs what is wrong, and checks again, until all is met or there is no repair.
func (j *job) rounds(ctx context.Context, prog *program) error {
	for round := 0; ; round++ {
		checked := &Checked{Calls: map[string]int{}, rows: map[string]int{}}
		bad, err := j.check(ctx, prog, checked, round == 0)
		if err != nil {
			return err
		}
		if bad == nil {
			if j.untold != "" {
				return j.settle(OutOfScope, "the function %s could not be compared with the reference: %s", j.untold, strings.Join(j.notes, "; "))
			}
			if len(checked.Calls)+len(checked.Same)+checked.Sequences+checked.Runs == 0 {
				return j.settle(OutOfScope, "there is nothing to compare it with: %s", strings.Join(j.notes, "; "))
			}
			if j.out.Checked = checked; round == 0 {
				return j.settle(Right, "")
			}
			j.out.Category, j.out.Mistake = Fixed, Mistake(j.out.Report)
			j.out.Repaired = Texts{}
			for path, text := range j.texts {
				j.out.Repaired[strings.TrimPrefix(path, j.dir+"/")] = text
			}
			return nil
		}
		if bad.rep == nil || bad.rep.Result != report.Repaired || round == maxRounds {
			return j.unrepaired(bad)
		}
		if round == 0 && (j.failing == 0 || j.crash("none") != "none") {
			j.out.Why = bad.why
		}
		j.join(bad.rep)
		for path, text := range j.texts {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				return err
			}
		}
		var no *refused
		if prog, err = j.link(ctx); errors.As(err, &no) {
			return j.unrepaired(&wrong{why: "the repaired program does not compile: " + no.message})
		} else if err != nil {
			return err
		}
	}
}

// unrepaired sets the outcome for a mistake for which no repair was found.
func (j *job) unrepaired(bad *wrong) error {
	if bad.beyond && j.out.Report == nil {
		return j.settle(OutOfScope, "%s", bad.why)
	}
	if runs.IsUnattempted(bad.rep) {
		return j.settle(Vacuous, "%s", bad.rep.Cause)
	}
	entry := ""
	if j.out.Part = j.out.Report != nil; j.out.Part {
		bad.why = "with one mistake mended, " + bad.why
	}
	j.out.Seen = bad.why
	if j.out.Report == nil {
		j.out.Report = bad.rep
		j.out.Part = bad.rep != nil && len(bad.rep.Repairs) > 0 && bad.rep.Repairs[0].Evidence.Part && bad.rep.Repairs[0].Evidence.Left > 0
	}
	if bad.rep != nil {
		entry = bad.rep.Entry
		if bad.rep.Cause != "" {
			bad.why += "; " + unrepaired(bad.rep.Cause)
		}
	}
	for _, f := range j.tops {
		if entry == "" || f.Name == entry {
			if Attempted(j.written(), string(j.sub.Reference), f.Name) < hardly {
				return j.settle(Vacuous, "little of the function %s is written", f.Name)
			}
		}
	}
	if bad.stray {
		return j.settle(Fits, "%s", bad.why)
	}
	if j.endless {
		return j.settle(NoEnd, "%s", bad.why)
	}
	return j.settle(Limited, "%s", bad.why)
}

// unrepaired says why there is no repair, in words that cannot be mistaken for something the submission did.
func unrepaired(cause string) string {
	if cause == report.TimeLimit {
		return "no repair was found in the time given"
	}
	return cause
}

// hardly is the share of the reference's statements below which a function counts as not attempted.
const hardly = 0.34

// patience is the factor by which the limit of a run is raised once before it counts as endless.
const patience = 3

// join applies a repair to the submission's text, and merges its report with those of earlier repairs.
func (j *job) join(rep *report.Report) {
	for name, text := range rep.Sources(0) {
		if _, ok := j.texts[name]; ok {
			j.texts[name] = text
		}
	}
	rep.Repairs = rep.Repairs[:1]
	if j.out.Report == nil {
		j.out.Report = rep
		return
	}
	all := &j.out.Report.Repairs[0]
	more := rep.Repairs[0]
	all.Edits = append(all.Edits, more.Edits...)
	all.Hints = append(all.Hints, more.Hints...)
	all.Diff = ""
	for _, f := range j.files {
		name, was := strings.TrimPrefix(f, j.dir+"/"), j.sub.Text
		if f != j.file {
			was = j.sub.More[name]
		}
		all.Diff += patch.Unified(name, string(was), j.texts[f])
	}
	all.Evidence.Text += "; then " + more.Evidence.Text
}

// check checks the program against everything, cheap checks first; nil if all is met.
func (j *job) check(ctx context.Context, prog *program, c *Checked, handedIn bool) (*wrong, error) {
	native := ""
	for i := range j.runs {
		t := &j.runs[i]
		if prog == nil || j.alone {
			break
		}
		r, err := prog.run(ctx, j.limits[t.Name], t.Stdin, t.Args...)
		if err == nil && r.Stopped == "time" { // the machine may be busy
			r, err = prog.run(ctx, patience*j.limits[t.Name], t.Stdin, t.Args...)
		}
		if err != nil {
			return nil, err
		}
		j.endless = j.endless || handedIn && r.Endless()
		if handedIn {
			j.tested(t, r)
		}
		if d := prints(r, t).Differs(t.Stdout, t.Exit); d != "" {
			if native == "" {
				native = fmt.Sprintf("on %s: %s", t.Name, d)
			}
			if !handedIn || r.Endless() { // later runs are made only for the table of tests
				break
			}
			continue
		}
		c.Runs++
	}
	if handedIn {
		j.printers(ctx)
		native = j.crash(native)
	}
	bad, err := j.functions(ctx, native, c)
	if bad != nil || err != nil {
		return bad, err
	}
	bad, err = j.onMachine(ctx, native, c)
	if bad != nil || err != nil {
		return bad, err
	}
	if native != "" {
		return &wrong{why: native}, nil
	}
	if bad, err := j.sequences(ctx, c); bad != nil || err != nil {
		return bad, err
	}
	if bad, err := j.beside(ctx, prog, c); bad != nil || err != nil {
		return bad, err
	}
	j.untold = ""
	for _, f := range j.tops {
		if c.Calls[f.Name]+c.rows[f.Name] == 0 && !slices.Contains(c.Same, f.Name) && !(c.Runs > 0 && j.led[f.Name]) {
			j.untold = f.Name
		}
	}
	return nil, nil
}

// functions compares the functions with the reference's. native is what is known to be wrong natively. If all calls are
// met, but something is wrong natively, whole runs are also compared with the reference, which says more than the
// tests.
func (j *job) functions(ctx context.Context, native string, c *Checked) (*wrong, error) {
	if len(j.tops) == 0 {
		return nil, nil
	}
	tree, err := j.tree(ctx)
	if err != nil {
		why, err := cannot(err)
		return &wrong{why: why, beyond: true}, err
	}
	ref, err := j.read.Tree(ctx, []string{j.ref}, j.options()) // compiled like the submission, as its calls are
	if err != nil {
		why, err := cannot(err)
		return &wrong{why: why, beyond: true}, err
	}
	for _, f := range j.tops {
		was, asked := j.met[f.Name]
		switch {
		case cases.Alike(tree, ref, f.Name):
			c.Same = append(c.Same, f.Name)
			continue
		case asked && cases.Alike(tree, was.program, f.Name):
			c.Calls[f.Name] = was.calls
			continue
		}
		bad, err := j.calls(ctx, f, true, c)
		if bad != nil || err != nil {
			return bad, err
		}
		if n := c.Calls[f.Name]; n > 0 {
			j.met[f.Name] = asMet{tree, n}
		}
	}
	if native == "" || len(c.Same) == len(j.tops) {
		return nil, nil
	}
	var bad *wrong
	err = j.within(ctx, 2, func() (err error) {
		bad, err = j.calls(ctx, j.tops[0], false, c)
		return err
	})
	if bad == nil || err != nil || bad.rep == nil || bad.rep.Result != report.Repaired {
		return nil, err
	}
	bad.why = native
	return bad, nil
}

// tree returns the submission as it is now.
func (j *job) tree(ctx context.Context) (*cfront.Program, error) {
	return j.read.Tree(ctx, j.files, j.options())
}

// calls compares the calls of one function with the reference's. With alone, whole runs are not compared.
func (j *job) calls(ctx context.Context, f *cfront.Func, alone bool, c *Checked) (*wrong, error) {
	q := &pipeline.Job{Files: j.files, Options: j.options(), Spec: pipeline.Spec{Reference: []string{j.ref}}, Entry: f.Name, Unrun: alone}
	rep, err := j.repair(ctx, q)
	var use *pipeline.UsageError
	var mis *oracle.Mismatch
	switch {
	case errors.As(err, &mis):
		return &wrong{why: mis.Error(), beyond: true}, nil
	case errors.As(err, &use):
		j.note("no calls of %s were made: %s", f.Name, use.Message)
		return nil, nil
	case err != nil:
		why, err := cannot(err)
		return &wrong{why: why, beyond: true}, err
	case !rep.Met():
		return &wrong{why: fmt.Sprintf("the function %s goes wrong %s", f.Name, worded(rep.Example)), rep: rep}, nil
	}
	c.Calls[f.Name] = rep.Cases
	return nil, nil
}

// onMachine makes the whole runs on the machine, which detects memory errors. native is what is known to be wrong
// natively. The functions that the reference has were compared before, so that a mistake found here is elsewhere.
func (j *job) onMachine(ctx context.Context, native string, c *Checked) (*wrong, error) {
	if len(j.runs) == 0 {
		return nil, nil
	}
	told, err := j.faults(ctx, native)
	if told || err != nil {
		return nil, err
	}
	dir := filepath.Join(j.dir, "runs")
	if err := cases.SaveTests(dir, j.runs); err != nil {
		return nil, err
	}
	tests := pipeline.Spec{Tests: dir, Agreed: j.agreed(), Others: j.sub.Others, Right: j.right(), Suggest: true}
	attempts := []attempt{{tests, ""}, {tests, "main"}}
	if j.ref != "" {
		attempts = attempts[1:]
	}
	// If only main can be wrong, the reference says more than the tests.
	beside := native != "" && j.ref != "" && len(c.Same) == len(j.tops)
	if beside {
		both := tests
		both.Reference = []string{j.ref}
		attempts = []attempt{{both, ""}, attempts[0]}
	}
	var parts [][]oracle.Test
	if native != "" && !beside {
		parts = j.parts()
	}
	var bad *wrong
	err = j.within(ctx, 1+min(len(parts), 1), func() (err error) {
		bad, err = j.attempts(ctx, attempts, beside, native)
		return err
	})
	if bad == nil || err != nil || bad.rep == nil || bad.rep.Result == report.Repaired {
		return bad, err
	}
	return j.part(ctx, parts, bad)
}

// attempt is a specification and an entry for a repair.
type attempt struct {
	spec  pipeline.Spec
	entry string
}

// attempts asks for a repair in one way after the other. beside says that the first attempt uses tests and reference
// together.
func (j *job) attempts(ctx context.Context, list []attempt, beside bool, native string) (first *wrong, err error) {
	for i, a := range list {
		j.compared = len(a.spec.Reference) > 0
		rep, err := j.repair(ctx, &pipeline.Job{Files: j.files, Options: j.options(), Spec: a.spec, Entry: a.entry})
		var use *pipeline.UsageError
		if beside && i == 0 && errors.As(err, &use) { // the reference may not print what the tests expect
			continue
		}
		if errors.As(err, &use) {
			j.note("whole runs were not made on the machine: %s", use.Message)
			return nil, nil
		}
		if err != nil {
			why, err := cannot(err)
			return &wrong{why: why, beyond: true}, err
		}
		if rep.Met() {
			return nil, nil
		}
		why := native
		if why == "" {
			why = worded(rep.Example)
		}
		bad := &wrong{why: why, rep: rep}
		if rep.Result == report.Repaired {
			return bad, nil
		}
		if first == nil {
			first = bad
		}
		if beside && i == 0 { // the reference may refute a repair by the tests alone
			return first, nil
		}
	}
	return first, nil
}

// faults makes the whole runs on the machine without repairing. told is true if they show no mistake: all are met,
// except that a run that is met natively may be beyond the machine.
func (j *job) faults(ctx context.Context, native string) (told bool, err error) {
	p, err := j.read.Load(ctx, j.files, j.options())
	if err != nil || p.IR.Main < 0 {
		return false, err
	}
	suite := oracle.Runs(p, j.runs, 0)
	run, err := oracle.NewRunner(suite)
	if err != nil {
		return false, err
	}
	for _, c := range suite.Cases {
		c.Want.Frees, c.Want.Heap = true, math.MaxInt // counted, but not required
		r, err := run.Run(c, nil)
		if err != nil {
			return false, err
		}
		if r.Fault == nil && j.out.Report == nil { // only for the program as handed in
			n := r.Heap
			if j.out.Leaks != nil {
				n = max(n, *j.out.Leaks)
			}
			j.out.Leaks = &n
		}
		beyond := r.Fault != nil && (r.Fault.Kind == machine.Unsupported || r.Fault.Kind == machine.LimitFault)
		switch {
		case beyond && native == "" && !j.alone:
			j.note("on the machine %s is not followed to its end: %s", c.Name, r.Fault.Message)
		case !r.Meets(c.Want):
			return false, nil
		}
	}
	return native == "", nil
}

// repair first compares calls in given states, which is fastest and usually enough. If these show a mistake without a
// repair, or if the specification is whole runs, it uses all engines.
func (j *job) repair(ctx context.Context, q *pipeline.Job) (*report.Report, error) {
	q.Space, q.Texts = j.space, j.read
	if j.sub.Mistakes != "" {
		var err error
		if q.Mistakes, err = known("mistakes", j.sub.Mistakes); err != nil {
			return nil, err
		}
	}
	if (len(q.Spec.Reference) == 0 || q.Spec.Tests != "") && !j.alone { // with whole runs, the output says most
		q.Limit = j.left(ctx)
		a, err := pipeline.Fix(ctx, q)
		return of(a), err
	}
	q.Engines, q.Limit = []string{"heap"}, max(j.left(ctx)/2, 100*time.Millisecond)
	if j.alone { // the other engines run programs natively
		q.Limit = j.left(ctx)
	}
	a, err := pipeline.Fix(ctx, q)
	if err != nil || j.alone || a.Report.Met() || a.Report.Result == report.Repaired {
		return of(a), err
	}
	q.Engines, q.Limit = nil, j.left(ctx)
	if b, err := pipeline.Fix(ctx, q); err == nil && b.Report.Result == report.Repaired {
		return b.Report, nil
	} else if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return a.Report, nil
}

// of returns the report of an answer; nil if there is no answer.
func of(a *pipeline.Answer) *report.Report {
	if a == nil {
		return nil
	}
	return a.Report
}

// left returns the time that remains for searches.
func (j *job) left(ctx context.Context) time.Duration {
	return max(budget.Until(ctx, j.until), 100*time.Millisecond)
}

func (j *job) note(format string, args ...any) {
	if s := strings.ReplaceAll(fmt.Sprintf(format, args...), j.dir+"/", ""); !slices.Contains(j.notes, s) {
		j.notes = append(j.notes, s)
	}
}

// cannot separates errors in the submission's C, returned as why, from errors of the system.
func cannot(err error) (why string, world error) {
	var diag *source.Error
	switch {
	case errors.As(err, &diag):
		return firstLine(diag.Error()), nil
	}
	return "", err
}
