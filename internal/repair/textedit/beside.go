package textedit

import (
	"fmt"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file lists what stands beside what is there: the same with its two ends exchanged, the second
// of two values that are searched for, a node without any of its links, how much a length grows by.

// Bounds.
const (
	mostGrowing = 3 // variables that a length may grow by
	costBeside  = CostInsert - 2
)

// bothEnds writes a statement again with two things of one type exchanged: an edge leads back, too.
func bothEnds(p place, add func(cost int, what, text string)) {
	if p.block == nil || p.index < 0 || p.index >= len(p.block.List) {
		return
	}
	st, ok := p.block.List[p.index].(*cfront.ExprStmt)
	if !ok || !standsAsWritten(st) {
		return
	}
	switch x := st.X.(type) {
	case *cfront.Call:
		for i, a := range x.Args {
			for _, b := range x.Args[i+1:] {
				if t, ok := exchangedIn(st, a, b); ok {
					add(costBeside, "insert", t+";")
				}
			}
		}
	case *cfront.Assign:
		outer, ok := cfront.Skip(x.L).(*cfront.Index)
		if !ok {
			return
		}
		if inside, ok := cfront.Skip(outer.X).(*cfront.Index); ok {
			if t, ok := exchangedIn(st, inside.I, outer.I); ok {
				add(costBeside, "insert", t+";")
			}
		}
	}
}

// exchangedIn is the text of a statement with two of its operands exchanged; ok is false where that is
// nothing else, or no C.
func exchangedIn(st *cfront.ExprStmt, a, b cfront.Expr) (string, bool) {
	if !within(a, st.X) || !within(b, st.X) || !sameType(cfront.Skip(a).Type(), cfront.Skip(b).Type()) {
		return "", false
	}
	r, x, y := st.X.Range(), a.Range(), b.Range()
	if x.End > y.Start || x.Text() == y.Text() || impure(st.X) && strings.Contains(r.Text(), "++") {
		return "", false
	}
	if _, constant := cfront.Skip(a).(*cfront.Const); constant {
		return "", false
	}
	return cut(r.File, r.Start, x.Start) + y.Text() + cut(r.File, x.End, y.Start) + x.Text() + cut(r.File, y.End, r.End), true
}

// grown lists by what a length beside something grows.
func grown(p place, vars []*cfront.Var, add func(cost int, what, text string)) {
	body := p.fn.Body.Range().Text()
	for _, v := range vars {
		if v.Func == nil || v.Type.Kind != ctype.Pointer || !v.Type.Elem.IsAggregate() || v.Type.ElemQual&ctype.Const != 0 {
			continue
		}
		for _, m := range v.Type.Elem.Fields {
			if m.Name == "" || m.Qual&ctype.Const != 0 || !m.Type.IsInteger() || !strings.Contains(body, v.Name+"->"+m.Name) {
				continue
			}
			n := 0
			for _, w := range vars {
				if w.Func != nil && w.Type.IsInteger() && n < mostGrowing {
					n++
					add(CostInsert, "insert", fmt.Sprintf("%s->%s += %s;", v.Name, m.Name, w.Name))
				}
			}
		}
	}
}

// linkless lists in which conditions nodes have none of their links.
func linkless(vars []*cfront.Var) (out []string) {
	for _, v := range vars {
		if v.Func == nil || v.Type.Kind != ctype.Pointer || !v.Type.Elem.IsAggregate() {
			continue
		}
		var none []string
		for _, m := range v.Type.Elem.Fields {
			if m.Name != "" && sameType(m.Type, v.Type) {
				none = append(none, v.Name+"->"+m.Name+" == NULL")
			}
		}
		if len(none) == 2 {
			out = append(out, strings.Join(none, " && "))
		}
	}
	return out
}

// behindEmpty lists conditions that a list is empty and a place in it that a parameter counts is not its first.
func behindEmpty(vars []*cfront.Var, fn *cfront.Func) (out []string) {
	for _, h := range heads(vars) {
		for _, v := range fn.Params {
			if v.Type.IsInteger() && v.Name != "" {
				out = append(out, h.text+" == NULL && "+v.Name+" != 0")
			}
		}
	}
	return out
}
