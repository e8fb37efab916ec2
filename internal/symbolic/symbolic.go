// Package symbolic executes package ir's programs on symbolic values instead of numbers (King, CACM 1976; Koenighofer
// and Bloem, "Automated Error Localization and Correction for Imperative Programs", FMCAD 2011, sections II-A and
// III-B). It is bit-exact: values are bit-vectors of the widths that C gives them on x86-64, and what the abstract
// machine calls an error is an error here.
//
// It executes in two ways. Explore goes path by path, concolically: an input decides every branch, and the conditions
// of its path are negated one after the other to find inputs that take other paths. Run follows all paths at once:
// where two paths meet again, their states are merged into one whose values depend on the path taken. So a program
// without loops becomes one formula, whatever the number of its paths, where the paper enumerates the paths. The
// condition under which it passes is the paper's disjunction over passing paths (Eq. 1), or the negation of that over
// failing ones (Eq. 7), with the same meaning.
//
// Not here: what the symbols of holes stand for (packages locate/diagnosis and repair/template). Floating-point numbers
// must be constant, and a pointer must point to one of few known blocks.
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

// Options set limits and semantics.
type Options struct {
	Unroll   int  // rounds of a loop in one call; 0 means 64
	Depth    int  // nested calls; 0 means 64
	MaxTerms int  // 0 means 3,000,000
	Wrap     bool // signed overflow wraps; without it, it is an error
	Null     bool // a pointer of which only an offset is known is NULL plus that offset
	// Feasible says whether a condition can hold; nil: always. It is called before another round of a loop, before
	// deeply nested calls, and before a way is cut.
	Feasible func(*smt.Term) bool
}

// Kind says how a way through the program ends.
type Kind uint8

const (
	Passed Kind = iota // it returns or exits
	Failed             // it ends in an error state or a failed assertion
	Cut                // a limit was reached
)

// Outcome is one way to end, with the condition that leads there.
type Outcome struct {
	Kind    Kind
	Cond    *smt.Term
	Fault   machine.FaultKind // for Failed
	Stmt    int32
	Message string    // for Failed and Cut
	Result  *smt.Term // for Passed: the entry's result or the status of exit, in 64 bits; nil if there is none
	State   *State    // for Passed
	Exited  bool      // for Passed: exit was called
}

// Asserted reports whether an assertion failed.
func (o *Outcome) Asserted() bool { return o.Kind == Failed && o.Fault == machine.AssertFailed }

// Hole is one evaluation of a component.
type Hole struct {
	ID    int32
	N     int // number of the evaluation in the run, from 0
	Type  *ctype.Type
	State *State // the state in which it is evaluated
	Stmt  int32
}

// Input is a symbol for a value from outside of the program.
type Input struct {
	Name   string
	Type   *ctype.Type
	Term   *smt.Term // in the type's width
	Lo, Hi int64     // its range; both 0: unknown
	Under  []string  // inputs that are 0 if this one does not exist
	Stream string    // it is the result with this Index, from 0, of this stream; "": it is given before the program begins
	Index  int
}

// Bounded reports whether the range of an input is known.
func (i *Input) Bounded() bool { return i.Lo < i.Hi }

// Engine executes one program.
type Engine struct {
	Terms  *smt.Terms
	Prog   *lower.Program
	OnHole func(*Hole) *smt.Term // returns the hole's value in 64 bits
	// OnSuspect returns the condition under which a component is taken to be wrong; nil: none is.
	OnSuspect func(id int32) *smt.Term
	Inputs    []Input        // values that were taken from streams
	Covered   map[int32]bool // statements that were executed
	// Reached, if not nil, is filled with the conditions under which statements are executed.
	Reached map[int32]*smt.Term
	// Rounds is the highest number of rounds of a loop in a call, and Nested that of nested calls, on ways that were
	// followed.
	Rounds, Nested int
	// Crowded says that inputs may have been excluded although no loop runs longer than the limit at a time: rounds of
	// an inner loop are counted together.
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
	probing  int // greater than 0: an expression is evaluated, and outcomes are not recorded
	epoch    int
	path     *path // Explore's run
	stmt     int32
	streams  map[uint32]int  // blocks of the standard streams
	unknowns int             // number of unknowable symbols
	stdin    string          // what the program reads: StdinNumbers, StdinChars, or "" if nothing so far
	scans    int             // whether the results of scanf are used
	dropped  bool            // the current library call's result is not used
	taken    map[string]bool // symbols of streams that are among Inputs

	// FromStart names the variables, of those that Watch was called for, whose value from before the call was read.
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

// New returns an engine for a program. Precondition: the program was lowered with Options.Memory.
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

// Run calls a function in a state and follows all paths. The arguments are 64 bits wide, as in package ctype. The error
// is *Unsupported, *LimitError, the context's, or one that says that the function has no body.
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

// ended converts a recovered panic to the error with which an execution ended. It panics again with anything else.
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

// fail ends those ways of a state that meet a condition, with an error, and reports whether others are left.
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

// end records an outcome, except while an expression is evaluated.
func (e *Engine) end(o Outcome) {
	if e.probing == 0 {
		e.outcomes = append(e.outcomes, o)
	}
}

// cut records that a limit ends the ways of a state, if they are feasible.
func (e *Engine) cut(st *State, why string) {
	if e.probing > 0 || e.opt.Feasible != nil && e.path == nil && !e.opt.Feasible(st.PC) {
		return
	}
	e.end(Outcome{Kind: Cut, Cond: st.PC, Stmt: e.stmt, Message: why})
}

// Pass returns the condition under which the outcomes pass (Eq. 1), and that under which they fail (the negation of Eq.
// 7). complete is false if a limit cut a way.
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

// narrow returns the low bits of a 64-bit value that a type has. wide extends such bits to 64.
func (e *Engine) narrow(v *smt.Term, t *ctype.Type) *smt.Term { return e.Terms.Extract(v, 0, bits(t)) }

func (e *Engine) wide(v *smt.Term, t *ctype.Type) *smt.Term {
	return e.Terms.Extend(v, t.Signed && t.Kind == ctype.Int, 64)
}

// Word returns a constant in 64 bits.
func (e *Engine) Word(w ctype.Word) *smt.Term { return e.Terms.Const(w, 64) }

// Wide extends a value of a type to 64 bits.
func (e *Engine) Wide(v *smt.Term, t *ctype.Type) *smt.Term { return e.wide(v, t) }

// NewInput makes a symbol for a value that is given to the program.
func (e *Engine) NewInput(name string, t *ctype.Type) Input {
	return Input{Name: name, Type: t, Term: e.Terms.Var(name, bits(t))}
}

// function returns the block to which a function's address points.
func (e *Engine) function(i int32) uint32 {
	id, ok := e.code[i]
	if !ok {
		id = e.objects
		e.objects++
		e.code[i], e.codeOf[id] = id, i
	}
	return id
}
