package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/judge"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/takeover"
	"gulo/internal/repair/textedit"
	"gulo/internal/report"
	"gulo/internal/timing"
)

// This file takes statements of the reference over, after small edits.

// Bounds.
const (
	borrowRounds = 4  // of learning from what refutes a program
	borrowTests  = 90 // of the runs that were held back
	mostTaken    = 75 // percent of the statements of the functions that change: more is the reference, not a repair
	fewTaken     = 2  // statements that may be more than that
	mostGone     = 50 // percent of the program's own statements: without more of them little is left of what its author thought
	fewGone      = 3  // statements that may be more than that
)

// Borrows reports whether statements of the reference can be taken over.
func (w *Search) Borrows() bool {
	t := w.t
	return t.Ref != nil && t.Job.Entry == "" && len(t.Job.Lock) == 0
}

// Rewrites reports whether what ByReference found leaves little of the program.
func (w *Search) Rewrites() bool { return w.rewrites }

// ByReference repairs with statements of the reference. Precondition: Borrows.
func (w *Search) ByReference(ctx context.Context, until time.Time) (*report.Report, error) {
	rep, err := w.report()
	if err != nil {
		return nil, err
	}
	w.t.Challenge(ctx)
	t := w.t
	if rep.Failing, err = failing(t.Given); err != nil {
		return nil, err
	}
	t.Job.Say("looking for statements of the reference that are missing here")
	own := t.Prog.Tree.Files[0]
	var learned []native.Test
	rep.Result, rep.Cause = report.None, "statements of the reference in this program meet no more runs"
	for range borrowRounds {
		tests := append(w.borrowing(), learned...)
		limit := borrowTime
		res, err := takeover.Solve(ctx, &takeover.Problem{
			Own: t.Prog.Tree, Ref: t.Ref.Prog.Tree, Until: until,
			Fits: func(ctx context.Context, text string) (bool, error) {
				fits, _, err := w.screened(ctx, text, 1, limit, tests)
				if limit = variantTime; err != nil || len(fits) != 1 { // the first has all of the reference
					return false, err
				}
				return fits[0], nil
			},
			Screen: func(ctx context.Context, text string, n int) ([]bool, string, error) {
				defer timing.Begin(ctx, "borrow: variants").End("%d", n)
				return w.screened(ctx, text, n, limit, tests)
			},
		})
		if err != nil || res == nil {
			return rep, err
		}
		if res.Taken > fewTaken && res.Taken*100 > res.Statements*mostTaken {
			rep.Cause = fmt.Sprintf("only functions in which %d of %s %s the reference's meet the runs: that would be another program", res.Taken, plural.N(res.Statements, "statement"), plural.Verb(res.Taken, "is", "are"))
			return rep, nil
		}
		what := fmt.Sprintf("taken over from the reference: %d of %s", res.Taken, plural.N(res.Statements, "statement"))
		r := &schema.Repair{Texts: map[string]string{own.Name: res.Text}}
		for _, c := range lineChanges(string(own.Text), res.Text) {
			c.File = own
			r.Edits = append(r.Edits, &textedit.Edit{What: "taken over from the reference", Func: w.funcAt(c.Start), Changes: []textedit.Change{c}})
		}
		if len(r.Edits) == 0 {
			return rep, nil
		}
		n := len(rep.Repairs)
		v, err := w.try(ctx, rep, r)
		if err != nil {
			return nil, err
		}
		if len(rep.Repairs) > n {
			w.rewrites = res.Gone > fewGone && res.Gone*100 > res.Own*mostGone
			t.Notes = append(t.Notes, what)
			rep.Result, rep.Cause, rep.Notes, rep.Millis = report.Repaired, "", t.Notes, w.millis()
			return rep, nil
		}
		if v.By == nil {
			return rep, nil
		}
		learned = append(learned, *v.By)
	}
	return rep, nil
}

// failing counts the cases of a suite that the program does not meet.
func failing(s *oracle.Suite) (n int, err error) {
	run, err := oracle.NewRunner(s)
	if err != nil {
		return 0, err
	}
	for _, c := range s.Cases {
		r, err := run.Run(c, nil)
		if err != nil {
			return 0, err
		}
		if !r.Meets(c.Want) {
			n++
		}
	}
	return n, nil
}

// borrowing are the runs that a program is tried on.
func (w *Search) borrowing() (tests []native.Test) {
	for _, c := range w.t.Given.Cases {
		tests = append(tests, judge.Test(c))
	}
	if h := w.t.Held; h != nil {
		for i := 0; i < len(h.Cases); i += max(1, len(h.Cases)/borrowTests) {
			tests = append(tests, judge.Test(h.Cases[i]))
		}
	}
	return tests
}

// Times that bound one run: of the program with all that can be taken over, and of those with
// less, some of which never end.
const (
	borrowTime  = 500 * time.Millisecond
	variantTime = 30 * time.Millisecond
)

// screened runs a text natively, as often as it has variants; refused is what gcc says against it.
func (w *Search) screened(ctx context.Context, text string, n int, limit time.Duration, tests []native.Test) (fits []bool, refused string, err error) {
	t := w.t
	texts := map[string]string{}
	for i, f := range t.Prog.Tree.Files {
		if texts[f.Name] = string(f.Text); i == 0 {
			texts[f.Name] = text
		}
	}
	p, err := native.Build(ctx, texts, native.Config{Units: t.Prog.Tree.Units(), Options: t.Job.Options, Unset: true, Heap: native.Guarding})
	var ce *native.CompileError
	if errors.As(err, &ce) {
		return nil, ce.Text, nil
	}
	if err != nil {
		return nil, "", err
	}
	defer p.Close()
	ses := &native.Session{}
	ses.Limit(limit, 0)
	var order []int
	for i := range tests {
		order = append(order, ses.Add(&tests[i]))
	}
	ses.Order(order)
	for g := range n {
		ses.Screen(g, 0)
	}
	a, err := p.Run(ctx, ses, max(budget.Until(ctx, w.until), time.Second))
	if err != nil {
		return nil, "", err
	}
	fits = make([]bool, n)
	for _, x := range a.Screened {
		fits[x.G] = x.Failing == len(tests)
	}
	return fits, "", nil
}

// funcAt is the function around a place of the first file, or the first one.
func (w *Search) funcAt(at int) (f *cfront.Func) {
	for _, g := range w.t.Prog.Tree.Funcs {
		if g.Body == nil || !g.Whole.Valid() || g.Whole.File != w.t.Prog.Tree.Files[0] {
			continue
		}
		if f == nil || g.Whole.Start <= at {
			f = g
		}
	}
	return f
}

// lineChanges are the lines that two texts do not have in common.
func lineChanges(a, b string) (out []textedit.Change) {
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	common := make([][]int, len(x)+1)
	for i := len(x); i >= 0; i-- {
		common[i] = make([]int, len(y)+1)
		for j := len(y) - 1; j >= 0 && i < len(x); j-- {
			if x[i] == y[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	at := 0
	var cur *textedit.Change
	end := func() {
		if cur != nil {
			out = append(out, *cur)
		}
		cur = nil
	}
	begin := func() {
		if cur == nil {
			cur = &textedit.Change{Start: at, End: at}
		}
	}
	for i, j := 0, 0; i < len(x) || j < len(y); {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			end()
			at += len(x[i])
			i, j = i+1, j+1
		case j < len(y) && (i == len(x) || common[i][j+1] >= common[i+1][j]):
			begin()
			cur.Text += y[j]
			j++
		default:
			begin()
			at += len(x[i])
			cur.End = at
			i++
		}
	}
	end()
	return slices.Clip(out)
}
