package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/pipeline"
	"gulo/internal/process"
	"gulo/internal/sandbox"
)

// This file reads the reference: which functions are to be written, and what whole runs do.

// ClassError is an error in the class itself: in its reference, tests or entry.
type ClassError struct{ Message string }

func (e *ClassError) Error() string { return e.Message }

// Check checks that a class can be judged, by the specification of one of its submissions. The error is a *ClassError
// or the system's.
func Check(ctx context.Context, sub *Submission) error {
	dir, err := process.TempDir("gulo-class")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	j := newJob(sub, dir)
	if err := j.write(); err != nil {
		return err
	}
	return j.readReference(ctx)
}

// readReference finds the functions that submissions have to write, and the whole runs.
func (j *job) readReference(ctx context.Context) error {
	if len(j.sub.Tests) > 0 {
		tests, err := cases.LoadTests(filepath.Join(j.dir, "tests"))
		if err != nil {
			return &ClassError{strings.ReplaceAll(err.Error(), j.dir+"/", "")}
		}
		j.runs = tests
	}
	for i := range j.runs {
		j.limits[j.runs[i].Name] = runLimit
	}
	if j.sub.Space == string(pipeline.SpaceJudge) {
		j.judged("")
	}
	if j.ref == "" {
		if why := byTests(j.runs); why != "" && j.sub.Space == "" {
			j.judged(why)
		}
		return nil
	}
	tree, err := j.read.Tree(ctx, []string{j.ref}, cfront.Options{Work: j.work})
	if why, err := cannot(err); why != "" {
		return &ClassError{"the reference: " + strings.ReplaceAll(why, j.dir+"/", "")}
	} else if err != nil {
		return err
	}
	if j.tops = tops(tree, j.ref); j.sub.Entry != "" {
		f := tree.Func(j.sub.Entry)
		if f == nil {
			return &ClassError{fmt.Sprintf("the reference has no function %s", j.sub.Entry)}
		}
		j.tops = []*cfront.Func{f}
	}
	if j.refMain = tree.Func("main"); j.refMain != nil && j.refMain.Body == nil {
		j.refMain = nil
	}
	if j.stateful = stateful(tree); j.refMain == nil {
		return nil
	}
	for f := range cfront.Callees(tree.Func("main")) {
		j.led[f.Name] = true
	}
	return j.referenceRuns(ctx)
}

// tops lists the functions of a program that main calls or that nothing calls: these are what submissions have to
// write. The others are helpers.
func tops(tree *cfront.Program, file string) (out []*cfront.Func) {
	called, direct := map[*cfront.Func]bool{}, map[*cfront.Func]bool{}
	for _, f := range tree.Funcs {
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if r, ok := y.(*cfront.FuncRef); ok && r.Func != f {
					called[r.Func] = true
					direct[r.Func] = direct[r.Func] || f.Name == "main"
				}
				return true
			})
		})
	}
	for _, f := range tree.Funcs {
		if f.Body != nil && f.Range.Valid() && f.Range.File.Name == file && f.Name != "main" && (direct[f] || !called[f]) {
			out = append(out, f)
		}
	}
	return out
}

// referenceRuns runs the reference on the tests and adds the example in its main as another run.
func (j *job) referenceRuns(ctx context.Context) error {
	p, err := j.build(ctx, j.ref)
	var no *refused
	if errors.As(err, &no) {
		return &ClassError{"the reference: " + no.message}
	}
	if err != nil {
		return err
	}
	j.reference = p
	var printed []*native.Process
	for i := range j.runs {
		t := &j.runs[i]
		r, err := p.run(ctx, 2*runLimit, t.Stdin, t.Args...)
		if errors.Is(err, sandbox.ErrNoIsolation) {
			return j.exampleOnMachine(ctx)
		}
		if err != nil {
			return err
		}
		printed = append(printed, r)
		j.limits[t.Name] = runLimit + 10*r.Took
	}
	if err := j.meetsTests(printed); err != nil {
		return err
	}
	if err := j.answered(ctx, p); err != nil || j.alone {
		return err
	}
	if !j.exampleTold() {
		return nil
	}
	var seen [2]*native.Process
	for i := range seen {
		r, err := p.run(ctx, 2*runLimit, "")
		if errors.Is(err, sandbox.ErrNoIsolation) {
			return j.exampleOnMachine(ctx)
		}
		if err != nil {
			return err
		}
		seen[i] = r
	}
	switch {
	case seen[0].Stopped != "":
		j.note("the reference run without input is no example: it is %s", seen[0])
	case seen[0].Stdout != seen[1].Stdout || seen[0].Status != seen[1].Status:
		j.note("the example in the reference's main is none: it does not do the same each time")
	default:
		t := oracle.Test{Name: exampleName, Stdout: seen[0].Stdout, Exit: seen[0].Status}
		j.asTests(&t)
		j.runs, j.limits[t.Name] = append(j.runs, t), runLimit+10*seen[0].Took
	}
	return nil
}

// meetsTests compares the reference's output with the tests. If it differs only in white space at the ends of lines and
// outputs, such white space is ignored from then on, unless the user said how it counts.
func (j *job) meetsTests(printed []*native.Process) error {
	var list []cases.Printed
	for _, r := range printed {
		list = append(list, cases.Printed{Got: r.Stdout, Ended: r.Stopped == "", Exit: r.Status})
	}
	if j.sub.Space == "" {
		if why := cases.ApartInSpace(j.runs); why != "" {
			j.judged(why)
		} else if cases.JudgedBy(j.runs, list, true) {
			j.judged("the reference differs from the tests in it")
		}
	}
	for i, r := range printed {
		t := &j.runs[i]
		if d := prints(r, t).Differs(t.Stdout, t.Exit); d != "" {
			return &ClassError{fmt.Sprintf("the reference fails test %s: %s", t.Name, d)}
		}
	}
	return nil
}

// answered makes whole runs from inputs; the reference supplies their output.
func (j *job) answered(ctx context.Context, p *program) error {
	names := map[string]bool{}
	for f := range j.sub.Inputs {
		if isInput(f) {
			names[strings.TrimSuffix(f, filepath.Ext(f))] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		args, err := process.Words(string(j.sub.Inputs[name+".args"]))
		if err != nil {
			return &ClassError{fmt.Sprintf("%s.args cannot be split into arguments: %v", name, err)}
		}
		t := oracle.Test{Name: name, Args: args, Stdin: string(j.sub.Inputs[name+".in"])}
		if slices.ContainsFunc(j.runs, func(x oracle.Test) bool { return x.Name == t.Name }) {
			t.Name += " (input)"
		}
		r, err := p.run(ctx, 2*runLimit, t.Stdin, t.Args...)
		switch {
		case errors.Is(err, sandbox.ErrNoIsolation):
			return j.exampleOnMachine(ctx)
		case err != nil:
			return err
		case r.Stopped != "" || r.Status > 127:
			return &ClassError{fmt.Sprintf("the reference has no answer to input %s: it %s", name, r)}
		}
		t.Stdout, t.Exit = r.Stdout, r.Status
		j.asTests(&t)
		j.runs, j.limits[t.Name] = append(j.runs, t), runLimit+10*r.Took
	}
	return nil
}

// exampleTold reports whether a run without arguments and input is part of the specification: not if all tests have
// some.
func (j *job) exampleTold() bool {
	return len(j.runs) == 0 || slices.ContainsFunc(j.runs, func(t oracle.Test) bool { return !hasInput(t) })
}

// exampleName is the name of the whole run without arguments and input.
const exampleName = "the example in main"

// exampleOnMachine makes the example on the machine, if nothing can run natively.
func (j *job) exampleOnMachine(ctx context.Context) error {
	j.alone = true
	if !j.exampleTold() {
		return nil
	}
	p, err := j.read.Load(ctx, []string{j.ref}, cfront.Options{Work: j.work})
	if err != nil {
		return err
	}
	t, _, ok, err := oracle.Expect(p, exampleName, nil, "", -1)
	if err == nil && ok {
		j.runs = append(j.runs, t)
	}
	return err
}

// whole reports whether the task is a whole program, with whatever functions: the tests give input, and the
// submission's main differs from the reference's. An exercise in writing functions comes with a main.
func (j *job) whole(tree *cfront.Program) bool {
	main := tree.Func("main")
	if j.sub.Entry != "" || j.refMain == nil || main == nil || main.Body == nil || !slices.ContainsFunc(j.runs, hasInput) {
		return false
	}
	return cases.Text(main) != cases.Text(j.refMain)
}

// hasInput reports whether a test gives arguments or standard input.
func hasInput(t oracle.Test) bool { return t.Stdin != "" || len(t.Args) > 0 }

// lacks says which function that was to be written is missing.
func (j *job) lacks(tree *cfront.Program) string {
	if j.sub.Entry != "" && j.ref == "" && tree.Func(j.sub.Entry) == nil {
		return fmt.Sprintf("the function %s is not there", j.sub.Entry)
	}
	for _, f := range j.tops {
		if tree.Func(f.Name) == nil {
			return fmt.Sprintf("the function %s is not there, which the reference has", f.Name)
		}
	}
	if tree.Func("main") == nil && len(j.sub.Tests)+len(j.sub.Inputs) > 0 {
		return "the function main is not there, which the tests run"
	}
	return ""
}

var notThere = regexp.MustCompile("undefined reference to [`'‘](\\w+)['’]")

// undefined returns the function that the linker did not find.
func undefined(message string) string {
	if m := notThere.FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return ""
}

// link compiles the submission. If it has no main, it replaces the reference's functions. A nil program without an
// error means that there is no main at all.
func (j *job) link(ctx context.Context) (*program, error) {
	p, err := j.build(ctx, j.own()...)
	var no *refused
	if !errors.As(err, &no) || undefined(no.message) != "main" {
		return p, err
	}
	if j.ref == "" || !slices.ContainsFunc(j.runs, func(t oracle.Test) bool { return t.Name == exampleName }) {
		j.note("it has no main: no whole run was made")
		return nil, nil
	}
	ref, objects := filepath.Join(j.dir, "ref.o"), []string(nil)
	for i, f := range j.files {
		own := filepath.Join(j.dir, fmt.Sprintf("own%d.o", i))
		if err := j.gcc(ctx, append(j.options().Flags, "-w", "-g", "-c", "-o", own, f)...); err != nil {
			return nil, err
		}
		objects = append(objects, own)
	}
	if err := j.gcc(ctx, "-w", "-g", "-c", "-fno-inline", "-fsemantic-interposition", "-fPIC", "-o", ref, j.ref); err != nil {
		return nil, err
	}
	if out, err := process.Command(ctx, "objcopy", "--weaken", ref).CombinedOutput(); err != nil {
		return nil, &cfront.ToolError{Tool: "objcopy", Err: fmt.Errorf("%w: %s", err, out), Hint: "install it with: apt-get install binutils"}
	}
	return j.build(ctx, append(objects, ref)...)
}
