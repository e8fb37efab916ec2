package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/pipeline"
	"gulo/internal/process"
	"gulo/internal/report"
	"gulo/internal/session"
)

// This file answers questions of a session about whole runs, as gulo fix --tests does.

// wholeRuns returns a function that answers such questions about a program.
func wholeRuns(files []string, opt cfront.Options) func(context.Context, *session.WholeRuns) (*session.WholeAnswer, error) {
	return func(ctx context.Context, q *session.WholeRuns) (*session.WholeAnswer, error) {
		dir, err := process.TempDir("gulo-printed")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		var tests []oracle.Test
		for i, r := range q.Runs {
			tests = append(tests, oracle.Test{Name: strconv.Itoa(i + 1), Args: r.Args, Stdin: r.Stdin, Stdout: r.Stdout, Exit: r.Exit})
		}
		if err := cases.SaveTests(filepath.Join(dir, "tests"), tests); err != nil {
			return nil, err
		}
		j := &job.Job{
			Files: files, Options: opt, Spec: job.Spec{Tests: filepath.Join(dir, "tests")}, Lock: q.Lock,
			Limit: q.Limit, Guard: q.Guard, Progress: q.Say, Best: report.NewSoFar(ctx),
		}
		if !slices.ContainsFunc(q.Runs, func(r session.WholeRun) bool { return r.Blank }) {
			j.Space = job.SpaceJudge
		}
		own := map[string]string{} // the program's file names, by those of the changed copies
		if len(q.Texts) > 0 {
			if j.Files, j.Options, err = patch.WriteTo(filepath.Join(dir, "program"), files, opt, q.Texts); err != nil {
				return nil, err
			}
			for i, name := range j.Files {
				own[name] = files[i]
			}
		}
		named := func(texts map[string]string) map[string]string {
			out := map[string]string{}
			for name, text := range texts {
				if n, ok := own[name]; ok {
					name = n
				}
				out[name] = text
			}
			return out
		}
		j.Also = func(texts map[string]string) bool { return q.Also(named(texts)) }
		a, err := within(ctx, j.Guarded(), func() (*pipeline.Answer, error) { return pipeline.Fix(ctx, j) })
		var rep *report.Report
		switch {
		case errors.As(err, new(*lateError)):
			rep = lateReport(j)
		case err != nil && ctx.Err() != nil:
			if rep = j.Best.Report(report.Stopped); rep == nil {
				return &session.WholeAnswer{Why: report.Stopped}, nil
			}
		case errors.As(err, new(*job.UsageError)):
			return nil, &session.Error{Text: err.Error()}
		case err != nil:
			return nil, err
		default:
			rep = a.Report
		}
		out := &session.WholeAnswer{Met: rep.Met(), Why: rep.Cause}
		for i := range rep.Repairs {
			r := &rep.Repairs[i]
			r.Evidence.Kind = "run"
			out.Repairs = append(out.Repairs, session.WholeRepair{Texts: named(rep.Sources(i)), Edits: len(r.Edits), Evidence: r.Evidence.String()})
		}
		return out, nil
	}
}
