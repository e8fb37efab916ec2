package textedit

import (
	"fmt"
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file lists edits that people make as a whole: what every C programmer has had to correct once, and what no
// exchange of single operands achieves.

// idioms lists idiomatic replacements for an expression.
func (s *Space) idioms(x cfront.Expr, fn *cfront.Func) {
	switch x := x.(type) {
	case *cfront.Const:
		s.variables(x, fn)
		s.otherNames(x, fn)
		s.unused(x, fn)
	case *cfront.Member, *cfront.Index:
		s.variables(x, fn)
		s.wholes(x, fn)
	case *cfront.Deref:
		s.neighbours(x, fn)
	case *cfront.Binary:
		s.bound(x, fn)
		s.comparedTexts(x, fn)
		s.longProduct(x, fn)
		s.arithmetic(x, fn)
	case *cfront.Ref:
		s.leadsTo(x, fn)
	case *cfront.Call:
		s.otherSide(x, fn)
	case *cfront.Logical:
		s.precedence(x, fn)
	}
}

// variables lists variables in place of a constant, of a member or of an array element.
func (s *Space) variables(x cfront.Expr, fn *cfront.Func) {
	r := x.Range()
	if t := x.Type(); !t.IsInteger() && t.Kind != ctype.Pointer || strings.HasPrefix(r.Text(), "'") || t.Kind == ctype.Pointer && cfront.IsNull(x) {
		return
	}
	c, constant := x.(*cfront.Const)
	if constant && s.besideSign(c, fn) {
		return
	}
	n := 0
	for _, v := range Visible(s.tree, fn, r.File, r.Start) {
		if !s.fits(v.Type, x.Type()) || v.Func == nil || n == mostVariables {
			continue
		}
		n++
		s.replaced(x, fn, costPath+1, "a variable", v.Name, v.Name)
		if constant {
			s.grouped(x, fn, costPath+2, "a variable", v.Name+" + 1")
			s.grouped(x, fn, costPath+2, "a variable", v.Name+" - 1")
		}
	}
}

const mostVariables = 8

var constantName = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*$`)

// otherNames lists other named constants (macros, enumeration constants) in place of a named one: a table is given the
// number of columns for the number of rows.
func (s *Space) otherNames(x *cfront.Const, fn *cfront.Func) {
	if !x.Range().Valid() || !x.Type().IsInteger() || !constantName.MatchString(x.Range().Text()) || writtenNull(x) {
		return
	}
	for _, c := range s.namedConstants() {
		if text := c.Range().Text(); text != x.Range().Text() && c.Range().File == x.Range().File && c.Type().IsInteger() {
			s.replaced(x, fn, costPath, AnotherConstant, text, text)
		}
	}
}

// unusedMacro matches the definition of a macro that is a number.
var unusedMacro = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+\(?-?[0-9][0-9a-fA-FxXuUlL]*\)?[ \t]*(?:/[/*].*)?\r?$`)

// unused lists macros for numbers that a file defines and never uses; where a name is missing, it is likely one of
// these.
func (s *Space) unused(x *cfront.Const, fn *cfront.Func) {
	r := x.Range()
	if !r.Valid() || !x.Type().IsInteger() || strings.HasPrefix(r.Text(), "'") || writtenNull(x) {
		return
	}
	names, ok := s.unusedNames[r.File]
	if !ok {
		for _, m := range unusedMacro.FindAllSubmatch(r.File.Text, -1) {
			if name := string(m[1]); len(regexp.MustCompile(`\b`+name+`\b`).FindAllIndex(r.File.Text, 2)) == 1 && len(names) < mostUnused {
				names = append(names, name)
			}
		}
		if s.unusedNames == nil {
			s.unusedNames = map[*source.File][]string{}
		}
		s.unusedNames[r.File] = names
	}
	for _, name := range names {
		s.replaced(x, fn, costUnused, "a constant that is defined and never used", name, name)
	}
}

// mostUnused bounds the unused names of a file.
const mostUnused = 4

// costUnused is the cost of using such a name.
const costUnused = costPath - 1

// mostNames bounds the named constants.
const mostNames = 24

// namedConstants returns the named constants that functions use, each once per file.
func (s *facts) namedConstants() []*cfront.Const {
	if s.constantsNamed != nil {
		return s.constantsNamed
	}
	s.constantsNamed = []*cfront.Const{}
	seen := map[string]bool{}
	for _, f := range s.tree.Funcs {
		if f.Body == nil || !f.Range.Valid() || strings.HasPrefix(f.Range.File.Name, "@") {
			continue
		}
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				c, ok := y.(*cfront.Const)
				if !ok || !c.Range().Valid() || len(s.constantsNamed) == mostNames {
					return true
				}
				t := c.Range().Text()
				if key := c.Range().File.Name + " " + t; constantName.MatchString(t) && !seen[key] && t != "NULL" && t != "sizeof" {
					seen[key] = true
					s.constantsNamed = append(s.constantsNamed, c)
				}
				return true
			})
		})
	}
	return s.constantsNamed
}

// neighbours replaces *p by the element before or after it.
func (s *Space) neighbours(x *cfront.Deref, fn *cfront.Func) {
	if !within(x.X, x) {
		return
	}
	t := x.X.Range().Text()
	if _, name := x.X.(*cfront.Ref); !name {
		t = "(" + t + ")"
	}
	for _, i := range []string{"-1", "1"} {
		s.replaced(x, fn, costStep+1, "the neighbour", t+"["+i+"]", t+"["+i+"]")
	}
}

// bound groups ~a << b, -a * b and !a == b the other way: !(a == b).
func (s *Space) bound(x *cfront.Binary, fn *cfront.Func) {
	var in cfront.Expr
	switch u := cfront.Skip(x.X).(type) {
	case *cfront.Unary:
		in = u.X
	case *cfront.LogicalNot:
		in = u.X
	}
	if in == nil || !within(x.X, x) || !within(in, x) {
		return
	}
	r, a := x.Range(), x.X.Range()
	op := r.File.Text[r.Start]
	if a.Start != r.Start || in.Range().Start != r.Start+1 || strings.IndexByte("~-!", op) < 0 {
		return
	}
	t := string(op) + "(" + string(r.File.Text[r.Start+1:r.End]) + ")"
	s.replaced(x, fn, costFlip, "grouped in another way", t, t)
}

// comparedTexts lists a call of strcmp where the addresses of strings are compared.
func (s *Space) comparedTexts(x *cfront.Binary, fn *cfront.Func) {
	text := func(y cfront.Expr) bool {
		t := y.Type()
		return t.Kind == ctype.Pointer && t.Elem.IsInteger() && t.Elem.Size == 1 && !cfront.IsNull(y)
	}
	if !x.Op.IsCompare() || !within(x.X, x) || !within(x.Y, x) || !text(x.X) || !text(x.Y) || !s.library("strcmp") {
		return
	}
	a, b := x.X.Range(), x.Y.Range()
	if a.End > b.Start {
		return
	}
	op := strings.TrimSpace(string(a.File.Text[a.End:b.Start]))
	t := fmt.Sprintf("strcmp(%s, %s) %s 0", a.Text(), b.Text(), op)
	s.replaced(x, fn, costFlip, "compare the texts", t, t)
}

// precedence exchanges && and || in a || b && c.
func (s *Space) precedence(x *cfront.Logical, fn *cfront.Func) {
	if !within(x.X, x) || !within(x.Y, x) {
		return
	}
	if l, ok := x.Y.(*cfront.Logical); ok && l.And != x.And && within(l.X, x) && within(l.Y, x) {
		t := fmt.Sprintf("%s %s (%s %s %s)", operand(x.X, true), sign(!x.And), l.X.Range().Text(), sign(!l.And), l.Y.Range().Text())
		s.replaced(x, fn, costFlip+1, "&& and || exchanged", t, t)
	}
	if l, ok := x.X.(*cfront.Logical); ok && l.And != x.And && within(l.X, x) && within(l.Y, x) {
		t := fmt.Sprintf("(%s %s %s) %s %s", l.X.Range().Text(), sign(!l.And), l.Y.Range().Text(), sign(!x.And), operand(x.Y, true))
		s.replaced(x, fn, costFlip+1, "&& and || exchanged", t, t)
	}
}

// longProduct makes a product long long before it is divided: a * b / c may fit where a * b does not.
func (s *Space) longProduct(x *cfront.Binary, fn *cfront.Func) {
	op := operatorOf(x)
	m, ok := cfront.Skip(x.X).(*cfront.Binary)
	if !ok || op != "/" && op != "%" || operatorOf(m) != "*" || !within(m, x) || !m.Type().IsInteger() || m.Type().Size > 4 || !x.Editable() {
		return
	}
	r, at := x.Range(), m.Range().Start
	text := cut(r.File, r.Start, at) + "(long long) " + cut(r.File, at, r.End)
	s.replaced(x, fn, costPath, "a product too large for its type", text, text)
}

// duplicated stores a copy of a string, by strdup, where a pointer to it is stored.
func (s *Space) duplicated(x *cfront.Assign, fn *cfront.Func) {
	switch cfront.Skip(x.L).(type) {
	case *cfront.Member, *cfront.Index, *cfront.Deref:
	default:
		return
	}
	if x.HasOp || !isText(x.L.Type()) || !within(x.R, x) || !s.library("strdup") {
		return
	}
	switch cfront.Skip(x.R).(type) {
	case *cfront.Ref, *cfront.Member, *cfront.Index:
		t := "strdup(" + x.R.Range().Text() + ")"
		s.replaced(x.R, fn, costPath, "a copy of its own", t, t)
	}
}

// quotients lists a floating division in place of an integer division whose result becomes a floating number.
func (s *Space) quotients(x cfront.Expr, fn *cfront.Func) {
	switch y := cfront.Skip(x).(type) {
	case *cfront.Cond:
		s.quotients(y.A, fn)
		s.quotients(y.B, fn)
	case *cfront.Binary:
		if !y.Editable() || !y.Type().IsInteger() {
			return
		}
		switch op := operatorOf(y); op {
		case "/":
			if within(y.X, y) && within(y.Y, y) && balanced(y.X.Range().Text()) {
				t := "(double) " + paren(y.X) + string(y.Range().File.Text[y.X.Range().End:y.Range().End])
				if balanced(t) {
					s.replaced(y, fn, costFlip, "divided as floating numbers", t, t)
				}
			}
		case "*", "+", "-":
			s.quotients(y.X, fn)
			s.quotients(y.Y, fn)
		}
	}
}

// named1 lists the store of a variable to the member of the same name.
func (s *facts) named1(v *cfront.Var, vars []*cfront.Var, add func(cost int, what, text string)) {
	if v.Type.Kind != ctype.Pointer || v.Type.ElemQual&ctype.Const != 0 || !v.Type.Elem.IsAggregate() {
		return
	}
	for _, m := range v.Type.Elem.Fields {
		for _, w := range vars {
			if m.Name != "" && m.Qual&ctype.Const == 0 && m.Name == w.Name && w != v && sameType(m.Type, w.Type) && m.Type.IsScalar() {
				add(CostInsert-1, "insert", fmt.Sprintf("%s->%s = %s;", v.Name, m.Name, w.Name))
			}
		}
	}
}

// unlinked lists a branch that removes the node *v from its list when one of its numbers is 0.
func (s *facts) unlinked(v *cfront.Var, f *source.File, indent string, add func(cost int, what, text string)) {
	node := v.Type.Elem
	if !node.Elem.IsAggregate() {
		return
	}
	next, number := "", []string{}
	for _, m := range node.Elem.Fields {
		switch {
		case m.Name != "" && sameType(m.Type, node) && next == "":
			next = m.Name
		case m.Name != "" && m.Type.IsInteger():
			number = append(number, m.Name)
		}
	}
	if next == "" {
		return
	}
	ind := indent + step(f)
	for _, n := range number {
		body := fmt.Sprintf("%s*%s = (*%s)->%s;\n", ind, v.Name, v.Name, next)
		if s.library("free") {
			name := s.fresh(v.Func)
			body = fmt.Sprintf("%s%s = *%s;\n%s*%s = %s->%s;\n%sfree(%s);\n", ind, node.Decl(name), v.Name, ind, v.Name, name, next, ind, name)
		}
		add(CostInsert+2, "insert", fmt.Sprintf("if ((*%s)->%s == 0) {\n%s%s}", v.Name, n, body, indent))
	}
}

const mostElements = 12

// elements lists statements that terminate strings and clear pointers in the array elements that the function names.
func (s *facts) elements(fn *cfront.Func, vars []*cfront.Var) []string {
	in := map[*cfront.Var]bool{}
	for _, v := range vars {
		in[v] = true
	}
	seen := map[string]bool{}
	var out []string
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if t := terminated(y, fn, in); t != "" && !seen[t] && len(out) < mostElements {
				seen[t] = true
				out = append(out, t)
			}
			a, ok := y.(*cfront.Index)
			if !ok || !a.Editable() || len(out) >= mostElements || impure(a) {
				return true
			}
			fr, ok := fragmentOf(a, fn)
			for _, r := range fr.refs {
				ok = ok && in[r.Var]
			}
			t := a.Range().Text()
			if !ok || seen[t] || cfront.ReadOnly(a) {
				return true
			}
			seen[t] = true
			switch k := a.Type(); {
			case k.IsInteger() && k.Size == 1:
				out = append(out, t+" = '\\0';")
			case k.Kind == ctype.Pointer && !k.IsFuncPointer():
				out = append(out, t+" = NULL;")
			}
			return true
		})
	})
	return out
}

const mostAlikes = 16
