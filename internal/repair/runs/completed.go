package runs

import (
	"context"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file extends a repair to branches that no test executes: if it ends a line in one branch, and the parallel
// branches lack the same newline, that is the same mistake.

// completed returns a repair that adds the newline in all parallel branches; nil if there is nothing to add.
func (w *Search) completed(r *schema.Repair) *schema.Repair {
	ended := map[string]bool{} // literals with the newline
	for _, e := range r.Edits {
		for _, c := range e.Changes {
			before := string(c.File.Text[c.Start:c.End])
			if body, ok := strings.CutSuffix(before, `"`); ok && textLiteral.FindString(before) == before && c.Text == body+`\n"` {
				ended[c.Text] = true
			}
		}
	}
	if len(ended) == 0 {
		return nil
	}
	tree, err := cfront.Edited(w.t.Prog.Tree.Units(), w.t.Job.Options, r.Texts)
	if err != nil {
		return nil
	}
	var more []*textedit.Edit
	seen := map[source.Range]bool{}
	for _, f := range tree.Funcs {
		if f.Body == nil || !f.Range.Valid() || strings.HasPrefix(f.Range.File.Name, "@") {
			continue
		}
		cfront.WalkStmt(f.Body, func(st cfront.Stmt) {
			chain, ok := st.(*cfront.If)
			if !ok || chain.Else == nil {
				return
			}
			ends := branchEnds(chain)
			if !slices.ContainsFunc(ends, func(s *cfront.String) bool { return s != nil && ended[s.Range().Text()] }) {
				return
			}
			for _, s := range ends {
				if s == nil || seen[s.Range()] || slices.Contains(w.t.Job.Lock, s.Range().Position().Line) {
					continue
				}
				r, body := s.Range(), strings.TrimSuffix(s.Range().Text(), `"`)
				if seen[r] = true; textLiteral.FindString(r.Text()) == r.Text() && !strings.HasSuffix(body, `\n`) {
					more = append(more, &textedit.Edit{What: "no newline at the end", Cost: 1, Func: f, Changes: []textedit.Change{{File: r.File, Start: r.Start, End: r.End, Text: body + `\n"`}}})
				}
			}
		}, nil)
	}
	texts, ok := textedit.Apply(more...)
	if len(more) == 0 || !ok {
		return nil
	}
	all := &schema.Repair{Edits: append(slices.Clone(r.Edits), more...), Cost: r.Cost + len(more), Texts: map[string]string{}}
	for name, text := range r.Texts {
		all.Texts[name] = text
	}
	for name, text := range texts {
		all.Texts[name] = text
	}
	return all
}

// branchEnds returns the formats that the branches of an if-else chain print last; nil for a branch that ends in
// something else.
func branchEnds(st cfront.Stmt) []*cfront.String {
	switch st := st.(type) {
	case *cfront.Block:
		if n := len(st.List); n > 0 {
			return branchEnds(st.List[n-1])
		}
	case *cfront.If:
		if st.Else != nil {
			return append(branchEnds(st.Then), branchEnds(st.Else)...)
		}
	case *cfront.ExprStmt:
		c, ok := st.X.(*cfront.Call)
		if !ok || len(c.Args) == 0 {
			break
		}
		f, ok := c.Fun.(*cfront.FuncRef)
		if !ok || f.Func.Name != "printf" {
			break
		}
		if s, ok := cfront.Skip(c.Args[0]).(*cfront.String); ok && s.Editable() {
			return []*cfront.String{s}
		}
	}
	return nil
}

// complete judges a repair that adds the newline in all branches instead of one. done is false if there is no such
// repair or it was refuted.
func (w *Search) complete(ctx context.Context, r *schema.Repair, judge func(context.Context, *schema.Repair) (schema.Verdict, error)) (v schema.Verdict, done bool, err error) {
	all := w.completed(r)
	if all == nil {
		return v, false, nil
	}
	v, err = judge(ctx, all)
	if err == nil && v.Refuted && !w.isAside(all.Texts) {
		w.t.Job.Best.Drop(all.Texts)
	}
	return v, err == nil && !v.Refuted, err
}
