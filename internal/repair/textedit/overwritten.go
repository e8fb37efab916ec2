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

// overwritten lists a call of free for the block that an assignment loses by overwriting the pointer to it: before the
// assignment, or behind it where the new value is read from the block.
func (s *Space) overwritten(st *cfront.ExprStmt, p place) {
	a, ok := st.X.(*cfront.Assign)
	if !ok || a.HasOp || a.L.Type().Kind != ctype.Pointer || !a.L.Editable() || !within(a.L, a) || !path(cfront.Skip(a.L)) {
		return
	}
	l := a.L.Range().Text()
	if through(a.R.Range().Text(), l) && s.freesAlike(a.L.Type()) {
		f, r := st.Range().File, st.Range()
		alt, e := s.stepped(st, l, a.L.Type(), p)
		s.add(Statement, p.fn, f, r.Start, WholeEnd(f, r.End), alt, e)
		return
	}
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

// stepped puts free behind an assignment such as p = p->next, with the old pointer in a new variable.
func (s *facts) stepped(st *cfront.ExprStmt, l string, t *ctype.Type, p place) (alt string, e *Edit) {
	f, start, end := st.Range().File, st.Range().Start, WholeEnd(st.Range().File, st.Range().End)
	name := s.fresh(p.fn)
	keep, text, old := t.Decl(name)+" = "+l+";", "free("+name+");", cut(f, start, end)
	alt = "{ " + keep + " " + old + " " + text + " }"
	e = &Edit{What: "free what is overwritten", Cost: costOverwritten, Changes: []Change{{f, start, start, keep + "\n" + f.Indent(start)}, {f, end, end, "\n" + f.Indent(start) + text}}}
	if p.block.Implicit {
		e.braced, e.Changes = true, []Change{inBraces(f, start, end, keep, old+" "+text)}
	}
	return alt, e
}

// freesAlike reports whether the program calls free with a pointer of a type.
func (s *facts) freesAlike(t *ctype.Type) (found bool) {
	for _, fn := range s.tree.Funcs {
		if fn.Body == nil || found {
			continue
		}
		cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
			if x, ok := st.(*cfront.ExprStmt); ok && frees(st) != "" {
				found = found || sameType(cfront.Skip(x.X.(*cfront.Call).Args[0]).Type(), t)
			}
		}, nil)
	}
	return found
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
