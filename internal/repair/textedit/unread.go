package textedit

import (
	"gulo/internal/cfront"
)

// This file uses variables that a function sets and never looks at: a sign that was read, a parameter.

// Bounds.
const (
	mostUnread = 3
	costUnread = costPath
)

// unread lists the variables of a function that are never looked at.
func (s *Space) unread(fn *cfront.Func) []*cfront.Var {
	if out, ok := s.neverRead[fn]; ok {
		return out
	}
	read := map[*cfront.Var]bool{}
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
		if d, ok := x.(*cfront.IncDec); ok { // a statement
			if _, is := cfront.Skip(d.X).(*cfront.Ref); is {
				return
			}
		}
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Assign:
				if _, is := cfront.Skip(y.L).(*cfront.Ref); is {
					cfront.Walk(y.R, func(z cfront.Expr) bool {
						if r, ok := z.(*cfront.Ref); ok {
							read[r.Var] = true
						}
						return true
					})
					return false
				}
			case *cfront.Ref:
				read[y.Var] = true
			}
			return true
		})
	})
	var out []*cfront.Var
	for _, v := range fn.Locals {
		if v.Name != "" && v.Type.IsInteger() && !read[v] && len(out) < mostUnread {
			out = append(out, v)
		}
	}
	if s.neverRead == nil {
		s.neverRead = map[*cfront.Func][]*cfront.Var{}
	}
	s.neverRead[fn] = out
	return out
}

// combined joins a number with variables that are never looked at.
func (s *Space) combined(x cfront.Expr, fn *cfront.Func) {
	vars := s.unread(fn)
	if len(vars) == 0 || !x.Editable() || x.Type() == nil || !x.Type().IsInteger() {
		return
	}
	r := x.Range()
	t := r.Text()
	switch cfront.Skip(x).(type) {
	case *cfront.Ref, *cfront.Const, *cfront.Member, *cfront.Index, *cfront.Call:
	default:
		if t[0] != '(' || !balanced(t[1:len(t)-1]) {
			t = "(" + t + ")"
		}
	}
	for _, v := range Visible(s.tree, fn, r.File, r.Start) {
		for _, w := range vars {
			if v != w {
				continue
			}
			for i, text := range []string{v.Name + " * " + t, t + " + " + v.Name, t + " - " + v.Name} {
				s.replaced(x, fn, costUnread+min(i, 1), "a variable that was not looked at", text, text)
			}
		}
	}
}
