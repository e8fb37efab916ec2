package contract

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file extends old(...) to the accesses that begin at it: these are taken from entry, too, as in old(a)[i],
// *old(p), old(p)->next->value, old(s).f and length(old(l)). An index outside of old(...) keeps the value that it has
// there. Therefore old(a)[i] is old(a[i]) if i cannot change, as parameters and bound variables cannot.

// root returns the old(...) at which an access begins; nil if there is none.
func (p *parser) root(x cfront.Expr) *cfront.Ref {
	switch y := x.(type) {
	case *cfront.Ref:
		if t := p.c.Terms[y.Var]; t != nil && t.Kind == Old {
			return y
		}
	case *cfront.Index:
		return p.root(y.X)
	case *cfront.Deref:
		return p.root(y.X)
	case *cfront.Member:
		return p.root(y.X)
	case *cfront.Decay:
		return p.root(y.X)
	case *cfront.Addr:
		return p.root(y.X)
	case *cfront.Cast:
		return p.root(y.X)
	case *cfront.Binary:
		switch {
		case y.Op != ctype.Add && y.Op != ctype.Sub || y.Type().Kind != ctype.Pointer:
		case y.X.Type().Kind == ctype.Pointer:
			return p.root(y.X)
		default:
			return p.root(y.Y)
		}
	}
	return nil
}

// reach turns accesses in an expression that begin at old(...) into values on entry.
func (p *parser) reach(x cfront.Expr) cfront.Expr {
	for {
		var access cfront.Expr
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y.(type) {
			case *cfront.Index, *cfront.Deref, *cfront.Member:
				if access == nil && p.root(y) != nil {
					access = y
				}
			}
			return access == nil
		})
		if access == nil {
			return x
		}
		r := p.root(access)
		in := p.indices(cfront.Replace(access, r, p.c.Terms[r.Var].X))
		t := &Term{Kind: Old, X: in, Text: "old", As: access}
		x = cfront.Replace(x, access, p.stand(t, access.Type()))
	}
}

// indices keeps the indices of an access at their value after the call, unless they cannot have changed.
func (p *parser) indices(x cfront.Expr) cfront.Expr {
	if p.old > 0 {
		return x // an enclosing old(...) takes all of it from entry
	}
	var list []cfront.Expr
	var walk func(x cfront.Expr)
	walk = func(x cfront.Expr) {
		switch y := x.(type) {
		case *cfront.Index:
			list = append(list, y.I)
			walk(y.X)
		case *cfront.Deref:
			walk(y.X)
		case *cfront.Member:
			walk(y.X)
		case *cfront.Decay:
			walk(y.X)
		case *cfront.Addr:
			walk(y.X)
		case *cfront.Cast:
			walk(y.X)
		case *cfront.Binary:
			if y.X.Type().Kind == ctype.Pointer {
				list = append(list, y.Y)
				walk(y.X)
			} else {
				list = append(list, y.X)
				walk(y.Y)
			}
		}
	}
	walk(x)
	for _, i := range list {
		x = cfront.Replace(x, i, p.now(i))
	}
	return x
}

// now wraps an expression within old(...) so that it keeps its value outside of it.
func (p *parser) now(x cfront.Expr) cfront.Expr {
	fixed := true
	cfront.Walk(x, func(y cfront.Expr) bool {
		switch z := y.(type) {
		case *cfront.Ref:
			fixed = fixed && (z.Var.Storage == cfront.Param && z.Var != p.c.Result || p.ranges(z.Var))
		case *cfront.Const, *cfront.Cast, *cfront.Unary, *cfront.Binary:
		default:
			fixed = false
		}
		return fixed
	})
	if fixed || p.old > 0 {
		return x
	}
	return p.stand(&Term{Kind: Now, X: x, Text: "now"}, x.Type())
}

// ranges reports whether a variable is bound by a quantifier.
func (p *parser) ranges(v *cfront.Var) bool {
	for _, b := range p.bound {
		if b == v {
			return true
		}
	}
	return false
}

// listed takes a term about an array or a list that begins at old(...) from entry. Its text stays as written.
func (p *parser) listed(t *Term, typ *ctype.Type) cfront.Expr {
	r, ok := t.X.(*cfront.Ref)
	if !ok {
		if b := p.root(t.X); b == nil || p.old > 0 {
			return p.stand(t, typ)
		}
		old := *t
		old.X = p.indices(cfront.Replace(t.X, p.root(t.X), p.c.Terms[p.root(t.X).Var].X))
		return p.before(t, &old, typ)
	}
	from := p.c.Terms[r.Var]
	if from == nil || from.Kind != Old || p.old > 0 {
		return p.stand(t, typ)
	}
	old := *t
	old.X = from.X
	return p.before(t, &old, typ)
}

// before returns a term on entry whose bounds keep their values after the call; as is how it was written.
func (p *parser) before(as, t *Term, typ *ctype.Type) cfront.Expr {
	for _, x := range []*cfront.Expr{&t.Lo, &t.Hi, &t.Y} {
		if *x != nil {
			*x = p.now(*x)
		}
	}
	return p.stand(&Term{Kind: Old, X: p.stand(t, typ), Text: "old", As: p.stand(as, typ)}, typ)
}
