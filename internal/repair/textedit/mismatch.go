package textedit

import (
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// Mismatched counts the conversions of printf whose argument is of another kind: %f for an int, %d for a double. What
// they print has nothing to do with the argument's value.
func Mismatched(funcs []*cfront.Func) int {
	n := 0
	for _, fn := range funcs {
		if fn.Body == nil {
			continue
		}
		cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if c, ok := y.(*cfront.Call); ok {
					n += mismatched(c)
				}
				return true
			})
		})
	}
	return n
}

func mismatched(c *cfront.Call) (n int) {
	f, ok := c.Fun.(*cfront.FuncRef)
	if !ok || f.Func.Name != "printf" || f.Func.Body != nil || len(c.Args) == 0 {
		return 0
	}
	s, ok := cfront.Skip(c.Args[0]).(*cfront.String)
	if !ok {
		return 0
	}
	args := c.Args[1:]
	for _, m := range Conversion.FindAllStringSubmatch(strings.TrimRight(string(s.Bytes), "\x00"), -1) {
		if m[5] == "%" {
			continue
		}
		for _, x := range m[2:4] {
			if x == "*" && len(args) > 0 {
				args = args[1:]
			}
		}
		if len(args) == 0 {
			break
		}
		t := args[0].Type()
		args = args[1:]
		switch m[5] {
		case "f", "F", "e", "E", "g", "G", "a", "A":
			if t.IsInteger() {
				n++
			}
		case "d", "i", "u", "x", "X", "o", "c":
			if t.Kind == ctype.Float {
				n++
			}
		}
	}
	return n
}
