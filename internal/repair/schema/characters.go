package schema

import (
	"strings"

	"gulo/internal/cfront"
)

// This file turns characters into numbers and numbers into characters: '7' is no 7, and the first
// letter no 0.

const costCharacter = costPath

// character lists what a character is counted from, for one that is read as a number.
func (s *space) character(x cfront.Expr, fn *cfront.Func) {
	t := x.Type()
	if t == nil || !t.IsInteger() || t.Size != 1 || !x.Editable() || s.written {
		return
	}
	text := x.Range().Text()
	if after := strings.TrimLeft(string(x.Range().File.Text[x.Range().End:]), " \t"); strings.HasPrefix(after, "- '") || strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==") {
		return
	}
	body := fn.Body.Range().Text()
	s.grouped(x, fn, costCharacter, "a digit as a number", text+" - '0'")
	for _, c := range []string{"'a'", "'A'"} {
		if strings.Contains(body, c) || strings.Contains(body, "[26]") {
			s.grouped(x, fn, costCharacter, "a letter as a number", text+" - "+c)
		}
	}
}

// printedCharacters lists for what a call prints as characters those that numbers stand for.
func (s *space) printedCharacters(call *cfront.Call, fn *cfront.Func) {
	f, ok := cfront.Skip(call.Fun).(*cfront.FuncRef)
	if !ok || f.Func.Name != "putchar" && (f.Func.Name != "printf" || len(call.Args) == 0 || !strings.Contains(call.Args[0].Range().Text(), "c")) {
		return
	}
	for _, a := range call.Args {
		if x, ok := cfront.Skip(a).(*cfront.Ref); ok && x.Type().IsInteger() && x.Type().Size > 1 && within(x, call) {
			for i, c := range []string{"'a'", "'A'", "'0'"} {
				s.grouped(x, fn, costCharacter+i, "the character of a number", c+" + "+x.Range().Text())
			}
		}
	}
}
