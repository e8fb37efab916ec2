package template

import (
	"regexp"
	"sort"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file makes the neighbourhood of an expression: it changes one operator, operand, constant or connective. Most
// faults are there, so that it is tried before any template.

// Candidate is an expression for a component.
type Candidate struct {
	X    cfront.Expr
	Cost int
	What string // the change, in words

	length int // length of its text
}

// Costs of changes.
const (
	costConstant = 2 // another constant of the program
	costOperator = 1
	costOperand  = 3
	costDrop     = 3
	costNegate   = 3
	costAdd      = 6 // an additional conjunct or disjunct
	costWhole    = 7
)

type maker struct {
	c      *Component
	tree   *cfront.Program
	scope  []*cfront.Var
	consts []constant
	enums  map[string][]constant // by the name of an enumerator: the other names of its enumeration
	atoms  []cfront.Expr         // conditions in the program that can be used at the component
	paths  []cfront.Expr         // array elements and fields in the program that can be used at the component
	out    []Candidate
	seen   map[string]bool
	draws  int // number of calls of rand and the like in the component
}

// constant is a number in the program, and its spelling.
type constant struct {
	w     ctype.Word
	spell string
}

const maxCandidates = 60_000

func newMaker(c *Component, tree *cfront.Program) *maker {
	m := &maker{c: c, tree: tree, scope: c.Scope(tree), seen: map[string]bool{}, draws: len(cfront.Drawn(c.X))}
	m.seen[key(c.X)] = true
	m.collect()
	return m
}

func key(x cfront.Expr) string { return source.Squeeze(cfront.Text(x)) }

// collect finds the constants of the program, and the conditions and elements that can be used at the component.
func (m *maker) collect() {
	m.enums = enumerations(m.tree)
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
					if z.Type().IsInteger() && Harmless(z) && m.nameable(z, named, f) && !m.leadsHere(z) {
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
	for w, s := range macros(m.tree) {
		if old, ok := words[w]; !ok || old[0] >= '0' && old[0] <= '9' {
			words[w] = s
		}
	}
	for w, s := range words {
		m.consts = append(m.consts, constant{w, s})
	}
	sort.Slice(m.consts, func(i, j int) bool { return int64(m.consts[i].w) < int64(m.consts[j].w) })
	m.atoms, m.paths = values(atoms), values(paths)
}

var define = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+(-?\d+)[ \t]*(?:/[/*].*)?$`)

// macros lists the numbers for which the program defines macros, used or not.
func macros(tree *cfront.Program) map[ctype.Word]string {
	out := map[ctype.Word]string{}
	for _, f := range tree.Files {
		if strings.HasPrefix(f.Name, "@gulo/") {
			continue
		}
		for _, d := range define.FindAllSubmatch(f.Text, -1) {
			if n, err := strconv.ParseInt(string(d[2]), 10, 32); err == nil && out[ctype.Word(n)] == "" {
				out[ctype.Word(n)] = string(d[1])
			}
		}
	}
	return out
}

var (
	comment = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	enum    = regexp.MustCompile(`\benum\s*\w*\s*\{([^}]*)\}`)
)

// enumerations lists, for each enumerator, the other names of its enumeration with their values.
func enumerations(tree *cfront.Program) map[string][]constant {
	out := map[string][]constant{}
	for _, f := range tree.Files {
		if strings.HasPrefix(f.Name, "@gulo/") {
			continue
		}
		for _, e := range enum.FindAllSubmatch(comment.ReplaceAll(f.Text, []byte(" ")), -1) {
			var list []constant
			next := int64(0)
			for _, part := range strings.Split(string(e[1]), ",") {
				name, value, given := strings.Cut(part, "=")
				if given {
					n, err := strconv.ParseInt(strings.TrimSpace(value), 0, 32)
					if err != nil {
						list = nil
						break
					}
					next = n
				}
				if name = strings.TrimSpace(name); name != "" {
					list = append(list, constant{ctype.Word(next), name})
					next++
				}
			}
			for _, c := range list {
				for _, d := range list {
					if c != d {
						out[c.spell] = append(out[c.spell], d)
					}
				}
			}
		}
	}
	return out
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

// constant records a number. If a macro names it, that is its spelling.
func (m *maker) constant(words map[ctype.Word]string, z *cfront.Const) {
	if !z.Type().IsInteger() {
		return
	}
	spell := z.Spell
	if z.Range().Valid() {
		if t := z.Range().Text(); t != "" && (t[0] >= 'A' && t[0] <= 'Z' || t[0] >= 'a' && t[0] <= 'z' || t[0] == '_') && !strings.ContainsAny(t, "( ") && t != "NULL" {
			spell = t
		}
	}
	if spell == "" { // it does not occur in the text
		return
	}
	if old, ok := words[z.Value]; !ok || old[0] >= '0' && old[0] <= '9' {
		words[z.Value] = spell
	}
}

// leadsHere reports whether a called function may call the component's function.
func (m *maker) leadsHere(c *cfront.Call) bool {
	seen := map[*cfront.Func]bool{}
	var walk func(f *cfront.Func) bool
	walk = func(f *cfront.Func) bool {
		if f == m.c.Func {
			return true
		}
		if seen[f] || f.Body == nil {
			return false
		}
		seen[f] = true
		found := false
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if r, ok := y.(*cfront.FuncRef); ok && !found {
					found = walk(r.Func)
				}
				return !found
			})
		})
		return found
	}
	f, ok := c.Fun.(*cfront.FuncRef)
	return ok && walk(f.Func)
}

// nameable reports whether an expression in the function in means the same at the component: all its variables are
// visible there.
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

func (m *maker) add(x cfront.Expr, cost int, what string) {
	if x == nil || len(m.out) >= maxCandidates || !x.Type().IsInteger() {
		return
	}
	x = tidy(x)
	if n := len(cfront.Drawn(x)); n > m.draws || n == 0 && m.draws > 0 { // random numbers must still be used, and as often at most
		return
	}
	k := key(x)
	if m.seen[k] {
		return
	}
	m.seen[k] = true
	m.out = append(m.out, Candidate{x, cost, what, len(k)})
}

// tidy removes operations without effect, such as x + 0 and x * 1.
func tidy(x cfront.Expr) cfront.Expr {
	var old, new cfront.Expr
	cfront.Walk(x, func(y cfront.Expr) bool {
		if u, ok := y.(*cfront.Unary); ok && u.Op == ctype.Neg && old == nil {
			if c, ok := cfront.Skip(u.X).(*cfront.Const); ok && c.Value == 0 {
				old, new = u, c
			}
		}
		b, ok := y.(*cfront.Binary)
		if !ok || old != nil {
			return old == nil
		}
		is := func(z cfront.Expr, n ctype.Word) bool {
			c, ok := cfront.Skip(z).(*cfront.Const)
			return ok && c.Value == n
		}
		switch {
		case (b.Op == ctype.Add || b.Op == ctype.Sub) && is(b.Y, 0), (b.Op == ctype.Mul || b.Op == ctype.Div) && is(b.Y, 1):
			old, new = b, b.X
		case b.Op == ctype.Add && is(b.X, 0), b.Op == ctype.Mul && is(b.X, 1):
			old, new = b, b.Y
		}
		return old == nil
	})
	switch {
	case old == nil || old.Range().Valid():
		return x
	case x == old:
		return tidy(new)
	}
	return tidy(cfront.Replace(x, old, new))
}

// replace adds the component with one of its parts replaced.
func (m *maker) replace(old, new cfront.Expr, cost int, what string) {
	if new == nil {
		return
	}
	if cfront.Skip(m.c.X) != old && old.Type().IsInteger() && !ctype.Same(old.Type(), new.Type()) {
		switch a, b := old.Type(), new.Type(); {
		case !ctype.Same(ctype.Promote(a), ctype.Promote(b)):
			return // the enclosing operator would get an operand of another type
		case ctype.Same(a, ctype.Promote(a)):
			new = cfront.Converted(new, a)
		}
	}
	m.add(m.with(old, new), cost, what)
}

// with returns the component with a part replaced; conversions of the part are made again.
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

// Neighbours lists the neighbourhood of a component, the cheapest first.
func Neighbours(c *Component, tree *cfront.Program) []Candidate {
	if c.near == nil {
		c.near = neighbours(c, tree)
	}
	return c.near
}

func neighbours(c *Component, tree *cfront.Program) []Candidate {
	m := newMaker(c, tree)
	truth := c.truth(tree)
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
	sort.SliceStable(m.out, func(i, j int) bool {
		a, b := m.out[i], m.out[j]
		if a.Cost != b.Cost {
			return a.Cost < b.Cost
		}
		return a.length < b.length
	})
	return m.out
}

// truth reports whether a component is a truth value: as a condition, by its form, or because it is assigned to a
// variable that is used as a condition.
func (c *Component) truth(tree *cfront.Program) bool {
	if c.Kind == Condition || isTruth(c.X) {
		return true
	}
	var to *cfront.Var
	cfront.WalkStmt(c.Func.Body, func(s cfront.Stmt) {
		if d, ok := s.(*cfront.Decl); ok && len(d.Init) == 1 && cfront.Skip(d.Init[0].X) == c.X {
			to = d.Var
		}
	}, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if a, ok := y.(*cfront.Assign); ok && cfront.Skip(a.R) == c.X {
				if r, ok := a.L.(*cfront.Ref); ok {
					to = r.Var
				}
			}
			return true
		})
	})
	if to == nil {
		return false
	}
	asked := false
	is := func(x cfront.Expr) {
		if r, ok := cfront.Skip(x).(*cfront.Ref); ok && r.Var == to {
			asked = true
		}
	}
	for _, f := range tree.Funcs {
		cfront.WalkStmt(f.Body, func(s cfront.Stmt) {
			if i, ok := s.(*cfront.If); ok {
				is(i.Cond)
			}
		}, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				switch z := y.(type) {
				case *cfront.Logical:
					is(z.X)
					is(z.Y)
				case *cfront.LogicalNot:
					is(z.X)
				case *cfront.Cond:
					is(z.C)
				}
				return true
			})
		})
	}
	return asked
}

// isTruth reports whether an expression is always 0 or 1.
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

// part adds the changes of one node of the expression.
func (m *maker) part(x cfront.Expr) {
	switch y := x.(type) {
	case *cfront.Const:
		m.constants(y)
	case *cfront.Ref, *cfront.Member, *cfront.Index:
		m.operands(x)
	case *cfront.Binary:
		m.operators(y)
	case *cfront.Logical:
		for _, z := range []cfront.Expr{y.X, y.Y} {
			if z = cfront.Skip(z); z.Type().IsInteger() && !isTruth(z) {
				m.replace(z, cfront.NewNot(z), costNegate, "negated")
			}
		}
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
		m.replace(x, cfront.NewBinary(ctype.Add, x, one), costOperand+1, "one more")
		m.replace(x, cfront.NewBinary(ctype.Sub, x, one), costOperand+1, "one less")
	}
}

func (m *maker) constants(y *cfront.Const) {
	if !y.Type().IsInteger() {
		return
	}
	for _, e := range m.enums[cfront.Text(y)] {
		m.replace(y, number(y.Type(), e), costConstant-1, "another name of the enumeration")
	}
	by := costConstant
	if m.draws > 0 { // probably the range of a random number
		by = costOperator
	}
	for _, d := range []int64{1, -1} {
		t := ctype.Promote(y.Type())
		m.replace(y, cfront.NewConst(t, ctype.Wrap(t, y.Value+ctype.Word(d))), by, "a constant by one")
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
	if r, ok := x.(*cfront.Ref); ok && m.draws > 0 {
		m.ranges(r)
	}
	for _, p := range m.paths {
		m.replace(x, p, costOperand+1, "another element")
	}
	for _, c := range m.consts {
		m.replace(x, number(x.Type(), c), costOperand+2, "a constant instead of a variable")
	}
}

// ranges replaces a variable next to a random number by the count of numbers from another variable up to it, or by
// their difference.
func (m *maker) ranges(x *cfront.Ref) {
	for _, v := range m.scope {
		if v == x.Var {
			continue
		}
		n := cfront.NewBinary(ctype.Sub, x, cfront.NewRef(v))
		m.replace(x, cfront.NewBinary(ctype.Add, n, number(n.Type(), constant{1, "1"})), costOperand-1, "how many there are between")
		m.replace(x, n, costOperand, "a difference instead of a variable")
	}
}

func (m *maker) operators(y *cfront.Binary) {
	if y.X.Type().Kind == ctype.Pointer {
		return
	}
	x1, x2 := cfront.Skip(y.X), cfront.Skip(y.Y)
	one, _ := x2.(*cfront.Const)
	for _, op := range sameKind(y.Op) {
		if op != y.Op && (op != ctype.Rem || one == nil || one.Value != 1) { // x % 1 is always 0
			cost := costOperator
			if y.Op == ctype.Rem && len(cfront.Drawn(x1)) > 0 { // the operator limits a random number to a range
				cost = costWhole
			}
			m.replace(y, cfront.NewBinary(op, x1, x2), cost, "another operator")
		}
	}
	if !y.Op.IsCompare() {
		m.replace(y, cfront.NewBinary(y.Op, x2, x1), costOperator+1, "operands exchanged")
		m.replace(y, x1, costConstant, "an operand less")
		m.replace(y, x2, costConstant, "an operand less")
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

// connect adds a condition to the component or to a part of it.
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

// whole adds expressions that replace the whole component.
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
	switch {
	case truth:
		m.comparisons()
	case m.draws == 0:
		m.either(x)
	}
}

// either adds conditional expressions with the present expression and another value.
func (m *maker) either(x cfront.Expr) {
	const what = "one of two values"
	atoms := m.atoms
	for _, v := range m.scope {
		atoms = append(atoms[:len(atoms):len(atoms)], cfront.NewRef(v))
	}
	for _, a := range atoms {
		for _, v := range m.scope {
			m.add(cfront.NewCond(a, x, cfront.NewRef(v)), costWhole+3, what)
			m.add(cfront.NewCond(a, cfront.NewRef(v), x), costWhole+3, what)
		}
		for _, c := range m.consts {
			n := number(ctype.IntT, c)
			m.add(cfront.NewCond(a, x, n), costWhole+3, what)
			m.add(cfront.NewCond(a, n, x), costWhole+3, what)
			m.add(cfront.NewCond(a, cfront.NewBinary(ctype.Add, x, n), x), costWhole+4, what)
			m.add(cfront.NewCond(a, cfront.NewBinary(ctype.Sub, x, n), x), costWhole+4, what)
			if b, ok := x.(*cfront.Binary); ok && !b.Op.IsCompare() && b.X.Type().IsInteger() {
				m.add(cfront.NewCond(a, x, b.X), costWhole+3, what)
				m.add(cfront.NewCond(a, b.X, x), costWhole+3, what)
			}
		}
	}
}

// comparisons adds comparisons of variables with each other and with constants: in place of the condition, and joined
// to it.
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
