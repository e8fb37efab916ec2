// Package sat solves propositional problems under assumptions, with cores. It
// is a thin layer over gini that speaks in signed numbers and contexts.
package sat

import (
	"context"
	"time"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// Solver holds clauses. A literal is a number that is not 0, and -l is the negation of l. Only one goroutine may use a
// Solver.
type Solver struct {
	g       *gini.Gini
	n       int
	clauses int
}

// New returns an empty solver.
func New() *Solver { return &Solver{g: gini.New()} }

// Fresh returns a new variable as a positive literal.
func (s *Solver) Fresh() int {
	s.n++
	s.g.Lit()
	return s.n
}

// Size returns the number of variables and clauses.
func (s *Solver) Size() (vars, clauses int) { return s.n, s.clauses }

func lit(l int) z.Lit { return z.Dimacs2Lit(l) }

// Clause adds a disjunction of literals.
func (s *Solver) Clause(lits ...int) {
	s.clauses++
	for _, l := range lits {
		s.g.Add(lit(l))
	}
	s.g.Add(z.LitNull)
}

// Result is the answer of a solver.
type Result uint8

// The results.
const (
	Unknown Result = iota // stopped by the context
	Satisfiable
	Unsatisfiable
)

// Solve decides the clauses under assumptions. If they are Unsatisfiable, core lists the assumptions that the proof
// used.
func (s *Solver) Solve(ctx context.Context, assume []int) (r Result, core []int, err error) {
	ms := make([]z.Lit, len(assume))
	for i, l := range assume {
		ms[i] = lit(l)
	}
	s.g.Assume(ms...)
	run := s.g.GoSolve()
	for {
		res, done := run.Test()
		if done {
			switch res {
			case 1:
				return Satisfiable, nil, nil
			case -1:
				for _, m := range s.g.Why(nil) {
					core = append(core, m.Dimacs())
				}
				return Unsatisfiable, core, nil
			}
			return Unknown, nil, nil
		}
		if ctx.Err() != nil {
			run.Stop()
			return Unknown, nil, nil
		}
		time.Sleep(20 * time.Microsecond)
	}
}

// Value returns the value of a literal in the model of the last Satisfiable result.
func (s *Solver) Value(l int) bool { return s.g.Value(lit(l)) }

// Close does nothing. It exists because solvers that are processes have to be closed.
func (s *Solver) Close() {}
