// Package sat solves propositional problems under assumptions, with cores. It
// is a thin layer over gini that speaks in signed numbers and contexts.
package sat

import (
	"context"
	"reflect"
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

// PerSecond is how many propagations the solver makes in a second of the processor (decision 27).
const PerSecond = 8_000_000

// look is how often the work of a question is compared with its limit.
const look = time.Millisecond

// Solve decides the clauses under assumptions. If they are Unsatisfiable, core lists the assumptions that the proof
// used. most limits the work, in propagations; 0 means no limit. work is what the question took, at most the limit. A
// question that takes more is Unknown, also if the answer was there before that was noticed: so the result is the same
// on a busy machine.
func (s *Solver) Solve(ctx context.Context, assume []int, most int64) (r Result, core []int, work int64, err error) {
	ms := make([]z.Lit, len(assume))
	for i, l := range assume {
		ms[i] = lit(l)
	}
	before := s.propagations()
	s.g.Assume(ms...)
	answer := s.answer(ctx, before, most)
	work = s.propagations() - before
	switch {
	case most > 0 && work > most:
		return Unknown, nil, most, nil
	case answer == 1:
		return Satisfiable, nil, work, nil
	case answer == -1:
		for _, m := range s.g.Why(nil) {
			core = append(core, m.Dimacs())
		}
		return Unsatisfiable, core, work, nil
	}
	return Unknown, nil, work, nil
}

// answer asks, and stops the solver at the end of the context or after its limit of work.
func (s *Solver) answer(ctx context.Context, before, most int64) int {
	run := s.g.GoSolve()
	for wait := 20 * time.Microsecond; ; wait = min(2*wait, look) {
		if answer, done := run.Test(); done {
			return answer
		}
		if ctx.Err() != nil {
			return run.Stop()
		}
		time.Sleep(wait)
		if most == 0 || wait < look {
			continue
		}
		answer, paused := run.Pause()
		if !paused {
			return answer
		}
		over := s.propagations()-before > most
		run.Unpause()
		if over {
			return run.Stop()
		}
	}
}

// propagations returns how many literals were propagated since the solver was made. Gini counts them, but its methods
// do not tell.
func (s *Solver) propagations() int64 {
	return reflect.ValueOf(s.g).Elem().FieldByName("xo").Elem().FieldByName("Trail").Elem().FieldByName("Props").Int()
}

// Value returns the value of a literal in the model of the last Satisfiable result.
func (s *Solver) Value(l int) bool { return s.g.Value(lit(l)) }

// Close does nothing. It exists because solvers that are processes have to be closed.
func (s *Solver) Close() {}
