package evidence

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/contract"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
)

// This file records error traces (section 2.1): statement instances with their execution points, branch predicates as
// they held, and array indices resolved. Called functions are part of the trace; passing arguments and results are
// assignments.

// Inst is an executed statement: an assignment or a branch.
type Inst struct {
	Stmt *lower.Stmt
	Line int

	Loc   *Loc // for an assignment: the place, and below the value
	R     *Exp
	Value int64
	Known bool        // Value is known
	L, X  cfront.Expr // left and right side in the source; L is nil for arguments and results, X for arguments

	Branch []Conj // for a branch: what held
	Cond   cfront.Expr
	Taken  bool

	Scope map[*cfront.Var]int64 // values of numeric variables in scope before it
}

// String writes an instance as in the paper's Figure 1.
func (in *Inst) String() string {
	if in.Loc != nil {
		if k, ok := in.R.IsNum(); ok && isReal(in.Loc.Type) {
			return fmt.Sprintf("%s=%s", in.Loc, number(k, true))
		}
		return fmt.Sprintf("%s=%s", in.Loc, in.R)
	}
	s := ""
	for i, c := range in.Branch {
		if i > 0 {
			s += " | "
		}
		s += c.String()
	}
	return s
}

// Trace is a run of a function that breaks its contract.
type Trace struct {
	Contract *contract.Contract
	Case     *oracle.Case
	Input    string
	Inst     []Inst
	Pre      Conj   // the part of the precondition that holds
	Post     []Conj // the postcondition in disjunctive normal form
	Verdict  *oracle.Kept
	Notes    []string
	Faulty   bool // it ends in an error, and Post says what would have prevented it
	result   *Loc

	locs map[ctype.Word]*Loc
}

// Limits of a trace.
const (
	mostInst  = 400
	mostRange = 64
)

// call is an active call of a function.
type call struct {
	depth int
	ret   *Loc
}

type waiting struct {
	f    *cfront.Func
	args []*Exp
	vals []int64
	ok   []bool
	ret  *Loc
}

type recorder struct {
	t       *Trace
	p       *lower.Program
	m       *machine.Machine
	view    *oracle.View
	calls   []call
	queue   []waiting
	pending []pending
	written map[ctype.Word]int64 // values written by the statement that is being read
	stmt    *lower.Stmt
	out     []Inst
	next    ctype.Word // next address for a result
	depth   int
	params  map[*cfront.Var]ctype.Word
	then    bool                   // places are read as they were on entry
	wanted  func() []oracle.Scalar // what should hold at the end, if no contract says it
	err     error
}

// pending is a statement with calls that have not returned.
type pending struct {
	depth int
	list  []Inst
}

// results is the address of the first result of a call. No program has memory there.
const results = ctype.Word(0xFFC0) << 48

// Record runs a call and returns its trace, for a contract.
func Record(r *oracle.Runner, c *oracle.Case, ct *contract.Contract) (*Trace, error) {
	return record(r, c, ct, nil)
}

// RecordWanted does the same for a call whose right result is known, for example from a reference. The postcondition
// says that every place that the call writes, or that differs, holds its wanted value. The paper has only contracts; a
// wanted result is a contract for one input.
func RecordWanted(r *oracle.Runner, c *oracle.Case) (*Trace, error) {
	return record(r, c, &contract.Contract{Func: r.Suite.Entry}, func() []oracle.Scalar { return r.Call(c).Places(c) })
}

func record(r *oracle.Runner, c *oracle.Case, ct *contract.Contract, wanted func() []oracle.Scalar) (*Trace, error) {
	t := &Trace{Contract: ct, Case: c, Input: c.Name, locs: map[ctype.Word]*Loc{}}
	rec := &recorder{t: t, p: r.Suite.Prog, next: results, wanted: wanted}
	t.result = &Loc{Addr: results, Name: "result", Type: ct.Func.Type.Result}
	t.locs[results] = t.result
	var err error
	t.Verdict, err = r.Hold(c, nil, ct, func(s int32) {
		if rec.m == nil {
			rec.m, rec.view = r.M, oracle.NewView(r.Suite.Prog, r.M)
		}
		if rec.err == nil && len(t.Inst) < mostInst {
			rec.step(rec.p.Stmts[s])
		}
	})
	if err != nil {
		return nil, err
	}
	if rec.m != nil {
		rec.flush(0)
	}
	if rec.err != nil && !errors.Is(rec.err, errStop) {
		return nil, rec.err
	}
	if t.Verdict.Fault != nil && rec.stmt != nil {
		rec.faulted(t.Verdict.Fault)
	}
	return t, nil
}

// errStop ends recording at an error.
var errStop = errors.New("an error state")

func (r *recorder) step(s *lower.Stmt) {
	if s == nil || !s.Stop && s.Kind != lower.End {
		return
	}
	d := r.m.Depth()
	r.view.Stopped()
	if len(r.calls) == 0 {
		r.calls = append(r.calls, call{d, r.t.result})
		r.enterFirst()
	}
	for len(r.calls) > 1 && r.calls[len(r.calls)-1].depth > d {
		r.calls = r.calls[:len(r.calls)-1]
	}
	r.flush(d)
	if r.calls[len(r.calls)-1].depth < d {
		r.entered(s.Func, d)
	}
	r.stmt, r.depth = s, d
	if s.Kind == lower.End {
		if d == r.calls[0].depth {
			r.specify()
		} else {
			r.calls = r.calls[:len(r.calls)-1] // another call may begin at this depth immediately
		}
		return
	}
	r.written, r.out = map[ctype.Word]int64{}, nil
	err := r.statement(s)
	if errors.Is(err, errLater) {
		err = nil
	}
	if err != nil && r.err == nil && !errors.Is(err, eval.ErrNull) && !errors.Is(err, eval.ErrAccess) {
		r.err = err
	}
	if len(r.queue) > 0 {
		r.pending = append(r.pending, pending{d, r.out})
		return
	}
	r.t.Inst = append(r.t.Inst, r.out...)
}

var errLater = errors.New("the value is known later")

// flush appends the statements whose calls have returned.
func (r *recorder) flush(depth int) {
	for n := len(r.pending); n > 0 && r.pending[n-1].depth >= depth; n-- {
		for _, in := range r.pending[n-1].list {
			if in.Loc != nil && !in.Known {
				if v, ok := r.read(in.Loc); ok {
					in.Value, in.Known = v, true
				}
			}
			r.t.Inst = append(r.t.Inst, in)
		}
		r.pending = r.pending[:n-1]
		r.queue = nil
	}
}

// enterFirst records the entry's arguments, and the precondition.
func (r *recorder) enterFirst() {
	r.params = map[*cfront.Var]ctype.Word{}
	for _, p := range r.t.Contract.Func.Params {
		if a, ok := r.view.VarAddr(p); ok && p.Type.IsScalar() {
			if w, ok := r.view.Load(a, p.Type); ok {
				r.params[p] = w
			}
		}
	}
	for _, c := range r.t.Contract.Pre {
		list, err := r.clause(c.X)
		if err != nil {
			r.t.note("%s: %v", c.Text, err)
			continue
		}
		for _, conj := range list {
			if conj.negatives() == 0 {
				r.t.Pre = append(r.t.Pre, conj...)
				break
			}
		}
	}
}

func (t *Trace) note(format string, args ...any) {
	t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
}

// entered records the passing of arguments at the beginning of a call.
func (r *recorder) entered(f *cfront.Func, depth int) {
	ret := &Loc{Addr: r.next + 16, Name: f.Name + "()", Type: f.Type.Result}
	for i := range r.queue {
		w := r.queue[i]
		if w.f != f {
			continue
		}
		ret = w.ret
		for k, p := range f.Params {
			a, ok := r.view.VarAddr(p)
			if !ok || k >= len(w.args) || w.args[k] == nil {
				continue
			}
			l := r.loc(a, p.Type, p.Name, p)
			r.t.Inst = append(r.t.Inst, Inst{Stmt: r.stmt, Line: f.Range.Position().Line, Loc: l, R: w.args[k], Value: w.vals[k], Known: w.ok[k]})
		}
		r.queue = append(r.queue[:i:i], r.queue[i+1:]...)
		break
	}
	r.calls = append(r.calls, call{depth, ret})
}

// statement records a statement before it is executed.
func (r *recorder) statement(s *lower.Stmt) error {
	switch s.Kind {
	case lower.Expr, lower.Post:
		_, err := r.eval(s.X)
		return err
	case lower.Cond:
		return r.branch(s.X)
	case lower.Switch:
		e, err := r.eval(s.X)
		if err != nil {
			return err
		}
		if e.ok {
			p := newPred(e.e, ctype.Eq, Num(e.v))
			p.From = len(r.t.Inst) + len(r.out)
			r.emit(Inst{Branch: []Conj{{p}}, Cond: s.X, Taken: true})
		}
	case lower.Decl:
		if len(s.Decl.Init) != 1 || !s.Decl.Var.Type.IsScalar() {
			return r.initialize(s.Decl)
		}
		e, err := r.eval(s.Decl.Init[0].X)
		if err != nil {
			return err
		}
		if a, ok := r.view.VarAddr(s.Decl.Var); ok {
			r.assign(r.loc(a, s.Decl.Var.Type, s.Decl.Var.Name, s.Decl.Var), e, cfront.NewRef(s.Decl.Var), s.Decl.Init[0].X)
		}
	case lower.Return:
		if s.X == nil || !s.X.Type().IsScalar() {
			return nil
		}
		e, err := r.eval(s.X)
		if err != nil {
			return err
		}
		r.assign(r.calls[len(r.calls)-1].ret, e, nil, s.X)
	}
	return nil
}

// initialize records the initializer of an array or struct.
func (r *recorder) initialize(d *cfront.Decl) error {
	base, ok := r.view.VarAddr(d.Var)
	if !ok {
		return nil
	}
	for _, in := range d.Init {
		if !in.X.Type().IsScalar() {
			continue
		}
		e, err := r.eval(in.X)
		if err != nil {
			return err
		}
		t := in.X.Type()
		l := r.loc(base+ctype.Word(in.Offset), t, d.Var.Name, nil)
		if d.Var.Type.Kind == ctype.Array && l.Index == nil && d.Var.Type.Elem.Size > 0 {
			l.At = in.Offset / d.Var.Type.Elem.Size
			l.Index = Num(l.At)
		}
		r.assign(l, e, nil, in.X)
	}
	return nil
}

func (r *recorder) emit(in Inst) {
	in.Stmt, in.Line = r.stmt, r.stmt.Range.Position().Line
	in.Scope = r.scope()
	r.out = append(r.out, in)
}

// scope returns the values of the numeric variables that are in scope at the statement.
func (r *recorder) scope() map[*cfront.Var]int64 {
	out := map[*cfront.Var]int64{}
	f := r.stmt.Func
	add := func(v *cfront.Var) {
		if !v.Type.IsArith() || v.Name == "" {
			return
		}
		if a, ok := r.view.VarAddr(v); ok {
			if w, ok := r.load(a, v.Type); ok {
				out[v] = valueOf(v.Type, w)
			}
		}
	}
	for _, v := range f.Params {
		add(v)
	}
	for _, v := range f.Locals {
		if v.Scope.Valid() && v.Scope.Contains(r.stmt.Range.File, r.stmt.Range.Start) && v.Range.Start < r.stmt.Range.Start {
			add(v)
		}
	}
	for _, v := range r.p.Tree.Globals {
		if v.Func == nil && v.Range.Valid() {
			add(v)
		}
	}
	return out
}

func (r *recorder) assign(l *Loc, e val, left, right cfront.Expr) {
	r.emit(Inst{Loc: l, R: e.e, Value: e.v, Known: e.ok, L: left, X: right})
	if e.ok {
		r.written[l.Addr] = e.v
	}
}

// branch records a condition as it held: itself if it was true, else its negation.
func (r *recorder) branch(x cfront.Expr) error {
	is, err := r.truth(x)
	if err != nil {
		return err
	}
	list, err := r.dnf(x, is, r.operand)
	if err != nil {
		return err
	}
	// All disjuncts come from this branch.
	for i := range list {
		for _, p := range list[i] {
			p.From = len(r.t.Inst) + len(r.out)
		}
	}
	r.emit(Inst{Branch: list, Cond: x, Taken: is})
	return nil
}

// loc returns the place at an address, a new one if there is none yet.
func (r *recorder) loc(a ctype.Word, t *ctype.Type, name string, v *cfront.Var) *Loc {
	if l := r.t.locs[a]; l != nil {
		return l
	}
	l := &Loc{Addr: a, Type: t, Name: name, Var: v}
	if w, ok := r.view.Load(a, t); ok && !r.assigned(a) {
		l.Init, l.Known = valueOf(t, w), true
	}
	r.t.locs[a] = l
	return l
}

func (r *recorder) assigned(a ctype.Word) bool { return r.t.assigns(a) }

// read returns the present value of a place.
func (r *recorder) read(l *Loc) (int64, bool) {
	if r.then {
		return l.Init, l.Known
	}
	if l.Addr >= results {
		for i := len(r.t.Inst) - 1; i >= 0; i-- {
			if x := r.t.Inst[i]; x.Loc != nil && x.Loc.Addr == l.Addr {
				return x.Value, x.Known
			}
		}
		return 0, false
	}
	w, ok := r.load(l.Addr, l.Type)
	return valueOf(l.Type, w), ok
}

func (r *recorder) load(a ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	if v, ok := r.written[a]; ok {
		return wordOf(t, v), true
	}
	return r.view.Load(a, t)
}

// Valued returns the value of a place after the first point instances of the trace.
func (t *Trace) Valued(l *Loc, point int) (int64, bool) {
	for i := min(point, len(t.Inst)) - 1; i >= 0; i-- {
		if x := &t.Inst[i]; x.Loc != nil && x.Loc.Addr == l.Addr {
			return x.Value, x.Known
		}
	}
	return l.Init, l.Known
}

// Way returns the lines of a trace as a key.
func (t *Trace) Way() string {
	var b strings.Builder
	for i := range t.Inst {
		b.WriteString(strconv.Itoa(t.Inst[i].Line))
		b.WriteByte(',')
	}
	return b.String()
}
