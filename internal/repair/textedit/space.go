package textedit

import (
	"fmt"
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
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

// add lists an edit that puts alt in place of the text from start to end. If the same edit is listed already, add
// returns that one, with the lower cost. It returns nil if the edit is refused, for example because its lines must not
// change, because alt has unbalanced brackets or names something out of scope, or because a bound is reached.
func (s *Space) add(k Kind, fn *cfront.Func, f *source.File, start, end int, alt string, e *Edit) *Edit {
	if s.Total >= mostListed || f == nil || !s.free(f, f.Position(start).Line) || end > start && !s.free(f, f.Position(end-1).Line) && k != Statement {
		return nil
	}
	if s.traced {
		e.Listed = listing()
	}
	alt, ok := OneLine(alt)
	if !ok || !balanced(alt) || !s.scoped(alt, string(f.Text[start:end]), scopeAt{fn, f, start}) || s.asksNumber(alt, fn) && !s.asksNumber(string(f.Text[start:end]), fn) {
		return nil
	}
	if s.arms == nil {
		s.arms = ArmsOf(s.tree)
	}
	if s.arms.Same(f, start, end, alt) {
		return nil
	}
	key := siteKey{f, start, end, k}
	st := s.at[key]
	if st == nil {
		st = &Site{Kind: k, File: f, Start: start, End: end, Func: fn}
		s.at[key] = st
		s.Sites = append(s.Sites, st)
	}
	same := fmt.Sprintf("%d %d %d %p %s", key.kind, start, end, f, collapsed(alt))
	if old := s.seen[same]; old != nil {
		switch {
		case old.Cost == HalfCost && e.Cost < HalfCost: // half of one edit is a whole edit by itself
			old.Cost, old.What, old.Listed, old.Changes = e.Cost, e.What, e.Listed, e.Changes
		case e.Cost < old.Cost && len(e.Changes) == len(old.Changes):
			old.Cost, old.What, old.From, old.Listed = e.Cost, e.What, e.From, e.Listed
		}
		return old
	}
	if len(st.Edits) >= mostAtPlace {
		return nil
	}
	s.seen[same] = e
	s.Total++
	e.Alt, e.Site, e.Func = alt, st, fn
	switch k {
	case Statement:
		e.beforeElse()
	case Value:
		e.keptTogether(start, end)
	}
	st.Edits = append(st.Edits, e)
	return e
}

// beforeElse puts an inserted if into braces where an else of another if follows it.
func (e *Edit) beforeElse() {
	for i := range e.Changes {
		c := &e.Changes[i]
		word := strings.TrimLeft(c.Text, " \t\r\n")
		if !strings.HasPrefix(word, "if ") && !strings.HasPrefix(word, "if(") || !elseFollows(c.File, c.End) {
			continue
		}
		indent := c.Text[:len(c.Text)-len(word)]
		c.Text = indent + "{ " + word + " }"
	}
}

// elseFollows reports whether the next word from offset at is else; comments are skipped.
func elseFollows(f *source.File, at int) bool {
	rest := string(f.Text[at:])
	for {
		rest = strings.TrimLeft(rest, " \t\r\n")
		switch {
		case strings.HasPrefix(rest, "/*"):
			_, rest, _ = strings.Cut(rest[2:], "*/")
		case strings.HasPrefix(rest, "//"):
			_, rest, _ = strings.Cut(rest, "\n")
		default:
			after, ok := strings.CutPrefix(rest, "else")
			return ok && (after == "" || !goesOn.MatchString(after))
		}
	}
}

var goesOn = regexp.MustCompile(`^[A-Za-z_0-9]`)

// Function lists the edits of a function.
func (s *Space) Function(fn *cfront.Func) {
	if fn.Body == nil || InMacro(fn.Body) {
		return
	}
	s.block(fn.Body, place{fn: fn})
	s.valueless(fn)
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
		s.branches(st, p)
		s.sub(st.Then, p)
		s.sub(st.Else, p)
	case *cfront.While:
		s.condition(st.Cond, p.fn)
		s.allKeys(st.Cond, p.fn)
		s.once(st, p)
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

// made lists the edits of a statement that a macro expands to: in the body of a loop macro, else in its arguments.
func (s *Space) made(st cfront.Stmt, p place) {
	if b := behindMacro(st); b != nil {
		p.loop, p.leaves = st, true
		s.sub(b, p)
		return
	}
	s.used(st, p)
}

// behindMacro returns the body after a macro that expands to the head of a loop, as in list_for_each(p, head) *p = 0;
// nil if st is not such a loop.
func behindMacro(st cfront.Stmt) cfront.Stmt {
	var b cfront.Stmt
	switch st := st.(type) {
	case *cfront.While:
		b = st.Body
	case *cfront.For:
		b = st.Body
	}
	if b == nil {
		return nil
	}
	r, in := st.Range(), b.Range()
	if !in.Valid() || in.File != r.File || in.Start <= r.Start || in.End > r.End {
		return nil
	}
	head := string(r.File.Text[r.Start:in.Start])
	if strings.Count(head, "(") != strings.Count(head, ")") {
		return nil // the body is an argument of the macro
	}
	return b
}

// standsAsWritten reports whether a statement is written out, not expanded from a macro.
func standsAsWritten(st cfront.Stmt) bool {
	t := st.Range().Text()
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.HasPrefix(t, w) {
				return true
			}
		}
		return false
	}
	switch st := st.(type) {
	case *cfront.ExprStmt:
		return st.X.Editable()
	case *cfront.If:
		return has("if")
	case *cfront.While, *cfront.For:
		return has("for", "while", "do")
	case *cfront.Switch:
		return has("switch")
	case *cfront.Return:
		return has("return") && (st.X == nil || st.X.Editable() || writtenNull(st.X))
	case *cfront.Jump:
		return has("break", "continue", "goto")
	}
	return false
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
func (s *Space) guardsAt(fn *cfront.Func, f *source.File, at int) []string {
	if s.cheap {
		return nil
	}
	return s.conditionsAt(fn, f, at)
}

func inner(f *source.File, at int) string { return f.Indent(at) + step(f) }

// step returns one level of indentation as a file writes it.
func step(f *source.File) string {
	for n := 1; n <= f.Lines(); n++ {
		l := f.Line(n)
		if strings.HasPrefix(l, "\t") {
			return "\t"
		}
		if k := len(l) - len(strings.TrimLeft(l, " ")); k >= 2 && l[k:] != "" && l[k] != '*' {
			return strings.Repeat(" ", min(k, 8))
		}
	}
	return "    "
}

// removed is the change that deletes a statement. The unbraced body of an if or a loop becomes a semicolon.
func (s *Space) removed(f *source.File, start, end int, p place) Change {
	if p.block.Implicit {
		return Change{f, start, end, ";"}
	}
	return deletion(f, start, end)
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

// after lists an edit that inserts a statement after prev. Where prev is an unbraced body, both go into braces.
func (s *Space) after(prev cfront.Stmt, p place, cost int, what, text string) *Edit {
	f := prev.Range().File
	if f == nil { // it has no source text: an expression in an array's size, inside a macro
		return nil
	}
	end := WholeEnd(f, prev.Range().End)
	if d, ok := prev.(*cfront.Decl); ok {
		if end = declarationEnd(f, d); end < 0 {
			return nil
		}
	} else if end == prev.Range().End && f.Text[end-1] != ';' && f.Text[end-1] != '}' {
		return nil
	}
	if p.block.Implicit {
		start := prev.Range().Start
		old := string(f.Text[start:end])
		return s.add(Statement, p.fn, f, start, end, "{ "+old+" "+text+" }", &Edit{What: what, Cost: cost, braced: true, Changes: []Change{inBraces(f, start, end, old, text)}})
	}
	return s.add(Gap, p.fn, f, end, end, text, &Edit{What: what, Cost: cost, Changes: []Change{{f, end, end, "\n" + behindIndent(prev) + text}}})
}

// collapsed replaces each run of blanks outside literals by one, so that two texts that differ only in indentation
// compare equal.
func collapsed(text string) string {
	if !strings.Contains(text, "  ") && !strings.ContainsAny(text, "\t") {
		return text
	}
	var b strings.Builder
	quote, blank := byte(0), false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' && i+1 < len(text) {
				b.WriteByte(c)
				i++
				c = text[i]
			} else if c == quote {
				quote = 0
			}
		case c == ' ' || c == '\t':
			blank = true
			continue
		case c == '"' || c == '\'':
			quote = c
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		b.WriteByte(c)
	}
	return b.String()
}

// behindIndent returns the indentation for a statement inserted after prev.
func behindIndent(prev cfront.Stmt) string {
	f, at := prev.Range().File, prev.Range().Start
	if f == nil {
		return ""
	}
	if _, ok := prev.(*cfront.Case); ok {
		return inner(f, at)
	}
	return f.Indent(at)
}

// declarationEnd returns the offset after the semicolon of a declaration; -1 if d is not its last declarator.
func declarationEnd(f *source.File, d *cfront.Decl) int {
	for i := d.Range().End; i < len(f.Text); i++ {
		switch f.Text[i] {
		case ' ', '\t', '\n', '\r':
		case ';':
			return i + 1
		default:
			return -1
		}
	}
	return -1
}

// first lists an edit that inserts a statement at the beginning of a block.
func (s *Space) first(b *cfront.Block, p place, cost int, what, text string) *Edit {
	f, at := b.Range().File, b.Range().Start+1
	if b.Implicit || at > len(f.Text) || f.Text[at-1] != '{' {
		return nil
	}
	return s.add(Gap, p.fn, f, at, at, text, &Edit{What: what, Cost: cost, Changes: []Change{{f, at, at, "\n" + firstIndent(b) + text}}})
}

// firstIndent returns the indentation of a block's first statement.
func firstIndent(b *cfront.Block) string {
	f := b.Range().File
	if len(b.List) > 0 {
		return f.Indent(b.List[0].Range().Start)
	}
	return f.Indent(b.Range().Start) + step(f)
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

// move lists an edit with two halves: gone deletes a statement at one place, come inserts it at another.
func (s *Space) move(gone, come *Edit, cost int, what string) {
	s.Moves = append(s.Moves, &Edit{What: what, Cost: cost, Func: gone.Func, Changes: gone.Changes, ID: 0, Site: gone.Site, With: &Edit{
		What: what, Func: come.Func, Changes: come.Changes, Site: come.Site, Alt: come.Alt,
	}, Alt: gone.Alt})
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

// nameable reports whether all of vars are visible at a place.
func (s *Space) nameable(vars []*cfront.Var, fn *cfront.Func, f *source.File, at int) bool {
	in := map[*cfront.Var]bool{}
	for _, v := range Visible(s.tree, fn, f, at) {
		in[v] = true
	}
	for _, v := range vars {
		if !in[v] {
			return false
		}
	}
	return true
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

// alternative turns two ifs in a row into if and else if.
func (s *Space) alternative(st *cfront.If, p place) {
	if p.index == 0 || p.block.Implicit {
		return
	}
	prev, ok := p.block.List[p.index-1].(*cfront.If)
	f, start := st.Range().File, st.Range().Start
	if !ok || !standsAsWritten(prev) || hasLabel(prev) || prev.Range().File != f {
		return
	}
	last := prev
	for last.Else != nil {
		next, ok := last.Else.(*cfront.If)
		if !ok {
			return // the chain ends with an else
		}
		last = next
	}
	from, end := prev.Range().Start, WholeEnd(f, st.Range().End)
	prevEnd := WholeEnd(f, prev.Range().End)
	gone := s.add(Statement, p.fn, f, start, end, ";", &Edit{What: "else if", Cost: costElse, Changes: []Change{}})
	come := s.add(Statement, p.fn, f, from, prevEnd, string(f.Text[from:prevEnd])+" else "+string(f.Text[start:end]),
		&Edit{What: "else if", Cost: costElse, Changes: []Change{{f, start, start, "else "}}})
	if gone != nil && come != nil {
		gone.Changes = come.Changes
		s.Moves = append(s.Moves, &Edit{What: "else if", Cost: costElse, Func: p.fn, Changes: come.Changes, Site: gone.Site, Alt: gone.Alt, With: &Edit{What: "else if", Func: p.fn, Site: come.Site, Alt: come.Alt}})
		s.hidden(gone)
		s.hidden(come)
	}
}

// hidden marks an edit as half of a move: alone it makes no sense.
func (s *Space) hidden(e *Edit) { e.Cost = HalfCost }

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

func integer(x cfront.Expr) bool { return x.Type() != nil && x.Type().IsInteger() }

// fits reports whether a value of type a may replace one of type b. Where the walk is in the target of an assignment, a
// pointer to const does not fit.
func (s *Space) fits(a, b *ctype.Type) bool {
	return sameType(a, b) && !(s.written && a.Kind == ctype.Pointer && a.ElemQual&ctype.Const != 0)
}

func sameType(a, b *ctype.Type) bool { return a != nil && b != nil && ctype.Same(a, b) }
