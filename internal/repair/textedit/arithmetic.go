package textedit

import (
	"fmt"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file lists edits for values that integer arithmetic loses: the fraction of a quotient, a share that is divided
// before it is multiplied, the sign of a difference or of a summand.

// arithmetic lists other computations in place of x: a division by a real number, a multiplication before the division,
// the absolute value of a difference or a remainder.
func (s *Space) arithmetic(x *cfront.Binary, fn *cfront.Func) {
	if !x.Editable() || !within(x.X, x) || !within(x.Y, x) || !x.Type().IsInteger() || impure(x) {
		return
	}
	b := operandText(x.Y)
	switch operatorOf(x) {
	case "/":
		if n := x.X.Range().Text(); strings.Trim(n, "0123456789") == "" { // 9 / 5
			t := n + ".0 / " + b
			s.replaced(x, fn, costPath, "a real number", t, t)
		}
	case "*":
		if d, ok := cfront.Skip(x.X).(*cfront.Binary); ok && operatorOf(d) == "/" && within(d.X, x) && within(d.Y, x) {
			t := fmt.Sprintf("%s * %s / %s", operandText(d.X), b, operandText(d.Y))
			s.replaced(x, fn, costFlip+1, "multiplied before it is divided", t, t)
		}
	case "-", "%":
		if !x.Type().Signed || !s.library("abs") && !s.includes("<stdlib.h>") {
			break
		}
		t := "abs(" + x.Range().Text() + ")"
		if x.Type().Size > 4 {
			t = "l" + t
		}
		s.replaced(x, fn, costPath+1, "without its sign", t, t)
	}
}

// otherSign puts a minus before a signed number, or removes it: add(&difference, -t->coef) for
// add(&difference, t->coef).
func (s *Space) otherSign(x cfront.Expr, fn *cfront.Func) {
	if x == nil || x.Type() == nil || !x.Editable() {
		return
	}
	if t := x.Type(); t.Kind != ctype.Float && (!t.IsInteger() || !t.Signed || t.Size < 2) {
		return
	}
	switch y := cfront.Skip(x).(type) {
	case *cfront.Unary:
		if y.Op == ctype.Neg && within(y.X, y) {
			t := y.X.Range().Text()
			s.replaced(x, fn, costPath, "without the minus", t, t)
		}
	case *cfront.Ref, *cfront.Member, *cfront.Index, *cfront.Call:
		if s.ofTruth(y) { // -found is no number
			return
		}
		t := "-" + x.Range().Text()
		s.replaced(x, fn, costPath+1, "the other sign", t, t)
	}
}

// includes reports whether a C file of the program contains the text header, such as "<stdlib.h>".
func (s *facts) includes(header string) bool {
	for _, f := range s.tree.Files {
		if strings.HasSuffix(f.Name, ".c") && strings.Contains(string(f.Text), header) {
			return true
		}
	}
	return false
}

// leadsTo replaces a pointer to a struct by a member of another visible pointer of the same type: p becomes q->next.
func (s *Space) leadsTo(x *cfront.Ref, fn *cfront.Func) {
	e := elemOf(x.Type())
	if e == nil || !e.IsAggregate() || !x.Editable() || s.written {
		return
	}
	r := x.Range()
	n := 0
	for _, v := range Visible(s.tree, fn, r.File, r.Start) {
		if v == x.Var || v.Func == nil || !sameType(v.Type, x.Type()) {
			continue
		}
		for _, m := range e.Fields {
			if m.Name != "" && sameType(m.Type, x.Type()) && n < mostLinked {
				n++
				t := v.Name + "->" + m.Name
				s.replaced(x, fn, costPath+2, "another's neighbour", t, t)
			}
		}
	}
}

const mostLinked = 4

// confused lists groups of library functions that people take for each other.
var confused = [][]string{
	{"strcpy", "strcat"}, {"strncpy", "strncat"}, {"toupper", "tolower"}, {"floor", "ceil", "round"}, {"strchr", "strrchr"},
	{"isalpha", "isalnum", "isdigit", "isupper", "islower", "isspace", "ispunct"}, {"fmax", "fmin"}, {"memcpy", "memmove"}, {"strcmp", "strcasecmp"},
}

// siblings replaces a call of a library function by one that is easily confused with it and has the same type.
func (s *Space) siblings(call *cfront.Call, fn *cfront.Func) {
	f, ok := cfront.Skip(call.Fun).(*cfront.FuncRef)
	if !ok || own(f.Func) || !f.Editable() {
		return
	}
	for _, list := range confused {
		if !slices.Contains(list, f.Func.Name) {
			continue
		}
		for _, b := range list {
			if g := s.tree.Func(b); b != f.Func.Name && (g == nil || ctype.Same(g.Type, f.Func.Type)) {
				s.replaced(f, fn, costPath, "another function", b, b)
			}
		}
	}
}
