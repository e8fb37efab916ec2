package proof

import (
	"errors"
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/smt"
)

// This file evaluates expressions over a state, with the semantics of package eval, for all possible values at once.
// With each value comes the literal that evaluation causes no error. Side effects happen under the guard g.

// evaluator evaluates the expressions of one item.
type evaluator struct {
	s     *state
	e     *encoder
	known []value // results of calls that the trace executes
	inner func(*cfront.Func) bool
	used  int
	args  []value // arguments of the call that stopped evaluation
	argOK int
}

// errEnter stops evaluation at a call that the trace enters.
var errEnter = errors.New("a call that is recorded")

func (v *evaluator) value(g int, x cfront.Expr) (value, int, error) {
	e := v.e
	if x.Type().IsWide() {
		return value{}, 0, unsupported("values of type %s", x.Type())
	}
	switch x := x.(type) {
	case *cfront.Const:
		return e.single(x.Value), e.yes, nil
	case *cfront.Ref, *cfront.Deref, *cfront.Member, *cfront.Index:
		if m, ok := x.(*cfront.Member); ok && m.Field.BitLen > 0 || !x.Type().IsScalar() {
			return value{}, 0, unsupported("bit-fields and whole structs")
		}
		a, ok, err := v.addr(g, x)
		if err != nil {
			return value{}, 0, err
		}
		w, ok2, err := v.s.load(a, x.Type())
		return w, e.and(ok, ok2), err
	case *cfront.Decay:
		return v.addr(g, x.X)
	case *cfront.Addr:
		return v.addr(g, x.X)
	case *cfront.Cast:
		w, ok, err := v.value(g, x.X)
		if err != nil || x.Type().Kind == ctype.Void {
			return w, ok, err
		}
		w, err = v.convert(w, x.X.Type(), x.Type())
		return w, ok, err
	case *cfront.Unary:
		w, ok, err := v.value(g, x.X)
		if err != nil {
			return w, ok, err
		}
		return v.unary(x, w, ok)
	case *cfront.LogicalNot, *cfront.Logical:
		t, ok, err := v.truth(g, x)
		return e.bit(t), ok, err
	case *cfront.Binary:
		return v.binary(g, x)
	case *cfront.Cond:
		return v.choice(g, x)
	case *cfront.Comma:
		_, ok1, err := v.value(g, x.X)
		if err != nil {
			return value{}, 0, err
		}
		w, ok2, err := v.value(g, x.Y)
		return w, e.and(ok1, ok2), err
	case *cfront.Assign:
		return v.assign(g, x)
	case *cfront.IncDec:
		return v.incDec(g, x)
	case *cfront.Call:
		return v.call(g, x)
	}
	return value{}, 0, unsupported("%s", cfront.Text(x))
}

// bit returns the value 1 if t holds and 0 otherwise.
func (e *encoder) bit(t int) value {
	switch t {
	case e.yes:
		return e.single(1)
	case -e.yes:
		return e.single(0)
	}
	return value{alts: []alt{{w: 1, lit: t}, {w: 0, lit: -t}}}
}

func (v *evaluator) truth(g int, x cfront.Expr) (int, int, error) {
	e := v.e
	switch x := x.(type) {
	case *cfront.LogicalNot:
		t, ok, err := v.truth(g, x.X)
		return -t, ok, err
	case *cfront.Logical:
		a, ok1, err := v.truth(g, x.X)
		if err != nil {
			return 0, 0, err
		}
		goOn := a
		if !x.And {
			goOn = -a
		}
		if goOn == e.no() {
			return a, ok1, nil
		}
		b, ok2, err := v.truth(e.and(g, goOn), x.Y)
		if err != nil {
			return 0, 0, err
		}
		ok := e.and(ok1, e.or(-goOn, ok2))
		if x.And {
			return e.and(a, b), ok, nil
		}
		return e.or(a, b), ok, nil
	}
	w, ok, err := v.value(g, x)
	if err != nil {
		return 0, 0, err
	}
	return v.isTrue(w, x.Type()), ok, nil
}

func (v *evaluator) isTrue(w value, t *ctype.Type) int {
	if w.term != "" {
		return v.e.z.Prop(fmt.Sprintf("(not (= %s %s))", w.term, smt.Word(0)))
	}
	var lits []int
	for _, a := range w.alts {
		if ctype.Truth(t, a.w) {
			lits = append(lits, a.lit)
		}
	}
	return v.e.any(lits)
}

// each applies f to every value.
func (v *evaluator) each(w value, f func(ctype.Word) (ctype.Word, error)) (value, int, error) {
	m := v.e.mixer()
	var bad []int
	for _, a := range w.alts {
		r, err := f(a.w)
		if err != nil {
			bad = append(bad, a.lit)
		}
		m.word(a.lit, r, false)
	}
	r, err := m.value()
	return r, -v.e.any(bad), err
}

func (v *evaluator) convert(w value, from, to *ctype.Type) (value, error) {
	if w.term != "" {
		if !to.IsInteger() || !from.IsInteger() {
			return w, unsupported("a conversion to %s", to)
		}
		return value{term: v.e.z.Term(wrap(w.term, to))}, nil
	}
	r, _, err := v.each(w, func(x ctype.Word) (ctype.Word, error) {
		x, _ = ctype.Convert(from, to, x)
		return x, nil
	})
	return r, err
}

// wrap restricts a term to the range of a type.
func wrap(t string, to *ctype.Type) string {
	if to.Width() >= 64 {
		return t
	}
	op := "zero_extend"
	if to.Signed {
		op = "sign_extend"
	}
	bits := to.Width()
	return fmt.Sprintf("((_ %s %d) ((_ extract %d 0) %s))", op, 64-bits, bits-1, t)
}

func (v *evaluator) unary(x *cfront.Unary, w value, ok int) (value, int, error) {
	if w.term != "" {
		op := "bvneg"
		if x.Op.String() == "~" {
			op = "bvnot"
		}
		return value{term: v.e.z.Term(wrap(fmt.Sprintf("(%s %s)", op, w.term), x.Type()))}, ok, nil
	}
	r, ok2, err := v.each(w, func(a ctype.Word) (ctype.Word, error) { return ctype.Unary(x.Op, x.Type(), a) })
	return r, v.e.and(ok, ok2), err
}

func (v *evaluator) binary(g int, x *cfront.Binary) (value, int, error) {
	a, ok1, err := v.value(g, x.X)
	if err != nil {
		return value{}, 0, err
	}
	b, ok2, err := v.value(g, x.Y)
	if err != nil {
		return value{}, 0, err
	}
	ok := v.e.and(ok1, ok2)
	t := x.X.Type()
	f := func(a, b ctype.Word) (ctype.Word, error) { return ctype.Binary(x.Op, t, a, b) }
	if t.Kind == ctype.Pointer && !x.Op.IsCompare() {
		size := ctype.Word(max(t.Elem.Size, 1))
		switch {
		case x.Y.Type().Kind == ctype.Pointer:
			f = func(a, b ctype.Word) (ctype.Word, error) { return ctype.Word(int64(a-b) / int64(size)), nil }
		case x.Op == ctype.Sub:
			f = func(a, b ctype.Word) (ctype.Word, error) { return a - b*size, nil }
		default:
			f = func(a, b ctype.Word) (ctype.Word, error) { return a + b*size, nil }
		}
	}
	r, ok3, err := v.operate(x.Op, t, a, b, f)
	return r, v.e.and(ok, ok3), err
}

// operate applies an operator to two values.
func (v *evaluator) operate(op ctype.Op, t *ctype.Type, a, b value, f func(a, b ctype.Word) (ctype.Word, error)) (value, int, error) {
	e := v.e
	term := a.term != "" || b.term != ""
	if e.z != nil && t.IsInteger() && op != ctype.Eq && op != ctype.Ne && len(a.alts)*len(b.alts) > maxProduct {
		term = true
	}
	if term {
		return v.terms(op, t, e.toTerm(a), e.toTerm(b))
	}
	if op == ctype.Eq || op == ctype.Ne {
		return e.bit(e.equal(a, b) * map[ctype.Op]int{ctype.Eq: 1, ctype.Ne: -1}[op]), e.yes, nil
	}
	if n, ok := negated[op]; ok && t.IsInteger() {
		r, good, err := v.operate(n, t, a, b, func(a, b ctype.Word) (ctype.Word, error) { return ctype.Binary(n, t, a, b) })
		if err != nil {
			return r, good, err
		}
		return e.bit(-v.isTrue(r, ctype.IntT)), good, nil
	}
	if len(a.alts)*len(b.alts) > 20_000 {
		return value{}, 0, unsupported("too many values in one operation")
	}
	m := e.mixer()
	var bad []int
	for _, p := range a.alts {
		for _, q := range b.alts {
			both := e.and(p.lit, q.lit)
			if both == e.no() {
				continue
			}
			r, err := f(p.w, q.w)
			if err != nil {
				bad = append(bad, both)
			}
			m.word(both, r, false)
		}
	}
	r, err := m.value()
	return r, -e.any(bad), err
}

// negated maps comparisons to the comparison whose negation they are, so that the two share their terms.
var negated = map[ctype.Op]ctype.Op{ctype.Ge: ctype.Lt, ctype.Gt: ctype.Le}

// equal returns the literal that two values are the same word.
func (e *encoder) equal(a, b value) int {
	at := map[ctype.Word]int{}
	for _, p := range a.alts {
		if l, ok := at[p.w]; ok {
			at[p.w] = e.or(l, p.lit)
		} else {
			at[p.w] = p.lit
		}
	}
	var both []int
	for _, q := range b.alts {
		if l, ok := at[q.w]; ok {
			both = append(both, e.and(l, q.lit))
		}
	}
	return e.any(both)
}

var bvCompare = map[ctype.Op][2]string{
	ctype.Eq: {"=", "="}, ctype.Ne: {"distinct", "distinct"}, ctype.Lt: {"bvult", "bvslt"},
	ctype.Le: {"bvule", "bvsle"}, ctype.Gt: {"bvugt", "bvsgt"}, ctype.Ge: {"bvuge", "bvsge"},
}

var bvArith = map[ctype.Op]string{ctype.Add: "bvadd", ctype.Sub: "bvsub", ctype.Mul: "bvmul", ctype.And: "bvand", ctype.Or: "bvor", ctype.Xor: "bvxor"}

// terms applies an operator to two integers as terms, including C's errors.
func (v *evaluator) terms(op ctype.Op, t *ctype.Type, a, b string) (value, int, error) {
	e := v.e
	if e.z == nil || !t.IsInteger() {
		return value{}, 0, unsupported("arithmetic on values that are not certain")
	}
	if c, ok := bvCompare[op]; ok {
		i := 0
		if t.Signed {
			i = 1
		}
		return e.bit(e.z.Prop(fmt.Sprintf("(%s %s %s)", c[i], a, b))), e.yes, nil
	}
	if name, ok := bvArith[op]; ok {
		raw := e.z.Term(fmt.Sprintf("(%s %s %s)", name, a, b))
		r := raw
		good := e.yes
		if t.Size < 8 {
			r = e.z.Term(wrap(raw, t))
			if t.Signed {
				good = e.z.Prop(fmt.Sprintf("(= %s %s)", r, raw))
			}
		} else if t.Signed && (op == ctype.Add || op == ctype.Sub || op == ctype.Mul) {
			ext := func(s string) string { return "((_ sign_extend 64) " + s + ")" }
			good = e.z.Prop(fmt.Sprintf("(= %s (%s %s %s))", ext(raw), name, ext(a), ext(b)))
		}
		return value{term: r}, good, nil
	}
	if op == ctype.Div || op == ctype.Rem {
		name := map[bool]map[ctype.Op]string{true: {ctype.Div: "bvsdiv", ctype.Rem: "bvsrem"}, false: {ctype.Div: "bvudiv", ctype.Rem: "bvurem"}}[t.Signed][op]
		raw := e.z.Term(fmt.Sprintf("(%s %s %s)", name, a, b))
		r := e.z.Term(wrap(raw, t))
		good := e.z.Prop(fmt.Sprintf("(and (not (= %s %s)) (= %s %s))", b, smt.Word(0), raw, r))
		return value{term: r}, good, nil
	}
	return value{}, 0, unsupported("the operator %s on values that are not certain", op)
}

func (v *evaluator) choice(g int, x *cfront.Cond) (value, int, error) {
	e := v.e
	t, ok, err := v.truth(g, x.C)
	if err != nil {
		return value{}, 0, err
	}
	m := e.mixer()
	for _, side := range []struct {
		lit int
		x   cfront.Expr
	}{{t, x.A}, {-t, x.B}} {
		if side.lit == e.no() {
			continue
		}
		w, ok2, err := v.value(e.and(g, side.lit), side.x)
		if err != nil {
			return value{}, 0, err
		}
		ok = e.and(ok, e.implies(side.lit, ok2))
		m.add(side.lit, w)
	}
	w, err := m.value()
	return w, ok, err
}

// addr evaluates the address of an lvalue.
func (v *evaluator) addr(g int, x cfront.Expr) (value, int, error) {
	e := v.e
	switch x := x.(type) {
	case *cfront.Ref:
		a, ok := v.s.im.VarAddr(x.Var)
		if !ok {
			return value{}, 0, errAbsent
		}
		return e.single(a), e.yes, nil
	case *cfront.Deref:
		return v.pointer(g, x.X, 0)
	case *cfront.Member:
		off := ctype.Word(x.Field.Offset)
		if x.Arrow {
			return v.pointer(g, x.X, off)
		}
		a, ok, err := v.addr(g, x.X)
		if err != nil {
			return value{}, 0, err
		}
		a, _, err = v.each(a, func(w ctype.Word) (ctype.Word, error) { return w + off, nil })
		return a, ok, err
	case *cfront.Index:
		p, ok1, err := v.value(g, x.X)
		if err != nil {
			return value{}, 0, err
		}
		i, ok2, err := v.value(g, x.I)
		if err != nil {
			return value{}, 0, err
		}
		size := ctype.Word(x.Type().Size)
		if p.term != "" || i.term != "" {
			return value{}, 0, unsupported("an index that is computed")
		}
		a, _, err := v.operate(ctype.Add, x.X.Type(), p, i, func(a, b ctype.Word) (ctype.Word, error) { return a + b*size, nil })
		return a, e.and(ok1, ok2), err
	}
	return value{}, 0, unsupported("%s has no address", cfront.Text(x))
}

// pointer evaluates a pointer that is dereferenced; null is an error.
func (v *evaluator) pointer(g int, x cfront.Expr, off ctype.Word) (value, int, error) {
	p, ok, err := v.value(g, x)
	if err != nil {
		return value{}, 0, err
	}
	if p.term != "" {
		return value{}, 0, unsupported("an address that is computed")
	}
	m := v.e.mixer()
	var bad []int
	for _, a := range p.alts {
		if a.w < 4096 {
			bad = append(bad, a.lit)
			continue
		}
		m.word(a.lit, a.w+off, false)
	}
	r, err := m.value()
	return r, v.e.and(ok, -v.e.any(bad)), err
}

func (v *evaluator) assign(g int, x *cfront.Assign) (value, int, error) {
	e := v.e
	t := x.L.Type()
	if m, ok := x.L.(*cfront.Member); !t.IsScalar() || ok && m.Field.BitLen > 0 {
		return value{}, 0, unsupported("assignment of a struct or bit-field")
	}
	r, ok1, err := v.value(g, x.R)
	if err != nil {
		return value{}, 0, err
	}
	a, ok2, err := v.addr(g, x.L)
	if err != nil {
		return value{}, 0, err
	}
	ok := e.and(ok1, ok2)
	if x.HasOp {
		if t.Kind == ctype.Pointer {
			return value{}, 0, unsupported("pointer arithmetic")
		}
		old, ok3, err := v.s.load(a, t)
		if err != nil {
			return value{}, 0, err
		}
		if old, err = v.convert(old, t, x.OpType); err != nil {
			return value{}, 0, err
		}
		w, ok4, err := v.operate(x.Op, x.OpType, old, r, func(a, b ctype.Word) (ctype.Word, error) { return ctype.Binary(x.Op, x.OpType, a, b) })
		if err != nil {
			return value{}, 0, err
		}
		if r, err = v.convert(w, x.OpType, t); err != nil {
			return value{}, 0, err
		}
		ok = e.and(ok, e.and(ok3, ok4))
	}
	ok5, err := v.s.store(g, a, t, r)
	return r, e.and(ok, ok5), err
}

func (v *evaluator) incDec(g int, x *cfront.IncDec) (value, int, error) {
	e := v.e
	t := x.X.Type()
	if t.Kind == ctype.Float {
		return value{}, 0, unsupported("floating point")
	}
	old, ok1, err := v.value(g, x.X)
	if err != nil {
		return value{}, 0, err
	}
	a, ok2, err := v.addr(g, x.X)
	if err != nil {
		return value{}, 0, err
	}
	step, op, ot := ctype.Word(1), ctype.Add, t
	if t.Kind == ctype.Pointer {
		step, ot = ctype.Word(t.Elem.Size), ctype.ULongT
	} else {
		ot = ctype.Promote(t)
	}
	if x.Dec {
		op = ctype.Sub
	}
	w, ok3, err := v.operate(op, ot, old, e.single(step), func(a, b ctype.Word) (ctype.Word, error) { return ctype.Binary(op, ot, a, b) })
	if err != nil {
		return value{}, 0, err
	}
	if t.Kind != ctype.Pointer {
		if w, err = v.convert(w, ot, t); err != nil {
			return value{}, 0, err
		}
	}
	ok4, err := v.s.store(g, a, t, w)
	ok := e.and(e.and(ok1, ok2), e.and(ok3, ok4))
	if x.Post {
		return old, ok, err
	}
	return w, ok, err
}

func (v *evaluator) call(g int, x *cfront.Call) (value, int, error) {
	e := v.e
	ref, isRef := cfront.Skip(x.Fun).(*cfront.FuncRef)
	if !isRef {
		return value{}, 0, unsupported("a call through a pointer")
	}
	f := ref.Func
	if v.inner != nil && v.inner(f) && v.used < len(v.known) && !v.callsInner(x.Args) {
		v.used++ // the arguments were evaluated when the call was entered
		return v.known[v.used-1], e.yes, nil
	}
	args, ok := make([]value, len(x.Args)), e.yes
	for i := len(args) - 1; i >= 0; i-- {
		w, ok2, err := v.value(g, x.Args[i])
		if err != nil {
			return value{}, 0, err
		}
		args[i], ok = w, e.and(ok, ok2)
	}
	if v.inner != nil && v.inner(f) {
		if v.used < len(v.known) {
			v.used++
			return v.known[v.used-1], ok, nil
		}
		v.args, v.argOK = args, ok
		return value{}, 0, errEnter
	}
	switch {
	case f.Body == nil && f.Name == "malloc" && len(args) == 1 && len(args[0].alts) == 1:
		w, ok2, err := v.s.malloc(g, int64(args[0].alts[0].w), false)
		return w, e.and(ok, ok2), err
	case f.Body == nil && f.Name == "free" && len(args) == 1:
		ok2, err := v.s.free(g, args[0])
		return e.single(0), e.and(ok, ok2), err
	}
	if f.Body == nil || !v.s.t.Base.Empty() && v.s.t.Base.Touches(v.s.t.Prog, f) {
		return value{}, 0, unsupported("a call of %s", f.Name)
	}
	w, ok2, err := v.inline(g, f, args)
	return w, e.and(ok, ok2), err
}

// callsInner reports whether expressions call functions that the trace enters.
func (v *evaluator) callsInner(xs []cfront.Expr) bool {
	found := false
	for _, x := range xs {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if c, ok := y.(*cfront.Call); ok {
				if r, ok := cfront.Skip(c.Fun).(*cfront.FuncRef); ok && v.inner(r.Func) {
					found = true
				}
			}
			return !found
		})
	}
	return found
}

// again resets the evaluator for another expression of the same item.
func (v *evaluator) again() *evaluator {
	v.used, v.args = 0, nil
	return v
}
