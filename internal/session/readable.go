package session

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/repair"
)

// This file writes repairs as people do: values of an enum by their names, and an assignment of something to itself, or
// to a variable that is not read afterwards, as the deletion of the statement.

// readably rewrites repairs so, and drops those that become the same text.
func (s *searcher) readably(list []choice) []choice {
	var out []choice
	seen := map[string]bool{}
	for _, c := range list {
		if c.text == nil {
			c.patch = s.readable(c.patch)
		}
		if k := s.textOf(&c); !seen[k] {
			seen[k] = true
			out = append(out, c)
		}
	}
	return out
}

func (s *searcher) readable(p *repair.Patch) *repair.Patch {
	edits := slices.Clone(p.Edits())
	changed := false
	for i, e := range edits {
		var st *lower.Stmt
		if e.Stmt != 0 {
			st = s.prog.Stmts[e.Stmt]
		}
		x := *e
		if st != nil && st.Kind == lower.Expr && e.Guard == nil && e.New != nil && (toItself(e.New) || s.unread(st, e.New)) {
			x.New, x.Delete = nil, true
			edits[i], changed = &x, true
			continue
		}
		var result *ctype.Type // of the function that the edit makes return
		switch {
		case st != nil && st.Kind == lower.Return:
			result = st.Func.Type.Result
		case e.Return && e.Stmt == 0:
			result = s.prog.Gaps[e.Gap].Func.Type.Result
		}
		new, a := enumerated(e.New, result)
		guard, b := enumerated(e.Guard, nil)
		if a || b {
			x.New, x.Guard = new, guard
			edits[i], changed = &x, true
		}
	}
	if !changed {
		return p
	}
	if q := repair.NewPatch(edits...); len(q.Edits()) == len(edits) {
		return q
	}
	return p
}

// toItself reports whether an expression assigns a variable or a member to itself.
func toItself(x cfront.Expr) bool {
	a, ok := cfront.Skip(x).(*cfront.Assign)
	return ok && !a.HasOp && cfront.Pure(a.L) && cfront.Text(a.L) == cfront.Text(cfront.Skip(a.R))
}

// unread reports whether an expression in the place of a statement only assigns to a local variable
// that nothing reads afterwards.
func (s *inferior) unread(st *lower.Stmt, x cfront.Expr) bool {
	a, ok := cfront.Skip(x).(*cfront.Assign)
	if !ok || !cfront.Pure(a.R) {
		return false
	}
	r, ok := cfront.Skip(a.L).(*cfront.Ref)
	if !ok || r.Var.Func != st.Func || r.Var.Storage != cfront.Local && r.Var.Storage != cfront.Param || r.Var.AddrTaken || !r.Var.Type.IsScalar() {
		return false
	}
	live := s.prog.Live(st.Func)
	for _, e := range s.prog.Edges(st) {
		if e.Next == 0 || live[e.Next][r.Var] {
			return false
		}
	}
	return true
}

// enumerated replaces numbers by the names of enum values where a value of that enum is expected. as is the type that
// is expected of x itself; nil for any.
func enumerated(x cfront.Expr, as *ctype.Type) (cfront.Expr, bool) {
	if x == nil {
		return nil, false
	}
	names := map[*cfront.Const]string{}
	is := func(y cfront.Expr, t *ctype.Type) {
		c, ok := cfront.Skip(y).(*cfront.Const)
		if !ok || t == nil || c.Range().Valid() && !isNumeral(c.Range().Text()) {
			return
		}
		for _, e := range t.Enums {
			if ctype.Word(e.Value) == ctype.Wrap(t, c.Value) && names[c] == "" {
				names[c] = e.Name
			}
		}
	}
	is(x, as)
	cfront.Walk(x, func(y cfront.Expr) bool {
		switch y := y.(type) {
		case *cfront.Assign:
			if !y.HasOp {
				is(y.R, y.L.Type())
			}
		case *cfront.Binary:
			if y.Op.IsCompare() {
				is(y.X, cfront.Skip(y.Y).Type())
				is(y.Y, cfront.Skip(y.X).Type())
			}
		case *cfront.Call:
			if r, ok := cfront.Skip(y.Fun).(*cfront.FuncRef); ok {
				for i, a := range y.Args {
					if i < len(r.Func.Params) {
						is(a, r.Func.Params[i].Type)
					}
				}
			}
		}
		return true
	})
	if len(names) == 0 {
		return x, false
	}
	out, ok := cfront.Rewrite(x, func(y cfront.Expr) (cfront.Expr, bool) {
		if c, is := y.(*cfront.Const); is && names[c] != "" {
			return cfront.NewSpelled(c.Type(), c.Value, names[c]), true
		}
		return nil, false
	})
	if !ok {
		return x, false
	}
	return out, true
}

func isNumeral(t string) bool {
	return t != "" && (t[0] >= '0' && t[0] <= '9' || t[0] == '-' || t[0] == '(')
}

// loopAt returns the line of the innermost loop around the next statement; 0 for none.
func (s *searcher) loopAt() int {
	st, line := s.stmt(), 0
	if st == nil || st.Func.Body == nil {
		return 0
	}
	cfront.WalkStmt(st.Func.Body, func(x cfront.Stmt) {
		switch x.(type) {
		case *cfront.While, *cfront.For:
			if r := x.Range(); r.File == st.Range.File && r.Start <= st.Range.Start && st.Range.End <= r.End {
				line = r.Position().Line
			}
		}
	}, nil)
	return line
}
