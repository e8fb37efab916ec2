package textedit

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file finds out which integers are truth values. C programs keep these in int as often as in _Bool. A truth value
// is only assigned 0, 1 or the result of a comparison, or is only tested for zero. Nobody adds 1 to one, scales it, or
// puts a length in its place.

// costKinds is added where a truth value replaces another number, or the other way round.
const costKinds = 2

// truths are the truth values of a program.
type truths struct {
	vars   map[*cfront.Var]bool
	fields map[string]bool // names of struct fields; fields with one name are taken as one
	funcs  map[*cfront.Func]bool
	consts map[*cfront.Const]bool // assigned to a truth value, or returned as one
}

// ofTruth reports whether an expression is a truth value.
func (s *facts) ofTruth(x cfront.Expr) bool {
	if s.truth == nil {
		s.truth = findTruths(s.tree)
	}
	return s.truth.is(x)
}

// truthFunc reports whether a function returns truth values.
func (s *facts) truthFunc(f *cfront.Func) bool {
	s.ofTruth(nil)
	return s.truth.funcs[f]
}

// truthConst reports whether a constant is stored as a truth value, or returned as one.
func (s *facts) truthConst(c *cfront.Const) bool {
	s.ofTruth(nil)
	return s.truth.consts[c]
}

// truthVar reports whether a variable holds truth values.
func (s *facts) truthVar(v *cfront.Var) bool {
	s.ofTruth(nil)
	return s.truth.vars[v]
}

// kinds returns the additional cost of a replacement if only one of the two is a truth value.
func kinds(a, b bool) int {
	if a != b {
		return costKinds
	}
	return 0
}

func (t *truths) is(x cfront.Expr) bool {
	if x == nil {
		return false
	}
	switch x := skipCasts(x).(type) {
	case *cfront.LogicalNot, *cfront.Logical:
		return true
	case *cfront.Binary:
		return x.Op.IsCompare()
	case *cfront.Cond:
		return t.is(x.A) && t.is(x.B)
	case *cfront.Assign:
		return !x.HasOp && t.is(x.R)
	case *cfront.Ref:
		return t.vars[x.Var]
	case *cfront.Member:
		return t.fields[x.Field.Name]
	case *cfront.Call:
		f, ok := cfront.Skip(x.Fun).(*cfront.FuncRef)
		return ok && t.funcs[f.Func]
	}
	return false
}

// skipCasts also removes explicit casts.
func skipCasts(x cfront.Expr) cfront.Expr {
	for {
		x = cfront.Skip(x)
		c, ok := x.(*cfront.Cast)
		if !ok {
			return x
		}
		x = c.X
	}
}

// uses records what a program does with its integers.
type uses struct {
	t       *truths
	stores  []store
	asked   map[cfront.Expr]bool // expressions used as a condition
	counted map[any]int          // reads as a number, by variable or name of a field
	tested  map[any]int          // reads as a condition, by the same keys
}

// store is a value that is assigned to a variable or field, or returned by a function.
type store struct {
	to   any // *cfront.Var, string, *cfront.Func
	from cfront.Expr
}

// findTruths takes all integers that are assigned to as truth values, and then excludes those that something else is
// assigned to, until nothing changes. An integer that is only tested for zero is a truth value, whatever is assigned to
// it.
func findTruths(tree *cfront.Program) *truths {
	t := &truths{map[*cfront.Var]bool{}, map[string]bool{}, map[*cfront.Func]bool{}, map[*cfront.Const]bool{}}
	u := &uses{t: t, asked: map[cfront.Expr]bool{}, counted: map[any]int{}, tested: map[any]int{}}
	for _, v := range tree.Globals {
		for _, in := range v.Init {
			if in.Offset == 0 && in.X != nil && v.Type.IsInteger() {
				u.stores = append(u.stores, store{v, in.X})
			}
		}
	}
	for _, fn := range tree.Funcs {
		if fn.Body != nil {
			u.function(fn)
		}
	}
	stored := map[any]bool{}
	for _, x := range u.stores {
		stored[x.to] = true
		t.set(x.to, true)
	}
	for changed := true; changed; {
		changed = false
		for _, x := range u.stores {
			if t.has(x.to) && !t.fits(x.from) {
				t.set(x.to, false)
				changed = true
			}
		}
	}
	for k, n := range u.tested {
		if n > 0 && u.counted[k] == 0 {
			t.set(k, true)
		}
	}
	for _, x := range u.stores {
		if c, ok := skipCasts(x.from).(*cfront.Const); ok && t.has(x.to) && t.fits(c) {
			t.consts[c] = true
		}
	}
	return t
}

// fits reports whether a value may be a truth value.
func (t *truths) fits(x cfront.Expr) bool {
	if c, ok := skipCasts(x).(*cfront.Const); ok {
		return c.Type().IsInteger() && (c.Value == 0 || c.Value == 1)
	}
	return t.is(x)
}

func (t *truths) has(k any) bool {
	switch k := k.(type) {
	case *cfront.Var:
		return t.vars[k]
	case string:
		return t.fields[k]
	case *cfront.Func:
		return t.funcs[k]
	}
	return false
}

func (t *truths) set(k any, is bool) {
	switch k := k.(type) {
	case *cfront.Var:
		t.vars[k] = is
	case string:
		t.fields[k] = is
	case *cfront.Func:
		t.funcs[k] = is
	}
}

// anything stands for a value of which nothing is known.
var anything cfront.Expr = &cfront.String{}

// named returns the integer that an expression names: the variable, or the name of the field; nil for others.
func named(x cfront.Expr) any {
	if !integer(x) {
		return nil
	}
	switch x := skipCasts(x).(type) {
	case *cfront.Ref:
		return x.Var
	case *cfront.Member:
		return x.Field.Name
	}
	return nil
}

func (u *uses) function(fn *cfront.Func) {
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		switch st := st.(type) {
		case *cfront.If:
			u.ask(st.Cond)
		case *cfront.While:
			u.ask(st.Cond)
		case *cfront.For:
			u.ask(st.Cond)
		case *cfront.Return:
			if st.X != nil && integer(st.X) {
				u.stores = append(u.stores, store{fn, st.X})
			}
		case *cfront.Decl:
			for _, in := range st.Init {
				if in.X != nil && st.Var.Type.IsInteger() {
					u.stores = append(u.stores, store{st.Var, in.X})
				}
			}
		}
	}, nil)
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			u.expr(y)
			return true
		})
	})
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) { u.reads(x) })
}

// ask records a condition.
func (u *uses) ask(x cfront.Expr) {
	if x != nil {
		u.asked[skipCasts(x)] = true
	}
}

// expr records the conditions and the assignments in an expression.
func (u *uses) expr(x cfront.Expr) {
	other := func(x cfront.Expr) { // an unknown value is stored to x
		if k := named(x); k != nil {
			u.stores = append(u.stores, store{k, anything})
		}
	}
	switch x := x.(type) {
	case *cfront.Logical:
		u.ask(x.X)
		u.ask(x.Y)
	case *cfront.LogicalNot:
		u.ask(x.X)
	case *cfront.Cond:
		u.ask(x.C)
	case *cfront.Assign:
		if x.HasOp && x.Op != ctype.And && x.Op != ctype.Or {
			other(x.L)
		} else if k := named(x.L); k != nil {
			u.stores = append(u.stores, store{k, x.R})
		}
	case *cfront.IncDec:
		other(x.X)
	case *cfront.Addr:
		other(x.X)
	case *cfront.Call:
		if f, ok := cfront.Skip(x.Fun).(*cfront.FuncRef); ok {
			for i, a := range x.Args {
				if i < len(f.Func.Params) {
					u.stores = append(u.stores, store{f.Func.Params[i], a})
				}
			}
		}
	}
}

// reads counts, for each variable and field, the reads as a condition and the other reads.
func (u *uses) reads(x cfront.Expr) {
	cfront.Walk(x, func(y cfront.Expr) bool {
		switch y := y.(type) {
		case *cfront.Assign:
			if k := named(y.L); k != nil && !y.HasOp {
				u.reads(y.R)
				return false
			}
		case *cfront.Ref, *cfront.Member:
			k := named(y)
			switch {
			case k == nil:
			case u.asked[y]:
				u.tested[k]++
			default:
				u.counted[k]++
			}
		}
		return true
	})
}
