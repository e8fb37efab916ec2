package symbolic

import (
	"context"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/machine"
	"gulo/internal/smt"
)

// This file evaluates expressions of the source in a state, without executing statements: specifications, and
// candidates for holes.

// Expressions evaluates expressions in one state. Values are memoized, so that expressions with common parts are cheap.
type Expressions struct {
	e    *Engine
	ctx  context.Context // bounds the evaluation; the context of the engine's run may be over
	st   *State
	memo map[cfront.Expr]computed
	Vars func(*cfront.Var) *smt.Term // 64-bit values of variables that the program does not have; may be nil
	// Nested gives the values of holes in functions that an expression calls. It may be nil if there are none.
	Nested func(*Hole) *smt.Term

	nested int  // number of such values asked for
	taking bool // the expression takes numbers from streams; which ones depends on what was evaluated before
}

type computed struct{ v, def *smt.Term }

// Expressions returns an evaluator for a state. It follows calls in expressions until ctx ends, even if the context of
// the engine's run has ended.
func (e *Engine) Expressions(ctx context.Context, st *State) *Expressions {
	return &Expressions{e: e, ctx: ctx, st: st, memo: map[cfront.Expr]computed{}}
}

// Value returns the value of a scalar expression in 64 bits, and the condition under which it is defined. The error is
// *Unsupported, *LimitError, or the context's.
func (x *Expressions) Value(expr cfront.Expr) (v, def *smt.Term, err error) {
	e := x.e
	hook, path, stmt, ctx := e.OnHole, e.path, e.stmt, e.ctx
	e.OnHole, e.path, e.ctx = nil, nil, x.ctx
	if x.Nested != nil {
		e.OnHole = func(h *Hole) *smt.Term {
			x.nested++
			return x.Nested(h)
		}
	}
	e.probing++
	defer func() {
		e.OnHole, e.path, e.stmt, e.ctx = hook, path, stmt, ctx
		e.probing--
		if r := recover(); r != nil {
			err = ended(r)
		}
	}()
	if len(cfront.Drawn(expr)) > 0 {
		one := &Expressions{e: e, st: x.quiet(), memo: map[cfront.Expr]computed{}, Vars: x.Vars, taking: true}
		v, def = one.value(expr)
		return v, def, nil
	}
	v, def = x.value(expr)
	return v, def, nil
}

// Truth is Value for a condition.
func (x *Expressions) Truth(expr cfront.Expr) (v, def *smt.Term, err error) {
	v, def, err = x.Value(expr)
	if err == nil {
		v = x.e.truth(v, expr.Type())
	}
	return v, def, err
}

func (x *Expressions) value(expr cfront.Expr) (v, def *smt.Term) {
	if c, ok := x.memo[expr]; ok {
		return c.v, c.def
	}
	before := x.nested
	v, def = x.compute(expr)
	if x.nested == before { // others hold for this candidate alone
		x.memo[expr] = computed{v, def}
	}
	return v, def
}

func (x *Expressions) compute(expr cfront.Expr) (v, def *smt.Term) {
	e, ts := x.e, x.e.Terms
	if expr.Type().IsWide() {
		e.unsupported("a value of type %s is not supported", expr.Type())
	}
	switch y := expr.(type) {
	case *cfront.Const:
		return e.Word(y.Value), ts.True
	case *cfront.Ref, *cfront.Deref, *cfront.Member, *cfront.Index:
		return x.load(expr)
	case *cfront.Decay:
		return x.addr(y.X)
	case *cfront.Addr:
		return x.addr(y.X)
	case *cfront.Cast:
		v, def = x.value(y.X)
		return e.convert(v, y.X.Type(), y.Type()), def
	case *cfront.Unary:
		v, def = x.value(y.X)
		v, bad := e.Unary(y.Op, y.Type(), v)
		if e.opt.Wrap {
			bad = ts.False
		}
		return v, ts.And(def, ts.Not(bad))
	case *cfront.LogicalNot:
		v, def = x.value(y.X)
		return ts.Number(ts.Not(e.truth(v, y.X.Type())), 64), def
	case *cfront.Binary:
		return x.binary(y)
	case *cfront.Logical:
		a, da := x.value(y.X)
		b, db := x.value(y.Y)
		ta, tb := e.truth(a, y.X.Type()), e.truth(b, y.Y.Type())
		if y.And {
			return ts.Number(ts.And(ta, tb), 64), ts.And(da, ts.Or(ts.Not(ta), db))
		}
		return ts.Number(ts.Or(ta, tb), 64), ts.And(da, ts.Or(ta, db))
	case *cfront.Cond:
		c, dc := x.value(y.C)
		t := e.truth(c, y.C.Type())
		a, da := x.value(y.A)
		b, db := x.value(y.B)
		return ts.Ite(t, a, b), ts.And(dc, ts.Ite(t, da, db))
	case *cfront.Comma:
		return x.value(y.Y)
	case *cfront.Call:
		return x.call(y)
	case *cfront.String:
	}
	e.unsupported("%s cannot be computed here", cfront.Text(expr))
	return nil, nil
}

func (x *Expressions) binary(y *cfront.Binary) (v, def *smt.Term) {
	e, ts := x.e, x.e.Terms
	a, da := x.value(y.X)
	b, db := x.value(y.Y)
	def = ts.And(da, db)
	t := y.X.Type()
	if t.Kind == ctype.Pointer && !y.Op.IsCompare() {
		size := ts.Const(uint64(max(t.Elem.Size, 1)), 64)
		switch {
		case y.Y.Type().Kind == ctype.Pointer:
			return ts.Bin(smt.OpSDiv, ts.Bin(smt.OpSub, a, b), size), def
		case y.Op == ctype.Sub:
			return ts.Bin(smt.OpSub, a, ts.Bin(smt.OpMul, b, size)), def
		}
		return ts.Bin(smt.OpAdd, a, ts.Bin(smt.OpMul, b, size)), def
	}
	v, bad, kind := e.Binary(y.Op, t, a, b)
	if e.opt.Wrap && kind != machine.DivideByZero {
		bad = ts.False
	}
	return v, ts.And(def, ts.Not(bad))
}

// quiet returns a copy of the state with a true path condition. An access that fails on some ways restricts only the
// copy.
func (x *Expressions) quiet() *State {
	s := *x.st
	s.PC = x.e.Terms.True
	return &s
}

func (x *Expressions) load(expr cfront.Expr) (v, def *smt.Term) {
	e, ts := x.e, x.e.Terms
	if r, ok := expr.(*cfront.Ref); ok && x.Vars != nil {
		if v := x.Vars(r.Var); v != nil {
			return v, ts.True
		}
	}
	if m, ok := expr.(*cfront.Member); ok && m.Field.BitLen > 0 {
		e.unsupported("bit-fields are not followed here")
	}
	a, da := x.addr(expr)
	if da == ts.False {
		return e.Word(0), da
	}
	s := x.quiet()
	v, ok := e.load(s, a, expr.Type().Size)
	if !ok || v == nil {
		return e.Word(0), ts.False
	}
	return e.wide(v, expr.Type()), ts.And(da, s.PC)
}

func (x *Expressions) addr(expr cfront.Expr) (v, def *smt.Term) {
	e, ts := x.e, x.e.Terms
	switch y := expr.(type) {
	case *cfront.Ref:
		return x.variable(y.Var), ts.True
	case *cfront.Deref:
		return x.value(y.X)
	case *cfront.Member:
		if y.Arrow {
			v, def = x.value(y.X)
		} else {
			v, def = x.addr(y.X)
		}
		return ts.Bin(smt.OpAdd, v, e.Word(uint64(y.Field.Offset))), def
	case *cfront.Index:
		v, def = x.value(y.X)
		i, di := x.value(y.I)
		return ts.Bin(smt.OpAdd, v, ts.Bin(smt.OpMul, i, e.Word(uint64(y.Type().Size)))), ts.And(def, di)
	case *cfront.FuncRef:
		if i, ok := e.Prog.FuncIndex(y.Func); ok {
			return e.Word(ctype.MakePointer(e.function(i), 0)), ts.True
		}
	case *cfront.Decay:
		return x.addr(y.X)
	}
	e.unsupported("%s has no address here", cfront.Text(expr))
	return nil, nil
}

// variable returns the address of a variable.
func (x *Expressions) variable(v *cfront.Var) *smt.Term {
	if id, ok := x.e.variableBlock(x.st, v); ok {
		return x.e.Word(ctype.MakePointer(id, 0))
	}
	x.e.unsupported("variable %s is not here", v.Name)
	return nil
}

// variableBlock returns the block of a variable, in the innermost call of its function.
func (e *Engine) variableBlock(st *State, v *cfront.Var) (uint32, bool) {
	if v.Storage == cfront.Global || v.Storage == cfront.Static {
		i, ok := e.Prog.GlobalIndex(v)
		if !ok {
			return 0, false
		}
		return e.statics[i], true
	}
	for k := len(st.frames) - 1; k >= 0; k-- {
		fr := st.frames[k]
		for i := range fr.fn.Objects {
			if fr.fn.Objects[i].Var == any(v) {
				return fr.objs[i], true
			}
		}
	}
	return 0, false
}

func (x *Expressions) call(y *cfront.Call) (v, def *smt.Term) {
	e, ts := x.e, x.e.Terms
	f, ok := y.Fun.(*cfront.FuncRef)
	if !ok {
		e.unsupported("a call through a pointer cannot be computed here")
	}
	i, known := e.Prog.IR.ByName[f.Func.Name]
	if k, ok := e.Prog.FuncIndex(f.Func); ok {
		i, known = k, true
	}
	if !known {
		e.unsupported("nothing is known of the function %s", f.Func.Name)
	}
	def = ts.True
	var args []*smt.Term
	var types []*ctype.Type
	for _, a := range y.Args {
		v, d := x.value(a)
		args, def, types = append(args, v), ts.And(def, d), append(types, a.Type())
	}
	s := e.clone(x.st)
	s.PC = ts.True
	end, v := e.call(s, i, args, types)
	if end == nil || v == nil {
		return e.Word(0), ts.False
	}
	if x.taking {
		x.st.streams = end.streams
	}
	return v, ts.And(def, end.PC)
}

// Read returns a scalar at an offset of a variable, in the type's width, and the condition under which it was written.
// ok is false if the variable is not there.
func (e *Engine) Read(st *State, v *cfront.Var, off int64, t *ctype.Type) (w, def *smt.Term, ok bool) {
	id, ok := e.variableBlock(st, v)
	if !ok {
		return nil, nil, false
	}
	return e.ReadBlock(st, id, off, t)
}

// ReadBlock does what Read does, for a block.
func (e *Engine) ReadBlock(st *State, id uint32, off int64, t *ctype.Type) (w, def *smt.Term, ok bool) {
	o := st.object(id)
	if o == nil || off < 0 || off+t.Size > o.size {
		return nil, nil, false
	}
	w, def = e.get(o, off, t.Size)
	return w, def, true
}

// Write stores a scalar at an offset of a variable. It returns false if the variable is not there.
func (e *Engine) Write(st *State, v *cfront.Var, off int64, t *ctype.Type, w *smt.Term) bool {
	id, ok := e.variableBlock(st, v)
	if !ok {
		return false
	}
	e.put(st.writable(st.mem[id]), off, t.Size, w, nil)
	return true
}

// NewBlock makes a block of elements and returns its number and address. The values have the type's width; a nil one is
// not stored.
func (e *Engine) NewBlock(st *State, name string, t *ctype.Type, vals []*smt.Term) (uint32, *smt.Term) {
	o := e.newObject(st, machine.Heap, name, t.Size*int64(len(vals)), ctype.ArrayOf(t, int64(len(vals))))
	for i, v := range vals {
		if v != nil {
			e.put(o, int64(i)*t.Size, t.Size, v, nil)
		}
	}
	return o.id, e.Word(ctype.MakePointer(o.id, 0))
}

// NewStruct makes a block for a struct and returns its number and address.
func (e *Engine) NewStruct(st *State, name string, t *ctype.Type) (uint32, *smt.Term) {
	o := e.newObject(st, machine.Heap, name, t.Size, t)
	return o.id, e.Word(ctype.MakePointer(o.id, 0))
}

// WriteBlock stores a scalar at an offset of a block; w has the type's width.
func (e *Engine) WriteBlock(st *State, id uint32, off int64, t *ctype.Type, w *smt.Term) {
	e.put(st.writable(st.mem[id]), off, t.Size, w, nil)
}
