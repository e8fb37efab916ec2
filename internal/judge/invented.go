package judge

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/machine"
)

// This file finds repairs that store a made-up number where the program reads one that was never written.

// Invents says which number a repair stores in a variable or member that the program computes elsewhere, if the given
// runs read what was never written. Such a number ends the error whatever was meant. It is empty for sums, counters
// and extremes, which begin somewhere, and for what is only ever set to constants.
func (t *Judge) Invents(repaired *cfront.Program) (string, error) {
	if !t.Job.Memory || t.Tests != nil {
		return "", nil
	}
	faults, _, err := t.shown()
	if err != nil {
		return "", err
	}
	unset := false
	for f := range faults {
		unset = unset || f.kind == machine.Uninitialized
	}
	if !unset {
		return "", nil
	}
	return madeUpNumber(t.Prog.Tree, repaired), nil
}

// madeUpNumber returns a constant that an edit stores where the program computes; "" if there is none.
func madeUpNumber(own, repaired *cfront.Program) string {
	was, now := storesOf(own), storesOf(repaired)
	for key, s := range now {
		if w := was[key]; w != nil && w.computed && !w.updated && len(s.constants) > len(w.constants) {
			for _, text := range s.constants {
				if !slices.Contains(w.constants, text) {
					return text
				}
			}
			return s.constants[0]
		}
	}
	return ""
}

// stores is what a program stores in a variable or a member.
type stores struct {
	constants []string // such statements
	computed  bool     // something else is stored, or its address is passed on
	updated   bool     // from its own value
}

// storesOf returns the stores to numbers, by function and variable or by the name of the member.
func storesOf(p *cfront.Program) map[string]*stores {
	out := map[string]*stores{}
	for _, f := range p.Funcs {
		if f.Body == nil {
			continue
		}
		of := func(x cfront.Expr) *stores {
			key := ""
			switch l := cfront.Skip(x).(type) {
			case *cfront.Ref:
				key = l.Var.Name
				if l.Var.Func != nil {
					key = l.Var.Func.Name + ": " + key
				}
			case *cfront.Member:
				key = "." + l.Field.Name
			}
			if t := x.Type(); key == "" || t == nil || !t.IsReal() {
				return nil
			}
			if out[key] == nil {
				out[key] = &stores{}
			}
			return out[key]
		}
		set := func(s *stores, text string, r cfront.Expr) {
			if constantValue(r) {
				s.constants = append(s.constants, text)
			} else {
				s.computed = true
			}
		}
		cfront.WalkStmt(f.Body, func(st cfront.Stmt) {
			switch st := st.(type) {
			case *cfront.Decl:
				if len(st.Init) == 1 && st.Var.Type.IsReal() {
					key := f.Name + ": " + st.Var.Name
					if out[key] == nil {
						out[key] = &stores{}
					}
					set(out[key], st.Var.Name+" = "+cfront.Text(st.Init[0].X), st.Init[0].X)
				}
			case *cfront.If:
				cfront.WalkStmt(st.Then, nil, func(x cfront.Expr) {
					cfront.Walk(x, func(y cfront.Expr) bool {
						if a, ok := y.(*cfront.Assign); ok && mentions(st.Cond, cfront.Text(a.L)) {
							if s := of(a.L); s != nil {
								s.updated = true
							}
						}
						return true
					})
				})
			}
		}, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				switch y := y.(type) {
				case *cfront.Assign:
					s := of(y.L)
					switch {
					case s == nil:
					case y.HasOp || mentions(y.R, cfront.Text(y.L)):
						s.updated = true
					default:
						set(s, cfront.Text(y), y.R)
					}
				case *cfront.IncDec:
					if s := of(y.X); s != nil {
						s.updated = true
					}
				case *cfront.Addr:
					if s := of(y.X); s != nil {
						s.computed = true
					}
				}
				return true
			})
		})
	}
	return out
}

// constantValue reports whether a value is a constant, or one of those that a function returns which returns nothing else.
func constantValue(x cfront.Expr) bool {
	if _, ok := cfront.Constant(x); ok {
		return true
	}
	call, ok := cfront.Skip(x).(*cfront.Call)
	if !ok {
		return false
	}
	f, ok := call.Fun.(*cfront.FuncRef)
	if !ok || f.Func.Body == nil {
		return false
	}
	only := true
	cfront.WalkStmt(f.Func.Body, func(s cfront.Stmt) {
		if r, ok := s.(*cfront.Return); ok && r.X != nil {
			_, ok = cfront.Constant(r.X)
			only = only && ok
		}
	}, nil)
	return only
}

// mentions reports whether an expression has a part that is written so.
func mentions(x cfront.Expr, text string) (found bool) {
	cfront.Walk(x, func(y cfront.Expr) bool {
		found = found || cfront.Text(y) == text
		return !found
	})
	return found
}
