package textedit

import (
	"fmt"
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file lists what textbooks say of things that many programs are about: leap years, digits
// beyond 9, the median, spans that overlap, kinds of characters.

const (
	costTextbook = costPath
	mostStored   = 12 // elements that may be stored at one place
	leastOfKind  = 2  // characters of a kind that a condition names
)

// textbook lists other expressions for one.
func (s *Space) textbook(x cfront.Expr, fn *cfront.Func) {
	switch x := x.(type) {
	case *cfront.Binary:
		s.leapYear(x, fn)
		s.digit(x, fn)
		s.bothSpans(x, fn)
		s.longer(x, fn)
	case *cfront.Logical:
		s.kinds(x, fn)
	case *cfront.Index:
		s.middle(x, fn)
		s.neighbour(x, fn)
		s.character(x, fn)
	case *cfront.Deref, *cfront.Ref:
		s.character(x, fn)
	}
}

// leapYear makes y % 4 == 0 the rule of the Gregorian calendar.
func (s *Space) leapYear(x *cfront.Binary, fn *cfront.Func) {
	m, ok := cfront.Skip(x.X).(*cfront.Binary)
	if !ok || operatorOf(x) != "==" || operatorOf(m) != "%" || !x.Editable() || !within(m.X, x) || x.Y.Range().Text() != "0" || m.Y.Range().Text() != "4" {
		return
	}
	y := operandText(m.X)
	t := fmt.Sprintf("%s %% 4 == 0 && (%s %% 100 != 0 || %s %% 400 == 0)", y, y, y)
	s.replaced(x, fn, costTextbook, "leap years", "("+t+")", t)
	t = fmt.Sprintf("(%s)", t)
	s.replaced(x, fn, costTextbook+1, "leap years", t, t)
}

// digit lets letters follow 9.
func (s *Space) digit(x *cfront.Binary, fn *cfront.Func) {
	if operatorOf(x) != "+" || !x.Editable() {
		return
	}
	for _, o := range [][2]cfront.Expr{{x.X, x.Y}, {x.Y, x.X}} {
		if c, ok := cfront.Skip(o[0]).(*cfront.Const); !ok || c.Range().Text() != "'0'" || !within(o[1], x) || impure(o[1]) {
			continue
		}
		d := operandText(o[1])
		for _, a := range []string{"a", "A"} {
			t := fmt.Sprintf("(%s < 10 ? '0' + %s : '%s' + %s - 10)", d, d, a, d)
			s.replaced(x, fn, costTextbook, "letters behind 9", t, t)
		}
	}
}

// bothSpans asks of two records the other way round, too: spans overlap where each begins before the
// other ends.
func (s *Space) bothSpans(x *cfront.Binary, fn *cfront.Func) {
	a, isA := cfront.Skip(x.X).(*cfront.Member)
	b, isB := cfront.Skip(x.Y).(*cfront.Member)
	if !isA || !isB || !x.Op.IsCompare() || a.Field.Name == b.Field.Name || !sameType(baseOf(a), baseOf(b)) || !within(a, x) || !within(b, x) {
		return
	}
	p, q := a.Range().Text(), b.Range().Text()
	if !strings.HasSuffix(p, a.Field.Name) || !strings.HasSuffix(q, b.Field.Name) {
		return
	}
	left, right := p[:len(p)-len(a.Field.Name)], q[:len(q)-len(b.Field.Name)]
	if left == right {
		return
	}
	t := fmt.Sprintf("%s && %s%s %s %s%s", x.Range().Text(), right, a.Field.Name, operatorOf(x), left, b.Field.Name)
	s.replaced(x, fn, costTextbook, "and the other way round", "("+t+")", t)
	t = strings.Replace(t, "&&", "||", 1)
	s.replaced(x, fn, costTextbook+1, "or the other way round", "("+t+")", t)
}

// longer compares lengths instead of texts, or texts instead of lengths.
func (s *Space) longer(x *cfront.Binary, fn *cfront.Func) {
	op := operatorOf(x)
	c, ok := cfront.Skip(x.X).(*cfront.Call)
	if !ok || !x.Op.IsCompare() || !x.Editable() || len(c.Args) != 2 || x.Y.Range().Text() != "0" || !within(c.Args[0], x) || !within(c.Args[1], x) {
		return
	}
	if f, ok := cfront.Skip(c.Fun).(*cfront.FuncRef); !ok || f.Func.Name != "strcmp" {
		return
	}
	t := fmt.Sprintf("strlen(%s) %s strlen(%s)", c.Args[0].Range().Text(), op, c.Args[1].Range().Text())
	s.replaced(x, fn, costTextbook+1, "compare the lengths", t, t)
}

// kindsOf are characters that belong together.
var kindsOf = []string{"aeiou", "AEIOU", "+-*/", "+-*/%", "([{", ")]}", " \t\n", ",.;:!?"}

// kinds completes a condition that names some characters of a kind.
func (s *Space) kinds(x *cfront.Logical, fn *cfront.Func) {
	if !x.Editable() || x.And {
		return
	}
	var chars, of string
	whole := true
	var collect func(y cfront.Expr)
	collect = func(y cfront.Expr) {
		switch y := cfront.Skip(y).(type) {
		case *cfront.Logical:
			if whole = whole && !y.And; whole {
				collect(y.X)
				collect(y.Y)
			}
		case *cfront.Binary:
			c, ok := cfront.Skip(y.Y).(*cfront.Const)
			if !ok || operatorOf(y) != "==" || !within(y.X, x) || len(c.Range().Text()) < 3 || c.Range().Text()[0] != '\'' || of != "" && of != y.X.Range().Text() {
				whole = false
				return
			}
			of, chars = y.X.Range().Text(), chars+unquoted(c.Range().Text())
		default:
			whole = false
		}
	}
	if collect(x); !whole || impureText(of) {
		return
	}
	for _, k := range kindsOf {
		missing, n := "", 0
		for _, c := range k {
			if strings.ContainsRune(chars, c) {
				n++
			} else {
				missing += " || " + of + " == " + quoted(c)
			}
		}
		if n == len(chars) && n >= leastOfKind && missing != "" {
			s.replaced(x, fn, costTextbook, "a character of the kind", x.Range().Text()+missing, x.Range().Text()+missing)
		}
	}
}

func impureText(t string) bool {
	return strings.Contains(t, "++") || strings.Contains(t, "--") || strings.Contains(t, "(")
}

func unquoted(t string) string {
	switch t {
	case `'\t'`:
		return "\t"
	case `'\n'`:
		return "\n"
	}
	return t[1 : len(t)-1]
}

func quoted(c rune) string {
	switch c {
	case '\t':
		return `'\t'`
	case '\n':
		return `'\n'`
	}
	return "'" + string(c) + "'"
}

// middle makes the middle element the median: of an even number the two in the middle count.
func (s *Space) middle(x *cfront.Index, fn *cfront.Func) {
	half, ok := cfront.Skip(x.I).(*cfront.Binary)
	if !ok || operatorOf(half) != "/" || half.Y.Range().Text() != "2" || !x.Editable() || !within(x.X, x) || !within(half.X, x) || !x.Type().IsReal() {
		return
	}
	a, n := x.X.Range().Text(), operandText(half.X)
	for i, two := range []string{"2.0", "2"} {
		t := fmt.Sprintf("(%s %% 2 ? %s[%s / 2] : (%s[%s / 2 - 1] + %s[%s / 2]) / %s)", n, a, n, a, n, a, n, two)
		s.replaced(x, fn, costTextbook+i, "the median", t, t)
	}
}

// stored lists what is stored in an array behind a loop, or at the end of a block: at a place, a value.
func stored(p place, vars []*cfront.Var, add func(cost int, what, text string)) {
	if p.block == nil || p.index < 0 || p.index >= len(p.block.List) {
		return
	}
	switch p.block.List[p.index].(type) {
	case *cfront.While, *cfront.For:
	default:
		if p.index != len(p.block.List)-1 {
			return
		}
	}
	body := p.fn.Body.Range().Text()
	n := 0
	for _, a := range vars {
		e := a.Type.Elem
		if (a.Type.Kind != ctype.Array && a.Type.Kind != ctype.Pointer) || e == nil || !e.IsInteger() || e.Size < 4 || (a.Qual|a.Type.ElemQual)&ctype.Const != 0 {
			continue
		}
		for _, i := range vars {
			if i.Func == nil || !i.Type.IsInteger() || !strings.Contains(body, a.Name+"["+i.Name) {
				continue
			}
			for _, v := range vars {
				if v != i && v.Func != nil && sameType(v.Type, e) && n < mostStored {
					n++
					add(CostInsert, "insert", fmt.Sprintf("%s[%s] = %s;", a.Name, i.Name, v.Name))
				}
			}
		}
	}
}

// passed lists by what a loop goes on beyond what it has dealt with as a whole.
func passed(p place, vars []*cfront.Var, add func(cost int, what, text string)) {
	loop, ok := p.loop.(*cfront.For)
	if !ok || loop.Post == nil {
		return
	}
	for _, v := range vars {
		d, ok := loop.Post.(*cfront.IncDec)
		if !ok || d.Dec || !refers(d.X, v) {
			continue
		}
		n := 0
		for _, w := range vars {
			if w != v && w.Func != nil && w.Type.IsInteger() && n < mostGrowing {
				n++
				add(CostInsert, "insert", v.Name+" += "+w.Name+" - 1;")
				add(CostInsert+1, "insert", v.Name+" += "+w.Name+";")
			}
		}
	}
}

// apart lists in which condition the two places of an element differ: what stands in the middle of both
// diagonals counts once.
func (s *Space) apart(st cfront.Stmt, add func(cost int, cond string)) {
	x, ok := st.(*cfront.ExprStmt)
	if !ok {
		return
	}
	cfront.Walk(x.X, func(y cfront.Expr) bool {
		outer, ok := y.(*cfront.Index)
		if !ok {
			return true
		}
		in, ok := cfront.Skip(outer.X).(*cfront.Index)
		if !ok || !within(in.I, x.X) || !within(outer.I, x.X) || impure(outer.I) || impure(in.I) {
			return true
		}
		a, b := in.I.Range().Text(), outer.I.Range().Text()
		if a != b && (!plain(in.I) || !plain(outer.I)) {
			add(costTextbook+1, a+" != "+b)
		}
		return true
	})
}

// plain reports whether an expression is a variable or a constant.
func plain(x cfront.Expr) bool {
	switch cfront.Skip(x).(type) {
	case *cfront.Ref, *cfront.Const:
		return true
	}
	return false
}

// carried lists what goes over to the next place where a remainder is kept, and the remainder where
// something went over.
func carried(p place, vars []*cfront.Var, add func(cost int, what, text string)) {
	if p.block == nil || p.index < 0 || p.index >= len(p.block.List) {
		return
	}
	if p.index+1 < len(p.block.List) {
		if m := remainder.FindStringSubmatch(p.block.List[p.index+1].Range().Text()); m != nil {
			for _, v := range vars {
				if v.Func != nil && v.Type.IsInteger() && v.Name != m[1] {
					add(CostInsert-1, "insert", v.Name+" += "+m[1]+" / "+m[2]+";")
				}
			}
		}
	}
	if m := quotient.FindStringSubmatch(p.block.List[p.index].Range().Text()); m != nil {
		add(CostInsert-1, "insert", m[1]+" %= "+m[2]+";")
	}
}

// pathText is a variable or a member of one.
const pathText = `\w+(?:(?:\.|->)\w+)*`

var (
	remainder = regexp.MustCompile(`^(\w+) %= (\w+);?$`)
	quotient  = regexp.MustCompile(`\+= (\w+) / (\w+);?$`)
	leftChild = regexp.MustCompile(`(\w+) ?= ?\(?(?:2 ?\* ?\w+|\w+ ?\* ?2|\w+ ?<< ?1)\)?(?: ?\+ ?1)?`)
)

// smallerChild lists how the child on the right of a heap in an array is looked at: where the one on the
// left was computed, in a statement before or in the head of the loop.
func smallerChild(p place, add func(cost int, what, text string)) {
	if p.block == nil {
		return
	}
	var list []string
	switch {
	case p.index < 0 && p.loop != nil && p.loop.Range().Start < p.block.Range().Start:
		f := p.block.Range().File
		list = []string{string(f.Text[p.loop.Range().Start:p.block.Range().Start])}
	case p.index >= 0 && p.index < len(p.block.List):
		for _, st := range p.block.List[max(0, p.index-2) : p.index+1] {
			if d, ok := st.(*cfront.Decl); ok && len(d.Init) == 1 {
				list = append(list, d.Var.Name+" = "+d.Init[0].X.Range().Text())
			}
			list = append(list, st.Range().Text())
		}
	}
	for _, text := range list {
		m := leftChild.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		c, body := m[1], p.fn.Body.Range().Text()
		end := regexp.MustCompile(`\b` + c + `\b[^;&|\[\]]*?\)? ?(<=|<|>=|>) ?(` + pathText + `)`).FindStringSubmatch(body)
		of := regexp.MustCompile(`(` + pathText + `)\[` + c + `\]`).FindStringSubmatch(body)
		if end == nil || of == nil {
			continue
		}
		within := "<"
		if end[1] == "<=" || end[1] == ">" { // the last one has the number of them
			within = "<="
		}
		l, r := of[1]+"["+c+" + 1]", of[1]+"["+c+"]"
		inside := "\n" + p.indent + step(p.fn.Body.Range().File) + c + "++;"
		cost := CostInsert
		if !regexp.MustCompile(`\b` + c + ` ?(?:\+|\|) ?1\b|\b` + c + ` ?(?:\+\+|\+=)|\+\+` + c + `\b|2 ?\* ?\w+ ?\+ ?2`).MatchString(body) {
			cost = costForgotten // nobody looks at it
		}
		for _, o := range childOrders(body, l, r) {
			add(cost, "insert", "if ("+c+" + 1 "+within+" "+end[2]+" && "+o+")"+inside)
		}
	}
}

// childOrders lists how one element of a heap is compared with another: as in the function's text where
// one of them stands.
func childOrders(body, l, r string) []string {
	q := regexp.QuoteMeta(r)
	for _, m := range regexp.MustCompile(`(\w+)\((&?)`+q+`((?:\.|->)?\w*), [^()]*\)( ?[<>]=? ?0)?`).FindAllStringSubmatch(body, -1) {
		if !strings.Contains(m[1], "swap") {
			return []string{m[1] + "(" + m[2] + l + m[3] + ", " + m[2] + r + m[3] + ")" + m[4]}
		}
	}
	for _, m := range regexp.MustCompile(`(\w+)\([^(),]*, (&?)`+q+`((?:\.|->)?\w*)\)( ?[<>]=? ?0)?`).FindAllStringSubmatch(body, -1) {
		if !strings.Contains(m[1], "swap") {
			a, b := m[2]+l+m[3], m[2]+r+m[3]
			return []string{m[1] + "(" + a + ", " + b + ")" + m[4], m[1] + "(" + b + ", " + a + ")" + m[4]}
		}
	}
	member := ""
	if m := regexp.MustCompile(q + `((?:(?:\.|->)\w+)*) ?[<>]`).FindStringSubmatch(body); m != nil {
		member = m[1]
	} else if m := regexp.MustCompile(`[<>]=? ?` + q + `((?:(?:\.|->)\w+)*)`).FindStringSubmatch(body); m != nil {
		member = m[1]
	}
	return []string{l + member + " < " + r + member, l + member + " > " + r + member}
}

// leastSoFar lists how the least or greatest that a loop has seen is kept: of a variable that it reads and
// never stores to.
func leastSoFar(p place, vars []*cfront.Var, add func(cost int, what, text string)) {
	if p.loop == nil || p.block == nil || p.index != len(p.block.List)-1 {
		return
	}
	body := p.loop.Range().Text()
	inside := "\n" + p.indent + step(p.fn.Body.Range().File)
	for _, v := range vars {
		if v.Func == nil || !v.Type.IsInteger() || !word(v.Name).MatchString(body) || v.Range.Start > p.loop.Range().Start || changes([]cfront.Stmt{p.loop}, v) {
			continue
		}
		for _, w := range vars {
			if w.Func != nil && sameType(w.Type, v.Type) && w.Range.Start > p.loop.Range().Start {
				for i, op := range []string{"<", ">"} {
					add(CostInsert+i, "insert", fmt.Sprintf("if (%s %s %s)%s%s = %s;", w.Name, op, v.Name, inside, v.Name, w.Name))
				}
			}
		}
	}
}
