package textedit

import (
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
)

// This file tells which integers hold characters. Edits such as isspace(v) are listed only for these.

// isCharacter reports whether x is a variable that its function passes to a function for characters, such as isdigit or
// tolower.
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

// asked matches a call of a function for characters with a variable as argument.
var asked = regexp.MustCompile(`\b(?:is(?:alnum|alpha|digit|lower|upper|space|punct)|to(?:lower|upper))\s*\(\s*(\w+)\s*\)`)

// asksNumber reports whether a text calls a function for characters with an integer variable that holds no character:
// isspace(words) is right only by chance.
func (s *facts) asksNumber(text string, fn *cfront.Func) bool {
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

// characters returns the integers of a function that hold characters: they are passed to a function for characters,
// assigned from getchar, or assigned from or compared with a character.
func (s *facts) characters(fn *cfront.Func) map[*cfront.Var]bool {
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
	for range 2 { // twice, so that variables assigned from such a variable are found
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
