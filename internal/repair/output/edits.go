package output

import (
	"fmt"
	"regexp"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/repair/schema"
	"gulo/internal/source"
)

// This file makes edits of the program of guesses.

// rank computes what outputs come with the guesses, and puts the best first.
func (a *Analysis) rank() {
	gs := a.Guesses.Literals[:0]
	for _, g := range a.Guesses.Literals {
		ok := true
		for k := range g.Texts {
			ok = ok && a.lits[k].free
		}
		if !ok {
			continue
		}
		for i := range a.runs {
			g.Distance += a.prog.distance(&a.runs[i], g.Texts)
		}
		gs = append(gs, g)
	}
	sort.SliceStable(gs, func(i, j int) bool {
		if gs[i].Distance != gs[j].Distance {
			return gs[i].Distance < gs[j].Distance
		}
		return gs[i].Cost < gs[j].Cost
	})
	a.Guesses.Literals = gs
}

// distance is how far a run is from what is wanted with other texts for literals.
func (p *Program) distance(r *Run, texts map[int]string) int {
	out := p.rendered(r, texts)
	if out == r.Want {
		return 0
	}
	return 1 + align(out, r.Want, make([]bool, len(out))).cost
}

// rendered is the output of a run with other texts for literals.
func (p *Program) rendered(r *Run, texts map[int]string) string {
	var b strings.Builder
	for _, t := range p.tokens(r) {
		text, other := texts[t.literal]
		switch {
		case t.literal == 0 || !other:
			b.WriteString(t.text)
		case t.piece == whole:
			b.WriteString(text)
		default:
			old, ps := pieces(p.Literals[t.literal].Text), pieces(text)
			if !p.format(t.literal) {
				ps = []piece{{text: text}}
			}
			if t.piece >= len(ps) || t.piece >= len(old) {
				b.WriteString(t.text)
				continue
			}
			if t.conv == "" {
				b.WriteString(ps[t.piece].text)
				continue
			}
			now, ok := printed(ps[t.piece].conv, t.conv, t.text)
			if !ok {
				now = t.text
			}
			b.WriteString(now)
		}
	}
	return b.String()
}

// Edits are the changes of the program that a guess makes.
func (a *Analysis) Edits(g *Guess) []*schema.Edit {
	var ks []int
	for k := range g.Texts {
		ks = append(ks, k)
	}
	sort.Ints(ks)
	var out []*schema.Edit
	for i, k := range ks {
		n, old := a.lits[k], a.prog.Literals[k]
		r := n.x.Range()
		e := &schema.Edit{What: Describe(old.Text, g.Texts[k]), Cost: costText, Func: n.fn}
		if i > 0 {
			e.Cost = costMore
		}
		text := quoted(g.Texts[k], old.Char)
		e.Changes = []schema.Change{{File: r.File, Start: r.Start, End: r.End, Text: text}}
		if g.Texts[k] == "" && n.stmt != nil && n.block != nil && lone(n) {
			s := n.stmt.Range()
			e.Changes = []schema.Change{deletion(s.File, s.Start, s.End)}
		}
		out = append(out, e)
	}
	return out
}

// Costs of texts: one costs like one condition.
const (
	costText = 2
	costMore = 1
)

// lone reports whether a literal is all that its statement prints, and stands alone in a
// block.
func lone(n *node) bool {
	c, ok := n.stmt.X.(*cfront.Call)
	if !ok || len(c.Args) != 1 || c.Args[0].Range() != n.x.Range() {
		return false
	}
	for _, st := range n.block.List {
		if st == cfront.Stmt(n.stmt) {
			return true
		}
	}
	return false
}

// Removed stands where a statement was until Clean takes it out, so that lines keep their
// numbers while edits are put together.
const Removed = ";/*-*/"

var removed = regexp.MustCompile(`(?m)^[ \t]*;/\*-\*/[ \t\r]*\n`)

// Clean takes out what stands in the place of removed statements.
func Clean(text string) string {
	return strings.ReplaceAll(removed.ReplaceAllString(text, ""), Removed, ";")
}

func deletion(f *source.File, start, end int) schema.Change {
	if end < len(f.Text) && f.Text[end] == ';' {
		end++
	}
	return schema.Change{File: f, Start: start, End: end, Text: Removed}
}

// quoted writes a text as C does.
func quoted(s string, char bool) string {
	var b strings.Builder
	q := byte('"')
	if char {
		q = '\''
	}
	b.WriteByte(q)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == q || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == 0:
			b.WriteString(`\0`)
		case c < ' ' || c == 127:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte(q)
	return b.String()
}

// Describe says in a few words how a text differs from what it should be.
func Describe(old, now string) string {
	switch {
	case now == "":
		return "a text that nobody asked for"
	case now == old+"\n":
		return "no newline at the end"
	case old == now+"\n":
		return "a newline too many at the end"
	case strings.TrimRight(old, " ") == now:
		return "a blank too many at the end"
	case strings.TrimRight(old, " ")+"\n" == now:
		return "a blank at the end of the line, and no newline"
	case squeezed(old) == squeezed(now):
		return "other white space"
	case conversions(old) != conversions(now) && fixed(old) == fixed(now):
		return "another format of a value"
	case strings.EqualFold(old, now):
		return "upper and lower case"
	case conversions(old) == conversions(now) && squeezed(fixed(now)) == "":
		return "words around the value that nobody asked for"
	}
	return "another text"
}

func conversions(s string) string {
	return strings.Join(conversion.FindAllString(s, -1), " ")
}

func fixed(s string) string { return conversion.ReplaceAllString(s, "") }

// Suggest lists edits of the shape of the program that what was printed suggests: text
// that is missing between calls, and separators.
func (a *Analysis) Suggest() []schema.Suggested {
	var out []schema.Suggested
	for _, s := range a.Guesses.Separators {
		out = append(out, a.separated(s)...)
	}
	out = append(out, a.missing()...)
	return append(out, a.extra()...)
}

// Costs of suggestions.
const (
	costSeparator = 3
	costMissing   = 4
	costExtra     = 3
)

// mostSeparators bounds the edits for one separator.
const mostSeparators = 24

// separated lists conditions under which a literal is one of two texts.
func (a *Analysis) separated(s Separator) []schema.Suggested {
	n := a.lits[s.Literal]
	if n == nil || !n.free {
		return nil
	}
	var out []schema.Suggested
	for i := len(n.loops) - 1; i >= 0 && len(out) < mostSeparators; i-- {
		for k, c := range edges(n.loops[i], s.Last) {
			cost := costSeparator + k
			what := "a separator behind the last one"
			if !s.Last {
				what = "a separator before the first one"
			}
			if s.Odd == "" && n.stmt != nil && lone2(n) {
				r := n.stmt.Range()
				text := strings.TrimSuffix(r.Text(), ";") + ";"
				if s.Other != a.prog.Literals[s.Literal].Text {
					text = strings.Replace(text, n.x.Range().Text(), quoted(s.Other, false), 1)
				}
				out = append(out, schema.Suggested{Func: n.fn, Node: n.stmt, Text: "if (" + c + ")\n" + r.File.Indent(r.Start) + "    " + text, What: what, Cost: cost})
				continue
			}
			if a.prog.Literals[s.Literal].Char && (len(s.Odd) != 1 || len(s.Other) != 1) {
				continue
			}
			char := a.prog.Literals[s.Literal].Char
			out = append(out, schema.Suggested{Func: n.fn, Node: n.x, Text: fmt.Sprintf("%s ? %s : %s", c, quoted(s.Other, char), quoted(s.Odd, char)), What: what, Cost: cost})
		}
	}
	return out
}

// lone2 reports whether a literal is all that its statement prints.
func lone2(n *node) bool {
	c, ok := n.stmt.X.(*cfront.Call)
	return ok && len(c.Args) == 1 && cfront.Skip(c.Args[0]).Range() == n.x.Range()
}

// edges lists conditions that hold in all rounds of a loop but the last (the first).
func edges(loop cfront.Stmt, last bool) []string {
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

type comparison struct{ left, op, right string }

// compared takes a comparison apart; of a conjunction the first one.
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

// missing lists statements that print what is wanted where nothing is printed.
func (a *Analysis) missing() []schema.Suggested {
	names := map[string]bool{}
	for _, f := range a.p.Tree.Funcs {
		names[f.Name] = true
	}
	var texts []string
	for _, t := range a.Guesses.Inserted {
		switch {
		case len(t) == 1 && names["putchar"]:
			texts = append(texts, "putchar("+quoted(t, true)+");")
		case names["printf"]:
			texts = append(texts, "printf("+quoted(strings.ReplaceAll(t, "%", "%%"), false)+");")
		}
	}
	var out []schema.Suggested
	add := func(fn *cfront.Func, w schema.Where, n cfront.Node, b *cfront.Block, rank int) {
		for i, t := range texts {
			out = append(out, schema.Suggested{Func: fn, Where: w, Node: n, Block: b, Text: t, What: "text that is not printed", Cost: costMissing + i + rank})
		}
	}
	for _, fn := range a.p.Funcs {
		if fn.Body == nil {
			continue
		}
		cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
			b, ok := st.(*cfront.Block)
			if !ok || b.Implicit || !strings.HasPrefix(b.Range().Text(), "{") {
				return
			}
			add(fn, schema.Before, b, b, 1)
			for _, s := range b.List {
				switch s.(type) {
				case *cfront.Return, *cfront.Jump, *cfront.Case, *cfront.Label:
					continue
				}
				add(fn, schema.Behind, s, b, 0)
			}
		}, nil)
	}
	return out
}

// extra lists statements that print only what is not wanted.
func (a *Analysis) extra() []schema.Suggested {
	var out []schema.Suggested
	for k, n := range a.sites {
		if a.Guesses.Extra[k] && n.free && n.stmt != nil {
			out = append(out, schema.Suggested{Func: n.fn, Node: n.stmt, Block: n.block, Text: ";", What: "output that nobody asked for", Cost: costExtra})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Node.Range().Start < out[j].Node.Range().Start })
	return out
}
