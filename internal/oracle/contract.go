package oracle

import (
	"fmt"
	"strings"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/contract"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

// This file checks calls by contracts: preconditions when a function is entered, postconditions when it ends.

// Violation is a clause of a contract that a call violates.
type Violation struct {
	Contract *contract.Contract
	Clause   contract.Clause
	Before   bool   // a precondition is violated, so the caller is wrong
	What     string // the part that does not hold
	Call     string
	Err      error // why the condition has no value; nil if it has one
}

func (v *Violation) Error() string {
	kind := "postcondition"
	if v.Before {
		kind = "precondition"
	}
	if v.Err != nil {
		return fmt.Sprintf("%s: the %s of %s has no value after %s: %v", v.Clause.Pos, kind, v.Contract.Func.Name, v.Call, v.Err)
	}
	when := "after "
	if v.Before {
		when = "for "
	}
	return fmt.Sprintf("%s: the %s of %s does not hold %s%s: %s", v.Clause.Pos, kind, v.Contract.Func.Name, when, v.Call, v.What)
}

// Watch checks a running machine by contracts. Step must be called before every statement.
type Watch struct {
	p    *lower.Program
	m    *machine.Machine
	of   map[*cfront.Func]*contract.Contract
	view *View
	open []watched
}

// watched is a call that has not ended.
type watched struct {
	depth  int
	c      *contract.Contract
	params map[*cfront.Var]ctype.Word
	old    *machine.State
	text   string
}

// NewWatch returns a watch for some contracts.
func NewWatch(p *lower.Program, m *machine.Machine, cs []*contract.Contract) *Watch {
	w := &Watch{p: p, m: m, of: map[*cfront.Func]*contract.Contract{}, view: NewView(p, m)}
	for _, c := range cs {
		w.of[c.Func] = c
	}
	return w
}

// before is saved memory in which expressions are evaluated. Variables are where they are now.
type before struct {
	*machine.State
	now *View
}

func (b before) Load(a ctype.Word, t *ctype.Type) (ctype.Word, bool) { return b.Peek(a, t) }
func (b before) Store(ctype.Word, *ctype.Type, ctype.Word) bool      { return false }
func (b before) VarAddr(v *cfront.Var) (ctype.Word, bool)            { return b.now.VarAddr(v) }

// Step checks the machine before a statement. It returns the first violation, or nil.
func (w *Watch) Step(stmt int32) *Violation {
	s := w.p.Stmts[stmt]
	if s == nil {
		return nil
	}
	depth := w.m.Depth()
	for n := len(w.open); n > 0 && w.open[n-1].depth > depth; n-- {
		w.open = w.open[:n-1]
	}
	c := w.of[s.Func]
	if c == nil {
		return nil
	}
	w.view.Stopped()
	if n := len(w.open); n == 0 || w.open[n-1].depth < depth {
		if v := w.enter(c, depth); v != nil {
			return v
		}
	}
	if s.Kind == lower.End {
		return w.leave(c)
	}
	return nil
}

func (w *Watch) enter(c *contract.Contract, depth int) *Violation {
	x := watched{depth: depth, c: c, params: map[*cfront.Var]ctype.Word{}}
	var args []string
	for _, p := range c.Func.Params {
		a, ok := w.view.VarAddr(p)
		if !ok || !p.Type.IsScalar() {
			continue
		}
		if v, ok := w.view.Load(a, p.Type); ok {
			x.params[p] = v
			text := shown(p.Type, v)
			if p.Type.Kind == ctype.Pointer {
				text = w.pointed(v, p.Type.Elem)
			}
			args = append(args, p.Name+"="+text)
		}
	}
	x.text = fmt.Sprintf("%s(%s)", c.Func.Name, strings.Join(args, ", "))
	if c.NeedsOld() {
		x.old = w.m.Save()
	}
	w.open = append(w.open, x)
	e := &contract.Env{Contract: c, Now: w.view, Params: x.params}
	return w.hold(e, c.Pre, true, x.text)
}

// shown writes a number.
func shown(t *ctype.Type, w ctype.Word) string {
	if t.Kind == ctype.Float {
		return fmt.Sprint(ctype.FloatOf(t, w))
	}
	return fmt.Sprint(int64(w))
}

// pointed shows the beginning of an array of numbers.
func (w *Watch) pointed(p ctype.Word, elem *ctype.Type) string {
	if p == 0 {
		return "NULL"
	}
	if !elem.IsArith() {
		return "..."
	}
	var list []string
	for i := int64(0); i < 8; i++ {
		v, ok := w.view.Load(p+ctype.Word(i*elem.Size), elem)
		if !ok {
			break
		}
		list = append(list, shown(elem, v))
	}
	return "[" + strings.Join(list, ",") + "]"
}

func (w *Watch) leave(c *contract.Contract) *Violation {
	x := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1] // another call may begin at this depth immediately
	e := &contract.Env{Contract: c, Now: w.view, Params: x.params}
	if x.old != nil {
		e.Old = before{x.old, w.view}
	}
	if r, ok := w.m.Result(); ok {
		e.Result = r
	}
	return w.hold(e, c.Post, false, x.text)
}

func (w *Watch) hold(e *contract.Env, list []contract.Clause, pre bool, call string) *Violation {
	for _, cl := range list {
		ok, what, err := e.Holds(cl)
		if err != nil || !ok {
			return &Violation{Contract: e.Contract, Clause: cl, Before: pre, What: what, Call: call, Err: err}
		}
	}
	return nil
}

// Kept is the result of checking one call, or the calls of one run, by a contract.
type Kept struct {
	Outside   bool // the precondition is violated
	Fault     *machine.Fault
	At        string // where Fault is: file and line (cfront.Program.At)
	Violation *Violation
	Steps     int64
}

// Passed reports whether nothing violates the contract and no error occurs.
func (v *Kept) Passed() bool { return v.Fault == nil && v.Violation == nil }

// String says what is wrong.
func (v *Kept) String() string {
	switch {
	case v.Violation != nil:
		return v.Violation.Error()
	case v.Fault != nil && v.Fault.Kind == machine.LimitFault:
		return "it does not come to an end"
	case v.Fault != nil:
		return fmt.Sprintf("%s at %s: %s", v.Fault.Kind, v.At, v.Fault.Message)
	}
	return "the contract is kept"
}

// Unmodelled says what the machine has no model of, as Run.Unmodelled does.
func (v *Kept) Unmodelled() string { return unmodelled(v.Fault) }

// Hold runs a call with edits and checks it by a contract of the entry. step, if it is not nil, is called before every
// statement.
func (r *Runner) Hold(c *Case, edits []*lower.Overlay, ct *contract.Contract, step func(stmt int32)) (*Kept, error) {
	if err := r.Begin(c, edits); err != nil {
		return nil, err
	}
	defer r.End()
	w := NewWatch(r.Suite.Prog, r.M, []*contract.Contract{ct})
	out := &Kept{}
	out.Fault = r.M.RunUntil(func(s int32, lib bool) bool {
		if lib {
			return false
		}
		if step != nil {
			step(s)
		}
		if v := w.Step(s); v != nil && out.Violation == nil {
			out.Violation = v
			out.Outside = v.Before && len(w.open) == 1 // not for a call that the function itself makes
			return v.Before
		}
		return false
	})
	if out.Fault != nil {
		out.At = r.Suite.Prog.Tree.At(out.Fault.Pos)
	}
	if out.Steps = r.M.Steps(); r.Spend != nil {
		r.Spend(budget.Run + out.Steps)
	}
	return out, nil
}

// HoldRun does a whole run with edits and checks every call of the contract's function, up to the first violation.
// Kept.Outside says that the precondition is violated. Kept.Fault is an error inside a call of the function; an error
// elsewhere is only in the Run.
func (r *Runner) HoldRun(c *Case, edits []*lower.Overlay, ct *contract.Contract) (*Kept, *Run, error) {
	if err := r.Begin(c, edits); err != nil {
		return nil, nil, err
	}
	defer r.End()
	w := NewWatch(r.Suite.Prog, r.M, []*contract.Contract{ct})
	out := &Kept{}
	f := r.RunUntil(c, func(s int32, lib bool) bool {
		if !lib && out.Violation == nil {
			if v := w.Step(s); v != nil {
				out.Violation, out.Outside = v, v.Before
			}
		}
		return out.Violation != nil
	})
	if len(w.open) > 0 && out.Violation == nil {
		if out.Fault = f; f != nil {
			out.At = r.Suite.Prog.Tree.At(f.Pos)
		}
	}
	out.Steps = r.M.Steps()
	return out, r.Finish(c, f), nil
}

var _ eval.Memory = before{}
