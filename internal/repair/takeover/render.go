package takeover

import (
	"slices"
	"sort"
	"strings"
)

// This file writes a program with some units of the reference.

// item is a unit to be written.
type item struct {
	*unit
	toks  []string
	taken bool
	at    int  // index of the program's unit; -1 for one of the reference
	brace bool // a brace is written after it
	shut  bool // a brace is written before it
}

// render returns the program with the groups that are on, and the number of taken and of all statements in the
// functions that change. ok is false if the heads and ends of bodies do not match.
func (s *search) render(on []bool) (text string, taken, all int, ok bool) {
	parts, taken, all, ok := s.bodies(on)
	if !ok {
		return "", 0, 0, false
	}
	var b strings.Builder
	at := 0
	for _, x := range parts {
		b.WriteString(s.text[at:x.from])
		b.WriteString(x.text)
		at = x.to
	}
	b.WriteString(s.text[at:])
	text = b.String()
	if len(parts) > 0 && s.head != "" && s.needsHead(text) {
		text = s.headed(text)
		taken += s.extra
		all += s.extra
	}
	return text, taken, all, true
}

// headed inserts the includes, macros and functions that only the reference has before the functions of a text.
func (s *search) headed(text string) string {
	at := 0
	if m := include.FindAllStringIndex(text, -1); len(m) > 0 {
		at = min(m[len(m)-1][1]+1, len(text))
	}
	return text[:at] + s.head + text[at:]
}

// part is the new text between the braces of a function.
type part struct {
	*pair
	text string
}

// bodies returns the changed functions with the groups that are on, in the order of the text.
func (s *search) bodies(on []bool) (parts []part, taken, all int, ok bool) {
	for _, p := range s.pairs {
		items, changed := p.items(on)
		if !changed {
			continue
		}
		for _, it := range items {
			if it.kind != closing && !it.decl && !it.initial {
				if all++; it.taken {
					taken++
				}
			}
		}
		if !braced(items) {
			return nil, 0, 0, false
		}
		parts = append(parts, part{p, p.declared(items) + p.written(items)})
	}
	sort.Slice(parts, func(i, j int) bool { return parts[i].from < parts[j].from })
	return parts, taken, all, true
}

// needsHead reports whether a text contains a word that the program does not have, such as a macro or function that
// only the reference has.
func (s *search) needsHead(text string) bool {
	has := map[string]bool{}
	for _, w := range word.FindAllString(s.text, -1) {
		has[w] = true
	}
	for _, p := range s.pairs {
		for _, l := range p.ref.locals {
			has[l.name] = true
		}
	}
	return slices.ContainsFunc(word.FindAllString(text, -1), func(w string) bool { return !has[w] && !slices.Contains(typeWords, w) })
}

func (p *pair) items(on []bool) (out []item, changed bool) {
	for k, st := range p.steps {
		g := p.group[k]
		take := g >= 0 && on[g]
		changed = changed || take
		switch {
		case take && st.ref >= 0:
			u := p.ref.units[st.ref]                        // a copy, to set names
			if st.own >= 0 && p.own.units[st.own].initial { // the declaration stays
				out = append(out, item{unit: &p.own.units[st.own], at: st.own})
			}
			toks := translated(u.toks, p.names)
			toks, u.names = p.typed(toks, st.own)
			out = append(out, item{unit: &u, toks: toks, taken: true, at: -1})
		case !take && st.own >= 0:
			out = append(out, item{unit: &p.own.units[st.own], at: st.own})
		}
	}
	return afterDeclarations(out), changed
}

// typed adds the type to the head of a for that replaces one of the program's which declares the same variable. names
// are the variables that the head then declares.
func (p *pair) typed(toks []string, own int) (as, names []string) {
	if own < 0 || len(toks) < 4 || toks[0] != "for" || toks[3] != "=" || !slices.Equal(p.own.units[own].names, toks[2:3]) {
		return toks, nil
	}
	return slices.Concat(toks[:2], p.own.units[own].types, toks[2:]), toks[2:3]
}

// afterDeclarations moves statements of the reference after the program's declarations of the variables that they
// name.
func afterDeclarations(items []item) []item {
	for i := len(items) - 1; i >= 0; i-- {
		if !items[i].taken || items[i].kind != plain {
			continue
		}
		to := i
		for k := i + 1; k < len(items) && items[k].kind == plain; k++ {
			u := &items[k]
			declares := u.decl && slices.ContainsFunc(u.names, func(n string) bool { return slices.Contains(items[i].toks, n) })
			if declares || u.initial && !u.taken && to == k-1 {
				to = k
			}
		}
		it := items[i]
		copy(items[i:], items[i+1:to+1])
		items[to] = it
	}
	return items
}

// braced decides which bodies are written with braces; false if heads and ends do not match.
func braced(items []item) bool {
	type frame struct{ head, n int }
	stack := []frame{{-1, 0}}
	for i := range items {
		it := &items[i]
		if it.kind == turn || it.kind == closing {
			f := stack[len(stack)-1]
			if stack = stack[:len(stack)-1]; len(stack) == 0 {
				return false
			}
			h := &items[f.head]
			if it.kind == turn && h.key != "if" && h.key != "else if" {
				return false
			}
			if it.kind == closing && (h.key == "do") != (len(it.unit.toks) > 0) {
				return false
			}
			need := f.n != 1 || h.taken || it.taken || h.opens || it.closes
			h.brace, it.shut = need, need
		}
		if it.kind == plain && !it.initial || it.kind == open {
			stack[len(stack)-1].n++
		}
		if it.kind == open || it.kind == turn {
			stack = append(stack, frame{i, 0})
		}
	}
	return len(stack) == 1
}

// written returns the text between the braces of a function.
func (p *pair) written(items []item) string {
	var b strings.Builder
	text := p.own.text
	step, depth := p.indentation(), 1
	line := func(s string) { b.WriteString("\n" + strings.Repeat(step, depth) + s) }
	last := -1 // index of the program's unit that was written last
	gapOf := func(at int) string {
		from := p.from
		if at > 0 {
			from = p.own.units[at-1].end
		}
		return text[from:p.own.units[at].start]
	}
	for _, it := range items {
		if it.kind == turn || it.kind == closing {
			depth--
		}
		if it.taken {
			s := spelled(it.toks)
			switch it.kind {
			case turn:
				line("} " + s + " {")
			case closing:
				line(strings.TrimRight("} "+s, " "))
				if len(it.toks) > 0 {
					b.WriteString(";")
				}
			case open:
				if it.key == "{" {
					s = ""
				}
				line(strings.TrimLeft(s+" {", " "))
			default:
				line(s)
			}
		} else {
			between := gapOf(it.at)
			if last != it.at-1 && !strings.Contains(between, "\n") && it.end > it.start {
				between = "\n" + strings.Repeat(step, depth)
			}
			b.WriteString(p.own1(it, between, step, depth))
			last = it.at
		}
		if it.kind == open || it.kind == turn {
			depth++
		}
	}
	rest := text[p.to:p.to]
	if n := len(p.own.units); n > 0 {
		rest = text[p.own.units[n-1].end:p.to]
	}
	if !strings.Contains(rest, "\n") {
		rest = "\n" + rest
	}
	return b.String() + rest
}

// own1 returns the text of a unit of the student's program. The text between, which separates the unit from the
// previous one, is put before it. own1 adds the braces that the unit lacks and that braced requires, for example
// because a body has gained a second statement. A closing brace that stands alone is put on its own line instead of
// after between.
func (p *pair) own1(it item, between, step string, depth int) string {
	text := p.own.text[it.start:it.end]
	in := "\n" + strings.Repeat(step, depth)
	if (it.kind == turn || it.kind == closing) && it.shut && !it.closes {
		if it.kind == turn {
			text = "} " + text
		} else if it.start == it.end {
			text, between = "}", in
		} else {
			text = "} " + text
		}
	}
	if (it.kind == open || it.kind == turn) && it.brace && !it.opens {
		text += " {"
	}
	return between + text
}

// indentation returns the indentation of a function's first statement.
func (p *pair) indentation() string {
	if len(p.own.units) > 0 {
		at := p.own.units[0].start
		from := strings.LastIndexByte(p.own.text[:at], '\n') + 1
		if in := p.own.text[from:at]; in != "" && strings.Trim(in, " \t") == "" {
			return in
		}
	}
	return "    "
}

// declared returns declarations of variables of the reference that the taken statements use, and of variables of the
// program whose declaring for head is gone.
func (p *pair) declared(items []item) string {
	var b strings.Builder
	for _, l := range p.own.locals {
		head := slices.ContainsFunc(p.own.units, func(u unit) bool { return u.kind == open && slices.Contains(u.names, l.name) })
		there := slices.ContainsFunc(items, func(it item) bool { return slices.Contains(it.names, l.name) })
		if head && !there && slices.ContainsFunc(items, func(it item) bool { return it.taken && slices.Contains(it.toks, l.name) }) {
			b.WriteString("\n" + p.indentation() + l.text)
		}
	}
	for _, l := range p.ref.locals {
		name, ok := p.names[l.name]
		if ok && !p.fresh[l.name] || l.text == "" {
			continue
		}
		if !ok {
			name = l.name
		}
		if slices.ContainsFunc(items, func(it item) bool { return it.taken && slices.Contains(it.toks, name) }) {
			ts, err := scan(l.text, 0, len(l.text))
			if err != nil {
				continue
			}
			var toks []string
			for _, t := range ts {
				toks = append(toks, t.text)
			}
			b.WriteString("\n" + p.indentation() + spelled(translated(toks, map[string]string{l.name: name})))
		}
	}
	return b.String()
}
