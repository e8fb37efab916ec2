package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file compiles a statement once if it is an alternative at several places of a function, as most
// inserted statements are: compiling one takes gcc as long as everything else about an edit. The common
// statement is put at the end of the block in which everything that it names is visible, and the places
// jump there and back:
//
//	if (gulo_at(40, 60)) { ... gulo_s = 3; gulo_back = &&gulo_r40; goto gulo_c1; } gulo_r40:;
//	...
//	if (0) { gulo_c1: switch (gulo_s) { case 3: n = 0; break; ... } goto *gulo_back; } }

// shared is a statement that several edits insert.
type shared struct {
	n      int // number, from 1
	edits  []*textedit.Edit
	home   *home
	leaves bool // it contains break or continue
}

// home is the end of a block with the common statements in it.
type home struct {
	n    int // number, from 1; 0: it has none
	file *source.File
	end  int // offset of the closing brace
	list []*shared
}

// sharing finds common statements. It is used for one text.
type sharing struct {
	tree  *cfront.Program
	funcs map[*cfront.Func]*scopes
	homes []*home
	in    map[*cfront.Func]bool // functions that have homes

	of     map[*textedit.Edit]*shared // common statements by edit; edits whose statement stays at its place are missing
	guards map[*textedit.Edit]string  // conditions of edits that guard the statement at their place
}

// scopes are the blocks of a function, the outer ones first, each with the meaning of names at its end.
type scopes struct {
	statics map[string]bool // names of statics, whose scope is unknown
	blocks  []*cfront.Block
	homes   []*home
	ends    []map[string]*cfront.Var
	bodies  []source.Range // bodies of loops and switches, to which break and continue refer
}

// share finds the statements that are common to edits of some sites; with apart it finds none.
func share(tree *cfront.Program, sites []*textedit.Site, apart bool) *sharing {
	sh := &sharing{tree: tree, funcs: map[*cfront.Func]*scopes{}, in: map[*cfront.Func]bool{}, of: map[*textedit.Edit]*shared{}, guards: map[*textedit.Edit]string{}}
	type key struct {
		home *home
		alt  string
	}
	found := map[key]*shared{}
	var order []*shared
	for _, st := range sites {
		sc := sh.scopes(st)
		if sc == nil || apart {
			continue
		}
		here := names(st.Func, st.File, st.Start)
		for _, e := range st.Edits {
			if c := guardOf(st, e.Alt); c != "" {
				sh.guards[e] = c
				continue
			}
			words, leaves := mentioned(e.Alt)
			if words == nil {
				continue
			}
			h := sc.home(st, here, words, leaves)
			if h == nil {
				continue
			}
			k := key{h, e.Alt}
			if found[k] == nil {
				found[k] = &shared{home: h, leaves: leaves}
				order = append(order, found[k])
			}
			found[k].edits = append(found[k].edits, e)
		}
	}
	for _, c := range order {
		if len(c.edits) > 1 {
			c.home.list = append(c.home.list, c)
		}
	}
	sh.number(order)
	return sh
}

// number numbers homes and statements; the statements of a home get consecutive numbers.
func (sh *sharing) number(order []*shared) {
	n := 0
	for _, c := range order {
		h := c.home
		if len(h.list) == 0 || h.n > 0 {
			continue
		}
		sh.homes = append(sh.homes, h)
		h.n = len(sh.homes)
		for _, c := range h.list {
			n++
			c.n = n
			for _, e := range c.edits {
				sh.of[e] = c
				sh.in[e.Site.Func] = true
			}
		}
	}
}

// scopes returns the blocks of a site's function. It returns nil if nothing can be shared: C forbids jumps into the
// scope of a variable-length array, and declarations of a block other than variables are not known at its end.
func (sh *sharing) scopes(st *textedit.Site) *scopes {
	fn := st.Func
	if st.Kind != textedit.Gap && st.Kind != textedit.Statement || fn == nil || fn.Body == nil || fn.Body.Range().File != st.File {
		return nil
	}
	if sc, ok := sh.funcs[fn]; ok {
		return sc
	}
	sh.funcs[fn] = nil
	for _, v := range fn.Locals {
		if v.VLALen != nil {
			return nil
		}
	}
	if textedit.InMacro(fn.Body) || declares.MatchString(fn.Body.Range().Text()) {
		return nil
	}
	sc := &scopes{statics: map[string]bool{}}
	for _, v := range sh.tree.Globals {
		if v.Func == fn {
			sc.statics[v.Name] = true
		}
	}
	cfront.WalkStmt(fn.Body, func(s cfront.Stmt) {
		sc.bodies = append(sc.bodies, bodyOf(s)...)
		b, ok := s.(*cfront.Block)
		if !ok || b.Implicit {
			return
		}
		r := b.Range()
		if t := r.Text(); r.File != st.File || !strings.HasPrefix(t, "{") || !strings.HasSuffix(t, "}") {
			return
		}
		sc.blocks = append(sc.blocks, b)
		sc.homes = append(sc.homes, &home{file: r.File, end: r.End - 1})
		sc.ends = append(sc.ends, nil)
	}, nil)
	sh.funcs[fn] = sc
	return sc
}

// bodyOf returns the part of a loop or switch that break leaves.
func bodyOf(s cfront.Stmt) (out []source.Range) {
	switch s := s.(type) {
	case *cfront.While:
		out = append(out, s.Body.Range())
	case *cfront.For:
		out = append(out, s.Body.Range())
	case *cfront.Switch:
		out = append(out, s.Body.Range())
	}
	return out
}

// home returns the end of the outermost block around a site in which words have the same meaning as there and, with
// leaves, break and continue refer to the same statement.
func (sc *scopes) home(st *textedit.Site, here map[string]*cfront.Var, words []string, leaves bool) *home {
	from := -1
	for _, r := range sc.bodies {
		if leaves && r.File == st.File && r.Start <= st.Start && st.End <= r.End {
			from = max(from, r.Start)
		}
	}
blocks:
	for i, b := range sc.blocks {
		if r := b.Range(); st.Start <= r.Start || st.End >= r.End || r.Start < from {
			continue
		}
		if sc.ends[i] == nil {
			sc.ends[i] = names(st.Func, st.File, sc.homes[i].end)
		}
		for _, w := range words {
			if here[w] != sc.ends[i][w] || sc.statics[w] {
				continue blocks
			}
		}
		return sc.homes[i]
	}
	return nil
}

// names returns the variables to which names refer at a place in a function.
func names(fn *cfront.Func, f *source.File, at int) map[string]*cfront.Var {
	out := map[string]*cfront.Var{}
	for _, v := range fn.Params {
		out[v.Name] = v
	}
	for _, v := range fn.Locals {
		if v.Range.Valid() && v.Scope.File == f && v.Range.Start < at && at < v.Scope.End {
			if w := out[v.Name]; w == nil || !w.Range.Valid() || w.Range.Start < v.Range.Start {
				out[v.Name] = v
			}
		}
	}
	return out
}

// declares matches text for which a function's statements are not shared: local types, and statement expressions, into
// which one cannot jump.
var declares = regexp.MustCompile(`\btypedef\b|\b(struct|union|enum)\s*(\w+\s*)?\{|\(\s*\{|\b__label__\b`)

// placed are words by which a statement depends on its place.
var placed = map[string]bool{"case": true, "default": true, "goto": true}

// mentioned lists the words of a statement that may be names of variables; nil if the statement depends on its
// surroundings. leaves reports whether it may leave a loop or a switch.
func mentioned(alt string) (words []string, leaves bool) {
	words = []string{}
	before := ""
	for i := 0; i < len(alt); {
		n := textedit.Token(alt[i:])
		t := alt[i : i+n]
		i += n
		if textedit.Letter(t[0]) {
			if placed[t] {
				return nil, false
			}
			leaves = leaves || t == "break" || t == "continue"
			if before != "." && before != ">" {
				words = append(words, t)
			}
		}
		if t != " " {
			before = t
		}
	}
	return words, leaves
}

// guardOf returns the condition of an alternative that only guards the statement at its place; "" for others.
func guardOf(st *textedit.Site, alt string) string {
	if st.Kind != textedit.Statement || !strings.HasPrefix(alt, "if (") {
		return ""
	}
	end, depth := 3, 0
	for end < len(alt) {
		n := textedit.Token(alt[end:])
		switch alt[end : end+n] {
		case "(":
			depth++
		case ")":
			depth--
		}
		if end += n; depth == 0 {
			break
		}
	}
	own, ok := textedit.OneLine(string(st.File.Text[st.Start:st.End]))
	if !ok || !slices.Equal(strings.Fields(own), strings.Fields(alt[end:])) {
		return ""
	}
	return alt[4 : end-1]
}

// spans returns the declarations that the jumps need, and the common statements.
func (sh *sharing) spans(f *source.File) (out []span) {
	for fn := range sh.in {
		if r := fn.Body.Range(); r.File == f {
			out = append(out, span{start: r.Start + 1, end: r.Start + 1, rank: -1, open: " void *gulo_back; int gulo_s; "})
		}
	}
	for _, h := range sh.homes {
		if h.file != f {
			continue
		}
		s := span{start: h.end, end: h.end, rank: 8}
		var b strings.Builder
		fmt.Fprintf(&b, " if (0) { gulo_c%d:;", h.n)
		for _, leaves := range []bool{true, false} {
			for _, c := range h.list {
				switch {
				case c.leaves != leaves:
					continue
				case leaves: // within a switch break would leave the switch
					fmt.Fprintf(&b, "\nif (gulo_s == %d) { %s } else", c.n, counted(c.edits[0].Alt))
				default:
					fmt.Fprintf(&b, "\ncase %d: { %s } break;", c.n, counted(c.edits[0].Alt))
				}
				s.ids = append(s.ids, c.edits[0].ID)
			}
			if leaves {
				b.WriteString(" switch (gulo_s) {")
			}
		}
		b.WriteString("\n} goto *gulo_back; } ")
		s.open = b.String()
		out = append(out, s)
	}
	return out
}

// with returns the common statement that an edit inserts; nil if there is none.
func (sh *sharing) with(e *textedit.Edit) *shared {
	if sh == nil {
		return nil
	}
	return sh.of[e]
}

// jumps returns code that jumps to the common statements of a site; "" if there are none. at is the expression for the
// edit that is chosen.
func (sh *sharing) jumps(s *textedit.Site, at string) (open, label string) {
	lo := s.Edits[0].ID
	var table []string
	var to []*home
	for _, e := range s.Edits {
		n := 0
		if c := sh.of[e]; c != nil {
			if n = c.n; len(to) == 0 || to[len(to)-1] != c.home && !slices.Contains(to, c.home) {
				to = append(to, c.home)
			}
		}
		table = append(table, fmt.Sprint(n))
	}
	if len(to) == 0 {
		return "", ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n{ static const unsigned short gulo_t[] = {%s}; gulo_s = gulo_t[%s - %d]; if (gulo_s) { gulo_back = &&gulo_r%d;", strings.Join(table, ","), at, lo, lo)
	for _, h := range to {
		fmt.Fprintf(&b, " if (gulo_s >= %d && gulo_s <= %d) goto gulo_c%d;", h.list[0].n, h.list[len(h.list)-1].n, h.n)
	}
	b.WriteString(" } }")
	return b.String(), fmt.Sprintf(" gulo_r%d:; ", lo)
}
