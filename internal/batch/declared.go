package batch

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/report"

	"github.com/aymanbagabas/go-udiff"
)

// This file repairs what stands beside functions: a macro, an initializer or a type that
// is not the reference's. There is no search; what differs is tried, one place alone and
// then all together, and judged as every repair is.

// mostDeclared bounds the places that are tried.
const mostDeclared = 8

// place of a declaration in which the programs differ.
type declared struct {
	edit       report.Edit
	start, end int // in the program's file
	text       string
	names      []string // in it
}

// declaredApart lists the places outside of functions where a line has other words than
// the reference's.
func declaredApart(own, ref *lower.Program) (out []declared) {
	if len(own.Tree.Files) == 0 || len(ref.Tree.Files) == 0 {
		return nil
	}
	f, g := own.Tree.Files[0], ref.Tree.Files[0]
	before, after := string(f.Text), string(g.Text)
	if strings.Contains(before, "\r\n") && !strings.Contains(after, "\r") {
		after = strings.ReplaceAll(after, "\n", "\r\n")
	}
	for _, e := range udiff.Lines(before, after) {
		old := before[e.Start:e.End]
		a, b := strings.SplitAfter(old, "\n"), strings.SplitAfter(e.New, "\n")
		if len(a) != len(b) {
			continue
		}
		at := e.Start
		for i := range a {
			start := at
			at += len(a[i])
			if strings.Join(strings.Fields(a[i]), " ") == strings.Join(strings.Fields(b[i]), " ") || inFunction(own, f.Name, start) {
				continue
			}
			p := f.Position(start)
			out = append(out, declared{
				edit:  report.Edit{File: p.File, Line: p.Line, Before: strings.TrimSpace(a[i]), After: strings.TrimSpace(b[i]), What: "change a declaration"},
				start: start, end: at, text: b[i], names: identifiersOf(a[i]),
			})
		}
	}
	return out
}

// inFunction reports whether a place belongs to a function's text.
func inFunction(p *lower.Program, file string, at int) bool {
	return slices.ContainsFunc(written(p), func(f *cfront.Func) bool {
		return f.Whole.File.Name == file && f.Whole.Start <= at && at < f.Whole.End
	})
}

// identifiersOf lists the identifiers of a line.
func identifiersOf(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// with is the program's text with some places as the reference has them.
func with(own *lower.Program, places []declared) map[string]string {
	f := own.Tree.Files[0]
	text := string(f.Text)
	for _, d := range slices.Backward(places) {
		text = text[:d.start] + d.text + text[d.end:]
	}
	return map[string]string{f.Name: text}
}

// declarations returns what is tried: each place alone, then all of them.
func (t *task) declarations() [][]declared {
	if t.ref == nil || t.ref.Prog == nil {
		return nil
	}
	all := declaredApart(t.prog, t.ref.Prog)
	if len(all) == 0 || len(all) > mostDeclared {
		return nil
	}
	var out [][]declared
	for i := range all {
		out = append(out, all[i:i+1])
	}
	if len(all) > 1 {
		out = append(out, all)
	}
	return out
}

// byDeclarations tries what differs beside functions. more judges a repair further; it
// may be nil.
func (t *task) byDeclarations(ctx context.Context, rep *report.Report, more func(map[string]string, *report.Repair) (bool, error)) error {
	list := t.declarations()
	if len(list) == 0 {
		return nil
	}
	failing, err := failingCases(t.given)
	if err != nil || failing == 0 {
		return err
	}
	if rep.Example == "" {
		if rep.Example, err = t.example(); err != nil {
			return err
		}
	}
	for _, places := range list {
		texts := with(t.prog, places)
		if !report.Keeps(report.Changes(t.prog, texts), t.req.Lock) {
			continue
		}
		ok, err := patch.Compiles(ctx, t.req.Files, t.req.Options, texts)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		out, c, err := t.judgeText(ctx, texts)
		if err != nil {
			return err
		}
		if c != nil || !out.Evidence.Compiled {
			continue
		}
		for _, d := range places {
			out.Edits = append(out.Edits, d.edit)
			out.Hints = append(out.Hints, fmt.Sprintf("look at line %d of %s", d.edit.Line, d.edit.File))
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

// byDeclarations tries what differs beside functions, once.
func (w *Runs) byDeclarations(ctx context.Context, rep *report.Report) error {
	if w.declared {
		return nil
	}
	w.declared = true
	return w.t.byDeclarations(ctx, rep, func(texts map[string]string, out *report.Repair) (bool, error) {
		ok, err := w.natively(ctx, texts, out)
		return ok && out.Evidence.Zero == "", err
	})
}

// judgeText holds a text that gcc takes against all cases there are; c refutes it. Where the
// machine does not take it the evidence says that nothing was compiled.
func (t *task) judgeText(ctx context.Context, texts map[string]string) (out report.Repair, c *oracle.Case, err error) {
	p, err := t.reloaded(ctx, texts)
	if err != nil || p == nil {
		return out, nil, err
	}
	ev := &out.Evidence
	*ev = t.facts()
	for _, s := range []*oracle.Suite{t.given, t.held, t.all} {
		if s == nil {
			continue
		}
		x := *s
		x.Prog, x.Edited = p, nil
		if s.Entry != nil {
			if x.Entry = p.Tree.Func(s.Entry.Name); x.Entry == nil {
				return out, nil, nil
			}
		}
		var met *int
		switch s {
		case t.held:
			met = &ev.HeldMet
		case t.all:
			met = &ev.AllMet
		}
		if c, err := refutedBy(&x, nil, met); c != nil || err != nil {
			return out, c, err
		}
	}
	ev.Compiled = true
	if declarations(p.Tree) == declarations(t.ref.Prog.Tree) {
		ev.Unseen = slices.DeleteFunc(ev.Unseen, func(s string) bool { return strings.HasPrefix(s, declarationsDiffer) })
	}
	ev.Text = ev.String()
	out.Changes = report.Changes(t.prog, texts)
	out.Diff, err = patch.DiffTexts(t.prog, texts)
	return out, nil, err
}

// using lists the functions beside main that speak of what is declared in another way than
// in the reference, and call no other that does.
func (t *task) using() []*cfront.Func {
	names := map[string]bool{}
	for _, d := range declaredApart(t.prog, t.ref.Prog) {
		for _, n := range d.names {
			names[n] = true
		}
	}
	speaks := func(f *cfront.Func) bool {
		return slices.ContainsFunc(identifiersOf(text(f)), func(w string) bool { return names[w] && !common[w] })
	}
	var out []*cfront.Func
	for _, f := range written(t.prog) {
		if g := t.ref.Prog.Tree.Func(f.Name); f.Name != "main" && g != nil && g.Body != nil && speaks(f) {
			out = append(out, f)
		}
	}
	return innermost(out, speaks)
}

// common are words of declarations that say nothing of who uses them.
var common = map[string]bool{
	"int": true, "char": true, "unsigned": true, "long": true, "short": true, "static": true, "const": true, "define": true, "struct": true,
	"double": true, "float": true, "enum": true, "typedef": true, "signed": true, "void": true, "bool": true, "union": true,
}

// failingCases counts the cases that a suite's program does not meet.
func failingCases(s *oracle.Suite) (n int, err error) {
	r, err := oracle.NewRunner(s)
	if err != nil {
		return 0, err
	}
	for _, c := range s.Cases {
		x, err := r.Run(c, nil)
		if err != nil {
			return n, err
		}
		if !x.Meets(c.Want) {
			n++
		}
	}
	return n, nil
}
