package schema

import (
	"fmt"
	"regexp"
	"strings"

	"gulo/internal/cfront"
)

// This file knows tables that are filled from the neighbours of a cell: above, on the left, across.

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
func (s *space) neighbour(x *cfront.Index, fn *cfront.Func) {
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
	t := cut(r.File, r.Start, wholeEnd(r.File, r.End))
	if o := otherNeighbour(t); o != "" && !strings.Contains(t, "#") {
		add(costInsert-1, "insert", o)
	}
}
