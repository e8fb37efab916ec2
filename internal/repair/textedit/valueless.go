package textedit

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file lists returns for the end of a function that control can reach without a value. What the caller gets there
// is undefined.

const costReturn = costElse

// mostReturned bounds the values that are tried.
const mostReturned = 12

// valueless inserts a return at the end of a function that may end without a value. It tries the values that the
// function returns elsewhere, values for "nothing found", and its variables.
func (s *Space) valueless(fn *cfront.Func) {
	t := fn.Type.Result
	n := len(fn.Body.List)
	if t == nil || !t.IsScalar() || fn.Name == "main" || n == 0 || !endsHere(fn.Body) {
		return
	}
	last := fn.Body.List[n-1]
	if !last.Range().Valid() {
		return
	}
	vars := Visible(s.tree, fn, last.Range().File, fn.Body.Range().End-1)
	var values []string
	add := func(v string) {
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		r, ok := st.(*cfront.Return)
		if !ok || r.X == nil || !r.X.Editable() {
			return
		}
		fr, ok := fragmentOf(r.X, fn)
		if text := r.X.Range().Text(); ok && slices.Contains(fr.instances(vars, fn, 1), text) {
			add(text)
		}
	}, nil)
	switch {
	case t.Kind == ctype.Pointer:
		add("NULL")
	case t.IsInteger() && t.Signed:
		add("-1")
		fallthrough
	default:
		add("0")
		add("1")
	}
	for _, v := range vars {
		if v.Func == fn && sameType(v.Type, t) {
			add(v.Name)
		}
	}
	for i, v := range values[:min(len(values), mostReturned)] {
		s.after(last, place{fn: fn, block: fn.Body, index: n - 1}, costReturn+i/4, "return a value", "return "+v+";")
	}
}

// Valueless returns an unlikely value of a function's result type, to be returned where control reaches the end without
// a value; "" if control cannot get there.
func Valueless(fn *cfront.Func) string {
	t := fn.Type.Result
	if t == nil || fn.Name == "main" || !endsHere(fn.Body) {
		return ""
	}
	switch {
	case t.Kind == ctype.Pointer:
		return "(void *)0x5a5a5a5a5a5a5a5a"
	case t.IsInteger():
		return "0x5a5a5a5a"
	case t.Kind == ctype.Float:
		return "-5.5e30"
	}
	return ""
}

// endsHere reports whether control can reach the end of a statement, as far as its form says.
func endsHere(st cfront.Stmt) bool {
	switch st := st.(type) {
	case nil:
		return true
	case *cfront.Return:
		return false
	case *cfront.Jump:
		return false // it continues elsewhere
	case *cfront.Block:
		return len(st.List) == 0 || endsHere(st.List[len(st.List)-1])
	case *cfront.If:
		return st.Else == nil || endsHere(st.Then) || endsHere(st.Else)
	case *cfront.While:
		return !always(st.Cond) || breaks(st.Body)
	case *cfront.For:
		return st.Cond != nil && !always(st.Cond) || breaks(st.Body)
	case *cfront.Label:
		return endsHere(st.Body)
	case *cfront.ExprStmt:
		return !neverReturns(st)
	}
	return true
}

// always reports whether a condition is a constant other than 0 and false.
func always(x cfront.Expr) bool {
	c, ok := cfront.Skip(x).(*cfront.Const)
	return ok && c.Range().Text() != "0" && c.Range().Text() != "false"
}

// breaks reports whether a loop's body contains a break or a goto, even one of an inner loop.
func breaks(body cfront.Stmt) bool {
	found := false
	cfront.WalkStmt(body, func(st cfront.Stmt) {
		j, ok := st.(*cfront.Jump)
		found = found || ok && j.Kind != cfront.Continue
	}, nil)
	return found
}

// neverReturns reports whether a statement calls exit, abort or their like.
func neverReturns(st *cfront.ExprStmt) bool {
	c, ok := st.X.(*cfront.Call)
	if !ok {
		return false
	}
	f, ok := c.Fun.(*cfront.FuncRef)
	return ok && slices.Contains([]string{"exit", "abort", "_Exit", "_exit", "longjmp"}, f.Func.Name)
}
