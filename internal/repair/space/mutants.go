package space

import (
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file makes edits inside statements that are more than one assignment of paths: another variable, another field,
// a constant plus or minus one, another operator.

const (
	maxMutants = 600
	maxWholes  = 600
)

// mutants returns the edits inside an expression, except of plain assignments of paths, which are candidates already.
// With keepCalls the called functions stay.
func (s *Space) mutants(sc *scope, orig cfront.Expr, keepCalls bool) []cfront.Expr {
	if a, ok := orig.(*cfront.Assign); ok && !a.HasOp {
		_, _, l := splitPath(a.L)
		_, _, r := splitPath(a.R)
		if l && (r || cfront.IsNull(a.R)) {
			return nil
		}
	}
	return s.neighbours(sc, orig, keepCalls)
}

// Neighbours returns the expressions of a statement or condition with one
// variable, field, constant or operator replaced: the faults of Wolverine2,
// section 7.1, and some more.
func (u *Unit) Neighbours() []cfront.Expr {
	if u.Stmt == nil || u.Locked {
		return nil
	}
	return u.space.neighbours(u.space.scopeAt(u.Stmt.Func, u.Stmt.Range.File, u.Stmt.Range.Start, nil), u.Original(), true)
}

// WritesConstant reports whether an expression assigns to an object that is const.
func WritesConstant(x cfront.Expr) bool {
	found := false
	cfront.Walk(x, func(y cfront.Expr) bool {
		switch y := y.(type) {
		case *cfront.Assign:
			found = found || cfront.ReadOnly(y.L)
		case *cfront.IncDec:
			found = found || cfront.ReadOnly(y.X)
		}
		return true
	})
	return found
}

func (s *Space) neighbours(sc *scope, orig cfront.Expr, keepCalls bool) []cfront.Expr {
	var out []cfront.Expr
	without := zeros(orig)
	add := func(old, new cfront.Expr) {
		if c, ok := new.(*cfront.Const); ok && c.Value == 0 {
			if z, ok := without[old]; ok {
				if z.whole == nil {
					return
				}
				old, new = z.whole, z.rest
			}
		}
		if new != nil && len(out) < maxMutants {
			if y := cfront.Replace(orig, old, new); !WritesConstant(y) {
				out = append(out, y)
			}
		}
	}
	paths := sc.paths(1)
	if c, ok := orig.(*cfront.Call); ok && !keepCalls && c.Type().IsScalar() {
		for _, p := range paths { // the result of the call is unused
			if ctype.Same(p.Type(), c.Type()) && !handedOver(p, c) && !cfront.ReadOnly(p) {
				out = append(out, cfront.NewAssign(p, c))
			}
		}
	}
	cfront.Walk(orig, func(x cfront.Expr) bool {
		switch x := x.(type) {
		case *cfront.Const:
			if x.Type().IsInteger() && !strings.HasPrefix(cfront.Text(x), "sizeof") {
				add(x, cfront.NewConst(x.Type(), ctype.Wrap(x.Type(), x.Value+1)))
				add(x, cfront.NewConst(x.Type(), ctype.Wrap(x.Type(), x.Value-1)))
			}
		case *cfront.Ref, *cfront.Member:
			named := map[string]bool{cfront.Text(x): true}
			for _, p := range paths {
				if ctype.Same(p.Type(), x.Type()) && cfront.Text(p) != cfront.Text(x) {
					named[cfront.Text(p)] = true
					add(x, p)
				}
			}
			for _, p := range besides(x) {
				if !named[cfront.Text(p)] {
					add(x, p)
				}
			}
		case *cfront.FuncRef:
			for _, h := range s.Program.Tree.Funcs {
				if !keepCalls && h != x.Func && sameSignature(h, x.Func) && (!h.Range.Valid() || sc.declares(h)) {
					add(x, cfront.NewFuncRef(h))
				}
			}
		case *cfront.IncDec:
			add(x, cfront.WithOp(x, nil))
		case *cfront.Binary:
			for _, op := range SameKind(x.Op, x.X.Type()) {
				if x.X.Type().Kind == ctype.Pointer && op != ctype.Eq && op != ctype.Ne {
					continue
				}
				add(x, cfront.WithOp(x, func(b *cfront.Binary, _ *cfront.Assign) { b.Op = op }))
			}
			if ordered(x.Op) && ctype.Same(x.X.Type(), x.Y.Type()) && x.X.Type().Kind != ctype.Pointer {
				add(x, cfront.WithOp(x, func(b *cfront.Binary, _ *cfront.Assign) { b.X, b.Y = b.Y, b.X }))
			}
		case *cfront.Assign:
			if x.HasOp {
				for _, op := range SameKind(x.Op, x.R.Type()) {
					add(x, cfront.WithOp(x, func(_ *cfront.Binary, a *cfront.Assign) { a.Op = op }))
				}
			}
		}
		return true
	})
	return out
}

// besides returns, for a member, the other members of its type in the same struct, whatever expression the struct is:
// (*at)->next for (*at)->child.
func besides(x cfront.Expr) []cfront.Expr {
	m, ok := x.(*cfront.Member)
	if !ok {
		return nil
	}
	in := m.X.Type()
	if in.Kind == ctype.Pointer {
		in = in.Elem
	}
	if in.Private() {
		return nil
	}
	var out []cfront.Expr
	for _, f := range in.Fields {
		if f.Name != "" && f.Name != m.Field.Name && ctype.Same(f.Type, m.Type()) {
			out = append(out, cfront.NewMember(m.X, f))
		}
	}
	return out
}

// zero says what to write where a constant would become 0: rest in place of whole; nothing if whole is nil.
type zero struct{ whole, rest cfront.Expr }

// zeros returns the constants of an expression that nobody writes as 0: in -0, x * 0 and x / 0, and in x - 0, which is
// written as x.
func zeros(orig cfront.Expr) map[cfront.Expr]zero {
	out := map[cfront.Expr]zero{}
	cfront.Walk(orig, func(x cfront.Expr) bool {
		switch x := x.(type) {
		case *cfront.Unary:
			out[cfront.Skip(x.X)] = zero{}
		case *cfront.Binary:
			switch x.Op {
			case ctype.Add, ctype.Sub, ctype.Shl, ctype.Shr:
				if y := cfront.Skip(x.X); ctype.Same(y.Type(), x.Type()) {
					out[cfront.Skip(x.Y)] = zero{x, y}
				}
			case ctype.Mul, ctype.Div, ctype.Rem:
				out[cfront.Skip(x.Y)] = zero{}
			}
		}
		return true
	})
	return out
}

// handedOver reports whether a call gets the address of p. Nobody overwrites a value that scanf read with scanf's
// result.
func handedOver(p cfront.Expr, c *cfront.Call) bool {
	for _, a := range c.Args {
		if addr, ok := cfront.Skip(a).(*cfront.Addr); ok && cfront.Text(addr.X) == cfront.Text(p) {
			return true
		}
	}
	return false
}

// ordered reports whether the operands of an arithmetic operator cannot be exchanged.
func ordered(op ctype.Op) bool { return op == ctype.Sub || op == ctype.Div || op == ctype.Rem }

// sameSignature reports whether function a can be called in place of b.
func sameSignature(a, b *cfront.Func) bool {
	if a.Name == "main" || len(a.Params) == 0 || len(a.Params) != len(b.Params) || !ctype.Same(a.Type.Result, b.Type.Result) {
		return false
	}
	for i := range a.Params {
		if !ctype.Same(a.Params[i].Type, b.Params[i].Type) {
			return false
		}
	}
	return true
}

// SameKind returns the operators that may replace op between operands of a type; the one that people confuse it with
// comes first.
func SameKind(op ctype.Op, of *ctype.Type) []ctype.Op {
	pool := []ctype.Op{ctype.Add, ctype.Sub}
	switch {
	case op.IsCompare():
		pool = compares
	case op == ctype.Mul || op == ctype.Div || op == ctype.Rem:
		pool = []ctype.Op{ctype.Mul, ctype.Div, ctype.Rem}
	case op != ctype.Add && op != ctype.Sub:
		return nil
	}
	var out []ctype.Op
	beside, ok := Beside(op)
	if ok {
		out = append(out, beside)
	}
	for _, o := range pool {
		if o != op && (!ok || o != beside) && (o != ctype.Rem || of.IsInteger()) {
			out = append(out, o)
		}
	}
	return out
}

// Beside returns the comparison that also includes equal values or no longer does, or the opposite of == and !=; false
// if op is no comparison.
func Beside(op ctype.Op) (ctype.Op, bool) {
	other, ok := map[ctype.Op]ctype.Op{ctype.Lt: ctype.Le, ctype.Le: ctype.Lt, ctype.Gt: ctype.Ge, ctype.Ge: ctype.Gt, ctype.Eq: ctype.Ne, ctype.Ne: ctype.Eq}[op]
	return other, ok
}
