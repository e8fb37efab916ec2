package batch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/oracle"
)

// This file compares whole programs with a reference: main is the entry, and cases are
// runs.

// errNoRuns says that nobody knows what a program is to be run with.
var errNoRuns = &noRunsError{job.UsageError{Message: "main reads its arguments or standard input; give runs with --tests DIR, -- ARG... or --stdin FILE"}}

type noRunsError struct{ job.UsageError }

func (e *noRunsError) Unwrap() error { return &e.UsageError }

// readers are the functions that read standard input.
var readers = map[string]bool{
	"getchar": true, "getc": true, "fgetc": true, "scanf": true, "fscanf": true, "vscanf": true, "fgets": true, "gets": true, "fread": true, "read": true,
	"getline": true, "getdelim": true, "getchar_unlocked": true, "fgetwc": true, "getwchar": true, "wscanf": true, "input": true,
}

// asks reports whether a program's main uses its arguments or leads to what reads input.
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

// fromMain makes cases of whole runs, with what the reference does in them.
func (t *task) fromMain(ctx context.Context) error {
	own, ref := t.prog.Tree.Func("main"), t.ref.Prog.Tree.Func("main")
	if own == nil || ref == nil {
		return job.Usage("no function main in %s", map[bool]string{true: t.req.Files[0], false: t.req.Reference[0]}[own == nil])
	}
	t.entry, t.ref.Entry = own, ref
	var tests []oracle.Test
	if t.req.Tests != "" {
		info, err := os.Stat(t.req.Tests)
		if err != nil {
			return job.Usage("cannot read the tests: %v", err)
		}
		if !info.IsDir() {
			return job.Usage("%s is a file of calls, and main is not called; a folder holds whole runs", t.req.Tests)
		}
		if err := t.referenceRuns(); err != nil {
			return err
		}
		if tests, err = LoadTests(t.req.Tests); err != nil {
			return err
		}
	}
	given := len(t.req.Args) > 0 || t.req.Stdin != ""
	if !given && len(tests) == 0 && (asks(own) || asks(ref)) {
		return errNoRuns
	}
	if given || len(tests) == 0 {
		one, _, ok, err := oracle.Expect(t.ref.Prog, "the run", t.req.Args, t.req.Stdin, -1)
		if err != nil {
			return err
		}
		if !ok {
			return job.Usage("the reference's main ends in an error when it is run with these arguments")
		}
		tests = append(tests, one)
	}
	t.given = oracle.Runs(t.prog, tests, 0)
	t.by = fmt.Sprintf("%d runs of the reference", len(tests))
	refTree := t.ref.Prog.Tree
	for _, f := range written(t.prog) {
		if g := refTree.Func(f.Name); g == nil || text(f) != text(g) {
			t.scope = append(t.scope, f)
		}
	}
	if len(t.scope) == 0 {
		t.scope = written(t.prog)
	}
	sort.Slice(t.scope, func(i, j int) bool { return t.scope[i].Name < t.scope[j].Name })
	t.given.Edited = t.scope
	return ctx.Err()
}

// isNoRuns reports whether nothing is known of what main is to be run with.
func isNoRuns(err error) bool { return errors.Is(err, errNoRuns) }
