package formal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"gulo/internal/batch"
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/patch"
	"gulo/internal/repair"
	"gulo/internal/repair/template"
	"gulo/internal/sat"
)

// This file turns a repair into text and holds that text against the specification
// again: nothing that the search believed is taken over.

// report adds a repair to the report, when its text holds.
func (t *task) report(ctx context.Context, rep *Report, f *failure, r found) error {
	p, err := t.patch(r)
	if err != nil {
		return nil // what cannot be written is none
	}
	diff, err := patch.Diff(t.prog, p)
	if err != nil {
		return nil
	}
	texts, err := patch.Rewrite(t.prog, p)
	if err != nil {
		return nil
	}
	dir, err := os.MkdirTemp("", "gulo-formal-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	files, opt, err := t.writeTo(dir, texts)
	if err != nil {
		return err
	}
	prog, err := load(ctx, files, opt)
	if err != nil {
		return nil // gcc does not accept it
	}
	proof, counter, err := t.prove(ctx, f, prog)
	if err != nil || counter != "" {
		return err
	}
	out := batch.Repair{Diff: diff, Hints: []string{fmt.Sprintf("look at line %d", r.components[0].Position().Line)}}
	for i, c := range r.components {
		pos := c.Position()
		out.Edits = append(out.Edits, batch.Edit{File: pos.File, Line: pos.Line, Before: c.String(), After: cfront.Text(r.X[i]), What: "change"})
	}
	ev := &out.Evidence
	ev.Given, ev.Compiled = len(f.failing)+len(f.passing), true
	switch proof {
	case "proved":
		ev.Text = "proved for all inputs"
	case "bounded":
		ev.Text = fmt.Sprintf("holds for all inputs on which no loop runs more than %d rounds", 4*t.unroll())
	default:
		ev.Text = "holds on the inputs tried; " + proof
		proof = "unknown"
	}
	if t.ref != nil {
		ev.Text += fmt.Sprintf(" that the reference's %s accepts", t.entry.Name)
	}
	n, bad, err := t.native(ctx, f, files, opt)
	switch {
	case err != nil:
		ev.Text += "; not run natively: " + err.Error()
	case bad != "":
		t.notes = append(t.notes, fmt.Sprintf("a repair that holds on symbols fails natively %s; it is not shown", bad))
		return nil
	case n > 0:
		ev.Held, ev.HeldMet = n, n
		ev.Text += fmt.Sprintf("; compiled and run on %d random and boundary inputs", n)
	}
	if len(rep.Repairs) == 0 {
		rep.Proof, rep.sources = proof, texts
	}
	rep.Repairs = append(rep.Repairs, out)
	return nil
}

// patch makes the edits of a repair: of a statement with several components one.
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

// writeTo writes the program with changed files into a folder; headers of the
// program are found where they were.
func (t *task) writeTo(dir string, texts map[string]string) ([]string, cfront.Options, error) {
	opt := cfront.Options{Flags: append([]string(nil), t.req.Options.Flags...)}
	var files []string
	for i, name := range t.req.Files {
		opt.Flags = append(opt.Flags, "-I"+filepath.Dir(name))
		text, ok := texts[name]
		if !ok {
			b, err := os.ReadFile(name)
			if err != nil {
				return nil, opt, err
			}
			text = string(b)
		}
		to := filepath.Join(dir, fmt.Sprintf("%d-%s", i, filepath.Base(name)))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return nil, opt, err
		}
		files = append(files, to)
	}
	return files, opt, nil
}

// prove executes a program and asks whether any input fails: the text that is shown,
// not what the search had in mind.
func (t *task) prove(ctx context.Context, f *failure, prog *lower.Program) (proof, counter string, err error) {
	entry := prog.Tree.Func(t.entry.Name)
	own := *t
	own.prog, own.tree, own.entry = prog, prog.Tree, entry
	own.outputs = nil
	own.own = cfront.Callees(entry)
	if err := own.findOutputs(); err != nil {
		return "", "", err
	}
	r, err := own.execute(ctx, prog, entry, nil, 4*t.unroll())
	if err != nil {
		return "", "", err
	}
	_, fail, err := own.correct(ctx, r)
	if err != nil {
		return "", "", err
	}
	t.ask.Reset()
	t.ask.Assert(t.inputs.assume)
	ans, _, err := t.ask.Check(ctx, fail)
	switch {
	case err != nil:
		return "", "", err
	case ans == sat.Satisfiable:
		return "", describe(f.inputs, t.ask.Model()), nil
	case ans == sat.Unknown:
		return "the solver does not know whether it holds for all (" + t.ask.Cause + ")", "", nil
	case r.complete && (t.refRun == nil || t.refRun.complete):
		return "proved", "", nil
	}
	return "bounded", "", nil
}
