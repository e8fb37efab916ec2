package textedit

import (
	"fmt"
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file infers which numbers of a program are of one kind. The type int says little: a length, an index, a price
// and a state all have it. Numbers are of one kind if one is assigned to, compared with, added to or passed as the
// other, as in Lackwit (O'Callahan and Jackson, "Lackwit: a program understanding tool based on type inference", ICSE
// 1997); theirs is polymorphic in functions, ours unifies over all calls. A repair that puts a number of another kind
// in a place is less likely than one that keeps the kind. The faulty statement takes part: it may join two kinds, which
// only makes fewer repairs unlikely.

// kind is a class of numbers, named by one member.
type kind struct {
	fn   *cfront.Func // the function of a local variable; nil for others
	name string       // of a variable; .f of a field, f() of a result, #C of a named constant, *x of the elements of x, [x of the indices of x
}

// numberKinds are the kinds of a program's numbers.
type numberKinds struct {
	parent map[kind]kind
	size   map[kind]int
}

// inferKinds unifies the numbers of a program.
func inferKinds(tree *cfront.Program) *numberKinds {
	k := &numberKinds{map[kind]kind{}, map[kind]int{}}
	for _, fn := range tree.Funcs {
		if fn.Body == nil {
			continue
		}
		cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
			switch st := st.(type) {
			case *cfront.Return:
				if st.X != nil {
					k.join(kind{nil, fn.Name + "()"}, k.of(st.X))
				}
			case *cfront.Decl:
				for _, in := range st.Init {
					if in.X != nil && numeric(st.Var.Type) {
						k.join(variable(st.Var), k.of(in.X))
					}
				}
			}
		}, func(x cfront.Expr) { k.of(x) })
	}
	return k
}

func numeric(t *ctype.Type) bool { return t != nil && (t.IsInteger() || t.Kind == ctype.Float) }

func variable(v *cfront.Var) kind {
	if v.Storage == cfront.Local {
		return kind{v.Func, v.Name}
	}
	return kind{nil, v.Name}
}

// find returns the member that represents a class.
func (k *numberKinds) find(a kind) kind {
	p, ok := k.parent[a]
	if !ok {
		k.parent[a], k.size[a] = a, 1
		return a
	}
	if p != a {
		p = k.find(p)
		k.parent[a] = p
	}
	return p
}

func (k *numberKinds) join(a, b kind) {
	if a.name == "" || b.name == "" {
		return
	}
	a, b = k.find(a), k.find(b)
	if a != b {
		k.parent[b] = a
		k.size[a] += k.size[b]
	}
}

// of returns the kind of an expression, and unifies the kinds of its parts. The kind without a name is unknown.
func (k *numberKinds) of(x cfront.Expr) kind {
	switch x := x.(type) {
	case *cfront.Cast:
		return k.of(x.X)
	case *cfront.Decay:
		return k.of(x.X)
	case *cfront.Const:
		if t := x.Range().Text(); constantName.MatchString(t) {
			return kind{nil, "#" + t}
		}
	case *cfront.Ref:
		return variable(x.Var)
	case *cfront.Member:
		k.of(x.X)
		return kind{nil, "." + x.Field.Name}
	case *cfront.Index:
		base := k.of(x.X)
		if base.name == "" {
			k.of(x.I)
			return kind{}
		}
		if c, ok := cfront.Skip(x.I).(*cfront.Const); ok { // an element at a constant index has a kind of its own
			return kind{base.fn, fmt.Sprintf("*%s %d", base.name, c.Value)}
		}
		k.join(kind{base.fn, "[" + base.name}, k.of(x.I))
		return kind{base.fn, "*" + base.name}
	case *cfront.Deref:
		if base := k.of(x.X); base.name != "" {
			return kind{base.fn, "*" + base.name}
		}
	case *cfront.Binary:
		a, b := k.of(x.X), k.of(x.Y)
		if !numeric(x.X.Type()) || !numeric(x.Y.Type()) {
			return a // a pointer and a number
		}
		if x.Op.IsCompare() {
			k.join(a, b)
		} else if x.Op == ctype.Add || x.Op == ctype.Sub {
			k.join(a, b)
			if a.name == "" {
				return b
			}
			return a
		}
	case *cfront.Cond:
		k.of(x.C)
		a, b := k.of(x.A), k.of(x.B)
		k.joinNumbers(x.A, a, b)
		return a
	case *cfront.Comma:
		k.of(x.X)
		return k.of(x.Y)
	case *cfront.Assign:
		a, b := k.of(x.L), k.of(x.R)
		if !x.HasOp || x.Op == ctype.Add || x.Op == ctype.Sub {
			k.joinNumbers(x.L, a, b)
		}
		return a
	case *cfront.IncDec:
		return k.of(x.X)
	case *cfront.Call:
		return k.call(x)
	default:
		cfront.Children(x, func(c cfront.Expr) { k.of(c) })
	}
	return kind{}
}

// joinNumbers joins two kinds if x is a number.
func (k *numberKinds) joinNumbers(x cfront.Expr, a, b kind) {
	if numeric(x.Type()) {
		k.join(a, b)
	}
}

func (k *numberKinds) call(x *cfront.Call) kind {
	f, ok := cfront.Skip(x.Fun).(*cfront.FuncRef)
	for i, a := range x.Args {
		of := k.of(a)
		if ok && f.Func.Body != nil && i < len(f.Func.Params) {
			p := variable(f.Func.Params[i])
			switch {
			case numeric(a.Type()):
				k.join(p, of)
			case of.name != "":
				k.join(kind{p.fn, "*" + p.name}, kind{of.fn, "*" + of.name})
				k.join(kind{p.fn, "[" + p.name}, kind{of.fn, "[" + of.name})
			}
		}
	}
	if !ok || f.Func.Body == nil {
		return kind{}
	}
	return kind{nil, f.Func.Name + "()"}
}

// text returns the class of the number that a text names in a function.
func (k *numberKinds) text(fn *cfront.Func, text string) (kind, bool) {
	ts := lexemes(text)
	n := len(ts)
	if n == 0 || fn == nil {
		return kind{}, false
	}
	known := func(a kind) (kind, bool) {
		if _, ok := k.parent[a]; !ok {
			return kind{}, false
		}
		a = k.find(a)
		return a, k.size[a] > 1
	}
	last := ts[n-1].text
	switch {
	case n == 1 && constantName.MatchString(last):
		for _, a := range []kind{{fn, last}, {nil, last}, {nil, "#" + last}} {
			if c, ok := known(a); ok {
				return c, true
			}
		}
	case n >= 3 && constantName.MatchString(last) && (ts[n-2].text == "->" || ts[n-2].text == ".") && follows(ts[:n-2]):
		return known(kind{nil, "." + last})
	case last == ")" && n >= 3 && ts[1].text == "(" && strings.Count(text, "(") == 1:
		return known(kind{nil, ts[0].text + "()"})
	case last == "]" && n >= 4 && ts[1].text == "[" && strings.Count(text, "[") == 1:
		if c, ok := known(kind{fn, "*" + ts[0].text}); ok {
			return c, true
		}
		return known(kind{nil, "*" + ts[0].text})
	}
	return kind{}, false
}

// follows reports whether tokens are only names, members and elements.
func follows(ts []lexeme) bool {
	for _, t := range ts {
		if !constantName.MatchString(t.text) && t.text != "->" && t.text != "." && t.text != "[" && t.text != "]" {
			return false
		}
	}
	return true
}

// compares matches a comparison of two names, members or elements.
var compares = regexp.MustCompile(`([\w.>\[\]-]*[\w\]])\s*(?:[<>=!]=|[<>])\s*([\w.>\[\]-]*[\w\]])`)

// mixed counts the comparisons of numbers of different kinds that are in text and not in old.
func (k *numberKinds) mixed(fn *cfront.Func, old, text string) (n int) {
	for _, m := range compares.FindAllStringSubmatch(text, -1) {
		if k.apart(fn, m[1], m[2]) && !strings.Contains(old, m[0]) {
			n++
		}
	}
	return n
}

// apart reports whether two texts name numbers of different kinds.
func (k *numberKinds) apart(fn *cfront.Func, a, b string) bool {
	x, ok := k.text(fn, a)
	if !ok {
		return false
	}
	y, ok := k.text(fn, b)
	return ok && x != y
}
