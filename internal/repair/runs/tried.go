package runs

import (
	"fmt"
	"strings"

	"gulo/internal/plural"
)

// This file says what was tried before the time limit ended a search.

// mostNamed bounds the functions that are named.
const mostNamed = 3

// Tried says how many text edits, and of which functions, were tried without finding a repair. Precondition: the search
// is closed.
func (w *Search) Tried() string {
	if w.ahead == nil {
		return "the time was up before any edit of the text was tried"
	}
	t := w.ahead.Tried()
	if t.Edits == 0 {
		return "the time was up before any edit of the text was tried" + left(t.Left)
	}
	var names []string
	for _, f := range t.Funcs[:min(len(t.Funcs), mostNamed)] {
		names = append(names, fmt.Sprintf("%s (%d)", f.Func.Name, f.Edits))
	}
	most := "those of "
	if len(t.Funcs) > mostNamed {
		most = "most of them of "
	}
	return fmt.Sprintf("%s of the text of %s %s tried, %s%s", plural.N(t.Edits, "edit"), plural.N(len(t.Funcs), "function"), plural.Verb(t.Edits, "was", "were"), most, strings.Join(names, ", ")) + left(t.Left)
}

// left says what was not tried.
func left(funcs int) string {
	if funcs == 0 {
		return ""
	}
	return fmt.Sprintf("; %s that failing tests execute %s left; --entry FUNCTION searches one, with those it calls", plural.N(funcs, "function"), plural.Verb(funcs, "is", "are"))
}
