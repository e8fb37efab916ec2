package app

import (
	"errors"
	"fmt"
	"gulo/internal/plural"
	"gulo/internal/timing"
	"io/fs"
	"os"
	"slices"

	"gulo/internal/job"
	"gulo/internal/pipeline"
	"gulo/internal/process"
	"gulo/internal/repair/mistakes"
	"gulo/internal/source"

	"github.com/spf13/cobra"
)

// This file makes jobs from options and prints their answers.

// job makes the job that the options of fix describe.
func (s *streams) job(c *cobra.Command, f *specFlags, g *formalFlags, k *contractFlags, n int, args []string) (*job.Job, error) {
	from, err := s.program(c, args, &f.src, &f.build)
	if err != nil {
		return nil, err
	}
	stdin, err := s.runInput(f)
	if err != nil {
		return nil, err
	}
	if err := g.check(); err != nil {
		return nil, err
	}
	space, err := spaceOf(f.space)
	if err != nil {
		return nil, err
	}
	j := &job.Job{
		Space: space, Files: from.files, Options: from.options(f, stdin), Entry: f.entry, Lock: f.lock, Args: from.args, Stdin: stdin, Inputs: g.inputs,
		Spec:    job.Spec{Tests: f.tests, Assert: g.assert, Contract: k.file, Contracts: k.comments, Memory: f.memory},
		Repairs: n, Seed: f.seed, Logic: g.options(), Dices: k.dices,
	}
	if f.reference != "" {
		j.Spec.Reference = []string{f.reference}
	}
	if f.mistakes != "" {
		if j.Mistakes, err = mistakes.ReadFile(f.mistakes); err != nil {
			return nil, &exitError{exitUsage, unread("--mistakes", f.mistakes, err, "a file of mistakes; docs/mistakes.md has its form")}
		}
	}
	if err := f.bound(c, j); err != nil {
		return nil, err
	}
	j.Progress = s.showing()
	if g.method != "" {
		j.Engines = []string{g.method}
		return j, refuse(c, "fix", fixEngine(g.method, f, k))
	}
	if j.Engines = accepting(c, k, f.reference != ""); len(j.Engines) == 0 {
		return nil, refuse(c, "fix", "heap")
	}
	return j, nil
}

// unread returns the message for a file that an option names: that it cannot be read, or what is wrong in it.
func unread(option, name string, err error, instead string) string {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return source.Refused(option, name, err, instead)
	}
	return err.Error()
}

// fix repairs and prints the answer.
func (s *streams) fix(c *cobra.Command, f *specFlags, g *formalFlags, k *contractFlags, n int, rewrite string, args []string) error {
	j, err := s.job(c, f, g, k, n, args)
	if err != nil {
		return err
	}
	forget, err := s.others(c, f, j)
	if err != nil {
		return err
	}
	defer forget()
	ctx, times := c.Context(), (*timing.Record)(nil)
	if f.times {
		ctx, times = timing.With(ctx)
	}
	a, err := s.fixWithin(ctx, j)
	if times != nil && (err != nil || f.format != "json") {
		defer times.Print(s.err)
	}
	if err != nil {
		return fixError(err)
	}
	if times != nil && f.format == "json" {
		a.Report.Spans = times.Spans()
	}
	switch {
	case a.Logic != nil:
		err = s.answerFormal(f, a.Logic)
	case a.Evidence != nil:
		err = s.answerEnsure(f, k, a.Evidence)
	default:
		err = s.answerFix(f, a.Report)
	}
	if err != nil {
		return err
	}
	if texts := a.Sources(); rewrite != "" && len(texts) > 0 {
		if err := writeSources(texts, rewrite); err != nil {
			return err
		}
	}
	return resultError(a.Report.Result)
}

// others runs the programs of --right on more inputs. forget removes the folder with their outputs.
func (s *streams) others(c *cobra.Command, f *specFlags, j *job.Job) (forget func(), err error) {
	forget = func() {}
	if len(f.right) == 0 {
		return forget, nil
	}
	if f.reference != "" || !j.Folder() {
		return forget, &exitError{exitUsage, "--right needs --tests with a folder of tests, and no --reference: a reference says more"}
	}
	list, err := pipeline.Others(f.right, j.Files, j.Options)
	if err != nil {
		return forget, fixError(err)
	}
	dir, err := process.TempDir("gulo-agreed-")
	if err != nil {
		return forget, err
	}
	forget = func() { _ = os.RemoveAll(dir) }
	j.Say("asking %s", plural.N(len(list), "other program"))
	a, err := pipeline.Agree(c.Context(), list, j.Space, j.Spec.Tests, j.Seed, dir)
	if err != nil {
		return forget, fixError(err)
	}
	if a.Spaced != "" {
		j.Space, j.Spaced = job.SpaceJudge, a.Spaced
	}
	switch {
	case a.Others == 0 && len(a.Failed) > 0:
		return forget, &exitError{exitUsage, fmt.Sprintf("none of %s given with --right meets the tests; %s: %s", plural.N(len(list), "program"), a.Failed[0].Name, a.Failed[0].Why)}
	case a.Others == 0:
		return forget, &exitError{exitUsage, "--right names no program but the one to be repaired"}
	case a.Runs > 0:
		j.Agreed, j.Others = dir, a.Others
	}
	for _, x := range list { // also those that were not run, because what is taken from them is tested
		if !slices.ContainsFunc(a.Failed, func(no pipeline.Failed) bool { return no.Name == x.Name }) {
			j.Right = append(j.Right, x.Files...)
		}
	}
	return forget, nil
}

// fixError gives errors of fix their exit codes.
func fixError(err error) error {
	var use *job.UsageError
	if errors.As(err, &use) {
		return &exitError{useCode(use), err.Error()}
	}
	return ensureError(formalError(err))
}

func writeSources(texts map[string]string, path string) error {
	if len(texts) != 1 {
		return &exitError{exitUsage, "--rewrite writes one file, and the repair changes several; use --format diff"}
	}
	for _, t := range texts {
		if err := saveFile(path, []byte(t)); err != nil {
			return err
		}
	}
	return nil
}

// options returns the options that only logic honours.
func (g *formalFlags) options() job.Logic {
	return job.Logic{
		NoConditions: g.noConditions, Parts: g.every, Size: g.faults, Failing: g.failing, Eq7: g.eq7, Wrap: g.wrap,
		Unroll: g.unroll, Templates: g.templates, TemplateFile: g.templateFile, Plain: g.plain, Meek: g.plain, Random: g.random,
	}
}
