package campaign

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/oracle"
	"gulo/internal/pipeline"
	"gulo/internal/report"
)

// This file looks for a repair of one of several mistakes if no repair of all was found. Tests that go wrong at the
// same line are assumed to show the same mistake.

// mostParts bounds the mistakes that are tried alone.
const mostParts = 3

// parts returns, for each of several mistakes, the tests that show it together with the tests that are met. It returns
// none if all failures are at one line, or if no test is met: almost anything meets one or two tests.
func (j *job) parts() (out [][]oracle.Test) {
	if j.out.Report != nil { // the tests are of the program as handed in
		return nil
	}
	type place struct {
		file string
		line int
	}
	of, states := map[string]place{}, map[string]bool{}
	for i := range j.out.Tests {
		x := &j.out.Tests[i]
		if states[x.Name] = x.Met; !x.Met {
			of[x.Name] = place{x.File, x.Line}
			if x.Error != nil {
				of[x.Name] = place{x.Error.File, x.Error.Line}
			}
		}
	}
	var met []oracle.Test
	var order []place
	failing := map[place][]oracle.Test{}
	for _, t := range j.runs {
		at := of[t.Name]
		switch {
		case states[t.Name]:
			met = append(met, t)
		case at.line > 0:
			if failing[at] == nil {
				order = append(order, at)
			}
			failing[at] = append(failing[at], t)
		}
	}
	if len(met) == 0 || len(order) < 2 {
		return nil
	}
	for _, at := range order[:min(len(order), mostParts)] {
		out = append(out, append(failing[at], met...))
	}
	return out
}

// part looks for a repair of one mistake. Without one it returns bad.
func (j *job) part(ctx context.Context, parts [][]oracle.Test, bad *wrong) (*wrong, error) {
	for i, tests := range parts {
		dir := filepath.Join(j.dir, fmt.Sprintf("part%d", i))
		if err := cases.SaveTests(dir, tests); err != nil {
			return nil, err
		}
		var rep *report.Report
		err := j.within(ctx, len(parts)-i+1, func() (err error) {
			rep, err = j.repair(ctx, &pipeline.Job{Files: j.files, Options: j.options(), Spec: pipeline.Spec{Tests: dir}})
			return err
		})
		if err != nil {
			if _, err = cannot(err); err != nil {
				return nil, err
			}
			continue
		}
		if rep.Result == report.Repaired {
			return &wrong{why: bad.why, rep: rep}, nil
		}
	}
	return bad, nil
}

// within calls do with 1/parts of the remaining time as its limit.
func (j *job) within(ctx context.Context, parts int, do func() error) error {
	until := j.until
	j.until = budget.After(ctx, j.left(ctx)/time.Duration(parts))
	defer func() { j.until = until }()
	return do()
}
