package output

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/repair/textedit"
)

// This file suggests edits of a program's shape: separators, and statements that print too much or too little.

// Suggest lists edits of the program's shape that the outputs suggest, such as separators and text missing between
// calls.
func (a *Analysis) Suggest() []textedit.Suggested {
	var out []textedit.Suggested
	for _, s := range a.Guesses.Separators {
		out = append(out, a.separated(s)...)
	}
	for _, p := range a.Guesses.Plurals {
		out = append(out, a.plural(p)...)
	}
	for _, m := range a.Guesses.Members {
		out = append(out, a.member(m)...)
	}
	out = append(out, a.counted()...)
	out = append(out, a.missing()...)
	out = append(out, a.signless()...)
	out = append(out, a.statuses()...)
	return append(out, a.extra()...)
}

// statuses lists other exit statuses, if some test prints what is wanted and only its exit status is wrong.
func (a *Analysis) statuses() []textedit.Suggested {
	want := -1
	for i, o := range a.Outcomes {
		if t := &a.p.Tests[i]; o.Ended() && o.Stdout == t.Stdout && o.Status != t.Exit {
			want = t.Exit
		}
	}
	main := a.p.Tree.Func("main")
	if want < 0 || main == nil || main.Body == nil {
		return nil
	}
	var out []textedit.Suggested
	cfront.WalkStmt(main.Body, func(st cfront.Stmt) {
		if r, ok := st.(*cfront.Return); ok && r.X != nil && plain(r.X) {
			out = append(out, textedit.Suggested{Func: main, Node: st, Text: fmt.Sprintf("return %d;", want), What: "the exit status", Cost: costExtra})
		}
	}, nil)
	return out
}

// Costs of suggestions.
const (
	costSeparator = 3
	costMissing   = 4
	costExtra     = 3
)

// mostSeparators bounds the edits for one separator.
const mostSeparators = 24

// separated lists edits that print one of two texts, depending on the round of a loop.
func (a *Analysis) separated(s Separator) []textedit.Suggested {
	n := a.lits[s.Literal]
	if n == nil || !n.free {
		return nil
	}
	var out []textedit.Suggested
	for i := len(n.loops) - 1; i >= 0 && len(out) < mostSeparators; i-- {
		for k, c := range edges(n.fn, n.loops[i], s.Last) {
			cost := costSeparator + k
			if len(s.Odd) > len(s.Other) { // the longer text is seldom the odd one
				cost += 2
			}
			what := "a separator after the last value"
			if !s.Last {
				what = "a separator before the first value"
			}
			if s.Odd == "" && n.stmt != nil && lone2(n) {
				r := n.stmt.Range()
				text := strings.TrimSuffix(r.Text(), ";") + ";"
				if s.Other != a.prog.Literals[s.Literal].Text {
					text = strings.Replace(text, n.x.Range().Text(), quoted(s.Other, false), 1)
				}
				out = append(out, textedit.Suggested{Func: n.fn, Node: n.stmt, Text: "if (" + c + ")\n" + r.File.Indent(r.Start) + "    " + text, What: what, Cost: cost})
				continue
			}
			if a.prog.Literals[s.Literal].Char && (len(s.Odd) != 1 || len(s.Other) != 1) {
				continue
			}
			char := a.prog.Literals[s.Literal].Char
			out = append(out, textedit.Suggested{Func: n.fn, Node: n.x, Text: fmt.Sprintf("%s ? %s : %s", c, quoted(s.Other, char), quoted(s.Odd, char)), What: what, Cost: cost})
		}
	}
	return out
}

// plural lists the edit that chooses between two formats by whether a value is 1.
func (a *Analysis) plural(p Plural) []textedit.Suggested {
	n := a.lits[p.Literal]
	if n == nil || !n.free || n.stmt == nil {
		return nil
	}
	c, ok := n.stmt.X.(*cfront.Call)
	if !ok || len(c.Args) == 0 || cfront.Skip(c.Args[0]).Range() != n.x.Range() {
		return nil
	}
	at := 1 + p.Value/2 // fixed pieces and conversions alternate
	if at >= len(c.Args) || !plain(c.Args[at]) || !c.Args[at].Type().IsInteger() {
		return nil
	}
	v := c.Args[at].Range().Text()
	if _, name := cfront.Skip(c.Args[at]).(*cfront.Ref); !name {
		v = "(" + v + ")"
	}
	return []textedit.Suggested{{Func: n.fn, Node: n.x, Text: fmt.Sprintf("%s == 1 ? %s : %s", v, quoted(p.One, false), quoted(p.Other, false)), What: "singular and plural mixed up", Cost: costSeparator}}
}

// mostBounds bounds the numbers that a missing branch compares with.
const mostBounds = 12

var inputNumber = regexp.MustCompile(`-?[0-9]+`)

// bounds returns the numbers in the inputs of failing tests.
func (a *Analysis) bounds() (out []string) {
	for _, i := range a.Failing {
		for _, n := range inputNumber.FindAllString(a.p.Tests[i].Stdin, -1) {
			if len(out) < mostBounds && len(n) < 10 && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// member lists branches that may be missing in a chain of ifs, before the branch that prints another text. Their
// condition is the one there with a number from the input, or with another operator.
func (a *Analysis) member(m Member) []textedit.Suggested {
	n := a.lits[m.Literal]
	if n == nil || !n.free || n.stmt == nil || !lone2(n) {
		return nil
	}
	r := n.stmt.Range()
	x := n.x.Range()
	printed := string(r.File.Text[r.Start:x.Start]) + quoted(m.Text, false) + strings.TrimSuffix(string(r.File.Text[x.End:r.End]), ";") + ";"
	var out []textedit.Suggested
	cfront.WalkStmt(n.fn.Body, func(st cfront.Stmt) {
		f, ok := st.(*cfront.If)
		if !ok {
			return
		}
		var node cfront.Stmt
		switch {
		case alone(f.Then, n.stmt) && f.Else != nil:
			node = f
		case f.Else != nil && alone(f.Else, n.stmt):
			node = f.Else
		default:
			return
		}
		c, ok := cfront.Skip(f.Cond).(*cfront.Binary)
		if !ok || !c.Op.IsCompare() || !c.X.Range().Valid() || !c.Y.Range().Valid() || c.X.Range().End > c.Y.Range().Start {
			return
		}
		left, right := c.X.Range().Text(), c.Y.Range().Text()
		op := strings.TrimSpace(string(r.File.Text[c.X.Range().End:c.Y.Range().Start]))
		var conds []string
		if _, constant := cfront.Skip(c.Y).(*cfront.Const); constant {
			_, read := cfront.Skip(c.X).(*cfront.Ref)
			for _, k := range a.bounds() {
				if k != right && (read || op != "==") { // an input says nothing about a computed value
					conds = append(conds, left+" "+op+" "+k)
				}
			}
		} else {
			for _, o := range []string{"==", "<", ">"} {
				if o != op {
					conds = append(conds, left+" "+o+" "+right)
				}
			}
		}
		for _, cond := range conds {
			in := r.File.Indent(node.Range().Start)
			otherwise := " "
			if node != cfront.Stmt(f) {
				otherwise = "\n" + in + "    "
			}
			out = append(out, textedit.Suggested{Func: n.fn, Node: node, Text: "if (" + cond + ")\n" + in + "    " + printed + "\n" + in + "else" + otherwise + strings.TrimSpace(node.Range().Text()), What: "a case is missing in the if-else chain", Cost: costMissing})
		}
	}, nil)
	return out
}

// alone reports whether a branch consists of the statement st.
func alone(branch cfront.Stmt, st *cfront.ExprStmt) bool {
	if b, ok := branch.(*cfront.Block); ok {
		return len(b.List) == 1 && b.List[0] == cfront.Stmt(st)
	}
	return branch == cfront.Stmt(st)
}

// lone2 reports whether a literal is all that its statement prints.
func lone2(n *node) bool {
	c, ok := n.stmt.X.(*cfront.Call)
	return ok && len(c.Args) == 1 && cfront.Skip(c.Args[0]).Range() == n.x.Range()
}

// edges lists conditions that hold in all rounds of a loop except the last one (or the first, if last is false).
func edges(fn *cfront.Func, loop cfront.Stmt, last bool) []string {
	var cond, init cfront.Expr
	switch l := loop.(type) {
	case *cfront.For:
		cond = l.Cond
		if st, ok := l.Init.(*cfront.ExprStmt); ok {
			init = st.X
		} else if b, ok := l.Init.(*cfront.Block); ok && len(b.List) == 1 {
			if d, ok := b.List[0].(*cfront.Decl); ok && len(d.Init) == 1 && d.Init[0].X.Range().Valid() {
				if !last {
					return []string{d.Var.Name + " != " + d.Init[0].X.Range().Text(), d.Var.Name + " > " + d.Init[0].X.Range().Text()}
				}
			}
		}
	case *cfront.While:
		cond = l.Cond
		if b, ok := compared(cond); ok && !last {
			if r := initial(fn, l, b.left); r != "" {
				return []string{b.left + " > " + r, b.left + " != " + r}
			}
		}
	}
	if !last {
		if as, ok := init.(*cfront.Assign); ok && !as.HasOp && as.R.Range().Valid() && as.L.Range().Valid() {
			l, r := as.L.Range().Text(), as.R.Range().Text()
			return []string{l + " > " + r, l + " != " + r}
		}
		if b, ok := compared(cond); ok {
			return []string{b.left + " > 0", b.left + " > 1", b.left + " != " + b.right}
		}
		return nil
	}
	b, ok := compared(cond)
	if !ok {
		return nil
	}
	switch b.op {
	case "<":
		return []string{b.left + " < " + b.right + " - 1", b.left + " < " + b.right}
	case "<=":
		return []string{b.left + " < " + b.right, b.left + " <= " + b.right}
	case ">":
		return []string{b.left + " > " + b.right + " + 1", b.left + " > " + b.right}
	case ">=":
		return []string{b.left + " > " + b.right, b.left + " >= " + b.right}
	case "!=":
		return []string{b.left + " != " + b.right + " - 1", b.left + " + 1 != " + b.right}
	}
	return nil
}

// initial returns the text of the last value that a variable is given before a loop, in the order of the text.
func initial(fn *cfront.Func, loop cfront.Stmt, name string) string {
	text := ""
	before := func(x cfront.Expr) bool {
		return x != nil && plain(x) && x.Range().File == loop.Range().File && x.Range().Start < loop.Range().Start
	}
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		if d, ok := st.(*cfront.Decl); ok && d.Var.Name == name && len(d.Init) == 1 && before(d.Init[0].X) {
			text = d.Init[0].X.Range().Text()
		}
	}, func(x cfront.Expr) {
		if as, ok := x.(*cfront.Assign); ok && !as.HasOp && before(as.R) && before(as.L) && as.L.Range().Text() == name {
			text = as.R.Range().Text()
		}
	})
	return text
}

type comparison struct{ left, op, right string }

// compared splits a comparison into its parts. Of operands of && and || it takes the first comparison.
func compared(x cfront.Expr) (comparison, bool) {
	if x == nil {
		return comparison{}, false
	}
	switch y := cfront.Skip(x).(type) {
	case *cfront.Logical:
		if c, ok := compared(y.X); ok {
			return c, true
		}
		return compared(y.Y)
	case *cfront.Binary:
		if !y.Op.IsCompare() || !plain(y.X) || !plain(y.Y) {
			return comparison{}, false
		}
		a, b := y.X.Range(), y.Y.Range()
		if a.File != b.File || a.End > b.Start {
			return comparison{}, false
		}
		return comparison{a.Text(), strings.TrimSpace(string(a.File.Text[a.End:b.Start])), b.Text()}, true
	}
	return comparison{}, false
}

var stdio = regexp.MustCompile(`#[ \t]*include[ \t]*<stdio\.h>`)

// missing lists statements that print text that is wanted where nothing is printed.
func (a *Analysis) missing() []textedit.Suggested {
	if !a.prints() {
		return nil
	}
	var texts []string
	for _, t := range a.Guesses.Inserted {
		if len(t) == 1 {
			texts = append(texts, "putchar("+quoted(t, true)+");")
			continue
		}
		texts = append(texts, "printf("+quoted(strings.ReplaceAll(t, "%", "%%"), false)+");")
	}
	var out []textedit.Suggested
	out = append(out, a.between(texts)...)
	out = append(out, a.silent()...)
	add := func(fn *cfront.Func, w textedit.Where, n cfront.Node, b *cfront.Block, rank int) {
		for i, t := range texts {
			out = append(out, textedit.Suggested{Func: fn, Where: w, Node: n, Block: b, Text: t, What: "some text is not printed", Cost: costMissing + i + rank})
		}
	}
	for _, fn := range a.p.Funcs {
		if fn.Body == nil {
			continue
		}
		again := a.copies(fn)
		cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
			b, ok := st.(*cfront.Block)
			if !ok || b.Implicit || !strings.HasPrefix(b.Range().Text(), "{") {
				return
			}
			for _, x := range again {
				if n := len(b.List); n > 0 && ended(b.List[n-1]) {
					out = append(out, textedit.Suggested{Func: fn, Where: textedit.Behind, Node: b.List[n-1], Block: b, Text: x, What: "the result is not printed here", Cost: costMissing})
				}
			}
			add(fn, textedit.Before, b, b, 1)
			for _, s := range b.List {
				switch s.(type) {
				case *cfront.Return, *cfront.Jump, *cfront.Case, *cfront.Label:
					continue
				}
				add(fn, textedit.Behind, s, b, 0)
			}
		}, nil)
	}
	return out
}

// mostCopies bounds the statements that are copied to other branches.
const mostCopies = 4

// copies returns the statements of a function that print values, to be copied to other branches, if some run prints
// less than is wanted.
func (a *Analysis) copies(fn *cfront.Func) (out []string) {
	less := false
	for i := range a.runs {
		less = less || len(a.runs[i].Out) < len(a.runs[i].Want)
	}
	if !less {
		return nil
	}
	seen := map[string]bool{}
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		x, ok := st.(*cfront.ExprStmt)
		if !ok || !x.Range().Valid() || !plain(x.X) {
			return
		}
		text := strings.TrimSuffix(x.Range().Text(), ";") + ";"
		if c, ok := x.X.(*cfront.Call); ok && len(c.Args) > 1 && strings.HasPrefix(text, "printf") && !seen[text] && len(out) < mostCopies {
			seen[text] = true
			out = append(out, text)
		}
	}, nil)
	return out
}

// mostBetween bounds the texts that are tried between the rounds of a loop.
const mostBetween = 2

// between lists statements that print a text in all rounds of a loop except the last or the first.
func (a *Analysis) between(texts []string) []textedit.Suggested {
	var out []textedit.Suggested
	texts = texts[:min(len(texts), mostBetween)]
	loop := func(fn *cfront.Func, st, body cfront.Stmt) {
		b, ok := body.(*cfront.Block)
		if !ok || b.Implicit || !strings.HasPrefix(b.Range().Text(), "{") {
			return
		}
		for k, c := range edges(fn, st, true) {
			for i, t := range texts {
				text := "if (" + c + ") " + t
				for _, in := range b.List {
					switch in.(type) {
					case *cfront.Decl, *cfront.Return, *cfront.Jump, *cfront.Case, *cfront.Label:
					default:
						out = append(out, textedit.Suggested{Func: fn, Where: textedit.Behind, Node: in, Block: b, Text: text, What: "a missing separator", Cost: costMissing + i + k})
					}
				}
			}
		}
		for k, c := range edges(fn, st, false) {
			for i, t := range texts {
				out = append(out, textedit.Suggested{Func: fn, Where: textedit.Before, Node: b, Block: b, Text: "if (" + c + ") " + t, What: "a missing separator", Cost: costMissing + i + k})
			}
		}
	}
	for _, fn := range a.p.Funcs {
		cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
			switch st := st.(type) {
			case *cfront.For:
				loop(fn, st, st.Body)
			case *cfront.While:
				loop(fn, st, st.Body)
			}
		}, nil)
	}
	return out
}

// Joint lists groups of edits that change all separators at once.
func (a *Analysis) Joint() [][]*textedit.Edit {
	var out [][]*textedit.Edit
	for _, last := range []bool{true, false} {
		for k := range 2 {
			var es []*textedit.Edit
			seen := map[int]bool{}
			for _, s := range a.Guesses.Separators {
				if s.Last != last || seen[s.Literal] {
					continue
				}
				list := a.separated(s)
				if len(list) <= k {
					continue
				}
				seen[s.Literal] = true
				x := list[k]
				r := x.Node.Range()
				end := r.End
				if st, ok := x.Node.(*cfront.ExprStmt); ok && !strings.HasSuffix(st.Range().Text(), ";") {
					end += 1 + max(strings.IndexByte(string(r.File.Text[r.End:]), ';'), 0)
				}
				es = append(es, &textedit.Edit{What: x.What, Cost: x.Cost, Func: x.Func, Changes: []textedit.Change{{File: r.File, Start: r.Start, End: end, Text: x.Text}}})
			}
			if len(es) > 1 {
				out = append(out, es)
			}
		}
	}
	return out
}

// extra lists removals of statements that print only what is not wanted.
func (a *Analysis) extra() []textedit.Suggested {
	var out []textedit.Suggested
	for k, n := range a.sites {
		if a.Guesses.Extra[k] && n.free && n.stmt != nil {
			out = append(out, textedit.Suggested{Func: n.fn, Node: n.stmt, Block: n.block, Text: ";", What: "output that should not be printed", Cost: costExtra})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Node.Range().Start < out[j].Node.Range().Start })
	return out
}
