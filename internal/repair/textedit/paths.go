package textedit

import (
	"fmt"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file names objects as a function does: its variables, the members that it names, and other members of the same
// objects. A statement missing in a function is mostly about these: a link to update when a node goes, an end of a
// list, a counter beside it.

// Bounds.
const (
	mostNamed    = 24 // objects of a function
	mostLinks    = 6  // pointers to nodes that are compared with each other at a place
	longestNamed = 32 // bytes of a name
	mostPathed   = 8  // members in place of a constant
)

// object is an object that a function can name.
type object struct {
	fragment
	suffix string // "->next" for a member beside the fragment's own; "" for the fragment itself
	typ    *ctype.Type
	writes bool // it may be assigned to
	member bool
	link   bool // a pointer from one node to another of its type
}

// thing is an object that can be named at a place.
type thing struct {
	text   string
	typ    *ctype.Type
	writes bool
	member bool // or a variable of static storage: it outlives the function
	link   bool // a pointer from one node to another of its type
}

// objects returns the members that a function names, then other members of the same structs.
func (s *facts) objects(fn *cfront.Func) []object {
	if list, ok := s.objectsOf[fn]; ok {
		return list
	}
	if s.objectsOf == nil {
		s.objectsOf = map[*cfront.Func][]object{}
	}
	var named, beside []object
	seen := map[string]bool{}
	put := func(list *[]object, o object, text string) {
		if !seen[text] && len(text) <= longestNamed && !strings.Contains(text, "\n") && len(*list) < mostNamed && o.typ.IsScalar() {
			seen[text] = true
			*list = append(*list, o)
		}
	}
	var bases []*cfront.Member
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			m, ok := y.(*cfront.Member)
			if !ok || !m.Editable() || impure(m) || calls(m) || !within(m.X, m) || !strings.HasSuffix(m.Range().Text(), m.Field.Name) {
				return true
			}
			if fr, ok := fragmentOf(m, fn); ok && m.Type() != nil {
				put(&named, object{fr, "", m.Type(), !cfront.ReadOnly(m), true, sameType(baseOf(m), elemOf(m.Type()))}, m.Range().Text())
				bases = append(bases, m)
			}
			return true
		})
	})
	for _, m := range bases {
		t, dot := baseOf(m), "."
		if m.Arrow {
			dot = "->"
		}
		fr, ok := fragmentOf(m.X, fn)
		if !ok {
			continue
		}
		for _, f := range t.Fields {
			if f.Name != "" && f.BitLen == 0 {
				writes := f.Qual&ctype.Const == 0 && !(m.Arrow && m.X.Type().ElemQual&ctype.Const != 0)
				put(&beside, object{fr, dot + f.Name, f.Type, writes, true, sameType(t, elemOf(f.Type))}, m.X.Range().Text()+dot+f.Name)
			}
		}
	}
	list := append(named, beside...)
	s.objectsOf[fn] = list
	return list
}

// things returns the scalars that a function can name at a place: variables first, then members.
func (s *facts) things(fn *cfront.Func, vars []*cfront.Var) []thing {
	var out []thing
	in := map[*cfront.Var]bool{}
	mentioned := s.mentioned(fn)
	for _, v := range vars {
		in[v] = true
		if v.Type.IsScalar() && !v.Type.IsFuncPointer() && (v.Func == fn || mentioned[v]) {
			out = append(out, thing{v.Name, v.Type, v.Qual&ctype.Const == 0, v.Storage != cfront.Local, false})
		}
	}
	for i := range s.objects(fn) {
		o := &s.objects(fn)[i]
		ok := true
		for _, r := range o.refs {
			ok = ok && in[r.Var]
		}
		if ok {
			out = append(out, thing{o.x.Range().Text() + o.suffix, o.typ, o.writes, true, o.link})
		}
	}
	return out
}

// mentioned returns the variables that a function names.
func (s *facts) mentioned(fn *cfront.Func) map[*cfront.Var]bool {
	if m, ok := s.mentions[fn]; ok {
		return m
	}
	if s.mentions == nil {
		s.mentions = map[*cfront.Func]map[*cfront.Var]bool{}
	}
	m := map[*cfront.Var]bool{}
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.Ref); ok {
				m[r.Var] = true
			}
			return true
		})
	})
	s.mentions[fn] = m
	return m
}

// nodes are pointers to nodes of one type.
type nodes struct {
	names []thing // variables, and members of other objects, that point into a structure
	all   []thing // the same, and the links between nodes
}

// links groups the pointers to nodes among things by their type.
func links(all []thing) []*nodes {
	var out []*nodes
next:
	for _, x := range all {
		if x.typ.Kind != ctype.Pointer || !x.typ.Elem.IsAggregate() {
			continue
		}
		for _, n := range out {
			if sameType(n.all[0].typ, x.typ) {
				n.put(x)
				continue next
			}
		}
		n := &nodes{}
		n.put(x)
		out = append(out, n)
	}
	return out
}

func (n *nodes) put(x thing) {
	if len(n.all) < 2*mostLinks {
		n.all = append(n.all, x)
	}
	if !x.link && len(n.names) < mostLinks {
		n.names = append(n.names, x)
	}
}

// follow lists updates that are forgotten where a node is added or removed: a pointer to one node must point to another
// one, and an end that is NULL is set to the other end.
func (s *facts) follow(p place, f *source.File, at int, vars []*cfront.Var, add func(cost int, what, text string)) {
	in := p.indent + step(f)
	cost := CostInsert + 1
	if linking(p.block, at) {
		cost = CostInsert - 1
	}
	gone := freed(p.block, at)
	for _, n := range links(s.things(p.fn, vars)) {
		for i, x := range n.names {
			for _, z := range n.names {
				if x.member && x.writes && x.text != z.text {
					add(cost, "insert", fmt.Sprintf("if (%s == NULL)\n%s%s = %s;", x.text, in, x.text, z.text))
				}
			}
			for _, y := range n.names[i+1:] {
				if x.text == gone || y.text == gone {
					continue
				}
				c := fmt.Sprintf("if (%s == %s)\n%s", x.text, y.text, in)
				for _, to := range []thing{y, x} {
					for _, z := range n.all {
						cost := cost
						if z.link {
							cost++
						}
						if to.writes && z.text != x.text && z.text != y.text {
							add(cost, "insert", fmt.Sprintf("%s%s = %s;", c, to.text, z.text))
						}
					}
					if to.writes && to.member {
						add(cost+1, "insert", fmt.Sprintf("%s%s = NULL;", c, to.text))
					}
				}
			}
		}
	}
}

// freed returns what the last statement before a place frees; "" if it is no call of free.
func freed(b *cfront.Block, at int) string {
	text := ""
	for _, st := range b.List {
		if st.Range().End <= at {
			text = frees(st)
		}
	}
	return text
}

// linking reports whether the statement before or after a place may add or remove nodes: it stores links, or passes
// nodes to a function.
func linking(b *cfront.Block, at int) bool {
	found := false
	look := func(x cfront.Expr) {
		switch y := x.(type) {
		case *cfront.Assign:
			e := elemOf(y.L.Type())
			r, walks := y.L.(*cfront.Ref)
			found = found || e != nil && e.IsAggregate() && !(walks && r.Var.Func != nil)
		case *cfront.Call:
			for _, a := range y.Args {
				e := elemOf(cfront.Skip(a).Type())
				found = found || e != nil && e.IsAggregate()
			}
		}
	}
	var before cfront.Stmt
	for _, st := range b.List {
		if st.Range().End <= at {
			before = st
			continue
		}
		if x, ok := st.(*cfront.ExprStmt); ok {
			look(x.X)
		}
		break
	}
	if before != nil {
		cfront.WalkStmt(before, nil, look)
	}
	return found
}

// sameNodes lists conditions that two names point to the same node, where at least one is a member.
func (s *facts) sameNodes(fn *cfront.Func, vars []*cfront.Var) []string {
	var out []string
	for _, n := range links(s.things(fn, vars)) {
		for i, x := range n.names {
			for _, y := range n.names[i+1:] {
				if len(out) < mostAlikes && (x.member || y.member) {
					out = append(out, x.text+" == "+y.text)
				}
			}
		}
	}
	return out
}

// undone lists conditional updates of other functions, with the objects at hand: as they are, and
// reversed, with -= for +=.
func (s *facts) undone(p place, f *source.File, at int, vars []*cfront.Var, add func(cost int, what, text string)) {
	var all []thing
	for _, fn := range s.tree.Funcs {
		if !own(fn) {
			continue
		}
		for i := range s.of(fn).stmts {
			fr := &s.of(fn).stmts[i]
			st, a := update(fr.x)
			if a == nil || !s.callable(fr, f, at) {
				continue
			}
			if all == nil {
				all = s.things(p.fn, vars)
			}
			s.undo(fr, st, a, p, vars, all, add)
		}
	}
}

// update returns an if whose only statement is an assignment with an operator, and that assignment; nil for others.
func update(n cfront.Node) (*cfront.If, *cfront.Assign) {
	st, ok := n.(*cfront.If)
	if !ok || st.Else != nil {
		return nil, nil
	}
	list := statementsOf(st.Then)
	if len(list) != 1 {
		return nil, nil
	}
	x, ok := list[0].(*cfront.ExprStmt)
	if !ok || !standsAsWritten(x) {
		return nil, nil
	}
	a, ok := x.X.(*cfront.Assign)
	if !ok || !a.HasOp || !within(a.L, a) || !within(a.R, a) || a.L.Range().End > a.R.Range().Start {
		return nil, nil
	}
	return st, a
}

var opposites = map[string]string{"+=": "-=", "-=": "+=", "|=": "&=", "&=": "|="}

// undo lists one such update, and its reverse, with the objects that are visible at a place.
func (s *facts) undo(fr *fragment, st *cfront.If, a *cfront.Assign, p place, vars []*cfront.Var, all []thing, add func(cost int, what, text string)) {
	cond, ok := fragmentOf(st.Cond, fr.fn)
	left, ok2 := fragmentOf(a.L, fr.fn)
	if !ok || !ok2 || !st.Cond.Editable() {
		return
	}
	conds, lefts := cond.instances(vars, p.fn, 1), left.instances(vars, p.fn, 1)
	if len(conds) == 0 || len(lefts) == 0 {
		return
	}
	op := strings.TrimSpace(cut(a.L.Range().File, a.L.Range().End, a.R.Range().Start))
	var rights []string
	if right, ok := fragmentOf(a.R, fr.fn); ok {
		rights = right.instances(vars, p.fn, 2)
	}
	for _, t := range all {
		if t.text != lefts[0] && sameType(t.typ, cfront.Skip(a.R).Type()) {
			rights = append(rights, t.text)
		}
	}
	in := p.indent + step(p.file())
	for i, r := range rights[:min(len(rights), 6)] {
		for _, o := range []string{op, opposites[op]} {
			if o != "" {
				add(CostInsert+i/3, "insert", fmt.Sprintf("if (%s)\n%s%s %s %s;", conds[0], in, lefts[0], o, r))
			}
		}
	}
}

// file returns the file of a place.
func (p *place) file() *source.File { return p.fn.Body.Range().File }

// pathsFor lists members that the function names in place of a constant.
func (s *Space) pathsFor(x *cfront.Const, fn *cfront.Func) {
	r := x.Range()
	if !x.Type().IsInteger() || strings.HasPrefix(r.Text(), "'") {
		return
	}
	n := 0
	for _, t := range s.things(fn, Visible(s.tree, fn, r.File, r.Start)) {
		if t.member && sameType(t.typ, x.Type()) && n < mostPathed && strings.ContainsAny(t.text, ".>") {
			n++
			s.replaced(x, fn, costPath+1, "a member", t.text, t.text)
		}
	}
}

// of returns the fragments of a function: its conditions and its short statements.
func (s *facts) of(fn *cfront.Func) *donors {
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
