package textedit

import (
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file lists edits of expression statements: other targets, other operators, and the values stored.

// assignment lists other left sides and other assignment operators, the two sides or two indices exchanged, and for
// pointers an assignment to or of the pointer instead of its target, or the other way round.
func (s *facts) assignment(x *cfront.Assign, p place, replace func(cfront.Node, int, string, string)) {
	l, r := x.L.Range(), x.R.Range()
	if l.End > r.Start {
		return
	}
	left, right := l.Text(), r.Text()
	if readsInto(x.R, left) { // the number of values read must not be stored there, whatever the operator
		return
	}
	for _, t := range s.targets(x.L, p.fn) {
		if !readsInto(x.R, t) {
			replace(x.L, costPath, "the value belongs in another variable", t)
		}
	}
	if t, ok := turned(x.L); ok {
		replace(x.L, costFlip+1, "rows and columns exchanged", t)
	}
	if sameType(x.L.Type(), cfront.Skip(x.R).Type()) && path(cfront.Skip(x.R)) && !cfront.ReadOnly(cfront.Skip(x.R)) && !x.HasOp {
		replace(x, costFlip, "the other way round", right+" = "+left)
	}
	if !x.HasOp {
		if t, ok := throughPointer(x); ok {
			replace(x, costPath, "what it points to, not the pointer", t)
		}
		if t, ok := thePointer(x); ok {
			replace(x, costPath, "the pointer, not what it points to", t)
		}
	}
	if !x.L.Type().IsInteger() && x.L.Type().Kind != ctype.Float {
		return
	}
	if x.HasOp {
		op := strings.TrimSpace(string(l.File.Text[l.End:r.Start]))
		others := []string{"=", "+=", "-=", "*=", "/="}
		if x.L.Type().IsInteger() {
			others = append(others, "|=", "&=", "^=", "<<=", ">>=", "%=")
		}
		for _, o := range others {
			if o != op {
				replace(x, costFlip+1, "another operator", left+" "+o+" "+right)
			}
		}
		return
	}
	if c, ok := cfront.Skip(x.R).(*cfront.Const); ok && c.Range().Text() == "0" {
		return // adding 0 does nothing
	}
	// An operator that the function uses elsewhere with the same left side is likelier.
	body := source.OneLine(p.fn.Whole.Text())
	again := mentions(x.R, left)
	to := func(cost int, what, op string) {
		if strings.Contains(body, left+" "+op) {
			cost -= 2
		}
		if again { // t += max(t, x) would count t twice
			cost += costAgain
		}
		replace(x, cost, what, left+" "+op+" "+right)
	}
	to(costPath, "added to", "+=")
	to(costPath+1, "taken from", "-=")
	if x.L.Type().IsInteger() {
		to(costPath+1, "added to", "|=")
	}
}

// readsInto reports whether an expression is a call of scanf or its like that reads into the object named text. The
// number of values read must not be stored there.
func readsInto(x cfront.Expr, text string) bool {
	call, ok := cfront.Skip(x).(*cfront.Call)
	if !ok {
		return false
	}
	f, ok := cfront.Skip(call.Fun).(*cfront.FuncRef)
	if !ok || !strings.HasSuffix(f.Func.Name, "scanf") {
		return false
	}
	return slices.ContainsFunc(call.Args, func(a cfront.Expr) bool {
		t := strings.ReplaceAll(cfront.Skip(a).Range().Text(), " ", "")
		return t == "&"+strings.ReplaceAll(text, " ", "")
	})
}

// mentions reports whether some part of an expression has a given text.
func mentions(x cfront.Expr, text string) bool {
	found := false
	cfront.Walk(x, func(y cfront.Expr) bool {
		found = found || y.Editable() && y.Range().Text() == text
		return !found
	})
	return found
}

// throughPointer turns p = &x into *p = x. Code that walks with a pointer to a link may step on where it should change
// the link.
func throughPointer(x *cfront.Assign) (string, bool) {
	elem := elemOf(x.L.Type())
	if elem == nil || x.L.Type().ElemQual&ctype.Const != 0 {
		return "", false
	}
	left := "*" + x.L.Range().Text()
	if a, ok := cfront.Skip(x.R).(*cfront.Addr); ok && within(a.X, a) && sameType(a.X.Type(), elem) && elem.IsScalar() {
		return left + " = " + a.X.Range().Text(), true
	}
	return "", false
}

// thePointer turns *p = x into p = &x, where x has an address.
func thePointer(x *cfront.Assign) (string, bool) {
	d, ok := x.L.(*cfront.Deref)
	r := cfront.Skip(x.R)
	if !ok || !within(d.X, d) || !path(d.X) || !path(r) || !sameType(r.Type(), d.Type()) || elemOf(d.Type()) == nil {
		return "", false
	}
	return d.X.Range().Text() + " = &" + r.Range().Text(), true
}

// targets lists other lvalues for a left side: other variables, other fields of the same node, the same field of
// another node.
func (s *facts) targets(l cfront.Expr, fn *cfront.Func) []string {
	r := l.Range()
	var out []string
	switch x := l.(type) {
	case *cfront.Ref:
		for _, v := range Visible(s.tree, fn, r.File, r.Start) {
			if v != x.Var && sameType(v.Type, x.Type()) && v.Qual&ctype.Const == 0 {
				out = append(out, v.Name)
			}
		}
	case *cfront.Member:
		if !within(x.X, x) {
			return nil
		}
		base, t := x.X.Range().Text(), x.X.Type()
		dot := "."
		if x.Arrow {
			t, dot = t.Elem, "->"
		}
		for _, f := range t.Fields {
			if f.Name != "" && f.Name != x.Field.Name && sameType(f.Type, x.Type()) && f.Qual&ctype.Const == 0 {
				out = append(out, base+dot+f.Name)
			}
		}
		if x.Arrow {
			for _, f := range t.Fields {
				if f.Name != "" && sameType(f.Type, x.X.Type()) && f.Type.ElemQual&ctype.Const == 0 {
					out = append(out, base+"->"+f.Name+"->"+x.Field.Name)
				}
			}
			if y, ok := x.X.(*cfront.Ref); ok {
				for _, v := range Visible(s.tree, fn, r.File, r.Start) {
					if v != y.Var && sameType(v.Type, y.Type()) && v.Type.ElemQual&ctype.Const == 0 {
						out = append(out, v.Name+"->"+x.Field.Name)
					}
				}
			}
		}
		if sameType(x.X.Type(), x.Type()) {
			out = append(out, base)
		}
	}
	return out[:min(len(out), 24)]
}
