package schema

import (
	"slices"
	"strings"

	"gulo/internal/cfront"
)

// This file makes letters small or capital where they are stored or compared.

// costLetters is the cost of tolower(c) for c in a program that speaks of kinds of letters.
const costLetters = costPath

// letters lists a character in the other case, and what is in one case as it is.
func (s *space) letters(x cfront.Expr, fn *cfront.Func) {
	t := x.Type()
	if t == nil || !t.IsInteger() || t.Size != 1 && !isCharacter(x) {
		return
	}
	if c, ok := x.(*cfront.Call); ok {
		f, ok := c.Fun.(*cfront.FuncRef)
		if ok && slices.Contains([]string{"tolower", "toupper"}, f.Func.Name) && len(c.Args) == 1 && within(c.Args[0], c) {
			s.replaced(x, fn, costLetters, "letters as they are", c.Args[0].Range().Text(), c.Args[0].Range().Text())
		}
		return
	}
	if !path(x) || len(x.Range().Text()) > longestNamed {
		return
	}
	for i, name := range []string{"tolower", "toupper"} {
		if !s.library(name) {
			continue
		}
		text := name + "(" + x.Range().Text() + ")"
		s.replaced(x, fn, costLetters+i, "letters in one case", text, text)
	}
}

// isCharacter reports whether an integer is used as a character in its function: functions that
// tell kinds of characters are asked about it.
func isCharacter(x cfront.Expr) bool {
	r, ok := x.(*cfront.Ref)
	if !ok || r.Var.Func == nil {
		return false
	}
	found := false
	cfront.WalkStmt(r.Var.Func.Body, nil, func(y cfront.Expr) {
		cfront.Walk(y, func(z cfront.Expr) bool {
			if c, ok := z.(*cfront.Call); ok && len(c.Args) == 1 {
				f, ok := c.Fun.(*cfront.FuncRef)
				a, ok2 := cfront.Skip(c.Args[0]).(*cfront.Ref)
				found = found || ok && ok2 && a.Var == r.Var && (strings.HasPrefix(f.Func.Name, "is") || f.Func.Name == "tolower" || f.Func.Name == "toupper")
			}
			return !found
		})
	})
	return found
}
