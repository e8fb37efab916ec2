package runs

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"gulo/internal/cases"
	"gulo/internal/judge"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/report"
	"gulo/internal/source"
)

// This file finds another repair that meets all tests as well as the one found. If the few tests expect hardly
// different outputs, and nothing else tells which is right, showing one of the two would be a guess.

// guess is a repair that is no better than another one.
type guess struct {
	texts map[string]string
	why   string
}

const anotherRepair = "another repair meets all tests as well: "

// IsRival reports whether a note is about another repair as good as the one shown.
func IsRival(note string) bool { return strings.HasPrefix(note, anotherRepair) }

// rival adds a note that another repair meets the tests as well, with an input on which the two differ, if both run
// there without an error.
func (w *Search) rival(ctx context.Context, rep *report.Report, r *schema.Rival) error {
	if r == nil {
		return nil
	}
	in := &cases.Input{Args: r.Input.Args, Stdin: r.Input.Stdin}
	sound, err := w.sound(ctx, r.Texts, in)
	if err != nil || !sound {
		return err
	}
	x, y := became(&r.Does, &r.Found)
	w.t.Notes = append(w.t.Notes, fmt.Sprintf(anotherRepair+"%s. On %s %s with that one, and with the one shown %s; nothing given says which is right", w.edited(r.Edits), in, x, y))
	rep.Notes = w.t.Notes
	if len(rep.Repairs) != 1 || w.t.Ref != nil || w.t.Job.Memory || w.t.Others || w.t.Job.Repairs > 1 {
		return nil
	}
	given := w.t.WithAside()
	var wanted []string
	for _, c := range given {
		wanted = append(wanted, c.Want.Output)
	}
	n := len(given)
	if n > fewTests || !twoAnswers(wanted) || w.unlikely(&r.Repair) {
		return nil
	}
	of := "both"
	if e := rep.Repairs[0].Edits; len(e) > 0 {
		of = fmt.Sprintf("%s, %s, and %s", w.t.Prog.Tree.At(source.Position{File: e[0].File, Line: e[0].Line}), changed(e[0].Before, e[0].After), w.edited(r.Edits))
	}
	w.guess = &guess{rep.Texts[0], fmt.Sprintf("two repairs meet %s and do different things: %s. On %s %s with the first, and with the second %s; add what is right there to the tests",
		plural.All(n, "test"), of, in, y, x)}
	return nil
}

// Guessed says why the first repair of a report is only a guess; "" if it is not.
func (w *Search) Guessed(rep *report.Report) string {
	if w == nil || w.guess == nil || len(rep.Texts) == 0 || !maps.Equal(rep.Texts[0], w.guess.texts) {
		return ""
	}
	return w.guess.why
}

// sound reports whether a changed program ends without an error on an input: otherwise what it does there says nothing.
func (w *Search) sound(ctx context.Context, texts map[string]string, in *cases.Input) (bool, error) {
	p, err := w.t.Reloaded(ctx, texts)
	if err != nil {
		return false, err
	}
	run, err := oracle.NewRunner(&oracle.Suite{Prog: p})
	if err != nil {
		return false, err
	}
	r, err := run.Run(&oracle.Case{Args: in.Args, Stdin: in.Stdin}, nil)
	return err == nil && r.Fault == nil, err
}

// unlikely reports whether a repair only fits the given tests.
func (w *Search) unlikely(r *schema.Repair) bool {
	fits, notes := w.fits, w.t.Notes
	defer func() { w.fits, w.t.Notes = fits, notes }()
	return w.overfit(r)
}

// edited says what the first of some edits does, and where.
func (w *Search) edited(es []*textedit.Edit) string {
	e := judge.TextEdit(es[0])
	return fmt.Sprintf("%s, %s", w.t.Prog.Tree.At(source.Position{File: e.File, Line: e.Line}), changed(e.Before, e.After))
}

func changed(before, after string) string {
	switch {
	case before == "":
		return fmt.Sprintf("%q inserted", source.Excerpt(after))
	case after == "":
		return fmt.Sprintf("%q deleted", source.Excerpt(before))
	}
	return fmt.Sprintf("%q for %q", source.Excerpt(after), source.Excerpt(before))
}
