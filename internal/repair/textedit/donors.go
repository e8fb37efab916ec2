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

func fragmentOf(n cfront.Node, fn *cfront.Func) (fragment, bool) {
	fr := fragment{x: n, fn: fn, bound: map[*cfront.Var]bool{}}
	ok := n.Range().Valid()
	expr := func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if g, is := y.(*cfront.FuncRef); is && own(g.Func) {
				fr.calls = append(fr.calls, g.Func)
			}
			r, is := y.(*cfront.Ref)
			if !is {
				return true
			}
			if a, b := r.Range(), n.Range(); !r.Editable() || a.File != b.File || a.Start < b.Start || a.End > b.End || a.Text() != r.Var.Name {
				ok = false // it comes from a macro
			}
			fr.refs = append(fr.refs, r)
			return true
		})
	}
	switch n := n.(type) {
	case cfront.Expr:
		expr(n)
	case cfront.Stmt:
		fr.whole, fr.jumps = true, jumps(n, false, false)
		cfront.WalkStmt(n, func(st cfront.Stmt) {
			switch st := st.(type) {
			case *cfront.Decl:
				fr.bound[st.Var] = true
			case *cfront.Label, *cfront.Return:
				ok = false
			case *cfront.Jump:
				ok = ok && st.Kind != cfront.Goto
			}
		}, expr)
	}
	return fr, ok
}

// jumps reports whether a statement has a break or continue for a loop or switch around it.
func jumps(st cfront.Stmt, inLoop, inSwitch bool) bool {
	switch st := st.(type) {
	case *cfront.Jump:
		return st.Kind == cfront.Continue && !inLoop || st.Kind == cfront.Break && !inLoop && !inSwitch
	case *cfront.Block:
		for _, x := range st.List {
			if jumps(x, inLoop, inSwitch) {
				return true
			}
		}
	case *cfront.If:
		return jumps(st.Then, inLoop, inSwitch) || st.Else != nil && jumps(st.Else, inLoop, inSwitch)
	case *cfront.Switch:
		return jumps(st.Body, inLoop, true)
	case *cfront.While:
		return jumps(st.Body, true, inSwitch)
	case *cfront.For:
		return jumps(st.Body, true, inSwitch)
	case *cfront.Case:
		return jumps(st.Body, inLoop, inSwitch)
	case *cfront.Label:
		return jumps(st.Body, inLoop, inSwitch)
	}
	return false
}

// text returns the text of a fragment with the variables of with replaced.
func (fr *fragment) text(with map[*cfront.Var]string) string {
	r := fr.x.Range()
	end := r.End
	if fr.whole {
		end = WholeEnd(r.File, end)
	}
	refs := append([]*cfront.Ref(nil), fr.refs...)
	sort.Slice(refs, func(i, j int) bool { return refs[i].Range().Start < refs[j].Range().Start })
	var b strings.Builder
	at := r.Start
	body := 0
	if fr.part != nil {
		p := fr.part.Range()
		body, end = fr.x.(*cfront.For).Body.Range().Start, WholeEnd(p.File, p.End)
	}
	skip := func(to int) { // leaves out the statements of the body before the part
		if p := fr.part; p != nil && at < body && to >= body {
			b.Write(r.File.Text[at:body])
			at = p.Range().Start
		}
	}
	for _, x := range refs {
		q := x.Range()
		w, ok := with[x.Var]
		if skip(q.Start); !ok || q.Start < at || q.End > end {
			continue
		}
		b.Write(r.File.Text[at:q.Start])
		b.WriteString(w)
		at = q.End
	}
	skip(end)
	b.Write(r.File.Text[at:end])
	return b.String()
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

// instances returns texts of a fragment that fit a place. If all its variables are visible there, or others of the same
// names and types, the first text is the fragment itself, and the others replace one variable by another of its type.
// If one variable is missing, each text replaces that one; if more are missing, there is none.
func (fr *fragment) instances(vars []*cfront.Var, fn *cfront.Func, most int) []string {
	return fr.among(namesOf(vars), most)
}

// names are the variables that are visible at a place.
type names struct {
	vars   []*cfront.Var
	in     map[*cfront.Var]bool
	byName map[string]*cfront.Var // the innermost variable of each name
}

func namesOf(vars []*cfront.Var) *names {
	n := &names{vars: vars, in: make(map[*cfront.Var]bool, len(vars)), byName: make(map[string]*cfront.Var, len(vars))}
	for _, v := range vars {
		n.in[v] = true
		if n.byName[v.Name] == nil {
			n.byName[v.Name] = v
		}
	}
	return n
}

// among does the work of instances; many fragments share the names of one place.
func (fr *fragment) among(at *names, most int) []string {
	base := map[*cfront.Var]string{}
	var own, missing []*cfront.Var
	seen := map[*cfront.Var]bool{}
	for _, r := range fr.refs {
		v := r.Var
		if seen[v] || fr.bound[v] {
			continue
		}
		seen[v] = true
		switch w := at.byName[v.Name]; {
		case at.in[v]:
			own = append(own, v)
		case w != nil && stands(w, v):
			base[v] = v.Name
			own = append(own, v)
		case len(missing) == 1:
			return nil
		default:
			missing = append(missing, v)
		}
	}
	var out []string
	exchange := func(v *cfront.Var) {
		for _, w := range at.vars {
			if w != v && w.Name != v.Name && stands(w, v) && len(out) < most {
				base[v] = w.Name
				out = append(out, fr.text(base))
			}
		}
		delete(base, v)
	}
	if len(missing) == 1 {
		exchange(missing[0])
		return out
	}
	out = append(out, fr.text(base))
	for _, v := range own {
		old, had := base[v]
		exchange(v)
		if had {
			base[v] = old
		}
	}
	return out
}

// stands reports whether variable w may replace v in a statement: it has the same type, and its target is writable if
// v's is.
func stands(w, v *cfront.Var) bool {
	return sameType(w.Type, v.Type) && (w.Type.Kind != ctype.Pointer || w.Type.ElemQual&ctype.Const == 0 || v.Type.ElemQual&ctype.Const != 0)
}

// of returns the fragments of a function: its conditions and its short statements.
func (s *Space) of(fn *cfront.Func) *donors {
	if d := s.donors[fn]; d != nil {
		return d
	}
	d := &donors{}
	s.donors[fn] = d
	var cond func(x cfront.Expr)
	cond = func(x cfront.Expr) {
		if !x.Editable() || len(x.Range().Text()) > 60 {
			return
		}
		if l, ok := x.(*cfront.Logical); ok {
			cond(l.X)
			cond(l.Y)
		}
		if impure(x) {
			return
		}
		if fr, ok := fragmentOf(x, fn); ok && len(fr.refs) > 0 {
			d.conds = append(d.conds, fr)
		}
	}
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		switch st := st.(type) {
		case *cfront.If:
			cond(st.Cond)
		case *cfront.While:
			cond(st.Cond)
		case *cfront.For:
			if st.Cond != nil {
				cond(st.Cond)
			}
		}
		switch st.(type) {
		case *cfront.ExprStmt, *cfront.If, *cfront.For, *cfront.While:
			if t := st.Range().Text(); len(t) <= mostDonor && standsAsWritten(st) {
				if fr, ok := fragmentOf(st, fn); ok && !strings.Contains(t, "#") {
					d.stmts = append(append(d.stmts, fr), parts(fr)...)
				}
			}
		}
	}, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if c, ok := y.(*cfront.Cond); ok {
				cond(c.C)
			}
			return true
		})
	})
	return d
}

// impure reports whether an expression stores to something; calls are allowed.
func impure(x cfront.Expr) bool {
	bad := false
	cfront.Walk(x, func(y cfront.Expr) bool {
		switch y.(type) {
		case *cfront.Assign, *cfront.IncDec, *cfront.StmtExpr, *cfront.VaArg, *cfront.VaStart, *cfront.Compound:
			bad = true
		}
		return !bad
	})
	return bad
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
func (s *Space) conditionsAt(fn *cfront.Func, f *source.File, at int) []string {
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

// linkless returns, for each pointer to a node with two links, the condition that both are NULL.
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

// opposite returns the opposite of a condition; a comparison gets the opposite operator.
func opposite(x cfront.Expr) string {
	if b, ok := cfront.Skip(x).(*cfront.Binary); ok && b.Op.IsCompare() && within(b.X, b) && within(b.Y, b) {
		if l, r := b.X.Range(), b.Y.Range(); l.End < r.Start {
			op := strings.TrimSpace(string(l.File.Text[l.End:r.Start]))
			if o := map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}[op]; o != "" {
				return l.Text() + " " + o + " " + r.Text()
			}
		}
	}
	return negation(x)
}

// isZero turns a condition n > 0 into n == 0; it returns "" for any other condition.
func isZero(x cfront.Expr) string {
	if b, ok := cfront.Skip(x).(*cfront.Binary); ok && operatorOf(b) == ">" && within(b.X, b) && within(b.Y, b) && b.Y.Range().Text() == "0" {
		return b.X.Range().Text() + " == 0"
	}
	return ""
}

// predicates lists calls, with visible variables, of the program's functions that return an integer and have no side
// effects.
func (s *Space) predicates(fn *cfront.Func, vars []*cfront.Var, f *source.File, at int) []string {
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
func (s *Space) otherFunctions(f *cfront.FuncRef) (names []string) {
	r := f.Range()
	for _, g := range s.tree.Funcs {
		if g != f.Func && g.Name != "main" && s.declared(g, r.File, r.Start) && sameType(g.Type, f.Func.Type) {
			names = append(names, g.Name)
		}
	}
	return names
}

// own reports whether a function is defined in the program's source, not in a header of the system.
func own(g *cfront.Func) bool {
	return g.Body != nil && g.Range.Valid() && !strings.HasPrefix(g.Range.File.Name, "@")
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
func (s *Space) insertions(p place, f *source.File, at int) []insertion {
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
func (s *Space) leaving(p place, vars []*cfront.Var, f *source.File, at int) []string {
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

// known reports whether every local variable that text names is visible at a place. Names that occur in old are
// accepted.
func (s *Space) known(text, old string, fn *cfront.Func, f *source.File, at int) bool {
	in := map[string]bool{}
	for _, v := range Visible(s.tree, fn, f, at) {
		in[v.Name] = true
	}
	for _, w := range NamedIn(old) {
		in[w] = true
	}
	for _, w := range NamedIn(text) {
		if !in[w] && s.locals()[w] && s.tree.Func(w) == nil {
			return false
		}
	}
	return true
}

var quotedText = regexp.MustCompile(`"([^"\\\n]|\\.)*"|'([^'\\\n]|\\.)*'`)

// NamedIn returns the identifiers of a text, except members.
func NamedIn(text string) (out []string) {
	for _, w := range identifier.FindAllString(quotedText.ReplaceAllString(text, `""`), -1) {
		if w = strings.TrimSpace(w); w[0] != '.' && w[0] != '-' {
			out = append(out, w)
		}
	}
	return out
}

// locals returns the names of the local variables and parameters of all functions.
func (s *Space) locals() map[string]bool {
	if s.names == nil {
		s.names = map[string]bool{}
		for _, g := range s.tree.Funcs {
			for _, v := range append(append([]*cfront.Var(nil), g.Locals...), g.Params...) {
				s.names[v.Name] = true
			}
		}
	}
	return s.names
}
