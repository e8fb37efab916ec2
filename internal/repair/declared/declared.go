// Package declared repairs code outside of functions: macros, initializers and types that differ from the reference's.
// There is no search. The reference's text is tried at each place alone and then at all places together, and judged
// like every other repair.
package declared

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gulo/internal/cases"
	"gulo/internal/judge"
	"gulo/internal/lower"
	"gulo/internal/patch"
	"gulo/internal/report"
)

// mostDeclared bounds the places that are tried.
const mostDeclared = 8

// with returns the program's text with the reference's text at some places.
func with(own *lower.Program, places []cases.Declared) map[string]string {
	f := own.Tree.Files[0]
	text := string(f.Text)
	for _, d := range slices.Backward(places) {
		text = text[:d.Start] + d.Text + text[d.End:]
	}
	return map[string]string{f.Name: text}
}

// places returns the sets of places that are tried: each place alone, then all together. It returns nil without a
// reference, and if too many places differ.
func places(t *cases.Set) [][]cases.Declared {
	if t.Ref == nil || t.Ref.Prog == nil {
		return nil
	}
	all := cases.DeclaredApart(t.Prog, t.Ref.Prog)
	if len(all) == 0 || len(all) > mostDeclared {
		return nil
	}
	var out [][]cases.Declared
	for i := range all {
		out = append(out, all[i:i+1])
	}
	if len(all) > 1 {
		out = append(out, all)
	}
	return out
}

// Try tries to repair the program by the reference's declarations. The first repair is added to rep. more judges a
// repair further; it may be nil.
func Try(ctx context.Context, t *judge.Judge, rep *report.Report, more func(map[string]string, *report.Repair) (bool, error)) error {
	list := places(t.Set)
	if len(list) == 0 {
		return nil
	}
	failing, err := judge.FailingCases(t.Given)
	if err != nil || failing == 0 {
		return err
	}
	if rep.Example == "" {
		if err = t.Show(ctx, rep); err != nil {
			return err
		}
	}
	for _, places := range list {
		texts := with(t.Prog, places)
		if !report.Keeps(report.Changes(t.Prog, texts), t.Job.Lock) {
			continue
		}
		ok, err := patch.Compiles(ctx, t.Job.Files, t.Job.Options, texts)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		out, c, err := t.JudgeText(ctx, texts)
		if err != nil {
			return err
		}
		if c != nil || !out.Evidence.Compiled {
			continue
		}
		for _, d := range places {
			out.Edits = append(out.Edits, report.Changed{File: d.At.File, Line: d.At.Line, Before: d.Before, After: strings.TrimSpace(d.Text), What: "change a declaration"})
			out.Hints = append(out.Hints, fmt.Sprintf("look at line %d of %s", d.At.Line, d.At.File))
		}
		if more != nil {
			if ok, err = more(texts, &out); err != nil {
				return err
			}
			if !ok {
				continue
			}
		}
		rep.Failing, rep.Result, rep.Cause = failing, report.Repaired, ""
		rep.Repairs, rep.Texts = append(rep.Repairs, out), append(rep.Texts, texts)
		return nil
	}
	return nil
}
