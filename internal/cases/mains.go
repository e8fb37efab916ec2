package cases

import (
	"context"
	"errors"
	"os"
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/oracle"
	"gulo/internal/plural"
)

// This file compares whole programs with a reference: the entry is main, and cases are runs.

// errNoRuns says that no arguments or standard input for the program are known.
var errNoRuns = &noRunsError{job.UsageError{Message: "main reads its arguments or standard input; give runs with --tests DIR, -- ARG... or --stdin FILE"}}

type noRunsError struct{ job.UsageError }

func (e *noRunsError) Unwrap() error { return &e.UsageError }

// readers are the functions that read standard input.
var readers = map[string]bool{
	"getchar": true, "getc": true, "fgetc": true, "scanf": true, "fscanf": true, "vscanf": true, "fgets": true, "gets": true, "fread": true, "read": true,
	"getline": true, "getdelim": true, "getchar_unlocked": true, "fgetwc": true, "getwchar": true, "wscanf": true, "input": true,
}

// asks reports whether main uses its parameters, or may call a function that reads standard input.
func asks(main *cfront.Func) bool {
	found := false
	for f := range cfront.Callees(main) {
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				switch z := y.(type) {
				case *cfront.Ref:
					found = found || f == main && z.Var.Storage == cfront.Param
				case *cfront.FuncRef:
					found = found || z.Func.Body == nil && readers[z.Func.Name]
				}
				return !found
			})
		})
	}
	return found
}

// fromMain makes cases of the given runs, with what the reference does in them.
func (t *Set) fromMain(ctx context.Context) error {
	own, ref := t.Prog.Tree.Func("main"), t.Ref.Prog.Tree.Func("main")
	if own == nil || ref == nil {
		return job.Usage("no function main in %s", map[bool]string{true: t.Job.Files[0], false: t.Job.Reference[0]}[own == nil])
	}
	t.Entry, t.Ref.Entry = own, ref
	var tests []oracle.Test
	if t.Job.Tests != "" {
		info, err := os.Stat(t.Job.Tests)
		if err != nil {
			return job.NoTests(t.Job.Tests, err)
		}
		if !info.IsDir() {
			return job.Usage("%s is a file of calls, and main is not called; a folder holds whole runs", t.Job.Tests)
		}
		if err := t.referenceRuns(ctx); err != nil {
			return err
		}
		if tests, err = t.load(t.Job.Tests); err != nil {
			return err
		}
	}
	given := len(t.Job.Args) > 0 || t.Job.Stdin != ""
	if !given && len(tests) == 0 && (asks(own) || asks(ref)) {
		return errNoRuns
	}
	if given || len(tests) == 0 {
		one, _, ok, err := oracle.Expect(t.Ref.Prog, "the run", t.Job.Args, t.Job.Stdin, -1)
		if err != nil {
			return err
		}
		if !ok {
			return job.Usage("the reference's main ends in an error when it is run with these arguments")
		}
		if tests = append(tests, one); t.Job.Space == job.SpaceJudge {
			Judged(tests)
		}
	}
	t.Given = oracle.Runs(t.Prog, tests, 0)
	t.By = plural.N(len(tests), "run") + " of the reference"
	refTree := t.Ref.Prog.Tree
	for _, f := range Written(t.Prog) {
		if g := refTree.Func(f.Name); g == nil || Text(f) != Text(g) {
			t.Scope = append(t.Scope, f)
		}
	}
	if len(t.Scope) == 0 {
		t.Scope = Written(t.Prog)
	}
	sort.Slice(t.Scope, func(i, j int) bool { return t.Scope[i].Name < t.Scope[j].Name })
	t.Given.Edited = t.Scope
	return ctx.Err()
}

// IsNoRuns reports whether an error says that no arguments or standard input for main are known.
func IsNoRuns(err error) bool { return errors.Is(err, errNoRuns) }
