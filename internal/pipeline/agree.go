package pipeline

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/judge"
)

// Agreed is what other programs were asked.
type Agreed struct {
	Others int            // that meet the tests, and were asked
	Runs   int            // on which most of them do the same
	Failed []judge.Failed // that do not meet the tests
}

// Agree asks other programs what is right on runs made from a folder of tests, and
// writes those on which most of them do the same into another folder, for Spec.Agreed. What
// does not meet the tests is not asked. The same seed makes the same runs unless time is short.
func Agree(ctx context.Context, list []Asked, tests string, seed int64, dir string) (*Agreed, error) {
	given, err := cases.LoadTests(tests)
	if err != nil {
		return nil, err
	}
	made, n, failed, err := judge.Agree(ctx, list, given, seed)
	if err != nil {
		return nil, err
	}
	for i := range made {
		made[i].Name = fmt.Sprintf("run%03d", i)
	}
	return &Agreed{n, len(made), failed}, cases.SaveTests(dir, made)
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
			return nil, job.Usage("%s is no .c file, and no folder of any", p)
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
func Divide(ctx context.Context, asked []Asked, tests string, seed int64) (list []judge.Division, n int, err error) {
	given, err := cases.LoadTests(tests)
	if err != nil {
		return nil, 0, err
	}
	return judge.Divide(ctx, asked, given, seed)
}

// Asked is a program that is asked, Division and Group are what Divide finds.
type (
	Asked    = judge.Asked
	Division = judge.Division
	Group    = judge.Group
)
