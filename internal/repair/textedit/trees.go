package textedit

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file answers questions about pieces of the tree: what is inside of what, which names and types a piece has, what
// it ends or frees.

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

// instances returns texts of a fragment that fit a place. If all its variables are visible there, or others of the same
// names and types, the first text is the fragment itself, and the others replace one variable by another of its type.
// If one variable is missing, each text replaces that one; if more are missing, there is none.
func (fr *fragment) instances(vars []*cfront.Var, fn *cfront.Func, most int) []string {
	return fr.among(namesOf(vars), most)
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

// own reports whether a function is defined in the program's source, not in a header of the system.
func own(g *cfront.Func) bool {
	return g.Body != nil && g.Range.Valid() && !strings.HasPrefix(g.Range.File.Name, "@")
}

// NamedIn returns the identifiers of a text, except members.
func NamedIn(text string) (out []string) {
	for _, w := range identifier.FindAllString(quotedText.ReplaceAllString(text, `""`), -1) {
		if w = strings.TrimSpace(w); w[0] != '.' && w[0] != '-' {
			out = append(out, w)
		}
	}
	return out
}

// frees returns the text of the argument if a statement is a call of free, else "".
func frees(st cfront.Stmt) string {
	x, ok := st.(*cfront.ExprStmt)
	if !ok {
		return ""
	}
	c, ok := x.X.(*cfront.Call)
	if !ok || len(c.Args) != 1 || !within(c.Args[0], c) {
		return ""
	}
	if f, ok := cfront.Skip(c.Fun).(*cfront.FuncRef); !ok || f.Func.Name != "free" || f.Func.Body != nil {
		return ""
	}
	return cfront.Skip(c.Args[0]).Range().Text()
}

// operatorOf returns the text of an operator; "" if the source does not show it.
func operatorOf(x *cfront.Binary) string {
	a, b := x.X.Range(), x.Y.Range()
	if a.End > b.Start || a.File != b.File {
		return ""
	}
	return strings.Trim(string(a.File.Text[a.End:b.Start]), " \t\n()")
}

// ended lists statements that end a string: after what the last statement wrote, or at an index that the function uses
// with the string.
func ended(p place, vars []*cfront.Var, add func(cost int, what, text string)) {
	if p.block == nil || p.index < 0 || p.index >= len(p.block.List) {
		return
	}
	if x, ok := p.block.List[p.index].(*cfront.ExprStmt); ok {
		in := map[*cfront.Var]bool{}
		for _, v := range vars {
			in[v] = true
		}
		if t := terminated(x.X, p.fn, in); t != "" {
			add(CostInsert-2, "insert", t)
		}
	}
	body := p.fn.Body.Range().Text()
	for _, v := range vars {
		if v.Func == nil || v.Qual&ctype.Const != 0 || !isText(v.Type) || v.Type.ElemQual&ctype.Const != 0 {
			continue
		}
		for _, n := range vars {
			if n.Func != nil && n.Type.IsInteger() && (strings.Contains(body, v.Name+"["+n.Name) || filledTo(body, v.Name, n.Name)) {
				add(CostInsert, "insert", v.Name+"["+n.Name+"] = '\\0';")
			}
		}
	}
}

// filledTo reports whether a function indexes an array with a variable that it compares with bound; the data ends
// there.
func filledTo(body, array, bound string) bool {
	for _, m := range regexp.MustCompile(`\b`+array+`\[(\w+)\]`).FindAllStringSubmatch(body, -1) {
		if regexp.MustCompile(`\b` + m[1] + `\s*(?:<|!=)\s*` + bound + `\b`).MatchString(body) {
			return true
		}
	}
	return false
}

// turned returns a[j][i] for a[i][j]; ok is false for other expressions.
func turned(x cfront.Expr) (text string, ok bool) {
	b, ok := x.(*cfront.Index)
	if !ok {
		return "", false
	}
	row := cfront.Skip(b.X)
	if d, decays := row.(*cfront.Decay); decays {
		row = cfront.Skip(d.X)
	}
	a, ok := row.(*cfront.Index)
	if !ok || !within(a, b) || !within(a.X, a) || !within(a.I, a) || !within(b.I, b) || a.I.Range().Text() == b.I.Range().Text() {
		return "", false
	}
	return a.X.Range().Text() + "[" + b.I.Range().Text() + "][" + a.I.Range().Text() + "]", true
}

// common counts the tokens that two texts share at the beginning and at the end.
func common(a, b []lexeme) (p, q int) {
	for p < len(a) && p < len(b) && a[p].text == b[p].text {
		p++
	}
	for q < len(a)-p && q < len(b)-p && a[len(a)-1-q].text == b[len(b)-1-q].text {
		q++
	}
	return p, q
}

// baseOf returns the type of the struct that a member belongs to.
func baseOf(m *cfront.Member) *ctype.Type {
	if m.Arrow {
		return m.X.Type().Elem
	}
	return m.X.Type()
}

// elemOf returns the type that a pointer points to; nil for other types.
func elemOf(t *ctype.Type) *ctype.Type {
	if t == nil || t.Kind != ctype.Pointer {
		return nil
	}
	return t.Elem
}

// isItself reports whether a call is recursive.
func isItself(x *cfront.Call, fn *cfront.Func) bool {
	f, ok := x.Fun.(*cfront.FuncRef)
	return ok && f.Func == fn
}

// isText reports whether a type is that of a string: an array of characters, or a pointer to one.
func isText(t *ctype.Type) bool {
	return (t.Kind == ctype.Array || t.Kind == ctype.Pointer) && t.Elem != nil && t.Elem.IsInteger() && t.Elem.Size == 1
}

// statementsOf returns the statement of a branch, or all of its block.
func statementsOf(st cfront.Stmt) []cfront.Stmt {
	if b, ok := st.(*cfront.Block); ok {
		return b.List
	}
	return []cfront.Stmt{st}
}

// membersOf returns the members of a struct that have the type of member x, x included.
func membersOf(x *cfront.Member) (out []string) {
	t := x.X.Type()
	if x.Arrow {
		t = t.Elem
	}
	for _, m := range t.Fields {
		if m.Name != "" && m.Qual&ctype.Const == 0 && sameType(m.Type, x.Type()) {
			out = append(out, m.Name)
		}
	}
	return out
}

func hasLabel(st cfront.Stmt) bool {
	found := false
	cfront.WalkStmt(st, func(x cfront.Stmt) {
		if _, ok := x.(*cfront.Label); ok {
			found = true
		}
	}, nil)
	return found
}

func integer(x cfront.Expr) bool { return x.Type() != nil && x.Type().IsInteger() }

func sameType(a, b *ctype.Type) bool { return a != nil && b != nil && ctype.Same(a, b) }

// operand returns the text of an expression as an operand of &&, in parentheses where it needs them; and is not used.
func operand(x cfront.Expr, and bool) string {
	t := x.Range().Text()
	switch y := x.(type) {
	case *cfront.Logical:
		if !y.And {
			return "(" + t + ")"
		}
	case *cfront.Assign, *cfront.Cond, *cfront.Comma:
		return "(" + t + ")"
	}
	_ = and
	return t
}

// within reports whether a part of an expression has a source text of its own inside the expression's.
func within(part, x cfront.Expr) bool {
	a, b := part.Range(), x.Range()
	return (part.Editable() || ofMacro(part)) && a.File == b.File && a.Start >= b.Start && a.End <= b.End && (a.Start > b.Start || a.End < b.End) && balanced(a.Text())
}

// Visible returns the variables that are visible at a place.
func Visible(tree *cfront.Program, fn *cfront.Func, f *source.File, at int) []*cfront.Var {
	var out []*cfront.Var
	for _, v := range fn.Locals {
		if v.Name != "" && v.Range.Valid() && v.Scope.File == f && v.Range.Start < at && at < v.Scope.End {
			out = append(out, v)
		}
	}
	for _, v := range fn.Params {
		if v.Name != "" && v.Range.Valid() {
			out = append(out, v)
		}
	}
	for _, v := range tree.Globals {
		if v.Name != "" && v.Range.Valid() && (v.Func == nil || v.Func == fn && v.Scope.File == f && at < v.Scope.End) && (v.Range.File == f && v.Range.Start < at || v.Range.File != f && (v.Func != nil || v.DeclaredIn(f))) && !strings.HasPrefix(v.Range.File.Name, "@") {
			out = append(out, v)
		}
	}
	return out
}

// terminated returns the statement that ends the string that x writes: a[n] = 0 where n characters are copied to a, or
// where a[n++] is stored to; "" for other expressions.
func terminated(x cfront.Expr, fn *cfront.Func, in map[*cfront.Var]bool) string {
	here := func(parts ...cfront.Expr) bool {
		for _, p := range parts {
			fr, ok := fragmentOf(p, fn)
			for _, r := range fr.refs {
				ok = ok && in[r.Var]
			}
			_, constant := p.(*cfront.Const)
			named := constant && constantName.MatchString(p.Range().Text()) // a macro's name is the only source text that its constant has
			if !ok || !p.Editable() && !named || impure(p) || calls(p) {
				return false
			}
		}
		return true
	}
	end := func(to, n cfront.Expr) string { return to.Range().Text() + "[" + n.Range().Text() + "] = '\\0';" }
	switch x := x.(type) {
	case *cfront.Call:
		f, ok := x.Fun.(*cfront.FuncRef)
		if !ok || !copying[f.Func.Name] || len(x.Args) != 3 {
			return ""
		}
		to, n := cfront.Skip(x.Args[0]), cfront.Skip(x.Args[2])
		if d, ok := to.(*cfront.Decay); ok {
			to = d.X
		}
		t := to.Type().Elem
		k, constant := n.(*cfront.Const)
		if constant && f.Func.Name != "strncpy" || !path(to) || !here(to, n) || t == nil || t.Size != 1 {
			return ""
		}
		switch _, err := strconv.Atoi(n.Range().Text()); {
		case constant && err == nil: // n may be the array's size, so the zero goes to the last of the n
			return fmt.Sprintf("%s[%d] = '\\0';", to.Range().Text(), int64(k.Value)-1)
		case constant:
			return to.Range().Text() + "[" + n.Range().Text() + " - 1] = '\\0';"
		}
		return end(to, n)
	case *cfront.Index:
		step, ok := cfront.Skip(x.I).(*cfront.IncDec)
		if !ok || step.Dec || !x.Type().IsInteger() || x.Type().Size != 1 || !within(x.X, x) || !here(step.X) {
			return ""
		}
		to := x.X
		if d, ok := to.(*cfront.Decay); ok {
			to = d.X
		}
		if !here(to) {
			return ""
		}
		return end(to, step.X)
	}
	return ""
}

// calls reports whether an expression calls a function.
func calls(x cfront.Expr) bool {
	found := false
	cfront.Walk(x, func(y cfront.Expr) bool {
		if _, ok := y.(*cfront.Call); ok {
			found = true
		}
		return !found
	})
	return found
}
