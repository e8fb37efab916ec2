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

// Agreed is what other programs were asked.
type Agreed struct {
	Others int      // that meet the tests, and were asked
	Runs   int      // on which most of them do the same
	Met    []Asked  // these
	Failed []Failed // that do not meet the tests
	Spaced string   // why white space at the ends of lines and outputs does not count, where nobody has said so
}

// Agree asks other programs what is right on runs made from a folder of tests, and
// writes those on which most of them do the same into another folder, for Spec.Agreed. What
// does not meet the tests is not asked. The same seed makes the same runs unless time is short. With SpaceAuto outputs
// are compared as judges do where none of them meets the tests otherwise.
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

// loadTests reads a folder of tests, whose outputs are compared as it is said.
func loadTests(dir string, space Space) ([]oracle.Test, error) {
	tests, err := cases.LoadTests(dir)
	if space == SpaceJudge {
		cases.Judged(tests)
	}
	return tests, err
}

// Others lists the programs that files and folders hold, each a file, but some that are named.
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

// Divide looks for inputs, made from a folder of tests, that tell programs apart which meet all of them.
// n is how many of them do.
func Divide(ctx context.Context, asked []Asked, space Space, tests string, seed int64) (list []judge.Division, n int, err error) {
	given, err := loadTests(tests, space)
	if err != nil {
		return nil, 0, err
	}
	return judge.Divide(ctx, asked, given, seed)
}

// Asked is a program that is asked, Failed one that is not, Division and Group are what Divide finds.
type (
	Asked    = judge.Asked
	Failed   = judge.Failed
	Division = judge.Division
	Group    = judge.Group
)
