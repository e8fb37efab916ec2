package textedit

import (
	"fmt"
	"maps"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file lists missing branches and resets: what to do when a list becomes empty, what to do for the first node of a
// list, a node put in front of a list, and variables set back to their initial values before a search begins again.

// Bounds of what is listed at one place.
const (
	mostResets  = 12 // variables set back to their initial values
	mostEmptied = 24 // branches for a list that became empty
	mostFirst   = 24 // branches for the first node of a list
	mostPlaces  = 10 // lvalues considered for these branches
	longestEnd  = 40 // bytes of an lvalue
)

// changed returns the variables at file scope that the program's functions store to.
func (s *facts) changed() map[*cfront.Var]bool {
	if s.stored == nil {
		s.stored = map[*cfront.Var]bool{}
		for _, f := range s.tree.Funcs {
			if own(f) {
				maps.Copy(s.stored, s.storesTo(f))
			}
		}
	}
	return s.stored
}

// storesTo returns the variables at file scope that a function itself stores to.
func (s *facts) storesTo(f *cfront.Func) map[*cfront.Var]bool {
	if out, ok := s.storing[f]; ok {
		return out
	}
	out := map[*cfront.Var]bool{}
	if s.storing == nil {
		s.storing = map[*cfront.Func]map[*cfront.Var]bool{}
	}
	s.storing[f] = out
	if f.Body == nil {
		return out
	}
	cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			to := cfront.Stored(y)
			if r, ok := to.(*cfront.Ref); ok && r.Var.Func == nil {
				out[r.Var] = true
			}
			return true
		})
	})
	return out
}

// initialOf returns the text of a static variable's initial value; "" if it cannot be written as a short expression or
// the variable must not be stored to.
func initialOf(v *cfront.Var) string {
	switch {
	case v.Qual&ctype.Const != 0 || v.Volatile:
		return ""
	case len(v.Init) == 1 && v.Init[0].X.Editable() && len(v.Init[0].X.Range().Text()) <= 12:
		return v.Init[0].X.Range().Text()
	case len(v.Init) > 0:
		return ""
	case v.Type.IsInteger():
		return "0"
	case v.Type.Kind == ctype.Pointer:
		return "NULL"
	}
	return ""
}

// resets lists statements that set variables at file scope back to their initial values, such as a counter that an
// earlier call has used.
func (s *facts) resets(vars []*cfront.Var) (of []*cfront.Var, one []string) {
	for _, v := range vars {
		if s.changed()[v] && v.Type.IsScalar() && initialOf(v) != "" && len(one) < mostResets {
			one = append(one, v.Name+" = "+initialOf(v)+";")
			of = append(of, v)
		}
	}
	return of, one
}

// usedNext reports whether the statement after a place calls a function that stores to v. Before such a call people
// forget to reset v.
func (s *facts) usedNext(p place, f *source.File, at int, v *cfront.Var) bool {
	for _, st := range p.block.List {
		r := st.Range()
		if r.File != f || r.Start < at {
			continue
		}
		used := false
		look := func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				c, ok := y.(*cfront.Call)
				if !ok {
					return true
				}
				if g, ok := cfront.Skip(c.Fun).(*cfront.FuncRef); ok && own(g.Func) && g.Func != p.fn {
					for h := range cfront.Callees(g.Func) {
						used = used || s.storesTo(h)[v]
					}
				}
				return true
			})
		}
		if x, ok := st.(*cfront.ExprStmt); ok {
			look(x.X)
		} else if d, ok := st.(*cfront.Decl); ok {
			for _, in := range d.Init {
				look(in.X)
			}
		}
		return used
	}
	return false
}

func constant(x cfront.Expr) bool {
	switch y := cfront.Skip(x).(type) {
	case *cfront.Const:
		return true
	case *cfront.Unary:
		return constant(y.X)
	}
	return false
}

// endsAt returns the scalar members and variables at file scope that the program stores to and that can be named at a
// place, those of the function first.
func (s *facts) endsAt(fn *cfront.Func, vars []*cfront.Var) (out []end) {
	seen := map[string]bool{}
	for _, g := range append([]*cfront.Func{fn}, s.tree.Funcs...) {
		for i := range s.lvalues(g) {
			l := &s.ended[g][i]
			if t := l.instances(vars, fn, 1); len(t) > 0 && !seen[t[0]] && len(out) < mostPlaces {
				seen[t[0]] = true
				out = append(out, end{t[0], l.x.(cfront.Expr).Type()})
			}
		}
	}
	return out
}

// end is an lvalue with its type.
type end struct {
	text string
	t    *ctype.Type
}

// lvalues returns the scalar members and variables at file scope that a function stores to.
func (s *facts) lvalues(fn *cfront.Func) []fragment {
	if s.ended == nil {
		s.ended = map[*cfront.Func][]fragment{}
	}
	if list, ok := s.ended[fn]; ok || !own(fn) {
		return list
	}
	s.ended[fn] = []fragment{}
	seen := map[string]bool{}
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			to := cfront.Stored(y)
			r, ref := to.(*cfront.Ref)
			m, member := to.(*cfront.Member)
			if !member && !(ref && r.Var.Func == nil) || !to.Editable() || impure(to) || !to.Type().IsScalar() || cfront.ReadOnly(to) {
				return true
			}
			if member {
				if _, plain := cfront.Skip(m.X).(*cfront.Ref); !plain {
					return true
				}
			}
			if fr, ok := fragmentOf(to, fn); ok && len(to.Range().Text()) <= longestEnd && !seen[to.Range().Text()] {
				seen[to.Range().Text()] = true
				s.ended[fn] = append(s.ended[fn], fr)
			}
			return true
		})
	})
	return s.ended[fn]
}

// emptied lists branches for a list that became empty: if one end of a queue is NULL, the other becomes NULL.
func (s *facts) emptied(p place, f *source.File, vars []*cfront.Var) (out []string) {
	in := "\n" + p.indent + step(f)
	put := func(format string, a ...any) {
		if len(out) < mostEmptied {
			out = append(out, fmt.Sprintf(format, a...))
		}
	}
	ends := s.endsAt(p.fn, vars)
	for _, a := range ends {
		for _, b := range ends {
			if a.text != b.text && a.t.Kind == ctype.Pointer && sameType(a.t, b.t) && ownerOf(a.text) == ownerOf(b.text) {
				put("if (%s == NULL)%s%s = NULL;", a.text, in, b.text)
			}
		}
	}
	return out
}

// ownerOf returns the text of the object that an lvalue is a member of; "" for a variable.
func ownerOf(l string) string {
	if i := strings.LastIndexAny(l, ".>"); i >= 0 {
		return l[:i]
	}
	return ""
}

// firstNode lists branches for the first node of a list: a node is put before it, or it is removed.
func (s *facts) firstNode(p place, f *source.File, vars []*cfront.Var) (out []string) {
	in := "\n" + p.indent + step(f)
	put := func(c string, list ...string) {
		if len(out) < mostFirst {
			out = append(out, "if ("+c+") {"+in+strings.Join(list, in)+"\n"+p.indent+"}")
		}
	}
	var numbers []string
	for _, v := range vars {
		if v.Type.IsInteger() && isParam(v, p.fn) && len(numbers) < 2 {
			numbers = append(numbers, v.Name+" == 0")
		}
	}
	for _, h := range heads(vars) {
		for _, m := range h.node.Elem.Fields {
			if m.Name == "" || !sameType(m.Type, h.node) || m.Name == "prev" || m.Name == "previous" {
				continue
			}
			empty := h.text + " == NULL"
			for _, v := range vars {
				if v.Func == nil || isParam(v, p.fn) || !sameType(v.Type, h.node) || v.Name == h.text {
					continue
				}
				for _, r := range returns(p.fn, v.Name) {
					for _, c := range append(numbers, empty) {
						put(c, compact(v.Name+"->"+m.Name+" = "+h.text+";", h.text+" = "+v.Name+";", r)...)
					}
					if s.library("free") {
						for _, c := range append([]string{v.Name + " == " + h.text}, numbers...) {
							put(c, compact(h.text+" = "+operandOf(h.text)+"->"+m.Name+";", "free("+v.Name+");", r)...)
						}
					}
				}
			}
			break
		}
	}
	return out
}

// head is an lvalue that points to the first node of a list.
type head struct {
	text string
	node *ctype.Type // pointer to a node
}

// heads lists the heads of lists that a place can name: variables at file scope, and targets of parameters or locals.
func heads(vars []*cfront.Var) (out []head) {
	node := func(t *ctype.Type) bool {
		if t.Kind != ctype.Pointer || !t.Elem.IsAggregate() {
			return false
		}
		for _, m := range t.Elem.Fields {
			if m.Name != "" && sameType(m.Type, t) {
				return true
			}
		}
		return false
	}
	for _, v := range vars {
		switch {
		case v.Func == nil && node(v.Type) && v.Qual&ctype.Const == 0:
			out = append(out, head{v.Name, v.Type})
		case v.Type.Kind == ctype.Pointer && v.Func != nil && v.Type.ElemQual&ctype.Const == 0 && node(v.Type.Elem):
			out = append(out, head{"*" + v.Name, v.Type.Elem})
		}
	}
	return out[:min(len(out), 2)]
}

func isParam(v *cfront.Var, fn *cfront.Func) bool {
	for _, q := range fn.Params {
		if q == v {
			return true
		}
	}
	return false
}

// returns lists the statements that leave a function after it has added or removed a node; "" if it goes on.
func returns(fn *cfront.Func, node string) []string {
	switch t := fn.Type.Result; {
	case t == nil || t.Kind == ctype.Void:
		return []string{"return;"}
	case t.IsInteger():
		return []string{"return 1;", "return 0;"}
	case t.Kind == ctype.Pointer:
		return []string{"return " + node + ";"}
	}
	return []string{""}
}

// operandOf returns an lvalue as the left operand of -> or a dot.
func operandOf(l string) string {
	if strings.HasPrefix(l, "*") {
		return "(" + l + ")"
	}
	return l
}

func compact(list ...string) (out []string) {
	for _, x := range list {
		if x != "" {
			out = append(out, x)
		}
	}
	return out
}

// mostFronts bounds the lists that a node may be put in front of.
const mostFronts = 4

// fronts lists, at the end of a block, statements that put a node in front of a list.
func fronts(p place, vars []*cfront.Var, add func(cost int, what, text string)) {
	if p.block == nil || p.index < 0 || p.index != len(p.block.List)-1 {
		return
	}
	for _, v := range vars {
		if v.Func != nil && v.Qual&ctype.Const == 0 && v.Type.Kind == ctype.Pointer && v.Type.Elem.IsAggregate() && v.Type.ElemQual&ctype.Const == 0 {
			p.toFront(v, vars, add)
		}
	}
}

// toFront lists statements that put node v in front of the lists that a place can name.
func (p *place) toFront(v *cfront.Var, vars []*cfront.Var, add func(cost int, what, text string)) {
	link := ""
	for _, m := range v.Type.Elem.Fields {
		if sameType(m.Type, v.Type) && m.Name != "" && link == "" {
			link = m.Name
		}
	}
	if link == "" {
		return
	}
	n := 0
	front := func(head string) {
		if n < mostFronts {
			n++
			add(CostInsert+1, "insert", fmt.Sprintf("%s->%s = %s;\n%s%s = %s;", v.Name, link, head, p.indent, head, v.Name))
		}
	}
	for _, w := range vars {
		switch e := elemOf(w.Type); {
		case w == v || w.Qual&ctype.Const != 0:
		case w.Func == nil && sameType(w.Type, v.Type):
			front(w.Name)
		case w.Func != nil && e != nil && sameType(e, v.Type):
			front("*" + w.Name)
		case w.Func != nil && e != nil && e.IsAggregate() && !sameType(e, v.Type.Elem):
			for _, m := range e.Fields {
				if m.Name != "" && sameType(m.Type, v.Type) {
					front(w.Name + "->" + m.Name)
				}
			}
		}
	}
}
