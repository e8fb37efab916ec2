package textedit

import (
	"fmt"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file writes a statement of one branch as another branch has it: where the conditions of two
// branches differ in a few names and constants alone ('a' and 'z' in one, 'A' and 'Z' in the
// other), what they do mostly differs in the same ones.

// Bounds.
const (
	mostSiblings   = 8   // branches that are held against each other
	longestSibling = 160 // bytes of a statement that is written anew
	mostRenamed    = 4   // names and constants in which two conditions differ
)

// branch is a branch with its condition.
type branch struct {
	cond cfront.Expr
	then cfront.Stmt
}

// branchesFrom lists the branches that belong together: a chain of else if, or ifs in a row.
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

// likeSiblings writes statements of branches as other branches of a chain have them. It is asked for
// every if of the chain, and so looks at the first branch against the others alone.
func (s *Space) likeSiblings(st *cfront.If, p place) {
	all := branchesFrom(st, p)
	for _, other := range all[1:] {
		s.likeSibling(all[0], other, p)
		s.likeSibling(other, all[0], p)
	}
}

// likeSibling writes the statements of one branch as another branch has them.
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

// renaming returns the names and constants that must be written anew in one text to make it
// another one; nil where the two differ in more, or in nothing.
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

// renamedBy writes names and constants of a text anew.
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
