package textedit

import (
	"fmt"
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
)

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
