package template

import (
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file lists the components of a program: the expressions that may be faulty.

// Kind is the kind of a component.
type Kind uint8

const (
	RHS       Kind = iota // right side of an assignment, initializer, or returned value
	Condition             // of if, while, do, for, or before the ? of a conditional expression
	Index                 // of an array on the left side of an assignment
	Part                  // any other expression
)

// Component is an expression that may be replaced.
type Component struct {
	ID   int // from 0
	Kind Kind
	X    cfront.Expr
	Func *cfront.Func
	Root cfront.Expr // the whole expression of its statement

	near []Candidate // its neighbourhood, once it was computed
}

// Position returns where the component is.
func (c *Component) Position() source.Position { return c.X.Range().Position() }

func (c *Component) String() string { return c.X.Range().Text() }

// Choice selects which expressions are components.
type Choice struct {
	Conditions bool // include conditions, as the paper's option does; without it only right sides
	Parts      bool // include every part of an expression
	Locked     func(source.Position) bool
}

// Components lists the components of functions, in the order of the text. Arguments of assert, macro expansions and
// expressions with side effects are left out.
func Components(fs []*cfront.Func, ch Choice) []*Component {
	var out []*Component
	for _, f := range fs {
		l := &lister{ch: ch, f: f, seen: map[cfront.Expr]bool{}}
		cfront.WalkStmt(f.Body, l.stmt, nil)
		out = append(out, l.out...)
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i].X.Range(), out[j].X.Range()
		if a.File != b.File {
			return a.File.Name < b.File.Name
		}
		return a.Start < b.Start
	})
	for i, c := range out {
		c.ID = i
	}
	return out
}

type lister struct {
	ch   Choice
	f    *cfront.Func
	out  []*Component
	seen map[cfront.Expr]bool
}

func (l *lister) stmt(s cfront.Stmt) {
	switch s := s.(type) {
	case *cfront.ExprStmt:
		l.effects(s.X, s.X)
	case *cfront.Decl:
		for _, in := range s.Init {
			l.add(RHS, in.X, in.X)
		}
	case *cfront.Return:
		if s.X != nil {
			l.add(RHS, s.X, s.X)
		}
	case *cfront.If:
		l.condition(s.Cond)
	case *cfront.While:
		l.condition(s.Cond)
	case *cfront.For:
		if s.Cond != nil {
			l.condition(s.Cond)
		}
		if s.Post != nil {
			l.effects(s.Post, s.Post)
		}
	case *cfront.Switch:
		if l.ch.Conditions {
			l.add(Condition, s.X, s.X)
		}
	}
}

func (l *lister) condition(x cfront.Expr) {
	if l.ch.Conditions {
		l.add(Condition, x, x)
	}
	l.effects(x, x)
}

// effects finds assignments, and arguments of calls, inside an expression.
func (l *lister) effects(x, root cfront.Expr) {
	cfront.Walk(x, func(y cfront.Expr) bool {
		switch y := y.(type) {
		case *cfront.Assign:
			l.add(RHS, y.R, root)
			cfront.Walk(y.L, func(z cfront.Expr) bool {
				if i, ok := z.(*cfront.Index); ok {
					l.add(Index, i.I, root)
				}
				return true
			})
		case *cfront.Call:
			if f, ok := y.Fun.(*cfront.FuncRef); ok && f.Func.Name == "assert" {
				return false
			}
			for _, a := range y.Args {
				l.add(RHS, a, root)
			}
		}
		return true
	})
}

func (l *lister) add(k Kind, x, root cfront.Expr) {
	integer := x.Type().IsInteger() // a null pointer may be written as a number, too
	x = cfront.Skip(x)
	if integer && l.ok(x) && !l.seen[x] {
		l.seen[x] = true
		l.out = append(l.out, &Component{Kind: k, X: x, Func: l.f, Root: root})
	}
	if !l.ch.Parts {
		return
	}
	cfront.Walk(x, func(y cfront.Expr) bool {
		if c, ok := y.(*cfront.Call); ok {
			if f, ok := c.Fun.(*cfront.FuncRef); ok && f.Func.Name == "assert" {
				return false
			}
		}
		if l.ok(y) && !l.seen[y] {
			l.seen[y] = true
			l.out = append(l.out, &Component{Kind: Part, X: y, Func: l.f, Root: root})
		}
		return true
	})
}

func (l *lister) ok(x cfront.Expr) bool {
	if !x.Type().IsInteger() || !x.Editable() || strings.HasPrefix(x.Range().File.Name, "@gulo/") {
		return false
	}
	if l.ch.Locked != nil && l.ch.Locked(x.Range().Position()) {
		return false
	}
	if c, ok := x.(*cfront.Cast); ok && c.Implicit {
		return false
	}
	return harmless(x, map[*cfront.Func]bool{}, nil, true)
}

// Harmless reports whether evaluating an expression has no side effects: it contains no assignments, and the functions
// that it calls assign only to their own variables.
func Harmless(x cfront.Expr) bool {
	return harmless(x, map[*cfront.Func]bool{}, nil, false)
}

// harmless is Harmless for an expression in the function own. With draws, calls of rand and the like are allowed,
// because every candidate for the expression makes them as well.
func harmless(x cfront.Expr, seen map[*cfront.Func]bool, own *cfront.Func, draws bool) bool {
	good := true
	local := func(y cfront.Expr) bool {
		r, ok := cfront.Skip(y).(*cfront.Ref)
		return ok && own != nil && r.Var.Func == own && (r.Var.Storage == cfront.Local || r.Var.Storage == cfront.Param)
	}
	cfront.Walk(x, func(y cfront.Expr) bool {
		switch y := y.(type) {
		case *cfront.Assign:
			good = good && local(y.L)
		case *cfront.IncDec:
			good = good && local(y.X)
		case *cfront.StmtExpr, *cfront.VaArg, *cfront.VaStart, *cfront.Compound:
			good = false
		case *cfront.Call:
			f, ok := y.Fun.(*cfront.FuncRef)
			good = good && ok && (quiet(f.Func, seen) || draws && f.Func.Draws())
		}
		return good
	})
	return good
}

var quietLibrary = map[string]bool{"abs": true, "labs": true, "strlen": true, "isdigit": true, "isalpha": true, "isspace": true, "isupper": true, "islower": true, "isalnum": true, "toupper": true, "tolower": true}

func quiet(f *cfront.Func, seen map[*cfront.Func]bool) bool {
	if f.Body == nil {
		return quietLibrary[f.Name]
	}
	if seen[f] {
		return true
	}
	seen[f] = true
	good := true
	cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) { good = good && harmless(x, seen, f, false) })
	return good
}

// Scope lists the integer variables that are visible at a component.
func (c *Component) Scope(tree *cfront.Program) []*cfront.Var {
	var out []*cfront.Var
	for _, v := range c.visible(tree) {
		if v.Type.IsInteger() {
			out = append(out, v)
		}
	}
	return out
}

// visible lists all variables that are visible at a component.
func (c *Component) visible(tree *cfront.Program) []*cfront.Var {
	at := c.X.Range()
	var out []*cfront.Var
	add := func(v *cfront.Var) {
		if v.Range.Valid() && !strings.HasPrefix(v.Range.File.Name, "@gulo/") {
			out = append(out, v)
		}
	}
	for _, v := range c.Func.Params {
		add(v)
	}
	for _, v := range c.Func.Locals {
		if v.Scope.Valid() && v.Scope.Contains(at.File, at.Start) && v.Range.Start < at.Start && v.Storage != cfront.Param {
			add(v)
		}
	}
	for _, v := range tree.Globals {
		if v.Func == nil && (v.Range.File != at.File && v.DeclaredIn(at.File) || v.Range.File == at.File && v.Range.Start < at.Start) || v.Func == c.Func && v.Range.Start < at.Start {
			add(v)
		}
	}
	return out
}

// sameKind lists the operators with which an operator may be confused.
func sameKind(op ctype.Op) []ctype.Op {
	for _, group := range [][]ctype.Op{
		{ctype.Lt, ctype.Le, ctype.Gt, ctype.Ge, ctype.Eq, ctype.Ne},
		{ctype.Add, ctype.Sub, ctype.Mul, ctype.Div, ctype.Rem, ctype.And, ctype.Or, ctype.Xor, ctype.Shl, ctype.Shr},
	} {
		for _, o := range group {
			if o == op {
				return group
			}
		}
	}
	return nil
}
