package smt

import "math"

// This file computes intervals that contain the value of a term, read as a signed number. They decide comparisons. They
// also allow an operation to be done in few bits if its values fit: a division of 32 bits costs a solver as much as ten
// divisions of 10 bits.

// interval contains the values from lo to hi, both included.
type interval struct{ lo, hi int64 }

// mostNarrow is the largest width to which operations on wider terms are narrowed. Addresses have more bits, and stay
// as they are.
const mostNarrow = 32

func full(w uint8) interval {
	return interval{math.MinInt64 >> (64 - w), math.MaxInt64 >> (64 - w)}
}

func (r interval) within(o interval) bool { return r.lo >= o.lo && r.hi <= o.hi }

// width returns how many bits, at least, hold all values of the interval.
func (r interval) width() uint8 {
	w := uint8(1)
	for !r.within(full(w)) {
		w++
	}
	return w
}

// Bound restricts symbol v to the signed numbers from lo to hi, in all terms that are made of it from now on. The
// caller must also assume the bounds in every question, by terms that were made before Bound was called.
func (ts *Terms) Bound(v *Term, lo, hi int64) {
	f := full(v.Width)
	v.rng = interval{max(lo, f.lo, v.rng.lo), min(hi, f.hi, v.rng.hi)}
	if v.rng.lo > v.rng.hi {
		v.rng = f // no value meets the bounds
	}
}

// Narrow returns a term equal to t that extends a narrower one, if all values of t fit in fewer bits. Otherwise it
// returns t.
func (ts *Terms) Narrow(t *Term) *Term {
	if t.Width == 0 || t.Op == OpConst {
		return t
	}
	if k := t.rng.width(); k < t.Width {
		return ts.extend(OpSExt, ts.Extract(t, 0, k), t.Width)
	}
	return t
}

// Fits reports whether the sum, difference or product of two signed numbers is known to fit in their width.
func (ts *Terms) Fits(op Op, a, b *Term) bool {
	r, ok := combine(op, a.rng, b.rng)
	return ok && r.within(full(a.Width))
}

// Negative reports whether a term is below 0, and whether that is known.
func (t *Term) Negative() (is, known bool) { return t.rng.hi < 0, t.rng.hi < 0 || t.rng.lo >= 0 }

// combine computes the interval of a sum, difference or product. It returns false if the interval exceeds 64 bits.
func combine(op Op, a, b interval) (interval, bool) {
	switch op {
	case OpAdd:
		lo, ok1 := add(a.lo, b.lo)
		hi, ok2 := add(a.hi, b.hi)
		return interval{lo, hi}, ok1 && ok2
	case OpSub:
		lo, ok1 := add(a.lo, -b.hi)
		hi, ok2 := add(a.hi, -b.lo)
		return interval{lo, hi}, ok1 && ok2 && b.lo != math.MinInt64 && b.hi != math.MinInt64
	case OpMul:
		var r interval
		for i, x := range []int64{a.lo, a.hi} {
			for j, y := range []int64{b.lo, b.hi} {
				if mulOverflows(x, y, 64) {
					return r, false
				}
				p := x * y
				if i+j == 0 {
					r = interval{p, p}
				}
				r = interval{min(r.lo, p), max(r.hi, p)}
			}
		}
		return r, true
	}
	return interval{}, false
}

func add(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

// ranged computes the interval of a term from the intervals of its operands.
func ranged(t *Term) interval {
	f := full(max(t.Width, 1))
	if t.Width == 0 {
		return f
	}
	r := f
	switch t.Op {
	case OpConst:
		n := signed(t.K, t.Width)
		return interval{n, n}
	case OpIte:
		r = interval{min(t.B.rng.lo, t.C.rng.lo), max(t.B.rng.hi, t.C.rng.hi)}
	case OpAdd, OpSub, OpMul:
		var ok bool
		if r, ok = combine(t.Op, t.A.rng, t.B.rng); !ok {
			return f
		}
	case OpSDiv, OpUDiv, OpSRem, OpURem:
		r = quotient(t)
	case OpBitAnd, OpBitOr, OpBitXor:
		r = bitwise(t)
	case OpShl, OpLShr, OpAShr:
		r = shifted(t)
	case OpExtract:
		if t.K == 0 {
			r = t.A.rng
		}
	case OpSExt:
		r = t.A.rng
	case OpZExt:
		r = t.A.rng
		if r.lo < 0 {
			r = interval{0, int64(mask(t.A.Width))}
		}
	}
	if !r.within(f) {
		return f
	}
	return r
}

// quotient computes the interval of a division or remainder. It includes the result of a division by zero.
func quotient(t *Term) interval {
	a, b := t.A.rng, t.B.rng
	f := full(t.Width)
	if t.Op == OpUDiv || t.Op == OpURem {
		if a.lo < 0 || b.lo < 0 {
			return f
		}
	}
	if a.lo == math.MinInt64 || b.lo == math.MinInt64 {
		return f
	}
	most := max(a.hi, -a.lo)
	zero := b.lo <= 0 && b.hi >= 0
	r := interval{-most, most}
	if a.lo >= 0 {
		r.lo = 0
	}
	if a.hi <= 0 {
		r.hi = 0
	}
	switch t.Op {
	case OpSRem, OpURem:
		if d := max(b.hi, -b.lo) - 1; !zero {
			r = interval{max(r.lo, -d), min(r.hi, d)}
		}
		return r
	}
	if b.lo > 0 { // the signs stay
		return interval{min(a.lo/b.lo, a.lo/b.hi), max(a.hi/b.lo, a.hi/b.hi)}
	}
	most = max(most, 1)
	return interval{-most, most}
}

func bitwise(t *Term) interval {
	a, b := t.A.rng, t.B.rng
	switch {
	case t.Op == OpBitAnd && a.lo >= 0 && b.lo >= 0:
		return interval{0, min(a.hi, b.hi)}
	case t.Op == OpBitAnd && a.lo >= 0:
		return interval{0, a.hi}
	case t.Op == OpBitAnd && b.lo >= 0:
		return interval{0, b.hi}
	}
	// All operands fit in this many bits, and so does the result.
	r := full(max(a.width(), b.width()))
	if a.lo >= 0 && b.lo >= 0 {
		r.lo = 0
	}
	return r
}

func shifted(t *Term) interval {
	k, ok := t.B.IsConst()
	f := full(t.Width)
	if !ok || k >= uint64(t.Width) {
		return f
	}
	a := t.A.rng
	switch t.Op {
	case OpAShr:
		return interval{a.lo >> k, a.hi >> k}
	case OpLShr:
		if a.lo >= 0 {
			return interval{a.lo >> k, a.hi >> k}
		}
		if k > 0 {
			return interval{0, int64(mask(t.Width) >> k)}
		}
	case OpShl:
		if k < 63 {
			if r, ok := combine(OpMul, a, interval{1 << k, 1 << k}); ok {
				return r
			}
		}
	}
	return f
}

// decide decides an equality or a comparison of signed numbers by their intervals. It returns nil if they do not decide
// it.
func (ts *Terms) decide(op Op, a, b interval) *Term {
	switch {
	case op == OpEq && (a.hi < b.lo || b.hi < a.lo):
		return ts.False
	case op == OpSLt && a.hi < b.lo, op == OpSLe && a.hi <= b.lo:
		return ts.True
	case op == OpSLt && a.lo >= b.hi, op == OpSLe && a.lo > b.hi:
		return ts.False
	}
	return nil
}

// fewer computes a op b in fewer bits if the operands and the result fit in them. It returns nil if they do not.
func (ts *Terms) fewer(op Op, a, b *Term) *Term {
	w := a.Width
	if w <= 8 && op != OpMul && op != OpSDiv && op != OpSRem && op != OpUDiv && op != OpURem {
		return nil
	}
	switch op {
	case OpUDiv, OpURem:
		if a.rng.lo < 0 || b.rng.lo < 0 {
			return nil
		}
	case OpLShr:
		if a.rng.lo < 0 {
			return nil
		}
	}
	k := ranged(&Term{Op: op, Width: w, A: a, B: b}).width()
	switch op {
	case OpAdd, OpSub, OpMul, OpSDiv, OpSRem, OpUDiv, OpURem, OpBitOr, OpBitXor:
		k = max(k, a.rng.width(), b.rng.width())
	case OpBitAnd:
		if a.rng.lo < 0 && b.rng.lo < 0 {
			k = max(a.rng.width(), b.rng.width())
		}
	case OpShl, OpLShr, OpAShr:
		if n, ok := b.IsConst(); !ok || n >= uint64(w) {
			return nil
		}
		k = max(k, a.rng.width(), b.rng.width())
		if n, _ := b.IsConst(); n >= uint64(k) {
			return nil
		}
	default:
		return nil
	}
	if k >= w || k > mostNarrow && w > mostNarrow {
		return nil
	}
	return ts.extend(OpSExt, ts.Bin(op, ts.Extract(a, 0, k), ts.Extract(b, 0, k)), w)
}
