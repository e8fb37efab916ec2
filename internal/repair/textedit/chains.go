package textedit

import (
	"regexp"
	"strings"

	"gulo/internal/cfront"
)

// This file changes all comparisons of a condition, or of a chain of else-ifs, in the same way. Whoever
// writes < for <= does so in each of them, and a change of only one leaves other ties undecided.

// Costs.
const (
	costAlike = costFlip + 1 // all comparisons of one condition
	costChain = costAlike    // all comparisons of a chain of else-ifs
	costTwin  = costPath     // two equal operands, one of them changed
)

// mostTwins bounds the other ways to write one of two equal operands.
const mostTwins = 12

// comparisonsAlike are the ways to change all comparisons. An operator that a way does not list stays.
var comparisonsAlike = []struct {
	what string
	now  map[string]string
}{
	{"equal values count, too", map[string]string{"<": "<=", ">": ">="}},
	{"equal values do not count", map[string]string{"<=": "<", ">=": ">"}},
	{"the comparisons are the wrong way round", theOtherWay},
}

var theOtherWay = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<="}

// alikeIn returns the changes that rewrite all comparisons of the conditions in one way. It returns nil if some
// condition has no such comparison or cannot be edited.
func alikeIn(conds []cfront.Expr, way map[string]string) (out []Change) {
	for _, c := range conds {
		r := c.Range()
		if !c.Editable() || !balanced(r.Text()) {
			return nil
		}
		n := len(out)
		for _, t := range lexemes(r.Text()) {
			if now, ok := way[t.text]; ok {
				out = append(out, Change{r.File, r.Start + t.start, r.Start + t.end, now})
			}
		}
		if len(out) == n {
			return nil
		}
	}
	return out
}

// allAlike lists the edits of a condition that change all of its comparisons, if there are several.
func (s *Space) allAlike(cond cfront.Expr, fn *cfront.Func) {
	for _, way := range comparisonsAlike {
		if changes := alikeIn([]cfront.Expr{cond}, way.now); len(changes) > 1 {
			s.jointEdit(cond, fn, &Edit{What: way.what, Cost: costAlike - 1}, changes)
		}
	}
}

// chained lists the edits of a chain of else-ifs that change all comparisons in it.
func (s *Space) chained(st *cfront.If, p place) {
	var conds []cfront.Expr
	for x := st; x != nil; x = elseIf(x) {
		conds = append(conds, x.Cond)
	}
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	if len(conds) < 2 || hasLabel(st) || !standsAsWritten(st) || strings.HasSuffix(strings.TrimRight(cut(f, 0, start), " \t\r\n{"), "else") {
		return // st is inside a longer chain, which is changed as a whole
	}
	for _, way := range comparisonsAlike {
		changes := alikeIn(conds, way.now)
		if len(changes) < 2 {
			continue
		}
		var b strings.Builder
		at := start
		for _, c := range changes {
			if c.File != f || c.Start < at || c.End > end {
				return
			}
			b.WriteString(cut(f, at, c.Start) + c.Text)
			at = c.End
		}
		b.WriteString(cut(f, at, end))
		s.add(Statement, p.fn, f, start, end, b.String(), &Edit{What: way.what + ", in all conditions of the chain", Cost: costChain, Changes: changes})
	}
}

// leastChained is the number of ifs in a row that one edit makes a chain of; for two, alternative does it.
const leastChained = 3

// inChain lists an edit that turns ifs in a row into a chain of else-ifs. The last one may have an else, which then
// belongs to the whole chain.
func (s *Space) inChain(st *cfront.If, p place) {
	list := p.block.List
	ifAt := func(i int) *cfront.If {
		if i < 0 || i >= len(list) {
			return nil
		}
		x, _ := list[i].(*cfront.If)
		return x
	}
	if p.block.Implicit || st.Else != nil {
		return
	}
	if prev := ifAt(p.index - 1); prev != nil && prev.Else == nil {
		return // part of the row that the first if lists
	}
	f, start := st.Range().File, st.Range().Start
	var changes []Change
	text, end := "", start
	for i := p.index; ; i++ {
		x := ifAt(i)
		if x == nil || x.Range().File != f || !standsAsWritten(x) || hasLabel(x) || x.Range().Start < end {
			break
		}
		if at := x.Range().Start; i > p.index {
			changes = append(changes, Change{f, at, at, "else "})
			text += " else "
		}
		end = WholeEnd(f, x.Range().End)
		text += cut(f, x.Range().Start, end)
		if x.Else != nil {
			break
		}
	}
	if len(changes) >= leastChained-1 {
		s.add(Statement, p.fn, f, start, end, text, &Edit{What: "else is missing: more than one of these branches can run", Cost: costElse, Changes: changes})
	}
}

// elseIf returns the if that is the whole else branch of st; nil for none.
func elseIf(st *cfront.If) *cfront.If {
	switch x := st.Else.(type) {
	case *cfront.If:
		return x
	case *cfront.Block:
		if len(x.List) == 1 {
			y, _ := x.List[0].(*cfront.If)
			return y
		}
	}
	return nil
}

var aName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// twice lists other ways to write the second operand of && or || where it equals the first: who copies an operand may
// forget to change it. Either its comparisons are reversed, or two of its names are exchanged.
func (s *Space) twice(x *cfront.Logical, fn *cfront.Func) {
	if !within(x.X, x) || !within(x.Y, x) || !x.Y.Editable() {
		return
	}
	text := x.Y.Range().Text()
	ts := lexemes(text)
	if len(ts) < leastTokens || len(ts) > mostTokens || !balanced(text) || joined(lexemes(x.X.Range().Text())) != joined(ts) {
		return
	}
	var names []string
	seen := map[string]bool{}
	for i, t := range ts {
		called := i+1 < len(ts) && ts[i+1].text == "("
		if aName.MatchString(t.text) && !called && !seen[t.text] {
			seen[t.text], names = true, append(names, t.text)
		}
	}
	n := 0
	list := func(with map[string]string) {
		alt, at := "", 0
		for _, t := range ts {
			if now, ok := with[t.text]; ok {
				alt, at = alt+text[at:t.start]+now, t.end
			}
		}
		if alt += text[at:]; alt != text && n < mostTwins {
			n++
			s.replaced(x.Y, fn, costTwin, "the same condition stands twice", alt, alt)
		}
	}
	list(theOtherWay)
	for i, a := range names {
		for _, b := range names[i+1:] {
			list(map[string]string{a: b, b: a})
		}
	}
}

// joined returns the tokens, each followed by a blank.
func joined(ts []lexeme) string {
	var b strings.Builder
	for _, t := range ts {
		b.WriteString(t.text + " ")
	}
	return b.String()
}
