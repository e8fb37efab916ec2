package textedit

import (
	"fmt"
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file walks over functions and lists the edits at each place.

// place is where a statement stands in its function.
type place struct {
	fn     *cfront.Func
	block  *cfront.Block
	index  int
	loop   cfront.Stmt // the innermost loop, nil for none
	leaves bool        // break is allowed
	indent string      // of a statement inserted here
}

var goesOn = regexp.MustCompile(`^[A-Za-z_0-9]`)

// Function lists the edits of a function.
func (s *Space) Function(fn *cfront.Func) {
	if fn.Body == nil || InMacro(fn.Body) {
		return
	}
	s.block(fn.Body, place{fn: fn})
	s.valueless(fn)
	copies(s, fn)
}

func (s *Space) block(b *cfront.Block, p place) {
	p.block = b
	for i, st := range b.List {
		p.index = i
		s.statement(st, p)
	}
	if !b.Implicit {
		s.uninitialized(b, p)
		s.halfSet(b, p)
		s.gaps(b, p)
	} else if len(b.List) == 1 {
		p.index = 0
		s.braced(b.List[0], p)
	}
}

func (s *Space) sub(st cfront.Stmt, p place) {
	if st == nil {
		return
	}
	if b, ok := st.(*cfront.Block); ok {
		s.block(b, p)
		return
	}
	q := place{fn: p.fn, block: &cfront.Block{Implicit: true, List: []cfront.Stmt{st}}, loop: p.loop, leaves: p.leaves}
	s.statement(st, q)
	s.braced(st, q)
}

// statement lists the edits of a statement and of its parts.
func (s *Space) statement(st cfront.Stmt, p place) {
	r := st.Range()
	if !r.Valid() {
		return
	}
	for _, g := range s.grown(st, p) {
		r := g.before.Range()
		end := WholeEnd(r.File, r.End)
		s.add(Statement, p.fn, r.File, r.Start, end, g.text+" "+cut(r.File, r.Start, end), &Edit{What: "clear what is given out", Cost: costPath, Changes: []Change{{r.File, r.Start, r.Start, g.text + "\n" + r.File.Indent(r.Start)}}})
	}
	switch st := st.(type) {
	case *cfront.Decl:
		for _, in := range st.Init {
			if st.Var.Storage == cfront.Local {
				s.value(in.X, p.fn)
				s.null(in.X, p.fn)
			}
		}
		return
	case *cfront.Block:
		s.block(st, p)
		return
	case *cfront.Case:
		s.statement(st.Body, p)
		return
	case *cfront.Label:
		s.statement(st.Body, p)
		return
	case *cfront.Empty:
		return
	}
	if !standsAsWritten(st) {
		s.made(st, p)
		return
	}
	s.whole(st, p)
	switch st := st.(type) {
	case *cfront.ExprStmt:
		s.effects(st, p)
		s.taken(st, p)
		s.overwritten(st, p)
		s.twoWays(st, p)
	case *cfront.If:
		s.chained(st, p)
		s.inChain(st, p)
		s.likeSiblings(st, p)
		s.condition(st.Cond, p.fn)
		s.bounded(st.Cond, nil, p.fn)
		s.branches(st, p)
		s.sub(st.Then, p)
		s.sub(st.Else, p)
	case *cfront.While:
		s.condition(st.Cond, p.fn)
		s.bounded(st.Cond, st.Body, p.fn)
		s.allKeys(st.Cond, p.fn)
		s.once(st, p)
		s.atEnd(st, p)
		p.loop, p.leaves = st, true
		s.sub(st.Body, p)
	case *cfront.For:
		s.chainEnd(st, p)
		s.turned(st, p)
		s.stepInside(st, p)
		s.lateStep(st, p)
		if x, ok := st.Init.(*cfront.ExprStmt); ok {
			s.value(x.X, p.fn)
		} else if b, ok := st.Init.(*cfront.Block); ok {
			for _, d := range b.List {
				s.statement(d, p)
			}
		}
		if st.Cond != nil {
			s.condition(st.Cond, p.fn)
			s.bounded(st.Cond, st.Body, p.fn)
			s.allKeys(st.Cond, p.fn)
		}
		if st.Post != nil {
			s.value(st.Post, p.fn)
		}
		p.loop, p.leaves = st, true
		s.sub(st.Body, p)
	case *cfront.Switch:
		s.value(st.X, p.fn)
		p.leaves = true
		s.sub(st.Body, p)
	case *cfront.Return:
		if st.X != nil {
			s.value(st.X, p.fn)
			s.found(st, p.fn)
			s.otherSign(st.X, p.fn)
			s.null(st.X, p.fn)
			s.counted(st, p.fn)
		}
	}
}

// whole lists edits of a statement as a whole: delete it, exchange it with the next one, move it, put it under a
// condition.
func (s *Space) whole(st cfront.Stmt, p place) {
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	text := string(f.Text[start:end])
	if hasLabel(st) {
		return
	}
	replace := func(cost int, what, alt string) *Edit {
		return s.add(Statement, p.fn, f, start, end, alt, &Edit{What: what, Cost: cost, Changes: []Change{{f, start, end, alt}}})
	}
	gone := s.add(Statement, p.fn, f, start, end, "", &Edit{What: "delete", Cost: costDelete + strings.Count(text, ";") - 1, Changes: []Change{s.removed(f, start, end, p)}})
	_, long := st.(*cfront.For)
	if s.last(st, p.fn) { // without it the function's result is undefined
		if gone != nil {
			s.hidden(gone)
			if p.block != p.fn.Body {
				s.exchange(st, p, gone, text)
				s.relocate(st, p, gone, text)
			}
		}
		return
	}
	for _, c := range s.guardsAt(p.fn, f, start) {
		if n := strings.Count(text, "\n"); n == 0 || long && n < 8 {
			replace(costGuard+len(c)/12, "only under a condition", fmt.Sprintf("if (%s)\n%s%s", c, inner(f, start), indented(text, f.Indent(start), inner(f, start))))
		}
	}
	s.guardsFor(st, p.fn, func(cost int, c string) {
		replace(cost, "only under a condition", fmt.Sprintf("if (%s)\n%s%s", c, inner(f, start), indented(text, f.Indent(start), inner(f, start))))
	})
	s.swapped(st, p)
	s.turnedRound(st, p, replace)
	s.late(st, p)
	s.parts(st, p)
	s.ownCopy(st, p)
	if gone == nil {
		return
	}
	s.exchange(st, p, gone, text)
	s.relocate(st, p, gone, text)
}

// guardsAt lists the conditions that a statement at a place may be put under; none where only cheap edits are wanted.
func (s *facts) guardsAt(fn *cfront.Func, f *source.File, at int) []string {
	if s.cheap {
		return nil
	}
	return s.conditionsAt(fn, f, at)
}

// removed is the change that deletes a statement. The unbraced body of an if or a loop becomes a semicolon.
func (s *facts) removed(f *source.File, start, end int, p place) Change {
	if p.block.Implicit {
		return Change{f, start, end, ";"}
	}
	return deletion(f, start, end)
}

// exchange lists the exchange of a statement with the next one.
func (s *Space) exchange(st cfront.Stmt, p place, gone *Edit, text string) {
	if p.index+1 >= len(p.block.List) || p.block.Implicit {
		return
	}
	next := p.block.List[p.index+1]
	switch next.(type) {
	case *cfront.Decl, *cfront.Case, *cfront.Label:
		return
	}
	if !standsAsWritten(next) || hasLabel(next) {
		return
	}
	if e := s.after(next, place{fn: p.fn, block: p.block, index: p.index + 1}, costDonor, "insert what stands before", text); e != nil {
		s.move(gone, e, costSwap, "exchange two statements")
	}
}

// relocate moves a statement over its neighbours, out of its block, or into the block of a neighbour.
func (s *Space) relocate(st cfront.Stmt, p place, gone *Edit, text string) {
	if p.block.Implicit || strings.Count(text, "\n") > 6 || jumps(st, false, false) {
		return
	}
	text = indented(text, st.Range().File.Indent(st.Range().Start), "")
	refs := references(st)
	f := st.Range().File
	put := func(e *Edit) {
		if e != nil {
			s.move(gone, e, costMove, "move")
		}
	}
	behind := func(prev cfront.Stmt, q place) {
		if s.nameable(refs, p.fn, f, prev.Range().End) {
			put(s.after(prev, q, costDonor, "insert what stands near", indented(text, "", behindIndent(prev))))
		}
	}
	begin := func(b *cfront.Block, q place) {
		if s.nameable(refs, p.fn, f, b.Range().Start+1) {
			put(s.first(b, q, costDonor, "insert what stands near", indented(text, "", firstIndent(b))))
		}
	}
	// Along the block.
	for i, other := range p.block.List {
		if i == p.index || i == p.index-1 || i == p.index+1 || i > p.index+4 || i < p.index-4 {
			continue
		}
		behind(other, place{fn: p.fn, block: p.block, index: i})
	}
	if p.index > 1 && p.index < 5 {
		begin(p.block, p)
	}
	// Into the neighbours' blocks.
	for _, i := range []int{p.index - 1, p.index + 1} {
		if i < 0 || i >= len(p.block.List) {
			continue
		}
		for _, b := range bodies(p.block.List[i]) {
			if len(b.List) > 0 {
				behind(b.List[len(b.List)-1], place{fn: p.fn, block: b, index: len(b.List) - 1})
			}
			begin(b, p)
		}
	}
	// Out of it.
	if o := outer(p.fn, p.block); o != nil {
		behind(o.block.List[o.index], *o)
		if o.index > 0 {
			behind(o.block.List[o.index-1], place{fn: p.fn, block: o.block, index: o.index - 1})
		} else {
			begin(o.block, *o)
		}
	}
}

// references lists the variables that a statement names and does not declare.
func references(st cfront.Stmt) []*cfront.Var {
	var out []*cfront.Var
	bound := map[*cfront.Var]bool{}
	cfront.WalkStmt(st, func(d cfront.Stmt) {
		if d, ok := d.(*cfront.Decl); ok {
			bound[d.Var] = true
		}
	}, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.Ref); ok && !bound[r.Var] {
				out = append(out, r.Var)
			}
			return true
		})
	})
	return out
}

// bodies returns the blocks that are bodies of an if or a loop.
func bodies(st cfront.Stmt) []*cfront.Block {
	var out []*cfront.Block
	add := func(s cfront.Stmt) {
		if b, ok := s.(*cfront.Block); ok {
			out = append(out, b)
		}
	}
	switch st := st.(type) {
	case *cfront.If:
		add(st.Then)
		add(st.Else)
	case *cfront.While:
		add(st.Body)
	case *cfront.For:
		add(st.Body)
	}
	return out
}

// outer returns the place of the statement whose body is b; nil if there is none.
func outer(fn *cfront.Func, b *cfront.Block) *place {
	var found *place
	var walk func(in *cfront.Block)
	check := func(in *cfront.Block, i int, st cfront.Stmt) {
		for _, c := range bodies(st) {
			if c == b && !in.Implicit {
				found = &place{fn: fn, block: in, index: i}
				return
			}
			walk(c)
		}
		switch st := st.(type) {
		case *cfront.Block:
			walk(st)
		case *cfront.Switch:
			if c, ok := st.Body.(*cfront.Block); ok {
				walk(c)
			}
		}
	}
	walk = func(in *cfront.Block) {
		for i, st := range in.List {
			if found == nil {
				check(in, i, st)
			}
		}
	}
	walk(fn.Body)
	return found
}

const withoutCondition = "without its condition"

// branches lists edits of the branches of an if: without its condition, without else, exchanged.
func (s *Space) branches(st *cfront.If, p place) {
	s.extremes(st, p.fn)
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	then := st.Then.Range()
	thenEnd := WholeEnd(f, then.End)
	if !then.Valid() || then.File != f || then.Start < start || thenEnd > end || hasLabel(st) {
		return
	}
	body := string(f.Text[then.Start:thenEnd])
	replace := func(cost int, what, alt string, ch Change) *Edit {
		return s.add(Statement, p.fn, f, start, end, alt, &Edit{What: what, Cost: cost, Changes: []Change{ch}})
	}
	if st.Else == nil {
		bare := Change{f, start, end, indented(strings.TrimSpace(body), f.Indent(start)+step(f), f.Indent(start))}
		if replace(costDelete, withoutCondition, body, bare) == nil { // the body cannot stand on one line
			c := st.Cond.Range()
			s.add(Value, p.fn, f, c.Start, c.End, "1", &Edit{What: withoutCondition, Cost: costDelete, Changes: []Change{{f, start, then.Start, ""}}})
		}
		s.alternative(st, p)
		s.otherwise(st, p)
		replace(costGuard, "as long as", "while"+string(f.Text[start+2:end]), Change{f, start, start + 2, "while"})
		return
	}
	s.alternative(st, p)
	els := st.Else.Range()
	elsEnd := WholeEnd(f, els.End)
	between := string(f.Text[thenEnd:els.Start])
	if i := strings.Index(between, "else"); i >= 0 && strings.TrimSpace(strings.Replace(between, "else", "", 1)) == "" {
		at := thenEnd + i
		head := string(f.Text[start:thenEnd])
		rest := string(f.Text[els.Start:elsEnd])
		s.add(Statement, p.fn, f, start, end, head+" "+rest, &Edit{What: "delete else", Cost: costElse, Changes: withoutElse(f, start, thenEnd, at, st.Else, elsEnd)})
		replace(costDelete, "delete the else branch", head, Change{f, thenEnd, elsEnd, ""})
		replace(costFlip+1, "exchange the branches", string(f.Text[start:then.Start])+"{ "+rest+" } else { "+body+" }", Change{f, then.Start, elsEnd,
			"{\n" + inner(f, start) + unbraced(rest) + "\n" + f.Indent(start) + "} else {\n" + inner(f, start) + unbraced(body) + "\n" + f.Indent(start) + "}"})
	}
}

// unbraced returns the text of a statement without the braces around it.
func unbraced(text string) string {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "{"); ok {
		text = strings.TrimSpace(strings.TrimSuffix(inner, "}"))
	}
	return text
}

// gaps lists the statements that may be inserted into a block.
func (s *Space) gaps(b *cfront.Block, p place) {
	f := b.Range().File
	if f == nil || !b.Range().Valid() {
		return
	}
	insert := func(prev cfront.Stmt, i int, cost int, what, text string) {
		q := p
		q.block, q.index = b, i
		if prev == nil {
			s.first(b, q, cost, what, text)
			return
		}
		s.after(prev, q, cost, what, text)
		if _, ok := prev.(*cfront.ExprStmt); ok && !b.Implicit && strings.Contains(text, "else") && !strings.Contains(text, "{") { // a choice that contains the statement takes its place
			start, end := prev.Range().Start, WholeEnd(f, prev.Range().End)
			if old := collapsed(cut(f, start, end)); len(old) > 1 && len(text) > len(old) && strings.Contains(collapsed(text), old) {
				s.add(Statement, p.fn, f, start, end, text, &Edit{What: what, Cost: cost, Changes: []Change{{f, start, end, text}}})
			}
		}
	}
	for i := -1; i < len(b.List); i++ {
		var prev cfront.Stmt
		at := b.Range().Start + 1
		if i >= 0 {
			prev = b.List[i]
			at = prev.Range().End
			if j, ok := prev.(*cfront.Jump); ok && j.Kind != cfront.Goto {
				continue
			}
			if _, ok := prev.(*cfront.Return); ok {
				continue
			}
		}
		if i+1 < len(b.List) {
			if _, ok := b.List[i+1].(*cfront.Case); ok {
				if prev != nil {
					insert(prev, i, costBreak, "insert break", "break;")
				}
				continue
			}
		}
		p.indent = f.Indent(b.Range().Start) + step(f)
		if len(b.List) > 0 {
			p.indent = f.Indent(b.List[max(i, 0)].Range().Start)
		}
		if _, ok := prev.(*cfront.Case); ok {
			p.indent += step(f)
		}
		p.block, p.index = b, i
		for _, d := range s.insertions(p, f, at) {
			insert(prev, i, d.cost, d.what, d.text)
		}
	}
}

// effects lists the edits of an expression statement.
func (s *Space) effects(st *cfront.ExprStmt, p place) {
	f, start := st.Range().File, st.Range().Start
	end := WholeEnd(f, st.Range().End)
	replace := func(x cfront.Node, cost int, what, text string) {
		r := x.Range()
		alt := string(f.Text[start:r.Start]) + text + string(f.Text[r.End:end])
		s.add(Statement, p.fn, f, start, end, alt, &Edit{What: what, Cost: cost, Changes: []Change{{f, r.Start, r.End, text}}})
	}
	switch x := st.X.(type) {
	case *cfront.Assign:
		if within(x.L, x) && within(x.R, x) {
			s.assignment(x, p, replace)
			s.firstOf(x, p, replace)
		}
	case *cfront.IncDec:
		if within(x.X, x) {
			t := x.X.Range().Text()
			if x.Dec {
				replace(x, costFlip, "up, not down", t+"++")
			} else {
				replace(x, costFlip, "down, not up", t+"--")
			}
			s.around(x, p, replace)
			for _, l := range s.targets(x.X, p.fn) {
				replace(x.X, costPath, "another variable", l)
			}
		}
	case *cfront.Call:
		for _, a := range x.Args {
			if d, ok := cfront.Skip(a).(*cfront.Addr); ok && within(d, x) && within(d.X, d) {
				for _, l := range s.targets(d.X, p.fn) {
					replace(d.X, costPath, "another variable", l)
				}
			}
		}
	}
	s.value(st.X, p.fn)
}

// made lists the edits of a statement that a macro expands to: in the body of a loop macro, else in its arguments.
func (s *Space) made(st cfront.Stmt, p place) {
	if b := behindMacro(st); b != nil {
		p.loop, p.leaves = st, true
		s.sub(b, p)
		return
	}
	s.used(st, p)
}
