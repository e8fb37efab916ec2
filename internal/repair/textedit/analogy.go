package textedit

import (
	"fmt"
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file lists branches that a program lacks beside those that it has: another member of a
// chain of conditions, written as its neighbours are, what is copied of one member and not of
// another one, and what is reported where a thing is not there, as the wanted output shows it.

// Bounds.
const (
	mostMembers  = 40  // members that a chain may lack
	longestTwin  = 240 // bytes of a branch that is written again
	mostReports  = 40  // reports at one place
	mostReported = 2   // texts of them
	mostWhere    = 14  // conditions of them
)

// members lists members that a chain of conditions may lack before its last else: those it has
// with small letters for capitals, or with one variable, member or order for another.
func (s *Space) members(st *cfront.If, p place) {
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	if st.Else == nil || hasLabel(st) || !standsAsWritten(st) {
		return
	}
	then := st.Then.Range()
	stop := WholeEnd(f, then.End)
	head := cut(f, start, stop)
	if then.File != f || stop > end || len(head) > longestTwin || strings.Contains(head, "#") {
		return
	}
	ind := f.Indent(start)
	seen := map[string]bool{head: true}
	for _, t := range s.analogues(head, st, p) {
		if seen[t] || len(seen) > mostMembers {
			continue
		}
		seen[t] = true
		ch := Change{f, stop, stop, "\n" + ind + "else " + t}
		if strings.HasSuffix(head, "}") {
			ch.Text = " else " + t
		}
		cost := costGuard
		if t == otherCase(head) {
			cost = costPath
		}
		s.add(Statement, p.fn, f, start, end, head+" else "+t+" "+cut(f, stop, end), &Edit{What: "insert a branch", Cost: cost, Changes: []Change{ch}})
	}
}

// analogues writes a branch again as its neighbours may be written.
func (s *Space) analogues(text string, st *cfront.If, p place) (out []string) {
	if t := otherCase(text); t != text {
		out = append(out, t)
	}
	var names []exchange // that may stand for each other
	r := st.Range()
	seen := map[exchange]bool{}
	pair := func(a, b string, member bool) {
		if x := (exchange{a, b, member}); a != b && !seen[x] && word(a).MatchString(text) {
			seen[x] = true
			names = append(names, x)
		}
	}
	vars := Visible(s.tree, p.fn, r.File, r.Start)
	look := func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Ref:
				for _, v := range vars {
					if v != y.Var && sameType(v.Type, y.Type()) && v.Qual&ctype.Const == 0 {
						pair(y.Var.Name, v.Name, false)
					}
				}
			case *cfront.Member:
				for _, m := range membersOf(y) {
					pair(y.Field.Name, m, true)
				}
			}
			return true
		})
	}
	look(st.Cond)
	cfront.WalkStmt(st.Then, nil, look)
	turned := otherOrder(text, st)
	for _, x := range names {
		out = append(out, x.in(text))
		if turned != text {
			out = append(out, x.in(turned))
		}
	}
	return out
}

var characters = regexp.MustCompile(`'[A-Za-z]'`)

// otherCase writes small letters for capitals, or capitals for small letters.
func otherCase(text string) string {
	return characters.ReplaceAllStringFunc(text, func(c string) string { return "'" + string(rune(c[1]^0x20)) + "'" })
}

// exchange is two names that change places: of members, or of variables. A member, a variable
// and a function may have one name.
type exchange struct {
	a, b   string
	member bool
}

// in exchanges the names in a text.
func (x exchange) in(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		n := Token(text[i:])
		t := text[i : i+n]
		before := strings.TrimRight(text[:i], " \t\n")
		member := strings.HasSuffix(before, "->") || strings.HasSuffix(before, ".")
		called := strings.HasPrefix(strings.TrimLeft(text[i+n:], " \t\n"), "(")
		switch {
		case member != x.member || called:
		case t == x.a:
			t = x.b
		case t == x.b:
			t = x.a
		}
		out.WriteString(t)
		i += n
	}
	return out.String()
}

// mostCopied bounds the members for which one statement is written again.
const mostCopied = 6

// copied lists statements that copy, for another member of the same type, what the statement in front
// of the place copies: a name is copied, and the text beside it forgotten.
func (s *Space) copied(p place, f *source.File, at int, add func(cost int, what, text string)) {
	body := strings.Join(strings.Fields(p.fn.Whole.Text()), " ")
	for _, st := range p.block.List {
		r := st.Range()
		a, ok := only(st)
		if !ok || !r.Valid() || r.File != f || WholeEnd(f, r.End) != at || a.HasOp || !standsAsWritten(st) || hasLabel(st) {
			continue
		}
		to, ok := cfront.Skip(a.L).(*cfront.Member)
		text := cut(f, r.Start, at)
		if !ok || len(text) > mirroredBytes || strings.Contains(text, "#") {
			continue
		}
		copies := false
		cfront.Walk(a.R, func(x cfront.Expr) bool {
			m, ok := x.(*cfront.Member)
			copies = copies || ok && m.Field.Name == to.Field.Name && sameType(baseOf(m), baseOf(to))
			return true
		})
		n := 0
		for _, m := range baseOf(to).Fields {
			if !copies || n == mostCopied || m.Name == to.Field.Name || !sameType(m.Type, to.Field.Type) || word(m.Name).MatchString(text) {
				continue
			}
			t := exchange{to.Field.Name, m.Name, true}.in(text)
			if strings.Contains(body, strings.Join(strings.Fields(t), " ")) {
				continue
			}
			n++
			add(costPath, "insert", t)
		}
	}
}

// otherOrder turns the order round by which a branch is chosen.
func otherOrder(text string, st *cfront.If) string {
	c, ok := cfront.Skip(st.Cond).(*cfront.Binary)
	if !ok || !c.Op.IsCompare() || !within(c.X, c) || !within(c.Y, c) {
		return text
	}
	l, r := c.X.Range(), c.Y.Range()
	from, to := l.End-st.Range().Start, r.Start-st.Range().Start
	if from < 0 || to > len(text) || from > to {
		return text
	}
	op := text[from:to]
	switch {
	case strings.Contains(op, "<"):
		op = strings.Replace(op, "<", ">", 1)
	case strings.Contains(op, ">"):
		op = strings.Replace(op, ">", "<", 1)
	}
	return text[:from] + op + text[to:]
}

// eitherCase lets a condition about a letter hold for the other case of it, too.
func (s *Space) eitherCase(x cfront.Expr, fn *cfront.Func) {
	t := x.Range().Text()
	if b, ok := x.(*cfront.Binary); ok && !b.Op.IsCompare() || impure(x) || len(t) > 80 {
		return
	}
	if o := otherCase(t); o != t {
		s.replaced(x, fn, costPath, "or", "("+t+") || ("+o+")", "("+grouping(x, t)+" || "+grouping(x, o)+")")
	}
}

// grouping puts what stands for an expression in parentheses where it has operators of logic.
func grouping(x cfront.Expr, text string) string {
	if l, ok := x.(*cfront.Logical); ok && l.And {
		return "(" + text + ")"
	}
	return text
}

// reports lists what is said, and left, under a condition: the line that the wanted output has
// where what is printed parts from it.
func (s *Space) reports(p place, f *source.File, at int, vars []*cfront.Var) (out []string) {
	texts := s.reported()
	if len(texts) == 0 {
		return nil
	}
	var ways []string
	switch t := p.fn.Type.Result; {
	case t == nil || t.Kind == ctype.Void:
		ways = []string{"return;"}
	case p.fn.Name == "main" && p.loop == nil:
		ways = []string{"return 0;"}
	case t.IsInteger() && p.fn.Name != "main":
		ways = []string{"return 0;", "return -1;"}
	case t.Kind == ctype.Pointer:
		ways = []string{"return NULL;"}
	}
	if p.loop != nil {
		ways = append(ways, "continue;", "break;")
	}
	in := "\n" + p.indent + step(f)
	conds := s.conditionsAt(p.fn, f, at)
	conds = append(s.atEnds(p, vars), conds[:min(len(conds), mostWhere)]...)
	for _, way := range ways {
		for _, c := range conds {
			for _, t := range texts {
				out = append(out, fmt.Sprintf("if (%s) {%s%s%s%s\n%s}", c, in, t, in, way, p.indent))
			}
		}
	}
	return out
}

// atEnds are conditions under which there is nothing: ends of the program's objects that are NULL or 0.
func (s *Space) atEnds(p place, vars []*cfront.Var) (out []string) {
	for _, e := range s.endsAt(p.fn, vars) {
		if len(out) == mostWhere/2 {
			break
		}
		if e.t.Kind == ctype.Pointer {
			out = append(out, e.text+" == NULL")
		} else {
			out = append(out, e.text+" == 0")
		}
	}
	return out
}

// reported are statements that print the line of the wanted output that the program does not print
// where the outputs part, as the program prints such a line elsewhere or as it is.
func (s *Space) reported() []string {
	if s.printing != nil {
		return s.printing
	}
	s.printing = []string{}
	for _, h := range s.printed {
		line := h.missing()
		if line == "" || strings.ContainsAny(line, "0123456789") || len(s.printing) == mostReported {
			continue
		}
		t := `printf("` + escaped(line) + `");`
		if !containsText(s.printing, t) && s.library("printf") {
			s.printing = append(s.printing, t)
		}
	}
	return s.printing
}

func containsText(list []string, t string) bool {
	for _, x := range list {
		if x == t {
			return true
		}
	}
	return false
}

// missing is the line of what is wanted that begins where the outputs part; "" where they do not
// part at the beginning of one.
func (p *Printed) missing() string {
	part := 0
	for part < len(p.Got) && part < len(p.Want) && p.Got[part] == p.Want[part] {
		part++
	}
	if part == len(p.Want) {
		return ""
	}
	from := strings.LastIndexByte(p.Want[:part], '\n') + 1
	n := strings.IndexByte(p.Want[from:], '\n')
	if n < 0 {
		n = len(p.Want) - from - 1
	}
	if line := p.Want[from : from+n+1]; len(line) <= mostReplaced && strings.TrimSpace(line) != "" {
		return line
	}
	return ""
}
