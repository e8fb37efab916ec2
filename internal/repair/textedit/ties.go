package textedit

import (
	"fmt"
	"strings"

	"gulo/internal/cfront"
)

// This file lets another member decide where two records agree in the one that is compared.

// Bounds.
const (
	mostTies = 6 // members that may decide
	costTie  = costGuard - 1
)

// tied are two records of which a member is compared.
type tied struct {
	a, b   string // up to the member
	member string
	equal  string // the condition in which the member agrees
	others []tie
}

// tie is another comparison of the two: less than 0, 0 or more.
type tie struct{ diff, back, less, more string }

// comparison finds what an expression compares; ok is false where it is no comparison of two members of
// one name.
func comparison(l, r, whole cfront.Expr) (t tied, ok bool) {
	a, isA := cfront.Skip(l).(*cfront.Member)
	b, isB := cfront.Skip(r).(*cfront.Member)
	if !isA || !isB || a.Field.Name != b.Field.Name || !sameType(baseOf(a), baseOf(b)) || !within(a, whole) || !within(b, whole) {
		return t, false
	}
	x, y := a.Range().Text(), b.Range().Text()
	if x == y || !strings.HasSuffix(x, a.Field.Name) || !strings.HasSuffix(y, b.Field.Name) || !plainText(x) || !plainText(y) {
		return t, false
	}
	t = tied{a: x[:len(x)-len(a.Field.Name)], b: y[:len(y)-len(b.Field.Name)], member: a.Field.Name, equal: x + " == " + y}
	if isText(a.Type()) {
		t.equal = fmt.Sprintf("strcmp(%s, %s) == 0", x, y)
	}
	for _, f := range baseOf(a).Fields {
		p, q := t.a+f.Name, t.b+f.Name
		switch {
		case f.Name == "" || f.Name == t.member || len(t.others) == mostTies:
		case isText(f.Type):
			c, back := fmt.Sprintf("strcmp(%s, %s)", p, q), fmt.Sprintf("strcmp(%s, %s)", q, p)
			t.others = append(t.others, tie{c, back, c + " < 0", c + " > 0"})
		case f.Type.IsInteger() && f.BitLen == 0:
			t.others = append(t.others, tie{p + " - " + q, q + " - " + p, p + " < " + q, p + " > " + q})
		}
	}
	return t, len(t.others) > 0
}

// thenBy lists what a function returns that says which of two records comes first.
func (s *Space) thenBy(x cfront.Expr, fn *cfront.Func) {
	if !x.Editable() || !x.Type().IsInteger() {
		return
	}
	var t tied
	var ok bool
	switch y := cfront.Skip(x).(type) {
	case *cfront.Binary:
		if operatorOf(y) != "-" {
			return
		}
		t, ok = comparison(y.X, y.Y, y)
	case *cfront.Call:
		if f, is := cfront.Skip(y.Fun).(*cfront.FuncRef); !is || f.Func.Name != "strcmp" || len(y.Args) != 2 {
			return
		}
		t, ok = comparison(y.Args[0], y.Args[1], y)
	}
	if !ok {
		return
	}
	differ := strings.Replace(t.equal, " == ", " != ", 1)
	for _, o := range t.others {
		for i, d := range []string{o.diff, o.back} {
			text := differ + " ? " + x.Range().Text() + " : " + d
			s.replaced(x, fn, costTie+i, "another decides where they agree", text, text)
		}
	}
}

// less lists what a comparison of two records is with another one behind it.
func (s *Space) less(x *cfront.Binary, fn *cfront.Func) {
	op := operatorOf(x)
	if op != "<" && op != ">" || !x.Editable() {
		return
	}
	t, ok := comparison(x.X, x.Y, x)
	if !ok {
		return
	}
	for _, o := range t.others {
		for i, c := range []string{o.less, o.more} {
			text := fmt.Sprintf("%s || (%s && %s)", x.Range().Text(), t.equal, c)
			s.replaced(x, fn, costTie+i, "another decides where they agree", "("+text+")", text)
		}
	}
}
