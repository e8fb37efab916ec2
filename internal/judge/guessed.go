package judge

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file finds variables that a repair gives the value zero because it has to be some value. A sum or a flag begins
// with zero; what is computed elsewhere in the function was to be computed on the way that leaves it out, too.

// Guessed returns a variable that begins with zero in a repaired program and with nothing in the given one, and that
// others of its function's statements give values which say that zero is none of them; empty for none, and where
// something else than the absence of errors says what is right.
func (t *Judge) Guessed(repaired *cfront.Program) string {
	if !t.Job.Memory || t.Given == nil {
		return ""
	}
	for _, f := range repaired.Funcs {
		was := t.Prog.Tree.Func(f.Name)
		if f.Body == nil || was == nil || was.Body == nil {
			continue
		}
		before := map[string]int{}
		cfront.WalkStmt(was.Body, func(s cfront.Stmt) {
			if d, ok := s.(*cfront.Decl); ok && zeroed(d) {
				before[d.Var.Name]++
			}
		}, nil)
		found := ""
		cfront.WalkStmt(f.Body, func(s cfront.Stmt) {
			d, ok := s.(*cfront.Decl)
			if !ok || !zeroed(d) {
				return
			}
			if before[d.Var.Name]--; before[d.Var.Name] < 0 && found == "" && computed(f, d.Var) {
				found = d.Var.Name
			}
		}, nil)
		if found != "" {
			return found
		}
	}
	return ""
}

// zeroed reports whether a declaration gives its variable nothing but zero.
func zeroed(d *cfront.Decl) bool {
	if d.Var.Storage >= cfront.Global || d.Var.Type.Kind == ctype.Pointer || len(d.Init) == 0 {
		return false
	}
	for _, in := range d.Init {
		if k, ok := cfront.Constant(in.X); !ok || k != 0 {
			return false
		}
	}
	return true
}

// computed reports whether a function computes a number, by other ways than counting or setting a flag, or has another
// function of the program fill an array.
func computed(f *cfront.Func, v *cfront.Var) bool {
	out, constants := false, map[ctype.Word]bool{}
	cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(e cfront.Expr) bool {
			switch e := e.(type) {
			case *cfront.Assign:
				r, ok := e.L.(*cfront.Ref)
				if !ok || r.Var != v || e.HasOp {
					return true
				}
				if k, ok := cfront.Constant(e.R); ok {
					constants[k] = true
				} else {
					out = out || !reads(e.R, v)
				}
			case *cfront.Call:
				g, ok := cfront.Skip(e.Fun).(*cfront.FuncRef)
				for _, a := range e.Args {
					r, is := cfront.Skip(a).(*cfront.Ref)
					out = out || ok && g.Func.Body != nil && is && r.Var == v && v.Type.Kind == ctype.Array
				}
			}
			return true
		})
	})
	return out || len(constants) > 1
}

// reads reports whether an expression mentions a variable.
func reads(x cfront.Expr, v *cfront.Var) bool {
	found := false
	cfront.Walk(x, func(e cfront.Expr) bool {
		r, ok := e.(*cfront.Ref)
		found = found || ok && r.Var == v
		return !found
	})
	return found
}
