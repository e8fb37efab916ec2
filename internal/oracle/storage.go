package oracle

import (
	"fmt"
	"math/rand"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
)

// This file varies what a function finds in static storage: global and static variables are inputs like its arguments.

// nameOf returns a variable's name in states: f::n if it is local to f.
func nameOf(v *cfront.Var) string {
	if v.Func != nil {
		return v.Func.Name + "::" + v.Name
	}
	return v.Name
}

// Storage lists the variables of numbers in static storage that f or g, or a function that they call, uses and that
// both programs have. If state is set, those that these functions assign to are included; else only those that they
// never assign to, such as settings.
func Storage(own, ref *lower.Program, f, g *cfront.Func, state bool) (out []*cfront.Var) {
	used, assigned := map[string]bool{}, map[string]bool{}
	look := func(fs map[*cfront.Func]bool) {
		for h := range fs {
			cfront.WalkStmt(h.Body, nil, func(x cfront.Expr) {
				cfront.Walk(x, func(y cfront.Expr) bool {
					var l cfront.Expr
					switch z := y.(type) {
					case *cfront.Ref:
						used[nameOf(z.Var)] = true
					case *cfront.Assign:
						l = z.L
					case *cfront.IncDec:
						l = z.X
					case *cfront.Addr:
						l = z.X
					}
					if l != nil {
						cfront.Walk(l, func(z cfront.Expr) bool {
							if r, ok := z.(*cfront.Ref); ok {
								assigned[nameOf(r.Var)] = true
							}
							return true
						})
					}
					return true
				})
			})
		}
	}
	look(cfront.Callees(f))
	look(cfront.Callees(g))
	for _, v := range ref.Tree.Globals {
		n := nameOf(v)
		w := globalOf(own, n)
		if w == nil || v.Const || w.Const || !v.Range.Valid() || strings.HasPrefix(v.Range.File.Name, "@gulo/") || !used[n] || assigned[n] && !state || !alike(v.Type, w.Type) {
			continue
		}
		if v.Type.Kind == ctype.Array && len(v.Init) > 0 && !assigned[n] {
			continue // a table
		}
		list := scalars(v.Type, "", 0, nil)
		whole := len(list) > 0 && len(list) <= 2*maxElements
		for _, s := range list {
			whole = whole && s.typ.Kind != ctype.Pointer
		}
		if whole {
			out = append(out, v)
		}
	}
	return out
}

// Names returns the names that variables have in states.
func Names(vars []*cfront.Var) (out []string) {
	for _, v := range vars {
		out = append(out, nameOf(v))
	}
	return out
}

// Numbers lists the parameters that are numbers, except those after a pointer, which may be lengths.
func Numbers(f *cfront.Func) (out []int) {
	for i, p := range f.Params {
		if (p.Type.IsInteger() || p.Type.Kind == ctype.Float) && (i == 0 || f.Params[i-1].Type.Kind != ctype.Pointer) {
			out = append(out, i)
		}
	}
	return out
}

// arguments replaces the values of some numeric arguments.
func (s *State) arguments(f *cfront.Func, numbers []int, near *Numerals, rnd *rand.Rand) {
	s.Args = append([]Value(nil), s.Args...)
	var others []int64
	for _, i := range rnd.Perm(len(numbers)) {
		i = numbers[i]
		t := f.Params[i].Type
		if rnd.Intn(4) == 0 {
			if t.Kind != ctype.Float {
				others = append(others, int64(s.Args[i].Word))
			}
			continue
		}
		n := near.pick(others, rnd)
		others = append(others, n)
		text := ""
		if t.Kind == ctype.Float {
			x := float64(n) + float64(rnd.Intn(4))/4
			s.Args[i], text = Value{Word: ctype.OfFloat(t, x)}, fmt.Sprint(x)
		} else {
			w := ctype.Wrap(t, ctype.Word(n))
			if t.Kind == ctype.Bool {
				w &= 1
			}
			s.Args[i], text = Value{Word: w}, fmt.Sprint(int64(w))
		}
		s.Text = strings.TrimPrefix(s.Text+fmt.Sprintf("; %s = %s", f.Params[i].Name, text), "; ")
	}
}

// With returns the state with other values of some of the variables and arguments.
func (s *State) With(f *cfront.Func, numbers []int, vars []*cfront.Var, near *Numerals, rnd *rand.Rand) *State {
	c := *s
	c.Globals = make(map[string][]Cell, len(s.Globals))
	for n, cells := range s.Globals {
		c.Globals[n] = cells
	}
	if len(numbers) > 0 {
		c.arguments(f, numbers, near, rnd)
	}
	c.set(vars, near, rnd)
	return &c
}

// set gives some of the variables other values.
func (s *State) set(vars []*cfront.Var, near *Numerals, rnd *rand.Rand) {
	var others []int64
	for _, a := range s.Args {
		if a.Object == 0 {
			others = append(others, int64(a.Word))
		}
	}
	for _, v := range vars {
		if rnd.Intn(2) == 0 {
			continue
		}
		var cells []Cell
		var vals []string
		for _, p := range scalars(v.Type, "", 0, nil) {
			n := near.pick(others, rnd)
			others = append(others, n)
			if p.typ.Kind == ctype.Float {
				x := float64(n) + float64(rnd.Intn(4))/4
				cells = append(cells, Cell{p.path, Value{Word: ctype.OfFloat(p.typ, x)}})
				vals = append(vals, fmt.Sprint(x))
				continue
			}
			w := ctype.Wrap(p.typ, ctype.Word(n))
			if p.typ.Kind == ctype.Bool {
				w &= 1
			}
			cells = append(cells, Cell{p.path, Value{Word: w}})
			vals = append(vals, fmt.Sprint(int64(w)))
		}
		s.Globals[nameOf(v)] = cells
		text := strings.Join(vals, ", ")
		if len(vals) > 6 {
			text = strings.Join(vals[:6], ", ") + ", ..."
		}
		if len(vals) > 1 {
			text = "{" + text + "}"
		}
		s.Text = strings.TrimPrefix(s.Text+fmt.Sprintf("; %s = %s", nameOf(v), text), "; ")
	}
}
