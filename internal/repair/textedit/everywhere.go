package textedit

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file exchanges one object for another wherever an expression names it. Who takes the new row for the old one
// does so three times in a line; exchanging only one of them leaves the line uneven.

// Bounds.
const (
	costEverywhere = costPath + 1
	mostEverywhere = 8  // others for one object
	leastNamed     = 2  // number of times that an expression names it
	mostTokens     = 60 // in an expression
)

// everywhere lists edits of a whole expression that exchange an object, named several times in it, for another of its
// type. A pointer may be exchanged for the address of a variable, and an address for a pointer.
func (s *Space) everywhere(root cfront.Expr, fn *cfront.Func) {
	r := root.Range()
	if !root.Editable() || !balanced(r.Text()) {
		return
	}
	named := map[string]int{}
	types := map[string]*ctype.Type{}
	var order []string
	cfront.Walk(root, func(y cfront.Expr) bool {
		switch z := y.(type) {
		case *cfront.Assign, *cfront.IncDec: // the target of an assignment is not read
			named = map[string]int{}
			return false
		case *cfront.Addr:
			if _, ok := cfront.Skip(z.X).(*cfront.Ref); !ok {
				return true
			}
		case *cfront.Ref:
			if z.Var.Type.Kind != ctype.Pointer && z.Var.Type.Kind != ctype.Array {
				return false
			}
		default:
			return true
		}
		if t := y.Range().Text(); y.Editable() {
			if named[t]++; named[t] == 1 {
				order, types[t] = append(order, t), y.Type()
			}
		}
		return false
	})
	for _, t := range order {
		if named[t] < leastNamed {
			continue
		}
		for i, o := range s.othersOf(t, types[t], fn, root) {
			if text, ok := exchanged(r.Text(), t, o); ok && i < mostEverywhere {
				s.replaced(root, fn, costEverywhere, "another everywhere", text, text)
			}
		}
	}
}

// othersOf lists the visible variables, or their addresses, that have type t, except the one named text.
func (s *facts) othersOf(text string, t *ctype.Type, fn *cfront.Func, at cfront.Expr) (out []string) {
	for _, v := range Visible(s.tree, fn, at.Range().File, at.Range().Start) {
		switch {
		case v.Name == text || "&"+v.Name == text:
		case sameType(v.Type, t):
			out = append(out, v.Name)
		case t.Kind == ctype.Pointer && sameType(v.Type, t.Elem) && t.Elem.IsAggregate():
			out = append(out, "&"+v.Name)
		}
	}
	return out
}

// exchanged replaces old by with in text wherever old stands as a name of its own. ok is false if it never does, if
// text has too many tokens, or if the result would be a form that nobody writes.
func exchanged(text, old, with string) (string, bool) {
	ts, from := lexemes(text), lexemes(old)
	if len(ts) > mostTokens {
		return "", false
	}
	out, done, n := "", 0, 0
	for i := 0; i+len(from) <= len(ts); i++ {
		if !slices.EqualFunc(ts[i:i+len(from)], from, func(a, b lexeme) bool { return a.text == b.text }) {
			continue
		}
		if i > 0 && (ts[i-1].text == "." || ts[i-1].text == "->" || ts[i-1].text == "&") {
			continue
		}
		next := ""
		if k := i + len(from); k < len(ts) {
			next = ts[k].text
		}
		w := with
		if len(lexemes(with)) > 1 && (next == "->" || next == "[" || next == ".") {
			return "", false // nobody writes (&v)->m
		}
		out += text[done:ts[i].start] + w
		done = ts[i+len(from)-1].end
		n++
	}
	return out + text[done:], n > 0
}

// addresses lists pointers in place of the address of a variable.
func (s *Space) addresses(x *cfront.Addr, fn *cfront.Func) {
	if v, ok := cfront.Skip(x.X).(*cfront.Ref); !ok || !v.Var.Type.IsAggregate() || !x.Editable() {
		return
	}
	for i, o := range s.othersOf(x.Range().Text(), x.Type(), fn, x) {
		if i < mostEverywhere && o[0] != '&' {
			s.replaced(x, fn, costPath, "another object", o, o)
		}
	}
}
