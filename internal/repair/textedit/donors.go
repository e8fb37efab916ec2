package textedit

import (
	"fmt"
	"regexp"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file finds statements and conditions to insert: text that the program has elsewhere, about the same variables or
// others of their types ("the plastic surgery hypothesis", Barr, Brun, Devanbu, Harman and Sarro, FSE 2014), and ways
// to leave a function or loop.

// fragment is a piece of the program's text, with the variables that it names.
type fragment struct {
	x     cfront.Node
	part  cfront.Stmt // the only statement kept of a loop's body; nil: all are kept
	fn    *cfront.Func
	refs  []*cfront.Ref
	calls []*cfront.Func       // functions of the program
	bound map[*cfront.Var]bool // declared inside the fragment
	whole bool                 // it is a statement
	jumps bool                 // it breaks or continues a loop around it
}

// donors are the fragments of a function.
type donors struct {
	conds []fragment
	stmts []fragment
}

// parts splits a loop whose body has several statements: it returns one loop for each expression statement.
func parts(fr fragment) []fragment {
	loop, ok := fr.x.(*cfront.For)
	if !ok {
		return nil
	}
	b, ok := loop.Body.(*cfront.Block)
	if !ok || len(b.List) < 2 || b.Implicit {
		return nil
	}
	var out []fragment
	for _, st := range b.List {
		if _, ok := st.(*cfront.ExprStmt); !ok || !standsAsWritten(st) {
			continue
		}
		one := fr
		one.part, one.refs, one.bound = st, nil, map[*cfront.Var]bool{}
		for v := range fr.bound { // variables that the body declares are not declared in the part
			if v.Range.Start < b.Range().Start {
				one.bound[v] = true
			}
		}
		whole := true
		p := st.Range()
		for _, r := range fr.refs {
			at := r.Range().Start
			if at > b.Range().Start && (at < p.Start || at >= p.End) {
				continue
			}
			one.refs = append(one.refs, r)
			whole = whole && (one.bound[r.Var] || !fr.bound[r.Var])
		}
		if whole {
			out = append(out, one)
		}
	}
	return out
}

// names are the variables that are visible at a place.
type names struct {
	vars   []*cfront.Var
	in     map[*cfront.Var]bool
	byName map[string]*cfront.Var // the innermost variable of each name
}

const (
	mostConditions = 60
	mostInsertions = 60 // fragments of the program
	mostLeaving    = 90
	mostCommon     = 30
	mostEnded      = 60 // ends of strings, and nodes in front of lists
	mostFollowing  = 60 // updates of links
	mostUndone     = 20 // updates that another function makes
)

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

// otherFunctions returns the names of functions that have the same type as f and are declared where f is named.
func (s *facts) otherFunctions(f *cfront.FuncRef) (names []string) {
	r := f.Range()
	for _, g := range s.tree.Funcs {
		if g != f.Func && g.Name != "main" && s.declared(g, r.File, r.Start) && sameType(g.Type, f.Func.Type) {
			names = append(names, g.Name)
		}
	}
	return names
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

// insertion is a statement that may be inserted.
type insertion struct {
	text, what string
	cost       int
}

// insertions lists statements that may be inserted at a place.
func (s *facts) insertions(p place, f *source.File, at int) []insertion {
	vars := Visible(s.tree, p.fn, f, at)
	var out []insertion
	seen := map[string]bool{}
	most := mostCommon
	add := func(cost int, what, text string) {
		if len(out) < most && !seen[text] {
			seen[text] = true
			out = append(out, insertion{text, what, cost})
		}
	}
	most = mostReports
	for _, r := range s.reports(p, f, at, vars) {
		add(CostInsert+1, "insert", r)
	}
	most = len(out) + mostResets + mostEmptied + mostFirst
	of, one := s.resets(vars)
	for i, r := range one {
		cost := CostInsert
		if s.usedNext(p, f, at, of[i]) {
			cost = Cheapest
		}
		add(cost, "insert", r)
	}
	for _, r := range s.emptied(p, f, vars) {
		add(CostInsert+1, "insert", r)
	}
	for _, r := range s.firstNode(p, f, vars) {
		add(CostInsert+2, "insert", r)
	}
	most = len(out) + mostCommon
	forgotten(p, add)
	s.mirrors(p, f, at, add)
	s.copied(p, f, at, add)
	takenBack(p, add)
	cleared(p, vars, add)
	s.again(p, at, vars, add)
	simple(vars, add)
	most = len(out) + mostEnded
	ended(p, vars, add)
	fronts(p, vars, add)
	if s.cheap {
		return out
	}
	most = len(out) + mostCommon
	s.common(p, vars, f, at, add)
	most = len(out) + mostFollowing
	s.follow(p, f, at, vars, add)
	most = len(out) + mostUndone
	s.undone(p, f, at, vars, add)
	most = len(out) + mostLeaving
	for _, j := range s.leaving(p, vars, f, at) {
		add(costLeave+len(j)/16, "insert", j)
	}
	most = len(out) + mostInsertions
	here := namesOf(vars)
	for _, fn := range append([]*cfront.Func{p.fn}, s.tree.Funcs...) {
		if !own(fn) {
			continue
		}
		if len(out) == most { // no room for fragments of other functions
			break
		}
		d := s.of(fn)
		for i := range d.stmts {
			if !s.callable(&d.stmts[i], f, at) || d.stmts[i].jumps && p.loop == nil || fn != p.fn && sized.MatchString(d.stmts[i].x.Range().Text()) {
				continue
			}
			for k, t := range d.stmts[i].among(here, 5) {
				cost := CostInsert + strings.Count(t, ";") - 1
				if k > 0 {
					cost++
				}
				if fn != p.fn {
					cost++
				}
				add(cost, "insert", indented(t, d.stmts[i].x.Range().File.Indent(d.stmts[i].x.Range().Start), p.indent))
			}
		}
	}
	return out
}

// simple lists statements about one variable.
func simple(vars []*cfront.Var, add func(cost int, what, text string)) {
	for _, v := range vars {
		if v.Func == nil {
			continue
		}
		switch {
		case v.Type.IsInteger():
			add(CostInsert, "insert", v.Name+" = 0;")
			add(CostInsert, "insert", v.Name+"++;")
			add(CostInsert, "insert", v.Name+"--;")
		case v.Type.Kind == ctype.Pointer:
			add(CostInsert+1, "insert", v.Name+" = NULL;")
			for _, x := range v.Type.Elem.Fields {
				if x.Name == "" || (v.Type.ElemQual|x.Qual)&ctype.Const != 0 {
					continue
				}
				switch {
				case sameType(x.Type, v.Type):
					add(CostInsert, "insert", fmt.Sprintf("%s = %s->%s;", v.Name, v.Name, x.Name))
					add(CostInsert+1, "insert", fmt.Sprintf("%s->%s = NULL;", v.Name, x.Name))
				case x.Type.IsInteger():
					add(CostInsert+1, "insert", fmt.Sprintf("%s->%s++;", v.Name, x.Name))
					add(CostInsert+1, "insert", fmt.Sprintf("%s->%s--;", v.Name, x.Name))
				}
			}
		}
	}
}

// leaving lists statements that leave the function or the loop under a condition.
func (s *facts) leaving(p place, vars []*cfront.Var, f *source.File, at int) []string {
	var ways []string
	switch t := p.fn.Type.Result; {
	case t == nil || t.Kind == ctype.Void:
		ways = append(ways, "return;")
	default:
		seen := map[string]bool{}
		cfront.WalkStmt(p.fn.Body, func(st cfront.Stmt) {
			if r, ok := st.(*cfront.Return); ok && r.X != nil && r.X.Editable() && len(ways) < 4 && !seen[r.X.Range().Text()] {
				text := r.X.Range().Text()
				fr, ok := fragmentOf(r.X, p.fn)
				if !ok || len(fr.instances(vars, p.fn, 1)) == 0 || fr.instances(vars, p.fn, 1)[0] != text {
					return
				}
				seen[text] = true
				ways = append(ways, "return "+text+";")
			}
		}, nil)
		if t.IsInteger() {
			for _, v := range []string{"return 0;", "return 1;"} {
				if len(ways) < 5 {
					ways = append(ways, v)
				}
			}
		}
	}
	if p.loop != nil {
		ways = append(ways, "break;", "continue;")
	}
	conds := s.conditionsAt(p.fn, f, at)
	conds = append(append(alike(vars), s.sameNodes(p.fn, vars)...), conds[:min(len(conds), 24)]...)
	var out []string
	for _, c := range conds {
		for _, w := range ways {
			out = append(out, "if ("+c+") "+w)
		}
	}
	return out
}

var sized = regexp.MustCompile(`\bsizeof\b`)

var identifier = regexp.MustCompile(`(\.|->)?\s*\b[A-Za-z_][A-Za-z0-9_]*\b`)

var quotedText = regexp.MustCompile(`"([^"\\\n]|\\.)*"|'([^'\\\n]|\\.)*'`)
