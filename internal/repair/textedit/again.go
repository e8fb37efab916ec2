package textedit

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file lists statements that reset a variable in every round of a loop, where the program sets it only once, in
// its declaration: a flag that the first round clears stays cleared.

// beginning is a local integer that its declaration initializes with a constant other than 0 (0 is tried for all
// variables), and that the function assigns to later.
type beginning struct {
	v     *cfront.Var
	text  string // "v = 1;"
	begin int    // of the declaration, as an offset in its file
}

// beginnings lists the variables of a function that are initialized with a constant and assigned to later.
func (s *facts) beginnings(fn *cfront.Func) []beginning {
	if out, ok := s.begins[fn]; ok {
		return out
	}
	var out []beginning
	assigned := map[*cfront.Var]bool{}
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		d, ok := st.(*cfront.Decl)
		if !ok || len(d.Init) != 1 || !d.Var.Type.IsInteger() || !d.Init[0].X.Editable() {
			return
		}
		if k, ok := cfront.Skip(d.Init[0].X).(*cfront.Const); ok && k.Range().Text() != "0" && k.Range().Valid() {
			out = append(out, beginning{d.Var, d.Var.Name + " = " + k.Range().Text() + ";", st.Range().Start})
		}
	}, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if a, ok := y.(*cfront.Assign); ok {
				if r, ok := cfront.Skip(a.L).(*cfront.Ref); ok {
					assigned[r.Var] = true
				}
			}
			return true
		})
	})
	var kept []beginning
	for _, b := range out {
		if assigned[b.v] {
			kept = append(kept, b)
		}
	}
	if s.begins == nil {
		s.begins = map[*cfront.Func][]beginning{}
	}
	s.begins[fn] = kept
	return kept
}

// again lists statements that reset variables to their initial values, at a place inside a loop. A reset costs least at
// the beginning of the loop's body, where people most often forget it.
func (s *facts) again(p place, at int, vars []*cfront.Var, add func(cost int, what, text string)) {
	if p.loop == nil {
		return
	}
	for _, b := range s.beginnings(p.fn) {
		if b.begin > p.loop.Range().Start || !slices.Contains(vars, b.v) {
			continue
		}
		cost := CostInsert
		if at == loopBody(p.loop).Start+1 {
			cost--
		}
		add(cost, "insert", b.text)
	}
}

// loopBody returns the range of a loop's body.
func loopBody(loop cfront.Stmt) source.Range {
	switch l := loop.(type) {
	case *cfront.While:
		return l.Body.Range()
	case *cfront.For:
		return l.Body.Range()
	}
	return source.Range{}
}
