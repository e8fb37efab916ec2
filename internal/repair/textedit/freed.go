package textedit

import (
	"fmt"
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file repairs mistakes with memory: a member is read after its block is freed, a block of malloc is not cleared,
// a string copied by length has no terminating zero.

// callOf matches a statement that is a call, and captures the function's name.
var callOf = regexp.MustCompile(`^([A-Za-z_]\w*)\s*\(`)

// releases reports whether a statement calls free, or a void function of the program that calls free directly or
// indirectly.
func (s *facts) releases(text string) bool {
	m := callOf.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	if s.releasing == nil {
		s.releasing = map[string]bool{"free": true}
		for again := true; again; {
			again = false
			for _, f := range s.tree.Funcs {
				if f.Body == nil || f.Type.Result.Kind != ctype.Void || s.releasing[f.Name] {
					continue
				}
				cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
					cfront.Walk(x, func(y cfront.Expr) bool {
						if r, ok := y.(*cfront.FuncRef); ok && s.releasing[r.Func.Name] && !s.releasing[f.Name] {
							s.releasing[f.Name], again = true, true
						}
						return true
					})
				})
			}
		}
	}
	return s.releasing[m[1]]
}

// drops lists calls that pass variables to the program's functions that free their argument.
func (s *facts) drops(p place, vars []*cfront.Var) (out []insertion) {
	for _, g := range s.tree.Funcs {
		if g.Body == nil || len(g.Type.Params) != 1 || g == p.fn || !s.declared(g, p.fn.Body.Range().File, p.fn.Body.Range().Start) || !s.releases(g.Name+"(") {
			continue
		}
		for _, v := range vars {
			if v.Func != nil && v.Type.Kind == ctype.Pointer && sameType(v.Type, g.Type.Params[0]) {
				out = append(out, insertion{g.Name + "(" + v.Name + ");", "insert", CostInsert - 1})
			}
		}
	}
	return out
}

// through reports whether a text reads what a pointer points to.
func through(text, pointer string) bool {
	return strings.Contains(text, pointer+"->") || strings.Contains(text, "*"+pointer) || strings.Contains(text, pointer+"[")
}

// parts lists a statement that frees a member before the block itself: free(p->name); free(p);.
func (s *Space) parts(st cfront.Stmt, p place) {
	whole := frees(st)
	if whole == "" || !standsAsWritten(st) {
		return
	}
	t := cfront.Skip(st.(*cfront.ExprStmt).X.(*cfront.Call).Args[0]).Type()
	if t.Kind != ctype.Pointer || !t.Elem.IsAggregate() {
		return
	}
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	for _, m := range t.Elem.Fields {
		if m.Name == "" || m.Type.Kind != ctype.Pointer || m.Type.IsFuncPointer() || sameType(m.Type, t) {
			continue
		}
		first := fmt.Sprintf("free(%s->%s);", whole, m.Name)
		s.add(Statement, p.fn, f, start, end, "{ "+first+" "+string(f.Text[start:end])+" }", &Edit{What: "free what the block leads to, too", Cost: costPath, Changes: []Change{{f, start, start, first + "\n" + f.Indent(start)}}})
	}
}

// ownCopy duplicates a string that is stored where it would be shared: p->name = strdup(name), and after *p = *q
// p->name = strdup(p->name).
func (s *Space) ownCopy(st cfront.Stmt, p place) {
	x, ok := st.(*cfront.ExprStmt)
	if !ok || !standsAsWritten(st) || !s.library("strdup") {
		return
	}
	a, ok := x.X.(*cfront.Assign)
	if !ok || a.HasOp || !within(a.L, a) || !within(a.R, a) || cfront.HasCall(a.R) {
		return
	}
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	switch t := a.L.Type(); {
	case t.Kind == ctype.Pointer && t.Elem.Size == 1 && t.Elem.IsInteger():
		if _, local := a.L.(*cfront.Ref); local || !path(cfront.Skip(a.R)) {
			return
		}
		r := cfront.Skip(a.R).Range()
		alt := "strdup(" + r.Text() + ")"
		s.add(Statement, p.fn, f, start, end, string(f.Text[start:r.Start])+alt+string(f.Text[r.End:end]), &Edit{What: "a text of its own", Cost: costPath, Changes: []Change{{f, r.Start, r.End, alt}}})
	case t.IsAggregate():
		to := a.L.Range().Text() + "."
		if d, ok := a.L.(*cfront.Deref); ok {
			to = cfront.Skip(d.X).Range().Text() + "->"
		}
		for _, m := range t.Fields {
			if m.Name == "" || m.Type.Kind != ctype.Pointer || m.Type.Elem.Size != 1 || !m.Type.Elem.IsInteger() {
				continue
			}
			more := fmt.Sprintf("%s%s = strdup(%s%s);", to, m.Name, to, m.Name)
			s.add(Statement, p.fn, f, start, end, "{ "+string(f.Text[start:end])+" "+more+" }", &Edit{What: "a text of its own", Cost: costPath, Changes: []Change{{f, end, end, "\n" + f.Indent(start) + more}}})
		}
	}
}

// late repairs X = p->next or return p->next that follows free(p): it reads p->next into a new variable before p is
// freed. free(p) may stand inside an if.
func (s *Space) late(st cfront.Stmt, p place) {
	if p.block.Implicit || p.index+1 >= len(p.block.List) || !standsAsWritten(st) {
		return
	}
	second := p.block.List[p.index+1]
	var value cfront.Expr
	var typ *ctype.Type
	if next := assigned(second); next != nil {
		value, typ = next.R, next.L.Type()
	} else if ret, ok := second.(*cfront.Return); ok && ret.X != nil {
		value, typ = ret.X, p.fn.Type.Result
	}
	if value == nil || !standsAsWritten(second) || !typ.IsScalar() || typ.IsFuncPointer() {
		return
	}
	r := cfront.Skip(value).Range()
	found := false
	cfront.WalkStmt(st, func(x cfront.Stmt) {
		p0 := frees(x)
		found = found || p0 != "" && through(r.Text(), p0)
	}, nil)
	if !found {
		return
	}
	f, start, last := st.Range().File, st.Range().Start, second.Range()
	end, name := WholeEnd(last.File, last.End), s.fresh(p.fn)
	const what = "read what the block leads to before it is freed"
	keep := typ.Decl(name) + " = " + r.Text() + ";"
	alt := "{ " + keep + " " + string(f.Text[start:r.Start]) + name + string(f.Text[r.End:end]) + " }"
	gone := s.add(Statement, p.fn, f, last.Start, end, "", &Edit{What: what, Cost: HalfCost, Changes: []Change{}})
	come := s.add(Statement, p.fn, f, start, WholeEnd(f, st.Range().End), alt, &Edit{What: what, Cost: HalfCost, Changes: []Change{}})
	if gone == nil || come == nil {
		return
	}
	changes := []Change{{f, start, start, keep + "\n" + f.Indent(start)}, {f, r.Start, r.End, name}}
	s.Moves = append(s.Moves, &Edit{What: what, Cost: costPath, Func: p.fn, Changes: changes, Site: gone.Site, Alt: gone.Alt,
		With: &Edit{What: what, Func: p.fn, Site: come.Site, Alt: come.Alt}})
}

// lateStep repairs the step of a for loop that reads from a block that the body frees: a round begins by reading the
// value into a new variable, and the step takes it from there.
func (s *Space) lateStep(st *cfront.For, p place) {
	a, ok := st.Post.(*cfront.Assign)
	if !ok || st.Cond == nil || a.HasOp || !within(a.L, a) || !within(a.R, a) || !a.L.Type().IsScalar() || st.Body == nil {
		return
	}
	f, r := st.Range().File, st.Range()
	body := st.Body.Range()
	if !body.Valid() || st.Cond.Range().File != f || a.R.Range().File != f {
		return
	}
	found := false
	cfront.WalkStmt(st.Body, func(x cfront.Stmt) {
		if p0 := frees(x); p0 != "" && through(cfront.Skip(a.R).Range().Text(), p0) {
			found = true
		}
	}, nil)
	if !found {
		return
	}
	name, step, end := s.fresh(p.fn), a.R.Range(), WholeEnd(f, body.End)
	declares, reads := a.L.Type().Decl(name)+";", name+" = "+step.Text()+";"
	before := Change{f, r.Start, r.Start, declares + "\n" + f.Indent(r.Start)}
	changes := []Change{before, {f, step.Start, step.End, name}}
	if b, ok := st.Body.(*cfront.Block); ok && !b.Implicit {
		changes = append(changes, Change{f, body.Start + 1, body.Start + 1, "\n" + firstIndent(b) + reads})
	} else {
		old := string(f.Text[body.Start:end])
		changes = append(changes, Change{f, body.Start, end, "{\n" + inner(f, r.Start) + reads + "\n" + inner(f, r.Start) + old + "\n" + f.Indent(r.Start) + "}"})
	}
	alt := "{ " + declares + " " + string(f.Text[r.Start:step.Start]) + name + string(f.Text[step.End:body.Start]) + "{ " + reads + " " + string(f.Text[body.Start:end]) + " } }"
	if p.block.Implicit {
		changes = []Change{{f, r.Start, end, alt}}
	}
	s.add(Statement, p.fn, f, r.Start, end, alt, &Edit{What: "read what the block leads to before it is freed", Cost: costPath, Changes: changes})
}

// cleared lists edits that call calloc in place of malloc, so that the memory is cleared.
func (s *Space) cleared(x *cfront.Call, fn *cfront.Func) {
	f, ok := cfront.Skip(x.Fun).(*cfront.FuncRef)
	if !ok || f.Func.Name != "malloc" || f.Func.Body != nil || len(x.Args) != 1 || !within(x.Args[0], x) {
		return
	}
	t := "calloc(1, " + cfront.Skip(x.Args[0]).Range().Text() + ")"
	if b, ok := cfront.Skip(x.Args[0]).(*cfront.Binary); ok && b.Op == ctype.Mul && within(b.X, x) && within(b.Y, x) {
		t = fmt.Sprintf("calloc(%s, %s)", bare(b.X), bare(b.Y))
	}
	s.replaced(x, fn, costPath, "clear what is given out", t, t)
}

// clearing is a statement in front of which new elements are to be cleared, and the statement that does it.
type clearing struct {
	before cfront.Stmt
	text   string
}

// grown lists how to clear the elements that realloc adds in a statement, in front of the assignments that count them:
// p = realloc(p, n * sizeof *p); ... a->room = n.
func (s *facts) grown(st cfront.Stmt, p place) (out []clearing) {
	block, typ, value := "", (*ctype.Type)(nil), cfront.Expr(nil)
	switch st := st.(type) {
	case *cfront.ExprStmt:
		if a, ok := st.X.(*cfront.Assign); ok && !a.HasOp && within(a.L, a) && path(cfront.Skip(a.L)) {
			block, typ, value = a.L.Range().Text(), a.L.Type(), a.R
		}
	case *cfront.Decl:
		if len(st.Init) == 1 {
			block, typ, value = st.Var.Name, st.Var.Type, st.Init[0].X
		}
	}
	if value == nil || p.block.Implicit || typ.Kind != ctype.Pointer {
		return nil
	}
	c, ok := cfront.Skip(value).(*cfront.Call)
	if !ok || len(c.Args) != 2 {
		return nil
	}
	size, ok := cfront.Skip(c.Args[1]).(*cfront.Binary)
	if f, is := cfront.Skip(c.Fun).(*cfront.FuncRef); !ok || !is || f.Func.Name != "realloc" || f.Func.Body != nil || size.Op != ctype.Mul {
		return nil
	}
	for _, next := range p.block.List[p.index+1:] {
		b := assigned(next)
		if b == nil || !b.L.Type().IsInteger() || !standsAsWritten(next) {
			continue
		}
		n, old := b.R.Range().Text(), b.L.Range().Text()
		if n != cfront.Skip(size.X).Range().Text() && n != cfront.Skip(size.Y).Range().Text() {
			continue
		}
		text := fmt.Sprintf("memset(%s + %s, 0, (%s - %s) * sizeof *%s);", block, old, n, old, block)
		if i := s.fresh(p.fn); typ.Elem.IsScalar() {
			text = fmt.Sprintf("for (%s = %s; %s < %s; %s++) %s[%s] = 0;", b.L.Type().Decl(i), old, i, n, i, block, i)
		} else if !s.library("memset") {
			continue
		}
		out = append(out, clearing{next, text})
	}
	return out
}

// overlapping lists memmove in place of memcpy, for blocks that may overlap.
func (s *Space) overlapping(x *cfront.Call, fn *cfront.Func) {
	f, ok := cfront.Skip(x.Fun).(*cfront.FuncRef)
	if !ok || f.Func.Name != "memcpy" || f.Func.Body != nil || !within(x.Fun, x) {
		return
	}
	r := x.Range()
	t := "memmove" + string(r.File.Text[x.Fun.Range().End:r.End])
	s.replaced(x, fn, costFlip, "move what may overlap", t, t)
}

// allocated corrects the size passed to malloc or realloc: a number of elements becomes bytes, and the size of a
// pointer becomes the size of what it points to.
func (s *Space) allocated(x *cfront.Cast, fn *cfront.Func) {
	c, ok := cfront.Skip(x.X).(*cfront.Call)
	t := x.Type()
	if !ok || t.Kind != ctype.Pointer || t.Elem.Size < 1 || len(c.Args) == 0 {
		return
	}
	f, ok := cfront.Skip(c.Fun).(*cfront.FuncRef)
	if !ok || f.Func.Body != nil || f.Func.Name != "malloc" && f.Func.Name != "realloc" {
		return
	}
	size := cfront.Skip(c.Args[len(c.Args)-1])
	if !within(size, c) || !size.Editable() {
		return
	}
	one := "sizeof(" + t.Elem.String() + ")"
	switch k, constant := size.(*cfront.Const); {
	case !sized.MatchString(size.Range().Text()):
		if t.Elem.Size > 1 {
			s.grouped(size, fn, costFlip, "elements, not bytes", paren(size)+" * "+one)
		}
	case constant && int64(k.Value) != t.Elem.Size:
		s.grouped(size, fn, costFlip, "what the pointer leads to, not the pointer", one)
	case !constant:
		cfront.Walk(size, func(y cfront.Expr) bool {
			if k, ok := y.(*cfront.Const); ok && k.Editable() && int64(k.Value) != t.Elem.Size && sized.MatchString(k.Range().Text()) {
				s.grouped(k, fn, costFlip, "what the pointer leads to", one)
			}
			return true
		})
	}
}

// bare returns the text of an expression without parentheses around all of it.
func bare(x cfront.Expr) string {
	t := cfront.Skip(x).Range().Text()
	if inside, ok := strings.CutPrefix(t, "("); ok && strings.HasSuffix(t, ")") && balanced(inside[:len(inside)-1]) {
		return inside[:len(inside)-1]
	}
	return t
}

// copying are the functions that copy a number of characters without adding a terminating zero.
var copying = map[string]bool{"strncpy": true, "memcpy": true, "memmove": true}
