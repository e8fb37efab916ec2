package textedit

import (
	"fmt"
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file lists the edits of expressions.

// value lists the edits of an expression whose value is used, and of its parts.
func (s *Space) value(x cfront.Expr, fn *cfront.Func) {
	s.expr(x, fn, false)
	s.jointly(x, fn)
	s.everywhere(x, fn)
}

// condition lists the edits of a condition. Those of its parts come first: they cost less, and a place has room for a
// limited number.
func (s *Space) condition(x cfront.Expr, fn *cfront.Func) {
	s.value(x, fn)
	s.allAlike(x, fn)
	r := x.Range()
	if x.Editable() {
		t := r.Text()
		s.opposite(x, fn)
		for _, c := range s.conditionsAt(fn, r.File, r.Start) {
			if c == t {
				continue
			}
			extra := len(c) / 12
			if renamed(t, c) { // one of two objects that both need the test was forgotten
				s.replaced(x, fn, costPath+1, "and", "("+t+") && ("+c+")", operand(x, true)+" && "+anded(c))
			}
			s.replaced(x, fn, costGuard+extra, "and", "("+t+") && ("+c+")", operand(x, true)+" && "+anded(c))
			s.replaced(x, fn, costGuard+extra, "or", "("+t+") || ("+c+")", ored(t)+" || "+ored(c))
			s.replaced(x, fn, costGuard+1+extra, "and", "("+c+") && ("+t+")", anded(c)+" && "+operand(x, true))
			s.replaced(x, fn, costGuard+2+extra, "another condition", c, c)
		}
		s.madeUp(x, fn)
	}
}

// renamed reports whether two texts differ only in one name, which the first contains at least twice.
func renamed(a, b string) bool {
	x, y := lexemes(a), lexemes(b)
	if len(x) != len(y) {
		return false
	}
	from, to, n := "", "", 0
	for i := range x {
		switch {
		case x[i].text == y[i].text && x[i].text != from:
		case from == "" && isName(x[i].text) && isName(y[i].text):
			from, to, n = x[i].text, y[i].text, 1
		case x[i].text == from && y[i].text == to:
			n++
		default:
			return false
		}
	}
	return n >= 2
}

// expr lists the edits of an expression and its parts. l is set where the expression is assigned to or its address is
// taken.
func (s *Space) expr(x cfront.Expr, fn *cfront.Func, l bool) {
	if x == nil {
		return
	}
	if !x.Editable() {
		return
	}
	written := s.written
	s.written = false
	if b, ok := x.(*cfront.Binary); ok {
		s.comparesData(b, fn)
		if b.Op == ctype.Add || b.Op == ctype.Sub {
			s.sumsConstant(b)
		}
	}
	sub := func(y cfront.Expr, l bool) {
		if y == nil {
			return
		}
		if c, ok := cfront.Skip(y).(*cfront.Const); ok && !c.Editable() {
			s.otherNames(c, fn)
		}
		if within(y, x) {
			s.expr(y, fn, l)
		}
	}
	switch y := x.(type) {
	case *cfront.Cast:
		if y.Type().Kind == ctype.Float && y.X.Type().IsInteger() {
			s.quotients(y.X, fn)
		}
		s.allocated(y, fn)
		if y.Implicit {
			s.written = written
			s.expr(y.X, fn, l)
			return
		}
		sub(y.X, false)
	case *cfront.Decay:
		if str, ok := y.X.(*cfront.String); ok {
			s.literal(str, fn)
			return
		}
		s.arrays(y, fn)
		s.expr(y.X, fn, true)
		return
	case *cfront.Assign:
		s.duplicated(y, fn)
		s.otherSign(y.R, fn)
		s.null(y.R, fn)
		sub(y.L, true)
		sub(y.R, false)
		return
	case *cfront.IncDec:
		sub(y.X, true)
		return
	case *cfront.Addr:
		s.addresses(y, fn)
		sub(y.X, true)
	case *cfront.Member:
		s.written = l && y.Arrow
		sub(y.X, l && !y.Arrow)
		s.written = false
	case *cfront.Index:
		s.indexAsElsewhere(y, fn)
		sub(y.X, l)
		sub(y.I, false)
	case *cfront.Deref:
		s.written = l
		sub(y.X, false)
		s.written = false
	case *cfront.Call:
		s.twin(y)
		s.siblings(y, fn)
		s.fitting(y, fn)
		for _, a := range y.Args {
			s.otherSign(a, fn)
			s.null(a, fn)
			sub(a, false)
		}
	case *cfront.FuncRef:
		for _, g := range s.otherFunctions(y) {
			s.replaced(y, fn, costPath, "another function", g, g)
		}
		return
	case *cfront.Compound, *cfront.StmtExpr, *cfront.VaArg, *cfront.VaStart, *cfront.SizeofVLA:
		return
	case *cfront.Unary, *cfront.LogicalNot, *cfront.Binary, *cfront.Logical, *cfront.Cond, *cfront.Comma:
		if _, whole := number(x); !whole {
			cfront.Children(x, func(c cfront.Expr) { sub(c, false) })
		}
	}
	if !l && x.Type() != nil && x.Type().IsScalar() && balanced(x.Range().Text()) {
		s.written = written
		s.alternatives(x, fn)
		s.written = false
	}
}

// alternatives lists replacements for an expression.
func (s *Space) alternatives(x cfront.Expr, fn *cfront.Func) {
	r := x.Range()
	text := r.Text()
	alt := func(cost int, what, t string) { s.replaced(x, fn, cost, what, t, t) }
	defer s.idioms(x, fn)
	switch x := x.(type) {
	case *cfront.Const:
		s.constants(x, fn)
		s.pathsFor(x, fn)
	case *cfront.Unary:
		if _, whole := number(x); whole {
			s.constants(x, fn)
		}
	case *cfront.Ref:
		for _, v := range Visible(s.tree, fn, r.File, r.Start) {
			switch {
			case v == x.Var:
			case s.fits(v.Type, x.Type()):
				cost := costPath + kinds(s.ofTruth(x), s.truthVar(v))
				if s.data[x] && s.counters(fn)[v] {
					cost += costData
				}
				alt(cost, "another variable", v.Name)
			case widens(v.Type, x.Type()):
				alt(costPath+1, "another variable", v.Name)
			}
		}
		s.oneStepMore(x, text, costPath, alt)
		s.indexed(x, fn)
		s.wholes(x, fn)
		s.offByOne(x, fn)
		s.scaled(x, fn)
	case *cfront.Member:
		s.otherMembers(x, fn, alt)
		s.oneStepMore(x, text, costPath+1, alt)
		s.indexed(x, fn)
		s.lookedUp(x, fn)
		s.offByOne(x, fn)
		s.scaled(x, fn)
	case *cfront.Index:
		s.lookedUp(x, fn)
		if t, ok := turned(x); ok {
			alt(costFlip+1, "rows and columns exchanged", t)
		}
		s.offByOne(x, fn)
		s.scaled(x, fn)
	case *cfront.Binary:
		s.binary(x, fn)
		s.similar(x, fn)
		s.indexedInstead(x, fn)
		s.aroundRing(x, fn)
	case *cfront.Logical:
		s.logical(x, fn)
	case *cfront.LogicalNot:
		if within(x.X, x) {
			alt(costFlip, "without !", x.X.Range().Text())
		}
	case *cfront.Cond:
		if within(x.A, x) && within(x.B, x) && within(x.C, x) {
			alt(costFlip, "exchange", fmt.Sprintf("%s ? %s : %s", x.C.Range().Text(), operand(x.B, false), operand(x.A, false)))
			alt(costDelete+1, "one branch", x.A.Range().Text())
			alt(costDelete+1, "one branch", x.B.Range().Text())
		}
	case *cfront.Call:
		s.call(x, fn)
		if strings.HasPrefix(text, "strlen") || isItself(x, fn) {
			s.offByOne(x, fn)
		}
		s.scaled(x, fn)
	case *cfront.Deref:
		s.oneStepMore(x, "("+text+")", costPath+1, alt)
		s.scaled(x, fn)
	case *cfront.Cast:
		s.scaled(x, fn)
	case *cfront.Addr:
		if m, ok := x.X.(*cfront.Member); ok && within(m, x) && within(m.X, m) {
			base := text[:m.Range().End-r.Start-len(m.Field.Name)]
			for _, f := range membersOf(m) {
				if f != m.Field.Name && strings.HasSuffix(m.Range().Text(), m.Field.Name) {
					alt(costPath, "another field", base+f)
				}
			}
		}
	}
}

// otherMembers lists, for a member, other members of the same object, the pointer to the object, and calls of functions
// with that pointer.
func (s *Space) otherMembers(x *cfront.Member, fn *cfront.Func, alt func(cost int, what, text string)) {
	if !within(x.X, x) {
		return
	}
	t, r := x.X.Type(), x.Range()
	if t.Kind == ctype.Pointer {
		t = t.Elem
	}
	base := r.Text()[:x.X.Range().End-r.Start]
	dot := "."
	if x.Arrow {
		dot = "->"
	}
	for _, f := range t.Fields {
		switch {
		case f.Name == "" || f.Name == x.Field.Name:
		case s.fits(f.Type, x.Type()):
			alt(costPath, "another field", base+dot+f.Name)
		case widens(f.Type, x.Type()) && f.BitLen == 0:
			alt(costPath+1, "another field", base+dot+f.Name)
		}
	}
	if x.Arrow && sameType(x.X.Type(), x.Type()) {
		alt(costPath, "one step less", base)
	}
	for _, g := range s.askable(x, fn) {
		alt(costPath+1, "the function, not the member", g+"("+base+")")
	}
}

// widens reports whether a value of type from may replace one of type to: an integer may replace a floating number. The
// reverse would lose its decimals.
func widens(from, to *ctype.Type) bool {
	return from != nil && to != nil && from.Kind == ctype.Int && to.Kind == ctype.Float
}

// arrays lists other arrays of the same type.
func (s *Space) arrays(x *cfront.Decay, fn *cfront.Func) {
	a, ok := x.X.(*cfront.Ref)
	if !ok || !a.Editable() || a.Var.Type.Kind != ctype.Array {
		return
	}
	r := a.Range()
	for _, v := range Visible(s.tree, fn, r.File, r.Start) {
		if v != a.Var && sameType(v.Type, a.Var.Type) && v.Qual == a.Var.Qual {
			s.replaced(a, fn, costPath, "another array", v.Name, v.Name)
		}
	}
}

// offByOne adds one and subtracts one.
func (s *Space) offByOne(x cfront.Expr, fn *cfront.Func) {
	if !integer(x) || ofSign(x) || s.ofTruth(x) || s.summed[x] || x.Type().Size == 1 && x.Type().Kind != ctype.Int {
		return
	}
	r := x.Range()
	t, cost := r.Text(), costStep+1
	if s.data[x] {
		cost += costData
	}
	if tight(r.File.Text, r.Start, r.End) { // prefer one more of the whole to one more of a part
		cost++
	}
	s.grouped(x, fn, cost, "one more", t+" + 1")
	s.grouped(x, fn, cost, "one less", t+" - 1")
}

// mostScales bounds the constants that a value is combined with.
const mostScales = 6

// scaled combines a value with constants of the program: shifted by, subtracted from, divided by. Values of an
// enumeration are left out: computing with one only makes it none, which keeps a branch from being taken.
func (s *Space) scaled(x cfront.Expr, fn *cfront.Func) {
	if !integer(x) || ofSign(x) || s.ofTruth(x) || x.Type().Enum || cfront.Skip(x).Type().Enum {
		return
	}
	t := x.Range().Text()
	n := 0
	for _, c := range s.spelled(fn, "0123456789") {
		if n == mostScales || c == "0" || c == "1" || strings.Contains(c, ".") {
			continue
		}
		n++
		cost := costPath + 1
		if !word(c).MatchString(fn.Body.Range().Text()) { // the function does not use this constant
			cost += 2
		}
		s.grouped(x, fn, cost, "taken from a constant", c+" - "+t)
		for _, op := range []string{"<<", ">>", "*", "/", "%", "&", "+", "-"} {
			s.grouped(x, fn, costPath+2, CombinedWithConstant, t+" "+op+" "+c)
		}
	}
}

// constants lists other constants for one, which may be a number with a minus before it.
func (s *Space) constants(x cfront.Expr, fn *cfront.Func) {
	c, _ := x.(*cfront.Const)
	if c != nil && s.besideSign(c, fn) {
		return
	}
	text := x.Range().Text()
	alt := func(cost int, c string) {
		if c != text {
			s.replaced(x, fn, cost, AnotherConstant, c, c)
		}
	}
	n, whole := number(x)
	switch {
	case strings.HasPrefix(text, "'"):
		for _, c := range s.spelled(fn, "'") {
			alt(costPath, c)
		}
	case whole:
		other := func(cost int, with string) { // a truth value is unlikely to be anything but 0 or 1
			if c != nil && s.truthConst(c) && with != "0" && with != "1" {
				cost += costKinds
			}
			alt(cost, with)
		}
		for _, m := range []int64{n + 1, n - 1} {
			cost := costStep
			if m == 0 && added(x) { // nobody writes x - 0
				cost = costPath + 2
			}
			other(cost, fmt.Sprint(m))
		}
		for _, m := range []int64{0, 1, -1, 2, 10, 2 * n, n / 2, -n, n * 10, n * 100} {
			if m <= 0 && added(x) || m == n*100 && n < 10 { // the other operand alone, or the other sign, does the same; nobody means 100 with 1
				continue
			}
			other(costPath, fmt.Sprint(m))
		}
		for _, with := range s.spelled(fn, "0123456789") {
			if !strings.Contains(with, ".") { // 1.0 would make the expression around it a double, also where printf takes an int
				other(costPath, with)
			}
		}
	case x.Type().Kind == ctype.Float:
		for _, c := range append(s.spelled(fn, "0123456789."), "0.0", "1.0", "2.0", "0.5", "10.0", "100.0") {
			if strings.Contains(c, ".") {
				alt(costPath, c)
			}
		}
	}
}

// number returns the value of a whole number, which may have a minus before it.
func number(x cfront.Expr) (n int64, ok bool) {
	sign, text := int64(1), x.Range().Text()
	if u, ok := x.(*cfront.Unary); ok && u.Op == ctype.Neg && u.Editable() {
		x, sign, text = u.X, -1, strings.TrimPrefix(text, "-")
	}
	c, ok := x.(*cfront.Const)
	if !ok || !c.Editable() || !c.Type().IsInteger() || strings.Trim(text, "0123456789-") != "" || text != c.Range().Text() {
		return 0, false
	}
	return sign * int64(c.Value), true
}

// added reports whether a + or - stands before an expression.
func added(x cfront.Expr) bool {
	r := x.Range()
	before := strings.TrimRight(string(r.File.Text[:r.Start]), " \t")
	return strings.HasSuffix(before, "+") || strings.HasSuffix(before, "-")
}

// spelled returns the constants of the program whose text begins with one of the characters of first.
func (s *facts) spelled(fn *cfront.Func, first string) []string {
	var out []string
	seen := map[string]bool{}
	for _, f := range append([]*cfront.Func{fn}, s.tree.Funcs...) {
		if f.Body == nil || !f.Range.Valid() || strings.HasPrefix(f.Range.File.Name, "@") {
			continue
		}
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				c, ok := y.(*cfront.Const)
				if ok && c.Editable() && len(out) < 16 {
					if t := c.Range().Text(); t != "" && strings.ContainsRune(first, rune(t[0])) && !seen[t] && spelling.MatchString(t) {
						seen[t] = true
						out = append(out, t)
					}
				}
				return true
			})
		})
	}
	return out
}

var spelling = regexp.MustCompile(`^([0-9][0-9a-fA-FxXuUlL.]*|'.*')$`)

var comparisons = []string{"<", "<=", ">", ">=", "==", "!="}

// besideOf gives for each comparison its likeliest replacement: it also includes equal values, or no longer does, or is
// the opposite.
var besideOf = map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}

// compared returns the cost of another comparison: who means >= often writes >, but seldom !=.
func compared(op, other string) int {
	switch {
	case besideOf[op] == other:
		return costFlip
	case other == "!=" && !equality(op):
		return costFlip + 2
	}
	return costFlip + 1
}

// binary lists other operators, exchanged operands, and one operand alone.
func (s *Space) binary(x *cfront.Binary, fn *cfront.Func) {
	if !within(x.X, x) || !within(x.Y, x) {
		return
	}
	r, a, b := x.Range(), x.X.Range(), x.Y.Range()
	if a.End > b.Start {
		return
	}
	op := strings.TrimSpace(string(r.File.Text[a.End:b.Start]))
	left, right := string(r.File.Text[r.Start:a.End]), string(r.File.Text[b.Start:r.End])
	with := func(cost int, what, l, o, rr string) {
		s.grouped(x, fn, cost, what, l+" "+o+" "+rr)
	}
	others := map[string][]string{"+": {"-", "*"}, "-": {"+", "/"}, "*": {"+", "/"}, "/": {"%", "*"}, "%": {"/"}, "&": {"|", "^", "&&"}, "|": {"&", "^", "||"}, "^": {"|", "&"}, "<<": {">>"}, ">>": {"<<"}}
	if x.Op.IsCompare() {
		for _, o := range comparisons {
			if o != op && (x.X.Type().Kind != ctype.Pointer || o == "==" || o == "!=") {
				cost := compared(op, o)
				if signs(x) && equality(o) != equality(op) {
					cost += costSigns
				}
				with(cost, "another comparison", left, o, right)
			}
		}
	}
	both := x.X.Type().Kind == ctype.Pointer && x.Y.Type().Kind == ctype.Pointer
	for _, o := range others[op] {
		if both {
			break
		}
		if x.X.Type().Kind != ctype.Pointer && x.Type().Kind != ctype.Float || o == "+" || o == "-" || x.X.Type().Kind != ctype.Pointer && (o == "*" || o == "/") {
			with(costPath, "another operator", left, o, right)
		}
	}
	if op == "-" && (both || x.X.Type().Kind != ctype.Pointer) || op == "/" || op == "%" || op == "<<" || op == ">>" {
		with(costFlip, "operands the other way round", paren(x.Y), op, paren(x.X))
	}
	if !x.Op.IsCompare() {
		if sameType(x.X.Type(), x.Type()) {
			cost := costPath
			if right == "1" {
				cost = costStep
			}
			s.replaced(x, fn, cost, "one operand", left, left)
		}
		if sameType(x.Y.Type(), x.Type()) {
			s.replaced(x, fn, costPath+1, "one operand", right, right)
		}
		s.offByOne(x, fn)
		s.regrouped(x, fn, op)
		for _, c := range s.spelled(fn, "0123456789") {
			if op == "%" || op == "<<" || op == ">>" || !integer(x) {
				break
			}
			if c == "0" || c == "1" || strings.Contains(c, ".") {
				continue
			}
			s.grouped(x, fn, costPath+2, "the remainder", paren(x)+" % "+c)
		}
	}
}

// regrouped groups a op b op2 c the other way.
func (s *Space) regrouped(x *cfront.Binary, fn *cfront.Func, op string) {
	r := x.Range()
	if l, ok := cfront.Skip(x.X).(*cfront.Binary); ok && within(l, x) && within(l.X, l) && within(l.Y, l) {
		a, b := l.X.Range(), l.Y.Range()
		if a.End < b.Start && b.End <= r.End {
			inner := strings.TrimSpace(string(r.File.Text[a.End:b.Start]))
			t := fmt.Sprintf("%s %s (%s %s %s)", a.Text(), inner, b.Text(), op, x.Y.Range().Text())
			s.replaced(x, fn, costFlip+1+regrouping(x.X, l.X), "grouped in another way", t, t)
		}
	}
	if l, ok := cfront.Skip(x.Y).(*cfront.Binary); ok && within(l, x) && within(l.X, l) && within(l.Y, l) {
		a, b := l.X.Range(), l.Y.Range()
		if a.End < b.Start {
			inner := strings.TrimSpace(string(r.File.Text[a.End:b.Start]))
			t := fmt.Sprintf("(%s %s %s) %s %s", x.X.Range().Text(), op, a.Text(), inner, b.Text())
			s.replaced(x, fn, costFlip+1+regrouping(x.Y, l.X), "grouped in another way", t, t)
		}
	}
}

// logical lists the other operator, one side alone, exchanged sides and other groupings.
func (s *Space) logical(x *cfront.Logical, fn *cfront.Func) {
	s.twice(x, fn)
	if !within(x.X, x) || !within(x.Y, x) {
		return
	}
	r := x.Range()
	a, b := x.X.Range().Text(), x.Y.Range().Text()
	if x.And {
		or := a + " || " + b
		if nextTo(r.File.Text, r.Start, r.End, "&&") {
			or = "(" + or + ")"
		}
		s.replaced(x, fn, costFlip, "or", fmt.Sprintf("(%s) || (%s)", a, b), or)
	} else {
		s.replaced(x, fn, costFlip, "and", fmt.Sprintf("(%s) && (%s)", a, b), operand(x.X, true)+" && "+operand(x.Y, true))
	}
	s.replaced(x, fn, costPath, "one side", a, a)
	s.replaced(x, fn, costPath, "one side", b, b)
	s.replaced(x, fn, costSwap, "the sides the other way round", fmt.Sprintf("(%s) %s (%s)", b, sign(x.And), a), operand(x.Y, x.And)+" "+sign(x.And)+" "+operand(x.X, x.And))
	if l, ok := x.X.(*cfront.Logical); ok && within(l, x) && within(l.X, l) && within(l.Y, l) && l.And != x.And {
		t := fmt.Sprintf("%s %s (%s %s %s)", l.X.Range().Text(), sign(l.And), l.Y.Range().Text(), sign(x.And), b)
		s.replaced(x, fn, costFlip+regrouping(x.X, l.X), "grouped in another way", t, t)
	}
	if l, ok := x.Y.(*cfront.Logical); ok && within(l, x) && within(l.X, l) && within(l.Y, l) && l.And != x.And {
		t := fmt.Sprintf("(%s %s %s) %s %s", a, sign(x.And), l.X.Range().Text(), sign(l.And), l.Y.Range().Text())
		s.replaced(x, fn, costFlip+regrouping(x.Y, l.X), "grouped in another way", t, t)
	}
}

// costGrouped is added where parentheses that somebody wrote are removed.
const costGrouped = 2

// regrouping returns the additional cost of grouping the parts of x in another way; a is the first part.
func regrouping(x, a cfront.Expr) int {
	if strings.HasPrefix(x.Range().Text(), "(") && a.Range().Start > x.Range().Start {
		return costGrouped
	}
	return 0
}

// nextTo reports whether an operator stands directly beside a range.
func nextTo(text []byte, start, end int, op string) bool {
	return strings.HasSuffix(strings.TrimRight(string(text[:start]), " \t\n"), op) || strings.HasPrefix(strings.TrimLeft(string(text[end:]), " \t\n"), op)
}

// call lists exchanges of two arguments, and other functions of the same type.
func (s *Space) call(x *cfront.Call, fn *cfront.Func) {
	r := x.Range()
	for i := range x.Args {
		for j := i + 1; j < len(x.Args); j++ {
			a, b := x.Args[i], x.Args[j]
			if within(a, x) && within(b, x) && sameType(a.Type(), b.Type()) && a.Range().End <= b.Range().Start {
				t := r.File.Text
				text := string(t[r.Start:a.Range().Start]) + b.Range().Text() + string(t[a.Range().End:b.Range().Start]) + a.Range().Text() + string(t[b.Range().End:r.End])
				cost := costFlip
				if _, out := cfront.Skip(a).(*cfront.Addr); out {
					cost = costSwap // arguments that are read into are exchanged by mistake less often than numbers
				}
				s.replaced(x, fn, cost, "arguments the other way round", text, text)
			}
		}
	}
	s.cleared(x, fn)
	s.overlapping(x, fn)
	ref, ok := x.Fun.(*cfront.FuncRef)
	if !ok || !within(x.Fun, x) {
		return
	}
	for _, g := range s.tree.Funcs {
		if g != ref.Func && g.Name != "main" && s.declared(g, r.File, r.Start) && sameType(g.Type, ref.Func.Type) {
			t := g.Name + string(r.File.Text[x.Fun.Range().End:r.End])
			s.replaced(x, fn, costPath+kinds(s.truthFunc(ref.Func), s.truthFunc(g)), "another function", t, t)
		}
	}
}
