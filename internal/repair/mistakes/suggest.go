package mistakes

import (
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file finds the places of a program that match a mistake.

var include = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*<([a-z.]+)>`)

// Bounds.
const (
	mostText  = 1500 // bytes of a statement that is rewritten
	mostEach  = 60   // edits of one mistake
	mostTotal = 1500
)

// Suggest lists the edits that the mistakes suggest for functions. Mistakes whose needs are not met are left out.
func Suggest(tree *cfront.Program, funcs []*cfront.Func, ms []Mistake) []textedit.Suggested {
	declared := map[string]bool{}
	for _, f := range tree.Funcs {
		declared[f.Name] = true
	}
	for _, f := range tree.Files {
		for _, m := range include.FindAllSubmatch(f.Text, -1) {
			declared["<"+string(m[1])+">"] = true
		}
	}
	f := &finder{}
	for i := range ms {
		ok := true
		for _, n := range ms[i].Needs {
			ok = ok && declared[n]
		}
		if ok {
			f.ms = append(f.ms, &ms[i])
		}
	}
	f.n = make([]int, len(f.ms))
	for _, fn := range funcs {
		if fn.Body != nil && strings.HasPrefix(fn.Body.Range().Text(), "{") {
			f.fn = fn
			f.block(fn.Body)
		}
	}
	return f.out
}

type finder struct {
	ms  []*Mistake
	n   []int // number of edits of each mistake
	fn  *cfront.Func
	out []textedit.Suggested
}

func (f *finder) block(b *cfront.Block) {
	for i, st := range b.List {
		var next cfront.Stmt
		if i+1 < len(b.List) && !b.Implicit {
			next = b.List[i+1]
		}
		f.statement(st, next, b)
	}
}

// end returns the end of a statement with its semicolon.
func end(r source.Range) int {
	if t := r.Text(); strings.HasSuffix(t, ";") || strings.HasSuffix(t, "}") {
		return r.End
	}
	for i := r.End; i < len(r.File.Text); i++ {
		switch r.File.Text[i] {
		case ' ', '\t', '\n', '\r':
		case ';':
			return i + 1
		default:
			return r.End
		}
	}
	return r.End
}

func (f *finder) statement(st, next cfront.Stmt, b *cfront.Block) {
	if st == nil || !st.Range().Valid() {
		return
	}
	sub := func(x cfront.Stmt) { f.statement(x, nil, nil) }
	last := func(x cfront.Stmt) { f.statement(x, next, nil) } // an unbraced body ends where st ends, so next follows it, too
	switch st := st.(type) {
	case *cfront.Block:
		f.block(st)
		return
	case *cfront.Decl, *cfront.Empty, *cfront.Jump:
		return
	case *cfront.Case:
		sub(st.Body)
		return
	case *cfront.Label:
		sub(st.Body)
		return
	}
	f.whole(st, next, b)
	switch st := st.(type) {
	case *cfront.ExprStmt:
		f.parts(st, st.X)
	case *cfront.Return:
		if st.X != nil {
			f.parts(st, st.X)
		}
	case *cfront.If:
		f.parts(st, st.Cond)
		if st.Else != nil {
			sub(st.Then)
			last(st.Else)
		} else {
			last(st.Then)
		}
	case *cfront.While:
		f.parts(st, st.Cond)
		last(st.Body)
	case *cfront.For:
		for _, x := range []cfront.Expr{st.Cond, st.Post} {
			if x != nil {
				f.parts(st, x)
			}
		}
		if x, ok := st.Init.(*cfront.ExprStmt); ok {
			f.parts(st, x.X)
		}
		last(st.Body)
	case *cfront.Switch:
		f.parts(st, st.X)
		sub(st.Body)
	}
}

func (f *finder) add(i int, s textedit.Suggested) {
	if f.n[i] >= mostEach || len(f.out) >= mostTotal {
		return
	}
	f.n[i]++
	s.Func, s.What, s.Common = f.fn, f.ms[i].Say, f.ms[i].Common
	if s.Cost == 0 {
		s.Cost = f.ms[i].Cost
	}
	f.out = append(f.out, s)
}

// bare returns the range of an expression without the parentheses around it: c != EOF for ((c != EOF)).
func bare(r source.Range) (start, end int) {
	for {
		text := r.Text()
		inner := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "("), ")"))
		if len(text) < 2 || text[0] != '(' || text[len(text)-1] != ')' || inner == "" {
			return r.Start, r.End
		}
		ts := scan(text)
		depth := 0
		for i, t := range ts {
			switch t.text {
			case "(":
				depth++
			case ")":
				depth--
			}
			if depth == 0 && i < len(ts)-1 { // the first parenthesis closes earlier
				return r.Start, r.End
			}
		}
		r.Start += strings.Index(text, inner)
		r.End = r.Start + len(inner)
	}
}

// whole matches a statement with the patterns of statements.
func (f *finder) whole(st, next cfront.Stmt, b *cfront.Block) {
	r := st.Range()
	text := string(r.File.Text[r.Start:end(r)])
	if len(text) > mostText {
		return
	}
	ts := scan(text)
	for i, m := range f.ms {
		for k := range m.Pairs {
			p := &m.Pairs[k]
			bound := map[string]string{}
			if !p.statement || p.next && !movable(next) || !match(p.from, ts, text, bound) || nonsense(p.to, bound) {
				continue
			}
			s := textedit.Suggested{Node: st, Block: b}
			if p.next {
				n := next.Range()
				bound["$next"] = string(n.File.Text[n.Start:end(n)])
				s.Where, s.Next = textedit.Gone, next
			}
			if s.Text = keepLayout(text, write(p.to, bound), r.File.Indent(r.Start)); s.Text != text {
				s.Changes = differing(r.File, r.Start, text, s.Text)
				f.add(i, s)
			}
		}
	}
}

func movable(st cfront.Stmt) bool {
	switch st.(type) {
	case *cfront.ExprStmt, *cfront.Block, *cfront.If, *cfront.While, *cfront.For, *cfront.Switch:
		return len(st.Range().Text()) < mostText
	case *cfront.Jump, *cfront.Return:
		return true
	}
	return false
}

// parts matches the expressions of a statement. The statement is rewritten as a whole, because an alternative to an
// expression must have the same type.
func (f *finder) parts(st cfront.Stmt, x cfront.Expr) {
	r := st.Range()
	stop := end(r)
	if stop-r.Start > mostText {
		return
	}
	cfront.Walk(x, func(y cfront.Expr) bool {
		q := y.Range()
		if c, ok := y.(*cfront.Cast); ok && c.Implicit {
			return true
		}
		if !y.Editable() || q.File != r.File || q.Start < r.Start || q.End > stop {
			return true
		}
		q.Start, q.End = bare(q)
		text := q.Text()
		ts := scan(text)
		for i, m := range f.ms {
			for k := range m.Pairs {
				p := &m.Pairs[k]
				bound := map[string]string{}
				if p.statement || len(ts) < len(p.from) || !match(p.from, ts, text, bound) || nonsense(p.to, bound) {
					continue
				}
				now := write(p.to, bound)
				if now == text {
					continue
				}
				f.add(i, textedit.Suggested{Node: st, Text: string(r.File.Text[r.Start:q.Start]) + now + string(r.File.Text[q.End:stop]),
					Changes: []textedit.Change{{File: r.File, Start: q.Start, End: q.End, Text: now}}})
			}
		}
		return true
	})
}
