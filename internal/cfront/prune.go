package cfront

import (
	"strings"

	"gulo/internal/cpp"
)

// This file leaves out what a unit does not need. Of the thousands of functions that the
// system's headers declare, a file uses some ten; to parse the others took most of the time
// that a file of a few hundred lines takes.

// prune takes the declarations of functions that a unit does not mention out of the text
// that is parsed: those in headers of the system's whose name stands nowhere else.
func (u *unit) prune() {
	seen := make(map[string]int32, 1024)
	for i := range u.Tokens {
		if t := &u.Tokens[i]; t.Kind == cpp.Ident {
			seen[t.Text]++
		}
	}
	u.builtins = builtinsOf(seen)
	r := renderer{u: u}
	start, plain := 0, true // of the declaration in hand; plain: it has no braces, and begins where the last one has ended
	for i := 0; i < len(u.Tokens); i++ {
		switch u.Tokens[i].Text {
		case "(", "[":
			i = r.matching(i) - 1
		case "{":
			plain = false
			i = r.matching(i) - 1
			if i+1 < len(u.Tokens) && u.Tokens[i+1].Kind == cpp.Ident { // behind a function's body, or within a declaration still
				start = i + 1
			}
		case "}", ")", "]": // gcc has taken the text; that is not understood
			return
		case ";":
			if plain && u.unmentioned(start, i, seen) {
				u.blank(start, i+1)
			}
			start, plain = i+1, true
		}
	}
}

// builtinsOf returns the declarations of those of gcc's own functions that a unit mentions, with
// or without __builtin_, and of what every unit needs.
func builtinsOf(seen map[string]int32) string {
	var b strings.Builder
	for _, x := range builtins() {
		if x.name == "" || seen[x.name] > 0 || seen["__builtin_"+x.name] > 0 {
			b.WriteString(x.line)
		}
	}
	return b.String()
}

// unmentioned reports whether the tokens from first to the semicolon at end declare one
// function of the system's that the unit does not mention.
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
