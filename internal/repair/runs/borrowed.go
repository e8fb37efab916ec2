package runs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/judge"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/takeover"
	"gulo/internal/repair/textedit"
	"gulo/internal/report"
	"gulo/internal/timing"
)

// This file takes over statements of the reference, or of other right programs, after small edits were tried.

// Bounds on taking over statements.
const (
	borrowRounds = 6  // rounds of judging a program, and learning from the run that refutes it
	mostDonors   = 5  // other right programs from which statements are taken
	borrowTests  = 90 // of the held-back runs
	mostTaken    = 75 // percentage of the statements in the changed functions: with more it is the reference, not a repair
	fewTaken     = 2  // up to so many statements the percentage does not matter
	mostGone     = 50 // percentage of the program's own statements: if more are removed, little of the author's idea is left
	fewGone      = 3  // up to so many statements the percentage does not matter
)

// donor is a program from which statements may be taken.
type donor struct {
	tree *cfront.Program
	cost float64 // of its alignment with the program
	name string  // for messages
	more int     // percentage of the statements in the changed functions that may be taken
}

// taken is the program with statements taken from a donor.
type taken struct {
	*takeover.Result
	from *donor
}

// size returns how many statements change.
func (x *taken) size() int { return x.Taken + x.Gone }

// another reports whether the result is another program rather than a repair.
func (x *taken) another() bool {
	return x.Taken > fewTaken && x.Taken*100 > x.Statements*x.from.more || x.from.more <= mostGone && x.rewrites()
}

// String says how much was taken.
func (x *taken) String() string {
	if x == nil {
		return "nothing"
	}
	return fmt.Sprintf("%d of %d, without %d of %d", x.Taken, x.Statements, x.Gone, x.Own)
}

// rewrites reports whether little of the program's own statements is left.
func (x *taken) rewrites() bool { return x.Gone > fewGone && x.Gone*100 > x.Own*mostGone }

// Borrows reports whether statements of the reference, or of other right programs, can be taken over.
func (w *Search) Borrows() bool {
	t := w.t
	return (t.Ref != nil || len(t.Job.Right) > 0) && t.Job.Entry == "" && len(t.Job.Lock) == 0
}

// Rewrites reports whether the repair of ByReference leaves little of the program.
func (w *Search) Rewrites() bool { return w.rewrites }

// donors returns the reference or, without one, the other right programs that are most similar to the program.
func (w *Search) donors(ctx context.Context) (out []*donor, err error) {
	t := w.t
	if w.lenders != nil {
		return w.lenders, nil
	}
	if t.Ref != nil {
		return []*donor{{tree: t.Ref.Prog.Tree, name: takenOver + "the reference", more: mostTaken}}, nil
	}
	defer timing.Begin(ctx, "borrow: nearest").End("%d", len(t.Job.Right))
	all := make([]*donor, len(t.Job.Right))
	err = process.Parallel(ctx, runtime.GOMAXPROCS(0), len(all), func(ctx context.Context, i int) error {
		tree, err := cfront.Load(ctx, t.Job.Right[i:i+1], t.Job.Options)
		if err != nil { // the machine cannot read everything that gcc accepts
			return ctx.Err()
		}
		if cost, ok := takeover.Distance(t.Prog.Tree, tree); ok {
			all[i] = &donor{tree, cost, takenOver + "another program", mostGone}
		}
		return nil
	})
	for _, d := range all {
		if d != nil {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b *donor) int { return cmp.Compare(a.cost, b.cost) })
	w.lenders = append([]*donor{}, out[:min(len(out), mostDonors)]...)
	return w.lenders, err
}

// offers returns single statements and conditions of donors as suggested edits.
func (w *Search) offers(ctx context.Context) (out []textedit.Suggested, err error) {
	if !w.Borrows() {
		return nil, nil
	}
	donors, err := w.donors(ctx)
	if err != nil {
		return nil, err
	}
	scope := w.t.TextScope()
	type key struct {
		node  cfront.Node
		where textedit.Where
		text  string
	}
	seen := map[key]bool{}
	for _, d := range donors {
		for _, x := range takeover.Offers(w.t.Prog.Tree, d.tree, strings.TrimPrefix(d.name, takenOver)) {
			if k := (key{x.Node, x.Where, x.Text}); !seen[k] && slices.Contains(scope, x.Func) {
				seen[k] = true
				out = append(out, x)
			}
		}
	}
	return out, nil
}

// takenOver begins the description of edits with statements of another program.
const takenOver = "taken over from "

// ByReference repairs with statements of the reference, or of right programs for the same exercise, as Clara (Gulwani,
// Radiček and Zuleger, PLDI 2018) and Verifix (Ahmed et al., TOSEM 2022) do. It uses the programs that are nearest in
// structure, and judges the smallest change first. Precondition: Borrows.
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
	t.Job.Say("looking for statements of %s that are missing here", w.whose())
	rep.Result, rep.Cause = report.None, "statements of "+w.whose()+" in this program meet no more runs"
	donors, err := w.donors(ctx)
	if err != nil {
		return nil, err
	}
	var list []taken
	var learned []native.Test
	take := func(d *donor, until time.Time) error {
		span := timing.Begin(ctx, "borrow: of one")
		x, err := w.take(ctx, d, until, learned)
		span.End("%s, %.1f apart: %s", d.tree.Files[0].Name, d.cost, x)
		switch {
		case err != nil || x == nil:
		case x.another():
			rep.Cause = fmt.Sprintf("only functions in which %d of %s %s %s meet the runs: that would be another program", x.Taken, plural.N(x.Statements, "statement"), plural.Verb(x.Taken, "is", "are"), strings.TrimPrefix(d.name, takenOver)+"'s")
		default:
			list = append(list, *x)
		}
		return err
	}
	for i, d := range donors {
		if err := take(d, budget.Part(ctx, until, len(donors)-i)); err != nil {
			return rep, err
		}
	}
	for round := 0; round < borrowRounds && len(list) > 0; round++ {
		slices.SortStableFunc(list, func(a, b taken) int { return a.size() - b.size() })
		x := list[0]
		list = list[1:]
		by, err := w.judgeTaken(ctx, rep, &x)
		if err != nil {
			return nil, err
		}
		if rep.Result == report.Repaired {
			return rep, nil
		}
		if by == nil {
			continue
		}
		if learned = append(learned, *by); round < borrowRounds-1 {
			if err := take(x.from, until); err != nil {
				return rep, err
			}
		}
	}
	return rep, nil
}

// whose names the donors, for messages.
func (w *Search) whose() string {
	if w.t.Ref != nil {
		return "the reference"
	}
	return "other programs"
}

// take takes over statements of a donor so that the given runs, some held-back ones and those learned are met; nil if
// that is not possible.
func (w *Search) take(ctx context.Context, d *donor, until time.Time, learned []native.Test) (*taken, error) {
	tests := append(w.borrowing(), learned...)
	limit := borrowTime
	res, err := takeover.Solve(ctx, &takeover.Problem{
		Own: w.t.Prog.Tree, Ref: d.tree, Until: until,
		Fits: func(ctx context.Context, text string) (bool, error) {
			fits, _, err := w.screened(ctx, text, 1, limit, tests)
			if limit = variantTime; err != nil || len(fits) != 1 { // the first call is for the program with all of the donor's statements
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
		return nil, err
	}
	return &taken{res, d}, nil
}

// judgeTaken judges a program with statements of a donor. It returns the run that refutes it, if one does.
func (w *Search) judgeTaken(ctx context.Context, rep *report.Report, x *taken) (by *native.Test, err error) {
	t := w.t
	own := t.Prog.Tree.Files[0]
	r := &schema.Repair{Texts: map[string]string{own.Name: x.Text}}
	for _, c := range lineChanges(string(own.Text), x.Text) {
		c.File = own
		r.Edits = append(r.Edits, &textedit.Edit{What: x.from.name, Func: w.funcAt(c.Start), Changes: []textedit.Change{c}})
	}
	if len(r.Edits) == 0 {
		return nil, nil
	}
	n := len(rep.Repairs)
	v, err := w.try(ctx, rep, r)
	if err != nil || len(rep.Repairs) == n {
		return v.By, err
	}
	w.rewrites = x.rewrites()
	t.Notes = append(t.Notes, fmt.Sprintf("%s: %d of %s", x.from.name, x.Taken, plural.N(x.Statements, "statement")))
	rep.Result, rep.Cause, rep.Notes, rep.Millis = report.Repaired, "", t.Notes, w.millis()
	return nil, nil
}

// failing counts the cases of a suite that fail.
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

// borrowing returns the runs on which programs with other statements are tried.
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

// Time limits for one run: of the program with all statements that can be taken over, and of variants with fewer, some
// of which never end.
const (
	borrowTime  = 500 * time.Millisecond
	variantTime = 30 * time.Millisecond
)

// screened runs a text with n variants natively, and reports which of them meet all tests. refused is gcc's message if
// it rejects the text.
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

// funcAt returns the function around an offset in the first file; before any function, the first one.
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

// lineChanges returns the lines that two texts do not have in common.
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
