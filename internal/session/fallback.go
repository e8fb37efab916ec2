package session

import (
	"context"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/repair/space"
)

// This file weakens a repair p = q to if (p == NULL) p = q, so that the statement keeps what it did where that was
// right.

// fallbacks returns the weakened repairs that meet the segments.
func (s *searcher) fallbacks(list []choice) []choice {
	var out []choice
	for i := range list {
		e := s.onlyEdit(&list[i])
		if e == nil {
			continue
		}
		h := s.fallback(e)
		if h == nil {
			continue
		}
		p := s.patch.Merge(repair.NewPatch(h))
		if s.misses(s.segments(), p) < 0 {
			out = append(out, choice{patch: p, distance: list[i].distance + 3})
		}
	}
	return out
}

// onlyEdit returns the one edit that a repair adds to the patch in force; nil if there are none or several, or if the
// repair is an edit of the text.
func (s *searcher) onlyEdit(c *choice) *repair.Edit {
	var only *repair.Edit
	if c.text != nil {
		return nil
	}
	for _, e := range c.patch.Edits() {
		if e.Stmt != 0 && s.patch.Stmts[e.Stmt] == e || e.Stmt == 0 && s.patch.Gaps[e.Gap] == e {
			continue
		}
		if only != nil {
			return nil
		}
		only = e
	}
	return only
}

// fallback returns the insertion of "if (p == NULL) p = x" after a statement "p = y" that an edit replaces by "p = x",
// or after which it inserts that; nil for other edits.
func (s *searcher) fallback(e *repair.Edit) *repair.Edit {
	to := pointerSet(e.New)
	if to == nil || e.Guard != nil || e.Delete || e.Return {
		return nil
	}
	for id, g := range s.prog.Gaps {
		if g == nil || g.Index == 0 || e.Stmt == 0 && int32(id) != e.Gap {
			continue
		}
		st := s.assigning(g)
		if st == nil || e.Stmt != 0 && st.ID != e.Stmt || s.patch.Gaps[g.ID] != nil {
			continue
		}
		if was := pointerSet(st.X); was == nil || cfront.Text(was) != cfront.Text(to) || s.beside(g.ID) {
			return nil
		}
		guard := cfront.NewBinary(ctype.Eq, to, cfront.NewConst(to.Type(), 0))
		if guard == nil {
			return nil
		}
		return &repair.Edit{Gap: g.ID, New: e.New, Guard: guard}
	}
	return nil
}

// pointerSet returns the pointer that an expression assigns to if it does nothing else; nil otherwise.
func pointerSet(x cfront.Expr) cfront.Expr {
	if x == nil {
		return nil
	}
	a, ok := cfront.Skip(x).(*cfront.Assign)
	if !ok || a.HasOp || a.L.Type().Kind != ctype.Pointer || !cfront.Pure(a.L) || !cfront.Pure(a.R) {
		return nil
	}
	return a.L
}

// assigning returns the expression statement directly before a gap; nil for none.
func (s *searcher) assigning(g *lower.Gap) *lower.Stmt {
	r := g.Block.List[g.Index-1].Range()
	for _, st := range s.prog.Stmts {
		if st != nil && st.Kind == lower.Expr && st.Func == g.Func && st.Range.File == r.File && st.Range.Start == r.Start && st.Range.End <= r.End {
			return st
		}
	}
	return nil
}

// guarded returns repairs that only put a null check around a statement which one of the repairs found changes. They
// come first: in the run that was drawn the statement as written follows a null pointer, and everything else stays as
// it is.
func (s *searcher) guarded(ctx context.Context, list []choice) []choice {
	var out []choice
	met := map[int32]bool{}
	for i := range list {
		e := s.onlyEdit(&list[i])
		if e == nil || e.Stmt == 0 || met[e.Stmt] {
			continue
		}
		met[e.Stmt] = true
		st := s.prog.Stmts[e.Stmt]
		if st.Kind != lower.Expr || s.patch.Stmts[e.Stmt] != nil {
			continue
		}
		for _, h := range space.Hardened(&repair.Edit{Stmt: e.Stmt, New: st.X}) {
			h.New = nil
			p := s.patch.Merge(repair.NewPatch(h))
			if s.misses(s.segments(), p) < 0 {
				out = append(out, choice{patch: p, distance: list[0].distance})
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	held, relaxed, _ := s.newTrial(ctx).hold(out)
	if relaxed {
		return nil
	}
	if r := s.runs(ctx); r != nil {
		for i := range held {
			held[i] = s.weighed(r, held[i])
		}
	}
	return held
}
