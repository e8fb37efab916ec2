package judge

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/repair"
	"gulo/internal/source"
	"gulo/internal/trust"
)

// This file finds out what an answer rests on: which tests execute the changed code, what a repair does on inputs like
// the tests', and which behaviour was never compared.

// facts returns the evidence that every answer to a request has.
func (t *Judge) facts() trust.Facts {
	f := trust.Facts{Given: len(t.WithAside()), Alone: len(t.Aside), From: t.By, Unseen: t.unseen()}
	switch {
	case t.Job.Memory && t.Ref == nil:
		f.Kind = "run"
	case t.Ref == nil:
		f.Kind, f.From = "test", ""
		if len(t.Tests) > 0 { // more tests may have been learned; they do not count
			f.Given = len(t.Tests)
		}
	case t.Given.Entry == nil:
		f.Kind = "run"
	}
	if t.Held != nil {
		f.Held = len(t.Held.Cases)
	}
	if t.Others {
		f.Others = t.Job.Others
	}
	if t.Runs != nil {
		f.Held += len(t.Runs.Cases)
	}
	if t.All != nil {
		f.Bound, f.All = t.Bound, len(t.All.Cases)
	}
	return f
}

// exercise names the given tests that execute nothing that a patch changes, neither before nor after. It returns nil if
// there are no tests.
func (t *Judge) exercise(p *repair.Patch, os []*lower.Overlay) ([]string, error) {
	if t.Tests == nil {
		return nil, nil
	}
	run, err := oracle.NewRunner(oracle.Runs(t.Prog, t.Tests, 0))
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, c := range run.Suite.Cases {
		some := false
		for _, edits := range [][]*lower.Overlay{nil, os} {
			if _, err := run.Cover(c, edits); err != nil {
				return nil, err
			}
			for _, e := range p.Edits() {
				some = some || t.executed(e, run.Covered)
			}
		}
		if !some {
			out = append(out, c.Name)
		}
	}
	return out, nil
}

// executed reports whether a run executes the statement of an edit or, for an insertion, a statement next to it. In an
// empty block any statement of the function counts.
func (t *Judge) executed(e *repair.Edit, covered map[int32]bool) bool {
	if e.Stmt != 0 {
		return covered[e.Stmt]
	}
	g := t.Prog.Gaps[e.Gap]
	var near []cfront.Stmt
	for _, i := range []int{g.Index - 1, g.Index} {
		if i >= 0 && i < len(g.Block.List) {
			near = append(near, g.Block.List[i])
		}
	}
	for id := range covered {
		s := t.Prog.Stmts[id]
		if s != nil && s.Func == g.Func && (len(near) == 0 || slices.Contains(near, s.Node)) {
			return true
		}
	}
	return false
}

// Bounds of the runs that are made by varying the given tests.
const (
	variedTests = 40
	variedTime  = time.Second
)

// near runs the program with and without a patch on inputs made by varying the tests, and counts where they differ. It
// returns nil if there are no tests, or if no input reaches the program.
func (t *Judge) near(os []*lower.Overlay) (*trust.Near, error) { return t.nearby(t.Prog, os) }

// nearby is near for a repaired program.
func (t *Judge) nearby(repaired *lower.Program, os []*lower.Overlay) (*trust.Near, error) {
	if t.Tests == nil {
		return nil, nil
	}
	varied := vary(t.Tests, variedTests)
	run, err := oracle.NewRunner(oracle.Runs(t.Prog, varied, 0))
	if err != nil {
		return nil, err
	}
	then, err := oracle.NewRunner(oracle.Runs(repaired, varied, 0))
	if err != nil {
		return nil, err
	}
	out := &trust.Near{}
	size := 0
	mute := takesNothing(t.Prog) && takesNothing(repaired)
	left := budget.For(variedTime)
	for i, c := range run.Suite.Cases {
		if left.Over() {
			break
		}
		d := then.Suite.Cases[i]
		c.Want, d.Want = nil, nil
		before, err := run.Run(c, nil)
		if err != nil {
			return nil, err
		}
		after, err := then.Run(d, os)
		if err != nil {
			return nil, err
		}
		left.Spend(2*budget.Run + before.Steps + after.Steps)
		if before.Unmodelled() != "" || after.Unmodelled() != "" {
			continue // what it does is not known
		}
		if mute && before.Rest == len(c.Stdin) && after.Rest == len(c.Stdin) {
			continue // the input does not reach the program
		}
		out.Inputs++
		a, b := Became(before, after)
		if a == b {
			continue
		}
		out.Differ++
		if n := len(c.Name); out.Example == "" || n < size {
			size, out.Example, out.Before, out.After = n, c.Name, a, b
		}
	}
	if mute && out.Inputs == 0 {
		return nil, nil
	}
	return out, nil
}

// takesNothing reports whether main has no parameters, so that arguments do not reach the program.
func takesNothing(p *lower.Program) bool {
	main := p.Tree.Func("main")
	return main != nil && len(main.Params) == 0
}

// Became describes what two whole runs did on one input: their output and exit status, or the error in which they end.
// Equal texts mean that the runs are the same in this. Output before an error is not compared. Two runs that do not end
// always get equal texts.
func Became(a, b *oracle.Run) (string, string) {
	if a.Endless() && b.Endless() {
		return endless, endless
	}
	x, y := source.Excerpts(a.Output, b.Output)
	return became(a, x), became(b, y)
}

const endless = "it does not come to an end"

// became describes what a whole run did, given an excerpt of its output.
func became(r *oracle.Run, output string) string {
	if r.Fault != nil {
		return r.Differs(&oracle.Run{})
	}
	text := fmt.Sprintf("it prints %q", output)
	if r.Output == "" {
		text = "it prints nothing"
	}
	if r.Status != 0 {
		text += fmt.Sprintf(" and exits with %d", r.Status)
	}
	return text
}

// vary makes up to most runs like the given ones. It is deterministic.
func vary(tests []oracle.Test, most int) []oracle.Test {
	seen := map[string]bool{}
	var seeds []cases.Input
	for i := range tests {
		in := cases.Input{Args: tests[i].Args, Stdin: tests[i].Stdin}
		seen[in.String()] = true
		seeds = append(seeds, in)
	}
	m := cases.NewMaker(1, seeds, nil)
	var out []oracle.Test
	for try := 0; len(out) < most && try < 10*most && len(seeds) > 0; try++ {
		in := m.Vary(seeds[try%len(seeds)])
		if k := in.String(); !seen[k] {
			seen[k] = true
			out = append(out, oracle.Test{Name: k, Args: in.Args, Stdin: in.Stdin, Judged: tests[try%len(seeds)].Judged})
		}
	}
	return out
}

// unseen names the behaviour that may differ from the reference's but is not compared.
func (t *Judge) unseen() []string {
	out := t.Opaque()
	if t.Ref == nil {
		return out
	}
	if t.Entry == nil { // whole runs
		if slices.ContainsFunc([]*lower.Program{t.Prog, t.Ref.Prog}, writesErrors) {
			out = append(out, "standard error")
		}
		return out
	}
	progs := []*lower.Program{t.Prog, t.Ref.Prog}
	if slices.ContainsFunc(progs, func(p *lower.Program) bool { return keepsState(p, t.Entry.Name) }) {
		out = append(out, "several calls in a row")
	}
	if t.Ref.Texts && slices.ContainsFunc(t.Entry.Params, func(v *cfront.Var) bool { return text(v.Type) }) {
		out = append(out, "the bytes after the end of a string")
	}
	volatile := cfront.Volatiles(t.Entry)
	if f := t.Ref.Prog.Tree.Func(t.Entry.Name); f != nil { // in whole runs the reference need not have the entry
		volatile = append(volatile, cfront.Volatiles(f)...)
	}
	slices.Sort(volatile)
	if volatile = slices.Compact(volatile); len(volatile) > 0 {
		out = append(out, "when and how often "+strings.Join(volatile, ", ")+" is read and written (volatile)")
	}
	r := t.Entry.Type.Result
	if r.IsWide() {
		out = append(out, "the "+r.String()+" that "+t.Entry.Name+" returns")
	}
	if r.IsAggregate() && blind(r, map[*ctype.Type]bool{}) || slices.ContainsFunc(t.Entry.Params, func(v *cfront.Var) bool { return blind(v.Type, map[*ctype.Type]bool{}) }) {
		out = append(out, "unions and bit-fields")
	}
	return append(out, t.elsewhere()...)
}

// elsewhere names what differs from the reference outside the functions that the entry calls.
func (t *Judge) elsewhere() []string {
	own, ref := t.Prog.Tree, t.Ref.Prog.Tree
	called := cfront.Callees(t.Entry)
	var out, names []string
	for _, f := range cases.Written(t.Prog) {
		if g := ref.Func(f.Name); !called[f] && (g == nil || cases.Text(f) != cases.Text(g)) {
			names = append(names, f.Name)
		}
	}
	if sort.Strings(names); len(names) > 0 {
		out = append(out, strings.Join(names, " and ")+" ("+map[bool]string{true: "differs", false: "differ"}[len(names) == 1]+" from the reference's)")
	}
	if cases.Declarations(own) != cases.Declarations(ref) {
		what := declarationsDiffer
		if text := cases.Apart(t.Prog, t.Ref.Prog); text != "" {
			what += " (" + text + ")"
		}
		out = append(out, what)
	}
	return out
}

const declarationsDiffer = "declarations, macros and initial values that differ from the reference's"

// keepsState reports whether a call of a function may leave state for the next call: whether it or a function it calls
// has a static variable or names a global.
func keepsState(p *lower.Program, entry string) bool {
	f := p.Tree.Func(entry)
	if f == nil {
		return false
	}
	called := cfront.Callees(f)
	for _, v := range p.Tree.Globals {
		if v.Func != nil && called[v.Func] && v.Range.Valid() && !strings.HasPrefix(v.Range.File.Name, "@") {
			return true
		}
	}
	found := false
	for f := range called {
		if !f.Range.Valid() || strings.HasPrefix(f.Range.File.Name, "@") {
			continue
		}
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if r, ok := y.(*cfront.Ref); ok && r.Var.Func == nil && r.Var.Range.Valid() && !strings.HasPrefix(r.Var.Range.File.Name, "@") {
					found = true
				}
				return true
			})
		})
	}
	return found
}

// writesErrors reports whether a function of the program mentions stderr or perror.
func writesErrors(p *lower.Program) bool {
	for _, f := range cases.Written(p) {
		if t := f.Whole.Text(); strings.Contains(t, "stderr") || strings.Contains(t, "perror") {
			return true
		}
	}
	return false
}

// blind reports whether a type contains or leads to a union or a bit-field.
func blind(t *ctype.Type, seen map[*ctype.Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind {
	case ctype.Union:
		return true
	case ctype.Struct:
		for _, f := range t.Fields {
			if f.BitLen > 0 || blind(f.Type, seen) {
				return true
			}
		}
	case ctype.Pointer, ctype.Array:
		return blind(t.Elem, seen)
	}
	return false
}

// text reports whether a type is a pointer to non-const characters.
func text(t *ctype.Type) bool {
	return t.Kind == ctype.Pointer && (t.Elem == ctype.CharT || t.Elem == ctype.PlainUCharT)
}
