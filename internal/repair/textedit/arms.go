package textedit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file recognizes edits that make both sides of a choice equal. c ? "ok" : "ok" may print what is wanted, and so
// may an if whose branches do the same, but nobody means that.

// arm is one side of a conditional expression or of an if with an else.
type arm struct {
	source.Range
	other string // text of the other side, without blanks
}

// Arms are the choices of a program (conditional expressions, ifs with an else), by file.
type Arms map[*source.File]*choices

// choices are the choices in one file.
type choices struct {
	arms  []arm
	black []int // by offset: number of non-blank bytes before it
}

// ArmsOf lists the choices of the functions of a program whose sides differ.
func ArmsOf(tree *cfront.Program) Arms {
	out := Arms{}
	add := func(a, b source.Range) {
		if !a.Valid() || !b.Valid() || a.File != b.File {
			return
		}
		if x, y := unspaced(a.Text()), unspaced(b.Text()); x != y {
			of := out[a.File]
			if of == nil {
				of = &choices{black: blacks(string(a.File.Text))}
				out[a.File] = of
			}
			of.arms = append(of.arms, arm{a, y}, arm{b, x})
		}
	}
	for _, f := range tree.Funcs {
		if f.Body == nil || !own(f) {
			continue
		}
		cfront.WalkStmt(f.Body, func(s cfront.Stmt) {
			if s, ok := s.(*cfront.If); ok && s.Else != nil {
				add(s.Then.Range(), s.Else.Range())
			}
		}, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if c, ok := y.(*cfront.Cond); ok {
					add(c.A.Range(), c.B.Range())
				}
				return true
			})
		})
	}
	return out
}

// Same reports whether some choice has two equal sides once text replaces the bytes from start to end.
func (a Arms) Same(f *source.File, start, end int, text string) bool {
	of := a[f]
	if of == nil {
		return false
	}
	more := len(unspaced(text)) - of.between(start, end)
	for _, x := range of.arms {
		if x.Start <= start && end <= x.End && of.between(x.Start, x.End)+more == len(x.other) { // in a chain each side holds all the rest
			t := x.Text()
			if unspaced(t[:start-x.Start]+text+t[end-x.Start:]) == x.other {
				return true
			}
		}
	}
	return false
}

// between counts the non-blank bytes from start to end.
func (c *choices) between(start, end int) int { return c.black[end] - c.black[start] }

// blacks returns, for each offset of a text, the number of non-blank bytes before it.
func blacks(text string) []int {
	out := make([]int, 1, len(text)+1)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		one := 1
		if unicode.IsSpace(r) {
			one = 0
		}
		for range size {
			out = append(out, out[i]+one)
			i++
		}
	}
	return out
}

func unspaced(s string) string { return strings.Join(strings.Fields(s), "") }
