package textedit

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file lists an edit of an expression or statement together with the same edit of its copy: what is written twice
// in a function is wrong twice, such as the call that exchanges two elements and the same call behind it, which
// exchanges them back.

// Bounds.
const (
	leastCopied = 3   // tokens of what is written twice
	mostCopies  = 600 // edits of a function
	costCopied  = 5   // edits of one that cost more are not tried on both
)

// copies lists edits of two places of a function that are written alike, each with the same change.
func copies(s *Space, fn *cfront.Func) {
	at := map[string][]source.Range{}
	note := func(r source.Range) {
		if t := r.Text(); len(at[t]) < 3 && !slices.Contains(at[t], r) {
			at[t] = append(at[t], r)
		}
	}
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		switch st.(type) {
		case *cfront.ExprStmt, *cfront.Return:
			if standsAsWritten(st) {
				note(st.Range())
			}
		}
	}, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if y.Editable() && y.Range().Valid() {
				note(y.Range())
			}
			return true
		})
	})
	var pairs [][2]source.Range
	for t, r := range at {
		if len(r) == 2 && r[0].File == r[1].File && len(lexemes(t)) >= leastCopied {
			pairs = append(pairs, [2]source.Range{r[0], r[1]})
		}
	}
	slices.SortFunc(pairs, func(a, b [2]source.Range) int {
		if a[0].Start != b[0].Start {
			return a[0].Start - b[0].Start
		}
		return b[0].End - a[0].End
	})
	inside := func(r, in source.Range) bool { return in.Start <= r.Start && r.End <= in.End }
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(p [2]source.Range) bool { // of a copy, everything is looked at
		return inside(p[0], p[1]) || inside(p[1], p[0]) || slices.ContainsFunc(pairs, func(q [2]source.Range) bool {
			return q != p && inside(p[0], q[0]) && inside(p[1], q[1])
		})
	})
	if len(pairs) == 0 {
		return
	}
	sites := map[siteKey]*Site{}
	for _, x := range s.Sites {
		if x.Func == fn {
			sites[siteKey{x.File, x.Start, x.End, x.Kind}] = x
		}
	}
	n := len(s.Moves)
	for _, p := range pairs {
		for _, x := range s.Sites {
			if x.Func != fn || x.File != p[0].File || x.Start < p[0].Start || x.End > p[0].End || x.Forced {
				continue
			}
			off := p[1].Start - p[0].Start
			y := sites[siteKey{x.File, x.Start + off, x.End + off, x.Kind}]
			if y == nil || y.Forced {
				continue
			}
			for _, e := range x.Edits {
				k := slices.IndexFunc(y.Edits, func(f *Edit) bool { return f.Alt == e.Alt && f.What == e.What })
				if k < 0 || e.Cost > costCopied || len(e.Changes) == 0 || len(s.Moves)-n == mostCopies {
					continue
				}
				changes := slices.Concat(e.Changes, y.Edits[k].Changes)
				s.Moves = append(s.Moves, &Edit{What: e.What, Cost: e.Cost + 1, Func: fn, Changes: changes, Site: x, Alt: e.Alt, With: &Edit{What: e.What, Func: fn, Site: y, Alt: e.Alt}})
			}
		}
	}
}
