package evidence

import (
	"fmt"
	"strings"

	"gulo/internal/ctype"
)

// This file computes path-based weakest preconditions, and the predicates that represent hypothesized and actual
// program states (sections 2.2 to 2.4). Points are numbered from 1 as in the paper; point n+1 is the end.

// pwp returns the weakest precondition of a predicate for one statement instance (section 2.2).
func (in *Inst) pwp(p *Pred) *Pred {
	if in.Loc == nil || !p.L.mentions(in.Loc.Addr) {
		return p
	}
	return p.put(in.Loc.Addr, in.R)
}

// mentions reports whether a place occurs in an expression or in one of its indices.
func (e *Exp) mentions(at ctype.Word) bool {
	found := false
	e.each(func(l *Loc) {
		found = found || l.Addr == at || l.Index != nil && l.Index.mentions(at)
	})
	return found
}

// Hypothesized returns the states R at all points from 1 to n+1, for one conjunction of the postcondition: its weakest
// preconditions for the rest of the trace.
func (t *Trace) Hypothesized(c Conj) []Conj {
	n := len(t.Inst)
	out := make([]Conj, n+2)
	out[n+1] = c
	for i := n; i >= 1; i-- {
		next := make(Conj, len(out[i+1]))
		for k, p := range out[i+1] {
			next[k] = t.Inst[i-1].pwp(p)
		}
		out[i] = next
	}
	return out
}

// Slice returns the pwpSlice of a predicate of the postcondition, back to a point: the assignments on which its value
// depends, latest first.
func (t *Trace) Slice(p *Pred, from int) []int {
	var out []int
	for i := len(t.Inst); i >= from; i-- {
		in := &t.Inst[i-1]
		if in.Loc != nil && p.L.has(in.Loc.Addr) {
			out = append(out, i)
			p = p.put(in.Loc.Addr, in.R)
		}
	}
	return out
}

// Forward returns the forward actual states at all points (section 2.4).
func (t *Trace) Forward() []Conj {
	n := len(t.Inst)
	out := make([]Conj, n+2)
	for _, p := range t.Pre {
		if !p.Negative {
			out[1], _ = out[1].add(p)
		}
	}
	for i := 1; i <= n; i++ {
		in := &t.Inst[i-1]
		var next Conj
		for _, p := range out[i] {
			if in.Loc == nil || !p.L.mentions(in.Loc.Addr) {
				next = append(next, p)
			}
		}
		switch {
		case in.Loc == nil:
			for _, p := range taken(in.Branch) {
				next, _ = next.add(p)
			}
		case !in.R.mentions(in.Loc.Addr):
			p := newPred(Of(in.Loc), ctype.Eq, in.R)
			p.From = i - 1
			next, _ = next.add(p)
		}
		out[i+1] = next
	}
	return out
}

// taken returns the shortest conjunction of a branch's normal form that held.
func taken(list []Conj) Conj {
	var best Conj
	for _, c := range list {
		if c.negatives() == 0 && (best == nil || len(c) < len(best)) {
			best = c
		}
	}
	return best
}

// Backward returns the backward actual states at all points (section 2.4).
func (t *Trace) Backward() []Conj {
	n := len(t.Inst)
	out := make([]Conj, n+2)
	for i := n; i >= 1; i-- {
		in := &t.Inst[i-1]
		var here Conj
		for _, p := range out[i+1] {
			here = append(here, in.pwp(p))
		}
		if in.Loc == nil {
			for _, p := range taken(in.Branch) {
				here, _ = here.add(p)
			}
		}
		out[i] = here
	}
	return out
}

// States are the predicates at every point of a trace, for one conjunction of the postcondition.
type States struct {
	T           *Trace
	Conj        Conj
	R           []Conj // hypothesized, in the order of the conjunction
	Fore, Back  []Conj
	actual, hyp []Conj // with deduced predicates, once computed
}

// States computes the states for a conjunction.
func (t *Trace) States(c Conj) *States {
	n := len(t.Inst)
	return &States{T: t, Conj: c, R: t.Hypothesized(c), Fore: t.Forward(), Back: t.Backward(), actual: make([]Conj, n+2), hyp: make([]Conj, n+2)}
}

// Actual returns the actual state at a point, with what can be deduced from it.
func (s *States) Actual(i int) Conj {
	if s.actual[i] == nil {
		var all Conj
		for _, c := range []Conj{s.Back[i], s.Fore[i]} {
			for _, p := range c {
				all, _ = all.add(p)
			}
		}
		s.actual[i] = append(Conj{}, deduce(all)...)
	}
	return s.actual[i]
}

// Hypothetical returns the hypothesized state at a point, with what can be deduced from it. Deduced predicates are
// evaluated on this input.
func (s *States) Hypothetical(i int) Conj {
	if s.hyp[i] == nil {
		list := deduce(s.R[i])
		out := make(Conj, 0, len(list))
		for k, p := range list {
			if k >= len(s.R[i]) {
				q := *p
				is, known := p.truth(func(l *Loc) (int64, bool) { return s.T.Valued(l, i-1) })
				q.Negative = known && !is
				p = &q
			}
			out = append(out, p)
		}
		s.hyp[i] = out
	}
	return s.hyp[i]
}

// Listing writes a trace as in the paper's Figure 1(b).
func (t *Trace) Listing() string {
	var b strings.Builder
	fmt.Fprintf(&b, "precondition %s\n", t.Pre)
	for i := range t.Inst {
		in := &t.Inst[i]
		fmt.Fprintf(&b, "<%d,%d> %s\n", i+1, in.Line, in.String())
	}
	b.WriteString("postcondition\n")
	for i, c := range t.Post {
		if i > 0 {
			b.WriteString(" |\n")
		}
		b.WriteString("(" + c.String() + ")")
	}
	b.WriteByte('\n')
	return b.String()
}
