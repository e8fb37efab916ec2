package template

import (
	"fmt"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file makes templates: expressions with unknown numbers (Koenighofer and Bloem, section III-E), from simple to
// rich.

// Template is an expression with unknown numbers.
type Template struct {
	Name   string
	X      cfront.Expr
	Params []Param
	Build  func([]int64) cfront.Expr // returns the expression for given numbers, as people would write it
}

// Param is an unknown number. Neutral is the value for which its term disappears.
type Param struct {
	Var     *cfront.Var
	Neutral int64
}

type templates struct {
	*maker
	n   int
	out []Template
}

func (t *templates) param(neutral int64) (Param, cfront.Expr) {
	v := &cfront.Var{Name: fmt.Sprintf("k%d", t.n), Type: ctype.IntT, Storage: cfront.Param}
	t.n++
	return Param{v, neutral}, cfront.NewRef(v)
}

func constantOf(n int64) cfront.Expr { return cfront.NewConst(ctype.IntT, ctype.Word(n)) }

// simple adds a template with one unknown number.
func (t *templates) simple(name string, neutral int64, make func(k cfront.Expr) cfront.Expr) {
	p, k := t.param(neutral)
	x := make(k)
	if x == nil || !x.Type().IsInteger() {
		return
	}
	t.out = append(t.out, Template{Name: name, X: x, Params: []Param{p}, Build: func(v []int64) cfront.Expr { return make(t.spelled(v[0])) }})
}

// spelled returns a number under the program's name for it, if there is one.
func (t *templates) spelled(n int64) cfront.Expr {
	for _, c := range t.consts {
		if int64(c.w) == n {
			return number(ctype.IntT, c)
		}
	}
	return constantOf(n)
}

// Names are the names of templates, from which a user may choose.
var Names = []string{"constant", "offset", "variable", "compare", "extend", "bits", "ternary", "product", "element", "linear"}

const maxLinear = 14 // variables in a linear template

// Templates lists the templates for a component; a user's own come first. names selects templates by name; nil: all.
func Templates(c *Component, tree *cfront.Program, names map[string]bool, own []string) []Template {
	t := &templates{maker: newMaker(c, tree)}
	for _, text := range own {
		if u, err := Parse(text, c, tree); err == nil {
			t.out = append(t.out, u)
		}
	}
	want := func(n string) bool { return names == nil || names[n] }
	x := cfront.Skip(c.X)
	truth := c.truth(tree)
	if want("constant") {
		t.inPlace()
		if !truth {
			t.simple("constant", 0, func(k cfront.Expr) cfront.Expr { return k })
		}
	}
	if truth {
		t.truths(x, want)
		return t.drawing(len(own))
	}
	if want("offset") {
		t.simple("offset", 0, func(k cfront.Expr) cfront.Expr { return sum(x, k) })
	}
	if want("variable") {
		for _, v := range t.scope {
			t.simple("variable", 0, func(k cfront.Expr) cfront.Expr { return sum(cfront.NewRef(v), k) })
		}
	}
	t.rich(x, want)
	if want("linear") {
		t.linear(nil)
	}
	return t.drawing(len(own))
}

// drawing drops templates that use no random number although the component does, or more than it uses. The first own
// templates are the user's and stay.
func (t *templates) drawing(own int) []Template {
	own = min(own, len(t.out))
	return append(t.out[:own:own], slices.DeleteFunc(t.out[own:], func(u Template) bool {
		n := len(cfront.Drawn(u.X))
		return n > t.draws || n == 0 && t.draws > 0
	})...)
}

// Parse parses a user's template for a component: an expression over what is visible there, with unknown numbers k0 to
// k9. The error says why it cannot be used there.
func Parse(text string, c *Component, tree *cfront.Program) (Template, error) {
	out := Template{Name: "user"}
	named := map[string]*cfront.Var{}
	for _, v := range c.visible(tree) {
		if v.Func != nil || named[v.Name] == nil { // a local variable hides a global one
			named[v.Name] = v
		}
	}
	x, err := cfront.ParseExpr(text, func(name string) *cfront.Var {
		v := named[name]
		if v == nil && len(name) == 2 && name[0] == 'k' && name[1] >= '0' && name[1] <= '9' {
			v = &cfront.Var{Name: name, Type: ctype.IntT, Storage: cfront.Param}
			named[name] = v
			out.Params = append(out.Params, Param{Var: v})
		}
		return v
	})
	if err != nil {
		return out, err
	}
	if !x.Type().IsInteger() || !Harmless(x) {
		return out, fmt.Errorf("in %q: a template is an integer expression that changes nothing", text)
	}
	out.X = x
	out.Build = func(k []int64) cfront.Expr {
		y := x
		for i, p := range out.Params {
			for {
				var old cfront.Expr
				cfront.Walk(y, func(z cfront.Expr) bool {
					if r, ok := z.(*cfront.Ref); ok && r.Var == p.Var {
						old = z
					}
					return old == nil
				})
				if old == nil {
					break
				}
				if y == old {
					y = constantOf(k[i])
				} else {
					y = cfront.Replace(y, old, constantOf(k[i]))
				}
			}
		}
		return y
	}
	return out, nil
}

// sum returns x + k, simplified.
func sum(x, k cfront.Expr) cfront.Expr {
	if c, ok := k.(*cfront.Const); ok {
		switch n := int64(c.Value); {
		case n == 0:
			return x
		case n < 0 && strings.HasPrefix(c.Spell, "-"):
			return cfront.NewBinary(ctype.Sub, x, constantOf(-n))
		}
	}
	return cfront.NewBinary(ctype.Add, x, k)
}

// inPlace replaces each number in the component by an unknown one.
func (t *templates) inPlace() {
	cfront.Walk(t.c.X, func(y cfront.Expr) bool {
		if c, ok := y.(*cfront.Const); ok && c.Type().IsInteger() && ctype.Promote(c.Type()).Size == 4 {
			t.simple("constant", int64(c.Value), func(k cfront.Expr) cfront.Expr { return t.with(c, k) })
		}
		return true
	})
}

// truths adds templates for conditions: a comparison with an unknown number, alone or joined to the condition, and a
// linear term compared with 0.
func (t *templates) truths(x cfront.Expr, want func(string) bool) {
	if want("extend") {
		t.likeOthers(x)
	}
	ops := []ctype.Op{ctype.Le, ctype.Ge, ctype.Eq, ctype.Ne}
	for _, v := range t.scope {
		for _, op := range ops {
			cmp := func(k cfront.Expr) cfront.Expr { return cfront.NewBinary(op, cfront.NewRef(v), k) }
			if want("compare") {
				t.simple("compare", 0, cmp)
			}
			if want("extend") {
				t.simple("extend", 0, func(k cfront.Expr) cfront.Expr { return logical(true, x, cmp(k)) })
				t.simple("extend", 0, func(k cfront.Expr) cfront.Expr { return logical(false, x, cmp(k)) })
			}
		}
	}
	if want("linear") {
		for _, op := range []ctype.Op{ctype.Le, ctype.Eq, ctype.Ne} {
			t.linear(func(l cfront.Expr) cfront.Expr { return cfront.NewBinary(op, l, constantOf(0)) })
		}
	}
}

// likeOthers adds comparisons of the program with another number.
func (t *templates) likeOthers(x cfront.Expr) {
	for _, a := range t.atoms {
		cmp, ok := a.(*cfront.Binary)
		if !ok || !cmp.Op.IsCompare() {
			continue
		}
		cfront.Walk(cmp, func(y cfront.Expr) bool {
			c, ok := y.(*cfront.Const)
			if !ok || ctype.Promote(c.Type()).Size != 4 {
				return true
			}
			for _, op := range []ctype.Op{cmp.Op, opposite[cmp.Op]} {
				other := cfront.WithOp(cmp, func(b *cfront.Binary, _ *cfront.Assign) { b.Op = op })
				like := func(k cfront.Expr) cfront.Expr { return cfront.Replace(other, c, k) }
				t.simple("extend", int64(c.Value), func(k cfront.Expr) cfront.Expr { return logical(false, x, like(k)) })
				t.simple("extend", int64(c.Value), func(k cfront.Expr) cfront.Expr { return logical(true, x, like(k)) })
			}
			return true
		})
	}
}

var opposite = map[ctype.Op]ctype.Op{ctype.Lt: ctype.Ge, ctype.Ge: ctype.Lt, ctype.Le: ctype.Gt, ctype.Gt: ctype.Le, ctype.Eq: ctype.Ne, ctype.Ne: ctype.Eq}

func logical(and bool, x, y cfront.Expr) cfront.Expr {
	if y == nil {
		return nil
	}
	return cfront.NewLogical(and, x, y)
}

func (t *templates) rich(x cfront.Expr, want func(string) bool) {
	if want("bits") {
		for _, op := range []ctype.Op{ctype.And, ctype.Or, ctype.Xor, ctype.Shl, ctype.Shr} {
			t.simple("bits", 0, func(k cfront.Expr) cfront.Expr { return cfront.NewBinary(op, x, k) })
		}
		for _, v := range t.scope {
			for _, op := range []ctype.Op{ctype.And, ctype.Shr} {
				t.simple("bits", 0, func(k cfront.Expr) cfront.Expr { return cfront.NewBinary(op, cfront.NewRef(v), k) })
			}
		}
	}
	if want("ternary") {
		atoms := t.atoms
		for _, v := range t.scope {
			atoms = append(atoms, cfront.NewRef(v))
		}
		for _, a := range atoms {
			t.simple("ternary", 0, func(k cfront.Expr) cfront.Expr { return cfront.NewCond(a, k, x) })
			t.simple("ternary", 0, func(k cfront.Expr) cfront.Expr { return cfront.NewCond(a, sum(x, k), x) })
		}
	}
	if want("product") {
		for i, v := range t.scope {
			for _, w := range t.scope[i:] {
				if len(t.scope) <= 6 {
					t.simple("product", 0, func(k cfront.Expr) cfront.Expr {
						return sum(cfront.NewBinary(ctype.Mul, cfront.NewRef(v), cfront.NewRef(w)), k)
					})
				}
			}
		}
	}
	if want("element") {
		for _, p := range t.paths {
			t.simple("element", 0, func(k cfront.Expr) cfront.Expr { return sum(p, k) })
		}
	}
}

// linear adds k0 + k1*v1 + k2*v2 + ..., wrapped by in.
func (t *templates) linear(in func(cfront.Expr) cfront.Expr) {
	if len(t.scope) == 0 || len(t.scope) > maxLinear {
		return
	}
	if in == nil {
		in = func(x cfront.Expr) cfront.Expr { return x }
	}
	p0, x := t.param(0)
	params := []Param{p0}
	for _, v := range t.scope {
		p, k := t.param(0)
		params = append(params, p)
		x = cfront.NewBinary(ctype.Add, x, cfront.NewBinary(ctype.Mul, k, cfront.NewRef(v)))
	}
	scope := t.scope
	t.out = append(t.out, Template{Name: "linear", X: in(x), Params: params, Build: func(k []int64) cfront.Expr {
		return in(t.sumOf(k, scope))
	}})
}

// sumOf returns a linear expression as people write it: without zero terms and factors of one.
func (t *templates) sumOf(k []int64, scope []*cfront.Var) cfront.Expr {
	var x cfront.Expr
	for _, negative := range []bool{false, true} {
		for i, v := range scope {
			n := k[i+1]
			if n == 0 || (n < 0) != negative {
				continue
			}
			var term cfront.Expr = cfront.NewRef(v)
			if n != 1 && n != -1 {
				term = cfront.NewBinary(ctype.Mul, constantOf(max(n, -n)), term)
			}
			switch {
			case x == nil && negative:
				x = cfront.NewUnary(ctype.Neg, term)
			case x == nil:
				x = term
			case negative:
				x = cfront.NewBinary(ctype.Sub, x, term)
			default:
				x = cfront.NewBinary(ctype.Add, x, term)
			}
		}
	}
	if x == nil {
		return t.spelled(k[0])
	}
	return sum(x, t.spelled(k[0]))
}
