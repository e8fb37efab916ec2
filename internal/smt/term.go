package smt

import (
	"context"
	"fmt"
	"math/bits"
	"strings"

	"gulo/internal/budget"
)

// This file makes terms: bit-vectors of up to 64 bits, and truth values. Terms are simplified when they are made, and
// equal terms are the same pointer.

// Op is a term's operator.
type Op uint8

// The operators, as SMT-LIB's theory of fixed-size bit-vectors defines them.
const (
	OpConst Op = iota // its value is K; at width 0, K is 0 or 1 for false or true
	OpVar             // the symbol Name
	OpNot
	OpAnd
	OpOr
	OpIte
	OpEq
	OpULt
	OpULe
	OpSLt
	OpSLe
	OpAdd
	OpSub
	OpMul
	OpUDiv
	OpURem
	OpSDiv
	OpSRem
	OpBitAnd
	OpBitOr
	OpBitXor
	OpBitNot
	OpShl
	OpLShr
	OpAShr
	OpExtract // Width bits of A, from bit K on
	OpConcat  // the bits of A above those of B
	OpZExt
	OpSExt
	OpMulOverflow // the product of signed numbers does not fit
)

var opNames = [...]string{"const", "var", "not", "and", "or", "ite", "=", "bvult", "bvule", "bvslt", "bvsle", "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem",
	"bvsdiv", "bvsrem", "bvand", "bvor", "bvxor", "bvnot", "bvshl", "bvlshr", "bvashr", "extract", "concat", "zero_extend", "sign_extend", "mul_overflow"}

// Term is an expression. Two terms of the same Terms are equal if and only if their pointers are.
type Term struct {
	Op      Op
	Width   uint8 // in bits; 0 for a truth value
	A, B, C *Term
	K       uint64
	Name    string
	ID      int // number of the term in its Terms; operands have smaller numbers

	rng interval
}

type termKey struct {
	op      Op
	width   uint8
	a, b, c int
	k       uint64
	name    string
}

// Terms makes terms. Only one goroutine may use it.
type Terms struct {
	table       map[termKey]*Term
	True, False *Term
	asked       int64 // calls of make since the last Spend
}

// NewTerms returns an empty store of terms.
func NewTerms() *Terms {
	ts := &Terms{table: map[termKey]*Term{}}
	ts.False = ts.make(Term{Op: OpConst})
	ts.True = ts.make(Term{Op: OpConst, K: 1})
	return ts
}

// Size returns the number of terms.
func (ts *Terms) Size() int { return len(ts.table) }

// perMake is the cost of making a term, or of finding it, in steps of a search (package budget).
const perMake = 20

// Spend counts the terms made or found since its last call as work of a search.
func (ts *Terms) Spend(ctx context.Context) {
	budget.Spend(ctx, ts.asked*perMake)
	ts.asked = 0
}

func id(t *Term) int {
	if t == nil {
		return -1
	}
	return t.ID
}

func (ts *Terms) make(t Term) *Term {
	ts.asked++
	key := termKey{t.Op, t.Width, id(t.A), id(t.B), id(t.C), t.K, t.Name}
	if old, ok := ts.table[key]; ok {
		return old
	}
	t.ID = len(ts.table)
	t.rng = ranged(&t)
	n := &t
	ts.table[key] = n
	return n
}

func mask(w uint8) uint64 {
	if w >= 64 {
		return ^uint64(0)
	}
	return 1<<w - 1
}

func signed(k uint64, w uint8) int64 { return int64(k<<(64-w)) >> (64 - w) }

// Const returns the constant k of width w.
func (ts *Terms) Const(k uint64, w uint8) *Term {
	return ts.make(Term{Op: OpConst, Width: w, K: k & mask(w)})
}

// Value returns the constant k of width w, or a truth value if w is 0.
func (ts *Terms) Value(k uint64, w uint8) *Term {
	if w == 0 {
		return ts.Bool(k != 0)
	}
	return ts.Const(k, w)
}

// Bool returns a truth value.
func (ts *Terms) Bool(b bool) *Term {
	if b {
		return ts.True
	}
	return ts.False
}

// Var returns the symbol of a name and a width. It is the same term for the same name and width.
func (ts *Terms) Var(name string, w uint8) *Term {
	return ts.make(Term{Op: OpVar, Width: w, Name: name})
}

// IsConst reports whether a term is a constant, and returns its value.
func (t *Term) IsConst() (uint64, bool) { return t.K, t.Op == OpConst }

// Signed returns the value of a constant as a signed number.
func (t *Term) Signed() int64 { return signed(t.K, max(t.Width, 1)) }

// Not returns the negation of a truth value.
func (ts *Terms) Not(a *Term) *Term {
	switch a.Op {
	case OpConst:
		return ts.Bool(a.K == 0)
	case OpNot:
		return a.A
	}
	return ts.make(Term{Op: OpNot, A: a})
}

func (ts *Terms) complement(a, b *Term) bool {
	return a.Op == OpNot && a.A == b || b.Op == OpNot && b.A == a
}

// conjunct reports whether c is an operand of the chain of op (OpAnd or OpOr) that a is. It looks at most 8 levels
// deep.
func conjunct(a, c *Term, op Op) bool {
	for n := 0; n < 8 && a.Op == op; n++ {
		if a.A == c || a.B == c {
			return true
		}
		a = a.A
	}
	return a == c
}

// And returns a conjunction.
func (ts *Terms) And(a, b *Term) *Term {
	switch {
	case a == ts.False || b == ts.False || ts.complement(a, b):
		return ts.False
	case a == ts.True || conjunct(b, a, OpAnd):
		return b
	case b == ts.True || conjunct(a, b, OpAnd):
		return a
	case conjunct(a, ts.Not(b), OpAnd), conjunct(b, ts.Not(a), OpAnd):
		return ts.False
	}
	return ts.make(Term{Op: OpAnd, A: a, B: b})
}

// Or returns a disjunction. The paths of both branches of a condition, p && c and p && !c, simplify to p.
func (ts *Terms) Or(a, b *Term) *Term {
	switch {
	case a == ts.True || b == ts.True || ts.complement(a, b):
		return ts.True
	case a == ts.False || conjunct(b, a, OpOr):
		return b
	case b == ts.False || conjunct(a, b, OpOr):
		return a
	case conjunct(a, b, OpAnd): // a implies b
		return b
	case conjunct(b, a, OpAnd):
		return a
	}
	if a.Op == OpAnd && b.Op == OpAnd {
		if a.A == b.A {
			return ts.And(a.A, ts.Or(a.B, b.B))
		}
		if a.B == b.B {
			return ts.And(ts.Or(a.A, b.A), a.B)
		}
	}
	return ts.make(Term{Op: OpOr, A: a, B: b})
}

// Implies returns a => b.
func (ts *Terms) Implies(a, b *Term) *Term { return ts.Or(ts.Not(a), b) }

// Ite returns c ? a : b.
func (ts *Terms) Ite(c, a, b *Term) *Term {
	switch {
	case c == ts.True || a == b:
		return a
	case c == ts.False:
		return b
	case c.Op == OpNot:
		return ts.Ite(c.A, b, a)
	}
	if a.Op == OpIte && a.A == c {
		a = a.B
	}
	if b.Op == OpIte && b.A == c {
		b = b.C
	}
	if a == b {
		return a
	}
	if a.Width == 0 {
		switch {
		case a == ts.True:
			return ts.Or(c, b)
		case a == ts.False:
			return ts.And(ts.Not(c), b)
		case b == ts.True:
			return ts.Or(ts.Not(c), a)
		case b == ts.False:
			return ts.And(c, a)
		}
	}
	// Extensions are moved out of the conditional term, so that it stays narrow.
	if op, w := outer(a, b); w > 0 && w < a.Width && w <= mostNarrow {
		return ts.extend(op, ts.Ite(c, ts.Extract(a, 0, w), ts.Extract(b, 0, w)), a.Width)
	}
	return ts.make(Term{Op: OpIte, Width: a.Width, A: c, B: a, C: b})
}

// outer returns an extension operator that two terms have in common, and the width before it. The width is 0 if they
// have none in common. A constant fits the operator of the other term if it can be written as such an extension.
func outer(a, b *Term) (op Op, w uint8) {
	is := func(t *Term, op Op) bool {
		return t.Op == op || t.Op == OpConst && (op == OpSExt || signed(t.K, t.Width) >= 0)
	}
	bits := func(t *Term, op Op) uint8 {
		switch {
		case t.Op == op:
			return t.A.Width
		case op == OpSExt:
			return t.rng.width()
		}
		return max(t.rng.width()-1, 1)
	}
	for _, op := range []Op{OpSExt, OpZExt} {
		if (a.Op == op || b.Op == op) && is(a, op) && is(b, op) {
			return op, max(bits(a, op), bits(b, op))
		}
	}
	return 0, 0
}

// leaves reports whether a term consists of at most depth nested conditions and constants as their results.
func leaves(t *Term, depth int) bool {
	if t.Op == OpConst {
		return true
	}
	return t.Op == OpIte && depth > 0 && leaves(t.B, depth-1) && leaves(t.C, depth-1)
}

// mapLeaves applies f to the constants of such a term.
func (ts *Terms) mapLeaves(t *Term, f func(*Term) *Term) *Term {
	if t.Op == OpIte {
		return ts.Ite(t.A, ts.mapLeaves(t.B, f), ts.mapLeaves(t.C, f))
	}
	return f(t)
}

const leafDepth = 4

// Eq returns a = b. Both operands have the same width.
func (ts *Terms) Eq(a, b *Term) *Term {
	if a == b {
		return ts.True
	}
	if a.Op == OpConst {
		a, b = b, a
	}
	if a.Op == OpConst {
		return ts.Bool(a.K == b.K)
	}
	if a.Width > 0 {
		if d := ts.decide(OpEq, a.rng, b.rng); d != nil {
			return d
		}
	}
	if a.Width == 0 {
		switch b {
		case ts.True:
			return a
		case ts.False:
			return ts.Not(a)
		}
		if ts.complement(a, b) {
			return ts.False
		}
	}
	if k, ok := b.IsConst(); ok {
		switch {
		case leaves(a, leafDepth):
			return ts.mapLeaves(a, func(l *Term) *Term { return ts.Bool(l.K == b.K) })
		case a.Op == OpSExt || a.Op == OpZExt:
			n := ts.Const(k, a.A.Width)
			if ts.extend(a.Op, n, a.Width) != b {
				return ts.False
			}
			return ts.Eq(a.A, n)
		case a.Op == OpAdd && a.B.Op == OpConst:
			return ts.Eq(a.A, ts.Const(k-a.B.K, a.Width))
		}
	}
	if op, w := outer(a, b); w > 0 && w < a.Width && a.Op == op && b.Op == op {
		return ts.Eq(ts.Extract(a, 0, w), ts.Extract(b, 0, w))
	}
	if a.ID > b.ID && b.Op != OpConst {
		a, b = b, a
	}
	return ts.make(Term{Op: OpEq, A: a, B: b})
}

// Less returns a < b, or a <= b if orEqual is set.
func (ts *Terms) Less(a, b *Term, isSigned, orEqual bool) *Term {
	op := OpULt
	switch {
	case isSigned && orEqual:
		op = OpSLe
	case isSigned:
		op = OpSLt
	case orEqual:
		op = OpULe
	}
	if a == b {
		return ts.Bool(orEqual)
	}
	if !isSigned && a.rng.lo >= 0 && b.rng.lo >= 0 {
		return ts.Less(a, b, true, orEqual)
	}
	if isSigned {
		if d := ts.decide(op, a.rng, b.rng); d != nil {
			return d
		}
	}
	if a.Op == OpConst && b.Op == OpConst {
		return ts.Bool(apply(op, a.Width, a.Width, a.K, b.K, 0, 0) == 1)
	}
	if b.Op == OpConst && leaves(a, leafDepth) {
		return ts.mapLeaves(a, func(l *Term) *Term { return ts.Less(l, b, isSigned, orEqual) })
	}
	if a.Op == OpConst && leaves(b, leafDepth) {
		return ts.mapLeaves(b, func(l *Term) *Term { return ts.Less(a, l, isSigned, orEqual) })
	}
	if isSigned {
		if op, w := outer(a, b); op == OpSExt && w > 0 && w < a.Width {
			return ts.Less(ts.Extract(a, 0, w), ts.Extract(b, 0, w), true, orEqual)
		}
	}
	if !orEqual { // normal form: a < b becomes !(b <= a)
		return ts.Not(ts.Less(b, a, isSigned, true))
	}
	return ts.make(Term{Op: op, A: a, B: b})
}

func commutes(op Op) bool {
	return op == OpAdd || op == OpMul || op == OpBitAnd || op == OpBitOr || op == OpBitXor
}

// Bin returns a op b. Both operands are bit-vectors of the same width.
func (ts *Terms) Bin(op Op, a, b *Term) *Term {
	w := a.Width
	if a.Op == OpConst && b.Op == OpConst {
		return ts.Const(apply(op, w, w, a.K, b.K, 0, 0), w)
	}
	if commutes(op) && (a.Op == OpConst || b.Op != OpConst && a.ID > b.ID) {
		a, b = b, a
	}
	if k, ok := b.IsConst(); ok {
		if t := ts.binConst(op, a, b, k); t != nil {
			return t
		}
	}
	if a == b {
		switch op {
		case OpSub, OpBitXor:
			return ts.Const(0, w)
		case OpBitAnd, OpBitOr:
			return a
		}
	}
	if t := ts.fewer(op, a, b); t != nil {
		return t
	}
	return ts.make(Term{Op: op, Width: w, A: a, B: b})
}

// binConst simplifies an operation whose right operand is the constant k. It returns nil if it finds nothing simpler.
func (ts *Terms) binConst(op Op, a, b *Term, k uint64) *Term {
	w := a.Width
	switch {
	case k == 0 && (op == OpAdd || op == OpSub || op == OpBitOr || op == OpBitXor || op == OpShl || op == OpLShr || op == OpAShr):
		return a
	case k == 0 && (op == OpMul || op == OpBitAnd):
		return b
	case k == 1 && (op == OpMul || op == OpUDiv || op == OpSDiv && w > 1):
		return a
	case k == mask(w) && op == OpBitAnd:
		return a
	case op == OpSub:
		return ts.Bin(OpAdd, a, ts.Const(-k, w))
	case op == OpAdd && a.Op == OpAdd && a.B.Op == OpConst:
		return ts.Bin(OpAdd, a.A, ts.Const(a.B.K+k, w))
	case a.Op == OpIte && leaves(a, leafDepth):
		return ts.mapLeaves(a, func(l *Term) *Term { return ts.Bin(op, l, b) })
	}
	return nil
}

// BitNot returns ~a.
func (ts *Terms) BitNot(a *Term) *Term {
	if k, ok := a.IsConst(); ok {
		return ts.Const(^k, a.Width)
	}
	if a.Op == OpBitNot {
		return a.A
	}
	return ts.make(Term{Op: OpBitNot, Width: a.Width, A: a})
}

// MulOverflow returns the truth value that the product of two signed numbers does not fit.
func (ts *Terms) MulOverflow(a, b *Term) *Term {
	if a.Op == OpConst && b.Op == OpConst {
		return ts.Bool(apply(OpMulOverflow, 0, a.Width, a.K, b.K, 0, 0) == 1)
	}
	if a.Op == OpConst {
		a, b = b, a
	}
	if ts.Fits(OpMul, a, b) {
		return ts.False
	}
	return ts.make(Term{Op: OpMulOverflow, A: a, B: b})
}

// Extract returns w bits of a, the lowest of which is bit from.
func (ts *Terms) Extract(a *Term, from, w uint8) *Term {
	switch {
	case from == 0 && w == a.Width:
		return a
	case a.Op == OpConst:
		return ts.Const(a.K>>from, w)
	case a.Op == OpExtract:
		return ts.Extract(a.A, from+uint8(a.K), w)
	case (a.Op == OpSExt || a.Op == OpZExt) && from+w <= a.A.Width:
		return ts.Extract(a.A, from, w)
	case a.Op == OpSExt && from == 0, a.Op == OpZExt && from == 0:
		return ts.extend(a.Op, a.A, w)
	case a.Op == OpZExt && from >= a.A.Width:
		return ts.Const(0, w)
	case a.Op == OpConcat && from+w <= a.B.Width:
		return ts.Extract(a.B, from, w)
	case a.Op == OpConcat && from >= a.B.Width:
		return ts.Extract(a.A, from-a.B.Width, w)
	case a.Op == OpIte && (leaves(a, leafDepth) || a.B.Op == OpConst || a.C.Op == OpConst):
		return ts.Ite(a.A, ts.Extract(a.B, from, w), ts.Extract(a.C, from, w))
	case from == 0 && (a.Op == OpAdd || a.Op == OpSub || a.Op == OpMul || a.Op == OpBitAnd || a.Op == OpBitOr || a.Op == OpBitXor):
		return ts.Bin(a.Op, ts.Extract(a.A, 0, w), ts.Extract(a.B, 0, w))
	}
	return ts.make(Term{Op: OpExtract, Width: w, A: a, K: uint64(from)})
}

// Concat returns the bits of a above those of b.
func (ts *Terms) Concat(a, b *Term) *Term {
	w := a.Width + b.Width
	switch {
	case a.Op == OpConst && b.Op == OpConst:
		return ts.Const(a.K<<b.Width|b.K, w)
	case a.Op == OpExtract && b.Op == OpExtract && a.A == b.A && a.K == b.K+uint64(b.Width):
		return ts.Extract(a.A, uint8(b.K), w)
	}
	return ts.make(Term{Op: OpConcat, Width: w, A: a, B: b})
}

// Extend returns a extended to width w, by its sign if isSigned, else by zeros.
func (ts *Terms) Extend(a *Term, isSigned bool, w uint8) *Term {
	if isSigned {
		return ts.extend(OpSExt, a, w)
	}
	return ts.extend(OpZExt, a, w)
}

func (ts *Terms) extend(op Op, a *Term, w uint8) *Term {
	switch {
	case w == a.Width:
		return a
	case a.Op == OpConst && op == OpSExt:
		return ts.Const(uint64(signed(a.K, a.Width)), w)
	case a.Op == OpConst:
		return ts.Const(a.K, w)
	case a.Op == OpZExt, a.Op == op:
		return ts.extend(a.Op, a.A, w)
	case a.Op == OpIte && leaves(a, leafDepth):
		return ts.mapLeaves(a, func(l *Term) *Term { return ts.extend(op, l, w) })
	}
	return ts.make(Term{Op: op, Width: w, A: a})
}

// Number returns 1 if c is true, else 0, as a number of width w.
func (ts *Terms) Number(c *Term, w uint8) *Term { return ts.Ite(c, ts.Const(1, w), ts.Const(0, w)) }

// apply computes an operation on numbers. w is the width of the result, of the width of operand a. Like SMT-LIB, it
// defines the results of divisions by zero and of shifts by the width or more.
func apply(op Op, w, of uint8, a, b, c, k uint64) uint64 {
	b2 := func(x bool) uint64 {
		if x {
			return 1
		}
		return 0
	}
	m := mask(w)
	switch op {
	case OpNot:
		return 1 - a
	case OpAnd:
		return a & b
	case OpOr:
		return a | b
	case OpIte:
		if a != 0 {
			return b
		}
		return c
	case OpEq:
		return b2(a == b)
	case OpULt:
		return b2(a < b)
	case OpULe:
		return b2(a <= b)
	case OpSLt:
		return b2(signed(a, of) < signed(b, of))
	case OpSLe:
		return b2(signed(a, of) <= signed(b, of))
	case OpAdd:
		return (a + b) & m
	case OpSub:
		return (a - b) & m
	case OpMul:
		return a * b & m
	case OpBitAnd:
		return a & b
	case OpBitOr:
		return a | b
	case OpBitXor:
		return a ^ b
	case OpBitNot:
		return ^a & m
	case OpExtract:
		return a >> k & m
	case OpZExt:
		return a
	case OpSExt:
		return uint64(signed(a, of)) & m
	case OpMulOverflow:
		return b2(mulOverflows(signed(a, of), signed(b, of), of))
	}
	return divideOrShift(op, w, a, b) & m
}

func divideOrShift(op Op, w uint8, a, b uint64) uint64 {
	sa, sb := signed(a, w), signed(b, w)
	switch op {
	case OpUDiv:
		if b == 0 {
			return mask(w)
		}
		return a / b
	case OpURem:
		if b == 0 {
			return a
		}
		return a % b
	case OpSDiv:
		switch {
		case b == 0 && sa < 0:
			return 1
		case b == 0:
			return mask(w)
		case sb == -1:
			return -a
		}
		return uint64(sa / sb)
	case OpSRem:
		switch {
		case b == 0:
			return a
		case sb == -1:
			return 0
		}
		return uint64(sa % sb)
	case OpShl:
		if b >= uint64(w) {
			return 0
		}
		return a << b
	case OpLShr:
		if b >= uint64(w) {
			return 0
		}
		return a >> b
	case OpAShr:
		return uint64(sa >> min(b, 63))
	}
	panic("smt: operator " + opNames[op])
}

func mulOverflows(a, b int64, w uint8) bool {
	neg := (a < 0) != (b < 0)
	ua, ub := uint64(a), uint64(b)
	if a < 0 {
		ua = -ua
	}
	if b < 0 {
		ub = -ub
	}
	hi, lo := bits.Mul64(ua, ub)
	if neg {
		return hi != 0 || lo > 1<<(w-1)
	}
	return hi != 0 || lo > 1<<(w-1)-1
}

// String prints a term for people. Parts that are nested deeply are printed as "...".
func (t *Term) String() string {
	var b strings.Builder
	t.print(&b, 12)
	return b.String()
}

func (t *Term) print(b *strings.Builder, depth int) {
	switch {
	case t.Op == OpConst && t.Width == 0:
		fmt.Fprint(b, t.K == 1)
	case t.Op == OpConst:
		fmt.Fprint(b, signed(t.K, t.Width))
	case t.Op == OpVar:
		b.WriteString(t.Name)
	case depth == 0:
		b.WriteString("...")
	default:
		b.WriteString("(" + opNames[t.Op])
		for _, x := range []*Term{t.A, t.B, t.C} {
			if x != nil {
				b.WriteByte(' ')
				x.print(b, depth-1)
			}
		}
		b.WriteByte(')')
	}
}
