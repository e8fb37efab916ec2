package woven

import (
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file turns edits of the text into patches of statements, where that is possible. A session continues with such
// patches and tries them on other inputs. The expressions are read from the woven program, in which every edit has
// types, and translated to the program itself.

// alternatives returns the statement that each edit of a gap or a statement executes, by the edit's number.
func alternatives(tree *cfront.Program) map[int]cfront.Stmt {
	out := map[int]cfront.Stmt{}
	for _, f := range tree.Funcs {
		if f.Body == nil {
			continue
		}
		cfront.WalkStmt(f.Body, func(s cfront.Stmt) {
			if x, ok := s.(*cfront.If); ok {
				if id, ok := asks(x.Cond); ok {
					out[id] = x.Then
				}
			}
		}, nil)
	}
	return out
}

// asks returns the number of the edit that a condition tests for.
func asks(x cfront.Expr) (int, bool) {
	b, ok := cfront.Skip(x).(*cfront.Binary)
	if !ok || b.Op != ctype.Eq {
		return 0, false
	}
	r, ok := cfront.Skip(b.X).(*cfront.Ref)
	if !ok || r.Var.Name != "gulo_q" && r.Var.Name != "gulo_n" {
		return 0, false
	}
	w, ok := cfront.Constant(b.Y)
	return int(w), ok
}

// chooses reports whether a condition chooses between the alternatives of a place.
func chooses(x cfront.Expr) bool {
	a, ok := cfront.Skip(x).(*cfront.Assign)
	if !ok {
		return false
	}
	r, ok := cfront.Skip(a.L).(*cfront.Ref)
	return ok && r.Var.Name == "gulo_q"
}

// plain returns an expression of the woven program with edit id in force, translated to the program; nil if that is
// impossible.
func (t *translation) plain(x cfront.Expr, id int) cfront.Expr {
	var at func(x cfront.Expr) (cfront.Expr, bool)
	rewrite := func(x cfront.Expr, t *ctype.Type) (cfront.Expr, bool) {
		y, ok := cfront.Rewrite(x, at)
		if !ok {
			return nil, true
		}
		if y = cfront.Decayed(y); t.IsScalar() {
			y = cfront.Converted(y, t)
		}
		return y, true
	}
	var macro source.Range // the macro that the expression comes from
	at = func(x cfront.Expr) (cfront.Expr, bool) {
		if y, named := ofMacro(x); y != nil {
			return y, true
		} else if named {
			macro = x.Range()
		}
		switch x := x.(type) {
		case *cfront.Cond:
			if !chooses(x.C) {
				return nil, false
			}
			for c, ok := cfront.Skip(x.A).(*cfront.Cond); ok; c, ok = cfront.Skip(c.B).(*cfront.Cond) {
				if n, ok := asks(c.C); !ok {
					break
				} else if n == id {
					a := cfront.Skip(c.A)
					if k, ok := a.(*cfront.Cast); ok && ctype.Same(k.Type(), x.Type()) && ctype.Same(k.X.Type(), x.Type()) {
						a = k.X
					}
					return rewrite(a, x.Type())
				}
			}
			return rewrite(cfront.Skip(x.B), x.Type())
		case *cfront.Cast:
			if name := x.Range().Text(); !x.Implicit && x.Range().Valid() && cfront.IsNull(x) && macroName.MatchString(name) {
				return cfront.NewSpelled(x.Type(), 0, name), true
			}
		case *cfront.Const:
			if within(x, macro) {
				return cfront.NewConst(x.Type(), x.Value), true // a part of the macro's expansion
			}
			if spell := strings.Trim(x.Spell, "() "); spell != "" {
				return cfront.NewSpelled(x.Type(), x.Value, spell), true
			}
		case *cfront.Ref:
			v := t.back[x.Var]
			if v == nil {
				return nil, true
			}
			return cfront.NewRef(v), true
		case *cfront.FuncRef:
			for own, f := range t.funcs {
				if f == x.Func {
					return cfront.NewFuncRef(own), true
				}
			}
			if f := t.library[x.Func.Name]; f != nil && x.Func.Body == nil {
				return cfront.NewFuncRef(f), true
			}
			return nil, true
		}
		return nil, false
	}
	y, ok := cfront.Rewrite(x, at)
	if !ok {
		return nil
	}
	return y
}

// ofMacro returns a constant of a macro or an enumeration by its name. named says that an expression comes from a macro
// and is no such constant.
func ofMacro(x cfront.Expr) (y cfront.Expr, named bool) {
	r := x.Range()
	if !r.Valid() {
		return nil, false
	}
	name := strings.Trim(r.Text(), "() ")
	if !macroName.MatchString(name) {
		return nil, false
	}
	switch x.(type) {
	case *cfront.Ref, *cfront.FuncRef:
		return nil, false
	}
	w, ok := cfront.Constant(x)
	if !ok || !x.Type().IsInteger() {
		return nil, true
	}
	return cfront.NewSpelled(x.Type(), w, name), true
}

func within(x cfront.Expr, r source.Range) bool {
	return r.Valid() && x.Range().File == r.File && r.Start <= x.Range().Start && x.Range().End <= r.End
}

// patch returns a choice as a patch; nil if that is impossible.
func (s *search) patch(c schema.Choice) *repair.Patch {
	var edits []*repair.Edit
	for i, half := range c.Halves() {
		id := c.First
		if i > 0 {
			id = c.Second
		}
		e := s.edit(half, id)
		if e == nil {
			return nil
		}
		edits = append(edits, e)
	}
	p := repair.NewPatch(edits...)
	if len(p.Edits()) != len(edits) {
		return nil
	}
	return p
}

func (s *search) edit(e *textedit.Edit, id int) *repair.Edit {
	f, start, end := e.Site.File, e.Site.Start, e.Site.End
	if start < end && !e.Statement() {
		return s.value(f, start, end, id)
	}
	var out repair.Edit
	if start == end {
		g := s.gap(e.Func, start)
		if g == nil {
			return nil
		}
		out.Gap = g.ID
	} else {
		for _, st := range s.p.Prog.Stmts {
			if st != nil && st.Func == e.Func && st.Range.File == f && st.Range.Start == start && (st.Range.End == end || st.Range.End+1 == end) {
				switch st.Kind {
				case lower.Expr, lower.Return:
					if st.Jumps() {
						return nil
					}
					out.Stmt = st.ID
				}
			}
		}
		if out.Stmt == 0 {
			return nil
		}
		if e.Deletes() {
			out.Delete = true
			return &out
		}
	}
	st := only(s.alts[id])
	if x, ok := st.(*cfront.If); ok && x.Else == nil {
		if out.Guard = s.t.plain(x.Cond, 0); out.Guard == nil {
			return nil
		}
		st = only(x.Then)
	}
	switch x := st.(type) {
	case *cfront.ExprStmt:
		if out.Stmt != 0 && s.p.Prog.Stmts[out.Stmt].Kind != lower.Expr {
			return nil
		}
		if out.New = s.t.plain(x.X, 0); out.New == nil {
			return nil
		}
	case *cfront.Return:
		if out.Stmt != 0 && (s.p.Prog.Stmts[out.Stmt].Kind != lower.Return || out.Guard != nil) {
			return nil
		}
		out.Return = out.Stmt == 0
		if x.X != nil {
			if out.New = s.t.plain(x.X, 0); out.New == nil {
				return nil
			}
		} else if out.Stmt != 0 {
			return nil
		}
	default:
		return nil
	}
	if out.Stmt != 0 && out.Guard != nil && cfront.Text(out.New) == cfront.Text(s.p.Prog.Stmts[out.Stmt].X) {
		out.New = nil
	}
	return &out
}

// value returns the edit that replaces one expression of a statement; nil if that is impossible.
func (s *search) value(f *source.File, start, end, id int) *repair.Edit {
	var best *lower.Stmt
	for _, st := range s.p.Prog.Stmts {
		if st == nil || st.Range.File != f || st.Macro || st.Range.Start > start || st.Range.End < end {
			continue
		}
		if best == nil || st.Range.End-st.Range.Start < best.Range.End-best.Range.Start {
			best = st
		}
	}
	if best == nil {
		return nil
	}
	w := s.prog.Stmts[s.t.stmts[best.ID]]
	if w == nil {
		return nil
	}
	x := w.X
	if best.Kind == lower.Decl {
		if w.Decl == nil || len(w.Decl.Init) != 1 || !w.Decl.Var.Type.IsScalar() {
			return nil
		}
		x = w.Decl.Init[0].X
	}
	if x == nil {
		return nil
	}
	y := s.t.plain(x, id)
	if y == nil || strings.Contains(cfront.Text(y), "gulo_") {
		return nil
	}
	return &repair.Edit{Stmt: best.ID, New: y}
}

// only returns the single statement of a block, also of nested blocks; nil if there are several.
func only(s cfront.Stmt) cfront.Stmt {
	for {
		b, ok := s.(*cfront.Block)
		if !ok {
			return s
		}
		var list []cfront.Stmt
		for _, x := range b.List {
			if _, empty := x.(*cfront.Empty); !empty {
				list = append(list, x)
			}
		}
		if len(list) != 1 {
			return nil
		}
		s = list[0]
	}
}

// macroName matches the name of a constant.
var macroName = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*$`)

// gap returns the innermost gap that an offset is in; nil for none.
func (s *search) gap(f *cfront.Func, at int) *lower.Gap {
	var best *lower.Gap
	size := func(g *lower.Gap) int { r := g.Block.Range(); return r.End - r.Start }
	for _, g := range s.p.Prog.Gaps {
		if g.Func != f {
			continue
		}
		r := g.Block.Range()
		if g.Block.Implicit || r.File == nil || r.Start >= len(r.File.Text) || r.File.Text[r.Start] != '{' {
			continue // a body without braces has no gaps
		}
		from, to := r.Start+1, r.End-1
		if g.Index > 0 {
			from = g.Block.List[g.Index-1].Range().End
		}
		if g.Index < len(g.Block.List) {
			to = g.Block.List[g.Index].Range().Start
		}
		if from <= at && at <= to && (best == nil || size(g) < size(best)) {
			best = g
		}
	}
	return best
}
