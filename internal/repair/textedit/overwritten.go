package textedit

import (
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file frees a block before the only pointer to it is overwritten, as with an array that is replaced by a larger
// one. It does so only if the program frees that pointer's target elsewhere.

const costOverwritten = CostInsert - 1

// overwritten lists a call of free before an assignment that overwrites a pointer. The new value must not be read
// through that pointer.
func (s *Space) overwritten(st *cfront.ExprStmt, p place) {
	a, ok := st.X.(*cfront.Assign)
	if !ok || a.HasOp || a.L.Type().Kind != ctype.Pointer || !a.L.Editable() || !within(a.L, a) || !path(cfront.Skip(a.L)) {
		return
	}
	l := a.L.Range().Text()
	if strings.Contains(a.R.Range().Text(), l) || cfront.IsNull(a.R) || !s.freesElsewhere(lastName.FindString(l)) {
		return
	}
	f, start, end := st.Range().File, st.Range().Start, WholeEnd(st.Range().File, st.Range().End)
	text, old := "free("+l+");", cut(f, start, end)
	e := &Edit{What: "free what is overwritten", Cost: costOverwritten, Changes: []Change{{f, start, start, text + "\n" + f.Indent(start)}}}
	if p.block.Implicit {
		e.braced, e.Changes = true, []Change{inBraces(f, start, end, text, old)}
		old += " }"
		text = "{ " + text
	}
	s.add(Statement, p.fn, f, start, end, text+" "+old, e)
}

// lastName matches the variable or the member that a path ends with.
var lastName = regexp.MustCompile(`[A-Za-z_]\w*$`)

// freesElsewhere reports whether the program calls free with a variable or a member of that name.
func (s *facts) freesElsewhere(name string) bool {
	if s.freed == nil {
		s.freed = map[string]bool{}
		for _, fn := range s.tree.Funcs {
			if fn.Body == nil {
				continue
			}
			cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
				cfront.Walk(x, func(y cfront.Expr) bool {
					if c, ok := y.(*cfront.Call); ok && len(c.Args) == 1 {
						if g, ok := cfront.Skip(c.Fun).(*cfront.FuncRef); ok && g.Func.Name == "free" && g.Func.Body == nil {
							s.freed[lastName.FindString(cfront.Skip(c.Args[0]).Range().Text())] = true
						}
					}
					return true
				})
			})
		}
	}
	return name != "" && s.freed[name]
}
