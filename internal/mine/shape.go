package mine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file names the shape of a change: its kind, and where in the syntax tree it stands.

func texts(ts []token) (out []string) {
	for _, t := range ts {
		out = append(out, t.text)
	}
	return out
}

// change names the kind of a change.
func change(old, new []string) string {
	for len(old) > 0 && len(new) > 0 && old[0] == new[0] {
		old, new = old[1:], new[1:]
	}
	for len(old) > 0 && len(new) > 0 && old[len(old)-1] == new[len(new)-1] {
		old, new = old[:len(old)-1], new[:len(new)-1]
	}
	statements := func(ts []string) bool {
		return slices.ContainsFunc(ts, func(t string) bool { return t == ";" || t == "{" || t == "}" })
	}
	switch {
	case len(old) == 1 && len(new) == 1:
		return another(old[0], new[0])
	case statements(old) && statements(new):
		return "statements rewritten"
	case statements(new):
		if len(old) > 0 {
			return "an expression becomes statements"
		}
		return "insert " + statement(new)
	case statements(old):
		if len(new) > 0 {
			return "statements become an expression"
		}
		return "delete " + statement(old)
	case len(old) == 0:
		return "insert " + part(new)
	case len(new) == 0:
		return "delete " + part(old)
	}
	return "an expression rewritten"
}

// another names the change of a single token.
func another(old, new string) string {
	a, b := class(old), class(new)
	sign := func(c string) bool { return c != "name" && c != "text" && c != "number" && !keywords[c] }
	switch {
	case keywords[a] && keywords[b]:
		return "another keyword or type"
	case sign(a) && sign(b):
		return "another operator"
	case a == b:
		return "another " + a
	}
	return fmt.Sprintf("%s for %s", kindOf(b), kindOf(a))
}

func kindOf(class string) string {
	switch {
	case keywords[class]:
		return "keyword"
	case class == "name" || class == "text" || class == "number":
		return class
	}
	return "sign"
}

// part names a part of an expression that was inserted or deleted.
func part(ts []string) string {
	first, last := ts[0], ts[len(ts)-1]
	switch {
	case first == "&&" || last == "&&":
		return "a conjunct"
	case first == "||" || last == "||":
		return "a disjunct"
	case first == "," || last == ",":
		return "an argument or a declarator"
	case len(ts) == 1:
		return "a " + kindOf(class(first))
	case class(first) == first && !keywords[first] || class(last) == last && !keywords[last]:
		return "an operator with its operand"
	}
	return "words"
}

// statement names statements by their first word.
func statement(ts []string) string {
	for len(ts) > 1 && (ts[0] == "}" || ts[0] == ";" || ts[0] == "{") {
		ts = ts[1:]
	}
	n := 0
	for _, t := range ts {
		if t == ";" {
			n++
		}
	}
	what := "a statement"
	switch w := ts[0]; {
	case w == "if" || w == "for" || w == "while" || w == "do" || w == "switch":
		return w + " with its body"
	case w == "else" || w == "return" || w == "break" || w == "continue" || w == "case" || w == "default":
		return w
	case w == "{" || w == "}" || w == ";":
		return w
	case strings.HasSuffix(w, "printf") || w == "puts" || w == "putchar":
		what = "output"
	case strings.HasSuffix(w, "scanf") || w == "gets" || w == "fgets" || w == "getchar":
		what = "input"
	case w == "free":
		what = "free"
	case keywords[w]:
		what = "a declaration"
	case slices.Contains(ts, "=") || slices.ContainsFunc(ts, func(t string) bool { return len(t) == 2 && t[1] == '=' && strings.Contains("+-*/%&|^", t[:1]) }):
		what = "an assignment"
	case slices.Contains(ts, "++") || slices.Contains(ts, "--"):
		what = "a step"
	case len(ts) > 1 && ts[1] == "(":
		what = "a call"
	}
	if n > 1 {
		return what + " and more"
	}
	return what
}

// where names what surrounds a range of bytes in a file.
func where(tree *cfront.Program, f *source.File, start, end int) string {
	holds := func(r source.Range) bool { return r.Valid() && r.File == f && r.Start <= start && end <= r.End }
	out := "a declaration outside functions"
	for _, fn := range tree.Funcs {
		if fn.Body == nil || !holds(fn.Whole) {
			continue
		}
		out = "a function's head"
		cfront.WalkStmt(fn.Body, func(s cfront.Stmt) {
			if holds(s.Range()) {
				out = role(s, holds)
			}
		}, nil)
	}
	return out
}

// role names the part of a statement that holds a place.
func role(s cfront.Stmt, holds func(source.Range) bool) string {
	cond := func(x cfront.Expr) bool { return x != nil && holds(x.Range()) }
	switch s := s.(type) {
	case *cfront.If:
		if cond(s.Cond) || holds(s.Head) {
			return "the condition of an if"
		}
		return "an if"
	case *cfront.While:
		if cond(s.Cond) || holds(s.Head) {
			return "the condition of a while"
		}
		return "a while"
	case *cfront.For:
		if cond(s.Cond) || cond(s.Post) || holds(s.Head) {
			return "the head of a for"
		}
		return "a for"
	case *cfront.Switch:
		return "a switch"
	case *cfront.Return:
		return "a return"
	case *cfront.Decl:
		return "a declaration"
	case *cfront.ExprStmt:
		return expression(s.X)
	}
	return "a block"
}

func expression(x cfront.Expr) string {
	switch x := cfront.Skip(x).(type) {
	case *cfront.Assign:
		return "an assignment"
	case *cfront.IncDec:
		return "a step"
	case *cfront.Call:
		f, ok := cfront.Skip(x.Fun).(*cfront.FuncRef)
		switch {
		case ok && strings.HasSuffix(f.Func.Name, "printf"):
			return "a printf"
		case ok && strings.HasSuffix(f.Func.Name, "scanf"):
			return "a scanf"
		}
		return "a call"
	}
	return "an expression"
}

// Kinds of what a change needs.
const (
	known     = "words and numbers of the program"
	newText   = "a new text"
	newNumber = "a new number"
	newWord   = "a new word"
)

// novelty says whether the tokens that a change inserts occur in the program already. The numbers 0, 1 and 2, and
// numbers one off from an existing one, count as occurring.
func novelty(wrong []token, new []token) string {
	have := map[string]bool{"0": true, "1": true, "2": true}
	for _, t := range wrong {
		have[t.text] = true
		if n, err := strconv.Atoi(t.text); err == nil {
			have[strconv.Itoa(n+1)], have[strconv.Itoa(n-1)] = true, true
		}
	}
	out := known
	for _, t := range new {
		if have[t.text] {
			continue
		}
		switch class(t.text) {
		case "name":
			return newWord
		case "number":
			out = newNumber
		case "text":
			if out == known {
				out = newText
			}
		}
	}
	return out
}
