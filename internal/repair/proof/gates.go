package proof

import (
	"context"
	"encoding/binary"
	"slices"
	"sort"

	"gulo/internal/sat"
)

// This file is propositional logic over a solver: gates with constant folding, and counters.

// solver is the common interface of gini and Z3. Their questions are limited by work, in units of their own.
type solver interface {
	Fresh() int
	Clause(lits ...int)
	Solve(ctx context.Context, assume []int, most int64) (r sat.Result, core []int, work int64, err error)
	Value(lit int) bool
	Size() (vars, clauses int)
	Close()
}

type gates struct {
	s    solver
	yes  int // the true literal; -yes is false
	ands map[[2]int]int
	anys map[string]int
}

// gater is a solver that accepts gates directly, which saves input to a process.
type gater interface {
	And(a, b int) int
	Or(lits []int) int
}

func newGates(s solver) *gates {
	g := &gates{s: s, yes: s.Fresh(), ands: map[[2]int]int{}, anys: map[string]int{}}
	s.Clause(g.yes)
	return g
}

func (g *gates) no() int { return -g.yes }

func (g *gates) constant(b bool) int {
	if b {
		return g.yes
	}
	return -g.yes
}

func (g *gates) and(a, b int) int {
	if a == 0 || b == 0 {
		return 0 // the other operand belongs to an error
	}
	switch {
	case a == g.yes || a == b:
		return b
	case b == g.yes:
		return a
	case a == -g.yes || b == -g.yes || a == -b:
		return -g.yes
	}
	if a > b {
		a, b = b, a
	}
	if o, ok := g.ands[[2]int{a, b}]; ok {
		return o
	}
	var o int
	if s, ok := g.s.(gater); ok {
		o = s.And(a, b)
	} else {
		o = g.s.Fresh()
		g.s.Clause(-o, a)
		g.s.Clause(-o, b)
		g.s.Clause(o, -a, -b)
	}
	g.ands[[2]int{a, b}] = o
	return o
}

func (g *gates) or(a, b int) int { return -g.and(-a, -b) }

func (g *gates) implies(a, b int) int { return g.or(-a, b) }

// any returns the disjunction of literals.
func (g *gates) any(lits []int) int {
	lits = append([]int(nil), lits...)
	sort.Ints(lits)
	out := lits[:0]
	for i, l := range lits {
		switch {
		case l == g.yes:
			return g.yes
		case l == -g.yes || i > 0 && l == lits[i-1]:
			continue
		}
		out = append(out, l)
	}
	for _, l := range out { // the list is sorted; it may contain a literal and its negation
		if _, both := slices.BinarySearch(out, -l); both {
			return g.yes
		}
	}
	switch len(out) {
	case 0:
		return -g.yes
	case 1:
		return out[0]
	case 2:
		return g.or(out[0], out[1])
	}
	key := g.key(out)
	if o, ok := g.anys[key]; ok {
		return o
	}
	var o int
	if s, ok := g.s.(gater); ok {
		o = s.Or(out)
	} else {
		o = g.s.Fresh()
		for _, l := range out {
			g.s.Clause(-l, o)
		}
		g.s.Clause(append(out, -o)...)
	}
	g.anys[key] = o
	return o
}

// key returns a map key for a list of literals.
func (g *gates) key(lits []int) string {
	var b []byte
	for _, l := range lits {
		b = binary.AppendVarint(b, int64(l))
	}
	return string(b)
}

// assert adds a clause. It folds constants and duplicates.
func (g *gates) assert(lits ...int) {
	var out []int
	for _, l := range lits {
		switch {
		case l == 0:
			panic("proof: a literal that is none")
		case l == g.yes || slices.Contains(out, -l):
			return
		case l == -g.yes || slices.Contains(out, l):
			continue
		}
		out = append(out, l)
	}
	if len(out) == 0 {
		out = []int{-g.yes}
	}
	g.s.Clause(out...)
}

// oneOf asserts that exactly one of the literals holds if on holds, and none otherwise.
func (g *gates) oneOf(on int, lits []int) {
	g.assert(append([]int{-on}, lits...)...)
	for _, l := range lits {
		g.assert(-l, on)
	}
	if len(lits) <= 5 {
		for i, a := range lits {
			for _, b := range lits[i+1:] {
				g.assert(-a, -b)
			}
		}
		return
	}
	// Sequential encoding: before says that one of the previous literals holds.
	before := lits[0]
	for _, l := range lits[1:] {
		g.assert(-l, -before)
		next := g.s.Fresh()
		g.assert(-l, next)
		g.assert(-before, next)
		before = next
	}
}

// counter returns literals: out[k] holds if more than k of the given literals hold, for k below limit.
func (g *gates) counter(lits []int, limit int) []int {
	limit = min(limit, len(lits))
	row := make([]int, limit)
	for i := range row {
		row[i] = -g.yes
	}
	for _, l := range lits {
		next := make([]int, limit)
		for k := range row {
			below := g.yes
			if k > 0 {
				below = row[k-1]
			}
			next[k] = g.or(row[k], g.and(below, l))
		}
		row = next
	}
	return row
}
