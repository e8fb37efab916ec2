// Package effects localizes by what edits of a line do to whole runs.
//
// This is mutation-based fault localization: Papadakis and Le Traon, "Metallaxis-FL: mutation-based fault localization"
// (STVR 2015), and Moon, Kim, Kim and Yoo, "Ask the mutants: mutating faulty programs for fault localization" (ICST
// 2014). Where we differ: the mutants are edits that a person would make to repair, and a line is scored by its best
// edit, not by the mean over all edits, as many edits of a line do nothing.
package effects

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/judge"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/report"
	"gulo/internal/source"
)

// mostEffects bounds the runs on which edits are tried.
const mostEffects = 24

// Rank ranks lines by what edits in them do to runs. If there is no ranking, none says why.
func Rank(ctx context.Context, t *cases.Set, limit time.Duration) (list []report.Suspect, none string, err error) {
	tests, err := testsOf(t)
	if err != nil {
		return nil, "", err
	}
	e, err := schema.Measure(ctx, &schema.Problem{
		Tree: t.Prog.Tree, Options: t.Job.Options, Funcs: cfront.Once(t.Scope), Tests: tests, Limit: limit,
		Free: func(_ *source.File, line int) bool { return !slices.Contains(t.Job.Lock, line) },
	})
	why, refused := schema.Unbuildable(err)
	switch {
	case refused:
		return nil, "the program's edits cannot be compiled together: " + why, nil
	case err != nil:
		return nil, "", err
	case e.Failing == 0 && e.Cut:
		return nil, "its time was up", nil
	case e.Failing == 0:
		return nil, fmt.Sprintf("compiled by gcc, the program meets %s", plural.All(e.Tests, "run")), nil
	}
	if list = ranked(e); len(list) == 0 && e.Cut {
		return nil, "its time was up", nil
	}
	if len(list) == 0 {
		return nil, fmt.Sprintf("of %s none does anything to a failing run", plural.N(e.Edits, "edit")), nil
	}
	return list, "", nil
}

// testsOf returns the given runs and some held-back ones, failing and passing.
func testsOf(t *cases.Set) ([]native.Test, error) {
	var tests []native.Test
	for _, c := range t.WithAside() {
		tests = append(tests, judge.Test(c))
	}
	if t.Held == nil {
		return tests, nil
	}
	run, err := oracle.NewRunner(t.Held)
	if err != nil {
		return nil, err
	}
	fails, passes := 0, 0
	half := (mostEffects - len(tests)) / 2
	for _, c := range t.Held.Cases {
		if fails >= half && passes >= half {
			break
		}
		r, err := run.Run(c, nil)
		if err != nil {
			return nil, err
		}
		n := &passes
		if !r.Meets(c.Want) {
			n = &fails
		}
		if *n++; *n <= half {
			tests = append(tests, judge.Test(c))
		}
	}
	return tests, nil
}

// Weights of effects. Among edits with equal effects a cheap one, which stands for a common mistake, counts more.
const (
	costWeight  = 0.002
	movedWeight = 0.02 // a failing run fails in another way
)

// ranked scores lines by their best edit.
func ranked(e *schema.Effects) []report.Suspect {
	type at struct {
		file string
		line int
	}
	best := map[at]*report.Suspect{}
	var order []*report.Suspect
	for _, f := range e.List {
		score := movedWeight
		if f.Mended > 0 {
			kept := 1 - float64(f.Broken)/float64(max(e.Tests-e.Failing, 1))
			score = movedWeight + float64(f.Mended)/float64(e.Failing)*kept*kept
		}
		score -= costWeight * float64(f.Edit.Cost)
		x := judge.TextEdit(f.Edit)
		k := at{x.File, x.Line}
		old := best[k]
		if old != nil && old.Score >= score {
			continue
		}
		if old == nil {
			old = &report.Suspect{File: x.File, Line: x.Line}
			best[k], order = old, append(order, old)
		}
		old.Statement, old.Score, old.Gap, old.What = lineText(f.Edit, x.Line), score, x.Before == "", f.Edit.What
	}
	sort.SliceStable(order, func(i, j int) bool {
		a, b := order[i], order[j]
		if a.Score != b.Score {
			return a.Score > b.Score
		}
		return !a.Gap && b.Gap // an insertion does the same in many places
	})
	var out []report.Suspect
	for _, s := range order {
		out = append(out, *s)
	}
	return out
}

// lineText returns a line of the file of an edit.
func lineText(e *textedit.Edit, line int) string {
	lines := strings.Split(string(e.Changes[0].File.Text), "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[line-1])
}
