package smt

import (
	"context"

	"gulo/internal/budget"
)

// This file evaluates terms for given values of their symbols. The models that a solver gives are checked by it, and
// candidates are tried by it before a solver is asked.

// Model maps the names of symbols to their values. A symbol that is missing has the value 0.
type Model map[string]uint64

// Tape is a list of terms, prepared to be computed many times.
type Tape struct {
	terms []*Term // operands come first
	at    map[*Term]int
	ops   []tapeOp
	vals  []uint64
}

type tapeOp struct {
	op      Op
	w, of   uint8
	a, b, c int32
	k       uint64
	name    string
}

// NewTape prepares terms.
func NewTape(ts ...*Term) *Tape {
	p := &Tape{at: map[*Term]int{}}
	p.Add(ts...)
	return p
}

// Add prepares more terms.
func (p *Tape) Add(ts ...*Term) {
	for _, t := range ts {
		p.add(t)
	}
	for len(p.vals) < len(p.ops) {
		p.vals = append(p.vals, 0)
	}
}

func (p *Tape) add(t *Term) int32 {
	if t == nil {
		return 0
	}
	if i, ok := p.at[t]; ok {
		return int32(i)
	}
	// Long chains of operands A are followed by a loop, not by recursion.
	var chain []*Term
	for x := t; x != nil; x = x.A {
		if _, ok := p.at[x]; ok {
			break
		}
		chain = append(chain, x)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		p.one(chain[i])
	}
	return int32(p.at[t])
}

func (p *Tape) one(t *Term) {
	if _, ok := p.at[t]; ok {
		return
	}
	o := tapeOp{op: t.Op, w: t.Width, k: t.K, name: t.Name, a: p.add(t.A), b: p.add(t.B), c: p.add(t.C)}
	if t.A != nil {
		o.of = t.A.Width
	}
	if t.Op == OpConcat {
		o.k = uint64(t.B.Width)
	}
	p.at[t] = len(p.ops)
	p.ops = append(p.ops, o)
	p.terms = append(p.terms, t)
}

// Run computes all terms.
func (p *Tape) Run(m Model) {
	for i := range p.ops {
		o := &p.ops[i]
		switch o.op {
		case OpConst:
			p.vals[i] = o.k
		case OpVar:
			p.vals[i] = m[o.name] & max(mask(o.w), 1)
		case OpConcat:
			p.vals[i] = p.vals[o.a]<<o.k | p.vals[o.b]
		default:
			p.vals[i] = apply(o.op, o.w, o.of, p.vals[o.a], p.vals[o.b], p.vals[o.c], o.k)
		}
	}
}

// Value returns what the last Run gave a term.
func (p *Tape) Value(t *Term) uint64 { return p.vals[p.at[t]] }

// Eval computes one term.
func Eval(t *Term, m Model) uint64 {
	p := NewTape(t)
	p.Run(m)
	return p.Value(t)
}

// Substitute returns t with its symbols replaced by the terms that f returns. A symbol stays if f returns nil for it.
func (ts *Terms) Substitute(t *Term, f func(*Term) *Term) *Term {
	memo := map[*Term]*Term{}
	var walk func(*Term) *Term
	walk = func(t *Term) *Term {
		if t == nil || t.Op == OpConst {
			return t
		}
		if r, ok := memo[t]; ok {
			return r
		}
		var r *Term
		if t.Op == OpVar {
			if r = f(t); r == nil {
				r = t
			}
		} else {
			r = ts.Rebuild(t, walk(t.A), walk(t.B), walk(t.C))
		}
		memo[t] = r
		return r
	}
	return walk(t)
}

// Rebuild returns the term with the operator of t and the operands a, b and c, simplified.
func (ts *Terms) Rebuild(t, a, b, c *Term) *Term {
	switch t.Op {
	case OpConst, OpVar:
		return t
	case OpNot:
		return ts.Not(a)
	case OpAnd:
		return ts.And(a, b)
	case OpOr:
		return ts.Or(a, b)
	case OpIte:
		return ts.Ite(a, b, c)
	case OpEq:
		return ts.Eq(a, b)
	case OpULt, OpULe, OpSLt, OpSLe:
		return ts.Less(a, b, t.Op == OpSLt || t.Op == OpSLe, t.Op == OpULe || t.Op == OpSLe)
	case OpBitNot:
		return ts.BitNot(a)
	case OpExtract:
		return ts.Extract(a, uint8(t.K), t.Width)
	case OpConcat:
		return ts.Concat(a, b)
	case OpZExt, OpSExt:
		return ts.extend(t.Op, a, t.Width)
	case OpMulOverflow:
		return ts.MulOverflow(a, b)
	}
	return ts.Bin(t.Op, a, b)
}

// Vars lists the symbols of terms that were made by the same Terms.
func Vars(ts ...*Term) []*Term {
	last := -1
	for _, t := range ts {
		if t != nil {
			last = max(last, t.ID)
		}
	}
	var out []*Term
	seen := make([]bool, last+1)
	todo := make([]*Term, 0, 64)
	for _, t := range ts {
		todo = append(todo, t)
		for len(todo) > 0 {
			x := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if x == nil || seen[x.ID] {
				continue
			}
			seen[x.ID] = true
			if x.Op == OpVar {
				out = append(out, x)
			}
			todo = append(todo, x.C, x.B, x.A)
		}
	}
	return out
}

// Lazy computes terms on demand: of a conditional term it computes only the branch that is chosen. Symbols may stand
// for other terms.
type Lazy struct {
	Bind func(*Term) *Term // the term that a symbol stands for; nil if it has its value in the model

	Computed int64 // terms computed so far
	spent    int64 // how many of them are counted as work already

	model Model
	vals  []uint64
	stamp []uint32
	now   uint32
}

// Spend counts the terms computed since its last call as work of a search.
func (l *Lazy) Spend(ctx context.Context) {
	budget.Spend(ctx, (l.Computed-l.spent)*perValue)
	l.spent = l.Computed
}

// perValue is the cost of computing a term, in steps of a search (package budget).
const perValue = 3

// Use sets the model and forgets all values computed. It must also be called when symbols come to stand for other
// terms.
func (l *Lazy) Use(m Model) {
	l.model = m
	l.now++
}

// Value computes a term.
func (l *Lazy) Value(t *Term) uint64 {
	if t.Op == OpConst {
		return t.K
	}
	for len(l.vals) <= t.ID {
		n := max(1024, 2*t.ID)
		l.vals = append(l.vals, make([]uint64, n-len(l.vals)+1)...)
		l.stamp = append(l.stamp, make([]uint32, n-len(l.stamp)+1)...)
	}
	if l.stamp[t.ID] == l.now {
		return l.vals[t.ID]
	}
	l.Computed++
	var v uint64
	switch t.Op {
	case OpVar:
		if b := l.bound(t); b != nil {
			v = l.Value(b)
		} else {
			v = l.model[t.Name] & max(mask(t.Width), 1)
		}
	case OpAnd:
		if v = l.Value(t.B); v == 1 {
			v = l.Value(t.A)
		}
	case OpOr:
		if v = l.Value(t.B); v == 0 {
			v = l.Value(t.A)
		}
	case OpIte:
		if l.Value(t.A) == 1 {
			v = l.Value(t.B)
		} else {
			v = l.Value(t.C)
		}
	case OpConcat:
		v = l.Value(t.A)<<t.B.Width | l.Value(t.B)
	default:
		var b uint64
		if t.B != nil {
			b = l.Value(t.B)
		}
		v = apply(t.Op, t.Width, t.A.Width, l.Value(t.A), b, 0, t.K)
	}
	l.stamp[t.ID], l.vals[t.ID] = l.now, v
	return v
}

func (l *Lazy) bound(t *Term) *Term {
	if l.Bind == nil {
		return nil
	}
	return l.Bind(t)
}
