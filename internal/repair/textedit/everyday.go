package textedit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file lists what programs of numbers and texts say every day and forget as often: a bit is
// 1 << i, what leaves a range comes back into it, a sign or a flag goes to and fro, a text that was
// made shorter ends there, a node goes to the front of a list.

// Bounds.
const (
	mostRanges = 4 // lengths of a range
	mostFronts = 4 // lists that a node may go to
	letters    = 26
)

// bits lists 1 << i for a bit i, and what is in a byte the other way.
func (s *Space) bits(x *cfront.Binary, fn *cfront.Func) {
	op := operatorOf(x)
	if op != "&" && op != "|" && op != "^" || !x.Editable() {
		return
	}
	for _, o := range []cfront.Expr{x.Y, x.X} {
		switch cfront.Skip(o).(type) {
		case *cfront.Ref, *cfront.Member, *cfront.Index:
		case *cfront.Binary:
			if o == x.X || operatorOf(cfront.Skip(o).(*cfront.Binary)) == "<<" {
				continue
			}
		default:
			continue
		}
		if within(o, x) {
			t := "(1 << " + operandText(o) + ")"
			s.replaced(o, fn, costPath, "a bit", t, t)
		}
	}
}

// operandText is an expression as an operand that binds tightly.
func operandText(x cfront.Expr) string {
	t := x.Range().Text()
	switch cfront.Skip(x).(type) {
	case *cfront.Ref, *cfront.Member, *cfront.Index, *cfront.Call, *cfront.Const:
		return t
	}
	if t[0] == '(' && balanced(t[1:len(t)-1]) {
		return t
	}
	return "(" + t + ")"
}

var bitwise = regexp.MustCompile(`<<|>>|\^|[^|]\|[^|]|0x[0-9a-fA-F]|unsigned|uint[0-9]+_t`)

// negatives lists the other sign of a number that is passed, returned or stored, and all its bits turned round.
func (s *Space) negatives(x cfront.Expr, fn *cfront.Func) {
	s.otherSign(x, fn)
	s.complement(x, fn)
}

// otherSign puts a minus before a number with a sign, or takes it away: add(&difference, t->coef) for
// add(&difference, -t->coef).
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

// complement turns all bits of a number round that is returned, printed or stored, in functions that
// speak of bits.
func (s *Space) complement(x cfront.Expr, fn *cfront.Func) {
	if x == nil || x.Type() == nil || !x.Type().IsInteger() || !x.Editable() || !bitwise.MatchString(fn.Range.Text()+fn.Body.Range().Text()) {
		return
	}
	switch cfront.Skip(x).(type) {
	case *cfront.Ref, *cfront.Member, *cfront.Binary:
		t := "~" + operandText(x)
		s.replaced(x, fn, costPath+1, "all bits", t, t)
	}
}

// ranges lists the lengths of the ranges that a program may speak of.
func (s *Space) ranges(fn *cfront.Func) []string {
	if out, ok := s.rangesOf[fn]; ok {
		return out
	}
	var out []string
	seen := map[string]bool{}
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			c, ok := y.(*cfront.Const)
			if !ok || !c.Editable() || len(out) == mostRanges {
				return true
			}
			t := c.Range().Text()
			n, err := strconv.ParseInt(t, 0, 64)
			if (err == nil && n > 2 || constantName.MatchString(t) && t != "NULL") && !seen[t] {
				seen[t] = true
				out = append(out, t)
			}
			return true
		})
	})
	for i, a := range out { // an hour has 60 minutes, a day 24 of them
		for _, b := range out[:i] {
			if len(out) < 2*mostRanges && a != b {
				out = append(out, b+" * "+a)
			}
		}
	}
	if seen["60"] {
		out = append(out, "24 * 60")
	}
	if s.rangesOf == nil {
		s.rangesOf = map[*cfront.Func][]string{}
	}
	s.rangesOf[fn] = out
	return out
}

// wrappedLetter lists a letter that comes round to the first behind the last.
func (s *Space) wrappedLetter(x *cfront.Binary, fn *cfront.Func) {
	if operatorOf(x) != "+" || !x.Editable() {
		return
	}
	for _, o := range [][2]cfront.Expr{{x.X, x.Y}, {x.Y, x.X}} {
		c, ok := cfront.Skip(o[0]).(*cfront.Const)
		b, is := cfront.Skip(o[1]).(*cfront.Binary)
		if !ok || !is || !within(c, x) || !within(o[1], x) || operatorOf(b) == "%" {
			continue
		}
		n := letters
		switch c.Range().Text() {
		case "'a'", "'A'":
		case "'0'":
			n = 10
		default:
			continue
		}
		t := operandText(o[1])
		s.replaced(o[1], fn, costPath, "the first behind the last", fmt.Sprintf("%s %% %d", t, n), fmt.Sprintf("%s %% %d", t, n))
		inner := strings.TrimSuffix(strings.TrimPrefix(t, "("), ")")
		if balanced(inner) {
			s.replaced(o[1], fn, costPath+1, "the first behind the last", fmt.Sprintf("(%s + %d) %% %d", inner, n, n), fmt.Sprintf("(%s + %d) %% %d", inner, n, n))
		}
	}
}

// nearest rounds a real number that becomes an integer.
func (s *Space) nearest(x *cfront.Cast, fn *cfront.Func) {
	if !x.Implicit {
		s.complement(x.X, fn)
	}
	if x.Implicit || !x.Type().IsInteger() || !x.X.Type().IsReal() || x.X.Type().IsInteger() || !within(x.X, x) {
		return
	}
	r := x.X.Range()
	t := strings.TrimSpace(r.Text())
	if t[0] == '(' && balanced(t[1:len(t)-1]) {
		t = t[1 : len(t)-1]
	}
	t = "(" + t + " + 0.5)"
	s.replaced(x.X, fn, costPath, "the nearest", t, t)
}

// toggled stores the other one of two values in what is a flag.
func (s *Space) toggled(x *cfront.Assign, fn *cfront.Func) {
	if x.HasOp || !x.L.Type().IsInteger() || !within(x.L, x) || !within(x.R, x) || !bit(x.R) || !s.flag(x.L) {
		return
	}
	t := "!" + x.L.Range().Text()
	s.replaced(x.R, fn, costPath, "the other of two", t, t)
}

// bit reports whether an expression is one of the values of a flag.
func bit(x cfront.Expr) bool {
	switch x.Range().Text() {
	case "0", "1", "true", "false":
		return true
	}
	return false
}

// flag reports whether nothing but the values of a flag is stored in a variable or member anywhere.
func (s *Space) flag(l cfront.Expr) bool {
	same := func(x cfront.Expr) bool {
		switch a := cfront.Skip(x).(type) {
		case *cfront.Ref:
			return refers(l, a.Var)
		case *cfront.Member:
			b, ok := cfront.Skip(l).(*cfront.Member)
			return ok && a.Field.Name == b.Field.Name && sameType(baseOf(a), baseOf(b))
		case *cfront.Index:
			_, ok := cfront.Skip(l).(*cfront.Index)
			return ok && sameType(a.Type(), l.Type())
		}
		return false
	}
	ok := true
	for _, f := range s.tree.Funcs {
		if f.Body == nil || !ok {
			continue
		}
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				switch y := y.(type) {
				case *cfront.Assign:
					_, not := cfront.Skip(y.R).(*cfront.LogicalNot)
					ok = ok && (!same(y.L) || !y.HasOp && (bit(y.R) || not))
				case *cfront.IncDec:
					ok = ok && !same(y.X)
				case *cfront.Addr:
					ok = ok && !same(y.X)
				}
				return ok
			})
		})
	}
	return ok
}

// everyday lists what may be inserted behind a statement.
func (s *Space) everyday(p place, vars []*cfront.Var, add func(cost int, what, text string)) {
	if p.block == nil || p.index < 0 || p.index >= len(p.block.List) {
		return
	}
	before := p.block.List[p.index]
	last := p.index == len(p.block.List)-1
	body := p.fn.Body.Range().Text()
	for _, v := range vars {
		if v.Func == nil || v.Qual&ctype.Const != 0 {
			continue
		}
		number := v.Type.IsInteger() && v.Type.Signed && v.Type.Size >= 4
		switch {
		case number && p.loop != nil && startsAt(v, "1", "-1"):
			add(CostInsert-1, "insert", v.Name+" = -"+v.Name+";")
		case last && v.Type.Kind == ctype.Pointer && v.Type.Elem.IsAggregate() && v.Type.ElemQual&ctype.Const == 0:
			s.toFront(p, v, vars, add)
		}
		if number && storesIn(before, v) {
			clamped(p, before, v, vars, add)
			for _, c := range s.ranges(p.fn) {
				inner := p.indent + step(v.Range.File)
				add(CostInsert, "insert", fmt.Sprintf("if (%s < 0)\n%s%s += %s;", v.Name, inner, v.Name, c))
				add(CostInsert+1, "insert", fmt.Sprintf("if (%s >= %s)\n%s%s -= %s;", v.Name, c, inner, v.Name, c))
			}
		}
		if isText(v.Type) && v.Type.ElemQual&ctype.Const == 0 {
			for _, n := range vars {
				if n.Func != nil && n.Type.IsInteger() && strings.Contains(body, v.Name+"["+n.Name) {
					add(CostInsert, "insert", v.Name+"["+n.Name+"] = '\\0';")
				}
			}
		}
	}
}

// storesIn reports whether a statement gives a variable a value, as a whole.
func storesIn(st cfront.Stmt, v *cfront.Var) bool {
	if d, ok := st.(*cfront.Decl); ok {
		return d.Var == v && len(d.Init) == 1
	}
	x, ok := st.(*cfront.ExprStmt)
	if !ok {
		return false
	}
	a, ok := x.X.(*cfront.Assign)
	return ok && refers(a.L, v)
}

// startsAt reports whether a variable is declared with one of some texts.
func startsAt(v *cfront.Var, texts ...string) bool {
	after := strings.TrimLeft(string(v.Range.File.Text[v.Range.End:]), " \t")
	for _, t := range texts {
		if rest, ok := strings.CutPrefix(after, "= "+t); ok && rest != "" && strings.IndexByte(",;", rest[0]) >= 0 {
			return true
		}
	}
	return false
}

// toFront puts a node in front of the lists that a place can name.
func (s *Space) toFront(p place, v *cfront.Var, vars []*cfront.Var, add func(cost int, what, text string)) {
	link := ""
	for _, m := range v.Type.Elem.Fields {
		if sameType(m.Type, v.Type) && m.Name != "" && link == "" {
			link = m.Name
		}
	}
	if link == "" {
		return
	}
	n := 0
	front := func(head string) {
		if n < mostFronts {
			n++
			add(CostInsert+1, "insert", fmt.Sprintf("%s->%s = %s;\n%s%s = %s;", v.Name, link, head, p.indent, head, v.Name))
		}
	}
	for _, w := range vars {
		switch e := elemOf(w.Type); {
		case w == v || w.Qual&ctype.Const != 0:
		case w.Func == nil && sameType(w.Type, v.Type):
			front(w.Name)
		case w.Func != nil && e != nil && sameType(e, v.Type):
			front("*" + w.Name)
		case w.Func != nil && e != nil && e.IsAggregate() && !sameType(e, v.Type.Elem):
			for _, m := range e.Fields {
				if m.Name != "" && sameType(m.Type, v.Type) {
					front(w.Name + "->" + m.Name)
				}
			}
		}
	}
}
