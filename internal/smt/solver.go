package smt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/sat"
)

// This file asks a solver about terms.

// Solver decides formulas over terms. It keeps one process alive. If the process stops or answers nonsense, Solver
// starts another and answers Unknown. Only one goroutine may use it.
type Solver struct {
	Limit   time.Duration // nominal time of one question, by the work that z3 counts (perSecond); 0 means 10 s
	Left    *int64        // what is left for all questions together, in units of z3 (Units); nil means no limit
	Queries int           // questions asked so far
	Cause   string        // why the last answer was Unknown

	p     *Process
	sent  map[*Term]string
	vars  []*Term
	hard  []*Term // asserted
	model Model
	start func() (*Process, error)
	// The work of the process, as z3 counts it, after the last question and since the last Reset; negative if not asked
	// for.
	counted int64
	told    int64 // terms sent since the last question whose work was counted
}

// perSecond is how many units of work (option rlimit) z3 does in a second. Z3 4.8.12 took a second of the processor for
// 3.9 to 4.1 million units on multiplications and divisions of 32 and 64 bits, in questions of 0.3 to 8 s.
const perSecond = 4_000_000

// perTerm is the cost of sending a term and having it read, in steps of a search (package budget).
const perTerm = 500

// guard is how many times its nominal time a question may take by the clock.
const guard = 30

// leastGuard is the least time by the clock for a question, if work is counted. The last question of a search has
// little nominal time left, and a busy machine needs longer than that to answer at all.
const leastGuard = 10 * time.Second

// most is the largest limit that z3 accepts.
const most = 1<<32 - 1

// Units returns how many units of z3 a nominal time is.
func Units(d time.Duration) int64 {
	return max(1, min(most, int64(d/time.Microsecond)*(perSecond/1_000_000)))
}

// OutOfSteps is the Cause of an Unknown answer if z3 found none within its limit of steps.
const OutOfSteps = "its limit of steps"

// NewSolver starts a solver. It returns ErrMissing if z3 is not installed.
func NewSolver() (*Solver, error) {
	s := &Solver{start: Start}
	return s, s.restart()
}

func (s *Solver) restart() error {
	if s.p != nil {
		s.p.Close()
	}
	p, err := s.start()
	if err != nil {
		return err
	}
	s.p = p
	s.forget()
	for _, t := range s.hard {
		s.p.send("(assert %s)", s.name(context.Background(), t))
	}
	return nil
}

func (s *Solver) forget() { s.sent, s.vars, s.counted = map[*Term]string{}, nil, 0 }

// Close ends the process.
func (s *Solver) Close() {
	if s.p != nil {
		s.p.Close()
	}
}

// Reset forgets all assertions and all terms.
func (s *Solver) Reset() {
	s.hard = nil
	s.p.Reset()
	s.forget()
}

// Assert adds a truth value that must hold.
func (s *Solver) Assert(t *Term) {
	s.hard = append(s.hard, t)
	s.p.send("(assert %s)", s.name(context.Background(), t))
}

func sortOf(w uint8) string {
	if w == 0 {
		return "Bool"
	}
	return "(_ BitVec " + strconv.Itoa(int(w)) + ")"
}

// name returns the name of a term in the solver. If the solver does not have the term yet, name sends it. It returns ""
// if the context ends first.
func (s *Solver) name(ctx context.Context, t *Term) string {
	if n, ok := s.sent[t]; ok {
		return n
	}
	tape := NewTape(t)
	for i, x := range tape.terms {
		if i%manyTerms == 0 && ctx.Err() != nil {
			return ""
		}
		if _, ok := s.sent[x]; ok {
			continue
		}
		s.told++
		text := s.text(x)
		if x.Op != OpConst {
			n := "x" + strconv.Itoa(x.ID)
			s.p.send("(declare-const %s %s)", n, sortOf(x.Width))
			if x.Op == OpVar {
				s.vars = append(s.vars, x)
			} else {
				s.p.send("(assert (= %s %s))", n, text)
			}
			text = n
		}
		s.sent[x] = text
	}
	return s.sent[t]
}

// manyTerms is how many terms are sent before the context is looked at again.
const manyTerms = 1000

func (s *Solver) text(x *Term) string {
	arg := func(t *Term) string { return s.sent[t] }
	switch x.Op {
	case OpConst:
		if x.Width == 0 {
			return strconv.FormatBool(x.K == 1)
		}
		return fmt.Sprintf("(_ bv%d %d)", x.K, x.Width)
	case OpVar:
		return ""
	case OpExtract:
		return fmt.Sprintf("((_ extract %d %d) %s)", x.K+uint64(x.Width)-1, x.K, arg(x.A))
	case OpZExt, OpSExt:
		return fmt.Sprintf("((_ %s %d) %s)", opNames[x.Op], x.Width-x.A.Width, arg(x.A))
	case OpMulOverflow:
		return fmt.Sprintf("(not (and (bvsmul_noovfl %s %s) (bvsmul_noudfl %s %s)))", arg(x.A), arg(x.B), arg(x.A), arg(x.B))
	}
	parts := []string{opNames[x.Op]}
	for _, o := range []*Term{x.A, x.B, x.C} {
		if o != nil {
			parts = append(parts, arg(o))
		}
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// Check decides the assertions under assumptions. If the result is Satisfiable, Model returns a model, which was
// computed with a Tape and holds. If the result is Unsatisfiable, core lists the assumptions that the proof used. The
// result is Unknown if the steps are spent, the time is up, or the solver stops or answers nonsense; Cause says which.
// It is an error if the solver cannot be started again.
func (s *Solver) Check(ctx context.Context, assume ...*Term) (r sat.Result, core []*Term, err error) {
	s.Queries++
	s.Cause = ""
	if ctx.Err() != nil {
		s.Cause = "time"
		return sat.Unknown, nil, nil
	}
	limit := cmp.Or(s.Limit, 10*time.Second)
	if left, ok := budget.Left(ctx); ok {
		limit = min(limit, left) // positive, as the context has not ended
	}
	byDay := guard * limit
	if budget.Counted(ctx) {
		byDay = min(max(byDay, leastGuard), budget.Guard(ctx, byDay))
	}
	ctx, cancel := context.WithTimeout(ctx, byDay)
	defer cancel()
	var names []string
	byName := map[string]*Term{}
	for _, t := range assume {
		switch {
		case t.Op == OpConst && t.K == 1:
		case t.Op == OpConst:
			return sat.Unsatisfiable, []*Term{t}, nil
		default:
			n := s.name(ctx, t)
			if n == "" {
				s.Cause = "time"
				return sat.Unknown, nil, nil
			}
			names = append(names, n)
			byName[n] = t
		}
	}
	if d, ok := ctx.Deadline(); ok {
		s.p.send("(set-option :timeout %d)", max(time.Until(d).Milliseconds(), 1))
	}
	ans, err := s.decide(ctx, names, Units(limit))
	switch {
	case err != nil:
		return s.lost("the solver stopped")
	case ans == "unsat":
		return s.core(ctx, byName)
	case ans == "sat":
		return s.satisfied(ctx, assume)
	case ans == "spent":
		s.Cause = OutOfSteps
		return sat.Unknown, nil, nil
	case ans == "unknown" || ans == "timeout":
		if s.p.err != nil {
			return s.lost("time")
		}
		if s.Cause = OutOfSteps; ctx.Err() != nil || ans == "timeout" {
			s.Cause = "time"
		}
		return sat.Unknown, nil, nil
	}
	return s.lost("the solver said: " + cut(ans))
}

// decide asks whether assumptions hold together, with a limit of n units. It returns "spent" if nothing is left of
// s.Left. The work of z3 is counted as work of the search.
func (s *Solver) decide(ctx context.Context, names []string, n int64) (ans string, err error) {
	if s.Left != nil {
		if n = min(n, *s.Left); n <= 0 {
			return "spent", nil
		}
	}
	counts := s.Left != nil || budget.Counted(ctx)
	if counts && s.counted < 0 {
		s.p.send("%s", count)
		if s.counted, err = s.p.work(ctx); err != nil {
			return "", err
		}
	}
	s.p.send("(set-option :rlimit %d)", n)
	s.p.send("(check-sat-assuming (%s))", strings.Join(names, " "))
	if !counts {
		s.counted = -1
		return s.p.ask(ctx)
	}
	s.p.send("%s", count)
	if ans, err = s.p.ask(ctx); err != nil {
		return "", err
	}
	before := s.counted
	s.counted, err = s.p.work(ctx)
	spent := max(s.counted-before, leastSpent)
	if s.Left != nil {
		*s.Left -= spent
	}
	budget.Spend(ctx, spent*(budget.PerSecond/perSecond)+s.told*perTerm)
	s.told = 0
	return ans, err
}

// leastSpent is the least cost of a question, in units of z3, as it has to be asked and answered.
const leastSpent = perSecond / 5000

func cut(s string) string {
	if len(s) > 200 {
		return s[:200] + " ..."
	}
	return s
}

// lost starts another process and returns Unknown with the given cause.
func (s *Solver) lost(cause string) (sat.Result, []*Term, error) {
	s.Cause = cause
	if err := s.restart(); err != nil && errors.Is(err, ErrMissing) {
		return sat.Unknown, nil, err
	} else if err != nil {
		return sat.Unknown, nil, fmt.Errorf("z3 cannot be started again: %w", err)
	}
	return sat.Unknown, nil, nil
}

func (s *Solver) core(ctx context.Context, byName map[string]*Term) (sat.Result, []*Term, error) {
	if len(byName) == 0 {
		return sat.Unsatisfiable, nil, nil
	}
	s.p.send("(get-unsat-assumptions)")
	text, err := s.p.ask(ctx)
	if err != nil || !strings.HasPrefix(text, "(") || strings.HasPrefix(text, "(error") {
		return s.lost("the solver gave no core")
	}
	var core []*Term
	for _, f := range strings.Fields(strings.Trim(text, "()")) {
		t, ok := byName[f]
		if !ok {
			return s.lost("the solver's core has what was not assumed")
		}
		core = append(core, t)
	}
	return sat.Unsatisfiable, core, nil
}

// satisfied reads the model and checks that it holds.
func (s *Solver) satisfied(ctx context.Context, assume []*Term) (sat.Result, []*Term, error) {
	s.model = Model{}
	if len(s.vars) > 0 {
		var b strings.Builder
		for _, v := range s.vars {
			b.WriteString(s.sent[v] + " ")
		}
		s.p.send("(get-value (%s))", b.String())
		ans, err := s.p.ask(ctx)
		if err != nil || !s.read(ans) {
			return s.lost("the solver gave no model")
		}
	}
	p := NewTape(s.hard...)
	p.Add(assume...)
	p.Run(s.model)
	for _, list := range [][]*Term{s.hard, assume} {
		for _, t := range list {
			if p.Value(t) != 1 {
				return s.lost("the solver's model does not hold")
			}
		}
	}
	return sat.Satisfiable, nil, nil
}

// read parses ((x1 #b01) (x2 true) ...) into the model. It returns false if the value of a symbol is missing or
// malformed.
func (s *Solver) read(ans string) bool {
	f := strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(ans))
	vals := map[string]string{}
	for i := 0; i+1 < len(f); i += 2 {
		vals[f[i]] = f[i+1]
	}
	for _, v := range s.vars {
		text, ok := vals[s.sent[v]]
		if !ok {
			return false
		}
		var n uint64
		var err error
		switch {
		case text == "true":
			n = 1
		case text == "false":
		case strings.HasPrefix(text, "#x"):
			n, err = strconv.ParseUint(text[2:], 16, 64)
		case strings.HasPrefix(text, "#b"):
			n, err = strconv.ParseUint(text[2:], 2, 64)
		default:
			return false
		}
		if err != nil {
			return false
		}
		s.model[v.Name] = n
	}
	return true
}

// Model returns the model of the last Satisfiable result.
func (s *Solver) Model() Model { return s.model }
