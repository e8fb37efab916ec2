package logic

import (
	"context"
	"fmt"
	"os"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/patch"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/repair"
	"gulo/internal/repair/template"
	"gulo/internal/report"
	"gulo/internal/sat"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// This file writes a repair as text and checks that text by the specification again. It relies on nothing that the
// search assumed.

// text is a repaired program that was written and loaded again.
type text struct {
	diff  string
	files map[string]string // the repaired sources, by name
	dir   string
	at    []string // the files that were written
	opt   cfront.Options
	prog  *lower.Program
}

func (w *text) remove() { os.RemoveAll(w.dir) }

// write writes a patched program into a folder of its own. It returns nil if the patch cannot be written or the text
// cannot be loaded.
func (t *task) write(ctx context.Context, p *repair.Patch) (*text, error) {
	w := &text{}
	var err error
	if w.diff, err = patch.Diff(t.prog, p); err != nil {
		return nil, nil
	}
	if w.files, err = patch.Rewrite(t.prog, p); err != nil {
		return nil, nil
	}
	if w.dir, err = process.TempDir("gulo-formal-"); err != nil {
		return nil, err
	}
	if w.at, w.opt, err = patch.WriteTo(w.dir, t.req.Files, t.req.Options, w.files); err == nil {
		if w.prog, err = t.load(ctx, w.dir, w.at, w.opt); err == nil {
			return w, nil
		}
		err = ctx.Err()
	}
	w.remove()
	return nil, err
}

// report adds a repair to the report, if its text holds.
func (t *task) report(ctx context.Context, rep *Answer, f *failure, r found) error {
	p := r.patch
	if p == nil {
		var err error
		if p, err = t.patch(r); err != nil {
			return nil // a repair that cannot be written is none
		}
	}
	w, err := t.write(ctx, p)
	if err != nil || w == nil {
		return err
	}
	defer w.remove()
	out := report.Repair{Diff: w.diff, Changes: report.Changes(t.prog, w.files)}
	if !report.Keeps(out.Changes, t.req.Lock) {
		return nil
	}
	if r.patch != nil {
		out.Hints = report.Hints(t.prog, p)
		for _, e := range p.Edits() {
			out.Edits = append(out.Edits, report.EditOf(t.prog, e))
		}
	} else {
		out.Hints = []string{"look at " + t.prog.Tree.At(r.components[0].Position())}
	}
	for i, c := range r.components {
		pos := c.Position()
		out.Edits = append(out.Edits, report.Changed{File: pos.File, Line: pos.Line, Before: c.String(), After: cfront.Text(r.X[i]), What: "change"})
	}
	ev := &out.Evidence
	ev.Given, ev.Compiled = len(f.failing)+len(f.passing), true
	t.req.Best.About(&rep.Report)
	t.req.Best.Offer(report.Meets, out, w.files)
	proof, covers, counter, err := t.prove(ctx, f, w.prog)
	if counter != nil {
		t.req.Best.Drop(w.files)
	}
	if err != nil || counter != nil {
		return err
	}
	if ev.Proof = t.evidence(proof, covers); proof != "proved" && proof != "bounded" {
		proof = "unknown"
	}
	n, bad, err := t.native(ctx, f, w.at, w.opt, true)
	switch {
	case err != nil && ctx.Err() != nil: // without the native check nothing is claimed
		proof, ev.Proof = "unknown", t.evidence("the time was up before it was run natively", covers)
	case err != nil:
		ev.Missing = err.Error()
	case bad != "":
		t.req.Best.Drop(w.files)
		t.notes = append(t.notes, fmt.Sprintf("a repair that holds on symbols fails natively %s; it is not shown", bad))
		return nil
	case n > 0:
		ev.Held, ev.HeldMet, ev.Native = n, n, n
	}
	ev.Unseen = t.leaves()
	ev.Text = ev.String()
	if len(rep.Repairs) == 0 {
		rep.Proof, rep.Covers = proof, covers
	}
	rep.Repairs, rep.Texts = append(rep.Repairs, out), append(rep.Texts, w.files)
	return nil
}

// evidence says what a proof shows.
func (t *task) evidence(proof string, covers *Covers) string {
	switch proof {
	case "proved":
		return "proved for " + covers.String()
	case "bounded":
		return "holds for " + covers.String()
	}
	return "holds on the inputs tried; " + proof
}

// patch converts a repair to edits. Several components of one statement become one edit.
func (t *task) patch(r found) (*repair.Patch, error) {
	p := repair.NewPatch()
	for i, c := range r.components {
		s := t.statement(c)
		if s == nil {
			return nil, fmt.Errorf("no statement has %s", c)
		}
		e := p.Stmts[s.ID]
		if e == nil {
			x := s.X
			if s.Kind == lower.Decl {
				x = s.Decl.Init[0].X
			}
			e = &repair.Edit{Stmt: s.ID, New: x}
			p.Stmts[s.ID] = e
		}
		if e.New == c.X || cfront.Skip(e.New) == c.X {
			e.New = r.X[i]
		} else {
			e.New = cfront.Replace(e.New, c.X, r.X[i])
		}
	}
	return p, nil
}

func (t *task) statement(c *template.Component) *lower.Stmt {
	for _, s := range t.prog.Stmts {
		if s == nil || s.Func != c.Func {
			continue
		}
		if s.X != nil && s.X == c.Root {
			return s
		}
		if s.Kind == lower.Decl && len(s.Decl.Init) == 1 && s.Decl.Init[0].X == c.Root {
			return s
		}
	}
	return nil
}

// endless returns a collected input on which the program was cut although the reference ends, or nil if there is none.
func (t *task) endless(f *failure, r *run) smt.Model {
	if t.ref == nil {
		return nil
	}
	lazy := &smt.Lazy{}
	for _, in := range slices.Concat(f.failing, f.passing) {
		lazy.Use(in)
		for _, o := range r.outs {
			if o.Kind == symbolic.Cut && lazy.Value(o.Cond) == 1 {
				return in
			}
		}
	}
	return nil
}

// crowded reports whether inputs were excluded on which loops run only few rounds.
func (t *task) crowded(r *run) bool {
	return r.engine.Crowded || t.refRun != nil && t.refRun.engine.Crowded
}

// longer reports whether a program that was followed for a number of rounds may run on while the reference ends after a
// quarter of them. It matters as an endless loop meets everything that is demanded of outcomes. The answer is the
// solver's; if it is Satisfiable, the solver's model is such an input.
func (t *task) longer(ctx context.Context, r *run) (sat.Result, error) {
	if t.ref == nil || t.complete(r) {
		return sat.Unsatisfiable, nil
	}
	cut := t.terms.False
	for _, o := range r.outs {
		if o.Kind == symbolic.Cut {
			cut = t.terms.Or(cut, o.Cond)
		}
	}
	if cut == t.terms.False {
		return sat.Unsatisfiable, nil
	}
	short, err := t.execute(ctx, t.ref, t.refEntry, nil, t.unroll())
	if err != nil {
		return sat.Unknown, err
	}
	ans, _, err := t.ask.Check(ctx, t.terms.And(cut, short.passed))
	return ans, err
}

// prove executes the repaired program, as loaded from its text, and decides whether any input fails.
func (t *task) prove(ctx context.Context, f *failure, prog *lower.Program) (proof string, covers *Covers, counter smt.Model, err error) {
	entry := prog.Tree.Func(t.entry.Name)
	own := *t
	own.prog, own.tree, own.entry = prog, prog.Tree, entry
	own.own, _ = reach(entry)
	r, err := own.execute(ctx, prog, entry, nil, t.far())
	if err != nil {
		return "", nil, nil, err
	}
	left := map[string]bool{}
	r.note = func(what string) { left[what] = true }
	_, fail, err := own.correct(ctx, r)
	if err != nil {
		return "", nil, nil, err
	}
	proof, covers, counter, err = own.decide(ctx, f, r, fail, left)
	t.gaps = own.gaps
	return proof, covers, counter, err
}

// decide decides whether a run of the task's program fails on any input. left is what could not be compared. proof is
// "proved", "bounded" or says why neither is known. counter is an input that fails.
func (t *task) decide(ctx context.Context, f *failure, r *run, fail *smt.Term, left map[string]bool) (proof string, covers *Covers, counter smt.Model, err error) {
	if in := t.endless(f, r); in != nil {
		return "", nil, in, nil
	}
	t.ask.Reset()
	t.ask.Assert(t.inputs.assume)
	ans, _, err := t.ask.Check(ctx, fail)
	switch {
	case err != nil:
		return "", nil, nil, err
	case ans == sat.Satisfiable:
		if counter = t.taken(f); !t.certain(r, counter) {
			return "whether it prints the same as the reference is not known", nil, nil, nil
		}
		return "", nil, counter, nil
	case ans == sat.Unknown:
		return "the solver does not know whether it holds for all (" + t.ask.Cause + ")", nil, nil, nil
	}
	if err := t.unknowable(r, t.entry); err != nil {
		return "", nil, nil, err
	}
	covers = t.coverage(r, left)
	if err := t.reached(ctx, r, covers); err != nil {
		return "", nil, nil, err
	}
	if t.gaps, err = t.pointerGaps(ctx, r, covers); err != nil {
		return "", nil, nil, err
	}
	longer, err := t.longer(ctx, r)
	if err != nil {
		return "", nil, nil, err
	}
	switch {
	case longer == sat.Satisfiable:
		return "", nil, t.taken(f), nil
	case longer == sat.Unknown:
		return "the solver does not know whether it ends where the reference does (" + t.ask.Cause + ")", covers, nil, nil
	case len(covers.Left) > 0:
		return "these are not compared: " + enumerated(covers.Left), covers, nil, nil
	case !t.complete(r) && t.crowded(r):
		return fmt.Sprintf("loops in loops were followed for %s in all, which leaves inputs out", plural.N(t.far(), "round")), covers, nil, nil
	case !t.complete(r):
		covers.Rounds = t.far()
		return "bounded", covers, nil, nil
	case len(t.unlooked())+len(t.gaps) > 0:
		return "bounded", covers, nil, nil
	}
	return "proved", covers, nil, nil
}
