package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/oracle"
)

// Agreed is what Agree found out.
type Agreed struct {
	Others int      // other programs that meet the tests and were run
	Runs   int      // runs on which most of them agree
	Met    []Asked  // the programs that meet the tests
	Failed []Failed // the programs that do not
	Spaced string   // why white space at the ends of lines and outputs is ignored although nobody asked for that; else ""
}

// Agree runs other programs for the same task on runs made from a folder of tests. It writes those runs on which most
// of the programs agree, with their output, into dir, for Spec.Agreed. Programs that do not meet the tests are left
// out. The same seed gives the same runs unless time is short. With SpaceAuto white space is ignored, as judges do, if
// no program meets the tests otherwise.
func Agree(ctx context.Context, list []Asked, space Space, tests string, seed int64, dir string) (*Agreed, error) {
	given, err := loadTests(tests, space)
	if err != nil {
		return nil, err
	}
	made, met, failed, err := judge.Agree(ctx, list, given, seed)
	if err != nil {
		return nil, err
	}
	if len(met) == 0 && space == SpaceAuto && slices.ContainsFunc(failed, func(f Failed) bool { return f.Spaced }) {
		a, err := Agree(ctx, list, SpaceJudge, tests, seed, dir)
		if err != nil {
			return nil, err
		}
		if a.Others > 0 {
			a.Spaced = cases.Spaced("the other programs' output")
			return a, nil
		}
	}
	for i := range made {
		made[i].Name = fmt.Sprintf("run%03d", i)
	}
	return &Agreed{Others: len(met), Runs: len(made), Met: met, Failed: failed}, cases.SaveTests(dir, made)
}

// loadTests reads a folder of tests. With SpaceJudge their outputs are compared without regard to white space.
func loadTests(dir string, space Space) ([]oracle.Test, error) {
	tests, err := cases.LoadTests(dir)
	if space == SpaceJudge {
		cases.Judged(tests)
	}
	return tests, err
}

// Others lists the programs in paths, each a C file or a folder of C files, and leaves out those named in but.
func Others(paths, but []string, o cfront.Options) ([]Asked, error) {
	var out []string
	for _, p := range paths {
		list, err := filepath.Glob(filepath.Join(p, "*.c"))
		if err != nil {
			return nil, err
		}
		if filepath.Ext(p) == ".c" {
			list = []string{p}
		}
		if len(list) == 0 {
			if _, err := os.Stat(p); err != nil {
				return nil, job.Usage("--right %s: there is no such file or folder; name C programs that are right, or folders of them", p)
			}
			return nil, job.Usage("--right %s is no .c file, and no folder of any", p)
		}
		for _, f := range list {
			if !slices.ContainsFunc(but, func(b string) bool { return filepath.Clean(b) == filepath.Clean(f) }) {
				out = append(out, f)
			}
		}
	}
	return judge.Each(out, o), nil
}

// Divide looks for inputs, made from a folder of tests, that distinguish programs which all meet the tests. n is the
// number of programs that meet them.
func Divide(ctx context.Context, asked []Asked, space Space, tests string, seed int64) (list []judge.Division, n int, err error) {
	given, err := loadTests(tests, space)
	if err != nil {
		return nil, 0, err
	}
	return judge.Divide(ctx, asked, given, seed)
}

// Asked is a program that is run, Failed one that does not meet the tests. Division and Group are what Divide finds.
type (
	Asked    = judge.Asked
	Failed   = judge.Failed
	Division = judge.Division
	Group    = judge.Group
)
