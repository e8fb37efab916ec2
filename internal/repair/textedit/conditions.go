package textedit

import (
	"slices"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file lists the conditions that may be used at a place.

// conditionsAt lists conditions that may be used at a place: conditions of the function and their opposites, null
// checks, zero checks, and calls of the program's predicates.
func (s *facts) conditionsAt(fn *cfront.Func, f *source.File, at int) []string {
	vars := Visible(s.tree, fn, f, at)
	var out []string
	seen := map[string]bool{}
	add := func(c string) {
		if len(out) < mostConditions && !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	here := namesOf(vars)
	for i := range s.of(fn).conds {
		fr := &s.of(fn).conds[i]
		if !s.callable(fr, f, at) {
			continue
		}
		for _, t := range s.counterparts(fr, vars) {
			add(t)
		}
		for _, t := range fr.among(here, 4) {
			if s.mixes(t, vars, fn) {
				continue
			}
			add(t)
			if x, ok := fr.x.(cfront.Expr); ok && t == x.Range().Text() {
				if z := isZero(x); z != "" {
					add(z)
				}
				add(opposite(x))
			}
		}
	}
	for _, v := range vars {
		if v.Type.Kind == ctype.Pointer && v.Func != nil && !v.Type.IsFuncPointer() && v.Storage != cfront.Static {
			add(v.Name + " != NULL")
			add(v.Name + " == NULL")
		}
	}
	for _, c := range linkless(vars) {
		add(c)
	}
	numbers := 0
	for _, v := range vars {
		if v.Type.IsInteger() && v.Func != nil && numbers < 6 {
			numbers++
			add(v.Name)
			add(v.Name + " > 0")
			add(v.Name + " == 0")
		}
	}
	for _, c := range s.predicates(fn, vars, f, at) {
		add(c)
		add("!" + c)
	}
	return out
}

// counterparts rewrites a condition about a member for another member that has a variable of the same name:
// strcmp(e->key, key) for strcmp(e->name, name).
func (s *facts) counterparts(fr *fragment, vars []*cfront.Var) []string {
	x, ok := fr.x.(cfront.Expr)
	if !ok {
		return nil
	}
	for _, r := range fr.refs {
		if !slices.Contains(vars, r.Var) {
			return nil
		}
	}
	var m *cfront.Member
	cfront.Walk(x, func(y cfront.Expr) bool {
		if z, is := y.(*cfront.Member); is && m == nil && z.Editable() {
			m = z
		}
		return true
	})
	if m == nil {
		return nil
	}
	t := m.X.Type()
	if m.Arrow {
		t = t.Elem
	}
	var out []string
	text := x.Range().Text()
	for _, o := range t.Fields {
		if o.Name == "" || o.Name == m.Field.Name || !sameType(o.Type, m.Field.Type) && o.Type.Kind != m.Field.Type.Kind {
			continue
		}
		for _, v := range vars {
			if v.Name == o.Name {
				out = append(out, word(m.Field.Name).ReplaceAllString(text, o.Name))
			}
		}
	}
	return out
}

// predicates lists calls, with visible variables, of the program's functions that return an integer and have no side
// effects.
func (s *facts) predicates(fn *cfront.Func, vars []*cfront.Var, f *source.File, at int) []string {
	var out []string
	for _, g := range s.tree.Funcs {
		if g == fn || g.Name == "main" || !own(g) || !s.declared(g, f, at) || g.Type.Result == nil || !g.Type.Result.IsInteger() || len(g.Params) == 0 || len(g.Params) > 3 || s.writes(g) {
			continue
		}
		for _, a := range arguments(g, vars, 6) {
			out = append(out, g.Name+"("+a+")")
		}
	}
	return out
}

// arguments returns up to most argument lists for a function, made of variables.
func arguments(g *cfront.Func, vars []*cfront.Var, most int) []string {
	lists := []string{""}
	for i, p := range g.Params {
		var next []string
		for _, v := range vars {
			name := v.Name
			switch {
			case v.Func == nil && p.Type.IsInteger():
				continue
			case sameType(v.Type, p.Type):
			case v.Type.Kind == ctype.Pointer && sameType(v.Type.Elem, p.Type) && p.Type.Kind == ctype.Pointer:
				name = "*" + name // *list, for a parameter of type struct node * and a variable struct node **list
			default:
				continue
			}
			for _, l := range lists {
				if i > 0 {
					l += ", "
				}
				next = append(next, l+name)
			}
		}
		// A variable that has the parameter's name is the likeliest.
		sort.SliceStable(next, func(a, b int) bool {
			return strings.HasSuffix(next[a], p.Name) && !strings.HasSuffix(next[b], p.Name)
		})
		if lists = next; len(lists) > most {
			lists = lists[:most]
		}
	}
	return lists
}
