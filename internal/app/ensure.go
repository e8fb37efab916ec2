package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"gulo/internal/contract"
	"gulo/internal/job"
	"gulo/internal/pwp"
	"gulo/internal/report"

	"github.com/spf13/cobra"
)

// contractFlags are the flags of localization and correction from contracts.
type contractFlags struct {
	file                      string
	comments, explain, traces bool
	dices                     bool
}

func (f *contractFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "contract", "", "`FILE`: a contract, {\"entry\": \"max\", \"pre\": \"n > 0\", \"post\": \"result >= x\"}; see docs/contracts.md")
	c.Flags().BoolVar(&f.comments, "contracts", false, "use the pre: and post: in the comment above each function")
	c.Flags().BoolVar(&f.explain, "explain", false, "for the evidence engine: say what the program makes true, what should be true, and where the two clash")
	c.Flags().BoolVar(&f.traces, "trace", false, "for the evidence engine: print the failing call step by step")
}

func (f *contractFlags) given() bool { return f.file != "" || f.comments }

func (s *streams) ensureRequest(c *cobra.Command, f *specFlags, g *contractFlags, args []string) (*job.Job, error) {
	from, err := s.program(c, args, &f.src, &f.build)
	if err != nil {
		return nil, err
	}
	if f.reference != "" {
		return nil, &exitError{exitUsage, "--contract and --reference are two specifications; give one"}
	}
	r := &job.Job{Files: from.files, Spec: job.Spec{Contract: g.file, Tests: f.tests}, Entry: f.entry, Options: from.options(f, ""), Limit: f.limit, Dices: g.dices, Lock: f.lock, Seed: f.seed}
	r.Progress = s.showing()
	return r, nil
}

func ensureError(err error) error {
	var use *job.UsageError
	var bad *contract.Error
	if errors.As(err, &use) || errors.As(err, &bad) {
		return &exitError{exitUsage, err.Error()}
	}
	return specError(err)
}

// answerEnsure prints a report with its trace and its evidence.
func (s *streams) answerEnsure(f *specFlags, g *contractFlags, rep *pwp.Answer) error {
	return s.answer(f.output, func(w io.Writer) error {
		if f.format == "json" {
			enc := json.NewEncoder(w)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			return enc.Encode(rep)
		}
		if f.format == "text" {
			explainEnsure(w, rep, g)
		}
		return printFix(w, &rep.Report, f.format)
	})
}

func explainEnsure(w io.Writer, rep *pwp.Answer, g *contractFlags) {
	if g.traces && rep.Trace != "" {
		fmt.Fprint(w, rep.Trace)
	}
	if g.explain {
		for _, x := range rep.Explanation {
			fmt.Fprintln(w, "evidence: "+x)
		}
	}
}

func (s *streams) locateEnsure(c *cobra.Command, f *specFlags, g *contractFlags, args []string) error {
	r, err := s.ensureRequest(c, f, g, args)
	if err != nil {
		return err
	}
	var rank *report.Ranking
	rep, err := within(c.Context(), f.limit, func() (rep *pwp.Answer, err error) {
		rank, rep, err = pwp.Locate(c.Context(), r, false)
		return rep, err
	})
	if err != nil {
		return ensureError(err)
	}
	err = s.answer(f.output, func(w io.Writer) error {
		if f.format == "json" {
			if rank.Diagnoses == nil {
				rank.Diagnoses = [][]report.Place{}
			}
			enc := json.NewEncoder(w)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			return enc.Encode(rank)
		}
		if rep.Result != "" {
			fmt.Fprintf(w, "%s: %s\n", rep.Result, rep.Cause)
			return nil
		}
		fmt.Fprintln(w, rep.Example)
		explainEnsure(w, rep, g)
		for _, x := range rank.Ranking {
			fmt.Fprintf(w, "%8.3f  %s:%d: %s\n", x.Score, x.File, x.Line, x.Statement)
		}
		return nil
	})
	if err != nil || rep.Result == "" {
		return err
	}
	return resultError(rep.Result)
}
