package evidence

import (
	"fmt"
	"strconv"
	"strings"

	"gulo/internal/ctype"
)

// This file defines atomic predicates in the paper's standard form, arithexp relop const, and disjunctions of
// conjunctions of them.

// Pred is an atomic predicate.
type Pred struct {
	L  *Exp // without a constant
	Op ctype.Op
	K  int64

	Negative bool // it is false on this input
	Sign     bool // String shows whether it is true
	From     int  // index of the statement instance from which it is derived, or -1

	left, all string // keys, once computed
}

// newPred converts a comparison to the standard form.
func newPred(a *Exp, op ctype.Op, b *Exp) *Pred {
	e := plus(a, -1, b)
	p := &Pred{L: &Exp{M: e.M}, Op: op, K: -e.K, From: -1}
	return p
}

func holds(v int64, op ctype.Op, k int64) bool {
	switch op {
	case ctype.Lt:
		return v < k
	case ctype.Le:
		return v <= k
	case ctype.Gt:
		return v > k
	case ctype.Ge:
		return v >= k
	case ctype.Eq:
		return v == k
	}
	return v != k
}

var negation = map[ctype.Op]ctype.Op{ctype.Lt: ctype.Ge, ctype.Ge: ctype.Lt, ctype.Le: ctype.Gt, ctype.Gt: ctype.Le, ctype.Eq: ctype.Ne, ctype.Ne: ctype.Eq}

// turned maps an operator to the one that results if both sides change their signs.
var turned = map[ctype.Op]ctype.Op{ctype.Lt: ctype.Gt, ctype.Gt: ctype.Lt, ctype.Le: ctype.Ge, ctype.Ge: ctype.Le, ctype.Eq: ctype.Eq, ctype.Ne: ctype.Ne}

func (p *Pred) not() *Pred {
	q := *p
	q.Op, q.all = negation[p.Op], ""
	return &q
}

// put returns a predicate with a place replaced. If no places are left, its left side is 0.
func (p *Pred) put(at ctype.Word, by *Exp) *Pred {
	q := *p
	e := p.L.put(at, by)
	q.L, q.K, q.all = &Exp{M: e.M}, p.K-e.K, ""
	return &q
}

// truth reports whether a predicate holds for given values of places, and whether that is known.
func (p *Pred) truth(of func(*Loc) (int64, bool)) (is, known bool) {
	v, ok := p.L.value(of)
	return ok && holds(v, p.Op, p.K), ok
}

// key returns a text that is equal for equivalent predicates.
func (p *Pred) key() string {
	if p.all == "" {
		l, op, k := p.canonical()
		p.left = l.key()
		p.all = p.left + " " + strconv.Itoa(int(op)) + " " + strconv.FormatInt(k, 10)
	}
	return p.all
}

// canonical returns a predicate with a positive first coefficient.
func (p *Pred) canonical() (*Exp, ctype.Op, int64) {
	if len(p.L.M) > 0 && p.L.M[0].C < 0 {
		return plus(Num(0), -1, p.L), turned[p.Op], -p.K
	}
	return p.L, p.Op, p.K
}

// sameLeft reports whether two predicates have the same left side.
func (p *Pred) sameLeft(q *Pred) bool {
	p.key()
	q.key()
	return p.left == q.left
}

var relop = map[ctype.Op]string{ctype.Lt: "<", ctype.Le: "<=", ctype.Gt: ">", ctype.Ge: ">=", ctype.Eq: "=", ctype.Ne: "!="}

func (p *Pred) String() string {
	k := number(p.K, p.L.real())
	if p.K != 0 && p.L.pointer() {
		k = "another node" // an address of this run tells people nothing
	}
	s := fmt.Sprintf("(%s%s%s)", p.L, relop[p.Op], k)
	if p.Op == ctype.Eq && len(p.L.M) == 1 && p.L.M[0].C == 1 && len(p.L.M[0].F) == 1 {
		s = fmt.Sprintf("(%s=%s)", p.L, k)
	}
	if p.Sign {
		s += map[bool]string{false: "+", true: "-"}[p.Negative]
	}
	return s
}

// Conj is a conjunction.
type Conj []*Pred

func (c Conj) String() string {
	if len(c) == 0 {
		return "true"
	}
	var parts []string
	for _, p := range c {
		parts = append(parts, p.String())
	}
	return strings.Join(parts, " & ")
}

func (c Conj) negatives() int {
	n := 0
	for _, p := range c {
		if p.Negative {
			n++
		}
	}
	return n
}

// mostConjs bounds a disjunction. Further conjunctions are dropped.
const mostConjs = 64

func conjoin(a, b []Conj) []Conj {
	var out []Conj
	for _, x := range a {
		for _, y := range b {
			if len(out) < mostConjs {
				out = append(out, append(append(Conj(nil), x...), y...))
			}
		}
	}
	return out
}

// add adds a predicate unless an equivalent one is there.
func (c Conj) add(p *Pred) (Conj, bool) {
	k := p.key()
	for _, q := range c {
		if q.key() == k {
			return c, false
		}
	}
	return append(c, p), true
}

// mostDeduced bounds the predicates of a state.
const mostDeduced = 80

// deduce adds what follows by transitivity and equality: sums of two predicates that have fewer terms than both
// together (section 3, step 1).
func deduce(c Conj) Conj {
	out := append(Conj(nil), c...)
	seen := map[string]bool{}
	for _, p := range out {
		seen[p.key()] = true
	}
	for i := 0; i < len(out) && len(out) < mostDeduced; i++ {
		for j := 0; j < i && len(out) < mostDeduced; j++ {
			for _, r := range follow(out[i], out[j]) {
				if len(r.L.M) == 0 && !r.Negative {
					continue
				}
				if k := r.key(); !seen[k] {
					seen[k] = true
					out = append(out, r)
				}
			}
		}
	}
	return out
}

// follow returns the sum of two predicates, and the difference if one is an equality, as far as they follow and are
// simpler.
func follow(p, q *Pred) []*Pred {
	var out []*Pred
	if p.Op == ctype.Ne || q.Op == ctype.Ne {
		return nil
	}
	try := func(p, q *Pred, c int64) {
		qop := q.Op
		if c < 0 {
			qop = turned[q.Op]
		}
		op, ok := joint(p.Op, qop)
		if !ok {
			return
		}
		l := plus(p.L, c, q.L)
		if len(l.M) > 2 || len(l.M) >= len(p.L.M)+len(q.L.M) {
			return
		}
		out = append(out, &Pred{L: &Exp{M: l.M}, Op: op, K: p.K + c*q.K, From: max(p.From, q.From), Negative: p.Negative || q.Negative})
	}
	try(p, q, 1)
	if q.Op == ctype.Eq {
		try(p, q, -1)
	} else if p.Op == ctype.Eq {
		try(q, p, -1)
	}
	return out
}

// joint returns the operator of the sum of two predicates. It returns false if nothing follows.
func joint(a, b ctype.Op) (ctype.Op, bool) {
	switch {
	case a == ctype.Eq:
		return b, true
	case b == ctype.Eq:
		return a, true
	}
	up := func(o ctype.Op) bool { return o == ctype.Gt || o == ctype.Ge }
	if up(a) != up(b) {
		return 0, false
	}
	if a == ctype.Lt || a == ctype.Gt {
		return a, true
	}
	return b, true
}

// Places calls f for every place of a predicate.
func (p *Pred) Places(f func(*Loc)) { p.L.each(f) }

// Solved returns the value of a place for which both sides are equal. ok is false unless the place occurs as a term of
// its own, exactly once.
func (p *Pred) Solved(l *Loc) (e *Exp, ok bool) {
	for _, m := range p.L.M {
		if len(m.F) != 1 || m.F[0].Loc == nil || m.F[0].Loc.Addr != l.Addr || m.C != 1 && m.C != -1 {
			continue
		}
		rest := plus(p.L, -m.C, Of(l))
		if rest.has(l.Addr) {
			return nil, false
		}
		// m.C * l + rest = K
		return plus(Num(m.C*p.K), -m.C, rest), true
	}
	return nil, false
}

// pointer reports whether an expression is a single place that holds a pointer.
func (e *Exp) pointer() bool {
	if len(e.M) != 1 || len(e.M[0].F) != 1 {
		return false
	}
	l := e.M[0].F[0].Loc
	return l != nil && l.Type != nil && l.Type.Kind == ctype.Pointer
}
