package textedit

import (
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
)

// This file turns characters into numbers and numbers into characters: '7' is no 7, and the first
// letter no 0. It makes letters small or capital where they are stored or compared.

const costCharacter = costPath

// character lists what a character is counted from, for one that is read as a number.
func (s *Space) character(x cfront.Expr, fn *cfront.Func) {
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
func (s *Space) printedCharacters(call *cfront.Call, fn *cfront.Func) {
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

// costLetters is the cost of tolower(c) for c in a program that speaks of kinds of letters.
const costLetters = costPath

// letters lists a character in the other case, and what is in one case as it is.
func (s *Space) letters(x cfront.Expr, fn *cfront.Func) {
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

// asked is a function that tells kinds of characters, asked about a name.
var asked = regexp.MustCompile(`\b(?:is(?:alnum|alpha|digit|lower|upper|space|punct)|to(?:lower|upper))\((\w+)\)`)

// asksNumber reports whether a text asks what kind of character a variable is that counts something:
// isspace(words) is met by chance alone.
func (s *Space) asksNumber(text string, fn *cfront.Func) bool {
	if fn == nil || fn.Body == nil || !strings.Contains(text, "is") && !strings.Contains(text, "to") {
		return false
	}
	for _, m := range asked.FindAllStringSubmatch(text, -1) {
		for _, v := range slices.Concat(fn.Locals, fn.Params) {
			if v.Name == m[1] && v.Type.IsInteger() && v.Type.Size > 1 && !s.characters(fn)[v] {
				return true
			}
		}
	}
	return false
}

// characters are the integers of a function that hold characters: functions that tell kinds of them are
// asked about them, they are read by getchar, or stand beside characters.
func (s *Space) characters(fn *cfront.Func) map[*cfront.Var]bool {
	if out, ok := s.chars[fn]; ok {
		return out
	}
	out := map[*cfront.Var]bool{}
	character := func(x cfront.Expr) bool {
		x = cfront.Skip(x)
		if c, ok := x.(*cfront.Call); ok {
			f, ok := c.Fun.(*cfront.FuncRef)
			return ok && slices.Contains([]string{"getchar", "getc", "fgetc", "tolower", "toupper"}, f.Func.Name)
		}
		return strings.HasPrefix(x.Range().Text(), "'") || x.Type() != nil && x.Type().IsInteger() && x.Type().Size == 1 || out[variableOf(x)]
	}
	for range 2 { // what gets what such a variable holds
		cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
			if d, ok := st.(*cfront.Decl); ok && len(d.Init) == 1 && character(d.Init[0].X) {
				out[d.Var] = true
			}
		}, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				switch y := y.(type) {
				case *cfront.Assign:
					if v := variableOf(y.L); v != nil && character(y.R) {
						out[v] = true
					}
				case *cfront.Binary:
					if v := variableOf(y.X); v != nil && y.Op.IsCompare() && character(y.Y) {
						out[v] = true
					}
				case *cfront.Ref:
					if !out[y.Var] && isCharacter(y) {
						out[y.Var] = true
					}
				}
				return true
			})
		})
	}
	delete(out, nil)
	if s.chars == nil {
		s.chars = map[*cfront.Func]map[*cfront.Var]bool{}
	}
	s.chars[fn] = out
	return out
}
