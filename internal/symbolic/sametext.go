package symbolic

import (
	"strings"

	"gulo/internal/smt"
)

// This file compares the output of two programs.

// mostPairs bounds the comparison of pieces that are printed under different conditions.
const mostPairs = 30_000

// SameText returns a condition under which two runs print the same to a stream. It compares piece by piece, so it may
// be false for equal texts, if one run prints a number where the other prints its digits. why says what cannot be
// compared, and is empty if everything can.
func SameText(ts *smt.Terms, a, b []*Printed, stream int) (same *smt.Term, why string) {
	a, b = onStream(a, stream), onStream(b, stream)
	for _, list := range [][]*Printed{a, b} {
		for _, p := range list {
			if p.Opaque != "" {
				return ts.True, p.Opaque
			}
		}
	}
	if s, ok := sameShape(ts, a, b); ok {
		return s, ""
	}
	if len(a)*len(b) > mostPairs {
		return ts.False, "printed texts of this length"
	}
	at, total := positions(ts, a)
	bt, btotal := positions(ts, b)
	same = ts.Eq(total.term, btotal.term)
	for i, p := range a {
		for k, q := range b {
			if at[i].max < bt[k].min || bt[k].max < at[i].min {
				continue
			}
			both := ts.And(ts.And(p.When, q.When), ts.Eq(at[i].term, bt[k].term))
			same = ts.And(same, ts.Implies(both, p.same(ts, q)))
		}
	}
	return same, ""
}

func onStream(list []*Printed, stream int) (out []*Printed) {
	for _, p := range list {
		if p.Stream == stream {
			out = append(out, p)
		}
	}
	return out
}

// sameShape compares two lists piece by piece. It returns false if they do not have the same conditions.
func sameShape(ts *smt.Terms, a, b []*Printed) (*smt.Term, bool) {
	if len(a) != len(b) {
		return nil, false
	}
	same := ts.True
	for i, p := range a {
		if p.When != b[i].When {
			return nil, false
		}
		same = ts.And(same, ts.Implies(p.When, p.same(ts, b[i])))
	}
	return same, true
}

// same returns a condition under which two pieces are certainly the same text.
func (p *Printed) same(ts *smt.Terms, q *Printed) *smt.Term {
	switch {
	case p.Byte != nil && q.Byte != nil:
		return ts.Eq(p.Byte, q.Byte)
	case p.Byte != nil || q.Byte != nil:
		return ts.False
	case p.Spec == q.Spec:
		return ts.Eq(p.Number, q.Number)
	case strings.TrimSuffix(p.Spec, "ld") == strings.TrimSuffix(q.Spec, "lu") || strings.TrimSuffix(p.Spec, "lu") == strings.TrimSuffix(q.Spec, "ld"):
		// A nonnegative number is the same signed and unsigned.
		return ts.And(ts.Eq(p.Number, q.Number), ts.Less(ts.Const(0, 64), p.Number, true, true))
	}
	return ts.False
}

// position is the number of pieces that are printed before a piece.
type position struct {
	term     *smt.Term // 16 bits
	min, max int
}

func positions(ts *smt.Terms, list []*Printed) (at []position, total position) {
	now := position{term: ts.Const(0, 16)}
	for i := 0; i < len(list); {
		n := i
		for n < len(list) && list[n].When == list[i].When {
			n++
		}
		for k := i; k < n; k++ {
			d := k - i
			at = append(at, position{ts.Bin(smt.OpAdd, now.term, ts.Const(uint64(d), 16)), now.min + d, now.max + d})
		}
		now.term = ts.Bin(smt.OpAdd, now.term, ts.Ite(list[i].When, ts.Const(uint64(n-i), 16), ts.Const(0, 16)))
		now.max += n - i
		if list[i].When == ts.True {
			now.min += n - i
		}
		i = n
	}
	return at, now
}
