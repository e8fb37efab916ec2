package textedit

import (
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file removes the else of an if, and keeps its branch.

// withoutElse removes the else at offset at. Its branch becomes a statement on a line of its own, without braces unless
// it declares something. The if begins at start, and its first branch ends at thenEnd.
func withoutElse(f *source.File, start, thenEnd, at int, branch cfront.Stmt, end int) []Change {
	ind, lead := f.Indent(start), ""
	from := at
	if line, _ := f.Offset(f.Position(at).Line, 1); !blank(f, line, at) {
		from, lead = thenEnd, "\n"+ind
	}
	first := branch.Range().Start
	b, ok := branch.(*cfront.Block)
	if !ok || b.Implicit || f.Text[first] != '{' || f.Text[end-1] != '}' || declares(b) {
		return []Change{{f, from, first, lead}}
	}
	inside := cut(f, first+1, end-1)
	if strings.TrimSpace(inside) == "" {
		return []Change{{f, thenEnd, end, ""}}
	}
	last := first + 1 + len(strings.TrimRight(inside, " \t\r\n"))
	first = end - 1 - len(strings.TrimLeft(inside, " \t\r\n"))
	changes := []Change{{f, from, first, lead}}
	deeper := ind + step(f)
	for i := first; i < last; i++ {
		if f.Text[i] == '\n' && strings.HasPrefix(cut(f, i+1, last), deeper) {
			changes = append(changes, Change{f, i + 1 + len(ind), i + 1 + len(deeper), ""})
		}
	}
	return append(changes, Change{f, last, end, ""})
}

// declares reports whether a block has declarations of its own.
func declares(b *cfront.Block) bool {
	for _, st := range b.List {
		if _, ok := st.(*cfront.Decl); ok {
			return true
		}
	}
	return false
}

func blank(f *source.File, start, end int) bool { return strings.TrimSpace(cut(f, start, end)) == "" }
