package cases

import (
	"fmt"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/source"

	"github.com/aymanbagabas/go-udiff"
)

// This file says what differs between a program and its reference outside of the
// functions that both have: macros, declarations, initializers, types, main.

// mostApart bounds the differences that are named.
const mostApart = 3

// Apart describes the lines in which two programs differ, ignoring layout and comments. It is empty if there are none.
func Apart(own, ref *lower.Program) string {
	var parts []string
	for i, f := range own.Tree.Files {
		if i >= len(ref.Tree.Files) {
			break
		}
		g := ref.Tree.Files[i]
		a, at := plainLines(string(f.Text))
		b, bt := plainLines(string(g.Text))
		before, after := strings.Join(a, "\n")+"\n", strings.Join(b, "\n")+"\n"
		for _, e := range udiff.Lines(before, after) {
			if len(parts) == mostApart {
				return strings.Join(parts, "; ") + "; and more"
			}
			k := strings.Count(before[:e.Start], "\n")
			old, now := firstOf(before[e.Start:e.End]), firstOf(e.New)
			n := strings.Index(after, e.New) // where the reference has it
			line := 0
			if j := strings.Count(after[:max(n, 0)], "\n"); n >= 0 && j < len(bt) {
				line = bt[j]
			}
			switch {
			case old == "":
				parts = append(parts, fmt.Sprintf("%s of the reference, %s:%d: %s, is not there", part(ref, g.Name, line, now), g.Name, line, now))
			case now == "":
				parts = append(parts, fmt.Sprintf("%s, %s:%d: %s, is not in the reference", part(own, f.Name, at[k], old), f.Name, at[k], old))
			default:
				parts = append(parts, fmt.Sprintf("%s, %s:%d: %s, in the reference, %s:%d: %s", part(own, f.Name, at[k], old), f.Name, at[k], old, g.Name, line, now))
			}
		}
	}
	return strings.Join(parts, "; ")
}

// plainLines returns the nonblank lines of a text, without comments and with single blanks, and their line numbers.
func plainLines(text string) (lines []string, at []int) {
	within := false // a comment
	for i, l := range strings.Split(text, "\n") {
		l = source.OneLine(withoutComment(l, &within))
		if l != "" {
			lines, at = append(lines, l), append(at, i+1)
		}
	}
	return lines, at
}

// withoutComment removes comments from a line. within says whether the line starts in a comment, and is updated.
func withoutComment(l string, within *bool) string {
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(l); i++ {
		two := l[i:min(i+2, len(l))]
		switch {
		case *within && two == "*/":
			*within = false
			i++
			b.WriteByte(' ')
		case *within:
		case quote != 0:
			if b.WriteByte(l[i]); l[i] == '\\' && i+1 < len(l) {
				i++
				b.WriteByte(l[i])
			} else if l[i] == quote {
				quote = 0
			}
		case two == "/*":
			*within = true
			i++
		case two == "//":
			return b.String()
		default:
			if l[i] == '"' || l[i] == '\'' {
				quote = l[i]
			}
			b.WriteByte(l[i])
		}
	}
	return b.String()
}

// firstOf returns the first line of a text.
func firstOf(text string) string {
	l, _, _ := strings.Cut(text, "\n")
	return l
}

// part names what a line belongs to: a function, a variable, a macro, another directive or a declaration.
func part(p *lower.Program, file string, line int, text string) string {
	if strings.HasPrefix(text, "#") {
		name, _, _ := strings.Cut(strings.TrimSpace(text[1:]), " ")
		if name == "define" {
			return "a macro"
		}
		return "#" + name
	}
	for _, f := range p.Tree.Funcs {
		if r := f.Whole; r.File != nil && r.File.Name == file && r.Position().Line <= line && line <= r.Position().Line+strings.Count(r.Text(), "\n") {
			return f.Name
		}
	}
	for _, v := range p.Tree.Globals {
		if v.Range.File != nil && v.Range.File.Name == file && v.Range.Position().Line == line && v.Func == nil {
			if v.Storage == cfront.Static || len(v.Init) > 0 {
				return "the initializer or type of " + v.Name
			}
			return "the declaration of " + v.Name
		}
	}
	return "a declaration"
}
