package symbolic

import (
	"gulo/internal/ctype"
	"gulo/internal/machine"
	"gulo/internal/smt"
)

// This file computes C's operators on terms. Package ctype computes them on numbers.

var bitOps = map[ctype.Op]smt.Op{
	ctype.Add: smt.OpAdd, ctype.Sub: smt.OpSub, ctype.Mul: smt.OpMul, ctype.And: smt.OpBitAnd, ctype.Or: smt.OpBitOr, ctype.Xor: smt.OpBitXor,
}

// binary computes a op b in a type, and ends the ways on which that is undefined. It returns false if none is left.
func (e *Engine) binary(st *State, op ctype.Op, t *ctype.Type, a, b *smt.Term) (*smt.Term, bool) {
	v, bad, kind := e.Binary(op, t, a, b)
	if bad != e.Terms.False && kind == machine.SignedOverflow && e.opt.Wrap && op != ctype.Div && op != ctype.Rem || kind == machine.BadShift && e.opt.Wrap {
		bad = e.Terms.False
	}
	return v, e.fail(st, bad, kind, "%s of %s: %s", op, t, faultText[kind])
}

var faultText = map[machine.FaultKind]string{
	machine.SignedOverflow: "the result does not fit", machine.DivideByZero: "division by zero", machine.BadShift: "shift amount out of range",
}

// Binary computes a op b in a type, for 64-bit values. bad is the condition under which C leaves it undefined, and kind
// the error that it is then.
func (e *Engine) Binary(op ctype.Op, t *ctype.Type, a, b *smt.Term) (v, bad *smt.Term, kind machine.FaultKind) {
	ts := e.Terms
	if t.Kind == ctype.Float {
		w, err := ctype.Binary(op, t, e.known(a), e.known(b))
		if err != nil {
			e.unsupported("%v", err)
		}
		return ts.Const(w, 64), ts.False, ""
	}
	isSigned := t.Signed && t.Kind == ctype.Int
	if op.IsCompare() {
		return ts.Number(e.compare(op, isSigned, e.narrow(a, t), e.narrow(b, t)), 64), ts.False, ""
	}
	x := e.narrow(a, t)
	if op == ctype.Shl || op == ctype.Shr {
		return e.shift(op, t, x, b)
	}
	y := e.narrow(b, t)
	if op == ctype.Div || op == ctype.Rem {
		return e.divide(op, t, x, y)
	}
	r := ts.Bin(bitOps[op], x, y)
	if isSigned {
		bad = e.overflows(op, x, y, r)
	} else {
		bad = ts.False
	}
	return e.wide(r, t), bad, machine.SignedOverflow
}

func (e *Engine) compare(op ctype.Op, isSigned bool, x, y *smt.Term) *smt.Term {
	ts := e.Terms
	switch op {
	case ctype.Eq:
		return ts.Eq(x, y)
	case ctype.Ne:
		return ts.Not(ts.Eq(x, y))
	case ctype.Lt:
		return ts.Less(x, y, isSigned, false)
	case ctype.Le:
		return ts.Less(x, y, isSigned, true)
	case ctype.Gt:
		return ts.Less(y, x, isSigned, false)
	}
	return ts.Less(y, x, isSigned, true)
}

// overflows returns the condition under which a signed result r of x op y does not fit. For sums and differences the
// signs tell.
func (e *Engine) overflows(op ctype.Op, x, y, r *smt.Term) *smt.Term {
	ts := e.Terms
	if ts.Fits(bitOps[op], x, y) {
		return ts.False
	}
	zero := ts.Const(0, x.Width)
	neg := func(t *smt.Term) *smt.Term { return ts.Less(t, zero, true, false) }
	switch op {
	case ctype.Add:
		return ts.And(ts.Eq(neg(x), neg(y)), ts.Not(ts.Eq(neg(x), neg(r))))
	case ctype.Sub:
		return ts.And(ts.Not(ts.Eq(neg(x), neg(y))), ts.Not(ts.Eq(neg(x), neg(r))))
	case ctype.Mul:
		return ts.MulOverflow(x, y)
	}
	return ts.False
}

func (e *Engine) divide(op ctype.Op, t *ctype.Type, x, y *smt.Term) (v, bad *smt.Term, kind machine.FaultKind) {
	ts := e.Terms
	zero := ts.Eq(y, ts.Const(0, y.Width))
	o := map[bool]map[ctype.Op]smt.Op{true: {ctype.Div: smt.OpSDiv, ctype.Rem: smt.OpSRem}, false: {ctype.Div: smt.OpUDiv, ctype.Rem: smt.OpURem}}[t.Signed][op]
	bad = zero
	if t.Signed {
		least := ts.Const(1<<(x.Width-1), x.Width)
		bad = ts.Or(bad, ts.And(ts.Eq(x, least), ts.Eq(y, ts.Const(^uint64(0), y.Width))))
	}
	return e.wide(ts.Bin(o, x, y), t), bad, machine.DivideByZero
}

func (e *Engine) shift(op ctype.Op, t *ctype.Type, x, n *smt.Term) (v, bad *smt.Term, kind machine.FaultKind) {
	ts := e.Terms
	w := x.Width
	// A count out of range is an error. With Options.Wrap it is masked, as on x86.
	bad = ts.Less(ts.Const(uint64(w)-1, 64), n, false, false)
	count := ts.Extract(ts.Bin(smt.OpBitAnd, n, ts.Const(uint64(w)-1, 64)), 0, min(w, 64))
	o := smt.OpShl
	if op == ctype.Shr {
		o = smt.OpLShr
		if t.Signed {
			o = smt.OpAShr
		}
	}
	return e.wide(ts.Bin(o, x, count), t), bad, machine.BadShift
}

func (e *Engine) unary(st *State, op ctype.Op, t *ctype.Type, a *smt.Term) (*smt.Term, bool) {
	v, bad := e.Unary(op, t, a)
	if e.opt.Wrap {
		bad = e.Terms.False
	}
	return v, e.fail(st, bad, machine.SignedOverflow, "negation of %s: the result does not fit", t)
}

// Unary computes -a or ~a in a type, and the condition under which it is undefined.
func (e *Engine) Unary(op ctype.Op, t *ctype.Type, a *smt.Term) (v, bad *smt.Term) {
	ts := e.Terms
	switch {
	case t.Kind == ctype.Float:
		w, _ := ctype.Unary(op, t, e.known(a))
		return ts.Const(w, 64), ts.False
	case op == ctype.Not:
		return e.wide(ts.BitNot(e.narrow(a, t)), t), ts.False
	}
	x := e.narrow(a, t)
	r := ts.Bin(smt.OpSub, ts.Const(0, x.Width), x)
	bad = ts.False
	if t.Signed {
		bad = ts.Eq(x, ts.Const(1<<(x.Width-1), x.Width))
	}
	return e.wide(r, t), bad
}
