package textedit

import (
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file completes searches. A search that follows one link of a node follows the other links, too. A search by
// several keys compares all of them. Links of a record that belong together are cleared together.

// Bounds.
const (
	mostOtherSides = 4
	mostKeyed      = 4 // records in a condition
	leastKeys      = 2
	mostKeys       = 5 // more are not tried two by two
	mostCleared    = 3 // links that are cleared together
	costOtherSide  = costPath + 1
	costAllKeys    = costGuard - 1
	costCleared    = CostInsert + 1
)

// otherSides returns, for a recursive call with one link of a node, the texts of the same call with the other links.
func otherSides(x cfront.Expr, fn *cfront.Func) (out []string) {
	call, ok := cfront.Skip(x).(*cfront.Call)
	if !ok || !call.Editable() {
		return nil
	}
	if f, ok := cfront.Skip(call.Fun).(*cfront.FuncRef); !ok || f.Func != fn {
		return nil
	}
	r := call.Range()
	for _, a := range call.Args {
		m, ok := cfront.Skip(a).(*cfront.Member)
		if !ok || !within(m, call) || !sameType(elemOf(m.Type()), baseOf(m)) || !strings.HasSuffix(m.Range().Text(), m.Field.Name) {
			continue
		}
		for _, f := range membersOf(m) {
			if f == m.Field.Name || len(out) == mostOtherSides {
				continue
			}
			end := m.Range().End
			out = append(out, cut(r.File, r.Start, end-len(m.Field.Name))+f+cut(r.File, end, r.End))
		}
	}
	return out
}

// otherSide joins a recursive call with the same call for another link. A call that the function has already is not
// listed.
func (s *Space) otherSide(x *cfront.Call, fn *cfront.Func) {
	if !x.Type().IsInteger() {
		return
	}
	t, body := x.Range().Text(), fn.Body.Range().Text()
	for _, c := range otherSides(x, fn) {
		if strings.Contains(body, c) {
			continue
		}
		s.replaced(x, fn, costOtherSide, "the other side", "("+t+") + ("+c+")", t+" + "+c)
		s.replaced(x, fn, costOtherSide, "the other side", "("+t+") || ("+c+")", t+" || "+c)
	}
}

// found changes the return of a variable that holds the result of a recursive call for one link: if nothing was found
// there, the other link is searched.
func (s *Space) found(st *cfront.Return, fn *cfront.Func) {
	v, ok := cfront.Skip(st.X).(*cfront.Ref)
	if !ok || !v.Editable() || v.Var.Func != fn || !v.Type().IsInteger() && v.Type().Kind != ctype.Pointer {
		return
	}
	body, n := fn.Body.Range().Text(), 0
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			for _, c := range otherSides(y, fn) {
				if n == mostOtherSides || strings.Contains(body, c) || !sameType(y.Type(), v.Type()) {
					continue
				}
				n++
				t := v.Range().Text()
				if v.Type().Kind == ctype.Pointer {
					s.replaced(st.X, fn, costOtherSide, "the other side", t+" != NULL ? "+t+" : "+c, t+" != NULL ? "+t+" : "+c)
					continue
				}
				s.replaced(st.X, fn, costOtherSide, "the other side", t+" || "+c, t+" || "+c)
				s.replaced(st.X, fn, costOtherSide, "the other side", t+" + "+c, t+" + "+c)
			}
			return true
		})
	})
}

// allKeys lists loop conditions that go on until a record agrees with all variables that have the names of its members.
func (s *Space) allKeys(x cfront.Expr, fn *cfront.Func) {
	if !x.Editable() {
		return
	}
	r := x.Range()
	vars := Visible(s.tree, fn, r.File, r.Start)
	n := 0
	for _, v := range vars {
		base, t := v.Name+"->", elemOf(v.Type)
		if e := elemOf(t); e != nil {
			base, t = "(*"+v.Name+")->", e
		}
		if t == nil || !t.IsAggregate() || v.Func == nil || n == mostKeyed || !slices.ContainsFunc(lexemes(r.Text()), func(l lexeme) bool { return l.text == v.Name }) {
			continue
		}
		differ := keysOf(base, t, vars)
		if len(differ) < leastKeys {
			continue
		}
		n++
		for _, keys := range several(differ) {
			c := "(" + strings.Join(keys, " || ") + ")"
			s.replaced(x, fn, costAllKeys, "and", "("+r.Text()+") && "+c, operand(x, true)+" && "+c)
		}
	}
}

// several returns the whole list, and each pair if the list has three to mostKeys texts.
func several(list []string) (out [][]string) {
	out = append(out, list)
	if len(list) == 2 || len(list) > mostKeys {
		return out
	}
	for i, a := range list {
		for _, b := range list[i+1:] {
			out = append(out, []string{a, b})
		}
	}
	return out
}

// keysOf returns the conditions that a member of a record differs from the variable of the same name.
func keysOf(base string, t *ctype.Type, vars []*cfront.Var) (out []string) {
	for _, m := range t.Fields {
		for _, w := range vars {
			switch {
			case m.Name == "" || m.Name != w.Name:
			case m.Type.IsInteger() && w.Type.IsInteger():
				out = append(out, base+m.Name+" != "+w.Name)
			case isText(m.Type) && isText(w.Type):
				out = append(out, "strcmp("+base+m.Name+", "+w.Name+") != 0")
			}
		}
	}
	return out
}

// cleared lists statements that clear all links of a record. The record is one that the block at the place
// mentions, that is in scope there, and that may be changed.
func cleared(p place, vars []*cfront.Var, add func(cost int, what, text string)) {
	if p.block == nil {
		return
	}
	seen := map[string]bool{}
	for _, st := range p.block.List {
		cfront.WalkStmt(st, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				m, ok := y.(*cfront.Member)
				if !ok || !within(m.X, m) || !strings.HasSuffix(m.Range().Text(), m.Field.Name) {
					return true
				}
				t := m.Range().Text()
				base := t[:len(t)-len(m.Field.Name)]
				if seen[base] || !plainText(base) {
					return true
				}
				seen[base] = true
				if !onlyOf(m.X, vars) || readOnly(m) {
					return true
				}
				var links []string
				for _, f := range baseOf(m).Fields {
					if f.Name != "" && f.Type.Kind == ctype.Pointer && f.Qual&ctype.Const == 0 {
						links = append(links, base+f.Name+" = NULL;")
					}
				}
				if len(links) > 1 && len(links) <= mostCleared {
					add(costCleared, "insert", strings.Join(links, "\n"+p.indent))
				}
				return true
			})
		})
	}
}

// onlyOf reports whether an expression names no variables other than vars.
func onlyOf(x cfront.Expr, vars []*cfront.Var) bool {
	only := true
	cfront.Walk(x, func(y cfront.Expr) bool {
		if r, ok := y.(*cfront.Ref); ok && !slices.Contains(vars, r.Var) {
			only = false
		}
		return only
	})
	return only
}

// readOnly reports whether the object that a member belongs to is constant.
func readOnly(m *cfront.Member) bool {
	if m.Arrow {
		return m.X.Type().ElemQual&ctype.Const != 0
	}
	switch x := cfront.Skip(m.X).(type) {
	case *cfront.Member:
		return x.Field.Qual&ctype.Const != 0 || readOnly(x)
	case *cfront.Ref:
		return x.Var.Qual&ctype.Const != 0
	}
	return false
}

// plainText reports whether a text names an object and does nothing else.
func plainText(t string) bool {
	return !strings.ContainsAny(t, "=(\n") && !strings.Contains(t, "++") && !strings.Contains(t, "--")
}
