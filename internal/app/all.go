package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"gulo/internal/job"
	"gulo/internal/locate"
	"gulo/internal/process"
	"gulo/internal/report"
	"gulo/internal/source"

	"github.com/spf13/cobra"
)

// This file runs all localization methods that a specification allows, side by side.

// localizers makes the job for all localization methods or, if only is not "", for that one.
func (s *streams) localizers(c *cobra.Command, f *specFlags, g *formalFlags, k *contractFlags, only string, args []string) (*job.Job, error) {
	from, err := s.program(c, args, &f.src, &f.build)
	if err != nil {
		return nil, err
	}
	stdin, err := s.runInput(f)
	if err != nil {
		return nil, err
	}
	space, err := spaceOf(f.space)
	if err != nil {
		return nil, err
	}
	r := &job.Job{
		Space: space, Files: from.files, Args: from.args, Stdin: stdin, Spec: job.Spec{Contract: k.file, Contracts: k.comments, Assert: g.assert, Tests: f.tests}, Inputs: g.inputs,
		Entry: f.entry, Options: from.options(f, stdin), Logic: job.Logic{Size: g.faults},
		Lock: f.lock, Seed: f.seed,
	}
	if only != "" {
		r.Engines = []string{only}
	}
	if f.reference != "" {
		r.Reference = []string{f.reference}
	}
	r.Progress = s.showing()
	return r, f.bound(c, r)
}

func (s *streams) locateAll(c *cobra.Command, f *specFlags, g *formalFlags, k *contractFlags, args []string) error {
	r, err := s.localizers(c, f, g, k, "", args)
	if err != nil {
		return err
	}
	out, err := s.locateWithin(c.Context(), r)
	if err != nil {
		return allError(err)
	}
	err = s.found(out)(f.output, func(w io.Writer) error {
		if f.format == "json" {
			enc := json.NewEncoder(w)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			return enc.Encode(out)
		}
		printAll(w, out)
		return nil
	})
	switch {
	case err == nil && out.SoFar:
		return &exitError{code: exitOutside}
	case err == nil && out.Failing > 0 && len(out.Ranking) == 0:
		return &exitError{code: exitNegative}
	}
	return err
}

// found returns how an answer is printed: an answer that the methods gave before a signal counts, too.
func (s *streams) found(a *locate.Combined) func(path string, write func(w io.Writer) error) error {
	if a.SoFar {
		return s.print
	}
	return s.answer
}

// locateWithin runs all methods. After a signal, or when the time is up, it returns what the methods had found by then,
// if they had found anything.
func (s *streams) locateWithin(ctx context.Context, r *job.Job) (*locate.Combined, error) {
	var said atomic.Pointer[locate.Combined]
	out, err := within(ctx, r.Guarded(), func() (*locate.Combined, error) {
		return locate.Watch(ctx, r, func(c *locate.Combined) {
			if ctx.Err() != nil {
				return
			}
			said.Store(c)
			if s.offered != nil {
				s.offered()
			}
		})
	})
	var sig process.Signal
	late := errors.As(err, new(*lateError))
	if c := said.Load(); c != nil && (late || errors.As(err, &sig)) {
		why := "stopped"
		if late {
			why = report.TimeLimit
		}
		c.Notes = append(c.Notes, why+": these are the results up to then")
		return c, nil
	}
	return out, err
}

// locateOne runs one method on any specification that it can work from.
func (s *streams) locateOne(c *cobra.Command, f *specFlags, g *formalFlags, k *contractFlags, method string, args []string) error {
	r, err := s.localizers(c, f, g, k, method, args)
	if err != nil {
		return err
	}
	out, err := s.locateWithin(c.Context(), r)
	if err != nil {
		return allError(err)
	}
	list, ok := out.Lists[method]
	if !ok && out.Failing > 0 {
		return &exitError{exitNegative, fmt.Sprintf("--method %s cannot be used here: %s; try --method all", method, out.Left[method])}
	}
	rank := &report.Ranking{Method: method, Ranking: list, Diagnoses: [][]report.Place{}, Failing: out.Failing, Cases: out.Cases, Notes: out.Notes, SoFar: out.SoFar}
	if rank.Ranking == nil {
		rank.Ranking = []report.Suspect{}
	}
	return s.found(out)(f.output, func(w io.Writer) error {
		if f.format == "json" {
			enc := json.NewEncoder(w)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			return enc.Encode(rank)
		}
		if len(list) == 0 {
			fmt.Fprintf(w, "nothing to locate: %s\n", out.Left[method])
			return nil
		}
		printNotes(w, out.Notes)
		fmt.Fprintf(w, "%s; by %s\n", casesFail(out.Failing, out.Cases), method)
		for _, x := range list {
			fmt.Fprintf(w, "%8.3f  %s:%d: %s\n", x.Score, x.File, x.Line, source.OneLine(x.Statement))
		}
		return nil
	})
}

func allError(err error) error {
	var use *job.UsageError
	if errors.As(err, &use) {
		return &exitError{useCode(use), err.Error()}
	}
	return ensureError(formalError(err))
}

func printNotes(w io.Writer, notes []string) {
	for _, n := range notes {
		fmt.Fprintln(w, "note: "+n)
	}
}

// printAll writes the table of methods.
func printAll(w io.Writer, a *locate.Combined) {
	printNotes(w, a.Notes)
	switch {
	case a.Logic != nil:
		fmt.Fprintf(w, "%s fails %s\n", a.Logic.Entry, a.Logic.Example)
	case a.Failing > 0:
		fmt.Fprintf(w, "%s\n", casesFail(a.Failing, a.Cases))
	default:
		fmt.Fprintf(w, "nothing to locate: no method found a failure\n")
	}
	if len(a.Ranking) > 0 {
		printRanking(w, a)
	}
	if a.Logic != nil {
		printDiagnoses(w, a.Logic)
	}
	for _, m := range locate.Names {
		if why := a.Left[m]; why != "" {
			fmt.Fprintf(w, "left out: %s, %s\n", m, why)
		}
	}
}

// mostShown bounds the lines of a table: nobody reads further.
const mostShown = 20

func printRanking(w io.Writer, a *locate.Combined) {
	fmt.Fprintf(w, "%-28s %-36s", "place", "statement")
	for _, m := range locate.Names {
		if a.Left[m] == "" {
			fmt.Fprintf(w, " %9s", m)
		}
	}
	fmt.Fprintf(w, " %9s %9s\n", "agree", "combined")
	for i, b := range a.Ranking {
		if i == mostShown {
			fmt.Fprintf(w, "and %d more; --format json has all\n", len(a.Ranking)-i)
			break
		}
		text := source.OneLine(b.Statement)
		if b.Gap {
			text = "(before) " + text
		}
		if len(text) > 36 {
			text = text[:33] + "..."
		}
		fmt.Fprintf(w, "%-28s %-36s", fmt.Sprintf("%s:%d", b.File, b.Line), text)
		for _, m := range locate.Names {
			switch r, ok := b.Ranks[m]; {
			case a.Left[m] != "":
			case ok:
				fmt.Fprintf(w, " %9.1f", r)
			default:
				fmt.Fprintf(w, " %9s", "-")
			}
		}
		fmt.Fprintf(w, " %9d %9.3f\n", b.Agree, b.Score)
	}
	fmt.Fprintln(w, "agree: methods that have the line among their first three; combined: "+a.Rule)
	if i := slices.IndexFunc(a.Ranking[:min(len(a.Ranking), mostShown)], func(l locate.Line) bool { return l.Gap }); i >= 0 {
		fmt.Fprintln(w, "(before): something may be missing before the line")
	}
}
