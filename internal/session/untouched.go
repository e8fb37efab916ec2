package session

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file finds functions that cannot change watched memory: they and all that they call write only to variables, by
// name. A call of such a function need not be executed statement by statement when the target has no watchpoints.

// passive reports whether the call in progress can be run to its end at once, since nothing in it writes to watched
// memory.
func (s *recorder) passive() bool {
	st := s.stmt()
	if st == nil || s.stop.Depth <= 1 || s.img == nil || s.interrupted() {
		return false
	}
	for i := range s.watches {
		if s.watches[i].depth >= s.stop.Depth {
			return false
		}
	}
	w, ok := s.stores[st.Func]
	if !ok {
		w = s.writtenBy(st.Func)
		if s.stores == nil {
			s.stores = map[*cfront.Func]*written{}
		}
		s.stores[st.Func] = w
	}
	return w != nil && !s.patched(w) && !s.overlaps(w)
}

// written is what a function may write to besides the variables of its own calls.
type written struct {
	funcs   map[*cfront.Func]bool // the function and all that it calls
	statics map[*cfront.Var]bool
}

// writtenBy returns what a function writes to; nil where its text does not tell.
func (s *recorder) writtenBy(f *cfront.Func) *written {
	w := &written{funcs: cfront.Callees(f), statics: map[*cfront.Var]bool{}}
	known := len(w.funcs) > 0
	for g := range w.funcs {
		known = known && len(g.Entry) == 0
		cfront.WalkStmt(g.Body, func(st cfront.Stmt) {
			switch st := st.(type) {
			case *cfront.Asm, *cfront.Sizes, *cfront.ComputedGoto:
				known = false
			case *cfront.Decl:
				known = known && st.Cleanup == nil
			}
		}, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				known = known && w.note(y)
				return known
			})
		})
	}
	if !known {
		return nil
	}
	return w
}

// note adds what an expression itself writes to, without its operands; ok is false if that is not known.
func (w *written) note(x cfront.Expr) (ok bool) {
	var to cfront.Expr
	switch x := x.(type) {
	case *cfront.StmtExpr, *cfront.VaArg, *cfront.VaStart:
		return false
	case *cfront.FuncRef:
		return x.Func.Body != nil
	case *cfront.Call:
		_, ok := x.Fun.(*cfront.FuncRef)
		return ok
	case *cfront.Assign:
		to = x.L
	case *cfront.IncDec:
		to = x.X
	default:
		return true
	}
	for {
		switch x := to.(type) {
		case *cfront.Ref:
			if x.Var.Storage == cfront.Static || x.Var.Func == nil {
				w.statics[x.Var] = true
			}
			return !x.Var.PerThread && x.Var.Varying == nil && x.Var.VLALen == nil
		case *cfront.Member:
			if x.Arrow {
				return false
			}
			to = x.X
		default:
			return false
		}
	}
}

// patched reports whether the patch in force edits one of the functions.
func (s *recorder) patched(w *written) bool {
	for f := range w.funcs {
		if s.patch.Touches(s.prog, f) {
			return true
		}
	}
	return false
}

// overlaps reports whether a variable that is written to is watched.
func (s *drawing) overlaps(w *written) bool {
	for v := range w.statics {
		a, ok := s.img.VarAddr(v)
		if !ok {
			return true
		}
		for i := range s.watches {
			x := &s.watches[i]
			if a < x.addr+ctype.Word(x.typ.Size) && x.addr < a+ctype.Word(v.Type.Size) {
				return true
			}
		}
	}
	return false
}

// interrupted reports whether code may run between the program's statements: a signal handler or another thread.
func (s *recorder) interrupted() bool {
	if s.handlers == nil {
		found := false
		for _, f := range s.prog.Tree.Funcs {
			cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
				cfront.Walk(x, func(y cfront.Expr) bool {
					r, ok := y.(*cfront.FuncRef)
					found = found || ok && intervening[r.Func.Name]
					return !found
				})
			})
		}
		s.handlers = &found
	}
	return *s.handlers
}

// intervening are the library functions that make other code run between statements.
var intervening = map[string]bool{
	"signal": true, "bsd_signal": true, "sysv_signal": true, "sigset": true, "sigaction": true,
	"pthread_create": true, "thrd_create": true, "timer_create": true,
}
