package campaign

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"gulo/internal/cases"
	"gulo/internal/oracle"
	"gulo/internal/pipeline"
	"gulo/internal/plural"
	"gulo/internal/report"
	"gulo/internal/source"
)

// This file compares a submission that meets the tests with the reference on runs made from them: a few tests let many
// wrong programs pass.

// beside returns what is wrong with a program that meets everything given; nil if it does what the reference does on
// all generated runs.
func (j *job) beside(ctx context.Context, prog *program, c *Checked) (*wrong, error) {
	if j.reference == nil || j.alone || prog == nil || j.compared || !slices.ContainsFunc(j.runs, hasInput) {
		return nil, nil
	}
	q, err := j.withReference(ctx, "runs", j.runs)
	if err != nil {
		return nil, err
	}
	found, err := pipeline.Strays(ctx, q)
	var use *pipeline.UsageError
	if errors.As(err, &use) { // for example, the reference does not print what the tests expect
		j.note("no runs were made from the tests: %s", use.Message)
		return nil, nil
	}
	if err != nil {
		why, err := cannot(err)
		if why != "" {
			j.note("no runs were made from the tests: %s", why)
		}
		return nil, err
	}
	for i := range found.Strays {
		s := &found.Strays[i]
		if why, err := j.strays(ctx, prog, s); err != nil {
			return nil, err
		} else if why != "" {
			return j.stray(ctx, s, why)
		}
	}
	if x := found.Refused; x != nil {
		j.note("on %s, made from the tests, it refuses a number that the reference takes; no test has one so small or large", x.Name)
	}
	c.Made = found.Same
	return nil, nil
}

// withReference returns the job for a program that meets runs and does what the reference does on others.
func (j *job) withReference(ctx context.Context, dir string, runs []oracle.Test) (*pipeline.Job, error) {
	dir = filepath.Join(j.dir, dir)
	if err := cases.SaveTests(dir, runs); err != nil {
		return nil, err
	}
	return &pipeline.Job{Files: j.files, Options: j.options(), Space: j.space, Spec: pipeline.Spec{Tests: dir, Reference: []string{j.ref}}, Limit: j.left(ctx)}, nil
}

// strays says how the natively compiled program differs from the reference on a generated run, or returns "". An error
// that only the machine sees counts, too: undefined behaviour may not show natively.
func (j *job) strays(ctx context.Context, prog *program, s *pipeline.Stray) (string, error) {
	if s.Judged = j.space == pipeline.SpaceJudge; s.Judged {
		s.Stdout = source.Judged(s.Stdout)
	}
	want, err := j.reference.run(ctx, runLimit, s.Stdin, s.Args...)
	if err != nil {
		return "", err
	}
	got, err := prog.run(ctx, runLimit+10*want.Took, s.Stdin, s.Args...)
	if err != nil || prints(want, &s.Test).Differs(s.Stdout, s.Exit) != "" {
		return "", err
	}
	why := prints(got, &s.Test).Differs(s.Stdout, s.Exit)
	if j.failing == 0 && (why != "" || s.Error != "") {
		x := testedOf(&s.Test, got, true)
		x.Name = "made from the tests"
		j.out.Stray = &x
	}
	if s.Error != "" {
		return worded(s.Error), nil
	}
	return why, nil
}

// stray looks for a repair of a program that meets the tests, but differs on a run made from them.
func (j *job) stray(ctx context.Context, s *pipeline.Stray, why string) (*wrong, error) {
	if j.out.Stray != nil {
		j.lines(ctx, []oracle.Test{s.Test}, []*Tested{j.out.Stray})
	}
	runs := slices.Clone(j.runs)
	if !s.Chosen {
		runs = append(runs, s.Test)
	}
	q, err := j.withReference(ctx, "strays", runs)
	if err != nil {
		return nil, err
	}
	bad := &wrong{why: fmt.Sprintf("on %s, made from your tests, %s", s.Name, why)}
	if bad.stray = j.failing == 0; bad.stray {
		bad.why = fmt.Sprintf("it meets %s; on %s, made from them, %s", j.all(), s.Name, why)
	}
	j.compared = true
	rep, err := j.repair(ctx, q)
	if err != nil {
		if _, err = cannot(err); err != nil {
			return nil, err
		}
		return bad, nil
	}
	if bad.rep = rep; rep.Met() { // the search had less time to make runs, and did not make this one
		bad.rep = &report.Report{Result: report.Unknown, Cause: "time limit", Repairs: []report.Repair{}}
	}
	return bad, nil
}

// all names all tests, for a sentence.
func (j *job) all() string {
	if n := len(j.out.Tests); n > 1 {
		return plural.All(n, "test")
	}
	return "the test"
}
