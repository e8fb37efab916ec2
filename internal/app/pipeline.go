package app

import (
	"os"

	"gulo/internal/batch"
	"gulo/internal/pipeline"

	"github.com/spf13/cobra"
)

// This file asks all engines that a reference or tests are enough for.

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return path != "" && err == nil && info.IsDir()
}

// fixPipeline repairs with every engine that honours all options given.
func (s *streams) fixPipeline(c *cobra.Command, f *specFlags, g *formalFlags, k *contractFlags, n int, rewrite string, args []string) error {
	files, _, err := split(c, args)
	if err != nil {
		return err
	}
	r := &pipeline.Request{Limit: f.limit}
	cases := func() (*batch.Request, error) {
		q, err := s.request(c, f, args)
		if err == nil {
			q.Repairs = n
		}
		return q, err
	}
	if len(ignored(c, "fix", "runs")) == 0 {
		if r.Runs, err = cases(); err != nil {
			return err
		}
	}
	if len(ignored(c, "fix", "heap")) == 0 && f.reference != "" {
		if r.States, err = cases(); err != nil {
			return err
		}
	}
	if len(ignored(c, "fix", "template")) == 0 || f.stdin != "" && f.tests == "" {
		logic, err := g.byLogic(c.Context(), f, files)
		if err != nil {
			return err
		}
		if logic {
			if r.Logic, err = s.formalRequest(c, f, g, args); err != nil {
				return err
			}
			r.Logic.Repairs = n
		}
	}
	if r.Runs == nil && r.States == nil && r.Logic == nil {
		column, err := choose(c, "fix", "heap")
		if err == nil && column == "evidence of cases" {
			return s.fixEvidence(c, f, k, n, rewrite, args)
		}
		return err
	}
	a, err := pipeline.Fix(c.Context(), r)
	if err != nil {
		return specError(formalError(err))
	}
	if a.Logic != nil {
		return s.answerFormal(c, f, a.Logic, rewrite, args)
	}
	return s.answerFix(c, f, a.Report, rewrite, args)
}
