package ctype

import "math"

// This file implements arithmetic of complex numbers as gcc 12 and libgcc compute it.
// Products recover infinities as C11 annex G.5.1 shows. Quotients of float are computed in
// double, others by Smith's method with scaling (libgcc2.c, __divdc3 after Baudin and Smith,
// "A Robust Complex Division in Scilab", 2012).

// num has the operations on values of one real type, which are their bytes in memory.
type num struct{ t *Type }

func (n num) op(o Op, a, b []byte) []byte {
	r, _ := scalarBinary(o, n.t, a, b) // overflow wraps
	return r
}
func (n num) add(a, b []byte) []byte { return n.op(Add, a, b) }
func (n num) sub(a, b []byte) []byte { return n.op(Sub, a, b) }
func (n num) mul(a, b []byte) []byte { return n.op(Mul, a, b) }
func (n num) div(a, b []byte) []byte { return n.op(Div, a, b) }

func (n num) neg(a []byte) []byte {
	r, _ := WideUnary(Neg, n.t, a)
	return r
}

func (n num) of(v float64) []byte {
	r, _ := WideConvert(DoubleT, n.t, ofWord(DoubleT, math.Float64bits(v)))
	return r
}

func (n num) less(a, b []byte) bool { return Load(IntT, n.op(Lt, a, b)) != 0 }

func (n num) ext(a []byte) Ext {
	if n.t.Kind == LongDouble {
		return LoadExt(a)
	}
	return ExtOfFloat(FloatOf(n.t, Load(n.t, a)))
}

func (n num) nan(a []byte) bool  { return n.ext(a).IsNaN() }
func (n num) inf(a []byte) bool  { return n.ext(a).IsInf() }
func (n num) zero(a []byte) bool { return n.ext(a).IsZero() }
func (n num) abs(a []byte) []byte {
	if n.ext(a).Signbit() {
		return n.neg(a)
	}
	return a
}

// unit returns 1 if a is an infinity, else 0, with the sign of a.
func (n num) unit(a []byte) []byte {
	r := n.of(0)
	if n.inf(a) {
		r = n.of(1)
	}
	return n.signed(r, a)
}

func (n num) signed(r, a []byte) []byte {
	if n.ext(a).Signbit() != n.ext(r).Signbit() {
		return n.neg(r)
	}
	return r
}

func complexBinary(op Op, ta, tb *Type, a, b []byte) ([]byte, error) {
	p := Common(ta.part(), tb.part())
	split := func(t *Type, x []byte) (re, im []byte, err error) {
		h := t.part().Size
		if re, err = WideConvert(t.part(), p, x[:h]); err != nil || t.Kind != Complex {
			return re, nil, err
		}
		im, err = WideConvert(t.part(), p, x[h:])
		return re, im, err
	}
	ar, ai, err := split(ta, a)
	if err != nil {
		return nil, err
	}
	br, bi, err := split(tb, b)
	if err != nil {
		return nil, err
	}
	n := num{p}
	join := func(re, im []byte) ([]byte, error) { return append(append([]byte{}, re...), im...), nil }
	zero, _ := WideConvert(IntT, p, make([]byte, 4))
	if op == Eq || op == Ne {
		if ai == nil {
			ai = zero
		}
		if bi == nil {
			bi = zero
		}
		same := Load(IntT, n.op(Eq, ar, br)) != 0 && Load(IntT, n.op(Eq, ai, bi)) != 0
		return ofWord(IntT, truth(same == (op == Eq))), nil
	}
	// A real operand is not made complex, except as a dividend.
	switch {
	case ai != nil && bi != nil:
	case bi == nil && op == Mul:
		return join(n.mul(ar, br), n.mul(ai, br))
	case bi == nil && op == Div:
		if !isFloating(p) && !WideTruth(p, br) {
			return nil, ErrDivide
		}
		return join(n.div(ar, br), n.div(ai, br))
	case bi == nil:
		return join(n.op(op, ar, br), ai)
	case op == Mul:
		return join(n.mul(ar, br), n.mul(ar, bi))
	case op == Add:
		return join(n.add(ar, br), bi)
	case op == Sub:
		return join(n.sub(ar, br), n.neg(bi))
	default:
		ai = zero
	}
	switch op {
	case Add, Sub:
		return join(n.op(op, ar, br), n.op(op, ai, bi))
	case Mul:
		return join(n.complexMul(ar, ai, br, bi))
	case Div:
		if !isFloating(p) {
			if !WideTruth(p, br) && !WideTruth(p, bi) {
				return nil, ErrDivide
			}
			return n.integerDiv(ar, ai, br, bi)
		}
		re, im := n.complexDiv(ar, ai, br, bi)
		return append(append([]byte{}, re...), im...), nil
	}
	panic("ctype: operator " + op.String() + " on complex")
}

func isFloating(t *Type) bool { return t.Kind == Float || t.Kind == LongDouble }

func (n num) complexMul(a, b, c, d []byte) (x, y []byte) {
	ac, bd, ad, bc := n.mul(a, c), n.mul(b, d), n.mul(a, d), n.mul(b, c)
	x, y = n.sub(ac, bd), n.add(ad, bc)
	if !isFloating(n.t) || !n.nan(x) || !n.nan(y) {
		return x, y
	}
	again := false
	plain := func(v []byte) []byte {
		if n.nan(v) {
			return n.signed(n.of(0), v)
		}
		return v
	}
	if n.inf(a) || n.inf(b) {
		a, b, c, d, again = n.unit(a), n.unit(b), plain(c), plain(d), true
	}
	if n.inf(c) || n.inf(d) {
		c, d, a, b, again = n.unit(c), n.unit(d), plain(a), plain(b), true
	}
	if !again && (n.inf(ac) || n.inf(bd) || n.inf(ad) || n.inf(bc)) {
		a, b, c, d, again = plain(a), plain(b), plain(c), plain(d), true
	}
	if again {
		inf := n.of(math.Inf(1))
		x = n.mul(inf, n.sub(n.mul(a, c), n.mul(b, d)))
		y = n.mul(inf, n.add(n.mul(a, d), n.mul(b, c)))
	}
	return x, y
}

// integerDiv divides complex integers as gcc does: by Smith's method, in integers.
func (n num) integerDiv(a, b, c, d []byte) ([]byte, error) {
	size := func(v []byte) []byte {
		if LoadInt(n.t, v).Sign() < 0 {
			return n.neg(v)
		}
		return v
	}
	turn := n.less(size(c), size(d))
	if turn { // both operands are multiplied by -i; the signs are corrected below
		a, b, c, d = b, a, d, c
	}
	ratio, err := scalarBinary(Div, n.t, d, c)
	if err != nil {
		return nil, err
	}
	div := n.add(n.mul(d, ratio), c)
	x, err := scalarBinary(Div, n.t, n.add(n.mul(b, ratio), a), div)
	if err != nil {
		return nil, err
	}
	im := n.sub(b, n.mul(a, ratio))
	if turn {
		im = n.sub(n.mul(a, ratio), b)
	}
	y, err := scalarBinary(Div, n.t, im, div)
	return append(append([]byte{}, x...), y...), err
}

func (n num) complexDiv(a, b, c, d []byte) (x, y []byte) {
	if n.t.Kind == Float && n.t.Size == 4 {
		x, y = floatDiv(n, a, b, c, d)
	} else {
		x, y = n.smith(a, b, c, d)
	}
	if !n.nan(x) || !n.nan(y) {
		return x, y
	}
	inf := n.of(math.Inf(1))
	finite := func(v []byte) bool { return !n.nan(v) && !n.inf(v) }
	switch {
	case n.zero(c) && n.zero(d) && (!n.nan(a) || !n.nan(b)):
		s := n.signed(inf, c)
		return n.mul(s, a), n.mul(s, b)
	case (n.inf(a) || n.inf(b)) && finite(c) && finite(d):
		a, b = n.unit(a), n.unit(b)
		return n.mul(inf, n.add(n.mul(a, c), n.mul(b, d))), n.mul(inf, n.sub(n.mul(b, c), n.mul(a, d)))
	case (n.inf(c) || n.inf(d)) && finite(a) && finite(b):
		c, d = n.unit(c), n.unit(d)
		zero := n.of(0)
		return n.mul(zero, n.add(n.mul(a, c), n.mul(b, d))), n.mul(zero, n.sub(n.mul(b, c), n.mul(a, d)))
	}
	return x, y
}

// floatDiv divides complex floats in double, without scaling.
func floatDiv(n num, ab, bb, cb, db []byte) (x, y []byte) {
	v := func(p []byte) float64 { return FloatOf(n.t, Load(n.t, p)) }
	a, b, c, d := v(ab), v(bb), v(cb), v(db)
	denom := float64(c*c) + float64(d*d)
	re := (float64(a*c) + float64(b*d)) / denom
	im := (float64(b*c) - float64(a*d)) / denom
	return ofWord(n.t, OfFloat(n.t, re)), ofWord(n.t, OfFloat(n.t, im))
}

// smith implements __divdc3 and __divxc3 without their recovery of infinities.
func (n num) smith(a, b, c, d []byte) (x, y []byte) {
	var most, least, eps Ext
	if n.t.Kind == LongDouble {
		most, least, eps = Ext{extMaxExp - 1, math.MaxUint64}, Ext{1, 1 << 63}, Ext{extBias - 63, 1 << 63}
	} else {
		most, least, eps = ExtOfFloat(math.MaxFloat64), ExtOfFloat(0x1p-1022), ExtOfFloat(0x1p-52)
	}
	val := func(e Ext) []byte {
		out, _ := extTo(n.t, e)
		return out
	}
	big := val(most.Scale(-1))
	small := val(least)
	scale := n.div(n.of(1), val(eps))
	big2 := n.mul(big, val(eps))
	each := func(f func([]byte) []byte) { a, b, c, d = f(a), f(b), f(c), f(d) }
	swap := n.less(n.abs(c), n.abs(d))
	p := d // the larger part of the divisor
	if !swap {
		p = c
	}
	if !n.less(n.abs(p), big) {
		each(func(v []byte) []byte { return n.div(v, n.of(2)) })
	}
	p = d
	if !swap {
		p = c
	}
	up := func(v []byte) []byte { return n.mul(v, scale) }
	switch {
	case n.less(n.abs(p), small):
		each(up)
	case n.less(n.abs(a), small) && n.less(n.abs(b), big2) && n.less(n.abs(p), big2),
		n.less(n.abs(b), small) && n.less(n.abs(a), big2) && n.less(n.abs(p), big2):
		each(up)
	}
	if swap {
		ratio := n.div(c, d)
		denom := n.add(n.mul(c, ratio), d)
		if n.less(small, n.abs(ratio)) {
			return n.div(n.add(n.mul(a, ratio), b), denom), n.div(n.sub(n.mul(b, ratio), a), denom)
		}
		return n.div(n.add(n.mul(c, n.div(a, d)), b), denom), n.div(n.sub(n.mul(c, n.div(b, d)), a), denom)
	}
	ratio := n.div(d, c)
	denom := n.add(n.mul(d, ratio), c)
	if n.less(small, n.abs(ratio)) {
		return n.div(n.add(n.mul(b, ratio), a), denom), n.div(n.sub(b, n.mul(a, ratio)), denom)
	}
	return n.div(n.add(n.mul(d, n.div(b, c)), a), denom), n.div(n.sub(b, n.mul(d, n.div(a, c))), denom)
}
