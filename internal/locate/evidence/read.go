package evidence

import (
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/contract"
	"gulo/internal/ctype"
	"gulo/internal/eval"
)

// This file converts expressions of the source to sums over places, with their values.

// val is an expression with its value.
type val struct {
	e  *Exp
	v  int64
	ok bool // the value is known
}

func num(k int64) val { return val{Num(k), k, true} }

// eval converts an expression, and records the assignments in it in the order of execution.
func (r *recorder) eval(x cfront.Expr) (val, error) {
	if x.Type().IsWide() {
		return val{}, fmt.Errorf("a value of type %s is not supported", x.Type())
	}
	switch x := x.(type) {
	case *cfront.Const:
		return num(valueOf(x.Type(), x.Value)), nil
	case *cfront.Ref, *cfront.Deref, *cfront.Member, *cfront.Index:
		if x.Type().IsAggregate() || x.Type().Kind == ctype.Array {
			a, err := r.addr(x)
			return num(int64(a)), err
		}
		l, err := r.place(x)
		if err != nil {
			return val{}, err
		}
		v, ok := r.read(l)
		return val{Of(l), v, ok}, nil
	case *cfront.Decay:
		a, err := r.addr(x.X)
		return num(int64(a)), err
	case *cfront.Addr:
		a, err := r.addr(x.X)
		return num(int64(a)), err
	case *cfront.Cast:
		return r.cast(x)
	case *cfront.Unary:
		e, err := r.eval(x.X)
		if err != nil {
			return e, err
		}
		if x.Op == ctype.Neg {
			return val{plus(Num(0), -1, e.e), -e.v, e.ok}, nil
		}
		return val{opaque("~", e.e), ^e.v, e.ok}, nil
	case *cfront.Binary:
		return r.binary(x)
	case *cfront.LogicalNot, *cfront.Logical:
		is, err := r.truth(x)
		return val{Num(word(is)), word(is), true}, err
	case *cfront.Cond:
		if r.stmt == nil {
			return val{}, fmt.Errorf("%s in a contract is not followed back through a trace", cfront.Text(x))
		}
		if err := r.branch(x.C); err != nil {
			return val{}, err
		}
		if is := r.out[len(r.out)-1].Taken; is {
			return r.eval(x.A)
		}
		return r.eval(x.B)
	case *cfront.Comma:
		if _, err := r.eval(x.X); err != nil {
			return val{}, err
		}
		return r.eval(x.Y)
	case *cfront.Assign:
		return r.assignment(x)
	case *cfront.IncDec:
		return r.step1(x)
	case *cfront.Call:
		return r.call(x)
	}
	return val{}, fmt.Errorf("%s: %s is not followed on traces", r.stmt.Range.Position(), cfront.Text(x))
}

func word(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (r *recorder) cast(x *cfront.Cast) (val, error) {
	e, err := r.eval(x.X)
	if err == nil && isReal(x.X.Type()) != isReal(x.Type()) || err == nil && isReal(x.Type()) {
		return converted(x.X.Type(), x.Type(), e), nil
	}
	if err != nil || !e.ok {
		return e, err
	}
	if w, _ := ctype.Convert(x.X.Type(), x.Type(), ctype.Word(e.v)); int64(w) != e.v {
		return val{opaque("("+x.Type().String()+")", e.e), int64(w), true}, nil
	}
	return e, nil
}

func (r *recorder) binary(x *cfront.Binary) (val, error) {
	a, err := r.eval(x.X)
	if err != nil {
		return a, err
	}
	b, err := r.eval(x.Y)
	if err != nil {
		return b, err
	}
	if isReal(x.X.Type()) && !x.Op.IsCompare() {
		return reals(x.X.Type(), x.Op, a, b), nil
	}
	out := val{ok: a.ok && b.ok}
	scale := int64(1)
	if t := x.X.Type(); t.Kind == ctype.Pointer && !x.Op.IsCompare() && x.Y.Type().IsInteger() {
		scale = t.Elem.Size
	}
	switch x.Op {
	case ctype.Add:
		out.e, out.v = plus(a.e, scale, b.e), a.v+scale*b.v
	case ctype.Sub:
		out.e, out.v = plus(a.e, -scale, b.e), a.v-scale*b.v
		if t := x.X.Type(); t.Kind == ctype.Pointer && x.Y.Type().Kind == ctype.Pointer && t.Elem.Size > 1 {
			out.e, out.v = opaque("/", out.e, Num(t.Elem.Size)), out.v/t.Elem.Size
		}
	case ctype.Mul:
		out.e, out.v = product(a.e, b.e), a.v*b.v
	default:
		out.e = opaque(x.Op.String(), a.e, b.e)
		var ok bool
		out.v, ok = calculate(x.Op.String(), []int64{a.v, b.v})
		out.ok = out.ok && ok
	}
	return out, nil
}

func (r *recorder) assignment(x *cfront.Assign) (val, error) {
	e, err := r.eval(x.R)
	if err != nil {
		return e, err
	}
	l, err := r.place(x.L)
	if err != nil {
		return e, err
	}
	if real := isReal(l.Type) || isReal(x.R.Type()); x.HasOp && real {
		old, ok := r.read(l)
		t := l.Type
		if isReal(x.R.Type()) && (!isReal(t) || x.R.Type().Size > t.Size) {
			t = x.R.Type()
		}
		e = reals(t, x.Op, converted(l.Type, t, val{Of(l), old, ok}), converted(x.R.Type(), t, e))
		e = converted(t, l.Type, e)
	} else if x.HasOp {
		old, ok := r.read(l)
		scale := int64(1)
		if l.Type.Kind == ctype.Pointer {
			scale = l.Type.Elem.Size
		}
		n := val{ok: ok && e.ok}
		switch x.Op {
		case ctype.Add:
			n.e, n.v = plus(Of(l), scale, e.e), old+scale*e.v
		case ctype.Sub:
			n.e, n.v = plus(Of(l), -scale, e.e), old-scale*e.v
		case ctype.Mul:
			n.e, n.v = product(Of(l), e.e), old*e.v
		default:
			n.e = opaque(x.Op.String(), Of(l), e.e)
			var known bool
			n.v, known = calculate(x.Op.String(), []int64{old, e.v})
			n.ok = n.ok && known
		}
		e = n
	}
	if e.ok && !isReal(l.Type) {
		if w := int64(ctype.Wrap(l.Type, ctype.Word(e.v))); w != e.v {
			e = val{opaque("("+l.Type.String()+")", e.e), w, true}
		}
	}
	r.assign(l, e, x.L, x)
	return e, nil
}

// step1 converts x++ and the like. The result is expressed by the value afterwards, or that less one.
func (r *recorder) step1(x *cfront.IncDec) (val, error) {
	l, err := r.place(x.X)
	if err != nil {
		return val{}, err
	}
	d := int64(1)
	if l.Type.Kind == ctype.Pointer {
		d = l.Type.Elem.Size
	}
	if x.Dec {
		d = -d
	}
	old, ok := r.read(l)
	if isReal(l.Type) {
		n := reals(l.Type, ctype.Add, val{Of(l), old, ok}, num(realKey(float64(d))))
		r.assign(l, n, x.X, x)
		if x.Post {
			return reals(l.Type, ctype.Sub, val{Of(l), n.v, n.ok}, num(realKey(float64(d)))), nil
		}
		return val{Of(l), n.v, n.ok}, nil
	}
	r.assign(l, val{plus(Of(l), 1, Num(d)), old + d, ok}, x.X, x)
	if x.Post {
		return val{plus(Of(l), 1, Num(-d)), old, ok}, nil
	}
	return val{Of(l), old + d, ok}, nil
}

// call queues the arguments of a call, if the function has a body. Its result is a new place.
func (r *recorder) call(x *cfront.Call) (val, error) {
	ref, ok := cfront.Skip(x.Fun).(*cfront.FuncRef)
	if !ok {
		return val{}, fmt.Errorf("%s: calls through pointers are not followed on traces", r.stmt.Range.Position())
	}
	w := waiting{f: ref.Func}
	for _, a := range x.Args {
		if !a.Type().IsScalar() {
			w.args, w.vals, w.ok = append(w.args, nil), append(w.vals, 0), append(w.ok, false)
			continue
		}
		e, err := r.eval(a)
		if err != nil {
			return e, err
		}
		w.args, w.vals, w.ok = append(w.args, e.e), append(w.vals, e.v), append(w.ok, e.ok)
	}
	r.next += 16
	w.ret = &Loc{Addr: r.next, Name: ref.Func.Name + "()", Type: x.Type()}
	r.t.locs[r.next] = w.ret
	if ref.Func.Body != nil {
		r.queue = append(r.queue, w)
	}
	return val{Of(w.ret), 0, false}, nil
}

// truth computes a condition. It fails with errLater if the condition depends on the result of a call.
func (r *recorder) truth(x cfront.Expr) (bool, error) {
	switch x := x.(type) {
	case *cfront.LogicalNot:
		is, err := r.truth(x.X)
		return !is, err
	case *cfront.Logical:
		is, err := r.truth(x.X)
		if err != nil || is != x.And {
			return is, err
		}
		return r.truth(x.Y)
	case *cfront.Binary:
		if x.Op.IsCompare() {
			a, err := r.quiet(x.X)
			if err != nil {
				return false, err
			}
			b, err := r.quiet(x.Y)
			if err != nil {
				return false, err
			}
			if !a.ok || !b.ok {
				return false, errLater
			}
			return holds(a.v-b.v, x.Op, 0), nil
		}
	}
	e, err := r.quiet(x)
	if err == nil && !e.ok {
		err = errLater
	}
	return e.v != 0, err
}

// quiet converts an expression without side effects. It fails if there are any.
func (r *recorder) quiet(x cfront.Expr) (val, error) {
	if cfront.Pure(x) {
		return r.eval(x)
	}
	return val{}, fmt.Errorf("%s: a condition with an effect is not followed on traces", r.stmt.Range.Position())
}

func (r *recorder) operand(x cfront.Expr) (val, error) { return r.eval(x) }

// dnf converts a condition, or its negation if want is false, to disjunctive normal form.
func (r *recorder) dnf(x cfront.Expr, want bool, operand func(cfront.Expr) (val, error)) ([]Conj, error) {
	switch x := x.(type) {
	case *cfront.LogicalNot:
		return r.dnf(x.X, !want, operand)
	case *cfront.Logical:
		a, err := r.dnf(x.X, want, operand)
		if err != nil {
			return nil, err
		}
		b, err := r.dnf(x.Y, want, operand)
		if err != nil {
			// An operand that is not executed has no value.
			if x.And != want {
				return a, nil
			}
			return nil, err
		}
		if x.And == want {
			return conjoin(a, b), nil
		}
		return append(a, b...), nil
	case *cfront.Binary:
		if x.Op.IsCompare() {
			return r.compare(x, want, operand)
		}
	}
	e, err := operand(x)
	if err != nil {
		return nil, err
	}
	op := ctype.Ne
	if !want {
		op = ctype.Eq
	}
	p := newPred(e.e, op, Num(0))
	p.Negative = e.ok && !holds(e.v, op, 0)
	return []Conj{{p}}, nil
}

func (r *recorder) compare(x *cfront.Binary, want bool, operand func(cfront.Expr) (val, error)) ([]Conj, error) {
	a, err := operand(x.X)
	if err != nil {
		return nil, err
	}
	b, err := operand(x.Y)
	if err != nil {
		return nil, err
	}
	p := newPred(a.e, x.Op, b.e)
	if !want {
		p = p.not()
	}
	p.Negative = a.ok && b.ok && !holds(a.v-b.v, p.Op, 0)
	return []Conj{{p}}, nil
}

// place returns the place that an expression denotes.
func (r *recorder) place(x cfront.Expr) (*Loc, error) {
	a, err := r.addr(x)
	if err != nil {
		return nil, err
	}
	switch y := x.(type) {
	case *cfront.Ref:
		return r.loc(a, x.Type(), y.Var.Name, y.Var), nil
	case *cfront.Index:
		i, err := r.eval(y.I)
		if err != nil {
			return nil, err
		}
		l := *r.loc(a, x.Type(), cfront.Text(cfront.Skip(y.X)), nil)
		l.Index, l.At = i.e, i.v
		if _, is := i.e.IsNum(); is {
			l.Index = &Exp{K: i.v, Written: false}
		}
		return &l, nil
	}
	return r.loc(a, x.Type(), cfront.Text(x), nil), nil
}

// addr computes the address of an expression.
func (r *recorder) addr(x cfront.Expr) (ctype.Word, error) {
	switch y := x.(type) {
	case *cfront.Ref:
		a, ok := r.view.VarAddr(y.Var)
		if !ok {
			return 0, r.noPlace(y.Var.Name)
		}
		return a, nil
	case *cfront.Deref:
		return r.pointer(y.X)
	case *cfront.Member:
		var a ctype.Word
		var err error
		if y.Arrow {
			a, err = r.pointer(y.X)
		} else {
			a, err = r.addr(y.X)
		}
		return a + ctype.Word(y.Field.Offset), err
	case *cfront.Index:
		a, err := r.pointer(y.X)
		if err != nil {
			return 0, err
		}
		i, err := r.eval(y.I)
		if err == nil && !i.ok {
			err = errLater
		}
		if err != nil {
			return 0, err
		}
		return a + ctype.Word(i.v*y.Type().Size), nil
	case *cfront.Decay:
		return r.addr(y.X)
	}
	return 0, r.noPlace(cfront.Text(x))
}

// noPlace returns the error for an expression that does not lie in memory, in a statement or in a contract.
func (r *recorder) noPlace(what string) error {
	if r.stmt == nil {
		return fmt.Errorf("%s has no place", what)
	}
	return fmt.Errorf("%s: %s has no place", r.stmt.Range.Position(), what)
}

func (r *recorder) pointer(x cfront.Expr) (ctype.Word, error) {
	e, err := r.eval(x)
	switch {
	case err != nil:
		return 0, err
	case !e.ok:
		return 0, errLater
	case uint64(e.v)>>32 == 0:
		return 0, eval.ErrNull
	}
	return ctype.Word(e.v), nil
}

// clause converts a condition of a contract to disjunctive normal form, for this input.
func (r *recorder) clause(x cfront.Expr) ([]Conj, error) {
	c := &clauses{r: r, bound: map[*cfront.Var]int64{}}
	list, err := c.dnf(x, true)
	for i := range list {
		for _, p := range list[i] {
			p.Sign = true
		}
	}
	return list, err
}

// clauses expands the quantifiers of a contract.
type clauses struct {
	r     *recorder
	bound map[*cfront.Var]int64
	n     int
}

func (c *clauses) term(x cfront.Expr) (*contract.Term, bool) {
	ref, ok := x.(*cfront.Ref)
	if !ok {
		return nil, false
	}
	t := c.r.t.Contract.Terms[ref.Var]
	return t, t != nil
}

func (c *clauses) dnf(x cfront.Expr, want bool) ([]Conj, error) {
	switch y := x.(type) {
	case *cfront.LogicalNot:
		return c.dnf(y.X, !want)
	case *cfront.Logical:
		a, err := c.dnf(y.X, want)
		if err != nil {
			return nil, err
		}
		b, err := c.dnf(y.Y, want)
		if err != nil {
			return nil, err
		}
		if y.And == want {
			return conjoin(a, b), nil
		}
		return append(a, b...), nil
	}
	t, ok := c.term(x)
	if !ok {
		return c.r.dnf(x, want, c.operand)
	}
	switch t.Kind {
	case contract.Forall, contract.Exists:
		return c.quantified(t, want)
	case contract.Implies:
		a, err := c.dnf(t.X, !want)
		if err != nil {
			return nil, err
		}
		b, err := c.dnf(t.Y, want)
		if err != nil {
			return nil, err
		}
		if want {
			return append(a, b...), nil
		}
		return conjoin(a, b), nil
	case contract.Sorted:
		if t.Lo != nil {
			return c.sorted(t, want)
		}
	}
	return nil, fmt.Errorf("%s(...) has no atoms on a trace", t.Text)
}

func (c *clauses) limits(t *contract.Term) (lo, hi int64, err error) {
	a, err := c.operand(t.Lo)
	if err != nil {
		return 0, 0, err
	}
	b, err := c.operand(t.Hi)
	if err != nil {
		return 0, 0, err
	}
	if !a.ok || !b.ok || b.v-a.v > mostRange {
		return 0, 0, fmt.Errorf("the range of %s is too long for a trace", t.Text)
	}
	return a.v, b.v, nil
}

// quantified expands a quantifier for the input (section 2.1).
func (c *clauses) quantified(t *contract.Term, want bool) ([]Conj, error) {
	lo, hi, err := c.limits(t)
	if err != nil {
		return nil, err
	}
	all := (t.Kind == contract.Forall) == want
	var out []Conj
	if all {
		out = []Conj{{}}
	}
	defer delete(c.bound, t.Var)
	for i := lo; i < hi; i++ {
		c.bound[t.Var] = i
		list, err := c.dnf(t.X, want)
		if err != nil {
			return nil, err
		}
		if all {
			out = conjoin(out, list)
		} else {
			out = append(out, list...)
		}
	}
	return out, nil
}

func (c *clauses) sorted(t *contract.Term, want bool) ([]Conj, error) {
	lo, hi, err := c.limits(t)
	if err != nil || !want {
		return nil, fmt.Errorf("sorted(...) has no atoms here")
	}
	out := []Conj{{}}
	for i := lo; i+1 < hi; i++ {
		a := cfront.NewIndex(t.X, cfront.NewConst(ctype.IntT, ctype.Word(i)))
		b := cfront.NewIndex(t.X, cfront.NewConst(ctype.IntT, ctype.Word(i+1)))
		list, err := c.r.compare(cfront.NewBinary(ctype.Le, a, b).(*cfront.Binary), true, c.operand)
		if err != nil {
			return nil, err
		}
		out = conjoin(out, list)
	}
	return out, nil
}

// operand converts an expression of a contract. Parameters have their values on entry.
func (c *clauses) operand(x cfront.Expr) (val, error) {
	if c.n++; c.n > 100_000 {
		return val{}, fmt.Errorf("the condition takes too long")
	}
	if x.Type().IsWide() {
		return val{}, fmt.Errorf("a value of type %s is not supported", x.Type())
	}
	switch y := x.(type) {
	case *cfront.Ref:
		if v, ok := c.bound[y.Var]; ok {
			return num(v), nil
		}
		if y.Var == c.r.t.Contract.Result {
			v, ok := c.r.read(c.r.t.result)
			return val{Of(c.r.t.result), v, ok}, nil
		}
		if w, ok := c.r.params[y.Var]; ok {
			if y.Var.Type.Kind == ctype.Pointer {
				return num(int64(w)), nil
			}
			return c.parameter(y.Var, valueOf(y.Var.Type, w))
		}
		if t, ok := c.term(x); ok {
			return c.aggregate(t)
		}
	case *cfront.Index:
		p, err := c.operand(y.X)
		if err != nil {
			return p, err
		}
		i, err := c.operand(y.I)
		if err != nil || !i.ok || !p.ok {
			return val{}, fmt.Errorf("an index without a value")
		}
		l := *c.r.loc(ctype.Word(p.v+i.v*y.Type().Size), y.Type(), cfront.Text(cfront.Skip(y.X)), nil)
		l.Index, l.At = Num(i.v), i.v
		v, ok := c.r.read(&l)
		return val{Of(&l), v, ok}, nil
	case *cfront.Deref:
		return c.through(y.X, 0, y)
	case *cfront.Member:
		if y.Arrow && y.Field.BitLen == 0 {
			return c.through(y.X, y.Field.Offset, y)
		}
	case *cfront.Cast:
		e, err := c.operand(y.X)
		if err == nil && (isReal(y.Type()) || isReal(y.X.Type())) {
			e = converted(y.X.Type(), y.Type(), e)
		}
		return e, err
	case *cfront.Unary:
		if e, err := c.operand(y.X); err == nil && y.Op == ctype.Neg {
			return val{plus(Num(0), -1, e.e), -e.v, e.ok}, nil
		}
	case *cfront.Binary:
		if !y.Op.IsCompare() && y.X.Type().IsArith() {
			return c.arithmetic(y)
		}
	}
	return c.r.eval(x)
}

// through reads the target of a pointer in a contract. Parameters have their values on entry.
func (c *clauses) through(pointer cfront.Expr, off int64, x cfront.Expr) (val, error) {
	p, err := c.operand(pointer)
	switch {
	case err != nil:
		return p, err
	case !p.ok:
		return val{}, fmt.Errorf("a pointer without a value")
	case uint64(p.v)>>32 == 0:
		return val{}, eval.ErrNull
	case !x.Type().IsScalar():
		return num(p.v + off), nil
	}
	l := c.r.loc(ctype.Word(p.v+off), x.Type(), cfront.Text(x), nil)
	v, ok := c.r.read(l)
	return val{Of(l), v, ok}, nil
}

// parameter returns the value of a parameter on entry, as the place if the function has not assigned it.
func (c *clauses) parameter(v *cfront.Var, w int64) (val, error) {
	a, ok := c.r.view.VarAddr(v)
	if ok && !c.r.assigned(a) {
		return val{Of(c.r.loc(a, v.Type, v.Name, v)), w, true}, nil
	}
	return num(w), nil
}

func (c *clauses) arithmetic(y *cfront.Binary) (val, error) {
	a, err := c.operand(y.X)
	if err != nil {
		return a, err
	}
	b, err := c.operand(y.Y)
	if err != nil {
		return b, err
	}
	if isReal(y.X.Type()) {
		return reals(y.X.Type(), y.Op, a, b), nil
	}
	out := val{ok: a.ok && b.ok}
	switch y.Op {
	case ctype.Add:
		out.e, out.v = plus(a.e, 1, b.e), a.v+b.v
	case ctype.Sub:
		out.e, out.v = plus(a.e, -1, b.e), a.v-b.v
	case ctype.Mul:
		out.e, out.v = product(a.e, b.e), a.v*b.v
	default:
		out.e = opaque(y.Op.String(), a.e, b.e)
		v, ok := calculate(y.Op.String(), []int64{a.v, b.v})
		out.v, out.ok = v, out.ok && ok
	}
	return out, nil
}

// aggregate converts a sum to a sum of its terms, and a value on entry to a number.
func (c *clauses) aggregate(t *contract.Term) (val, error) {
	switch t.Kind {
	case contract.Sum:
		lo, hi, err := c.limits(t)
		if err != nil {
			return val{}, err
		}
		out := num(0)
		defer delete(c.bound, t.Var)
		for i := lo; i < hi; i++ {
			c.bound[t.Var] = i
			e, err := c.operand(t.X)
			if err != nil {
				return e, err
			}
			out = val{plus(out.e, 1, e.e), out.v + e.v, out.ok && e.ok}
		}
		return out, nil
	case contract.Old, contract.Now:
		return c.at(t, t.Kind == contract.Old)
	}
	return val{}, fmt.Errorf("%s(...) has no value on a trace", t.Text)
}

// at computes the value of an expression on entry, including what it points to, or its present value.
func (c *clauses) at(t *contract.Term, entry bool) (val, error) {
	before := c.r.then
	c.r.then = entry
	e, err := c.operand(t.X)
	c.r.then = before
	if err != nil {
		return e, err
	}
	if !entry {
		return e, nil
	}
	if !e.ok {
		return val{}, fmt.Errorf("what %s was is not known", c.r.t.Contract.Text(t.X))
	}
	return num(e.v), nil
}
