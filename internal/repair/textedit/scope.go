package textedit

import (
	"maps"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file checks the names in a text against the scope of the place that it is put in. gcc would read the whole
// program before it refuses one edit for an undeclared variable, and would have to read it again without that edit.

// scopeAt is a place where names are looked up.
type scopeAt struct {
	fn *cfront.Func
	f  *source.File
	at int
}

// visibleNames returns the names of the variables that are visible at a place.
func (s *facts) visibleNames(p scopeAt) map[string]bool {
	if in, ok := s.visible[p]; ok {
		return in
	}
	in := map[string]bool{}
	for _, v := range Visible(s.tree, p.fn, p.f, p.at) {
		in[v.Name] = true
	}
	if s.visible == nil {
		s.visible = map[scopeAt]map[string]bool{}
	}
	s.visible[p] = in
	return in
}

// scoped reports whether every local variable that a text names is visible at its place, declared in the text itself,
// or named by the old text.
func (s *facts) scoped(text, old string, p scopeAt) bool {
	r := scopeReader{s: s, in: s.visibleNames(p), old: old}
	for w, rest := next(text); w != ""; w, rest = next(rest) {
		if !r.read(w) {
			return false
		}
	}
	return true
}

// scopeReader reads a text token by token.
type scopeReader struct {
	s   *facts
	in  map[string]bool // names declared outside the text
	old string

	blocks [][]string // names declared in the text, for each enclosing block
	paren  int
	last   string // the token before

	// State of the declaration that is being read.
	typed    bool // a word of its type was read
	based    bool // its base type was read
	declared bool // the name of its current declarator was read
	depth    int  // number of parentheses around it
}

// typeWords are the keywords that begin a declaration or belong to its type.
var typeWords = map[string]bool{
	"int": true, "char": true, "unsigned": true, "signed": true, "long": true, "short": true, "float": true, "double": true, "void": true,
	"const": true, "volatile": true, "static": true, "register": true, "struct": true, "union": true, "enum": true, "_Bool": true, "auto": true,
}

// qualifier has the type words that the name of a type may follow.
var qualifier = map[string]bool{"const": true, "volatile": true, "static": true, "register": true, "auto": true, "struct": true, "union": true, "enum": true}

// read reads a token. It returns false if the token names a variable that is not known.
func (r *scopeReader) read(w string) bool {
	last := r.last
	r.last = w
	switch {
	case w == "{":
		r.blocks, r.typed = append(r.blocks, nil), false
	case w == "}":
		r.blocks, r.typed = r.blocks[:max(len(r.blocks)-1, 0)], false
	case w == "(" || w == "[":
		r.paren++
	case w == ")" || w == "]":
		r.paren--
		r.typed = r.typed && r.paren >= r.depth
	case w == ";":
		r.typed = false
	case w == "," && r.typed && r.paren == r.depth:
		r.declared = false
	case !isName(w) || last == "." || last == "->" || last == "goto":
	case last == "struct" || last == "union" || last == "enum":
		r.based = true
	case typeWords[w] || r.s.tree.Typedefs[w] != nil && !r.in[w] && (!r.typed || !r.based):
		if !r.typed && declarable(last) {
			r.typed, r.declared, r.based, r.depth = true, false, false, r.paren
		}
		r.based = r.based || !qualifier[w]
	case r.typed && !r.declared && r.paren == r.depth:
		r.declared = true
		if len(r.blocks) == 0 {
			r.blocks = append(r.blocks, nil)
		}
		r.blocks[len(r.blocks)-1] = append(r.blocks[len(r.blocks)-1], w)
	default:
		return r.known(w)
	}
	return true
}

// declarable reports whether a declaration may follow a token.
func declarable(last string) bool {
	return last == "" || last == "{" || last == "}" || last == ";" || last == "(" || last == ")" || last == ":" || last == "else" || last == "do"
}

// known reports whether a name may be used here: it is visible, declared in the text, or no local variable's.
func (r *scopeReader) known(w string) bool {
	if r.in[w] || !r.s.locals()[w] || r.s.tree.Func(w) != nil || r.s.tree.Typedefs[w] != nil {
		return true
	}
	for _, b := range r.blocks {
		if slices.Contains(b, w) {
			return true
		}
	}
	if r.old == "" {
		return false
	}
	// A name that the old text uses, and does not declare itself, is allowed, too.
	o := scopeReader{s: r.s, in: map[string]bool{}}
	for x, rest := next(r.old); x != ""; x, rest = next(rest) {
		if !o.read(x) && x == w {
			return true
		}
	}
	return false
}

// next returns the first token of a text and the rest after it; a string is returned as `"`, a number as `0`, the end
// as "".
func next(text string) (w, rest string) {
	i := 0
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	if i == len(text) {
		return "", ""
	}
	switch c := text[i]; {
	case c == '"' || c == '\'':
		k := i + 1
		for k < len(text) && text[k] != c {
			if text[k] == '\\' {
				k++
			}
			k++
		}
		return `"`, text[min(k+1, len(text)):]
	case Letter(c) || c >= '0' && c <= '9':
		k := i + 1
		for k < len(text) && (Letter(text[k]) || text[k] >= '0' && text[k] <= '9') {
			k++
		}
		if !Letter(c) {
			return "0", text[k:]
		}
		return text[i:k], text[k:]
	case c == '-' && i+1 < len(text) && text[i+1] == '>':
		return "->", text[i+2:]
	}
	return text[i : i+1], text[i+1:]
}

// known reports whether every local variable that text names is visible at a place. Names that occur in old are
// accepted.
func (s *facts) known(text, old string, fn *cfront.Func, f *source.File, at int) bool {
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

// locals returns the names of the local variables and parameters of all functions.
func (s *facts) locals() map[string]bool {
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

// fresh returns a variable name that the program does not use.
func (s *facts) fresh(fn *cfront.Func) string {
	taken := maps.Clone(s.locals())
	for _, v := range s.tree.Globals {
		taken[v.Name] = true
	}
	for _, f := range s.tree.Funcs {
		taken[f.Name] = true
	}
	for _, name := range []string{"tmp", "old", "saved", "kept"} {
		if !taken[name] {
			return name
		}
	}
	return "saved_" + fn.Name
}
