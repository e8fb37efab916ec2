package logic

import (
	"context"
	"fmt"
	"strings"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/job"
	"gulo/internal/plural"
	"gulo/internal/report"
	"gulo/internal/smt"
	"gulo/internal/source"
	"gulo/internal/symbolic"
)

// This file executes a function path by path, and reports the paths.

// Exploration is the result of gulo explore.
type Exploration struct {
	Entry     string         `json:"entry"`
	Paths     []PathReport   `json:"paths"`
	Failing   int            `json:"failing"`
	Complete  bool           `json:"complete"`
	Why       string         `json:"why,omitempty"`
	Covered   int            `json:"covered"`
	Total     int            `json:"statements"`
	Uncovered []report.Place `json:"uncovered"`
	Notes     []string       `json:"notes,omitempty"`
	Unseen    []string       `json:"not_looked_at,omitempty"` // inputs that were not considered
}

// PathReport is one path.
type PathReport struct {
	Inputs    map[string]int64 `json:"inputs"`
	Condition []string         `json:"condition"` // the branches, as written in the source
	Result    string           `json:"result"`
	Failed    bool             `json:"failed"`

	text string
}

// Explore executes the entry path by path.
func Explore(ctx context.Context, req *job.Job, lim symbolic.Limits) (*Exploration, error) {
	if req.Texts == nil {
		req.Texts = &job.Texts{}
	}
	if req.Entry == "" {
		req.Entry = exploreEntry(ctx, req)
	}
	t, err := prepareWith(ctx, req, true)
	if err != nil {
		return nil, err
	}
	defer t.close()
	ctx, cancel := budget.WithDeadline(ctx, t.until)
	defer cancel()
	e := symbolic.New(t.prog, t.terms, symbolic.Options{Unroll: t.unroll(), Wrap: req.Wrap})
	var failed error
	found, err := e.Explore(ctx, t.ask, lim, t.entry, func() (*symbolic.State, []*smt.Term) {
		st, args, err := t.start(e, t.entry)
		if err != nil {
			failed = err
		}
		return st, args
	}, t.inputs.assume)
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	out := &Exploration{Entry: t.entry.Name, Complete: found.Complete, Why: found.Why, Paths: []PathReport{}, Uncovered: []report.Place{}, Notes: t.notes}
	out.Unseen = t.unlooked()
	ins := t.inputs.symbols(e)
	for i := range found.Paths {
		out.Paths = append(out.Paths, t.path(&found.Paths[i], ins))
		if out.Paths[i].Failed {
			out.Failing++
		}
	}
	for _, s := range t.prog.Stmts {
		if s == nil || !s.Stop || !t.own[s.Func] || !written(s.Func) {
			continue
		}
		out.Total++
		if e.Covered[s.ID] {
			out.Covered++
			continue
		}
		p := s.Range.Position()
		out.Uncovered = append(out.Uncovered, report.Place{File: p.File, Line: p.Line})
	}
	return out, nil
}

// exploreEntry returns main if it leads to a call of input(), else the function other than main that leads to the most
// others.
func exploreEntry(ctx context.Context, req *job.Job) string {
	tree, err := req.Tree(ctx)
	if err != nil {
		return ""
	}
	if m := tree.Func("main"); m != nil && leads(m, func(f *cfront.Func) bool { return f.Body == nil && f.Name == "input" }) {
		return "main"
	}
	best, most := "", 0
	for _, f := range tree.Funcs {
		if written(f) && f.Name != "main" && len(cfront.Callees(f)) > most {
			best, most = f.Name, len(cfront.Callees(f))
		}
	}
	if best == "" {
		return "main"
	}
	return best
}

func (t *task) path(p *symbolic.Path, ins []symbolic.Input) PathReport {
	out := PathReport{Inputs: map[string]int64{}, Condition: []string{}}
	for _, s := range ins {
		out.Inputs[s.Name] = decimal(s, p.Inputs)
	}
	out.text = describe(ins, p.Inputs)
	for _, b := range p.Branches {
		text := "?"
		if s := t.prog.Stmts[b.Stmt]; s != nil {
			text = fmt.Sprintf("%d: %s", s.Range.Position().Line, source.OneLine(s.Range.Text()))
		}
		if !b.Taken {
			text += " (not)"
		}
		out.Condition = append(out.Condition, text)
	}
	o := &p.Outcome
	switch o.Kind {
	case symbolic.Passed:
		out.Result = "returns"
		if o.Result != nil && t.entry.Type.Result.IsInteger() {
			out.Result = fmt.Sprintf("returns %d", int64(ctype.Wrap(t.entry.Type.Result, smt.Eval(o.Result, p.Inputs))))
		}
	case symbolic.Failed:
		out.Failed = true
		out.Result = fmt.Sprintf("%s: %s", t.prog.Stmts[o.Stmt].Range.Position(), o.Message)
	default:
		out.Result = "cut: " + o.Message
	}
	return out
}

// String writes the paths for people.
func (x *Exploration) String() string {
	var b strings.Builder
	for _, n := range x.Notes {
		fmt.Fprintln(&b, "note: "+n)
	}
	for i, p := range x.Paths {
		fmt.Fprintf(&b, "path %d: %s: %s\n", i+1, p.text, p.Result)
		for _, c := range p.Condition {
			fmt.Fprintf(&b, "    %s\n", c)
		}
	}
	fmt.Fprintf(&b, "%s of %s, %d %s; %d of %s covered", plural.N(len(x.Paths), "path"), x.Entry, x.Failing, plural.Verb(x.Failing, "fails", "fail"), x.Covered, plural.N(x.Total, "statement"))
	switch {
	case !x.Complete:
		fmt.Fprintf(&b, "; there may be more: %s\n", x.Why)
	case len(x.Unseen) > 0:
		fmt.Fprintf(&b, "; these are all paths of the inputs that were made; not looked at: %s\n", enumerated(x.Unseen))
	default:
		b.WriteString("; these are all paths\n")
	}
	if len(x.Uncovered) > 0 {
		b.WriteString("not covered:")
		for _, p := range x.Uncovered {
			fmt.Fprintf(&b, " %s:%d", p.File, p.Line)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Scalar reports whether no struct of a program has pointers to structs, so that the program works on numbers.
func Scalar(tree *cfront.Program) bool {
	for _, t := range tree.Structs {
		for _, f := range t.Fields {
			if f.Type.Kind == ctype.Pointer && f.Type.Elem.IsAggregate() {
				return false
			}
		}
	}
	return true
}
