package schema

import (
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file is edits: what they change in the text, and where they stand in a schema.

// Removed stands in the place of a removed statement, so that what is left is C everywhere.
const Removed = ";/*-*/"

// Change replaces bytes of a file.
type Change struct {
	File       *source.File
	Start, End int
	Text       string
}

// Edit is a change of the program that a person would call one.
type Edit struct {
	What    string // in a few words
	Cost    int    // small for what people get wrong most easily and read most easily
	Func    *cfront.Func
	Changes []Change

	refused   bool // by gcc
	suggested bool // from outside
	uneven    bool // one of several operands that are alike is no longer
	braced    bool // the only statement of an if or a loop gets braces for it

	id     int   // in a schema; 0: none
	site   *site // where it is chosen
	alt    string
	shared *shared // the statement that others put in, too, in the text being made; nil: it stands at its place
	guard  string  // the condition, where it is what stands there under one; in the text being made
	with   *Edit   // another edit that this one needs: the second half of a move
}

// Line returns the line of the first change, from 1.
func (e *Edit) Line() int { return e.Changes[0].File.Position(e.Changes[0].Start).Line }

// all returns the edits that this one consists of.
func (e *Edit) all() []*Edit {
	if e.with != nil {
		return []*Edit{e, e.with}
	}
	return []*Edit{e}
}

// siteKind says how alternatives are chosen between at a place.
type siteKind uint8

const (
	statement siteKind = iota // the statement or one of others
	value                     // an expression or one of others of its type
	gap                       // nothing, or a statement
	initial                   // nothing, or another initial value of what is static
)

// site is a place with alternatives.
type site struct {
	kind       siteKind
	file       *source.File
	start, end int // of what stands there; equal for gaps
	edits      []*Edit
	fn         *cfront.Func
	integer    string // of a value that is one: its type when it is promoted; "" for others
}

// Apply returns the texts of the files that edits change; ok is false where they touch
// each other.
func Apply(edits ...*Edit) (texts map[string]string, ok bool) {
	by := map[*source.File][]Change{}
	for _, e := range edits {
		for _, p := range e.all() {
			for _, c := range p.Changes {
				by[c.File] = append(by[c.File], c)
			}
		}
	}
	texts = map[string]string{}
	for f, cs := range by {
		sort.SliceStable(cs, func(i, j int) bool { return cs[i].Start < cs[j].Start })
		var b strings.Builder
		at := 0
		for _, c := range cs {
			if c.Start < at {
				return nil, false
			}
			b.Write(f.Text[at:c.Start])
			b.WriteString(c.Text)
			at = c.End
		}
		b.Write(f.Text[at:])
		texts[f.Name] = b.String()
	}
	return texts, true
}

// oneLine takes line breaks and comments out of C text, so that it can be an
// alternative of a line of its own. ok is false where a directive stands in it.
func oneLine(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\'':
			j := i + 1
			for j < len(s) && s[j] != c {
				if s[j] == '\\' {
					j++
				}
				j++
			}
			if j >= len(s) {
				return "", false
			}
			b.WriteString(s[i : j+1])
			i = j
		case c == '/' && strings.HasPrefix(s[i:], "//"):
			for i < len(s) && s[i] != '\n' {
				i++
			}
			b.WriteByte(' ')
		case c == '/' && strings.HasPrefix(s[i:], "/*"):
			j := strings.Index(s[i+2:], "*/")
			if j < 0 {
				return "", false
			}
			i += j + 3
			b.WriteByte(' ')
		case c == '#':
			return "", false
		case c == '\n' || c == '\r' || c == '\\':
			b.WriteByte(' ')
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// deletion makes the change that removes a range, with its lines where nothing else
// stands in them.
func deletion(f *source.File, start, end int) Change {
	if strings.HasSuffix(strings.TrimRight(string(f.Text[:start]), " \t\r\n"), ":") && strings.HasPrefix(strings.TrimLeft(string(f.Text[end:]), " \t\r\n"), "}") {
		return Change{f, start, end, ";"} // a label labels a statement
	}
	a, b := start, end
	for a > 0 && (f.Text[a-1] == ' ' || f.Text[a-1] == '\t') {
		a--
	}
	for b < len(f.Text) && (f.Text[b] == ' ' || f.Text[b] == '\t' || f.Text[b] == '\r') {
		b++
	}
	if (a == 0 || f.Text[a-1] == '\n') && b < len(f.Text) && f.Text[b] == '\n' {
		return Change{f, a, b + 1, ""}
	}
	return Change{f, start, end, ""}
}

// indented moves text that stands somewhere with one indentation to another.
func indented(text, from, to string) string {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		if rest, ok := strings.CutPrefix(lines[i], from); ok {
			lines[i] = to + rest
		} else {
			lines[i] = to + strings.TrimLeft(lines[i], " \t")
		}
	}
	return strings.Join(lines, "\n")
}
