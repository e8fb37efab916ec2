package textedit

import (
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file lists what is forgotten where something is used up: a function or a branch that only does
// something while a member or a variable at file scope is not zero uses it and never sets it to zero, as
// when what is pending is handed on, or what is dirty is written. It lists limits that are kept by leaving, too.

// costConsumed is what such a statement costs: less than others that are inserted, since the test stands there.
const costConsumed = costMove

// consumed lists such statements for a block of statements.
func (s *Space) consumed(b *cfront.Block, p place) {
	for i, st := range b.List {
		c, ok := st.(*cfront.If)
		if !ok || c.Else != nil || !standsAsWritten(c) {
			continue
		}
		x, set := testedForZero(c.Cond)
		if x == nil {
			continue
		}
		switch then, block := c.Then.(*cfront.Block); {
		case set && block && !then.Implicit:
			s.usedUp(x, then.List, place{fn: p.fn, block: then})
		case !set && b == p.fn.Body && leavesNothing(c.Then):
			s.usedUp(x, b.List[i+1:], place{fn: p.fn, block: b, index: i + 1})
		}
	}
}

// usedUp puts x = 0 behind statements that name it and do not store to it; p.index is where they begin.
func (s *Space) usedUp(x cfront.Expr, list []cfront.Stmt, p place) {
	text := x.Range().Text()
	named := false
	for _, st := range list {
		stored := false
		cfront.WalkStmt(st, nil, func(y cfront.Expr) {
			cfront.Walk(y, func(z cfront.Expr) bool {
				if to := cfront.Stored(z); to != nil && to.Range().Text() == text {
					stored = true
				}
				named = named || z.Range().Text() == text
				return true
			})
		})
		if stored {
			return
		}
	}
	n := len(list)
	if n > 0 {
		if _, leaves := list[n-1].(*cfront.Return); leaves {
			n--
		}
	}
	if !named || n == 0 {
		return
	}
	p.index += n - 1
	s.after(list[n-1], p, costConsumed, "insert", text+" = 0;")
}

// limited keeps a variable within a limit where a function or a round is left because it is beyond it:
// if (n > room) n = room; for if (n > room) return;
func (s *Space) limited(st *cfront.If, p place) {
	b, ok := cfront.Skip(st.Cond).(*cfront.Binary)
	if !ok || st.Else != nil || !within(b.X, b) || !within(b.Y, b) || !strings.ContainsAny(operatorOf(b), "<>") {
		return
	}
	x, y := cfront.Skip(b.X), cfront.Skip(b.Y)
	leaves := st.Then
	if c, ok := leaves.(*cfront.Block); ok && len(c.List) == 1 {
		leaves = c.List[0]
	}
	switch leaves.(type) {
	case *cfront.Return, *cfront.Jump:
	default:
		return
	}
	r := leaves.Range()
	if _, ok := x.(*cfront.Ref); !ok || !integer(x) || !integer(y) || cfront.ReadOnly(x) || impure(y) || !standsAsWritten(leaves) {
		return
	}
	end := WholeEnd(r.File, r.End)
	text := x.Range().Text() + " = " + b.Y.Range().Text() + ";"
	s.add(Statement, p.fn, r.File, r.Start, end, text, &Edit{What: "keep within a limit", Cost: costMove, Changes: []Change{{r.File, r.Start, end, text}}})
}

// testedForZero returns the member or the variable at file scope that a condition tests, and whether it
// holds where that is not zero; nil for other conditions.
func testedForZero(c cfront.Expr) (x cfront.Expr, set bool) {
	set = true
	x = cfront.Skip(c)
	switch y := x.(type) {
	case *cfront.LogicalNot:
		x, set = cfront.Skip(y.X), false
	case *cfront.Binary:
		if k, ok := cfront.Skip(y.Y).(*cfront.Const); !ok || k.Range().Text() != "0" {
			return nil, false
		}
		switch operatorOf(y) {
		case "==":
			set = false
		case "!=", ">":
		default:
			return nil, false
		}
		x = cfront.Skip(y.X)
	}
	switch y := x.(type) {
	case *cfront.Ref:
		if y.Var.Func != nil || y.Var.Qual&ctype.Const != 0 {
			return nil, false
		}
	case *cfront.Member:
	default:
		return nil, false
	}
	if !x.Editable() || !integer(x) || impure(x) || cfront.ReadOnly(x) || strings.Contains(x.Range().Text(), "\n") {
		return nil, false
	}
	return x, set
}

// leavesNothing reports whether a statement only leaves its function, without a value.
func leavesNothing(st cfront.Stmt) bool {
	if b, ok := st.(*cfront.Block); ok {
		if len(b.List) != 1 {
			return false
		}
		st = b.List[0]
	}
	r, ok := st.(*cfront.Return)
	return ok && r.X == nil
}
