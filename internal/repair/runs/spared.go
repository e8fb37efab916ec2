package runs

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"

	"gulo/internal/judge"
	"gulo/internal/native"
	"gulo/internal/repair/schema"
	"gulo/internal/report"
)

// This file tells two more repairs that only fit the tests given: those that change what is read
// into what, and those that lose text where the tests miss nothing but white space.

// reads is a statement that reads.
var reads = regexp.MustCompile(`\b(?:scanf|getchar|fgets|gets|getc|fgetc)\s*\([^;{}]*\)\s*;`)

// exchanged returns a statement that reads and that an edit puts in front of others that do or
// behind them, so that each variable gets another part of the input; empty for none.
func exchanged(e *schema.Edit) string {
	var before, after []string
	first, last := -1, -1
	for _, c := range e.Changes {
		was := reads.FindAllString(string(c.File.Text[c.Start:c.End]), -1)
		now := reads.FindAllString(c.Text, -1)
		if slices.Equal(was, now) {
			continue
		}
		before, after = append(before, was...), append(after, now...)
		if first < 0 || c.Start < first {
			first = c.Start
		}
		last = max(last, c.End)
	}
	if len(before) == 0 {
		return ""
	}
	moved := before[0]
	sort.Strings(before)
	sort.Strings(after)
	between := strings.TrimSpace(reads.ReplaceAllString(string(e.Changes[0].File.Text[first:last]), ""))
	if !slices.Equal(before, after) || between != "" {
		return ""
	}
	return strings.TrimSuffix(moved, ";")
}

// whites are white space and what stands for it in texts.
var whites = regexp.MustCompile(`\s|\\[nt]`)

// blankEdit reports whether an edit changes nothing but white space of texts.
func blankEdit(e report.Edit) bool {
	plain := func(s string) string { return whites.ReplaceAllString(s, "") }
	after := plain(e.After)
	return e.Before != "" && plain(e.Before) == after || e.Before == "" && (after == "putchar('');" || after == `printf("");`)
}

func solid(s string) string { return strings.Join(strings.Fields(s), "") }

// loses says on which run near the tests, of as many lines, a repair prints other text than the program did, beside
// white space, where white space is all that the tests miss; empty for none.
func (w *Search) loses(ctx context.Context, one *report.Repair, texts map[string]string) (string, error) {
	if w.t.Ref != nil || w.t.Job.Memory || w.t.Tests == nil || !slices.ContainsFunc(one.Edits, func(e report.Edit) bool { return !blankEdit(e) }) {
		return "", nil
	}
	if !w.wasRun {
		w.wasRun = true
		var err error
		if w.was, err = w.printed(ctx, nil); err != nil {
			return "", err
		}
	}
	for i, c := range w.t.Given.Cases[:min(len(w.t.Tests), len(w.t.Given.Cases))] {
		if i >= len(w.was) || !w.was[i].Ended() || solid(w.was[i].Stdout) != solid(c.Want.Output) {
			return "", nil
		}
	}
	now, err := w.printed(ctx, texts)
	if err != nil {
		return "", err
	}
	n := len(w.t.Tests)
	lines := map[int]bool{} // what another number of lines means nobody says
	for _, t := range w.t.Tests {
		lines[strings.Count(strings.TrimSuffix(t.Stdin, "\n"), "\n")] = true
	}
	for i := n; i < len(now) && i < len(w.was); i++ {
		a, b := &w.was[i], &now[i]
		if lines[strings.Count(strings.TrimSuffix(w.t.Around[i-n].Stdin, "\n"), "\n")] && a.Ended() && b.Ended() && solid(a.Stdout) != solid(b.Stdout) {
			return fmt.Sprintf("the tests miss nothing but white space, and on %s it prints %q where the program printed %q", w.t.Around[i-n].String(), judge.Short(b.Stdout), judge.Short(a.Stdout)), nil
		}
	}
	return "", nil
}

// printed runs the program, or a repaired one, natively on the tests and the runs near them; nil
// where that cannot be.
func (w *Search) printed(ctx context.Context, texts map[string]string) ([]native.Outcome, error) {
	all := map[string]string{}
	for _, f := range w.t.Prog.Tree.Files {
		all[f.Name] = string(f.Text)
		if x, ok := texts[f.Name]; ok {
			all[f.Name] = x
		}
	}
	p, err := native.Build(ctx, all, native.Config{Flags: w.t.Job.Options.Flags, Dir: (&outputs{w: w}).dir(), Unset: true})
	var ce *native.CompileError
	if errors.As(err, &ce) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer p.Close()
	ses := &native.Session{}
	ses.Limit(200*time.Millisecond, 0)
	for _, t := range w.t.Tests {
		ses.Print(ses.Add(&native.Test{Args: t.Args, Stdin: t.Stdin}))
	}
	for _, in := range w.t.Around {
		ses.Print(ses.Add(&native.Test{Args: in.Args, Stdin: in.Stdin}))
	}
	a, err := p.Run(ctx, ses, 2*time.Second)
	if err != nil {
		return nil, err
	}
	return a.Printed, nil
}
