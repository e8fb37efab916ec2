package schema

import (
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file is elements of arrays: what stands behind what is there already, where a field beside
// a buffer says how far it is filled; rows taken for columns.

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
func (s *space) behind(buffer, index cfront.Expr, fn *cfront.Func) {
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
