package evidence

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/machine"
)

// This file says what a failing run should have made true at its end: its postcondition, or that its error does not
// happen.

// specify computes the postcondition at the end of the entry.
func (r *recorder) specify() {
	r.written = nil
	if r.wanted != nil {
		r.t.Post = []Conj{r.example(r.wanted())}
		return
	}
	out := []Conj{{}}
	for _, cl := range r.t.Contract.Post {
		list, err := r.clause(cl.X)
		if err != nil {
			r.t.note("%s: %v", cl.Text, err)
			continue
		}
		out = conjoin(out, list)
	}
	r.t.Post = out
}

// faulted makes a postcondition of what would have prevented an error: an index within its array, a pointer that is not
// NULL, a nonzero divisor.
func (r *recorder) faulted(f *machine.Fault) {
	if len(r.t.Inst) == 0 || r.t.Inst[len(r.t.Inst)-1].Stmt != r.stmt {
		r.t.Inst = append(r.t.Inst, Inst{Stmt: r.stmt, Line: r.stmt.Range.Position().Line, Cond: r.stmt.X, Scope: r.scope()})
	}
	r.written = map[ctype.Word]int64{}
	var conj Conj
	visit := func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch z := y.(type) {
			case *cfront.Index:
				conj = append(conj, r.inside(z)...)
			case *cfront.Member:
				if z.Arrow {
					conj = append(conj, r.notNull(z.X)...)
				}
			case *cfront.Deref:
				conj = append(conj, r.notNull(z.X)...)
			case *cfront.Binary:
				if z.Op == ctype.Div || z.Op == ctype.Rem {
					if e, err := r.eval(z.Y); err == nil {
						p := newPred(e.e, ctype.Ne, Num(0))
						p.Negative, p.Sign = e.ok && e.v == 0, true
						conj = append(conj, p)
					}
				}
			}
			return true
		})
	}
	for _, x := range r.stmt.Exprs() {
		visit(x)
	}
	if f.Kind == machine.LimitFault {
		return // such a trace is explained by its loops
	}
	if conj.negatives() == 0 { // for example, memory was uninitialized
		conj = append(conj, &Pred{L: Num(0), Op: ctype.Eq, K: 1, Negative: true, Sign: true})
	}
	for _, p := range conj {
		p.From = len(r.t.Inst) - 1
	}
	r.t.Post, r.t.Faulty = []Conj{conj}, true
}

func (r *recorder) notNull(x cfront.Expr) Conj {
	e, err := r.eval(x)
	if err != nil {
		return nil
	}
	p := newPred(e.e, ctype.Ne, Num(0))
	p.Negative, p.Sign = e.ok && e.v == 0, true
	return Conj{p}
}

// inside returns predicates that say that an index is within its array.
func (r *recorder) inside(x *cfront.Index) Conj {
	i, err := r.eval(x.I)
	if err != nil || !i.ok {
		return nil
	}
	base, err := r.eval(x.X)
	if err != nil || !base.ok {
		return nil
	}
	b, off := r.m.Find(ctype.Word(base.v))
	if b == nil || x.Type().Size == 0 {
		return nil
	}
	n := (b.Size - int64(off)) / x.Type().Size
	lo, hi := newPred(i.e, ctype.Ge, Num(-int64(off)/x.Type().Size)), newPred(i.e, ctype.Lt, Num(n))
	lo.Negative, hi.Negative = i.v < -int64(off)/x.Type().Size, i.v >= n
	lo.Sign, hi.Sign = true, true
	return Conj{lo, hi}
}
