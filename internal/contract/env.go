package contract

import (
	"errors"
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
)

// This file computes conditions on the memory of a program, before and after a call.

// Env is the state in which a condition is computed. In a postcondition parameters have their values on entry, from
// Params, because that is all the caller knows of them.
type Env struct {
	Contract *Contract
	Now, Old eval.Memory // Old is nil for a precondition
	Params   map[*cfront.Var]ctype.Word
	Result   ctype.Word

	bound map[*cfront.Var]ctype.Word
	steps int
	err   error
}

// Limits on computing one condition.
const (
	maxSteps = 2_000_000
	maxRange = 100_000
)

// Errors for conditions whose value is undefined.
var (
	ErrRange = errors.New("a range is too long")
	ErrSteps = errors.New("the condition takes too long")
	ErrCycle = errors.New("the list has a cycle or is too long")
)

// Holds computes a clause. If it does not hold, conjunct is the part that fails, in words.
func (e *Env) Holds(c Clause) (ok bool, conjunct string, err error) {
	e.bound, e.steps, e.err = map[*cfront.Var]ctype.Word{}, 0, nil
	return e.holds(c.X)
}

// holds computes a condition. If it does not hold, it returns which part fails.
func (e *Env) holds(x cfront.Expr) (bool, string, error) {
	if l, ok := x.(*cfront.Logical); ok && l.And {
		if ok, why, err := e.holds(l.X); err != nil || !ok {
			return false, why, err
		}
		return e.holds(l.Y)
	}
	if r, ok := x.(*cfront.Ref); ok {
		if t := e.Contract.Terms[r.Var]; t != nil && t.Kind == Forall {
			return e.forall(t)
		}
	}
	w, err := e.value(e.Now, x)
	if err != nil {
		return false, "", err
	}
	if w != 0 {
		return true, "", nil
	}
	return false, e.describe(x), nil
}

// forall checks a condition for every value of a range, and names the first for which it fails.
func (e *Env) forall(t *Term) (bool, string, error) {
	lo, hi, err := e.bounds(e.Now, t)
	if err != nil {
		return false, "", err
	}
	defer delete(e.bound, t.Var)
	for i := lo; i < hi; i++ {
		e.bound[t.Var] = ctype.Word(i)
		if ok, why, err := e.holds(t.X); err != nil || !ok {
			return false, fmt.Sprintf("%s, for %s = %d", why, t.Var.Name, i), err
		}
	}
	return true, "", nil
}

// describe writes a condition; for a comparison it adds the values of both sides.
func (e *Env) describe(x cfront.Expr) string {
	text := e.Contract.Text(x)
	b, ok := x.(*cfront.Binary)
	if !ok || !b.Op.IsCompare() || !b.X.Type().IsArith() {
		return text
	}
	l, err1 := e.value(e.Now, b.X)
	r, err2 := e.value(e.Now, b.Y)
	if err1 != nil || err2 != nil {
		return text
	}
	if t := b.X.Type(); t.Kind == ctype.Float {
		return fmt.Sprintf("%s (%v %s %v)", text, ctype.FloatOf(t, l), b.Op, ctype.FloatOf(t, r))
	}
	return fmt.Sprintf("%s (%d %s %d)", text, int64(l), b.Op, int64(r))
}

func (e *Env) value(m eval.Memory, x cfront.Expr) (ctype.Word, error) {
	w, err := eval.Value(&view{e: e, mem: m}, x)
	if e.err != nil {
		err, e.err = e.err, nil
	}
	return w, err
}

func (e *Env) bounds(m eval.Memory, t *Term) (lo, hi int64, err error) {
	a, err := e.value(m, t.Lo)
	if err != nil {
		return 0, 0, err
	}
	b, err := e.value(m, t.Hi)
	if err != nil {
		return 0, 0, err
	}
	lo, hi = int64(a), int64(b)
	if hi-lo > maxRange {
		return 0, 0, fmt.Errorf("%w: %s from %d to %d", ErrRange, t.Text, lo, hi)
	}
	return lo, hi, nil
}

// view is a memory in which the contract's own variables have values, too.
type view struct {
	e   *Env
	mem eval.Memory
	now ctype.Word
}

// special is the address that those variables appear to have.
const special = ctype.Word(0xFFD0) << 48

// VarAddr implements eval.Memory.
func (v *view) VarAddr(x *cfront.Var) (ctype.Word, bool) {
	e := v.e
	if e.steps++; e.steps > maxSteps {
		e.err = ErrSteps
		return 0, false
	}
	if w, ok := e.bound[x]; ok {
		v.now = w
		return special, true
	}
	if w, ok := e.Params[x]; ok {
		v.now = w
		return special, true
	}
	if x == e.Contract.Result && x != nil {
		v.now = e.Result
		return special, true
	}
	if t := e.Contract.Terms[x]; t != nil {
		w, err := e.term(v.mem, t)
		if err != nil {
			e.err = err
			return 0, false
		}
		v.now = w
		return special, true
	}
	return v.mem.VarAddr(x)
}

// Load implements eval.Memory.
func (v *view) Load(a ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	if a == special {
		return ctype.Wrap(t, v.now), true
	}
	return v.mem.Load(a, t)
}

// Store implements eval.Memory; conditions must not store.
func (v *view) Store(ctype.Word, *ctype.Type, ctype.Word) bool { return false }

func truth(b bool) ctype.Word {
	if b {
		return 1
	}
	return 0
}

// term computes a term, which C does not have.
func (e *Env) term(m eval.Memory, t *Term) (ctype.Word, error) {
	switch t.Kind {
	case Forall, Exists, Sum, Count:
		return e.ranged(m, t)
	case Implies:
		x, err := e.value(m, t.X)
		if err != nil || x == 0 {
			return 1, err
		}
		y, err := e.value(m, t.Y)
		return truth(y != 0), err
	case Old:
		if e.Old == nil {
			return 0, errors.New("there is no state before")
		}
		return e.value(e.Old, t.X)
	case Now:
		return e.value(e.Now, t.X)
	case Sorted:
		if t.Lo == nil {
			keys, err := e.keys(m, t.X)
			for i := 1; i < len(keys); i++ {
				if keys[i-1] > keys[i] {
					return 0, err
				}
			}
			return truth(err == nil), err
		}
		xs, err := e.elements(m, t)
		for i := 1; i < len(xs); i++ {
			if xs[i-1] > xs[i] {
				return 0, err
			}
		}
		return 1, err
	case Permutation:
		xs, err := e.elements(m, t)
		if err != nil || e.Old == nil {
			return 0, err
		}
		ys, err := e.elements(e.Old, t)
		count := map[int64]int{}
		for i := range xs {
			count[xs[i]]++
			count[ys[i]]--
		}
		for _, n := range count {
			if n != 0 {
				return 0, err
			}
		}
		return 1, err
	}
	return e.listed(m, t)
}

func (e *Env) ranged(m eval.Memory, t *Term) (ctype.Word, error) {
	lo, hi, err := e.bounds(m, t)
	if err != nil {
		return 0, err
	}
	defer delete(e.bound, t.Var)
	n := ctype.Word(0)
	for i := lo; i < hi; i++ {
		e.bound[t.Var] = ctype.Word(i)
		w, err := e.value(m, t.X)
		switch {
		case err != nil:
			return 0, err
		case t.Kind == Forall && w == 0:
			return 0, nil
		case t.Kind == Exists && w != 0:
			return 1, nil
		case t.Kind == Sum:
			n += w
		case t.Kind == Count && w != 0:
			n++
		}
	}
	if t.Kind == Forall {
		n = 1
	}
	return n, nil
}

// elements reads the elements of an array from Lo up to Hi.
func (e *Env) elements(m eval.Memory, t *Term) ([]int64, error) {
	lo, hi, err := e.bounds(m, t)
	if err != nil {
		return nil, err
	}
	p, err := e.value(m, t.X)
	if err != nil {
		return nil, err
	}
	elem := t.X.Type().Elem
	var out []int64
	for i := lo; i < hi; i++ {
		w, ok := m.Load(p+ctype.Word(i*elem.Size), elem)
		if !ok {
			return nil, fmt.Errorf("%w: element %d", eval.ErrAccess, i)
		}
		out = append(out, int64(w))
	}
	return out, nil
}

// keys reads the numbers in the nodes of a list.
func (e *Env) keys(m eval.Memory, x cfront.Expr) ([]int64, error) {
	p, err := e.value(m, x)
	if err != nil {
		return nil, err
	}
	next, key := Links(x.Type().Elem)
	var out []int64
	for p != 0 {
		if len(out) > maxRange {
			return out, ErrCycle
		}
		k := ctype.Word(0)
		ok := true
		if key != nil {
			k, ok = m.Load(p+ctype.Word(key.Offset), key.Type)
		}
		n, ok2 := m.Load(p+ctype.Word(next.Offset), next.Type)
		if !ok || !ok2 {
			return out, fmt.Errorf("%w: node %d of the list", eval.ErrAccess, len(out)+1)
		}
		out = append(out, int64(k))
		p = n
	}
	return out, nil
}

func (e *Env) listed(m eval.Memory, t *Term) (ctype.Word, error) {
	keys, err := e.keys(m, t.X)
	switch t.Kind {
	case Acyclic:
		return truth(err == nil), nil
	case Length:
		return ctype.Word(len(keys)), err
	}
	w, err2 := e.value(m, t.Y)
	if err == nil {
		err = err2
	}
	for _, k := range keys {
		if k == int64(w) {
			return 1, err
		}
	}
	return 0, err
}
