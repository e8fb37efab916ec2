package cfront

import (
	"strings"

	"gulo/internal/cpp"
)

// This file leaves out declarations that a unit does not need. System headers declare thousands of
// functions, and a file uses some ten of them. To parse the others would take most of the time for
// a file of a few hundred lines.

// prune blanks the declarations of functions in system headers whose name stands nowhere else in the
// unit.
func (u *unit) prune() {
	seen := make(map[string]int32, 1024)
	for i := range u.Tokens {
		if t := &u.Tokens[i]; t.Kind == cpp.Ident {
			seen[t.Text]++
		}
	}
	u.builtins = builtinsOf(seen)
	r := renderer{u: u}
	start, plain := 0, true // start: of the current declaration; plain: it has no braces and begins where the last one ended
	for i := 0; i < len(u.Tokens); i++ {
		switch u.Tokens[i].Text {
		case "(", "[":
			i = r.matching(i) - 1
		case "{":
			plain = false
			i = r.matching(i) - 1
			if i+1 < len(u.Tokens) && u.Tokens[i+1].Kind == cpp.Ident { // after a function's body, or still within a declaration
				start = i + 1
			}
		case "}", ")", "]": // unbalanced, which should not happen in a text that gcc has accepted
			return
		case ";":
			if plain && u.unmentioned(start, i, seen) {
				u.blank(start, i+1)
			}
			start, plain = i+1, true
		}
	}
}

// builtinsOf returns the declarations that every unit needs, and those of gcc's built-in functions that a unit
// mentions, with or without __builtin_.
func builtinsOf(seen map[string]int32) string {
	var b strings.Builder
	for _, x := range builtins() {
		if x.name == "" || seen[x.name] > 0 || seen["__builtin_"+x.name] > 0 {
			b.WriteString(x.line)
		}
	}
	return b.String()
}

// unmentioned reports whether the tokens from first to the semicolon at end declare exactly one
// function, in a system header, whose name the unit does not mention elsewhere. seen counts identifiers.
func (u *unit) unmentioned(first, end int, seen map[string]int32) bool {
	t := &u.Tokens[first]
	if first+3 >= end || t.Kind != cpp.Ident || t.Text == "typedef" || u.Tokens[end-1].Text != ")" || !u.Files[u.home(t)].System {
		return false
	}
	name, ok := u.declaredFunction(first, end)
	if !ok || name == first || seen[u.Tokens[name].Text] != 1 {
		return false
	}
	r := renderer{u: u}
	for i := first; i < end; i++ { // one declarator
		switch u.Tokens[i].Text {
		case ",", "=":
			return false
		case "(", "[":
			i = r.matching(i) - 1
		}
	}
	return true
}
