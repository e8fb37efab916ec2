// Package symbolic executes package ir's programs on symbolic values instead of numbers
// (King, CACM 1976; Koenighofer and Bloem, "Automated Error Localization and
// Correction for Imperative Programs", FMCAD 2011, sections II-A and III-B). It is
// bit-exact: values are bit-vectors of the widths that C gives them on x86-64, and
// what the abstract machine calls an error state is one here.
//
// It executes in two ways. Explore goes path by path, concolically: an input
// decides at every branch, and the conditions met are negated one after the
// other for inputs that take other paths. Run follows all paths at once: where two paths
// meet again, their states are merged into one whose values depend on the path taken.
// So a program without loops is one formula whatever the number of its paths, where
// the paper enumerates them; the condition under which it passes is the paper's
// disjunction over passing paths (Eq. 1), or the negation of that over failing ones
// (Eq. 7), with the same meaning.
//
// Not here: what the symbols of holes stand for (packages locate/diagnosis and
// repair/template). Floating-point numbers must be known; a pointer must point to
// one of few known blocks.
package symbolic

import (
	"context"
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/plural"
	"gulo/internal/smt"
	"gulo/internal/source"
)

// Options set limits and habits.
type Options struct {
	Unroll   int  // times that a call enters one of its loops again; 0 means 64
	Depth    int  // nested calls; 0 means 64
	MaxTerms int  // 0 means 3,000,000
	Wrap     bool // signed overflow wraps; without it, it is an error
	Null     bool // a pointer of which only a distance is known began as NULL
	// Feasible says whether a condition can hold; nil: every condition may. It is
	// asked where a loop or a call begins again.
	Feasible func(*smt.Term) bool
}

// Kind says how a way through the program ends.
type Kind uint8

const (
	Passed Kind = iota // it returns or exits
	Failed             // it ends in an error state or a failed assertion
	Cut                // a limit was reached
)

// Outcome is one end of the program, under the condition that leads there.
type Outcome struct {
	Kind    Kind
	Cond    *smt.Term
	Fault   machine.FaultKind // Failed
	Stmt    int32
	Message string    // Failed, Cut
	Result  *smt.Term // Passed: what the entry returned or the status of exit, in 64 bits; nil for nothing
	State   *State    // Passed
	Exited  bool      // Passed: it called exit
}

// Asserted reports whether an assertion failed.
func (o *Outcome) Asserted() bool { return o.Kind == Failed && o.Fault == machine.AssertFailed }

// Hole is one evaluation of a component.
type Hole struct {
	ID    int32
	N     int // counts the holes of a run
	Type  *ctype.Type
	State *State // when it is evaluated
	Stmt  int32
}

// Input is a symbol for what the program is given.
type Input struct {
	Name   string
	Type   *ctype.Type
	Term   *smt.Term // of the type's width
	Lo, Hi int64     // what it lies between; both 0: not said
	Under  []string  // inputs that are 0 when this one does not exist
	Stream string    // what it is the Index-th result of, counted from 0; "": it is given before the program begins
	Index  int
}

// Bounded reports whether it is said what an input lies between.
func (i *Input) Bounded() bool { return i.Lo < i.Hi }

// Engine executes one program.
type Engine struct {
	Terms  *smt.Terms
	Prog   *lower.Program
	OnHole func(*Hole) *smt.Term // returns the hole's value in 64 bits
	// OnSuspect says whether a component is taken to be wrong; nil: none is.
	OnSuspect func(id int32) *smt.Term
	Inputs    []Input        // those that input(), rand and the like returned
	Covered   map[int32]bool // statements that were executed
	// Reached is, when it is there, filled with the condition under which a statement
	// is executed.
	Reached map[int32]*smt.Term
	// Rounds is how often a call entered one of its loops again, Nested how deep calls
	// were nested, at most, on ways that can be taken.
	Rounds, Nested int
	// Crowded tells that inputs were left out on which no loop runs for longer than the
	// limit: rounds of loops in loops are counted together.
	Crowded bool

	opt      Options
	ctx      context.Context
	orders   map[int32]*order
	objects  uint32 // ids given out
	statics  []uint32
	code     map[int32]uint32 // blocks of functions
	codeOf   map[uint32]int32
	initial  []*object
	outcomes []Outcome
	holes    int
	depth    int
	probing  int // a call for its value alone: ends are not outcomes
	epoch    int
	path     *path // Explore's run
	stmt     int32
	streams  map[uint32]int  // blocks of the standard streams
	unknowns int             // symbols for what nothing is known of
	stdin    string          // what the program reads: StdinNumbers, StdinChars, or nothing yet
	scans    int             // whether the results of scanf are used
	dropped  bool            // the result of the library's call at hand is not used
	taken    map[string]bool // symbols of streams that are among Inputs

	// FromStart names the variables of which a value was used that they had before the
	// entry was called, of those that Watch was called for.
	FromStart map[string]bool
	watchedAs map[uint32]string
	result    uint32 // block of the struct that the entry returns
}

// Unsupported is a construct that cannot be executed on symbols.
type Unsupported struct {
	Pos  source.Position
	What string
}

func (e *Unsupported) Error() string { return fmt.Sprintf("%s: %s", e.Pos, e.What) }

// LimitError says that a limit ended an execution.
type LimitError struct{ What string }

func (e *LimitError) Error() string { return e.What }

// New prepares a program that was lowered with Options.Memory.
func New(p *lower.Program, ts *smt.Terms, opt Options) *Engine {
	if opt.Unroll == 0 {
		opt.Unroll = 64
	}
	if opt.Depth == 0 {
		opt.Depth = 64
	}
	if opt.MaxTerms == 0 {
		opt.MaxTerms = 3_000_000
	}
	e := &Engine{
		Terms: ts, Prog: p, opt: opt, orders: map[int32]*order{}, Covered: map[int32]bool{},
		code: map[int32]uint32{}, codeOf: map[uint32]int32{}, streams: map[uint32]int{}, FromStart: map[string]bool{},
	}
	e.objects = 1 // block 0 holds nothing
	e.initial = []*object{nil}
	e.globals()
	return e
}

func (e *Engine) unsupported(format string, args ...any) {
	panic(&Unsupported{e.position(e.stmt), fmt.Sprintf(format, args...)})
}

func (e *Engine) position(stmt int32) source.Position {
	if stmt > 0 && int(stmt) < len(e.Prog.Stmts) && e.Prog.Stmts[stmt] != nil {
		return e.Prog.Stmts[stmt].Range.Position()
	}
	return source.Position{}
}

// Start returns the state before the program begins.
func (e *Engine) Start() *State {
	s := &State{PC: e.Terms.True, mem: append([]*object(nil), e.initial...)}
	e.epoch++
	s.epoch = e.epoch
	return s
}

// Run calls a function in a state and follows all ways. The arguments are 64 bits
// wide, as package ctype has them. The error is *Unsupported, *LimitError, or the
// context's.
func (e *Engine) Run(ctx context.Context, st *State, f *cfront.Func, args []*smt.Term) (out []Outcome, err error) {
	e.ctx = ctx
	e.outcomes, e.depth, e.holes = nil, 0, 0
	defer func() {
		if r := recover(); r != nil {
			err = ended(r)
		}
	}()
	if len(e.Prog.IR.Init) > 0 {
		e.unsupported("functions that run before main are not supported")
	}
	if d := e.Prog.Unread(); d != nil {
		panic(&Unsupported{d.Pos, d.Message})
	}
	i, ok := e.Prog.FuncIndex(f)
	if !ok {
		return nil, fmt.Errorf("function %s has no body", f.Name)
	}
	if t := f.Type.Result; t.InMemory() {
		o := e.newObject(st, machine.Stack, "the result", t.Size, t)
		e.result = o.id
		args = append([]*smt.Term{e.Word(ctype.MakePointer(o.id, 0))}, args...)
	}
	end, result := e.call(st, i, args, nil)
	if end != nil {
		e.outcomes = append(e.outcomes, Outcome{Kind: Passed, Cond: end.PC, Result: result, State: end})
	}
	return e.outcomes, nil
}

// ended is the error that an execution was ended with; anything else goes on.
func ended(r any) error {
	switch r := r.(type) {
	case *Unsupported:
		return r
	case *LimitError:
		return r
	case stopped:
		return r.err
	}
	panic(r)
}

// stopped carries the context's error out of the recursion.
type stopped struct{ err error }

func (e *Engine) tick() {
	e.Terms.Spend(e.ctx)
	if err := e.ctx.Err(); err != nil {
		panic(stopped{err})
	}
	if e.Terms.Size() > e.opt.MaxTerms {
		panic(&LimitError{fmt.Sprintf("the formula has more than %s", plural.N(e.opt.MaxTerms, "term"))})
	}
}

// fail ends those ways of a state that meet a condition, and reports whether
// others are left.
func (e *Engine) fail(st *State, cond *smt.Term, kind machine.FaultKind, format string, args ...any) bool {
	if cond == e.Terms.False {
		return true
	}
	if e.path != nil {
		if !e.path.decide(e, st, cond, e.stmt) {
			return true
		}
	}
	all := e.Terms.And(st.PC, cond)
	if all != e.Terms.False {
		e.end(Outcome{Kind: Failed, Cond: all, Fault: kind, Stmt: e.stmt, Message: fmt.Sprintf(format, args...), State: st})
	}
	st.PC = e.Terms.And(st.PC, e.Terms.Not(cond))
	return st.PC != e.Terms.False
}

func (e *Engine) end(o Outcome) {
	if e.probing == 0 {
		e.outcomes = append(e.outcomes, o)
	}
}

func (e *Engine) cut(st *State, why string) {
	if e.probing > 0 || e.opt.Feasible != nil && e.path == nil && !e.opt.Feasible(st.PC) {
		return
	}
	e.end(Outcome{Kind: Cut, Cond: st.PC, Stmt: e.stmt, Message: why})
}

// Pass returns the condition under which the outcomes pass (Eq. 1), and that under
// which they fail (the negation of Eq. 7); Complete reports whether no limit cut a
// way.
func Pass(ts *smt.Terms, outs []Outcome) (pass, fail *smt.Term, complete bool) {
	pass, fail, complete = ts.False, ts.False, true
	for _, o := range outs {
		switch o.Kind {
		case Passed:
			pass = ts.Or(pass, o.Cond)
		case Failed:
			fail = ts.Or(fail, o.Cond)
		case Cut:
			complete = false
		}
	}
	return pass, fail, complete
}

// bits returns the width of a scalar type.
func bits(t *ctype.Type) uint8 { return uint8(t.Width()) }

// narrow returns the bits of a type of a 64-bit value, wide the value of such bits.
func (e *Engine) narrow(v *smt.Term, t *ctype.Type) *smt.Term { return e.Terms.Extract(v, 0, bits(t)) }

func (e *Engine) wide(v *smt.Term, t *ctype.Type) *smt.Term {
	return e.Terms.Extend(v, t.Signed && t.Kind == ctype.Int, 64)
}

// Word returns a constant in 64 bits.
func (e *Engine) Word(w ctype.Word) *smt.Term { return e.Terms.Const(w, 64) }

// Wide returns a value of a type in 64 bits.
func (e *Engine) Wide(v *smt.Term, t *ctype.Type) *smt.Term { return e.wide(v, t) }

// NewInput makes a symbol for a value that the program is given.
func (e *Engine) NewInput(name string, t *ctype.Type) Input {
	return Input{Name: name, Type: t, Term: e.Terms.Var(name, bits(t))}
}

// function returns the block that a function's address points to.
func (e *Engine) function(i int32) uint32 {
	id, ok := e.code[i]
	if !ok {
		id = e.objects
		e.objects++
		e.code[i], e.codeOf[id] = id, i
	}
	return id
}
