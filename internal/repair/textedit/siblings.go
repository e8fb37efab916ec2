package textedit

import (
	"fmt"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file rewrites a statement of one branch to match another branch. Where the conditions of two branches differ
// only in a few names and constants ('a' and 'z' in one, 'A' and 'Z' in the other), their statements mostly differ in
// the same ones.

// Bounds.
const (
	mostSiblings   = 8   // branches that are compared with each other
	longestSibling = 160 // bytes of a statement that is rewritten
	mostRenamed    = 4   // names and constants that differ between two conditions
)

// branch is a branch with its condition.
type branch struct {
	cond cfront.Expr
	then cfront.Stmt
}

// branchesFrom returns the branches that belong together: a chain of else-ifs, or ifs in a row.
func branchesFrom(st *cfront.If, p place) (out []branch) {
	for st != nil && len(out) < mostSiblings {
		out = append(out, branch{st.Cond, st.Then})
		next, _ := st.Else.(*cfront.If)
		st = next
	}
	for i := p.index + 1; len(out) == 1 && i < len(p.block.List) && i <= p.index+mostSiblings; i++ {
		next, ok := p.block.List[i].(*cfront.If)
		if !ok {
			break
		}
		out = append(out, branch{next.Cond, next.Then})
	}
	return out
}

// likeSiblings rewrites statements of branches to match other branches. It is called for every if of a chain, so it
// compares only the first branch with the others.
func (s *Space) likeSiblings(st *cfront.If, p place) {
	all := branchesFrom(st, p)
	for _, other := range all[1:] {
		s.likeSibling(all[0], other, p)
		s.likeSibling(other, all[0], p)
	}
}

// likeSibling rewrites the statements of branch own to match those of branch other.
func (s *Space) likeSibling(own, other branch, p place) {
	to := renaming(other.cond.Range().Text(), own.cond.Range().Text())
	a, b := statementsOf(own.then), statementsOf(other.then)
	if to == nil || len(a) != len(b) {
		return
	}
	for i, st := range a {
		f := st.Range().File
		if _, ok := st.(*cfront.ExprStmt); !ok || !standsAsWritten(st) || !standsAsWritten(b[i]) || f != b[i].Range().File {
			continue
		}
		text, start, end := statementText(f, b[i]), st.Range().Start, WholeEnd(f, st.Range().End)
		if len(text) > longestSibling || strings.Contains(text, "\n") {
			continue
		}
		if now := renamedBy(text, to); now != cut(f, start, end) {
			s.add(Statement, p.fn, f, start, end, now, &Edit{What: "differs from the other branch, which is right", Cost: costPath + 1, Changes: []Change{{f, start, end, now}}})
		}
	}
}

func statementText(f *source.File, st cfront.Stmt) string {
	return cut(f, st.Range().Start, WholeEnd(f, st.Range().End))
}

// renaming returns the names and constants to exchange in from to get to; nil if the two differ in more than these, in
// too many of them, or not at all.
func renaming(from, to string) map[string]string {
	x, y := lexemes(from), lexemes(to)
	if len(x) != len(y) {
		return nil
	}
	out, back := map[string]string{}, map[string]string{}
	for i := range x {
		a, b := x[i].text, y[i].text
		if !isWord(a) || !isWord(b) {
			if a != b {
				return nil
			}
			continue
		}
		if old, ok := out[a]; ok && old != b {
			return nil
		}
		if old, ok := back[b]; ok && old != a {
			return nil
		}
		out[a], back[b] = b, a
	}
	n := 0
	for a, b := range out {
		if a == b {
			delete(out, a)
		} else {
			n++
		}
	}
	if n == 0 || n > mostRenamed {
		return nil
	}
	return out
}

// isWord reports whether a token is a name or a constant.
func isWord(t string) bool {
	c := t[0]
	return c == '_' || c == '\'' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// renamedBy replaces names and constants in a text.
func renamedBy(text string, to map[string]string) string {
	var b strings.Builder
	at := 0
	for _, t := range lexemes(text) {
		if now, ok := to[t.text]; ok {
			fmt.Fprint(&b, text[at:t.start], now)
			at = t.end
		}
	}
	return b.String() + text[at:]
}
