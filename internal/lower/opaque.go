package lower

import (
	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file is statements that cannot be lowered. They are opaque, as those that cannot be
// read are: the function is lowered again without them.

// opaque lowers a function. It reports whether a statement was refused, and is now marked
// as opaque.
func (p *Program) opaque(b *builder) (again bool) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		e, ok := r.(*source.Error)
		if !ok {
			panic(r)
		}
		for i := len(b.around) - 1; i >= 0; i-- {
			if s := b.around[i]; p.refused[s] == nil && (i == 0 || contained(s)) {
				p.refused[s] = e
				p.Tree.Opaque = append(p.Tree.Opaque, cfront.Note{Range: s.Range(), At: e.List[0].Pos, Reason: e.List[0].Message, Func: b.tree.Name})
				again = true
				return
			}
		}
		panic(e) // not in a statement
	}()
	b.function()
	return false
}

// contained reports whether control enters and leaves a statement at its ends only.
func contained(s cfront.Stmt) bool {
	ok := true
	cfront.WalkStmt(s, func(t cfront.Stmt) {
		switch t.(type) {
		case *cfront.Jump, *cfront.Return, *cfront.Label, *cfront.Case, *cfront.ComputedGoto:
			ok = false
		}
	}, func(cfront.Expr) {})
	return ok
}

// Reason says why a statement is opaque.
func (p *Program) Reason(s *Stmt) string {
	if e := p.refused[s.Node]; e != nil {
		return e.List[0].Message
	}
	if o, ok := s.Node.(*cfront.Opaque); ok {
		return o.Reason
	}
	return ""
}
