package textedit

import (
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file keeps a choice a choice: c ? "BROKEN" : "ok" prints what is wanted with "ok" twice,
// and so does an if whose branches do the same, but nobody means that.

// arm is one side of a conditional expression or of an if with an else.
type arm struct {
	source.Range
	other string // side, without blanks
}

// Arms are the choices of a program, by file.
type Arms map[*source.File][]arm

// ArmsOf lists the choices of the functions of a program whose sides differ.
func ArmsOf(tree *cfront.Program) Arms {
	out := Arms{}
	add := func(a, b source.Range) {
		if !a.Valid() || !b.Valid() || a.File != b.File {
			return
		}
		if x, y := unspaced(a.Text()), unspaced(b.Text()); x != y {
			out[a.File] = append(out[a.File], arm{a, y}, arm{b, x})
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

// Same reports whether a choice has two equal sides when a text stands from start to end.
func (a Arms) Same(f *source.File, start, end int, text string) bool {
	for _, x := range a[f] {
		if x.Start <= start && end <= x.End {
			t := x.Text()
			if unspaced(t[:start-x.Start]+text+t[end-x.Start:]) == x.other {
				return true
			}
		}
	}
	return false
}

func unspaced(s string) string { return strings.Join(strings.Fields(s), "") }
