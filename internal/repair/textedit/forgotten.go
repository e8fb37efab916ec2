package textedit

import (
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file finds while loops that never end because no variable of their condition changes inside them.

// costForgotten is the cost of inserting the step of such a loop. Counting the other side of the comparison down would
// also end the loop, but nobody means that.
const costForgotten = CostInsert - 3

// forgotten lists steps for the loop around a place: for each variable of its condition that nothing in the loop
// changes.
func forgotten(p place, add func(cost int, what, text string)) {
	loop, ok := p.loop.(*cfront.While)
	if !ok || loop.Cond == nil {
		return
	}
	changed := changedIn(loop)
	step := func(x cfront.Expr, up bool) {
		r, ok := cfront.Skip(x).(*cfront.Ref)
		switch {
		case !ok || r.Var.Func == nil || r.Var.Qual&ctype.Const != 0 || changed[r.Var]:
		case r.Var.Type.Kind == ctype.Pointer:
			for _, m := range r.Var.Type.Elem.Fields {
				if m.Name != "" && sameType(m.Type, r.Var.Type) {
					add(costForgotten, "insert", fmt.Sprintf("%s = %s->%s;", r.Var.Name, r.Var.Name, m.Name))
				}
			}
		case r.Var.Type.IsInteger() && up:
			add(costForgotten, "insert", r.Var.Name+"++;")
		case r.Var.Type.IsInteger():
			add(costForgotten, "insert", r.Var.Name+"--;")
		}
	}
	cfront.Walk(loop.Cond, func(x cfront.Expr) bool {
		b, ok := x.(*cfront.Binary)
		if !ok || !b.Op.IsCompare() {
			return true
		}
		switch operatorOf(b) {
		case "<", "<=", "!=":
			step(b.X, true)
		case ">", ">=":
			step(b.X, false)
		}
		return false
	})
	step(loop.Cond, false) // while (n), while (p)
}

// changedIn returns the variables that a loop may change: it assigns to them or takes their address.
func changedIn(loop *cfront.While) map[*cfront.Var]bool {
	changed := map[*cfront.Var]bool{}
	note := func(x cfront.Expr) {
		if r, ok := cfront.Skip(x).(*cfront.Ref); ok {
			changed[r.Var] = true
		}
	}
	look := func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Assign:
				note(y.L)
			case *cfront.IncDec:
				note(y.X)
			case *cfront.Addr:
				note(y.X)
			}
			return true
		})
	}
	look(loop.Cond)
	cfront.WalkStmt(loop.Body, nil, look)
	return changed
}
