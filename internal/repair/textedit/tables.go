package textedit

import (
	"fmt"
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file is elements of arrays: tables that are filled from the neighbours of a cell (above, on the
// left, across); what stands behind what is there already, where a field beside a buffer says how far
// it is filled; rows taken for columns.

const costNeighbour = costPath

var (
	above  = regexp.MustCompile(`\[(\w+) - 1\]\[(\w+)\]`)
	onLeft = regexp.MustCompile(`\[(\w+)\]\[(\w+) - 1\]`)
)

// otherNeighbour is a text with the neighbour above for that on the left, or the other way round; ""
// where it names neither.
func otherNeighbour(t string) string {
	switch {
	case above.MatchString(t) && !onLeft.MatchString(t):
		return above.ReplaceAllString(t, "[$1][$2 - 1]")
	case onLeft.MatchString(t) && !above.MatchString(t):
		return onLeft.ReplaceAllString(t, "[$1 - 1][$2]")
	}
	return ""
}

// neighbour lists the other neighbour of a cell, and the greater and the less of both.
func (s *Space) neighbour(x *cfront.Index, fn *cfront.Func) {
	if !x.Editable() || s.written || x.Type() == nil || !x.Type().IsInteger() {
		return
	}
	t := x.Range().Text()
	o := otherNeighbour(t)
	if o == "" || !plainText(t) {
		return
	}
	s.replaced(x, fn, costNeighbour, "the other neighbour", o, o)
	for i, op := range []string{">", "<"} {
		both := fmt.Sprintf("(%s %s %s ? %s : %s)", t, op, o, t, o)
		s.replaced(x, fn, costNeighbour+i, "of both neighbours", both, both)
	}
}

// fromOther writes what is done with one neighbour for the other.
func fromOther(p place, add func(cost int, what, text string)) {
	if p.block == nil || p.index < 0 || p.index >= len(p.block.List) {
		return
	}
	st := p.block.List[p.index]
	switch st.(type) {
	case *cfront.ExprStmt, *cfront.If:
	default:
		return
	}
	if !standsAsWritten(st) || hasLabel(st) {
		return
	}
	r := st.Range()
	t := cut(r.File, r.Start, WholeEnd(r.File, r.End))
	if o := otherNeighbour(t); o != "" && !strings.Contains(t, "#") {
		add(CostInsert-1, "insert", o)
	}
}

// turned is a[j][i] for a[i][j]; ok is false for other elements.
func turned(x cfront.Expr) (text string, ok bool) {
	b, ok := x.(*cfront.Index)
	if !ok {
		return "", false
	}
	row := cfront.Skip(b.X)
	if d, decays := row.(*cfront.Decay); decays {
		row = cfront.Skip(d.X)
	}
	a, ok := row.(*cfront.Index)
	if !ok || !within(a, b) || !within(a.X, a) || !within(a.I, a) || !within(b.I, b) || a.I.Range().Text() == b.I.Range().Text() {
		return "", false
	}
	return a.X.Range().Text() + "[" + b.I.Range().Text() + "][" + a.I.Range().Text() + "]", true
}

// behind lists x.buffer[x.n + i] for x.buffer[i], and x.buffer + x.n for an argument x.buffer.
func (s *Space) behind(buffer, index cfront.Expr, fn *cfront.Func) {
	m, ok := cfront.Skip(buffer).(*cfront.Member)
	if d, decays := cfront.Skip(buffer).(*cfront.Decay); decays {
		m, ok = cfront.Skip(d.X).(*cfront.Member)
	}
	if !ok || !m.Editable() || !within(m.X, m) || m.Type().Kind != ctype.Pointer && m.Type().Kind != ctype.Array || m.Type().Elem.Kind == ctype.Void || m.Type().Elem.Kind == ctype.Func {
		return
	}
	t, dot := m.X.Type(), "."
	if m.Arrow {
		t, dot = t.Elem, "->"
	}
	text := m.Range().Text()
	base := text[:m.X.Range().End-m.Range().Start]
	for _, f := range t.Fields {
		if f.Name == "" || f.BitLen > 0 || !f.Type.IsInteger() || f.Type.Size < 2 {
			continue
		}
		n := base + dot + f.Name
		switch {
		case index == nil:
			s.replaced(buffer, fn, costPath, "behind what is there", text+" + "+n, text+" + "+n)
		case !index.Editable() || strings.Contains(index.Range().Text(), n):
		case index.Range().Text() == "0":
			s.replaced(index, fn, costPath, "behind what is there", n, n)
		default:
			at := n + " + " + paren(index)
			s.replaced(index, fn, costPath, "behind what is there", at, at)
		}
	}
}
