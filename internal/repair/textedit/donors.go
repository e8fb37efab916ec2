package textedit

import (
	"fmt"
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file finds statements to insert: text that the program has elsewhere, about the same variables or
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

// alike lists comparisons for equality between two local variables of one type.
func alike(vars []*cfront.Var) []string {
	var out []string
	for i, v := range vars {
		for _, w := range vars[i+1:] {
			if v.Func == nil || w.Func == nil || v.Name == w.Name || !sameType(v.Type, w.Type) || len(out) >= mostAlikes {
				continue
			}
			if v.Type.IsInteger() || v.Type.Kind == ctype.Pointer {
				out = append(out, v.Name+" == "+w.Name)
			}
		}
	}
	return out
}

// common lists statements about visible variables that are often forgotten.
func (s *facts) common(p place, vars []*cfront.Var, f *source.File, at int, add func(cost int, what, text string)) {
	for _, v := range vars {
		if v.Func == nil {
			continue
		}
		switch {
		case v.Type.IsInteger():
			add(CostInsert, "insert", fmt.Sprintf("if (%s < 0)\n%s%s = 0;", v.Name, p.indent+step(f), v.Name))
		case v.Type.Kind == ctype.Pointer && v.Type.Elem.IsInteger() && v.Type.Elem.Size == 1 && v.Type.ElemQual&ctype.Const == 0:
			add(CostInsert, "insert", "*"+v.Name+" = '\\0';")
		case v.Type.Kind == ctype.Pointer && v.Type.ElemQual&ctype.Const == 0 && v.Type.Elem.Kind == ctype.Pointer:
			s.unlinked(v, f, p.indent, add)
		}
		s.named1(v, vars, add)
	}
	for _, e := range s.elements(p.fn, vars) {
		add(CostInsert, "insert", e)
	}
}
