package session

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/target"
)

// This file follows which member of each union the program wrote last, for targets that do not know it. Of a statement
// that was executed alone, the text says what it wrote. The functions that it called make those unions unknown that
// they may write by their text (cfront.UnionWrites). After any other resume nothing is known.

// observed describes a resume: the statement, the mode, and the memory before.
type observed struct {
	st     *lower.Stmt
	depth  int
	thread int
	mode   target.Mode
	before *heap.Image // nil if it was not captured
}

// observing describes the resume that is about to happen.
func (s *recorder) observing(mode target.Mode) observed {
	return observed{s.stmt(), s.stop.Depth, s.stop.Thread, mode, s.shot}
}

// observe updates what is known of unions after a resume. If the effect of the resume is not known, it forgets
// everything.
func (s *recorder) observe(o observed, stop target.Stop) {
	s.shot = nil
	known := s.seen
	s.seen = nil
	if _, ok := s.tgt.(target.Unions); ok || o.st == nil || o.before == nil || o.mode != target.Next && o.mode != target.Into ||
		stop.Reason != target.Stepped && stop.Reason != target.Breakpoint || stop.Thread != o.thread || s.interrupted() {
		return
	}
	w := &unionWatch{s: s, im: o.before, list: known}
	w.still()
	switch d := stop.Depth - o.depth; {
	case d == 0 && o.st.Kind != lower.End:
		w.executed(o.st, o.before.Vars())
	case d == 1:
		w.entered(o.st)
	case d == -1 && o.st.Kind == lower.End && len(o.before.Frames) > 1 && o.before.Frames[1].Thread == 0:
		if id := o.before.Frames[1].Stmt; id > 0 && int(id) < len(s.prog.Stmts) && stop.Stmt != id {
			w.executed(s.prog.Stmts[id], frameVars(o.before, 1))
		} else {
			w.list = nil
		}
	default:
		w.list = nil
	}
	s.seen = w.list
}

// frameVars are the variables that an active function can name.
func frameVars(im *heap.Image, frame int) map[*cfront.Var]ctype.Word {
	vars := map[*cfront.Var]ctype.Word{}
	for o := range im.Each {
		if o.Kind == heap.Global || o.Kind == heap.Local && o.Frame == frame {
			vars[o.Var] = o.Addr
		}
	}
	return vars
}

// unionWatch updates what is known of unions for one statement.
type unionWatch struct {
	s    *recorder
	im   *heap.Image // before the statement
	list []target.WrittenUnion
}

// still drops the unions whose memory is freed or belongs to another object by now. It makes a new list.
func (w *unionWatch) still() {
	var out []target.WrittenUnion
	for _, u := range w.list {
		if o := w.im.Find(u.Addr); o != nil && u.In(o) && o.Live {
			out = append(out, u)
		}
	}
	w.list = out
}

// entered handles a statement that was stepped into: only its arguments are evaluated.
func (w *unionWatch) entered(st *lower.Stmt) {
	if _, _, ok := effects(st); !ok {
		w.list = nil
	}
}

// executed handles a statement that was executed as a whole. vars are the variables that it can name.
func (w *unionWatch) executed(st *lower.Stmt, vars map[*cfront.Var]ctype.Word) {
	to, from, ok := effects(st)
	if !ok {
		w.list = nil
		return
	}
	for _, x := range st.Exprs() {
		if cfront.HasCall(x) {
			w.list = slices.DeleteFunc(w.list, func(u target.WrittenUnion) bool { return !w.s.prog.Tree.Unions.KeepsIn(x, u.Union) })
		}
	}
	outer := w.im.Vars()
	w.im.SetVars(vars)
	defer w.im.SetVars(outer)
	switch {
	case st.Decl != nil:
		w.declared(st.Decl)
	case to != nil:
		w.written(to, from)
	}
}

// effects returns the one lvalue that a statement writes and the expression stored there; ok is false if it may write
// more. What called functions write does not count.
func effects(st *lower.Stmt) (to, from cfront.Expr, ok bool) {
	if st.Decl != nil {
		for _, in := range st.Decl.Init {
			if writes(in.X) {
				return nil, nil, false
			}
		}
		return nil, nil, st.Decl.Cleanup == nil
	}
	switch x := st.X.(type) {
	case nil:
		return nil, nil, st.Kind == lower.End || st.Kind == lower.Return || st.Node == nil
	case *cfront.Assign:
		return x.L, x.R, !writes(x.L) && !writes(x.R)
	case *cfront.IncDec:
		return x.X, nil, !writes(x.X)
	default:
		return nil, nil, !writes(x)
	}
}

// writes reports whether an expression stores something itself, or is of a kind of which that is not known.
func writes(x cfront.Expr) bool {
	found := false
	cfront.Walk(x, func(e cfront.Expr) bool {
		switch e.(type) {
		case *cfront.Assign, *cfront.IncDec, *cfront.StmtExpr, *cfront.VaArg, *cfront.VaStart:
			found = true
		}
		return !found
	})
	return found
}

// declared handles a declaration that has been executed.
func (w *unionWatch) declared(d *cfront.Decl) {
	a, ok := w.im.VarAddr(d.Var)
	if !ok {
		return
	}
	w.drop(a, max(d.Var.Type.Size, 1))
	for i := range d.Init {
		in := &d.Init[i]
		if in.Type.IsAggregate() {
			w.copied(a+ctype.Word(in.Offset), in.X)
		}
		if way, ok := in.UnionsIn(d.Var.Type); ok {
			for _, u := range way {
				w.add(a+ctype.Word(u.Off), u)
			}
		}
	}
}

// written handles a store of from to the lvalue to; from is nil for ++ and --.
func (w *unionWatch) written(to, from cfront.Expr) {
	a, err := eval.Addr(w.im, to)
	if err != nil {
		if _, ok := to.(*cfront.Ref); !ok { // a bit-field, or an address that cannot be computed
			w.list = nil
		}
		return
	}
	w.drop(a, to.Type().Size)
	if from != nil && to.Type().IsAggregate() {
		w.copied(a, from)
	}
	for x := to; ; {
		switch y := x.(type) {
		case *cfront.Member:
			var base ctype.Word
			if y.Arrow {
				base, err = eval.Value(w.im, y.X)
			} else {
				base, err = eval.Addr(w.im, y.X)
			}
			for _, u := range y.Unions() {
				if at := base + ctype.Word(u.Off); err == nil && a-at < ctype.Word(u.Union.Size) {
					w.add(at, u)
				}
			}
			if y.Arrow {
				return
			}
			x = y.X
		case *cfront.Index:
			d, ok := y.X.(*cfront.Decay)
			if !ok {
				return
			}
			x = d.X
		default:
			return
		}
	}
}

// copied handles a copy of the struct or union x to an address: what is known of the original holds for the copy.
func (w *unionWatch) copied(to ctype.Word, x cfront.Expr) {
	size := ctype.Word(x.Type().Size)
	from, err := eval.Addr(w.im, x)
	if err != nil {
		return
	}
	for _, u := range slices.Clone(w.list) {
		if u.Addr >= from && u.Addr+ctype.Word(u.Union.Size) <= from+size {
			w.add(u.Addr-from+to, cfront.UnionMember{Union: u.Union, Index: u.Index})
		}
	}
}

// drop forgets the unions that share bytes with the memory at a.
func (w *unionWatch) drop(a ctype.Word, size int64) {
	w.list = slices.DeleteFunc(w.list, func(u target.WrittenUnion) bool {
		return u.Addr < a+ctype.Word(size) && a < u.Addr+ctype.Word(u.Union.Size)
	})
}

// mostSeen bounds the unions of which something is known.
const mostSeen = 4096

// add notes the member of the union at an address that was written.
func (w *unionWatch) add(a ctype.Word, m cfront.UnionMember) {
	o := w.im.Find(a)
	if o == nil || len(w.list) >= mostSeen {
		return
	}
	w.list = append(w.list, target.WrittenUnion{Addr: a, Union: m.Union, Index: m.Index, Seq: o.Seq, Var: o.Var})
}
