package template

import (
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file makes the neighbourhood of an expression: one operator, operand,
// constant or connective changed. Most faults are there, so it is tried before any
// template.

// Candidate is an expression for a component. Params are the unknown numbers in it.
type Candidate struct {
	X      cfront.Expr
	Cost   int
	Params []*cfront.Var
	What   string // template it comes from, in words
}

// Costs of changes, small ones first.
const (
	costConstant = 2 // another constant of the program
	costOperator = 2
	costOperand  = 3
	costDrop     = 4
	costNegate   = 4
	costAdd      = 6 // a conjunct or disjunct more
	costWhole    = 7
)

type maker struct {
	c      *Component
	tree   *cfront.Program
	scope  []*cfront.Var
	consts []constant
	atoms  []cfront.Expr // conditions of the program that can be named here
	paths  []cfront.Expr // array elements and fields that the program names here
	out    []Candidate
	seen   map[string]bool
}

// constant is a number of the program, and how it is written.
type constant struct {
	w     ctype.Word
	spell string
}

const maxCandidates = 60_000

func newMaker(c *Component, tree *cfront.Program) *maker {
	m := &maker{c: c, tree: tree, scope: c.Scope(tree), seen: map[string]bool{}}
	m.seen[key(c.X)] = true
	m.collect()
	return m
}

func key(x cfront.Expr) string { return strings.Join(strings.Fields(cfront.Text(x)), "") }

// collect finds the constants of the program, and the conditions and elements that
// can be named at the component.
func (m *maker) collect() {
	named := map[*cfront.Var]bool{}
	for _, v := range m.scope {
		named[v] = true
	}
	words := map[ctype.Word]string{}
	atoms, paths := map[string]cfront.Expr{}, map[string]cfront.Expr{}
	for _, f := range m.tree.Funcs {
		if !f.Range.Valid() || strings.HasPrefix(f.Range.File.Name, "@gulo/") {
			continue
		}
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				switch z := y.(type) {
				case *cfront.Const:
					m.constant(words, z)
				case *cfront.Binary:
					if z.Op.IsCompare() && m.nameable(z, named, f) {
						atoms[key(z)] = z
					}
				case *cfront.Call:
					if z.Type().IsInteger() && Harmless(z) && m.nameable(z, named, f) {
						atoms[key(z)] = z
					}
				case *cfront.Ref:
					if z.Type().IsInteger() && m.nameable(z, named, f) && f == m.c.Func {
						atoms[key(z)] = z
					}
				case *cfront.Index, *cfront.Member:
					if y.Type().IsInteger() && m.nameable(y, named, f) && Harmless(y) {
						paths[key(y)] = y
					}
				}
				return true
			})
		})
	}
	for _, g := range m.tree.Globals {
		for _, in := range g.Init {
			cfront.Walk(in.X, func(y cfront.Expr) bool {
				if z, ok := y.(*cfront.Const); ok {
					m.constant(words, z)
				}
				return true
			})
		}
	}
	for w, s := range words {
		m.consts = append(m.consts, constant{w, s})
	}
	sort.Slice(m.consts, func(i, j int) bool { return int64(m.consts[i].w) < int64(m.consts[j].w) })
	m.atoms, m.paths = values(atoms), values(paths)
}

func values(of map[string]cfront.Expr) []cfront.Expr {
	var keys []string
	for k := range of {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var out []cfront.Expr
	for _, k := range keys {
		out = append(out, of[k])
	}
	return out
}

// constant notes a number; a macro's name is how it is best written.
func (m *maker) constant(words map[ctype.Word]string, z *cfront.Const) {
	if !z.Type().IsInteger() {
		return
	}
	spell := z.Spell
	if z.Range().Valid() {
		if t := z.Range().Text(); t != "" && (t[0] >= 'A' && t[0] <= 'Z' || t[0] >= 'a' && t[0] <= 'z' || t[0] == '_') && !strings.ContainsAny(t, "( ") {
			spell = t
		}
	}
	if old, ok := words[z.Value]; !ok || old[0] >= '0' && old[0] <= '9' {
		words[z.Value] = spell
	}
}

// nameable reports whether an expression of a function means the same at the
// component: all its variables are visible there.
func (m *maker) nameable(x cfront.Expr, named map[*cfront.Var]bool, in *cfront.Func) bool {
	good := true
	cfront.Walk(x, func(y cfront.Expr) bool {
		if r, ok := y.(*cfront.Ref); ok {
			v := r.Var
			visible := named[v] || v.Func == nil || v.Func == m.c.Func && v.Storage == cfront.Param
			good = good && visible
		}
		return good
	})
	return good
}

func (m *maker) add(x cfront.Expr, cost int, what string, params ...*cfront.Var) {
	if x == nil || len(m.out) >= maxCandidates || !x.Type().IsInteger() {
		return
	}
	k := key(x)
	if m.seen[k] {
		return
	}
	m.seen[k] = true
	m.out = append(m.out, Candidate{x, cost, params, what})
}

// replace adds the component with one of its parts replaced.
func (m *maker) replace(old, new cfront.Expr, cost int, what string, params ...*cfront.Var) {
	if new == nil {
		return
	}
	if cfront.Skip(m.c.X) != old && old.Type().IsInteger() && !ctype.Same(old.Type(), new.Type()) {
		switch a, b := old.Type(), new.Type(); {
		case !ctype.Same(ctype.Promote(a), ctype.Promote(b)):
			return // what it is an operand of would have another type
		case ctype.Same(a, ctype.Promote(a)):
			new = cfront.Converted(new, a)
		}
	}
	m.add(m.with(old, new), cost, what, params...)
}

// with returns the component with a part replaced. Conversions that the part had are
// made anew.
func (m *maker) with(old, new cfront.Expr) cfront.Expr {
	if cfront.Skip(m.c.X) == old {
		return new
	}
	return cfront.Replace(m.c.X, old, new)
}

func number(t *ctype.Type, c constant) cfront.Expr {
	t = ctype.Promote(t)
	return cfront.NewSpelled(t, ctype.Wrap(t, c.w), c.spell)
}

// Neighbours lists the neighbourhood of a component, in order of cost.
func Neighbours(c *Component, tree *cfront.Program) []Candidate {
	m := newMaker(c, tree)
	truth := c.Kind == Condition || isTruth(c.X)
	cfront.Walk(c.X, func(x cfront.Expr) bool {
		if f, ok := x.(*cfront.FuncRef); ok {
			m.functions(f)
			return false
		}
		m.part(x)
		return true
	})
	if truth {
		m.connect()
	}
	m.whole(truth)
	sort.SliceStable(m.out, func(i, j int) bool { return m.out[i].Cost < m.out[j].Cost })
	return m.out
}

// isTruth reports whether an expression is 0 or 1.
func isTruth(x cfront.Expr) bool {
	switch y := cfront.Skip(x).(type) {
	case *cfront.Logical, *cfront.LogicalNot:
		return true
	case *cfront.Binary:
		return y.Op.IsCompare()
	case *cfront.Call:
		f, ok := y.Fun.(*cfront.FuncRef)
		return ok && f.Func.Body != nil && returnsTruth(f.Func)
	}
	return false
}

func returnsTruth(f *cfront.Func) bool {
	good, any := true, false
	cfront.WalkStmt(f.Body, func(s cfront.Stmt) {
		if r, ok := s.(*cfront.Return); ok && r.X != nil {
			any = true
			switch cfront.Skip(r.X).(type) {
			case *cfront.Logical, *cfront.LogicalNot:
			case *cfront.Binary:
				good = good && isTruth(r.X)
			default:
				good = false
			}
		}
	}, nil)
	return good && any
}

// part adds the changes of one node.
func (m *maker) part(x cfront.Expr) {
	switch y := x.(type) {
	case *cfront.Const:
		m.constants(y)
	case *cfront.Ref, *cfront.Member, *cfront.Index:
		m.operands(x)
	case *cfront.Binary:
		m.operators(y)
	case *cfront.Logical:
		m.replace(y, cfront.NewLogical(!y.And, y.X, y.Y), costOperator, "another connective")
		m.replace(y, y.X, costDrop, "a condition less")
		m.replace(y, y.Y, costDrop, "a condition less")
	case *cfront.LogicalNot:
		m.replace(y, y.X, costNegate, "without negation")
	case *cfront.Unary:
		m.replace(y, y.X, costNegate, "without its sign")
	case *cfront.Cond:
		m.replace(y, cfront.NewCond(y.C, y.B, y.A), costOperator, "the other way round")
		m.replace(y, y.A, costDrop, "one of both values")
		m.replace(y, y.B, costDrop, "one of both values")
	case *cfront.Call:
		m.arguments(y)
	}
	if x.Type().IsInteger() && isTruth(x) {
		m.replace(x, cfront.NewNot(x), costNegate, "negated")
	}
	if _, ok := x.(*cfront.Const); !ok && x.Type().IsInteger() && !isTruth(x) {
		one := number(x.Type(), constant{1, "1"})
		m.replace(x, cfront.NewBinary(ctype.Add, x, one), costOperand, "one more")
		m.replace(x, cfront.NewBinary(ctype.Sub, x, one), costOperand, "one less")
	}
}

func (m *maker) constants(y *cfront.Const) {
	if !y.Type().IsInteger() {
		return
	}
	for _, d := range []int64{1, -1} {
		t := ctype.Promote(y.Type())
		m.replace(y, cfront.NewConst(t, ctype.Wrap(t, y.Value+ctype.Word(d))), costConstant, "a constant by one")
	}
	for _, c := range append([]constant{{0, "0"}, {1, "1"}}, m.consts...) {
		m.replace(y, number(y.Type(), c), costConstant+1, "another constant of the program")
	}
	for _, v := range m.scope {
		m.replace(y, cfront.NewRef(v), costOperand+1, "a variable instead of a constant")
	}
}

func (m *maker) operands(x cfront.Expr) {
	if !x.Type().IsInteger() {
		return
	}
	for _, v := range m.scope {
		m.replace(x, cfront.NewRef(v), costOperand, "another variable")
	}
	for _, p := range m.paths {
		m.replace(x, p, costOperand+1, "another element")
	}
	for _, c := range m.consts {
		m.replace(x, number(x.Type(), c), costOperand+2, "a constant instead of a variable")
	}
}

func (m *maker) operators(y *cfront.Binary) {
	if y.X.Type().Kind == ctype.Pointer {
		return
	}
	x1, x2 := cfront.Skip(y.X), cfront.Skip(y.Y)
	for _, op := range sameKind(y.Op) {
		if op != y.Op {
			m.replace(y, cfront.NewBinary(op, x1, x2), costOperator, "another operator")
		}
	}
	if !y.Op.IsCompare() {
		m.replace(y, cfront.NewBinary(y.Op, x2, x1), costOperator+1, "operands exchanged")
		m.replace(y, x1, costDrop, "an operand less")
		m.replace(y, x2, costDrop, "an operand less")
	}
}

func (m *maker) functions(f *cfront.FuncRef) {
	for _, g := range m.tree.Funcs {
		if g == f.Func || !g.Range.Valid() || len(g.Params) != len(f.Func.Params) || !ctype.Same(g.Type.Result, f.Func.Type.Result) {
			continue
		}
		same := true
		for i := range g.Params {
			same = same && ctype.Same(g.Params[i].Type, f.Func.Params[i].Type)
		}
		if same && quiet(g, map[*cfront.Func]bool{}) {
			m.replace(f, cfront.NewFuncRef(g), costOperand, "another function")
		}
	}
}

func (m *maker) arguments(y *cfront.Call) {
	f, ok := y.Fun.(*cfront.FuncRef)
	if !ok {
		return
	}
	for i := range y.Args {
		for j := i + 1; j < len(y.Args); j++ {
			if ctype.Same(y.Args[i].Type(), y.Args[j].Type()) {
				args := append([]cfront.Expr(nil), y.Args...)
				args[i], args[j] = args[j], args[i]
				m.replace(y, cfront.NewCall(f.Func, args), costOperator+1, "arguments exchanged")
			}
		}
	}
}

// connect adds a condition to a condition, or to a part of one.
func (m *maker) connect() {
	var spots []cfront.Expr
	cfront.Walk(m.c.X, func(x cfront.Expr) bool {
		switch x.(type) {
		case *cfront.Logical, *cfront.LogicalNot, *cfront.Binary, *cfront.Ref, *cfront.Call:
			if x.Type().IsInteger() && (x == cfront.Skip(m.c.X) || isTruth(x)) {
				spots = append(spots, x)
			}
		}
		_, logical := x.(*cfront.Logical)
		_, not := x.(*cfront.LogicalNot)
		return logical || not
	})
	for i, at := range spots {
		for _, a := range m.atoms {
			for _, and := range []bool{true, false} {
				m.replace(at, cfront.NewLogical(and, at, a), costAdd+min(i, 2), "a condition more")
				m.replace(at, cfront.NewLogical(and, at, cfront.NewNot(a)), costAdd+1+min(i, 2), "a condition more")
			}
		}
	}
}

// whole adds other expressions for all of it.
func (m *maker) whole(truth bool) {
	for _, v := range m.scope {
		m.add(cfront.NewRef(v), costWhole, "a variable")
	}
	for _, p := range m.paths {
		m.add(p, costWhole, "an element")
	}
	for _, a := range m.atoms {
		m.add(a, costWhole+1, "a condition of the program")
		if truth {
			m.add(cfront.NewNot(a), costWhole+2, "a condition of the program, negated")
		}
	}
	for _, c := range m.consts {
		m.add(number(ctype.IntT, c), costWhole+1, "a constant")
	}
	x := cfront.Skip(m.c.X)
	for _, v := range m.scope {
		r := cfront.NewRef(v)
		for _, op := range []ctype.Op{ctype.Add, ctype.Sub} {
			m.add(cfront.NewBinary(op, x, r), costWhole+1, "a term more")
		}
	}
	if truth {
		m.comparisons()
		return
	}
	for _, a := range m.atoms {
		for _, v := range m.scope {
			m.add(cfront.NewCond(a, x, cfront.NewRef(v)), costWhole+3, "one of two values")
			m.add(cfront.NewCond(a, cfront.NewRef(v), x), costWhole+3, "one of two values")
		}
		for _, c := range m.consts {
			m.add(cfront.NewCond(a, x, number(ctype.IntT, c)), costWhole+3, "one of two values")
			m.add(cfront.NewCond(a, number(ctype.IntT, c), x), costWhole+3, "one of two values")
		}
	}
}

// comparisons of variables with one another and with constants, alone and with the
// condition that is there.
func (m *maker) comparisons() {
	x := cfront.Skip(m.c.X)
	var right []cfront.Expr
	for _, v := range m.scope {
		right = append(right, cfront.NewRef(v))
	}
	for _, c := range m.consts {
		right = append(right, number(ctype.IntT, c))
	}
	for _, v := range m.scope {
		for _, r := range right {
			for _, op := range []ctype.Op{ctype.Lt, ctype.Le, ctype.Gt, ctype.Ge, ctype.Eq, ctype.Ne} {
				cmp := cfront.NewBinary(op, cfront.NewRef(v), r)
				m.add(cmp, costWhole+2, "a comparison")
				m.add(cfront.NewLogical(true, x, cmp), costWhole+4, "a comparison more")
				m.add(cfront.NewLogical(false, x, cmp), costWhole+4, "a comparison more")
			}
		}
	}
}
