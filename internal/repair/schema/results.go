package schema

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file knows where a function would come to its end without a result. What it returns then
// is whatever stands in a register: natively one thing, on the machine another, and right by
// chance in both.

// last reports whether a statement returns a result and nothing stands behind it that could.
func (s *space) last(st cfront.Stmt, fn *cfront.Func) bool {
	r, ok := st.(*cfront.Return)
	if !ok || r.X == nil || fn.Body == nil || fn.Type.Result.Kind == ctype.Void || fn.Name == "main" {
		return false
	}
	tails, ok := s.tails[fn]
	if !ok {
		tails = map[cfront.Stmt]bool{}
		addTails(fn.Body, tails)
		if s.tails == nil {
			s.tails = map[*cfront.Func]map[cfront.Stmt]bool{}
		}
		s.tails[fn] = tails
	}
	return tails[st]
}

// addTails adds the statements behind which the function ends.
func addTails(st cfront.Stmt, to map[cfront.Stmt]bool) {
	switch st := st.(type) {
	case nil:
	case *cfront.Block:
		if n := len(st.List); n > 0 {
			addTails(st.List[n-1], to)
		}
	case *cfront.If:
		addTails(st.Then, to)
		if st.Else != nil {
			addTails(st.Else, to)
		}
	case *cfront.Label:
		addTails(st.Body, to)
	default:
		to[st] = true
	}
}
