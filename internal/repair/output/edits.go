package output

import (
	"fmt"
	"regexp"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file turns guesses into edits of the program.

// rank predicts the outputs that each guess leads to, and sorts the guesses, best first. Guesses that are no better
// than the present texts are left out.
func (a *Analysis) rank() {
	gs := a.Guesses.Literals[:0]
	arms := textedit.ArmsOf(a.p.Tree)
	for _, g := range a.Guesses.Literals {
		if a.prog.ended() {
			return
		}
		ok := true
		for k, text := range g.Texts {
			r := a.lits[k].x.Range()
			ok = ok && a.lits[k].free && !arms.Same(r.File, r.Start, r.End, quoted(text, a.prog.Literals[k].Char))
		}
		if !ok {
			continue
		}
		for i := 0; i < len(a.runs) && g.Distance < a.Guesses.Distance; i++ {
			g.Distance += a.prog.distance(&a.runs[i], g.Texts)
		}
		if g.Distance < a.Guesses.Distance {
			gs = append(gs, g)
		}
	}
	sort.SliceStable(gs, func(i, j int) bool {
		if gs[i].Distance != gs[j].Distance {
			return gs[i].Distance < gs[j].Distance
		}
		return gs[i].Cost < gs[j].Cost
	})
	a.Guesses.Literals = gs
}

// distance returns how far a run would be from the wanted output with other texts for literals.
func (p *Program) distance(r *Run, texts map[int]string) int {
	out := p.rendered(r, texts)
	if p.Judged {
		out = source.Judged(out)
	}
	if out == r.Want {
		return 0
	}
	k := [2]string{out, r.Want}
	d, ok := p.distances[k]
	if !ok {
		d = 1 + apart(out, r.Want)
		if p.distances == nil {
			p.distances = map[[2]string]int{}
		}
		p.distances[k] = d
	}
	return d
}

// rendered returns the output that a run would have with other texts for literals.
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

// Edits returns the edits of a guess, one for each literal.
func (a *Analysis) Edits(g *Guess) []*textedit.Edit {
	var ks []int
	for k := range g.Texts {
		ks = append(ks, k)
	}
	sort.Ints(ks)
	var out []*textedit.Edit
	for i, k := range ks {
		n, old := a.lits[k], a.prog.Literals[k]
		r := n.x.Range()
		e := &textedit.Edit{What: Describe(old.Text, g.Texts[k]), Cost: costText, Func: n.fn}
		if i > 0 {
			e.Cost = costMore
		}
		text := quoted(g.Texts[k], old.Char)
		e.Changes = []textedit.Change{{File: r.File, Start: r.Start, End: r.End, Text: text}}
		if g.Texts[k] == "" && n.stmt != nil && n.block != nil && lone(n) {
			s := n.stmt.Range()
			e.Changes = []textedit.Change{deletion(s.File, s.Start, s.End)}
		}
		out = append(out, e)
	}
	return out
}

// Costs of edits of texts: the first, and each further one.
const (
	costText = 2
	costMore = 1
)

// lone reports whether a literal is all that its statement prints, and the statement stands directly in a block.
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

// Removed stands in place of a removed statement until Clean removes it. So lines keep their numbers while edits are
// combined.
const Removed = textedit.Removed

var removed = regexp.MustCompile(`(?m)^[ \t]*;/\*-\*/[ \t\r]*\n`)

// Clean removes what stands in place of removed statements.
func Clean(text string) string {
	if !strings.Contains(text, Removed) {
		return text
	}
	return strings.ReplaceAll(removed.ReplaceAllString(text, ""), Removed, ";")
}

func deletion(f *source.File, start, end int) textedit.Change {
	if end < len(f.Text) && f.Text[end] == ';' {
		end++
	}
	return textedit.Change{File: f, Start: start, End: end, Text: Removed}
}

// quoted returns a text as a C string literal or character constant.
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

// Describe says in a few words what is wrong with a text that should be another one.
func Describe(old, now string) string {
	switch {
	case now == "":
		return "text that should not be printed"
	case now == old+"\n":
		return "no newline at the end"
	case old == now+"\n":
		return "an extra newline at the end"
	case strings.TrimRight(old, " ") == now:
		return "an extra space at the end"
	case strings.TrimRight(old, " ")+"\n" == now:
		return "a space at the end of the line instead of a newline"
	case squeezed(old) == squeezed(now):
		return "wrong spaces or newlines"
	case conversions(old) != conversions(now) && fixed(old) == fixed(now):
		return "wrong format for a value"
	case strings.EqualFold(old, now):
		return "wrong upper or lower case"
	case conversions(old) == conversions(now) && squeezed(fixed(now)) == "":
		return "extra words around the value"
	}
	return "another text"
}

func conversions(s string) string {
	return strings.Join(conversion.FindAllString(s, -1), " ")
}

func fixed(s string) string { return conversion.ReplaceAllString(s, "") }
