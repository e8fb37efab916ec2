package lower

import (
	"gulo/internal/cfront"
)

// This file is live-variable analysis over statements: which local scalars can
// still be read. A debugger that asserts a state leaves the dead ones out.

// Live returns the local variables of a function that may be read before they
// are written again when control is at the start of each of its statements.
// Accesses through pointers are not seen: callers have to count variables whose
// address is taken, arrays and structs as live.
func (p *Program) Live(f *cfront.Func) map[int32]map[*cfront.Var]bool {
	var stmts []*Stmt
	for _, s := range p.Stmts {
		if s != nil && s.Func == f && s.Stop {
			stmts = append(stmts, s)
		}
	}
	use, def := map[int32]map[*cfront.Var]bool{}, map[int32]*cfront.Var{}
	next := map[int32][]int32{}
	live := map[int32]map[*cfront.Var]bool{}
	for _, s := range stmts {
		use[s.ID], def[s.ID] = s.usesAndDef()
		live[s.ID] = map[*cfront.Var]bool{}
		for _, e := range p.Edges(s) {
			if e.Next != 0 {
				next[s.ID] = append(next[s.ID], e.Next)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(stmts) - 1; i >= 0; i-- {
			id := stmts[i].ID
			in := live[id]
			add := func(v *cfront.Var) {
				if !in[v] {
					in[v] = true
					changed = true
				}
			}
			for v := range use[id] {
				add(v)
			}
			for _, n := range next[id] {
				for v := range live[n] {
					if v != def[id] {
						add(v)
					}
				}
			}
		}
	}
	return live
}

// usesAndDef returns the variables a statement reads, and the one it surely
// overwrites.
func (s *Stmt) usesAndDef() (map[*cfront.Var]bool, *cfront.Var) {
	uses := map[*cfront.Var]bool{}
	var def *cfront.Var
	read := func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if a, ok := y.(*cfront.Assign); ok && !a.HasOp {
				if l, ok := a.L.(*cfront.Ref); ok && l.Type().IsScalar() {
					markReads(a.R, uses)
					return false
				}
			}
			if r, ok := y.(*cfront.Ref); ok {
				uses[r.Var] = true
			}
			return true
		})
	}
	switch {
	case s.Kind == Decl:
		for _, in := range s.Decl.Init {
			read(in.X)
		}
		if s.Decl.Var.VLALen != nil {
			read(s.Decl.Var.VLALen)
		}
		def = s.Decl.Var
	case s.X != nil:
		read(s.X)
		if a, ok := s.X.(*cfront.Assign); ok && !a.HasOp {
			if r, ok := a.L.(*cfront.Ref); ok && r.Type().IsScalar() {
				def = r.Var
			}
		}
	}
	return uses, def
}

func markReads(x cfront.Expr, uses map[*cfront.Var]bool) {
	cfront.Walk(x, func(y cfront.Expr) bool {
		if r, ok := y.(*cfront.Ref); ok {
			uses[r.Var] = true
		}
		return true
	})
}
