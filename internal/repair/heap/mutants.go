package heap

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file makes the edits inside a statement that is more than one
// assignment of paths: another variable, another field, a constant ±1, another
// operator.

const maxMutants = 400

func mutants(sc *scope, f *cfront.Func, orig cfront.Expr) []cfront.Expr {
	if a, ok := orig.(*cfront.Assign); ok && !a.HasOp {
		_, _, l := splitPath(a.L)
		_, _, r := splitPath(a.R)
		if l && (r || cfront.IsNull(a.R)) {
			return nil // the assignments of paths cover these
		}
	}
	var out []cfront.Expr
	add := func(old, new cfront.Expr) {
		if new != nil && len(out) < maxMutants {
			out = append(out, cfront.Replace(orig, old, new))
		}
	}
	paths := sc.paths(1)
	cfront.Walk(orig, func(x cfront.Expr) bool {
		switch x := x.(type) {
		case *cfront.Const:
			if x.Type().IsInteger() {
				add(x, cfront.NewConst(x.Type(), ctype.Wrap(x.Type(), x.Value+1)))
				add(x, cfront.NewConst(x.Type(), ctype.Wrap(x.Type(), x.Value-1)))
			}
		case *cfront.Ref, *cfront.Member:
			for _, p := range paths {
				if ctype.Same(p.Type(), x.Type()) && cfront.Text(p) != cfront.Text(x) {
					add(x, p)
				}
			}
		case *cfront.IncDec:
			add(x, cfront.WithOp(x, nil))
		case *cfront.Binary:
			for _, op := range sameKind(x.Op) {
				add(x, cfront.WithOp(x, func(b *cfront.Binary, _ *cfront.Assign) { b.Op = op }))
			}
		case *cfront.Assign:
			if x.HasOp {
				for _, op := range sameKind(x.Op) {
					add(x, cfront.WithOp(x, func(_ *cfront.Binary, a *cfront.Assign) { a.Op = op }))
				}
			}
		}
		return true
	})
	return out
}

// sameKind returns the operators that may stand where op does.
func sameKind(op ctype.Op) []ctype.Op {
	pool := []ctype.Op{ctype.Add, ctype.Sub}
	switch {
	case op.IsCompare():
		pool = compares
	case op == ctype.Mul || op == ctype.Div || op == ctype.Rem:
		pool = []ctype.Op{ctype.Mul, ctype.Div, ctype.Rem}
	case op != ctype.Add && op != ctype.Sub:
		return nil
	}
	var out []ctype.Op
	for _, o := range pool {
		if o != op {
			out = append(out, o)
		}
	}
	return out
}
