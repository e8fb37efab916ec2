package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/judge"
	"gulo/internal/native"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/report"
	"gulo/internal/source"
)

// This file finds out how well the tests determine a number that a repair introduces: if its neighbours meet them, too,
// the tests do not say which is right. All neighbours are compiled at once, with a variable of the harness in place of
// the number.

// Bounds on trying other numbers.
const (
	numbersBelow = 40 // numbers that are tried
	numbersAbove = 40
	numberTime   = 100 * time.Millisecond
)

// putIn is a number in the text of a change that was not in the replaced text.
type putIn struct {
	value      int64
	start, end int // in the text
}

// newOne finds the only new number of a change; ok is false if there is none or more than one.
func newOne(c textedit.Change) (n putIn, ok bool) {
	before := integer.FindAllString(blanked(string(c.File.Text[c.Start:c.End])), -1)
	text := blanked(c.Text)
	for _, at := range integer.FindAllStringIndex(text, -1) {
		t := text[at[0]:at[1]]
		if slices.Contains(before, t) {
			continue
		}
		v, err := strconv.ParseInt(t, 0, 32)
		if err != nil || ok || at[0] > 0 && text[at[0]-1] == '.' || at[1] < len(text) && text[at[1]] == '.' {
			return n, false
		}
		n, ok = putIn{v, at[0], at[1]}, true
	}
	return n, ok
}

// blanked replaces the contents of literals in a text by blanks, and keeps its length.
func blanked(t string) string {
	blank := func(s string) string { return strings.Repeat(" ", len(s)) }
	return charLiteral.ReplaceAllStringFunc(textLiteral.ReplaceAllStringFunc(t, blank), blank)
}

// meeting returns the range of consecutive numbers, around the one that a repair introduces, with which all tests are
// met. ok is false if it cannot be determined.
func (w *Search) meeting(ctx context.Context, r *schema.Repair) (n putIn, lo, hi int64, ok bool, err error) {
	if w.t.Ref != nil || w.t.Job.Memory || len(r.Edits) != 1 || len(r.Edits[0].Changes) != 1 {
		return n, 0, 0, false, nil
	}
	c := r.Edits[0].Changes[0]
	if n, ok = newOne(c); !ok {
		return n, 0, 0, false, nil
	}
	least := max(n.value-numbersBelow, 0)
	in := schema.Insert{File: c.File, Start: c.Start, End: c.End, Open: fmt.Sprintf("%s(gulo_g + %d)%s", c.Text[:n.start], least, c.Text[n.end:])}
	if c.End > c.Start {
		in.Open, in.Close = in.Open+" /* ", " */"
	}
	p, err := native.Build(ctx, schema.Instrument(w.t.Prog.Tree, []schema.Insert{in}), native.Config{Units: w.t.Prog.Tree.Units(), Options: w.t.Job.Options, Unset: true})
	var ce *native.CompileError
	if errors.As(err, &ce) { // a constant expression is required there
		return n, 0, 0, false, nil
	}
	if err != nil {
		return n, 0, 0, false, err
	}
	defer p.Close()
	given := w.t.WithAside()
	ses := &native.Session{}
	ses.Limit(numberTime, schema.StepLimit(0))
	for _, x := range given {
		t := judge.Test(x)
		ses.Add(&t)
	}
	most := n.value + numbersAbove
	for v := least; v <= most; v++ {
		ses.Screen(int(v-least), 0)
	}
	a, err := p.Run(ctx, ses, max(budget.Until(ctx, w.until), time.Second))
	if err != nil || len(a.Screened) != int(most-least+1) {
		return n, 0, 0, false, ctx.Err() // the variants cannot be run
	}
	meets := func(v int64) bool { return a.Screened[v-least].Failing == len(given) }
	if !meets(n.value) { // with the variable the text behaves differently
		return n, 0, 0, false, nil
	}
	for lo = n.value; lo > least && meets(lo-1); lo-- {
	}
	for hi = n.value; hi < most && meets(hi+1); hi++ {
	}
	return n, lo, hi, lo < hi, nil
}

// numbers adds a note if other numbers than the one that a repair introduces meet all tests.
func (w *Search) numbers(ctx context.Context, rep *report.Report, r *schema.Repair) error {
	n, lo, hi, ok, err := w.meeting(ctx, r)
	if err != nil || !ok {
		return err
	}
	at := judge.TextEdit(r.Edits[0])
	w.t.Notes = append(w.t.Notes, fmt.Sprintf("%s: with every number from %d to %d in place of %d, the tests are met; they do not say which is right", w.t.Prog.Tree.At(source.Position{File: at.File, Line: at.Line}), lo, hi, n.value))
	rep.Notes = w.t.Notes
	return nil
}
