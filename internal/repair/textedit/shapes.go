package textedit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file edits the shape of statements: the direction of a loop, its header, results of calls that are not used,
// branches that are missing.

// Bounds of what is listed at one statement.
const (
	mostTakers  = 10 // places for a result that is not used
	mostElse    = 60 // branches of an if without an else
	mostTwoWays = 40 // assignments whose target depends on a condition
	mostBraced  = 40 // statements put beside an unbraced one
)

// paren2 returns a text as an operand of a comparison: in parentheses unless it is one word.
func paren2(text string) string {
	if oneWord.MatchString(text) {
		return text
	}
	return "(" + text + ")"
}

var oneWord = regexp.MustCompile(`^[A-Za-z_0-9.>-]+$`)

// counterOf returns the variable that the head of a for loop initializes, the text of its initial value, and the node
// of the initialization; nil if there is not exactly one.
func counterOf(init cfront.Stmt) (v *cfront.Var, from string, n cfront.Node) {
	switch x := init.(type) {
	case *cfront.ExprStmt:
		a, ok := x.X.(*cfront.Assign)
		if !ok || a.HasOp || !within(a.R, a) {
			return nil, "", nil
		}
		if r, ok := a.L.(*cfront.Ref); ok {
			return r.Var, a.R.Range().Text(), x.X
		}
	case *cfront.Block:
		if len(x.List) != 1 {
			return nil, "", nil
		}
		if d, ok := x.List[0].(*cfront.Decl); ok && len(d.Init) == 1 && d.Init[0].X.Range().Valid() && d.Var.Storage == cfront.Local {
			return d.Var, d.Init[0].X.Range().Text(), d
		}
	case *cfront.Decl:
		if len(x.Init) == 1 && x.Init[0].X.Range().Valid() && x.Var.Storage == cfront.Local {
			return x.Var, x.Init[0].X.Range().Text(), x
		}
	}
	return nil, "", nil
}

func refers(x cfront.Expr, v *cfront.Var) bool {
	r, ok := cfront.Skip(x).(*cfront.Ref)
	return ok && r.Var == v
}

// chainEnd lists a statement after a loop that links the elements of an array: the link of the last element becomes
// NULL.
func (s *Space) chainEnd(st *cfront.For, p place) {
	cond, ok := st.Cond.(*cfront.Binary)
	if !ok || operatorOf(cond) != "<" || !within(cond.X, cond) || !cond.Y.Range().Valid() || cond.Y.Range().File != cond.Range().File {
		return
	}
	counter, ok := cfront.Skip(cond.X).(*cfront.Ref)
	if !ok {
		return
	}
	n := cond.Y.Range().Text()
	last := n + " - 1"
	if c, ok := cond.Y.(*cfront.Binary); ok && operatorOf(c) == "-" && within(c.X, c) && c.Y.Range().Text() == "1" {
		last = n
	}
	cfront.WalkStmt(st.Body, func(b cfront.Stmt) {
		x, ok := b.(*cfront.ExprStmt)
		if !ok {
			return
		}
		a, ok := x.X.(*cfront.Assign)
		if !ok || a.HasOp || !within(a.L, a) || a.L.Type().Kind != ctype.Pointer {
			return
		}
		fr, ok := fragmentOf(a.L, p.fn)
		text := fr.text(map[*cfront.Var]string{counter.Var: last})
		if ok && text != a.L.Range().Text() {
			s.after(st, p, CostInsert, "insert", text+" = NULL;")
		}
	}, nil)
}

// turned makes a loop run through its range in the other direction. This changes which results of earlier iterations
// later ones use.
func (s *Space) turned(st *cfront.For, p place) {
	v, from, init := counterOf(st.Init)
	cond, ok := st.Cond.(*cfront.Binary)
	if v == nil || !ok || !v.Type.IsInteger() || !within(cond.X, cond) || !within(cond.Y, cond) {
		return
	}
	post, ok := st.Post.(*cfront.IncDec)
	if !ok || !refers(cond.X, v) || !refers(post.X, v) || !post.Editable() {
		return
	}
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	a, b := init.Range(), post.Range()
	if !a.Valid() || a.File != f || b.File != f || a.Start < start || b.End > end || a.Start > b.Start {
		return
	}
	bound, name := cond.Y.Range().Text(), v.Name
	less := paren(cond.Y) + " - 1"
	more := paren(cond.Y) + " + 1"
	var first, last string
	switch op := operatorOf(cond); {
	case !v.Type.Signed && op == "<" && !post.Dec: // an unsigned counter is never below 0
		first, last = bound, fmt.Sprintf("%s-- > %s; ", name, paren2(from))
	case !v.Type.Signed:
		return
	case op == "<" && !post.Dec:
		first, last = less, fmt.Sprintf("%s >= %s; %s--", name, from, name)
	case op == "<=" && !post.Dec:
		first, last = bound, fmt.Sprintf("%s >= %s; %s--", name, from, name)
	case op == ">=" && post.Dec:
		first, last = bound, fmt.Sprintf("%s <= %s; %s++", name, from, name)
	case op == ">" && post.Dec:
		first, last = more, fmt.Sprintf("%s <= %s; %s++", name, from, name)
	default:
		return
	}
	text := fmt.Sprintf("%s; %s", strings.TrimSuffix(cut(f, a.Start, a.End), from)+first, last)
	if !strings.HasSuffix(cut(f, a.Start, a.End), from) {
		return
	}
	alt := cut(f, start, a.Start) + text + cut(f, b.End, end)
	s.add(Statement, p.fn, f, start, end, alt, &Edit{What: "the loop runs in the wrong direction", Cost: costFlip + 1, Changes: []Change{{f, a.Start, b.End, text}}})
}

// stepInside moves one part of a loop's step to the end of its body, where continue skips it.
func (s *Space) stepInside(st *cfront.For, p place) {
	post, ok := st.Post.(*cfront.Comma)
	if !ok || !within(post.X, post) || !within(post.Y, post) {
		return
	}
	body, ok := st.Body.(*cfront.Block)
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	r := post.Range()
	if !ok || body.Implicit || r.File != f || body.Range().File != f || f.Text[body.Range().End-1] != '}' {
		return
	}
	at := body.Range().End - 1
	for at > 0 && strings.IndexByte(" \t", f.Text[at-1]) >= 0 {
		at--
	}
	for _, x := range [][2]cfront.Expr{{post.X, post.Y}, {post.Y, post.X}} {
		stays, goes := x[0].Range().Text(), x[1].Range().Text()+";"
		alt := cut(f, start, r.Start) + stays + cut(f, r.End, at) + goes + " " + cut(f, at, end)
		s.add(Statement, p.fn, f, start, end, alt, &Edit{What: "should run only at the end of an iteration", Cost: costMove,
			Changes: []Change{{f, r.Start, r.End, stays}, {f, at, at, inner(f, start) + goes + "\n"}}})
	}
}

// taken uses the result of a call that is ignored: it is stored or returned.
func (s *Space) taken(st *cfront.ExprStmt, p place) {
	call, ok := st.X.(*cfront.Call)
	if !ok || !call.Editable() || call.Type() == nil || !call.Type().IsScalar() {
		return
	}
	g, ok := cfront.Skip(call.Fun).(*cfront.FuncRef)
	again := ok && (g.Func.Name == "realloc" || g.Func.Name == "toupper" || g.Func.Name == "tolower")
	if !ok || !own(g.Func) && !again {
		return
	}
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	text := cut(f, start, end)
	put := func(cost int, before string) {
		s.add(Statement, p.fn, f, start, end, before+text, &Edit{What: "take what is returned", Cost: cost, Changes: []Change{{f, start, start, before}}})
	}
	if r := p.fn.Type.Result; r != nil && sameType(call.Type(), r) {
		put(costPath, "return ")
	}
	n := 0
	to := func(l string) {
		if n++; n <= mostTakers {
			put(costPath, l+" = ")
		}
	}
	// The arguments come first: head = insert(head, x).
	for _, a := range call.Args {
		if x := cfront.Skip(a); within(a, call) && path(x) && !cfront.ReadOnly(x) && x.Editable() && (again || sameType(x.Type(), call.Type())) {
			to(x.Range().Text())
		}
	}
	for _, v := range Visible(s.tree, p.fn, f, start) {
		if sameType(v.Type, call.Type()) && v.Qual&ctype.Const == 0 {
			to(v.Name)
		}
		if v.Type.Kind == ctype.Pointer && v.Type.Elem.IsAggregate() && v.Type.ElemQual&ctype.Const == 0 && v.Func != nil {
			for _, m := range v.Type.Elem.Fields {
				if m.Name != "" && m.BitLen == 0 && m.Qual&ctype.Const == 0 && sameType(m.Type, call.Type()) {
					to(v.Name + "->" + m.Name)
				}
			}
		}
	}
}

// once turns a while loop into an if.
func (s *Space) once(st *cfront.While, p place) {
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	if text := cut(f, start, end); strings.HasPrefix(text, "while") && !hasLabel(st) && !jumps(st.Body, false, false) {
		s.add(Statement, p.fn, f, start, end, "if"+text[len("while"):], &Edit{What: "once", Cost: costMove, Changes: []Change{{f, start, start + len("while"), "if"}}})
	}
}

// atEnd lets a while loop ask behind its body, which is then executed at least once.
func (s *Space) atEnd(st *cfront.While, p place) {
	f, start := st.Range().File, st.Range().Start
	body, cond := st.Body.Range(), st.Cond.Range()
	if st.Do || !body.Valid() || !cond.Valid() || body.File != f || cond.File != f || hasLabel(st) {
		return
	}
	end := WholeEnd(f, body.End)
	if end <= body.Start || body.Start <= cond.End || !strings.HasPrefix(cut(f, start, end), "while") {
		return
	}
	behind := " while (" + cond.Text() + ");"
	e := &Edit{What: "ask at the end", Cost: costMove, Changes: []Change{{f, start, body.Start, "do "}, {f, end, end, behind}}}
	s.add(Statement, p.fn, f, start, end, "do "+cut(f, body.Start, end)+behind, e)
}

// mostBegun bounds the places where walks begin.
const mostBegun = 4

// begun lists the members and elements of a type from which a function's variables take their values, such as the head
// of a list where a walk begins.
func (s *facts) begun(t *ctype.Type, fn *cfront.Func, f *source.File, at int) (out []string) {
	take := func(x cfront.Expr) {
		x = cfront.Skip(x)
		if x == nil || !x.Editable() || impure(x) || cfront.HasCall(x) || !sameType(x.Type(), t) || !s.nameable(refsIn(x), fn, f, at) {
			return
		}
		switch x := x.(type) {
		case *cfront.Member:
			if !x.Arrow || walks(x, t) {
				return
			}
		case *cfront.Index, *cfront.Deref:
		default:
			return
		}
		if text := x.Range().Text(); len(out) < mostBegun && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		if d, ok := st.(*cfront.Decl); ok && len(d.Init) == 1 {
			take(d.Init[0].X)
		}
	}, func(x cfront.Expr) {
		if a, ok := x.(*cfront.Assign); ok && !a.HasOp {
			if _, ok := cfront.Skip(a.L).(*cfront.Ref); ok {
				take(a.R)
			}
		}
	})
	return out
}

// walks reports whether a member of type t belongs to a node of that type: it is a link.
func walks(x *cfront.Member, t *ctype.Type) bool { return sameType(cfront.Skip(x.X).Type(), t) }

// otherwise gives an if an else: it stores the same value elsewhere, or it is a statement that could be inserted there.
func (s *Space) otherwise(st *cfront.If, p place) {
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	if hasLabel(st) || end <= start {
		return
	}
	text, ind := cut(f, start, end), f.Indent(start)
	n := 0
	put := func(cost int, t string) {
		if n++; n > mostElse {
			return
		}
		ch := Change{f, end, end, "\n" + ind + "else\n" + inner(f, start) + t}
		if f.Text[end-1] == '}' {
			ch.Text = " else {\n" + inner(f, start) + t + "\n" + ind + "}"
		}
		s.add(Statement, p.fn, f, start, end, text+" else { "+t+" }", &Edit{What: "insert an else", Cost: cost, Changes: []Change{ch}})
	}
	for _, b := range statementsOf(st.Then) {
		a := assigned(b)
		if a == nil || !s.known(a.R.Range().Text(), "", p.fn, f, start) {
			continue
		}
		for _, t := range s.begun(a.L.Type(), p.fn, f, start) { // what a walk has not left yet has no one before it
			put(CostInsert, t+" = "+a.R.Range().Text()+";")
		}
		for _, t := range s.targets(a.L, p.fn) {
			put(CostInsert, t+" = "+a.R.Range().Text()+";")
		}
		for _, v := range Visible(s.tree, p.fn, f, start) {
			if sameType(v.Type, a.L.Type()) && v.Qual&ctype.Const == 0 && v.Name != a.R.Range().Text() {
				put(CostInsert, v.Name+" = "+a.R.Range().Text()+";")
			}
		}
	}
	p.indent = inner(f, start)
	for _, d := range s.insertions(p, f, end) {
		if !strings.HasPrefix(d.text, "if") && !strings.HasPrefix(d.text, "for") && !strings.HasPrefix(d.text, "while") && !strings.HasPrefix(d.text, "switch") && strings.Count(d.text, ";") == 1 {
			put(d.cost+1, d.text)
		}
	}
}

// twoWays puts an assignment under a condition: if the condition holds, the value goes to another member or variable of
// the same type.
func (s *Space) twoWays(st *cfront.ExprStmt, p place) {
	a := assigned(st)
	if a == nil || a.L.Type().Kind != ctype.Pointer {
		return
	}
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	text, ind, right := cut(f, start, end), f.Indent(start), a.R.Range().Text()
	vars := Visible(s.tree, p.fn, f, start)
	var conds, targets []string
	if m, ok := a.L.(*cfront.Member); ok && m.Arrow && within(m.X, m) && path(cfront.Skip(m.X)) && !impure(m.X) {
		// If there is no node to store in, the list begins here.
		conds = append(conds, m.X.Range().Text()+" == NULL")
		if b, ok := m.X.(*cfront.Member); ok && within(b.X, b) {
			for _, x := range membersOf(b) {
				if x != b.Field.Name {
					targets = append(targets, b.X.Range().Text()+map[bool]string{true: "->", false: "."}[b.Arrow]+x)
				}
			}
		}
		for _, h := range heads(vars) {
			if sameType(h.node, a.L.Type()) {
				targets = append(targets, h.text)
			}
		}
	}
	for i, v := range vars {
		if v.Type.Kind != ctype.Pointer || v.Func == nil {
			continue
		}
		for _, w := range vars[i+1:] {
			if w.Func != nil && sameType(w.Type, v.Type) {
				conds = append(conds, v.Name+" == "+w.Name)
			}
		}
		conds = append(conds, v.Name+" == NULL")
	}
	if m, ok := a.L.(*cfront.Member); ok && within(m.X, m) && m.Arrow {
		for _, x := range m.X.Type().Elem.Fields {
			if x.Name != "" && x.Name != m.Field.Name && sameType(x.Type, m.Type()) {
				targets = append(targets, m.X.Range().Text()+"->"+x.Name)
			}
		}
	}
	for _, v := range vars {
		if sameType(v.Type, a.L.Type()) && v.Name != a.L.Range().Text() && v.Name != right && v.Qual&ctype.Const == 0 {
			targets = append(targets, v.Name)
		}
	}
	n := 0
	for _, t := range targets[:min(len(targets), 5)] {
		for _, c := range conds {
			if n++; n > mostTwoWays {
				return
			}
			to := t + " = " + right + ";"
			in := inner(f, start)
			s.add(Statement, p.fn, f, start, end, fmt.Sprintf("if (%s) %s else %s", c, to, text), &Edit{What: "insert a branch", Cost: costGuard + 1,
				Changes: []Change{{f, start, end, fmt.Sprintf("if (%s)\n%s%s\n%selse\n%s%s", c, in, to, ind, in, text)}}})
		}
	}
}

// braced puts a second statement beside the unbraced body of an if or a loop: before one that leaves, after any other.
func (s *Space) braced(st cfront.Stmt, p place) {
	f, start := st.Range().File, st.Range().Start
	if !st.Range().Valid() || !standsAsWritten(st) || hasLabel(st) || start == 0 {
		return
	}
	leaves := false
	switch st.(type) {
	case *cfront.Jump, *cfront.Return:
		leaves = true
	case *cfront.ExprStmt:
	default:
		return
	}
	end := WholeEnd(f, st.Range().End)
	text, ind := cut(f, start, end), f.Indent(start)
	n := 0
	p.indent = ind
	list := s.insertions(p, f, start)
	if leaves { // statements that free something come first
		list = append(s.drops(p, Visible(s.tree, p.fn, f, start)), list...)
		slices.SortStableFunc(list, func(a, b insertion) int {
			rank := func(x insertion) int {
				if s.releases(x.text) {
					return 0
				}
				return 1
			}
			return rank(a) - rank(b)
		})
	}
	for _, d := range list {
		if strings.HasPrefix(d.text, "if") || strings.Count(d.text, ";") != 1 {
			continue
		}
		if n++; n > mostBraced {
			return
		}
		first, second := text, d.text
		if leaves {
			first, second = second, first
		}
		s.add(Statement, p.fn, f, start, end, "{ "+first+" "+second+" }", &Edit{What: "insert", Cost: d.cost, Changes: []Change{inBraces(f, start, end, first, second)}})
	}
}
